"""What a wager is worth when these cards are left: its expectation as a polynomial in how many there are of each.

The chance of being dealt some cards is a product of counts, so the expectation of a wager on few cards is a sum of such
products: what the round pays for each deal, read once from the game's graph, times the ways to deal it. Decisions are a
maximum over the sums for what the player sees. Counts are whole numbers, and so are all sums: a shoe is favourable or
it is not, without rounding.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm, perm
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import JOKER, Composition, suit_of
from pitboss.compile.reference import batch
from pitboss.exact import TooLarge
from pitboss.exact.symmetry import rank_classes
from pitboss.guard.monomials import Monomials, grouped
from pitboss.rules.column import Column
from pitboss.rules.graph import Decide, End, Graph, Node, Settle, When
from pitboss.rules.house import House
from pitboss.rules.operations import SUITS

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Numbers = NDArray[Any]  # whole numbers, in 64 bits or, for many shoes at once, in double precision
MOST_DEALS = 400_000  # of one wager, told apart as far as it looks at them
ROOM = 8_000_000  # numbers held at once
TOGETHER = 1024  # shoes worked at together: they stay near the processor, and small products on one core
STEP, SHOE = 2e-9, 8e-7  # seconds: of one product, and of a shoe besides
EXACT = 1 << 53  # whole numbers below this are exact in double precision, and so are their sums


@dataclass(frozen=True, eq=False)
class _Ending:
    """One end of the round: what it pays for every deal of the cards looked at, those seen first; 0 on other ways."""

    slots: tuple[int, ...]
    pays: Ints
    short: Monomials | None = None  # the same sum in few products, where nothing is seen before


@dataclass(frozen=True, eq=False)
class _Stretch:
    """From one decision, or the start, to the next decisions and ends."""

    seen: tuple[int, ...]
    endings: list[_Ending]
    choices: list[tuple[int, list["_Stretch"]]]  # node id of a decision, and what follows each choice


class Polynomial:
    """The expectation of one wager before the deal, and all that is bet along with it, for any shoe."""

    states: ClassVar[int | None] = None  # every round is worked out
    together: ClassVar[int] = 1

    @property
    def at_once(self) -> "Polynomial":
        return self

    def __init__(self, house: House, wager: str, graph: Graph) -> None:
        self.house, self.wager = house, wager
        self.graph = graph
        if self.graph.open_ended:
            raise TooLarge("hands of any number of cards have no polynomial")
        self._stake = house.stake_on(wager)
        columns = [c for point in self.graph.nodes for c in self._looks(point)]
        if any(_mentions(c, "carried") for c in columns):
            raise TooLarge("the wager depends on what a seat carries over")
        self.kind_of, self.kinds = card_kinds(columns, graph.codes)  # card -> kind; kind -> one card of it
        nets = [n for end in self.graph.ends() for s in self._own(end) for n in self._nets(end, s.wager, s.rows.names)]
        self.unit = lcm(*(n.denominator for n in nets))
        self.cards = 0
        self._root = self._stretch(self.graph.root, (), ())

    @property
    def decides(self) -> bool:
        """Whether the player has a choice to make."""
        return any(self.graph.decisions())

    @property
    def by_suit(self) -> bool:
        """Whether suits matter to the wager."""
        return self.kind_of[0] != self.kind_of[1]

    # ---- from the graph

    def _own(self, end: End) -> list[Settle]:
        return [s for s in end.settled if self.house.lead(s.wager) == self.wager]

    def _looks(self, point: Node) -> list[Column]:
        if isinstance(point, When):
            return [point.condition]
        return [s.rows.index for s in self._own(point)] if isinstance(point, End) else []

    def _nets(self, end: End, wager: str, rows: tuple[str, ...]) -> list[Fraction]:
        times = Fraction(end.bets.get(wager, 1))
        return [times * self.house.net(wager, row, self._stake * times) if times else Fraction(0) for row in rows]

    def _stretch(self, start: Node, path: tuple[tuple[Column, bool], ...], seen: tuple[int, ...]) -> _Stretch:
        found = _Stretch(seen, [], [])

        def walk(point: Node, way: tuple[tuple[Column, bool], ...]) -> None:
            if isinstance(point, End):
                found.endings.append(self._ending(point, way, seen))
            elif isinstance(point, When):
                for kid, answer in zip(point.kids, (True, False), strict=True):
                    walk(kid, (*way, (point.condition, answer)))
            elif isinstance(point, Decide):
                more = tuple(s for g in point.seen() for s in g.slots if s not in seen)
                found.choices.append((point.id, [self._stretch(kid, way, (*seen, *more)) for kid in point.kids]))

        walk(start, path)
        return _Stretch(seen, self._merged(found.endings, seen), found.choices)

    def _merged(self, endings: list[_Ending], seen: tuple[int, ...]) -> list[_Ending]:
        """Ends that look at the same cards are one: each pays nothing on the ways to the others."""
        pays: dict[tuple[int, ...], Ints] = {}
        for e in endings:
            pays[e.slots] = pays[e.slots] + e.pays if e.slots in pays else e.pays
        return [_Ending(slots, p, self._short(p) if slots and not seen else None) for slots, p in pays.items()]

    def _short(self, pays: Ints) -> Monomials | None:
        found = Monomials.of(pays, self._groupings)
        return found if found.products <= 2 * pays.size // len(self.kinds) else None

    def _ending(self, end: End, way: tuple[tuple[Column, bool], ...], seen: tuple[int, ...]) -> _Ending:
        used = frozenset[int]().union(*(c.slots for c in self._looks(end)), *(c.slots for c, _ in way))
        slots = (*seen, *sorted(used - set(seen)))
        self.cards = max(self.cards, len(slots))
        if len(self.kinds) ** len(slots) > MOST_DEALS:
            raise TooLarge(f"the wager looks at {len(slots)} cards together")
        many = len(self.kinds) ** len(slots)
        grid = np.indices((len(self.kinds),) * len(slots)).reshape(len(slots), many)
        base = {slot: np.array(self.kinds, np.int64)[grid[i]] for i, slot in enumerate(slots)}
        pays: Ints = np.zeros(many, np.int64)
        for s in self._own(end):
            nets = np.array([int(n * self.unit) for n in self._nets(end, s.wager, s.rows.names)], np.int64)
            pays += np.take(nets, batch(s.rows.index, base, {}, many), mode="clip")  # not all of them come here
        for condition, answer in way:
            pays *= (batch(condition, base, {}, many) != 0) == answer
        return _Ending(slots, pays.reshape((len(self.kinds),) * len(slots)))

    @cached_property
    def _groupings(self) -> list[list[int]]:
        """Kinds of cards taken together: all, by rank, by suit, and none."""
        by_rank_of = {c >> 2 for c in range(len(self.kind_of))}
        ranks = sorted({tuple(k for c, k in enumerate(self.kind_of) if c >> 2 == r) for r in by_rank_of})
        by_rank = [next(i for i, kinds in enumerate(ranks) if k in kinds) for k in range(len(self.kinds))]
        suits = [suit_of(card) for card in self.kinds] if self.by_suit else by_rank
        return [[0] * len(self.kinds), by_rank, suits, list(range(len(self.kinds)))]

    # ---- from counts to expectations

    @cached_property
    def _ends(self) -> int:
        return 1 + sum(1 for _ in self.graph.ends())

    @cached_property
    def seconds(self) -> float:
        """Of one shoe among many, on one core of an ordinary machine."""
        kinds = len(self.kinds)

        def steps(stretch: _Stretch) -> float:
            seen, out = kinds ** len(stretch.seen), 0.0
            for e in stretch.endings:
                if e.short is not None:
                    out += self.cards * e.short.products
                else:
                    out += e.pays.size / 8 + 2 * e.pays.ndim * e.pays.size / kinds + 2 * len(stretch.seen) * seen
            for kid in (kid for _, kids in stretch.choices for kid in kids):
                out += steps(kid) + 5 * float(kinds ** len(kid.seen))
            return out

        return SHOE + STEP * steps(self._root)

    @cached_property
    def _largest(self) -> int:
        def top(stretch: _Stretch) -> int:
            own = [int(np.abs(e.pays).max(initial=0)) for e in stretch.endings]
            return max([*own, *(top(s) for _, kids in stretch.choices for s in kids)], default=0)

        return top(self._root)

    def policy(self, shoe: Composition) -> dict[int, Ints]:
        """Decision -> the best choice for every card or cards seen, when this is what is left in the shoe."""
        out: dict[int, Ints] = {}
        self._sums(self._root, self._left(np.array([shoe])), out, best=True)
        return {point: taken[..., 0] for point, taken in out.items()}

    def expectations(self, shoes: Ints, policy: dict[int, Ints] | None = None) -> Floats:
        """What a unit on the wager brings for each of these shoes (rows of counts): played as well as can be for
        that shoe, or by one policy. Correctly rounded: the sums are whole."""
        out = np.zeros(len(shoes))
        step = self._together
        for i in range(0, len(shoes), step):
            left = self._left(shoes[i : i + step])
            sums = self._sums(self._root, left, dict(policy or {}), best=policy is None)
            out[i : i + step] = sums / (self._deals(left.sum(0), self.cards) * self.unit)
        return out

    def expectation(self, shoe: Composition) -> Fraction:
        """The same of one shoe, as a fraction."""
        return self.each([shoe])[0]

    def each(self, shoes: Sequence[Composition]) -> list[Fraction]:
        """The same of many shoes."""
        out: list[Fraction] = []
        step = self._together
        for i in range(0, len(shoes), step):
            left = self._left(np.array(shoes[i : i + step]), np.int64)
            sums = self._sums(self._root, left, {}, best=True).tolist()
            out += [Fraction(n, perm(sum(s), self.cards) * self.unit) for n, s in zip(sums, shoes[i:], strict=False)]
        return out

    def _left(self, shoes: Ints, kind: type = np.float64) -> Numbers:
        """Kinds x shoes: how many there are of each."""
        left = grouped(np.ascontiguousarray(shoes.T, kind), np.array(self.kind_of))
        if not self._fits(self._largest, left):
            raise TooLarge("the pays of this wager are too large to add up exactly")
        return left

    def _fits(self, pays: int, left: Numbers) -> bool:
        """Whether all sums of such pays stay exact."""
        most: int = int(left.sum(0).max(initial=0)) ** self.cards * self._ends * pays
        return most < (EXACT if left.dtype == np.float64 else 1 << 62)

    @cached_property
    def _together(self) -> int:
        """Shoes that there is room for at once."""
        return min(TOGETHER, max(1, ROOM // int(len(self.kinds) ** max(1, self.cards - 1))))

    def _deals(self, cards: Numbers, count: int) -> Numbers:
        out = np.ones_like(cards)
        for i in range(count):
            out = out * (cards - i)
        return out

    def _sums(self, stretch: _Stretch, left: Numbers, policy: dict[int, Ints], best: bool) -> Numbers:
        """Pays x ways to deal `cards` cards, by what is seen (leading axes) and by shoe (last)."""
        total = left.sum(0)
        shape = (len(self.kinds),) * len(stretch.seen) + (left.shape[1],)
        out: Numbers = np.zeros(shape, left.dtype)
        for e in stretch.endings:
            more = self._deals(total - len(e.slots), self.cards - len(e.slots))  # cards that this end does not look at
            if e.short is not None and self._fits(e.short.most, left):
                out += e.short.sums(left) * more
            else:
                out += _ways(_summed(e.pays, left, len(stretch.seen)), left, len(stretch.seen)) * more
        for point, kids in stretch.choices:
            values = np.stack([self._sums(kid, left, policy, best) for kid in kids])
            if best:
                policy[point] = values.argmax(0)
            taken = policy[point] if policy[point].ndim == values.ndim - 1 else policy[point][..., None]
            chosen = np.take_along_axis(values, np.broadcast_to(taken, values.shape[1:])[None], 0)[0]
            out += chosen.sum(axis=tuple(range(len(stretch.seen), len(kids[0].seen))))
        return out


def _summed(pays: Ints, left: Numbers, seen: int) -> Numbers:
    """Sum over all cards but those seen, last card first. A card that an earlier one of the deal has taken is one less:
    sum of p(a..c) * (n(c) - [c = a] - ...)."""
    kinds = len(left)
    now: Numbers = np.broadcast_to(pays.astype(left.dtype)[..., None], (*pays.shape, 1))
    for place in range(pays.ndim - 1, seen - 1, -1):
        if now.shape[-1] == 1:  # the first sum is the large one: a product of matrices
            whole = now[..., 0].reshape(-1, kinds) @ left
            total = whole.reshape((kinds,) * place + (left.shape[1],))
        else:
            total = (now * left).sum(-2)
        grid = np.ogrid[(slice(kinds),) * place]
        for earlier in range(place):
            total = total - now[(*grid, grid[earlier])]
        now = total
    return now


def _ways(values: Numbers, left: Numbers, seen: int) -> Numbers:
    """Times the ways to deal the cards seen."""
    kinds = len(left)
    for place in range(seen):
        count = left.reshape((1,) * place + (kinds,) + (1,) * (seen - place - 1) + (-1,))
        grid = np.ogrid[(slice(kinds),) * seen]
        for earlier in range(place):
            count = count - (grid[earlier] == grid[place])[..., None]
        values = values * count
    return values


def card_kinds(columns: Iterable[Column], codes: int = 52) -> tuple[list[int], list[int]]:
    """Cards that these columns cannot tell apart are one kind: card -> kind, and kind -> one card of it."""
    columns = list(columns)
    whole = any(_mentions(c, "card", below=("rank", *SUITS)) for c in columns)
    suits = any(_mentions(c, op) for c in columns for op in SUITS)
    ranks = [(r,) for r in range(JOKER + 1)] if whole else rank_classes(columns)
    class_of = {JOKER: -1} | {rank: i for i, together in enumerate(ranks) for rank in together}
    keys = [(class_of[card >> 2], card & 3 if whole else suit_of(card) if suits else 0) for card in range(codes)]
    names = sorted(set(keys))
    return [names.index(k) for k in keys], [keys.index(n) for n in names]


def _mentions(col: Column, op: str, below: tuple[str, ...] = ()) -> bool:
    """Whether an operation occurs in an expression, other than right under one of `below`."""
    seen: set[int] = set()

    def look(c: Column) -> bool:
        if c.uid in seen:
            return False
        seen.add(c.uid)
        if c.op == op:
            return True
        return c.op not in below and any(look(a) for a in c.args if isinstance(a, Column))

    return look(col)
