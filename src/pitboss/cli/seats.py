"""Everyone at a terminal table, in words and as a layout: a view of the table becomes what the player sees of it."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from rich.text import Text

from pitboss.cli import faces
from pitboss.live import BACK, Event, SeatView, Turn, View
from pitboss.live.words import does
from pitboss.rules.errors import BadInput
from pitboss.rules.graph import BOARD, DEALER, UP
from pitboss.rules.house import House
from pitboss.rules.numbers import written
from pitboss.rules.paytables import money

Bets = Mapping[str, Fraction]


# ---- who sits where


def sitting(house: House, spots: int, seats: int | None) -> int:
    """How many seats are in play: at least the player's own spots, which are seats 1 to so many."""
    most = house.game.seats if seats is None else seats
    if seats is not None:
        house.check_seats(seats, 0)
    if not 1 <= spots <= most:
        why = f"{house.game.title} has {most} seats" if seats is None else f"--seats is {seats}"
        raise BadInput(f"--spots {spots}: play {f'1 to {most} spots' if most > 1 else '1 spot'}, for {why}")
    return spots if seats is None else seats


# ---- what computer players do


def company(bets: Mapping[int, Bets]) -> str:
    """Who else sits here, and what each of them bets."""
    several: dict[str, list[int]] = {}
    for seat, own in bets.items():
        several.setdefault(faces.listed(own), []).append(seat)
    first, *_, last = [*bets, *bets]
    if first == last:
        return f"A computer player sits at seat {first} and bets {faces.listed(bets[first])}."
    if len(several) == 1:
        return f"Computer players sit at seats {first} to {last}; each bets {faces.listed(bets[first])}."
    who = (f"seat{'s'[: len(some) - 1]} {faces.enumerated([*map(str, some)])} {what}" for what, some in several.items())
    return f"Computer players sit at seats {first} to {last} and bet: {'; '.join(who)}."


def told(seat: int, choice: str) -> str:
    """`seat 3 bets`, `seat 3 goes to war`, `seat 3: 2x`."""
    return does(f"seat {seat}", choice)


def got(events: Iterable[Event], turn: Turn) -> Text:
    """`: 9♠`, the cards that a choice brought to the hand, as far as they lie face up."""
    dealt = [e for e in events if e["event"] == "deal" and e.get("seat") == turn.seat]
    cards = [card for e in dealt if e["face"] == UP and e.get("hand", 1) == turn.hand for card in e["cards"]]
    return Text(": ") + faces.small(cards) if cards else Text()


# ---- what the player sees


def layout(house: House, view: View) -> faces.Layout:
    """The table between two rounds, or in one. Wagers between the players lie in the middle.

    Of several spots the one whose turn it is lies before the player; when it is nobody's of his, all side by side.
    """
    own = [view.seats[seat] for seat in view.own]
    spots, shoe = len(own), shoe_told(view)
    if not view.dealt:
        name = "you" if spots == 1 else f"your {spots} spots, on each:"
        return faces.Layout(house, shoe, own[0].stakes, carried=own[0].carried, pots=view.pots, name=name)
    stands = standings(view)
    front = own[0] if spots == 1 else view.seats[view.turn] if view.turn in view.own else None  # None: all of them
    before = own if front is None else [front]
    together = f"your {spots} spots"
    if view.over:
        together += f" · {faces.signed(sum((spot.net for spot in own), Fraction(0)))}"
    return faces.Layout(
        house,
        shoe,
        _in_all(bets for spot in before for bets in (spot.stakes, spot.markers)),
        shared_cards(view),
        [] if front is None else held(front),
        _in_all(spot.nets for spot in before),
        {} if front is None else front.carried,
        view.pots,
        _others(house, view, stands, before),
        "" if front is None else stands.get(front.seat, ""),
        together if front is None else faces.player(front.seat, spots),
        [_place(view, spot, stands, f"spot {spot.seat}", spot.carried) for spot in own] if front is None else [],
    )


