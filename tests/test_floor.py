"""What a table earns: against direct convolution, against rounds that are really dealt, and against brute force."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import comb, exp, log, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from helpers import ROOT, SOURCE, load_game, run, stripped
from pitboss.cards import shoe_cards
from pitboss.catalog import load
from pitboss.compile import Keys, dealt_rounds, reference_cells, simulator
from pitboss.earn import Floor, Plan, earn
from pitboss.earn import dealt as dealing
from pitboss.earn import seat as seating
from pitboss.earn.crowd import Crowd, crowd
from pitboss.earn.dealt import sampled
from pitboss.earn.jackpots import most_hits, waiting_time
from pitboss.earn.joint import all_as_one
from pitboss.earn.lattice import Chain, Chances, Round, plain, unit_of
from pitboss.earn.records import Period
from pitboss.earn.seat import effective, mixed, parts_of, reseeded, strategy_array
from pitboss.exact import Solver, Study
from pitboss.exact.kernels import draw, showdown
from pitboss.exact.showdown import Showdown
from pitboss.ledger.book import Book
from pitboss.ledger.figure import Figure
from pitboss.rules import Game, House

F = Fraction
RED_DOG = ROOT / "examples" / "red_dog.py"
WAR = ROOT / "examples" / "casino_war.py"
HALF = {F(1): F(1, 2), F(-1): F(1, 2)}


HANDS = ("high card", "straight", "7-card royal flush")
SHOWN = Showdown(HANDS, {(a, b): 10 for a in HANDS for b in HANDS}, {(a, a): 4 for a in HANDS}, 90)
"""A made-up count of two hands against each other: the real one takes seconds, and is checked elsewhere."""


@pytest.fixture(autouse=True)
def fewer_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Enough for tests; standard errors are taken into account wherever a figure is simulated."""
    monkeypatch.setattr(dealing, "HANDS", 1 << 21)
    monkeypatch.setattr(seating, "CHUNKS", 2)
    monkeypatch.setattr(showdown, "_kept_showdown", lambda: SHOWN)
    monkeypatch.setattr(draw.Drawn, "_dealt", (Figure(F(1)), Figure(F(0))), raising=False)  # no test looks at it


@cache
def studied(house: House) -> Study:
    """One study of a house, however many tests ask for it."""
    return Study(house)


def small(name: str) -> House:
    """A game with rules that make it quicker to count."""
    return load(name).at(SMALLER.get(name))


def betting(name: str, *wagers: str) -> Study:
    """Such a game with these bets only."""
    return studied(small(name).but(placed=frozenset(wagers)))


SMALLER = {"blackjack": {"split-to": 1}, "packs-poker": {"bonus-alone": "yes", "packs": 2}}


def table(name: str, bets: Mapping[str, int], seats: int = 5, **more: Any) -> Floor:
    return earn(small(name), Plan(seats=seats, bets={w: F(b) for w, b in bets.items()}, **more))


@cache
def bluff_night() -> Floor:
    return table("bluff", {"ante": 25, "suit-tie": 25})


@cache
def lucky_night() -> Floor:
    plan = Plan(seats=5, bets={"main": F(5), "lucky-break": F(25)}, risk=F(1, 50))
    return earn(small("blackjack"), plan)


@cache
def packs_night() -> Floor:
    return table("packs-poker", {"ante-bonus": 5})


# ---- sums on a lattice


def convolved(results: list[tuple[Chances, int]], rounds: int) -> dict[Fraction, Fraction]:
    """The distribution of the sum, one result after the other, in fractions."""
    total: dict[Fraction, Fraction] = {F(0): F(1)}
    for chances, copies in results:
        for _ in range(copies * rounds):
            after: dict[Fraction, Fraction] = {}
            for (a, p), (b, q) in product(total.items(), chances.items()):
                after[a + b] = after.get(a + b, F(0)) + p * q
            total = after
    return total


@st.composite
def results(draw: st.DrawFn) -> dict[Fraction, Fraction]:
    values = draw(st.lists(st.integers(-12, 12), min_size=1, max_size=4, unique=True))
    weights = [draw(st.integers(1, 9)) for _ in values]
    scale = F(draw(st.sampled_from((1, 5, 25))), draw(st.sampled_from((1, 2, 3))))
    return {v * scale: F(w, sum(weights)) for v, w in zip(values, weights, strict=True)}


@settings(max_examples=40)
@given(results(), results(), st.integers(1, 3), st.integers(1, 4))
def test_the_transform_is_the_convolution(a: Chances, b: Chances, copies: int, rounds: int) -> None:
    parts = [(a, copies), (b, 1)]
    found = Round(plain(convolved(parts, 1))).after(rounds)
    direct = convolved(parts, rounds)
    for value, chance in zip(found.dollars, found.chances, strict=True):
        at = F(round(value / float(found.unit))) * found.unit
        assert abs(chance - float(direct.get(at, F(0)))) < 1e-12
    assert abs(found.chances.sum() - 1) < 1e-12
    assert found.below_zero == pytest.approx(float(sum(p for v, p in direct.items() if v < 0)), abs=1e-12)
    assert found.at_zero == pytest.approx(float(direct.get(F(0), F(0))), abs=1e-12)


@given(results(), st.integers(1, 60_000))
@settings(max_examples=40)
def test_mean_and_variance_are_those_of_the_results(a: Chances, rounds: int) -> None:
    one = Round(plain(a))
    found = one.after(rounds)
    assert found.mean == pytest.approx(one.mean * rounds, rel=1e-8, abs=1e-7 * max(1.0, one.variance * rounds) ** 0.5)
    assert found.variance == pytest.approx(one.variance * rounds, rel=1e-7, abs=1e-6)


