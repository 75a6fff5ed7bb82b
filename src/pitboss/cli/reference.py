"""The pages of docs/ that are made from the code: the command line, and one page per shipped game.

python -m pitboss.cli.reference --write makes them; --check fails when a page is out of step.
"""

import argparse
import io
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from pitboss.catalog import load, shipped
from pitboss.claims import verdicts_of
from pitboss.cli import commands
from pitboss.cli import main as command_line
from pitboss.cli.asked import drawn_on
from pitboss.cli.examples import examples_page
from pitboss.cli.parser import EXIT_CODES, build_parser
from pitboss.cli.rules_of_play import rules_json
from pitboss.cli.screen import Screen
from pitboss.cli.streams import complain, write
from pitboss.cli.transcripts import WIDTH, refreshed
from pitboss.cli.verify import markdown as verified
from pitboss.cli.words import with_vocabulary
from pitboss.exact import analyze
from pitboss.ledger.records import WagerResult, percent, ratio
from pitboss.plain import code, markdown
from pitboss.rules.called import wager_called
from pitboss.rules.game import Game
from pitboss.rules.options import Choice
from pitboss.sheets import sheet_of

DOCS = Path(__file__).parents[3] / "docs"
MADE = "<!-- made by `make docs`; edit the code, not this page -->\n"


def command_page() -> str:
    parser = build_parser()
    out = [MADE, "# The command line\n"]
    subparsers = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    about = {a.dest: a.help or "" for a in subparsers._choices_actions}
    for name, command in subparsers.choices.items():
        said = f"{about[name][:1].upper()}{about[name][1:]}"
        out.append(f"## `pitboss {name}`\n\n{said}{'' if said.endswith('?') else '.'}\n")
        rows = [_option_row(a) for a in command._actions if a.dest != "help"]
        if rows:
            out.append(_table(["argument", "meaning"], rows))
    out.append(
        "A mistake gets one sentence on standard error that names what was wrong and what is allowed. "
        f"{EXIT_CODES} A reader that stops early, such as `head`, is no error. "
        "Object code is cached in `$PITBOSS_CACHE`, or in the user's cache folder.\n"
    )
    return "\n".join(out)


def _option_row(action: argparse.Action) -> list[str]:
    names = ", ".join(f"`{s}`" for s in action.option_strings) or f"`{action.dest}`"
    value = f" `{action.metavar}`" if action.option_strings and action.metavar else ""
    return [names + value, (action.help or "").replace("%%", "%")]


