"""The live house as it runs: one task with an inbox for each table, and nothing of a table is touched elsewhere.

A command is judged by the pit, what it came to is written by the vault, and only then is it answered and shown. While
one table waits for the disk the others go on, and share the commit. If a write fails, what the memory holds is no
longer what the log says: then the whole floor is taken up again from the vault before anything else is done, and what
was judged meanwhile is not written.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any

from pitboss.pit import Command, Floor
from pitboss.pit.floor import Houses
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.trace import trace
from pitboss.vault import HOUSE, Action, Person, Receipt, Unavailable, Vault
from pitboss.web.clock import Clock, WallClock
from pitboss.web.studio import Studio
from pitboss.web.table import LiveTable

AGAIN = 1.0  # seconds between two tries to reach the vault
Then = Callable[[Receipt | None, BadInput | None], object]
"""What is done when an action is on the disk, with its receipt; or when it is not, with why."""


class LiveHouse:
    """All tables, as long as the server runs."""

    def __init__(self, vault: Vault, houses: Houses, clock: Clock | None = None, studio: Studio | None = None) -> None:
        self.vault, self.houses, self.clock = vault, houses, clock or WallClock()
        self.studio = studio or Studio()
        self.floor = Floor(houses)
        self.tables: dict[str, LiveTable] = {}
        self.asleep: dict[str, str] = {}  # tables that cannot be taken up -> why
        self.head = vault.head()[1]
        self.purses: dict[str, int] = {}  # as they are on the disk, which is what is shown
        self.meters: dict[tuple[str, str], int] = {}
        self.flowing = asyncio.Event()
        self.stopping = False
        self._changed = asyncio.Event()
        self.wrong: Callable[[BaseException], object] = lambda error: None
        self._failures = vault.failures
        self._writing = 0
        self._back: deque[tuple[Action, Then, Future[Receipt]]] = deque()
        self._called = False
        self._opening: dict[str, asyncio.Task[LiveTable]] = {}  # command under way -> the table that it opens
        self._adjusting: dict[str, asyncio.Future[Receipt]] = {}
        self._idle = asyncio.Event()
        self._recovery: asyncio.Task[None] | None = None

    # ---- opened and closed

    async def start(self) -> None:
        self.floor, self.asleep = await asyncio.to_thread(self._from_the_vault)
        self._all_known()
        for id, table in self.floor.tables.items():
            self.tables[id] = LiveTable(self, table)
        await self.studio.begin(lambda error: self.wrong(error))
        self.flowing.set()

    def _all_known(self) -> None:
        self.purses = dict(self.floor.purses)
        self.meters = {key: int(shown * 100) for key, shown in self.floor.meters.shown.items()}

    def _from_the_vault(self) -> tuple[Floor, dict[str, str]]:
        """The floor as the log has it, and why some of its tables cannot be taken up: those sleep, and the others go
        on."""
        floor, asleep = Floor(self.houses), dict[str, str]()

        def take_up(snapshots: Mapping[str, tuple[int, Mapping[str, Any]]], balances: Mapping[str, int]) -> None:
            floor.restore(
                snapshots, lambda id, seq: self.vault.events(table=id, after=seq), self.vault.secrets, balances
            )

        for id, snapshot in self.vault.snapshots().items():
            try:
                take_up({id: snapshot}, {})
            except Unavailable:
                raise
            except Exception as error:  # its game file is not there, or another by now, or its log was changed
                asleep[id] = str(error) if isinstance(error, BadInput) else f"its log cannot be followed: {error!r}"
        take_up({}, self.vault.balances())
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
        self.studio.close()

    # ---- writing

    def write(self, action: Action) -> "asyncio.Future[Receipt]":
        """Done when it is on the disk."""
        told: asyncio.Future[Receipt] = asyncio.get_running_loop().create_future()

        def then(receipt: Receipt | None, error: BadInput | None) -> None:
            if told.done():
                return
            if receipt is not None:
                told.set_result(receipt)
            elif error is not None:
                told.set_exception(error)

        self.hand_in(action, then)
        return told

    def hand_in(self, action: Action, then: Then) -> None:
        """Handed in at once, in the order in which it was judged; `then` is told when it is on the disk, or why not.
        Where it fails, the floor is taken up again, and until then nothing is written: it was judged by what is not
        so."""
        if not self.flowing.is_set():
            raise Unavailable("the house takes up its tables again; try again in a moment")
        done = self.vault.write(action, self._failures)
        self._writing += 1
        done.add_done_callback(partial(self._written, action, then, asyncio.get_running_loop()))

    def _written(self, action: Action, then: Then, loop: asyncio.AbstractEventLoop, done: "Future[Receipt]") -> None:
        """In the thread that writes. What shares a commit comes back together: the loop is called once for it all."""
        self._back.append((action, then, done))
        if not self._called:
            self._called = True
            loop.call_soon_threadsafe(self._come_back)

    def _come_back(self) -> None:
        self._called = False  # before anything is taken: what is added from here on calls again
        while self._back:
            action, then, done = self._back.popleft()
            self._writing -= 1
            error, receipt, why = done.exception(), None, None
            if error is None:
                receipt = done.result()
                self.head = receipt.hash
                if receipt.repeated:  # the vault knew it, and the memory has done it twice
                    self.fail(None)
                else:
                    self._known(action)
            else:
                self.fail(error)
                why = Unavailable(f"it could not be written, and did not happen as far as we know: {error}")
            try:
                then(receipt, why)
            except Exception as wrong:  # whatever it is, the others are told
                self.wrong(wrong)
        if not self._writing:
            self._idle.set()
        self._changed.set()
        self._changed = asyncio.Event()

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
            failures = self.vault.failures
            try:
                self.floor, self.asleep = await asyncio.to_thread(self._from_the_vault)
                self._failures = failures
                self._all_known()
                break
            except Exception as error:
                self.wrong(error)  # where the log lies is nobody's business but the operator's
                self._tell("The house cannot read its log, and waits until it can.")
                await asyncio.sleep(AGAIN)
        for id, live in list(self.tables.items()):
            if id not in self.floor.tables:
                del self.tables[id]
                live.task.cancel()
                continue
            live.taken_up(self.floor.tables[id])
        for id, table in self.floor.tables.items():
            if id not in self.tables:  # its opening was in doubt, and stands
                self.tables[id] = LiveTable(self, table)
        self._recovery = None
        self.studio.anew()  # what was in doubt may stand, and nobody has told them
        self.flowing.set()
        self._tell("The house has taken up the table again from its log; what you see is what stands.")

    def _tell(self, sentence: str) -> None:
        for live in self.tables.values():
            live.say(sentence)
            live.show()

    # ---- what belongs to no table

    async def open_table(self, command: Command, house: House, name: str, **more: Any) -> LiveTable:
        """A new table. Asked twice for the same, there is one."""
        found = self._opening.get(command.id)
        if found is None:
            found = self._opening[command.id] = asyncio.create_task(self._opened(command, house, name, **more))
            found.add_done_callback(lambda _: self._opening.pop(command.id, None))
        return await asyncio.shield(found)

    async def _opened(self, command: Command, house: House, name: str, **more: Any) -> LiveTable:
        await asyncio.to_thread(trace, house)  # which may take a second, and is then known
        await self.flowing.wait()
        for id, there in self.tables.items():
            if self.vault.answered(id, command.id) is not None:
                return there
        table, action = self.floor.open(command, self._next_id(), house, name, **more)
        receipt = await self.write(action)
        self.studio.written(table.id, receipt.seq, action.entries)
        if table.id not in self.tables:
            self.tables[table.id] = LiveTable(self, self.floor.tables[table.id])
        return self.tables[table.id]

    def _next_id(self) -> str:
        """t1, t2, ...: one that no table has had."""
        used = {*self.floor.tables, *self.asleep}
        return next(f"t{n}" for n in range(1, 10**6) if f"t{n}" not in used)

    async def adjust(self, command: Command, player: str, cents: int, reason: str) -> Mapping[str, Any]:
        """Chips from the cage into a purse, or back. Asked twice for the same, it is done once."""
        await self.flowing.wait()
        under_way = self._adjusting.get(command.id)
        if under_way is None:
            if (first := self.vault.answered(HOUSE, command.id)) is not None:
                return first.answer
            under_way = self._adjusting[command.id] = self.write(self.floor.adjust(command, player, cents, reason))
            under_way.add_done_callback(lambda _: self._adjusting.pop(command.id, None))
        receipt = await asyncio.shield(under_way)
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
