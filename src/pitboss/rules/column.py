"""Columns: what a game file sees of the cards. One value per round, opaque, with a proven range.

Every operation makes a node of one hash-consed graph, so that equal expressions are one node. A node's identity is its
operation, its arguments and its range. Commutative operations sort and flatten their arguments: two expressions that
differ only in the order of interchangeable cards become the same node, which is how `pitboss.exact` proves that the
order of a deal does not matter. A node that nobody holds any more is forgotten, so a process may trace for months.
"""

import itertools
import threading
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from operator import index as index_of
from typing import Any, NoReturn
from weakref import ref

from pitboss.rules.errors import said, site
from pitboss.rules.operations import MOST_SORTED, OPERATIONS

Arg = Any  # a Column, an int, a name or a tuple of ints: the arguments of a node

_NODES: dict[tuple[Any, ...], "ref[Column]"] = {}
_LOCK = threading.RLock()  # one node for one expression, whichever thread asks first
_NUMBERS = itertools.count()
_WIDEST = 1 << 62
_FLAT = frozenset(name for name, o in OPERATIONS.items() if o.flat)
_SWAP = frozenset(name for name, o in OPERATIONS.items() if o.swaps)


class Column:
    """One value per round; only the operations below exist. `lo` to `hi` is the proven range of its values."""

    __slots__ = ("__weakref__", "args", "below", "depth", "hi", "lo", "op", "ops", "slots", "uid")
    op: str
    args: tuple[Arg, ...]
    lo: int
    hi: int
    below: tuple["Column", ...]  # the columns among the arguments
    slots: frozenset[int]  # the cards and registers that it looks at
    ops: frozenset[str]  # every operation in it
    depth: int  # of the expression, 0 for what it starts from
    uid: int

    def __add__(self, other: "Column | int") -> "Column":
        b = column(other)
        if self is _SMALL[0] or b is _SMALL[0]:  # where sum() begins
            return self if b is _SMALL[0] else b
        return node("add", (self, b), self.lo + b.lo, self.hi + b.hi)

    def __sub__(self, other: "Column | int") -> "Column":
        b = column(other)
        return node("sub", (self, b), self.lo - b.hi, self.hi - b.lo)

    def __rsub__(self, other: int) -> "Column":
        return column(other) - self

    def __mul__(self, other: "Column | int") -> "Column":
        b = column(other)
        ends = [x * y for x in (self.lo, self.hi) for y in (b.lo, b.hi)]
        return node("mul", (self, b), min(ends), max(ends))

    def __floordiv__(self, other: int) -> "Column":
        k = _divisor(other, "//")
        lo, hi = self.lo // k, self.hi // k
        return column(lo) if lo == hi else node("div", (self, column(k)), lo, hi)

    def __mod__(self, other: int) -> "Column":
        k = _divisor(other, "%")
        if self.lo // k == self.hi // k:  # nothing goes round
            return self - self.lo // k * k if self.lo // k else self
        return node("mod", (self, column(k)), 0, k - 1)

    __radd__ = __add__
    __rmul__ = __mul__

    def __lt__(self, other: "Column | int") -> "Column":
        return node("lt", (self, column(other)), 0, 1)

    def __le__(self, other: "Column | int") -> "Column":
        return ~(column(other) < self)

    def __gt__(self, other: "Column | int") -> "Column":
        return column(other) < self

    def __ge__(self, other: "Column | int") -> "Column":
        return ~(self < column(other))

    def __eq__(self, other: object) -> "Column":  # type: ignore[override]
        return node("eq", (self, column(other)), 0, 1)

    def __ne__(self, other: object) -> "Column":  # type: ignore[override]
        return node("ne", (self, column(other)), 0, 1)

    def __and__(self, other: "Column | bool") -> "Column":
        return node("and", (condition_of(self, "&"), condition_of(other, "&")), 0, 1)

    def __or__(self, other: "Column | bool") -> "Column":
        return node("or", (condition_of(self, "|"), condition_of(other, "|")), 0, 1)

    __rand__ = __and__
    __ror__ = __or__

    def __invert__(self) -> "Column":
        return node("not", (condition_of(self, "~"),), 0, 1)

    def __abs__(self) -> "Column":
        return highest(self, 0 - self)

    def __bool__(self) -> NoReturn:
        raise bare_condition()

    def __hash__(self) -> NoReturn:
        raise site().error("a column cannot be the key of a dict or set; write `lookup(table, column)`")

    def __repr__(self) -> str:
        if self.op == "const":
            return str(self.args[0])
        return f"{self.op}({', '.join(map(repr, self.args)) if self.depth < 6 else '...'})"

    def __array_ufunc__(self, ufunc: Any, *_: Any, **__: Any) -> NoReturn:
        raise site().error(f"numpy.{ufunc.__name__} does not work on a column; write highest, lowest or where")

    def _refuse(name: str) -> Any:  # type: ignore[misc]  # noqa: N805  a maker of methods, not a method
        def method(self: "Column", *_: Any, **__: Any) -> NoReturn:
            raise site().error(
                f"{name} is not defined for a column, which holds one value per round; "
                "there are + - * // % < <= > >= == != & | ~ abs, where, highest, lowest, compare and lookup"
            )

        return method

    __int__ = _refuse("int()")
    __index__ = _refuse("use as a number")
    __float__ = _refuse("float()")
    __iter__ = _refuse("iteration")
    __len__ = _refuse("len()")
    __getitem__ = _refuse("[]")
    __array__ = _refuse("numpy")
    __truediv__ = __rtruediv__ = _refuse("/")
    __rfloordiv__ = _refuse("// with a column behind it")
    __rmod__ = _refuse("% with a column behind it")
    __divmod__ = __rdivmod__ = _refuse("divmod()")
    __pow__ = __rpow__ = _refuse("**")
    __neg__ = _refuse("unary minus")
    __contains__ = _refuse("in")
    __format__ = _refuse("formatting")
    __str__ = _refuse("str()")
    del _refuse


