"""What a supervisor does from the floor's page: each form is one command, and the pit says whether it may be."""

import asyncio
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping

from pitboss.pit import PLAYER, Command
from pitboss.rules.errors import BadInput, choice_of, said
from pitboss.rules.numbers import dollars
from pitboss.vault import HOUSE, LONGEST_NAME, ROLES, Person
from pitboss.web.doors import check_name
from pitboss.web.opened import Opened
from pitboss.web.strict import id_of, number_in

Form = Mapping[str, str]
MOST_TABLES = 1000
MOST_CENTS = 10**10


async def supervise(opened: Opened, person: Person, form: Form) -> str:
    """Do what a form asks for; what was done, in a sentence."""
    do = form.get("do", "")
    if do not in DONE:
        raise BadInput(f"the floor cannot be asked for that: {choice_of(said(do), sorted(DONE))}")
    if "id" in form:
        id_of(form)
    return await DONE[do](opened, person, form)


def _command(person: Person, do: str, form: Form, **body: object) -> Command:
    return Command(_id(person, form), do, person.id, person.role, body)


def _id(person: Person, form: Form) -> str:
    """A form that has no id is another every time that it is sent."""
    return f"{person.id}:{form['id'] if 'id' in form else secrets.token_hex(12)}"


def _whole(form: Form, name: str) -> int:
    found = number_in(form.get(name, ""))
    if found is None:
        raise BadInput(f"{name}: a whole number, not {said(form.get(name, ''))}")
    return found


def _cents(form: Form, name: str = "dollars") -> int:
    """Dollars of a form, also below zero, in cents."""
    text = form.get(name, "").strip().replace("\u2212", "-").replace("$", "")
    minus = text.startswith("-")
    found = dollars("the amount", text[1:] if text.startswith(("+", "-")) else text) * 100
    if found.denominator != 1 or found > MOST_CENTS:
        raise BadInput(f"the amount is dollars and cents, up to ${MOST_CENTS // 100:,}")
    return -int(found) if minus else int(found)


async def _open(opened: Opened, person: Person, form: Form) -> str:
    options = {n[7:]: v.strip() for n, v in form.items() if n.startswith("option:") and v.strip()}
    tables = {n[9:]: v.strip() for n, v in form.items() if n.startswith("paytable:") and v.strip()}
    if sum(not live.table.closed for live in opened.house.tables.values()) >= MOST_TABLES:
        raise BadInput(f"a house has {MOST_TABLES:,} tables at most; close one first")
    house = await asyncio.to_thread(opened.games.house, form.get("game", ""), options, tables, form.get("place", ""))
    name = _line(form, "name", 40) or house.game.title
    command = _command(person, "open", form)
    seats = _whole(form, "seats") if form.get("seats") else None
    group = _line(form, "group", 40)
    live = await opened.house.open_table(command, house, name, seats=seats, group=group)
    return f"{live.table.name} is open."


def _line(form: Form, name: str, most: int) -> str:
    found = re.sub(r"\s+", " ", form.get(name, "")).strip()
    if len(found) > most or not found.isprintable():
        raise BadInput(f"{name}: a line of text of at most {most} characters")
    return found


async def _invite(opened: Opened, person: Person, form: Form) -> str:
    role, name = form.get("role", PLAYER), _line(form, "name", LONGEST_NAME)
    if role not in ROLES:
        raise BadInput(f"nobody comes as that: {choice_of(said(role), ROLES)}")
    await let_in(opened, name, role, person.id, form.get("dollars", "").strip() or "0")
    return f"The link for {name} is below; it works once."


async def let_in(opened: Opened, name: str, role: str, by: str, chips: str = "0") -> str:
    """Somebody new, with a link that works once; guests find the usual chips."""
    check_name(name)
    cents = 100_000 if chips == "guest" else _cents({"dollars": chips})
    promised = max(cents, 0) if role == PLAYER else 0
    person = await asyncio.to_thread(lambda: opened.vault.add_person(name, role, by=by))
    token = await asyncio.to_thread(lambda: opened.vault.invite(person.id, by=by, cents=promised))
    opened.links[token] = (name, role)
    return token


async def _adjust(opened: Opened, person: Person, form: Form) -> str:
    player, cents = opened.vault.person(form.get("player", "")), _cents(form)
    reason = _line(form, "reason", 200)
    if not cents:
        raise BadInput("a purse is adjusted by an amount: 50, or -50 to take it back")
    if not reason:
        raise BadInput("a purse is adjusted for a reason; write it down")
    command = _command(person, "adjust", form)
    await opened.house.adjust(command, player.id, cents, reason)
    _check_same(opened, command, {"player": player.id, "cents": cents, "reason": reason})
    return f"The purse of {player.name} is adjusted."


def _check_same(opened: Opened, command: Command, asked: Mapping[str, object]) -> None:
    """A form that was sent, was not answered and was changed has its first id: what it said then is what was done."""
    done = opened.vault.answered(HOUSE, command.id)
    event = None if done is None else next(opened.vault.events(after=done.seq - 1, most=1))
    if event is not None and any(event.body[name] != said for name, said in asked.items()):
        raise BadInput(
            "this form was sent before, said something else then, and that was done; look, and send it again"
        )


async def _table(opened: Opened, person: Person, form: Form) -> str:
    """What a table itself is asked for."""
    do, live = form["do"], opened.house.at(form.get("table", ""))
    body: dict[str, object] = {}
    if do in ("stand", "bot"):
        body["seat"] = _whole(form, "seat")
    elif do == "pause":
        body["paused"] = bool(form.get("paused"))
    elif do == "limits":
        body = {name: form[name].replace(",", "") for name in ("table-min", "table-max") if form.get(name)}
    elif do == "pace":
        body = {name: _whole(form, name) for name in ("bet", "act")}
    elif do == "void":
        body["reason"] = form.get("reason", "")
    if do == "bot":
        await opened.house.seat_a_robot(person, live.id, _whole(form, "seat"), f"{person.id}:{secrets.token_hex(12)}")
    else:
        await live.ask(_command(person, do, form, **body))
    done = {
        "stand": "the seat is free, or will be when the round is over", "bot": "a computer player has the seat",
        "pause": "paused" if body.get("paused") else "it goes on", "limits": "the limits are set",
        "pace": "the pace is set", "void": "the round is void", "close": "closed",
    }[do]  # fmt: skip
    return f"{live.table.name}: {done}."


async def _revoke(opened: Opened, person: Person, form: Form) -> str:
    """Turn somebody away: his links and cookies let nobody in any more, and his sockets are closed."""
    gone = opened.vault.person(form.get("player", ""))
    if gone.id == person.id:
        raise BadInput("you cannot turn yourself away")
    await asyncio.to_thread(lambda: opened.vault.revoke(gone.id, by=person.id))
    opened.send_out("You were turned away.", lambda viewer: viewer.person.id == gone.id)
    return f"{gone.name} is turned away."


DONE: Mapping[str, Callable[[Opened, Person, Form], Awaitable[str]]] = {
    "open": _open, "invite": _invite, "adjust": _adjust, "revoke": _revoke,
    **dict.fromkeys(("stand", "bot", "pause", "limits", "pace", "void", "close"), _table),
}  # fmt: skip
