"""What is done unasked: two gigabytes and ten minutes, known before; and what nobody asked for is never refused."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import pitboss as pb
from helpers import run
from pitboss.claims import documents
from pitboss.deal import Run
from pitboss.earn import lattice
from pitboss.exact import Offer, Study, TooLarge
from pitboss.guard import Plan, protect
from pitboss.guard.plan import cuts_of
from pitboss.guard.study import _asked
from pitboss.rules import work
from pitboss.rules.cut import fitting, usual_behind
from pitboss.rules.errors import BadInput
from pitboss.rules.work import MOST_MEMORY, MOST_SECONDS, Pace, Work
from pitboss.tune import branch, linear

BLUFF, BLACKJACK, PACKS = (pb.game(name) for name in ("bluff", "blackjack", "packs-poker"))
GB = 1 << 30


# ---- one sentence for all


def test_more_than_two_gigabytes_or_ten_minutes_needs_patience() -> None:
    Work(MOST_SECONDS, MOST_MEMORY).check(False, "less")
    with pytest.raises(TooLarge) as long:
        Work(1500.0, GB).check(False, "fewer `shoes`")
    assert str(long.value) == (
        "that would take about 1.0 GB of memory and 25 minutes, more than the 10 minutes that are spent unasked; ask "
        "for fewer `shoes`, or say `patient=True` to have it done all the same"
    )
    with pytest.raises(TooLarge, match=r"about 4\.1 GB of memory and 5\.0 s, more than the 2\.0 GB that are spent"):
        Work(5.0, int(4.1 * GB)).check(False, "less")
    Work(1500.0, 3 * GB).check(True, "less")


def test_patience_makes_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "memory_here", lambda: 8 * GB)
    with pytest.raises(TooLarge, match=r"this machine has 8\.0 GB of memory in all; ask for fewer"):
        Work(1.0, 9 * GB).check(True, "fewer `shoes`")
    monkeypatch.setattr(work, "memory_here", lambda: None)
    Work(1.0, 9 * GB).check(True, "fewer `shoes`")


def test_work_after_work_adds_up_in_time_and_shares_memory() -> None:
    assert Work(2.0, 30) + Work(3.0, 20) == Work(5.0, 30)


def test_a_large_count_is_made_with_patience() -> None:
    offer = Offer("count", 1, 1, 1.0, 3 * GB)
    with pytest.raises(TooLarge, match=r"3\.0 GB of memory, more than 2\.0 GB; `patient=True`"):
        offer.check(False)
    offer.check(True)


def test_a_pace_is_looked_at_once_and_not_at_all_with_patience() -> None:
    pace = Pace(False, "less", after=0.0)
    pace.started -= 10
    pace.check(1, 2)
    pace.check(1, 10**9)  # a machine that slows down later ends nothing
    for patient, before, of in ((True, 0.0, 10**9), (False, 0.0, 50)):
        fresh = Pace(patient, "less", before, after=0.0)
        fresh.started -= 10
        fresh.check(1, of)
    late = Pace(False, "less", before=590.0, after=0.0)
    late.started -= 10
    with pytest.raises(TooLarge):
        late.check(1, 2)


# ---- every question


@pytest.mark.parametrize("how", [("--rounds", "1e15"), ("--until-se", "1e-9")])
def test_a_simulation_of_years_is_refused_in_a_second(how: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "simulate", "bluff", *how)
    assert code == 2 and "more than the 10 minutes" in err and how[0] in err and "--patient" in err


def test_rounds_that_are_there_already_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from pitboss.deal.pace import RunPace

    for first, fine in ((0, False), (999, True)):
        pace = RunPace(first, 1000, None, False)
        pace.pace.started -= 10
        if fine:
            pace.check(first + 1, lambda: 1.0)
        else:
            with pytest.raises(TooLarge):
                pace.check(first + 1, lambda: 1.0)


def test_threads_have_a_limit(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "simulate", "bluff", "--workers", "100000")
    assert code == 2 and "--workers: '100000' is not a whole number from 1 to 1,024" in err


def test_protection_is_weighed_whole_before_a_shoe_is_dealt(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "protect", "blackjack", "--shoes", "50000", "--states", "10000")
    assert code == 2 and "more than the 10 minutes" in err and "--shoes, --states" in err and "--patient" in err


def test_protection_grows_with_what_is_asked() -> None:
    def asked(wager: str = "main", **more: int) -> Work:
        return _asked(BLACKJACK.at(), wager, Plan(**more)).work  # type: ignore[arg-type]

    few, many = asked(shoes=2000, states=8), asked(shoes=50_000, states=8)
    assert few.memory < many.memory < MOST_MEMORY and few.seconds < many.seconds
    assert asked(states=800).seconds > 5 * asked(states=100).seconds
    assert asked(shoes=20_000, seats=5).memory < asked(shoes=20_000).memory  # fewer rounds in a shoe


def test_protection_waits_when_it_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "MOST_SECONDS", 0.0)
    with pytest.raises(TooLarge, match="fewer `shoes`"):
        pb.protect(BLUFF.at(), "ante", decks=2, shoes=20)
    assert pb.protect(BLUFF.at(), "ante", decks=2, shoes=20, patient=True).wagers


def test_a_floor_waits_when_it_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "MOST_SECONDS", 0.0)
    with pytest.raises(TooLarge, match="fewer bets"):
        pb.floor(BLUFF.at(), seats=1)
    assert pb.floor(BLUFF.at(), seats=1, patient=True).theos


def test_pay_tables_are_weighed_before_they_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear, "BANDS", 10**12)
    with pytest.raises(TooLarge, match="fewer rows that move"):
        pb.design(BLUFF.at(), "suit-tie", edge=("4%", "6%"))
    assert pb.design(BLUFF.at(), "suit-tie", edge=("4%", "6%"), patient=True).found


def test_pay_tables_that_are_played_are_paced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branch, "SOME", 1)
    found = pb.design(BLUFF.at(), "ante", edge=("0%", "9%"), rows=["win=1..2"])
    monkeypatch.setattr(branch, "Pace", lambda patient, less, before: Pace(patient, less, 10**6, after=0.0))
    with pytest.raises(TooLarge, match="fewer rows that move"):
        pb.design(BLUFF.at(), "ante", edge=("0%", "9%"), rows=["win=1..2"])
    again = pb.design(BLUFF.at(), "ante", edge=("0%", "9%"), rows=["win=1..2"], patient=True)
    assert again.found == found.found


def test_claims_are_paced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "MOST_SECONDS", 0.0)
    monkeypatch.setattr(documents, "FIRST", 0.0)
    file = Path(__file__).parents[1] / "claims" / "bluff.toml"
    with pytest.raises(TooLarge, match="fewer claims"):
        pb.verify(file)


def test_the_tilts_of_a_wide_table_are_taken_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    one = lattice.plain({Fraction(-3): Fraction(1, 4), Fraction(1): Fraction(3, 4)}).on(Fraction(1))
    tilts = np.linspace(0.01, 2.0, 50)
    whole = one.cumulant(tilts)
    monkeypatch.setattr(lattice, "ROOM", 1)
    assert np.array_equal(one.cumulant(tilts), whole)


# ---- where nobody has placed the cut card


@pytest.mark.parametrize("seats", range(1, 8))
def test_a_shoe_of_one_deck_has_a_cut_card_that_fits(seats: int) -> None:
    run_ = Run(BLACKJACK.at(decks=1), mode="shoe", seats=seats, wager="lucky-lucky")
    need = 6 * (seats + 1)
    assert run_.cut == 52 - max(26, need)
    assert any(f"lies {52 - run_.cut} cards from the back" in note for note in run_.notes)


def test_a_game_of_one_deck_is_shuffled_for_every_round() -> None:
    found = pb.simulate(PACKS.at(), 1000, shoe=True, seats=7, wager="ante-bonus")
    assert found.mode == "shoe, shuffled for every round"
    assert (
        pb.simulate(PACKS.at(), 1000, shoe=True, cut="0.4", wager="ante-bonus").mode == "shoe, shuffled after 31 cards"
    )


def test_a_cut_card_that_was_placed_must_fit() -> None:
    with pytest.raises(BadInput, match=r"7 seats need 48 cards or more behind it .* so `cut` is 0\.92 to 0\.99"):
        pb.simulate(BLACKJACK.at(decks=1), 100, shoe=True, seats=7, cut="0.5", wager="lucky-lucky")
    with pytest.raises(BadInput, match="1 seat needs 12 cards"):
        pb.simulate(BLACKJACK.at(decks=1), 100, shoe=True, cut="0.1", wager="lucky-lucky")


def test_the_games_own_cut_card_stays_where_it_fits() -> None:
    run_ = Run(BLACKJACK.at(), mode="shoe", seats=7, wager="lucky-lucky")
    assert run_.cut == 312 - 78 and not any("cut card" in note for note in run_.notes)


def test_every_place_that_is_offered_is_taken() -> None:
    for need, decks in ((12, 1), (48, 1), (51, 1), (24, 2)):
        for place in fitting(BLACKJACK.at(decks=decks), need).split(" to "):
            assert need <= round(Fraction(place) * 52) < 52 * decks
    assert fitting(BLACKJACK.at(decks=1), 52) == ""
    assert usual_behind(BLACKJACK.at(decks=1), 60) == 52


def test_protection_finds_a_cut_card_that_fits() -> None:
    house, plan = BLACKJACK.at(decks=1), Plan(seats=7, shoes=20)
    assert cuts_of(house, plan) == [Fraction(48, 52)]
    assert protect(house, "lucky-lucky", plan).wagers[0].depths[0].cut == Fraction(12, 13)
    with pytest.raises(BadInput, match=r"no cut card of 0\.2 decks fits .* write `cuts` of 0\.92 to 0\.99"):
        protect(house, "lucky-lucky", Plan(seats=7, shoes=20, cuts=(Fraction(1, 5),)))


# ---- refused although right


@pytest.mark.parametrize("command", ["analyze", "simulate --rounds 1000", "rules", "floor --seats 1", "strategy"])
def test_fixed_awards_may_take_the_place_of_meters(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, *more = command.split()
    code, _, err = run(capsys, name, "bluff", *more, "-p", "progressive=$100,$1000")
    assert code == 0, err
    assert Study(BLUFF.at(tables={"progressive": "$100,$1000"})).wager("progressive").house_edge
