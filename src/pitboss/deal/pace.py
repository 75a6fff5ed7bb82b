"""How long a simulation is going to take, by what its first second has brought."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from pitboss.deal.figures import ENOUGH_CHUNKS
from pitboss.rules.work import Work

LOOK = 1.0  # seconds after which it is looked at, once


@dataclass
class Pace:
    """A run from one chunk on to another, or to a standard error."""

    first: int  # chunks that were there before
    whole: int | None  # to be dealt, with those
    until_se: float | None
    patient: bool
    started: float = field(default_factory=time.monotonic)
    done: bool = False

    def check(self, chunks: int, error: Callable[[], float]) -> None:
        """One clear sentence where it takes longer than is waited for unasked."""
        gone = time.monotonic() - self.started
        if self.patient or self.done or gone < LOOK or (self.until_se and chunks < ENOUGH_CHUNKS):
            return
        self.done = True
        wanted, less = self.whole, "fewer `rounds`"
        if self.until_se:  # an error falls with the root of the rounds
            enough = chunks * min(1e9, error() / self.until_se) ** 2
            if wanted is None or enough < wanted:
                wanted, less = int(enough), "a larger `until_se`"
        assert wanted is not None
        Work(gone * max(0, wanted - self.first) / (chunks - self.first)).check(False, less)
