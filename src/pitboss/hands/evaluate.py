"""Strengths of hands in numpy and in plain Python, from the same tables that machine code reads."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pitboss.hands.tables import BUCKETS, FLUSH, SLOTS, START, hand_tables

Ints = NDArray[np.int64]


def strengths(cards: NDArray[np.integer]) -> Ints:
    """Per row of two, three, or five to seven cards: the strength of the best hand."""
    t, n = hand_tables(), cards.shape[1]
    ranks = cards >> 2
    if n == 2:
        return t.two[ranks[:, 0] * 13 + ranks[:, 1]].astype(np.int64)
    if n == 3:
        suits = cards & 3
        suited = (suits[:, 0] == suits[:, 1]) & (suits[:, 1] == suits[:, 2])
        index = (ranks[:, 0].astype(np.int64) * 13 + ranks[:, 1]) * 13 + ranks[:, 2]
        three: Ints = t.three[index + 2197 * suited].astype(np.int64)
        return three
    key, mask = _gather(cards)
    low = key & np.uint64(0xFFFFFFFF)
    shift = t.displacements[(low & np.uint64(BUCKETS - 1)).astype(np.int64)].astype(np.uint64)
    index = (((low >> np.uint64(15)) + shift) & np.uint64(SLOTS - 1)).astype(np.int64)
    suit_mask = _flush_mask(key, mask)
    out: Ints = t.strengths[np.where(suit_mask > 0, SLOTS + suit_mask, index)].astype(np.int64)
    return out


def royal_lengths(cards: NDArray[np.integer]) -> Ints:
    """Per row of five to seven cards: how long its suited run down from the ace is; 0 when shorter than five."""
    return hand_tables().royals[_flush_mask(*_gather(cards))].astype(np.int64)


def _gather(cards: NDArray[np.integer]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    t = hand_tables()
    key = np.full(len(cards), START, np.uint64)
    mask = np.zeros(len(cards), np.uint64)
    for i in range(cards.shape[1]):
        key = key + t.card_keys[cards[:, i]]
        mask = mask | t.card_masks[cards[:, i]]
    return key, mask


def _flush_mask(key: NDArray[np.uint64], mask: NDArray[np.uint64]) -> Ints:
    """The ranks of the suit that has five cards or more, as bits; 0 without a flush."""
    out = np.zeros(len(key), np.int64)
    for suit in range(4):
        has = (key >> np.uint64(51 + 4 * suit)) & np.uint64(1) == 1
        out[has] = ((mask[has] >> np.uint64(16 * suit)) & np.uint64(0x1FFF)).astype(np.int64)
    return out


def royal_length_of(cards: Sequence[int]) -> int:
    """One hand."""
    return int(royal_lengths(np.array([cards]))[0])


def strength_of(cards: Sequence[int]) -> int:
    """One hand."""
    t = hand_tables()
    if len(cards) < 5:
        return int(strengths(np.array([cards]))[0])
    key, mask = START, 0
    for c in cards:
        key += int(t.card_keys[c])
        mask |= int(t.card_masks[c])
    flush = key & FLUSH
    if flush:
        suit = ((flush & -flush).bit_length() - 52) // 4
        return int(t.strengths[SLOTS + (mask >> 16 * suit & 0x1FFF)])
    low = key & 0xFFFFFFFF
    return int(t.strengths[((low >> 15) + int(t.displacements[low & (BUCKETS - 1)])) & (SLOTS - 1)])
