"""What stays of a house under other options."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pitboss.rules.paytables import PayTable
from pitboss.rules.wagers import fitted

if TYPE_CHECKING:
    from pitboss.rules.house import House


def by_name(given: Mapping[str, object], known: Mapping[str, object]) -> dict[str, object]:
    """Options by name; in Python a hyphen is written as an underscore."""
    return {(n if n in known else n.replace("_", "-")): value for n, value in given.items()}


def kept_tables(house: "House", new: "House", given: Mapping[str, object]) -> dict[str, PayTable]:
    """The chosen pay tables under other options: by name, or row by row where the new layout has no more rows."""
    usual = house.game.at(house.chosen()).tables
    out = dict(new.tables)
    for w in new.wagers:
        mine = house.tables.get(w.name)
        if mine is None or mine.pays == usual[w.name].pays:
            continue
        same = next((t for t in w.tables if t.name == mine.name), None)
        out[w.name] = same or fitted(mine, w, given)
    for w in new.wagers:  # what pays by another wager's table goes on doing so
        if w.table_of and house.tables.get(w.name) is house.tables.get(w.table_of):
            out[w.name] = out[w.table_of]
    return out
