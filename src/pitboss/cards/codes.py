"""One card is one integer: rank * 4 + suit, deuce low, ace high, so that a larger code never has a lower rank. Jokers
are 52 and 53: above the ace, and of no suit."""

from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "cdhs"
RANK_NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace", "joker")
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")

TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(13)
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
JOKER, NO_SUIT = 13, 4  # the rank of a joker, and its suit
FULL_DECK = tuple(range(52))
JOKERS = (52, 53)
NAMES = (*(rank + suit for rank in RANKS for suit in SUITS), "Jk", "Jk2")


class BadCard(ValueError):
    """A card name or a card code that is not one."""


def checked(code: int) -> int:
    """A card code as it is; a sentence for what is none."""
    if not hasattr(code, "__index__") or isinstance(code, bool) or not 0 <= code < len(NAMES):
        raise BadCard(f"{str(code)[:40]} is not a card code; a card is a whole number from 0 to {len(NAMES) - 1}")
    return code


def rank_of(code: int) -> int:
    return checked(code) >> 2


def suit_of(code: int) -> int:
    return checked(code) & 3 if code not in JOKERS else NO_SUIT


def card_name(code: int) -> str:
    return NAMES[checked(code)]


def rank_letter(code: int) -> str:
    """``"T"``; a joker is ``"Jk"``, whichever it is."""
    return RANKS[checked(code) >> 2] if code not in JOKERS else NAMES[JOKERS[0]]


def card_code(name: str) -> int:
    """``"Th"`` or ``"10h"`` -> its code; a joker is ``"Jk"``, and the second one of a deck ``"Jk2"``."""
    text = name.strip().replace("10", "T") if isinstance(name, str) else ""
    if text.upper() in ("JK", "JK2"):
        return JOKERS[len(text) - 2]
    if len(text) == 2 and text[0].upper() in RANKS and text[1].lower() in SUITS:
        return RANKS.index(text[0].upper()) * 4 + SUITS.index(text[1].lower())
    said = repr(name) if len(repr(name)) <= 40 else f"{repr(name)[:40]}..."
    raise BadCard(f"{said} is not a card; write a rank of {RANKS} and a suit of {SUITS}, such as Ah or Tc")


def cards_of(names: str | Iterable[str]) -> tuple[int, ...]:
    """``"Ah Tc"`` -> the codes of the cards."""
    return tuple(card_code(x) for x in (names.split() if isinstance(names, str) else names))
