"""What interrupts a command from outside: a request to end is taken like Ctrl-C, and a warning is one line."""

import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from pitboss.cli.streams import complain
from pitboss.rules.watchdog import OutOfTime


@contextmanager
def stoppable() -> Iterator[list[int]]:
    """While a command runs. SIGTERM is in the list if it came: so a simulation saves what it has, and a player who is
    sent away leaves the table."""
    got: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        got.append(number)
        raise KeyboardInterrupt

    threading.excepthook = _thread_failed
    sys.unraisablehook = _failed_unseen
    ours = _take(stop)
    with warnings.catch_warnings():
        warnings.showwarning = _warned
        try:
            yield got
        finally:
            if ours:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _thread_failed(args: "threading.ExceptHookArgs") -> None:
    """A thread that somebody else has started."""
    complain(f"a thread of a game file fails with {args.exc_type.__name__}")


def _failed_unseen(args: "sys.UnraisableHookArgs") -> None:
    """What fails where nobody can be told, such as an object that goes. A clock that strikes there strikes again."""
    if not issubclass(args.exc_type, OutOfTime):
        complain(f"something that a game file left behind fails with {args.exc_type.__name__}")


def _take(stop: "signal._HANDLER") -> bool:
    """Whether SIGTERM is ours to take: not in another thread, and not where somebody else has said what it means."""
    try:
        if signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
            return False
        signal.signal(signal.SIGTERM, stop)
    except ValueError:
        return False
    return True


def _warned(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: object = None,
    line: object = None,
) -> None:
    """One of ours is a sentence; any other comes without its source line, which may say anything."""
    ours = category.__module__.partition(".")[0] == "pitboss"
    complain(str(message) if ours else f"{filename}, line {lineno}: {category.__name__}: {message}")