def bare_condition() -> Exception:
    from pitboss.rules.hints import advice  # parsing Python is only for those who made a mistake

    where_ = site()
    return where_.error(
        "a column holds one value per round, so Python cannot test it for true or false; " + advice(where_.source)
    )


def node(op: str, args: tuple[Arg, ...], lo: int, hi: int) -> Column:
    """The one node with this operation, these arguments and this range."""
    if op in _FLAT:
        flat: list[Column] = []
        for a in args:
            flat.extend(a.args if a.op == op else (a,))
        args = tuple(sorted(flat, key=_uid))
    elif op in _SWAP:
        args = tuple(sorted(args, key=_uid))
    if not -_WIDEST < lo <= hi < _WIDEST:
        raise site().error(f"a number here can run from {lo} to {hi}, more than 64 bits hold; keep it smaller")
    key = (op, lo, hi, *[a.uid if a.__class__ is Column else a for a in args])  # no operation takes both in one place
    known = _NODES.get(key)
    found = known() if known is not None else None
    return _new_node(key, op, args, lo, hi) if found is None else found


def _new_node(key: tuple[Any, ...], op: str, args: tuple[Arg, ...], lo: int, hi: int) -> Column:
    with _LOCK:
        known = _NODES.get(key)
        found = known() if known is not None else None
        if found is not None:  # another thread was quicker
            return found
        found = object.__new__(Column)
        found.op, found.args, found.lo, found.hi, found.uid = op, args, lo, hi, next(_NUMBERS)
        found.below = tuple(a for a in args if a.__class__ is Column)
        found.ops = frozenset((op,)).union(*(a.ops for a in found.below))
        found.depth = 1 + max((a.depth for a in found.below), default=-1)
        if op == "card":
            found.slots = frozenset(args)
        elif op == "register":  # cards of earlier on, known by what a mark has kept of them
            found.slots = frozenset((-1 - found.uid,))
        else:
            found.slots = frozenset().union(*(a.slots for a in found.below))

        def forget(dead: "ref[Column]") -> None:
            with _LOCK:
                if _NODES.get(key) is dead:
                    del _NODES[key]

        _NODES[key] = ref(found, forget)
        return found


def walk(columns: Iterable[Column], known: Container[int] = ()) -> Iterator[Column]:
    """Every node of these columns once, arguments first: the one way to look through an expression. However often a
    node is shared, it is met once, so 40 nested steps are 40 nodes and not 2^40. Nodes whose uid is `known` are left
    out, with what only they need."""
    seen: set[int] = set()
    for top in columns:
        waiting = [top]
        while waiting:
            here = waiting[-1]
            if here.uid in seen or here.uid in known:
                waiting.pop()
                continue
            below = [a for a in here.below if a.uid not in seen and a.uid not in known]
            if below:
                waiting.extend(reversed(below))
            else:
                seen.add(here.uid)
                waiting.pop()
                yield here


def substituted(columns: Sequence[Column], leaves: Mapping[int, Column]) -> list[Column]:
    """The same expressions with other columns in place of some: `leaves` maps the uid of what is replaced."""
    made: dict[int, Column] = {}
    for col in walk(columns):
        if col.uid in leaves:
            made[col.uid] = leaves[col.uid]
        elif any(made[a.uid] is not a for a in col.below):
            args = tuple(made[a.uid] if a.__class__ is Column else a for a in col.args)
            made[col.uid] = node(col.op, args, col.lo, col.hi)
        else:
            made[col.uid] = col
    return [made[col.uid] for col in columns]


def _uid(col: Column) -> int:
    return col.uid


