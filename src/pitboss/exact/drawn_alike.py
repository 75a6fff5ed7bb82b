"""Positions, and cards, that nothing tells apart: found by random numbers of 64 bits, which are equal for equals
only."""

import numpy as np
from numpy.typing import NDArray

from pitboss.exact.drawn_cards import Ints


def interchangeable(group: Ints, draws: Ints, moves: Ints) -> Ints:
    """By position and class of card: the first class of the same group that leads to the same position there, and in
    all positions behind it. -1 in `draws` and `moves`: nowhere."""
    n, k = draws.shape
    own = mixed(np.column_stack([draws.reshape(-1), np.tile(group, n)])).reshape(n, k)
    now, reps = own, np.full((n, k), -1, np.int64)
    while True:
        found: Ints = np.tile(np.arange(k), (n, 1))
        for i in range(k - 1, -1, -1):
            for j in np.flatnonzero(group[:i] == group[i])[::-1]:
                found[:, i] = np.where(now[:, i] == now[:, j], j, found[:, i])
        if (found == reps).all():
            return found
        reps = found
        below = np.vstack([now, np.zeros((1, k), np.uint64)])
        now = own
        for kid in np.column_stack([draws, moves]).T:
            now = _stirred(now * np.uint64(0x9E3779B97F4A7C15) + below[kid])


def alike(seen: "Ints | NDArray[np.uint64]", kids: Ints) -> Ints:
    """Places from which everything goes on alike, what is seen there (a number each) and by way of every kid (-1:
    none): for each, the first of those that are like it. Compared by random numbers of 64 bits."""
    start = mixed(seen[:, None])
    now, count = start, 0
    while True:
        _, first, back = np.unique(now, return_index=True, return_inverse=True)
        if len(first) == count:
            out: Ints = first[back]
            return out
        count = len(first)
        below = np.append(now, np.uint64(0))
        now = start
        for kid in kids.T:
            now = _stirred(now * np.uint64(0x9E3779B97F4A7C15) + below[kid])


def mixed(rows: "Ints | NDArray[np.uint64]") -> NDArray[np.uint64]:
    """A number for each row that looks random, the same for the same."""
    out = np.zeros(len(rows), np.uint64)
    for column in rows.T:
        out = _stirred(out * np.uint64(0x9E3779B97F4A7C15) + column.astype(np.uint64) + np.uint64(1))
    return out


def _stirred(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return x ^ (x >> np.uint64(31))
