"""Numbers are read in one place, and money is whole cents: whatever is typed is a bounded number or one sentence."""

import ast
import random
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import pitboss as pb
from helpers import SOURCE, pays, small_game
from pitboss.cli import main
from pitboss.deal import simulate
from pitboss.exact import Study
from pitboss.live import Round, Seat, log_of, replay, table
from pitboss.rules import DEALER, PLAYER, UP, Column, House, Rows, Table, Wager, first_match
from pitboss.rules.errors import BadInput
from pitboss.rules.numbers import FAR, MOST, dollars, in_cents, money, plain, printed, ratio, share, whole, written
from pitboss.rules.options import show_value
from pitboss.rules.paytables import Dollars, PayTable
from pitboss.tune.search import designed

READERS: tuple[Callable[[str, object], Fraction | int], ...] = (whole, dollars, ratio, share)
HOSTILE = (
    "", " ", "1e99999999", "1e-99999999", "1e1e9", "9" * 10_000, "0." + "1" * 10_000, "1/1e9", "1/" + "9" * 5000, "1/0",
    "0/0", "1/2/3", "nan", "inf", "-inf", "Infinity", "1_000", "\u0661\u0662", "\u00bd", "\uff11", "12,50", "1,2", ",5",
    "1,,000", "1,0000", "1,000,00", "0x10", "5\n", "\t5", "5\x00", "--5", "+-5", "$-5", "5$", "5%%", "%5", "1e", "e5",
    ".", "1.", "1.2.3", "1 000", "1e19", "1e+", "5e%", "None", "True", "$", "\u22125",
)  # fmt: skip


# ---- the reader


@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: repr(t)[:24])
def test_what_is_no_number_is_one_sentence(text: str) -> None:
    for read in READERS:
        with pytest.raises(BadInput) as refused:
            read("seed", text)
        said = str(refused.value)
        assert said.startswith("seed: ") and ", such as " in said and "\n" not in said and len(said) < 250, said


@pytest.mark.parametrize(
    "value",
    [None, True, False, float("nan"), float("inf"), Decimal("NaN"), Decimal("1e99999999"), Decimal("Infinity"),
     b"5", [5], {}, 1j, object(), 10**5000, Fraction(1, 10**400)],
    ids=lambda v: repr(v)[:20] if not isinstance(v, int) else type(v).__name__,
)  # fmt: skip
def test_what_is_no_number_in_python_is_one_sentence(value: object) -> None:
    for read in READERS:
        with pytest.raises(BadInput, match=r"^purse: "):
            read("purse", value)


@pytest.mark.parametrize(
    ("read", "value", "found"),
    [
        (whole, "8", 8), (whole, " 1,250 ", 1250), (whole, "1e8", 10**8), (whole, "1.5e6", 1_500_000),
        (whole, "-3", -3),
        (whole, 1e8, 10**8), (whole, "12,345,678", 12_345_678), (whole, Fraction(4), 4), (whole, "5.0", 5),
        (dollars, "1,250", 1250), (dollars, "$12,345.50", Fraction(24691, 2)), (dollars, "12.50", Fraction(25, 2)),
        (dollars, ".25", Fraction(1, 4)), (dollars, 12.1, Fraction(121, 10)),
        (dollars, Decimal("12.50"), Fraction(25, 2)),
        (dollars, Fraction(25, 2), Fraction(25, 2)),
        (ratio, "3/2", Fraction(3, 2)), (ratio, "1.25", Fraction(5, 4)), (ratio, 0.4, Fraction(2, 5)),
        (share, "40%", Fraction(2, 5)), (share, "0.4", Fraction(2, 5)), (share, "2/5", Fraction(2, 5)),
        (share, "0.05%", Fraction(1, 2000)), (share, "1/2%", Fraction(1, 200)), (share, "1e-4", Fraction(1, 10_000)),
    ],
)  # fmt: skip
def test_what_is_wanted_is_read(read: Callable[[str, object], object], value: object, found: object) -> None:
    assert read("it", value) == found


