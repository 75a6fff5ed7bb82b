"""Where everything lies on a table: spots in millimetres, for whoever draws a felt or moves chips and cards on it.

The geometry is apart from the drawing. A `Plan` says where every circle of every seat is, where the dealer's cards, the
board, the pot, the tray, the shoe and the discards lie, and where words are printed. Nothing is made smaller to fit: a
game that needs more room gets a larger table, and a pay table that finds none is left to the sign.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any

from pitboss.felt.letters import DOWN, shortened, width
from pitboss.felt.places import Room, equipment, places_laid, pots_of
from pitboss.felt.printed import Line, Panel, line_words, printed_of
from pitboss.felt.seat import block_of
from pitboss.felt.shapes import Frame, Shape, box
from pitboss.felt.spots import Spot
from pitboss.felt.table import SIZES, Table, seats_on
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.spoken import spoken

MARGIN = 8.0  # between things that are printed, and from the edge of the cloth
BAND, BAND_TYPE = 46.0, 24.0  # a line for bets before all seats, and the words on it
SMALL_LINE = 16.0  # type of a line of words, where it must be small
SPREADS = (0.88, 0.92, 0.96, 0.84, 0.80)  # shares of the rail that seats may take
SCALES = (1.4, 1.2, 1.0)  # of lines of words, where there is room for larger type
LARGER_PAYS = (1.2, 1.0)  # the same of pay tables: larger ones would stand far from the dealer's cards
LARGER = 12  # steps beyond the largest table that is built, each a tenth
TRIES = 2  # ways to seat everybody at one table, for a place for all pay tables
INSETS = (0.0, 12.0, 25.0, 40.0)  # how far a seat's first row may be moved in from the rail


@dataclass(frozen=True)
class Arc:
    """A line of words so far inside the edge, centred."""

    line: Line
    inset: float


@dataclass(frozen=True)
class Band:
    """A line before all seats on which a wager is placed, with its words."""

    wager: str
    words: str
    inset: float  # of its middle
    half: float  # how far it reaches to both sides


@dataclass(frozen=True)
class Placed:
    """A printed box and its middle."""

    panel: Panel
    x: float
    y: float

    @property
    def corners(self) -> Shape:
        return box(self.x, self.y, self.panel.width, self.panel.height)


@dataclass(frozen=True)
class Plan:
    """A table with all that lies and is printed on it."""

    table: Table
    seats: tuple[Frame, ...]  # seat 1 first: where the rail is, turned to the middle
    spots: tuple[Spot, ...]
    arcs: tuple[Arc, ...]
    bands: tuple[Band, ...]
    panels: tuple[Placed, ...]
    on_sign: tuple[str, ...] = ()  # pay tables for which there was no room

    def spot(self, kind: str, name: str, seat: int = 0) -> Spot:
        """The place of a wager, of cards or of a piece of equipment, such as `spot("wager", "ante", seat=3)`."""
        for found in self.spots:
            if (found.kind, found.name, found.seat) == (kind, name, seat):
                return found
        raise BadInput(f"this table has no {kind} {name!r}{f' at seat {seat}' if seat else ''}")

    def json(self) -> dict[str, Any]:
        table = self.table
        seats = [{"seat": i, "x": round(f.x, 1), "y": round(f.y, 1), "turn": round(f.turn, 1)} for i, f in
                 enumerate(self.seats, 1)]  # fmt: skip
        return {
            "width": round(table.width, 1), "depth": round(table.depth, 1), "seats": seats,
            "spots": [spot.json() for spot in self.spots],
        }  # fmt: skip


def plan_of(house: House, table: Table | None = None) -> Plan:
    """The plan of a house on the smallest table with room for it, or on a table of one's own."""
    game = house.game
    return _planned(house, table, (game.title, game.seats, *game.called.items()))


