"""One asker: the plan before the count, what is refused and why, and how much work a question takes."""

from fractions import Fraction
from typing import Any

import pytest

from helpers import sheet_steps, small_game
from pitboss.catalog import load
from pitboss.cli import main
from pitboss.exact import KERNELS, Offer, Solver, Study, Task, TooLarge, analyze
from pitboss.exact import offered as asking
from pitboss.ledger.figure import DOUBLE, EXACT, SIMULATED
from pitboss.ledger.law import plain_law
from pitboss.rules import (
    BLIND,
    BOARD,
    DEALER,
    DOWN,
    LOSE,
    PAIR,
    PLAYER,
    PUSH,
    WIN,
    BadInput,
    Choice,
    Game,
    PayTable,
    Table,
    Wager,
    by_floor,
    column,
    compare,
    highest,
    lookup,
    lowest,
    strength,
    where,
)  # fmt: skip
from pitboss.rules.effort import EFFORT

ANTE = Wager("ante", "", required=True)
VALUE, MOD = [2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1], [i % 10 for i in range(28)]


def baccarat(t: Table) -> None:
    """Punto banco, third cards and all."""

    def of(card: Any) -> Any:
        return lookup(VALUE, card.rank)

    mine, his = t.deal(PLAYER, 2, face=BLIND), t.deal(DEALER, 2, face=BLIND)
    p, b = lookup(MOD, of(mine[0]) + of(mine[1])), lookup(MOD, of(his[0]) + of(his[1]))
    if t.when((p < 8) & (b < 8)):
        if t.when(p <= 5):
            c = of(t.deal(PLAYER, 1, face=BLIND)[0])
            draws = (b <= 2) | ((b == 3) & (c != 8)) | ((b == 4) & (c >= 2) & (c <= 7))
            draws = draws | ((b == 5) & (c >= 4) & (c <= 7)) | ((b == 6) & (c >= 6) & (c <= 7))
            if t.when(draws):
                b = lookup(MOD, b + of(t.deal(DEALER, 1, face=BLIND)[0]))
            p = lookup(MOD, p + c)
        elif t.when(b <= 5):
            b = lookup(MOD, b + of(t.deal(DEALER, 1, face=BLIND)[0]))
    t.settle(player=compare(p, b), banker=compare(b, p), tie=where(p == b, WIN, LOSE))


def test_eight_decks_of_baccarat_are_counted_by_what_cards_count() -> None:
    """Published: banker 1.0579%, player 1.2351%, tie 14.3596% over 4,998,398,275,503,360 ways (Wizard of Odds)."""
    commission, eight = [PayTable("5%", {"win": "19/20"})], [PayTable("8 to 1", {"win": 8})]
    wagers = (Wager("player"), Wager("banker", tables=commission), Wager("tie", tables=eight))
    study = Study(Game("baccarat", "Baccarat", baccarat, wagers, [Choice("decks", (8, 6), "")]).at())
    assert study.plan.seconds < 1 and study.plan.step("tie") is not None
    found = study.analysis()
    assert found.wager("tie").ways == 4_998_398_275_503_360
    edges = [f"{float(found.wager(n).house_edge):.4%}" for n in ("banker", "player", "tie")]
    assert edges == ["1.0579%", "1.2351%", "14.3596%"]


def stud(t: Table) -> None:
    mine, his = t.deal(PLAYER, 5, face=DOWN), t.deal(DEALER, 5, face=DOWN)
    t.settle(side=by_floor(strength(mine), {"pair": PAIR}), ante=compare(strength(mine), strength(his)))


SIDE = Wager("side", tables=[PayTable("even", {"pair": 1})])


def test_a_count_of_minutes_is_refused_before_it_begins_and_a_side_bet_does_not_fall_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pitboss.exact.kernels.hidden.MOST_STEPS", 0)  # as if there were no other way to count it
    study = Study(small_game(stud, ANTE, SIDE).at())
    assert "more than the 60 s that are waited for unasked; `patient=True` waits for it" in study.plan.refused["ante"]
    found = study.analysis()
    assert found.wager("side").ways == 2_598_960 and "ante cannot be counted" in found.refused["ante"]
    with pytest.raises(TooLarge, match="ante cannot be counted: a count would look at 2"):
        study.wager("ante")
    patient = Study(study.house, patient=True).plan.step("ante")
    assert patient is not None and patient.offer.seconds > 300


def test_seven_cards_at_once_are_counted_as_three_and_four_are() -> None:
    def play(t: Table) -> None:
        t.settle(ante=by_floor(strength(t.deal(PLAYER, 7)), {"pair": PAIR}))

    found = analyze(small_game(play, Wager("ante", required=True, tables=[PayTable("even", {"pair": 1})])).at())
    assert found.wager("ante").ways == 133_784_560


def nested(t: Table) -> None:
    cards = t.deal(PLAYER, 3)
    value = column(0)
    for i in range(40):
        value = where(cards[i % 3].rank > i % 13, lowest(value + 1, 60), highest(value - 1, -60))
    t.settle(ante=where(value > 3, WIN, where(value < -3, LOSE, PUSH)))


