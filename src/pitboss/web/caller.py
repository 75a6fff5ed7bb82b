"""A connection as uvicorn holds it until it is a socket, and what uvicorn leaves open: who asks nothing, asks without
an end, or does not read the answer, is cut."""

import asyncio
from typing import cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from pitboss.web.crowd import Config, Ending, refusal, unread
from pitboss.web.line import Line

LOOK = 1.0  # seconds between two looks at the connections
ASKS_WITHIN = 10.0  # seconds for a whole request: from connecting, and from the first byte of each that follows
READS_WITHIN = 30.0  # seconds in which nothing of an answer is read
LEAST = 1024  # bytes that are gone between two looks, where somebody reads
MOST_WAITING = 16  # requests that are asked before the one before them is answered; browsers wait
MOST_ASKED = 64 * 1024  # bytes of a request, with all that it carries
REFUSED = refusal(b"503 Service Unavailable", b"There are too many connections; close some, and try again.\n")


class Caller(HttpToolsProtocol):
    def __init__(self, *args: object, **more: object) -> None:
        super().__init__(*args, **more)  # type: ignore[arg-type]
        self._host, self._bytes, self._ending = "", 0, Ending()
        self._asked: float | None = None  # since when a request is waited for that has begun, or should have
        self._full: float | None = None  # since when he has not read
        self._left = 0  # bytes that waited for him at the last look

    def overdue(self, now: float) -> bool:
        before, self._left = self._left, unread(self.transport)
        if before - self._left >= LEAST:  # he reads, however slowly
            self._full = None if self._full is None else now
            self._ending.since = None
        return (
            self._ending.overdue(self.transport.is_closing(), now)
            or (self._asked is not None and now - self._asked >= ASKS_WITHIN)
            or (self._full is not None and now - self._full >= READS_WITHIN)
        )

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else "?"
        if cast(Config, self.config).crowd.take(host):
            self._host, self._asked = host, self.loop.time()
        else:
            transport.write(REFUSED)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._host:
            cast(Config, self.config).crowd.give(self._host)

    def data_received(self, data: bytes) -> None:
        """Whatever comes begins a request, even an empty line: uvicorn waits no longer for one as soon as it comes."""
        if self._asked is None:
            self._asked, self._bytes = self.loop.time(), 0
        self._bytes += len(data)
        super().data_received(data)
        if self._asked is not None and self._bytes > MOST_ASKED:
            self.transport.abort()

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= MOST_WAITING:
            raise ValueError("too many at once")  # which the reader of requests makes a refusal of
        super().on_message_begin()

    def on_message_complete(self) -> None:
        self._asked = None
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """From here on it is a line's, and counted as that."""
        self._asked = None
        super().handle_websocket_upgrade()
        line = self.transport.get_protocol()
        if isinstance(line, Line):
            line.host, self._host = self._host, ""

    def pause_writing(self) -> None:
        super().pause_writing()
        self._full = self.loop.time()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._full = None


async def cut_overdue(state: ServerState) -> None:
    """As long as the house is open."""
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(LOOK)
        now = loop.time()
        for one in [*state.connections]:
            if isinstance(one, Line | Caller) and one.overdue(now):
                one.transport.abort()
