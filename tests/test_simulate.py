"""Simulation: reproducible, resumable, honest about its error."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from statistics import stdev
from types import FrameType
from typing import Any

import pytest

from helpers import ANTE, GAME_FILES, ROOT, load_game, small_game
from pitboss.deal import CHUNK, Progress, Run, Stopped, chi_square, chi_square_tail, normal_tail, simulate
from pitboss.deal import run as running
from pitboss.deal.figures import Sampled
from pitboss.ledger.simulated import Simulation
from pitboss.rules import (
    BOARD,
    DEALER,
    LOSE,
    PLAYER,
    WIN,
    BadInput,
    House,
    Table,
    compare,
    where,
)

BLUFF = load_game(next(path for path in GAME_FILES if path.stem == "bluff"))
FRESH, SHOE = CHUNK["fresh"], CHUNK["shoe"]


def counts(run: Run) -> list[int]:
    return [int(n) for n in run.tally.cells]


def ran(rounds: int | None, checkpoint: Path | None = None, house: House | None = None, **settings: Any) -> Run:
    """A run to its end, to look at its cells."""
    during = {k: settings.pop(k) for k in ("until_se", "workers", "progress") if k in settings}
    run = Run(house or BLUFF.at(), **settings)
    run.run(rounds, checkpoint=checkpoint, **during)
    return run


# ---- the same seed, the same result


@pytest.mark.parametrize("mode", ["fresh", "shoe"])
def test_the_result_does_not_depend_on_the_number_of_workers(mode: str) -> None:
    rounds = 5 * CHUNK[mode] + 1234
    one, two, three = (ran(rounds, mode=mode, seed=9, workers=n) for n in (1, 2, 3))
    assert counts(one) == counts(two) == counts(three)
    assert one.result(0) == two.result(0) == three.result(0)
    assert sum(counts(one)) == rounds


def test_seeds_make_the_result_and_nothing_else_does() -> None:
    first, again, other = (simulate(BLUFF.at(), 300_000, seed=seed) for seed in (1, 1, 2))
    assert first == again and first.json() == again.json()
    assert [w.outcomes for w in first.wagers] != [w.outcomes for w in other.wagers]
    assert (first.seed, other.seed) == (1, 2)


@pytest.mark.parametrize("rounds", [1, 999, FRESH - 1, FRESH, FRESH + 1])
def test_exactly_as_many_rounds_are_played_as_asked_for(rounds: int) -> None:
    result = simulate(BLUFF.at(), rounds)
    assert result.rounds == rounds
    assert all(sum(o.count for o in w.outcomes) == rounds for w in result.wagers)


def test_more_rounds_begin_with_the_same_ones() -> None:
    short, long = ran(FRESH), ran(2 * FRESH)
    rest = [b - a for a, b in zip(counts(short), counts(long), strict=True)]
    assert min(rest) >= 0 and sum(rest) == FRESH


@pytest.mark.parametrize("mode", ["fresh", "shoe"])
def test_every_seat_is_counted(mode: str) -> None:
    assert simulate(BLUFF.at(), SHOE + 5, mode=mode, seats=5).rounds == 5 * (SHOE + 5)


# ---- checkpoints


def test_a_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "bluff.json"
    ran(3 * FRESH, file)
    assert json.loads(file.read_text())["chunks"] == 3
    resumed, whole = ran(10 * FRESH + 77, file), ran(10 * FRESH + 77)
    assert counts(resumed) == counts(whole)
    assert resumed.result(0) == whole.result(0)


@pytest.mark.parametrize("mode", ["fresh", "shoe"])
def test_errors_over_chunks_survive_a_checkpoint(tmp_path: Path, mode: str) -> None:
    """The sums that a standard error over chunks needs are kept too."""
    file = tmp_path / "run.json"
    ran(21 * CHUNK[mode], file, mode=mode)
    resumed, whole = ran(25 * CHUNK[mode], file, mode=mode), ran(25 * CHUNK[mode], mode=mode)
    assert resumed.result(0) == whole.result(0)


def test_a_part_of_a_chunk_is_never_saved(tmp_path: Path) -> None:
    file = tmp_path / "bluff.json"
    ran(2 * FRESH + 5000, file)
    assert counts(ran(4 * FRESH, file)) == counts(ran(4 * FRESH))


def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    file = tmp_path / "killed.json"
    script = f"""
        import sys
        sys.path.insert(0, {str(ROOT / "tests")!r})
        from pathlib import Path
        from helpers import load_game
        from pitboss.deal import Run
        from pitboss.deal import run
        run.SAVE_EVERY = 0.0
        game = load_game(Path({str(BLUFF.path)!r}))
        Run(game.at()).run(10**12, workers=2, checkpoint=Path({str(file)!r}))
    """
    child = subprocess.Popen([sys.executable, "-c", textwrap.dedent(script)], env=os.environ)
    try:
        deadline = time.monotonic() + 30
        while not file.exists() or saved_chunks(file) < 4:
            assert child.poll() is None and time.monotonic() < deadline, "the child did not get going"
            time.sleep(0.01)
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
    chunks = saved_chunks(file)
    rounds = (chunks + 3) * FRESH
    assert counts(ran(rounds, file)) == counts(ran(rounds))


def saved_chunks(file: Path) -> int:
    return int(json.loads(file.read_text())["chunks"])


# ---- interruption


class Interrupt:
    """Ctrl-C, from inside the run."""

    def __init__(self, at: int) -> None:
        self.at = at

    def __call__(self, progress: Progress) -> None:
        if progress.rounds >= self.at:
            raise KeyboardInterrupt


@pytest.fixture
def _eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress after every chunk, as if each took long."""
    clock = iter(range(10**9))
    monkeypatch.setattr(running.time, "monotonic", lambda: float(next(clock)))