def _table(head: list[str], rows: list[list[str]]) -> str:
    """Cells are words; what is between backticks is code."""
    lines = [head, ["---"] * len(head), *([_cell(c) for c in row] for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in lines) + "\n"


def _cell(text: str) -> str:
    parts = text.split("`")
    if len(parts) % 2 == 0:  # a backtick alone
        return markdown(text)
    return "".join(code(part) if number % 2 else markdown(part) for number, part in enumerate(parts))


def game_page(game: Game) -> str:
    data = rules_json(game.at())
    out = [MADE, f"# {markdown(game.title)}\n", data["about"], "", data["deck"], ""]
    wagers = [[f"`{w['wager']}`", w["bet"], w["amount"], w["about"]] for w in data["wagers"]]
    out += ["## Wagers\n", _table(["wager", "bet", "amount", "what it bets on"], wagers)]
    pays = [
        [f"`{w['wager']}`", t.name, ", ".join(f"{row}: {p}" for row, p in t.pays.items())]
        if "best hand" not in w["pays"]
        else [f"`{w['wager']}`", "", "all bets on it go to the best hand at the table"]
        for w, wager in zip(data["wagers"], game.at().wagers, strict=True)
        for t in (() if wager.table_of else wager.tables)
    ]
    out += ["## Pay tables\n", "Pays are to 1; dollars are fixed awards.\n", _table(["wager", "table", "pays"], pays)]
    options = [[f"`{o['option']}`", o["default"], o["allowed"], o["about"]] for o in data["options"]]
    out += ["## Options\n", _table(["option", "default", "allowed", "what it sets"], options)]
    strategies = [[f"`{name}`", about] for name, about in data["strategies"].items()]
    out += ["## Strategies\n", _table(["strategy", ""], strategies)]
    out += ["## The dealer's procedure\n", *_steps(data["procedure"])]
    out += ["## Worked examples\n", "From rounds that were played.\n"]
    sheet = sheet_of(game.at())
    out += [f"- {markdown(e.line(wager_called(game.at(), e.wager)))}" for e in sheet.examples]
    out += ["", "## When something goes wrong\n"]
    out += [f"- {case[:1].upper()}{case[1:]}. {markdown(words)}" for case, words in sheet.irregular.items()]
    out += [""]
    out += ["## Exact house edges\n", "Each option changed alone, the others at their defaults.\n", _edges(game)]
    if by_table := _edges_by_table(game):
        out += ["## Exact house edges by pay table\n", by_table]
    anchors = [[a.wager, a.edge, _settings(a.options, a.strategy), a.source] for a in game.anchors]
    out += ["## Published figures\n", _table(["wager", "edge", "for", "source"], anchors)]
    if game.notes:
        out += ["## Readings and remarks\n", *(f"- {note}" for note in game.notes), ""]
    return "\n".join(out)


def _steps(procedure: Sequence[dict[str, Any]]) -> list[str]:
    """The procedure as lists under headings, numbered throughout."""
    out: list[str] = []
    section = ""
    for step in procedure:
        if step["section"] != section:
            section = step["section"]
            out += ["", f"### {section}", ""] if out else [f"### {section}", ""]
        mark = f"{step['number']}." if step["number"] else "-"
        out.append(f"{'   ' * step['depth']}{mark} {markdown(step['step'])}")
    return [*out, ""]


def _settings(options: Any, strategy: str) -> str:
    parts = [f"{k}={v}" for k, v in options.items()] + ([f"strategy {strategy}"] if strategy != "optimal" else [])
    return ", ".join(parts) or "defaults"


def _edges(game: Game) -> str:
    cases: list[tuple[dict[str, str], str]] = [({}, "optimal"), *(({}, name) for name in game.strategies)]
    for option in game.options:
        if isinstance(option, Choice):
            cases += [({option.name: str(v)}, "optimal") for v in option.values if v != option.start()]
    parties = list(game.at().parties)
    rows = []
    for options, strategy in cases:
        found = {w.wager: w for w in analyze(game.at(options), strategy).wagers}
        rows.append([_settings(options, strategy), *(_edge(found[p]) if p in found else "-" for p in parties)])
    kept = [i for i, p in enumerate(parties) if not _repeats(rows, i, parties)]
    shown = [[row[0], *(row[i + 1] for i in kept)] for row in rows]
    return _table(["", *(parties[i] for i in kept)], shown)


def _repeats(rows: list[list[str]], column: int, parties: list[str]) -> bool:
    """A numbered wager, such as pack-2, whose figures are those of the first of its kind."""
    base = parties[column].rpartition("-")[0]
    return base in parties and all(row[column + 1] in ("-", row[parties.index(base) + 1]) for row in rows)


def _edge(found: WagerResult) -> str:
    if found.played is not None:
        return f"{percent(found.played.optimal_edge, 4)}, basic {percent(found.played.basic_edge, 4)}"
    if len(ratio(found.house_edge)) > 30:
        return percent(found.house_edge, 4)
    return f"{percent(found.house_edge, 4)} = {ratio(found.house_edge)}"


def _edges_by_table(game: Game) -> str:
    """Every pay table of every wager that has several."""
    house = game.at()
    rows = []
    for wager in house.wagers:
        for pays in wager.tables if len(wager.tables) > 1 and not wager.table_of else ():
            lead = house.lead(wager.name)
            found = analyze(game.at(tables={wager.name: pays.name}), wager=lead).wager(lead)
            risk = percent(found.element_of_risk, 4)
            rows.append([f"`-p {wager.name}={pays.name}`", lead, _edge(found), risk, f"{found.std_dev:.4f}"])
    return _table(["pay table", "wager", "house edge", "element of risk", "standard deviation"], rows) if rows else ""


def verification_page() -> str:
    about = (
        "Every figure of the four documents, computed again by `pitboss verify`. How a verdict is found, and how to "
        "write claims of your own: [verify.md](verify.md).\n"
    )
    return "\n".join([MADE, "# What the documents claim\n", about, verified(verdicts_of())])


def pages(names: Sequence[str] | None = None) -> dict[Path, str]:
    """The page of the command line and of these games; of all, and of the claims, when none is named."""
    tutorial = DOCS / "your-own-game.md"
    made = {DOCS / "command-line.md": command_page(), tutorial: with_vocabulary(tutorial.read_text())}
    for name in shipped() if names is None else names:
        made[DOCS / "games" / f"{name}.md"] = game_page(load(name))
    if names is None:
        made[DOCS / "verification.md"] = verification_page()
    return made


PICTURED = ("analyze bluff --wager ante", "strategy bluff")
"""The commands of the README's picture, which shows what they print."""


def picture() -> str:
    screen = Screen(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for words in PICTURED:
        screen.print(f"$ pitboss {words}", style="bold")
        command = build_parser().parse_args(words.split())
        with drawn_on(screen):
            getattr(commands, command.command)(command)
        screen.print("")
    svg = screen.export_svg(title="pitboss", unique_id="pitboss")
    return re.sub(r"@font-face \{.*?\}", "", svg, flags=re.S)  # no fonts from elsewhere


CHARTS = {
    "night.svg": "floor packs-poker --bet pack=25 --bet ante-bonus=25",
    "chart.svg": "strategy bluff",
}
"""Pictures of docs/ that a command draws."""


def draw_charts() -> None:
    for name, words in CHARTS.items():
        with redirect_stdout(io.StringIO()):
            command_line([*words.split(), "--plot", str(DOCS / name)])
        path = DOCS / name
        path.write_text("\n".join(line.rstrip() for line in path.read_text().splitlines()) + "\n")


def main(argv: list[str]) -> int:
    stale = []
    for path, text in pages().items():
        if argv == ["--write"]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            (DOCS / "picture.svg").write_text(picture())
        elif not path.exists() or path.read_text() != text:
            stale.append(str(path.relative_to(DOCS.parent)))
    if argv == ["--write"]:
        (DOCS / "examples.md").write_text(examples_page(MADE))  # a test looks at the rows that are counted in no time
        draw_charts()
        for page in sorted(DOCS.glob("*.md")):
            if page.stem != "your-own-game":  # it shows parts of what is printed, and has a test of its own
                page.write_text(refreshed(page.read_text(), DOCS.parent, write))
    if stale:
        complain(f"out of step with the code: {', '.join(stale)}; run make docs")
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
