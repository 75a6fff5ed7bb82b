"""A strategy card: the rule of every decision on one page, as a player would put it into his pocket."""

from dataclasses import replace
from fractions import Fraction
from math import ceil
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from pitboss.ledger.records import percent, ratio
from pitboss.plot.style import COLOURS, INK, page, shorten, source
from pitboss.thumb import LEAST, WAYS, Rule, Rulebook, Rung

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TOP, BOTTOM, LEFT, RIGHT = 0.83, 0.12, 0.04, 0.97
NOTE = 0.03  # of the page, a line at its foot
LARGEST, SMALLEST = 28.0, 9.0  # points of type
ACROSS = 1150 / 0.55  # characters of one point that lie side by side on the page
DOWN = 9 * 72 / 1.5  # lines of one point that lie one under another
APART = 0.4  # of a line, between one choice and the next
Row = tuple[str, str, str]
"""The choice, if it is named in this row; the text beside it; what kind of row it is."""


def card(path: Path, book: Rulebook, rung: Rung | None = None) -> None:
    """The rules of one length, or the shortest that are good enough, and what they cost."""
    rung = rung or book.best
    choices = list(dict.fromkeys(c for rule in rung.rules for c in rule.choices))
    colours = dict(zip(choices, COLOURS * 3, strict=False))
    title = f"{shorten(book.of.title, 48)}: a rule to remember"
    with page(
        path, title, _price(book, rung), source(replace(book.of, strategy=f"rule:{rung.most}"), book.method)
    ) as figure:
        columns = min(3, len(rung.rules))
        width = (RIGHT - LEFT) / columns
        aside = wrap("; ".join([*book.notes, *([WAYS] if rung.ways else [])]), 170)
        height = (TOP - BOTTOM - NOTE * max(0, len(aside) - 1)) / ceil(len(rung.rules) / columns)
        size, rows = _fitting(rung.rules, width, height)
        for i, lines in enumerate(rows):
            left, top = LEFT + (i % columns) * width, TOP - (i // columns) * height
            _column(figure, lines, left, top, size, colours)
        _ladder(figure, book, rung)
        for i, line in enumerate(reversed(aside)):
            figure.text(LEFT, 0.09 + NOTE * i, line, fontsize=12, color="#555555", va="center")


def _fitting(rules: tuple[Rule, ...], width: float, height: float) -> tuple[float, list[list[Row]]]:
    """The largest type in which every rule fits its part of the page."""
    size = LARGEST
    while True:
        across = int(ACROSS * (width - 0.02) / size)
        rows = [_rows(rule, max(24, across), len(rules) > 1) for rule in rules]
        if size <= SMALLEST or max(map(_height, rows)) <= height * DOWN / size:
            return size, rows
        size -= 0.5


def _height(rows: list[Row]) -> float:
    """In lines; a choice stands a little apart from what is above it."""
    return len(rows) + APART * sum(kind == "choice" for _, _, kind in rows)


def _rows(rule: Rule, across: int, named: bool) -> list[Row]:
    head: list[Row] = [("", line, "head") for line in wrap(rule.decision, across)] if named else []
    out: list[Row] = []
    for choice, conditions in rule.parts:
        told = [f"{'with' if i == 0 else 'or with'} {words}" for i, words in enumerate(conditions)]
        out += _beside(choice, told, across)
    return head + out + _beside(rule.otherwise, ["otherwise" if rule.lines else "always"], across)


def _beside(choice: str, texts: list[str], across: int) -> list[Row]:
    rows: list[Row] = [(choice, "", "choice")]
    for text in texts:
        first, *more = wrap(text, across - 4) or [""]
        rows += [("", first, "text"), *(("", line, "more") for line in more)]
    return rows


def _column(figure: "Figure", rows: list[Row], left: float, top: float, size: float, colours: dict[str, str]) -> None:
    step, y = size / DOWN, top
    for choice, text, kind in rows:
        if kind == "choice":
            y -= APART * step
            box = {"facecolor": colours[choice], "alpha": 0.30, "linewidth": 0, "pad": size / 6}
            figure.text(left, y, shorten(choice, 40), fontsize=size, fontweight="bold", va="top", color=INK, bbox=box)
        elif kind == "head":
            figure.text(left, y, text, fontsize=size, va="top", color="#555555", style="italic")
        else:
            inset = (2.0 if kind == "text" else 4.0) * size / ACROSS
            figure.text(left + inset, y, text, fontsize=size, va="top", color=INK)
        y -= step


def _price(book: Rulebook, rung: Rung) -> str:
    best = "the chart of basic strategy" if book.against == "basic" else "the best play"
    if not rung.cost:
        return f"costs nothing against {best}: house edge {percent(book.edge)} of the {book.wager}"
    share = f", {book.share(rung)} of the edge" if book.edge else ""
    exact = f" = {ratio(rung.cost)}" if book.method == "exact" and len(ratio(rung.cost)) < 20 else ""
    return f"costs {percent(rung.cost, 4)}{exact} of the {book.wager}{share}, against {best} at {percent(book.edge)}"


def _ladder(figure: "Figure", book: Rulebook, shown: Rung) -> None:
    told = [f"{rung.most}: {_short(rung.cost)}{' (this card)' if rung is shown else ''}" for rung in book.rungs]
    text = f"conditions at a decision and what they cost · {' · '.join(told)}"
    figure.text(LEFT, 0.055, shorten(text, 170), fontsize=12, color="#555555", va="center")


def _short(cost: Fraction) -> str:
    if 0 < cost < LEAST:
        return f"under {percent(LEAST, 4)}"
    return percent(cost, 2 if cost > Fraction(1, 1000) else 4) if cost else "nothing"
