"""Load on the live house: so many tables of five seats, everybody on a socket of his own and playing as fast as he is
answered, with the house on one core and the players on the other:

    python bench/load.py [--tables 200] [--seats 5] [--seconds 30] [--games bluff,...] [--db postgresql://...] [--write]

A decision is a command that is acknowledged, which is when it is on the disk: bets, choices and readiness are sent, and
bets and choices are counted. The store alone is measured in the same run, before and after. With --rate so many
decisions a second are asked for in all, and not as many as can be; then the waits say what a player feels.
"""

import argparse
import asyncio
import http.client
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from pitboss.catalog import load
from pitboss.live.bots import usual_bets
from pitboss.vault import Action, Entry, Vault

GAMES = ("bluff", "flop-poker-bonus", "blackjack")
WARM = 5.0  # seconds of playing before it counts
CHOICES = re.compile(r'"choices":\[\{"choice":"([^"]+)"')


@dataclass
class Counted:
    """What all players together have seen."""

    waits: list[float] = field(default_factory=list)
    refused: int = 0
    scenes: int = 0
    sent: int = 0  # bytes that came
    counting: bool = False
    spent: float = 0.0  # seconds of processor time that the house took meanwhile


# ---- the house


def serve(db: str) -> None:
    from pitboss.web.doors import Rates
    from pitboss.web.serve import Settings, TableWanted, run

    fast = Rates((1e9, 1e9), (1e9, 1e9), (1e9, 1e9), 10)
    settings = Settings(db, port=0, open_to_guests=True, rates=fast, tables=(TableWanted(GAMES[0]),))
    run(settings, lambda address, link: print(address, link, flush=True), lambda text: print(text, file=sys.stderr))


def ask(host: str, method: str, path: str, form: dict[str, str], cookie: str = "") -> http.client.HTTPResponse:
    line = http.client.HTTPConnection(host, timeout=60)
    headers = {"origin": f"http://{host}", "content-type": "application/x-www-form-urlencoded", "cookie": cookie}
    line.request(method, path, urlencode(form), headers)
    found = line.getresponse()
    found.read()
    assert found.status == 303, (path, found.status)
    return found


def cookie_of(found: http.client.HTTPResponse) -> str:
    return str(found.getheader("set-cookie")).partition(";")[0]


# ---- a player


async def player(
    host: str, table: str, seat: int, cookie: str, bets: dict[str, str], counted: Counted, pause: float
) -> None:
    at = f"ws://{host}/ws/t/{table}?as=scene"
    headers = {"Cookie": cookie}
    async with connect(
        at, origin=Origin(f"http://{host}"), additional_headers=headers, max_size=None, compression=None
    ) as line:
        await Player(line, seat, bets, counted, pause).play()


@dataclass
class Player:
    line: ClientConnection
    seat: int
    bets: dict[str, str]
    counted: Counted
    pause: float
    scene: str = ""
    number: int = 0

    async def read(self) -> str:
        text = await self.line.recv()
        assert isinstance(text, str)
        self.counted.sent += len(text)
        if text.startswith('{"scene"'):
            self.scene = text
            self.counted.scenes += self.counted.counting
        return text

    async def ask(self, counts: bool, **command: object) -> None:
        self.number += 1
        asked = time.perf_counter()
        id = f"{self.number}"
        await self.line.send(json.dumps({"id": id, **command}))
        while not (answer := await self.read()).startswith(f'{{"ack": "{id}"'):
            pass
        if '"refused"' in answer:
            self.counted.refused += self.counted.counting
        elif counts and self.counted.counting:
            self.counted.waits.append(time.perf_counter() - asked)

    async def play(self) -> None:
        await self.ask(False, do="sit", seat=self.seat)
        await self.ask(False, do="buy", seat=self.seat, cents=90_000)
        while True:
            seen = self.scene
            if f'"choose":{{"seat":{self.seat}' in seen:
                found = CHOICES.search(seen, seen.index('"choose":{'))
                assert found is not None
                await self.rest()
                await self.ask(True, do="choose", seat=self.seat, choice=found.group(1))
            elif '"phase":"over"' in seen or ('"phase":"betting"' in seen and not self.laid(seen)):
                await self.rest()
                await self.ask(True, do="bet", seat=self.seat, bets=self.bets)
                await self.ask(False, do="ready")
            while self.scene is seen:
                await self.read()

    def laid(self, seen: str) -> bool:
        own = seen.find(f'{{"seat":{self.seat},"name"')
        return own >= 0 and '"bets":{}' not in seen[own : seen.find('"hands"', own)]

    async def rest(self) -> None:
        if self.pause:
            await asyncio.sleep(random.expovariate(1 / self.pause))


# ---- the store alone


