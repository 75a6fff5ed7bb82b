"""Things that a player can tell at a glance, each a whole number per row: his pair, his highest card, what fits a run.

A *look* is one of them; a *condition* is a look that reaches a floor, or lies between two values, and its words. Looks
tell no two deals apart that the game cannot: none depends on which suit it is, or on the order of one deal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pitboss.rules.column import Column, column, node
from pitboss.thumb.solved import Laid, View

Values = NDArray[Any]
Places = tuple[int, ...]
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven")


class Look:
    """One of them. `ways` are the conditions that it makes: floors, floors and what lies under them ("ends"), or ranges
    ("ranges")."""

    ways: ClassVar[str] = "floors"

    def first(self) -> int:
        """The least floor that says anything."""
        return 0

    def under(self, last: int) -> bool:
        """Whether it is plain to say that this is not exceeded."""
        return True

    def of(self, view: View) -> Values:
        """Its value, row by row."""
        raise NotImplementedError

    def column(self, at: Laid) -> Column:
        """The same as a column, for a pass over more rows than can be listed."""
        raise NotImplementedError

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        """A condition in words, and how much there is to remember. `values` are all that come up, in order."""
        raise NotImplementedError


@dataclass(frozen=True)
class Condition:
    """A look from `lo` to `hi`."""

    look: Look
    lo: int
    hi: int
    words: str
    plain: int  # the smaller the plainer

    def holds(self, view: View) -> NDArray[np.bool_]:
        if self.look not in view.known:
            view.known[self.look] = self.look.of(view)
        values = view.known[self.look]
        out: NDArray[np.bool_] = (values >= self.lo) & (values <= self.hi)
        return out

    def column(self, at: Laid) -> Column:
        value = self.look.column(at)
        return (value >= max(self.lo, value.lo)) & (value <= min(self.hi, value.hi))


def rank_of(card: Column) -> Column:
    return node("rank", (card,), 0, 12)


def suit_of(card: Column) -> Column:
    return node("suit", (card,), 0, 3)


def either(condition: Column, yes: Column | int, no: Column | int) -> Column:
    a, b = column(yes), column(no)
    return node("where", (condition, a, b), min(a.lo, b.lo), max(a.hi, b.hi))
