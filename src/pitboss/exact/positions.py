"""The positions of a game in which hands grow card by card, found by walking its graph.

A position is a place in the graph together with what the marks have kept: a hand's total, say, whether it is soft,
and the dealer's up-card. It says what comes next: a choice, a card for the player, or the end of his play, which
the dealer's drawing decides. Which cards made the position, and how many of each the shoe has left, is no part of it;
`pitboss.exact.drawing` counts that. So a few thousand positions hold every rule of the game, whatever the shoe.

The dealer's hidden card must lie untouched until it is shown: a position keeps, for each value that depends on it, the
list of that value by hidden card. Of the hands of a split, the first is walked, and the others are played anyhow: what
a hand may do and what it is paid must not depend on the others.
"""

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from pitboss.compile.reference import batch
from pitboss.exact.plan import TooLarge
from pitboss.exact.steps import (
    DEALING,
    DECIDE,
    DRAW,
    OPENING,
    PLAY,
    STOP,
    UP,
    Bools,
    Floats,
    Ints,
    Label,
    Numbers,
    Rounds,
    Walker,
    splits,
)
from pitboss.rules.house import House
from pitboss.rules.graph import Deal, Decide, End, Graph, Jump, Mark


@dataclass(frozen=True, eq=False)
class Opening:
    """What becomes of the first four cards, by first, up, second and hidden card, for one choice before the play."""

    label: Ints  # how the round has ended; -1: play goes on
    bank: Floats  # what a wager made by that choice has brought
    stake: float  # and how much it is


