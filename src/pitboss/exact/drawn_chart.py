"""The chart of a drawing game: one choice for everything that a decision is made by and for the choices offered."""

from typing import TYPE_CHECKING

import numpy as np

from pitboss.exact.drawn_layers import Hands
from pitboss.exact.drawn_rounds import DECIDE, Bools, Floats, Ints
from pitboss.exact.plan import TooLarge
from pitboss.exact.positions import Positions
from pitboss.exact.splits import second_cards

if TYPE_CHECKING:
    from pitboss.exact.growing import Growing, Play

FAINT = 1e-9  # the weight of hands that a strategy never comes to, so that its chart has a sensible answer for them


class ChartOf:
    """The keys of a chart, the same for every shoe: `keys` (choices, by), `key_of` each decision."""

    def __init__(self, hands: Hands) -> None:
        p = hands.p
        self.hands = hands
        every = np.column_stack([p.asks, p.by])[p.kind == DECIDE]
        self.keys, back = np.unique(every, axis=0, return_inverse=True)
        self._of_position: Ints = np.full(len(p.kind), -1, np.int64)
        self._of_position[p.kind == DECIDE] = back.reshape(-1)
        self.key_of = self._of_position[hands.position[hands.asked]]
        self.offered = hands.local[self.keys[:, 0]] >= 0  # key x choice
        self._about = _connected(hands.local >= 0)[self.keys[:, 0]]  # keys that have to do with each other
        _, alike = np.unique(np.column_stack([self._about, self.keys[:, 1:]]), axis=0, return_inverse=True)
        self._alike = alike.reshape(-1)  # keys that look the same, whatever is offered
        self._parting: Ints = np.full(len(self.keys), -1, np.int64)
        np.maximum.at(self._parting, back.reshape(-1), p.parting[p.kind == DECIDE])
        self._parted: Bools = np.bincount(self.key_of, ~hands.unsplit[hands.asked], len(self.keys)) > 0
        # whether every hand of a split with this key comes from its choices to where an unsplit one does
        self._as_unsplit: Bools = np.ones(len(self.keys), bool)
        np.logical_and.at(self._as_unsplit, self.key_of, hands.alike)

    def taken(self, chart: Ints) -> Ints:
        """The number of the choice by decision."""
        asks = self.keys[self.key_of, 0]
        out: Ints = np.ascontiguousarray(self.hands.local[asks, chart[self.key_of]])
        return out

    def summed(self, growing: "Growing", play: "Play", faint: Floats) -> tuple[Floats, Floats]:
        """By key: what every choice brings, times how often the key comes up; and how often that is."""
        begun = growing.dealt(growing.opening(play, True)[1])
        weight = (growing.reach(play, begun) + FAINT * faint)[self.hands.asked]
        worth = growing.named(play.choices)
        worth, size = np.where(np.isfinite(worth), worth, 0), len(self.keys)
        sums = [np.bincount(self.key_of, weight * w, size).astype(float) for w in worth.T]
        return np.stack(sums, 1), np.bincount(self.key_of, weight, size).astype(float)

    def best(self, growing: "Growing", play: "Play", faint: Floats, plain_too: bool) -> Ints:
        """Key -> the choice (a place in `moves`) that is best on average over the hands that have this key. With
        `plain_too`, hands of any length that look the same decide together between choices that are always offered."""
        hands, size, moves = self.hands, len(self.keys), len(self.hands.moves)
        worth = growing.named(play.choices)
        worth = np.where(np.isfinite(worth), worth, 0)
        sums, often = self.summed(growing, play, faint)
        met = often > 0
        plain: Bools = np.zeros((size, moves), bool)
        for about in np.unique(self._about) if plain_too else ():
            mine = self._about == about
            plain[mine] = self.offered[met & mine].all(0)
        # between plain choices, which are always offered, all hands that look the same decide together
        together: Floats = np.zeros((self._alike.max(initial=0) + 1, moves))
        np.add.at(together, self._alike, sums)
        may = self.offered & ~plain
        common = np.where(plain, together[self._alike], -np.inf).argmax(1)
        rows = np.flatnonzero(plain.any(1))
        may[rows, common[rows]] = self.offered[rows, common[rows]]
        may = np.where(may.any(1, keepdims=True), may, self.offered)
        own: Floats | None = None
        for i in np.flatnonzero(~met):  # met after a split only
            looks = np.flatnonzero(met & (self._alike == self._alike[i]))
            wider = looks[(self.offered[looks] >= self.offered[i]).all(1)]
            if len(looks) and self._as_unsplit[i]:  # judged by unsplit hands that may do at least as much
                sums[i] = sums[wider].sum(0)
            elif self._parted[i]:  # judged by the hands of splits that come there
                own = self._own(growing, play, worth) if own is None else own
                sums[i] = own[i]
                may[i] = self.offered[i] if own[i].any() else may[i]
            if self._parting[i] >= 0:  # and what was split once is split again
                may[i] = hands.local[self.keys[i, 0]] == self._parting[i]
        out: Ints = np.where(may, sums, -np.inf).argmax(1)
        return out

    def _own(self, growing: "Growing", play: "Play", worth: Floats) -> Floats:
        """Sums by key and choice over hands of splits, as likely as a second card brings them."""
        hands, shoe, p = self.hands, growing.shoe, self.hands.p
        begun: Floats = np.zeros(len(hands.kind))
        second = second_cards(shoe, 1)[:, :, 0]
        pairs = growing.chance.sum(2).reshape(p.size, p.size, -1)
        pair = np.arange(p.size)
        often = np.tile(pairs[pair, pair], (1, p.lanes))
        for kids in hands.split.values():
            dealt = often[..., None] * second
            np.add.at(begun, kids[kids >= 0], dealt[kids >= 0])
        faint = growing.onward(None, begun.copy())
        weight = (growing.onward(play, begun) + FAINT * faint)[hands.asked]
        return np.stack([np.bincount(self.key_of, weight * w, len(self.keys)).astype(float) for w in worth.T], 1)

    def check(self, p: Positions, chart: Ints) -> None:
        """A pair that the chart splits must be split again when it comes again, as is taken for granted here."""
        pair = np.arange(p.size)
        for kids in p.hands.values():
            first, again = p.split_at[pair, pair], kids[pair, :, pair]
            both = (first >= 0) & (again >= 0) & (p.parting[again] >= 0) & (p.parting[first] >= 0)
            one, two = ((self._chosen(p, at[both], chart)) for at in (first, again))
            if (one & ~two).any():
                raise TooLarge("a chart of this game splits a pair, but not again")

    def _chosen(self, p: Positions, at: Ints, chart: Ints) -> Bools:
        key = self._of_position[at]
        out: Bools = self.hands.local[self.keys[key, 0], chart[key]] == p.parting[at]
        return out


def _connected(offered: Bools) -> Ints:
    """Lists of choices that share one, directly or by way of others: the number of the first of them."""
    out: Ints = np.arange(len(offered))
    for _ in range(len(offered)):
        for i in range(len(offered)):
            out[i] = out[(offered & offered[i]).any(1)].min(initial=out[i])
    return out
