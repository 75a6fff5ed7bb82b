"""The edge of a wager that is played, for any pay table: the player answers every table optimally.

The exact count says, for everything that can be seen and every choice, in how many ways each row is paid. Those counts
do not depend on the pays; so they are added up once, row by row, into vectors, and a new table costs a few products and
a maximum at every decision. Things seen that come to the same vectors, up to a factor, are one. The vectors hold whole
numbers; where every sum is proven to stay below 2^53, doubles hold them exactly, and else Python's own numbers do.
"""

from dataclasses import dataclass
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.exact import Study
from pitboss.exact.induction import Point, Segment
from pitboss.rules.errors import BadInput
from pitboss.tune.asked import Grid
from pitboss.tune.dealt import check_nothing_carried
from pitboss.tune.odds import Paid

Numbers = NDArray[Any]
Ints = NDArray[np.int64]
EXACT = 1 << 53
SAFE = 1 << 62
BATCH = 256  # tables at a time


@dataclass(frozen=True, eq=False)
class Kids:
    """Later decisions behind one choice: the sum over them for each thing seen, as (owner, unit, factor)."""

    units: "Units"
    owner: Ints  # sorted
    unit: Ints
    factor: Numbers


@dataclass(frozen=True, eq=False)
class Units:
    """The different things seen at a decision: per choice their vectors, and what comes later."""

    size: int
    vectors: list[Numbers]  # per choice: things seen x (1, the free rows)
    kids: list[list[Kids]]

    def worth(self, pays: Numbers) -> Numbers:
        """things seen x tables: what the best choice brings."""
        best: Numbers | None = None
        for vectors, kids in zip(self.vectors, self.kids, strict=True):
            value = vectors @ pays
            for later in kids:
                _add(value, later, pays)
            best = value if best is None else np.maximum(best, value)
        assert best is not None
        return best


def _add(value: Numbers, later: Kids, pays: Numbers) -> None:
    if not len(later.owner):
        return
    parts = later.units.worth(pays)[later.unit] * later.factor[:, None].astype(pays.dtype)
    starts = np.flatnonzero(np.r_[True, later.owner[1:] != later.owner[:-1]])
    value[later.owner[starts]] += np.add.reduceat(parts, starts, axis=0)


