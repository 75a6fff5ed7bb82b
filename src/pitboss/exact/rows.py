"""What the player can see at a decision, as rows: one per class of deals that the game cannot tell apart."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations, permutations, product
from math import comb, perm

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Composition, suit_renamings
from pitboss.exact.plan import TooLarge

Bytes = NDArray[np.uint8]
_RENAMED = np.array(suit_renamings(), np.uint8)
CODES = _RENAMED.shape[1]
MOST_ROWS = 40_000_000


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of carried values and visible cards, with the number of deals that each stands for."""

    cells: Bytes  # rows x (carried values, then visible slots)
    carried: int  # how many leading columns are carried values
    groups: tuple[tuple[int, ...], ...]  # visible slots, by deal
    ordered: tuple[bool, ...]  # per deal: whether its order matters
    weight: NDArray[np.int64]
    total: int  # deals per carried state: the sum of the weights of one root row
    parent: NDArray[np.int64]  # the row of the earlier decision that this one continues
    root: NDArray[np.int64]  # the carried state that it belongs to

    @property
    def slots(self) -> tuple[int, ...]:
        return tuple(s for g in self.groups for s in g)

    def __len__(self) -> int:
        return len(self.cells)


def start(states: list[tuple[int, ...]]) -> Rows:
    """Before any card is seen: one row per carried state."""
    n = len(states)
    cells = np.array(states, np.uint8).reshape(n, -1)
    zeros = np.zeros(n, np.int64)
    return Rows(cells, cells.shape[1], (), (), np.ones(n, np.int64), 1, zeros, np.arange(n))


@cache
def ways_to_deal(cards: int, seen: int, count: int, ordered: bool) -> int:
    """How many deals of `count` cards there are when `seen` are gone from the shoe."""
    return perm(cards - seen, count) if ordered else comb(cards - seen, count)


def expand(rows: Rows, slots: tuple[int, ...], ordered: bool, shoe: Composition, blind: bool) -> Rows:
    """Deal one more visible group to every row; classes that the game cannot tell apart become one row."""
    if blind and len(rows) == 1 and not rows.cells.size:  # nothing is seen and nothing carried: alike for all games
        first = _first(len(slots), ordered, shoe)
        return replace(first, cells=first.cells.copy(), groups=(slots,))
    return _expanded(rows, slots, ordered, shoe, blind)


@lru_cache(maxsize=4)
def _first(cards: int, ordered: bool, shoe: Composition) -> Rows:
    """The first cards in sight, up to suits: millions of deals are gone through for them."""
    return _expanded(start([()]), tuple(range(cards)), ordered, shoe, blind=True)


def _expanded(rows: Rows, slots: tuple[int, ...], ordered: bool, shoe: Composition, blind: bool) -> Rows:
    n, k = len(slots), len(rows.slots)
    present = [c for c, n in enumerate(shoe) if n]
    single = max(shoe) == 1
    together = single and not ordered
    many = len(rows) * (comb(len(present), n) if together else len(present) ** n)
    if many > MOST_ROWS:
        raise TooLarge(f"the player can see {many:,} different deals at a decision, more than the {MOST_ROWS:,} listed")
    tuples = combinations(present, n) if together else product(present, repeat=n)
    deals = np.array(list(tuples), np.uint8).reshape(-1, n)
    cells = np.concatenate([np.repeat(rows.cells, len(deals), 0), np.tile(deals, (len(rows), 1))], 1)
    weight = np.repeat(rows.weight, len(deals))
    counts = np.array(shoe, np.int64)
    first = rows.carried
    for j in range(n):
        card = cells[:, first + k + j]
        left = counts[card]
        for other in range(k + j):
            left = left - (cells[:, first + other] == card)
        weight = weight * np.maximum(left, 0)
    parent = np.repeat(np.arange(len(rows)), len(deals))
    keep = weight > 0
    cells, weight, parent = cells[keep], weight[keep], parent[keep]
    groups, orders = (*rows.groups, slots), (*rows.ordered, ordered)
    _, chosen, inverse = np.unique(
        canonical(cells, rows.carried, groups, orders, blind), return_index=True, return_inverse=True
    )
    summed = np.zeros(len(chosen), np.int64)
    np.add.at(summed, inverse, weight)
    in_order = ordered or not single  # several decks: equal cards are different deals, so order is counted
    total = rows.total * ways_to_deal(sum(shoe), k, n, in_order)
    kept = parent[chosen]
    return Rows(cells[chosen], rows.carried, groups, orders, summed, total, kept, rows.root[kept])


def canonical(
    cells: Bytes, carried: int, groups: tuple[tuple[int, ...], ...], ordered: tuple[bool, ...], blind: bool
) -> NDArray[np.int64]:
    """One number per class: the least over all renamings of the suits, each unordered deal sorted."""
    best: NDArray[np.int64] | None = None
    if CODES ** (cells.shape[1] - carried) << 8 * carried >= 1 << 63:
        raise TooLarge("the player can see more cards at a decision than are told apart")
    for renamed in _RENAMED if blind and groups else _RENAMED[:1]:
        key = np.zeros(len(cells), np.int64)
        for i in range(carried):
            key = key * 256 + cells[:, i]
        column = carried
        for group, fixed in zip(groups, ordered, strict=True):
            part = renamed[cells[:, column : column + len(group)]]
            if len(group) > 1 and not fixed:
                part = np.sort(part, axis=1)
            for i in range(len(group)):
                key = key * CODES + part[:, i]
            column += len(group)
        best = key if best is None else np.minimum(best, key)
    assert best is not None
    return best


def members(rows: Rows, blind: bool) -> Iterator[Bytes]:
    """All deals that the rows stand for, one array per renaming of the suits and order of the unordered deals."""
    columns: list[list[tuple[int, ...]]] = []
    start = rows.carried
    for group, fixed in zip(rows.groups, rows.ordered, strict=True):
        here = tuple(range(start, start + len(group)))
        columns.append([here] if fixed else list(permutations(here)))
        start += len(group)
    for renamed in _RENAMED if blind and rows.groups else _RENAMED[:1]:
        for order in product(*columns):
            chosen = [c for group in order for c in group]
            yield np.concatenate([rows.cells[:, : rows.carried], renamed[rows.cells[:, chosen]]], 1)
