"""What a settled round is worth and what it is called: the money side of a graph, the same for counts and samples."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from pitboss import __version__
from pitboss.compile import Cells, Leaf
from pitboss.results import Outcome, Provenance, WagerResult
from pitboss.rules.game import House
from pitboss.rules.trace import trace


class Book:
    """A house's game, traced, with a price on every cell."""

    def __init__(self, house: House, strategy: str = "optimal") -> None:
        self.house, self.name = house, strategy
        self.graph = trace(house)
        self.cells = Cells(self.graph)
        self._prices: dict[tuple[str, Fraction], list[Fraction]] = {}

    def stake(self, wager: str) -> Fraction:
        """The dollars that fixed awards are measured against: the option `stake`, or the least bet."""
        if "stake" in self.house.options:
            return self.house.amount("stake")
        return self.house.least_bet(self.house.lead(wager))

    def prices(self, party: str, stake: Fraction | None = None) -> list[Fraction]:
        """What each cell brings on one wager before the deal and all that goes with it, in units of that wager."""
        stake = stake or self.stake(party)
        if (party, stake) not in self._prices:
            self._prices[party, stake] = [
                self._net(leaf, rows, party, stake) for leaf in self.cells.leaves for rows in leaf.table
            ]
        return self._prices[party, stake]

    def _net(self, leaf: Leaf, rows: Mapping[str, str], party: str, stake: Fraction) -> Fraction:
        total = Fraction(0)
        for wager in self.house.parties[party]:
            if wager.name in rows:
                times = leaf.end.bets.get(wager.name, 1)
                total += times * self.house.net(wager.name, rows[wager.name], stake * times)
        return total

    def provenance(self) -> Provenance:
        house = self.house
        shown = {w.name: house.tables[w.name].name for w in house.wagers}
        return Provenance(
            house.game.name, house.game.title, dict(house.options), shown, self.name, __version__, house.game.sha256
        )

    def label(self, leaf: Leaf, rows: Mapping[str, str], party: str) -> str:
        """A row of the return table, in words: what was chosen, what happened, how each wager came out."""
        members = [w.name for w in self.house.parties[party] if w.name in rows]
        lead = next((s for s in leaf.end.settled if s.wager == party), None)
        results = {rows[m] for m in members}
        outcome = results.pop() if len(results) == 1 else ", ".join(f"{m} {rows[m]}" for m in members)
        if party not in self.house.main or lead is None:
            return outcome
        chosen = [str(s.answer) for s in leaf.end.path if not isinstance(s.answer, bool)]
        story = ", ".join([*chosen, *([lead.because] if lead.because else [])])
        return f"{story}: {outcome}" if story else outcome

    def priced(self, party: str) -> list[tuple[str, Fraction]]:
        """Per cell: the row of the return table that it belongs to, and what it brings."""
        labels = [self.label(leaf, rows, party) for leaf in self.cells.leaves for rows in leaf.table]
        return list(zip(labels, self.prices(party), strict=True))

    @property
    def shared(self) -> tuple[str, ...]:
        """Wagers between the players: what one seat loses another wins, so the house has no part in them."""
        return self.cells.between_players

    def shared_result(self, party: str, ways: int) -> WagerResult:
        """A wager between the players: its expectation is zero whatever one does."""
        alone = (Outcome("stays among the players", ways, Fraction(1), Fraction(0)),)
        return WagerResult(party, "shared", alone, ways, Fraction(1), shared=True)

    @cached_property
    def decided(self) -> tuple[str, ...]:
        """The main wagers that a choice can change; their sum is what the player maximises."""
        fixed = {name for d in self.cells.shared for name in d.names} | {*self.shared}
        moved = [p for p in self.house.main if any(w.name not in fixed for w in self.house.parties[p])]
        return tuple(moved) or self.house.main

    def wagered(self, leaf: Leaf, party: str) -> int:
        """Units staked in all by the end of the round, on a wager and what goes with it."""
        return 1 + sum(n for w, n in leaf.end.bets.items() if self.house.lead(w) == party)


def decided_wager(house: House) -> str:
    """The first wager that the player's choices can change: the one a strategy chart is about."""
    return Book(house).decided[0]
