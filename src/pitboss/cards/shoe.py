"""A shoe by its composition (how many of each card), and shuffling for live play."""

import secrets
from collections.abc import Callable, Iterable, Sequence

from pitboss.cards.codes import FULL_DECK, RANKS, SUITS, BadCard

MOST_DECKS = 8
Composition = tuple[int, ...]
"""How many of each of the 52 card codes a shoe holds."""


def composition(decks: int = 1, deck: Iterable[int] = FULL_DECK) -> Composition:
    """The full shoe of so many decks; `deck` may be a stripped one."""
    if not 1 <= decks <= MOST_DECKS:
        raise ValueError(f"a shoe holds 1 to {MOST_DECKS} decks, not {decks}")
    counts = [0] * 52
    for card in deck:
        counts[card] += decks
    return tuple(counts)


def depleted(text: str, full: Composition) -> Composition:
    """A shoe from which cards are gone: "A:20 2:24 Kh:3" says how many are left of a rank, or of one card; what is not
    named is complete. Where only the rank is given, its suits are as even as they can be."""
    left = list(full)
    for part in text.replace(",", " ").split():
        name, sign, count = part.partition(":")
        cards = _cards_named(name)
        if not sign or not count.isdigit() or not cards:
            raise BadCard(
                f"{part!r} does not say how many cards are left; write a rank or a card and a number, A:20 or Ah:5"
            )
        most, want = sum(full[c] for c in cards), int(count)
        if want > most:
            raise BadCard(f"the shoe cannot hold {want} of {name}: full, it has {most}")
        even = [want // len(cards) + (i < want % len(cards)) for i in range(len(cards))]
        for card, n in zip(cards, even, strict=True):
            left[card] = n
    if not sum(left):
        raise BadCard("the shoe is empty; leave some cards in it")
    return tuple(left)


def _cards_named(name: str) -> list[int]:
    name = name.strip().upper().replace("10", "T")
    if len(name) == 2 and name[0] in RANKS and name[1].lower() in SUITS:
        return [RANKS.index(name[0]) * 4 + SUITS.index(name[1].lower())]
    return [RANKS.index(name) * 4 + s for s in range(4)] if len(name) == 1 and name in RANKS else []


def shoe_cards(counts: Composition) -> list[int]:
    """Every card of the shoe, in new-deck order."""
    return [card for card, n in enumerate(counts) for _ in range(n)]


def suit_symmetric(counts: Composition) -> bool:
    """Whether renaming the suits leaves the shoe as it is, so that suits may be counted as classes."""
    return all(len(set(counts[4 * rank : 4 * rank + 4])) == 1 for rank in range(13))


def shuffled(cards: Sequence[int], below: Callable[[int], int] = secrets.randbelow) -> list[int]:
    """Fisher-Yates from the operating system's cryptographic source; `randbelow` rejects, so nothing is biased."""
    out = list(cards)
    for i in range(len(out) - 1, 0, -1):
        j = below(i + 1)
        out[i], out[j] = out[j], out[i]
    return out
