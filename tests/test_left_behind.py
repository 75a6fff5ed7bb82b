"""What a game file does beyond its own lines ends with it: threads, last words, broken streams, classes of its own.

Each in a process, as a user starts one."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers import ROOT

GAME = '''"""A small game."""
import atexit, builtins, os, sys, threading, time
from pitboss.rules import *

def for_ever():
    while True: pass

{top}

def play(t):
    {played}
    mine = t.deal(PLAYER)
    his = t.deal(DEALER)
    t.settle(ante=compare(mine.rank, his.rank))

GAME = Game("small", {title}, play, [Wager("ante", required=True)])
'''

SWALLOWS = """while True:
        try: {0}
        except BaseException: pass"""

QUICK = (
    "import sys; from pitboss.rules import mistakes, watchdog; mistakes.PATIENCE = 0.3; watchdog._STRIKES = 2; "
    "import pitboss.cli.fault as fault; fault.LEAVING = 0.5; from pitboss.cli import main; raise SystemExit(main())"
)


def asked(
    folder: Path, top: str = "", played: str = "pass", title: str = "'Small'", command: str = "analyze"
) -> tuple[int, str, str]:
    path = folder / "small.py"
    path.write_text(GAME.format(top=top, played=played, title=title))
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", QUICK, command, str(path)], capture_output=True, text=True, env=env, timeout=60
    )
    assert time.monotonic() - began < 20 and "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "top",
    [
        "threading.Thread(target=for_ever).start()",
        "threading.Thread(target=time.sleep, args=(600,)).start()",
        "atexit.register(for_ever)",
        "atexit.register(time.sleep, 600)",
    ],
)
def test_an_answer_does_not_wait_for_what_is_left_running(top: str, tmp_path: Path) -> None:
    code, out, err = asked(tmp_path, top)
    assert code == 0 and "house edge" in out and err == "pitboss: what a game file has left running was ended\n"


def test_a_thread_that_comes_to_an_end_is_waited_for(tmp_path: Path) -> None:
    code, _, err = asked(tmp_path, "threading.Thread(target=time.sleep, args=(0.1,)).start()")
    assert (code, err) == (0, "")


@pytest.mark.parametrize(
    "does", ["time.sleep(600)", "for_ever()", "threading.Event().wait()", "os.read(os.pipe()[0], 1)"]
)
def test_what_swallows_the_clock_ends_with_its_line(does: str, tmp_path: Path) -> None:
    code, out, err = asked(tmp_path, played=SWALLOWS.format(does))
    assert (code, out) == (2, "") and "play() has not come to an end in 0.3 seconds" in err
    assert err.startswith("pitboss: small.py, line ") and err.count("\n") == 2


def test_what_cannot_be_interrupted_ends_with_its_line(tmp_path: Path) -> None:
    played = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(600)"
    code, out, err = asked(tmp_path, played=played)
    assert (code, out) == (2, "") and "has not come to an end" in err and "time.sleep(600)" in err


def test_what_swallows_the_clock_and_comes_back_is_refused(tmp_path: Path) -> None:
    """An object that loops as it goes: Python itself swallows what is raised there."""
    top = "class Slow:\n    def __del__(self): for_ever()"
    code, out, err = asked(tmp_path, top, played="Slow()")
    assert (code, out) == (2, "") and "has not come to an end" in err


@pytest.mark.parametrize("way", ["__str__", "__eq__", "__format__", "__len__", "__repr__", "replace", "encode"])
@pytest.mark.parametrize("does", ["sys.exit(0)", "1 / 0", "raise KeyError(5)"])
def test_a_text_of_a_class_of_its_own_does_no_more_harm_than_a_line_of_the_file(
    way: str, does: str, tmp_path: Path
) -> None:
    top = f"class Text(str):\n    def {way}(self, *_): {does}\n    __hash__ = str.__hash__"
    code, _, err = asked(tmp_path, top, title="Text('Small')", command="rules")
    assert code == 0 or (code == 2 and err.startswith("pitboss: small.py, line ") and "of pitboss" not in err), err


@pytest.mark.parametrize(
    ("top", "code"),
    [
        ("sys.stdout = None", 0),
        ("sys.stderr = sys.stdin = None", 0),
        ("sys.stdout = open(os.devnull, 'w')", 0),
        ("sys.stderr = None; 1 / 0", 2),
        ("sys.stdout.close()", 74),
        ("os.close(1)", 74),
        ("builtins.len = None", 70),
        ("builtins.isinstance = builtins.open = None", 70),
    ],
)
def test_what_a_file_does_to_python_is_a_sentence_or_nothing(top: str, code: int, tmp_path: Path) -> None:
    found, out, err = asked(tmp_path, top)
    assert found == code and (("house edge" in out) == (code == 0)) and (code == 0 or err.startswith("pitboss: "))


def test_streams_that_a_round_takes_away_are_no_traceback(tmp_path: Path) -> None:
    code, _, err = asked(tmp_path, played="sys.stdout = None")
    assert (code, err) == (74, "pitboss: the output could not be written: it is closed\n")


def test_a_very_deep_error_is_told_at_once(tmp_path: Path) -> None:
    """Who looks for the line goes through a hundred thousand calls."""
    top = "sys.setrecursionlimit(10**6)\ndef deep(n): return deep(n - 1) if n else 1 / 0"
    code, _, err = asked(tmp_path, top, played="deep(100_000)")
    assert code == 2 and ("ZeroDivisionError" in err or "has not come to an end" in err) and "def deep" in err
