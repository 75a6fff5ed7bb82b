"""Everything that can be seen at a decision, sorted by what a player can tell of it.

Rows that no look tells apart are one *case*. What a choice gives up is added up over a case in whole numbers, so that
the cost of a rule is exact. The search works with the same numbers as doubles, which hold them up to 2^53.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.thumb.looks import Condition, Look
from pitboss.thumb.solved import Ints, Solved, Spot

EXACT = 1 << 53  # whole numbers below this are doubles
SAFE = 1 << 62  # and these 64 bits, with room for a sign
FAR = 1 << 62
MANY_CASES = 20_000  # with more, looks of very many values are cut in a few places only
MANY_VALUES = 40
FLOORS = 6  # of a look that are kept then
ROUGHLY = 60_000  # rows that tell which
MANY_LOOKS = 9  # that are kept then
LITTLE = 0.00001  # of what is lost without any look: what another look must save
MANY_RANGES = 24  # values of a look; with more, only its ends are tried as ranges
STRICT = (1, 3, 30, 10_000)  # how much a mistake of a line counts for, in one search after another
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Scale:
    """A look as the cases show it: its values in order, the number of its value in each case, and the conditions that
    it can make. `sums` adds up over all conditions at once."""

    look: Look
    shown: tuple[int, ...]  # all values that come up
    values: tuple[int, ...]  # those at which it is cut, the lowest first
    of_case: NDArray[np.int64]
    ranges: NDArray[np.int64]  # conditions x 2, the first and the last value by number

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        places, top = [*np.searchsorted(self.shown, self.values), len(self.shown)], len(self.values) - 1
        out = []
        for a, b in self.ranges.tolist():
            lo, hi = self.shown[places[a]], self.shown[places[b + 1] - 1]
            words = self.look.words(lo, hi, self.shown)
            # what is better than all that came up here is still "or better"
            out.append(Condition(self.look, lo if a else -FAR, hi if b < top else FAR, *words))
        return tuple(out)

    @cached_property
    def plain(self) -> NDArray[np.int64]:
        return np.array([c.plain for c in self.conditions], np.int64)

    @cached_property
    def _adds(self) -> Floats | None:
        """conditions x values, 0 or 1, where that is small."""
        at = np.arange(len(self.values))
        return ((at >= self.ranges[:, :1]) & (at <= self.ranges[:, 1:])).astype(np.float64) if len(at) <= 64 else None

    def sums(self, numbers: Floats) -> Floats:
        """values x ... -> conditions x ...: the sum over the values of each condition."""
        if self._adds is not None:
            product: Floats = self._adds @ numbers
            return product
        running = np.concatenate([np.zeros((1, *numbers.shape[1:])), numbers.cumsum(0)])
        out: Floats = running[self.ranges[:, 1] + 1] - running[self.ranges[:, 0]]
        return out

    def meets(self, condition: int) -> NDArray[np.bool_]:
        lo, hi = self.ranges[condition]
        out: NDArray[np.bool_] = (self.of_case >= lo) & (self.of_case <= hi)
        return out


@dataclass(frozen=True, eq=False)
class Cases:
    """The cases of a decision, and what every choice gives up in each."""

    choices: tuple[str, ...]
    scales: tuple[Scale, ...]
    given_up: Ints  # choices x cases, whole numbers
    offered: NDArray[np.bool_]  # choices x cases
    weight: Floats  # how often a case comes up
    denominator: int

    @cached_property
    def loss(self) -> Floats:
        """The same for the search: as it is where doubles can hold it, else the leading digits."""
        most = max(1, sum(int(x) for x in self.given_up.max(0)))
        shift = max(0, most.bit_length() - EXACT.bit_length() + 1)
        return np.array([[int(x) >> shift for x in row] for row in self.given_up], np.float64)

    def cost(self, taken: NDArray[np.int64]) -> Fraction:
        """What choosing so in every case gives up, per round."""
        lost = self.given_up[taken, np.arange(len(taken))]
        return Fraction(sum(int(x) for x in lost), self.denominator)


def cases_of(spot: Spot, looks: Sequence[Look]) -> Cases:
    """The cases of a decision. What the best play never comes to is left out, unless it never comes there at all."""
    rows = [part.live if spot.comes_up else np.ones(len(part.live), bool) for part in spot.parts]
    views = [part.some(some) for part, some in zip(spot.parts, rows, strict=True)]
    may = _offered(spot.parts, rows)
    lost = _given_up(spot.parts, rows, may)
    found = {look: np.concatenate([look.of(view) for view in views]) for look in looks}
    values = {look: np.unique(v) for look, v in found.items()}
    floors = {look: v[1:] for look, v in values.items() if len(v) > 1}
    kinds = sum((row.astype(np.int64) << i for i, row in enumerate(may)), np.zeros(may.shape[1], np.int64))
    case, first = _sorted_out(found, floors, kinds)
    if len(first) > MANY_CASES:
        wide = [look for look, f in floors.items() if len(f) > MANY_VALUES]
        floors |= _telling(found, floors, wide, lost, 2 * FLOORS)
        some = slice(None, None, 1 + len(kinds) // ROUGHLY)
        rough = {look: v[some] for look, v in found.items()}
        floors |= _telling(rough, floors, [look for look in floors if look not in wide], lost[:, some], FLOORS)
        case, first = _sorted_out(found, floors, kinds)
        if len(first) > MANY_CASES:
            floors = _enough(rough, floors, kinds[some], lost[:, some])
            case, first = _sorted_out(found, floors, kinds)
    scales = tuple(_scale(look, values[look], f, found[look][first]) for look, f in floors.items() if len(f))
    scales = tuple(scale for scale in scales if len(scale.ranges))
    given_up, offered = _summed(lost, case, len(first)), may[:, first]
    often = np.concatenate([p.weight[r] for p, r in zip(spot.parts, rows, strict=True)]).astype(np.float64)
    weight = np.bincount(case, often, len(first)).astype(np.float64)
    return Cases(spot.choices, scales, given_up, offered, weight, spot.parts[0].scale)


def _offered(parts: Sequence[Solved], rows: Sequence[NDArray[np.bool_]]) -> NDArray[np.bool_]:
    every = [np.ones(p.worth.shape, bool) if p.offered is None else p.offered for p in parts]
    return np.concatenate([e[:, r] for e, r in zip(every, rows, strict=True)], 1)


def _given_up(parts: Sequence[Solved], rows: Sequence[NDArray[np.bool_]], may: NDArray[np.bool_]) -> Ints:
    """choices x rows: how much less than the best; in 64 bits where all sums are sure to fit."""
    worth: Ints = np.concatenate([p.worth[:, r] for p, r in zip(parts, rows, strict=True)], 1)
    least = worth.min() if worth.size else 0
    lost = np.where(may, np.where(may, worth, least).max(0)[None, :] - worth, 0)
    most = max((int(x) for x in lost.max(1, initial=0)), default=0)
    return lost.astype(np.int64 if most * max(1, lost.shape[1]) < SAFE else object)


def _sorted_out(
    found: Mapping[Look, NDArray[Any]], floors: Mapping[Look, NDArray[np.int64]], kinds: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The case of every row, and a row of every case: rows with the same choices, alike in all floors."""
    code, size = kinds.astype(np.int64), int(kinds.max(initial=0)) + 1
    for look, cuts in floors.items():
        if size * (len(cuts) + 1) >= SAFE:
            _, back = np.unique(code, return_inverse=True)
            code, size = back.reshape(-1).astype(np.int64), len(kinds)
        code = code * (len(cuts) + 1) + np.searchsorted(cuts, found[look], side="right")
        size *= len(cuts) + 1
    _, first, case = np.unique(code, return_index=True, return_inverse=True)
    return case.reshape(-1), first


