"""From counts of a simulation to figures with their errors, beside the exact results."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.deal.checkpoint import Part, Tally
from pitboss.deal.statistics import chi_square, chi_square_tail, standard_errors
from pitboss.exact import Study
from pitboss.exact.study import AMONG
from pitboss.ledger.multiples import Multiple, multiples
from pitboss.ledger.records import WagerResult
from pitboss.ledger.simulated import SimulatedOutcome, SimulatedTogether, SimulatedWager, Simulation

Counts = tuple[NDArray[np.int64], NDArray[np.int64]]  # hands per cell, rounds per number of seats that shared a pot
ENOUGH_CHUNKS = 20  # for a standard error over chunks
FEW = 100  # hands, of which an error is no more than a guess


class Sampled:
    """What is looked at in a simulation: the wagers, their prices, and what they should come to."""

    def __init__(
        self, study: Study, parties: Sequence[str], exact: Mapping[str, WagerResult],
        bets: Mapping[str, Fraction] | None, seats: int, chunk: int, fresh: bool, biased: bool,
    ) -> None:  # fmt: skip
        self.study, self.book, self.house = study, study.book, study.house
        self.parties, self.exact, self.bets = list(parties), dict(exact), bets
        self.seats, self.chunk, self.fresh, self.biased = seats, chunk, fresh, biased
        priced = {p: self.book.worth(p) for p in self.parties if p not in self.book.shared}
        self._spreads: dict[str, float] | None = None
        self.pilot: Callable[[], Iterable[NDArray[np.int64]]] = tuple  # cells of short runs of rounds
        self.worth = {p: worth for p, (worth, _) in priced.items()}
        self.denominator = {p: common for p, (_, common) in priced.items()}

    def part(self, found: Iterable[Counts]) -> Part:
        """What these chunks come to together."""
        cells: NDArray[np.int64] | None = None
        pots: NDArray[np.int64] | None = None
        sums, squares, chunks = dict.fromkeys(self.worth, 0), dict.fromkeys(self.worth, 0), 0
        for counts, shared in found:
            there = np.flatnonzero(counts)
            many = counts[there].astype(object)
            for p, worth in self.worth.items():
                total = int(many @ worth[there].astype(object))  # exact: as Python integers
                sums[p] += total
                squares[p] += total * total
            cells = counts if cells is None else cells + counts
            pots = shared if pots is None else pots + shared
            chunks += 1
        assert cells is not None and pots is not None
        if chunks > 1:
            there = np.flatnonzero(cells)
        return Part(chunks, there, cells[there], pots, sums, squares)

    def add(self, old: Tally, part: Part, whole: bool = True) -> Tally:
        """The tally with some more chunks; it takes the place of the old one in a single step, or not at all. What is
        not a `whole` chunk is no part of the error over chunks."""
        cells = old.cells.copy()
        cells[part.there] += part.counts
        new = Tally(cells, old.pots + part.pots, old.chunks + part.chunks * whole, dict(old.sums), dict(old.squares))
        if whole:
            for p in self.worth:
                new.sums[p] = new.sums.get(p, 0) + part.sums[p]
                new.squares[p] = new.squares.get(p, 0) + part.squares[p]
        return new

    def amiss(self, tally: Tally) -> str:
        """What does not hold of this tally and holds of every one that `add` made of whole chunks; nothing, if all
        does."""
        rounds = tally.chunks * self.chunk
        if sum(tally.cells.tolist()) != rounds * self.seats:
            return "its hands do not add up to its rounds"
        tallied = self.worth if tally.chunks else {}
        if not tallied.keys() == tally.sums.keys() == tally.squares.keys():
            return "its sums are not those of the wagers"
        for p, worth in tallied.items():
            total, squares = tally.sums[p], tally.squares[p]
            most = max(map(abs, worth.tolist()), default=0) * self.chunk * self.seats  # of one chunk
            if total != _dot(tally.cells, worth):
                return f"its hands do not add up to its sum of {p}"
            if not total**2 <= squares * tally.chunks <= (most * tally.chunks) ** 2:
                return f"no chunks have its sum of {p} and its sum of squares"
            if tally.chunks == 1 and squares != total**2:
                return f"one chunk has its sum of {p}, and not its square"
        for row in tally.pots.tolist():
            dealt = rounds if self.book.shared and not self.fresh else 0
            if sum(row[1 : self.seats + 1]) != dealt or row[0] or any(row[self.seats + 1 :]):
                return "its shared wagers do not add up to its rounds"
        return ""

    def _independent(self, party: str) -> bool:
        """Whether hands of this wager are independent draws: fresh shuffles, and nothing carried over decides it."""
        graph = self.book.graph
        if not self.fresh or any("carried" in when.condition.ops for when in graph.conditions()):
            return False
        members = {w.name for w in self.house.parties[party]}
        settled = (s for end in graph.ends() for s in end.settled if s.wager in members)
        return not any("carried" in s.rows.index.ops for s in settled)

    def _moments(self, tally: Tally, party: str) -> tuple[int, Fraction, Fraction]:
        """Hands, mean and variance of one hand, in units."""
        worth, d = self.worth[party], self.denominator[party]
        hands = int(tally.cells.sum())
        first, second = _dot(tally.cells, worth), _dot(tally.cells, worth.astype(object) ** 2)
        mean = Fraction(first, hands * d)
        return hands, mean, Fraction(second, hands * d * d) - mean**2

    def error(self, tally: Tally, party: str | None = None) -> float:
        """The standard error of the mean result of a hand, of the first wager that the house has a part in."""
        party = party or next(iter(self.worth), None)
        if party is None or not tally.cells.any():
            return 0.0
        if self._independent(party) or tally.chunks < ENOUGH_CHUNKS:
            hands, _, variance = self._moments(tally, party)
            return sqrt(variance / hands * (1 if self._independent(party) else self._spread(party)))
        chunks = tally.chunks
        per_chunk = Fraction(tally.squares[party], chunks) - Fraction(tally.sums[party], chunks) ** 2
        return sqrt(per_chunk / (chunks - 1)) / (self.denominator[party] * self.chunk * self.seats)

    def _spread(self, party: str) -> float:
        """How many times the variance of independent hands that of hands is which go together, at one table or from
        round to round: by how far apart short runs of rounds come out."""
        if self._spreads is None:
            self._spreads = {}
            runs = list(self.pilot())
            for p, worth in self.worth.items() if len(runs) > 1 else ():
                totals = np.array([float(_dot(run, worth)) for run in runs])
                all_runs = Tally(np.sum(runs, axis=0), np.zeros((0, 0), np.int64))
                hands, _, variance = self._moments(all_runs, p)
                alone = float(variance) * self.denominator[p] ** 2 * hands / len(runs)
                self._spreads[p] = max(1.0, float(totals.var(ddof=1)) / alone) if alone else 1.0
        return self._spreads.get(party, 1.0)

    def result(
        self, tally: Tally, seed: int, mode: str, notes: tuple[str, ...], seconds: float, before: int
    ) -> Simulation:
        """`before`: chunks that a checkpoint had already."""
        hands = int(tally.cells.sum())
        if hands < FEW:
            notes = (*notes, f"{hands:,} hands say little: their errors are as rough as their figures")
        if self.seats > 1:
            notes = (*notes, "the error of a wager knows that hands of one round go together, those of its rows do not")
        wagers = tuple(self._pot(tally, p) if p in self.book.shared else self._wager(tally, p) for p in self.parties)
        together = self._together(tally) if len(self.parties) > 1 else None
        return Simulation(
            self.study.of, hands, seed, mode, self.seats, wagers, together, notes, seconds,
            dealt=hands - before * self.chunk * self.seats,
        )  # fmt: skip

    def _together(self, tally: Tally) -> SimulatedTogether | None:
        """The bets of one seat at once; a wager between the players is left out, because it depends on the others."""
        every = self.bets or {p: self.house.least_bet(p) for p in self.parties}
        bets = {p: amount for p, amount in every.items() if p not in self.book.shared and self.house.takes(p)}
        if not bets:
            return None
        hands = int(tally.cells.sum())
        there = np.flatnonzero(tally.cells)
        share = tally.cells[there] / hands
        priced = {p: self.book.worth(p, bets[p]) for p in bets}
        nets = np.array([worth[there] * (float(bets[p]) / common) for p, (worth, common) in priced.items()], float)
        mean = nets @ share
        covariance = (nets * share) @ nets.T - np.outer(mean, mean)
        spread = np.sqrt(np.maximum(np.diag(covariance), 0))  # rounding may take it just below nothing
        correlation = {
            f"{a} & {b}": float(covariance[i, j] / (spread[i] * spread[j])) if spread[i] and spread[j] else 0.0
            for (i, a), (j, b) in combinations(enumerate(bets), 2)
        }
        edge = -float(mean.sum()) / float(sum(bets.values()))
        alone = float(np.diag(covariance).sum()) ** 0.5
        left_out = {p: AMONG for p in every if p in self.book.shared}
        return SimulatedTogether(
            bets, edge, max(0.0, float(covariance.sum())) ** 0.5, alone, correlation, hands**-0.5, left_out
        )  # fmt: skip

    def _pot(self, tally: Tally, party: str) -> SimulatedWager:
        """A wager between the players: what the seats lose, the seats win, so there is no error in its mean."""
        seats, hands = self.seats, int(tally.cells.sum())
        shared = tally.pots[self.book.cells.between_players.index(party)].tolist()
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

    def _apart(self, exact: WagerResult, party: str, mean: float, error: float, hands: int) -> float:
        """How far the simulated house edge is above the exact one, in standard errors. The error of a sample that has
        not met what is rare is too small, so the exact law is asked where it is known; and where hands go together,
        both must say that it is far."""
        above = float(exact.expectation) - mean
        law = [(float(o.probability), float(o.pays)) for o in exact.outcomes]
        if not law or abs(sum(p for p, _ in law) - 1) > 1e-9:
            return above / error if error else 0.0
        known = -standard_errors(law, mean, hands)
        if not error or self._independent(party):
            return known
        return min(above / error, known, key=abs)

    def _wager(self, tally: Tally, party: str) -> SimulatedWager:
        hands, mean, variance = self._moments(tally, party)
        error, exact = self.error(tally, party), self.exact.get(party)
        counted = exact if exact is not None and exact.exact else None
        known = {(o.outcome, o.pays): o.probability for o in counted.outcomes} if counted else {}
        counts: dict[tuple[str, Fraction], int] = dict.fromkeys(known, 0)
        staked = Fraction(0)
        for leaf in self.book.cells.leaves:
            for place in np.flatnonzero(tally.cells[leaf.offset : leaf.offset + leaf.size]).tolist():
                cell = leaf.offset + place
                n = int(tally.cells[cell])
                joint = self.book.joint(leaf, cell, n)
                worth = Fraction(int(self.worth[party][cell]), self.denominator[party])
                key = (joint.label(self.house, party), worth)
                counts[key] = counts.get(key, 0) + n
                staked += n * joint.wagered(self.house, party)
        outcomes = []
        for (name, pays), n in sorted(counts.items(), key=lambda item: (-item[0][1], item[0][0])):
            p = n / hands
            chance = known.get((name, pays), Fraction(0)) if counted else None
            outcomes.append(SimulatedOutcome(name, n, p, sqrt(p * (1 - p) / hands), pays, chance))
        z = chi = tail = degrees = None
        if exact is not None:
            z = self._apart(exact, party, float(mean), error, hands)
            if counted and self._independent(party):
                chi, degrees = chi_square(list(counts.values()), [float(known.get(k, 0)) * hands for k in counts])
                tail = chi_square_tail(chi, degrees)
        return SimulatedWager(
            party, self.house.tables[party].name, hands, float(-mean), error, sqrt(variance),
            sum(n for (_, pays), n in counts.items() if pays > 0) / hands, float(-mean * hands / staked),
            exact.house_edge if exact else None, z, chi, degrees, tail, tuple(outcomes),
            exact.method if exact else "", self._placed(tally, party), self.biased,
        )  # fmt: skip

    def _placed(self, tally: Tally, party: str) -> tuple[Multiple, ...]:
        hands = int(tally.cells.sum())
        found = self.book.placed(party, tally.cells)
        return multiples({w: {t: Fraction(n, hands) for t, n in each.items()} for w, each in found.items()}, hands)


def _dot(counts: NDArray[np.int64], worth: NDArray[Any]) -> int:
    """Exact: the counts that are there, as Python integers."""
    there = np.flatnonzero(counts)
    return int(counts[there].astype(object) @ worth[there].astype(object))
