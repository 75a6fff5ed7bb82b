"""Records of a simulation: every figure has a standard error."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import NormalDist

from pitboss.ledger.figure import EXACT, SIMULATED, Figure
from pitboss.ledger.multiples import Multiple
from pitboss.ledger.records import Json, named, plain_number, ratio
from pitboss.ledger.shown import Shown
from pitboss.rules.identity import Provenance

TOO_FAR = 5.0  # standard errors: beyond this, chance is no explanation
SURE = {95: NormalDist().inv_cdf(0.975), 99: NormalDist().inv_cdf(0.995)}  # percent -> standard errors either way


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
            "pays": plain_number(self.pays),
            "return": self.probability * float(self.pays),
            "probability_exact": None if self.exact is None else ratio(self.exact),
        }


@dataclass(frozen=True)
class SimulatedWager(Shown):
    """One wager over many rounds, with its error and its distance from the exact result."""

    wager: str
    paytable: str
    rounds: int
    house_edge: float
    standard_error: float
    std_dev: float
    hit_frequency: float
    element_of_risk: float
    exact: Fraction | None
    z: float | None
    chi_square: float | None
    degrees: int | None
    p_value: float | None
    outcomes: tuple[SimulatedOutcome, ...]
    exact_method: str = EXACT  # how the exact result is known
    bets: tuple[Multiple, ...] = ()  # how often each bet after the deal was made
    biased: bool = False  # whether rounds are dealt otherwise than the exact result takes them: to a cut card

    TABLE = "outcomes"

    @property
    def edge(self) -> Figure:
        return Figure(Fraction(self.house_edge), SIMULATED, self.standard_error)

    @property
    def intervals(self) -> dict[int, tuple[float, float]]:
        """Percent -> between which edges the true one lies with that probability."""
        sides = {sure: errors * self.standard_error for sure, errors in SURE.items()}
        return {sure: (self.house_edge - side, self.house_edge + side) for sure, side in sides.items()}

    def json(self) -> Json:
        return {
            "wager": self.wager,
            "paytable": self.paytable,
            "rounds": str(self.rounds),
            "house_edge": self.house_edge,
            "standard_error": self.standard_error,
            **{f"interval_{sure}": {"low": low, "high": high} for sure, (low, high) in self.intervals.items()},
            "house_edge_exact": ratio(self.exact) if self.exact is not None and self.exact_method == EXACT else None,
            "house_edge_enumerated": None if self.exact is None else float(self.exact),
            "z": self.z,
            "chi_square": self.chi_square,
            "degrees_of_freedom": self.degrees,
            "p_value": self.p_value,
            "element_of_risk": self.element_of_risk,
            "std_dev": self.std_dev,
            "hit_frequency": self.hit_frequency,
            "bets": [m.json() for m in self.bets],
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
    left_out: Mapping[str, str] = field(default_factory=dict)  # wagers that are no part of it, and why

    def json(self) -> Json:
        return {
            "bets": {k: plain_number(v) for k, v in self.bets.items()},
            "house_edge": self.house_edge,
            "std_dev": self.std_dev,
            "std_dev_if_independent": self.independent_std_dev,
            "correlation": dict(self.correlation),
            "correlation_standard_error": self.standard_error,
            "left_out": dict(self.left_out),
        }


@dataclass(frozen=True)
class Simulation(Shown):
    """A simulation: every figure has a standard error."""

    of: Provenance
    rounds: int
    seed: int
    mode: str  # "fresh", or "shoe" with seats and cut card
    seats: int
    wagers: tuple[SimulatedWager, ...]
    together: SimulatedTogether | None = None
    notes: tuple[str, ...] = ()  # what the reader should know of the strategy that was played
    seconds: float = field(compare=False, default=0.0)
    method: str = SIMULATED
    dealt: int = field(compare=False, default=0)  # hands, in these seconds: those of a checkpoint were there before

    TABLE = "wagers"

    def title(self) -> str:
        return f"{self.of.title}: {self.rounds:,} hands simulated, {self.mode}"

    def wager(self, name: str) -> SimulatedWager:
        return named(self.wagers, name)

    @property
    def off(self) -> tuple[SimulatedWager, ...]:
        """Wagers whose exact result is more than five standard errors away: one of the two is wrong."""
        return tuple(w for w in self.wagers if w.z is not None and abs(w.z) > TOO_FAR and not w.biased)

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
            "notes": list(self.notes),
        }
