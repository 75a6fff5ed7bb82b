"""The shortest lists of conditions for one decision: beam searches over cases, with costs in whole numbers.

A list is read from the top, and its first line that fits decides. It grows at its top: a new line takes over the cases
that it fits, whatever the lines below it say. So what a line gains is a sum over the cases that it fits, and one table
of sums by the values of two looks has the gains of all pairs of their conditions.

The list that costs least at first is often one that says too much too early ("a three or higher"), and never gets
better. So there are several searches: to some, a mistake that a line makes counts for more than one that is left to
the lines to come. And each is made for every choice that may stand at the end of the list.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from pitboss.thumb.table import STRICT, Cases, Floats

WIDE = 2  # lists of one length that are kept in each search
TRIED = 6  # lines that are tried on each
ROUNDS = 3  # of going over a list once more
MOST_KEPT = 1 << 26  # bytes of what was worked out
DEEPER = 4  # conditions more than are asked for, from which lists shrink again
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Place = tuple[int, int]
"""A condition: which look, and which of its conditions."""
Line = tuple[int, tuple[Place, ...]]
"""The choice, and the conditions that must all hold."""


@dataclass(frozen=True)
class Draft:
    """A list: its lines from the top, and the choice where none fits."""

    lines: tuple[Line, ...]
    otherwise: int
    lost: float
    plain: int
    strictly: float  # what is lost, as the search counts it

    @property
    def conditions(self) -> int:
        return sum(len(conditions) for _, conditions in self.lines)

    @property
    def order(self) -> tuple[float, int, int, object]:
        return self.lost, self.conditions, self.plain, (self.otherwise, self.lines)

    @property
    def strict_order(self) -> tuple[float, float, int, int, object]:
        return self.strictly, *self.order

    @property
    def shape(self) -> object:
        """What it looks at, whatever the values."""
        return self.otherwise, tuple((choice, tuple(look for look, _ in places)) for choice, places in self.lines)


Level = dict[object, Draft]
Note = Callable[[Draft], bool]


class Search:
    """The best lists of one decision, by how many conditions they have."""

    def __init__(self, cases: Cases) -> None:
        self.cases, self.loss, self.scales = cases, cases.loss, cases.scales
        self.every = np.arange(self.loss.shape[1])
        self.best = np.flatnonzero((self.loss == 0).any(1)).tolist()  # choices that are right somewhere
        self.tolerance = 0.5  # losses are whole numbers
        self._fitting: dict[Line, Bools] = {}

    def ladder(self, most: int) -> list[Draft]:
        """The best list of no condition, of one, ... until it costs nothing; a longer one only if it costs less."""
        best: dict[int, Draft] = {}

        def note(draft: Draft) -> bool:
            known = best.get(draft.conditions)
            best[draft.conditions] = draft if known is None or draft.order < known.order else known
            return draft.lost < self.tolerance

        for otherwise in self._last():
            for strict in STRICT:
                self._backward(self._forward(otherwise, strict, most + DEEPER, note), strict, note)
        for size in range(most, 0, -1):
            if size in best:
                note(self._shorter(best[size]))
        for size in range(most):
            if size in best and best[size].lost >= self.tolerance:
                for draft in self._longer(best[size], most - size):
                    note(self._refined(draft))
        found: list[Draft] = []
        for size, draft in sorted(best.items()):
            if size <= most and (not found or draft.lost < found[-1].lost - self.tolerance):
                found.append(draft)
        return found

    def _last(self) -> list[int]:
        """Choices for the end of a list: those that are right somewhere, and the best one if it were all there is."""
        always = [c for c in range(len(self.loss)) if self.cases.offered[c].all()]
        only = min(always, key=lambda c: float(self.loss[c].sum()))
        return [c for c in always if c in self.best or c == only]

    def _forward(self, otherwise: int, strict: int, most: int, note: Note) -> Draft:
        """Lists that grow line by line; the best of each length is gone over, and the longest comes back."""
        levels: list[Level] = [{} for _ in range(most + 1)]
        last = self._draft((), otherwise, strict)
        self._keep(levels, last)
        for level in range(most + 1):
            if levels[level]:
                last = self._refined(min(levels[level].values(), key=lambda d: d.strict_order), strict)
                if self._note(last, strict, note):
                    break
                self._keep(levels, last)
                self._grow(levels, level, strict)
        return last

    def _backward(self, draft: Draft, strict: int, note: Note) -> None:
        """Lists that shrink condition by condition, what is left gone over each time."""
        while draft.lines:
            draft = self._shorter(draft, strict)
            self._note(draft, strict, note)

    def _shorter(self, draft: Draft, strict: int = 1) -> Draft:
        """The list without the condition that it can best do without."""
        less = [self._without(draft, at, i, strict) for at, line in enumerate(draft.lines) for i in range(len(line[1]))]
        return self._refined(min(less, key=lambda d: d.strict_order), strict)

    def _note(self, draft: Draft, strict: int, note: Note) -> bool:
        """The list as it is, and what is made of it where a mistake is a mistake."""
        return note(draft) or (strict > 1 and note(self._refined(draft)))

    def _without(self, draft: Draft, at: int, i: int, strict: int) -> Draft:
        choice, places = draft.lines[at]
        left = places[:i] + places[i + 1 :]
        lines = (*draft.lines[:at], *([(choice, left)] if left else []), *draft.lines[at + 1 :])
        return self._draft(lines, draft.otherwise, strict)

    def exact(self, draft: Draft) -> Fraction:
        return self.cases.cost(self.taken(draft.lines, draft.otherwise))

    # ---- lists

    def _grow(self, levels: list[Level], level: int, strict: int) -> None:
        """One more line on top of the best lists of a length."""
        for draft in sorted(levels[level].values(), key=lambda d: d.strict_order)[:WIDE]:
            for longer in self._longer(draft, len(levels) - 1 - level, strict):
                self._keep(levels, longer)
        levels[level].clear()

    def _longer(self, draft: Draft, left: int, strict: int = 1) -> list[Draft]:
        now = self._now(draft.lines, draft.otherwise, strict)
        lines = self._gaining(now, np.ones(len(now), bool), left, TRIED, strict)
        return [self._draft((line, *draft.lines), draft.otherwise, strict) for line in lines]

    def _keep(self, levels: list[Level], draft: Draft) -> None:
        """One list of each shape: the values are gone over again later."""
        level = levels[draft.conditions]
        known = level.get(draft.shape)
        if known is None or draft.strict_order < known.strict_order:
            level[draft.shape] = draft

    def _draft(self, lines: tuple[Line, ...], otherwise: int, strict: int = 1) -> Draft:
        plain = sum(int(self.scales[look].plain[i]) for _, places in lines for look, i in places)
        plain += sum(a[0] != b[0] for a, b in pairwise(lines))  # a change of mind
        strictly = float(self._now(lines, otherwise, strict).sum())
        lost = strictly if strict == 1 else float(self._now(lines, otherwise, 1).sum())
        return Draft(lines, otherwise, lost, plain, strictly)

    def taken(self, lines: Sequence[Line], otherwise: int) -> Ints:
        """The choice in every case."""
        out: Ints = np.full(len(self.every), otherwise, np.int64)
        for line in reversed(lines):
            out[self.fits(line)] = line[0]
        return out

    def _now(self, lines: Sequence[Line], otherwise: int, strict: int) -> Floats:
        """What is lost in every case; what a line loses counts for more."""
        lost: Floats = self.loss[self.taken(lines, otherwise), self.every]
        if strict > 1:
            covered = np.zeros(len(lost), bool)
            for line in lines:
                covered |= self.fits(line)
            lost[covered] *= strict
        return lost

    def fits(self, line: Line) -> Bools:
        """The cases that a line fits."""
        if len(self._fitting) * len(self.every) > MOST_KEPT:
            self._fitting.clear()
        if line not in self._fitting:
            choice, places = line
            out: Bools = self.cases.offered[choice].copy()
            for look, condition in places:
                out &= self.scales[look].meets(condition)
            self._fitting[line] = out
        return self._fitting[line]

    # ---- lines

    def _gaining(self, now: Floats, free: Bools, longest: int, many: int, strict: int = 1) -> list[Line]:
        """The lines of one condition, and those of two, that gain most over what is lost now, where they are free to
        decide: of every choice and look, or two looks, the best."""
        alone: list[tuple[float, int, Line]] = []
        pairs: list[tuple[float, int, Line]] = []
        for choice in self.best:
            gain = np.where(free & self.cases.offered[choice], now - strict * self.loss[choice], 0.0)
            if longest < 1 or not (gain > 0).any():
                continue
            tops: list[float] = []
            for a, scale in enumerate(self.scales):
                by_value: Floats = np.bincount(scale.of_case, gain, len(scale.values)).astype(np.float64)
                at = _best(scale.sums(by_value), scale.plain)
                tops.append(at[0])
                alone.append((at[0], at[1], (choice, ((a, at[2]),))))
            for a, b in combinations(range(len(self.scales)), 2) if longest > 1 else ():
                one, two = self.scales[a], self.scales[b]
                table: Floats = np.bincount(self._both[a, b], gain, len(one.values) * len(two.values)).astype(float)
                sums = two.sums(one.sums(table.reshape(len(one.values), -1)).T)  # conditions of b x conditions of a
                if sums.max() > max(tops[a], tops[b], self.tolerance) + self.tolerance:
                    worth, plain, where = _best(sums, two.plain[:, None] + one.plain[None, :])
                    j, i = divmod(where, len(one.ranges))
                    pairs.append((worth, plain, (choice, ((a, i), (b, j)))))
        out: list[Line] = []
        for found in (alone, pairs):
            worth_it = [f for f in found if f[0] > self.tolerance]
            out += [line for _, _, line in sorted(worth_it, key=lambda f: (-f[0], *f[1:]))[:many]]
        return out

    @cached_property
    def _both(self) -> dict[Place, Ints]:
        """Of every two looks, the number of the values of both in every case."""
        pairs = combinations(enumerate(self.scales), 2)
        return {(a, b): one.of_case * len(two.values) + two.of_case for (a, one), (b, two) in pairs}

    # ---- once more

    def _refined(self, draft: Draft, strict: int = 1) -> Draft:
        """The same list, each line replaced by the best or plainest in its place, until that changes nothing."""
        draft = self._draft(draft.lines, draft.otherwise, strict)
        for _ in range(ROUNDS):
            before = draft
            for at in range(len(draft.lines)):
                if at < len(draft.lines):
                    draft = min(draft, *self._replaced(draft, at, strict), key=lambda d: d.strict_order)
            if draft == before:
                break
        return draft

    def _replaced(self, draft: Draft, at: int, strict: int) -> list[Draft]:
        above, (_, places), below = draft.lines[:at], draft.lines[at], draft.lines[at + 1 :]
        free = np.ones(len(self.every), bool)
        for line in above:
            free &= ~self.fits(line)
        now = self._now(below, draft.otherwise, strict)
        lines = self._gaining(now, free, len(places), 3, strict)
        return [
            *(self._draft((*above, line, *below), draft.otherwise, strict) for line in lines),
            *(self._without(draft, at, i, strict) for i in range(len(places))),
        ]


def _best(gains: Floats, plain: Ints) -> tuple[float, int, int]:
    """The largest gain, and of equal ones the plainest: gain, how plain, place."""
    flat = gains.reshape(-1)
    top = flat.max()
    alike = np.flatnonzero(flat >= top - 0.5)
    at = alike[plain.reshape(-1)[alike].argmin()]
    return float(top), int(plain.reshape(-1)[at]), int(at)
