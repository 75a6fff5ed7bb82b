"""A folder that is the user's alone, and the secret that it holds: what is sealed with it was written by him.

Machine code is run as it is found, so that whoever can write here can do whatever the user can. A folder is looked at
once in a process, and stays open: what was looked at is what is used, whatever its name leads to later.
"""

import contextlib
import errno
import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pitboss.disk.whole import NO_LINKS, part, part_of, read_whole

SECRET = "secret"
_LENGTH = 32
_KEPT = re.compile(r"([a-z]+-)?[0-9a-f]{24,32}\.[a-z]{1,8}")
_EARLIER = re.compile(r"tmp[a-z0-9_]{8}")  # what versions before 0.6 left behind when they were killed
_WRITE_OF_OTHERS, _ALL_OF_OTHERS = 0o022, 0o077
_user: Callable[[], int] | None = getattr(os, "geteuid", None)


class NotTrusted(OSError):
    """Somebody else could have put something there."""


@dataclass(frozen=True)
class Folder:
    """Open, looked at, and found to be the user's alone."""

    path: str
    handle: int | None  # None where a system cannot open folders
    secret: bytes

    def at(self, name: str) -> str:
        return name if self.handle is not None else os.path.join(self.path, name)

    def read(self, name: str, most: int) -> bytes:
        return read_whole(self.at(name), most, folder=self.handle, own=owner(), flags=NO_LINKS)

    def entries(self) -> Iterator[os.DirEntry[str]]:
        with os.scandir(self.path if self.handle is None else self.handle) as found:
            yield from found


def owner() -> int | None:
    """Whose files are believed; None where a system has no such numbers."""
    return None if _user is None else _user()


def is_kept(name: str) -> bool:
    """Whether a file of this name is one that can be made again."""
    return bool(_KEPT.fullmatch(name))


def is_left_behind(name: str) -> bool:
    """Whether it is a part of one that a process was writing when it ended."""
    return part_of(name) is not None or bool(_EARLIER.fullmatch(name))


def open_folder(path: str) -> Folder:
    """The folder, made if there is none; an error where it cannot be used or could be somebody else's work."""
    if owner() is None:
        os.makedirs(path, exist_ok=True)
        return Folder(path, None, _secret(None, path, believed=True))
    with contextlib.suppress(FileExistsError):
        os.makedirs(path, 0o700)
    if os.path.islink(path) and os.lstat(path).st_uid == owner():
        path = os.path.realpath(path)  # a user may keep his cache on another disk; nobody may keep it for him
    if os.path.islink(path):
        raise NotTrusted(errno.EPERM, "it is a link that somebody else made")
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | NO_LINKS)
    try:
        return Folder(path, handle, _secret(handle, path, believed=_made_his_alone(handle)))
    except BaseException:
        os.close(handle)
        raise


def _made_his_alone(handle: int) -> bool:
    """Whether what lies in the folder can be believed; where others could write until now, it cannot."""
    found = os.fstat(handle)
    if found.st_uid != owner():
        raise NotTrusted(errno.EPERM, "it belongs to another user")
    if not found.st_mode & _ALL_OF_OTHERS:
        return True
    if found.st_mode & stat.S_ISVTX or _of_others(os.listdir(handle)):  # its mode is not ours to change
        raise NotTrusted(errno.EPERM, "it is open to others, and for other things than this cache")
    if found.st_mode & _WRITE_OF_OTHERS:  # first of all: whoever comes next must not believe it
        with contextlib.suppress(FileNotFoundError):
            os.unlink(SECRET, dir_fd=handle)
    os.fchmod(handle, 0o700)
    if os.fstat(handle).st_mode & _ALL_OF_OTHERS:
        raise NotTrusted(errno.EPERM, "it is open to others, and cannot be closed to them")
    return not found.st_mode & _WRITE_OF_OTHERS


def _of_others(names: list[str]) -> bool:
    """Whether a folder that has no secret of ours holds what may be somebody's: things go when there are too many, so
    that nothing else may lie there. What versions before 0.6 left behind has a name that other programs use too."""
    ours = [name for name in names if is_kept(name)]
    parts = [name for name in names if part_of(name) is not None or name == SECRET]
    old = [name for name in names if _EARLIER.fullmatch(name)]
    return len(ours) + len(parts) + len(old) < len(names) or (bool(old) and not ours)


def _secret(handle: int | None, path: str, *, believed: bool) -> bytes:
    """The folder's, or a new one where there is none to believe: then nothing that was sealed before is believed."""
    folder = Folder(path, handle, b"")
    try:
        if believed and (found := _found(folder)):
            return found
        there = True
    except FileNotFoundError:
        there = False
    names = [entry.name for entry in folder.entries()]
    if believed and _of_others(names):
        raise NotTrusted(errno.EPERM, "it is for other things than this cache")
    if believed and there and not any(map(is_kept, names)):
        raise NotTrusted(errno.EPERM, "it holds a file 'secret' that is not of this cache")
    with contextlib.suppress(FileNotFoundError):
        if there:
            os.unlink(folder.at(SECRET), dir_fd=handle)
    with part(folder.at(SECRET), os.urandom(_LENGTH), folder=handle) as made:
        try:
            os.link(made, folder.at(SECRET), src_dir_fd=handle, dst_dir_fd=handle)
        except FileExistsError:
            pass  # another process was first, and its secret is as good
        except OSError:  # a disk without links
            os.replace(made, folder.at(SECRET), src_dir_fd=handle, dst_dir_fd=handle)
    found = _found(folder)
    if not found:
        raise OSError(errno.EIO, "its secret cannot be kept")
    return found


def _found(folder: Folder) -> bytes:
    """The secret that is there, or nothing where what is there is none."""
    try:
        found = folder.read(SECRET, _LENGTH)
    except FileNotFoundError:
        raise
    except OSError:
        return b""
    return found if len(found) == _LENGTH else b""
