"""Whether what is kept is what happened: the chain is walked from its first event, and everything that is kept beside
it is made again from it and compared."""

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pitboss.vault.people import PERSON, hashed, projected
from pitboss.vault.plain import object_of
from pitboss.vault.reader import PAGE
from pitboss.vault.records import HOUSE, may_owe
from pitboss.vault.schema import STEPS
from pitboss.vault.seal import START, sealed
from pitboss.vault.sqlite import SqliteLink
from pitboss.vault.stores import Link, Row

MOST = 100  # faults that are told; a log with so many is not read for its details

_EVENTS = """
    select e.seq, e.at, e.action_table, e.action_id, e.table_id, e.kind, e.body, e.moves, e.prev, e.hash,
        a.first, a.last
    from event as e left join action as a on a.table_id = e.action_table and a.id = e.action_id
    where e.seq > ? order by e.seq limit ?
    """
_PEOPLE = "select id, name, called, role, revoked from person order by id"
_TOKENS = "select hash, person, kind, until from token order by hash"


@dataclass(frozen=True)
class Fault:
    """Something that is not as it was written."""

    seq: int | None  # of the event at which it shows, where it is one
    what: str  # a whole sentence

    def __str__(self) -> str:
        return self.what


def faults(link: Link, receipts: Mapping[int, str]) -> list[Fault]:
    """All that is wrong, the first fault first, as one look sees it; `receipts` are hashes by number that somebody has
    kept elsewhere: with them a log that was cut off or written anew is found too."""
    damaged = link.damage()
    if damaged:
        return [Fault(None, f"The file is damaged: {damaged}.")]
    link.do(link.look)
    try:
        walk, out = _Walk(receipts), list[Fault]()
        for fault in walk.all(link):
            out.append(fault)
            if len(out) == MOST:
                break
        return out
    finally:
        link.undo()


