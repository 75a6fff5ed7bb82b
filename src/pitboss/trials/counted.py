"""What is counted of shuffled packs, batch by batch.

Every count is of things that are independent in a perfect shuffle, or whose dependence is known exactly (`held.py`).
Where a pack would give several that are not, one of them is taken: another one of every next pack.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import ACE, DIAMONDS, HEARTS
from pitboss.trials.held import Matrix
from pitboss.trials.stream import Packs, Shuffled

Counts = NDArray[np.int64]

DISTANCES = (1, 2)  # cards next to each other, and next but one: what lies in one hand of two
HAND = 5
LONGEST = 150  # packs from one ace to the next that are told apart
_PAIRS = [(one, two) for two in range(HAND) for one in range(two)]


class Tally:
    """The counts of all packs so far. Card i of a pack is card i % 52 of a deck; each of them is told from all others
    where that can be told, so that equal cards of several decks hide nothing."""

    def __init__(self, decks: int, words: int) -> None:
        self.decks, self.cards, self.words = decks, 52 * decks, words
        n = self.cards
        self.packs = 0
        self.place_card, self.card_card, self.place_place = (_square(n) for _ in range(3))
        self.followed = {distance: _square(n) for distance in DISTANCES}
        self.first, self.last, self.first_two = _zeros(52), _zeros(52), _zeros(52 * 52)
        self.rises, self.colour_runs, self.matches = _zeros(n), _zeros(n + 1), _zeros(n + 1)
        self.gaps, self.waits = _zeros(n - 4 * decks + 2), _zeros(LONGEST + 1)
        self.rank_pairs, self.suit_pairs = _zeros(11), _zeros(11)
        self.orders, self.rings = _zeros(120), _zeros(n)
        self.bits, self.bytes, self.values = _zeros(16 * words), _zeros(256), _zeros(1 << 16)
        self.changes, self.repeats = 0, 0
        self._last: Shuffled | None = None
        self._ace = -1  # the last pack whose first card was an ace

    def add(self, found: Shuffled) -> None:
        """One batch more. It follows the last one: its first pack is held against the last pack before it."""
        words, packs = np.ascontiguousarray(found.words), found.packs
        numbers = np.arange(self.packs, self.packs + len(packs))
        self._raw(words)
        self._squares(packs, places_of(packs))
        self._dealt(packs, numbers)
        self._hands(packs, numbers)
        self._gaps(places_of(packs), numbers)
        self._last = Shuffled(words[-1:], packs[-1:])
        self.packs += len(packs)

    # ---- before scaling

    def _raw(self, words: NDArray[np.uint16]) -> None:
        big = words.astype(">u2").view(np.uint8)
        bits = np.unpackbits(big, axis=1)
        self.bits += bits.sum(axis=0, dtype=np.int64)
        self.changes += int(np.count_nonzero(bits[:, 1:] != bits[:, :-1]))
        self.bytes += np.bincount(big.reshape(-1), minlength=256)
        self.values += np.bincount(words.reshape(-1), minlength=1 << 16)
        chain = words if self._last is None else np.concatenate([self._last.words, words])
        differ = (chain[1:] ^ chain[:-1]).view(np.uint8)
        self.repeats += 8 * differ.size - int(_ONES[differ].sum(dtype=np.int64))

    # ---- every card of every pack

    def _squares(self, packs: Packs, places: Packs) -> None:
        n = self.cards
        chain, back = packs, places
        if self._last is not None:
            chain = np.concatenate([self._last.packs, packs])
            back = np.concatenate([places_of(self._last.packs), places])
        self.place_card += _paired(np.broadcast_to(np.arange(n), packs.shape), packs, n)
        self.card_card += _paired(chain[:-1], chain[1:], n)
        self.place_place += _paired(back[:-1], back[1:], n)
        for distance, counts in self.followed.items():
            counts += _paired(packs, np.roll(packs, -distance, axis=1), n)

    # ---- one number of every pack

    def _dealt(self, packs: Packs, numbers: NDArray[np.int64]) -> None:
        codes = packs % 52
        one, two = codes[:, 0].astype(np.int64), codes[:, 1].astype(np.int64)
        self.first += np.bincount(one, minlength=52)
        self.last += np.bincount(codes[:, -1], minlength=52)
        self.first_two += np.bincount(52 * one + two, minlength=52 * 52)
        self.rises += _told((packs[:, 1:] > packs[:, :-1]).sum(axis=1), self.rises)
        suits = codes % 4
        red = (suits == DIAMONDS) | (suits == HEARTS)
        self.colour_runs += _told(1 + (red[:, 1:] != red[:, :-1]).sum(axis=1), self.colour_runs)
        self.matches += _told((packs == np.arange(self.cards)).sum(axis=1), self.matches)
        self.rings += _told(_ring(packs) - 1, self.rings)
        aces = numbers[one // 4 == ACE]
        if len(aces):
            waits = np.diff(np.concatenate([[self._ace], aces]))
            self.waits += _told(np.minimum(waits, LONGEST + 1) - 1, self.waits)
            self._ace = int(aces[-1])

    def _hands(self, packs: Packs, numbers: NDArray[np.int64]) -> None:
        """Orders of five cards in a row are independent of those of five others; which cards they are is not."""
        hands = self.cards // HAND
        whole = packs[:, : HAND * hands].reshape(-1, HAND)
        code = np.zeros(len(whole), np.int64)
        for one in range(HAND - 1):  # how many of the cards behind it are lower: 5 x 4 x 3 x 2 ways
            lower = sum((whole[:, one] > whole[:, two]).astype(np.int64) for two in range(one + 1, HAND))
            code = code * (HAND - one) + lower
        self.orders += _told(code, self.orders)
        hand = whole.reshape(-1, hands, HAND)[np.arange(len(packs)), numbers % hands] % 52
        for kinds, counts in ((hand // 4, self.rank_pairs), (hand % 4, self.suit_pairs)):
            pairs = sum((kinds[:, one] == kinds[:, two]).astype(np.int64) for one, two in _PAIRS)
            counts += _told(np.asarray(pairs), counts)

    def _gaps(self, places: Packs, numbers: NDArray[np.int64]) -> None:
        """From one card of a rank to the next: another rank, and another of its gaps, in every pack."""
        rank, each = numbers % 13, 4 * self.decks
        cards = 4 * rank[:, None] + self._of_a_rank
        lie = np.sort(np.take_along_axis(places, cards, axis=1).astype(np.int64) + 1, axis=1)
        edge = np.zeros((len(lie), 1), np.int64)
        gaps = np.diff(np.concatenate([edge, lie, edge + self.cards + 1], axis=1), axis=1)
        self.gaps += _told(gaps[np.arange(len(gaps)), numbers // 13 % (each + 1)], self.gaps)

    @cached_property
    def _of_a_rank(self) -> NDArray[np.int64]:
        return np.array([52 * deck + suit for deck in range(self.decks) for suit in range(4)])


_ONES = np.array([value.bit_count() for value in range(256)], np.uint8)


def places_of(packs: Packs) -> Packs:
    """Where each card lies."""
    out = np.empty_like(packs)
    places = np.broadcast_to(np.arange(packs.shape[1], dtype=packs.dtype), packs.shape)
    np.put_along_axis(out, packs.astype(np.int64), places, axis=1)
    return out


def _ring(packs: Packs) -> NDArray[np.int64]:
    """From the first place to the place that its card had when the pack was new, and so on: steps until one is back."""
    row = np.arange(len(packs)) * packs.shape[1]
    flat = packs.reshape(-1)
    at = flat[row].astype(np.int64)
    steps = np.ones(len(packs), np.int64)
    for _ in range(packs.shape[1] - 1):
        away = at != 0
        steps += away
        at = np.where(away, flat[row + at], 0)
    return steps


def _paired(rows: NDArray[np.int_] | Packs, columns: Packs, n: int) -> Matrix:
    index = rows.astype(np.int64) * n + columns
    return np.bincount(index.reshape(-1), minlength=n * n).reshape(n, n)


def _told(found: NDArray[np.int64], counts: Counts) -> Counts:
    return np.bincount(found, minlength=len(counts))


def _zeros(many: int) -> Counts:
    return np.zeros(many, np.int64)


def _square(n: int) -> Matrix:
    return np.zeros((n, n), np.int64)
