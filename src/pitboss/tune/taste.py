"""Tastes: in what order pay tables that meet an edge are shown. The first of several equals is the closest one."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.tune.asked import Grid
from pitboss.tune.odds import Case, Figures

Floats = NDArray[np.float64]

TASTES = {
    "closest": "nearest to the middle first",
    "hits": "most hits first (tables differ in this only where a row may push or lose, or the play changes)",
    "calm": "smallest standard deviation first",
    "wild": "largest standard deviation first",
    "pretty": "roundest pays first",
}
TINY = 1e-9  # no pay is as small
# digits without their zeros: 1, 2, 5 are round; then 3, 4, 25; then 6, 8, 15, 75; then 7, 9, 12; anything else last
ROUNDNESS = {1: 0, 2: 0, 5: 0, 3: 1, 4: 1, 25: 1, 6: 2, 8: 2, 15: 2, 75: 2, 7: 3, 9: 3, 12: 3}


def ugliness(pay: Fraction) -> int:
    """How far a pay is from what a layout would print; lose and push are plain."""
    if pay <= 0:
        return 0
    if pay.denominator > 1:
        return 6 if pay.denominator == 2 else 8
    digits = int(str(pay.numerator).rstrip("0"))
    return ROUNDNESS.get(digits, 5)


def by_pays(taste: str) -> bool:
    """Whether a taste needs no more than the pays and the edge of a table."""
    return taste in ("closest", "pretty")


def exact_key(
    taste: str, distance: Fraction, grid: Grid, pays: Sequence[Fraction], found: Figures | None
) -> tuple[object, ...]:
    """Where a table stands by this taste, exactly; the less the better."""
    ugly = sum(ugliness(f.amount(pay)) for f, pay in zip(grid.free, pays, strict=True))
    first: Fraction | int = ugly if taste == "pretty" else 0
    if found is not None:
        first = {"hits": -found.hits, "calm": found.variance, "wild": -found.variance}[taste]
    return (first, distance, ugly, tuple(pays))


@dataclass(frozen=True)
class Ranker:
    """The same order for many tables at once, in doubles: it decides which tables are put in exact order."""

    taste: str
    grid: Grid
    cases: Sequence[Case]  # of a wager that is not played; without them hits and spread tell nothing apart

    def best(self, picks: NDArray[Any], distance: Floats, keep: int) -> NDArray[np.int64]:
        ugly = np.zeros(len(picks))
        for i, free in enumerate(self.grid.free):
            ugly += np.array([ugliness(free.amount(v)) for v in free.values])[picks[:, i]]
        first = distance
        if self.taste == "pretty":
            first = ugly
        elif self.taste != "closest":
            if not self.cases:
                return np.arange(len(picks))
            first = self._spread(picks)
        first = np.round(first / max(float(np.abs(first).max(initial=0)), 1e-300), 11)  # equal but for the last digits
        order = np.lexsort((ugly, np.round(distance, 13), first))
        return order[:keep]

    def _spread(self, picks: NDArray[Any]) -> Floats:
        pays = np.stack([np.array([float(v) for v in f.values])[picks[:, i]] for i, f in enumerate(self.grid.free)], 1)
        chance = np.array([float(c.probability) for c in self.cases])
        times = np.array([[float(t) for t in c.times] for c in self.cases])
        nets = pays @ times.T + np.array([float(c.base) for c in self.cases])
        if self.taste == "hits":
            return np.asarray(-((nets > TINY) @ chance))
        variance = (nets**2) @ chance - (nets @ chance) ** 2
        return np.asarray(variance if self.taste == "calm" else -variance)
