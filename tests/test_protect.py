"""Protection: every figure by a second way, from brute force, from the live table, or from what has been published."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise, permutations, product
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from helpers import ROOT, all_bets, load_game, pays, random_games, small_game, stripped
from helpers import run as run_command
from pitboss.cards import Composition, composition, shoe_cards
from pitboss.catalog import load
from pitboss.compile import Keys, simulator
from pitboss.deal import Run
from pitboss.deal.shoes import deal_shoes
from pitboss.exact import Solver, TooLarge, analyze
from pitboss.exact.drawing import Drawing
from pitboss.guard import Plan, protect
from pitboss.guard.advise import advise, also
from pitboss.guard.counts import (
    Effect,
    _centred,
    _tags,
    best_count,
    best_trigger,
    effects,
    line,
    suit_spread,
    whole,
)
from pitboss.guard.dealing import _tried
from pitboss.guard.exposure import exposures, hidden_deals
from pitboss.guard.gains import Sample, Sheet, at_least
from pitboss.guard.polynomial import Polynomial
from pitboss.guard.records import Depth, Exposure, Gain, Terms
from pitboss.guard.worth import Followed, Played, worth_of
from pitboss.ledger.cells import Cells
from pitboss.live import Round, Seat
from pitboss.rules import (
    BOARD,
    DEALER,
    DOWN,
    PLAYER,
    Choice,
    Game,
    House,
    PayTable,
    Table,
    Wager,
    compare,
    dollars,
    first_match,
)
from pitboss.rules.rewrite import after_cards, face_up
from pitboss.rules.trace import trace
from test_drawing import SMALL, Brute, Hand, of_values

EXAMPLES = ROOT / "examples"
BETS = [
    ("bluff", "suit-tie", {}),
    ("bluff", "ante", {}),
    ("bluff", "ante", {"limit": "high", "tie": "push-first", "decks": "2"}),
    ("blackjack", "lucky-lucky", {}),
    (str(EXAMPLES / "casino_war.py"), "ante", {"bonus": "pays", "decks": "2"}),
    (str(EXAMPLES / "red_dog.py"), "ante", {}),
    (str(EXAMPLES / "blackjack_side_bets.py"), "twenty-one-plus-three", {"decks": "2"}),
]


@cache
def _house(game: str, options: tuple[tuple[str, str], ...]) -> House:
    return load(game).at(dict(options))


def house_at(game: str, options: dict[str, str]) -> House:
    """One house for all tests that ask for it: its graph is traced once."""
    return _house(game, tuple(options.items()))


def thinned(shoe: Composition, gone: int, seed: int) -> Composition:
    """The shoe after so many cards have been dealt at random."""
    cards = np.random.default_rng(seed).permutation(shoe_cards(shoe))
    return tuple(int(n) for n in np.bincount(cards[gone:], minlength=52))


def without(shoe: Composition, card: int) -> Composition:
    return tuple(n - (c == card) for c, n in enumerate(shoe))


# ---- what a wager is worth


@pytest.mark.parametrize(("game", "wager", "options"), BETS, ids=lambda x: str(x).rpartition("/")[2])
def test_the_polynomial_is_the_exact_analysis_of_any_shoe(game: str, wager: str, options: dict[str, str]) -> None:
    house = house_at(game, options)
    worth = worth_of(house, wager)
    assert isinstance(worth, Polynomial)
    shoes = [house.composition, thinned(house.composition, 37, 1), thinned(house.composition, 70, 2)]
    for shoe in shoes:
        counted = analyze(replace(house, composition=shoe), wager=wager).wagers[0]
        assert worth.expectation(shoe) == -counted.house_edge
    many = worth.expectations(np.array(shoes))
    assert many.tolist() == [float(worth.expectation(s)) for s in shoes]


@settings(max_examples=25)
@given(game=random_games(), seed=st.integers(0, 999))
def test_the_polynomial_of_any_game_is_its_exact_analysis(game: Game, seed: int) -> None:
    shoe = thinned(stripped((0, 3, 4, 12), decks=2), 8, seed)
    house = game.at(shoe=shoe)
    try:
        worth = Polynomial(house, "ante", trace(house))
    except TooLarge:
        assume(False)
    assert worth.expectation(shoe) == Solver(house).wager_result("ante").expectation


def test_suit_and_tie_is_the_formula_that_one_can_write_down() -> None:
    house = load("bluff").at({"decks": "6"})
    worth = worth_of(house, "suit-tie")
    for seed in range(5):
        shoe = thinned(house.composition, 150, seed)
        cards = sum(shoe)

        def pairs(groups: list[int], cards: int = cards) -> Fraction:
            return Fraction(sum(n * (n - 1) for n in groups), cards * (cards - 1))

        match = pairs(list(shoe))
        tie = pairs([sum(shoe[4 * r : 4 * r + 4]) for r in range(13)]) - match
        suit = pairs([sum(shoe[s::4]) for s in range(4)]) - match
        assert worth.expectation(shoe) == 15 * match + 3 * tie + suit - (1 - match - tie - suit)


def test_a_fixed_policy_is_worth_no_more_than_the_best_play() -> None:
    house = load("bluff").at({"limit": "high"})
    worth = worth_of(house, "ante")
    assert isinstance(worth, Polynomial)
    shoes = np.array([thinned(house.composition, 260, seed) for seed in range(200)])
    fixed = worth.policy(house.composition)
    best, basic = worth.expectations(shoes), worth.expectations(shoes, fixed)
    assert (basic <= best + 1e-15).all() and (basic < best - 1e-6).any()
    full = np.array([house.composition])
    assert worth.expectations(full, fixed) == worth.expectations(full)


def test_wagers_that_cannot_be_judged_say_why() -> None:
    bluff, poker = load("bluff").at(), load("flop-poker-bonus").at()
    found = protect(poker, "3-card-bonus")
    assert found.wagers[0].depths == () and "nothing to count" in found.wagers[0].notes[0]
    for house, wager, words in ((bluff, "progressive", "meter"), (poker, "pot", "among the players")):
        with pytest.raises(ValueError, match=words):
            protect(house, wager)


# ---- effects of removal


@pytest.mark.parametrize(("game", "wager", "options"), BETS, ids=lambda x: str(x).rpartition("/")[2])
def test_effects_are_those_of_the_exact_analysis_without_one_card(
    game: str, wager: str, options: dict[str, str]
) -> None:
    house = house_at(game, options)
    worth = worth_of(house, wager)
    _, found = effects(house.composition, worth.each, worth.kind_of)
    assert sorted(c for e in found for c in e.cards) == list(range(52))
    full = analyze(house, wager=wager).wagers[0].house_edge
    for effect in found[:: max(1, len(found) // 3)]:
        for card in (effect.cards[0], effect.cards[-1]):
            less = replace(house, composition=without(house.composition, card))
            assert effect.effect == full - analyze(less, wager=wager).wagers[0].house_edge


def test_effects_weighed_by_their_cards_sum_to_zero_where_nothing_is_decided() -> None:
    """A card taken out unseen changes nothing; a card that is seen can only help whoever has a choice."""
    for game, wager, options in BETS[:-1]:
        house = house_at(game, options)
        worth = worth_of(house, wager)
        assert isinstance(worth, Polynomial)
        _, found = effects(house.composition, worth.each, worth.kind_of)
        total = sum(e.cards_in(house.composition) * e.effect for e in found)
        assert total == 0 or (worth.decides and total > 0)


def test_effects_of_lucky_lucky_are_the_published_ones() -> None:
    """E. Jacobson, Card Counting the Lucky Lucky Side Bet (apheat.net, 2 August 2012): two decks, 100-50-30-15-3-2-2;
    the effects of ace, 2, ... 9, ten times 115.81. (The 2 is printed as 0.90; it is 0.909.)"""
    house = load("blackjack").at({"decks": "2"}, {"lucky-lucky": "100,50,30,15,3,2,2"})
    worth = worth_of(house, "lucky-lucky")
    found = {e.name: float(e.effect) for e in effects(house.composition, worth.each, worth.kind_of)[1]}
    names = ["ace", *map(str, range(2, 10)), "10 to king"]
    printed = [-0.98, 0.90, 0.70, 0.47, 0.37, -1.21, -2.00, -1.46, 0.29, 0.73]
    assert [found[n] * 115.81 for n in names] == pytest.approx(printed, abs=0.0101)
    assert sum(abs(found[n] * 115.81 - p) <= 0.0051 for n, p in zip(names, printed, strict=True)) == 9
    assert float(worth.expectation(house.composition)) == pytest.approx(-0.02820366, abs=5e-9)  # discountgambling.net


def test_effects_on_a_game_of_drawing_are_the_analysis_of_the_depleted_shoe() -> None:
    house = load("blackjack").at({"decks": "1", "split-to": "1"})
    worth = Played(house)
    less = without(house.composition, 51)
    counted = analyze(replace(house, composition=less), wager="main").wagers[0]
    assert worth.expectation(less) == pytest.approx(-counted.house_edge, abs=1e-12)
    assert worth.expectation(less) < worth.expectation(house.composition)  # an ace gone hurts the player
    five = worth.expectation(without(house.composition, 4 * 3))
    assert five > worth.expectation(house.composition)


# ---- counts


def _effect_lists() -> st.SearchStrategy[list[Effect]]:
    values = st.lists(st.integers(-40, 40), min_size=3, max_size=5)
    return values.map(lambda v: [Effect(tuple(range(4 * i, 4 * i + 4)), str(i), Fraction(x)) for i, x in enumerate(v)])


@given(found=_effect_lists(), level=st.integers(1, 2))
def test_tags_are_the_best_of_all_balanced_ones(found: list[Effect], level: int) -> None:
    shoe = composition(2, [c for e in found for c in e.cards])
    centre = _centred(shoe, found)
    got = _tags(shoe, found, centre, level)
    spread = sqrt(sum(e * e for e in centre))
    every = [
        sum(t * e for t, e in zip(tags, centre, strict=True)) / (sqrt(sum(t * t for t in tags)) * spread)
        for tags in product(range(-level, level + 1), repeat=len(found))
        if sum(tags) == 0 and any(tags) and spread > 1e-9
    ]
    if got is None or not every:
        assert max(every, default=0) <= 1e-9
        return
    tags, correlation = got
    assert sum(tags) == 0 and max(map(abs, tags)) <= level
    assert correlation == pytest.approx(max(every), abs=1e-9)
    assert correlation <= 1 + 1e-12


def test_the_count_of_a_game_is_balanced_and_prefers_low_tags() -> None:
    house = house_at("blackjack", {})
    worth = worth_of(house, "lucky-lucky")
    _, found = effects(house.composition, worth.each, worth.kind_of)
    count = best_count(house.composition, worth.expectation(house.composition), found)
    assert count is not None
    assert sum(e.cards_in(house.composition) * t for e, t in zip(found, count.tags, strict=True)) == 0
    levels = [_tags(house.composition, found, _centred(house.composition, found), n) for n in (1, 2, 3)]
    scores = [found[1] for found in levels if found is not None]
    assert scores == sorted(scores) and count.correlation >= 0.98 * scores[-1] > scores[count.level - 2]
    assert best_count(house.composition, Fraction(-1), [Effect((0,), "x", Fraction(0))]) is None


def test_the_line_of_effects_is_exact_for_a_mean_of_one_number_per_card() -> None:
    """A bet on the next card is such a mean: the line is its expectation, and the tags cross zero where it does."""

    def play(t: Table) -> None:
        t.settle(ante=first_match(("win", t.deal(BOARD)[0].rank >= 9)))

    shoe = composition(2, range(48))  # without aces: three ranks of twelve win
    house = small_game(play, pays("ante", {"win": 2}, required=True)).at(shoe=shoe)
    worth = worth_of(house, "ante")
    _, found = effects(house.composition, worth.each, worth.kind_of)
    shoes = np.array([thinned(house.composition, n, n) for n in range(1, 60)])
    assert isinstance(worth, Polynomial)
    full = worth.expectation(house.composition)
    assert line(house.composition, full, found, shoes) == pytest.approx(worth.expectations(shoes), abs=1e-12)
    count = best_count(house.composition, full, found)
    assert count is not None and count.correlation == pytest.approx(1)
    true_counts = count.true_counts(found, house.composition, shoes)
    assert ((true_counts > count.break_even + 1e-9) == (worth.expectations(shoes) > 1e-12)).all()


@given(st.lists(st.tuples(st.integers(-280, 280), st.integers(-9, 9)), min_size=1, max_size=30))
def test_the_trigger_is_the_true_count_that_wins_most(rounds: list[tuple[int, int]]) -> None:
    counts, worth = np.array([c / 4 for c, _ in rounds]), np.array([w for _, w in rounds], float)
    wins = {k: worth[np.clip(counts, -60, 60) >= k].sum() for k in range(-60, 61)}
    found = best_trigger(whole(counts), worth)
    assert (found is None) == (max(wins.values()) <= 0)
    assert found is None or wins[found] == max(wins.values())


def test_the_suit_count_is_the_longest_suit_less_the_shortest() -> None:
    shoe = np.array([[n for _ in range(13) for n in (3, 1, 2, 2)]])
    assert suit_spread(shoe)[0] == pytest.approx((39 - 13) / (8 * 13 / 52))


# ---- real shoes


def test_a_shoe_is_dealt_whole_and_every_round_begins_where_the_last_one_ended() -> None:
    """The same cards dealt at the live table, every hand stood on: rounds take as many cards there."""
    house = replace(load("blackjack").at({"decks": "2", "split-to": "1"}), placed=frozenset(["main", "lucky-break"]))
    graph = trace(house)
    keys = Keys(graph)
    machine = simulator(Cells(graph), keys, shoe_cards(house.composition), "shoe", whole_cards=True)
    for number in range(3):
        order, starts = machine.one_shoe(5, number, np.zeros(max(1, keys.size), np.uint8), 1, 70)
        assert sorted(order.tolist()) == shoe_cards(house.composition)
        assert starts[0] == 0 and starts[-1] < 70
        bets = {w: a for w, a in all_bets(house).items() if house.takes(w)}
        for begin, end in pairwise(starts):
            live = Round(house, order[begin:].tolist(), [Seat(bets)])
            while live.turn is not None:
                live.choose(live.turn.choices[0])
            assert live.used == end - begin


def test_what_is_left_is_the_shoe_less_the_cards_gone() -> None:
    house = load("bluff").at({"decks": "2"})
    (rounds,) = deal_shoes(house, "suit-tie", shoes=20, cut=Fraction(1), seats=3)
    assert set(rounds.gone.tolist()) == set(range(0, 52, 4))  # three players and the dealer, until 52 cards are gone
    assert (rounds.left.sum(1) == 104 - rounds.gone).all() and rounds.left.max() == 2 and rounds.left.min() == 0
    assert np.bincount(rounds.shoe).tolist() == [13] * 20
    again = [r for n in (20,) for r in deal_shoes(house, "suit-tie", shoes=n, cut=Fraction(1), seats=3)]
    assert (again[0].left == rounds.left).all()


def test_the_mean_over_real_shoes_is_the_full_shoe() -> None:
    """Unseen cards change nothing on average, where every round takes the same number of cards."""
    house = load("bluff").at({"decks": "6"})
    worth = worth_of(house, "suit-tie")
    assert isinstance(worth, Polynomial)
    by_shoe = []
    for rounds in deal_shoes(house, "suit-tie", shoes=400, cut=Fraction(1)):
        sums = np.bincount(rounds.shoe, worth.expectations(rounds.left))[rounds.shoe.min() :]
        by_shoe.append(sums / np.bincount(rounds.shoe)[rounds.shoe.min() :])
    means = np.concatenate(by_shoe)
    error = means.std(ddof=1) / sqrt(len(means))
    assert abs(means.mean() - float(worth.expectation(house.composition))) < 4 * error


def test_real_shoes_are_those_that_the_simulator_deals() -> None:
    """Rounds of two or three cards: the cut card makes the mean differ from the full shoe, for both alike."""
    house = load(str(EXAMPLES / "red_dog.py")).at({"decks": "1"})
    worth = worth_of(house, "ante")
    assert isinstance(worth, Polynomial)
    policy = worth.policy(house.composition)
    means = []
    for some in deal_shoes(house, "ante", shoes=3000, cut=Fraction(1, 2), seed=4):
        means.append((worth.expectations(some.left, policy).sum(), len(some.left)))
    sums, rounds = np.array(means).T
    mean = sums.sum() / rounds.sum()
    error = np.std(sums - mean * rounds, ddof=1) * sqrt(len(sums)) / rounds.sum()
    played = Run(house, mode="shoe", cut="0.5", seed=9).run(3_000_000).wager("ante")
    assert abs(mean + played.house_edge) < 4 * sqrt(error**2 + played.standard_error**2)


def _tiny() -> Game:
    """Two cards a round from a shoe of eight: a pair wins."""

    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER), t.deal(DEALER)
        t.option("decks")
        t.settle(ante=first_match(("pair", mine.rank == his.rank)))

    deck = [0, 4, 5, 8]
    wager = pays("ante", {"pair": 3}, required=True)
    return small_game(play, wager, options=(Choice("decks", (2, 1), "decks"),), deck=deck, cut_card="1/2")


def test_perfect_play_at_a_tiny_shoe_is_the_average_over_all_its_orders() -> None:
    house = _tiny().at()
    shoe = shoe_cards(house.composition)
    assert len(shoe) == 8
    favourable = win = rounds = 0.0
    for order in set(permutations(card >> 2 for card in shoe)):  # by rank: all orders of ranks are equally likely
        for start in (0, 2, 4):
            left = order[start:]
            pairs = sum(a == b for i, a in enumerate(left) for j, b in enumerate(left) if i != j)
            worth = 4 * pairs / (len(left) * (len(left) - 1)) - 1
            favourable, win, rounds = favourable + (worth > 1e-12), win + max(worth, 0.0), rounds + 1
    plan = Plan(decks=(2,), cuts=(Fraction(2, 4),), shoes=4000, seed=3)
    (depth,) = protect(house, "ante", plan).wagers[0].depths
    assert depth.rounds == 3 * 4000
    assert abs(depth.perfect.share - favourable / rounds) < 4 * depth.perfect.share_error
    assert abs(depth.perfect.win - 100 * win / rounds) < 4 * depth.perfect.win_error
    assert 0 < depth.perfect.share_error < 0.01


def test_standard_errors_are_the_spread_of_other_shoes() -> None:
    house = load(str(EXAMPLES / "red_dog.py")).at({"decks": "1"})
    worth = worth_of(house, "ante")
    assert isinstance(worth, Polynomial)
    found = []
    for some in deal_shoes(house, "ante", shoes=2000, cut=Fraction(1, 2)):  # twenty times a hundred shoes
        sheet = Sheet(some.shoe - some.shoe.min(), some.gone, worth.expectations(some.left))
        found.append(sheet.perfect(sheet.upto(26), 1.0))
    assert len(found) == 20
    for value, error in (("win", "win_error"), ("share", "share_error"), ("edge", "edge_error")):
        spread = np.std([getattr(g, value) for g in found], ddof=1)
        said = np.mean([getattr(g, error) for g in found])
        assert 0.6 < spread / said < 1.6


def test_perfect_play_at_21_plus_3_is_the_published_one() -> None:
    """E. Jacobson, Beating the 21+3 Blackjack Side Bet, Update #1: six decks, by the place in the shoe; 10,000 shoes.
    Half way, 5.241% of hands at 1.292%; with 39 cards left, 31.899% at 9.997%."""
    house = house_at(str(EXAMPLES / "blackjack_side_bets.py"), {"decks": "6"})
    worth = worth_of(house, "twenty-one-plus-three")
    assert isinstance(worth, Polynomial)
    shoes = 2000
    for gone, share, edge in ((156, 0.05241, 0.01292), (273, 0.31899, 0.09997)):
        found = worth.expectations(np.array([thinned(house.composition, gone, seed) for seed in range(shoes)]))
        good = found[found > 0]
        error = sqrt(share * (1 - share) * (1 / shoes + 1 / 10_000))
        assert abs(len(good) / shoes - share) < 4 * error
        assert abs(good.mean() - edge) < 4 * good.std() * sqrt(1 / len(good) + 1 / (share * 10_000))


def test_perfect_play_at_lucky_lucky_is_the_published_one() -> None:
    """S. How, Lucky Lucky Blackjack Sidebet (discountgambling.net, 3 May 2012): two decks, cut card at the 75th card:
    favourable 27.69% of the time, then worth 5.91% on average. His rules of the base game are not stated."""
    house = load("blackjack").at({"decks": "2", "split-to": "1"}, {"lucky-lucky": "100,50,30,15,3,2,2"})
    plan = Plan(decks=(2,), cuts=(Fraction(29, 52),), shoes=1000)
    (depth,) = protect(house, "lucky-lucky", plan).wagers[0].depths
    assert abs(depth.perfect.share - 0.2769) < 4 * depth.perfect.share_error
    assert depth.perfect.edge is not None and depth.perfect.edge_error is not None
    assert abs(depth.perfect.edge - 0.0591) < 4 * depth.perfect.edge_error
    assert depth.counted is not None and 0.85 * depth.perfect.win < depth.counted.win < depth.perfect.win


def test_more_decks_are_favourable_less_often_at_the_same_share_dealt() -> None:
    shares = []
    for decks in (2, 4, 8):
        house = house_at("blackjack", {"decks": str(decks)})
        worth = worth_of(house, "lucky-lucky")
        assert isinstance(worth, Polynomial)
        half = 26 * decks
        shoes = np.array([thinned(house.composition, half, seed) for seed in range(700)])
        shares.append((worth.expectations(shoes) > 0).mean())
    assert shares[0] > shares[1] > shares[2]


# ---- gains from a sample


def test_a_sample_of_every_round_gives_the_truth_whatever_was_estimated() -> None:
    rng = np.random.default_rng(1)
    shoe, gone = np.repeat(np.arange(40), 10), np.tile(np.arange(10) * 4, 40)
    truth, guess = rng.normal(-0.02, 0.05, 400), rng.normal(-0.02, 0.05, 400)
    part = (np.arange(400) % 3 == 0).astype(np.int64)
    sizes = (int((part == 0).sum()), int((part == 1).sum()))
    bets = rng.random(400) < 0.3
    real, thought = Sheet(shoe, gone, truth), Sheet(shoe, gone, guess, Sample(np.arange(400), part, sizes, truth))
    for cards in (20, 40):
        dealt = real.upto(cards)
        assert dealt.sum() == 40 * cards // 4
        for a, b in (
            (real.perfect(dealt, 60.0), thought.perfect(dealt, 60.0)),
            (real.signalled(dealt, bets, 60.0), thought.signalled(dealt, bets, 60.0)),
        ):
            assert (a.share, a.edge, a.win, a.hourly) == pytest.approx((b.share, b.edge, b.win, b.hourly))


def test_a_small_sample_is_right_on_average_and_knows_its_error() -> None:
    rng = np.random.default_rng(2)
    shoe, gone = np.repeat(np.arange(200), 10), np.zeros(2000, np.int64)
    truth = rng.normal(-0.02, 0.05, 2000)
    guess = truth + rng.normal(0.01, 0.02, 2000)  # too high by a hundredth
    near = guess > -0.03
    real = Sheet(shoe, gone, truth).perfect(np.ones(2000, bool), 1.0)
    found = []
    for seed in range(200):
        pick = np.random.default_rng(seed)
        drawn = [pick.permutation(np.flatnonzero(some))[:n] for some, n in ((near, 45), (~near, 15))]
        rounds = np.concatenate(drawn)
        sample = Sample(rounds, np.repeat([0, 1], [45, 15]), (int(near.sum()), int((~near).sum())), truth[rounds])
        found.append(Sheet(shoe, gone, guess, sample).perfect(np.ones(2000, bool), 1.0))
    wins = np.array([g.win for g in found])
    assert abs(wins.mean() - real.win) < 4 * wins.std() / sqrt(200)
    guessed = 100 * np.maximum(guess, 0).mean()
    assert guessed - real.win > 10 * abs(wins.mean() - real.win)  # the estimate alone would be far off
    extra = sqrt(np.mean([g.win_error**2 for g in found]) - real.win_error**2)
    assert 0.6 < wins.std() / extra < 1.6


def test_a_bet_on_the_dealers_hand_has_exact_effects_and_says_how_many_shoes_were_counted() -> None:
    house = load("blackjack").at({"decks": "1", "split-to": "1"})
    assert isinstance(worth_of(house, "lucky-break"), Followed)
    plan = Plan(decks=(1,), cuts=(Fraction(1, 2),), shoes=60, states=8)
    (found,) = protect(house, "lucky-break", plan).wagers
    assert found.states == 8 and found.depths[0].perfect.win_error > 0
    assert all(d.counted is None or d.counted.win <= d.perfect.win for d in found.depths)
    assert found.edge == analyze(house, wager="lucky-break").wagers[0].house_edge
    assert sum((16 if r.cards == "10 to king" else 4) * r.effect for r in found.removals) == Fraction(0)
    assert max(found.removals, key=lambda r: r.effect).cards == "ace"  # it saves the dealer from going over


def test_perfect_play_never_wins_less_than_the_count() -> None:
    low, high = (Gain(0.1, 0.01, 0.02, 0.001, win, 0.1 * win, 6 * win, 0.6 * win) for win in (0.2, 0.3))
    assert at_least(high, low) == high
    both = at_least(low, high)
    assert (both.win, both.hourly, both.share) == (0.3, pytest.approx(1.8), 0.1)
    assert both.edge == pytest.approx(0.03)  # 0.3 units per 100 hands on a tenth of them


def test_a_trigger_is_tried_in_shoes_in_which_it_was_not_chosen() -> None:
    """In even shoes the bet wins at a count of 2, in odd ones at 1 only: each half is bet as the other one teaches."""
    shoe, counts = np.repeat(np.arange(4), 2), np.tile([1, 2], 4)
    worth = np.where(shoe % 2 == 0, np.where(counts == 2, 1.0, -1.5), np.where(counts == 1, 2.0, -1.0))
    bets = _tried(Sheet(shoe, np.zeros(8, np.int64), worth), counts, np.ones(8, bool))
    assert bets.tolist() == [True, True, False, True] * 2


# ---- exposed cards


class KnownHole(Brute):
    """Brute force for a player who sees the hidden card: it is gone from the shoe, and the dealer has it."""

    hole = 0

    def holes(self, shoe: Hand, up: int) -> list[tuple[int, float]]:
        return [(self.hole, 1.0)]

    def seen(self) -> float:
        total = 0.0
        for hole, first, up, second in product(self.values, repeat=4):
            chance, left = 1.0, self.full
            for card in (first, up, second, hole):
                chance *= dict(self.each(left)).get(card, 0.0)
                left = self.less(left, card) if chance else left
            if chance:
                total += chance * self.known(first, up, second, hole)
        return -total

    def known(self, first: int, up: int, second: int, hole: int) -> float:
        natural = {first, second} == {1, 10}
        if {up, hole} == {1, 10}:
            return (0.0 if natural else -1.0) + (1.0 if up == 1 else 0.0)  # half a unit of insurance at 2 to 1
        if natural:
            return 1.5
        if hole != self.hole:
            self.hole = hole
            for answers in (self.best, self.fixed):
                answers.cache_clear()  # type: ignore[attr-defined]
        worth = max(self.best(self.less(self.full, first, up, second), up, tuple(sorted((first, second)))).values())
        return max(worth, self.split(up, first, free=False)) if first == second else worth


def test_seeing_the_hole_card_is_the_brute_force_of_every_hand() -> None:
    house = load("blackjack").at({"split-to": "2"}, shoe=of_values(SMALL))
    drawing = Drawing(house)
    brute = KnownHole(SMALL, 2)
    assert drawing.seen_edge == pytest.approx(brute.seen(), abs=1e-11)
    assert drawing.seen_edge < drawing.optimal_edge - 0.05


def test_the_hole_card_of_six_decks_is_worth_what_is_said() -> None:
    """Hole carding (en.wikipedia.org): up to 13% to the player, instead of about half a percent to the house."""
    (seen,) = exposures(house_at("blackjack", {}), "main")
    assert seen.what == "the dealer's hidden card" and seen.ways is None
    assert isinstance(seen.edge, float) and -0.132 < seen.edge < -0.128


def ante_of(house: House) -> list[str]:
    return [w.name for w in house.parties["ante"]]


def test_seeing_the_dealers_card_is_the_best_choice_for_every_pair_of_cards_at_the_live_table() -> None:
    house = load("bluff").at({"decks": "2"})
    (hidden,) = hidden_deals(trace(house))
    total, cards = Fraction(0), sum(house.composition)
    spare = shoe_cards(house.composition)
    for mine, his in product(range(0, 52, 4), range(1, 52, 4)):
        nets = []
        for choice in ("check", "call", "raise"):
            live = Round(house, [mine, his, *spare], [Seat({"ante": Fraction(5)})])
            live.choose(choice)
            nets.append(live.net() / 5)
        ways = 8 * (8 - (mine >> 2 == his >> 2))
        total += max(nets) * Fraction(ways, cards * (cards - 1))
    seen = Solver(house, graph=face_up(trace(house), ante_of(house), hidden.slots[:1])).wager_result("ante")
    assert seen.expectation == total > 0


def test_a_neighbours_card_is_the_average_over_shoes_without_one_card() -> None:
    house = load("bluff").at({"decks": "2", "limit": "high"})
    cards = sum(house.composition)
    average = sum(
        (
            Fraction(sum(house.composition[c : c + 4]), cards)
            * Solver(replace(house, composition=without(house.composition, c))).wager_result("ante").house_edge
            for c in range(0, 52, 4)
        ),
        Fraction(0),
    )
    seen = Solver(house, graph=after_cards(trace(house), ante_of(house), 1)).wager_result("ante")
    assert seen.house_edge == average < Solver(house).wager_result("ante").house_edge


def test_one_card_of_the_dealer_at_three_card_poker_is_worth_what_is_published() -> None:
    """E. Jacobson, Three Card Poker Hole-Card Play, Update #1 (apheat.net, 12 June 2015)."""
    house = load_game(EXAMPLES / "three_card_poker.py").at()
    (hidden,) = hidden_deals(trace(house))
    assert len(hidden.slots) == 3
    seen = Solver(house, graph=face_up(trace(house), ante_of(house), hidden.slots[:1])).wager_result("ante")
    assert round(float(seen.expectation) * 100, 4) == 3.4829
    assert round(float(seen.hit_frequency) * 100, 4) == 54.2203


