"""The pages and sockets of the live house: who asks, what he may see of it, and how it is sent."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from pitboss.pit import AUDITOR, PLAYER, SUPERVISOR, Command
from pitboss.rules.errors import BadInput
from pitboss.sheets import sheet_of
from pitboss.vault import LONGEST_NAME, Person, Stored, Unavailable, now
from pitboss.vault.people import hashed
from pitboss.web import books, past, shown
from pitboss.web.checked import checked_log
from pitboss.web.doors import A_MONTH, HEADERS, PLAYS, RUNS, check_name
from pitboss.web.face import STATIC, layout_of, render
from pitboss.web.opened import NotYours, Opened, Shared, Stranger, sentence_of
from pitboss.web.played import Busy
from pitboss.web.signs import meter_events
from pitboss.web.sockets import table_socket
from pitboss.web.strict import LONGEST, number_in, read_form
from pitboss.web.supervise import let_in, supervise
from pitboss.web.table import LiveTable
from pitboss.web.viewer import Easel, Viewer

LOOK = "pitboss-look"  # the cookie of somebody who was shown one past round
Page = Callable[[Request, Opened], Awaitable[Response]]


def page(handler: Page) -> Callable[[Request], Awaitable[Response]]:
    """What is the same for all: how often, from where, and one sentence where something is wrong."""

    async def answer(request: Request) -> Response:
        opened: Opened = request.app.state.opened
        doors = opened.doors
        if not doors.known_host(request):
            return _error(421, "This house is called by another name.")
        if not doors.requests.allows(doors.address(request)):
            return _error(429, "That was too fast; wait a moment.")
        if request.method == "POST" and not doors.same_origin(request):
            return _error(403, "This came from another page; go back to the house and try again.")
        try:
            return await handler(request, opened)
        except Stranger:
            return RedirectResponse("/login", 303)
        except NotYours as error:
            return _error(403, str(error), "/login?as=supervisor")
        except Busy as error:
            return _error(error.status, str(error))
        except Unavailable as error:
            return _error(503, sentence_of(error))
        except BadInput as error:
            return _error(404 if request.method == "GET" else 400, sentence_of(error))

    return answer


def _error(status: int, sentence: str, door: str = "") -> Response:
    return HTMLResponse(render("error", {"status": status, "sentence": sentence, "door": door}), status)


async def _form(request: Request) -> dict[str, str]:
    """The fields of a form, of which no more is read than it may have."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST:
            raise BadInput(f"a form has {LONGEST:,} bytes at most")
    return read_form(body)


def _asked(request: Request, name: str) -> int | None:
    return number_in(request.query_params.get(name, ""))


def _named(request: Request, name: str) -> int:
    """The number that an address names."""
    found = number_in(request.path_params[name])
    if found is None:
        raise HTTPException(404)
    return found


# ---- coming in


async def login(request: Request, opened: Opened) -> Response:
    doors = opened.doors
    if request.method == "GET":
        if doors.open_to_guests and request.query_params.get("as") != "supervisor":
            return HTMLResponse(render("invite", {"action": "/join", "name": "", "role": PLAYER}))
        return HTMLResponse(render("login", {"action": "/login"}))
    if not doors.knocks.allows(doors.address(request)):
        return _error(429, "Too many tries; wait a minute.")
    person = await doors.by_password((await _form(request)).get("password", ""))
    if person is None:
        return HTMLResponse(render("login", {"action": "/login", "refused": "That is not the password."}), 403)
    answer = RedirectResponse("/supervisor", 303)
    session = await asyncio.to_thread(lambda: opened.vault.begin_session(person.id, until=now(A_MONTH)))
    doors.enter(answer, person, session)
    return answer


async def invited(request: Request, opened: Opened) -> Response:
    """The link of an invitation: looking at it uses nothing up, coming in does."""
    token = request.path_params["token"]
    person, _ = await asyncio.to_thread(opened.vault.invited, token)
    shown = {"action": f"/invite/{token}", "name": person.name, "role": person.role}
    if request.method == "GET":
        return HTMLResponse(render("invite", shown))
    if not opened.doors.knocks.allows(opened.doors.address(request)):
        return _error(429, "Too many tries; wait a minute.")
    name = (await _form(request)).get("name", "").strip()
    try:
        check_name(name)
        return await _welcome(opened, token, name)
    except BadInput as error:
        given = {"name": name[:LONGEST_NAME], "refused": sentence_of(error)}
        return HTMLResponse(render("invite", shown | given), 400)


