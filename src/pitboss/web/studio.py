"""The painters of a house, and the lines to them.

Nothing depends on one: while it is not there, or when it is lost, the house draws by itself, and a new one is called.
"""

import asyncio
import contextlib
import marshal
import multiprocessing
import os
import signal
import socket
from collections.abc import Callable, Sequence
from multiprocessing.process import BaseProcess
from typing import cast

from pitboss.vault import Entry
from pitboss.web.canvas import Drawn, Look
from pitboss.web.painter import SIZE, packed, paint, share_of
from pitboss.web.viewer import Easel

AT_ONCE = 16  # scenes that a painter is asked for before the first of them is there
MOST_PAINTERS = 8
LONGEST, TAKES_UP = 20.0, 120.0  # seconds for one scene, and for the tables to be taken up from the log
AGAIN, SELDOM = 1.0, 60.0  # seconds until a painter that was lost is replaced; twice as long every time
Wrong = Callable[[BaseException], object]


def usual_painters() -> int:
    """One for every core but that of the judge."""
    return min((os.cpu_count() or 1) - 1, MOST_PAINTERS)


class Lost(RuntimeError):
    """What a painter could not do: the house does it by itself, and the operator should know."""


class Line(asyncio.Protocol):
    """The line to one painter, and the process at its other end."""

    def __init__(self, number: int, many: int, db: str, files: Sequence[str]) -> None:
        self.number, self.many, self.db, self.files = number, many, db, tuple(files)
        self.wrong: Wrong = lambda error: None
        self.easel = Easel()
        self.ready = False
        self._lost: set[str] = set()  # tables that it cannot draw
        self._process: BaseProcess | None = None
        self._line: asyncio.Transport | None = None
        self._have = b""
        self._asked: dict[int, tuple[float, asyncio.Future[Drawn | None]]] = {}
        self._next, self._since, self._wait = 0, 0.0, AGAIN
        self._closed = self._told = False

    async def begin(self) -> None:
        """Whatever is written from now on is on the line when the painter has taken up its tables."""
        ours, its = socket.socketpair()
        loop = asyncio.get_running_loop()
        self._since = loop.time()
        await loop.create_connection(lambda: self, sock=ours)
        process = multiprocessing.get_context("spawn").Process(
            target=paint, args=(its, self.db, self.files, self.number, self.many), name=f"painter {self.number + 1}",
            daemon=True,
        )  # fmt: skip
        with its:
            try:
                await asyncio.to_thread(_start, process)
            except Exception as error:  # the system has no process left to give
                return self._failed(f"{type(error).__name__}: {error}")
        self._process = process

    def draws(self, table: str) -> bool:
        return self.ready and table not in self._lost

    def written(self, table: str, first: int, entries: Sequence[Entry]) -> None:
        if self._line is not None:
            told = [(entry.kind, entry.said, dict(entry.secrets)) for entry in entries]
            self._line.write(packed("written", table, first, told))

    async def draw(self, table: str, look: Look) -> Drawn | None:
        assert self._line is not None
        loop = asyncio.get_running_loop()
        self._next += 1
        number, found = self._next, loop.create_future()
        self._asked[number] = loop.time(), found
        self._line.write(packed("draw", number, table, tuple(look)))
        try:
            drawn: Drawn | None = await found
            return drawn
        finally:
            self._asked.pop(number, None)

    def look_after(self) -> None:
        """One that does not answer is let go."""
        now = asyncio.get_running_loop().time()
        late = any(now - at > LONGEST for at, _ in self._asked.values())
        if self._line is not None and (late or (not self.ready and now - self._since > TAKES_UP)):
            self._line.abort()

    def close(self) -> None:
        self._closed = True
        if self._line is not None:
            self._line.abort()

    def anew(self) -> None:
        """What it knows may not be so any more."""
        if self._line is not None:
            self._wait = 0.0
            self._line.abort()

    # ---- what comes

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._line, self._have = cast(asyncio.Transport, transport), b""

    def data_received(self, data: bytes) -> None:
        have = self._have + data if self._have else data
        at = 0
        while len(have) >= (start := at + SIZE):
            end = start + int.from_bytes(have[at:start], "big")
            if len(have) < end:
                break
            kind, *said = marshal.loads(have[start:end])
            getattr(self, f"_{kind}")(*said)
            at = end
        self._have = have[at:]

    def _ready(self) -> None:
        self.ready, self._wait = True, AGAIN
        self.easel.widen(AT_ONCE)

    def _drawn(self, number: int, drawn: tuple[str, tuple[int, int]] | None) -> None:
        _, found = self._asked.get(number, (0.0, None))
        if found is not None and not found.done():
            found.set_result(None if drawn is None else Drawn(*drawn))

    def _failed(self, why: str) -> None:
        """It has not come as far as its tables; that is told once, however often it is tried."""
        if not self._told:
            self._told = True
            self.wrong(Lost(f"a painter cannot begin, and the house draws by itself: {why}"))
        if self._line is not None:
            self._line.abort()

    def _lost_table(self, table: str, why: str) -> None:
        self._lost.add(table)
        self.wrong(Lost(f"table {table} cannot be drawn by a painter, and the house draws it: {why}"))

    def connection_lost(self, error: Exception | None) -> None:
        self.ready, self._line = False, None
        self._lost.clear()
        self.easel.widen(1)
        for _, found in self._asked.values():
            if not found.done():
                found.set_result(None)
        if self._process is not None and self._process.is_alive():
            self._process.kill()
        if not self._closed:
            asyncio.get_running_loop().call_later(self._wait, self._again)
            self._wait = min(SELDOM, 2 * max(self._wait, AGAIN))

    def _again(self) -> None:
        if not self._closed:
            task = asyncio.get_running_loop().create_task(self.begin())
            task.add_done_callback(lambda done: done.cancelled() or done.exception())


def _start(process: BaseProcess) -> None:
    """Ctrl-C at the terminal is for the house, which tells its painters: they are begun without an ear for it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Studio:
    """All painters, each with its share of the tables; none, where the house has no core for one."""

    def __init__(self, many: int = 0, db: str = "", files: Sequence[str] = ()) -> None:
        self.lines = [Line(number, many, db, files) for number in range(many)]
        self._here = Easel()  # where the house draws by itself
        self._looking: asyncio.Task[None] | None = None

    async def begin(self, wrong: Wrong) -> None:
        """`wrong` is told what a painter could not do."""
        for line in self.lines:
            line.wrong = wrong
            await line.begin()
        if self.lines:
            self._looking = asyncio.create_task(self._look_after())

    async def _look_after(self) -> None:
        while True:
            await asyncio.sleep(LONGEST / 10)
            for line in self.lines:
                line.look_after()

    def _of(self, table: str) -> Line | None:
        return self.lines[share_of(table, len(self.lines))] if self.lines else None

    def easel(self, table: str) -> Easel:
        line = self._of(table)
        return self._here if line is None else line.easel

    def written(self, table: str, last: int, entries: Sequence[Entry]) -> None:
        """What is on the disk, and what the number of its last event is."""
        if (line := self._of(table)) is not None:
            line.written(table, last - len(entries) + 1, entries)

    async def draw(self, table: str, look: Look) -> Drawn | None:
        """None where the house has to draw it by itself."""
        line = self._of(table)
        return await line.draw(table, look) if line is not None and line.draws(table) else None

    def anew(self) -> None:
        for line in self.lines:
            line.anew()

    def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
        for line in self.lines:
            with contextlib.suppress(Exception):
                line.close()