@lru_cache(maxsize=64)
def _planned(house: House, table: Table | None, shown: object) -> Plan:
    """`shown` is what a game shows of itself: houses are the same if they are counted the same."""
    content = _Content(house)
    if table is not None:
        found = _fitted(content, [table])
        if found is not None:
            return found
        needed = plan_of(house).table
        raise BadInput(
            f"{house.game.title} does not fit on a cloth of {table.width:.0f} x {table.depth:.0f} mm; "
            f"{needed.width:.0f} x {needed.depth:.0f} mm is enough"
        )
    sizes = [*SIZES, *(_larger(SIZES[-1], 1.1**i) for i in range(1, LARGER))]
    least = next((i for i, size in enumerate(sizes) if next(_seatings(content, size), None) is not None), None)
    found = None if least is None else _fitted(content, sizes[least : least + 2])
    if found is None:
        raise BadInput(f"{house.game.title} does not fit on a cloth of {sizes[-1].width:.0f} mm, the largest there is")
    return found


def _fitted(content: "_Content", sizes: Sequence[Table]) -> Plan | None:
    """The plan on the first of these tables with room for every pay table, or else for as many as there are."""
    panels, left = list(content.printed.panels), list[str]()
    while True:
        for size in sizes:
            for seated in islice(_seatings(content, size), TRIES):
                found = seated.plan(panels)
                if found is not None:
                    return replace(found, on_sign=tuple(left))
        if not panels:
            return None
        left.append(" ".join(panels.pop(0).title))


def _larger(table: Table, by: float) -> Table:
    return replace(table, width=table.width * by, depth=table.depth * by)


class _Content:
    """What must find its place, whatever the table."""

    def __init__(self, house: House) -> None:
        self.house, self.graph = house, spoken(house)
        self.block, self.printed = block_of(house, self.graph), printed_of(house)
        self.bands = [(w.name, line_words(house, w.name)) for w in house.wagers if w.lies == "line" and not w.bonus]
        self.pots = pots_of(self.graph)


def _seatings(content: _Content, table: Table) -> "Iterator[_Seated]":
    """Ways to seat everybody at a table that leave room for all but the pay tables."""
    for inset in INSETS:
        for frames in seats_on(table, content.house.game.seats, inset, content.block.width + 260, SPREADS):
            seated = _Seated(content, table, frames)
            if seated._with((), (), 1.0) is not None:
                yield seated


