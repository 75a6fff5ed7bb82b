"""A wager on a hand that is drawn card by card, counted exactly: what the dealer's hand comes to, with suits.

Everybody's cards leave one shuffled shoe, and which of them go to the player changes nothing about the order of the
others. So a wager that does not look at the player's cards is counted as if he had none: his cards are *pinned* to ones
from outside the shoe, and it is checked on every pair of them that they make no difference (docs/design.md).

The hand is followed through the graph. Two hands that the rest of the round cannot tell apart are one *state*; states
from which on no suit matters any more are *blind*, and remember of the cards that are gone only their values. What is
left is a count of orders in which cards leave the shoe, in whole numbers (see `orders`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Composition
from pitboss.compile import reference_cells
from pitboss.compile.reference import batch
from pitboss.exact.orders import Hands, Orders, RunsOut
from pitboss.exact.plan import TooLarge, check_no_jokers
from pitboss.exact.symmetry import columns_of, rank_classes
from pitboss.ledger.cells import Cells
from pitboss.rules.graph import PLAYER, Deal, Decide, End, Graph, Jump, Mark, Node, When

Ints = NDArray[np.int64]
Base = dict[int, Ints]
State = tuple[int, int, tuple[tuple[int, int], ...]]  # node, event, what is known by slot
PINNED = (0, 5)  # a two and a three: no hand that anybody would act on


@dataclass
class _Arrival:
    """Rows that have come to the next card, or to the end."""

    rows: Ints
    node: Node
    event: int  # -1: the end
    base: Base


class Chance:
    """One wager without decisions (see `one_wager_house`), followed card by card."""

    def __init__(self, graph: Graph, wager: str) -> None:
        self.graph, self.wager = graph, wager
        check_no_jokers(graph)
        if self.graph.carried or any(isinstance(n, Decide) for n in self.graph.nodes):
            raise TooLarge("the player's decisions make this wager too large for an exact count")
        classes = rank_classes(c for point in self.graph.nodes for c in columns_of(point))
        self.values = len(classes)
        self.value_of = [next(v for v, ranks in enumerate(classes) if rank in ranks) for rank in range(13)]
        self.names: tuple[str, ...] = ()
        self.nodes = {n.id: n for n in self.graph.nodes}
        self.next: dict[State, list[State | int]] = {}  # by class (value * 4 + suit); a number is a row: the end
        self.cards = [4 * self.value_of.index(v) + s for v in range(self.values) for s in range(4)]
        self.start = self._explore()
        self.blind = self._blind()
        self._check_pinned()

    # ---- the states

    def _explore(self) -> State:
        (first,) = self._advance(self.graph.root, 0, {}, np.zeros(1, np.int64))
        start = self._state(first, 0)
        waiting = [start]
        while waiting:
            rows = [s for s in dict.fromkeys(waiting) if s not in self.next]
            waiting = []
            for place in {(node, event) for node, event, _ in rows}:
                group = [s for s in rows if s[:2] == place]
                for state, onward in zip(group, self._draw(group), strict=True):
                    self.next[state] = onward
                    waiting += [s for s in onward if not isinstance(s, int)]
        return start

    def _draw(self, states: list[State]) -> list[list[State | int]]:
        """Every state of one place, with every class of card next."""
        node, event, _ = states[0]
        many = len(self.cards)
        base = {slot: np.repeat([s[2][i][1] for s in states], many) for i, (slot, _) in enumerate(states[0][2])}
        deal = self.nodes[node].events[event]
        assert isinstance(deal, Deal)
        have = [s for s in deal.slots if s in base]
        base[deal.slots[len(have)]] = np.tile(np.array(self.cards, np.int64), len(states))
        out: list[State | int] = [0] * (len(states) * many)
        for come in self._advance(self.nodes[node], event, base, np.arange(len(out))):
            if come.event < 0:
                for row, result in zip(come.rows.tolist(), self._results(come), strict=True):
                    out[row] = result
            else:
                for i, row in enumerate(come.rows.tolist()):
                    out[row] = self._state(come, i)
        return [out[i * many : (i + 1) * many] for i in range(len(states))]

    def _state(self, come: _Arrival, row: int) -> State:
        return come.node.id, come.event, tuple((slot, int(v[row])) for slot, v in sorted(come.base.items()))

    def _results(self, come: _Arrival) -> list[int]:
        assert isinstance(come.node, End)
        rows = next(s.rows for s in come.node.settled if s.wager == self.wager)
        names = list(self.names) + [n for n in rows.names if n not in self.names]
        self.names = tuple(names)
        return [names.index(rows.names[i]) for i in batch(rows.index, come.base, {}, len(come.rows)).tolist()]

    def _advance(self, node: Node, event: int, base: Base, rows: Ints) -> list[_Arrival]:
        """As far as the rules go without another card from the shoe."""
        if not len(rows):
            return []
        base = dict(base)
        for number, what in enumerate(node.events[event:], event):
            for slot in what.slots if isinstance(what, Deal) else ():
                if slot in base:
                    continue
                if not isinstance(what, Deal) or what.who != PLAYER:
                    return [_Arrival(rows, node, number, base)]
                base[slot] = np.full(len(rows), PINNED[slot % 2], np.int64)
        if isinstance(node, Mark | Jump):
            values = [batch(v, base, {}, len(rows)) for v in node.values]
            return self._advance(node.target.kids[0], 0, dict(zip(node.target.slots, values, strict=True)), rows)
        if isinstance(node, When):
            true = batch(node.condition, base, {}, len(rows)) != 0
            return [
                come
                for kid, some in zip(node.kids, (true, ~true), strict=True)
                for come in self._advance(kid, 0, {slot: v[some] for slot, v in base.items()}, rows[some])
            ]
        return [_Arrival(rows, node, -1, base)]

    def _blind(self) -> set[State]:
        """States from which on no suit makes a difference."""
        blind = set(self.next)
        while True:
            sees = {s for s in blind if not all(self._same(s, v, blind) for v in range(self.values))}
            if not sees:
                return blind
            blind -= sees

    def _same(self, state: State, value: int, blind: set[State]) -> bool:
        onward = self.next[state][4 * value : 4 * value + 4]
        return all(s == onward[0] for s in onward) and (isinstance(onward[0], int) or onward[0] in blind)

    def _check_pinned(self) -> None:
        """Whatever two cards the player holds, the wager comes out the same: tried on every way a hand can end."""
        ways: dict[State, list[int]] = {self.start: []}
        waiting, scripts = [self.start], dict[tuple[State, int], list[int]]()
        while waiting:
            state = waiting.pop()
            for c, onward in enumerate(self.next[state]):
                if isinstance(onward, int):
                    scripts.setdefault((state, onward), [*ways[state], self.cards[c]])
                elif onward not in ways:
                    ways[onward] = [*ways[state], self.cards[c]]
                    waiting.append(onward)
        order = [e.who == PLAYER for e in self.graph.root.events if isinstance(e, Deal) for _ in e.slots]
        if sum(order) != 2 or not all(len(s) >= order.count(False) for s in scripts.values()):
            raise TooLarge("this wager looks at more than the dealer's hand")
        pairs = [(a, b) for a in self.cards[::4] for b in self.cards[1::4]]
        tried: set[tuple[int, int]] = set()  # every pair with one hand of each kind, and one pair with each hand
        rows: list[list[int]] = []
        wanted: list[int] = []
        for (_, end), script in scripts.items():
            kind = (end, len(script))
            for pair in pairs if kind not in tried else pairs[len(rows) % len(pairs) :][:1]:
                dealer, player = iter(script), iter(pair)
                rows.append([next(player) if mine else next(dealer) for mine in order] + list(dealer))
                wanted.append(end)
            tried.add(kind)
        deals = np.zeros((len(rows), max(map(len, rows))), np.int64)
        for i, row in enumerate(rows):
            deals[i, : len(row)] = row
        cells = Cells(self.graph)
        found = reference_cells(cells, deals, lambda *_: np.zeros(0, np.int64), {})
        row_of = {
            cell: self.names.index(rows[self.wager])
            for leaf in cells.leaves
            for cell, rows in enumerate(leaf.table, leaf.offset)
            if rows[self.wager] in self.names
        }
        if [row_of.get(int(cell)) for cell in found] != wanted:
            raise TooLarge("this wager looks at the player's cards too")

    # ---- the count

    @cached_property
    def _orders(self) -> Orders:
        number = {state: i for i, state in enumerate(self.next)}
        onward = [[-1 - s if isinstance(s, int) else number[s] for s in to] for to in self.next.values()]
        blind = [state in self.blind for state in self.next]
        return Orders(Hands(number[self.start], onward, blind, self.value_of, len(self.names)))

    def ways(self, shoe: Composition) -> tuple[dict[str, int], int]:
        """Orders in which the cards can leave the shoe, by row of the pay table, and in all."""
        return next(self.many([shoe]))

    def many(self, shoes: Sequence[Composition]) -> Iterator[tuple[dict[str, int], int]]:
        """The same of many shoes, which takes little longer."""
        try:
            for ways, total in self._orders.many(shoes):
                yield dict(zip(self.names, ways, strict=True)), total
        except RunsOut:
            raise TooLarge("the shoe is too small: it runs out of cards in the middle of a round") from None
