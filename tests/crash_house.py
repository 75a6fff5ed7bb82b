"""Kill the whole live house with -9 at random instants while people play, again and again, and see what is left:

    python tests/crash_house.py --kills 1000 --store both

Players sit at three tables of three games and play as fast as they are answered. After every kill the house is opened
again from its log. Nothing that was acknowledged is lost; what was in doubt is sent again under the same id, and stands
once; every account is the sum of its moves; and the audit plays every round again and finds nothing.
"""

import argparse
import asyncio
import contextlib
import http.client
import itertools
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from live_house import FAST
from pitboss.catalog import load
from pitboss.live import Session, usual_bets
from pitboss.vault import Vault
from pitboss.web.checked import audited
from pitboss.web.games import Games
from pitboss.web.serve import Settings, TableWanted
from pitboss.web.serve import run as open_house
from postgres import NoPostgres, private

TABLES = ("bluff", "flop-poker-bonus", "blackjack")
SEATS = 2  # players at each
A_HOUSE = 12  # kills, and then a new house is opened, so that looking at all of it stays quick
LONGEST = 60.0


class Broken(AssertionError):
    """A promise that was not kept."""


@dataclass
class Told:
    """What the players of one house have seen so far."""

    cookies: dict[str, str] = field(default_factory=dict)
    acknowledged: set[tuple[str, str, str]] = field(default_factory=set)  # table, player, id
    doubt: dict[str, dict[str, Any]] = field(default_factory=dict)  # player -> the command that was not answered
    rounds: int = 0


# ---- the two processes


