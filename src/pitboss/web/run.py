"""The live house as it runs: one task with an inbox for each table, and nothing of a table is touched elsewhere.

A command is judged by the pit, what it came to is written by the vault, and only then is it answered and shown. While
one table waits for the disk the others go on, and share the commit. If a write fails, what the memory holds is no
longer what the log says: then the whole floor is taken up again from the vault before anything else is done.
"""

import asyncio
import contextlib
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.pit import Command, Floor, Table
from pitboss.pit.floor import Houses
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.vault import HOUSE, Action, Person, Receipt, Unavailable, Vault
from pitboss.web import seats
from pitboss.web.clock import Alarm, Clock, WallClock
from pitboss.web.news import news_of
from pitboss.web.scene import Eyes, Moment, Scene, common, scene
from pitboss.web.seats import Wait
from pitboss.web.viewer import Easel, Viewer

MOST_ASKED = 200  # commands that wait for one table
MOST_NEWS = 50
MOST_ANSWERS = 256  # that are remembered for each table; older ones are in the vault
AGAIN = 1.0  # seconds between two tries to reach the vault


@dataclass(frozen=True)
class Asked:
    """A command that waits for its table, and where its answer goes."""

    command: Command
    answer: "asyncio.Future[Mapping[str, Any]]"


class LiveTable:
    """One table, its inbox, its clock and those who look at it."""

    def __init__(self, house: "LiveHouse", table: Table) -> None:
        self.house, self.table, self.id = house, table, table.id
        self.inbox: asyncio.Queue[Asked | None] = asyncio.Queue(MOST_ASKED)
        self.viewers: set[Viewer] = set()
        self.ready: frozenset[int] = frozenset()
        self.news: deque[str] = deque(maxlen=MOST_NEWS)
        self.told = 0  # news since the house was opened
        self.due: dict[Wait, float] = {}
        self.tried: frozenset[Wait] = frozenset()
        self.head = house.head
        self._alarm: Alarm | None = None
        self._answers: OrderedDict[str, Mapping[str, Any]] = OrderedDict()
        self._base: Scene | None = None  # what everybody sees, until something happens
        self._writing = False  # the table in memory is ahead of the disk, and nobody may see it
        self.task = asyncio.create_task(self._run(), name=f"table {table.id}")

    # ---- commands

    async def ask(self, command: Command) -> Mapping[str, Any]:
        """The answer to a command, when it is on the disk; one sentence (BadInput) where it is refused."""
        answer: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        try:
            self.inbox.put_nowait(Asked(command, answer))
        except asyncio.QueueFull:
            raise BadInput("the table is busy; try again in a moment") from None
        return await answer

    async def _run(self) -> None:
        self.plan()
        while True:
            asked = await self.inbox.get()
            await self.house.flowing.wait()
            if asked is None:
                await self._go_on()
                continue
            try:
                found = await self._do(asked.command)
            except Exception as error:
                if not asked.answer.done():
                    asked.answer.set_exception(_told(error))
                if not isinstance(error, BadInput):
                    self.house.wrong(error)
            else:
                if not asked.answer.done():
                    asked.answer.set_result(found)

    async def _do(self, command: Command) -> Mapping[str, Any]:
        """What one command comes to; its repeat gets the first answer."""
        if (first := self._first(command.id)) is not None:
            return first
        names = {seat: who.name for seat, who in self.table.sitting.items()}
        try:
            action = self.house.floor.handle(self.table, command)
        except BadInput:
            raise
        except Exception as error:  # half a change may be in memory
            self._writing = True
            self.house.fail(error)
            raise BadInput("the house made a mistake, and takes the table up again as it was before") from error
        self._writing = True
        receipt = await self.house.write(action)
        self._answers[command.id] = receipt.answer
        if len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)
        if receipt.repeated:  # the vault knew it, and the memory has done it twice
            self.house.fail(None)
            return receipt.answer
        self.head, self._writing = receipt.hash, False
        self._happened(action, names)
        return receipt.answer

    def _first(self, id: str) -> Mapping[str, Any] | None:
        if id in self._answers:
            return self._answers[id]
        if id.startswith(("clock-", "house-")):
            return None  # made just now
        found = self.house.vault.answered(self.id, id)
        return None if found is None else found.answer

    def _happened(self, action: Action, names: Mapping[int, str]) -> None:
        """It is on the disk: everybody may know."""
        for entry in action.entries:
            if entry.kind == "bet":
                self.ready -= {entry.body["seat"]}
            elif entry.kind in ("deal", "void"):
                self.ready = frozenset()
            if said := news_of(self.table, entry, names):
                self.say(said)
        self.ready = frozenset(seat for seat in self.ready if seat in self.table.sitting)
        self.plan()
        self.show()

    def set_ready(self, person: str, ready: bool) -> None:
        """A player wants no more bets, or does after all; this is no event, and nobody is bound by it."""
        own = set(self.table.seats_of(person))
        if not own:
            raise BadInput("you have no seat at this table")
        self.ready = self.ready | own if ready else self.ready - own
        self.plan()
        self.show()

    # ---- the clock

    def plan(self) -> None:
        """Look what the table waits for now, and set the alarm for what comes first."""
        now = self.house.clock.now()
        wanted = seats.waits(self.table, self.ready, self._here(), self.tried)
        self.due = {wait: self.due.get(wait, now + seconds) for wait, seconds in wanted.items()}
        self.tried = frozenset(wait for wait in self.tried if wait[1] == self.table.rounds)
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self.due:
            self._alarm = self.house.clock.later(max(0.0, min(self.due.values()) - now), self._ring)

    def _ring(self) -> None:
        with contextlib.suppress(asyncio.QueueFull):  # there is enough to do, and after it the clock is looked at
            self.inbox.put_nowait(None)

    def _here(self) -> frozenset[int]:
        looking = {viewer.person.id for viewer in self.viewers}
        return frozenset(seat for seat, who in self.table.sitting.items() if who.player in looking)

    async def _go_on(self) -> None:
        """The time is up for something."""
        now = self.house.clock.now()
        for wait, at in sorted(self.due.items(), key=lambda item: item[1]):
            if at <= now + 0.001 and wait in seats.waits(self.table, self.ready, self._here(), self.tried):
                await self._without(wait)
        self.plan()

    async def _without(self, wait: Wait) -> None:
        """What is waited for does not come: the table goes on."""
        if wait[0] == "robot":
            await self._chips_for(wait[2])
        for command in seats.instead_of(wait, self.table):
            try:
                await self._do(command)
                return
            except BadInput as error:
                why = error
        self.tried |= {wait}
        if wait[0] in ("deal", "bets"):
            self.say(f"The cards are not dealt: {why}.")
            self.show()

    async def _chips_for(self, seat: int) -> None:
        """A computer player that has little left is given play chips, as anybody can read in the log."""
        with contextlib.suppress(BadInput):
            cents, player = seats.robot_chips(self.table, seat), self.table.sitting[seat].player
            command = seats.by_the_house("adjust")
            await self.house.write(self.house.floor.adjust(command, player, cents, "chips for a computer player"))
            await self._do(seats.by_the_house("buy", seat=seat, cents=cents))

    # ---- those who look

    def say(self, text: str) -> None:
        self.news.append(text)
        self.told += 1

    def show(self) -> None:
        self._base = None
        for viewer in self.viewers:
            viewer.show()

    def join(self, viewer: Viewer) -> None:
        round_ = self.table.session.round
        viewer.told = (self.table.rounds, 0 if round_ is None else len(round_.events))
        viewer.heard = self.told
        self.viewers.add(viewer)
        self.plan()

    def decides(self, viewer: Viewer) -> bool:
        """Whether the table waits for him: in a round for his choice, and before it for his bets."""
        turn = self.table.session.turn
        return viewer.person.id == (self.table.sitting[turn.seat].player if turn is not None else "")

    def leave(self, viewer: Viewer) -> None:
        self.viewers.discard(viewer)
        self.plan()

    def taken_up(self, table: Table) -> None:
        """The table as the log has it; whoever waited gets his time again."""
        self.table, self.due, self.ready, self._writing = table, {}, frozenset(), False
        self.plan()

    def scene_for(self, viewer: Viewer, worth: Mapping[str, str] | None = None) -> Scene | None:
        """What this viewer sees now; what is said in it is not said again. Nothing while the table is being written:
        there is a new scene as soon as it is."""
        if self._writing:
            return None
        clock = seats.clock_of(self.table, self.due, self.house.clock.now())
        moment = Moment(clock, self.ready, self.head, self.house.meters)
        if self._base is None:
            self._base = common(self.table, moment)
        base = {**self._base, "table": {**self._base["table"], "clock": moment.clock}}
        unheard = min(self.told - viewer.heard, len(self.news))
        person = viewer.person
        eyes = Eyes(
            person.id, person.name, person.role, self.house.purses.get(person.id, 0), viewer.told,
            list(self.news)[len(self.news) - unheard :], worth or {},
        )  # fmt: skip
        found = scene(base, self.table, eyes, moment)
        viewer.told, viewer.heard = (self.table.rounds, len(base["_view"].events)), self.told
        return found