def test_the_first_board_card_at_mississippi_stud_is_worth_what_is_published() -> None:
    """E. Jacobson, Mississippi Stud Poker Hole-Card Play (888casino.com): 54.8660% with the flop card in sight."""
    house = load_game(EXAMPLES / "mississippi_stud.py").at()
    first, *others = hidden_deals(trace(house))
    assert len(others) == 2
    seen = Solver(house, graph=face_up(trace(house), ante_of(house), first.slots[:1])).wager_result("ante")
    assert round(float(seen.expectation) * 100, 4) == 54.8660


def test_what_is_in_sight_is_named_or_said_to_be_too_many_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER, 1, face=DOWN), t.deal(DEALER, 2, face=DOWN)
        if t.decide("fold", "raise") == "raise":
            t.bet("raise")
            t.reveal(DEALER)
            t.settle(ante=compare(mine.rank, his[0].rank), raise_=compare(mine.rank, his[0].rank))
            return
        t.settle(ante=compare(0, mine.rank))

    monkeypatch.setattr("pitboss.exact.kernels.count.MOST_ROWS", 10_000)
    monkeypatch.setattr("pitboss.exact.kernels.hidden.MOST_STEPS", 0)
    wagers = Wager("ante", required=True), Wager("raise", equal_to="ante")
    (found,) = protect(small_game(play, *wagers).at(), "ante").wagers
    named = {e.what: e for e in found.exposures}
    assert list(named) == ["1 of the dealer's 2 cards", "2 of the dealer's 2 cards", "a neighbour's card"]
    one, two, neighbour = named.values()
    assert one.edge is not None and one.edge < 0 and neighbour.edge is not None
    assert two.edge is None and two.why_not.startswith("too many deals: the player can see about ")