def shared_cards(view: View) -> list[faces.Shared]:
    """What lies before the house: the dealer's cards, the board, then every place with a name."""
    lie = [faces.Shared(DEALER, view.dealer.cards, faces.counts(view.dealer.count))]
    lie.append(faces.Shared(BOARD, view.board, deals=view.packs))
    lie += [faces.Shared(name, hand.cards, faces.counts(hand.count)) for name, hand in view.places.items()]
    return [place for place in lie if place.cards]


def shoe_told(view: View) -> str:
    dealt, left = view.shoe.dealt, view.shoe.cut - view.shoe.dealt
    if view.shoe.every_round:
        return "shuffled every round"
    return f"{dealt} dealt, {left} to the cut card" if left > 0 else f"{dealt} dealt, the cut card is out"


def _in_all(amounts: Iterable[Bets]) -> dict[str, Fraction]:
    out: dict[str, Fraction] = {}
    for found in amounts:
        for name, amount in found.items():
            out[name] = out.get(name, Fraction(0)) + amount
    return out


def held(seat: SeatView) -> list[faces.Held]:
    """A player's hands, each with what it counts and the wager on it."""
    return [faces.Held(hand.cards, faces.counts(hand.count), hand.wager, hand.playing) for hand in seat.hands]


def _place(
    view: View, seat: SeatView, stands: Mapping[int, str], name: str, carried: Mapping[str, int] | None = None
) -> faces.Place:
    """A seat as it is seen from the player's; what it brought is known when the round is over, or it is."""
    return faces.Place(
        name,
        held(seat),
        stands.get(seat.seat, "") if view.over else "",
        seat.net if view.over or (seat.own and not seat.unsettled) else None,
        {**seat.stakes, **seat.markers},
        seat.nets,
        carried or {},
        seat.own,
    )


def _others(house: House, view: View, stands: Mapping[int, str], before: Sequence[SeatView]) -> list[faces.Place]:
    """The other hands as far as they can be seen, in the order in which the dealer settles; the player's own last."""
    step = -1 if house.game.settles_from_right else 1
    others = [seat for seat in view.seats.values() if not seat.own]
    own = [seat for seat in view.seats.values() if seat.own and seat not in before]
    spots = len(view.own)
    places = [_place(view, s, stands, faces.player(s.seat, spots)) for s in [*others[::step], *own[::step]]]
    return [p for p in places if view.over or any(card != BACK for held in p.hands for card in held.cards)]


# ---- wagers between the players


def pots_in(view: View) -> dict[str, list[int]]:
    """Who has taken what lies between the players: wager -> seats, in settlement order."""
    return {e["wager"]: list(e["winners"]) for e in view.events if e["event"] == "pot"}


def standings(view: View) -> dict[int, str]:
    """How each hand stood when it was compared, and what became of it: `high hand, takes the pot`."""
    pots, spots = pots_in(view), len(view.own)
    out: dict[int, str] = {}
    for event in view.events:
        if event["event"] == "stand":
            seat, wager = event["seat"], event["wager"]
            winners = pots.get(wager, [])
            verb = f"{'share' if len(winners) > 1 else 'take'}{'' if faces.player(seat, spots) == 'you' else 's'}"
            words = event["standing"]
            if seat in winners:
                words += f", {verb} the {wager}"
            elif winners and words != "beaten":
                words += " so far"
            out[seat] = f"{out[seat]}; {words}" if seat in out else words
    return out


def stories(view: View) -> list[str]:
    """`Seat 4 takes the pot of $30.`, `Seat 6 and you share the pot of $25: $13 and $12.`"""
    out, spots = [], len(view.own)
    for wager, winners in pots_in(view).items():
        won = {seat: next(e for e in view.seats[seat].settled if e["wager"] == wager) for seat in winners}
        got = [f"${money(written(event['pays']))}" for event in won.values()]
        pot = sum((written(event["pays"]) for event in won.values()), Fraction(0))
        verb = "share" if len(winners) > 1 else "take" if faces.named(winners, spots) == "you" else "takes"
        parts = f": {faces.enumerated(got)}" if len(winners) > 1 else ""
        line = f"{faces.named(winners, spots)} {verb} the {wager} of ${money(pot)}{parts}."
        out.append(line[0].upper() + line[1:])
    return out
