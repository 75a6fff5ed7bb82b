"""Benchmarks of hidden hands that are counted without being dealt: sections of bench/run.py."""

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from field import COMPILERS, FLAGS, HERE, Section, aim, c_program
from pitboss.exact import Study
from pitboss.exact.kernels import Advised, Task
from pitboss.exact.kernels.hidden import HIDDEN, duel_for, stream_of
from pitboss.ledger.book import Book
from pitboss.rules.files import load_file

LAPS = 3
ROWS, CHECKED = 2_000, 20  # of Caribbean Stud, by brute force
HIDDEN_HANDS = comb(46, 4)
CORES = os.cpu_count() or 1


@dataclass(frozen=True)
class Took:
    """Seconds that passed, and those that processors worked for it: the second say more on a busy machine."""

    wall: float
    processor: float

    def __add__(self, other: "Took") -> "Took":
        return Took(self.wall + other.wall, self.processor + other.processor)

    def times(self, factor: float) -> "Took":
        return Took(self.wall * factor, self.processor * factor)

    @property
    def cells(self) -> tuple[str, str]:
        return readable(self.wall), readable(self.processor)


def readable(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds < 600 else f"{seconds / 60:,.0f} min"


def least(laps: Sequence[Took]) -> Took:
    return Took(min(x.wall for x in laps), min(x.processor for x in laps))


# ---- pitboss, in a process of its own


@dataclass(frozen=True)
class Counted:
    """One exact count of a game file, stage by stage."""

    stages: dict[str, Took]
    edge: Fraction
    rows: int  # boards and the player's hands, up to suits
    megabytes: float

    def sum(self, *names: str) -> Took:
        return sum((self.stages[n] for n in names), Took(0, 0))


def task_of(example: str) -> Task:
    """The main game of an example, without side bets."""
    game = load_file(HERE.parent / "examples" / f"{example}.py")
    house = game.at()
    house = house.but(placed=frozenset(house.main))
    study = Study(house)
    return Task(house, study.graph, study.banked)


def count_once(example: str, workers: int) -> None:
    """Run in a fresh process: what it takes, as a line of JSON."""
    stages: dict[str, tuple[float, float]] = {}

    @contextmanager
    def timed(name: str) -> Iterator[None]:
        wall, processor = perf_counter(), process_time()
        yield
        stages[name] = (perf_counter() - wall, process_time() - processor)

    with timed(READY):
        task = task_of(example)
        stream, parts = stream_of(duel_for(task), Book(task.house, task.graph))
        stream.workers = workers
        groups = [(g.boards, g.own) for g in stream.groups]
    with timed(WORTH):
        solved = stream.solve()
    with timed(LAW):
        ways = stream.law()
    edge = -Fraction(sum(int(u) * int(n) for u, n in zip(stream.units, ways, strict=True)), stream.total * parts)
    if stream.tables:
        best = sum(solved[stream.tables[0]].max(1).tolist())
        assert -Fraction(best, stream.total * parts) == edge, "the first pass alone gives the edge"
    rows = sum(int(np.count_nonzero(own.masks & board == 0)) for boards, own in groups for board in boards.masks)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"stages": stages, "edge": str(edge), "rows": rows, "megabytes": peak}))


def counted(example: str, workers: int, scratch: Path) -> Counted:
    """Machine code is kept in the scratch directory, so that only the first lap makes it."""
    script = f"import hidden; hidden.count_once({example!r}, {workers})"
    environment = {**os.environ, "PITBOSS_CACHE": str(scratch / "hidden")}
    child = subprocess.run(
        [sys.executable, "-c", script], cwd=HERE, env=environment, check=True, capture_output=True, text=True
    )
    found = json.loads(child.stdout)
    stages = {name: Took(*both) for name, both in found["stages"].items()}
    return Counted(stages, Fraction(found["edge"]), found["rows"], found["megabytes"])


def in_c(source: str, scratch: Path) -> dict[str, Path]:
    """The C program, by every compiler there is."""
    there = [c for c in COMPILERS if shutil.which(c)]
    return {f"C, {c} {' '.join(FLAGS)}": c_program(c, HERE / source, scratch) for c in there}


def printed(program: Path, *arguments: int) -> list[list[str]]:
    words = [str(program), *map(str, arguments)]
    lines = subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines()
    return [line.split() for line in lines]


def laps_of(
    example: str, programs: Mapping[str, Path], arguments: Sequence[int], scratch: Path
) -> tuple[dict[int, list[Counted]], dict[str, list[list[list[str]]]]]:
    """Laps of pitboss on one core and on all, and of every C program, in turn: a busy machine slows all alike."""
    ours: dict[int, list[Counted]] = {workers: [] for workers in dict.fromkeys((1, CORES))}
    others: dict[str, list[list[list[str]]]] = {name: [] for name in programs}
    for _ in range(LAPS):
        for workers, laps in ours.items():
            laps.append(counted(example, workers, scratch))
        for name, program in programs.items():
            others[name].append(printed(program, *arguments))
    assert len({c.edge for laps in ours.values() for c in laps}) == 1
    return ours, others


def cores(workers: int) -> str:
    return "one core" if workers == 1 else f"{workers} cores"


