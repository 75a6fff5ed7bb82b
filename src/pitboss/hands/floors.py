"""Floors: the least strength of "a pair of jacks", "ace-king high", "three of a suit, nine high"; and their names."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb

from pitboss.hands.categories import FIVE_OF_A_KIND, RANKINGS, Score, ladder, straight_high

_RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")


def pair_floor(rank: int, cards: int) -> int:
    """The least strength with a pair of this rank: below it stand the lower pairs, each with every choice of other
    ranks."""
    return dict(RANKINGS[cards])["pair"] + rank * comb(12, cards - 2)


def high_floor(ranks: Sequence[int], cards: int) -> int | None:
    """The least strength without a pair whose highest cards are these, from the top; None where there is none."""
    hands = _no_pairs(cards)
    place = bisect_left(hands, tuple(ranks))
    fits = place < len(hands) and hands[place][: len(ranks)] == tuple(ranks)
    return dict(RANKINGS[cards])["no pair"] + place if fits else None


@cache
def _no_pairs(cards: int) -> list[tuple[int, ...]]:
    """Every hand without a pair or a straight, from the lowest."""
    hands = (tuple(reversed(ranks)) for ranks in combinations(range(13), cards))
    return sorted(h for h in hands if cards == 2 or straight_high(h, cards) < 0)


def flush_floor(cards: int, ranks: Sequence[int]) -> int | None:
    """The least flush strength with so many cards of a suit, the highest of these ranks; None where there is none."""
    rest = cards - len(ranks)
    if rest < 0 or (ranks and ranks[-1] < rest):
        return None
    return (cards << 13) + sum(1 << rank for rank in ranks) + (1 << rest) - 1


def rows_of(cards: int) -> dict[str, int]:
    """The kinds of hands of a ranking and their floors, the best first."""
    return dict(reversed(RANKINGS[cards]))


# ---- names


def ranks_named(ranks: Sequence[int]) -> str:
    """`queen-six-four`."""
    return "-".join(_RANKS[rank] for rank in ranks)


def plural(rank: int) -> str:
    """`jacks`, `sixes`."""
    return "sixes" if _RANKS[rank] == "six" else f"{_RANKS[rank]}s"


def kind_named(name: str) -> str:
    """`a pair`, but `three of a kind`."""
    return name if name.split()[0] in ("no", "two", "three", "four") else f"a {name}"


@cache
def _rising(cards: int) -> tuple[list[int], list[Score]]:
    scores, strengths = zip(*ladder(cards).items(), strict=True)
    return [*strengths], [*scores]


def at_least(strength: int, cards: int) -> str:
    """The hand that is just strong enough, by name; nothing where no hand is."""
    strengths, scores = _rising(cards)
    place = bisect_left(strengths, strength)
    if place == len(scores):
        return "five of a kind" if cards == 5 and strength <= FIVE_OF_A_KIND else ""  # with a joker
    return _named(scores[place], strengths[place], cards)


@cache  # there are 7,462 of five cards
def exactly(strength: int, cards: int) -> str:
    """The hands of one strength, with all ranks that break a tie; nothing where there are none."""
    strengths, scores = _rising(cards)
    place = bisect_left(strengths, strength)
    return _exactly(scores[place], cards) if strength in strengths[place : place + 1] else ""


def _named(score: Score, strength: int, cards: int) -> str:
    """By no more ranks than it takes."""
    kind = next((name for name, floor in RANKINGS[cards] if floor == strength), "")
    if kind and kind != "no pair":
        return kind_named(kind)
    if score[0] == 1:
        ranks = next(score[1:n] for n in range(2, cards + 2) if high_floor(score[1:n], cards) == strength)
        return ranks_named(ranks) + " high" * (len(ranks) < cards)
    if pair_floor(score[1], cards) == strength:
        return f"a pair of {plural(score[1])}"
    return _exactly(score, cards)


def _exactly(score: Score, cards: int) -> str:
    """A hand with all ranks that break a tie."""
    strength = ladder(cards)[score]
    kind = next(name for name, floor in reversed(RANKINGS[cards]) if floor <= strength)
    if kind == "no pair":
        return ranks_named(score[1:])
    if kind in ("royal", "royal flush"):
        return f"a {kind}"
    if kind == "pair":
        return f"a pair of {plural(score[1])}" + f" with {ranks_named(score[2:])}" * (len(score) > 2)
    return f"{kind_named(kind)}, {ranks_named(score[1:])}"


def flush_named(strength: int) -> str:
    """The longest suit that is just strong enough, by no more ranks than it takes; nothing where none is."""
    floor = next((f for f in _flush_strengths() if f >= strength), 0)
    if not floor:
        return ""
    cards, ranks = floor >> 13, [rank for rank in range(12, -1, -1) if floor >> rank & 1]
    short = next(ranks[:n] for n in range(cards + 1) if flush_floor(cards, ranks[:n]) == floor)
    high = f", {ranks_named(short)}{' high' * (len(short) < cards)}" if short else ""
    return f"{_NUMBERS[cards]} card{'s' * (cards > 1)}{high}"


@cache
def _flush_strengths() -> list[int]:
    return sorted((mask.bit_count() << 13) + mask for mask in range(1, 1 << 13) if mask.bit_count() <= 7)
