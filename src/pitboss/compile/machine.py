"""A game ready to run: the loops of `walk` as functions to call, rounds in, counts per cell out."""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Composition, shoe_cards
from pitboss.cards.streams import stream_state
from pitboss.compile.draws import RUN_OUT
from pitboss.compile.keys import Keys
from pitboss.compile.objects import Code
from pitboss.compile.ranking import addresses
from pitboss.compile.walk import MOST_SEATS, Walk
from pitboss.ledger.cells import Cells
from pitboss.rules.errors import BadInput


class WalkError(RuntimeError):
    """The debug build caught an index out of bounds: a defect of pitboss."""


MOST_LOOPS = 4  # of one graph that are kept
ARGUMENTS = (ctypes.c_int64,) * 3 + (ctypes.c_void_p,) * 7


def pot_counts(cells: Cells) -> NDArray[np.int64]:
    """Per wager between the players: rounds by the number of seats that shared it."""
    return np.zeros((max(1, len(cells.between_players)), MOST_SEATS + 1), np.int64)


@dataclass(frozen=True, eq=False)
class Loop:
    """The machine code of a graph's rounds, for shoes of one size."""

    call: Callable[..., int]
    tables: NDArray[np.uint64]
    look: tuple[int, ...] | None  # what the shoe holds instead of cards


def _loop(cells: Cells, keys: Keys, *how: Any) -> Loop:
    """Written once for a graph: whoever simulates it again, with other pays or from another seed, finds it there."""
    kept: dict[object, Loop] = cells.graph.made.setdefault("loops", {}) if keys.graph is cells.graph else {}
    found = kept.get((keys.most, how))
    if found is None:
        walk = Walk(cells, keys, *how)
        call = Code(str(walk.module)).function("walk", *ARGUMENTS, result=ctypes.c_int64)
        found = Loop(call, addresses(walk.ranks_hands), walk.only_look)
        if len(kept) >= MOST_LOOPS:
            kept.clear()
        kept[keys.most, how] = found
    return found


class Simulator:
    """A game ready to run: rounds in, counts per cell out. Safe to call from several threads."""

    def __init__(
        self, cells: Cells, keys: Keys, cards: Sequence[int], source: str, checked: bool, whole_cards: bool = False,
        listed: bool = False,
    ) -> None:  # fmt: skip
        self.cells, self.keys = cells, keys
        loop = _loop(cells, keys, len(cards), source, checked, whole_cards, listed)
        self.cards = np.array([loop.look[c >> 2] for c in cards] if loop.look else cards, np.uint8)
        self._call, self._tables = loop.call, loop.tables

    def run(
        self,
        rounds: int,
        seed: int,
        chunk: int,
        strategy: NDArray[np.uint8],
        players: int = 1,
        cut: int = 0,
        warm_up: int = 0,
        pots: NDArray[np.int64] | None = None,
    ) -> NDArray[np.int64]:
        """Hands per cell of so many rounds of one stream; the rounds of the warm-up are played but not counted.

        `pots` (see `pot_counts`) takes, per wager between the players, rounds by the number of seats that shared it.
        """
        state = np.array([*stream_state(seed, chunk), 0], np.uint64)
        shoe = self.cards.copy()
        carried = np.zeros(max(1, players * len(self.keys.carried)), np.int64)
        strategy = np.ascontiguousarray(strategy)
        out = np.zeros(self.cells.size, np.int64)
        pots = pot_counts(self.cells) if pots is None else pots
        for n in (warm_up, rounds):
            out[:] = 0
            pots[:] = 0
            pointers = (x.ctypes.data for x in (state, shoe, strategy, out, carried, pots, self._tables))
            checked_code(self._call(n, players, cut, *pointers) if n else 0)
        return out

    def listed(
        self, rounds: int, seed: int, chunk: int, strategy: NDArray[np.uint8], players: int, warm_up: int
    ) -> NDArray[np.int64]:
        """The cell of every seat in every round, for a loop that lists them."""
        state = np.array([*stream_state(seed, chunk), 0], np.uint64)
        shoe = self.cards.copy()
        carried = np.zeros(max(1, players * len(self.keys.carried)), np.int64)
        out, pots = np.zeros((max(rounds, warm_up), players), np.int64), pot_counts(self.cells)
        strategy = np.ascontiguousarray(strategy)
        pointers = [x.ctypes.data for x in (state, shoe, strategy, out, carried, pots, self._tables)]
        for n in (warm_up, rounds):
            checked_code(self._call(n, players, 0, *pointers) if n else 0)
        return out[:rounds]

    def one_shoe(
        self, seed: int, chunk: int, strategy: NDArray[np.uint8], players: int, cut: int
    ) -> tuple[NDArray[np.uint8], list[int]]:
        """One shoe from its top until the cut card has shown: its cards in the order in which they left it, and how
        many were gone when each round began."""
        state = np.array([*stream_state(seed, chunk), 0], np.uint64)
        shoe = self.cards.copy()
        carried = np.zeros(max(1, players * len(self.keys.carried)), np.int64)
        out, pots, strategy = (
            np.zeros(self.cells.size, np.int64),
            pot_counts(self.cells),
            np.ascontiguousarray(strategy),
        )
        pointers = [x.ctypes.data for x in (state, shoe, strategy, out, carried, pots, self._tables)]
        starts = [0]
        while starts[-1] < cut:  # every call plays one round and leaves the shoe as it is
            checked_code(self._call(1, players, len(shoe) + 1, *pointers))
            starts.append(int(state[4]))
        return shoe, starts[:-1]


