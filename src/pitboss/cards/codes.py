"""One card is one integer: rank * 4 + suit, deuce low, ace high, so that a larger code never has a lower rank."""

from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "cdhs"
RANK_NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")

TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(13)
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
FULL_DECK = tuple(range(52))


class BadCard(ValueError):
    """A card name that is not one."""


def rank_of(code: int) -> int:
    return code >> 2


def suit_of(code: int) -> int:
    return code & 3


def card_name(code: int) -> str:
    return RANKS[code >> 2] + SUITS[code & 3]


def card_code(name: str) -> int:
    """``"Th"`` or ``"10h"`` -> its code."""
    text = name.strip().replace("10", "T")
    if len(text) == 2 and text[0].upper() in RANKS and text[1].lower() in SUITS:
        return RANKS.index(text[0].upper()) * 4 + SUITS.index(text[1].lower())
    raise BadCard(f"{name!r} is not a card; write a rank of {RANKS} and a suit of {SUITS}, such as Ah or Tc")


def cards_of(names: str | Iterable[str]) -> tuple[int, ...]:
    """``"Ah Tc"`` -> the codes of the cards."""
    return tuple(card_code(x) for x in (names.split() if isinstance(names, str) else names))