def test_a_rare_award_keeps_its_tail() -> None:
    """A bet that loses 25,000 once in a hundred thousand: the number of hits is binomial, far out too."""
    p = F(1, 100_000)
    found = Round(plain({F(1): 1 - p, F(-24_999): p})).after(20_000)
    for hits in range(5):
        chance = comb(20_000, hits) * float(p) ** hits * float(1 - p) ** (20_000 - hits)
        place = 20_000 - 25_000 * hits - found.start
        assert found.chances[place] == pytest.approx(chance, rel=1e-6)


def test_a_lattice_that_is_too_fine_is_made_coarser_and_keeps_the_mean() -> None:
    fine = Round(plain({F(100): F(1, 2), F("-99.99"): F(1, 2)}))
    assert fine.unit == F(1, 100)
    rough, whole = fine.after(1_000, 1 << 12), fine.after(1_000)
    assert rough.unit > whole.unit
    assert rough.mean == pytest.approx(whole.mean, abs=1e-4)
    assert rough.below_zero == pytest.approx(whole.below_zero, abs=2e-2)


@settings(max_examples=40)
@given(st.lists(st.fractions(-100, 100, max_denominator=20), min_size=1, max_size=6))
def test_a_unit_divides_every_amount(values: list[Fraction]) -> None:
    unit = unit_of(values)
    whole = [v / unit for v in values]
    assert all(v.denominator == 1 for v in whole)
    assert not any(whole) or np.gcd.reduce([int(v) for v in whole]) == 1


# ---- ruin


def test_the_bankroll_of_a_coin_toss_is_known() -> None:
    """Even money with an edge: ruin from b units has probability ((1-p)/p)^b, and Lundberg's bound is exact."""
    p = F(11, 20)
    one = Round(plain({F(1): p, F(-1): 1 - p}))
    assert one.ruin_exponent() == pytest.approx(log(float(p / (1 - p))), rel=1e-9)


@given(st.integers(2, 40), st.integers(1, 9))
def test_the_coefficient_solves_its_equation(award: int, edge: int) -> None:
    p = F(1, award + 1) * F(10 - edge, 10)
    chances = {F(1): 1 - p, F(-award): p}
    r = Round(plain(chances)).ruin_exponent()
    assert r > 0
    assert sum(float(q) * exp(-r * float(x)) for x, q in chances.items()) == pytest.approx(1.0, abs=1e-9)


def test_the_bound_holds_in_simulated_ruins() -> None:
    """A rare award of 20: simulated ruin stays below the risk asked for, and the normal formula asks for less."""
    p, risk = 0.03, 0.05
    chances = {F(1): F(97, 100), F(-20): F(3, 100)}
    one = Round(plain(chances))
    random = np.random.default_rng(5)
    paths, steps = 4000, 1500

    def ruined(bankroll: float) -> float:
        won = np.where(random.random((paths, steps)) < p, -20, 1).cumsum(1).min(1)
        return float((won <= -bankroll).mean())

    enough = one.bankroll(risk)
    normal = log(1 / risk) * one.variance / (2 * one.mean)
    error = sqrt(risk * (1 - risk) / paths)
    assert risk / 4 < ruined(enough) < risk + 4 * error
    assert enough > normal


def test_a_house_that_cannot_lose_needs_no_bankroll_and_one_that_does_not_win_has_none() -> None:
    assert Round(plain({F(1): F(1, 2), F(0): F(1, 2)})).ruin_exponent() == float("inf")
    assert Round(plain(HALF)).ruin_exponent() == 0.0
    assert Round(plain({F(1): F(1, 2), F(0): F(1, 2)})).bankroll(0.01) == 0.0


@settings(max_examples=30)
@given(st.integers(1, 40), st.integers(1, 40))
def test_a_bankroll_grows_as_the_risk_falls(a: int, b: int) -> None:
    low, high = sorted((a, b))
    one = Round(plain({F(1): F(97, 100), F(-20): F(3, 100)}))
    needs = [one.bankroll(risk / 100) for risk in (low, high)]
    assert needs[0] > needs[1] or low == high


def test_the_bound_holds_for_rounds_that_depend_on_each_other() -> None:
    """A loss makes a large one possible in the next round: simulated ruin stays within the risk, and near it."""
    moves = {
        (0, 0): {F(1): F(9, 10)}, (0, 1): {F(-1): F(1, 10)}, (1, 0): {F(1): F(1, 2), F(-6): F(1, 2)},
    }  # fmt: skip
    chain = Chain((F(10, 11), F(1, 11)), moves)
    one, risk = Round(chain), 0.05
    random = np.random.default_rng(6)
    paths = 20_000
    state = (random.random(paths) < 1 / 11).astype(int)
    total, lowest = np.zeros(paths), np.zeros(paths)
    for _ in range(400):
        luck = random.random(paths)
        won = np.where(state == 0, np.where(luck < 0.9, 1, -1), np.where(luck < 0.5, 1, -6))
        state = ((state == 0) & (luck >= 0.9)).astype(int)
        total += won
        lowest = np.minimum(lowest, total)
    ruined = float((lowest <= -one.bankroll(risk)).mean())
    assert risk / 5 < ruined < risk + 4 * sqrt(risk / paths)
    assert one.bankroll(risk) > Round(plain(chain.chances)).bankroll(risk)  # as if independent: too little


# ---- one seat


