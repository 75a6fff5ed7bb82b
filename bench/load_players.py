"""The players of bench/load.py: everybody on a socket of his own, with as little work as it takes."""

import asyncio
import json
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple


class Reads(NamedTuple):
    """How a player finds in a scene what he has to do."""

    path: str
    scene: bytes  # how a scene begins
    mine: bytes  # where the table waits for a choice of this seat
    choice: re.Pattern[bytes]
    playing: bytes
    round: re.Pattern[bytes]


PROGRAM = Reads(
    "?as=scene", b'{"scene"', b'"choose":{"seat":%d,', re.compile(rb'"choice":"([^"]+)"'), b'"phase":"playing"',
    re.compile(rb'"round":(\d+)'),
)  # fmt: skip
"""A program is sent the scene itself."""
BROWSER = Reads(
    "", b'{"html"', b'data-do=\\"choose\\" data-seat=\\"%d\\"', re.compile(rb'data-choice=\\"([^"\\]+)\\"'),
    b'data-phase=\\"playing\\"', re.compile(rb'data-round=\\"(\d+)\\"'),
)  # fmt: skip
"""A browser is sent the page, as people have it."""


@dataclass
class Counted:
    """What all players together have seen."""

    waits: list[float] = field(default_factory=list)  # for the answer
    looks: list[float] = field(default_factory=list)  # for the next scene, from when a decision was sent
    refused: int = 0
    scenes: int = 0
    sent: int = 0  # bytes that came
    counting: bool = False
    spent: float = 0.0  # seconds of processor time that the house took meanwhile
    own: float = 0.0  # and the players


class Line(asyncio.Protocol):
    """One websocket of a player, with as little work as it takes: the players share the machine with the house."""

    def __init__(self, host: str, path: str, cookie: str, hear: Callable[[bytes], None]) -> None:
        self.hear, self.open, self.lost, self._left = hear, False, "", b""
        self._hello = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: cGl0Ym9zcyBpcyBvcGVuIQ==\r\n\r\n"
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self._hello.encode())

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = self.lost or f"the line was lost: {error!r}"

    def data_received(self, data: bytes) -> None:
        data = self._left + data if self._left else data
        if not self.open:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._left = head
                return
            self.open = True
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self.lost = f"the house refused the line: {head[:80]!r}"
                return
        at = 0
        while len(data) - at >= 2:
            size, start = data[at + 1], at + 2  # nothing that a server sends is masked
            if size == 126:
                size, start = int.from_bytes(data[start : start + 2], "big"), start + 2
            elif size == 127:
                size, start = int.from_bytes(data[start : start + 8], "big"), start + 8
            if len(data) < start + size:
                break
            self._frame(data[at] & 15, data[start : start + size])
            at = start + size
        self._left = data[at:]

    def _frame(self, kind: int, payload: bytes) -> None:
        if kind == 1:
            self.hear(payload)
        elif kind == 8:
            self.lost = f"the house closed the line: {payload[2:].decode()}"
        elif kind == 9:
            self._send(10, payload)

    def say(self, **message: object) -> None:
        self._send(1, json.dumps(message).encode())

    def _send(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        long = bytes([128 | size]) if size < 126 else bytes([254]) + size.to_bytes(2, "big")
        self.transport.write(bytes([128 | kind]) + long + bytes(4) + payload)  # masked with zeros


class Pace:
    """So many decisions a second in all, by any of the players who are ready: people do not take turns over the tables,
    and would all be dealt to at once if they did. Without a rate, at once."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self._waiting: list[Callable[[], None]] = []
        self._any = Random(1)

    def ask(self, decide: Callable[[], None]) -> None:
        if self.rate:
            self._waiting.append(decide)
        else:
            decide()

    async def run(self) -> None:
        begun, gone = time.perf_counter(), 0
        while self.rate:
            await asyncio.sleep(0.002)
            due = int((time.perf_counter() - begun) * self.rate)
            while gone < due:
                gone += 1  # what nobody is ready for is not made up for
                if self._waiting:
                    one = self._any.randrange(len(self._waiting))
                    self._waiting[one], self._waiting[-1] = self._waiting[-1], self._waiting[one]
                    self._waiting.pop()()


def line_of(player: "Player") -> "Line":
    return player.line


class Player:
    """Bets when bets are open, and makes the first choice when it is his turn."""

    def __init__(
        self, at: tuple[str, int, str, str], host: str, bets: dict[str, str], counted: Counted, pace: Pace, reads: Reads
    ) -> None:
        table, self.seat, cookie, _ = at
        self.line = Line(host, f"/ws/t/{table}{reads.path}", cookie, self.hear)
        self.bets, self.counted, self.pace = bets, counted, pace
        self.reads, self.mine = reads, reads.mine % self.seat
        self.round, self.number, self.busy = b"", 0, False
        self.todo: deque[dict[str, object]] = deque()
        self.counts, self.asked, self.sent, self.made = False, 0.0, 0.0, b""

    def hear(self, text: bytes) -> None:
        counted = self.counted
        counted.sent += len(text)
        if text.startswith(self.reads.scene):
            counted.scenes += counted.counting
            if self.sent:
                if counted.counting:
                    counted.looks.append(time.perf_counter() - self.sent)
                self.sent = 0.0
            if not self.busy:
                self.look(text)
            else:
                self.made = text
        elif text.startswith(b'{"ack": "%d"' % self.number):
            if b'"refused"' in text:
                counted.refused += counted.counting
                self.round = b""
            elif self.counts and counted.counting:
                counted.waits.append(time.perf_counter() - self.asked)
            self.next()

    def next(self) -> None:
        """The next of what is to be said, or a look at what was seen meanwhile."""
        if self.todo:
            command = self.todo.popleft()
            self.counts = command["do"] in ("bet", "choose")
            self.number += 1
            self.asked = time.perf_counter()
            self.sent = self.asked if self.counts else self.sent
            self.line.say(id=f"{self.number}", **command)
            return
        self.busy, seen, self.made = False, self.made, b""
        if seen:
            self.look(seen)

    def begin(self) -> None:
        self.do({"do": "sit", "seat": self.seat}, {"do": "buy", "seat": self.seat, "cents": 90_000})

    def do(self, *commands: dict[str, object]) -> None:
        self.busy = True
        self.todo.extend(commands)
        self.next()

    def look(self, seen: bytes) -> None:
        if self.mine in seen:
            found = self.reads.choice.search(seen, seen.index(self.mine))
            assert found is not None
            self.decide({"do": "choose", "seat": self.seat, "choice": found.group(1).decode()})
        elif self.reads.playing not in seen[:600]:
            round_ = self.reads.round.search(seen)
            assert round_ is not None
            if round_.group(1) != self.round:
                self.round = round_.group(1)
                self.decide({"do": "bet", "seat": self.seat, "bets": self.bets}, {"do": "ready"})

    def decide(self, *commands: dict[str, object]) -> None:
        self.busy = True
        self.pace.ask(lambda: self.do(*commands))
