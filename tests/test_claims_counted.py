"""One count for many houses: what shares a count comes to what it comes to by itself, and nothing is counted twice."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from pitboss.catalog import load
from pitboss.claims import counted, judge, read_claims, shipped_claims
from pitboss.claims.counted import played, record_of
from pitboss.exact import Study
from pitboss.rules import LOSE, PLAYER, Game, PayTable, Table, Wager, row
from pitboss.rules import trace as tracing
from pitboss.rules.effort import EFFORT


@pytest.mark.parametrize(
    "game, options, tables, wager, strategy",
    [
        ("bluff", {"decks": 2, "tie": "push-first"}, {"suit-tie": "1,4,15"}, "suit-tie", "optimal"),
        ("bluff", {"meter": 20000, "progressive-bet": "returned"}, {}, "progressive", "optimal"),
        ("bluff", {"limit": "high", "meter": 20000}, {}, "ante", "casual"),
        ("flop-poker-bonus", {}, {"flop": "B"}, "ante", "optimal"),
        ("flop-poker-bonus", {}, {"3-card-bonus": "4", "flop": "B"}, "3-card-bonus", "optimal"),
        ("packs-poker", {"packs": 2, "fixed-awards": "off"}, {"ante-bonus": "NH3"}, "ante-bonus-2", "optimal"),
        ("blackjack", {"soft17": "hit"}, {"lucky-lucky": "3"}, "lucky-lucky", "optimal"),
        ("blackjack", {"lucky-break": "multiply"}, {"lucky-break": "2"}, "lucky-break", "optimal"),
    ],
)
def test_a_house_that_shares_a_count_comes_to_what_it_comes_to_by_itself(
    game: str,
    options: Mapping[str, object],
    tables: Mapping[str, str],
    wager: str,
    strategy: str,
) -> None:
    """Once the usual house has been counted, this one is paid from that count, or solved from it."""
    record_of(load(game).at(), wager, strategy)
    house = load(game).at(options, tables)
    by_itself = Study(house, strategy).wager(wager)
    assert record_of(house, wager, strategy) == by_itself
    if wager == "ante":
        assert played(house, strategy).wager(wager) == by_itself


def test_a_side_bet_that_hangs_on_a_choice_is_solved_for_what_the_main_bet_pays() -> None:
    """The player goes where the ante pays more, and the side bet wins only when he goes."""

    def play(t: Table) -> None:
        t.deal(PLAYER)
        goes = t.decide("stay", "go", name="which way") == "go"
        t.settle(ante=row("went" if goes else "stayed"), side=row("win") if goes else LOSE)

    tables = [PayTable("far", {"stayed": 1, "went": 2}), PayTable("near", {"stayed": 2, "went": 1})]
    game = Game("ways", "Two ways", play, [Wager("ante", required=True, tables=tables), Wager("side", needs="ante")])
    edges = {name: record_of(game.at(tables={"ante": name}), "side").house_edge for name in ("far", "near")}
    assert edges == {"far": -1, "near": 1}


def test_a_house_is_counted_once_for_all_claims_about_it() -> None:
    """Seven pay tables and nine claims of Flop Poker Bonus: the rounds are traced for the two ways in which the ante is
    played for its pays, and counted once for the ante and once for the side bet."""
    flop = next(path for path in shipped_claims() if path.stem == "flop-poker-bonus")
    _forget()
    before = EFFORT.copy()
    judge(read_claims(flop))
    judge(read_claims(flop))
    assert EFFORT["traces"] - before["traces"] <= 2
    assert EFFORT["inductions"] - before["inductions"] <= 2


def test_money_options_do_not_make_another_count() -> None:
    """The long-run edge under 112 seeds, increments and numbers of decks: a count for each number of decks."""
    bluff = next(path for path in shipped_claims() if path.stem == "bluff")
    document = read_claims(bluff)
    long_run = [c for c in document.claims if c.measure == "long-run edge"]
    _forget()
    before = EFFORT.copy()
    for claim in long_run:
        judge(replace(document, claims=(claim,)))
    assert EFFORT["inductions"] - before["inductions"] <= 8 and EFFORT["traces"] - before["traces"] <= 8


def _forget() -> None:
    """As in a new process."""
    counted._first.clear()
    counted._looks.clear()
    for memo in (counted._study, counted._record, counted.same_rounds, counted._by_itself, counted._paying):
        memo.cache_clear()
    tracing._TRACED.clear()
