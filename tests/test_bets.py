"""Bets that go with another: placed along with it before the deal, chosen in multiples, paid without a stake.

Each game is counted a second time by a few lines of plain Python that know nothing of the vocabulary, on random pay
tables and multiples, and dealt by the simulator.
"""

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import permutations

import pytest

from helpers import small_game, stripped
from pitboss.deal import simulate
from pitboss.exact import Study
from pitboss.live import table
from pitboss.live.log import played_again
from pitboss.rules import (
    ACE,
    DEALER,
    DOWN,
    LOSE,
    PLAYER,
    PUSH,
    TEN,
    TWO_CARDS_PAIR,
    WIN,
    BadInput,
    House,
    PayTable,
    RuleError,
    Table,
    Wager,
    compare,
    first_match,
    highest,
    strength,
    where,
)
from pitboss.rules.describe import procedure
from pitboss.rules.trace import trace

RANKS = range(TEN, ACE + 1)
SHOE = stripped(RANKS, suits=(0, 1, 2))
CARDS = [(rank, suit) for rank in RANKS for suit in range(3)]
Hand = tuple[tuple[int, int], tuple[int, int]]


def value(hand: Hand) -> tuple[bool, int, int]:
    """Two cards: a pair, then the higher card, then the lower."""
    ranks = sorted((r for r, _ in hand), reverse=True)
    return ranks[0] == ranks[1], ranks[0], ranks[1]


def deals() -> Iterator[tuple[Hand, Hand]]:
    for a, b, c, d in permutations(CARDS, 4):
        yield (a, b), (c, d)


# ---- a wager that is placed before the deal along with another


def blinds(t: Table) -> None:
    """The better of two cards: the blind is paid extra for a pair that wins."""
    mine, his = t.deal(PLAYER, 2, face=DOWN), t.deal(DEALER, 2, face=DOWN)
    answer = t.decide("fold", "1x", "3x")
    if answer == "fold":
        t.settle(ante=LOSE, blind=LOSE)
        return
    t.bet("play", int(answer[0]))
    t.reveal(DEALER)
    duel, good = compare(strength(mine), strength(his)), strength(mine) >= TWO_CARDS_PAIR
    aces = good & (highest(*(c.rank for c in mine)) == ACE)
    blind = first_match(
        ("aces", aces & (duel == "win")), ("pair", good & (duel == "win")), ("lose", duel == "lose"), otherwise="push"
    )
    t.settle(ante=where(strength(his) >= TWO_CARDS_PAIR, duel, PUSH), blind=blind, play=duel)


def blind_game(pays: Mapping[str, object], along: int = 1) -> House:
    blind = Wager("blind", equal_to="ante", required=True, times=(along,), tables=[PayTable("usual", pays)])
    play = Wager("play", equal_to="ante", times=(1, 3))
    return small_game(blinds, Wager("ante", required=True), blind, play).at().but(shoe=SHOE)


def blind_by_hand(pays: Mapping[str, Fraction], along: int) -> tuple[Fraction, Fraction, dict[int, Fraction]]:
    """Edge per ante, what is staked on average, and how often each multiple is played."""
    worth: dict[Hand, dict[int, Fraction]] = {}
    seen: dict[Hand, int] = {}
    for mine, his in deals():
        a, b = value(mine), value(his)
        duel = (a > b) - (a < b)
        ante = duel if b[0] else 0
        if duel < 0:
            blind = Fraction(-1)
        elif duel > 0 and a[0]:
            blind = pays["aces" if a[1] == ACE else "pair"]
        else:
            blind = Fraction(0)
        seen[mine] = seen.get(mine, 0) + 1
        each = worth.setdefault(mine, {0: Fraction(0), 1: Fraction(0), 3: Fraction(0)})
        each[0] += -1 - along
        for times in (1, 3):
            each[times] += ante + along * blind + times * duel
    total = sum(seen.values())
    best = {hand: max(each, key=lambda n: (each[n], -n)) for hand, each in worth.items()}
    edge = -sum((max(each.values()) for each in worth.values()), Fraction(0)) / total
    often = {n: Fraction(sum(seen[h] for h in best if best[h] == n), total) for n in (0, 1, 3)}
    return edge, 1 + along + sum((n * p for n, p in often.items()), Fraction(0)), often


