"""Jokers: what one is in a hand, by trying every card that it may be; and games that are dealt from a deck with one."""

import json
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from helpers import pays, small_game, traced
from helpers import run as run_command
from pitboss.cards import Deck, card_code, card_name, cards_of, composition, shoe_cards, suit_renamings
from pitboss.cli.faces import card_lines, fan, small
from pitboss.compile.rounds import ShoeRounds
from pitboss.deal import Run, simulate
from pitboss.exact import Solver, Study, TooLarge
from pitboss.exact.rows import canonical, members
from pitboss.guard import Plan, protect
from pitboss.guard.polynomial import Polynomial
from pitboss.hands import jokers
from pitboss.hands.categories import CATEGORIES, TWO_CARDS_PAIR
from pitboss.hands.evaluate import strength_of, strengths
from pitboss.live import Journal, Round, Seat, evidence, log_of, replay, table
from pitboss.live.view import BACK
from pitboss.rules import (
    ACE,
    BUG,
    DEALER,
    DOWN,
    FIVE_OF_A_KIND,
    FLUSH,
    FOUR_FLUSH,
    FOUR_STRAIGHT,
    FOUR_STRAIGHT_FLUSH,
    HEARTS,
    JOKER,
    LOSE,
    NO_SUIT,
    PAIR,
    PLAYER,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_FLUSH,
    THREE_PAIR,
    THREE_STRAIGHT,
    THREE_STRAIGHT_FLUSH,
    THREE_TRIPS,
    TWO_PAIR,
    WILD,
    WIN,
    BadInput,
    Choice,
    Face,
    Game,
    Hand,
    House,
    PayTable,
    RuleError,
    Seen,
    Table,
    Wager,
    among,
    by_floor,
    cards,
    compare,
    hands_from,
    lookup,
    royal_length,
    strength,
    where,
    within,
)
from pitboss.rules.files import load_file
from pitboss.rules.operations import OPERATIONS
from pitboss.rules.trace import trace
from test_referee import referee

Ints = NDArray[np.int64]
ANTE, RAISE = Wager("ante", required=True), Wager("raise", equal_to="ante")
DECKS = Choice("decks", (1, 2, 6), "decks")


# ---- what a joker is, by trying every card


@cache
def tried(hand: tuple[int, ...], meaning: str, best: int = 0) -> int:
    """The best strength of a hand over all cards that its jokers may be: cards that are not in the hand, and where
    there is none of a rank left, five of a kind. With a bug only aces, or what makes a straight or a flush."""
    beside, many = [c for c in hand if c < 52], sum(c >= 52 for c in hand)
    taken = [*combinations([c for c in range(52) if c not in beside], many)]
    deals = np.array([(*beside, *t) for t in taken], np.int64)
    best = best or min(len(hand), 5)
    found = strengths(deals, best)
    if meaning == BUG:
        completes = {
            2: (),
            3: (THREE_FLUSH, THREE_STRAIGHT, THREE_STRAIGHT_FLUSH),
            4: (FOUR_FLUSH, FOUR_STRAIGHT, FOUR_STRAIGHT_FLUSH),
            5: (STRAIGHT, FLUSH, STRAIGHT_FLUSH),
        }
        made = np.isin(found >> 12, [floor >> 12 for floor in completes[best]])
        aces = np.array([all(c >> 2 == ACE for c in t) for t in taken])
        found = np.where(made | aces, found, 0)
    ranks = Counter(c >> 2 for c in beside)
    five = [r for r, n in ranks.items() if best == 5 <= n + many and (meaning == WILD or r == ACE)]
    aces_left = [c for c in range(48, 52) if c not in beside]
    top = int(found.max())
    if len(aces_left) < many and len(beside) + len(aces_left) >= best:  # one more ace than there are is none too many
        top = max(top, strength_of([*beside, *aces_left], best))
    return max(top, *(FIVE_OF_A_KIND + r for r in five), 0)


def some_hands(size: int, many: int, count: int, seed: int) -> list[tuple[int, ...]]:
    """Random hands with so many jokers; half of them lean to one suit and to few ranks, where the rare hands are."""
    rng = random.Random(seed)
    out = []
    for i in range(count):
        deck = [c for c in range(52) if i % 2 == 0 or c & 3 == i % 4 or c >> 2 in ({12, 3, 4} if i % 3 else {i % 13})]
        hand = [*rng.sample(deck, size - many), *range(52, 52 + many)]
        rng.shuffle(hand)
        out.append(tuple(hand))
    return out


