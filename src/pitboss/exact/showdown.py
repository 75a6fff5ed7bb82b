"""Two hands over a shared board: who wins how often, counted in whole numbers over every deal.

Two cards on the board, `own` cards for the player and as many for the dealer, all from one deck; each makes the best
five of what it sees. With five own cards there are 3,432,502,295,061,840 deals, so they are counted, not visited.

Sharing no card. Fix the board. The dealer's hands that share no card with a given hand A are all his hands, less those
that contain a given card of A, for each card, plus those that contain two, and so on: a sum over the sets S of cards
in A of (-1)^|S| times the number of hands that contain S. Summed over A as well, pairs of hands that share no card are
a sum over S of (-1)^|S| times the hands of the one kind that contain S times those of the other kind. So nothing is
needed but: how many hands of a kind contain S? "A kind" is a label (for J, the deals by both labels) or a strength
(for T, the ties).

By ranks. Pretend that flushes do not count. Then a hand is a multiset of ranks, S matters by its ranks alone, and the
numbers are products of binomial coefficients, one per rank.

Flushes. A hand with a flush is worth its flush and nothing else (seven cards with five of a suit have no room for a
full house). So it is put right: it counts +1 at its flush and -1 at the strength of its ranks. A deal is then the
product (by ranks + correction) x (by ranks + correction), which is four sums:
- by ranks x by ranks;
- correction x by ranks, and the mirror image: again only the ranks of S matter, because the uncorrected hand has no
  suits, so all that is needed of the flushes is how many there are for each multiset of ranks;
- correction x correction, in the same suit: a hand is the ranks it has in the suit and a multiset of ranks from the
  other suits, and so is S;
- correction x correction, in two suits: a board of two cards leaves the two hands at most two spare cards between
  them outside their flush suits, so S has two cards at most.

Boards differ only by ranks and by whether their suits are equal: 13 pairs (of 6 boards each), 78 suited (of 4), and 78
offsuit (of 12). Sums are done in floating point, exact for whole numbers below 2^53: `Boards` checks the bound.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np

from pitboss.exact.showdown_hands import (
    HOLD_BITS,
    PLACE_BITS,
    Floats,
    FlushHands,
    Ints,
    RankHands,
    Shared,
    Side,
    flush_hands,
    rank_hands,
    shared,
    tally,
)
from pitboss.hands.categories import CATEGORIES
from pitboss.hands.evaluate import strengths
from pitboss.hands.tables import SLOTS, hand_tables

LABELS = (*(name for name, _ in CATEGORIES), "6-card royal flush", "7-card royal flush")
ROYAL = len(CATEGORIES) - 1  # this label and those above it tie one another
_FLOORS = np.array([floor for _, floor in CATEGORIES])
_L = len(LABELS)
_FLUSH = LABELS.index("flush")


@dataclass(frozen=True)
class Showdown:
    """All deals by what the player and the dealer have."""

    labels: tuple[str, ...]  # weakest first
    pairs: Mapping[tuple[str, str], int]  # (player's label, dealer's label) -> deals
    ties: Mapping[tuple[str, str], int]  # the ties among them
    deals: int

    def outcomes(self) -> dict[str, tuple[int, int, int]]:
        """The player's label -> deals that he wins, ties and loses."""
        return {a: self._outcome(i, a) for i, a in enumerate(self.labels)}

    def _outcome(self, i: int, a: str) -> tuple[int, int, int]:
        wins = ties = losses = 0
        for j, b in enumerate(self.labels):
            deals, tied = self.pairs[a, b], self.ties[a, b]
            if min(i, ROYAL) == min(j, ROYAL):  # one label: player and dealer are alike, so each wins half of the rest
                wins, ties, losses = wins + (deals - tied) // 2, ties + tied, losses + (deals - tied) // 2
            else:
                wins, losses = wins + deals * (i > j), losses + deals * (i < j)
        return wins, ties, losses


def showdown(own: int = 5, ranks: int = 13) -> Showdown:
    """Hands of `own` cards and a board of two, from a deck of the highest ranks in four suits."""
    return count(own, range(13 - ranks, 13))


