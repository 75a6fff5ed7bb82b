"""The felt, drawn from its plan: rail, cloth, cut line, circles, boxes, lines of words, pay tables."""

from collections.abc import Sequence
from math import cos, radians, sin

from pitboss.felt.ink import (
    CLOTH,
    CREAM,
    DEEP,
    GOLD,
    MIDDLE,
    PALE,
    RAIL,
    RAIL_EDGE,
    RAIL_INK,
    Drawing,
    number,
)
from pitboss.felt.letters import DOWN, UP, width
from pitboss.felt.places import CAPTION
from pitboss.felt.plan import BAND, BAND_TYPE, Band, Placed, Plan, plan_of
from pitboss.felt.printed import BETWEEN, PAD
from pitboss.felt.seat import CARD, SPACING, Label
from pitboss.felt.shapes import Frame, Shape, bounds
from pitboss.felt.spots import Spot
from pitboss.felt.table import Table
from pitboss.rules.house import House

EDGE = 30.0  # around the whole picture
BELOW = 80.0  # for the scale
HEART = 382.0, 495.0  # to both sides of the middle, and down from the dealer's edge: what a picture on a phone shows
BASELINE = (UP - DOWN) / 2  # from the middle of a line to where its letters stand


def felt(house: House, table: Table | None = None) -> str:
    """The felt of a house as SVG, to scale, in millimetres; on a table of one's own where one is given."""
    plan = plan_of(house, table)
    drawing = Drawing(f"felt-{house.game.name}")
    _Cloth(drawing, plan).draw()
    rail = plan.table.rail
    size = plan.table.width + 2 * (rail + EDGE), plan.table.depth + rail + 2 * EDGE + BELOW
    return drawing.svg(f"{house.game.title}: the felt", _about(house, plan), -rail - EDGE, -EDGE, *size)


def _about(house: House, plan: Plan) -> str:
    table = plan.table
    return (
        f"A half-round table seen from above, {table.width:.0f} by {table.depth:.0f} millimetres, with "
        f"{len(plan.seats)} seats. The dealer stands at the top; seat 1 is at his left, in the picture at the right. "
        f"Before each player: {', '.join(dict.fromkeys(s.called for s in plan.spots if s.seat == 1 and s.called))}."
    )


