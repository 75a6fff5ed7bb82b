"""A strategy of the game file as a table of answers: asked for everything that can be seen at every decision."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from pitboss.compile import Keys
from pitboss.compile.keys import keyed_by_value
from pitboss.exact.ruled import strategy_of
from pitboss.rules.errors import BadInput
from pitboss.rules.game import Seen, Strategy, seen_at
from pitboss.rules.graph import Graph
from pitboss.rules.house import House

MOST_ASKED = 400_000  # answers that are asked for beforehand; more are asked for as they come up


def asked_table(house: House, graph: Graph, strategy: str, keys: Keys) -> NDArray[np.uint8]:
    """A strategy of the game file, asked for everything that can be seen at every decision."""
    out = np.zeros(max(1, keys.size), np.uint8)
    ask = strategy_of(house, strategy)
    present = [c for c in range(52) if house.composition[c]]
    states = [dict(zip(keys.carried, s, strict=True)) for s in product(*(range(h + 1) for h in keys.carried.values()))]
    for decision in graph.decisions():
        key = keys.of_node[decision.id]
        if keyed_by_value(graph, decision):
            sizes = [c.hi - c.lo + 1 for _, c in decision.by]
            for number, place in enumerate(np.ndindex(*sizes)):
                by = {name: c.lo + i for (name, c), i in zip(decision.by, place, strict=True)}
                seen = Seen(decision.name, decision.choices, (), (), (), by=by, places=dict.fromkeys(graph.places, ()))
                out[key.offset + number] = answered(ask, seen, strategy)
            continue
        for state in states:
            for cards in product(present, repeat=len(key.slots)):
                if any(cards.count(c) > house.composition[c] for c in cards):
                    continue
                index = 0
                for name, highest in keys.carried.items():
                    index = index * (highest + 1) + state[name]
                for card in cards:
                    index = index * 52 + card
                seen = seen_at(decision, dict(zip(key.slots, cards, strict=True)), state)
                out[key.offset + index] = answered(ask, seen, strategy)
    return out


def answered(strategy: Strategy, seen: Seen, name: str) -> int:
    """The number of the choice that a strategy makes; one clear sentence where it makes none."""
    answer = strategy(seen)
    if answer not in seen.choices:
        raise BadInput(
            f"the strategy {name!r} answers {answer!r} at the decision {seen.decision!r}; "
            f"the choices there are {', '.join(seen.choices)}"
        )
    return seen.choices.index(answer)
