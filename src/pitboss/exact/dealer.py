"""The dealer's drawing, counted for many shoes at once.

What the dealer ends with depends on which cards he has drawn; how likely that is depends on the shoe, but in how many
orders his rule lets him draw them does not. So his final hands are listed once, as multisets with their number of
orders, and arranged as a tree in which hands share their first cards. For a shoe with n[c] cards of class c out of N,
a final hand has the chance orders x the product of n (n-1) ... / N (N-1) ...: one multiplication per branch of the
tree, for eight shoes side by side in machine code.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

from pitboss.exact.drawn_code import BITS, DEEPEST, SHOES, call
from pitboss.exact.drawn_layers import MASK, Hands
from pitboss.exact.plan import TooLarge
from pitboss.exact.positions import Positions
from pitboss.exact.steps import STOP, Bools, Floats, Ints
from pitboss.rules.errors import BadInput


class Dealer:
    """Everything the dealer can end with behind one up-card, grouped by what it means to any hand of the player."""

    def __init__(self, p: Positions, up: int) -> None:
        self.k = p.size
        mine = np.flatnonzero((p.kind == STOP) & (p.certain < 0) & (p.up == up))
        holes = np.flatnonzero(p.allowed[up])
        endings, back = np.unique(p.ending[mine][:, holes], axis=0, return_inverse=True)
        self.ending_of: Ints = np.full(len(p.kind), -1, np.int64)  # position -> row of `label`
        self.ending_of[mine] = back.reshape(-1)
        keys, orders, labels = _finals(p, endings.T, holes)
        self.label, group = np.unique(labels.T, axis=1, return_inverse=True)  # ending x group of final hands
        self._plant(keys, orders, group.reshape(-1))

    def _plant(self, keys: Ints, orders: Floats, group: Ints) -> None:
        """Arrange the final hands as a tree: cards in order of their class, branch by branch."""
        counts = keys[:, None] >> (BITS * np.arange(self.k)) & MASK
        hands = [tuple(np.repeat(np.arange(self.k), n).tolist()) for n in counts]
        if max(map(len, hands), default=0) >= DEEPEST:
            raise TooLarge("the dealer can draw too many cards")
        nodes: list[tuple[int, int, int, int, float]] = []
        before: tuple[int, ...] = ()
        for i in sorted(range(len(hands)), key=lambda i: hands[i]):
            hand = hands[i]
            shared = next((d for d, (a, b) in enumerate(zip(before, hand, strict=False)) if a != b), len(before))
            for d in range(shared, len(hand)):
                over = d == len(hand) - 1
                nodes.append((d, hand[d], hand[:d].count(hand[d]), group[i] if over else -1, orders[i] if over else 0))
            before = hand
        columns = list(zip(*nodes, strict=True)) or [()] * 5
        self.depth, self.card, self.group = (np.array(columns[i], np.int64) for i in (0, 1, 3))
        self.gone, self.orders = (np.array(columns[i], np.float64) for i in (2, 4))

    def chances(self, left: Floats) -> Floats:
        """The chance of each group of final hands, by shoe (shoes x classes: cards left, the hidden one included)."""
        n, groups = len(left), self.label.shape[1]
        blocks = -(-n // SHOES)
        wide: Floats = np.zeros((blocks * SHOES, self.k))
        wide[:n] = left
        wide = np.ascontiguousarray(wide.reshape(blocks, SHOES, self.k).transpose(0, 2, 1))
        out: Floats = np.zeros((blocks, groups, SHOES))
        tree = (self.depth, self.card, self.gone, self.group, self.orders)
        call("finals", blocks, self.k, len(self.depth), groups, wide, *tree, out)
        return out.transpose(0, 2, 1).reshape(-1, groups)[:n]


def _finals(p: Positions, at: Ints, holes: Ints) -> tuple[Ints, Floats, Ints]:
    """Final hands of the dealer: which cards, in how many orders, and the label they mean to every ending.

    `at` is hidden cards x endings: the dealer draws for all hands of the player at once, and must not care which.
    """
    key, orders = np.left_shift(1, BITS * holes), np.ones(len(holes))
    found: list[tuple[Ints, Floats, Ints]] = []
    while len(key):
        over = p.label[at] >= 0
        if (over != over[:, :1]).any():
            raise TooLarge("when the dealer draws depends on the player's hand")
        done = over[:, :1].all(1)
        found.append((key[done], orders[done], p.label[at[done]]))
        at, key, orders = at[~done], key[~done], orders[~done]
        at = p.dealer_draws[at].transpose(0, 2, 1).reshape(-1, at.shape[1])
        key = (key[:, None] + np.left_shift(1, BITS * np.arange(p.size))).reshape(-1)
        key, one, back = np.unique(key, return_index=True, return_inverse=True)
        if (at != at[one][back]).any():
            raise TooLarge("the order of the dealer's cards matters")
        orders = np.bincount(back, np.repeat(orders, p.size), len(key)).astype(np.float64)
        at = at[one]
    return (
        np.concatenate([f[0] for f in found]),
        np.concatenate([f[1] for f in found]),
        np.concatenate([f[2] for f in found]),
    )


class Dealers:
    """The dealer behind every up-card, side by side: `ending` of a position -> a row of `net` and of `staked`, which
    have a column for every group of final hands."""

    def __init__(self, p: Positions, like: "Dealers | None" = None) -> None:
        """`like`: of another set of hidden cards; what these do not change is taken over."""
        able = [bool(p.allowed[up].any()) for up in range(p.size)]
        self.of: list[Dealer] = [Dealer(p, up) if able[up] or like is None else like.of[up] for up in range(p.size)]
        self.groups = max((d.label.shape[1] for d in self.of), default=1)
        self.ending: Ints = np.full(len(p.kind), -1, np.int64)
        self.label: Ints = np.full((sum(len(d.label) for d in self.of) or 1, self.groups), -1, np.int64)
        start = 0
        for d in self.of:
            self.label[start : start + len(d.label), : d.label.shape[1]] = d.label
            self.ending = np.where(d.ending_of >= 0, d.ending_of + start, self.ending)
            start += len(d.label)
        self.net = np.append(p.nets, 0.0)[self.label]
        self.staked = np.append(p.stakes, 0.0)[self.label]


@cache
def _workers() -> ThreadPoolExecutor:
    """Machine code lets other threads run."""
    return ThreadPoolExecutor(min(os.cpu_count() or 1, 4))


class Shoe:
    """A shoe by classes of cards, and what is left of it when the up-card and a multiset of cards are gone."""

    def __init__(self, hands: Hands, counts: Ints, dealers: Dealers, allowed: Bools) -> None:
        self.hands, self.p, self.counts, self.dealers, self.allowed = hands, hands.p, counts, dealers, allowed
        self.bit = hands.bit
        self._place: Ints = np.full(self.p.size * len(hands.gone), -1, np.int64)  # up-card x gone -> row of chances
        self.chances: Floats = np.zeros((1, dealers.groups))

    def left(self, up: Ints, key: Ints) -> Floats:
        """Cards left of each class, the dealer's hidden card included."""
        out = (self.counts - (key[:, None] >> (BITS * np.arange(self.p.size)) & MASK)).astype(np.float64)
        out[np.arange(len(up)), up] -= 1
        return out

    def draw_chances(self, up: Ints, key: Ints) -> Floats:
        """The chance of each class as the next card, knowing that the hidden card has not ended the round."""
        left, allowed = np.maximum(self.left(up, key), 0), self.allowed[up]
        total, fit = left.sum(1), (left * allowed).sum(1)
        bottom = np.maximum(fit * (total - 1), 1)[:, None]
        out: Floats = left * np.maximum(fit[:, None] - allowed, 0) / bottom
        return out

    def places(self, up: Ints, gone: Ints) -> Ints:
        """Rows of `chances`: of each group of the dealer's final hands, knowing that he has no hand that ended the
        round. The first row is for shoes that cannot be."""
        size = len(self.hands.gone)
        wanted = up * size + gone
        need: Bools = np.zeros(len(self._place), bool)
        need[wanted] = True
        need &= self._place < 0
        wants = [i for i in range(self.p.size) if need[i * size : (i + 1) * size].any()]
        more, rows = [self.chances], len(self.chances)
        keys = [np.flatnonzero(need[i * size : (i + 1) * size]) for i in wants]
        for i, some, (real, found) in zip(wants, keys, _workers().map(self._final, wants, keys), strict=True):
            self._place[i * size + some] = np.where(real, rows + np.cumsum(real) - 1, 0)
            more.append(np.pad(found, ((0, 0), (0, self.dealers.groups - found.shape[1]))))
            rows += len(found)
        self.chances = more[0] if len(more) == 1 else np.concatenate(more)
        out: Ints = self._place[wanted]
        return out

    def _final(self, up: int, gone: Ints) -> tuple[Bools, Floats]:
        """Which of these shoes can be, and for them the chance of each group of the dealer's final hands."""
        left = self.counts - self.hands.held[gone]
        left[:, up] -= 1
        real: Bools = (left.min(1) >= 0) & bool(self.allowed[up].any())
        left = left if real.all() else left[real]
        fit = left[:, self.allowed[up]].sum(1) / np.maximum(left.sum(1), 1)
        return real, self.dealers.of[up].chances(left) / np.where(fit > 0, fit, 1)[:, None]

    def check_length(self, reach: Floats) -> None:
        """The dealer must not run out of cards in a round that can happen."""
        hands = self.hands
        some = np.flatnonzero((reach[hands.over] > 0) & (hands.open >= 0))
        place = self.places(hands.up[hands.over[some]], hands.open[some])
        if (reach[hands.over[some]] * (1 - self.chances[place].sum(1)) > 1e-12).any():
            raise BadInput("the shoe has too few cards: the dealer could run out of them")
