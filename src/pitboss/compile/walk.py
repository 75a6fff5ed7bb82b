"""The simulator's machine code: deal, walk the graph, look each choice up, count the cell. One fused loop per game.

Three sources of cards, one walk:
- fresh: every round from a full shoe. The first cards of a random permutation are drawn by partial Fisher-Yates over an
  array that is never put back in order: any order is as good a start as any other.
- shoe: round after round without replacement until the cut card, several seats sharing dealer and board.
  Drawing at random from what is left is dealing from a shuffled shoe, and the order in which seats take their cards
  does not matter to the distribution (see docs/design.md).
- given: complete deals handed in, for the referee.
"""

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

import llvmlite.ir as ir
import numpy as np
from numpy.typing import NDArray

from pitboss.cards.streams import batches, stream_state
from pitboss.compile.cells import Cells, Digit
from pitboss.compile.draws import Draws
from pitboss.compile.kinds import I8, I64, Value, const
from pitboss.compile.objects import Code
from pitboss.compile.ranking import addresses
from pitboss.rules.column import node
from pitboss.rules.errors import BadInput
from pitboss.rules.graph import PLAYER, Burn, Deal, Decide, End, Graph, Node, When

MOST_KEYS = 1 << 28
MOST_SEATS = 8  # room for what each seat holds of a wager between the players
MOST_JOINED = 16  # ends that are settled side by side without a jump


class WalkError(RuntimeError):
    """The debug build caught an index out of bounds: a defect of pitboss."""


@dataclass(frozen=True)
class Key:
    """Where a decision's answers stand in the strategy array: mixed radix over carried values and visible cards."""

    offset: int
    slots: tuple[int, ...]
    size: int


class Keys:
    """The layout of the strategy array: one byte, the number of the choice, per decision and thing seen."""

    def __init__(self, graph: Graph) -> None:
        self.carried = dict(graph.carried)
        self.of_node: dict[int, Key] = {}
        offset = 0
        for decision in graph.decisions():
            slots = tuple(s for g in decision.seen() for s in g.slots)
            size = prod(h + 1 for h in self.carried.values()) * 52 ** len(slots)
            self.of_node[decision.id] = Key(offset, slots, size)
            offset += size
        if offset > MOST_KEYS:
            raise BadInput("too many cards are visible at a decision for a strategy table; at most four can be")
        self.size = offset

    def index(
        self, decision: Decide, deals: NDArray[np.int64], carried: Mapping[str, NDArray[np.int64]]
    ) -> NDArray[np.int64]:
        """The place of each round's answer."""
        key = self.of_node[decision.id]
        out = np.zeros(len(deals), np.int64)
        for name, highest in self.carried.items():
            out = out * (highest + 1) + carried[name]
        for slot in key.slots:
            out = out * 52 + deals[:, slot]
        return out + key.offset


