"""What is looked at: numbers of decks, places of the cut card, how many shoes, and at which bets."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from pitboss.deal.shoes import cards_needed
from pitboss.rules.cut import behind, fitting, usual_behind
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.options import Choice

USUAL_DECKS = (2, 4, 6, 8)
USUAL_CUTS = (Fraction(1, 2), Fraction(1), Fraction(3, 2))
MOST_DOLLARS = 10**9
Watch = Callable[[str, int, int], None]  # what is being done, how far, of how much


@dataclass(frozen=True)
class Plan:
    """How protection is looked at; every default is stated on the command line."""

    decks: tuple[int, ...] = ()  # none: the usual ones that the game offers
    cuts: tuple[Fraction, ...] = ()  # decks behind the cut card; none: the usual ones and the game's own
    seats: int = 1
    shoes: int = 2000
    seed: int = 1
    hands: int = 60  # an hour
    limit: Fraction | None = None  # the largest bet; None: the wager's own, or the table's
    tolerate: Fraction = Fraction(20)  # dollars an hour
    states: int | None = None  # shoes to count, where that takes too long for every round; None: as many as are usual
    patient: bool = False  # whether it may take more than ten minutes, or 2 GB

    def check(self) -> None:
        """One clear sentence for what cannot be."""
        if self.hands < 1:
            raise BadInput(f"hands {self.hands}: write a whole number from 1")
        for value, name, least, most in (
            (self.shoes, "shoes", 2, 50_000), (self.hands, "hands", 1, 1000), (self.states, "states", 8, 10_000),
        ):  # fmt: skip
            if value is not None and not least <= value <= most:
                raise BadInput(f"`{name}` takes {least:,} to {most:,}, not {value:,}")
        for name, amount in (("limit", self.limit), ("tolerate", self.tolerate)):
            if amount is not None and not Fraction(1, 100) <= amount <= MOST_DOLLARS:
                raise BadInput(f"`{name}` takes an amount from $0.01 up to ${MOST_DOLLARS:,}")


def decks_of(house: House, plan: Plan, slow: bool) -> list[int]:
    """Those asked for; else the usual ones that the game offers, or only the house's own."""
    option = house.game.all_options["decks"]
    offered = [int(v) for v in option.values] if isinstance(option, Choice) else []
    if plan.decks:
        return [int(str(option.parse(str(d)))) for d in dict.fromkeys(plan.decks)]
    if slow or house.decks != option.start():
        return [house.decks or 1]
    return [d for d in offered if d in USUAL_DECKS] or offered


def cuts_of(house: House, plan: Plan) -> list[Fraction]:
    """Those that leave cards enough to finish a round, and some to deal; the deepest first. Where none was asked for
    and none of the usual ones fits, the one that does."""
    need, cards = cards_needed(house, plan.seats), sum(house.composition)
    wanted = plan.cuts or (*USUAL_CUTS, Fraction(house.game.cut_card))
    if not plan.cuts and not any(need <= behind(house, c) < cards for c in wanted):
        wanted = (Fraction(usual_behind(house, need), len(house.deck)),)
    return sorted({c for c in wanted if need <= behind(house, c) < cards})


def check_cuts(house: House, plan: Plan) -> None:
    """One clear sentence where no place of the cut card fits the shoe."""
    if cuts_of(house, plan):
        return
    need, cards = cards_needed(house, plan.seats), sum(house.composition)
    seats = f"{plan.seats} {'seat needs' if plan.seats == 1 else 'seats need'} {need} cards"
    if not (fits := fitting(house, need)):
        raise BadInput(
            f"{seats} of a shoe of {cards}: it is shuffled for every round, and there is nothing to count; ask for "
            "fewer `seats` or more `decks`"
        )
    named = ", ".join(f"{float(c):g}" for c in plan.cuts)
    raise BadInput(
        f"no cut card of {named} decks fits a shoe of {cards} cards, where {seats} behind it to finish a round; "
        f"write `cuts` of {fits}"
    )
