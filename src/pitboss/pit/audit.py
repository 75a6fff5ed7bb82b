"""An audit of the whole log: every table folded again from its first event, and everything held against what was
written: what followed, what moved, what the meters showed, what was shuffled, and how the table was put down."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.cards.fair import commitment
from pitboss.live.log import log_of
from pitboss.pit import accounts
from pitboss.pit.floor import HOUSE, PUT_DOWN, Houses, adjusted, seeded
from pitboss.pit.happened import FOLLOWS, Happened
from pitboss.pit.recall import hashed
from pitboss.pit.shared import Meters
from pitboss.pit.table import Table
from pitboss.pit.whose import Askers
from pitboss.rules.numbers import written
from pitboss.vault import Stored, Unavailable
from pitboss.vault.people import PERSON

Snapshots = Mapping[str, tuple[int, Mapping[str, Any]]]


@dataclass(frozen=True)
class Found:
    """What an audit has looked at, and the first thing that is wrong."""

    events: int
    rounds: int
    tables: int
    shoes: int
    fault: str = ""

    def json(self) -> dict[str, Any]:
        return {
            "events": self.events, "rounds": self.rounds, "tables": self.tables, "shoes": self.shoes,
            "fault": self.fault or None,
        }  # fmt: skip


class Audit:
    """Looks at one event after the other; `fault` is the first that does not hold."""

    def __init__(
        self, houses: Houses, secrets: Callable[[str], Mapping[str, str]], snapshots: Snapshots, upto: int,
        shoes: Callable[[str], int] = lambda id: 0,
    ) -> None:  # fmt: skip
        """`snapshots` as they are kept: they were looked at when the log had `upto` events, or more. `shoes` is the
        last shoe of a table in the log as it is by now: a house that is open goes on while it is looked at."""
        self.houses, self.secrets, self.snapshots, self.upto = houses, secrets, snapshots, upto
        self.last_shoe = shoes
        self.askers = Askers()
        self.action: dict[str, tuple[str, str]] = {}  # of each table, that of its last event
        self.kept: dict[str, Mapping[str, str]] = {}  # secrets by table
        self.tables: dict[str, Table] = {}
        self.meters: dict[str, int] = {}  # accounts of meters, as they have been moved
        self.known: set[tuple[str, str]] = set()  # meters that a table was opened with
        self.settled: set[str] = set()  # tables of which the action at hand is one after which they are put down
        self.seen: set[str] = set()  # tables whose snapshot was come by
        self.due: dict[str, list[Happened]] = {}
        self.committed: dict[tuple[str, int], str] = {}  # shoes that are not over
        self.events = self.rounds = self.shoes = 0
        self.fault = ""

    def look(self, events: Iterable[Stored]) -> Found:
        for event in events:
            self.events += 1
            try:
                why = self._look(event)
            except Unavailable:
                raise
            except Exception as error:  # whatever a changed log leads to, the event that leads to it is named
                why = str(error) or type(error).__name__
            for account, cents in event.moves.items():
                if account.startswith("meter:"):
                    self.meters[account] = self.meters.get(account, 0) + cents
            if why:
                self.fault = f"event {event.seq}, {event.kind} at {event.table}: {why}"
                break
        if not self.fault:
            self.fault = self._beside()
        return Found(self.events, self.rounds, len(self.tables), self.shoes, self.fault)

    def _look(self, event: Stored) -> str:
        if event.table == HOUSE:
            return self._of_the_house(event)
        if odd := self._odd_action(event):
            return odd
        if event.kind == "open":
            if event.table in self.tables:
                return "the table was opened before"
            self.askers.check(event)
            opening = {name: said for name, said in event.body.items() if name != "by"}
            table = self.tables[event.table] = Table(event.table, self.houses(opening), opening, Meters())
            self.due[event.table] = [table.commit(self._secret(event.table, 1))]
            again = Happened("open", event.body, seeded(table.meters, self.known))
            self.known |= {*table.meters.shown}
            self.settled.add(event.table)
            return _apart(event, again)
        found = self.tables.get(event.table)
        if found is None:
            return "the table was never opened"
        if event.kind not in FOLLOWS:
            if missing := self.due.get(event.table):
                return f"{missing[0].kind} should have come first"
            if odd := self._odd_meter(found, event.body.get("meters", {})):
                return odd
            self.askers.check(event, found)
            number = found.number + 1
            self.due[event.table] = found.again(event.kind, event.body, lambda: self._secret(event.table, number))
        due = self.due.get(event.table) or []
        if not due:
            return "it follows from nothing before it"
        again = due.pop(0)
        if event.kind == "settle" and "proof" not in event.body:
            again = _settled_before(found, again)
        self.rounds += event.kind == "settle"
        self.shoes += event.kind == "reveal"
        if event.kind in PUT_DOWN:
            self.settled.add(event.table)
        return _apart(event, again) or self._shuffle(event) or ("" if due else self._put_down(event.seq, found))

    def _odd_action(self, event: Stored) -> str:
        """What is asked for is an action of its own, and what follows from it is written with it."""
        before, now = self.action.get(event.table), (event.of, event.action)
        self.action[event.table] = now
        if event.kind in FOLLOWS and before != now:
            return "it was not written with what it follows from"
        return "it was written with what was asked for before it" if event.kind not in FOLLOWS and before == now else ""

    def _of_the_house(self, event: Stored) -> str:
        """What belongs to no table moves nothing but a purse that is adjusted."""
        if event.kind == "adjust":
            self.askers.check(event)
            again = adjusted(event.body["player"], event.body["cents"])
        elif event.kind == PERSON:
            self.askers.note(event.body)
            again = {}
        else:
            return "the house does nothing of that kind"
        return _apart(event, Happened(event.kind, event.body, again))

    def _secret(self, table: str, number: int) -> str:
        """Of a shoe; what is kept for a table is read once, and again where the house has gone on."""
        name = f"shoe {number}"
        if name not in self.kept.get(table, {}):
            self.kept[table] = self.secrets(table)
        return self.kept[table].get(name, "")

    def _odd_meter(self, table: Table, told: Mapping[str, str]) -> str:
        """A meter shows what its account has."""
        for name, text in told.items():
            cents, shown = self.meters.get(accounts.meter(table.group, name), 0), written(text)
            if shown * 100 != cents:
                return f"the meter {name} shows ${shown}, and its account has {cents:,} cents"
        return ""

    def _put_down(self, seq: int, table: Table) -> str:
        """The snapshot from which the house would go on is the last one that was due, and the table as it was then."""
        if table.id not in self.settled:
            return ""
        self.settled.discard(table.id)
        at, state = self.snapshots.get(table.id, (0, {}))
        if table.in_play or at > seq:
            return ""
        if at < seq:
            kept = f"the one that is kept is of event {at:,}" if at else "none is kept"
            return "" if seq > self.upto else f"the table has a snapshot of here, and {kept}"
        self.seen.add(table.id)
        again = json.loads(json.dumps(table.state()))
        if odd := [name for name in {**again, **state} if again.get(name) != state.get(name)]:
            return f"the snapshot has another {odd[0]} than the table done again"
        return ""

    def _beside(self) -> str:
        """What is kept beside the log, and is of nothing in it."""
        for id in self.snapshots:
            if id not in self.seen:
                return f"the snapshot of {id} is of event {self.snapshots[id][0]:,}, after which it was not put down"
        for id, kept in self.kept.items():
            last = self.tables[id].number
            if odd := [name for name in kept if not _is_shoe(name, last)]:
                last = max(last, self.last_shoe(id))
                if odd := sorted(name for name in odd if not _is_shoe(name, last)):
                    return f"a secret is kept for {id} that the log knows nothing of: {odd[0]}"
        return ""

    def _shuffle(self, event: Stored) -> str:
        """A secret that is shown is the one that was committed to."""
        if event.kind == "shoe":
            self.committed[event.table, event.body["shoe"]] = event.body["commitment"]
        elif event.kind == "reveal":
            bound = self.committed.pop((event.table, event.body["shoe"]), "")
            if commitment(event.body["secret"]) != bound:
                return f"the secret of shoe {event.body['shoe']} is not the one that was committed to"
        return ""


def _is_shoe(name: str, last: int) -> bool:
    """Whether a secret is of one of the shoes up to the last."""
    number = name.removeprefix("shoe ")
    return len(number) <= 16 and number.isdecimal() and name == f"shoe {int(number)}" and 1 <= int(number) <= last


def _settled_before(table: Table, again: Happened) -> Happened:
    """A settlement as it stands in earlier logs."""
    round_ = table.session.round
    assert round_ is not None
    rest = {name: said for name, said in again.body.items() if name != "proof"}
    return Happened(again.kind, {**rest, **hashed(log_of(round_))}, again.moves)


def _apart(event: Stored, again: Happened) -> str:
    if again.kind != event.kind:
        return f"done again it is {again.kind}"
    if dict(again.body) != event.body:
        body = dict(again.body)
        name = next(k for k in {**body, **event.body} if body.get(k, body) != event.body.get(k, body))
        return f"{name} is {event.body.get(name)!r}, and done again {body.get(name)!r}"
    if dict(again.moves) != event.moves:
        name = next(k for k in {**again.moves, **event.moves} if again.moves.get(k, 0) != event.moves.get(k, 0))
        return f"{name} moves {event.moves.get(name, 0):,} cents, and done again {again.moves.get(name, 0):,}"
    return ""