def forked(work: Callable[[int], None]) -> tuple[int, int]:
    """A process that does something and writes to a pipe: its id, and where to read."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.setsid()
        try:
            work(write)
        except BaseException as error:
            os.write(write, (json.dumps({"broken": f"{type(error).__name__}: {error}"}) + "\n").encode())
        os._exit(0)
    os.close(write)
    return child, read


def the_house(db: str) -> Callable[[int], None]:
    settings = Settings(
        db, port=0, tables=tuple(TableWanted(game) for game in TABLES), open_to_guests=True, rates=FAST
    )  # fmt: skip

    def work(pipe: int) -> None:
        open_house(
            settings, lambda address, link: os.write(pipe, f"{address}\n".encode()),
            lambda text: os.write(pipe, (json.dumps({"broken": text}) + "\n").encode()),
        )  # fmt: skip

    return work


def the_players(address: str, told: Told, seed: int) -> Callable[[int], None]:
    def work(pipe: int) -> None:
        asyncio.run(_all(address, told, seed, pipe))

    return work


async def _all(address: str, told: Told, seed: int, pipe: int) -> None:
    players = [(f"{game}-{seat}", f"t{n}", seat) for n, game in enumerate(TABLES, 1) for seat in range(1, SEATS + 1)]
    await asyncio.gather(
        *(_until_killed(_player(address, told, name, table, seat, random.Random(f"{seed} {name}"), pipe))
          for name, table, seat in players)
    )  # fmt: skip


async def _until_killed(playing: Coroutine[Any, Any, None]) -> None:
    """A line that breaks is what is wanted; anything else is told."""
    with contextlib.suppress(OSError, WebSocketException, http.client.HTTPException):
        await playing


async def _player(address: str, told: Told, name: str, table: str, seat: int, rng: random.Random, pipe: int) -> None:
    host = address.removeprefix("http://")
    cookie = told.cookies.get(name) or await asyncio.to_thread(_guest, host, address, name)
    say(pipe, {"cookie": cookie, "player": name})
    at = f"ws://{host}/ws/t/{table}?as=scene"
    async with connect(at, origin=address, additional_headers={"Cookie": cookie}, max_size=None) as line:  # type: ignore[arg-type]
        scene: dict[str, Any] = {}

        async def ask(command: dict[str, Any]) -> None:
            say(pipe, {"asks": command, "player": name})
            await line.send(json.dumps(command))
            while (found := await _read(line, scene)).get("ack") != command["id"]:
                pass
            say(pipe, {"ack": command["id"], "player": name, "table": table, "ok": bool(found.get("ok"))})

        if name in told.doubt:  # the same once more: it stands once, whether it stood before or not
            await ask(told.doubt[name])
        number = rng.getrandbits(40)
        while True:
            number += 1
            if not scene:
                await _read(line, scene)
                continue
            await ask({"id": f"{number:x}", **_wish(scene, seat, name, rng)})
            say(pipe, {"round": scene["table"]["round"], "table": table})


def _wish(scene: dict[str, Any], seat: int, name: str, rng: random.Random) -> dict[str, Any]:
    """What a player does next: whatever the table lets him, and now and then something else."""
    mine = next(one for one in scene["seats"] if one["seat"] == seat)
    if mine["empty"]:
        return {"do": "sit", "seat": seat}
    if scene["choose"]:
        return {"do": "choose", "seat": seat, "choice": rng.choice(scene["choose"]["choices"])["choice"]}
    if float(mine["chips"] or 0) < 60:
        return {"do": "buy", "seat": seat, "cents": 10_000}
    if rng.random() < 0.05:
        return {"do": rng.choice(("stand", "seed", "cash")), "seat": seat, "seed": name, "cents": 100}
    if scene["table"]["phase"] == "playing" or (mine["bets"] and scene["table"]["phase"] == "betting"):
        return {"do": "ready"}
    bets = {
        w["wager"]: w["least"] for w in scene["wagers"] if not w["during"] and (w["required"] or rng.random() < 0.3)
    }
    return {"do": "bet", "seat": seat, "bets": bets or {scene["wagers"][0]["wager"]: scene["wagers"][0]["least"]}}


async def _read(line: ClientConnection, scene: dict[str, Any]) -> dict[str, Any]:
    async with asyncio.timeout(LONGEST):
        found: dict[str, Any] = json.loads(await line.recv())
    if "shows" in found:
        scene.clear()
        scene.update(found["shows"])
    return found


def _guest(host: str, address: str, name: str) -> str:
    """Who was let in as the house was killed never heard of it, and comes again under another name."""
    line = http.client.HTTPConnection(host, timeout=20)
    for called in (name, *(f"{name} {n}" for n in range(9))):
        line.request("POST", "/join", urlencode({"name": called}), {"origin": address})
        found = line.getresponse()
        page = found.read()
        if found.status == 303:
            return str(found.getheader("set-cookie")).partition(";")[0]
        assert b"There is somebody called" in page, page
    raise Broken(f"nobody can come in as {name}")


def say(pipe: int, what: dict[str, Any]) -> None:
    os.write(pipe, (json.dumps(what) + "\n").encode())  # whole: it is shorter than what a pipe takes at once


# ---- one kill


def one_kill(db: str, told: Told, rng: random.Random, longest: float) -> None:
    """Open the house, let people play, kill it, and hear what they have seen."""
    house, from_house = forked(the_house(db))
    with os.fdopen(from_house) as heard:
        address = heard.readline().strip()
        if not address.startswith("http://"):
            raise Broken(f"the house does not open again: {address or 'nothing was said'}")
        players, from_players = forked(the_players(address, told, rng.getrandbits(60)))
        with os.fdopen(from_players) as lines:
            for line in lines:  # until somebody is answered
                _hear(told, line)
                if '"ack"' in line:
                    break
            time.sleep(rng.uniform(0.0, longest))
            os.kill(house, signal.SIGKILL)
            os.waitpid(house, 0)
            trouble = [line for line in heard.read().splitlines() if "broken" in line]
            for line in lines:
                _hear(told, line)
    os.waitpid(players, 0)
    if trouble:
        raise Broken(trouble[0])


def _hear(told: Told, line: str) -> None:
    if not line.endswith("\n"):
        return
    found = json.loads(line)
    if "broken" in found:
        raise Broken(found["broken"])
    elif "cookie" in found:
        told.cookies[found["player"]] = found["cookie"]
    elif "asks" in found:
        told.doubt[found["player"]] = found["asks"]
    elif "ack" in found:
        done = told.doubt.pop(found["player"], {})
        if found["ok"] and done.get("do") not in ("ready", "coach"):
            told.acknowledged.add((found["table"], found["player"], found["ack"]))
    elif "round" in found:
        told.rounds = max(told.rounds, found["round"])


def look(db: str, told: Told) -> tuple[int, int]:
    """Whether every promise is kept; events and rounds."""
    with Vault.open(db, only_read=True) as vault:
        found = audited(vault, Games())
        if found.fault:
            raise Broken(found.fault)
        if sum(vault.balances().values()):
            raise Broken(f"the accounts sum to {sum(vault.balances().values())}")
        ids: dict[str, list[str]] = {}  # of who had to come in again, all
        for person in vault.people():
            ids.setdefault(person.name.partition(" ")[0], []).append(person.id)
        for table, player, id in told.acknowledged:
            if not any(vault.answered(table, f"{one}:{id}") for one in ids[player]):
                raise Broken(f"{id} of {player} at {table} was acknowledged, and is not there")
    return found.events, found.rounds


def warm() -> None:
    """What a process works out once about a game, worked out here, so that none after a kill has to."""
    for game in TABLES:
        table = Session(load(game).at(), SEATS + 1, purses=10_000)
        for _ in range(4):
            for seat in table.seats:
                table.bet(seat, usual_bets(table.house, seat))
            table.deal()
            while (turn := table.turn) is not None:
                table.costs()
                table.choose(turn.seat, random.choice(turn.choices))
            table.view(1)


def crash(
    kills: int, databases: Callable[[], str], seed: int, longest: float = 1.5, loud: bool = False
) -> dict[str, int]:
    """So many kills; what was done meanwhile."""
    warm()
    rng = random.Random(seed)
    sums = {"kills": 0, "acknowledged": 0, "rounds": 0, "events": 0, "in doubt": 0}
    while sums["kills"] < kills:
        told, db = Told(), databases()
        for _ in range(min(A_HOUSE, kills - sums["kills"])):
            one_kill(db, told, rng, longest)
            events, rounds = look(db, told)
            sums["kills"] += 1
            sums["in doubt"] += len(told.doubt)
            if loud:
                print(
                    f"kill {sums['kills']}: {events} events, {rounds} rounds, {len(told.acknowledged)} acknowledged",
                    flush=True,
                )
        sums["events"] += events
        sums["rounds"] += rounds
        sums["acknowledged"] += len(told.acknowledged)
    return sums


def _fresh(folder: str, numbers: Iterator[int]) -> str:
    return str(Path(folder) / f"house{next(numbers)}.db")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--store", choices=("sqlite", "postgresql", "both"), default="both")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quiet", action="store_true")
    args = parser.parse_args()
    stores = ("sqlite", "postgresql") if args.store == "both" else (args.store,)
    with tempfile.TemporaryDirectory() as folder:
        for store in stores:
            each = args.kills // len(stores)
            if store == "sqlite":
                found = crash(each, partial(_fresh, folder, itertools.count()), args.seed, loud=not args.quiet)
            else:
                try:
                    with private() as server:
                        found = crash(each, server.emptied, args.seed, loud=not args.quiet)
                except NoPostgres as error:
                    print(error)
                    return 1
            print(f"{store}: " + ", ".join(f"{many:,} {what}" for what, many in found.items()) + ": every promise kept")
    return 0


if __name__ == "__main__":
    sys.exit(main())
