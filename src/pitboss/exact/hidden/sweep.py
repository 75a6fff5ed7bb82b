"""The pass over all boards and hands as machine code: how many hidden hands lie below, level with and above each hand.

For each board, the hidden hands and the player's are ranked and sorted. Then both are gone through in rising order: a
hidden hand adds one to a counter for each of its subsets, and a player's hand is answered by a signed sum of counters,
before and after the hidden hands of its own strength. What that is worth is for `streamed`.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

from pitboss.compile.emit import Emitter
from pitboss.compile.kinds import I8, I32, I64, Value, const
from pitboss.compile.ranking import gather
from pitboss.exact.hidden.duel import Duel
from pitboss.exact.hidden.sights import Sight
from pitboss.ledger.cells import Cells
from pitboss.rules.column import Column, card_in, walk
from pitboss.rules.graph import When
from pitboss.rules.operations import HANDS

BELOW, LEVEL, ABOVE = 0, 1, 2  # the hidden hand against the player's
KEY, CLASS = 40, 32  # bits of a sorted number: what is compared, the class of a hidden hand, which hand it is
DIGIT = 8  # bits that are sorted at a time
NUMBERS = ("first", "last", "hands", "hidden_hands")
POINTERS = {
    "boards": I8, "board_weight": I64, "own": I8, "own_rising": I8, "own_mask": I64, "own_weight": I64,
    "own_seen": I32, "held": I8, "held_mask": I64, "choose": I64, "units": I64, "mine": I64, "mine_too": I64,
    "his": I64, "his_too": I64, "now": I64, "every": I64, "below": I64, "kept": I64, "ids": I32, "renamings": I8,
    "moved": I32, "sums": I64, "policy": I8, "answers": I8, "out": I64,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Plan:
    """What the function is to do, and where the parts of its arrays begin."""

    duel: Duel
    cells: Cells
    sights: dict[int, Sight]
    kind: str  # "worth": what choices are worth; "law": where rounds end; "rows": worth at decisions that see all
    tables: tuple[int, ...]  # decisions with a table, by node id
    ways: tuple[tuple[int, ...], ...]  # assignments
    board_at: dict[int, int]  # decision -> where its classes of boards begin in `ids` and `renamings`
    moved_at: dict[int, int]  # own cards seen -> where their numbers begin in `moved`
    table_at: dict[int, int]  # decision -> where it begins in `sums`
    policy_at: dict[int, int]  # and in `policy`; a decision that sees everything too, if its choices are given
    seen_at: dict[int, int]  # decision -> where the numbers of what it sees of each hand begin in `own_seen`
    answers_at: dict[int, int]  # decision -> where a given strategy's answers begin; empty: the best is played
    said: dict[int, Column]  # decision -> the number of the choice that a rule makes

    @property
    def most(self) -> int:
        """Cards of the largest subset that has a counter. A hidden hand that is the player's very hand is put right by
        itself, where the two are equally long."""
        q, h = len(self.duel.own_slots), len(self.duel.hidden)
        return h - 1 if q == h else min(q, h)

    @property
    def counters(self) -> int:
        return sum(comb(52, k) for k in range(self.most + 1)) * self.duel.classes


class Sweep(Emitter):
    """The function being written, up to how many hidden hands there are in each case."""

    def __init__(self, module: Any, name: str, plan: Plan) -> None:
        arguments = [(n, I64) for n in NUMBERS] + [(n, t.as_pointer()) for n, t in POINTERS.items()]
        super().__init__(module, name, arguments)
        self.plan, self.duel = plan, plan.duel
        self.classes = range(self.duel.classes)
        self.sides = (BELOW, LEVEL, ABOVE) if self.duel.feature is not None else (LEVEL,)
        self.low = min((c.lo for c in (self.duel.feature, self.duel.against) if c is not None), default=0)
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
            his = mine if duel.mirrored else self._list("his", own=False) if duel.hidden else const(0)
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
            if own and duel.mirrored:
                for slot, card in zip(duel.hidden, held, strict=True):
                    self.bind(card_in(slot), card)
            compared = duel.against if own else duel.feature
            packed = hand
            if compared is not None:
                key = b.sub(self.number(compared), const(self.low))
                packed = b.or_(packed, b.shl(key, const(KEY)))
            if not own or duel.mirrored:
                packed = b.or_(packed, b.shl(self._class(), const(CLASS)))
            at = b.load(length)
            b.store(packed, b.gep(self.argument[array], [at]))
            b.store(b.add(at, const(1)), length)
        count = b.load(length)
        if duel.feature is not None:
            self._sort(array, count)
        return count

    def _class(self) -> Value:
        """The class of the hidden hand that is bound now."""
        out = const(0)
        for col in self.duel.told:
            out = self.b.add(self.b.mul(out, const(col.hi - col.lo + 1)), self.b.sub(self.number(col), const(col.lo)))
        return out

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

    # ---- counters

    def _subsets(self, cards: Sequence[Value]) -> Iterator[tuple[int, Value]]:
        """Every subset of a hand that has a counter: how many cards, and its number among all."""
        b, start = self.b, 0
        adds = {
            (i, k): self.load("choose", b.add(const(64 * k), card))
            for i, card in enumerate(cards)
            for k in range(1, min(i + 1, self.plan.most) + 1)
        }
        for size in range(self.plan.most + 1):
            for some in combinations(range(len(cards)), size):
                number = const(start)
                for k, i in enumerate(some):
                    number = b.add(number, adds[i, k + 1])
                yield size, number
            start += comb(52, size)

    def _enter(self, packed: Value, array: str) -> None:
        """A hidden hand adds one to the counter of each of its subsets."""
        b = self.b
        hand = b.and_(packed, const((1 << CLASS) - 1))
        kind = self._kind(packed)
        cards = "own" if self.duel.mirrored else "held"
        held = [self.load(cards, b.add(b.mul(hand, const(len(self.duel.hidden))), const(i)))
                for i in range(len(self.duel.hidden))]  # fmt: skip
        for _, number in self._subsets(held):
            place = b.add(b.mul(number, const(len(self.classes))), kind)
            self.add_to(array, place, const(1))

    def _answer(self, array: str, cards: Sequence[Value]) -> list[Value]:
        """Per class: how many of the hidden hands that have been entered avoid these cards, less the very hand."""
        b = self.b
        out: list[Value] = [const(0) for _ in self.classes]
        for size, number in self._subsets(cards):
            start = b.mul(number, const(len(self.classes)))
            for c in self.classes:
                n = self.load(array, b.add(start, const(c)))
                out[c] = b.sub(out[c], n) if size % 2 else b.add(out[c], n)
        return out

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
            with self.loop(const(0), his) as (i, _):
                self._enter(self._his(i), "every")
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
                        b.store(n, b.gep(self.argument["below"], [b.add(b.mul(i, const(len(self.classes))), const(c))]))
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
        return self.load("mine" if self.duel.mirrored else "his", i)

    def _clear(self, array: str) -> None:
        with self.loop(const(0), const(self.plan.counters)) as (i, _):
            self.b.store(const(0), self.b.gep(self.argument[array], [i]))

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

    def _row(self, i: Value) -> Value:
        return self.b.and_(self.load("mine", i), const((1 << CLASS) - 1))

    def _own_cards(self, i: Value, array: str = "own") -> list[Value]:
        b, hand, n = self.b, self._row(i), len(self.duel.own_slots)
        return [self.load(array, b.add(b.mul(hand, const(n)), const(k))) for k in range(n)]

    def _cases(self, i: Value, cards: Sequence[Value], key: Value) -> dict[tuple[int, int], Value]:
        """(side, class) -> hidden hands that avoid the player's cards."""
        b, duel = self.b, self.duel
        if not duel.hidden:
            return {(LEVEL, 0): const(1)}
        every = [const(comb(duel.cards - len(duel.board_slots) - len(cards), len(duel.hidden)))]
        if duel.classes > 1:
            every = self._answer("every", cards)
        if duel.feature is None:
            level, below = list(every), []
        else:
            level = self._answer("now", cards)
            start = b.mul(i, const(len(self.classes)))
            below = [self.load("below", b.add(start, const(c))) for c in self.classes]
        if len(cards) == len(duel.hidden):
            self._very_hand(i, cards, key, below, level, every)
        if duel.feature is None:
            return {(LEVEL, c): every[c] for c in self.classes}
        out: dict[tuple[int, int], Value] = {}
        for c in self.classes:
            out[BELOW, c] = below[c]
            out[LEVEL, c] = b.sub(level[c], below[c])
            out[ABOVE, c] = b.sub(every[c], level[c])
        return out

    def _very_hand(
        self, i: Value, cards: Sequence[Value], key: Value, below: list[Value], level: list[Value], every: list[Value]
    ) -> None:
        """The hidden hand that is the player's very hand has no counter: the last term of the sum, put in by itself."""
        b, duel = self.b, self.duel
        put = b.sub if len(cards) % 2 else b.add
        with self.scope():
            for slot, card in zip(duel.hidden, cards, strict=True):
                self.bind(card_in(slot), card)
            kind = self._kind(self.load("mine", i)) if duel.mirrored else self._class()
            value = key
            if duel.feature is not None and not duel.mirrored:
                value = b.sub(self.number(duel.feature), const(self.low))
            for c in self.classes:
                mine = b.zext(b.icmp_unsigned("==", kind, const(c)), I64)
                if duel.classes > 1:
                    every[c] = put(every[c], mine)
                if duel.feature is not None:
                    below[c] = put(below[c], b.and_(mine, b.zext(b.icmp_unsigned("<", value, key), I64)))
                    level[c] = put(level[c], b.and_(mine, b.zext(b.icmp_unsigned("<=", value, key), I64)))

    def _kind(self, packed: Value) -> Value:
        return self.b.and_(self.b.lshr(packed, const(CLASS)), const((1 << (KEY - CLASS)) - 1))
