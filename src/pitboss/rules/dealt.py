"""Cards and hands as a game file gets them from a deal, and how strong a hand is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NoReturn, overload

from pitboss.cards import JOKER
from pitboss.hands.categories import FIVE_ACES, RANKINGS, TOPS
from pitboss.hands.floors import flush_floor
from pitboss.rules.column import Column, bare_condition, card_in, column, high_to_low, lookup, node
from pitboss.rules.errors import said, site
from pitboss.rules.fields import a_whole
from pitboss.rules.operations import wild_rank


@dataclass(frozen=True)
class Stock:
    """What kind of cards a shoe has, as far as a line of the game file can look at it."""

    jokers: bool = False  # there are some
    joker: str = ""  # what one is in a hand
    wild: int | None = None  # the rank whose cards are wild in a hand


NO_JOKERS = Stock()
IS_JOKER = (0,) * JOKER + (1,)  # by rank


class Card:
    """One dealt card: its `rank`, its `suit`, and whether it is the same card as another."""

    __slots__ = ("col", "of")
    NOT_A_NUMBER = "a card is not a number; write `.rank` or `.suit`"

    def __init__(self, slot: int, of: Stock = NO_JOKERS) -> None:
        self.col, self.of = card_in(slot), of

    @property
    def slot(self) -> int:
        """Which card of the round it is, counted from 0 in the order of the deal."""
        return int(self.col.args[0])

    @property
    def rank(self) -> Column:
        """TWO (0) to ACE (12); JOKER (13) of a joker."""
        return node("rank", (self.col,), 0, JOKER if self.of.jokers else JOKER - 1)

    @property
    def suit(self) -> Column:
        """CLUBS (0) to SPADES (3); NO_SUIT (4) of a joker."""
        return node("suit_or_none", (self.col,), 0, 4) if self.of.jokers else node("suit", (self.col,), 0, 3)

    @property
    def is_joker(self) -> Column:
        """Whether it is a joker; never where the deck has none."""
        return lookup(IS_JOKER, self.rank) if self.of.jokers else column(0)

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

    @property
    def is_joker(self) -> Column:
        """Whether a hand of one card is a joker."""
        return self.one().is_joker

    @property
    def ranks(self) -> list[Column]:
        """The ranks of its cards, the highest first, however they were dealt: `high, middle, low = own.ranks`."""
        return high_to_low(*(card.rank for card in self.cards))

    def choose(self, k: int) -> list["Hand"]:
        """Every hand of k of these cards."""
        a_whole("how many cards are chosen", k, 1, len(self.cards))
        return [Hand(c) for c in combinations(self.cards, k)]

    def __add__(self, other: "Hand | Card") -> "Hand":
        if not isinstance(other, Hand | Card):
            raise site().error(f"a hand can be put together with another hand or a card, not with {said(other)}")
        return Hand(self.cards + (other.cards if isinstance(other, Hand) else (other,)))

    @overload
    def __getitem__(self, i: int) -> Card: ...
    @overload
    def __getitem__(self, i: slice) -> "Hand": ...
    def __getitem__(self, i: int | slice) -> "Card | Hand":
        if isinstance(i, slice):
            return Hand(self.cards[i])
        if not isinstance(i, int) or not -len(self.cards) <= i < len(self.cards):
            last = f" to hand[{len(self.cards) - 1}]" if len(self.cards) > 1 else ""
            raise site().error(
                f"this hand has {len(self.cards)} card{'s' * (len(self.cards) > 1)}, hand[0]{last}, not {said(i)}"
            )
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


def strength(*hands: "Hand | Card", cards: int | None = None) -> Column:
    """The best hand as one number: larger is stronger, equal is a tie. Two, three and four cards are ranked as they
    are, the best five count of five to seven; `cards=4` and `cards=3` count the best four or three of up to seven. A
    joker, or a rank that is wild, is what the deck says that it is."""
    dealt = _cards("strength", hands, 2, 7, jokers=True)
    if cards is not None:
        a_whole("how many cards a hand counts", cards, 2, 5)
    counted = min(len(dealt), 5) if cards is None else cards
    if counted > len(dealt) or (counted == 2 and len(dealt) > 2):
        raise site().error(
            f"strength() counts the best {counted} of {counted} cards{' to seven' * (counted > 2)}, not of {len(dealt)}"
        )
    best = {3: "best_three", 4: "best_four"}.get(counted, "strength") if len(dealt) > 3 else "strength"
    of = _stock(hands)
    if not of.jokers and of.wild is None:
        return node(best, dealt, RANKINGS[counted][0][1], TOPS[counted])
    if of.jokers and not of.joker:
        raise site().error(
            "the deck has a joker and does not say what it is in a hand; write cards('2-A', jokers=1, joker=WILD)"
        )
    means = of.joker if of.wild is None else wild_rank(of.wild)
    return node(f"{best}_{means}", dealt, RANKINGS[counted][0][1], FIVE_ACES if counted == 5 else TOPS[counted])


def royal_length(*hands: "Hand | Card") -> Column:
    """How many cards of one suit run down from the ace without a gap, 5 to 7; 0 when there are fewer than five."""
    cards = _cards("royal_length", hands, 5, 7)
    return node("royals", cards, 0, len(cards))


def longest_suit(*hands: "Hand | Card") -> Column:
    """How many of up to seven cards are of one suit."""
    cards = _cards("longest_suit", hands, 1, 7)
    return node("longest_suit", cards, (len(cards) + 3) // 4, len(cards))


def flush_strength(*hands: "Hand | Card") -> Column:
    """The longest suit of up to seven cards as one number: the suit with more cards is stronger; of two with as many,
    the one with the higher cards, from the top. `flush_of(3, NINE)` is a floor of it."""
    cards = _cards("flush_strength", hands, 1, 7)
    least, most = (len(cards) + 3) // 4, len(cards)
    return node("flush_strength", cards, flush_floor(least, ()) or 0, flush_floor(most, range(12, 12 - most, -1)) or 0)


def straight_flush_length(*hands: "Hand | Card") -> Column:
    """How many of up to seven cards are of one suit and follow one another without a gap; an ace is high or low."""
    cards = _cards("straight_flush_length", hands, 1, 7)
    return node("suited_run", cards, 1, len(cards))


def _stock(hands: Sequence["Hand | Card"]) -> Stock:
    """What kind of cards these hands are from."""
    return next((c.of for hand in hands for c in (hand if isinstance(hand, Hand) else (hand,))), NO_JOKERS)


def _cards(
    word: str, hands: Sequence["Hand | Card"], least: int, most: int, jokers: bool = False
) -> tuple[Column, ...]:
    """The cards of several hands together."""
    cards: tuple[Column, ...] = ()
    for hand in hands:
        if not isinstance(hand, Hand | Card):
            raise site().error(f"{word}() takes hands that were dealt, such as {word}(own, board), not {said(hand)}")
        cards += tuple(c.col for c in hand) if isinstance(hand, Hand) else (hand.col,)
    if not least <= len(cards) <= most:
        more = (
            f"; of more, write highest(*({word}(seven) for seven in hand.choose(7)))" if len(cards) > most == 7 else ""
        )
        raise site().error(f"{word}() looks at {least} to {most} cards, not at {len(cards)}{more}")
    if len({c.uid for c in cards}) < len(cards):
        raise site().error(f"{word}() is given a card twice; name every hand once")
    if not jokers and (_stock(hands).jokers or _stock(hands).wild is not None):
        raise site().error(
            f"{word}() does not know {'jokers' if _stock(hands).jokers else 'wild cards'}; strength() does"
        )
    return cards