@pytest.mark.parametrize("path", [SOURCE / "games" / "bluff.py", WAR, RED_DOG], ids=lambda p: p.stem)
def test_a_seat_is_the_exact_analysis_of_all_its_bets(path: Any) -> None:
    house = load_game(path).at()
    bets = {w: house.least_bet(w) for w in house.parties}
    study = studied(house)
    (part,) = parts_of(study, bets, 1)
    together = study.together(bets)
    assert together is not None
    chances = mixed(house, part, {}, list(bets)).chances
    aside = sum(house.amount(m.increment) for w in bets for _, m in house.meters(w))
    joint: dict[Fraction, Fraction] = {}
    for o in together.joint:
        joint[-o.pays - aside] = joint.get(-o.pays - aside, F(0)) + o.probability
    assert dict(chances) == joint


def test_theo_is_the_edge_of_the_analysis_and_of_a_progressive_its_long_run_edge() -> None:
    house = load("bluff").at()
    found = earn(house, Plan(seats=2, bets={"ante": F(25), "suit-tie": F(5), "progressive": F(5)}, hands=70))
    exact = studied(house).analysis()
    edges = {w.wager: w.house_edge for w in exact.wagers} | {p.wager: p.long_run_edge for p in exact.progressives}
    for theo in found.theos:
        assert theo.edge == edges[theo.wager]
        assert theo.per_hour == theo.edge * theo.bet * 2 * 70
    assert found.round_mean * 70 == sum(t.per_hour for t in found.theos)
    assert found.shift.theo == found.round_mean * 560 and found.month.theo == found.shift.theo * 30


def test_a_side_bet_on_some_hands_is_a_mixture() -> None:
    house = load("bluff").at()
    bets = {"ante": F(25), "suit-tie": F(5)}
    (part,) = parts_of(studied(house), bets, 1)
    half = mixed(house, part, {"suit-tie": F(2, 5)}, list(bets)).chances
    never, always = (mixed(house, part, {"suit-tie": F(r)}, list(bets)).chances for r in (0, 1))
    for value in half:
        assert half[value] == F(3, 5) * never.get(value, F(0)) + F(2, 5) * always.get(value, F(0))
    assert sum(half.values()) == 1


def test_a_bet_that_needs_another_is_made_on_a_share_of_its_hands() -> None:
    house = load("packs-poker").at({"packs": 2})
    rates = {"pack-2": F(1, 2), "ante-bonus-2": F(1, 2)}
    assert effective(house, ["pack", "pack-2", "ante-bonus-2"], rates)["ante-bonus-2"] == F(1, 4)
    (part,) = parts_of(studied(house), {"pack-2": F(10), "ante-bonus-2": F(5)}, 1)
    assert mixed(house, part, rates, part.wagers).mean == part.theo("pack-2") / 2 + part.theo("ante-bonus-2") / 4


def test_a_figure_that_is_not_a_count_has_no_fraction() -> None:
    data = lucky_night().json()
    assert data["method"] == "simulated"
    assert data["shift"]["theo_exact"] is data["round"]["theo_exact"] is data["wagers"][0]["edge_exact"] is None
    assert data["shift"]["std_dev_standard_error"] > 0 and data["shift"]["chance_to_lose"]["standard_error"] > 0
    assert data["bankroll"]["standard_error"] > 0 and data["shift"]["quantiles"][0]["standard_error"] > 0
    assert bluff_night().json()["shift"]["std_dev_standard_error"] == 0


def test_areas_that_share_no_pack_are_counted_apart() -> None:
    study = studied(small("packs-poker"))
    bets = {w: F(5) for w in ("pack", "ante-bonus", "pack-2", "ante-bonus-2")}
    groups = [part.wagers for part in parts_of(study, bets, 1)]
    assert sorted(groups) == [("pack", "ante-bonus"), ("pack-2", "ante-bonus-2")]


def test_fixed_awards_are_worth_less_to_a_larger_bet() -> None:
    house = small("packs-poker")
    study = studied(house)
    parts = [parts_of(study, {"pack": F(b), "ante-bonus": F(b)}, 1)[0] for b in (5, 50)]
    little, large = parts[0].theo("ante-bonus") / 5, parts[1].theo("ante-bonus") / 50
    (law,) = study.laws(["pack", "ante-bonus"])
    assert little == law.record("ante-bonus").house_edge
    assert large > little


def test_a_played_hand_is_simulated_around_the_enumerated_edge() -> None:
    study = betting("blackjack", "main", "lucky-break")
    (part,) = parts_of(study, {"main": F(10)}, 3)
    found = study.wager("main")
    assert not found.exact
    assert part.spread == "simulated" and part.mean_of == "exact in double precision"
    assert float(part.theo("main")) / 10 == pytest.approx(float(found.house_edge), abs=1e-12)
    cases = part.cases[0, 0]
    assert sum(p for p, _ in cases) == 1 and min(p for p, _ in cases) > 0
    natural = next(o for o in found.outcomes if o.pays == 1.5)  # only a natural brings 3 to 2
    dealt = next(float(p) for p, (win,) in cases if win == -15)
    assert abs(dealt - natural.probability) < 4 * sqrt(natural.probability / part.ways)


# ---- seats that share cards


def by_cell(book: Book, bets: Mapping[str, Fraction]) -> NDArray[np.float64]:
    out = np.zeros(book.cells.size)
    for wager, bet in bets.items():
        worth, common = book.worth(wager, bet)
        out -= worth.astype(float) * float(bet) / common
    return out


def small_shoe(decks: int = 2) -> House:
    return load("bluff").at({"decks": "2"}).but(shoe=stripped((0, 5, 7, 12), decks=decks, suits=(0, 1)))


