"""A vault in a PostgreSQL database, in a schema of its own.

The writer has a lock of the server for as long as its connection lasts. So when a connection was lost in the middle of
a commit, the next one cannot begin before the server has made an end of it, one way or the other.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from pitboss.rules.errors import BadInput
from pitboss.vault.records import Unavailable
from pitboss.vault.stores import Link, Row, reason

LOCK = 0x706974626F7373  # its number among the locks of a database
PATIENCE = 2.0  # seconds in which the server notices that the writer before was killed
_SETTINGS = (
    "-c synchronous_commit=on -c search_path=pitboss -c client_min_messages=warning"
    # Every question is answered by an index. A plan that was made while the log was short must not be kept that reads
    # all of it later.
    " -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off"
)
_OF_WRITER = " -c statement_timeout=30s -c lock_timeout=10s -c idle_in_transaction_session_timeout=60s"
_REACH = {"connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3,
          "tcp_user_timeout": 20_000}  # fmt: skip


class PostgresLink(Link):
    begin = "begin"
    look = "begin isolation level repeatable read read only"
    tables = "select 1 from pg_tables where schemaname = 'pitboss' and tablename = ?"
    words = (
        ("json_each(?)", "json_array_elements(cast(? as json))"),
        ("integer", "bigint"), ("blob", "bytea"), (" strict", ""), ("?", "%s"),
    )  # fmt: skip

    def append(self, table: str, rows: Sequence[Row]) -> None:
        with self.raw.cursor() as cursor, cursor.copy(f"copy {table} from stdin") as copy:
            for row in rows:
                copy.write_row(row)


class Postgres:
    def __init__(self, url: str) -> None:
        try:
            import psycopg.conninfo
        except ImportError:
            raise BadInput("a vault in PostgreSQL needs psycopg: pip install 'pitboss[postgres]'") from None
        try:
            psycopg.conninfo.conninfo_to_dict(url)
            self.url, self.name = url, _shown(url)
        except (psycopg.Error, ValueError):  # what they say of it may hold the password
            raise BadInput("this is no address of a database; it is postgresql://user@host/database") from None
        self.errors: tuple[type[Exception], ...] = (psycopg.Error,)

    @contextmanager
    def alone(self) -> Iterator[None]:
        yield  # the lock is the connection's

    def write(self) -> Link:
        link = self._link(_SETTINGS + _OF_WRITER)
        try:
            self._check_server(link)
            self._take(link)
            if not link.rows("select 1 from pg_namespace where nspname = 'pitboss'"):
                link.do("create schema pitboss")
        except self.errors as error:
            link.close()
            raise Unavailable(f"{self.name} cannot be used: {reason(error)}") from None
        except BaseException:
            link.close()
            raise
        return link

    def read(self) -> Link:
        return self._link(_SETTINGS + " -c default_transaction_read_only=on")

    def _link(self, options: str) -> Link:
        import psycopg

        try:
            settings: dict[str, Any] = {**_REACH, "options": options, "application_name": "pitboss"}
            return PostgresLink(psycopg.connect(self.url, autocommit=True, **settings))
        except (psycopg.Error, ValueError) as error:
            raise Unavailable(f"{self.name} cannot be opened: {reason(error)}") from None

    def _check_server(self, link: Link) -> None:
        if link.rows("show server_encoding")[0][0] != "UTF8":
            raise BadInput(f"{self.name} does not keep its text as UTF8; make the database with that encoding")
        if link.rows("show fsync")[0][0] != "on":
            raise BadInput(f"{self.name} has fsync off: what it says is kept may be lost; switch it on")

    def _take(self, link: Link) -> None:
        last = time.monotonic() + PATIENCE
        while not link.rows("select pg_try_advisory_lock(?)", LOCK)[0][0]:
            if time.monotonic() > last:
                raise BadInput(f"another process is writing to {self.name}; a vault has one writer at a time")
            time.sleep(0.05)


def _shown(url: str) -> str:
    """Host and database, and nothing that would let somebody in."""
    parts = urlsplit(url)
    return f"postgresql://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}"
