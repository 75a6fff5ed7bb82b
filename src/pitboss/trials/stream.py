"""The live shuffle once more, for thousands of keys at once: SHA-256, HMAC and Fisher-Yates in numpy, a lane a key.

It shares no line with `cards/fair.py`, and must give the same bytes and the same cards: that is tested.
"""

from functools import cache
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Lane = Any  # a word for every key, NDArray[np.uint32]; or one for all of them, np.uint32
Words = NDArray[np.uint16]  # keys x words
Packs = NDArray[np.uint16]  # keys x places: which card lies there, from 0 on

WORD = (1 << 32) - 1
SCALE = 1 << 16  # values of a two-byte word


class Shuffled(NamedTuple):
    """What some keys have given: the words before scaling, and the packs after it."""

    words: Words
    packs: Packs


def shuffles(keys: NDArray[np.uint8], cards: int, spare: int = 12) -> Shuffled:
    """A pack of so many cards under every key; `spare` words are for those turned away, and more come if need be."""
    usual = blocks = -(-(cards - 1 + spare) // 16)
    while True:
        words = streams(keys, blocks)
        if (packs := _fisher_yates(words, cards)) is not None:
            return Shuffled(words[:, : 16 * usual], packs)
        blocks += 1


def streams(keys: NDArray[np.uint8], blocks: int, turn: int = 0) -> Words:
    """The first words under every key of 32 bytes, 16 a block."""
    mine = list(keys.view(">u4").astype(np.uint32).T)
    inner, outer = (_compressed(_begin(), [*(x ^ np.uint32(pad) for x in mine), *[np.uint32(pad)] * 8])
                    for pad in (0x36363636, 0x5C5C5C5C))  # fmt: skip
    out = np.empty((len(keys), 8 * blocks), ">u4")
    for block in range(blocks):
        within = _compressed(inner, _padded([np.uint32(turn), np.uint32(block)], 64 + 8))
        found = _compressed(outer, _padded(within, 64 + 32))
        for word, lane in enumerate(found):
            out[:, 8 * block + word] = lane
    return out.view(">u2").astype(np.uint16)


def _fisher_yates(words: Words, cards: int) -> Packs | None:
    """The packs; None where a stream is too short."""
    keys, width = words.shape
    packs = np.tile(np.arange(cards, dtype=np.uint16), (keys, 1))
    flat, drawn = packs.reshape(-1), words.reshape(-1)
    row, at = np.arange(keys) * cards, np.arange(keys) * width
    ends = at + width
    for last in range(cards - 1, 0, -1):
        bound = last + 1
        if (at >= ends).any():
            return None
        word = drawn[at]
        while (away := word >= SCALE - SCALE % bound).any():
            at[away] += 1
            if (at >= ends).any():
                return None
            word = drawn[at]
        at += 1
        here, there = row + last, row + word % np.uint16(bound)
        flat[here], flat[there] = flat[there], flat[here]
    return packs


# ---- SHA-256 (FIPS 180-4)


@cache
def _roots(power: int, many: int) -> tuple[int, ...]:
    """The first 32 bits behind the point of the square or cube roots of the first primes."""
    primes: list[int] = []
    for n in count(2):
        if len(primes) == many:
            break
        if all(n % p for p in primes):
            primes.append(n)
    found = []
    for prime in primes:
        under, root = prime << (32 * power), 0
        for bit in range(40, -1, -1):
            if (root + (1 << bit)) ** power <= under:
                root += 1 << bit
        found.append(root & WORD)
    return tuple(found)


def _begin() -> list[Lane]:
    return [np.uint32(x) for x in _roots(2, 8)]


def _padded(words: list[Lane], length: int) -> list[Lane]:
    """The last block of a message of so many bytes."""
    return [*words, np.uint32(1 << 31), *[np.uint32(0)] * (14 - len(words)), np.uint32(8 * length)]


def _compressed(state: list[Lane], block: list[Lane]) -> list[Lane]:
    with np.errstate(over="ignore"):  # sums are taken modulo 2**32
        w = list(block)
        for i in range(16, 64):
            x, y = w[i - 15], w[i - 2]
            small = _turned(x, 7) ^ _turned(x, 18) ^ (x >> np.uint32(3))
            w.append(w[i - 16] + small + w[i - 7] + (_turned(y, 17) ^ _turned(y, 19) ^ (y >> np.uint32(10))))
        a, b, c, d, e, f, g, h = state
        for word, constant in zip(w, _roots(3, 64), strict=True):
            first = h + (_turned(e, 6) ^ _turned(e, 11) ^ _turned(e, 25)) + (((f ^ g) & e) ^ g)
            first = first + (word + np.uint32(constant))
            second = (_turned(a, 2) ^ _turned(a, 13) ^ _turned(a, 22)) + ((a & b) | (c & (a | b)))
            a, b, c, d, e, f, g, h = first + second, a, b, c, d + first, e, f, g
        return [x + y for x, y in zip(state, (a, b, c, d, e, f, g, h), strict=True)]


def _turned(x: Lane, by: int) -> Lane:
    return (x >> np.uint32(by)) | (x << np.uint32(32 - by))
