"""The most that one round can cost the house when every bet of the layout is at its limit."""

from collections.abc import Mapping
from fractions import Fraction

from pitboss.exact import OpenGame, Solver
from pitboss.floor.records import Exposure
from pitboss.floor.seat import Counted, counted, parts_of, reseeded, set_aside
from pitboss.rules.game import House
from pitboss.rules.wagers import TABLE_MIN


def exposure(house: House, strategy: str, seats: int) -> Exposure:
    """All seats at once; who is paid from a meter after the first is paid its seed."""
    book = counted(house, strategy)
    bets = {w: _limit(house, w) for w in house.parties if w not in book.shared}
    first = largest(book, bets)
    others = first
    if any(house.meters(w) for w in bets) and seats > 1:
        others = largest(counted(reseeded(house), strategy), bets)
    return Exposure(bets, first, first + others * (seats - 1), seats > 1 or not isinstance(book, Solver))


def _limit(house: House, wager: str) -> Fraction:
    """The largest bet that the house takes on a wager before the deal."""
    found = next(w for w in house.wagers if w.name == wager)
    if found.exactly is not None:
        return house.amount("table-min") if found.exactly == TABLE_MIN else Fraction(found.exactly)
    return house.amount("table-max") if found.maximum is None else Fraction(found.maximum)


def largest(book: Counted, bets: Mapping[str, Fraction]) -> Fraction:
    """The most that one seat can win; where bets are counted apart, the most of each added up."""
    if isinstance(book, OpenGame):  # by its pay tables and the most hands that can be played
        best = Fraction(0)
        for wager, bet in bets.items():
            worth, common = book.worth(wager, bet)
            best += Fraction(int(worth.max()), common) * bet
        return best
    return sum(
        (
            max(-sum(wins, Fraction(0)) for cases in part.cases.values() for _, wins in cases)
            - sum(set_aside(book.house, w) for w in part.wagers)
            for part in parts_of(book, bets, 0)
        ),
        Fraction(0),
    )
