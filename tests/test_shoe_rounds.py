"""Whole shoes in one call, and sums over deals in few products: each against the plain way."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import perm, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import ROOT, pays, small_game
from pitboss.cards import composition, shoe_cards
from pitboss.catalog import load
from pitboss.compile import Keys, simulator
from pitboss.compile.rounds import ShoeRounds
from pitboss.deal.players import played
from pitboss.deal.shoes import Shoes, deal_shoes
from pitboss.guard.monomials import Monomials, grouped
from pitboss.guard.polynomial import Polynomial, _summed
from pitboss.guard.worth import worth_of
from pitboss.ledger.book import Book
from pitboss.rules import BOARD, DEALER, LOSE, PLAYER, BadInput, Table, first_match

GAMES = [
    ("blackjack", "lucky-break", {"decks": "1", "split-to": "2"}, 2),
    ("blackjack", "lucky-lucky", {"decks": "6"}, 1),
    ("bluff", "progressive", {"decks": "2"}, 3),  # carries a streak from round to round
    ("bluff", "suit-tie", {"decks": "8"}, 1),
    (str(ROOT / "examples" / "red_dog.py"), "ante", {"decks": "1"}, 2),
]


@pytest.mark.parametrize(("game", "wager", "options", "seats"), GAMES, ids=lambda x: str(x).rpartition("/")[2])
def test_shoes_in_one_call_are_those_dealt_round_by_round(
    game: str, wager: str, options: dict[str, str], seats: int
) -> None:
    house = load(game).at(options)
    house = replace(house, placed=frozenset([*house.main, wager]))
    player = played(house, "optimal")
    book, keys, strategy = player.study.book, player.keys, player.table
    assert keys is not None and strategy is not None
    cards = shoe_cards(house.composition)
    one, all_ = simulator(book.cells, keys, cards, "shoe", whole_cards=True), ShoeRounds(book.cells, keys, cards)
    cut, numbers = len(cards) - 26, [7, 0, 3, 11, 4]
    gone, left = all_.deal(5, numbers, strategy, seats, cut)
    wanted_gone: list[int] = []
    wanted_left = []
    for number in numbers:
        order, starts = one.one_shoe(5, number, strategy, seats, cut)
        wanted_gone += starts
        wanted_left += [np.bincount(order[begin:], minlength=52).tolist() for begin in starts]
    assert gone.tolist() == wanted_gone and left.tolist() == wanted_left


def test_a_shoe_can_be_dealt_again() -> None:
    house = load("bluff").at({"decks": "2"})
    shoes = Shoes(house, "suit-tie", cut=Fraction(1), seats=2, seed=9)
    whole = list(deal_shoes(house, "suit-tie", shoes=130, cut=Fraction(1), seats=2, seed=9))
    assert [int(r.shoe[0]) for r in whole] == [0, 100] and int(whole[-1].shoe[-1]) == 129
    again = shoes.some([104, 17])
    assert set(again.shoe.tolist()) == {104, 17} and again.shoe[0] == 104
    for number, part in ((104, whole[1]), (17, whole[0])):
        assert (again.left[again.shoe == number] == part.left[part.shoe == number]).all()


def test_a_round_without_a_card_is_one_sentence() -> None:
    def play(t: Table) -> None:
        if t.decide("leave", "stay") == "leave":
            t.settle(ante=LOSE)
            return
        t.settle(ante=first_match(("win", t.deal(BOARD)[0].rank == 3)))

    house = small_game(play, pays("ante", {"win": 1}, required=True)).at()
    book = Book(house)
    machine = ShoeRounds(book.cells, Keys(book.graph), shoe_cards(house.composition))
    with pytest.raises(BadInput, match="before a card is dealt"):
        machine.deal(1, [0], np.zeros(1, np.uint8), 1, 40)


def test_a_shoe_that_runs_out_is_one_sentence() -> None:
    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER, 3), t.deal(DEALER, 3)
        t.settle(ante=first_match(("win", mine[0].rank == his[0].rank)))

    house = small_game(play, pays("ante", {"win": 1}, required=True)).at(shoe=composition(1, range(14)))
    book = Book(house)
    with pytest.raises(BadInput, match="ran out of cards"):
        ShoeRounds(book.cells, Keys(book.graph), shoe_cards(house.composition)).deal(
            1, [0], np.zeros(1, np.uint8), 4, 13
        )


# ---- sums over deals


@settings(max_examples=60)
@given(data=st.data(), cards=st.integers(1, 3), kinds=st.integers(1, 6))
def test_few_products_add_up_to_the_sum_over_all_deals(data: st.DataObject, cards: int, kinds: int) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    values = rng.choice([-1, -1, -1, 0, 5, 30], size=(kinds,) * cards).astype(np.int64)
    coarse = [min(int(g), i) for i, g in enumerate(rng.integers(0, kinds, kinds))]
    groups = [sorted(set(coarse)).index(g) for g in coarse]
    short = Monomials.of(values, [[0] * kinds, groups, list(range(kinds))])
    left = rng.integers(0, 5, (kinds, 4))
    for shoe in range(4):
        wanted = 0
        for deal in product(range(kinds), repeat=cards):
            ways = prod(int(left[k, shoe]) - deal[:i].count(k) for i, k in enumerate(deal))
            wanted += int(values[deal]) * ways
        assert short.sums(left[:, shoe : shoe + 1]).tolist() == [wanted]
        assert abs(wanted) <= short.most * perm(int(left[:, shoe].sum()), cards)
    assert short.sums(left.astype(float)).tolist() == _summed(values, left, 0).tolist()


def test_wagers_on_few_cards_are_short_sums() -> None:
    """Of 64,000 deals of Lucky Lucky, and 2,704 of Suit & Tie."""
    for game, wager, most in (("blackjack", "lucky-lucky", 400), ("bluff", "suit-tie", 70)):
        worth = worth_of(load(game).at(), wager)
        assert isinstance(worth, Polynomial)
        (ending,) = worth._root.endings
        assert ending.short is not None and ending.short.products <= most


def test_rows_of_a_group_are_added_up() -> None:
    rows = np.arange(12).reshape(4, 3)
    assert grouped(rows, np.array([1, 0, 1, 0])).tolist() == (rows[[1, 0]] + rows[[3, 2]]).tolist()
    assert grouped(rows, np.array([3, 2, 1, 0])).tolist() == rows[::-1].tolist()
