"""The dealer's positions behind every end of a hand's play, and whether the other hands of a split matter there."""

from dataclasses import replace

import numpy as np

from pitboss.exact.drawn_alike import alike
from pitboss.exact.drawn_hands import Found, each_card
from pitboss.exact.drawn_rounds import DEALING, STOP, UP, Bools, Ints, Numbers, Rounds
from pitboss.exact.plan import TooLarge

MATTERS = "what one hand of a split brings depends on how the others end"


class Dealing:
    """By position of the dealer: `label` (how the round has ended; -1: he draws), `draws`, `sure` (the label that it
    comes to whatever he draws, or -1). `ending`: by end of play and hidden card, the dealer's position."""

    def __init__(self, found: Found, allowed: Bools) -> None:
        self.walk = found.walk
        self._numbers = Numbers(self.walk.sight.ranges, self.walk.sight.needs)
        self._ends: dict[int, int] = {}  # label -> the position in which the round has ended so
        self._todo: list[Rounds] = []
        hidden, lists = self.walk.sight.hidden, self.walk.lists.every()
        k, holes = len(self.walk.his), self.walk.lists.wide
        self.ending: Ints = np.full((found.stops.size, holes), -1, np.int64)
        for _, r in found.halted:
            if not len(r.tag):
                continue
            live = allowed[r.base[UP]].reshape(-1)
            base = {
                slot: lists[v].reshape(-1) if slot in hidden else np.repeat(v, holes)
                for slot, v in r.base.items()
                if slot < UP
            }
            all_holes = replace(r, base=base, tag=np.arange(len(r.tag) * holes), bank=np.zeros(len(r.tag) * holes))
            some = all_holes.take(live)
            self.ending[r.tag[some.tag // holes], some.tag % holes] = self._walked(some)
        drawn: list[tuple[Ints, Ints, Ints]] = []
        while self._todo:
            r = self._todo.pop()
            if len(r.tag):
                each = each_card(r, self.walk.his)
                drawn.append((r.tag[each.tag // k], each.tag % k, self._walked(each)))
        self.label: Ints = np.full(self._numbers.size, -1, np.int64)
        self.label[list(self._ends.values())] = list(self._ends)
        self.draws: Ints = np.full((self._numbers.size, k), -1, np.int64)
        for before, card, after in drawn:
            self.draws[before, card] = after
        self.sure = self._sure(self.label)
        paid: dict[tuple[object, object], int] = {}
        self.paid: Ints = np.array([paid.setdefault((x.net, x.staked), len(paid)) for x in self.walk.labels])
        sure = self._sure(np.where(self.label >= 0, self.paid[self.label], -1))
        # of positions that are paid alike, card by card, one stands for all
        self.one: Ints = alike(sure, np.where(sure[:, None] < 0, self.draws, -1))

    def _walked(self, r: Rounds) -> Ints:
        numbers: Ints = np.zeros(len(r.tag), np.int64)
        place = np.argsort(r.tag)
        sight = self.walk.sight
        for kind, halt in self.walk.run(r, DEALING):
            if kind == STOP:
                found = self._ended(self.walk.ends(halt))
            else:
                slots = sight.live if halt.hands == 1 else sight.matters[halt.hand]
                found, fresh = self._numbers.number(halt, slots)
                self._todo.append(fresh)
            numbers[place[np.searchsorted(r.tag, halt.tag, sorter=place)]] = found
        return numbers

    def _ended(self, labels: Ints) -> Ints:
        out: Ints = np.zeros(len(self.walk.labels), np.int64)
        for label in np.unique(labels).tolist():
            if label not in self._ends:
                self._ends[label] = self._numbers.size
                self._numbers.size += 1
            out[label] = self._ends[label]
        return out[labels]

    def _sure(self, label: Ints) -> Ints:
        """The label of a position that comes to the same whatever the dealer draws, else -1."""
        known = np.where(label >= 0, label, -2)
        while (known == -2).any():
            kids = known[self.draws]
            same = (kids == kids[:, :1]).all(1) & (kids[:, 0] >= 0)
            settled = np.where(same, kids[:, 0], np.where((kids == -2).any(1) & ~(kids == -1).any(1), -2, -1))
            known = np.where(label >= 0, label, settled)
        return known

    def of(self, ends: Ints) -> Ints:
        """By hidden card, the dealer's position behind the end of a hand's play, which the ways that the other hands
        were played (positions x ways) must not change."""
        every = self.ending[ends]  # positions x ways x hidden cards
        found = np.where(every >= 0, self.one[every], -1)
        if (found != found[:, :1]).any():
            raise TooLarge(MATTERS)
        out: Ints = every[:, 0]
        return out
