"""The chart of a drawing game as rows: from which a shorter rule is found, and held against the chart."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from pitboss.exact.drawing import Drawing
from pitboss.ledger.records import Chart
from pitboss.rules.graph import Decide
from pitboss.thumb import Played, Solved
from pitboss.thumb.solved import View

SCALE = 1 << 50  # what doubles are rounded to, to be added up as whole numbers


def solved_rows(drawing: Drawing, node: Decide) -> list[Solved]:
    """One decision, as the chart has it: everything that it looks at, with the choices that are offered there."""
    keys = drawing.keys
    sums, often = keys.summed(drawing, drawing.basic_play[0], drawing.reach(None, drawing.anyhow))
    offered = keys.offered.T
    worth = np.round(np.where(offered, sums.T, 0) * SCALE).astype(np.int64)
    by = {name: keys.keys[:, 1 + i] for i, (name, _) in enumerate(node.by)}
    rows = len(keys.keys)
    return [
        Solved(
            node, (), np.zeros((rows, 0), np.uint8), often, 1, worth, SCALE, np.ones(rows, bool), by=by,
            moves=tuple(drawing.moves), offered=offered,
        )
    ]  # fmt: skip


def chart_of(drawing: Drawing, node: Decide, rule: Played) -> Chart:
    """The whole chart that a rule comes to."""
    names = [name for name, _ in node.by]
    out: dict[tuple[tuple[str, ...], tuple[int, ...]], str] = {}
    for choices, by in drawing.looked_up:
        view = View(1, (), by={name: np.array([v]) for name, v in zip(names, by, strict=True)})
        out[choices, by] = choices[int(rule.rule(node.name, choices).answers(view, choices)[0])]
    return out


def rule_costs(drawing: Drawing, node: Decide, rules: Sequence[Played]) -> list[Fraction]:
    """What playing by each rule costs more than playing by the chart, from the same positions."""
    out = []
    for rule in rules:
        ruled = Drawing(drawing.house, "basic", drawing, given=chart_of(drawing, node, rule))
        out.append(max(Fraction(0), Fraction(ruled.basic_edge) - Fraction(drawing.basic_edge)))
    return out
