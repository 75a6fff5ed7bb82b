"""A shoe by its composition (how many of each card), and shuffling for live play."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations

from pitboss.cards.codes import FULL_DECK, JOKERS, checked

MOST_DECKS = 8
Composition = tuple[int, ...]
"""How many of each of the 52 card codes a shoe holds; of 54 where there are jokers."""


def composition(decks: int = 1, deck: Iterable[int] = FULL_DECK) -> Composition:
    """The full shoe of so many decks; `deck` may be a stripped one."""
    if not 1 <= decks <= MOST_DECKS:
        raise ValueError(f"a shoe holds 1 to {MOST_DECKS} decks, not {decks}")
    cards = [checked(card) for card in deck]
    counts = [0] * (len(FULL_DECK) + len(JOKERS) * any(card in JOKERS for card in cards))
    for card in cards:
        counts[card] += decks
    return tuple(counts)


def shoe_cards(counts: Composition) -> list[int]:
    """Every card of the shoe, in new-deck order."""
    return [card for card, n in enumerate(counts) for _ in range(n)]


def suit_symmetric(counts: Composition) -> bool:
    """Whether renaming the suits leaves the shoe as it is, so that suits may be counted as classes."""
    return all(len(set(counts[4 * rank : 4 * rank + 4])) == 1 for rank in range(13))


def suit_renamings() -> list[list[int]]:
    """The suits renamed in all 24 ways: what every card code becomes. A joker has no suit, and stays."""
    return [[(card & ~3) | order[card & 3] for card in FULL_DECK] + [*JOKERS] for order in permutations(range(4))]


def shuffled(cards: Sequence[int], below: Callable[[int], int] = secrets.randbelow) -> list[int]:
    """Fisher-Yates from the operating system's cryptographic source; `randbelow` rejects, so nothing is biased."""
    out = list(cards)
    for i in range(len(out) - 1, 0, -1):
        j = below(i + 1)
        out[i], out[j] = out[j], out[i]
    return out
