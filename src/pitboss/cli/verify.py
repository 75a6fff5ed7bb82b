"""`pitboss verify`: the verdicts on the screen, as JSON or as a page of Markdown. The counts come first."""

import re
from argparse import Namespace

from rich.console import Console
from rich.text import Text

from pitboss.catalog import load
from pitboss.claims import CONFIRMED, VERDICTS, Document, Verdict, Verdicts, claims_named, verdicts_of
from pitboss.claims.told import LONGEST, because, compared, says
from pitboss.cli.asked import asked_csv, console, print_json
from pitboss.cli.progress import steps
from pitboss.cli.streams import shown, write
from pitboss.plain import clean, code, one_line
from pitboss.plain import markdown as words

COLOURS = dict(
    zip(VERDICTS, ("green", "green", "green", "yellow", "bold red", "bold magenta", "cyan", "dim"), strict=True)
)
INDENT = 4


def run(args: Namespace) -> int:
    sheet, games = asked_csv(args), [load(file) for file in args.games]
    found = verdicts_of([claims_named(name) for name in args.claims], steps, games, args.patient)
    if sheet is not None:
        found.to_csv(sheet)
    code = 1 if found.wrong else 0
    if args.json:
        return shown(code, lambda: print_json(found.json()))
    if args.markdown:
        return shown(code, lambda: write(markdown(found).removesuffix("\n")))
    return shown(code, lambda: show(console(), found, brief=args.brief))


def summary(found: Verdicts) -> str:
    """How many claims there are, and how many of each verdict."""
    return f"{_many(len(found.all))}: {found.title()}"


def _many(claims: int) -> str:
    return "1 claim" if claims == 1 else f"{claims} claims"


def files(document: Document) -> list[str]:
    """A game file that is not shipped may say anything: which text of it was judged."""
    return [
        f"game file {one_line(told['file'])}, sha256 {told['game_file_sha256']}"
        for told in document.files()
        if told["file"] != told["game"]
    ]


# ---- the terminal


def show(screen: Console, all_found: Verdicts, brief: bool = False) -> None:
    """The counts and what is not confirmed, by its id; then every claim: what the document says and where, what was
    computed, the verdict and why, and the command that shows it."""
    _indented(screen, Text(summary(all_found), style="bold"), 0)
    for verdict in VERDICTS:
        ids = [v.claim.id for v in all_found.all if v.verdict == verdict]
        if ids and not verdict.startswith("confirmed"):
            _indented(screen, Text.assemble((verdict, COLOURS[verdict]), f": {', '.join(ids)}"), 2)
    for found in all_found.judged:
        rows = [v for v in found.verdicts if not brief or not v.verdict.startswith("confirmed")]
        screen.print()
        _indented(screen, Text(clean(found.document.name), style="bold"), 0)
        for line in files(found.document):
            screen.print(Text(line, style="dim"), soft_wrap=True)
        for v in rows:
            _one(screen, v)
        if not rows:
            screen.print(f"all {_many(len(found.verdicts))} are confirmed")
        elif len(rows) < len(found.verdicts):
            screen.print(f"\nand {len(found.verdicts) - len(rows)} confirmed")


def _one(screen: Console, v: Verdict) -> None:
    screen.print(Text.assemble("\n", (v.claim.id, "bold"), "  ", (v.verdict, COLOURS[v.verdict])))
    _indented(screen, Text(says(v), style="italic"))
    if v.verdict == CONFIRMED and not v.claim.note:  # there is little to say
        _indented(screen, Text(f"{compared(v)} · {v.explanation}"))
    else:
        _indented(screen, Text(compared(v)))
        _indented(screen, Text(because(v)))
    for line in typed(one_line(v.command), screen.width - INDENT):
        screen.print(Text(f"{' ' * INDENT}{line}", style="dim"), soft_wrap=True)


def _indented(screen: Console, text: Text, by: int = INDENT) -> None:
    """A text in lines that are not padded to the right, so that they can be copied."""
    for line in text.wrap(screen, screen.width - by):
        line.rstrip()
        screen.print(Text.assemble(" " * by, line), soft_wrap=True)


def typed(command: str, width: int) -> list[str]:
    """A command in lines that a shell still reads as one, broken before a flag or a second command."""
    lines = [""]
    for part in re.split(r" (?=-|&&)", command):
        longer = f"{lines[-1]} {part}" if lines[-1] else part
        if len(longer) > width - 2 and lines[-1]:
            lines[-1] += " \\"
            longer = f"  {part}"
        else:
            lines.pop()
        lines.append(longer)
    return lines


# ---- the page


def markdown(all_found: Verdicts) -> str:
    """The same as a page: every claim in words, with its exact fraction and the command that shows it."""
    out = [f"{summary(all_found)}.\n"]
    for found in all_found.judged:
        out.append(f"## {words(found.document.name)}\n")
        out += [f"{words(line)}\n" for line in files(found.document)]
        out.append("| claim | what the document says | printed | computed | exactly | verdict | because | check |")
        out.append("|---|---|---:|---:|---|---|---|---|")
        out += [_row(v) for v in found.verdicts]
        out.append("")
    return "\n".join(out)


def _row(v: Verdict) -> str:
    exact = v.exact or ""
    if exact.endswith("/1"):
        exact = ""  # a whole number, which stands there already
    elif len(exact) > LONGEST:
        exact = "see the command"
    elif v.measured is not None and v.measured.error:
        exact = "simulated"
    figures = (words(x) for x in (v.claim.stands or "–", v.computed or "–", exact))
    cells = [words(v.claim.id), words(says(v)), *figures, f"**{v.verdict}**", words(because(v)), code(v.command)]
    return f"| {' | '.join(cells)} |"
