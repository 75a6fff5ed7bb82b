"""The inner sums of drawing games in machine code: hands forward and back, the dealer's tree for eight shoes at once.

Arrays are plain: 64-bit whole numbers and doubles. Hands are numbered so that cards and choices lead to higher numbers;
so one loop up or down the numbers does a whole strategy. What the loops do is said where they are called.
"""

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import llvmlite.ir as ir
import numpy as np
from numpy.typing import NDArray

from pitboss.compile.objects import Code

LANES = 8  # shoes from which one hand of a split is followed at once
SHOES = 16  # shoes for which the dealer draws at once
MOST_CLASSES = 52  # of cards
DEEPEST = 40  # cards that a dealer can draw
I8, I64, F64 = ir.IntType(8), ir.IntType(64), ir.DoubleType()
WIDE, BROAD = ir.VectorType(F64, LANES), ir.VectorType(F64, SHOES)
Value = Any

SIGNATURES: dict[str, str] = {  # n: a number, i: whole numbers, f: doubles, w or b: so many doubles side by side
    "finals": "n n n n b i i f i f b",
    "back": "n n n i i i i f f i i f f i",
    "reach": "n n n i i i i f i f",
    "part": "n n n n i i i i i i f f w i w i w",
    "settle": "n n i i w i f n f f w",
}


class _Function:
    """A function in the making, with loops."""

    def __init__(self, module: ir.Module, name: str) -> None:
        kinds = {"n": I64, "i": I64.as_pointer(), "f": F64.as_pointer(), "w": WIDE.as_pointer()}
        kinds["b"] = BROAD.as_pointer()
        arguments = [kinds[c] for c in SIGNATURES[name].split()]
        self.function = ir.Function(module, ir.FunctionType(I64, arguments), name)
        self.b = ir.IRBuilder(self.function.append_basic_block("entry"))
        self.args = self.function.args

    def num(self, value: int) -> Value:
        return ir.Constant(I64, value)

    def at(self, array: Value, *index: Value) -> Value:
        """Load one element; the index is given in mixed radix: i, (size, j) ..."""
        return self.b.load(self.place(array, *index), align=8)

    def place(self, array: Value, first: Value, *more: tuple[Value, Value]) -> Value:
        for size, j in more:
            first = self.b.add(self.b.mul(first, size), j)
        return self.b.gep(array, [first])

    def put(self, value: Value, array: Value, *index: Value) -> None:
        self.b.store(value, self.place(array, *index), align=8)

    def add(self, value: Value, array: Value, *index: Value) -> None:
        place = self.place(array, *index)
        self.b.store(self.b.fadd(self.b.load(place, align=8), value), place, align=8)

    def local(self, kind: Any, start: Value | None = None, size: int | None = None) -> Value:
        with self.b.goto_entry_block():
            place = self.b.alloca(kind, size=size)
        if start is not None:
            self.b.store(start, place)
        return place

    @contextmanager
    def loop(self, stop: Value, down: bool = False) -> Iterator[Value]:
        """Count from 0 up to a number, or down from below it."""
        b = self.b
        count = self.local(I64, self.num(0))
        head, body, end = (self.function.append_basic_block(n) for n in ("head", "body", "end"))
        b.branch(head)
        b.position_at_end(head)
        i = b.load(count)
        b.cbranch(b.icmp_signed("<", i, stop), body, end)
        b.position_at_end(body)
        yield b.sub(b.sub(stop, self.num(1)), i) if down else i
        b.store(b.add(b.load(count), self.num(1)), count)
        b.branch(head)
        b.position_at_end(end)

    def wide(self, x: Value, kind: Any = WIDE) -> Value:
        """The same number side by side."""
        one = self.b.insert_element(ir.Constant(kind, ir.Undefined), x, ir.Constant(ir.IntType(32), 0))
        zero = ir.Constant(ir.VectorType(ir.IntType(32), kind.count), [0] * kind.count)
        return self.b.shuffle_vector(one, ir.Constant(kind, ir.Undefined), zero)

    def most(self, x: Value, least: float) -> Value:
        floor = ir.Constant(x.type, [least] * x.type.count)
        return self.b.select(self.b.fcmp_ordered("<", x, floor), floor, x)

    def sums(self, x: Value) -> Value:
        total = self.b.extract_element(x, ir.Constant(ir.IntType(32), 0))
        for i in range(1, LANES):
            total = self.b.fadd(total, self.b.extract_element(x, ir.Constant(ir.IntType(32), i)))
        return total


