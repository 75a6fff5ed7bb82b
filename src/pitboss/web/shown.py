"""What the pages show that have no felt: the lobby, the sign, the floor and past rounds, as plain values."""

import secrets
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pitboss.live.reasons import reasons
from pitboss.live.view import SeatView, step_of
from pitboss.pit import PLAYER
from pitboss.pit.takings import Takings
from pitboss.rules.called import wager_called
from pitboss.rules.house import House
from pitboss.rules.options import show_value
from pitboss.rules.paytables import money, show_pay
from pitboss.vault import Person, Stored
from pitboss.web import lies, past, scene
from pitboss.web.lies import in_dollars
from pitboss.web.opened import Opened
from pitboss.web.played import Played
from pitboss.web.say import Ears, told
from pitboss.web.table import LiveTable
from pitboss.web.theory import Figures, against, expected

A_PAGE = 50


def you(opened: Opened, person: Person | None) -> dict[str, Any] | None:
    if person is None:
        return None
    cents = opened.house.purses.get(person.id, 0)
    found = {"name": person.name, "role": person.role, "seats": [], "chips": "0"}
    return found | {"purse": in_dollars(cents) if person.role == "player" else ""}


def of_table(opened: Opened, live: LiveTable) -> dict[str, Any]:
    """A table as the lobby has it."""
    table, house = live.table, live.table.house
    sitting = [
        {"seat": seat, "name": who.name, "bot": who.bot, "empty": False, "chips": _chips(live, seat)}
        for seat, who in sorted(table.sitting.items())
    ]
    return {
        "id": table.id, "name": table.name, "game": house.game.name, "title": house.game.title, "group": table.group,
        "min": money(house.amount("table-min")), "max": money(house.amount("table-max")),
        "seats": len(table.session.seats), "free": len(table.session.seats) - len(sitting), "sitting": sitting,
        "phase": scene.phase(table), "paused": table.paused, "round": table.rounds, "pace": dict(table.pace),
        "meters": scene.meters(table, opened.house.meters), "place": _place(house),
    }  # fmt: skip


def _place(house: House) -> str:
    """Under whose rules a table is dealt."""
    return "" if house.under is None else house.under.place


def _chips(live: LiveTable, seat: int) -> str:
    session = live.table.session
    return lies.dollars(session.purse(seat)) if session.purses.own(seat)[0] == seat else ""


def tables(opened: Opened) -> list[dict[str, Any]]:
    return [of_table(opened, live) for live in opened.house.tables.values() if not live.table.closed]


# ---- the sign


def meters(opened: Opened, group: str = "") -> list[dict[str, Any]]:
    """Every meter of the floor once, whichever tables feed it."""
    out: dict[tuple[str, str], dict[str, Any]] = {}
    for live in opened.house.tables.values():
        table = live.table
        if table.closed or group not in ("", table.group):
            continue
        for found in scene.meters(table, opened.house.meters):
            shown = {**found, "name": f"{table.group}:{found['name']}", "about": table.house.game.title}
            out.setdefault((table.group, found["name"]), shown | {"group": table.group, "game": table.house.game.name})
    alike = Counter((one["called"], one["about"]) for one in out.values())
    for one in out.values():  # the same words for two meters: each says whose it is
        if alike[one["called"], one["about"]] > 1 and one["group"] != one["game"]:
            one["about"] = f"{one['about']} · {one['group']}"
    return list(out.values())


def sign(opened: Opened, group: str) -> dict[str, Any]:
    found = [one for one in tables(opened) if group in ("", one["group"])]
    for one in found:
        house = opened.house.tables[one["id"]].table.house
        one["pays"] = [
            {
                "called": wager_called(house, name),
                "rows": [(row, show_pay(p)) for row, p in house.tables[name].pays.items()],
            }
            for name in house.parties
            if any(house.meters(name))
        ]
    return {"group": group, "meters": meters(opened, group), "tables": found}


# ---- the floor