def store_alone(db: str, seconds: float, writers: int) -> float:
    """Events a second that so many writers commit who wait for each: what the house could do if it cost nothing."""
    vault = Vault.open(db)
    end, done = time.perf_counter() + seconds, [0] * writers

    def write(who: int) -> None:
        while time.perf_counter() < end:
            body = {"seat": 1, "choice": "raise", "note": "x" * 100}
            entry = Entry(f"t{who}", "choose", body, {f"seat:t{who}:1": 5, "cage": -5})
            vault.write(Action(f"t{who}", f"{done[who]}", (entry,))).result()
            done[who] += 1

    threads = [threading.Thread(target=write, args=(who,)) for who in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    vault.close()
    return sum(done) / seconds


# ---- all of it


async def measured(
    pid: int, host: str, seats: list[tuple[str, int, str, str]], seconds: float, pause: float
) -> Counted:
    counted, bets = Counted(), {}
    for game in {game for _, _, _, game in seats}:
        house = load(game).at()
        bets[game] = {name: str(amount) for name, amount in usual_bets(house, 1).items()}
    players = [
        asyncio.create_task(player(host, table, seat, cookie, bets[game], counted, pause))
        for table, seat, cookie, game in seats
    ]
    await asyncio.sleep(WARM + len(seats) / 100)
    counted.counting, before = True, cpu(pid)
    await asyncio.sleep(seconds)
    counted.counting, counted.spent = False, cpu(pid) - before
    failed = [task for task in players if task.done()]
    for task in players:
        task.cancel()
    await asyncio.gather(*players, return_exceptions=True)
    if failed:
        raise SystemExit(f"{len(failed)} players gave up: {failed[0].exception()!r}")
    return counted


def memory(pid: int) -> float:
    """Megabytes that a process holds."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text).group(1)) / 1024  # type: ignore[union-attr]


def cpu(pid: int) -> float:
    parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def report(args: argparse.Namespace, db: str, alone_db: str) -> list[tuple[str, str]]:
    before = store_alone(alone_db + "1", 3.0, 64) if not db.startswith("postgresql") else 0.0
    child = subprocess.Popen([sys.executable, __file__, "--serve", db], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        address, link = child.stdout.readline().split()
        host = address.removeprefix("http://")
        boss = cookie_of(ask(host, "POST", "/invite/" + link.rpartition("/")[2], {}))
        games = args.games.split(",")
        rows = [(f"t{n + 1}", games[n % len(games)]) for n in range(args.tables)]
        for table, game in rows[1:] if games[0] == GAMES[0] else rows:
            form = {"do": "open", "game": game, "name": table, "option:table-max": "500"}
            ask(host, "POST", "/supervisor", form, boss)
        if games[0] != GAMES[0]:
            rows = [(f"t{n + 2}", game) for n, (_, game) in enumerate(rows)]
        with ThreadPoolExecutor(8) as pool:
            names = [f"{table} {seat}" for table, _ in rows for seat in range(1, args.seats + 1)]
            cookies = dict(
                zip(names, pool.map(lambda n: cookie_of(ask(host, "POST", "/join", {"name": n})), names), strict=True)
            )
        chairs = [(t, seat, cookies[f"{t} {seat}"], g) for t, g in rows for seat in range(1, args.seats + 1)]
        first = memory(child.pid)
        pause = len(chairs) / args.rate if args.rate else 0.0
        counted = asyncio.run(measured(child.pid, host, chairs, args.seconds, pause))
        last = memory(child.pid)
    finally:
        child.terminate()
        child.wait(30)
    after = store_alone(alone_db + "2", 3.0, 64) if not db.startswith("postgresql") else 0.0
    waits, alone = sorted(counted.waits), median([before, after])
    if not waits:
        raise SystemExit("nothing was answered in that time; the machine is too busy to measure anything")
    rate = len(waits) / args.seconds
    return [
        ("tables, seats, sockets", f"{args.tables}, {args.seats}, {len(chairs)}"),
        ("games", args.games),
        ("decisions a second, each on the disk before it is answered", f"{rate:,.0f}"),
        ("wait for the answer, median", f"{1000 * waits[len(waits) // 2]:.0f} ms"),
        ("wait for the answer, 99 of 100", f"{1000 * waits[len(waits) * 99 // 100]:.0f} ms"),
        ("scenes a second", f"{counted.scenes / args.seconds:,.0f}"),
        ("refused", f"{counted.refused}"),
        ("the store alone, events a second, 64 writers", f"{before:,.0f} before, {after:,.0f} after"),
        ("decisions to what the store alone commits", f"{rate / alone:.2f}" if alone else "not measured"),
        ("cores that the house used", f"{counted.spent / args.seconds:.2f}"),
        ("its processor time for a decision, scenes and all", f"{1000 * counted.spent / len(waits):.1f} ms"),
        ("memory of the house, before and after", f"{first:.0f} MB, {last:.0f} MB"),
    ]


def table_of(rows: Sequence[tuple[str, str]]) -> str:
    wide = max(len(name) for name, _ in rows)
    return "\n".join(f"| {name:<{wide}} | {value} |" for name, value in rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", metavar="DB", help=argparse.SUPPRESS)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--rate", type=float, default=0.0, help="decisions a second that are asked for (default: all)")
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--db", help="a database of its own (default: SQLite in a folder that goes)")
    args = parser.parse_args()
    if args.serve:
        serve(args.serve)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        rows = report(args, args.db or f"{folder}/house.db", f"{folder}/alone")
    print(table_of(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
