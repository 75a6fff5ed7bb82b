"""What a mark keeps of a round: the columns of its state as registers, everything else as its name.

Two ways of the round lead to the same mark when they agree in all that is plain (numbers, names, how many hands) and in
the ranges of all that is not. From then on a line may look at the registers and at cards dealt since, and at nothing
else: the tracer refuses a column from before the mark, so what the author forgot to name cannot slip through.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pitboss.rules.column import Column, column, lookup, node, within
from pitboss.rules.dealt import Card, Hand
from pitboss.rules.errors import Site
from pitboss.rules.results import Rows
from pitboss.rules.vocabulary import Table

Swap = Callable[[Column], Column]


_PLAIN = frozenset({bool, int, str, type(None)})


def swapped(value: Any, swap: Swap, where: Site) -> Any:
    """The same structure with every column exchanged."""
    kind = value.__class__
    if kind is Column:
        return swap(value)
    if kind in _PLAIN:
        return value
    if isinstance(value, Card):
        card = object.__new__(Card)
        card.col, card.of = swap(value.col), value.of
        return card
    if isinstance(value, Hand):
        return Hand([swapped(c, swap, where) for c in value.cards])
    if isinstance(value, Rows):
        return value if value.index.op == "const" else Rows(value.names, swap(value.index))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(swapped(v, swap, where) for v in value))
    if isinstance(value, list | tuple):
        return type(value)(swapped(v, swap, where) for v in value)
    if isinstance(value, dict):
        return {k: swapped(v, swap, where) for k, v in value.items()}
    if value is None or isinstance(value, str | int):
        return value
    raise where.error(
        f"mark() keeps columns, cards, numbers and names, and tuples, lists and dicts of them, not {value!r}"
    )


def shape(value: Any) -> Any:
    """What is plain in a state, comparable; of a column, its range."""
    if isinstance(value, Column):
        return ("column", value.lo, value.hi)
    if isinstance(value, Card):
        return ("card",)
    if isinstance(value, Hand):
        return ("hand", len(value.cards))
    if isinstance(value, Rows):
        return ("rows", value.names, value.index.lo, value.index.hi)  # a result that is always the same stays so
    if isinstance(value, list | tuple):
        return (type(value).__name__, *map(shape, value))
    if isinstance(value, dict):
        return ("dict", *((k, shape(v)) for k, v in value.items()))
    return (type(value).__name__, value)


def table_state(table: Table) -> dict[str, Any]:
    """What the table itself remembers: how wagers were placed and settled, and what is carried over.

    Every way that leads to the mark puts it into the same form: all rows of a pay table, all multiples of a bet.
    """
    rows: dict[str, Any] = {}
    for name, settle in sorted(table.settled.items()):
        if not table.house.takes(name):
            continue
        if len(settle.rows.names) == 1:
            rows[name] = settle.rows
            continue
        names = tuple(dict.fromkeys((*table.house.tables[name].pays, "push", "lose")))
        rows[name] = Rows(names, _full([names.index(n) for n in settle.rows.names], settle.rows.index, len(names)))
    return {
        "settled": rows,
        "staked": {name: _stake(table, name) for name in sorted({*table.staked, *table.bets})},
        "carries": dict(table.carries),
        "shares": dict(table.shares),
        "states": (dict(table.carried_states), dict(table.carried_on)),
    }


def restore(table: Table, state: dict[str, Any]) -> None:
    """Go on from what a mark has kept."""
    table.settled = {n: s for n, s in table.settled.items() if n not in state["settled"]} | {
        name: replace(table.settled[name], rows=rows) for name, rows in state["settled"].items()
    }
    table.staked = {name: (_multiples(table, name), index) for name, index in state["staked"].items()}
    table.bets = {}
    table.carries, table.shares = state["carries"], state["shares"]


def _full(numbers: list[int], index: Column, size: int) -> Column:
    """The index into a longer list of names, with the whole range of that list."""
    return within(lookup(numbers, index), 0, size - 1)


def _multiples(table: Table, name: str) -> tuple[Any, ...]:
    return table.house.multiples[name]


def _stake(table: Table, name: str) -> Column:
    """How a wager was placed, as a place in the list of its multiples."""
    if name in table.staked:
        return table.staked[name][1]
    of = _multiples(table, name)
    return node("within", (column(of.index(table.bets[name])),), 0, len(of) - 1)
