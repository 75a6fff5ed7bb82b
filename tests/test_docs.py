"""The docs are in step with the code: an undocumented command, option, game or JSON field fails here."""

import html
import re
from pathlib import Path
from typing import Any

import pytest

import pitboss.rules
from helpers import run
from pitboss.catalog import load, shipped
from pitboss.cli.parser import build_parser
from pitboss.cli.reference import PICTURED, pages, picture
from pitboss.cli.rules_of_play import rules_json
from pitboss.cli.transcripts import WIDTH
from pitboss.cli.words import undocumented
from pitboss.deal import simulate
from pitboss.exact import analyze

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def test_made_pages_are_in_step() -> None:
    quick = [name for name in shipped() if name != "blackjack"]  # make check has the time for that one
    made = pages(quick)
    assert len(made) == 2 + len(quick)
    for path, text in made.items():
        assert path.exists() and path.read_text() == text, f"{path.name} is out of step; run make docs"


def test_every_word_of_the_vocabulary_has_an_entry() -> None:
    assert undocumented() == []
    page = (DOCS / "your-own-game.md").read_text()
    assert all(f"`{name}" in page for name in pitboss.rules.__all__)


def test_every_command_and_option_is_documented() -> None:
    page = (DOCS / "command-line.md").read_text()
    assert "%%" not in page and "?." not in page
    subparsers = next(a for a in build_parser()._actions if a.dest == "command")
    assert subparsers.choices
    for name, command in dict(subparsers.choices).items():  # type: ignore[arg-type]
        assert f"## `pitboss {name}`" in page
        for action in command._actions:
            for flag in action.option_strings:
                assert flag in ("-h", "--help") or f"`{flag}`" in page
            assert action.help, f"{name} {action.dest} has no help"


@pytest.mark.parametrize("name", shipped())
def test_every_game_has_a_page_with_its_options_wagers_and_strategies(name: str) -> None:
    page = (DOCS / "games" / f"{name}.md").read_text()
    game = load(name)
    for word in (*game.all_options, *(w.name for w in game.at().wagers), *game.strategies):
        assert f"`{word}`" in page
    assert all(o.help for o in game.all_options.values())
    assert f"games/{name}.md" in (ROOT / "README.md").read_text()


def _keys(data: Any) -> set[str]:
    if isinstance(data, dict):
        own = {k for k in data if re.fullmatch(r"[a-z_0-9]+", k)}
        return own.union(*(_keys(v) for v in data.values()))
    return set().union(*(_keys(v) for v in data)) if isinstance(data, list) else set()


def test_every_json_field_is_documented() -> None:
    page = (DOCS / "json.md").read_text()
    house = load("bluff").at()
    exact, sampled = analyze(house).json(), simulate(house, 1000).json()
    for skip in ("options", "paytables"):
        exact.pop(skip), sampled.pop(skip)
    of_a_game = {"check", "call", "raise", "ante", "progressive", "casual", "optimal", "suit", "tie", "match"}
    of_a_game |= {"win", "push", "lose"}
    rules = rules_json(house)
    fields = (_keys(exact) | _keys(sampled) | _keys(rules)) - of_a_game
    assert len(fields) > 50
    assert [f for f in sorted(fields) if f"`{f}`" not in page] == []


def test_links_between_pages_lead_somewhere() -> None:
    for page in (ROOT / "README.md", *DOCS.rglob("*.md")):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_readme_opens_with_a_picture_and_two_commands() -> None:
    text = (ROOT / "README.md").read_text()
    assert "docs/picture.svg" in text and (DOCS / "picture.svg").stat().st_size < 200_000
    assert text.index("picture.svg") < text.index("make demo") < text.index("make test") < 1500


def test_the_picture_of_the_readme_is_what_the_commands_print(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    svg = (DOCS / "picture.svg").read_text()
    assert svg == picture(), "run make docs"
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    lines: dict[float, str] = {}
    for y, text in re.findall(r'<text class="[^"]*-r\d+"[^>]* y="([\d.]+)"[^>]*>(.*?)</text>', svg):
        lines[float(y)] = lines.get(float(y), "") + html.unescape(text)
    shown = ["".join(line.split()) for _, line in sorted(lines.items())]  # gaps between columns are not text
    printed = []
    for words in PICTURED:
        code, out, _ = run(capsys, *words.split())
        printed += ["".join(line.split()) for line in (f"$ pitboss {words}", *out.splitlines())]
        assert code == 0
    assert [line for line in shown if line] == [line for line in printed if line]


def test_the_page_about_hands_of_any_length_is_documented() -> None:
    """The JSON of a game whose hands can have any number of cards, and the figures of docs/blackjack.md."""
    page = (DOCS / "json.md").read_text()
    found = analyze(load("blackjack").at())
    for field in _keys(found.wagers[0].json()) | _keys([row.json() for row in found.strategy[:1]]):
        assert f"`{field}`" in page or field in ("stand", "hit", "double", "split"), field
    text = (DOCS / "blackjack.md").read_text()
    main, lucky, broken = found.wagers
    for figure in (
        f"| 6 | {main.json()['optimal_house_edge'] * 100:.4f}% | {main.json()['basic_house_edge'] * 100:.4f}% |",
        f"{lucky.json()['house_edge_exact']} = {float(lucky.house_edge) * 100:.4f}%",
        f"| 6 | S17 | {float(broken.house_edge) * 100:.4f}% |",
        broken.json()["house_edge_exact"],
    ):
        assert figure in text