def by_cards(book: Solver, bets: Mapping[str, Fraction]) -> dict[tuple[int, int, int], list[Fraction]]:
    """What a seat wins on each bet, by its card, the dealer's and what it has carried over."""
    keys = Keys(book.graph)
    policy = book.strategy_array(keys)
    cards = sorted({*shoe_cards(book.house.composition)})
    out = {}
    for state in range(len(book.induction.states)):
        pairs = np.array([(a, d) for a in cards for d in cards])
        cells = reference_cells(
            book.cells, pairs, lambda n, base, kept: policy[keys.index(n, base, kept)].astype(np.int64),
            {name: np.full(len(pairs), state) for name in book.graph.carried},
        )  # fmt: skip
        for (a, d), cell in zip(pairs.tolist(), cells, strict=True):
            out[a, d, state] = [book.prices(w, bet)[cell] * bet for w, bet in bets.items()]
    return out


@pytest.mark.parametrize(("seats", "rate"), [(3, F(1)), (2, F(1, 3))])
def test_a_table_is_every_deal_of_it(seats: int, rate: Fraction) -> None:
    """Seats and dealer from a shoe of sixteen cards, every order of them, side bets made or not (second, first)."""
    house, bets = small_shoe(), {"ante": F(10), "suit-tie": F(5)}
    study = studied(house.but(placed=frozenset(bets)))
    cards = shoe_cards(house.composition)
    seat = {(c, d): (int(won[0]), int(sum(won))) for (c, d, _), won in by_cards(study.solver, bets).items()}
    direct: dict[Fraction, Fraction] = {}
    deals = list(permutations(range(len(cards)), seats + 1))
    for made in product((True, False), repeat=seats):
        chance = F(1, len(deals)) * rate ** sum(made) * (1 - rate) ** (seats - sum(made))
        totals: Counter[int] = Counter()
        for places in deals if chance else ():
            dealer, *own = (cards[i] for i in places)
            totals[sum(seat[c, dealer][on] for c, on in zip(own, made, strict=True))] += 1
        for total, count in totals.items():
            direct[F(-total)] = direct.get(F(-total), F(0)) + chance * count
    plan = Plan(seats=seats, bets=bets, rates={"suit-tie": rate})
    parts = parts_of(study, bets, 1)
    found = crowd(study, plan, [*bets], parts, [mixed(house, parts[0], plan.rates, [*bets])])
    assert found.method == "exact" and isinstance(found.one.result, Chain)
    assert found.one.result.chances == direct


@pytest.mark.parametrize("path", [SOURCE / "games" / "bluff.py", RED_DOG], ids=lambda p: p.stem)
def test_a_table_is_the_same_counted_and_dealt(path: Any) -> None:
    house = load_game(path).at()
    bets = {w: F(10) for w in house.parties if not house.meters(w)}
    study = studied(house.but(placed=frozenset(bets)))
    plan, parts = Plan(seats=4, bets=bets), parts_of(study, bets, 1)
    wins = [mixed(house, part, {}, [*bets]) for part in parts]
    exact = crowd(study, plan, [*bets], parts, wins)
    sample = sampled(study, 4, bets, {}, [*bets], parts, wins, 1)
    dealt = Crowd(Round(sample.result()), sample.rounds, tuple(Round(sample.result(without=i)) for i in range(16)))
    assert exact.method == "exact" and dealt.method == "simulated"

    def loses(one: Round) -> float:
        return one.after(100).below_zero

    def needs(one: Round) -> float:
        return one.bankroll(0.01)

    for figure in (loses, needs, lambda one: one.variance):
        assert abs(figure(exact.one) - figure(dealt.one)) < 4 * dealt.error(figure) + 1e-9
    alone = float(sum(won.variance for won in wins))
    assert exact.one.variance - 4 * alone > 20 * dealt.error(lambda one: one.variance)  # there is something to find


def test_seats_that_bet_on_the_dealers_hand_are_one_bet_of_many_times_the_size() -> None:
    """All seats win on the same dealer's hand: five bets of 20 are one of 100."""
    study, rounds = betting("blackjack", "main", "lucky-break"), []
    for seats, bet in ((5, 20), (1, 100)):
        plan = Plan(seats=seats, bets={"main": F(5), "lucky-break": F(bet)})
        parts = parts_of(study, plan.bets, 1, ["lucky-break"])
        wins = [mixed(study.house, part, {}, ["lucky-break"]) for part in parts]
        found = crowd(study, plan, ["lucky-break"], parts, wins)
        assert found.method == "exact" and isinstance(found.one.result, Chain)
        rounds.append(found.one)
    assert rounds[0].result.chances == rounds[1].result.chances
    normal = log(100) * rounds[0].variance / (2 * rounds[0].mean)
    assert rounds[0].bankroll(0.01) > 1.4 * normal


def test_a_bet_that_some_seats_make_on_shared_cards_is_a_binomial_number_of_bets() -> None:
    house = load_game(RED_DOG).at()
    (part,) = parts_of(studied(house), {"ante": F(20)}, 1)
    one = all_as_one(part, [(F(1, 4), [0]), (F(3, 4), [])], 3).chances
    whole = mixed(house, part, {}, ["ante"]).chances
    binomial: dict[Fraction, Fraction] = {}
    for (x, p), k in product(whole.items(), range(4)):
        binomial[k * x] = binomial.get(k * x, F(0)) + p * comb(3, k) * F(3) ** (3 - k) / 64
    assert one == binomial


