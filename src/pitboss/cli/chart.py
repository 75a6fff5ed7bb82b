"""A strategy chart as players know it: rows are what they hold, columns the dealer's card, colours what to do."""

from collections.abc import Sequence

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from pitboss.cli.layout import Flow, Sheet, table
from pitboss.cli.screen import marked
from pitboss.ledger.charts import Cell, Grid, grids
from pitboss.ledger.records import Chart, StrategyRow, WagerResult, percent

BETWEEN = 2  # columns between two charts that lie side by side
PAINT = {
    "stand": "black on #f2d35b",
    "hit": "black on #9bd08a",
    "double": "white on #2f6db5",
    "split": "white on #8c4fa8",
    "surrender": "white on #c0392b",
}


def show(console: Console, chart: Chart, names: Sequence[str]) -> None:
    """Hard hands, soft hands and pairs, side by side where there is room; `names` are what decisions are made by."""
    found = grids(chart, names)
    left, *others = map(_section, found)
    beside = max((console.measure(other).maximum for other in others), default=0)
    if others and console.measure(left).maximum + BETWEEN + beside <= console.width:
        grid = Table.grid(padding=(0, BETWEEN, 0, 0))
        grid.add_row(left, Group(*others))
        console.print(grid)
    else:
        console.print(left, *others, sep="\n")
    console.print(_legend([cell for grid in found if grid.common for _, row in grid.rows for cell in row if cell]))


def _section(grid: Grid) -> Sheet:
    out = Sheet(box=box.SIMPLE_HEAD, title=Text(f"\n{grid.title}", "bold"), padding=0, show_edge=False)
    for name in grid.heads:
        out.add_column(f"{name} ", justify="right", min_width=9 if grid.in_one else None)
    for dealer in grid.across:
        out.add_column(dealer, justify="center", min_width=3)
    for labels, cells in grid.rows:
        out.add_row(*(f"{label} " for label in labels), *map(_cell, cells))
    return out


def _cell(cell: Cell | None) -> Text:
    return Text("") if cell is None else Text(f"{cell.letters:^3}", PAINT.get(cell.choice, "bold"))


def _legend(cells: Sequence[Cell]) -> Flow:
    used = {cell.letters: cell for cell in cells}
    parts = []
    for letters in sorted(used):
        parts.append(Text(f" {letters} ", PAINT.get(used[letters].choice, "bold")) + Text(f" {used[letters].words}"))
    return Flow(*parts, between="   ")


def exceptions(rows: Sequence[StrategyRow], most: int = 12) -> Sheet | None:
    """Two-card hands that the cards themselves play otherwise than the chart, dearest first."""
    other = [r for r in rows if r.chosen != r.basic]
    if not other:
        return None
    other.sort(key=lambda r: -r.probability * (r.values[r.chosen] - r.values[r.basic]))
    out = table(
        "hand", "chart", "best", "gains", "how often", title="\nhands that are better played otherwise than the chart"
    )
    for r in other[:most]:
        gain = r.values[r.chosen] - r.values[r.basic]
        out.add_row(r.sees, r.basic, r.chosen, f"{float(gain):.5f}", percent(r.probability, 4))
    if len(other) > most:
        out.caption = f"... and {len(other) - most} more; --csv FILE has every hand"
    return out


def closing(console: Console, wager: WagerResult) -> None:
    assert wager.played is not None
    played = wager.played
    basic, best, cost = (
        percent(x, 4) for x in (played.basic_edge, played.optimal_edge, played.basic_edge - played.optimal_edge)
    )
    console.print(
        marked(
            "Played by the chart, the house edge is [bold]{}[/] of the {}. Played by the exact cards of every hand it "
            "is {}: the chart costs {}.",
            basic,
            wager.wager,
            best,
            cost,
        )
    )
    if played.insurance is not None:
        take = "worth taking" if played.insurance > 0 else "never worth taking by a chart"
        console.print(f"Insurance is {take}: it brings {percent(played.insurance, 3)} of what is bet on it.")
