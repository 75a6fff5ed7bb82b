"""The pay table you want: all tables of a wager that meet an edge, counted exactly, the best of them by a taste."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.exact import Solver, Study
from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.house import House
from pitboss.rules.paytables import PayTable
from pitboss.tune.asked import Grid, Target, grid, in_chips, read_edge, read_row, read_step, usual_grid
from pitboss.tune.branch import Branches
from pitboss.tune.houses import at_values, values_of
from pitboss.tune.linear import Tables, form
from pitboss.tune.odds import Case, Figures, Paid, figures, is_played, linear_cases
from pitboss.tune.played import Played
from pitboss.tune.records import Designed, FoundTable
from pitboss.tune.recounted import Recounted, check_few, tables
from pitboss.tune.taste import TASTES, Ranker, by_pays, exact_key

Tick = Callable[[str, int], None]  # "solved" or "ranked", and how many tables so far
Pays = tuple[Fraction, ...]
Listed = tuple[NDArray[Any], list[NDArray[np.float64]]]  # which value each free row has; edges by house, nearly
MOST_RANKED = 30_000_000  # tables that are looked at one by one to rank them
MOST_REPLAYED = 1_000  # played tables whose hits or spread are worked out to rank them
SPARE = 50  # tables kept beyond those wanted, until they are put in exact order
NARROW = Fraction(1, 1 << 16)  # the first band around the edge wanted


class _Search(ABC):
    """The tables of a grid at one or several houses, of which `own` is the one whose figures are shown."""

    ways: int  # that were counted at the house's own options

    def __init__(self, grid: Grid, own: str, paid: Mapping[str, Paid], tick: Tick, patient: bool) -> None:
        self.grid, self.own, self.paid, self.tick = grid, own, dict(paid), tick

    @abstractmethod
    def count(self, low: Fraction, high: Fraction, enough: int) -> int:
        """How many tables have an edge from low to high at every house; `enough` of them where counting is slow."""

    @abstractmethod
    def listed(self, low: Fraction, high: Fraction) -> Iterator[Listed]:
        """These tables, some at a time."""

    @abstractmethod
    def edges(self, pays: Pays) -> dict[str, Fraction]:
        """The exact edge of one table at every house."""

    @abstractmethod
    def figures(self, pays: Pays) -> Figures:
        """The exact figures of one table at the house's own options."""

    @abstractmethod
    def now(self) -> dict[str, Figures]:
        """The exact figures at every house of the table that is printed now, which the grid need not hold."""

    @abstractmethod
    def check(self, taste: str, found: int) -> None:
        """Whether so many tables can be ranked by this taste."""

    def cases(self) -> list[Case]:
        return []

    def find(self, target: Target, taste: str, top: int) -> tuple[int, list[Pays]]:
        """How many tables meet the target, and the best of them."""
        if target.one:
            found, low, high = self.grid.total, -Fraction(10**9), Fraction(10**9)
        else:
            low, high = target.low, target.high
            found = self.count(low, high, 1 << 62)
        if not found:
            return 0, []
        if taste == "closest":
            low, high = self._band(target, low, high, min(top, found))
        else:
            self.check(taste, found)
        ranker = Ranker(taste, self.grid, self.cases())
        kept: list[NDArray[Any]] = []
        for picks, edges in self.listed(low, high):
            distance = np.max([np.abs(e - float(target.middle)) for e in edges], axis=0)
            kept.append(picks[ranker.best(picks, distance, top + SPARE)])
        tables = [tuple(f.values[i] for f, i in zip(self.grid.free, pick, strict=True)) for p in kept for pick in p]
        keys = {}
        for done, pays in enumerate(tables, 1):
            keys[pays] = self._key(taste, target, pays)
            self.tick("ranked", done)
        return found, sorted(keys, key=lambda pays: keys[pays])[:top]

    def _band(self, target: Target, low: Fraction, high: Fraction, want: int) -> tuple[Fraction, Fraction]:
        """The narrowest of a row of bands about the middle that holds as many tables as are wanted."""
        band = NARROW
        while True:
            inner = max(low, target.middle - band), min(high, target.middle + band)
            if inner == (low, high) or self.count(*inner, want) >= want:
                return inner
            band *= 2

    def _key(self, taste: str, target: Target, pays: Pays) -> tuple[object, ...]:
        distance = max(abs(e - target.middle) for e in self.edges(pays).values())
        return exact_key(taste, distance, self.grid, pays, None if by_pays(taste) else self.figures(pays))

    def shown(self, pays: Pays) -> FoundTable:
        edges, found, table = self.edges(pays), self.figures(pays), self.grid.paid(pays)
        if found.edge != edges[self.own]:
            raise BadInput(f"{table.name} comes to different edges counted and solved, which is a mistake in pitboss")
        return _record(table, found, edges if len(edges) > 1 else {}, pays == self.grid.printed())

    def today(self) -> FoundTable:
        pays = self.grid.printed()
        if pays is not None:
            return self.shown(pays)
        now = self.now()
        edges = {name: found.edge for name, found in now.items()}
        return _record(self.grid.table, now[self.own], edges if len(edges) > 1 else {}, True)


