"""What a wager brings as a sum over its rows: in so many ways, so much by rows that stay, so often each row that moves.

Read off the joint rows of a law, not off the labels of a return table, so wagers that pay by the same table, and those
that go with the wager before the deal, are all there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pitboss.exact import Study
from pitboss.ledger.law import Joint
from pitboss.rules.errors import BadInput
from pitboss.rules.paytables import PayTable
from pitboss.tune.asked import Free

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

    def __init__(self, study: Study, wager: str, free: Sequence[Free]) -> None:
        self.study, self.house, self.wager, self.free = study, study.house, wager, list(free)
        self.party = self.house.lead(wager)
        self.stake = self.house.stake_on(self.party)
        self.place = {f.row: i for i, f in enumerate(free)}
        own = {w.name for w in self.house.wagers if w.name == wager or w.table_of == wager}
        self.own = {name for name in own if self.house.tables[name] is self.house.tables[wager]}
        nothing = [w.name for w in self.house.wagers if w.free and w.name in self.own]
        if nothing and any(v < 0 for f in free if f.bet is None for v in f.values):
            raise BadInput(f"{nothing[0]} is free and loses nothing; take pays from 0 on")

    def tables(self, table: PayTable) -> dict[str, PayTable]:
        """The pay tables of the house that change when this one does."""
        return dict.fromkeys(self.own, table)

    def line(self, joint: Joint) -> Line:
        """Base and times of a settled round."""
        base, times = Fraction(0), [Fraction(0)] * len(self.free)
        for member in self.house.parties[self.party]:
            row, staked = joint.rows.get(member.name), joint.bet_on(member.name)
            if row is None or not staked:
                continue
            if member.name in self.own and row in self.place:
                i, bet = self.place[row], self.free[self.place[row]].bet
                if bet is not None:
                    times[i] += bet / self.stake
                    base -= 0 if member.stake_returned else staked
                else:
                    times[i] += staked
            else:
                base += staked * self.house.net(member.name, row, self.stake * staked)
        return base, tuple(times)


def is_played(study: Study, party: str) -> bool:
    """Whether the pays of a wager change how it is best played."""
    if party not in study.decided:
        return False
    if study.drawn:
        others = " or ".join(p for p in study.house.parties if p not in study.decided)
        raise BadInput(
            f"the {party} is played with hands of any number of cards, which are not solved anew for every pay table; "
            f"design {others or 'another game'}"
        )
    if len(study.decided) > 1:
        raise BadInput(f"the player's choices serve {' and '.join(study.decided)} at once; design a wager of its own")
    return True


def linear_cases(paid: Paid) -> tuple[list[Case], int]:
    """The cases of a wager whose pays change nothing about the play, and the ways that were counted."""
    if paid.party in paid.study.book.shared:
        raise BadInput(f"the {paid.party} is paid among the players: it has no edge to design")
    law = paid.study.law(paid.party)
    merged: dict[Line, Fraction] = {}
    for chance, joint in law:
        line = paid.line(joint)
        merged[line] = merged.get(line, Fraction(0)) + chance
    return [Case(p, base, times) for (base, times), p in merged.items() if p], law.total
