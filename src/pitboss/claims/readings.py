"""How a claim is read: the options and pay tables that it states, and those that are tried where it is silent."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from pitboss.catalog import load
from pitboss.claims.file import Claim, as_list
from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.game import Game
from pitboss.rules.house import House
from pitboss.rules.options import Choice
from pitboss.rules.paytables import PayTable

PAY_TABLE = "pay table"
"""Where options are tried, this tries the pay tables of the claim's wager."""

WAGER = "wager"
"""And this the wagers themselves."""


@dataclass(frozen=True)
class Reading:
    """One way to read a claim: what is set for the computation."""

    options: tuple[tuple[str, str], ...]
    tables: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, claim: Claim) -> "Reading":
        return cls(_sorted(claim.options), _sorted(claim.tables))

    def but(self, wager: str, settings: Mapping[str, Any]) -> "Reading":
        """The same with other options, or another pay table."""
        options, tables = dict(self.options), dict(self.tables)
        for name, value in settings.items():
            (tables if name == PAY_TABLE else options)[wager if name == PAY_TABLE else name] = str(value)
        return Reading(_sorted(options), _sorted(tables))


@cache
def game_of(name: str) -> Game:
    return load(name)


@cache
def house_of(name: str, reading: Reading) -> House:
    return game_of(name).at(dict(reading.options), dict(reading.tables))


def tried(claim: Claim, reading: Reading, settings: Mapping[str, Any]) -> list[dict[str, str]]:
    """Every combination of the values to try: `all` stands for all that the game offers."""
    house = house_of(claim.game, reading)
    lists = {name: _values(house, claim, name, value) for name, value in settings.items()}
    if empty := [name for name, values in lists.items() if not values]:
        raise BadInput(f"{empty[0]} has no value to try; write a list such as [2, 6], or all")
    return [dict(zip(lists, values, strict=True)) for values in product(*lists.values())]


def _values(house: House, claim: Claim, name: str, value: Any) -> list[str]:
    if name == WAGER:
        return [str(v) for v in as_list(value)]
    if name == PAY_TABLE:
        if claim.wager not in house.parties:
            raise BadInput(f"pay tables are tried of one wager; name it: {', '.join(house.parties)}")
        tables = next(w for w in house.wagers if w.name == claim.wager).tables
        if value != "nearby":
            return [t.name for t in tables] if value == "all" else [str(v) for v in as_list(value)]
        return [*(t.name for t in tables), *_nearby(house, claim.wager)]
    option = house.game.all_options.get(name)
    if option is None:
        raise BadInput(f"{house.game.name}: option {choice_of(name, list(house.game.all_options))}")
    if value != "all":
        return [str(v) for v in as_list(value)]
    if not isinstance(option, Choice):
        raise BadInput(f"{name} is an amount; write a list of amounts to try, not all")
    return [str(v) for v in option.values]


def _nearby(house: House, wager: str) -> list[str]:
    """The pay table with one row one unit higher or lower."""
    table = house.tables[wager]
    pays = table.pays
    out = []
    for row in pays:
        for step in (1, -1):
            moved = {r: p + step if r == row and isinstance(p, Fraction) else p for r, p in pays.items()}
            if moved != dict(pays):
                out.append(PayTable(table.name, moved).spelled())
    return out


def _sorted(settings: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, str(value)) for name, value in settings.items()))
