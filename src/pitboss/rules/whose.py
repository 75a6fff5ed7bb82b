"""Whose cards a question looks at: some player's, or the house's alone."""

from pitboss.rules.column import Column
from pitboss.rules.graph import PLAYER, Graph, Jump, Mark, Node


def players_registers(graph: Graph) -> frozenset[int]:
    """What marks have kept of players' cards."""
    found: set[int] = set()
    while True:
        before = len(found)
        for way in graph.nodes:
            if isinstance(way, Mark | Jump):
                for slot, value in zip(way.target.slots, way.values, strict=True):
                    if of_a_player(value, way, found):
                        found.add(slot)
        if len(found) == before:
            return frozenset(found)


def of_a_player(col: Column, at: Node, kept: "set[int] | frozenset[int]") -> bool:
    """Whether a value depends on a player's cards, on what marks have `kept` of them, or on what a seat carries."""
    own = {s for g in at.groups if g.who == PLAYER for s in g.slots}
    return bool(col.slots & (own | kept)) or "carried" in col.ops
