"""What protection is going to take, before a shoe is dealt."""

from collections.abc import Sequence

from pitboss.exact import Study
from pitboss.guard.exposure import glimpsed
from pitboss.guard.plan import Plan, cuts_of
from pitboss.guard.worth import Worth
from pitboss.rules.cut import behind
from pitboss.rules.graph import PLAYER, Deal
from pitboss.rules.house import House
from pitboss.rules.trace import trace
from pitboss.rules.work import BASE_MEMORY, Work

DEALT = 6e-7  # seconds to deal a round and to keep what counts show
KEPT = 26  # bytes of a round
LOOKED_AT = 100  # bytes of a round of the shoes that are being looked at


def work_of(houses: Sequence[House], wager: str, worth: Worth, plan: Plan, bets: int) -> Work:
    """All shoes of all these houses, at so many different bets, and glimpses of cards."""
    rounds = [plan.shoes * _rounds(house, plan) for house in houses]
    states = len(houses) * (len(set(worth.kind_of)) + 1 + (plan.states or 0))
    seconds = states * worth.seconds + sum(rounds) * DEALT
    if worth.at_once is not None:
        seconds += sum(rounds) * worth.seconds * (2 if worth.decides else 1)
    memory = BASE_MEMORY + KEPT * sum(rounds) + LOOKED_AT * max(rounds)
    return Work(bets * seconds, memory) + glimpses(houses[0], wager, plan.patient)


def glimpses(house: House, wager: str, patient: bool) -> Work:
    """What a glimpse of every card is worth."""
    return sum((g.work for g in glimpsed(house, wager, patient) if not g.why_not), Work())


def one_deck(house: House, wager: str, patient: bool) -> Work:
    """A game of one deck: the wager as it is, and with cards in sight."""
    return Study(house, patient=patient).plan_for([wager]).work + glimpses(house, wager, patient)


def _rounds(house: House, plan: Plan) -> int:
    """Of one shoe, at most: every seat and the dealer get their first cards."""
    first = [e for e in trace(house).root.events if isinstance(e, Deal)]
    cards = sum(len(e.slots) * (plan.seats if e.who == PLAYER else 1) for e in first)
    dealt = sum(house.composition) - behind(house, cuts_of(house, plan)[0])
    return max(0, dealt - 1) // max(1, cards) + 1
