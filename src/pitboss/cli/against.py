"""Every wager's edge at each value of one option: the table, its JSON and its chart."""

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Console

from pitboss.cli.asked import console, pairs, print_json
from pitboss.cli.picture import asked_plot, say
from pitboss.cli.progress import counting
from pitboss.cli.render import table
from pitboss.results import Provenance, percent, ratio
from pitboss.rules.errors import BadInput
from pitboss.rules.game import House
from pitboss.rules.options import Choice


@dataclass(frozen=True)
class Against:
    """Edges of all wagers at each value of one option, the others as they are."""

    of: Provenance
    option: str
    edges: Mapping[str, Mapping[str, Fraction | float]]  # value -> wager -> edge; a wager may not exist at a value

    @property
    def wagers(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(w for edges in self.edges.values() for w in edges))

    def json(self) -> dict[str, Any]:
        every = [
            {
                "value": value,
                "wager": wager,
                "house_edge": float(edge),
                "house_edge_exact": ratio(edge) if isinstance(edge, Fraction) else None,
            }
            for value, edges in self.edges.items()
            for wager, edge in edges.items()
        ]
        return {**self.of.json(), "method": "exact", "against": self.option, "edges": every}


def run(args: Namespace, house: House) -> int:
    """`pitboss analyze GAME --against OPTION`."""
    file = asked_plot(args)
    if args.bets or args.shoe:
        raise BadInput("--against compares whole houses, edge by edge: leave out --bet and --shoe")
    with counting(house.game.title):
        found = against(house, args)
    if file is not None:
        _plot(file, found)
    if args.json:
        return print_json(found.json())
    screen = console()
    show(screen, found)
    say(screen, file)
    return 0


def against(house: House, args: Namespace) -> Against:
    """The same house again for every value of the option."""
    from pitboss.exact import analyze

    option = house.game.all_options.get(args.against)
    lists = [name for name, o in house.game.all_options.items() if isinstance(o, Choice)]
    if not isinstance(option, Choice):
        some = f"it has {', '.join(lists)}" if lists else "it has none"
        raise BadInput(
            f"--against {args.against}: {house.game.name} has no option of that name with a list of values; {some}"
        )
    asked = pairs(args.options, "-o", "NAME=VALUE")
    tables = pairs(args.tables, "-p", "WAGER=TABLE")
    edges: dict[str, dict[str, Fraction | float]] = {}
    of = None
    for value in option.values:
        try:
            other = house.game.at({**asked, option.name: str(value)}, tables)
        except BadInput:  # a value that does not go with the other options
            continue
        if args.wager is not None and args.wager not in other.parties:
            continue
        found = analyze(other, args.strategy, None, args.wager)
        of = found.of if of is None or str(value) == str(house.options[option.name]) else of
        edges[str(value)] = {w.wager: w.house_edge for w in found.wagers}
    assert of is not None
    return Against(of, option.name, edges)


def show(screen: Console, found: Against) -> None:
    screen.print(f"[bold]{found.of.title}[/] · house edge against {found.option} · exact analysis")
    out = table(found.option, *found.wagers)
    for value, edges in found.edges.items():
        out.add_row(value, *(percent(edges[w], 4) if w in edges else "-" for w in found.wagers))
    screen.print(out)
    screen.print(
        f"[dim]strategy {found.of.strategy}; edges are per unit of the initial wager; --json has the fractions[/]"
    )


def _plot(file: Path, found: Against) -> None:
    from pitboss.plot import edges
    from pitboss.plot.style import source

    others = replace(found.of, options={n: v for n, v in found.of.options.items() if n != found.option})
    lines = {
        w: [float(edges[w]) if w in edges else float("nan") for edges in found.edges.values()] for w in found.wagers
    }
    edges(file, found.of.title, found.option, list(found.edges), lines, source(others, "exact"))
