"""The decisions of a game that was counted deal by deal, as rows: what a rule that can be remembered is found from."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitboss.exact.induction import Numbers, Point, Policy, Segment
from pitboss.thumb.solved import Solved

if TYPE_CHECKING:
    from pitboss.exact.solver import Solver
    from pitboss.thumb import Played

Bools = NDArray[np.bool_]


def solved_rows(solver: "Solver") -> list[Solved]:
    """Every decision, everything that can be seen there, and what each choice brings under the solver's strategy."""
    common = lcm(*(w.denominator for w in solver.weights))
    shares = [int(w * common) for w in solver.weights]
    live = _live(solver)
    return [_solved(solver, point, shares, common, live[point.node.id]) for point in solver.induction.points]


def _solved(solver: "Solver", point: Point, shares: list[int], common: int, live: Bools) -> Solved:
    mass, denominator = solver.mass(point), solver.units[1]
    rows = mass != 0
    share = np.array(shares, object)[point.rows.root[rows]] if len(shares) > 1 else 1
    worth = solver.values(point)[:, rows] * share
    names = list(solver.graph.carried)
    cells = point.rows.cells[rows]
    in_order = [g for g, fixed in zip(point.rows.groups, point.rows.ordered, strict=True) if fixed]
    weight: Numbers = mass[rows] * share
    return Solved(
        point.node, point.rows.slots, cells[:, len(names) :], weight, solver.induction.ways * common, worth,
        solver.induction.ways * common * denominator, live[rows], frozenset(s for g in in_order for s in g),
        {name: cells[:, i] for i, name in enumerate(names)},
    )  # fmt: skip


def rule_costs(solver: "Solver", rules: Sequence["Played"]) -> list[Fraction]:
    """What playing by each of these rules gives up against the solver's own play, per round, exactly.

    Add up, over all decisions and rows to which the rule comes, how much less its choice is worth than the best, with
    the best play from there on. That is the whole difference: a round is followed to its first mistake, from there as
    if it were the last, and so on to the next.
    """
    if len(solver.induction.states) > 1:  # how often a seat carries what depends on how it plays
        return [_worth(solver) - _worth(solver.following(rule)) for rule in rules]
    policies = solver.answers(rules)
    lost, live = [0] * len(rules), [_live(solver, policy) for policy in policies]
    for point in solver.induction.points:
        values = solver.values(point)
        best = np.take_along_axis(values, solver.policy[point.node.id][None, :], 0)[0]
        for i, policy in enumerate(policies):
            taken = np.take_along_axis(values, policy[point.node.id][None, :], 0)[0]
            wrong = live[i][point.node.id] & (best != taken)
            lost[i] += sum(int(x) for x in (best - taken)[wrong])
    return [Fraction(x, solver.induction.ways * solver.units[1]) for x in lost]


def _worth(solver: "Solver") -> Fraction:
    return -sum((solver.wager_result(p).house_edge for p in solver.decided), Fraction(0))


def _live(solver: "Solver", policy: Policy | None = None) -> dict[int, Bools]:
    """By decision: the rows to which the strategy comes."""
    out: dict[int, Bools] = {}
    played = solver.policy if policy is None else policy

    def go(segment: Segment, here: Bools) -> None:
        for point in segment.points:
            out[point.node.id] = there = here[point.rows.parent]
            for i, kid in enumerate(point.choices):
                go(kid, there & (played[point.node.id] == i))

    root = solver.induction.root
    go(root, np.ones(len(root.rows), bool))
    return out
