"""A shoe at a live table: shuffled from the operating system's source, dealt to the cut card."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from pitboss.cards import shoe_cards, shuffled
from pitboss.rules.cut import behind, fitting, usual_behind
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House


class Shoe:
    """Cards in dealing order, and how far the dealer has come."""

    def __init__(
        self, house: House, shuffle: Callable[[Sequence[int]], list[int]] = shuffled, cut: Fraction | None = None,
        continuous: bool = False,
    ) -> None:  # fmt: skip
        """The cut card lies `cut` decks from the back; a `continuous` shuffler takes a round's cards back at once."""
        self._house, self._shuffle = house, shuffle
        self._all = shoe_cards(house.composition)
        left = (
            usual_behind(house, 0) if cut is None else behind(house, cut)
        )  # he shuffles too when cards would not last
        if continuous:
            if cut is not None:
                raise BadInput("a continuous shuffler has no cut card; leave one of the two out")
            left = len(self._all)
        elif cut is not None and "decks" not in house.options:
            raise BadInput("this game is shuffled for every round, so there is no cut card; leave it out")
        elif not 0 <= left <= len(self._all) or (cut is not None and left == len(self._all)):
            raise BadInput(f"a cut card with {left} cards behind it: the shoe has {len(self._all)}; {_may_lie(house)}")
        self.cut = max(1, len(self._all) - left)
        self.shuffles = 0
        self.cards: list[int] = []
        self.dealt = 0
        self.shuffle()

    def shuffle(self) -> None:
        self.cards, self.dealt = self._shuffled(self._all), 0
        self.shuffles += 1

    def _shuffled(self, cards: list[int]) -> list[int]:
        """The same cards in another order, whoever shuffles them."""
        found = self._shuffle(cards)
        if not isinstance(found, list) or not all(isinstance(c, int) for c in found) or sorted(found) != sorted(cards):
            raise BadInput("`shuffle` returns a list of the cards that it is given, in another order")
        return found

    @property
    def every_round(self) -> bool:
        """Whether the first card dealt brings the cut card: a shoe that is shuffled for every round."""
        return self.cut <= 1

    @property
    def out(self) -> bool:
        """Whether the cut card has shown: the next round needs a shuffle."""
        return self.dealt >= self.cut

    def rest(self) -> list[int]:
        return self.cards[self.dealt :]

    def discards(self) -> list[int]:
        """What lies in the rack, shuffled: a round that the shoe is too short for is finished with it."""
        return self._shuffled(self.cards[: self.dealt])

    def advance(self, used: int) -> None:
        if used > len(self.cards):
            raise BadInput("the shoe has fewer cards than that")
        self.dealt = min(self.dealt + used, len(self.cards))  # all of it, after a round finished from the discards


def _may_lie(house: House) -> str:
    found = fitting(house, 0)
    return f"it may lie {found} decks from the back" if found else "it has no cut card"
