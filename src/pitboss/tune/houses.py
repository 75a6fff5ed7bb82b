"""One pay table at several houses: the same house at every value of an option, the wager paying alike at each."""

from collections.abc import Sequence

from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.house import House
from pitboss.rules.options import Choice
from pitboss.rules.wagers import fitted


def values_of(house: House, text: str) -> tuple[str, list[str]]:
    """ "decks" or "decks=4,6,8": the option, and all its values or those that are named, in their own order."""
    name, named, some = (part.strip() for part in text.partition("="))
    option = house.game.all_options.get(name)
    if not isinstance(option, Choice):
        lists = [o.name for o in house.game.all_options.values() if isinstance(o, Choice)]
        if not lists:
            raise BadInput(f"across {name}: {house.game.name} has no option with a list of values")
        raise BadInput(f"`across` {choice_of(repr(name), lists)}, the options with a list of values")
    if not named:
        return name, [str(value) for value in option.values]
    wanted = [part.strip() for part in some.split(",")]
    for one in wanted:
        if one not in map(str, option.values):
            raise BadInput(f"across {text}: {choice_of(repr(one), option.values)}")
    return name, [str(value) for value in option.values if str(value) in wanted]


def at_values(
    house: House, option: str, values: Sequence[str], wager: str | None = None
) -> tuple[House, dict[str, House]]:
    """The house at each of these values, and the one to start from: its own, or the first where its own is not named.

    The wager pays the same table at each. A row that a value does not have cannot come up there, and is left out.
    """
    houses = dict(zip(values, house.across(option, values), strict=True))
    start = houses.get(house.chosen()[option], next(iter(houses.values())))
    if wager is None:
        return start, houses
    if wager not in start.tables:
        raise BadInput(f"across {option}: with {option}={start.chosen()[option]} there is no {wager}")
    for value, one in houses.items():
        mine = next((w for w in one.wagers if w.name == wager), None)
        if mine is None:
            raise BadInput(f"across {option}: with {option}={value} there is no {wager}; name values that have it")
        table = fitted(start.tables[wager], mine, {option: value})
        alike = {name for name, t in one.tables.items() if t is one.tables[wager]}
        houses[value] = one.but(tables=dict.fromkeys(alike, table))
    return houses[start.chosen()[option]], houses
