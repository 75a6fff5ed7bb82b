"""How often each bet of a round is made: of every wager that is placed after the deal, each multiple and its chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from pitboss.ledger.figure import SIMULATED, Figure
from pitboss.rules.house import House


@dataclass(frozen=True)
class Multiple:
    """So many times the wager before the deal, at the end of the round; 0 where it is not bet."""

    wager: str
    times: Fraction
    often: Figure  # how often

    def json(self) -> dict[str, Any]:
        exact = self.often.exact
        return {
            "wager": self.wager,
            "times": self.times.numerator if self.times.denominator == 1 else float(self.times),
            "probability": float(self.often),
            "probability_exact": None if exact is None else f"{exact.numerator}/{exact.denominator}",
            "standard_error": self.often.error if self.often.method == SIMULATED else None,
        }


def placed_in_play(house: House, party: str) -> tuple[str, ...]:
    """The wagers of a party that are bet, or not, after the deal."""
    return tuple(w.name for w in house.parties[party] if w.during)


def multiples(found: Mapping[str, Mapping[Fraction, Fraction]], rounds: int | None = None) -> tuple[Multiple, ...]:
    """Wager -> multiple -> chance, as records; simulated, where so many rounds were dealt."""
    return tuple(
        Multiple(wager, times, Figure(chance) if rounds is None else sampled(chance, rounds))
        for wager, chances in found.items()
        for times, chance in sorted(chances.items())
        if chance
    )


def sampled(chance: Fraction, rounds: int) -> Figure:
    """A share of rounds that were dealt, with its error."""
    return Figure(chance, SIMULATED, sqrt(chance * (1 - chance) / rounds))


def by_wager(several: Sequence[Multiple]) -> dict[str, list[Multiple]]:
    out: dict[str, list[Multiple]] = {}
    for one in several:
        out.setdefault(one.wager, []).append(one)
    return out
