"""What a wager brings as a sum over its rows: in so many ways, so much by rows that stay, so often each row that moves.

Read off the cells of the exact count, not off the labels of a return table, so wagers that pay by the same table, and
those that go with the wager before the deal, are all there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pitboss.compile import Leaf
from pitboss.design.asked import Free
from pitboss.exact import Book, OpenGame, Parts, Solver, TooLarge
from pitboss.exact.derived import one_wager_house
from pitboss.ledger.records import WagerResult
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.paytables import PayTable

Line = tuple[Fraction, tuple[Fraction, ...]]
"""What a settled round brings: `base`, and `times` per row that moves."""


@dataclass(frozen=True)
class Case:
    """Rounds that come to the same: how likely they are, and what they bring, `base` + the sum of `times` x pay."""

    probability: Fraction
    base: Fraction
    times: tuple[Fraction, ...]  # per row that moves

    def net(self, pays: Sequence[Fraction]) -> Fraction:
        return self.base + sum((t * p for t, p in zip(self.times, pays, strict=True) if t), Fraction(0))


@dataclass(frozen=True)
class Figures:
    """Edge, spread and hit frequency of one pay table, exactly."""

    edge: Fraction
    variance: Fraction
    hits: Fraction


def figures(cases: Sequence[Case], pays: Sequence[Fraction]) -> Figures:
    nets = [(c.probability, c.net(pays)) for c in cases]
    mean = sum((p * n for p, n in nets), Fraction(0))
    square = sum((p * n * n for p, n in nets), Fraction(0))
    return Figures(-mean, square - mean**2, sum((p for p, n in nets if n > 0), Fraction(0)))


class Paid:
    """Who is paid by a pay table whose rows move."""

    def __init__(self, house: House, wager: str, free: Sequence[Free]) -> None:
        self.house, self.wager, self.free = house, wager, list(free)
        self.party = house.lead(wager)
        self.place = {f.row: i for i, f in enumerate(free)}
        own = {w.name for w in house.wagers if w.name == wager or w.table_of == wager}
        self.own = {name for name in own if house.tables[name] is house.tables[wager]}

    def tables(self, table: PayTable) -> dict[str, PayTable]:
        """The pay tables of the house that change when this one does."""
        return dict.fromkeys(self.own, table)

    def line(self, rows: Mapping[str, tuple[str, Fraction]], stake: Fraction) -> Line:
        """Base and times of a settled round: wager -> its row, and how many times the first bet is on it."""
        base, times = Fraction(0), [Fraction(0)] * len(self.free)
        for member in self.house.parties[self.party]:
            row, staked = rows.get(member.name, ("", Fraction(0)))
            if not staked:
                continue
            if member.name in self.own and row in self.place:
                i, bet = self.place[row], self.free[self.place[row]].bet
                if bet is not None:
                    times[i] += bet / stake
                    base -= 0 if member.stake_returned else staked
                else:
                    times[i] += staked
            else:
                base += staked * self.house.net(member.name, row, stake * staked)
        return base, tuple(times)

    def cell(self, leaf: Leaf, rows: Mapping[str, str], stake: Fraction) -> Line:
        """The same for a cell of the exact count."""
        held = {
            w.name: (rows[w.name], Fraction(rows.get(f"times {w.name}", leaf.end.bets.get(w.name, 1))))
            for w in self.house.parties[self.party]
            if w.name in rows
        }
        return self.line(held, stake)


def is_played(house: House, party: str) -> bool:
    """Whether the pays of a wager change how it is best played."""
    book = Book(house)
    if party not in book.decided or not any(book.graph.decisions()):
        return False
    if book.graph.open_ended:
        raise BadInput(
            f"the {party} is played with hands of any number of cards, which are not solved anew for every pay table; "
            f"design {' or '.join(p for p in house.parties if p not in book.decided) or 'another game'}"
        )
    if len(book.decided) > 1:
        raise BadInput(f"the player's choices serve {' and '.join(book.decided)} at once; design a wager of its own")
    return True


def linear_cases(paid: Paid) -> tuple[list[Case], int]:
    """The cases of a wager whose pays change nothing about the play, and the ways that were counted."""
    house, party = paid.house, paid.party
    book = Book(house)
    if party in book.shared:
        raise BadInput(f"the {party} is paid among the players: it has no edge to design")
    merged: dict[Line, Fraction] = {}
    lines, ways = _lines(paid, book)
    for line, probability in lines:
        merged[line] = merged.get(line, Fraction(0)) + probability
    return [Case(p, base, times) for (base, times), p in merged.items() if p], ways


def _lines(paid: Paid, book: Book) -> tuple[list[tuple[Line, Fraction]], int]:
    """Every way a round can be settled, with its probability, and the ways that were counted."""
    house, party, stake = paid.house, paid.party, book.stake(paid.party)
    solver = _solver(book, party)
    if solver is not None:
        ways = solver.induction.ways
        found = [
            (paid.cell(leaf, rows, stake), weight * Fraction(state[cell], ways))
            for state, weight in zip(solver.state_ways, solver.weights, strict=True)
            for leaf in solver.cells.leaves
            for cell, rows in enumerate(leaf.table, leaf.offset)
            if state[cell]
        ]
        return found, ways
    counted = (OpenGame(house) if book.graph.open_ended else Parts(house)).wager_result(party)
    assert isinstance(counted, WagerResult)  # counted by a kernel of its own, where an outcome is a row
    outcomes = [(paid.line({party: (o.outcome, Fraction(1))}, stake), o.probability) for o in counted.outcomes]
    return outcomes, counted.ways


def _solver(book: Book, party: str) -> Solver | None:
    """The count of the wager alone where it comes out the same on every way through the round, else of the game."""
    house, graph = book.house, book.graph
    fixed = {name for d in book.cells.shared for name in d.names} if not graph.carried else set()
    houses = [house]
    if len(house.parties[party]) == 1 and (party in fixed or graph.open_ended or not any(graph.decisions())):
        houses.insert(0 if party in fixed else 1, one_wager_house(house, party))
    for one in houses:
        try:
            return Solver(one)
        except TooLarge:
            continue
    return None
