"""What has happened at a table, before it is written, and who sits there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pitboss.pit.accounts import Moves

FOLLOWS = ("settle", "depart", "reveal", "shoe")
"""Events that nobody asked for: they follow from the one before."""
Extra = list[tuple[str, int]]  # what moves beside the picture of a table


@dataclass(frozen=True)
class Happened:
    """One event, before it is written."""

    kind: str
    body: Mapping[str, Any]
    moves: Moves = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Sitting:
    """Who has a seat."""

    player: str
    name: str
    bot: bool = False