class Positions:
    """Every position of a game, where each choice and each card leads, and how the dealer may end it.

    By position: `kind` (DRAW, DECIDE or STOP), `up` (class of the up-card), `draws` (the next position by class of
    card), `moves` (the next position by choice; -1 where there is no such choice, or where it is a split), `parting`
    (which choice is a split, or -1), `asks` (its list of choices: a place in `choices`), `by` (what a chart looks at),
    `ending` (the dealer's positions by hidden card; -1 where that card would have ended the round), `certain`.
    By position of the dealer: `label` (how the round has ended; -1: he draws), `dealer_draws`.
    By class of the first card, the up-card and the second card: `start`.
    By class of a pair and of the up-card: `split_start`, `last_pair` (that pair again when no more hands may be made),
    `most_hands`.
    """

    def __init__(self, house: House, graph: Graph) -> None:
        self.walk = Walker(house, graph, house.main[0])
        self.classes, self.size = self.walk.classes, self.walk.size
        self.class_of: Ints = np.zeros(52, np.int64)
        for i, ranks in enumerate(self.classes):
            self.class_of[[4 * rank + suit for rank in ranks for suit in range(4)]] = i
        self._lists: dict[tuple[int, ...], int] = {}
        ranges = self.walk.sight.ranges
        lists = dict.fromkeys(self.walk.sight.hidden, (0, 999))
        self._player, self._dealer = Numbers(ranges | lists | {UP: (0, self.size - 1)}), Numbers(ranges)
        self._new: list[tuple[int, Rounds]] = []
        self._seen: list[tuple[int, Rounds]] = []
        self._drawn: list[tuple[Ints, Ints, Ints]] = []
        self._moved: list[tuple[Ints, int, Ints]] = []
        self._parted: list[tuple[Ints, int, Ints]] = []
        self._partings: list[tuple[Ints, int]] = []
        self._begun: dict[int, Rounds] = {}  # hands that a split has begun
        self._opening()
        self._grow(self._new)
        self._after_splits()
        self._tables()
        self._dealing()

    @property
    def labels(self) -> list[Label]:
        return self.walk.labels

    # ---- the opening

    def _opening(self) -> None:
        """The first four cards, every class for each: rounds that end at once, and where the others begin to play."""
        root, k = self.walk.graph.root, self.size
        first, up, second, hole = self.walk.sight.opening
        cards = dict(zip((first, up, second, hole), np.indices((k,) * 4).reshape(4, -1), strict=True))
        base = {slot: self.walk.codes[c] for slot, c in cards.items()}
        all_rounds = Rounds(root, 0, base, np.arange(k**4), np.zeros(k**4))
        before: Decide | None = None
        self.openings: list[Opening] = []
        met = self.walk.run(all_rounds, OPENING)
        decisions = [r for kind, r in met if kind == DECIDE]
        others = [r for kind, r in met if kind == STOP]
        if len(decisions) > 1:
            raise TooLarge("there are several decisions before the play; simulate this game instead")
        self.asked: Bools = np.zeros((k,) * 3, bool)  # where there is a choice before the play
        if decisions:
            assert isinstance(decisions[0].node, Decide)
            before = decisions[0].node
            looks = [batch(col, decisions[0].base, {}, len(decisions[0].tag)) for _, col in before.by]
            self.before_by: Ints = np.zeros((k, k, k, len(looks)), np.int64)
            self.before_by[np.unravel_index(decisions[0].tag // k, (k, k, k))] = np.stack(looks, 1)
            self.asked[np.unravel_index(decisions[0].tag // k, (k, k, k))] = True
        self.before = before
        starts: list[Ints] = []
        for i in range(len(before.choices) if before else 1):
            halted = list(others)
            if before:
                halted += [r for _, r in self.walk.run(replace(decisions[0], node=before.kids[i], at=0), OPENING)]
            starts.append(self._begin(halted))
        if any((a != b).any() for a, b in pairwise(starts)):
            raise TooLarge("a choice before the play changes the play; simulate this game instead")
        self.start = starts[0]

    def _begin(self, halted: list[Rounds]) -> Ints:
        """One choice before the play: how rounds end at once, or the position in which the play begins."""
        k = self.size
        stake = max(sum((float(t) for w, t in r.bets if w in self.walk.sight.before), 0.0) for r in halted)
        opening = Opening(np.full(k**4, -1, np.int64), np.zeros(k**4), stake)
        self.openings.append(opening)
        start: Ints = np.full(k**3, -1, np.int64)
        allowed: Bools = np.zeros((k**3, k), bool)
        for r in halted:
            opening.bank[r.tag] = r.bank
            if isinstance(r.node, End):
                opening.label[r.tag] = self.walk.ends(r)
                continue
            if isinstance(r.node, Decide):
                raise TooLarge("there are several decisions before the play; simulate this game instead")
            assert isinstance(r.node, Mark | Jump)
            on = self.walk.past_mark(r.node, r)
            deal, hole = r.tag // k, r.tag % k
            allowed[deal, hole] = True
            deals, one, back = np.unique(deal, return_index=True, return_inverse=True)
            base: dict[int, Ints] = {UP: deals // k % k}
            for slot, values in on.base.items():
                base[slot] = values[one]
                if slot in self.walk.sight.hidden:
                    lists = np.full((len(deals), k), -1, np.int64)
                    lists[back, hole] = values
                    numbers = [self._lists.setdefault(tuple(v), len(self._lists)) for v in lists.tolist()]
                    base[slot] = np.array(numbers)
            for kind, halt in self.walk.run(Rounds(on.node, 0, base, deals, np.zeros(len(deals))), PLAY):
                start[halt.tag], fresh = self._player.number(halt)
                self._new.append((kind, fresh))
        # up-card x hidden card: what lets the play begin
        self.allowed: Bools = np.asarray(allowed.reshape(k, k, k, k).any(axis=(0, 2)))
        begun = allowed.any(1)
        if not begun.any() or (allowed[begun] != self.allowed[np.arange(k**3)[begun] // k % k]).any():
            raise TooLarge("which hidden cards end a round at once depends on the player's cards; simulate it instead")
        return start.reshape(k, k, k)

    # ---- all positions

    def _grow(self, fresh: list[tuple[int, Rounds]]) -> None:
        """Every position that these lead to, but not beyond a split."""
        while fresh:
            places: dict[tuple[int, int, int, tuple[int, ...]], list[Rounds]] = defaultdict(list)
            for kind, r in fresh:
                if len(r.tag):
                    places[kind, r.node.id, r.at, tuple(sorted(r.base))].append(r)
            fresh = []
            for (kind, *_), several in places.items():
                r = _joined(several)
                if kind == DRAW:
                    fresh += self._draw(r)
                elif kind == DECIDE:
                    assert isinstance(r.node, Decide)
                    for i in range(len(r.node.choices)):
                        fresh += self._choose(r, i)
                self._seen.append((kind, r))

    def _draw(self, r: Rounds) -> list[tuple[int, Rounds]]:
        """One card of every class; returns positions that are new."""
        fresh = []
        for kind, halt in self.walk.run(_each_card(r, self.walk.codes), PLAY):
            if halt.split:
                raise TooLarge("a hand is split without a choice; simulate this game instead")
            numbers, new = self._player.number(halt)
            self._drawn.append((r.tag[halt.tag // self.size], halt.tag % self.size, numbers))
            fresh.append((kind, new))
        return fresh

    def _choose(self, r: Rounds, i: int) -> list[tuple[int, Rounds]]:
        assert isinstance(r.node, Decide)
        fresh = []
        went = replace(r, node=r.node.kids[i], at=0)
        for kind, halt in self.walk.run(went, PLAY):
            if halt.split and kind != DRAW:
                raise TooLarge("after a split no card is dealt to the hand; simulate this game instead")
            numbers, new = self._player.number(replace(halt, split=False))
            if halt.split:
                self._parted.append((halt.tag, i, numbers))
                self._partings.append((halt.tag, i))
                for n in range(len(new.tag)):
                    self._begun[int(new.tag[n])] = new.take(np.array([n]))
                self._seen.append((kind, new))
            else:
                self._moved.append((halt.tag, i, numbers))
                fresh.append((kind, new))
        return fresh

    def _after_splits(self) -> None:
        """The first hand after one split, and after every further split of it."""
        k = self.size
        self.split_start: Ints = np.full((k, k), -1, np.int64)
        self.last_pair: Ints = np.full((k, k), -1, np.int64)
        self.most_hands: Ints = np.ones((k, k), np.int64)
        self._second: list[Ints] = []
        pairs = np.arange(k)
        twos = self.start[pairs, :, pairs]  # pair x up-card
        while self._parted:
            to: Ints = np.full(self._player.size, -1, np.int64)
            for before, _, after in self._parted:
                to[before] = after
            self._parted = []
            begun = np.where(twos >= 0, to[twos], -1)
            kids, fresh = self._first_card(begun)
            twos = np.where(begun >= 0, kids[pairs, :, pairs], -1)
            for kind, r in fresh:
                self._grow_split(kind, r, np.isin(r.tag, twos), once=not self._second)
            self.last_pair = np.where(begun >= 0, twos, self.last_pair)
            self.most_hands += begun >= 0
            if not self._second:
                self.split_start = begun
            self._second.append(kids)

    def _first_card(self, begun: Ints) -> tuple[Ints, list[tuple[int, Rounds]]]:
        """Deal to hands that a split has begun: pair x up-card x class -> position; and the positions that are new."""
        places: dict[tuple[int, int], list[Rounds]] = defaultdict(list)
        for number in sorted({*begun[begun >= 0].tolist()}):
            r = self._begun[number]
            places[r.node.id, r.at].append(r)
        done, fresh = len(self._drawn), []
        for alike in places.values():
            fresh += self._draw(_joined(alike))
        at: Ints = np.full((self._player.size, self.size), -1, np.int64)
        for before, card, after in self._drawn[done:]:
            at[before, card] = after
        return np.where(begun[..., None] >= 0, at[begun], -1), fresh

    def _grow_split(self, kind: int, r: Rounds, again: Bools, once: bool) -> None:
        """Two-card hands after a split. A pair that may be split again is split; how else it could be played does not
        matter. Other hands are played as after the first split."""
        if isinstance(r.node, Decide) and kind == DECIDE:
            for i, kid in enumerate(r.node.kids):
                if splits(kid):
                    if not again.all():
                        raise TooLarge("cards that are no pair can be split; simulate this game instead")
                    self._choose(r, i)
                    self._seen.append((kind, r))
                    return
        if not once:
            self._seen.append((kind, r.take(~again)))
            r = r.take(again)
        self._grow([(kind, r)])

    def _tables(self) -> None:
        """What was found, as arrays by position."""
        n, k = self._player.size, self.size
        self.kind: Ints = np.full(n, STOP, np.int64)
        self.up: Ints = np.zeros(n, np.int64)
        self.asks: Ints = np.full(n, -1, np.int64)
        self.choices: list[tuple[str, ...]] = []
        width = max((len(node.by) for node in self.walk.graph.decisions()), default=0)
        self.by: Ints = np.zeros((n, width), np.int64)
        for kind, r in self._seen:
            self.kind[r.tag], self.up[r.tag] = kind, r.base[UP]
            if kind == DECIDE:
                assert isinstance(r.node, Decide)
                if r.node.choices not in self.choices:
                    self.choices.append(r.node.choices)
                self.asks[r.tag] = self.choices.index(r.node.choices)
                for i, (_, col) in enumerate(r.node.by):
                    self.by[r.tag, i] = batch(col, r.base, {}, len(r.tag))
        self.draws: Ints = np.full((n, k), -1, np.int64)
        for before, card, after in self._drawn:
            self.draws[before, card] = after
        self.moves: Ints = np.full((n, max(map(len, self.choices), default=1)), -1, np.int64)
        for before, i, after in self._moved:
            self.moves[before, i] = after
        self.parting: Ints = np.full(n, -1, np.int64)
        for before, i in self._partings:
            self.parting[before] = i
        if self._second:
            other = ~np.eye(k, dtype=bool)[:, None, :]
            for kids in self._second[1:]:
                one, two = (x[other & (kids >= 0)] for x in (self._second[0], kids))
                if (self.asks[one] != self.asks[two]).any() or (self.by[one] != self.by[two]).any():
                    raise TooLarge("what a split hand may do depends on how many there are; simulate it instead")

    # ---- the dealer

    def _dealing(self) -> None:
        """The dealer's positions behind every end of the player's play, for every hidden card."""
        k, hidden = self.size, self.walk.sight.hidden
        lists = np.array(list(self._lists), np.int64).reshape(-1, k)
        self.ending: Ints = np.full((self._player.size, k), -1, np.int64)
        drawn: list[tuple[Ints, Ints, Ints]] = []
        ends: list[tuple[Ints, Ints]] = []
        todo: list[Rounds] = []

        def walked(r: Rounds) -> Ints:
            numbers: Ints = np.zeros(len(r.tag), np.int64)
            place = np.argsort(r.tag)
            for kind, halt in self.walk.run(r, DEALING):
                found, fresh = self._dealer.number(halt)
                numbers[place[np.searchsorted(r.tag, halt.tag, sorter=place)]] = found
                if kind == STOP and len(fresh.tag):
                    ends.append((fresh.tag, self.walk.ends(fresh)))
                elif kind == DRAW:
                    todo.append(fresh)
            return numbers

        for kind, r in self._seen:
            if kind == STOP:
                live = np.asarray(self.allowed)[r.base[UP]].reshape(-1)
                base = {
                    slot: lists[v].reshape(-1) if slot in hidden else np.repeat(v, k)
                    for slot, v in r.base.items()
                    if slot != UP
                }
                all_holes = replace(r, base=base, tag=np.arange(len(r.tag) * k), bank=np.zeros(len(r.tag) * k))
                some = all_holes.take(live)
                self.ending[r.tag[some.tag // k], some.tag % k] = walked(some)
        while todo:
            r = todo.pop()
            if len(r.tag):
                each = _each_card(r, self.walk.codes)
                drawn.append((r.tag[each.tag // k], each.tag % k, walked(each)))
        self.label: Ints = np.full(self._dealer.size, -1, np.int64)
        for numbers, labels in ends:
            self.label[numbers] = labels
        self.dealer_draws: Ints = np.full((self._dealer.size, k), -1, np.int64)
        for before, card, after in drawn:
            self.dealer_draws[before, card] = after
        self._certain()

    def _certain(self) -> None:
        """`certain`: the label of an end of play that comes to the same whatever the dealer has and draws, else -1."""
        known = np.where(self.label >= 0, self.label, -2)
        while (known == -2).any():
            kids = known[self.dealer_draws]
            same = (kids == kids[:, :1]).all(1) & (kids[:, 0] >= 0)
            settled = np.where(same, kids[:, 0], np.where((kids == -2).any(1) & ~(kids == -1).any(1), -2, -1))
            known = np.where(self.label >= 0, self.label, settled)
        found = np.where(self.ending >= 0, known[self.ending], -3)
        top = found.max(1)
        self.certain = np.where(((found == top[:, None]) | (found == -3)).all(1) & (self.kind == STOP), top, -1)


def positions_of(house: House, graph: Graph) -> Positions:
    return Positions(house, graph)


def _joined(several: list[Rounds]) -> Rounds:
    base = {slot: np.concatenate([r.base[slot] for r in several]) for slot in several[0].base}
    tag = np.concatenate([r.tag for r in several])
    return replace(several[0], base=base, tag=tag, bank=np.zeros(len(tag)), bets=())


def _each_card(r: Rounds, codes: Ints) -> Rounds:
    """Deal a card of every class to each of these rounds; tags count rounds x classes."""
    deal = r.node.events[r.at]
    assert isinstance(deal, Deal)
    n, k = len(r.tag), len(codes)
    base = {slot: np.repeat(v, k) for slot, v in r.base.items()} | {deal.slots[0]: np.tile(codes, n)}
    return replace(r, at=r.at + 1, base=base, tag=np.arange(n * k), bank=np.zeros(n * k))
