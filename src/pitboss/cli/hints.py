"""What the exact analysis has to say at a terminal table. It is asked here and nowhere else: what each choice is worth,
what a computer player would do, and what the wagers come to."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from pitboss.cards import cards_of
from pitboss.exact import Advised, Study, best
from pitboss.ledger.records import WagerResult
from pitboss.live import Round, Turn, follows, view_of
from pitboss.rules.house import House

Worth = Mapping[str, Fraction]


class Hints:
    """A house's game, counted once for as long as people sit at the table; where the worth of a bet depends on how many
    dollars it is, for the bets that it begins with."""

    def __init__(self, house: House, bets: Mapping[str, Fraction] | None = None) -> None:
        self.bets = {p: (bets or {}).get(p, house.least_bet(p)) for p in house.parties}
        self.house, lead = house, house.main[0]
        self._study = Study(house.measured(lead, self.bets[lead]))
        self._ready = False
        self.results: dict[str, WagerResult] = {}  # wager before the deal -> what it comes to

    @property
    def decided(self) -> tuple[str, ...]:
        """The wagers in whose units a choice is worth something."""
        return self._study.book.decided

    def worth(self, round_: Round, turn: Turn) -> Worth | None:
        """The expectation of each choice, or None where the game is too large to say."""
        if not self._ready:
            return None
        kept = round_.seats[turn.seat - 1].carried
        carried = {name: kept.get(name, 0) for name in self._study.graph.carried}
        hand = cards_of(turn.hands[turn.hand - 1]) if len(turn.hands) >= turn.hand else ()
        seen, went = round_.eye(turn.seat)
        told = Advised(turn.decision, turn.choices, turn.made, seen, hand, cards_of(turn.dealer), carried, went)
        return self._study.advice(told)

    def choice(self, round_: Round, turn: Turn) -> str:
        """What a computer player does: the first of the best choices; where nobody can say, what the first strategy of
        the game file says, or the first of all."""
        worth, own = self.worth(round_, turn), next(iter(self.house.game.strategies), None)
        if worth is not None:
            return best(worth)[0]
        return turn.choices[0] if own is None else follows(self.house, own)(turn, view_of(round_, [turn.seat]))

    def count(self, counting: Callable[[], object], priced: bool) -> str:
        """Count the game, so that no decision has to wait for it, and if it is to be priced, every wager. Says why
        not, where it is too large."""
        plan = self._study.plan
        if plan.seconds > 0.25:
            counting()
        refused = {p: why for p, why in plan.refused.items() if p in self._study.decided}
        if self._study.decided and not refused:
            self._ready = self._study.solved is not None
        if priced:
            self.results = {p: self._priced(p) for p in self._study.banked if plan.step(p) is not None}
        return next(iter(refused.values()), "")

    def _priced(self, party: str) -> WagerResult:
        at = self.house.measured(party, self.bets[party])
        return (self._study if at == self._study.house or at == self.house else Study(at)).wager(party)
