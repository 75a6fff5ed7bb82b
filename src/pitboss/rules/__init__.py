"""The vocabulary of a game file, and the tracer that turns its `play` into a graph."""

from pitboss.cards import (
    ACE,
    BUG,
    CLUBS,
    DIAMONDS,
    EIGHT,
    FIVE,
    FOUR,
    FULL_DECK,
    HEARTS,
    JACK,
    JOKER,
    KING,
    NINE,
    NO_SUIT,
    QUEEN,
    SEVEN,
    SIX,
    SPADES,
    TEN,
    THREE,
    TWO,
    WILD,
    Deck,
)
from pitboss.hands.categories import (
    FIVE_OF_A_KIND,
    FLUSH,
    FOUR_FLUSH,
    FOUR_NO_PAIR,
    FOUR_OF_A_KIND,
    FOUR_PAIR,
    FOUR_QUADS,
    FOUR_STRAIGHT,
    FOUR_STRAIGHT_FLUSH,
    FOUR_TRIPS,
    FOUR_TWO_PAIR,
    FULL_HOUSE,
    NO_PAIR,
    PAIR,
    ROYAL_FLUSH,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_FLUSH,
    THREE_NO_PAIR,
    THREE_OF_A_KIND,
    THREE_PAIR,
    THREE_ROYAL,
    THREE_STRAIGHT,
    THREE_STRAIGHT_FLUSH,
    THREE_TRIPS,
    TWO_CARDS_PAIR,
    TWO_PAIR,
)
from pitboss.rules.column import Column, column, count, high_to_low, highest, lookup, lowest, within
from pitboss.rules.dealt import (
    Card,
    Hand,
    flush_strength,
    longest_suit,
    royal_length,
    straight_flush_length,
    strength,
)
from pitboss.rules.decks import cards
from pitboss.rules.errors import BadInput, RuleError
from pitboss.rules.floors import flush_of, hands_from, high_cards, pair_of
from pitboss.rules.game import Anchor, Face, Game, Seen
from pitboss.rules.graph import BLIND, BOARD, DEALER, DOWN, PLAYER, UP
from pitboss.rules.house import House
from pitboss.rules.options import Amount, Choice, Ranks
from pitboss.rules.paytables import EVEN_MONEY, Meter, PayTable, dollars
from pitboss.rules.ranks import among, low_run
from pitboss.rules.results import LOSE, PUSH, WIN, Rows, by_floor, compare, first_match, pick, row, where
from pitboss.rules.vocabulary import Table
from pitboss.rules.wagers import TABLE_MIN, Bonus, Wager

__all__ = [
    "ACE", "BLIND", "BOARD", "BUG", "CLUBS", "DEALER", "DIAMONDS", "DOWN", "EIGHT", "EVEN_MONEY", "FIVE",
    "FIVE_OF_A_KIND", "FLUSH", "FOUR", "FOUR_FLUSH", "FOUR_NO_PAIR", "FOUR_OF_A_KIND", "FOUR_PAIR", "FOUR_QUADS",
    "FOUR_STRAIGHT", "FOUR_STRAIGHT_FLUSH", "FOUR_TRIPS", "FOUR_TWO_PAIR", "FULL_DECK", "FULL_HOUSE", "HEARTS", "JACK",
    "JOKER", "KING", "LOSE", "NINE", "NO_PAIR", "NO_SUIT", "PAIR", "PLAYER", "PUSH", "QUEEN", "ROYAL_FLUSH", "SEVEN",
    "SIX", "SPADES", "STRAIGHT", "STRAIGHT_FLUSH", "TABLE_MIN", "TEN", "THREE", "THREE_FLUSH", "THREE_NO_PAIR",
    "THREE_OF_A_KIND", "THREE_PAIR", "THREE_ROYAL", "THREE_STRAIGHT", "THREE_STRAIGHT_FLUSH", "THREE_TRIPS", "TWO",
    "TWO_CARDS_PAIR", "TWO_PAIR", "UP", "WILD", "WIN", "Amount", "Anchor", "BadInput", "Bonus", "Card", "Choice",
    "Column", "Deck", "Face", "Game", "Hand", "House", "Meter", "PayTable", "Ranks", "Rows", "RuleError", "Seen",
    "Table", "Wager", "among", "by_floor", "cards", "column", "compare", "count", "dollars", "first_match", "flush_of",
    "flush_strength", "hands_from", "high_cards", "high_to_low", "highest", "longest_suit", "lookup", "low_run",
    "lowest", "pair_of", "pick", "row", "royal_length", "straight_flush_length", "strength", "where", "within",
]  # fmt: skip
