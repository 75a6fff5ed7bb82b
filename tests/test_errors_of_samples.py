"""What a simulation says of its own error: as large as it is, and far from the exact result only where chance is no
explanation."""

from fractions import Fraction
from math import comb, erfc, log, sqrt
from pathlib import Path
from statistics import mean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import FIXED, load_game, run, small_game
from pitboss.catalog import load
from pitboss.deal import Run, simulate
from pitboss.deal.run import CHUNK
from pitboss.deal.statistics import FARTHEST, standard_errors
from pitboss.exact import Study
from pitboss.rules import PLAYER, PayTable, Table, Wager, first_match
from test_simulate import streak

ANTE = Wager("ante", required=True)


# ---- how far apart


@pytest.mark.parametrize(("shift", "hands"), [(0.001, 10**6), (-0.0004, 10**8), (0.02, 10**4)])
def test_of_many_hands_it_is_the_distance_in_standard_errors(shift: float, hands: int) -> None:
    law = [(0.3, 2.0), (0.1, 0.0), (0.6, -1.0)]
    centre = sum(p * x for p, x in law)
    error = sqrt(sum(p * (x - centre) ** 2 for p, x in law) / hands)
    assert standard_errors(law, centre + shift, hands) == pytest.approx(shift / error, rel=0.01)


@settings(max_examples=60, deadline=None)
@given(hands=st.integers(2, 60), met=st.integers(0, 60), chance=st.floats(0.01, 0.99))
def test_a_tail_is_never_heavier_than_it_says(hands: int, met: int, chance: float) -> None:
    """Against the binomial law, summed: it is Chernoff's bound, which holds for every number of hands."""
    met = min(met, hands)
    law = [(chance, 1.0), (1 - chance, 0.0)]
    z = standard_errors(law, met / hands, hands)
    each = [comb(hands, k) * chance**k * (1 - chance) ** (hands - k) for k in range(hands + 1)]
    tail = sum(each[met:]) if met / hands > chance else sum(each[: met + 1])
    assert (z > 0) == (met / hands > chance) or abs(z) < 1e-6
    assert tail <= 2.718281828 ** (-z * z / 2) * (1 + 1e-9)


def test_at_the_end_of_what_is_possible_and_beyond() -> None:
    law = [(0.25, 3.0), (0.75, -1.0)]
    assert standard_errors(law, -1.0, 10) == pytest.approx(-sqrt(-20 * log(0.75)))
    assert standard_errors(law, 3.0, 10) == pytest.approx(sqrt(-20 * log(0.25)))
    assert standard_errors(law, 3.5, 10) == FARTHEST and standard_errors(law, -2.0, 10) == -FARTHEST
    assert standard_errors([(1.0, 5.0)], 5.0, 10) == 0


def jackpot(t: Table) -> None:
    """Once in 2,652 rounds."""
    cards = t.deal(PLAYER, 2)
    t.settle(ante=first_match(("win", (cards[0].rank == 12) & (cards[0].suit == 3) & (cards[1].rank == 11))))


def test_a_jackpot_that_was_not_met_is_no_disagreement() -> None:
    house = small_game(jackpot, Wager("ante", required=True, tables=[PayTable("large", {"win": 600})])).at()
    edge = Study(house).wager("ante").house_edge
    for seed in range(40):
        found = simulate(house, 300, seed=seed)
        assert not found.off and found.wager("ante").exact == edge
    assert any(simulate(house, 300, seed=seed).wager("ante").standard_error == 0 for seed in range(40))


@pytest.mark.parametrize("rounds", ["1", "20", "1000"])
def test_few_rounds_of_a_game_with_jackpots_accuse_nobody(rounds: str, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(1, 6):
        code, out, err = run(capsys, "simulate", "bluff", "--rounds", rounds, "--seed", str(seed))
        assert (code, err) == (0, "") and "DISAGREES" not in out and "off by" not in out
        assert ("say little" in out) == (int(rounds) < 100)


def test_what_is_wrong_is_still_far_off() -> None:
    """The same cards paid otherwise than the exact result takes them."""
    running = Run(load("bluff").at())
    exact = running.sampled.exact["ante"]
    running.tally = running.sampled.add(running.tally, running.sampled.part([running._one(0, 1 << 18)]), whole=False)
    right = running.sampled._apart(exact, "ante", float(exact.expectation), 0.003, 1 << 18)
    wrong = running.sampled._apart(exact, "ante", float(exact.expectation) - 0.05, 0.003, 1 << 18)
    assert abs(right) < 1e-3 and wrong > 15
    assert erfc(wrong / sqrt(2)) < 1e-12


# ---- the error of hands that go together


@pytest.mark.parametrize(
    ("name", "settings"),
    [("bluff", {"seats": 5}), ("bluff", {"seats": 7, "mode": "shoe"}), ("streak", {}), ("bluff", {})],
)
def test_the_error_of_a_short_run_is_as_large_as_it_is(name: str, settings: dict[str, object]) -> None:
    """By how far apart runs of other seeds come out. Hands of one table share the dealer's cards."""
    house = load(name).at() if name == "bluff" else small_game(streak, ANTE).at()
    runs = [simulate(house, 4000, seed=seed, wager="ante", **settings).wager("ante") for seed in range(80)]
    told, found = mean(r.standard_error for r in runs), stdev(r.house_edge for r in runs)
    assert 0.75 < found / told < 1.3
    assert max(abs(r.z or 0) for r in runs) < 4.5


def test_the_pilot_is_no_part_of_the_result() -> None:
    running = Run(load("bluff").at(), seats=3)
    running.sampled._spread("ante")
    one = running.run(5000)
    assert one == Run(load("bluff").at(), seats=3).run(5000)


# ---- how fast it was


def test_a_run_that_goes_on_does_not_boast_of_hands_that_were_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chunk = CHUNK["fresh"]
    words = ["simulate", "bluff", "--wager", "ante", "--checkpoint", str(tmp_path / "run.ck"), "--rounds"]
    assert "were there before" not in run(capsys, *words, str(2 * chunk))[1]
    out = run(capsys, *words, str(2 * chunk + 1000))[1]
    assert f"{2 * chunk:,} were there before" in " ".join(out.split())
    running = Run(load("bluff").at(), wager="ante")
    found = running.run(2 * chunk + 1000, checkpoint=tmp_path / "run.ck")
    assert found.dealt == 1000 and found.rounds == 2 * chunk + 1000


def test_games_of_the_tree_are_not_called_wrong_by_short_runs() -> None:
    for path in FIXED:
        found = simulate(load_game(path).at(), 500, seed=3)
        assert not found.off, (path, [(w.wager, w.z) for w in found.off])
        assert all(isinstance(w.exact, Fraction) or w.exact is None for w in found.wagers)
