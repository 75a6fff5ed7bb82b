"""Rounds by the billion: chunks of independent streams, all cores, counted in order.

A chunk's stream is keyed by seed and chunk number, and chunks are added up in order, so the result depends on seed and
rounds only, never on the number of workers.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import shoe_cards
from pitboss.compile import Keys, simulator
from pitboss.drawn import DrawnWager
from pitboss.exact import OpenGame, Parts, Solver, TooLarge
from pitboss.ledger.records import SimulatedOutcome, SimulatedTogether, SimulatedWager, Simulation, WagerResult
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.simulate.checkpoint import Tally, load, save
from pitboss.simulate.statistics import chi_square, chi_square_tail

CHUNK = {"fresh": 1 << 18, "shoe": 1 << 15}
WARM_UP = {
    "fresh": 64,
    "shoe": 512,
}  # uncounted rounds at the start of a chunk, so that streaks and shoes are under way
SAVE_EVERY = 1.0
ENOUGH_CHUNKS = 20  # for a standard error over chunks


Counts = tuple[NDArray[np.int64], NDArray[np.int64]]  # hands per cell, rounds per number of seats that shared a pot


@dataclass(frozen=True)
class Progress:
    """Where a running simulation is."""

    rounds: int
    of: int | None
    standard_error: float


class Stopped(Exception):
    """Interrupted by the user: what was counted so far."""

    def __init__(self, result: Simulation | None, saved: Path | None) -> None:
        self.result, self.saved = result, saved


class Run:
    """One simulation: set up once, run to its end or to an interruption."""

    def __init__(
        self, house: House, *, seed: int = 1, strategy: str = "optimal", mode: str = "fresh", seats: int = 1,
        cut: str | None = None, wager: str | None = None, checked: bool = False,
        bets: Mapping[str, Fraction] | None = None,
    ) -> None:  # fmt: skip
        if mode not in CHUNK:
            raise BadInput(f"the mode is fresh or shoe, not {mode}")
        house.check_seats(seats, 0)
        if mode == "fresh" and cut is not None:
            raise BadInput("a cut card needs --shoe: with fresh shuffles there is none")
        if wager is not None and wager not in house.parties:
            raise BadInput(
                f"{house.game.name} has no wager {wager!r} before the deal; it has {', '.join(house.parties)}"
            )
        if wager or bets:  # what is not bet may change how the round goes on
            house = replace(house, placed=frozenset([*(bets or ()), *house.main, *([wager] if wager else [])]))
        self.house, self.seed, self.mode, self.seats, self.bets = house, seed, mode, seats, bets
        self.parties = [wager] if wager else [p for p in house.parties if house.takes(p)]
        self.book = book_for(house, strategy)
        self.keys = Keys(self.book.graph)
        self.table = strategy_table(self.book, self.keys)
        house.check_seats(seats, self.book.graph.most_cards(seats))
        self.cut = self._cut(cut) if mode == "shoe" else 0  # no card before the cut card: shuffled for every round
        source = "fresh" if mode == "fresh" and seats == 1 else "shoe"
        self.machine = simulator(self.book.cells, self.keys, shoe_cards(house.composition), source, checked)
        self.chunk = CHUNK[source]
        priced = {p: self.book.worth(p) for p in self.parties if p not in self.book.shared}
        self.worth = {p: worth for p, (worth, _) in priced.items()}
        self.denominator = {p: common for p, (_, common) in priced.items()}
        self.exact = {p: found for p in self.parties if (found := self._exact(p)) is not None}
        self.tally = Tally(np.zeros(self.book.cells.size, np.int64), self.machine.pot_counts())

    def _exact(self, party: str) -> WagerResult | DrawnWager | None:
        try:
            return self.book.wager_result(party)
        except TooLarge:
            return None

    def _cut(self, cut: str | None) -> int:
        """How many cards are dealt before the cut card shows; the round under way is finished."""
        cards = sum(self.house.composition)
        try:
            behind = round(Fraction(cut or self.house.game.cut_card) * 52)
        except (ValueError, ZeroDivisionError):
            raise BadInput(f"the cut card lies so many decks from the back, such as 1.25, not {cut!r}") from None
        need = self.book.graph.most_cards(self.seats)
        if not need <= behind < cards:
            raise BadInput(
                f"the cut card lies {behind} cards from the back of a shoe of {cards}; {self.seats} seats need {need} "
                f"cards or more behind it to finish a round, so write --cut {need / 52:.2f} to {cards / 52 - 0.1:.2f}"
            )
        return cards - behind

    def fingerprint(self) -> dict[str, str]:
        of = self.book.provenance()
        return {
            "game": of.game, "file": of.sha256, "version": of.version, "strategy": of.strategy, "seed": str(self.seed),
            "mode": self.mode, "seats": str(self.seats), "cut": str(self.cut),
            "bets": ",".join(sorted(self.house.placed or ())), "chunk": str(self.chunk),
            "shoe": " ".join(map(str, self.house.composition)) if of.shoe else "full",
            **{f"option {k}": str(v) for k, v in of.options.items()},
            **{f"pay table {k}": v for k, v in of.paytables.items()},
        }  # fmt: skip

    # ---- counting

    def _one(self, chunk: int, rounds: int) -> Counts:
        warm = WARM_UP[self.mode] if self.mode == "shoe" or self.book.graph.carried else 0
        pots = self.machine.pot_counts()
        cells = self.machine.run(rounds, self.seed, chunk, self.table, self.seats, self.cut, warm, pots)
        return cells, pots

    def _add(self, found: Counts, whole: bool) -> Tally:
        """The tally with one more chunk; it takes the place of the old one in a single step, or not at all."""
        old, (counts, pots) = self.tally, found
        new = Tally(old.cells + counts, old.pots + pots, old.chunks + whole, dict(old.sums), dict(old.squares))
        if whole:
            for p in self.worth:
                total = self._dot(counts, self.worth[p])
                new.sums[p] = new.sums.get(p, 0) + total
                new.squares[p] = new.squares.get(p, 0) + total * total
        return new

    def run(
        self, rounds: int | None, *, until_se: float | None = None, workers: int | None = None,
        checkpoint: Path | None = None, progress: Callable[[Progress], None] | None = None,
    ) -> Simulation:  # fmt: skip
        """Play so many rounds, or until the standard error of the first wager's edge is small enough."""
        if rounds is not None and rounds < 1:
            raise BadInput(f"simulate at least 1 round, not {rounds}")
        if until_se is not None and until_se <= 0:
            raise BadInput(f"--until-se takes a standard error above 0, not {until_se:g}")
        if rounds is None and until_se is None:
            raise BadInput("say how many rounds, or until which standard error")
        started = time.perf_counter()
        if checkpoint is not None:
            self.tally = load(checkpoint, self.fingerprint(), self.book.cells.size) or self.tally
        if rounds is not None and self.tally.chunks * self.chunk > rounds:
            raise BadInput(f"{checkpoint} has {self.tally.chunks * self.chunk:,} rounds already, more than {rounds:,}")
        saved = shown = time.monotonic()
        whole = None if rounds is None else rounds // self.chunk
        pool = ThreadPoolExecutor(workers or os.cpu_count() or 1)
        ahead: deque[Future[Counts]] = deque()
        coming = self.tally.chunks
        try:
            while whole is None or self.tally.chunks < whole:
                if until_se is not None and self.tally.chunks >= ENOUGH_CHUNKS and self._error() <= until_se:
                    break
                while len(ahead) < 2 * pool._max_workers and (whole is None or coming < whole):
                    ahead.append(pool.submit(self._one, coming, self.chunk))
                    coming += 1
                self.tally = self._add(ahead.popleft().result(), whole=True)
                if progress is not None and time.monotonic() - shown > 0.1:
                    progress(Progress(self.tally.chunks * self.chunk, rounds, self._error()))
                    shown = time.monotonic()
                if checkpoint is not None and time.monotonic() - saved > SAVE_EVERY:
                    save(checkpoint, self.fingerprint(), self.tally)
                    saved = time.monotonic()
            if checkpoint is not None:
                save(checkpoint, self.fingerprint(), self.tally)
            total = self.tally
            if whole is not None and self.tally.chunks == whole and rounds is not None and rounds % self.chunk:
                total = self._add(self._one(whole, rounds % self.chunk), whole=False)
            if progress is not None and rounds is not None:
                progress(Progress(rounds, rounds, self._error()))
        except KeyboardInterrupt:
            if checkpoint is not None:
                save(checkpoint, self.fingerprint(), self.tally)
            seconds = time.perf_counter() - started
            raise Stopped(self.result(seconds) if self.tally.chunks else None, checkpoint) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        self.tally = total  # a part of a chunk is shown but never saved: more rounds may follow
        return self.result(time.perf_counter() - started)

    # ---- figures

    def _independent(self, party: str) -> bool:
        """Whether hands of this wager are independent draws: fresh shuffles, and nothing carried over decides it."""
        if self.mode != "fresh" or self.seats > 1:
            return False
        if any("carried" in when.condition.ops for when in self.book.graph.conditions()):
            return False
        members = {w.name for w in self.house.parties[party]}
        return not any(
            "carried" in s.rows.index.ops for end in self.book.graph.ends() for s in end.settled if s.wager in members
        )

    def _dot(self, counts: NDArray[np.int64], worth: NDArray[Any]) -> int:
        """Exact: the counts that are there, as Python integers."""
        there = np.flatnonzero(counts)
        return int(counts[there].astype(object) @ worth[there].astype(object))

    def _moments(self, party: str) -> tuple[int, Fraction, Fraction]:
        """Hands, mean and variance of one hand, in units."""
        worth, d = self.worth[party], self.denominator[party]
        hands = int(self.tally.cells.sum())
        first, second = self._dot(self.tally.cells, worth), self._dot(self.tally.cells, worth.astype(object) ** 2)
        mean = Fraction(first, hands * d)
        return hands, mean, Fraction(second, hands * d * d) - mean**2

    def _error(self, party: str | None = None) -> float:
        """The standard error of the mean result of a hand."""
        party = party or self.parties[0]
        chunks = self.tally.chunks
        if not self.tally.cells.any():
            return 0.0
        if self._independent(party) or chunks < ENOUGH_CHUNKS:
            hands, _, variance = self._moments(party)
            return sqrt(variance / hands)
        per_chunk = Fraction(self.tally.squares[party], chunks) - Fraction(self.tally.sums[party], chunks) ** 2
        scale = self.denominator[party] * self.chunk * self.seats
        return sqrt(per_chunk / (chunks - 1)) / scale

    def result(self, seconds: float) -> Simulation:
        hands = int(self.tally.cells.sum())
        wagers = tuple(self._wager(p, hands) for p in self.parties)
        mode = "fresh shuffles" if self.mode == "fresh" else f"shoe, shuffled after {self.cut} cards"
        together = self._together(hands) if len(self.parties) > 1 else None
        return Simulation(self.book.provenance(), hands, self.seed, mode, self.seats, wagers, together, seconds)

    def _together(self, hands: int) -> SimulatedTogether:
        """The bets of one seat at once; a wager between the players is left out, because it depends on the others."""
        bets = self.bets or {p: self.house.least_bet(p) for p in self.parties}
        bets = {p: amount for p, amount in bets.items() if p not in self.book.shared and self.house.takes(p)}
        there = np.flatnonzero(self.tally.cells)
        share = self.tally.cells[there] / hands
        priced = {p: self.book.worth(p, bets[p]) for p in bets}
        nets = np.array([worth[there] * (float(bets[p]) / common) for p, (worth, common) in priced.items()])
        mean = nets @ share
        covariance = (nets * share) @ nets.T - np.outer(mean, mean)
        spread = np.sqrt(np.diag(covariance))
        correlation = {
            f"{a} & {b}": float(covariance[i, j] / (spread[i] * spread[j])) if spread[i] and spread[j] else 0.0
            for (i, a), (j, b) in combinations(enumerate(bets), 2)
        }
        edge = -float(mean.sum()) / float(sum(bets.values()))
        alone = float(np.diag(covariance).sum()) ** 0.5
        return SimulatedTogether(bets, edge, float(covariance.sum()) ** 0.5, alone, correlation, hands**-0.5)

    def _pot(self, party: str, hands: int) -> SimulatedWager:
        """A wager between the players: what the seats lose, the seats win, so there is no error in its mean."""
        seats = self.seats
        shared = self.tally.pots[self.book.cells.between_players.index(party)].tolist()
        if seats == 1:
            shared = [0, hands]  # alone at the table, his bet comes back
        rows = [
            (f"shared by {k}" if k > 1 else "won alone", k * n, Fraction(seats, k) - 1)
            for k, n in enumerate(shared)
            if n
        ]
        rows.append(("lost", hands - sum(n for _, n, _ in rows), Fraction(-1)))
        mean = sum((Fraction(n, hands) * pays for _, n, pays in rows), Fraction(0))
        variance = sum((Fraction(n, hands) * pays**2 for _, n, pays in rows), Fraction(0)) - mean**2
        outcomes = [
            SimulatedOutcome(r, n, n / hands, sqrt(n / hands * (1 - n / hands) / hands), p, None)
            for r, n, p in rows
            if n
        ]
        hit = sum(n for _, n, pays in rows if pays > 0) / hands
        return SimulatedWager(
            party, f"shared among {seats}", hands, float(-mean), 0.0, sqrt(variance), hit, float(-mean), Fraction(0),
            0.0, None, None, None, tuple(outcomes),
        )  # fmt: skip

    def _wager(self, party: str, hands: int) -> SimulatedWager:
        if party in self.book.shared:
            return self._pot(party, hands)
        _, mean, variance = self._moments(party)
        error = self._error(party)
        exact = self.exact.get(party)
        counted = exact if isinstance(exact, WagerResult) else None
        known = {(o.outcome, o.pays): o.probability for o in counted.outcomes} if counted else {}
        counts: dict[tuple[str, Fraction], int] = dict.fromkeys(known, 0)
        staked = Fraction(0)
        for leaf in self.book.cells.leaves:
            here = self.tally.cells[leaf.offset : leaf.offset + leaf.size]
            for place in np.flatnonzero(here).tolist():
                cell, n = leaf.offset + place, int(here[place])
                rows = leaf.decode(cell)
                key = (
                    self.book.label(leaf, rows, party),
                    Fraction(int(self.worth[party][cell]), self.denominator[party]),
                )
                counts[key] = counts.get(key, 0) + n
                staked += n * self.book.wagered(leaf, rows, party)
        outcomes = []
        for (name, pays), n in sorted(counts.items(), key=lambda item: (-item[0][1], item[0][0])):
            p = n / hands
            outcomes.append(
                SimulatedOutcome(
                    name,
                    n,
                    p,
                    sqrt(p * (1 - p) / hands),
                    pays,
                    known.get((name, pays), Fraction(0)) if counted else None,
                )
            )
        z = chi = tail = degrees = None
        if exact is not None:
            distance = float(mean) - float(exact.expectation)
            z = distance / error if error else 0.0
            if counted and self._independent(party):
                chi, degrees = chi_square(list(counts.values()), [float(known.get(k, 0)) * hands for k in counts])
                tail = chi_square_tail(chi, degrees)
        return SimulatedWager(
            party, self.house.tables[party].name, hands, float(-mean), error, sqrt(variance),
            sum(n for (_, pays), n in counts.items() if pays > 0) / hands, float(-mean * hands / staked),
            exact.house_edge if exact else None, z, chi, degrees, tail, tuple(outcomes),
        )  # fmt: skip


def book_for(house: House, strategy: str) -> Solver | Parts | OpenGame:
    """The game and how it is played: the best strategy where it can be counted, else its chart."""
    try:
        return Solver(house, strategy)
    except TooLarge:
        pass
    try:
        return Parts(house, strategy)
    except TooLarge:
        return OpenGame(house, "basic" if strategy == "optimal" else strategy)


def strategy_table(book: Solver | Parts | OpenGame, keys: Keys) -> NDArray[np.uint8]:
    """The strategy as the machine looks it up; without decisions there is nothing to look up."""
    return np.zeros(1, np.uint8) if isinstance(book, Parts) else book.strategy_array(keys)


def simulate(house: House, rounds: int, **settings: object) -> Simulation:
    """Play so many rounds of the game as this house offers it; see `Run` for the settings."""
    during = {k: settings.pop(k) for k in ("until_se", "workers", "checkpoint", "progress") if k in settings}
    return Run(house, **settings).run(rounds, **during)  # type: ignore[arg-type]
