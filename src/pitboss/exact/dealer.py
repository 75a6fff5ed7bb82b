"""The dealer's drawing, counted for many shoes at once.

What the dealer ends with depends on which cards he has drawn; how likely that is depends on the shoe, but in how many
orders his rule lets him draw them does not. So his final hands are listed once, as multisets with their number of
orders, and arranged as a tree in which hands share their first cards. For a shoe with n[c] cards of class c out of N,
a final hand has the chance orders x the product of n (n-1) ... / N (N-1) ...: one multiplication per branch of the
tree, for thousands of shoes side by side.
"""

from dataclasses import dataclass

import numpy as np

from pitboss.exact.plan import TooLarge
from pitboss.exact.positions import Positions
from pitboss.exact.steps import STOP, Floats, Ints
from pitboss.rules.errors import BadInput

BITS = 5  # a multiset of cards is one number, with so many bits for the count of each class
AT_ONCE = 128  # shoes: what a processor keeps close at hand
MASK = (1 << BITS) - 1


@dataclass(frozen=True, eq=False)
class _Level:
    """The branches of one depth: the branch each grows from, the factor it brings, and the hands that end there."""

    parent: Ints
    factor: Ints  # a place in the list of (class, how many of it are gone)
    ends: Floats  # groups of final hands x branches: orders


