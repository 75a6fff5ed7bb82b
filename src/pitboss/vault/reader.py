"""Reading has a connection of its own, in short looks: no writer waits for it, and a log of any length fits."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass

from pitboss.vault.records import Unavailable
from pitboss.vault.stores import Link, Row, Store, reason

PAGE = 500  # events of one look
STRIDE = 10_000  # events that a look goes past for those that are wanted
FAR = 2**62
COLUMNS = "seq, at, action_table, action_id, table_id, kind, body, moves, prev, hash"


@dataclass(frozen=True)
class Wanted:
    """Which events are looked for: of a table, of a kind, and with these letters in what they say."""

    table: str | None = None
    kind: str | None = None
    about: str | None = None  # letters and digits, such as the id of a person

    @property
    def dense(self) -> bool:
        """Whether an index leads from one to the next, so that nothing is gone past."""
        return self.kind is None and self.about is None

    def said(self) -> tuple[str, tuple[str, ...]]:
        asked = (
            ("table_id = ? and ", self.table),
            ("kind = ? and ", self.kind),
            ("body like ? and ", None if self.about is None else f"%{self.about}%"),
        )
        given = [(words, value) for words, value in asked if value is not None]
        return "".join(words for words, _ in given), tuple(value for _, value in given)


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

    def events(self, wanted: Wanted, after: int, before: int, most: int, back: bool = False) -> Iterator[Row]:
        """Between two numbers, in their order or the last one first. Page by page: events never change, so that what
        is read later fits what was read before."""
        where, named = wanted.said()
        order = " desc" if back else ""
        sql = f"select {COLUMNS} from event where {where}seq > ? and seq < ? order by seq{order} limit ?"
        stride = FAR if wanted.dense else STRIDE
        before = min(before, self._end() + 1)
        while after + 1 < before and most > 0:
            size = min(PAGE, most)
            first = max(after, before - 1 - stride) if back else after
            last = before if back else min(before, after + 1 + stride)
            rows = self.rows(sql, *named, first, last, size)
            yield from rows
            most -= len(rows)
            if back:
                before = rows[-1][0] if len(rows) == size else first + 1
            else:
                after = rows[-1][0] if len(rows) == size else last - 1

    def _end(self) -> int:
        return int(self.rows("select coalesce(max(seq), 0) from event")[0][0])

    def close(self) -> None:
        with self._lock:
            self._let_go()

    def _let_go(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None
