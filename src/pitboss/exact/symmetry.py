"""What may be counted once for many: proofs over the graph, not promises by an author."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

from pitboss.rules.column import Column, node
from pitboss.rules.graph import End, Graph, Group, Jump, Mark, Node, When

_FREE_OF_SUITS = frozenset({"card", "rank", "suit", "strength", "royals"})


def columns_of(point: Node) -> list[Column]:
    """The columns that decide what happens at a node."""
    if isinstance(point, When):
        return [point.condition]
    if isinstance(point, End):
        staked = (index for _, index in point.staked.values())
        return [*(s.rows.index for s in point.settled), *staked, *point.carries.values()]
    return [*point.values] if isinstance(point, Mark | Jump) else []


def suits_interchangeable(graph: Graph) -> bool:
    """Suits meet only each other, in == and !=; whole cards too. Then renaming the suits changes nothing."""
    seen: set[int] = set()

    def holds(col: Column) -> bool:
        if col.uid in seen:
            return True
        seen.add(col.uid)
        below = [a for a in col.args if isinstance(a, Column)]
        kinds = {a.op for a in below}
        exposed = kinds & {"suit", "card"} and col.op not in _FREE_OF_SUITS
        if exposed and (col.op not in ("eq", "ne") or len(kinds) != 1):
            return False
        return all(holds(a) for a in below)

    columns = [c for point in graph.nodes for c in columns_of(point)]
    return all(c.op not in ("suit", "card") and holds(c) for c in columns)


def renamed(col: Column, slots: Mapping[int, int], known: dict[int, Column]) -> Column:
    """The same expression with cards in other slots."""
    if not col.slots & slots.keys():
        return col
    if col.uid not in known:
        if col.op == "card":
            known[col.uid] = node("card", (slots.get(col.args[0], col.args[0]),), 0, 51)
        else:
            args = tuple(renamed(a, slots, known) if isinstance(a, Column) else a for a in col.args)
            known[col.uid] = node(col.op, args, col.lo, col.hi)
    return known[col.uid]


def order_matters(graph: Graph, group: Group) -> bool:
    """Whether anything in the game tells the cards of one deal apart."""
    points = [p for p in graph.nodes if any(g.slots == group.slots and g.who == group.who for g in p.groups)]
    columns: Iterable[Column] = [c for p in points for c in columns_of(p)]
    for a, b in pairwise(group.slots):
        known: dict[int, Column] = {}
        if any(renamed(c, {a: b, b: a}, known) is not c for c in columns):
            return True
    return False


def rank_classes(columns: Iterable[Column]) -> list[tuple[int, ...]]:
    """Ranks that none of these columns tells apart, together: ten, jack, queen and king, where all count ten."""
    tables: set[tuple[int, ...]] = set()
    seen: set[int] = set()

    def look(col: Column) -> None:
        if col.uid in seen:
            return
        seen.add(col.uid)
        if col.op == "lookup" and col.args[1].op == "rank":
            tables.add(col.args[0])
        elif col.op == "rank":
            tables.add(tuple(range(13)))
        else:
            for arg in col.args:
                if isinstance(arg, Column):
                    look(arg)

    for col in columns:
        look(col)
    alike: dict[tuple[int, ...], list[int]] = {}
    for rank in range(13):
        alike.setdefault(tuple(t[rank] for t in sorted(tables)), []).append(rank)
    return [tuple(ranks) for ranks in alike.values()]