@pytest.mark.parametrize(
    ("read", "text"),
    [(whole, "1/2"), (whole, "50%"), (whole, "$5"), (whole, "0.5"), (dollars, "16/3"), (dollars, "1e4"),
     (dollars, "5%"),
     (dollars, "12.505"), (dollars, "-5"), (ratio, "$5"), (ratio, "40%"), (ratio, "1e4"), (ratio, "1.5/2"),
     (ratio, "1,250/2"), (share, "$1"), (share, "101%"), (share, "-1%")],
)  # fmt: skip
def test_what_makes_no_sense_there_is_refused(read: Callable[[str, object], object], text: str) -> None:
    with pytest.raises(BadInput):
        read("it", text)


def test_a_comma_has_one_meaning_and_the_message_says_which() -> None:
    with pytest.raises(
        BadInput, match=r"^ante: '12,50' is not an amount .* a comma parts thousands only, as in 1,250$"
    ):
        dollars("ante", "12,50")


def test_bounds_are_said() -> None:
    with pytest.raises(BadInput, match=r"^seats: '8' is not a whole number from 1 to 7, such as 7$"):
        whole("seats", "8", 1, 7)
    with pytest.raises(BadInput, match=r"^meter: '0' is not an amount .* from \$0.01 to \$1,000, such as 12.50$"):
        dollars("meter", "0", Fraction(1, 100), 1000)


text_like = st.one_of(
    st.text(max_size=80),
    st.text("0123456789,.$%/eE+-_ ", max_size=24),
    st.from_regex(r"[+-]?\$?\d{1,25}(,\d{3})*(\.\d*)?(/\d+|e[+-]?\d+)?%?", fullmatch=True),
)


@given(text_like)
@example("1e18")
@example("9" * 20 + "e18")
def test_every_text_is_a_bounded_number_or_one_sentence(text: str) -> None:
    for read, most in ((whole, FAR), (dollars, MOST), (ratio, MOST), (share, 1)):
        try:
            found = read("it", text)
        except BadInput as refused:
            assert "\n" not in str(refused) and len(str(refused)) < 250
        else:
            assert abs(found) <= most and text.isascii() and Fraction(found).denominator < 10**60
    for reader in (plain, printed):
        reader(text)  # a number or None


@given(st.integers(0, 10**11))
def test_money_as_it_is_shown_is_read_again(cents: int) -> None:
    amount = Fraction(cents, 100)
    assert dollars("it", money(amount)) == dollars("it", f"${money(amount)}") == amount
    assert dollars("it", show_value(amount)) == amount and written(str(amount)) == amount == -written(str(-amount))


@given(st.integers(-FAR, FAR))
def test_whole_numbers_as_they_are_shown_are_read_again(number: int) -> None:
    assert whole("it", f"{number:,}") == whole("it", str(number)) == number


@pytest.mark.parametrize("value", [None, 5, "1e5", "1/0", "5.0", "٣", "1/2/3", "9" * 50, ""])
def test_a_log_holds_numbers_as_they_were_written(value: object) -> None:
    with pytest.raises(BadInput, match="is not a number as a log has it"):
        written(value)


# ---- nothing else reads numbers

EXCEPTIONS = {
    "rules/numbers.py",  # the one reader
    "games/blackjack.py", "games/packs_poker.py",  # an option's value, read before: the text is for the type checker
    "guard/plan.py",  # the same
    "tune/taste.py",  # the digits of a pay
}  # fmt: skip
TEXTS = {"strip", "lstrip", "rstrip", "removesuffix", "removeprefix", "replace", "split", "partition", "group", "lower"}


