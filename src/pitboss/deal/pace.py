"""How long a simulation is going to take, by what its first second has brought."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pitboss.deal.figures import ENOUGH_CHUNKS
from pitboss.rules.work import Pace


@dataclass
class RunPace:
    """A run from one chunk on to another, or to a standard error."""

    first: int  # chunks that were there before
    whole: int | None  # to be dealt, with those
    until_se: float | None
    patient: bool
    pace: Pace = field(init=False)

    def __post_init__(self) -> None:
        self.pace = Pace(self.patient, "fewer `rounds`")

    def check(self, chunks: int, error: Callable[[], float]) -> None:
        """One clear sentence where it takes longer than is waited for unasked."""
        if not self.pace.due or (self.until_se and chunks < ENOUGH_CHUNKS):
            return
        wanted = self.whole
        if self.until_se:  # an error falls with the root of the rounds
            enough = int(chunks * min(1e9, error() / self.until_se) ** 2)
            if wanted is None or enough < wanted:
                wanted, self.pace.less = enough, "a larger `until_se`"
        assert wanted is not None
        self.pace.check(chunks - self.first, max(0, wanted - self.first))
