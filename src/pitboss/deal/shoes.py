"""Real shoes, dealt to the cut card round by round: what is left in the shoe whenever a bet can be made."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import shoe_cards
from pitboss.compile.rounds import ShoeRounds
from pitboss.deal.players import played
from pitboss.rules.cut import behind
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.trace import trace

Ints = NDArray[np.int64]
TOGETHER = 100  # shoes whose rounds are held at once


@dataclass(frozen=True, eq=False)
class Rounds:
    """Every round of some shoes, before its first card is dealt."""

    shoe: Ints  # which shoe, counted from 0
    gone: Ints  # cards that had left it
    left: Ints  # rounds x card codes: how many of each card were still in it


def cards_needed(house: House, seats: int) -> int:
    """Cards that must lie behind the cut card, so that the round under way can be finished."""
    return trace(house).most_cards(seats)


class Shoes:
    """Shoes of one house with so many decks behind the cut card; all seats play the strategy and make this wager.
    Which cards a shoe deals depends on the seed and its number only, so that any shoe can be dealt again."""

    def __init__(
        self, house: House, wager: str, *, cut: Fraction, seats: int = 1, seed: int = 1, strategy: str = "optimal"
    ) -> None:  # fmt: skip
        house = house.but(placed=frozenset([*house.main, wager]))
        player = played(house, strategy)
        if player.table is None or player.keys is None:
            raise BadInput("too many cards are visible at a decision to deal real shoes")
        self.seats, self.seed, self._strategy = seats, seed, player.table
        self._rounds = ShoeRounds(player.study.book.cells, player.keys, shoe_cards(house.composition))
        self._last = sum(house.composition) - behind(house, cut)

    def some(self, numbers: Sequence[int]) -> Rounds:
        """The rounds of these shoes, counted from 0."""
        gone, left = self._rounds.deal(self.seed, numbers, self._strategy, self.seats, self._last)
        shoe: Ints = np.array(numbers, np.int64)[np.cumsum(gone == 0) - 1]
        return Rounds(shoe, gone, left)

    def first(self, shoes: int) -> Iterator[Rounds]:
        """The rounds of so many shoes, some at a time."""
        for number in range(0, shoes, TOGETHER):
            yield self.some(range(number, min(shoes, number + TOGETHER)))


def deal_shoes(
    house: House, wager: str, *, shoes: int, cut: Fraction, seats: int = 1, seed: int = 1, strategy: str = "optimal"
) -> Iterator[Rounds]:  # fmt: skip
    """Deal so many shoes, see `Shoes`."""
    return Shoes(house, wager, cut=cut, seats=seats, seed=seed, strategy=strategy).first(shoes)
