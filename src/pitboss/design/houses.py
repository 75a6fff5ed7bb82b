"""The same house under other options: the pay tables that it has chosen stay as they are."""

from collections.abc import Mapping
from dataclasses import replace

from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.game import House
from pitboss.rules.options import Choice


def varied(house: House, options: Mapping[str, object]) -> House:
    """The house with some of its options changed; the shoe is full again."""
    game = house.game
    usual, new = game.at(house.chosen()).tables, game.at({**house.chosen(), **options})
    chosen = {name: t for name, t in house.tables.items() if t.pays != usual[name].pays and name in new.tables}
    return replace(new, tables={**new.tables, **chosen}, placed=house.placed)


def across(house: House, option: str, wager: str | None = None) -> dict[str, House]:
    """The house at every value of an option; the wager must have the same rows at each."""
    choices = {o.name: o.values for o in house.game.options if isinstance(o, Choice)}
    if option not in choices:
        raise BadInput(f"--across {choice_of(repr(option), list(choices))}, the options with a few values")
    houses = {str(value): varied(house, {option: value}) for value in choices[option]}
    for value, one in houses.items():
        rows = None if wager is None or wager not in one.tables else list(one.tables[wager].pays)
        if wager is not None and rows != list(house.tables[wager].pays):
            raise BadInput(f"--across {option}: with {option}={value} the pay table of {wager} has other rows")
    return houses
