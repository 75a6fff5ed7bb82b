"""Whose seat is whose, and the chips that each player has."""

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from pitboss.rules.errors import BadInput, said
from pitboss.rules.numbers import dollars, written

Amount = int | str | float | Decimal | Fraction


class Purses:
    """One purse for every player, who may have several seats. Who has bought in cannot bet more than he has; who has
    not is trusted, and his purse counts from 0."""

    def __init__(self, seats: int, spots: Collection[Sequence[int]] = ()) -> None:
        self.seats = range(1, seats + 1)
        taken = [seat for group in spots for seat in group]
        for seat in taken:
            self.check(seat)
        if len(taken) != len(set(taken)):
            raise BadInput("a seat belongs to one player; name it in one group of spots only")
        self._player = {seat: seat for seat in self.seats} | {s: min(group) for group in spots for s in group}
        self._chips = {seat: Fraction(0) for seat in self.seats}  # by a player's first seat
        self._limited: set[int] = set()
        self._own: dict[int, tuple[int, ...]] = {}  # what was answered, until somebody comes or goes

    def check(self, seat: int) -> None:
        if type(seat) is not int or seat not in self.seats:
            there = f"seats 1 to {len(self.seats)}" if len(self.seats) > 1 else "seat 1 only"
            raise BadInput(f"there is no seat {said(seat)} at this table; it has {there}")

    def own(self, seat: int) -> tuple[int, ...]:
        """All the seats of the player who has this one."""
        own = self._own.get(seat) if type(seat) is int else None
        if own is None:
            self.check(seat)
            own = self._own[seat] = tuple(one for one in self.seats if self._player[one] == self._player[seat])
        return own

    def limited(self, seat: int) -> bool:
        return self._player[seat] in self._limited

    def chips(self, seat: int) -> Fraction:
        return self._chips[self._player[seat]]

    def pay(self, seat: int, amount: Fraction) -> None:
        """What a round brought to the seat, or took from it."""
        self._chips[self._player[seat]] += amount

    def buy_in(self, seat: int, amount: Amount) -> None:
        self.check(seat)
        self.pay(seat, dollars(f"the purse of seat {seat}", amount))
        self._limited.add(self._player[seat])

    def join(self, seat: int, first: int) -> None:
        """The player at `first` takes another seat beside it: both have one purse. The seat is empty until then."""
        self.check(seat)
        self._player[seat] = self._player[first]
        self._own.clear()

    def vacate(self, seat: int) -> Fraction:
        """Nobody has this seat any more; the chips of a player who has no other go with him."""
        own = self.own(seat)
        lead = self._player[seat]
        self._player[seat] = seat
        self._own.clear()
        left = [one for one in own if one != seat]
        chips, limited = self._chips.pop(lead), lead in self._limited
        self._limited.discard(lead)
        self._chips[lead] = Fraction(0)
        if not left:
            return chips
        for one in left:
            self._player[one] = left[0]
        self._chips[left[0]] = chips
        self._limited |= {left[0]} if limited else set()
        return Fraction(0)

    def fill(self, purses: Mapping[int, Amount] | Amount | None) -> None:
        """Chips by seat, or for every player the same."""
        if purses is not None and not isinstance(purses, Mapping):
            purses = {seat: purses for seat in self.seats if self._player[seat] == seat}
        for seat, amount in (purses or {}).items():
            self.buy_in(seat, amount)

    def state(self) -> dict[str, Any]:
        """In plain values, amounts as text."""
        return {
            "player": {str(seat): lead for seat, lead in self._player.items() if lead != seat},
            "chips": {str(seat): str(chips) for seat, chips in self._chips.items() if chips},
            "limited": sorted(self._limited),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self._player = {seat: state["player"].get(str(seat), seat) for seat in self.seats}
        self._own.clear()
        self._chips = {seat: written(state["chips"].get(str(seat), "0")) for seat in self.seats}
        self._limited = set(state["limited"])
