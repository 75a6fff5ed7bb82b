"""Two databases, one SQL: it is written as SQLite has it, and PostgreSQL changes a few words.

A *store* knows where the vault is, connects to it, and has the lock that makes one process its writer. A *link* is a
connection, whichever database is behind it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any, ClassVar, Protocol

Row = tuple[Any, ...]


class Link:
    """A connection, spoken to in the SQL of SQLite."""

    begin: ClassVar[str]  # a transaction that writes
    look: ClassVar[str]  # one that reads, and sees the same to its end
    words: ClassVar[tuple[tuple[str, str], ...]] = ()
    tables: ClassVar[str]  # whether there is one of a name

    def __init__(self, raw: Any) -> None:
        self.raw = raw

    def rows(self, sql: str, *args: object) -> list[Row]:
        found: list[Row] = self.raw.execute(said(sql, self.words), args).fetchall()
        return found

    def do(self, sql: str, *args: object) -> None:
        self.raw.execute(said(sql, self.words), args)

    def many(self, sql: str, rows: Sequence[Row]) -> None:
        for row in rows:
            self.do(sql, *row)

    def append(self, table: str, rows: Sequence[Row]) -> None:
        """Rows with all their columns, to the end of a table, as fast as the database takes them."""
        raise NotImplementedError

    def has(self, table: str) -> bool:
        return bool(self.rows(self.tables, table))

    def undo(self) -> None:
        """Give up a transaction, if there is one and the database is still there."""
        with contextlib.suppress(Exception):
            self.raw.execute("rollback")

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self.raw.close()

    def damage(self) -> str:
        """What the database itself finds wrong with its file; empty where it looks after that alone."""
        return ""


class Store(Protocol):
    """Where a vault is."""

    @property
    def name(self) -> str:
        """As a person may read it: without a password."""
        ...

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What the database raises when something is wrong with it."""
        ...

    def alone(self) -> AbstractContextManager[None]:
        """This process is its writer until the end of the block; who comes second gets a sentence."""
        ...

    def write(self) -> Link:
        """A connection that writes; what it has committed is on the disk."""
        ...

    def read(self) -> Link:
        """A connection that cannot write, and that no writer waits for."""
        ...


@lru_cache(maxsize=256)
def said(sql: str, words: tuple[tuple[str, str], ...]) -> str:
    for ours, theirs in words:
        sql = sql.replace(ours, theirs)
    return sql


def reason(error: BaseException) -> str:
    """The first line of what a database says, without its full stop: it becomes part of a sentence."""
    text = next(iter(_lines(str(error))), type(error).__name__)
    return text.strip().rstrip(".")[:200]


def _lines(text: str) -> Iterable[str]:
    return (line for line in text.splitlines() if line.strip())
