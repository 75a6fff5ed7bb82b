"""Nothing that is printed cuts a word: every command, on screens of 80, 100 and 160 columns."""

import io
import re
import shlex
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import pytest
from rich.text import Text

from helpers import ROOT, run
from pitboss.catalog import load
from pitboss.cli import answers
from pitboss.cli.layout import Flow, Sheet, table
from pitboss.cli.screen import Screen
from pitboss.ledger.records import Outcome, WagerResult

EXAMPLES = ROOT / "examples"
COMMANDS = [
    "games",
    "rules bluff",
    "rules flop-poker-bonus",
    "analyze bluff",
    "analyze bluff --full",
    "analyze flop-poker-bonus",
    "analyze packs-poker --wager ante-bonus",
    f"analyze {EXAMPLES}/casino_war.py",
    "analyze bluff --plan",
    "analyze bluff --across decks",
    "strategy bluff",
    "strategy blackjack",
    f"strategy {EXAMPLES}/red_dog.py",
    "simulate bluff --rounds 1e5",
    "design bluff --wager suit-tie --edge 4%..6%",
    "protect bluff --wager suit-tie --shoes 20",
    "floor bluff",
    "hands 5",
    "diff bluff 'bluff -o decks=8 -o limit=high -p suit-tie=1,3,12'",
    "diff flop-poker-bonus 'flop-poker-bonus -p 3-card-bonus=2'",
]
WIDTHS = (80, 100, 160)
FRAME = re.compile("[─━│┃ ]+")


def words(out: str) -> set[str]:
    return {word.rstrip(",;") for line in out.splitlines() for word in FRAME.split(line) if word}


@cache
def vocabulary() -> set[str]:
    """Words that are said on a narrow screen only: of what stands beside a table there, and not in it."""
    return words("= of ways in all; --full has those of each row bet: raise: call: check: fold:")


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_cuts_a_word(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said on a screen of any width is said, word for word, on the widest: nothing is cut or broken."""

    def at(width: int) -> str:
        monkeypatch.setenv("COLUMNS", str(width))
        code, out, err = run(capsys, *shlex.split(command))
        assert code == (1 if "limit=high" in command else 0), err  # what needs approval again
        return out

    whole = words(at(1000)) | vocabulary()
    for width in WIDTHS:
        out = at(width)
        timed = set(re.findall(r"(\S+) s · (\S+) million", out)[0]) if "million hands" in out else set()
        assert max(map(len, out.splitlines())) <= width, width
        assert "…" not in out and not words(out) - whole - timed, (width, words(out) - whole - timed)


# ---- the layout itself


def drawn(what: object, width: int) -> str:
    file = io.StringIO()
    Screen(file=file, width=width).print(what)
    return file.getvalue()


def sheet(rows: Sequence[Sequence[str]]) -> Sheet:
    out = table(*rows[0])
    for row in rows[1:]:
        out.add_row(*row)
    return out


ROWS = [
    ["outcome", "house edge", "standard deviation", "verdict"],
    ["raise, dealer folds: ante wins", "4.2295%", "1.4549", "off by 112.8 standard errors"],
    ["antidisestablishmentarianism", "17.4773%", "31.9873", "agrees"],
]


@pytest.mark.parametrize("width", [200, 80, 60, 44, 41])
def test_a_table_wraps_between_words_and_then_between_columns(width: int) -> None:
    out = drawn(sheet(ROWS), width)
    assert max(map(len, out.splitlines())) <= width and "…" not in out
    assert words(out) == words("\n".join(cell for row in ROWS for cell in row))


def test_columns_that_do_not_fit_go_below_with_the_first_column_again() -> None:
    out = drawn(sheet(ROWS), 41)
    assert out.count("antidisestablishmentarianism") > 1 and out.index("edge") < out.index("deviation")
    assert drawn(sheet(ROWS), 200).count("antidisestablishmentarianism") == 1


def test_a_word_that_is_longer_than_the_screen_is_folded_and_not_lost() -> None:
    long = "1234567890" * 6
    out = drawn(sheet([["what", "exactly"], ["edge", long]]), 40)
    assert "…" not in out and re.sub(r"[^0-9]", "", out) == long


def test_a_title_is_as_wide_as_the_screen_and_not_as_its_table() -> None:
    out = table("a", "b", title="a title that is longer than this little table")
    out.add_row("1", "2")
    assert "a title that is longer than this little table\n" in drawn(out, 80)


def test_a_sentence_breaks_between_its_parts() -> None:
    flow = Flow("house edge 4.2295%", Text("some profit in 19.12% of rounds"), "", "expected loss $1")
    assert drawn(flow, 80) == "house edge 4.2295% · some profit in 19.12% of rounds · expected loss $1\n"
    assert drawn(flow, 40) == "house edge 4.2295%\n  some profit in 19.12% of rounds\n  expected loss $1\n"


# ---- return tables


def result(many: int, ways: int) -> WagerResult:
    """A wager with three ways of play, so many outcomes of each."""
    played = ("raise 4x", "check, raise 2x", "check, check, fold")
    names = [f"{play}: ante win, blind row {n} of the table" for play in played for n in range(many)]
    rows = [Outcome(name, ways, Fraction(1, len(names)), Fraction(n - many)) for n, name in enumerate(names)]
    return WagerResult("ante", "even money", tuple(rows), ways * len(rows), Fraction(2))


@pytest.mark.parametrize("width", WIDTHS)
def test_a_long_return_table_is_put_together_and_whole_when_asked_for(width: int) -> None:
    screen, house = Screen(file=io.StringIO(), width=width), load("bluff").at()
    wager = result(many=20, ways=10**9)
    short = drawn(answers.return_table(screen, house, wager), width)
    full = drawn(answers.return_table(screen, house, wager, full=True), width)
    assert len(short.splitlines()) < 12 and "the 60 outcomes" in short and "--full" in short
    assert "-20 to -1" in short and short.count("0.33333333") == 3
    assert len(full.splitlines()) >= 60 and full.count("1,000,000,000") == 60
    for play in ("raise 4x", "check, raise 2x", "check, check, fold"):
        assert play in short and play in full


def test_ways_are_whole_numbers_however_many_there_are() -> None:
    screen, house = Screen(file=io.StringIO(), width=160), load("bluff").at()
    wager = result(many=2, ways=123456789012345678901234567)
    short = drawn(answers.return_table(screen, house, wager), 160)
    full = drawn(answers.return_table(screen, house, wager, full=True), 160)
    assert "e+" not in short + full and "of 740,740,734,074,074,073,407,407,402 ways in all" in short
    assert full.count("123,456,789,012,345,678,901,234,567") == 6
