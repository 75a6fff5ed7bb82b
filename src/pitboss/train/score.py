"""The score of a drill: how much was done in order, with the right amounts and with the right cards; what money went
astray; and every slip, with what was right."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitboss.ledger.shown import Shown
from pitboss.rules.paytables import money

ORDER, AMOUNTS, CARDS = "order", "amounts", "cards"
KINDS = (ORDER, AMOUNTS, CARDS)


@dataclass(frozen=True)
class Slip:
    """One mistake."""

    round: int
    kind: str  # order, amounts or cards
    name: str  # "took a winner"
    did: str  # as it was typed
    right: str
    why: str = ""
    to_players: Fraction = Fraction(0)  # dollars that the players were given too much; below 0: the house
    between: Fraction = Fraction(0)  # dollars that another player was given

    def json(self) -> dict[str, Any]:
        return {
            "round": self.round, "kind": self.kind, "slip": self.name, "did": self.did, "right": self.right,
            "why": self.why, "to_players": str(self.to_players), "between_players": str(self.between),
        }  # fmt: skip


@dataclass(frozen=True)
class Score(Shown):
    """How the drill has gone so far."""

    TABLE = "slips"

    rounds: int = 0  # dealt to their end
    moves: int = 0
    marks: Mapping[str, tuple[int, int]] = field(default_factory=lambda: dict.fromkeys(KINDS, (0, 0)))  # right, of
    slips: tuple[Slip, ...] = ()

    @property
    def perfect(self) -> bool:
        return self.moves > 0 and not self.slips

    @property
    def right(self) -> int:
        """Moves without a slip."""
        return self.moves - len(self.slips)

    @property
    def to_players(self) -> Fraction:
        """Dollars that went to players and were the house's."""
        return sum((s.to_players for s in self.slips if s.to_players > 0), Fraction(0))

    @property
    def to_house(self) -> Fraction:
        """Dollars that stayed with the house and were a player's."""
        return -sum((s.to_players for s in self.slips if s.to_players < 0), Fraction(0))

    @property
    def between(self) -> Fraction:
        """Dollars that went to the wrong player."""
        return sum((s.between for s in self.slips), Fraction(0))

    def percent(self, kind: str | None = None) -> int | None:
        """Whole per cents, and 100 only for all of them; None where nothing was asked."""
        right, of = (self.right, self.moves) if kind is None else self.marks[kind]
        return None if not of else 100 * right // of

    def json(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "moves": self.moves,
            "right": self.right,
            "percent": self.percent(),
            "marks": {k: {"right": r, "of": of, "percent": self.percent(k)} for k, (r, of) in self.marks.items()},
            "misplaced": {
                "to_players": str(self.to_players), "to_house": str(self.to_house), "between_players": str(self.between)
            },
            "slips": [slip.json() for slip in self.slips],
        }  # fmt: skip

    def __repr__(self) -> str:
        if not self.moves:
            return "nothing dealt yet"
        astray = self.to_players + self.to_house + self.between
        lost = f", ${money(astray)} misplaced" if astray else ""
        return f"{self.right} of {self.moves} moves right, {self.percent()}%{lost}"
