"""The round as the dealer's sheet tells it: with what the dealer says, and with the bets that a player may leave out.

The graph that is counted knows neither: it takes every wager as bet, and no word changes a figure. Here a wager of an
either-or, such as an Ante that a 3-Card Bonus may stand for, is a fork where the game file asks for it.
"""

from collections import OrderedDict
from threading import Lock

from pitboss.rules.column import node
from pitboss.rules.graph import Graph, Say
from pitboss.rules.house import House
from pitboss.rules.trace import Tracer, TraceTable

_KEPT: OrderedDict[object, Graph] = OrderedDict()
_LOCK = Lock()
MOST_KEPT = 16


class _SpokenTable(TraceTable):
    def _on_say(self, say: Say) -> None:
        self.events.append(say)

    def _on_has(self, wager: str) -> bool:
        if not super()._on_has(wager):
            return False
        found = self._wagers[wager]
        either = {name for names in self.house.one_of for name in names}
        if found.required or wager not in either:
            return True
        asked = node("carried", (f"a bet on {wager}",), 0, 1)
        bets = self.when(asked, has_bet(wager))
        if not bets:
            self.unbet |= {w.name for w in self.house.wagers if self.house.lead(w.name) == wager}
        return bets


class _SpokenTracer(Tracer):
    table = _SpokenTable


def has_bet(wager: str) -> str:
    """The words of the fork, by which it is known."""
    return f"the player has bet {wager}"


def spoken(house: House) -> Graph:
    """The graph of a round with every word of the dealer in it. Nothing is counted on it."""
    key = (house.rounds_key, house.one_of)
    with _LOCK:
        if key in _KEPT:
            _KEPT.move_to_end(key)
            return _KEPT[key]
    graph = _SpokenTracer(house).graph()
    with _LOCK:
        graph = _KEPT.setdefault(key, graph)
        while len(_KEPT) > MOST_KEPT:
            _KEPT.popitem(last=False)
    return graph
