"""What the house has on the table: tray, shoe and discards, the places of its cards, the pot; and what room is left."""

from collections.abc import Sequence

from pitboss.felt.policy import places_of
from pitboss.felt.seat import CARD, GAP, OPEN_HAND, fitted
from pitboss.felt.shapes import Frame, Shape, apart, bounds, box, grown
from pitboss.felt.spots import Spot
from pitboss.felt.table import Table
from pitboss.rules.called import place_called, wager_called
from pitboss.rules.graph import DEALER, Graph, Share
from pitboss.rules.house import House

TRAY = (560.0, 176.0)  # twelve tubes of fifty chips
SHOE, DECK = (270.0, 150.0), (120.0, 110.0)  # for several decks, and for one in a shuffler's tray
DISCARDS = (100.0, 130.0)
POT = 150.0
CAPTION = 20.0  # what a place is called, under its cards
APART = 5.0  # between cards that lie side by side
STEP, AIR = 20.0, 20.0  # of the search for room, and what a box likes to have around it


def equipment(house: House, table: Table) -> list[Spot]:
    """The tray before the dealer; the shoe at his left, in the picture to the right; the discards at his right."""
    shoe = SHOE if house.decks else DECK
    side = TRAY[0] / 2 + 50
    return [
        Spot("tray", "tray", "chips", Frame(table.middle, TRAY[1] / 2), *TRAY, "box"),
        Spot("shoe", "shoe", "shoe" if house.decks else "deck",
             Frame(table.middle + side + shoe[0] / 2, shoe[1] / 2 + 14), *shoe, "box"),
        Spot("discards", "discards", "discards", Frame(table.middle - side - DISCARDS[0] / 2, DISCARDS[1] / 2 + 14),
             *DISCARDS, "box"),
    ]  # fmt: skip


def pots_of(graph: Graph) -> list[str]:
    """Wagers between the players, which are brought together in the middle."""
    return list(dict.fromkeys(e.wager for n in graph.nodes for e in n.events if isinstance(e, Share)))


def places_laid(house: House, graph: Graph, table: Table, pots: Sequence[str]) -> list[Spot]:
    """The dealer's cards nearest to him, then a row of all other places; pots at the dealer's right of it."""
    found = places_of(graph)
    rows = [[p for p in found if p == DEALER], [p for p in found if p != DEALER]]
    rows = [row for row in rows if row]
    high = CARD[1] + 14 + CAPTION
    y, out = TRAY[1] + 22, list[Spot]()
    for number, row in enumerate(rows or [[]]):
        counts = [OPEN_HAND if graph.open_ended else max(1, found[p]) for p in row]
        wide = [n * (CARD[0] + APART) + 14 - APART for n in counts]
        x = table.middle - (sum(wide) + 3 * GAP * max(0, len(row) - 1)) / 2
        pot_side = x
        for place, count, w in zip(row, counts, wide, strict=True):
            called = place_called(house, place)
            label = fitted(called, w, CAPTION + 6, round_=False)
            frame = Frame(x + w / 2, y + high / 2)
            out.append(Spot("place", place, called, frame, w, high, "box", 0, count, label))
            x += w + 3 * GAP
        if number == max(0, len(rows) - 1):
            for i, wager in enumerate(pots):
                called = wager_called(house, wager)
                frame = Frame(pot_side - 40 - POT / 2 - i * (POT + 20), y + max(high, POT) / 2)
                out.append(
                    Spot("pot", wager, called, frame, POT, POT, "circle", label=fitted(called, POT, POT, round_=True))
                )
        y += high + 16
    return out


class Room:
    """The cloth, and what is taken of it."""

    def __init__(self, table: Table, margin: float) -> None:
        self.table, self.margin = table, margin
        self.taken: list[tuple[tuple[float, float, float, float], Shape]] = []

    def copy(self) -> "Room":
        other = Room(self.table, self.margin)
        other.taken = list(self.taken)
        return other

    def free(self, shape: Shape, margin: float | None = None) -> bool:
        wide = grown(shape, (self.margin if margin is None else margin) / 2)
        left, top, right, bottom = bounds([wide])
        for i, ((x, y, far, low), other) in enumerate(self.taken):
            if right > x and far > left and bottom > y and low > top and not apart(wide, other):
                self.taken.insert(0, self.taken.pop(i))  # what was in the way is likely to be so again
                return False
        return True

    def take(self, shapes: Sequence[Shape], edge: float | None = None, among: bool = True) -> bool:
        """All of these, where they are free, on the cloth and, unless they belong together, apart from each other."""
        edge = self.margin if edge is None else edge
        added = []
        for shape in shapes:
            if not self.table.holds(shape, edge) or not self.free(shape):
                return False
            wide = grown(shape, self.margin / 2)
            added.append((bounds([wide]), wide))
            if among:
                self.taken.append(added[-1])
        if not among:
            self.taken += added
        return True

    def pair(
        self, one: tuple[float, float], other: tuple[float, float], beside: bool = False
    ) -> tuple[float, float] | None:
        """Room for two boxes, to the left and to the right of the middle at the same height: how far from the middle
        they begin, and their top. The nearest to the dealer's cards with air around it, or else the nearest; nowhere
        but beside those cards, if that is asked."""
        found: list[tuple[float, float, float]] = []
        wide, high = max(one[0], other[0]), max(one[1], other[1])
        top = TRAY[1] - 20  # nothing to read at the dealer's edge
        while top + high < self.table.depth and (top <= TRAY[1] + 22 or not beside):
            away = 2 * self.margin
            while away + wide < self.table.width / 2:
                found.append((abs(top - TRAY[1] - 22) + away * 0.4, away, top))
                away += STEP
            top += STEP
        tight: tuple[float, float] | None = None
        for _, away, top in sorted(found):
            boxes = [
                box(self.table.middle + side * (away + w / 2), top + h / 2, w, h)
                for (w, h), side in ((one, -1), (other, 1))
            ]
            if all(self.table.holds(b, self.margin) and self.free(b) for b in boxes):
                if all(self.free(b, AIR) for b in boxes):
                    return away, top
                tight = tight or (away, top)
        return tight
