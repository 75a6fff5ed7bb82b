"""One table of the live house as it runs: an inbox, a clock, and those who look at it.

A command is judged by the pit and handed to the vault at once; the next one is judged by what the table will be then.
Everybody is answered, and anything is shown, when it is on the disk.
"""

import asyncio
import contextlib
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitboss.pit import Command, Table
from pitboss.rules.called import refused
from pitboss.rules.errors import BadInput
from pitboss.vault import Action, Receipt, Unavailable
from pitboss.web import seats
from pitboss.web.canvas import Canvas, Look, at_of
from pitboss.web.clock import Alarm
from pitboss.web.lies import Scene
from pitboss.web.news import AFTER, News, news_of
from pitboss.web.seats import Wait
from pitboss.web.viewer import Viewer

if TYPE_CHECKING:
    from pitboss.web.run import LiveHouse

MOST_ASKED = 200  # commands that wait for one table
MOST_NEWS = 50
MOST_ANSWERS = 256  # that are remembered for each table; older ones are in the vault
MOST_FLYING = 16  # actions of one table that are on their way to the disk
Answer = asyncio.Future[Mapping[str, Any]]


@dataclass(frozen=True)
class Asked:
    """A command that waits for its table, and where its answer goes."""

    command: Command
    answer: Answer


