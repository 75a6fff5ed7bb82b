"""A game of hands with any number of cards, wager by wager: the one that is played by `Drawing`, the others counted."""

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitboss.compile import Keys
from pitboss.drawn import DrawnOutcome, DrawnRow, DrawnWager
from pitboss.exact.analysis import Solver
from pitboss.exact.book import Book
from pitboss.exact.chance import Chance
from pitboss.exact.derived import one_wager_house
from pitboss.exact.induction import TooLarge
from pitboss.results import Outcome, WagerResult
from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.game import Seen
from pitboss.rules.house import House

if TYPE_CHECKING:
    from pitboss.exact.drawing import Drawing

DERIVED = ("optimal", "basic")
"""optimal looks at every card of the hand; basic at what its decisions name, as a chart does. Both are worked out."""


class OpenGame(Book):
    """Counts what can be counted of an open-ended game; the rest is for the simulator."""

    def __init__(self, house: House, strategy: str = "optimal") -> None:
        super().__init__(house, strategy)
        if not self.graph.open_ended:
            raise TooLarge("this game is too large for an exact count; simulate it instead")
        self.derived = strategy in DERIVED
        if not self.derived and strategy not in house.game.strategies:
            known = [*DERIVED, *house.game.strategies]
            raise BadInput(f"{house.game.name}: strategy {choice_of(strategy, known)}")

    @cached_property
    def drawing(self) -> "Drawing":
        from pitboss.exact.drawing import Drawing

        return Drawing(self.house, self.name if self.derived else "basic")

    def wager_result(self, party: str) -> "WagerResult | DrawnWager":
        """A side bet as a count; the wager that is played as an enumeration in floating point."""
        if party in self.decided:
            if not self.derived:
                raise TooLarge(f"the strategy {self.name!r} is not counted exactly; simulate it instead")
            return self._played(party)
        alone = one_wager_house(self.house, party)
        try:
            return Solver(alone).wager_result(party)
        except TooLarge:
            ways, total = Chance(alone, party).ways(self.house.composition)
        stake = self.stake(party)
        outcomes = [
            Outcome(row, n, Fraction(n, total), self.house.net(party, row, stake)) for row, n in ways.items() if n
        ]
        outcomes.sort(key=lambda o: (-o.pays, o.outcome))
        return WagerResult(party, self.house.tables[party].name, tuple(outcomes), total, Fraction(1))

    def _played(self, party: str) -> DrawnWager:
        found = self.drawing
        before = next(iter(found.before_play().values()), None)
        outcomes = sorted((DrawnOutcome(o.name, o.probability, o.net) for o in found.outcomes), key=lambda o: -o.pays)
        edges = (found.optimal_edge, found.basic_edge)
        return DrawnWager(party, self.house.tables[party].name, self.name, *edges, before, tuple(outcomes))

    def rows(self) -> tuple[DrawnRow, ...]:
        """Two cards against an up-card: what every choice is worth, what is best and what the chart says."""
        basic = {(h.cards, h.up): h.best for h in self.drawing.hands("basic")}
        return tuple(
            DrawnRow(
                "two cards", f"{h.cards[0]} {h.cards[1]} against {h.up}", (*h.cards, h.up), h.probability,
                h.expectations, h.best, basic[h.cards, h.up],
            )
            for h in self.drawing.hands()
        )  # fmt: skip

    def chart(self) -> dict[tuple[tuple[str, ...], tuple[int, ...]], str]:
        """Basic strategy: (choices offered, what the decision is made by) -> choice."""
        return self.drawing.chart

    def looks_at(self) -> tuple[str, ...]:
        """The names of what the chart's decisions are made by."""
        choices = {c for c, _ in self.drawing.chart}
        return next(tuple(n for n, _ in d.by) for d in self.graph.decisions() if d.choices in choices)

    @cached_property
    def decided(self) -> tuple[str, ...]:
        return self.house.main

    def strategy_array(self, keys: Keys) -> NDArray[np.uint8]:
        """The chart as the simulator's look-up array. What only the whole hand tells apart is beyond a chart, so the
        optimal strategy is simulated as basic strategy."""
        if self.derived:
            return self.drawing.strategy_array(keys)
        out = np.zeros(max(1, keys.size), np.uint8)
        ask = self.house.strategy(self.name)
        for decision in self.graph.decisions():
            region = (decision.name, decision.choices, tuple((c.lo, c.hi) for _, c in decision.by))
            sizes = [hi - lo + 1 for lo, hi in region[2]]
            for place in np.ndindex(*sizes):
                by = {name: c.lo + i for (name, c), i in zip(decision.by, place, strict=True)}
                answer = ask(Seen(decision.name, decision.choices, (), (), (), by=by))
                if answer not in decision.choices:
                    raise BadInput(
                        f"the strategy {self.name!r} answers {answer!r} at the decision {decision.name!r}; "
                        f"the choices there are {', '.join(decision.choices)}"
                    )
                index = int(np.ravel_multi_index(place, sizes))
                out[keys.regions[region] + index] = decision.choices.index(answer)
        return out
