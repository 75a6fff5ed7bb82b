"""Rounds by the billion: chunks of independent streams, all cores, counted in order.

A chunk's stream is keyed by seed and chunk number, and chunks are added up in order, so the result depends on seed and
rounds only, never on who deals them: a `Run` is a bench, whose jobs are chunks (see `pitboss.crew`).
"""

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import shoe_cards
from pitboss.compile import pot_counts, simulator
from pitboss.crew import Crew, Hand, Letter, Threads
from pitboss.deal.checkpoint import Checkpoint, Part, Tally, opened
from pitboss.deal.figures import ENOUGH_CHUNKS, Counts, Sampled
from pitboss.deal.pace import RunPace, is_look, next_look
from pitboss.deal.players import Asker, played
from pitboss.ledger.simulated import Simulation
from pitboss.rules.cut import behind, fitting, own_behind, usual_behind
from pitboss.rules.errors import BadInput
from pitboss.rules.graph import Graph
from pitboss.rules.house import House
from pitboss.rules.numbers import ratio, whole

CHUNK = {"fresh": 1 << 18, "shoe": 1 << 15, "asked": 1 << 15}
WARM_UP = {
    "fresh": 64,
    "shoe": 512,
}  # uncounted rounds at the start of a chunk, so that streaks and shoes are under way
PILOT = {"dealt": (256, 256), "asked": (64, 128)}  # runs, and rounds of each
BEYOND = 1 << 40  # a number that no chunk has
SAVE_EVERY = 1.0
SETTLED = 10.0  # seconds after which a cluster's pace is judged: its first spans are short
YARDSTICK = 20.0  # seconds that an exact result to compare with may take
MOST_WORKERS = 1024


@dataclass(frozen=True)
class Progress:
    """Where a running simulation is."""

    rounds: int
    of: int | None
    standard_error: float
    hands: tuple[Hand, ...] = ()  # workers of a cluster, whose jobs are chunks


class Stopped(Exception):
    """Interrupted by the user: what was counted so far."""

    def __init__(self, result: Simulation | None, saved: Path | None) -> None:
        self.result, self.saved = result, saved