def count(own: int, deck: Sequence[int]) -> Showdown:
    """The same from a deck of the given ranks in four suits."""
    boards = Boards(own, deck)
    pairs, ties = np.zeros((_L, _L), np.int64), np.zeros((_L, _L), np.int64)
    same = [((4 * r, 4 * r + 1), 6) for r in boards.deck]
    two = [((4 * a, 4 * b + off), 12 if off else 4) for a, b in combinations(boards.deck, 2) for off in (0, 1)]
    for board, times in (*same, *two):
        j, t = boards.count(*board)
        pairs += times * j
        ties += times * t
    names = [(i, j, (a, b)) for i, a in enumerate(LABELS) for j, b in enumerate(LABELS)]
    return Showdown(
        LABELS, {n: int(pairs[i, j]) for i, j, n in names}, {n: int(ties[i, j]) for i, j, n in names}, int(pairs.sum())
    )


class Boards:
    """Counts deals for one board at a time; what boards of the same kind have in common is made once."""

    def __init__(self, own: int, deck: Sequence[int]) -> None:
        if own not in (3, 4, 5) or len(set(deck)) < 2:
            raise ValueError("a showdown has three to five own cards and a deck of two ranks or more")
        self.own, self.deck = own, sorted(set(deck))
        left = 4 * len(self.deck) - 2
        # no sum exceeds this: over all sets S, the square of the number of hands that contain S
        bound = sum(comb(left, i) * comb(left - i, own - i) ** 2 for i in range(own + 1))
        sums = 1 + 2 + 4 + 12  # by ranks, mixed both ways, one suit, two suits
        if sums * bound >= 1 << 53 or sums * bound * comb(left + 2, 2) >= 1 << 63:
            raise OverflowError("too many deals for exact sums")
        self._every = lru_cache(_every)
        self._kind = lru_cache(_Kind)
        self._ranked = lru_cache(1)(_Ranked)  # boards of the same ranks come one after the other

    def count(self, first: int, second: int) -> tuple[Ints, Ints]:
        """Deals, and ties, with these two cards on the board: arrays by the player's and the dealer's label."""
        board = first >> 2, second >> 2
        pair, suited = board[0] == board[1], first & 3 == second & 3
        places = *(r for r in self.deck if r not in board), *sorted(set(board))
        every = self._every(self.own, len(places), pair)
        ranked = self._ranked(every, places, board)
        return _count(self._kind(self.own, every, len(places), pair, suited), ranked, np.array(places))


def _every(own: int, ranks: int, pair: bool) -> RankHands:
    caps = np.full(ranks, 4)
    caps[-2:] -= (0, 2) if pair else (1, 1)
    return rank_hands(own, caps)


Look = tuple[int, ...]
"""How a suit looks on the board: which of its ranks are there."""


class _Kind:
    """What boards of one kind have in common: a pair, two ranks of one suit, or two ranks of two suits."""

    def __init__(self, own: int, every: RankHands, ranks: int, pair: bool, suited: bool) -> None:
        self.every = every
        cards = ((ranks - 1 if pair else ranks - 2, 0), (ranks - 1, 0 if suited else 1))  # rank and suit
        looks = [tuple(place for place, s in cards if s == suit) for suit in range(4)]

        def left(*without: int) -> Ints:
            """How many cards of each rank the other suits have left."""
            caps = np.full(ranks, 4 - len(without))
            for place, suit in cards:
                caps[place] -= suit not in without
            return caps

        # suits that look alike are counted once, with their number, and so are pairs of suits
        self.alike: dict[Look, tuple[FlushHands, int]] = {}
        for suit, look in enumerate(looks):
            hands = None if look in self.alike else flush_hands(own, look, left(suit), every)
            if hands is not None:
                self.alike[look] = hands, looks.count(look)
        self.crossed: dict[tuple[Look, Look], tuple[Shared, int]] = {}
        for (c, a), (d, b) in combinations(enumerate(looks), 2):
            if a in self.alike and b in self.alike:
                known = self.crossed.get((a, b))
                common = known[0] if known else shared(self.alike[a][0], self.alike[b][0], left(c, d))
                self.crossed[a, b] = common, (known[1] if known else 0) + 1
        # how many flushes there are for each multiset of ranks
        self.flushes = np.zeros(len(every.codes))
        for hands, times in self.alike.values():
            self.flushes += times * tally(hands.ranks, hands.ways, len(self.flushes))


