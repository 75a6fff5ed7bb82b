"""Poker hands: full censuses, the order against independent evaluators, and machine code against the tables."""

import itertools
from collections import Counter
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from pitboss.cards import card_name, cards_of
from pitboss.compile import Keys, reference_cells, walk_deals
from pitboss.hands.categories import (
    CATEGORIES,
    PAIR,
    ROYAL_FLUSH,
    THREE_CATEGORIES,
    THREE_ROYAL,
    straight_high,
)
from pitboss.hands.census import census
from pitboss.hands.evaluate import royal_length_of, royal_lengths, strength_of, strengths
from pitboss.ledger.cells import Cells
from pitboss.rules import JACK, PLAYER, Game, PayTable, Table, Wager, by_floor, pair_of, royal_length, strength
from pitboss.rules.trace import trace

FIVE = {  # all 2,598,960 five-card hands, by category
    "no pair": 1_302_540, "pair": 1_098_240, "two pair": 123_552, "three of a kind": 54_912, "straight": 10_200,
    "flush": 5_108, "full house": 3_744, "four of a kind": 624, "straight flush": 36, "royal flush": 4,
}  # fmt: skip
SEVEN = {  # all 133,784,560 seven-card hands; PP-C10 prints the same
    "no pair": 23_294_460, "pair": 58_627_800, "two pair": 31_433_400, "three of a kind": 6_461_620,
    "straight": 6_180_020, "flush": 4_047_644, "full house": 3_473_184, "four of a kind": 224_848,
    "straight flush": 37_260, "royal flush": 4_324,
}  # fmt: skip
THREE = {
    "no pair": 16_440, "pair": 3_744, "flush": 1_096, "straight": 720, "three of a kind": 52, "straight flush": 44,
    "royal": 4,
}  # fmt: skip


def by_category(values: NDArray[np.int64], categories: tuple[tuple[str, int], ...]) -> dict[str, int]:
    names = [name for name, _ in categories]
    found = np.bincount(np.searchsorted([f for _, f in categories], values, side="right") - 1, minlength=len(names))
    return dict(zip(names, map(int, found), strict=True))


@cache
def five_card_hands() -> NDArray[np.uint8]:
    return np.array(list(itertools.combinations(range(52), 5)), np.uint8)


def test_census_of_five_cards() -> None:
    values = strengths(five_card_hands())
    assert by_category(values, CATEGORIES) == FIVE
    assert len(np.unique(values)) == 7462  # the number of hands that differ at the table


def test_census_of_three_cards() -> None:
    values = strengths(np.array(list(itertools.combinations(range(52), 3)), np.uint8))
    assert by_category(values, THREE_CATEGORIES) == THREE


def test_census_of_seven_cards_by_counting_ranks_and_suits() -> None:
    ways = census(7)
    assert sum(ways.values()) == 133_784_560
    found = Counter[str]()
    for value, n in ways.items():
        found[max((f, name) for name, f in CATEGORIES if f <= value)[1]] += n
    assert found == SEVEN


def test_census_by_counting_equals_the_enumeration_value_by_value() -> None:
    values, counts = np.unique(strengths(five_card_hands()), return_counts=True)
    assert census(5) == dict(zip(map(int, values), map(int, counts), strict=True))


def test_census_of_seven_cards_one_by_one_on_a_sixteenth_of_them() -> None:
    """Every seven-card hand whose two lowest codes are fixed: C(50, 5) of them, against best-of-21 five-card hands."""
    rest = np.array(list(itertools.combinations(range(2, 24), 5)), np.uint8)
    hands = np.concatenate([np.tile(np.array([0, 1], np.uint8), (len(rest), 1)), rest], 1)
    best = np.max([strengths(hands[:, list(c)]) for c in itertools.combinations(range(7), 5)], axis=0)
    assert (strengths(hands) == best).all()


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_order_agrees_with_independent_evaluators(cards: int) -> None:
    phevaluator = pytest.importorskip("phevaluator")
    rng = np.random.default_rng(5)
    hands = np.argsort(rng.random((40_000, 52)), axis=1)[:, :cards].astype(np.uint8)
    ours = strengths(hands)
    theirs = np.array([-phevaluator.evaluate_cards(*(card_name(int(c)) for c in h)) for h in hands])
    first, second = slice(None, None, 2), slice(1, None, 2)
    assert (np.sign(ours[first] - ours[second]) == np.sign(theirs[first] - theirs[second])).all()
    pairs = {(int(a), int(b)) for a, b in zip(ours, theirs, strict=True)}
    assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)  # the same classes, one to one


