"""Look-up tables for strengths, built from the categories once and kept on disk.

Every rank has a random 32-bit key, and the sum of the keys names the multiset of three to seven ranks (hash and
displace: a first table of displacements, a second of strengths, 288 KB in all; the best three and the best four of more
cards have a second table each, with the same places). The same 64-bit sum counts the cards of each suit in four nibbles
that start at three, so that a fifth card of a suit sets the nibble's top bit. A flush is looked up by the 13-bit mask
of its suit. No constant is magic: the keys come from a seeded generator, and the first seed that works is taken.
"""

import hashlib
import inspect
import io
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import JOKERS
from pitboss.disk import keep, recall
from pitboss.hands import categories
from pitboss.hands.categories import ladder, score, score_flush, score_ranks

BUCKETS, SLOTS = 1 << 13, 1 << 17
START = 0x3333 << 48  # the suit counters start at three
FLUSH = 0x8888 << 48  # and show here when a suit has five cards


@dataclass(frozen=True)
class Tables:
    """Everything that machine code, numpy and plain Python need to rank a hand."""

    card_keys: NDArray[np.uint64]  # per card: rank key and suit counter; nothing for a joker
    card_masks: NDArray[np.uint64]  # per card: one bit in the 16-bit field of its suit
    displacements: NDArray[np.uint32]
    strengths: NDArray[np.uint16]  # the best five: SLOTS by rank multiset, then 8192 by the mask of a suit
    best_four: NDArray[np.uint16]  # the best four of four to seven, laid out in the same way
    best_three: NDArray[np.uint16]  # the best three of three to seven
    three: NDArray[np.uint16]  # 2197 by ranks, then 2197 of one suit
    two: NDArray[np.uint16]  # 169 by ranks
    royals: NDArray[np.uint8]  # by suit mask: length of the run down from the ace, when at least five
    runs: NDArray[np.uint8]  # by suit mask: length of the longest run; the ace is high and low


@cache
def hand_tables() -> Tables:
    """From disk if they are there, else built (about two seconds) and kept."""
    source = inspect.getsource(categories) + Path(__file__).read_text()
    name = f"hands-{hashlib.sha256(source.encode()).hexdigest()[:24]}.npz"
    kept = recall(name, _read)
    if kept is not None:
        return kept
    made = _build()
    out = io.BytesIO()
    np.savez(out, **{field: getattr(made, field) for field in Tables.__dataclass_fields__})
    keep(name, out.getvalue())
    return made


def _read(raw: bytes) -> Tables:
    with np.load(io.BytesIO(raw)) as found:
        return Tables(**{field: found[field] for field in Tables.__dataclass_fields__})


def _build() -> Tables:
    multisets = [
        ranks
        for size in (3, 4, 5, 6, 7)
        for ranks in combinations_with_replacement(range(13), size)
        if not any(ranks[i] == ranks[i + 4] for i in range(size - 4))
    ]
    by_ranks = np.stack([_five(multisets), _best(4, multisets, False), _best(3, multisets, False)])
    masks = [mask for mask in range(1 << 13) if mask.bit_count() >= 3]
    ranks_of = [tuple(r for r in range(13) if mask >> r & 1) for mask in masks]
    by_mask = np.zeros((3, 1 << 13), np.uint16)
    by_mask[:, masks] = _five_suited(ranks_of), _best(4, ranks_of, True), _best(3, ranks_of, True)
    counts = np.array([np.bincount(r, minlength=13) for r in multisets], np.uint32)
    seed = 1
    while (hashed := _hash(counts, seed)) is None:
        seed += 1
    keys, displacements, places = hashed
    slots = np.zeros((3, SLOTS), np.uint16)
    slots[:, places] = by_ranks
    five, four, three = np.concatenate([slots, by_mask], 1)
    cards = np.arange(52, dtype=np.uint64)
    rank, suit = cards >> np.uint64(2), cards & np.uint64(3)
    one = np.uint64(1)
    card_keys = keys.astype(np.uint64)[rank.astype(int)] + (one << (np.uint64(48) + np.uint64(4) * suit))
    card_masks = one << (np.uint64(16) * suit + rank)
    card_keys, card_masks = (np.append(x, np.zeros(len(JOKERS), np.uint64)) for x in (card_keys, card_masks))
    return Tables(card_keys, card_masks, displacements, five, four, three, _three(), _two(), _royals(), _runs())


