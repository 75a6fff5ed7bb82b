"""A vault in one file. WAL with synchronous=FULL: a commit is on the disk before it returns (docs/vault.md has the
power cuts that were tried)."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pitboss.disk import InUse, locked
from pitboss.rules.errors import BadInput
from pitboss.vault.records import Unavailable
from pitboss.vault.stores import Link, Row, reason

OLDEST = (3, 38, 0)  # strict tables, and ->> for JSON
OURS = 0x70626F73  # the application id that marks a file as a vault
BUSY = 5.0  # seconds that a commit waits for somebody who looks into the file with another program
_LARGEST_WAL = 64 << 20  # bytes that are kept of a write-ahead log that a long audit has made grow


class SqliteLink(Link):
    begin = "begin immediate"
    look = "begin"
    tables = "select 1 from sqlite_master where type = 'table' and name = ?"

    def append(self, table: str, rows: Sequence[Row]) -> None:
        self.raw.executemany(f"insert into {table} values({', '.join('?' * len(rows[0]))})", rows)

    def damage(self) -> str:
        found = str(self.rows("pragma integrity_check(1)")[0][0])
        return "" if found == "ok" else found


class Sqlite:
    errors = (sqlite3.Error,)

    def __init__(self, path: str | Path) -> None:
        if sqlite3.sqlite_version_info < OLDEST:
            raise BadInput(f"a vault in a file needs SQLite 3.38 or newer, and this is {sqlite3.sqlite_version}")
        try:
            self.path = Path(os.path.realpath(path))
        except ValueError:
            raise BadInput(f"{str(path)[:40]!r} is not the name of a file") from None
        self.name = str(path)

    @contextmanager
    def alone(self) -> Iterator[None]:
        self._found()
        try:
            lock = locked(self.path)
            lock.__enter__()
        except InUse:
            raise BadInput(f"another process is writing to {self.name}; a vault has one writer at a time") from None
        except OSError as error:
            raise BadInput(f"{self.name} cannot be opened: {error.strerror or error}") from None
        try:
            yield
        finally:
            lock.__exit__(None, None, None)

    def write(self) -> Link:
        self._make()
        link = self._link("rw")
        try:
            for pragma in ("foreign_keys=on", "fullfsync=on", "checkpoint_fullfsync=on"):
                link.do(f"pragma {pragma}")
            if self._is_empty(link):
                link.do(f"pragma application_id={OURS}")
            self._settle(link)
        except BaseException:
            link.close()
            raise
        return link

    def read(self) -> Link:
        found = self._found()
        if found is None:
            raise BadInput(f"there is no vault {self.name}")
        link = self._link("ro")
        try:
            self._is_empty(link)
        except BaseException:
            link.close()
            raise
        return link

    def connect(self, mode: str) -> Any:
        """Apart, so that a test can put a disk of its own under it."""
        return sqlite3.connect(
            f"file:{quote(str(self.path))}?mode={mode}", uri=True, isolation_level=None, check_same_thread=False,
            timeout=BUSY,
        )  # fmt: skip

    def _link(self, mode: str) -> Link:
        try:
            return SqliteLink(self.connect(mode))
        except self.errors as error:
            raise Unavailable(f"{self.name} cannot be opened: {reason(error)}") from None

    def _settle(self, link: Link) -> None:
        """Make sure of the promise, and of what is there: a process that was killed while it waited for the disk has
        left commits that can be seen and are not yet kept. Whoever repeats one of them is told that it stands, so they
        are brought to the disk first."""
        if link.rows("pragma journal_mode=wal")[0][0] != "wal":
            raise BadInput(f"{self.name} lies on a disk that cannot keep a write-ahead log; use another folder")
        link.do("pragma synchronous=full")
        link.do(f"pragma journal_size_limit={_LARGEST_WAL}")
        if link.rows("pragma wal_checkpoint(truncate)")[0][0]:  # somebody is reading, and it was not finished
            _sync(Path(f"{self.path}-wal"))

    def _is_empty(self, link: Link) -> bool:
        """Whether nothing is in it yet; what is neither that nor a vault is left alone."""
        try:
            mark = int(link.rows("pragma application_id")[0][0])
            tables = int(link.rows("select count(*) from sqlite_master")[0][0])
        except sqlite3.DatabaseError as error:
            if type(error) is sqlite3.DatabaseError:  # "file is not a database"
                raise BadInput(f"{self.name} is not a vault: {reason(error)}") from None
            raise
        if tables and mark != OURS:
            raise BadInput(f"{self.name} is a database of something else, not a vault")
        return mark != OURS

    def _found(self) -> os.stat_result | None:
        try:
            found = os.stat(self.path)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadInput(f"{self.name} cannot be opened: {error.strerror or error}") from None
        if not stat.S_ISREG(found.st_mode):
            raise BadInput(f"{self.name} is a folder or a device; a vault is a file, or postgresql://...")
        return found

    def _make(self) -> None:
        """An empty file that is the user's alone, and whose name is on the disk before anything is in it."""
        if self._found() is not None:
            return
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            _sync(self.path.parent)
        except OSError as error:
            raise BadInput(f"{self.name} cannot be made: {error.strerror or error}") from None


def _sync(path: Path) -> None:
    """Bring a file or a folder to the disk. (Never the database itself: to close it here would let go of SQLite's locks
    on it.)"""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
