"""What a cluster costs against threads, with the scheduler and the workers on the same two cores: a section of
bench/run.py, and by itself `python bench/cluster.py [ROUNDS]`."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter

from field import Section, aim
from pitboss.catalog import load as game
from pitboss.crew import Crew, Threads
from pitboss.crew.cluster import Cluster
from pitboss.deal import Run

ROUNDS = 600_000_000
LAPS = 5
TICKS = os.sysconf("SC_CLK_TCK")


def cluster(scratch: Path) -> Section:
    """The same rounds by threads and by workers, in turn, so that what else the machine does falls on all."""
    return measured(ROUNDS)


def measured(rounds: int) -> Section:
    house, load = game("bluff").at(), os.getloadavg()[0]
    with _started(1, 1) as (one, first), _started(2, 1) as (two, second), _started(1, 2) as (wide, third):
        crews: dict[str, tuple[Crew, list[int]]] = {
            "1 thread": (Threads(1), []),
            "1 worker of 1 thread": (Cluster(one), first),
            "2 threads": (Threads(2), []),
            "2 workers of 1 thread": (Cluster(two), second),
            "1 worker of 2 threads": (Cluster(wide), third),
        }
        laps: dict[str, list[tuple[float, float]]] = {name: [] for name in crews}
        for lap in range(-1, LAPS):
            for name, (crew, pids) in crews.items():
                if lap < 0:
                    Run(house).run(rounds // 20, crew=crew)  # everybody has set up
                else:
                    laps[name].append(_lap(Run(house), rounds, crew, pids))
    wall = {name: median(seconds for seconds, _ in some) for name, some in laps.items()}
    spent = {name: median(cpu for _, cpu in some) for name, some in laps.items()}
    rows = []
    for name in crews:
        base = "1 thread" if "1" in name and "2" not in name else "2 threads"
        pairs = list(zip(laps[base], laps[name], strict=True))
        by_clock = median(a / b for (a, _), (b, _) in pairs)
        by_work = median(a / b for (_, a), (_, b) in pairs)
        told = "" if name == base else aim(by_work >= 0.95, f"{by_work:.2f}, aim 0.95")
        clock = "" if name == base else f"{by_clock:.2f}"
        rows.append((name, f"{rounds / wall[name] / 1e6:.1f}", clock, f"{spent[name] / rounds * 1e9:.2f}", told))
    gain = wall["1 worker of 1 thread"] / wall["2 workers of 1 thread"]
    return Section(
        "A cluster on the same two cores",
        f"Bluff, {rounds:,} rounds, tasks of about a second; median of {LAPS} laps in turn. The processor's time is "
        "that of the client, the scheduler and the workers together.",
        ("who deals", "million rounds a second", "of threads", "core-seconds for 10^9 rounds", "of threads, by work"),
        rows,
        [
            f"From one worker to two: {gain:.2f} times as fast. The load of the machine besides was {load:.1f} on "
            f"{os.cpu_count()} cores: that is in what the clock tells, and in part in the rest."
        ],
    )


def _lap(run: Run, rounds: int, crew: Crew, pids: list[int]) -> tuple[float, float]:
    """Seconds, and seconds of processors."""
    before, started = _spent(pids), perf_counter()
    run.run(rounds, crew=crew, patient=True)
    return perf_counter() - started, _spent(pids) - before


def _spent(pids: list[int]) -> float:
    """By this process and those."""
    mine = os.times()
    fields = (Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids)
    return mine.user + mine.system + sum(int(f[11]) + int(f[12]) for f in fields) / TICKS


@contextmanager
def _started(workers: int, threads: int) -> Iterator[tuple[str, list[int]]]:
    """A scheduler and workers on this machine: the address, and whose time is counted."""
    processes = [_process("cluster", "scheduler", "--port", "0")]
    try:
        address = _line(processes[0]).split()[-1]
        for _ in range(workers):
            processes.append(_process("cluster", "worker", address, "--threads", str(threads)))
        for one in processes[1:]:
            _line(one)
        yield address, [one.pid for one in processes]
    finally:
        for one in processes:
            one.kill()
            one.wait()


def _process(*words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-m", "pitboss", *words], stdout=subprocess.PIPE, text=True)


def _line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


if __name__ == "__main__":
    print(measured(int(float(sys.argv[1])) if len(sys.argv) > 1 else ROUNDS))
