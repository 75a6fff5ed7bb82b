"""The meters of a live table: every bet adds to them before the cards are dealt, and a hit leaves the seed."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from pitboss.rules.house import House
from pitboss.rules.paytables import Meter

Event = Mapping[str, Any]


class Meters:
    """What the meters of a house show now. Options of the house say where they begin."""

    def __init__(self, house: House) -> None:
        self._at = {w.name: house.meters(w.name) for w in house.wagers if w.name in house.parties}
        self.house = house
        self.names = tuple(dict.fromkeys(pay.meter for meters in self._at.values() for _, pay in meters))

    def __bool__(self) -> bool:
        return any(self._at.values())

    def bet(self, seats: Iterable[Mapping[str, Fraction]]) -> House:
        """The bets of a round are down: what each adds is on the meter before the first card is dealt."""
        shown: dict[str, Fraction] = {}
        for bets in seats:
            for wager, meters in self._at.items():
                for _, pay in meters if wager in bets else ():
                    now = shown.get(pay.meter, self.house.amount(pay.meter))
                    shown[pay.meter] = now + self.house.amount(pay.increment)
        if shown:
            self.house = self.house.showing(shown)
        return self.house

    def settled(self, events: Iterable[Event]) -> House:
        """The round is over: a meter that was hit shows its seed."""
        hits = (hit(self.house, e["wager"], e["row"]) for e in events if e["event"] in ("settle", "toke"))
        seeds = {pay.meter: self.house.amount(pay.seed) for pay in hits if pay is not None}
        if seeds:
            self.house = self.house.showing(seeds)
        return self.house


def seeded(house: House, wager: str, row: str) -> House:
    """The same house once a row has been paid: what hits the meter after that is paid the seed."""
    pay = hit(house, wager, row)
    return house if pay is None else house.showing({pay.meter: house.amount(pay.seed)})


def hit(house: House, wager: str, row: str) -> Meter | None:
    """The meter that a row of a wager pays, if it pays one."""
    return dict(house.meters(wager)).get(row) if wager in house.parties else None
