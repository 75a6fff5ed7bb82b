"""Pay tables and dealer's policies by design, against tables tried one by one and policies counted over ranks."""

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import lcm
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from helpers import ROOT, SOURCE, random_games, stripped
from pitboss.cards import shoe_cards
from pitboss.catalog import load
from pitboss.cli import main
from pitboss.cli.design import _hands
from pitboss.compile import Keys, simulator
from pitboss.exact import Solver, Study, analyze
from pitboss.ledger.book import Book
from pitboss.rules import (
    DEALER,
    DOWN,
    LOSE,
    PLAYER,
    PUSH,
    WIN,
    BadInput,
    Choice,
    Game,
    House,
    PayTable,
    Ranks,
    Table,
    Wager,
    compare,
    dollars,
    row,
    where,
)
from pitboss.rules.column import node
from pitboss.rules.evaluate import evaluate
from pitboss.rules.options import show_value
from pitboss.rules.ranks import among, low_run, ranks_of, spelled_ranks
from pitboss.tune import linear
from pitboss.tune.asked import Free, Grid, Target, grid, read_edge, read_row, usual_grid
from pitboss.tune.dealt import Dealt, cards_dealt, check_nothing_carried, first_choices
from pitboss.tune.houses import at_values, values_of
from pitboss.tune.linear import Form, Tables
from pitboss.tune.odds import Paid, figures, linear_cases
from pitboss.tune.played import Played
from pitboss.tune.policy import _Lab, one_card_changes, policy_search, thresholds
from pitboss.tune.records import Designed, PolicySearch
from pitboss.tune.search import design
from pitboss.tune.taste import ugliness

BLUFF: Game = load("bluff")
ONE = Fraction(1)
sets_of_ranks = st.sets(st.integers(0, 12))


def example(name: str) -> str:
    return str(ROOT / "examples" / f"{name}.py")


# ---- sets of ranks as an option


@settings(max_examples=30)
@given(sets_of_ranks)
def test_a_set_of_ranks_is_read_back_as_it_is_spelled(ranks: set[int]) -> None:
    spelled = spelled_ranks(ranks)
    assert set(ranks_of(spelled)) == ranks
    option = Ranks("x", spelled, "")
    assert option.start() == option.parse(spelled.lower().replace(",", " , ")) == show_value(option.start()) == spelled


@pytest.mark.parametrize(
    ("text", "normal"),
    [("3,2", "2-3"), ("2-4,3-6", "2-6"), ("T-a", "10-A"), ("none", "none"), ("10", "10"), ("2,3,9 - A", "2-3,9-A")],
)
def test_a_set_of_ranks_has_one_normal_form(text: str, normal: str) -> None:
    assert Ranks("x", "none", "").parse(text) == normal


@pytest.mark.parametrize("text", ["1", "2-", "A-2", "", "2,,3", "joker", "2-3-4", "11"])
def test_what_is_no_set_of_ranks_is_one_sentence(text: str) -> None:
    with pytest.raises(BadInput, match=r"option dealer-folds: .* such as 2-6 or 2,3,9-A, or none"):
        BLUFF.at({"dealer-folds": text})


@settings(max_examples=30)
@given(sets_of_ranks)
def test_among_is_membership(ranks: set[int]) -> None:
    column = among(node("rank", (node("card", (0,), 0, 51),), 0, 12), spelled_ranks(ranks))
    assert [bool(evaluate(column, {0: 4 * r + 1}, {})) for r in range(13)] == [r in ranks for r in range(13)]


@settings(max_examples=30)
@given(sets_of_ranks)
def test_the_low_run_lies_below_every_rank_that_is_missing(ranks: set[int]) -> None:
    missing = set(range(13)) - ranks
    assert set(ranks_of(low_run(spelled_ranks(ranks)))) == {r for r in ranks if missing and r < min(missing)}


# ---- the dealer's policy: the rules once more, over ranks


def worth(move: str, mine: int, his: int, folds: set[int], raises: set[int], push: bool, again: bool = False) -> int:
    """BL-4 to BL-6 and BL-10 for one pair of ranks, in units."""
    high = (mine > his) - (mine < his)
    tied = push and mine == his
    if move == "raise":
        return (0 if tied else 1) if his in folds else 2 * high
    if move == "check":
        return (0 if tied else -1) if his in raises else high
    if his not in raises:
        return high
    if not again:
        return 2 * high
    checks = [r for r in range(13) if r not in raises]
    bluff = bool(checks) and his < min(checks)
    return (0 if tied else 1) if bluff else 3 * high


@cache
def moves(folds: str, raises: str, decks: int, push: bool, high_limit: bool) -> list[dict[str, Fraction]]:
    """Per card of the player's: what each move brings. No decks: cards are drawn with replacement."""
    out, sets = [], (set(ranks_of(folds)), set(ranks_of(raises)))
    for mine in range(13):

        def total(move: str, cards: Sequence[int], again: bool = False, mine: int = mine) -> Fraction:
            ways = (4 * decks - (mine == h) if decks else 1 for h in cards)
            nets = (worth(move, mine, h, *sets, push, again) for h in cards)
            return Fraction(sum(w * n for w, n in zip(ways, nets, strict=True)), 52 * decks - 1 if decks else 13)

        betting = list(ranks_of(raises))
        checking = [h for h in range(13) if h not in betting]
        facing = [total("call", betting)] + ([total("call", betting, again=True)] if high_limit else [])
        everything = range(13)
        out.append(
            {
                "check": total("check", everything),
                "call": total("call", checking) + max(facing),
                "raise": total("raise", everything),
            }
        )
    return out


def counted_edge(folds: str, raises: str, decks: int = 6, push: bool = False, high: bool = False) -> Fraction:
    return -sum((max(m.values()) for m in moves(folds, raises, decks, push, high)), Fraction(0)) / 13


FAMILY = sorted({spelled_ranks({*range(a), *range(13 - c, 13)}) for a in range(14) for c in range(14) if a + c <= 13})
SOME = ["none", "2", "2-3", "2-5", "2-6", "2-7", "2,A", "2-3,9-A", "2-3,10-A", "2-4,9-A", "9-A", "2-A"]


def counted_edges(family: Sequence[str], decks: int, push: bool, high: bool) -> dict[tuple[str, str], Fraction]:
    """Every pair of these sets: a raise meets the folding cards only, a check or a call the raising cards only."""
    raising = {f: [m["raise"] for m in moves(f, "none", decks, push, high)] for f in family}
    others = {r: [max(m["check"], m["call"]) for m in moves("none", r, decks, push, high)] for r in family}
    scale = lcm(*(x.denominator for table in (raising, others) for row in table.values() for x in row))
    whole = [{k: np.array([int(x * scale) for x in row]) for k, row in t.items()} for t in (raising, others)]
    return {
        (f, r): Fraction(-int(np.maximum(whole[0][f], whole[1][r]).sum()), 13 * scale)
        for f, r in product(family, family)
    }


