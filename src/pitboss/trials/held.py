"""A sample held against its law: a statistic, and the chance of one as far off, to either side.

Too even is as wrong as too uneven, so every p is two-sided: it is small where a perfect shuffle would hardly ever come
out so far from the law, or so near to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from pitboss.deal.statistics import chi_square, chi_square_tail, normal_tail

Matrix = NDArray[np.int64]
FEWEST = 5  # expected of a result that is told from others


@dataclass(frozen=True)
class Held:
    """A statistic of chi-square with so many degrees of freedom, or a number of standard errors with none."""

    statistic: float
    degrees: int | None
    p: float


def by_ways(counts: Sequence[int], ways: Sequence[int]) -> Held:
    """Pearson's statistic of independent results against the ways of each; the rarest are counted together, so that
    five or more are expected of each."""
    whole, total = sum(counts), sum(ways)
    if any(count and not way for count, way in zip(counts, ways, strict=True)):
        return by_chi_square(inf, 1)  # what cannot happen has happened
    groups = [[0, 0]]  # how many there were, and their ways
    for place in sorted(range(len(ways)), key=lambda place: ways[place]):
        if groups[-1][1] * whole >= FEWEST * total:
            groups.append([0, 0])
        groups[-1][0] += counts[place]
        groups[-1][1] += ways[place]
    if len(groups) > 1 and groups[-1][1] * whole < FEWEST * total:
        last = groups.pop()
        groups[-1] = [groups[-1][0] + last[0], groups[-1][1] + last[1]]
    return by_chi_square(*chi_square([n for n, _ in groups], [whole * way / total for _, way in groups]))


def by_same(counts: Sequence[int]) -> Held:
    """The same, where all results are equally likely."""
    return by_ways(counts, [1] * len(counts))


def by_even(heads: int, of: int) -> Held:
    """Heads or tails."""
    return by_error(heads, of / 2, of / 4)


def by_coins(heads: Sequence[int], of: int) -> Held:
    """Several coins, each of them tossed so many times."""
    return by_chi_square(sum((2 * one - of) ** 2 for one in heads) / of, len(heads))


def by_error(found: float, expected: float, variance: float) -> Held:
    """A sum of many against its mean, in standard errors."""
    z = (found - expected) / sqrt(variance)
    return Held(z, None, normal_tail(z))


def by_chi_square(statistic: float, degrees: int) -> Held:
    above = chi_square_tail(statistic, degrees)
    return Held(statistic, degrees, min(1.0, 2 * min(above, 1 - above)) if degrees else 1.0)


# ---- sums of permutation matrices


def by_square(counts: Matrix, packs: int) -> Held:
    """How often each of n things goes with each of n others, one to one, in so many packs.

    The covariance of a random permutation matrix is C x C / (n - 1), with C the centring matrix of n: so this sum of
    squares, and not Pearson's, is chi-square with (n - 1)**2 degrees of freedom.
    """
    n = len(counts)
    return by_chi_square(float(((counts - packs / n) ** 2).sum()) * (n - 1) / packs, (n - 1) ** 2)


def by_line(counts: Matrix, packs: int, rows: Sequence[int], columns: Sequence[int]) -> Held:
    """Whether high goes with high, in the same matrix (Hoeffding 1951)."""
    n, x, y = len(counts), _centred(rows), _centred(columns)
    return by_error(float(x @ counts @ y), 0.0, packs * float(x @ x) * float(y @ y) / (n - 1))


def by_ring(counts: Matrix, packs: int) -> tuple[Held, Held]:
    """How often each card is followed by each other one, the pack taken as a ring: in either order, and in which.

    Rows and columns add up to the number of packs. What is left falls into a symmetric part, in which the covariance of
    one pack is 1 / (n - 1), and an antisymmetric one, in which it is n / (n - 1) / (n - 2), because a card that is
    followed by another does not follow it. That holds for cards that lie k apart, too, as long as 2 k is not n.
    """
    n = len(counts)
    off = counts - packs / (n - 1)
    np.fill_diagonal(off, 0.0)
    either, first = (off + off.T) / 2, (off - off.T) / 2
    return (
        by_chi_square(float((either**2).sum()) * (n - 1) / packs, n * (n - 3) // 2),
        by_chi_square(float((first**2).sum()) * (n - 1) * (n - 2) / n / packs, (n - 1) * (n - 2) // 2),
    )


def by_neighbours(counts: Matrix, packs: int, values: Sequence[int]) -> Held:
    """Whether high follows high, in the matrix of a ring: serial correlation (Wald and Wolfowitz 1943)."""
    n, x = len(counts), _centred(values)
    two, four = float((x**2).sum()), float((x**4).sum())
    mean = -two / (n - 1)
    variance = (two**2 - four) / (n - 1) + (two**2 - 2 * four) / (n - 1) / (n - 2) - mean**2
    return by_error(float(x @ counts @ x), packs * mean, packs * variance)


def _centred(values: Sequence[int]) -> NDArray[np.float64]:
    x: NDArray[np.float64] = np.array(values, float)
    x -= x.mean()
    return x
