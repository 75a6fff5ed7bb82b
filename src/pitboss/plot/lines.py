"""Edges across an option of the house: a line for every wager, or points where the values have no order."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.plot.style import COLOURS, GRID, page
from pitboss.rules.numbers import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DASHES = ("-", "--", ":", "-.")
CLEAR = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}  # no line goes through a label
MARKS = ("o", "s", "^", "D", "v", "P", "X")


def edges(
    path: Path, title: str, option: str, values: Sequence[str], lines: Mapping[str, Sequence[float]], source: str
) -> None:
    """`lines` has, for every wager, its edge at each value of the option."""
    with page(path, f"{title}: house edge across {option}", "percent of the initial wager", source) as figure:
        axes = figure.add_axes((0.08, 0.15, 0.70, 0.69))
        places = list(range(len(values)))
        ordered = all(_is_number(value) for value in values)
        ends = []
        for number, (wager, line) in enumerate(lines.items()):
            look = {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[number // len(COLOURS) % len(DASHES)]}
            mark = MARKS[number % len(MARKS)]
            percents = [100 * edge for edge in line]
            width = 3 if ordered else 0  # nothing lies between two words
            axes.plot(places, percents, marker=mark, markersize=11, linewidth=width, **look)  # type: ignore[arg-type]
            ends.append((percents[-1], wager, look["color"]))
        axes.set_xticks(places, [str(v) for v in values])
        axes.margins(x=0.06, y=0.12)
        (_name_points if ordered else _name_beside)(axes, lines)
        axes.set_xlabel(option)
        axes.set_ylabel("house edge, percent")
        axes.axhline(0, color="#888888", linewidth=1)
        axes.grid(axis="y", color=GRID)
        low, high = axes.get_ylim()
        for y, (edge, wager, colour) in zip(_apart([e for e, *_ in ends], (high - low) * 0.055), ends, strict=True):
            axes.text(
                1.015, y, f"{wager} {edge:.2f}%", transform=axes.get_yaxis_transform(), color=colour, va="center",
                fontweight="bold",
            )  # fmt: skip


def _name_points(axes: "Axes", lines: Mapping[str, Sequence[float]]) -> None:
    """The edge at every point that has room for it: no other line close above."""
    every = [100 * e for line in lines.values() for e in line if e == e]
    if min(every) >= 0:
        axes.set_ylim(bottom=0)
    room = (axes.get_ylim()[1] - axes.get_ylim()[0]) * 0.07
    for line in lines.values():
        for place, edge in enumerate(line):
            above = [100 * (other[place] - edge) for other in lines.values() if other is not line]
            if edge == edge and not any(0 <= gap < room for gap in above):
                axes.annotate(
                    f"{100 * edge:.2f}%", (place, 100 * edge), (0, 12), textcoords="offset points", ha="center",
                    fontsize=13, bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1},
                )  # fmt: skip


def _name_beside(axes: "Axes", lines: Mapping[str, Sequence[float]]) -> None:
    """The edge to the right of every point; those of the last value are named outside."""
    if min(100 * e for line in lines.values() for e in line if e == e) >= 0:
        axes.set_ylim(bottom=0)
    room = (axes.get_ylim()[1] - axes.get_ylim()[0]) * 0.04
    for place in range(max(len(line) for line in lines.values()) - 1):
        edges = [100 * line[place] for line in lines.values() if line[place] == line[place]]
        for edge, height in zip(edges, _apart(edges, room), strict=True):
            axes.annotate(
                f"{edge:.2f}%",
                (place, height),
                (12, 0),
                textcoords="offset points",
                va="center",
                fontsize=13,
                bbox=CLEAR,
            )


def _is_number(text: str) -> bool:
    return plain(text) is not None


def _apart(heights: Sequence[float], least: float) -> list[float]:
    """The same heights moved up where labels would lie on each other."""
    out = list(heights)
    below: float | None = None
    for i in sorted(range(len(out)), key=lambda i: out[i]):
        if below is not None and out[i] - below < least:
            out[i] = below + least
        below = out[i]
    return out
