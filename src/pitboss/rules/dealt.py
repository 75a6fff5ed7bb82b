"""Cards and hands as a game file gets them from a deal, and how strong a hand is."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NoReturn

from pitboss.hands.categories import (
    NO_PAIR,
    ROYAL_FLUSH,
    THREE_NO_PAIR,
    THREE_ROYAL,
    TWO_CARDS,
    TWO_CARDS_TOP,
)
from pitboss.rules.column import Column, bare_condition, card_in, node
from pitboss.rules.errors import site
from pitboss.rules.fields import a_whole


class Card:
    """One dealt card: its `rank`, its `suit`, and whether it is the same card as another."""

    __slots__ = ("col",)
    NOT_A_NUMBER = "a card is not a number; write `.rank` or `.suit`"

    def __init__(self, slot: int) -> None:
        self.col = card_in(slot)

    @property
    def slot(self) -> int:
        """Which card of the round it is, counted from 0 in the order of the deal."""
        return int(self.col.args[0])

    @property
    def rank(self) -> Column:
        """TWO (0) to ACE (12)."""
        return node("rank", (self.col,), 0, 12)

    @property
    def suit(self) -> Column:
        """CLUBS (0) to SPADES (3)."""
        return node("suit", (self.col,), 0, 3)

    def __eq__(self, other: object) -> Column:  # type: ignore[override]
        if isinstance(other, Hand):
            other = other.one()
        if isinstance(other, Card):
            return node("eq", (self.col, other.col), 0, 1)
        raise site().error("a card can only equal another card; write `.rank` or `.suit` to compare it with a number")

    def __ne__(self, other: object) -> Column:  # type: ignore[override]
        return ~(self == other)

    def __lt__(self, other: object) -> NoReturn:
        raise site().error(
            "cards have no order of their own; write `.rank` on both sides, such as `mine.rank > his.rank`"
        )

    __le__ = __gt__ = __ge__ = __lt__

    def __bool__(self) -> NoReturn:
        raise bare_condition()

    def __hash__(self) -> NoReturn:
        raise site().error("a card cannot be the key of a dict or set; write `lookup(table, card.rank)`")


class Hand:
    """The cards of one deal, in the order dealt. A hand of one card has its `rank` and `suit`."""

    __slots__ = ("cards",)
    NOT_A_NUMBER = Card.NOT_A_NUMBER

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = tuple(cards)

    def one(self) -> Card:
        """The card of a hand of one card."""
        if len(self.cards) != 1:
            raise site().error(f"this hand has {len(self.cards)} cards; say which one, for instance `hand[0].rank`")
        return self.cards[0]

    @property
    def rank(self) -> Column:
        """The rank of a hand of one card."""
        return self.one().rank

    @property
    def suit(self) -> Column:
        """The suit of a hand of one card."""
        return self.one().suit

    def choose(self, k: int) -> list["Hand"]:
        """Every hand of k of these cards."""
        a_whole("how many cards are chosen", k, 1, len(self.cards))
        return [Hand(c) for c in combinations(self.cards, k)]

    def __add__(self, other: "Hand") -> "Hand":
        return Hand(self.cards + other.cards)

    def __getitem__(self, i: int) -> Card:
        return self.cards[i]

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __eq__(self, other: object) -> Column:  # type: ignore[override]
        return self.one() == other

    def __ne__(self, other: object) -> Column:  # type: ignore[override]
        return ~(self.one() == other)

    def __lt__(self, other: object) -> NoReturn:
        raise site().error(
            "hands have no order of their own; write `.rank` on both sides, such as `mine.rank > his.rank`"
        )

    __le__ = __gt__ = __ge__ = __lt__

    def __bool__(self) -> NoReturn:
        raise site().error("a hand is neither true nor false; branch on its cards with `if t.when(...)`")

    def __hash__(self) -> NoReturn:
        raise site().error("a hand cannot be the key of a dict or set")


def strength(*hands: Hand) -> Column:
    """The best hand of two, three, or five to seven cards as one number: larger is stronger, equal is a tie."""
    cards = [c.col for hand in hands for c in hand]
    least, most = {2: (TWO_CARDS, TWO_CARDS_TOP), 3: (THREE_NO_PAIR, THREE_ROYAL)}.get(
        len(cards), (NO_PAIR, ROYAL_FLUSH)
    )
    if len(cards) not in (2, 3, 5, 6, 7):
        raise site().error(f"strength() ranks two, three, five, six or seven cards, not {len(cards)}")
    return node("strength", tuple(cards), least, most)


def royal_length(*hands: Hand) -> Column:
    """How many cards of one suit run down from the ace without a gap, 5 to 7; 0 when there are fewer than five."""
    cards = [c.col for hand in hands for c in hand]
    if not 5 <= len(cards) <= 7:
        raise site().error(f"royal_length() looks at five, six or seven cards, not {len(cards)}")
    return node("royals", tuple(cards), 0, len(cards))
