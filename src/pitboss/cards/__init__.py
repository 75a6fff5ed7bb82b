"""Cards: codes and names, decks and shoes, suit classes, shuffling and the simulator's random streams."""

from pitboss.cards.codes import (
    ACE,
    CLUBS,
    DIAMONDS,
    EIGHT,
    FIVE,
    FOUR,
    FULL_DECK,
    HEARTS,
    JACK,
    KING,
    NINE,
    QUEEN,
    RANK_NAMES,
    RANKS,
    SEVEN,
    SIX,
    SPADES,
    SUIT_NAMES,
    SUITS,
    TEN,
    THREE,
    TWO,
    BadCard,
    card_code,
    card_name,
    cards_of,
    rank_of,
    suit_of,
)
from pitboss.cards.deck import FULL, MOST_CARDS, Deck, cards_written, runs
from pitboss.cards.shoe import MOST_DECKS, Composition, composition, shoe_cards, shuffled, suit_symmetric
from pitboss.cards.streams import Stream, stream_state

__all__ = [
    "ACE", "CLUBS", "DIAMONDS", "EIGHT", "FIVE", "FOUR", "FULL", "FULL_DECK", "HEARTS", "JACK", "KING", "MOST_CARDS",
    "MOST_DECKS", "NINE", "QUEEN", "RANKS", "RANK_NAMES", "SEVEN", "SIX", "SPADES", "SUITS", "SUIT_NAMES", "TEN",
    "THREE", "TWO", "BadCard", "Composition", "Deck", "Stream", "card_code", "card_name", "cards_of", "cards_written",
    "composition", "rank_of", "runs", "shoe_cards", "shuffled", "stream_state", "suit_of", "suit_symmetric",
]  # fmt: skip
