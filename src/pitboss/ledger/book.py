"""What a settled round is worth and what it is called: the money side of a graph, the same for counts and samples."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import gcd, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.ledger.cells import Cells, Leaf
from pitboss.ledger.law import Joint, Move
from pitboss.ledger.multiples import placed_in_play
from pitboss.ledger.records import Outcome, WagerResult
from pitboss.rules.graph import Graph
from pitboss.rules.house import House
from pitboss.rules.trace import trace

SAFE = 1 << 62  # whole numbers below this fit into 64 bits with room for a sign


class Book:
    """A house's game with a price on every cell."""

    def __init__(self, house: House, graph: Graph | None = None) -> None:
        self.house = house
        self.graph = trace(house) if graph is None else graph
        self.cells = Cells(self.graph)
        self._prices: dict[tuple[str, Fraction], list[Fraction]] = {}

    def prices(self, party: str, stake: Fraction | None = None) -> list[Fraction]:
        """What each cell brings on one wager before the deal and all that goes with it, in units of that wager."""
        stake = stake or self.house.stake_on(party)
        if (party, stake) not in self._prices:
            worth, common = self.worth(party, stake)
            self._prices[party, stake] = [Fraction(int(net), common) for net in worth]
        return self._prices[party, stake]

    def worth(self, party: str, stake: Fraction | None = None) -> tuple[NDArray[Any], int]:
        """The same as `prices`, as whole numbers over one denominator, for games with very many cells."""
        stake = stake or self.house.stake_on(party)
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

    def worth_together(self, parties: Sequence[str]) -> tuple[NDArray[Any], int]:
        """What each cell brings on several wagers at once, as whole numbers over the least denominator that will do."""
        each = [self.worth(party) for party in parties]
        common = lcm(*(denominator for _, denominator in each))
        total = np.zeros(self.cells.size, object)
        for worth, denominator in each:
            total += worth.astype(object) * (common // denominator)
        shared = gcd(common, *(int(n) for n in np.unique(total)))
        return total // shared, common // shared

    def placed(self, party: str, counts: NDArray[np.int64]) -> dict[str, dict[Fraction, int]]:
        """Of rounds that were counted by cell: wager after the deal -> multiple -> how many of them."""
        out: dict[str, dict[Fraction, int]] = {name: {} for name in placed_in_play(self.house, party)}
        for leaf in self.cells.leaves if out else ():
            here = counts[leaf.offset : leaf.offset + leaf.size]
            if not here.any():
                continue
            folded = here.reshape([len(d.values) for d in leaf.digits], order="F")
            for name, found in out.items():
                axis = next((i for i, d in enumerate(leaf.digits) if d.kind == "times" and name in d.names), None)
                if axis is None:
                    each = {Fraction(leaf.end.bets.get(name, 0)): int(here.sum())}
                else:
                    others = tuple(i for i in range(folded.ndim) if i != axis)
                    each = dict(zip(map(Fraction, leaf.digits[axis].values), folded.sum(others).tolist(), strict=True))
                for times, n in each.items():
                    found[times] = found.get(times, 0) + n
        return out

    def joint(self, leaf: Leaf, cell: int, ways: int, move: Move = (0, 0)) -> Joint:
        """A cell as a joint row."""
        rows = leaf.decode(cell)
        times = {n: Fraction(t) for n, t in leaf.end.bets.items()}
        times |= {n: Fraction(rows[f"times {n}"]) for n in leaf.end.staked}
        named = {n: r for n, r in rows.items() if n in self._wagers}
        chosen = "" if self.graph.open_ended else self._chosen(leaf)
        return Joint(ways, named, times, move, chosen, self._because(leaf), self.graph.open_ended)

    @cached_property
    def _wagers(self) -> frozenset[str]:
        return frozenset(w.name for w in self.house.wagers)

    def _chosen(self, leaf: Leaf) -> str:
        return ", ".join(str(s.answer) for s in leaf.end.path if not isinstance(s.answer, bool))

    def _because(self, leaf: Leaf) -> dict[str, str]:
        return {s.wager: s.because for s in leaf.end.settled if s.because}

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


def _times(leaf: Leaf, rows: Mapping[str, str], wager: str) -> Fraction:
    """How many times the wager before the deal was bet on one that goes with it."""
    return Fraction(rows.get(f"times {wager}", leaf.end.bets.get(wager, 1)))