def column(value: object) -> Column:
    """A column as it is, a whole number as a constant column; anything else is a mistake."""
    if value.__class__ is Column:
        return value
    if isinstance(value, int):
        plain = value if value.__class__ is int else int.__index__(value)  # what a class of its own says may differ
        known = _SMALL.get(plain)
        return node("const", (plain,), plain, plain) if known is None else known
    if hasattr(value, "__index__"):  # numpy has whole numbers of its own
        return column(index_of(value))
    instead = getattr(value, "NOT_A_NUMBER", None)
    if instead is not None:
        raise site().error(instead)
    raise site().error(f"a column cannot meet {value!r}; it takes whole numbers (ranks are TWO to ACE) and columns")


_SMALL: dict[int, Column] = {}  # the numbers that games are made of
_SMALL |= {n: column(n) for n in range(-64, 128)}


def condition_of(value: object, sign: str) -> Column:
    col = column(value)
    if col.lo < 0 or col.hi > 1:
        raise site().error(f"`{sign}` takes conditions such as `mine.rank > 3`; put each side in brackets")
    return col


def _divisor(value: object, sign: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < _WIDEST:
        raise site().error(f"`{sign}` takes a whole number of 1 or more, such as `total {sign} 10`, not {said(value)}")
    return value


def card_in(slot: int) -> Column:
    """The card that lies in a slot."""
    return node("card", (slot,), 0, 53)


def highest(*values: "Column | int") -> Column:
    """The largest of the values, round by round."""
    cols = [column(v) for v in values]
    return cols[0] if len(cols) == 1 else node("max", tuple(cols), max(c.lo for c in cols), max(c.hi for c in cols))


def lowest(*values: "Column | int") -> Column:
    """The smallest of the values, round by round."""
    cols = [column(v) for v in values]
    return cols[0] if len(cols) == 1 else node("min", tuple(cols), min(c.lo for c in cols), min(c.hi for c in cols))


def high_to_low(*values: "Column | int") -> list[Column]:
    """The values in order, the largest first, round by round: up to seven. Which came first does not matter."""
    cols = [column(v) for v in values]
    if not 1 <= len(cols) <= MOST_SORTED:
        raise site().error(f"high_to_low() puts one to {MOST_SORTED} values in order, not {len(cols)}")
    lows, highs = (sorted(ends, reverse=True) for ends in ([c.lo for c in cols], [c.hi for c in cols]))
    middle = [node(f"highest_{k + 1}", tuple(cols), lows[k], highs[k]) for k in range(1, len(cols) - 1)]
    return [highest(*cols), *middle, lowest(*cols)] if len(cols) > 1 else cols


def count(conditions: "Iterable[Column | bool]") -> Column:
    """How many of the conditions hold: `count(card.rank == ACE for card in hand)`."""
    if isinstance(conditions, Column) or not isinstance(conditions, Iterable):
        raise site().error(
            f"count() takes conditions, such as count(card.rank == ACE for card in hand), not {said(conditions)}"
        )
    total = column(0)
    for condition in conditions:
        total = total + condition_of(condition, "count")
    return total


def within(value: "Column | int", lo: int, hi: int) -> Column:
    """The same value, declared to run from lo to hi, which the sum of its parts does not show. It is proved where it is
    used, and refused where it does not hold."""
    col = column(value)
    if not isinstance(lo, int) or not isinstance(hi, int) or lo > hi:
        raise site().error(f"within() takes two whole numbers, the smaller one first, not {lo!r} and {hi!r}")
    if col.hi < lo or col.lo > hi:
        raise site().error(f"this runs from {col.lo} to {col.hi}, which never is within {lo} to {hi}")
    return col if (col.lo, col.hi) == (lo, hi) else node("within", (col,), lo, hi)


def lookup(table: Sequence[int] | Mapping[int, int], index: Column) -> Column:
    """`table[index]`, round by round; the table must cover the whole proven range of the index."""
    index = column(index)
    whole = range(index.lo, index.hi + 1)
    if not hasattr(table, "__getitem__") or not hasattr(table, "__len__"):
        raise site().error(f"lookup() takes a table and a column, such as lookup([0] * 13, mine.rank), not {table!r}")
    if isinstance(table, Mapping):
        missing = [i for i in whole if i not in table]
    else:
        missing = [index.lo] * (index.lo < 0) or [max(len(table), index.lo)] * (index.hi >= len(table))
    if missing:
        raise site().error(f"the column runs from {index.lo} to {index.hi}, and the table has nothing for {missing[0]}")
    values = tuple([table[i] for i in whole])
    for value in values:
        if not hasattr(value, "__index__"):
            raise site().error(
                f"a table for lookup() holds whole numbers, and {value!r} is none; scale it to whole numbers"
            )
    values = tuple(map(index_of, values))
    if values == tuple(whole):
        return index
    if min(values) == max(values):
        return column(values[0])
    return node("lookup", (values, index), min(values), max(values))
