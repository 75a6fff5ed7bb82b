"""What is left of a vault when its process, its server, its disk or its power goes: all that was acknowledged, once."""

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers import ROOT
from pitboss.rules.errors import BadInput
from pitboss.vault import Action, Entry, Overdrawn, Unavailable, Vault
from pitboss.vault.sqlite import Sqlite
from postgres import Server, by_another_way


def paid(id: str, cents: int = 5, more: str = "") -> Action:
    return Action("t1", id, (Entry("t1", "paid", {"more": more}, {"cage": -cents, "purse:ann": cents}),), {"id": id})


# ---- kill -9


def crash(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(ROOT / "tests" / "crash_vault.py"), *words], capture_output=True, text=True, timeout=600
    )


@pytest.mark.parametrize("store", ["sqlite", "postgresql"])
def test_forty_kills_lose_nothing(store: str) -> None:
    done = crash("--kills", "40", "--store", store, "--seed", "7")
    if done.returncode == 3:
        pytest.skip(done.stdout.splitlines()[-1])
    assert done.returncode == 0 and "nothing lost" in done.stdout, done.stdout + done.stderr
    assert "the writer ended" not in done.stderr, done.stderr


def test_a_writer_that_acknowledges_too_early_is_found() -> None:
    """Or the test above could not fail."""
    done = crash("--kills", "40", "--store", "sqlite", "--careless")
    assert done.returncode == 1 and "was acknowledged, and is lost" in done.stdout, done.stdout + done.stderr


# ---- the database goes away, and comes back


def test_a_server_that_is_killed_is_found_again(postgres: Server) -> None:
    url = postgres.fresh()
    with Vault.open(url) as vault:
        first = vault.write(paid("a")).result()
        assert vault.head()[0] == 1
        postgres.kill()
        for asked in (lambda: vault.write(paid("b")).result(), vault.head, vault.check):
            with pytest.raises(Unavailable) as told:
                asked()
            assert "\n" not in str(told.value) and "cannot be" in str(told.value)
        postgres.start()
        assert vault.head() == (1, first.hash)
        assert vault.write(paid("a")).result().repeated
        assert vault.write(paid("b")).result().seq == 2 and vault.check() == []


def test_a_connection_that_is_cut_is_made_again(postgres: Server) -> None:
    url = postgres.emptied()
    with Vault.open(url) as vault, by_another_way(url) as execute:
        vault.write(paid("a")).result()
        for n in range(3):
            execute("select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'pitboss'")
            with pytest.raises(Unavailable, match="cannot be written"):
                vault.write(paid(f"b{n}")).result()
            assert not vault.write(paid(f"b{n}")).result().repeated
        assert vault.head()[0] == 4 and vault.check() == []


