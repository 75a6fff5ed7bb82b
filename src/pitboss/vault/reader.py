"""Reading has a connection of its own, in short looks: no writer waits for it, and a log of any length fits."""

import threading
from collections.abc import Iterator

from pitboss.vault.records import Unavailable
from pitboss.vault.stores import Link, Row, Store, reason

PAGE = 500  # events of one look
COLUMNS = "seq, at, action_table, action_id, table_id, kind, body, moves, prev, hash"


class Reader:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._link: Link | None = None
        self._lock = threading.Lock()

    def rows(self, sql: str, *args: object) -> list[Row]:
        """A database that has been away is tried once more."""
        with self._lock:
            for again in (True, False):
                try:
                    if self._link is None:
                        self._link = self._store.read()
                    return self._link.rows(sql, *args)
                except self._store.errors as error:
                    self._let_go()
                    if not again:
                        raise Unavailable(f"{self._store.name} cannot be read: {reason(error)}") from None
        raise AssertionError("unreachable")

    def events(self, table: str | None, after: int, most: int | None) -> Iterator[Row]:
        """Page by page: events never change, so that what is read later fits what was read before."""
        of_table, named = ("", ()) if table is None else ("table_id = ? and ", (table,))
        sql = f"select {COLUMNS} from event where {of_table}seq > ? order by seq limit ?"
        left = most
        while left is None or left > 0:
            size = PAGE if left is None else min(PAGE, left)
            rows = self.rows(sql, *named, after, size)
            yield from rows
            if len(rows) < size:
                return
            after = rows[-1][0]
            left = None if left is None else left - size

    def close(self) -> None:
        with self._lock:
            self._let_go()

    def _let_go(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None