class Dealer:
    """Everything the dealer can end with behind one up-card, grouped by what it means to any hand of the player."""

    def __init__(self, p: Positions, up: int) -> None:
        self.k = p.size
        mine = np.flatnonzero((p.kind == STOP) & (p.certain < 0) & (p.up == up))
        holes = np.flatnonzero(p.allowed[up])
        endings, back = np.unique(p.ending[mine][:, holes], axis=0, return_inverse=True)
        self.ending_of: Ints = np.full(len(p.kind), -1, np.int64)  # position -> row of `label`
        self.ending_of[mine] = back
        keys, orders, labels = _finals(p, endings.T, holes)
        self.label, group = np.unique(labels.T, axis=1, return_inverse=True)  # ending x group of final hands
        self.net: Floats = np.array([float(x.net) for x in p.labels])[self.label]
        self.levels: list[_Level] = []
        self._plant(keys, orders, group)

    def _plant(self, keys: Ints, orders: Floats, group: Ints) -> None:
        """Arrange the final hands as a tree: cards in order of their class."""
        k, groups = self.k, self.label.shape[1]
        counts = keys[:, None] >> (BITS * np.arange(k)) & MASK
        upto = np.cumsum(counts, axis=1)
        length = upto[:, -1]
        factors: dict[int, int] = {}
        branch: Ints = np.zeros(len(keys), np.int64)
        for depth in range(int(length.max(initial=0))):
            live = np.flatnonzero(length > depth)
            card = (upto[live] <= depth).sum(1)
            gone = depth - (upto - counts)[live, card]
            codes, one, back = np.unique(branch[live] * k + card, return_index=True, return_inverse=True)
            branch[live] = back
            ends: Floats = np.zeros((groups, len(codes)))
            over = length[live] == depth + 1
            np.add.at(ends, (group[live][over], back[over]), orders[live][over])
            factor = [factors.setdefault(f, len(factors)) for f in (card * 64 + gone)[one].tolist()]
            self.levels.append(_Level(codes // k, np.array(factor), ends))
        self.cards, self.gone = np.divmod(np.array(list(factors), np.int64), 64)

    def chances(self, left: Floats) -> Floats:
        """The chance of each group of final hands, by shoe (shoes x classes: cards left, the hidden one included)."""
        out: Floats = np.zeros((len(left), self.label.shape[1]))
        for start in range(0, len(left), AT_ONCE):
            some = left[start : start + AT_ONCE].T
            total = some.sum(0)
            factors = some[self.cards] - self.gone[:, None]
            tree: Floats = np.ones((1, some.shape[1]))
            for depth, level in enumerate(self.levels):
                tree = np.take(tree, level.parent, axis=0)
                tree *= np.take(factors / np.maximum(total - depth, 1), level.factor, axis=0)
                out[start : start + AT_ONCE] += (level.ends @ tree).T
        return out


def _finals(p: Positions, at: Ints, holes: Ints) -> tuple[Ints, Floats, Ints]:
    """Final hands of the dealer: which cards, in how many orders, and the label they mean to every ending.

    `at` is hidden cards x endings: the dealer draws for all hands of the player at once, and must not care which.
    """
    key, orders = np.left_shift(1, BITS * holes), np.ones(len(holes))
    found: list[tuple[Ints, Floats, Ints]] = []
    while len(key):
        over = p.label[at] >= 0
        if (over != over[:, :1]).any():
            raise TooLarge("when the dealer draws depends on the player's hand; simulate this game instead")
        done = over[:, 0]
        found.append((key[done], orders[done], p.label[at[done]]))
        at, key, orders = at[~done], key[~done], orders[~done]
        at = p.dealer_draws[at].transpose(0, 2, 1).reshape(-1, at.shape[1])
        key = (key[:, None] + np.left_shift(1, BITS * np.arange(p.size))).reshape(-1)
        key, one, back = np.unique(key, return_index=True, return_inverse=True)
        if (at != at[one][back]).any():
            raise TooLarge("the order of the dealer's cards matters; simulate this game instead")
        orders = np.bincount(back, np.repeat(orders, p.size), len(key)).astype(np.float64)
        at = at[one]
    return (
        np.concatenate([f[0] for f in found]),
        np.concatenate([f[1] for f in found]),
        np.concatenate([f[2] for f in found]),
    )


class Shoe:
    """A shoe by classes of cards, and what is left of it when the up-card and a multiset of cards are gone."""

    def __init__(self, p: Positions, counts: Ints, dealers: list[Dealer]) -> None:
        if p.size * BITS > 60:
            raise TooLarge("this game tells too many ranks apart for an analysis of drawing; simulate it instead")
        self.p, self.counts, self.dealers = p, counts, dealers
        self.bit: Ints = np.left_shift(1, BITS * np.arange(p.size))
        self.nets: Floats = np.array([float(x.net) for x in p.labels])
        self._keys: list[Ints] = [np.zeros(0, np.int64) for _ in dealers]
        self._chances: list[Floats] = [np.zeros((0, d.label.shape[1])) for d in dealers]

    def unpack(self, key: Ints) -> Ints:
        out: Ints = key[:, None] >> (BITS * np.arange(self.p.size)) & MASK
        return out

    def left(self, up: Ints, key: Ints) -> Floats:
        """Cards left of each class, the dealer's hidden card included."""
        out = (self.counts - self.unpack(key)).astype(np.float64)
        out[np.arange(len(up)), up] -= 1
        return np.maximum(out, 0)

    def draw_chances(self, up: Ints, key: Ints) -> Floats:
        """The chance of each class as the next card, knowing that the hidden card has not ended the round."""
        left, allowed = self.left(up, key), self.p.allowed[up]
        total, fit = left.sum(1), (left * allowed).sum(1)
        bottom = np.maximum(fit * (total - 1), 1)[:, None]
        out: Floats = left * np.maximum(fit[:, None] - allowed, 0) / bottom
        return out

    def final_chances(self, up: int, key: Ints) -> Floats:
        """The chance of each group of the dealer's final hands, knowing that he has no hand that ended the round."""
        keys, back = np.unique(key, return_inverse=True)
        old = self._keys[up]
        place = np.searchsorted(old, keys)
        new = keys[old[np.minimum(place, len(old) - 1)] != keys] if len(old) else keys
        if len(new):
            left = self.left(np.full(len(new), up), new)
            fit = (left * self.p.allowed[up]).sum(1) / np.maximum(left.sum(1), 1)
            chances = self.dealers[up].chances(left) / np.where(fit > 0, fit, 1)[:, None]
            order = np.argsort(np.concatenate([old, new]), kind="stable")
            self._keys[up] = np.concatenate([old, new])[order]
            self._chances[up] = np.concatenate([self._chances[up], chances])[order]
            place = np.searchsorted(self._keys[up], keys)
        return self._chances[up][place][back]

    def worth(self, position: Ints, key: Ints) -> Floats:
        """What the ends of a player's hand are worth, for these cards gone."""
        certain = self.p.certain[position]
        out: Floats = self.nets[certain]
        open_ = np.flatnonzero(certain < 0)
        ups = self.p.up[position[open_]]
        for up in range(self.p.size):
            some = open_[ups == up]
            if len(some):
                net = self.dealers[up].net[self.dealers[up].ending_of[position[some]]]
                out[some] = (self.final_chances(up, key[some]) * net).sum(1)
        return out

    def check_length(self, position: Ints, key: Ints, reach: Floats) -> None:
        """The dealer must not run out of cards in a round that can happen."""
        for up in range(self.p.size):
            some = (self.p.certain[position] < 0) & (self.p.up[position] == up)
            if (reach[some] * (1 - self.final_chances(up, key[some]).sum(1)) > 1e-12).any():
                raise BadInput("the shoe has too few cards: the dealer could run out of them")


def merged(position: Ints, key: Ints) -> tuple[Ints, Ints]:
    """Equal pairs made one: the place of one of each, and each pair's number."""
    keys, small = np.unique(key, return_inverse=True)
    _, one, back = np.unique(position * len(keys) + small, return_index=True, return_inverse=True)
    return one, back