@pytest.fixture
def small_disk(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A disk that takes so many pages of every file that is opened from now on."""
    pages, connect = [0], Sqlite.connect

    def full(store: Sqlite, mode: str) -> Any:
        raw = connect(store, mode)
        if pages[0]:
            raw.execute(f"pragma max_page_count={pages[0]}")
        return raw

    monkeypatch.setattr(Sqlite, "connect", full)
    return pages


def test_a_full_disk_is_a_sentence_and_nothing_is_half_written(tmp_path: Path, small_disk: list[int]) -> None:
    small_disk[0] = 40
    with Vault.open(tmp_path / "v.db") as vault:
        kept, lost = 0, 0
        for n in range(12):
            try:
                vault.write(paid(f"a{n}", more="x" * 20_000)).result()
                kept += 1
            except Unavailable as error:
                assert "cannot be written: database or disk is full" in str(error) and "\n" not in str(error)
                lost += 1
        assert kept and lost and vault.head()[0] == kept and vault.check() == []
        small_disk[0] = 0  # somebody makes room
        assert vault.write(paid("b", more="x" * 60_000)).result().seq == kept + 1 and vault.check() == []


def test_a_disk_that_fails_in_the_commit_leaves_a_doubt_that_the_repeat_settles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the commit that was not acknowledged stands or not, it stands once after it was asked again."""
    with Vault.open(tmp_path / "v.db") as vault:
        vault.write(paid("a")).result()
        writer = vault._writer
        assert writer is not None
        for stands in (True, False):
            link = writer._link
            assert link is not None
            monkeypatch.setattr(link, "do", _failing(link.do, stands))
            id = f"b{stands}"
            with pytest.raises(Unavailable, match="disk I/O error"):
                vault.write(paid(id)).result()
            assert vault.write(paid(id)).result().repeated is stands
        assert vault.head()[0] == 3 and vault.check() == []


def _failing(do: Any, stands: bool) -> Any:
    def instead(sql: str, *args: object) -> None:
        if sql == "commit":
            if stands:
                do(sql)
            raise sqlite3.OperationalError("disk I/O error")
        do(sql, *args)

    return instead


def test_a_log_that_somebody_else_has_written_is_not_gone_on_with(vault_at: str) -> None:
    with Vault.open(vault_at) as vault:
        vault.write(paid("a")).result()
        with by_another_way(vault_at) as execute:
            execute(
                "insert into event select 2, at, action_table, 'x', table_id, kind, body, moves, hash, hash from event"
            )
        for _ in range(2):
            with pytest.raises(Unavailable, match=r"is not as it was left: it ends with event 2"):
                vault.write(paid("b")).result()
        with by_another_way(vault_at) as execute:
            execute("delete from event where seq = 2")
        assert vault.write(paid("b")).result().seq == 2 and vault.check() == []


def test_a_clock_that_fails_is_its_callers_fault_and_stops_nobody(tmp_path: Path) -> None:
    times = iter(["one", "two"])
    with Vault.open(tmp_path / "v.db", clock=lambda: next(times)) as vault:
        vault.write(paid("a")).result()
        vault.write(paid("b")).result()
        with pytest.raises(StopIteration):
            vault.write(paid("c")).result()
        assert vault.head()[0] == 2 and vault.write(paid("a")).exception() is not None


# ---- power loss

CUTS = 250


@pytest.fixture(scope="module")
def ram() -> Iterator[Path]:
    """The disk is rebuilt hundreds of times, and is no real one: memory will do."""
    shared = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(prefix="pitboss-power-", dir=shared) as folder:
        yield Path(folder)


def evening(folder: Path, words: dict[str, str] | None = None) -> list[tuple[Any, ...]]:
    """What an evening does to the disk, with every promise that was made in between."""
    power = pytest.importorskip("power_loss", reason="apsw is not installed here")
    for old in folder.iterdir():
        old.unlink()
    power.RECORD.clear()
    luck = random.Random(3)
    with Vault.on(power.OnThisDisk(folder / "v.db", words)) as vault:
        for n in range(50):
            power.RECORD.append(("asked", n))
            handed = [vault.write(paid(f"{n}-{k}", more="x" * luck.randint(0, 900))) for k in range(luck.randint(1, 4))]
            handed.append(
                vault.write(Action("t1", f"{n}-x", (Entry("t1", "x", {}, {"purse:ann": -9999, "cage": 9999}),)))
            )
            for future in handed:
                if not isinstance(future.exception(), Overdrawn):
                    receipt = future.result()
                    power.RECORD.append(("ack", receipt.seq, receipt.hash))
        record = list(power.RECORD)
    return record


def judged(folder: Path, record: list[tuple[Any, ...]]) -> str:
    """What a vault that is opened on such a disk has to say, held against the promises made until then."""
    promised = {r[1]: r[2] for r in record if r[0] == "ack"}
    try:
        with Vault.open(folder / "v.db") as vault:
            faults = vault.check(promised)
            return "good" if not faults else "lost" if "receipt" in str(faults[0]) else str(faults[0])
    except BadInput as error:
        return str(error)


def cuts(folder: Path, record: list[tuple[Any, ...]], count: int, seed: int) -> dict[str, int]:
    import power_loss

    luck, out = random.Random(seed), dict[str, int]()
    for _ in range(count):
        until = record[: luck.randrange(1, len(record) + 1)]
        power_loss.after_cut(until, folder, luck)
        verdict = judged(folder, until)
        out[verdict] = out.get(verdict, 0) + 1
    return out


def test_no_power_cut_loses_what_was_acknowledged(ram: Path) -> None:
    record = evening(ram)
    assert sum(r[0] == "sync" and r[1] == "v.db" for r in record) > 3  # cuts fall into checkpoints too
    assert cuts(ram, record, CUTS, 1) == {"good": CUTS}


def test_a_disk_that_is_not_waited_for_loses_some(ram: Path) -> None:
    """Or the test above could not fail: with synchronous=NORMAL a commit returns before it is on the disk."""
    found = cuts(ram, evening(ram, {"pragma synchronous=full": "pragma synchronous=normal"}), 60, 2)
    assert found.pop("lost") > 20 and set(found) <= {"good"}


@pytest.mark.parametrize("brought", [True, False])
def test_what_a_killed_process_left_is_on_the_disk_before_it_is_acknowledged(ram: Path, brought: bool) -> None:
    """Killed while it waited for the disk: its last commit can be seen, and is not kept yet. The next process tells
    whoever repeats it that it stands; then the power goes. A vault that has not brought it to the disk loses it."""
    power = pytest.importorskip("power_loss", reason="apsw is not installed here")
    record, luck, found = evening(ram), random.Random(5), dict[str, int]()
    waiting = [i for i, r in enumerate(record) if r == ("sync", "v.db-wal") and ("asked", 0) in record[:i]]
    for at in luck.sample(waiting, 30):
        killed = record[:at]
        power.after_kill(killed, ram)
        power.RECORD.clear()
        words = {} if brought else {"pragma wal_checkpoint(truncate)": "select 0"}
        with Vault.on(power.OnThisDisk(ram / "v.db", words)) as vault:
            last = max(n for what, n, *_ in killed if what == "asked")
            receipt = vault.write(paid(f"{last}-0")).result()
            power.RECORD.append(("ack", receipt.seq, receipt.hash))
            cut = [*killed, *power.RECORD]
        if receipt.repeated:  # else it had come no further than the head of its log
            power.after_cut(cut, ram, luck)
            verdict = judged(ram, cut)
            found[verdict] = found.get(verdict, 0) + 1
    assert found.pop("good" if brought else "lost") > 15
    assert not found if brought else set(found) <= {"good"}