class Played:
    """One house's wager, ready for any pay table."""

    def __init__(self, paid: Paid, grid: Grid) -> None:
        self.paid, self.pay_unit = paid, grid.unit
        self.solver = Study(paid.house.but(placed=frozenset([paid.party])), patient=paid.study.patient).solver
        check_nothing_carried(self.solver, paid.party)
        self._lines()
        self.scale = self.solver.induction.ways * self.unit * self.pay_unit
        most = [max(abs(int(v * self.pay_unit)) for v in f.values) for f in grid.free]
        largest = int((np.abs(self.lines).astype(object) @ np.array([self.pay_unit, *most], object)).max())
        self.kind: Any = np.float64 if largest * self.solver.induction.ways < EXACT else object
        self._counted: dict[tuple[int, ...], tuple[Ints, Ints]] = {}
        vectors, kids = self._segment(self.solver.induction.root)
        self.root = Units(1, [vectors[:1].astype(self.kind)], [[self._of_first_row(kid) for kid in kids]])

    def _lines(self) -> None:
        """Per cell of the count: (base, times of each row), as whole numbers of 1/unit."""
        lines = []
        for leaf in self.solver.cells.leaves:
            for cell in range(leaf.offset, leaf.offset + leaf.size):
                base, times = self.paid.line(self.solver.joint(leaf, cell, 1))
                lines.append((base, *times))
        self.unit = lcm(*(x.denominator for line in lines for x in line))
        largest = max(abs(x) for line in lines for x in line) * self.unit
        if largest * self.solver.induction.ways >= SAFE:
            raise BadInput(f"the {self.paid.party} is counted in too many ways to be solved anew for every pay table")
        self.lines = np.array([[int(x * self.unit) for x in line] for line in lines], np.int64)

    def _segment(self, segment: Segment, some: Ints | None = None) -> tuple[Ints, list[Kids]]:
        """A segment's vectors, row by row, and the decisions in it; of `some` rows only, as if each were dealt once."""
        many = len(segment.rows) if some is None else len(some)
        vectors = np.zeros((many, self.lines.shape[1]), np.int64)
        for count in segment.counts:
            lines = np.concatenate([self.lines[leaf.offset : leaf.offset + leaf.size] for leaf in count.leaves])
            scale = self.solver.induction.scale(count)
            if some is not None:
                vectors += _product(count.counts[some], lines) * scale
            else:
                found = _product(count.counts, lines) * (count.rows.weight * scale)[:, None]
                np.add.at(vectors, count.back, found)
        return vectors, [self._kids(point) for point in segment.points]

    def _alike(self, point: Point) -> tuple[Ints | None, Ints, Ints]:
        """Rows of a last decision that are counted alike: one of each kind, the kind of each row, and its weight."""
        counts = [count for choice in point.choices for count in choice.counts]
        every = np.arange(len(point.rows))
        last = not any(choice.points for choice in point.choices)
        if not last or not all(len(c.rows) == len(every) and np.array_equal(c.back, every) for c in counts):
            return None, every, np.ones(len(every), np.int64)
        matrices = {id(c.counts): c.counts for c in counts}
        key = tuple(matrices)
        if key not in self._counted:  # the same counts are met on many ways through a game of several decisions
            self._counted[key] = _kinds(np.concatenate([*matrices.values()], 1))
        first, kind = self._counted[key]
        return first, kind, counts[0].rows.weight

    def _kids(self, point: Point) -> Kids:
        """The units of a decision, and which of them the rows before it lead to."""
        some, kind, weight = self._alike(point)
        segments = [self._segment(choice, some) for choice in point.choices]
        vectors = np.concatenate([v for v, _ in segments], 1)
        later = [kid for _, kids in segments for kid in kids]
        factor = np.gcd.reduce(vectors, axis=1)
        for kid in later:
            np.gcd.at(factor, kid.owner, kid.factor)
        factor = np.maximum(factor, 1)
        keys = [vectors // factor[:, None], *(_told_apart(kid, factor) for kid in later)]
        first, unit = _kinds(np.concatenate(keys, 1))
        width = self.lines.shape[1]
        units = Units(
            len(first),
            [keys[0][first, i * width : (i + 1) * width].astype(self.kind) for i in range(len(segments))],
            [[_kept(kid, first, factor) for kid in kids] for _, kids in segments],
        )
        return _summed(units, point.rows.parent, unit[kind], factor[kind] * weight)

    def _of_first_row(self, kid: Kids) -> Kids:
        """The player who has carried nothing over: what is carried does not matter here."""
        mine = kid.owner == 0
        return Kids(kid.units, kid.owner[mine], kid.unit[mine], kid.factor[mine])

    def edges(self, pays: Ints) -> Numbers:
        """The edges of a batch of tables (tables x free rows, in whole numbers of the pay unit), times `scale`."""
        out = np.zeros(len(pays), self.kind)
        for start in range(0, len(pays), BATCH):
            some = pays[start : start + BATCH].T
            batch = np.concatenate([np.full((1, some.shape[1]), self.pay_unit), some]).astype(self.kind)
            out[start : start + BATCH] = -self.root.worth(batch)[0]
        return out


def _product(counts: Ints, lines: Ints) -> Ints:
    """counts @ lines: in doubles, which is far quicker, where they hold every sum exactly."""
    if int(counts.max(initial=0)) * int(np.abs(lines).max()) * len(lines) < EXACT:
        return (counts.astype(np.float64) @ lines.astype(np.float64)).astype(np.int64)
    return counts @ lines


def _kinds(rows: Ints) -> tuple[Ints, Ints]:
    """The first row of each kind, and the kind of each row: by a fingerprint, which is checked on every row."""
    weights = np.random.default_rng(1).integers(1, 1 << 62, rows.shape[1]) | 1
    with np.errstate(over="ignore"):
        _, first, kind = np.unique(rows @ weights, return_index=True, return_inverse=True)
    if not np.array_equal(rows[first[kind]], rows):  # two kinds share a fingerprint
        _, first, kind = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, kind.ravel()


def _told_apart(kid: Kids, factor: Numbers) -> Ints:
    """A number for each row that tells its later decisions from those of others."""
    owners: dict[int, list[tuple[int, int]]] = {}
    for owner, unit, times in zip(kid.owner.tolist(), kid.unit.tolist(), kid.factor.tolist(), strict=True):
        owners.setdefault(owner, []).append((unit, times // int(factor[owner])))
    known: dict[tuple[tuple[int, int], ...], int] = {}
    out = np.full((len(factor), 1), -1, np.int64)
    for owner, parts in owners.items():
        out[owner, 0] = known.setdefault(tuple(parts), len(known))
    return out


def _kept(kid: Kids, first: Ints, factor: Numbers) -> Kids:
    """The later decisions of the rows that stand for their kind."""
    place = np.full(len(factor), -1, np.int64)
    place[first] = np.arange(len(first))
    mine = place[kid.owner] >= 0
    owner, unit, times = place[kid.owner[mine]], kid.unit[mine], kid.factor[mine] // factor[kid.owner[mine]]
    order = np.argsort(owner, kind="stable")
    return Kids(kid.units, owner[order], unit[order], times[order])


def _summed(units: Units, owner: Ints, unit: Ints, factor: Numbers) -> Kids:
    """The same unit of the same owner once, with the factors added."""
    pair = owner * units.size + unit
    kinds, kind = np.unique(pair, return_inverse=True)
    total = np.zeros(len(kinds), np.int64)
    np.add.at(total, kind.ravel(), factor)
    return Kids(units, kinds // units.size, kinds % units.size, total)
