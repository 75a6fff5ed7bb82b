"""The benchmarks: `python bench/run.py` measures everything in one go, prints it and writes bench/results.md.

A section is a function that takes a scratch directory and gives a table; SECTIONS lists them. A race between a game in
pitboss, in C and in plain Python is one call of `race`.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from pathlib import Path
from statistics import median
from time import perf_counter

import llvmlite.binding as llvm
import numpy as np
from numpy.typing import NDArray

from bluff_plain import play_rounds
from pitboss.cards import shoe_cards
from pitboss.compile import Keys, Simulator, simulator
from pitboss.exact import Solver
from pitboss.games.bluff import GAME
from pitboss.rules import Game

HERE = Path(__file__).resolve().parent
COMPILERS = ("gcc", "clang")
FLAGS = ("-O3", "-march=native")
ROUNDS, PLAIN_ROUNDS, LAPS = 10_000_000, 100_000, 15
BLUFF = {"decks": "6"}


@dataclass(frozen=True)
class Section:
    """One table of the report."""

    title: str
    about: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def __str__(self) -> str:
        table = [self.header, *self.rows]
        widths = [max(len(row[i]) for row in table) for i in range(len(self.header))]
        lines = ["| " + " | ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) + " |" for row in table]
        lines.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
        return "\n".join([f"## {self.title}", "", self.about, "", *lines, *(f"\n{note}" for note in self.notes)])


def aim(met: bool, text: str) -> str:
    return f"{text}: {'met' if met else 'missed'}"


# ---- races: the same game, played by several programs


@dataclass(frozen=True)
class Lap:
    """So many rounds, the seconds they took, and the mean result of a round in units of the ante."""

    rounds: int
    seconds: float
    mean: float
    error: float


@dataclass(frozen=True)
class Runner:
    """One program that plays the game; `lap` takes a seed."""

    name: str
    lap: Callable[[int], Lap]


def lap_of(seconds: float, results: Iterable[tuple[int, int]]) -> Lap:
    """A lap from how often each number of units was won."""
    rounds = total = squares = 0
    for units, count in results:
        rounds, total, squares = rounds + count, total + units * count, squares + units * units * count
    mean = total / rounds
    return Lap(rounds, seconds, mean, sqrt((squares / rounds - mean * mean) / rounds))


def c_runner(compiler: str, source: Path, scratch: Path) -> Runner:
    """The C program, which times itself."""
    program = scratch / f"{source.stem}-{compiler}"
    subprocess.run([compiler, *FLAGS, "-o", program, source, "-lm"], check=True)

    def lap(seed: int) -> Lap:
        done = subprocess.run([program, str(ROUNDS), str(seed)], check=True, capture_output=True, text=True)
        seconds, counted, mean, error = done.stdout.split()
        return Lap(int(counted), float(seconds), float(mean), float(error))

    return Runner(f"C, {compiler} {' '.join(FLAGS)}", lap)


def loop_of(game: Game, options: Mapping[str, str]) -> tuple[Callable[[], Simulator], NDArray[np.uint8]]:
    """What makes the loop of a game, and the best strategy."""
    house = game.at(options)
    solver = Solver(house)
    keys = Keys(solver.graph)
    cards = shoe_cards(house.composition)
    return lambda: simulator(solver.cells, keys, cards), solver.strategy_array(keys)


def pitboss_runner(game: Game, options: Mapping[str, str], wagers: Sequence[str]) -> Runner:
    """The generated loop, on one thread of this process; the result counts the wagers named."""
    make, strategy = loop_of(game, options)
    sim = make()
    units = {"lose": -1, "push": 0, "win": 1}

    def lap(seed: int) -> Lap:
        start = perf_counter()
        counts = sim.run(ROUNDS, seed=seed, chunk=0, strategy=strategy)
        seconds = perf_counter() - start
        ways = ((sim.cells.leaf(i).decode(i), int(n)) for i, n in enumerate(counts) if n)
        return lap_of(seconds, ((sum(units[cell[w]] for w in wagers if w in cell), n) for cell, n in ways))

    return Runner("pitboss, one thread", lap)


def race(title: str, exact: Fraction, runners: Sequence[Runner]) -> Section:
    """Best lap of each; the laps alternate, so that a busy machine slows all alike."""
    laps: dict[str, list[Lap]] = {r.name: [] for r in runners}
    for seed in range(1, LAPS + 1):
        for runner in runners:
            laps[runner.name].append(runner.lap(seed))
    speed = {name: max(x.rounds / x.seconds for x in run) for name, run in laps.items()}
    (ours,) = (v for name, v in speed.items() if name.startswith("pitboss"))
    rows = []
    for name, run in laps.items():
        rounds = sum(x.rounds for x in run)
        edge = -sum(x.mean * x.rounds for x in run) / rounds
        error = sqrt(sum((x.error * x.rounds) ** 2 for x in run)) / rounds
        off = (edge - float(exact)) / error
        rows.append(
            (name, f"{speed[name]:,.0f}", f"{ours / speed[name]:.2f}", f"{edge:.4%} ± {error:.4%}", f"{off:+.1f}")
        )
    in_c = {name: v for name, v in speed.items() if name.startswith("C,")}
    notes = [f"No {c} on this machine." for c in COMPILERS if not shutil.which(c)]
    if in_c:
        best = max(in_c, key=lambda name: in_c[name])
        ratio = ours / in_c[best]
        notes.append(f"pitboss runs at {ratio:.2f} of the better C ({best}); {aim(ratio >= 0.9, 'aim at least 0.9')}.")
    else:
        notes.append("Without a C compiler there is nothing to hold pitboss against but plain Python.")
    return Section(
        title,
        f"Best of {LAPS} alternating laps. They play the same game: the edge, measured over all laps together, lies so "
        f"many standard errors from the exact {exact} = {float(exact):.4%}.",
        ("program", "rounds per second", "pitboss / this", "house edge", "standard errors off"),
        rows,
        notes,
    )


def runners(source: str, ours: Runner, plain: Runner, scratch: Path) -> list[Runner]:
    """The usual field: C by every compiler there is, pitboss, plain Python."""
    return [*(c_runner(c, HERE / source, scratch) for c in COMPILERS if shutil.which(c)), ours, plain]


# ---- sections


def bluff(scratch: Path) -> Section:
    def plain(seed: int) -> Lap:
        start = perf_counter()
        counts = play_rounds(PLAIN_ROUNDS, seed)
        return lap_of(perf_counter() - start, ((outcome[1], n) for outcome, n in counts.items()))

    ours = pitboss_runner(GAME, BLUFF, ("ante", "raise", "call"))
    field = runners("bluff.c", ours, Runner("plain Python", plain), scratch)
    return race("Bluff, six decks, all bets, best strategy", Fraction(171, 4043), field)


def compile_time(scratch: Path) -> Section:
    """Cold and warm, each in a fresh process."""
    took: dict[str, list[float]] = {"empty cache": [], "from the cache": []}
    for i in range(5):
        environment = {**os.environ, "PITBOSS_CACHE": str(scratch / f"cache-{i}")}
        for times in took.values():
            script = "import run; print(run.seconds_to_compile())"
            child = subprocess.run(
                [sys.executable, "-c", script], cwd=HERE, env=environment, check=True, capture_output=True, text=True
            )
            times.append(float(child.stdout))
    rows = [(name, f"{median(times) * 1000:.0f} ms") for name, times in took.items()]
    return Section("Making Bluff's loop", "Median of 5 fresh processes; only the loop itself.", ("code", "time"), rows)


def seconds_to_compile() -> float:
    make = loop_of(GAME, BLUFF)[0]
    start = perf_counter()
    make()
    return perf_counter() - start


def commands(scratch: Path) -> Section:
    """The command line as a user waits for it: not the first time, so bytecode and machine code are in their caches."""
    user = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    user["PYTHONPYCACHEPREFIX"] = str(scratch / "bytecode")
    tool = str(Path(sys.executable).with_name("pitboss"))
    bare = [sys.executable, "-c", "pass"]
    rows, notes = [], []
    if works([tool, "games"], user) and works(bare, user):
        games, nothing = wall([[tool, "games"], bare], 20, user)
        rows.append(("python -c pass", f"{nothing:.3f} s", ""))
        rows.append(
            (
                "pitboss games",
                f"{games:.3f} s",
                aim(games <= 3 * nothing, f"{games / nothing:.1f} times, aim at most 3"),
            )
        )
    else:
        notes.append("`pitboss games` does not run here, so it was not timed.")
    if works([tool, "analyze", "bluff"], user):
        (seconds,) = wall([[tool, "analyze", "bluff"]], 5, user)
        rows.append(("pitboss analyze bluff", f"{seconds:.3f} s", aim(seconds <= 0.5, "aim at most 0.5 s")))
    else:
        notes.append("`pitboss analyze bluff` does not run here, so it was not timed.")
    return Section(
        "Commands",
        "Median wall time: 20 alternating runs of the first two, 5 of the analysis, after one run that is not counted.",
        ("command", "time", "aim"),
        rows,
        notes,
    )


def works(command: Sequence[str], environment: Mapping[str, str]) -> bool:
    try:
        return subprocess.run(command, env=environment, capture_output=True).returncode == 0
    except OSError:
        return False


def wall(programs: Sequence[Sequence[str]], runs: int, environment: Mapping[str, str]) -> list[float]:
    """Median seconds of each."""
    times: list[list[float]] = [[] for _ in programs]
    for _ in range(runs):
        for mine, command in zip(times, programs, strict=True):
            start = perf_counter()
            subprocess.run(command, env=environment, check=True, capture_output=True)
            mine.append(perf_counter() - start)
    return [median(x) for x in times]


SECTIONS: list[Callable[[Path], Section]] = [bluff, compile_time, commands]


# ---- the report


def machine() -> str:
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        model = names[0] if names else model
    lines = [
        f"- processor: {model}, {os.cpu_count()} cores",
        f"- Python {platform.python_version()}, LLVM {'.'.join(map(str, llvm.llvm_version_info))} inside pitboss",
    ]
    for compiler in COMPILERS:
        if shutil.which(compiler):
            version = subprocess.run([compiler, "--version"], check=True, capture_output=True, text=True).stdout
            lines.append(f"- {compiler}: {version.splitlines()[0]}")
        else:
            lines.append(f"- {compiler}: not installed")
    return "\n".join(lines)


def main() -> None:
    parts = [f"# Benchmarks\n\nWritten by `make bench`.\n\n{machine()}"]
    print(parts[0], flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        for section in SECTIONS:
            parts.append(str(section(Path(scratch))))
            print("\n" + parts[-1], flush=True)
    (HERE / "results.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
