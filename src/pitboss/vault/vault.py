"""The vault: what happened, kept. Nothing here knows what a game is."""

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self

from pitboss.rules.errors import BadInput
from pitboss.vault.audit import Fault, faults
from pitboss.vault.page import ANSWERED, HEAD
from pitboss.vault.people import PERSON, People
from pitboss.vault.plain import object_of
from pitboss.vault.postgres import Postgres
from pitboss.vault.reader import FAR, Reader, Wanted
from pitboss.vault.records import Action, Receipt, Stored, Unavailable
from pitboss.vault.schema import STEPS, check_version, upgrade, version_of
from pitboss.vault.seal import START
from pitboss.vault.seen import Seen
from pitboss.vault.sqlite import Sqlite
from pitboss.vault.stores import Link, Row, Store, reason
from pitboss.vault.writer import Writer


def now(later: float = 0.0) -> str:
    """The time in UTC, to the millisecond: 2026-11-01T20:15:00.123Z; or what it will be so many seconds later."""
    at = datetime.now(UTC) + timedelta(seconds=later)
    return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Vault(People):
    """Events in one chain, with the money that they move, in SQLite or PostgreSQL."""

    def __init__(self, store: Store, writer: Writer | None, clock: Callable[[], str], held: ExitStack) -> None:
        super().__init__()
        self._store, self._writer, self._clock, self._held = store, writer, clock, held
        self._reader = Reader(store)
        self._seen = None if writer is None else Seen(store)

    @classmethod
    def open(cls, where: str | Path, *, clock: Callable[[], str] = now, only_read: bool = False) -> "Vault":
        """A path (SQLite) or postgresql://...; its tables are made, or brought up to date. There is one writer at a
        time; with `only_read=True` anybody may look, while another process writes."""
        return cls.on(store_at(where), clock=clock, only_read=only_read)

    @classmethod
    def on(cls, store: Store, *, clock: Callable[[], str] = now, only_read: bool = False) -> "Vault":
        """The same, of a store."""
        with ExitStack() as held:
            try:
                if only_read:
                    _check(store)
                    return cls(store, None, clock, held.pop_all())
                held.enter_context(store.alone())
                link = store.write()
                held.callback(link.close)
                upgrade(link, store.name)
                return cls(store, Writer(store, link, clock), clock, held.pop_all())
            except store.errors as error:
                raise Unavailable(f"{store.name} cannot be opened: {reason(error)}") from None

    def write(self, action: Action, after: int | None = None) -> "Future[Receipt]":
        """Its future is done when the action is on the disk. It fails with Overdrawn where an account would fall below
        zero, and with Unavailable where the database is away. Who hands in actions that build on others which are not
        on the disk yet names the `failures` that there were `after` he last looked: if there were more, it fails."""
        if any(entry.kind == PERSON for entry in action.entries):
            raise BadInput(f"entries of the kind {PERSON} are the vault's own: add_person and its like write them")
        return self._write(action, after)

    def answered(self, table: str, id: str) -> Receipt | None:
        """The first answer to an action that stands; None if there was none. A command is looked up here before it is
        judged: what it did the first time may be why it would be refused the second time."""
        if self._seen is not None and not self._seen.may(table, id):
            return None
        found = self._rows(ANSWERED, json.dumps([[table, id]]))
        return Receipt(found[0][2], bytes(found[0][3]).hex(), json.loads(found[0][4]), True) if found else None

    def events(self, *, table: str | None = None, kind: str | None = None, about: str | None = None, after: int = 0,
               most: int | None = None) -> Iterator[Stored]:  # fmt: skip
        """In their order, read as they are asked for: of a table, of a kind, that name somebody (`about`, an id)."""
        wanted = Wanted(table, kind, about)
        return map(Stored.of_row, self._reader.events(wanted, after, FAR, FAR if most is None else most))

    def latest(self, *, table: str | None = None, kind: str | None = None, about: str | None = None,
               before: int | None = None, most: int | None = None) -> Iterator[Stored]:  # fmt: skip
        """The same, the last one first, `before` an event."""
        upto, many = FAR if before is None else before, FAR if most is None else most
        return map(Stored.of_row, self._reader.events(Wanted(table, kind, about), 0, upto, many, back=True))

    def snapshots(self) -> dict[str, tuple[int, dict[str, Any]]]:
        """Each table's last state, and the number of the event after which it was that."""
        out = {}
        for table, seq, state in self._rows("select table_id, seq, state from snapshot"):
            if (read := object_of(state)) is None:
                raise BadInput(f"the snapshot of {table} cannot be read: it was changed or is damaged")
            out[table] = seq, read
        return out

    def balances(self) -> dict[str, int]:
        return dict(self._rows("select name, cents from account order by name"))

    def secrets(self, table: str) -> dict[str, str]:
        """What is kept for a table beside the chain, by name."""
        return dict(self._rows("select name, told from secret where table_id = ? order by name", table))

    def head(self) -> tuple[int, str]:
        """The number and the hash of the last event."""
        found = self._rows(HEAD)
        return (found[0][0], bytes(found[0][1]).hex()) if found else (0, START.hex())

    def check(self, receipts: Mapping[int, str] | None = None) -> list[Fault]:
        """All that is not as it was written, the first fault first; nothing, if all is well. `receipts` are hashes by
        number that were kept elsewhere."""
        try:
            link = self._store.read()
            try:
                return faults(link, receipts or {})
            finally:
                link.close()
        except self._store.errors as error:
            raise Unavailable(f"{self._store.name} cannot be read: {reason(error)}") from None

    @property
    def failures(self) -> int:
        """Commits since the vault was opened in which something was not written that others may build on."""
        return 0 if self._writer is None else self._writer.failures

    @property
    def commits(self) -> int:
        """How often the disk was waited for since the vault was opened."""
        return 0 if self._writer is None else self._writer.commits

    def close(self) -> None:
        """Write what waits, and let go of the vault. The writer goes last: SQLite puts what stands in the write-ahead
        log into the file itself when nobody else has it open, and whoever copies the file then has all of it."""
        if self._seen is not None:
            self._seen.close()
        self._reader.close()
        if self._writer is not None:
            self._writer.close()
        self._reader.close()  # a thread may have looked once more
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, action: Action, after: int | None = None) -> "Future[Receipt]":
        if self._writer is None:
            raise BadInput(f"{self._store.name} was opened with only_read=True")
        if self._seen is not None:
            self._seen.add(((action.table, action.id),))
        return self._writer.take(action, after)

    def _keep(self, action: Action) -> Receipt:
        return self._write(action).result()

    def _rows(self, sql: str, *args: object) -> list[Row]:
        return self._reader.rows(sql, *args)

    def _now(self) -> str:
        return self._clock()


def store_at(where: str | Path) -> Store:
    text = str(where)
    if text.startswith(("postgresql://", "postgres://")):
        return Postgres(text)
    if not text or "://" in text:
        raise BadInput(f"{text[:40]!r} is no vault; it is a file, or postgresql://host/database")
    return Sqlite(where)


def _check(store: Store) -> None:
    """That there is a vault to look at, and that this pitboss can read it."""
    link: Link = store.read()
    try:
        found = version_of(link)
        check_version(found, store.name)
        if found < len(STEPS):
            raise BadInput(f"{store.name} holds no vault, or an older one; open it to write once, and it is made ready")
    finally:
        link.close()
