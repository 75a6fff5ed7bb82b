"""Jackpot liability: how a meter grows, how often it is hit, what is paid, and what the seeds need.

A hit comes with the same chance on every bet, its long-run frequency, and hits are taken as independent of each other.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, exp, expm1, log, log1p

from pitboss.earn.plan import Plan
from pitboss.earn.records import Hits, Jackpot
from pitboss.exact import Study
from pitboss.ledger.records import MeterResult

SHARES = (0.1, 0.5, 0.9, 0.99)


def jackpots_of(study: Study, plan: Plan, wager: str, rate: Fraction) -> list[Jackpot]:
    """Every meter of one wager, over a shift, a month and a year; `rate` is how often the bet is made."""
    stretches = {"shift": plan.shift, "month": plan.month, "year": plan.year}
    bets = {name: round(rounds * plan.seats * rate) for name, rounds in stretches.items()}
    return [_jackpot(wager, m, bets, plan.risk) for m in study.progressive(wager).meters if m.probability]


def _jackpot(wager: str, found: MeterResult, bets: Mapping[str, int], risk: Fraction) -> Jackpot:
    p, grows = float(found.probability), float(found.increment)
    over = []
    for name, n in bets.items():
        missed = exp(n * log1p(-p)) if p < 1 else 0.0
        last = n - (1 - p) * (1 - missed) / p  # the mean number of the bet that makes the last hit; 0 without one
        paid = (1 - missed) * float(found.meter - found.seed) + n * p * float(found.seed) + grows * last
        chance = -expm1(n * log1p(-p)) if p < 1 else 1.0
        seeds = found.seed * most_hits(n, p, float(risk))
        over.append(Hits(name, n, found.increment * n, chance, n * p, paid, seeds))
    until = {share: waiting_time(p, share) for share in SHARES}
    next_hit = {share: float(found.meter) + grows * n for share, n in until.items()}
    when_hit = {share: float(found.seed) + grows * n for share, n in until.items()}
    return Jackpot(
        wager, found.row, found.meter, found.seed, found.increment, found.probability, next_hit, when_hit,
        found.average, tuple(over),
    )  # fmt: skip


def waiting_time(p: float, share: float) -> int:
    """The number of bets within which this share of hits comes."""
    return max(1, ceil(log1p(-share) / log1p(-p))) if p < 1 else 1


def most_hits(bets: int, p: float, risk: float) -> int:
    """The smallest number that the hits of so many bets exceed with at most this probability."""
    if p >= 1:
        return bets
    term = bets * log1p(-p)  # logarithm of the chance of k hits
    total, hits = exp(term), 0
    while total < 1 - risk and hits < bets:
        term += log((bets - hits) / (hits + 1)) + log(p) - log1p(-p)
        hits += 1
        total += exp(term)
    return hits
