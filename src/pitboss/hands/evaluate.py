"""Strengths of hands in numpy and in plain Python, from the same tables that machine code reads."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import BadCard
from pitboss.hands.tables import BUCKETS, SLOTS, START, hand_tables

Ints = NDArray[np.int64]


def strengths(cards: NDArray[np.integer], best: int = 0) -> Ints:
    """Per row of cards: the strength of the hand that the `best` two, three, four or five of them make; unless that is
    said, all of two to four cards, and the best five of more."""
    n = _checked(cards).shape[1]
    best = _best_of(n, best)
    t = hand_tables()
    ranks = cards >> 2
    if n == 2:
        return t.two[ranks[:, 0] * 13 + ranks[:, 1]].astype(np.int64)
    if n == 3:
        suits = cards & 3
        suited = (suits[:, 0] == suits[:, 1]) & (suits[:, 1] == suits[:, 2])
        index = (ranks[:, 0].astype(np.int64) * 13 + ranks[:, 1]) * 13 + ranks[:, 2]
        three: Ints = t.three[index + 2197 * suited].astype(np.int64)
        return three
    key, mask = gather(cards)
    low = key & np.uint64(0xFFFFFFFF)
    shift = t.displacements[(low & np.uint64(BUCKETS - 1)).astype(np.int64)].astype(np.uint64)
    index = (((low >> np.uint64(15)) + shift) & np.uint64(SLOTS - 1)).astype(np.int64)
    table = {3: t.best_three, 4: t.best_four, 5: t.strengths}[best]
    plain = table[index]
    suited_best = np.max([table[SLOTS + suit_ranks(mask, suit)] for suit in range(4)], axis=0)
    out: Ints = np.maximum(plain, suited_best).astype(np.int64)
    return out


def royal_lengths(cards: NDArray[np.integer]) -> Ints:
    """Per row of five to seven cards: how long its suited run down from the ace is; 0 when shorter than five."""
    _, mask = gather(_checked(cards))
    out: Ints = np.max([hand_tables().royals[suit_ranks(mask, suit)] for suit in range(4)], axis=0).astype(np.int64)
    return out


def flush_strengths(cards: NDArray[np.integer]) -> Ints:
    """Per row of up to seven cards: the number of cards of the longest suit, then their ranks as bits. Of two suits of
    the same length the one with the higher cards counts."""
    key, mask = gather(_checked(cards))
    held = [(_held(key, suit) << 13) + suit_ranks(mask, suit) for suit in range(4)]
    out: Ints = np.max(held, axis=0)
    return out


def longest_suits(cards: NDArray[np.integer]) -> Ints:
    """Per row of up to seven cards: how many of them are of one suit."""
    return flush_strengths(cards) >> 13


def suited_runs(cards: NDArray[np.integer]) -> Ints:
    """Per row of up to seven cards: how many of one suit follow one another; an ace is high and low."""
    _, mask = gather(_checked(cards))
    out: Ints = np.max([hand_tables().runs[suit_ranks(mask, suit)] for suit in range(4)], axis=0).astype(np.int64)
    return out


def _checked(cards: NDArray[np.integer]) -> NDArray[np.integer]:
    if cards.size and not (int(cards.min()) >= 0 and int(cards.max()) < 52):
        raise BadCard(f"a hand is made of card codes from 0 to 51, not {int(cards.min())} to {int(cards.max())}")
    return cards


def _best_of(cards: int, best: int) -> int:
    """How many of so many cards a hand counts."""
    best = best or min(cards, 5)
    if not (3 <= best <= 5 and best <= cards <= 7) and not cards == best == 2:
        raise BadCard(f"there is no ranking of the best {best} of {cards} cards")
    return best


def gather(cards: NDArray[np.integer]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    t = hand_tables()
    key = np.full(len(cards), START, np.uint64)
    mask = np.zeros(len(cards), np.uint64)
    for i in range(cards.shape[1]):
        key = key + t.card_keys[cards[:, i]]
        mask = mask | t.card_masks[cards[:, i]]
    return key, mask


def suit_ranks(mask: NDArray[np.uint64], suit: int) -> Ints:
    """The ranks of one suit, as bits."""
    return ((mask >> np.uint64(16 * suit)) & np.uint64(0x1FFF)).astype(np.int64)


def _held(key: NDArray[np.uint64], suit: int) -> Ints:
    """How many cards there are of one suit."""
    return ((key >> np.uint64(48 + 4 * suit)) & np.uint64(15)).astype(np.int64) - 3


def _one(cards: Sequence[int]) -> NDArray[np.int64]:
    return np.array([cards], np.int64)


def royal_length_of(cards: Sequence[int]) -> int:
    """One hand."""
    return int(royal_lengths(_one(cards))[0])


def flush_strength_of(cards: Sequence[int]) -> int:
    """One hand."""
    return int(flush_strengths(_one(cards))[0])


def longest_suit_of(cards: Sequence[int]) -> int:
    """One hand."""
    return int(longest_suits(_one(cards))[0])


def suited_run_of(cards: Sequence[int]) -> int:
    """One hand."""
    return int(suited_runs(_one(cards))[0])


def strength_of(cards: Sequence[int], best: int = 0) -> int:
    """One hand."""
    if len(cards) < 4:
        return int(strengths(_one(cards), best)[0])
    if min(cards) < 0 or max(cards) > 51:
        raise BadCard(f"a hand is made of card codes from 0 to 51, not {min(cards)} to {max(cards)}")
    t, best = hand_tables(), _best_of(len(cards), best)
    table = {3: t.best_three, 4: t.best_four, 5: t.strengths}[best]
    key, mask = START, 0
    for c in cards:
        key += int(t.card_keys[c])
        mask |= int(t.card_masks[c])
    low = key & 0xFFFFFFFF
    found = int(table[((low >> 15) + int(t.displacements[low & (BUCKETS - 1)])) & (SLOTS - 1)])
    for shift in (0, 16, 32, 48):
        suit = mask >> shift & 0x1FFF
        if suit.bit_count() >= best:
            found = max(found, int(table[SLOTS + suit]))
    return found
