"""What a table earns: from one seat's round to a shift, a month, a bankroll and the worst that can happen."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, inf, log, sqrt
from statistics import NormalDist

from pitboss.crew import Crew
from pitboss.earn import mistakes
from pitboss.earn.crowd import Crowd, crowd, spread
from pitboss.earn.exposure import exposure
from pitboss.earn.jackpots import jackpots_of
from pitboss.earn.lattice import Round
from pitboss.earn.plan import Plan, checked, completed
from pitboss.earn.records import Actual, Figure, Floor, Judged, Period, Theo
from pitboss.earn.seat import Part, dealt_by, effective, mixed, parts_of, reseeded
from pitboss.exact import Study
from pitboss.ledger.figure import EXACT, SIMULATED
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.rewrite import only
from pitboss.rules.work import Work

SHOWS = 0.95
SURE = (0.95, 0.99)  # with which a real result is held against what can happen
SHARES = (0.01, 0.05, 0.5, 0.95, 0.99)
ROUGH = 1 << 16  # points that are enough to look for a number of rounds, and for standard errors
MOST_SEARCHED = 10**9
NOT_HIT = "how often the meters of {} are hit is not counted"
DEALT = Work(30.0, 512 << 20)  # rounds of the whole table, and their sums on a lattice of no more than so many points


def earn(
    house: House, plan: Plan, strategy: str = "optimal", wager: str | None = None, actual: Actual | None = None,
    crew: Crew | None = None,
) -> Floor:  # fmt: skip
    """Theo, swings, bankroll, exposure and jackpots of one table; with `wager`, the money of that one only. `actual` is
    what the house has really won, to be held against what it should have. A `crew` deals what is not counted."""
    asked = dict(plan.rates) | ({wager: plan.rate(wager)} if wager else {})
    plan = checked(house, replace(plan, bets=completed(house, plan.bets, asked)))
    placed = Study(house.but(placed=frozenset(plan.bets)), strategy, patient=plan.patient)
    now, note = dealt_by(placed, plan.seats)  # the meters as they stand
    layout = Study(house, now.strategy, patient=plan.patient)
    study = _counted_once(layout, Study(reseeded(now.house), now.strategy, patient=plan.patient), plan)
    house.check_seats(plan.seats, now.graph.most_cards(plan.seats))
    (study.plan.work + DEALT).check(plan.patient, "fewer bets")
    banked = [w for w in plan.bets if w in study.banked and wager in (None, w)]
    if not banked:
        raise BadInput("the players settle these bets among themselves: the house has no part in them")
    parts = parts_of(study, plan.bets, plan.seed, banked)
    often = effective(house, list(plan.bets), plan.rates)
    wins = [mixed(house, part, plan.rates, banked) for part in parts]
    played = next((w for w in banked if w in study.decided), "")
    if plan.mistakes and not played:
        raise BadInput("mistakes: there is nothing to decide in these bets, so nothing is given away")
    mistaken = plan.bets.get(played, Fraction(0))
    found = crowd(study, plan, banked, parts, wins, mistaken, crew)
    one, result = found.one, found.one.result
    alone = sum(won.variance for won in wins) + mistakes.variance(plan.mistakes, mistaken)
    apart = plan.seats * float(alone)
    mean = (sum((won.mean for won in wins), Fraction(0)) + plan.mistakes * mistaken) * plan.seats
    whole = all(part.mean_of == EXACT for part in parts)
    metered = [w for w in banked if house.meters(w)]
    beyond = [w for w in metered if w in now.plan.refused]
    return Floor(
        of=now.of,
        plan=plan,
        theos=tuple(
            _theo(study, part, w, plan, often[w], plan.mistakes if w == played else Fraction(0))
            for part in parts
            for w in part.wagers
            if w in banked
        ),
        not_banked=tuple(w for w in plan.bets if w in study.book.shared),
        unit=one.unit,
        counted=tuple((part.wagers, part.spread, part.ways) for part in parts),
        round_mean=mean,
        round_std_dev=sqrt(one.variance),
        seat_std_dev=sqrt(alone),
        rounds_dealt=found.rounds,
        common=float(result.variance) - apart,
        common_error=found.error(lambda r: r.variance),
        serial=result.serial,
        streaks_left_out=found.rounds > 0 and any(len(won.share) > 1 for won in wins),
        shift=_period("shift", found, plan.shift, mean, whole, plan.risk),
        month=_period("month", found, plan.month, mean, whole, plan.risk),
        bankroll=_bankroll(found, float(plan.risk)),
        edge_shows=_edge_shows(found),
        exposure=exposure(layout, plan.seats),
        actual=None if actual is None else _judged(found, actual, plan),
        jackpots=tuple(j for w in metered if w not in beyond for j in jackpots_of(now, plan, w, often[w])),
        notes=(*([note] if note else []), *_simulated(study, parts, bool(note)), *map(NOT_HIT.format, beyond)),
    )


def _simulated(study: Study, parts: Sequence[Part], said: bool) -> Iterator[str]:
    """Of what is known by dealing only: that it is, and why, where that is not said already."""
    for part in parts:
        if part.mean_of == SIMULATED:
            (wager, *_) = part.wagers
            why = "" if said else f", because {study.plan.refused[wager]}"
            yield (
                f"{wager} cannot be counted{why}: what it brings, and all that follows from it, is simulated, "
                "and ± is one standard error"
            )


def _counted_once(layout: Study, study: Study, plan: Plan) -> Study:
    """The study of all bets of the layout, which exposure asks for, where the bets of the plan come out alike in it:
    then one count serves both. Meters are at their seeds in the other one."""
    house = layout.house
    if layout.drawn or any(house.meters(p) for p in house.parties) or len(layout.plan.steps) != 1:
        return study
    members = [w.name for p in plan.bets for w in house.parties[p]]
    alike = only(layout.graph, members).key == only(study.graph, members).key
    return layout if alike else study


def _theo(study: Study, part: Part, wager: str, plan: Plan, often: Fraction, given: Fraction) -> Theo:
    bet = plan.bets[wager]
    per_bet = part.theo(wager) + given * bet
    per_hour = per_bet * often * plan.seats * plan.hands
    known = study.plan.step(wager) is not None
    in_all = study.wager(wager).wagered if known else part.staked
    return Theo(wager, bet, often, per_bet, part.mean_of, part.standard_error, per_hour, in_all * bet, given)


def _judged(table: Crowd, actual: Actual, plan: Plan) -> Judged:
    """Where a win lies among all that so many rounds can bring."""
    rounds = plan.month if actual.rounds is None else actual.rounds
    after = table.one.after(rounds)
    between = {sure: (after.quantile((1 - sure) / 2), after.quantile((1 + sure) / 2)) for sure in SURE}
    at = after.dollars
    low = float(after.chances[at <= float(actual.win) + 1e-9].sum())
    high = float(after.chances[at >= float(actual.win) - 1e-9].sum())
    return Judged(actual.win, rounds, Fraction(table.one.mean) * rounds, between, low, high)


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
