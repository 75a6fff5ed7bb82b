"""Looks at hands of cards, and at parts of hands: a pair, high cards, one suit, what fits a run."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import pairwise
from operator import or_

import numpy as np
from numpy.typing import NDArray

from pitboss.hands.categories import RANKINGS, TOPS
from pitboss.hands.naming import RANK_WORDS, a_rank, at_least, ranks_of_a_kind
from pitboss.rules.column import Column, column, count, high_to_low, highest, node
from pitboss.rules.operations import OPERATIONS
from pitboss.thumb.looks import COUNTS, Look, Places, Values, either, rank_of, suit_of
from pitboss.thumb.solved import Laid, View

MADE = ("", "a pair", "two pair", "three of a kind", "a full house", "four of a kind")


@dataclass(frozen=True)
class Made(Look):
    """The pair or more that some cards make already: kind * 13 + rank."""

    places: Places
    where: str = ""
    ways = "ends"

    def first(self) -> int:
        return 13

    def under(self, last: int) -> bool:
        return last < 13  # no pair

    def of(self, view: View) -> Values:
        ranks = view.ranks(self.places)
        alike = ranks[:, 1:] == ranks[:, :-1]
        again = alike[:, 1:] & alike[:, :-1]  # the third of a rank, and the fourth: no new pair
        two_pair = (alike.sum(1) - again.sum(1)) >= 2
        two, three, four = (self._highest(ranks, n) for n in (2, 3, 4))
        out = np.where(two > 0, 13 * (1 + two_pair) + two - 1, 0)
        out = np.where(three > 0, 13 * (3 + two_pair) + three - 1, out)
        return np.where(four > 0, 64 + four, out)

    @staticmethod
    def _highest(ranks: NDArray[np.uint8], many: int) -> NDArray[np.int64]:
        """One more than the highest rank of which there are so many, else 0; the lowest rank comes first."""
        if ranks.shape[1] < many:
            return np.zeros(len(ranks), np.int64)
        last = ranks[:, many - 1 :]
        alike = last == ranks[:, : last.shape[1]]
        found: NDArray[np.int64] = np.where(alike, last + 1, 0).max(1).astype(np.int64)
        return found

    def column(self, at: Laid) -> Column:
        ranks = high_to_low(*(rank_of(at.cards[p]) for p in self.places))
        apart = [column(1), *(a != b for a, b in pairwise(ranks))]
        pairs = count((a == b) & new for a, b, new in zip(ranks, ranks[1:], apart, strict=False))
        two, three, four = (self._top(ranks, n) for n in (2, 3, 4))
        out = either(two > 0, either(pairs > 1, 26, 13) + two - 1, 0)
        out = either(three > 0, either(pairs > 1, 52, 39) + three - 1, out)
        return either(four > 0, four + 64, out)

    @staticmethod
    def _top(ranks: Sequence[Column], many: int) -> Column:
        """One more than the highest rank of which there are so many, else 0."""
        alike = zip(ranks, ranks[many - 1 :], strict=False)
        return highest(0, *(either(a == b, a + 1, 0) for a, b in alike))

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        if lo < 13:
            return f"no pair{self.where}", 1 + bool(self.where)
        kind, rank = divmod(lo, 13)
        least = not any(lo - rank <= v < lo for v in values)
        if least:
            text = "any pair" if kind == 1 and len(self.places) == 2 else f"{MADE[kind]} or better"
        elif kind == 1:
            text = f"a pair of {ranks_of_a_kind(rank)} or better"
        else:
            text = f"{MADE[kind]}, {ranks_of_a_kind(rank)}, or better"
        return text + self.where, 1 + (not least) + bool(self.where)


@dataclass(frozen=True)
class High(Look):
    """The rank of the highest, second-highest, ... of some cards."""

    places: Places
    nth: int = 1
    where: str = ""
    ways = "ends"

    def of(self, view: View) -> Values:
        return view.ranks(self.places)[:, len(self.places) - self.nth].astype(np.int64)

    def column(self, at: Laid) -> Column:
        return high_to_low(*(rank_of(at.cards[p]) for p in self.places))[self.nth - 1]

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        plain = 1 + (self.nth > 1) + bool(self.where)
        if hi < values[-1]:
            which = ("", "no card", "at most one card")[self.nth] if self.nth < 3 else f"fewer than {self.nth} cards"
            ceiling = f"{which} above {a_rank(hi)}"
            floor = self.words(lo, values[-1], values)[0] + ", " if lo > values[0] else ""
            return f"{floor}{ceiling}{self.where}", plain + 1 + bool(floor)
        rank = RANK_WORDS[lo] if lo == 12 else f"{RANK_WORDS[lo]} or higher"
        if self.nth == 1:
            return f"a{'n' if lo in (6, 12) else ''} {rank}{self.where}", plain
        if lo == 12:
            return f"{COUNTS[self.nth]} aces{self.where}", plain
        all_of = "both cards" if self.nth == 2 else f"all {COUNTS[self.nth]} cards"
        many = all_of if self.nth == len(self.places) else f"{COUNTS[self.nth]} cards"
        return f"{many} {rank}{self.where}", plain


@dataclass(frozen=True)
class Suited(Look):
    """How many of some cards are of one suit."""

    places: Places
    least: int = 2
    where: str = ""
    ways = "ends"

    def first(self) -> int:
        return self.least

    def of(self, view: View) -> Values:
        suits = np.stack([np.asarray(view.cards[p]) & 3 for p in self.places], 1)
        counts: Values = np.stack([(suits == s).sum(1) for s in range(4)])
        out: Values = counts.max(0).astype(np.int64)
        return out

    def column(self, at: Laid) -> Column:
        return node("longest_suit", tuple(at.cards[p] for p in self.places), 1, len(self.places))

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        two, no = len(self.places) == 2, lo < self.least
        text = "suited cards" if two else f"{'no ' if no else ''}{COUNTS[hi + 1 if no else lo]} of one suit"
        return ("un" if two and no else "") + text + self.where, 1 + no + bool(self.where)


@dataclass(frozen=True)
class Run(Look):
    """How many runs of `length` hold `many` or more of some cards; an ace counts below the deuce too."""

    places: Places
    many: int
    length: int
    suited: bool = False

    def first(self) -> int:
        return 1

    def of(self, view: View) -> Values:
        table = _windows(self.many, self.length)
        out: Values = np.zeros(view.rows, np.int64)
        for mask in _masks(view, self.places, self.suited):
            out += table[mask]
        return out

    def column(self, at: Laid) -> Column:
        out = column(0)
        for there in _there([at.cards[p] for p in self.places], self.suited):
            runs = [there[s : s + self.length] for s in range(15 - self.length)]
            out += count(count(run) >= self.many for run in runs)
        return out

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        what = "a straight flush" if self.suited else "a straight"
        ways = f", {_many(lo)} ways" if lo > 1 else ""
        return f"{COUNTS[self.many]} to {what}{ways}", 2 + (lo > 1)


@dataclass(frozen=True)
class Royal(Look):
    """How many of some cards are of one suit and among the highest ranks, as many as a hand has cards."""

    places: Places
    length: int
    least: int = 2

    def first(self) -> int:
        return self.least

    def of(self, view: View) -> Values:
        many = _among_the_highest(self.length)
        out: Values = np.stack([many[mask] for mask in _masks(view, self.places, True)]).max(0)
        return out

    def column(self, at: Laid) -> Column:
        each = _there([at.cards[p] for p in self.places], True)
        return highest(*(count(there[14 - self.length :]) for there in each))

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        return f"{COUNTS[lo]} to a royal flush", 1


@dataclass(frozen=True)
class Paired(Look):
    """One more than the rank of the highest own card that is paired, with another or with what lies open; else 0."""

    own: Places
    places: Places

    def first(self) -> int:
        return 1

    def of(self, view: View) -> Values:
        out: Values = np.zeros(view.rows, np.int64)
        for p in self.own:
            rank = np.asarray(view.cards[p]) >> 2
            paired = np.zeros(view.rows, bool)
            for q in self.places:
                if q != p:
                    paired |= rank == np.asarray(view.cards[q]) >> 2
            out = np.maximum(out, np.where(paired, rank.astype(np.int64) + 1, 0))
        return out

    def column(self, at: Laid) -> Column:
        ranks = {p: rank_of(at.cards[p]) for p in self.places}
        paired = {p: reduce(or_, (ranks[p] == r for q, r in ranks.items() if q != p)) for p in self.own}
        return highest(0, *(either(with_other, ranks[p] + 1, 0) for p, with_other in paired.items()))

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        least = not any(0 < v < lo for v in values)
        what = "any pair" if least else f"a pair of {ranks_of_a_kind(lo - 1)} or better"
        return f"{what} with a card of your own", 2 + (not least)


@dataclass(frozen=True)
class Kicker(Look):
    """How many ranks above one's own highest card do not lie open: what may still be higher."""

    own: Places
    rest: Places
    where: str
    ways = "ends"

    def of(self, view: View) -> Values:
        high, shown = view.ranks(self.own)[:, -1], view.ranks(self.rest)
        return sum(((rank > high) & ~(shown == rank).any(1) for rank in range(13)), np.zeros(view.rows, np.int64))

    def column(self, at: Laid) -> Column:
        high, shown = highest(*(rank_of(at.cards[p]) for p in self.own)), [rank_of(at.cards[p]) for p in self.rest]
        return count((high < rank) & ~reduce(or_, (card == rank for card in shown)) for rank in range(13))

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        has = lo <= values[0]
        many = hi + 1 if has else lo
        best = "of the best rank" if many == 1 else f"among the best {_many(many)} ranks"
        return f"{'a' if has else 'no'} card {best} not{self.where}", 2


