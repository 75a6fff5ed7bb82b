"""A column's value for known cards: the scalar meaning of every operation, used at the live table."""

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

from pitboss.rules.column import Column

SCALAR: dict[str, Callable[..., int]] = {
    "rank": lambda c: c >> 2,
    "suit": lambda c: c & 3,
    "add": lambda *xs: sum(xs),
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "lt": lambda a, b: int(a < b),
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "and": lambda *xs: int(all(xs)),
    "or": lambda *xs: int(any(xs)),
    "not": lambda a: int(not a),
    "where": lambda c, a, b: a if c else b,
    "max": max,
    "min": min,
    "compare": lambda a, b: 1 + (a > b) - (a < b),
    "within": lambda a: a,
    "strength": lambda *cards: _hands().strength_of(cards),
    "royals": lambda *cards: _hands().royal_length_of(cards),
}


def _hands() -> Any:
    """Ranking hands needs numpy, which a game without poker hands need not wait for."""
    from pitboss.hands import evaluate as hands

    return hands


def evaluate(
    col: Column, cards: Mapping[int, int], carried: Mapping[str, int], known: MutableMapping[int, int] | None = None
) -> int:
    """The value of `col` when slot i holds cards[i]; `known` remembers nodes between calls."""
    known = {} if known is None else known
    found = known.get(col.uid)
    if found is None:
        if col.op == "const":
            found = int(col.args[0])
        elif col.op == "card":
            found = cards[col.args[0]]
        elif col.op == "carried":
            found = carried[col.args[0]]
        elif col.op == "lookup":
            values, index = col.args
            found = int(values[evaluate(index, cards, carried, known) - index.lo])
        else:
            args: list[Any] = [evaluate(a, cards, carried, known) for a in col.args]
            found = int(SCALAR[col.op](*args))
        known[col.uid] = found
    return found
