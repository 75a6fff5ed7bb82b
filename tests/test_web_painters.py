"""Painters draw what the house would draw, to the letter; where there is none, the house draws by itself."""

import asyncio
import json
import multiprocessing
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from helpers import ROOT
from live_house import Stopped
from pitboss.live.bots import usual_bets
from pitboss.pit import Command
from pitboss.rules.errors import BadInput
from pitboss.vault import Entry, Person, Vault, now
from pitboss.web import painter as painting
from pitboss.web import studio as studios
from pitboss.web.games import Games
from pitboss.web.painter import packed
from pitboss.web.run import LiveHouse
from pitboss.web.studio import Line, Studio
from pitboss.web.table import LiveTable
from pitboss.web.viewer import Easel, Viewer
from test_web_recovery import Flaky, Place, run, usual

PATIENCE = 30.0  # seconds, and then something has gone wrong for good
THREE_CARD = str(ROOT / "examples" / "three_card_poker.py")
METERED = """
from pitboss.rules import LOSE, PLAYER, Amount, Game, Meter, PayTable, Table, Wager, row, where


def play(t: Table) -> None:
    card = t.deal(PLAYER)
    choice = t.decide("stay", "fold")
    ante = LOSE if choice == "fold" else where(card.rank < 6, LOSE, row("win"))
    t.settle(ante=ante, side=where(card.rank > 9, row("jackpot"), LOSE))


GAME = Game(
    "metered", "Metered", play,
    [Wager("ante", required=True),
     Wager("side", needs="ante", tables=[PayTable("one", {"jackpot": Meter("meter", "seed", "step")})])],
    options=[Amount("meter", 1000, "now"), Amount("seed", 500, "seed"), Amount("step", "1.50", "added")],
)
"""  # its meter is won in every third round


async def nowhere(text: str) -> None:
    """Somebody who looks on."""


@asynccontextmanager
async def place(
    path: Path, *files: str, many: int = 1, at: Callable[[], str] = now, there: bool = True
) -> AsyncIterator[Place]:
    """A house in memory with painters, on a database that can fail; its painters are there, or on their way."""
    db = path / "house.db"
    with Vault.on(store := Flaky(db), clock=at) as vault:
        games, clock = Games(files), Stopped()
        here = Place(store, vault, games, clock, LiveHouse(vault, games.of, clock, Studio(many, str(db), files)))
        here.house.wrong = lambda error: here.wrong.append(repr(error))
        await here.house.start()
        secrets = random.Random(1)  # the same cards every time
        here.house.floor.secret = lambda: f"{secrets.getrandbits(256):064x}"
        try:
            if there:
                await painters(here)
            yield here
        finally:
            await here.house.stop()


