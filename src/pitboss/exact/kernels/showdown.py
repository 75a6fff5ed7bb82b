"""The kernel for two seven-card hands over a shared pair of cards: found in the graph, counted by ranks and suits."""

import hashlib
import inspect
import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from pitboss.disk import keep, recall
from pitboss.exact.kernels.task import Task
from pitboss.exact.plan import Offer, TooLarge
from pitboss.hands import categories
from pitboss.hands.categories import CATEGORIES
from pitboss.ledger.law import Law, plain_law
from pitboss.ledger.records import WagerResult
from pitboss.rules.column import Column, walk
from pitboss.rules.evaluate import evaluate
from pitboss.rules.results import Rows

if TYPE_CHECKING:
    from pitboss.exact.showdown import Showdown

_FLOORS = {floor for _, floor in CATEGORIES}
_NOT_HERE = frozenset({"card", "rank", "suit", "carried"})  # a contest looks at nothing but the two strengths


def showdown_ways(wagers: Sequence[Rows]) -> dict[tuple[str, ...], int] | None:
    """Ways to each combination of rows of wagers that depend only on which of two hands is higher and on what they
    are; None when they look at anything else."""
    contest = _contest([rows.index for rows in wagers])
    if contest is None:
        return None
    ways: dict[tuple[str, ...], int] = {}
    for known, n in _cases(_kept_showdown(), *contest):
        if n:
            key = tuple(rows.names[evaluate(rows.index, {}, {}, dict(known))] for rows in wagers)
            ways[key] = ways.get(key, 0) + n
    return ways


@cache
def _kept_showdown() -> "Showdown":
    """Counting takes seconds; the answer is kept under a hash of the code that gives it."""
    from pitboss.exact import showdown as counting  # only games with such a wager wait for it
    from pitboss.exact import showdown_hands

    parts = (counting, showdown_hands, categories)
    source = "".join(inspect.getsource(module) for module in parts)
    name = f"showdown-{hashlib.sha256(source.encode()).hexdigest()[:24]}.json"

    def read(raw: bytes) -> "Showdown":
        data = json.loads(raw)
        pairs, ties = ({(a, b): n for a, b, n in data[part]} for part in ("pairs", "ties"))
        return counting.Showdown(tuple(data["labels"]), pairs, ties, data["deals"])

    kept = recall(name, read)
    if kept is not None:
        return kept
    found = counting.showdown()
    as_lists = {part: [[a, b, n] for (a, b), n in getattr(found, part).items()] for part in ("pairs", "ties")}
    keep(name, json.dumps({"labels": found.labels, "deals": found.deals, **as_lists}).encode())
    return found


def _contest(columns: Sequence[Column]) -> tuple[list[Column], list[Column]] | None:
    """The nodes that look at each of the two hands (its strength first), when the wagers look at nothing else."""
    hands = [c for c in walk(columns) if c.op in ("strength", "royals")]
    above = list(walk(columns, {h.uid for h in hands}))  # what is made of the hands, and nothing below them
    if any(len(h.args) != 7 for h in hands) or any(c.op in _NOT_HERE for c in above):
        return None
    for col in above:
        if any(a.op == "strength" for a in col.below):
            consts = [a.args[0] for a in col.below if a.op == "const"]
            if col.op not in ("lt", "compare", "eq", "ne") or (col.op == "lt" and not {*consts} <= _FLOORS):
                return None  # a floor inside a category cannot be told from the categories
    strengths, royals = ([h for h in hands if h.op == op] for op in ("strength", "royals"))
    if len(strengths) != 2:
        return None
    mine, theirs = strengths
    sides = [[h, *(r for r in royals if r.slots == h.slots)] for h in (mine, theirs)]
    if len(mine.slots & theirs.slots) != 2 or sum(map(len, sides)) != 2 + len(royals):
        return None
    return sides[0], sides[1]


def _cases(found: "Showdown", mine: list[Column], theirs: list[Column]) -> Iterator[tuple[dict[int, int], int]]:
    """Values of those nodes that stand for a kind of deal, and how many deals there are of it."""
    floors = dict(CATEGORIES)
    at = {label: floors.get(label, floors["royal flush"]) for label in found.labels}
    run = {"royal flush": 5, "6-card royal flush": 6, "7-card royal flush": 7}

    def values(a: str, above: int, b: str, below: int) -> dict[int, int]:
        out = {mine[0].uid: at[a] + above, theirs[0].uid: at[b] + below}
        return out | {r.uid: run.get(a, 0) for r in mine[1:]} | {r.uid: run.get(b, 0) for r in theirs[1:]}

    for (a, b), deals in found.pairs.items():
        ties = found.ties.get((a, b), 0)
        yield values(a, 0, b, 0), deals if at[a] != at[b] else ties
        if at[a] == at[b]:  # of the rest, as many one way as the other
            yield values(a, 1, b, 0), (deals - ties) // 2
            yield values(a, 0, b, 1), (deals - ties) // 2


class Shown:
    """Wagers on which of two hands is higher and on what they are."""

    def __init__(self, task: Task) -> None:
        ways = showdown_ways(_settled(task))
        assert ways is not None, "the kernel was opened without an offer"
        self._law = plain_law(task.house, task.wagers, ways)

    def law(self) -> Law:
        return self._law

    def record(self, party: str) -> WagerResult:
        return self._law.record(party)


class _ShowdownKernel:
    name = "showdown of two hands, by ranks and suits"
    WAYS = 3_432_502_295_061_840
    SECONDS, MEMORY = 6.0, 180 << 20  # the first time; then the answer is on disk

    def offer(self, task: Task) -> Offer:
        rows = _settled(task)
        if task.house.composition != (1,) * 52:
            raise TooLarge("two hands are held against each other by ranks and suits with one full deck only")
        if _contest([r.index for r in rows]) is None:
            raise TooLarge("it is not a wager on two seven-card hands that share two cards")
        return Offer(self.name, len(CATEGORIES) ** 2, self.WAYS, self.SECONDS, self.MEMORY)

    def open(self, task: Task) -> Shown:
        return Shown(task)


def _settled(task: Task) -> list[Rows]:
    """The rows of the task's wagers, which one end of the round settles."""
    ends = list(task.graph.ends())
    if len(ends) != 1 or any(task.graph.decisions()) or task.graph.open_ended or task.graph.carried:
        raise TooLarge("the round goes more than one way")
    settled = {s.wager: s.rows for s in ends[0].settled}
    if any(len(task.house.parties[p]) > 1 for p in task.wagers):
        raise TooLarge("more is bet on it during the round")
    return [settled[p] for p in task.wagers]


SHOWDOWN = _ShowdownKernel()
