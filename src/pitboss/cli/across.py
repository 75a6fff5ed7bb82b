"""Every wager's edge at each value of one option: the table, its JSON and its chart."""

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from pitboss.cli.asked import console, print_json
from pitboss.cli.layout import table
from pitboss.cli.picture import asked_plot, say
from pitboss.cli.progress import counting
from pitboss.cli.screen import marked
from pitboss.ledger.figure import Figure
from pitboss.ledger.records import percent, ratio
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.identity import Provenance


@dataclass(frozen=True)
class Across:
    """Edges of all wagers at each value of one option, the others as they are."""

    of: Provenance
    option: str
    edges: Mapping[str, Mapping[str, Figure]]  # value -> wager -> edge; a wager may not exist at a value
    left_out: Mapping[str, str]  # value -> why it has no edges

    @property
    def wagers(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(w for edges in self.edges.values() for w in edges))

    def json(self) -> dict[str, Any]:
        every = [
            {
                "value": value,
                "wager": wager,
                "house_edge": float(edge),
                "house_edge_exact": None if edge.exact is None else ratio(edge.exact),
            }
            for value, edges in self.edges.items()
            for wager, edge in edges.items()
        ]
        found = {"across_option": self.option, "edges": every, "left_out": dict(self.left_out)}
        return {**self.of.json(), "method": "exact", **found}


def run(args: Namespace, house: House) -> int:
    """`pitboss analyze GAME --across OPTION`."""
    file = asked_plot(args)
    if args.bets or args.shoe:
        raise BadInput("--across compares whole houses, edge by edge: leave out --bet and --shoe")
    with counting(house.game.title):
        found = across(house, args)
    if file is not None:
        _plot(file, found)
    if args.json:
        return print_json(found.json())
    screen = console()
    show(screen, found)
    say(screen, file)
    return 0


def across(house: House, args: Namespace) -> Across:
    """The same house again for every value of the option, or for those that are named."""
    from pitboss.exact import analyze
    from pitboss.tune.houses import values_of

    option, values = values_of(house, args.across)
    edges: dict[str, dict[str, Figure]] = {}
    left_out: dict[str, str] = {}
    of = None
    for value in values:
        try:
            other = house.but({option: value})
        except BadInput as why:  # a value that does not go with the other options
            left_out[value] = str(why)
            continue
        if args.wager is not None and args.wager not in other.parties:
            left_out[value] = f"there is no {args.wager}"
            continue
        found = analyze(other, args.strategy, None, args.wager)
        of = found.of if of is None or value == house.chosen()[option] else of
        edges[value] = {w.wager: w.edge for w in found.wagers}
    if of is None:
        value, why_not = next(iter(left_out.items()))
        raise BadInput(f"--across {args.across}: with {option}={value}, {why_not}")
    return Across(of, option, edges, left_out)


def show(screen: Console, found: Across) -> None:
    screen.print(marked("[bold]{}[/] · house edge across {} · exact analysis", found.of.title, found.option))
    out = table(found.option, *found.wagers)
    for value, edges in found.edges.items():
        out.add_row(value, *(percent(float(edges[w]), 4) if w in edges else "-" for w in found.wagers))
    screen.print(out)
    for value, why in found.left_out.items():
        screen.print(f"{found.option}={value} is left out: {why}")
    screen.print(
        f"strategy {found.of.strategy}; edges are per unit of the initial wager; --json has the fractions", style="dim"
    )


def _plot(file: Path, found: Across) -> None:
    from pitboss.plot import edges
    from pitboss.plot.style import source

    others = replace(found.of, options={n: v for n, v in found.of.options.items() if n != found.option})
    lines = {
        w: [float(edges[w]) if w in edges else float("nan") for edges in found.edges.values()] for w in found.wagers
    }
    edges(file, found.of.title, found.option, list(found.edges), lines, source(others, "exact"))
