"""A strategy of the game file as a table of answers: asked for everything that can be seen at every decision."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from pitboss.compile import Keys
from pitboss.exact.ruled import strategy_of
from pitboss.rules.by_value import ByValue
from pitboss.rules.errors import BadInput
from pitboss.rules.game import Seen, Strategy, seen_at
from pitboss.rules.graph import Decide, Graph
from pitboss.rules.house import House

MOST_ASKED = 400_000  # answers that are asked for beforehand; more are asked for as they come up


def asked_table(house: House, graph: Graph, strategy: str, keys: Keys) -> NDArray[np.uint8]:
    """A strategy of the game file, asked for everything that can be seen at every decision."""
    out = np.zeros(max(1, keys.size), np.uint8)
    ask = strategy_of(house, strategy)
    present = [c for c, n in enumerate(house.composition) if n]
    states = [dict(zip(keys.carried, s, strict=True)) for s in product(*(range(h + 1) for h in keys.carried.values()))]
    for decision in graph.decisions():
        key = keys.of_node[decision.id]
        if keys.by_value(decision):
            answers = by_value(ask, decision, strategy, marked=graph.open_ended)
            out[key.offset : key.offset + key.size] = answers
            continue
        for state in states:
            for cards in product(present, repeat=len(key.slots)):
                if any(cards.count(c) > house.composition[c] for c in cards):
                    continue
                index = 0
                for name, highest in keys.carried.items():
                    index = index * (highest + 1) + state[name]
                for card in cards:
                    index = index * graph.codes + card
                seen = seen_at(decision, dict(zip(key.slots, cards, strict=True)), state)
                out[key.offset + index] = answered(ask, seen, strategy)
    return out


def by_value(strategy: Strategy, decision: Decide, name: str, marked: bool = False) -> NDArray[np.uint8]:
    """The answers of a strategy for all that a decision can be made by. In a round that is `marked` the same decision
    is come to after different bets."""
    bets = None if marked else decision.placed
    values = product(*(range(c.lo, c.hi + 1) for _, c in decision.by))
    seen = (ByValue(decision, dict(zip((n for n, _ in decision.by), v, strict=True)), bets) for v in values)
    return np.array([answered(strategy, one, name) for one in seen], np.uint8)


def answered(strategy: Strategy, seen: Seen, name: str) -> int:
    """The number of the choice that a strategy makes; one clear sentence where it makes none."""
    answer = strategy(seen)
    if answer not in seen.choices:
        raise BadInput(
            f"the strategy {name!r} answers {answer!r} at the decision {seen.decision!r}; "
            f"the choices there are {', '.join(seen.choices)}"
        )
    return seen.choices.index(answer)