def random_pays(seed: int) -> dict[str, Fraction]:
    some = random.Random(seed)
    low = Fraction(some.randrange(1, 9), some.choice((1, 2)))
    return {"aces": low + some.randrange(5), "pair": low}


@pytest.mark.parametrize("seed", range(4))
def test_a_blind_equal_to_the_ante_is_counted_with_it_as_by_hand(seed: int) -> None:
    pays, along = random_pays(seed), (1, 1, 2, 3)[seed]
    house = blind_game(pays, along)
    found = Study(house).wager("ante")
    edge, staked, _ = blind_by_hand(pays, along)
    assert found.house_edge == edge
    assert found.wagered == staked
    assert found.element_of_risk == edge / staked
    dealt = simulate(house, 1 << 19).wager("ante")
    assert abs(dealt.house_edge - float(edge)) < 4 * dealt.standard_error
    assert dealt.element_of_risk == pytest.approx(dealt.house_edge / float(staked), rel=0.02)


def test_a_blind_has_no_edge_of_its_own_and_goes_with_the_ante() -> None:
    house = blind_game({"aces": 5, "pair": 2})
    assert list(house.parties) == ["ante"] == list(house.main)
    assert house.laid({"ante": Fraction(10)}) == {"ante": 10, "blind": 10}
    with pytest.raises(BadInput, match="blind goes with the ante"):
        Study(house).wager("blind")
    with pytest.raises(BadInput, match="blind is equal to the ante and is placed along with it; bet the ante alone"):
        house.check_bets({"ante": Fraction(10), "blind": Fraction(10)})


def test_the_rules_say_that_the_blind_lies_there_before_the_deal() -> None:
    house = blind_game({"aces": 5, "pair": 2})
    blind = house.wagers[1]
    assert (blind.who_bets(), blind.amount_rule()) == ("required, with the ante", "equal to the ante")
    steps = [text for _, text in procedure(trace(house))]
    placed = steps.index("The player places the blind bet, equal to the wager that it goes with.")
    assert placed < steps.index("Deal 2 cards face down to each player.")


@pytest.mark.parametrize("choice", ["fold", "1x", "3x"])
def test_the_live_table_takes_the_blind_with_the_ante_and_no_chip_is_lost(choice: str) -> None:
    house = blind_game({"aces": "3/2", "pair": 1}, along=2)
    for seed in range(12):
        t = table(house, seats=2, seed=seed, purses=100)
        with pytest.raises(BadInput, match=r"seat 1 cannot bet \$120: its purse has \$100"):
            t.bet(1, ante=40)
        with pytest.raises(BadInput, match="blind is 2x the ante and is placed along with it"):
            t.bet(1, ante=10, blind=20)
        t.bet(1, ante=10)
        t.bet(2, ante=20)
        assert [t.purse(1), t.purse(2)] == [70, 40]
        assert t.view(1).seats[2].stakes == {"ante": 20, "blind": 40}
        t.deal()
        assert [t.purse(1), t.purse(2)] == [70, 40]
        assert t.view(1).seats[1].stakes == {"ante": 10, "blind": 20}
        if choice == "3x":
            with pytest.raises(BadInput, match=r"3x may take \$60, and seat 2 has \$40 left; it can fold or 1x"):
                t.choose(1, "1x")
                t.choose(2, "3x")
            t.choose(2, "1x")
        else:
            t.choose(1, choice)
            t.choose(2, choice)
        for seat in (1, 2):
            settled = t.result(seat).settled
            assert {e["wager"] for e in settled} == {"ante", "blind"} | ({"play"} if choice != "fold" else set())
            assert t.purse(seat) == 100 + t.result(seat).net == 100 + sum(Fraction(e["net"]) for e in settled)
        assert played_again(house, t.log()[0]).net(1) == t.result(1).net


