"""Every wager's edge at each value of an option or with each pay table, or at all combinations of several of these."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from pitboss.crew import Crew, Here, Letter
from pitboss.exact.study import analyze
from pitboss.ledger.records import WagerResult, ratio
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.identity import Provenance

MOST = 200  # houses that are compared at once


@dataclass(frozen=True)
class Axis:
    """What is varied: an option of the house, or the pay table of a wager."""

    name: str
    values: tuple[str, ...]
    of_pays: bool


@dataclass(frozen=True)
class Across:
    """All wagers at each combination of values, all else as it is."""

    of: Provenance
    axes: tuple[Axis, ...]
    found: Mapping[tuple[str, ...], Mapping[str, WagerResult]]  # values -> wager; a wager may not exist at some
    left_out: Mapping[tuple[str, ...], str]  # values -> why there is nothing

    @property
    def names(self) -> str:
        return ", ".join(axis.name for axis in self.axes)

    @property
    def wagers(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(w for results in self.found.values() for w in results))

    def json(self) -> dict[str, Any]:
        every = [
            {
                "value": ", ".join(values),
                "at": {axis.name: value for axis, value in zip(self.axes, values, strict=True)},
                "wager": wager,
                "house_edge": float(w.house_edge),
                "house_edge_exact": ratio(w.house_edge) if w.exact else None,
                "std_dev": None if w.shared else w.std_dev,
                "hit_frequency": None if w.shared else float(w.hit_frequency),
            }
            for values, results in self.found.items()
            for wager, w in results.items()
        ]
        left_out = {", ".join(values): why for values, why in self.left_out.items()}
        return {**self.of.json(), "method": "exact", "across_option": self.names, "edges": every, "left_out": left_out}


@dataclass(frozen=True, eq=False)
class Combined:
    """A bench whose jobs are combinations, in order: each is another house, counted whole."""

    house: House
    axes: tuple[Axis, ...]
    strategy: str
    wager: str | None

    @property
    def combinations(self) -> list[tuple[str, ...]]:
        return list(product(*(a.values for a in self.axes)))

    def do(self, numbers: range) -> list[str | tuple[bool, Provenance, dict[str, WagerResult]]]:
        """Why there is nothing; or whether it is the house itself, what it is, and its wagers."""
        every = self.combinations
        return [self._one(every[number]) for number in numbers]

    def _one(self, values: tuple[str, ...]) -> str | tuple[bool, Provenance, dict[str, WagerResult]]:
        try:
            other = self.house.but(
                {a.name: v for a, v in zip(self.axes, values, strict=True) if not a.of_pays},
                tables={a.name: v for a, v in zip(self.axes, values, strict=True) if a.of_pays},
            )
        except BadInput as why:  # values that do not go with the other options
            return str(why)
        if self.wager is not None and self.wager not in other.parties:
            return f"there is no {self.wager}"
        record = analyze(other, self.strategy, None, self.wager)
        return other == self.house, record.of, {w.wager: w for w in record.wagers}

    def letter(self) -> Letter:
        return Letter(Combined, self.house, {"axes": self.axes, "strategy": self.strategy, "wager": self.wager})

    def identity(self) -> dict[str, str]:
        return self.house.provenance(self.strategy).fingerprint()


def across(
    house: House, axes: Sequence[Axis], strategy: str = "optimal", wager: str | None = None, crew: Crew | None = None
) -> Across:
    """The same house again for every combination, by whoever counts them."""
    if len({a.name for a in axes}) < len(axes):
        raise BadInput(f"across: {', '.join(a.name for a in axes)}: name each only once")
    if (many := prod(len(a.values) for a in axes)) > MOST:
        raise BadInput(
            f"across: {many:,} combinations; name values, such as decks=4,6, so that they are {MOST} or fewer"
        )
    found: dict[tuple[str, ...], dict[str, WagerResult]] = {}
    left_out: dict[tuple[str, ...], str] = {}
    of = None
    bench = Combined(house, tuple(axes), strategy, wager)
    every = bench.combinations
    with closing((crew or Here()).work(bench, 0, many)) as spans:
        for numbers, counted in spans:
            for number, one in zip(numbers, counted, strict=True):
                if isinstance(one, str):
                    left_out[every[number]] = one
                    continue
                is_house, its, found[every[number]] = one
                of = its if of is None or is_house else of
    if of is None:
        values, why_not = next(iter(left_out.items()))
        at = ", ".join(f"{a.name}={v}" for a, v in zip(axes, values, strict=True))
        raise BadInput(f"across: with {at}, {why_not}")
    return Across(of, tuple(axes), found, left_out)