def ruined(house: House, bets: Mapping[str, Fraction], seats: int, bankrolls: list[float], paths: int) -> list[float]:
    """How often a table really eats these bankrolls, in 8,192 rounds that are dealt one after the other."""
    study = studied(house.but(placed=frozenset(bets)))
    keys, policy = strategy_array(study)
    deal = dealt_rounds(study.book.cells, keys, shoe_cards(house.composition), policy, seats)
    won = by_cell(study.book, bets)
    lowest = np.array([won[deal(1 << 13, 99, i)].sum(1).cumsum().min() for i in range(paths)])
    return [float((lowest <= -b).mean()) for b in bankrolls]


def test_the_bound_holds_for_seats_that_share_cards() -> None:
    """Five seats of blackjack that bet on the dealer's hand: dealt ruins stay within the risk, as the normal do not."""
    found, bets = lucky_night(), lucky_night().plan.bets
    assert found.method == "simulated" and found.bankroll is not None
    figure, many = found.bankroll, 700
    enough, normal = ruined(small("blackjack"), bets, 5, [figure.whole, figure.normal], many)
    error = sqrt(0.02 * 0.98 / many)
    assert 0.004 < enough < 0.02 + 4 * error < normal


def test_two_packs_at_one_seat_are_what_is_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    """One hand of the player's counts with every pack: its awards come together."""
    monkeypatch.setattr("pitboss.exact.kernels.hidden.MOST_STEPS", 0)  # as with a full deck, which is too much
    house = small("packs-poker")
    bets = {f"ante-bonus{n}": F(25) for n in ("", "-2")}
    found = earn(house, Plan(seats=1, bets=bets, hours=F(4), days=2))
    assert found.method == "simulated" and len(found.counted) == 2
    agrees(found, house, 1000)
    assert found.round_std_dev > 1.02 * found.seat_std_dev  # packs taken as independent


def test_an_award_that_is_hardly_ever_dealt_keeps_its_counted_chance() -> None:
    """The $25,000 for a seven-card royal, once in 33 million hands, and all awards together."""
    bets = {"ante-bonus": F(5)}
    study = betting("packs-poker", *bets)
    parts, house = parts_of(study, bets, 1), study.house
    wins = [mixed(house, parts[0], {}, [*bets])]
    found = sampled(study, 5, bets, {}, [*bets], parts, wins, 3)
    law = found.result()
    dollars = law.places * float(law.unit)
    top = float(sum(p for x, p in wins[0].chances.items() if x < -20_000))
    assert law.weights[dollars < -20_000].sum() == pytest.approx(5 * top, rel=1e-3)
    awards = float(sum(p for x, p in wins[0].chances.items() if x < -2_000))
    assert law.weights[dollars < -2_000].sum() == pytest.approx(5 * awards, rel=0.02)
    assert law.weights.sum() == pytest.approx(1) and law.weights.min() >= 0
    assert law.mean == pytest.approx(5 * float(wins[0].mean), rel=1e-9)


@pytest.mark.parametrize(
    ("name", "wagers", "seats"),
    [("bluff", ("ante", "suit-tie", "progressive"), 4), ("packs-poker", ("ante-bonus",), 3)],
)
def test_rounds_that_are_listed_are_the_rounds_that_are_counted(name: str, wagers: tuple[str, ...], seats: int) -> None:
    study = betting(name, *wagers)
    (keys, policy), cells = strategy_array(study), study.book.cells
    cards = shoe_cards(study.house.composition)
    listed = dealt_rounds(cells, keys, cards, policy, seats, 64)(5000, 7, 3)
    counts = simulator(cells, keys, cards, "shoe").run(5000, 7, 3, policy, seats, 0, 64)
    assert listed.shape == (5000, seats)
    assert (np.bincount(listed.ravel(), minlength=cells.size) == counts).all()


def test_a_standard_error_is_how_far_other_seeds_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealing, "HANDS", 1 << 18)
    monkeypatch.setattr(dealing, "CHUNK", 1 << 14)
    bets = {"ante-bonus": F(25)}
    study = betting("packs-poker", *bets)
    parts = parts_of(study, bets, 1)
    wins = [mixed(study.house, part, {}, [*bets]) for part in parts]
    nights = [crowd(study, Plan(seats=3, bets=bets, seed=seed), [*bets], parts, wins) for seed in range(8)]
    for figure in (lambda one: one.after(120, 1 << 14).below_zero, lambda one: one.bankroll(0.01)):
        between = np.std([figure(night.one) for night in nights], ddof=1)
        within = sqrt(np.mean([night.error(figure) ** 2 for night in nights]))
        assert within > 0 and 0.35 < between / within < 2.5


@cache
def streaks() -> Chain:
    """What a progressive with streaks of up to three brings the house, by what a seat has carried over."""
    house = reseeded(load("bluff").at({"progressive": "three", "jackpot-seed": "300", "super-seed": "900"}))
    bets = {"ante": F(5), "progressive": F(5)}
    (part,) = parts_of(studied(house), bets, 1)
    chain = mixed(house, part, {}, ["progressive"])
    assert len(chain.share) == 3
    return chain


def test_rounds_that_depend_on_a_streak_are_summed_state_by_state() -> None:
    """Four rounds, every way, against the power of the matrix."""
    chain = streaks()
    totals: dict[tuple[int, Fraction], Fraction] = {(s, F(0)): w for s, w in enumerate(chain.share)}
    for _ in range(4):
        after: dict[tuple[int, Fraction], Fraction] = {}
        for (state, total), p in totals.items():
            for (before, to), chances in chain.moves.items():
                for value, q in chances.items() if before == state else ():
                    after[to, total + value] = after.get((to, total + value), F(0)) + p * q
        totals = after
    direct: dict[Fraction, float] = {}
    for (_, total), p in totals.items():
        direct[total] = direct.get(total, 0.0) + float(p)
    found = Round(chain).after(4)
    for value, chance in direct.items():
        assert found.chances[int(value / found.unit) - found.start] == pytest.approx(chance, abs=1e-13)
    assert found.chances.sum() == pytest.approx(1, abs=1e-12)


