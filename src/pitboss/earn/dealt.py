"""A round of the whole table, dealt: many millions of rounds, with the chances that are known put right.

What a single seat's bets bring is counted (see `seat`), so two things of the table are known, and the sample is weighed
to have them: how often a seat has each *rare* result, and the mean. A rare result that hardly came up is left out of
the sample and put in with its counted chance, the rest of the table being as in any other round.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.crew import Crew, Letter, Threads
from pitboss.deal.players import tabled
from pitboss.earn.joint import priced
from pitboss.earn.lattice import Chain, Sampled
from pitboss.earn.seat import ASKED, BATCHES, Part, dealer_of
from pitboss.exact import Study
from pitboss.ledger.figure import SIMULATED
from pitboss.rules.house import House

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
HANDS = 1 << 25  # dealt in all: two to six seconds
CHUNK = 1 << 17  # hands
RARE = Fraction(1, 1000)  # chance of a result of one seat that is put right
RESOLVED = 64  # times that a result must have come up to be known by the sample
SCALINGS = 60
WORKERS = 2
LOOK = 1 << 12  # rounds by which two machines see whether they deal alike


@dataclass(frozen=True, eq=False)
class Batch:
    """Rounds of one batch: totals of those without a rare result, and those with, one by one."""

    places: Ints
    counts: Ints
    totals: Ints  # of rounds with a rare result
    hits: Ints  # number of such a round, number of the result

    @property
    def rounds(self) -> int:
        return int(self.counts.sum()) + len(self.totals)


@dataclass(frozen=True, eq=False)
class Sample:
    """Dealt rounds of a table, and what is known of them."""

    unit: Fraction
    mean: Fraction
    batches: Sequence[Batch]
    often: Floats  # how often each rare result comes in a round, at all seats
    shifts: Ints  # what each rare result adds to an average round, in units
    means: Sequence[Fraction] = ()  # the mean without each of the batches, where it is simulated itself

    @property
    def rounds(self) -> int:
        return sum(batch.rounds for batch in self.batches)

    def result(self, without: int | None = None) -> Sampled:
        """A round's result, of all batches or of all but one."""
        kept = [batch for number, batch in enumerate(self.batches) if number != without]
        rounds = sum(batch.rounds for batch in kept)
        body, counts = _merged([b.places for b in kept], [b.counts.astype(np.float64) for b in kept])
        firsts = np.cumsum([0, *(len(b.totals) for b in kept)])
        totals = np.concatenate([b.totals for b in kept])
        number = np.concatenate([b.hits[0] + first for b, first in zip(kept, firsts, strict=False)])
        which = np.concatenate([b.hits[1] for b in kept])
        few = np.bincount(np.concatenate([b.hits[1] for b in self.batches]), minlength=len(self.often)) < RESOLVED
        known = np.ones(len(totals), np.bool_)
        known[number[few[which]]] = False
        weights = np.where(known, _scaled(number, which, known, self.often, few, rounds), 0.0)
        counts *= (1 - weights.sum() - self.often[few].sum()) / counts.sum()
        places, chances = [body, totals], [counts, weights]
        for shift, chance in zip(self.shifts[few], self.often[few], strict=True):
            places.append(body + shift)
            chances.append(counts / counts.sum() * chance)
        mean = self.mean if without is None or not self.means else self.means[without]
        off = float(mean / self.unit) - sum(float(p @ c) for p, c in zip(places, chances, strict=True))
        centred = body - (body @ counts) / counts.sum()
        spread = float(counts @ centred**2)
        if spread:
            chances[0] = counts * (1 + off / spread * centred)
        return Sampled(self.unit, *_merged(places, chances))


def _scaled(
    number: Ints, which: Ints, known: NDArray[np.bool_], often: Floats, few: NDArray[np.bool_], n: int
) -> Floats:
    """Weights of rounds with rare results, so that each comes as often as it should: multiplied, in proportion, until
    all fit at once."""
    weights = np.full(len(known), 1 / n)
    use = known[number]
    number, which = number[use], which[use]
    together = np.bincount(number, minlength=len(weights))[number]  # rare results in the same round
    steps = np.zeros(len(often))
    for _ in range(SCALINGS):
        now = np.bincount(which, weights[number], len(often))
        crowded = np.bincount(which, weights[number] * together, len(often))
        fits = (now > 0) & ~few
        steps[fits] = np.log(often[fits] / now[fits]) * now[fits] / crowded[fits]
        weights *= np.exp(np.bincount(number, steps[which], len(weights)))
    return weights


def _merged(places: Sequence[Ints], weights: Sequence[Floats]) -> tuple[Ints, Floats]:
    values, back = np.unique(np.concatenate(places), return_inverse=True)
    return values, np.asarray(np.bincount(back, np.concatenate(weights), len(values)), np.float64)


