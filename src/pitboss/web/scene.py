"""All that one viewer may see of a table, as plain JSON: what the pages draw, and what a program at the other end of a
socket reads. Which card is known to whom is decided in `pitboss.live.view`, and what is not in a view is not here.

Most of it is the same for everybody. It is made once (`common`), as somebody sees it who only watches; a player's own
seats, his choice and what he is told are put in for him (`scene`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from pitboss.live.live import Round
from pitboss.live.reasons import reasons
from pitboss.live.view import HandView, SeatView, View
from pitboss.pit.table import Table
from pitboss.rules.called import place_called, wager_called
from pitboss.rules.graph import BOARD
from pitboss.rules.house import House
from pitboss.rules.numbers import written
from pitboss.rules.paytables import Meter, money, show_pay
from pitboss.web.say import Ears, because_of, told

Scene = dict[str, Any]


@dataclass(frozen=True)
class Moment:
    """What is not in the log: how the clock stands, who is ready, and the hash that the log ends with."""

    clock: Mapping[str, Any] | None = None
    ready: frozenset[int] = frozenset()
    head: str = ""
    meters: Mapping[tuple[str, str], int] = field(default_factory=dict)  # (group, option) -> cents, as they stand


@dataclass
class Eyes:
    """Who looks, what he has in his purse, and how far he has been told."""

    id: str
    name: str
    role: str
    cents: int = 0
    told: tuple[int, int] = (0, 0)  # the round, and how many of its events
    news: Sequence[str] = ()  # of the table, besides the round
    coach: bool = False
    worth: Mapping[str, str] = field(default_factory=dict)  # choice -> what the coach says


def dollars(amount: Fraction) -> str:
    """`950.00`: dollars and cents, for a page to write as it likes."""
    whole, cents = divmod(abs(amount.numerator) * 100 // amount.denominator, 100)
    return f"{'-' if amount < 0 else ''}{whole}.{cents:02d}"


def in_dollars(cents: int) -> str:
    return dollars(Fraction(cents, 100))


def common(table: Table, moment: Moment) -> Scene:
    """The table as somebody sees it who has no seat."""
    view, why = table.session.view(None), _why(table, (), None)
    return {
        "table": _of_table(table, view, moment),
        "wagers": wagers(table.house),
        "seats": [_seat(table, view, seat, moment, why) for seat in table.session.seats],
        "dealer": {"cards": list(view.dealer.cards), "count": dict(view.dealer.count)},
        "places": places(table.house, view),
        "choose": None,
        "_view": view,
        "_why": why,
    }


def scene(base: Scene, table: Table, eyes: Eyes, moment: Moment) -> Scene:
    """The table as this person sees it."""
    mine = own_part(base, table, eyes, moment)
    out = {name: part for name, part in base.items() if not name.startswith("_")} | mine
    return out | {"seats": [mine["seats"].get(one["seat"], one) for one in base["seats"]]}


def own_part(base: Scene, table: Table, eyes: Eyes, moment: Moment) -> Scene:
    """What is not the same for everybody: this person's seats by number, his choice, what he has and is told."""
    own = table.seats_of(eyes.id)
    heard = eyes.told[1] if eyes.told[0] == table.rounds else 0
    behind: View = base["_view"]
    events, why = behind.events[heard:], {**base["_why"], **_why(table, own, own)} if own else base["_why"]
    seats: dict[int, Scene] = {}
    choose = None
    if own:
        view = table.session.view(own[0], behind, heard)
        seats = {seat: _seat(table, view, seat, moment, why, own) for seat in own}
        choose = _choose(table, view, eyes)
        events = view.events
    fresh = [] if table.session.cleared else events
    return {
        "seats": seats,
        "choose": choose,
        "you": {
            "name": eyes.name, "role": eyes.role, "seats": list(own), "purse": dollars(Fraction(eyes.cents, 100)),
            "chips": seats[own[0]]["chips"] if own else "0.00", "coach": eyes.coach,
            "seed": table.seeds.get(own[0], "") if own else "",
        },
        "say": [*eyes.news, *told(fresh, Ears(table.house, names(table), own), why)],
    }  # fmt: skip


def names(table: Table) -> dict[int, str]:
    return {seat: who.name for seat, who in table.sitting.items()}


# ---- the table


def phase(table: Table) -> str:
    if table.closed:
        return "closed"
    return "playing" if table.in_play else "betting" if table.session.cleared else "over"


def _of_table(table: Table, view: View, moment: Moment) -> Scene:
    house = table.house
    return {
        "id": table.id,
        "name": table.name,
        "game": house.game.name,
        "title": house.game.title,
        "phase": phase(table),
        "paused": table.paused,
        "round": table.rounds,
        "min": money(house.amount("table-min")),
        "max": money(house.amount("table-max")),
        "clock": moment.clock,
        "pace": dict(table.pace),
        "shoe": {
            "number": table.number, "dealt": view.shoe.dealt, "cut": view.shoe.cut,
            "every_round": view.shoe.every_round, "commitment": table.commitment,
        },
        "meters": meters(table, moment.meters),
        "pots": pots(house, view),
        "head": moment.head,
    }  # fmt: skip


def pots(house: House, view: View) -> list[Scene]:
    return [
        {"wager": name, "called": wager_called(house, name), "amount": dollars(pot)} for name, pot in view.pots.items()
    ]


def meters(table: Table, stand: Mapping[tuple[str, str], int]) -> list[Scene]:
    """What each meter shows, under the name of the wager that it is won on."""
    out: dict[str, Scene] = {}
    for wager in table.house.parties:
        for row, pay in table.house.meters(wager):
            cents = stand.get((table.group, pay.meter), 0)
            called = f"{wager_called(table.house, wager)}: {row}"
            out.setdefault(
                pay.meter, {"name": pay.meter, "called": called, "shows": f"{cents // 100:,}.{cents % 100:02d}"}
            )
    return list(out.values())


