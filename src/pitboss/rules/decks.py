"""Which cards a game is dealt from: the word for it in a game file, and what may stand there instead."""

from typing import TYPE_CHECKING

from pitboss.cards import FULL_DECK, MOST_CARDS, BadCard, Deck, cards_written
from pitboss.rules.errors import said
from pitboss.rules.fields import a_list, a_whole, refuse

if TYPE_CHECKING:
    from pitboss.rules.house import House


def cards(text: str) -> Deck:
    """The cards of a deck: `cards("7-A")` has 32, `cards("2-9, J-A")` the 48 of a Spanish deck, `cards("2c-7c")` six of
    one suit. Several are added with `+`, and `24 * cards("2c")` has one card 24 times."""
    if not isinstance(text, str):
        raise refuse(f"cards() takes text in quotes, such as '7-A' or '2-9, J-A', not {said(text)}")
    try:
        return Deck(cards_written(text))
    except BadCard as error:
        raise refuse(f"cards(): {error}") from None


def as_deck(value: object) -> Deck:
    """A deck as it is, and a list of card codes as a deck."""
    if not isinstance(value, Deck):
        codes = a_list("the deck of a game", value, int, "cards('7-A')", empty=False)
        for code in codes:
            a_whole("a card code", code, 0, len(FULL_DECK) - 1)
        value = Deck(tuple(sorted(codes)))
    if not 1 <= len(value) <= MOST_CARDS:
        raise refuse(f"the deck of a game has 1 to {MOST_CARDS} cards, not {len(value):,}")
    return value


def dealt_from(house: "House") -> str:
    """`It is dealt from six decks of 48 cards, without tens.`"""
    left = f" {sum(house.composition)} cards are left in the shoe." if house.shoe_left() else ""
    return f"It is dealt from {house.deck.words(house.decks or 1)}.{left}"
