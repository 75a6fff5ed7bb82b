"""The attack, as far as it fits into a test run, and that its judge sees what it is there to see."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fuzz.arena import Arena
from fuzz.arguments import argument_list, commands
from fuzz.case import FOLDER, WITNESS, Case, Ended
from fuzz.damage import ANY, JSON, TOML
from fuzz.files import damaged_file
from fuzz.fixtures import small_claims, small_log
from fuzz.games import COMMANDS, game_file
from fuzz.judge import judge
from fuzz.nonsense import EVERY, SMALL
from fuzz.report import BEGIN, END, write

ROOT = Path(__file__).parent.parent


def test_nothing_is_found(tmp_path: Path) -> None:
    """No traceback, no hang, no nonsense taken, no data run: the whole is `make fuzz`."""
    parts = ["--arguments", "150", "--games", "60", "--files", "60", "--seed", "20", "--quiet", "--keep", str(tmp_path)]
    done = subprocess.run([sys.executable, "-m", "fuzz.run", *parts], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "| together | 270 |" in done.stdout


# ---- the judge


def ended(tmp_path: Path, code: int = 0, out: bytes = b"", err: bytes = b"", hang: bool = False) -> Ended:
    return Ended(code, 1.0, hang, 50, out, err, tmp_path)


def case(*words: str, nonsense: str = "", stdout: str = "file") -> Case:
    return Case("arguments", 0, tuple((w,) for w in words), nonsense=nonsense, stdout=stdout)


@pytest.mark.parametrize(
    ("words", "code", "out", "err", "wanted"),
    [
        ("analyze bluff", 0, b"house edge 4%", b"", "ok"),
        ("analyze x", 2, b"", b"pitboss: there is no game 'x'; there are bluff\n", "refused"),
        ("rules x.py", 2, b"", b"pitboss: x.py, line 5: this is wrong\n    t.deal()\n", "refused"),
        ("verify x", 1, b"contradicted", b"", "verdict"),
        ("replay x", 1, b"Missing: round 3 was never closed", b"", "verdict"),
        ("simulate bluff", 130, b"", b"pitboss: stopped\n", "stopped"),
        ("analyze x", 1, b"", b"Traceback (most recent call last):\n  ...\nKeyError: 5\n", "traceback"),
        ("analyze x", 70, b"", b"pitboss: an internal error; see /tmp/x\n", "traceback"),
        ("analyze x", -11, b"", b"", "traceback"),
        ("analyze x", 120, b"", b"Exception ignored in: <_io.TextIOWrapper\n", "traceback"),
        ("analyze x", 0, b"house edge nan%", b"", "nonsense"),
        ("analyze x --json", 0, b'{"edge": NaN}', b"", "nonsense"),
        ("analyze x --json", 0, b"{", b"", "nonsense"),
        ("analyze x", 2, b"", b"", "unclear"),
        ("analyze x", 1, b"", b"pitboss: this is not a code of an analysis\n", "unclear"),
        ("analyze x", 2, b"", b"pitboss: there is no game a\nb; there are others\n", "unclear"),
        ("analyze x", 2, b"", b"pitboss: there is no game \x1b[31m; there are others\n", "unclear"),
        ("analyze x", 2, b"", b"there is no game x; there are others\n", "unclear"),
        ("rules x", 0, b"a title\x07", b"", "unclear"),
        ("rules x", 0, b"", b"x.py:5: RuntimeWarning: overflow\n", "unclear"),
    ],
)
def test_an_ending_has_its_word(tmp_path: Path, words: str, code: int, out: bytes, err: bytes, wanted: str) -> None:
    assert judge(case(*words.split()), ended(tmp_path, code, out, err)).word == wanted


def test_nonsense_that_is_taken_is_found(tmp_path: Path) -> None:
    wrong = case("analyze", "bluff", nonsense="minimum=-5")
    assert judge(wrong, ended(tmp_path, 0, b"fine")).word == "nonsense"
    assert judge(wrong, ended(tmp_path, 2, b"", b"pitboss: a minimum is 0 or more, not -5\n")).word == "refused"
    assert judge(case("verify", "x", nonsense="x"), ended(tmp_path, 1, b"contradicted")).word == "nonsense"


def test_a_witness_is_found(tmp_path: Path) -> None:
    (tmp_path / WITNESS).touch()
    assert judge(case("verify", "x"), ended(tmp_path, 2, b"", b"pitboss: refused afterwards\n")).word == "executed"


# ---- the arena: planted faults, through real processes


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with Arena(tmp_path_factory.mktemp("arena"), workers=1) as arena:
        yield arena


def planted(arena: Arena, line: str) -> str:
    """How a game file ends whose loading does this."""
    text = SMALL.replace("\n\ndef play", f"\nimport os, signal, sys, time\n{line}\n\n\ndef play", 1)
    found = arena.one(Case("games", 0, (("rules",), ("game.py",)), {"game.py": text.encode()}, nonsense="planted"))
    return found[2].word


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("sys.stderr.write('Traceback (most recent call last):')", "traceback"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "traceback"),
        ("os._exit(70)", "traceback"),
        ("os._exit(0)", "nonsense"),
        ("open('witness', 'w').close()", "executed"),
        ("pass", "nonsense"),  # a game that is right is taken, though it was said to be none
    ],
)
def test_a_planted_fault_is_found(arena: Arena, line: str, wanted: str) -> None:
    assert planted(arena, line) == wanted


def test_a_planted_hang_is_found(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a small limit, so that nobody waits; what the process has started goes as well."""
    monkeypatch.setattr(arena, "stuck", 1.0)
    assert planted(arena, "os.fork(); time.sleep(60)") == "hang"


