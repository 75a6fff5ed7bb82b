"""A socket as uvicorn holds it, and what uvicorn leaves open: nobody costs more memory than he is allowed, whether he
has come in or not, and whoever does not go is cut.

uvicorn answers every ping, whether the answers are read or not; it waits for ever until what it wrote last is read; and
it stops reading for each single message, which costs more than a short queue.
"""

from typing import TYPE_CHECKING, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from pitboss.web.crowd import Config, Ending, refusal

if TYPE_CHECKING:
    from websockets.frames import Frame

MOST_UNSENT = 256 * 1024  # bytes that wait in this process for somebody who pings and does not read
MOST_UNHEARD = 8  # messages that wait to be judged, before no more are read
MOST_AT_ONCE = 1000  # messages that come in one piece: nobody who waits for answers sends so many
MOST_PARTS = 256  # frames of one message: empty ones have no length that could be too much
UNREAD = refusal(
    b"431 Request Header Fields Too Large",
    b"This handshake cannot be read: it has too many headers, or one that is too long.\n",
)


class Line(WebSocketsSansIOProtocol):
    def __init__(self, *args: object, **more: object) -> None:
        super().__init__(*args, **more)  # type: ignore[arg-type]
        self.host = ""  # whose it is counted as
        self._ending = Ending()

    def overdue(self, now: float) -> bool:
        return self._ending.overdue(self.conn.close_sent is not None or self.transport.is_closing(), now)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self.host:
            cast(Config, self.config).crowd.give(self.host)

    def data_received(self, data: bytes) -> None:
        """The whole handshake comes first. One that cannot be read uvicorn does not answer: it waits for another."""
        super().data_received(data)
        if not self.handshake_initiated and not self.transport.is_closing():
            self.transport.write(UNREAD)
            self.transport.close()

    def handle_ping(self) -> None:
        super().handle_ping()
        if self.transport.get_write_buffer_size() > MOST_UNSENT:
            self.transport.abort()

    def handle_cont(self, event: "Frame") -> None:
        if len(self.frames) >= MOST_PARTS:
            self.transport.abort()
        else:
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        if self.queue.qsize() >= MOST_AT_ONCE:
            self.transport.abort()
            return
        paused, self.read_paused = self.read_paused, True  # so that it is not paused for this one message
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and self.queue.qsize() >= MOST_UNHEARD:
            self.read_paused = True
            self.transport.pause_reading()
