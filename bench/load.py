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
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from urllib.parse import urlencode

from pitboss.catalog import load
from pitboss.live.bots import usual_bets
from pitboss.vault import Action, Entry, Vault

GAMES = ("bluff", "flop-poker-bonus", "blackjack")
WARM = 8.0  # seconds of playing before it counts
CHOICES = re.compile(rb'"choices":\[\{"choice":"([^"]+)"')
ROUND = re.compile(rb'"round":(\d+)')


@dataclass
class Counted:
    """What all players together have seen."""

    waits: list[float] = field(default_factory=list)
    refused: int = 0
    scenes: int = 0
    sent: int = 0  # bytes that came
    counting: bool = False
    spent: float = 0.0  # seconds of processor time that the house took meanwhile
    own: float = 0.0  # and the players


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


class Line(asyncio.Protocol):
    """One websocket of a player, with as little work as it takes: the players share the machine with the house."""

    def __init__(self, host: str, path: str, cookie: str, hear: Callable[[bytes], None]) -> None:
        self.hear, self.open, self.lost, self._left = hear, False, "", b""
        self._hello = (
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: cGl0Ym9zcyBpcyBvcGVuIQ==\r\n\r\n"
        )

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self._hello.encode())

    def connection_lost(self, error: Exception | None) -> None:
        self.lost = self.lost or f"the line was lost: {error!r}"

    def data_received(self, data: bytes) -> None:
        data = self._left + data if self._left else data
        if not self.open:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._left = head
                return
            self.open = True
            if b" 101 " not in head.partition(b"\r\n")[0]:
                self.lost = f"the house refused the line: {head[:80]!r}"
                return
        at = 0
        while len(data) - at >= 2:
            size, start = data[at + 1], at + 2  # nothing that a server sends is masked
            if size == 126:
                size, start = int.from_bytes(data[start : start + 2], "big"), start + 2
            elif size == 127:
                size, start = int.from_bytes(data[start : start + 8], "big"), start + 8
            if len(data) < start + size:
                break
            self._frame(data[at] & 15, data[start : start + size])
            at = start + size
        self._left = data[at:]

    def _frame(self, kind: int, payload: bytes) -> None:
        if kind == 1:
            self.hear(payload)
        elif kind == 8:
            self.lost = f"the house closed the line: {payload[2:].decode()}"
        elif kind == 9:
            self._send(10, payload)

    def say(self, **message: object) -> None:
        self._send(1, json.dumps(message).encode())

    def _send(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        long = bytes([128 | size]) if size < 126 else bytes([254]) + size.to_bytes(2, "big")
        self.transport.write(bytes([128 | kind]) + long + bytes(4) + payload)  # masked with zeros


class Pace:
    """So many decisions a second in all, by any of the players who are ready: people do not take turns over the tables,
    and would all be dealt to at once if they did. Without a rate, at once."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self._waiting: list[Callable[[], None]] = []
        self._any = Random(1)

    def ask(self, decide: Callable[[], None]) -> None:
        if self.rate:
            self._waiting.append(decide)
        else:
            decide()

    async def run(self) -> None:
        begun, gone = time.perf_counter(), 0
        while self.rate:
            await asyncio.sleep(0.002)
            due = int((time.perf_counter() - begun) * self.rate)
            while gone < due:
                gone += 1  # what nobody is ready for is not made up for
                if self._waiting:
                    one = self._any.randrange(len(self._waiting))
                    self._waiting[one], self._waiting[-1] = self._waiting[-1], self._waiting[one]
                    self._waiting.pop()()


def _of(player: "Player") -> "Line":
    return player.line


class Player:
    """Bets when bets are open, and makes the first choice when it is his turn."""

    def __init__(
        self, at: tuple[str, int, str, str], host: str, bets: dict[str, str], counted: Counted, pace: Pace
    ) -> None:
        table, self.seat, cookie, _ = at
        self.line = Line(host, f"/ws/t/{table}?as=scene", cookie, self.hear)
        self.bets, self.counted, self.pace = bets, counted, pace
        self.mine = b'"choose":{"seat":%d' % self.seat
        self.round, self.number, self.busy = b"", 0, False
        self.todo: deque[dict[str, object]] = deque()
        self.counts, self.asked, self.made = False, 0.0, b""

    def hear(self, text: bytes) -> None:
        counted = self.counted
        counted.sent += len(text)
        if text.startswith(b'{"scene"'):
            counted.scenes += counted.counting
            if not self.busy:
                self.look(text)
            else:
                self.made = text
        elif text.startswith(b'{"ack": "%d"' % self.number):
            if b'"refused"' in text:
                counted.refused += counted.counting
                self.round = b""
            elif self.counts and counted.counting:
                counted.waits.append(time.perf_counter() - self.asked)
            self.next()

    def next(self) -> None:
        """The next of what is to be said, or a look at what was seen meanwhile."""
        if self.todo:
            command = self.todo.popleft()
            self.counts = command["do"] in ("bet", "choose")
            self.number += 1
            self.asked = time.perf_counter()
            self.line.say(id=f"{self.number}", **command)
            return
        self.busy, seen, self.made = False, self.made, b""
        if seen:
            self.look(seen)

    def begin(self) -> None:
        self.do({"do": "sit", "seat": self.seat}, {"do": "buy", "seat": self.seat, "cents": 90_000})

    def do(self, *commands: dict[str, object]) -> None:
        self.busy = True
        self.todo.extend(commands)
        self.next()

    def look(self, seen: bytes) -> None:
        if self.mine in seen:
            found = CHOICES.search(seen, seen.index(b'"choose":{'))
            assert found is not None
            self.decide({"do": "choose", "seat": self.seat, "choice": found.group(1).decode()})
        elif b'"phase":"playing"' not in seen[:600]:
            round_ = ROUND.search(seen)
            assert round_ is not None
            if round_.group(1) != self.round:
                self.round = round_.group(1)
                self.decide({"do": "bet", "seat": self.seat, "bets": self.bets}, {"do": "ready"})

    def decide(self, *commands: dict[str, object]) -> None:
        self.busy = True
        self.pace.ask(lambda: self.do(*commands))


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


def the_same_alone(db: str, alone: str, writers: int) -> float:
    """Decisions a second when so many writers commit what the house has committed, each waiting for each of his: the
    same events with the same money, table by table in their order."""
    with Vault.open(db, only_read=True) as source:
        actions: dict[tuple[str, str], list[Entry]] = {}
        for event in source.events():
            if event.kind != "person":
                entry = Entry(event.table, event.kind, event.body, event.moves)
                actions.setdefault((event.of, event.action), []).append(entry)
    first: list[Action] = []
    play: dict[str, list[Action]] = {}
    for (of, id), entries in actions.items():
        begins = of == "house" or entries[0].kind in ("open", "sit", "buy")
        (first if begins else play.setdefault(of, [])).append(Action(of, id, tuple(entries)))
    vault = Vault.open(alone)
    for wait in [vault.write(action) for action in first]:
        wait.result()
    shares = [[one for table in list(play)[n::writers] for one in play[table]] for n in range(writers)]
    many = sum(action.entries[0].kind in ("bet", "choose") for share in shares for action in share)

    def write(share: list[Action]) -> None:
        for action in share:
            vault.write(action).result()

    begun = time.perf_counter()
    threads = [threading.Thread(target=write, args=(share,)) for share in shares]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - begun
    vault.close()
    return many / took


# ---- all of it


async def measured(pid: int, host: str, seats: list[tuple[str, int, str, str]], seconds: float, rate: float) -> Counted:
    counted, pace, bets = Counted(), Pace(rate), {}
    for game in {game for _, _, _, game in seats}:
        house = load(game).at()
        bets[game] = {name: str(amount) for name, amount in usual_bets(house, 1).items()}
    players = [Player(at, host, bets[at[3]], counted, pace) for at in seats]
    where, port = host.split(":")
    for player in players:
        await asyncio.get_running_loop().create_connection(partial(_of, player), where, int(port))
    while not all(player.line.open for player in players):
        await asyncio.sleep(0.05)
    for player in players:
        player.begin()
    pacing = asyncio.create_task(pace.run())
    await asyncio.sleep(WARM)
    counted.counting, before = True, cpu(pid)
    own = time.process_time()
    await asyncio.sleep(seconds)
    counted.counting, counted.spent, counted.own = False, cpu(pid) - before, time.process_time() - own
    pacing.cancel()
    lost = [player.line.lost for player in players if player.line.lost]
    if lost:
        raise SystemExit(f"{len(lost)} players gave up: {lost[0]}")
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
        counted = asyncio.run(measured(child.pid, host, chairs, args.seconds, args.rate))
        last = memory(child.pid)
    finally:
        child.terminate()
        child.wait(30)
    after = store_alone(alone_db + "2", 3.0, 64) if not db.startswith("postgresql") else 0.0
    same = the_same_alone(db, alone_db + "3", 64) if not db.startswith("postgresql") else 0.0
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
        ("the store alone, the very events of this run, decisions a second", f"{same:,.0f}"),
        ("decisions to that", f"{rate / same:.2f}" if same else "not measured"),
        (
            "cores that the house used, and its players",
            f"{counted.spent / args.seconds:.2f}, {counted.own / args.seconds:.2f}",
        ),
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
