"""The exact analysis of a game: counted whole where that can be done, else wager by wager."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from pitboss.exact.analysis import Solver
from pitboss.exact.book import Book, provenance
from pitboss.exact.contest import showdown_ways
from pitboss.exact.derived import one_wager_house, same_shoe_house, settled_first
from pitboss.exact.induction import TooLarge
from pitboss.exact.open import OpenGame
from pitboss.exact.symmetry import renamed
from pitboss.exact.together import combined
from pitboss.results import Analysis, Outcome, Progressive, Together, WagerResult
from pitboss.rules.column import Rows
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.trace import trace


def analyze(
    house: House, strategy: str = "optimal", bets: Mapping[str, Fraction] | None = None, wager: str | None = None
) -> Analysis:
    """The exact analysis of a game as one house offers it."""
    if wager is not None and wager not in house.parties:
        raise BadInput(f"{house.game.name} has no wager {wager!r} before the deal; it has {', '.join(house.parties)}")
    if wager and wager not in house.main and (side_bet := _settled_first(house, wager, strategy)):
        return side_bet
    names = [wager] if wager else list(house.parties)
    try:
        solver = Solver(house, strategy)
    except TooLarge:
        if trace(house).open_ended:
            return _open(OpenGame(house, strategy), names, bets)
        parts = Parts(house, strategy)  # the wagers together are too many to count; each alone may not be
        if bets:
            house.check_bets(bets)
        one_area = bets or {p: house.least_bet(p) for p in _same_hands(parts)}
        together = parts.together(one_area) if not wager else None
        return Analysis(parts.provenance(), tuple(parts.wager_result(n) for n in names), (), together)
    chart = solver.chart() if any(n in solver.decided for n in names) else ()
    together = solver.together(bets or {p: house.least_bet(p) for p in house.parties}) if not wager else None
    progressives = tuple(_with_shoe(solver, solver.progressive(n)) for n in names if house.meters(n))
    left_out = solver.not_charted() if chart else {}
    wagers = tuple(solver.wager_result(n) for n in names)
    return Analysis(solver.provenance(), wagers, chart, together, progressives, left_out)


def _settled_first(house: House, wager: str, strategy: str) -> Analysis | None:
    """A side bet that is settled before any decision: nothing of the round after it needs to be looked at."""
    if house.meters(wager) or (strategy != "optimal" and strategy not in house.game.strategies):
        return None
    alone = settled_first(house, wager)
    if alone is None:
        return None
    try:
        found = Solver(alone).wager_result(wager)
    except TooLarge:
        return None
    return Analysis(provenance(house, strategy), (found,), ())


def _open(game: OpenGame, names: Sequence[str], bets: Mapping[str, Fraction] | None) -> Analysis:
    """Hands of any number of cards: each wager by itself, and what every choice is worth with two cards."""
    if bets:
        game.house.check_bets(bets)
    wagers = tuple(game.wager_result(n) for n in names)
    chart = game.rows() if any(n in game.decided for n in names) else ()
    return Analysis(game.provenance(), wagers, chart)


def _same_hands(parts: "Parts") -> list[str]:
    """The first wager, and those that look at no other cards than it does."""
    settled = next(parts.graph.ends()).settled
    return [s.wager for s in settled if s.rows.index.slots <= settled[0].rows.index.slots]


class Parts(Book):
    """A game without decisions whose wagers are counted one at a time, because all together are too many deals."""

    def __init__(self, house: House, strategy: str = "optimal") -> None:
        super().__init__(house, strategy)
        if any(self.graph.decisions()):
            raise TooLarge("the player's decisions make this game too large for an exact count; simulate it instead")
        self._found: dict[object, WagerResult] = {}

    def wager_result(self, party: str) -> WagerResult:
        """One wager alone; wagers that look at their cards in the same way are counted once."""
        if party in self.shared:
            return self.shared_result(party, 1)
        ends = list(self.graph.ends())
        rows = next(s.rows for s in ends[0].settled if s.wager == party)
        (same,) = renamed([rows.index], {slot: i for i, slot in enumerate(sorted(rows.index.slots))})
        pays = tuple(self.house.tables[party].pays.items())
        key: object = (same.uid, rows.names, pays, self.stake(party)) if len(ends) == 1 else party
        if key not in self._found:
            self._found[key] = self._count(party, rows)
        return replace(self._found[key], wager=party)

    def _count(self, party: str, rows: Rows) -> WagerResult:
        try:
            return Solver(one_wager_house(self.house, party)).wager_result(party)
        except TooLarge:
            ways = showdown_ways([rows]) if len(list(self.graph.ends())) == 1 else None
            if ways is None:
                raise
        total = sum(ways.values())
        stake = self.stake(party)
        outcomes = [
            Outcome(row, n, Fraction(n, total), self.house.net(party, row, stake)) for (row,), n in ways.items()
        ]
        outcomes.sort(key=lambda o: (-o.pays, o.outcome))
        return WagerResult(party, self.house.tables[party].name, tuple(outcomes), total, Fraction(1))

    def together(self, bets: Mapping[str, Fraction]) -> Together | None:
        """These bets at once where they look at the same two hands; None where that is too many deals."""
        settled = {s.wager: s.rows for s in next(self.graph.ends()).settled}
        ways = showdown_ways([settled[p] for p in bets])
        if ways is None:
            return None
        total = sum(ways.values())
        cases = [
            (
                Fraction(n, total),
                {p: self.house.net(p, row, bets[p]) * bets[p] for p, row in zip(bets, rows, strict=True)},
            )
            for rows, n in ways.items()
        ]
        return combined(bets, cases, sum(bets.values(), Fraction(0)))


def _with_shoe(solver: Solver, found: Progressive) -> Progressive:
    """Add how likely each jackpot is on a hand that follows another from the same shoe."""
    if not solver.graph.carried:
        return found
    pair = same_shoe_house(solver.house, found.wager)
    follow = Solver(pair)
    follow.weights = solver.weights
    again = {m.row: m.probability for m in follow.progressive(found.wager).meters}
    return replace(found, meters=tuple(replace(m, same_shoe=again[m.row]) for m in found.meters))
