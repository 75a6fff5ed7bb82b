"""A spot: a place on the table where chips or cards lie, or a piece of equipment stands."""

from dataclasses import dataclass
from typing import Any

from pitboss.felt.seat import NO_LABEL, Label
from pitboss.felt.shapes import Frame, Shape


@dataclass(frozen=True)
class Spot:
    """A place on the table where something lies: its middle, how it is turned, how large it is."""

    kind: str  # "wager", "cards", "place", "pot", "tray", "shoe", "discards"
    name: str  # of the wager, or of the place: "player", "dealer", "board", "first pack"
    called: str
    frame: Frame
    width: float
    height: float
    shape: str  # "circle", "box", or "open": nothing is printed there
    seat: int = 0  # counted from the dealer's left; 0 for what all seats share
    cards: int = 0  # that lie side by side there
    label: Label = NO_LABEL
    equals: bool = False

    @property
    def corners(self) -> Shape:
        if self.shape == "circle":
            return self.frame.round(self.width)
        return self.frame.box(0, 0, self.width, self.height)

    def json(self) -> dict[str, Any]:
        frame = self.frame
        return {
            "kind": self.kind, "name": self.name, "called": self.called, "seat": self.seat, "x": round(frame.x, 1),
            "y": round(frame.y, 1), "turn": round(frame.turn, 1), "width": self.width, "height": self.height,
            "shape": self.shape, "cards": self.cards,
        }  # fmt: skip
