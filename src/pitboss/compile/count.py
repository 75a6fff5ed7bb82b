"""The exact counter's machine code: for each thing the player can see, every way the hidden cards can lie.

One nested loop per set of hidden cards. Every expression is computed in the outermost loop that knows its cards, and a
condition that all ends share prunes as early as it can. Counts are 64-bit and bounded beforehand.
"""

import ctypes
import hashlib
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

import llvmlite.ir as ir
import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Composition
from pitboss.compile.emit import Emitter
from pitboss.compile.kinds import I8, I16, I64, Value, const
from pitboss.compile.objects import Code, code_key
from pitboss.compile.ranking import addresses, gather
from pitboss.disk import keep, recall
from pitboss.ledger.cells import Leaf
from pitboss.rules.column import Column, card_in, node, walk
from pitboss.rules.operations import HANDS

Path = tuple[tuple[Column, bool], ...]
WORTH_KEEPING = 0.5  # seconds of counting
MOST_KEPT = 1 << 20  # numbers


@dataclass(frozen=True, eq=False)
class CountJob:
    """Count the cells of some ends over hidden cards, for rows of visible ones."""

    carried: tuple[tuple[str, int], ...]  # the first columns of a row: name and highest value
    visible: tuple[int, ...]  # the slots of a row's further columns
    hidden: tuple[tuple[int, ...], ...]  # slots to enumerate; a group of several is dealt as a combination
    ends: tuple[tuple[Leaf, Path], ...]
    rows: NDArray[np.uint8]
    composition: Composition

    @property
    def width(self) -> int:
        return sum(leaf.size for leaf, _ in self.ends)


class _Counter(Emitter):
    def __init__(self, module: ir.Module, name: str, job: CountJob, checked: bool) -> None:
        pointers = [("rows", I8), ("shoe", I64), ("out", I64)]
        super().__init__(module, name, [("count", I64), *((n, t.as_pointer()) for n, t in pointers)], checked)
        self.job, self.bound = job, set[int]()
        self.single = max(job.composition) == 1
        self.weight: Value = None
        self.index_of: dict[int, Value] = {}  # hidden slot -> its place among the cards that are left
        self.pair_tables: dict[int, tuple[Value, tuple[int, int]]] = {}
        self.needed = list(walk(c for leaf, path in job.ends for c in (leaf.code, *(c for c, _ in path))))
        self._write()

    def _write(self) -> None:
        b, job = self.b, self.job
        with b.goto_entry_block():
            self.codes, self.counts = (b.alloca(I64, size=len(job.composition)) for _ in range(2))
        length = self.variable(const(0))
        columns = len(job.carried) + len(job.visible)
        shared = _common([path for _, path in job.ends])
        with ExitStack() as stack:
            self.row, following = stack.enter_context(self.loop(const(0), self.argument["count"]))
            for i, (name, highest) in enumerate(job.carried):
                self.bind(node("carried", (name,), 0, highest), self._cell(i, columns))
            for i, slot in enumerate(job.visible):
                self._bind(slot, self._cell(len(job.carried) + i, columns))
            self._hoist(shared, following)
            if job.hidden:
                self._remaining(length)
                self._nest(stack, b.load(length), shared)
            self._ends(job.ends, shared)
        b.ret(const(0))

    def _cell(self, column: int, columns: int) -> Value:
        return self.load("rows", self.b.add(self.b.mul(self.row, const(columns)), const(column)))

    def _bind(self, slot: int, value: Value) -> None:
        self.bind(card_in(slot), value)
        self.bound.add(slot)

    def _hoist(self, shared: Path, elsewhere: ir.Block) -> None:
        """Compute what is known by now, and leave when a condition of every end fails."""
        for col in self.needed:
            if col.uid in self.pair_tables:
                if col.slots <= self.bound and self.known(col.uid) is None:
                    self.scopes[-1][col.uid] = self._from_table(col)
            elif col.op not in ("const", "card", "carried") and col.slots <= self.bound:
                self.raw(col)
            elif col.op in HANDS and len(col.args) >= 4:  # what is known of the hand by now
                gather(self, [c for c in col.args if c.slots <= self.bound])
        for condition, wanted in shared:
            if condition.slots <= self.bound:
                truth = self.truth(condition)
                self.unless(self.b.not_(truth) if wanted else truth, elsewhere)

    def _remaining(self, length: Value) -> None:
        """The cards left in the shoe when the row's cards are gone: code and count."""
        b = self.b
        b.store(const(0), length)
        with self.loop(const(0), const(len(self.job.composition))) as (card, after):
            count = self.load("shoe", card)
            for slot in self.job.visible:
                count = b.sub(count, b.zext(b.icmp_unsigned("==", card, self.raw(card_in(slot))), I64))
            self.unless(b.icmp_signed("<=", count, const(0)), after)
            at = b.load(length)
            b.store(card, b.gep(self.codes, [at]))
            b.store(count, b.gep(self.counts, [at]))
            b.store(b.add(at, const(1)), length)

    def _nest(self, stack: ExitStack, length: Value, shared: Path) -> None:
        b = self.b
        earlier: list[Value] = []  # indexes that a new one must differ from, or whose cards it must spare
        for group in self.job.hidden:
            mates: list[Value] = []
            if self.single and len(group) > 2:
                self._rank_pairs(group, length)
            for _ in group:
                start = b.add(mates[-1], const(1)) if self.single and mates else const(0)
                i, after = stack.enter_context(self.loop(start, length))
                rivals = earlier if self.single else earlier + mates
                if self.single:
                    for other in rivals:
                        self.unless(b.icmp_unsigned("==", i, other), after)
                else:
                    count = b.load(b.gep(self.counts, [i]))
                    for other in rivals:
                        count = b.sub(count, b.zext(b.icmp_unsigned("==", i, other), I64))
                    self.unless(b.icmp_signed("<=", count, const(0)), after)
                    self.weight = count if self.weight is None else b.mul(self.weight, count)
                self.index_of[group[len(mates)]] = i
                self._bind(group[len(mates)], b.load(b.gep(self.codes, [i])))
                mates.append(i)
                self._hoist(shared, after)
            earlier += mates

    def _rank_pairs(self, group: tuple[int, ...], length: Value) -> None:
        """Hands of known cards and two of a larger deal: each pair is ranked once per row, and looked up after that."""
        b, many = self.b, len(self.job.composition)
        alike: dict[tuple[str, frozenset[int]], list[Column]] = {}
        for col in self.needed:
            free = col.slots - self.bound
            if col.op in HANDS and len(col.args) >= 4 and len(free) == 2 and free <= set(group):
                alike.setdefault((col.op, col.slots & frozenset(self.bound)), []).append(col)
        for cols in alike.values():
            if len(cols) < 2:
                continue
            with b.goto_entry_block():
                table = b.alloca(I16, size=many * many)
            low, high = sorted(cols[0].slots - self.bound, key=group.index)
            with self.loop(const(1), length) as (j, _):
                self.bind(card_in(high), b.load(b.gep(self.codes, [j])))
                with self.loop(const(0), j) as (i, _):
                    self.bind(card_in(low), b.load(b.gep(self.codes, [i])))
                    place = b.gep(table, [b.add(b.mul(i, const(many)), j)])
                    b.store(b.trunc(self.number(cols[0]), I16), place)
            for col in cols:
                first, second = sorted(col.slots - self.bound, key=group.index)
                self.pair_tables[col.uid] = (table, (first, second))

    def _from_table(self, col: Column) -> Value:
        (table, (first, second)), many = self.pair_tables[col.uid], len(self.job.composition)
        place = self.b.add(self.b.mul(self.index_of[first], const(many)), self.index_of[second])
        self.check(place, many * many)
        return self.b.zext(self.b.load(self.b.gep(table, [place])), I64)

    def _ends(self, ends: Sequence[tuple[Leaf, Path]], done: Path) -> None:
        """Walk the conditions that tell the ends apart."""
        seen = {c.uid for c, _ in done}
        split = next((c for _, path in ends for c, _ in path if c.uid not in seen), None)
        if split is None:
            for leaf, _ in ends:
                self._add(leaf)
            return
        with self.b.if_else(self.truth(split)) as sides:
            for side, wanted in zip(sides, (True, False), strict=True):
                with side, self.scope():
                    kept = [(x, p) for x, p in ends if {c.uid: w for c, w in p}.get(split.uid, wanted) == wanted]
                    if kept:
                        self._ends(kept, (*done, (split, wanted)))

    def _add(self, leaf: Leaf) -> None:
        start = 0
        for other, _ in self.job.ends:
            if other is leaf:
                break
            start += other.size
        b = self.b
        cell = b.add(self.number(leaf.code), const(start - leaf.offset))
        self.check(cell, self.job.width)
        weight = const(1) if self.single or self.weight is None else self.weight
        self.add_to("out", b.add(b.mul(self.row, const(self.job.width)), cell), weight)


