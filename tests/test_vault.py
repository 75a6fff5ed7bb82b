"""The vault, on both databases: what is written stays, as it was, once; what cannot be written changes nothing."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import pytest

from helpers import ROOT
from pitboss.rules.errors import BadInput
from pitboss.vault import HOUSE, Action, Entry, Overdrawn, Receipt, Stored, Unavailable, Vault
from pitboss.vault import page as pages
from pitboss.vault import schema as schemas
from pitboss.vault import writer as writers
from pitboss.vault.vault import store_at
from postgres import by_another_way

AT = "2026-11-01T20:15:00.000Z"


def paid(id: str, cents: int = 100, *, to: str = "purse:ann", table: str = "t1", **more: Any) -> Action:
    """The cage pays somebody."""
    return Action(table, id, (Entry(table, "paid", {"why": id}, {"cage": -cents, to: cents}),), **more)


def bet(id: str, cents: int, seat: int = 1) -> Action:
    return Action("t1", id, (Entry("t1", "bet", {}, {"purse:ann": -cents, f"stake:t1:{seat}": cents}),))


@pytest.fixture
def vault(vault_at: str) -> Iterator[Vault]:
    with Vault.open(vault_at, clock=lambda: AT) as opened:
        yield opened


class Held:
    """A clock that stops the writer until it is let go, so that what is asked meanwhile shares one commit."""

    def __init__(self) -> None:
        self.free, self.reached = threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.reached.set()
        assert self.free.wait(20)
        return AT


# ---- what is written


def test_what_was_written_is_there(vault: Vault, vault_at: str) -> None:
    body = {"cards": ["A♠", "Kh"], "seat": 3, "open": True, "none": None, "deep": {"z": [], "a": {}}}
    entries = (
        Entry("t1", "dealt", body),
        Entry("t1", "paid", {}, {"cage": -700, "purse:ann": 700}),
        Entry(HOUSE, "noted", {"of": "t1"}),
    )
    receipt = vault.write(Action("t1", "a", entries, {"ok": True}, {"shoe": [1, 2]})).result()
    assert receipt == Receipt(3, vault.head()[1], {"ok": True}, False)
    first, second, third = vault.events()
    assert first.body == body and second.moves == {"cage": -700, "purse:ann": 700} and third.table == HOUSE
    assert [(e.of, e.action, e.at, e.seq) for e in (first, second, third)] == [("t1", "a", AT, n) for n in (1, 2, 3)]
    assert vault.balances() == {"cage": -700, "purse:ann": 700}
    assert vault.snapshots() == {"t1": (3, {"shoe": [1, 2]})}
    assert vault.check() == []
    vault.close()
    with Vault.open(vault_at) as again:
        assert [*again.events()] == [first, second, third] and again.head() == (3, receipt.hash)
        assert again.balances() == {"cage": -700, "purse:ann": 700} and again.snapshots()["t1"][1] == {"shoe": [1, 2]}


def test_the_hash_is_that_of_an_array_which_anybody_can_write(vault: Vault) -> None:
    """By hand, with nothing of ours: canonical JSON, ASCII, keys sorted, the hash before in hexadecimal."""
    vault.write(Action("t1", "a", (Entry("t1", "said", {"é": "♠", "b": [1, True, None]}),))).result()
    vault.write(paid("b", 5)).result()
    one = '[1,"2026-11-01T20:15:00.000Z","t1","a","t1","said",{"b":[1,true,null],"\\u00e9":"\\u2660"},{},"' + "0" * 64
    first = hashlib.sha256(f'{one}"]'.encode()).hexdigest()
    two = f'[2,"{AT}","t1","b","t1","paid",{{"why":"b"}},{{"cage":-5,"purse:ann":5}},"{first}"]'
    assert [e.hash for e in vault.events()] == [first, hashlib.sha256(two.encode()).hexdigest()]
    assert [e.prev for e in vault.events()] == ["0" * 64, first]


def test_a_repeat_gets_the_first_answer_and_changes_nothing(vault: Vault, vault_at: str) -> None:
    first = vault.write(paid("a", 100, answer={"seat": 4})).result()
    vault.write(paid("b")).result()
    assert vault.write(paid("a", 999, answer={"seat": 5}, snapshot={"no": 1})).result() == Receipt(
        first.seq, first.hash, {"seat": 4}, True
    )
    assert vault.answered("t1", "a") == Receipt(first.seq, first.hash, {"seat": 4}, True)
    assert vault.answered("t2", "a") is None and vault.answered("t1", "c") is None
    assert not vault.write(paid("a", table="t2")).result().repeated  # an id is its table's
    vault.close()
    with Vault.open(vault_at) as again:
        assert again.write(paid("a")).result().repeated
        assert again.head()[0] == 3 and again.balances()["purse:ann"] == 300 and again.snapshots() == {}


def test_a_repeat_in_the_same_commit_is_a_repeat(vault_at: str) -> None:
    clock = Held()
    with Vault.open(vault_at, clock=clock) as vault:
        first = vault.write(paid("first"))
        assert clock.reached.wait(20)
        futures = [vault.write(paid("a", n)) for n in (7, 8, 9)]
        clock.free.set()
        assert [f.result().repeated for f in (first, *futures)] == [False, False, True, True]
        assert vault.balances()["purse:ann"] == 107 and vault.commits == 2


def test_secrets_stand_beside_the_chain(vault: Vault) -> None:
    def keep(id: str, **secrets: str) -> None:
        vault.write(Action("t1", id, (Entry("t1", "shuffled", {"n": id}, secrets=secrets),))).result()

    keep("a", seed="tell nobody", salt="é\n")
    keep("b", seed="another")
    assert vault.secrets("t1") == {"seed": "another", "salt": "é\n"} and vault.secrets("t2") == {}
    assert "tell" not in str([*vault.events()]) and "another" not in repr(Entry("t", "k", secrets={"x": "another"}))
    keep("c", seed="")
    assert vault.secrets("t1") == {"salt": "é\n"} and vault.check() == []


def test_a_snapshot_replaces_the_last_one(vault: Vault) -> None:
    for n in range(3):
        vault.write(paid(f"a{n}", snapshot={"round": n})).result()
    vault.write(paid("b", table="t2", snapshot={"round": 9})).result()
    assert vault.snapshots() == {"t1": (3, {"round": 2}), "t2": (4, {"round": 9})}


def test_events_are_read_page_by_page(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.vault.reader.PAGE", 3)
    for future in [vault.write(paid(str(n), table=f"t{n % 2}")) for n in range(10)]:
        future.result()

    def read(**asked: Any) -> list[int]:
        return [e.seq for e in vault.events(**asked)]

    assert read() == [*range(1, 11)] and read(after=7) == [8, 9, 10] and read(after=10) == []
    assert read(most=4) == [1, 2, 3, 4] and read(most=0) == [] and read(most=3) == [1, 2, 3] and read(most=99)[-1] == 10
    assert (
        read(table="t1") == [2, 4, 6, 8, 10] and read(table="t1", after=4, most=2) == [6, 8] and read(table="x") == []
    )


# ---- money


def test_an_account_that_would_fall_below_zero_fails_alone(vault_at: str) -> None:
    """Of one commit: what stands before it counts for it, and what comes after it is not hurt by it."""
    clock = Held()
    with Vault.open(vault_at, clock=clock) as vault:
        asked = [vault.write(paid("a", 100))]
        assert clock.reached.wait(20)
        asked += [vault.write(a) for a in (bet("b", 60), bet("c", 60), bet("d", 40), bet("e", 1))]
        clock.free.set()
        errors = [f.exception() for f in asked]
        assert vault.commits == 2 and [type(e) for e in errors] == [type(None)] * 2 + [Overdrawn, type(None), Overdrawn]
        assert str(errors[2]) == "the account purse:ann holds 40 cents, and 60 are asked of it"
        assert vault.balances() == {"cage": -100, "purse:ann": 0, "stake:t1:1": 100} and vault.head()[0] == 3
        assert vault.answered("t1", "c") is None
        vault.write(paid("f", 60)).result()
        assert not vault.write(bet("c", 60)).result().repeated  # it was refused, and may be asked again
        assert vault.check() == []


def test_no_event_of_an_action_may_overdraw_even_if_the_next_one_pays_it_back(vault: Vault) -> None:
    out, back = {"purse:ann": -5, "seat:t1:1": 5}, {"purse:ann": 5, "cage": -5}
    with pytest.raises(Overdrawn):
        vault.write(Action("t1", "a", (Entry("t1", "x", {}, out), Entry("t1", "y", {}, back)))).result()
    vault.write(Action("t1", "a", (Entry("t1", "y", {}, back), Entry("t1", "x", {}, out)))).result()
    assert vault.balances() == {"cage": -5, "purse:ann": 0, "seat:t1:1": 5} and vault.check() == []


@pytest.mark.parametrize("account", ["purse:ann", "seat:t1:3", "stake:t1:3", "meter:all:bad beat", "pot:t1", "Cage"])
def test_the_database_itself_refuses_a_debt(account: str, tmp_path: Path) -> None:
    with Vault.open(tmp_path / "v.db") as vault:
        with pytest.raises(Overdrawn, match=account):
            vault.write(paid("a", -1, to=account)).result()
        vault.write(paid("b", 0, to=account)).result()
        _refused_by_the_database(str(tmp_path / "v.db"), account)


def test_postgresql_itself_refuses_a_debt(postgres: Any) -> None:
    url = postgres.emptied()
    with Vault.open(url) as vault:
        vault.write(paid("b", 0)).result()
    _refused_by_the_database(url, "purse:ann")


def _refused_by_the_database(where: str, account: str) -> None:
    with by_another_way(where) as execute:
        execute(f"update account set cents = 3 where name = '{account}'")
        with pytest.raises(Exception, match=r"(?i)check constraint"):
            execute(f"update account set cents = -1 where name = '{account}'")


def test_the_house_may_owe(vault: Vault) -> None:
    for account in ("rack:t1", "tokes:t1"):
        vault.write(paid(account, -9, to=account)).result()
    assert vault.balances() == {"cage": 18, "rack:t1": -9, "tokes:t1": -9} and vault.check() == []


def test_no_account_grows_beyond_what_every_reader_can_read(vault: Vault) -> None:
    vault.write(paid("a", 2**53 - 1)).result()
    with pytest.raises(BadInput, match="would hold more than"):
        vault.write(paid("b", 1)).result()
    assert vault.balances()["purse:ann"] == 2**53 - 1 and vault.check() == []


# ---- what is refused before anything is asked of the database


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda: Entry("t", "k", {"x": 1.5}), "holds a float"),
        (lambda: Entry("t", "k", {"x": [{"y": float("nan")}]}), "holds a float"),
        (lambda: Entry("t", "k", {"x": b"1"}), "holds a bytes"),
        (lambda: Entry("t", "k", {"x": {1, 2}}), "holds a set"),
        (lambda: Entry("t", "k", {1: "x"}), "a key that is not text"),  # type: ignore[dict-item]
        (lambda: Entry("t", "k", {"x": 2**53}), "a number beyond 9,007,199,254,740,991"),
        (lambda: Entry("t", "k", {"x": "\ud800"}), "half a character"),
        (lambda: Entry("t", "k", {"x": "x" * (1 << 20)}), "at most 1,048,576 are kept"),
        (lambda: Entry("t", "k", _nest(40)), "nested more than 32 deep"),
        (lambda: Entry("t", "k", [1]), "has a body and moves by name"),  # type: ignore[arg-type]
        (lambda: Entry("t", "k", {}, {"cage": 1}), r"the k entry moves \+1 cents out of nowhere"),
        (lambda: Entry("t", "k", {}, {"cage": 1.0, "b": -1.0}), "a whole number of cents, not '1.0'"),  # type: ignore[dict-item]
        (lambda: Entry("t", "k", {}, {"cage": True, "b": -1}), "a whole number of cents"),
        (lambda: Entry("t", "k", {}, {"cage": 2**60, "b": -(2**60)}), "at most 9,007,199,254,740,991 cents"),
        (lambda: Entry("t", "k", {}, {"": 0}), "an account is 1 to 200 printable characters"),
        (lambda: Entry("t\n", "k"), "an entry's table is 1 to 200 printable"),
        (lambda: Entry("t", "k" * 201), "an entry's kind is 1 to 200 printable"),
        (lambda: Entry("t", "k", secrets={"x": "\0"}), "without NUL"),
        (lambda: Entry("t", "k", secrets={"x": 5}), "the secret x is text, not a int"),  # type: ignore[dict-item]
        (lambda: Action("t", "\0", (Entry("t", "k"),)), "an action's id is 1 to 200 printable"),
        (lambda: Action("t", "\udfff", (Entry("t", "k"),)), "half a character"),
        (lambda: Action("t", 5, (Entry("t", "k"),)), "an action's id is text, not a int"),  # type: ignore[arg-type]
        (lambda: Action("t", "a", ()), "an action is 1 to 1,000 entries"),
        (lambda: Action("t", "a", ("x",)), "an action is 1 to 1,000 entries"),  # type: ignore[arg-type]
        (lambda: Action("t", "a", (Entry("t", "k"),), {"x": 0.1}), "the answer of an action holds a float"),
        (lambda: Action("t", "a", (Entry("t", "k"),), {}, {"x": 0.1}), "the snapshot of a table holds a float"),
        (lambda: Action("t", "a", (Entry("t", "k"),), {}, [1]), "are objects"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_kept_is_one_sentence(made: Callable[[], object], told: str) -> None:
    with pytest.raises(BadInput, match=told) as refused:
        made()
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 200


def _nest(depth: int) -> dict[str, Any]:
    inner: dict[str, Any] = {}
    for _ in range(depth):
        inner = {"x": inner}
    return inner


def test_what_was_looked_at_is_what_is_written(vault: Vault) -> None:
    """Whatever happens to the dictionaries afterwards."""
    body, moves, answer = {"x": 1}, {"cage": -5, "purse:ann": 5}, {"y": 1}
    action = Action("t1", "a", (Entry("t1", "k", body, moves),), answer)
    body["x"], moves["cage"], answer["y"] = 2, 999, 2
    assert vault.write(action).result().answer == {"y": 1}
    (event,) = vault.events()
    assert event.body == {"x": 1} and event.moves == {"cage": -5, "purse:ann": 5} and vault.check() == []


def test_names_are_data(vault: Vault) -> None:
    """Of any alphabet, and whatever they mean to a database."""
    for name in ("'; drop table event; --", "100%s", "? {} \\N \\.", "Ω♠", '"x"', "\\", "null"):
        vault.write(paid(name, 1, to=f"purse:{name}", table=name, snapshot={name: name})).result()
        assert vault.answered(name, name) is not None and vault.write(paid(name, table=name)).result().repeated
        assert vault.snapshots()[name][1] == {name: name} and vault.balances()[f"purse:{name}"] == 1
    assert vault.check() == []


# ---- one writer, many readers


def test_a_second_writer_gets_a_sentence(vault: Vault, vault_at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.vault.postgres.PATIENCE", 0.1)
    with pytest.raises(BadInput, match=r"another process is writing to .*; a vault has one writer at a time"):
        Vault.open(vault_at)
    vault.write(paid("a")).result()
    vault.close()
    Vault.open(vault_at).close()


def test_another_process_is_a_second_writer_too(vault: Vault, vault_at: str) -> None:
    code = f"from pitboss.vault import Vault; Vault.open({vault_at!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=_environment())
    assert "a vault has one writer at a time" in done.stderr.splitlines()[-1]


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src")}


def test_who_only_reads_disturbs_nobody_and_changes_nothing(vault: Vault, vault_at: str) -> None:
    vault.write(paid("a")).result()
    with Vault.open(vault_at, only_read=True) as looking:
        assert looking.head() == vault.head() and looking.check() == []
        vault.write(paid("b")).result()
        assert looking.head() == vault.head() and [e.action for e in looking.events()] == ["a", "b"]
        for asked in (lambda: looking.write(paid("c")), lambda: looking.add_person("Ann")):
            with pytest.raises(BadInput, match="opened with only_read=True"):
                asked()
    assert vault.head()[0] == 2


def test_a_vault_is_opened_while_somebody_reads_the_last_commits_of_a_killed_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The auditor's look keeps the write-ahead log from being worked off; it is brought to the disk all the same."""
    monkeypatch.setattr("pitboss.vault.sqlite.BUSY", 0.01)
    path, synced, fsync = tmp_path / "v.db", list[str](), os.fsync
    code = "import os, sys\nfrom pitboss.vault import Action, Entry, Vault\nv = Vault.open(sys.argv[1])\n"
    code += "v.write(Action('t', 'a', (Entry('t', 'k'),))).result()\nos._exit(9)"
    subprocess.run([sys.executable, "-c", code, str(path)], env=_environment())
    reader = store_at(path).read()
    reader.do(reader.look)
    assert reader.rows("select count(*) from event") == [(1,)]
    monkeypatch.setattr(os, "fsync", lambda fd: (synced.append(os.readlink(f"/proc/self/fd/{fd}")), fsync(fd)))
    with Vault.open(path) as vault:
        assert synced == [f"{path}-wal"] and vault.head()[0] == 1
        vault.write(paid("b")).result()
        assert reader.rows("select count(*) from event") == [(1,)]  # what it sees stays as it was
    reader.close()