# ---- advice


def _depth(decks: int, cut: str, hourly: float, counted: float = 0.0) -> Depth:
    def gain(dollars: float) -> Gain:
        return Gain(0.1 if dollars else 0.0, 0.01, 0.02, 0.001, 1.0, 0.1, dollars, 0.5)

    return Depth(decks, Fraction(cut), 1000, gain(hourly), gain(counted) if counted else None, 3)


TERMS = Terms(100, 1, 1, 60, Fraction(500), Fraction(20), Fraction(5), Fraction(500))


def test_advice_follows_its_rule() -> None:
    rows = [
        _depth(2, "1/2", 0.0), _depth(2, "1", 0.0),
        _depth(4, "1/2", 18.9, 10), _depth(4, "1", 5.0, 3),
        _depth(5, "1/2", 19.1, 10), _depth(5, "1", 5.0, 3),  # 19.1 and two errors are more than 20
        _depth(6, "1/2", 49.0, 30), _depth(6, "1", 30.0, 25), _depth(6, "3/2", 9.0, 8),
        _depth(8, "1/2", 99.0, 80), _depth(8, "1", 45.0, 30),
    ]  # fmt: skip
    found = {a.decks: a for a in advise(rows, TERMS)}
    assert [a.verdict for a in found.values()] == ["never favourable", "safe", "computers only", "cut", "limit"]
    assert (found[6].cut, found[6].limit) == (Fraction(3, 2), 200)  # 20 / (49 + 1) of $500
    assert (found[8].cut, found[8].limit) == (None, 100)
    assert "1.5 decks" in found[6].sentence and "$100" in found[8].sentence and "$50.00" in found[6].sentence


