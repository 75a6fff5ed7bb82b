"""A rank that is wild: what its cards are in a hand, by trying every card; and games that are dealt with one."""

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from helpers import run, small_game, traced
from pitboss.cards import shoe_cards
from pitboss.deal import simulate
from pitboss.exact import Study
from pitboss.exact.kernels import Task
from pitboss.exact.kernels.hidden import HIDDEN
from pitboss.hands import jokers
from pitboss.hands.categories import CATEGORIES
from pitboss.rules import (
    DEALER,
    DOWN,
    FIVE_OF_A_KIND,
    FOUR_PAIR,
    JACK,
    LOSE,
    PLAYER,
    ROYAL_FLUSH,
    TEN,
    TWO,
    WILD,
    House,
    RuleError,
    Table,
    Wager,
    cards,
    compare,
    longest_suit,
    strength,
    where,
)
from pitboss.rules.files import load_file
from pitboss.rules.trace import trace
from test_jokers import ANTE, RAISE, brute_with, seven_of, three_of, tried
from test_referee import referee


def substituted(hand: tuple[int, ...], wild: int, best: int = 0) -> int:
    """The best that a hand can be, its wild cards tried as every card."""
    as_jokers = tuple(52 if c >> 2 == wild or c >= 52 else c for c in hand)
    return tried(as_jokers, WILD, best)


@pytest.mark.parametrize(("size", "many", "best"), [(3, 2, 0), (5, 1, 0), (5, 3, 0), (5, 4, 0), (6, 3, 4), (7, 3, 0)])
def test_a_card_of_a_wild_rank_is_the_best_card_that_it_may_be(size: int, many: int, best: int) -> None:
    rng = np.random.default_rng(size * 10 + many)
    others = [c for c in range(52) if c >> 2 != TEN]
    hands = []
    for i in range(8 if many > 2 else 60):
        deck = others if i % 2 else [c for c in others if c & 3 == 1 or c >> 2 in (9, 12)]  # where rare hands are
        hands.append((*rng.permutation(deck)[: size - many].tolist(), *rng.permutation([32, 33, 34, 35, 52])[:many]))
    found = jokers.strengths(np.array(hands), WILD, best, TEN)
    assert found.tolist() == [substituted(tuple(map(int, hand)), TEN, best) for hand in hands]
    assert found.tolist() == [jokers.strength_of(tuple(map(int, hand)), WILD, best, TEN) for hand in hands]


PUBLISHED = {
    "natural royal": 4, "four deuces": 48, "royal flush": 480, "five of a kind": 624, "straight flush": 2068,
    "four of a kind": 31_552, "full house": 12_672, "flush": 14_472, "straight": 62_232, "three of a kind": 355_080,
}  # fmt: skip


def test_five_cards_with_deuces_wild_come_as_often_as_published() -> None:
    deals = np.array(list(combinations(range(52), 5)), np.uint8)
    found, twos = jokers.strengths(deals, WILD, 0, TWO), (deals < 4).sum(1)
    names = [*CATEGORIES, ("five of a kind", FIVE_OF_A_KIND)]
    place = np.searchsorted([floor for _, floor in names], found, "right") - 1
    counts = Counter({names[i][0]: int(n) for i, n in enumerate(np.bincount(place[twos < 4]))})
    royals = (found >= ROYAL_FLUSH) & (found < FIVE_OF_A_KIND) & (twos == 0)
    counts += Counter({"natural royal": int(royals.sum()), "four deuces": int((twos == 4).sum())})
    counts["royal flush"] -= counts["natural royal"]
    assert {name: counts[name] for name in PUBLISHED} == PUBLISHED


# ---- games


def test_a_small_game_with_a_wild_rank_is_what_brute_force_says() -> None:
    house = three_of(cards("J-A", jokers=1, joker=WILD, wild=JACK)).at()
    study = Study(house)
    expected = brute_with(house, lambda hand: substituted(hand, JACK))
    assert (study.wager("ante").house_edge, study.wager("plus").house_edge) == expected
    plain = Study(three_of(cards("J-A", jokers=1, joker=WILD)).at())
    assert plain.wager("ante").house_edge != expected[0]


def duel(t: Table) -> None:
    """Four cards each, the dealer's all hidden."""
    mine, his = strength(t.deal(PLAYER, 4, face=DOWN)), strength(t.deal(DEALER, 4, face=DOWN))
    if t.decide("fold", "raise") == "fold":
        t.settle(ante=LOSE)
        return
    t.bet("raise")
    t.reveal(DEALER)
    t.settle(ante=compare(mine, his), raise_=where(his >= FOUR_PAIR, compare(mine, his), LOSE))


