"""Records of hands that are drawn card by card: enumerated whole, in double precision, and so without fractions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
Chart = Mapping[tuple[tuple[str, ...], tuple[int, ...]], str]
"""Basic strategy: (choices offered, what the decision is made by) -> choice."""


@dataclass(frozen=True)
class DrawnOutcome:
    """One row of the return table of a hand that is drawn card by card."""

    outcome: str
    probability: float
    pays: float  # to the player; where several hands come together, on average

    def json(self) -> Json:
        returns = self.probability * self.pays
        return {"outcome": self.outcome, "probability": self.probability, "pays": self.pays, "return": returns}


@dataclass(frozen=True)
class DrawnWager:
    """A wager on hands that are drawn card by card: every way enumerated, the sums in double precision."""

    wager: str
    paytable: str
    strategy: str
    optimal_edge: float  # every decision by the cards of the hand
    basic_edge: float  # every decision by what a chart looks at
    insurance: float | None  # what a unit of insurance brings, off the top, if it is offered
    outcomes: tuple[DrawnOutcome, ...]

    @property
    def house_edge(self) -> float:
        return self.optimal_edge if self.strategy == "optimal" else self.basic_edge

    @property
    def expectation(self) -> float:
        return -self.house_edge

    @property
    def hit_frequency(self) -> float:
        return sum(o.probability for o in self.outcomes if o.pays > 0)

    def json(self) -> Json:
        return {
            "wager": self.wager,
            "paytable": self.paytable,
            "house_edge": self.house_edge,
            "house_edge_exact": None,
            "arithmetic": "double precision",
            "optimal_house_edge": self.optimal_edge,
            "basic_house_edge": self.basic_edge,
            "cost_of_basic": self.basic_edge - self.optimal_edge,
            "insurance_expectation": self.insurance,
            "outcomes": [o.json() for o in self.outcomes],
        }


@dataclass(frozen=True)
class DrawnRow:
    """A hand of two cards against an up-card: what each choice is worth."""

    decision: str
    sees: str
    cards: tuple[str, ...]
    probability: float
    values: Mapping[str, float]
    chosen: str
    basic: str  # what the chart says

    def json(self) -> Json:
        return {
            "decision": self.decision,
            "sees": self.sees,
            "cards": list(self.cards),
            "probability": self.probability,
            "expectation": dict(self.values),
            "chosen": self.chosen,
            "basic": self.basic,
        }


def held(row: Mapping[str, int], pair: bool) -> str:
    """A row of a chart in words: `16`, `A 7`, `8 8`."""
    if row.keys() != {"total", "soft"}:
        return " ".join(map(str, row.values()))
    total, soft = row["total"], row["soft"]
    if pair:
        return "A A" if soft else f"{total // 2} {total // 2}"
    return f"A {total - 11}" if soft else str(total)