def _finals(f: _Function) -> None:
    blocks, k, nodes, groups, left, depth, card, gone, group, orders, out = f.args
    b = f.b
    stack, part = f.local(BROAD, size=DEEPEST + 1), f.local(BROAD, size=DEEPEST + 1)
    one = ir.Constant(BROAD, [1.0] * SHOES)
    with f.loop(blocks) as block:
        total = f.local(BROAD, ir.Constant(BROAD, [0.0] * SHOES))
        with f.loop(k) as c:
            b.store(b.fadd(b.load(total), f.at(left, block, (k, c))), total)
        with f.loop(f.num(DEEPEST)) as d:
            rest = f.most(b.fsub(b.load(total), f.wide(b.sitofp(d, F64), BROAD)), 1.0)
            f.put(b.fdiv(one, rest), part, d)
        f.put(one, stack, f.num(0))
        with f.loop(nodes) as n:
            d = f.at(depth, n)
            there = b.fsub(f.at(left, block, (k, f.at(card, n))), f.wide(f.at(gone, n), BROAD))
            now = b.fmul(b.fmul(f.at(stack, d), f.at(part, d)), there)
            f.put(now, stack, b.add(d, f.num(1)))
            g = f.at(group, n)
            with b.if_then(b.icmp_signed(">=", g, f.num(0))):
                f.add(b.fmul(now, f.wide(f.at(orders, n), BROAD)), out, block, (groups, g))


def _back(f: _Function) -> None:
    nodes, k, m, kind, row, to, cards, chance, split, parting, chart, value, worth, taken = f.args
    b = f.b
    none = ir.Constant(F64, float("-inf"))
    with f.loop(nodes, down=True) as n:
        what, r = f.at(kind, n), f.at(row, n)
        with b.if_then(b.icmp_signed("==", what, f.num(0))):
            total = f.local(F64, ir.Constant(F64, 0.0))
            with f.loop(k) as c:
                one = b.fmul(f.at(chance, r, (k, c)), f.at(value, f.at(cards, r, (k, c))))
                b.store(b.fadd(b.load(total), one), total)
            f.put(b.load(total), value, n)
        with b.if_then(b.icmp_signed("==", what, f.num(1))):
            best, most = f.local(I64, f.num(0)), f.local(F64, none)
            with f.loop(m) as i:
                target = f.at(to, r, (m, i))
                here = b.select(
                    b.icmp_signed(">=", target, f.num(0)),
                    f.at(value, b.select(b.icmp_signed(">=", target, f.num(0)), target, f.num(0))),
                    none,
                )
                here = b.select(b.icmp_signed("==", i, f.at(parting, r)), f.at(split, r), here)
                f.put(here, worth, r, (m, i))
                with b.if_then(b.fcmp_ordered(">", here, b.load(most))):
                    b.store(here, most)
                    b.store(i, best)
            told = f.at(chart, r)
            take = b.select(b.icmp_signed(">=", told, f.num(0)), told, b.load(best))
            f.put(take, taken, r)
            f.put(f.at(worth, r, (m, take)), value, n)


def _reach(f: _Function) -> None:
    nodes, k, m, kind, row, to, cards, chance, taken, reach = f.args
    b = f.b
    with f.loop(nodes) as n:
        what, r, here = f.at(kind, n), f.at(row, n), f.at(reach, n)
        some = b.fcmp_ordered(">", here, ir.Constant(F64, 0.0))
        with b.if_then(b.and_(some, b.icmp_signed("==", what, f.num(0)))), f.loop(k) as c:
            f.add(b.fmul(here, f.at(chance, r, (k, c))), reach, f.at(cards, r, (k, c)))
        with b.if_then(b.and_(some, b.icmp_signed("==", what, f.num(1)))):
            take = f.at(taken, r)
            count = f.local(F64, ir.Constant(F64, 0.0))
            with f.loop(m) as i:
                there = b.icmp_signed(">=", f.at(to, r, (m, i)), f.num(0))
                b.store(b.fadd(b.load(count), b.uitofp(there, F64)), count)
            share = b.select(b.icmp_signed("<", take, f.num(0)), b.fdiv(here, b.load(count)), here)
            with f.loop(m) as i:
                mine = b.or_(b.icmp_signed("<", take, f.num(0)), b.icmp_signed("==", i, take))
                target = f.at(to, r, (m, i))
                with b.if_then(b.and_(mine, b.icmp_signed(">=", target, f.num(0)))):
                    f.add(share, reach, target)