def test_forty_nested_steps_are_no_more_than_forty() -> None:
    from pitboss.deal import simulate

    house = small_game(nested, ANTE).at()
    exact = analyze(house).wager("ante")
    assert exact.ways == 132_600
    sampled = simulate(house, 1 << 18).wager("ante")
    assert sampled.z is not None and abs(sampled.z) < 5
    assert max(len(text) for text in sheet_steps(house)) < 200


def test_a_new_kernel_is_one_module_and_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Opened:
        def __init__(self, task: Task) -> None:
            self.task = task

        def law(self) -> Any:
            return plain_law(self.task.house, self.task.wagers, {("win",): 1, ("lose",): 3})

        def record(self, party: str) -> Any:
            return self.law().record(party)

    class Fortune:
        name = "ask the fortune teller"

        def offer(self, task: Task) -> Offer:
            if task.wagers != ("ante",):
                raise TooLarge("she sees one wager at a time")
            return Offer(self.name, 1, 4, 0.0, 1)

        def open(self, task: Task) -> Opened:
            return Opened(task)

    house = small_game(stud, ANTE, SIDE).at()
    monkeypatch.setattr(asking, "KERNELS", (*KERNELS, Fortune()))
    monkeypatch.setattr("pitboss.exact.kernels.hidden.MOST_STEPS", 0)
    assert Study(house).wager("ante").house_edge == Fraction(1, 2)
    step = Study(house).plan.step("ante")
    assert step is not None and step.offer.kernel == "ask the fortune teller"


def test_how_a_figure_is_known_is_part_of_it() -> None:
    bluff = Study(load("bluff").at(decks=8)).wager("ante")
    assert str(bluff.edge) == "4.2076%, exact 227/5395" and bluff.edge.exact == Fraction(227, 5395)
    main = Study(load("blackjack").at()).wager("main")
    assert (main.edge.method, main.deviation.method, main.hits.method) == (DOUBLE, SIMULATED, SIMULATED)
    assert main.edge.exact is None and main.deviation.error > 0 and 1.1 < float(main.deviation) < 1.2
    assert main.risk.method == DOUBLE and 0 < main.element_of_risk < main.house_edge
    assert bluff.risk.method == EXACT


def test_the_pot_is_no_part_of_all_bets_at_once_and_is_named() -> None:
    from pitboss.deal import simulate

    house = load("flop-poker-bonus").at()
    exact, sampled = Study(house).together(), simulate(house, 1 << 18).together
    assert exact is not None and sampled is not None
    assert list(exact.bets) == list(sampled.bets) == ["ante", "3-card-bonus"]
    assert exact.left_out == sampled.left_out == {"pot": "paid among the players"}
    assert abs(sampled.house_edge - float(exact.house_edge)) < 0.05


def test_an_unknown_name_is_one_sentence() -> None:
    study = Study(load("bluff").at())
    for ask in (study.wager, study.analysis().wager, study.analysis):
        with pytest.raises(BadInput, match="'nothing'"):
            ask("nothing")
    with pytest.raises(BadInput, match="strategy wild is not one of optimal, casual, rule or rule:N"):
        Study(load("bluff").at(), "wild")
    with pytest.raises(BadInput, match="decision 'later' is not one of"):
        study.chart("later")


@pytest.mark.parametrize(
    ("words", "most"),
    [
        ("analyze bluff", {"traces": 1, "inductions": 2}),  # the second of the two: hands that follow another
        ("analyze bluff --wager ante", {"traces": 1, "inductions": 1}),
        ("strategy bluff", {"traces": 1, "inductions": 1}),
        ("analyze flop-poker-bonus", {"traces": 1, "inductions": 1}),
        ("analyze packs-poker", {"traces": 1, "inductions": 1}),
        ("analyze blackjack --wager lucky-lucky", {"traces": 1, "inductions": 1, "positions": 0}),
        ("analyze blackjack", {"traces": 1, "inductions": 1, "positions": 1}),
        ("simulate bluff --rounds 1e5", {"traces": 1, "inductions": 1}),
        ("protect bluff --wager suit-tie --decks 2,6 --shoes 20", {"traces": 2, "inductions": 2}),
        ("design bluff --wager suit-tie --edge 4%..6%", {"traces": 1, "inductions": 1}),
    ],
)
def test_a_command_does_no_work_twice(words: str, most: dict[str, int], capsys: pytest.CaptureFixture[str]) -> None:
    from pitboss.rules import trace as tracing

    tracing._TRACED.clear()
    EFFORT.clear()
    assert main(words.split()) == 0
    spent = {what: EFFORT[what] for what in most}
    assert all(spent[what] <= n for what, n in most.items()), spent


def test_the_plan_is_shown_before_anything_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    EFFORT.clear()
    assert main(["analyze", "blackjack", "--plan"]) == 0
    shown = capsys.readouterr().out
    assert EFFORT["inductions"] == 0
    for words in ("draw hands card by card", "count deal by deal", "follow the drawn hand", "nothing was counted"):
        assert words in shown


def test_solver_and_study_give_the_same_record() -> None:
    house = load("bluff").at()
    assert Solver(house).wager_result("ante") == Study(house).wager("ante")
    assert BOARD and Study(house).laws(["ante", "suit-tie"])[0].record("ante") == Study(house).wager("ante")
