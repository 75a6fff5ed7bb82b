"""The simulator's machine code: deal, walk the graph, look each choice up, count the cell. One fused loop per game.

Three sources of cards, one walk:
- fresh: every round from a full shoe. The first cards of a random permutation are drawn by partial Fisher-Yates over an
  array that is never put back in order: any order is as good a start as any other.
- shoe: round after round without replacement until the cut card, several seats sharing what lies before the house.
  Drawing at random from what is left is dealing from a shuffled shoe, and the order in which seats take their cards
  does not matter to the distribution (see docs/design.md).
- given: complete deals handed in, for the referee.
"""

from collections.abc import Sequence
from typing import Any

import llvmlite.ir as ir

from pitboss.cards.streams import batches
from pitboss.compile.draws import Draws
from pitboss.compile.foresight import joined, last_slot, only_look
from pitboss.compile.keys import Keys
from pitboss.compile.kinds import I8, I64, Value, const
from pitboss.ledger.cells import Cells, Digit
from pitboss.rules.column import Column, card_in, node
from pitboss.rules.graph import PLAYER, Burn, Deal, Decide, End, Jump, Mark, Node, When

BURNT = ""  # the discard rack among the places that all seats share: no place is called so
MOST_SEATS = 8  # room for what each seat holds of a wager between the players
OPEN_WIDTH = 128  # cards of one deal handed in for the referee, of a game whose hands can have any number


