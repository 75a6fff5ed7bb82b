"""What makes the command line pleasant: a guess at what was meant, completion, a pager, spreadsheets, closed pipes."""

import csv
import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers import ROOT, run
from pitboss.cli.completion import SHELLS, script
from pitboss.cli.meant import closest, with_guess
from pitboss.cli.parser import build_parser

PITBOSS = [sys.executable, "-m", "pitboss"]


@pytest.mark.parametrize(
    ("words", "guess"),
    [
        ("analyse bluff", "analyze"),
        ("analyze Bluff", "bluff"),
        ("analyze blackjak", "blackjack"),
        ("analyze bluff --wagr ante", "--wager"),
        ("analyze bluff -o deks=8", "decks"),
        ("analyze bluff --wager suittie", "suit-tie"),
        ("analyze blackjack --wager Main", "main"),
        ("analyze bluff --strategy casul", "casual"),
        ("analyze bluff -p suit-tie=standart", "standard"),
        ("floor bluff --actal 5", "--actual"),
    ],
)
def test_a_word_that_is_almost_right_gets_a_guess(words: str, guess: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *words.split())
    assert code == 2 and not out and err.count("\n") == 1
    assert f"did you mean {guess}?" in err, err


@pytest.mark.parametrize("words", ["xyzzy", "analyze xyzzy", "analyze bluff -o xyzzy=1", "analyze bluff --xyzzy"])
def test_a_word_that_is_like_no_other_gets_none(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, *words.split())
    assert code == 2 and "xyzzy" in err and "did you mean" not in err


def test_a_guess_is_one_of_the_words_that_there_are() -> None:
    assert closest("BLUFF", ["blackjack", "bluff"]) == "bluff" and closest("roulette", ["blackjack", "bluff"]) == ""
    said = "there is no game 'blufff'; there are blackjack, bluff"
    assert with_guess(said) == f"{said}; did you mean bluff?"
    assert with_guess("there are 3 cards left") == "there are 3 cards left"


# ---- completion


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_knows_every_command_every_flag_and_every_game(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, "completion", shell)
    assert code == 0 and out.startswith(f"# completion of pitboss for {shell}")
    commands = next(a for a in build_parser()._actions if a.dest == "command").choices
    assert commands is not None
    for name, parser in dict(commands).items():  # type: ignore[call-overload]
        assert name in out
        for flag in (f for action in parser._actions for f in action.option_strings if f.startswith("--")):
            assert (flag if shell != "fish" else f"-l {flag[2:]}") in out
    assert "flop-poker-bonus" in out
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script(shell), text=True, check=True)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("an", "analyze"), ("analyze bl", "blackjack bluff"), ("floor bluff --ac", "--actual"), ("completion z", "zsh")],
)
def test_bash_completes(typed: str, offered: str) -> None:
    words = ["pitboss", *typed.split(" ")]
    ask = f'COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}; _pitboss; echo "${{COMPREPLY[@]}}"'
    asked = f"{script('bash')}\n{ask}"
    assert subprocess.run(["bash", "-c", asked], text=True, capture_output=True, check=True).stdout.strip() == offered


# ---- a pager, and none


def on_a_terminal(*words: str, typed: bytes = b"", **environ: str) -> str:
    """What a command shows on a terminal of 24 lines, until it ends."""
    pid, terminal = pty.fork()
    if not pid:  # pragma: no cover
        os.chdir(ROOT)
        os.execve(sys.executable, [*PITBOSS, *words], {**os.environ, "TERM": "xterm", **environ})
    out, deadline = b"", time.monotonic() + 60
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                some = os.read(terminal, 65536)
            except OSError:
                break
            if not some:
                break
            out += some
        if typed and b"PAGED" in out:
            os.write(terminal, typed)
            typed = b""
    os.waitpid(pid, 0)
    os.close(terminal)
    return out.decode(errors="replace")


def test_a_long_answer_on_a_terminal_goes_through_the_pager() -> None:
    pager = "sh -c 'echo PAGED; cat; read answer; echo got $answer'"
    out = on_a_terminal("analyze", "bluff", typed=b"x\n", PAGER=pager)
    assert "PAGED" in out and "171/4043" in out and "got" in out


@pytest.mark.parametrize(
    ("words", "environ"),
    [
        (("analyze", "bluff"), {"NO_PAGER": "1"}),
        (("analyze", "bluff"), {"PAGER": "cat"}),
        (("analyze", "bluff", "--no-pager"), {"PAGER": "echo PAGED"}),
        (("hands", "5"), {"PAGER": "echo PAGED"}),  # short
        (("analyze", "bluff", "--json"), {"PAGER": "echo PAGED"}),
        (("analyze", "bluff"), {"PAGER": "/no/such/pager"}),
    ],
)
def test_what_is_short_or_not_to_be_paged_is_printed(words: tuple[str, ...], environ: dict[str, str]) -> None:
    out = on_a_terminal(*words, **environ)
    assert "PAGED" not in out and ("171/4043" in out or "royal flush" in out)


def test_a_pipe_has_no_pager_and_may_be_closed_early() -> None:
    line = f"{' '.join(PITBOSS)} analyze bluff | head -1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", line], text=True, capture_output=True, cwd=ROOT, check=True, env={**os.environ, "PAGER": "false"}
    )
    assert done.stdout == "Bluff · exact analysis · decks=6\n0\n" and done.stderr == ""


# ---- spreadsheets


def test_return_tables_and_charts_go_to_a_spreadsheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows.csv"
    assert run(capsys, "analyze", "bluff", "--csv", str(file))[0] == 0
    rows = list(csv.DictReader(file.open(encoding="utf-8")))
    assert {r["wager"] for r in rows} == {"ante", "suit-tie", "progressive"}
    assert sum(int(r["ways"]) for r in rows if r["wager"] == "suit-tie") == 97032
    assert run(capsys, "strategy", "bluff", "--csv", str(file))[0] == 0
    assert [r["best"] for r in csv.DictReader(file.open(encoding="utf-8"))][:4] == ["raise"] * 3 + ["check, call"]
    assert run(capsys, "simulate", "bluff", "--rounds", "1e4", "--csv", str(file))[0] == 0
    assert sum(int(r["count"]) for r in csv.DictReader(file.open(encoding="utf-8")) if r["wager"] == "ante") == 10_000
    for bad in ("", str(tmp_path / "no" / "rows.csv")):
        code, _, err = run(capsys, "analyze", "bluff", "--csv", bad)
        assert code == 2 and err.count("\n") == 1
