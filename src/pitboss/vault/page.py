"""What one commit writes: the actions that wait are judged one after another, each against what stands after those
before it; what is refused fails alone. Then all of it is written in a handful of statements, however many there are."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pitboss.rules.errors import BadInput
from pitboss.vault.people import PERSON, projected
from pitboss.vault.records import Action, Receipt, check_balance
from pitboss.vault.seal import START, Head, sealed
from pitboss.vault.stores import Link, Row

HEAD = "select seq, hash from event order by seq desc limit 1"
ANSWERED = """
    select a.table_id, a.id, a.last, e.hash, a.answer
    from json_each(?) as asked
    cross join action as a
    cross join event as e
    where a.table_id = asked.value ->> 0 and a.id = asked.value ->> 1 and e.seq = a.last
    """
HELD = """
    select a.name, a.cents from json_each(?) as asked cross join account as a where a.name = asked.value ->> 0
    """
_WRITE_ACCOUNTS = """
    insert into account select value ->> 0, cast(value ->> 1 as integer) from json_each(?) where true
    on conflict(name) do update set cents = excluded.cents
    """
_WRITE_SNAPSHOT = """
    insert into snapshot values(?, ?, ?) on conflict(table_id) do update set seq = excluded.seq, state = excluded.state
    """
_WRITE_SECRET = "insert into secret values(?, ?, ?) on conflict(table_id, name) do update set told = excluded.told"
_FORGET_SECRET = "delete from secret where table_id = ? and name = ?"

Outcome = Receipt | BadInput


def head_of(link: Link) -> Head:
    found = link.rows(HEAD)
    return (int(found[0][0]), bytes(found[0][1])) if found else (0, START)


def answered(link: Link, asked: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Receipt]:
    """The receipts of those actions that stand."""
    return {
        (table, id): Receipt(seq, bytes(seal).hex(), json.loads(answer), repeated=True)
        for table, id, seq, seal, answer in link.rows(ANSWERED, json.dumps(list(asked)))
    }


@dataclass
class Page:
    """The rows of one commit."""

    head: Head
    held: dict[str, int]  # accounts, as they are after what is on the page
    events: list[Row] = field(default_factory=list)
    actions: list[Row] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)
    snapshots: dict[str, Row] = field(default_factory=dict)
    secrets: dict[tuple[str, str], str] = field(default_factory=dict)
    people: list[tuple[str, Row]] = field(default_factory=list)

    def add(self, action: Action, at: str) -> Receipt:
        """Put all of an action on the page; where it cannot be, nothing of it is."""
        after = self._moved(action)
        self.held.update(after)
        self.changed.update(after)
        seq, prev = self.head
        first = seq + 1
        for entry in action.entries:
            seq += 1
            words = (seq, at, action.table, action.id, entry.table, entry.kind, entry.said, entry.moved, prev)
            seal = sealed(*words)
            self.events.append((*words, seal))
            self.secrets.update({(entry.table, name): text for name, text in entry.secrets.items()})
            if entry.kind == PERSON:
                self.people += projected(entry.body, at)
            prev = seal
        self.head = seq, prev
        self.actions.append((action.table, action.id, first, seq, action.replied))
        if action.state is not None:
            self.snapshots[action.table] = (action.table, seq, action.state)
        return Receipt(seq, prev.hex(), action.answer, repeated=False)

    def _moved(self, action: Action) -> dict[str, int]:
        """What the accounts of an action hold after it. No event of it may leave one below zero, not only the last."""
        after: dict[str, int] = {}
        for entry in action.entries:
            for account, change in entry.moves.items():
                after[account] = after.get(account, self.held.get(account, 0)) + change
                check_balance(account, after[account], change)
        return after

    def write(self, link: Link) -> None:
        link.append("event", self.events)
        link.append("action", self.actions)
        if self.changed:
            link.do(_WRITE_ACCOUNTS, json.dumps([(name, self.held[name]) for name in self.changed]))
        link.many(_WRITE_SNAPSHOT, list(self.snapshots.values()))
        link.many(_WRITE_SECRET, [(*key, text) for key, text in self.secrets.items() if text])
        link.many(_FORGET_SECRET, [key for key, text in self.secrets.items() if not text])
        for sql, args in self.people:
            link.do(sql, *args)


def page_of(link: Link, head: Head, asked: Sequence[Action], at: str) -> tuple[Page, list[Outcome]]:
    """The page that these actions make, and what becomes of each."""
    known = answered(link, {(a.table, a.id) for a in asked})
    accounts = {account for a in asked for e in a.entries for account in e.moves}
    held = dict[str, int](link.rows(HELD, json.dumps([[name] for name in accounts]))) if accounts else {}
    page, outcomes = Page(head, held), list[Outcome]()
    for action in asked:
        key = action.table, action.id
        if key not in known:
            try:
                receipt = page.add(action, at)
            except BadInput as refusal:
                outcomes.append(refusal)
                continue
            known[key] = receipt
            outcomes.append(receipt)
        else:
            first = known[key]
            outcomes.append(Receipt(first.seq, first.hash, first.answer, repeated=True))
    return page, outcomes
