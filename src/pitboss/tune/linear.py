"""All pay tables of a wager whose edge is a plain sum over its rows: counted and listed by meeting in the middle.

The rows are cut into an upper and a lower half. The sums of all ways to pay the lower half are sorted once; every way
to pay the upper half then finds its partners by binary search. So tables are counted that nobody could list.
Sums are whole numbers: of 64 bits where that is proven to suffice, Python's own where not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.rules.errors import BadInput
from pitboss.rules.work import BASE_MEMORY, Work
from pitboss.tune.asked import Grid
from pitboss.tune.odds import Case

Ints = NDArray[np.int64]
Sums = NDArray[Any]
SAFE = 1 << 62
MOST_HALVES = 4_000_000  # ways to pay one half of the rows
MOST_LISTED = 200_000_000  # tables that are tried at a second house
CHUNK = 1_000_000
LOWER, UPPER = 4e-8, 4e-7  # seconds of one way to pay a half, each time that the halves meet
BANDS = 8  # times that they meet, about


@dataclass(frozen=True)
class Form:
    """An edge as whole numbers: (`base` + one number per row, by which of its pays it has) / `scale`."""

    base: int
    parts: tuple[tuple[int, ...], ...]  # per free row, per value
    scale: int

    def within(self, low: Fraction, high: Fraction) -> tuple[int, int]:
        """The sums of the parts that make an edge from low to high."""
        return ceil(low * self.scale) - self.base, floor(high * self.scale) - self.base


def form(cases: Sequence[Case], grid: Grid) -> Form:
    """The edge of all pay tables of a grid."""
    base = -sum((c.probability * c.base for c in cases), Fraction(0))
    slopes = [-sum((c.probability * c.times[i] for c in cases), Fraction(0)) for i in range(len(grid.free))]
    parts = [[slope * v for v in free.values] for slope, free in zip(slopes, grid.free, strict=True)]
    scale = lcm(base.denominator, *(p.denominator for row in parts for p in row))
    return Form(int(base * scale), tuple(tuple(int(p * scale) for p in row) for row in parts), scale)


def _whole(one: Form) -> bool:
    """Whether 64 bits hold every sum."""
    return sum(max(map(abs, part)) for part in one.parts) + abs(one.base) < SAFE


@dataclass(frozen=True)
class Half:
    """All ways to pay some of the rows: which value each has, row by row, and the sums they make, form by form."""

    rows: tuple[int, ...]
    picks: NDArray[np.int16]  # ways x rows
    sums: tuple[Sums, ...]


class Tables:
    """All pay tables of a grid, under one form for every house that they are offered by."""

    def __init__(self, grid: Grid, forms: Sequence[Form], patient: bool = False) -> None:
        self.grid, self.forms = grid, list(forms)
        self.values = [np.array(v, np.int64) for v in grid.whole]
        rows = grid.rows
        many = [grid.ways(rows[:cut]) for cut in range(len(rows) + 1)]
        cut = min(range(len(rows) + 1), key=lambda c: max(many[c], grid.ways(rows[c:])))
        if max(many[cut], grid.ways(rows[cut:])) > MOST_HALVES:
            raise BadInput(
                f"these bounds allow {grid.total:,} pay tables, too many to go through; let fewer rows move, or "
                "between closer bounds"
            )
        self._work(rows, cut).check(patient, "fewer rows that move, closer bounds, or fewer values of `across`")
        self.upper, self.lower = self._half(rows[:cut]), self._half(rows[cut:])
        joined = 0 < cut < len(grid.chain)
        self.last = self._pays(self.upper, rows[cut - 1]) if joined else np.zeros(len(self.upper.picks))
        self.first = self._pays(self.lower, rows[cut]) if joined else np.zeros(len(self.lower.picks))
        self.order = np.argsort(self.lower.sums[0], kind="stable")

    def _work(self, rows: Sequence[int], cut: int) -> Work:
        """What both halves take in memory, and how long they take to meet: once for every pay of the row at the cut."""
        upper, lower = self.grid.ways(rows[:cut]), self.grid.ways(rows[cut:])
        meetings = len(self.values[rows[cut - 1]]) if 0 < cut < len(self.grid.chain) else 1
        each = 8 * len(rows) + 24 + sum(24 if _whole(one) else 96 for one in self.forms)
        seconds = BANDS * (meetings * LOWER * lower + UPPER * upper) + LOWER * lower * len(rows)
        return Work(seconds, BASE_MEMORY + (upper + lower) * each)

    def _half(self, rows: Sequence[int]) -> Half:
        picks = np.zeros((1, 0), np.int16)
        before = -1
        for row in rows:
            count = len(self.grid.free[row].values)
            picks = np.column_stack([np.repeat(picks, count, 0), np.tile(np.arange(count, dtype=np.int16), len(picks))])
            if row in self.grid.chain:
                if before >= 0:
                    above = self.values[before][picks[:, list(rows).index(before)]]
                    picks = picks[above >= self.values[row][picks[:, -1]]]
                before = row
        sums = []
        for one in self.forms:
            kind: Any = np.int64 if _whole(one) else object
            sums.append(
                sum(
                    (np.array(one.parts[row], kind)[picks[:, i]] for i, row in enumerate(rows)),
                    np.zeros(len(picks), kind),
                )
            )
        return Half(tuple(rows), picks, tuple(sums))

    def _pays(self, half: Half, row: int) -> Ints:
        return self.values[row][half.picks[:, half.rows.index(row)]]

    # ---- meeting in the middle

    def _meetings(self, low: Fraction, high: Fraction) -> Iterator[tuple[Ints, Ints, Ints, Ints]]:
        """Per pay of the upper half's last row: the upper ways, and from where to where in the lower ones they fit."""
        least, most = self.forms[0].within(low, high)
        sums = self.lower.sums[0][self.order]
        for pay in np.unique(self.last):
            upper = np.flatnonzero(self.last == pay)
            lower = self.order[self.first[self.order] <= pay]
            known = sums if len(lower) == len(sums) else self.lower.sums[0][lower]
            start = np.searchsorted(known, least - self.upper.sums[0][upper], "left")
            stop = np.searchsorted(known, most - self.upper.sums[0][upper], "right")
            yield upper, lower, start, np.maximum(stop, start)

    def count(self, low: Fraction, high: Fraction, most: int | None = None) -> int:
        """How many tables have an edge from low to high at every house; `most` is enough of them."""
        alone = int(sum((stop - start).sum() for _, _, start, stop in self._meetings(low, high)))
        if len(self.forms) == 1:
            return alone
        if alone > MOST_LISTED:
            raise BadInput(
                f"{alone:,} pay tables meet it for one value of the option, too many to try for the others; let fewer "
                "rows move, or between closer bounds"
            )
        found = 0
        for picks, _ in self.listed(low, high):
            found += len(picks)
            if most is not None and found >= most:
                break
        return found

    def listed(self, low: Fraction, high: Fraction) -> Iterator[tuple[NDArray[np.int16], list[Sums]]]:
        """The tables themselves, some at a time: which value each free row has, and the sums by form."""
        for upper, lower, start, stop in self._meetings(low, high):
            many = stop - start
            ends = np.cumsum(many)
            for first in range(0, int(ends[-1]) if len(ends) else 0, CHUNK):
                place = np.arange(first, min(first + CHUNK, int(ends[-1])))
                at = np.searchsorted(ends, place, "right")
                above, below = upper[at], lower[start[at] + place - (ends[at] - many[at])]
                sums = [a[above] + b[below] for a, b in zip(self.upper.sums, self.lower.sums, strict=True)]
                picks = np.zeros((len(place), len(self.grid.free)), np.int16)
                picks[:, list(self.upper.rows)] = self.upper.picks[above]
                picks[:, list(self.lower.rows)] = self.lower.picks[below]
                keep = np.ones(len(place), bool)
                for one, total in zip(self.forms[1:], sums[1:], strict=True):
                    least, most = one.within(low, high)
                    keep &= (total >= least) & (total <= most)
                yield picks[keep], [s[keep] for s in sums]

    def edges(self, sums: Sequence[Sums]) -> list[NDArray[np.float64]]:
        """The edges that sums stand for, nearly: to rank by. What is shown is worked out exactly."""
        return [
            (np.asarray(total, np.float64) + float(one.base)) / float(one.scale)
            for one, total in zip(self.forms, sums, strict=True)
        ]
