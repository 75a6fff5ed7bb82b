"""Words for hands and cards: what they mean to every back end, and that suits and the order of a deal do not matter."""

import itertools
from collections.abc import Callable
from math import comb

import numpy as np
import pytest

from helpers import small_game, traced
from pitboss.cards import cards_of
from pitboss.compile.reference import batch
from pitboss.exact import analyze
from pitboss.exact.symmetry import order_matters, suits_interchangeable
from pitboss.hands.categories import RANKINGS, ladder
from pitboss.hands.evaluate import flush_strength_of, longest_suit_of, strength_of, suited_run_of
from pitboss.rules import (
    ACE,
    DEALER,
    FOUR,
    HEARTS,
    JACK,
    KING,
    NINE,
    PLAYER,
    QUEEN,
    SIX,
    TWO,
    Card,
    Choice,
    Column,
    Game,
    Hand,
    PayTable,
    RuleError,
    Table,
    Wager,
    by_floor,
    compare,
    count,
    first_match,
    flush_of,
    flush_strength,
    hands_from,
    high_cards,
    high_to_low,
    highest,
    longest_suit,
    lookup,
    lowest,
    pair_of,
    pick,
    straight_flush_length,
    strength,
    where,
)
from pitboss.rules.trace import trace
from test_referee import referee

# ---- floors


@pytest.mark.parametrize("cards", RANKINGS)
@pytest.mark.parametrize("rank", range(13))
def test_a_pair_is_the_least_hand_with_that_pair(cards: int, rank: int) -> None:
    pairs = [value for score, value in ladder(cards).items() if score[:2] == (2, rank)]
    assert pair_of(rank, cards) == min(pairs)


@pytest.mark.parametrize("cards", RANKINGS)
def test_high_cards_are_the_least_hand_that_begins_with_them(cards: int) -> None:
    """Every start of every hand without a pair."""
    singles = {score[1:]: value for score, value in ladder(cards).items() if score[0] == 1}
    for length in range(1, cards + 1):
        for start in {ranks[:length] for ranks in singles}:
            assert high_cards(*start, cards=cards) == min(v for ranks, v in singles.items() if ranks[:length] == start)


def test_floors_stand_where_a_player_would_put_them() -> None:
    for floor, cards, just_below, just_there in (
        (high_cards(ACE, KING), 5, "Ac Qd Jh Ts 8c", "Ac Kd 2h 3s 4c"),
        (high_cards(QUEEN, SIX, FOUR, cards=3), 3, "Qc 6d 3h", "Qc 6d 4h"),
        (high_cards(KING, cards=4), 4, "Qc Jd Th 8s", "Kc 2d 3h 4s"),
        (high_cards(ACE, cards=4), 4, "Kc Qd Jh 9s", "Ac 5d 3h 2s"),  # ace-four-three-two is a straight
        (pair_of(ACE, cards=4), 4, "Kc Kd Ah Qs", "Ac Ad 2h 3s"),
        (pair_of(JACK, cards=3), 3, "Tc Td Ah", "Jc Jd 2h"),
        (pair_of(TWO, cards=2), 2, "Ac Kd", "2c 2d"),
    ):
        assert floor == strength_of(cards_of(just_there)) > strength_of(cards_of(just_below)), (just_there, cards)
    assert high_cards(KING, ACE) == high_cards(ACE, KING)  # in whatever order they are named
    for floor, below, there in (
        (flush_of(3, NINE), "8c 7c 6c Ad Kd Qh Jh", "9c 2c 3c 4d 5d 6h 7h"),
        (flush_of(4), "Ac Kc Qc Ad Kd Qd 2h", "2c 3c 4c 5c Ad Ah Kh"),
        (flush_of(2, ACE, TWO), "Kc Qc", "Ac 2c"),
    ):
        assert floor == flush_strength_of(cards_of(there)) > flush_strength_of(cards_of(below))


def test_rows_are_the_names_of_the_kinds_best_first() -> None:
    assert [*hands_from("three of a kind")] == [
        "royal flush", "straight flush", "four of a kind", "full house", "flush", "straight", "three of a kind",
    ]  # fmt: skip
    assert [*hands_from("pair", cards=4)] == [
        "four of a kind", "straight flush", "three of a kind", "flush", "straight", "two pair", "pair",
    ]  # fmt: skip
    assert [*hands_from("pair", up_to="straight flush", cards=3)] == [
        "straight flush", "three of a kind", "straight", "flush", "pair",
    ]  # fmt: skip
    assert hands_from("pair", cards=2) == {"pair": pair_of(TWO, cards=2)}
    hands_from("pair").clear()
    assert hands_from("pair")  # a dict of one's own


