"""Where a strategy's answers stand: one byte for every decision and everything that may be seen there."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from pitboss.compile.reference import batch
from pitboss.rules.errors import BadInput
from pitboss.rules.graph import Decide, Graph, Times

MOST_KEYS = 1 << 28


@dataclass(frozen=True)
class Key:
    """Where a decision's answers stand in the strategy array: mixed radix over carried values and visible cards."""

    offset: int
    slots: tuple[int, ...]
    size: int


Region = tuple[str, tuple[str, ...], tuple[tuple[int, int], ...], tuple[tuple[str, Times], ...]]
"""Decisions of one name, with the same choices, made by the same things and after the same bets (where there are marks,
after any): they are answered alike wherever they come."""


def keyed_by_value(graph: Graph, decision: Decide, most: int = MOST_KEYS) -> bool:
    """Whether a decision's answers are found by what it is made `by`, instead of by every card in sight: where hands
    can have any number of cards, or where the cards in sight are too many for a table."""
    cards = sum(len(g.slots) for g in decision.seen())
    return bool(decision.by) and (graph.open_ended or graph.codes**cards > most)


class Keys:
    """The layout of the strategy array: one byte, the number of the choice, per decision and thing seen. With `most`
    fewer cards are enough for a decision to be found by what it is made `by`."""

    MOST = MOST_KEYS

    @staticmethod
    def size_of(graph: Graph, most: int = MOST_KEYS) -> int:
        """How many answers there would be, before any is laid out."""
        states = prod(h + 1 for h in graph.carried.values())
        return sum(
            prod(c.hi - c.lo + 1 for _, c in d.by)
            if keyed_by_value(graph, d, most)
            else states * graph.codes ** sum(len(g.slots) for g in d.seen())
            for d in graph.decisions()
        )

    def __init__(self, graph: Graph, most: int = MOST_KEYS) -> None:
        self.graph, self.carried, self.most = graph, dict(graph.carried), most
        self.of_node: dict[int, Key] = {}
        self.regions: dict[Region, int] = {}
        offset = 0
        for decision in graph.decisions():
            if self.by_value(decision):
                bets = () if graph.open_ended else tuple(decision.placed.items())
                region = (decision.name, decision.choices, tuple((c.lo, c.hi) for _, c in decision.by), bets)
                size = prod(hi - lo + 1 for lo, hi in region[2])
                start = self.regions.setdefault(region, offset)
                self.of_node[decision.id] = Key(start, (), size)
                offset += size if start == offset else 0
                continue
            slots = tuple(s for g in decision.seen() for s in g.slots)
            size = prod(h + 1 for h in self.carried.values()) * graph.codes ** len(slots)
            self.of_node[decision.id] = Key(offset, slots, size)
            offset += size
        if offset > MOST_KEYS:
            raise BadInput(
                "too many cards are visible at a decision for a strategy table; at most four can be, unless the "
                "decision names what it is made `by`"
            )
        self.size = offset

    def by_value(self, decision: Decide) -> bool:
        """Whether a decision's answers are found by what it is made `by`."""
        return keyed_by_value(self.graph, decision, self.most)

    def index(
        self, decision: Decide, base: Mapping[int, NDArray[np.int64]], carried: Mapping[str, NDArray[np.int64]]
    ) -> NDArray[np.int64]:
        """The place of each round's answer; `base` holds what is known by slot."""
        key = self.of_node[decision.id]
        rounds = len(next(iter(base.values())))
        out = np.zeros(rounds, np.int64)
        by_value = self.by_value(decision)
        for _, col in decision.by if by_value else ():
            out = out * (col.hi - col.lo + 1) + batch(col, base, carried, rounds) - col.lo
        if not by_value:
            for name, highest in self.carried.items():
                out = out * (highest + 1) + carried[name]
        for slot in key.slots:
            out = out * self.graph.codes + base[slot]
        return out + key.offset