def floor(opened: Opened, person: Person, address: str) -> dict[str, Any]:
    """Everything that a supervisor looks at, who calls the house by this address."""
    done, why = opened.told.pop(person.id, ("", ""))
    people = [p for p in opened.vault.people() if not p.revoked]
    return {
        "you": you(opened, person),
        "tables": [_run_by(opened, live) for live in opened.house.tables.values() if not live.table.closed],
        "closed": [_run_by(opened, live) for live in opened.house.tables.values() if live.table.closed],
        "total": against(*(_taken(opened, live) for live in opened.house.tables.values())),
        "games": [_game(name, game) for name, game in opened.games.names().items()],
        "people": [
            {"id": p.id, "name": p.name, "role": p.role, "purse": in_dollars(opened.house.purses.get(p.id, 0))}
            for p in people
        ],
        "places": opened.games.places(),
        "invitations": [
            {"name": name, "role": role, "link": f"{address}/invite/{token}"}
            for token, (name, role) in opened.links.items()
        ],
        "id": secrets.token_hex(10),  # what is asked for comes behind it: the two are no longer than an id may be
        "asleep": dict(opened.house.asleep),
        "told": done,
        "refused": why,
    }


def _run_by(opened: Opened, live: LiveTable) -> dict[str, Any]:
    table = live.table
    found = of_table(opened, live)
    sits = {one["seat"]: one for one in found["sitting"]}
    free = {"name": "", "bot": False, "empty": True, "chips": ""}
    seats = [sits.get(seat, {"seat": seat, **free}) for seat in table.session.seats]
    return found | {"seats": seats, "win": against(_taken(opened, live))}


def _taken(opened: Opened, live: LiveTable) -> tuple[Takings, Figures | None]:
    """What a table has taken, and what its bets are worth, if that is counted."""
    takings = live.table.takings
    return takings, opened.theory.figures(live.table.house) if takings.rounds else None


def _game(name: str, game: Any) -> dict[str, Any]:
    options = [
        {"option": o, "default": show_value(option.start()), "about": option.help, "allowed": ""}
        for o, option in game.all_options.items()
    ]
    house = game.at()
    paytables = [
        {"wager": w.name, "called": wager_called(house, w.name), "names": [table.name for table in w.tables]}
        for w in house.wagers
        if len(w.tables) > 1 and not w.table_of
    ]
    return {"name": name, "title": game.title, "seats": game.seats, "options": options, "paytables": paytables}


# ---- past rounds


def history(
    opened: Opened, live: LiveTable, person: Person, before: int | None, figures: Figures | None
) -> dict[str, Any]:
    """The last rounds of a table, page by page; of a player his own, with what was to be expected of them all."""
    played = opened.histories.played(opened.vault, live.id, person) if person.role == PLAYER else None
    first = 0 if played is None else played.first
    page = [] if played is not None and not played.rounds else _page(opened, live, person, before, first)
    more = f"/t/{live.id}/history?before={page[-1].seq}" if len(page) == A_PAGE and page[-1].seq > first else ""
    return {
        "you": you(opened, person), "table": of_table(opened, live), "more": more,
        "rounds": [_round(event, person, live.table.house) for event in page],
        "sum": None if played is None else _sum(played, figures),
    }  # fmt: skip


def _page(opened: Opened, live: LiveTable, person: Person, before: int | None, first: int) -> list[Stored]:
    """A page of rounds, the last one first; none is looked for before the `first` that there is."""
    out: list[Stored] = []
    if before is None or before > first:
        for event in past.rounds_of(opened.vault, live.id, person, before):
            out.append(event)
            if len(out) == A_PAGE or event.seq <= first:
                break
    return out


def when(event: Stored) -> str:
    """The time of an event, with its zone."""
    return f"{event.at.replace('T', ' ')[:19]} UTC"


def _round(event: Stored, person: Person, house: House) -> dict[str, Any]:
    body, mine = event.body, past.seats_of(event, person)
    nets = [body["nets"][seat] for seat in mine]
    made = [f"seat {seat}: {choice}" if len(body["nets"]) > 1 else choice for seat, choice in body["choices"]]
    own = [choice for seat, choice in body["choices"] if str(seat) in mine]
    bets = past.bets_of(event, mine or [str(n) for n, s in enumerate(body["seats"], 1) if s])
    order = [wager.name for wager in house.wagers]
    laid = ", ".join(
        f"{wager_called(house, wager)} ${money(Fraction(bets[wager], 100))}" for wager in sorted(bets, key=order.index)
    )
    return {
        "round": body["round"], "when": when(event), "net": in_dollars(sum(nets)) if nets else None,
        "told": f"{laid}; {', '.join(own if person.role == 'player' else made) or 'nothing to choose'}",
    }  # fmt: skip


