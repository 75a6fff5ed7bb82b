"""A wager on two seven-card hands over a shared pair of cards, recognised in the graph and counted by `showdown`."""

import hashlib
import inspect
import json
from functools import cache

from pitboss.cards import keep, recall
from pitboss.exact import showdown as showdown_module
from pitboss.exact import showdown_hands
from pitboss.exact.showdown import Showdown, showdown
from pitboss.hands import categories
from pitboss.hands.categories import CATEGORIES
from pitboss.rules.column import Column, Rows
from pitboss.rules.evaluate import evaluate

_FLOORS = {floor for _, floor in CATEGORIES}
_NOT_HERE = frozenset({"card", "rank", "suit", "carried", "royals"})  # a contest looks at nothing but the two strengths


def showdown_ways(rows: Rows) -> dict[str, int] | None:
    """Ways to each row of a wager that depends only on which of two hands is higher and on their categories."""
    hands = _contest(rows.index)
    if hands is None:
        return None
    mine, theirs = hands
    ways = dict.fromkeys(rows.names, 0)
    for values, n in _cases(_kept_showdown()):
        known = {mine.uid: values[0], theirs.uid: values[1]}
        ways[rows.names[evaluate(rows.index, {}, {}, known)]] += n
    return ways


@cache
def _kept_showdown() -> Showdown:
    """Counting takes seconds; the answer is kept under a hash of the code that gives it."""
    parts = (showdown_module, showdown_hands, categories)
    source = "".join(inspect.getsource(module) for module in parts)
    name = f"showdown-{hashlib.sha256(source.encode()).hexdigest()[:24]}.json"
    kept = recall(name)
    if kept is not None:
        data = json.loads(kept)
        pairs, ties = ({(a, b): n for a, b, n in data[part]} for part in ("pairs", "ties"))
        return Showdown(tuple(data["labels"]), pairs, ties, data["deals"])
    found = showdown()
    as_lists = {part: [[a, b, n] for (a, b), n in getattr(found, part).items()] for part in ("pairs", "ties")}
    keep(name, json.dumps({"labels": found.labels, "deals": found.deals, **as_lists}).encode())
    return found


def _contest(index: Column) -> tuple[Column, Column] | None:
    """The two strengths that are compared, when the wager looks at nothing else."""
    found: dict[int, Column] = {}

    def fits(col: Column) -> bool:
        if col.op == "strength":
            found[col.uid] = col
            return len(col.args) == 7
        below = [a for a in col.args if isinstance(a, Column)]
        meets = any(a.op == "strength" for a in below)
        if meets and col.op == "lt" and any(a.op == "const" and a.args[0] not in _FLOORS for a in below):
            return False  # a floor inside a category cannot be told from the categories
        if meets and col.op not in ("lt", "compare", "eq", "ne"):
            return False
        return col.op not in _NOT_HERE and all(fits(a) for a in below)

    if not fits(index) or len(found) != 2:
        return None
    mine, theirs = found.values()
    return (mine, theirs) if len(mine.slots & theirs.slots) == 2 else None


def _cases(found: Showdown) -> list[tuple[tuple[int, int], int]]:
    """Strengths of the two hands that stand for a kind of deal, and how many deals there are of it."""
    floors = dict(CATEGORIES)
    at = {label: floors.get(label, floors["royal flush"]) for label in found.labels}
    out: list[tuple[tuple[int, int], int]] = []
    for (a, b), deals in found.pairs.items():
        ties = found.ties.get((a, b), 0)
        out.append(((at[a], at[a]), ties))
        rest = deals - ties
        if at[a] != at[b]:
            out.append(((at[a], at[b]), rest))
        elif rest:  # as often one way as the other
            out += [((at[a] + 1, at[a]), rest // 2), ((at[a], at[a] + 1), rest // 2)]
    return out