class _Ranked:
    """All hands over a board of given ranks, as if flushes did not count."""

    def __init__(self, every: RankHands, places: tuple[int, ...], board: tuple[int, int]) -> None:
        self.every = every
        rows = len(every.codes)
        ranks = np.sort(np.hstack([np.array(places)[every.cards], np.tile(board, (rows, 1))]), axis=1)
        # suits in turn: equal ranks get different suits, and no suit gets five cards
        strength = strengths(4 * ranks + np.arange(ranks.shape[1]) % 4)
        self.strengths, self.place = np.unique(strength, return_inverse=True)
        assert len(self.strengths) <= 1 << PLACE_BITS, "seven cards have fewer strengths"
        self.label = _labels(strength, np.zeros_like(strength))
        self._opponents()

    def _opponents(self) -> None:
        """Per multiset of the player's ranks: the dealer's hands that share no card with any one such hand."""
        e = self.every
        table = tally(self.label[e.row] * e.parts + e.part, e.holding, _L * e.parts).reshape(_L, -1)
        self.by_label = np.zeros((_L, len(e.codes)))  # by the dealer's label
        for b in np.unique(self.label):
            self.by_label[b] = np.add.reduceat(e.signed * table[b][e.part], e.starts)
        # and those of the same strength: entries are sorted by (part, strength), each with its index in the low bits
        low = len(e.row).bit_length()
        keys = (e.part * len(self.strengths) + self.place[e.row]) << low | np.arange(len(e.row))
        keys.sort()
        entry, starts = keys & (1 << low) - 1, _starts(keys >> low)
        sizes = np.diff(starts, append=len(keys))
        equal = np.repeat(np.add.reduceat(e.holding[entry], starts), sizes)
        self.equal = tally(e.row[entry], e.signed[entry] * equal, len(e.codes))


def _starts(ordered: Ints) -> Ints:
    """Where each run of equal numbers begins."""
    return np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))


def _products(first: Floats, second: Floats) -> Floats:
    """Both by label: the sum of products for every pair of labels. (As a matrix product it would start threads.)"""
    a, b = np.flatnonzero(first.any(1)), np.flatnonzero(second.any(1))
    out = np.zeros((_L, _L))
    out[np.ix_(a, b)] = np.einsum("an,bn->ab", first[a], second[b])
    return out


def _labels(strength: Ints, royal: Ints) -> Ints:
    """Index of the label; `royal` is the length of a royal flush."""
    out: Ints = np.searchsorted(_FLOORS, strength, "right") - 1 + np.maximum(royal - 5, 0)
    return out