@pytest.mark.parametrize("meaning", [WILD, BUG])
@pytest.mark.parametrize(("size", "many"), [(s, m) for s in (2, 3, 5, 6, 7) for m in (1, 2)])
def test_a_joker_is_the_best_card_that_it_may_be(size: int, many: int, meaning: str) -> None:
    hands = some_hands(size, many, 120 if many == 1 else 40, seed=size)
    found = jokers.strengths(np.array(hands), meaning)
    assert found.tolist() == [tried(hand, meaning) for hand in hands]
    assert found.tolist() == [jokers.strength_of(hand, meaning) for hand in hands]


@pytest.mark.parametrize("meaning", [WILD, BUG])
@pytest.mark.parametrize(("size", "best"), [(s, b) for s in (4, 5, 6, 7) for b in (3, 4)])
def test_a_joker_is_the_best_card_for_the_best_few_of_more(size: int, best: int, meaning: str) -> None:
    hands = [hand for many in (1, 2) for hand in some_hands(size, many, 60 if many == 1 else 25, seed=size + best)]
    found = jokers.strengths(np.array(hands), meaning, best)
    assert found.tolist() == [tried(hand, meaning, best) for hand in hands]


@pytest.mark.parametrize("meaning", [WILD, BUG])
def test_hands_without_a_joker_are_what_they_always_were(meaning: str) -> None:
    rng = np.random.default_rng(1)
    for size in (2, 3, 5, 6, 7):
        deals = np.array([rng.permutation(52)[:size] for _ in range(500)])
        assert (jokers.strengths(deals, meaning) == strengths(deals)).all()
        assert jokers.strength_of(tuple(deals[0].tolist()), meaning) == strength_of(deals[0].tolist())


def census(meaning: str) -> dict[str, int]:
    """All five-card hands of a deck with one joker, by what they are."""
    names = (*CATEGORIES, ("five of a kind", FIVE_OF_A_KIND))
    deals = np.array(list(combinations(range(53), 5)), np.uint8)
    out = dict.fromkeys((name for name, _ in names), 0)
    for value, n in zip(*np.unique(jokers.strengths(deals, meaning), return_counts=True), strict=True):
        out[next(name for name, floor in reversed(names) if value >= floor)] += int(n)
    return out


def test_a_wild_joker_gives_the_published_counts() -> None:
    """53 cards, wild: as printed for poker with one joker, with 24 royal flushes among 204 straight flushes."""
    assert census(WILD) == {
        "five of a kind": 13, "royal flush": 24, "straight flush": 180, "four of a kind": 3_120, "full house": 6_552,
        "flush": 7_804, "straight": 20_532, "three of a kind": 137_280, "two pair": 123_552, "pair": 1_268_088,
        "no pair": 1_302_540,
    }  # fmt: skip


def test_a_bug_gives_counts_that_can_be_worked_out_by_hand() -> None:
    """53 cards, bug: hands without the joker are those of 52 cards; with it they are four cards and an ace, but for
    straights and flushes, of which there are as many as with a wild joker."""
    found, wild = census(BUG), census(WILD)
    same = ("royal flush", "straight flush", "flush", "straight")
    assert {name: found[name] for name in same} == {name: wild[name] for name in same}
    assert found["five of a kind"] == 1
    assert found["four of a kind"] == 624 + 12 + 4 * 48  # four of a kind and an ace; three aces and another
    # three and an ace beside them; two aces and a pair
    assert found["full house"] == 3_744 + 12 * 4 * 4 + 6 * 12 * 6
    assert found["three of a kind"] == 54_912 + 12 * 4 * 11 * 4 + 6 * 66 * 16
    # two pair; a pair and an ace
    assert found["two pair"] == 123_552 + 66 * 36 + 12 * 6 * 4 * 11 * 4
    joker = {"pair": 12 * 6 * 55 * 16 + 4 * 220 * 64, "no pair": 495 * 256}  # straights and flushes included
    more = sum(found[name] - natural for name, natural in zip(same, (4, 36, 5_108, 10_200), strict=True))
    assert found["pair"] + found["no pair"] == 1_098_240 + 1_302_540 + sum(joker.values()) - more
    assert found["no pair"] == 1_418_964 and found["pair"] == 1_215_024
    assert sum(found.values()) == 2_869_685


