"""A small game dealt out whole in numpy: what every choice at the first decision is worth, card by card.

It shares the graph with the exact engine and nothing else: every complete deal is a row, and the best choice is taken
for all rows that look alike to the player. Tracing a game is all that a new policy of the dealer costs here.
"""

from dataclasses import dataclass
from math import perm

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Composition
from pitboss.compile.reference import batch
from pitboss.ledger.book import Book
from pitboss.rules.column import Column
from pitboss.rules.errors import BadInput
from pitboss.rules.graph import Decide, End, Node, When
from pitboss.rules.house import House

Ints = NDArray[np.int64]
MOST_DEALS = 200_000


@dataclass(frozen=True)
class FirstChoices:
    """What a round brings, in units x ways: by choice and thing seen at the first decision, and without a decision."""

    choices: tuple[str, ...]
    seen: Ints  # what tells the things seen apart
    sums: Ints  # choices x things seen
    undecided: int
    ways: int  # times the denominator of the pays

    @property
    def total(self) -> int:
        return self.undecided + (int(self.sums.max(0).sum()) if self.sums.size else 0)


class Dealt:
    """All deals of a shoe, for as many cards as a round takes."""

    def __init__(self, shoe: Composition, cards: int) -> None:
        present = np.array([c for c, n in enumerate(shoe) if n], np.int64)
        grid = np.meshgrid(*([present] * cards), indexing="ij")
        self.cards = [g.ravel() for g in grid]
        counts, ways = np.array(shoe, np.int64), np.ones(len(present) ** cards, np.int64)
        for i, card in enumerate(self.cards):
            ways = ways * np.maximum(counts[card] - sum(earlier == card for earlier in self.cards[:i]), 0)
        keep = ways > 0
        self.cards, self.ways = [c[keep] for c in self.cards], ways[keep]
        self.total = perm(sum(shoe), cards)


def cards_dealt(book: Book) -> int:
    """How many cards that matter the longest round takes."""
    return max(sum(len(g.slots) for g in end.groups) for end in book.graph.ends())


def fits(house: House, cards: int) -> bool:
    """Whether all deals of so many cards are few enough to be laid out."""
    present = sum(1 for n in house.composition if n)
    return bool(present**cards <= MOST_DEALS)


def first_choices(book: Book, party: str, deals: Dealt) -> FirstChoices:
    """The worth of every first choice to a player who goes on as well as he can."""
    check_nothing_carried(book, party)
    worth, common = book.worth(party)
    none = {name: np.zeros(len(deals.ways), np.int64) for name in book.graph.carried}
    found: list[tuple[tuple[str, ...], Ints, Ints]] = []
    undecided = 0

    def value(column: Column, rounds: Ints) -> Ints:
        base = {slot: cards[rounds] for slot, cards in enumerate(deals.cards)}
        return batch(column, base, {k: v[rounds] for k, v in none.items()}, len(rounds))

    def go(node: Node, rounds: Ints, first: bool) -> Ints:
        """What the player gets in each of these rounds."""
        nonlocal undecided
        if isinstance(node, When):
            true = value(node.condition, rounds) != 0
            out = np.zeros(len(rounds), np.int64)
            for kid, some in zip(node.kids, (true, ~true), strict=True):
                if some.any():
                    out[some] = go(kid, rounds[some], first)
            return out
        if isinstance(node, Decide):
            results = np.stack([go(kid, rounds, False) for kid in node.kids])
            seen = np.zeros(len(rounds), np.int64)
            for slot in (s for group in node.seen() for s in group.slots):
                seen = seen * book.graph.codes + deals.cards[slot][rounds]
            kinds, kind = np.unique(seen, return_inverse=True)
            sums = np.zeros((len(node.kids), len(kinds)), np.int64)
            for row, result in zip(sums, results, strict=True):
                np.add.at(row, kind, result * deals.ways[rounds])
            if first:
                found.append((node.choices, kinds, sums))
            return np.asarray(results[sums.argmax(0)[kind], np.arange(len(rounds))])
        assert isinstance(node, End)
        out = worth[value(book.cells.of_node[node.id].code, rounds)]
        if first:
            undecided += int((out * deals.ways[rounds]).sum())
        return out

    go(book.graph.root, np.arange(len(deals.ways)), True)
    if len({choices for choices, _, _ in found}) > 1:
        raise BadInput("the first decision of this game does not always offer the same choices")
    choices = found[0][0] if found else ()
    seen = np.concatenate([kinds for _, kinds, _ in found]) if found else np.zeros(0, np.int64)
    sums = np.concatenate([sums for _, _, sums in found], 1) if found else np.zeros((0, 0), np.int64)
    return FirstChoices(choices, seen, sums, undecided, deals.total * common)


def check_nothing_carried(book: Book, party: str) -> None:
    """What a seat has carried over must not matter to the wager that the policy is about."""
    mine = {w.name for w in book.house.parties[party]}
    columns = [d.index for leaf in book.cells.leaves for d in leaf.digits if mine & {*d.names} and not d.carried]
    columns += [n.condition for n in book.graph.nodes if isinstance(n, When)]
    if any("carried" in c.ops for c in columns):
        raise BadInput(f"what a seat carries over changes the {party}, which is not designed here")
