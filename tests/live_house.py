"""A live house for tests: served on a free port in a thread of its own, and clients that speak to it over sockets."""

import asyncio
import http.client
import itertools
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from websockets.sync.client import ClientConnection, connect

from pitboss.web.clock import Clock
from pitboss.web.doors import Rates
from pitboss.web.serve import Served, Settings, TableWanted, served

FRESH = itertools.count(1)
FAST = Rates((10_000, 10_000), (10_000, 10_000), (10_000, 10_000), 100)


@dataclass
class House:
    """A house that is open, from the outside; `here` is its inside, to look at and not to touch."""

    address: str
    link: str
    here: Served
    loop: asyncio.AbstractEventLoop

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    def ask(self, method: str, path: str, form: dict[str, str] | None = None, **headers: str) -> "Answer":
        line = http.client.HTTPConnection(self.host, timeout=20)
        body = urlencode(form) if form is not None else None
        given = {"origin": self.address, **headers}
        given = {name: value.encode("latin-1", "replace").decode("latin-1") for name, value in given.items()}
        if form is not None:
            given["content-type"] = "application/x-www-form-urlencoded"
        line.request(method, path, body, given)
        got = line.getresponse()
        out = Answer(got.status, dict(got.getheaders()), got.read().decode())
        line.close()
        return out

    def enter(self, link: str) -> str:
        """Come in by a link; the cookie."""
        got = self.ask("POST", urlsplit(link).path, {})
        assert got.status == 303, got.text
        return got.cookie

    def guest(self, name: str) -> str:
        got = self.ask("POST", "/join", {"name": name})
        assert got.status == 303, got.text
        return got.cookie

    def player(self, name: str, table: str, html: bool = False) -> "Player":
        return Player(self, name, self.guest(name), table, html)

    def inside(self, work: Any) -> Any:
        """Something that is looked up in the house's own loop."""

        async def done() -> Any:
            return work(self.here.opened)

        return asyncio.run_coroutine_threadsafe(done(), self.loop).result(20)


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    text: str

    @property
    def cookie(self) -> str:
        found = {k.lower(): v for k, v in self.headers.items()}
        return found["set-cookie"].partition(";")[0]


@dataclass
class Player:
    """Somebody at a table: reads all that is sent, and remembers the last scene."""

    house: House
    name: str
    cookie: str
    table: str
    html: bool = False
    frames: list[str] = field(default_factory=list)
    shows: dict[str, Any] = field(default_factory=dict)
    line: ClientConnection | None = None
    _held: ExitStack = field(default_factory=ExitStack)

    def connect(self) -> "Player":
        at = f"ws://{self.house.host}/ws/t/{self.table}" + ("" if self.html else "?as=scene")
        headers = {"Cookie": self.cookie}
        self._held = ExitStack()
        self.line = self._held.enter_context(
            connect(at, origin=self.house.address, additional_headers=headers, max_size=None, compression=None)
        )
        return self

    def close(self) -> None:
        self._held.close()

    def read(self, timeout: float = 20) -> dict[str, Any]:
        assert self.line is not None
        text = self.line.recv(timeout)
        assert isinstance(text, str)
        self.frames.append(text)
        found: dict[str, Any] = json.loads(text)
        if "shows" in found:
            self.shows = found["shows"]
        return found

    def send(self, do: str, id: str = "", **body: object) -> str:
        assert self.line is not None
        id = id or f"{self.name}-{next(FRESH)}"
        self.line.send(json.dumps({"id": id, "do": do, **body}))
        return id

    def ask(self, do: str, id: str = "", **body: object) -> dict[str, Any]:
        """The answer to a command; scenes that come before it are looked at."""
        sent = self.send(do, id, **body)
        while True:
            if (found := self.read()).get("ack") == sent:
                return found

    def do(self, do: str, **body: object) -> None:
        answer = self.ask(do, **body)
        assert answer.get("ok"), answer

    def until(self, wanted: Any) -> dict[str, Any]:
        """The first scene for which something holds."""
        while not self.shows or not wanted(self.shows):
            self.read()
        return self.shows

    def drain(self) -> None:
        """Everything that has been sent so far."""
        while True:
            try:
                self.read(0.05)
            except TimeoutError:
                return


@contextmanager
def house(
    folder: Path, *tables: str, clock: Clock | None = None, guests: bool = True, rates: Rates = FAST, **more: Any
) -> Iterator[House]:
    """The house, open, with a table of each of these games: t1, t2, ..."""
    wanted = tuple(TableWanted(game) for game in tables)
    games = tuple(game for game in tables if game.endswith(".py"))
    settings = Settings(
        str(folder / "house.db"), port=0, tables=wanted, games=games, open_to_guests=guests, rates=rates, **more
    )
    ready: Any = threading.Event()
    found: dict[str, Any] = {}
    faults: list[str] = []

    async def run() -> None:
        try:
            async with served(settings, faults.append, clock) as here:
                found.update(here=here, loop=asyncio.get_running_loop())
                ready.set()
                await here.serving
        except BaseException as error:  # a house that does not open says why
            found["error"] = error
            ready.set()

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    assert ready.wait(60)
    if "error" in found:
        raise found["error"]
    here: Served = found["here"]
    try:
        yield House(here.opened.address, here.link, here, found["loop"])
    finally:
        found["loop"].call_soon_threadsafe(here.end)
        thread.join(30)
        assert not thread.is_alive(), "the house does not close"
    assert not faults, faults


class Stopped:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.time = 0.0
        self.alarms: list[Any] = []

    def now(self) -> float:
        return self.time

    def later(self, seconds: float, call: Any) -> Any:
        alarm = _Alarm(self.time + seconds, call)
        self.alarms.append(alarm)
        return alarm

    def pass_by(self, seconds: float) -> None:
        """In the house's own loop: so much time goes by, and what is due happens."""
        self.time += seconds
        due = [alarm for alarm in self.alarms if alarm.at <= self.time and not alarm.off]
        self.alarms = [alarm for alarm in self.alarms if alarm.at > self.time and not alarm.off]
        for alarm in due:
            alarm.call()


@dataclass
class _Alarm:
    at: float
    call: Any
    off: bool = False

    def cancel(self) -> None:
        self.off = True
