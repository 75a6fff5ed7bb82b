"""What can be said of a graph beforehand, so that its machine code need not find it out in every round."""

from pitboss.compile.keys import keyed_by_value
from pitboss.ledger.cells import Cells
from pitboss.rules.column import Column, walk
from pitboss.rules.graph import Burn, Deal, Decide, End, Jump, Mark, Node, When

MOST_JOINED = 16  # ends that are settled side by side without a jump


def only_look(cells: Cells) -> tuple[int, ...] | None:
    """What a game looks up by rank, if that is all that it looks at: then the shoe may hold that instead of cards."""
    columns: list[Column] = []
    for point in cells.graph.nodes:
        if isinstance(point, Decide):
            if not keyed_by_value(cells.graph, point):
                return None
            columns += [c for _, c in point.by]
        elif isinstance(point, When):
            columns.append(point.condition)
        elif isinstance(point, Mark | Jump):
            columns += point.values
    for leaf in cells.leaves:
        columns += [*(d.index for d in leaf.digits), *leaf.end.shares.values()]
    found: set[tuple[int, ...]] = set()
    for col in walk(columns):
        looks = {a.op for a in col.below} & {"card", "rank"}
        if col.op == "lookup" and looks == {"rank"}:
            found.add(col.args[0])
        elif looks and not (col.op == "rank" and looks == {"card"}):
            return None
    if any(c.op in ("card", "rank") for c in columns) or len(found) != 1:
        return None
    table = found.pop()
    return table if all(0 <= v < 256 for v in table) else None


def joined(point: Node) -> bool:
    """Whether no card is dealt after this point and the ways to go from it are few."""
    ends, waiting = 0, [point]
    while waiting:
        here = waiting.pop()
        if here is not point and any(isinstance(e, Deal | Burn) for e in here.events):
            return False
        if isinstance(here, Mark | Jump):
            return False
        if isinstance(here, End):
            ends += 1
        elif isinstance(here, When | Decide):
            waiting.extend(here.kids)
    return ends <= MOST_JOINED


def last_slot(point: Node) -> int:
    """The slot that is dealt last on every way on from here, or -1."""
    if isinstance(point, End):
        return max((s for g in point.groups for s in g.slots), default=-1)
    assert isinstance(point, When | Decide)
    lasts = {last_slot(kid) for kid in point.kids}
    return lasts.pop() if len(lasts) == 1 else -1
