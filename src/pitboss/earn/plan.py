"""A table as its manager sees it: pace, seats, average bets, who makes the side bets, how long it is open."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from pitboss.ledger.records import Json
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House

MOST_ROUNDS = 10**7  # in a month: 60 an hour all year round are half a million
USUAL_SEATS = 5
USUAL_BUY_IN = 20  # rounds' bets
MONTHS = 12


@dataclass(frozen=True)
class Plan:
    """What is asked; whatever is not given has a stated default."""

    seats: int
    bets: Mapping[str, Fraction]  # the average, per seat
    rates: Mapping[str, Fraction] = field(default_factory=dict)  # share of the hands on which a bet is made
    hands: int = 60  # rounds an hour
    hours: Fraction = Fraction(8)  # in a shift
    days: int = 30  # in a month, one shift each
    risk: Fraction = Fraction(1, 100)
    mistakes: Fraction = Fraction(0)  # what players give away, as a share of the bet that they play
    buy_in: Fraction | None = None  # what a player buys in for; usually so many times what he bets in a round
    stay: Fraction = Fraction(1)  # hours that he stays for it
    seed: int = 1  # of what has to be simulated
    patient: bool = False  # whether it may take more than ten minutes, or 2 GB

    @property
    def shift(self) -> int:
        """Rounds in a shift."""
        return round(self.hands * self.hours)

    @property
    def month(self) -> int:
        return self.shift * self.days

    @property
    def year(self) -> int:
        return self.month * MONTHS

    @property
    def bought(self) -> Fraction:
        """What a player buys in for."""
        return USUAL_BUY_IN * sum(self.bets.values(), Fraction(0)) if self.buy_in is None else self.buy_in

    @property
    def drop(self) -> Fraction:
        """What goes into the box in an hour."""
        return self.seats * self.bought / self.stay

    def rate(self, wager: str) -> Fraction:
        return self.rates.get(wager, Fraction(1))

    def json(self) -> Json:
        return {
            "hands_per_hour": self.hands,
            "seats": self.seats,
            "bets": {w: float(b) for w, b in self.bets.items()},
            "rates": {w: float(self.rate(w)) for w in self.bets},
            "hours": float(self.hours),
            "days": self.days,
            "risk": float(self.risk),
            "mistakes": float(self.mistakes),
            "buy_in": float(self.bought),
            "stay": float(self.stay),
            "seed": self.seed,
        }


def completed(house: House, bets: Mapping[str, Fraction], rates: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The bets asked for, and those that must go along with them, each at the least that the house takes."""
    out = dict(bets)
    opening = {w.name: w for w in house.wagers if not w.equal_to}
    for name, rate in rates.items():
        if name not in opening:
            raise BadInput(f"{name} is not a bet before the deal; there are {', '.join(opening)}")
        if not 0 <= rate <= 1:
            raise BadInput(f"rate {name}: a share of the hands is 0% to 100%, not {float(rate):.0%}")
        if opening[name].required and rate != 1:
            raise BadInput(f"rate {name}: everyone must bet on {name}, so its rate is 100%")
        out.setdefault(name, house.least_bet(name))
    for name in list(out):
        while name in opening and (needs := opening[name].needs) and needs not in out:
            out[needs] = house.least_bet(needs)
            name = needs
    for wager in opening.values():
        if wager.required:
            out.setdefault(wager.name, house.least_bet(wager.name))
    for names in house.one_of:
        if not any(n in out for n in names):
            out[names[0]] = house.least_bet(names[0])
    if not out:
        first = next(iter(opening))
        out[first] = house.least_bet(first)
    house.check_bets(out)
    return {name: out[name] for name in opening if name in out}


def checked(house: House, plan: Plan) -> Plan:
    """The plan, if it can be: one clear sentence where it cannot."""
    for name, value in (("hands", plan.hands), ("days", plan.days)):
        if value < 1:
            raise BadInput(f"{name} {value}: write a whole number from 1")
    if plan.hours <= 0:
        raise BadInput(f"hours {float(plan.hours):g}: a shift has more than 0 hours")
    if not 1 <= plan.shift <= plan.month <= MOST_ROUNDS:
        raise BadInput(
            f"`hands`, `hours` and `days` give {plan.shift:,} rounds in a shift and {plan.month:,} in a month; "
            f"there must be 1 to {MOST_ROUNDS:,}"
        )
    if not 0 < plan.risk < 1:
        raise BadInput(f"risk {float(plan.risk):g}: a risk lies between 0 and 100%, such as 1%")
    if not 0 <= plan.mistakes < 1:
        raise BadInput(f"mistakes {float(plan.mistakes):g}: players give away 0% to 100% of a bet, such as 1%")
    if plan.stay <= 0 or plan.bought <= 0:
        raise BadInput("`buy_in` and `stay` are more than 0: what a player buys in for, and how many hours he stays")
    house.check_seats(plan.seats, 0)
    return plan
