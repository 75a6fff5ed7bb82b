"""What a designer found: pay tables that meet an edge, and policies of the dealer, as frozen records with JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from pitboss.ledger.records import Json, StrategyRow, ratio
from pitboss.ledger.shown import Shown
from pitboss.rules.identity import Provenance


@dataclass(frozen=True)
class FoundTable:
    """One pay table, and what it comes to."""

    paytable: str  # as a user would type it
    pays: Mapping[str, str]  # row -> pay, as typed
    edge: Fraction
    hits: Fraction
    variance: Fraction
    across: Mapping[str, Fraction]  # value of the option -> edge; empty where none was asked for
    printed: bool  # whether it is the table that the house has now

    @property
    def std_dev(self) -> float:
        return sqrt(self.variance)

    def json(self) -> Json:
        return {
            "paytable": self.paytable,
            "pays": dict(self.pays),
            "house_edge": float(self.edge),
            "house_edge_exact": ratio(self.edge),
            "std_dev": self.std_dev,
            "variance_exact": ratio(self.variance),
            "hit_frequency": float(self.hits),
            "hit_frequency_exact": ratio(self.hits),
            "across": {value: ratio(edge) for value, edge in self.across.items()},
            "printed": self.printed,
        }


@dataclass(frozen=True)
class Designed(Shown):
    """All pay tables that meet an edge: how many, and the best of them by a taste."""

    of: Provenance
    wager: str  # whose pay table it is
    party: str  # the wager before the deal that the edge is measured by
    low: Fraction
    high: Fraction  # the same as low: what comes closest
    taste: str
    bounds: Mapping[str, str]  # rows that may move -> their pays, in words
    asked: bool  # whether the bounds were asked for
    order: str  # falling, rising, or nothing
    played: bool  # the player answers every table optimally
    across: str  # the option for whose values it must hold
    tables: int  # within the bounds
    found: int  # of these, within the edge (all, where the closest are wanted)
    today: FoundTable
    best: tuple[FoundTable, ...]
    ways: int  # equally likely ways that were counted
    stake: Fraction  # the bet in dollars that fixed awards are measured against
    method: str = "exact"

    TABLE = "tables"

    @property
    def value(self) -> str:
        """Which value of the option hits and spread are of."""
        return str(self.of.options[self.across]) if self.across else ""

    def json(self) -> Json:
        return {
            **self.of.json(),
            "method": self.method,
            "wager": self.wager,
            "edge_of": self.party,
            "edge_wanted_exact": [ratio(self.low), ratio(self.high)],
            "taste": self.taste,
            "bounds": dict(self.bounds),
            "order": self.order or None,
            "play_changes": self.played,
            "across_option": self.across or None,
            "tables_tried": str(self.tables),
            "tables_found": str(self.found),
            "ways": str(self.ways),
            "stake": float(self.stake),
            "printed_table": self.today.json(),
            "tables": [t.json() for t in self.best],
        }


@dataclass(frozen=True)
class PolicyEdge:
    """One policy of the dealer, and what it leaves the house against optimal play."""

    policy: Mapping[str, str]  # option -> ranks
    edge: Fraction

    def json(self) -> Json:
        return {"policy": dict(self.policy), "house_edge": float(self.edge), "house_edge_exact": ratio(self.edge)}


@dataclass(frozen=True)
class PolicyChange:
    """One rank put into the policy, or taken out of it."""

    option: str
    rank: str
    ranks: str  # the option's value after the change
    edge: Fraction
    printed: Fraction

    @property
    def cost(self) -> Fraction:
        """What the house gives away by it; negative where it gains."""
        return self.printed - self.edge

    def json(self) -> Json:
        return {
            "option": self.option,
            "rank": self.rank,
            "ranks": self.ranks,
            "house_edge": float(self.edge),
            "house_edge_exact": ratio(self.edge),
            "cost": float(self.cost),
            "cost_exact": ratio(self.cost),
        }


@dataclass(frozen=True)
class PolicySearch(Shown):
    """All threshold policies of a dealer, and the one that is printed among them."""

    of: Provenance
    wager: str
    printed: PolicyEdge
    usual: bool  # whether the printed policy is the game file's own, not one that was asked for
    threshold: bool  # whether the printed policy is one of those searched
    policies: int
    better: int  # policies that leave the player less than the printed one
    ties: int  # policies as good as the best
    best: tuple[PolicyEdge, ...]
    changes: tuple[PolicyChange, ...]
    answer: tuple[StrategyRow, ...]  # what the player does against the best policy
    ways: int  # equally likely ways that were counted, for each policy
    method: str = "exact"

    TABLE = "best_policies"

    @property
    def given_away(self) -> Fraction:
        """What the printed policy costs the house against the best one."""
        return self.best[0].edge - self.printed.edge

    def json(self) -> Json:
        return {
            **self.of.json(),
            "method": self.method,
            "wager": self.wager,
            "printed_policy": self.printed.json(),
            "threshold": self.threshold,
            "policies": self.policies,
            "better": self.better,
            "ties": self.ties,
            "ways": str(self.ways),
            "given_away": float(self.given_away),
            "given_away_exact": ratio(self.given_away),
            "best_policies": [p.json() for p in self.best],
            "one_card_changes": [c.json() for c in self.changes],
            "answer": [r.json() for r in self.answer],
        }