async def until(so: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not so():
            await asyncio.sleep(0.01)


async def painters(here: Place, *gone: int) -> None:
    """Until every painter is there, and none of them is one of those."""
    lines = here.house.studio.lines
    await until(lambda: all(line.ready and pid_of(line) not in gone for line in lines))


def pid_of(line: Line) -> int:
    assert line._process is not None and line._process.pid is not None
    return line._process.pid


def alive(pid: int) -> bool:
    multiprocessing.active_children()  # those of ours that have ended are let go
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def viewer_of(live: LiveTable, who: str, page: bool = False) -> Viewer:
    async def make(viewer: Viewer) -> str:
        return await live.text_for(viewer, page)

    viewer = Viewer(Person(who, who, "player", False), nowhere, make, live.house.studio.easel(live.id), live.decides)
    live.join(viewer)
    return viewer


async def same(live: LiveTable, *viewers: Viewer, worth: dict[str, str] | None = None) -> dict[str, Any]:
    """All has landed, and what a painter draws for each of them is what the house draws; the last of the scenes."""
    await live.landed()
    scene: dict[str, Any] = {}
    for viewer in viewers:
        for page in (True, False):
            look = live._look(viewer, page, worth)
            drawn = await live.house.studio.draw(live.id, look)
            assert drawn is not None, "the painter does not draw this table"
            own = live.canvas.draw(look)
            his, ours = drawn.text, own.text
            at = next((i for i, (a, b) in enumerate(zip(his, ours, strict=False)) if a != b), 0)
            assert his == ours, (his[max(0, at - 80) : at + 80], ours[max(0, at - 80) : at + 80])
            assert drawn.told == own.told
        scene = json.loads(drawn.text)["shows"]
    return scene


async def dealt(here: Place, live: LiveTable, *people: str) -> None:
    for seat, who in enumerate(people, 1):
        await live.ask(here.by(who, "bet", seat=seat, bets=usual(live)))
    await live.ask(here.by_the_boss("deal"))


async def to_its_end(here: Place, live: LiveTable) -> None:
    while (turn := live.table.session.turn) is not None:
        who = live.table.sitting[turn.seat].player
        await live.ask(here.by(who, "choose", seat=turn.seat, choice=turn.choices[0]))


# ---- to the letter


class Night:
    """A whole evening at many tables: people do what comes to their minds, and after every step the table is looked at
    with the eyes of everybody there."""

    def __init__(self, here: Place, seed: int) -> None:
        self.here, self.rng, self.done = here, random.Random(seed), Counter[str]()
        self.viewers: dict[str, list[Viewer]] = {}
        self.seen, self.turns = Counter[str](), 0

    async def open(self, game: str, people: int) -> LiveTable:
        names = [f"{Path(game).stem}-{n}{len(self.here.house.tables)}" for n in range(people)]
        live = await self.here.open(game, *names)
        boss = Person("boss", "boss", "supervisor", False)
        await self.here.house.seat_a_robot(boss, live.id, people + 1, f"boss:{live.id}")
        self.viewers[live.id] = [viewer_of(live, who) for who in (*names, "watcher")]
        return live

    async def tried(self, live: LiveTable, command: Command, what: str = "") -> bool:
        try:
            await live.ask(command)
        except BadInput:
            return False
        self.done[what or command.do] += 1
        return True

    async def wait(self, seconds: float) -> None:
        """Until everything that the time brings with it has happened: an inbox is worked off in its order."""
        self.here.clock.pass_by(seconds)
        for live in self.here.house.tables.values():
            with pytest.raises(BadInput):
                await live.ask(self.here.by_the_boss("nothing at all"))
            await live.landed()

    async def evening(self, live: LiveTable) -> AsyncIterator[None]:
        """One thing after the other, as long as anybody asks for more."""
        rng, here, boss = self.rng, self.here, self.here.by_the_boss
        people = [viewer.person.id for viewer in self.viewers[live.id][:-1]]
        own = live.table.house.options
        while True:
            for seat, who in enumerate(people, 1):
                if seat not in live.table.sitting:
                    await self.tried(live, here.by(who, "sit", seat=seat, name=who), "sit again")
                    await self.tried(live, here.by(who, "buy", seat=seat, cents=90_000))
            if rng.random() < 0.25 and "table-min" in own:
                most = str(rng.choice([500, 1000, 2000]))
                await self.tried(live, boss("limits", **{"table-max": most}))
            if rng.random() < 0.2:
                await self.tried(live, here.by(people[0], "seed", seat=1, seed=f"seed {rng.random()}"))
            if rng.random() < 0.2:
                await self.tried(live, here.by(people[0], "cash", seat=1, cents=rng.randint(1, 500)))
            if rng.random() < 0.2:
                await self.tried(live, boss("pace", bet=rng.choice([0, 20]), act=rng.choice([0, 30])))
            if rng.random() < 0.1:
                await self.tried(live, boss("pause"))
                yield
                await self.tried(live, boss("pause", paused=False))
            yield
            for seat, who in enumerate(people, 1):
                if await self.bets(live, seat, who) and rng.random() < 0.4:
                    yield
            if rng.random() < 0.5:
                live.set_ready(live.table.sitting[1].player, True)
                yield
            await self.wait(1.3)  # the computer player bets
            await self.tried(live, boss("deal"))
            yield
            while (turn := live.table.session.turn) is not None:
                await self.acts(live, turn.seat, list(turn.choices))
                yield

    async def bets(self, live: LiveTable, seat: int, who: str) -> bool:
        house = live.table.house
        bets = {name: str(amount) for name, amount in usual_bets(house, seat).items()}
        wild = {
            name: str(house.least_bet(name) * self.rng.choice([1, 1, 2, 3]))
            for name in house.parties
            if name in bets or self.rng.random() < 0.4
        }
        tokes = {house.main[0]: bets[house.main[0]]} if self.rng.random() < 0.2 else {}
        asked = [(wild, tokes), (wild, {}), (bets, {})]
        return any([await self.tried(live, self.here.by(who, "bet", seat=seat, bets=a, tokes=b)) for a, b in asked])

    async def acts(self, live: LiveTable, seat: int, choices: list[str]) -> None:
        who = live.table.sitting[seat]
        if who.bot:
            await self.wait(1.3)
            self.done["computer"] += 1
            return
        self.turns += 1
        if self.turns % 9 == 4:
            await self.tried(live, self.here.by(who.player, "stand", seat=seat))
        elif self.turns % 9 == 6:
            await self.tried(live, self.here.by_the_boss("void", reason="a card was bent"))
        elif self.turns % 9 == 8:
            await self.wait(31)
            self.done["late"] += 1
        else:
            self.rng.shuffle(choices)
            for choice in choices:
                if await self.tried(live, self.here.by(who.player, "choose", seat=seat, choice=choice)):
                    break

    async def look(self, live: LiveTable) -> None:
        """Everybody looks, some with the coach, and some of them have not looked for a while."""
        turn = live.table.session.turn
        worth = dict.fromkeys(turn.choices, "+$1.00") if turn is not None else None
        for viewer in self.viewers[live.id]:
            viewer.scenes, viewer.coach = viewer.scenes + 1, self.rng.random() < 0.3
            scene = await same(live, viewer, worth=worth)
            stand = [self.here.house.meters[live.table.group, name] for name in live.table.meter_names]
            assert [one["shows"] for one in scene["table"]["meters"]] == [
                f"{cents // 100:,}.{cents % 100:02d}" for cents in stand
            ]
            self.seen[scene["table"]["phase"]] += 1
            self.seen["choose"] += scene["choose"] is not None
            self.seen["say"] += len(scene["say"])
            if self.rng.random() < 0.7:
                await live.text_for(viewer)  # he is told, and hears it no more


def test_what_painters_draw_is_what_the_house_draws(tmp_path: Path) -> None:
    async def test() -> None:
        (tmp_path / "metered.py").write_text(METERED)
        metered = str(tmp_path / "metered.py")
        async with place(tmp_path, THREE_CARD, metered, many=2) as here:
            night = Night(here, 11)
            games = ("bluff", "flop-poker-bonus", "packs-poker", "blackjack", THREE_CARD)
            tables = [await night.open(game, 2) for game in games]
            first, other = await night.open(metered, 2), await night.open(metered, 1)  # whose meter is one
            evenings = {live.id: night.evening(live) for live in (*tables, first, other)}
            for _ in range(200):
                id = night.rng.choice([*evenings])
                await anext(evenings[id])
                live = here.house.tables[id]
                await night.look(live)
                if live in (first, other):
                    await night.look(other if live is first else first)
            for evening in evenings.values():
                async with aclosing(evening):  # type: ignore[type-var]
                    pass
            assert not here.wrong
            wanted = (
                "bet",
                "deal",
                "choose",
                "stand",
                "sit again",
                "void",
                "limits",
                "seed",
                "cash",
                "computer",
                "late",
            )
            assert all(night.done[what] for what in wanted), night.done
            assert min(night.seen[what] for what in ("playing", "over", "betting", "choose", "say")) > 20, night.seen
            assert here.house.floor.meters.hits["metered", "meter"] > 1
            here.same()

    run(test)


def test_a_painter_shows_what_is_on_the_disk_and_nothing_else(tmp_path: Path) -> None:
    """While a choice is being written the house draws nothing; a painter draws the table as it was before."""
    gate = threading.Event()
    gate.set()

    def at() -> str:
        assert gate.wait(PATIENCE)
        return now()

    async def test() -> None:
        async with place(tmp_path, at=at) as here:
            live = await here.open("bluff", "ann", "bob")
            await dealt(here, live, "ann", "bob")
            ann = viewer_of(live, "ann")
            ann.coach, choice = True, live.table.session.turn.choices[-1]  # type: ignore[union-attr]
            before = await same(live, ann, worth={choice: "+$1.00"})
            assert [one["worth"] for one in before["choose"]["choices"]].count("+$1.00") == 1
            head, events = live.head, len(live.table.session.round.events)  # type: ignore[union-attr]
            try:
                gate.clear()
                chosen = asyncio.create_task(live.ask(here.by("ann", "choose", seat=1, choice=choice)))
                await until(lambda: live._flying)
                assert len(live.table.session.round.events) > events and live.scene_for(ann) is None  # type: ignore[union-attr]
                drawn = await here.house.studio.draw("t1", live._look(ann, False, {choice: "+$9.00"}))
                assert drawn is not None
                shown = json.loads(drawn.text)["shows"]
                assert shown["seats"] == before["seats"] and shown["table"]["head"] == head
                assert [one["worth"] for one in shown["choose"]["choices"]] == [None] * len(before["choose"]["choices"])
                assert json.loads(await live.text_for(ann))["shows"]["choose"]
                assert shown["table"]["clock"]["seat"] == 1
                cy = viewer_of(live, "cy")  # for whom it is looked what the table waits for: for Bob, by then
                drawn = await here.house.studio.draw("t1", look := live._look(cy, False))
                assert drawn is not None and look.clock is not None and look.clock["seat"] == 2
                assert json.loads(drawn.text)["shows"]["table"]["clock"] is None
                line = here.house.studio.lines[0]
                line.ready = False  # the house by itself shows nothing that is not on the disk
                assert await live.text_for(ann) == ""
                line.ready = True
            finally:
                gate.set()
            await chosen
            after = await same(live, ann)
            assert after["table"]["head"] != head and after["seats"] != before["seats"] and after["say"]
            await live.text_for(ann)
            assert (await same(live, ann))["say"] == []  # he has been told

    run(test)


def test_a_painter_reads_the_log_wherever_it_lies(postgres: Any) -> None:
    async def test() -> None:
        where = postgres.emptied()
        with Vault.open(where) as vault:
            games, clock = Games(()), Stopped()
            house = LiveHouse(vault, games.of, clock, Studio(1, where))
            here = Place(vault._store, vault, games, clock, house)  # type: ignore[arg-type]
            house.wrong = lambda error: here.wrong.append(repr(error))
            await house.start()
            try:
                before = await here.open("bluff", "ann")  # before the painter looks, perhaps
                await painters(here)
                after = await here.open("flop-poker-bonus", "ann")
                for live in (before, after):
                    await dealt(here, live, "ann")
                    await same(live, viewer_of(live, "ann"), viewer_of(live, "watcher"))
                    await to_its_end(here, live)
                    await same(live, viewer_of(live, "ann"), viewer_of(live, "watcher"))
                assert not here.wrong
            finally:
                await house.stop()

    run(test)


@pytest.mark.parametrize("size", [1, 3, 7, 10**6])
def test_messages_arrive_whole_however_they_are_cut(size: int) -> None:
    async def test() -> None:
        line, found = Line(0, 1, "", ()), [asyncio.get_running_loop().create_future() for _ in range(3)]
        line._asked = {number: (0.0, one) for number, one in enumerate(found)}
        told = [("x" * 300, (1, 2)), None, ("♠" * 2_000, (3, 4))]
        text = b"".join(packed("drawn", number, one) for number, one in enumerate(told))
        for at in range(0, len(text), size):
            line.data_received(text[at : at + size])
        assert [one.result() for one in found] == told
        ours, its = socket.socketpair()
        its.settimeout(PATIENCE)
        with ours, its:
            parts = [text[at : at + size] for at in range(0, len(text), size)]
            sender = threading.Thread(target=lambda: [ours.sendall(part) for part in parts])
            sender.start()
            came = painting._messages(its)
            assert [next(came) for _ in told] == [("drawn", number, one) for number, one in enumerate(told)]
            sender.join(PATIENCE)

    run(test)


# ---- one is lost


def test_a_painter_that_is_killed_is_replaced_and_nobody_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studios, "AGAIN", 0.05)

    async def test() -> None:
        async with place(tmp_path) as here:
            live, line = await here.open("flop-poker-bonus", "ann", "bob"), here.house.studio.lines[0]
            ann, bob, watcher = (viewer_of(live, who, page=who == "bob") for who in ("ann", "bob", "watcher"))
            for _ in range(2):
                await dealt(here, live, "ann", "bob")
                await same(live, ann, bob, watcher)
                pid, look = pid_of(line), live._look(ann, False)
                os.kill(pid, signal.SIGSTOP)
                asked = asyncio.create_task(live.text_for(ann))
                await until(lambda: line._asked)
                assert not asked.done()
                os.kill(pid, signal.SIGKILL)
                assert await asked == live.canvas.draw(look).text  # and so the house drew it
                assert not line.ready and await here.house.studio.draw("t1", look) is None and line.easel._wide == 1
                turn = live.table.session.turn
                assert turn is not None
                who = live.table.sitting[turn.seat].player
                await live.ask(here.by(who, "choose", seat=turn.seat, choice=turn.choices[0]))
                await painters(here, pid)
                assert line.easel._wide == studios.AT_ONCE > 1
                await same(live, ann, bob, watcher)  # in the middle of a round
                await to_its_end(here, live)
                await same(live, ann, bob, watcher)
            assert not here.wrong
            here.same()

    run(test)


