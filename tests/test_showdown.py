"""The showdown of two hands over a board: against every deal of small decks, explicit cards, a census, a simulation."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from math import comb, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from pitboss.exact.showdown import LABELS, Boards, Showdown, count, showdown
from pitboss.hands.categories import CATEGORIES, PAIR
from pitboss.hands.evaluate import royal_lengths, strengths

Ints = NDArray[np.int64]
L = len(LABELS)
FLOORS = np.array([floor for _, floor in CATEGORIES])
TOP_TEN = range(3, 13)
WITH_A_WHEEL = (0, 1, 2, 3, 7, 8, 9, 10, 11, 12)

full = cache(showdown)


def hands_over(own: int, deck: Sequence[int], board: Sequence[int]) -> tuple[Ints, Ints, Ints]:
    """Every hand beside the board: its cards, strength and label."""
    cards = [c for r in deck for c in range(4 * r, 4 * r + 4) if c not in board]
    hands = np.array(list(combinations(cards, own)))
    seen = np.hstack([hands, np.tile(np.array(board), (len(hands), 1))])
    strength = strengths(seen)
    return hands, strength, np.searchsorted(FLOORS, strength, "right") - 1 + np.maximum(royal_lengths(seen) - 5, 0)


def visited(own: int, deck: Sequence[int], board: Sequence[int]) -> tuple[Ints, Ints]:
    """Deals and ties over one board by visiting all of them."""
    hands, strength, label = hands_over(own, deck, board)
    cards = np.bitwise_or.reduce(np.int64(1) << hands, axis=1)
    rows = [np.flatnonzero(label == a) for a in range(L)]
    pairs, ties = np.zeros((L, L), np.int64), np.zeros((L, L), np.int64)
    for a, b in product(range(L), repeat=2):
        for start in range(0, len(rows[a]), 256):
            mine, theirs = rows[a][start : start + 256, None], rows[b]
            apart = cards[mine] & cards[theirs] == 0
            pairs[a, b] += np.count_nonzero(apart)
            if min(a, L - 3) == min(b, L - 3):  # the last three are royal flushes; other labels are categories
                ties[a, b] += np.count_nonzero(apart & (strength[mine] == strength[theirs]))
    return pairs, ties


def by_explicit_cards(own: int, deck: Sequence[int], board: Sequence[int]) -> tuple[Ints, Ints]:
    """Deals and ties over one board by inclusion and exclusion of real cards: nothing is known of ranks and suits."""
    hands, strength, label = hands_over(own, deck, board)
    values, place = np.unique(strength, return_inverse=True)
    pairs, ties = np.zeros((L, L)), np.zeros(len(values))
    for size in range(own + 1):
        columns = list(combinations(range(own), size))
        names = np.concatenate([hands[:, list(c)] @ 64 ** np.arange(size) for c in columns]).astype(np.int64)
        sets = np.unique(names, return_inverse=True)[1]
        table = np.bincount(sets * L + np.tile(label, len(columns))).astype(float)
        table = np.append(table, np.zeros(-len(table) % L)).reshape(-1, L)
        pairs += (-1) ** size * (table.T @ table)
        keys, hits = np.unique(sets * len(values) + np.tile(place, len(columns)), return_counts=True)
        ties += (-1) ** size * np.bincount(keys % len(values), hits.astype(float) ** 2, len(values))
    tied = np.diag(np.bincount(np.searchsorted(FLOORS, values, "right") - 1, ties, L))
    tied[-3:, -3:] = pairs[-3:, -3:]  # all royal flushes have one strength
    return pairs.astype(np.int64), tied.astype(np.int64)


def classes(deck: Sequence[int]) -> list[tuple[tuple[int, int], int]]:
    """One board of each class up to suits, with their number. The suits differ from those that are counted."""
    pairs = [((4 * r + 3, 4 * r + 1), 6) for r in deck]
    two = [((4 * a + 2, 4 * b + s), n) for a, b in combinations(deck, 2) for s, n in ((2, 4), (3, 12))]
    return [*pairs, *two]


def arrays(found: Showdown) -> Ints:
    """Deals and ties."""
    return np.array([[[x[a, b] for b in LABELS] for a in LABELS] for x in (found.pairs, found.ties)])


@pytest.mark.parametrize(
    ("own", "deck"),
    [(3, range(7, 13)), (3, (0, 1, 2, 3, 4, 12)), (4, range(8, 13)), (5, range(9, 13))],
    ids=["three of six ranks", "three with a wheel", "four of five ranks", "five of four ranks"],
)
def test_every_deal_of_a_small_deck(own: int, deck: Sequence[int]) -> None:
    pairs, ties = np.zeros((L, L), np.int64), np.zeros((L, L), np.int64)
    for board, times in classes(deck):
        j, t = visited(own, deck, board)
        pairs, ties = pairs + times * j, ties + times * t
    got = count(own, deck)
    assert np.array_equal(arrays(got), (pairs, ties))
    cards = 4 * len(deck)
    assert got.deals == comb(cards, 2) * comb(cards - 2, own) * comb(cards - 2 - own, own)


@pytest.mark.parametrize(("own", "deck", "board"), [(3, range(5, 13), (50, 34)), (5, range(8, 13), (50, 34))])
def test_every_deal_over_one_board(own: int, deck: Sequence[int], board: tuple[int, int]) -> None:
    """Eight ranks: the fewest that give both a flush of the same suit. Also checks the check of the tests below."""
    wanted = visited(own, deck, board)
    assert np.array_equal(wanted, by_explicit_cards(own, deck, board))
    assert np.array_equal(wanted, Boards(own, deck).count(*board))


def test_seven_cards_of_five_ranks() -> None:
    boards = Boards(5, range(8, 13))
    for board, _ in classes(range(8, 13)):
        assert np.array_equal(boards.count(*board), by_explicit_cards(5, range(8, 13), board)), board


@pytest.mark.parametrize(
    ("own", "deck", "board"),
    [
        (4, range(13), (51, 39)), (4, range(13), (3, 48)), (4, range(13), (20, 21)),
        (5, TOP_TEN, (50, 38)), (5, WITH_A_WHEEL, (0, 49)), (5, TOP_TEN, (33, 34)),
    ],
)  # fmt: skip
def test_flushes_of_every_kind(own: int, deck: Sequence[int], board: tuple[int, int]) -> None:
    """Decks with room for two flushes of one suit and of two, whatever the board gives, and for long royals."""
    got = Boards(own, deck).count(*board)
    assert np.array_equal(got, by_explicit_cards(own, deck, board))


def test_PP_C10_census_and_symmetry() -> None:
    found = full()
    pairs, ties = arrays(found)
    assert found.deals == pairs.sum() == comb(52, 2) * comb(50, 5) * comb(45, 5) == 3_432_502_295_061_840
    assert np.array_equal(pairs, pairs.T)
    # each seven cards are 21 boards with five cards, and the dealer has C(45, 5) hands
    hands, rest = np.divmod(pairs.sum(1), comb(7, 2) * comb(45, 5))
    assert not rest.any()
    assert hands.tolist() == [
        23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 37_260, 4_140, 180, 4,
    ]  # fmt: skip
    assert np.array_equal(ties[:-3], np.diag(np.diag(ties))[:-3])
    assert (ties <= pairs).all() and not ((pairs - ties).diagonal() & 1).any()


def test_royal_flushes_tie_one_another() -> None:
    pairs, ties = arrays(full())
    assert np.array_equal(ties[-3:, -3:], pairs[-3:, -3:])
    # a 7-card royal takes both board cards, so that the other royal is five own cards of one of three suits
    assert pairs[-1, -3:].tolist() == [4 * comb(7, 2) * 3, 0, 0]


def test_outcomes_add_up() -> None:
    found = full()
    outcomes = found.outcomes()
    wins, ties, losses = (sum(o[i] for o in outcomes.values()) for i in range(3))
    assert wins == losses and wins + ties + losses == found.deals
    assert list(outcomes) == list(LABELS)
    assert {a: sum(o) for a, o in outcomes.items()} == {a: sum(found.pairs[a, b] for b in LABELS) for a in LABELS}
    assert outcomes["four of a kind"][1] == 0  # two own cards at least: never the same four for both


def test_PP_C1_wins_without_a_pair() -> None:
    found = full()
    wins, ties, losses = found.outcomes()["no pair"]
    assert (wins, ties, losses) == (51_024_679_447_824, 757_231_745_280, 545_882_628_064_836)
    assert round(wins / found.deals, 6) == 0.014865


def test_simulation_agrees() -> None:
    deals, rng = 3_000_000, np.random.default_rng(20)
    cards = np.tile(np.arange(52, dtype=np.int8)[:, None], deals)
    each = np.arange(deals)
    for i in range(12):
        j = rng.integers(i, 52, deals)
        cards[i], cards[j, each] = cards[j, each], cards[i].copy()
    player, dealer = strengths(cards[:7].T), strengths(cards[5:12].T)  # cards 5 and 6 are the board
    found = full()
    outcomes, none = found.outcomes(), player < PAIR
    for hits, ways in (
        (none & (player > dealer), outcomes["no pair"][0]),
        (none & (player == dealer), outcomes["no pair"][1]),
        (player == dealer, sum(o[1] for o in outcomes.values())),
        (player > dealer, sum(o[0] for o in outcomes.values())),
        ((player >= FLOORS[5]) & (player > dealer), sum(outcomes[a][0] for a in LABELS[5:])),
    ):
        p = ways / found.deals
        assert abs(hits.mean() - p) < 4 * sqrt(p * (1 - p) / deals)


def test_what_it_refuses() -> None:
    for own, ranks in ((2, 13), (6, 13), (5, 1)):
        with pytest.raises(ValueError, match="three to five own cards"):
            showdown(own, ranks)