def simulator(
    cells: Cells,
    keys: Keys,
    cards: Sequence[int],
    source: str = "fresh",
    checked: bool = False,
    whole_cards: bool = False,
) -> Simulator:
    """Compile (or fetch from the cache) the loop for `fresh` rounds or a `shoe`; `whole_cards` keeps ranks and suits in
    the shoe also where the game looks at less."""
    return Simulator(cells, keys, cards, source, checked, whole_cards)


def dealt_cells(
    cells: Cells, keys: Keys, shoe: Composition, strategy: NDArray[np.uint8], *, chunk: int, chunks: int, seed: int
) -> NDArray[np.int64]:
    """Hands per cell of so many chunks of rounds for one seat, each round from a fresh shuffle of this shoe."""
    machine = simulator(cells, keys, shoe_cards(shoe))
    out: NDArray[np.int64] = np.zeros(cells.size, np.int64)
    for number in range(chunks):
        out += machine.run(chunk, seed, number, strategy)
    return out


def dealt_rounds(
    cells: Cells, keys: Keys, cards: Sequence[int], strategy: NDArray[np.uint8], players: int, warm_up: int = 0
) -> Callable[[int, int, int], NDArray[np.int64]]:
    """Rounds of a whole table, each from a fresh shuffle: of (rounds, seed, chunk), the cell of every seat by round."""
    machine = Simulator(cells, keys, cards, "shoe", checked=False, listed=True)
    return lambda rounds, seed, chunk: machine.listed(rounds, seed, chunk, strategy, players, warm_up)


def walk_deals(
    cells: Cells,
    keys: Keys,
    deals: NDArray[np.int64],
    strategy: NDArray[np.uint8],
    carried: Mapping[str, NDArray[np.int64]],
    checked: bool = True,
) -> NDArray[np.int64]:
    """The cell of each complete deal, by machine code: the referee's view of the compiled game."""
    walk = Walk(cells, keys, 52, "given", checked)
    call = Code(str(walk.module)).function("walk", *ARGUMENTS, result=ctypes.c_int64)
    state = np.zeros(5, np.uint64)
    cards = np.zeros((len(deals), walk.width), np.uint8)
    cards[:, : deals.shape[1]] = deals[:, : walk.width]
    kept = np.ascontiguousarray(
        np.stack([carried[n] for n in keys.carried], 1) if keys.carried else np.zeros((1, 1)), np.int64
    )
    out = np.full(len(deals), -1, np.int64)
    strategy = np.ascontiguousarray(strategy if len(strategy) else np.zeros(1, np.uint8))
    pointers = (x.ctypes.data for x in (state, cards, strategy, out, kept, np.zeros(1), addresses(walk.ranks_hands)))
    checked_code(call(len(deals), 1, 0, *pointers))
    return out


def checked_code(code: int) -> None:
    if code == RUN_OUT:
        raise BadInput("the shoe is too small: it ran out of cards in the middle of a round")
    if code:
        raise WalkError("an index ran out of bounds in the compiled walk")
