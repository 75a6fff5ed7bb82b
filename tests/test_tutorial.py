"""docs/your-own-game.md holds: every game on it runs, every figure, transcript and message is the real one."""

import importlib.util
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

import pitboss.rules
from pitboss.cli import main
from pitboss.exact import analyze
from pitboss.rules import Game

PAGE = (Path(__file__).parent.parent / "docs" / "your-own-game.md").read_text()
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FIGURE = re.compile(
    r"^(?:- )?House edge of the (?P<wager>[\w-]+)"
    r"(?: with the pay table (?P<table>[\w-]+)| with (?P<options>[\w=, -]+)| under the strategy (?P<strategy>[\w-]+))?"
    r": (?P<edge>-?\d+\.\d+)%$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Block:
    """A fenced block, its heading, and the prose up to the next block."""

    kind: str
    text: str
    heading: str
    after: str

    @property
    def is_game(self) -> bool:
        return self.kind == "python" and re.search(r"^GAME = ", self.text, re.MULTILINE) is not None


def blocks() -> Iterator[Block]:
    found = list(FENCE.finditer(PAGE))
    for this, following in zip(found, [*found[1:], None], strict=True):
        heading = re.findall(r"^##+ (.*)$", PAGE[: this.start()], re.MULTILINE)[-1]
        after = PAGE[this.end() : following.start() if following else len(PAGE)]
        yield Block(this[1], this[2], heading, after)


BLOCKS = list(blocks())
GAMES = [b for b in BLOCKS if b.is_game]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder, at a terminal that is wide enough not to break lines."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


def load(path: Path) -> Game:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game = module.GAME
    assert isinstance(game, Game)
    return game


# ---- games and their figures


def test_the_page_takes_every_step() -> None:
    assert len(GAMES) == 14
    for word in (
        "PayTable(",
        "first_match(",
        ".decide(",
        "face=DOWN",
        "BLIND",
        "Choice(",
        "Seen",
        "Anchor(",
        ".carried(",
    ):
        assert any(word in b.text for b in GAMES), word


@pytest.mark.parametrize("block", GAMES, ids=lambda b: b.heading)
def test_every_figure_after_a_game_is_its_edge(folder: Path, block: Block) -> None:
    path = folder / "high_card.py"
    path.write_text(block.text)
    game = load(path)
    figures = list(FIGURE.finditer(block.after))
    assert len(figures) == block.after.count("House edge of the"), "a figure that this test cannot read"
    plain = {f["wager"] for f in figures if not (f["table"] or f["options"] or f["strategy"])}
    assert plain == set(game.at().parties), "each wager before the deal needs its figure"
    assert {f["strategy"] for f in figures if f["strategy"]} - {"basic"} == set(game.strategies)  # basic is derived
    for figure in figures:
        options = dict(pair.split("=") for pair in (figure["options"] or "").split(", ") if pair)
        tables = {figure["wager"]: figure["table"]} if figure["table"] else {}
        found = analyze(game.at(options, tables), figure["strategy"] or "optimal").wagers
        result = next(w for w in found if w.wager == figure["wager"])
        assert f"{float(result.house_edge) * 100:.3f}" == figure["edge"], figure[0]


@pytest.mark.parametrize("block", GAMES, ids=lambda b: b.heading)
def test_every_outcome_of_every_game_is_counted_once(folder: Path, block: Block) -> None:
    path = folder / "high_card.py"
    path.write_text(block.text)
    game = load(path)
    for anchor in game.anchors:
        house = game.at(anchor.options, anchor.tables)
        assert anchor.agrees(analyze(house, anchor.strategy).wager(anchor.wager).house_edge)
    for wager in analyze(game.at()).wagers:
        if not wager.exact:  # enumerated in double precision
            assert abs(sum(o.probability for o in wager.outcomes) - 1) < 1e-12
            continue
        assert sum(o.probability for o in wager.outcomes) == 1
        assert sum(o.ways for o in wager.outcomes) == wager.ways
        assert wager.wagered >= 1 and -1 <= wager.house_edge <= 1


def test_the_figures_that_the_text_derives_by_hand() -> None:
    by_heading = {b.heading.partition(".")[0]: b.after for b in GAMES}
    assert f"{float(Fraction(3, 51)) * 100:.3f}%" in by_heading["1"]
    brave = 2 * Fraction(12, 52) * Fraction(40, 51) - Fraction(12, 52)
    assert f"under the strategy brave: {float(brave) * 100:.3f}%" in by_heading["7"]
    win = Fraction(8, 17)
    assert f"repeat: {float(1 - 6 * win * win / (1 + win)) * 100:.3f}%" in by_heading["8"]
    hands = {40: 48, 30: 52, 6: 720, 4: 1096, 1: 3744}  # pays -> three-card hands of 22,100
    returned = sum(Fraction(n * (pay + 1), 22_100) for pay, n in hands.items())
    assert f"plus: {float(1 - returned) * 100:.3f}%" in by_heading["9"]


# ---- what the commands print


def transcripts() -> Iterator[object]:
    source = ""
    for block in BLOCKS:
        if block.is_game:
            source = block.text
        elif block.kind == "console":
            for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                yield pytest.param(source, command, output, id=command)


def squeezed(line: str) -> str:
    return " ".join(line.split())


@pytest.mark.parametrize(("source", "command", "output"), list(transcripts()))
def test_every_line_of_a_transcript_is_printed(
    folder: Path, capsys: pytest.CaptureFixture[str], source: str, command: str, output: str
) -> None:
    program, *words = command.split()
    assert program == "pitboss"
    (folder / words[1]).write_text(source)
    assert main(words) == 0
    printed = [squeezed(line) for line in capsys.readouterr().out.splitlines()]
    lines = [squeezed(line) for line in output.splitlines()]
    assert lines
    for line in lines:
        assert any(line in p for p in printed), f"{line!r} is not in\n" + "\n".join(printed)


def test_every_command_of_the_page_exists() -> None:
    named = set(re.findall(r"pitboss (\w+) high_card\.py", PAGE))
    assert named == {"analyze", "simulate", "strategy", "play", "rules"}


# ---- mistakes


def mistakes() -> Iterator[object]:
    for wrong, said in pairwise(BLOCKS):
        if wrong.kind == "python" and not wrong.is_game:
            assert said.kind == "text", f"no message follows\n{wrong.text}"
            yield pytest.param(wrong.text, said.text, id=wrong.text.split("\n")[0].strip())


MISTAKES = list(mistakes())


def test_every_message_on_the_page_belongs_to_a_mistake() -> None:
    assert len(MISTAKES) == sum(b.kind == "text" for b in BLOCKS) >= 9
    assert PAGE.count("pitboss: high_card.py, line") == len(MISTAKES)


@pytest.mark.parametrize(("wrong", "said"), MISTAKES)
def test_every_message_is_the_real_one(folder: Path, capsys: pytest.CaptureFixture[str], wrong: str, said: str) -> None:
    """The file of step 1, its ninth line replaced, and the names that the new lines use imported."""
    lines = GAMES[0].text.splitlines()
    assert lines[8].strip().startswith("t.settle(ante=")
    at = next(i for i, line in enumerate(lines) if line.startswith("from pitboss.rules import "))
    head, _, names = lines[at].partition(" import ")
    used = set(re.findall(r"\w+", wrong)) & set(pitboss.rules.__all__) | set(names.split(", "))
    assert not any(keyword.iskeyword(name) for name in used)
    lines[at] = f"{head} import {', '.join(sorted(used))}"
    lines[8:9] = wrong.rstrip("\n").split("\n")
    (folder / "high_card.py").write_text("\n".join(lines) + "\n")
    assert main(["analyze", "high_card.py"]) == 2
    assert capsys.readouterr().err == said
