"""Hands of four cards and of three, best of more: counted one by one, and against an evaluator that shares nothing."""

import itertools
import json
from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from pitboss.cards import BadCard, cards_of
from pitboss.cli import main
from pitboss.hands.categories import FOUR_CATEGORIES, FOUR_TOP, RANKINGS, THREE_CATEGORIES, TOPS, ladder
from pitboss.hands.census import census, hands_by_name
from pitboss.hands.evaluate import strength_of, strengths

FOUR = {  # all 270,725 hands of four cards
    "four of a kind": 13, "straight flush": 44, "three of a kind": 2_496, "flush": 2_816, "straight": 2_772,
    "two pair": 2_808, "pair": 82_368, "no pair": 177_408,
}  # fmt: skip
FOUR_OF_FIVE = {  # all 2,598,960 hands of a player of Four Card or Crazy 4 Poker, as published for Aces Up
    "four of a kind": 624, "straight flush": 2_072, "three of a kind": 58_656, "flush": 114_616, "straight": 101_808,
    "two pair": 123_552, "pair": 1_047_552, "no pair": 1_150_080,
}  # fmt: skip
FOUR_OF_SIX = {  # all 20,358,520 hands of the dealer of Four Card Poker, by `kinds_by_pattern`
    "four of a kind": 14_664, "straight flush": 47_752, "three of a kind": 897_616, "flush": 2_245_352,
    "straight": 1_744_080, "two pair": 2_342_736, "pair": 8_194_320, "no pair": 4_872_000,
}  # fmt: skip

Ints = NDArray[np.int64]


def every(cards: int) -> NDArray[np.uint8]:
    flat = itertools.chain.from_iterable(itertools.combinations(range(52), cards))
    return np.fromiter(flat, np.uint8).reshape(-1, cards)


def by_kind(values: Ints, best: int) -> dict[str, int]:
    names, floors = zip(*RANKINGS[best], strict=True)
    found = np.bincount(np.searchsorted(floors, values, side="right") - 1, minlength=len(names))
    return {name: int(n) for name, n in zip(names, found, strict=True)}