@lru_cache(maxsize=256)
def _wagers(house: House) -> tuple[Scene, ...]:
    out = []
    for wager in house.wagers:
        before = wager.name in house.parties
        least = house.least_bet(wager.name) if before else None
        most = house.largest_bet(wager.name) if before else None
        out.append(
            {
                "wager": wager.name, "called": wager_called(house, wager.name), "about": wager.help,
                "least": "" if least is None else dollars(least), "most": "" if most is None else dollars(most),
                "exactly": "" if wager.exactly is None or least is None else dollars(least),
                "needs": wager.needs or "", "required": wager.required,
                "tokes": wager.tokes, "during": not before, "how": wager.amount_rule(),
                "one_of": _either(house, wager.name), "pays": _pays(house, wager.name),
            }
        )  # fmt: skip
    return tuple(out)


def wagers(house: House) -> list[Scene]:
    """Every circle of the layout, in its order."""
    return list(_wagers(house))


def _either(house: House, wager: str) -> list[str]:
    return [other for names in house.one_of if wager in names for other in names if other != wager]


def _pays(house: House, wager: str) -> list[list[str]]:
    rows = house.tables[wager].pays.items()
    return [[row, str(pay) if isinstance(pay, Meter) else show_pay(pay)] for row, pay in rows]


def places(house: House, view: View) -> list[Scene]:
    """The board, with how its cards were dealt, and every place with a name of its own."""
    out = []
    if view.board:
        called = place_called(house, BOARD)
        out.append(
            {"place": BOARD, "called": called, "cards": list(view.board), "packs": list(view.packs), "count": {}}
        )
    for place, hand in view.places.items():
        called = place_called(house, place)
        out.append(
            {"place": place, "called": called, "cards": list(hand.cards), "packs": [], "count": dict(hand.count)}
        )
    return out


# ---- a seat

_REASONS: "WeakKeyDictionary[Round, dict[tuple[tuple[int, ...], int], dict[tuple[int, str], str]]]" = (
    WeakKeyDictionary()
)
"""For as long as the round lies there: nothing of it changes any more, and it is looked at until the next bets."""


def _why(table: Table, own: Sequence[int], of: Sequence[int] | None) -> dict[tuple[int, str], str]:
    """Who held what, once something of the round is settled."""
    round_ = table.session.round
    if round_ is None or not round_.record.has("settle"):
        return {}
    found = _REASONS.setdefault(round_, {})
    if (tuple(own), len(round_.events)) not in found:
        found[tuple(own), len(round_.events)] = reasons(round_, own, of, names(table))
    return found[tuple(own), len(round_.events)]


def _seat(
    table: Table, view: View, seat: int, moment: Moment, why: Mapping[tuple[int, str], str], own: Sequence[int] = ()
) -> Scene:
    sits, session = table.sitting.get(seat), table.session
    found = view.seats.get(seat, SeatView(seat, seat in own))
    first = sits is not None and table.session.purses.own(seat)[0] == seat
    return {
        "seat": seat,
        "name": "" if sits is None else sits.name,
        "bot": sits is not None and sits.bot,
        "yours": seat in own,
        "empty": sits is None,
        "turn": view.turn == seat,
        "ready": seat in moment.ready,
        "chips": dollars(session.purse(seat)) if first else "",
        "last": _last(table, seat, why),
        **of_seat(table.house, found, why),
        "left": found.left or seat in table.leaving,
    }


def of_seat(house: House, found: SeatView, why: Mapping[tuple[int, str], str]) -> Scene:
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


def _last(table: Table, seat: int, why: Mapping[tuple[int, str], str]) -> Scene | None:
    """What the last round brought, while bets for the next one lie on the layout."""
    round_ = table.session.round
    if round_ is None or not table.session.cleared or table.in_play or seat not in round_.playing:
        return None
    settled = [_settled(table.house, event, why) for event in round_.settled(seat)]
    given = [_given(table.house, event) for event in round_.tokes(seat)]
    return {"net": dollars(round_.net(seat)), "settled": settled, "for_dealer": given}


def _given(house: House, event: Mapping[str, Any]) -> Scene:
    """A bet for the dealer, which is the player's to give, and what the dealer got of it."""
    stake = written(event["stake"])
    got = stake + written(event["net"])
    return {"called": wager_called(house, event["wager"]), "stake": dollars(stake), "takes": dollars(got)}


def _settled(house: House, event: Mapping[str, Any], why: Mapping[tuple[int, str], str]) -> Scene:
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


# ---- a choice


def _choose(table: Table, view: View, eyes: Eyes) -> Scene | None:
    """What this person decides, and between what; nobody else is told."""
    if not view.yours or table.closed:
        return None
    costs, keyed = table.session.costs(), keys(view.choices)
    return {
        "seat": view.turn,
        "hand": view.hand,
        "decision": view.decision,
        "choices": [
            {
                "choice": choice, "key": keyed[choice], "costs": dollars(costs[choice]) if costs[choice] else "",
                "worth": eyes.worth.get(choice),
            }
            for choice in view.choices
        ],
    }  # fmt: skip


def keys(choices: Sequence[str]) -> dict[str, str]:
    """One key for each choice: the first of its letters that no choice before it has, else a digit."""
    out: dict[str, str] = {}
    free = [*"123456789"]
    for choice in choices:
        letters = [c for c in choice.lower() if c.isascii() and c.isalnum()]
        out[choice] = next((c for c in [*letters, *free] if c not in out.values()), "")
    return out
