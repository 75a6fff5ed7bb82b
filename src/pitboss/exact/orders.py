"""Orders in which cards leave a shoe, counted for many shoes at once.

Which hands can come about, and which cards are gone by then, is the same for every shoe; only how many are left of each
card differs. So the hands are laid out once, level by level, as arrays: a level has a *place* for every state together
with the cards gone, and an *edge* for every card that leads from a place to one of the next level, or to a row of the
pay table. A shoe's counts then run through the levels as products and sums, many shoes side by side.

The counts have a hundred bits and more and stay whole numbers: they are kept in digits small enough that a sum of
products of one level cannot overflow 64 bits, and carried after every level.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Composition

Ints = NDArray[np.int64]
GONE = 16  # bits per class of cards, in the number that says which are gone
ROOM = 1 << 20  # edges x shoes that one core works at together
CORES = 2


class RunsOut(Exception):
    """A shoe is empty in the middle of a hand."""


@dataclass(frozen=True, eq=False)
class _Edges:
    """Cards that lead on from one level, in the order of where they lead."""

    parent: Ints  # place of this level
    card: Ints  # class of the card, or value
    taken: Ints  # how many of these are gone before
    child: Ints  # where the edges lead, each once
    first: Ints  # of the edges that lead there

    @classmethod
    def sorted(cls, rows: list[tuple[int, int, int, int]]) -> "_Edges":
        """Of (child, parent, card, taken)."""
        there, parent, card, taken = np.array(rows, np.int64).reshape(-1, 4).T
        order = np.argsort(there, kind="stable")
        child, first = np.unique(there[order], return_index=True)
        return cls(parent[order], card[order], taken[order], child, first.astype(np.int64))

    @cached_property
    def most(self) -> int:
        """Edges that lead to one place."""
        return int(np.diff(self.first, append=len(self.parent)).max(initial=1))


@dataclass(frozen=True)
class Hands:
    """States by number. From a state one goes, by the class of the next card (value * 4 + suit), to another state, or
    to -1 less the row that pays. Of a blind state only every fourth class is looked at: suits make no difference."""

    start: int
    onward: list[list[int]]
    blind: list[bool]
    value_of: list[int]  # by rank
    rows: int

    @property
    def values(self) -> int:
        return max(self.value_of) + 1


class Orders:
    """The levels of a hand, and the count of many shoes."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        self._room: Ints = np.zeros(5 * hands.values, np.int64)  # most cards of each class, and value, of any shoe yet
        self._levels: list[tuple[_Edges, _Edges]] = []  # to places of the next level, and to rows

    def many(self, shoes: Sequence[Composition]) -> Iterator[tuple[list[int], int]]:
        """Of every shoe: orders by row, and in all."""
        left = self._left(shoes)
        if not left.any(0).all():
            raise RunsOut
        if len(shoes) and (left.max(1) > self._room).any():
            self._room = np.maximum(self._room, left.max(1))
            self._levels = list(self._grow())
        together = max(1, ROOM // max((len(e.parent) for level in self._levels for e in level), default=1))
        together = min(together, -(-len(shoes) // CORES)) or 1
        parts = [left[:, i : i + together] for i in range(0, len(shoes), together)]
        if len(parts) == 1:
            yield from self._count(parts[0])
            return
        with ThreadPoolExecutor(CORES) as pool:
            for found in pool.map(self._count, parts):
                yield from found

    def _left(self, shoes: Sequence[Composition]) -> Ints:
        """(Classes and values) x shoes: how many there are of each."""
        of: Ints = np.zeros((5 * self.hands.values, 52), np.int64)
        for card in range(52):
            value = self.hands.value_of[card >> 2]
            of[4 * value + (card & 3), card] = of[4 * self.hands.values + value, card] = 1
        out: Ints = of @ np.array(shoes, np.int64).reshape(-1, 52).T
        return out

    # ---- the levels

    def _grow(self) -> Iterator[tuple[_Edges, _Edges]]:
        """All that can come about in a shoe with as many of each card as any shoe has."""
        hands, room = self.hands, self._room.tolist()
        values, mask = hands.values, (1 << GONE) - 1
        forgotten: dict[int, int] = {}

        def forget_suits(gone: int) -> int:
            if gone not in forgotten:
                by_class = [gone >> GONE * c & mask for c in range(4 * values)]
                forgotten[gone] = sum(sum(by_class[4 * v : 4 * v + 4]) << GONE * v for v in range(values))
            return forgotten[gone]

        level = {(hands.start, 0): 0}
        while level:
            after: dict[tuple[int, int], int] = {}
            on: list[tuple[int, int, int, int]] = []
            ends: list[tuple[int, int, int, int]] = []
            for (state, gone), place in level.items():
                blind = hands.blind[state]
                cards = range(4 * values, 5 * values) if blind else range(4 * values)
                onward = hands.onward[state][::4] if blind else hands.onward[state]
                for c, (card, there) in enumerate(zip(cards, onward, strict=True)):
                    taken = gone >> GONE * c & mask
                    if taken >= room[card]:
                        continue
                    if there < 0:
                        ends.append((-1 - there, place, card, taken))
                        continue
                    now = gone + (1 << GONE * c)
                    if not blind and hands.blind[there]:
                        now = forget_suits(now)
                    on.append((after.setdefault((there, now), len(after)), place, card, taken))
            yield _Edges.sorted(on), _Edges.sorted(ends)
            level = after

    # ---- the count

    def _count(self, left: Ints) -> list[tuple[list[int], int]]:
        """Shoes side by side. A place that a shoe cannot reach has zero orders: one of the factors is zero."""
        cards = left[4 * self.hands.values :].sum(0)
        most = max((e.most for level in self._levels for e in level), default=1)
        width = 62 - int(left.max(initial=1)).bit_length() - most.bit_length()  # of a digit, see above
        digits = [np.ones((1, left.shape[1]), np.int64)]
        ended: list[NDArray[Any]] = []  # by level: rows x shoes
        drawn: Ints = np.zeros(left.shape[1], np.int64)
        for on, ends in self._levels:
            alive = np.any([d.any(0) for d in digits], axis=0)
            if (alive & (len(ended) >= cards)).any():
                raise RunsOut
            drawn += alive
            rows: NDArray[Any] = np.zeros((self.hands.rows, left.shape[1]), object)
            if len(ends.child):
                for place, digit in enumerate(_next(digits, ends, left, width)):
                    rows[ends.child] += digit.astype(object) << width * place
            ended.append(rows)
            if not len(on.child):
                break
            digits = _next(digits, on, left, width)
        out = []
        for shoe, (n, last) in enumerate(zip(cards.tolist(), drawn.tolist(), strict=True)):
            total = np.zeros(self.hands.rows, object)
            for length, rows in enumerate(ended[:last], 1):
                total += rows[:, shoe] * perm(n - length, last - length)
            out.append((total.tolist(), perm(n, last)))
        return out


def _next(digits: list[Ints], edges: _Edges, left: Ints, width: int) -> list[Ints]:
    """Orders at the ends of these edges, digit by digit, the lowest first."""
    factor = left[edges.card] - edges.taken[:, None]
    carry, out = np.zeros(1, np.int64), []
    for digit in digits:
        sums = np.add.reduceat(digit[edges.parent] * factor, edges.first, axis=0) + carry
        carry = sums >> width
        out.append(sums & (1 << width) - 1)
    return [*out, carry] if carry.any() else out
