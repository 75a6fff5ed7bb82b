"""Whatever a file says and whatever the shell has made of the streams: nothing but text comes out, and no traceback."""

import ast
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

import pitboss.cli.commands as commands
from helpers import ROOT, SOURCE, run
from pitboss.catalog import load
from pitboss.cli import main
from pitboss.cli.screen import NARROWEST, WIDEST, Screen, marked
from pitboss.ledger.shown import Shown
from pitboss.live import Journal, Session
from pitboss.plain import LOOK_ALIKE, clean, code, markdown, spreadsheet
from pitboss.rules import RuleError
from pitboss.rules.files import load_file
from pitboss.rules.trace import trace

FACES = sorted((SOURCE / "cli").glob("*.py"))
CONTROLS = "\x1b[31m\x1b]0;owned\x07\x00\x08\r\x7f\x85\x9b2J\u202a\u202e\u2066\u2069\u2028\u2029\u200f\ufeff\udc80"
MARKUP = "[bold]x[/] [/] [/red] [@click(y)] :smile: [red"  # no = sign, which ends a name on the command line
LINKED = "[link=http://e.vil]y[/link] [/] :smile:"
SEEN = re.compile(r"\x1b\[[0-9;]*m")  # the looks that pitboss itself gives
HARMFUL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")

GAME = """{doc!r}
from pitboss.rules import *

H = {hostile!r}


def play(t):
    mine = t.deal(PLAYER, face=DOWN)
    his = t.deal(DEALER, face=DOWN)
    if t.decide("hold" + H, "drop" + H, name="what" + H) == "drop" + H:
        t.settle("dropped" + H, **{{"ante": LOSE}})
    else:
        t.reveal(DEALER)
        best = compare(mine.rank, his.rank)
        if t.option("ties") == "lose" + H:
            best = where(mine.rank == his.rank, LOSE, best)
        if t.when(mine.rank > his.rank, "it is higher" + H):
            t.settle("higher" + H, **{{"ante": best}})
        else:
            t.settle("not higher" + H, **{{"ante": best}})
    t.settle("side" + H, **{{"side": where(mine.suit == his.suit, row("suited" + H), LOSE)}})


def bold(seen):
    return seen.choices[0]


bold.__doc__ = "never drops" + H

GAME = Game(
    name="hostile", title="Hostile" + H, play=play,
    wagers=[
        Wager("ante", "the higher card" + H, required=True),
        Wager("side", "suited" + H, tables=[PayTable("one" + H, {{"suited" + H: 3}}),
                                               PayTable("two" + H, {{"suited" + H: 2}})]),
    ],
    options=(Choice("ties", ("push" + H, "lose" + H), "what ties do" + H), Choice("decks", (1, 2), "decks" + H)),
    strategies={{"bold": bold}},
    anchors=(Anchor("side", "5.88%", "a book" + H),),
    notes=("a note" + H,),
)
"""


def game(folder: Path, hostile: str, name: str = "hostile.py") -> str:
    path = folder / name
    path.write_text(GAME.format(doc=f"A game{hostile}\n\nMore of it{hostile}", hostile=hostile))
    return str(path)


def asked(file: str, hostile: str) -> list[list[str]]:
    """Every command that takes a game, on one whose every text is hostile."""
    side, ties = "side", f"ties=lose{hostile}"
    return [
        ["rules", file, "-o", ties],
        ["rules", file, "--json"],
        ["analyze", file, "-o", ties, "-p", f"{side}=two{hostile}"],
        ["analyze", file, "--json"],
        ["analyze", file, "--bet", "ante=10", "--bet", f"{side}=5"],
        ["analyze", file, "--plan"],
        ["analyze", file, "--across", "ties"],
        ["analyze", file, "--wager", f"none{hostile}"],
        ["analyze", file, "-o", f"none{hostile}=1"],
        ["analyze", file, "--strategy", f"none{hostile}"],
        ["strategy", file],
        ["strategy", file, "--strategy", "bold"],
        ["simulate", file, "--rounds", "5000", "--bet", "ante=10", "--bet", f"{side}=5"],
        ["design", file, "--wager", side, "--edge", "0%..90%"],
        ["design", file, "--wager", f"none{hostile}", "--edge", "0%..90%"],
        ["protect", file, "--wager", side, "--shoes", "20"],
        ["floor", file],
        ["play", file, "--rounds", "1", "--bet", "ante=10", "--bet", f"{side}=5", "--seats", "2", "--coach"],
        ["play", file, "--rounds", "1", "--json"],
        ["play", file, "--toke", f"none{hostile}=5"],
        ["replay", f"none{hostile}"],
        ["verify", f"none{hostile}"],
        ["simulate", file, f"--none{hostile}"],
        [f"none{hostile}"],
    ]


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("?\n\nh\nnone\n1\n1\n1\n"))


