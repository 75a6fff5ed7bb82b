"""Records of what a table earns: frozen, complete, and the one source of their JSON."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isfinite

from pitboss.earn.lattice import Spread
from pitboss.earn.plan import Plan
from pitboss.ledger.records import Json, ratio
from pitboss.ledger.shown import Shown
from pitboss.rules.identity import Provenance


@dataclass(frozen=True)
class Theo:
    """One bet: what the house wins on it on average."""

    wager: str
    bet: Fraction
    rate: Fraction  # share of the hands on which it is made
    per_bet: Fraction  # dollars, whenever it is made
    method: str
    standard_error: float  # of `per_bet`, where it is simulated
    per_hour: Fraction
    handle: Fraction = Fraction(0)  # dollars staked in all, on average, whenever it is made
    mistakes: Fraction = Fraction(0)  # what the player gives away of each, which is part of `per_bet`

    @property
    def edge(self) -> Fraction:
        return self.per_bet / self.bet

    def json(self) -> Json:
        return {
            "wager": self.wager,
            "bet": float(self.bet),
            "rate": float(self.rate),
            "edge": float(self.edge),
            "edge_exact": ratio(self.edge) if self.method == "exact" else None,
            "method": self.method,
            "standard_error": self.standard_error / float(self.bet),
            "theo_per_hour": float(self.per_hour),
            "average_staked": float(self.handle),
            "mistakes": float(self.mistakes),
        }


@dataclass(frozen=True)
class Actual:
    """What the house has really won, and in how many rounds: in a month, if that is not said."""

    win: Fraction
    rounds: int | None = None


@dataclass(frozen=True)
class Judged:
    """What the house has really won, held against all that so many rounds can bring."""

    win: Fraction
    rounds: int
    expected: Fraction
    between: Mapping[float, tuple[float, float]]  # probability -> the win lies between these with it
    as_low: float  # chance of such a win or a lower one
    as_high: float

    def normal(self, sure: float) -> bool:
        low, high = self.between[sure]
        return low <= self.win <= high

    def json(self) -> Json:
        return {
            "win": float(self.win),
            "rounds": self.rounds,
            "expected": float(self.expected),
            **{f"interval_{sure:.0%}".rstrip("%"): {"low": a, "high": b} for sure, (a, b) in self.between.items()},
            "chance_as_low": self.as_low,
            "chance_as_high": self.as_high,
        }


@dataclass(frozen=True)
class Figure:
    """One figure twice: of the whole distribution, and as the normal approximation has it."""

    whole: float
    normal: float
    error: float = 0.0  # standard error of `whole`, where rounds were dealt

    def json(self) -> Json:
        figures = {"distribution": self.whole, "normal": self.normal, "standard_error": self.error}
        return {name: x if isfinite(x) else None for name, x in figures.items()}


@dataclass(frozen=True)
class Period:
    """A shift or a month: the house's win, as it is distributed."""

    name: str
    rounds: int
    theo: Fraction
    counted: bool  # whether theo is a fraction of counts
    std_dev: float
    std_dev_error: float  # its standard error, where rounds were dealt
    loses: Figure
    breaks_even: float
    quantiles: Mapping[float, Figure]  # share of periods that are no better -> the house's win
    spread: Spread = field(compare=False, repr=False)

    def json(self) -> Json:
        return {
            "period": self.name,
            "rounds": self.rounds,
            "theo": float(self.theo),
            "theo_exact": ratio(self.theo) if self.counted else None,
            "std_dev": self.std_dev,
            "std_dev_standard_error": self.std_dev_error,
            "chance_to_lose": self.loses.json(),
            "chance_to_break_even": self.breaks_even,
            "quantiles": [{"share": share, **win.json()} for share, win in self.quantiles.items()],
        }


@dataclass(frozen=True)
class Exposure:
    """The most that one round can cost, every bet of the layout at its limit."""

    limits: Mapping[str, Fraction]
    per_seat: Fraction  # one seat, jackpots at what the meters show
    table: Fraction  # all seats; a meter is paid once, and then its seed
    bound: bool  # whether the cards may not be able to give so much

    def json(self) -> Json:
        return {
            "limits": {w: float(b) for w, b in self.limits.items()},
            "per_seat": float(self.per_seat),
            "table": float(self.table),
            "bound": self.bound,
        }


