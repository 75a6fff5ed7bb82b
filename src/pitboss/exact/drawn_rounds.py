"""Many rounds of a drawing game at the same place of its graph, and numbers for the positions that they are in."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pitboss.exact.drawn_alike import mixed
from pitboss.exact.plan import TooLarge
from pitboss.rules.graph import Deal, Node, Times

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
DRAW, DECIDE, STOP = 0, 1, 2
PART, DONE, BEGUN = 3, 4, 5
"""Halts of the walk only. PART: the hand is split. DONE: it is played, and another one gets its card. BEGUN: a hand of
a split is about to get its second card."""
OPENING, PLAY, DEALING = range(3)
OWN, BEFORE, AFTER = range(3)
"""Whose turn it is: the hand's that is followed, another's before it, another's after it."""
MOST_PACKED = 1 << 62
MOST_LISTS = 1 << 16
MOST_STEPS = 20_000
UP = 1 << 20  # the up-card's class, kept beside the slots of cards and registers
LABEL = UP + 4  # how a round ends
PAIR, WAY, GOAL = UP + 1, UP + 2, UP + 3  # the class that was split, how others play, how many hands they make
WAYS = ((0, 0.0), (1, 0.9), (2, 0.5), (0, 0.9), (-1, 1.0), (1, 0.3))
"""How other hands are played: the number of the choice that is taken, and how far up the classes their cards are."""
IN_TURN = "the hands of a split are not played one after the other"


@dataclass(frozen=True)
class Label:
    """How a round without a split can end for the main wager and those that raise it, or one hand of a split."""

    name: str
    net: Fraction
    staked: Fraction


@dataclass(frozen=True, eq=False)
class Rounds:
    """Rounds that are at the same place of the graph: before event `at` of the node, or past its last event."""

    node: Node
    at: int
    base: Mapping[int, Ints]  # by slot
    tag: Ints
    bank: Floats  # what wagers that are settled before play have brought
    bets: tuple[tuple[str, Times], ...] = ()
    shown: bool = False  # the dealer has shown his hidden card
    hand: int = 1  # the hand that is followed
    turn: int = OWN
    hands: int = 1  # how many there are
    full: int = 1  # hands that have got their second card
    plan: tuple[tuple[int, ...], ...] = ()  # by way of playing: hands that there shall be when each other hand is full
    again: bool = False  # another hand is a pair, to be split again

    def take(self, some: Ints | NDArray[np.bool_], tag: Ints | None = None) -> "Rounds":
        base = {slot: v[some] for slot, v in self.base.items()}
        return replace(self, base=base, tag=self.tag[some] if tag is None else tag, bank=self.bank[some])

    @property
    def place(self) -> tuple[int, ...]:
        """Where the rounds are, comparable."""
        return self.node.id, self.at, self.hand, self.hands, self.full


def together(several: list[Rounds]) -> Rounds:
    """Rounds at the same place as one."""
    if len(several) == 1:
        return several[0]
    base = {slot: np.concatenate([r.base[slot] for r in several]) for slot in several[0].base}
    tag = np.concatenate([r.tag for r in several])
    return replace(several[0], base=base, tag=tag, bank=np.zeros(len(tag)), bets=())


def in_order(*sizes: int) -> Ints:
    """A row for every way to take one of so many, one after the other: (0, 0), (0, 1) ... of none, one empty row."""
    rows = int(np.prod(sizes, dtype=np.int64))
    return np.stack(np.unravel_index(np.arange(rows), sizes), 1) if sizes else np.zeros((1, 0), np.int64)


def next_slot(deal: Deal, base: Mapping[int, Ints]) -> int | None:
    """Where the next card of a deal goes; None when it is complete."""
    return next((slot for slot in deal.slots if slot not in base), None)


class Lists:
    """What depends on the hidden cards: lists of its value by hidden cards (-1: these end the round), numbered."""

    def __init__(self, wide: int) -> None:
        self.wide = wide  # ways in which the hidden cards can be
        self._known: dict[bytes, int] = {}
        self._lists: list[Ints] = []

    def numbers(self, lists: Ints) -> Ints:
        some, back = np.unique(lists, axis=0, return_inverse=True)
        out = []
        for values in some:
            name = values.tobytes()
            if name not in self._known:
                self._known[name] = len(self._lists)
                self._lists.append(values)
            out.append(self._known[name])
        if len(self._lists) > MOST_LISTS:
            raise TooLarge("the marks of this game keep too much that depends on the hidden cards")
        return np.array(out, np.int64)[back.reshape(-1)]

    def every(self) -> Ints:
        return np.array(self._lists, np.int64).reshape(-1, self.wide)


class Numbers:
    """Numbers for positions: the same place with the same values is the same position."""

    def __init__(self, ranges: dict[int, tuple[int, int]], needs: Mapping[int, frozenset[int]]) -> None:
        """`needs`: by node, the slots that something looks at from there on."""
        self.ranges, self.needs, self.size = ranges, needs, 0
        self.known: dict[tuple[tuple[int, ...], tuple[int, ...]], dict[int, int]] = defaultdict(dict)

    def number(
        self, r: Rounds, slots: frozenset[int], ways: int = 1, by: "tuple[int, Mapping[int, Ints]] | None" = None
    ) -> tuple[Ints, Rounds]:
        """The position of each round by the values of these slots, and those never met before, tagged with their
        numbers. Each round comes in so many ways of the other hands, which must be alike. `by`: a mark, and the values
        that the round will have there, to be judged by instead; or an end, and how the round ends."""
        needs = self.needs[by[0] if by else r.node.id] | {UP, LABEL}
        others = {s for g in r.node.groups if g.hand != r.hand for s in g.slots} if ways > 1 else ()
        base, place = (by[1], (-1 - by[0], *r.place[2:])) if by else (r.base, r.place)
        seen = tuple(sorted(s for s in base if s in needs and (s in slots or (s >= 0 and s not in others))))
        code, room = np.zeros(len(r.tag), np.int64), 1
        for slot in seen:
            lo, hi = self.ranges.get(slot, (0, 51))
            code, room = code * (hi - lo + 1) + base[slot] - lo, room * (hi - lo + 1)
        if room > MOST_PACKED:
            code = mixed(np.column_stack([base[slot] for slot in seen])).astype(np.int64)
        if ways > 1:
            every = code.reshape(-1, ways)
            code = every[:, 0]
            if (every != code[:, None]).any():
                raise TooLarge("what one hand of a split may do depends on the others")
        codes, first, back = np.unique(code, return_index=True, return_inverse=True)
        table = self.known[place, seen]
        ids, fresh = np.zeros(len(codes), np.int64), []
        for i, value in enumerate(codes.tolist()):
            if value not in table:
                table[value] = self.size
                self.size += 1
                fresh.append(i)
            ids[i] = table[value]
        rows = (first[fresh][:, None] * ways + np.arange(ways)).reshape(-1)
        return ids[back], r.take(rows, np.repeat(ids[fresh], ways))
