"""Rows of a strategy chart: everything that can be seen at a decision, in words, and the worth of every choice."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import JOKERS, card_name, rank_letter
from pitboss.ledger.records import StrategyRow
from pitboss.rules.graph import PLAYER, Decide

MOST_CHARTED = 5_000  # rows of a chart that anybody would read


def charted(
    decision: Decide,
    slots: Sequence[int],
    cards: NDArray[np.uint8],
    shares: Sequence[Fraction],
    worth: Sequence[Sequence[Fraction]],
    policy: Sequence[int] | NDArray[Any],
) -> list[StrategyRow]:
    """One row for all cards that cannot be told apart by ranks, worth and choice. `shares` says how often each is seen,
    `worth` is choices x rows."""
    merged: dict[tuple[Any, ...], list[int]] = {}
    for r, share in enumerate(shares):
        if share:
            ranks = words(decision, slots, [rank_letter(int(c)) for c in cards[r]])
            merged.setdefault((ranks, tuple(w[r] for w in worth), int(policy[r])), []).append(r)
    same_ranks = Counter(key[0] for key in merged)
    rows = []
    for (ranks, values, chosen), alike in merged.items():
        named = tuple(card_name(int(c)) for c in cards[alike[0]])
        sees = ranks if same_ranks[ranks] == 1 else _suited(cards[alike[0]]) or words(decision, slots, named)
        weight = sum((shares[r] for r in alike), Fraction(0))
        worths = dict(zip(decision.choices, values, strict=True))
        rows.append(StrategyRow(decision.name, sees, named, weight, worths, decision.choices[chosen]))
    return rows


def _suited(cards: NDArray[np.uint8]) -> str:
    """Two cards that their ranks do not tell from others: suited or not, the higher first."""
    if len(cards) != 2 or int(max(cards)) in JOKERS:
        return ""
    low, high = sorted(int(c) for c in cards)
    ranks = " ".join(rank_letter(c).replace("T", "10") for c in (high, low))
    return f"{ranks} {'suited' if low & 3 == high & 3 else 'offsuit'}"


def words(decision: Decide, slots: Sequence[int], cards: Sequence[str]) -> str:
    """What lies before the player, by where it lies."""
    place = dict(zip(slots, cards, strict=True))
    seen = decision.seen()
    owners = list(dict.fromkeys(g.who for g in seen))
    parts = []
    for who in owners:
        held = " ".join(place[s].replace("T", "10") for g in seen if g.who == who for s in g.slots if s in place)
        parts.append(held if owners == [PLAYER] else f"{who} {held}")
    return ", ".join(parts)
