"""How the expectation of a wager is worked out for any shoe: at once for thousands, or one shoe at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, ClassVar, Protocol

from pitboss.cards import Composition, suit_symmetric
from pitboss.exact import Book, TooLarge
from pitboss.exact.chance import Chance
from pitboss.exact.derived import one_wager_house
from pitboss.exact.symmetry import suits_interchangeable
from pitboss.protect.polynomial import Polynomial
from pitboss.protect.records import Exact
from pitboss.rules.errors import BadInput
from pitboss.rules.game import House
from pitboss.rules.paytables import Dollars
from pitboss.rules.trace import trace

if TYPE_CHECKING:
    from pitboss.exact.drawing import Drawing


class NotJudged(BadInput):
    """A wager that no count of cards can judge, and why."""


class Worth(Protocol):
    """A wager's expectation as a function of what is left in the shoe."""

    @property
    def kind_of(self) -> list[int]:
        """Card -> its kind; cards of one kind have the same effect of removal."""

    def expectation(self, shoe: Composition) -> Exact:
        """To the player, per unit of the wager, played as well as can be for this shoe."""

    def each(self, shoes: Sequence[Composition]) -> Sequence[Exact]:
        """The same of many shoes."""


@dataclass(frozen=True, eq=False)
class Followed:
    """A wager on the dealer's hand, which is followed card by card: an exact count, some shoes at a time."""

    house: House
    wager: str
    chance: Chance
    stake: Fraction  # that awards in dollars are measured against
    states: ClassVar = 200  # shoes that are counted unless another number is asked for
    together: ClassVar = 100  # of them, between two reports of progress

    @property
    def kind_of(self) -> list[int]:
        blind = suits_interchangeable(self.chance.graph) and suit_symmetric(self.house.composition)
        return [4 * self.chance.value_of[c >> 2] + (0 if blind else c & 3) for c in range(52)]

    def expectation(self, shoe: Composition) -> Fraction:
        return self.each([shoe])[0]

    def each(self, shoes: Sequence[Composition]) -> list[Fraction]:
        nets = {row: self.house.net(self.wager, row, self.stake) for row in self.chance.names}
        common = lcm(*(net.denominator for net in nets.values()))
        whole = {row: int(net * common) for row, net in nets.items()}
        return [
            Fraction(sum(n * whole[row] for row, n in ways.items()), total * common)
            for ways, total in self.chance.many(shoes)
        ]


@dataclass(frozen=True, eq=False)
class Played:
    """A wager on hands of any number of cards, with decisions: enumerated whole in double precision, shoe by shoe."""

    house: House
    states: ClassVar = 100  # a minute

    @cached_property
    def _full(self) -> "Drawing":
        from pitboss.exact.drawing import Drawing

        return Drawing(self.house)

    @property
    def kind_of(self) -> list[int]:
        return [int(k) for k in self._full.p.class_of]

    def expectation(self, shoe: Composition) -> float:
        from pitboss.exact.drawing import Drawing

        return -Drawing(replace(self.house, composition=shoe), like=self._full).optimal_edge

    def each(self, shoes: Sequence[Composition]) -> list[float]:
        return [self.expectation(shoe) for shoe in shoes]


def worth_of(house: House, wager: str) -> Worth:
    """The quickest way to this wager's expectation, made once for a house; a sentence where there is none."""
    known: dict[str, Worth] = house.__dict__.setdefault("_worths", {})
    if wager not in known:
        known[wager] = _worth_of(house, wager)
    return known[wager]


def _worth_of(house: House, wager: str) -> Worth:
    book = Book(house)
    if house.meters(wager):
        raise NotJudged(
            f"{wager} is paid from a meter, which weighs more than any count of cards: "
            "pitboss analyze gives the meter at which it turns favourable"
        )
    if wager in book.shared:
        raise NotJudged(f"{wager} is paid among the players: the house has no part in it")
    open_ended = trace(house).open_ended
    if open_ended and wager in house.main and pays_dollars(house, wager):
        raise NotJudged(f"{wager} pays awards in dollars, which are not worked out for hands of any number of cards")
    try:
        if wager in (house.main if open_ended else book.decided):
            return Played(house) if open_ended else Polynomial(house, wager)
        alone = one_wager_house(house, wager)
        if trace(alone).open_ended:
            return Followed(house, wager, Chance(alone, wager), book.stake(wager))
        return Polynomial(alone, wager)
    except TooLarge as error:
        raise NotJudged(f"{wager} is too large to be worked out for every shoe: {error}") from None


def pays_dollars(house: House, wager: str) -> bool:
    """Whether a row of the wager, or of one that goes with it, pays so many dollars whatever is bet."""
    return any(isinstance(pay, Dollars) for w in house.parties[wager] for pay in house.tables[w.name].pays.values())


def at_bet(house: House, wager: str, bet: Fraction) -> House:
    """The house with awards in dollars measured against this bet."""
    return replace(house, options={**house.options, "stake": bet}) if pays_dollars(house, wager) else house
