"""The graph evaluated in numpy, a batch of complete deals at a time: slow, short, and what machine code must equal."""

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.compile.cells import Cells
from pitboss.hands.evaluate import royal_lengths, strengths
from pitboss.rules.column import Column
from pitboss.rules.graph import Decide, End, Node, When

Ints = NDArray[np.int64]
Policy = Callable[[Decide, Ints, Mapping[str, Ints]], Ints]
"""decision, deals (rounds x slots), carried values -> the number of the choice, round by round."""

_BATCH: dict[str, Callable[..., Any]] = {
    "rank": lambda c: c >> 2,
    "suit": lambda c: c & 3,
    "add": lambda *xs: reduce(np.add, xs),
    "sub": np.subtract,
    "mul": np.multiply,
    "lt": np.less,
    "eq": np.equal,
    "ne": np.not_equal,
    "and": lambda *xs: reduce(np.minimum, xs),
    "or": lambda *xs: reduce(np.maximum, xs),
    "not": lambda a: 1 - a,
    "where": lambda c, a, b: np.where(c != 0, a, b),
    "max": lambda *xs: reduce(np.maximum, xs),
    "min": lambda *xs: reduce(np.minimum, xs),
    "compare": lambda a, b: 1 + np.sign(a - b),
    "strength": lambda *cards: strengths(np.stack(cards, 1)),
    "royals": lambda *cards: royal_lengths(np.stack(cards, 1)),
}


def batch(col: Column, deals: Ints, carried: Mapping[str, Ints]) -> Ints:
    """The column's value in every round of the batch."""
    known: dict[int, Ints] = {}

    def value(c: Column) -> Ints:
        if c.uid not in known:
            if c.op == "const":
                out = np.full(len(deals), c.args[0], np.int64)
            elif c.op == "card":
                out = deals[:, c.args[0]]
            elif c.op == "carried":
                out = carried[c.args[0]]
            elif c.op == "lookup":
                out = np.asarray(c.args[0], np.int64)[value(c.args[1]) - c.args[1].lo]
            else:
                out = np.asarray(_BATCH[c.op](*(value(a) for a in c.args))).astype(np.int64)
            known[c.uid] = out
        return known[c.uid]

    return value(col)


def reference_cells(cells: Cells, deals: Ints, policy: Policy, carried: Mapping[str, Ints]) -> Ints:
    """The cell in which each of the deals ends."""
    out = np.full(len(deals), -1, np.int64)

    def go(node: Node, rounds: Ints) -> None:
        some, kept = deals[rounds], {k: v[rounds] for k, v in carried.items()}
        if not len(rounds):
            return
        if isinstance(node, End):
            out[rounds] = batch(cells.of_node[node.id].code, some, kept)
        elif isinstance(node, When):
            true = batch(node.condition, some, kept) != 0
            go(node.kids[0], rounds[true])
            go(node.kids[1], rounds[~true])
        elif isinstance(node, Decide):
            chosen = policy(node, some, kept)
            for i, kid in enumerate(node.kids):
                go(kid, rounds[chosen == i])

    go(cells.graph.root, np.arange(len(deals)))
    return out
