"""A range that `within` declares is proved where it is used: what does not hold is refused, and what holds is taken."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import GAME_FILES, small_game
from pitboss.deal import simulate
from pitboss.exact import Study
from pitboss.live import Round, Seat
from pitboss.rules import (
    BOARD,
    DEALER,
    LOSE,
    PLAYER,
    Choice,
    Game,
    House,
    RuleError,
    Table,
    Wager,
    compare,
    lookup,
    lowest,
    where,
    within,
)
from pitboss.rules.files import load_file
from pitboss.rules.trace import trace

ANTE = Wager("ante", required=True)
VALUES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1]
THREE = [5, 1, 9]


def lies(t: Table) -> None:
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    t.settle(ante=compare(lookup(THREE, within(mine.rank, 0, 2)), his.rank))


def lies_by_one(t: Table) -> None:
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    known = where(mine.rank < 4, lookup(THREE, within(mine.rank, 0, 2)), 4)
    t.settle(ante=compare(known, his.rank))


def lies_on_one_way(t: Table) -> None:
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    value = within(mine.rank, 0, 2)
    t.settle(ante=compare(lookup(THREE, value) if t.when(mine.rank < 4) else mine.rank, his.rank))


def lies_in_a_decision(t: Table) -> None:
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    t.decide("a", "b", by={"card": within(mine.rank, 0, 11)})
    t.settle(ante=compare(mine.rank, his.rank))


def too_much_to_try(t: Table) -> None:
    cards = t.deal(BOARD, 7)
    t.settle(ante=compare(within(sum((c.rank for c in cards[1:]), cards[0].rank), 0, 80), 40))  # type: ignore[index]


@pytest.mark.parametrize(
    ("play", "why"),
    [
        (lies, "it can be 3"),
        (lies_by_one, "it can be 3"),
        (lies_on_one_way, "it can be 3"),
        (lies_in_a_decision, "it can be 12"),
        (too_much_to_try, "too many cards decide whether it always does"),
    ],
)
def test_a_range_that_does_not_hold_is_refused_with_its_line(play: object, why: str) -> None:
    game = small_game(play, ANTE)  # type: ignore[arg-type]
    with pytest.raises(RuleError, match=rf"test_proved.py, line \d+: within\(\) says .* and {why}") as caught:
        trace(game.at())
    assert "lowest(highest(..., 0), " in str(caught.value)


def guarded(t: Table) -> None:
    """Used where it holds, and worked out in every round."""
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    low, value = mine.rank < 3, lookup(THREE, within(mine.rank, 0, 2))
    t.settle(ante=compare(where(low, value, 4) + where(low & (value == 9), 1, 0), his.rank))


def guarded_by_the_round(t: Table) -> None:
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    if t.when(mine.rank < 3):
        t.settle(ante=compare(lookup(THREE, within(mine.rank, 0, 2)), his.rank))
    else:
        t.settle(ante=compare(4, his.rank))


def plainly(t: Table) -> None:
    """The same rules without `within`."""
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    t.settle(ante=compare(lookup([5, 1, 10, *[4] * 10], mine.rank), his.rank))


def plainly_too(t: Table) -> None:
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    t.settle(ante=compare(lookup([5, 1, 9, *[4] * 10], mine.rank), his.rank))


@pytest.mark.parametrize(("play", "same"), [(guarded, plainly), (guarded_by_the_round, plainly_too)])
def test_a_value_that_is_thrown_away_where_it_is_out_of_range_harms_nobody(play: object, same: object) -> None:
    """Counted, simulated and played at a table: the same as the same rules written without it."""
    house, other = (small_game(p, ANTE).at() for p in (play, same))  # type: ignore[arg-type]
    assert Study(house).wager("ante").house_edge == Study(other).wager("ante").house_edge
    found, wanted = (simulate(h, 100_000).wager("ante") for h in (house, other))
    assert found.house_edge == wanted.house_edge
    for cards in product(range(0, 52, 3), range(1, 52, 5)):
        if cards[0] != cards[1]:
            one, two = (Round(h, list(cards), [Seat({"ante": 5})]) for h in (house, other))  # type: ignore[dict-item]
            assert [e["net"] for e in one.events if e["event"] == "settle"] == [
                e["net"] for e in two.events if e["event"] == "settle"
            ]


@settings(max_examples=60, deadline=None)
@given(
    a=st.integers(-3, 3), b=st.integers(-3, 3), low=st.integers(-40, 20), size=st.integers(0, 60),
    least=st.integers(0, 12), how=st.sampled_from(["bare", "where", "when"]),
)  # fmt: skip
def test_what_is_refused_is_what_some_deal_contradicts(
    a: int, b: int, low: int, size: int, least: int, how: str
) -> None:
    """Against every pair of ranks, one by one."""
    high = low + size

    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER), t.deal(DEALER)
        value = within(mine.rank * a + his.rank * b, low, high)
        here = mine.rank >= least
        if how == "where":
            value = where(here, value, low)
        elif how == "when" and not t.when(here):
            value = within(low + 0 * mine.rank, low, high)
        t.settle(ante=compare(value, his.rank))

    pairs = [(m, h) for m, h in product(range(13), repeat=2) if how == "bare" or m >= least]
    try:
        trace(small_game(play, ANTE).at())
        refused = False
    except RuleError as error:
        assert "it can be" in str(error) or "never is within" in str(error)
        refused = True
    never = max(a * m + b * h for m, h in product(range(13), repeat=2)) < low
    never = never or min(a * m + b * h for m, h in product(range(13), repeat=2)) > high
    assert refused == (never or any(not low <= m * a + h * b <= high for m, h in pairs))


def nineteen(most: int, his_most: int = 24) -> House:
    """Two loops; what a mark keeps is known by all the ways that lead to it."""

    def play(t: Table) -> None:
        first, up, second, hole = (t.deal(who)[0] for who in (PLAYER, DEALER, PLAYER, DEALER))
        dealer = lookup(VALUES, up.rank)
        mine = within(lookup(VALUES, first.rank) + lookup(VALUES, second.rank), 2, most)
        his = within(dealer + lookup(VALUES, hole.rank), 2, his_most)
        while True:
            mine, dealer, his = t.mark("hit or stand", mine, dealer, his)
            if not t.when(mine < 19) or t.decide("stand", "hit", by={"total": mine, "dealer": dealer}) == "stand":
                break
            mine = within(mine + lookup(VALUES, t.deal(PLAYER)[0].rank), 2, most)
        while True:
            mine, his = t.mark("dealer draws", mine, his)
            if not t.when(his < 15):
                break
            his = within(his + lookup(VALUES, t.deal(DEALER)[0].rank), 2, his_most)
        t.settle(ante=where(mine > 19, LOSE, compare(mine, where(his > 19, 0, his))))

    return Game("nineteen", "Nineteen", play, [ANTE], options=[Choice("decks", (2, 6), "")]).at()


def test_a_loop_is_proved_by_what_can_come_round() -> None:
    trace(nineteen(28))
    with pytest.raises(RuleError, match="says that this runs from 2 to 27, and it can be 28"):
        trace(nineteen(27))
    with pytest.raises(RuleError, match="says that this runs from 2 to 23, and it can be 24"):
        trace(nineteen(28, 23))


def two_cards_first(t: Table) -> None:
    """Two cards count 20 at most: a mark says no more than 40, and the way to it says the rest."""
    pair = t.deal(BOARD, 2)
    total = lookup(VALUES, pair[0].rank) + lookup(VALUES, pair[1].rank)
    (total,) = (t.mark("two", within(total + 0 * lowest(total, 2), 2, 40)),)
    total = within(total + lookup(VALUES, t.deal(PLAYER)[0].rank), 3, 30)
    (total,) = (t.mark("three", total),)
    t.settle(ante=compare(total, 15))


def test_what_a_mark_keeps_is_no_more_than_what_leads_to_it() -> None:
    trace(small_game(two_cards_first, ANTE).at())


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.stem)
def test_every_game_of_the_tree_is_proved(path: object) -> None:
    game = load_file(path)  # type: ignore[arg-type]
    for option in game.options:
        for value in option.values if isinstance(option, Choice) else ():
            trace(game.at({option.name: value}))


def test_a_whole_number_of_a_class_of_its_own_is_what_it_is() -> None:
    class Odd(int):
        def __int__(self) -> int:
            return 0

        def __hash__(self) -> int:
            return 3

    def play(t: Table) -> None:
        mine = t.deal(PLAYER)
        t.settle(ante=compare(mine.rank + Odd(5000), np.int64(5006)))

    edge = Study(small_game(play, ANTE).at()).wager("ante").house_edge
    assert edge == 0  # a rank against the middle one
