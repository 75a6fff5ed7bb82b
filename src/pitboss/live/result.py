"""What came of a round for a seat."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from pitboss.live.events import Event


@dataclass(frozen=True)
class Result:
    """What a round brought to a seat."""

    seat: int
    net: Fraction  # bets for the dealer and what was forfeited are gone
    settled: tuple[Event, ...]  # every wager: stake, row, what it pays, net
    tokes: tuple[Event, ...] = ()  # what came of the bets for the dealer
    forfeited: Mapping[str, Fraction] | None = None  # by leaving
