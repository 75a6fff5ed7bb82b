"""The cards of a drawing game: which of them are dealt before anything happens, and which ones nothing tells apart."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pitboss.exact.plan import TooLarge
from pitboss.exact.symmetry import rank_classes
from pitboss.rules.column import Column, walk
from pitboss.rules.graph import DEALER, PLAYER, Deal, Graph, Jump, Mark, Node
from pitboss.rules.operations import HANDS, OPERATIONS, SUITS

Ints = NDArray[np.int64]
MOST_MINE, MOST_SHOWN, MOST_DARK = 3, 2, 2  # cards before the play
SUITS_OF_HIS = (
    "the main wager looks at the suit of a card of the dealer's, and suits are followed in a player's hand only"
)


@dataclass(frozen=True)
class First:
    """The slots of the cards that are dealt before anything happens: the player's own, the dealer's in sight, the
    dealer's hidden ones."""

    mine: tuple[int, ...]
    shown: tuple[int, ...]
    dark: tuple[int, ...]

    @property
    def slots(self) -> tuple[int, ...]:
        return self.mine + self.shown + self.dark


def at_line(what: object, why: str) -> str:
    """A refusal, with the line of the game file where there is one."""
    site = getattr(what, "site", None)
    return why if site is None else f"{os.path.basename(site.file)}, line {site.line}: {why}"


def first_cards(graph: Graph) -> First:
    """The deals at the beginning, in whatever order they are made."""
    mine: list[int] = []
    shown: list[int] = []
    dark: list[int] = []
    seen = {s: g.seen for g in graph.root.groups for s in g.slots}
    for deal in graph.root.events:
        if not isinstance(deal, Deal):
            continue
        if deal.who not in (PLAYER, DEALER):
            raise TooLarge(
                at_line(deal, f"cards are dealt to the {deal.who}: only the player and the dealer draw here")
            )
        if deal.hand != 1:
            raise TooLarge(
                at_line(deal, "the player has two hands from the start: what is done with one goes by both, and only "
                "hands that are played one by one are enumerated")
            )  # fmt: skip
        for slot in deal.slots:
            if deal.who == PLAYER and not seen[slot]:
                raise TooLarge(at_line(deal, "the player does not see his own card"))
            (mine if deal.who == PLAYER else shown if seen[slot] else dark).append(slot)
    for what, cards, most in (
        ("cards for the player", mine, MOST_MINE), ("cards in sight for the dealer", shown, MOST_SHOWN),
        ("hidden cards", dark, MOST_DARK),
    ):  # fmt: skip
        if len(cards) > most:
            raise TooLarge(f"the round begins with {len(cards)} {what}; at most {most} are enumerated")
    return First(tuple(mine), tuple(shown), tuple(dark))


class Kinds:
    """Cards that nothing tells apart.

    `ranks`: by class of the dealer's cards, its ranks. `group`: by class of the player's cards, the class of the
    dealer's that it belongs to: the same, but of a rank whose suits matter there is one for each suit.
    `codes`, `his`: a card to stand for each class of the player's and of the dealer's. `of_card`, `his_of`: by card,
    its class.
    """

    def __init__(self, graph: Graph, columns: "Sequence[tuple[Node, Column]]") -> None:
        self._whole, self._of_dealer = _card_registers(graph)
        self.suits = False
        for node, col in columns:
            top = col.op in ("card", "register") and isinstance(node, Mark | Jump)
            for card in [] if top else _suited(col, self._whole):
                self.suits = True
                slot = next(iter(card.slots))
                if slot in self._of_dealer or _of_dealer(node, slot):
                    raise TooLarge(at_line(node, SUITS_OF_HIS))
        self.ranks: list[tuple[int, ...]] = rank_classes([c for _, c in columns])
        if any(a.op == "card" or a.op in HANDS for _, c in columns for a in walk((c,))):
            self.ranks = _finer(self.ranks, [c for _, c in columns], self._whole)
        told = [self.suits and self._matters(columns, ranks[0]) for ranks in self.ranks]
        self.group: Ints = np.repeat(np.arange(len(self.ranks)), [4 if x else 1 for x in told])
        self.his: Ints = np.array([4 * ranks[0] for ranks in self.ranks])
        first = np.searchsorted(self.group, np.arange(len(self.ranks)))
        self.codes: Ints = self.his[self.group] + np.arange(len(self.group)) - first[self.group]
        self.his_of: Ints = np.zeros(52, np.int64)
        self.of_card: Ints = np.zeros(52, np.int64)
        for i, ranks in enumerate(self.ranks):
            for code in (4 * rank + suit for rank in ranks for suit in range(4)):
                self.his_of[code], self.of_card[code] = i, first[i] + code % 4 * told[i]

    def _matters(self, columns: "Sequence[tuple[Node, Column]]", rank: int) -> bool:
        """Whether anything asks for the suit of a card of this rank."""
        for node, col in columns:
            if not (col.op in ("card", "register") and isinstance(node, Mark | Jump)):
                for card in {c.uid: c for c in _suited(col, self._whole)}.values():
                    if _partly(col, card, rank, {})[1]:
                        return True
        return False