def test_a_player_who_leaves_forfeits_the_blind_too() -> None:
    t = table(blind_game({"aces": 5, "pair": 2}), seed=1, purses=100)
    t.bet(1, ante=10)
    t.deal()
    assert t.leave(1) == {1: {"ante": 10, "blind": 10}}
    assert t.purse(1) == 80


def test_a_blind_on_a_bet_that_is_not_made_is_not_made_either() -> None:
    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER, face=DOWN), t.deal(DEALER)
        t.settle(ante=compare(mine.rank, his.rank))
        if t.has("twin"):
            t.settle(high=compare(mine.rank, his.rank), twin=compare(his.rank, mine.rank))

    house = small_game(
        play, Wager("ante", required=True), Wager("high", needs="ante"), Wager("twin", equal_to="high", required=True)
    ).at()
    assert Study(house).wager("high").house_edge == 0
    assert Study(house).wager("high").wagered == 2
    t = table(house, seed=1, purses=100)
    t.bet(1, ante=10)
    t.deal()
    assert {e["wager"] for e in t.result(1).settled} == {"ante"}
    t.bet(1, ante=10, high=10)
    t.deal()
    assert {e["wager"] for e in t.result(1).settled} == {"ante", "high", "twin"}


def test_what_cannot_be_said_of_a_blind_is_one_sentence_with_its_line() -> None:
    with pytest.raises(RuleError, match=r"times is one number, such as times=\(1,\)"):
        Wager("blind", equal_to="ante", required=True, times=(1, 2))
    with pytest.raises(RuleError, match="blind goes by the ante, so it has no limits of its own"):
        Wager("blind", equal_to="ante", required=True, minimum=5)

    def bets_it(t: Table) -> None:
        t.bet("blind")

    ante, blind = Wager("ante", required=True), Wager("blind", equal_to="ante", required=True)
    with pytest.raises(RuleError, match="blind is required, so it lies there before the deal, along with the ante"):
        trace(small_game(bets_it, ante, blind).at())
    with pytest.raises(RuleError, match="blind is required, so it is placed before the deal, and the play"):
        small_game(bets_it, ante, Wager("play", equal_to="ante"), Wager("blind", equal_to="play", required=True)).at()

    def forgets_it(t: Table) -> None:
        t.deal(PLAYER)
        t.settle(ante=WIN)

    with pytest.raises(RuleError, match="the round ends here without settling blind"):
        trace(small_game(forgets_it, ante, blind).at())


def test_a_bet_that_equals_a_raise_is_as_large_as_the_raise_was() -> None:
    """Two steps from the ante: 3x the ante on play, then half of that on more."""

    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER, face=DOWN), t.deal(DEALER)
        times = t.decide("1x", "3x")
        t.bet("play", int(times[0]))
        duel = compare(mine.rank, his.rank)
        if t.decide("stay", "more") == "more":
            t.bet("more", Fraction(1, 2))
            t.settle(more=duel)
        t.settle(ante=duel, play=duel)

    more = Wager("more", equal_to="play", times=(Fraction(1, 2), 2))
    house = small_game(play, Wager("ante", required=True), Wager("play", equal_to="ante", times=(1, 3)), more).at()
    assert house.multiples["more"] == (Fraction(1, 2), 2, Fraction(3, 2), 6)
    # whoever sees a lower card bets all he can: 1 + 3 + 3/2; else as little: 1 + 1
    assert Study(house).wager("ante").house_edge == Fraction(1, 2) * Fraction(48, 51) * (2 - Fraction(11, 2))
    t = table(house, seed=1)
    t.bet(1, ante=10)
    t.deal()
    t.choose(1, "3x")
    t.choose(1, "more")
    assert {e["wager"]: e["stake"] for e in t.result(1).settled} == {"ante": "10", "play": "30", "more": "15"}

    def unbet(t: Table) -> None:
        t.bet("more", 2)

    with pytest.raises(RuleError, match="more equals the play, which was not bet in this round"):
        trace(small_game(unbet, *house.wagers).at())
