"""All that an analysis of a drawing game needs and no shoe changes: made once for a graph and its pay tables.

Other shoes of the same rules take it from memory; another process takes it from disk, where it is kept like machine
code, under a hash of everything it depends on: the graph, what its rows pay, and the files that make it.

A pickle runs what it says, as machine code does. Nothing is unpickled but what the seal of the user's own folder shows
to be this user's work under this very name (see `pitboss.disk`), and nothing is pickled but what is made here.
"""

import hashlib
import pickle
from collections import OrderedDict
from functools import cache
from pathlib import Path

import numpy as np

from pitboss.disk import keep, recall
from pitboss.exact.dealer import Dealers
from pitboss.exact.drawn_chart import ChartOf
from pitboss.exact.drawn_layers import Hands
from pitboss.exact.plan import check_no_jokers
from pitboss.exact.positions import Positions
from pitboss.rules.effort import spent
from pitboss.rules.graph import Graph
from pitboss.rules.house import House
from pitboss.rules.rewrite import only
from pitboss.rules.trace import trace

MOST_KEPT = 8  # games in memory
_RECENT: "OrderedDict[str, Rules]" = OrderedDict()


class Rules:
    """The positions of a game, every hand that can be drawn to, the dealer's final hands and the keys of the chart."""

    def __init__(self, house: House, graph: Graph) -> None:
        spent("positions")
        self.positions = Positions(house, graph)
        self.hands = Hands(self.positions)
        self.dealers = Dealers(self.positions)
        self.chart = ChartOf(self.hands)


def rules_of(house: House, graph: Graph | None = None) -> Rules:
    """From memory, from disk, or made now. The graph is that of the house's first main wager alone."""
    graph = graph or played_alone(house)
    check_no_jokers(graph)
    name = f"{_digest(house, graph)}.rules"
    found = _RECENT.get(name)
    if found is None:
        kept = recall(name, _read)
        found = kept or Rules(house, graph)
        if kept is None and all(house.tables[w.name] in w.tables for w in house.parties[house.main[0]]):
            keep(name, pickle.dumps(found, 5))  # megabytes, so not for every pay table that a designer tries
        _RECENT[name] = found
        while len(_RECENT) > MOST_KEPT:
            _RECENT.popitem(last=False)
    _RECENT.move_to_end(name)
    return found


def _read(raw: bytes) -> Rules:
    found = pickle.loads(raw)
    if not isinstance(found, Rules):
        raise TypeError(f"rules were kept, not {type(found).__name__}")
    return found


def played_alone(house: House) -> Graph:
    """The game with its first main wager, and what goes with it, alone."""
    return only(trace(house), [w.name for w in house.parties[house.main[0]]])


def same_rules(a: House, b: House) -> bool:
    return a.game.key == b.game.key and (a.options, a.tables, a.stake) == (b.options, b.tables, b.stake)


def _digest(house: House, graph: Graph) -> str:
    lead, stake = house.main[0], house.stake_on(house.main[0])
    paid = [
        (w.name, t, [(r, str(house.net(w.name, r, stake * t))) for r in (*house.tables[w.name].pays, "push", "lose")])
        for w in house.parties[lead]
        for t in house.multiples[w.name]
        if t
    ]
    text = "\n".join((_made_by(), np.__version__, lead, repr(paid), graph.key))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


@cache
def _made_by() -> str:
    """A hash of the files that all this is made by."""
    here = Path(__file__).parent
    names = [*(p.name for p in here.glob("drawn_*.py")), "positions.py", "steps.py", "dealer.py", "symmetry.py"]
    return hashlib.sha256(b"\0".join((here / name).read_bytes() for name in sorted(names))).hexdigest()
