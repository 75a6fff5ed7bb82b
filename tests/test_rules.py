"""Columns with proven ranges, proofs over the graph, wagers, options and bets."""

import ctypes
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import llvmlite.ir as ir
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import ANTE, Spec, build, numbers, pays, small_game, stripped
from pitboss.compile.emit import Emitter
from pitboss.compile.kinds import I8, I64, const
from pitboss.compile.objects import Code
from pitboss.compile.ranking import addresses
from pitboss.compile.reference import batch
from pitboss.exact.symmetry import order_matters, suits_interchangeable
from pitboss.rules import (
    ACE,
    BLIND,
    BOARD,
    DEALER,
    DOWN,
    HEARTS,
    LOSE,
    NINE,
    PLAYER,
    PUSH,
    TABLE_MIN,
    WIN,
    Amount,
    Anchor,
    BadInput,
    Card,
    Choice,
    Column,
    Game,
    Hand,
    House,
    Meter,
    Rows,
    RuleError,
    Table,
    Wager,
    compare,
    count,
    dollars,
    first_match,
    high_to_low,
    highest,
    lookup,
    lowest,
    pick,
    row,
    where,
)
from pitboss.rules.column import column
from pitboss.rules.evaluate import evaluate
from pitboss.rules.graph import Decide, Graph
from pitboss.rules.trace import trace

# ---- random expressions over two cards

MINE, HIS = Card(0), Card(1)
ALL_DEALS = np.ascontiguousarray(np.indices((52, 52)).reshape(2, -1).T)


class AllColumns(Emitter):
    """Machine code that evaluates columns for a batch of deals."""

    def __init__(self, columns: list[Column]) -> None:
        arguments = [("rounds", I64), ("cards", I8.as_pointer()), ("out", I64.as_pointer())]
        super().__init__(ir.Module("columns"), "columns", arguments, checked=True)
        with self.loop(const(0), self.argument["rounds"]) as (r, _):
            for slot in (0, 1):
                place = self.b.add(self.b.mul(r, const(2)), const(slot))
                self.bind(Card(slot).col, self.load("cards", place))
            for i, col in enumerate(columns):
                place = self.b.add(self.b.mul(r, const(len(columns))), const(i))
                self.b.store(self.number(col), self.b.gep(self.argument["out"], [place]))
        self.b.ret(const(0))


def compiled(columns: list[Column], deals: np.ndarray) -> np.ndarray:
    kinds = (ctypes.c_int64, *[ctypes.c_void_p] * 3)
    written = AllColumns(columns)
    call = Code(str(written.module)).function("columns", *kinds, result=ctypes.c_int64)
    cards, out = deals.astype(np.uint8), np.zeros((len(deals), len(columns)), np.int64)
    tables = addresses(written.ranks_hands)
    code = call(len(deals), cards.ctypes.data, out.ctypes.data, tables.ctypes.data)
    assert code == 0, "a value left its proven range"
    return out


@settings(max_examples=40)
@given(st.lists(numbers(), min_size=8, max_size=12), st.lists(st.integers(0, 52 * 52 - 1), min_size=5, max_size=5))
def test_scalar_numpy_and_machine_code_agree_within_the_proven_range(specs: list[Spec], some: list[int]) -> None:
    columns = [build(spec, (MINE, HIS)) for spec in specs]
    machine = compiled(columns, ALL_DEALS)
    for i, col in enumerate(columns):
        values = batch(col, dict(enumerate(ALL_DEALS.T)), {}, len(ALL_DEALS))
        assert col.lo <= values.min() and values.max() <= col.hi
        assert (machine[:, i] == values).all(), col
        for deal in some:
            mine, his = ALL_DEALS[deal].tolist()
            assert evaluate(col, {0: mine, 1: his}, {}) == values[deal]


