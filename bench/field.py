"""What the benchmarks share: a table of the report, and a race between programs that play the same game."""

import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import shoe_cards
from pitboss.compile import Keys, Simulator, simulator
from pitboss.exact import Solver
from pitboss.rules import Game

HERE = Path(__file__).resolve().parent
COMPILERS = ("gcc", "clang")
FLAGS = ("-O3", "-march=native")
ROUNDS, PLAIN_ROUNDS, LAPS = 10_000_000, 100_000, 15


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
    """One program that plays the game; `lap` takes a seed. The aim is against the fastest yardstick."""

    name: str
    lap: Callable[[int], Lap]
    yardstick: bool = False


def lap_of(seconds: float, results: Iterable[tuple[int, int]], parts: int = 1) -> Lap:
    """A lap from how often each number of units was won; a unit is the ante, or one of so many parts of it."""
    rounds = total = squares = 0
    for units, count in results:
        rounds, total, squares = rounds + count, total + units * count, squares + units * units * count
    mean = total / rounds
    return Lap(rounds, seconds, mean / parts, sqrt((squares / rounds - mean * mean) / rounds) / parts)


def c_program(compiler: str, source: Path, scratch: Path) -> Path:
    program = scratch / f"{source.stem}-{compiler}"
    subprocess.run([compiler, *FLAGS, "-o", program, source, "-lm"], check=True)
    return program


def c_runner(compiler: str, source: Path, scratch: Path, kind: str = "C") -> Runner:
    """The C program, which times itself."""
    program = c_program(compiler, source, scratch)

    def lap(seed: int) -> Lap:
        done = subprocess.run([program, str(ROUNDS), str(seed)], check=True, capture_output=True, text=True)
        seconds, counted, mean, error = done.stdout.split()
        return Lap(int(counted), float(seconds), float(mean), float(error))

    return Runner(f"{kind}, {compiler} {' '.join(FLAGS)}", lap, yardstick=True)


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


def race(title: str, exact: Fraction | float, runners: Sequence[Runner], laps_each: int = LAPS) -> Section:
    """Best lap of each; the laps alternate, so that a busy machine slows all alike. An edge that is no fraction was
    enumerated in double precision."""
    laps: dict[str, list[Lap]] = {r.name: [] for r in runners}
    for seed in range(1, laps_each + 1):
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
    yardsticks = {r.name: speed[r.name] for r in runners if r.yardstick}
    notes = [f"No {c} on this machine." for c in COMPILERS if not shutil.which(c)]
    if yardsticks:
        best = max(yardsticks, key=lambda name: yardsticks[name])
        ratio = ours / yardsticks[best]
        notes.append(f"pitboss runs at {ratio:.2f} of the better C ({best}); {aim(ratio >= 0.9, 'aim at least 0.9')}.")
    else:
        notes.append("Without a C compiler there is nothing to hold pitboss against but plain Python.")
    known = f"exact {exact} =" if isinstance(exact, Fraction) else "enumerated (in double precision)"
    return Section(
        title,
        f"Best of {laps_each} alternating laps. They play the same game: the edge, over all laps, lies so many "
        f"standard errors from the {known} {float(exact):.4%}.",
        ("program", "rounds per second", "pitboss / this", "house edge", "standard errors off"),
        rows,
        notes,
    )


def runners(source: str, ours: Runner, plain: Runner | None, scratch: Path) -> list[Runner]:
    """The usual field: C by every compiler there is, pitboss, Python if there is one."""
    field = [*in_c(source, scratch), ours]
    return [*field, plain] if plain else field


def in_c(source: str, scratch: Path, kind: str = "C") -> list[Runner]:
    """The C program, by every compiler there is."""
    return [c_runner(c, HERE / source, scratch, kind) for c in COMPILERS if shutil.which(c)]
