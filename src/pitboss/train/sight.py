"""What the dealer sees at one moment of a round: all that lies face up, and the hands that he has turned to settle."""

from collections.abc import Collection
from dataclasses import replace

from pitboss.cards import cards_of
from pitboss.live import BACK, HandView, View, view_of
from pitboss.live.seat import counted
from pitboss.rules.house import House
from pitboss.train.company import Dealt


def dealers_view(dealt: Dealt, told: int, turned: Collection[int]) -> View:
    """The table after so many events of the round; `turned` are seats whose cards lie open before the dealer."""
    part = dealt.round.fork()
    part.record = part.record.first(told)
    part.turn, part.abandoned = None, told < len(dealt.round.events)  # a round that is not over shows no more hands
    open_ = [seat for seat in part.playing if seat in turned]
    house = dealt.round.house
    found = view_of(part, open_, [name for name in house.parties if name in dealt.round.pots])
    seats = {
        number: replace(seat, own=False, hands=tuple(_counted(house, hand) for hand in seat.hands))
        for number, seat in found.seats.items()
    }
    gone = [e for e in part.events if e["event"] in ("deal", "burn")]
    used = sum(e.get("count", 0) + len(e.get("cards", ())) for e in gone)
    shoe = replace(dealt.shoe, dealt=dealt.shoe.dealt + used)
    return replace(found, own=(), seats=seats, shoe=shoe, dealt=bool(gone))


def _counted(house: House, hand: HandView) -> HandView:
    """What a hand counts with the cards that it has by then."""
    known = BACK not in hand.cards
    return replace(hand, count=counted(house, cards_of(hand.cards)) if known else {})
