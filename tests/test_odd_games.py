"""Games that nobody tuned anything for, each of which once came out wrong: exact against simulated, or refused."""

from collections.abc import Callable, Mapping
from fractions import Fraction

import pytest

from helpers import small_game
from pitboss.deal import simulate
from pitboss.exact import Study, TooLarge
from pitboss.rules import (
    BOARD,
    DEALER,
    DOWN,
    FIVE,
    LOSE,
    PLAYER,
    PUSH,
    TEN,
    WIN,
    Choice,
    Game,
    House,
    PayTable,
    RuleError,
    Seen,
    Table,
    Wager,
    compare,
    first_match,
    highest,
    lookup,
    lowest,
    strength,
    where,
    within,
)  # fmt: skip
from test_variants import agree

ANTE, RAISE = Wager("ante", required=True), Wager("raise", equal_to="ante", times=(1, 2))
VALUES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1]


def too_large(t: Table) -> None:
    """A side bet that makes the whole game too large to be counted at once."""
    t.settle(side=compare(strength(t.deal(BOARD, 5)), strength(t.deal(BOARD, 5))))


def played(house: House, strategy: str = "optimal") -> Fraction:
    """The exact edge of the ante, which the simulation of the same strategy confirms."""
    exact = Study(house, strategy).wager("ante").house_edge
    found = simulate(house, 1 << 21, strategy=strategy).wager("ante")
    assert abs(found.house_edge - float(exact)) < 5 * found.standard_error
    return exact


def tells(t: Table) -> None:
    """The dealer shows, before the player decides, whether he has a ten or better."""
    mine, his = t.deal(PLAYER, face=DOWN), t.deal(DEALER, face=DOWN)
    t.when(his.rank >= TEN)
    if t.decide("fold", "raise") == "fold":
        t.settle(ante=LOSE)
        return
    t.bet("raise")
    t.reveal(DEALER)
    if t.when(his.rank < FIVE):
        t.settle("dealer folds", ante=WIN, raise_=PUSH)
    else:
        t.settle("dealer plays", ante=compare(mine.rank, his.rank), raise_=compare(mine.rank, his.rank))


def test_what_a_player_is_told_stays_told_when_one_wager_is_counted_alone() -> None:
    def with_side(t: Table) -> None:
        tells(t)
        too_large(t)

    edge = played(small_game(tells, ANTE, RAISE).at())
    assert edge == Fraction(-86, 663) == played(small_game(with_side, ANTE, RAISE, Wager("side")).at())


def streak(side: bool) -> Callable[[Table], None]:
    def play(t: Table) -> None:
        wins = t.carried("wins", 2, on="streak")
        mine, his = t.deal(PLAYER, face=DOWN), t.deal(DEALER, face=DOWN)
        if t.decide("fold", "raise") == "fold":
            t.settle(ante=LOSE)
        else:
            t.bet("raise")
            t.settle(ante=compare(mine.rank, his.rank), raise_=compare(mine.rank, his.rank))
        t.settle(streak=where((wins == 2) & (mine.rank > his.rank), WIN, LOSE))
        if side:
            too_large(t)
        t.carry("wins", where(mine.rank > his.rank, lowest(wins + 1, 2), 0))

    return play


def after_a_win(seen: Seen) -> str:
    return "raise" if seen.carried["wins"] else "fold"


def streak_house(side: bool) -> House:
    wagers = (ANTE, RAISE, Wager("streak", tables=[PayTable("five", {"win": 5})]), *([Wager("side")] if side else []))
    return Game("streak", "Streak", streak(side), wagers, strategies={"after-a-win": after_a_win}).at()


@pytest.mark.parametrize("strategy", ["optimal", "after-a-win"])
def test_a_strategy_sees_what_is_carried_over_when_one_wager_is_counted_alone(strategy: str) -> None:
    assert played(streak_house(True), strategy) == played(streak_house(False), strategy)


def test_nothing_is_carried_over_on_a_wager_that_is_not_bet() -> None:
    house = streak_house(False).but(placed=frozenset({"ante"}))
    assert not Study(house).graph.carried


