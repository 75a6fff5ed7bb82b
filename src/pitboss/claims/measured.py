"""A computed figure with the command that shows it, and what all measures are made of."""

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from pitboss.claims.counted import OPTIMAL, record_of
from pitboss.claims.file import Claim, Mistake
from pitboss.exact import TooLarge
from pitboss.ledger.records import Outcome, WagerResult
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.numbers import dollars
from pitboss.rules.options import show_value

ANY = "any"
"""As a strategy: whatever the player does."""

AND = " && "
"""Between two commands, where a figure comes from two."""


@dataclass(frozen=True)
class Measured:
    """A computed figure, and the command by which anyone can compute it again."""

    value: Fraction
    exact: bool  # whether the value is the very fraction, not one close to a root or to a number in floating point
    command: str
    outcomes: tuple[Outcome, ...] = ()  # of the wager, where the figure is made of its return table
    error: Fraction = Fraction(0)  # the standard error, where it was simulated


def command(verb: str, claim: Claim, house: House, *words: str, wager: str = "") -> str:
    """The command of pitboss that shows the figure."""
    strategy = OPTIMAL if claim.strategy == ANY else claim.strategy
    return house.provenance(strategy).command(verb, *words, wager=wager)


def counted(claim: Claim, house: House, wager: str = "") -> WagerResult:
    """The record of a wager, where it is counted in whole numbers."""
    found = record_of(house, wager or claim.wager, claim.strategy)
    if not found.exact:
        raise TooLarge(f"{found.wager} is counted in floating point only; of it, measure the edge")
    return found


def root_of(square: Fraction) -> Fraction:
    """Its square root to fifteen places."""
    fine = 10**30
    return Fraction(isqrt(int(square * fine)), isqrt(fine))


def bets_of(claim: Claim, house: House) -> tuple[dict[str, Fraction], list[str]]:
    """The bets that a claim names, in dollars, and as words of a command."""
    try:
        bets = {wager: dollars(f"bets {wager}", amount) for wager, amount in claim.bets.items()}
    except BadInput as error:
        raise Mistake(str(error)) from None
    house.check_bets(bets)
    return bets, [word for wager, amount in bets.items() for word in ("--bet", f"{wager}={show_value(amount)}")]
