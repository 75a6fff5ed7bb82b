"""All that one viewer may see of a table, as plain JSON: what the pages draw, and what a program at the other end of a
socket reads. Which card is known to whom is decided in `pitboss.live.view`, and what is not in a view is not here.

Most of it is the same for everybody. It is made once (`common`), as somebody sees it who only watches; a player's own
seats, his choice and what he is told are put in for him (`scene`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pitboss.live.live import Round, Turn
from pitboss.live.view import View, events_for
from pitboss.pit.table import Table
from pitboss.rules.called import place_called, wager_called
from pitboss.rules.graph import BOARD
from pitboss.rules.house import House
from pitboss.rules.paytables import Meter, money, show_pay
from pitboss.web.beats import Keys, as_dealt, keys_since
from pitboss.web.keys import keys
from pitboss.web.lies import (
    Kept,
    Lies,
    Names,
    Own,
    Said,
    Scene,
    dollars,
    in_dollars,
    keep,
    key_of,
    lies,
    names,
    own_lies,
)
from pitboss.web.news import News
from pitboss.web.say import Ears, each


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
    news: Sequence[News] = ()  # of the table, besides the round
    coach: bool = False
    worth: Mapping[str, str] = field(default_factory=dict)  # choice -> what the coach says


def common(table: Table, moment: Moment, kept: Kept | None = None) -> Scene:
    """The table as somebody sees it who has no seat. `kept` is what was made of its seats before, and is added to."""
    kept = kept or Kept()
    keys = {seat: key_of(table, seat, moment.ready) for seat in table.session.seats}
    found = {seat: kept.seats.get((seat, ())) for seat in keys}
    same = {seat: one for seat, one in found.items() if one is not None and one.key == keys[seat]}
    seen = {seat: one.view for seat, one in same.items() if one.view is not None}
    view = table.session.view(None, heard=events_of(table), same=seen)
    called = names(table)
    seats = {
        seat: same.get(seat) or keep(kept, seat, (), lies(table, view.seats.get(seat), seat, key, called))
        for seat, key in keys.items()
    }
    return {
        "table": _of_table(table, view, moment),
        "wagers": wagers(table.house),
        "seats": [one.scene for one in seats.values()],
        "dealer": {"cards": list(view.dealer.cards), "count": dict(view.dealer.count)},
        "places": places(table.house, view),
        "choose": None,
        "_called": called,
        "_seats": seats,
        "_kept": kept,
    }


def scene(base: Scene, table: Table, eyes: Eyes, moment: Moment) -> Scene:
    """The table as this person sees it."""
    mine = own_part(base, table, eyes, moment)
    own = {seat: one.scene for seat, one in mine.pop("_seats").items()}
    out = {name: part for name, part in base.items() if not name.startswith("_")} | mine
    return out | {"seats": [own.get(one["seat"], one) for one in base["seats"]]}


def own_part(base: Scene, table: Table, eyes: Eyes, moment: Moment) -> Scene:
    """What is not the same for everybody: this person's seats, his choice, what he has and is told."""
    own, turn = table.seats_of(eyes.id), table.session.turn
    seats = _own_seats(base, table, own) if own else {}
    beats = [
        *((one.text, ()) for one in eyes.news if not one.after), *_heard(base, table, seats, eyes.told),
        *((one.text, ()) for one in eyes.news if one.after),
    ]  # fmt: skip
    return {
        "_seats": seats,
        "choose": _choose(table, turn, eyes) if turn is not None and turn.seat in own and not table.closed else None,
        "you": {
            "name": eyes.name, "role": eyes.role, "seats": list(own), "purse": in_dollars(eyes.cents),
            "chips": seats[own[0]].scene["chips"] if own else "0.00", "coach": eyes.coach,
            "seed": table.seeds.get(own[0], "") if own else "",
        },
        "say": [text for text, _ in beats],
        "beats": [list(found) for _, found in beats],
    }  # fmt: skip


