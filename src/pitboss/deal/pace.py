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
    after: float = 1.0  # seconds after which it is looked at

    def __post_init__(self) -> None:
        self.pace = Pace(self.patient, "fewer `rounds`", after=self.after)

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


def _step(chunks: int) -> int:
    return 1 if chunks < 64 else 1 << (chunks.bit_length() - 6)


def is_look(chunks: int) -> bool:
    """Whether an error is looked at after so many chunks: after each of the first 64, and then every 32nd to 64th part
    of what there is, so that a look costs little and nobody deals much too long."""
    return chunks % _step(chunks) == 0


def next_look(chunks: int) -> int:
    """The next time after so many."""
    return (chunks // _step(chunks) + 1) * _step(chunks)
