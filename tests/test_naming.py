"""Numbers by their names: floors of hands, ranks and suits, as the rules of a game say them."""

import re
from itertools import combinations

import pytest

from helpers import GAME_FILES, load_game, sheet_steps
from pitboss.cards import cards_of
from pitboss.hands.categories import RANKINGS, ladder
from pitboss.hands.evaluate import flush_strength_of, strength_of
from pitboss.hands.floors import at_least, exactly, flush_named
from pitboss.rules import (
    ACE,
    EIGHT,
    FLUSH,
    FOUR,
    FOUR_TRIPS,
    FULL_HOUSE,
    HEARTS,
    JACK,
    KING,
    NINE,
    PAIR,
    QUEEN,
    ROYAL_FLUSH,
    SIX,
    TEN,
    THREE_PAIR,
    TWO,
    Card,
    Column,
    Hand,
    among,
    by_floor,
    count,
    flush_of,
    flush_strength,
    hands_from,
    high_cards,
    high_to_low,
    highest,
    longest_suit,
    lookup,
    lowest,
    pair_of,
    straight_flush_length,
    strength,
    where,
)
from pitboss.rules.naming import condition, number

CARDS = [Card(i) for i in range(7)]
TWO_CARDS, THREE, FOUR_CARDS, FIVE, SEVEN = (Hand(CARDS[:n]) for n in (2, 3, 4, 5, 7))
A, B, C = CARDS[:3]
VALUES = [2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1]


def hand(cards: "list[Column]") -> str:
    return f"the {len(cards)} cards"


def say(col: Column) -> str:
    if col.op in ("card", "rank", "suit"):
        return {"rank": "", "suit": "the suit of "}.get(col.op, "") + f"card {min(col.slots)}"
    return condition(col, say) or number(col, say, hand) or "?"


CONDITIONS = {
    "the 5 cards is a pair or better": strength(FIVE) >= PAIR,
    "the 5 cards is less than a pair of jacks": strength(FIVE) < pair_of(JACK),
    "the 5 cards is ace-king high or better": strength(FIVE) >= high_cards(ACE, KING),
    "the 5 cards is ace-king-queen-jack-nine or better": strength(FIVE) >= high_cards(ACE, KING, QUEEN, JACK, NINE),
    "the 7 cards is a full house or better": strength(SEVEN) > FULL_HOUSE - 1,
    "the 7 cards is less than a full house": ~(strength(SEVEN) >= FULL_HOUSE),
    "the 5 cards is a royal flush": strength(FIVE) >= ROYAL_FLUSH,
    "the 5 cards is not a royal flush": strength(FIVE) != ROYAL_FLUSH,
    "the 3 cards is queen-six-four or better": strength(THREE) >= high_cards(QUEEN, SIX, FOUR, cards=3),
    "the 3 cards is queen high or better": strength(THREE) >= high_cards(QUEEN, cards=3),
    "the 3 cards is a pair or better": strength(THREE) >= THREE_PAIR,
    "the 3 cards is a pair of sixes or better": strength(THREE) >= pair_of(SIX, cards=3),
    "the 3 cards is a pair of jacks with ten": strength(THREE) == pair_of(JACK, cards=3) + TEN - TWO,
    "the 4 cards is king high or better": strength(FOUR_CARDS) >= high_cards(KING, cards=4),  # four cards by themselves
    "the best four of the 5 cards is three of a kind or better": strength(FIVE, cards=4) >= FOUR_TRIPS,
    "the best four of the 7 cards is a pair of aces or better": strength(SEVEN, cards=4) >= pair_of(ACE, cards=4),
    "the best three of the 5 cards is less than queen-six-four": strength(FIVE, cards=3)
    < high_cards(QUEEN, SIX, FOUR, cards=3),
    "the 2 cards is a pair of eights or better": strength(TWO_CARDS) >= pair_of(EIGHT, cards=2),
    "the best of any two of the 3 cards is ace-king or better": highest(*(strength(h) for h in THREE.choose(2)))
    >= high_cards(ACE, KING, cards=2),
    "the best of the 2 cards with any two of the 3 cards is a pair of tens or better": highest(
        *(strength(TWO_CARDS, Hand(two), cards=4) for two in combinations(CARDS[2:5], 2))
    )
    >= pair_of(TEN, cards=4),
    "the best of the 5 cards and the 6 cards is a pair or better": highest(strength(FIVE), strength(Hand(CARDS[1:])))
    >= PAIR,
    "the longest suit of the 7 cards is three cards, nine high, or better": flush_strength(SEVEN) >= flush_of(3, NINE),
    "the longest suit of the 7 cards is less than four cards": flush_strength(SEVEN) < flush_of(4),
    "the highest of the 3 cards is a queen or higher": THREE.ranks[0] >= QUEEN,
    "the second highest of the 3 cards is lower than an 8": THREE.ranks[1] < EIGHT,
    "the lowest of the 3 cards is an ace": THREE.ranks[2] >= ACE,
    "the highest of the 2 cards is not a king": highest(A.rank, B.rank) != KING,
    "the suit of card 0 is hearts": A.suit == HEARTS,
    "the suit of card 0 is not hearts": A.suit != HEARTS,
    "the suit of card 0 is hearts or spades": A.suit >= HEARTS,
    "the highest of the 3 cards is 2, 3 or 9 to ace": lookup([1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], THREE.ranks[0]),
    "the 3 cards is less than a pair": by_floor(strength(THREE), hands_from("pair", cards=3)) == "lose",
    "the 3 cards is a flush or better": by_floor(strength(THREE), hands_from("flush", cards=3)) != "lose",
    "the 3 cards is a flush or better, but less than a straight": by_floor(strength(THREE), hands_from("pair", cards=3))
    == "flush",
    "the 5 cards is a flush or better": by_floor(strength(FIVE), {"pair": PAIR, "flush": FLUSH}) == "flush",
    "the 5 cards is better than there is": strength(FIVE) > ROYAL_FLUSH,
    "the highest of the 3 cards is whatever it may be": THREE.ranks[0] < 13,
}


