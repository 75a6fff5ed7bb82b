"""The felt of a house for the page: the printed cloth, and where chips, cards and names lie on it.

All is in the millimetres of `pitboss.felt`. A seat has a frame of its own (x to the right of who sits there, y down to
the rail), in which its circles and cards stand upright: turned into the picture of the whole table, and as it is where
a player has his own place before him.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import cos, radians, sin

from pitboss.felt import Frame, Spot, felt, plan_of
from pitboss.rules.house import House

NAME_OUT, ASIDE = 66.0, 34.0  # from the edge of the cloth to where names stand on the rail; more at the sides
AROUND = 22.0  # beside what lies before a player, in the picture of his own place
STACK = 40.0  # how far chips and what they have won reach up from the middle of a spot
BELOW = 12.0  # under it: the edge of the rail


@dataclass(frozen=True)
class Place:
    """Where something lies, in the frame of its seat or of the table."""

    kind: str
    name: str
    called: str
    x: float
    y: float
    width: float
    height: float
    shape: str
    cards: int = 0


@dataclass(frozen=True, eq=False)
class SeatPlace:
    """A seat: where it is, where its name stands, and what lies before it."""

    seat: int
    frame: Frame
    name_at: tuple[float, float]
    spots: tuple[Place, ...]

    @cached_property
    def wagers(self) -> dict[str, Place]:
        return {spot.name: spot for spot in self.spots if spot.kind == "wager"}

    @cached_property
    def cards(self) -> Place:
        found = (spot for spot in self.spots if spot.kind == "cards")
        return next(found, Place("cards", "player", "", 0.0, -200.0, 71.0, 96.0, "open"))

    @cached_property
    def view(self) -> tuple[float, float, float, float]:
        """What the picture of the own place shows: left, top, width, height."""
        half = max((abs(s.x) + s.width / 2 for s in self.spots), default=100.0) + AROUND
        top = min((s.y - max(s.height / 2, STACK) for s in self.spots), default=-200.0) - AROUND
        return -half, top, 2 * half, BELOW - top


@dataclass(frozen=True, eq=False)
class Layout:
    """A table for the page."""

    name: str  # of the printed cloth, with which the ids in it begin
    title: str
    cloth: str  # what is inside of its picture
    view: tuple[float, float, float, float]
    seats: tuple[SeatPlace, ...]
    shared: tuple[Place, ...]  # dealer, board, packs, pots, tray, shoe, discards

    def at(self, kind: str, name: str) -> Place | None:
        return next((s for s in self.shared if (s.kind, s.name) == (kind, name)), None)


def layout_of(house: House) -> Layout:
    """The layout of a house; asked again it is there at once."""
    return _laid(house, house.game.title)


@lru_cache(maxsize=64)
def _laid(house: House, title: str) -> Layout:
    plan = plan_of(house)
    rail, table = plan.table.rail, plan.table
    _, _, _, *cloth, _ = felt(house).splitlines()  # without the frame, title and description of the print
    seats = tuple(
        SeatPlace(
            number,
            frame,
            frame.at(0.0, -NAME_OUT - ASIDE * abs(sin(radians(frame.turn)))),
            tuple(_within(frame, spot) for spot in plan.spots if spot.seat == number),
        )
        for number, frame in enumerate(plan.seats, 1)
    )
    shared = tuple(_within(Frame(0.0, 0.0), spot) for spot in plan.spots if spot.seat == 0)
    view = (-rail - 46, -6.0, table.width + 2 * rail + 92, table.depth + rail + 14)
    return Layout(f"felt-{house.game.name}", title, "\n".join(cloth), view, seats, shared)


def _within(frame: Frame, spot: Spot) -> Place:
    """A spot as it is seen in a frame."""
    c, s = cos(radians(frame.turn)), sin(radians(frame.turn))
    dx, dy = spot.frame.x - frame.x, spot.frame.y - frame.y
    x, y = round(dx * c + dy * s, 1) + 0.0, round(-dx * s + dy * c, 1) + 0.0  # no minus zero
    return Place(spot.kind, spot.name, spot.called, x, y, spot.width, spot.height, spot.shape, spot.cards)
