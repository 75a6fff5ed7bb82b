"""The pass over all boards and hands as machine code: how many hidden hands lie below, level with and above each hand.

For each board, the hidden hands and the player's are ranked and sorted. Then both are gone through in rising order: a
hidden hand adds one to a counter for each of its subsets, and a player's hand is answered by a signed sum of counters,
before and after the hidden hands of its own strength. What that is worth is for `streamed`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pitboss.compile.kinds import I64, Value, const
from pitboss.compile.ranking import gather
from pitboss.exact.hidden.counters import CLASS, KEY, Counters, Plan
from pitboss.rules.column import card_in, walk
from pitboss.rules.graph import When
from pitboss.rules.operations import HANDS

DIGIT = 8  # bits that are sorted at a time


class Sweep(Counters):
    """The function being written, up to how many hidden hands there are in each case."""

    def __init__(self, module: Any, name: str, plan: Plan) -> None:
        super().__init__(module, name, plan)
        self._prepare()
        with self.b.goto_entry_block():
            self.bins = self.b.alloca(I64, size=1 << DIGIT)
        self._write()

    def _prepare(self) -> None:
        """Room for what a subclass keeps."""

    def _board(self) -> None:
        """Before the hands of a board."""

    def _level(self) -> None:
        """Before the player's hands of one strength, where all depends on nothing else."""

    def _hand(self, i: Value, key: Value) -> None:
        """One hand of the player's."""
        raise NotImplementedError

    def _levelled(self) -> None:
        """After the player's hands of one strength."""

    def _gone(self) -> None:
        """After the hands of a board."""

    # ---- the whole

    def _write(self) -> None:
        duel, b = self.duel, self.b
        boards = len(duel.board_slots)
        with self.loop(self.argument["first"], self.argument["last"]) as (board, _):
            mask = const(0)
            for i, slot in enumerate(duel.board_slots):
                card = self.load("boards", b.add(b.mul(board, const(boards)), const(i)))
                self.bind(card_in(slot), card)
                mask = b.or_(mask, b.shl(const(1), card))
            self.weight = self.load("board_weight", board)
            self.board, self.mask = board, mask
            self._hoist()
            self._board()
            mine = self._list("mine", own=True)
            his = mine if self.plan.mirrored else self._list("his", own=False) if duel.hidden else const(0)
            self._sweep(mine, his)
            self._gone()
        b.ret(const(0))

    def _hoist(self) -> None:
        """What the board alone tells."""
        known = set(self.duel.board_slots)
        asked = (self.duel.feature, self.duel.against, *self.duel.told, *self.plan.said.values())
        wanted = [c for c in asked if c is not None]
        tops = [*wanted, *(n.condition for n in self.duel.graph.nodes if isinstance(n, When))]
        for col in walk(tops):
            if col.op in HANDS and len(col.args) >= 4:
                gather(self, [c for c in col.args if c.slots <= known])
            elif col.slots and col.slots <= known and col.op != "card":
                self.raw(col)

    def _bind_hand(self, array: str, hand: Value, slots: Sequence[int]) -> list[Value]:
        b = self.b
        cards = [self.load(array, b.add(b.mul(hand, const(len(slots))), const(i))) for i in range(len(slots))]
        for slot, card in zip(slots, cards, strict=True):
            self.bind(card_in(slot), card)
        return cards

    def _list(self, array: str, own: bool) -> Value:
        """The hands that avoid the board, each with what is compared and its class, sorted; how many there are."""
        duel, b = self.duel, self.b
        cards, masks = ("own", "own_mask") if own else ("held", "held_mask")
        slots = duel.own_slots if own else duel.hidden
        length = self.variable(const(0))
        with self.loop(const(0), self.argument["hands" if own else "hidden_hands"]) as (hand, after):
            met = b.and_(self.load(masks, hand), self.mask)
            self.unless(b.icmp_unsigned("!=", met, const(0)), after)
            held = self._bind_hand(cards, hand, slots)
            if own and self.plan.mirrored:
                for slot, card in zip(duel.hidden, held, strict=True):
                    self.bind(card_in(slot), card)
            compared = duel.against if own else duel.feature
            packed = hand
            if compared is not None:
                key = b.sub(self.number(compared), const(self.low))
                packed = b.or_(packed, b.shl(key, const(KEY)))
            if not own or self.plan.mirrored:
                packed = b.or_(packed, b.shl(self._class(), const(CLASS)))
            at = b.load(length)
            b.store(packed, b.gep(self.argument[array], [at]))
            b.store(b.add(at, const(1)), length)
        count = b.load(length)
        if duel.feature is not None:
            self._sort(array, count)
        return count

    def _sort(self, array: str, count: Value) -> None:
        """By what is compared, a digit at a time, there and back."""
        b = self.b
        top = max(c.hi for c in (self.duel.feature, self.duel.against) if c is not None) - self.low
        digits = -(-max(1, top.bit_length()) // DIGIT)
        for turn in range(digits + digits % 2):
            source, target = (array, f"{array}_too") if turn % 2 == 0 else (f"{array}_too", array)
            shift = const(KEY + DIGIT * turn)
            with self.loop(const(0), const(1 << DIGIT)) as (i, _):
                b.store(const(0), b.gep(self.bins, [i]))
            with self.loop(const(0), count) as (i, _):
                place = b.gep(self.bins, [self._digit(self.load(source, i), shift)])
                b.store(b.add(b.load(place), const(1)), place)
            total = self.variable(const(0))
            with self.loop(const(0), const(1 << DIGIT)) as (i, _):
                place = b.gep(self.bins, [i])
                here = b.load(place)
                b.store(b.load(total), place)
                b.store(b.add(b.load(total), here), total)
            with self.loop(const(0), count) as (i, _):
                value = self.load(source, i)
                place = b.gep(self.bins, [self._digit(value, shift)])
                at = b.load(place)
                b.store(value, b.gep(self.argument[target], [at]))
                b.store(b.add(at, const(1)), place)

    def _digit(self, value: Value, shift: Value) -> Value:
        return self.b.and_(self.b.lshr(value, shift), const((1 << DIGIT) - 1))

    # ---- the sweep

    @contextmanager
    def _while(self) -> Iterator[tuple[Any, Any]]:
        """A loop without an end of its own: yields the block that begins again and the one after it."""
        head, end = self.block("again"), self.block("done")
        self.b.branch(head)
        self.b.position_at_end(head)
        with self.scope():
            yield head, end
        self.b.branch(head)
        self.b.position_at_end(end)

    def _sweep(self, mine: Value, his: Value) -> None:
        b, duel = self.b, self.duel
        if duel.feature is not None:
            self._clear("now")
        if duel.classes > 1:
            self._clear("every")
            with self.loop(const(0), his) as (i, after):
                packed = self._his(i)
                if duel.rising is not None:
                    self.unless(b.icmp_unsigned("==", self._kind(packed), const(self.widths["every"])), after)
                self._enter(packed, "every")
        entered, at = self.variable(const(0)), self.variable(const(0))
        with self._while() as (_, end):
            start = b.load(at)
            self.unless(b.icmp_unsigned(">=", start, mine), end)
            key = b.lshr(self.load("mine", start), const(KEY))
            if duel.feature is not None:
                self._enter_while("<", key, entered, his)
            stop = self._alike(start, mine, key)
            if duel.feature is not None:
                with self.loop(start, stop) as (i, _):
                    for c, n in enumerate(self._answer("now", self._own_cards(i, "own_rising"))):
                        b.store(n, b.gep(self.argument["below"], [b.add(b.mul(i, const(duel.told_apart)), const(c))]))
            if duel.feature is not None:
                self._enter_while("<=", key, entered, his)
            with self.scope():
                if duel.plain:
                    assert duel.against is not None
                    self.bind(duel.against, b.add(key, const(self.low)))
                    self._level()
                with self.loop(start, stop) as (i, _):
                    cards = self._own_cards(i)
                    for slot, card in zip(duel.own_slots, cards, strict=True):
                        self.bind(card_in(slot), card)
                    if duel.against is not None and not duel.plain:
                        self.bind(duel.against, b.add(key, const(self.low)))
                    self._hand(i, key)
                if duel.plain:
                    self._levelled()
            b.store(stop, at)

    def _his(self, i: Value) -> Value:
        return self.load("mine" if self.plan.mirrored else "his", i)

    def _enter_while(self, sign: str, key: Value, entered: Value, his: Value) -> None:
        b = self.b
        with self._while() as (_, end):
            i = b.load(entered)
            self.unless(b.icmp_unsigned(">=", i, his), end)
            packed = self._his(i)
            fits = b.icmp_unsigned(sign, b.lshr(packed, const(KEY)), key)
            self.unless(b.not_(fits), end)
            self._enter(packed, "now")
            b.store(b.add(i, const(1)), entered)

    def _alike(self, start: Value, mine: Value, key: Value) -> Value:
        """Where the player's hands of the same strength end."""
        b = self.b
        if self.duel.feature is None:
            return mine
        at = self.variable(start)
        with self._while() as (_, end):
            i = b.load(at)
            self.unless(b.icmp_unsigned(">=", i, mine), end)
            self.unless(b.icmp_unsigned("!=", b.lshr(self.load("mine", i), const(KEY)), key), end)
            b.store(b.add(i, const(1)), at)
        return b.load(at)
