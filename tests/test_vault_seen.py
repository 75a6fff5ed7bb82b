"""What is new is known to be without asking the database, and nothing that was written is ever taken for new."""

import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.vault import HOUSE, Action, Entry, Overdrawn, Unavailable, Vault
from pitboss.vault import seen as seens
from test_vault import Held, paid
from test_web_recovery import Flaky

PATIENCE = 20  # seconds, and then something has gone wrong for good
TABLES = ("t1", "t2", "T1", HOUSE, "é-1")
IDS = st.text(st.sampled_from("aAbBzZ019-_:. éß♠"), min_size=1, max_size=4)
ASKED = st.lists(st.tuples(st.sampled_from(TABLES), IDS), max_size=12)


def noted(table: str, id: str) -> Action:
    return Action(table, id, (Entry(table, "noted", {"id": id}),))


def write(vault: Vault, asked: list[tuple[str, str]]) -> None:
    """All of them in as few commits as there may be."""
    for future in [vault.write(noted(*one)) for one in asked]:
        future.result()


def whole(vault: Vault) -> None:
    """Until the filter holds all that was in the log."""
    assert vault._seen is not None
    vault._seen._thread.join(PATIENCE)
    assert vault._seen.whole


class Gate:
    """In place of the reader that fills the filter: it looks only when it is let."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.free = threading.Semaphore(0)
        self.asks = threading.Semaphore(0)
        self.open = False
        gate = self

        class Gated(seens.Reader):
            def rows(self, sql: str, *args: object) -> list[Any]:
                gate.asks.release()
                assert gate.open or gate.free.acquire(timeout=PATIENCE)
                return super().rows(sql, *args)

        monkeypatch.setattr(seens, "Reader", Gated)

    def looks(self, times: int = 1) -> None:
        for _ in range(times):
            self.free.release()

    @contextmanager
    def at(self, where: str) -> Iterator[Vault]:
        """A vault whose filter is filled no further than it is let; until it is closed, which waits for that."""
        with Vault.open(where) as vault:
            try:
                yield vault
            finally:
                self.open = True
                self.looks()


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Callable[[Vault], list[str]]:
    """What a vault asks its database from now on, besides what fills the filter."""

    def count(vault: Vault) -> list[str]:
        asked: list[str] = []
        rows = vault._reader.rows

        def counting(sql: str, *args: object) -> list[Any]:
            asked.append(sql)
            return rows(sql, *args)

        monkeypatch.setattr(vault._reader, "rows", counting)
        return asked

    return count


# ---- what was written is found


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_what_was_written_is_never_taken_for_new(kind: str, request: pytest.FixtureRequest) -> None:
    """Written before the vault was opened or since, and however far the filter has come."""
    server = request.getfixturevalue("postgres") if kind == "postgresql" else None

    @settings(max_examples=8 if server else 25)
    @given(ASKED, st.lists(st.tuples(ASKED, st.integers(0, 3)), max_size=4), st.integers(1, 4))
    def check(before: list[tuple[str, str]], then: list[tuple[list[tuple[str, str]], int]], page: int) -> None:
        with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
            where = server.emptied() if server else f"{folder}/vault.db"
            with Vault.open(where) as vault:
                write(vault, before)
            patch.setattr(seens, "PAGE", page)
            gate = Gate(patch)
            known = [*before]
            with gate.at(where) as vault:
                for asked, looks in then:
                    write(vault, asked)
                    known += asked
                    gate.looks(looks)
                    for one in known:
                        found = vault.answered(*one)
                        assert found is not None and found.repeated, one
                gate.looks(len(known) + 2)
                whole(vault)
                assert all(vault.answered(*one) is not None for one in known)
                assert vault.answered("t3", "a") is None and vault.answered("t1", "b" * 9) is None
            with Vault.open(where, only_read=True) as looked:
                assert all(looked.answered(*one) is not None for one in known)
                assert looked.answered("t3", "a") is None

    check()


def test_as_soon_as_it_is_handed_in_it_may_be_there(tmp_path: Path) -> None:
    """While it is on its way to the disk the database is asked, and says no; it is not forgotten by then."""
    clock = Held()
    with Vault.open(tmp_path / "vault.db", clock=clock) as vault:
        whole(vault)
        future = vault.write(paid("a"))
        assert clock.reached.wait(PATIENCE)
        assert vault._seen is not None and vault._seen.may("t1", "a") and vault.answered("t1", "a") is None
        clock.free.set()
        receipt, found = future.result(), vault.answered("t1", "a")
        assert found is not None and (found.seq, found.hash) == (receipt.seq, receipt.hash)


# ---- what is new is not asked for


def test_the_database_is_not_asked_for_what_is_new(
    vault_at: str, counted: Callable[[Vault], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seens, "PAGE", 7)
    with Vault.open(vault_at) as vault:
        write(vault, [("t1", f"a{n}") for n in range(40)])
    with Vault.open(vault_at) as vault:
        whole(vault)
        asked = counted(vault)
        assert all(vault.answered(table, f"b{n}") is None for table in ("t1", "t2") for n in range(500))
        assert vault.answered("t2", "a1") is None and vault.answered("a1", "t1") is None and not asked
        assert all(vault.answered("t1", f"a{n}") is not None for n in range(40)) and len(asked) == 40
        write(vault, [("t1", f"b{n}") for n in range(20)])
        assert all(vault.answered("t1", f"b{n}") is not None for n in range(20)) and len(asked) == 60
        assert vault.answered("t1", "b20") is None and len(asked) == 60


def test_a_large_log_still_lets_most_that_is_new_pass(tmp_path: Path) -> None:
    with Vault.open(tmp_path / "vault.db") as vault:
        whole(vault)
        assert vault._seen is not None
        vault._seen.add(("t1", f"person:{n}") for n in range(100_000))
        assert all(vault._seen.may("t1", f"person:{n}") for n in range(0, 100_000, 7))
        assert sum(vault._seen.may("t1", f"other:{n}") for n in range(20_000)) < 20


def test_until_the_filter_is_whole_the_database_is_asked(
    vault_at: str, counted: Callable[[Vault], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    with gate.at(vault_at) as vault:
        asked = counted(vault)
        assert vault.answered("t1", "a") is None and len(asked) == 1
        gate.looks(2)
        whole(vault)
        assert vault.answered("t1", "a") is None and len(asked) == 1


def test_who_only_reads_asks_the_database(vault_at: str) -> None:
    """Somebody else writes, and no filter of his own would know."""
    with Vault.open(vault_at) as vault:
        write(vault, [("t1", "a")])
        with Vault.open(vault_at, only_read=True) as looked:
            assert looked.answered("t1", "a") is not None and looked.answered("t1", "b") is None
            write(vault, [("t1", "b")])
            assert looked.answered("t1", "b") is not None


# ---- what fails


@pytest.mark.parametrize("doubt", [False, True], ids=["lost", "in doubt"])
def test_a_write_that_failed_is_found_where_it_stands(tmp_path: Path, doubt: bool) -> None:
    store = Flaky(tmp_path / "vault.db")
    with Vault.on(store) as vault:
        whole(vault)
        store.fail, store.doubt = 1, doubt
        with pytest.raises(Unavailable):
            vault.write(paid("a")).result()
        assert (vault.answered("t1", "a") is not None) == doubt
        assert vault.write(paid("a")).result().repeated == doubt
        found = vault.answered("t1", "a")
        assert found is not None and found.seq == 1
        with pytest.raises(Overdrawn):
            vault.write(paid("b", -(10**6))).result()
        assert vault.answered("t1", "b") is None


def test_a_log_that_cannot_be_gone_through_is_asked_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, counted: Callable[[Vault], list[str]]
) -> None:
    with Vault.open(tmp_path / "vault.db") as vault:
        write(vault, [("t1", f"a{n}") for n in range(9)])
    monkeypatch.setattr(seens, "PAGE", 2)
    looks: Iterator[int] = iter(range(3))

    class Away(seens.Reader):
        def rows(self, sql: str, *args: object) -> list[Any]:
            if next(looks, None) is None:
                raise Unavailable("the database is away")
            return super().rows(sql, *args)

    monkeypatch.setattr(seens, "Reader", Away)
    with Vault.open(tmp_path / "vault.db") as vault:
        assert vault._seen is not None
        vault._seen._thread.join(PATIENCE)
        asked = counted(vault)
        assert not vault._seen.whole and vault.answered("t1", "b") is None and len(asked) == 1
        assert all(vault.answered("t1", f"a{n}") is not None for n in range(9))


def test_a_vault_is_closed_while_the_filter_is_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Vault.open(tmp_path / "vault.db") as vault:
        write(vault, [("t1", f"a{n}") for n in range(30)])
    monkeypatch.setattr(seens, "PAGE", 1)
    gate = Gate(monkeypatch)
    vault = Vault.open(tmp_path / "vault.db")
    seen = vault._seen
    assert seen is not None
    assert gate.asks.acquire(timeout=PATIENCE)
    for _ in range(3):
        gate.looks()
        assert gate.asks.acquire(timeout=PATIENCE)  # the next look is wanted, and is not let
    closing = threading.Thread(target=vault.close)
    closing.start()
    late = time.monotonic() + PATIENCE
    while not seen._left:
        assert time.monotonic() < late
        time.sleep(0.01)
    closing.join(0.1)
    assert closing.is_alive()  # it waits for the look that is under way
    gate.looks()
    closing.join(PATIENCE)
    assert not closing.is_alive() and not seen._thread.is_alive() and not seen.whole
    with sqlite3.connect(tmp_path / "vault.db") as alone:
        assert alone.execute("select count(*) from action").fetchone() == (30,)


# ---- two at once


def test_two_threads_that_add_at_once_lose_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both would read a byte, and write it with a bit of their own: here they meet between the two, if they can."""
    with Vault.open(tmp_path / "vault.db") as vault:
        whole(vault)
        seen = vault._seen
        assert seen is not None
        both = threading.Barrier(2)

        class Slow(bytearray):
            def __getitem__(self, at: Any) -> Any:
                found = super().__getitem__(at)
                try:
                    both.wait(0.1)
                except threading.BrokenBarrierError:  # nobody else may be here
                    both.reset()
                return found

        seen._bits = Slow(1 << 10)
        places = {"a": (0, 1, 2), "b": (3, 4, 5)}
        monkeypatch.setattr(seens, "_places", lambda table, id: places[id])
        threads = [threading.Thread(target=seen.add, args=([("t1", id)],)) for id in places]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert bytes(seen._bits)[0] == 0b111111
