"""What was found: the rules of a game by length, and what playing by each costs in all."""

from dataclasses import dataclass
from fractions import Fraction

from pitboss.ledger.figure import EXACT
from pitboss.ledger.records import Json, ratio
from pitboss.ledger.shown import Shown
from pitboss.rules.identity import Provenance
from pitboss.thumb.rule import Ladder, Played, Rule

WAYS = "two ways, three ways: as many different runs hold the cards"
LEAST = Fraction(1, 10**6)  # what is shown of a cost that is not nothing
ENOUGH = Fraction(1, 10)  # of the edge: what a rule may cost and still be the answer


@dataclass(frozen=True)
class Rung:
    """Rules of so many conditions at most at every decision, and what they cost together, per unit of the wager."""

    most: int
    rules: tuple[Rule, ...]
    cost: Fraction
    enough: bool  # it costs nothing, or less than a tenth of the edge

    @property
    def conditions(self) -> int:
        """In all decisions."""
        return sum(rule.conditions for rule in self.rules)

    @property
    def ways(self) -> bool:
        """Whether a condition counts runs, which wants a word of explanation."""
        return any(" ways" in c.words for rule in self.rules for line in rule.lines for c in line.conditions)


@dataclass(frozen=True, eq=False)
class Rulebook(Shown):
    """The rules of a game that a person can remember. `edge` is the house edge of the best play, or of the chart that
    rules are held against (`against`); costs are on top of it."""

    of: Provenance
    wager: str
    edge: Fraction
    ladders: tuple[Ladder, ...]
    rungs: tuple[Rung, ...]
    against: str = "optimal"
    method: str = EXACT
    notes: tuple[str, ...] = ()  # what is decided otherwise

    TABLE = "rungs"

    @property
    def best(self) -> Rung:
        """The shortest that is good enough; where none is, the best there is."""
        return next((rung for rung in self.rungs if rung.enough), self.rungs[-1])

    def at(self, most: int) -> Rung:
        """The rules of so many conditions at most at every decision."""
        return [rung for rung in self.rungs if rung.most <= most][-1]

    def share(self, rung: Rung) -> str:
        """What it costs, of the edge."""
        if not rung.cost or not self.edge:
            return "nothing" if not rung.cost else "-"
        share = float(rung.cost / abs(self.edge))
        return "under 0.01%" if share < 0.0001 else f"{share:.2%}" if share < 0.1 else f"{share:.0%}"

    def played(self, rung: Rung, name: str) -> Played:
        """As a strategy."""
        return Played(self.ladders, rung.most, name)

    def title(self) -> str:
        return f"{self.of.title}: a rule to remember"

    def json(self) -> Json:
        exact = self.method == EXACT
        return {
            **self.of.json(),
            "method": self.method,
            "wager": self.wager,
            "against": self.against,
            "house_edge": float(self.edge),
            "house_edge_exact": ratio(self.edge) if exact else None,
            "rule": f"rule:{self.best.most}",
            "notes": list(self.notes),
            "rungs": [
                {
                    "strategy": f"rule:{rung.most}",
                    "conditions": rung.conditions,
                    "cost": float(rung.cost),
                    "cost_exact": ratio(rung.cost) if exact else None,
                    "share_of_edge": float(rung.cost / abs(self.edge)) if self.edge else None,
                    "enough": rung.enough,
                    "decisions": [_rule(rule, exact) for rule in rung.rules],
                }
                for rung in self.rungs
            ],
        }


def _rule(rule: Rule, exact: bool) -> Json:
    return {
        "decision": rule.decision,
        "conditions": rule.conditions,
        "words": rule.words,
        "lines": [{"choice": line.choice, "with": [c.words for c in line.conditions]} for line in rule.lines],
        "otherwise": rule.otherwise,
        "cost_alone": None if rule.cost is None else float(rule.cost),
        "cost_alone_exact": ratio(rule.cost) if exact and rule.cost is not None else None,
    }
