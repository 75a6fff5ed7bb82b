"""A PostgreSQL server of one's own: in a folder that goes with it, on a socket in that folder, with nothing shared.

Tests take the fixture `postgres` of conftest.py. A program takes `with private() as server`. From a shell,

    python tests/postgres.py python bench/vault.py --db {url}

runs a command with the address of a fresh database in the place of {url}.
"""

import contextlib
import glob
import itertools
import os
import pwd
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PORT = "54329"  # it only names the socket: the server listens on no network
_START = 60.0  # seconds; after a kill it first makes an end of what was going on


class NoPostgres(Exception):
    """Why there is none."""


def folder_of_programs() -> Path:
    """Where initdb and postgres are."""
    found = [Path(p).parent for p in glob.glob("/usr/lib/postgresql/*/bin/initdb")]
    named = shutil.which("initdb")
    if named:
        found.append(Path(named).resolve().parent)
    if not found:
        raise NoPostgres("PostgreSQL is not installed here: apt-get install postgresql")
    return max(found, key=lambda p: int(p.parent.name) if p.parent.name.isdigit() else 0)


class Server:
    """One cluster; it can be stopped, killed and started again."""

    def __init__(self) -> None:
        self.programs = folder_of_programs()
        self.user = _somebody_else()  # initdb refuses root
        self.folder = Path(tempfile.mkdtemp(prefix="pitboss-pg-", dir="/tmp"))
        if self.user is not None:
            shutil.chown(self.folder, self.user, self.user)
        self.process: subprocess.Popen[bytes] | None = None
        self.numbers, self.made = itertools.count(1), ""
        made = self._run("initdb", "-D", "data", "-A", "trust", "-U", "postgres", "--locale=C.UTF-8", "--no-sync")
        if made.returncode:
            raise NoPostgres(f"initdb: {made.stderr.decode(errors='replace')[-300:]}")

    def start(self) -> None:
        """Up, and answering; after a kill the first try may find the old one still going."""
        last = time.monotonic() + _START
        while True:
            if self.process is None or self.process.poll() is not None:
                with open(self.folder / "log", "ab") as log:
                    self.process = subprocess.Popen(
                        [str(self.programs / "postgres"), "-D", "data", "-k", str(self.folder), "-p", PORT,
                         "-c", "listen_addresses=", "-c", "dynamic_shared_memory_type=mmap"],
                        cwd=self.folder, stdout=log, stderr=log, user=self.user, group=self.user,
                        extra_groups=[] if self.user else None,
                    )  # fmt: skip
            if self._run("pg_isready", "-q", "-h", str(self.folder), "-p", PORT).returncode == 0:
                return
            if time.monotonic() > last:
                raise NoPostgres((self.folder / "log").read_text(errors="replace")[-500:])
            time.sleep(0.05)

    def kill(self) -> None:
        """With -9, and all that work for it: as a machine that stops, but for what the system still writes."""
        assert self.process is not None
        theirs = [pid for pid, parent in _parents() if parent == self.process.pid]
        for pid in (self.process.pid, *theirs):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()

    def fresh(self) -> str:
        """The address of a new, empty database."""
        import psycopg

        name = f"vault{next(self.numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as link:
            link.execute(f"create database {name}")  # type: ignore[call-overload]
        return self.url(name)

    def emptied(self) -> str:
        """The address of one database that is used again and again; whoever is still in it is shown out. To make a new
        one takes ten times as long."""
        import psycopg

        if not self.made:
            self.made = self.fresh()
        with psycopg.connect(self.made, autocommit=True) as link:
            others = "datname = current_database() and pid <> pg_backend_pid()"
            link.execute(f"select pg_terminate_backend(pid, 5000) from pg_stat_activity where {others}")
            link.execute("drop schema if exists pitboss cascade")
        return self.made

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}&port={PORT}"

    def remove(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)  # at once, but it gives its shared memory back
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *args: str) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [str(self.programs / program), *args], cwd=self.folder, capture_output=True, user=self.user,
            group=self.user, extra_groups=[] if self.user else None,
        )  # fmt: skip


@contextmanager
def private() -> Iterator[Server]:
    server = Server()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@contextmanager
def by_another_way(where: str | Path) -> Iterator[Callable[..., Any]]:
    """A vault's database as anybody can reach it who has it, in either kind: what executes SQL there."""
    link: Any
    if str(where).startswith("postgresql"):
        import psycopg

        link = psycopg.connect(str(where), autocommit=True, options="-c search_path=pitboss")
    else:
        link = sqlite3.connect(where, isolation_level=None)
    try:
        yield link.execute
    finally:
        link.close()


def _somebody_else() -> str | None:
    if os.geteuid():
        return None
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        raise NoPostgres("PostgreSQL does not run as root, and there is no user postgres") from None


def _parents() -> Iterator[tuple[int, int]]:
    for path in glob.glob("/proc/[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            pid, _, rest = Path(path).read_text().partition(" ")
            yield int(pid), int(rest.rpartition(")")[2].split()[1])


if __name__ == "__main__":
    try:
        with private() as server:
            url = server.fresh()
            sys.exit(subprocess.run([word.replace("{url}", url) for word in sys.argv[1:]]).returncode)
    except NoPostgres as missing:
        sys.exit(str(missing))