def test_no_limit_below_the_least_bet_is_ever_advised() -> None:
    row = _depth(2, "1/2", 1999.0, 1500)  # $20 an hour at $5: two errors are a dollar of $2,000
    assert advise([row], TERMS)[0].limit == 5
    (found,) = advise([row], replace(TERMS, least=Fraction(6)))
    assert (found.verdict, found.limit) == ("do not offer", 0)
    assert "do not offer the bet ($6, the least, is too much)" in found.sentence and "limit" not in found.sentence


def test_where_awards_are_in_dollars_the_advice_looks_at_the_least_bet_too() -> None:
    """$41 an hour at $500 and $9 at $5: the chord is at $20 a bit above a third of the way, not at 20 / 41 of $500."""
    at_limit, at_least = [_depth(2, "1/2", 40.0, 30)], [_depth(2, "1/2", 8.0, 7)]
    (found,) = advise(at_limit, TERMS, at_least)
    assert found.limit == 5 + int((20 - 9) / (41 - 9) * 495) < 20 / 41 * 500
    (worse,) = advise(at_limit, TERMS, [_depth(2, "1/2", 50.0, 30)])
    assert (worse.verdict, worse.limit) == ("do not offer", 0) and "$51.00 an hour at $5 a bet" in worse.sentence


def test_advice_is_by_whichever_wins_more_of_perfect_play_and_the_count() -> None:
    (found,) = advise([_depth(2, "1/2", 15.0, 30.0)], TERMS)
    assert found.verdict == "limit" and found.limit == int(20 / 31 * 500)


