"""`pitboss verify`: the verdicts as a table, as JSON or as a page of Markdown."""

import os
import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pitboss.claims import VERDICTS, WRONG, Judged, Verdict, judge, read_claims, shipped_claims
from pitboss.cli.asked import console, print_json
from pitboss.cli.progress import steps

COLOURS = dict(zip(VERDICTS, ("green", "green", "green", "yellow", "bold red", "bold magenta", "dim"), strict=True))


def run(args: Namespace) -> int:
    judged = judge_all([Path(p) for p in args.claims] or shipped_claims())
    if args.json:
        print_json(json_of(judged))
    elif args.markdown:
        print(markdown(judged), end="")
    else:
        show(console(), judged, brief=args.brief)
    return 1 if any(v.verdict in WRONG for j in judged for v in j.verdicts) else 0


def judge_all(paths: Sequence[Path]) -> list[Judged]:
    """Every document, in processes beside each other where that is safe: they are about different games, and counting
    is all that there is to wait for."""
    documents = [read_claims(path) for path in paths]
    claims = sum(len(d.claims) for d in documents)
    if len(documents) < 2 or not _may_fork():
        with steps(claims, "verifying") as step:
            return [judge(document, step) for document in documents]
    workers = min(len(documents), os.cpu_count() or 1)
    quiet = (signal.SIGINT, signal.SIG_DFL)  # a process that is interrupted says nothing; this one does
    with ProcessPoolExecutor(workers, get_context("fork"), signal.signal, quiet) as pool:
        waiting = [pool.submit(judge, document) for document in documents]  # they start before the bar's thread does
        with steps(claims, "verifying") as step:
            judged = []
            for found in waiting:
                judged.append(found.result())
                for verdict in judged[-1].verdicts:
                    step(verdict.claim.id)
    return judged


def _may_fork() -> bool:
    """A copy of a process with several threads may wait for ever for what another thread of the first one holds; on
    other systems libraries have threads of their own."""
    return sys.platform == "linux" and threading.active_count() == 1 and (os.cpu_count() or 1) > 1


def json_of(judged: Sequence[Judged]) -> dict[str, Any]:
    return {
        "claims": [v.json() for j in judged for v in j.verdicts],
        "summary": _totals(judged),
        "documents": [{"document": j.document.name, "verdicts": j.counts()} for j in judged],
    }


def _totals(judged: Iterable[Judged]) -> dict[str, int]:
    counts = [j.counts() for j in judged]
    return {verdict: sum(c[verdict] for c in counts) for verdict in VERDICTS}


def summary(judged: Sequence[Judged]) -> str:
    """How many claims there are, and how many of each verdict."""
    totals = {verdict: n for verdict, n in _totals(judged).items() if n}
    return f"{sum(totals.values())} claims: " + ", ".join(f"{n} {verdict}" for verdict, n in totals.items())


# ---- the terminal


def show(screen: Console, judged: Sequence[Judged], brief: bool = False) -> None:
    """One table a document, and under it the commands that show the same figures."""
    for found in judged:
        rows = [v for v in found.verdicts if not brief or not v.verdict.startswith("confirmed")]
        screen.print(Text(f"\n{found.document.name}", style="bold"))
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
            screen.print(Text(f"{number:>3}  {command}", style="dim"), soft_wrap=True)
        if len(rows) < len(found.verdicts):
            screen.print(f"and {len(found.verdicts) - len(rows)} confirmed")
    screen.print(Text(f"\n{summary(judged)}", style="bold"))


# ---- the page


def markdown(judged: Sequence[Judged]) -> str:
    """The same as a page: every claim in words, with its exact fraction and the command that shows it."""
    out = [f"{summary(judged)}.\n"]
    for found in judged:
        out.append(f"## {found.document.name}\n")
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
    cells = [v.claim.id, says, v.claim.printed or "–", v.computed or "–", exact, f"**{v.verdict}**", v.explanation]
    return "| " + " | ".join(c.replace("|", "\\|") for c in cells) + f" | `{v.command}` |"
