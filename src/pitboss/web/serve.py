"""Open the live house and keep it open: a port, the pages, the tables as the log has them; and close it cleanly."""

import asyncio
import contextlib
import ipaddress
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn

from pitboss.catalog import shipped
from pitboss.pit import SUPERVISOR, Command
from pitboss.rules.errors import BadInput
from pitboss.vault import Person, Vault, now
from pitboss.web.app import app_of, fresh_id
from pitboss.web.caller import Caller, cut_overdue
from pitboss.web.clock import Clock, WallClock
from pitboss.web.crowd import SPARE, Config, Crowd, Held, raise_files
from pitboss.web.doors import Doors, Rates
from pitboss.web.games import Games
from pitboss.web.line import Line
from pitboss.web.opened import Opened
from pitboss.web.played import Histories
from pitboss.web.run import LiveHouse
from pitboss.web.studio import Studio
from pitboss.web.theory import Theory
from pitboss.web.tidy import tidy

PORT = 8021
MOST_MESSAGE = 16 * 1024  # bytes of a frame, before anybody reads it
PING = 20.0  # seconds between two looks whether somebody is still there, and for his answer
MOST_UNREAD = 128 * 1024  # bytes that wait in the system for somebody who does not read
SWITCH = 0.0002  # seconds: the thread that writes asks for its turn at every statement, and does not wait long for it
LINK_LASTS = 24 * 3600.0  # seconds: the supervisor's link stands where the house was started, and in its journal
BOSS = "Supervisor"
Say = Callable[[str], object]


@dataclass(frozen=True)
class TableWanted:
    """A table to be opened when the house is, unless there is one like it."""

    game: str
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Settings:
    """How a house is opened."""

    db: str
    host: str = "127.0.0.1"
    port: int = PORT
    tables: tuple[TableWanted, ...] = ()
    games: tuple[str, ...] = ()  # the operator's own files
    open_to_guests: bool = False
    password: str = ""  # the supervisor's, when it is set or changed
    origin: str = ""  # how the house is called from outside, such as https://house.example
    rates: Rates = field(default_factory=Rates)
    painters: int = 0  # processes that draw; with none the house draws by itself

    @property
    def loopback(self) -> bool:
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def public(self) -> bool:
        """Whether others can reach the house: by itself, or through the proxy that calls it by its origin."""
        return not self.loopback or bool(self.origin)


def data_folder() -> Path:
    """Where a user's own data lies, as the standard for it says."""
    base = os.environ.get("XDG_DATA_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".local", "share")
    return Path(base) / "pitboss"


def usual_db() -> str:
    folder = data_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"the folder {folder} cannot be made: {error.strerror}; say where the log should be") from None
    return str(folder / "house.db")


class _Server(uvicorn.Server):
    """uvicorn, that closes the house before its connections, and leaves the signals alone."""

    house: LiveHouse
    histories: Histories

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for one in self.servers:
            one.close()  # nobody new comes in
        self.histories.close()  # one may take long, and its page would be waited for
        await self.house.stop()
        await super().shutdown(sockets)


def run(settings: Settings, ready: Callable[[str, str], object], say: Say) -> None:
    """Serve until somebody ends it. `ready` gets the address and the supervisor's link once the port listens; `say`
    whatever the operator should know."""
    sys.setswitchinterval(SWITCH)
    asyncio.run(_serve(settings, ready, say))


async def _serve(settings: Settings, ready: Callable[[str, str], object], say: Say) -> None:
    async with served(settings, say) as here:
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, here.end)
        tidying = asyncio.create_task(tidy(lambda: here.opened.house.head))
        for why in missed(here.opened):
            say(f"not opened: {why}")
        ready(here.opened.address, here.link)
        await here.serving
        tidying.cancel()


def missed(opened: Opened) -> list[str]:
    """Why tables are not opened; nobody misses one that was closed."""
    vault = opened.vault
    return [why for id, why in opened.house.asleep.items() if not [*vault.latest(table=id, kind="close", most=1)]]


@dataclass(frozen=True)
class Served:
    """A house that is open."""

    opened: Opened
    link: str  # the supervisor's, good once, and not for long
    server: uvicorn.Server
    serving: "asyncio.Task[None]"

    def end(self) -> None:
        self.server.should_exit = True