@dataclass(frozen=True)
class Hits:
    """A jackpot over one stretch of time."""

    period: str
    bets: int
    growth: Fraction  # what the bets add to the meter
    chance: float  # of a hit at all
    expected: float  # hits
    paid: float  # dollars, expected, from the meter as it is now
    reserve: Fraction  # seeds for so many hits that more come with the risk asked for only

    def json(self) -> Json:
        return {
            "period": self.period,
            "bets": self.bets,
            "growth": float(self.growth),
            "chance_of_a_hit": self.chance,
            "expected_hits": self.expected,
            "expected_paid": self.paid,
            "seed_reserve": float(self.reserve),
        }


@dataclass(frozen=True)
class Jackpot:
    """One meter: how it grows, how often it is hit, what it has grown to by then."""

    wager: str
    row: str
    meter: Fraction
    seed: Fraction
    increment: Fraction
    probability: Fraction
    next_hit: Mapping[float, float]  # share -> dollars: the first hit from now on
    when_hit: Mapping[float, float]  # share -> dollars: any later hit, from the seed up
    average: Fraction  # of later hits
    over: tuple[Hits, ...]

    def json(self) -> Json:
        return {
            "wager": self.wager,
            "jackpot": self.row,
            "meter": float(self.meter),
            "seed": float(self.seed),
            "increment": float(self.increment),
            "probability_exact": ratio(self.probability),
            "next_hit": [{"share": s, "jackpot_paid": d} for s, d in self.next_hit.items()],
            "when_hit": [{"share": s, "jackpot_paid": d} for s, d in self.when_hit.items()],
            "average_jackpot": float(self.average),
            "over": [h.json() for h in self.over],
        }


@dataclass(frozen=True)
class Floor(Shown):
    """Everything that `floor` answers about one table."""

    of: Provenance
    plan: Plan
    theos: tuple[Theo, ...]
    not_banked: tuple[str, ...]  # wagers that the players settle among themselves
    unit: Fraction  # dollars of which every result is a multiple
    counted: tuple[tuple[tuple[str, ...], str, int], ...]  # bets counted together, how, ways or hands
    round_mean: Fraction
    round_std_dev: float
    seat_std_dev: float  # of one seat's hand
    rounds_dealt: int  # of the whole table; 0 where it is enumerated
    common: float  # variance that the seats' results, and bets counted apart, have in common
    common_error: float
    serial: float  # variance of a round that comes from what seats carry over to the next one
    streaks_left_out: bool  # whether rounds were dealt as independent although seats carry something over
    shift: Period
    month: Period
    bankroll: Figure | None  # None: the house does not win on average
    edge_shows: Figure | None  # rounds until the house is ahead with a probability of 95%
    exposure: Exposure
    jackpots: tuple[Jackpot, ...]
    notes: tuple[str, ...] = ()  # what the reader should know of the strategy that is played
    actual: Judged | None = None

    TABLE = "wagers"

    @property
    def handle(self) -> Fraction:
        """All that is bet in an hour, on average."""
        return sum((t.handle * t.rate for t in self.theos), Fraction(0)) * self.plan.seats * self.plan.hands

    @property
    def hold(self) -> Fraction:
        """The house's win as a share of what is bought in."""
        return self.round_mean * self.plan.hands / self.plan.drop

    @property
    def method(self) -> str:
        """How the chances of one round of the whole table are known."""
        return "simulated" if self.rounds_dealt else "exact"

    def json(self) -> Json:
        return {
            **self.of.json(),
            "method": self.method + (", streaks left out" if self.streaks_left_out else ""),
            "table": self.plan.json(),
            "wagers": [t.json() for t in self.theos],
            "not_banked": list(self.not_banked),
            "unit": float(self.unit),
            "counted": [{"wagers": list(w), "method": how, "ways": str(n)} for w, how, n in self.counted],
            "round": {
                "theo": float(self.round_mean),
                "theo_exact": ratio(self.round_mean) if self.shift.counted else None,
                "std_dev": self.round_std_dev,
                "seat_std_dev": self.seat_std_dev,
                "shared_variance": self.common,
                "shared_variance_method": self.method,
                "shared_variance_standard_error": self.common_error,
                "shared_variance_rounds": self.rounds_dealt,
                "carried_variance": self.serial,
            },
            "theo_per_hour": float(self.round_mean * self.plan.hands),
            "handle_per_hour": float(self.handle),
            "drop_per_hour": float(self.plan.drop),
            "theoretical_hold": float(self.hold),
            "actual": None if self.actual is None else self.actual.json(),
            "shift": self.shift.json(),
            "month": self.month.json(),
            "bankroll": None if self.bankroll is None else self.bankroll.json(),
            "rounds_until_edge_shows": None if self.edge_shows is None else self.edge_shows.json(),
            "exposure": self.exposure.json(),
            "jackpots": [j.json() for j in self.jackpots],
            "notes": list(self.notes),
        }
