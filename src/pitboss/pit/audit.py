"""An audit of the whole log: every table folded again from its first event, and everything held against what was
written: what followed, what moved, what the meters showed, what was shuffled."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.cards.fair import commitment
from pitboss.pit.floor import HOUSE, Houses
from pitboss.pit.table import FOLLOWS, Happened, Meters, Table
from pitboss.rules.errors import BadInput
from pitboss.vault import Stored


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

    def __init__(self, houses: Houses, secrets: Callable[[str], Mapping[str, str]]) -> None:
        self.houses, self.secrets = houses, secrets
        self.tables: dict[str, Table] = {}
        self.due: dict[str, list[Happened]] = {}
        self.committed: dict[tuple[str, int], str] = {}  # shoes that are not over
        self.events = self.rounds = self.shoes = 0
        self.fault = ""

    def look(self, events: Iterable[Stored]) -> Found:
        for event in events:
            self.events += 1
            try:
                why = self._look(event)
            except (BadInput, KeyError, TypeError, ValueError, AttributeError) as error:
                why = str(error) or type(error).__name__
            if why:
                self.fault = f"event {event.seq}, {event.kind} at {event.table}: {why}"
                break
        return Found(self.events, self.rounds, len(self.tables), self.shoes, self.fault)

    def _look(self, event: Stored) -> str:
        if event.table == HOUSE:
            return ""
        if event.kind == "open":
            table = Table(event.table, self.houses(event.body), event.body, Meters())
            self.tables[event.table] = table
            self.due[event.table] = [table.commit(self.secrets(event.table).get("shoe 1", ""))]
            return ""
        found = self.tables.get(event.table)
        if found is None:
            return "the table was never opened"
        if event.kind not in FOLLOWS:
            if missing := self.due.get(event.table):
                return f"{missing[0].kind} should have come first"
            kept, number = self.secrets(event.table), found.number + 1
            self.due[event.table] = found.again(event.kind, event.body, lambda: kept.get(f"shoe {number}", ""))
        due = self.due.get(event.table) or []
        if not due:
            return "it follows from nothing before it"
        again = due.pop(0)
        self.rounds += event.kind == "settle"
        self.shoes += event.kind == "reveal"
        return _apart(event, again) or self._shuffle(event)

    def _shuffle(self, event: Stored) -> str:
        """A secret that is shown is the one that was committed to."""
        if event.kind == "shoe":
            self.committed[event.table, event.body["shoe"]] = event.body["commitment"]
        elif event.kind == "reveal":
            bound = self.committed.pop((event.table, event.body["shoe"]), "")
            if commitment(event.body["secret"]) != bound:
                return f"the secret of shoe {event.body['shoe']} is not the one that was committed to"
        return ""


def _apart(event: Stored, again: Happened) -> str:
    if again.kind != event.kind:
        return f"done again it is {again.kind}"
    if dict(again.body) != event.body:
        name = next(k for k in {**again.body, **event.body} if dict(again.body).get(k) != event.body.get(k))
        return f"{name} is {event.body.get(name)!r}, and done again {dict(again.body).get(name)!r}"
    if dict(again.moves) != event.moves:
        name = next(k for k in {**again.moves, **event.moves} if again.moves.get(k, 0) != event.moves.get(k, 0))
        return f"{name} moves {event.moves.get(name, 0):,} cents, and done again {again.moves.get(name, 0):,}"
    return ""
