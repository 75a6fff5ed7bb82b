"""Kill a writer with -9 at random instants, again and again, and see what is left:

    python tests/crash_vault.py --kills 1000 --store both

Writers hand in transfers, some too large, some that were handed in before, and tell what was asked and what was
acknowledged. After every kill: nothing that was acknowledged is lost or changed, nothing is there twice, nothing is
there that nobody asked for, the chain is whole, and every account is the sum of its moves. What was in doubt is asked
again by the next writer, and stands once. On PostgreSQL every twentieth kill is the server's own, too.
"""

import argparse
import contextlib
import json
import os
import random
import select
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pitboss.vault import Action, Entry, Overdrawn, Receipt, Unavailable, Vault
from postgres import NoPostgres, Server, private

THREADS = 6
MOST_EVENTS = 4000  # then a new vault is begun, so that looking at all of it stays quick
ACCOUNTS = [
    *(f"purse:{n}" for n in range(4)),
    *(f"stake:t1:{n}" for n in range(4)),
    "meter:all:grand",
    "cage",
    "rack:t1",
]
NO_RECEIPT = (0, "")  # what a careless writer gives


class Broken(AssertionError):
    """A promise that was not kept."""


@dataclass
class Model:
    """What the writers have said so far, over all kills of one vault."""

    asked: dict[str, list[Any]] = field(default_factory=dict)  # id -> its moves
    acknowledged: dict[str, tuple[int, str]] = field(default_factory=dict)
    unsaid: int = 0  # stood without having been acknowledged
    refusals: int = 0

    def hear(self, line: str) -> None:
        told = json.loads(line)
        if "ask" in told:
            self.asked[told["ask"]] = told["moves"]
        elif "ack" in told:
            before = self.acknowledged.setdefault(told["ack"], (told["seq"], told["hash"]))
            if before != (told["seq"], told["hash"]):
                raise Broken(f"{told['ack']} was acknowledged as two different things")
        elif "refused" in told:
            self.refusals += 1

    def in_doubt(self) -> list[str]:
        return [id for id in self.asked if id not in self.acknowledged]

    def check(self, where: str) -> int:
        """Hold what is kept against what was said."""
        with Vault.open(where, only_read=True) as vault:
            faults = vault.check(dict(r for r in self.acknowledged.values() if r != NO_RECEIPT))
            if faults:
                raise Broken(f"{faults[0]}")
            found: dict[str, list[Any]] = {}
            balances: dict[str, int] = {}
            last: dict[str, tuple[int, str]] = {}
            for event in vault.events():
                if event.action in last and last[event.action][0] != event.seq - 1:
                    raise Broken(f"{event.action} is there twice")
                found.setdefault(event.action, []).append(event.moves)
                last[event.action] = event.seq, event.hash
                for account, change in event.moves.items():
                    balances[account] = balances.get(account, 0) + change
            if balances != vault.balances():
                raise Broken("an account is not the sum of its moves")
        for id, moves in found.items():
            if self.asked.get(id) != moves:
                raise Broken(f"{id} is there, and is not what was asked")
        for id, receipt in self.acknowledged.items():
            if id not in last or receipt not in (last[id], NO_RECEIPT):
                raise Broken(f"{id} was acknowledged, and is lost")
        self.unsaid += sum(id not in self.acknowledged for id in found)
        for id in found:  # they stand: whoever asks again must get this receipt
            self.acknowledged.setdefault(id, last[id])
        return sum(map(len, found.values()))


# ---- the process that is killed


