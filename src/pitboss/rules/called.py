"""What places, wagers and tables are called on the layout of a house."""

from fractions import Fraction

from pitboss.rules.errors import BadBet, BadInput
from pitboss.rules.graph import Group
from pitboss.rules.house import House
from pitboss.rules.naming import listed

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def wager_called(house: House, wager: str) -> str:
    """`3-Card Bonus`: as the game file calls it, or else its name in capitals."""
    given = house.game.called.get(wager)
    return given or " ".join(part[:1].upper() + part[1:] for part in wager.split("-"))


def refused(house: House, error: BadInput) -> str:
    """Why something is refused, to who reads it at a table."""
    return error.called(lambda wager: wager_called(house, wager)) if isinstance(error, BadBet) else str(error)


def wagers_called(house: House, wagers: "list[str] | tuple[str, ...]", join: str = "and") -> str:
    return listed((wager_called(house, wager) for wager in wagers), join)


def place_called(house: House, place: str) -> str:
    """`flop` for the board, where the game file says so."""
    return house.game.called.get(place, place)


def groups_called(house: House, groups: "tuple[Group, ...]") -> list[Group]:
    return [Group(place_called(house, g.who), g.slots, g.seen, g.hand) for g in groups]


def number_word(count: int) -> str:
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def cards_word(count: int) -> str:
    """`three cards`."""
    return f"{number_word(count)} card{'s' * (count != 1)}"


def times_of(times: "int | Fraction", lead: str) -> str:
    """`equal to the Ante`."""
    if times == 1:
        return f"equal to the {lead}"
    known = {Fraction(1, 2): "half", Fraction(2): "twice", Fraction(3): "three times", Fraction(4): "four times"}
    return f"{known.get(Fraction(times), f'{times} times')} the {lead}"