def test_operations_mean_what_they_say() -> None:
    """Against Python's own arithmetic, on every deal of two cards."""
    a, b = MINE.rank, HIS.suit
    meant: list[tuple[Column, Callable[[int, int], int]]] = [
        (a + b, lambda x, y: x + y),
        (3 - a, lambda x, y: 3 - x),
        (a * b, lambda x, y: x * y),
        ((a - 3 * b) % 4, lambda x, y: (x - 3 * y) % 4),
        ((a - 3 * b) // 4, lambda x, y: (x - 3 * y) // 4),
        (sum([a, b, a]), lambda x, y: 2 * x + y),
        (count([a > 3, b > 1, a > b]), lambda x, y: (x > 3) + (y > 1) + (x > y)),
        (high_to_low(a, b, 2)[1], lambda x, y: sorted((x, y, 2))[1]),
        (abs(b - a), lambda x, y: abs(y - x)),
        (a < b, lambda x, y: x < y),
        (a <= b, lambda x, y: x <= y),
        (a > b, lambda x, y: x > y),
        (a >= b, lambda x, y: x >= y),
        (a == b, lambda x, y: x == y),
        (a != b, lambda x, y: x != y),
        ((a == 3) | ~(b == 1), lambda x, y: x == 3 or y != 1),
        ((a > 3) & (b > 1), lambda x, y: x > 3 and y > 1),
        (where(a > 6, a, 0 - b), lambda x, y: x if x > 6 else -y),
        (highest(a, b, 2), lambda x, y: max(x, y, 2)),
        (lowest(a, b), min),
        (lookup([5, 7, 1, 2], b), lambda x, y: [5, 7, 1, 2][y]),
        (compare(a, b).index, lambda x, y: 0 if x < y else 1 if x == y else 2),
    ]
    for mine in range(0, 52, 3):
        for his in range(52):
            for col, python in meant:
                assert evaluate(col, {0: mine, 1: his}, {}) == int(python(mine >> 2, his & 3)), col


def test_a_range_that_does_not_fit_machine_words_is_refused() -> None:
    big = MINE.rank
    with pytest.raises(RuleError, match="64"):
        for _ in range(40):
            big = big * 12
    with pytest.raises(RuleError, match="64"):
        column(1 << 70)


# ---- identity


def test_equal_expressions_are_one_node() -> None:
    a, b, c = MINE.rank, HIS.rank, Card(2).rank
    assert Card(0).rank is a
    assert a + b is b + a and a * b is b * a and (a == b) is (b == a) and (a != b) is (b != a)
    assert (a + b) + c is c + (b + a)
    assert highest(highest(a, c), b) is highest(c, b, a)
    assert lowest(lowest(a, c), b) is lowest(c, b, a)
    x, y, z = a > 1, b > 1, c > 1
    assert (x & y) & z is (z & y) & x and (x | y) | z is z | (y | x)
    assert (a > b) is (b < a)


def test_different_expressions_are_different_nodes() -> None:
    a, b = MINE.rank, HIS.rank
    assert a - b is not b - a and (a < b) is not (b < a)
    assert compare(a, b).index is not compare(b, a).index
    assert lookup([1, 2, 3, 0], MINE.suit) is not lookup([1, 2, 3, 1], MINE.suit)
    assert MINE.suit is not MINE.rank


def test_a_look_up_that_changes_nothing_is_the_column_itself() -> None:
    assert lookup(range(13), MINE.rank) is MINE.rank


# ---- results


def test_results_keep_their_names_through_where() -> None:
    result = where(
        MINE.rank > 5, first_match(("a", MINE.rank > 9), ("b", MINE.rank > 7)), where(HIS.suit == 1, WIN, LOSE)
    )
    for deal in ALL_DEALS[::37].tolist():
        mine, his = deal[0] >> 2, deal[1] & 3
        wanted = ("a" if mine > 9 else "b" if mine > 7 else "lose") if mine > 5 else "win" if his == 1 else "lose"
        assert result.names[evaluate(result.index, dict(enumerate(deal)), {})] == wanted
        assert evaluate(result == wanted, dict(enumerate(deal)), {}) == 1
        assert evaluate(result != wanted, dict(enumerate(deal)), {}) == 0


def test_a_row_that_was_asked_for_is_not_left_in_the_other_branch() -> None:
    """So a pay table need not have a `win` that never comes."""
    duel = compare(MINE.rank, HIS.rank)
    result = where(duel == "win", where(MINE.rank == ACE, row("high"), row("low")), duel)
    assert result.names == ("high", "low", "lose", "push")
    for deal in ALL_DEALS[::37].tolist():
        mine, his = deal[0] >> 2, deal[1] >> 2
        wanted = "lose" if mine < his else "push" if mine == his else "high" if mine == ACE else "low"
        assert result.names[evaluate(result.index, dict(enumerate(deal)), {})] == wanted
    twice = pick(("win", "lose", "win"), MINE.rank // 5)
    assert "win" in where(twice.index == 0, PUSH, twice).names


def test_a_result_with_a_name_twice_equals_it_either_way() -> None:
    result = first_match(("lose", MINE.rank == 0), ("win", MINE.rank > 6))  # and "lose" again otherwise
    for rank in range(13):
        lost = rank == 0 or rank <= 6
        assert evaluate(result == "lose", {0: 4 * rank}, {}) == lost
        assert evaluate(result == "win", {0: 4 * rank}, {}) == (not lost)


def test_a_result_cannot_point_beyond_its_names() -> None:
    """A row number outside the names would be counted in somebody else's cell."""
    with pytest.raises(RuleError):
        Rows(("low", "high"), MINE.rank)
    with pytest.raises(RuleError):
        Rows(("low", "high"), MINE.suit - 3)


# ---- proofs over the graph


def graph_of(play: Callable[[Table], None], *wagers: Wager) -> Graph:
    return trace(small_game(play, *wagers).at())


def one_end(result: Callable[[Hand], Rows]) -> Graph:
    def play(t: Table) -> None:
        flop = t.deal(BOARD, 3)
        t.settle(ante=result(flop))

    return graph_of(play, ANTE)


ORDER_FREE: dict[str, Callable[[Hand], Rows]] = {
    "sum": lambda f: compare(f[0].rank + f[1].rank + f[2].rank, 20),
    "highest": lambda f: compare(highest(f[2].rank, f[0].rank, f[1].rank), NINE),
    "a pair": lambda f: where(
        (f[0].rank == f[1].rank) | (f[1].rank == f[2].rank) | (f[0].rank == f[2].rank), WIN, LOSE
    ),
    "all alike": lambda f: where(
        (f[0].suit == f[1].suit) & (f[1].suit == f[2].suit) & (f[2].suit == f[0].suit), WIN, LOSE
    ),
    "nothing": lambda f: PUSH,
}
ORDERED: dict[str, Callable[[Hand], Rows]] = {
    "first above second": lambda f: where(f[0].rank > f[1].rank, WIN, LOSE),
    "one card only": lambda f: compare(f[1].rank, NINE),
    "last against the others": lambda f: compare(f[2].rank, highest(f[0].rank, f[1].rank)),
    "difference": lambda f: compare(f[0].rank - f[1].rank + f[2].rank, 5),
}
SUITS_ALIKE: dict[str, Callable[[Hand], Rows]] = {
    **ORDER_FREE,
    "same card": lambda f: where(f[0] == f[1], WIN, LOSE),
    "suits differ": lambda f: where(f[0].suit != f[1].suit, WIN, LOSE),
}
SUITS_MATTER: dict[str, Callable[[Hand], Rows]] = {
    "hearts": lambda f: where(f[0].suit == HEARTS, WIN, LOSE),
    "not hearts": lambda f: where(f[0].suit != HEARTS, WIN, LOSE),
    "higher suit": lambda f: where(f[0].suit > f[1].suit, WIN, LOSE),
    "red": lambda f: where(lookup([0, 1, 1, 0], f[0].suit) == lookup([0, 1, 1, 0], f[1].suit), WIN, LOSE),
    "suit plus one": lambda f: where(f[0].suit + 1 == f[1].suit, WIN, LOSE),
    "suit against rank": lambda f: where(f[0].suit == f[1].rank, WIN, LOSE),
    "which suit it is": lambda f: Rows(("win", "lose", "push", "push"), f[0].suit),
}


@pytest.mark.parametrize("result", ORDER_FREE.values(), ids=ORDER_FREE)
def test_order_is_proven_not_to_matter(result: Callable[[Hand], Rows]) -> None:
    graph = one_end(result)
    assert not order_matters(graph, graph.root.groups[0])


@pytest.mark.parametrize("result", ORDERED.values(), ids=ORDERED)
def test_order_matters(result: Callable[[Hand], Rows]) -> None:
    graph = one_end(result)
    assert order_matters(graph, graph.root.groups[0])


@pytest.mark.parametrize("result", SUITS_ALIKE.values(), ids=SUITS_ALIKE)
def test_suits_are_proven_interchangeable(result: Callable[[Hand], Rows]) -> None:
    assert suits_interchangeable(one_end(result))


@pytest.mark.parametrize("result", SUITS_MATTER.values(), ids=SUITS_MATTER)
def test_suits_are_not_interchangeable(result: Callable[[Hand], Rows]) -> None:
    assert not suits_interchangeable(one_end(result))


def test_a_branch_and_a_carried_value_are_looked_at_too() -> None:
    def branch(t: Table) -> None:
        two = t.deal(BOARD, 2)
        won = t.when(two[0].suit == HEARTS)
        t.settle(ante=WIN if won else LOSE)

    def carries_the_suit(t: Table) -> None:
        mine = t.deal(PLAYER)
        t.settle(ante=where(t.carried("suit", 3, on="ante") == HEARTS, WIN, LOSE))
        t.carry("suit", mine.suit)

    for play in (branch, carries_the_suit):
        assert not suits_interchangeable(graph_of(play, ANTE))
    graph = graph_of(branch, ANTE)
    assert order_matters(graph, graph.root.groups[0])


# ---- the tracer


def test_a_question_is_asked_once_in_a_round() -> None:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER)
        answers = [t.when(mine.rank > NINE) for _ in range(3)]
        t.settle(ante=WIN if all(answers) else LOSE)

    graph = graph_of(play, ANTE)
    assert len(graph.nodes) == 3


def test_a_choice_sees_what_it_may() -> None:
    def play(t: Table) -> None:
        t.deal(PLAYER, 1, face=DOWN)
        t.deal(PLAYER, 1, face=BLIND)
        t.deal(DEALER, 1, face=DOWN)
        t.deal(DEALER)
        t.deal(BOARD, 2, face=DOWN)
        t.decide("a", "b")
        t.reveal(BOARD)
        t.reveal(PLAYER)
        t.decide("c", "d")
        t.settle(ante=PUSH)

    first = graph_of(play, ANTE).root
    assert isinstance(first, Decide)
    second = first.kids[0]
    assert isinstance(second, Decide)
    assert [g.slots for g in first.seen()] == [(0,), (3,)]
    assert [g.slots for g in second.seen()] == [(0,), (1,), (3,), (4, 5)]


def test_a_carried_value_has_one_range() -> None:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER)
        low, high = t.carried("streak", 1, on="ante"), t.carried("streak", 2, on="ante")
        t.settle(ante=where(low == high, WIN, LOSE))
        t.carry("streak", where(mine.rank > NINE, 1, 0))

    with pytest.raises(RuleError, match="streak"):
        graph_of(play, ANTE)