@pytest.mark.usefixtures("_eager")
def test_an_interrupted_run_tells_what_it_has_and_can_be_resumed(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    with pytest.raises(Stopped) as stopped:
        ran(10 * FRESH, file, progress=Interrupt(3 * FRESH))
    assert isinstance(stopped.value.result, Simulation)
    assert (stopped.value.result.rounds, stopped.value.saved) == (3 * FRESH, file)
    assert counts(ran(10 * FRESH, file)) == counts(ran(10 * FRESH))


def test_an_interruption_at_the_very_end_counts_nothing_twice(tmp_path: Path) -> None:
    """The last, partial chunk has been counted, but must not be kept: a longer run counts that chunk whole."""
    file = tmp_path / "run.json"
    rounds = 2 * FRESH + 5000
    with pytest.raises(Stopped):
        ran(rounds, file, progress=Interrupt(rounds))
    assert counts(ran(4 * FRESH, file)) == counts(ran(4 * FRESH))


@pytest.mark.parametrize("line", range(1, 13))
def test_an_interruption_in_the_middle_of_adding_up_counts_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: int
) -> None:
    """Ctrl-C may strike between any two lines: a chunk is added whole or not at all."""
    monkeypatch.setitem(running.CHUNK, "fresh", 1 << 10)
    house, file, rounds = small_game(streak, ANTE).at(), tmp_path / "run.json", 22 << 10
    calls = lines = 0

    def inside(frame: FrameType, event: str, _: object) -> Any:
        nonlocal lines
        lines += event == "line"
        if lines == line:
            raise KeyboardInterrupt
        return inside

    def watch(frame: FrameType, event: str, _: object) -> Any:
        nonlocal calls
        calls += frame.f_code is Sampled.add.__code__
        return inside if calls == 3 and frame.f_code is Sampled.add.__code__ else None

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        ran(rounds, file, house)
    except Stopped:
        pass
    finally:
        sys.settrace(before)
    assert calls >= 3
    resumed, whole = ran(rounds, file, house), ran(rounds, None, house)
    assert counts(resumed) == counts(whole)
    assert resumed.result(0) == whole.result(0)


@pytest.mark.usefixtures("_eager")
def test_an_interruption_without_a_checkpoint_tells_what_it_has() -> None:
    with pytest.raises(Stopped) as stopped:
        ran(10 * FRESH, progress=Interrupt(FRESH))
    assert stopped.value.saved is None
    assert stopped.value.result is not None and stopped.value.result.rounds == FRESH


# ---- a checkpoint of something else


