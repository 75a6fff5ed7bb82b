"""Time as the live house has it: given to it, so that a test can let an hour pass at once."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Alarm(Protocol):
    """Something that is to happen later, and need not."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    def now(self) -> float:
        """Seconds from some moment on; never backwards."""
        ...

    def later(self, seconds: float, call: Callable[[], object]) -> Alarm:
        """Do something after so many seconds, in the loop that runs."""
        ...


class WallClock:
    """The time that passes."""

    def now(self) -> float:
        return time.monotonic()

    def later(self, seconds: float, call: Callable[[], object]) -> Alarm:
        return asyncio.get_running_loop().call_later(seconds, call)
