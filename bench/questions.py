"""Benchmarks of the questions that a game is judged by: sections of bench/run.py."""

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from time import perf_counter

from field import HERE, Section, aim
from pitboss.claims import judge, read_claims, shipped_claims
from pitboss.exact import analyze
from pitboss.games import blackjack, bluff
from pitboss.tune import Target, design, grid
from pitboss.tune.asked import read_row
from poker import against, best_of, c_seconds

ROWS = ("suited 7-7-7=100..500", "suited 6-7-8=50..150", "7-7-7=20..60", "6-7-8=10..40", "suited 21=5..20", "21=2..5",
        "20=1..3", "19=1..2")  # fmt: skip
FOUND = 533_717_958


def pay_tables(scratch: Path) -> Section:
    """Pay tables that meet an edge: counted, the best twenty named; in C every one looked at, and only counted."""
    house = blackjack.GAME.at()
    table = house.tables["lucky-lucky"]
    step, bet = Fraction(1), house.least_bet("lucky-lucky")
    free = grid(table, [read_row(text, table, step, bet) for text in ROWS], False, bet)
    target = Target(Fraction(4, 100), Fraction(6, 100))

    def ours() -> None:
        assert design(house, "lucky-lucky", target, free).found == FOUND

    seconds = best_of(3, ours)
    others = c_seconds("tables.c", scratch)
    rows = [("pitboss, and the best twenty", f"{seconds:.3f} s", "1.0"), *against(seconds, others)]
    return Section(
        "Pay tables of Lucky Lucky with an edge of 4% to 6%",
        f"{FOUND:,} of {free.total:,} tables; the C programs, which only count, find as many.",
        ("program", "time", "this / pitboss"),
        rows,
    )


def claims(scratch: Path) -> Section:
    """Every figure of the four documents."""
    documents = [read_claims(path) for path in shipped_claims()]
    start = perf_counter()
    judged = [judge(d) for d in documents]
    seconds = perf_counter() - start
    one = best_of(3, lambda: analyze(bluff.GAME.at()))
    count = sum(len(j.verdicts) for j in judged)
    rows = [
        ("pitboss verify", f"{seconds:.1f} s", aim(seconds <= 30, "aim at most 30 s")),
        (
            "for each claim",
            f"{seconds / count * 1000:.0f} ms",
            f"{seconds / count / one:.1f} times one analysis of Bluff",
        ),
    ]
    return Section("Claims", f"{count} claims of four documents, once, in this process.", ("work", "time", ""), rows)


def packet_times(scratch: Path) -> Section:
    """A packet as a user waits for it: the first of a game, with an empty cache, and the next one."""
    tool = str(Path(sys.executable).with_name("pitboss"))
    games = ["bluff", "flop-poker-bonus", "packs-poker", "blackjack", str(HERE.parent / "examples/three_card_poker.py")]
    rows = []
    for game in games:
        user = {**os.environ, "PITBOSS_CACHE": str(scratch / f"packet-{Path(game).stem}")}
        times = []
        for _ in range(2):
            start = perf_counter()
            command = [tool, "packet", game, "-o", str(scratch / f"{Path(game).stem}.pdf")]
            subprocess.run(command, env=user, check=True, capture_output=True)
            times.append(perf_counter() - start)
        first, again = times
        rows.append((Path(game).stem, f"{first:.1f} s", f"{again:.1f} s", aim(again <= 10, "aim at most 10 s warm")))
    return Section(
        "A packet",
        "Whole commands, once each: with an empty cache, and again.",
        ("game", "first", "again", "aim"),
        rows,
    )