class Run:
    """One simulation: set up once, run to its end or to an interruption."""

    def __init__(
        self, house: House, *, seed: int = 1, strategy: str = "optimal", mode: str = "fresh", seats: int = 1,
        cut: Fraction | str | None = None, wager: str | None = None, checked: bool = False,
        bets: Mapping[str, Fraction] | None = None, compared: bool = True,
    ) -> None:  # fmt: skip
        """`compared`: beside the exact result, where that is quick."""
        self._asked = {"seed": seed, "strategy": strategy, "mode": mode, "seats": seats, "cut": cut, "wager": wager}
        self._asked |= {"bets": dict(bets) if bets else None}
        if mode not in CHUNK:
            raise BadInput(f"the mode is fresh or shoe, not {mode}")
        house.check_seats(seats, 0)
        if mode == "fresh" and cut is not None:
            raise BadInput("`cut` is for a real shoe, `mode='shoe'`: with fresh shuffles there is no cut card")
        if wager is not None:
            wager = house.check_wager(wager)
        if wager or bets:  # what is not bet may change how the round goes on
            house = house.but(placed=frozenset([*(bets or ()), *house.main, *([wager] if wager else [])]))
        self.house, self.seed, self.mode, self.seats = house, seed, mode, seats
        self.player = played(house, strategy)
        self.study, self.table = self.player.study, self.player.table
        self.book = self.study.book
        parties = [wager] if wager else [p for p in house.parties if house.takes(p)]
        house.check_seats(seats, self.book.graph.most_cards(seats))
        self.notes = self.player.notes
        self.cut = self._cut(cut) if mode == "shoe" else 0  # no card before the cut card: shuffled for every round
        source = "fresh" if mode == "fresh" and seats == 1 else "shoe"
        if self.table is None and source == "shoe":
            raise BadInput(
                "too many cards are visible at a decision for a table of answers, and without one a strategy is asked "
                "round by round, for one seat and from fresh shuffles only"
            )
        self.asker = Asker(self.book, self.study.strategy) if self.table is None else None
        self.chunk = CHUNK["asked" if self.asker else source]
        if self.player.keys is not None:
            cards = shoe_cards(house.composition)
            self.machine = simulator(self.book.cells, self.player.keys, cards, source, checked)
        exact = self.study.records(parties, YARDSTICK) if compared else {}
        biased = mode == "shoe" and (self.cut > 0 or bool(self.book.graph.carried)) and _rounds_differ(self.book.graph)
        self.sampled = Sampled(
            self.study, parties, exact, bets, seats, self.chunk, mode == "fresh" and seats == 1, biased
        )
        self.sampled.pilot = self._pilot
        self.tally = Tally(np.zeros(self.book.cells.size, np.int64), self._pots())
        self.before = 0  # chunks that a checkpoint had already
        self.unsaved: tuple[str, ...] = ()  # why the checkpoint has less than was counted

    @property
    def usual_rounds(self) -> int:
        """How many rounds take seconds: fewer where the strategy is asked round by round."""
        return 1_000_000 if self.asker is not None else 10_000_000

    def _pots(self) -> NDArray[np.int64]:
        return pot_counts(self.book.cells)

    def _cut(self, cut: Fraction | str | None) -> int:
        """How many cards are dealt before the cut card shows; the round under way is finished."""
        cards, need = sum(self.house.composition), self.book.graph.most_cards(self.seats)
        if cut is None:
            return self._usual_cut(cards, need)
        left = behind(self.house, ratio("`cut`", cut))
        if not need <= left < cards:
            who = "1 seat needs" if self.seats == 1 else f"{self.seats} seats need"
            fits = fitting(self.house, need)
            room = f"so `cut` is {fits}" if fits else "so leave `cut` out, and it is shuffled for every round"
            raise BadInput(
                f"the cut card lies {left} cards from the back of a shoe of {cards}; {who} {need} cards or more "
                f"behind it to finish a round, {room}"
            )
        return cards - left

    def _usual_cut(self, cards: int, need: int) -> int:
        """The same where nobody has said it; the reader is told where it is not as the game file has it."""
        left = usual_behind(self.house, need)
        if left not in (cards, own_behind(self.house)):
            self.notes += (f"the cut card lies {left} cards from the back, where it fits a shoe of {cards}",)
        return cards - left

    def fingerprint(self) -> dict[str, str]:
        """What a checkpoint must agree in: the house, the strategy, and how rounds are dealt. What a game file says is
        named by its hash, and what comes of it too: it may import what it says from elsewhere."""
        house, bets = self.house, self.sampled.bets or {}
        paid = [
            (name, [(row, str(house.net(name, row, Fraction(1)))) for row in (*table.pays, "push", "lose")])
            for name, table in house.tables.items()
        ]
        answers = "asked round by round" if self.table is None else _digest(self.table.tobytes())
        return {
            **self.study.of.fingerprint(), "seed": str(self.seed), "mode": self.mode, "seats": str(self.seats),
            "cut": str(self.cut), "chunk": str(self.chunk), "wagers": ",".join(self.sampled.parties),
            "bet": ",".join(f"{wager}={amount}" for wager, amount in sorted(bets.items())),
            "rules": _digest(f"{self.book.graph.key} {house.composition} {paid}".encode()), "answers": answers,
        }  # fmt: skip

    # ---- a bench, whose jobs are chunks

    def do(self, numbers: range) -> Part:
        return self.sampled.part(self._one(number, self.chunk) for number in numbers)

    def letter(self) -> Letter:
        return Letter(run_elsewhere, self.house, self._asked)

    def identity(self) -> dict[str, str]:
        return self.fingerprint()

    # ---- counting

    def _one(self, chunk: int, rounds: int) -> Counts:
        warm = WARM_UP[self.mode] if self.mode == "shoe" or self.book.graph.carried else 0
        pots = self._pots()
        if self.asker is not None:
            return self.asker.run(rounds, self.seed, chunk, warm), pots
        assert self.table is not None
        cells = self.machine.run(rounds, self.seed, chunk, self.table, self.seats, self.cut, warm, pots)
        return cells, pots

    def _pilot(self) -> Iterator[NDArray[np.int64]]:
        """Short runs of rounds from streams that no chunk has, for the error of a run too short to tell it itself."""
        runs, rounds = PILOT["asked" if self.asker else "dealt"]
        return (self._one(BEYOND + number, rounds)[0] for number in range(runs))

    def _error(self) -> float:
        return self.sampled.error(self.tally)

    def result(self, seconds: float) -> Simulation:
        mode = "fresh shuffles" if self.mode == "fresh" else f"shoe, shuffled after {self.cut} cards"
        mode = "shoe, shuffled for every round" if self.mode == "shoe" and not self.cut else mode
        notes = (*self.notes, *self.unsaved)
        return self.sampled.result(self.tally, self.seed, mode, notes, seconds, self.before)

    def run(
        self, rounds: int | None, *, until_se: float | None = None, workers: int | None = None,
        checkpoint: Path | None = None, progress: Callable[[Progress], None] | None = None, patient: bool = False,
        crew: Crew | None = None,
    ) -> Simulation:  # fmt: skip
        """Play so many rounds, or until the standard error of the first wager's edge is small enough. What is going to
        take more than ten minutes is refused after a second of it, unless with patience. Without a `crew` it is dealt
        by so many threads of this machine."""
        if rounds is not None and rounds < 1:
            raise BadInput(f"simulate at least 1 round, not {rounds}")
        if until_se is not None and until_se <= 0:
            raise BadInput(f"`until_se` is a standard error above 0, not {until_se:g}")
        if rounds is None and until_se is None:
            raise BadInput("say how many rounds, or until which standard error")
        if workers is not None and not 1 <= workers <= MOST_WORKERS:
            raise BadInput(f"`workers` takes 1 to {MOST_WORKERS:,} threads, not {workers:,}")
        crew = crew or Threads(workers or os.cpu_count() or 1)
        with nullcontext() if checkpoint is None else opened(checkpoint, self.fingerprint()) as file:
            return self._go_on(rounds, until_se, crew, file, progress, patient)

    def _go_on(
        self, rounds: int | None, until_se: float | None, crew: Crew, file: Checkpoint | None,
        progress: Callable[[Progress], None] | None, patient: bool,
    ) -> Simulation:  # fmt: skip
        started = time.perf_counter()
        if file is not None:
            self._take_up(file, rounds)
        saved = shown = time.monotonic()
        full = None if rounds is None else rounds // self.chunk
        pace = None if crew.away else RunPace(self.tally.chunks, full, until_se, patient)
        try:
            with closing(crew.work(self, self.tally.chunks, full, next_look if until_se else None)) as parts:
                while not self._enough(full, until_se):
                    self.tally = self.sampled.add(self.tally, next(parts).found)
                    pace = pace or RunPace(self.tally.chunks, full, until_se, patient, after=SETTLED)
                    pace.check(self.tally.chunks, self._error)
                    if progress is not None and time.monotonic() - shown > 0.1:
                        progress(Progress(self.tally.chunks * self.chunk, rounds, self._error(), crew.hands))
                        shown = time.monotonic()
                    if file is not None and time.monotonic() - saved > SAVE_EVERY:
                        file.save(self.tally)
                        saved = time.monotonic()
            self._save(file)
            total = self.tally
            if full is not None and self.tally.chunks == full and rounds is not None and rounds % self.chunk:
                rest = self.sampled.part([self._one(full, rounds % self.chunk)])
                total = self.sampled.add(self.tally, rest, whole=False)
            if progress is not None and rounds is not None:
                progress(Progress(rounds, rounds, self._error(), crew.hands))
        except KeyboardInterrupt:
            kept = self._save(file)
            seconds = time.perf_counter() - started
            raise Stopped(self.result(seconds) if self.tally.chunks else None, kept) from None
        self.tally = total  # a part of a chunk is shown but never saved: more rounds may follow
        return self.result(time.perf_counter() - started)

    def _enough(self, full: int | None, until_se: float | None) -> bool:
        """Whether all is dealt. An error is looked at after fixed numbers of chunks, so that who deals them, and in
        which portions, makes no difference to where it ends."""
        chunks = self.tally.chunks
        if full is not None and chunks >= full:
            return True
        if until_se is None or chunks < ENOUGH_CHUNKS or not is_look(chunks):
            return False
        return self._error() <= until_se

    def _take_up(self, file: Checkpoint, rounds: int | None) -> None:
        """Go on from what is saved, if it is of this simulation and can have been counted."""
        found = file.load(self.tally)
        if found is None:
            return
        if why := self.sampled.amiss(found):
            file.refuse(why)
        if rounds is not None and found.chunks * self.chunk > rounds:
            raise BadInput(f"{file.path} has {found.chunks * self.chunk:,} rounds already, more than {rounds:,}")
        self.tally, self.before = found, found.chunks

    def _save(self, file: Checkpoint | None) -> Path | None:
        """Where the last that was counted is saved; where it cannot be, the result says so."""
        if file is None:
            return None
        done = file.save(self.tally)
        self.unsaved = () if done else (file.trouble,)
        return file.path if done else None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _rounds_differ(graph: Graph) -> bool:
    """Whether a shoe's rounds are not all alike: some take more cards than others, so that the cut card decides which
    come up, or what a seat carries over goes from round to round of one shoe."""
    lengths = {sum(len(g.slots) for g in end.groups) for end in graph.ends()}
    return graph.open_ended or len(lengths) > 1 or bool(graph.carried)


def run_elsewhere(house: House, **asked: Any) -> Run:
    """The same run on a machine that only deals chunks of it."""
    return Run(house, compared=False, **asked)


def simulate(house: House, rounds: float | None = None, **settings: object) -> Simulation:
    """Play so many rounds of the game as this house offers it; see `Run` for the settings."""
    during = {
        k: settings.pop(k)
        for k in ("until_se", "workers", "checkpoint", "progress", "patient", "crew")
        if k in settings
    }
    return Run(house, **settings).run(None if rounds is None else whole_rounds(rounds), **during)  # type: ignore[arg-type]


def whole_rounds(rounds: float) -> int:
    """1e8 is a whole number of rounds, though Python writes it as a float."""
    return whole("rounds", rounds, 1, example="1e8")
