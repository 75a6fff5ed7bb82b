"""Every wager's edge at each value of an option or with each pay table, or at all combinations of several of these."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from pitboss.cli.asked import Rows, asked_csv, console, print_json
from pitboss.cli.crew import asked_crew
from pitboss.cli.layout import Sheet, table
from pitboss.cli.picture import asked_plot, say
from pitboss.cli.progress import counting
from pitboss.cli.screen import marked
from pitboss.exact.across import Across, Axis, across
from pitboss.ledger.records import percent, ratio
from pitboss.ledger.spelled import one_in, signed
from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.house import House
from pitboss.rules.options import Choice


def run(args: Namespace, house: House) -> int:
    """`pitboss analyze GAME --across OPTION --across WAGER`."""
    file, sheet = asked_plot(args), asked_csv(args)
    if args.bets or args.shoe:
        raise BadInput("--across compares whole houses, edge by edge: leave out --bet and --shoe")
    with counting(house.game.title):
        axes = [axis(house, text) for text in args.across]
        found = across(house, axes, args.strategy, args.wager, asked_crew(args))
    if sheet is not None:
        Rows(found.json()["edges"]).to_csv(sheet)
    if file is not None:
        _plot(file, found)
    if args.json:
        return print_json(found.json())
    screen = console()
    show(screen, found)
    say(screen, file)
    return 0


def axis(house: House, text: str) -> Axis:
    """`decks`, `decks=4,6,8`, `ante-bonus`, `ante-bonus=A,H`, `suit-tie=1,3,15;1,4,11`."""
    name, named, some = (part.strip() for part in text.partition("="))
    option = house.game.all_options.get(name)
    wager = next((w for w in house.wagers if w.name == name and not w.table_of), None)
    if isinstance(option, Choice):
        values = [str(value) for value in option.values]
        wanted = [part.strip() for part in some.split(",")] if named else values
        for one in wanted:
            if one not in values:
                raise BadInput(f"--across {text}: {choice_of(repr(one), values)}")
        return Axis(name, tuple(v for v in values if v in wanted), of_pays=False)
    if wager is not None:
        tables = [t.name for t in wager.tables]
        return Axis(name, tuple(_pay_tables(some, tables) if named else tables), of_pays=True)
    options = [o.name for o in house.game.all_options.values() if isinstance(o, Choice)]
    pays = [w.name for w in house.wagers if len(w.tables) > 1 and not w.table_of]
    raise BadInput(f"--across {choice_of(repr(name), [*options, *pays])}: an option with a list of values, or a wager")


def _pay_tables(text: str, tables: Sequence[str]) -> list[str]:
    """Names, with commas between them; or pays, whose commas leave the semicolon to part them."""
    parts = [part.strip() for part in text.split(",")]
    named = ";" not in text and all(part in tables for part in parts)
    return parts if named else [part.strip() for part in text.split(";")]


# ---- the answer


def show(screen: Console, found: Across) -> None:
    screen.print(marked("[bold]{}[/] · house edge across {} · exact analysis", found.of.title, found.names))
    moved = _moved(found)
    screen.print(_one_wager(found, moved) if moved else _all_wagers(found))
    for values, why in found.left_out.items():
        at = ", ".join(f"{a.name}={v}" for a, v in zip(found.axes, values, strict=True))
        screen.print(f"{at} is left out: {why}")
    if moved and len(found.axes) == 1 and found.axes[0].of_pays:
        screen.print(side_by_side(found, moved))
    screen.print(
        f"strategy {found.of.strategy}; edges are per unit of the initial wager; --json has the fractions", style="dim"
    )


def _moved(found: Across) -> str:
    """The one wager that is looked at, or the only one whose edge moves with the pay tables; nothing if several do."""
    if len(found.wagers) == 1:
        return found.wagers[0]
    if not all(axis.of_pays for axis in found.axes):
        return ""
    edges = {w: {results[w].house_edge for results in found.found.values() if w in results} for w in found.wagers}
    moving = [w for w, several in edges.items() if len(several) > 1]
    return moving[0] if len(moving) == 1 else ""


def _all_wagers(found: Across) -> Sheet:
    out = table(found.names, *found.wagers)
    for values, results in found.found.items():
        edges = (percent(results[w].house_edge, 4) if w in results else "-" for w in found.wagers)
        out.add_row(", ".join(values), *edges)
    return out


def _one_wager(found: Across, wager: str) -> Sheet:
    out = table(found.names, "house edge", "exactly", "RTP", "SD", "hits", "1 in", title=f"\n{wager}")
    for values, results in found.found.items():
        w = results.get(wager)
        if w is None or w.shared:
            out.add_row(", ".join(values), *["-"] * 6)
            continue
        exactly = ratio(w.house_edge) if w.exact and len(ratio(w.house_edge)) <= 24 else "-"
        out.add_row(
            ", ".join(values), percent(w.house_edge, 4), exactly, percent(1 - w.house_edge, 4), f"{w.std_dev:.4f}",
            percent(w.hit_frequency, 3), one_in(w.hit_frequency),
        )  # fmt: skip
    return out


def side_by_side(found: Across, wager: str) -> Sheet:
    """What every row of the pay tables pays; how often it comes up is said once, where it is the same for all."""
    results = {values[0]: some[wager] for values, some in found.found.items()}
    rows = {name: {o.outcome: o for o in w.outcomes} for name, w in results.items()}
    outcomes = list(dict.fromkeys(o for some in rows.values() for o in some))
    often = {o: {some[o].probability for some in rows.values() if o in some} for o in outcomes}
    same = all(len(several) == 1 for several in often.values())
    out = table("pays", *(["1 in"] if same else []), *results, title="\nside by side")
    for o in outcomes:
        chance = [one_in(next(iter(often[o])))] if same else []
        out.add_row(o, *chance, *(signed(some[o].pays) if o in some else "-" for some in rows.values()))
    return out


def _plot(file: Path, found: Across) -> None:
    from pitboss.plot import edges
    from pitboss.plot.style import source

    varied = {axis.name for axis in found.axes}
    others = replace(found.of, options={n: v for n, v in found.of.options.items() if n not in varied})
    lines = {
        w: [float(some[w].house_edge) if w in some else float("nan") for some in found.found.values()]
        for w in found.wagers
    }
    edges(file, found.of.title, found.names, [", ".join(v) for v in found.found], lines, source(others, "exact"))
