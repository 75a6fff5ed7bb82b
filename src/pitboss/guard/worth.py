"""How the expectation of a wager is worked out for any shoe: at once for thousands, or one shoe at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from typing import TYPE_CHECKING, ClassVar, Protocol

from pitboss.cards import Composition, suit_symmetric
from pitboss.exact import Study, TooLarge
from pitboss.exact.chance import Chance
from pitboss.exact.plan import check_no_jokers
from pitboss.exact.symmetry import suits_interchangeable
from pitboss.guard.polynomial import Polynomial
from pitboss.guard.records import Exact
from pitboss.rules.errors import BadInput
from pitboss.rules.graph import Graph
from pitboss.rules.house import House
from pitboss.rules.rewrite import only

if TYPE_CHECKING:
    from pitboss.exact.drawing import Drawing


SLOW = 2.0  # seconds of one shoe


class NotJudged(BadInput):
    """A wager that no count of cards can judge, and why."""


class Worth(Protocol):
    """A wager's expectation as a function of what is left in the shoe."""

    @property
    def states(self) -> int | None:
        """Shoes that are counted unless another number is asked for, where not every round can be; else None."""

    @property
    def seconds(self) -> float:
        """Of one shoe, on one core of an ordinary machine."""

    @property
    def together(self) -> int:
        """Of them, between two reports of progress."""

    @property
    def decides(self) -> bool:
        """Whether the player has a choice to make, which the cards left may change."""

    @property
    def at_once(self) -> Polynomial | None:
        """What works out thousands of shoes side by side, where there is that."""

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
    states: ClassVar[int] = 200
    seconds: ClassVar[float] = 0.008
    together: ClassVar[int] = 100
    decides: ClassVar[bool] = False
    at_once: ClassVar[None] = None

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
    states: ClassVar[int] = 100
    seconds: ClassVar[float] = 0.1
    together: ClassVar[int] = 1
    decides: ClassVar[bool] = True
    at_once: ClassVar[None] = None

    @cached_property
    def _full(self) -> "Drawing":
        return Study(self.house).drawing.drawing

    @property
    def kind_of(self) -> list[int]:
        return [int(k) for k in self._full.p.kinds.of_card]

    def expectation(self, shoe: Composition) -> float:
        from pitboss.exact.drawing import Drawing

        return -Drawing(self.house.but(shoe=shoe), like=self._full).optimal_edge

    def each(self, shoes: Sequence[Composition]) -> list[float]:
        return [self.expectation(shoe) for shoe in shoes]


@dataclass(frozen=True, eq=False)
class Counted:
    """A wager that looks at too many cards for a polynomial, counted whole, shoe by shoe."""

    house: House
    wager: str
    graph: Graph  # of this wager alone
    seconds: float
    states: ClassVar[int] = 200
    together: ClassVar[int] = 10
    at_once: ClassVar[None] = None

    @property
    def decides(self) -> bool:
        return any(self.graph.decisions())

    @property
    def kind_of(self) -> list[int]:
        blind = suits_interchangeable(self.graph) and suit_symmetric(self.house.composition)
        return [c >> 2 if blind and c < 52 else 13 + c for c in range(self.graph.codes)]

    def expectation(self, shoe: Composition) -> Fraction:
        return Study(self.house.but(shoe=shoe)).wager(self.wager).expectation

    def each(self, shoes: Sequence[Composition]) -> list[Fraction]:
        return [self.expectation(shoe) for shoe in shoes]


@lru_cache(maxsize=32)
def worth_of(house: House, wager: str) -> Worth:
    """The quickest way to this wager's expectation, made once for a house; a sentence where there is none."""
    study = Study(house)
    if house.meters(wager):
        raise NotJudged(
            f"{wager} is paid from a meter, which weighs more than any count of cards: "
            "pitboss analyze gives the meter at which it turns favourable"
        )
    if wager in study.book.shared:
        raise NotJudged(f"{wager} is paid among the players: the house has no part in it")
    if study.drawn and wager in house.main and house.pays_dollars(wager):
        raise NotJudged(f"{wager} pays awards in dollars, which are not worked out for hands of any number of cards")
    members = [w.name for w in house.parties[wager]]
    try:
        if study.drawn:
            check_no_jokers(study.graph)
        if wager in (house.main if study.drawn else study.book.decided):
            return Played(house) if study.drawn else _fixed(study, wager, only(study.graph, members))
        alone = only(study.graph, members, first_choice=True)
        if alone.open_ended and len(members) > 1:
            raise NotJudged(f"{wager} goes with {', '.join(members[1:])}, which is not worked out for every shoe")
        if alone.open_ended:
            return Followed(house, wager, Chance(alone, wager), house.stake_on(wager))
        return _fixed(study, wager, alone)
    except TooLarge as error:
        raise NotJudged(f"{wager} is too large to be worked out for every shoe: {error}") from None


def _fixed(study: Study, wager: str, graph: Graph) -> Worth:
    """Of hands with a fixed number of cards: of every shoe at once, or else some shoes counted whole, if that is
    quick."""
    try:
        return Polynomial(study.house, wager, graph)
    except TooLarge:
        step = study.plan_for([wager]).step(wager)
        if step is None or step.offer.seconds > SLOW:
            raise
        return Counted(study.house, wager, graph, step.offer.seconds)
