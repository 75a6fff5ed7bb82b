"""What a packet asks, each once: the sheet, the count, the simulation, protection, the floor, the verdicts.

What takes long is asked for by few sections, and what a section says is plain text. So sections are kept on disk, under
a hash of everything that they depend on: pitboss itself, the game file, the house, and what was asked.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.approval import Approval, Offered, approval_of, offers_of
from pitboss.approval.file import believed, text_of
from pitboss.claims import Verdicts, verdicts_of
from pitboss.disk import keep, recall
from pitboss.earn import Floor, earn
from pitboss.earn import Plan as Night
from pitboss.earn.plan import USUAL_SEATS
from pitboss.exact import Study
from pitboss.guard import Plan as Watch
from pitboss.guard import Protection, protect
from pitboss.ledger.figure import SIMULATED, Figure
from pitboss.ledger.records import Analysis, WagerResult
from pitboss.ledger.simulated import SimulatedWager, Simulation
from pitboss.packets.blocks import Section, read_section
from pitboss.rules.called import wager_called
from pitboss.rules.errors import BadInput
from pitboss.rules.game import Game
from pitboss.rules.house import House
from pitboss.sheets import Sheet, sheet_of
from pitboss.thumb import Rulebook
from pitboss.version import sources

if TYPE_CHECKING:
    from pitboss.jurisdictions import Jurisdiction

ROUNDS = 50_000_000  # that confirm a count: seconds on two cores
SHOES = 1000  # real shoes, for protection
SEED = 1
Watched = Callable[[str], None]


@dataclass(frozen=True)
class Brief:
    """What is asked for: everything that two packets must have in common to be the same to the last byte."""

    house: House
    jurisdiction: "Jurisdiction | None" = None
    claims: tuple[Path, ...] = ()
    rounds: int = ROUNDS
    seed: int = SEED
    by: str = ""  # who submits it
    date: str = ""  # 2026-11-18, or nothing: a date of today would make every day another packet
    paper: str = "us-letter"
    font: str = ""
    patient: bool = False

    def identity(self) -> dict[str, Any]:
        """All that the words and figures of a packet depend on."""
        place = self.jurisdiction
        return {
            "pitboss": sources(),
            "house": self.house.provenance().fingerprint(),
            "placed": sorted(self.house.placed) if self.house.placed is not None else None,
            "jurisdiction": None if place is None else place.json(),
            "claims": [hashlib.sha256(path.read_bytes()).hexdigest() for path in self.claims],
            "rounds": self.rounds, "seed": self.seed, "patient": self.patient,
        }  # fmt: skip


@dataclass(frozen=True)
class Answer:
    """One wager before the deal, as the first table has it: counted, or where that cannot be, dealt."""

    wager: str
    called: str
    edge: Figure | None  # None: between the players
    deviation: Figure | None
    hits: Figure | None
    paytable: str
    ways: int | None
    why: str = ""  # it is not counted


class Desk:
    """The answers that the sections are written from."""

    def __init__(self, brief: Brief, watch: Watched = lambda _: None) -> None:
        self.brief, self.house, self.watch = brief, brief.house, watch
        self.of = self.house.provenance()

    def command(self, verb: str, *words: str, wager: str = "") -> str:
        """What one types to see it again, with the jurisdiction that the house is under."""
        return self.of.command(verb, *words, wager=wager)

    @property
    def own_games(self) -> list[Game]:
        """The game, where it is the user's own: claims may be about it."""
        return [] if self.of.file == self.of.game else [self.house.game]

    @cached_property
    def sheet(self) -> Sheet:
        return sheet_of(self.house)

    # ---- counted

    @cached_property
    def study(self) -> Study:
        return Study(self.house, patient=self.brief.patient)

    @cached_property
    def _counted(self) -> tuple[Analysis | None, dict[str, str]]:
        self.watch("counting")
        try:
            found = self.study.analysis()
            return found, dict(found.refused)
        except BadInput as error:  # nothing at all can be counted
            return None, dict.fromkeys(self.study.banked, str(error))

    @property
    def analysis(self) -> Analysis | None:
        return self._counted[0]

    @property
    def refused(self) -> dict[str, str]:
        """Wagers that cannot be counted, and why."""
        return self._counted[1]

    @property
    def results(self) -> tuple[WagerResult, ...]:
        return () if self.analysis is None else self.analysis.wagers

    @cached_property
    def rulebook(self) -> Rulebook | None:
        """The rules to remember; None where nothing is decided, or nothing could be counted."""
        if not self.study.decided or any(w in self.refused for w in self.study.decided):
            return None
        self.watch("rules to remember")
        return self.study.rule()

    @cached_property
    def offers(self) -> tuple[Offered, ...]:
        """Every wager on every pay table that the house may choose."""
        self.watch("pay tables")
        return offers_of(self.house, patient=self.brief.patient, seed=self.brief.seed)

    def record(self) -> Approval:
        """The approval record; as it was kept, or made now."""
        name = _name(self.brief, "record")
        found = recall(name, believed)
        if found is None:
            found = approval_of(self.house, patient=self.brief.patient, seed=self.brief.seed, offers=self.offers)
            keep(name, text_of(found).encode())
        return found

    # ---- dealt

    @cached_property
    def _dealt(self) -> tuple[Simulation | None, str]:
        from pitboss.deal import Run

        self.watch("dealing")
        try:
            run = Run(self.house, seed=self.brief.seed)
            rounds = min(self.brief.rounds, run.usual_rounds) if run.asker is not None else self.brief.rounds
            return run.run(rounds, patient=self.brief.patient), ""
        except BadInput as error:  # no strategy to deal by
            return None, str(error)

    @property
    def simulation(self) -> Simulation | None:
        return self._dealt[0]

    @property
    def not_dealt(self) -> str:
        return self._dealt[1]

    @cached_property
    def answers(self) -> tuple[Answer, ...]:
        """Every wager before the deal in one line: the count, or the simulation where there is none."""
        out = []
        counted = {w.wager: w for w in self.results}
        for name in self.house.parties:
            if name in counted:
                out.append(self._from_count(counted[name]))
            elif name in self.refused:
                dealt = {} if self.simulation is None else {w.wager: w for w in self.simulation.wagers}
                out.append(self._from_deal(name, dealt.get(name)))
        return tuple(out)

    def _from_count(self, found: WagerResult) -> Answer:
        called = wager_called(self.house, found.wager)
        if found.shared:
            return Answer(found.wager, called, None, None, None, found.paytable, None)
        return Answer(found.wager, called, found.edge, found.deviation, found.hits, found.paytable, found.ways)

    def _from_deal(self, name: str, found: SimulatedWager | None) -> Answer:
        called, why, table = wager_called(self.house, name), self.refused[name], self.house.tables[name].name
        if found is None:
            return Answer(name, called, None, None, None, table, None, f"{why} {self.not_dealt}".strip())
        deviation = Figure(Fraction(found.std_dev), SIMULATED, percent=False)
        return Answer(
            name, called, found.edge, deviation, Figure(Fraction(found.hit_frequency), SIMULATED), table, None, why
        )

    # ---- judged

    @cached_property
    def protection(self) -> Protection | str:
        """What a counter wins; or why that is not worked out."""
        self.watch("protection")
        decks = () if self.house.decks is None else (self.house.decks,)
        try:
            return protect(
                self.house, None, Watch(decks=decks, shoes=SHOES, seed=self.brief.seed, patient=self.brief.patient)
            )
        except BadInput as error:
            return str(error)

    @cached_property
    def floor(self) -> Floor | str:
        self.watch("the floor")
        seats = min(USUAL_SEATS, self.house.game.seats)
        night = Night(seats=seats, bets={}, seed=self.brief.seed, patient=self.brief.patient)
        try:
            return earn(self.house, night, "optimal", None)
        except BadInput as error:
            return str(error)

    @cached_property
    def verdicts(self) -> Verdicts | None:
        if not self.brief.claims:
            return None
        self.watch("claims")
        return verdicts_of(self.brief.claims, games=self.own_games, patient=self.brief.patient)


def _name(brief: Brief, id: str) -> str:
    asked = json.dumps([id, brief.identity()], sort_keys=True).encode()
    return f"packet-{hashlib.sha256(asked).hexdigest()[:32]}.json"


def recalled(brief: Brief, id: str) -> Section | None:
    """A section as it was kept."""
    return recall(_name(brief, id), lambda raw: read_section(json.loads(raw)))


def kept(brief: Brief, section: Section) -> Section:
    """The same section, kept for the next time: as plain values, which it comes back as."""
    text = json.dumps(section.json())
    keep(_name(brief, section.id), text.encode())
    return read_section(json.loads(text))
