"""Walking the graph of a drawing game, many rounds at a time.

One hand is followed, card by card and choice by choice. The other hands of a split are played in several ways at once:
whatever they do must not matter to the hand that is followed.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pitboss.compile.reference import batch
from pitboss.exact.drawn_flow import Sight, splits
from pitboss.exact.plan import TooLarge
from pitboss.rules.graph import (
    DEALER,
    PLAYER,
    Bet,
    Deal,
    Decide,
    End,
    Graph,
    Jump,
    Mark,
    Node,
    Reveal,
    Settle,
    Split,
    Times,
    When,
)
from pitboss.rules.house import House

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
MOST_STEPS = 20_000
UP = 1 << 20  # the up-card's class, kept beside the slots of cards and registers
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


class Numbers:
    """Numbers for positions: the same place with the same values is the same position."""

    def __init__(self, ranges: dict[int, tuple[int, int]]) -> None:
        self.ranges, self.size = ranges, 0
        self.known: dict[tuple[tuple[int, ...], tuple[int, ...]], dict[int, int]] = defaultdict(dict)

    def number(
        self, r: Rounds, slots: frozenset[int], ways: int = 1, by: "tuple[int, Mapping[int, Ints]] | None" = None
    ) -> tuple[Ints, Rounds]:
        """The position of each round by the values of these slots, and those never met before, tagged with their
        numbers. Each round comes in so many ways of the other hands, which must be alike. `by`: a mark, and the values
        that the round will have there, to be judged by instead."""
        others = {s for g in r.node.groups if g.hand != r.hand for s in g.slots} if ways > 1 else ()
        base, place = (by[1], (-1 - by[0], *r.place[2:])) if by else (r.base, r.place)
        seen = tuple(sorted(s for s in base if s in slots or (0 <= s <= UP and s not in others)))
        code, room = np.zeros(len(r.tag), np.int64), 1
        for slot in seen:
            lo, hi = self.ranges.get(slot, (0, 51))
            code, room = code * (hi - lo + 1) + base[slot] - lo, room * (hi - lo + 1)
        if room > MOST_PACKED:
            raise TooLarge("the marks of this game keep too much to number its positions")
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


class Walker:
    """Walks rounds through the graph from place to place."""

    def __init__(self, house: House, graph: Graph, lead: str) -> None:
        self.house, self.graph, self.lead = house, graph, lead
        self.sight = Sight(house, graph, lead)
        self.classes = self.sight.classes
        self.size = len(self.classes)
        self.codes = np.array([4 * ranks[0] for ranks in self.classes])  # a card to stand for each class
        self.free = {w.name for w in house.wagers if w.free}
        self.raises = {w.name for w in house.wagers if w.during}
        self.labels: list[Label] = []
        self._label_of: dict[Label, int] = {}

    def run(self, start: "Rounds | list[Rounds]", phase: int) -> list[tuple[int, Rounds]]:
        """Walk on until the next card, choice or end. Rounds of the opening halt at the first mark. Rounds that come to
        the same place go on together; those of hands that are played first go first."""
        out: list[tuple[int, Rounds]] = []
        waiting: dict[tuple[int, ...], list[Rounds]] = {}
        todo, steps = [start] if isinstance(start, Rounds) else start, 0
        while todo or waiting:
            if not todo:
                first = min(waiting)
                several = waiting.pop(first)
                todo = [several[0] if len(several) == 1 else together(several)]
            r = todo.pop()
            if len(r.tag):
                at_once: list[Rounds] = []
                self._step(r, phase, out, at_once)
                steps += 1
                for on in at_once:
                    if phase == PLAY and on.turn != OWN and len(on.tag):
                        place = (on.full, on.hands, on.node.id, on.at, on.again, on.shown, *sorted(on.base))
                        waiting.setdefault(place, []).append(on)
                    else:
                        todo.append(on)
            if steps > MOST_STEPS:
                raise TooLarge("a hand of this game can be played for ever")
        return out

    def _step(self, r: Rounds, phase: int, out: list[tuple[int, Rounds]], todo: list[Rounds]) -> None:
        node = r.node
        for at in range(r.at, len(node.events)):
            event = node.events[at]
            if isinstance(event, Deal):
                if phase == OPENING and event.slots[0] in r.base:
                    continue
                if phase == DEALING and event.who == DEALER:
                    return out.append((DRAW, replace(r, at=at)))
                if phase != PLAY or len(event.slots) != 1 or event.who not in (PLAYER, DEALER):
                    raise TooLarge("cards are dealt in an order that an analysis of drawing games does not know")
                if event.who == DEALER:
                    return out.append((STOP, replace(r, at=at)))
                return self._card(replace(r, at=at), event, out, todo)
            elif isinstance(event, Reveal) and event.who == DEALER:
                r = replace(r, shown=True)
            elif isinstance(event, Split):
                if phase != PLAY or (event.hand, event.to) != (r.full, r.hands + 1):
                    raise TooLarge(IN_TURN)
                if r.turn == OWN:
                    return out.append((PART, r))
                r = replace(r, hands=r.hands + 1, full=r.full - 1, again=False)
            elif isinstance(event, Bet):
                r = replace(r, bets=(*r.bets, (event.wager, event.times)))
            elif isinstance(event, Settle) and phase == OPENING and event.wager in self.sight.before:
                r = replace(r, bank=r.bank + self._net_of(event, r))
        r = replace(r, at=len(node.events))
        if isinstance(node, End):
            out.append((STOP, r))
        elif isinstance(node, Decide):
            if phase == DEALING or r.shown:
                raise TooLarge("the player decides after the dealer has shown his cards")
            if r.turn == OWN:
                out.append((DECIDE, r))
            else:
                self._anyhow(r, node, todo)
        elif isinstance(node, When):
            if phase == PLAY and node.condition.slots & self.sight.hidden:
                raise TooLarge("the hidden card matters while the player plays")
            true = batch(node.condition, r.base, {}, len(r.tag)) != 0
            for kid, some in zip(node.kids, (true, ~true), strict=True):
                todo.append(replace(r.take(some), node=kid, at=0))
        elif isinstance(node, Mark | Jump):
            if phase == OPENING:
                return out.append((STOP, r))
            on = self.past_mark(node, r)
            if phase == PLAY and r.shown:
                return out.append((STOP, on))
            todo.append(on)

    def _card(self, r: Rounds, deal: Deal, out: list[tuple[int, Rounds]], todo: list[Rounds]) -> None:
        """A card for the player: the hand that is followed halts for it, another gets what its way of playing has."""
        if deal.hand not in (r.full, r.full + 1) or deal.hand > r.hands:
            raise TooLarge(IN_TURN)
        on = replace(r, full=deal.hand, again=False)
        if r.turn == OWN:
            return out.append((DRAW, on) if deal.hand == r.hand else (DONE, r))
        if r.again and r.turn == BEFORE:
            return  # this pair cannot be split again
        second = deal.hand == r.full + 1
        more = r.base[GOAL] > r.hands if second else np.zeros(len(r.tag), bool)
        if second and r.plan:
            more &= np.array(r.plan)[r.base[WAY], deal.hand - 1] > r.hands
        if r.turn == BEFORE and deal.hand == r.hand:
            if not more.all():
                return out.append((BEGUN, on))
        elif r.turn == AFTER and deal.hand <= r.hand:
            raise TooLarge(IN_TURN)
        dealt = np.array([round(part * (self.size - 1)) for _, part in WAYS])[r.base[WAY]]
        if second:
            dealt = np.where(more, r.base[PAIR], np.where(dealt == r.base[PAIR], (dealt + 1) % self.size, dealt))
        on = replace(on, at=r.at + 1, base={**r.base, deal.slots[0]: self.codes[dealt]})
        todo += [replace(on.take(~more)), replace(on.take(more), again=True)]

    def _anyhow(self, r: Rounds, node: Decide, todo: list[Rounds]) -> None:
        """Another hand chooses: its way of playing says what."""
        parting = [i for i, kid in enumerate(node.kids) if splits(kid)]
        if r.again and parting:
            return todo.append(replace(r, node=node.kids[parting[0]], at=0))
        if r.again and r.turn == BEFORE:
            return
        others = [i for i in range(len(node.kids)) if i not in parting]
        chosen = np.array([others[min(i, len(others) - 1)] for i, _ in WAYS])[r.base[WAY]]
        for i in others:
            todo.append(replace(r.take(chosen == i), node=node.kids[i], at=0, again=False))

    def past_mark(self, node: Mark | Jump, r: Rounds) -> Rounds:
        """Behind a mark: what it has kept, as far as anything ever looks at it again."""
        base: dict[int, Ints] = {slot: r.base[slot] for slot in (UP, PAIR, WAY, GOAL) if slot in r.base}
        for slot, value in zip(node.target.slots, node.values, strict=True):
            if slot not in self.sight.live:
                continue
            if UP in r.base and value.slots & self.sight.hidden and value.op != "register":
                raise TooLarge("the hidden card is counted before it is shown")
            base[slot] = batch(value, r.base, {}, len(r.tag))
        return replace(r, node=node.target.kids[0], at=0, base=base)

    def to_come(self, r: Rounds, slots: frozenset[int]) -> "tuple[int, Mapping[int, Ints]] | None":
        """The next mark, and what these slots will be there if that is known by now: before another hand's card."""
        node = r.node
        if not isinstance(node, Mark | Jump):
            return None
        base: dict[int, Ints] = {UP: r.base[UP]}
        for slot, value in zip(node.target.slots, node.values, strict=True):
            if slot in slots:
                if not value.slots <= r.base.keys():
                    return None
                base[slot] = batch(value, r.base, {}, len(r.tag))
        return node.target.id, base

    def _net_of(self, settle: Settle, r: Rounds) -> Floats:
        """What a wager that is settled before the play brings, per unit of the lead wager."""
        placed = {**r.node.standing.bets, **dict(r.bets)}  # a bonus is placed by being settled
        times = Fraction(placed.get(settle.wager, 0))
        nets = [float(self._money(settle.wager, name, times)) for name in settle.rows.names]
        return np.array(nets)[batch(settle.rows.index, r.base, {}, len(r.tag))]

    def _money(self, wager: str, row: str, times: Times) -> Fraction:
        """What a row brings on so many times the lead wager, in units of that."""
        return times * self.house.net(wager, row, times * self.house.stake_on(self.lead)) if times else Fraction(0)

    def ends(self, r: Rounds) -> Ints:
        """The label of each round that has ended, for the hand that is followed."""
        end = r.node
        assert isinstance(end, End)
        code: Ints = np.zeros(len(r.tag), np.int64)
        parts: list[tuple[Settle, tuple[Times, ...]]] = []
        own = self.sight.party - self.sight.before if r.hands == 1 else self.sight.own[r.hand]
        for settle in end.settled:
            if settle.wager in own:
                times: tuple[Times, ...] = (1 if settle.wager == self.lead else end.bets.get(settle.wager, 0),)
                place: Ints = np.zeros(len(r.tag), np.int64)
                if settle.wager in end.staked:
                    times, index = end.staked[settle.wager]
                    place = batch(index, r.base, {}, len(r.tag))
                parts.append((settle, times))
                code = code * len(times) + place
                code = code * len(settle.rows.names) + batch(settle.rows.index, r.base, {}, len(r.tag))
        codes, back = np.unique(code, return_inverse=True)
        return np.array([self._label(int(c), parts, r.hands > 1) for c in codes], np.int64)[back]

    def _label(self, code: int, parts: list[tuple[Settle, tuple[Times, ...]]], part: bool) -> int:
        net, staked, name, raised = Fraction(0), Fraction(0), "", set[str]()
        for settle, times in reversed(parts):
            code, i = divmod(code, len(settle.rows.names))
            code, j = divmod(code, len(times))
            row = settle.rows.names[i]
            net += self._money(settle.wager, row, times[j])
            staked += 0 if settle.wager in self.free else times[j]
            if settle.wager == self.lead:
                name = row if settle.because in ("", row) else f"{settle.because}: {row}"
            elif settle.wager in self.raises and times[j]:
                raised.add("doubled free" if settle.wager in self.free else "doubled")
        label = Label("split" if part else f"{min(raised)}: {name}" if raised else name, net, staked)
        if label not in self._label_of:
            self._label_of[label] = len(self.labels)
            self.labels.append(label)
        return self._label_of[label]
