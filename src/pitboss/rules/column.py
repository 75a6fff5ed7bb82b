"""Columns: what a game file sees of the cards. One value per round, opaque, with a proven range.

Every operation makes a node of one hash-consed graph, so that equal expressions are one node. A node's identity is its
operation, its arguments and its range. Commutative operations sort and flatten their arguments: two expressions that
differ only in the order of interchangeable cards become the same node, which is how `pitboss.exact` proves that the
order of a deal does not matter. A node that nobody holds any more is forgotten, so a process may trace for months.
"""

import threading
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, count
from typing import Any, NoReturn, overload
from weakref import ref

from pitboss.hands.categories import (
    NO_PAIR,
    ROYAL_FLUSH,
    THREE_NO_PAIR,
    THREE_ROYAL,
    TWO_CARDS,
    TWO_CARDS_TOP,
)
from pitboss.rules.errors import site
from pitboss.rules.operations import OPERATIONS

Arg = Any  # a Column, an int, a name or a tuple of ints: the arguments of a node

_NODES: dict[tuple[Any, ...], "ref[Column]"] = {}
_LOCK = threading.RLock()  # one node for one expression, whichever thread asks first
_NUMBERS = count()
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
        return node("and", (_condition(self, "&"), _condition(other, "&")), 0, 1)

    def __or__(self, other: "Column | bool") -> "Column":
        return node("or", (_condition(self, "|"), _condition(other, "|")), 0, 1)

    __rand__ = __and__
    __ror__ = __or__

    def __invert__(self) -> "Column":
        return node("not", (_condition(self, "~"),), 0, 1)

    def __abs__(self) -> "Column":
        return highest(self, 0 - self)

    def __bool__(self) -> NoReturn:
        raise _bare_condition()

    def __hash__(self) -> NoReturn:
        raise site().error("a column cannot be the key of a dict or set; write `lookup(table, column)`")

    def __repr__(self) -> str:
        return str(self.args[0]) if self.op == "const" else f"{self.op}({', '.join(map(repr, self.args))})"

    def __array_ufunc__(self, ufunc: Any, *_: Any, **__: Any) -> NoReturn:
        raise site().error(f"numpy.{ufunc.__name__} does not work on a column; write highest, lowest or where")

    def _refuse(name: str) -> Any:  # type: ignore[misc]  # noqa: N805  a maker of methods, not a method
        def method(self: "Column", *_: Any, **__: Any) -> NoReturn:
            raise site().error(
                f"{name} is not defined for a column, which holds one value per round; "
                "there are + - * < <= > >= == != & | ~ abs, where, highest, lowest, compare and lookup"
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
    __floordiv__ = __rfloordiv__ = _refuse("//")
    __mod__ = __rmod__ = _refuse("%")
    __pow__ = __rpow__ = _refuse("**")
    __neg__ = _refuse("unary minus")
    __contains__ = _refuse("in")
    __format__ = _refuse("formatting")
    __str__ = _refuse("str()")
    del _refuse


def _bare_condition() -> Exception:
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
    key = (op, lo, hi, *[(a.uid,) if a.__class__ is Column else a for a in args])
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
        return node("const", (int(value),), int(value), int(value))
    if isinstance(value, Rows):
        raise site().error("a result such as WIN or compare(...) is not a number; test it with `result == 'win'`")
    if isinstance(value, Hand | Card):
        raise site().error("a card is not a number; write `.rank` or `.suit`")
    raise site().error(f"a column cannot meet {value!r}; it takes whole numbers (ranks are TWO to ACE) and columns")


def _condition(value: object, sign: str) -> Column:
    col = column(value)
    if col.lo < 0 or col.hi > 1:
        raise site().error(f"`{sign}` takes conditions such as `mine.rank > 3`; put each side in brackets")
    return col


def card_in(slot: int) -> Column:
    """The card that lies in a slot."""
    return node("card", (slot,), 0, 51)


class Card:
    """One dealt card: its `rank`, its `suit`, and whether it is the same card as another."""

    __slots__ = ("col",)

    def __init__(self, slot: int) -> None:
        self.col = card_in(slot)

    @property
    def slot(self) -> int:
        """Which card of the round it is, counted from 0 in the order of the deal."""
        return int(self.col.args[0])

    @property
    def rank(self) -> Column:
        """TWO (0) to ACE (12)."""
        return node("rank", (self.col,), 0, 12)

    @property
    def suit(self) -> Column:
        """CLUBS (0) to SPADES (3)."""
        return node("suit", (self.col,), 0, 3)

    def __eq__(self, other: object) -> Column:  # type: ignore[override]
        if isinstance(other, Hand):
            other = other.one()
        if isinstance(other, Card):
            return node("eq", (self.col, other.col), 0, 1)
        raise site().error("a card can only equal another card; write `.rank` or `.suit` to compare it with a number")

    def __ne__(self, other: object) -> Column:  # type: ignore[override]
        return ~(self == other)

    def __lt__(self, other: object) -> NoReturn:
        raise site().error(
            "cards have no order of their own; write `.rank` on both sides, such as `mine.rank > his.rank`"
        )

    __le__ = __gt__ = __ge__ = __lt__

    def __bool__(self) -> NoReturn:
        raise _bare_condition()

    def __hash__(self) -> NoReturn:
        raise site().error("a card cannot be the key of a dict or set; write `lookup(table, card.rank)`")


class Hand:
    """The cards of one deal, in the order dealt. A hand of one card has its `rank` and `suit`."""

    __slots__ = ("cards",)

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = tuple(cards)

    def one(self) -> Card:
        """The card of a hand of one card."""
        if len(self.cards) != 1:
            raise site().error(f"this hand has {len(self.cards)} cards; say which one, for instance `hand[0].rank`")
        return self.cards[0]

    @property
    def rank(self) -> Column:
        """The rank of a hand of one card."""
        return self.one().rank

    @property
    def suit(self) -> Column:
        """The suit of a hand of one card."""
        return self.one().suit

    def choose(self, k: int) -> list["Hand"]:
        """Every hand of k of these cards."""
        return [Hand(c) for c in combinations(self.cards, k)]

    def __add__(self, other: "Hand") -> "Hand":
        return Hand(self.cards + other.cards)

    def __getitem__(self, i: int) -> Card:
        return self.cards[i]

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __eq__(self, other: object) -> Column:  # type: ignore[override]
        return self.one() == other

    def __ne__(self, other: object) -> Column:  # type: ignore[override]
        return ~(self.one() == other)

    def __lt__(self, other: object) -> NoReturn:
        raise site().error(
            "hands have no order of their own; write `.rank` on both sides, such as `mine.rank > his.rank`"
        )

    __le__ = __gt__ = __ge__ = __lt__

    def __bool__(self) -> NoReturn:
        raise site().error("a hand is neither true nor false; branch on its cards with `if t.when(...)`")

    def __hash__(self) -> NoReturn:
        raise site().error("a hand cannot be the key of a dict or set")


class Rows:
    """The result of a wager: which row of its pay table, by name."""

    __slots__ = ("index", "names")

    def __init__(self, names: Sequence[str], index: Column) -> None:
        if not 0 <= index.lo <= index.hi < len(names):
            raise site().error(f"a result of {len(names)} rows cannot be number {index.lo} to {index.hi}")
        self.names, self.index = tuple(names), index

    def __eq__(self, other: object) -> Column:  # type: ignore[override]
        name = other.names[0] if isinstance(other, Rows) and len(other.names) == 1 else other
        if name not in self.names:
            raise site().error(f"this result can be {', '.join(self.names)}; it is never {name!r}")
        same = [self.index == i for i, n in enumerate(self.names) if n == name]
        return reduce(Column.__or__, same)

    def __ne__(self, other: object) -> Column:  # type: ignore[override]
        return ~(self == other)

    def __bool__(self) -> NoReturn:
        raise _bare_condition()

    def __hash__(self) -> NoReturn:
        raise site().error("a result cannot be the key of a dict or set")

    def __repr__(self) -> str:
        return f"Rows({', '.join(self.names)})"


def row(name: str) -> Rows:
    """The same row of the pay table in every round, such as `row("surrender")`."""
    return Rows((name,), column(0))


def pick(names: Sequence[str], index: "Column | int") -> Rows:
    """The row with this number, counted from 0: for results that are worked out rather than matched."""
    return Rows(names, column(index))


WIN, PUSH, LOSE = row("win"), row("push"), row("lose")


@overload
def where(condition: Column, then: Rows, otherwise: Rows) -> Rows: ...
@overload
def where(condition: Column, then: "Column | int", otherwise: "Column | int") -> Column: ...
def where(condition: Column, then: Any, otherwise: Any) -> Any:
    """`then` in the rounds where the condition holds, else `otherwise`: two numbers or two results."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if isinstance(then, Rows) != isinstance(otherwise, Rows):
        raise site().error("where() chooses between two numbers or between two results, not one of each")
    if isinstance(then, Rows):
        names = tuple(dict.fromkeys((*then.names, *otherwise.names)))
        a, b = (lookup([names.index(n) for n in r.names], r.index) for r in (then, otherwise))
        return Rows(names, where(condition, a, b))
    a, b = column(then), column(otherwise)
    return node("where", (_condition(condition, "where"), a, b), min(a.lo, b.lo), max(a.hi, b.hi))


def first_match(*rows: tuple[str, Column], otherwise: str = "lose") -> Rows:
    """A side bet as a list of named rows, best first: the first whose condition holds wins."""
    if not rows:
        raise site().error('first_match() needs at least one row, such as ("tie", mine.rank == his.rank)')
    index: Column = column(len(rows))
    for i in range(len(rows) - 1, -1, -1):
        index = where(_condition(rows[i][1], "first_match"), i, index)
    return Rows((*(name for name, _ in rows), otherwise), index)


def compare(mine: "Column | int", theirs: "Column | int") -> Rows:
    """Win, push or lose for the first of the two: the higher wins."""
    return Rows(("lose", "push", "win"), node("compare", (column(mine), column(theirs)), 0, 2))


def highest(*values: "Column | int") -> Column:
    """The largest of the values, round by round."""
    cols = [column(v) for v in values]
    return cols[0] if len(cols) == 1 else node("max", tuple(cols), max(c.lo for c in cols), max(c.hi for c in cols))


def lowest(*values: "Column | int") -> Column:
    """The smallest of the values, round by round."""
    cols = [column(v) for v in values]
    return cols[0] if len(cols) == 1 else node("min", tuple(cols), min(c.lo for c in cols), min(c.hi for c in cols))


def within(value: "Column | int", lo: int, hi: int) -> Column:
    """The same value, declared to run from lo to hi because the author knows more than the sum of the parts shows."""
    col = column(value)
    if col.hi < lo or col.lo > hi:
        raise site().error(f"this runs from {col.lo} to {col.hi}, which never is within {lo} to {hi}")
    return col if (col.lo, col.hi) == (lo, hi) else node("within", (col,), lo, hi)


def strength(*hands: Hand) -> Column:
    """The best hand of two, three, or five to seven cards as one number: larger is stronger, equal is a tie."""
    cards = [c.col for hand in hands for c in hand]
    least, most = {2: (TWO_CARDS, TWO_CARDS_TOP), 3: (THREE_NO_PAIR, THREE_ROYAL)}.get(
        len(cards), (NO_PAIR, ROYAL_FLUSH)
    )
    if len(cards) not in (2, 3, 5, 6, 7):
        raise site().error(f"strength() ranks two, three, five, six or seven cards, not {len(cards)}")
    return node("strength", tuple(cards), least, most)


def royal_length(*hands: Hand) -> Column:
    """How many cards of one suit run down from the ace without a gap, 5 to 7; 0 when there are fewer than five."""
    cards = [c.col for hand in hands for c in hand]
    if not 5 <= len(cards) <= 7:
        raise site().error(f"royal_length() looks at five, six or seven cards, not {len(cards)}")
    return node("royals", tuple(cards), 0, len(cards))


def by_floor(value: Column, floors: Mapping[str, int], otherwise: str = "lose") -> Rows:
    """The row with the highest floor that the value reaches: `{"straight": STRAIGHT, "flush": FLUSH}`."""
    rising = sorted(floors.items(), key=lambda item: item[1])
    if not rising:
        raise site().error('by_floor() needs at least one row, such as {"pair": PAIR}')
    index: Column = column(0)
    for _, floor in rising:
        index = index + (value >= floor)
    return Rows((otherwise, *(name for name, _ in rising)), index)


def lookup(table: Sequence[int] | Mapping[int, int], index: Column) -> Column:
    """`table[index]`, round by round; the table must cover the whole proven range of the index."""
    index = column(index)
    whole = range(index.lo, index.hi + 1)
    if isinstance(table, Mapping):
        missing = [i for i in whole if i not in table]
    else:
        missing = [index.lo] * (index.lo < 0) or [max(len(table), index.lo)] * (index.hi >= len(table))
    if missing:
        raise site().error(f"the column runs from {index.lo} to {index.hi}, and the table has nothing for {missing[0]}")
    values = tuple([int(table[i]) for i in whole])
    if values == tuple(whole):
        return index
    if min(values) == max(values):
        return column(values[0])
    return node("lookup", (values, index), min(values), max(values))