@contextlib.asynccontextmanager
async def served(settings: Settings, say: Say, clock: Clock | None = None) -> AsyncIterator[Served]:
    """The house, open and listening, until the end of the block or of the server."""
    port = _listen(settings)
    with contextlib.closing(port), Vault.open(settings.db) as vault:
        opened = await _open(settings, vault, clock or WallClock(), port.getsockname()[1], say)
        try:
            link = await _prepare(settings, opened)
            config = Config(
                app_of(opened), http=Caller, ws=Line, ws_max_size=MOST_MESSAGE, ws_ping_interval=PING,
                ws_ping_timeout=PING, log_level="critical", access_log=False, server_header=False, lifespan="off",
                timeout_graceful_shutdown=5, proxy_headers=bool(settings.origin), ws_per_message_deflate=False,
            )  # fmt: skip
            config.crowd = crowd_of(settings)
            server = _Server(config)
            server.house, server.histories = opened.house, opened.histories
            cutting = asyncio.create_task(cut_overdue(server.server_state))
            serving = asyncio.create_task(server.serve(sockets=[port]))
            while not server.started and not serving.done():
                await asyncio.sleep(0.01)
            try:
                yield Served(opened, link, server, serving)
            finally:
                server.should_exit = True
                await serving
                cutting.cancel()
        finally:
            if not opened.house.stopping:
                await opened.house.stop()
            for one in (opened.theory, opened.checker, opened.histories):
                one.close()


def crowd_of(settings: Settings) -> Crowd:
    """As many connections as there are files for; where there are few, one address has no more than half of them."""
    most = max(SPARE, raise_files() - SPARE)
    return Crowd(Held(min(settings.rates.connections, most // 2), most))


def _listen(settings: Settings) -> socket.socket:
    kind = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        port = socket.create_server((settings.host, settings.port), family=kind, backlog=1024)
        port.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_UNREAD)  # for every line that is taken here
        return port
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadInput(f"the house cannot listen at {settings.host}, port {settings.port}: {why}") from None


def _reachable(host: str) -> str:
    """How others call a house that listens everywhere: by the address that this machine has in its network."""
    if host in ("0.0.0.0", "::"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line, contextlib.suppress(OSError):
            line.connect(("192.0.2.1", 9))  # nothing is sent: it is only asked which way it would go
            return str(line.getsockname()[0])
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


async def _open(settings: Settings, vault: Vault, clock: Clock, port: int, say: Say) -> Opened:
    games = Games(settings.games)
    host = _reachable(settings.host)
    address = settings.origin or f"http://{host}:{port}"
    origins = {settings.origin} if settings.origin else set()
    if settings.loopback:
        origins |= {f"http://{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]", host)}
    doors = Doors(
        vault, clock, origins=frozenset(origins), secure=settings.origin.startswith("https:"),
        open_to_guests=settings.open_to_guests, rates=settings.rates,
    )  # fmt: skip
    house = LiveHouse(vault, games.of, clock, Studio(settings.painters, settings.db, settings.games))
    house.wrong = lambda error: say(f"a fault of pitboss: {_traced(error)}")
    await house.start()
    return Opened(
        vault, house, doors, games, Theory(), address, settings.db, settings.games, outside=bool(settings.origin)
    )  # fmt: skip


def _traced(error: BaseException) -> str:
    """What went wrong and where, without anything that somebody sent."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    where = "" if at is None else f" at {Path(at.tb_frame.f_code.co_filename).name}, line {at.tb_lineno}"
    return f"{type(error).__name__}{where}"


async def _prepare(settings: Settings, opened: Opened) -> str:
    """A supervisor who can come in, and the tables that were asked for; the supervisor's link."""
    vault = opened.vault
    boss = _boss(vault)
    if settings.password:
        await opened.doors.set_password(boss, settings.password)
    if settings.public and not any(vault.password(person.id) for person in _bosses(vault)):
        raise BadInput("a house that others can reach needs a supervisor's password")
    wanted = settings.tables or (() if opened.house.tables or opened.house.asleep else _usual())
    there = _opened_as(opened)
    for one in wanted:
        house = opened.games.house(one.game, one.options, {})
        if (alike := (house.game.name, house.chosen())) in there:
            there.remove(alike)  # whoever names two alike wants two
        else:
            command = Command(f"opening-{fresh_id()}", "open", boss.id, SUPERVISOR)
            await opened.house.open_table(command, house, house.game.title)
    token = vault.invite(boss.id, until=now(LINK_LASTS))
    opened.links[token] = (boss.name, boss.role)
    return f"{opened.address}/invite/{token}"


def _opened_as(opened: Opened) -> list[tuple[str, dict[str, str]]]:
    """The game and the options that each open table was opened with; a supervisor may have set other limits since."""
    ids = [live.id for live in opened.house.tables.values() if not live.table.closed]
    first = (next(opened.vault.events(table=id, most=1)).body for id in ids)
    return [(body["game"], body["options"]) for body in first]


def _bosses(vault: Vault) -> list[Person]:
    return [person for person in vault.people() if person.role == SUPERVISOR and not person.revoked]


def _boss(vault: Vault) -> Person:
    """Whose link is printed: the first supervisor who may come in, or a new one where all were turned away."""
    if found := _bosses(vault):
        return next((person for person in found if person.name == BOSS), found[0])
    names = (BOSS, *(f"{BOSS} {number}" for number in range(2, 10**6)))
    return vault.add_person(next(name for name in names if vault.person_by_name(name) is None), SUPERVISOR)


def _usual() -> Sequence[TableWanted]:
    return [TableWanted(name) for name in shipped()]
