"""The report on the live shuffle: packs by the million, from keys as a table has them, and every trial of them."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from pitboss.cards.fair import secret, shuffle_key
from pitboss.cards.shoe import MOST_DECKS
from pitboss.rules.errors import BadInput, said
from pitboss.rules.numbers import whole
from pitboss.trials.counted import Tally
from pitboss.trials.records import Report, Trial
from pitboss.trials.stream import Shuffled, shuffles
from pitboss.trials.tried import tried

USUAL = 10**8
LEAST_PACKS = 20_000  # with fewer some results would be too rare to be told apart
MOST = 10**11  # cards: two days
BATCH = 1 << 14  # packs of one deck at a time: what fits the processor's cache
TABLE = "trial"

Progress = Callable[[str, int, int], None]


def report(
    cards: object = USUAL, decks: object = 1, seed: str | None = None, progress: Progress | None = None
) -> Report:
    """So many cards or a few more, in whole packs of so many decks, shuffled as a live table shuffles them.

    A live table draws a secret for every shoe from the operating system. Here the secrets of all shoes are drawn from
    one seed, 64 hex digits, so that a run can be made again; without one the seed is the operating system's.
    `progress` is told what is done, how far, and of how much."""
    size = 52 * whole("decks", decks, 1, MOST_DECKS)
    packs = -(-whole("cards", cards, LEAST_PACKS * size, MOST, f"{USUAL:,}") // size)
    seed = checked_seed(seed)
    return Report(size // 52, packs, seed, try_packs(live(seed, size, packs), size // 52, packs, progress))


def try_packs(
    batches: Iterable[Shuffled], decks: int, packs: int, progress: Progress | None = None
) -> tuple[Trial, ...]:
    """Every trial of these packs, wherever they come from."""
    tally = None
    for batch in batches:
        tally = tally or Tally(decks, batch.words.shape[1])
        tally.add(batch)
        if progress is not None:
            progress("shuffling", tally.packs, packs)
    assert tally is not None
    return tried(tally)


def live(seed: str, size: int, packs: int) -> Iterator[Shuffled]:
    """Packs of so many cards as a live table shuffles them, shoe after shoe."""
    step = max(1, BATCH * 52 // size)
    for first in range(0, packs, step):
        numbers = range(first + 1, min(first + step, packs) + 1)
        keys = b"".join(shuffle_key(secret_of(seed, number), TABLE, number) for number in numbers)
        yield shuffles(np.frombuffer(keys, np.uint8).reshape(-1, 32), size)


def secret_of(seed: str, shoe: int) -> str:
    """The secret of a shoe in a run that can be made again."""
    return hashlib.sha256(f"pitboss-trial-1\n{seed}\nshoe {shoe}\n".encode()).hexdigest()


def checked_seed(seed: str | None) -> str:
    if seed is None:
        return secret()
    if not isinstance(seed, str) or not re.fullmatch("[0-9a-f]{64}", seed):
        raise BadInput(f"seed: {said(seed)} is not 64 hex digits in small letters; leave it out to have one drawn")
    return seed
