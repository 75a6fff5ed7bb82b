"""What a worker of a cluster does: it sees whether it fits, sets a bench up once, and does spans of jobs on it.

No object code comes over the wire, and no figure that a worker could work out itself: it reads the rules, solves them
and compiles them, and its hashes of all that must be those of the machine that it works for.
"""

import hashlib
import pickle
import sys
import time
from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import Any

from pitboss.crew.bench import Bench
from pitboss.rules.errors import BadInput
from pitboss.rules.sent import received, sent
from pitboss.version import __version__, sources

MOST_BENCHES = 4  # that stay set up
DONE, UNFIT, REFUSED, FAILED = "done", "unfit", "refused", "failed"
Report = tuple[str, str, float, Any]  # which of these, by whom, seconds, and what was found or a sentence


def stamp() -> dict[str, str]:
    """What two machines must agree in before anything is read."""
    import numpy

    python = ".".join(map(str, sys.version_info[:2]))
    return {"pitboss": __version__, "sources": sources(), "Python": python, "numpy": numpy.__version__}


def packed(bench: Bench) -> bytes:
    """A bench as a letter: everything is a value, but for one function that is sent by its name."""
    letter = bench.letter()
    return pickle.dumps((letter.make, sent(letter.house), dict(letter.more), dict(bench.identity())))


def do(theirs: Mapping[str, str], post: bytes, start: int, stop: int) -> Report:
    """A span of jobs. What it is called and what it takes must never change: an older worker is asked just so, and
    says that it is older."""
    try:
        check_stamp(theirs)
        bench = _BENCHES.bench(post)
    except BadInput as error:
        return UNFIT, name(), 0.0, str(error)
    try:
        started = time.perf_counter()
        found = bench.do(range(start, stop))
        return DONE, name(), time.perf_counter() - started, found
    except BadInput as error:
        return REFUSED, name(), 0.0, str(error)
    except Exception as error:  # told apart from all that can go wrong on the way
        return FAILED, name(), 0.0, f"{type(error).__name__}: {error}"


def name() -> str:
    """Of this worker, as its scheduler has it."""
    from distributed import get_worker

    return str(get_worker().address)


def check_stamp(theirs: Mapping[str, str]) -> None:
    ours = stamp()
    for what in ("pitboss", "Python", "numpy"):
        if theirs.get(what) != ours[what]:
            raise BadInput(f"it has {what} {ours[what]}, and you have {what} {theirs.get(what)}; both must be the same")
    if theirs.get("sources") != ours["sources"]:
        raise BadInput(f"its pitboss {ours['pitboss']} is not yours, file by file; install the same on both")


class _Benches:
    """Those that were asked for last. Threads of one worker share a bench, and the first of them sets it up."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[bytes, tuple[Lock, list[Bench]]] = OrderedDict()

    def bench(self, post: bytes) -> Bench:
        key = hashlib.sha256(post).digest()
        with self._lock:
            lock, made = self._kept.setdefault(key, (Lock(), []))
            self._kept.move_to_end(key)
            while len(self._kept) > MOST_BENCHES:
                self._kept.popitem(last=False)
        with lock:
            if not made:
                made.append(_made(post))
        return made[0]


def _made(post: bytes) -> Bench:
    make, house, more, identity = pickle.loads(post)
    try:
        bench: Bench = make(received(*house), **more)
    except BadInput as error:
        raise BadInput(f"it cannot set up the work: {error}") from None
    differ = [what for what, value in bench.identity().items() if identity.get(what) != value]
    if differ:
        raise BadInput(f"what it works out is not what you have: {', '.join(differ)} differs")
    return bench


_BENCHES = _Benches()
