"""What beats what: one definition of every category, for hands of five cards, four, three and two.

More cards than a ranking counts make the best hand that some of them make, which `pitboss.hands.tables` finds.

A strength is category * 4096 + place, larger is stronger, and equal only when the hands tie at the table. The place is
the position among all hands of the category, so a floor such as "a pair of jacks" is a plain number.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement

NO_PAIR, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT, FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH = (
    c << 12 for c in range(1, 10)
)
ROYAL_FLUSH = STRAIGHT_FLUSH + 9  # ten straight flushes, five-high to ace-high
FIVE_OF_A_KIND = 10 << 12  # with a joker only, and above everything else
FIVE_ACES = FIVE_OF_A_KIND + 12

CATEGORIES = (
    ("no pair", NO_PAIR), ("pair", PAIR), ("two pair", TWO_PAIR), ("three of a kind", THREE_OF_A_KIND),
    ("straight", STRAIGHT), ("flush", FLUSH), ("full house", FULL_HOUSE), ("four of a kind", FOUR_OF_A_KIND),
    ("straight flush", STRAIGHT_FLUSH), ("royal flush", ROYAL_FLUSH),
)  # fmt: skip

# Four cards: three of a kind beats a flush and a straight, and a straight flush only loses to four of a kind.
(
    FOUR_NO_PAIR, FOUR_PAIR, FOUR_TWO_PAIR, FOUR_STRAIGHT, FOUR_FLUSH, FOUR_TRIPS, FOUR_STRAIGHT_FLUSH, FOUR_QUADS,
) = (c << 12 for c in range(1, 9))  # fmt: skip
FOUR_TOP = FOUR_QUADS + 12  # four aces

FOUR_CATEGORIES = (
    ("no pair", FOUR_NO_PAIR), ("pair", FOUR_PAIR), ("two pair", FOUR_TWO_PAIR), ("straight", FOUR_STRAIGHT),
    ("flush", FOUR_FLUSH), ("three of a kind", FOUR_TRIPS), ("straight flush", FOUR_STRAIGHT_FLUSH),
    ("four of a kind", FOUR_QUADS),
)  # fmt: skip

# Three cards: a straight beats a flush, because it is rarer.
THREE_NO_PAIR, THREE_PAIR, THREE_FLUSH, THREE_STRAIGHT, THREE_TRIPS, THREE_STRAIGHT_FLUSH = (
    c << 12 for c in range(1, 7)
)
THREE_ROYAL = THREE_STRAIGHT_FLUSH + 11  # twelve straight flushes, three-high to ace-high

THREE_CATEGORIES = (
    ("no pair", THREE_NO_PAIR), ("pair", THREE_PAIR), ("flush", THREE_FLUSH), ("straight", THREE_STRAIGHT),
    ("three of a kind", THREE_TRIPS), ("straight flush", THREE_STRAIGHT_FLUSH), ("royal", THREE_ROYAL),
)  # fmt: skip

# Two cards: a pair beats high cards; suits do not count.
TWO_CARDS, TWO_CARDS_PAIR = (c << 12 for c in range(1, 3))
TWO_CARDS_TOP = TWO_CARDS_PAIR + 12
TWO_CATEGORIES = (("no pair", TWO_CARDS), ("pair", TWO_CARDS_PAIR))

RANKINGS = {2: TWO_CATEGORIES, 3: THREE_CATEGORIES, 4: FOUR_CATEGORIES, 5: CATEGORIES}
"""Cards that a hand counts -> its kinds, the lowest first, with the least strength of each."""

TOPS = {2: TWO_CARDS_TOP, 3: THREE_ROYAL, 4: FOUR_TOP, 5: ROYAL_FLUSH}
"""The strength that nothing beats."""

Score = tuple[int, ...]
"""Category number, then the ranks that break a tie within it, in order of weight."""


def straight_high(ranks: Sequence[int], length: int) -> int:
    """The top rank of the best straight among these ranks, or -1; an ace also counts below the deuce."""
    mask = 0
    for r in ranks:
        mask |= 2 << r
    return _straight_high(mask | mask >> 13, length)


@cache
def _straight_high(mask: int, length: int) -> int:
    """Bit 0 is the ace below the deuce, bit r + 1 the rank r."""
    run = (1 << length) - 1
    return next((high for high in range(12, length - 3, -1) if mask >> (high + 2 - length) & run == run), -1)


def score_ranks(ranks: Sequence[int]) -> Score:
    """The best five of five to seven ranks when no flush is possible."""
    groups = sorted(((ranks.count(r), r) for r in set(ranks)), reverse=True)
    singles = sorted(set(ranks), reverse=True)
    (most, first), rest = groups[0], groups[1:]
    if most == 4:
        return 8, first, max(r for r in singles if r != first)
    pairs = [r for count, r in rest if count >= 2]
    if most == 3 and pairs:
        return 7, first, max(pairs)
    high = straight_high(ranks, 5)
    if high >= 0:
        return 5, high
    if most == 3:
        return 4, first, *[r for r in singles if r != first][:2]
    if most == 2 and pairs:
        return 3, first, pairs[0], max(r for r in singles if r not in (first, pairs[0]))
    if most == 2:
        return 2, first, *[r for r in singles if r != first][:3]
    return 1, *singles[:5]


def score_flush(ranks: Sequence[int]) -> Score:
    """Five or more cards of one suit."""
    high = straight_high(ranks, 5)
    return (9, high) if high >= 0 else (6, *sorted(ranks, reverse=True)[:5])


def score_four(ranks: Sequence[int], suited: bool) -> Score:
    """A four-card hand."""
    groups = sorted(((ranks.count(r), r) for r in set(ranks)), reverse=True)
    down = [r for _, r in groups]  # what there is most of comes first, then by rank
    high = straight_high(ranks, 4)
    if groups[0][0] == 4:
        return 8, *down
    if high >= 0 and suited:
        return 7, high
    if groups[0][0] == 3:
        return 6, *down
    if suited:
        return 5, *sorted(ranks, reverse=True)
    if high >= 0:
        return 4, high
    return {2: 3, 3: 2, 4: 1}[len(groups)], *down


def score_three(ranks: Sequence[int], suited: bool) -> Score:
    """A three-card hand."""
    high = straight_high(ranks, 3)
    down = sorted(ranks, reverse=True)
    if high >= 0:
        return (6 if suited else 4), high
    if len(set(ranks)) == 1:
        return 5, down[0]
    if suited:
        return 3, *down
    if len(set(ranks)) == 2:
        pair = down[1]  # the middle of three sorted cards belongs to the pair
        return 2, pair, next(r for r in down if r != pair)
    return 1, *down


def score_two(ranks: Sequence[int]) -> Score:
    """A two-card hand: a pair, or high cards."""
    high, low = max(ranks), min(ranks)
    return (2, high) if high == low else (1, high, low)


def score_five(ranks: Sequence[int], suited: bool) -> Score:
    """A five-card hand."""
    return score_flush(ranks) if suited else score_ranks(ranks)


def score(ranks: Sequence[int], suited: bool) -> Score:
    """A hand of exactly two, three, four or five cards."""
    if len(ranks) == 2:
        return score_two(ranks)
    return {3: score_three, 4: score_four, 5: score_five}[len(ranks)](ranks, suited)


@cache
def ladder(cards: int) -> dict[Score, int]:
    """Every score of a hand of so many cards and its strength, from the lowest: category * 4096 + place."""
    ranks = [r for r in combinations_with_replacement(range(13), cards) if r[0] != r[-1] or cards < 5]
    suited = ranks if cards == 3 else combinations(range(13), cards)  # of several decks, three equal cards are suited
    scores = {score(r, False) for r in ranks} | {score(r, True) for r in suited}
    out: dict[Score, int] = {}
    places: Counter[int] = Counter()
    for found in sorted(scores):
        out[found] = (found[0] << 12) + places[found[0]]
        places[found[0]] += 1
    return out
