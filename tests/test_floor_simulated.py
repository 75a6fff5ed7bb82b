"""A table whose main bet cannot be counted: dealt by the strategy of the file, within its errors of the exact one."""

from fractions import Fraction
from functools import cache

import pytest

from helpers import ROOT, run
from pitboss.catalog import load
from pitboss.deal.players import Asker
from pitboss.earn import Floor, Plan, earn
from pitboss.earn import dealt as dealing
from pitboss.earn import seat as seating
from pitboss.exact import offered as offering
from pitboss.exact import study as studying
from pitboss.exact.kernels import Task

GAME = ROOT / "examples" / "three_card_poker.py"
WHY = "a count would take a year"


@pytest.fixture(autouse=True)
def fewer_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealing, "HANDS", 1 << 21)
    monkeypatch.setattr(seating, "CHUNKS", 2)


@pytest.fixture
def beyond(monkeypatch: pytest.MonkeyPatch, fewer_rounds: None) -> None:
    """The ante is beyond every kernel; the side bets are not."""
    counted(3)  # while it can be
    real = offering.offered

    def offered(task: Task, decided: tuple[str, ...], patient: bool = False) -> object:
        return WHY if "ante" in task.wagers else real(task, decided, patient)

    monkeypatch.setattr(studying, "offered", offered)


def table(strategy: str = "optimal", seats: int = 3, **bets: int) -> Floor:
    given = {w.replace("_", "-"): Fraction(b) for w, b in bets.items()}
    return earn(load(str(GAME)).at(), Plan(seats=seats, bets=given), strategy)


@cache
def counted(seats: int) -> Floor:
    """The same where the ante is counted."""
    return table("q64", seats=seats, ante=10, pair_plus=5)


def test_a_table_that_is_dealt_has_the_figures_of_the_counted_one_within_their_errors(beyond: None) -> None:
    found, exact = table(ante=10, pair_plus=5), counted(3)
    assert found.of.strategy == "q64"
    ante, pairs = found.theos if found.theos[0].wager == "ante" else found.theos[::-1]
    assert ante.method == "simulated" and pairs.method == "exact"
    assert 0 < ante.standard_error < 0.05
    known = {t.wager: t for t in exact.theos}
    assert abs(float(ante.per_bet - known["ante"].per_bet)) < 5 * ante.standard_error
    assert abs(float(ante.per_bet - known["ante"].per_bet)) > 0
    assert pairs.per_bet == known["pair-plus"].per_bet
    assert float(ante.handle) == pytest.approx(float(known["ante"].handle), rel=0.01)
    assert found.shift.loses.error > exact.shift.loses.error  # the edge is not known exactly
    off = abs(found.shift.loses.whole - exact.shift.loses.whole)
    assert off < 5 * (found.shift.loses.error + exact.shift.loses.error)
    assert found.exposure.table >= exact.exposure.table and found.exposure.bound
    assert any(WHY in note and "'q64' of the game file" in note for note in found.notes)


def test_one_seat_is_dealt_by_a_strategy_that_no_table_holds(beyond: None, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(seating, "tabled", lambda study: False)
    monkeypatch.setattr(dealing, "tabled", lambda study: False)
    monkeypatch.setattr(dealing, "CHUNK", 1 << 15)
    real = Asker.listed

    def listed(self: Asker, rounds: int, *more: int) -> object:
        asked.append(rounds)
        return real(self, rounds, *more)

    monkeypatch.setattr(Asker, "listed", listed)
    found = table("q64", seats=1, ante=10)
    (ante,) = found.theos
    assert asked and ante.method == "simulated"
    known = next(t for t in counted(3).theos if t.wager == "ante")
    assert abs(float(ante.per_bet - known.per_bet)) < 5 * ante.standard_error


def test_the_page_says_what_is_simulated(beyond: None, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "floor", str(GAME), "--bet", "ante=10", "--bet", "pair-plus=5")
    said = " ".join(out.split())
    assert code == 0 and not err
    assert "ante cannot be counted: what it brings, and all that follows from it, is simulated" in said
    assert "players follow 'q64' of the game file: the best play is not known" in said
    assert "ante: edge and spread simulated, 524,288 hands" in said and "pair-plus: exact" in said
    assert any(line.startswith("ante ") and "% ±0." in line for line in out.splitlines())
