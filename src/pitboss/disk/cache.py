"""Where what can be made again is kept: object code, look-up tables, long counts.

Each file is sealed with the secret of its folder, over its name and all that it holds: one that is damaged, renamed,
swapped for another, or put there by somebody else is not believed, and made again. What was not used for longest goes
first when there is too much.
"""

import contextlib
import hmac
import os
import re
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TypeVar

from pitboss.disk.folder import Folder, is_kept, is_left_behind, open_folder
from pitboss.disk.whole import write_whole

T = TypeVar("T")

USUAL_MB = 512
MOST_IN_ONE = 1 << 28  # bytes
LEFT_BEHIND = 3600.0  # seconds after which nobody is writing it any more
_USED_AGAIN = 60.0  # seconds after which a use is noted: a date of every use is a write for every read
_FORMAT = b"pitboss cache 2\n"
_SEAL = 32


class NotKept(UserWarning):
    """The cache is not used, or not as asked: the work goes on, and takes longer."""


def cache_directory() -> Path | None:
    """$PITBOSS_CACHE, or the user's cache directory; None where there is no telling where that is."""
    given = os.environ.get("PITBOSS_CACHE")
    if given:
        return Path(os.path.abspath(given))
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # as its standard says
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "pitboss" if os.path.isabs(base) else None


def recall(name: str, read: Callable[[bytes], T]) -> T | None:
    """What was kept under this name, as `read` makes it out; None if it is not there, not whole, not from here, or not
    to be made out: then it is made again."""
    found = _CACHE.folder()
    if found is None:
        return None
    try:
        raw = found.read(name, MOST_IN_ONE)
    except OSError:
        return None
    start = len(_FORMAT) + _SEAL
    if len(raw) < start or not hmac.compare_digest(
        raw[:start], _FORMAT + _sealed(found, name, memoryview(raw)[start:])
    ):
        return None
    _note_use(found, name)
    try:
        return read(raw[start:])
    except Exception:  # ours, and of another numpy or of a class that has changed since
        return None


def keep(name: str, data: bytes) -> None:
    """In one step, so that a reader never sees half a file; a cache that cannot be written is no reason to stop."""
    if not is_kept(name):
        raise ValueError(f"{name!r} is not the name of a thing that can be made again")
    found, most = _CACHE.folder(), _limit()
    if found is None or len(data) > min(most, MOST_IN_ONE) - len(_FORMAT) - _SEAL:
        return
    try:  # the seal tells what a power cut has torn, so that the disk need not be waited for
        sealed = b"".join((_FORMAT, _sealed(found, name, data), data))
        write_whole(found.at(name), sealed, folder=found.handle, durable=False)
        _CACHE.grown(found, len(sealed), most)
    except FileNotFoundError:
        _CACHE.forget()  # somebody has removed the folder: there is a new one next time
    except OSError:
        pass


def _sealed(folder: Folder, name: str, data: bytes | memoryview) -> bytes:
    seal = hmac.new(folder.secret, _FORMAT + name.encode() + b"\0", "sha256")
    seal.update(data)
    return seal.digest()


def _note_use(folder: Folder, name: str) -> None:
    with contextlib.suppress(OSError):
        if time.time() - os.stat(folder.at(name), dir_fd=folder.handle).st_mtime > _USED_AGAIN:
            os.utime(folder.at(name), dir_fd=folder.handle)


def _limit() -> int:
    """How many bytes are kept in all."""
    given = os.environ.get("PITBOSS_CACHE_MB", "").strip()
    if re.fullmatch(r"[0-9]{1,9}", given, re.ASCII):
        return int(given) << 20
    if given:
        _tell(f"PITBOSS_CACHE_MB is a whole number of megabytes, not {given[:40]!r}; it is taken to be {USUAL_MB}")
    return USUAL_MB << 20


def sweep(folder: Folder, most: int) -> None:
    """Remove what killed processes left behind, and of the rest what was not used for longest, until it is few enough
    bytes. Another process may do the same: what is gone is gone."""
    there: list[tuple[float, int, str]] = []
    for entry in folder.entries():
        with contextlib.suppress(OSError):
            about = entry.stat(follow_symlinks=False)
            if is_left_behind(entry.name) and time.time() - about.st_mtime > LEFT_BEHIND:
                os.unlink(folder.at(entry.name), dir_fd=folder.handle)
            elif is_kept(entry.name):
                there.append((about.st_mtime, about.st_size, entry.name))
    total = sum(size for _, size, _ in there)
    for _, size, name in sorted(there):
        if total <= most:
            break
        with contextlib.suppress(OSError):
            os.unlink(folder.at(name), dir_fd=folder.handle)
            total -= size


@dataclass
class _Cache:
    """The folder of this process: opened and looked at once, and again when another is named."""

    of: str = ""
    open: Folder | None = None
    since: int | None = None  # bytes kept since it was last swept; None before the first time

    def __post_init__(self) -> None:
        self.lock = Lock()

    def folder(self) -> Folder | None:
        try:
            place = cache_directory()
        except OSError:  # the folder that we are in is gone
            place = None
        if place is None:
            return None
        with self.lock:
            if self.of != str(place):
                self.of, self.open, self.since = str(place), self._opened(str(place)), None
            return self.open

    def _opened(self, path: str) -> Folder | None:
        try:
            return open_folder(path)
        except OSError as error:
            why = error.strerror or "it cannot be used"
            _tell(f"nothing is kept in {path!r}: {why}; set PITBOSS_CACHE to a folder of your own to start faster")
            return None

    def forget(self) -> None:
        with self.lock:
            self.of = ""

    def grown(self, folder: Folder, size: int, most: int) -> None:
        """Look at the whole folder after the first file of a process, and then now and then."""
        with self.lock:
            due = self.since is None or self.since + size > most // 8
            self.since = 0 if due else (self.since or 0) + size
        if due:
            sweep(folder, most)


_CACHE = _Cache()


@cache
def _tell(sentence: str) -> None:
    warnings.warn(sentence, NotKept, stacklevel=2)
