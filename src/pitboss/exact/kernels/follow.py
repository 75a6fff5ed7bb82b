"""The kernel for a wager on a hand that is drawn card by card without decisions: followed through the graph."""

from pitboss.exact.chance import Chance
from pitboss.exact.kernels.task import Task
from pitboss.exact.plan import Offer, TooLarge
from pitboss.ledger.law import Law, plain_law
from pitboss.ledger.records import WagerResult


class Followed:
    """One wager, by its rows."""

    def __init__(self, task: Task) -> None:
        (self.wager,) = task.wagers
        self.house = task.house
        self.chance = Chance(task.graph, self.wager)
        ways, _ = self.chance.ways(task.house.composition)
        self._law = plain_law(task.house, task.wagers, {(row,): n for row, n in ways.items()})

    def law(self) -> Law:
        return self._law

    def record(self, party: str) -> WagerResult:
        return self._law.record(party)


class _Follow:
    name = "follow the drawn hand"

    def offer(self, task: Task) -> Offer:
        if len(task.wagers) != 1 or len(task.house.parties[task.wagers[0]]) > 1:
            raise TooLarge("a hand is followed for one wager at a time")
        if not task.graph.open_ended:
            raise TooLarge("no hand of this wager can have any number of cards")
        chance = Chance(task.graph, task.wagers[0])
        return Offer(self.name, len(chance.next), None, 0.5, 32 << 20)

    def open(self, task: Task) -> Followed:
        return Followed(task)


FOLLOW = _Follow()