def test_reading_goes_on_while_a_commit_waits(vault_at: str) -> None:
    clock = Held()
    with Vault.open(vault_at, clock=clock) as vault:
        future = vault.write(paid("a"))
        assert clock.reached.wait(20)
        assert vault.head()[0] == 0 and [*vault.events()] == [] and vault.balances() == {} and vault.check() == []
        clock.free.set()
        future.result()
        assert vault.head()[0] == 1


def test_many_threads_write_and_read(vault: Vault) -> None:
    """Every cent is there, whoever was first."""
    errors: list[BaseException] = []

    def work(n: int) -> None:
        try:
            for i in range(25):
                vault.write(paid(f"{n}-{i}", n + 1, table=f"t{n}", to=f"purse:{i % 3}")).result()
                assert vault.head()[0] > 0
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    [t.start() for t in threads], [t.join() for t in threads]
    assert errors == [] and vault.head()[0] == 200 and vault.check() == []
    assert vault.balances()["cage"] == -25 * sum(range(1, 9)) and vault.commits < 200


def test_what_was_called_off_in_time_is_not_written(vault_at: str) -> None:
    clock = Held()
    with Vault.open(vault_at, clock=clock) as vault:
        first = vault.write(paid("a"))
        assert clock.reached.wait(20)
        second, third = vault.write(paid("b")), vault.write(paid("c"))
        assert second.cancel() and not first.cancel()  # whose commit has begun
        clock.free.set()
        assert first.result() and third.result()
        with pytest.raises(CancelledError):
            second.result()
        assert [e.action for e in vault.events()] == ["a", "c"]