def test_every_hand_of_four_cards_and_a_bug_by_substitution() -> None:
    """The whole census once more, without the tables for jokers: every card for the joker, in turn."""
    beside = np.array(list(combinations(range(52), 4)), np.int64)[::7]
    best: Ints = np.zeros(len(beside), np.int64)
    for card in range(52):
        free = (beside != card).all(1)
        found = strengths(np.hstack([beside, np.full((len(beside), 1), card)])[free])
        if card >> 2 != ACE:
            kind = found >> 12
            made = (kind == STRAIGHT >> 12) | (kind == FLUSH >> 12) | (found >= STRAIGHT_FLUSH)
            found = np.where(made, found, 0)
        best[free] = np.maximum(best[free], found)
    hands = np.hstack([beside, np.full((len(beside), 1), 52)])
    assert (jokers.strengths(hands, BUG) == best).all()


def test_five_of_a_kind_is_the_highest_hand() -> None:
    five, royal = cards_of("Kc Kd Kh Ks Jk"), cards_of("Th Jh Qh Kh Jk")
    assert jokers.strength_of(five, WILD) > jokers.strength_of(royal, WILD) == strength_of(cards_of("Th Jh Qh Kh Ah"))
    assert jokers.strength_of(five, BUG) == strength_of(cards_of("Kc Kd Kh Ks Ah"))
    assert jokers.strength_of(cards_of("Ac Ad Ah As Jk"), BUG) == FIVE_OF_A_KIND + ACE


@pytest.mark.parametrize(
    ("hand", "meaning", "like"),
    [
        ("Jk Kc", BUG, "Ah Kc"), ("Jk Kc", WILD, "Kh Kc"), ("Jk Jk2", BUG, "Ah Ac"), ("Jk Jk2", WILD, "Ah Ac"),
        ("Jk Ac", BUG, "Ah Ac"), ("2c 3d Jk", BUG, "2c 3d 4h"), ("Kc Kd Jk", BUG, "Kc Kd Ah"),
        ("Kc Kd Jk", WILD, "Kc Kd Kh"), ("Kc 9c Jk", BUG, "Kc 9c Ac"), ("Ac 9c Jk", BUG, "Ac 9c Kc"),
        ("9c 8c Jk", BUG, "9c 8c Tc"), ("Kc 9d Jk", BUG, "Kc 9d Ah"), ("Kc 2d Jk", WILD, "Kc 2d Kh"),
        ("Kc Jk Jk2", BUG, "Qc Kc Ac"), ("Ah Kh 9h 5h Jk", WILD, "Ah Kh Qh 9h 5h"),
        ("Ah Kh 9h 5h Jk", BUG, "Ah Kh Qh 9h 5h"), ("9c 9d 4h 4s Jk", BUG, "9c 9d 4h 4s Ah"),
    ],
)  # fmt: skip
def test_hands_as_a_dealer_reads_them(hand: str, meaning: str, like: str) -> None:
    assert jokers.strength_of(cards_of(hand), meaning) == strength_of(cards_of(like))


def test_three_cards_of_several_decks_with_jokers() -> None:
    """Twins and jokers: every hand of a few codes against every card, one joker after another."""
    codes = cards_of("2c Kc Kd Ac Jk Jk2")

    def best(hand: tuple[int, ...], meaning: str) -> int:
        beside, many = [c for c in hand if c < 52], sum(c >= 52 for c in hand)
        top = 0
        for taken in product(range(52), repeat=many):
            made = (*beside, *taken)
            suited = len({c & 3 for c in made}) == 1
            if suited and len({c >> 2 for c in made}) < len({c >> 2 for c in beside}) + many:
                continue  # a joker is no rank that the flush has already
            found = strength_of(made)
            trips = THREE_TRIPS <= found < THREE_STRAIGHT_FLUSH
            if meaning == WILD or all(c >> 2 == ACE for c in taken) or (found >= THREE_FLUSH and not trips):
                top = max(top, found)
        return top

    hands = [h for h in product(codes, repeat=3) if sum(c >= 52 for c in h) in (1, 2) and list(h) == sorted(h)]
    for meaning in (WILD, BUG):
        assert [jokers.strength_of(h, meaning) for h in hands] == [best(h, meaning) for h in hands]
    assert {jokers.strength_of(cards_of("Jk Jk2 Jk"), m) for m in (WILD, BUG)} == {strength_of(cards_of("Ah Kh Qh"))}


# ---- a joker by itself


def test_a_joker_has_a_name_a_rank_and_no_suit() -> None:
    assert [card_name(c) for c in (52, 53)] == ["Jk", "Jk2"] and cards_of("jk JK2") == (52, 53)
    face = Face(53)
    assert (face.rank, face.suit, face.is_joker, str(face)) == (JOKER, NO_SUIT, True, "Jk2")
    assert not Face(51).is_joker and JOKER == ACE + 1
    for renamed in suit_renamings():
        assert sorted(renamed) == list(range(54)) and renamed[52:] == [52, 53]
        assert [c >> 2 for c in renamed] == [c >> 2 for c in range(54)]


