"""What every wager comes to on every pay table that a house may choose for it: the figures that are approved.

A pay table comes after counting. Where no choice of the player's is about the wager, the law that was counted is paid
by the other table; where one is, the wager is solved again for it. What cannot be counted is dealt.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf, sqrt

from pitboss.deal import Run
from pitboss.exact import Study
from pitboss.ledger.figure import SIMULATED, Figure
from pitboss.ledger.records import Progressive, WagerResult
from pitboss.ledger.simulated import SimulatedWager
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.paytables import PayTable
from pitboss.rules.wagers import Wager

SEED, ROUNDS = 1, 1_000_000  # of what is dealt because it cannot be counted
EDGE, RISK, LONG_RUN, SPREAD, HITS = "house edge", "element of risk", "long-run edge", "standard deviation", "hits"
"""The figures of a wager. In the long run every jackpot is paid at what it has grown to, wherever its meter stands."""


@dataclass(frozen=True)
class Offered:
    """A wager before the deal on one of its pay tables, or on one of a wager that goes with it."""

    wager: str
    paid_by: str  # the wager whose pay table it is
    table: PayTable
    chosen: bool  # whether the house deals it so
    house: House  # that does
    found: WagerResult | SimulatedWager | None  # counted, or dealt; None where neither can be had
    why: str = ""  # it is not counted
    progressive: Progressive | None = None  # of a wager that is counted, and pays from a meter

    @property
    def counted(self) -> WagerResult | None:
        return self.found if isinstance(self.found, WagerResult) else None

    @property
    def dealt(self) -> SimulatedWager | None:
        return self.found if isinstance(self.found, SimulatedWager) else None

    @property
    def shared(self) -> bool:
        """Paid among the players: the house has no part in it."""
        return self.counted is not None and self.counted.shared

    @property
    def called(self) -> str:
        """The pay table, with the wager that it is of where that is another one."""
        return self.table.name if self.paid_by == self.wager else f"{self.paid_by}: {self.table.name}"

    @property
    def figures(self) -> dict[str, Figure]:
        """What it comes to, each figure with how it is known."""
        if (found := self.counted) is not None:
            out = {EDGE: found.edge, RISK: found.risk}
            if self.progressive is not None:
                out[LONG_RUN] = Figure(self.progressive.long_run_edge, found.method)
            return out if found.shared else out | {SPREAD: found.deviation, HITS: found.hits}
        if (dealt := self.dealt) is None:
            return {}
        share = dealt.hit_frequency
        staked = dealt.house_edge / dealt.element_of_risk if dealt.element_of_risk else 1.0
        return {
            EDGE: dealt.edge,
            RISK: Figure(Fraction(dealt.element_of_risk), SIMULATED, abs(dealt.standard_error / staked)),
            SPREAD: Figure(Fraction(dealt.std_dev), SIMULATED, percent=False),
            HITS: Figure(Fraction(share), SIMULATED, sqrt(max(0.0, share * (1 - share)) / dealt.rounds)),
        }


def offers_of(house: House, *, patient: bool = False, seed: int = SEED, rounds: int = ROUNDS) -> tuple[Offered, ...]:
    """Every wager on the pay table that the house has chosen, and on every other that the game file offers for it."""
    study = Study(house, patient=patient)
    bet = [p for p in house.parties if house.takes(p)]
    banked = [p for p in bet if p not in study.book.shared]
    refused = study.plan_for(banked).checked(patient).refused
    counted, dealt = study.records(bet, inf), _Dealt(seed, rounds)

    def offer(party: str, member: str, at: House) -> Offered:
        chosen = at is house
        if party in counted:
            found = counted[party] if chosen else _paid(study, at, party)
            meters = None if found.shared else _meters(study, at, party)
            return Offered(party, member, at.tables[member], chosen, at, found, progressive=meters)
        found_out = refused.get(party, "the player's choices change it")
        simulated, how = dealt.of(at, party)
        return Offered(party, member, at.tables[member], chosen, at, simulated, "; ".join((found_out, *how)))

    out: list[Offered] = []
    for party in bet:
        out.append(offer(party, party, house))
        if party in banked:
            out += [offer(party, w.name, house.but(tables={w.name: table})) for w, table in others(house, party)]
    return tuple(out)


def others(house: House, party: str) -> Iterator[tuple[Wager, PayTable]]:
    """The pay tables that a house may choose instead of its own, for a wager and for all that goes with it."""
    for member in house.parties[party]:
        if not member.table_of:
            yield from ((member, t) for t in member.tables if t.pays != house.tables[member.name].pays)


def _paid(study: Study, at: House, party: str) -> WagerResult:
    """A wager on another pay table: paid from the same law, or solved again where it is played for what it pays."""
    if party not in study.decided:
        return study.law(party).paying(at).record(party)
    return study.paying(at.tables).wager(party)


def _meters(study: Study, at: House, party: str) -> Progressive | None:
    if not at.meters(party):
        return None
    law = study.law(party).paying(at) if party not in study.decided else study.paying(at.tables).law(party)
    return law.progressive(party)


class _Dealt:
    """Rounds that are dealt once for a house, for all its wagers that cannot be counted."""

    def __init__(self, seed: int, rounds: int) -> None:
        self.seed, self.rounds = seed, rounds
        self._known: dict[House, tuple[Mapping[str, SimulatedWager], tuple[str, ...]]] = {}

    def of(self, house: House, party: str) -> tuple[SimulatedWager | None, tuple[str, ...]]:
        """What was dealt of a wager, and how it was played."""
        if house not in self._known:
            try:
                found = Run(house, seed=self.seed).run(self.rounds)
                self._known[house] = {w.wager: w for w in found.wagers}, found.notes
            except BadInput as error:  # the best play is not known, and the game file names no other
                self._known[house] = {}, (str(error),)
        wagers, how = self._known[house]
        return wagers.get(party), how