def test_a_painter_that_is_called_between_two_rounds_leaves_the_last_one_on_the_layout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Snapshots hold no round: what lies there is seen until the next deal, and until then the house draws it."""
    monkeypatch.setattr(studios, "AGAIN", 0.05)

    async def test() -> None:
        async with place(tmp_path) as here:
            live = await here.open("bluff", "ann", "bob")
            ann = viewer_of(live, "ann")
            await dealt(here, live, "ann", "bob")
            await to_its_end(here, live)
            pid, look, heard = pid_of(here.house.studio.lines[0]), live._look(ann, False), ann.heard
            before = await live.text_for(ann)
            assert json.loads(before)["shows"]["seats"][0]["hands"]
            os.kill(pid, signal.SIGKILL)
            await painters(here, pid)
            ann.told, ann.heard = look.told, heard
            assert await live.text_for(ann) == before
            await dealt(here, live, "ann", "bob")
            await same(live, ann)

    run(test)


def test_people_play_on_while_painters_are_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody is shown how it ends: no turn at the easel is lost with the painter that was asked."""
    monkeypatch.setattr(studios, "AGAIN", 0.05)

    async def test() -> None:
        async with place(tmp_path) as here:
            tables = [await here.open(game, "ann", "bob") for game in ("bluff", "blackjack")]
            shown: dict[int, str] = {}
            viewers = [viewer_of(live, who) for live in tables for who in ("ann", "bob", *"abcdefghij")]

            async def send(number: int, text: str) -> None:
                shown[number] = text

            for number, viewer in enumerate(viewers):
                viewer.send = lambda text, number=number: send(number, text)  # type: ignore[misc]
            senders = [asyncio.create_task(viewer.run()) for viewer in viewers]
            killed: set[int] = set()

            async def kill() -> None:
                rng = random.Random(3)
                while len(killed) < 2:
                    await painters(here, *killed)
                    await asyncio.sleep(rng.uniform(0.0, 0.05))
                    killed.add(pid := pid_of(here.house.studio.lines[0]))
                    os.kill(pid, signal.SIGKILL)

            async def play(live: LiveTable) -> None:
                while len(killed) < 2:
                    await dealt(here, live, "ann", "bob")
                    await to_its_end(here, live)

            await asyncio.gather(kill(), *map(play, tables))

            def all_told() -> bool:
                heads = [json.loads(shown[number])["shows"]["table"]["head"] for number in sorted(shown)]
                return heads == [live.head for live in tables for _ in range(12)]

            await until(all_told)
            for sender in senders:
                sender.cancel()
            assert not here.wrong
            here.same()

    run(test)