def test_what_else_is_advised_names_the_card_to_cover_and_the_decks_that_give_least() -> None:
    rows = [_depth(2, "1/2", 10.0), _depth(4, "1/2", 10.5), _depth(8, "1/2", 50.0), _depth(8, "1", 1.0)]
    seen = [Exposure("his card", Fraction(-1, 4), 9), Exposure("hers", Fraction(1, 99), 9), Exposure("x", None, None)]
    cover, decks = also(rows, Fraction(1, 20), seen)
    assert "with his card in sight" in cover and "25.00%" in cover and "hers" not in cover
    assert "2 or 4 decks give a counter least (from $10.00" in decks and "8 decks most ($50.00)" in decks
    assert also(rows[:1], Fraction(1, 20), seen[1:]) == ()
    assert "clearly" in also(rows[:2], Fraction(1, 20), ())[0]


# ---- awards in dollars


def _award(most: int | None = None, least: int = 5) -> Game:
    """A match pays $30, a pair 2 to 1."""

    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER), t.deal(DEALER)
        t.option("decks")
        t.settle(ante=first_match(("match", mine == his), ("pair", mine.rank == his.rank)))

    table = PayTable("standard", {"match": dollars(30), "pair": 2})
    wager = Wager("ante", required=True, tables=[table], minimum=least, maximum=most)
    decks = Choice("decks", (2, 1), "decks")
    return small_game(play, wager, options=(decks,), deck=[0, 1, 4, 5, 8], cut_card="2/5")


