"""Several threads at once, and a process that runs for months: nothing is mixed up, nothing grows, nothing hangs."""

import gc
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from helpers import GAME_FILES, load_game, small_game
from pitboss.rules import PLAYER, RuleError, Table, Wager, compare, mistakes
from pitboss.rules import trace as tracing
from pitboss.rules.files import load_file
from pitboss.rules.trace import trace
from pitboss.rules.watchdog import OutOfTime, time_limit

ANTE = Wager("ante", "", required=True)


def test_games_traced_in_many_threads_are_the_same_graphs() -> None:
    houses = [load_game(path).at() for path in GAME_FILES]
    alone = [trace(house).key for house in houses]
    tracing._TRACED.clear()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda house: tracing._traced(house).key, houses * 2))
    assert together == alone * 2


def test_a_graph_has_the_same_key_in_another_process(tmp_path: Path) -> None:
    import subprocess
    import sys

    code = (
        "from pitboss.catalog import load; from pitboss.rules.trace import trace; print(trace(load('bluff').at()).key)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert told == trace(load_game(next(p for p in GAME_FILES if p.stem == "bluff")).at()).key
    other = trace(load_game(next(p for p in GAME_FILES if p.stem == "bluff")).at({"decks": "8"}))
    assert other.key == told  # no line of it looks at the number of decks


def endless(t: Table) -> None:
    mine = t.deal(PLAYER)
    while True:
        mine = mine
    t.settle(ante=compare(mine.rank, 6))


def test_a_loop_without_end_is_stopped_in_any_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mistakes, "PATIENCE", 0.2)
    house = small_game(endless, ANTE).at()
    caught: list[BaseException] = []

    def ask() -> None:
        try:
            trace(house)
        except RuleError as error:
            caught.append(error)

    for thread in (threading.Thread(target=ask), threading.Thread(target=ask)):
        thread.start()
        thread.join(30)
        assert not thread.is_alive()
    with pytest.raises(RuleError, match="if this is a loop"):
        trace(house)
    assert len(caught) == 2 and all("mine = mine" in str(e) or "while True" in str(e) for e in caught)


def test_a_limit_that_was_kept_leaves_nothing_behind() -> None:
    with time_limit(0.2) as watch:
        for _ in range(5):
            watch.renew()
    threading.Event().wait(0.3)  # nothing strikes afterwards
    with pytest.raises(OutOfTime), time_limit(0.1):
        while True:
            pass


def test_nothing_grows_as_games_come_and_go(tmp_path: Path) -> None:
    """A thousand game files, each with numbers of its own: what nobody holds any more is forgotten."""
    text = (
        "from pitboss.rules import *\n"
        "def play(t):\n"
        "    mine = t.deal(PLAYER)\n"
        "    t.settle(ante=compare(mine.rank * {0} + {0}, {0} * 7))\n"
        "GAME = Game(name='g', title='G', play=play, wagers=[Wager('ante', required=True)])\n"
    )
    path = tmp_path / "g.py"

    def some(first: int) -> int:
        for n in range(first, first + 100):
            path.write_text(text.format(n + 1000))
            trace(load_file(path).at())
        gc.collect()
        return len(sys.modules["pitboss.rules.column"]._NODES)

    before = some(0)
    after = some(100)
    assert after <= before + 50 and len(tracing._TRACED) <= tracing.MOST_TRACED
