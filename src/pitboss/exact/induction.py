"""Backward induction over what the player can see.

Between two decisions lies a *segment*: public branches, deals and ends. For each row of visible cards, machine code
counts in how many ways the hidden cards lead to each cell. Pay tables and the maximum come afterwards, so another pay
table costs nothing. Weights are whole numbers scaled to one common count of ways; nothing is ever divided.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Composition, suit_symmetric
from pitboss.compile import CountJob, count_ways
from pitboss.exact import rows as rowsets
from pitboss.exact.plan import TooLarge
from pitboss.exact.rows import Rows
from pitboss.exact.symmetry import columns_of, order_matters, rank_classes, suits_interchangeable
from pitboss.ledger.book import SAFE
from pitboss.ledger.cells import Cells, Leaf
from pitboss.rules.column import Column, walk
from pitboss.rules.effort import spent
from pitboss.rules.graph import Decide, End, Graph, Group, Node, When
from pitboss.rules.operations import HANDS, SUITS

Path = tuple[tuple[Column, bool], ...]
Hidden = tuple[tuple[int, ...], ...]  # slots to enumerate; those of one deal together
LOOKS_AT_SUITS = SUITS | HANDS
Numbers = NDArray[Any]  # int64 where that is proven to suffice, Python integers where not
MOST_NUMBERS = 80_000_000  # in one table of counts: 640 MB
MOST_KEPT = 1 << 18  # numbers in the counts of a game that are kept with its graph
FEW, MANY = 3, 5  # cards of one deal that are quickly listed as rows, and that still can be


@dataclass(eq=False)
class Count:
    """One counting job and its result: rows x cells, and how many hidden deals each row has in all."""

    job: CountJob
    rows: Rows  # the rows that were counted
    back: NDArray[np.int64]  # their rows in the segment
    completions: int
    leaves: tuple[Leaf, ...] = ()  # the cells of the columns, in order
    of: "Count | None" = None  # the count that this one shares
    counted: NDArray[np.int64] | None = None

    @property
    def counts(self) -> NDArray[np.int64]:
        found = self.of.counted if self.of is not None else self.counted
        assert found is not None
        return found

    @property
    def ways(self) -> int:
        return self.rows.total * self.completions


@dataclass(eq=False)
class Segment:
    """Everything from one decision (a row and a choice) to the next decisions and ends."""

    rows: Rows
    counts: list[Count]
    points: list["Point"]


@dataclass(eq=False)
class Point:
    """A decision met in a segment: its rows, and the segment behind each choice."""

    node: Decide
    rows: Rows
    path: Path
    choices: list[Segment]


Policy = dict[int, NDArray[np.int64]]
"""Node id of a decision -> the number of the choice, row by row."""


class Induction:
    """The counts of a game, made once; every question about money or strategy is answered from them."""

    def __init__(
        self, graph: Graph, cells: Cells, shoe: Composition, use_classes: bool = True, checked: bool = False
    ) -> None:
        spent("inductions")
        self.graph, self.cells = graph, cells
        self.shoe = collapsed(graph, shoe) if use_classes else shoe
        shoe = self.shoe
        self.blind = use_classes and suit_symmetric(shoe) and suits_interchangeable(graph)
        self.use_classes = use_classes
        self.single = max(shoe) == 1
        self._order: dict[tuple[str, tuple[int, ...]], bool] = {}
        self.states = list(product(*(range(h + 1) for h in graph.carried.values())))
        self.points: list[Point] = []
        self.all_counts: list[Count] = []
        self._expanded: dict[tuple[int, tuple[int, ...]], Rows] = {}
        self._counted: dict[tuple[object, ...], Count] = {}
        self.root = self._segment(graph.root, (), rowsets.start(self.states))
        results = count_ways([c.job for c in self.all_counts], checked)
        for count, result in zip(self.all_counts, results, strict=True):
            count.counted = result
        self.ways = lcm(*(c.ways for c in self.all_counts))

    # ---- planning

    def ordered(self, group: Group) -> bool:
        """Whether anything in the game tells the cards of this deal apart."""
        key = (group.who, group.slots)
        if key not in self._order:
            several = len(group.slots) > 1
            self._order[key] = several and (not self.use_classes or order_matters(self.graph, group))
        return self._order[key]

    def _expand(self, rows: Rows, group: Group) -> Rows:
        key = (id(rows.cells), group.slots)  # the same rows are met on many ways through a game of several decisions
        if key not in self._expanded:
            self._expanded[key] = rowsets.expand(rows, group.slots, self.ordered(group), self.shoe, self.blind)
        return self._expanded[key]

    def _segment(self, start: Node, path: Path, rows: Rows) -> Segment:
        ends: list[tuple[End, Path]] = []
        decisions: list[tuple[Decide, Path]] = []

        def walk(point: Node, way: Path) -> None:
            if isinstance(point, End):
                ends.append((point, way))
            elif isinstance(point, Decide):
                decisions.append((point, way))
            elif isinstance(point, When):
                for kid, answer in zip(point.kids, (True, False), strict=True):
                    walk(kid, (*way, (point.condition, answer)))

        walk(start, path)
        segment = Segment(rows, self._counts(ends, rows), [])
        for decision, way in decisions:
            seen = rows
            back = np.arange(len(rows))
            for group in decision.seen():
                if group.slots not in rows.groups:
                    seen = self._expand(seen, group)
                    back = back[seen.parent]
            seen = Rows(seen.cells, seen.carried, seen.groups, seen.ordered, seen.weight, seen.total, back, seen.root)
            point = Point(decision, seen, way, [])
            self.points.append(point)
            point.choices = [self._segment(kid, way, seen) for kid in decision.kids]
            segment.points.append(point)
        return segment

    def _counts(self, ends: list[tuple[End, Path]], rows: Rows) -> list[Count]:
        """One counting job per set of hidden cards that matter."""
        jobs: dict[tuple[tuple[int, ...], ...], list[tuple[Leaf, Path]]] = {}
        for end, path in ends:
            used = frozenset[int]().union(*(c.slots for c in columns_of(end)), *(c.slots for c, _ in path))
            hidden: list[tuple[int, ...]] = []
            for group in end.groups:
                slots = tuple(s for s in group.slots if s in used and s not in rows.slots)
                together = self.single and not self.ordered(group) and len(slots) == len(group.slots)
                hidden.extend([slots] if together and slots else [(s,) for s in slots])
            jobs.setdefault(tuple(hidden), []).append((self.cells.of_node[end.id], path))
        return [self._shared_count(rows, hidden_slots, found) for hidden_slots, found in jobs.items()]

    def _shared_count(self, rows: Rows, hidden: Hidden, ends: list[tuple[Leaf, Path]]) -> Count:
        """Ways through the game that look at the same cards in the same way are counted once."""
        looks = tuple((*(d.index.uid for d in leaf.digits), *((c.uid, a) for c, a in path)) for leaf, path in ends)
        key = (id(rows.cells), hidden, looks)
        if key not in self._counted:
            self._counted[key] = self._count(rows, hidden, ends)
            self.all_counts.append(self._counted[key])
        first = self._counted[key]
        return Count(first.job, first.rows, first.back, first.completions, tuple(leaf for leaf, _ in ends), first)

    def _count(self, rows: Rows, hidden: Hidden, ends: list[tuple[Leaf, Path]]) -> Count:
        back = np.arange(len(rows))
        if not rows.slots and hidden:  # nothing is seen yet: take one deal as rows, to count suits as classes
            group, hidden = row_group(ends[0][0].end, hidden)
            rows = self._expand(rows, group)
            back = rows.parent
        if len(rows) * sum(leaf.size for leaf, _ in ends) > MOST_NUMBERS:
            raise TooLarge("the table of counts would not fit in memory")
        names = tuple(self.graph.carried.items())
        job = CountJob(names, rows.slots, hidden, tuple(ends), rows.cells, self.shoe)
        return Count(job, rows, back, self._completions(hidden, len(rows.slots)))

    def _completions(self, hidden: Hidden, seen: int) -> int:
        """Ways to deal the hidden cards when so many are gone."""
        out = 1
        for slots in hidden:
            out *= rowsets.ways_to_deal(sum(self.shoe), seen, len(slots), not self.single)
            seen += len(slots)
        return out

    # ---- answers

    def scale(self, count: Count) -> int:
        """Ways of the common count per way of this one."""
        return self.ways // count.ways

    def _sum_rows(self, segment: Segment, units: Callable[[Leaf], Numbers], policy: Policy, best: bool) -> Numbers:
        """Per row of the segment: units x ways, choosing by the policy (or the best, which it records)."""
        kind = self._kind(units)
        total: Numbers = np.zeros(len(segment.rows), kind)
        for count in segment.counts:
            worth = np.concatenate([units(leaf) for leaf in count.leaves])
            weight: Numbers = count.rows.weight.astype(kind) * self.scale(count)
            np.add.at(total, count.back, _exact_dot(count.counts, worth).astype(kind) * weight)
        for point in segment.points:
            values = np.stack([self._sum_rows(s, units, policy, best) for s in point.choices])
            if best:
                policy[point.node.id] = values.argmax(0)
            chosen = np.take_along_axis(values, policy[point.node.id][None, :], 0)[0]
            np.add.at(total, point.rows.parent, chosen)
        return total

    def _kind(self, units: Callable[[Leaf], Numbers]) -> type:
        """64 bits where every sum is proven to fit: none is more than the largest unit times all ways."""
        largest = max((abs(int(u)) for leaf in self.cells.leaves for u in units(leaf)), default=0)
        return np.int64 if largest * self.ways < SAFE else object

    def best_policy(self, units: Callable[[Leaf], Numbers]) -> Policy:
        """The choice that brings most at every decision; the first of equal ones."""
        policy: Policy = {}
        self._sum_rows(self.root, units, policy, best=True)
        return policy

    def choice_values(self, point: Point, units: Callable[[Leaf], Numbers], policy: Policy) -> Numbers:
        """choices x rows: units x ways, when the policy is followed afterwards."""
        return np.stack([self._sum_rows(s, units, policy, best=False) for s in point.choices])

    def cell_ways(self, policy: Policy) -> list[list[int]]:
        """Per carried state: the ways to each cell under the policy, out of `self.ways`."""
        out = [[0] * self.cells.size for _ in self.states]

        def go(segment: Segment, live: NDArray[np.bool_]) -> None:
            for count in segment.counts:
                for state in range(len(self.states)):
                    mine = live[count.back] & (count.rows.root == state)
                    if not mine.any():
                        continue
                    weights = count.rows.weight[mine]
                    sums = _exact_dot(count.counts[mine].T, weights)
                    place = 0
                    for leaf in count.leaves:
                        for i in range(leaf.size):
                            out[state][leaf.offset + i] += int(sums[place + i]) * self.scale(count)
                        place += leaf.size
            for point in segment.points:
                for i, kid in enumerate(point.choices):
                    go(kid, live[point.rows.parent] & (policy[point.node.id] == i))

        go(self.root, np.ones(len(self.root.rows), bool))
        return out


def counts_of(graph: Graph, cells: Cells, shoe: Composition, use_classes: bool = True) -> Induction:
    """The counts of a graph for a shoe, with its graph for whoever asks next: pays and strategies come afterwards. One
    shoe is kept, because there is no end of shoes, and only where that takes little room."""
    key, kept = (shoe, use_classes), graph.made.get("counts")
    if kept is not None and kept[0] == key:
        found: Induction = kept[1]
        return found
    found = Induction(graph, cells, shoe, use_classes)
    if sum(c.counts.size for c in found.all_counts) <= MOST_KEPT:
        graph.made["counts"] = key, found
    return found


def row_group(end: End, hidden: Hidden) -> tuple[Group, Hidden]:
    """The deal to take as rows, and what is left to count: the largest that is quickly listed. Of a larger deal, its
    first cards: every hand is then counted once for each choice of these, alike for all hands."""
    whole = [g for g in end.groups if g.slots in hidden and len(g.slots) <= FEW]
    if whole:
        taken = max(whole, key=lambda g: len(g.slots))
        return taken, tuple(h for h in hidden if h != taken.slots)
    first = next(g for g in end.groups if set(hidden[0]) <= set(g.slots))
    cut = len(hidden[0]) if len(hidden[0]) <= MANY else FEW
    some, rest = hidden[0][:cut], hidden[0][cut:]
    return Group(first.who, some, False), (*((rest,) if rest else ()), *hidden[1:])


def collapsed(graph: Graph, shoe: Composition) -> Composition:
    """The shoe by ranks that the game tells apart, one card code for each, where nothing looks at suits and nobody
    decides: eight decks of 52 cards are then ten kinds of card. Only where order is counted anyway."""
    columns = [c for point in graph.nodes for c in columns_of(point)]
    if max(shoe) == 1 or any(graph.decisions()) or any(c.ops & LOOKS_AT_SUITS for c in columns):
        return shoe
    if any(a.op == "card" for c in walk(columns) if c.op != "rank" for a in c.below):
        return shoe  # two cards are held against each other, suits and all
    out = [0] * len(shoe)
    for ranks in rank_classes(columns):
        out[4 * ranks[0]] = sum(sum(shoe[4 * r : 4 * r + 4]) for r in ranks)
    return tuple(out) if sum(out) == sum(shoe) else shoe  # nothing looks at ranks, and there are jokers


def _exact_dot(matrix: NDArray[np.int64], vector: Numbers) -> Numbers:
    """matrix @ vector without overflow: in 64 bits where the bound allows, in Python integers where it does not."""
    if matrix.size == 0:
        return np.zeros(len(matrix), object)
    top = max((abs(int(v)) for v in vector), default=0)
    largest = int(np.abs(matrix).max())
    if largest * max(top, 1) * matrix.shape[1] < SAFE:
        return (matrix @ vector.astype(np.int64)).astype(object)
    used = np.flatnonzero(matrix.any(axis=0))
    out: Numbers = matrix[:, used].astype(object) @ vector[used].astype(object)
    return out


def whole_units(values: list[Fraction]) -> tuple[Numbers, int]:
    """Fractions as whole numbers over one denominator."""
    denominator = lcm(*(v.denominator for v in values)) if values else 1
    return np.array([int(v * denominator) for v in values], object), denominator