def _part(f: _Function) -> None:
    nodes, k, m, pair, kind, row, to, cards, up, group, shoe, allowed, fewer, taken, reach, found, ends = f.args
    b = f.b
    zero = ir.Constant(WIDE, [0.0] * LANES)
    left, size = f.local(WIDE, size=MOST_CLASSES), f.local(I64, f.num(0))
    with f.loop(nodes) as n:
        here = f.at(reach, n)
        with b.if_then(b.fcmp_ordered(">", f.sums(here), ir.Constant(F64, 0.0))):
            f.put(zero, reach, n)
            what, r, u = f.at(kind, n), f.at(row, n), f.at(up, n)
            with b.if_then(b.icmp_signed("==", what, f.num(1))):
                target = f.at(to, r, (m, f.at(taken, r)))
                with b.if_then(b.icmp_signed(">=", target, f.num(0))):
                    f.add(here, reach, target)
            with b.if_then(b.icmp_signed("==", what, f.num(2))):
                f.put(n, found, b.load(size))
                f.put(here, ends, b.load(size))
                b.store(b.add(b.load(size), f.num(1)), size)
            with b.if_then(b.icmp_signed("==", what, f.num(0))):
                pairs = f.local(F64, ir.Constant(F64, 0.0))  # cards left of the pair's rank, and what is left of them
                with f.loop(k) as c:
                    same = b.uitofp(b.icmp_signed("==", f.at(group, c), pair), F64)
                    b.store(b.fadd(b.load(pairs), b.fmul(same, f.at(shoe, r, (k, c)))), pairs)
                whole = f.wide(b.load(pairs))
                share = b.fdiv(f.most(b.fsub(whole, f.at(fewer, f.num(0))), 0.0), f.most(whole, 1.0))
                one = ir.Constant(WIDE, [1.0] * LANES)
                total, fit = f.local(WIDE, zero), f.local(WIDE, zero)
                with f.loop(k) as c:
                    same = b.icmp_signed("==", f.at(group, c), pair)
                    rest = b.fmul(f.wide(f.at(shoe, r, (k, c))), b.select(same, share, one))
                    f.put(rest, left, c)
                    b.store(b.fadd(b.load(total), rest), total)
                    b.store(b.fadd(b.load(fit), b.fmul(rest, f.wide(f.at(allowed, u, (k, c))))), fit)
                bottom = f.most(b.fmul(b.load(fit), b.fsub(b.load(total), one)), 1.0)
                with f.loop(k) as c:
                    able = f.most(b.fsub(b.load(fit), f.wide(f.at(allowed, u, (k, c)))), 0.0)
                    chance = b.fdiv(b.fmul(f.at(left, c), able), bottom)
                    f.add(b.fmul(here, chance), reach, f.at(cards, r, (k, c)))
    b.ret(b.load(size))


def _settle(f: _Function) -> None:
    rows, lanes, group, place, reach, ending, net, groups, chances, certain, out = f.args
    b = f.b
    with f.loop(rows) as r:
        e = f.at(ending, r)
        with f.loop(lanes) as j:
            worth = f.local(F64, ir.Constant(F64, 0.0))
            with b.if_then(b.icmp_signed(">=", e, f.num(0))), f.loop(groups) as g:
                one = b.fmul(f.at(chances, f.at(place, r, (lanes, j)), (groups, g)), f.at(net, e, (groups, g)))
                b.store(b.fadd(b.load(worth), one), worth)
            with b.if_then(b.icmp_signed("<", e, f.num(0))):
                b.store(f.at(certain, r), worth)
            lane = b.trunc(j, ir.IntType(32))
            one = b.fmul(b.load(worth), b.extract_element(f.at(reach, r), lane))
            target = f.place(out, f.at(group, r))
            now = b.load(target, align=8)
            b.store(b.insert_element(now, b.fadd(b.extract_element(now, lane), one), lane), target, align=8)


@cache
def _code() -> dict[str, Any]:
    module = ir.Module("drawing")
    for name, write in (("finals", _finals), ("back", _back), ("reach", _reach), ("part", _part), ("settle", _settle)):
        f = _Function(module, name)
        write(f)
        if not f.b.block.is_terminated:
            f.b.ret(f.num(0))
    code = Code(str(module))
    kinds = {"n": ctypes.c_int64}
    return {
        name: code.function(name, *(kinds.get(c, ctypes.c_void_p) for c in sign.split()), result=ctypes.c_int64)
        for name, sign in SIGNATURES.items()
    }


def call(name: str, *arguments: "int | NDArray[Any]") -> int:
    """Run one of the loops. Arrays must be contiguous, of the kind that the signature says."""
    for value, kind in zip(arguments, SIGNATURES[name].split(), strict=True):
        if isinstance(value, np.ndarray):
            assert value.flags.c_contiguous and value.dtype == (np.int64 if kind == "i" else np.float64), name
    passed: Sequence[Any] = [a.ctypes.data if isinstance(a, np.ndarray) else a for a in arguments]
    return int(_code()[name](*passed))
