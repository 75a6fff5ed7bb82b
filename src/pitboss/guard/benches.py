"""Shoes as benches, so that anybody can deal them: lots of shoes with what counts show of every round, and the truth
about single rounds whose shoe is counted whole."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Composition
from pitboss.crew import Letter
from pitboss.deal.shoes import TOGETHER, Shoes
from pitboss.guard.counts import Effect, TagCount, line, suit_spread, whole
from pitboss.guard.records import Exact
from pitboss.guard.worth import Worth, worth_of
from pitboss.rules.house import House

Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Dealing:
    """How shoes are dealt: two of the same deal the same cards."""

    house: House
    wager: str
    cut: Fraction
    seats: int
    seed: int

    @cached_property
    def shoes(self) -> Shoes:
        return Shoes(self.house, self.wager, cut=self.cut, seats=self.seats, seed=self.seed)

    @property
    def worth(self) -> Worth:
        return worth_of(self.house, self.wager)

    def asked(self) -> dict[str, Any]:
        return {"wager": self.wager, "cut": self.cut, "seats": self.seats, "seed": self.seed}

    def identity(self, *seen: Any) -> dict[str, str]:
        """With something that was worked out, to the last digit: another processor may round otherwise."""
        told = hashlib.sha256(repr(seen).encode()).hexdigest()
        return {**self.house.provenance().fingerprint(), "what the first shoe is worth": told}


@dataclass(frozen=True, eq=False)
class Lots:
    """Jobs are lots of shoes: of every round, where it is in the shoe, what the bet is worth, and what counts show."""

    dealing: Dealing
    many: int  # shoes
    full: Exact
    moved: Sequence[Effect]
    tags: TagCount | None
    follows: Sequence[Effect]  # the effects that the tags follow

    @property
    def jobs(self) -> int:
        return -(-self.many // TOGETHER)

    @cached_property
    def _fixed(self) -> Any:
        """What a player does who does not count."""
        quick = self.dealing.worth.at_once
        return quick.policy(self.dealing.house.composition) if quick is not None and quick.decides else None

    def do(self, numbers: range) -> list[Columns]:
        lots = (range(n * TOGETHER, min(self.many, (n + 1) * TOGETHER)) for n in numbers)
        return [self._columns(lot) for lot in lots]

    def _columns(self, lot: range) -> Columns:
        house, quick = self.dealing.house, self.dealing.worth.at_once
        some, deck = self.dealing.shoes.some(lot), len(house.deck)
        out: Columns = {"shoe": some.shoe.astype(np.int32), "gone": some.gone.astype(np.int32)}
        if self.tags is not None:
            out["tags"] = whole(self.tags.true_counts(self.follows, house.composition, some.left, deck))
        if quick is None:
            return out | {"worth": line(house.composition, self.full, self.moved, some.left)}
        out["worth"] = quick.expectations(some.left)
        if self._fixed is not None:
            out["fixed"] = quick.expectations(some.left, self._fixed)
        if quick.by_suit:
            out["suits"] = whole(suit_spread(some.left, deck))
        return out

    def letter(self) -> Letter:
        more = {"many": self.many, "full": self.full, "moved": self.moved, "tags": self.tags, "follows": self.follows}
        return Letter(lots_elsewhere, self.dealing.house, {"dealing": self.dealing.asked(), **more})

    def identity(self) -> dict[str, str]:
        first = self._columns(range(1))
        return self.dealing.identity(*((name, column.tolist()) for name, column in first.items()))


@dataclass(frozen=True, eq=False)
class Truths:
    """Jobs are some rounds of shoes, which are dealt again and counted whole."""

    dealing: Dealing
    rounds: NDArray[np.int64]  # x (shoe, cards gone)

    @property
    def jobs(self) -> int:
        return -(-len(self.rounds) // self.dealing.worth.together)

    def do(self, numbers: range) -> list[float]:
        together = self.dealing.worth.together
        some = self.rounds[numbers.start * together : numbers.stop * together]
        return [float(e) for e in self.dealing.worth.each([self._left_before(*row) for row in some.tolist()])]

    def _left_before(self, shoe: int, gone: int) -> Composition:
        """What was left in the shoe before this round."""
        again = self.dealing.shoes.some([shoe])
        (row,) = again.left[again.gone == gone].tolist()
        return tuple(row)

    def letter(self) -> Letter:
        return Letter(truths_elsewhere, self.dealing.house, {"dealing": self.dealing.asked(), "rounds": self.rounds})

    def identity(self) -> dict[str, str]:
        return self.dealing.identity(self.do(range(1))[:1])


def lots_elsewhere(house: House, dealing: Mapping[str, Any], **more: Any) -> Lots:
    return Lots(Dealing(house, **dealing), **more)


def truths_elsewhere(house: House, dealing: Mapping[str, Any], **more: Any) -> Truths:
    return Truths(Dealing(house, **dealing), **more)
