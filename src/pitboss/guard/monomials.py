"""A sum over all deals of some cards, written down shorter: one product of counts for each *kind* of deal that matters.

What a wager pays for tens of thousands of deals is mostly the same: a loss whatever the cards are, a pair whatever its
suits, a flush whatever its ranks. So the pays are taken apart, coarsest first: one pay for all deals, then what differs
by ranks, then by suits, then card by card, each time what is most common. What is left over at every step is mostly
nothing, and a deal's order does not matter to its chance: of 64,000 deals of three cards a few hundred products remain.
They add up to the same whole number.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Numbers = NDArray[Any]


@dataclass(frozen=True, eq=False)
class _Terms:
    """Products of counts of groups of cards, each with what it pays."""

    group_of: Ints  # by kind of card
    groups: Ints  # cards x products, in rising order
    gone: Ints  # cards x products: how many of the same group come before
    pays: Ints

    def sums(self, left: Numbers) -> Numbers:
        """For every shoe (the columns of `left`, which has a row for every kind of card)."""
        together = grouped(left, self.group_of)
        product = together[self.groups[0]]
        for group, gone in zip(self.groups[1:], self.gone[1:], strict=True):
            product *= together[group] - gone.astype(left.dtype)[:, None]
        out: Numbers = np.einsum("p,ps->s", self.pays.astype(left.dtype), product)
        return out


@dataclass(frozen=True, eq=False)
class Monomials:
    """The sum of pays x ways over all deals of so many cards. `most` times the ordered deals of a shoe is more than any
    sum of some of the products."""

    terms: tuple[_Terms, ...]
    most: int

    @classmethod
    def of(cls, pays: Ints, groupings: Sequence[Sequence[int]]) -> "Monomials":
        """`pays` has an axis for every card; a grouping says, by kind of card, which are taken together. The last one
        tells all kinds apart."""
        terms, most, rest = [], 0, pays
        for grouping in groupings:
            group_of = np.array(grouping, np.int64)
            common = _most_common(rest, group_of)
            if common.any():
                terms.append(_terms(common, group_of))
                most += int(np.abs(common).max())
                rest = rest - common[np.ix_(*[group_of] * pays.ndim)]
        assert not rest.any()
        return cls(tuple(terms), most)

    @property
    def products(self) -> int:
        """How many there are to work out."""
        return sum(len(t.pays) for t in self.terms)

    def sums(self, left: Numbers) -> Numbers:
        """For every shoe (the columns of `left`, which has a row for every kind of card)."""
        out: Numbers = np.zeros(left.shape[1], left.dtype)
        for terms in self.terms:
            out += terms.sums(left)
        return out


def grouped(rows: Numbers, group_of: Ints) -> Numbers:
    """Rows of one group added up."""
    order = np.argsort(group_of, kind="stable")
    first = np.unique(group_of[order], return_index=True)[1]
    if len(first) == len(rows):
        return rows[order]
    out: Numbers = np.add.reduceat(rows[order], first, axis=0)
    return out


def _most_common(pays: Ints, group_of: Ints) -> Ints:
    """By group of every card: what most of the deals pay, told apart by kinds."""
    many = int(group_of.max()) + 1
    cell: Ints = np.zeros((1,) * pays.ndim, np.int64)
    for axis in range(pays.ndim):
        cell = cell * many + group_of.reshape([-1 if i == axis else 1 for i in range(pays.ndim)])
    values, value = np.unique(pays, return_inverse=True)
    pair, often = np.unique((cell * len(values)).ravel() + value.ravel(), return_counts=True)
    order = np.lexsort((often, pair // len(values)))  # the most common one of each cell comes last
    out: Ints = np.zeros(many**pays.ndim, np.int64)
    out[pair[order] // len(values)] = values[pair[order] % len(values)]
    return out.reshape((many,) * pays.ndim)


def _terms(pays: Ints, group_of: Ints) -> _Terms:
    """Deals of the same groups in another order have the same chance: their pays add up."""
    deals = np.sort(np.argwhere(pays), axis=1)
    groups, which = np.unique(deals, axis=0, return_inverse=True)
    total: Ints = np.zeros(len(groups), np.int64)
    np.add.at(total, which.ravel(), pays[pays != 0])
    groups = groups[total != 0].T
    gone = np.zeros_like(groups)
    for i, (before, here) in enumerate(pairwise(groups), 1):
        gone[i] = np.where(here == before, gone[i - 1] + 1, 0)
    return _Terms(group_of, groups, gone, total[total != 0])
