"""What a table earns: from one seat's round to a shift, a month, a bankroll and the worst that can happen."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, inf, log, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from pitboss.floor.crowd import Common, as_one, in_common
from pitboss.floor.exposure import exposure
from pitboss.floor.jackpots import jackpots_of
from pitboss.floor.lattice import Chain, Round
from pitboss.floor.plan import Plan, checked, completed
from pitboss.floor.records import Figure, Floor, Period, Theo
from pitboss.floor.seat import EXACT, SIMULATED, Counted, Part, counted, effective, mixed, parts_of, reseeded, set_aside
from pitboss.rules.errors import BadInput
from pitboss.rules.game import House

SHOWS = 0.95
SHARES = (0.01, 0.05, 0.5, 0.95, 0.99)
ROUGH = 1 << 16  # points that are enough to look for a number of rounds
MOST_SEARCHED = 10**9


def earn(house: House, plan: Plan, strategy: str = "optimal", wager: str | None = None) -> Floor:
    """Theo, swings, bankroll, exposure and jackpots of one table; with `wager`, the money of that one only."""
    asked = dict(plan.rates) | ({wager: plan.rate(wager)} if wager else {})
    plan = checked(house, replace(plan, bets=completed(house, plan.bets, asked)))
    placed = replace(house, placed=frozenset(plan.bets))
    book = counted(reseeded(placed), strategy)
    house.check_seats(plan.seats, book.graph.most_cards(plan.seats))
    banked = [w for w in plan.bets if w not in book.shared and wager in (None, w)]
    if not banked:
        raise BadInput("the players settle these bets among themselves: the house has no part in them")
    parts = [p for p in parts_of(book, plan.bets, plan.seed) if set(p.wagers) & set(banked)]
    often = effective(house, list(plan.bets), plan.rates)
    wins = [mixed(house, part, plan.rates, banked) for part in parts]
    cells = [
        _by_cell(book, [w for w in part.wagers if w in banked], plan, often, won.mean)
        for part, won in zip(parts, wins, strict=True)
    ]
    common = in_common(book, plan.seats, cells, plan.seed)
    one = _round(book, plan, wins, common)
    error = _variance_error(one, parts, wins, common, plan.seats)
    mean = sum((won.mean for won in wins), Fraction(0)) * plan.seats
    whole = all(part.mean_of == EXACT for part in parts)
    return Floor(
        of=replace(book.provenance(), options=dict(house.options)),  # the meters as they stand
        plan=plan,
        theos=tuple(_theo(part, w, plan, often[w]) for part in parts for w in part.wagers if w in banked),
        not_banked=tuple(w for w in plan.bets if w in book.shared),
        unit=one.unit,
        counted=tuple((part.wagers, part.spread, part.ways) for part in parts),
        round_mean=mean,
        round_std_dev=sqrt(one.variance),
        seat_std_dev=sqrt(sum(won.variance for won in wins)),
        common=common,
        serial=plan.seats * sum(won.serial for won in wins),
        shift=_period("shift", one, plan.shift, mean, whole, error, plan.risk),
        month=_period("month", one, plan.month, mean, whole, error, plan.risk),
        bankroll=_bankroll(one, float(plan.risk)),
        edge_shows=_edge_shows(one),
        exposure=exposure(house, strategy, plan.seats),
        jackpots=tuple(
            found
            for w in banked
            if house.meters(w)
            for found in jackpots_of(counted(placed, strategy), plan, w, often[w])
        ),
    )


def _round(book: Counted, plan: Plan, wins: Sequence[Chain], common: Common) -> Round:
    """The house's win in a round: seat by seat, or all seats as one where they share every card."""
    if as_one(book) and len(wins) == 1 and all(plan.rate(w) == 1 for w in plan.bets):
        return Round([(wins[0].times(plan.seats), 1)])
    return Round([(won, plan.seats) for won in wins], max(common.variance, 0.0))


def _theo(part: Part, wager: str, plan: Plan, often: Fraction) -> Theo:
    per_bet = part.theo(wager)
    per_hour = per_bet * often * plan.seats * plan.hands
    return Theo(wager, plan.bets[wager], often, per_bet, part.mean_of, part.standard_error, per_hour)


def _by_cell(
    book: Counted, wagers: Sequence[str], plan: Plan, often: Mapping[str, Fraction], mean: Fraction
) -> NDArray[np.float64]:
    """What the house wins on some bets by how the round ends, each as often as it is made, less the mean."""
    out = np.full(book.cells.size, -float(mean))
    for wager in wagers:
        bet, share = plan.bets[wager], float(often[wager])
        worth, common = book.worth(wager, bet)
        out -= share * (worth.astype(float) * (float(bet) / common) + float(set_aside(book.house, wager)))
    return out


def _variance_error(one: Round, parts: Sequence[Part], wins: Sequence[Chain], common: Common, seats: int) -> float:
    """The standard error of a round's variance, relative to it: of what seats share, and of simulated bets."""
    squares = common.standard_error**2
    for part, won in zip(parts, wins, strict=True):
        if part.spread == SIMULATED:
            fourth = sum(float(p) * float(x - won.mean) ** 4 for x, p in won.chances.items())
            squares += seats**2 * (fourth - float(won.variance) ** 2) / part.ways
    return sqrt(squares) / one.variance if one.variance else 0.0


def _period(name: str, one: Round, rounds: int, mean: Fraction, whole: bool, error: float, risk: Fraction) -> Period:
    """`error` is the relative standard error of the variance; what follows from it goes by the normal formula."""
    spread = one.after(rounds)
    theo, deviation = mean * rounds, sqrt(one.variance * rounds)
    normal = NormalDist(float(theo), deviation or 1e-9)
    far = float(theo) / normal.stdev
    shares = sorted({*SHARES, float(risk)})
    return Period(
        name,
        rounds,
        theo,
        whole,
        deviation,
        deviation * error / 2,
        NormalDist().pdf(far) * abs(far) * error / 2,
        Figure(spread.below_zero, normal.cdf(0.0)),
        spread.at_zero,
        {share: Figure(spread.quantile(share), normal.inv_cdf(share)) for share in shares},
        spread,
    )


def _bankroll(one: Round, risk: float) -> Figure | None:
    """What must be at hand so that the table ever eats it with at most this probability."""
    if one.mean <= 0:
        return None
    return Figure(one.bankroll(risk), log(1 / risk) * one.variance / (2 * one.mean))


def _edge_shows(one: Round) -> Figure | None:
    """The number of rounds from which on the house is ahead with a probability of 95%."""
    if one.mean <= 0:
        return None
    normal = max(1.0, (NormalDist().inv_cdf(SHOWS) ** 2) * one.variance / one.mean**2)

    def ahead(rounds: int) -> bool:
        spread = one.after(rounds, ROUGH)
        return 1 - spread.below_zero - spread.at_zero >= SHOWS

    if normal > MOST_SEARCHED:
        return Figure(inf, normal)
    high = 2 * ceil(normal)
    while not ahead(high):
        high *= 2
    low = high
    while low > 0 and ahead(low):  # the last time that it was not so: a rare award lets the house lead at first
        high, low = low, low * 3 // 4
    while high - low > max(1, high // 1000):
        middle = (low + high) // 2
        low, high = (low, middle) if ahead(middle) else (middle, high)
    return Figure(float(high), normal)
