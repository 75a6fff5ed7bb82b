"""A column's value for known cards, as at the live table."""

from collections.abc import Callable, Iterable, Mapping, MutableMapping

from pitboss.rules.column import Column
from pitboss.rules.operations import OPERATIONS


def evaluate(
    col: Column, cards: Mapping[int, int], carried: Mapping[str, int], known: MutableMapping[int, int] | None = None
) -> int:
    """The value of `col` when slot i holds cards[i]; `known` remembers nodes between calls."""
    known = {} if known is None else known
    waiting = [col]  # as `walk` goes, without stopping at every node: a live table asks this all the time
    while waiting:
        here = waiting[-1]
        if here.uid not in known:
            if here.op == "where":  # of two ways only the one that is gone
                condition, then, otherwise = here.args
                if (met := known.get(condition.uid)) is None:
                    waiting.append(condition)
                    continue
                taken = then if met else otherwise
                if taken.uid not in known:
                    waiting.append(taken)
                    continue
                known[here.uid] = known[taken.uid]
            elif below := [a for a in here.below if a.uid not in known]:
                waiting += below
                continue
            elif (operation := OPERATIONS.get(here.op)) is not None:
                known[here.uid] = int(operation.scalar(*[known[a.uid] for a in here.below]))
            else:
                known[here.uid] = _leaf(here, cards, carried, known)
        waiting.pop()
    return known[col.uid]


def _leaf(c: Column, cards: Mapping[int, int], carried: Mapping[str, int], known: Mapping[int, int]) -> int:
    """What a column starts from, and what is looked up."""
    if c.op == "card":
        return cards[c.args[0]]
    if c.op == "const":
        return int(c.args[0])
    if c.op == "carried":
        return carried[c.args[0]]
    values, index = c.args
    place = known[index.uid] - index.lo
    if "within" in index.ops:  # where it is not in its range, what is found is thrown away afterwards
        place = min(max(place, 0), len(values) - 1)
    return int(values[place])


def goes(cards: Mapping[int, int], carried: Mapping[str, int], went: Iterable[bool]) -> Callable[[Column], bool]:
    """Which way the round goes at one condition after the other: as these cards say; where a condition rests on others
    too, as it `went` there, which all have seen."""
    told = iter(went)
    return lambda condition: (
        bool(evaluate(condition, cards, carried)) if condition.slots <= cards.keys() else next(told)
    )
