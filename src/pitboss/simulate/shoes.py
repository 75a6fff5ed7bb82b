"""Real shoes, dealt to the cut card round by round: what is left in the shoe whenever a bet can be made."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import shoe_cards
from pitboss.compile import simulator
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.trace import trace
from pitboss.simulate.players import played

Ints = NDArray[np.int64]
TOGETHER = 100  # shoes whose rounds are held at once


@dataclass(frozen=True, eq=False)
class Rounds:
    """Every round of some shoes, before its first card is dealt."""

    shoe: Ints  # which shoe, counted from 0
    gone: Ints  # cards that had left it
    left: Ints  # rounds x 52: how many of each card were still in it


def cards_needed(house: House, seats: int) -> int:
    """Cards that must lie behind the cut card, so that the round under way can be finished."""
    return trace(house).most_cards(seats)


def deal_shoes(
    house: House, wager: str, *, shoes: int, cut: Fraction, seats: int = 1, seed: int = 1, strategy: str = "optimal"
) -> Iterator[Rounds]:  # fmt: skip
    """Deal so many shoes with so many decks behind the cut card, some at a time; all seats play the strategy and make
    this wager. Which cards a shoe deals depends on the seed and its number only."""
    house = house.but(placed=frozenset([*house.main, wager]))
    player = played(house, strategy)
    if player.table is None or player.keys is None:
        raise BadInput("too many cards are visible at a decision to deal real shoes")
    book, keys, table = player.study.book, player.keys, player.table
    machine = simulator(book.cells, keys, shoe_cards(house.composition), "shoe", whole_cards=True)
    full = np.array(house.composition, np.int64)
    last = sum(house.composition) - round(cut * 52)
    for first in range(0, shoes, TOGETHER):
        numbers, gone, left = [], [], []
        for number in range(first, min(shoes, first + TOGETHER)):
            order, starts = machine.one_shoe(seed, number, table, seats, last)
            dealt: Ints = np.zeros((starts[-1] + 1, 52), np.int64)
            dealt[np.arange(1, starts[-1] + 1), order[: starts[-1]]] = 1
            numbers.append(np.full(len(starts), number, np.int64))
            gone.append(np.array(starts, np.int64))
            left.append(full - np.cumsum(dealt, axis=0)[starts])
        yield Rounds(np.concatenate(numbers), np.concatenate(gone), np.concatenate(left))
