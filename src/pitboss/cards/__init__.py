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
    JOKER,
    JOKERS,
    KING,
    NINE,
    NO_SUIT,
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
    rank_letter,
    rank_of,
    suit_of,
)
from pitboss.cards.deck import BUG, FULL, MEANINGS, MOST_CARDS, WILD, Deck, cards_written, runs
from pitboss.cards.shoe import (
    MOST_DECKS,
    Composition,
    composition,
    shoe_cards,
    shuffled,
    suit_renamings,
    suit_symmetric,
)
from pitboss.cards.streams import Stream, stream_state

__all__ = [
    "ACE", "BUG", "CLUBS", "DIAMONDS", "EIGHT", "FIVE", "FOUR", "FULL", "FULL_DECK", "HEARTS", "JACK", "JOKER",
    "JOKERS", "KING", "MEANINGS", "MOST_CARDS", "MOST_DECKS", "NINE", "NO_SUIT", "QUEEN", "RANKS", "RANK_NAMES",
    "SEVEN", "SIX", "SPADES", "SUITS", "SUIT_NAMES", "TEN", "THREE", "TWO", "WILD", "BadCard", "Composition", "Deck",
    "Stream", "card_code", "card_name", "cards_of", "cards_written", "composition", "rank_letter", "rank_of", "runs",
    "shoe_cards", "shuffled", "stream_state", "suit_of", "suit_renamings", "suit_symmetric",
]  # fmt: skip