async def join(request: Request, opened: Opened) -> Response:
    """A guest on the own machine, by name alone."""
    if not opened.doors.open_to_guests:
        raise BadInput("come in by an invitation; a supervisor makes the link")
    if not opened.doors.knocks.allows(opened.doors.address(request)):
        return _error(429, "Too many tries; wait a minute.")
    form = await _form(request)
    try:
        token = await let_in(opened, form.get("name", "").strip(), PLAYER, "", "guest")
    except BadInput as error:
        given = {"name": form.get("name", "")[:LONGEST_NAME], "refused": sentence_of(error)}
        return HTMLResponse(render("invite", {"action": "/join", "role": PLAYER, **given}), 400)
    return await _welcome(opened, token)


async def _welcome(opened: Opened, token: str, name: str = "") -> Response:
    """What was promised lies in his purse, and he is in. The chips come first, under an id that the invitation gives:
    if anything fails the invitation still stands, and whoever tries again finds them there once."""
    async with opened.welcome:
        person, cents = await asyncio.to_thread(opened.vault.invited, token)
        if cents:
            command = Command(f"welcome-{hashed(token)[:32]}", "adjust", "house", SUPERVISOR)
            await opened.house.adjust(command, person.id, cents, "play chips to begin with")
        person, session = await asyncio.to_thread(lambda: opened.vault.enter(token, name=name, until=now(A_MONTH)))
    opened.links.pop(token, None)
    answer = RedirectResponse({PLAYER: "/", SUPERVISOR: "/supervisor"}.get(person.role, "/audit"), 303)
    opened.doors.enter(answer, person, session)
    return answer


async def leave(request: Request, opened: Opened) -> Response:
    answer = RedirectResponse("/login", 303)
    for name in (PLAYS, RUNS):
        if token := request.cookies.get(name):
            await asyncio.to_thread(opened.vault.end_session, token)
            opened.send_out("You have signed out.", lambda viewer, token=token: viewer.session == token)  # type: ignore[misc]
            answer.delete_cookie(name, path="/", httponly=True, samesite="strict")
    return answer


# ---- tables


async def lobby(request: Request, opened: Opened) -> Response:
    person = opened.player(request)
    return HTMLResponse(render("lobby", {"you": shown.you(opened, person), "tables": shown.tables(opened)}))


def _table(request: Request, opened: Opened) -> LiveTable:
    return opened.house.at(request.path_params["id"])


async def table(request: Request, opened: Opened) -> Response:
    person, live = opened.player(request), _table(request, opened)
    found = None
    for _ in range(200):  # while it is being written there is nothing to see
        viewer = Viewer(person, _nowhere, live.text_for, Easel(), live.decides)
        viewer.told, viewer.heard = (live.table.rounds, 0), live.told  # the words of the last round are read again
        if (found := live.scene_for(viewer)) is not None:
            break
        await asyncio.sleep(0.02)
    if found is None:
        raise BadInput("the house is busy writing; try again in a moment")
    return HTMLResponse(render("table", {**found, "who": person.id}, layout_of(live.table.house)))


async def _nowhere(text: str) -> None: ...


async def rules(request: Request, opened: Opened) -> Response:
    person, live = opened.player(request), _table(request, opened)
    data = {
        "you": shown.you(opened, person),
        "table": shown.of_table(opened, live),
        "sheet": sheet_of(live.table.house),
    }
    return HTMLResponse(render("rules", data))


async def history(request: Request, opened: Opened) -> Response:
    person, live = opened.player(request), _table(request, opened)
    figures = await opened.theory.figures_soon(live.table.house)
    before = _asked(request, "before")
    data = await opened.histories.read(person, lambda: shown.history(opened, live, person, before, figures))
    return HTMLResponse(render("history", data))


async def round_page(request: Request, opened: Opened) -> Response:
    """A past round: to a player as he saw it, to the house as all did, to who was shown it as it was shown."""
    live, number = _table(request, opened), _named(request, "number")
    if token := request.query_params.get("token"):
        key = opened.lend(token)
        answer: Response = RedirectResponse(request.url.path, 303)
        answer.set_cookie(  # lax: whoever follows the link from a page of another site must have it as he arrives
            LOOK, key, max_age=3600, path=request.url.path, secure=opened.doors.secure, httponly=True, samesite="lax"
        )
        return answer
    lent = opened.lent.get(request.cookies.get(LOOK, ""))
    person = opened.doors.person(request, RUNS) or opened.doors.person(request, PLAYS)
    if person is None and (lent is None or (lent.table, lent.round) != (live.id, number)):
        raise Stranger
    own = _own(opened, live, number, person) if person is not None else lent.own if lent else ()
    data = await asyncio.to_thread(shown.replay, opened, live, number, own, person, _asked(request, "step"))
    if person is not None and own:
        token = opened.share(Shared(live.id, number, own))
        data["replay"]["share"] = f"{opened.called(request)}/t/{live.id}/round/{number}?token={token}"
    part = "replay-live" if request.query_params.get("part") else "replay"
    return HTMLResponse(render(part, data, layout_of(live.table.house)))