def test_closing_writes_what_waits_and_takes_nothing_more(vault_at: str) -> None:
    clock = Held()
    vault = Vault.open(vault_at, clock=clock)
    futures = [vault.write(paid(str(n))) for n in range(20)]
    closing = threading.Thread(target=vault.close)
    closing.start()
    clock.free.set()
    closing.join()
    assert all(f.done() and f.result() for f in futures)
    with pytest.raises(Unavailable, match="is closed"):
        vault.write(paid("late")).result()
    vault.close()  # once more does no harm


def test_a_house_that_asks_faster_than_the_disk_writes_is_told(vault_at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "MOST_WAITING", 3)
    clock = Held()
    with Vault.open(vault_at, clock=clock) as vault:
        vault.write(paid("first"))
        assert clock.reached.wait(20)
        futures = [vault.write(paid(str(n))) for n in range(5)]
        clock.free.set()
        told = [f.exception() for f in futures]
        assert [type(t) for t in told] == [type(None)] * 3 + [Unavailable] * 2
        assert "too slow: 3 actions wait" in str(told[-1])


def test_a_commit_takes_no_more_than_its_share(vault_at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "MOST_AT_ONCE", 4)
    clock = Held()
    with Vault.open(vault_at, clock=clock) as vault:
        vault.write(paid("first"))
        assert clock.reached.wait(20)
        futures = [vault.write(paid(str(n))) for n in range(10)]
        clock.free.set()
        assert [f.result().seq for f in futures] == [*range(2, 12)] and vault.commits == 4  # 1, and 4 + 4 + 2