def _summed(lost: Ints, case: NDArray[np.int64], size: int) -> Ints:
    out: Ints = np.zeros((len(lost), size), lost.dtype)
    for row, into in zip(lost, out, strict=True):
        np.add.at(into, case, row)
    return out


def _scale(look: Look, values: NDArray[Any], floors: NDArray[np.int64], found: NDArray[Any]) -> Scale:
    """The look with these floors; its values between two of them count as one, the lower."""
    kept = [int(values[0]), *map(int, floors)]
    top = len(kept) - 1
    ranges = [(i, top) for i in range(1, top + 1) if look.ways == "ranges" or kept[i] >= look.first()]
    if look.ways == "ranges" and top < MANY_RANGES:
        ranges += [(a, b) for b in range(top) for a in range(b + 1)]
    elif look.ways != "floors":
        ranges += [(0, i - 1) for i, _ in ranges if look.under(kept[i - 1])]
    at = np.searchsorted(floors, found, side="right")
    every = tuple(map(int, values))
    return Scale(look, every, tuple(kept), at, np.array(ranges, np.int64).reshape(-1, 2))


def _enough(
    found: Mapping[Look, NDArray[Any]], floors: Mapping[Look, NDArray[np.int64]], kinds: NDArray[np.int64], lost: Ints
) -> dict[Look, NDArray[np.int64]]:
    """As many looks as tell something that those before them do not, the most telling first: how little is lost by
    whoever knows them and no more, and makes the best of it."""
    at = {look: np.searchsorted(f, found[look], side="right") for look, f in floors.items()}
    rough = lost.astype(np.float64)
    case, known = kinds, _lost_by(rough, kinds)[0]
    every, out = known, dict[Look, NDArray[np.int64]]()
    for many in (1, 2, 1):  # some tell nothing alone
        while len(out) + many <= MANY_LOOKS:
            told = {some: _lost_by(rough, _code(case, some, floors, at)) for some in combinations(floors, many)}
            best = min(told, key=lambda some: told[some][0])
            if known - told[best][0] < LITTLE * every:
                break
            known, case = told[best]
            out |= {look: floors[look] for look in best}
    return out