class _Walk:
    """Along the chain, with what the events so far come to."""

    def __init__(self, receipts: Mapping[int, str]) -> None:
        self.receipts = receipts
        self.seq, self.hash = 0, START
        self.accounts: dict[str, int] = {}
        self.people = SqliteLink(sqlite3.connect(":memory:", isolation_level=None))
        self.passwords: dict[str, str] = {}
        self.tables: dict[str, int] = {}  # the last event of each
        self.action: tuple[str, str, int] = ("", "", 0)  # the one that the last event was of, and where it ends
        self.actions = 0
        for statement in STEPS[0].split(";\n"):
            if "table person" in statement or "table token" in statement:
                self.people.do(statement)

    def all(self, link: Link) -> Iterator[Fault]:
        try:
            while rows := link.rows(_EVENTS, self.seq, PAGE):
                for row in rows:
                    yield from self._event(row)
            yield from self._end(link)
        finally:
            self.people.close()

    def _event(self, row: Row) -> Iterator[Fault]:
        seq, at, of, action, table, kind, body, moves, prev, seal, first, last = row
        name = f"Event {seq:,}"
        if seq != self.seq + 1:
            missing = (
                f"Event {self.seq + 1:,} is" if seq == self.seq + 2 else f"Events {self.seq + 1:,} to {seq - 1:,} are"
            )
            yield Fault(self.seq + 1, f"{missing} missing.")
        elif bytes(prev) != self.hash:
            yield Fault(seq, f"{name} does not follow the event before it.")
        if sealed(seq, at, of, action, table, kind, body, moves, bytes(prev)) != bytes(seal):
            yield Fault(seq, f"{name} was changed: it does not fit its hash.")
        if self.receipts.get(seq, bytes(seal).hex()) != bytes(seal).hex():
            yield Fault(seq, f"{name} has another hash than its receipt: the log was written anew.")
        self.seq, self.hash, self.tables[table] = seq, bytes(seal), seq
        yield from self._action(seq, (of, action), first, last)
        if object_of(body) is None:
            yield Fault(seq, f"{name} has a body that cannot be read.")
        yield from self._money(name, seq, moves)
        if kind == PERSON and table == HOUSE:
            yield from self._person(name, seq, body, at)

    def _action(self, seq: int, key: tuple[str, str], first: int | None, last: int | None) -> Iterator[Fault]:
        *before, end = self.action
        if first is None or last is None or not first <= seq <= last:
            yield Fault(seq, f"Event {seq:,} belongs to an action, {key[1]} of {key[0]}, that was not written with it.")
            self.action = (*key, seq)
            return
        if (seq == first) == (end >= seq) or (seq > first and before != list(key)):
            yield Fault(seq, f"Event {seq:,} stands among those of another action, {before[1]} of {before[0]}.")
        self.actions += seq == first
        self.action = (*key, last)

    def _money(self, name: str, seq: int, moves: str) -> Iterator[Fault]:
        read = _moves(moves)
        if read is None:
            yield Fault(seq, f"{name} has moves that cannot be read.")
            return
        if sum(read.values()):
            yield Fault(seq, f"{name} moves {sum(read.values()):+,} cents out of nowhere.")
        for account, change in read.items():
            held = self.accounts[account] = self.accounts.get(account, 0) + change
            if held < 0 and not may_owe(account):
                yield Fault(seq, f"{name} leaves the account {account} at {held:,} cents.")

    def _person(self, name: str, seq: int, body: str, at: str) -> Iterator[Fault]:
        try:
            read = json.loads(body)
            for sql, args in projected(read, at):
                self.people.do(sql, *args)
            if read["change"] == "password":
                self.passwords[f"password:{read['person']}"] = read["sha256"]
            elif read["change"] == "revoked":
                self.passwords.pop(f"password:{read['person']}", None)
        except (ValueError, LookupError, TypeError, AttributeError, sqlite3.Error):
            yield Fault(seq, f"{name} is about a person, and cannot have happened as it stands.")

    def _end(self, link: Link) -> Iterator[Fault]:
        cut = [seq for seq in self.receipts if seq > self.seq]
        if cut:
            yield Fault(self.seq, f"The log ends with event {self.seq:,}, and there is a receipt for {max(cut):,}.")
        if self.actions != (written := link.rows("select count(*) from action")[0][0]):
            yield Fault(None, f"There are {written:,} actions, and the log has {self.actions:,}.")
        kept = dict[str, int](link.rows("select name, cents from account"))
        for account in sorted(kept.keys() | self.accounts.keys()):
            if kept.get(account, 0) != self.accounts.get(account, 0):
                yield Fault(
                    None, f"The account {account} is kept as {kept.get(account, 0):,} cents, and its moves come to "
                    f"{self.accounts.get(account, 0):,}."
                )  # fmt: skip
        for table, seq, state in link.rows("select table_id, seq, state from snapshot order by table_id"):
            if seq > self.seq:
                yield Fault(None, f"The snapshot of {table} is of event {seq:,}, which there is not.")
            if object_of(state) is None:
                yield Fault(None, f"The snapshot of {table} cannot be read.")
        for (table,) in link.rows("select distinct table_id from secret order by table_id"):
            if table not in self.tables:
                yield Fault(None, f"A secret is kept for {table}, of which there is no event.")
        yield from self._doors(link)

    def _doors(self, link: Link) -> Iterator[Fault]:
        for sql, what in ((_PEOPLE, "people"), (_TOKENS, "invitations and sessions")):
            if set(link.rows(sql)) != set(self.people.rows(sql)):
                yield Fault(None, f"The {what} that are kept are not those of the log.")
        secrets = link.rows("select name, told from secret where table_id = ?", HOUSE)
        kept = {name: hashed(told) for name, told in secrets}
        if kept != self.passwords:
            yield Fault(None, "The passwords that are kept are not those of the log.")


def _moves(text: str) -> dict[str, int] | None:
    read = object_of(text)
    return read if read is not None and all(type(cents) is int for cents in read.values()) else None
