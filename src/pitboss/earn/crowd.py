"""A round of the whole table: seats share cards, so they win and lose together, and their bets are taken at once.

Enumerated where the cards allow it, else dealt; of dealt rounds there are also the results of all batches but one, from
which every figure gets its standard error.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, nan, sqrt

from pitboss.crew import Crew
from pitboss.earn.dealt import sampled
from pitboss.earn.joint import all_as_one, enumerated, short_deal
from pitboss.earn.lattice import Chain, Round, Sampled
from pitboss.earn.mistakes import beside
from pitboss.earn.plan import Plan
from pitboss.earn.seat import BATCHES, Part, all_alike, patterns
from pitboss.exact import Study
from pitboss.ledger.figure import EXACT, SIMULATED

NOTHING = Fraction(0)


@dataclass(frozen=True, eq=False)
class Crowd:
    """The house's result of a round, of all seats and bets."""

    one: Round
    rounds: int = 0  # dealt; 0 where all is enumerated
    others: tuple[Round, ...] = ()  # the same of all batches but one

    @property
    def method(self) -> str:
        return SIMULATED if self.rounds else EXACT

    def error(self, figure: Callable[[Round], float]) -> float:
        """The standard error of a figure: how it changes as batches are left out (the jackknife)."""
        return spread([figure(other) for other in self.others])


def spread(figures: Sequence[float]) -> float:
    """The standard error of a figure, from what it is without each of the batches; 0 where nothing was dealt."""
    if not figures:
        return 0.0
    if not all(isfinite(x) for x in figures):
        return nan
    mean = sum(figures) / len(figures)
    return sqrt((len(figures) - 1) / len(figures) * sum((x - mean) ** 2 for x in figures))


def crowd(
    study: Study,
    plan: Plan,
    banked: Sequence[str],
    parts: Sequence[Part],
    wins: Sequence[Chain],
    mistaken: Fraction = NOTHING,
    crew: Crew | None = None,
) -> Crowd:
    """By the first way that can do it; `wins` has what the house wins on each part of a seat's bets, `mistaken` what a
    mistake costs."""

    def whole(result: Chain | Sampled, wide: Round | None = None) -> Round:
        return Round(beside(result, plan.seats, plan.mistakes, mistaken), wide)

    if (exact := _enumerated(study, plan, banked, parts, wins)) is not None:
        return Crowd(whole(exact))
    found = sampled(study, plan.seats, plan.bets, plan.rates, banked, parts, wins, plan.seed, crew)
    one = whole(found.result())
    return Crowd(one, found.rounds, tuple(whole(found.result(without=i), one) for i in range(BATCHES)))


def _enumerated(
    study: Study, plan: Plan, banked: Sequence[str], parts: Sequence[Part], wins: Sequence[Chain]
) -> Chain | None:
    part = parts[0]
    if len(parts) > 1 or part.spread != EXACT:
        return None
    if plan.seats == 1:
        return wins[0]
    made = patterns(study.house, part.wagers, plan.rates, banked)
    if all_alike(study, banked):
        return all_as_one(part, made, plan.seats)
    if order := short_deal(study.graph):
        return enumerated(study.solver, order, {w: plan.bets[w] for w in part.wagers}, banked, made, plan.seats)
    return None
