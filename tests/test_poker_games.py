"""Flop Poker Bonus and Pack's Poker, clause by clause; the figures of docs/poker.md are checked here."""

from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.cards import cards_of
from pitboss.catalog import load
from pitboss.deal import simulate
from pitboss.exact import Solver, Study, analyze
from pitboss.hands.categories import CATEGORIES
from pitboss.hands.census import census
from pitboss.hands.evaluate import strength_of
from pitboss.rules import BadInput

FLOP, PACKS = load("flop-poker-bonus"), load("packs-poker")
PAGE = (Path(__file__).parents[1] / "docs" / "poker.md").read_text()


@pytest.fixture(scope="module")
def flop() -> Solver:
    return Solver(FLOP.at())


@pytest.mark.parametrize(
    ("table", "edge", "printed"),
    [("A", Fraction(3300677, 50896300), "3.478"), ("B", Fraction(2760479, 50896300), "2.909")],
)
def test_FP_C6_FP_C7_the_edge_per_unit_bet(table: str, edge: Fraction, printed: str) -> None:
    found = analyze(FLOP.at(tables={"flop": table}), wager="ante").wager("ante")
    assert found.house_edge == edge and f"{edge}" in PAGE
    assert str(float(found.element_of_risk * 100)).startswith(printed)  # as printed, cut off
    assert sum(o.ways for o in found.outcomes) == 22_100 * 18_424


@pytest.mark.parametrize(
    ("table", "edge"), [("1", "4.199"), ("2", "5.376"), ("3", "7.457"), ("4", "2.498"), ("5", "3.674")]
)
def test_FP_C1_to_C5_three_card_bonus_from_the_census(table: str, edge: str) -> None:
    found = analyze(FLOP.at(tables={"3-card-bonus": table}), wager="3-card-bonus").wager("3-card-bonus")
    assert round(float(found.house_edge * 100), 3) == float(edge)
    assert found.ways == 22_100


def test_FP_3_the_rule_to_remember_loses_nothing(flop: Solver) -> None:
    best, rule = flop.wager_result("ante"), flop.playing("rule").wager_result("ante")
    assert rule.house_edge == best.house_edge and rule.outcomes == best.outcomes


def test_FP_C8_no_winner_of_the_three_card_bonus_is_folded(flop: Solver) -> None:
    folded = [row for row in flop.chart() if row.chosen == "fold"]
    assert len(folded) == 50
    assert all(strength_of(cards_of(row.cards)) < 0x2000 for row in folded)


def test_FP_7_the_pot_has_no_edge_and_varies_with_the_players() -> None:
    spread = []
    for seats in (2, 4, 6):
        found = simulate(FLOP.at(), 100_000, seats=seats).wager("pot")
        assert found.house_edge == 0 and found.standard_error == 0
        shares = {o.outcome: o.probability * float(o.pays + 1) for o in found.outcomes}
        assert sum(shares.values()) == pytest.approx(1)  # all that was put in comes out
        spread.append(found.std_dev)
    assert spread == sorted(spread)


def test_FP_1_the_bets_that_a_house_may_require() -> None:
    five = Fraction(5)
    FLOP.at({"required": "pot-either"}).check_bets({"pot": five, "3-card-bonus": five})
    for options, bets in (
        ({}, {"pot": five, "3-card-bonus": five}),
        ({"required": "pot-either"}, {"pot": five}),
        ({}, {"ante": five}),
        ({}, {"pot": Fraction(10), "ante": five}),
    ):
        with pytest.raises(BadInput):
            FLOP.at(options).check_bets(bets)


def test_PP_C1_PP_C2_the_pack_bet_exactly() -> None:
    base = Study(PACKS.at()).wager("pack")
    other = Study(PACKS.at({"rule": "alternative"})).wager("pack")
    assert base.ways == other.ways == 3_432_502_295_061_840
    assert base.house_edge == Fraction(118112683907, 7945607164495) and f"{base.house_edge}" in PAGE
    assert other.house_edge == Fraction(2141803971686, 71510464480455) and f"{other.house_edge}" in PAGE
    for rule, exact in (("base", base), ("alternative", other)):
        sampled = simulate(PACKS.at({"rule": rule}), 3_000_000, wager="pack").wager("pack")
        assert sampled.z is not None and abs(sampled.z) < 4 and sampled.exact == exact.house_edge


