"""What lies before a seat, as one viewer may see it: cards, chips, and what came of them.

After a choice most seats look as they did. What was made of a seat is kept together with all that it was made from, and
is made anew when something of that is another: who sits there, his chips and bets, how far the round has come there.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from pitboss.live.reasons import reasons
from pitboss.live.view import HandView, SeatView, own_hands
from pitboss.pit.table import Table
from pitboss.rules.called import wager_called
from pitboss.rules.house import House
from pitboss.rules.numbers import written
from pitboss.web.say import Why, because_of

Scene = dict[str, Any]
Own = tuple[int, ...]
Names = Mapping[int, str]
MOST_KEPT = 200
encode = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode


class SeatScene(Scene):
    """What lies before a seat. It is written down once, however many look at it."""

    @cached_property
    def text(self) -> str:
        """As a program reads it, in one line: the same text is the same picture."""
        return encode(self)


@dataclass(frozen=True)
class Lies:
    """A seat as it was made for somebody."""

    key: tuple[object, ...]
    view: SeatView | None  # of the round; None where nobody plays, or bets lie there for the next one
    why: Why
    scene: SeatScene


@dataclass
class Said:
    """What everybody hears of a round: a sentence for each of its events from the first that somebody has asked for."""

    of: object = None  # the round, and who is called how
    first: int = 0
    words: list[str] = field(default_factory=list)


@dataclass
class Kept:
    """What was made of a table."""

    seats: dict[tuple[int, Own], Lies] = field(default_factory=dict)  # seat, and the viewer's own seats -> for him
    said: Said = field(default_factory=Said)


def dollars(amount: Fraction) -> str:
    """`950.00`: dollars and cents, for a page to write as it likes."""
    cents = abs(amount.numerator) * 100 // amount.denominator
    return in_dollars(-cents if amount.numerator < 0 else cents)


def in_dollars(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02d}"


def names(table: Table) -> dict[int, str]:
    """Whose the hands are that lie there: of somebody who has several, each with its number; of one who has got up
    there is his seat."""
    round_ = table.session.round
    gone = set() if round_ is None or table.session.cleared else round_.vacated
    several = {who for who, many in Counter(who.player for who in table.sitting.values()).items() if many > 1}
    return {
        seat: f"{who.name} (seat {seat})" if who.player in several else who.name
        for seat, who in table.sitting.items()
        if seat not in gone
    }


def key_of(table: Table, seat: int, ready: frozenset[int]) -> tuple[object, ...]:
    """All that a seat is drawn from: with the same key it looks the same to the same viewer."""
    session, sits = table.session, table.sitting.get(seat)
    round_ = session.round
    first = sits is not None and session.purses.own(seat)[0] == seat
    if round_ is not None and not session.cleared:
        lies = round_.stage(seat)
    else:
        lies = (session.bets(seat), session.tokes(seat), session.carried(seat))
    chips = table.chips(seat) if first else None
    around = tuple(table.sitting.items())  # what is held against others is told by their names
    return (table.house, round_, session.cleared, lies, sits, around, chips, seat in ready, seat in table.leaving)


def lies(table: Table, found: SeatView | None, seat: int, key: tuple[object, ...], called: Names) -> Lies:
    """A seat as somebody sees it who only watches; nothing is `found` of it where nobody plays."""
    sits, session = table.sitting.get(seat), table.session
    why = _why(table, seat, (), called)
    chips, ready, leaving = key[-3:]
    scene = SeatScene(of_seat(table.house, found or SeatView(seat, False), why))
    scene |= {
        "name": "" if sits is None else sits.name,
        "bot": sits is not None and sits.bot,
        "yours": False,
        "empty": sits is None,
        "turn": session.turn is not None and session.turn.seat == seat,
        "ready": ready,
        "chips": in_dollars(chips) if isinstance(chips, int) else "",
        "last": _last(table, seat, why),
    }
    scene["left"] = scene["left"] or bool(leaving)
    return Lies(key, None if session.cleared else found, why, scene)


def own_lies(seen: Lies, table: Table, seat: int, own: Own, called: Names) -> Lies:
    """The same for the player whose seat it is: what is not as everybody sees it are his cards, and what is said of
    them."""
    why = _why(table, seat, own, called)
    scene = SeatScene(seen.scene)
    scene["yours"] = True
    if seen.view is not None and table.session.round is not None:
        hands = own_hands(table.session.round, own, seat)
        if hands != seen.view.hands:
            scene["hands"] = [_hand(hand) for hand in hands]
    if why != seen.why:
        scene["last"] = _last(table, seat, why)
        if seen.view is not None:
            scene["settled"] = [_settled(table.house, event, why) for event in seen.view.settled]
    return Lies(seen.key, seen.view, why, scene)


def keep(kept: Kept, seat: int, own: Own, made: Lies) -> Lies:
    """For the next scene, in the place of what was kept before. Whose seats are whose changes now and then."""
    if len(kept.seats) > MOST_KEPT:
        kept.seats.clear()
    kept.seats[seat, own] = made
    return made


def _why(table: Table, seat: int, own: Own, called: Names) -> Why:
    """Who held what, once something of this seat is settled."""
    round_ = table.session.round
    if round_ is None or not round_.record.of("settle", seat):
        return {}
    own, names = round_.held(own), tuple(called.items())
    return round_.record.once(
        ("why", seat, own, round_.over, names), lambda: reasons(round_, own, (seat,), called)
    )  # also while bets for the next round are made


def of_seat(house: House, found: SeatView, why: Why) -> Scene:
    """What lies before a seat, and what came of it."""
    return {
        "seat": found.seat,
        "bets": _amounts(found.bets),
        "stakes": _amounts(found.stakes),
        "tokes": _amounts(found.tokes),
        "markers": _amounts(found.markers),
        "hands": [_hand(hand) for hand in found.hands],
        "settled": [_settled(house, event, why) for event in found.settled],
        "for_dealer": [_given(house, event) for event in found.for_dealer],
        "net": dollars(found.net),
        "carried": dict(found.carried),
        "left": found.left,
    }


def _last(table: Table, seat: int, why: Why) -> Scene | None:
    """What the last round brought, while bets for the next one lie on the layout."""
    round_ = table.session.round
    if round_ is None or not table.session.cleared or table.in_play or seat not in round_.held(round_.playing):
        return None
    settled = [_settled(table.house, event, why) for event in round_.settled(seat)]
    given = [_given(table.house, event) for event in round_.tokes(seat)]
    return {"net": dollars(round_.net(seat)), "settled": settled, "for_dealer": given}


def _given(house: House, event: Mapping[str, Any]) -> Scene:
    """A bet for the dealer, which is the player's to give, and what the dealer got of it."""
    stake = written(event["stake"])
    got = stake + written(event["net"])
    return {"called": wager_called(house, event["wager"]), "stake": dollars(stake), "takes": dollars(got)}


def _settled(house: House, event: Mapping[str, Any], why: Why) -> Scene:
    return {
        "wager": event["wager"],
        "called": wager_called(house, event["wager"]),
        "row": event["row"],
        "pays": event["pays"],
        "net": dollars(written(event["net"])),
        "why": because_of(event, why),
    }


def _hand(hand: HandView) -> Scene:
    return {"cards": list(hand.cards), "count": dict(hand.count), "playing": hand.playing, "wager": hand.wager}


def _amounts(bets: Mapping[str, Fraction]) -> dict[str, str]:
    return {wager: dollars(amount) for wager, amount in bets.items()}
