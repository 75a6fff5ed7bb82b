"""`pitboss replay`: what a log proves. The answer first, then what is missing, then every settlement."""

from argparse import Namespace
from fractions import Fraction
from pathlib import Path

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pitboss.catalog import load, named
from pitboss.cli.asked import console, print_json
from pitboss.cli.faces import signed
from pitboss.cli.layout import table
from pitboss.cli.streams import shown
from pitboss.live import Evidence, evidence
from pitboss.plain import one_line
from pitboss.rules.paytables import money


def run(args: Namespace) -> int:
    """The exit code is 1 where something is missing, such as a round that was never closed; what does not hold is
    refused."""
    path, games = Path(args.log), [load(file) for file in args.games]
    found = evidence(path, lambda name: named(name, games, "the log"))
    code = 0 if found.whole else 1
    if args.json:
        return shown(code, lambda: print_json(found.json()))
    return shown(code, lambda: show(console(), path, found))


def show(screen: Console, path: Path, found: Evidence) -> None:
    many = "1 round" if len(found.rounds) == 1 else f"{len(found.rounds)} rounds"
    answer = f"{many} played again: settled as logged, with cards that the shoe holds"
    answer += "; the chain of lines is whole" if found.chained else ""
    screen.print(Panel(Text(answer), style="green" if found.whole else "yellow", expand=False))
    for line in found.missing:
        screen.print(Text(f"Missing: {line}.", style="yellow"))
    for line in found.notes:
        screen.print(Text(f"Note: {line}."))
    for line in _about(path, found):
        screen.print(Text(line, style="dim"), soft_wrap=True)
    screen.print(settlements(found))


def _about(path: Path, found: Evidence) -> list[str]:
    games = [f"game {game}, game file sha256 {sha256}" for game, sha256 in found.games]
    return [*games, f"{one_line(str(path))} was written by pitboss {', '.join(found.versions)}"] + (
        [f"it ends with {found.seal}"] if found.chained else []
    )


def settlements(found: Evidence) -> Table:
    out = table("round", "seat", "wager", "stake", "result", "net")
    for r in found.rounds:
        rows = [(e["seat"], e["wager"], e["stake"], e["row"], e["net"]) for e in r.settled]
        rows += [(e["seat"], w, lost, "forfeited", f"-{lost}") for e in r.left for w, lost in e["forfeits"].items()]
        for seat, wager, stake, row, net in rows:
            tone = "green" if Fraction(net) > 0 else "red" if Fraction(net) < 0 else ""
            cells = (str(r.round), str(seat), wager, f"${money(Fraction(stake))}", row)
            out.add_row(*map(Text, cells), Text(signed(Fraction(net)), tone))
    return out