def test_a_streak_adds_its_covariances() -> None:
    """What one more round adds to the variance of the sum becomes the variance of a round and twice the covariances."""
    chain = streaks()
    one = Round(chain)
    grown = one.after(13).variance - one.after(12).variance
    assert one.variance == pytest.approx(grown, rel=1e-6)
    assert chain.serial > 0.01 * float(chain.variance)  # so that leaving it out would show
    assert one.mean == pytest.approx(one.after(7).mean / 7)


def test_a_carried_state_that_decides_nothing_is_left_out() -> None:
    house = load("bluff").at()
    bets = {"ante": F(5), "progressive": F(5)}
    (part,) = parts_of(studied(house), bets, 1)
    assert len(part.share) == 2
    assert len(mixed(house, part, {}, ["ante"]).share) == 1
    assert len(mixed(house, part, {}, ["progressive"]).share) == 2


def test_a_night_of_jackpots_is_what_is_dealt() -> None:
    """Ante and progressive at three seats; what goes into the meter is set aside, and a hit costs the seed."""
    house = reseeded(load("bluff").at())
    bets = {"ante": F(5), "progressive": F(5)}
    found = earn(house, Plan(seats=3, bets=bets))
    aside = 480 * 3 * 1.5
    dealt = shifts(house, bets, 3, 480, 2000) - aside
    loses = found.shift.loses.whole
    assert abs((dealt < 0).mean() - loses) < 4 * sqrt(loses * (1 - loses) / 2000)
    for part, figure in found.shift.quantiles.items():
        assert_share(dealt, found.shift, part, figure.whole)
    assert found.shift.quantiles[0.5].whole > 1.5 * found.shift.quantiles[0.5].normal


def shifts(house: House, bets: Mapping[str, Fraction], seats: int, rounds: int, many: int) -> NDArray[np.float64]:
    """The house's win in so many shifts that are really dealt, all seats against the same dealer."""
    study = studied(house.but(placed=frozenset(bets)))
    keys, policy = strategy_array(study)
    machine = simulator(study.book.cells, keys, shoe_cards(house.composition), "shoe")
    won, warm = by_cell(study.book, bets), 64 if study.graph.carried else 0
    return np.array([machine.run(rounds, 77, i, policy, seats, 0, warm) @ won for i in range(many)])


def assert_share(dealt: NDArray[np.float64], period: Period, part: float, at: float) -> None:
    """As many dealt shifts are at or below a quantile as the distribution has there."""
    spread = period.spread
    share = float(spread.chances[spread.dollars <= at + 1e-6].sum())
    assert part - 1e-9 <= share and float(spread.chances[spread.dollars < at - 1e-6].sum()) < part
    assert abs((dealt <= at + 1e-6).mean() - share) < 4 * sqrt(share * (1 - share) / len(dealt))


def agrees(found: Floor, house: House, many: int) -> NDArray[np.float64]:
    """Checks a shift against dealt ones, and returns those."""
    bets = dict(found.plan.bets)
    dealt = shifts(house, bets, found.plan.seats, found.plan.shift, many)
    assert abs(dealt.mean() - float(found.shift.theo)) < 4 * found.shift.std_dev / sqrt(many)
    loses = found.shift.loses.whole
    error = sqrt(loses * (1 - loses) / many + found.shift.loses.error**2)
    assert abs(float((dealt < 0).mean()) - loses) < 4 * error
    for part, figure in found.shift.quantiles.items():
        assert_share(dealt, found.shift, part, figure.whole)
    return dealt


def test_a_shift_of_five_seats_is_what_is_dealt() -> None:
    house = load("bluff").at()
    found = bluff_night()
    dealt = agrees(found, house, 3000).std()
    error = found.shift.std_dev / sqrt(2 * 3000)
    independent = found.seat_std_dev * sqrt(5 * found.plan.shift)
    assert abs(dealt - found.shift.std_dev) < 4 * error
    assert abs(dealt - independent) > 10 * error  # seats taken as independent would be far off


def test_seats_that_share_every_card_win_and_lose_as_one() -> None:
    house = load_game(RED_DOG).at()
    found = earn(house, Plan(seats=5, bets={"ante": F(25)}))
    assert found.round_std_dev == pytest.approx(5 * found.seat_std_dev)
    agrees(found, house, 1500)


def test_a_heavy_tail_is_what_is_dealt_and_not_normal() -> None:
    found = packs_night()
    dealt = agrees(found, small("packs-poker"), 4000)
    loses = found.shift.loses
    error = sqrt(loses.whole * (1 - loses.whole) / len(dealt) + loses.error**2)
    assert (
        loses.whole < loses.normal - 0.02 and loses.normal - float((dealt < 0).mean()) > 4 * error
    )  # the normal approximation loses shifts that the house does not
    worst = found.shift.quantiles[0.01]
    assert worst.whole < 1.2 * worst.normal < 0  # and takes the bad nights for better than they are
    assert found.bankroll is not None and found.bankroll.whole > 1.2 * found.bankroll.normal


def test_the_royal_of_a_small_bet_dwarfs_the_normal_bankroll() -> None:
    bankroll = packs_night().bankroll
    assert bankroll is not None and bankroll.whole > 3 * bankroll.normal


