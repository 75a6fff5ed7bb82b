"""The vocabulary of a game file, and the tracer that turns its `play` into a graph."""

from pitboss.cards import (
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
    SEVEN,
    SIX,
    SPADES,
    TEN,
    THREE,
    TWO,
)
from pitboss.rules.column import (
    LOSE,
    PUSH,
    WIN,
    Card,
    Column,
    Hand,
    Rows,
    compare,
    first_match,
    highest,
    lookup,
    lowest,
    row,
    where,
)
from pitboss.rules.errors import BadInput, RuleError
from pitboss.rules.game import Anchor, Face, Game, House, Seen
from pitboss.rules.graph import BLIND, BOARD, DEALER, DOWN, PLAYER, UP
from pitboss.rules.options import Amount, Choice
from pitboss.rules.paytables import EVEN_MONEY, Meter, PayTable, dollars
from pitboss.rules.trace import trace
from pitboss.rules.vocabulary import Table
from pitboss.rules.wagers import TABLE_MIN, Wager

__all__ = [
    "ACE", "BLIND", "BOARD", "CLUBS", "DEALER", "DIAMONDS", "DOWN", "EIGHT", "EVEN_MONEY", "FIVE", "FOUR", "FULL_DECK",
    "HEARTS", "JACK", "KING", "LOSE", "NINE", "PLAYER", "PUSH", "QUEEN", "SEVEN", "SIX", "SPADES", "TABLE_MIN", "TEN",
    "THREE", "TWO", "UP", "WIN", "Amount", "Anchor", "BadInput", "Card", "Choice", "Column", "Face", "Game", "Hand",
    "House", "Meter", "PayTable", "RuleError", "Rows", "Seen", "Table", "Wager", "compare", "dollars", "first_match",
    "highest", "lookup", "lowest", "row", "trace", "where",
]  # fmt: skip
