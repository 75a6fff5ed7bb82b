"""The kernel for a wager on a hand that is drawn card by card without decisions: followed through the graph."""

from typing import TYPE_CHECKING

from pitboss.exact.kernels.task import Task
from pitboss.exact.plan import Offer, TooLarge
from pitboss.ledger.law import Law, plain_law
from pitboss.ledger.records import WagerResult
from pitboss.rules.work import BASE_MEMORY

if TYPE_CHECKING:
    from pitboss.exact.chance import Chance


def followed(task: Task) -> "Chance":
    """The hand of the task's wager, found once for a graph."""
    from pitboss.exact.chance import Chance  # only games with such hands wait for it

    known = task.graph.made
    if "chance" not in known:
        known["chance"] = Chance(task.graph, task.wagers[0])
    found: Chance = known["chance"]
    return found


class Followed:
    """One wager, by its rows."""

    def __init__(self, task: Task) -> None:
        (self.wager,) = task.wagers
        ways, _ = followed(task).ways(task.house.composition)
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
        return Offer(self.name, len(followed(task).next), None, 0.5, BASE_MEMORY)

    def open(self, task: Task) -> Followed:
        return Followed(task)


FOLLOW = _Follow()
