"""What a table has taken, to be held against what it should: bets by wager, and what the house has won of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitboss.live.live import Round
from pitboss.pit.commands import to_cents
from pitboss.rules.numbers import written


@dataclass
class Takings:
    """Cents, and for the spread of luck the sum of their squares."""

    rounds: int = 0
    won: int = 0
    bets: dict[str, tuple[int, int, int]] = field(default_factory=dict)  # wager -> bets, cents, squares of cents

    def count(self, round_: Round) -> None:
        """A round that is over. What goes between the players comes to nothing; what is bet for the dealer is his."""
        self.rounds += 1
        for seat in round_.playing:
            for wager, amount in round_.seats[seat - 1].bets.items():
                cents = to_cents(amount, "a bet")
                many, sum_, squares = self.bets.get(wager, (0, 0, 0))
                self.bets[wager] = (many + 1, sum_ + cents, squares + cents * cents)
            given = sum((written(event["stake"]) for event in round_.tokes(seat)), Fraction(0))
            self.won -= to_cents(round_.net(seat) + given, "a result")

    def state(self) -> dict[str, Any]:
        bets = {wager: [many, sum_, str(squares)] for wager, (many, sum_, squares) in self.bets.items()}
        return {"rounds": self.rounds, "won": self.won, "bets": bets}

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> "Takings":
        bets = {wager: (many, sum_, int(squares)) for wager, (many, sum_, squares) in state["bets"].items()}
        return cls(state["rounds"], state["won"], bets)
