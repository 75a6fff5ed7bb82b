"""The last resort: what no other part of the command line has understood is one line, and the details are in a file."""

import errno
import os
import sys
import threading
import time
from collections.abc import Sequence

from pitboss.cli.streams import Unwritten, closed, complain, let_go
from pitboss.plain import clean
from pitboss.rules.errors import Site
from pitboss.rules.files import RUN
from pitboss.rules.mistakes import failed, raised_in, too_long
from pitboss.rules.watchdog import OutOfTime, Watch, left

MISTAKE, INTERNAL, UNWRITTEN = 2, 70, 74  # the last two as in sysexits.h
LEAVING = 3.0  # seconds in which a process ends once its command has
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def told(error: BaseException, words: Sequence[str]) -> int:
    """Say what went wrong, and give the exit code."""
    stale = left()
    if isinstance(error, OutOfTime) and stale is not None:
        complain(str(failed(stale.file, error.__context__ or error, stale.what, seconds=stale.seconds)))
        return MISTAKE
    if isinstance(error, Unwritten) or (isinstance(error, OSError) and error.errno in _FULL):
        complain(f"the output could not be written: {error.strerror or 'it is closed'}")
        return UNWRITTEN
    if closed():  # a game file may do that
        complain("the output could not be written: it is closed")
        return UNWRITTEN
    if (mistake := raised_in(RUN, error)) is not None:
        complain(str(mistake))
        return MISTAKE
    kept = _kept(error, words)
    where = f"; the details are in {kept}" if kept else ""
    if isinstance(error, MemoryError):
        complain(f"there is not enough memory for this: ask for less at once, or free some{where}")
    elif isinstance(error, RecursionError):
        complain(f"something here is nested deeper than can be followed; write it flatter{where}")
    else:
        complain(f"{_in_a_word(error)}; this is a fault of pitboss and not yours{where}")
    return INTERNAL


def _in_a_word(error: BaseException) -> str:
    try:
        said = " ".join(str(error).split())
    except Exception:  # an error that cannot even be spelled
        said = ""
    said = said if len(said) <= 120 else f"{said[:117]}..."
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _kept(error: BaseException, words: Sequence[str]) -> str:
    """The file with the whole story, which only its owner can read; nothing where none can be written."""
    try:
        import platform
        import tempfile
        import traceback

        from pitboss.version import __version__

        others = ("numpy", "llvmlite", "rich", "matplotlib")
        versions = [f"{n} {getattr(sys.modules[n], '__version__', '?')}" for n in others if n in sys.modules]
        told = [f"pitboss {__version__}", f"Python {platform.python_version()} on {platform.platform()}", *versions]
        story = "".join(traceback.format_exception(error))
        handle, name = tempfile.mkstemp(prefix="pitboss-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(clean(f"{', '.join(told)}\narguments: {list(words)!r}\n\n{story}"))
    except Exception:  # the one line comes all the same
        return ""
    return name


# ---- what a game file leaves behind


def give_up(watch: Watch, line: int) -> None:
    """Code that swallows whatever would end it, or waits where nothing reaches it: it ends with the process."""
    complain(str(too_long(Site(watch.file, line), watch.what, watch.seconds)))
    let_go()
    os._exit(MISTAKE)


def leave(code: int) -> None:
    """The command is over. Threads and last words of a game file may take a moment, and not for ever."""

    def end() -> None:
        time.sleep(LEAVING)
        complain("what a game file has left running was ended")
        os._exit(code)

    if RUN:
        threading.Thread(target=end, daemon=True).start()
