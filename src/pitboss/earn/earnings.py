"""What a table earns: from one seat's round to a shift, a month, a bankroll and the worst that can happen."""

from dataclasses import replace
from fractions import Fraction
from math import ceil, inf, log, sqrt
from statistics import NormalDist

from pitboss.earn.crowd import Crowd, check_dealt, crowd, spread
from pitboss.earn.exposure import exposure
from pitboss.earn.jackpots import jackpots_of
from pitboss.earn.lattice import Round
from pitboss.earn.plan import Plan, checked, completed
from pitboss.earn.records import Figure, Floor, Period, Theo
from pitboss.earn.seat import Part, effective, mixed, parts_of, reseeded
from pitboss.exact import Study
from pitboss.ledger.figure import EXACT
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.work import Work

SHOWS = 0.95
SHARES = (0.01, 0.05, 0.5, 0.95, 0.99)
ROUGH = 1 << 16  # points that are enough to look for a number of rounds, and for standard errors
MOST_SEARCHED = 10**9
DEALT = Work(30.0, 512 << 20)  # rounds of the whole table, and their sums on a lattice of no more than so many points


def earn(house: House, plan: Plan, strategy: str = "optimal", wager: str | None = None) -> Floor:
    """Theo, swings, bankroll, exposure and jackpots of one table; with `wager`, the money of that one only."""
    asked = dict(plan.rates) | ({wager: plan.rate(wager)} if wager else {})
    plan = checked(house, replace(plan, bets=completed(house, plan.bets, asked)))
    now = Study(house.but(placed=frozenset(plan.bets)), strategy, patient=plan.patient)  # the meters as they stand
    study = Study(reseeded(now.house), strategy, patient=plan.patient)
    house.check_seats(plan.seats, study.graph.most_cards(plan.seats))
    (study.plan.work + DEALT).check(plan.patient, "fewer bets")
    banked = [w for w in plan.bets if w in study.banked and wager in (None, w)]
    if not banked:
        raise BadInput("the players settle these bets among themselves: the house has no part in them")
    check_dealt(study, plan, banked)
    parts = parts_of(study, plan.bets, plan.seed, banked)
    often = effective(house, list(plan.bets), plan.rates)
    wins = [mixed(house, part, plan.rates, banked) for part in parts]
    found = crowd(study, plan, banked, parts, wins)
    one, result = found.one, found.one.result
    apart = plan.seats * sum(float(won.variance) for won in wins)
    mean = sum((won.mean for won in wins), Fraction(0)) * plan.seats
    whole = all(part.mean_of == EXACT for part in parts)
    return Floor(
        of=now.of,
        plan=plan,
        theos=tuple(_theo(part, w, plan, often[w]) for part in parts for w in part.wagers if w in banked),
        not_banked=tuple(w for w in plan.bets if w in study.book.shared),
        unit=one.unit,
        counted=tuple((part.wagers, part.spread, part.ways) for part in parts),
        round_mean=mean,
        round_std_dev=sqrt(one.variance),
        seat_std_dev=sqrt(sum(won.variance for won in wins)),
        rounds_dealt=found.rounds,
        common=float(result.variance) - apart,
        common_error=found.error(lambda r: r.variance),
        serial=result.serial,
        streaks_left_out=found.rounds > 0 and any(len(won.share) > 1 for won in wins),
        shift=_period("shift", found, plan.shift, mean, whole, plan.risk),
        month=_period("month", found, plan.month, mean, whole, plan.risk),
        bankroll=_bankroll(found, float(plan.risk)),
        edge_shows=_edge_shows(found),
        exposure=exposure(Study(house, strategy, patient=plan.patient), plan.seats),
        jackpots=tuple(j for w in banked if house.meters(w) for j in jackpots_of(now, plan, w, often[w])),
    )


def _theo(part: Part, wager: str, plan: Plan, often: Fraction) -> Theo:
    per_bet = part.theo(wager)
    per_hour = per_bet * often * plan.seats * plan.hands
    return Theo(wager, plan.bets[wager], often, per_bet, part.mean_of, part.standard_error, per_hour)


def _period(name: str, table: Crowd, rounds: int, mean: Fraction, whole: bool, risk: Fraction) -> Period:
    one = table.one
    after = one.after(rounds)
    without = [other.after(rounds, ROUGH) for other in table.others]
    theo, deviation = mean * rounds, sqrt(one.variance * rounds)
    normal = NormalDist(float(theo), deviation or 1e-9)
    quantiles = {
        share: Figure(after.quantile(share), normal.inv_cdf(share), spread([s.level(share) for s in without]))
        for share in sorted({*SHARES, float(risk)})
    }
    return Period(
        name, rounds, theo, whole, deviation, table.error(lambda r: sqrt(r.variance * rounds)),
        Figure(after.below_zero, normal.cdf(0.0), spread([s.below_zero for s in without])), after.at_zero, quantiles,
        after,
    )  # fmt: skip


def _bankroll(table: Crowd, risk: float) -> Figure | None:
    """What must be at hand so that the table ever eats it with at most this probability."""
    one = table.one
    if one.mean <= 0:
        return None
    normal = log(1 / risk) * one.variance / (2 * one.mean)
    return Figure(one.bankroll(risk), normal, table.error(lambda r: r.bankroll(risk)))


def _edge_shows(table: Crowd) -> Figure | None:
    """The number of rounds from which on the house is ahead with a probability of 95%."""
    one = table.one
    if one.mean <= 0:
        return None
    normal = max(1.0, (NormalDist().inv_cdf(SHOWS) ** 2) * one.variance / one.mean**2)
    if normal > MOST_SEARCHED:
        return Figure(inf, normal)
    found = _ahead_from(one, 2 * normal)
    return Figure(float(found), normal, table.error(lambda r: _ahead_from(r, 1.1 * found)))


def _ahead_from(one: Round, about: float) -> int:
    def ahead(rounds: int) -> bool:
        after = one.after(rounds, ROUGH)
        return 1 - after.below_zero - after.at_zero >= SHOWS

    high = ceil(about)
    while not ahead(high):
        high *= 2
    low = high
    while low > 0 and ahead(low):  # the last time that it was not so: a rare award lets the house lead at first
        high, low = low, low * 3 // 4
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if ahead(middle) else (middle, high)
    return high
