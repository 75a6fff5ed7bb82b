"""Hands with jokers: a joker is the card that makes the hand strongest, of those that it may be.

A *wild* joker may be any card; five cards of one rank are then five of a kind, the highest hand. A *bug* is an ace, or
it completes a straight, a flush or a straight flush. In a flush a joker is a rank that the flush does not have yet.

Nothing is worked out at the table. Of four to seven cards the ranks beside the jokers are followed, card by card,
through a tree of all such multisets, and the strength is found at its end; flushes are looked up by the ranks of a
suit, as without jokers. Two and three cards are looked up by their ranks, a joker counting as a rank of its own.
"""

import hashlib
import inspect
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import ACE, JOKER, JOKERS
from pitboss.disk import keep, recall
from pitboss.hands import categories, evaluate, tables
from pitboss.hands.categories import (
    FIVE_OF_A_KIND,
    FOUR_QUADS,
    FOUR_STRAIGHT,
    STRAIGHT,
    THREE_FLUSH,
    THREE_STRAIGHT,
    THREE_STRAIGHT_FLUSH,
    THREE_TRIPS,
)
from pitboss.hands.tables import SLOTS, hand_tables

Ints = NDArray[np.int64]
SYMBOLS = JOKER + 1  # ranks, and the joker
MASKS = 1 << 13
MOST = len(JOKERS) + 4  # in a hand of four cards or more, which come from one deck: and a rank may be wild
COUNTED = {3: "three", 4: "four", 5: "five"}  # cards that a hand counts, of four to seven


@dataclass(frozen=True)
class JokerTables:
    """What machine code, numpy and plain Python need to rank a hand with jokers. The best three, four and five of more
    cards: by jokers (one to six) and place in the tree, flushes left out; and by jokers and the ranks of a suit."""

    joker_next: NDArray[np.int32]  # place in the tree * 14 + rank -> the next place; a joker does not move on
    suited_three: NDArray[np.uint16]
    suited_four: NDArray[np.uint16]
    suited_five: NDArray[np.uint16]
    wild_best_three: NDArray[np.uint16]
    wild_best_four: NDArray[np.uint16]
    wild_best_five: NDArray[np.uint16]
    bug_best_three: NDArray[np.uint16]
    bug_best_four: NDArray[np.uint16]
    bug_best_five: NDArray[np.uint16]
    wild_three: NDArray[np.uint16]  # three cards: by ranks, then by ranks where those beside the jokers are of one suit
    bug_three: NDArray[np.uint16]
    wild_two: NDArray[np.uint16]  # two cards, by ranks
    bug_two: NDArray[np.uint16]


@cache
def joker_tables() -> JokerTables:
    """From disk if they are there, else built (about two seconds) and kept."""
    source = "".join(map(inspect.getsource, (categories, evaluate, tables))) + Path(__file__).read_text()
    name = f"jokers-{hashlib.sha256(source.encode()).hexdigest()[:24]}.npz"
    kept = recall(name, _read)
    if kept is not None:
        return kept
    made = _build()
    out = io.BytesIO()
    np.savez(out, **{field: getattr(made, field) for field in JokerTables.__dataclass_fields__})
    keep(name, out.getvalue())
    return made


def _read(raw: bytes) -> JokerTables:
    with np.load(io.BytesIO(raw)) as found:
        return JokerTables(**{field: found[field] for field in JokerTables.__dataclass_fields__})


# ---- strengths


def strengths(cards: NDArray[np.integer], meaning: str, best: int = 0, wild: int | None = None) -> Ints:
    """Per row of two to seven cards, of which some may be jokers: the strength of the hand that the `best` of them make
    (see `pitboss.hands.evaluate.strengths`). The cards of a rank that is `wild` are jokers."""
    if wild is not None:
        cards = np.where(cards >> 2 == wild, JOKERS[0], cards)
    jokers = (cards >= JOKERS[0]).sum(1)
    out: Ints = np.zeros(len(cards), np.int64)
    out[jokers == 0] = evaluate.strengths(cards[jokers == 0], best)
    some = np.flatnonzero(jokers)
    if len(some):
        out[some] = _with_jokers(cards[some].astype(np.int64), jokers[some], meaning, best)
    return out


def strength_of(cards: Sequence[int], meaning: str, best: int = 0, wild: int | None = None) -> int:
    """One hand."""
    if max(cards) < JOKERS[0] and all(card >> 2 != wild for card in cards):
        return evaluate.strength_of(cards, best)
    return int(strengths(np.array([cards]), meaning, best, wild)[0])


def _with_jokers(cards: Ints, jokers: Ints, meaning: str, best: int) -> Ints:
    t, ranks, size = joker_tables(), cards >> 2, cards.shape[1]
    if size < 4:
        index = np.zeros(len(cards), np.int64)
        for i in range(size):
            index = index * SYMBOLS + ranks[:, i]
        few: NDArray[np.uint16] = getattr(t, f"{meaning}_{'two' if size == 2 else 'three'}")
        if size == 3:
            index += SYMBOLS**3 * _suited(cards)
        return few[index].astype(np.int64)
    place = np.zeros(len(cards), np.int64)
    for i in range(size):
        place = t.joker_next[place * SYMBOLS + ranks[:, i]].astype(np.int64)
    counted = COUNTED[best or min(size, 5)]
    out: Ints = getattr(t, f"{meaning}_best_{counted}")[(jokers - 1) * places() + place].astype(np.int64)
    _, mask = evaluate.gather(cards)
    for suit in range(4):
        out = np.maximum(out, getattr(t, f"suited_{counted}")[(jokers - 1) * MASKS + evaluate.suit_ranks(mask, suit)])
    return out


def places() -> int:
    """Of the tree."""
    return len(joker_tables().joker_next) // SYMBOLS


