"""A write fails while people play: what the memory holds afterwards is what the log says, and the house goes on."""

import asyncio
import itertools
import random
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from live_house import Stopped
from pitboss.pit import CLOCK, PLAYER, SUPERVISOR, Command, Floor
from pitboss.rules.errors import BadInput
from pitboss.vault import Vault
from pitboss.vault.sqlite import Sqlite
from pitboss.web.checked import audited
from pitboss.web.games import Games
from pitboss.web.run import LiveHouse
from pitboss.web.table import LiveTable

RAISES = """
from pathlib import Path
from pitboss.rules import DEALER, LOSE, PLAYER, Game, PayTable, Table, Wager, compare


def play(t: Table) -> None:
    if not t.has("side"):
        raise RuntimeError("nobody has thought of that")
    mine = t.deal(PLAYER)
    his = t.deal(DEALER)
    choice = t.decide("go", "stop")
    if Path(__file__).with_suffix(".broken").exists():
        raise RuntimeError("nor of this")
    t.settle(ante=compare(mine.rank, his.rank) if choice == "go" else LOSE, side=LOSE)


GAME = Game(
    name="raises",
    title="Raises",
    play=play,
    wagers=(
        Wager("ante", "The ante.", required=True),
        Wager("side", "A side bet.", needs="ante", tables=[PayTable("standard", {"win": 1})]),
    ),
)
"""


FRESH = itertools.count(1)


class Flaky(Sqlite):
    """A database whose commits fail when they are told to; in doubt, what failed stands all the same."""

    fail, doubt = 0, False

    def connect(self, mode: str) -> Any:
        store, link = self, super().connect(mode)

        class Link:
            def __getattr__(self, name: str) -> Any:
                return getattr(link, name)

            def execute(self, sql: str, *args: object) -> Any:
                if sql == "commit" and store.fail:
                    store.fail -= 1
                    if store.doubt:
                        link.execute(sql, *args)
                    raise sqlite3.OperationalError("database or disk is full")
                return link.execute(sql, *args)

        return Link() if mode == "rw" else link


@dataclass
class Place:
    """A house in memory on a database that can fail."""

    store: Flaky
    vault: Vault
    games: Games
    clock: Stopped
    house: LiveHouse
    wrong: list[str] = field(default_factory=list)

    def by_the_boss(self, do: str, **body: object) -> Command:
        return Command(f"boss:{next(FRESH)}", do, "boss", SUPERVISOR, body)

    def by(self, who: str, do: str, **body: object) -> Command:
        return Command(f"{who}:{next(FRESH)}", do, who, PLAYER, body)

    def let_in(self, who: str, role: str) -> None:
        """Somebody whom the log knows by the id that the tests call him by."""
        if not any(person.id == who for person in self.vault.people()):
            self.vault._happened("added", who, "", name=who, called=who, role=role)

    async def open(self, game: str, *sitting: str) -> LiveTable:
        self.let_in("boss", SUPERVISOR)
        for who in sitting:
            self.let_in(who, PLAYER)
        live = await self.house.open_table(self.by_the_boss("open"), self.games.house(game, {}, {}), game)
        for seat, who in enumerate(sitting, 1):
            await self.house.adjust(self.by_the_boss("adjust"), who, 1_000_000, "chips")
            await live.ask(self.by(who, "sit", seat=seat, name=who))
            await live.ask(self.by(who, "buy", seat=seat, cents=500_000))
        return live

    async def settled(self) -> None:
        """Until nothing is under way any more."""
        for _ in range(3):
            await asyncio.sleep(0.05)
            await self.house.flowing.wait()
            for live in self.house.tables.values():
                await live.landed()

    def same(self) -> None:
        """The memory is what the log comes to, and an audit has nothing to say."""
        floor = Floor(self.games.of)
        floor.restore(
            self.vault.snapshots(), lambda id, seq: self.vault.events(table=id, after=seq), self.vault.secrets,
            self.vault.balances(),
        )  # fmt: skip
        held = self.vault.balances()
        for id, table in self.house.floor.tables.items():
            assert self.house.tables[id].table is table
            assert table.picture() == floor.tables[id].picture()
            assert table.rounds == floor.tables[id].rounds and table.begun == floor.tables[id].begun
            assert all(cents == held.get(account, 0) for account, cents in table.picture().items())
        assert {who: cents for who, cents in self.house.floor.purses.items() if cents} == {
            account.removeprefix("purse:"): cents
            for account, cents in held.items()
            if cents and account.startswith("purse:")
        }
        assert not audited(self.vault, self.games).fault


