"""Pay tables: named, typed in, spelled out again; what a row pays."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import ANTE, pays, small_game
from pitboss.rules import EVEN_MONEY, PLAYER, PUSH, Amount, BadInput, House, Meter, PayTable, Table, Wager, dollars
from pitboss.rules.paytables import Dollars, money, show_pay

TABLE = PayTable("standard", {"suit": 1, "tie": 3, "match": 15})
AWARDS = PayTable("awards", {"match": dollars(100), "jackpot": Meter("meter", "seed", "increment")})


def settle_all(t: Table) -> None:
    t.deal(PLAYER)
    t.settle(ante=PUSH, side=PUSH, one=PUSH, progressive=PUSH)


GAME = small_game(
    settle_all,
    ANTE,
    Wager("side", tables=[TABLE, PayTable("generous", {"suit": 2, "tie": "7/2", "match": 20})]),
    pays("one", {"tie": 10}),
    Wager("progressive", exactly=5, tables=[AWARDS]),
    options=(Amount("meter", 10000, ""), Amount("seed", 0, ""), Amount("increment", 1, "")),
)


def chosen(wager: str, text: str) -> dict[str, object]:
    return dict(GAME.at(tables={wager: text}).tables[wager].pays)


# ---- what may be written


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("standard", [1, 3, 15]),
        ("generous", [2, Fraction(7, 2), 20]),
        ("1,3,12", [1, 3, 12]),
        (" 1 , 3 , 12 ", [1, 3, 12]),
        ("3/2,6/5,0", [Fraction(3, 2), Fraction(6, 5), 0]),
        ("1.5,3,12", [Fraction(3, 2), 3, 12]),
        ("push,lose,100", [0, -1, 100]),
        ("-1/2,PUSH,Lose", [Fraction(-1, 2), 0, -1]),
        ("1:1,3 to 1,15 TO 1", [1, 3, 15]),
        ("match=12,suit=1,tie=3", [1, 3, 12]),
        ("match = 12, suit = push, tie = 3", [0, 3, 12]),
    ],
)
def test_a_pay_table_is_named_or_typed_in(text: str, found: list[object]) -> None:
    assert list(chosen("side", text).items()) == list(zip(("suit", "tie", "match"), found, strict=True))


def test_awards_and_meters_may_be_typed_in() -> None:
    meter = AWARDS.pays["jackpot"]
    assert chosen("progressive", "$200,meter") == {"match": Dollars(Fraction(200)), "jackpot": meter}
    assert chosen("progressive", "40,$12500.50") == {"match": 40, "jackpot": Dollars(Fraction("12500.50"))}
    assert chosen("one", "8") == {"tie": 8}
    assert chosen("side", "$5,$6,$7")["tie"] == Dollars(Fraction(6))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1,3", "'1,3' has 2 pays; "),
        ("1,3,15,20", "'1,3,15,20' has 4 pays; "),
        ("1,,15", "'' is not a pay; "),
        ("1,many,15", "'many' is not a pay; "),
        ("1,3/0,15", "'3/0' is not a pay; "),
        ("1,-2,15", "'-2' is not a pay; "),
        ("1,$-5,15", "'$-5' is not a pay; "),
        ("1,nan,15", "'nan' is not a pay; "),
        ("1,inf,15", "'inf' is not a pay; "),
        ("1,meter,15", "'meter' is not a pay; "),
        ("suit=1,tie=3", "'suit=1,tie=3' does not name each row once; "),
        ("suit=1,tie=3,tie=4", "'suit=1,tie=3,tie=4' does not name each row once; "),
        ("suit=1,tie=3,tie =4,match=5", "'suit=1,tie=3,tie =4,match=5' does not name each row once; "),
        ("suit=1,tie=3,flush=4", "'suit=1,tie=3,flush=4' does not name each row once; "),
        ("suit=1,3,match=15", "'suit=1,3,match=15' does not name each row once; "),
    ],
)
def test_a_malformed_pay_table_is_one_sentence_that_says_what_is_allowed(text: str, complaint: str) -> None:
    with pytest.raises(BadInput) as caught:
        chosen("side", text)
    allowed = (
        "a pay table of side is 3 pays for suit, tie, match, in that order, such as '1,3,15'; a pay is a number to "
    )
    assert str(caught.value) == complaint + allowed + "1, a fraction such as 3/2, push, lose or an award such as $100"


def test_an_unknown_name_lists_the_names() -> None:
    with pytest.raises(BadInput) as caught:
        chosen("side", "greedy")
    assert str(caught.value) == (
        "pay table 'greedy' is not one of standard or generous of side; or write one pay for each of suit, tie, match, "
        "such as '1,3,15'"
    )


def test_a_pay_table_for_no_such_wager_lists_the_wagers() -> None:
    with pytest.raises(BadInput, match=r"^small has no wager 'sdie' with a pay table; it has ante, side, one, progre"):
        chosen("sdie", "1,3,15")


# ---- round trips

pay_to_one = st.fractions(-1, 1000, max_denominator=100)
award = st.builds(
    Dollars, st.integers(0, 10**8).map(lambda c: Fraction(c, 100)), st.fractions(0, 900, max_denominator=4)
)


@given(st.lists(st.one_of(pay_to_one, award), min_size=3, max_size=3))
def test_a_table_spelled_out_is_the_same_table(pays_: list[Fraction | Dollars]) -> None:
    table = PayTable("any", dict(zip(TABLE.pays, pays_, strict=True)))
    assert TABLE.custom(table.spelled(), "side").pays == table.pays
    named = ",".join(f"{row}={pay}" for row, pay in zip(table.pays, table.spelled().split(","), strict=True))
    assert TABLE.custom(named, "side").pays == table.pays


def test_every_table_of_every_game_spelled_out_is_the_same_table(house: House) -> None:
    for name, table in house.tables.items():
        again = house.game.at(house.chosen(), {name: table.spelled()})
        assert again.tables[name].pays == table.pays


# ---- what a row pays


def test_push_and_lose_need_not_be_written() -> None:
    assert (TABLE.pay("push"), TABLE.pay("lose"), TABLE.pay("tie")) == (0, -1, 3)
    assert PayTable("half", {"lose": "-1/2"}).pay("lose") == Fraction(-1, 2)
    assert all(TABLE.has(row) for row in ("push", "lose", "suit")) and not TABLE.has("win")
    assert [EVEN_MONEY.pay(row) for row in ("win", "push", "lose")] == [1, 0, -1]


@given(st.fractions(1, 500, max_denominator=4), st.fractions(1, 10, max_denominator=4))
def test_net_per_unit_does_not_depend_on_the_stake(stake: Fraction, factor: Fraction) -> None:
    house = GAME.at()
    for row in ("suit", "tie", "match", "push", "lose"):
        assert house.net("side", row, stake) == house.net("side", row, stake * factor) == TABLE.pay(row)
    for row, amount in (("match", 100), ("jackpot", 10000)):
        assert house.net("progressive", row, stake) * stake == amount
        assert house.net("progressive", row, stake * factor) * factor == house.net("progressive", row, stake)


def test_meters_are_found() -> None:
    assert GAME.at().meters("progressive") == [("jackpot", Meter("meter", "seed", "increment"))]
    assert GAME.at(tables={"progressive": "$100,$5000"}).meters("progressive") == []


def test_bad_pays_in_a_game_file_are_refused() -> None:
    with pytest.raises(BadInput, match="a pay is a whole number, a fraction such as '3/2'"):
        PayTable("bad", {"win": 1.5})


# ---- in words


def test_pays_in_words() -> None:
    told = [show_pay(p) for p in (*TABLE.custom("-1,0,3/2", "").pays.values(), *AWARDS.pays.values())]
    assert told == ["lose", "push", "3 to 2", "$100", "meter"]
    assert show_pay(Fraction(-1, 2)) == "lose 1/2"


def test_money_in_words() -> None:
    told = [money(Fraction(a)) for a in ("12", "12.5", "25000", "1234567.05", "1/3")]
    assert told == ["12", "12.50", "25,000", "1,234,567.05", "1/3"]
