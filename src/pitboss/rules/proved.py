"""What an author declares with `within` is proved where it is used, or refused: his word is never taken for it.

Everything that counts rounds trusts the range of a column: tables are looked up in it, results are numbered by it. All
other ranges follow from the operations. So a narrower one must hold for every value that cards and registers can have
on the way to its line, which is tried out; what is thrown away afterwards (by `where`, `&` or `|`) does not count.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

from pitboss.rules.column import Column, walk
from pitboss.rules.errors import RuleError, Site
from pitboss.rules.graph import Carry, Decide, Jump, Mark, Node, Settle, Share, When, columns_in
from pitboss.rules.house import House
from pitboss.rules.operations import LEAVES, OPERATIONS, SUITS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Bools = NDArray[np.bool_]

MOST = 1 << 20  # values that are tried out for one column
ENOUGH = 1 << 13  # up to which what is only said about it on the way is tried along with it

Way = tuple[tuple[Column, bool], ...]
"""Conditions that have been answered since the last mark, and how."""


def check_ranges(house: House, nodes: Sequence[Node]) -> None:
    """One sentence with its line for a value that can leave the range that `within` gives it."""
    asked = {(point.id, c.uid): (point, c) for point in nodes for col in _used(point) for c in _doubtful(col)}
    if not asked:
        return
    trials = _Trials(len(house.composition))
    trials.reach([point for point in nodes if isinstance(point, Mark | Jump)])
    for point, col in asked.values():
        way = _way_to(point)
        alone = (trials.of(c, way) for c in walk((col,)) if _narrows(c))
        if any(trial.wrong for trial in alone) and (why := trials.of(col, way).wrong):
            raise _refused(house, point, col, *why)


def _used(point: Node) -> Iterable[Column]:
    return point.values if isinstance(point, Mark | Jump) else columns_in(point)


def _narrows(col: Column) -> bool:
    return col.op == "within" and not col.lo <= col.below[0].lo <= col.below[0].hi <= col.hi


def _doubtful(col: Column) -> Iterator[Column]:
    """The parts of a column that may leave their range: with what decides whether they are used, and with no more, for
    so there is less to try."""
    seen: set[int] = set()
    waiting = [col] if "within" in col.ops else []
    while waiting:
        here = waiting.pop()
        if here.uid in seen:
            continue
        seen.add(here.uid)
        if here.op in ("where", "and", "or") or _narrows(here):
            if any(map(_narrows, walk((here,)))):
                yield here
        else:
            waiting += [c for c in here.below if "within" in c.ops]


def _way_to(point: Node) -> Way:
    way: list[tuple[Column, bool]] = []
    for step in point.path:
        if isinstance(step.node, Mark):
            way = []
        elif isinstance(step.node, When):
            way.append((step.node.condition, bool(step.answer)))
    return tuple(way)


class _Trials:
    """Every column that is tried out, on every way to it, and what is known of the registers so far."""

    def __init__(self, codes: int) -> None:
        self.codes = codes  # of cards
        self.reached: dict[int, frozenset[int]] = {}  # the slot of a register -> the values that it can have
        self._made: dict[tuple[int, ...], _Trial] = {}

    def of(self, col: Column, way: Way) -> "_Trial":
        trial = _Trial(col, way, self)
        key = (col.uid, *(2 * c.uid + answer for c, answer in trial.told))
        return self._made.setdefault(key, trial)

    def reach(self, ways: Sequence[Mark | Jump]) -> None:
        """The values that each register of a mark can have, by all the ways that lead to it."""
        self.reached = {s: frozenset() for point in ways for s in point.target.slots}
        steps = [
            (slot, range(register.lo, register.hi + 1), self.of(col, _way_to(point)))
            for point in ways
            for slot, register, col in zip(point.target.slots, point.target.registers, point.values, strict=True)
        ]
        before = None
        while before != self.reached:
            before = dict(self.reached)
            for slot, every, trial in steps:
                if len(self.reached[slot]) < len(every):
                    self.reached[slot] |= trial.outcomes(every)


class _Trial:
    """A column with every value of all that it looks at, on its way: conditions that say something about that are kept,
    the last ones first, as many as can be tried."""

    def __init__(self, col: Column, way: Way, among: _Trials) -> None:
        self.col, self.among = col, among
        self.told: list[tuple[Column, bool]] = []
        self.leaves = _leaves((col,), among.codes)
        for condition, answer in reversed(way):
            if not {c.uid for c in walk((condition,))} & {leaf.uid for leaf, _ in self.leaves}:
                continue
            wider = _leaves((col, condition, *(c for c, _ in self.told)), among.codes)
            if _size(wider) <= max(ENOUGH, _size(self.leaves)):
                self.told.append((condition, answer))
                self.leaves = wider
        self._known: tuple[object, frozenset[int]] = (None, frozenset())

    def outcomes(self, every: range) -> frozenset[int]:
        """The values that it can have; where they are too many to try, all that it may have."""
        if self.col.op == "register":
            return self.among.reached[next(iter(self.col.slots))]
        domains = self._domains()
        if self._known[0] != domains:
            found = frozenset(every)
            if prod(map(len, domains)) <= 8 * ENOUGH:
                values, fine, here = self._run(domains)
                found &= frozenset(values[self.col.uid][here & fine[self.col.uid]].tolist())
            self._known = (domains, found)
        return self._known[1]

    @cached_property
    def wrong(self) -> "tuple[Column, str] | None":
        """The `within` that does not hold, and why; None where all is well."""
        domains = self._domains()
        if prod(map(len, domains)) > MOST:
            return next(c for c in walk((self.col,)) if _narrows(c)), "too many cards decide whether it always does"
        values, fine, here = self._run(domains)
        wrong = (here & ~fine[self.col.uid]).nonzero()[0]
        for c in walk((self.col,)) if len(wrong) else ():
            found = int(values[c.uid][wrong[0]])
            if c.op == "within" and not c.lo <= found <= c.hi and fine[c.below[0].uid][wrong[0]]:
                return c, f"it can be {found}"
        return None

    def _domains(self) -> "list[Sequence[int]]":
        reached = self.among.reached
        return [sorted(reached[next(iter(c.slots))]) if c.op == "register" else all_ for c, all_ in self.leaves]

    def _run(self, domains: "list[Sequence[int]]") -> "tuple[dict[int, Ints], dict[int, Bools], Bools]":
        """What each column comes to; whether all that it rests on is within its range; and which of it comes about."""
        import numpy as np

        axes = np.meshgrid(*(np.array(values, np.int64) for values in domains), indexing="ij")
        base = {leaf.uid: axis.ravel() for (leaf, _), axis in zip(self.leaves, axes, strict=True)}
        many = prod(map(len, domains))
        values, fine = _tried(np, (self.col, *(c for c, _ in self.told)), base, many)
        here = np.ones(many, bool)
        for condition, answer in self.told:
            here &= fine[condition.uid] & ((values[condition.uid] != 0) == answer)
        return values, fine, here


def _leaves(columns: Sequence[Column], codes: int) -> list[tuple[Column, Sequence[int]]]:
    """The cards, registers and carried values at the bottom, each with all that it may be: of a card that is asked for
    its rank alone, one of each rank."""
    asked: dict[int, set[str]] = {}
    found: dict[int, Column] = {}
    for c in walk(columns):
        for below in c.below:
            asked.setdefault(below.uid, set()).add(c.op)
        if c.op in LEAVES and c.op != "const":
            found[c.uid] = c
    return [(c, _all(c, asked.get(uid, set()), codes)) for uid, c in found.items()]


def _size(leaves: Sequence[tuple[Column, Sequence[int]]]) -> int:
    return prod(len(values) for _, values in leaves)


def _all(leaf: Column, asked: set[str], codes: int) -> Sequence[int]:
    if leaf.op != "card":
        return range(leaf.lo, leaf.hi + 1)
    if asked == {"rank"}:
        return range(0, codes, 4)
    return (*range(4), *range(52, codes)) if asked and asked <= SUITS else range(codes)


def _tried(
    np: Any, columns: Iterable[Column], base: "Mapping[int, Ints]", many: int
) -> "tuple[dict[int, Ints], dict[int, Bools]]":
    """What each column comes to, and whether everything that it rests on is within its range."""
    values: dict[int, Any] = {}
    fine: dict[int, Any] = {}
    for c in walk(columns):
        xs, ok = [values[a.uid] for a in c.below], [fine[a.uid] for a in c.below]
        fine[c.uid] = np.logical_and.reduce(ok) if ok else np.ones(many, bool)
        if c.op == "const":
            values[c.uid] = np.full(many, c.args[0], np.int64)
        elif c.op in LEAVES:
            values[c.uid] = base[c.uid]
        elif c.op == "lookup":
            table, index = c.args
            values[c.uid] = np.take(np.asarray(table, np.int64), xs[0] - index.lo, mode="clip")
        else:
            values[c.uid] = np.asarray(OPERATIONS[c.op].array(np, *xs)).astype(np.int64)
        if c.op == "within":
            fine[c.uid] = fine[c.uid] & (c.lo <= xs[0]) & (xs[0] <= c.hi)
        elif c.op == "where":
            fine[c.uid] = ok[0] & np.where(xs[0] != 0, ok[1], ok[2])
        elif c.op in ("and", "or"):  # one that settles it will do
            fine[c.uid] |= np.logical_or.reduce([k & ((x != 0) == (c.op == "or")) for x, k in zip(xs, ok, strict=True)])
    return values, fine


def _refused(house: House, point: Node, col: Column, within: Column, why: str) -> RuleError:
    lo, hi = within.lo, within.hi
    return _line(house, point, col, lo, hi).error(
        f"within() says that this runs from {lo} to {hi}, and {why}; correct that, or cut it off with "
        f"lowest(highest(..., {lo}), {hi})"
    )


def _line(house: House, point: Node, col: Column, lo: int, hi: int) -> Site:
    """The line of the only `within` of this range in the file, or else the line where the value is used."""
    path = house.game.path
    source = path.read_bytes() if path.exists() else b""
    lines = {call.lineno for call in _calls(source) if _range_of(call) == (lo, hi)}
    if len(lines) == 1:
        return Site(house.game.play.__code__.co_filename, lines.pop())
    for event in point.events:
        value = event.rows.index if isinstance(event, Settle) else getattr(event, "value", None)
        if isinstance(event, Settle | Share | Carry) and value is col:
            return event.site
    if isinstance(point, Decide | When | Mark):
        return point.site
    return point.target.site if isinstance(point, Jump) else point.events[-1].site if point.events else _home(house)


def _calls(source: bytes) -> Iterator[ast.Call]:
    for found in ast.walk(ast.parse(source)):
        if isinstance(found, ast.Call) and ast.unparse(found.func).rpartition(".")[2] == "within":
            yield found


def _range_of(call: ast.Call) -> tuple[object, ...]:
    try:
        return tuple(ast.literal_eval(part) for part in call.args[1:3])
    except ValueError:
        return ()


def _home(house: House) -> Site:
    code = house.game.play.__code__
    return Site(code.co_filename, code.co_firstlineno)