def one_card(t: Table) -> None:
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    t.settle(ante=compare(mine.rank, his.rank))
    t.settle(suit=where(mine.suit == his.suit, WIN, LOSE), joker=where(mine.is_joker, WIN, LOSE))
    t.settle(high=where(among(mine.rank, "9-A"), WIN, LOSE), heart=where(mine.suit == HEARTS, WIN, LOSE))


def one_card_game(text: str = "9-A", many: int = 2, **more: Any) -> Game:
    wagers = (ANTE, Wager("suit"), Wager("joker"), Wager("high"), Wager("heart"))
    return small_game(one_card, *wagers, deck=cards(text, jokers=many), options=(DECKS,), **more)


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("many", [1, 2])
def test_a_joker_is_above_the_ace_and_of_no_suit_by_hand(many: int, decks: int) -> None:
    house = one_card_game(many=many).at(decks=decks)
    deals = list(permutations(shoe_cards(house.composition), 2))
    faces = [(Face(a), Face(b)) for a, b in deals]
    by_hand = {
        "ante": [(a.rank > b.rank) - (a.rank < b.rank) for a, b in faces],
        "suit": [1 if a.suit == b.suit else -1 for a, b in faces],
        "joker": [1 if a.is_joker else -1 for a, b in faces],
        "high": [1 if a.rank <= ACE else -1 for a, b in faces],
        "heart": [1 if a.suit == HEARTS else -1 for a, b in faces],
    }
    found = Study(house)
    for wager, net in by_hand.items():
        assert found.wager(wager).house_edge == -Fraction(sum(net), len(net)), wager
    (alone,) = (w for w in Study(house.but(placed=frozenset(["ante", "suit"]))).analysis().wagers if w.wager == "suit")
    assert alone.house_edge == found.wager("suit").house_edge


def test_a_table_by_rank_needs_a_place_for_the_joker() -> None:
    def play(t: Table) -> None:
        t.settle(ante=where(lookup([1] * 13, t.deal(PLAYER).rank) == 1, WIN, LOSE))

    with pytest.raises(RuleError, match="runs from 0 to 13, and the table has nothing for 13"):
        trace(small_game(play, ANTE, deck=cards("2-A", jokers=1)).at())


WRONG = [
    ("cards('2-A', jokers=3)", "jokers, of a deck, is a whole number from 0 to 2, not 3"),
    ("cards('2-A', jokers=-1)", "from 0 to 2, not -1"),
    ("cards('2-A', jokers='one')", "from 0 to 2, not 'one'"),
    ("cards('2-A', jokers=True)", "from 0 to 2, not True"),
    ("cards('2-A', joker=WILD)", "the deck has none; write jokers=1 too"),
    ("cards('2-A', jokers=1, joker='ace')", "joker=WILD or joker=BUG says what a joker is in a hand, not 'ace'"),
    ("cards('2-A', jokers=1, joker=None)", "joker=WILD or joker=BUG"),
    ("cards('2-A', jokers=1, joker=WILD) + cards('A', jokers=1, joker=BUG)", "cannot be wild in one part"),
    ("(*range(52), 52)", "a card code is a whole number from 0 to 51, not 52"),
]

SMALL = '''"""A small game."""
from pitboss.rules import *
def play(t: Table) -> None:
    t.settle(ante=where(t.deal(PLAYER).rank > 6, WIN, LOSE))
GAME = Game("small", "Small", play, [Wager("ante", required=True)], deck={})
'''


@pytest.mark.parametrize(("text", "said"), WRONG, ids=[text for text, _ in WRONG])
def test_a_wrong_joker_is_one_sentence_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "small.py"
    path.write_text(SMALL.replace("{}", text))
    with pytest.raises(RuleError) as caught:
        load_file(path)
    assert said in str(caught.value) and "small.py, line 5" in str(caught.value), caught.value


def five(t: Table) -> None:
    t.settle(ante=by_floor(strength(t.deal(PLAYER, 5)), {"pair": PAIR}))


