"""What the pages show that have no felt: the lobby, the sign, the floor, past rounds and the log, as plain values."""

import json
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from pitboss.live.reasons import reasons
from pitboss.live.view import SeatView, step_of
from pitboss.pit.accounts import purse
from pitboss.rules.called import wager_called
from pitboss.rules.house import House
from pitboss.rules.numbers import written
from pitboss.rules.options import show_value
from pitboss.rules.paytables import money, show_pay
from pitboss.vault import Person, Stored
from pitboss.web import lies, past, scene
from pitboss.web.opened import Opened
from pitboss.web.say import Ears, told
from pitboss.web.scene import in_dollars
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
            out.setdefault((table.group, found["name"]), shown)
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


def floor(opened: Opened, person: Person) -> dict[str, Any]:
    """Everything that a supervisor looks at."""
    done, why = opened.told.pop(person.id, ("", ""))
    people = [p for p in opened.vault.people() if not p.revoked]
    return {
        "you": you(opened, person),
        "tables": [_run_by(opened, live) for live in opened.house.tables.values() if not live.table.closed],
        "games": [_game(name, game) for name, game in opened.games.names().items()],
        "people": [
            {"id": p.id, "name": p.name, "role": p.role, "purse": in_dollars(opened.house.purses.get(p.id, 0))}
            for p in people
        ],
        "places": opened.games.places(),
        "invitations": [
            {"name": name, "role": role, "link": f"{opened.address}/invite/{token}"}
            for token, (name, role) in opened.links.items()
        ],
        "asleep": dict(opened.house.asleep),
        "told": done,
        "refused": why,
    }


def _run_by(opened: Opened, live: LiveTable) -> dict[str, Any]:
    table = live.table
    found = of_table(opened, live)
    sits = {one["seat"]: one for one in found["sitting"]}
    free = {"name": "", "bot": False, "empty": True, "chips": ""}
    win = against(table.takings, opened.theory.figures(table.house) if table.takings.rounds else None)
    seats = [sits.get(seat, {"seat": seat, **free}) for seat in table.session.seats]
    return found | {"seats": seats, "win": win}


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
    """The last rounds of a table; of a player his own, with what was to be expected of them."""
    rounds, last = list[dict[str, Any]](), None
    for event in past.latest(opened.vault, live.id, before):
        mine = [seat for seat, player in event.body["players"].items() if player == person.id]
        if person.role == "player" and not mine:
            continue
        last = event.seq
        rounds.append(_round(event, mine, person, live.table.house))
        if len(rounds) == A_PAGE:
            break
    more = f"/t/{live.id}/history?before={last}" if len(rounds) == A_PAGE and last else ""
    return {
        "you": you(opened, person), "table": of_table(opened, live), "rounds": rounds, "more": more,
        "sum": _sum(rounds, figures) if person.role == "player" else None,
    }  # fmt: skip


def _round(event: Stored, mine: list[str], person: Person, house: House) -> dict[str, Any]:
    body = event.body
    nets = [body["nets"][seat] for seat in mine]
    made = [f"seat {seat}: {choice}" if len(body["nets"]) > 1 else choice for seat, choice in body["choices"]]
    own = [choice for seat, choice in body["choices"] if str(seat) in mine]
    bets: dict[str, int] = {}
    for seat in mine or [str(n) for n, s in enumerate(body["seats"], 1) if s]:
        for wager, amount in body["seats"][int(seat) - 1]["bets"].items():
            bets[wager] = bets.get(wager, 0) + int(written(amount) * 100)
    order = [wager.name for wager in house.wagers]
    laid = ", ".join(
        f"{wager_called(house, wager)} ${money(Fraction(bets[wager], 100))}" for wager in sorted(bets, key=order.index)
    )
    return {
        "round": body["round"], "when": event.at.replace("T", " ")[:19], "net": in_dollars(sum(nets)) if nets else None,
        "told": f"{laid}; {', '.join(own if person.role == 'player' else made) or 'nothing to choose'}",
        "bets": bets, "cents": sum(nets),
    }  # fmt: skip


