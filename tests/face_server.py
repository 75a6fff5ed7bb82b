"""A made-up table behind the real page: a session, a socket and a strict content policy, and no house around it.

It answers as the live house does: an answer for every command, and the sections of the page after it. One person plays
seat 3; the others take the first choice.
"""

import json
import threading
import time
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from face_scenes import YOU, others, played, replay, scene
from pitboss.live.standing import Standing
from pitboss.rules.errors import BadInput
from pitboss.web.face import STATIC, layout_of, render

POLICY = (
    "default-src 'self'; style-src 'self'; script-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'"
)


class Strict:
    """Every answer under the content policy of the live house."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def policed(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"content-security-policy", POLICY.encode())]
            await send(message)

        await self.app(scope, receive, policed)


class MadeUp:
    """One table, one player; what he has sent is kept in `heard`."""

    def __init__(self, game: str, seats: int = 3, **options: object) -> None:
        self.session: Standing = played(game, steps=-1, seats=seats, **options)
        for seat in self.session.seats:
            self.session.take_back(seat)
        self.layout = layout_of(self.session.house)
        self.heard: list[dict[str, Any]] = []
        self.say = ["Place your bets, please."]
        self.shoe, self.silent = 1, 0
        self.sockets: list[WebSocket] = []

    def scene(self) -> dict[str, Any]:
        found = scene(self.session, YOU)
        found["table"]["shoe"]["number"] = self.shoe
        for seat in found["seats"]:
            seat["empty"] = seat["seat"] not in (1, YOU)
        return found | {"say": self.say}

    def do(self, told: dict[str, Any]) -> None:
        session = self.session
        match told["do"]:
            case "bet":
                session.place(told["seat"], told["bets"], told["tokes"])
                self.say = ["Your bets are down."]
            case "ready":
                session.deal()
                self.say = ["Bets are closed."]
            case "choose":
                session.choose(told["seat"], told["choice"])
                self.say = [f"You {told['choice']}."]
            case other:
                raise BadInput(f"a made-up table does not know {other}")
        while session.turn is not None and session.turn.seat != YOU:
            session.choose(session.turn.seat, session.turn.choices[0])

    def hear(self, told: dict[str, Any]) -> dict[str, Any]:
        if any(told["id"] == before["id"] for before in self.heard):
            return {"ack": told["id"], "ok": True}
        self.heard.append(told)
        try:
            self.do(told)
        except BadInput as error:
            return {"ack": told["id"], "refused": str(error)}
        return {"ack": told["id"], "ok": True}

    # ---- what is served

    async def socket(self, socket: WebSocket) -> None:
        await socket.accept()
        self.sockets.append(socket)
        try:
            while True:
                answer = self.hear(json.loads(await socket.receive_text()))
                if self.silent:  # the line goes dead before the answer
                    self.silent -= 1
                    await socket.close(1012)
                    return
                await socket.send_text(json.dumps(answer))
                await socket.send_text(json.dumps({"html": render("table-live", self.scene(), self.layout)}))
        except WebSocketDisconnect:
            pass

    async def page(self, request: Request) -> Response:
        return HTMLResponse(render("table", self.scene(), self.layout))

    async def other(self, request: Request) -> Response:
        name = request.path_params["page"]
        if name == "replay":
            data = replay(self.session)
            step = int(request.query_params.get("step", 14))
            data["replay"]["step"] = step
            part = "replay-live" if request.query_params.get("part") else "replay"
            return HTMLResponse(render(part, data, self.layout))
        return HTMLResponse(render(name, others()[name]))

    async def record(self, request: Request) -> Response:
        return JSONResponse({"version": "made up"})

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/t/t1", self.page), Route("/page/{page}", self.other), WebSocketRoute("/ws/t/t1", self.socket),
                Route("/fair/t1/1.json", self.record), Mount("/static", StaticFiles(directory=STATIC)),
            ],
            middleware=[Middleware(Strict)],
        )  # fmt: skip


class Served:
    """The app on a free port, as long as it is wanted."""

    def __init__(self, made: MadeUp) -> None:
        config = uvicorn.Config(made.app(), host="127.0.0.1", port=0, log_level="error", ws="websockets-sansio")
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, daemon=True)

    def __enter__(self) -> str:
        self.thread.start()
        while not self.server.started:
            time.sleep(0.02)
        port = self.server.servers[0].sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{port}"

    def __exit__(self, *exc: object) -> None:
        self.server.should_exit = True
        self.thread.join(5)
