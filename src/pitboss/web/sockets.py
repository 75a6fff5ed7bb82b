"""A table over a socket: commands come in, answers and scenes go out."""

import asyncio
import contextlib
import json
from collections.abc import Mapping
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from pitboss.pit import SUPERVISOR, Command
from pitboss.rules.called import refused
from pitboss.rules.errors import BadInput
from pitboss.vault import LONGEST_NAME, Unavailable
from pitboss.web.opened import Opened, Stranger, sentence_of
from pitboss.web.strict import id_of, read_message
from pitboss.web.table import LiveTable
from pitboss.web.viewer import COME_IN, Viewer

NO_TABLE, TOO_MUCH = 4003, 1008
MOST_NONSENSE = 20  # messages that cannot be read, before the line is cut


async def table_socket(socket: WebSocket) -> None:
    opened: Opened = socket.app.state.opened
    if not opened.doors.known_host(socket) or not opened.doors.same_origin(socket):
        return await socket.close(TOO_MUCH)
    if not opened.doors.requests.allows(opened.doors.address(socket)):
        return await socket.close(TOO_MUCH)
    await socket.accept()
    try:
        session = opened.session(socket)
        live = opened.house.at(socket.path_params["id"])
    except Stranger:
        return await socket.close(COME_IN, "Come in first: ask for an invitation.")
    except BadInput as error:
        return await socket.close(NO_TABLE, _short(error))
    person = session.person
    if opened.house.looking(person.id) >= opened.doors.rates.sockets:
        return await socket.close(NO_TABLE, "You look at too many tables at once.")
    page = socket.query_params.get("as") != "scene"
    viewer = Viewer(
        person, socket.send_text, lambda viewer: live.text_for(viewer, page, worth_of(opened, live, viewer)),
        opened.house.studio.easel(live.id), live.decides, session.token,
    )  # fmt: skip
    live.join(viewer)
    work = (viewer.run(), _listen(socket, opened, live, viewer), viewer.cut.wait())
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        live.leave(viewer)
        for task in tasks:
            task.cancel()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        for odd in found:
            if isinstance(odd, Exception) and not isinstance(odd, WebSocketDisconnect | RuntimeError | OSError):
                opened.house.wrong(odd)
        with contextlib.suppress(Exception):
            async with asyncio.timeout(1.0):
                await socket.close(viewer.closing or 1000, viewer.why)


async def _listen(socket: WebSocket, opened: Opened, live: LiveTable, viewer: Viewer) -> None:
    """One command after the other, in the order in which they were sent."""
    nonsense = 0
    while True:
        message = await socket.receive()
        if viewer.closing or message["type"] == "websocket.disconnect":
            return  # who was turned away, or has signed out, plays no more, however much still waits for him
        ack: dict[str, Any] = {}
        try:
            fast = not opened.doors.commands.allows(viewer.person.id)
            told = message.get("text")
            if not isinstance(told, str):
                nonsense += 1
                raise BadInput("a message is text")
            try:
                asked = read_message(told)
                ack = {"ack": id_of(asked)}
            except BadInput:
                nonsense += 1
                raise
            if fast:
                raise BadInput("that was too fast; wait a moment")
            await _asked(live, viewer, asked)
            viewer.note(json.dumps(ack | {"ok": True}))
        except BadInput as error:
            viewer.note(json.dumps(ack | {"refused": _why(live, error)}))
        if nonsense >= MOST_NONSENSE:
            return viewer.close(TOO_MUCH, "too much that cannot be read")


async def _asked(live: LiveTable, viewer: Viewer, asked: Mapping[str, Any]) -> None:
    person, do = viewer.person, asked.get("do")
    if not isinstance(do, str):
        raise BadInput('do: what you want of the table, such as "bet"')
    if do == "ready":
        return live.set_ready(person.id, asked.get("on") is not False)
    if do == "coach":
        viewer.coach = asked.get("on") is not False
        return viewer.show()
    body = {name: value for name, value in asked.items() if name not in ("id", "do")}
    if do == "sit":
        body = {"seat": body.get("seat"), "name": person.name[:LONGEST_NAME]}
        if person.role == SUPERVISOR:
            raise BadInput("a supervisor does not play; come in as a player too, by an invitation of your own")
    await live.ask(Command(f"{person.id}:{asked['id']}", do, person.id, person.role, body))


# ---- scenes


def worth_of(opened: Opened, live: LiveTable, viewer: Viewer) -> Mapping[str, str] | None:
    """What the coach says, to who has asked for one and is to decide."""
    turn, round_ = live.table.session.turn, live.table.session.round
    if not viewer.coach or turn is None or round_ is None or turn.seat not in live.table.seats_of(viewer.person.id):
        return None
    return opened.theory.worth(live.table.house, round_, turn, viewer.show)


def _why(live: LiveTable, error: BadInput) -> str:
    return sentence_of(error) if isinstance(error, Unavailable) else refused(live.table.house, error)


def _short(error: BadInput) -> str:
    return str(error)[:100]
