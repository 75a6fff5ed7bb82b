"""Which cards a game is dealt from: the word for it in a game file, and what may stand there instead."""

from typing import TYPE_CHECKING

from pitboss.cards import FULL_DECK, JOKERS, MEANINGS, MOST_CARDS, RANK_NAMES, WILD, BadCard, Deck, cards_written
from pitboss.rules.errors import said
from pitboss.rules.fields import a_list, a_whole, refuse

if TYPE_CHECKING:
    from pitboss.rules.house import House


def cards(text: str, jokers: int = 0, joker: str = "", wild: int | None = None) -> Deck:
    """The cards of a deck: `cards("7-A")` has 32, `cards("2-9, J-A")` the 48 of a Spanish deck, `cards("2c-7c")` six of
    one suit. Several are added with `+`, and `24 * cards("2c")` has one card 24 times. `jokers` are one or two more;
    `joker` says what one is in a hand: WILD, or BUG (an ace, or it completes a straight or a flush). `wild=TWO` makes a
    rank wild: in a hand its cards are what a wild joker is."""
    if not isinstance(text, str):
        raise refuse(f"cards() takes text in quotes, such as '7-A' or '2-9, J-A', not {said(text)}")
    a_whole("jokers, of a deck,", jokers, 0, len(JOKERS))
    if joker not in ("", *MEANINGS):
        raise refuse(f"joker=WILD or joker=BUG says what a joker is in a hand, not {said(joker)}")
    if joker and not jokers:
        raise refuse("what a joker is in a hand is said, and the deck has none; write jokers=1 too")
    try:
        named = cards_written(text)
    except BadCard as error:
        raise refuse(f"cards(): {error}") from None
    if wild is not None:
        if isinstance(wild, bool) or not isinstance(wild, int) or wild not in {code >> 2 for code in named}:
            raise refuse(f"wild=TWO names a rank of the deck whose cards are wild in a hand, not {said(wild)}")
        if jokers and joker != WILD:
            raise refuse("where a rank is wild, so is a joker; write joker=WILD too")
    return Deck((*named, *JOKERS[:jokers]), joker, wild)


def as_deck(value: object) -> Deck:
    """A deck as it is, and a list of card codes as a deck."""
    if isinstance(value, str):
        raise refuse(f"the deck of a game is cards in words, deck=cards({said(value)}), and not the words alone")
    if not isinstance(value, Deck):
        codes = a_list("the deck of a game", value, int, "cards('7-A')", empty=False)
        for code in codes:
            a_whole("a card code", code, 0, len(FULL_DECK) - 1)  # of a joker it is said what it is, with cards()
        value = Deck(tuple(sorted(codes)))
    if not 1 <= len(value) <= MOST_CARDS:
        raise refuse(f"the deck of a game has 1 to {MOST_CARDS} cards, not {len(value):,}")
    return value


def dealt_from(house: "House") -> str:
    """`It is dealt from six decks of 48 cards, without tens.`"""
    deck = house.deck
    told = [f"It is dealt from {deck.words(house.decks or 1)}."]
    if deck.wild is not None:
        joker = " and every joker" * (deck.jokers > 0)
        told.append(f"In a hand every {RANK_NAMES[deck.wild]}{joker} is wild: it {MEANINGS[WILD]}.")
    elif deck.joker:
        told.append(f"In a hand a joker {MEANINGS[deck.joker]}.")
    if deck.jokers:
        told.append("By itself a joker is higher than an ace, and of no suit.")
    if house.shoe_left():
        told.append(f"{sum(house.composition)} cards are left in the shoe.")
    return " ".join(told)