@pytest.mark.parametrize("words", CONDITIONS)
def test_a_floor_is_said_by_its_name(words: str) -> None:
    assert condition(CONDITIONS[words], say) == words


NUMBERS = {
    "the last digit of the total value of the 3 cards": sum(lookup(VALUES, card.rank) for card in THREE) % 10,
    "what the value of card 0 leaves when divided by 3": lookup(VALUES, A.rank) % 3,
    "the value of card 0 divided by 3 and rounded down": lookup(VALUES, A.rank) // 3,
    "the number of cards among the 3 cards that are jack to ace": count(c.rank >= JACK for c in THREE),
    "the number of cards among the 3 cards that are 2, 3 or ace": count(among(c.rank, "2-3,A") for c in THREE),
    "the number of cards among the 3 cards that are hearts": count(c.suit == HEARTS for c in THREE),
    "how many of these hold: card 0 is an ace; card 1 is a king": count([A.rank == ACE, B.rank == KING]),
    "the length of the longest suit of the 7 cards": longest_suit(SEVEN),
    "the length of the longest straight flush in the 7 cards": straight_flush_length(SEVEN),
    "the third highest of the 5 cards": FIVE.ranks[2],
    "the lowest of the 2 cards": lowest(A.rank, B.rank),
    "the second highest of the value of card 0, the value of card 1 and the value of card 2": high_to_low(
        *(lookup(VALUES, c.rank) for c in THREE)
    )[1],
}


@pytest.mark.parametrize("words", NUMBERS)
def test_a_number_made_of_cards_is_said(words: str) -> None:
    assert number(NUMBERS[words], say, hand) == words


def test_ranks_that_are_chosen_stay_ranks_and_sums_do_not() -> None:
    chosen = where(A.rank > B.rank, A.rank, C.rank)
    assert condition(chosen >= QUEEN, lambda col: "it") == "it is a queen or higher"
    assert condition(A.rank + B.rank >= QUEEN, lambda col: "it") is None
    assert condition(A.rank < B.rank, lambda col: "it") is None


@pytest.mark.parametrize("cards", RANKINGS)
def test_every_strength_of_a_ranking_has_a_name_of_its_own(cards: int) -> None:
    strengths = [*ladder(cards).values()]
    floors = [at_least(s, cards) for s in strengths]
    assert len(set(floors)) == len(floors) and not any(re.search(r"\d", name) for name in floors)
    assert len({exactly(s, cards) for s in strengths}) == len(strengths)
    kinds = {name for name, _ in RANKINGS[cards] if name != "no pair"}
    assert {re.sub("^an? ", "", name) for name in floors} >= kinds


def test_names_of_floors_as_they_are_said() -> None:
    for text, cards, name in (
        ("Ac Kd 2h 3s 4c", 5, "ace-king high"),
        ("Ac Kd 2h 3s 5c", 5, "ace-king-five high"),
        ("7c 5d 4h 3s 2c", 5, "seven high"),
        ("Jc Jd 2h 3s 4c", 5, "a pair of jacks"),
        ("Jc Jd Ah Ks Qc", 5, "a pair of jacks with ace-king-queen"),
        ("Kc Qd Jh Ts 9c", 5, "a straight, king"),
        ("2c 2d 2h 3s", 4, "three of a kind"),
        ("3c 3d 2h 2s", 4, "two pair"),
        ("6c 6d 2h", 3, "a pair of sixes"),
        ("Ac Kc Qc", 3, "a royal"),
    ):
        assert at_least(strength_of(cards_of(text)), cards) == name
    for text, name in (
        ("9c 2c 3c 4d 5d 6h 7h", "three cards, nine high"),
        ("9c 8c 7c", "three cards, nine-eight-seven"),
        ("2c 3c 4c 5c", "four cards"),
        ("Ac", "one card, ace"),
    ):
        assert flush_named(flush_strength_of(cards_of(text))) == name


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.stem)
def test_no_procedure_prints_a_strength_as_a_number(path: object) -> None:
    text = " ".join(sheet_steps(load_game(path).at()))  # type: ignore[arg-type]
    assert not re.search(r"(?<![\d$,])\d{4,}", text)