def _sum(rounds: Iterable[dict[str, Any]], figures: Figures | None) -> dict[str, Any] | None:
    """The rounds of this page: what they brought, and what was to be expected."""
    played = [one for one in rounds if one["net"] is not None]
    if not played:
        return None
    bets: dict[str, tuple[int, int]] = {}
    for one in played:
        for wager, cents in one["bets"].items():
            before = bets.get(wager, (0, 0))
            bets[wager] = (before[0] + cents, before[1] + cents * cents)
    net = sum(one["cents"] for one in played)
    out = {
        "rounds": len(played), "bet": in_dollars(sum(cents for cents, _ in bets.values())), "net": in_dollars(net)
    }  # fmt: skip
    if not figures:
        return out
    mean, spread = expected(bets, figures)
    return out | {
        "expected": f"{mean / 100:.2f}", "band": [f"{(mean - spread) / 100:.2f}", f"{(mean + spread) / 100:.2f}"]
    }  # fmt: skip


def replay(opened: Opened, live: LiveTable, number: int, own: tuple[int, ...] | None, person: Person | None,
           step: int | None) -> dict[str, Any]:  # fmt: skip
    """A past round after so many of its events, as the player at these seats saw it; `own` None: as all of them did."""
    round_, event = past.recall(opened.vault, opened.games.of, live.table, number)
    body, table = event.body, live.table
    own = tuple(round_.playing) if own is None else own
    names = {int(seat): _called(opened, table, int(seat), player) for seat, player in body["players"].items()}
    steps = len(round_.events)
    at = steps if step is None else max(0, min(step, steps))
    house, pots = round_.house, [name for name in round_.house.parties if name in table.session.shared]
    view, why = step_of(round_, own, at, pots), reasons(round_, own, names=names) if at == steps else {}
    base = scene.common(table, scene.Moment(None, frozenset(), event.hash, opened.house.meters))
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
    last = told(view.events[max(0, at - 1) :], Ears(house, names, own if len(own) < len(round_.playing) else ()), why)
    return {
        "table": base["table"] | {
            "phase": phase, "round": number, "clock": None, "pots": scene.pots(house, view), "head": event.hash,
        },
        "you": (you(opened, person) or {"name": "", "role": "player", "purse": "", "chips": "0"}) | {"seats": []},
        "wagers": base["wagers"], "seats": seats, "choose": None, "say": last,
        "dealer": {"cards": list(view.dealer.cards), "count": dict(view.dealer.count)},
        "places": scene.places(house, view),
        "replay": {"round": number, "step": at, "steps": steps, "when": event.at.replace("T", " ")[:19], "share": ""},
    }  # fmt: skip


def _called(opened: Opened, table: Any, seat: int, player: str) -> str:
    if player.startswith("bot:"):
        return f"Computer {seat}"
    found = [p.name for p in opened.vault.people() if p.id == player]
    return found[0] if found else f"Seat {seat}"


# ---- the log


def log(opened: Opened, person: Person, asked: dict[str, str], checked: dict[str, Any]) -> dict[str, Any]:
    seq, head = opened.vault.head()
    start = (
        int(asked["from"])
        if asked.get("from", "").isdecimal() and len(asked["from"]) < 16
        else max(1, seq - A_PAGE + 1)
    )
    found = opened.vault.events(table=asked.get("table") or None, after=start - 1, most=2000)
    rows = [event for event in found if asked.get("kind", "") in ("", event.kind)][:A_PAGE]
    return {
        "you": you(opened, person), "asked": asked, "chain": {"head": head, "events": seq, **checked},
        "events": [
            {"seq": e.seq, "when": e.at, "table": e.table, "kind": e.kind, "body": json.dumps(e.body, sort_keys=True),
             "moves": e.moves, "hash": e.hash}
            for e in rows
        ],
        "exports": [
            {"href": "/audit/events.jsonl", "called": "Every event, as JSON lines"},
            {"href": "/audit/balances.csv", "called": "Every account, as CSV"},
        ],
        "earlier": f"/audit?from={max(1, start - A_PAGE)}" if start > 1 else "",
        "later": f"/audit?from={rows[-1].seq + 1}" if rows and rows[-1].seq < seq else "",
    }  # fmt: skip


def balances(opened: Opened) -> str:
    held = opened.vault.balances()
    names = {purse(p.id): p.name.replace('"', "'") for p in opened.vault.people()}
    return "account,cents,name\n" + "".join(f'{name},{cents},"{names.get(name, "")}"\n' for name, cents in held.items())
