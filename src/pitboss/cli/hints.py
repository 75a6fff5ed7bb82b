"""What the exact analysis has to say at a terminal table. It is asked here and nowhere else: what each choice is worth,
what a computer player would do, and what the wagers come to."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from pitboss.cards import cards_of
from pitboss.exact import Book, OpenGame, Parts, Solver, TooLarge, advice
from pitboss.rules.house import House
from pitboss.table import Round, Turn

Number = Fraction | float  # a whole count is a fraction; what is drawn card by card is summed in floating point
Worth = Mapping[str, Number]
Advice = Callable[[Round, Turn], Worth]
"""The expectation of each choice of a turn, in units of the wagers decided on."""
TIE = 1e-12  # less than this is rounding


class Hints:
    """A house's game, counted once for as long as people sit at the table."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._book = Book(house)
        self._advice: Advice | None = None
        self.results: dict[str, Any] = {}  # wager before the deal -> what it comes to

    @property
    def decided(self) -> tuple[str, ...]:
        """The wagers in whose units a choice is worth something."""
        return tuple(self._book.decided)

    def worth(self, round_: Round, turn: Turn) -> Worth | None:
        """The expectation of each choice, or None where the game is too large to say."""
        return None if self._advice is None else self._advice(round_, turn)

    def choice(self, round_: Round, turn: Turn) -> str:
        """What a computer player does: the first of the best choices, or the first of all where nobody can say."""
        worth = self.worth(round_, turn)
        return turn.choices[0] if worth is None else best(worth)[0]

    def count(self, counting: Callable[[], object], priced: bool) -> str:
        """Count the game, so that no decision has to wait for it, and if it is to be priced, every wager. Says why
        not, where it is too large."""
        try:
            if self._book.graph.open_ended:
                counting()
                game = OpenGame(self.house)
                self._advice = by_drawing(game)
                self._price(game, priced)
            else:
                solver = Solver(self.house)
                self._advice = by_count(solver)
                self._price(solver, priced)
        except TooLarge as error:
            return "" if not priced or self._counted_apart(counting) else str(error)
        return ""

    def _counted_apart(self, counting: Callable[[], object]) -> bool:
        """A game too large to be counted at once may be counted wager by wager, when there is nothing to decide."""
        try:
            parts = Parts(self.house)
            counting()
            self._price(parts, True)
        except TooLarge:
            return False
        return True

    def _price(self, counted: Solver | Parts | OpenGame, priced: bool) -> None:
        """Wagers between the players are left out: nothing is expected of them, and how they vary is not counted."""
        if priced:
            parties = [party for party in self.house.parties if party not in self._book.shared]
            self.results = {party: counted.wager_result(party) for party in parties}


def by_count(solver: Solver) -> Advice:
    """For a game that is counted as a whole. Hidden cards only say which way the round went where all saw it go."""

    def worth(round_: Round, turn: Turn) -> Worth:
        kept = round_.seats[turn.seat - 1].carried
        carried = {name: kept.get(name, 0) for name in solver.graph.carried}
        return advice(solver, turn.made, round_.house_eye(turn.seat), carried)

    return worth


def by_drawing(game: OpenGame) -> Advice:
    """For a game in which hands are drawn card by card: a choice before the play is worth what its wager brings."""
    drawing = game.drawing

    def worth(round_: Round, turn: Turn) -> Worth:
        up = cards_of(turn.dealer)[0]
        before = drawing.advice_before(up, turn.decision, turn.choices)
        return before or drawing.advice(cards_of(turn.hands[turn.hand - 1]), up, turn.choices)

    return worth


def best(worth: Worth) -> list[str]:
    """The best choices: several where they are equally good."""
    top = max(worth.values())
    return [choice for choice, value in worth.items() if top - value <= TIE]
