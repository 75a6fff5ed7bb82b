"""What happened, kept: one append-only chain of events with the money that moved, in SQLite or PostgreSQL."""

from pitboss.vault.audit import Fault
from pitboss.vault.people import LONGEST_NAME, ROLES, Person
from pitboss.vault.records import HOUSE, Action, Entry, Overdrawn, Receipt, Stored, Unavailable
from pitboss.vault.vault import Vault, now

__all__ = [
    "HOUSE", "LONGEST_NAME", "ROLES", "Action", "Entry", "Fault", "Overdrawn", "Person", "Receipt", "Stored",
    "Unavailable", "Vault", "now",
]  # fmt: skip
