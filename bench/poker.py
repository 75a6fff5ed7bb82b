"""Poker benchmarks: the seven-card census, Flop Poker Bonus solved, Pack's Poker dealt; sections of bench/run.py."""

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from field import COMPILERS, FLAGS, HERE, LAPS, Lap, Runner, Section, aim, c_program, lap_of, race
from pitboss.cards import card_name, shoe_cards
from pitboss.compile import Keys, count, simulator
from pitboss.exact import Solver
from pitboss.games import flop_poker_bonus, packs_poker
from pitboss.hands.census import census
from pitboss.hands.evaluate import strength_of
from pitboss.hands.tables import hand_tables
from pitboss.ledger.cells import Cells
from pitboss.rules.trace import trace

ROUNDS = 2_000_000
SAMPLE = 100_000
HANDS = 133_784_560
PACK_EDGE = Fraction(118112683907, 7945607164495)


def best_of(runs: int, work: Callable[[], object]) -> float:
    times = []
    for _ in range(runs):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def c_seconds(source: str, scratch: Path) -> dict[str, float]:
    """Best of three runs of a C program that times itself, per compiler."""
    out = {}
    for compiler in COMPILERS:
        if shutil.which(compiler):
            program = c_program(compiler, HERE / source, scratch)
            laps = [subprocess.run([program], check=True, capture_output=True, text=True).stdout for _ in range(3)]
            out[f"C, {compiler} {' '.join(FLAGS)}"] = min(float(lap.split()[0]) for lap in laps)
    return out


def against(ours: float, others: Mapping[str, float]) -> list[tuple[str, str, str]]:
    return [(name, f"{seconds:.3f} s", f"{seconds / ours:.1f}") for name, seconds in others.items()]


def seven_cards(scratch: Path) -> Section:
    strength_of(range(5))  # the tables are there
    ours = best_of(5, lambda: census(7))
    others = c_seconds("census.c", scratch)
    rows = [("pitboss, by ranks and suits", f"{ours:.3f} s", "1.0"), *against(ours, others)]
    for name, each in registry_evaluators().items():
        rows.append(
            (f"{name}, one hand a call (from {SAMPLE:,})", f"{each * HANDS:,.0f} s", f"{each * HANDS / ours:,.0f}")
        )
    notes = (
        [f"{aim(all(ours < x for x in others.values()), 'aim: less time than brute force in C')}."] if others else []
    )
    about = f"All {HANDS:,} hands by strength; brute force visits each, and finds its category only."
    return Section("The census of seven cards", about, ("program", "time", "times pitboss"), rows, notes)


def registry_evaluators() -> dict[str, float]:
    """Seconds a hand of evaluators that are called hand by hand."""
    rng = np.random.default_rng(1)
    hands = np.argsort(rng.random((SAMPLE, 52)), axis=1)[:, :7].tolist()
    out: dict[str, float] = {}
    try:
        import phevaluator

        named = [[card_name(c) for c in hand] for hand in hands]
        out["phevaluator"] = best_of(2, lambda: [phevaluator.evaluate_cards(*hand) for hand in named]) / SAMPLE
    except ImportError:
        pass
    try:
        import eval7

        deck = [eval7.Card(card_name(c)) for c in range(52)]
        cards = [[deck[c] for c in hand] for hand in hands]
        out["eval7"] = best_of(2, lambda: [eval7.evaluate(hand) for hand in cards]) / SAMPLE
    except ImportError:
        pass
    return out


def flop_poker(scratch: Path) -> Section:
    house = flop_poker_bonus.GAME.at()
    kept = count.WORTH_KEEPING
    count.WORTH_KEEPING = float("inf")  # count every time, whatever it takes
    try:
        Solver(house)
        ours = best_of(5, lambda: Solver(house))
    finally:
        count.WORTH_KEEPING = kept
    others = c_seconds("flop.c", scratch)
    rows = [("pitboss, traced, counted and solved", f"{ours:.3f} s", "1.0"), *against(ours, others)]
    notes = [aim(ours <= 0.2, "aim 0.2 s of computing") + "."]
    if others:
        notes.append(aim(all(ours < x for x in others.values()), "aim: less time than brute force in C") + ".")
    about = "The exact solution of every own hand against every flop: 22,100 x 18,424 deals. C enumerates them all."
    return Section("Flop Poker Bonus, solved", about, ("program", "time", "times pitboss"), rows, notes)


def packs(scratch: Path) -> Section:
    tables = scratch / "tables.bin"
    names = ("card_keys", "card_masks", "displacements", "strengths", "royals")
    tables.write_bytes(b"".join(getattr(hand_tables(), name).tobytes() for name in names))
    house = packs_poker.GAME.at()
    graph = trace(house)
    keys = Keys(graph)
    sim = simulator(Cells(graph), keys, shoe_cards(house.composition))
    units = {"lose": -1, "push": 0, "win": 1}
    nothing = np.zeros(1, np.uint8)

    def ours(seed: int) -> Lap:
        start = perf_counter()
        cells = sim.run(ROUNDS, seed=seed, chunk=0, strategy=nothing)
        seconds = perf_counter() - start
        results = ((units[sim.cells.leaf(int(i)).decode(int(i))["pack"]], int(cells[i])) for i in np.flatnonzero(cells))
        return lap_of(seconds, results)

    def in_c(compiler: str) -> Runner:
        program = c_program(compiler, HERE / "packs.c", scratch)

        def lap(seed: int) -> Lap:
            words: Sequence[Any] = [program, str(ROUNDS), str(seed), tables]
            out = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
            return Lap(int(float(out[1])), float(out[0]), float(out[2]), float(out[3]))

        return Runner(f"C, {compiler} {' '.join(FLAGS)}", lap, yardstick=True)

    field = [*(in_c(c) for c in COMPILERS if shutil.which(c)), Runner("pitboss, one thread", ours)]
    return race("Pack's Poker, three packs: sixteen cards, six seven-card hands", PACK_EDGE, field, LAPS)