class Walk(Draws):
    """The generator of all three loops."""

    def __init__(
        self, cells: Cells, keys: Keys, cards: int, source: str, checked: bool, whole_cards: bool = False,
        listed: bool = False,
    ) -> None:  # fmt: skip
        self.cells, self.keys, self.cards, self.source, self.listed = cells, keys, cards, source, listed
        self.open_ended = cells.graph.open_ended
        self.width = OPEN_WIDTH if self.open_ended else cells.graph.most_cards()
        pointers = [("state", I64), ("shoe", I8), ("strategy", I8), ("out", I64), ("carried", I64), ("pots", I64)]
        arguments = [("rounds", I64), ("players", I64), ("cut", I64), *((n, t.as_pointer()) for n, t in pointers)]
        super().__init__(ir.Module("walk"), "walk", arguments, checked)
        self.shared: dict[str, Value] = {}
        self.have: dict[str, Value] = {}
        self.ordinal: dict[str, Value] = {}
        self.pots: dict[str, Value] = {}  # wagers between the players: what every seat holds
        self.ahead: list[Value] = []  # which cards open the next round
        self.at_mark: dict[int, tuple[Any, list[Value]]] = {}  # mark -> its block and its registers
        self.only_look = only_look(cells) if source != "given" and not whole_cards else None
        self._write()

    # ---- loops

    def _write(self) -> None:
        b = self.b
        self.random = [self.variable(self.load("state", const(i))) for i in range(4)]
        self.ready = self.variable(self._scrambled(self.load("state", const(1))))
        self.position = self.variable(self.load("state", const(4)))
        self.discards = self.variable(const(0))  # cards of earlier rounds, to go on with when the shoe runs out
        if self.source == "shoe":
            self._shared_places()
            for name in self.cells.between_players:
                with b.goto_entry_block():
                    self.pots[name] = b.alloca(I64, size=MOST_SEATS)
        if self.source == "fresh" and self.open_ended:
            opening = sum(len(e.slots) for e in self.cells.graph.root.events if isinstance(e, Deal))
            self.ahead = [self.variable_at_entry() for _ in range(opening)]
            self._draw_ahead()
        with self.loop(const(0), self.argument["rounds"]) as (r, _):
            self.round = r
            if self.source == "shoe":
                reached = b.icmp_unsigned(">=", b.load(self.position), self.argument["cut"])
                b.store(b.select(reached, const(0), b.load(self.position)), self.position)
                b.store(b.load(self.position), self.discards)
                for count in self.have.values():
                    b.store(const(0), count)
                with self.loop(const(0), self.argument["players"]) as (seat, _):
                    self._seat(seat)
                for number, name in enumerate(self.pots):
                    self._pot(number, name)
            else:
                b.store(const(0), self.position)
                self._seat(const(0))
        for i, place in enumerate((*self.random, self.position)):  # the stream and the shoe go on in the next call
            b.store(b.load(place), b.gep(self.argument["state"], [const(i)]))
        b.ret(const(0))

    def _shared_places(self) -> None:
        """Room for the cards that are dealt once for all seats: how many lie at each place, and which of them the seat
        that plays comes to next."""
        for place in (*self.cells.graph.places, BURNT):
            with self.b.goto_entry_block():
                self.shared[place] = self.b.alloca(I64, size=self.width + 1)
            self.have[place], self.ordinal[place] = self.variable(const(0)), self.variable(const(0))

    def _seat(self, seat: Value) -> None:
        """One seat's round; every path comes together in one block."""
        self.done = self.block("settled")
        self.base_scopes = len(self.scopes)
        names = self.keys.carried
        which = self.round if self.source == "given" else seat
        for i, (name, highest) in enumerate(names.items()):
            index = self.b.add(self.b.mul(which, const(len(names))), const(i))
            self.bind(node("carried", (name,), 0, highest), self.load("carried", index))
        self.seat = seat
        self.at_mark.clear()
        for count in self.ordinal.values():
            self.b.store(const(0), count)
        self._visit(self.cells.graph.root)
        self.b.position_at_end(self.done)

    def _go(self, mark: Mark, values: Sequence[Column]) -> None:
        """To a mark: its registers take what this way brings."""
        b = self.b
        brought = [self.number(v) for v in values]
        known = mark.id in self.at_mark
        if not known:
            self.at_mark[mark.id] = self.block("mark"), [self.variable_at_entry() for _ in mark.registers]
        block, registers = self.at_mark[mark.id]
        for place, value in zip(registers, brought, strict=True):
            b.store(value, place)
        b.branch(block)
        if known:
            return
        b.position_at_end(block)
        outside, self.scopes = self.scopes, self.scopes[: self.base_scopes]  # nothing from before the mark
        with self.scope():
            for register, place in zip(mark.registers, registers, strict=True):
                self.bind(register, b.load(place))
            self._visit(mark.kids[0])
        self.scopes = outside

    def _visit(self, point: Node) -> None:
        b = self.b
        self._deal(point)
        if isinstance(point, Mark | Jump):
            self._go(point.target, point.values)
        elif joined(point):
            self._count(point)
        elif isinstance(point, When):
            sides = self.block("true"), self.block("false")
            b.cbranch(self.truth(point.condition), *sides)
            for side, kid in zip(sides, point.kids, strict=True):
                b.position_at_end(side)
                with self.scope():
                    self._visit(kid)
        elif isinstance(point, Decide):
            choice = self._look_up(point)
            sides = tuple(self.block(f"choice_{c}") for c in range(len(point.kids)))
            switch = b.switch(choice, sides[-1])
            for i, side in enumerate(sides[:-1]):
                switch.add_case(const(i), side)
            for side, kid in zip(sides, point.kids, strict=True):
                b.position_at_end(side)
                with self.scope():
                    self._visit(kid)

    def _make(self, col: Column) -> Value:
        if col.op == "lookup" and col.args[0] == self.only_look:
            return self.number(col.args[1].args[0])  # the shoe holds what the game looks up
        return super()._make(col)

    def _look_up(self, point: Decide) -> Value:
        key = self.keys.of_node[point.id]
        index = const(0)
        by_value = self.keys.by_value(point)
        for _, col in point.by if by_value else ():
            place = self.place(col)
            index = self.b.add(self.b.mul(index, const(col.hi - col.lo + 1)), place)
        for name, highest in self.keys.carried.items() if not by_value else ():
            index = self.b.add(self.b.mul(index, const(highest + 1)), self.number(node("carried", (name,), 0, highest)))
        for slot in key.slots:
            index = self.b.add(self.b.mul(index, const(self.keys.graph.codes)), self.number(card_in(slot)))
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
            if self.listed:
                hand = self.b.add(self.b.mul(self.round, self.argument["players"]), self.seat)
                self.b.store(cell, self.b.gep(self.argument["out"], [hand]))
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

    def _deal(self, point: Node) -> None:
        if self.source == "fresh" and not self.open_ended:
            slots = [s for e in point.events if isinstance(e, Deal) for s in e.slots]
            for run in batches([self.cards - s for s in slots]):
                self._draw_static(slots[: len(run)], last=last_slot(point))
                slots = slots[len(run) :]
            return
        if self.source == "fresh" and point is self.cells.graph.root:
            for slot, pick in enumerate(self.ahead):
                self._take(self.b.add(self.b.load(pick), const(slot)), const(slot), slot)
            self.b.store(const(len(self.ahead)), self.position)
            self._draw_ahead()
            return
        for event in point.events:
            if isinstance(event, Deal):
                for slot in event.slots:
                    self._deal_one(event.who, slot)
            elif isinstance(event, Burn) and self.source == "shoe":
                for _ in range(event.count):
                    self._from_shared(BURNT)

    def _draw_ahead(self) -> None:
        """The opening cards of the next round: nothing in this one waits for them, and the next need not."""
        slots = list(range(len(self.ahead)))
        for run in batches([self.cards - s for s in slots]):
            for slot, pick in zip(slots, self._picks(slots[: len(run)]), strict=False):
                self.b.store(pick, self.ahead[slot])
            slots = slots[len(run) :]

    def _deal_one(self, who: str, slot: int) -> None:
        if self.source == "given":
            position = self.b.load(self.position)
            self.check(position, self.width)
            card = self.load("shoe", self.b.add(self.b.mul(self.round, const(self.width)), position))
            self.b.store(self.b.add(position, const(1)), self.position)
        elif self.source == "fresh":
            card = self._draw_dynamic()
        else:
            card = self._draw_dynamic() if who == PLAYER else self._from_shared(who)
        self.bind(card_in(slot), card)

    def _from_shared(self, place: str) -> Value:
        """The cards of the house's places are drawn once, by the first seat that comes to them."""
        b = self.b
        k = b.load(self.ordinal[place])
        b.store(b.add(k, const(1)), self.ordinal[place])
        card = b.gep(self.shared[place], [k])
        with b.if_then(b.icmp_unsigned("<=", b.load(self.have[place]), k)):
            b.store(self._draw_dynamic(), card)
            b.store(b.add(k, const(1)), self.have[place])
        return b.load(card)