def duel_by_hand(house: House) -> Fraction:
    """Every hand against every other one that leaves it its cards."""
    hands = np.array(list(combinations(shoe_cards(house.composition), 4)))
    worth = np.array([substituted(tuple(hand), TEN) for hand in hands.tolist()])
    bits = (np.int64(1) << hands.astype(np.int64)).sum(1)
    total = deals = 0
    for own, held in zip(worth.tolist(), bits.tolist(), strict=True):
        his = worth[(bits & held) == 0]
        sign = np.sign(own - his)
        total += max(-len(his), int(sign.sum() + np.where(his >= FOUR_PAIR, sign, -1).sum()))
        deals += len(his)
    return -Fraction(total, deals)


def test_a_hidden_hand_with_wild_cards_is_counted_undealt() -> None:
    house = small_game(duel, ANTE, RAISE, deck=cards("9-Q", wild=TEN)).at()
    study = Study(house)
    hidden = HIDDEN.open(Task(house, study.graph, study.banked, "optimal")).record("ante").house_edge
    assert hidden == study.wager("ante").house_edge == duel_by_hand(house)


def test_numpy_machine_code_and_the_live_table_agree_on_wild_cards() -> None:
    referee(traced(seven_of(cards("2-A", jokers=2, joker=WILD, wild=TWO)).at()), deals=4000, live=60, seed=1)
    referee(traced(seven_of(cards("2-A", wild=JACK)).at()), deals=4000, live=30, seed=2)


def test_exact_and_simulated_agree_with_a_wild_rank() -> None:
    for wager in simulate(three_of(cards("5-A", jokers=2, joker=WILD, wild=TEN)).at(), 1 << 20).wagers:
        assert wager.exact is not None and wager.z is not None and abs(wager.z) < 5


# ---- how it is said

FILE = '''"""Deuces."""
from pitboss.rules import *
def play(t: Table) -> None:
    t.settle(ante=by_floor(strength(t.deal(PLAYER, 5)), {"five": FIVE_OF_A_KIND}))
GAME = Game("deuces", "Deuces", play, [Wager("ante", required=True, tables=[PayTable("x", {"five": 9})])],
            deck=cards("2-A", DECK))
'''


def written(folder: Path, deck: str) -> Path:
    path = folder / "deuces.py"
    path.write_text(FILE.replace("DECK", deck))
    return path


@pytest.mark.parametrize(
    ("deck", "said"),
    [
        ("wild='2'", "wild=TWO names a rank of the deck"),
        ("wild=13", "wild=TWO names a rank of the deck"),
        ("wild=True", "wild=TWO names a rank of the deck"),
        ("jokers=1, joker=BUG, wild=TWO", "where a rank is wild, so is a joker"),
        ("jokers=1, wild=TWO", "where a rank is wild, so is a joker"),
        ("wild=TWO) + cards('A', wild=ACE", "one rank of a deck can be wild"),
    ],
)
def test_a_wrong_wild_rank_is_one_sentence(deck: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(Exception, match=said):
        load_file(written(tmp_path, deck))


def test_words_that_know_no_wild_cards_say_so() -> None:
    def suits(t: Table) -> None:
        t.settle(ante=where(longest_suit(t.deal(PLAYER, 5)) == 5, LOSE, LOSE))

    with pytest.raises(RuleError, match=r"longest_suit\(\) does not know wild cards; strength\(\) does"):
        trace(small_game(suits, Wager("ante", required=True), deck=cards("2-A", wild=TWO)).at())
    assert (cards("2-A", wild=TWO) * 2).wild == (cards("3-A") + cards("2", wild=TWO)).wild == TWO


def test_the_commands_take_a_wild_rank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(written(tmp_path, "jokers=1, joker=WILD, wild=TWO"))
    code, out, _ = run(capsys, "rules", file)
    assert code == 0 and "In a hand every 2 and every joker is wild" in " ".join(out.split())
    code, out, _ = run(capsys, "analyze", file, "--json")
    row = json.loads(out)["wagers"][0]["outcomes"][0]
    assert code == 0 and row["outcome"] == "five" and int(row["ways"]) == five_by_hand()


def five_by_hand() -> int:
    """Five of a kind from 53 cards, five of which are wild: all five of them, or so many and one rank for the rest."""
    wild = {5: 1, 4: 5, 3: 10, 2: 10, 1: 5}
    natural = {1: 48, 2: 12 * 6, 3: 12 * 4, 4: 12}
    return wild[5] + sum(wild[5 - n] * ways for n, ways in natural.items())