@pytest.mark.parametrize("strategy", ["optimal", "by", "cards"])
def test_what_a_decision_is_made_by_is_not_all_that_is_seen(strategy: str) -> None:
    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER, 2, face=DOWN), t.deal(DEALER, face=DOWN)
        if t.decide("fold", "raise", by={"high": highest(mine[0].rank, mine[1].rank)}) == "fold":
            t.settle(ante=LOSE)
        else:
            t.bet("raise", 2)
            result = compare(mine[0].rank + mine[1].rank, his.rank * 2)
            t.settle(ante=result, raise_=result)

    ways: Mapping[str, Callable[[Seen], str]] = {
        "by": lambda s: "raise" if s.by["high"] > 8 else "fold",
        "cards": lambda s: "raise" if s.player[0].rank > s.player[1].rank else "fold",
    }
    played(Game("by", "By", play, (ANTE, RAISE), strategies=ways).at(), strategy)


def nineteen(bonus: str) -> House:
    """A loop for the player and one for the dealer, with a bonus that rests on a choice, or on the dealer's hand."""

    def play(t: Table) -> None:
        first, up = t.deal(PLAYER)[0], t.deal(DEALER)[0]
        second, hole = t.deal(PLAYER)[0], t.deal(DEALER, face=DOWN)[0]
        dealer = lookup(VALUES, up.rank)
        mine = within(lookup(VALUES, first.rank) + lookup(VALUES, second.rank), 2, 28)
        his = within(dealer + lookup(VALUES, hole.rank), 2, 24)
        hit = False
        while True:
            mine, dealer, his, hit = t.mark("hit or stand", mine, dealer, his, hit)
            if not t.when(mine < 19) or t.decide("stand", "hit", by={"total": mine, "dealer": dealer}) == "stand":
                break
            hit, mine = True, within(mine + lookup(VALUES, t.deal(PLAYER)[0].rank), 2, 28)
        t.reveal(DEALER)
        while True:
            mine, his, hit = t.mark("dealer draws", mine, his, hit)
            if not t.when(his < 15):
                break
            his = within(his + lookup(VALUES, t.deal(DEALER)[0].rank), 2, 24)
        t.settle(ante=where(mine > 19, LOSE, compare(mine, where(his > 19, 0, his))))
        t.settle(bonus=PUSH if hit and bonus == "stood" else first_match(("win", his > 19)))

    wagers = (ANTE, Wager("bonus", tables=[PayTable("two", {"win": 2})]))
    mimic: Mapping[str, Callable[[Seen], str]] = {"mimic": lambda s: "hit" if s.by["total"] < 15 else "stand"}
    return Game("nineteen", "Nineteen", play, wagers, options=[Choice("decks", (2, 6), "")], strategies=mimic).at()


@pytest.mark.parametrize("strategy", ["basic", "mimic"])
def test_a_bonus_that_the_players_choices_change_is_not_counted_as_if_they_did_not(strategy: str) -> None:
    with pytest.raises(TooLarge, match="the player's choices change it"):
        Study(nineteen("stood"), strategy).wager("bonus")
    assert simulate(nineteen("stood"), 1 << 18, strategy=strategy).wager("bonus").exact is None
    dealers = Study(nineteen("dealer"), strategy).wager("bonus").house_edge
    found = simulate(nineteen("dealer"), 1 << 21, strategy=strategy).wager("bonus")
    assert abs(found.house_edge - float(dealers)) < 5 * found.standard_error


def test_a_choice_that_matters_to_a_side_bet_only() -> None:
    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER, face=DOWN), t.deal(DEALER, face=DOWN)
        takes = t.decide("no", "yes") == "yes"
        t.settle(ante=compare(mine.rank, his.rank), bonus=where(mine.rank > his.rank, WIN, LOSE) if takes else PUSH)
        too_large(t)

    agree(small_game(play, ANTE, Wager("bonus"), Wager("side")).at(), "a side bet's choice", may_refuse=True)


def test_either_or_is_a_list_of_lists() -> None:
    game = Game("flat", "Flat", tells, (ANTE, RAISE), one_of=("ante", "raise"))
    with pytest.raises(RuleError, match="one_of is a list of lists"):
        game.at()