@cache
def searched(tie: str, limit: str, decks: int) -> PolicySearch:
    """Some threshold policies; the transcripts of the docs search them all."""
    with mock.patch("pitboss.tune.policy.thresholds", lambda: SOME):
        return policy_search(BLUFF.at({"tie": tie, "limit": limit, "decks": decks}), top=10_000)


def at(folds: str, raises: str, **options: object) -> Fraction:
    policy = {"dealer-folds": folds, "dealer-raises": raises}
    return Study(BLUFF.at({**policy, **options})).wager("ante").house_edge


@settings(max_examples=4, deadline=None)
@given(sets_of_ranks, sets_of_ranks, st.sampled_from([2, 4, 6, 8]), st.booleans(), st.booleans())
def test_any_policy_comes_to_what_a_count_over_ranks_says(
    folds: set[int], raises: set[int], decks: int, push: bool, high: bool
) -> None:
    policy = spelled_ranks(folds), spelled_ranks(raises)
    options = {"decks": decks, "tie": "push-first" if push else "fold-first", "limit": "high" if high else "standard"}
    assert at(*policy, **options) == counted_edge(*policy, decks, push, high)


READINGS = [("fold-first", "standard", 6), ("fold-first", "high", 6), ("push-first", "standard", 2)]


@pytest.mark.parametrize(("tie", "limit", "decks"), READINGS)
def test_every_threshold_policy_comes_to_what_a_count_over_ranks_says(tie: str, limit: str, decks: int) -> None:
    found = searched(tie, limit, decks)
    wanted = counted_edges(SOME, decks, tie == "push-first", limit == "high")
    assert {tuple(p.policy.values()): p.edge for p in found.best} == wanted
    assert found.policies == len(wanted) == len(SOME) ** 2
    best = max(wanted.values())
    assert found.best[0].edge == best and found.ties == list(wanted.values()).count(best)
    printed = wanted["2-6", "2-3,9-A"]
    assert found.better == sum(edge > printed for edge in wanted.values())
    assert found.given_away == best - printed and found.threshold and found.usual


def test_the_printed_policy_is_the_best_of_them_and_no_other_is() -> None:
    for reading in (READINGS[0], READINGS[2]):
        found = searched(*reading)
        assert found.given_away == 0 and found.ties == 1 and found.better == 0
    for decks in (6, 0):
        every = counted_edges(FAMILY, decks, push=False, high=False)
        best = max(every.values())
        assert [policy for policy, edge in every.items() if edge == best] == [("2-6", "2-3,9-A")]
        assert len(every) == 92**2 and (decks == 0 or best == searched(*READINGS[0]).best[0].edge)


def test_at_the_high_limit_folding_one_card_less_is_better() -> None:
    found = searched(*READINGS[1])
    assert (found.printed.edge, found.best[0].edge) == (Fraction(75, 4043), Fraction(94, 4043))
    assert dict(found.best[0].policy) == {"dealer-folds": "2-5", "dealer-raises": "2-3,9-A"}
    assert at("2-5", "2-3,9-A", limit="high") == Fraction(94, 4043)


def test_every_change_of_one_card_is_priced() -> None:
    found = searched(*READINGS[0])
    assert len(found.changes) == 26
    for change in found.changes:
        sets = dict(found.printed.policy) | {change.option: change.ranks}
        now, before = set(ranks_of(change.ranks)), set(ranks_of(found.printed.policy[change.option]))
        assert now ^ before == {"23456789TJQKA".index(change.rank)}
        assert change.edge == counted_edge(sets["dealer-folds"], sets["dealer-raises"])
        assert change.cost == found.printed.edge - change.edge
    one = found.changes[5]
    assert at(one.ranks, "2-3,9-A") == one.edge


def test_the_answer_to_the_best_policy_is_the_optimal_strategy_against_it() -> None:
    answer = searched(*READINGS[1]).answer
    assert answer == analyze(BLUFF.at({"limit": "high", "dealer-folds": "2-5"})).strategy


def test_threshold_policies_are_each_listed_once() -> None:
    found = [set(ranks_of(t)) for t in thresholds()]
    wanted = [s for s in map(set, _subsets()) if _low_and_high(s)]
    assert len(found) == len(wanted) == len(FAMILY) == 92 and all(s in found for s in wanted)


def _subsets() -> Iterator[list[int]]:
    for mask in range(1 << 13):
        yield [r for r in range(13) if mask >> r & 1]


def _low_and_high(ranks: set[int]) -> bool:
    """What is missing is one run, or nothing."""
    missing = [r for r in range(13) if r not in ranks]
    return all(b - a == 1 for a, b in pairwise(missing))


def policy_game(read_early: bool) -> Game:
    """One card each; both sets of ranks matter to who stays, or one of them is read before the choice."""

    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER, 1, face=DOWN), t.deal(DEALER, 1, face=DOWN)
        early = read_early and t.when(among(his.rank, t.option("first")))
        if t.decide("fold", "stay") == "fold":
            t.settle(ante=LOSE if early else PUSH)
        elif t.when(among(his.rank, t.option("second"))):
            t.settle(ante=WIN)
        elif not read_early and t.when(among(his.rank, t.option("first"))):
            t.settle(ante=LOSE)
        else:
            t.settle(ante=compare(mine.rank, his.rank))

    sets = (Ranks("first", "9-A", "a set"), Ranks("second", "2", "another"))
    return Game("two-sets", "Two Sets", play, (Wager("ante", required=True),), sets)


@pytest.mark.parametrize("read_early", [True, False])
def test_sets_that_are_read_together_are_not_taken_apart(read_early: bool) -> None:
    lab = _Lab(policy_game(read_early).at(), "ante", ("first", "second"))
    some = [("none", "none"), ("9-A", "2-8"), ("3,7", "4,9")]
    assert lab._by_parts(some, lambda *_: None) is None
    assert lab.all_edges(some, lambda *_: None) == {p: Solver(lab.at(p)).wager_result("ante").house_edge for p in some}


@pytest.mark.usefixtures("few_policies")
def test_a_policy_that_was_asked_for_is_judged_in_place_of_the_printed_one() -> None:
    found = policy_search(STARE.at({"dealer-blinks": "2,5", "decks": 1}), top=1)
    assert not found.threshold and not found.usual
    assert found.printed.edge == stared(ranks_of("2,5"), 1)
    assert found.given_away == stared(ranks_of("2-6"), 1) - found.printed.edge > 0


def test_one_card_changes_undo_themselves() -> None:
    for i, rank, changed in one_card_changes(("2-6", "2-3,9-A")):
        assert list(one_card_changes(changed))[13 * i + rank][2] == ("2-6", "2-3,9-A")


STARE: Game = load(example("stare_down"))


def stared(blinks: Sequence[int], decks: int) -> Fraction:
    """Stare Down over pairs of cards: what the house keeps of an ante when every rank does what is better for it."""
    shoe = [rank for rank in range(13) for _ in range(4 * decks)]
    brought, away = [0] * 13, [0] * 13
    for i, mine in enumerate(shoe):
        for j, his in enumerate(shoe):
            if i != j:
                away[mine] -= 1
                brought[mine] += 1 if his in blinks else 2 * ((mine > his) - (mine < his))
    return Fraction(-sum(map(max, brought, away)), len(shoe) * (len(shoe) - 1))