def test_a_painter_that_does_not_answer_is_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studios, "AGAIN", 0.05)

    async def test() -> None:
        async with place(tmp_path) as here:
            live, line = await here.open("bluff", "ann"), here.house.studio.lines[0]
            ann, pid = viewer_of(live, "ann"), pid_of(line)
            os.kill(pid, signal.SIGSTOP)
            asked = asyncio.create_task(live.text_for(ann))
            await until(lambda: line._asked)
            line.look_after()
            await asyncio.sleep(0.05)
            assert line.ready and not asked.done()  # it has its time
            with monkeypatch.context() as short:
                short.setattr(studios, "LONGEST", 0.01)
                line.look_after()
            assert await asked
            await painters(here, pid)
            await until(lambda: not alive(pid))
            line.look_after()
            await same(live, ann)

    run(test)


@pytest.mark.parametrize("doubt", [False, True], ids=["lost", "in doubt"])
def test_when_the_house_takes_up_its_tables_again_so_do_the_painters(tmp_path: Path, doubt: bool) -> None:
    async def test() -> None:
        async with place(tmp_path) as here:
            live, other = await here.open("flop-poker-bonus", "ann", "bob"), await here.open("bluff", "ann")
            viewers = [viewer_of(live, who) for who in ("ann", "bob", "watcher")]
            await dealt(here, live, "ann", "bob")
            await dealt(here, other, "ann")
            pid = pid_of(here.house.studio.lines[0])
            here.store.fail, here.store.doubt = 1, doubt
            turn = live.table.session.turn
            assert turn is not None
            with pytest.raises(BadInput, match="could not be written"):
                await live.ask(here.by("ann", "choose", seat=1, choice=turn.choices[0]))
            await here.settled()
            here.store.doubt = False
            await painters(here, pid)
            assert (live.table.session.turn != turn) == doubt  # in doubt, it stands
            await same(live, *viewers)
            await same(other, viewer_of(other, "ann"))
            await to_its_end(here, live)
            await same(live, *viewers)
            assert not here.wrong
            here.same()

    run(test)