class _Linear(_Search):
    """A wager whose pays change nothing about the play."""

    def __init__(self, grid: Grid, own: str, paid: Mapping[str, Paid], tick: Tick, patient: bool) -> None:
        super().__init__(grid, own, paid, tick, patient)
        counted = {name: linear_cases(one) for name, one in self.paid.items()}
        self.by_house = {name: cases for name, (cases, _) in counted.items()}
        self.ways = counted[own][1]
        self.tables = Tables(grid, [form(cases, grid) for cases in self.by_house.values()], patient)

    def cases(self) -> list[Case]:
        return self.by_house[self.own]

    def count(self, low: Fraction, high: Fraction, enough: int) -> int:
        return self.tables.count(low, high, enough)

    def listed(self, low: Fraction, high: Fraction) -> Iterator[Listed]:
        for picks, sums in self.tables.listed(low, high):
            yield picks, self.tables.edges(sums)

    def edges(self, pays: Pays) -> dict[str, Fraction]:
        return {name: figures(cases, pays).edge for name, cases in self.by_house.items()}

    def figures(self, pays: Pays) -> Figures:
        return figures(self.cases(), pays)

    def now(self) -> dict[str, Figures]:
        fixed = {name: Paid(one.study, one.wager, ()) for name, one in self.paid.items()}
        return {name: figures(linear_cases(one)[0], ()) for name, one in fixed.items()}

    def check(self, taste: str, found: int) -> None:
        if found > MOST_RANKED:
            raise BadInput(
                f"{found:,} pay tables meet it, too many to rank by {taste} ({MOST_RANKED:,} are); narrow the range or "
                "the rows, or take `taste='closest'`"
            )


class _Solved(_Search):
    """A wager that is played: every table is answered optimally."""

    def __init__(self, grid: Grid, own: str, paid: Mapping[str, Paid], tick: Tick, patient: bool) -> None:
        super().__init__(grid, own, paid, tick, patient)
        self.played = {name: Played(one, grid) for name, one in self.paid.items()}
        self.ways = self.played[own].solver.induction.ways
        self.branches = Branches(grid, list(self.played.values()), lambda solved: tick("solved", solved), patient)
        self._last: tuple[Fraction, Fraction, Listed] | None = None

    def _all(self, low: Fraction, high: Fraction) -> Listed:
        if self._last is None or self._last[:2] != (low, high):
            picks, edges = self.branches.listed(low, high)
            scales = [one.scale for one in self.played.values()]
            nearly = [np.asarray(e, np.float64) / float(s) for e, s in zip(edges, scales, strict=True)]
            self._last = low, high, (picks, nearly)
        return self._last[2]

    def count(self, low: Fraction, high: Fraction, enough: int) -> int:
        return len(self._all(low, high)[0])

    def listed(self, low: Fraction, high: Fraction) -> Iterator[Listed]:
        yield self._all(low, high)

    def edges(self, pays: Pays) -> dict[str, Fraction]:
        whole = np.array([[int(p * self.grid.unit) for p in pays]], np.int64)
        return {name: Fraction(int(one.edges(whole)[0]), one.scale) for name, one in self.played.items()}

    def figures(self, pays: Pays) -> Figures:
        one = self.played[self.own]
        return self._of(one.solver.paying(one.paid.tables(self.grid.paid(pays))))

    def now(self) -> dict[str, Figures]:
        return {name: self._of(one.solver) for name, one in self.played.items()}

    def _of(self, solver: Solver) -> Figures:
        found = solver.wager_result(self.paid[self.own].party)
        return Figures(found.house_edge, found.variance, found.hit_frequency)

    def check(self, taste: str, found: int) -> None:
        if not by_pays(taste) and found > MOST_REPLAYED:
            raise BadInput(
                f"{found:,} pay tables meet it, too many to play each through and rank them by {taste} "
                f"({MOST_REPLAYED:,} are); narrow the range or the rows, or take `taste='closest'` or `taste='pretty'`"
            )


