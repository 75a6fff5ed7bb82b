"""The one layout of everything that is printed: tables that cut no word, and sentences that break between their parts.

A table that is wider than the screen wraps its cells between words. Where even that does not do, its columns go below
each other, in several tables that begin with the same first column.
"""

from collections.abc import Iterator, Sequence
from copy import copy

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Column, Table
from rich.text import Text

from pitboss.cli.screen import marked
from pitboss.plain import clean

ENDLESS = 100_000  # columns of a screen on which nothing has to wrap
DEEPEST = 12  # steps under each other that are still set in further


class Sheet(Table):
    """A table of the house; its title and its caption have the whole width of the screen."""

    def fits(self, console: Console) -> bool:
        """Whether nothing has to wrap."""
        return sum(self._longest(console, console.options)[1]) + self._between(self.columns) <= console.width

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        least, most = self._longest(console, options)
        if self.title:
            yield self.title
        for columns, widths in self._parts(least, most, options.max_width):
            part = copy(self)
            part.title = part.caption = None
            part.columns = [_at(self.columns[c], place, widths[place]) for place, c in enumerate(columns)]
            yield from Table.__rich_console__(part, console, options)
        if self.caption:
            yield Text(self.caption, "dim") if isinstance(self.caption, str) else self.caption

    def _longest(self, console: Console, options: ConsoleOptions) -> tuple[list[int], list[int]]:
        """The longest word and the longest line of every column."""
        wide = options.update(width=ENDLESS)
        least, most = [], []
        for column in self.columns:
            cells = [column.header, *column.cells, column.footer]
            found = [Measurement.get(console, wide, cell) for cell in cells if cell]
            least.append(max([column.min_width or 1, *(f.minimum for f in found)]))
            most.append(max([column.min_width or 1, *(f.maximum for f in found)]))
        return least, most

    def _between(self, columns: Sequence[object]) -> int:
        """What a table needs beside its cells: padding, the line between two columns, the edges."""
        _, right, _, left = self.padding
        edges = 2 if self.box and self.show_edge else 0
        return len(columns) * (left + right) + edges + (len(columns) - 1 if self.box else 0)

    def _parts(self, least: list[int], most: list[int], width: int) -> Iterator[tuple[list[int], list[int]]]:
        """Which columns go into each table, and how wide they are."""
        first = [0] if self.columns else []
        group = list(first)
        for column in range(1, len(self.columns)):
            together = [*group, column]
            if len(group) > 1 and sum(least[c] for c in together) + self._between(together) > width:
                yield group, self._widths(group, least, most, width)
                together = [*first, column]
            group = together
        yield group, self._widths(group, least, most, width)

    def _widths(self, group: list[int], least: list[int], most: list[int], width: int) -> list[int]:
        """Every column as wide as its longest line, if that is no wider than a common measure: so short columns are
        whole, and long ones share what is left."""
        room = max(0, width - self._between(group))

        def at(measure: int) -> list[int]:
            return [max(least[c], min(most[c], measure)) for c in group]

        measure = max((most[c] for c in group), default=0)
        while measure > 0 and sum(at(measure)) > room:
            measure -= 1
        found = at(measure)
        spare = room - sum(found)
        for place, c in enumerate(group):  # what the common measure leaves over
            more = max(0, min(spare, most[c] - found[place]))
            found[place] += more
            spare -= more
        return found


def _at(column: Column, place: int, width: int) -> Column:
    out = copy(column)
    out._index, out.width, out.no_wrap, out.overflow = place, width, False, "fold"
    return out


def table(*columns: str, title: str | Text = "") -> Sheet:
    """The house style: names to the left, numbers to the right."""
    bold = marked("{}", title)
    bold.style = "bold"
    out = Sheet(box=box.SIMPLE_HEAD, title=bold if title else None, padding=(0, 1, 0, 0), show_edge=False)
    for i, name in enumerate(columns):
        out.add_column(name, justify="left" if i == 0 else "right")
    return out


class Flow:
    """`house edge 4.2% · hits 49%`: parts that stay whole. A line ends between two of them, and the next is set in."""

    def __init__(self, *parts: str | Text, between: str = " · ", style: str = "") -> None:
        self.parts = [Text(part, style) if isinstance(part, str) else part for part in parts if part]
        self.between, self.style = Text(between, style), style

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line: Text | None = None
        for part in self.parts:
            longer = part if line is None else line + self.between + part
            if line is not None and longer.cell_len > options.max_width:
                yield line
                longer = Text("  ") + part
            line = longer
        if line is not None:
            yield line


def headline(console: Console, words: str) -> None:
    console.print(f"\n{words}", style="bold")


def item(console: Console, words: str, depth: int = 0, mark: str = "-") -> None:
    """A line with its mark outside, so that what folds stands under what it goes on with."""
    line = Table.grid(padding=(0, 1, 0, 0))
    line.add_column(width=len(mark), no_wrap=True)
    line.add_column(overflow="fold")
    line.add_row(Text(mark), Text(clean(words)))
    console.print(Padding(line, (0, 0, 0, 2 + 3 * min(depth, DEEPEST))))