# ---- tables that come later, or again


def test_a_painter_takes_up_what_happens_while_it_comes(tmp_path: Path) -> None:
    """Half of it stands in the log when it looks there, and half is on the line; nothing is missed or done twice."""

    async def test() -> None:
        async with place(tmp_path, many=2, there=False) as here:
            games, step = ("bluff", "packs-poker", "bluff", "bluff"), 0
            tables: list[LiveTable] = []
            while len(tables) < len(games) or not all(line.ready for line in here.house.studio.lines):
                if len(tables) < len(games):
                    tables.append(await here.open(games[len(tables)], "ann", "bob"))
                live, step = tables[step % len(tables)], step + 1
                for seat, who in enumerate(("ann", "bob"), 1):
                    bets = {name: str(int(amount) * (1 + step % 3)) for name, amount in usual(live).items()}
                    await live.ask(here.by(who, "bet", seat=seat, bets=bets))
            for live in tables:
                viewers = [viewer_of(live, who) for who in ("ann", "bob", "watcher")]
                await same(live, *viewers)
                await live.ask(here.by_the_boss("deal"))
                await same(live, *viewers)
                await to_its_end(here, live)
                await same(live, *viewers)
            assert len({id(here.house.studio._of(live.id)) for live in tables}) == 2 and not here.wrong

    run(test)


