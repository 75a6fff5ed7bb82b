"""What is written, and what comes back: entries, the action that they make, its receipt, and an event as it is kept.

An entry looks at itself as it is made, and takes down its text there and then: what was looked at is what is written,
whatever becomes of the dictionaries that it was made from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pitboss.rules.errors import BadInput
from pitboss.vault.plain import LARGEST, LONGEST, canonical, cents_of, name_of, object_of, plain, spelled, text_of

HOUSE = "house"
"""The table of what belongs to none."""

MOST_ENTRIES = 1000  # of one action
_MAY_OWE = ("rack:", "tokes:")


class Overdrawn(BadInput):
    """An account would fall below zero; nothing of the action was written."""


class Unavailable(BadInput):
    """The database cannot be reached, or not be trusted. What was asked is not acknowledged; asking again under the
    same id tells whether it stands, and does it if not."""


@dataclass(frozen=True)
class Entry:
    """One event, before it is one."""

    table: str  # which table it is of; HOUSE for what belongs to none
    kind: str
    body: Mapping[str, Any] = field(default_factory=dict)  # plain JSON, no floats
    moves: Mapping[str, int] = field(default_factory=dict)  # account -> change in cents; sums to zero
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)  # beside the chain; "" forgets one
    said: str = field(init=False, repr=False, compare=False)  # the body as it is written
    moved: str = field(init=False, repr=False, compare=False)  # the moves as they are written

    def __post_init__(self) -> None:
        name_of(self.table, "an entry's table")
        name_of(self.kind, "an entry's kind")
        what = f"the {self.kind} entry"
        if not isinstance(self.body, Mapping) or not isinstance(self.moves, Mapping):
            raise BadInput(f"{what} has a body and moves by name")
        moves = {name_of(a, "an account"): cents_of(c, "the move of an account") for a, c in self.moves.items()}
        if sum(moves.values()):
            raise BadInput(f"{what} moves {sum(moves.values()):+,} cents out of nowhere; its moves sum to zero")
        for name, text in self.secrets.items():
            name_of(name, f"a secret of {what}")
            if "\0" in text_of(text, f"the secret {name}") or len(text) > LONGEST:
                raise BadInput(f"the secret {name} is text of at most {LONGEST:,} characters without NUL")
        object.__setattr__(self, "said", canonical(self.body, f"the body of {what}"))
        object.__setattr__(self, "moved", spelled(moves, f"the moves of {what}"))
        object.__setattr__(self, "moves", moves)
        object.__setattr__(self, "secrets", dict(self.secrets))


@dataclass(frozen=True)
class Action:
    """What one command came to: all of its entries are written, or none."""

    table: str
    id: str  # the client's own, unique at its table: a repeat gets the first answer and changes nothing
    entries: tuple[Entry, ...]
    answer: Mapping[str, Any] = field(default_factory=dict)  # kept for the repeat
    snapshot: Mapping[str, Any] | None = None  # the table's state between rounds; replaces the last one
    replied: str = field(init=False, repr=False, compare=False)
    state: str | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        name_of(self.table, "an action's table")
        name_of(self.id, "an action's id")
        entries = tuple(self.entries)
        if not 0 < len(entries) <= MOST_ENTRIES or not all(isinstance(e, Entry) for e in entries):
            raise BadInput(f"an action is 1 to {MOST_ENTRIES:,} entries")
        if not isinstance(self.answer, Mapping) or not isinstance(self.snapshot, Mapping | None):
            raise BadInput("the answer and the snapshot of an action are objects")
        answer = plain(self.answer, "the answer of an action")
        object.__setattr__(self, "entries", entries)
        object.__setattr__(self, "answer", answer)
        object.__setattr__(self, "replied", spelled(answer, "the answer of an action"))
        state = None if self.snapshot is None else canonical(self.snapshot, "the snapshot of a table")
        object.__setattr__(self, "state", state)


@dataclass(frozen=True)
class Receipt:
    """Proof that an action stands: the number and the hash of its last event, which hold all that was before."""

    seq: int
    hash: str
    answer: Mapping[str, Any]
    repeated: bool


@dataclass(frozen=True)
class Stored:
    """An event as it is kept."""

    seq: int
    at: str
    of: str  # the table at which the action was asked for; `action` is unique there
    action: str
    table: str
    kind: str
    body: dict[str, Any]
    moves: dict[str, int]
    prev: str
    hash: str

    @classmethod
    def of_row(cls, row: tuple[Any, ...]) -> "Stored":
        seq, at, of, action, table, kind, body, moves, prev, seal = row[:10]
        read, moved = object_of(body), object_of(moves)
        if read is None or moved is None:
            raise BadInput(f"event {seq:,} cannot be read: it was changed or is damaged")
        return cls(seq, at, of, action, table, kind, read, moved, bytes(prev).hex(), bytes(seal).hex())


def check_balance(account: str, cents: int, change: int) -> None:
    """The cage, a rack and the tokes may owe; nobody else may. The database holds the same as a constraint."""
    if abs(cents) > LARGEST:
        raise BadInput(f"the account {account} would hold more than {LARGEST:,} cents")
    if cents < 0 and not may_owe(account):
        raise Overdrawn(f"the account {account} holds {cents - change:,} cents, and {-change:,} are asked of it")


def may_owe(account: str) -> bool:
    return account == "cage" or account.startswith(_MAY_OWE)