def test_what_a_joker_means_must_be_said_before_a_hand_is_ranked() -> None:
    game = small_game(five, pays("ante", {"pair": 1}, required=True), deck=cards("2-A", jokers=1))
    with pytest.raises(RuleError, match=r"line \d+: the deck has a joker and does not say what it is in a hand"):
        trace(game.at())

    def royal(t: Table) -> None:
        t.settle(ante=where(royal_length(t.deal(PLAYER, 5)) == 5, WIN, LOSE))

    with pytest.raises(RuleError, match=r"royal_length\(\) does not know jokers"):
        trace(small_game(royal, ANTE, deck=cards("2-A", jokers=1, joker=WILD)).at())


# ---- games

FLOORS = {"pair": THREE_PAIR, "flush": THREE_FLUSH, "straight": THREE_STRAIGHT, "trips": THREE_TRIPS}
PLUS = PayTable("standard", {"pair": 1, "flush": 3, "straight": 6, "trips": 20})


def three(t: Table) -> None:
    """Three cards each, one of the dealer's in sight."""
    mine, his = t.deal(PLAYER, 3, face=DOWN), t.deal(DEALER) + t.deal(DEALER, 2, face=DOWN)
    t.settle(plus=by_floor(strength(mine), FLOORS))
    if t.decide("fold", "raise") == "fold":
        t.settle(ante=LOSE)
        return
    t.bet("raise")
    t.reveal(DEALER)
    t.settle(ante=compare(strength(mine), strength(his)), raise_=compare(strength(mine), strength(his)))


def three_of(deck: Deck, **more: Any) -> Game:
    return small_game(three, ANTE, RAISE, Wager("plus", tables=[PLUS]), deck=deck, **more)


def three_game(text: str, many: int, meaning: str, **more: Any) -> Game:
    return three_of(cards(text, jokers=many, joker=meaning), **more)


def brute(house: House) -> tuple[Fraction, Fraction]:
    """The edges of the ante and of the side bet: every deal, every choice, by the meaning of a joker alone."""
    meaning = house.deck.joker
    return brute_with(house, lambda hand: strength_of(hand) if max(hand) < 52 else tried(hand, meaning))


def brute_with(house: House, worth: Callable[[tuple[int, ...]], int]) -> tuple[Fraction, Fraction]:
    shoe = shoe_cards(house.composition)
    total, plus, deals, worth = 0, Fraction(0), 0, cache(worth)
    rows = [PLUS.pay(row) for row in PLUS.pays]
    for mine in combinations(shoe, 3):
        rest = [c for c in shoe if c not in mine]
        own = worth(tuple(sorted(mine)))
        reached = sum(own >= floor for floor in FLOORS.values())
        plus += rows[reached - 1] if reached else -1
        for up in rest:
            others = [tuple(sorted((up, *two))) for two in combinations([c for c in rest if c != up], 2)]
            net = sum((own > w) - (own < w) for w in map(worth, others))
            total += max(-len(others), 2 * net)
            deals += len(others)
    return -Fraction(total, deals), -plus / len(list(combinations(shoe, 3)))


@pytest.mark.parametrize(
    ("text", "many", "meaning"), [("Q-A", 2, WILD), ("J-A", 1, BUG), ("2c, 3c, Jd-Ad, As", 2, BUG)]
)
def test_a_small_game_with_jokers_is_what_brute_force_says(text: str, many: int, meaning: str) -> None:
    house = three_game(text, many, meaning).at()
    found = Study(house)
    assert (found.wager("ante").house_edge, found.wager("plus").house_edge) == brute(house)


def test_suits_are_counted_as_classes_with_jokers_too() -> None:
    """The same counts with and without classes of suits, and every deal is in one class."""
    house = three_game("9-A", 2, WILD).at()
    solver = Solver(house)
    assert solver.induction.blind
    by_suit = Solver(house.but(shoe="As:0"))  # a shoe whose suits are not alike
    assert not by_suit.induction.blind
    rows = solver.induction.points[0].rows
    deals = {tuple(m) for cells in members(rows, True) for m in np.sort(cells[:, :3], axis=1).tolist()}
    assert deals == {*combinations([*range(28, 52), 52, 53], 3)}
    shuffled = rows.cells.copy()
    shuffled = np.array(suit_renamings(), np.uint8)[17][shuffled]
    same = [canonical(c, rows.carried, rows.groups, rows.ordered, True) for c in (rows.cells, shuffled)]
    assert (same[0] == same[1]).all()


@pytest.mark.parametrize("meaning", [WILD, BUG])
@pytest.mark.parametrize(("text", "many"), [("2-A", 1), ("7-A", 2)])
def test_exact_and_simulated_agree_with_jokers(text: str, many: int, meaning: str) -> None:
    for wager in simulate(three_game(text, many, meaning).at(), 1 << 20).wagers:
        assert wager.exact is not None and wager.z is not None and abs(wager.z) < 5