def _texts(function: ast.AST) -> set[str]:
    """Names that are a text in a function: arguments that are declared so, and what a split text is gone through by."""
    out = set()
    for node in ast.walk(function):
        if isinstance(node, ast.arg) and node.annotation is not None and "str" in ast.unparse(node.annotation).split():
            out.add(node.arg)
        if isinstance(node, ast.comprehension | ast.For) and ".split(" in ast.unparse(node.iter):
            out |= {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}
    return out


def _read_from_text(tree: ast.AST) -> Iterator[ast.Call]:
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.Lambda):
            continue
        known = _texts(function)
        for node in ast.walk(function):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1
            if not named or node.func.id not in ("Fraction", "int", "float", "Decimal"):  # type: ignore[attr-defined]
                continue
            assert isinstance(node, ast.Call)
            (given_,) = node.args
            method = given_.func if isinstance(given_, ast.Call) else None
            if (
                (isinstance(given_, ast.Name) and given_.id in known)
                or (isinstance(method, ast.Attribute) and method.attr in TEXTS)
                or (isinstance(method, ast.Name) and method.id in ("str", "repr"))
                or isinstance(given_, ast.JoinedStr)
                or (isinstance(given_, ast.Subscript) and isinstance(given_.value, ast.Name) and _of_an_event(given_))
            ):
                yield node


def _of_an_event(given_: ast.Subscript) -> bool:
    """`event["net"]`: money in a log."""
    return isinstance(given_.slice, ast.Constant) and given_.slice.value in ("net", "stake", "pays", "amount", "edge")


