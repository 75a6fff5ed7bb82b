"""A limit on how long somebody else's code may run, in whatever thread it runs."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class OutOfTime(BaseException):
    """Raised inside the code that runs too long. Not an Exception: a game file that catches those does not go on."""


@contextmanager
def time_limit(seconds: float) -> Iterator[Callable[[], None]]:
    """Raise OutOfTime in this thread when `seconds` pass without a call of what this yields.

    A loop that never asks anybody anything cannot be seen from inside; another thread can see the clock. Python
    delivers the exception between two instructions, so the line that loops is in its traceback.
    """
    import ctypes

    me = threading.get_ident()
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    deadline, over, fired = [time.monotonic() + seconds], threading.Event(), [False]

    def renew() -> None:
        deadline[0] = time.monotonic() + seconds

    def watch() -> None:
        while not over.wait(max(0.01, deadline[0] - time.monotonic())):
            if time.monotonic() >= deadline[0]:
                fired[0] = True
                raise_in(ctypes.c_ulong(me), ctypes.py_object(OutOfTime))
                deadline[0] = time.monotonic() + 1  # and again, if the code has swallowed it

    watcher = threading.Thread(target=watch, name="pitboss watchdog", daemon=True)
    watcher.start()
    try:
        yield renew
    finally:
        try:  # what was on its way when the work was done arrives here, and is let go
            over.set()
            watcher.join()
            for _ in range(100 * fired[0]):
                pass
        except OutOfTime:
            watcher.join()