@dataclass(frozen=True)
class Strength(Look):
    """How strong a hand is that is all in sight, by an operation of the game's own."""

    places: Places
    counted: int  # the best so many of its cards
    op: str = "strength"
    where: str = ""

    def of(self, view: View) -> Values:
        cards = [np.asarray(view.cards[p], np.int64) for p in self.places]
        found: Values = OPERATIONS[self.op].array(np, *cards)
        return found

    def column(self, at: Laid) -> Column:
        return node(self.op, tuple(at.cards[p] for p in self.places), RANKINGS[self.counted][0][1], TOPS[self.counted])

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        place = bisect_left(values, lo)
        below = values[place - 1] if place else None
        text, told = at_least(lo, below, self.counted)
        return text + self.where, 1 + told + bool(self.where)


def _many(number: int) -> str:
    return COUNTS[number] if number < len(COUNTS) else str(number)


# ---- runs of ranks, as bits: bit 0 is the ace below the deuce, bit r + 1 the rank r


def _masks(view: View, places: Places, suited: bool) -> list[NDArray[np.int64]]:
    """The ranks of the cards, or of those of each suit."""
    key = ("masks", places, suited)
    if key not in view.known:
        out = [np.zeros(view.rows, np.int64) for _ in range(4 if suited else 1)]
        for p in places:
            card = np.asarray(view.cards[p], np.int64)
            bit = np.int64(2) << (card >> 2)
            for suit, mask in enumerate(out):
                mask |= np.where(card & 3 == suit, bit, 0) if suited else bit
        view.known[key] = [mask | mask >> 13 for mask in out]
    found: list[NDArray[np.int64]] = view.known[key]
    return found


def _there(cards: Sequence[Column], suited: bool) -> list[list[Column]]:
    """Rank by rank, from the ace below the deuce up: whether it is there; suited, for each suit."""
    out = []
    for suit in range(4) if suited else (None,):
        some = [
            [rank_of(card) == r if suit is None else (rank_of(card) == r) & (suit_of(card) == suit) for card in cards]
            for r in range(13)
        ]
        there = [reduce(or_, each) for each in some]
        out.append([there[12], *there])
    return out


@cache
def _windows(many: int, length: int) -> NDArray[np.int64]:
    """By ranks as bits: in how many runs of this length so many of them lie."""
    run = (1 << length) - 1
    count = [sum((mask >> s & run).bit_count() >= many for s in range(15 - length)) for mask in range(1 << 14)]
    return np.array(count, np.int64)


@cache
def _among_the_highest(length: int) -> NDArray[np.int64]:
    """By ranks as bits: how many of them are among the highest, so many."""
    top = ((1 << length) - 1) << (14 - length)
    return np.array([(mask & top).bit_count() for mask in range(1 << 14)], np.int64)