class _Seated:
    """A table with seats at these places. Every step takes the room that it needs, and ends it all if there is none."""

    def __init__(self, content: _Content, table: Table, frames: Sequence[Frame]) -> None:
        self.content, self.table, self.frames = content, table, tuple(frames)
        self.room = Room(table, MARGIN)
        self.laid = self._lay()

    def _lay(self) -> tuple[list[Spot], tuple[Band, ...], list[Spot], float] | None:
        """What does not depend on the words: equipment, seats, lines for bets, places; and how far seats reach."""
        room, house, table = self.room, self.content.house, self.table
        spots, inner = equipment(house, table), 0.0
        if not room.take([s.corners for s in spots], edge=0.0):
            return None
        for number, frame in enumerate(self.frames, 1):
            mine = self._seat(number, frame)
            if not room.take([spot.corners for spot in mine], edge=4.0, among=False):
                return None
            if 2 * number <= len(self.frames) + 1:  # the other half is the same in the mirror
                inner = max(inner, *(table.inset(spot.corners) for spot in mine))
            spots += mine
        bands = self._bands(room, inner)
        placed = places_laid(house, self.content.graph, table, self.content.pots)
        if bands is None or not room.take([s.corners for s in placed]):
            return None
        inner += len(bands) * (BAND + 2 * MARGIN)
        spots += [*placed, *(self._on(band, number) for band in bands for number in range(1, len(self.frames) + 1))]
        return spots, bands, placed, inner

    def plan(self, panels: Sequence[Panel]) -> Plan | None:
        """With these pay tables: in pairs left and right of the middle, and in the middle the one that is left over."""
        sizes = ([replace(panel, scale=scale) for panel in panels] for scale in (LARGER_PAYS if panels else (1.0,)))
        tries = (self._with(*way, scale) for some in sizes for scale in SCALES for way in _ways(some))
        return next((found for found in tries if found is not None), None)

    def _with(self, sides: Sequence[Panel], middle: Sequence[Panel], scale: float) -> Plan | None:
        if self.laid is None:
            return None
        table, room = self.table, self.room.copy()
        spots, bands, placed, inner = self.laid
        bottom = max(s.frame.y + s.height / 2 for s in (spots[0], *placed))
        boxes = list[Placed]()
        for panel in (*([self.content.printed.policy] if self.content.printed.policy else []), *middle):
            boxes.append(Placed(panel, table.middle, bottom + 20 + panel.height / 2))
            bottom += 20 + panel.height
            if not room.take([boxes[-1].corners]):
                return None
        arcs = self._arcs(room, inner, bottom, scale)
        pairs = None if arcs is None else self._pairs(room, sides)
        if arcs is None or pairs is None:
            return None
        return Plan(table, self.frames, tuple(spots), arcs, bands, (*boxes, *pairs))

    def _seat(self, number: int, frame: Frame) -> list[Spot]:
        return [
            Spot(
                item.kind, item.name, item.called, Frame(*frame.at(item.x, item.y), frame.turn), item.width,
                item.height, item.shape, number, 0, item.label, item.equals,
            )
            for item in self.content.block.laid
        ]  # fmt: skip

    # ---- lines along the players' side

    def _bands(self, room: Room, inner: float) -> tuple[Band, ...] | None:
        out = []
        for number, (wager, words) in enumerate(self.content.bands):
            inset = inner + number * (BAND + 2 * MARGIN) + 2 * MARGIN + BAND / 2
            curve = self.table.curve(inset)
            half = max(abs(curve.before(frame)) for frame in self.frames) + 60
            half = max(half, width(words, BAND_TYPE, bold=True) / 2 + 30)
            if half > curve.half:
                return None
            out.append(Band(wager, words, inset, half))
            steps = [curve.at(half * i / 20).box(0, 0, half / 20 + 2, BAND) for i in range(-20, 21)]
            if not room.take(steps, edge=0.0, among=False):
                return None
        return tuple(out)

    def _on(self, band: Band, seat: int) -> Spot:
        """Where a seat's bet lies on a line: straight before it."""
        curve = self.table.curve(band.inset)
        at = curve.at(curve.before(self.frames[seat - 1]))
        return Spot("wager", band.wager, band.words, at, 120.0, BAND, "open", seat)

    def _arcs(self, room: Room, inner: float, bottom: float, scale: float) -> tuple[Arc, ...] | None:
        """Lines of words between what lies in the middle and the seats, nearer to the seats where there is room."""
        lines = [replace(line, size=round(line.size * scale, 1)) for line in self.content.printed.lines]
        insets = list[float]()
        inset = inner + MARGIN + 4
        for line in reversed(lines):
            insets.append(inset + line.size * DOWN)
            inset += line.size + MARGIN + 8
        middle = self.table.depth - inset
        if middle < bottom + 4:
            return None
        lower = min(90.0, (middle - bottom) * 0.45)
        arcs = []
        for line, start in zip(lines, reversed(insets), strict=True):
            at = round(start + lower, 1)
            curve = self.table.curve(at)
            short = _shortened(line, 1.6 * curve.half)
            if not room.take(curve.letters(short.text, short.size, short.bold), among=False):
                return None
            arcs.append(Arc(short, at))
        return tuple(arcs)

    def _pairs(self, room: Room, panels: Sequence[Panel]) -> list[Placed] | None:
        out: list[Placed] = []
        for one, other in zip(panels[::2], panels[1::2], strict=True):
            larger = one.scale > 1.0  # which is worth no place among the lines of words
            found = room.pair((one.width, one.height), (other.width, other.height), beside=larger)
            if found is None:
                return None
            away, top = found
            for panel, side in ((one, -1), (other, 1)):
                out.append(Placed(panel, self.table.middle + side * (away + panel.width / 2), top + panel.height / 2))
                room.take([out[-1].corners])
        return out


def _ways(panels: Sequence[Panel]) -> list[tuple[Sequence[Panel], Sequence[Panel]]]:
    """What stands at both sides, and what in the middle: of an odd number one is there, or at both sides."""
    return [(panels[:-1], panels[-1:]), ([*panels, panels[-1]], ())] if len(panels) % 2 else [(panels, ())]


def _shortened(line: Line, most: float) -> Line:
    """A line that is too long for the table, in smaller type, and at the worst cut."""
    size = line.size
    while size > SMALL_LINE and width(line.text, size, line.bold) > most:
        size = max(SMALL_LINE, size * 0.9)
    return replace(line, size=round(size, 1), text=shortened(line.text, round(size, 1), most, line.bold))
