"""`pitboss verify`: the verdicts as a table, as JSON or as a page of Markdown."""

from argparse import Namespace
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pitboss.catalog import load
from pitboss.claims import VERDICTS, Document, Verdict, Verdicts, verdicts_of
from pitboss.cli.asked import console, print_json
from pitboss.cli.progress import steps
from pitboss.cli.streams import shown, write
from pitboss.plain import code, one_line
from pitboss.plain import markdown as words

COLOURS = dict(zip(VERDICTS, ("green", "green", "green", "yellow", "bold red", "bold magenta", "dim"), strict=True))


def run(args: Namespace) -> int:
    games = [load(file) for file in args.games]
    found = verdicts_of([Path(p) for p in args.claims], steps, games, args.patient)
    code = 1 if found.wrong else 0
    if args.json:
        return shown(code, lambda: print_json(found.json()))
    if args.markdown:
        return shown(code, lambda: write(markdown(found).removesuffix("\n")))
    return shown(code, lambda: show(console(), found, brief=args.brief))


def summary(found: Verdicts) -> str:
    """How many claims there are, and how many of each verdict."""
    many = "1 claim" if len(found.all) == 1 else f"{len(found.all)} claims"
    return f"{many}: {found.title()}"


def files(document: Document) -> list[str]:
    """A game file that is not shipped may say anything: which text of it was judged."""
    return [
        f"game file {one_line(told['file'])}, sha256 {told['game_file_sha256']}"
        for told in document.files()
        if told["file"] != told["game"]
    ]


# ---- the terminal


def show(screen: Console, all_found: Verdicts, brief: bool = False) -> None:
    """One table a document, and under it the commands that show the same figures."""
    for found in all_found.judged:
        rows = [v for v in found.verdicts if not brief or not v.verdict.startswith("confirmed")]
        screen.print(Text(f"\n{found.document.name}", style="bold"))
        for line in files(found.document):
            screen.print(Text(line, style="dim"), soft_wrap=True)
        if not rows:
            screen.print(f"every one of {len(found.verdicts)} claims is confirmed")
            continue
        commands = {c: n for n, c in enumerate(dict.fromkeys(v.command for v in rows), 1)}
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for name in ("claim", "printed", "computed"):
            table.add_column(name, justify="left" if name == "claim" else "right", no_wrap=True)
        table.add_column("verdict", ratio=1)
        table.add_column("check", justify="right", no_wrap=True)
        for v in rows:
            says = (f"{v.claim.says}\n", "italic") if brief else ""
            table.add_row(
                Text(v.claim.id), v.claim.printed or "–", v.computed or "–",
                Text.assemble(says, (v.verdict, COLOURS[v.verdict]), f": {v.explanation}"),
                Text(str(commands[v.command]), style="dim"),
            )  # fmt: skip
        screen.print(table)
        for command, number in commands.items():
            screen.print(Text(f"{number:>3}  {one_line(command)}", style="dim"), soft_wrap=True)
        if len(rows) < len(found.verdicts):
            screen.print(f"and {len(found.verdicts) - len(rows)} confirmed")
    screen.print(Text(f"\n{summary(all_found)}", style="bold"))


# ---- the page


def markdown(all_found: Verdicts) -> str:
    """The same as a page: every claim in words, with its exact fraction and the command that shows it."""
    out = [f"{summary(all_found)}.\n"]
    for found in all_found.judged:
        out.append(f"## {words(found.document.name)}\n")
        out += [f"{words(line)}\n" for line in files(found.document)]
        out.append("| claim | says | printed | computed | exactly | verdict | because | check |")
        out.append("|---|---|---:|---:|---|---|---|---|")
        out += [_row(v) for v in found.verdicts]
        out.append("")
    return "\n".join(out)


def _row(v: Verdict) -> str:
    exact = v.exact or ""
    if exact.endswith("/1"):
        exact = ""  # a whole number, which stands there already
    elif len(exact) > 40:
        exact = "see the command"
    says = f"{v.claim.says} ({v.claim.where})"
    figures = (words(x) for x in (v.claim.printed or "–", v.computed or "–", exact))
    cells = [words(v.claim.id), words(says), *figures, f"**{v.verdict}**", words(v.explanation), code(v.command)]
    return f"| {' | '.join(cells)} |"