@asynccontextmanager
async def place(path: Path, *games: str) -> AsyncIterator[Place]:
    store = Flaky(path / "house.db")
    with Vault.on(store) as vault:
        found, clock = Games(games), Stopped()
        here = Place(store, vault, found, clock, LiveHouse(vault, found.of, clock))
        here.house.wrong = lambda error: here.wrong.append(repr(error))
        await here.house.start()
        try:
            yield here
        finally:
            await here.house.stop()


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 60))  # type: ignore[arg-type]


def usual(live: LiveTable) -> dict[str, str]:
    house = live.table.house
    return {name: str(house.least_bet(name)) for name in house.main}


@pytest.mark.parametrize("game", ["bluff", "flop-poker-bonus", "blackjack"])
@pytest.mark.parametrize("doubt", [False, True], ids=["lost", "in doubt"])
def test_the_choice_of_a_late_player_is_not_written(tmp_path: Path, game: str, doubt: bool) -> None:
    """The house tries no other choice on a table of which it does not know how it stands."""

    async def test() -> None:
        async with place(tmp_path) as here:
            live = await here.open(game, "ann", "bob")
            here.store.doubt = doubt
            for _ in range(6):
                for seat, who in enumerate(("ann", "bob"), 1):
                    await live.ask(here.by(who, "bet", seat=seat, bets=usual(live)))
                await live.ask(here.by_the_boss("deal"))
                while live.table.in_play:
                    choices, turn = len(live.table.session.round.choices), live.table.session.turn  # type: ignore[union-attr]
                    here.store.fail = 1
                    here.clock.pass_by(31)
                    await here.settled()
                    here.same()
                    here.store.fail = 0
                    here.clock.pass_by(31)
                    await here.settled()
                    here.same()
                    assert (
                        not live.table.in_play
                        or live.table.session.turn != turn
                        or choices < len(live.table.session.round.choices)
                    )  # type: ignore[union-attr]

    run(test)


@pytest.mark.parametrize("seed", range(6))
def test_what_was_judged_on_what_is_not_so_is_not_written(tmp_path: Path, seed: int) -> None:
    async def test() -> None:
        rng, people = random.Random(seed), ("ann", "bob", "cy")
        async with place(tmp_path) as here:
            live = await here.open("blackjack", *people)
            here.store.fail, here.store.doubt = rng.randint(1, 2), rng.random() < 0.3
            asked = [here.by(people[n % 3], "buy", seat=n % 3 + 1, cents=100 + n) for n in range(60)]
            answers = await asyncio.gather(*(live.ask(command) for command in asked), return_exceptions=True)
            await here.settled()
            told = {c.id for c, answer in zip(asked, answers, strict=True) if not isinstance(answer, BaseException)}
            logged = [event.action for event in here.vault.events() if event.kind == "buy"]
            assert told <= set(logged) and len(logged) == len(set(logged))
            here.same()

    run(test)


def test_a_table_whose_opening_was_in_doubt_and_stands_is_there(tmp_path: Path) -> None:
    async def test() -> None:
        async with place(tmp_path) as here:
            await here.open("blackjack")
            here.store.fail, here.store.doubt = 1, True
            with pytest.raises(BadInput, match="could not be written"):
                await here.open("bluff")
            await here.settled()
            assert list(here.house.tables) == ["t1", "t2"]
            here.store.doubt = False
            assert (await here.open("bluff", "ann")).id == "t3"
            here.same()

    run(test)


