"""From rounds of real shoes to what a counter wins: means with standard errors over shoes.

Rounds of one shoe go together, so the shoe is the unit of sampling. Where a wager's expectation takes long to work out,
every round gets a straight-line estimate, and the difference between the truth and the estimate is measured on a sample
of rounds: the sum of both is free of the estimate's bias, and its error says how well the sample tells.
"""

from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.guard.records import Gain

Ints = NDArray[np.integer[Any]]  # of any width: there may be millions of rounds
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Sample:
    """Rounds whose true expectation has been worked out, drawn at random from each of two parts: those in which the bet
    may well be favourable, and the others."""

    rounds: Ints  # their numbers
    part: Ints  # 0 or 1
    sizes: tuple[int, int]  # rounds in each part
    worth: Floats

    def total(self, dealt: Bools, off: Floats) -> tuple[float, float]:
        """The sum of a difference over all rounds dealt, by what it is in the sample, and the variance of that."""
        total = variance = 0.0
        here = np.where(dealt[self.rounds], off, 0.0)
        for part, size in enumerate(self.sizes):
            some = here[self.part == part]
            if len(some):
                total += size * float(some.mean())
            if 1 < len(some) < size:
                variance += size**2 * float(some.var(ddof=1)) / len(some)
        return total, variance


@dataclass(frozen=True, eq=False)
class Sheet:
    """Every round of some shoes, with what the bet is worth, or is thought to be."""

    shoe: Ints
    gone: Ints
    worth: Floats
    sample: Sample | None = None

    def upto(self, cards: int) -> Bools:
        """The rounds that begin before so many cards have been dealt."""
        out: Bools = self.gone < cards
        return out

    def perfect(self, dealt: Bools, hourly: float) -> Gain:
        """Betting exactly when the bet is favourable. `hourly` is dollars an hour per unit won a hand."""
        win = np.maximum(self.worth, 0.0)
        if self.sample is None:
            return self._gain(dealt, (self.worth > 0).astype(float), win, None, hourly)
        guess, truth = self.worth[self.sample.rounds], self.sample.worth
        off = (truth > 0).astype(float) - (guess > 0), np.maximum(truth, 0.0) - np.maximum(guess, 0.0)
        return self._gain(dealt, (self.worth > 0).astype(float), win, off, hourly)

    def signalled(self, dealt: Bools, bets: Bools, hourly: float) -> Gain:
        """Betting when a count says so."""
        made = bets.astype(float)
        if self.sample is None:
            return self._gain(dealt, made, made * self.worth, None, hourly)
        at = self.sample.rounds
        off = np.zeros(len(at)), made[at] * (self.sample.worth - self.worth[at])
        return self._gain(dealt, made, made * self.worth, off, hourly)

    def _gain(self, dealt: Bools, made: Floats, win: Floats, off: tuple[Floats, Floats] | None, hourly: float) -> Gain:
        """`off` is by how much the sample's bets and wins differ from those of the estimate."""
        one, none = np.ones(len(made)), np.zeros(len(off[0])) if off else None
        share = self._ratio(dealt, made, one, off and off[0], none)
        edge = self._ratio(dealt, win, made, off and off[1], off and off[0])
        rate = self._ratio(dealt, win, one, off and off[1], none)
        often = max(0.0, share[0])  # a share is not negative, whatever an estimate of it may be
        average, error = edge if often > 0 else (None, None)
        won, won_error = rate
        return Gain(
            often, share[1], average, error, 100 * won, 100 * won_error, hourly * won, hourly * won_error
        )  # fmt: skip

    def _ratio(
        self, dealt: Bools, top: Floats, bottom: Floats, off_top: Floats | None, off_bottom: Floats | None
    ) -> tuple[float, float]:
        """sum(top) / sum(bottom) over the rounds dealt, and its standard error."""
        above, below, variance = float(top[dealt].sum()), float(bottom[dealt].sum()), 0.0
        if self.sample is not None and off_top is not None and off_bottom is not None:
            above += self.sample.total(dealt, off_top)[0]
            below += self.sample.total(dealt, off_bottom)[0]
            if below > 0:
                variance = self.sample.total(dealt, off_top - above / below * off_bottom)[1]
        if below <= 0:
            return 0.0, 0.0
        value = above / below
        shoes = int(self.shoe.max()) + 1
        per_shoe = np.bincount(self.shoe[dealt], (top - value * bottom)[dealt], shoes)
        variance += float(per_shoe.var(ddof=1)) * shoes
        return value, sqrt(variance) / below


def at_least(perfect: Gain, counted: Gain) -> Gain:
    """Perfect play wins what any count wins, or more. Where estimates from a sample come out the other way round, what
    the count wins stands for both: that errs on the side of the house's safety."""
    if counted.win <= perfect.win:
        return perfect
    edge = counted.win / perfect.share / 100 if perfect.share > 0 else counted.edge
    return replace(
        perfect, edge=edge, win=counted.win, win_error=counted.win_error, hourly=counted.hourly,
        hourly_error=counted.hourly_error,
    )  # fmt: skip
