"""What a pay comes to in money: whether it can be paid to the cent, and whether chips cut it down."""

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

from pitboss.rules.errors import BadInput
from pitboss.rules.numbers import CENT, in_cents, money
from pitboss.rules.options import DOWN_TO_CHIP
from pitboss.rules.paytables import Dollars, show_pay
from pitboss.rules.wagers import Wager

if TYPE_CHECKING:
    from pitboss.rules.house import House

Ratio = tuple[Wager, Fraction, str, Fraction]
"""A wager, at how many times the bet that it goes with it is made, a row, and what that pays to 1."""


def ratios(house: "House", wager: str) -> list[Ratio]:
    """All that a bet on a wager may be paid by, with what goes with it during the round."""
    out = []
    for w in house.parties[wager]:
        for row, pay in house.tables[w.name].pays.items():
            rate = pay.least if isinstance(pay, Dollars) else pay
            if isinstance(rate, Fraction) and not (w.free and rate < 0):
                out += [(w, Fraction(t), row, rate) for t in house.multiples[w.name] if t]
    return out


def check_payable(house: "House", bets: Mapping[str, Fraction]) -> None:
    """One clear sentence for a bet that could come to a fraction of a cent: what may be bet instead."""
    for name, amount in bets.items():
        found = ratios(house, name)
        parts = [t for _, t, _, _ in found] + [t * rate for _, t, _, rate in found if house.chip is None]
        least = lcm(*(part.denominator for part in parts)) * CENT
        if amount % least == 0:
            continue
        small = None if in_cents(amount) else house.parties[name][0]
        small = small or next((w for w, t, _, _ in found if not in_cents(amount * t)), None)
        or_else = "" if small is not None else f", or let the house round with rounding={DOWN_TO_CHIP}"
        if small is not None:
            why = "a bet is whole cents" if small.name == name else f"{small.name} is {small.amount_rule()}"
        else:
            w, _, row, rate = max((r for r in found if not in_cents(amount * r[1] * r[3])), key=lambda r: r[3])
            why = f"{w.name} pays {show_pay(rate)}" if rate > 0 else f"{row} takes {-rate} of the {w.name}"
        raise BadInput(
            f"{why}, so ${money(amount)} on {name} could come to a fraction of a cent; "
            f"bet a multiple of ${money(least)}{or_else}"
        )


def cut_down(house: "House", wager: str) -> str:
    """Whether the house cuts down what bets on a wager are paid, in words; nothing where every bet that it takes, be it
    to the odd cent, is paid in whole chips."""
    whole = all((t * rate).denominator == 1 for _, t, _, rate in ratios(house, wager))
    only = house.least_bet(wager) if house.least_bet(wager) == house.largest_bet(wager) else CENT
    if house.chip is None or (whole and only % house.chip == 0):
        return ""
    return f"awards are cut down to whole chips of ${money(house.chip)}"


def in_words(house: "House") -> str:
    """How the house pays odd amounts, as its rules page says it."""
    if house.chip is None:
        return (
            "Pays are exact, to the cent: 3 to 2 on $5 is $7.50. A bet that could come to a fraction of a cent is not "
            "taken."
        )
    paid = money(Fraction(15, 2) // house.chip * house.chip)
    return (
        f"Pays are cut down to whole chips of ${money(house.chip)}: 3 to 2 on $5 is ${paid}. So is what comes back of "
        "a stake that is lost in part; a stake that is lost or pushed goes as it lies, and awards and meters in "
        "dollars are paid as they stand."
    )


def meters_in_words(house: "House") -> str:
    """Who takes a meter that is won twice in one round, as the rules page says it; nothing where there is none."""
    if not any(house.meters(wager) for wager in house.parties):
        return ""
    return (
        "A meter that is won goes back to its seed at once: where it is won twice in one round, the bet that is "
        "settled first takes what it shows, and the next one takes the seed."
    )
