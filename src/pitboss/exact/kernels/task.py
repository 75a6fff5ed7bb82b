"""What kernels are asked, and what they must answer: the contract between a study and everything that counts."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from pitboss.exact.plan import Offer
from pitboss.ledger.law import Law
from pitboss.ledger.records import StrategyRow, WagerResult
from pitboss.rules.graph import Graph
from pitboss.rules.house import House

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pitboss.compile import Keys
    from pitboss.thumb import Played, Solved

TIE = Fraction(1, 10**12)  # less than this is rounding


@dataclass(frozen=True, eq=False)
class Task:
    """Some wagers of a house, and the graph of the game with these wagers only."""

    house: House
    graph: Graph
    wagers: tuple[str, ...]  # before the deal
    strategy: str = "optimal"


class Opened(Protocol):
    """What a kernel has counted."""

    def record(self, party: str) -> WagerResult: ...

    def law(self) -> Law | None:
        """How its wagers come out together, in whole numbers; None where that is not known."""


class Decided(Opened, Protocol):
    """What a kernel has counted of wagers that are played: also the strategy, and what choices are worth."""

    def chart(self) -> tuple[StrategyRow, ...]: ...

    def not_charted(self) -> "Mapping[str, int]": ...

    def strategy_array(self, keys: "Keys") -> "NDArray[np.uint8]":
        """The strategy as the simulator looks it up."""

    def solved_rows(self) -> "Sequence[Solved]":
        """The decisions as arrays, for those who look for a rule in them; all with the same `scale`."""

    def rule_costs(self, rules: "Sequence[Played]") -> "list[Fraction]":
        """What playing by each of these rules gives up against the best play, per round."""

    def rule_notes(self) -> "Sequence[str]":
        """What no rule is found for, and how it is played."""

    def advice(self, turn: "Advised") -> "dict[str, Fraction]":
        """What every choice is worth at a live decision."""


@dataclass(frozen=True)
class Advised:
    """A live decision, as the seat sees it that has it. No hidden card is told: which way the round went is public."""

    decision: str
    choices: "Sequence[str]"
    made: "Sequence[str]"  # what this seat has chosen before
    cards: "Mapping[int, int]"  # by slot, of everything that the seat sees
    hand: "Sequence[int]"  # the cards of the hand that is being played
    up: "Sequence[int]"  # the dealer's cards that everyone sees
    carried: "Mapping[str, int]"
    went: "Sequence[bool]" = ()  # which way at each condition that rests on cards which it does not see


def best(worth: "Mapping[str, Fraction]") -> list[str]:
    """The best choices: several where they are equally good."""
    top = max(worth.values())
    return [choice for choice, value in worth.items() if top - value <= TIE]


class Kernel(Protocol):
    """A way to count. A new one is a module with these two, and a line in `KERNELS`."""

    name: str

    def offer(self, task: Task) -> Offer:
        """What counting these wagers takes, before it is done; TooLarge, with the reason, if it cannot be done."""

    def open(self, task: Task) -> Any:
        """Count them: an `Opened`, or a `Decided` where the player decides."""