def _code(
    case: NDArray[np.int64], looks: Sequence[Look], floors: Mapping[Look, NDArray[np.int64]],
    at: Mapping[Look, NDArray[np.int64]],
) -> NDArray[np.int64]:  # fmt: skip
    for look in looks:
        case = case * (len(floors[look]) + 1) + at[look]
    return case


def _lost_by(lost: Floats, codes: NDArray[np.int64]) -> tuple[float, NDArray[np.int64]]:
    """What is lost if the same is done wherever the code is the same; and the codes numbered without gaps."""
    kinds, case = np.unique(codes, return_inverse=True)
    sums = np.stack([np.bincount(case.reshape(-1), row, len(kinds)) for row in lost])
    return float(sums.min(0).sum()), case.reshape(-1)


def _telling(
    found: Mapping[Look, NDArray[Any]], floors: Mapping[Look, NDArray[np.int64]], wide: Sequence[Look], lost: Ints,
    most: int,
) -> dict[Look, NDArray[np.int64]]:  # fmt: skip
    """The floors of some looks that best part what one choice should take from what another should: among all cases, or
    among those on one side of a floor of another look."""
    at = {look: np.searchsorted(f, found[look], side="right") for look, f in floors.items()}
    others = [look for look, f in floors.items() if len(f) <= MANY_VALUES]
    worth = {look: np.zeros(len(floors[look])) for look in wide}
    for a, b in permutations(range(len(lost)), 2):
        gain = (lost[a] - lost[b]).astype(np.float64)
        for strict in STRICT:
            weighed = np.where(gain < 0, strict * gain, gain)
            for look, beside in product(wide, others):
                rows, columns = len(floors[look]) + 1, len(floors[beside]) + 1
                table = np.bincount(at[look] * columns + at[beside], weighed, rows * columns).reshape(rows, columns)
                sides = np.concatenate([table[:, ::-1].cumsum(1), table.cumsum(1)], 1)  # from each floor up, and down
                for reach in (sides[::-1].cumsum(0)[::-1][1:], sides.cumsum(0)[:-1]):
                    best, top = reach.argmax(0), reach.max(0)
                    np.add.at(worth[look], best[top > 0], top[top > 0])
    kept = {look: [i for i in np.argsort(-w)[:most] if w[i] > 0] for look, w in worth.items()}
    return {look: floors[look][sorted(some)] for look, some in kept.items()}