def test_a_caller_whose_callback_fails_stops_nobody(vault: Vault) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("the caller's")

    vault.write(paid("a")).add_done_callback(broken)
    assert vault.write(paid("b")).result().seq == 2


# ---- where it is


def test_a_schema_is_brought_up_to_date_and_a_newer_one_refused(vault_at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Vault.open(vault_at) as vault:
        vault.write(paid("a")).result()
    steps = schemas.STEPS
    with monkeypatch.context() as later:
        later.setattr(schemas, "STEPS", (*steps, "create table more(x integer) strict;\ninsert into more values(7)"))
        with Vault.open(vault_at) as vault:
            assert vault.head()[0] == 1 and vault._rows("select x from more") == [(7,)]
        Vault.open(vault_at).close()  # a step is taken once
    for only_read in (False, True):
        with pytest.raises(BadInput, match=r"was written by a newer pitboss \(schema 2, and this one knows up to 1\)"):
            Vault.open(vault_at, only_read=only_read)
    for number in ("delete from version", "insert into version values(1), (1)"):
        with by_another_way(vault_at) as execute:
            execute(number)
        with pytest.raises(BadInput, match="does not say of which version it is"):
            Vault.open(vault_at)
    with by_another_way(vault_at) as execute:
        execute("delete from version")
        execute("insert into version values(1)")
    with monkeypatch.context() as broken:
        broken.setattr(schemas, "STEPS", (*steps, "", "create table half(x integer) strict;\nnonsense"))
        with pytest.raises(Unavailable, match="cannot be opened"):
            Vault.open(vault_at)
        with by_another_way(vault_at) as execute, pytest.raises(Exception, match="half"):
            execute("select * from half")  # all of a step, or nothing


def test_every_question_of_a_commit_is_answered_by_an_index(vault: Vault, vault_at: str) -> None:
    """So that a commit takes as long on a log of a million events as on an empty one."""
    explain = "explain " if vault_at.startswith("postgresql") else "explain query plan "
    link = store_at(vault_at).read()
    for sql, args in ((pages.ANSWERED, ["[]"]), (pages.HELD, ["[]"]), (pages.HEAD, [])):
        plan = "\n".join(str(row[-1]) for row in link.rows(explain + sql, *args))
        for table in ("event", "action", "account"):
            assert f"Seq Scan on {table}" not in plan, plan
        assert "SCAN a" not in plan.replace("SCAN asked", "") and "SCAN e\n" not in plan, plan
        assert "Index" in plan or "SEARCH" in plan or sql == pages.HEAD, plan
    link.close()


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("", "is no vault; it is a file, or postgresql://host/database"),
        ("mysql://root@host/x", "is no vault; it is a file, or postgresql://host/database"),
        ("no/such/folder/v.db", "cannot be opened: No such file or directory"),
        ("\0", "is not the name of a file"),
        ("/", "is a folder or a device"),
        ("/dev/full", "is a folder or a device"),
        ("/proc/version", "cannot be opened|is not a vault|cannot be made"),
    ],
)
def test_what_is_no_place_for_a_vault_is_one_sentence(
    where: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match=told) as refused:
        Vault.open(where)
    assert "\n" not in str(refused.value)


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    import sqlite3

    text, other, pipe = tmp_path / "text", tmp_path / "other.db", tmp_path / "pipe"
    text.write_bytes(b"not a database, but a text that is long enough to be taken for one" * 20)
    with sqlite3.connect(other) as link:
        link.execute("create table event(mine)")
    os.mkfifo(pipe)
    before = text.read_bytes(), other.read_bytes()
    for path, told in ((text, "is not a vault"), (other, "a database of something else"), (pipe, "a device")):
        for only_read in (False, True):
            with pytest.raises(BadInput, match=told):
                Vault.open(path, only_read=only_read)
    assert (text.read_bytes(), other.read_bytes()) == before
    with pytest.raises(BadInput, match="there is no vault"):
        Vault.open(tmp_path / "none.db", only_read=True)
    assert not (tmp_path / "none.db").exists()


