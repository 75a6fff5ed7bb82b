"""Effects of removal, and the count that follows them best: what each card that leaves the shoe does to a wager.

In a shoe of N cards whose expectation were a mean of one number per card, taking out a card of effect e would change
it by e, and any shoe with `left` cards would be worth `full + (N - 1) * sum of effects of the cards gone / left`. That
line is what every running count divided by the decks left (a true count) estimates, with whole numbers for effects.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import JOKER, Composition, card_name
from pitboss.cards.codes import RANK_NAMES
from pitboss.guard.records import Exact

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
HIGHEST_TAG = 3
NEARLY = 0.98  # of the best correlation: a count of lower tags that reaches it is preferred
MOST_TRIGGER = 60  # the highest true count, and the lowest, that is tried as a signal to bet


@dataclass(frozen=True)
class Effect:
    """What taking out one of these cards, which are all alike, does to the player's expectation."""

    cards: tuple[int, ...]  # codes
    name: str
    effect: Exact

    def cards_in(self, shoe: Composition) -> int:
        """How many of them a shoe has."""
        return sum(shoe[c] for c in self.cards)


def effects(
    shoe: Composition, each: Callable[[Sequence[Composition]], Sequence[Exact]], kind_of: Sequence[int]
) -> tuple[Exact, list[Effect]]:
    """The expectation of a full shoe, and the exact effect of every card of it; suits, and ranks of one kind, that come
    out alike are together. `each` works the expectations of many shoes out."""
    firsts = {kind_of[c]: c for c in reversed(range(len(shoe))) if shoe[c]}
    less = [tuple(n - (c == card) for c, n in enumerate(shoe)) for card in firsts.values()]
    full, *without = each([shoe, *less])
    by_kind = {kind: worth - full for kind, worth in zip(firsts, without, strict=True)}
    out: list[Effect] = []
    by_rank = [[c for c, n in enumerate(shoe) if n and c >> 2 == r] for r in range(JOKER + 1)]
    blind = all(len({by_kind[kind_of[c]] for c in cards}) <= 1 for cards in by_rank)
    for cards in filter(None, by_rank) if blind else [[c] for rank in by_rank for c in rank]:
        effect, kinds = by_kind[kind_of[cards[0]]], {kind_of[c] for c in cards}
        before = out[-1] if out else None
        if before is not None and blind and {kind_of[c] for c in before.cards} == kinds and before.effect == effect:
            first = before.name.partition(" to ")[0]
            name = f"{first} to {RANK_NAMES[cards[0] >> 2]}"
            out[-1] = Effect((*before.cards, *cards), name, effect)
        else:
            out.append(Effect(tuple(cards), RANK_NAMES[cards[0] >> 2] if blind else card_name(cards[0]), effect))
    return full, out


@dataclass(frozen=True)
class TagCount:
    """A balanced count: every card seen adds its tag; the sum divided by the decks left is the true count."""

    tags: tuple[int, ...]  # one per effect, in the same order
    level: int  # the highest tag
    correlation: float  # with the effects of removal
    break_even: float  # true count at which the line of effects crosses zero

    def true_counts(self, of: Sequence[Effect], full: Composition, left: Ints, deck: int = 52) -> Floats:
        """The running count of the cards gone, per deck left, of so many cards each."""
        by_card: Ints = np.zeros(len(full), np.int64)
        for effect, tag in zip(of, self.tags, strict=True):
            by_card[list(effect.cards)] = tag
        gone = np.array(full) - left
        out: Floats = gone @ by_card * deck / left.sum(1)
        return out


def suit_spread(left: Ints, deck: int = 52) -> Floats:
    """The other count that can be kept by hand, for wagers on suits: the longest suit less the shortest, per deck."""
    suits = np.stack([left[:, s:52:4].sum(1) for s in range(4)], 1)
    out: Floats = (suits.max(1) - suits.min(1)) * deck / left.sum(1)
    return out


def line(shoe: Composition, full: Exact, of: Sequence[Effect], left: Ints) -> Floats:
    """The straight-line estimate of the expectation of every shoe."""
    by_card = np.zeros(len(shoe))
    for effect in of:
        by_card[list(effect.cards)] = float(effect.effect)
    gone = np.array(shoe) - left
    out: Floats = float(full) + (sum(shoe) - 1) * (gone @ by_card) / left.sum(1)
    return out


def best_count(shoe: Composition, full: Exact, of: Sequence[Effect], deck: int = 52) -> TagCount | None:
    """The playable count: the lowest level that is nearly as good as the best. None where no card matters more than
    another, so that there is nothing to follow."""
    centre = _centred(shoe, of)
    if not any(abs(e) > 1e-12 for e in centre):
        return None
    found = [t for level in range(1, HIGHEST_TAG + 1) if (t := _tags(shoe, of, centre, level)) is not None]
    if not found:
        return None
    best = max(c for _, c in found)
    tags, correlation = next((t, c) for t, c in found if c >= NEARLY * best)
    weight = [e.cards_in(shoe) for e in of]
    slope = sum(w * e * t for w, e, t in zip(weight, centre, tags, strict=True))
    slope /= sum(w * t * t for w, t in zip(weight, tags, strict=True))
    break_even = -float(full) * deck / ((sum(shoe) - 1) * slope)
    return TagCount(tags, max(map(abs, tags)), correlation, break_even)


def _centred(shoe: Composition, of: Sequence[Effect]) -> list[float]:
    """Effects less their mean, which is zero but for what a player gains by knowing the card (he plays better)."""
    mean = sum(e.cards_in(shoe) * e.effect for e in of) / sum(shoe)
    return [float(e.effect - mean) for e in of]


def _tags(
    shoe: Composition, of: Sequence[Effect], effect: list[float], level: int
) -> tuple[tuple[int, ...], float] | None:
    """The balanced tags up to a level that correlate best with the effects: all of them are tried, kept apart by their
    balance and their sum of squares, which is all that the correlation needs besides the sum of products."""
    weights = [e.cards_in(shoe) for e in of]
    common = int(np.gcd.reduce(weights))
    best: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {(0, 0): (0.0, ())}
    for weight, e in zip(weights, effect, strict=True):
        after: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
        for (balance, squares), (product, tags) in best.items():
            for tag in range(-level, level + 1):
                key = balance + weight // common * tag, squares + weight // common * tag * tag
                now = product + weight * e * tag
                if key not in after or now > after[key][0] + 1e-15:
                    after[key] = now, (*tags, tag)
        best = after
    spread = sqrt(sum(w * e * e for w, e in zip(weights, effect, strict=True))) or 1.0
    scored = [
        (product / (sqrt(common * squares) * spread), tags)
        for (balance, squares), (product, tags) in best.items()
        if balance == 0 and squares
    ]
    top = max((c for c, _ in scored), default=0.0)
    if top <= 1e-9:
        return None
    return min((t for c, t in scored if c >= top - 1e-9), key=lambda t: (sum(x * x for x in t), t)), min(top, 1.0)


def whole(counts: Floats) -> NDArray[np.int8]:
    """True counts rounded down, as they are kept in mind."""
    return np.clip(np.floor(counts + 1e-9), -MOST_TRIGGER, MOST_TRIGGER).astype(np.int8)


def best_trigger(counts: NDArray[np.integer[Any]], worth: Floats) -> int | None:
    """The whole true count from which on betting wins most; None where it never wins."""
    from_here = np.cumsum(np.bincount(counts.astype(np.int64) + MOST_TRIGGER, worth, 2 * MOST_TRIGGER + 1)[::-1])[::-1]
    place = int(from_here.argmax())
    return place - MOST_TRIGGER if from_here[place] > 0 else None