def test_an_award_in_dollars_is_measured_against_the_bet_that_is_made() -> None:
    """At $5 a match pays 6 to 1 and the player has the edge; at $500 it pays next to nothing."""
    plan = Plan(cuts=(Fraction(4, 5),), decks=(2,), shoes=400)
    (found,) = protect(_award().at(), "ante", plan).wagers
    assert found.terms is not None and (found.terms.bet, found.terms.limit) == (5, 500)
    match, pair = Fraction(5 * 2, 10 * 9), Fraction(4 * 4, 10 * 9)  # of two decks of five cards, two ranks with a pair
    assert found.edge == -(6 * match + 2 * pair - (1 - match - pair)) == analyze(_award().at()).wagers[0].house_edge
    for depth in found.depths:
        assert depth.perfect.hourly == pytest.approx(depth.perfect.win / 100 * 60 * 5)
    (at_limit,) = protect(_award().at({"table-min": "500"}), "ante", plan).wagers  # minimum=5 stays
    assert at_limit.terms is not None and at_limit.terms.bet == 5
    (big,) = protect(_award(least=500).at(), "ante", plan).wagers
    assert big.edge == -(Fraction(6, 100) * match + 2 * pair - (1 - match - pair)) > 0
    assert big.depths[0].perfect.hourly == pytest.approx(big.depths[0].perfect.win / 100 * 60 * 500)