# ---- periods, edges, exposure


def test_periods_agree_with_their_own_distribution() -> None:
    for found in (bluff_night(), packs_night()):
        for period in (found.shift, found.month):
            assert period.spread.mean == pytest.approx(float(period.theo), rel=1e-8)
            assert sqrt(period.spread.variance) == pytest.approx(period.std_dev, rel=1e-6)
            assert 0 <= period.loses.whole <= 1
            wins = [q.whole for _, q in sorted(period.quantiles.items())]
            assert wins == sorted(wins)
        assert found.month.loses.whole < found.shift.loses.whole


def test_the_edge_shows_where_the_distribution_says_so() -> None:
    found = bluff_night()
    assert found.edge_shows is not None
    rounds = int(found.edge_shows.whole)
    again = replace(found.plan, hands=rounds, hours=F(1), days=1)
    later = replace(again, hands=rounds * 2)
    house = load("bluff").at()
    at, after = earn(house, again).shift, earn(house, later).shift
    assert 1 - at.loses.whole - at.breaks_even == pytest.approx(0.95, abs=2e-3)
    assert after.loses.whole < at.loses.whole
    assert found.edge_shows.normal == pytest.approx(
        (1.6448536 * found.round_std_dev / float(found.round_mean)) ** 2, rel=1e-6
    )


def test_exposure_is_the_best_hand_at_the_limits() -> None:
    """Raise with a match that the dealer folds: ante 500, suit-tie 15 x 500, the meter less the bet that is dropped."""
    house = load("bluff").at({"meter": "20000"})
    worst = earn(house, Plan(seats=3, bets={"ante": F(5)}, hours=F(1))).exposure
    one = 500 + 15 * 500 + 20_000 - 5
    assert worst.per_seat == one
    assert worst.table == one + 2 * (500 + 15 * 500 + 5000 - 5) and not worst.bound
    assert worst.limits == {"ante": 500, "suit-tie": 500, "progressive": 5}


def test_exposure_is_no_more_than_the_cards_can_give() -> None:
    """Two decks: one seat at most can match the dealer. The dearest of all deals of a small shoe, seat by seat."""
    house = small_shoe()
    bets = {"ante": F(500), "suit-tie": F(500), "progressive": F(5)}
    first, later = by_cards(studied(house).solver, bets), by_cards(studied(reseeded(house)).solver, bets)
    top = [{(c, d): max(sum(won[c, d, s]) for s in (0, 1)) for c, d, _ in won} for won in (first, later, later)]
    kinds, best = Counter(shoe_cards(house.composition)), F(0)
    for dealer, *own in product(kinds, repeat=4):
        if not Counter((dealer, *own)) - kinds:
            best = max(best, sum((won[c, dealer] for won, c in zip(top, own, strict=True)), F(0)))
    worst = earn(house, Plan(seats=3, bets={"ante": F(5)}, hours=F(1))).exposure
    assert worst.table == best < 2 * worst.per_seat and not worst.bound
    packs = packs_night().exposure
    assert packs.bound


def test_one_wager_alone_leaves_the_others_out() -> None:
    house = load("bluff").at()
    found = earn(house, Plan(seats=1, bets={}, hours=F(1)), wager="suit-tie")
    exact = studied(house).wager("suit-tie")
    assert [t.wager for t in found.theos] == ["suit-tie"]
    assert found.round_std_dev == pytest.approx(5 * exact.std_dev)


def test_a_wager_among_the_players_is_not_the_houses() -> None:
    found = table("flop-poker-bonus", {"ante": 10}, seats=1, hours=F(1))
    assert found.not_banked == ("pot",) and [t.wager for t in found.theos] == ["ante"]


# ---- jackpots


def test_hits_and_jackpots_by_brute_force() -> None:
    """Bets one after the other: the mean paid from a growing meter, and the chance of a hit."""
    house = load("bluff").at({"meter": "900", "jackpot-seed": "400", "increment": "2"})
    plan = Plan(seats=1, bets={"ante": F(5), "progressive": F(5)}, hands=60, hours=F(8), days=1)
    (jackpot,) = earn(house, plan).jackpots
    shift = jackpot.over[0]
    p = float(jackpot.probability)
    paid, meter = 0.0, {900: 1.0}
    for _ in range(480):
        after: dict[int, float] = {}
        for now, chance in meter.items():
            paid += chance * p * (now + 2)
            after[now + 2] = after.get(now + 2, 0.0) + chance * (1 - p)
            after[400] = after.get(400, 0.0) + chance * p
        meter = after
    assert shift.bets == 480 and shift.growth == 960
    assert shift.paid == pytest.approx(paid, rel=1e-9)
    assert shift.chance == pytest.approx(1 - (1 - p) ** 480)
    assert shift.expected == pytest.approx(480 * p)


def test_hits_come_as_often_as_they_are_dealt() -> None:
    house = load("bluff").at()
    (jackpot,) = earn(house, Plan(seats=4, bets={"ante": F(5), "progressive": F(5)}, hours=F(2))).jackpots
    study = studied(house)
    (keys, policy), cells = strategy_array(study), study.book.cells
    machine = simulator(cells, keys, shoe_cards(house.composition), "shoe")
    top = np.array([rows["progressive"] == "jackpot" for leaf in cells.leaves for rows in leaf.table])
    many = 2000
    hits = np.array([machine.run(120, 5, i, policy, 4, 0, 64)[top].sum() for i in range(many)])
    chance = jackpot.over[0].chance
    assert abs((hits > 0).mean() - chance) < 4 * sqrt(chance * (1 - chance) / many)