class LiveHouse:
    """All tables, as long as the server runs."""

    def __init__(self, vault: Vault, houses: Houses, clock: Clock | None = None) -> None:
        self.vault, self.houses, self.clock = vault, houses, clock or WallClock()
        self.floor = Floor(houses)
        self.tables: dict[str, LiveTable] = {}
        self.asleep: dict[str, str] = {}  # tables that cannot be taken up -> why
        self.head = vault.head()[1]
        self.purses: dict[str, int] = {}  # as they are on the disk, which is what is shown
        self.meters: dict[tuple[str, str], int] = {}
        self.flowing = asyncio.Event()
        self.easel = Easel()
        self.stopping = False
        self._changed = asyncio.Event()
        self.wrong: Callable[[BaseException], object] = lambda error: None
        self._writing = 0
        self._idle = asyncio.Event()
        self._recovery: asyncio.Task[None] | None = None

    # ---- opened and closed

    async def start(self) -> None:
        self.floor, self.asleep = await asyncio.to_thread(self._from_the_vault)
        self._all_known()
        for id, table in self.floor.tables.items():
            self.tables[id] = LiveTable(self, table)
        self.flowing.set()

    def _all_known(self) -> None:
        self.purses = dict(self.floor.purses)
        self.meters = {key: int(shown * 100) for key, shown in self.floor.meters.shown.items()}

    def _from_the_vault(self) -> tuple[Floor, dict[str, str]]:
        floor, asleep, snapshots = Floor(self.houses), dict[str, str](), {}
        for id, (seq, state) in self.vault.snapshots().items():
            try:
                self.houses(state["opening"])
                snapshots[id] = (seq, state)
            except BadInput as error:
                asleep[id] = str(error)
        floor.restore(
            snapshots, lambda id, seq: self.vault.events(table=id, after=seq), self.vault.secrets, self.vault.balances()
        )
        return floor, asleep

    async def stop(self) -> None:
        """Nothing new is begun; what is being written is finished, and everybody is told."""
        self.stopping = True
        self._changed.set()
        self.flowing.clear()
        while self._writing:
            self._idle.clear()
            await self._idle.wait()
        for live in self.tables.values():
            live.task.cancel()
            for viewer in live.viewers:
                viewer.close(why="the house closes")
        await asyncio.gather(*(live.task for live in self.tables.values()), return_exceptions=True)
        if self._recovery is not None:
            self._recovery.cancel()

    # ---- writing

    async def write(self, action: Action) -> Receipt:
        """On the disk, or BadInput; then the floor is taken up again."""
        self._writing += 1
        try:
            receipt = await asyncio.shield(asyncio.wrap_future(self.vault.write(action)))
            self.head = receipt.hash
            if not receipt.repeated:
                self._known(action)
            return receipt
        except Exception as error:
            self.fail(error)
            raise Unavailable(f"it could not be written, and did not happen as far as we know: {error}") from None
        finally:
            self._writing -= 1
            if not self._writing:
                self._idle.set()

    def _known(self, action: Action) -> None:
        """What is on the disk may be shown: in purses, and on meters."""
        for entry in action.entries:
            for account, cents in entry.moves.items():
                kind, _, rest = account.partition(":")
                if kind == "purse":
                    self.purses[rest] = self.purses.get(rest, 0) + cents
                elif kind == "meter":
                    group, _, name = rest.rpartition(":")
                    self.meters[group, name] = self.meters.get((group, name), 0) + cents
        self._changed.set()
        self._changed = asyncio.Event()

    async def changed(self) -> None:
        """Until something has happened somewhere."""
        await self._changed.wait()

    def fail(self, error: BaseException | None) -> None:
        """What the memory holds is not what the log says: stop, and begin again from there."""
        if error is not None and not isinstance(error, BadInput):
            self.wrong(error)
        if self._recovery is None and not self.stopping:
            self.flowing.clear()
            self._recovery = asyncio.create_task(self._take_up())

    async def _take_up(self) -> None:
        while self._writing:
            self._idle.clear()
            await self._idle.wait()
        while True:
            try:
                self.floor, self.asleep = await asyncio.to_thread(self._from_the_vault)
                self._all_known()
                break
            except Exception as error:
                self._tell(f"The house cannot read its log and waits: {error}.")
                await asyncio.sleep(AGAIN)
        for id, live in list(self.tables.items()):
            if id not in self.floor.tables:
                del self.tables[id]
                live.task.cancel()
                continue
            live.taken_up(self.floor.tables[id])
        self._tell("The house has taken up the table again from its log; what you see is what stands.")
        self._recovery = None
        self.flowing.set()

    def _tell(self, sentence: str) -> None:
        for live in self.tables.values():
            live.say(sentence)
            live.show()

    # ---- what belongs to no table

    async def open_table(self, command: Command, id: str, house: House, name: str, **more: Any) -> LiveTable:
        await self.flowing.wait()
        table, action = self.floor.open(command, id, house, name, **more)
        await self.write(action)
        live = self.tables[id] = LiveTable(self, table)
        return live

    async def adjust(self, command: Command, player: str, cents: int, reason: str) -> Mapping[str, Any]:
        """Chips from the cage into a purse, or back."""
        await self.flowing.wait()
        if (first := self.vault.answered(HOUSE, command.id)) is not None:
            return first.answer
        receipt = await self.write(self.floor.adjust(command, player, cents, reason))
        for live in self.tables.values():
            for viewer in live.viewers:
                if viewer.person.id == player:
                    viewer.show()
        return receipt.answer

    async def seat_a_robot(self, person: Person, table: str, seat: int, id: str) -> None:
        """A computer player takes a seat; its chips come when it bets."""
        live = self.at(table)
        await live.ask(
            Command(id, "sit", person.id, person.role, {"seat": seat, "name": f"Computer {seat}", "bot": True})
        )

    def looking(self, person: str) -> int:
        """At how many tables somebody looks, or how often at one."""
        return sum(viewer.person.id == person for live in self.tables.values() for viewer in live.viewers)

    def at(self, id: str) -> LiveTable:
        found = self.tables.get(id)
        if found is None:
            raise BadInput(f"there is no table {id[:40]!r}")
        return found


def _told(error: Exception) -> BadInput:
    return error if isinstance(error, BadInput) else BadInput("the house made a mistake; nothing was changed")