def test_one_id_opens_one_table_and_adjusts_once(tmp_path: Path) -> None:
    """However often it comes, and whether or not it is under way."""

    async def test() -> None:
        async with place(tmp_path) as here:
            here.let_in("boss", SUPERVISOR)
            wanted, opens = here.games.house("bluff", {}, {}), here.by_the_boss("open")
            some = await asyncio.gather(*(here.house.open_table(opens, wanted, "One") for _ in range(3)))
            assert {live.id for live in some} == {"t1"}
            assert (await here.house.open_table(opens, wanted, "One")).id == "t1" and list(here.house.tables) == ["t1"]
            others = await asyncio.gather(
                *(here.house.open_table(here.by_the_boss("open"), wanted, "X") for _ in range(3))
            )
            assert {live.id for live in others} == {"t2", "t3", "t4"}
            gives, takes = here.by_the_boss("adjust"), here.by_the_boss("adjust")
            await here.house.adjust(gives, "ann", 100_000, "chips")
            await asyncio.gather(*(here.house.adjust(takes, "ann", -30_000, "back") for _ in range(4)))
            await here.house.adjust(takes, "ann", -30_000, "back")
            assert here.house.floor.purses["ann"] == here.vault.balances()["purse:ann"] == 70_000
            here.same()

    run(test)


def test_a_game_file_that_fails_for_some_bets_does_not_stop_its_table(tmp_path: Path) -> None:
    async def test() -> None:
        (tmp_path / "raises.py").write_text(RAISES)
        async with place(tmp_path, str(tmp_path / "raises.py")) as here:
            live = await here.open(str(tmp_path / "raises.py"), "ann")
            await live.ask(here.by("ann", "bet", seat=1, bets={"ante": "10"}))
            here.clock.pass_by(21)
            await here.settled()
            assert any("The cards are not dealt" in one.text and "nobody has thought" in one.text for one in live.news)
            await live.ask(here.by("ann", "bet", seat=1, bets={"ante": "10", "side": "5"}))
            here.clock.pass_by(21)
            await here.settled()
            assert live.table.in_play
            here.same()

    run(test)


def test_a_game_file_that_fails_after_the_clocks_choice_is_tried_once(tmp_path: Path) -> None:
    async def test() -> None:
        (tmp_path / "raises.py").write_text(RAISES)
        async with place(tmp_path, str(tmp_path / "raises.py")) as here:
            live = await here.open(str(tmp_path / "raises.py"), "ann")
            await live.ask(here.by("ann", "bet", seat=1, bets={"ante": "10", "side": "5"}))
            await live.ask(Command("clock-deal", "deal", "", CLOCK))
            (tmp_path / "raises.broken").touch()
            for _ in range(5):
                here.clock.pass_by(31)
                await here.settled()
            assert sum("the house can choose nothing for seat 1" in one.text for one in live.news) == 1
            (tmp_path / "raises.broken").unlink()
            await live.ask(here.by("ann", "choose", seat=1, choice="go"))
            assert not live.table.in_play
            here.same()

    run(test)


def test_a_table_whose_log_cannot_be_followed_sleeps_and_the_others_go_on(tmp_path: Path) -> None:
    async def test() -> None:
        async with place(tmp_path) as here:
            live, _ = await here.open("blackjack", "ann"), await here.open("bluff", "bob")
            await live.ask(here.by("ann", "bet", seat=1, bets=usual(live)))
        with sqlite3.connect(tmp_path / "house.db") as odd:
            odd.execute("update event set body = replace(body, '\"seat\":1', '\"seat\":99') where kind = 'bet'")
        async with place(tmp_path) as here:
            assert list(here.house.tables) == ["t2"] and "seat 99" in here.house.asleep["t1"]
            assert (await here.open("flop-poker-bonus", "cy")).id == "t3"

    run(test)
