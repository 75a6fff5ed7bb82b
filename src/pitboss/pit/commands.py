"""What somebody wants of a table: read strictly, whoever sent it, and allowed to those only who may."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitboss.rules.errors import BadInput, choice_of, said
from pitboss.rules.numbers import dollars

PLAYER, SUPERVISOR, AUDITOR, CLOCK = "player", "supervisor", "auditor", "clock"
ROLES = (PLAYER, SUPERVISOR, AUDITOR, CLOCK)
MAY: Mapping[str, tuple[str, ...]] = {
    "sit": (PLAYER, SUPERVISOR),
    "stand": (PLAYER, SUPERVISOR, CLOCK),
    "buy": (PLAYER, SUPERVISOR),  # a supervisor for computer players only
    "cash": (PLAYER,),
    "bet": (PLAYER, CLOCK),
    "seed": (PLAYER,),
    "deal": (CLOCK, SUPERVISOR),
    "choose": (PLAYER, CLOCK),
    "void": (SUPERVISOR,),
    "limits": (SUPERVISOR,),
    "pace": (SUPERVISOR,),
    "pause": (SUPERVISOR,),
    "close": (SUPERVISOR,),
}
"""Who may ask a table for what. The clock is the house itself: it closes bets, plays for who is late, and for computer
players. An auditor reads, and asks for nothing."""
OF_THE_HOUSE = ("deal", "pause", "close", "void", "limits", "pace")
"""What is of the whole table, and of no seat."""
MOST_TEXT = 200


@dataclass(frozen=True)
class Command:
    """One wish, with the id that its sender gave it: sent twice, it is done once."""

    id: str
    do: str
    by: str  # the person's id; nothing for the clock
    role: str = PLAYER
    body: Mapping[str, Any] = field(default_factory=dict)

    def allowed(self) -> None:
        if self.do not in MAY:
            raise BadInput(f"a table cannot be asked for that: {choice_of(said(self.do), sorted(MAY))}")
        if self.role not in MAY[self.do]:
            raise BadInput(f"{self.do} is for {' or '.join(MAY[self.do])}, and you are {self.role}")

    # ---- what it says

    def seat(self, seats: range) -> int:
        found = self.body.get("seat")
        if type(found) is not int or found not in seats:
            raise BadInput(f"seat: a whole number from 1 to {len(seats)}, not {said(found)}")
        return found

    def cents(self, name: str = "cents", least: int = 1) -> int:
        """A whole number of cents; how much there may be at all is for the accounts to say."""
        found = self.body.get(name)
        if type(found) is not int or not least <= found <= 10**12:
            raise BadInput(f"{name}: a whole number of cents, {least:,} or more, not {said(found)}")
        return found

    def text(self, name: str, most: int = MOST_TEXT, needed: bool = True) -> str:
        found = self.body.get(name, "")
        if not isinstance(found, str) or len(found) > most or not found.isprintable() or (needed and not found.strip()):
            raise BadInput(f"{name}: a line of text of at most {most} characters, not {said(found)[:60]}")
        return found.strip()

    def amounts(self, name: str) -> dict[str, str]:
        """Wager -> dollars as text, each an amount."""
        found = self.body.get(name, {})
        if not isinstance(found, Mapping) or len(found) > 100:
            raise BadInput(f"{name}: amounts by wager, such as {{'ante': '10'}}, not {said(found)[:60]}")
        out = {}
        for wager, amount in found.items():
            if not isinstance(wager, str) or len(wager) > MOST_TEXT or not isinstance(amount, str | int):
                raise BadInput(f"{name}: amounts by wager, such as {{'ante': '10'}}, not {said(wager)[:60]}")
            out[wager] = str(dollars(wager, amount))
        return out


def to_cents(amount: Fraction, what: str) -> int:
    """Dollars as whole cents: at a table there is nothing between two of them."""
    cents, rest = divmod(amount.numerator * 100, amount.denominator)
    if rest:
        raise BadInput(f"{what} comes to a fraction of a cent")
    return cents
