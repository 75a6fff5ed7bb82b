"""A settled round as one number: which end of the graph, which row of each wager, what is carried to the next round.

Counting a round is adding one to its cell, in the simulator and in the exact count alike; money comes afterwards.
Digits that are the same at every end (`Cells.shared`: side bets, carried values) come first, so that machine code works
them out once, whichever way the round went.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

from pitboss.rules.column import Column, column
from pitboss.rules.errors import BadInput
from pitboss.rules.graph import End, Graph, Settle

MOST_CELLS = 1 << 20


@dataclass(frozen=True, eq=False)
class Digit:
    """One thing that a cell tells: the row of a wager (or of several that are settled alike), how many times it was
    bet, or one carried value."""

    names: tuple[str, ...]
    values: tuple[str, ...]  # row names; else the numbers
    index: Column
    kind: str = "row"  # or "times", "carried"

    @property
    def carried(self) -> bool:
        return self.kind == "carried"

    @property
    def identity(self) -> tuple[object, ...]:
        return self.names, self.values, self.index.uid, self.kind


@dataclass(frozen=True, eq=False)
class Leaf:
    """The cells of one end: mixed radix over its digits."""

    end: End
    offset: int
    digits: tuple[Digit, ...]

    @property
    def size(self) -> int:
        size = 1
        for d in self.digits:
            size *= len(d.values)
        return size

    @cached_property
    def code(self) -> Column:
        """The cell of a round that ends here."""
        return self.coded([d.index for d in self.digits])

    def coded(self, indices: Sequence[Column]) -> Column:
        """The same, with these columns for its digits."""
        code, radix = column(self.offset), 1
        for d, index in zip(self.digits, indices, strict=True):
            code = code + index * radix if radix > 1 else code + index
            radix *= len(d.values)
        return code

    @cached_property
    def table(self) -> list[dict[str, str]]:
        """Every cell of this leaf, decoded, in order."""
        return [self.decode(cell) for cell in range(self.offset, self.offset + self.size)]

    def decode(self, cell: int) -> dict[str, str]:
        """Wager -> row, `times wager` and `carried name` -> number, of a cell of this leaf."""
        rest, out = cell - self.offset, dict[str, str]()
        for d in self.digits:
            rest, i = divmod(rest, len(d.values))
            out |= dict.fromkeys(d.names if d.kind == "row" else (f"{d.kind} {n}" for n in d.names), d.values[i])
        return out


class Cells:
    """The layout of all cells of a graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.leaves: list[Leaf] = []
        self.of_node: dict[int, Leaf] = {}
        ends = {end: self._digits(end) for end in graph.ends()}
        everywhere = set.intersection(*({d.identity for d in digits} for digits in ends.values()))
        self.shared = tuple(d for d in next(iter(ends.values())) if d.identity in everywhere)
        self.shared_size = prod(len(d.values) for d in self.shared)
        offset = 0
        for end, digits in ends.items():
            own = (d for d in digits if d.identity not in everywhere)
            leaf = Leaf(end, offset, (*self.shared, *own))
            self.leaves.append(leaf)
            self.of_node[end.id] = leaf
            offset += leaf.size
            if offset > MOST_CELLS:
                raise BadInput(
                    f"the wagers of this game can come out together in more than {MOST_CELLS:,} ways, which is more "
                    "than are counted; settle wagers that come out alike with the same result"
                )
        self.size = offset
        self.between_players = tuple(dict.fromkeys(name for end in ends for name in end.shares))

    def _digits(self, end: End) -> list[Digit]:
        alike: dict[tuple[object, ...], list[Settle]] = {}
        for s in end.settled:
            alike.setdefault((s.rows.index.uid, s.rows.names), []).append(s)
        digits = [
            Digit(tuple(s.wager for s in group), group[0].rows.names, group[0].rows.index) for group in alike.values()
        ]
        for name, (times, index) in end.staked.items():
            digits.append(Digit((name,), tuple(map(str, times)), index, "times"))
        for name, highest in self.graph.carried.items():
            value = end.carries.get(name, column(0))
            digits.append(Digit((name,), tuple(map(str, range(highest + 1))), value, "carried"))
        return digits

    def leaf(self, cell: int) -> Leaf:
        return next(x for x in self.leaves if x.offset <= cell < x.offset + x.size)
