"""Amounts as they are shown, and as chips: a scene has dollars as text, a table has stacks."""

from fractions import Fraction
from functools import lru_cache

from pitboss.rules.numbers import money

CHIPS = (500_000, 100_000, 50_000, 10_000, 2_500, 500, 100, 25)
"""What chips there are, in cents, the largest first; their colours are those of the trade (static/house.css)."""
MOST_CHIPS = 7  # of a stack that are drawn
MINUS = "\u2212"


@lru_cache(maxsize=4096)
def cents(amount: object) -> int:
    """`"1,250.50"` in cents; what is less than a cent is left out."""
    text = str(amount or 0).replace(",", "").replace("$", "").replace(MINUS, "-").lstrip("+")
    try:
        return int(Fraction(text) * 100)
    except (ValueError, ZeroDivisionError):
        return 0


@lru_cache(maxsize=4096)
def dollars(amount: object) -> str:
    """`$1,250.50`, `$10`."""
    found = cents(amount)
    return f"{MINUS if found < 0 else ''}${money(Fraction(abs(found), 100))}"


def signed(amount: object) -> str:
    """`+$10`, `\u2212$5`, `$0`."""
    return f"{'+' if cents(amount) > 0 else ''}{dollars(amount)}"


def stack(amount: object) -> list[int]:
    """The chips of an amount from the bottom up, large ones first: as many as are drawn."""
    left, out = cents(amount), list[int]()
    for chip in CHIPS:
        many, left = divmod(left, chip)
        out += [chip] * min(many, MOST_CHIPS)
    return out[:MOST_CHIPS] or ([CHIPS[-1]] if cents(amount) > 0 else [])


def chip_words(chip: int) -> str:
    """What stands on a chip: `5`, `1K`, `25¢`."""
    if chip < 100:
        return f"{chip}¢"
    return str(chip // 100) if chip < 100_000 else f"{chip // 100_000}K"


def offered(least: object, most: object) -> list[int]:
    """Up to five chips to bet with at a table of these limits, the smallest first: a fifth of the least bet is change
    enough."""
    small = max((c for c in CHIPS if 5 * c <= cents(least)), default=CHIPS[-1])
    usual = [c for c in reversed(CHIPS) if small <= c <= max(cents(most), small)]
    return usual[:5]
