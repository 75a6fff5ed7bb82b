"""What each choice is worth at a live decision: the hint."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from pitboss.exact.analysis import Solver
from pitboss.exact.rows import canonical
from pitboss.rules.evaluate import evaluate
from pitboss.rules.graph import Decide, End, Node, When


def advice(
    solver: Solver, choices: Sequence[str], cards: Mapping[int, int], carried: Mapping[str, int]
) -> dict[str, Fraction]:
    """The expectation of every choice open to a player who has made these choices and been dealt these cards.

    The hidden cards in `cards` say which public branches the round took; the values use what the player can see.
    """
    here: Node = solver.graph.root
    made = list(choices)
    while not isinstance(here, Decide) or made:
        assert not isinstance(here, End), "the round is over"
        if isinstance(here, When):
            here = here.kids[0 if evaluate(here.condition, cards, carried) else 1]
        elif isinstance(here, Decide):
            here = here.kids[here.choices.index(made.pop(0))]
    point = next(p for p in solver.induction.points if p.node is here)
    rows, blind = point.rows, solver.induction.blind
    mine = np.array([[*(carried[n] for n in solver.graph.carried), *(cards[s] for s in rows.slots)]], np.uint8)
    wanted = canonical(mine, rows.carried, rows.groups, rows.ordered, blind)[0]
    row = int(np.flatnonzero(canonical(rows.cells, rows.carried, rows.groups, rows.ordered, blind) == wanted)[0])
    worth = solver.choice_worth(point)
    return {c: worth[i][row] for i, c in enumerate(point.node.choices)}
