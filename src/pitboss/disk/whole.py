"""A file is replaced in one step or not at all, and belongs to one process at a time."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # a system without it has no such locks: two runs on one file are its user's to avoid
    fcntl = None  # type: ignore[assignment]


class InUse(OSError):
    """Another process has the file."""


def write_whole(path: Path, data: bytes) -> None:
    """All of it or nothing: a reader never sees half a file, and a disk that is full leaves the old one as it was and
    no part of the new one behind."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """This process alone has the file until the end of the block; who comes second gets InUse at once. The lock is a
    file beside it, because the file itself is replaced; it goes when its process does, however that ends."""
    lock = path.with_name(f".{path.name}.lock")
    while fcntl is not None:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            raise InUse(f"{path} is in use by another process") from None
        with contextlib.suppress(OSError):
            if os.stat(lock).st_ino == os.fstat(handle).st_ino:
                break
        os.close(handle)  # who had it before has removed it meanwhile
    try:
        yield
    finally:
        if fcntl is not None:
            with contextlib.suppress(OSError):
                os.unlink(lock)
            os.close(handle)
