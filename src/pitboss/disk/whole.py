"""A file is read whole, replaced in one step or not at all, and belongs to one process at a time."""

import contextlib
import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl
except ImportError:  # a system without it has no such locks: two runs on one file are its user's to avoid
    fcntl = None  # type: ignore[assignment]

NO_LINKS: int = getattr(os, "O_NOFOLLOW", 0)
_PLAIN: int = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_AT_ONCE: int = getattr(os, "O_NONBLOCK", 0)  # a pipe that nobody writes to is opened and seen for what it is
_NO_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP}
_PART = re.compile(r"\.(?P<of>.+)\.[0-9a-f]{16}\.part")


class InUse(OSError):
    """Another process has the file."""


def read_whole(
    path: str | Path, most: int, *, folder: int | None = None, own: int | None = None, flags: int = 0
) -> bytes:
    """A regular file of at most so many bytes, where `own` is given that user's alone; whatever else has its name is
    an error that says so, and is not waited for."""
    handle = os.open(path, os.O_RDONLY | _PLAIN | _AT_ONCE | flags, dir_fd=folder)
    try:
        found = os.fstat(handle)
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, "it is a folder, not a file")
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is a pipe or a device, not a file")
        if own is not None and (found.st_uid != own or found.st_mode & 0o077):
            raise PermissionError(errno.EPERM, "it is not this user's alone")
        if found.st_size > most:
            raise OSError(errno.EFBIG, f"it has {found.st_size:,} bytes, and no more than {most:,} are read")
        data = b""
        while len(data) <= found.st_size:  # one byte more than it had: it may be growing
            piece = os.read(handle, found.st_size + 1 - len(data))
            if not piece:
                return data
            data = data + piece if data else piece
        raise OSError(errno.EBUSY, "it is being written")
    finally:
        os.close(handle)


@contextmanager
def part(
    path: str | Path, data: bytes, *, folder: int | None = None, durable: bool = True, mode: int = 0o600
) -> Iterator[str]:
    """A new file beside it with this data, for the block to move into place; what is not moved is gone after it."""
    head, tail = os.path.split(path)
    name = os.path.join(head, f".{tail}.{os.urandom(8).hex()}.part")
    handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN | NO_LINKS, mode, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if durable:
                os.fsync(handle)
        yield name
    finally:
        with contextlib.suppress(OSError):
            os.unlink(name, dir_fd=folder)


def write_whole(
    path: str | Path, data: bytes, *, folder: int | None = None, durable: bool = True, mode: int = 0o600
) -> None:
    """All of it or nothing: a reader never sees half a file, and a disk that is full leaves the old one as it was and
    no part of the new one behind."""
    with part(path, data, folder=folder, durable=durable, mode=mode) as name:
        os.replace(name, path, src_dir_fd=folder, dst_dir_fd=folder)


def can_write(path: Path, data: bytes) -> None:
    """The error that writing it would end in, if any; the file stays as it is."""
    with part(path, data):
        pass


def part_of(name: str) -> str | None:
    """The file that this one was to become, when it is a part that a process left behind as it ended."""
    found = _PART.fullmatch(name)
    return found["of"] if found else None


def _remove_parts(path: Path) -> None:
    """What killed processes left of this file; for who has it locked, since nobody else is writing it then."""
    with contextlib.suppress(OSError), os.scandir(path.parent) as entries:
        for entry in entries:
            if part_of(entry.name) == path.name:
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """This process alone has the file until the end of the block; who comes second gets InUse at once. The lock is a
    file beside it, because the file itself is replaced; it goes when its process does, however that ends. Parts of the
    file that processes left behind as they were killed are gone then."""
    lock = path.with_name(f".{path.name}.lock")
    handle = None if fcntl is None else _taken(lock, path)
    try:
        yield
    finally:
        if handle is not None:
            with contextlib.suppress(OSError):
                os.unlink(lock)
            os.close(handle)


def _taken(lock: Path, path: Path) -> int:
    while True:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | _PLAIN | NO_LINKS, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove_parts(path)
        except OSError as error:
            if error.errno not in _NO_LOCKS:  # a disk without locks is like a system without them
                os.close(handle)
                raise InUse(errno.EAGAIN, "another process is using it", str(path)) from None
        with contextlib.suppress(OSError):
            if os.stat(lock).st_ino == os.fstat(handle).st_ino:
                return handle
        os.close(handle)  # who had it before has removed it meanwhile
