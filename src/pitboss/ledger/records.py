"""Records of what was found out: frozen, complete, and the one source of the JSON. They compute nothing new.

Edges are fractions of the initial wager (0.042 is 4.2%), positive for the house. Exact figures are `Fraction`s; `ways`
are whole numbers, written as strings in JSON because they outgrow what JSON readers hold.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any, Protocol, TypeVar

from pitboss.ledger.figure import EXACT, Figure
from pitboss.ledger.multiples import Multiple
from pitboss.ledger.shown import Shown
from pitboss.rules.errors import BadInput
from pitboss.rules.identity import Provenance

Json = dict[str, Any]
Chart = Mapping[tuple[tuple[str, ...], tuple[int, ...]], str]
"""A strategy chart: (choices offered, what the decision is made by) -> choice."""


@dataclass(frozen=True)
class Outcome:
    """One row of a return table."""

    outcome: str
    ways: int | None  # None where rounds were enumerated in double precision
    probability: Fraction
    pays: Fraction  # to the player, in units of the initial wager

    @property
    def returns(self) -> Fraction:
        return self.probability * self.pays

    def json(self) -> Json:
        return {
            "outcome": self.outcome,
            "ways": None if self.ways is None else str(self.ways),
            "probability": float(self.probability),
            "pays": plain_number(self.pays),
            "return": float(self.returns),
        }


@dataclass(frozen=True)
class Played:
    """What is known of a wager on hands that are drawn card by card, beside its return table."""

    edge: Fraction  # under the strategy of the record
    optimal_edge: Fraction  # every decision by the cards of the hand
    basic_edge: Fraction  # every decision by what a chart looks at
    insurance: Fraction | None  # what a unit of insurance brings, off the top, if it is offered
    spread: Callable[[], tuple[Figure, Figure]] = field(compare=False, repr=False)
    """Hands of one split depend on each other, so how a round varies is dealt, not enumerated; and only when asked."""
    bets: Callable[[], tuple[Multiple, ...]] = field(default=lambda: (), compare=False, repr=False)  # of those rounds

    @property
    def deviation(self) -> Figure:
        return self.spread()[0]

    @property
    def hits(self) -> Figure:
        return self.spread()[1]

    def json(self) -> Json:
        return {
            "optimal_house_edge": float(self.optimal_edge),
            "basic_house_edge": float(self.basic_edge),
            "cost_of_basic": float(self.basic_edge - self.optimal_edge),
            "insurance_expectation": None if self.insurance is None else float(self.insurance),
            "std_dev_error": self.deviation.error,
            "hit_frequency_error": self.hits.error,
        }


@dataclass(frozen=True)
class WagerResult(Shown):
    """One wager before the deal, with everything that is bet along with it: the one record for every game.

    All figures are `Fraction`s; `method` says whether they are counted or the value of a double. What is known only by
    dealing (the spread of hands that are split) is a `Figure` with its error.
    """

    wager: str
    paytable: str
    outcomes: tuple[Outcome, ...]
    ways: int | None
    wagered: Fraction  # expected total stake, in units of the initial wager
    shared: bool = False  # between the players: its expectation is zero whatever one does; how it varies is not counted
    method: str = EXACT
    played: Played | None = None  # of hands that are drawn card by card
    multiples: tuple[Multiple, ...] = ()  # how often each bet after the deal was made, where that is counted

    TABLE = "outcomes"

    def title(self) -> str:
        return f"{self.wager}, pay table {self.paytable}: house edge {self.edge}"

    @property
    def exact(self) -> bool:
        return self.method == EXACT

    @property
    def expectation(self) -> Fraction:
        return -self.played.edge if self.played else sum((o.returns for o in self.outcomes), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        return -self.expectation

    @property
    def element_of_risk(self) -> Fraction:
        return self.house_edge / self.wagered

    @property
    def variance(self) -> Fraction:
        if self.played:
            return self.played.deviation.value**2
        second = sum((o.probability * o.pays**2 for o in self.outcomes), Fraction(0))
        return second - self.expectation**2

    @property
    def std_dev(self) -> float:
        return float(self.played.deviation) if self.played else sqrt(self.variance)

    @property
    def hit_frequency(self) -> Fraction:
        if self.played:
            return self.played.hits.value
        return sum((o.probability for o in self.outcomes if o.pays > 0), Fraction(0))

    @property
    def bets(self) -> tuple[Multiple, ...]:
        """How often each bet after the deal is made, in multiples of this wager."""
        return self.played.bets() if self.played else self.multiples

    # ---- the same as figures, which say how they are known

    @property
    def edge(self) -> Figure:
        return Figure(self.house_edge, self.method)

    @property
    def risk(self) -> Figure:
        """The edge as a share of everything that is bet."""
        return Figure(self.element_of_risk, self.method)

    @property
    def deviation(self) -> Figure:
        """The standard deviation of one hand, in units of the wager."""
        root = Fraction(self.std_dev)
        return self.played.deviation if self.played else Figure(root, self.method, percent=False)

    @property
    def hits(self) -> Figure:
        return self.played.hits if self.played else Figure(self.hit_frequency, self.method)

    def json(self) -> Json:
        counted = self.exact and not self.shared
        return {
            "wager": self.wager,
            "paytable": self.paytable,
            "house_edge": float(self.house_edge),
            "house_edge_exact": ratio(self.house_edge) if self.exact else None,
            "element_of_risk": float(self.element_of_risk),
            "element_of_risk_exact": ratio(self.element_of_risk) if self.exact else None,
            "std_dev": None if self.shared else self.std_dev,
            "variance_exact": ratio(self.variance) if counted else None,
            "hit_frequency": None if self.shared else float(self.hit_frequency),
            "hit_frequency_exact": ratio(self.hit_frequency) if counted else None,
            "average_wagered": float(self.wagered),
            "bets": [m.json() for m in self.bets],
            "ways": None if self.ways is None else str(self.ways),
            "arithmetic": "whole numbers" if self.exact else "double precision",
            **(self.played.json() if self.played else {}),
            "outcomes": [o.json() for o in self.outcomes],
        }


@dataclass(frozen=True)
class StrategyRow:
    """What the player sees at a decision, what each choice is worth, and which is best."""

    decision: str
    sees: str
    cards: tuple[str, ...]
    probability: Fraction
    values: Mapping[str, Fraction]
    chosen: str
    basic: str = ""  # what the chart says, of hands that are drawn card by card
    method: str = EXACT

    @property
    def best(self) -> tuple[str, ...]:
        top = max(self.values.values())
        return tuple(c for c, v in self.values.items() if v == top)

    def json(self) -> Json:
        return {
            "decision": self.decision,
            "sees": self.sees,
            "cards": list(self.cards),
            "probability": float(self.probability),
            "expectation": {c: float(v) for c, v in self.values.items()},
            "expectation_exact": {c: ratio(v) for c, v in self.values.items()} if self.method == EXACT else None,
            "best": list(self.best),
            "chosen": self.chosen,
            **({"basic": self.basic} if self.basic else {}),
        }


@dataclass(frozen=True)
class Together(Shown):
    """All wagers bet at once, in dollars, with how they move together."""

    bets: Mapping[str, Fraction]
    expectation: Fraction
    variance: Fraction
    wagered: Fraction
    hit_frequency: Fraction
    correlation: Mapping[str, float]  # "ante & suit-tie" -> -1 to 1
    joint: tuple[Outcome, ...]  # net result of the round in dollars
    left_out: Mapping[str, str] = field(default_factory=dict)  # wagers that are no part of it, and why

    TABLE = "net"

    @property
    def house_edge(self) -> Fraction:
        return -self.expectation / sum(self.bets.values(), Fraction(0))

    def json(self) -> Json:
        return {
            "bets": {k: plain_number(v) for k, v in self.bets.items()},
            "house_edge": float(self.house_edge),
            "house_edge_exact": ratio(self.house_edge),
            "element_of_risk": float(-self.expectation / self.wagered),
            "expected_loss": float(-self.expectation),
            "std_dev": sqrt(self.variance),
            "hit_frequency": float(self.hit_frequency),
            "correlation": dict(self.correlation),
            "net": [o.json() for o in self.joint],
            "left_out": dict(self.left_out),
        }


@dataclass(frozen=True)
class MeterResult:
    """One jackpot of a progressive wager."""

    row: str
    meter: Fraction
    seed: Fraction
    increment: Fraction
    probability: Fraction  # per bet, in the long run
    break_even: Fraction  # the meter at which the bet is fair, the other meters as they are
    same_shoe: Fraction | None = None  # probability per bet when the last hand came from the same shoe

    @property
    def bets_between(self) -> Fraction:
        return 1 / self.probability

    @property
    def average(self) -> Fraction:
        """What the jackpot has grown to when it is hit, on average."""
        return self.seed + self.increment * self.bets_between

    def json(self) -> Json:
        return {
            "jackpot": self.row,
            "meter": plain_number(self.meter),
            "seed": plain_number(self.seed),
            "increment": plain_number(self.increment),
            "probability": float(self.probability),
            "probability_exact": ratio(self.probability),
            "bets_between_jackpots": float(self.bets_between),
            "break_even_meter": float(self.break_even),
            "break_even_meter_exact": ratio(self.break_even),
            "average_jackpot": float(self.average),
            "probability_same_shoe": None if self.same_shoe is None else float(self.same_shoe),
            "probability_same_shoe_exact": None if self.same_shoe is None else ratio(self.same_shoe),
        }


@dataclass(frozen=True)
class Progressive(Shown):
    """A wager that pays from a meter."""

    wager: str
    stake: Fraction
    edge_at_meter: Fraction
    long_run_edge: Fraction  # every jackpot paid at what it has grown to
    edge_by_state: Mapping[str, Fraction]  # what the seat has carried over -> edge at the meter
    meters: tuple[MeterResult, ...]

    TABLE = "jackpots"

    def json(self) -> Json:
        return {
            "wager": self.wager,
            "stake": plain_number(self.stake),
            "edge_at_meter": float(self.edge_at_meter),
            "edge_at_meter_exact": ratio(self.edge_at_meter),
            "long_run_edge": float(self.long_run_edge),
            "long_run_edge_exact": ratio(self.long_run_edge),
            "edge_by_state": {k: float(v) for k, v in self.edge_by_state.items()},
            "jackpots": [m.json() for m in self.meters],
        }


@dataclass(frozen=True)
class Analysis(Shown):
    """An exact analysis: every figure is an enumeration, but for those that say otherwise."""

    of: Provenance
    wagers: tuple[WagerResult, ...]
    strategy: tuple[StrategyRow, ...]
    together: Together | None = None
    progressives: tuple[Progressive, ...] = ()
    not_charted: Mapping[str, int] = field(default_factory=dict)  # decisions with too much to see -> rows
    refused: Mapping[str, str] = field(default_factory=dict)  # wagers that could not be counted, and why
    method: str = EXACT

    TABLE = "wagers"

    def title(self) -> str:
        return f"{self.of.title}: exact analysis"

    def wager(self, name: str) -> WagerResult:
        return named(self.wagers, name)

    @property
    def counted(self) -> bool:
        """Whether every figure is a count in whole numbers."""
        return all(w.exact for w in self.wagers)

    def json(self) -> Json:
        return {
            **self.of.json(),
            "method": self.method,
            "wagers": [w.json() for w in self.wagers],
            "strategy": [r.json() for r in self.strategy],
            "together": self.together.json() if self.together else None,
            "progressives": [p.json() for p in self.progressives],
            "not_charted": dict(self.not_charted),
            "refused": dict(self.refused),
        }


Named = TypeVar("Named", bound="HasWager")


class HasWager(Protocol):
    """A record of one wager."""

    @property
    def wager(self) -> str: ...


def named(records: Sequence[Named], name: str) -> Named:
    """The record of a wager by its name, hyphens or underscores; one sentence where there is none."""
    found = next((r for r in records if r.wager in (name, name.replace("_", "-"))), None)
    if found is None:
        raise BadInput(f"there is no wager {name!r} here; there are {', '.join(r.wager for r in records)}")
    return found


def held(row: Mapping[str, int], pair: bool) -> str:
    """A row of a chart in words: `16`, `A 7`, `8 8`."""
    if row.keys() != {"total", "soft"}:
        return " ".join(map(str, row.values()))
    total, soft = row["total"], row["soft"]
    if pair:
        return "A A" if soft else f"{total // 2} {total // 2}"
    return f"A {total - 11}" if soft else str(total)


def ratio(value: Fraction) -> str:
    """A fraction as "a/b"."""
    return f"{value.numerator}/{value.denominator}"


def percent(value: Fraction | float, places: int = 3) -> str:
    return f"{float(value) * 100:.{places}f}%"


def plain_number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
