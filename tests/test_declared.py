"""What a game file declares is checked when it is loaded: a mistake is the file, the line and what to write."""

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from helpers import GAME_FILES, run, small_game
from pitboss.rules import PLAYER, RuleError, Table, Wager, compare, mistakes
from pitboss.rules import trace as tracing
from pitboss.rules.declared import check_declared
from pitboss.rules.files import load_file
from pitboss.rules.trace import trace
from pitboss.rules.watchdog import begin, end

GAME = '''"""A small game."""
from fractions import Fraction
from pitboss.rules import *

def wagers(o):
    return [
        Wager("ante", "the hand", required=True{ante}),
        Wager("side", "pair", tables=[PayTable("usual", {pays})]{side}),
    ]

def simple(s):
    {strategy}

def play(t):
    mine = t.deal(PLAYER)
    his = t.deal(DEALER)
    x = {column}
    if t.decide("fold", "stay") == "fold":
        t.settle("fold", ante=LOSE)
    else:
        t.settle("showdown", ante=compare(mine.rank, his.rank))
    t.settle(side=first_match(("win", mine.rank == his.rank)))

{top}
GAME = Game("small", "Small", play, wagers=wagers, strategies={{"simple": simple}}, options=({options}), {more})
'''
RIGHT = {
    "ante": "", "pays": "{'win': 11}", "side": "", "strategy": "return 'stay'", "column": "mine.rank + 1", "top": "",
    "options": "", "more": "",
}  # fmt: skip


def written(folder: Path, **parts: str) -> Path:
    path = folder / "small.py"
    path.write_text(GAME.format(**{**RIGHT, **parts}))
    return path


