"""Work that is announced before it is done: how long it takes, how much memory, and one sentence where that is more
than is done unasked."""

import os
import time
from dataclasses import dataclass, field

from pitboss.rules.errors import BadInput

MOST_SECONDS = 600.0  # of one question, without `patient`
MOST_MEMORY = 2 << 30  # bytes, without `patient`
COUNT_SECONDS = 60.0  # of one exact count, without `patient`: it can be simulated instead
YEAR = 365.25 * 86400  # seconds
BASE_MEMORY = 128 << 20  # of Python, numpy and machine code, before anything is asked


class TooLarge(BadInput):
    """More work than is done, or than is done unasked. The message says how much and what to do."""


@dataclass(frozen=True)
class Work:
    """What something is going to take, on an ordinary machine."""

    seconds: float = 0.0
    memory: int = 0  # bytes at once

    def __add__(self, other: "Work") -> "Work":
        """One after the other."""
        return Work(self.seconds + other.seconds, max(self.memory, other.memory))

    def __str__(self) -> str:
        memory = f"{size_words(self.memory)} of memory and " if self.memory else ""
        return f"about {memory}{time_words(self.seconds)}"

    def check(self, patient: bool, less: str) -> None:
        """`less` says what would take less, such as "fewer `shoes`"."""
        machine = memory_here()
        if machine is not None and self.memory > machine:
            raise TooLarge(
                f"that would take {self}, and this machine has {size_words(machine)} of memory in all; ask for {less}"
            )
        over = [size_words(MOST_MEMORY)] if self.memory > MOST_MEMORY else []
        over += [time_words(MOST_SECONDS)] if self.seconds > MOST_SECONDS else []
        if over and not patient:
            raise TooLarge(
                f"that would take {self}, more than the {' and '.join(over)} that are spent unasked; ask for {less}, "
                "or say `patient=True` to have it done all the same"
            )


@dataclass
class Pace:
    """Work whose parts are about alike: how long all of it is going to take, by what its first second has brought. It
    is looked at once, so that a machine that slows down, or sleeps, does not end what was well under way."""

    patient: bool
    less: str
    before: float = 0.0  # seconds spent on the same question already
    after: float = 1.0  # seconds after which it is looked at
    started: float = field(default_factory=time.monotonic)
    looked: bool = False

    @property
    def due(self) -> bool:
        return not (self.patient or self.looked) and time.monotonic() - self.started >= self.after

    def check(self, done: float, of: float) -> None:
        """So much is done, of so much."""
        if self.due and done > 0:
            self.looked = True
            Work(self.before + (time.monotonic() - self.started) * of / done).check(False, self.less)


def memory_here() -> int | None:
    """The memory of this machine, where the system tells."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def time_words(seconds: float) -> str:
    if seconds < 0.1:
        return "0.1 s"
    if seconds < 120:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} minutes"
    if seconds < 200_000:
        return f"{seconds / 3600:,.0f} hours"
    years = seconds / YEAR
    if years >= 1e6:
        return "more than a million years"
    return f"{seconds / 86400:,.0f} days" if years < 2 else f"{years:,.0f} years"


def many_words(count: float) -> str:
    """A large number as it is said: 1,234 or 250 billion; where nobody has a word for it, 3.5 x 10^67."""
    if count < 1e6:
        return f"{count:,.0f}"
    for size, word in ((1e6, "million"), (1e9, "billion"), (1e12, "trillion")):
        if count < 999.5 * size:
            return f"{count / size:.3g} {word}"
    digits, power = f"{count:.1e}".split("e+")
    return f"{digits} x 10^{int(power)}"


def size_words(count: int) -> str:
    for unit, size in (("GB", 1 << 30), ("MB", 1 << 20)):
        if count >= size:
            return f"{count / size:.1f} {unit}" if count < 10 * size else f"{count / size:,.0f} {unit}"
    return f"{max(1, count >> 10)} kB"
