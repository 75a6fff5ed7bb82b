"""A limit on how long somebody else's code may run, in whatever thread it runs."""

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

NAME = "pitboss watchdog"
_LOCK = threading.Lock()
_WATCHED: dict[int, "Watch"] = {}  # by thread: one at a time, an inner one in the place of an outer one
_IDLE = 0.5  # seconds after which a watcher with nothing to watch goes home
_LOOK = 0.2  # seconds between two looks at the clock
_STRIKES = 8  # a second apart; what has swallowed so many cannot be ended from inside
_watcher: threading.Thread | None = None


class OutOfTime(BaseException):
    """Raised inside the code that runs too long. Not an Exception: a game file that catches those does not go on."""


@dataclass(eq=False)
class Watch:
    """What one thread runs, and until when it may."""

    seconds: float
    deadline: float
    before: "Watch | None" = None
    file: str = ""  # whose code it is, where that is known
    what: str = ""  # and what of it
    strikes: int = 0

    @property
    def fired(self) -> bool:
        return self.strikes > 0

    def renew(self) -> None:
        """Another piece of the work is done: the clock starts again."""
        self.deadline = time.monotonic() + self.seconds


given_up: Callable[[Watch, int], None] | None = None
"""What is done about code that cannot be ended, with the line at which it is. A program that others rely on lets it
run; the command line, which has nothing else to do, ends."""


def begin(seconds: float, file: str = "", what: str = "") -> Watch:
    """From here to `end`, this thread gets OutOfTime when `seconds` pass without a call of `renew`.

    A loop that never asks anybody anything cannot be seen from inside; another thread can see the clock. Python
    delivers the exception between two instructions, so the line that loops is in its traceback. What never comes back
    to Python (a power of a power) is not reached; what sleeps is woken in the main thread, as if by the user.
    """
    global _watcher
    me = threading.get_ident()
    watch = Watch(seconds, time.monotonic() + seconds, _WATCHED.get(me), file, what)
    with _LOCK:
        _WATCHED[me] = watch
        if _watcher is None or not _watcher.is_alive():
            _watcher = threading.Thread(target=_look, name=NAME, daemon=True)
            _watcher.start()
    return watch


def end(watch: Watch) -> None:
    """The work is done, in time or not. What was on its way when it was done arrives here, and is let go."""
    try:
        _over(watch)
        for _ in range(100 * watch.fired):
            pass
    except OutOfTime:
        _over(watch)


def _over(watch: Watch) -> None:
    me = threading.get_ident()
    with _LOCK:
        if watch.before is not None:
            watch.before.renew()
            _WATCHED[me] = watch.before
        elif _WATCHED.get(me) is watch:
            del _WATCHED[me]


@contextmanager
def time_limit(seconds: float) -> Iterator[Watch]:
    """The same for a block."""
    watch = begin(seconds)
    try:
        yield watch
    finally:
        end(watch)


def _look() -> None:
    """One thread for all that is watched; it ends when there has been nothing to do for a while."""
    global _watcher
    busy = time.monotonic()
    while True:
        time.sleep(_LOOK)
        with _LOCK:
            now = time.monotonic()
            busy = now if _WATCHED else busy
            if now - busy > _IDLE:
                _watcher = None
                return
            late = [(thread, watch) for thread, watch in _WATCHED.items() if now >= watch.deadline]
            for thread, watch in late:
                line = _line(thread, watch.file) if watch.file else 1
                if line is None:  # it has left the file, by whatever way
                    del _WATCHED[thread]
                    continue
                if watch.strikes >= _STRIKES and given_up is not None:
                    given_up(watch, line)
                _stop(thread, again=watch.fired)
                watch.strikes += 1
                watch.deadline = now + 1  # and again, if the code has swallowed it


def _line(thread: int, file: str) -> int | None:
    """The innermost line of the file at which a thread is."""
    frame = sys._current_frames().get(thread)
    while frame is not None and frame.f_code.co_filename != file:
        frame = frame.f_back
    return None if frame is None else frame.f_lineno


def left() -> Watch | None:
    """What is still watched in this thread though nobody waits for it: a clock may strike between two instructions
    anywhere. From here on it is not."""
    with _LOCK:
        return _WATCHED.pop(threading.get_ident(), None)


def _stop(thread: int, again: bool) -> None:
    """Raise OutOfTime in the thread. If that did not help, the thread may wait for the system, which knows nothing of
    Python's exceptions but lets a signal through to the main thread: it is then interrupted as if by the user."""
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    waits = again and thread == threading.main_thread().ident and hasattr(signal, "pthread_kill")
    if waits and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        raise_in(ctypes.c_ulong(thread), None)
        signal.pthread_kill(thread, signal.SIGINT)
    else:
        raise_in(ctypes.c_ulong(thread), ctypes.py_object(OutOfTime))


def _forked() -> None:
    """A child process has no watcher, and nothing that was watched goes on in it."""
    global _LOCK, _watcher
    _LOCK, _watcher = threading.Lock(), None
    _WATCHED.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
