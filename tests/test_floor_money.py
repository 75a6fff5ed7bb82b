"""What goes over a table: handle, drop and hold, players' mistakes, and whether a real win is as it should be."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from helpers import run
from pitboss.catalog import load
from pitboss.earn import Actual, Floor, Plan, earn
from pitboss.earn.lattice import Chain, Round, Sampled, plain
from pitboss.earn.mistakes import beside, made

F = Fraction
ONE = Plan(seats=1, bets={"ante": F(10)}, hands=60, hours=F(1), days=1)


def bluff(plan: Plan = ONE, actual: Actual | None = None) -> Floor:
    return earn(load("bluff").at(), plan, "optimal", "ante", actual)


def test_handle_is_all_that_is_bet_and_hold_the_win_of_the_drop() -> None:
    found = bluff(Plan(seats=3, bets={"ante": F(10)}, hands=40, buy_in=F(300), stay=F(3, 2)))
    wagered = F(22, 13)  # the ante, and a raise or a call of its size with nine of thirteen cards
    assert found.handle == 3 * 40 * 10 * wagered
    assert found.plan.drop == 3 * 300 / F(3, 2)
    assert found.hold == F(171, 4043) * 10 * 40 / 200
    assert bluff().plan.bought == 20 * 10


def test_mistakes_bring_the_house_their_share_of_every_bet() -> None:
    best, worse = bluff(), bluff(Plan(**{**vars(ONE), "mistakes": F(1, 50), "seats": 4}))
    assert worse.round_mean == 4 * (best.round_mean + F(1, 50) * 10)
    assert worse.theos[0].edge == F(171, 4043) + F(1, 50) and worse.handle == 4 * best.handle
    assert worse.seat_std_dev**2 == pytest.approx(best.round_std_dev**2 + 100 * 0.02 * 0.98)
    assert worse.month.theo == worse.round_mean * worse.month.rounds


@pytest.mark.parametrize("seats", [1, 3])
def test_mistakes_of_all_seats_are_those_of_each(seats: int) -> None:
    share, bet, by_seat = F(1, 7), F(5), {F(0): F(6, 7), F(5): F(1, 7)}
    every: dict[Fraction, Fraction] = {}
    for several in product(by_seat, repeat=seats):
        chance = F(1)
        for one in several:
            chance *= by_seat[one]
        every[sum(several, F(0))] = every.get(sum(several, F(0)), F(0)) + chance
    assert made(seats, share, bet) == every


def test_a_dealt_round_and_a_counted_one_take_mistakes_alike() -> None:
    chances = {F(-15): F(1, 4), F(0): F(1, 4), F(10): F(1, 2)}
    counted = beside(plain(chances), 2, F(1, 3), F(4))
    dealt = beside(Sampled(F(5), np.array([-3, 0, 2]), np.array([0.25, 0.25, 0.5])), 2, F(1, 3), F(4))
    assert isinstance(counted, Chain) and isinstance(dealt, Sampled)
    assert counted.chances == {
        won: sum((p * q for a, p in chances.items() for b, q in made(2, F(1, 3), F(4)).items() if a + b == won), F(0))
        for won in counted.chances
    }
    assert dealt.mean == pytest.approx(float(counted.mean)) and dealt.variance == pytest.approx(float(counted.variance))
    one, other = (Round(result).after(50) for result in (counted, dealt))
    for share in (0.01, 0.3, 0.99):
        assert one.quantile(share) == other.quantile(share)


def test_a_real_win_is_held_against_every_sum_that_can_come() -> None:
    """Two rounds of one seat, every pair of results: what 95% and 99% lie between, and how many are as low."""
    found = bluff(actual=Actual(F(-20), 2))
    one = Round(_results())
    sums: dict[Fraction, Fraction] = {}
    for (a, p), (b, q) in product(_results().chances.items(), repeat=2):
        sums[a + b] = sums.get(a + b, F(0)) + p * q
    judged = found.actual
    assert judged is not None and one.mean == pytest.approx(float(F(1710, 4043)))
    assert judged.as_low == pytest.approx(float(sum(p for won, p in sums.items() if won <= -20)))
    assert judged.as_high == pytest.approx(float(sum(p for won, p in sums.items() if won >= -20)))
    for sure, (low, high) in judged.between.items():
        below = float(sum(p for won, p in sums.items() if won < low))
        above = float(sum(p for won, p in sums.items() if won > high))
        assert below <= (1 - sure) / 2 + 1e-9 and above <= (1 - sure) / 2 + 1e-9
    assert judged.normal(0.95) and not bluff(actual=Actual(F(-60), 2)).actual.normal(0.99)  # type: ignore[union-attr]


def _results() -> Chain:
    from pitboss.exact import analyze

    won: dict[Fraction, Fraction] = {}
    for o in analyze(load("bluff").at(), wager="ante").wager("ante").outcomes:
        won[-10 * o.pays] = won.get(-10 * o.pays, F(0)) + o.probability
    return plain(won)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--actual 15000", "is normal"),
        ("--actual 9000", "is unusual"),
        ("--actual=-2000", "is out of the ordinary"),
        ("--actual 500 --rounds 480", "in 480 rounds is normal"),
    ],
)
def test_is_this_months_win_normal(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "floor", "bluff", *words.split())
    assert code == 0 and said in out, err
    lines = out.splitlines()
    assert next(n for n, line in enumerate(lines) if said in line) < 6  # the answer first
    assert ("95% of the time" in out) and ("99% of the time" in out)
    for word in ("handle", "drop", "theoretical win", "theoretical hold"):
        assert word in "\n".join(lines[:18])


@pytest.mark.parametrize(
    ("words", "phrase"),
    [
        ("--rounds 100", "--actual"),
        ("--mistakes 100%", "0% to 100% of a bet"),
        ("--mistakes -1", "a share from 0% to 100%"),
        ("--buy-in 0", "--buy-in"),
        ("--stay 0", "--stay"),
        ("--wager suit-tie --mistakes 1%", "nothing to decide"),
        ("--actual lots", "--actual"),
    ],
)
def test_a_mistake_is_one_sentence(words: str, phrase: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "floor", "bluff", *words.split())
    assert code == 2 and not out and phrase in err and err.count("\n") == 1, err