@given(st.integers(1, 400), st.integers(1, 40), st.integers(1, 60))
def test_the_reserve_covers_all_but_the_risk(bets: int, one_in: int, risk: int) -> None:
    p, share = 1 / (one_in + 1), risk / 100
    hits = most_hits(bets, p, share)

    def up_to(k: int) -> float:
        return sum(comb(bets, i) * p**i * (1 - p) ** (bets - i) for i in range(k + 1))

    assert up_to(hits) >= 1 - share - 1e-9
    assert hits == 0 or up_to(hits - 1) < 1 - share + 1e-9


@given(st.floats(1e-6, 0.9), st.floats(0.01, 0.99))
def test_a_waiting_time_is_the_first_that_has_the_share(p: float, share: float) -> None:
    bets = waiting_time(p, share)
    assert 1 - (1 - p) ** bets >= share - 1e-9
    assert bets == 1 or 1 - (1 - p) ** (bets - 1) < share + 1e-9


def test_meters_at_their_seeds_leave_the_rest_of_the_house_alone() -> None:
    house = load("bluff").at({"meter": "12345"})
    assert reseeded(house).options == {**house.options, "meter": F(5000)}
    plain = load_game(WAR).at()
    assert reseeded(plain) is plain


# ---- the command


QUICK = ("--hours", "1", "--days", "2", "--seats", "2")


@pytest.mark.parametrize("name", ["casino_war", "red_dog"])
def test_a_game_of_ones_own_has_a_floor(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    game: Game = load_game(ROOT / "examples" / f"{name}.py")
    code, out, _ = run(capsys, "floor", str(ROOT / "examples" / f"{name}.py"), *QUICK)
    assert code == 0 and game.title in out
    for words in (
        "theoretical win",
        "the house loses",
        "by normal",
        "bankroll",
        "the house is ahead",
        "exposure",
        "exact",
    ):
        assert words in out


def test_the_json_has_what_the_screen_has(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--bet", "ante=25", "--rate", "suit-tie=40%", "--bet", "progressive=5", "--risk", "2%")
    code, out, _ = run(capsys, "floor", "bluff", *QUICK, *words, "--json")
    data = json.loads(out)
    assert code == 0 and data["method"] == "exact" and data["round"]["shared_variance_method"] == "exact"
    assert data["table"]["rates"] == {"ante": 1.0, "suit-tie": 0.4, "progressive": 1.0}
    assert data["shift"]["rounds"] == 60 and data["month"]["rounds"] == 120
    assert F(data["shift"]["theo_exact"]) == F(data["round"]["theo_exact"]) * 60
    assert 0.02 in [q["share"] for q in data["shift"]["quantiles"]]
    assert data["jackpots"][0]["over"][0]["bets"] == 120


@pytest.mark.parametrize(
    ("words", "phrases"),
    [
        (("--seats", "0"), ("1 to 7",)),
        (("--seats", "8"), ("1 to 7", "not 8")),
        (("--hands", "0"), ("hands 0",)),
        (("--hands", "many"), ("--hands",)),
        (("--days", "0"), ("days 0",)),
        (("--hours", "0"), ("hours 0",)),
        (("--hours", "late"), ("--hours: 'late'", "number")),
        (("--hours", "1000000000"), ("rounds", "10,000,000")),
        (("--hours", "1e400"), ("--hours: '1e400'", "1,000,000,000")),
        (("--hours", "9" * 400), ("--hours: '999", "1,000,000,000")),
        (("--hands", "9" * 400), ("--hands: '999", "18 digits")),
        (("--seats", "9" * 400), ("--seats: '999", "18 digits")),
        (("--risk", "1e-400"), ("--risk: '1e-400'", "0% to 100%")),
        (("--rate", "suit-tie=1e400"), ("suit-tie: '1e400'", "0% to 100%")),
        (("--risk", "0"), ("risk 0",)),
        (("--risk", "100%"), ("risk 1", "between 0 and 100%")),
        (("--risk", "low"), ("--risk: 'low'",)),
        (("--rate", "suit-tie=140%"), ("suit-tie", "140%", "100%")),
        (("--rate", "suit-tie=-1"), ("suit-tie", "100%")),
        (("--rate", "ante=50%"), ("ante", "100%")),
        (("--rate", "tie-suit=50%"), ("tie-suit", "suit-tie")),
        (("--rate", "suit-tie"), ("--rate", "WAGER")),
        (("--bet", "tie-suit=5"), ("tie-suit", "suit-tie")),
        (("--bet", "ante=1"), ("ante", "$5")),
        (("--bet", "ante=x"), ("ante: 'x'", "dollars")),
        (("--bet", "ante=1e400"), ("ante", "1,000,000,000")),
        (("--strategy", "lucky"), ("lucky", "optimal")),
        (("--wager", "poker"), ("poker", "ante")),
        (("--plot", "night.gif"), (".png", ".svg")),
        (("--plot", "/no/such/folder/night.png"), ("/no/such/folder",)),
    ],
    ids=lambda x: " ".join(x)[:40],
)
def test_a_mistake_is_one_sentence(
    words: tuple[str, ...], phrases: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "floor", "bluff", *words)
    assert code == 2 and out == ""
    assert err.startswith("pitboss: ") and err.count("\n") == 1
    for phrase in phrases:
        assert phrase in err


def test_a_pot_alone_is_no_business_of_the_house(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "floor", "flop-poker-bonus", "--wager", "pot")
    assert code == 2 and "among themselves" in err
