"""Every wager's edge at each value of an option or with each pay table, or at all combinations of several of these."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

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


def across(house: House, axes: Sequence[Axis], strategy: str = "optimal", wager: str | None = None) -> Across:
    """The same house again for every combination."""
    if len({a.name for a in axes}) < len(axes):
        raise BadInput(f"across: {', '.join(a.name for a in axes)}: name each only once")
    if (many := prod(len(a.values) for a in axes)) > MOST:
        raise BadInput(
            f"across: {many:,} combinations; name values, such as decks=4,6, so that they are {MOST} or fewer"
        )
    found: dict[tuple[str, ...], dict[str, WagerResult]] = {}
    left_out: dict[tuple[str, ...], str] = {}
    of = None
    for values in product(*(a.values for a in axes)):
        try:
            other = house.but(
                {a.name: v for a, v in zip(axes, values, strict=True) if not a.of_pays},
                tables={a.name: v for a, v in zip(axes, values, strict=True) if a.of_pays},
            )
        except BadInput as why:  # values that do not go with the other options
            left_out[values] = str(why)
            continue
        if wager is not None and wager not in other.parties:
            left_out[values] = f"there is no {wager}"
            continue
        record = analyze(other, strategy, None, wager)
        of = record.of if of is None or other == house else of
        found[values] = {w.wager: w for w in record.wagers}
    if of is None:
        values, why_not = next(iter(left_out.items()))
        at = ", ".join(f"{a.name}={v}" for a, v in zip(axes, values, strict=True))
        raise BadInput(f"across: with {at}, {why_not}")
    return Across(of, tuple(axes), found, left_out)
