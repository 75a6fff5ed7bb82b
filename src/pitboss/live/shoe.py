"""A shoe at a live table: shuffled from the operating system's source, dealt to the cut card."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from pitboss.cards import shoe_cards, shuffled
from pitboss.rules.cut import behind as decks_behind
from pitboss.rules.cut import usual_behind
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House


class Shoe:
    """Cards in dealing order, and how far the dealer has come."""

    def __init__(
        self,
        house: House,
        shuffle: Callable[[Sequence[int]], list[int]] = shuffled,
        *,
        cut: Fraction | None = None,
        continuous: bool = False,
    ) -> None:
        """`cut` is how many decks lie behind the cut card, if not as many as the game says; out of a `continuous`
        shuffler every round is dealt from all cards."""
        self._house, self._shuffle = house, shuffle
        self._all = shoe_cards(house.composition)
        behind = usual_behind(house, 0) if cut is None else decks_behind(house, cut)
        if not 0 <= behind < len(self._all) and cut is not None:
            raise BadInput(f"`cut`: {float(cut):g} decks do not fit behind the cut card of {len(self._all)} cards")
        # the dealer shuffles too when the cards would not last for a round
        self.cut = 1 if continuous else max(1, len(self._all) - behind)
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
