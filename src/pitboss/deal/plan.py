"""How a simulation is going to be cut, and how long it should take: by dealing for a moment."""

import os
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from pitboss.crew.window import SPAN
from pitboss.deal.run import Run

MOMENT = 0.4  # seconds of dealing, to see how long a chunk takes
SPREAD = 0.95  # of its threads' speed that a cluster gives, at the least, on a machine that does nothing else


@dataclass(frozen=True)
class Cut:
    """Chunks are the same whoever deals them; tasks are as many of them as take about a second."""

    rounds: int
    chunk: int  # rounds
    chunks: int
    rest: int  # rounds that are no whole chunk
    seconds: float  # of a chunk, on one core of this machine
    together: int  # chunks in a task
    threads: int
    workers: int | None  # of a cluster; None: threads of this machine

    @property
    def tasks(self) -> int:
        return -(-self.chunks // self.together)

    @property
    def work(self) -> float:
        """Seconds of one core."""
        return self.seconds * self.rounds / self.chunk

    @property
    def takes(self) -> float | None:
        """Seconds, if all cores are like those here; None where there is nobody."""
        if not self.threads:
            return None
        return self.work / self.threads / (1.0 if self.workers is None else SPREAD)

    def json(self) -> dict[str, Any]:
        return {"cut": {**asdict(self), "tasks": self.tasks, "core_seconds": self.work, "takes_seconds": self.takes}}


def cut_of(run: Run, rounds: int, threads: int | None, there: Mapping[str, int] | None) -> Cut:
    """`there`: the workers of a cluster and their threads; None for `threads` of this machine, or all its cores."""
    seconds = _of_a_chunk(run)
    many = (threads or os.cpu_count() or 1) if there is None else sum(there.values())
    together = 1 if there is None else max(1, int(SPAN / seconds))
    workers = None if there is None else len(there)
    chunks, rest = divmod(rounds, run.chunk)
    return Cut(rounds, run.chunk, chunks, rest, seconds, together, many, workers)


def _of_a_chunk(run: Run) -> float:
    """The processor's time, whatever else the machine does. The first chunk finds everything cold, and is left out."""
    found: list[float] = []
    until = time.perf_counter() + MOMENT
    while len(found) < 2 or time.perf_counter() < until:
        started = time.thread_time()
        run.do(range(len(found), len(found) + 1))
        found.append(time.thread_time() - started)
    return max(median(found[1:]), 1e-6)
