"""How jobs are cut into spans of about a second, sent, and put in order again. Nothing here knows who does them."""

from collections import deque
from collections.abc import Iterator
from typing import Any

from pitboss.crew.bench import Done, Stops

SPAN = 1.0  # seconds of one thread
MOST_JOBS = 1 << 16  # of one span
GROWS = 4  # times as many jobs as in the span before, at most
KNOWN = 16  # spans that say how long a job takes
AHEAD = 3  # spans for every thread that are on their way
BEHIND = 16  # spans for every thread that wait for one before them, or are on their way


class Window:
    """Jobs from a number on. Where they are cut follows the clock, and makes no difference to what they come to."""

    def __init__(self, first: int, last: int | None, stops: Stops | None = None) -> None:
        self.coming = self.due = first  # the next to be cut, and the next to be handed on
        self.last, self.stops = last, stops
        self.size = 1
        self._again: deque[range] = deque()  # were on their way when the line broke
        self._kept: dict[int, Done] = {}
        self._open: set[int] = set()  # first numbers of spans that are cut and not kept
        self._paces: deque[tuple[int, float]] = deque(maxlen=KNOWN)

    @property
    def over(self) -> bool:
        return self.last is not None and self.due >= self.last

    @property
    def waiting(self) -> int:
        """Spans that are cut and not handed on."""
        return len(self._open) + len(self._kept)

    @property
    def span(self) -> float | None:
        """Seconds that a span takes by now; None before anything has come back."""
        if not self._paces:
            return None
        return self.size * sum(s for _, s in self._paces) / sum(n for n, _ in self._paces)

    def cut(self, threads: int) -> range | None:
        """The next span to send; None where there is nothing more, or where so much waits that nothing is sent."""
        if self._again:
            return self._again.popleft()
        left = None if self.last is None else self.last - self.coming
        if left == 0 or self.waiting >= BEHIND * max(1, threads):
            return None
        size = self.size if left is None else min(self.size, max(1, -(-left // (2 * max(1, threads)))))
        stop = self.coming + size
        if self.stops is not None:
            stop = min(stop, self.stops(self.coming))
        numbers = range(self.coming, stop)
        self.coming = stop
        self._open.add(numbers.start)
        return numbers

    def is_open(self, numbers: range) -> bool:
        """Whether nobody has done them yet."""
        return numbers.start in self._open

    def send_again(self, numbers: range) -> None:
        if self.is_open(numbers) and numbers not in self._again:
            self._again.append(numbers)

    def keep(self, numbers: range, found: Any, seconds: float) -> bool:
        """Whether it is the first time that these came back; what comes twice counts once."""
        if not self.is_open(numbers):
            return False
        self._open.discard(numbers.start)
        self._kept[numbers.start] = Done(numbers, found)
        self._paces.append((len(numbers), seconds))
        one = sum(s for _, s in self._paces) / sum(n for n, _ in self._paces)
        wanted = int(SPAN / one) if one > 0 else MOST_JOBS
        self.size = max(1, min(wanted, max(self.size, GROWS * len(numbers)), MOST_JOBS))
        return True

    def ready(self) -> Iterator[Done]:
        """What can be handed on, in order."""
        while self.due in self._kept:
            done = self._kept.pop(self.due)
            self.due = done.numbers.stop
            yield done