Part = tuple[int | None, bool]
"""What a column comes to, if that is known; and whether the suit of some card goes into it."""


def _partly(col: Column, card: Column, rank: int, known: dict[int, Part]) -> Part:
    """A column when the rank of one of its cards is known and nothing else is."""
    if col.uid not in known:
        known[col.uid] = _part(col, card, rank, known)
    return known[col.uid]


def _part(col: Column, card: Column, rank: int, known: dict[int, Part]) -> Part:
    if col.uid == card.uid:
        return None, True
    if col.op == "const":
        return int(col.args[0]), False
    if col.op == "rank" and col.below[0].uid == card.uid:
        return rank, False
    parts = [_partly(a, card, rank, known) for a in col.below]
    values = [value for value, _ in parts]
    if col.op in ("and", "mul") and 0 in values:
        return 0, False
    if col.op == "or" and 1 in values:
        return 1, False
    if col.op == "where" and values[0] is not None:
        return parts[1 if values[0] else 2]
    if col.op == "lookup" and values[0] is not None:
        return int(col.args[0][values[0] - col.below[0].lo]), False
    if parts and col.op in OPERATIONS and None not in values:
        return int(OPERATIONS[col.op].scalar(*values)), False
    return None, any(depends for _, depends in parts)


def _of_dealer(node: Node, slot: int) -> bool:
    return any(g.who != PLAYER for g in node.groups if slot in g.slots)


def _card_registers(graph: Graph) -> tuple[frozenset[int], frozenset[int]]:
    """Registers that hold a whole card, and those of them that hold one of the dealer's."""
    whole: set[int] = set()
    his: set[int] = set()
    size = -1
    while len(whole) + len(his) != size:
        size = len(whole) + len(his)
        for node in graph.nodes:
            if isinstance(node, Mark | Jump):
                for slot, value in zip(node.target.slots, node.values, strict=True):
                    if value.op == "card" or (value.op == "register" and value.slots <= whole):
                        whole.add(slot)
                        if value.slots & his or any(_of_dealer(node, s) for s in value.slots):
                            his.add(slot)
    return frozenset(whole), frozenset(his)


def _suited(col: Column, whole: frozenset[int]) -> "list[Column]":
    """The cards in a column that are looked at for more than their rank."""
    if col.op == "rank":
        return []
    if col.op == "card" or (col.op == "register" and col.slots <= whole):
        return [col]
    return [card for arg in col.args if isinstance(arg, Column) for card in _suited(arg, whole)]


def _finer(ranks: "list[tuple[int, ...]]", columns: Sequence[Column], whole: frozenset[int]) -> "list[tuple[int, ...]]":
    """Every rank by itself, where whole cards go into something else than their suit or their rank."""
    for col in columns:
        for c in walk((col,)):
            if (
                c.op not in ("rank", "card", "register")
                and c.op not in SUITS
                and any(a.op == "card" or (a.op == "register" and a.slots <= whole) for a in c.below)
            ):
                return [(rank,) for rank in range(13)]
    return ranks
