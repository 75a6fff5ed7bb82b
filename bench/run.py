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
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import median
from time import perf_counter

import llvmlite.binding as llvm

from blackjack import blackjack, blackjack_exact
from bluff_plain import play_rounds
from cluster import cluster
from field import (
    COMPILERS,
    HERE,
    PLAIN_ROUNDS,
    Lap,
    Runner,
    Section,
    aim,
    lap_of,
    loop_of,
    pitboss_runner,
    race,
    runners,
)
from hidden import caribbean_stud, ultimate_texas_holdem
from pitboss.games.bluff import GAME
from poker import flop_poker, packs, seven_cards
from questions import claims, packet_times, pay_tables

BLUFF = {"decks": "6"}


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


SECTIONS: list[Callable[[Path], Section]] = [
    bluff,
    packs,
    blackjack,
    seven_cards,
    flop_poker,
    ultimate_texas_holdem,
    caribbean_stud,
    blackjack_exact,
    pay_tables,
    claims,
    packet_times,
    cluster,
    compile_time,
    commands,
]


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