class LiveTable:
    """One table, its inbox, its clock and those who look at it."""

    def __init__(self, house: "LiveHouse", table: Table) -> None:
        self.house, self.table, self.id = house, table, table.id
        self.inbox: asyncio.Queue[Asked | None] = asyncio.Queue(MOST_ASKED)
        self.viewers: set[Viewer] = set()
        self.ready: frozenset[int] = frozenset()
        self.news: deque[News] = deque(maxlen=MOST_NEWS)
        self.told = 0  # news since the house was opened
        self.due: dict[Wait, float] = {}
        self.tried: frozenset[Wait] = frozenset()
        self.head = house.head
        self._alarm: Alarm | None = None
        self._answers: OrderedDict[str, Mapping[str, Any]] = OrderedDict()
        self.canvas = Canvas(table)
        self._flying = 0  # actions on their way to the disk: the table in memory is ahead, and nobody may see it
        self._idle = False  # whether nothing is done for the table itself, and nobody waits
        self._down = asyncio.Event()
        self._asked: dict[str, list[Answer]] = {}  # command under way -> who waits for it
        self.task = asyncio.create_task(self._run(), name=f"table {table.id}")

    # ---- commands

    async def ask(self, command: Command) -> Mapping[str, Any]:
        """The answer to a command, when it is on the disk; one sentence (BadInput) where it is refused. At a table that
        has nothing else to do it is judged at once."""
        answer: Answer = asyncio.get_running_loop().create_future()
        if self._idle and self.inbox.empty() and self._can_judge and command.do != "deal":
            self._judge(command, answer)
        else:
            try:
                self.inbox.put_nowait(Asked(command, answer))
            except asyncio.QueueFull:
                raise BadInput("the table is busy; try again in a moment") from None
        return await answer

    def _judge(self, command: Command, answer: Answer) -> None:
        try:
            self._begin(command, answer)
        except Exception as error:  # whatever it is, the table goes on
            _refuse(answer, error)
            if not isinstance(error, BadInput):
                self.house.wrong(error)

    @property
    def _can_judge(self) -> bool:
        """Whether the table is what the log says, and not too much is on its way to the disk: now and then everything
        has landed and can be shown."""
        return self.house.flowing.is_set() and self._flying < MOST_FLYING

    async def _run(self) -> None:
        self.plan()
        while True:
            self._idle = True
            asked = await self.inbox.get()
            self._idle = False
            try:
                if asked is None:
                    await self._free()
                    await self._go_on()
                    continue
                if asked.command.do == "deal":
                    await self._learn()
                await self._free()
                self._judge(asked.command, asked.answer)
            except Exception as error:  # whatever it is, the table goes on
                if asked is not None:
                    _refuse(asked.answer, error)
                if not isinstance(error, BadInput):
                    self.house.wrong(error)

    async def _free(self) -> None:
        """Until a command can be judged."""
        while not self._can_judge:
            await self.house.flowing.wait()
            if self._flying >= MOST_FLYING:
                await self.landed()

    async def _learn(self) -> None:
        """What takes a second is found out before the cards are dealt, and while the other tables go on."""
        for wagered in self.table.session.unlearnt():
            await asyncio.to_thread(self.table.session.learn, wagered)

    async def landed(self) -> None:
        """Until all that was handed in is on the disk."""
        while self._flying:
            self._down.clear()
            await self._down.wait()

    async def _do(self, command: Command) -> None:
        """A command of the house itself, until it is on the disk."""
        answer: Answer = asyncio.get_running_loop().create_future()
        self._begin(command, answer)
        await answer

    def _begin(self, command: Command, answer: "Answer") -> None:
        """What one command comes to is handed to the vault; its repeat gets the first answer. Nothing waits here: what
        comes next is judged by what the table will be, and everybody is answered when it is on the disk."""
        if (under_way := self._asked.get(command.id)) is not None:
            under_way.append(answer)
            return
        if (first := self._first(command.id)) is not None:
            return answer.set_result(first)
        names = {seat: who.name for seat, who in self.table.sitting.items()}
        try:
            action = self.house.floor.handle(self.table, command)
        except BadInput:
            raise
        except Exception as error:  # half a change may be in memory
            self.house.fail(error)
            raise BadInput("the house made a mistake, and takes the table up again as it was before") from error
        self.house.hand_in(action, lambda receipt, error: self._landed(command, action, names, receipt, error))
        self._flying += 1
        self._asked[command.id] = [answer]

    def _landed(
        self, asked: Command, action: Action, names: Mapping[int, str], receipt: Receipt | None, error: BadInput | None
    ) -> None:
        """It is on the disk, or it is not; then the house takes everything up again."""
        self._flying -= 1
        if not self._flying:
            self._down.set()
        answers = self._asked.pop(asked.id, [])
        if receipt is None:
            for answer in answers:
                _refuse(answer, error or BadInput("it was not written"))
            return
        self._answers[asked.id] = receipt.answer
        if len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)
        if not receipt.repeated:
            self.head = receipt.hash
            self.house.studio.written(self.id, receipt.seq, action.entries)
            self._happened(action, names, asked.by)
        for answer in answers:
            if not answer.done():
                answer.set_result(receipt.answer)

    def _first(self, id: str) -> Mapping[str, Any] | None:
        if id in self._answers:
            return self._answers[id]
        if id.startswith(("clock-", "house-")):
            return None  # made just now
        found = self.house.vault.answered(self.id, id)
        return None if found is None else found.answer

    def _happened(self, action: Action, names: Mapping[int, str], by: str) -> None:
        """It is on the disk: everybody may know."""
        for entry in action.entries:
            if entry.kind == "bet":
                self.ready -= {entry.body["seat"]}
            elif entry.kind in ("deal", "void"):
                self.ready = frozenset()
            if said := news_of(self.table, entry, names):
                self.say(said, entry.kind in AFTER)
        self.tried = frozenset(wait for wait in self.tried if wait[0] not in ("deal", "bets"))  # it is worth a try
        self.ready = frozenset(seat for seat in self.ready if seat in self.table.sitting)
        self.plan()
        self.show(by)

    def set_ready(self, person: str, ready: bool) -> None:
        """A player wants no more bets, or does after all; this is no event, and nobody is bound by it."""
        own = set(self.table.seats_of(person))
        if not own:
            raise BadInput("you have no seat at this table")
        self.ready = self.ready | own if ready else self.ready - own
        self.plan()
        self.show(person)

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
        try:
            if wait[0] in ("deal", "bets"):
                await self._learn()
            why = await self._first_that_can(seats.instead_of(wait, self.table))
        except BadInput as error:  # of the game file itself
            why = error
        except Exception as error:
            self.house.wrong(error)
            why = BadInput("the house made a mistake")
        if why is None:
            return
        self.tried |= {wait}
        told = refused(self.table.house, why)
        if wait[0] in ("deal", "bets"):
            self.say(f"The cards are not dealt: {told}.")
            self.show()
        elif wait[0] == "turn":
            self.say(f"The time is up, and the house can choose nothing for seat {wait[3]}: {told}.")
            self.show()

    async def _first_that_can(self, commands: Sequence[Command]) -> BadInput | None:
        """The first of these commands that is not refused is done; why the last one was, where all are."""
        why = None
        for command in commands:
            try:
                await self._do(command)
                return None
            except Unavailable:  # it is not known what became of it, and the table is taken up again
                return None
            except BadInput as error:
                why = error
        return why

    async def _chips_for(self, seat: int) -> None:
        """A computer player that has little left is given play chips, as anybody can read in the log."""
        with contextlib.suppress(BadInput):
            cents, player = seats.robot_chips(self.table, seat), self.table.sitting[seat].player
            command = seats.by_the_house("adjust")
            await self.house.write(self.house.floor.adjust(command, player, cents, "chips for a computer player"))
            await self._do(seats.by_the_house("buy", seat=seat, cents=cents))

    # ---- those who look

    def say(self, text: str, after: bool = False) -> None:
        self.news.append(News(text, after))
        self.told += 1

    def show(self, by: str = "") -> None:
        """There is something new to see, and who has done it sees it at once."""
        self.canvas.changed()
        for viewer in self.viewers:
            viewer.show(viewer.person.id == by)

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
        self.table, self.canvas, self.due, self.ready = table, Canvas(table), {}, frozenset()
        self.plan()

    def scene_for(self, viewer: Viewer) -> Scene | None:
        """What this viewer sees now; nothing while the table is being written."""
        return None if self._ahead else self.canvas.scene(self._look(viewer))

    async def text_for(self, viewer: Viewer, page: bool = False, worth: Mapping[str, str] | None = None) -> str:
        """The same as it is sent to him; what is said in it is not said again. Nothing while the table is being
        written: there is a new scene as soon as it is."""
        if not self.house.flowing.is_set():
            return ""
        look, heard = self._look(viewer, page, worth), self.told
        drawn = await self.house.studio.draw(self.id, look)
        if drawn is None:
            if self._ahead:
                return ""
            drawn = self.canvas.draw(look)
        viewer.told, viewer.heard = drawn.told, heard
        return drawn.text

    @property
    def _ahead(self) -> bool:
        """Whether the table in memory is not what the log says."""
        return bool(self._flying) or not self.house.flowing.is_set()

    def _look(self, viewer: Viewer, page: bool = True, worth: Mapping[str, str] | None = None) -> Look:
        table, person, meters = self.table, viewer.person, self.house.meters
        unheard = min(self.told - viewer.heard, len(self.news))
        return Look(
            page, viewer.scenes, seats.clock_of(table, self.due, self.house.clock.now()), tuple(sorted(self.ready)),
            self.head, tuple((name, meters.get((table.group, name), 0)) for name in table.meter_names),
            (person.id, person.name, person.role), self.house.purses.get(person.id, 0), viewer.told,
            tuple((one.text, one.after) for one in list(self.news)[len(self.news) - unheard :]),
            viewer.coach, dict(worth or {}), at_of(table),
        )  # fmt: skip


def _refuse(answer: Answer, error: BaseException) -> None:
    if not answer.done():
        known = isinstance(error, BadInput)
        answer.set_exception(error if known else BadInput("the house made a mistake; nothing was changed"))
