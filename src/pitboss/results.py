"""Records of what was found out: frozen, complete, and the one source of the JSON. They compute nothing new.

Edges are fractions of the initial wager (0.042 is 4.2%), positive for the house. Exact figures are `Fraction`s; `ways`
are whole numbers, written as strings in JSON because they outgrow what JSON readers hold.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Any

from pitboss.drawn import DrawnRow, DrawnWager

Json = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """One row of a return table."""

    outcome: str
    ways: int
    probability: Fraction
    pays: Fraction  # to the player, in units of the initial wager

    @property
    def returns(self) -> Fraction:
        return self.probability * self.pays

    def json(self) -> Json:
        return {
            "outcome": self.outcome,
            "ways": str(self.ways),
            "probability": float(self.probability),
            "pays": _number(self.pays),
            "return": float(self.returns),
        }


@dataclass(frozen=True)
class WagerResult:
    """One wager before the deal, with everything that is bet along with it."""

    wager: str
    paytable: str
    outcomes: tuple[Outcome, ...]
    ways: int
    wagered: Fraction  # expected total stake, in units of the initial wager
    shared: bool = False  # between the players: its expectation is zero whatever one does; how it varies is not counted

    @property
    def expectation(self) -> Fraction:
        return sum((o.returns for o in self.outcomes), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        return -self.expectation

    @property
    def element_of_risk(self) -> Fraction:
        return self.house_edge / self.wagered

    @property
    def variance(self) -> Fraction:
        second = sum((o.probability * o.pays**2 for o in self.outcomes), Fraction(0))
        return second - self.expectation**2

    @property
    def std_dev(self) -> float:
        return sqrt(self.variance)

    @property
    def hit_frequency(self) -> Fraction:
        return sum((o.probability for o in self.outcomes if o.pays > 0), Fraction(0))

    def json(self) -> Json:
        return {
            "wager": self.wager,
            "paytable": self.paytable,
            "house_edge": float(self.house_edge),
            "house_edge_exact": ratio(self.house_edge),
            "element_of_risk": float(self.element_of_risk),
            "element_of_risk_exact": ratio(self.element_of_risk),
            "std_dev": None if self.shared else self.std_dev,
            "variance_exact": None if self.shared else ratio(self.variance),
            "hit_frequency": None if self.shared else float(self.hit_frequency),
            "hit_frequency_exact": None if self.shared else ratio(self.hit_frequency),
            "average_wagered": float(self.wagered),
            "ways": str(self.ways),
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
            "expectation_exact": {c: ratio(v) for c, v in self.values.items()},
            "best": list(self.best),
            "chosen": self.chosen,
        }


@dataclass(frozen=True)
class Together:
    """All wagers bet at once, in dollars, with how they move together."""

    bets: Mapping[str, Fraction]
    expectation: Fraction
    variance: Fraction
    wagered: Fraction
    hit_frequency: Fraction
    correlation: Mapping[str, float]  # "ante & suit-tie" -> -1 to 1
    joint: tuple[Outcome, ...]  # net result of the round in dollars

    @property
    def house_edge(self) -> Fraction:
        return -self.expectation / sum(self.bets.values(), Fraction(0))

    def json(self) -> Json:
        return {
            "bets": {k: _number(v) for k, v in self.bets.items()},
            "house_edge": float(self.house_edge),
            "house_edge_exact": ratio(self.house_edge),
            "element_of_risk": float(-self.expectation / self.wagered),
            "expected_loss": float(-self.expectation),
            "std_dev": sqrt(self.variance),
            "hit_frequency": float(self.hit_frequency),
            "correlation": dict(self.correlation),
            "net": [o.json() for o in self.joint],
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
            "meter": _number(self.meter),
            "seed": _number(self.seed),
            "increment": _number(self.increment),
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
class Progressive:
    """A wager that pays from a meter."""

    wager: str
    stake: Fraction
    edge_at_meter: Fraction
    long_run_edge: Fraction  # every jackpot paid at what it has grown to
    edge_by_state: Mapping[str, Fraction]  # what the seat has carried over -> edge at the meter
    meters: tuple[MeterResult, ...]

    def json(self) -> Json:
        return {
            "wager": self.wager,
            "stake": _number(self.stake),
            "edge_at_meter": float(self.edge_at_meter),
            "edge_at_meter_exact": ratio(self.edge_at_meter),
            "long_run_edge": float(self.long_run_edge),
            "long_run_edge_exact": ratio(self.long_run_edge),
            "edge_by_state": {k: float(v) for k, v in self.edge_by_state.items()},
            "jackpots": [m.json() for m in self.meters],
        }


@dataclass(frozen=True)
class Provenance:
    """What a result is of, and what it takes to make it again."""

    game: str
    title: str
    options: Mapping[str, str | int | Fraction]
    paytables: Mapping[str, str]
    strategy: str
    version: str
    sha256: str
    shoe: str = ""  # what is left in it, when it is not full

    def json(self) -> Json:
        return {
            "game": self.game,
            "title": self.title,
            "options": {k: _number(v) if isinstance(v, Fraction) else v for k, v in self.options.items()},
            "paytables": dict(self.paytables),
            "strategy_name": self.strategy,
            "shoe": self.shoe or None,
            "version": self.version,
            "game_file_sha256": self.sha256,
        }


@dataclass(frozen=True)
class Analysis:
    """An exact analysis: every figure is an enumeration."""

    of: Provenance
    wagers: tuple[WagerResult | DrawnWager, ...]
    strategy: tuple[StrategyRow | DrawnRow, ...]
    together: Together | None = None
    progressives: tuple[Progressive, ...] = ()
    not_charted: Mapping[str, int] = field(default_factory=dict)  # decisions with too much to see -> rows
    method: str = "exact"

    def wager(self, name: str) -> WagerResult:
        found = next(w for w in self.wagers if w.wager == name)
        assert isinstance(found, WagerResult)
        return found

    def json(self) -> Json:
        return {
            **self.of.json(),
            "method": self.method,
            "wagers": [w.json() for w in self.wagers],
            "strategy": [r.json() for r in self.strategy],
            "together": self.together.json() if self.together else None,
            "progressives": [p.json() for p in self.progressives],
            "not_charted": dict(self.not_charted),
        }


@dataclass(frozen=True)
class SimulatedOutcome:
    """One row of a simulated return table."""

    outcome: str
    count: int
    probability: float
    standard_error: float
    pays: Fraction
    exact: Fraction | None

    def json(self) -> Json:
        return {
            "outcome": self.outcome,
            "count": str(self.count),
            "probability": self.probability,
            "standard_error": self.standard_error,
            "pays": _number(self.pays),
            "return": self.probability * float(self.pays),
            "probability_exact": None if self.exact is None else ratio(self.exact),
        }


@dataclass(frozen=True)
class SimulatedWager:
    """One wager over many rounds, with its error and its distance from the exact result."""

    wager: str
    paytable: str
    rounds: int
    house_edge: float
    standard_error: float
    std_dev: float
    hit_frequency: float
    element_of_risk: float
    exact: Fraction | float | None  # an enumeration in double precision has no fraction
    z: float | None
    chi_square: float | None
    degrees: int | None
    p_value: float | None
    outcomes: tuple[SimulatedOutcome, ...]

    def json(self) -> Json:
        return {
            "wager": self.wager,
            "paytable": self.paytable,
            "rounds": str(self.rounds),
            "house_edge": self.house_edge,
            "standard_error": self.standard_error,
            "house_edge_exact": ratio(self.exact) if isinstance(self.exact, Fraction) else None,
            "house_edge_enumerated": None if self.exact is None else float(self.exact),
            "z": self.z,
            "chi_square": self.chi_square,
            "degrees_of_freedom": self.degrees,
            "p_value": self.p_value,
            "element_of_risk": self.element_of_risk,
            "std_dev": self.std_dev,
            "hit_frequency": self.hit_frequency,
            "outcomes": [o.json() for o in self.outcomes],
        }


@dataclass(frozen=True)
class SimulatedTogether:
    """All bets of a seat at once, in dollars: what they add up to, and how they move together."""

    bets: Mapping[str, Fraction]
    house_edge: float
    std_dev: float
    independent_std_dev: float  # what it would be if the bets did not move together
    correlation: Mapping[str, float]
    standard_error: float  # of each correlation, about

    def json(self) -> Json:
        return {
            "bets": {k: _number(v) for k, v in self.bets.items()},
            "house_edge": self.house_edge,
            "std_dev": self.std_dev,
            "std_dev_if_independent": self.independent_std_dev,
            "correlation": dict(self.correlation),
            "correlation_standard_error": self.standard_error,
        }


@dataclass(frozen=True)
class Simulation:
    """A simulation: every figure has a standard error."""

    of: Provenance
    rounds: int
    seed: int
    mode: str  # "fresh", or "shoe" with seats and cut card
    seats: int
    wagers: tuple[SimulatedWager, ...]
    together: SimulatedTogether | None = None
    seconds: float = field(compare=False, default=0.0)
    method: str = "simulated"

    def wager(self, name: str) -> SimulatedWager:
        return next(w for w in self.wagers if w.wager == name)

    def json(self) -> Json:
        return {
            **self.of.json(),
            "method": self.method,
            "rounds": str(self.rounds),
            "seed": self.seed,
            "mode": self.mode,
            "seats": self.seats,
            "wagers": [w.json() for w in self.wagers],
            "together": self.together.json() if self.together else None,
            "strategy": [],
        }


def ratio(value: Fraction) -> str:
    """A fraction as "a/b"."""
    return f"{value.numerator}/{value.denominator}"


def percent(value: Fraction | float, places: int = 3) -> str:
    return f"{float(value) * 100:.{places}f}%"


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