@pytest.mark.parametrize(
    ("now", "message"),
    [
        ({"seed": 2}, "seed was 1, now 2"),
        ({"strategy": "casual"}, "strategy was optimal, now casual"),
        ({"house": BLUFF.at({"decks": 8})}, "option decks was 6, now 8"),
        ({"house": BLUFF.at({"meter": "10000.01"})}, "option meter was 10000, now"),
        ({"house": BLUFF.at(tables={"suit-tie": "1,3,12"})}, "pay table suit-tie was standard, now 1,3,12"),
        ({"mode": "shoe"}, "mode was fresh, now shoe"),
    ],
)
def test_a_checkpoint_of_another_simulation_is_refused(tmp_path: Path, now: dict[str, Any], message: str) -> None:
    file = tmp_path / "run.json"
    ran(FRESH, file)
    before = file.read_bytes()
    with pytest.raises(BadInput) as caught:
        ran(2 * FRESH, file, **now)
    text = str(caught.value)
    assert text.startswith(f"{file} belongs to another simulation (") and message in text and "\n" not in text
    assert file.read_bytes() == before


def test_a_checkpoint_of_fewer_wagers_is_refused_or_counted_right(tmp_path: Path) -> None:
    """Sums over chunks are kept for the wagers that were looked at; the others' cannot be made up later."""
    file = tmp_path / "run.json"
    ran(21 * FRESH, file, wager="ante")
    try:
        resumed = ran(22 * FRESH, file)
    except BadInput:
        return
    assert resumed.result(0) == ran(22 * FRESH).result(0)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"of": 1}', '{"of": {}, "cells": ["x"], "chunks": 1}'])
def test_a_file_that_is_no_checkpoint_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(text)
    with pytest.raises(BadInput, match="is not a checkpoint of pitboss; name another file, or remove it to start anew"):
        ran(FRESH, file)
    assert file.read_text() == text


def test_a_checkpoint_with_more_rounds_than_asked_for_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    ran(3 * FRESH, file)
    with pytest.raises(BadInput, match="has 786,432 rounds already, more than 300,000"):
        ran(300_000, file)


# ---- until a standard error


def test_until_se_stops_at_one_place_whoever_works() -> None:
    runs = [ran(None, until_se=0.0006, workers=n) for n in (1, 3)]
    assert counts(runs[0]) == counts(runs[1])
    ante = runs[0].result(0).wager("ante")
    assert ante.standard_error <= 0.0006
    before = ran((runs[0].tally.chunks - 1) * FRESH)
    assert before.tally.chunks < running.ENOUGH_CHUNKS or before.result(0).wager("ante").standard_error > 0.0006


def test_until_se_may_be_bounded_by_rounds() -> None:
    assert ran(22 * FRESH, until_se=1e-9).tally.chunks == 22


