"""Look-up tables for strengths, built from the categories once and kept on disk.

Five to seven cards: every rank has a random 32-bit key, and the sum of the keys names the multiset of ranks (hash and
displace: a first table of displacements, a second of strengths, 288 KB in all). The same 64-bit sum counts the cards of
each suit in four nibbles that start at three, so that a fifth card of a suit sets the nibble's top bit. A flush is
looked up by the 13-bit mask of its suit. No constant is magic: the keys come from a seeded generator, and the first
seed that works is taken.
"""

import hashlib
import inspect
import io
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pitboss.disk import keep, recall
from pitboss.hands import categories
from pitboss.hands.categories import Score, score_flush, score_ranks, score_three, score_two

BUCKETS, SLOTS = 1 << 13, 1 << 17
START = 0x3333 << 48  # the suit counters start at three
FLUSH = 0x8888 << 48  # and show here when a suit has five cards


@dataclass(frozen=True)
class Tables:
    """Everything that machine code, numpy and plain Python need to rank a hand."""

    card_keys: NDArray[np.uint64]  # per card: rank key and suit counter
    card_masks: NDArray[np.uint64]  # per card: one bit in the 16-bit field of its suit
    displacements: NDArray[np.uint32]
    strengths: NDArray[np.uint16]  # SLOTS by rank multiset, then 8192 by flush mask
    three: NDArray[np.uint16]  # 2197 by ranks, then 2197 of one suit
    two: NDArray[np.uint16]  # 169 by ranks
    royals: NDArray[np.uint8]  # by suit mask: length of the run down from the ace, when at least five


@cache
def hand_tables() -> Tables:
    """From disk if they are there, else built (about a second) and kept."""
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
        for size in (5, 6, 7)
        for ranks in combinations_with_replacement(range(13), size)
        if not any(ranks[i] == ranks[i + 4] for i in range(size - 4))
    ]
    masks = [mask for mask in range(1 << 13) if mask.bit_count() >= 5]
    plain = [score_ranks(r) for r in multisets]
    flushes = [score_flush([r for r in range(13) if mask >> r & 1]) for mask in masks]
    strength = _strengths([*plain, *flushes])
    by_flush = np.zeros(1 << 13, np.uint16)
    by_flush[masks] = [strength[s] for s in flushes]
    counts = np.array([np.bincount(r, minlength=13) for r in multisets], np.uint32)
    values = np.array([strength[s] for s in plain], np.uint16)
    seed = 1
    while (hashed := _hash(counts, values, seed)) is None:
        seed += 1
    keys, displacements, slots = hashed
    cards = np.arange(52, dtype=np.uint64)
    rank, suit = cards >> np.uint64(2), cards & np.uint64(3)
    one = np.uint64(1)
    card_keys = keys.astype(np.uint64)[rank.astype(int)] + (one << (np.uint64(48) + np.uint64(4) * suit))
    card_masks = one << (np.uint64(16) * suit + rank)
    return Tables(card_keys, card_masks, displacements, np.concatenate([slots, by_flush]), _three(), _two(), _royals())


def _strengths(scores: list[Score]) -> dict[Score, int]:
    """Score -> category * 4096 + place among all scores of the category."""
    out: dict[Score, int] = {}
    place: dict[int, int] = {}
    for score in sorted(set(scores)):
        out[score] = (score[0] << 12) + place.get(score[0], 0)
        place[score[0]] = place.get(score[0], 0) + 1
    return out


def _hash(
    counts: NDArray[np.uint32], values: NDArray[np.uint16], seed: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint16]] | None:
    """Keys per rank, displacement per bucket and strength per slot, or None when this seed leads to a collision."""
    keys = np.random.default_rng(seed).integers(0, 1 << 32, 13, dtype=np.uint32)
    sums = (counts * keys).sum(1, dtype=np.uint32)
    if len(np.unique(sums)) != len(sums):
        return None
    bucket, home = sums & np.uint32(BUCKETS - 1), (sums >> np.uint32(15)).astype(np.int64)
    order = np.argsort(bucket, kind="stable")
    ends = np.searchsorted(bucket[order], np.arange(BUCKETS + 1))
    used = np.zeros(2 * SLOTS, bool)  # doubled, so that a window of displacements never wraps
    displacements = np.zeros(BUCKETS, np.uint32)
    slots = np.zeros(SLOTS, np.uint16)
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
        slots[at] = values[members]
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
    suited = [score_three(r, True) if len(set(r)) == 3 else None for r in all_ranks]
    plain = [score_three(r, False) for r in all_ranks]
    strength = _strengths([s for s in (*plain, *suited) if s is not None])
    return np.array([*(strength[s] for s in plain), *(strength[s] if s else 0 for s in suited)], np.uint16)


def _two() -> NDArray[np.uint16]:
    scores = [score_two(r) for r in product(range(13), repeat=2)]
    strength = _strengths(scores)
    return np.array([strength[s] for s in scores], np.uint16)


def _royals() -> NDArray[np.uint8]:
    out = np.zeros(1 << 13, np.uint8)
    for mask in range(1 << 13):
        length = 0
        while length < 13 and mask >> (12 - length) & 1:
            length += 1
        out[mask] = min(length, 7) if length >= 5 else 0
    return out


__all__ = ["BUCKETS", "FLUSH", "SLOTS", "START", "Tables", "hand_tables"]