def _sum(played: Played, figures: Figures | None) -> dict[str, Any] | None:
    """All that a player has played at a table: what it brought, and what was to be expected."""
    if not played.rounds:
        return None
    bet = sum(cents for cents, _ in played.bets.values())
    out = {"rounds": played.rounds, "bet": in_dollars(bet), "net": in_dollars(played.net)}
    if not figures:
        return out
    mean, spread = expected(played.bets, figures)
    return out | {
        "expected": f"{mean / 100:.2f}", "band": [f"{(mean - spread) / 100:.2f}", f"{(mean + spread) / 100:.2f}"]
    }  # fmt: skip


def replay(opened: Opened, live: LiveTable, number: int, own: tuple[int, ...] | None, person: Person | None,
           step: int | None) -> dict[str, Any]:  # fmt: skip
    """A past round after so many of its events, as the player at these seats saw it; `own` None: as all of them did."""
    round_, event = past.recall(opened.vault, opened.games.of, live.table, number)
    body, table = event.body, live.table
    all_ = own is None
    own = tuple(round_.playing) if own is None else own
    names = _names(opened, body["players"])
    steps = len(round_.events)
    at = min(step or 0, steps)
    house, pots = round_.house, [name for name in round_.house.parties if name in table.session.shared]
    view = step_of(round_, own, at, pots)
    why = {} if at < steps else reasons(round_, own, names=names, you=() if all_ else own)
    meters = {(table.group, pay.meter): int(house.amount(pay.meter) * 100)
              for wager in house.parties for _, pay in house.meters(wager)}  # fmt: skip
    seats = []
    for seat in table.session.seats:
        found = view.seats.get(seat, SeatView(seat, False))
        seats.append(
            lies.of_seat(house, found, why) | {
                "name": names.get(seat, ""), "bot": body["players"].get(str(seat), "").startswith("bot:"),
                "yours": False, "empty": seat not in round_.playing, "turn": False, "ready": False, "chips": "",
                "last": None,
            }
        )  # fmt: skip
    phase = "over" if at == steps else "playing"
    last = told(view.events[max(0, at - 1) :], Ears(house, names, () if all_ else own), why)
    return {
        "table": {
            "id": table.id, "name": table.name, "game": house.game.name, "title": house.game.title, "phase": phase,
            "paused": False, "round": number, "min": money(house.amount("table-min")),
            "max": money(house.amount("table-max")), "clock": None, "pace": dict(table.pace),
            "shoe": {
                "number": body["shoe"], "dealt": body["from"] + body["used"], "cut": table.session.shoe.cut,
                "every_round": table.session.shoe.every_round, "commitment": "",
            },
            "meters": scene.meters(table, meters), "pots": scene.pots(house, view), "head": event.hash,
        },
        "you": (you(opened, person) or {"name": "", "role": "player", "purse": "", "chips": "0"}) | {"seats": []},
        "wagers": scene.wagers(house), "seats": seats, "choose": None, "say": last,
        "dealer": {"cards": list(view.dealer.cards), "count": dict(view.dealer.count)},
        "places": scene.places(house, view),
        "replay": {"round": number, "step": at, "steps": steps, "when": when(event), "share": ""},
    }  # fmt: skip


def _names(opened: Opened, players: Mapping[str, str]) -> dict[int, str]:
    """Who played at which seat; of somebody who had several, each with its number."""
    people = {person.id: person.name for person in opened.vault.people()}
    several = {player for player, many in Counter(players.values()).items() if many > 1}
    out = {}
    for seat, player in players.items():
        name = f"Computer {seat}" if player.startswith("bot:") else people.get(player, f"Seat {seat}")
        out[int(seat)] = f"{name} (seat {seat})" if player in several else name
    return out
