"""All pay tables of a wager that is played, row by row: a part of a table whose best and worst end miss is dropped.

The edge never rises when a row pays more. So the rows that are still open, all at their least and all at their most,
bound what any completion can come to.
"""

import itertools
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from pitboss.rules.errors import BadInput
from pitboss.rules.work import Pace
from pitboss.tune.asked import Grid
from pitboss.tune.played import Numbers, Played

Ints = NDArray[np.int64]
Tick = Callable[[int], None]  # tables solved so far
MOST_OPEN = 1_500_000  # parts of tables that are followed at once
SOME = 1 << 12  # tables solved at a time


class Branches:
    """The tables of a grid, solved anew wherever bounds do not settle it, at every house that offers them."""

    def __init__(
        self, grid: Grid, played: Sequence[Played], tick: Tick = lambda solved: None, patient: bool = False
    ) -> None:
        self.grid, self.played, self.tick, self.patient = grid, list(played), tick, patient
        self.values = [np.array(v, np.int64) for v in grid.whole]
        self.solved, self.spent = 0, 0.0
        low = np.array([[v[0] for v in self.values]])
        high = low.repeat(len(self.values), 0)
        for i, v in enumerate(self.values):
            high[i, i] = v[-1]
        swing = float(self._edges(0, low)[0]) - self._edges(0, high).astype(float)
        self.order = [int(i) for i in np.argsort(-swing, kind="stable")]  # what matters most is settled first

    def _edges(self, house: int, pays: Ints) -> Numbers:
        """Of these tables, some at a time: where there are too many, that is known soon."""
        pace = Pace(self.patient, "fewer rows that move, or closer bounds", self.spent)
        found = [self.played[house].edges(pays[:SOME])]
        for i in range(SOME, len(pays), SOME):
            pace.check(i, len(pays))
            self.tick(self.solved + i)
            found.append(self.played[house].edges(pays[i : i + SOME]))
        self.spent += time.monotonic() - pace.started
        self.solved += len(pays)
        self.tick(self.solved)
        return np.concatenate(found)

    def listed(self, low: Fraction, high: Fraction) -> tuple[Ints, list[Numbers]]:
        """Tables with an edge from low to high at every house: which value each free row has, and edges x scale."""
        picks = np.zeros((1, len(self.values)), np.int64)
        for depth, row in enumerate(self.order):
            count = len(self.values[row])
            picks = picks.repeat(count, 0)
            picks[:, row] = np.tile(np.arange(count), len(picks) // count)
            picks = picks[self._in_order(picks, self.order[: depth + 1])]
            if len(picks) > MOST_OPEN:
                raise BadInput(
                    f"more than {MOST_OPEN:,} pay tables are left after {depth + 1} of {len(self.order)} rows, too "
                    "many to solve each anew; let fewer rows move, or between closer bounds"
                )
            if depth + 1 < len(self.order):
                picks = picks[self._possible(picks, self.order[: depth + 1], low, high)]
        pays = self._pays(picks)
        edges = [self._edges(h, pays) for h in range(len(self.played))]
        keep = np.ones(len(picks), bool)
        for one, found in zip(self.played, edges, strict=True):
            keep &= (found >= ceil(low * one.scale)) & (found <= floor(high * one.scale))
        return picks[keep], [found[keep] for found in edges]

    def _pays(self, picks: Ints) -> Ints:
        return np.stack([v[picks[:, i]] for i, v in enumerate(self.values)], 1)

    def _in_order(self, picks: Ints, settled: Sequence[int]) -> NDArray[np.bool_]:
        """Whether the settled rows pay in the order in which they are printed."""
        chain = [i for i in self.grid.chain if i in settled]
        keep = np.ones(len(picks), bool)
        for a, b in itertools.pairwise(chain):
            keep &= self.values[a][picks[:, a]] >= self.values[b][picks[:, b]]
        return keep

    def _possible(self, picks: Ints, settled: Sequence[int], low: Fraction, high: Fraction) -> NDArray[np.bool_]:
        """Whether some completion may have an edge from low to high."""
        least, most = self._pays(picks), self._pays(picks)
        for i, v in enumerate(self.values):
            if i not in settled:
                least[:, i], most[:, i] = v[0], v[-1]
        chain = self.grid.chain
        for a, b in itertools.pairwise(chain):  # no row pays more than the one above it
            if b not in settled:
                most[:, b] = np.minimum(most[:, b], most[:, a])
        for a, b in zip(chain[::-1], chain[-2::-1], strict=False):
            if b not in settled:
                least[:, b] = np.maximum(least[:, b], least[:, a])
        keep = np.ones(len(picks), bool)
        for house, one in enumerate(self.played):
            some = np.flatnonzero(keep)
            keep[some] &= self._edges(house, least[some]) >= ceil(low * one.scale)
            some = np.flatnonzero(keep)
            keep[some] &= self._edges(house, most[some]) <= floor(high * one.scale)
        return keep
