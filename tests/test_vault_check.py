"""What `check` finds: every way of changing a vault behind its back, on both databases."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.rules.errors import BadInput
from pitboss.vault import Action, Entry, Vault
from pitboss.vault.seal import sealed
from postgres import by_another_way

Execute = Callable[..., Any]


@pytest.fixture
def filled(vault_at: str) -> Iterator[tuple[Vault, str]]:
    """Six events: two actions of two, two of one, and two people with a session and an invitation beside them."""
    with Vault.open(vault_at, clock=lambda: "2026-11-01T20:15:00.000Z") as vault:
        for id in ("a", "b"):
            pay = Entry("t1", "paid", {"why": id}, {"cage": -100, "purse:ann": 100})
            bet = Entry("t1", "bet", {"seat": 1}, {"purse:ann": -60, "stake:t1:1": 60})
            vault.write(Action("t1", id, (pay, bet), {"ok": id}, {"round": id})).result()
        for id in ("c", "d"):
            vault.write(Action("t2", id, (Entry("t2", "paid", {}, {"cage": -5, "purse:bob": 5}),))).result()
        ann, bob = vault.add_person("Ann", "supervisor"), vault.add_person("Bob")
        vault.enter(vault.invite(ann.id))
        vault.invite(bob.id)
        vault.set_password(ann.id, "$argon2id$...")
        assert vault.check() == []
        yield vault, vault_at


CHANGES = [
    ("update event set body = '{\"why\":\"x\"}' where seq = 3", "Event 3 was changed: it does not fit its hash."),
    ("update event set moves = '{\"cage\":-1,\"purse:ann\":1}' where seq = 3", "Event 3 was changed"),
    ("update event set kind = 'lost' where seq = 2", "Event 2 was changed"),
    ("update event set at = '2026-11-02T20:15:00.000Z' where seq = 2", "Event 2 was changed"),
    ("update event set table_id = 't9' where seq = 2", "Event 2 was changed"),
    ("update event set action_id = 'b' where seq = 2", "Event 2 was changed"),
    ("update event set action_table = 't2' where seq = 2", "Event 2 was changed"),
    ("update event set hash = prev where seq = 4", "Event 4 was changed"),
    ("update event set prev = hash where seq = 4", "Event 4 does not follow the event before it."),
    ("update event set moves = 'nonsense' where seq = 3", "Event 3 was changed"),
    ("update event set seq = 77 where seq = 12", "Events 12 to 76 are missing."),
    ("update account set cents = cents + 1 where name = 'purse:ann'", "The account purse:ann is kept as 81 cents"),
    ("delete from account where name = 'purse:bob'", "The account purse:bob is kept as 0 cents"),
    ("insert into account values('purse:eve', 500)", "The account purse:eve is kept as 500 cents"),
    ("update action set last = 3 where id = 'c'", "Event 5 belongs to an action, c of t2, that"),
    ("update action set id = 'z' where id = 'c'", "Event 5 belongs to an action, c of t2"),
    ("delete from action where id = 'd'", "Event 6 belongs to an action, d of t2"),
    ("update action set last = 5 where id = 'b'", "Event 5 stands among those of another action, b of t1."),
    ("insert into action values('t1', 'z', 1, 2, '{}')", "There are 11 actions, and the log has 10."),
    ("update person set role = 'supervisor' where name = 'Bob'", "The people that are kept are not those of the log."),
    ("insert into person values('e', 'Eve', 'eve', 'supervisor', 0)", "The people that are kept"),
    ("update token set kind = 'session'", "The invitations and sessions that are kept are not those of the log."),
    ("delete from token", "The invitations and sessions that are kept"),
    ("update secret set told = '$argon2id$mine'", "The passwords that are kept are not those of the log."),
    ("delete from secret", "The passwords that are kept"),
    ("insert into secret values('house', 'note', 'x')", "The passwords that are kept"),
    ("update snapshot set state = '{'", "The snapshot of t1 cannot be read."),
    ("update snapshot set state = '[]'", "The snapshot of t1 cannot be read."),
    ("insert into secret values('t9', 'shoe 1', '00')", "A secret is kept for t9, of which there is no event."),
]  # fmt: skip


TABLES = ("event", "action", "account", "snapshot", "secret", "person", "token")


def test_whatever_is_changed_behind_its_back_is_found(filled: tuple[Vault, str]) -> None:
    vault, where = filled
    with by_another_way(where) as execute:
        _no_constraints(execute, where)
        for table in TABLES:
            execute(f"create table kept_{table} as select * from {table}")
        for sql, told in CHANGES:
            execute(sql)
            found = vault.check()
            assert found and str(found[0]).startswith(told), (sql, found)
            assert all(str(fault).endswith(".") and "\n" not in str(fault) for fault in found)
            for table in TABLES:
                execute(f"delete from {table}")
                execute(f"insert into {table} select * from kept_{table}")
            assert vault.check() == []


def _no_constraints(execute: Execute, where: str) -> None:
    """Whoever owns a database can switch off what it looks after."""
    if where.startswith("postgresql"):
        for table, key in (("action", "first"), ("action", "last"), ("snapshot", "seq"), ("token", "person")):
            execute(f"alter table {table} drop constraint {table}_{key}_fkey")
    else:
        execute("pragma foreign_keys=off")


def test_an_event_that_was_taken_out_is_named(filled: tuple[Vault, str]) -> None:
    vault, where = filled
    with by_another_way(where) as execute:
        _no_constraints(execute, where)
        execute("delete from event where seq = 5")
    found = vault.check()
    assert found[0].what == "Event 5 is missing." and found[0].seq == 5


def test_a_log_that_was_cut_off_or_written_anew_is_found_by_a_receipt(filled: tuple[Vault, str]) -> None:
    """The chain alone cannot show that. Somebody who kept a receipt can."""
    vault, where = filled
    seq, seal = vault.head()
    assert vault.check({seq: seal, 1: next(vault.events()).hash}) == []
    with by_another_way(where) as execute:
        _no_constraints(execute, where)
        execute(f"delete from event where seq = {seq}")
        execute("delete from secret")
        execute(f"delete from action where last = {seq}")
    assert vault.check() == []
    assert str(vault.check({seq: seal})[0]) == "The log ends with event 11, and there is a receipt for 12."
    assert "has another hash than its receipt" in str(vault.check({3: "0" * 64})[0])


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        ({"cage": -5, "purse:eve": 6}, "Event 13 moves +1 cents out of nowhere."),
        ({"cage": 999, "purse:bob": -999}, "Event 13 leaves the account purse:bob at -989 cents."),
        ({"cage": -0.5, "purse:bob": 0.5}, "Event 13 has moves that cannot be read."),
    ],
)
def test_a_forger_who_knows_the_chain_still_has_to_keep_the_books(
    filled: tuple[Vault, str], moves: dict[str, Any], told: str
) -> None:
    """An event with a right hash, as nobody could have written it here."""
    vault, where = filled
    text = json.dumps(moves, sort_keys=True, separators=(",", ":"))
    row = (13, "now", "t1", "z", "t1", "paid", "{}", text, bytes.fromhex(vault.head()[1]))
    marks = "%s" if where.startswith("postgresql") else "?"
    with by_another_way(where) as execute:
        execute(f"insert into event values({', '.join([marks] * 10)})", (*row, sealed(*row)))
        execute("insert into action values('t1', 'z', 13, 13, '{}')")
    assert told in map(str, vault.check())


def test_the_first_faults_are_told_and_not_a_million(filled: tuple[Vault, str]) -> None:
    vault, where = filled
    for future in [vault.write(Action("t3", str(n), (Entry("t3", "x", {"n": n}),))) for n in range(150)]:
        future.result()
    with by_another_way(where) as execute:
        execute("update event set kind = 'y' where kind = 'x'")
    found = vault.check()
    assert len(found) == 100 and found[0].seq == 13


def test_a_snapshot_of_what_never_was_is_found(filled: tuple[Vault, str]) -> None:
    vault, where = filled
    with by_another_way(where) as execute:
        _no_constraints(execute, where)
        execute("update snapshot set seq = 900")
    assert [str(f) for f in vault.check()] == ["The snapshot of t1 is of event 900, which there is not."]


def test_an_event_that_cannot_be_read_is_a_sentence(filled: tuple[Vault, str]) -> None:
    vault, where = filled
    for changed in ("body = '{'", "body = '[]'", "moves = 'null'", "moves = '[]'"):
        with by_another_way(where) as execute:
            execute(f"update event set {changed} where seq = 2")
        with pytest.raises(BadInput, match="event 2 cannot be read: it was changed or is damaged"):
            [*vault.events()]
        with by_another_way(where) as execute:
            execute("update event set body = '{}', moves = '{}' where seq = 2")


def test_a_snapshot_that_cannot_be_read_is_a_sentence(filled: tuple[Vault, str]) -> None:
    vault, where = filled
    with by_another_way(where) as execute:
        execute("update snapshot set state = '{'")
    with pytest.raises(BadInput, match="the snapshot of t1 cannot be read: it was changed or is damaged"):
        vault.snapshots()


def test_a_body_that_is_none_is_found_though_its_hash_fits(filled: tuple[Vault, str]) -> None:
    vault, where = filled
    row = (13, "now", "t1", "z", "t1", "paid", "[]", "{}", bytes.fromhex(vault.head()[1]))
    marks = "%s" if where.startswith("postgresql") else "?"
    with by_another_way(where) as execute:
        execute(f"insert into event values({', '.join([marks] * 10)})", (*row, sealed(*row)))
        execute("insert into action values('t1', 'z', 13, 13, '{}')")
    assert [str(fault) for fault in vault.check()] == ["Event 13 has a body that cannot be read."]


def test_a_file_with_a_damaged_page_is_found(tmp_path: Path) -> None:
    path = tmp_path / "v.db"
    with Vault.open(path) as vault:
        for n in range(40):
            vault.write(Action("t1", str(n), (Entry("t1", "x", {"long": "x" * 500}),))).result()
    raw = bytearray(path.read_bytes())
    for at in range(8 * 4096, len(raw), 4096):
        raw[at : at + 200] = b"\xee" * 200
    path.write_bytes(raw)
    with Vault.open(path, only_read=True) as vault:
        try:
            told = str(vault.check()[0])
        except BadInput as error:
            told = str(error)
    assert "damaged" in told or "malformed" in told, told
