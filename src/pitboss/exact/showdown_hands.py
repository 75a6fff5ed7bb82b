"""Hands of the showdown in bulk: all hands of the same ranks are one row, and so are all hands with the same flush.

A multiset of ranks is a number with three bits per rank, so that adding two of them joins them. Ranks are places here:
the ranks of the board come last, whatever they are, so that one structure serves every board of the same kind.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

HOLD_BITS, PLACE_BITS = 4, 12  # hands of a row that contain a set, and places of strengths, as fields of a sort key

_CHOOSE: Ints = np.array([[comb(n, k) for k in range(5)] for n in range(5)])


def code(ranks: tuple[int, ...]) -> int:
    """The number of a multiset of ranks."""
    return sum(1 << 3 * r for r in ranks)


def _counts(codes: Ints, ranks: int) -> Ints:
    """Per multiset: how many cards of each rank."""
    out: Ints = codes[:, None] >> 3 * np.arange(ranks) & 7
    return out


def _multisets(size: int, caps: Ints) -> Ints:
    """All multisets of this size with at most caps[r] cards of rank r, in order."""
    codes = _all_multisets(size, len(caps))
    return codes[(_counts(codes, len(caps)) <= caps).all(1)]


@cache
def _all_multisets(size: int, ranks: int) -> Ints:
    return np.sort(np.array([code(c) for c in combinations_with_replacement(range(ranks), size)], np.int64))


def _subsets(codes: Ints, ranks: int) -> tuple[Ints, Ints]:
    """Every multiset with every multiset it contains: (index of the first, the second), by the first."""
    index, inner = np.arange(len(codes)), np.zeros(len(codes), np.int64)
    for r in range(ranks):
        has = codes[index] >> 3 * r & 7
        index, inner = (
            np.concatenate([array[has >= n] + n * step for n in range(5)])
            for array, step in ((index, 0), (inner, 8**r))
        )
    order = np.argsort(index, kind="stable")
    return index[order], inner[order]


def _choices(have: Ints, take: Ints) -> Ints:
    """In how many ways suits can be chosen: have[., r] cards of rank r are there, take[., r] are taken."""
    out: Ints = _CHOOSE[have, take].prod(1)
    return out


def _signs(counts: Ints) -> Ints:
    out: Ints = 1 - 2 * (counts.sum(1) & 1)
    return out


def tally(cell: Ints, weight: Floats | Ints, cells: int) -> Floats:
    """The sum of the weights per cell. (numpy gives whole numbers when there is nothing to add.)"""
    return np.asarray(np.bincount(cell, weight, cells), np.float64)


@dataclass(frozen=True, eq=False)
class RankHands:
    """All hands, by their ranks alone. Entries pair each row with the sets of ranks that its hands contain."""

    codes: Ints  # per row, in order
    cards: Ints  # per row: its ranks
    ways: Ints  # per row: how many hands have these ranks
    starts: Ints  # per row: its first entry
    row: Ints  # per entry
    part: Ints  # per entry: the set, as a number from 0 to parts - 1
    parts: int
    holding: Floats  # per entry: how many hands of the row contain any given cards of these ranks
    signed: Floats  # per entry: how many such sets any hand of the row contains, negative for an odd number of cards


def rank_hands(own: int, caps: Ints) -> RankHands:
    """All hands of `own` cards from a deck with caps[r] cards of rank r."""
    codes = _multisets(own, caps)
    row, inner = _subsets(codes, len(caps))
    parts, part = np.unique(inner, return_inverse=True)
    counts = _counts(codes, len(caps))
    has, sub = counts[row], _counts(inner, len(caps))
    cards = np.array([np.repeat(np.arange(len(caps)), c) for c in counts]).reshape(-1, own)
    return RankHands(
        codes, cards, _choices(np.broadcast_to(caps, counts.shape), counts),
        np.searchsorted(row, np.arange(len(codes))), row, part, len(parts),
        _choices(caps - sub, has - sub).astype(np.float64), (_signs(sub) * _choices(has, sub)).astype(np.float64),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class FlushHands:
    """All hands with a flush in one suit: ranks of that suit, and a multiset of ranks from the other three suits.

    A part is a set of cards that two such hands could share, again (ranks of the suit, ranks from the other suits).
    """

    spare: int  # the most cards from other suits
    free: int  # the ranks of the suit that are not on the board, as bits
    masks: Ints  # the different sets of ranks of the suit: a row of zeros and ones each
    mask: Ints  # per row: which of them
    ranks: Ints  # per row: the index of its multiset of ranks among all hands
    ways: Ints  # per row: how many hands
    row: Ints  # per entry
    part: Ints  # per entry, in order
    holding: Floats  # per entry: how many hands of the row contain any given cards of this part
    packed: Ints  # per entry: the part and, in the low bits, holding; room for a place between them
    keys: Ints  # per part, in order
    total: Floats  # per part: how many hands contain any given cards of it
    signed: Floats  # per part: how many sets of cards it stands for, negative for an odd number of cards


def part_key(mask: int, others: int) -> int:
    """The name of a part: bits of the ranks of the suit, and the multiset of ranks from other suits."""
    return mask << 39 | others


def flush_hands(own: int, on_board: tuple[int, ...], caps: Ints, every: RankHands) -> FlushHands | None:
    """The suit has these ranks on the board, the other suits caps[r] cards of rank r left. None without any flush."""
    ranks, need = len(caps), 5 - len(on_board)
    free = np.array([r not in on_board for r in range(ranks)], np.int64)
    bits = np.int64(1) << np.arange(ranks)
    masks, mask, codes, ways, row, key, holding = (list[Ints]() for _ in range(7))
    rows = kinds = 0
    for size in range(need, own + 1):
        suited, others = _multisets(size, free), _multisets(own - size, caps)
        if not len(suited) or not len(others):
            continue
        of_suited, inner = _subsets(suited, ranks)
        of_others, outer = _subsets(others, ranks)
        filled, taken = _counts(others, ranks), _counts(outer, ranks)
        masks.append(_counts(suited, ranks))
        mask.append(np.repeat(np.arange(len(suited)) + kinds, len(others)))
        codes.append((suited[:, None] + others).ravel())
        ways.append(np.tile(_choices(np.broadcast_to(caps, filled.shape), filled), len(suited)))
        row.append((rows + of_suited[:, None] * len(others) + of_others).ravel())
        key.append((((_counts(inner, ranks) @ bits) << 39)[:, None] + outer).ravel())
        holding.append(np.tile(_choices(caps - taken, filled[of_others] - taken), len(inner)))
        rows, kinds = rows + len(suited) * len(others), kinds + len(suited)
    if not rows:
        return None
    order = np.argsort(np.concatenate(key), kind="stable")  # entries by part: what follows then works through memory
    keys, part = np.unique(np.concatenate(key)[order], return_inverse=True)
    suit_part, other_part = (keys >> 39)[:, None] >> np.arange(ranks) & 1, _counts(keys & (1 << 39) - 1, ranks)
    held = np.concatenate(holding)[order]
    assert held.max() < 1 << HOLD_BITS, "two spare cards at most have nine choices of suits at most"
    signed = _signs(suit_part + other_part) * _choices(np.broadcast_to(caps, other_part.shape), other_part)
    return FlushHands(
        own - need, int(free @ bits), np.concatenate(masks), np.concatenate(mask),
        np.searchsorted(every.codes, np.concatenate(codes)), np.concatenate(ways),
        np.concatenate(row)[order], part, held.astype(np.float64), part << PLACE_BITS + HOLD_BITS | held,
        keys, tally(part, held, len(keys)), signed.astype(np.float64),
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Side:
    """Some sets of cards, as parts of the hands with a flush in one suit: the entries of these parts alone."""

    part: Ints  # per set: which of the parts that occur
    parts: int
    row: Ints  # per entry
    part_of: Ints  # per entry
    holding: Floats  # per entry


@dataclass(frozen=True, eq=False)
class Shared:
    """The sets of cards that a flush in one suit can share with a flush in another, seen from both sides."""

    first: Side
    second: Side
    signed: Floats  # how many sets, negative for an odd number of cards


def shared(first: FlushHands, second: FlushHands, caps: Ints) -> Shared:
    """The two suits that neither hand has a flush in have caps[r] cards of rank r left."""
    ranks = len(caps)
    name = {int(k): i for i, k in enumerate(first.keys)}, {int(k): i for i, k in enumerate(second.keys)}
    out: list[tuple[int, int, int]] = []
    for size in range(min(first.spare, second.spare) + 1):
        rest = _multisets(size, caps)
        ways = _choices(np.broadcast_to(caps, (len(rest), ranks)), _counts(rest, ranks))
        # a card of the first suit is one of the second hand's spare cards, and the other way round
        in_first = _sets(first.free, second.spare - size)
        in_second = _sets(second.free, first.spare - size)
        for others, n in zip(rest.tolist(), ways.tolist(), strict=True):
            for a in in_first:
                for b in in_second:
                    i = name[0].get(part_key(sum(1 << r for r in a), code(b) + others))
                    j = name[1].get(part_key(sum(1 << r for r in b), code(a) + others))
                    if i is not None and j is not None:
                        out.append((i, j, n * (-1) ** (size + len(a) + len(b))))
    found = np.array(out, np.int64)
    return Shared(_side(first, found[:, 0]), _side(second, found[:, 1]), found[:, 2].astype(np.float64))


def _side(hands: FlushHands, wanted: Ints) -> Side:
    parts, part = np.unique(wanted, return_inverse=True)
    number = np.full(len(hands.keys), -1)
    number[parts] = np.arange(len(parts))
    entries = np.flatnonzero(number[hands.part] >= 0)
    return Side(part, len(parts), hands.row[entries], number[hands.part[entries]], hands.holding[entries])


def _sets(free: int, most: int) -> list[tuple[int, ...]]:
    ranks = [r for r in range(free.bit_length()) if free >> r & 1]
    return [c for size in range(most + 1) for c in combinations(ranks, size)]
