"""Every position that a hand can grow to, unsplit or as one hand of a split.

A hand of a split is followed from its second card on, for each number that it can have and each number of hands there
can be by then: another pay table, other stakes or other choices of the second, third or fourth hand all count. Hands
before and after it are played in several ways (`WAYS`) at once. What the hand may do must be the same in all of them;
if it is not, the game is refused. What it brings is compared when the dealer's cards are known too.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pitboss.exact.drawn_flow import splits
from pitboss.exact.drawn_rounds import (
    AFTER,
    BEFORE,
    BEGUN,
    DECIDE,
    DONE,
    DRAW,
    GOAL,
    LABEL,
    MOST_LISTS,
    OWN,
    PAIR,
    PART,
    PLAY,
    STOP,
    UP,
    WAY,
    WAYS,
    Bools,
    Ints,
    Numbers,
    Rounds,
    next_slot,
    together,
)
from pitboss.exact.plan import TooLarge
from pitboss.exact.steps import Walker
from pitboss.rules.graph import Deal, Decide

Halts = list[tuple[int, Rounds]]
DEPENDS = "what one hand of a split may do depends on the others"


class AnswersMatter(Exception):
    """The play after one answer before it differs from that after another, and hands may be split in both."""


class Found:
    """The positions found so far, and where each card and each choice leads."""

    def __init__(self, walk: Walker) -> None:
        self.walk, self.size = walk, walk.size
        lists = dict.fromkeys(walk.sight.hidden, (0, MOST_LISTS))
        ranges = walk.sight.ranges | lists | {UP: (0, MOST_LISTS), LABEL: (0, MOST_LISTS)}
        needs = walk.sight.needs
        self.numbers, self.stops = Numbers(ranges, needs), Numbers(ranges, needs)
        self.seen: Halts = []
        self.drawn: list[tuple[Ints, Ints, Ints]] = []
        self.moved: list[tuple[Ints, int, Ints]] = []
        self.parted: list[tuple[Ints, int]] = []
        self.halted: Halts = []  # ends of a hand's play, tagged with their numbers in `stops`
        self.ends: dict[tuple[int, ...], int] = {}  # such ends, by way of the other hands -> position
        self.same: list[tuple[Ints, Ints]] = []  # positions in which a hand is done -> where that leads
        self.done: list[Rounds] = []

    def number(self, halts: Halts, ways: int = 1) -> tuple[list[tuple[Ints, Ints]], Halts]:
        """(rounds, their positions), and the positions that are new. Rounds are tagged round x ways."""
        known, fresh = [], []
        stopped: list[tuple[Ints, Ints]] = []
        sight = self.walk.sight
        for kind, r in joined(halts):
            if kind == STOP:
                slots = sight.live if r.hands == 1 else sight.matters[r.hand]
                ids, new = self.stops.number(r, slots, by=self.walk.ended(r))
                self.halted.append((kind, new))
                stopped.append((r.tag, ids))
                continue
            if ways > 1:
                r = r.take(np.argsort(r.tag))
                if (r.tag % ways != np.arange(len(r.tag)) % ways).any():
                    raise TooLarge(DEPENDS)
            slots = sight.live if r.hands == 1 else sight.alone[r.hand]
            numbers, new = self.numbers.number(r, slots, ways, self.walk.to_come(r, slots) if kind == DONE else None)
            known.append((r.tag[::ways] // ways, numbers))
            fresh.append((kind, new))
        if stopped:
            tags, ids = (np.concatenate([x[i] for x in stopped]) for i in range(2))
            known.append(self._end(tags, ids, ways))
        return known, fresh

    def _end(self, tag: Ints, ids: Ints, ways: int) -> tuple[Ints, Ints]:
        """Ends of play: where each way of the other hands has led makes the position."""
        order = np.argsort(tag)
        tag, every = tag[order], ids[order]
        if len(tag) % ways or (tag % ways != np.arange(len(tag)) % ways).any():
            raise TooLarge(DEPENDS)
        out = []
        for end in map(tuple, every.reshape(-1, ways).tolist()):
            if end not in self.ends:
                self.ends[end] = self.numbers.size
                self.numbers.size += 1
            out.append(self.ends[end])
        return tag[::ways] // ways, np.array(out, np.int64)

    def grow(self, fresh: Halts, ways: int = 1) -> None:
        """Every position that these lead to, but not beyond a split."""
        while fresh:
            now, fresh = joined(fresh), []
            for kind, r in now:
                if kind == DRAW:
                    fresh += self._draw(r, ways)
                elif kind == DECIDE:
                    assert isinstance(r.node, Decide)
                    for i in range(len(r.node.choices)):
                        fresh += self.choose(r, i, ways)
                elif kind == DONE:
                    self.done.append(r)
                self.note(kind, r, ways)

    def note(self, kind: int, r: Rounds, ways: int = 1) -> None:
        self.seen.append((kind, r.take(np.arange(0, len(r.tag), ways))))

    def _draw(self, r: Rounds, ways: int) -> Halts:
        known, fresh = self.number(self.walk.run(each_card(r, self.walk.codes, ways), PLAY), ways)
        for rows, numbers in known:
            self.drawn.append((r.tag[rows // self.size * ways], rows % self.size, numbers))
        return fresh

    def choose(self, r: Rounds, i: int, ways: int) -> Halts:
        assert isinstance(r.node, Decide)
        halts = self.walk.run(replace(r, node=r.node.kids[i], at=0, tag=np.arange(len(r.tag))), PLAY)
        for kind, halt in halts:
            if kind == PART:
                self.parted.append((r.tag[halt.tag], i))
        known, fresh = self.number([(kind, halt) for kind, halt in halts if kind != PART], ways)
        for rows, numbers in known:
            self.moved.append((r.tag[rows * ways], i, numbers))
        return fresh


class SplitHands:
    """The hands of every split: `kids` leads from (its number, hands by then) to the position by pair, up-card and
    second card; `again`: whether the pair that comes again may be split again; `most`: hands at most."""

    def __init__(self, found: Found, lanes: list[list[Ints]]) -> None:
        """By lane of the opening: the starts that its leaves lead to, by first cards and view."""
        self.found, self.walk, self.size = found, found.walk, found.size
        k, self.views = self.size, sum(starts[0].shape[1] for starts in lanes)
        group = self.walk.kinds.group
        self._same = group[:, None] == group  # cards that make a pair
        self.at: Ints = np.zeros((k, k, self.views), np.int64)  # where the first two cards may be split
        self.pairs = self._pairs(lanes)
        self.most: Ints = np.ones((k, self.views), np.int64)
        self.kids: dict[tuple[int, int], Ints] = {}
        self.again: dict[tuple[int, int], Bools] = {}
        hands = 2
        while self.pairs:
            there = np.zeros(k * self.views, bool)
            there[[t for r in self._begun(1, hands) for t in r.tag]] = True
            if not there.any():
                break
            self.most[there.reshape(k, -1)] = hands
            hands += 1
        for by_then in range(2, int(self.most.max()) + 1):
            for hand in range(1, by_then + 1):
                self._follow(hand, by_then)

    def _pairs(self, lanes: list[list[Ints]]) -> list[Rounds]:
        """The pairs that can be split, as rounds that go on to be split, tagged pair x view of the dealer's cards. Of
        two cards that differ in suit only, each hand is followed as if both were like its own."""
        k, out = self.size, []
        parting = {int(at): i for tags, i in self.found.parted for at in tags}
        if not parting:
            return []
        if len(lanes[0][0]) != k * k:
            raise TooLarge("hands are split that do not begin with two cards")
        self.at = start = np.concatenate([self._asked(starts, parting) for starts in lanes], axis=1).reshape(k, k, -1)
        if not {*parting} <= {*start[self._same].reshape(-1).tolist()}:
            raise TooLarge("cards that are no pair of first cards can be split")
        twos = start[np.arange(k), np.arange(k)].reshape(-1)
        for kind, r in self.found.seen:
            if kind == DECIDE:
                assert isinstance(r.node, Decide)
                place = {int(at): i for i, at in enumerate(r.tag)}
                mine = [t for t in range(len(twos)) if int(twos[t]) in place and int(twos[t]) in parting]
                for i in sorted({parting[int(twos[t])] for t in mine}):
                    some = np.array([t for t in mine if parting[int(twos[t])] == i], np.int64)
                    on = r.take(np.array([place[int(at)] for at in twos[some]]), some)
                    pair = some // self.views
                    out.append(replace(on, node=r.node.kids[i], at=0, base={**on.base, PAIR: pair}))
        return out

    def _asked(self, starts: list[Ints], parting: dict[int, int]) -> Ints:
        """Where the first two cards may be split: at once, or after other choices; -1: nowhere."""
        after: dict[int, int] = {}
        for before, _, to in self.found.moved:
            after.update((b, t) for b, t in zip(before.tolist(), to.tolist(), strict=True) if t in parting)
        again = True
        while again:
            more = {
                b: after[t]
                for before, _, to in self.found.moved
                for b, t in zip(before.tolist(), to.tolist(), strict=True)
                if t in after and b not in after and b not in parting
            }
            again = bool(more)
            after |= more
        found = []
        for start in starts:
            flat = [at if at in parting else after.get(at, -1) for at in start.reshape(-1).tolist()]
            found.append(np.array(flat, np.int64).reshape(start.shape))
        out: Ints = np.max(found, axis=0)
        if any(((x >= 0) & (x != out)).any() for x in found):
            raise AnswersMatter
        return out

    def _begun(self, hand: int, hands: int) -> list[Rounds]:
        """Hands of this number that are about to get their second card when there are so many hands, tagged pair x
        up-card x way."""
        ways = len(WAYS) if hand > 1 else 1
        orders = list(_orders(hand, hands))
        plan = tuple(orders[way % len(orders)] for way in range(ways))
        out = []
        for r in self.pairs:
            n = len(r.tag)
            copies = r.take(np.repeat(np.arange(n), ways), (r.tag[:, None] * ways + np.arange(ways)).reshape(-1))
            base = {**copies.base, WAY: np.tile(np.arange(ways), n), GOAL: np.full(n * ways, hands)}
            went = self.walk.run(replace(copies, base=base, hand=hand, turn=BEFORE, plan=plan), PLAY)
            out += [halt for kind, halt in went if kind == BEGUN]
        return out

    def _second(self, hand: int, hands: int) -> tuple[Ints, Halts]:
        """Deal them their second card: the position by pair, up-card and card, and the positions that are new."""
        k, ways = self.size, len(WAYS) if hand > 1 else 1
        halts: Halts = []
        for r in self._begun(hand, hands):
            each = each_card(r, self.walk.codes)
            tag = (r.tag // ways * k)[each.tag // k] + each.tag % k
            halts += self.walk.run(replace(each, turn=OWN, tag=tag * ways + r.tag[each.tag // k] % ways), PLAY)
        known, fresh = self.found.number(halts, ways)
        kids: Ints = np.full(k * self.views * k, -1, np.int64)
        for rows, numbers in known:
            kids[rows] = numbers
        return kids.reshape(k, -1, k), fresh

    def _follow(self, hand: int, hands: int) -> None:
        """One hand, from its second card to the end of the play."""
        ways = len(WAYS) if hand > 1 else 1
        kids, fresh = self._second(hand, hands)
        if ((kids >= 0) != (self.most >= hands)[..., None]).any():
            raise TooLarge("how often a pair is split depends on how its hands are played")
        self.kids[hand, hands] = kids
        twos = np.where(self._same[:, None, :], kids, -1)
        others = np.where(self._same[:, None, :], -1, kids)
        grown: Halts = []
        parted = len(self.found.parted)
        for kind, r in fresh:
            if kind == DECIDE:
                assert isinstance(r.node, Decide)
                for i in [i for i, kid in enumerate(r.node.kids) if splits(kid)]:
                    self.found.choose(r, i, ways)
            grown.append((kind, r))
        again = np.unique(np.concatenate([np.zeros(0, np.int64), *(t for t, _ in self.found.parted[parted:])]))
        if np.isin(again, others).any():
            raise TooLarge("cards that are no pair can be split")
        self.again[hand, hands] = np.isin(twos, again)
        if (self.again[hand, hands] != ((self.most > hands)[..., None] & (twos >= 0))).any():
            raise TooLarge("how often a pair is split depends on which of its hands it is")
        for kind, r in grown:  # a pair that may be split again is: how else it could be played does not matter
            parts = np.isin(r.tag, again)
            if parts.any():
                self.found.note(kind, r.take(parts), ways)
        self.found.grow([(kind, r.take(~np.isin(r.tag, again))) for kind, r in grown], ways)
        self._others(hand, hands, ways)

    def _others(self, hand: int, hands: int, ways: int) -> None:
        """The hands that come after it, played in several ways, and the ends that these lead to."""
        starts, tags, size = [], [], 0
        for _, r in joined([(DONE, r) for r in self.found.done]):
            n = len(r.tag) // ways
            if ways == 1:
                r = r.take(np.repeat(np.arange(n), len(WAYS)))
            way = np.tile(np.arange(len(WAYS)), n)
            goal = hands + way % (self.most[r.base[PAIR], r.base[UP]] - hands + 1)
            base = {**r.base, WAY: way, GOAL: goal}
            starts.append(replace(r, base=base, turn=AFTER, plan=(), tag=size + np.arange(len(r.tag))))
            tags.append(r.tag)
            size += len(r.tag)
        halts = self.walk.run(starts, PLAY)
        if any(kind != STOP for kind, _ in halts):
            raise TooLarge(DEPENDS)
        for rows, numbers in self.found.number(halts, len(WAYS))[0]:
            self.found.same.append((np.concatenate(tags)[rows * len(WAYS)], numbers))
        self.found.done = []


def _orders(hand: int, hands: int, first: int = 1, least: int = 2) -> Iterator[tuple[int, ...]]:
    """Every order in which pairs may come again: how many hands there are when each hand up to this one is full."""
    if first == hand:
        yield (hands,)
        return
    for made in range(max(least, first + 1), hands + 1):
        yield from ((made, *rest) for rest in _orders(hand, hands, first + 1, made))


def joined(halts: Halts) -> Halts:
    """Rounds at the same place, together."""
    places: dict[tuple[int, tuple[int, ...], tuple[int, ...]], list[Rounds]] = defaultdict(list)
    for kind, r in halts:
        if len(r.tag):
            places[kind, r.place, tuple(sorted(r.base))].append(r)
    return [(kind, together(several)) for (kind, *_), several in places.items()]


def each_card(r: Rounds, codes: Ints, ways: int = 1) -> Rounds:
    """Deal a card of every class to each of these rounds; tags count rounds x classes x ways."""
    deal = r.node.events[r.at]
    assert isinstance(deal, Deal)
    slot = next_slot(deal, r.base)
    assert slot is not None
    n, k = len(r.tag) // ways, len(codes)
    rows = (
        np.arange(n)[:, None, None] * ways + np.arange(ways)[None, None, :] + np.zeros((1, k, 1), np.int64)
    ).reshape(-1)
    base = {slot: v[rows] for slot, v in r.base.items()} | {slot: np.tile(np.repeat(codes, ways), n)}
    return replace(r, base=base, tag=np.arange(n * k * ways), bank=np.zeros(n * k * ways))