@settings(max_examples=4, deadline=None)
@given(sets_of_ranks, st.sampled_from([1, 2]))
def test_a_policy_of_ones_own_game_comes_to_what_every_pair_of_cards_says(blinks: set[int], decks: int) -> None:
    house = STARE.at({"dealer-blinks": spelled_ranks(blinks), "decks": decks})
    assert analyze(house).wager("ante").house_edge == stared([*blinks], decks)


FEW = ["none", "2-4", "2-5", "2-6", "2-3,A", "2-A"]


@pytest.fixture
def few_policies(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what is shown: a search over a few sets."""
    monkeypatch.setattr("pitboss.tune.policy.thresholds", lambda: FEW)


@pytest.mark.parametrize("family", [thresholds(), FEW], ids=["dealt out", "too large to deal out"])
def test_the_best_policy_of_ones_own_game_is_the_best_of_all_pairs(
    family: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if family is FEW:
        monkeypatch.setattr("pitboss.tune.dealt.MOST_DEALS", 1_000)
        monkeypatch.setattr("pitboss.tune.policy.thresholds", lambda: FEW)
    done: list[tuple[int, int]] = []
    found = policy_search(STARE.at({"decks": 1}), 100, lambda *so_far: done.append(so_far))
    wanted = {t: stared(ranks_of(t), 1) for t in family}
    assert {p.policy["dealer-blinks"]: p.edge for p in found.best} == wanted and found.policies == len(family)
    assert found.best[0].policy["dealer-blinks"] == "2-6" and found.best[0].edge == max(wanted.values())
    assert found.better == sum(edge > wanted["2-4"] for edge in wanted.values())
    assert {c.ranks: c.edge for c in found.changes} == {c.ranks: stared(ranks_of(c.ranks), 1) for c in found.changes}
    assert done[-1][0] == done[-1][1] >= len(family)


def test_too_many_policies_of_a_game_too_large_to_deal_out_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.tune.dealt.MOST_DEALS", 1_000)
    with pytest.raises(BadInput, match=r"Bluff has too many deals to lay them out .* 1,000 are counted"):
        policy_search(BLUFF.at())


@pytest.mark.usefixtures("few_policies")
def test_the_last_line_analyses_the_best_policy_to_the_same_edge(capsys: pytest.CaptureFixture[str]) -> None:
    asked = "--policy -o decks=2 -o dealer-blinks=2-4 -p stare=1,0,-1 --json"
    assert main(["design", example("stare_down"), *asked.split()]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "-o decks=2 -o dealer-blinks=2-6 -p stare=1,0,-1" in found["analyze"]
    assert main([*shlex.split(found["analyze"])[1:], "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["wagers"]
    assert result["house_edge_exact"] == found["best_policies"][0]["house_edge_exact"] == "125/1339"


@pytest.mark.usefixtures("few_policies")
def test_across_an_option_the_best_policy_of_every_value_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["design", example("stare_down"), "--policy", "--across", "decks=1,6"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "1 3.6199% 8/221 9.8039% 5/51 6.1840 dealer-blinks 2-6" in out
    assert "6 4.0564% 164/4043 9.3990% 380/4043 5.3426 dealer-blinks 2-5" in out
    assert "the best policy with decks=1, whole:" in out and "-o decks=1 -o dealer-blinks=2-6" in out
    assert "for every value of decks The policy" in out  # no decks=6 in the heading


def test_hands_of_several_cards_are_parted_by_commas_and_cut_short() -> None:
    assert _hands(["2", "10", "A"]) == "2 10 A"
    assert _hands(["2 3", "4 5"]) == "2 3, 4 5"
    many = _hands([f"{n} A" for n in range(74)])
    assert many.startswith("0 A, 1 A, ") and many.endswith(", ... (74 hands)") and len(many) < 200


# ---- pay tables, tried one by one


def tables(
    game: Game,
    wager: str,
    edge: str | Target,
    rows: Sequence[str],
    *,
    step: str = "1",
    any_order: bool = False,
    **asked: Any,
) -> Designed:
    house = game.at(asked.pop("options", None), asked.pop("now", None)).but(shoe=asked.pop("shoe", None))
    now = house.tables[wager]
    houses = None
    if "across" in asked:
        asked["across"], values = values_of(house, asked["across"])
        house, houses = at_values(house, asked["across"], values, wager)
        now = house.tables[wager]
    bet = house.stake_on(wager)
    made = grid(now, [read_row(r, now, Fraction(step), bet) for r in rows], any_order, bet)
    target = read_edge(edge) if isinstance(edge, str) else edge
    return design(house, wager, target, made, top=asked.pop("top", 10**6), houses=houses, **asked)


def in_order(pays: Sequence[Fraction], rising: bool) -> bool:
    return all(a <= b if rising else a >= b for a, b in pairwise(pays))


def suit_tie_edge(pays: Sequence[Fraction], decks: int = 6) -> Fraction:
    """BL-8, by its closed form."""
    cards = 52 * decks - 1
    chances = Fraction(12 * decks, cards), Fraction(3 * decks, cards), Fraction(decks - 1, cards)
    return 1 - sum(chance * (pay + 1) for chance, pay in zip(chances, pays, strict=True))


bounds = st.tuples(st.integers(-1, 6), st.integers(0, 8)).map(lambda b: (b[0], b[0] + b[1]))


@settings(max_examples=12, deadline=None)
@given(st.tuples(bounds, bounds, bounds), st.booleans(), st.integers(-30, 30), st.integers(1, 25), st.booleans())
def test_a_plain_wager_gets_exactly_the_tables_that_trying_them_all_finds(
    ends: tuple[tuple[int, int], ...], any_order: bool, low: int, width: int, halves: bool
) -> None:
    step = Fraction(1, 2) if halves else ONE
    rows = [f"{row}={a}..{b}" for row, (a, b) in zip(("suit", "tie", "match"), ends, strict=True)]
    values = [[a + step * i for i in range(int((b - a) / step) + 1) if not -1 < a + step * i < 0] for a, b in ends]
    wanted = {
        pays: suit_tie_edge(pays)
        for pays in product(*values)
        if (any_order or in_order(pays, rising=True)) and low <= suit_tie_edge(pays) * 100 <= low + width
    }
    found = tables(BLUFF, "suit-tie", f"{low}%..{low + width}%", rows, step=str(step), any_order=any_order)
    assert found.tables == sum(any_order or in_order(p, rising=True) for p in product(*values))
    assert found.found == len(wanted) == (len(found.best) if wanted else 0)
    if wanted:
        listed = {tuple(map(Fraction, t.pays.values())): t.edge for t in found.best}
        assert listed == wanted and len(listed) == len(found.best)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_meeting_in_the_middle_counts_and_lists_what_there_is(data: st.DataObject) -> None:
    """Any numbers, any order, one house or two, and numbers that 64 bits do not hold."""
    rows = data.draw(st.integers(1, 5))
    free = [
        Free(f"r{i}", tuple(sorted(Fraction(v) for v in data.draw(st.sets(st.integers(0, 9), min_size=1, max_size=4)))))
        for i in range(rows)
    ]
    chained = data.draw(st.integers(0, rows))
    chain = tuple(range(chained)) if chained > 1 else ()
    huge = data.draw(st.sampled_from([1, 10**30]))
    slopes = st.lists(st.integers(-20, 20), min_size=rows, max_size=rows)
    forms = [
        Form(
            base * huge, tuple(tuple(int(s * v) * huge for v in f.values) for s, f in zip(sl, free, strict=True)), huge
        )
        for base, sl in data.draw(st.lists(st.tuples(st.integers(-9, 9), slopes), min_size=1, max_size=2))
    ]
    made = Grid(PayTable("", dict.fromkeys((f.row for f in free), 1)), tuple(free), "falling" if chain else "", chain)
    low = Fraction(data.draw(st.integers(-99, 99)))
    high = low + data.draw(st.integers(0, 60))

    def sums(pick: Sequence[int]) -> list[Fraction]:
        return [Fraction(f.base + sum(p[i] for p, i in zip(f.parts, pick, strict=True)), f.scale) for f in forms]

    all_picks = [
        pick
        for pick in product(*(range(len(f.values)) for f in free))
        if in_order([free[i].values[pick[i]] for i in chain], rising=False)
    ]
    wanted = sorted(pick for pick in all_picks if all(low <= s <= high for s in sums(pick)))
    with mock.patch.object(linear, "CHUNK", 7):
        found = Tables(made, forms)
        listed = sorted(tuple(int(i) for i in pick) for picks, _ in found.listed(low, high) for pick in picks)
    assert listed == wanted and found.count(low, high) == len(wanted) and made.total == len(all_picks)


@cache
def tried(name: str, wager: str, *rows: str) -> dict[tuple[Fraction, ...], Fraction]:
    """Tables analysed one by one, from the game file anew each time."""
    game = load(name)
    now, party = game.at().tables[wager], game.at().lead(wager)
    moves = {row: pays.split(",") for row, _, pays in (text.rpartition("=") for text in rows)}
    out = {}
    for typed in product(*moves.values()):
        pays = tuple(map(Fraction, typed))
        new = {**now.pays, **dict(zip(moves, pays, strict=True))}
        if in_order([p for p in new.values() if isinstance(p, Fraction)], rising=False):
            text = PayTable("", new).spelled()
            out[pays] = Study(game.at(tables={wager: text}).but(shoe=SHOES.get(name))).wager(party).house_edge
    return out


RED_DOG, SPREADS = example("red_dog"), ("spread of 1=4,5,6", "spread of 3=1,2,3")
SHOES = {example("let_it_ride"): stripped(range(8, 13))}  # quicker to count
PLAYED: list[tuple[str, str, tuple[str, ...], Target]] = [
    (RED_DOG, "ante", SPREADS, read_edge("2%..4%")),
    (RED_DOG, "raise", ("spread of 2=2,3,4,5", "spread of 4 to 11=1,2"), read_edge("1%..4%")),
    (example("let_it_ride"), "base", ("flush=8", "two pair=1,3"), Target(Fraction(-8), ONE)),
]


@pytest.mark.parametrize(("name", "wager", "rows", "target"), PLAYED, ids=lambda x: Path(str(x)).stem[:20])
def test_a_played_wager_gets_exactly_the_tables_that_trying_them_all_finds(
    name: str, wager: str, rows: tuple[str, ...], target: Target
) -> None:
    every = tried(name, wager, *rows)
    wanted = {p: e for p, e in every.items() if target.low <= e <= target.high}
    found = tables(load(name), wager, target, rows, shoe=SHOES.get(name))
    assert found.played and found.tables == len(every) and found.found == len(wanted) > 0
    assert len(wanted) < len(every) or len(every) == 2
    assert {tuple(Fraction(t.pays[row.split("=")[0]]) for row in rows): t.edge for t in found.best} == wanted


def test_a_new_table_changes_the_play_and_not_only_the_pays() -> None:
    """With the strategy of the printed table the edge would be another one."""
    game = load(RED_DOG)
    found = tables(game, "raise", "-99%..99%", ["spread of 2=1,40"], any_order=True)
    best = next(t for t in found.best if t.pays["spread of 2"] == "40")
    fixed = Solver(game.at(tables={"raise": best.paytable}), "raise-7").wager_result("ante").house_edge
    assert best.edge < fixed


def test_the_closest_are_the_closest_and_the_count_is_of_all() -> None:
    rows = [f"{r}=1..30" for r in ("suit", "tie", "match")]
    found = tables(BLUFF, "suit-tie", "5%", rows, top=7)
    every = sorted(
        (abs(suit_tie_edge(p) - Fraction(5, 100)) for p in product(range(1, 31), repeat=3) if p[0] <= p[1] <= p[2]),
    )
    assert [abs(t.edge - Fraction(5, 100)) for t in found.best] == every[:7]
    assert found.found == found.tables == len(every) == 30 * 31 * 32 // 6


def test_of_a_played_wager_too_the_closest_are_the_closest() -> None:
    every = sorted(abs(e - Fraction(3, 100)) for e in tried(RED_DOG, "ante", *SPREADS).values())
    found = tables(load(RED_DOG), "ante", "3%", SPREADS, top=4)
    assert [abs(t.edge - Fraction(3, 100)) for t in found.best] == every[:4] and found.found == len(every)


def test_where_nothing_meets_the_range_the_closest_is_named() -> None:
    found = tables(BLUFF, "suit-tie", "5%..5.1%", ["match=10..15"])
    assert found.found == 0 and [t.paytable for t in found.best] == ["1,3,15"]


def test_across_an_option_the_range_holds_at_every_value() -> None:
    rows = ["suit=1..2", "tie=1..9", "match=1..40"]
    found = tables(BLUFF, "suit-tie", "2%..10%", rows, across="decks")
    decks = (2, 4, 6, 8)
    wanted = {
        p: {str(d): suit_tie_edge(p, d) for d in decks}
        for p in product(range(1, 3), range(1, 10), range(1, 41))
        if in_order(p, rising=True) and all(Fraction(2, 100) <= suit_tie_edge(p, d) <= Fraction(1, 10) for d in decks)
    }
    assert {tuple(map(Fraction, t.pays.values())): dict(t.across) for t in found.best} == wanted
    assert found.found == len(wanted) > 5 and all(t.edge == t.across["6"] for t in found.best)


def test_across_an_option_of_a_played_wager_too() -> None:
    game = load(RED_DOG)
    found = tables(game, "ante", "2%..4%", ["spread of 1=4..6", "spread of 3=1..3"], across="decks")
    assert 0 < found.found < 9
    for t in found.best:
        for decks, edge in t.across.items():
            assert analyze(game.at({"decks": decks}, {"ante": t.paytable})).wager("ante").house_edge == edge
            assert Fraction(2, 100) <= edge <= Fraction(4, 100)


def test_across_some_values_the_first_stands_for_the_house_where_its_own_is_not_named() -> None:
    rows = ["tie=2..6", "match=8..40"]
    found = tables(BLUFF, "suit-tie", "2%..6%", rows, across="decks=8,4")
    wanted = {
        p: {str(d): suit_tie_edge(p, d) for d in (4, 8)}
        for p in product((1,), range(2, 7), range(8, 41))
        if in_order(p, rising=True) and all(Fraction(2, 100) <= suit_tie_edge(p, d) <= Fraction(6, 100) for d in (4, 8))
    }
    assert {tuple(map(Fraction, t.pays.values())): dict(t.across) for t in found.best} == wanted
    assert found.value == "4" and found.of.options["decks"] == 4 and found.ways == 208 * 207
    assert all(t.edge == t.across["4"] for t in found.best)
    assert dict(found.today.across) == {str(d): suit_tie_edge((1, 3, 15), d) for d in (4, 8)}  # type: ignore[arg-type]


def test_a_row_that_cannot_come_up_at_a_value_is_left_out_of_the_table_there() -> None:
    game = load("blackjack")
    rows, plain = ["suited 7-7-7=100,200", "7-7-7=40,50", "20=2,3"], {"split-to": 1}
    found = tables(game, "lucky-lucky", "-20%..20%", rows, across="decks=2,6", options=plain)
    assert found.found == 8
    for decks in ("2", "6"):
        house = game.at({**plain, "decks": decks})
        law = Study(house).law("lucky-lucky")
        for t in (*found.best, found.today):
            typed = t.paytable.split(",", 1)[1] if decks == "2" else t.paytable
            paying = law.paying(house.but(tables={"lucky-lucky": typed}))
            assert paying.record("lucky-lucky").house_edge == t.across[decks]


def test_the_same_table_is_tried_at_values_that_print_another_one() -> None:
    """High cards pay by the option; what is designed is one table for both, the rows that stay with it."""

    def play(t: Table) -> None:
        rank = t.deal(PLAYER).rank
        t.settle(ante=where(rank == 12, row("ace"), where(rank == 11, row("king"), LOSE)))

    def wagers(options: Any) -> list[Wager]:
        king = 1 if options["house"] == "mean" else 4
        return [Wager("ante", required=True, tables=[PayTable("printed", {"ace": 9, "king": king})])]

    game = Game("high", "High", play, wagers, [Choice("house", ("kind", "mean"), "what a king pays")])
    found = tables(game, "ante", "-50%..50%", ["ace=6..8"], across="house")
    for t in found.best:
        edge = 1 - Fraction(int(t.pays["ace"]) + 1 + 4 + 1, 13)
        assert dict(t.across) == {"kind": edge, "mean": edge}
    assert found.found == 3


TASTED = ["pair=lose..2", "flush=2..6", "straight=3..8"]


@cache
def tasted() -> Designed:
    return tables(load("flop-poker-bonus"), "3-card-bonus", "-5%..15%", TASTED)


@pytest.mark.parametrize("taste", ["hits", "calm", "wild", "pretty", "closest"])
def test_a_taste_puts_the_best_first_exactly(taste: str) -> None:
    every = tasted().best
    assert len(every) > 20
    first = tables(load("flop-poker-bonus"), "3-card-bonus", "-5%..15%", TASTED, taste=taste, top=5).best

    def place(t: Any) -> Any:
        pays = [Fraction(t.pays[row]) for row in ("pair", "flush", "straight")]
        ugly = sum(map(ugliness, pays))
        distance = abs(t.edge - Fraction(5, 100))
        return {"hits": -t.hits, "calm": t.variance, "wild": -t.variance, "pretty": ugly}.get(taste, 0), distance

    assert [place(t) for t in first] == sorted(map(place, every))[:5]
    assert len({t.hits for t in every}) > 1


def test_round_pays_are_pretty() -> None:
    ugly = [
        ugliness(Fraction(p)) for p in ("-1", "0", "1", "50", "2000", "3", "25", "8", "750", "9", "12", "13", "7/2")
    ]
    assert ugly == sorted(ugly) and ugly[0] == ugly[4] == 0 < ugly[5]


# ---- what a table comes to, and the command that says so


COUNTED = [
    ("bluff", "suit-tie", ["match=9..20"]),
    ("bluff", "progressive", ["match=$80..$150"]),
    ("bluff", "raise", ["win=1,2"]),
    ("flop-poker-bonus", "3-card-bonus", ["flush=2..5", "pair=lose..1"]),
    ("flop-poker-bonus", "flop", ["flush=15..25"]),
    ("bluff", "progressive", ["match=$80.50..$99.50..1/2"]),
    (example("casino_war"), "ante", ["surrender=-1/2,-1"]),
    (example("casino_war"), "tie", ["tie=9..12"]),
]


@pytest.mark.parametrize(("name", "wager", "rows"), COUNTED, ids=lambda x: Path(str(x)).stem[:20])
def test_the_last_line_analyses_the_best_table_to_the_same_edge(
    name: str, wager: str, rows: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word for row in rows for word in ("--row", row)]
    assert main(["design", name, "--wager", wager, "--edge", "5%", "--top", "3", "--json", *words]) == 0
    found = json.loads(capsys.readouterr().out)
    command = shlex.split(found["analyze"])
    assert command[:2] == ["pitboss", "analyze"] and "/" not in found["tables"][0]["paytable"].replace("-1/2", "")
    assert main([*command[1:], "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["wagers"]
    best = found["tables"][0]
    assert result["wager"] == found["edge_of"]
    for figure in ("house_edge_exact", "variance_exact", "hit_frequency_exact"):
        assert result[figure] == best[figure]


def test_other_pay_tables_and_options_stay_in_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    asked = "design bluff --wager suit-tie --edge 5% -o decks=8 -o limit=high -p raise=2,0,-1 -p suit-tie=1,3,12 --json"
    assert main(asked.split()) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["printed_table"]["paytable"] == "1,3,12"
    assert "-o decks=8 -o limit=high -p raise=2,0,-1 -p suit-tie=" in found["analyze"]
    assert found["analyze"].count("suit-tie=") == 1


def test_edge_and_hit_frequency_agree_with_a_simulation() -> None:
    game = load("flop-poker-bonus")
    best = tables(game, "flop", "4%..5%", ["straight=10..14", "flush=15..30"], top=1).best[0]
    study, hands = Study(game.at(tables={"flop": best.paytable})), 1 << 20
    keys = Keys(study.graph)
    machine = simulator(study.book.cells, keys, shoe_cards(study.house.composition))
    share = machine.run(hands, 5, 0, study.strategy_array(keys)) / hands
    worth, common = study.book.worth("ante")
    net = worth / common
    assert abs(share @ net + float(best.edge)) < 4 * best.std_dev / hands**0.5
    spread = (float(best.hits) * (1 - float(best.hits)) / hands) ** 0.5
    assert abs(share @ (net > 0) - float(best.hits)) < 4 * spread


def test_awards_in_dollars_and_pays_to_one_move_together() -> None:
    """From a short shoe, where royals are common."""
    house = load("packs-poker").at().but(shoe=stripped(range(7, 13)), placed=frozenset(["ante-bonus"]))
    now, bet = house.tables["ante-bonus"], house.stake_on("ante-bonus")
    rows = [read_row(text, now, ONE, bet) for text in ("6-card royal=$1000..$9000..1000", "straight=2..6")]
    found = design(house, "ante-bonus", Target(Fraction(-999), ONE), grid(now, rows, False, bet), top=99)
    assert found.found == len(found.best) == found.tables == 28
    law = Study(house).law("ante-bonus")
    for t in found.best[::5]:
        record = law.paying(house.but(tables={"ante-bonus": t.paytable})).record("ante-bonus")
        assert (record.house_edge, record.variance, record.hit_frequency) == (t.edge, t.variance, t.hits)


@pytest.mark.parametrize("name", ["bluff", "flop-poker-bonus", example("casino_war"), example("red_dog")])
def test_every_wager_comes_to_the_edge_of_its_analysis(name: str) -> None:
    """The table as it is, all its rows free to stay where they are: as a sum over rows, and solved anew."""
    house = load(name).at()
    study = Study(house)
    whole = study.analysis()
    for wager in house.wagers:
        now, party = house.tables[wager.name], house.lead(wager.name)
        result = whole.wager(party)
        rows = [Free(row, (pay,)) for row, pay in now.pays.items() if isinstance(pay, Fraction)]
        paid = Paid(study, wager.name, rows)
        if result.shared:
            continue
        pays = [f.values[0] for f in rows]
        cases, _ = linear_cases(paid)  # under the strategy for the table as it is
        found = figures(cases, pays)
        assert (found.edge, found.variance, found.hits) == (result.house_edge, result.variance, result.hit_frequency)
        if rows and party in study.decided:
            played = Played(paid, Grid(now, tuple(rows), "", ()))
            whole_pays = np.array([[int(p * played.pay_unit) for p in pays]])
            assert Fraction(int(played.edges(whole_pays)[0]), played.scale) == result.house_edge


def test_a_wager_that_has_a_kernel_of_its_own_comes_to_the_edge_on_its_page() -> None:
    house = load("blackjack").at({"split-to": 1})  # splits make no difference to it
    rows = [Free(row, (pay,)) for row, pay in house.tables["lucky-break"].pays.items() if isinstance(pay, Fraction)]
    cases, _ = linear_cases(Paid(Study(house), "lucky-break", rows))
    edge = figures(cases, [f.values[0] for f in rows]).edge
    assert f"{edge.numerator}/{edge.denominator}" in (ROOT / "docs" / "blackjack.md").read_text()


def without_what_is_carried(game: Game) -> House:
    """A random game from a short shoe, for those who carry nothing over."""
    house = game.at(shoe=stripped((0, 5, 12)))
    try:
        check_nothing_carried(Book(house), "ante")
    except BadInput:
        reject()
    return house


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(random_games())
def test_games_that_nobody_would_play_come_to_one_edge_in_three_ways(game: Game) -> None:
    """Counted by machine code, dealt out in numpy, and as vectors for any pay table; printed pays and others."""
    house = without_what_is_carried(game)
    book, counted = Book(house), Solver(house)
    dealt = first_choices(book, "ante", Dealt(house.composition, cards_dealt(book)))
    edge = counted.wager_result("ante").house_edge
    assert Fraction(-dealt.total, dealt.ways) == edge
    free = (Free("win", (ONE, Fraction(7, 2))), Free("push", (Fraction(0), ONE)))
    made = Grid(house.tables["raise"], free, "", ())
    played = Played(Paid(Study(house), "raise", free), made)
    for pays in product(*(f.values for f in free)):
        (found,) = played.edges(np.array([[int(p * played.pay_unit) for p in pays]]))
        again = counted.paying({"raise": made.paid(pays)}).wager_result("ante").house_edge
        assert Fraction(int(found), played.scale) == again
        fresh = house.but(tables={"raise": made.paid(pays)})
        assert pays[0] == 1 or Solver(fresh).wager_result("ante").house_edge == again


def test_other_options_keep_the_pay_tables_that_were_chosen() -> None:
    house = BLUFF.at({"decks": 4}, {"suit-tie": "1,3,12"})
    start, houses = at_values(house, "progressive", ["two", "three"])
    other = houses["three"]
    assert start == houses["two"] == house and other.options["decks"] == 4
    assert other.tables["suit-tie"].spelled() == "1,3,12" and "super jackpot" in other.tables["progressive"].pays


# ---- what may be asked


def test_pays_are_in_the_order_in_which_they_are_printed_now() -> None:
    def order(pays: dict[str, object], any_order: bool = False) -> tuple[str, tuple[int, ...]]:
        table = PayTable("t", pays)
        made = grid(table, [Free(row, (Fraction(1), Fraction(2))) for row in list(pays)[:2]], any_order, ONE)
        return made.order, made.chain

    assert order({"a": 5, "b": 3, "c": 1}) == ("falling", (0, 1))
    assert order({"a": 1, "b": 3, "c": 5}) == ("rising", (1, 0))
    assert order({"a": 3, "b": 1, "c": 5}) == ("", ())
    assert order({"a": 5, "b": 3, "c": 1}, any_order=True) == ("", ())


def test_rows_that_stay_bound_those_that_move() -> None:
    table = PayTable("t", {"a": 10, "b": 5, "c": 2})
    (b,) = grid(table, [read_row("b=0..20", table, ONE, ONE)], False, ONE).free
    assert b.values == tuple(map(Fraction, range(2, 11)))


def test_the_usual_bounds_are_half_to_double_and_hold_the_printed_table() -> None:
    table = load("flop-poker-bonus").at().tables["3-card-bonus"]
    made = usual_grid(table, ONE, False, ONE)
    for free in made.free:
        pay = table.pays[free.row]
        assert isinstance(pay, Fraction) and pay / 2 <= free.values[0] <= pay <= free.values[-1] <= 2 * pay
        assert all(v.denominator == 1 for v in free.values)
    assert made.printed() == tuple(table.pays.values())
    many = PayTable("t", {f"r{i}": 100 for i in range(30)})
    assert usual_grid(many, ONE, False, ONE).total <= 50_000_000


def test_the_usual_pays_are_in_steps_of_five_where_these_are_few() -> None:
    few, more = (PayTable("t", {f"r{i}": 60 for i in range(rows)}) for rows in (2, 6))
    fine, rough = ({int(v) for v in usual_grid(t, ONE, False, ONE).free[0].values} for t in (few, more))
    assert fine == {*range(30, 101, 5)} and rough == {30, 40, 50, 60, 75, 80, 100}


@pytest.mark.parametrize("room", ["design", "floor"])
def test_the_library_speaks_of_arguments_and_not_of_flags(room: str) -> None:
    for path in (SOURCE / room).glob("*.py"):
        assert not re.findall(r"--[a-z]+", path.read_text()), path.name


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("5%", "1/20", "1/20"),
        ("4%..6%", "1/25", "3/50"),
        ("4..6%", "1/25", "3/50"),
        ("1/20", "1/20", "1/20"),
        ("-0.01..0.02", "-1/100", "1/50"),
    ],
)
def test_an_edge_is_read_as_a_percentage_or_a_fraction(text: str, low: str, high: str) -> None:
    assert (read_edge(text).low, read_edge(text).high) == (Fraction(low), Fraction(high))


def test_a_range_below_a_push_has_no_steps() -> None:
    table = PayTable("t", {"a": 5, "surrender": "-1/2"})

    def pays(text: str, step: str = "1") -> list[str]:
        return [str(v) for v in read_row(text, table, Fraction(step), ONE).values]

    assert pays("a=lose..1", "1/2") == ["-1", "0", "1/2", "1"]
    assert pays("a=push,3,lose") == ["-1", "0", "3"]
    assert pays("a=lose..20", "5") == ["-1", "0", "5", "10", "15", "20"]
    assert pays("a=lose..20..10") == ["-1", "0", "10", "20"]
    assert pays("a=50..200..50") == ["50", "100", "150", "200"]
    assert pays("a=3..9", "5") == ["3", "8"]
    comma = PayTable("t", {"win, straight flush": 5})
    assert read_row("win, straight flush=4..5", comma, ONE, ONE) == Free("win, straight flush", (ONE * 4, ONE * 5))
    assert pays("surrender=-1/2..-1/4", "1/4") == ["-1/2", "-1/4"]  # ends that were typed
    assert pays("surrender=lose..1", "1/4") == ["-1", "-1/2", "0", "1/4", "1/2", "3/4", "1"]  # as it is printed
    assert pays("a=-3/4..1", "1/4") == ["-3/4", "0", "1/4", "1/2", "3/4", "1"]


def test_an_award_is_read_in_dollars_and_measured_against_the_bet() -> None:
    free = read_row("a=$5.50..$15..1/2", PayTable("t", {"a": 5}), ONE, Fraction(5))
    assert free.values[:2] == (Fraction(11, 10), Fraction(6, 5)) and len(free.values) == 20
    assert str(free.pay(free.values[0])) == "$5.50" and free.words() == "$5.50 to $15, step $0.50"


def test_awards_in_dollars_are_in_order_at_the_bet_they_are_measured_against() -> None:
    table = PayTable("t", {"a": dollars(100), "b": 5, "c": 1})

    def allowed(text: str, bet: int) -> tuple[str, list[str]]:
        made = grid(table, [read_row(text, table, Fraction(5), Fraction(bet))], False, Fraction(bet))
        return made.order, [str(made.free[0].pay(v)) for v in made.free[0].values]

    assert allowed("a=$15..$40", 5) == ("falling", ["$25", "$30", "$35", "$40"])  # $25 is 5 to 1
    assert allowed("b=0..40", 10) == ("falling", ["5", "10"])  # $100 is 10 to 1
    assert allowed("b=0..10", 100) == ("", ["0", "5", "10"])  # $100 is 1 to 1: no order now
    both = [read_row("a=$10..$40", table, Fraction(10), ONE * 5), read_row("b=2..8..2", table, ONE, ONE * 5)]
    made = grid(table, both, False, ONE * 5)
    assert made.total == sum(a / 5 >= b for a, b in product((10, 20, 30, 40), (2, 4, 6, 8))) == 10


SUIT_TIE = ("design", "bluff", "--wager", "suit-tie", "--edge", "5%")
MISTAKES: list[tuple[tuple[str, ...], tuple[str, ...]]] = [
    (("design", "bluff"), ("--edge", "--policy")),
    (("design", "bluff", "--edge", "5%", "--policy"), ("--edge", "--policy")),
    (("design", "bluff", "--edge", "5%"), ("--wager", "suit-tie")),
    (("design", "bluff", "--edge", "5%", "--wager", "insurance"), ("insurance", "suit-tie")),
    (("design", "bluff", "--edge", "lots", "--wager", "ante"), ("lots", "4%..6%")),
    (("design", "bluff", "--edge", "6%..5%", "--wager", "ante"), ("6%..5%", "lower")),
    (("design", "bluff", "--edge", "5", "--wager", "ante"), ("100%",)),
    (("design", "bluff", "--edge", "1..2..3%", "--wager", "ante"), ("1..2..3%",)),
    ((*SUIT_TIE, "--row", "flush=2..3"), ("'flush'", "suit, tie or match")),
    ((*SUIT_TIE, "--row", "match"), ("ROW=LOW..HIGH",)),
    ((*SUIT_TIE, "--row", "match=3..2"), ("match=3..2", "lower")),
    ((*SUIT_TIE, "--row", "match=2..x"), ("'2..x'",)),
    ((*SUIT_TIE, "--row", "match=-2..3"), ("cannot lose more",)),
    ((*SUIT_TIE, "--row", "match=$5..9"), ("dollars",)),
    ((*SUIT_TIE, "--row", "match=1..99999"), ("2,000", "larger step")),
    ((*SUIT_TIE, "--row", "match=1e30"), ("'1e30'", "ROW=LOW..HIGH")),
    ((*SUIT_TIE, "--row", "match=1e999999999"), ("'1e999999999'",)),
    ((*SUIT_TIE, "--row", "match=10000001"), ("match", "10,000,000")),
    ((*SUIT_TIE, "-p", "suit-tie=1,3,99999999"), ("match", "10,000,000")),
    ((*SUIT_TIE, "--row", "match=15..16..5"), ("step of 5 leaves 15 alone",)),
    ((*SUIT_TIE, "--row", "match=15..16..0"), ("step: '0' is not a number from 0.01",)),
    ((*SUIT_TIE, "--row", "match=1..2..3..4"), ("match=1..2..3..4",)),
    (
        (*SUIT_TIE, "--row", "suit=1/999999937,9000000", "--row", "tie=1/999999929", "--any-order"),
        ("unit in common",),
    ),
    ((*SUIT_TIE, "--row", "suit=5,6"), ("suit pays between lose and 3 to 1", "--any-order")),
    ((*SUIT_TIE, "--across", "decks=3,4"), ("'3'", "2, 4, 6 or 8")),
    ((*SUIT_TIE, "--across", "decks="), ("decks=", "2, 4, 6 or 8")),
    ((*SUIT_TIE, "--across", ""), ("decks",)),
    (("design", example("let_it_ride"), "--wager", "base", "--edge", "5%", "--across", "x"), ("not one of rounding",)),
    (
        ("design", "blackjack", "-o", "decks=2", "--wager", "lucky-lucky", "--edge", "5%", "--across", "decks"),
        ("suited 7-7-7", "start from a house with decks=3"),
    ),
    ((*SUIT_TIE, "--row", "match=1", "--row", "match=2"), ("match", "twice")),
    ((*SUIT_TIE, "--row", "match=1..2"), ("--any-order",)),
    ((*SUIT_TIE, "--step", "0"), ("step: '0' is not a number from 0.01",)),
    ((*SUIT_TIE, "--taste", "nice"), ("nice", "closest, hits, calm, wild or pretty")),
    ((*SUIT_TIE, "--taste", "calm"), ("calm", "4%..6%")),
    ((*SUIT_TIE, "--across", "deck"), ("'deck'", "decks")),
    ((*SUIT_TIE, "--across", "meter"), ("'meter'", "decks")),
    ((*SUIT_TIE, "--top", "0"), ("--top 0",)),
    (("design", "bluff", "--wager", "progressive", "--edge", "5%"), ("match=$50..$150",)),
    (("design", "bluff", "--wager", "progressive", "--edge", "5%", "--row", "jackpot=3"), ("meter",)),
    (
        ("design", "bluff", "--wager", "progressive", "--edge", "5%", "--row", "match=$9", "--across", "progressive"),
        ("start from a house with progressive=three",),
    ),
    (
        ("design", "blackjack", "--wager", "main", "--edge", "1%", "-o", "split-to=1"),
        ("any number of cards", "lucky-lucky"),
    ),
    (("design", "flop-poker-bonus", "--wager", "pot", "--edge", "1%"), ("among the players",)),
    (("design", example("let_it_ride"), "--wager", "first", "--edge", "1%"), ("table of base",)),
    (("design", example("red_dog"), "--policy"), ("no dealer's policy",)),
    *((("design", "bluff", "--policy", *flag), (flag[0], "--policy"))
      for flag in (["--wager", "ante"], ["--row", "a=1"], ["--taste", "calm"], ["--step", "2"], ["--any-order"])),
    (("design", "bluff", "--policy", "--across", "limit", "--top", "1"), ("--top",)),
    (("design", "bluff", "--policy", "-o", "dealer-folds=x"), ("dealer-folds", "'X'")),
    (
        (
            "design", "flop-poker-bonus", "--wager", "3-card-bonus", "--edge", "5%", "--row=royal=1..999",
            "--row=straight flush=1..999", "--row=three of a kind=1..999", "--row=straight=1..999",
            "--row=flush=1..999", "--row=pair=1..999",
        ),
        ("too many", "fewer rows"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("words", "told"), MISTAKES, ids=lambda w: " ".join(w)[-40:])
def test_a_mistake_is_one_sentence_and_exit_code_2(
    words: tuple[str, ...], told: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(words)) == 2
    out = capsys.readouterr()
    assert out.out == "" and out.err.startswith("pitboss: ") and out.err.count("\n") == 1
    for word in told:
        assert word in out.err


def test_too_many_tables_to_rank_are_still_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.tune.search.MOST_RANKED", 100)
    with pytest.raises(BadInput, match=r"^906 pay tables meet it, too many to rank by calm"):
        tables(BLUFF, "suit-tie", "-90%..90%", ["suit=1..9", "tie=1..20", "match=1..30"], taste="calm")
    monkeypatch.setattr("pitboss.tune.search.MOST_REPLAYED", 2)
    with pytest.raises(BadInput, match="too many to play each through"):
        tables(load(RED_DOG), "ante", "-99%..99%", ["spread of 1=4..9"], taste="hits")
    monkeypatch.setattr("pitboss.tune.branch.MOST_OPEN", 3)
    with pytest.raises(BadInput, match="more than 3 pay tables are left"):
        tables(load(RED_DOG), "ante", "-99%..99%", ["spread of 1=4..9"])


def test_numbers_beyond_doubles_are_solved_in_whole_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, game = ["spread of 1=4..6", "spread of 3=1..3"], load(RED_DOG)
    quick = tables(game, "ante", "1%..5%", rows)
    monkeypatch.setattr("pitboss.tune.played.EXACT", 1)
    assert tables(game, "ante", "1%..5%", rows) == quick


# ---- what is shown


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["design", *words]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_across_an_option_every_figure_says_which_value_it_is_of(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    asked = ("bluff", "--wager", "suit-tie", "--edge", "2%..10%", "--row", "tie=5..6", "--row", "match=8..9")
    out = shown(capsys, *asked, "--across", "decks")
    assert "hits (6) std. dev. (6)" in out and "pay tables of the suit-tie row" in out  # no decks=6 in the heading
    assert "now 1,3,15 (printed) 14.5631% 7.2464% 4.8232% 3.6145%" in out  # with two decks it misses
    assert "printed now: 1,3,15, house edge 4.8232% = 15/311 with decks=6" in out
    out = shown(capsys, *asked, "--across", "decks=2,4", "-o", "tie=push-first")
    assert "hits (2)" in out and "tie=push-first" in out
    assert "analyze bluff --wager suit-tie -o tie=push-first -o decks=2 -p suit-tie=" in out


@pytest.mark.parametrize(
    ("edge", "row", "told"),
    [
        ("4%..5%", "match=15", "The one pay table has an edge of 4% to 5% of the suit-tie:"),
        ("5%..6%", "match=15", "The one pay table does not have an edge of 5% to 6% of the suit-tie. It has:"),
        ("5%", "match=15", "The one pay table, where 5% of the suit-tie is wanted:"),
        ("5%..6%", "match=15,16", "None of 2 pay tables has an edge of 5% to 6% of the suit-tie."),
        ("4%..5%", "match=15,16", "1 of 2 pay tables has an edge of 4% to 5% of the suit-tie; this one:"),
        ("2%..5%", "match=15,16", "2 of 2 pay tables have an edge of 2% to 5% of the suit-tie; all, nearest"),
    ],
)
def test_the_answer_is_a_sentence(edge: str, row: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert told in shown(capsys, "bluff", "--wager", "suit-tie", "--edge", edge, "--row", row)


def test_a_played_wager_says_whose_hits_they_are_and_tells_how_far_it_is() -> None:
    told: list[tuple[str, int]] = []
    asked: dict[str, Any] = {"taste": "calm", "tick": lambda *so_far: told.append(so_far)}
    found = tables(load(RED_DOG), "ante", "-9%..9%", ["spread of 1=4..6"], **asked)
    assert [n for what, n in told if what == "ranked"] == [*range(1, found.found + 1)] and found.found > 1
    assert any(what == "solved" for what, _ in told)


def test_equal_choices_are_named_and_a_losing_half_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--wager", "ante", "--edge", "2%..4%", "--row", "surrender=-1/2..-1/4", "--step", "1/4", "--any-order")
    out = shown(capsys, example("casino_war"), *asked)
    assert "surrender -1/2, -1/4" in out and "1 1,-1/2 (printed) 2.8771%" in out
    assert "the choice that is listed first, where several are equally good" in out


# ---- the JSON


@pytest.mark.usefixtures("few_policies")
def test_every_json_field_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "json.md").read_text()
    section = page[page.index("## `design`") :]
    for words in (
        (*SUIT_TIE, "--across", "decks"),
        ("design", example("stare_down"), "--policy", "--across", "decks=1"),
    ):
        assert main([*words, "--json"]) == 0
        for field in _fields(json.loads(capsys.readouterr().out)):
            assert f"`{field}`" in section or f"`{field}`" in page, field


def _fields(data: Any) -> set[str]:
    if isinstance(data, list):
        return set().union(*map(_fields, data))
    if not isinstance(data, dict):
        return set()
    named = {"options", "paytables", "bounds", "pays", "across", "policy", "answer"}
    inner = [_fields(v) for k, v in data.items() if k not in named]
    if isinstance(data.get("across"), dict):
        inner += [_fields(v) for v in data["across"].values()]
    return set(data).union(*inner)
