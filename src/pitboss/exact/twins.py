"""Wagers that look at their cards in the same way, as three areas of one layout do: counted once for all."""

from collections.abc import Iterable

from pitboss.exact.kernels.task import Opened, Task
from pitboss.exact.symmetry import renamed
from pitboss.ledger.law import Joint, Law
from pitboss.ledger.records import WagerResult
from pitboss.rules.column import Column


def signature(task: Task) -> tuple[Column, tuple[str, ...]] | None:
    """What one wager that is settled at one end looks at, but for which cards they are; None for any other task."""
    ends = list(task.graph.ends())
    if len(task.wagers) > 1 or len(ends) > 1 or task.graph.carried or task.graph.open_ended:
        return None
    settled = next((s for s in ends[0].settled if s.wager == task.wagers[0]), None)
    if settled is None or len(ends[0].settled) > 1 or ends[0].bets:
        return None
    slots = {slot: i for i, slot in enumerate(sorted(settled.rows.index.slots))}
    return renamed([settled.rows.index], slots)[0], settled.rows.names


def twin_of(task: Task, others: Iterable[Task]) -> str | None:
    """The first of these wagers that looks at its cards as this one does."""
    mine = signature(task)
    for other in others:
        theirs = signature(other)
        if mine and theirs and mine[0] is theirs[0] and mine[1] == theirs[1]:
            return other.wagers[0]
    return None


class Twins:
    """The laws that have been counted, by what they look at."""

    def __init__(self) -> None:
        self._laws: list[tuple[Column, tuple[str, ...], Law]] = []

    def remember(self, task: Task, opened: Opened) -> None:
        if (mine := signature(task)) is not None and (law := opened.law()) is not None:
            self._laws.append((*mine, law))

    def known(self, task: Task) -> "Twin | None":
        mine = signature(task) if self._laws else None
        found = mine and next((law for col, names, law in self._laws if col is mine[0] and names == mine[1]), None)
        return Twin(found, task.wagers[0]) if found else None


class Twin:
    """The same law under the name and the pays of another wager."""

    def __init__(self, like: Law, wager: str) -> None:
        joints = tuple(Joint(j.ways, {wager: row}) for j in like.joints for row in j.rows.values())
        spare, other = like.spare, like.wagers[0]
        self._law = Law(like.house, (wager,), joints, like.total, like.states, like.share, lambda _: spare(other))

    def law(self) -> Law:
        return self._law

    def record(self, party: str) -> WagerResult:
        return self._law.record(party)