def kinds_by_pattern(hands: NDArray[np.integer]) -> dict[str, int]:
    """The best four of these hands by what they contain, without ranking any: the highest pattern that is there."""
    hands = hands.astype(np.int64)
    suits = [np.bitwise_or.reduce(np.where(hands % 4 == s, 1 << (hands // 4), 0), axis=1) for s in range(4)]
    ranks = suits[0] | suits[1] | suits[2] | suits[3]
    times = np.zeros((5, len(hands)), np.int64)  # how many ranks come so often or oftener
    for r in range(13):
        n = (hands // 4 == r).sum(1)
        for k in (2, 3, 4):
            times[k] += n >= k

    def run(mask: Ints) -> NDArray[np.bool_]:
        m = mask << 1 | mask >> 12
        return (m & m >> 1 & m >> 2 & m >> 3) > 0

    patterns = {
        "four of a kind": times[4] > 0,
        "straight flush": np.any([run(mask) for mask in suits], axis=0),
        "three of a kind": times[3] > 0,
        "flush": np.any([(hands % 4 == s).sum(1) >= 4 for s in range(4)], axis=0),
        "straight": run(ranks),
        "two pair": times[2] > 1,
        "pair": times[2] > 0,
        "no pair": np.ones(len(hands), bool),
    }
    out, left = {}, np.ones(len(hands), bool)
    for name, held in patterns.items():
        out[name] = int((held & left).sum())
        left &= ~held
    return out


def test_all_hands_of_four_cards_by_kind() -> None:
    hands = every(4)
    assert by_kind(strengths(hands), 4) == kinds_by_pattern(hands) == FOUR and sum(FOUR.values()) == 270_725


def test_the_best_four_of_all_hands_of_five_are_as_published() -> None:
    hands = every(5)
    assert by_kind(strengths(hands, 4), 4) == kinds_by_pattern(hands) == FOUR_OF_FIVE
    assert sum(FOUR_OF_FIVE.values()) == 2_598_960


def test_the_best_four_of_six_cards_by_kind() -> None:
    """A sixth of all hands of six: those with the two of clubs, and those whose lowest card is a six or an eight."""
    for first in (0, 16, 27):
        rest = np.array(list(itertools.combinations(range(first + 1, 52), 5)), np.uint8)
        hands = np.concatenate([np.full((len(rest), 1), first, np.uint8), rest], 1)
        assert by_kind(strengths(hands, 4), 4) == kinds_by_pattern(hands)


# ---- an evaluator that shares nothing with the tables: sorted lists, compared as one would at the table


def by_hand(cards: tuple[int, ...]) -> tuple[object, ...]:
    """Three or four cards as a list that compares as the hands do."""
    n = len(cards)
    times = Counter(c // 4 for c in cards)
    ranks = sorted((c // 4 for c in cards), key=lambda r: (times[r], r), reverse=True)
    shape = sorted(times.values(), reverse=True)
    runs = [list(range(top, top - n, -1)) for top in range(12, n - 2, -1)] + [[*range(n - 2, -1, -1), 12]]
    straight = sorted(ranks) in [sorted(run) for run in runs]
    flush = len({c % 4 for c in cards}) == 1
    if straight and 12 in ranks and 0 in ranks:  # the ace below the deuce
        ranks = [*sorted(set(ranks) - {12}, reverse=True), -1]
    kinds = {
        3: [shape == [2, 1], flush, straight, shape == [3], straight and flush],
        4: [shape[0] == 2 and len(shape) == 3, shape == [2, 2], straight, flush, shape[0] == 3, straight and flush,
            shape == [4]],
    }  # fmt: skip
    kind = max((i + 1 for i, held in enumerate(kinds[n]) if held), default=0)
    return kind, ranks


@pytest.mark.parametrize(("cards", "best"), [(3, 3), *((n, best) for n in (4, 5, 6, 7) for best in (3, 4))])
def test_random_hands_are_in_the_order_of_an_independent_evaluator(cards: int, best: int) -> None:
    rng = np.random.default_rng(cards * 10 + best)
    hands = np.argsort(rng.random((4000, 52)), axis=1)[:, :cards]
    suited = np.array(list(itertools.combinations(range(1, 52, 4), cards)))[:: 1 + 3 * (cards > 5)]
    hands = np.concatenate([hands, suited])
    theirs = [max(by_hand(c) for c in itertools.combinations(h, best)) for h in map(tuple, hands.tolist())]
    ours = strengths(hands, best).tolist()
    classes = sorted(zip(ours, theirs, strict=True))
    assert [t for _, t in classes] == sorted(theirs)  # the same order ...
    assert len(set(ours)) == len({repr(t) for t in theirs})  # ... and the same ties
    for value, (kind, _) in classes:
        assert value >> 12 == kind + 1


@pytest.mark.parametrize("best", [3, 4])
@pytest.mark.parametrize("cards", [5, 6, 7])
def test_more_cards_make_the_best_hand_of_some_of_them(cards: int, best: int) -> None:
    rng = np.random.default_rng(cards)
    hands = np.argsort(rng.random((30_000, 52)), axis=1)[:, :cards].astype(np.uint8)
    some = [strengths(hands[:, list(c)]) for c in itertools.combinations(range(cards), best)]
    assert (strengths(hands, best) == np.max(some, axis=0)).all()
    assert [strength_of(h, best) for h in hands[:500].tolist()] == strengths(hands[:500], best).tolist()


def test_known_hands_of_four_cards_from_the_lowest() -> None:
    order = [
        "2c 3d 4h 6s", "Ac Kd Qh Ts", "2c 2d 3h 4s", "Ac Ad Kh Qs", "2c 2d 3h 3s", "Ac Ad Kh Ks", "Ac 2d 3h 4s",
        "2c 3d 4h 5s", "Ac Kd Qh Js", "2c 3c 4c 6c", "Ac Kc Qc Tc", "2c 2d 2h 3s", "Ac Ad Ah Ks", "Ac 2c 3c 4c",
        "Ac Kc Qc Jc", "2c 2d 2h 2s", "Ac Ad Ah As",
    ]  # fmt: skip
    values = [strength_of(cards_of(h)) for h in order]
    assert values == sorted(set(values)) and values[-1] == FOUR_TOP
    assert strength_of(cards_of("Kc As 2d 3h")) >> 12 == 1  # no straight round the corner


def test_suits_may_be_renamed_and_cards_come_in_any_order() -> None:
    rng = np.random.default_rng(3)
    for cards, best in ((4, 4), (5, 4), (6, 4), (7, 4), (5, 3), (7, 3)):
        hands = np.argsort(rng.random((500, 52)), axis=1)[:, :cards]
        found = strengths(hands, best)
        for names in itertools.permutations(range(4)):
            assert (strengths(hands >> 2 << 2 | np.array(names)[hands & 3], best) == found).all()
        assert (strengths(rng.permuted(hands, axis=1), best) == found).all()


def test_every_ranking_begins_with_its_categories_and_ends_with_its_top() -> None:
    for cards, categories in RANKINGS.items():
        strongest = [*ladder(cards).values()]
        assert strongest == sorted(set(strongest)) and strongest[-1] == TOPS[cards]
        assert {floor for _, floor in categories} <= {*strongest}
    assert [len(FOUR_CATEGORIES), len(THREE_CATEGORIES)] == [8, 7]


def test_codes_that_are_no_cards_are_refused() -> None:
    for wrong in ([-1, 2, 3, 4], [1, 2, 3, 52], [1, 2, 3, 4, 5, 99]):
        with pytest.raises(BadCard, match="from 0 to 51"):
            strength_of(wrong)
    with pytest.raises(BadCard, match="best 4 of 3"):
        strength_of([1, 2, 3], 4)


def test_three_suited_cards_of_several_decks_are_a_flush() -> None:
    """Two decks can deal the same card twice: a suited pair is a flush, three equal cards are three of a kind."""
    pair, flush, trips = (strength_of(cards_of(h)) for h in ("Ac Ac Kd", "Ac Ac Kc", "2c 2c 2c"))
    assert [v >> 12 for v in (pair, flush, trips)] == [2, 3, 5]


@pytest.mark.parametrize(("cards", "best"), [(3, 3), (4, 4), (4, 3), (5, 4), (5, 3)])
def test_census_by_counting_ranks_and_suits_equals_the_enumeration_value_by_value(cards: int, best: int) -> None:
    values, ways = np.unique(strengths(every(cards), best), return_counts=True)
    assert census(cards, best) == dict(zip(values.tolist(), ways.tolist(), strict=True))


def test_census_of_the_best_four_of_six_and_seven() -> None:
    """Six cards as they were counted one by one, pattern by pattern; the dealer of Four Card Poker has six."""
    assert hands_by_name(6, 4) == FOUR_OF_SIX and sum(FOUR_OF_SIX.values()) == 20_358_520
    assert sum(hands_by_name(7, 4).values()) == 133_784_560


def test_the_command_counts_the_best_four_of_five_and_refuses_what_it_cannot_count(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["hands", "5", "--best", "4", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {h["hand"]: int(h["ways"]) for h in told["hands"]} == FOUR_OF_FIVE and told["best"] == 4
    assert main(["hands", "4"]) == 0 and "177,408" in capsys.readouterr().out
    for words, said in (
        (("7", "--best", "3"), "of 7 cards the best 5 or 4 can be counted, not the best 3"),
        (("3", "--best", "0"), "of 3 cards the best 3 can be counted, not the best 0"),
        (("8",), "hands are counted of 3 to 7 cards, not 8"),
    ):
        assert main(["hands", *words]) == 2 and said in capsys.readouterr().err
