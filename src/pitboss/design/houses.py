"""The same house under other options: the pay tables that it has chosen stay as they are."""

from collections.abc import Mapping
from dataclasses import replace

from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.house import House
from pitboss.rules.options import Choice
from pitboss.rules.paytables import PayTable
from pitboss.rules.wagers import Wager


def varied(house: House, options: Mapping[str, object]) -> House:
    """The house with some of its options changed; the shoe is full again."""
    game = house.game
    usual, new = game.at(house.chosen()).tables, game.at({**house.chosen(), **options})
    chosen = {
        w.name: _named(house.tables[w.name], w) or _fitted(house.tables[w.name], w, options)
        for w in new.wagers
        if w.name in house.tables and house.tables[w.name].pays != usual[w.name].pays
    }
    for w in new.wagers:  # what pays by another wager's table goes on doing so
        if w.name in chosen and w.table_of in chosen and house.tables[w.name] is house.tables[w.table_of]:
            chosen[w.name] = chosen[w.table_of]
    return replace(new, tables={**new.tables, **chosen}, placed=house.placed)


def _named(table: PayTable, wager: Wager) -> PayTable | None:
    return next((t for t in wager.tables if t.name == table.name), None)


def _fitted(table: PayTable, wager: Wager, options: Mapping[str, object]) -> PayTable:
    """A chosen table for a wager that may have fewer rows now: what it does not have cannot come up."""
    rows = wager.tables[0].pays
    if more := [row for row in rows if row not in table.pays]:
        there = " -o ".join(f"{name}={value}" for name, value in options.items())
        raise BadInput(
            f"with {there} the pay table of {wager.name} has {', '.join(more)} too; start from -o {there}, or leave "
            "that value out"
        )
    return PayTable(table.name, {row: pay for row, pay in table.pays.items() if row in rows})


def values_of(house: House, text: str) -> tuple[str, list[str]]:
    """ "decks" or "decks=4,6,8": the option, and all its values or those that are named, in their own order."""
    name, named, some = (part.strip() for part in text.partition("="))
    option = house.game.all_options.get(name)
    if not isinstance(option, Choice):
        lists = [o.name for o in house.game.all_options.values() if isinstance(o, Choice)]
        if not lists:
            raise BadInput(f"--across {name}: {house.game.name} has no option with a list of values")
        raise BadInput(f"--across {choice_of(repr(name), lists)}, the options with a list of values")
    if not named:
        return name, [str(value) for value in option.values]
    wanted = [part.strip() for part in some.split(",")]
    for one in wanted:
        if one not in map(str, option.values):
            raise BadInput(f"--across {text}: {choice_of(repr(one), option.values)}")
    return name, [str(value) for value in option.values if str(value) in wanted]


def at_values(house: House, option: str, values: list[str], wager: str | None = None) -> tuple[House, dict[str, House]]:
    """The house at each of these values, and the one to start from: its own, or the first where its own is not named.

    The wager pays the same table at each. A row that a value does not have cannot come up there, and is left out.
    """
    houses = {value: varied(house, {option: value}) for value in values}
    start = houses.get(house.chosen()[option], next(iter(houses.values())))
    if wager is None:
        return start, houses
    if wager not in start.tables:
        raise BadInput(f"--across {option}: with {option}={start.chosen()[option]} there is no {wager}")
    for value, one in houses.items():
        mine = next((w for w in one.wagers if w.name == wager), None)
        if mine is None:
            raise BadInput(f"--across {option}: with {option}={value} there is no {wager}; name values that have it")
        table = _fitted(start.tables[wager], mine, {option: value})
        alike = {name for name, t in one.tables.items() if t is one.tables[wager]}
        houses[value] = replace(one, tables={**one.tables, **dict.fromkeys(alike, table)})
    return houses[start.chosen()[option]], houses
