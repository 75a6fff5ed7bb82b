"""Which games may be played here: the shipped ones, and the files that the operator has named when the house was
opened. A path never comes from the network or out of the log."""

from collections.abc import Mapping, Sequence
from typing import Any

from pitboss.catalog import load, named, shipped
from pitboss.jurisdictions import jurisdiction_named, known_jurisdictions
from pitboss.rules.errors import BadInput, choice_of, said
from pitboss.rules.game import Game
from pitboss.rules.house import House

MOST_HOUSES = 500  # that are remembered


class Unnamed(BadInput):
    """A table of a game file that the operator has not named."""


class Games:
    """Shipped games by name, and the operator's own."""

    def __init__(self, files: Sequence[str] = ()) -> None:
        self.own = [load(file) for file in files]
        self._places = {path.stem: jurisdiction_named(path.stem).title for path in known_jurisdictions()}
        self._houses: dict[House, House] = {}  # tables that are alike stand in one house

    def names(self) -> dict[str, Game]:
        """Every game that a table can be opened for."""
        return {**{name: load(name) for name in shipped()}, **{game.name: game for game in self.own}}

    def places(self) -> list[tuple[str, str]]:
        """The jurisdictions that a table can be opened under, with their titles."""
        return sorted(self._places.items())

    def game(self, name: str) -> Game:
        return named(name, self.own, "the order")

    def house(self, name: str, options: Mapping[str, str], tables: Mapping[str, str], place: str = "") -> House:
        """The house of a new table."""
        return self._under(self.game(name).at(options, tables), place, options)

    def of(self, opening: Mapping[str, Any]) -> House:
        """The house of a table that was opened before; one sentence where its game is not as it was."""
        try:
            game = named(opening["game"], self.own, f"table {opening['name']}")
        except BadInput:
            raise Unnamed(
                f"table {opening['name']} plays {opening['game'][:80]!r}, which is not shipped: name its file with "
                "--game FILE"
            ) from None
        if game.sha256 != opening["sha256"]:
            raise Unnamed(
                f"the game file of {game.title} is not the one that table {opening['name']} was opened with: name that "
                "one with --game FILE, or close the table with the version of pitboss that opened it"
            )
        return self._under(game.at(opening["options"], opening["paytables"]), opening["place"] or "")

    def _under(self, house: House, place: str, asked: Mapping[str, str] | None = None) -> House:
        """The same under the limits of a place; what was asked for by name must be within them."""
        if place and place not in self._places:
            raise BadInput(f"the jurisdiction {choice_of(said(place), sorted(self._places))}")
        found = house.but(asked, under=jurisdiction_named(place).under) if place else house
        if len(self._houses) > MOST_HOUSES:
            self._houses.clear()
        return self._houses.setdefault(found, found)