def _own_seats(base: Scene, table: Table, own: Own) -> dict[int, Lies]:
    """A player's seats as he sees them; what nobody has touched since is there already."""
    kept: Kept = base["_kept"]
    out = {}
    for seat in own:
        seen, found = base["_seats"][seat], kept.seats.get((seat, own))
        if found is None or found.key != seen.key:
            found = keep(kept, seat, own, own_lies(seen, table, seat, own, base["_called"]))
        out[seat] = found
    return out


# ---- what is said


def events_of(table: Table) -> int:
    """How many events the last round has, as far as it has come."""
    round_ = table.session.round
    return 0 if round_ is None else len(round_.events)


def _heard(base: Scene, table: Table, seats: Mapping[int, Lies], upto: tuple[int, int]) -> list[tuple[str, Keys]]:
    """What has happened since somebody was last told, each sentence with the keys of what it brought onto the layout.
    Most of it all hear alike; what is about his own seats he hears of as his, and with the cards that he alone
    knows."""
    round_, many = table.session.round, events_of(table)
    heard = upto[1] if upto[0] == table.rounds else 0
    if round_ is None or heard >= many:
        return []
    own = round_.held(seats)
    called = base["_called"]
    told = _by_all(base, table, round_, heard)
    mine = [i for i, event in enumerate(round_.events[heard:]) if own and _about(event, own)]
    if mine:
        told, events = list(told), as_dealt(events_for(round_, own, heard), own)
        why = {key: words for one in seats.values() for key, words in one.why.items()}
        for i, words in zip(mine, each([events[i] for i in mine], Ears(table.house, called, own), why), strict=True):
            told[i] = words
    cleared = table.session.cleared
    return _spoken(told, [()] * len(told) if cleared else keys_since(round_, own, heard))


def _by_all(base: Scene, table: Table, round_: Round, heard: int) -> list[str]:
    """What everybody hears of the events after so many, as it is said first: a sentence for each."""
    called: Names = base["_called"]
    said: Said = base["_kept"].said
    if said.of != (of := (round_, round_.over, tuple(called.items()))):
        said.of, said.first, said.words = of, heard, []
    why = {key: words for one in base["_seats"].values() for key, words in one.why.items()}
    ears = Ears(table.house, called)
    if heard < said.first:
        events = as_dealt(events_for(round_, (), heard)[: said.first - heard], ())
        said.first, said.words[:0] = heard, each(events, ears, why)
    upto = said.first + len(said.words)
    if upto < len(round_.events):
        said.words += each(as_dealt(events_for(round_, (), upto), ()), ears, why)
    return said.words[heard - said.first :]


def _spoken(told: Sequence[str], found: Sequence[Keys]) -> list[tuple[str, Keys]]:
    """What happens without a word goes with the sentence before it; at the very beginning with the first."""
    out: list[tuple[str, Keys]] = []
    early: Keys = ()
    for text, keys_ in zip(told, found, strict=True):
        if text:
            out.append((text, early + keys_))
            early = ()
        elif out:
            out[-1] = (out[-1][0], out[-1][1] + keys_)
        else:
            early += keys_
    return out


def _about(event: Mapping[str, Any], own: Own) -> bool:
    return event.get("seat") in own or any(seat in own for seat in event.get("winners", ()))


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
        "pace": {name: table.pace[name] for name in ("bet", "act")},
        "shoe": {
            "number": table.number, "dealt": view.shoe.dealt, "cut": view.shoe.cut,
            "every_round": view.shoe.every_round, "commitment": table.commitment, "from": table.dealt_from,
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


# ---- a choice


def _choose(table: Table, turn: Turn, eyes: Eyes) -> Scene:
    """What this person decides, and between what; nobody else is told."""
    costs, keyed = table.session.costs(), keys(turn.choices)
    return {
        "seat": turn.seat,
        "hand": turn.hand,
        "decision": turn.decision,
        "choices": [
            {
                "choice": choice, "key": keyed[choice], "costs": dollars(costs[choice]) if costs[choice] else "",
                "worth": eyes.worth.get(choice), "short": table.session.short(choice),
            }
            for choice in turn.choices
        ],
    }  # fmt: skip