# part, what stands there, a word of its line, what is said
MISTAKES = [
    ("ante", ", minimum=-5", "minimum", "dollars and whole cents from $0.01"),
    ("ante", ", maximum=0", "maximum", "dollars and whole cents"),
    ("ante", ", minimum=Fraction(1, 3)", "minimum", "whole cents"),
    ("ante", ", minimum=10**30", "minimum", "dollars and whole cents"),
    ("ante", ", minimum=10, maximum=5", "minimum", "swap them"),
    ("ante", ", minimum=TABLE_MIN", "minimum", "dollars and whole cents"),
    ("ante", ", maximum=3", '"ante"', "takes $5 at least and $3 at most"),
    ("ante", ", minimum=1000", '"ante"', "takes $1,000 at least and $500 at most"),
    ("ante", ", exactly='x'", "exactly", "dollars and whole cents"),
    ("ante", ", tables=[]", "tables", "is empty"),
    ("ante", ", tables=PayTable('x', {'win': 1})", "tables=P", "is a list"),
    ("ante", ", times=(0.5,)", "times", "0.5 cannot stand in it"),
    ("ante", ", times=(2,)", "times", "write equal_to too"),
    ("ante", ", equal_to='ante'", "equal_to", "the name of another wager"),
    ("ante", ", tokes='x'", "tokes", "True or False"),
    ("pays", "{'win': -2}", "usual", "takes more than the stake"),
    ("pays", "{'win': 1, 'lose': 1}", "usual", "would be for losing"),
    ("pays", "{}", "usual", "has no row"),
    ("pays", "{'win': 1.5}", "usual", "a pay is a whole number, a fraction"),
    ("pays", "{'win': 'x'}", "usual", "win: "),
    ("pays", "{'win': '1/0'}", "usual", "win: "),
    ("pays", "{'win': dollars(-5)}", "usual", "dollars"),
    ("pays", "{'win': dollars('16/3')}", "usual", "whole cents"),
    ("pays", "{'win': Meter('mter')}", "mter", "held by the option 'mter', which was never declared"),
    ("side", ", table_of='antte'", "antte", "'antte', which was never declared; there are ante, side"),
    ("side", ", needs='x'", "needs", "never declared"),
    ("side", ", equal_to='anti'", "anti", "never declared"),
    ("options", "Choice('decks', (9,), 'x'),", "decks", "decks is a whole number from 1 to 8, not 9"),
    ("options", "Choice('decks', ('x',), 'x'),", "decks", "from 1 to 8"),
    ("options", "Amount('decks', 3, 'x'),", "decks", "is a list of values"),
    ("options", "Ranks('decks', '2-3', 'x'),", "decks", "is a list of values"),
    ("options", "Choice('tie', (1, 2), 'x', default=1.0),", "default", "1.0 is not one of 1 or 2"),
    ("options", "Choice('tie', (1, 2), 'x', default=True),", "default", "True is not one of 1 or 2"),
    ("options", "Choice('rounding', ('up',), 'x'),", "rounding", "'up' is not one of exact or down-to-chip"),
    ("options", "Choice('chip', ('x',), 'x'),", "chip", "is an amount"),
    ("options", "Amount('chip', 0, 'x'),", "chip", "from $0.01"),
    ("options", "Amount('table-min', 0, 'x'),", "table-min", "from $0.01"),
    (
        "options",
        "Amount('table-max', 1, 'x'),",
        "table-max",
        "the table minimum of $5 is above the table maximum of $1",
    ),
    ("options", "Choice('tie', (1, 2), 'x', default=3),", "default", "3 is not one of 1 or 2"),
    ("options", "Choice('Tie', (1, 2), 'x'),", "Tie", "small letters, digits and hyphens"),
    ("options", "Choice('tie', (), 'x'),", "tie", "is empty"),
    ("options", "Amount('meter', -5, 'x'),", "meter", "$0"),
    ("options", "Amount('meter', '1e99999999', 'x'),", "meter", "dollars"),
    ("options", "Ranks('folds', '2-Q-9', 'x'),", "folds", "write ranks from 2 to A"),
    ("options", "Choice('stake', (1, 2), 'x'),", "stake", "is an amount"),
    ("more", "anchors=(Anchor('ante', 'abc', 's'),)", "abc", "such as '2.88%'"),
    ("more", "anchors=(Anchor('antex', '2%', 's'),)", "antex", "no wager 'antex' before the deal"),
    ("more", "anchors=(Anchor('ante', '2%', 's', strategy='smple'),)", "smple", "strategy smple is not one of"),
    ("more", "anchors=(Anchor('ante', '2%', 's', options={'deks': '2'}),)", "deks", "no option 'deks'"),
    ("more", "seats=0", "seats", "from 1 to 12"),
    ("more", "cut_card='x'", "cut_card", "is not a number from 0 to 8"),
    ("more", "deck=[99]", "deck", "a card code is a whole number from 0 to 51"),
    ("more", "deck=['joker']", "deck", "cannot stand in it"),
    ("more", "one_of=[[]]", "one_of", "an empty list"),
    ("more", "contradiction=lambda v: 5", "contradiction", "a sentence or None, not 5"),
    ("more", "notes='abc'", "notes", "is a list"),
    ("more", "one_of=[['anti']]", "anti", "is not one of ante or side"),
    ("more", "contradiction=lambda v: v['zz']", "zz", "contradiction() fails with KeyError"),
    ("more", "counts=5", "counts", "is a function"),
    ("strategy", "return s.playr[0]", "playr", "did you mean 'player'?"),
    ("strategy", "return s.player[0].rnk", "rnk", "did you mean 'rank'?"),
    ("strategy", "return max(c.rnk for c in s.board)", "rnk", "is nothing that a card has"),
    ("strategy", "return simpel(s)", "simpel", "did you mean 'simple'?"),
    ("column", "mine.rank + rnk", "rnk", "'rnk' is not defined"),
    ("column", "t.setle()", "setle", "did you mean 'settle'?"),
    ("top", "import sys; sys.exit(0)", "sys.exit", "the file fails with SystemExit: 0"),
    ("top", "raise BaseException('x')", "raise", "the file fails with BaseException: x"),
    ("top", "GAMES = no_such", "no_such", "NameError"),
]


def test_the_game_around_the_mistakes_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "analyze", str(written(tmp_path)))
    assert (code, err) == (0, "")


@pytest.mark.parametrize("part, text, word, said", MISTAKES, ids=[text for _, text, _, _ in MISTAKES])
def test_a_mistake_is_told_when_the_file_is_loaded(part: str, text: str, word: str, said: str, tmp_path: Path) -> None:
    path = written(tmp_path, **{part: text})
    with pytest.raises(RuleError, match=re.escape(said)) as caught:
        load_file(path)
    place = re.match(r"small\.py, line (\d+): ", str(caught.value))
    assert place and word in path.read_text().splitlines()[int(place[1]) - 1], str(caught.value)


