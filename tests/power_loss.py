"""A disk that loses its power: writes and syncs are recorded, and the disk is rebuilt as a cut would leave it. What was
synced is there; of what was not, a random half of the sectors is.

SQLite writes to it through a file system of apsw's, which has no shared memory: one connection, in exclusive mode.
"""

import os
import random
from pathlib import Path
from typing import Any

import apsw

from pitboss.vault.sqlite import Sqlite

SECTOR = 512
RECORD: list[tuple[Any, ...]] = []
"""What happened to the disk, in order: ("write", file, at, bytes), ("truncate", file, size), ("sync", file),
("delete", file); and ("asked", n) and ("ack", seq, hash) where somebody asked, and where a promise was made."""


class _File(apsw.VFSFile):
    def __init__(self, name: Any, flags: Any) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        self.name = os.path.basename(path)
        super().__init__("", name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:
        RECORD.append(("write", self.name, offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, size: int) -> None:
        RECORD.append(("truncate", self.name, size))
        super().xTruncate(size)

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        RECORD.append(("sync", self.name))


class _Disk(apsw.VFS):
    def __init__(self) -> None:
        super().__init__("power", "")

    def xOpen(self, name: Any, flags: Any) -> _File:
        return _File(name, flags)

    def xDelete(self, name: str, sync: bool) -> None:
        RECORD.append(("delete", os.path.basename(name)))
        super().xDelete(name, sync)


_disk = _Disk()


class _Raw:
    """A connection of apsw's that looks like one of sqlite3's."""

    def __init__(self, path: Path, words: dict[str, str]) -> None:
        self.link, self.words = apsw.Connection(str(path), vfs="power"), words
        self.execute("pragma locking_mode=exclusive")

    def execute(self, sql: str, args: tuple[Any, ...] = ()) -> Any:
        return self.link.execute(self.words.get(sql, sql), args)

    def executemany(self, sql: str, rows: list[tuple[Any, ...]]) -> None:
        self.link.executemany(sql, rows)

    def close(self) -> None:
        self.link.close()


class OnThisDisk(Sqlite):
    """A vault's file on it; `words` changes what the vault asks of SQLite, to see what that is good for."""

    errors = (apsw.Error,)  # type: ignore[assignment]

    def __init__(self, path: Path, words: dict[str, str] | None = None) -> None:
        super().__init__(path)
        self.words = words or {}

    def connect(self, mode: str) -> Any:
        raw = _Raw(self.path, self.words)
        raw.execute("pragma wal_autocheckpoint=12")  # many of them, so that cuts fall into some
        return raw


def after_kill(record: list[tuple[Any, ...]], folder: Path) -> None:
    """The files as a killed process leaves them: the system has all that was written."""
    _rebuild(record, folder, lambda: True)


def after_cut(record: list[tuple[Any, ...]], folder: Path, luck: random.Random) -> None:
    """The files as a power cut leaves them."""
    _rebuild(record, folder, lambda: luck.random() < 0.5)


def _rebuild(record: list[tuple[Any, ...]], folder: Path, reached: Any) -> None:
    sure: dict[str, bytearray] = {"v.db": bytearray()}  # its name is on the disk before anything is in it
    waiting: dict[str, list[tuple[Any, ...]]] = {}
    for what, name, *more in record:
        if what == "delete":
            sure.pop(name, None)
            waiting.pop(name, None)
        elif what == "sync":
            for done in waiting.pop(name, []):
                _apply(sure.setdefault(name, bytearray()), done, lambda: True)
        elif what in ("write", "truncate"):
            waiting.setdefault(name, []).append((what, *more))
    for name, left in waiting.items():
        for done in left:
            _apply(sure.setdefault(name, bytearray()), done, reached)
    for old in folder.iterdir():
        old.unlink()
    for name, data in sure.items():
        (folder / name).write_bytes(data)


def _apply(file: bytearray, done: tuple[Any, ...], reached: Any) -> None:
    if done[0] == "truncate":
        if reached():
            del file[done[1] :]
        return
    _, at, data = done
    for start in range(0, len(data), SECTOR):
        if reached():
            sector = data[start : start + SECTOR]
            end = at + start + len(sector)
            file.extend(bytes(max(0, end - len(file))))
            file[at + start : end] = sector