@pytest.mark.parametrize(
    ("rounds", "settings", "message"),
    [
        (0, {}, "simulate at least 1 round, not 0"),
        (-5, {}, "simulate at least 1 round, not -5"),
        (None, {}, "say how many rounds, or until which standard error"),
        (None, {"until_se": 0.0}, "`until_se` is a standard error above 0, not 0"),
        (10, {"mode": "rested"}, "the mode is fresh or shoe, not rested"),
        (10, {"mode": "shoe", "seats": 0}, "Bluff seats 1 to 7 players, not 0"),
        (10, {"seats": 8}, "Bluff seats 1 to 7 players, not 8"),
        (10, {"cut": "1"}, "`cut` is for a real shoe, `mode='shoe'`: with fresh shuffles there is no cut card"),
        (10, {"wager": "raise"}, "raise goes with the ante; ask for ante"),
        (10, {"strategy": "wild"}, "bluff: strategy wild is not one of optimal, casual, rule or rule:N"),
        (
            10,
            {"mode": "shoe", "cut": "a lot"},
            "`cut`: 'a lot' is not a number from 0 to 1,000,000,000, such as 8, 0.5 or 3/2",
        ),
    ],
)
def test_a_bad_setting_is_one_sentence(rounds: int | None, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        ran(rounds, **settings)
    assert str(caught.value) == message


# ---- the shoe


@pytest.mark.parametrize("seats", range(1, 8))
def test_a_shoe_gives_the_exact_edge_at_every_number_of_seats(seats: int) -> None:
    """Every round of a shoe is as good as the first: a player who does not count has the same edge."""
    result = simulate(BLUFF.at(), 24 * SHOE, mode="shoe", seats=seats, seed=seats)
    for name in ("ante", "suit-tie"):
        wager = result.wager(name)
        assert wager.z is not None and abs(wager.z) < 4, (name, wager.z)
        assert wager.p_value is None, "rounds of one shoe are not independent: no chi-square"


@pytest.mark.parametrize("seats", [2, 7])
def test_seats_at_fresh_shuffles_give_the_exact_edge(seats: int) -> None:
    result = simulate(BLUFF.at(), 24 * SHOE, seats=seats, seed=seats)
    for wager in result.wagers:
        assert wager.z is not None and abs(wager.z) < 4, (wager.wager, wager.z)


@pytest.mark.parametrize("cut", ["0.13", "6", "7", "0", "-1"])
def test_a_cut_card_must_leave_enough_to_finish_a_round(cut: str) -> None:
    with pytest.raises(BadInput, match=r"cards or more behind it to finish a round|'-1' is not a number from 0"):
        Run(BLUFF.at(), mode="shoe", seats=7, cut=cut)


def test_burnt_cards_count_among_those_behind_the_cut_card() -> None:
    """A round that burns many cards would run past the end of the shoe."""

    def play(t: Table) -> None:
        mine = t.deal(PLAYER)
        t.burn(20)
        t.settle(ante=compare(mine.rank, t.deal(DEALER).rank))

    house = small_game(play, ANTE).at()
    with pytest.raises(BadInput, match="behind it to finish a round"):
        Run(house, mode="shoe", cut="0.25")  # 13 cards, and a round takes 22
    Run(house, mode="shoe", cut="0.5")


def test_seats_that_go_different_ways_all_find_their_cards() -> None:
    """One seat draws five cards of its own, another makes the dealer draw six: both may happen in one round."""

    def play(t: Table) -> None:
        mine = t.deal(PLAYER)
        if t.when(mine.rank > 5):
            t.deal(PLAYER, 5)
        else:
            t.deal(DEALER, 6)
        t.settle(ante=compare(mine.rank, 6))

    house = small_game(play, ANTE).at()
    with pytest.raises(BadInput, match="cards or more behind it to finish a round"):
        Run(house, mode="shoe", seats=2, cut="0.23")  # 12 cards, and 6 + 1 + 6 may be dealt
    Run(house, mode="shoe", seats=2, cut="0.5")


def test_the_cut_card_lies_where_it_is_put() -> None:
    run = Run(BLUFF.at(), mode="shoe", cut="1.5")
    assert run.cut == 312 - 78
    assert Run(BLUFF.at(), mode="shoe").cut == 312 - 65
    assert "shuffled after 234 cards" in ran(SHOE, mode="shoe", cut="1.5").result(0).mode


# ---- honest errors


def streak(t: Table) -> None:
    """A win is repeated: rounds are far from independent."""
    held = t.carried("held", 1, on="ante")
    mine = t.deal(PLAYER)
    again = where(held == 1, mine.rank > 0, mine.rank > 11)
    t.settle(ante=where(again, WIN, LOSE))
    t.carry("held", again)


def branching_streak(t: Table) -> None:
    """The same game, with a public branch instead of an expression."""
    held = t.carried("held", 1, on="ante")
    mine = t.deal(PLAYER)
    again = t.when(mine.rank > 0) if t.when(held == 1) else t.when(mine.rank > 11)
    t.settle(ante=WIN if again else LOSE)
    t.carry("held", int(again))


@pytest.mark.parametrize("play", [streak, branching_streak])
def test_rounds_that_hang_together_have_an_error_over_chunks(play: Any) -> None:
    """Independent rounds would claim a far smaller error than is true, and a chi-square that means nothing."""
    wager = simulate(small_game(play, ANTE).at(), 30 * FRESH, seed=4).wager("ante")
    independent = wager.std_dev / wager.rounds**0.5
    assert wager.standard_error > 2 * independent
    assert wager.p_value is None and wager.chi_square is None
    assert wager.z is not None and abs(wager.z) < 4


def test_the_error_over_chunks_is_that_of_their_means() -> None:
    run = ran(23 * FRESH + 1000, house=small_game(streak, ANTE).at())  # the part of a chunk at the end is no chunk
    won = run.sampled.worth["ante"] / run.sampled.denominator["ante"]
    means = [float(run._one(chunk, FRESH)[0] @ won) / FRESH for chunk in range(23)]
    assert run.result(0).wager("ante").standard_error == pytest.approx(stdev(means) / 23**0.5)


def test_independent_rounds_have_the_error_of_independent_rounds() -> None:
    wager = simulate(BLUFF.at(), 21 * FRESH).wager("ante")
    assert wager.standard_error == pytest.approx(wager.std_dev / wager.rounds**0.5)
    assert wager.p_value is not None and wager.degrees == len(wager.outcomes) - 1


def test_a_simulation_knows_what_it_is_of() -> None:
    result = simulate(BLUFF.at({"decks": 8}, {"suit-tie": "1,3,12"}), 1000, seed=5, strategy="casual")
    assert (result.of.strategy, result.seed, result.of.paytables["suit-tie"]) == ("casual", 5, "1,3,12")
    assert result.of.sha256 == BLUFF.sha256 and result.of.options["decks"] == 8


def test_a_game_too_large_to_count_is_simulated_without_an_exact_figure() -> None:
    def play(t: Table) -> None:
        board = t.deal(BOARD, 4)
        mine, his = t.deal(PLAYER, 4), t.deal(DEALER, 4)
        totals = [sum((c.rank for c in hand + board), start=hand[0].rank) for hand in (mine, his)]
        t.settle(ante=compare(*totals))

    wager = simulate(small_game(play, ANTE).at(), 100_000).wager("ante")
    assert wager.exact is None and wager.z is None
    assert abs(wager.house_edge) < 5 * wager.standard_error  # symmetric


# ---- statistics


@pytest.mark.parametrize(
    ("x", "degrees", "tail"),
    [
        (3.841459, 1, 0.05),
        (6.634897, 1, 0.01),
        (18.307038, 10, 0.05),
        (15.987179, 10, 0.10),
        (2.705543, 1, 0.10),
        (0.0157908, 1, 0.90),
        (124.342113, 100, 0.05),
        (77.929465, 100, 0.95),
        (10.827566, 1, 0.001),
        (29.588298, 10, 0.001),
    ],
)
def test_chi_square_tail_equals_the_printed_tables(x: float, degrees: int, tail: float) -> None:
    assert chi_square_tail(x, degrees) == pytest.approx(tail, rel=2e-5)


def test_chi_square_tail_at_its_ends() -> None:
    assert chi_square_tail(0, 5) == chi_square_tail(7, 0) == 1
    assert chi_square_tail(2.0, 2) == pytest.approx(0.36787944117144233, rel=1e-12)  # exp(-x / 2)
    assert chi_square_tail(5000, 3) == pytest.approx(0, abs=1e-300)
    both_ways = [chi_square_tail(x, 8) for x in (9.999999, 10.000001)]  # series below, continued fraction above
    assert both_ways[0] == pytest.approx(both_ways[1], rel=1e-6)


def test_chi_square_counts_rare_cells_as_one() -> None:
    assert chi_square([60, 40], [50, 50]) == (4.0, 1)
    assert chi_square([60, 34, 2, 4], [50, 44, 3, 3]) == (pytest.approx(100 / 50 + 100 / 44 + 0), 2)
    assert chi_square([10], [10]) == (0, 0)


def test_an_outcome_that_cannot_happen_is_no_agreement() -> None:
    """The exact analysis gives it no chance at all, and yet it was counted."""
    assert chi_square_tail(*chi_square([60, 40], [60, 40])) == 1
    assert chi_square_tail(*chi_square([60, 40, 1], [60, 40, 0])) < 1e-100


def test_normal_tail() -> None:
    assert normal_tail(1.959964) == pytest.approx(0.05, rel=1e-5)
    assert normal_tail(-1.959964) == normal_tail(1.959964) and normal_tail(0) == 1
