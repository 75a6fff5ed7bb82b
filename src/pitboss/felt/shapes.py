"""Where things are, in millimetres, and whether two of them touch: points, boxes at any angle, and frames.

The picture is the table from above: x to the right, y down, the dealer at the top with his back to the edge y = 0. A
frame is a place with a direction. Inside it x goes to the right of whoever stands there and looks at the dealer, and y
from the rail towards the middle of the table.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, radians, sin

Point = tuple[float, float]
Shape = tuple[Point, ...]
"""The corners of something without dents, in order."""


@dataclass(frozen=True)
class Frame:
    """A place, and how far what stands there is turned, clockwise, in degrees."""

    x: float
    y: float
    turn: float = 0.0

    def at(self, x: float, y: float) -> Point:
        """A point of the table: `x` to the right, `y` towards the middle."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        return self.x + x * c + y * s, self.y + x * s - y * c

    def box(self, x: float, y: float, width: float, height: float) -> Shape:
        """A box around a point of this frame."""
        w, h = width / 2, height / 2
        return tuple(self.at(x + dx, y + dy) for dx, dy in ((-w, -h), (w, -h), (w, h), (-w, h)))

    def round(self, across: float) -> Shape:
        """A circle around this place, as twelve corners outside it."""
        r = across / 2 / cos(pi / 12)
        return tuple((self.x + r * cos(pi * i / 6), self.y + r * sin(pi * i / 6)) for i in range(12))


def box(x: float, y: float, width: float, height: float) -> Shape:
    """A box around a point of the table."""
    return Frame(x, y).box(0, 0, width, height)


def grown(shape: Shape, by: float) -> Shape:
    """The same with so much room on every side."""
    x, y = sum(p[0] for p in shape) / len(shape), sum(p[1] for p in shape) / len(shape)
    sides = []  # outward, and one long
    for (ax, ay), (cx, cy) in zip(shape, (*shape[1:], shape[0]), strict=True):
        far = hypot(cx - ax, cy - ay) or 1.0
        nx, ny = (cy - ay) / far, (ax - cx) / far
        out = 1 if nx * (ax - x) + ny * (ay - y) >= 0 else -1
        sides.append((nx * out, ny * out))
    moved = []
    for (px, py), (ax, ay), (cx, cy) in zip(shape, (sides[-1], *sides[:-1]), sides, strict=True):
        far = by / (1 + ax * cx + ay * cy)
        moved.append((px + (ax + cx) * far, py + (ay + cy) * far))
    return tuple(moved)


def apart(one: Shape, other: Shape) -> bool:
    """Whether two shapes do not touch: some line has all of one on this side and all of the other on that side."""
    for shape in (one, other):
        for (ax, ay), (bx, by) in zip(shape, (*shape[1:], shape[0]), strict=True):
            nx, ny = by - ay, ax - bx
            mine = [nx * x + ny * y for x, y in one]
            theirs = [nx * x + ny * y for x, y in other]
            if max(mine) <= min(theirs) or max(theirs) <= min(mine):
                return True
    return False


def free(shape: Shape, others: Iterable[Shape]) -> bool:
    return all(apart(shape, other) for other in others)


def bounds(shapes: Sequence[Shape]) -> tuple[float, float, float, float]:
    """Left, top, right, bottom."""
    xs, ys = [x for s in shapes for x, _ in s], [y for s in shapes for _, y in s]
    return min(xs), min(ys), max(xs), max(ys)
