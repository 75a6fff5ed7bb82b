"""The kernel for hands that the player and then the dealer draw card by card: enumerated whole, in double precision.

How the hands of one split go together is not enumerated, so the standard deviation and the hit frequency of such a
wager are dealt: always the same rounds, labelled as simulated and given with their errors.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitboss.compile import Keys, dealt_cells
from pitboss.exact.kernels.task import Advised, Task
from pitboss.exact.plan import Offer, TooLarge
from pitboss.exact.ruled import is_rule, rule_of
from pitboss.ledger.book import Book
from pitboss.ledger.figure import DOUBLE, SIMULATED, Figure
from pitboss.ledger.multiples import Multiple, multiples, sampled
from pitboss.ledger.records import Chart, Outcome, StrategyRow, WagerResult
from pitboss.ledger.records import Played as Record
from pitboss.rules.graph import Decide
from pitboss.rules.house import DERIVED
from pitboss.rules.work import BASE_MEMORY
from pitboss.thumb import Played, Solved

if TYPE_CHECKING:
    from pitboss.exact.drawing import Drawing

CHUNK, CHUNKS, SEED = 1 << 18, 16, 1  # rounds that are dealt for the spread


class Drawn:
    """The wager that is played."""

    def __init__(self, task: Task) -> None:
        self.task, self.house, self.graph = task, task.house, task.graph
        (self.wager,) = task.wagers

    @cached_property
    def drawing(self) -> "Drawing":
        from pitboss.exact.drawing import Drawing

        if not is_rule(self.house, self.task.strategy):
            return Drawing(self.house, self.task.strategy, graph=self.graph)
        from pitboss.exact.drawn_rows import chart_of

        rule = rule_of(self.house, self.task.strategy)
        return Drawing(self.house, "basic", self._best, given=chart_of(self._best, self.asked, rule))

    @cached_property
    def _best(self) -> "Drawing":
        from pitboss.exact.drawing import Drawing

        return self.drawing if self.task.strategy in DERIVED else Drawing(self.house, graph=self.graph)

    @cached_property
    def asked(self) -> Decide:
        """The decision that the chart is about, with as many choices as it ever has."""
        charted = {choices for choices, _ in self._best.chart}
        return max((d for d in self.graph.decisions() if d.choices in charted), key=lambda d: len(d.choices))

    def solved_rows(self) -> list[Solved]:
        from pitboss.exact.drawn_rows import solved_rows

        return solved_rows(self._best, self.asked)

    def rule_costs(self, rules: Sequence[Played]) -> list[Fraction]:
        from pitboss.exact.drawn_rows import rule_costs

        return rule_costs(self._best, self.asked, rules)

    def rule_notes(self) -> list[str]:
        taken = self._best.taken_before()
        return [f"{name}: {' or '.join(answers)}, as the chart has it" for name, answers in taken.items()]

    def law(self) -> None:
        return None

    def record(self, party: str) -> WagerResult:
        found, top = self.drawing, self._best
        edge, best, basic = (Fraction(x) for x in (found.edge, top.optimal_edge, top.basic_edge))
        before = next(iter(found.before_play().values()), None)
        outcomes = [Outcome(o.name, None, Fraction(o.probability), Fraction(o.net)) for o in found.outcomes]
        outcomes.sort(key=lambda o: -o.pays)
        played = Record(
            edge,
            best,
            basic,
            None if before is None else Fraction(before),
            lambda: self._dealt[0],
            lambda: self._dealt[1],
        )
        wagered = Fraction(found.wagered)
        table = self.house.tables[party].name
        return WagerResult(party, table, tuple(outcomes), None, wagered, method=DOUBLE, played=played)

    @cached_property
    def _dealt(self) -> tuple[tuple[Figure, Figure], tuple[Multiple, ...]]:
        """Standard deviation and hit frequency, and how often each bet is made, from rounds dealt from a fresh shoe."""
        book, keys = Book(self.house, self.graph), Keys(self.graph)
        shoe, table = self.house.composition, self.strategy_array(keys)
        counts = dealt_cells(book.cells, keys, shoe, table, chunk=CHUNK, chunks=CHUNKS, seed=SEED)
        worth, common = book.worth(self.wager)
        net = worth.astype(np.float64) / common
        share = counts / (CHUNK * CHUNKS)
        mean = float(share @ net)
        moments = [float(share @ (net - mean) ** k) for k in (2, 4)]
        hands = CHUNK * CHUNKS
        spread, hit = sqrt(moments[0]), float(share @ (net > 0))
        error = sqrt(max(0.0, moments[1] - moments[0] ** 2) / hands) / (2 * spread) if spread else 0.0
        placed = book.placed(self.wager, counts)
        often = {name: {t: Fraction(n, hands) for t, n in found.items()} for name, found in placed.items()}
        figures = Figure(Fraction(spread), SIMULATED, error, percent=False), sampled(Fraction(hit), hands)
        return figures, multiples(often, hands)

    def chart(self) -> tuple[StrategyRow, ...]:
        """The first cards against those of the dealer: what every choice is worth, what is best and what the chart
        says."""
        basic = {(h.cards, h.up, h.offered): h.best for h in self.drawing.hands("basic")}
        names = ("no card", "one card", "two cards", "three cards")
        return tuple(
            StrategyRow(
                names[len(h.cards)], f"{' '.join(h.cards)}{' against ' if h.up else ''}{h.up}".strip(),
                (*h.cards, *h.up.split(" ")), Fraction(h.probability),
                {c: Fraction(v) for c, v in h.expectations.items()}, h.best, basic[h.cards, h.up, h.offered], DOUBLE,
            )
            for h in self.drawing.hands()
        )  # fmt: skip

    def not_charted(self) -> dict[str, int]:
        return {}

    def basic(self) -> Chart:
        """Basic strategy: (choices offered, what the decision is made by) -> choice."""
        return self.drawing.chart

    def looks_at(self) -> tuple[str, ...]:
        """The names of what the chart's decisions are made by."""
        choices = {c for c, _ in self.drawing.chart}
        return next(tuple(n for n, _ in d.by) for d in self.graph.decisions() if d.choices in choices)

    def strategy_array(self, keys: Keys) -> NDArray[np.uint8]:
        """The chart. What only the whole hand tells apart is beyond a chart, so the optimal strategy is simulated as
        basic strategy."""
        return self.drawing.strategy_array(keys)

    def advice(self, turn: Advised) -> dict[str, Fraction]:
        up = turn.up
        before = self.drawing.advice_before(up, turn.decision, turn.choices)
        found = before if before is not None else self.drawing.advice(turn.hand, up, turn.choices)
        return {c: Fraction(v) for c, v in found.items()}


class _Draw:
    name = "draw hands card by card"

    def offer(self, task: Task) -> Offer:
        if not task.graph.open_ended:
            raise TooLarge("no hand of this game can have any number of cards")
        if not any(task.graph.decisions()) or task.wagers[0] != task.house.main[0]:
            raise TooLarge("hands are drawn card by card for the wager that is played")
        if task.strategy not in DERIVED and not is_rule(task.house, task.strategy):
            task.house.strategy(task.strategy)
            raise TooLarge(f"the strategy {task.strategy!r} of the game file is not counted for hands of any length")
        if len(task.wagers) != 1:
            raise TooLarge(f"{' and '.join(task.wagers)} are played together")
        if any(task.house.meters(w.name) for w in task.house.parties[task.wagers[0]]) or task.house.pays_dollars(
            task.wagers[0]
        ):
            raise TooLarge("awards in dollars are not worked out for hands of any number of cards")
        from pitboss.exact.drawn_rules import rules_of

        found = rules_of(task.house, task.graph).positions
        return Offer(self.name, len(found.kind), None, 0.3, BASE_MEMORY + (64 << 20), "double precision")

    def open(self, task: Task) -> Drawn:
        return Drawn(task)


DRAW = _Draw()
