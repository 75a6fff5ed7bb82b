"""The dealer's drawing, counted for many shoes at once.

What the dealer ends with depends on which cards he has drawn; how likely that is depends on the shoe, but in how many
orders his rule lets him draw them does not. So his final hands are listed once, as multisets with their number of
orders, and arranged as a tree in which hands share their first cards. For a shoe with n[c] cards of class c out of N,
a final hand has the chance orders x the product of n (n-1) ... / N (N-1) ...: one multiplication per branch of the
tree, for eight shoes side by side in machine code.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

from pitboss.exact.drawn_code import DEEPEST, SHOES, call
from pitboss.exact.drawn_layers import Counts, Hands
from pitboss.exact.drawn_rounds import STOP, Bools, Floats, Ints, in_order
from pitboss.exact.plan import TooLarge
from pitboss.exact.positions import Positions
from pitboss.rules.errors import BadInput


class Dealer:
    """Everything the dealer can end with behind one view of his cards, grouped by what it means to any hand of the
    player for which he draws by the same rule."""

    def __init__(self, ranks: int, up: int, keys: Ints, orders: Floats, labels: Ints) -> None:
        """Final hands (cards counted by class), in how many orders, and their labels by ending."""
        self.k, self.up = ranks, up
        self.label, group = np.unique(labels.T, axis=1, return_inverse=True)  # ending x group of final hands
        self._plant(keys, orders, group.reshape(-1))

    def _plant(self, counts: Ints, orders: Floats, group: Ints) -> None:
        """Arrange the final hands as a tree: cards in order of their class, branch by branch. `at_once`: the group of a
        hand that is final without another card."""
        none = np.flatnonzero(counts.sum(1) == 0)
        self.at_once = int(group[none[0]]) if len(none) else -1
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
        if self.at_once >= 0:
            out[:, self.at_once] += 1
        return out.transpose(0, 2, 1).reshape(-1, groups)[:n]


def _behind(p: Positions, up: int, of_position: Ints) -> list[Dealer]:
    """The dealers behind one view of his cards: endings for which he draws by the same rule are one dealer's. The
    ending of each position, a row of that dealer's labels, is counted on from those of the dealers before."""
    mine = np.flatnonzero((p.kind == STOP) & (p.certain < 0) & (p.up == up))
    holes = np.flatnonzero(p.fits[up])
    endings, back = np.unique(p.ending[mine][:, holes], axis=0, return_inverse=True)
    hidden = in_order(*(p.ranks,) * p.holes)[holes]
    cards = (hidden[:, :, None] == np.arange(p.ranks)).sum(1)
    out: list[Dealer] = []
    place: Ints = np.zeros(len(endings), np.int64)
    before = 0
    for some, keys, orders, labels in _finals(p, endings.T, cards) if len(endings) else ():
        place[some] = before + np.arange(len(some))
        before += len(some)
        out.append(Dealer(p.ranks, up, keys, orders, labels))
    of_position[mine] = place[back.reshape(-1)]
    return out


Finals = tuple[Ints, Ints, Floats, Ints]
"""Endings, and for them the final hands: cards by class, in how many orders, their labels by ending."""


def _finals(p: Positions, at: Ints, cards: Ints) -> list[Finals]:
    """Final hands of the dealer. `at` is hidden cards x endings: he draws for all hands of the player at once, as long
    as he does not care which; where he does, they part."""
    todo: list[tuple[Ints, Ints, Ints, Floats, tuple[tuple[Ints, Floats, Ints], ...]]]
    todo = [(np.arange(at.shape[1]), *_added(at, cards, np.ones(len(cards))), ())]
    found: list[Finals] = []
    while todo:
        ends, at, cards, orders, before = todo.pop()
        parts = np.unique(p.label[at] >= 0, axis=1, return_inverse=True)[1].reshape(-1)
        if parts.any():
            for i in range(int(parts.max()) + 1):
                mine = parts == i
                todo.append((ends[mine], at[:, mine], cards, orders, tuple((c, o, x[:, mine]) for c, o, x in before)))
            continue
        done = p.label[at[:, 0]] >= 0
        so_far = (*before, (cards[done], orders[done], p.label[at[done]]))
        at, cards, orders = at[~done], cards[~done], orders[~done]
        if not len(at):
            every = [np.concatenate(x) for x in zip(*so_far, strict=True)]
            found.append((ends, every[0], every[1], every[2]))
            continue
        if len(so_far) > DEEPEST:
            raise TooLarge("the dealer can draw too many cards")
        k = p.ranks
        at = p.dealer_draws[at].transpose(0, 2, 1).reshape(-1, at.shape[1])
        cards = (cards[:, None, :] + np.eye(k, dtype=np.int64)).reshape(-1, k)
        todo.append((ends, *_added(at, cards, np.repeat(orders, k)), so_far))
    return found


def _added(at: Ints, cards: Ints, orders: Floats) -> tuple[Ints, Ints, Floats]:
    """The same cards in another order are one hand."""
    some, one, back = np.unique(cards, axis=0, return_index=True, return_inverse=True)
    back = back.reshape(-1)
    if (at != at[one][back]).any():
        raise TooLarge("the order of the dealer's cards matters")
    return at[one], some, np.bincount(back, orders, len(some)).astype(np.float64)