@pytest.mark.parametrize("game", ["bluff", "flop-poker-bonus"])
def test_a_house_that_is_opened_again_in_the_middle_of_a_round(tmp_path: Path, game: str) -> None:
    async def test() -> None:
        async with place(tmp_path) as here:
            live = await here.open(game, "ann", "bob")
            await dealt(here, live, "ann", "bob")
            await to_its_end(here, live)
            await dealt(here, live, "ann", "bob")
            before = await same(live, viewer_of(live, "ann"))
            assert before["table"]["phase"] == "playing" and before["table"]["round"] == 2
        async with place(tmp_path) as here:
            live = here.house.tables["t1"]
            ann, bob = viewer_of(live, "ann"), viewer_of(live, "bob")
            after = await same(live, bob, ann)
            assert (after["seats"], after["choose"]) == (before["seats"], before["choose"])
            for _ in range(2):
                await to_its_end(here, live)
                await same(live, ann, bob)
                await dealt(here, live, "ann", "bob")
                await same(live, ann, bob)

    run(test)


def test_a_table_that_a_painter_cannot_follow_is_drawn_by_the_house(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studios, "AGAIN", 0.05)

    async def test() -> None:
        async with place(tmp_path) as here:
            live, other = await here.open("bluff", "ann", "bob"), await here.open("blackjack", "ann")
            studio, line = here.house.studio, here.house.studio.lines[0]
            ann, cy = viewer_of(live, "ann"), viewer_of(other, "cy")
            await same(live, ann)
            for _ in range(2):
                line.written("t1", 10**6, [Entry("t1", "settle", {"round": 1})])
                await until(lambda: here.wrong)
                await dealt(here, live, "ann", "bob")
                look = live._look(ann, False)
                assert await studio.draw("t1", look) is None
                assert await live.text_for(ann) == live.canvas.draw(look).text
                await to_its_end(here, live)
                await same(other, cy)
            assert len(here.wrong) == 1 and "table t1 cannot be drawn by a painter" in here.wrong[0]
            assert "follows from nothing before it" in here.wrong[0]
            assert await line.draw("t2", other._look(cy)._replace(who=())) is None  # type: ignore[arg-type]
            assert len(here.wrong) == 2 and "table t2" in here.wrong[1]
            await dealt(here, live, "ann", "bob")
            pid = pid_of(line)
            os.kill(pid, signal.SIGKILL)
            await painters(here, pid)
            await same(live, ann)  # the next painter knows nothing of it
            await same(other, cy)

    run(test)


