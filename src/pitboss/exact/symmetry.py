"""What may be counted once for many: proofs over the graph, not promises by an author."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from pitboss.rules.column import Column, card_in, substituted, walk
from pitboss.rules.graph import End, Graph, Group, Jump, Mark, Node, When
from pitboss.rules.operations import HANDS, OPERATIONS, SUITS

_OF_SUITS = SUITS | {"card"}
_FREE_OF_SUITS = _OF_SUITS | {"rank"} | HANDS


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
    return suits_blind([c for point in graph.nodes for c in columns_of(point)])


def suits_blind(columns: Sequence[Column]) -> bool:
    """The same of some columns."""
    if any(c.op in _OF_SUITS for c in columns):
        return False
    for col in walk(columns):
        kinds = {a.op for a in col.below}
        exposed = kinds & _OF_SUITS and col.op not in _FREE_OF_SUITS
        if exposed and (col.op not in ("eq", "ne") or len(kinds) != 1):
            return False
    return True


def renamed(columns: Sequence[Column], slots: Mapping[int, int]) -> list[Column]:
    """The same expressions with cards in other slots."""
    cards = {card_in(a).uid: card_in(b) for a, b in slots.items()}
    return substituted(columns, cards)


def order_matters(graph: Graph, group: Group) -> bool:
    """Whether anything in the game tells the cards of one deal apart."""
    points = [p for p in graph.nodes if any(g.slots == group.slots and g.who == group.who for g in p.groups)]
    columns = [c for p in points for c in columns_of(p)]
    for a, b in pairwise(group.slots):
        if any(new is not old for new, old in zip(renamed(columns, {a: b, b: a}), columns, strict=True)):
            return True
    return False


def rank_classes(columns: Iterable[Column]) -> list[tuple[int, ...]]:
    """Ranks that none of these columns tells apart, together: ten, jack, queen and king, where all count ten. A joker
    is a rank where the columns know of one."""
    tops = list(columns)
    met = list(walk(tops))
    every = tuple(range(max((c.hi for c in met if c.op == "rank"), default=12) + 1))
    tables: set[tuple[int, ...]] = {every for c in tops if c.op == "rank"}
    for col in met:
        if any(a.op == "rank" for a in col.below):
            tables.add(col.args[0] if col.op == "lookup" else _by_rank(col, every))
    alike: dict[tuple[int, ...], list[int]] = {}
    for rank in every:
        alike.setdefault(tuple(t[rank] for t in sorted(tables)), []).append(rank)
    return [tuple(ranks) for ranks in alike.values()]


def _by_rank(col: Column, every: tuple[int, ...]) -> tuple[int, ...]:
    """What a column makes of every rank, if it looks at a rank and at numbers only; else all ranks differ."""
    ranks = {a.uid for a in col.below if a.op == "rank"}
    if len(ranks) > 1 or col.op not in OPERATIONS or any(a.op not in ("rank", "const") for a in col.below):
        return every
    args = [[r if a.uid in ranks else a.args[0] for a in col.below] for r in every]
    return tuple(int(OPERATIONS[col.op].scalar(*values)) for values in args)