class _Walk(Draws):
    """The generator of all three loops."""

    def __init__(self, cells: Cells, keys: Keys, cards: int, source: str, checked: bool) -> None:
        self.cells, self.keys, self.cards, self.source = cells, keys, cards, source
        self.width = cells.graph.most_cards()
        pointers = [("state", I64), ("shoe", I8), ("strategy", I8), ("out", I64), ("carried", I64), ("pots", I64)]
        arguments = [("rounds", I64), ("players", I64), ("cut", I64), *((n, t.as_pointer()) for n, t in pointers)]
        super().__init__(ir.Module("walk"), "walk", arguments, checked)
        self.shared: dict[str, Value] = {}
        self.have: dict[str, Value] = {}
        self.pots: dict[str, Value] = {}  # wagers between the players: what every seat holds
        self._write()

    # ---- loops

    def _write(self) -> None:
        b = self.b
        self.random = [self.variable(self.load("state", const(i))) for i in range(4)]
        self.position = self.variable(self.load("state", const(4)))
        if self.source == "shoe":
            for who in ("dealer", "board", "burn"):
                with b.goto_entry_block():
                    self.shared[who] = b.alloca(I64, size=self.width + 1)
                self.have[who] = self.variable(const(0))
            for name in self.cells.between_players:
                with b.goto_entry_block():
                    self.pots[name] = b.alloca(I64, size=MOST_SEATS)
        with self.loop(const(0), self.argument["rounds"]) as (r, _):
            self.round = r
            if self.source == "shoe":
                reached = b.icmp_unsigned(">=", b.load(self.position), self.argument["cut"])
                b.store(b.select(reached, const(0), b.load(self.position)), self.position)
                for count in self.have.values():
                    b.store(const(0), count)
                with self.loop(const(0), self.argument["players"]) as (seat, _):
                    self._seat(seat)
                for number, name in enumerate(self.pots):
                    self._pot(number, name)
            else:
                self._seat(const(0))
        for i, place in enumerate((*self.random, self.position)):  # the stream and the shoe go on in the next call
            b.store(b.load(place), b.gep(self.argument["state"], [const(i)]))
        b.ret(const(0))

    def _seat(self, seat: Value) -> None:
        """One seat's round; every path comes together in one block."""
        self.done = self.block("settled")
        names = self.keys.carried
        which = self.round if self.source == "given" else seat
        for i, (name, highest) in enumerate(names.items()):
            index = self.b.add(self.b.mul(which, const(len(names))), const(i))
            self.bind(node("carried", (name,), 0, highest), self.load("carried", index))
        self.seat = seat
        self._visit(self.cells.graph.root, {"dealer": 0, "board": 0, "burn": 0})
        self.b.position_at_end(self.done)

    def _visit(self, point: Node, ordinal: Mapping[str, int]) -> None:
        b = self.b
        ordinal = self._deal(point, dict(ordinal))
        if _joined(point):
            self._count(point)
        elif isinstance(point, When):
            sides = self.block("true"), self.block("false")
            b.cbranch(self.truth(point.condition), *sides)
            for side, kid in zip(sides, point.kids, strict=True):
                b.position_at_end(side)
                with self.scope():
                    self._visit(kid, ordinal)
        elif isinstance(point, Decide):
            choice = self._look_up(point)
            sides = tuple(self.block(f"choice_{c}") for c in range(len(point.kids)))
            switch = b.switch(choice, sides[-1])
            for i, side in enumerate(sides[:-1]):
                switch.add_case(const(i), side)
            for side, kid in zip(sides, point.kids, strict=True):
                b.position_at_end(side)
                with self.scope():
                    self._visit(kid, ordinal)

    def _look_up(self, point: Decide) -> Value:
        key = self.keys.of_node[point.id]
        index = const(0)
        for name, highest in self.keys.carried.items():
            index = self.b.add(self.b.mul(index, const(highest + 1)), self.number(node("carried", (name,), 0, highest)))
        for slot in key.slots:
            index = self.b.add(self.b.mul(index, const(52)), self.number(node("card", (slot,), 0, 51)))
        choice = self.load("strategy", self.b.add(index, const(key.offset)), self.keys.size)
        self.check(choice, len(point.kids))
        return choice

    def _count(self, point: Node) -> None:
        """Add one to the round's cell. Which way a round goes is as random as its cards, and a jump that the processor
        guesses wrong costs more than settling every way and selecting one."""
        shared = self._number(0, self.cells.shared)
        own, *kept = self._settle(point)
        carries, holds = kept[: len(self.keys.carried)], kept[len(self.keys.carried) :]
        cell = self.b.add(shared, self.b.mul(own, const(self.cells.shared_size)))
        if self.source == "given":
            self.b.store(cell, self.b.gep(self.argument["out"], [self.round]))
        else:
            self.add_to("out", cell, const(1), self.cells.size)
            for i, value in enumerate(carries):
                index = self.b.add(self.b.mul(self.seat, const(len(carries))), const(i))
                self.b.store(value, self.b.gep(self.argument["carried"], [index]))
            for place, value in zip(self.pots.values(), holds, strict=True):
                self.b.store(value, self.b.gep(place, [self.seat]))
        self.b.branch(self.done)

    def _pot(self, number: int, name: str) -> None:
        """Count how many seats share a wager between the players: those that hold the highest value."""
        b = self.b
        best, winners = self.variable(const(-(1 << 63))), self.variable(const(0))
        with self.loop(const(0), self.argument["players"]) as (seat, _):
            value = b.load(b.gep(self.pots[name], [seat]))
            top = b.load(best)
            more = b.select(b.icmp_signed("==", value, top), b.add(b.load(winners), const(1)), b.load(winners))
            higher = b.icmp_signed(">", value, top)
            b.store(b.select(higher, const(1), more), winners)
            b.store(b.select(higher, value, top), best)
        self.add_to("pots", b.add(const(number * (MOST_SEATS + 1)), b.load(winners)), const(1))

    def _settle(self, point: Node) -> list[Value]:
        """The cell, less what all ends share, and the carried values, whichever way the round goes from here."""
        if isinstance(point, End):
            leaf = self.cells.of_node[point.id]
            own = self._number(leaf.offset // self.cells.shared_size, leaf.digits[len(self.cells.shared) :])
            holds = (self.number(point.shares[name]) for name in self.pots)
            kept = {d.names[0]: d.index for d in leaf.digits if d.carried}
            return [own, *(self.number(kept[name]) for name in self.keys.carried), *holds]
        assert isinstance(point, When | Decide)
        kids = [self._settle(kid) for kid in point.kids]
        if isinstance(point, When):
            return self._select(self.truth(point.condition), *kids)
        choice, out = self._look_up(point), kids[-1]  # looked up late: one value less to keep in a register meanwhile
        for i, kid in enumerate(kids[:-1]):
            out = self._select(self.b.icmp_unsigned("==", choice, const(i)), kid, out)
        return out

    def _select(self, condition: Value, yes: list[Value], no: list[Value]) -> list[Value]:
        return [x if x is y else self.b.select(condition, x, y) for x, y in zip(yes, no, strict=True)]

    def _number(self, start: int, digits: Sequence[Digit]) -> Value:
        """Mixed radix, the first digit counting least."""
        out, radix = const(start), 1
        for d in digits:
            out = self.b.add(out, self.b.mul(self.number(d.index), const(radix)))
            radix *= len(d.values)
        return out

    # ---- cards

    def _deal(self, point: Node, ordinal: dict[str, int]) -> dict[str, int]:
        if self.source == "fresh":
            slots = [s for e in point.events if isinstance(e, Deal) for s in e.slots]
            for run in batches([self.cards - s for s in slots]):
                self._draw_static(slots[: len(run)], last=_last_slot(point))
                slots = slots[len(run) :]
            return ordinal
        for event in point.events:
            if isinstance(event, Deal):
                for slot in event.slots:
                    self._deal_one(event.who, slot, ordinal)
            elif isinstance(event, Burn) and self.source == "shoe":
                for _ in range(event.count):
                    self._from_shared("burn", ordinal)
        return ordinal

    def _deal_one(self, who: str, slot: int, ordinal: dict[str, int]) -> None:
        if self.source == "given":
            index = self.b.add(self.b.mul(self.round, const(self.width)), const(slot))
            card = self.load("shoe", index)
        else:
            card = self._draw_dynamic() if who == PLAYER else self._from_shared(who, ordinal)
        self.bind(node("card", (slot,), 0, 51), card)

    def _from_shared(self, who: str, ordinal: dict[str, int]) -> Value:
        """The dealer's and the board's cards are drawn once, by the first seat that comes to them."""
        b, k = self.b, ordinal[who]
        ordinal[who] += 1
        place = b.gep(self.shared[who], [const(k)])
        with b.if_then(b.icmp_unsigned("<=", b.load(self.have[who]), const(k))):
            b.store(self._draw_dynamic(), place)
            b.store(const(k + 1), self.have[who])
        return b.load(place)


def _joined(point: Node) -> bool:
    """Whether no card is dealt after this point and the ways to go from it are few."""
    ends, waiting = 0, [point]
    while waiting:
        here = waiting.pop()
        if here is not point and any(isinstance(e, Deal | Burn) for e in here.events):
            return False
        if isinstance(here, End):
            ends += 1
        elif isinstance(here, When | Decide):
            waiting.extend(here.kids)
    return ends <= MOST_JOINED


def _last_slot(point: Node) -> int:
    """The slot that is dealt last on every way on from here, or -1."""
    if isinstance(point, End):
        return max((s for g in point.groups for s in g.slots), default=-1)
    assert isinstance(point, When | Decide)
    lasts = {_last_slot(kid) for kid in point.kids}
    return lasts.pop() if len(lasts) == 1 else -1


_ARGUMENTS = (ctypes.c_int64,) * 3 + (ctypes.c_void_p,) * 7


class Simulator:
    """A game ready to run: rounds in, counts per cell out. Safe to call from several threads."""

    def __init__(self, cells: Cells, keys: Keys, cards: Sequence[int], source: str, checked: bool) -> None:
        self.cells, self.keys = cells, keys
        self.cards = np.asarray(cards, np.uint8)
        walk = _Walk(cells, keys, len(cards), source, checked)
        self._call = Code(str(walk.module)).function("walk", *_ARGUMENTS, result=ctypes.c_int64)
        self._tables = addresses(walk.ranks_hands)

    def pot_counts(self) -> NDArray[np.int64]:
        return np.zeros((max(1, len(self.cells.between_players)), MOST_SEATS + 1), np.int64)

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
        pots = self.pot_counts() if pots is None else pots
        for n in (warm_up, rounds):
            out[:] = 0
            pots[:] = 0
            pointers = (x.ctypes.data for x in (state, shoe, strategy, out, carried, pots, self._tables))
            if n and self._call(n, players, cut, *pointers):
                raise WalkError("an index ran out of bounds in the compiled walk")
        return out


def simulator(
    cells: Cells, keys: Keys, cards: Sequence[int], source: str = "fresh", checked: bool = False
) -> Simulator:
    """Compile (or fetch from the cache) the loop for `fresh` rounds or a `shoe`."""
    return Simulator(cells, keys, cards, source, checked)


def walk_deals(
    cells: Cells,
    keys: Keys,
    deals: NDArray[np.int64],
    strategy: NDArray[np.uint8],
    carried: Mapping[str, NDArray[np.int64]],
    checked: bool = True,
) -> NDArray[np.int64]:
    """The cell of each complete deal, by machine code: the referee's view of the compiled game."""
    walk = _Walk(cells, keys, 52, "given", checked)
    call = Code(str(walk.module)).function("walk", *_ARGUMENTS, result=ctypes.c_int64)
    state = np.zeros(5, np.uint64)
    cards = np.ascontiguousarray(deals, np.uint8)
    kept = np.ascontiguousarray(
        np.stack([carried[n] for n in keys.carried], 1) if keys.carried else np.zeros((1, 1)), np.int64
    )
    out = np.full(len(deals), -1, np.int64)
    strategy = np.ascontiguousarray(strategy if len(strategy) else np.zeros(1, np.uint8))
    if call(
        len(deals),
        1,
        0,
        *(x.ctypes.data for x in (state, cards, strategy, out, kept, np.zeros(1), addresses(walk.ranks_hands))),
    ):
        raise WalkError("an index ran out of bounds in the compiled walk")
    return out
