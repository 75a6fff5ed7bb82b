"""Somebody who looks at a table over a socket. Each has a sender of his own: one who stops reading is let go, and
nobody waits for him.

Answers wait in a short queue. A scene does not wait in it at all: that there is a new one is a mark, and it is made
when the line is free, so that whoever is slow sees fewer scenes and never an old one.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count

from pitboss.vault import Person

MOST_WAITING = 64  # answers
LONGEST_SEND = 15.0  # seconds for one message
MANY = 5  # scenes that wait to be drawn
LOOK, LONGEST_LOOK = 0.1, 1.0  # seconds until who only looks on is shown what is new: five bets together are one scene
SLOW, GOING_AWAY, COME_IN = 1013, 1001, 4001
Send = Callable[[str], Awaitable[None]]


class Easel:
    """Scenes are drawn one at a time, and between two of them everything else has its turn: a command waits for one
    scene at most, however many look. Whoever is to decide is drawn for first. A painter is asked for a few at once."""

    def __init__(self) -> None:
        self._wide, self._taken = 1, 0
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._numbers = count()

    def widen(self, wide: int) -> None:
        """So many scenes at a time, from now on."""
        self._wide = wide
        self._next()

    async def take(self, first: bool) -> None:
        if self._taken < self._wide:
            self._taken += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (not first, next(self._numbers), turn))
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self.leave()  # it was given to somebody who is gone, and nobody else would get it
            raise

    def leave(self) -> None:
        asyncio.get_running_loop().call_soon(self._left)

    @property
    def crowded(self) -> bool:
        """Whether so many scenes are asked for that each should show as much that is new as it can."""
        return len(self._waiting) >= MANY

    def pause(self) -> float:
        """How long who only looks on waits for his next scene: the longer, the more are waiting for theirs."""
        return min(LONGEST_LOOK, LOOK * (1 + len(self._waiting)))

    def _left(self) -> None:
        self._taken -= 1
        self._next()

    def _next(self) -> None:
        while self._waiting and self._taken < self._wide:
            turn = heappop(self._waiting)[2]
            if not turn.done():
                self._taken += 1
                turn.set_result(None)


@dataclass(eq=False)
class Viewer:
    person: Person
    send: Send
    make: "Callable[[Viewer], Awaitable[str]]"  # the scene as it is sent; nothing if there will be another at once
    easel: Easel
    decides: "Callable[[Viewer], bool]"  # whether the table waits for him
    session: str = ""  # the token that he came in with
    coach: bool = False
    told: tuple[int, int] = (0, 0)  # the round, and how many of its events he knows of
    heard: int = 0  # news of the table
    scenes: int = 0
    closing: int = 0  # the code that the socket is closed with
    why: str = ""
    cut: asyncio.Event = field(default_factory=asyncio.Event)  # nothing more is sent, not even what waits
    _next: float = 0.0  # not before then, unless he is to decide or has just asked for something
    _notes: deque[str] = field(default_factory=deque)
    _new: bool = True
    _drawing: "asyncio.Task[str] | None" = None
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def note(self, text: str) -> None:
        """An answer, or a word of the house: sent in order, none left out."""
        if len(self._notes) >= MOST_WAITING:
            self.close(SLOW, "too slow", at_once=True)
        elif not self.closing:
            self._notes.append(text)
        self._wake.set()

    def show(self, at_once: bool = True) -> None:
        """There is something new to see: for whoever has to do something at once, and for whoever has done it, unless
        so many wait that his answer must do for now. Who only looks on sees a little later what came together."""
        loop = asyncio.get_running_loop()
        if (at_once and not self.easel.crowded) or self.decides(self):
            self._next = 0.0
            self._wake.set()
        elif not self._new:
            self._next = max(self._next, loop.time() + LOOK)
            loop.call_at(self._next, self._due)
        self._new = True

    def _due(self) -> None:
        """What was put off is shown now, if it was not meanwhile."""
        if self._new and self._next <= asyncio.get_running_loop().time() + 0.001:
            self._next = 0.0
            self._wake.set()

    def close(self, code: int = GOING_AWAY, why: str = "", at_once: bool = False) -> None:
        """After what waits; at once, where it is his own fault that it waits, and where he may not be here any more."""
        if not self.closing:
            self.closing, self.why = code, why
        if at_once:
            self._notes.clear()
            self.cut.set()
        self._wake.set()

    async def run(self) -> None:
        """Send until the end; what the socket raises is the caller's. An answer does not wait for a scene."""
        self._wake.set()
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._notes:
                    await self._send(self._notes.popleft())
                if self.closing:
                    return
                if self._drawing is not None and self._drawing.done():
                    text, self._drawing = self._drawing.result(), None
                    if text:
                        self.scenes += 1
                        await self._send(text)
                if self._drawing is None and self._new and self._next <= asyncio.get_running_loop().time():
                    self._drawing = asyncio.create_task(self._draw())
                    self._drawing.add_done_callback(lambda _: self._wake.set())
        finally:
            if self._drawing is not None and not self._drawing.cancel() and not self._drawing.cancelled():
                self._drawing.exception()  # nobody waits for it any more

    async def _draw(self) -> str:
        await self.easel.take(self.decides(self))
        try:
            self._new = False
            self._next = asyncio.get_running_loop().time() + self.easel.pause()  # what is new meanwhile may be sooner
            return await self.make(self)
        finally:
            self.easel.leave()

    async def _send(self, text: str) -> None:
        try:
            async with asyncio.timeout(LONGEST_SEND):
                await self.send(text)
        except TimeoutError:
            self.close(SLOW, "too slow", at_once=True)