def _suited(cards: Ints) -> Ints:
    """Whether the cards beside the jokers are of one suit."""
    suits = np.where(cards >= JOKERS[0], 15, 1 << (cards & 3))
    alike: Ints = (np.bitwise_and.reduce(suits, axis=1) != 0).astype(np.int64)
    return alike


# ---- the tables


def _build() -> JokerTables:
    tree = {
        ranks: place
        for place, ranks in enumerate(r for size in range(8) for r in combinations_with_replacement(range(JOKER), size))
    }
    onward = np.zeros((len(tree), JOKER), np.int64)
    for ranks, place in tree.items():
        if len(ranks) < 7:
            onward[place] = [tree[tuple(sorted((*ranks, rank)))] for rank in range(JOKER)]
    kept = sum(len(ranks) < 7 for ranks in tree)  # what can lie beside a joker
    steps = np.hstack([onward[:kept], np.arange(kept)[:, None]]).astype(np.int32)
    beyond = steps[:, :JOKER] >= kept
    steps[:, :JOKER][beyond] = 0
    made: dict[str, NDArray[np.uint16]] = {}
    for counted, name in COUNTED.items():
        made[f"suited_{name}"] = _flushes(counted)
        made[f"wild_best_{name}"], made[f"bug_best_{name}"] = _best_of(tree, onward, kept, counted)
    for meaning in ("wild", "bug"):
        made |= {f"{meaning}_three": _three(meaning), f"{meaning}_two": _two(meaning)}
    return JokerTables(joker_next=steps.ravel(), **made)


def _best_of(
    tree: dict[tuple[int, ...], int], onward: Ints, kept: int, counted: int
) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """By jokers and place: the best hand of so many cards, flushes left out, with a joker that is wild and with a bug.
    One joker after another is tried as every rank; a bug as an ace, or for the sake of a straight."""
    plain = np.zeros(len(tree), np.int64)
    for size in range(counted, 8):
        hands = np.array([ranks for ranks in tree if len(ranks) == size], np.int64)
        plain[[place for ranks, place in tree.items() if len(ranks) == size]] = _no_flush(hands, counted)
    straight = {3: THREE_STRAIGHT, 4: FOUR_STRAIGHT, 5: STRAIGHT}[counted]
    made = np.where(plain >> 12 == straight >> 12, plain, 0)
    free, aces, wild, bug = plain, plain, list[Ints](), list[Ints]()
    for _ in range(MOST):
        free, made, aces = free[onward].max(1), made[onward].max(1), aces[onward[:, ACE]]
        wild.append(free[:kept])
        bug.append(np.maximum(made, aces)[:kept])
    return np.concatenate(wild).astype(np.uint16), np.concatenate(bug).astype(np.uint16)


def _no_flush(ranks: Ints, counted: int) -> Ints:
    """The best hands of these ranks, in order, without a flush. A rank that is there five times is five of a kind, or
    as many of a kind as a hand counts."""
    same = ranks[:, :-4] == ranks[:, 4:]
    five = same.any(1)
    out: Ints = np.zeros(len(ranks), np.int64)
    spread = ranks * 4 + np.arange(ranks.shape[1]) % 4  # equal ranks differ in suit, and no three cards are of one
    out[~five] = evaluate.strengths(spread[~five], counted)
    kind = {3: THREE_TRIPS, 4: FOUR_QUADS, 5: FIVE_OF_A_KIND}[counted]
    out[five] = kind + (ranks[:, 4:] * same).max(1, initial=0)[five]
    return out


def _flushes(counted: int) -> NDArray[np.uint16]:
    """By jokers and the ranks of a suit: the best flush with ranks that it does not have yet."""
    t = hand_tables()
    now = {3: t.best_three, 4: t.best_four, 5: t.strengths}[counted][SLOTS : SLOTS + MASKS].copy()
    out = []
    masks = np.arange(MASKS)
    for _ in range(MOST):
        more = [np.where(masks >> rank & 1, 0, now[masks | 1 << rank]) for rank in range(JOKER)]
        now = np.maximum.reduce(more).astype(np.uint16)
        out.append(now)
    return np.concatenate(out)


def _three(meaning: str) -> NDArray[np.uint16]:
    plain, suited = hand_tables().three.reshape(2, JOKER, JOKER, JOKER)

    def completes(found: int) -> bool:  # a straight, a flush or both, and no three of a kind
        return found >= THREE_FLUSH and not THREE_TRIPS <= found < THREE_STRAIGHT_FLUSH

    every = list(product(range(SYMBOLS), repeat=3))
    loose = [_best(ranks, plain, meaning, completes) for ranks in every]
    alike = [max(n, _best(ranks, suited, meaning, completes, new=True)) for ranks, n in zip(every, loose, strict=True)]
    return np.array([*loose, *alike], np.uint16)


def _two(meaning: str) -> NDArray[np.uint16]:
    pairs = hand_tables().two.reshape(JOKER, JOKER)
    every = product(range(SYMBOLS), repeat=2)
    return np.array([_best(ranks, pairs, meaning, lambda _: False) for ranks in every], np.uint16)


def _best(
    ranks: tuple[int, ...], value: NDArray[np.uint16], meaning: str, completes: Callable[[int], bool], new: bool = False
) -> int:
    """The best of all ranks that the jokers may be; in a flush they are new ones."""
    beside, jokers = [r for r in ranks if r != JOKER], ranks.count(JOKER)
    best = 0
    for taken in combinations_with_replacement(range(JOKER), jokers):
        if new and len({*beside, *taken}) < len({*beside}) + jokers:
            continue
        found = int(value[(*beside, *taken)])
        if meaning == "wild" or set(taken) <= {ACE} or completes(found):
            best = max(best, found)
    return best
