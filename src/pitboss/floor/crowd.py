"""Seats share the dealer's cards, so they win and lose together: how much that adds to the swings of a round.

A round of the whole table is dealt many times. What the seats' results have in common is the mean product of the
results of different seats (and of bets that were counted apart): the square of the round less the squares of its parts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import shoe_cards
from pitboss.compile import Keys, reference_cells, simulator
from pitboss.exact import Parts, Solver
from pitboss.floor.seat import Counted
from pitboss.rules.graph import PLAYER, Deal

Floats = NDArray[np.float64]
ROUNDS = 1 << 14
FEW_ROUNDS = 1 << 12  # for games that can end in very many ways
MANY_CELLS = 1 << 16
WARM_UP = 64  # uncounted rounds before each one, where seats carry something over
MOST_DEALT = 3  # cards of a deal that is enumerated, one of them the player's


@dataclass(frozen=True)
class Common:
    """What the results of different seats, and of bets counted apart, add to the variance of a round."""

    variance: float
    standard_error: float = 0.0
    rounds: int = 0  # simulated; 0 where it is enumerated

    @property
    def method(self) -> str:
        return "simulated" if self.rounds else "exact"


def in_common(book: Counted, seats: int, results: Sequence[Floats], seed: int) -> Common:
    """`results` has, for every part of a seat's bets, the house's win by cell, less its mean."""
    if seats == 1 and len(results) == 1:
        return Common(0.0)
    if isinstance(book, Solver) and (order := short_deal(book)):
        return Common(seats * (seats - 1) * covariance(book, order, results[0]))
    return sampled(book, seats, results, seed)


def as_one(book: Counted) -> bool:
    """Whether no card is any player's own, so that all seats with the same bets win and lose alike."""
    dealt = (e for node in book.graph.nodes for e in node.events if isinstance(e, Deal))
    return not any(e.who == PLAYER for e in dealt)


def sampled(book: Counted, seats: int, results: Sequence[Floats], seed: int) -> Common:
    """Rounds of the whole table, each from a fresh shuffle."""
    keys = Keys(book.graph)
    table = np.zeros(1, np.uint8) if isinstance(book, Parts) else book.strategy_array(keys)
    machine = simulator(book.cells, keys, shoe_cards(book.house.composition), "shoe")
    whole = sum(results, np.zeros(book.cells.size))
    squares = sum((r**2 for r in results), np.zeros(book.cells.size))
    rounds = ROUNDS if book.cells.size < MANY_CELLS else FEW_ROUNDS
    warm = WARM_UP if book.graph.carried else 0
    found = np.zeros(rounds)
    for number in range(rounds):
        hands = machine.run(1, seed, number, table, seats, 0, warm)
        there = np.flatnonzero(hands)
        found[number] = (hands[there] @ whole[there]) ** 2 - hands[there] @ squares[there]
    return Common(float(found.mean()), float(found.std(ddof=1)) / rounds**0.5, rounds)


def short_deal(book: Solver) -> tuple[str, ...]:
    """Whose the cards are, in dealing order, where they are few and the player gets one at most; else nothing."""
    orders = [tuple(g.who for g in end.groups for _ in g.slots) for end in book.graph.ends()]
    longest = max(orders, key=len)
    small = len(longest) <= MOST_DEALT and longest.count(PLAYER) <= 1
    return longest if small and all(longest[: len(o)] == o for o in orders) else ()


def covariance(book: Solver, order: tuple[str, ...], result: Floats) -> float:
    """Of the results of two seats, enumerated: for all shared cards, two players' cards from what is left.
    What each seat has carried over is taken as independent of the other's."""
    keys = Keys(book.graph)
    table = book.strategy_array(keys)
    deals = np.stack([axis.ravel() for axis in np.meshgrid(*[np.arange(52)] * len(order), indexing="ij")], 1)
    wins = np.zeros(len(deals))
    for weight, state in zip(book.weights, book.induction.states, strict=True):
        carried = {n: np.full(len(deals), v) for n, v in zip(book.graph.carried, state, strict=True)}
        cells = reference_cells(
            book.cells, deals, lambda node, base, kept: table[keys.index(node, base, kept)].astype(np.int64), carried
        )
        wins += float(weight) * result[cells]
    shoe = np.array(book.house.composition, np.float64)
    by_card = wins.reshape([52] * len(order))
    if PLAYER in order:
        by_card = np.moveaxis(by_card, order.index(PLAYER), -1).reshape(-1, 52)
    else:  # the same cards for everyone: two seats win and lose as one
        by_card = by_card.reshape(-1, 1)
    mean = total = 0.0
    for shared, won in zip(product(range(52), repeat=len(order) - order.count(PLAYER)), by_card, strict=True):
        left = shoe.copy()
        ways = 1.0
        for card in shared:
            ways *= left[card]
            left[card] -= 1
        if ways <= 0:
            continue
        total += ways
        if PLAYER in order:
            cards = left.sum()
            mean += ways * ((left @ won) ** 2 - left @ won**2) / (cards * (cards - 1))
        else:
            mean += ways * won[0] ** 2
    return float(mean / total)