class _Flushes:
    """The flushes of one suit over a board of given ranks: what they are worth, and what their ranks alone are."""

    def __init__(self, hands: FlushHands, ranked: _Ranked, places: Ints, look: Look) -> None:
        tables = hand_tables()
        bits = np.int64(1) << places
        mask = hands.masks @ bits + sum(int(bits[place]) for place in look)
        strength, royal = tables.strengths[SLOTS + mask].astype(np.int64), tables.royals[mask].astype(np.int64)
        self.hands = hands
        self.value = strength << 3 | royal  # per mask; royals of different lengths are kept apart
        self.label = _labels(strength, royal)[hands.mask]
        self.rank_place = ranked.place[hands.ranks]

    def same_suit(self, rank_label: Ints) -> tuple[Floats, Floats]:
        """Correction x correction in this suit: deals by labels, and ties by label of the ranks.

        Only the ranks can tie: each flush has three own cards or more among its five best, and no card is in both.
        """
        h = self.hands
        # sorted by (part, strength of the ranks), each with its number of hands in the low bits
        keys = h.packed + (self.rank_place << HOLD_BITS)[h.row]
        keys.sort()
        starts = _starts(keys >> HOLD_BITS)
        hands = np.add.reduceat(keys & (1 << HOLD_BITS) - 1, starts).astype(np.float64)
        keys = keys[starts] >> HOLD_BITS
        part, label = keys >> PLACE_BITS, rank_label[keys & (1 << PLACE_BITS) - 1]
        ties = tally(label, h.signed[part] * hands * hands, _L)
        # almost every flush is a plain one: only the others are added up
        parts = len(h.keys)
        others = np.flatnonzero((self.label != _FLUSH)[h.row])
        found = tally(self.label[h.row[others]] * parts + h.part[others], h.holding[others], _L * parts)
        table = (found - tally(label * parts + part, hands, _L * parts)).reshape(_L, -1)
        table[_FLUSH] = h.total - found.reshape(_L, -1).sum(0)
        return _products(table, h.signed * table), ties

    def by_value(self, side: Side, flush_values: Ints, rank_values: int) -> Floats:
        """The correction per shared set and value: the strengths of the ranks first, then the flushes."""
        width = rank_values + len(flush_values)
        flush = rank_values + np.searchsorted(flush_values, self.value)[self.hands.mask]
        at = side.part_of * width
        out = tally(at + flush[side.row], side.holding, side.parts * width)
        out -= tally(at + self.rank_place[side.row], side.holding, side.parts * width)
        return out.reshape(-1, width)[side.part]


def _count(kind: _Kind, ranked: _Ranked, places: Ints) -> tuple[Ints, Ints]:
    """Deals and ties over one board, by labels."""
    rows = len(kind.flushes)
    suits = {look: _Flushes(hands, ranked, places, look) for look, (hands, _) in kind.alike.items()}
    by_rank = np.eye(_L)[:, ranked.label]
    corrections = -kind.flushes * by_rank
    for look, (hands, times) in kind.alike.items():
        found = tally(suits[look].label * rows + hands.ranks, hands.ways, _L * rows)
        corrections += times * found.reshape(_L, -1)
    pairs = _products(kind.every.ways * by_rank, ranked.by_label)
    mixed = _products(corrections, ranked.by_label)
    pairs += mixed + mixed.T
    ties = tally(ranked.label, (kind.every.ways - 2 * kind.flushes) * ranked.equal, _L)

    rank_label = _labels(ranked.strengths, np.zeros_like(ranked.strengths))
    for look, (_, times) in kind.alike.items():
        j, t = suits[look].same_suit(rank_label)
        pairs += times * j
        ties += times * t

    for (c, d), (common, times) in kind.crossed.items():
        first, second = suits[c], suits[d]
        flush_values = np.union1d(first.value, second.value)
        label = np.concatenate([rank_label, _labels(flush_values >> 3, flush_values & 7)])
        left = first.by_value(common.first, flush_values, len(rank_label))
        right = second.by_value(common.second, flush_values, len(rank_label))
        left *= common.signed[:, None]
        j = _products(_by_label(left, label), _by_label(right, label))
        pairs += times * (j + j.T)
        ties += 2 * times * tally(label, np.einsum("sv,sv->v", left, right), _L)
    return _whole(pairs, ties)


def _by_label(table: Floats, label: Ints) -> Floats:
    """Sums of the columns of each label, which lie side by side; the label comes first in the result."""
    starts = _starts(label)
    out = np.zeros((_L, len(table)))
    out[label[starts]] = np.add.reduceat(table, starts, axis=1).T
    return out


def _whole(pairs: Floats, ties: Floats) -> tuple[Ints, Ints]:
    """As integers; royal flushes of any length tie one another."""
    deals = pairs.astype(np.int64)
    tied: Ints = np.diag(ties.astype(np.int64))
    tied[ROYAL:, ROYAL:] = deals[ROYAL:, ROYAL:]
    return deals, tied