def count_ways(jobs: Sequence[CountJob], checked: bool = False) -> list[NDArray[np.int64]]:
    """Per job, rows x cells: in how many ways the hidden cards lead there. All jobs are one compiled module."""
    if not jobs:
        return []
    module = ir.Module("count")
    counters = [_Counter(module, f"count{i}", job, checked) for i, job in enumerate(jobs)]
    tables = addresses({name for c in counters for name in c.ranks_hands})
    text = str(module)
    code = None
    results = []
    for i, job in enumerate(jobs):
        rows = np.ascontiguousarray(job.rows)
        shoe = np.array(job.composition, np.int64)
        name = _count_name(text, i, rows, shoe)
        shape = (len(rows), job.width)
        kept = recall(name, partial(_array, shape=shape)) if len(rows) * job.width <= MOST_KEPT else None
        if kept is not None:  # a count that took long is kept, under a hash of all that it depends on
            results.append(kept)
            continue
        code = code or Code(text)
        out = np.zeros(shape, np.int64)
        kinds = (ctypes.c_int64,) + (ctypes.c_void_p,) * 4
        call = code.function(f"count{i}", *kinds, result=ctypes.c_int64)
        started = time.perf_counter()
        if call(len(rows), rows.ctypes.data, shoe.ctypes.data, out.ctypes.data, tables.ctypes.data):
            raise RuntimeError("an index ran out of bounds in the compiled count")
        if time.perf_counter() - started > WORTH_KEEPING and out.size <= MOST_KEPT:
            keep(name, out.tobytes())
        results.append(out)
    return results


def _array(raw: bytes, shape: tuple[int, int]) -> NDArray[np.int64]:
    return np.frombuffer(raw, np.int64).reshape(shape).copy()


def _count_name(text: str, job: int, rows: NDArray[np.uint8], shoe: NDArray[np.int64]) -> str:
    digest = hashlib.sha256(f"{code_key(text)} {job}".encode() + rows.tobytes() + shoe.tobytes())
    return f"{digest.hexdigest()[:32]}.count"


def _common(paths: Sequence[Path]) -> Path:
    """The conditions that every path starts with."""
    out: list[tuple[Column, bool]] = []
    for steps in zip(*paths, strict=False):
        if len({(c.uid, wanted) for c, wanted in steps}) != 1:
            break
        out.append(steps[0])
    return tuple(out)
