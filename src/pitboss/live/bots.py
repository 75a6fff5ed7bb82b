"""Computer players: what they bet, and the shape of whatever decides for them."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from pitboss.cards import cards_of
from pitboss.live.live import Turn
from pitboss.live.view import View
from pitboss.rules.errors import BadInput, choice_of, said
from pitboss.rules.game import FACES, Face, Seen
from pitboss.rules.house import House
from pitboss.rules.trace import trace


class Player(Protocol):
    """Who plays a seat. It is given the decision and what the seat may see, and answers with one of the choices."""

    def __call__(self, turn: Turn, view: View, /) -> str: ...


def first_choice(turn: Turn, view: View) -> str:
    """A player who takes the first of the choices: for a table where nobody knows better."""
    return turn.choices[0]


def follows(house: House, strategy: str) -> Player:
    """A player who follows a strategy of the game file. He sees what his seat sees, and what a decision is made by."""
    ask, graph = house.strategy(strategy), trace(house)

    def faces(cards: Sequence[str]) -> tuple[Face, ...]:
        return tuple(FACES[code] for code in cards_of(cards))

    def play(turn: Turn, view: View) -> str:
        seat = view.seats[turn.seat]
        carried = {name: seat.carried.get(name, 0) for name in graph.carried}
        lie = {**seat.stakes, **seat.markers}
        bets = {name: lie[name] / seat.bets[house.lead(name)] for name in lie if name not in seat.bets}
        places = {place: faces(turn.places.get(place, ())) for place in graph.places}
        own, dealer, board = map(faces, (turn.player, turn.dealer, turn.board))
        answer = ask(Seen(turn.decision, turn.choices, own, dealer, board, carried, bets, dict(turn.by), places))
        if answer not in turn.choices:
            raise BadInput(f"the strategy {strategy!r} answers {said(answer)}; {choice_of(repr(answer), turn.choices)}")
        return answer

    return play


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


def usual_bets(house: House, seat: int) -> dict[str, Fraction]:
    """What a computer player bets: the least on the main wagers, and on the side bets that this one likes, which are
    every other one, beginning with another at every seat."""
    bets = least_bets(house)
    sides = [name for name in house.parties if name not in bets]
    for place, name in enumerate(sides):
        if (place + seat) % 2 == 0:
            try:
                house.check_seat({**bets, name: house.least_bet(name)}, {})
            except BadInput:  # it needs another bet, or goes with none of these
                continue
            bets[name] = house.least_bet(name)
    return {name: bets[name] for name in house.parties if name in bets}