def work(where: str, out: int, seed: int, doubts: dict[str, list[Any]], careless: bool) -> None:
    """Write until somebody comes with a signal; `careless` acknowledges before it is so, to see that this is found."""
    vault = Vault.open(where)

    def say(**told: Any) -> None:
        os.write(out, (json.dumps(told) + "\n").encode())

    def ask(id: str, moves: list[Any]) -> None:
        action = Action("t1", id, tuple(Entry("t1", "moved", {"id": id}, m) for m in moves), {"id": id})
        future = vault.write(action)
        if careless:
            say(ack=id, seq=0, hash="")
            return
        try:
            receipt: Receipt = future.result()
            say(ack=id, seq=receipt.seq, hash=receipt.hash)
        except Overdrawn:
            say(refused=id)
        except Unavailable:
            time.sleep(0.02)  # the database is away; it is asked again, under the same id
            ask(id, moves)

    def go_on(thread: int) -> None:
        luck, n, mine = random.Random(f"{seed}/{thread}"), 0, list[tuple[str, list[Any]]]()
        for id, moves in list(doubts.items())[thread::THREADS]:
            ask(id, moves)
        while True:
            n += 1
            if mine and luck.random() < 0.2:
                ask(*luck.choice(mine[-20:]))
                continue
            moves = []
            for _ in range(luck.randint(1, 3)):
                (one, other), cents = luck.sample(ACCOUNTS, 2), luck.randint(1, 60)
                if not moves and other != "cage":
                    one, cents = "cage", 100  # so that there is something to move
                moves.append({one: -cents, other: cents})
            id = f"{seed}-{thread}-{n}"
            say(ask=id, moves=moves)
            mine.append((id, moves))
            ask(id, moves)

    for thread in range(THREADS):
        threading.Thread(target=go_on, args=(thread,), daemon=True).start()
    threading.Event().wait()


def forked(work: Callable[[int], None]) -> tuple[int, int]:
    """A child that does this and never comes back: its process id, and what it writes."""
    out, into = os.pipe()
    child = os.fork()
    if child:
        os.close(into)
        return child, out
    try:
        os.close(out)
        work(into)
    except BaseException as error:
        os.write(2, f"the writer ended: {error!r}\n".encode())
    finally:
        os._exit(1)


# ---- the process that kills


def kills(
    where: Callable[[], str], count: int, seed: int, server: Server | None = None, careless: bool = False
) -> Iterator[str]:
    """Kill so many times; a line for every vault that was filled. Broken where a promise was not kept."""
    luck, model, place, since = random.Random(seed), Model(), where(), 0
    for n in range(1, count + 1):
        doubts = {id: model.asked[id] for id in model.in_doubt()}
        child, out = forked(lambda into: work(place, into, seed * 1_000_000 + n, doubts, careless))  # noqa: B023
        rest = b""
        try:
            if server is not None and n % 20 == 0:
                rest = _listen(out, model, rest, luck.uniform(0.05, 0.15))
                server.kill()
                server.start()
            rest = _listen(out, model, rest, luck.uniform(0.0, 0.08))
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        _listen(out, model, rest, None)
        os.close(out)
        events, since = model.check(place), since + 1
        if events > MOST_EVENTS or n == count:
            yield (
                f"{since:>4} kills: {events:,} events of {len(model.acknowledged):,} actions, {model.unsaid:,} of them "
                f"unacknowledged when the kill came; {model.refusals:,} refused; nothing lost, nothing twice"
            )
            model, place, since = Model(), where(), 0


def _listen(out: int, model: Model, rest: bytes, seconds: float | None) -> bytes:
    """Hear what a writer says, from its first word on for so long, or to its end; a torn last line is nothing said."""
    last = None
    while True:
        left = None if last is None else last - time.monotonic()
        if left is not None and left <= 0:
            return rest
        ready, _, _ = select.select([out], [], [], 30 if left is None else left)
        if not ready:
            if last is None:
                raise Broken("the writer says nothing")
            return rest
        raw = os.read(out, 1 << 16)
        if not raw:
            return rest
        *lines, rest = (rest + raw).split(b"\n")
        for line in lines:
            model.hear(line.decode())
        if seconds is not None and last is None:
            last = time.monotonic() + seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("--kills", type=int, default=1000, help="of each store (default: %(default)s)")
    parser.add_argument("--store", choices=["sqlite", "postgresql", "both"], default="both")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--careless", action="store_true", help="acknowledge too early, to see that it is found")
    args = parser.parse_args()
    try:
        with contextlib.ExitStack() as stack:
            if args.store != "postgresql":
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                numbers = iter(range(1 << 30))
                print("SQLite", flush=True)
                for line in kills(
                    lambda: str(folder / f"{next(numbers)}.db"), args.kills, args.seed, None, args.careless
                ):
                    print(line, flush=True)
            if args.store != "sqlite":
                server = stack.enter_context(private())
                print("PostgreSQL", flush=True)
                for line in kills(server.emptied, args.kills, args.seed, server, args.careless):
                    print(line, flush=True)
    except Broken as promise:
        print(f"BROKEN: {promise}", flush=True)
        return 1
    except NoPostgres as missing:
        print(missing, flush=True)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
