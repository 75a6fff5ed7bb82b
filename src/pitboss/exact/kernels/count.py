"""Counting deal by deal, with backward induction over what the player can see: the kernel for short deals.

Its offer is an estimate of what the loops will really do: rows of what can be seen, up to interchangeable suits, times
the cards that are tried behind each, over card codes where several decks hold many cards of one code.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, factorial, prod

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Composition, suit_symmetric
from pitboss.compile import Keys
from pitboss.exact.induction import MOST_NUMBERS, Hidden, collapsed, row_group
from pitboss.exact.kernels.task import Advised, Task
from pitboss.exact.plan import Offer, TooLarge
from pitboss.exact.rows import MOST_ROWS, ways_to_deal
from pitboss.exact.solved_rows import rule_costs, solved_rows
from pitboss.exact.solver import Solver
from pitboss.exact.symmetry import columns_of, order_matters, suits_interchangeable
from pitboss.ledger.book import Book
from pitboss.ledger.law import Law
from pitboss.ledger.records import StrategyRow, WagerResult
from pitboss.rules.graph import Decide, End, Graph, Group, Node, When
from pitboss.rules.work import BASE_MEMORY
from pitboss.thumb import Played, Solved

SUITS_FOLD = {0: 1.0, 1: 4.0, 2: 7.8, 3: 12.6, 4: 16.0, 5: 19.3}  # deals per class of interchangeable suits, by cards
STEP = 3e-9  # seconds of one step of the innermost loop
ROW = 4e-7  # seconds to list a deal that can be seen
START = 0.03


class _Size:
    """The work of an exact count, found by walking the graph as the count itself would."""

    def __init__(self, graph: Graph, shoe: Composition, book: Book) -> None:
        self.graph, self.book = graph, book
        self.shoe = collapsed(graph, shoe)
        self.cards, self.single = sum(self.shoe), max(self.shoe) == 1
        self.present = sum(1 for n in self.shoe if n)
        self.blind = suit_symmetric(self.shoe) and suits_interchangeable(graph)
        self.states = prod(h + 1 for h in graph.carried.values())
        self.rows = self.steps = self.listed = self.numbers = 0
        self.ways = 1
        self._ordered: dict[tuple[int, ...], bool] = {}
        self._segment(graph.root, (), ())

    def _order(self, group: Group) -> bool:
        if group.slots not in self._ordered:
            self._ordered[group.slots] = len(group.slots) > 1 and order_matters(self.graph, group)
        return self._ordered[group.slots]

    def _listed(self, groups: tuple[Group, ...]) -> int:
        """Different deals of these cards, suits told apart."""
        out, seen = 1, 0
        for g in groups:
            n = len(g.slots)
            if self.single:
                out *= comb(self.cards - seen, n) * (factorial(n) if self._order(g) else 1)
            else:
                out *= self.present**n
            seen += n
        return out

    def _classes(self, groups: tuple[Group, ...]) -> int:
        """Rows that are kept of them."""
        cards = sum(len(g.slots) for g in groups)
        same = 1 if self.single else prod(factorial(len(g.slots)) for g in groups if not self._order(g))
        fold = SUITS_FOLD.get(cards, 23.0) if self.blind else 1.0
        return max(1, int(self._listed(groups) / fold / same))

    def _segment(self, start: Node, path: tuple[Node, ...], seen: tuple[Group, ...]) -> None:
        jobs: dict[Hidden, list[End]] = {}
        decisions: list[tuple[Decide, tuple[Node, ...]]] = []
        slots = {s for g in seen for s in g.slots}

        def walk(point: Node, way: tuple[Node, ...]) -> None:
            if isinstance(point, End):
                jobs.setdefault(self._hidden(point, way, slots), []).append(point)
            elif isinstance(point, Decide):
                decisions.append((point, way))
            elif isinstance(point, When):
                for kid in point.kids:
                    walk(kid, (*way, point))

        walk(start, path)
        for hidden, ends in jobs.items():
            self._count(hidden, ends, seen)
        for decision, way in decisions:
            now = seen + tuple(g for g in decision.seen() if g.slots not in {x.slots for x in seen})
            if now != seen:
                listed = self.states * self._classes(seen) * self._listed(now) // max(1, self._listed(seen))
                if listed > MOST_ROWS:
                    raise TooLarge(
                        f"the player can see about {listed:,} different deals at the decision {decision.name!r}, and "
                        f"{MOST_ROWS:,} can be listed"
                    )
                self.listed += listed
            for kid in decision.kids:
                self._segment(kid, way, now)

    def _hidden(self, end: End, way: tuple[Node, ...], slots: set[int]) -> Hidden:
        used = frozenset[int]().union(*(c.slots for p in (end, *way) for c in columns_of(p)))
        out: list[tuple[int, ...]] = []
        for group in end.groups:
            mine = tuple(s for s in group.slots if s in used and s not in slots)
            together = self.single and len(mine) == len(group.slots) and not self._order(group)
            out.extend([mine] if together and mine else [(s,) for s in mine])
        return tuple(out)

    def _count(self, hidden: Hidden, ends: list[End], seen: tuple[Group, ...]) -> None:
        whole = sum(len(h) for h in hidden)
        if not seen and hidden:
            group, hidden = row_group(ends[0], hidden)
            seen = (group,)
        rows = self.states * self._classes(seen)
        gone, steps, ways = sum(len(g.slots) for g in seen), 1, self._listed(seen)
        for h in hidden:
            steps *= comb(self.cards - gone, len(h)) if self.single else self.present ** len(h)
            ways *= ways_to_deal(self.cards, gone, len(h), not self.single)
            gone += len(h)
        numbers = rows * sum(self.book.cells.of_node[e.id].size for e in ends)
        if numbers > MOST_NUMBERS:
            raise TooLarge(f"the table of counts would have about {numbers:,} numbers, and {MOST_NUMBERS:,} are kept")
        self.steps += rows * steps
        self.rows += rows
        self.numbers += numbers
        if self.single or not whole:
            self.ways = max(self.ways, ways)
        else:
            self.ways = max(self.ways, prod(range(self.cards - gone + 1, self.cards + 1)))


class Counted:
    """Wagers counted deal by deal."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver

    def record(self, party: str) -> WagerResult:
        return self.solver.wager_result(party)

    def law(self) -> Law:
        return self.solver.law

    def chart(self) -> tuple[StrategyRow, ...]:
        return self.solver.chart()

    def not_charted(self) -> dict[str, int]:
        return self.solver.not_charted()

    def strategy_array(self, keys: Keys) -> NDArray[np.uint8]:
        return self.solver.strategy_array(keys)

    def solved_rows(self) -> list[Solved]:
        return solved_rows(self.solver)

    def rule_costs(self, rules: Sequence[Played]) -> list[Fraction]:
        return rule_costs(self.solver, rules)

    def rule_notes(self) -> list[str]:
        return []

    def advice(self, turn: Advised) -> dict[str, Fraction]:
        return self.solver.advice(list(turn.made), turn.cards, turn.carried, turn.went)


class _Count:
    name = "count deal by deal"

    def offer(self, task: Task) -> Offer:
        if task.graph.open_ended:
            raise TooLarge("hands of any number of cards are too many for a count deal by deal")
        size = _Size(task.graph, task.house.composition, Book(task.house, task.graph))
        seconds = START + STEP * size.steps + ROW * size.listed
        memory = BASE_MEMORY + 8 * size.numbers + 150 * size.listed
        return Offer(self.name, size.rows, size.ways, seconds, memory, steps=size.steps)

    def open(self, task: Task) -> Counted:
        return Counted(Solver(task.house, task.strategy, task.graph))


COUNT = _Count()