class _Cloth:
    def __init__(self, drawing: Drawing, plan: Plan) -> None:
        self.ink, self.plan, self.table = drawing, plan, plan.table

    def draw(self) -> None:
        self._table()
        for band in self.plan.bands:
            self._band(band)
        for spot in self.plan.spots:
            if spot.seat == 0:
                self._shared(spot)
        for seat, frame in enumerate(self.plan.seats, 1):
            self.ink.open(frame, id=f"{self.ink.name}-seat-{seat}")
            for spot in self.plan.spots:
                if spot.seat == seat and spot.shape != "open":
                    self._spot(spot, frame)
            self.ink.close()
        for placed in self.plan.panels:
            self._panel(placed)
        for arc in self.plan.arcs:
            line = arc.line
            curve = self.table.curve(arc.inset)
            half = min(curve.half, width(line.text, line.size, line.bold) * 0.56 + 20)
            self._open(curve.letters(line.text, line.size, line.bold))
            self.ink.along(curve.path(-half, half), line.text, line.size, line.fill, bold=line.bold)
            self.ink.close()
        self.ink.open(id=f"{self.ink.name}-rail")
        for seat, frame in enumerate(self.plan.seats, 1):
            self.ink.open(frame)
            self.ink.text(0, self.table.rail * 0.74, str(seat), 40, RAIL_INK, bold=True)
            self.ink.close()
        self._scale()
        self.ink.close()

    def _open(self, shapes: Sequence[Shape]) -> None:
        """Print that reaches out of the heart of the cloth is `aside`: a picture of the heart alone leaves it out, and
        does not cut through its words."""
        across, down = HEART
        left, _, right, bottom = bounds(shapes)
        middle = self.table.middle
        whole = middle - across <= left and right <= middle + across and bottom <= down
        self.ink.open(class_=None if whole else "aside")

    # ---- the table

    def _table(self) -> None:
        ink, table = self.ink, self.table
        ink.define(
            f'<radialGradient id="{ink.name}-light" cx="50%" cy="38%" r="75%">'
            f'<stop offset="0" stop-color="{MIDDLE}"/><stop offset="1" stop-color="{CLOTH}"/></radialGradient>'
        )
        ink.path(self._rail(), fill=RAIL, stroke=RAIL_EDGE, stroke_width=4.0)
        ink.path(self._rail(table.rail * 0.55), fill="none", stroke=RAIL_INK, stroke_opacity=0.16, stroke_width=14.0)
        ink.path(table.outline(0), fill=f"url(#{ink.name}-light)", stroke=RAIL_EDGE, stroke_width=5.0)
        ink.path(self._rail(table.cut), fill="none", stroke=RAIL_INK, stroke_width=1.6, stroke_dasharray="14 9")
        ink.path(table.outline(14), fill="none", stroke=DEEP, stroke_width=3.0)

    def _rail(self, out: float | None = None) -> str:
        """The line so far outside the cloth, on the sides where players sit; the dealer's edge is straight."""
        table, far = self.table, self.table.rail if out is None else out
        across, down = table.axes(-far)
        left, right = number(table.middle - across), number(table.middle + across)
        arc = f"A{number(across)} {number(down)} 0 0 1 {left} {number(table.side)}"
        return f"M{right} 0V{number(table.side)}{arc}V0{'Z' if out is None else ''}"

    def _scale(self) -> None:
        """A rule of half a metre, and what the cloth measures."""
        ink, table = self.ink, self.table
        y = table.depth + table.rail + EDGE + 34
        left = -table.rail
        ink.rect(left - 8, y - 34, table.width + 2 * table.rail + 16, BELOW - 8, fill=RAIL, rx=8.0)
        ink.path(f"M{number(left + 20)} {number(y)}h500M{number(left + 20)} {number(y - 10)}v20m250 -16v12m250 -16v20",
                 fill="none", stroke=RAIL_INK, stroke_width=3.0)  # fmt: skip
        ink.text(left + 545, y + 9, "500 mm", 26, RAIL_INK, anchor="start")
        size = f"cloth {table.width:.0f} x {table.depth:.0f} mm · dashed: cut line, {table.cut:.0f} mm under the rail"
        ink.text(table.width + table.rail - 20, y + 9, size, 26, RAIL_INK, anchor="end")

    # ---- what lies on it

    def _shared(self, spot: Spot) -> None:
        ink, x, y = self.ink, spot.frame.x, spot.frame.y
        left, top = x - spot.width / 2, y - spot.height / 2
        if spot.kind == "tray":
            ink.rect(left, 0, spot.width, spot.height, rx=10.0, fill=DEEP, stroke=RAIL_EDGE, stroke_width=4.0)
            tubes = 12
            step = (spot.width - 24) / tubes
            for i in range(tubes):
                ink.rect(left + 12 + i * step + 2, 8, step - 4, spot.height - 16, rx=step / 2 - 2, fill=CLOTH,
                         stroke=RAIL_EDGE, stroke_width=1.5)  # fmt: skip
        elif spot.kind in ("shoe", "discards"):
            self._open([spot.corners])
            ink.rect(left, top, spot.width, spot.height, rx=8.0, fill="none", stroke=PALE, stroke_width=2.0,
                     stroke_dasharray="10 7", stroke_opacity=0.8)  # fmt: skip
            ink.text(x, y + 20 * BASELINE, spot.called, 20, PALE, italic=True)
            ink.close()
        elif spot.kind == "place":
            ink.rect(left, top, spot.width, spot.height, rx=9.0, fill="none", stroke=CREAM, stroke_width=2.4)
            step = (spot.width - 14 + 5) / spot.cards
            for i in range(spot.cards):
                ink.rect(left + 7 + i * step, top + 7, *CARD, rx=5.0, fill="none", stroke=PALE, stroke_width=1.2,
                         stroke_opacity=0.55)  # fmt: skip
            self._label(spot.label, x, y + spot.height / 2 - 3 - CAPTION / 2)
        else:
            self._outline(spot, x, y)
            self._label(spot.label, x, y)

    def _spot(self, spot: Spot, frame: Frame) -> None:
        """Something before a player, in his own frame."""
        x, y = _within(frame, spot.frame)
        self._outline(spot, x, y)
        if spot.equals:
            self.ink.text(x - spot.width / 2 - 10, y + 6, "=", 20, GOLD, bold=True)
        self._label(spot.label, x, y)

    def _outline(self, spot: Spot, x: float, y: float) -> None:
        ink = self.ink
        if spot.shape == "circle":
            ink.circle(x, y, spot.width / 2 - 1.5, fill="none", stroke=CREAM, stroke_width=3.0)
            ink.circle(x, y, spot.width / 2 - 5, fill="none", stroke=GOLD, stroke_width=0.9)
        else:
            left, top = x - spot.width / 2, y - spot.height / 2
            gold = spot.kind != "cards"
            ink.rect(left + 1.5, top + 1.5, spot.width - 3, spot.height - 3, rx=7.0, fill="none",
                     stroke=CREAM, stroke_width=3.0 if gold else 2.0)  # fmt: skip
            if gold:
                ink.rect(left + 5, top + 5, spot.width - 10, spot.height - 10, rx=5.0, fill="none", stroke=GOLD,
                         stroke_width=0.9)  # fmt: skip

    def _label(self, label: Label, x: float, y: float) -> None:
        top = y - label.height / 2
        for text, size, pay in label.lines:
            self.ink.text(x, top + size * 0.8, text, size, GOLD if pay else CREAM, bold=not pay)
            top += size * SPACING

    # ---- what is printed

    def _band(self, band: Band) -> None:
        ink, half = self.ink, band.half
        middle = self.table.curve(band.inset)
        ends = middle.angle(-half), middle.angle(half)
        outer, inner = (self.table.curve(band.inset + side) for side in (-BAND / 2, BAND / 2))
        ink.path(f"{outer.between(*ends)}L{inner.between(*ends[::-1])[1:]}Z", fill=DEEP, fill_opacity=0.35,
                 stroke=CREAM, stroke_width=2.4)  # fmt: skip
        curve = self.table.curve(round(band.inset - BASELINE * BAND_TYPE, 1))
        self._open(curve.letters(band.words, BAND_TYPE, bold=True))
        ink.along(curve.path(-half, half), band.words, BAND_TYPE, CREAM, bold=True)
        ink.close()

    def _panel(self, placed: Placed) -> None:
        ink, panel = self.ink, placed.panel
        left, top = placed.x - panel.width / 2, placed.y - panel.height / 2
        self._open([placed.corners])
        ink.rect(left, top, panel.width, panel.height, rx=9.0, fill=DEEP, fill_opacity=0.55, stroke=GOLD,
                 stroke_width=1.6)  # fmt: skip
        y = top + PAD
        for line in panel.title:
            ink.text(placed.x, y + panel.head * 0.8, line, panel.head, GOLD, bold=True)
            y += panel.head * 1.15
        alone = panel.kind == "pays" and panel.columns == 1  # its pays stand at the edge
        spare = 0.0 if alone else (panel.width - 2 * PAD - panel.inside) / 2
        for i, row in enumerate(panel.rows):
            column, place = divmod(i, panel.down)
            x = left + PAD + spare + column * (panel.across + 26)
            base = y + place * panel.pitch + panel.pitch * 0.74
            if panel.kind == "pays":
                right = left + panel.width - PAD if alone else x + panel.across
                ink.text(x, base, row[0], panel.size, CREAM, anchor="start")
                ink.text(right, base, row[1], panel.size, GOLD, anchor="end")
                continue
            for j, (cell, wide) in enumerate(zip(row, panel.cells, strict=True)):
                ink.text(x, base, cell, panel.size, CREAM, anchor="start", bold=j == 0 and len(row) > 1)
                x += wide + BETWEEN
        ink.close()


def _within(frame: Frame, other: Frame) -> tuple[float, float]:
    """A place as it is seen in a frame, y down as one draws it."""
    c, s = cos(radians(frame.turn)), sin(radians(frame.turn))
    dx, dy = other.x - frame.x, other.y - frame.y
    return dx * c + dy * s, -dx * s + dy * c
