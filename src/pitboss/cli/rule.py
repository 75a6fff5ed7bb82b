"""`pitboss strategy GAME --rule`: the shortest rule that a person can remember, and what each length costs."""

from argparse import Namespace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from pitboss.cli import render
from pitboss.cli.asked import asked_csv, console, print_json
from pitboss.cli.picture import say
from pitboss.cli.progress import steps
from pitboss.cli.screen import marked
from pitboss.exact.ruled import LONGEST
from pitboss.ledger.records import percent, ratio
from pitboss.rules.errors import BadInput
from pitboss.thumb import LEAST, MOST, WAYS, Rule, Rulebook, Rung

if TYPE_CHECKING:
    from pitboss.exact import Study

LONGEST_RATIO = 24  # characters of a fraction that anybody reads
FOUND = -1  # `--rule` without a number: the shortest that is good enough


def run(args: Namespace, study: "Study", file: Path | None) -> int:
    house = study.house
    if args.strategy != "optimal":
        raise BadInput("--rule finds a strategy of its own; leave --strategy out")
    if args.wager is not None and args.wager not in study.decided:
        raise BadInput(f"--rule is about the wagers that are played, {', '.join(study.decided)}; leave --wager out")
    with steps(len({d.name for d in study.graph.decisions()}) + 1, "looking for a rule") as step:
        book = study.rule(None if args.rule == FOUND else args.rule, step)
    rung = book.best if args.rule == FOUND else book.at(args.rule)
    if (sheet := asked_csv(args)) is not None:
        book.to_csv(sheet)
    if file is not None:
        from pitboss.plot import card

        card(file, book, rung)
    if args.json:
        return print_json(book.json())
    screen = console()
    render.heading(screen, house, book.of, "a rule to remember")
    for rule in rung.rules:
        if len(rung.rules) > 1:
            screen.print(Text(f"\n{rule.decision}", "bold"))
        screen.print(_card(rule))
    for note in [*([WAYS] if rung.ways else []), *book.notes]:
        screen.print(note, style="dim")
    screen.print(_price(book, rung))
    screen.print(_ladder(book, rung))
    if not book.best.enough:
        longest = max(MOST, args.rule)
        more = f"--rule {LONGEST} looks for longer ones, and " if longest < LONGEST else ""
        screen.print(
            f"No list of up to {longest} conditions at a decision costs less than a tenth of the edge; {more}without "
            "--rule there is the best play itself.",
            style="yellow",
        )
    screen.print("--rule N shows the lists of another length. To play by this one:", style="dim")
    screen.print(book.of.command("simulate", "--strategy", f"rule:{rung.most}"), style="dim", soft_wrap=True)
    say(screen, file)
    return 0


def _card(rule: Rule) -> Table:
    """Choices to the left, what they are made with to the right."""
    out = Table(box=None, show_header=False, padding=(0, 2, 0, 1))
    out.add_column(no_wrap=True, style="bold green")
    out.add_column(overflow="fold")
    for choice, conditions in rule.parts:
        for i, words in enumerate(conditions):
            out.add_row(choice if i == 0 else "", f"{'with' if i == 0 else 'or with'} {words}")
    out.add_row(rule.otherwise, "otherwise" if rule.lines else "always")
    return out


def _price(book: Rulebook, rung: Rung) -> Text:
    best = "the chart of basic strategy" if book.against == "basic" else "the best play"
    edge = f"{percent(book.edge, 4)}{_exactly(book, book.edge)} of the {book.wager}"
    if not rung.cost:
        return marked("\n[green]It costs nothing[/]: the house edge is that of {}, {}.", best, edge)
    share = f", {book.share(rung)} of the house edge" if book.edge else ""
    lead = "yellow" if not rung.enough else "green"
    cost = f"It costs {percent(rung.cost, 4)}{_exactly(book, rung.cost)}{share}"
    played = f"{percent(book.edge + rung.cost, 4)} instead of {edge}"
    return marked("\n{}: {} with {}.", Text(cost, lead), played, best)


def _exactly(book: Rulebook, value: Fraction) -> str:
    text = ratio(value)
    return f" = {text}" if book.method == "exact" and len(text) <= LONGEST_RATIO else ""


def _ladder(book: Rulebook, shown: Rung) -> Table:
    one = len(shown.rules) == 1
    name = "conditions" if one else "conditions at each"
    out = render.table(name, "costs", "of the edge", *(["rule"] if one else ["in all"]))
    out.columns[0].no_wrap = True
    if one:
        out.columns[-1].justify, out.columns[-1].no_wrap = "left", False
    for rung in book.rungs:
        last = rung.rules[0].words if one else str(rung.conditions)
        under = f"under {percent(LEAST, 4)}"
        cost = "nothing" if not rung.cost else under if rung.cost < LEAST else percent(rung.cost, 4)
        style = "bold green" if rung is shown else ""
        out.add_row(f"{rung.most or 'none'}{' ●' if rung is shown else ''}", cost, book.share(rung), last, style=style)
    return out