def test_a_limit_below_the_least_bet_is_one_sentence() -> None:
    with pytest.raises(ValueError, match=r"ante takes \$5 or more: a limit of \$2 is below"):
        protect(_award().at(), "ante", Plan(limit=Fraction(2)))


# ---- the command


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    return run_command(capsys, "protect", *words)


QUICK = ("--shoes", "40", "--decks", "2")


@pytest.mark.parametrize("width", [80, 100, 120])
def test_the_answer_fits_the_terminal(width: int, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for wager in ("ante", "suit-tie"):
        code, out, err = run(capsys, "bluff", "--wager", wager, *QUICK)
        assert code == 0 and not err
        assert max(map(len, out.splitlines())) <= width and "…" not in out
        for phrase in ("exact", "simulated, 40 shoes each", "advice", "2 decks:", "edge then", "wins /100"):
            assert phrase in out
        rows = out[out.index("perfect play ") : out.index("cut: decks behind")].splitlines()
        assert all(row.split()[0] == "2" for row in rows if "±" in row)  # the number of decks in every row


def test_json_has_every_figure_and_how_it_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "bluff", *QUICK, "--json", "--limit", "100", "--hands", "80")
    data = json.loads(out)
    assert code == 0 and [w["wager"] for w in data["wagers"]] == ["ante", "suit-tie"]
    assert "meter" in data["not_judged"]["progressive"]
    ante = data["wagers"][0]
    assert ante["house_edge_exact"] == f"{analyze(load('bluff').at({'decks': '2'})).wager('ante').house_edge}"
    assert ante["terms"]["limit"] == 100 and len(ante["removals"]) == 13
    for depth in ante["depths"]:
        perfect = depth["perfect_play"]
        assert perfect["dollars_per_hour"] == pytest.approx(perfect["units_per_100_hands"] / 100 * 80 * 100)
        assert perfect["units_per_100_hands_standard_error"] > 0
    assert [e["seen"] for e in ante["exposures"]] == ["the dealer's hidden card", "a neighbour's card"]


