"""The live house: tables as folds of events on the library's table session, their money in double entry; no I/O."""

from pitboss.pit.commands import AUDITOR, CLOCK, PLAYER, SUPERVISOR, Command
from pitboss.pit.floor import Floor
from pitboss.pit.table import Table

__all__ = ["AUDITOR", "CLOCK", "PLAYER", "SUPERVISOR", "Command", "Floor", "Table"]