# what only a round comes to
PLAYED = [
    ("column", "lookup([0.9] * 13, mine.rank) > 0", "holds whole numbers, and 0.9 is none"),
    ("column", "lookup([Fraction(1, 2)] * 13, mine.rank)", "Fraction(1, 2) is none"),
    ("column", "where(mine.rank > 3, 0.5, 1)", "cannot meet 0.5"),
    ("column", "by_floor(mine.rank, {'win': 2.5})", "cannot meet 2.5"),
    ("column", "within(mine.rank, 0.5, 7)", "two whole numbers"),
    ("column", "t.deal(PLAYER, 1.5)", "a whole number of cards, 1 or more, not 1.5"),
    ("column", "t.carried('x', 1.5, on='ante')", "a whole number from 1 to 255, not 1.5"),
    ("column", "pick(['win'], Fraction(1, 2))", "cannot meet Fraction(1, 2)"),
    ("column", "t.decide(1, 2)", "is text in quotes, not 1"),
    ("column", "lookup(5, mine.rank)", "lookup() takes a table and a column"),
    ("column", "mine.rnk", "did you mean 'rank'?"),
    ("column", "exit()", "play() fails with SystemExit"),
    ("strategy", "return s.by['x']", "the strategy 'simple' fails with KeyError: 'x'"),
    ("strategy", "raise SystemExit(3)", "the strategy 'simple' fails with SystemExit: 3"),
]


@pytest.mark.parametrize("part, text, said", PLAYED, ids=[text for _, text, _ in PLAYED])
def test_a_mistake_in_a_round_is_told_with_its_line(
    part: str, text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "analyze", str(written(tmp_path, **{part: text})), "--strategy", "simple")
    assert (code, out) == (2, "") and "small.py, line " in err and said in err and text in err


def test_what_is_shipped_is_checked_here_and_not_when_it_is_loaded() -> None:
    for path in GAME_FILES:
        check_declared(load_file(path, checked=True))


# ---- what takes for ever


@pytest.mark.parametrize("part", ["top", "column", "strategy"])
@pytest.mark.parametrize("text", ["exec('while True: pass')", "__import__('time').sleep(60)"])
def test_what_never_ends_is_ended_with_its_line(part: str, text: str, tmp_path: Path) -> None:
    """In a process of its own: a tool that measures coverage may hold a lock when the clock strikes."""
    path = written(tmp_path, **{part: text})
    script = (
        "import sys; from pitboss.rules import files, mistakes; mistakes.PATIENCE, files.LOADING = 0.3, 2; "
        "from pitboss.cli import main; "
        "raise SystemExit(main(['analyze', sys.argv[1], '--strategy', 'simple']))"
    )
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, timeout=60)
    line = next(i for i, line in enumerate(path.read_text().splitlines(), 1) if text in line)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"pitboss: small.py, line {line}: ") and "has not come to an end" in done.stderr


def many_ways(t: Table) -> None:
    mine = t.deal(PLAYER, 2)
    for card in mine:
        for rank in range(12):
            t.when(card.rank > rank)
    t.settle(ante=compare(mine[0].rank, 6))


def test_a_round_that_goes_too_many_ways_is_ended_in_any_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "MOST_SECONDS", 0.05)
    caught: list[str] = []

    def ask() -> None:
        try:
            trace(small_game(many_ways, Wager("ante", required=True)).at())
        except RuleError as error:
            caught.append(str(error))

    for where in (threading.Thread(target=ask), threading.Thread(target=ask)):
        where.start()
        where.join(60)
    ask()
    assert len(caught) == 3 and all("t.when(card.rank > rank)" in c and "seconds" in c for c in caught)


def test_a_watch_inside_a_watch_gives_back_the_outer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    outer = begin(30)
    try:
        with pytest.raises(RuleError, match="if this is a loop"):
            monkeypatch.setattr(mistakes, "PATIENCE", 0.2)
            mistakes.careful(_endless, "it")()
        assert not outer.fired
    finally:
        end(outer)


def _endless() -> None:
    while True:
        pass