def _is_a_type(tree: ast.AST) -> Iterator[ast.keyword]:
    """`type=int` of an argument."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument":
            yield from (k for k in node.keywords if k.arg == "type" and ast.unparse(k.value) in ("int", "float"))


def test_no_other_file_reads_a_number_from_a_text() -> None:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        tree, name = ast.parse(path.read_text()), path.relative_to(SOURCE).as_posix()
        assert not [k.value.lineno for k in _is_a_type(tree)], name
        if name not in EXCEPTIONS:
            found += [f"{name}, line {node.lineno}: {ast.unparse(node)}" for node in _read_from_text(tree)]
    assert not found, f"numbers are read by rules/numbers.py: {found}"


# ---- the command line


@pytest.mark.parametrize(
    "words",
    [
        "simulate bluff --seed 1_0", "simulate bluff --seed \u0661\u0662", f"simulate bluff --seed {'9' * 5000}",
        "simulate bluff --seats 1e99999999", "simulate bluff --until-se nan", "simulate bluff --until-se 1e400",
        "simulate bluff --rounds 1e99999999", "simulate bluff --rounds 12,50", "simulate bluff --workers 1_0",
        "simulate bluff --shoe --cut 1e99999999", "simulate bluff --shoe A:1_0", "simulate bluff --shoe A:\u0661",
        "analyze bluff --bet ante=12,50", "analyze bluff --bet ante=16/3", "analyze bluff --bet ante=1e99999999",
        "analyze bluff -o meter=1e99999999", "analyze bluff -o meter=16/3", "analyze bluff -o table-min=12,50",
        "analyze bluff -p suit-tie=1,3,1e99999999", "analyze bluff -p suit-tie=1,3,1/1e9",
        "analyze bluff -p progressive=$16/3,meter", "analyze bluff -p progressive=$1,000",
        "design bluff --wager suit-tie --edge 1e99999999", "design bluff --wager suit-tie --edge 5% --top 1_0",
        "design bluff --wager suit-tie --edge 5% --step 1e99999999", "design bluff --wager suit-tie --edge nan",
        "design bluff --wager suit-tie --edge 5% --row match=1..1e99999999",
        "protect bluff --limit 16/3", "protect bluff --limit 1e99999999", "protect bluff --cut 1e99999999",
        "protect bluff --decks \u0662", "protect bluff --tolerate 12,50", "protect bluff --shoes 1_0",
        "floor bluff --hours 1e99999999", "floor bluff --risk 1/1e9", "floor bluff --rate suit-tie=1e99999999",
        "floor bluff --bet ante=1e99999999", "floor bluff --hands 1_0", "hands 1_0",
        "play bluff --bet ante=16/3", "play bluff --toke ante=16/3", "play bluff --rounds \u0661",
    ],
    ids=lambda w: w[:48],
)  # fmt: skip
def test_no_number_on_the_command_line_hangs_or_is_taken_for_another(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(words.split(" "))
    except SystemExit as ended:
        code = int(str(ended.code))
    said = capsys.readouterr().err
    assert code == 2 and said.count("\n") == 1 and said.startswith("pitboss: ") and len(said) < 700, said


def test_a_standard_error_may_be_a_percentage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "bluff", "--wager", "suit-tie", "--until-se", "0.5%", "--json"]) == 0
    assert 0 < float(capsys.readouterr().out.partition('"standard_error": ')[2].partition(",")[0]) <= 0.005


# ---- what a row pays, in money


def rows_of(high: Column, even: Column) -> Rows:
    return first_match(("high", high), ("even", even), otherwise="low")


def drawn(pay: dict[str, object], **more: Any) -> pb.Game:
    """One card against one: three rows."""

    def play(t: Table) -> None:
        mine, other = t.deal(PLAYER, 1, face=UP)[0], t.deal(DEALER, 1, face=UP)[0]
        t.settle(ante=rows_of(mine.rank > other.rank + 5, mine.rank == other.rank))

    return small_game(play, pays("ante", pay, required=True, **more))


def cut(house: House) -> House:
    return house.but({"rounding": "down-to-chip"})


def test_a_pay_is_cut_down_to_whole_chips() -> None:
    house = cut(drawn({"high": "3/2", "even": "-1/2", "low": -1}).at())
    five = Fraction(5)
    assert [house.net("ante", r, five) * 5 for r in ("high", "even", "low")] == [7, -3, -5]
    assert house.net("ante", "push", five) == 0 and house.net("ante", "high", Fraction(10)) == Fraction(3, 2)
    quarters = house.but({"chip": "0.25"})
    assert quarters.net("ante", "high", five) == Fraction(3, 2)
    assert quarters.net("ante", "high", Fraction(11, 2)) * Fraction(11, 2) == Fraction(33, 4)


def test_awards_and_meters_in_dollars_are_paid_as_they_stand() -> None:
    house = cut(drawn({"high": Dollars(Fraction("100.50"), Fraction(3, 2)), "even": 1, "low": -1}).at())
    assert house.net("ante", "high", Fraction(5)) * 5 == Fraction("100.50")
    assert house.net("ante", "high", Fraction(75)) * 75 == 112  # 112.50 to 1 is more, and is cut down


def test_whether_the_bet_matters_is_known() -> None:
    even = cut(drawn({"high": 2, "even": 0, "low": -1}).at())
    assert "whole chips of $1" in even.bet_matters("ante"), "somebody may bet $5.50"
    one = cut(even.but({"table-min": 5, "table-max": 5}))
    assert one.bet_matters("ante") == "" and "whole chips" in one.but(chip=2).bet_matters("ante")
    odd = drawn({"high": "3/2", "even": 0, "low": -1}).at()
    assert odd.bet_matters("ante") == "" and "whole chips of $1" in cut(odd).bet_matters("ante")
    assert "whole chips" in cut(pb.game("blackjack").at()).bet_matters("main")


pays_to_one = st.fractions(0, 12, max_denominator=7)


@given(pays_to_one, st.fractions(-1, 3, max_denominator=4), st.integers(1, 5000), st.sampled_from(["0.25", "1", "5"]))
def test_the_count_and_a_settled_round_agree_on_odd_bets(high: Fraction, even: Fraction, cents: int, chip: str) -> None:
    """Two ways to the edge: the law at this stake, and every deal of the shoe settled by hand."""
    game, stake = drawn({"high": high, "even": even, "low": -1}), Fraction(cents, 100)
    house = cut(game.at({"chip": chip})).but(stake=stake)
    total = Fraction(0)
    for mine in range(13):
        for other in range(13):
            ways = 16 if mine != other else 12
            pay = high if mine > other + 5 else even if mine == other else Fraction(-1)
            size = Fraction(chip)
            if pay > 0:
                won = pay * stake // size * size
            else:
                won = -stake if pay == -1 else Fraction(0) if pay == 0 else (1 + pay) * stake // size * size - stake
            total += ways * won
    assert -Study(house).wager("ante").house_edge.numerator == (total / (52 * 51 * stake)).numerator
    assert Study(house).wager("ante").house_edge == -total / (52 * 51 * stake)


def test_simulated_and_live_rounds_are_paid_as_they_are_counted() -> None:
    house = cut(drawn({"high": "3/2", "even": "7/3", "low": -1}).at())
    exact = Study(house).wager("ante").house_edge
    found = simulate(house, 2_000_000, seed=3).wagers[0]
    assert abs(found.house_edge - float(exact)) < 4 * found.standard_error
    live, total, chances = table(house, seed=5), Fraction(0), 2000
    for _ in range(chances):
        live.bet(1, ante=5)
        live.deal()
        total += live.result(1).net
    assert total.denominator == 1  # whole chips
    assert abs(float(-total) / 5 / chances - float(exact)) < 5 * 1.3 / sqrt(chances)
    log = live.log()[0]
    assert log["options"]["rounding"] == "down-to-chip" and log_of(replay(house.game, log)) == log


def blackjack(**options: object) -> House:
    return pb.game("blackjack").at({**options}).but(placed=frozenset(["main"]))


def test_blackjack_on_five_dollars_pays_seven() -> None:
    """A natural pays $7 instead of $7.50: a tenth of the bet, as often as one wins."""
    exactly, down = (Study(blackjack(decks=2, rounding=r)).wager("main") for r in ("exact", "down-to-chip"))
    natural = next(o for o in exactly.outcomes if o.pays == Fraction(3, 2))
    less = float(down.house_edge - exactly.house_edge)
    assert abs(less - float(natural.probability) / 10) < 1e-9 and less > 0.004
    found = simulate(blackjack(decks=2, rounding="down-to-chip"), 3_000_000, seed=2, wager="main").wagers[0]
    assert found.exact is not None and abs(found.house_edge - float(down.house_edge)) < 4 * found.standard_error
    ten = Study(blackjack(decks=2, rounding="down-to-chip", **{"table-min": 10})).wager("main")
    assert abs(float(ten.house_edge - exactly.house_edge)) < 1e-12


def test_designed_tables_are_paid_in_full() -> None:
    house = cut(drawn({"high": 2, "even": 5, "low": -1}).at())
    found = designed(house, "ante", "-90%..90%", ["high=1..3", "even=4..6"], step="1/2")
    best = [house.but(tables={"ante": one.paytable}) for one in found.best]
    assert found.best and [Study(h).wager("ante").house_edge for h in best] == [one.edge for one in found.best]
    assert not any("/" in one.paytable for one in found.best)  # halves of $5 are not whole chips
    with pytest.raises(BadInput, match=r"row high: none of these pays comes to whole chips of \$1 on a bet of \$5"):
        designed(house, "ante", "5%", ["high=3/2,5/2"])


# ---- never a fraction of a cent at a table


def test_a_bet_that_could_pay_a_fraction_of_a_cent_is_refused_before_the_deal() -> None:
    live = table(blackjack(), seed=1)
    with pytest.raises(BadInput) as refused:
        live.bet(1, main="5.01")
    assert str(refused.value) == (
        "insurance is half the main, so $5.01 on main could come to a fraction of a cent; bet a multiple of $0.02"
    )
    live.bet(1, main="5.02")
    sixths = table(drawn({"high": "6/5", "even": 0, "low": -1}).at(), seed=1)
    with pytest.raises(BadInput) as refused:
        sixths.bet(1, ante="5.02")
    assert str(refused.value) == (
        "ante pays 6 to 5, so $5.02 on ante could come to a fraction of a cent; bet a multiple of $0.05, or let the "
        "house round with rounding=down-to-chip"
    )
    table(cut(sixths.house), seed=1).bet(1, ante="5.02")


def test_a_round_takes_no_bet_that_is_not_whole_cents() -> None:
    house = drawn({"high": 1, "even": 0, "low": -1}).at()
    for kind in ({"rounding": "exact"}, {"rounding": "down-to-chip"}):
        with pytest.raises(BadInput, match="a bet is whole cents"):
            Round(house.but(kind), list(range(52)), [Seat({"ante": Fraction(16, 3)})])


@given(st.integers(100, 2000), st.sampled_from(["3/2", "6/5", "7/3", "8/7"]), st.booleans(), st.integers(0, 10**6))
def test_no_settlement_has_a_fraction_of_a_cent(cents: int, high: str, down: bool, seed: int) -> None:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER, 1, face=UP)[0]
        t.bet("raise", Fraction(1, 2))
        other = t.deal(DEALER, 1, face=UP)[0]
        result = rows_of(mine.rank > other.rank, mine.rank == other.rank)
        t.settle(ante=result, **{"raise": result})

    table_ = PayTable("odd", {"high": high, "even": "-1/2", "low": -1})
    game = small_game(
        play, Wager("ante", required=True, minimum=1, tables=[table_]),
        Wager("raise", equal_to="ante", times=(Fraction(1, 2),), table_of="ante"),
    )  # fmt: skip
    house = game.at({"rounding": "down-to-chip" if down else "exact"})
    cards = random.Random(seed).sample(range(52), 52)
    try:
        found = Round(house, cards, [Seat({"ante": Fraction(cents, 100)})])
    except BadInput as refused:
        least = dollars("it", str(refused).partition("a multiple of $")[2].split(",")[0])
        Round(house, cards, [Seat({"ante": -(-Fraction(cents, 100) // least) * least})])
    else:
        settled = [written(e[k]) for e in found.events if e["event"] == "settle" for k in ("stake", "net")]
        assert settled and all(map(in_cents, settled)) and in_cents(found.net(1))


def test_the_rules_page_says_how_odd_amounts_are_paid(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "blackjack"]) == 0
    assert "3 to 2 on $5 is $7.50" in " ".join(capsys.readouterr().out.split())
    assert main(["rules", "blackjack", "-o", "rounding=down-to-chip"]) == 0
    assert "cut down to whole chips of $1: 3 to 2 on $5 is $7." in " ".join(capsys.readouterr().out.split())


def test_the_analysis_says_for_which_bet_it_holds(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["analyze", "bluff", "--wager", "suit-tie", "-p", "suit-tie=1/2,3,15"]
    assert main([*words, "-o", "rounding=down-to-chip"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "awards are cut down to whole chips of $1, so its figures are for $5 a bet" in said
    assert main(words) == 0
    assert "whole chips" not in capsys.readouterr().out


def test_a_pay_table_that_may_mean_two_things_is_refused() -> None:
    game = drawn({"high": 2, "even": 5, "low": -1})
    with pytest.raises(BadInput, match=r"^\$5,100 may be one award or two pays; write \$5100 .* '\$5, 100' for"):
        game.at({}, {"ante": "$5,100,lose"})
    one = game.at({}, {"ante": "$5, 100, lose"})
    assert one.tables["ante"].pays == {"high": Dollars(Fraction(5)), "even": 100, "low": -1}
    assert game.at({}, {"ante": one.tables["ante"].spelled()}).tables["ante"].pays == one.tables["ante"].pays
