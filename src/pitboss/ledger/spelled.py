"""Figures and amounts as they are written, the same on a screen and on paper."""

from collections.abc import Sequence
from fractions import Fraction
from math import floor, log10

from pitboss.ledger.records import Outcome, WagerResult, percent
from pitboss.rules.house import House
from pitboss.rules.paytables import money


def ways(count: int) -> str:
    """Whole: a count is exact to its last digit."""
    return f"{count:,}"


def number(value: Fraction, places: int = 6) -> str:
    return f"{float(value):.{places}f}"


def signed(value: Fraction) -> str:
    text = money(abs(value)) if value.denominator == 1 else f"{abs(float(value)):,.4g}"
    return f"+{text}" if value > 0 else f"-{text}" if value < 0 else "0"


def one_in(chance: Fraction | float) -> str:
    """Of `1 in 2.06` or `1 in 30,940` the number: so many rounds between two of them."""
    if not chance:
        return "never"
    rounds = 1 / float(chance)
    return f"{rounds:,.2f}" if rounds < 100 else f"{rounds:,.1f}" if rounds < 10_000 else f"{rounds:,.0f}"


def dollars(amount: Fraction | float, places: int = 0) -> str:
    """-1234.5 as -$1,235."""
    text = f"{abs(float(amount)):,.{places}f}"
    return f"-${text}" if amount < 0 and text.strip("0.,") else f"${text}"


def error_in_dollars(error: float) -> str:
    return dollars(error, 0 if error >= 10 else 2)


def chance(p: float) -> str:
    """As a percentage, or as one in so many where it is rare."""
    if p < 1e-10:
        return "under 1e-10"
    return percent(p, 2) if p >= 0.001 else f"1 in {1 / p:,.0f}"


def within(value: float, error: float) -> str:
    """A standard error with digits that count: as a percentage, or as a part of a chance of one in many."""
    if value < 0.001:
        return f"{error / value:.1%} of it" if value else ""
    places = max(2, 1 - floor(log10(100 * error))) if error else 2
    return f"{error:.{places}%}"


def paid_by(house: House, wager: WagerResult) -> str:
    """The pay tables that make an edge: the wager's own, and those of what is bet along with it."""
    if wager.wager not in house.parties:
        return wager.paytable
    used = {w.name: house.tables[w.name].name for w in house.parties[wager.wager]}
    plain = ("even money", "standard")  # there is no other, and nothing to be said of it
    others = [f"{w}: {name}" for w, name in used.items() if name not in plain and w != wager.wager]
    own = [] if wager.paytable == "even money" and others else [wager.paytable]
    return ", ".join([*own, *others])


def by_play(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """What was played -> its outcomes: `raise 4x: ante win, play win` is one of `raise 4x`."""
    out: dict[str, list[Outcome]] = {}
    for o in outcomes:
        out.setdefault(o.outcome.partition(": ")[0], []).append(o)
    return out
