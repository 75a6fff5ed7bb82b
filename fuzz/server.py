"""A warm process that forks a child for every case, so that a case costs its own work and not a second of imports.

One JSON line in is a job, one JSON line out is how it ended. A child leaves by the ordinary way out of Python, so what
goes wrong while the interpreter shuts down is seen as well. Nothing here may start a thread: a fork copies only one.
"""

import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import resource
import select
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

LIMIT_MEMORY = 4 << 30
LIMIT_FILE = 256 << 20
COLD: list[str | bytes] = [sys.executable, "-m", "pitboss.cli"]


def warm() -> None:
    """Import everything that a command may want."""
    import numpy  # noqa: F401
    import rich.console
    import rich.progress  # noqa: F401

    import pitboss

    for module in pkgutil.walk_packages(pitboss.__path__, "pitboss."):
        if not module.name.endswith("__main__") and ".games." not in module.name:
            importlib.import_module(module.name)
    with contextlib.suppress(ImportError):  # drawing is an extra
        for name in ("figure", "patches", "font_manager", "backends.backend_agg", "backends.backend_svg"):
            importlib.import_module(f"matplotlib.{name}")
    assert threading.active_count() == 1, "a fork copies one thread only"
    gc.collect()
    gc.freeze()


def serve() -> dict[str, Any] | None:
    """Run jobs until there are no more; in the child that is to run one, that job comes back."""
    for line in sys.stdin:
        job: dict[str, Any] = json.loads(line)
        sys.stdout.flush()
        begun = time.monotonic()
        child = os.fork()
        if child == 0:
            return job
        hang = not _ended(child, begun, job["interrupt"], job["seconds"])
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)  # whatever is left of it; the child itself may be waiting to be read
        _, status, usage = os.wait4(child, 0)
        out = {
            "code": os.waitstatus_to_exitcode(status),
            "seconds": time.monotonic() - begun,
            "hang": hang,
            "memory": usage.ru_maxrss >> 10,
        }
        print(json.dumps(out), flush=True)
    return None


def _ended(child: int, begun: float, interrupt: float | None, seconds: float) -> bool:
    """Whether the child ends in time; it is interrupted on the way if the job wants that."""
    watched = os.pidfd_open(child)
    try:
        if interrupt is not None:
            if _wait(watched, begun + interrupt):
                return True
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGINT)
        return _wait(watched, begun + seconds)
    finally:
        os.close(watched)


def _wait(watched: int, until: float) -> bool:
    poll = select.poll()
    poll.register(watched, select.POLLIN)
    return bool(poll.poll(max(0.0, until - time.monotonic()) * 1000))


def become(job: dict[str, Any]) -> int:
    """In the child: the folder, the environment and the three streams of the job, then the command itself."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(job["folder"])
    os.environ.clear()
    os.environ.update(job["env"])
    tempfile.tempdir = None  # it is looked for again, in this environment
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_MEMORY, LIMIT_MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT_FILE, LIMIT_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in (0, 1, 2):
        _stream(number, job["streams"][number])
    if job["cold"]:
        os.execve(sys.executable, [*COLD, *(os.fsencode(word) for word in job["argv"])], os.environ)
    sys.stdin, sys.stdout, sys.stderr = (_text(number) for number in (0, 1, 2))
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
    sys.argv = ["pitboss", *job["argv"]]
    from pitboss.cli import main

    return main()


def _stream(number: int, where: str) -> None:
    if where == "closed":
        os.close(number)
        return
    flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT
    handle = os.open(where, flags, 0o600)
    os.dup2(handle, number)
    os.close(handle)


def _text(number: int) -> io.TextIOWrapper | None:
    """A standard stream as Python opens it when it starts; a closed one is None."""
    try:
        os.fstat(number)
    except OSError:
        return None
    encoding, _, errors = os.environ.get("PYTHONIOENCODING", "").partition(":")
    usual = "backslashreplace" if number == 2 else "strict"
    if os.environ.get("LC_ALL") in ("C", "POSIX") and number != 2:
        usual = "surrogateescape"
    raw = io.FileIO(number, "r" if number == 0 else "w", closefd=False)
    buffered = io.BufferedReader(raw) if number == 0 else io.BufferedWriter(raw)
    errors = "backslashreplace" if number == 2 else errors or usual
    return io.TextIOWrapper(buffered, encoding or "utf-8", errors, line_buffering=number == 2)


def run() -> None:
    """The whole life of the process."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
    warm()
    print("ready", flush=True)
    job = serve()
    if job is not None:
        raise SystemExit(become(job))


if __name__ == "__main__":
    run()