def test_a_vault_in_a_file_is_the_users_alone(tmp_path: Path) -> None:
    """It holds seeds and the hashes of passwords."""
    path = tmp_path / "v.db"
    with Vault.open(path) as vault:
        vault.write(paid("a")).result()
        assert {p.name for p in tmp_path.iterdir()} == {"v.db", "v.db-wal", "v.db-shm", ".v.db.lock"}
        assert {p.stat().st_mode & 0o777 for p in tmp_path.iterdir()} == {0o600}
    assert [p.name for p in tmp_path.iterdir()] == ["v.db"]


def test_a_vault_that_is_closed_is_one_file(tmp_path: Path) -> None:
    """Whoever copies it, or takes it along, has all that was written; also where somebody has read in it."""
    path = tmp_path / "v.db"
    with Vault.open(path) as vault:
        vault.write(paid("a")).result()
        assert vault.head()[0] == 1
    assert [p.name for p in tmp_path.iterdir()] == ["v.db"]
    (tmp_path / "copy.db").write_bytes(path.read_bytes())
    with Vault.open(tmp_path / "copy.db", only_read=True) as vault:
        assert vault.head()[0] == 1 and not vault.check()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:hunter2@/none?host=/no/such/folder", "postgresql://ann:hunter2@127.0.0.1:1/none",
        "postgresql://ann@/none?host=/no/such/folder&password=hunter2", "postgresql://ann:hunter2@[/x",
        "postgresql://x?nonsense=hunter2",
    ],
)  # fmt: skip
def test_a_server_that_is_not_there_is_a_sentence_without_the_password(url: str) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(BadInput, match=r"cannot be opened|is no address") as refused:
        Vault.open(url)
    assert "hunter2" not in str(refused.value) and "\n" not in str(refused.value)


def test_a_server_that_does_not_keep_its_promises_is_refused(postgres: Any) -> None:
    import psycopg

    with psycopg.connect(postgres.url("postgres"), autocommit=True) as link:
        link.execute("create database latin encoding 'LATIN1' locale 'C' template template0")
    with pytest.raises(BadInput, match="does not keep its text as UTF8"):
        Vault.open(postgres.url("latin"))


def test_an_event_is_what_it_is_in_json(vault: Vault) -> None:
    """A stored event is plain: what a page or an export makes of it is JSON."""
    vault.write(paid("a")).result()
    (event,) = vault.events()
    assert isinstance(event, Stored) and json.loads(json.dumps(vars(event))) == vars(event)