def _own(opened: Opened, live: LiveTable, number: int, person: Person) -> tuple[int, ...] | None:
    if person.role != PLAYER:
        return None
    players = past.find_round(opened.vault, live.id, number).body["players"]
    return tuple(int(seat) for seat, player in players.items() if player == person.id)


async def fair(request: Request, opened: Opened) -> Response:
    opened.player(request)
    live, shoe = _table(request, opened), _named(request, "shoe")
    return JSONResponse(await asyncio.to_thread(past.record_of, opened.vault, live.table, shoe))


# ---- the wall, the floor, the log


async def sign(request: Request, opened: Opened) -> Response:
    return HTMLResponse(render("sign", shown.sign(opened, request.path_params.get("group", ""))))


async def supervisor(request: Request, opened: Opened) -> Response:
    person = opened.of_the_house(request, SUPERVISOR)
    if request.method == "POST":
        form = await _form(request)
        try:
            opened.told[person.id] = (await supervise(opened, person, form), "")
        except BadInput as error:
            opened.told[person.id] = ("", sentence_of(error))
        return RedirectResponse("/supervisor", 303)
    return HTMLResponse(render("supervisor", shown.floor(opened, person, opened.called(request))))


async def recall(request: Request, opened: Opened) -> Response:
    opened.of_the_house(request, SUPERVISOR, AUDITOR)
    live = opened.house.at(request.query_params.get("table", ""))
    return RedirectResponse(f"/t/{live.id}/round/{_asked(request, 'round') or 0}", 303)


async def audit(request: Request, opened: Opened) -> Response:
    person = opened.of_the_house(request, SUPERVISOR, AUDITOR)
    asked = {name: request.query_params.get(name, "").replace("\0", "")[:60] for name in ("table", "kind", "from")}
    checked = await checked_log(opened)
    return HTMLResponse(render("audit", await asyncio.to_thread(books.log, opened, person, asked, checked)))


async def events(request: Request, opened: Opened) -> Response:
    """The whole log, as it is read."""
    opened.of_the_house(request, SUPERVISOR, AUDITOR)

    async def flow() -> AsyncIterator[str]:
        found = await asyncio.to_thread(_some, opened, 0)
        while found:
            yield "".join(json.dumps(vars(event), sort_keys=True) + "\n" for event in found)
            found = await asyncio.to_thread(_some, opened, found[-1].seq)

    return StreamingResponse(flow(), media_type="application/jsonl")


def _some(opened: Opened, after: int) -> list[Stored]:
    return list(opened.vault.events(after=after, most=500))


async def accounts(request: Request, opened: Opened) -> Response:
    opened.of_the_house(request, SUPERVISOR, AUDITOR)
    return PlainTextResponse(await asyncio.to_thread(books.balances, opened), media_type="text/csv")


# ---- all of it


async def _not_found(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _error(status, "There is no such page here." if status == 404 else "That cannot be asked here.")


async def _wrong(request: Request, error: Exception) -> Response:
    request.app.state.opened.house.wrong(error)
    return _error(500, "The house made a mistake; nothing was changed.")


class Headed:
    """Every answer says what a browser may do with it; and what is asked is not written anywhere."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def headed(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                more = [(n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in given]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        await self.app(scope, receive, headed if scope["type"] == "http" else send)


def app_of(opened: Opened) -> Starlette:
    both = ["GET", "POST"]
    routes = [
        Route("/", page(lobby)),
        Route("/login", page(login), methods=both),
        Route("/leave", page(leave), methods=["POST"]),
        Route("/join", page(join), methods=["POST"]),
        Route("/invite/{token}", page(invited), methods=both),
        Route("/t/{id}", page(table)),
        Route("/t/{id}/rules", page(rules)),
        Route("/t/{id}/history", page(history)),
        Route("/t/{id}/round/{number}", page(round_page)),
        Route("/fair/{id}/{shoe}.json", page(fair)),
        Route("/sign", page(sign)),
        Route("/sign/{group}", page(sign)),
        Route("/events/meters", page(meter_events)),
        Route("/supervisor", page(supervisor), methods=both),
        Route("/supervisor/recall", page(recall)),
        Route("/audit", page(audit)),
        Route("/audit/events.jsonl", page(events)),
        Route("/audit/balances.csv", page(accounts)),
        WebSocketRoute("/ws/t/{id}", table_socket),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: _not_found, Exception: _wrong})
    app.state.opened = opened
    app.add_middleware(Headed)
    return app


def fresh_id() -> str:
    return secrets.token_hex(12)
