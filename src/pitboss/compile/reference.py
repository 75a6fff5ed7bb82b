"""The graph evaluated in numpy, a batch of complete deals at a time: slow, short, and what machine code must equal."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from pitboss.ledger.cells import Cells
from pitboss.rules.column import Column, walk
from pitboss.rules.graph import Deal, Decide, End, Jump, Mark, Node, When
from pitboss.rules.operations import OPERATIONS

Ints = NDArray[np.int64]
Policy = Callable[[Decide, Mapping[int, Ints], Mapping[str, Ints]], Ints]
"""decision, what is known by slot, carried values -> the number of the choice, round by round."""

Base = Mapping[int, Ints]
"""The slot of a card, or the one slot of a register -> its value in every round."""


def batch(col: Column, base: Base, carried: Mapping[str, Ints], rounds: int) -> Ints:
    """The column's value in every round of the batch."""
    known: dict[int, Ints] = {}
    for c in walk((col,)):
        if c.op == "const":
            known[c.uid] = np.full(rounds, c.args[0], np.int64)
        elif c.op in ("card", "register"):
            known[c.uid] = base[next(iter(c.slots))]
        elif c.op == "carried":
            known[c.uid] = carried[c.args[0]]
        elif c.op == "lookup":
            table, index = c.args
            place = known[index.uid] - index.lo
            if "within" in index.ops:  # where it is not in its range, what is found is thrown away afterwards
                place = np.clip(place, 0, len(table) - 1)
            known[c.uid] = np.asarray(table, np.int64)[place]
        else:
            known[c.uid] = np.asarray(OPERATIONS[c.op].array(np, *(known[a.uid] for a in c.below))).astype(np.int64)
    return known[col.uid]


def reference_cells(cells: Cells, deals: Ints, policy: Policy, carried: Mapping[str, Ints]) -> Ints:
    """The cell in which each of the deals ends: a deal is the order in which cards leave the shoe."""
    out = np.full(len(deals), -1, np.int64)

    def go(node: Node, rounds: Ints, base: Base, dealt: Ints) -> None:
        if not len(rounds):
            return
        kept = {k: v[rounds] for k, v in carried.items()}
        now = dict(base)
        for event in node.events:
            for slot in event.slots if isinstance(event, Deal) else ():
                now[slot] = deals[rounds, dealt]
                dealt = dealt + 1

        def on(kid: Node, some: NDArray[np.bool_]) -> None:
            go(kid, rounds[some], {slot: v[some] for slot, v in now.items()}, dealt[some])

        if isinstance(node, End):
            out[rounds] = batch(cells.of_node[node.id].code, now, kept, len(rounds))
        elif isinstance(node, When):
            true = batch(node.condition, now, kept, len(rounds)) != 0
            on(node.kids[0], true)
            on(node.kids[1], ~true)
        elif isinstance(node, Decide):
            chosen = policy(node, now, kept)
            for i, kid in enumerate(node.kids):
                on(kid, chosen == i)
        elif isinstance(node, Mark | Jump):
            values = [batch(v, now, kept, len(rounds)) for v in node.values]
            go(node.target.kids[0], rounds, dict(zip(node.target.slots, values, strict=True)), dealt)

    go(cells.graph.root, np.arange(len(deals)), {}, np.zeros(len(deals), np.int64))
    return out
