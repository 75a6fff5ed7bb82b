"""Boards and hands, those that differ only in the names of suits once.

A deal is known, up to the names of suits, by its *signatures*: for each suit the ranks that it has in each block of
cards. Two deals are alike when they have the same signatures in some order, so the one that is kept is the one whose
signatures fall; and it stands for as many deals as its signatures can be put in different orders.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import comb, factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Composition

Ints = NDArray[np.int64]
Cards = NDArray[np.uint8]
Suits = tuple[tuple[int, ...], ...]
"""Suits that may be renamed into each other, together."""

EVERY: Suits = ((0, 1, 2, 3),)
NONE: Suits = ((0,), (1,), (2,), (3,))
ROOM = 1 << 20  # deals that are looked at together
PERMUTATIONS = np.array(list(permutations(range(4))), np.int64)  # old suit -> new suit


@dataclass(frozen=True, eq=False)
class Deals:
    """Deals of some blocks of cards, each block in rising order, and how many each stands for."""

    cards: Cards  # deals x cards
    weight: Ints

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def masks(self) -> NDArray[np.uint64]:
        """The cards of each deal as bits."""
        out = np.zeros(len(self.cards), np.uint64)
        for column in self.cards.T:
            out |= np.uint64(1) << column.astype(np.uint64)
        return out


def deals(shoe: Composition, sizes: Sequence[int], suits: Suits) -> Deals:
    """Every deal of blocks of these sizes, up to renaming suits within `suits`."""
    if not sizes:
        return Deals(np.zeros((1, 0), np.uint8), np.ones(1, np.int64))
    found = _one_block(shoe, sizes[0], suits) if len(sizes) == 1 else _several(shoe, sizes, suits)
    present = sum(map(bool, shoe))
    every = prod(comb(present - sum(sizes[:i]), size) for i, size in enumerate(sizes))
    assert found.weight.sum() == every, "a deal stands for too many others, or for too few"
    return found


def _one_block(shoe: Composition, size: int, suits: Suits) -> Deals:
    """Straight from the signatures: a hand is the ranks that it has in each suit."""
    by_size = [_ranks_by_size(tuple(bool(shoe[4 * r + s]) for r in range(13))) for s in range(4)]
    before = {b: a for group in suits for a, b in _pairs(group)}  # the suit that a suit's signature must not exceed
    cards, weights = [], []
    for held in product(range(size + 1), repeat=4):
        if sum(held) != size or any(held[a] < held[b] for b, a in before.items()):
            continue
        masks = np.zeros((0, 1), np.int16)
        for s in range(4):
            more = by_size[s][held[s]].astype(np.int16)
            masks = np.concatenate([np.repeat(masks, len(more), 1), np.tile(more, masks.shape[1])[None]])
            if s in before and held[before[s]] == held[s]:
                masks = masks[:, masks[before[s]] >= masks[s]]
        if masks.shape[1]:
            cards.append(_cards_of(masks, held))
            weights.append(_orders(masks, suits))
    return Deals(np.concatenate(cards), np.concatenate(weights))


def _pairs(group: Sequence[int]) -> list[tuple[int, int]]:
    return list(pairwise(group))


@cache
def _ranks_by_size(present: tuple[bool, ...]) -> list[Ints]:
    """Sets of the ranks that are there, as bits, by how many they hold."""
    whole = sum(1 << r for r in range(13) if present[r])
    masks = [m for m in range(1 << 13) if m & ~whole == 0]
    return [np.array([m for m in masks if m.bit_count() == n], np.int64) for n in range(14)]


@cache
def _ranks_of(size: int) -> Cards:
    """Set of ranks, as bits -> its ranks, for sets of one size."""
    out = np.zeros((1 << 13, size), np.uint8)
    for ranks in combinations(range(13), size):
        out[sum(1 << r for r in ranks)] = ranks
    return out


def _cards_of(masks: NDArray[Any], held: Sequence[int]) -> Cards:
    parts = [_ranks_of(held[s])[masks[s]] * 4 + s for s in range(4) if held[s]]
    out: Cards = np.sort(np.concatenate(parts, 1).astype(np.uint8), axis=1)
    return out


def _orders(signatures: NDArray[Any], suits: Suits) -> Ints:
    """In how many ways the signatures of suits that may be renamed can be told apart."""
    out = np.ones(signatures.shape[1], np.int64)
    for group in suits:
        run = np.ones(signatures.shape[1], np.int64)
        same = np.ones(signatures.shape[1], np.int64)
        for a, b in _pairs(group):
            run = np.where(signatures[a] == signatures[b], run + 1, 1)
            same *= run
        out *= factorial(len(group)) // same
    return out


def signatures(cards: Cards, sizes: Sequence[int]) -> Ints:
    """4 x deals: for each suit the ranks that it has, block by block."""
    out = np.zeros((4, len(cards)), np.int64)
    block = [i for i, size in enumerate(sizes) for _ in range(size)]
    for column, i in zip(cards.T.astype(np.intp), block, strict=True):
        for suit, told in enumerate(_told(i)):
            out[suit] |= told[column]
    return out


@cache
def _told(block: int) -> Ints:
    """4 x card -> what a card of a block adds to the signature of each suit."""
    out = np.zeros((4, 52), np.int64)
    for card in range(52):
        out[card & 3, card] = 1 << (card >> 2) + 13 * block
    return out


def told_alike(boards: Deals, sizes: Sequence[int]) -> list[tuple[Suits, Deals]]:
    """Boards whose signatures fall, those together that leave the same suits to be renamed."""
    told = signatures(boards.cards, sizes)
    same = (told[:-1] == told[1:]).T @ np.array([1, 2, 4])
    out = []
    for runs in np.unique(same).tolist():
        suits = [[0]]
        for s in range(1, 4):
            if runs >> s - 1 & 1:
                suits[-1].append(s)
            else:
                suits.append([s])
        some = same == runs
        out.append((tuple(map(tuple, suits)), Deals(np.ascontiguousarray(boards.cards[some]), boards.weight[some])))
    return out


def board_first(cards: Cards, board: int) -> Cards:
    """One deal whose first cards are a board, with suits renamed so that the board is the one that is listed."""
    order = np.argsort(-signatures(cards[:, :board], [board])[:, 0], kind="stable")
    out: Cards = (cards & 0xFC) | np.argsort(order).astype(np.uint8)[cards & 3]
    return np.concatenate([np.sort(out[:, :board], axis=1), out[:, board:]], 1)


def _several(shoe: Composition, sizes: Sequence[int], suits: Suits) -> Deals:
    """Only those whose signatures fall. The last block weighs most in a signature, so its own must fall too; and it is
    taken a few hands at a time, because all deals together would not fit into memory."""
    present = [c for c in range(52) if shoe[c]]
    blocks = [np.array(list(combinations(present, size)), np.uint8).reshape(-1, size) for size in sizes]
    before = np.zeros((1, 0), np.uint8)
    for block in blocks[:-1]:
        before = _beside(before, block)
    last = blocks[-1][_falling(signatures(blocks[-1], sizes[-1:]), suits)]
    kept, orders, step = [], [], max(1, ROOM // len(before))
    for at in range(0, len(last), step):
        cards = _beside(before, last[at : at + step])
        told = signatures(cards, sizes)
        falling = _falling(told, suits)
        kept.append(cards[falling])
        orders.append(_orders(told[:, falling], suits))
    return Deals(np.concatenate(kept), np.concatenate(orders))


def _falling(told: Ints, suits: Suits) -> NDArray[np.bool_]:
    out = np.ones(told.shape[1], bool)
    for group in suits:
        for a, b in _pairs(group):
            out &= told[a] >= told[b]
    return out


def _beside(cards: Cards, more: Cards) -> Cards:
    """Each of these beside each of those, where they share no card."""
    out = np.concatenate([np.repeat(cards, len(more), 0), np.tile(more, (len(cards), 1))], 1)
    fresh = np.ones(len(out), bool)
    for i in range(cards.shape[1]):
        for j in range(cards.shape[1], out.shape[1]):
            fresh &= out[:, i] != out[:, j]
    return out[fresh]


# ---- numbers of sets of cards


@cache
def chooses() -> Ints:
    """k x card -> in how many ways k cards can be lower than it: what a card adds to the number of a set."""
    out = np.zeros((8, 64), np.int64)
    for k in range(8):
        out[k] = [comb(c, k) for c in range(64)]
    return out


def number_of(cards: Cards | Ints) -> Ints:
    """The number of a set of cards, given in rising order, among all sets of its size."""
    out = np.zeros(len(cards), np.int64)
    for i, column in enumerate(cards.T):
        out += chooses()[i + 1][column]
    return out


@cache
def every_set(size: int) -> Cards:
    """All sets of so many of 52 cards, by number."""
    found = np.array(list(combinations(range(52), size)), np.uint8).reshape(comb(52, size), size)
    out = np.empty_like(found)
    out[number_of(found)] = found
    return out


@cache
def moved(size: int) -> NDArray[np.int32]:
    """permutation x number of a set -> the number of the set with its suits renamed."""
    cards = every_set(size)
    out = np.empty((len(PERMUTATIONS), len(cards)), np.int32)
    for i, suits in enumerate(PERMUTATIONS):
        renamed = np.sort((cards & 0xFC) | suits[cards & 3].astype(np.uint8), axis=1)
        out[i] = number_of(renamed)
    return out


@dataclass(frozen=True, eq=False)
class Alike:
    """Sets of up to so many cards, those that differ only in the names of suits as one."""

    numbers: NDArray[np.int32]  # number of a set, the smaller sets before it -> its class, and what leaves it
    classes: int
    renamings: int  # of suits, in all


STAYS = 32


@cache
def alike(most: int, suits: Suits) -> Alike:
    """Every set of up to `most` of 52 cards, up to renaming suits within `suits`."""
    renamings = [p for p in PERMUTATIONS.tolist() if all({p[s] for s in group} == {*group} for group in suits)]
    assert len(renamings) == prod(factorial(len(group)) for group in suits)
    numbers = np.zeros(sum(comb(52, k) for k in range(most + 1)), np.int32)
    start = classes = 0
    for size in range(most + 1):
        first = deals((1,) * 52, [size] if size else [], suits)
        told = (classes + np.arange(len(first), dtype=np.int32)) * STAYS + (len(renamings) // first.weight).astype(
            np.int32
        )
        for new in renamings:
            columns = [(c & 0xFC) | np.array(new, np.uint8)[c & 3] for c in first.cards.T]
            for i in range(size):  # into order again: renaming moves cards of one rank only
                for j in range(size - 1 - i):
                    low, high = np.minimum(columns[j], columns[j + 1]), np.maximum(columns[j], columns[j + 1])
                    columns[j], columns[j + 1] = low, high
            at = np.full(len(first), start)
            for k, column in enumerate(columns):
                at += chooses()[k + 1][column]
            numbers[at] = told
        start, classes = start + comb(52, size), classes + len(first)
    return Alike(numbers, classes, len(renamings))
