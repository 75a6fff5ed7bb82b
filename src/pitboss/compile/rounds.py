"""Whole shoes in machine code: what is left whenever a round begins, for many shoes in one call.

The same walk as the simulator's, with the same random stream and so the same cards, but nothing is settled: once a
round deals no more cards it is over. The number of cards is handed in, so that one piece of code serves every number of
decks of a game whose rules do not depend on it.
"""

import ctypes
from collections.abc import Sequence

import llvmlite.ir as ir
import numpy as np
from numpy.typing import NDArray

from pitboss.cards.streams import stream_state
from pitboss.compile.draws import Draws
from pitboss.compile.keys import Keys
from pitboss.compile.kinds import I8, I64, Value, const
from pitboss.compile.machine import ARGUMENTS, checked_code
from pitboss.compile.objects import Code
from pitboss.compile.ranking import addresses
from pitboss.compile.walk import Walk
from pitboss.ledger.cells import Cells
from pitboss.rules.errors import BadInput
from pitboss.rules.graph import Burn, Deal, Decide, Jump, Mark, Node, When

Ints = NDArray[np.int64]
NO_CARD = 3  # what the function returns when a round takes no card: the shoe would never come to its cut card
CARD = 64  # what a draw returns besides the number of the card; less is a mistake
STREAM = 8  # numbers of a stream


class _Draw(Draws):
    """The next card as a function of its own, which keeps the walk short: it is written down once and not hundreds of
    times. `stream` has the random state, the next word, the position, the discards and the number of cards."""

    def __init__(self, module: ir.Module) -> None:
        pointers = [("stream", I64), ("shoe", I8)]
        super().__init__(module, "draw", [(n, t.as_pointer()) for n, t in pointers])
        self.function.linkage = "internal"
        self.function.attributes.add("noinline")
        places = [self.b.gep(self.argument["stream"], [const(i)]) for i in range(STREAM)]
        self.random, (self.ready, self.position, self.discards, self.in_all) = places[:4], places[4:]
        self.b.ret(self.b.add(self._draw_dynamic(), const(CARD)))

    def _in_all(self) -> Value:
        return self.b.load(self.in_all)


class _Shoes(Walk):
    """The generator. `rounds` says how many shoes; `state` has their seeds, `shoe` room for the cards, then the cards
    of a full shoe, `out` takes how many were gone when each round began, and `pots` what was left."""

    def __init__(self, cells: Cells, keys: Keys) -> None:
        self.codes = cells.graph.codes
        super().__init__(cells, keys, 0, "shoe", checked=False, whole_cards=True)

    def _write(self) -> None:
        b = self.b
        self.draw = _Draw(self.module).function
        self.stream = b.alloca(I64, size=STREAM)
        places = [b.gep(self.stream, [const(i)]) for i in range(STREAM)]
        self.random, (self.ready, self.position, self.discards, in_all) = places[:4], places[4:]
        self._shared_places()
        self.row = self.variable(const(0))
        cards = self.load("state", const(0))
        b.store(cards, in_all)
        with self.loop(const(0), self.argument["rounds"]) as (shoe, _):
            self._fresh_shoe(shoe, cards)
            again, on = self.block("round"), self.block("cut_card")
            b.branch(again)
            b.position_at_end(again)
            with self.scope():
                self._round(again, on)
            b.position_at_end(on)
        b.store(b.load(self.row), b.gep(self.argument["state"], [const(0)]))
        b.ret(const(0))

    def _fresh_shoe(self, shoe: Value, cards: Value) -> None:
        b = self.b
        # seeds come after the number of cards, and how many there are of each
        seed = b.add(b.mul(shoe, const(4)), const(1 + self.codes))
        for i, place in enumerate(self.random):
            b.store(self.load("state", b.add(seed, const(i))), place)
        b.store(self._scrambled(b.load(self.random[1])), self.ready)
        b.store(const(0), self.position)
        with self.loop(const(0), cards) as (i, _):
            card = b.load(b.gep(self.argument["shoe"], [b.add(cards, i)]))
            b.store(card, b.gep(self.argument["shoe"], [i]))
        with self.loop(const(0), b.mul(self.argument["players"], const(len(self.keys.carried)))) as (i, _):
            b.store(const(0), b.gep(self.argument["carried"], [i]))
        first = b.mul(b.load(self.row), const(self.codes))
        with self.loop(const(0), const(self.codes)) as (i, _):
            b.store(self.load("state", b.add(i, const(1))), b.gep(self.argument["pots"], [b.add(first, i)]))

    def _round(self, again: Value, on: Value) -> None:
        """One round, then the next one's row, unless the cut card has shown."""
        b = self.b
        row, begin = b.load(self.row), b.load(self.position)
        b.store(begin, b.gep(self.argument["out"], [row]))
        b.store(begin, self.discards)
        for count in self.have.values():
            b.store(const(0), count)
        with self.loop(const(0), self.argument["players"]) as (seat, _):
            self._seat(seat)
        end = b.load(self.position)
        with b.if_then(b.icmp_unsigned("==", begin, end), likely=False):
            b.ret(const(NO_CARD))
        after = b.add(row, const(1))
        b.store(after, self.row)
        more = self.block("more")
        b.cbranch(b.icmp_unsigned("<", end, self.argument["cut"]), more, on)
        b.position_at_end(more)
        here, there = b.mul(row, const(self.codes)), b.mul(after, const(self.codes))
        with self.loop(const(0), const(self.codes)) as (i, _):
            left = self.load("pots", b.add(here, i))
            b.store(left, b.gep(self.argument["pots"], [b.add(there, i)]))
        with self.loop(begin, end) as (i, _):
            self.add_to("pots", b.add(there, self.load("shoe", i)), const(-1))
        b.branch(again)

    def _draw_dynamic(self) -> Value:
        b = self.b
        found = b.call(self.draw, [self.stream, self.argument["shoe"], self.argument["tables"]])
        with b.if_then(b.icmp_unsigned("<", found, const(CARD)), likely=False):
            b.ret(found)
        return b.sub(found, const(CARD))

    def _visit(self, point: Node) -> None:
        if self.keys.carried or not _dealt_out(point):
            super()._visit(point)
            return
        self._deal(point)
        self.b.branch(self.done)

    def _count(self, point: Node) -> None:
        """Only what a seat carries over can matter to the rounds that follow."""
        for i, value in enumerate(self._settle(point)[1:]):
            index = self.b.add(self.b.mul(self.seat, const(len(self.keys.carried))), const(i))
            self.b.store(value, self.b.gep(self.argument["carried"], [index]))
        self.b.branch(self.done)


