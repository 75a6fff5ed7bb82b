"""All that an analysis of a drawing game needs and no shoe changes: made once for a graph and its pay tables.

Other shoes of the same rules take it from memory; another process takes it from disk, where it is kept like machine
code, under a hash of everything it depends on: the graph, what its rows pay, and the files that make it.
"""

import hashlib
import pickle
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pitboss.cards import keep, recall
from pitboss.exact.dealer import Dealers
from pitboss.exact.drawn_chart import ChartOf
from pitboss.exact.drawn_layers import Hands
from pitboss.exact.positions import Positions
from pitboss.rules.column import Column, Rows
from pitboss.rules.errors import Site
from pitboss.rules.game import House
from pitboss.rules.graph import Graph, Node
from pitboss.rules.trace import trace

ONE = Fraction(1)
MOST_KEPT = 8  # games in memory
_RECENT: "list[tuple[House, Rules]]" = []


class Rules:
    """The positions of a game, every hand that can be drawn to, the dealer's final hands and the keys of the chart."""

    def __init__(self, house: House, graph: Graph) -> None:
        self.positions = Positions(house, graph)
        self.hands = Hands(self.positions)
        self.dealers = Dealers(self.positions)
        self.chart = ChartOf(self.hands)


def rules_of(house: House) -> Rules:
    """From memory, from disk, or made now."""
    for i, (known, found) in enumerate(_RECENT):
        if same_rules(known, house):
            _RECENT.insert(0, _RECENT.pop(i))
            return found
    alone = replace(house, placed=frozenset(house.main[:1]))
    graph = trace(alone)
    name = f"{_digest(alone, graph)}.rules"
    data = recall(name)
    if data is None:
        rules = Rules(alone, graph)
        if all(house.tables[w.name] in w.tables for w in house.parties[house.main[0]]):
            keep(name, pickle.dumps(rules, 5))  # megabytes, so not for every pay table that a designer tries
    else:
        rules = pickle.loads(data)
    _RECENT.insert(0, (replace(house), rules))
    del _RECENT[MOST_KEPT:]
    return rules


def same_rules(a: House, b: House) -> bool:
    return a.game is b.game and (dict(a.options), dict(a.tables)) == (dict(b.options), dict(b.tables))


def _digest(house: House, graph: Graph) -> str:
    lead = house.main[0]
    paid = [
        (w.name, w.times, [(r, str(house.net(w.name, r, ONE))) for r in (*house.tables[w.name].pays, "push", "lose")])
        for w in house.parties[lead]
    ]
    spelled = _Spelled()
    text = "\n".join((_made_by(), np.__version__, lead, repr(paid), repr(graph.carried), *spelled.graph(graph)))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@cache
def _made_by() -> str:
    """A hash of the files that all this is made by."""
    here = Path(__file__).parent
    names = [*(p.name for p in here.glob("drawn_*.py")), "positions.py", "steps.py", "dealer.py", "symmetry.py"]
    return hashlib.sha256(b"\0".join((here / name).read_bytes() for name in sorted(names))).hexdigest()


class _Spelled:
    """A graph as text, the same for the same graph: columns are numbered as they are met."""

    def __init__(self) -> None:
        self.number: dict[int, int] = {}
        self.lines: list[str] = []

    def graph(self, graph: Graph) -> Iterator[str]:
        ids = {n.id: i for i, n in enumerate(graph.nodes)}
        skip = ("path", "id", "site", "kids", "target", "words", "groups")
        for node in graph.nodes:
            kids = [ids[k.id] for k in getattr(node, "kids", ())]
            target = ids[node.target.id] if hasattr(node, "target") else -1
            parts = [self.any(getattr(node, f.name)) for f in fields(node) if f.name not in skip]
            yield f"{type(node).__name__} {kids} {target} {parts}"
        yield from self.lines

    def any(self, x: Any) -> str:
        if isinstance(x, Column):
            return self.column(x)
        if isinstance(x, Rows):
            return f"{x.names}:{self.column(x.index)}"
        if isinstance(x, dict):
            return f"{{{','.join(f'{k}:{self.any(v)}' for k, v in x.items())}}}"
        if isinstance(x, tuple | list):
            return f"({','.join(map(self.any, x))})"
        if isinstance(x, Site | Node):
            return ""
        if is_dataclass(x):
            return (
                f"{type(x).__name__}({','.join(self.any(getattr(x, f.name)) for f in fields(x) if f.name != 'site')})"
            )
        return repr(x)

    def column(self, col: Column) -> str:
        if col.uid not in self.number:
            said = f"{col.op}({','.join(map(self.any, col.args))})"
            self.number[col.uid] = len(self.number)
            self.lines.append(f"{col.lo}:{col.hi}:{said}")
        return f"#{self.number[col.uid]}"