class Dealers:
    """The dealer behind every view of his cards, side by side: `ending` of a position -> a row of `net` and of
    `staked`, which have a column for every group of final hands; `who` of such a row -> which dealer."""

    def __init__(self, p: Positions) -> None:
        self.of: list[Dealer] = []
        self.ending: Ints = np.full(len(p.kind), -1, np.int64)
        rows: list[Ints] = []
        who: list[int] = []
        for up in range(len(p.views)):
            at: Ints = np.full(len(p.kind), -1, np.int64)
            if p.fits[up].any():
                behind = _behind(p, up, at)
                self.ending = np.where(at >= 0, at + len(who), self.ending)
                for d in behind:
                    who += [len(self.of)] * len(d.label)
                    rows.append(d.label)
                    self.of.append(d)
        self.groups = max((d.label.shape[1] for d in self.of), default=1)
        self.who: Ints = np.array(who or [0], np.int64)
        self.label: Ints = np.full((len(who) or 1, self.groups), -1, np.int64)
        start = 0
        for labels in rows:
            self.label[start : start + len(labels), : labels.shape[1]] = labels
            start += len(labels)
        self.net = np.append(p.nets, 0.0)[self.label]
        self.staked = np.append(p.stakes, 0.0)[self.label]


@cache
def _workers() -> ThreadPoolExecutor:
    """Machine code lets other threads run."""
    return ThreadPoolExecutor(min(os.cpu_count() or 1, 4))


class Shoe:
    """A shoe by classes of cards, and what is left of it when the dealer's cards in sight and a hand's are gone."""

    def __init__(self, hands: Hands, composition: Sequence[int], dealers: Dealers, allowed: Bools) -> None:
        self.hands, self.p, self.dealers, self.allowed = hands, hands.p, dealers, allowed
        kinds, p = self.p.kinds, self.p
        self.cards: Ints = np.bincount(kinds.of_card, np.array(composition), p.size).astype(np.int64)
        self.counts: Ints = np.bincount(kinds.his_of, np.array(composition), p.ranks).astype(np.int64)
        self._place: Ints = np.full(len(dealers.of) * len(hands.gone), -1, np.int64)  # dealer x gone -> row of chances
        self.chances: Floats = np.zeros((1, dealers.groups))

    def left(self, up: Ints, held: Counts, reps: Ints | None = None) -> Floats:
        """Cards left of each class, hidden ones included. Of the dealer's cards in sight only the rank is known: each
        suit that is left is as likely to be gone. With `reps`, where suits are no longer told apart, all cards of such
        a class stand at its first."""
        cards: Ints = self.cards
        if reps is not None:
            cards = np.zeros(held.shape, np.int64)
            for card, rep in enumerate(reps.T):
                cards[np.arange(len(held)), rep] += self.cards[card]
        left = (cards - held).astype(np.float64)
        return self.fewer(left, self.p.views[up].astype(np.float64))

    def fewer(self, left: Floats, gone: Floats) -> Floats:
        """What is left when so many cards of each rank are gone whose suits nobody knows."""
        if self.p.size == self.p.ranks:
            return np.asarray(left - gone)
        ends = np.searchsorted(self.p.group, np.arange(self.p.ranks))
        whole = np.add.reduceat(left, ends, axis=1)
        share = np.maximum(whole - gone, 0) / np.maximum(whole, 1)
        return np.asarray(left * share[:, self.p.group])

    def draw_chances(self, up: Ints, left: Floats) -> Floats:
        """The chance of each class as the next card, knowing that the hidden card has not ended the round."""
        left, allowed = np.maximum(left, 0), self.allowed[up][:, self.p.group]
        total = left.sum(1)
        if self.p.holes != 1:
            return np.ascontiguousarray(left / np.maximum(total, 1)[:, None])
        fit = (left * allowed).sum(1)
        bottom = np.maximum(fit * (total - 1), 1)[:, None]
        return np.ascontiguousarray(left * np.maximum(fit[:, None] - allowed, 0) / bottom)

    def places(self, ending: Ints, gone: Ints) -> Ints:
        """Rows of `chances`: of each group of the dealer's final hands, knowing that he has no hand that ended the
        round. The first row is for shoes that cannot be."""
        size = len(self.hands.gone)
        wanted = self.dealers.who[ending] * size + gone
        need: Bools = np.zeros(len(self._place), bool)
        need[wanted] = True
        need &= self._place < 0
        wants = [i for i in range(len(self.dealers.of)) if need[i * size : (i + 1) * size].any()]
        more, rows = [self.chances], len(self.chances)
        keys = [np.flatnonzero(need[i * size : (i + 1) * size]) for i in wants]
        for i, some, (real, found) in zip(wants, keys, _workers().map(self._final, wants, keys), strict=True):
            self._place[i * size + some] = np.where(real, rows + np.cumsum(real) - 1, 0)
            more.append(np.pad(found, ((0, 0), (0, self.dealers.groups - found.shape[1]))))
            rows += len(found)
        self.chances = more[0] if len(more) == 1 else np.concatenate(more)
        out: Ints = self._place[wanted]
        return out

    def _final(self, who: int, gone: Ints) -> tuple[Bools, Floats]:
        """Which of these shoes can be, and for them the chance of each group of the dealer's final hands."""
        dealer = self.dealers.of[who]
        left = (self.counts - self.hands.gone[gone] - self.p.views[dealer.up]).astype(np.float64)
        allowed = self.allowed[dealer.up]
        real: Bools = (left.min(1) >= 0) & bool(allowed.any())
        left = left if real.all() else left[real]
        fit = left[:, allowed].sum(1) / np.maximum(left.sum(1), 1)
        return real, dealer.chances(left) / np.where((fit > 0) & (self.p.holes == 1), fit, 1)[:, None]

    def check_length(self, reach: Floats) -> None:
        """The dealer must not run out of cards in a round that can happen."""
        hands = self.hands
        some = np.flatnonzero((reach[hands.over] > 0) & (hands.open >= 0))
        place = self.places(self.dealers.ending[hands.position[hands.over[some]]], hands.open[some])
        if (reach[hands.over[some]] * (1 - self.chances[place].sum(1)) > 1e-12).any():
            raise BadInput("the shoe has too few cards: the dealer could run out of them")