class _Recounted(_Search):
    """A wager that is played, and whose count is not kept: every table is another count."""

    def __init__(self, grid: Grid, own: str, paid: Mapping[str, Paid], tick: Tick, patient: bool) -> None:
        super().__init__(grid, own, paid, tick, patient)
        self.houses = {name: Recounted(one, grid) for name, one in self.paid.items()}
        check_few(grid, list(self.houses.values()), patient)
        self._now = {name: one.now for name, one in self.houses.items()}  # counted first: it bounds the others
        self.ways = self.houses[own].ways

    def count(self, low: Fraction, high: Fraction, enough: int) -> int:
        return sum(len(picks) for picks, _ in self.listed(low, high))

    def listed(self, low: Fraction, high: Fraction) -> Iterator[Listed]:
        for picks, pays in tables(self.grid):
            if all(one.possible(pays, low, high) for one in self.houses.values()):
                edges = self.edges(pays).values()
                if all(low <= edge <= high for edge in edges):
                    yield np.array([picks], np.int64), [np.array([float(edge)]) for edge in edges]

    def edges(self, pays: Pays) -> dict[str, Fraction]:
        found = {name: one.figures(pays).edge for name, one in self.houses.items()}
        self.tick("solved", sum(one.counts for one in self.houses.values()))
        return found

    def figures(self, pays: Pays) -> Figures:
        return self.houses[self.own].figures(pays)

    def now(self) -> dict[str, Figures]:
        return self._now

    def check(self, taste: str, found: int) -> None:
        """Whatever has been counted can be ranked."""


def design(
    house: House,
    wager: str,
    target: Target,
    grid: Grid,
    *,
    asked: bool = True,
    taste: str = "closest",
    top: int = 20,
    across: str = "",
    houses: Mapping[str, House] | None = None,
    tick: Tick = lambda what, tables: None,
    patient: bool = False,
) -> Designed:
    """All pay tables of a grid that meet the target at this house, or at all `houses`, one per value of an option."""
    if target.one and taste != "closest":
        raise BadInput(f"`taste={taste}` puts the tables of a range in order; write a range, such as `edge='4%..6%'`")
    own = str(house.chosen()[across]) if across else ""
    paid = {name: Paid(Study(one, patient=patient), wager, grid.free) for name, one in (houses or {own: house}).items()}
    party = house.lead(wager)
    played = is_played(paid[own].study, party)
    kept = played and Study(house.but(placed=frozenset([party])), patient=patient).deal_by_deal(party)
    search = (_Solved if kept else _Recounted if played else _Linear)(grid, own, paid, tick, patient)
    found, best = search.find(target, taste, top)
    if not found:  # then at least what comes closest
        _, best = search.find(Target(target.middle, target.middle), "closest", 1)
    return Designed(
        of=house.provenance("optimal"),
        wager=wager,
        party=party,
        low=target.low,
        high=target.high,
        taste=taste,
        bounds={f.row: f.words() for f in grid.free},
        asked=asked,
        order=grid.order,
        played=played,
        across=across,
        tables=grid.total,
        found=found,
        today=search.today(),
        ways=search.ways,
        stake=house.stake_on(party),
        best=tuple(search.shown(pays) for pays in best),
    )


def _record(table: PayTable, found: Figures, across: Mapping[str, Fraction], printed: bool) -> FoundTable:
    spelled = PayTable("", table.pays).spelled()
    pays = dict(zip(table.pays, spelled.split(","), strict=True))
    return FoundTable(spelled, pays, found.edge, found.hits, found.variance, dict(across), printed)


def designed(
    house: House, wager: str, edge: str, rows: Sequence[str] = (), step: str = "1", any_order: bool = False,
    taste: str = "closest", top: int = 20, across: str | None = None, tick: Tick = lambda what, tables: None,
    patient: bool = False,
) -> Designed:  # fmt: skip
    """The same in words: an edge such as "4%..6%", rows such as "flush=3..8", an option such as "decks=4,6,8"."""
    target = read_edge(edge)
    if taste not in TASTES:
        raise BadInput(f"`taste` {choice_of(taste, list(TASTES))}")
    wager = _table_holder(house, wager)
    option, houses = "", dict[str, House]()
    if across is not None:
        option, values = values_of(house, across)
        house, houses = at_values(house, option, values, wager)
    now, bet = house.tables[wager], house.stake_on(wager)
    whole = partial(in_chips, house, wager)
    free = [whole(read_row(text, now, read_step(step), bet)) for text in rows]
    grid_ = grid(now, free, any_order, bet) if free else usual_grid(now, read_step(step), any_order, bet, whole)
    return design(
        house, wager, target, grid_, asked=bool(rows), taste=taste, top=top, across=option, houses=houses, tick=tick,
        patient=patient,
    )  # fmt: skip


def _table_holder(house: House, name: str) -> str:
    """A wager with a pay table of its own, by name."""
    own = [w.name for w in house.wagers if not w.table_of]
    wager = next((w for w in house.wagers if w.name in (name, name.replace("_", "-"))), None)
    if wager is None:
        raise BadInput(f"{house.game.name} has no wager {name!r} with a pay table; it has {', '.join(own)}")
    if wager.table_of and house.tables[wager.name] is house.tables[wager.table_of]:
        raise BadInput(f"{wager.name} pays by the table of {wager.table_of}; design `wager={wager.table_of}`")
    return wager.name