def _dealt_out(point: Node) -> bool:
    """Whether no card leaves the shoe after this point."""
    seen, waiting = set[int](), [point]
    while waiting:
        here = waiting.pop()
        onward = here.kids if isinstance(here, Decide | When | Mark) else []
        for kid in [here.target] if isinstance(here, Jump) else onward:
            if any(isinstance(e, Deal | Burn) for e in kid.events):
                return False
            if kid.id not in seen:
                seen.add(kid.id)
                waiting.append(kid)
    return True


class ShoeRounds:
    """A game ready to be dealt shoe by shoe. Safe to call from several threads."""

    def __init__(self, cells: Cells, keys: Keys, cards: Sequence[int]) -> None:
        self.keys, self.codes = keys, cells.graph.codes
        self.cards = np.array(cards, np.uint8)
        walk = _Shoes(cells, keys)
        self._call = Code(str(walk.module)).function("walk", *ARGUMENTS, result=ctypes.c_int64)
        self._tables = addresses(walk.ranks_hands)
        self._fewest = max(1, sum(len(e.slots) for e in cells.graph.root.events if isinstance(e, Deal)))

    def deal(
        self, seed: int, numbers: Sequence[int], strategy: NDArray[np.uint8], players: int, cut: int
    ) -> tuple[Ints, Ints]:
        """These shoes, each from its top until the cut card has shown: cards gone when each round began, and how many
        were left of each code. A shoe's first round has none gone."""
        seeds = [word for number in numbers for word in stream_state(seed, number)]
        state = np.array([len(self.cards), *np.bincount(self.cards, minlength=self.codes).tolist(), *seeds], np.uint64)
        shoe = np.tile(self.cards, 2)
        most = len(numbers) * (max(0, cut - 1) // self._fewest + 1)
        gone, left = np.zeros(most, np.int64), np.empty((most, self.codes), np.int64)
        carried = np.zeros(max(1, players * len(self.keys.carried)), np.int64)
        strategy = np.ascontiguousarray(strategy)
        pointers = (x.ctypes.data for x in (state, shoe, strategy, gone, carried, left, self._tables))
        code = self._call(len(numbers), players, cut, *pointers)
        if code == NO_CARD:
            raise BadInput("a round can be over before a card is dealt: such a shoe never comes to its cut card")
        checked_code(code)
        rounds = int(state[0])
        return gone[:rounds], left[:rounds]
