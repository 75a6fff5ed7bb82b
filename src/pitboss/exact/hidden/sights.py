"""Where the cards that a decision sees stand in its table.

A decision that sees every card of the board and of the player's hand is taken on the spot, as they stream by. One that
sees only some (two cards of one's own; these and the flop) has a table: a row for every way to see its part of the
board, up to suits, and every set of one's own cards. A board of five cards holds ten flops, so what a deal is worth
goes to ten rows; rows that the flop's own symmetry makes equal are added up at the end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Composition
from pitboss.exact.hidden.deals import EVERY, PERMUTATIONS, Ints, alike, chooses, every_set, moved, signatures
from pitboss.exact.hidden.duel import Duel, Slots, readings
from pitboss.rules.graph import Decide, Graph

MOST_OWN_SEEN, MOST_BOARD_SEEN = 4, 4  # cards whose numbers are looked up under every renaming of suits
MOST_OWN_ALONE = 5  # of one's own, where none of the board is seen: there is nothing to rename by
AT_ONCE = 1 << 20  # rows that are looked at together
MOST_TABLE = 1 << 28  # numbers in the tables of all decisions
_PLACE = {tuple(p): i for i, p in enumerate(PERMUTATIONS.tolist())}
Chosen = tuple[tuple[int, ...], tuple[int, ...]]
"""Which cards of the board and of one's own a decision sees: places among them, in rising order."""