# ---- the longest suit


def by_suits(hand: tuple[int, ...]) -> list[list[int]]:
    """The ranks of each suit, from the top; the longest suit first, of several the one with the higher cards."""
    suits = [sorted((c // 4 for c in hand if c % 4 == s), reverse=True) for s in range(4)]
    return sorted(suits, key=lambda ranks: (len(ranks), ranks), reverse=True)


def longest_run(ranks: list[int]) -> int:
    held = {r + 1 for r in ranks} | ({0} if ACE in ranks else set())
    return max((n for start in range(14) for n in range(1, 8) if {*range(start, start + n)} <= held), default=0)


@pytest.mark.parametrize("cards", range(1, 8))
def test_the_longest_suit_its_order_and_its_runs_by_sorting_cards(cards: int) -> None:
    rng = np.random.default_rng(cards)
    hands = [tuple(rng.permutation(52)[:cards].tolist()) for _ in range(400)]
    hands += [tuple(h) for h in itertools.islice(itertools.combinations(range(3, 52, 4), cards), 0, None, 7)]
    told = [(by_suits(h)[0], flush_strength_of(h)) for h in hands]
    for h, (longest, _) in zip(hands, told, strict=True):
        assert longest_suit_of(h) == len(longest)
        assert suited_run_of(h) == max(longest_run(ranks) for ranks in by_suits(h))
    told.sort(key=lambda pair: (len(pair[0]), pair[0]))
    for (a, x), (b, y) in itertools.pairwise(told):
        assert (x == y) if a == b else (x < y)


def test_high_card_flush_is_counted_as_published_and_by_formula() -> None:
    """All 133,784,560 hands of seven cards, dealt at once: the flush bet, the straight-flush bet and the qualifier."""
    flushes = {f"{n}-card flush": n for n in (7, 6, 5, 4)}
    runs = {f"{n}-card straight flush": n for n in (7, 6, 5, 4, 3)}

    def play(t: Table) -> None:
        own = t.deal(PLAYER, 7)
        t.settle(flush=by_floor(longest_suit(own), flushes), run=by_floor(straight_flush_length(own), runs))
        t.settle(plays=first_match(("win", flush_strength(own) >= flush_of(3, NINE))))

    wagers = [
        Wager("flush", required=True, tables=[PayTable("usual", dict(zip(flushes, (300, 100, 10, 1), strict=True)))]),
        Wager("run", tables=[PayTable("usual", dict.fromkeys(runs, 1))]),
        Wager("plays"),
    ]
    found = analyze(Game("flushes", "Flushes", play, wagers).at())
    ways = {w.wager: {o.outcome: o.ways for o in w.outcomes} for w in found.wagers}
    for n in (4, 5, 6, 7):
        assert ways["flush"][f"{n}-card flush"] == 4 * comb(13, n) * comb(39, 7 - n)
    assert f"{float(found.wager('flush').house_edge):.2%}" == "7.81%"  # Wizard of Odds, High Card Flush
    for n in (3, 4, 5, 6, 7):
        assert ways["run"][f"{n}-card straight flush"] == without_runs(n + 1) - without_runs(n)
    assert ways["plays"]["win"] == comb(52, 7) - without_a_flush_of(3, NINE)


def product_of_suits(one: list[int]) -> int:
    """Hands of seven cards, where one suit can hold k of them in one[k] ways, and all four suits are alike."""
    total = [1] + [0] * 7
    for _ in range(4):
        total = [sum(total[i] * one[k - i] for i in range(k + 1)) for k in range(8)]
    return total[7]


def without_runs(length: int) -> int:
    """Hands in which no suit has so many cards in a row."""
    held = [[r for r in range(13) if mask >> r & 1] for mask in range(1 << 13) if mask.bit_count() <= 7]
    short = [len(ranks) for ranks in held if longest_run(ranks) < length]
    return product_of_suits([short.count(k) for k in range(8)])


def without_a_flush_of(count: int, rank: int) -> int:
    """Hands in which no suit has more cards than that, or as many with this rank or a higher one."""
    fewer = [comb(13, k) for k in range(count)]
    return product_of_suits([*fewer, comb(rank, count), *[0] * (7 - count)])


# ---- no order of the deal, no names of the suits

WORDS: dict[str, tuple[int, Callable[[Hand], Column]]] = {
    "the best four of five": (5, lambda hand: strength(hand, cards=4)),
    "four cards": (4, lambda hand: strength(hand)),
    "the best three of five": (5, lambda hand: strength(hand, cards=3)),
    "the longest suit": (5, longest_suit),
    "its strength": (5, flush_strength),
    "the longest straight flush": (5, straight_flush_length),
    "the middle rank": (5, lambda hand: hand.ranks[2]),
    "all ranks in order": (4, lambda hand: sum(r * 13**i for i, r in enumerate(hand.ranks))),
    "the second highest value": (3, lambda hand: high_to_low(*(lookup([*range(13)][::-1], c.rank) for c in hand))[1]),
    "how many court cards": (5, lambda hand: count(card.rank >= JACK for card in hand)),
    "a last digit": (5, lambda hand: sum(card.rank for card in hand) % 10),
    "tens of a total": (5, lambda hand: sum(card.rank for card in hand) // 10),
    "pairs": (4, lambda hand: count(a.rank == b.rank for a, b in itertools.combinations(hand, 2))),
}


def valued(cards: int, word: Callable[[Hand], Column]) -> Game:
    """The lowest three digits of a word of one deal, as rows; its value against another's too."""

    def play(t: Table) -> None:
        own, his = t.deal(PLAYER, cards), t.deal(DEALER, cards)
        value = word(own)
        t.settle(ante=pick([str(i) for i in range(101)], value % 101), duel=compare(value, word(his)))

    tables = [PayTable("digits", {str(i): 1 for i in range(101)})]
    return Game("valued", "Valued", play, [Wager("ante", required=True, tables=tables), Wager("duel")])


@pytest.mark.parametrize(("cards", "word"), WORDS.values(), ids=list(WORDS))
def test_neither_suits_nor_the_order_of_the_deal_matter_to(cards: int, word: Callable[[Hand], Column]) -> None:
    graph = trace(valued(cards, word).at())
    assert suits_interchangeable(graph)
    groups = {g.who: g for point in graph.nodes for g in point.groups}
    assert len(groups) == 2 and not any(order_matters(graph, g) for g in groups.values())


@pytest.mark.parametrize(("cards", "word"), WORDS.values(), ids=list(WORDS))
def test_numpy_machine_code_and_the_live_table_agree_on(cards: int, word: Callable[[Hand], Column]) -> None:
    referee(traced(valued(cards, word).at()), deals=1500, live=25, seed=cards)


@pytest.mark.parametrize(("cards", "word"), WORDS.values(), ids=list(WORDS))
def test_renamed_suits_and_other_orders_give_the_same_and_stay_in_range(
    cards: int, word: Callable[[Hand], Column]
) -> None:
    rng = np.random.default_rng(cards)
    deals = np.argsort(rng.random((500, 52)), axis=1)[:, :cards]
    col = word(Hand([Card(i) for i in range(cards)]))

    def values(cards_: "np.ndarray[tuple[int, int], np.dtype[np.int64]]") -> list[int]:
        return batch(col, dict(enumerate(cards_.T)), {}, len(cards_)).tolist()

    found = values(deals)
    assert col.lo <= min(found) and max(found) <= col.hi
    for names in itertools.permutations(range(4)):
        assert values(deals >> 2 << 2 | np.array(names)[deals & 3]) == found
    assert values(rng.permuted(deals, axis=1)) == found


def test_a_sorting_network_makes_the_order_matter_and_ranks_do_not() -> None:
    """Why `hand.ranks` is there: both give the middle of three, and one is the same node in every order."""

    def network(hand: Hand) -> Column:
        a, b, c = (card.rank for card in hand)
        return highest(lowest(a, b), lowest(highest(a, b), c))

    for word, matters in ((network, True), (lambda hand: hand.ranks[1], False)):
        graph = trace(valued(3, word).at())
        group = next(g for point in graph.nodes for g in point.groups if g.who == PLAYER)
        assert order_matters(graph, group) is matters


def test_suits_that_are_named_are_not_interchangeable() -> None:
    hearts = valued(3, lambda hand: count(card.suit == HEARTS for card in hand))
    assert not suits_interchangeable(trace(hearts.at()))


# ---- ranges, sums and division


def test_a_range_is_proven() -> None:
    a, b, c = (Card(i).rank for i in range(3))
    for col, ends in (
        ((a + b) % 10, (0, 9)),
        (a % 20, (0, 12)),
        ((a + 40) % 20, (0, 12)),
        ((a + 40) // 20, (2, 2)),
        ((a - 20) // 7, (-3, -2)),
        ((a - b) // 5, (-3, 2)),
        (count([a > 3, b > 3, c > 3]), (0, 3)),
        (count([]), (0, 0)),
        (high_to_low(a + 5, b, c - 5)[0], (5, 17)),
        (high_to_low(a + 5, b, c - 5)[1], (0, 12)),
        (high_to_low(a + 5, b, c - 5)[2], (-5, 7)),
    ):
        assert (col.lo, col.hi) == ends


def test_a_sum_is_the_same_however_it_is_written() -> None:
    a, b, c = (Card(i).rank for i in range(3))
    assert sum([a, b, c]) is a + b + c is c + sum([b, a]) and sum([a]) is a


def test_baccarat_totals_in_numpy_machine_code_and_by_hand() -> None:
    values = [2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1]

    def play(t: Table) -> None:
        player, banker = t.deal(PLAYER, 2), t.deal(DEALER, 2)
        totals = [sum(lookup(values, card.rank) for card in hand) % 10 for hand in (player, banker)]
        naturals = count(total >= 8 for total in totals)
        t.settle(ante=where(naturals == 2, compare(1, 1), compare(*totals)), raise_=compare(totals[0], 8))

    game = small_game(play, Wager("ante", required=True), Wager("raise"))
    referee(traced(game.at()), deals=1000, live=20, seed=4)
    ways = {o.outcome: o.ways for o in analyze(game.at()).wager("raise").outcomes}
    total = [(values[a >> 2] + values[b >> 2]) % 10 for a, b in itertools.combinations(range(52), 2)]
    scale = sum(ways.values()) // len(total)
    assert ways["win"] == scale * total.count(9) and ways["push"] == scale * total.count(8)


# ---- hands and parts of hands


def test_a_hand_can_be_cut_and_put_together() -> None:
    cards = [Card(i) for i in range(5)]
    hand = Hand(cards)
    assert strength(hand[:3], hand[3:]) is strength(hand) is strength(*cards) is strength(hand[1:] + cards[0])
    assert strength(hand, cards=5) is strength(hand)
    assert strength(hand[:4], cards=4) is strength(hand[:4]) is not strength(hand[:4], cards=3)
    assert strength(hand[:3], cards=3) is strength(hand[:3])


@pytest.mark.parametrize(
    ("word", "name"),
    [
        (lambda own: strength(own), "strength"),
        (lambda own: strength(own, cards=4), "strength"),
        (lambda own: flush_strength(own), "flush_strength"),
    ],
)
def test_a_hand_of_several_decks_is_refused_where_no_ranking_knows_it(
    word: Callable[[Hand], Column], name: str
) -> None:
    def play(t: Table) -> None:
        t.settle(ante=compare(word(t.deal(PLAYER, 5)), 9000))

    game = Game("decks", "Decks", play, [Wager("ante")], options=[Choice("decks", (1, 2), "decks")])
    trace(game.at())
    with pytest.raises(RuleError, match=f"{name}\\(\\) of 5 cards ranks hands of one deck"):
        trace(game.at(decks=2))


def test_three_cards_of_several_decks_are_ranked() -> None:
    """Six decks: a suited pair is a flush, as at every table of 21+3. Counted by suits and ranks."""

    def play(t: Table) -> None:
        t.settle(ante=by_floor(strength(t.deal(PLAYER, 3)), rows))

    rows = hands_from("pair", up_to="straight flush", cards=3)
    tables = [PayTable("all", dict.fromkeys(rows, 1))]
    wagers = [Wager("ante", required=True, tables=tables)]
    game = Game("decks", "Decks", play, wagers, options=[Choice("decks", (1, 6), "decks")])
    found = analyze(game.at(decks=6)).wager("ante")
    ways = {o.outcome: o.ways * comb(312, 3) // sum(o.ways for o in found.outcomes) for o in found.outcomes}
    suited = 4 * comb(78, 3)
    assert ways["three of a kind"] == 13 * comb(24, 3)
    assert ways["straight flush"] == 12 * 4 * 6**3 and ways["straight"] == 12 * (24**3 - 4 * 6**3)
    assert ways["flush"] == suited - 13 * 4 * comb(6, 3) - ways["straight flush"]
    assert ways["pair"] == 13 * (comb(24, 2) * 288 - 4 * comb(6, 2) * 72)
