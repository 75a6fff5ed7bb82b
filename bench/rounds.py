"""Whether the live house keeps what it no longer needs: so many rounds at forty tables, each written to the disk, and
the memory of the process as they go by:

    python bench/rounds.py [--rounds 100000] [--db FILE]

The house runs as it does when it is served, without the sockets: every bet and choice goes through the table's inbox,
the clock deals, the vault commits, and a scene is made for somebody who looks on at every table.
"""

import argparse
import asyncio
import re
import sys
import tempfile
import time
from pathlib import Path

from pitboss.live.bots import usual_bets
from pitboss.pit import SUPERVISOR, Command
from pitboss.vault import Person, Vault
from pitboss.web.games import Games
from pitboss.web.run import LiveHouse
from pitboss.web.table import LiveTable
from pitboss.web.viewer import Viewer

TABLES, MARKS = 40, 10


def memory() -> float:
    """Megabytes that this process holds."""
    found = re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found is not None
    return int(found.group(1)) / 1024


async def nowhere(text: str) -> None:
    """Somebody who looks on."""


class Counted:
    """Rounds that were played, and the memory at each tenth of them."""

    def __init__(self, rounds: int) -> None:
        self.rounds, self.played, self.begun = rounds, 0, time.perf_counter()
        self.marks: list[tuple[int, float]] = []

    def one(self) -> None:
        self.played += 1
        if self.played % (self.rounds // MARKS) == 0:
            self.marks.append((self.played, memory()))
            rate = self.played / (time.perf_counter() - self.begun)
            print(f"{self.played:>12,} rounds {memory():8.1f} MB {rate:8,.0f} rounds a second", flush=True)


async def player(house: LiveHouse, live: LiveTable, counted: Counted) -> None:
    person, asked = f"p{live.id}", 0
    bets = {name: str(amount) for name, amount in usual_bets(live.table.house, 1).items()}

    async def ask(do: str, **body: object) -> None:
        nonlocal asked
        asked += 1
        await live.ask(Command(f"{person}:{asked}", do, person, "player", {"seat": 1, **body}))

    await house.adjust(Command(f"chips {person}", "adjust", "boss", SUPERVISOR), person, 10**11, "chips for a bench")
    await ask("sit", name=person)
    await ask("buy", cents=10**10)
    while counted.played < counted.rounds:
        await ask("bet", bets=bets)
        live.set_ready(person, True)
        rounds = live.table.rounds
        while live.table.rounds == rounds:
            await asyncio.sleep(0.001)
        while (turn := live.table.session.turn) is not None:
            await ask("choose", choice=turn.choices[0])
        await live.landed()
        counted.one()


async def play(db: str, rounds: int) -> Counted:
    with Vault.open(db) as vault:
        games = Games()
        house = LiveHouse(vault, games.of)
        await house.start()
        counted, lookers = Counted(rounds), []
        for number in range(TABLES):
            command = Command(f"open {number}", "open", "boss", SUPERVISOR)
            live = await house.open_table(command, games.house("bluff", {}, {}), f"Table {number}", seats=1)
            who = Person(f"p{live.id}", "A player", "player", False)
            viewer = Viewer(who, nowhere, live.text_for, house.studio.easel(live.id), live.decides)
            live.join(viewer)
            lookers.append(asyncio.create_task(viewer.run()))
        await asyncio.gather(*(player(house, live, counted) for live in house.tables.values()))
        for task in lookers:
            task.cancel()
        await house.stop()
    return counted


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=float, default=1e5)
    parser.add_argument("--db", help="a vault of its own (default: SQLite in a folder that goes)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counted = asyncio.run(play(args.db or f"{folder}/house.db", int(args.rounds)))
    (first, before), (last, after) = counted.marks[0], counted.marks[-1]
    print(f"from round {first:,} to round {last:,}: {before:.1f} MB, {after:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
