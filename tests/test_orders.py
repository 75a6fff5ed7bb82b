"""Orders in which cards leave a shoe: level by level for many shoes, against a plain loop over one shoe."""

from fractions import Fraction
from functools import cache
from math import perm

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import pays, small_game
from pitboss.cards import Composition, composition, shoe_cards
from pitboss.catalog import load
from pitboss.exact import TooLarge
from pitboss.exact.chance import Chance, State
from pitboss.guard.worth import Followed
from pitboss.rules import DEALER, PLAYER, Table, first_match, within
from pitboss.rules.rewrite import only
from pitboss.rules.trace import trace

BITS = 10  # per class of cards, in the number that says which are gone


@cache
def lucky_break(soft: str) -> Chance:
    return Chance(
        only(trace(load("blackjack").at({"soft17": soft})), ["lucky-break"], first_choice=True), "lucky-break"
    )


def plain_ways(of: Chance, shoe: Composition) -> tuple[dict[str, int], int]:
    """One shoe, with a dictionary for every number of cards drawn."""
    cards = sum(shoe)
    full = [0] * (4 * of.values)
    for card, count in enumerate(shoe):
        full[4 * of.value_of[card // 4] + card % 4] += count
    by_value = [sum(full[4 * v : 4 * v + 4]) for v in range(of.values)]
    level: dict[tuple[State, int], int] = {(of.start, 0): 1}
    ended: dict[tuple[int, int], int] = {}  # row, cards drawn -> orders
    drawn = 0
    while level:
        drawn += 1
        if drawn > cards:
            raise TooLarge("the shoe runs out")
        after: dict[tuple[State, int], int] = {}
        for (state, gone), n in level.items():
            seen = state in of.blind
            for c, there in enumerate(of.next[state][::4] if seen else of.next[state]):
                left = (by_value if seen else full)[c] - (gone >> BITS * c & (1 << BITS) - 1)
                if left <= 0:
                    continue
                if isinstance(there, int):
                    ended[there, drawn] = ended.get((there, drawn), 0) + n * left
                    continue
                now = gone + (1 << BITS * c)
                if not seen and there in of.blind:
                    now = _forget_suits(of, now)
                after[there, now] = after.get((there, now), 0) + n * left
        level = after
    out = dict.fromkeys(of.names, 0)
    for (row, length), n in ended.items():
        out[of.names[row]] += n * perm(cards - length, drawn - length)
    return out, perm(cards, drawn)


def _forget_suits(of: Chance, gone: int) -> int:
    by_class = [gone >> BITS * c & (1 << BITS) - 1 for c in range(4 * of.values)]
    return sum(sum(by_class[4 * v : 4 * v + 4]) << BITS * v for v in range(of.values))


def thinned(decks: int, left: int, seed: int) -> Composition:
    cards = np.random.default_rng(seed).permutation(shoe_cards(composition(decks)))
    return tuple(int(n) for n in np.bincount(cards[:left], minlength=52))


@settings(max_examples=8, deadline=None)
@given(
    decks=st.integers(1, 8),
    share=st.floats(0.05, 1),
    seed=st.integers(0, 10**6),
    soft=st.sampled_from(["hit", "stand"]),
)
def test_levels_count_what_a_plain_loop_counts(decks: int, share: float, seed: int, soft: str) -> None:
    of, shoe = lucky_break(soft), thinned(decks, max(2, round(52 * decks * share)), seed)
    try:
        wanted = plain_ways(of, shoe)
    except TooLarge:
        with pytest.raises(TooLarge, match="runs out of cards"):
            of.ways(shoe)
        return
    assert of.ways(shoe) == wanted
    assert sum(wanted[0].values()) == wanted[1]


def test_shoes_side_by_side_are_counted_like_each_alone() -> None:
    """Shoes of every size together, in an order in which later ones need more room than earlier ones."""
    house = load("blackjack").at()
    fresh = Chance(only(trace(house), ["lucky-break"], first_choice=True), "lucky-break")
    shoes = [thinned(decks, 52 * decks - 11 * i, i) for i, decks in enumerate((1, 2, 8, 4, 6, 8, 2))]
    assert list(fresh.many([])) == []
    assert list(fresh.many(shoes[:2])) == [fresh.ways(s) for s in shoes[:2]]
    found = list(fresh.many(shoes))
    assert found == [lucky_break(str(house.options["soft17"])).ways(s) for s in shoes]
    assert found[2] == plain_ways(fresh, shoes[2]) and found[0] == plain_ways(fresh, shoes[0])
    few = (0, 0, 1, *[0] * 49)
    for small in ([few], [*shoes[:2], few], [(0,) * 52]):
        with pytest.raises(TooLarge, match="runs out of cards"):
            list(fresh.many(small))


def test_a_hand_of_any_length_is_counted_as_far_as_the_shoe_goes() -> None:
    """Cards until an ace: all other cards may come before it, and the state leads back to itself."""

    def play(t: Table) -> None:
        t.deal(PLAYER, 2)
        card = t.deal(DEALER)[0]
        while True:
            ace, spade = t.mark("card", within(card.rank == 12, 0, 1), within(card.suit == 3, 0, 1))
            if t.when(ace == 1, "an ace"):
                break
            card = t.deal(DEALER)[0]
        t.settle(ante=first_match(("spade", spade == 1)))

    of = Chance(trace(small_game(play, pays("ante", {"spade": 3}, required=True)).at()), "ante")
    for left in ((12, 3), (8, 2), (5, 1)):
        shoe = [0] * 48 + [0, 0, 0, 0]
        for i in range(left[0]):
            shoe[i % 48] += 1
        for i in range(left[1]):
            shoe[51 - i] += 1
        ways, total = of.ways(tuple(shoe))
        assert (ways, total) == plain_ways(of, tuple(shoe))
        assert Fraction(ways["spade"], total) == Fraction(1, left[1])


def test_one_batch_of_expectations_is_each_alone() -> None:
    house = load("blackjack").at()
    worth = Followed(house, "lucky-break", lucky_break(str(house.options["soft17"])), Fraction(5))
    shoes = [thinned(6, 300 - 40 * i, i) for i in range(6)]
    by_hand = []
    for shoe in shoes:
        ways, total = worth.chance.ways(shoe)
        by_hand.append(sum(Fraction(n, total) * house.net("lucky-break", row, worth.stake) for row, n in ways.items()))
    assert worth.each(shoes) == by_hand == [worth.expectation(s) for s in shoes]
