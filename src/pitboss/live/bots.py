"""Computer players: what they bet, and the shape of whatever decides for them."""

from fractions import Fraction
from typing import Protocol

from pitboss.live.live import Turn
from pitboss.live.view import View
from pitboss.rules.house import House


class Player(Protocol):
    """Who plays a seat. It is given the decision and what the seat may see, and answers with one of the choices."""

    def __call__(self, turn: Turn, view: View, /) -> str: ...


def first_choice(turn: Turn, view: View) -> str:
    """A player who takes the first of the choices: for a table where nobody knows better."""
    return turn.choices[0]


def least_bets(house: House) -> dict[str, Fraction]:
    """The least that the house takes on its main wagers; of wagers that are either-or the first that will do."""
    either = {name for names in house.one_of for name in names}
    required = {wager.name for wager in house.wagers if wager.required and not wager.equal_to}
    needs = {wager.name: wager.needs for wager in house.wagers}
    wanted = [name for name in house.main if name in required or name not in either]
    for names in house.one_of:
        if not any(name in wanted for name in names):
            free = (name for name in names if needs[name] is None or needs[name] in wanted)
            wanted.append(next(free, names[0]))
    bets = {name: house.least_bet(name) for name in house.parties if name in wanted}
    house.check_bets(bets)
    return bets