def sampled(
    study: Study, seats: int, bets: Mapping[str, Fraction], rates: Mapping[str, Fraction], banked: Sequence[str],
    parts: Sequence[Part], wins: Sequence[Chain], seed: int, crew: Crew | None = None,
) -> Sample:  # fmt: skip
    """Deal the table."""
    table = _Table(study, seats, bets, rates, banked, parts, wins, seed)
    chunks = max(BATCHES, HANDS // CHUNK) if tabled(study) else BATCHES
    with closing((crew or Threads(WORKERS)).work(table, 0, chunks)) as spans:
        found = [chunk for span in spans for chunk in span.found]
    batches = [_joined(found[i * chunks // BATCHES : (i + 1) * chunks // BATCHES]) for i in range(BATCHES)]
    mean = sum((won.mean for won in wins), Fraction(0)) * seats
    return Sample(table.unit, mean, batches, table.often, table.shifts, _means(mean, seats, rates, parts))


def _means(mean: Fraction, seats: int, rates: Mapping[str, Fraction], parts: Sequence[Part]) -> list[Fraction]:
    """The table's mean without each batch of what is known of a seat by simulation only."""
    out = [mean] * BATCHES
    for part in parts:
        (wager, *_), often = part.wagers, rates.get(part.wagers[0], Fraction(1)) * seats
        for i, one in enumerate(part.without):
            out[i] += often * (one - part.theo(wager))
    return out


def _joined(chunks: Sequence[Batch]) -> Batch:
    places, counts = _merged([c.places for c in chunks], [c.counts.astype(np.float64) for c in chunks])
    firsts = np.cumsum([0, *(len(c.totals) for c in chunks)])
    hits = [c.hits + np.array([[first], [0]]) for c, first in zip(chunks, firsts, strict=False)]
    totals = np.concatenate([c.totals for c in chunks])
    return Batch(places, counts.astype(np.int64), totals, np.concatenate(hits, axis=1))


class _Table:
    """A table that can be dealt, a chunk at a time: a bench whose jobs are chunks."""

    def __init__(
        self, study: Study, seats: int, bets: Mapping[str, Fraction], rates: Mapping[str, Fraction],
        banked: Sequence[str], parts: Sequence[Part], wins: Sequence[Chain], seed: int,
    ) -> None:  # fmt: skip
        self.study, self.seats, self.seed, self.bets = study, seats, seed, list(bets)
        self._asked = {
            "strategy": study.strategy, "patient": study.patient, "seats": seats, "bets": dict(bets), "seed": seed,
            "rates": dict(rates), "banked": list(banked), "parts": list(parts), "wins": list(wins),
        }  # fmt: skip
        self.rates = {w: float(rates[w]) for w in bets if rates.get(w, 1) != 1}
        self.needs = {w.name: w.needs for w in study.house.wagers}
        self.unit, self.prices = priced(study.book, {w: bets[w] for w in banked})
        self.parts = [[w for w in part.wagers if w in banked] for part in parts]
        self.rare, often, shifts = list[Ints](), list[float](), list[int]()
        for part, won in zip(parts, wins, strict=True):
            rare = sorted(v for v, p in won.chances.items() if 0 < p < RARE and part.spread != SIMULATED)
            self.rare.append(np.array([int(v / self.unit) for v in rare], np.int64))
            often += [float(won.chances[v] * seats) for v in rare]
            shifts += [round((v - won.mean) / self.unit) for v in rare]
        self.often, self.shifts = np.array(often), np.array(shifts, np.int64)
        self.rounds = CHUNK // seats if tabled(study) else CHUNK // ASKED
        self.deal = dealer_of(study, seats)

    def do(self, numbers: range) -> list[Batch]:
        return [self.chunk(number) for number in numbers]

    def letter(self) -> Letter:
        return Letter(table_elsewhere, self.study.house, self._asked)

    def identity(self) -> dict[str, str]:
        """With what one chunk comes to, since the strategy is solved where it is dealt."""
        cells = self.deal(LOOK, self.seed, 0)
        return {**self.study.of.fingerprint(), "deal": hashlib.sha256(cells.tobytes()).hexdigest()}

    def chunk(self, number: int) -> Batch:
        cells = self.deal(self.rounds, self.seed, number)
        total: Ints = np.zeros(len(cells), np.int64)
        hits: list[Ints] = []
        first = 0
        for won, rare in zip(self._won(cells, number), self.rare, strict=True):
            total += won.sum(1)
            if len(rare):
                rounds, _ = there = np.nonzero(np.isin(won, rare))
                hits.append(np.stack([rounds, first + np.searchsorted(rare, won[there])]))
            first += len(rare)
        found = np.concatenate([np.zeros((2, 0), np.int64), *hits], axis=1)
        numbers, found[0] = np.unique(found[0], return_inverse=True)
        usual = np.ones(len(total), np.bool_)
        usual[numbers] = False
        places, counts = np.unique(total[usual], return_counts=True)
        return Batch(places, counts, total[numbers], found)

    def _won(self, cells: Ints, number: int) -> Iterator[Ints]:
        """What the house wins on each part, seat by seat; which bets are made is chance."""
        random = np.random.default_rng([self.seed % (1 << 64), number])
        stands = {w: random.random(cells.shape) < rate for w, rate in self.rates.items()}
        for w in self.bets:
            for before in self._before(w):
                if before in self.rates:
                    stands[w] = stands[w] & stands[before] if w in stands else stands[before]
        for wagers in self.parts:
            always = [self.prices[w] for w in wagers if w not in stands]
            won = sum(always[1:], always[0])[cells] if always else np.zeros(cells.shape, np.int64)
            for w in wagers:
                if w in stands:
                    won += self.prices[w][cells] * stands[w]
            yield won

    def _before(self, wager: str) -> Iterator[str]:
        """The bets that a bet needs, and those that they need."""
        while (wager := self.needs[wager] or "") in self.bets:
            yield wager


def table_elsewhere(house: House, strategy: str, patient: bool, **asked: Any) -> _Table:
    """The same table on a machine that only deals chunks of it."""
    return _Table(Study(house, strategy, patient=patient), **asked)
