"""Blackjack benchmarks: the base game dealt and analysed, and its bonus wagers counted; sections of bench/run.py."""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module, metadata
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

from field import HERE, ROUNDS, Lap, Runner, Section, aim, in_c, lap_of, race
from pitboss.cards import shoe_cards
from pitboss.compile import Keys, simulator
from pitboss.exact import Study
from pitboss.exact.drawing import Drawing
from pitboss.games.blackjack import GAME
from pitboss.rules.trace import trace

HOUSE = GAME.at(decks=6).but(placed=frozenset({"main"}))
PEER, PEER_ROUNDS = "blackjack21", 20_000
HALVES = {"BLACKJACK": 3, "PLAYER_WIN": 2, "DEALER_BUST": 2, "PUSH": 0, "DEALER_WIN": -2, "PLAYER_BUST": -2}


# ---- the race


def blackjack(scratch: Path) -> Section:
    book = Study(HOUSE, "basic")
    by_rule = in_c("blackjack.c", scratch, "C rule by rule")
    tuned = [replace(r, yardstick=False) for r in in_c("blackjack_tables.c", scratch, "C, one table of states")[-1:]]
    python = peer(book.drawing.drawing)
    field = [*by_rule, *tuned, ours(book), *([python] if python else [])]
    section = race("Blackjack, six decks, base game, basic strategy", book.drawing.drawing.basic_edge, field)
    ratios = {row[0]: row[2] for row in section.rows}
    notes = [
        f"Against the tuned C ({r.name}) it runs at {ratios[r.name]}. There, rules and strategy are folded into one "
        "table of states beforehand, and a card is one step in it; the C rule by rule adds up hands and looks up every "
        "choice in a strategy that is data, as the loop of pitboss does."
        for r in tuned
    ]
    if python:
        notes.append(
            f"{PEER} is a game in Python that asks what to do, and is told by the same chart. It shuffles after three "
            "quarters of the shoe, not every round, and its dealer draws even when every hand has bust."
        )
    else:
        notes.append(f"{PEER}, a game in Python, is not installed here: pip install {PEER}.")
    return replace(section, notes=[*section.notes, *notes])


def ours(book: Study) -> Runner:
    """The generated loop, on one thread of this process."""
    keys = Keys(book.graph)
    strategy = book.strategy_array(keys)
    sim = simulator(book.book.cells, keys, shoe_cards(HOUSE.composition))
    worth, common = book.book.worth("main")

    def lap(seed: int) -> Lap:
        start = perf_counter()
        counts = sim.run(ROUNDS, seed=seed, chunk=0, strategy=strategy)
        seconds = perf_counter() - start
        return lap_of(seconds, ((int(worth[i]), int(counts[i])) for i in np.flatnonzero(counts)), common)

    return Runner("pitboss, one thread", lap)


def peer(drawing: Drawing) -> Runner | None:
    """A game in Python from PyPI, if it is installed: it deals and settles, and asks what to do."""
    try:
        theirs = import_module(PEER)
    except ImportError:
        return None
    chart = drawing.chart
    more, two_cards = ("stand", "hit"), ("stand", "hit", "double")
    pair = (*two_cards, "split")

    def lap(seed: int) -> Lap:
        random.seed(seed)
        deck = theirs.Deck(theirs.DEFAULT_SUITS, count=6)
        table = theirs.Table([("player", 1)], deck, on_round_reset=theirs.shoe_reset_hook(deck, 0.75))
        moves = {"stand": table.stand, "hit": table.hit, "double": table.double_down, "split": table.split}
        results: Counter[int] = Counter()
        start = perf_counter()
        for _ in range(PEER_ROUNDS):
            table.start_game()
            hands, up = table.players[0].hands, table.dealer.hand[0].value % 10 or 10  # an ace is 11 there, 1 here
            while (hand := table.current_hand) is not None:
                values, total = [card.value for card in hand], hand.total
                soft = sum(values) - 10 * values.count(11) < total
                alike = len(values) == 2 and values[0] == values[1] and len(hands) < 4
                offered = pair if alike else two_cards if len(values) == 2 else more
                moves[chart[offered, (total, soft, up)]]()
            results[sum(HALVES[hand.result.value] * hand.bet for hand in hands)] += 1
        return lap_of(perf_counter() - start, results.items(), 2)

    return Runner(f"{PEER} {metadata.version(PEER)}", lap)


# ---- exact analysis


def blackjack_exact(scratch: Path) -> Section:
    """Every row in processes of its own, so that nothing is ready in memory: the first time with nothing on disk, and
    again when machine code and positions are kept there."""
    rows = []
    for name in TIMED:
        times: dict[str, list[float]] = {"first": [], "again": []}
        for i in range(3):
            environment = {**os.environ, "PITBOSS_CACHE": str(scratch / f"{name}, {i}")}
            script = f"import blackjack; print(blackjack.TIMED[{name!r}]())"
            for taken in times.values():
                child = subprocess.run(
                    [sys.executable, "-c", script],
                    cwd=HERE,
                    env=environment,
                    check=True,
                    capture_output=True,
                    text=True,
                )
                taken.append(float(child.stdout))
        first, again = (median(t) for t in times.values())
        wanted = aim(again <= 0.3, "aim at most 0.3 s, again") if name == WHOLE else ""
        rows.append((name, f"{first:.3f} s", f"{again:.3f} s", wanted))
    about = "Median of 3 fresh processes each; loading Python modules is not counted."
    return Section("Blackjack, six decks, exact analysis", about, ("what", "first", "again", "aim"), rows)


def clock(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def solved() -> object:
    drawing = Drawing(HOUSE)
    return drawing.optimal_edge, drawing.basic_edge, drawing.hands(), drawing.chart


def analysis_only() -> float:
    """With the graph at hand."""
    trace(HOUSE)
    return clock(solved)


def counted(wager: str) -> float:
    return clock(lambda: Study(GAME.at()).wager(wager))


WHOLE = "base game, traced and solved: both edges, every hand, the chart"
TIMED: dict[str, Callable[[], float]] = {
    "base game, tracing the rules": lambda: clock(lambda: trace(HOUSE)),
    "base game, after tracing": analysis_only,
    WHOLE: lambda: clock(solved),
    "Lucky Lucky: all wagers traced, this one counted": lambda: counted("lucky-lucky"),
    "Lucky Break: all wagers traced, this one counted": lambda: counted("lucky-break"),
}
