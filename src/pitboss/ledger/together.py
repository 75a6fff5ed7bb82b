"""Several bets at once: how their results add up, and how they move together."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm, sqrt

from pitboss.ledger.records import Outcome, Together


def combined(
    bets: Mapping[str, Fraction], cases: Sequence[tuple[Fraction, Mapping[str, Fraction]]], wagered: Fraction,
    left_out: Mapping[str, str] | None = None,
) -> Together:  # fmt: skip
    """Several bets at once, from the probability of each case and what each bet brings in it, in dollars."""
    mean = {p: sum((chance * net[p] for chance, net in cases), Fraction(0)) for p in bets}
    pairs = [*combinations(bets, 2), *((p, p) for p in bets)]
    covariance = {
        (a, b): sum((chance * net[a] * net[b] for chance, net in cases), Fraction(0)) - mean[a] * mean[b]
        for a, b in pairs
    }
    nets: dict[Fraction, Fraction] = {}
    for chance, net in cases:
        whole = sum(net.values(), Fraction(0))
        nets[whole] = nets.get(whole, Fraction(0)) + chance
    variance = sum((v * (1 if a == b else 2) for (a, b), v in covariance.items()), Fraction(0))
    correlation = {
        f"{a} & {b}": _correlation(covariance[a, b], covariance[a, a], covariance[b, b])
        for a, b in combinations(bets, 2)
    }
    common = lcm(*(p.denominator for p in nets.values()))
    joint = tuple(
        Outcome(f"net ${float(net):+,.2f}", int(p * common), p, net) for net, p in sorted(nets.items(), reverse=True)
    )
    hit = sum((p for net, p in nets.items() if net > 0), Fraction(0))
    return Together(
        dict(bets), sum(mean.values(), Fraction(0)), variance, wagered, hit, correlation, joint, dict(left_out or {})
    )


def _correlation(covariance: Fraction, first: Fraction, second: Fraction) -> float:
    return float(covariance) / sqrt(first * second) if first and second else 0.0
