"""Every hand of so many cards by its strength, counted by ranks and suits instead of one by one.

Suits matter only through flushes. Without flushes a multiset of ranks stands for a product of binomial coefficients; a
hand with a flush is the ranks it has in one suit and a multiset of ranks from the other three. The flushes are taken
out where their ranks put them, and put in where their suit puts them.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from pitboss.hands.categories import RANKINGS
from pitboss.hands.evaluate import strengths

Ints = NDArray[np.int64]
_PLACES = 5 ** np.arange(13, dtype=np.int64)  # a multiset of ranks as one number: a digit per rank


SIZES = (3, 4, 5, 6, 7)


def counted_of(cards: int) -> tuple[int, ...]:
    """How many of so many cards a hand may count here, the usual number first. Two suits of three cards each, as six or
    seven cards can have them, are not told apart by this count."""
    usual = min(cards, 5)
    return usual, *(n for n in (5, 4, 3) if n < usual and cards < 2 * n)


@cache
def hands_by_name(cards: int, best: int = 0) -> dict[str, int]:
    """Best hand -> number of hands of 3 to 7 cards of one deck, the best kind first; `best` says how many cards count
    where those are not all, or five."""
    names = RANKINGS[best or counted_of(cards)[0]]
    out = dict.fromkeys((name for name, _ in reversed(names)), 0)
    for strength, n in census(cards, best).items():
        out[next(name for name, floor in reversed(names) if strength >= floor)] += n
    return out


def census(cards: int, best: int = 0) -> dict[int, int]:
    """Strength -> number of hands of so many cards of one deck."""
    best = best or counted_of(cards)[0]
    ranks = _multisets(cards, 4)
    codes = _PLACES[ranks].sum(1)
    order = np.argsort(codes)
    ways = np.zeros(1 << 16, np.int64)
    value = strengths(_spread_over_suits(ranks), best)
    np.add.at(ways, value, _choices(ranks, 4))
    for suited in range(best, cards + 1):
        masks = np.array(list(combinations(range(13), suited)), np.int64)
        others = _multisets(cards - suited, 3)
        n = 4 * _choices(others, 3)
        all_codes = _PLACES[masks].sum(1)[:, None] + _PLACES[others].sum(1)[None, :]
        plain = value[order[np.searchsorted(codes, all_codes, sorter=order)]]
        np.subtract.at(ways, plain, np.broadcast_to(n, plain.shape))
        np.add.at(ways, np.maximum(plain, strengths(masks * 4, best)[:, None]), np.broadcast_to(n, plain.shape))
    return {int(s): int(ways[s]) for s in np.flatnonzero(ways)}


def _multisets(size: int, most: int) -> Ints:
    """All multisets of ranks of one size with no rank more than `most` times, sorted within each row."""
    if size == 0:
        return np.zeros((1, 0), np.int64)
    rows = np.array(list(combinations_with_replacement(range(13), size)), np.int64)
    fits = np.ones(len(rows), bool)
    for i in range(size - most):
        fits &= rows[:, i] != rows[:, i + most]
    return rows[fits]


def _choices(ranks: Ints, suits: int) -> Ints:
    """In how many ways the ranks can take suits: C(suits, times) for each rank."""
    pascal = np.array([comb(suits, k) for k in range(suits + 1)], np.int64)
    out = np.ones(len(ranks), np.int64)
    for rank in range(13):
        out *= pascal[(ranks == rank).sum(1)]
    return out


def _spread_over_suits(ranks: Ints) -> Ints:
    """Cards of these ranks without a flush: suits go round, so equal ranks differ and no three are the same."""
    return ranks * 4 + np.arange(ranks.shape[1]) % 4