def test_a_wager_between_the_players_is_shared_on_every_way_through_the_round() -> None:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER)
        if t.when(mine.rank > NINE):
            t.share("ante", mine.rank)
        else:
            t.settle(ante=PUSH)

    with pytest.raises(RuleError, match="ante"):
        graph_of(play, ANTE)


# ---- wagers and bets


@pytest.mark.parametrize(
    ("wager", "rule", "who"),
    [
        (Wager("ante", required=True), "table minimum to table maximum", "required"),
        (Wager("raise", equal_to="ante"), "equal to the ante", "during the round"),
        (Wager("raise", equal_to="ante", times=(1, 3)), "1x or 3x the ante", "during the round"),
        (Wager("jackpot", exactly=5, needs="ante"), "exactly $5", "optional, with the ante"),
        (Wager("blind", exactly=TABLE_MIN), "exactly the table minimum", "optional"),
        (Wager("side", minimum=1, maximum=25), "$1 to $25", "optional"),
    ],
)
def test_a_wager_says_how_much_and_who(wager: Wager, rule: str, who: str) -> None:
    assert (wager.amount_rule(), wager.who_bets()) == (rule, who)


def settle_all(t: Table) -> None:
    t.deal(PLAYER)
    for wager in t.house.wagers:
        if not wager.equal_to:
            t.settle(**{wager.name.replace("-", "_"): PUSH})