def test_the_small_game_is_right(arena: Arena) -> None:
    """Else every mistake in it would be refused for another reason."""
    cases = [Case("games", 0, (w[0], ("game.py",), *w[1:]), {"game.py": SMALL.encode()}) for w in COMMANDS.values()]
    assert [(v.word, e.err) for _, e, v in arena.judged(cases)] == [("ok", b"")] * len(cases)


def test_streams_and_folders_are_as_asked(arena: Arena) -> None:
    shut = Case("arguments", 0, (("games",),), stdout="closed", stdin=None)
    assert arena.one(shut)[1].out == b""
    narrow = Case("arguments", 0, (("hands",), ("5",)), env={"COLUMNS": "30"}, special={"x": FOLDER})
    assert max(map(len, arena.one(narrow)[1].out.decode().split("\n"))) <= 30


def test_long_work_is_stopped_as_a_user_stops_it(arena: Arena) -> None:
    long = Case("arguments", 0, (("simulate",), ("bluff",), ("--rounds", "1e14")), interrupt=1.0)
    assert arena.one(long)[2].word in ("stopped", "refused")


# ---- the generators


def test_a_case_can_be_made_again() -> None:
    for make in (argument_list, game_file, damaged_file):
        for number in range(40):
            one, two = make(3, number), make(3, number)
            assert (one.argv, one.files, one.special, one.env) == (two.argv, two.files, two.special, two.env)


def test_every_command_is_attacked() -> None:
    assert {argument_list(1, n).argv[0] for n in range(600)} == set(commands())


def test_a_mistake_is_another_text() -> None:
    assert len({wrong.text for wrong in EVERY}) == len(EVERY) and SMALL not in {wrong.text for wrong in EVERY}


@pytest.mark.parametrize("ways", [ANY, JSON, TOML])
def test_damage_is_damage(ways: tuple[object, ...]) -> None:
    data, dice = (small_claims() if ways is TOML else small_log()), random.Random(1)
    for way in ways:
        assert callable(way)
        assert any(way(data, dice) != data for _ in range(20))


def test_the_page_keeps_what_is_around_the_table(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    write(page, "new")
    assert page.read_text() == f"before\n{BEGIN}\nnew\n{END}\nafter\n"
