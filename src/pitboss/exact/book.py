"""What a settled round is worth and what it is called: the money side of a graph, the same for counts and samples."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss import __version__
from pitboss.compile import Cells, Leaf
from pitboss.exact.induction import SAFE
from pitboss.results import Outcome, Provenance, WagerResult
from pitboss.rules.house import House
from pitboss.rules.trace import trace


class Book:
    """A house's game, traced, with a price on every cell."""

    def __init__(self, house: House, strategy: str = "optimal") -> None:
        self.house, self.name = house, strategy
        self.graph = trace(house)
        self.cells = Cells(self.graph)
        self._prices: dict[tuple[str, Fraction], list[Fraction]] = {}

    def stake(self, wager: str) -> Fraction:
        """The dollars that fixed awards are measured against: the option `stake`, or the least bet."""
        if "stake" in self.house.options:
            return self.house.amount("stake")
        return self.house.least_bet(self.house.lead(wager))

    def prices(self, party: str, stake: Fraction | None = None) -> list[Fraction]:
        """What each cell brings on one wager before the deal and all that goes with it, in units of that wager."""
        stake = stake or self.stake(party)
        if (party, stake) not in self._prices:
            worth, common = self.worth(party, stake)
            self._prices[party, stake] = [Fraction(int(net), common) for net in worth]
        return self._prices[party, stake]

    def worth(self, party: str, stake: Fraction | None = None) -> tuple[NDArray[Any], int]:
        """The same as `prices`, as whole numbers over one denominator, for games with very many cells."""
        stake = stake or self.stake(party)
        parts: list[list[tuple[list[int], list[Fraction]]]] = []
        for leaf in self.cells.leaves:
            found: list[tuple[list[int], list[Fraction]]] = []
            for wager in self.house.parties[party]:
                axes = [i for i, d in enumerate(leaf.digits) if wager.name in d.names and d.kind in ("row", "times")]
                if not any(leaf.digits[i].kind == "row" for i in axes):
                    continue
                nets = []
                for places in product(*(range(len(leaf.digits[i].values)) for i in axes)):
                    rows = {
                        wager.name if leaf.digits[i].kind == "row" else f"times {wager.name}": leaf.digits[i].values[k]
                        for i, k in zip(axes, places, strict=True)
                    }
                    times = _times(leaf, rows, wager.name)
                    net = times * self.house.net(wager.name, rows[wager.name], stake * times) if times else Fraction(0)
                    nets.append(net)
                found.append((axes, nets))
            parts.append(found)
        all_nets = [net for found in parts for _, nets in found for net in nets]
        common = lcm(*(net.denominator for net in all_nets))
        most = max((abs(net) for net in all_nets), default=Fraction(0)) * common * len(self.house.parties[party])
        kind: Any = np.int64 if most < SAFE else object
        out = []
        for leaf, found in zip(self.cells.leaves, parts, strict=True):
            shape = tuple(len(d.values) for d in leaf.digits)
            total = np.zeros(shape, kind)
            for axes, nets in found:
                small = np.array([int(net * common) for net in nets], kind).reshape([shape[i] for i in axes])
                total += small.reshape([n if i in axes else 1 for i, n in enumerate(shape)])
            out.append(total.ravel(order="F"))  # the first digit counts least
        return np.concatenate(out), common

    def provenance(self) -> Provenance:
        return provenance(self.house, self.name)

    def label(self, leaf: Leaf, rows: Mapping[str, str], party: str) -> str:
        """A row of the return table, in words: what was chosen, what happened, how each wager came out."""
        members = [w.name for w in self.house.parties[party] if w.name in rows and _times(leaf, rows, w.name)]
        lead = next((s for s in leaf.end.settled if s.wager == party), None)
        results = {rows[m] for m in members}
        outcome = results.pop() if len(results) == 1 else ", ".join(f"{m} {rows[m]}" for m in members)
        if party not in self.house.main or lead is None:
            return outcome
        if self.graph.open_ended:  # of the ways to this end only what was bet is known
            bets = [m for m in members if m != party]
            return lead.because or (f"{', '.join(bets)}: {outcome}" if bets else outcome)
        chosen = [str(s.answer) for s in leaf.end.path if not isinstance(s.answer, bool)]
        story = ", ".join([*chosen, *([lead.because] if lead.because else [])])
        return f"{story}: {outcome}" if story else outcome

    @property
    def shared(self) -> tuple[str, ...]:
        """Wagers between the players: what one seat loses another wins, so the house has no part in them."""
        return self.cells.between_players

    def shared_result(self, party: str, ways: int) -> WagerResult:
        """A wager between the players: its expectation is zero whatever one does."""
        alone = (Outcome("stays among the players", ways, Fraction(1), Fraction(0)),)
        return WagerResult(party, "shared", alone, ways, Fraction(1), shared=True)

    @cached_property
    def decided(self) -> tuple[str, ...]:
        """The main wagers that a choice can change; their sum is what the player maximises."""
        fixed = {name for d in self.cells.shared for name in d.names} | {*self.shared}
        moved = [p for p in self.house.main if any(w.name not in fixed for w in self.house.parties[p])]
        return tuple(moved) or self.house.main

    def wagered(self, leaf: Leaf, rows: Mapping[str, str], party: str) -> Fraction:
        """Units staked in all by the end of the round, on a wager and what goes with it."""
        with_it = (w.name for w in self.house.parties[party] if w.name != party and w.name in rows)
        return 1 + sum((_times(leaf, rows, name) for name in with_it), Fraction(0))


def _times(leaf: Leaf, rows: Mapping[str, str], wager: str) -> Fraction:
    """How many times the wager before the deal was bet on one that goes with it."""
    return Fraction(rows.get(f"times {wager}", leaf.end.bets.get(wager, 1)))


def provenance(house: House, strategy: str) -> Provenance:
    """What a result of this house is of."""
    shown = {w.name: house.tables[w.name].name for w in house.wagers}
    return Provenance(
        house.game.name, house.game.title, dict(house.options), shown, strategy, __version__, house.game.sha256,
        house.shoe_left(),
    )  # fmt: skip


def decided_wager(house: House) -> str:
    """The first wager that the player's choices can change: the one a strategy chart is about."""
    return Book(house).decided[0]