@dataclass(frozen=True, eq=False)
class Sight:
    """What one decision sees of board and hand."""

    decision: Decide
    duel: Duel
    board_sizes: tuple[int, ...]  # cards seen of each block
    own_sizes: tuple[int, ...]
    like: "Sight | None" = None  # another decision that sees the same cards: its rows are these

    @property
    def whole(self) -> bool:
        """Whether it sees everything but the hidden hand."""
        return sum(self.board_sizes) == len(self.duel.board_slots) and sum(self.own_sizes) == len(self.duel.own_slots)

    @cached_property
    def board_chosen(self) -> list[tuple[int, ...]]:
        """All that it may see of a board: places among its cards."""
        return _chosen(self.duel.board, self.board_sizes)

    @cached_property
    def own_chosen(self) -> list[tuple[int, ...]]:
        return _chosen(self.duel.own, self.own_sizes)

    @cached_property
    def chosen(self) -> list[Chosen]:
        """All that it may be, of one deal of board and hand."""
        return [(b, o) for b in self.board_chosen for o in self.own_chosen]

    @property
    def moves(self) -> bool:
        """Whether its own cards are renamed with what it sees of the board."""
        return any(self.board_sizes) and any(self.own_sizes)

    @property
    def own_count(self) -> int:
        return comb(52, sum(self.own_sizes))

    @cached_property
    def _boards(self) -> "tuple[Ints, Ints, NDArray[np.uint8], NDArray[np.bool_]]":
        """Number of a sight of the board -> its class and the renaming that leads there; per class its cards, and which
        renamings leave it as it is."""
        if self.like is not None:
            return self.like._boards
        sizes = [n for n in self.board_sizes if n]
        cards = every_set(0)
        for n in sizes:
            more = every_set(n)
            cards = np.concatenate([np.repeat(cards, len(more), 0), np.tile(more, (len(cards), 1))], 1)
        if not self.duel.blind:
            stays = np.zeros((len(PERMUTATIONS), len(cards)), bool)
            stays[0] = True
            return np.arange(len(cards)), np.zeros(len(cards), np.int64), cards, stays
        told = signatures(cards, sizes)
        order = np.argsort(-told, axis=0, kind="stable")  # suits, the highest signature first
        new = np.argsort(order, axis=0)
        codes = new.T @ np.array([64, 16, 4, 1])
        place = np.zeros(256, np.int64)
        for suits, i in _PLACE.items():
            place[np.array(suits) @ np.array([64, 16, 4, 1])] = i
        renaming = place[codes]
        kept = self._number(_renamed(cards, new, sizes), sizes)
        classes, back = np.unique(kept, return_inverse=True)
        first = cards[classes]
        stays = np.stack(
            [
                self._number(_renamed(first, np.tile(p[:, None], len(first)), sizes), sizes) == classes
                for p in PERMUTATIONS
            ]
        )
        return back.astype(np.int64), renaming, first, stays

    @staticmethod
    def _number(cards: NDArray[np.uint8], sizes: Sequence[int]) -> Ints:
        out, at = np.zeros(len(cards), np.int64), 0
        for n in sizes:
            part = np.zeros(len(cards), np.int64)
            for i in range(n):
                part += chooses()[i + 1][cards[:, at + i]]
            out, at = out * comb(52, n) + part, at + n
        return out

    @property
    def ids(self) -> NDArray[np.int32]:
        return self._boards[0].astype(np.int32)

    @property
    def renamings(self) -> NDArray[np.uint8]:
        return self._boards[1].astype(np.uint8)

    @property
    def class_cards(self) -> NDArray[np.uint8]:
        return self._boards[2]

    @property
    def rows(self) -> int:
        return len(self.class_cards) * self.own_count

    @cached_property
    def labels(self) -> Ints:
        """Row -> the lowest row that the symmetry of its sight of the board makes equal to it."""
        if self.like is not None:
            return self.like.labels
        stays, n = self._boards[3], self.own_count
        size = sum(self.own_sizes)
        if self.duel.blind and not sum(self.board_sizes):
            _, first, back = np.unique(alike(size, EVERY).numbers[-n:], return_index=True, return_inverse=True)
            return first.astype(np.int64)[back]
        low = np.tile(np.arange(n, dtype=np.int32), (len(self.class_cards), 1))
        for i in range(1, len(PERMUTATIONS)):
            some = np.flatnonzero(stays[i])
            if len(some):
                low[some] = np.minimum(low[some], moved(size)[i])
        return (low.astype(np.int64) + np.arange(len(low))[:, None] * n).ravel()

    def cards_of(self, rows: Ints) -> NDArray[np.uint8]:
        """The cards of some rows: of the board's blocks, then one's own."""
        return np.concatenate(
            [self.class_cards[rows // self.own_count], every_set(sum(self.own_sizes))[rows % self.own_count]], 1
        )

    @cached_property
    def slots(self) -> Slots:
        """The slots that these cards lie in."""
        seen = {s for g in self.decision.seen() for s in g.slots}
        return tuple(s for block in (*self.duel.board, *self.duel.own) for s in block if s in seen)

    def rows_of(self, cards: NDArray[np.uint8]) -> Ints:
        """The rows in which these cards stand, given as `cards_of` gives them, blocks in rising order."""
        shown = sum(self.board_sizes)
        sizes = [n for n in self.board_sizes if n]
        number = self._number(cards[:, :shown], sizes)
        own = np.sort(cards[:, shown:], axis=1)
        hand = np.zeros(len(cards), np.int64)
        for i in range(own.shape[1]):
            hand += chooses()[i + 1][own[:, i]]
        if shown:
            hand = moved(own.shape[1])[self._boards[1][number], hand].astype(np.int64)
        return self._boards[0][number] * self.own_count + hand

    @cached_property
    def weights(self) -> Ints:
        """Row -> deals of its cards that it stands for, in all renamings; 0 where a card lies in two places."""
        if self.like is not None:
            return self.like.weights
        out = np.repeat(np.bincount(self._boards[0], minlength=len(self.class_cards)), self.own_count)
        present = np.array(self.duel.shoe, bool)
        for start in range(0, self.rows, AT_ONCE):
            cards = self.cards_of(np.arange(start, min(start + AT_ONCE, self.rows)))
            part = out[start : start + AT_ONCE]
            for i in range(cards.shape[1]):
                part[~present[cards[:, i]]] = 0
                for j in range(i + 1, cards.shape[1]):
                    part[cards[:, i] == cards[:, j]] = 0
        return out


def _renamed(cards: NDArray[np.uint8], new: Ints, sizes: Sequence[int]) -> NDArray[np.uint8]:
    """Each deal with its own renaming (suit x deals), blocks in rising order."""
    every = np.arange(len(cards))[:, None]
    suited: NDArray[np.uint8] = (cards & 0xFC) | new.T[every, cards & 3].astype(np.uint8)
    at = 0
    for n in sizes:
        suited[:, at : at + n] = np.sort(suited[:, at : at + n], axis=1)
        at += n
    return suited


def _chosen(blocks: Sequence[Slots], sizes: Sequence[int]) -> list[tuple[int, ...]]:
    out, at = [], 0
    for block, n in zip(blocks, sizes, strict=True):
        out.append([tuple(at + i for i in some) for some in combinations(range(len(block)), n)])
        at += len(block)
    return [tuple(i for part in parts for i in part) for parts in product(*out)]


def sights_of(duel: Duel) -> dict[int, Sight]:
    """Node id of a decision -> what it sees."""
    out: dict[int, Sight] = {}
    for decision in duel.graph.decisions():
        seen = {s for g in decision.seen() for s in g.slots}
        sizes = (tuple(len(seen & {*block}) for block in blocks) for blocks in (duel.board, duel.own))
        board, own = sizes
        like = next((s for s in out.values() if (s.board_sizes, s.own_sizes) == (board, own)), None)
        out[decision.id] = Sight(decision, duel, board, own, like and (like.like or like))
    return out


def _too_much(duel: Duel) -> str:
    """Why the decisions of a reading cannot be taken; nothing if they can."""
    tables = [s for s in sights_of(duel).values() if not s.whole]
    for s in tables:
        most = MOST_OWN_SEEN if sum(s.board_sizes) else MOST_OWN_ALONE
        if sum(1 for n in s.own_sizes if n) > 1 or sum(s.own_sizes) > most:
            return f"too much of the player's hand is seen at the decision {s.decision.name!r}"
        if sum(1 for n in s.board_sizes if n) > 2 or sum(s.board_sizes) > MOST_BOARD_SEEN:
            return f"too much of the board is seen at the decision {s.decision.name!r}"
    numbers = sum(len(s.decision.kids) * about(s) for s in tables)
    if numbers > MOST_TABLE:
        return f"the tables of its decisions would have {numbers:,} numbers, and {MOST_TABLE:,} are kept"
    return ""


def duel_of(graph: Graph, shoe: Composition) -> Duel | str:
    """The cheapest reading whose decisions can be taken; the reason where there is none."""
    found = readings(graph, shoe)
    if isinstance(found, str):
        return found
    refused = [_too_much(duel) for duel in found]
    return next((duel for duel, why in zip(found, refused, strict=True) if not why), refused[0])


def about(sight: Sight) -> int:
    """Rows of its table, about, before it is made."""
    fold = {0: 1.0, 1: 4.0, 2: 7.8, 3: 12.6, 4: 16.0}.get(sum(sight.board_sizes), 20.0) if sight.duel.blind else 1.0
    return int(prod(comb(52, n) for n in sight.board_sizes) / fold) * sight.own_count


def assignments(duel: Duel, sights: Sequence[Sight]) -> list[tuple[int, ...]]:
    """Ways to say which cards of a deal were seen when: for each, which of its `chosen` every sight has."""
    ways: list[list[dict[int, tuple[int, ...]]]] = []  # per block: sight -> places
    for blocks in (duel.board, duel.own):
        at = 0
        for block in blocks:
            stages: dict[frozenset[int], int] = {}  # seen at the same decisions: how many cards
            for slot in block:
                seen_by = frozenset(i for i, sight in enumerate(sights) if slot in sight.slots)
                stages[seen_by] = stages.get(seen_by, 0) + 1
            parted = _parted(tuple(range(at, at + len(block))), list(stages.values()))
            ways.append([_seen(dict(zip(stages, parts, strict=True)), len(sights)) for parts in parted])
            at += len(block)
    boards = len(duel.board)
    numbers = [{c: k for k, c in enumerate(x.chosen)} for x in sights]
    out = []
    for way in product(*ways):
        out.append(
            tuple(
                numbers[i][
                    tuple(p for part in way[:boards] for p in part[i]),
                    tuple(p for part in way[boards:] for p in part[i]),
                ]
                for i in range(len(sights))
            )
        )
    return out


def _seen(stages: Mapping[frozenset[int], tuple[int, ...]], sights: int) -> dict[int, tuple[int, ...]]:
    return {i: tuple(sorted(p for by, some in stages.items() if i in by for p in some)) for i in range(sights)}


def _parted(places: tuple[int, ...], sizes: list[int]) -> list[tuple[tuple[int, ...], ...]]:
    if not sizes:
        return [()]
    out = []
    for some in combinations(places, sizes[0]):
        rest = tuple(p for p in places if p not in some)
        out += [(some, *more) for more in _parted(rest, sizes[1:])]
    return out
