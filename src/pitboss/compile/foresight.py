"""What can be said of a graph beforehand, so that its machine code need not find it out in every round."""

from pitboss.compile.cells import Cells
from pitboss.rules.column import Column
from pitboss.rules.graph import Burn, Deal, Decide, End, Jump, Mark, Node, When

MOST_JOINED = 16  # ends that are settled side by side without a jump


def only_look(cells: Cells) -> tuple[int, ...] | None:
    """What a game looks up by rank, if that is all that it looks at: then the shoe may hold that instead of cards."""
    found: set[tuple[int, ...]] = set()
    seen: set[int] = set()

    def look(col: Column) -> bool:
        if col.op == "card":
            return False
        if col.uid in seen:
            return True
        seen.add(col.uid)
        if col.op == "lookup" and col.args[1].op == "rank" and col.args[1].args[0].op == "card":
            found.add(col.args[0])
            return True
        return all(look(a) for a in col.args if isinstance(a, Column))

    columns: list[Column] = []
    for point in cells.graph.nodes:
        if isinstance(point, Decide):
            if not point.by:
                return None
            columns += [c for _, c in point.by]
        elif isinstance(point, When):
            columns.append(point.condition)
        elif isinstance(point, Mark | Jump):
            columns += point.values
    for leaf in cells.leaves:
        columns += [*(d.index for d in leaf.digits), *leaf.end.shares.values()]
    alike = all(look(c) for c in columns) and len(found) == 1 and all(0 <= v < 256 for t in found for v in t)
    return next(iter(found)) if alike else None


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