@pytest.mark.usefixtures("typing")
@pytest.mark.parametrize("number", range(len(asked("", ""))))
@pytest.mark.parametrize("hostile", [CONTROLS, MARKUP], ids=["controls", "markup"])
def test_no_text_of_a_game_file_does_anything(
    number: int, hostile: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "300")
    words = [word.replace("\0", "") for word in asked(game(tmp_path, hostile), hostile)[number]]
    code_, out, err = run(capsys, *words)
    assert code_ in (0, 1, 2) and not HARMFUL.search(SEEN.sub("", out)) and not HARMFUL.search(err), (code_, err)
    assert "Traceback" not in err
    if hostile == MARKUP:
        mistake = any("none" in word for word in words)
        shown = json.loads(out.splitlines()[-1]) if words[0] == "play" and "--json" in words else out
        assert code_ == (2 if mistake else 0), err
        assert mistake or MARKUP in SEEN.sub("", str(shown))


@pytest.mark.usefixtures("typing")
@pytest.mark.parametrize("hostile", [CONTROLS, MARKUP], ids=["controls", "markup"])
def test_no_text_of_a_log_does_anything(hostile: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, log = game(tmp_path, MARKUP), tmp_path / "log.jsonl"
    assert run(capsys, "play", file, "--rounds", "1", "--log", str(log))[0] == 0
    code_, out, err = run(capsys, "replay", str(log), "--game", file)
    assert code_ == 0 and not HARMFUL.search(out) and not err, err
    log.write_text(json.dumps({"game": hostile, hostile: hostile}) + "\n")
    code_, out, err = run(capsys, "replay", str(log))
    assert code_ == 2 and not HARMFUL.search(out + err)


CLAIM = """document = {title}
game = "bluff"

[[claim]]
id = {id}
says = {says}
where = {where}
printed = "4.2%"
wager = "ante"
"""


def claims(folder: Path, hostile: str) -> str:
    """A claims file; TOML and JSON spell a text alike, but for the halves of characters, which TOML has not."""
    texts = {n: json.dumps(f"{n} {hostile}".replace("\udc80", "")) for n in ("title", "id", "says", "where")}
    texts = {name: text.replace("\x7f", "\\u007f") for name, text in texts.items()}
    path = folder / f"claims{hostile.translate({0: None, ord('/'): None, 0xDC80: None})}.toml"
    path.write_text(CLAIM.format(**texts))
    tomllib.loads(path.read_text())
    return str(path)


@pytest.mark.parametrize("flags", [[], ["--brief"], ["--json"], ["--markdown"]])
@pytest.mark.parametrize("hostile", [CONTROLS, MARKUP, LINKED], ids=["controls", "markup", "links"])
def test_no_text_of_a_claims_file_does_anything(
    flags: list[str], hostile: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    code_, out, err = run(capsys, "verify", claims(tmp_path, hostile), *flags)
    assert code_ in (0, 1, 2) and not HARMFUL.search(SEEN.sub("", out)) and not HARMFUL.search(err), err
    assert hostile == CONTROLS or code_ < 2


FORGED = "\nFORGED: 5 claims, 5 confirmed"


def forged(out: str) -> list[str]:
    """Lines that begin as no line of pitboss does."""
    return [line for line in SEEN.sub("", out).splitlines() if line.strip(" │┃|-").startswith("FORGED")]


@pytest.mark.parametrize("flags", [[], ["--brief"], ["--markdown"]])
def test_no_line_of_a_claims_file_looks_like_a_verdict(
    flags: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = claims(tmp_path, FORGED)
    code_, out, err = run(capsys, "verify", file, *flags)
    assert code_ == 0 and not err and not forged(out) and (flags == ["--brief"] or "FORGED" in out)
    assert "1 claim: 1 confirmed" in out


def test_no_name_of_a_file_looks_like_a_line_of_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game, claims about it, a log, a checkpoint, a chart."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n1\n1\n"))
    file = game(tmp_path, "", f"game{FORGED}.py")
    toml = tmp_path / "claims.toml"
    toml.write_text('game = "hostile"\n[[claim]]\nid="A"\nsays="x"\nwhere="y"\nwager="side"\nprinted="5.88%"\n')
    log, other, chart = (str(tmp_path / f"{name}{FORGED}") for name in ("log", "run.ck", "x"))
    for words in (
        ["verify", str(toml), "--game", file],
        ["verify", str(toml), "--game", file, "--markdown"],
        ["play", file, "--rounds", "1", "--log", log],
        ["replay", log, "--game", file],
        ["simulate", file, "--rounds", "5000", "--checkpoint", other],
        ["design", file, "--wager", "side", "--edge", "0%..90%"],
        ["analyze", file, "--plot", f"{chart}.svg"],
        ["analyze", f"{file}.none"],
    ):
        code_, out, err = run(capsys, *words)
        assert code_ in (0, 1, 2) and not forged(out + err), (words, out + err)


def test_no_line_of_a_log_looks_like_one_of_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sealed anew, with another version: who holds a log can write what he likes into it."""
    from pitboss.live.chain import START, sealed

    log = tmp_path / "log.jsonl"
    session = Session(load("bluff").at(), journal=Journal(log))
    session.bet(1, ante=5)
    session.deal()
    while session.turn:
        session.choose(1, session.turn.choices[0])
    session.close()
    last, lines = START, b""
    for entry in map(json.loads, log.read_text().splitlines()):
        entry |= {"version": f"0.6.0{FORGED}"} if entry["line"] == "session" else {}
        line, last = sealed({k: v for k, v in entry.items() if k not in ("after", "sha256")}, last)
        lines += line
    log.write_bytes(lines)
    code_, out, err = run(capsys, "replay", str(log))
    assert (code_, out) == (2, "") and "its version is missing, or not a short text" in err and not forged(err)


@pytest.mark.parametrize("where", ["because", "choice", "name", "words", "row", "title"])
def test_what_a_game_file_says_in_passing_is_one_line(where: str, tmp_path: Path) -> None:
    """Else it is told with its line; prose, such as a note, may have several and is shown as one."""
    parts = {"because": '"dropped" + H', "choice": '"hold" + H', "name": '"what" + H', "words": '"it is higher" + H',
             "row": '"suited" + H', "title": '"Hostile" + H'}  # fmt: skip
    text = GAME.format(doc="A game", hostile="").replace(parts[where], f"{parts[where]} + '\\nFORGED'")
    path = tmp_path / "lines.py"
    path.write_text(text)
    with pytest.raises(RuleError, match=r"lines.py, line \d+: .* is one line, not "):
        trace(load_file(path).at())


def test_prose_of_a_game_file_is_shown_as_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = GAME.format(doc="A game", hostile="")
    for part in ('"the higher card" + H', '"what ties do" + H', '"a book" + H', '"a note" + H', '"never drops" + H'):
        assert part in text
        text = text.replace(part, f"{part} + {FORGED!r}")
    path = tmp_path / "prose.py"
    path.write_text(text)
    for words in (["rules"], ["analyze"], ["strategy"], ["analyze", "--wager", "side"]):
        code_, out, err = run(capsys, words[0], str(path), *words[1:])
        assert (code_, err) == (0, "") and not forged(out)
    assert "FORGED" in run(capsys, "rules", str(path))[1]


def test_a_mistake_in_a_file_with_an_odd_name_and_odd_source_is_told_in_plain_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in {
        "a\x1b[2J.py": "raise ValueError('\\x1b]0;owned\\x07')",
        "b\u202e.py": "GAME = 'x\x9b'  # \x1b[31m\n1/0 # \x1b[31m",
        "c\x07.py": "'\\d'; x = '\x1b[31m'  # a warning, and no game",
        "d\r.py": "(((\x1b",
    }.items():
        path = tmp_path / name
        path.write_text(text)
        code_, out, err = run(capsys, "analyze", str(path))
        assert code_ == 2 and not out and err.startswith("pitboss: ") and not HARMFUL.search(err), (name, err)


def test_no_string_of_the_command_line_is_markup_and_nothing_else_writes() -> None:
    """Looks are given by `marked`, whose template stands in the code; everything is written by two modules."""
    for path in FACES:
        tree = ast.parse(path.read_text())
        calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
        named = {id(c): c.func.id if isinstance(c.func, ast.Name) else getattr(c.func, "attr", "") for c in calls}
        templates = [c.args[0] for c in calls if named[id(c)] == "marked"]
        assert all(isinstance(t, ast.Constant) for t in templates), path
        if path.name not in ("screen.py", "streams.py"):
            used = {c.func.id for c in calls if isinstance(c.func, ast.Name)}
            assert not used & {"print", "input", "Console"}, path
            assert not {"from_markup", "render_markup"} & set(named.values()), path
            assert "sys.stdout" not in path.read_text() and "sys.stderr.write" not in path.read_text(), path
            strings = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
            assert not [s.value for s in strings if s not in templates and "[/" in s.value], path
            # rich takes a string for markup here, whatever the console says
            titles = [k.value for c in calls if named[id(c)] == "Panel" for k in c.keywords if "title" in (k.arg or "")]
            titles += [c.args[0] for c in calls if named[id(c)] == "status"]
            assert all(isinstance(t, ast.Call) and named[id(t)] in ("Text", "marked") for t in titles), path
            keywords = [k for c in calls for k in c.keywords if k.arg == "markup"]
            assert all(isinstance(k.value, ast.Constant) and k.value.value is False for k in keywords), path


def test_marked_takes_tags_from_its_template_alone() -> None:
    text = marked("[bold]{} [red]and[/][/] {}", LINKED, "\x1b[1m")
    assert text.plain == f"{LINKED} and ␛[1m"
    assert [(str(s.style), text.plain[s.start : s.end]) for s in text.spans if s.style] == [
        ("bold", LINKED), ("bold", " "), ("bold red", "and"),
    ]  # fmt: skip


# ---- pages, spreadsheets, pictures


def test_clean_leaves_lines_and_letters_and_shows_the_rest() -> None:
    assert clean("Pâté · 9♠ 日本\nline two") == "Pâté · 9♠ 日本\nline two"
    assert clean("\x1b[2J\x07\x7f\ta") == "␛[2J␇␡ a" and not HARMFUL.search(clean(CONTROLS))
    assert len(clean(CONTROLS)) == len(CONTROLS)


@pytest.mark.parametrize(
    "text, page",
    [
        ("a|b", "a\\|b"),
        ("<script>alert(1)</script>", "\\<script\\>alert(1)\\</script\\>"),
        ("[x](http://e.vil) ![y](z)", "\\[x\\](http://e.vil) !\\[y\\](z)"),
        ("`c` *i* _e_ k_c", "\\`c\\` \\*i\\* \\_e\\_ k_c"),
        ("&lt;b&#x202e; Suit & Tie", "\\&lt;b\\&#x202e; Suit & Tie"),
        ("one\n# two\n\n| three |", "one # two  \\| three \\|"),
        ("\\| \x1b", "\\\\\\| ␛"),
    ],
)
def test_a_page_of_markdown_says_what_the_text_says(text: str, page: str) -> None:
    assert markdown(text) == page


def test_code_of_a_page_cannot_be_left() -> None:
    assert code("a | b\nc") == "`a \\| b c`"
    assert code("`x`` ![y](z)") == "``` `x`` ![y](z) ```"


def test_a_page_of_verdicts_has_one_row_for_a_claim(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "a | b\n\n# c <img src=x> ![p](http://e.vil) `d`"
    _, page, _ = run(capsys, "verify", claims(tmp_path, hostile), "--markdown")
    rows = [line for line in page.splitlines() if line.startswith("| id")]
    assert len(rows) == 1 and rows[0].count(" | ") == 7 and "<img" not in page.replace("\\<img", "")
    assert [line for line in page.splitlines() if line.startswith("#")] == [
        "## title a \\| b # c \\<img src=x\\> !\\[p\\](http://e.vil) \\`d\\`"
    ]


class Record(Shown):
    TABLE = "rows"

    def json(self) -> dict[str, object]:
        return {"rows": [{"=name": "=HYPERLINK(1)", "@b": "-1/3", "c": -0.5, "d": "<script>\x1b", "e": "+cmd|' /C'"}]}


def test_a_spreadsheet_runs_nothing_and_a_notebook_neither() -> None:
    assert Record().to_csv() == "'=name,'@b,c,d,e\n'=HYPERLINK(1),-1/3,-0.5,<script>\x1b,'+cmd|' /C'\n"
    shown = Record()._repr_html_()
    assert "&lt;script&gt;␛" in shown and "<script" not in shown and "\x1b" not in shown
    kept = [-0.5, "-1/3", "+1,234.5", "-4.2%", "2-6", "plain", None]
    assert [spreadsheet(value) for value in kept] == kept
    assert spreadsheet("-1+cmd") == "'-1+cmd" and spreadsheet(" =1") == "' =1" and spreadsheet("--1") == "'--1"


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_chart_of_a_hostile_game_is_drawn(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    from xml.etree import ElementTree

    hostile = " $x^$ [/] <script>"
    file, chart = game(tmp_path, hostile), tmp_path / f"chart.{kind}"
    for words in (["analyze", file], ["strategy", file], ["analyze", file, "--across", "decks"]):
        code_, _, err = run(capsys, *words, "--plot", str(chart))
        assert (code_, err) == (0, "")
        if kind == "svg":
            assert not HARMFUL.search(chart.read_text().replace("\t", " "))
            ElementTree.parse(chart)


# ---- the size and the kind of a terminal


@pytest.mark.parametrize("columns", ["0", "1", "5", "-3", "abc", "", "²", "1000000000", "9" * 30])
@pytest.mark.usefixtures("typing")
def test_any_size_of_a_terminal_will_do(
    columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("LINES", columns)
    assert NARROWEST <= Screen(file=io.StringIO()).width <= WIDEST
    for words in (["analyze", "bluff", "--wager", "suit-tie"], ["play", "bluff", "--rounds", "1"], ["--help"]):
        code_, out, err = run(capsys, *words)
        assert code_ == 0 and not err and len(out) < 50_000


@pytest.mark.parametrize("term", ["dumb", "unknown", "", "xterm\x1b[2J"])
def test_any_kind_of_terminal_will_do(
    term: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for more in ({}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}, {"FORCE_COLOR": "0", "COLORTERM": "x\x1b"}):
        with monkeypatch.context() as here:
            for name, value in {"TERM": term, **more}.items():
                here.setenv(name, value)
            code_, out, err = run(capsys, "hands", "5")
            assert code_ == 0 and not err and not HARMFUL.search(SEEN.sub("", out))


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_an_encoding_without_the_signs_gets_those_that_look_alike(encoding: str) -> None:
    said = "9♠ · 4% ± 0.1% – “a” ● chi² …".encode(encoding, LOOK_ALIKE).decode(encoding)
    assert "?" not in said and ("-" in said or "–" in said)
    if encoding == "ascii":
        assert said == '9s - 4% +- 0.1% - "a" * chi^2 ...'
    assert "日\ud800".encode(encoding, LOOK_ALIKE) == b"??"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize(
    "words", ["games", "rules bluff", "analyze bluff", "floor bluff", "strategy bluff", "play bluff --rounds 1", "x·y"]
)
def test_every_command_speaks_any_encoding(words: str, encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raw, told = io.BytesIO(), io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n1\n1\n1\n"))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(told, encoding=encoding))
    code_ = main(words.split())
    assert (raw if code_ == 0 else told).getvalue().decode(encoding) and code_ == (2 if words == "x·y" else 0)


# ---- streams that are closed, full or cut off


def child(shell: str, typed: bytes = b"", **around: str) -> subprocess.CompletedProcess[bytes]:
    """A command line of the shell in which `pitboss` is this one."""
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PITBOSS": f"{sys.executable} -m pitboss", **around}
    if "PYTHONUNBUFFERED" not in around:
        env.pop("PYTHONUNBUFFERED", None)
    script = shell.replace("pitboss", "$PITBOSS")
    return subprocess.run(["sh", "-c", script], input=typed, capture_output=True, env=env, timeout=120)


FULL = "pitboss: the output could not be written: No space left on device\n"


@pytest.mark.parametrize(
    "shell, code_, err",
    [
        ("pitboss games >/dev/full", 74, FULL),
        ("pitboss --help >/dev/full", 74, FULL),
        ("pitboss analyze bluff --wager suit-tie >/dev/full", 74, FULL),
        ("pitboss hands 5 --json >/dev/full", 74, FULL),
        ("pitboss play bluff >/dev/full", 74, FULL),
        ("pitboss games 1</dev/null", 74, "pitboss: the output could not be written: Bad file descriptor\n"),
        ("pitboss games >&-", 0, ""),
        ("pitboss hands 5 >&-", 0, ""),
        ("pitboss play bluff >&- <&-", 0, ""),
        ("pitboss hands 9 2>&-", 2, ""),
        ("pitboss hands 9 2>/dev/full", 2, ""),
        ("pitboss hands 9 <&- >&- 2>&-", 2, ""),
    ],
)
def test_a_stream_that_does_not_work_is_a_sentence_or_silence(shell: str, code_: int, err: str) -> None:
    done = child(shell)
    assert (done.returncode, done.stderr.decode()) == (code_, err)


@pytest.mark.parametrize("words", ["--version", "hands 5", "hands 5 --json"])
def test_an_unbuffered_stream_that_is_full_is_told_as_well(words: str) -> None:
    done = child(f"pitboss {words} >/dev/full", PYTHONUNBUFFERED="1")
    assert (done.returncode, done.stderr.decode()) == (74, FULL)


def test_a_verdict_stands_though_nobody_reads_it(tmp_path: Path) -> None:
    """A claim that is contradicted, and a log in which a round was never closed."""
    (tmp_path / "c.toml").write_text(CLAIM.format(title='"t"', id='"i"', says='"s"', where='"w"').replace("4.2", "9.9"))
    kill = "import os, pitboss as pb; t = pb.table('bluff', log='l'); t.bet(1, ante=5); t.deal(); os._exit(0)"
    for flags in ("", "--json", "--markdown"):
        done = child(f"cd {tmp_path}; (pitboss verify c.toml {flags}; echo $? >&2) | true")
        assert done.stderr == b"1\n"
    around = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, "-c", kill], cwd=tmp_path, env=around, check=True)
    for flags in ("", "--json"):
        done = child(f"cd {tmp_path}; (pitboss replay l {flags}; echo $? >&2) | true")
        assert done.stderr == b"1\n"


@pytest.mark.parametrize("words", ["games", "rules blackjack", "rules blackjack --json"])
def test_a_reader_that_has_seen_enough_is_no_error(words: str) -> None:
    done = child(f"(pitboss {words}; echo $? >&2) | true")
    assert done.stderr == b"0\n"


@pytest.mark.parametrize(
    "typed", [b"", b"\n1", b"x" * 1_000_000 + b"\nq\n", bytes(range(256)) * 20 + b"\nq\n", b"\n\xff\xfe\n\x00\nq\n"]
)
def test_a_table_survives_whatever_is_typed(typed: bytes) -> None:
    done = child("pitboss play bluff", typed, PYTHONIOENCODING="utf-8")
    said = done.stdout.decode()
    assert done.returncode == 0 and not done.stderr and len(said) < 100_000 and "You leave the table." in said
    assert not HARMFUL.search(said)


def in_a_terminal(words: Sequence[str], typed: bytes = b"", stop: int = 0) -> tuple[int, bytes]:
    """What a command says to a terminal, on both of its streams; with a signal as soon as it has said something."""
    ours, theirs = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TERM": "xterm", "NO_PAGER": "1"}
    command = [sys.executable, "-m", "pitboss", *words]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, start_new_session=True)
    os.close(theirs)
    said = b""
    os.write(ours, typed)
    while True:
        try:
            said += os.read(ours, 4096)
        except OSError:  # the other side is closed
            break
        if stop and said:
            process.send_signal(stop)
            stop = 0
    os.close(ours)
    return process.wait(60), said


def test_a_bar_on_a_terminal_shows_a_hostile_title_as_text(tmp_path: Path) -> None:
    code_, said = in_a_terminal(["analyze", game(tmp_path, MARKUP)])
    text = SEEN.sub("", said.decode())
    assert code_ == 0 and MARKUP in text
    assert not re.search("[\x00\x07\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\x1b\\]", text)


@pytest.mark.parametrize(
    "words, number, code_",
    [
        (["simulate", "bluff", "--rounds", "1e13"], signal.SIGINT, 130),
        (["simulate", "bluff", "--rounds", "1e13"], signal.SIGTERM, 143),
        (["play", "bluff"], signal.SIGINT, 0),
        (["play", "bluff"], signal.SIGTERM, 143),
    ],
)
def test_who_is_stopped_says_so_and_leaves(words: list[str], number: int, code_: int) -> None:
    got, said = in_a_terminal(words, stop=number)
    assert got == code_ and b"Traceback" not in said and b"Exception" not in said
    assert (b"pitboss: stopped" if words[0] == "simulate" else b"You leave the table.") in said


# ---- the last resort


def broken(error: BaseException) -> object:
    def command(_: object) -> int:
        raise error

    return command


@pytest.mark.parametrize(
    "error, says",
    [
        (
            ZeroDivisionError("division\nby \x1b[31mzero"),
            "ZeroDivisionError: division by ␛[31mzero; this is a fault of",
        ),
        (KeyError("x" * 500), "KeyError: 'xxx"),
        (SystemExit(0), "SystemExit: 0; this is a fault of pitboss"),
        (GeneratorExit(), "GeneratorExit; this is a fault of pitboss and not yours"),
        (MemoryError(), "there is not enough memory for this"),
        (RecursionError("deep"), "something here is nested deeper than can be followed"),
        (OSError(5, "Input/output error"), "OSError: [Errno 5] Input/output error; this is a fault"),
    ],
)
def test_an_internal_error_is_one_line_and_a_private_file(
    error: BaseException,
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(commands, "hands", broken(error))
    code_, out, err = run(capsys, "hands", "5")
    assert code_ == 70 and not out and err.startswith(f"pitboss: {says}") and err.count("\n") == 1 and len(err) < 500
    (kept,) = tmp_path.iterdir()
    assert err.endswith(f"; the details are in {kept}\n") and kept.stat().st_mode & 0o777 == 0o600
    story = kept.read_text()
    assert "Traceback" in story and "['hands', '5']" in story and "Python 3" in story and not HARMFUL.search(story)


def test_an_internal_error_is_one_line_where_no_file_can_be_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    monkeypatch.setattr(commands, "hands", broken(RuntimeError()))
    code_, _, err = run(capsys, "hands", "5")
    assert code_ == 70 and err == "pitboss: RuntimeError; this is a fault of pitboss and not yours\n"


def test_a_disk_that_is_full_is_no_fault_of_pitboss(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "hands", broken(OSError(28, "No space left on device")))
    assert run(capsys, "hands", "5") == (74, "", FULL)


def test_exit_codes_are_said_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "--help")
    assert all(f"{number} " in " ".join(out.split()) for number in (0, 1, 2, 70, 74, 130, 143))


def test_a_warning_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def warns(_: SimpleNamespace) -> int:
        import warnings

        warnings.warn_explicit("look \x1b[31m", UserWarning, "a\x07.py", 3)
        return 0

    monkeypatch.setattr(commands, "hands", warns)
    assert run(capsys, "hands", "5") == (0, "", "pitboss: a␇.py, line 3: UserWarning: look ␛[31m\n")