def busy(best: Mapping[str, Took]) -> list[str]:
    """A program on one thread has its core to itself, or the times that passed mean little."""
    share = min((took.processor / took.wall for took in best.values()), default=1.0)
    return [f"The machine was busy: the C had {share:.0%} of a core. Go by processor time."] if share < 0.9 else []


# ---- sections

READY = "rules read, boards and hands listed"
WORTH = "first pass: what every choice is worth, the best play, the edge"
LAW = "second pass: where every round ends, the whole law"
HEADER = ("program", "cores", "time", "processor time")


def ultimate_texas_holdem(scratch: Path) -> Section:
    ours, others = laps_of("ultimate_texas_holdem", in_c("holdem.c", scratch), (), scratch)
    edge, best = ours[1][0].edge, {name: least([_took(lap) for lap in laps]) for name, laps in others.items()}
    for found in others.values():
        for lap in found:
            assert Fraction(-int(lap[0][2]), int(lap[0][3])) == edge, "the C finds the same edge, to the last digit"
    rows = [(name, "one core", *took.cells) for name, took in best.items()]
    for workers, laps in ours.items():
        for names in ((READY,), (WORTH,), (READY, WORTH), (LAW,)):
            text = "edge and best play, as the C: both of these" if len(names) > 1 else names[0]
            rows.append((f"pitboss, {text}", cores(workers), *least([c.sum(*names) for c in laps]).cells))
    edges, peak = _least(ours[CORES], READY, WORTH), max(c.megabytes for laps in ours.values() for c in laps)
    notes = [f"Peak memory of pitboss: {peak:,.0f} MB; {aim(peak < 1000, 'aim under 1 GB')}."]
    if best:
        name = min(best, key=lambda n: best[n].wall)
        wanted = f"aim: the edge on {cores(CORES)} in at most the time of the C on one"
        notes.append(f"{aim(edges.wall <= best[name].wall, wanted)} ({edges.wall / best[name].wall:.2f} of it).")
        single = _least(ours[1], READY, WORTH)
        notes.append(
            f"In processor time, one core each, the edge takes {single.processor / best[name].processor:.2f} of the C, "
            "which is written for this game and finds its edge and nothing else. The second pass, which the C does not "
            "have, gives the whole law: every outcome of the wagers together, with its ways."
        )
    notes += busy(best)
    about = (
        f"Best of {LAPS} alternating laps, each in a fresh process, machine code kept from the first. Every board up "
        f"to suits and every pair of the player's: {ours[1][0].rows:,} rows. The C finds the very fraction of pitboss: "
        f"{edge} = {float(edge):.6%}."
    )
    return Section("Ultimate Texas Hold'em, solved from its file of rules", about, HEADER, rows, notes)


def caribbean_stud(scratch: Path) -> Section:
    ours, others = laps_of("caribbean_stud", in_c("caribbean.c", scratch), (ROWS, CHECKED, 1), scratch)
    first = ours[1][0]
    scale = first.rows / ROWS
    best = {name: least([_took(lap) for lap in laps]).times(scale) for name, laps in others.items()}
    for found in others.values():
        check_rows(found[0][1:])
    rows = [(f"{name}, brute force, from {ROWS:,} rows", "one core", *took.cells) for name, took in best.items()]
    for workers, laps in ours.items():
        rows.append(("pitboss, edge, best play and law", cores(workers), *_least(laps, READY, WORTH, LAW).cells))
    peak = max(c.megabytes for laps in ours.values() for c in laps)
    notes = [f"Peak memory of pitboss: {peak:,.0f} MB; {aim(peak < 1000, 'aim under 1 GB')}."]
    if best:
        single = _least(ours[1], READY, WORTH, LAW)
        quick = min(took.processor for took in best.values())
        notes.append(
            f"{aim(single.processor < quick, 'aim: less time than brute force in C')}, one core each "
            f"({quick / single.processor:,.0f} times as quick in processor time)."
        )
    notes += busy(best)
    about = (
        f"Best of {LAPS} alternating laps. {first.rows:,} rows (five cards and the up-card, up to suits), "
        f"{HIDDEN_HANDS:,} hands of the dealer's each. Brute force deals them for {ROWS:,} random rows, and its time "
        f"is scaled to all. What a raise is worth in {CHECKED} of them is what pitboss advises, to the last digit. The "
        f"edge is {first.edge} = {float(first.edge):.6%}."
    )
    return Section("Caribbean Stud, solved from its file of rules", about, HEADER, rows, notes)


def check_rows(found: Sequence[Sequence[str]]) -> None:
    """What a raise wins by brute force is what pitboss advises."""
    opened = HIDDEN.open(task_of("caribbean_stud"))
    assert len(found) == CHECKED
    for words in found:
        *cards, total = map(int, words)
        turn = Advised("", ("fold", "raise"), (), dict(enumerate(cards)), cards[:5], cards[5:], {})
        assert opened.advice(turn) == {"fold": Fraction(-1), "raise": Fraction(total, HIDDEN_HANDS)}


def _took(lap: Sequence[Sequence[str]]) -> Took:
    return Took(float(lap[0][0]), float(lap[0][1]))


def _least(laps: Sequence[Counted], *names: str) -> Took:
    return least([c.sum(*names) for c in laps])