# ---- none is left behind


@pytest.mark.parametrize("there", [True, False], ids=["there", "on their way"])
def test_a_house_that_is_closed_leaves_no_painter(tmp_path: Path, there: bool) -> None:
    async def test() -> None:
        async with place(tmp_path, many=2, there=there) as here:
            pids = [pid_of(line) for line in here.house.studio.lines]
            assert all(map(alive, pids))
        await until(lambda: not any(map(alive, pids)))
        assert not any(line.ready for line in here.house.studio.lines)

    run(test)


def painters_of(house: int) -> list[int]:
    """The processes that a house has started, as the system knows them."""
    out = []
    for found in Path("/proc").iterdir():
        try:
            if found.name.isdigit() and f") S {house} " in re.sub(r"\) \w ", ") S ", (found / "stat").read_text()):
                out += [int(found.name)] if b"spawn_main" in (found / "cmdline").read_bytes() else []
        except OSError:
            continue
    return out


def worked(pid: int) -> tuple[str, ...]:
    """What a process has done so far, in ticks."""
    return tuple(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13])


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("idle", [True, False], ids=["there", "on its way"])
def test_a_painter_ends_with_a_house_that_was_killed(tmp_path: Path, idle: bool) -> None:
    asked = ["serve", "--db", str(tmp_path / "house.db"), "--port", "0", "--no-browser", "--open", "--painters", "1"]
    house = subprocess.Popen(
        [sys.executable, "-m", "pitboss", *asked], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    late = time.monotonic() + PATIENCE
    try:
        while not (found := painters_of(house.pid)):
            assert time.monotonic() < late and house.poll() is None
            time.sleep(0.01)
        (pid,), still, last = found, 0, ("", "")
        while idle and still < 15:  # until it has nothing to do any more: it has taken up its tables
            time.sleep(0.02)
            still, last = (still + 1, last) if worked(pid) == last and last[0] != "0" else (0, worked(pid))
            assert time.monotonic() < late and house.poll() is None and alive(pid)
        house.kill()
        while alive(pid):
            assert time.monotonic() < late
            time.sleep(0.02)
    finally:
        house.kill()
        told = house.communicate(timeout=PATIENCE)[1]
    assert not idle or not told


# ---- turns at the easel


def test_a_turn_that_is_given_to_somebody_who_has_just_gone_is_handed_on() -> None:
    async def test() -> None:
        easel, loop = Easel(), asyncio.get_running_loop()
        await easel.take(False)
        gone, late, there = (asyncio.create_task(easel.take(False)) for _ in range(3))
        await asyncio.sleep(0)
        late.cancel()  # whose turn has not come
        easel.leave()
        loop.call_soon(gone.cancel)  # after the turn is given to him, and before he knows
        async with asyncio.timeout(5):
            await there
        assert gone.cancelled() and late.cancelled()
        easel.leave()
        async with asyncio.timeout(5):
            await easel.take(False)

    run(test)


def test_who_decides_is_drawn_for_first_and_wider_is_at_once() -> None:
    async def test() -> None:
        easel, order = Easel(), list[str]()

        async def turn(who: str) -> None:
            await easel.take(who.startswith("decides"))
            order.append(who)

        async def next_ones() -> list[str]:
            for _ in range(5):
                await asyncio.sleep(0)
            found, order[:] = [*order], []
            return found

        names = ("first", "a", "b", "decides 1", "c", "d", "decides 2", "e", "f")
        tasks = [asyncio.create_task(turn(who)) for who in names]
        assert await next_ones() == ["first"] and easel.crowded
        easel.leave()
        assert await next_ones() == ["decides 1"]
        easel.widen(3)
        assert await next_ones() == ["decides 2", "a"]
        easel.leave()
        assert await next_ones() == ["b"] and not easel.crowded
        easel.widen(1)
        for _ in range(2):
            easel.leave()
            assert await next_ones() == []  # two too many are at it
        easel.leave()
        assert await next_ones() == ["c"]
        easel.widen(99)
        assert await next_ones() == ["d", "e", "f"]
        await asyncio.gather(*tasks)

    run(test)


@pytest.mark.parametrize("seed", range(5))
def test_whoever_comes_and_goes_no_turn_is_lost(seed: int) -> None:
    async def test() -> None:
        rng, easel = random.Random(seed), Easel()
        wide = at_it = drawn = 1
        await easel.take(False)

        async def viewer() -> None:
            nonlocal at_it, drawn
            await easel.take(rng.random() < 0.3)
            try:
                at_it += 1
                assert at_it <= wide
                for _ in range(rng.randrange(4)):
                    await asyncio.sleep(0)
                drawn += 1
            finally:
                at_it -= 1
                easel.leave()

        tasks = [asyncio.create_task(viewer()) for _ in range(300)]
        at_it -= 1
        easel.leave()
        for _ in range(400):
            await asyncio.sleep(0)
            rng.choice(tasks).cancel() if rng.random() < 0.7 else None
            if rng.random() < 0.1:
                wide = max(wide, many := rng.randint(1, 4))
                easel.widen(many)
        async with asyncio.timeout(20):
            found = await asyncio.gather(*tasks, return_exceptions=True)
        odd = [one for one in found if one is not None and not isinstance(one, asyncio.CancelledError)]
        assert not odd and drawn > 50 and any(found)
        for _ in range(3):
            await asyncio.sleep(0)
        assert easel._taken == 0

    run(test)


# ---- one that cannot begin


def test_a_house_is_opened_though_no_painter_can_be_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studios, "AGAIN", 0.02)
    tried: list[int] = []

    def none_left(process: object) -> None:
        tried.append(1)
        raise BlockingIOError(11, "no process is left")

    monkeypatch.setattr(studios, "_start", none_left)

    async def test() -> None:
        async with place(tmp_path, there=False) as here:
            live = await here.open("bluff", "ann")
            await dealt(here, live, "ann")
            assert json.loads(await live.text_for(viewer_of(live, "ann")))["shows"]["choose"]
            await until(lambda: len(tried) > 2)
            assert len(here.wrong) == 1 and "a painter cannot begin" in here.wrong[0]

    run(test)


