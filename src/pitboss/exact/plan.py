"""What a study is going to do: which kernel counts which wagers, how much work that is, or why it cannot be done."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pitboss.rules.graph import Graph
from pitboss.rules.work import BASE_MEMORY, COUNT_SECONDS, MOST_MEMORY, YEAR, Work, many_words, size_words, time_words
from pitboss.rules.work import TooLarge as TooLarge


@dataclass(frozen=True)
class Offer:
    """A kernel takes some wagers: how many rows it keeps, how many ways there are, what it needs."""

    kernel: str
    rows: int
    ways: int | None
    seconds: float  # expected, on one core of an ordinary machine
    memory: int  # bytes
    arithmetic: str = "whole numbers"
    steps: int | None = None  # of its innermost loop

    def check(self, patient: bool) -> None:
        """One clear sentence where that is more than anybody waits for unasked."""
        Work(0.0, self.memory).check(True, "less")
        deals = f"a count would look at {many_words(self.steps or self.ways or 0)} deals one by one and take"
        if self.seconds > YEAR:  # an answer that nobody will be there to read
            raise TooLarge(f"{deals} {time_words(self.seconds)}")
        if patient:
            return
        if self.memory > MOST_MEMORY:
            raise TooLarge(
                f"a count would need {size_words(self.memory)} of memory, more than {size_words(MOST_MEMORY)}; "
                "`patient=True` counts all the same"
            )
        if self.seconds > COUNT_SECONDS:
            raise TooLarge(
                f"{deals} about {time_words(self.seconds)}, more than the {time_words(COUNT_SECONDS)} that are waited "
                "for unasked; `patient=True` waits for it"
            )

    def json(self) -> dict[str, Any]:
        return {
            "kernel": self.kernel,
            "rows": self.rows,
            "ways": None if self.ways is None else str(self.ways),
            "steps": None if self.steps is None else str(self.steps),
            "seconds": self.seconds,
            "memory": self.memory,
            "arithmetic": self.arithmetic,
        }


@dataclass(frozen=True)
class Step:
    """Wagers that one kernel counts together."""

    wagers: tuple[str, ...]
    offer: Offer


@dataclass(frozen=True)
class Plan:
    """The steps of a study, and the wagers that no kernel takes."""

    steps: tuple[Step, ...]
    refused: Mapping[str, str] = field(default_factory=dict)  # wager -> why
    shared: tuple[str, ...] = ()  # between the players: nothing to count

    @property
    def seconds(self) -> float:
        return self.work.seconds

    @property
    def work(self) -> Work:
        """Of all steps. Their counts are kept, so their memory adds up, but for what each says of an empty house."""
        kept = sum(max(0, s.offer.memory - BASE_MEMORY) for s in self.steps)
        return Work(sum(s.offer.seconds for s in self.steps), BASE_MEMORY + kept)

    def checked(self, patient: bool) -> "Plan":
        """The plan, if all of it together is not more than is done unasked."""
        self.work.check(patient, "one wager, `wager`")
        return self

    def step(self, wager: str) -> Step | None:
        return next((s for s in self.steps if wager in s.wagers), None)

    def json(self) -> dict[str, Any]:
        steps = [{"wagers": list(s.wagers), **s.offer.json()} for s in self.steps]
        return {"plan": steps, "refused": dict(self.refused), "between_players": list(self.shared)}

    def __str__(self) -> str:
        lines = [
            f"{', '.join(s.wagers)}: {s.offer.kernel}, {s.offer.rows:,} rows, "
            f"{_ways(s.offer.ways)}about {time_words(s.offer.seconds)}, {size_words(s.offer.memory)}"
            for s in self.steps
        ]
        lines += [f"{name}: paid among the players, nothing to count" for name in self.shared]
        return "\n".join([*lines, *(f"{name}: not counted, {why}" for name, why in self.refused.items())])

    __repr__ = __str__


def _ways(count: int | None) -> str:
    return "" if count is None else f"{count:,} ways, "


def check_no_jokers(graph: Graph) -> None:
    """For kernels that know ranks and suits only."""
    if graph.jokers:
        raise TooLarge("hands of any number of cards are not counted from a deck with jokers")
