"""The most that one round can cost the house when every bet of the layout is at its limit."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.earn.joint import seen_cells, shared_cards, short_deal
from pitboss.earn.records import Exposure
from pitboss.earn.seat import own_cards, parts_of, reseeded, set_aside
from pitboss.exact import Solver, Study
from pitboss.rules.graph import PLAYER
from pitboss.rules.limits import SEAT

Numbers = NDArray[Any]


def exposure(study: Study, seats: int) -> Exposure:
    """All seats at once. Where a place limits what a round may pay, bets that could win more are not taken."""
    found, under = _unlimited(study, seats), study.house.under
    if under is None or under.aggregate is None:
        return found
    most = under.aggregate.amount * (seats if under.aggregate.per == SEAT else 1)
    one = min(found.per_seat, under.aggregate.amount)
    return Exposure(found.limits, one, min(found.table, most), bound=found.bound or found.table > most)


def _unlimited(study: Study, seats: int) -> Exposure:
    """Who is paid from a meter after the first is paid its seed."""
    house = study.house
    bets = {w: house.largest_bet(w) for w in study.banked}
    first, together = largest(study, bets)
    again = (
        Study(reseeded(house), study.strategy, patient=study.patient) if any(house.meters(w) for w in bets) else study
    )
    if order := short_deal(study.graph):
        return Exposure(bets, first, dearest(study.solver, again.solver, order, bets, seats), bound=False)
    later, _ = largest(again, bets) if again is not study else (first, together)
    known = together and (seats == 1 or not own_cards(study.graph))
    return Exposure(bets, first, first + later * (seats - 1), bound=not known)


def largest(study: Study, bets: Mapping[str, Fraction]) -> tuple[Fraction, bool]:
    """The most that one seat can win, and whether all bets are counted together; where they are counted apart, the most
    of each added up."""
    if study.drawn:  # by its pay tables and the most hands that can be played
        worth = {w: study.book.worth(w, bet) for w, bet in bets.items()}
        return sum((Fraction(int(w.max()), c) * bets[name] for name, (w, c) in worth.items()), Fraction(0)), False
    beyond = {w: study.book.worth(w, bet) for w, bet in bets.items() if w in study.plan.refused}
    most = sum((Fraction(int(w.max()), c) * bets[name] for name, (w, c) in beyond.items()), Fraction(0))
    parts = parts_of(study, {w: bet for w, bet in bets.items() if w not in beyond}, 0)
    for part in parts:
        costs = max(-sum(wins, Fraction(0)) for cases in part.cases.values() for _, wins in cases)
        most += costs - sum(set_aside(study.house, w) for w in part.wagers)
    return most, len(parts) + len(beyond) == 1


def dearest(book: Solver, again: Solver, order: Sequence[str], bets: Mapping[str, Fraction], seats: int) -> Fraction:
    """The dearest round of a short deal: for all shared cards, the best cards for the seats from what is left, every
    seat in its best carried state. `book` pays the first seat, `again` the others."""
    below = lcm(*(one.worth(w, bet)[1] * bet.denominator for one in (book, again) for w, bet in bets.items()))
    firsts, laters = (_best(one, order, bets, below).tolist() for one in (book, again))
    most = 0
    for number, _, left in shared_cards(book.house.composition, len(order) - order.count(PLAYER)):
        first, later = firsts[number], laters[number]
        if len(first) == 1:
            most = max(most, first[0] + (seats - 1) * later[0])
            continue
        ranked = sorted((c for c, n in enumerate(left) if n), key=lambda c: -later[c])
        for card in ranked:
            hands = [c for c in ranked for _ in range(min(left[c] - (c == card), seats))][: seats - 1]
            most = max(most, first[card] + sum(later[c] for c in hands))
    return Fraction(most, below)


def _best(book: Solver, order: Sequence[str], bets: Mapping[str, Fraction], below: int) -> Numbers:
    """By shared cards and the player's own: what a seat can win at most, in whole numbers of 1/below dollars."""
    worth: Numbers = np.zeros(book.cells.size, object)
    for wager, bet in bets.items():
        nets, common = book.worth(wager, bet)
        worth += nets.astype(object) * int(bet * below / common)
    best: Numbers = np.maximum.reduce([worth[cells] for cells in seen_cells(book, order)])
    return best