def test_the_same_seed_gives_the_same_answer_and_another_one_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    words = (str(EXAMPLES / "red_dog.py"), *QUICK, "--json")
    first, again, other = (run(capsys, *words, "--seed", seed)[1] for seed in ("1", "1", "2"))
    assert first == again != other


def test_a_chart_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "win.png"
    code, out, _ = run(capsys, "bluff", "--wager", "suit-tie", *QUICK, "--plot", str(file))
    assert code == 0 and "chart:" in out and file.stat().st_size > 10_000


MISTAKES = [
    (("bluff", "--wager", "flush"), ("flush", "suit-tie")),
    (("bluff", "--wager", "progressive"), ("progressive", "meter")),
    (("bluff", "--decks", "3"), ("decks", "2, 4, 6 or 8")),
    (("bluff", "--decks", "two"), ("--decks: 'two'", "2,6,8")),
    (("flop-poker-bonus", "--decks", "2"), ("--decks 2", "one deck")),
    (("bluff", "--cut", "deep"), ("--cut: 'deep'", "0.5")),
    (("bluff", "--cut", "0"), ("--cut: '0'", "from 0.01")),
    (("bluff", "--cut", "9"), ("9 decks", "104 cards")),
    (("bluff", "--seats", "9"), ("1 to 7", "9")),
    (("bluff", "--shoes", "1"), ("--shoes", "2 to 50,000")),
    (("bluff", "--hands", "0"), ("--hands 0: write a whole number from 1",)),
    (("bluff", "--hands", "1001"), ("--hands", "1 to 1,000")),
    (("bluff", "--tolerate", "1e400"), ("--tolerate", "to $1,000,000,000")),
    (("bluff", "--limit", "1e400"), ("--limit", "to $1,000,000,000")),
    (("bluff", "--limit", "1e-400"), ("--limit", "from $0.01")),
    (("bluff", "--limit", "1", "--wager", "suit-tie"), ("suit-tie takes $5 or more", "$1")),
    (("bluff", "--cut", "1e400"), ("--cut: '1e400'", "to 100")),
    (("bluff", "--states", "1"), ("--states", "8 to")),
    (("bluff", "--limit", "high"), ("--limit", "'high'")),
    (("bluff", "--limit", "0"), ("--limit", "from $0.01")),
    (("bluff", "--tolerate", "-5"), ("--tolerate", "from $0.01")),
    (("bluff", "--plot", "x.pdf"), ("x.pdf", ".png")),
    (("bluff", "--seed", "x"), ("--seed",)),
    (("blackjack", "--wager", "insurance"), ("insurance", "main")),
    (("blackjack", "-p", "lucky-lucky=200,100,50,30,15,3,2,2", "--decks", "2", "--wager", "lucky-lucky"), ("8 pays",)),
]  # fmt: skip


@pytest.mark.parametrize(("words", "phrases"), MISTAKES, ids=lambda x: " ".join(x)[:40])
def test_a_mistake_is_one_sentence(
    words: tuple[str, ...], phrases: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *words)
    assert code == 2 and out == ""
    assert err.startswith("pitboss: ") and err.count("\n") == 1
    for phrase in phrases:
        assert phrase in err


def test_a_house_of_its_own_decks_is_looked_at_with_these() -> None:
    house = load("bluff").at({"decks": "4"})
    plan = Plan(shoes=10)
    assert {d.decks for d in protect(house, "suit-tie", plan).wagers[0].depths} == {4}
    default: House = load("bluff").at()
    assert {d.decks for d in protect(default, "suit-tie", plan).wagers[0].depths} == {2, 4, 6, 8}