def test_a_million_pairs_of_seven_cards_in_the_order_of_another_evaluator() -> None:
    eval7 = pytest.importorskip("eval7")
    deck = [eval7.Card(card_name(c)) for c in range(52)]
    rng = np.random.default_rng(6)
    hands = np.argsort(rng.random((200_000, 52)), axis=1)[:, :7].astype(np.uint8)
    ours = strengths(hands)
    theirs = np.array([eval7.evaluate([deck[c] for c in h]) for h in hands.tolist()])
    for shift in range(1, 6):  # each hand against five others: a million pairs
        assert (np.sign(ours - np.roll(ours, shift)) == np.sign(theirs - np.roll(theirs, shift))).all()


def test_scalar_and_batch_agree() -> None:
    rng = np.random.default_rng(7)
    for cards in (2, 3, 5, 6, 7):
        hands = np.argsort(rng.random((500, 52)), axis=1)[:, :cards]
        assert [strength_of(h) for h in hands.tolist()] == strengths(hands.astype(np.uint8)).tolist()


def test_known_hands() -> None:
    order = [
        "2c 3d 5h 7s 9c", "Ac Kd Qh Js 9c", "2c 2d 3h 4s 5c", "Jc Jd 2h 3s 4c", "Ac Ad Kh Qs Jc", "2c 2d 3h 3s 4c",
        "2c 2d 2h 3s 4c", "Ac 2d 3h 4s 5c", "2c 3d 4h 5s 6c", "Tc Jd Qh Ks Ac", "2c 3c 4c 5c 7c", "2c 2d 2h 3s 3c",
        "2c 2d 2h 2s 3c", "Ac 2c 3c 4c 5c", "9c Tc Jc Qc Kc", "Tc Jc Qc Kc Ac",
    ]  # fmt: skip
    values = [strength_of(cards_of(h)) for h in order]
    assert values == sorted(values) and len(set(values)) == len(values)
    assert values[-1] == ROYAL_FLUSH
    assert strength_of(cards_of("Jc Jd 2h 3s 4c")) == pair_of(JACK)
    assert strength_of(cards_of("Tc Td Ah Ks Qc")) < pair_of(JACK)
    assert strength_of(cards_of("2c 2d 3h 4s 5c")) == PAIR
    assert strength_of(cards_of("Qh Kh Ah")) == THREE_ROYAL
    assert strength_of(cards_of("2h 3c 4d")) > strength_of(cards_of("2h 9h Kh"))  # three cards: straight above flush
    assert straight_high([12, 0, 1], 3) == 1 and straight_high([12, 11, 0], 3) == -1  # no straight round the corner


def test_royal_lengths() -> None:
    for text, length in (
        ("Ac Kc Qc Jc Tc 9c 8c", 7), ("Ac Kc Qc Jc Tc 9c 8d", 6), ("Ac Kc Qc Jc Tc 8c 7c", 5),
        ("Ac Kc Qc Jc 9c 8c 7c", 0), ("Kc Qc Jc Tc 9c 8c 7c", 0), ("Ac Kc Qc Jc Td 9c 8c", 0),
    ):  # fmt: skip
        assert royal_length_of(cards_of(text)) == length
    all_of_one_suit = np.array(list(itertools.combinations(range(0, 52, 4), 7)), np.uint8)
    assert Counter(royal_lengths(all_of_one_suit).tolist())[7] == 1


def test_machine_code_ranks_like_the_tables() -> None:
    """Compiled with bounds checks, on random deals and on all flushes of a suit."""

    def play(t: Table) -> None:
        own, board = t.deal(PLAYER, 5), t.deal(PLAYER, 2)
        rows = by_floor(strength(own, board), {name: floor for name, floor in CATEGORIES if name != "no pair"})
        t.settle(a=rows, b=by_floor(strength(own), {"pair": PAIR}))
        t.settle(c=by_floor(royal_length(own, board), {"five": 5, "six": 6, "seven": 7}))

    tables = [PayTable("t", {n: 1 for n, _ in CATEGORIES} | {"five": 1, "six": 1, "seven": 1})]
    house = Game("h", "H", play, [Wager(w, tables=tables) for w in "abc"]).at()
    graph = trace(house)
    cells, keys = Cells(graph), Keys(graph)
    rng = np.random.default_rng(8)
    deals = np.argsort(rng.random((20_000, 52)), axis=1)[:, :7].astype(np.int64)
    suited = np.array(list(itertools.combinations(range(2, 52, 4), 7)), np.int64)
    deals = np.concatenate([deals, suited])
    none = np.zeros(1, np.uint8)
    reference = reference_cells(cells, deals, lambda *_: np.zeros(0, np.int64), {})
    assert (walk_deals(cells, keys, deals, none, {}, checked=True) == reference).all()
    assert (walk_deals(cells, keys, deals, none, {}, checked=False) == reference).all()