@pytest.mark.parametrize("seed", range(4))
def test_exact_and_simulated_agree_on_random_decks_with_jokers(seed: int) -> None:
    rng = random.Random(seed)
    deck = cards(rng.choice(("2-A", "5-9, K-A", "3-Q", "2c-Ac, 7d-Ad, 2s-9s")), jokers=rng.choice((1, 2)))
    decks = rng.choice((2, 6))
    house = small_game(one_card, ANTE, *map(Wager, ("suit", "joker", "high", "heart")), deck=deck, options=(DECKS,)).at(
        decks=decks
    )
    for mode in ({}, {"mode": "shoe", "seats": 3}):
        for wager in simulate(house, 1 << 20, seed=seed, **mode).wagers:  # type: ignore[arg-type]
            assert wager.exact is not None and wager.z is not None and abs(wager.z) < 5, (house.deck, wager.wager)


def seven_game(many: int, meaning: str) -> Game:
    return seven_of(cards("2-A", jokers=many, joker=meaning))


def seven_of(deck: Deck) -> Game:
    rows = {"pair": 1, "two pair": 2, "straight": 3, "flush": 4, "five": 50}
    wagers = pays("ante", rows, required=True), Wager("two"), pays("six", rows), Wager("three", tables=[PLUS])
    wagers += Wager("best", tables=[PLUS]), pays("four", dict.fromkeys(hands_from("pair", cards=4), 1))

    def play(t: Table) -> None:
        own = t.deal(PLAYER, 2) + t.deal(PLAYER, 1) + t.deal(PLAYER, 3) + t.deal(PLAYER, 1)
        floors = {"pair": PAIR, "two pair": TWO_PAIR, "straight": STRAIGHT, "flush": FLUSH, "five": FIVE_OF_A_KIND}
        hand = [own[i] for i in range(7)]
        t.settle(ante=by_floor(strength(Hand(hand)), floors), six=by_floor(strength(Hand(hand[:6])), floors))
        t.settle(two=where(strength(Hand(hand[:2])) >= TWO_CARDS_PAIR, WIN, LOSE))
        t.settle(three=by_floor(strength(Hand(hand[:3])), FLOORS), best=by_floor(strength(own, cards=3), FLOORS))
        t.settle(four=by_floor(strength(own[:6], cards=4), hands_from("pair", cards=4)))

    return small_game(play, *wagers, deck=deck)


@pytest.mark.parametrize("meaning", [WILD, BUG])
@pytest.mark.parametrize("many", [1, 2])
def test_numpy_machine_code_and_the_live_table_agree_on_hands_with_jokers(many: int, meaning: str) -> None:
    referee(traced(seven_game(many, meaning).at()), deals=4000, live=60, seed=many)


def test_numpy_machine_code_and_the_live_table_agree_on_decisions_with_jokers() -> None:
    referee(traced(three_game("2-A", 2, WILD).at()), deals=3000, live=60, seed=5)


def test_six_cards_and_a_bug_by_simulation() -> None:
    """The share of six-card hands that are a flush or better, against a sample ranked by substitution."""
    house = seven_game(1, BUG).at()
    found = {o.outcome: o for o in simulate(house, 1 << 20, wager="six").wager("six").outcomes}
    rng = random.Random(4)
    hands = [tuple(rng.sample(range(53), 6)) for _ in range(3000)]
    flushes = sum(FLUSH <= (strength_of(h) if 52 not in h else tried(h, BUG)) < FIVE_OF_A_KIND for h in hands) / 3000
    assert abs(float(found["flush"].probability) - flushes) < 5 * (flushes / 3000) ** 0.5


# ---- strategies, shoes, protection, the floor


def keeps_jokers(seen: Seen) -> str:
    """Raise with a joker or an ace."""
    return "raise" if any(card.is_joker or card.rank == ACE for card in seen.player) else "fold"


def test_a_strategy_sees_jokers() -> None:
    house = three_game("10-A", 2, WILD, strategies={"keeps": keeps_jokers}).at()
    exact = Study(house, "keeps").wager("ante").house_edge
    found = simulate(house, 1 << 20, strategy="keeps").wager("ante")
    assert abs(found.house_edge - float(exact)) < 5 * found.standard_error
    assert exact > Study(house).wager("ante").house_edge
    chart = Study(three_game("Q-A", 1, WILD).at()).analysis().strategy
    assert any("Jk" in row.sees for row in chart) and any("Jk" in row.cards for row in chart)


