"""The table itself: a half round with the dealer at its straight edge, the rail around it, and arcs along the rail.

The cloth is as wide and as deep as `Table` says. Its straight edge is the dealer's; from there it goes a little way
straight down on both sides, and closes in half an ellipse. Everything along the players' side (seats, lines of words,
lines for bets) follows a curve that lies so many millimetres inside the edge.
"""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import atan2, cos, degrees, hypot, pi, radians, sin

from pitboss.felt.ink import number
from pitboss.felt.letters import DOWN, UP, width
from pitboss.felt.shapes import Frame, Shape

INCH = 25.4
STEPS = 720  # points at which a curve is measured
TOGETHER = 4  # letters of a line that are taken for one straight piece
END = 0.06  # how near a curve comes to where its ellipse begins, in radians


@dataclass(frozen=True)
class Table:
    """A table's cloth, in millimetres; the usual one is 84 by 48 inches."""

    width: float = 84 * INCH
    depth: float = 48 * INCH
    rail: float = 130.0  # the arm-rest around the players' side
    cut: float = 50.0  # how far the cloth reaches under the rail: the cut line

    @property
    def side(self) -> float:
        """How far the sides go straight down from the dealer's edge."""
        return self.depth * 0.22

    @property
    def middle(self) -> float:
        return self.width / 2

    def axes(self, inset: float) -> tuple[float, float]:
        """Half the width and the depth of the ellipse that lies so far inside the edge."""
        return self.width / 2 - inset, self.depth - self.side - inset

    def curve(self, inset: float) -> "Curve":
        return _curve(self, inset)

    def outline(self, inset: float) -> str:
        """The edge of the cloth, or what lies so far inside it (or outside, where `inset` is below zero)."""
        across, down = self.axes(inset)
        left, right, top = number(self.middle - across), number(self.middle + across), number(inset)
        arc = f"A{number(across)} {number(down)} 0 0 1 {left} {number(self.side)}"
        return f"M{left} {top}H{right}V{number(self.side)}{arc}Z"

    def inset(self, shape: Shape) -> float:
        """How far inside the edge a shape reaches: the curve that lies deeper does not touch it."""
        corners = [*shape, *(((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in pairwise((*shape, shape[0])))]
        most = 0.0
        for x, y in corners:
            low, high = 0.0, min(self.axes(1.0))
            for _ in range(18):
                middle = (low + high) / 2
                across, down = self.axes(middle)
                inside = ((x - self.middle) / across) ** 2 + (max(0.0, y - self.side) / down) ** 2 < 1
                low, high = (middle, high) if inside else (low, middle)
            most = max(most, high)
        return most

    def holds(self, shape: Shape, margin: float) -> bool:
        """Whether a shape lies on the cloth, and so far from its edge."""
        across, down = self.axes(margin)
        for x, y in shape:
            dx, dy = (x - self.middle) / across, (y - self.side) / down
            if y < margin or abs(dx) > 1 or (dy > 0 and dx * dx + dy * dy > 1):
                return False
        return True


SIZES = tuple(Table(w * INCH, d * INCH) for w, d in ((72, 42), (84, 48), (96, 52), (108, 58), (120, 60), (144, 66)))
"""Tables as they are built: the smallest on which a game has room is taken. Tables for seven are 72 to 84 inches wide,
large ones for nine or more players up to 144."""


class Curve:
    """Half an ellipse along the players' side. Places on it are measured from its middle, to the right."""

    def __init__(self, table: Table, inset: float) -> None:
        self.table, self.inset = table, inset
        self.across, self.down = table.axes(inset)
        angles = [END + (pi - 2 * END) * i / STEPS for i in range(STEPS + 1)]
        self.angles = [pi - a for a in angles]  # from the left to the right
        points = [self._point(a) for a in self.angles]
        far = [0.0]
        for (ax, ay), (bx, by) in pairwise(points):
            far.append(far[-1] + hypot(bx - ax, by - ay))
        self.far = [f - far[-1] / 2 for f in far]

    @property
    def half(self) -> float:
        """From the middle to an end."""
        return self.far[-1]

    def _point(self, angle: float) -> tuple[float, float]:
        return self.table.middle + self.across * cos(angle), self.table.side + self.down * sin(angle)

    def at(self, far: float) -> Frame:
        """The place so far to the right of the middle, with its back to the rail."""
        angle = self.angle(far)
        x, y = self._point(angle)
        return Frame(x, y, self._turn(angle))

    def angle(self, far: float) -> float:
        i = min(max(bisect_left(self.far, far), 1), STEPS)
        before, after = self.far[i - 1], self.far[i]
        share = (far - before) / (after - before)
        return self.angles[i - 1] + (self.angles[i] - self.angles[i - 1]) * share

    def before(self, frame: Frame) -> float:
        """The place on this curve that lies straight before a seat: where it is turned the same way."""
        turn = radians(frame.turn)
        angle = atan2(self.down * cos(turn), -self.across * sin(turn))
        share = (pi - END - angle) / (pi - 2 * END) * STEPS
        return self.far[min(max(round(share), 0), STEPS)]

    def _turn(self, angle: float) -> float:
        return degrees(atan2(-cos(angle) / self.across, sin(angle) / self.down))

    def path(self, left: float, right: float) -> str:
        """The curve from one place to another, left to right."""
        return self.between(self.angle(left), self.angle(right))

    def between(self, start: float, end: float) -> str:
        """The curve from one angle to another."""
        (ax, ay), (bx, by) = self._point(start), self._point(end)
        radii, sweep = f"{number(self.across)} {number(self.down)}", int(end > start)
        return f"M{number(ax)} {number(ay)}A{radii} 0 0 {sweep} {number(bx)} {number(by)}"

    def letters(self, text: str, size: float, bold: bool) -> list[Shape]:
        """Where the letters of a line stand that follows the curve, centred."""
        far, out = -width(text, size, bold) / 2, list[Shape]()
        for some in (text[i : i + TOGETHER] for i in range(0, len(text), TOGETHER)):
            wide = width(some, size, bold)
            out.append(self.at(far + wide / 2).box(0, (UP - DOWN) * size / 2, wide, (UP + DOWN) * size + 2))
            far += wide
        return out


@lru_cache(maxsize=256)
def _curve(table: Table, inset: float) -> Curve:
    return Curve(table, inset)


def seats_on(table: Table, places: int, inset: float, apart: float, ends: Iterable[float]) -> list[list[Frame]]:
    """Ways to seat so many players along the rail, the widest first: seat 1 is at the dealer's left, in the picture at
    the right. `apart` is more room than anybody needs; `ends` are shares of the curve that may be used."""
    curve, out = table.curve(inset), list[list[Frame]]()
    for share in ends:
        step = min(apart, 2 * curve.half * share / max(1, places - 1))
        first = step * (places - 1) / 2
        out.append([curve.at(first - step * i) for i in range(places)])
    return out
