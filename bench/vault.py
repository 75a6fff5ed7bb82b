"""What the store alone commits: `python bench/vault.py [--db postgresql://... ...]` prints a table for each store.

With a private PostgreSQL: `python tests/postgres.py python bench/vault.py --db {url}`. Every event has a body of 200
characters and moves money between two accounts; a commit is durable before it is counted.
"""

import argparse
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from field import Section
from pitboss.vault import Action, Entry, Vault

SECONDS = 2.0  # of each line
GROUPS = (1, 10, 100, 500)
WRITERS = 64
BODY = {"choice": "raise", "note": "x" * 170}


def action(table: int, id: str) -> Action:
    seat = f"seat:t{table}:1"
    bet = Entry(f"t{table}", "bet", BODY, {"cage": -100, seat: 100})
    return Action(f"t{table}", id, (bet,), {"seat": 1})


Lap = Callable[[Vault, int], list[float]]


def in_groups(vault: Vault, size: int) -> list[float]:
    """One asker who hands in so many at a time, and waits for the last of them."""
    waits = list[float]()
    start = perf_counter()
    while perf_counter() - start < SECONDS:
        asked = perf_counter()
        ids = range(len(waits), len(waits) + size)
        futures = [vault.write(action(i % 50, f"{size} at once, {i}")) for i in ids]
        for future in futures:
            future.result()
        waits += [perf_counter() - asked] * size
    return waits


def by_many(vault: Vault, writers: int) -> list[float]:
    """So many askers, each of whom waits for one action before the next."""
    waits: list[list[float]] = [[] for _ in range(writers)]
    start = perf_counter()

    def ask(writer: int) -> None:
        while perf_counter() - start < SECONDS:
            asked = perf_counter()
            vault.write(action(writer, f"writer {writer}, {len(waits[writer])}")).result()
            waits[writer].append(perf_counter() - asked)

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [w for each in waits for w in each]


def measured(name: str, where: str | Path) -> Section:
    laps: list[tuple[str, Lap, int]] = [(f"{n} handed in at once", in_groups, n) for n in GROUPS]
    laps.append((f"{WRITERS} writers, each waiting", by_many, WRITERS))
    rows: list[Sequence[str]] = []
    with Vault.open(where) as vault:
        for what, lap, size in laps:
            start, used, before = perf_counter(), process_time(), vault.commits
            waits = sorted(lap(vault, size))
            done, commits = len(waits), vault.commits - before
            rate, cpu = done / (perf_counter() - start), (process_time() - used) / done
            row = f"{rate:,.0f}", f"{done / commits:,.1f}", _ms(median(waits)), _ms(waits[int(done * 0.99)])
            rows.append((what, *row, f"{cpu * 1e6:,.0f} µs"))
        start = perf_counter()
        assert vault.check() == []
        checked = f"The whole log of {vault.head()[0]:,} events was checked afterwards: {perf_counter() - start:.1f} s."
    return Section(
        f"The vault on {name}", "Durable actions of one event each, two seconds a line.",
        ("asked", "actions/s", "in a commit", "p50", "p99", "our CPU an action"), rows, (checked,),
    )  # fmt: skip


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", nargs="*", default=[], help="PostgreSQL databases to measure too")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        print(measured("SQLite", Path(scratch) / "vault.db"), flush=True)
    for url in args.db:
        print(f"\n{measured('PostgreSQL', url)}", flush=True)


if __name__ == "__main__":
    main()
