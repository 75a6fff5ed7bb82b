"""The edge of a wager whose count is not kept deal by deal: every pay table that is asked for is another count.

What is known from the tables counted so far bounds the others. Whoever plays as is best for another table does no
better than the best player, so each count gives a plain sum over the rows that no edge exceeds; and the edge never
rises when a row pays more.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product

from pitboss.exact import Study
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.work import Work, time_words
from pitboss.tune.asked import Grid
from pitboss.tune.odds import Case, Figures, Paid, figures, linear_cases

Pays = tuple[Fraction, ...]
MOST_TABLES = 100_000


class Recounted:
    """One house's wager, counted anew for every pay table."""

    def __init__(self, paid: Paid, grid: Grid) -> None:
        self.paid, self.grid = paid, grid
        self.house = paid.house.but(placed=frozenset([paid.party]))
        self._known: dict[Pays, Figures] = {}
        self._sums: list[list[Case]] = []  # of a player who plays as is best for one table or another
        self.ways = 0

    @property
    def work(self) -> Work:
        """What one count takes."""
        return self._study(self.house).plan_for([self.paid.party]).work

    def _study(self, house: House) -> Study:
        return Study(house, patient=self.paid.study.patient)

    @property
    def counts(self) -> int:
        """Tables that have been counted."""
        return len(self._sums)

    @cached_property
    def now(self) -> Figures:
        """Of the table that is printed now."""
        pays = self.grid.printed()
        return self._count(self.house) if pays is None else self.figures(pays)

    def figures(self, pays: Pays) -> Figures:
        if pays not in self._known:
            self._known[pays] = self._count(self.house.but(tables=self.paid.tables(self.grid.paid(pays))))
        return self._known[pays]

    def _count(self, house: House) -> Figures:
        paid = Paid(self._study(house), self.paid.wager, self.grid.free)
        cases, self.ways = linear_cases(paid)
        self._sums.append(cases)
        found = paid.study.wager(paid.party)
        return Figures(found.house_edge, found.variance, found.hit_frequency)

    def possible(self, pays: Pays, low: Fraction, high: Fraction) -> bool:
        """Whether this table may have an edge from low to high, by what has been counted so far."""
        if pays in self._known:
            return low <= self._known[pays].edge <= high
        if any(figures(cases, pays).edge < low for cases in self._sums):
            return False
        better = (found.edge for other, found in self._known.items() if all(map(Fraction.__ge__, other, pays)))
        return not any(edge > high for edge in better)


def check_few(grid: Grid, houses: list[Recounted], patient: bool) -> None:
    """Whether so many tables can be counted one by one."""
    one, party = houses[0].work, houses[0].paid.party
    less = (
        f"few rows that move, named with `row`, between close bounds: the {party} is counted anew for every pay table, "
        f"about {time_words(one.seconds)} each"
    )
    Work(one.seconds * grid.total * len(houses), one.memory).check(patient, less)
    if grid.total > MOST_TABLES:
        raise BadInput(
            f"{grid.total:,} pay tables are too many to count one by one ({MOST_TABLES:,} are); ask for {less}"
        )


def tables(grid: Grid) -> Iterator[tuple[tuple[int, ...], Pays]]:
    """All tables of a grid: which value each free row has, and the pays."""
    for picks in product(*(range(len(f.values)) for f in grid.free)):
        pays = tuple(f.values[i] for f, i in zip(grid.free, picks, strict=True))
        if all(pays[a] >= pays[b] for a, b in pairwise(grid.chain)):
            yield picks, pays