@pytest.mark.parametrize(("table", "printed"), [("report", "5.85"), ("H", "8.49"), ("I", "6.44"), ("J", "3.41")])
def test_PP_C3_PP_C7_the_ante_bonus(table: str, printed: str) -> None:
    found = Study(PACKS.at(tables={"ante-bonus": table})).wager("ante-bonus")
    assert f"{float(found.house_edge * 100):.2f}" == printed
    assert found.ways == 133_784_560


def test_PP_5_the_ante_bonus_counts_are_those_of_the_census() -> None:
    """Two ways: hands dealt as five and two, and all seven-card hands by ranks and suits."""
    found = {o.outcome: o.ways for o in Study(PACKS.at({"fixed-awards": "off"})).wager("ante-bonus").outcomes}
    floors = sorted((floor, name) for name, floor in CATEGORIES)
    ways: dict[str, int] = {}
    for value, n in census(7).items():
        name = max((f, name) for f, name in floors if f <= value)[1]
        ways[name] = ways.get(name, 0) + n
    assert {name: n for name, n in found.items() if name != "lose"} == {
        name: ways[name] for name in found if name != "lose"
    }


def bonus_edge(**options: object) -> Fraction:
    named = {name.replace("_", "-"): str(value) for name, value in options.items()}
    return Study(PACKS.at(named)).wager("ante-bonus").house_edge


def test_PP_6_the_stake_moves_the_edge_of_fixed_awards() -> None:
    edges = [bonus_edge(stake=s, long_royals="dollars") for s in (5, 25, 100)]
    assert edges == sorted(edges) and len(set(edges)) == 3
    awards = Fraction(4 * 25_000 + 180 * 5_000, 133_784_560)  # expected dollars of fixed awards a round
    assert edges[1] - edges[0] == awards / 5 - awards / 25
    assert bonus_edge(stake=5, fixed_awards="off") == bonus_edge(stake=25, fixed_awards="off")


def test_PP_5_a_long_royal_is_paid_its_highest_award() -> None:
    """At $25 a 6-card royal's $5,000 is less than 500 to 1; from $50 on so is a 7-card royal's $25,000."""
    assert bonus_edge(stake=5) == bonus_edge(stake=5, long_royals="dollars")  # PP-C3 is not touched
    short = Fraction(180 * (12_500 - 5_000), 25 * 133_784_560)
    assert bonus_edge(stake=25, long_royals="dollars") - bonus_edge(stake=25) == short
    assert bonus_edge(stake=50) == bonus_edge(stake=100) == bonus_edge(fixed_awards="off")
    house = PACKS.at()
    assert [house.net("ante-bonus", "6-card royal", Fraction(s)) * s for s in (5, 10, 25)] == [5_000, 5_000, 12_500]


def test_PP_C5_pack_and_ante_bonus_together() -> None:
    together = analyze(PACKS.at()).together
    assert together is not None
    assert together.house_edge == Fraction(2330416978453, 63564857315960) and f"{together.house_edge}" in PAGE
    sampled = simulate(PACKS.at(), 2_000_000).together
    assert sampled is not None
    assert sampled.correlation["pack & ante-bonus"] == pytest.approx(
        together.correlation["pack & ante-bonus"], abs=0.02
    )


def test_PP_C11_every_area_is_the_same_bet() -> None:
    parts = Study(PACKS.at())
    for kind in ("pack", "ante-bonus"):
        assert len({parts.wager(f"{kind}{area}").house_edge for area in ("", "-2", "-3")}) == 1


def test_PP_1_an_ante_bonus_needs_its_pack_unless_the_house_says_otherwise() -> None:
    bet = {"ante-bonus-2": Fraction(5)}
    with pytest.raises(BadInput, match="pack-2"):
        PACKS.at().check_bets(bet)
    PACKS.at({"bonus-alone": "yes"}).check_bets(bet)


def test_PP_2_one_deck_holds_eight_hands() -> None:
    with pytest.raises(BadInput, match="1 to 8 players, not 9"):
        simulate(PACKS.at(), 1000, seats=9)
    assert simulate(PACKS.at(), 1000, seats=8).rounds == 8000