def test_a_painter_that_fails_as_it_begins_says_why_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(studios, "AGAIN", 0.02)
    own = tmp_path / "own.py"
    own.write_text(METERED)

    async def test() -> None:
        with Vault.open(tmp_path / "house.db") as vault:
            games, wrong = Games((str(own),)), list[str]()
            house = LiveHouse(vault, games.of, Stopped(), Studio(1, str(tmp_path / "house.db"), (str(own),)))
            house.wrong = lambda error: wrong.append(str(error))
            own.unlink()  # its game file is gone before the painter reads it
            await house.start()
            line = house.studio.lines[0]
            await until(lambda: wrong)
            first = pid_of(line)
            await until(lambda: pid_of(line) != first)
            await house.stop()
            assert len(wrong) == 1 and "own.py" in wrong[0]

    run(test)
    assert "Traceback" not in capfd.readouterr().err


def test_no_clock_is_shown_for_who_has_got_up_while_that_is_being_written(tmp_path: Path) -> None:
    gate = threading.Event()
    gate.set()

    def at() -> str:
        assert gate.wait(PATIENCE)
        return now()

    async def test() -> None:
        async with place(tmp_path, many=0, at=at) as here:
            live = await here.open("bluff", "ann")
            await dealt(here, live, "ann")
            assert live._look(viewer_of_none(live)).clock == {"left": 30, "of": 30, "seat": 1}
            try:
                gate.clear()
                left = asyncio.create_task(live.ask(here.by("ann", "stand", seat=1)))
                await until(lambda: live._flying)
                assert 1 not in live.table.sitting and live.due  # in memory he is gone, and nobody may know
                assert live._look(viewer_of_none(live)).clock is None
            finally:
                gate.set()
            await left

    run(test)


def viewer_of_none(live: LiveTable) -> Viewer:
    """Somebody who looks without having joined."""
    return Viewer(Person("cy", "cy", "player", False), nowhere, live.text_for, Easel(), live.decides)
