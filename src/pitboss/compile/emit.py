"""Expressions and control flow of the graph as LLVM IR: what the simulator's and the counter's generators share."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import llvmlite.ir as ir

from pitboss.compile import ranking
from pitboss.compile.kinds import I1, I16, I32, I64, Value, const
from pitboss.rules.column import Column, walk
from pitboss.rules.operations import LEAVES, OPERATIONS

DEEP = 25  # levels of an expression that are made by one chain of calls


class _Known:
    """The columns that an emitter has made where it is now."""

    def __init__(self, emitter: "Emitter") -> None:
        self.emitter = emitter

    def __contains__(self, uid: object) -> bool:
        return self.emitter.known(uid) is not None


class Emitter:
    """One function being written. Columns that are known at this point sit in nested scopes, each computed once."""

    def __init__(self, module: Any, name: str, arguments: Sequence[tuple[str, Any]], checked: bool = False) -> None:
        self.module, self.checked = module, checked
        arguments = [*arguments, ("tables", I64.as_pointer())]
        self.function = ir.Function(module, ir.FunctionType(I64, [t for _, t in arguments]), name)
        for value, (label, kind) in zip(self.function.args, arguments, strict=True):
            value.name = label
            if isinstance(kind, ir.PointerType):
                value.add_attribute("noalias")
        self.argument = dict(zip((label for label, _ in arguments), self.function.args, strict=True))
        self.b = ir.IRBuilder(self.function.append_basic_block("entry"))
        self.scopes: list[dict[Any, Value]] = [{}]
        self.ranks_hands: set[str] = set()  # the tables that it needs for that
        self.bound_columns: list[Column] = []
        self.bound_at: dict[int, int] = {}  # card column -> when it became known, to share sums of early cards

    # ---- memory

    def variable(self, start: Value, kind: Any = I64) -> Value:
        """A local variable; LLVM turns it into a register."""
        with self.b.goto_entry_block():
            slot = self.b.alloca(kind)
        self.b.store(start, slot)
        return slot

    def variable_at_entry(self) -> Value:
        """A local variable that every way to it sets first."""
        with self.b.goto_entry_block():
            return self.b.alloca(I64)

    def load(self, array: str, index: Value, size: int = 0) -> Value:
        """array[index], widened to 64 bits."""
        self.check(index, size)
        value = self.b.load(self.b.gep(self.argument[array], [index], inbounds=True))
        return value if value.type == I64 else self.b.zext(value, I64)

    def add_to(self, array: str, index: Value, amount: Value, size: int = 0) -> None:
        self.check(index, size)
        place = self.b.gep(self.argument[array], [index], inbounds=True)
        self.b.store(self.b.add(self.b.load(place), amount), place)

    def check(self, index: Value, size: int) -> None:
        """In the debug build, leave the function with 1 when an index is out of bounds."""
        if self.checked and size:
            bad, good = self.block("out_of_bounds"), self.block("in_bounds")
            self.b.cbranch(self.b.icmp_unsigned("<", index, const(size)), good, bad)
            self.b.position_at_end(bad)
            self.b.ret(const(1))
            self.b.position_at_end(good)

    def block(self, name: str = "") -> Any:
        return self.function.append_basic_block(name)

    @contextmanager
    def loop(self, start: Value, stop: Value) -> Iterator[tuple[Value, Any]]:
        """for i in range(start, stop); yields i and the block that goes on with the next i."""
        counter = self.variable(start)
        head, body, after, end = (self.block(n) for n in ("head", "body", "next", "end"))
        self.b.branch(head)
        self.b.position_at_end(head)
        i = self.b.load(counter)
        self.b.cbranch(self.b.icmp_unsigned("<", i, stop), body, end)
        self.b.position_at_end(body)
        with self.scope():
            yield i, after
        self.b.branch(after)
        self.b.position_at_end(after)
        self.b.store(self.b.add(self.b.load(counter), const(1)), counter)
        self.b.branch(head)
        self.b.position_at_end(end)

    @contextmanager
    def scope(self) -> Iterator[None]:
        self.scopes.append({})
        yield
        self.scopes.pop()

    def unless(self, condition: Value, elsewhere: Any) -> None:
        """Go elsewhere when the condition holds."""
        on = self.block("on")
        self.b.cbranch(condition, elsewhere, on)
        self.b.position_at_end(on)

    # ---- columns

    def bind(self, col: Column, value: Value) -> None:
        self.scopes[-1][col.uid] = value
        self.bound_at.setdefault(col.uid, len(self.bound_at))
        self.bound_columns.append(col)  # held, so that asking for the same card again finds the same node

    def known(self, key: Any) -> Value | None:
        """What an enclosing scope has computed under this key."""
        return next((scope[key] for scope in reversed(self.scopes) if key in scope), None)

    def raw(self, col: Column) -> Value:
        """The column's value here: a truth value as one bit, a number as 64."""
        found = self.known(col.uid)
        if found is not None:
            return found
        if col.depth > 2 * DEEP:  # make a deep expression from below, so that Python does not run out of stack
            for c in walk((col,), _Known(self)):
                if c.depth % DEEP == 0 and c.op not in LEAVES and c is not col:
                    self.raw(c)
        value = const(col.args[0]) if col.op == "const" else self._make(col)
        if self.checked and col.op not in ("const", "card") and value.type == I64:
            self.check(self.b.sub(value, const(col.lo)), col.hi - col.lo + 1)
        self.scopes[-1][col.uid] = value
        return value

    def number(self, col: Column) -> Value:
        value = self.raw(col)
        return self.b.zext(value, I64) if value.type == I1 else value

    def place(self, col: Column) -> Value:
        """Where a value stands in its range. A range that `within` gives holds wherever the value is used; where it is
        only worked out, and then thrown away, it must not lead out of a table."""
        place = self.b.sub(self.number(col), const(col.lo))
        if "within" not in col.ops:
            return place
        inside = self.b.icmp_unsigned("<", place, const(col.hi - col.lo + 1))
        return self.b.select(inside, place, const(0))

    def truth(self, col: Column) -> Value:
        value = self.raw(col)
        return value if value.type == I1 else self.b.icmp_signed("!=", value, const(0))

    def _make(self, col: Column) -> Value:
        if col.op in LEAVES:
            raise KeyError(f"{col} is not known at this point")
        if col.op == "lookup":
            values, index = col.args
            place = self.place(index)
            self.check(place, len(values))
            return self.b.load(self.b.gep(self._table(values), [const(0), place], inbounds=True))
        return OPERATIONS[col.op].machine(self, *col.below)

    # ---- what operations are made of (see `pitboss.rules.operations`)

    def shifted_down(self, col: Column, bits: int) -> Value:
        return self.b.lshr(self.number(col), const(bits))

    def low_bits(self, col: Column, mask: int) -> Value:
        return self.b.and_(self.number(col), const(mask))

    def three_ways(self, a: Column, b: Column) -> Value:
        """0, 1 or 2: lower, equal, higher."""
        x, y = self.number(a), self.number(b)
        more, less = self.b.icmp_signed(">", x, y), self.b.icmp_signed("<", x, y)
        return self.b.sub(self.b.add(const(1), self.b.zext(more, I64)), self.b.zext(less, I64))

    def divided(self, col: Column, by: Column) -> tuple[Value, Value]:
        """What a division by a positive number gives, and what it leaves: rounded down, also below zero."""
        x, k = self.number(col), self.number(by)
        if col.lo >= 0:
            return self.b.udiv(x, k), self.b.urem(x, k)
        left = self.b.srem(x, k)
        left = self.b.select(self.b.icmp_signed("<", left, const(0)), self.b.add(left, k), left)
        return self.b.sdiv(self.b.sub(x, left), k), left

    def high_to_low(self, cols: Sequence[Column]) -> list[Value]:
        """The values in order: each finds its place among those before it."""
        key = ("sorted", *(c.uid for c in cols))
        found = self.known(key)
        if found is None:
            found = []
            for value in map(self.number, cols):
                for i, other in enumerate(found):
                    more = self.b.icmp_signed(">", value, other)
                    found[i], value = self.b.select(more, value, other), self.b.select(more, other, value)
                found.append(value)
            self.scopes[-1][key] = found
        return list(found)

    def suit_or_none(self, col: Column) -> Value:
        """The suit of a card, or 4 of a joker."""
        card = self.number(col)
        joker = self.b.icmp_unsigned(">=", card, const(52))
        return self.b.select(joker, const(4), self.b.and_(card, const(3)))

    def with_jokers(self, cards: Sequence[Column], meaning: str, best: int, wild: int | None) -> Value:
        """The strength of cards of which some may be jokers, or of a rank that is wild."""
        return ranking.with_jokers(self, cards, meaning, best, wild)

    def of_cards(self, what: str, cards: Sequence[Column]) -> Value:
        """What some cards come to together, by a function of `pitboss.compile.ranking`."""
        return getattr(ranking, what)(self, cards)

    def counted_steps(self, terms: Sequence[Column]) -> Value | None:
        """A sum that counts floors reached, all at once; None for any other sum."""
        steps = _staircase(terms)
        return None if steps is None else self._count_steps(*steps)

    def _count_steps(self, value: Column, floors: Sequence[int], start: int) -> Value:
        """How many floors a value has reached: all compared at once, in the lanes of a vector register."""
        b, lanes = self.b, 8 if len(floors) <= 8 else 16
        kind = ir.VectorType(I16, lanes)
        one = b.insert_element(ir.Constant(kind, ir.Undefined), b.trunc(self.number(value), I16), ir.Constant(I32, 0))
        spread = b.shuffle_vector(one, one, ir.Constant(ir.VectorType(I32, lanes), [0] * lanes))
        padded = [*floors, *[0xFFFF] * (lanes - len(floors))]
        reached = b.icmp_unsigned(">=", spread, ir.Constant(kind, padded))
        count = b.ctpop(b.bitcast(reached, ir.IntType(lanes)))
        return b.add(b.zext(count, I64), const(start))

    def _table(self, values: tuple[int, ...]) -> Value:
        """A constant table inside the module, so that the hash of the code covers it."""
        for found in self.module.global_values:
            if getattr(found, "pitboss_values", None) == values:
                return found
        kind = ir.ArrayType(I64, len(values))
        table = ir.GlobalVariable(self.module, kind, self.module.get_unique_name("table"))
        table.linkage, table.global_constant = "internal", True
        table.initializer = ir.Constant(kind, [const(v) for v in values])
        table.pitboss_values = values
        return table


def _staircase(terms: Sequence[Column]) -> tuple[Column, list[int], int] | None:
    """The value, the floors and the start of a sum that counts floors reached, as `by_floor` makes it."""
    start, floors, values = 0, [], {}
    for term in terms:
        if term.op == "const":
            start += term.args[0]
        elif term.op == "not" and term.args[0].op == "lt" and term.args[0].args[1].op == "const":
            value, floor = term.args[0].args
            values[value.uid] = value
            floors.append(floor.args[0])
        else:
            return None
    if not 4 <= len(floors) <= 16 or len(values) != 1:
        return None
    (value,) = values.values()
    fits = value.lo >= 0 and value.hi < 0xFFFF and all(0 <= f < 0xFFFF for f in floors)
    return (value, floors, start) if fits else None