Hands = list[tuple[int, ...]]


def _five(hands: Hands) -> list[int]:
    """The best five of these ranks, 0 where there are fewer."""
    return [ladder(5)[score_ranks(ranks)] if len(ranks) >= 5 else 0 for ranks in hands]


def _five_suited(hands: Hands) -> list[int]:
    return [ladder(5)[score_flush(ranks)] if len(ranks) >= 5 else 0 for ranks in hands]


def _best(cards: int, hands: Hands, suited: bool) -> list[int]:
    """The best hand of so many of these ranks, 0 where there are fewer: the best that is left without one of them."""
    best: dict[tuple[int, ...], int] = {}
    for ranks in hands:  # those with a card less have come before
        if len(ranks) == cards:
            best[ranks] = ladder(cards)[score(ranks, suited)]
        elif len(ranks) > cards:
            best[ranks] = max(best[less] for less in set(combinations(ranks, len(ranks) - 1)))
    return [best.get(ranks, 0) for ranks in hands]


def _hash(
    counts: NDArray[np.uint32], seed: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.int64]] | None:
    """Keys per rank, displacement per bucket and slot per multiset, or None when this seed leads to a collision."""
    keys = np.random.default_rng(seed).integers(0, 1 << 32, 13, dtype=np.uint32)
    sums = (counts * keys).sum(1, dtype=np.uint32)
    if len(np.unique(sums)) != len(sums):
        return None
    bucket, home = sums & np.uint32(BUCKETS - 1), (sums >> np.uint32(15)).astype(np.int64)
    order = np.argsort(bucket, kind="stable")
    ends = np.searchsorted(bucket[order], np.arange(BUCKETS + 1))
    used = np.zeros(2 * SLOTS, bool)  # doubled, so that a window of displacements never wraps
    displacements = np.zeros(BUCKETS, np.uint32)
    slots = np.zeros(len(counts), np.int64)
    for b in np.argsort(-(ends[1:] - ends[:-1]), kind="stable"):
        members = order[ends[b] : ends[b + 1]]
        if not len(members):
            break
        shift = _first_fit(used, home[members])
        if shift < 0:
            return None
        at = (home[members] + shift) & (SLOTS - 1)
        if len(np.unique(at)) != len(at):
            return None
        used[at] = used[at + SLOTS] = True
        slots[members] = at
        displacements[b] = shift
    return keys, displacements, slots


def _first_fit(used: NDArray[np.bool_], homes: NDArray[np.int64]) -> int:
    window = 512
    for start in range(0, SLOTS, window):
        taken = np.zeros(window, bool)
        for h in homes:
            first = (h + start) & (SLOTS - 1)
            taken |= used[first : first + window]
        free = np.flatnonzero(~taken)
        if len(free):
            return start + int(free[0])
    return -1


def _three() -> NDArray[np.uint16]:
    all_ranks = list(product(range(13), repeat=3))
    return np.array([ladder(3)[score(r, suited)] for suited in (False, True) for r in all_ranks], np.uint16)


def _two() -> NDArray[np.uint16]:
    return np.array([ladder(2)[score(r, False)] for r in product(range(13), repeat=2)], np.uint16)


def _royals() -> NDArray[np.uint8]:
    out = np.zeros(1 << 13, np.uint8)
    for mask in range(1 << 13):
        length = 0
        while length < 13 and mask >> (12 - length) & 1:
            length += 1
        out[mask] = min(length, 7) if length >= 5 else 0
    return out


def _runs() -> NDArray[np.uint8]:
    out = np.zeros(1 << 13, np.uint8)
    for mask in range(1, 1 << 13):
        run, longest = mask << 1 | mask >> 12, 0  # the ace also stands below the deuce
        while run:  # every step takes the last card off every run
            run &= run >> 1
            longest += 1
        out[mask] = min(longest, 13)
    return out


__all__ = ["BUCKETS", "FLUSH", "SLOTS", "START", "Tables", "hand_tables"]
