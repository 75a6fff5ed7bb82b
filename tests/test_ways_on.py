"""Games that are too large for an answer: what is said instead, and the command that goes on does go on."""

import re
import shlex
from pathlib import Path

import pytest

from helpers import run

PLAY = '''"""A made-up stud."""
from pitboss.rules import *


def play(t: Table) -> None:
    own, his = t.deal(PLAYER, 5, face=DOWN), t.deal(DEALER) + t.deal(DEALER, 4, face=DOWN)
    mine, duel = strength(own), compare(strength(own), strength(his))
    t.settle(side=where(mine >= FLUSH, WIN, LOSE))
    DECIDE
    t.reveal(DEALER)
    t.settle(ante=duel)


GAME = Game(
    "made-up", "Made-up Stud", play, [Wager("ante", required=True), Wager("side")], DECK
)
'''
ASKS = 'if t.decide("fold", "stay", by={"pair": mine >= PAIR}) == "fold": t.settle(ante=LOSE); return'
OWN = 'strategies={"pairs": lambda seen: "stay" if seen.by["pair"] else "fold"}, '
JOKER = 'deck=cards("2-A", jokers=1, joker=BUG)'


def written(folder: Path, decide: str, deck: str) -> str:
    file = folder / "made_up.py"
    file.write_text(PLAY.replace("DECIDE", decide).replace("DECK", deck))
    return str(file)


def test_strategy_where_nothing_is_decided_says_so_and_counts_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, "pass", JOKER)
    code, out, err = run(capsys, "strategy", file)
    assert (code, err) == (0, "") and "There is nothing to decide once the bets are down." in out
    code, out, _ = run(capsys, "strategy", file, "--json")
    assert code == 0 and '"strategy": []' in out
    code, _, err = run(capsys, "strategy", file, "--rule")
    assert code == 2 and "leaves the player nothing to decide" in err


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of a test may be longer than a line, and its name is broken there."""
    monkeypatch.setenv("COLUMNS", "300")


def go_on(said: str) -> list[str]:
    """The command that a sentence ends with, as words without `pitboss`."""
    return shlex.split(re.findall(r"`pitboss ([^`]*)`", " ".join(said.split()))[-1])


def test_what_cannot_be_counted_names_the_command_that_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, ASKS, OWN + JOKER)
    code, _, err = run(capsys, "strategy", file)
    assert code == 2 and "ante cannot be counted" in err and "that takes a pack without jokers" in err
    assert "hidden hand be left undealt" not in err
    words = go_on(err)
    assert words == ["simulate", file, "--strategy", "pairs"]
    code, out, err = run(capsys, *words, "--rounds", "1e5")
    assert code == 0 and "strategy pairs" in out and not err


def test_analyze_counts_the_side_bet_of_a_game_whose_ante_it_cannot_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, "analyze", file := written(tmp_path, ASKS, OWN + JOKER))
    assert code == 0 and "2,869,685" in out
    assert go_on(out) == ["simulate", file, "--strategy", "pairs"]


def test_simulate_of_a_counted_game_without_a_strategy_names_a_rule_that_plays_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, ASKS, 'deck=cards("8-A")')
    code, _, err = run(capsys, "simulate", file)
    assert code == 2 and f"`pitboss analyze {file}` counts it" in err
    words = go_on(err)
    assert words == ["simulate", file, "--strategy", "rule"]
    code, out, err = run(capsys, *words, "--rounds", "1e5")
    assert code == 0 and "agrees" in out and not err
