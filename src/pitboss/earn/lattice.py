"""Sums of many results, whole: the distribution by fast Fourier transform on a lattice of dollars.

Every result is a whole number of *units*, the largest amount that divides them all. The sum of n independent results
has the n-th power of one result's transform; of results that depend on a carried state, the n-th power of a small
matrix of transforms. The window is so wide that what lies outside of it, and so wraps around, has less than `OUTSIDE`
of the probability by Chernoff's bound.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import gcd, inf, lcm, log

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]
Chances = Mapping[Fraction, Fraction]
"""Dollars -> probability."""

OUTSIDE = 1e-13
NOISE = 1e-16  # a probability below this is rounding of the transform
UNSEEN = -46.0  # logarithm of a transform that adds nothing to any probability
MOST_POINTS = 1 << 22
BLOCK = 1 << 13  # frequencies whose matrices are raised to a power at once
ROOM = 1 << 22  # numbers held at once for them
TILTS = np.geomspace(1e-8, 1e3, 500)  # per standard deviation of a round


@dataclass(frozen=True)
class Chain:
    """A result, round after round: its chances depend on what has been carried over, if anything is."""

    share: tuple[Fraction, ...]  # how often each carried state comes up
    moves: Mapping[tuple[int, int], Chances]  # state before, state after -> chances, from the state before

    @cached_property
    def chances(self) -> dict[Fraction, Fraction]:
        """Of any one round."""
        out: dict[Fraction, Fraction] = {}
        for (before, _), chances in self.moves.items():
            for value, chance in chances.items():
                out[value] = out.get(value, Fraction(0)) + self.share[before] * chance
        return out

    @cached_property
    def mean(self) -> Fraction:
        return sum((x * p for x, p in self.chances.items()), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        """Of one round."""
        return sum((x * x * p for x, p in self.chances.items()), Fraction(0)) - self.mean**2

    @cached_property
    def serial(self) -> float:
        """Twice the sum of the covariances of a round with all later ones: the variance of n rounds grows by
        `variance` and this. What later rounds bring depends on the state only, so the sum is solved for."""
        share = np.array([float(w) for w in self.share])
        steps = np.zeros((len(share), len(share)))
        won = np.zeros((len(share), len(share)))
        for move, chances in self.moves.items():
            steps[move] = float(sum(chances.values()))
            won[move] = float(sum(x * p for x, p in chances.items()))
        later = np.linalg.solve(np.eye(len(share)) - steps + share, won.sum(1) - float(self.mean))
        return float(2 * share @ won @ later)

    def settled(self) -> "Chain":
        """The same, without states that make no difference to the result of a round."""
        from_state: list[dict[Fraction, Fraction]] = [{} for _ in self.share]
        for (before, _), chances in self.moves.items():
            for value, chance in chances.items():
                from_state[before][value] = from_state[before].get(value, Fraction(0)) + chance
        return plain(from_state[0]) if all(chances == from_state[0] for chances in from_state) else self

    @cached_property
    def unit(self) -> Fraction:
        return unit_of([*self.chances])

    def on(self, unit: Fraction) -> "Component":
        """On a lattice: a result between two of its points is shared by both, so that the mean stays."""
        moves = {}
        for move, chances in self.moves.items():
            at: dict[int, float] = {}
            for value, chance in chances.items():
                low, rest = divmod(value, unit)
                share = float(rest / unit)
                for place, part in ((int(low), 1 - share), (int(low) + 1, share)):
                    if part and chance:
                        at[place] = at.get(place, 0.0) + part * float(chance)
            if at:
                moves[move] = np.array([*at], np.int64), np.array([*at.values()])
        return Component(np.array([float(w) for w in self.share]), moves)


def plain(chances: Chances) -> Chain:
    """Rounds that do not depend on each other."""
    return Chain((Fraction(1),), {(0, 0): chances})


@dataclass(frozen=True, eq=False)
class Sampled:
    """A result of which rounds were dealt: places on a lattice, and their chances."""

    unit: Fraction
    places: NDArray[np.int64]
    weights: Floats
    serial: float = 0.0

    @cached_property
    def mean(self) -> float:
        return float(self.weights @ self.places) * float(self.unit)

    @cached_property
    def variance(self) -> float:
        return float(self.weights @ (self.places * float(self.unit) - self.mean) ** 2)

    def on(self, unit: Fraction) -> "Component":
        steps = int(unit / self.unit)
        low, rest = np.divmod(self.places, steps)
        places = np.concatenate([low, low[rest > 0] + 1])
        share = rest / steps
        weights = np.concatenate([self.weights * (1 - share), (self.weights * share)[rest > 0]])
        least = int(places.min())
        summed: Floats = np.asarray(np.bincount(places - least, weights), np.float64)
        there = np.flatnonzero(summed)
        return Component(np.ones(1), {(0, 0): (np.asarray(there + least, np.int64), summed[there])})


@dataclass(frozen=True)
class Component:
    """A chain on the lattice."""

    share: Floats
    moves: Mapping[tuple[int, int], tuple[NDArray[np.int64], Floats]]  # units, chances

    @property
    def least(self) -> int:
        return min(int(units.min()) for units, _ in self.moves.values())

    @property
    def margin(self) -> int:
        """By how much the sum of a chain may be further out than its largest root says: once the largest result."""
        return max(int(np.abs(units).max()) for units, _ in self.moves.values()) if len(self.share) > 1 else 0

    def tilted(self, tilts: Floats) -> tuple[Floats, Floats]:
        """E exp(tilt x) from state to state, for every tilt: matrices, and the logarithm of their common factor."""
        powers = {move: np.outer(tilts, units) + np.log(p) for move, (units, p) in self.moves.items()}
        top = np.max([x.max(1) for x in powers.values()], axis=0)
        matrix = np.zeros((len(tilts), len(self.share), len(self.share)))
        for (before, after), x in powers.items():
            matrix[:, before, after] = np.exp(x - top[:, None]).sum(1)
        return matrix, top

    def cumulant(self, tilts: Floats) -> Floats:
        """log E exp(tilt x) of a round, for every tilt; some at a time, for a dealt table has very many results."""
        some = max(1, ROOM // sum(len(units) for units, _ in self.moves.values()))
        return np.concatenate([self._cumulant(tilts[i : i + some]) for i in range(0, len(tilts), some)])

    def _cumulant(self, tilts: Floats) -> Floats:
        """The same at once: the largest root of the tilted matrix."""
        matrix, top = self.tilted(tilts)
        root = matrix[:, 0, 0] if len(self.share) == 1 else np.abs(np.linalg.eigvals(matrix)).max(1)
        lost = root < 1e-200  # too small for its digits: such a tilt is good for nothing
        return np.where(lost, np.inf, top + np.log(np.where(lost, 1.0, root)))

    def head_start(self, tilt: float) -> float:
        """By what factor, as a logarithm, the first state can raise E exp(tilt x) of many rounds above the root's
        power: the mean of the root's vector over the states, against its least."""
        roots, vectors = np.linalg.eig(self.tilted(np.array([tilt]))[0][0])
        vector = np.abs(vectors[:, np.abs(roots).argmax()].real)
        return float(np.log(self.share @ vector / vector.min()))

    def transform(self, size: int, rounds: int) -> Complexes:
        """Of the sum of so many rounds; with states, at the frequencies that can matter: those at which the chances
        from no state have died out by then."""
        if len(self.share) == 1:
            return np.asarray(self._placed((0, 0), size) ** rounds)
        bound: Floats = np.zeros((len(self.share), size // 2 + 1))
        for before, after in self.moves:
            bound[before] += np.abs(self._placed((before, after), size))
        live = np.flatnonzero(rounds * np.log(np.maximum(bound.max(0), 1e-300)) > UNSEEN)
        matrix = np.zeros((len(live), len(self.share), len(self.share)), np.complex128)
        for before, after in self.moves:
            matrix[:, before, after] = self._placed((before, after), size)[live]
        out: Complexes = np.zeros(size // 2 + 1, np.complex128)
        blocks = (matrix[i : i + BLOCK] for i in range(0, len(live), BLOCK))
        out[live] = np.concatenate([_raised(self.share, block, rounds) for block in blocks])
        return out

    def _placed(self, move: tuple[int, int], size: int) -> Complexes:
        units, chances = self.moves[move]
        placed: Floats = np.zeros(size)
        np.add.at(placed, units % size, chances)
        return np.asarray(np.fft.rfft(placed))


def _raised(share: Floats, matrix: Complexes, power: int) -> Complexes:
    """share x matrix^power x 1 at every frequency, by squaring."""
    out = np.repeat(share[None, None, :], len(matrix), axis=0).astype(np.complex128)
    while power:
        if power & 1:
            out = out @ matrix
        power >>= 1
        if power:
            matrix = matrix @ matrix
    return np.asarray(out.sum((1, 2)))


@dataclass(frozen=True)
class Spread:
    """How a sum is distributed: the chance of every whole number of units from `start` on."""

    start: int
    unit: Fraction
    chances: Floats

    @cached_property
    def dollars(self) -> Floats:
        return np.arange(self.start, self.start + len(self.chances), dtype=np.float64) * float(self.unit)

    @cached_property
    def _up_to(self) -> Floats:
        return np.cumsum(self.chances)

    @property
    def mean(self) -> float:
        return float(self.dollars @ self.chances)

    @property
    def variance(self) -> float:
        return float((self.dollars - self.mean) ** 2 @ self.chances)

    @property
    def below_zero(self) -> float:
        return float(self.chances[: max(0, -self.start)].sum())

    @property
    def at_zero(self) -> float:
        return float(self.chances[-self.start]) if 0 <= -self.start < len(self.chances) else 0.0

    def quantile(self, share: float) -> float:
        """The smallest sum that is not exceeded with this probability."""
        place = int(np.searchsorted(self._up_to, share * self._up_to[-1]))
        return float(self.dollars[min(place, len(self.dollars) - 1)])

    def level(self, share: float) -> float:
        """The same between the points of the lattice, for differences that are smaller than a step."""
        return float(np.interp(share * self._up_to[-1], self._up_to, self.dollars))


class Round:
    """The house's result of one round of the whole table, and sums of many; `wide` lends its window to a result that
    is almost the same."""

    def __init__(self, result: Chain | Sampled, wide: "Round | None" = None) -> None:
        self.result, self.unit, self.mean = result, result.unit, float(result.mean)
        self.wide = wide or self

    @cached_property
    def variance(self) -> float:
        """What each round adds to the variance of many."""
        return float(self.result.variance) + self.result.serial

    @cached_property
    def whole(self) -> Component:
        """On its own lattice."""
        return self.result.on(self.unit)

    def after(self, rounds: int, most_points: int = MOST_POINTS) -> Spread:
        """The distribution of the sum of so many rounds."""
        unit = self.unit
        while True:
            start, points = self.wide.window(rounds, unit)
            if points <= most_points:
                break
            unit *= 2
        size = 1 << (points - 1).bit_length()
        power = (self.whole if unit == self.unit else self.result.on(unit)).transform(size, rounds)
        chances = np.roll(np.fft.irfft(power, size), -(start % size))
        chances[chances < NOISE] = 0.0
        return Spread(start, unit, chances)

    @cached_property
    def _cumulants(self) -> tuple[Floats, Floats, Floats]:
        """Tilts per unit, and the cumulants of both tails."""
        tilts = TILTS * (float(self.unit) / max(self.variance**0.5, 1e-4 * float(self.unit)))
        return tilts, self.whole.cumulant(tilts), self.whole.cumulant(-tilts)

    def window(self, rounds: int, unit: Fraction) -> tuple[int, int]:
        """First point, and how many: outside of them lies less than `OUTSIDE`, by the best of many tilts on each side.
        What a coarser lattice shares out stays within a step, which adds at most tilt^2 step^2 / 8 (Hoeffding)."""
        tilts, up, down = self._cumulants
        step = int(unit / self.unit)
        rough = (tilts * step) ** 2 / 8 if step > 1 else 0.0
        high, low = (float(np.nanmin((rounds * (c + rough) + log(2 / OUTSIDE)) / tilts)) for c in (up, down))
        margin = 1 + self.whole.margin // step
        start, stop = int(np.floor(-low / step)) - margin, int(np.ceil(high / step)) + margin
        return start, stop - start + 1

    def bankroll(self, risk: float) -> float:
        """What is ever lost with at most this probability, by Lundberg's bound; infinite when the house does not win
        on average."""
        r = self.ruin_exponent()
        if r in (0.0, inf):
            return 0.0 if r else inf
        return (log(1 / risk) + self.whole.head_start(-r * float(self.unit))) / r

    def ruin_exponent(self) -> float:
        """Lundberg's coefficient: the r > 0 with E exp(-r x) = 1, per dollar; a bankroll b is ruined with probability
        at most exp(-r b). Infinite when the house cannot lose, 0 when it does not win on average."""
        if self.mean <= 0:
            return 0.0
        if self.whole.least >= 0:
            return inf

        def cumulant(tilt: float) -> float:
            return float(self.whole.cumulant(np.array([-tilt]))[0])

        low, high = 0.0, 2 * self.mean / self.variance * float(self.unit)
        while cumulant(high) < 0:
            low, high = high, 2 * high
        if low == 0.0:  # the root is below the normal formula's: come near to it from there
            low = high
            while cumulant(low) >= 0:
                low /= 2
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if cumulant(middle) < 0 else (low, middle)
        return low / float(self.unit)


def unit_of(values: Sequence[Fraction]) -> Fraction:
    """The largest amount of which all of these are whole multiples."""
    below = lcm(*(v.denominator for v in values))
    above = reduce(gcd, (int(v * below) for v in values), 0)
    return Fraction(above or 1, below)