def test_what_is_left_of_the_jokers_is_written_and_read() -> None:
    game = one_card_game("2-A", 2)
    house = game.at(shoe="joker:1 A:2", decks=1)
    assert house.composition[52:] == (1, 0) and house.shoe_left().endswith("A:2 joker:1")
    assert game.at({"decks": 1}, shoe=house.provenance().left) == house
    assert game.at(shoe="Jk:0 jk2:1").composition[52:] == (0, 1)
    for shoe, said in (("joker:3", "cannot hold 3 of joker: full, it has 2"), ("Jk:2", "cannot hold 2 of Jk: full")):
        with pytest.raises(BadInput, match=said):
            game.at(shoe=shoe)
    with pytest.raises(BadInput, match="'joker:1' is about a joker, and the deck of this game has none"):
        small_game(five, ANTE).at(shoe="joker:1")
    with pytest.raises(BadInput, match="how many of each of the 54 cards are left"):
        game.at(shoe=(1,) * 52)


@pytest.mark.parametrize("wager", ["ante", "suit", "joker", "heart"])
def test_the_polynomial_of_a_wager_is_its_exact_analysis_with_jokers(wager: str) -> None:
    rng = random.Random(wager)
    game = one_card_game("2-A", 2)
    full = game.at(decks=2)
    worth = Polynomial(full, wager, trace(full.but(placed=frozenset([wager, "ante"]))))
    for _ in range(3):
        left = tuple(rng.randint(0, n) for n in full.composition)
        assert worth.expectation(left) == -Study(full.but(shoe=left)).wager(wager).house_edge


def test_protection_counts_jokers() -> None:
    house = one_card_game("2-A", 2).at(decks=6)
    found = protect(house, "joker", Plan(shoes=40, decks=(6,))).wagers[0]
    assert {r.cards for r in found.removals} == {"2 to ace", "joker"}
    by_name = {r.cards: r.effect for r in found.removals}
    left = Fraction(12 - 1, 6 * 54 - 1), Fraction(12, 6 * 54 - 1)
    assert by_name["joker"] == 2 * (left[0] - Fraction(12, 6 * 54)) and by_name["2 to ace"] == 2 * left[1] - Fraction(
        4, 54
    )


def test_shoes_are_dealt_with_their_jokers() -> None:
    of = traced(one_card_game("2-A", 2).at(decks=2))
    rounds = ShoeRounds(of.cells, of.keys, shoe_cards(of.house.composition))
    gone, left = rounds.deal(1, range(20), np.zeros(1, np.uint8), 1, 60)
    assert left.shape[1] == 54 and (left.sum(1) + gone == 108).all() and (left >= 0).all()
    assert (left[gone == 0] == np.array(of.house.composition)).all() and (left[:, 52:].min(0) < 2).all()


def test_a_drawing_game_with_jokers_is_refused_by_name_and_simulated() -> None:
    """Come closer to 12 than the dealer; a joker counts nothing."""

    def play(t: Table) -> None:
        values = [*range(2, 11), 10, 10, 10, 1, 0]
        first, up = t.deal(PLAYER)[0], t.deal(DEALER)[0]
        second, hole = t.deal(PLAYER)[0], t.deal(DEALER, face=DOWN)[0]
        mine = within(lookup(values, first.rank) + lookup(values, second.rank), 0, 30)
        his = lookup(values, up.rank) + lookup(values, hole.rank)
        while True:
            mine, his = t.mark("draw", mine, his)
            if not t.when(mine < 13):
                break
            if t.decide("stand", "hit", name="play", by={"total": mine}) == "stand":
                break
            mine = within(mine + lookup(values, t.deal(PLAYER)[0].rank), 0, 30)
        t.settle(ante=where(mine > 12, LOSE, compare(mine, his)))

    def cautious(seen: Seen) -> str:
        return "hit" if seen.by["total"] < 8 else "stand"

    deck = cards("2-A", jokers=2)
    house = small_game(play, ANTE, deck=deck, options=(DECKS,), strategies={"cautious": cautious}).at(decks=6)
    with pytest.raises(TooLarge, match="not counted from a deck with jokers"):
        Study(house).wager("ante")
    assert simulate(house, 1 << 16, strategy="cautious").wager("ante").standard_error > 0


