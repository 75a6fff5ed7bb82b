"""How a claim is read: the house that it states, and the houses that are tried where it is silent."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from pitboss.claims.file import Claim, Mistake, as_list
from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.house import House
from pitboss.rules.options import Choice
from pitboss.rules.paytables import PayTable

PAY_TABLE = "pay table"
"""Where options are tried, this tries the pay tables of the claim's wager."""

WAGER = "wager"
"""And this the wagers themselves."""

Settings = tuple[tuple[str, str], ...]


def stated(claim: Claim) -> House:
    """The house that the claim states; what it leaves out is as usual."""
    options, tables = (tuple((k, str(v)) for k, v in said.items()) for said in (claim.options, claim.tables))
    return _stated(claim.usual, options, tables)


@lru_cache(maxsize=256)
def _stated(usual: House, options: Settings, tables: Settings) -> House:
    return usual.game.at(dict(options), dict(tables))


def but(house: House, wager: str, settings: Mapping[str, Any]) -> House:
    """The same house with other options, or with another pay table of the wager."""
    return _but(house, wager, tuple((name, str(value)) for name, value in settings.items()))


@lru_cache(maxsize=1024)
def _but(house: House, wager: str, settings: Settings) -> House:
    options = dict(settings)
    table = options.pop(PAY_TABLE, None)
    return house.but(options, tables={} if table is None else {wager: table})


def tried(claim: Claim, house: House, settings: Mapping[str, Any]) -> list[dict[str, str]]:
    """Every combination of the values to try: `all` stands for all that the game offers."""
    lists = {name: _values(house, claim, name, value) for name, value in settings.items()}
    if empty := [name for name, values in lists.items() if not values]:
        raise Mistake(f"{empty[0]} has no value to try; write a list such as [2, 6], or all")
    return [dict(zip(lists, values, strict=True)) for values in product(*lists.values())]


def _values(house: House, claim: Claim, name: str, value: Any) -> list[str]:
    if name == WAGER:
        return [str(v) for v in as_list(value)]
    if name == PAY_TABLE:
        if not claim.wager:
            raise Mistake(f"pay tables are tried of one wager; name it: {', '.join(house.parties)}")
        if claim.wager not in house.parties:
            raise BadInput(lacking_wager(house, claim.wager))
        tables = next(w for w in house.wagers if w.name == claim.wager).tables
        if value not in ("all", "nearby"):
            return [_known(str(v), lambda text: house.table_named(claim.wager, text)) for v in as_list(value)]
        return [t.name for t in tables] if value == "all" else [*(t.name for t in tables), *_nearby(house, claim.wager)]
    option = house.game.all_options.get(name)
    if option is None:
        raise BadInput(f"{house.game.name}: option {choice_of(name, list(house.game.all_options))}")
    if value != "all":
        return [_known(str(v), option.parse) for v in as_list(value)]
    if not isinstance(option, Choice):
        raise Mistake(f"{name} is an amount; write a list of amounts to try, not all")
    return [str(v) for v in option.values]


def _known(text: str, read: Callable[[str], object]) -> str:
    """A value to try, if the game has it."""
    read(text)
    return text


def lacking_wager(house: House, wager: str) -> str:
    """Why nothing is computed of a wager: it goes with another one, or there is none of it."""
    if wager not in {w.name for w in house.wagers}:
        return f"{house.game.name} has no wager {wager!r}; it has {', '.join(house.parties)}"
    lead = house.lead(wager)
    return f"{wager} has no figure of its own: it is analysed together with {lead}; claim it of {lead}"


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
