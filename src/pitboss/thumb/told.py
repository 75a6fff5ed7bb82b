"""Looks at one card, at one card against others, and at numbers that go by a name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pitboss.cards import RANK_NAMES
from pitboss.compile.reference import batch
from pitboss.rules.column import Column, card_in, column, count, substituted
from pitboss.rules.graph import DEALER
from pitboss.thumb.looks import COUNTS, Look, Places, Values, rank_of
from pitboss.thumb.solved import Laid, View


@dataclass(frozen=True)
class Rank(Look):
    """The rank of one card."""

    place: int
    whose: str = ""  # "the dealer showing ", or nothing for the player's
    ways = "ranges"

    def of(self, view: View) -> Values:
        return (np.asarray(view.cards[self.place]) >> 2).astype(np.int64)

    def column(self, at: Laid) -> Column:
        return rank_of(at.cards[self.place])

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        names = {r: f"{'an' if r in (6, 12) else 'a'} {name}" for r, name in enumerate(RANK_NAMES)}
        if lo > values[0] and hi < values[-1] and lo != hi:
            return f"{self.whose}{RANK_NAMES[lo]} to {RANK_NAMES[hi]}", 2
        text, plain = _between(lo, hi, values, names, " or lower", " or higher")
        return self.whose + text, plain


@dataclass(frozen=True)
class Match(Look):
    """How many of the player's cards are of the rank of another card."""

    own: Places
    other: int
    whose: str
    ways = "ranges"

    def of(self, view: View) -> Values:
        rank = np.asarray(view.cards[self.other]) >> 2
        return sum((np.asarray(view.cards[p]) >> 2 == rank for p in self.own), np.zeros(view.rows, np.int64))

    def column(self, at: Laid) -> Column:
        return count(rank_of(at.cards[p]) == rank_of(at.cards[self.other]) for p in self.own)

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        if hi == 0:
            return f"no card of the rank that {self.whose}shows", 2
        many = "a card" if lo == 1 else f"{COUNTS[lo]} cards"
        only = "only " if hi < values[-1] else ""
        return f"{only}{many} of the rank that {self.whose}shows", 2 + bool(only)


@dataclass(frozen=True)
class Above(Look):
    """How many of the player's cards are higher than another card."""

    own: Places
    other: int
    whose: str
    ways = "ranges"

    def of(self, view: View) -> Values:
        rank = np.asarray(view.cards[self.other]) >> 2
        return sum((np.asarray(view.cards[p]) >> 2 > rank for p in self.own), np.zeros(view.rows, np.int64))

    def column(self, at: Laid) -> Column:
        return count(rank_of(at.cards[p]) > rank_of(at.cards[self.other]) for p in self.own)

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        names = {0: "no card", 1: "one card"} | {n: f"{COUNTS[n]} cards" for n in range(2, len(COUNTS))}
        text, plain = _between(lo, hi, values, names, " or fewer", " or more")
        return f"{text} higher than {self.whose}shows", 2 + plain


# ---- numbers


@dataclass(frozen=True, eq=False)
class Number(Look):
    """A column of the game that looks at nothing but what is seen."""

    number: Column  # of cards by place
    label: str
    ways = "ranges"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and self.number is other.number

    def __hash__(self) -> int:
        return self.number.uid

    def of(self, view: View) -> Values:
        base = {p: np.asarray(c, np.int64) for p, c in enumerate(view.cards)}
        return batch(self.number, base, view.carried, view.rows)

    def column(self, at: Laid) -> Column:
        return substituted([self.number], {card_in(p).uid: card for p, card in enumerate(at.cards)})[0]

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        if (self.number.lo, self.number.hi) == (0, 1):
            return (self.label, 2) if lo == 1 else (f"none of this: {self.label}", 3)
        text, plain = _between(lo, hi, values, {v: str(v) for v in (lo, hi)}, " or less", " or more")
        return f"{self.label} at {text}", 1 + plain


@dataclass(frozen=True)
class Named(Look):
    """A value that goes by a name: what a decision is made `by`, or what is carried over."""

    name: str
    carried: bool = False
    ways = "ranges"

    def of(self, view: View) -> Values:
        return np.asarray((view.carried if self.carried else view.by)[self.name], np.int64)

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        if (values[0], values[-1]) == (0, 1):
            return (self.name if lo else f"not {self.name}"), 1
        text, plain = _between(lo, hi, values, {v: str(v) for v in (lo, hi)}, " or less", " or more")
        return f"{f'the {DEALER} showing' if self.name == DEALER else self.name} {text}", plain


@dataclass(frozen=True)
class Raised(Look):
    """What was bet during the round so far, in multiples of the first bet; `unit` makes them whole."""

    unit: int
    ways = "ranges"

    def of(self, view: View) -> Values:
        return np.full(view.rows, int(view.raised * self.unit), np.int64)

    def column(self, at: Laid) -> Column:
        return column(int(at.raised * self.unit))

    def words(self, lo: int, hi: int, values: Sequence[int]) -> tuple[str, int]:
        names = {v: f"{v / self.unit:g}x" for v in values}
        text, plain = _between(lo, hi, values, names, " or less", " or more")
        return f"{text} raised so far", 1 + plain


def _between(
    lo: int, hi: int, values: Sequence[int], names: Mapping[int, str], lower: str, higher: str
) -> tuple[str, int]:
    """`jack or higher`, `2 to 6`, and how much there is to remember."""
    if lo == hi:
        return names[lo], 1
    if lo <= values[0]:
        return f"{names[hi]}{lower}", 1
    if hi >= values[-1]:
        return f"{names[lo]}{higher}", 1
    return f"{names[lo]} to {names[hi]}", 2
