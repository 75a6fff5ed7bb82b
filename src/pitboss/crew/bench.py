"""Numbered jobs, and who does them.

A *bench* is a piece of work that is set up once: its jobs have numbers, and what a job comes to depends on its number
only. So it makes no difference who does which, or how they are cut into spans; they are handed back in order. A *crew*
does them: this thread, the cores of this machine, or a cluster, to which a bench is sent as a *letter*.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from pitboss.rules.house import House

Stops = Callable[[int], int]
"""The next number after this one at which a span must end, because somebody looks at what there is by then."""


@dataclass(frozen=True)
class Letter:
    """What another machine needs to set up the same bench: no code but the name of a function of pitboss."""

    make: "Callable[..., Bench]"  # of a house and of `more`; a function of a module
    house: House
    more: Mapping[str, Any] = field(default_factory=dict)  # plain values


class Bench(Protocol):
    """Work that is set up."""

    def do(self, numbers: range) -> Any:
        """What these jobs come to together."""

    def letter(self) -> Letter:
        """How to set it up elsewhere."""

    def identity(self) -> Mapping[str, str]:
        """What a bench that was set up elsewhere must agree in: hashes of all that it goes by."""


class Done(NamedTuple):
    """A span of jobs, done."""

    numbers: range
    found: Any


@dataclass(frozen=True)
class Hand:
    """What one worker of a cluster has done."""

    name: str
    threads: int
    jobs: int  # that were the first to come back
    seconds: float  # that it worked on them, of one thread

    @property
    def rate(self) -> float:
        """Jobs a second, of all its threads."""
        return self.threads * self.jobs / self.seconds if self.seconds else 0.0


class Crew(Protocol):
    """Who does the work."""

    @property
    def away(self) -> bool:
        """Whether a bench must be set up elsewhere first, which takes a while."""

    @property
    def hands(self) -> tuple[Hand, ...]:
        """Who has done how much of the work that was asked for last; none where it is this machine."""

    def work(
        self, bench: Bench, first: int, last: int | None, stops: Stops | None = None
    ) -> Generator[Done, None, None]:
        """Jobs from `first` on and before `last`, or without an end, in spans that follow one another. Whoever has
        enough closes it."""
