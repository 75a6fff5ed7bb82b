"""Printed pages: blocks of words one under another, in the largest type in which they fit."""

from collections.abc import Sequence
from dataclasses import dataclass

from pitboss.felt.ink import CLOTH, CREAM, GOLD, GREY, INK, LINE, PAPER, Drawing
from pitboss.felt.letters import balanced, cut, shortened, width, wrapped

LEAD = 1.22  # from line to line, of the type size
MOST_LINES = 60  # of one block: what is longer is no part of a page


@dataclass(frozen=True)
class Block:
    """Words that stay together: a heading, a paragraph, a numbered step, rows of a table, a remark."""

    kind: str  # "head", "text", "step", "rows", "note"
    text: str = ""
    rows: tuple[tuple[str, str], ...] = ()

    def height(self, wide: float, size: float) -> float:
        return self.draw(None, 0, 0, wide, size)

    def draw(self, ink: Drawing | None, x: float, y: float, wide: float, size: float) -> float:
        """Where it ends; without a drawing it is only measured."""
        if self.kind == "head":
            return _lines(ink, self.text, x, y + size * 0.5, wide, size * 1.15, CLOTH, bold=True) + size * 0.1
        if self.kind == "note":
            return _lines(ink, self.text, x, y, wide, size * 0.82, GREY) + size * 0.3
        if self.kind == "step":
            number, _, rest = self.text.partition(" ")
            if ink is not None:
                ink.text(x, y + size * 0.86, number, size, CLOTH, bold=True, anchor="start")
            return _lines(ink, rest, x + size * 1.5, y, wide - size * 1.5, size, INK) + size * 0.25
        if self.kind == "text":
            return _lines(ink, self.text, x, y, wide, size, INK) + size * 0.35
        return self._table(ink, x, y, wide, size)

    def _table(self, ink: Drawing | None, x: float, y: float, wide: float, size: float) -> float:
        if self.text:
            y = _lines(ink, self.text, x, y + size * 0.3, wide, size * 1.05, CLOTH, bold=True)
        for name, value in self.rows:
            y = _row(ink, name, value, x, y, wide, size)
            if ink is not None:
                ink.path(f"M{x:.1f} {y:.1f}h{wide:.1f}", stroke=LINE, stroke_width=size * 0.03, fill="none")
        return y + size * 0.5


def _row(ink: Drawing | None, name: str, value: str, x: float, y: float, wide: float, size: float) -> float:
    """A name and at its right what it comes to: in one line, or the name in several, or what it comes to under it."""
    room = wide - width(value, size, bold=True) - size * 0.7
    if room < width(name, size) and room < wide * 0.45:
        y = _lines(ink, name, x, y, wide, size, INK)
        return _lines(ink, value, x, y, wide, size, INK, bold=True, anchor="end")
    if ink is not None and value:
        ink.text(x + wide, y + size * 0.86, value, size, INK, bold=True, anchor="end")
    return _lines(ink, name, x, y, room, size, INK)


def _lines(
    ink: Drawing | None, text: str, x: float, y: float, wide: float, size: float, fill: str, *, bold: bool = False,
    anchor: str = "start",
) -> float:  # fmt: skip
    for line in cut(wrapped(text, size, wide, bold), MOST_LINES, size, wide, bold):
        if ink is not None:
            at = {"start": x, "middle": x + wide / 2, "end": x + wide}[anchor]
            ink.text(at, y + size * 0.86, line, size, fill, bold=bold, anchor=anchor)
        y += size * LEAD
    return y


def in_columns(
    blocks: Sequence[Block], columns: int, wide: float, high: float, size: float
) -> list[list[Block]] | None:
    """The blocks in so many columns of this width and height, in order; None where there is no room."""
    out: list[list[Block]] = [[]]
    used = 0.0
    for i, block in enumerate(blocks):
        tall = block.height(wide, size)
        follows = blocks[i + 1].height(wide, size) if block.kind == "head" and i + 1 < len(blocks) else 0.0
        if used + tall + follows > high and out[-1]:  # a heading goes along with what it is over
            out.append([])
            used = 0.0
        if len(out) > columns or tall > high:
            return None
        out[-1].append(block)
        used += tall
    return out


def draw_blocks(ink: Drawing, blocks: Sequence[Block], x: float, y: float, wide: float, size: float) -> float:
    for block in blocks:
        y = block.draw(ink, x, y, wide, size)
    return y


def total(blocks: Sequence[Block], wide: float, size: float) -> float:
    return sum(block.height(wide, size) for block in blocks)


def sizes(largest: float, smallest: float) -> list[float]:
    """Type sizes to try, each a twentieth smaller."""
    out = [largest]
    while out[-1] * 0.95 > smallest:
        out.append(round(out[-1] * 0.95, 2))
    return [*out, smallest]


def sheet_of_paper(ink: Drawing, x: float, wide: float, high: float) -> None:
    """A page with its edge, which is where it is cut."""
    ink.rect(x, 0, wide, high, fill=PAPER, stroke=LINE, stroke_width=0.4)


def banner(ink: Drawing, title: str, under: str, x: float, wide: float, margin: float, large: float) -> float:
    """A title on a band of felt, and a line under it; how high it is."""
    size = large
    room = wide - 2 * margin
    while size > large * 0.45 and len(balanced(title, size, room, bold=True)) > (1 if size > large * 0.7 else 2):
        size *= 0.95
    lines = cut(balanced(title, size, room, bold=True), 2, size, room, bold=True)
    small = large * 0.36
    more = cut(balanced(under, small, room), 2, small, room) if under else []
    high = margin * 0.9 + len(lines) * size * 1.08 + len(more) * small * 1.25 + margin * 0.55
    ink.rect(x, 0, wide, high, fill=CLOTH)
    ink.rect(x, high, wide, large * 0.06, fill=GOLD)
    y = margin * 0.9
    for line in lines:
        ink.text(x + wide / 2, y + size * 0.8, line, size, GOLD, bold=True)
        y += size * 1.08
    for line in more:
        ink.text(x + wide / 2, y + small * 0.86, line, small, CREAM)
        y += small * 1.25
    return high + large * 0.06


def footer(ink: Drawing, text: str, x: float, wide: float, high: float, margin: float, size: float) -> None:
    ink.text(x + wide / 2, high - margin * 0.55, shortened(text, size, wide - 2 * margin), size, GREY)