def test_a_checkpoint_of_another_deck_is_not_taken_up(tmp_path: Path) -> None:
    one, two = (Run(one_card_game("2-A", many).at(decks=1)) for many in (1, 2))
    differ = {k for k, v in one.fingerprint().items() if two.fingerprint()[k] != v}
    assert differ == {"rules"}
    path = tmp_path / "saved"
    one.run(1 << 19, checkpoint=path)
    with pytest.raises(BadInput):
        two.run(1 << 19, checkpoint=path)


# ---- the live table


def test_a_live_table_deals_shows_and_replays_jokers(tmp_path: Path) -> None:
    game = three_game("10-A", 2, WILD)
    path = tmp_path / "log"
    journal = Journal(path)
    session = table(game.at(), seats=2, seed=5, journal=journal)
    shown = Counter[str]()
    for _ in range(30):
        for seat in (1, 2):
            session.bet(seat, ante=10, plus=5)
        session.deal()
        while session.turn is not None:
            view = session.view(session.turn.seat)
            mine = view.seats[session.turn.seat].hands[0].cards
            assert BACK not in mine and BACK in view.seats[3 - session.turn.seat].hands[0].cards
            shown.update(mine)
            session.choose(session.turn.seat, "raise")
        assert session.round is not None
        log = json.loads(json.dumps(log_of(session.round)))
        assert replay(game, log).events == log["events"]
    journal.close()
    assert shown["Jk"] and shown["Jk2"]
    proved = evidence(path, lambda name: game)
    assert len(proved.rounds) == 30 and proved.whole


def test_a_joker_in_the_log_of_a_game_without_one_is_a_sentence() -> None:
    plain = small_game(one_card, ANTE, *map(Wager, ("suit", "joker", "high", "heart")))
    log = log_of(Round(plain.at(), cards_of("Ah Kc"), [Seat({"ante": Fraction(5)})]))
    for name, said in (("Jk", "Jk is no card of this game"), ("Jk3", "'Jk3' is not a card"), (-1, "-1 is not a card")):
        with pytest.raises(BadInput, match=said):
            replay(plain, {**log, "cards": [name, "Kc"]})


FILE = '''"""Three cards with jokers."""
from pitboss.rules import *
def play(t: Table) -> None:
    mine, his = t.deal(PLAYER, 3, face=DOWN), t.deal(DEALER, 3, face=DOWN)
    if t.decide("fold", "raise") == "fold":
        t.settle(ante=LOSE)
        return
    t.bet("raise")
    t.reveal(DEALER)
    if t.when(his[0].is_joker):
        t.settle("the dealer has a joker", ante=PUSH, raise_=PUSH)
    else:
        t.settle(ante=compare(strength(mine), strength(his)), raise_=compare(strength(mine), strength(his)))
GAME = Game("jokers", "Jokers", play, [Wager("ante", required=True), Wager("raise", equal_to="ante")],
    deck=cards("10-A", jokers=2, joker=BUG))
'''


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "jokers.py"
    path.write_text(FILE)
    return str(path)


def test_the_rules_say_what_a_joker_is(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run_command(capsys, "rules", file)
    said = " ".join(out.split())
    assert code == 0 and "It is dealt from one deck of 22 cards, tens to aces, two of them jokers." in said
    assert "In a hand a joker is an ace, or completes a straight, a flush or a straight flush." in said
    assert "By itself a joker is higher than an ace, and of no suit." in said
    assert "If the dealer's first card is a joker:" in said


@pytest.mark.parametrize(
    "words",
    [
        ("analyze",), ("simulate", "--rounds", "100000"), ("simulate", "--rounds", "100000", "--seats", "2"),
        ("protect",), ("floor",), ("strategy",), ("analyze", "--shoe", "joker:1"), ("rules", "--json"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_every_command_takes_jokers(file: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run_command(capsys, words[0], file, *words[1:])
    assert (code, err) == (0, "") and out


def test_a_joker_is_drawn_in_the_terminal() -> None:
    drawn = "\n".join(line.plain for line in card_lines("Jk2"))
    assert "JOKER" in drawn and len({len(line) for line in drawn.split("\n")}) == 1
    assert small(["Jk", "Ah"]).plain == "Jk★ A♥" and fan(["Jk", "Ah"])[2].plain.startswith("│★ ")


def test_all_operations_on_jokers_are_in_the_one_table() -> None:
    assert {"suit_or_none", "strength_wild", "strength_bug"} <= {*OPERATIONS}
    assert [OPERATIONS["suit_or_none"].scalar(c) for c in (0, 51, 52, 53)] == [0, 3, NO_SUIT, NO_SUIT]
    assert composition(6, cards("2-A", jokers=2))[-2:] == (6, 6) and card_code("Jk") == 52
