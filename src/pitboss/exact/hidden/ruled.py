"""The decisions of a duel as rows, for a rule that can be remembered, and what such a rule costs.

Where there are more rows than anybody wants to look through, a rule is looked for in some of them, always the same
ones. What it costs is counted over all rows in any case: a rule is a column like any other, so another pass tells where
rounds end under it.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from math import ceil, comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitboss.exact.hidden.deals import Deals, Ints
from pitboss.exact.hidden.passes import Group, Stream, narrowed
from pitboss.exact.hidden.sights import Sight
from pitboss.rules.graph import Decide
from pitboss.thumb.solved import Solved, View, view_at

if TYPE_CHECKING:
    from pitboss.thumb import Played

MOST_LISTED = 300_000  # rows of a decision in which a rule is looked for
MOST_BOARDS = 3_000  # of those that are drawn, with hands to make some more rows than are wanted
MOST_DRAWN = 4_000_000
SEED = 1
Rows = tuple[NDArray[np.uint8], Ints, Ints, Ints, int]
"""Cards, ways, the worth of choices, in how many of so many ways the best play comes there, and how many that are."""


def solved_rows(stream: Stream, solved: "dict[int, Ints]", denominator: int) -> list[Solved]:
    out = []
    for sight in stream.sights.values():
        cells, weight, worth, live, of = _whole(stream, sight) if sight.whole else _table(stream, sight, solved)
        there = np.flatnonzero(stream.reached(sight, cells, sight.slots) & (weight > 0))
        comes_up = bool(live[there].any())
        there = there[live[there] > 0] if comes_up else there
        sampled = too_many(stream, sight)
        there = there[_some(len(there), MOST_LISTED)] if sampled else there
        share = live[there].astype(object) if comes_up else np.full(len(there), of, object)
        out.append(
            Solved(
                sight.decision, sight.slots, cells[there], weight[there] * share, stream.total * of,
                worth[:, there] * share, stream.total * of * denominator, np.full(len(there), comes_up),
                sampled=sampled,
            )
        )  # fmt: skip
    return out


def too_many(stream: Stream, sight: Sight) -> bool:
    """Whether a rule is looked for in some of the rows only."""
    if sight.whole:
        return sum(group.rows for group in stream.groups) > MOST_LISTED
    return int((sight.labels == np.arange(sight.rows))[sight.weights > 0].sum()) > MOST_LISTED


def _some(rows: int, most: int) -> Ints:
    """Numbers of so many rows at most, in order."""
    if rows <= most:
        return np.arange(rows)
    return np.sort(np.random.default_rng(SEED).choice(rows, most, replace=False))


def _table(stream: Stream, sight: Sight, solved: "dict[int, Ints]") -> Rows:
    """One row for all that are alike."""
    first = np.flatnonzero((sight.labels == np.arange(sight.rows)) & (sight.weights > 0))
    alike = np.bincount(sight.labels, weights=sight.weights, minlength=sight.rows).astype(np.int64)[first]
    cells = sight.cards_of(first)
    each = stream.total // int(alike.sum())
    return cells, alike * each, solved[sight.decision.id][first].T, *_live(stream, sight, cells)


def _whole(stream: Stream, sight: Sight) -> Rows:
    groups = _drawn(stream.groups) if too_many(stream, sight) else stream.groups
    parts = [_rows_in(stream, group) for group in groups]
    some = _some(sum(len(dealt) for _, dealt, _ in parts), 4 * MOST_LISTED)
    cells = np.concatenate([cards for cards, _, _ in parts])[some]
    deals = np.concatenate([dealt for _, dealt, _ in parts])[some]
    found = {d: np.concatenate([worth[d] for _, _, worth in parts])[some] for d in parts[0][2]}
    live, of = _live(stream, sight, cells)
    for step in sight.decision.path:  # decisions before that see everything too
        if isinstance(step.node, Decide) and step.node.id in found:
            live = live * (found[step.node.id].argmax(1) == step.node.choices.index(str(step.answer)))
    duel = stream.duel
    hidden = comb(duel.cards - len(duel.board_slots) - len(duel.own_slots), len(duel.hidden))
    weight = deals * hidden * len(stream.ways)
    return cells, weight, found[sight.decision.id].T * deals * len(stream.ways), live, of


def _rows_in(stream: Stream, group: Group) -> tuple[NDArray[np.uint8], Ints, dict[int, Ints]]:
    """Cards, deals and worth of choices of every board with every hand that shares no card with it."""
    boards, own = group.boards, group.own
    apart = np.flatnonzero(np.bitwise_and.outer(boards.masks, own.masks).ravel() == 0)
    board, hand = np.divmod(apart, len(own))
    cells = np.concatenate([boards.cards[board], own.cards[hand]], 1)
    found = {d: worth.reshape(-1, worth.shape[2])[apart] for d, worth in stream.rows(group).items()}
    return cells, boards.weight[board] * own.weight[hand], found


def _drawn(groups: Sequence[Group]) -> list[Group]:
    """The same share of the boards in every group, and then of the hands."""
    boards = min(1.0, MOST_BOARDS / sum(len(group.boards) for group in groups))
    fewer = [replace(group, boards=_part(group.boards, boards)) for group in groups]
    hands = min(1.0, MOST_DRAWN / sum(group.rows for group in fewer))
    return [group if hands == 1.0 else replace(group, asked=_part(group.own, hands)) for group in fewer]


def _part(deals: Deals, share: float) -> Deals:
    some = _some(len(deals), ceil(len(deals) * share))
    return Deals(deals.cards[some], deals.weight[some])


def _live(stream: Stream, sight: Sight, cells: NDArray[np.uint8]) -> tuple[Ints, int]:
    """In how many of the ways to have seen these cards the choices before lead here, and how many ways there are."""
    above = stream.above(sight.decision)
    if above is None:
        return np.ones(len(cells), np.int64), 1
    parent, k = stream.sights[above[0]], above[1]
    places = list(narrowed((*sight.board_sizes, *sight.own_sizes), (*parent.board_sizes, *parent.own_sizes)))
    out, of = np.zeros(len(cells), np.int64), 1
    for some in places:
        part = cells[:, list(some)]
        before, of = _live(stream, parent, part)
        out += before * (stream.policies[parent.decision.id][parent.rows_of(part)] == k)
    return out, of * len(places)


class Ruled:
    """Rules played: by the choice of every row of a table, and by a column where everything is seen."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._views: dict[int, View] = {}  # one for all rules: what they look at is worked out once

    def by(self, rule: "Played") -> Stream:
        """The duel, played by a rule."""
        out = copy(self.stream)
        out.answers, out.policies, out.said = {}, {}, {}
        for d, sight in out.sights.items():
            if sight.whole:
                out.said[d] = rule.column(sight.decision)
            else:
                out.policies[d] = self._policy(sight, rule)
        return out

    def _policy(self, sight: Sight, rule: "Played") -> NDArray[np.uint8]:
        d = sight.decision.id
        first = np.flatnonzero(sight.labels == np.arange(sight.rows))
        if d not in self._views:
            base = dict(zip(sight.slots, sight.cards_of(first).T, strict=True))
            self._views[d] = view_at(sight.decision, len(first), base, {})
        said = np.zeros(sight.rows, np.uint8)
        said[first] = rule.answers(sight.decision, self._views[d])
        out: NDArray[np.uint8] = said[sight.labels]
        return out


def rule_costs(stream: Stream, denominator: int, rules: Sequence["Played"]) -> list[Fraction]:
    """What each rule gives up: how much less its rounds bring than those of the best play."""
    ruled, best = Ruled(stream), _brings(stream)
    lost = (best - _brings(ruled.by(rule)) for rule in rules)
    return [Fraction(x, stream.total * denominator) for x in lost]


def _brings(stream: Stream) -> int:
    return sum(int(n) * int(u) for n, u in zip(stream.law(), stream.units, strict=True))
