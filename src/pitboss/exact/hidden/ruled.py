"""The decisions of a duel as rows, for a rule that can be remembered, and what such a rule costs.

A decision whose rows are too many to list is left out, and played as well as can be.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitboss.exact.hidden.deals import Ints
from pitboss.exact.hidden.passes import Group, Stream, narrowed
from pitboss.exact.hidden.sights import Sight
from pitboss.thumb.solved import Solved, view_at

if TYPE_CHECKING:
    from pitboss.thumb import Played

MOST_LISTED = 1_000_000  # rows of a decision in which a rule is looked for


def listed(stream: Stream) -> list[Sight]:
    """The decisions whose rows can be looked through."""
    every = sum(group.rows for group in stream.groups)
    before = [s for s in stream.sights.values() if not s.whole]
    return [
        s
        for s in stream.sights.values()
        if (not before and every <= MOST_LISTED if s.whole else s.rows <= 4 * MOST_LISTED and _few(s))
    ]


def _few(sight: Sight) -> bool:
    return int((sight.labels == np.arange(sight.rows))[sight.weights > 0].sum()) <= MOST_LISTED


def solved_rows(stream: Stream, solved: "dict[int, Ints]", denominator: int) -> list[Solved]:
    out = []
    for sight in listed(stream):
        weight, cells, worth = whole_rows(stream, sight) if sight.whole else table_rows(stream, sight, solved)
        there = stream.reached(sight, cells, sight.slots) & (weight > 0)
        live = np.array([f > 0 for f in _live(stream, sight, cells, stream.policies)])
        out.append(
            Solved(
                sight.decision,
                sight.slots,
                cells[there],
                weight[there].astype(object),
                stream.total,
                worth[:, there].astype(object),
                stream.total * denominator,
                live[there],
            )
        )
    return out


def table_rows(stream: Stream, sight: Sight, solved: "dict[int, Ints]") -> tuple[Ints, NDArray[np.uint8], Ints]:
    """Ways, cards, and the worth of choices: one row for all that are alike."""
    first = np.flatnonzero((sight.labels == np.arange(sight.rows)) & (sight.weights > 0))
    alike = np.bincount(sight.labels, weights=sight.weights, minlength=sight.rows).astype(np.int64)[first]
    each = stream.total // int(alike.sum())
    return alike * each, sight.cards_of(first), solved[sight.decision.id][first].T


def whole_rows(stream: Stream, sight: Sight) -> tuple[Ints, NDArray[np.uint8], Ints]:
    parts = [_rows_in(stream, sight, group) for group in stream.groups]
    dealt, cards, found = (np.concatenate(x) for x in zip(*parts, strict=True))
    hidden = stream.total // int(dealt.sum())
    return dealt * hidden, cards, found.T * dealt * len(stream.ways)


def _rows_in(stream: Stream, sight: Sight, group: Group) -> tuple[Ints, NDArray[np.uint8], Ints]:
    """Deals, cards and worth of the rows of some boards."""
    boards, own = group.boards, group.own
    apart = np.bitwise_and.outer(boards.masks, own.masks).ravel() == 0
    dealt = np.multiply.outer(boards.weight, own.weight).ravel() * apart
    return dealt, _cards_in(group), stream.rows(group)[sight.decision.id].reshape(len(dealt), -1)


def _cards_in(group: Group) -> NDArray[np.uint8]:
    boards, own = group.boards.cards, group.own.cards
    return np.concatenate([np.repeat(boards, len(own), 0), np.tile(own, (len(boards), 1))], 1)


def _live(
    stream: Stream, sight: Sight, cells: NDArray[np.uint8], policies: "dict[int, NDArray[np.uint8]]"
) -> list[Fraction]:
    """Per row: how much of it the choices before lead to."""
    above = stream.above(sight.decision)
    if above is None:
        return [Fraction(1)] * len(cells)
    parent, k = stream.sights[above[0]], above[1]
    places = list(narrowed((*sight.board_sizes, *sight.own_sizes), (*parent.board_sizes, *parent.own_sizes)))
    out = [Fraction(0)] * len(cells)
    for some in places:
        rows = parent.rows_of(cells[:, list(some)])
        goes = policies[parent.decision.id][rows] == k
        before = _live(stream, parent, cells[:, list(some)], policies)
        for i in np.flatnonzero(goes).tolist():
            out[i] += before[i] / len(places)
    return out


def answers(sight: Sight, rule: "Played", cards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """What a rule says to these rows."""
    base = {slot: cards[:, i] for i, slot in enumerate(sight.slots)}
    return rule.answers(sight.decision, view_at(sight.decision, len(cards), base, {}))


def policies_of(stream: Stream, rule: "Played", sights: Iterable[Sight]) -> "dict[int, NDArray[np.uint8]]":
    """Rules as choices, row by row."""
    out = dict(stream.policies)
    for sight in sights:
        if sight.whole:
            cards = np.concatenate([_cards_in(group) for group in stream.groups])
            out[sight.decision.id] = answers(sight, rule, cards).astype(np.uint8)
        else:
            first = np.flatnonzero(sight.labels == np.arange(sight.rows))
            said = np.zeros(sight.rows, np.uint8)
            said[first] = answers(sight, rule, sight.cards_of(first))
            out[sight.decision.id] = said[sight.labels]
    return out


def rule_costs(
    stream: Stream, solved: "dict[int, Ints]", denominator: int, rules: Sequence["Played"]
) -> list[Fraction]:
    """What each rule gives up: over all rows to which it comes, how much less its choice is worth than the best."""
    sights = listed(stream)
    rows = {s.decision.id: whole_rows(stream, s) if s.whole else table_rows(stream, s, solved) for s in sights}
    out = []
    for rule in rules:
        policies, lost = policies_of(stream, rule, sights), Fraction(0)
        for sight in sights:
            weight, cards, worth = rows[sight.decision.id]
            taken = np.take_along_axis(worth, answers(sight, rule, cards)[None, :], 0)[0]
            less = np.where(weight > 0, worth.max(0) - taken, 0)
            less[~stream.reached(sight, cards, sight.slots)] = 0
            wrong = np.flatnonzero(less)
            live = _live(stream, sight, cards[wrong], policies)
            lost += sum((int(x) * f for x, f in zip(less[wrong], live, strict=True)), Fraction(0))
        out.append(lost / (stream.total * denominator))
    return out