BETS = small_game(
    settle_all,
    Wager("ante", required=True),
    Wager("raise", equal_to="ante"),
    Wager("jackpot", exactly=5, needs="ante"),
    Wager("side", minimum=1, maximum=25),
    Wager("blind", exactly=TABLE_MIN),
).at({"table-min": "10", "table-max": "100"})

EITHER = small_game(
    settle_all, Wager("over"), Wager("under"), Wager("side", needs="over"), one_of=[("over", "under")]
).at()


def bet(house: House, **amounts: str) -> None:
    house.check_bets({name: Fraction(amount) for name, amount in amounts.items()})


@pytest.mark.parametrize(
    "amounts",
    [
        {"ante": "10"},
        {"ante": "100", "jackpot": "5", "side": "1", "blind": "10"},
        {"ante": "25/2", "side": "25"},
    ],
)
def test_good_bets_are_taken(amounts: dict[str, str]) -> None:
    bet(BETS, **amounts)


@pytest.mark.parametrize(
    ("amounts", "message"),
    [
        ({}, "a bet on ante is required"),
        ({"side": "5"}, "a bet on ante is required"),
        ({"ante": "9.99"}, "ante takes $10 to $100; $9.99 is not allowed"),
        ({"ante": "100.01"}, "ante takes $10 to $100; $100.01 is not allowed"),
        ({"ante": "-10"}, "ante takes $10 to $100; $-10 is not allowed"),
        ({"ante": "10", "jackpot": "4"}, "jackpot is exactly $5, no more and no less; $4 is not allowed"),
        ({"ante": "10", "jackpot": "6"}, "jackpot is exactly $5, no more and no less; $6 is not allowed"),
        ({"jackpot": "5"}, "jackpot needs a bet on ante"),
        ({"ante": "10", "side": "0.5"}, "side takes $1 to $25; $0.50 is not allowed"),
        ({"ante": "10", "side": "26"}, "side takes $1 to $25; $26 is not allowed"),
        ({"ante": "10", "blind": "11"}, "blind is exactly $10, no more and no less; $11 is not allowed"),
        ({"ante": "10", "raise": "10"}, "raise is not a bet before the deal; there are ante, jackpot, side, blind"),
        (
            {"ante": "10", "insurance": "5"},
            "insurance is not a bet before the deal; there are ante, jackpot, side, blind",
        ),
    ],
)
def test_a_bad_bet_is_one_sentence(amounts: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        bet(BETS, **amounts)
    assert str(caught.value) == message


def test_either_or() -> None:
    bet(EITHER, over="5")
    bet(EITHER, under="5")
    bet(EITHER, over="5", under="500", side="5")
    with pytest.raises(BadInput, match=r"^a bet on over or under is required$"):
        bet(EITHER)
    with pytest.raises(BadInput, match=r"^side needs a bet on over$"):
        bet(EITHER, under="5", side="5")
    assert EITHER.main == ("over", "under")


def test_the_least_bet_is_one_that_the_house_takes(house: House) -> None:
    house.check_bets({name: house.least_bet(name) for name in house.parties})
    assert {n: BETS.least_bet(n) for n in BETS.parties} == {"ante": 10, "jackpot": 5, "side": 1, "blind": 10}


def test_wagers_go_with_the_one_that_they_equal() -> None:
    def play(t: Table) -> None:
        t.deal(PLAYER)
        t.settle(ante=PUSH)

    wagers = (Wager("ante"), Wager("raise", equal_to="ante"), Wager("again", equal_to="raise"))
    house = small_game(play, *wagers).at()
    assert [house.lead(w.name) for w in wagers] == ["ante"] * 3
    assert house.parties == {"ante": wagers}


# ---- options


def offer(*options: Any) -> Game:
    def play(t: Table) -> None:
        t.deal(PLAYER)
        t.settle(ante=PUSH)

    return small_game(play, ANTE, options=options)


GAME = offer(
    Choice("decks", (2, 6), "decks", default=6), Choice("tie", ("push", "lose"), ""), Amount("meter", "1.50", "")
)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"decks": "3"}, "option decks: 3 is not one of 2 or 6"),
        ({"tie": "win"}, "option tie: win is not one of push or lose"),
        (
            {"colour": "red"},
            "small has no option 'colour'; it has decks, tie, meter, table-min, table-max, rounding, chip",
        ),
        (
            {"meter": "lots"},
            "option meter: 'lots' is not an amount of dollars and whole cents from $0 to $1,000,000,000, such as 12.50",
        ),
        (
            {"meter": "1/0"},
            "option meter: '1/0' is not an amount of dollars and whole cents from $0 to $1,000,000,000, such as 12.50",
        ),
        (
            {"meter": "nan"},
            "option meter: 'nan' is not an amount of dollars and whole cents from $0 to $1,000,000,000, such as 12.50",
        ),
        (
            {"meter": "-1"},
            "option meter: '-1' is not an amount of dollars and whole cents from $0 to $1,000,000,000, such as 12.50",
        ),
        (
            {"meter": "1000000001"},
            "option meter: '1000000001' is not an amount of dollars and whole cents from $0 to $1,000,000,000, such as "
            "12.50",
        ),
        (
            {"table-min": "0"},
            "option table-min: '0' is not an amount of dollars and whole cents from $0.01 to $1,000,000,000, such as "
            "12.50",
        ),
        (
            {"table-min": "50", "table-max": "10"},
            "the table minimum of $50 is above the table maximum of $10 (table-min, table-max)",
        ),
    ],
)
def test_a_bad_option_is_one_sentence(options: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        GAME.at(options)
    assert str(caught.value) == message


def test_options_have_defaults_and_are_read_as_people_write_them() -> None:
    usual = {"table-min": 5, "table-max": 500, "rounding": "exact", "chip": 1}
    assert GAME.at().options == {"decks": 6, "tie": "push", "meter": Fraction(3, 2), **usual}
    chosen = GAME.at({"decks": 2, "tie": " lose ", "meter": "$12,345.67"}).options
    assert (chosen["decks"], chosen["tie"], chosen["meter"]) == (2, "lose", Fraction("12345.67"))
    assert sum(GAME.at({"decks": 2}).composition) == 104


@given(st.integers(0, 100_000_000_000).map(lambda cents: Fraction(cents, 100)))
def test_options_as_text_are_the_same_options_again(meter: Fraction) -> None:
    """A record that rounds an option does not make the same result again."""
    house = GAME.at({"meter": meter})
    assert house.options["meter"] == meter
    assert GAME.at(house.chosen()).options == house.options


def test_a_house_may_bring_its_own_shoe() -> None:
    shoe = stripped([ACE])
    assert GAME.at(shoe=shoe).composition == shoe


# ---- money


def test_net_is_per_unit_and_a_fixed_award_is_shared_by_the_stake() -> None:
    def play(t: Table) -> None:
        t.deal(PLAYER)
        t.settle(ante=PUSH, award=LOSE, drop=LOSE)

    table = {"three": 3, "half": "1/2", "hundred": dollars(100), "all": Meter("meter", "meter", "meter")}
    wagers = ANTE, pays("award", table), pays("drop", table, stake_returned=False)
    house = small_game(play, *wagers, options=(Amount("meter", 5000, ""),)).at()
    for stake in (Fraction(5), Fraction(25, 2)):
        for name, returned in (("award", 0), ("drop", 1)):
            assert house.net(name, "three", stake) == 3
            assert house.net(name, "half", stake) == Fraction(1, 2)
            assert (house.net(name, "push", stake), house.net(name, "lose", stake)) == (0, -1)
            assert house.net(name, "hundred", stake) * stake == 100 - returned * stake
            assert house.net(name, "all", stake) * stake == 5000 - returned * stake


# ---- anchors


def test_an_anchor_agrees_to_its_printed_digits() -> None:
    anchor = Anchor("ante", "2.88%", "somewhere")
    assert anchor.agrees(Fraction("0.0288499")) and anchor.agrees(Fraction("0.0287501"))
    assert not anchor.agrees(Fraction("0.02886")) and not anchor.agrees(Fraction("0.02874"))
    assert Anchor("ante", "3%", "").agrees(Fraction("0.034")) and not Anchor("ante", "3.0%", "").agrees(
        Fraction("0.034")
    )


def test_row_is_the_same_in_every_round() -> None:
    assert row("surrender").names == ("surrender",) and row("surrender").index.lo == row("surrender").index.hi == 0
