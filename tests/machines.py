"""A cluster on this machine for tests: its scheduler and its workers are processes, to be stopped, killed and started
again; and benches whose jobs cost nothing."""

import contextlib
import hashlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helpers import ROOT
from pitboss.catalog import load
from pitboss.crew import Letter
from pitboss.deal import Run
from pitboss.rules import House

TESTS = Path(__file__).parent
OLDER = "import pitboss.crew.away as a; a.__version__ = '0.0.1'"
EDITED = "import pitboss.crew.away as a; a.sources = lambda: 'another'"
SKEWED = "from pitboss.deal import Run; was = Run.fingerprint; Run.fingerprint = lambda s: was(s) | {'answers': 'x'}"
"""What makes a worker another one: to be run before it starts."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Machines:
    """One scheduler and some workers. `inside` puts a command somewhere else, such as in a namespace."""

    host: str = "127.0.0.1"
    inside: Sequence[str] = ()
    more: Sequence[str] = ()  # arguments of every process
    port: int = field(default_factory=free_port)
    scheduler: "subprocess.Popen[str] | None" = None
    workers: "list[subprocess.Popen[str]]" = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"tcp://{self.host}:{self.port}"

    def start(self, workers: int = 2, threads: int = 1) -> "Machines":
        self.start_scheduler()
        for _ in range(workers):
            self.start_worker(threads, wait=False)
        for one in self.workers:
            heard(one)
        return self

    def start_scheduler(self) -> None:
        words = ["cluster", "scheduler", "--host", self.host, "--port", str(self.port), *self.more]
        self.scheduler = started(words, inside=self.inside)
        heard(self.scheduler)

    def start_worker(
        self, threads: int = 1, first: str = "", wait: bool = True, inside: Sequence[str] | None = None
    ) -> "subprocess.Popen[str]":
        words = ["cluster", "worker", self.address, "--threads", str(threads), *self.more]
        one = started(words, first, self.inside if inside is None else inside)
        self.workers.append(one)
        if wait:
            heard(one)
        return one

    def kill_scheduler(self) -> None:
        assert self.scheduler is not None
        _end(self.scheduler)

    def kill_worker(self, number: int) -> None:
        _end(self.workers.pop(number))

    def stop(self) -> None:
        for one in [*self.workers, *([self.scheduler] if self.scheduler else [])]:
            _end(one)


def started(words: Sequence[str], first: str = "", inside: Sequence[str] = ()) -> "subprocess.Popen[str]":
    """A pitboss of its own; `first` is run in it before anything else."""
    script = f"{first}\nimport sys\nfrom pitboss.cli import main\nsys.exit(main())"
    env = {**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{TESTS}", "OPENBLAS_NUM_THREADS": "1"}
    command = [*inside, sys.executable, "-c", script, *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def heard(process: "subprocess.Popen[str]") -> str:
    """Its first line; it says one when it is ready."""
    assert process.stdout is not None and process.stderr is not None
    line = process.stdout.readline()
    assert line, process.stderr.read()
    return line


def _end(process: "subprocess.Popen[str]") -> None:
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGKILL)
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


@contextlib.contextmanager
def machines(workers: int = 2, threads: int = 1, **more: Any) -> Iterator[Machines]:
    made = Machines(**more)
    try:
        yield made.start(workers, threads)
    finally:
        made.stop()


# ---- what is dealt


def counts(run: Run) -> str:
    """A hash of all that was counted."""
    t = run.tally
    told = repr((t.chunks, sorted(t.sums.items()), sorted(t.squares.items()))).encode()
    return hashlib.sha256(t.cells.tobytes() + t.pots.tobytes() + told).hexdigest()


# ---- jobs that cost nothing


@dataclass(frozen=True)
class Naps:
    """Jobs that sleep, and are worth the square of their number."""

    seconds: float = 0.01
    payload: int = 0  # bytes that every job brings back besides

    def do(self, numbers: range) -> list[tuple[int, bytes]]:
        time.sleep(self.seconds * len(numbers))
        return [(n * n, bytes(self.payload)) for n in numbers]

    def letter(self) -> Letter:
        return Letter(napping, load("bluff").at(), {"seconds": self.seconds, "payload": self.payload})

    def identity(self) -> Mapping[str, str]:
        return {"naps": f"{self.seconds} {self.payload}"}


def napping(house: House, **asked: Any) -> Naps:
    return Naps(**asked)
