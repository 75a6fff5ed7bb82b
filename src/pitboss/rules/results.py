"""Results of a wager: rows of its pay table by name, and the ways to come to one."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, NoReturn, overload

from pitboss.rules.column import Column, bare_condition, column, condition_of, lookup, node
from pitboss.rules.errors import site
from pitboss.rules.fields import a_text


class Rows:
    """The result of a wager: which row of its pay table, by name."""

    __slots__ = ("index", "names")
    NOT_A_NUMBER = "a result such as WIN or compare(...) is not a number; test it with `result == 'win'`"

    def __init__(self, names: Sequence[str], index: Column) -> None:
        for name in names:
            a_text("a row of a pay table", name, needed=True)
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
        raise bare_condition()

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
        gone = _told_apart(condition, otherwise) if len(otherwise.names) > 1 else []
        names = tuple(dict.fromkeys((*then.names, *(n for n in otherwise.names if n not in gone))))
        a, b = (lookup([names.index(n) if n in names else 0 for n in r.names], r.index) for r in (then, otherwise))
        return Rows(names, where(condition, a, b))
    a, b = column(then), column(otherwise)
    return node("where", (condition_of(condition, "where"), a, b), min(a.lo, b.lo), max(a.hi, b.hi))


def _told_apart(condition: Column, rows: Rows) -> list[str]:
    """The row that a result is not where the condition fails: after `where(duel == "win", ...)` no win is left."""
    return [n for i, n in enumerate(rows.names) if rows.names.count(n) == 1 and condition is (rows.index == i)]


def first_match(*rows: tuple[str, Column], otherwise: str = "lose") -> Rows:
    """A side bet as a list of named rows, best first: the first whose condition holds wins."""
    if not rows:
        raise site().error('first_match() needs at least one row, such as ("tie", mine.rank == his.rank)')
    index: Column = column(len(rows))
    for i in range(len(rows) - 1, -1, -1):
        index = where(condition_of(rows[i][1], "first_match"), i, index)
    return Rows((*(name for name, _ in rows), otherwise), index)


def compare(mine: "Column | int", theirs: "Column | int") -> Rows:
    """Win, push or lose for the first of the two: the higher wins."""
    return Rows(("lose", "push", "win"), node("compare", (column(mine), column(theirs)), 0, 2))


def by_floor(value: Column, floors: Mapping[str, int], otherwise: str = "lose") -> Rows:
    """The row with the highest floor that the value reaches: `{"straight": STRAIGHT, "flush": FLUSH}`."""
    rising = sorted(floors.items(), key=lambda item: item[1])
    if not rising:
        raise site().error('by_floor() needs at least one row, such as {"pair": PAIR}')
    index: Column = column(0)
    for _, floor in rising:
        index = index + (value >= floor)
    return Rows((otherwise, *(name for name, _ in rising)), index)
