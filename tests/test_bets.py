"""Bets that go with another: placed along with it before the deal, chosen in multiples, paid without a stake.

Each game is counted a second time by a few lines of plain Python that know nothing of the vocabulary, on random pay
tables and multiples, and dealt by the simulator.
"""

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import permutations

import pytest

import pitboss as pb
from helpers import ROOT, sheet_steps, small_game, stripped
from pitboss.deal import simulate
from pitboss.exact import Study
from pitboss.guard.worth import worth_of
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
    Bonus,
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
    steps = sheet_steps(house)
    placed = steps.index("Along with the Ante he places as much again on the Blind.")
    assert placed < steps.index("Deal two cards face down to each player, from the dealer's left and clockwise.")


@pytest.mark.parametrize("choice", ["fold", "1x", "3x"])
def test_the_live_table_takes_the_blind_with_the_ante_and_no_chip_is_lost(choice: str) -> None:
    house = blind_game({"aces": "3/2", "pair": 1}, along=2)
    for seed in range(12):
        t = table(house, seats=2, seed=seed, purses=100)
        with pytest.raises(BadInput, match=r"seat 1 cannot bet \$120: it has \$100 in chips"):
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


# ---- a bonus: paid without a stake of its own


def bonuses(t: Table) -> None:
    """A pair earns a bonus on the ante in any hand that is played, and on the play bet, whatever that is, if it loses
    (a consolation). Aces are bonus enough for one who folds."""
    mine, his = t.deal(PLAYER, 2, face=DOWN), t.deal(DEALER, 2, face=DOWN)
    good = strength(mine) >= TWO_CARDS_PAIR
    aces = good & (highest(*(c.rank for c in mine)) == ACE)
    answer = t.decide("fold", "1x", "4x")
    paid = first_match(("aces", aces), ("pair", good))
    if answer == "fold":
        t.settle(ante=LOSE)
        t.settle(ante_bonus=where(aces, paid, LOSE))
        return
    t.bet("play", int(answer[0]))
    t.reveal(DEALER)
    duel = compare(strength(mine), strength(his))
    t.settle(play=duel, consolation=where(duel == "lose", paid, LOSE), ante=duel, ante_bonus=paid)


def bonus_game(ante: Mapping[str, object], play: Mapping[str, object], *more: Wager) -> House:
    wagers = (
        Wager("ante", required=True),
        Wager("play", equal_to="ante", times=(1, 4)),
        Bonus("ante-bonus", "a pair", on="ante", tables=[PayTable("usual", ante)]),
        Bonus("consolation", "a pair that loses", on="play", tables=[PayTable("usual", play)]),
    )
    return small_game(bonuses, *wagers, *more).at().but(shoe=SHOE)


def bonus_by_hand(on_ante: Mapping[str, Fraction], on_play: Mapping[str, Fraction]) -> tuple[Fraction, Fraction]:
    """Edge per ante, and what is staked on average: a bonus adds nothing to it."""
    worth: dict[Hand, list[Fraction]] = {}
    for mine, his in deals():
        a, b = value(mine), value(his)
        duel = (a > b) - (a < b)
        name = "" if not a[0] else "aces" if a[1] == ACE else "pair"
        bonus, solace = (pays[name] if name else Fraction(0) for pays in (on_ante, on_play))
        each = worth.setdefault(mine, [Fraction(0)] * 3)
        each[0] += -1 + (bonus if name == "aces" else 0)
        for i, times in ((1, 1), (2, 4)):
            each[i] += duel + bonus + times * (duel + (solace if duel < 0 else 0))
    ways = len(CARDS) * (len(CARDS) - 1)
    total = ways * (len(CARDS) - 2) * (len(CARDS) - 3)
    edge = -sum((max(each) for each in worth.values()), Fraction(0)) / total
    staked = sum((1, 2, 5)[each.index(max(each))] for each in worth.values())
    return edge, Fraction(staked, ways)


@pytest.mark.parametrize("seed", range(6))
def test_a_bonus_is_paid_on_the_stake_of_its_wager_and_loses_nothing_as_by_hand(seed: int) -> None:
    some = random.Random(seed)
    on_ante = random_pays(seed)
    on_play = {"aces": Fraction(some.randrange(9), 4), "pair": Fraction(some.randrange(1, 9), 4)}
    house = bonus_game(on_ante, on_play)
    found = Study(house).wager("ante")
    edge, staked = bonus_by_hand(on_ante, on_play)
    assert found.house_edge == edge
    assert found.wagered == staked
    dealt = simulate(house, 1 << 19).wager("ante")
    assert abs(dealt.house_edge - float(edge)) < 4 * dealt.standard_error
    assert [o.outcome for o in dealt.outcomes] == [o.outcome for o in found.outcomes]


def test_a_bonus_that_is_not_earned_is_not_in_the_return_table() -> None:
    found = Study(bonus_game({"aces": 5, "pair": 2}, {"aces": 1, "pair": "1/2"})).wager("ante")
    names = {o.outcome: o.pays for o in found.outcomes}
    assert names["4x: win, ante-bonus pair"] == 7
    assert names["4x: win, ante-bonus aces"] == 10
    assert names["4x: lose, ante-bonus pair, consolation pair"] == -1 - 4 + 2 + 2
    assert "fold: lose" in names and not any("ante-bonus lose" in name for name in names)


def test_a_bonus_has_no_stake_at_the_live_table_and_no_chip_is_lost() -> None:
    house, paid = bonus_game({"aces": 5, "pair": "3/2"}, {"aces": 1, "pair": "1/2"}), 0
    for seed in range(60):
        t = table(house, seed=seed, purses=50)
        with pytest.raises(BadInput, match="ante-bonus is not a bet before the deal"):
            t.bet(1, ante=10, ante_bonus=10)
        t.bet(1, ante=10)
        t.deal()
        t.choose(1, "4x")  # with a bonus that is free his last dollar will do
        assert t.purse(1) == 50 + t.result(1).net
        settled = {e["wager"]: e for e in t.result(1).settled}
        for name, on in (("ante-bonus", 10), ("consolation", 40)):
            if event := settled.get(name):
                paid += 1
                assert (event["stake"], event["free"]) == ("0", str(on))
                pays = house.tables[name].pays[event["row"]]
                assert isinstance(pays, Fraction) and Fraction(event["net"]) == on * pays > 0
        assert not [e for e in t.round.events if e["event"] in ("bet", "free") and e["wager"] != "play"]  # type: ignore[union-attr]
        assert played_again(house, t.log()[0]).net(1) == t.result(1).net
    assert paid > 5


def test_the_rules_and_the_purse_know_that_a_bonus_costs_nothing() -> None:
    house = bonus_game({"aces": 5, "pair": "3/2"}, {"aces": 1, "pair": "1/2"})
    bonus = house.wagers[2]
    assert (bonus.who_bets(), bonus.amount_rule()) == ("bonus, with the ante", "nothing: paid on the ante")
    steps = sheet_steps(house)
    assert (
        steps[steps.index("Settle the Ante Bonus by the first of these that fits.") + 4] == "Otherwise: pays nothing."
    )
    assert not [s for s in steps if "places the Ante Bonus" in s]
    assert house.laid({"ante": Fraction(10)}) == {"ante": 10}
    with pytest.raises(BadInput, match=r"\$5.01 on ante could come to a fraction of a cent; bet a multiple of \$0.02"):
        table(house).bet(1, ante="5.01")


def drawn(t: Table) -> None:
    """A card or two against one, with a bonus that is settled on the way to a mark, one that is behind it, and the same
    of a bet that was made in different ways by then."""
    mine, his = t.deal(PLAYER, face=DOWN), t.deal(DEALER)
    t.bet("play", 2 if t.decide("1x", "2x", by={"mine": mine.rank, "his": his.rank}) == "2x" else 1)
    t.settle(early=where(mine.rank == his.rank, WIN, LOSE), solid=where(mine.rank == his.rank, WIN, LOSE))
    best, other = t.mark("second", mine.rank, his.rank)
    if t.decide("stay", "draw", by={"mine": best, "his": other}) == "draw":
        best = highest(best, t.deal(PLAYER).rank)
    duel = compare(best, other)
    t.settle(ante=duel, play=duel, late=where(best == ACE, WIN, LOSE))


def test_a_bonus_goes_through_a_mark_with_the_stake_that_it_rests_on() -> None:
    house = small_game(
        drawn, Wager("ante", required=True), Wager("play", equal_to="ante", times=(1, 2)), Bonus("early", on="ante"),
        Bonus("solid", on="play"), Bonus("late", on="play"), strategies={"twice": lambda seen: seen.choices[-1]},
    ).at()  # fmt: skip
    dealt = simulate(house, 1 << 19, strategy="twice").wager("ante")
    total = Fraction(0)
    for a in range(13):
        for b in range(13):
            for c in range(13):
                ways = 4 * (4 - (a == b)) * (4 - (c == a) - (c == b))
                best = max(a, c)
                total += ways * ((best > b) - (best < b)) * 3 + ways * ((a == b) * 3 + (best == 12) * 2)
    assert abs(dealt.house_edge + float(total / (52 * 51 * 50))) < 4 * dealt.standard_error
    assert dealt.element_of_risk == pytest.approx(dealt.house_edge / 3)


def test_what_cannot_be_said_of_a_bonus_is_one_sentence_with_its_line() -> None:
    with pytest.raises(RuleError, match="the bonus 'extra' is paid on another wager; write on='ante'"):
        Bonus("extra")
    with pytest.raises(RuleError, match="the bonus 'extra' costs nothing"):
        Bonus("extra", on="ante", times=(2,))
    with pytest.raises(RuleError, match="extra is free, so it is as large as some other wager; write equal_to too"):
        Wager("extra", free=True)
    with pytest.raises(RuleError, match="extra goes by the ante, so it has no limits of its own"):
        Bonus("extra", on="ante", maximum=100)
    ante, play, extra = Wager("ante", required=True), Wager("play", equal_to="ante"), Bonus("extra", on="play")

    def bets_it(t: Table) -> None:
        t.bet("extra")

    with pytest.raises(RuleError, match="extra is a bonus on the play; it is not bet, only settled"):
        trace(small_game(bets_it, ante, play, extra).at())

    def on_nothing(t: Table) -> None:
        t.settle(extra=WIN)

    with pytest.raises(RuleError, match="extra is paid on the play, which was not bet in this round; bet it first"):
        trace(small_game(on_nothing, ante, play, extra).at())
    with pytest.raises(RuleError, match="extra depends on the wager 'raise', which was never declared"):
        small_game(bets_it, ante, Bonus("extra", on="raise")).at()


def test_a_bonus_is_designed_and_never_loses() -> None:
    solace = {"aces": Fraction(0), "pair": Fraction(1, 8)}
    house = bonus_game({"aces": 5, "pair": 2}, solace)
    found = pb.design(house, "ante-bonus", edge=("-100%", "100%"), rows=["aces=0..1", "pair=0..1"])
    assert (found.tables, len(found.best)) == (3, 2)  # with 1,1 the player has more than 100%
    for one in found.best:
        pays = {row: Fraction(str(pay)) for row, pay in one.pays.items()}
        assert one.edge == bonus_by_hand(pays, solace)[0]
    with pytest.raises(BadInput, match="ante-bonus is free and loses nothing; take pays from 0 on"):
        pb.design(house, "ante-bonus", edge=("-100%", "100%"), rows=["pair=lose..1"])


# ---- a bet of a chosen multiple


def raising(times: tuple[int, ...], only_aces: int) -> Callable[[Table], None]:
    """Fold, or raise by one of these multiples; by `only_aces` or more with an ace in the hand only."""

    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER, 2, face=DOWN), t.deal(DEALER, 2, face=DOWN)
        ace = highest(*(c.rank for c in mine)) == ACE
        most = times if t.when(ace, "the player has an ace") else [n for n in times if n < only_aces]
        answer = t.decide("fold", *(f"{n}x" for n in most), name="raise")
        if answer == "fold":
            t.settle(ante=LOSE)
            return
        t.bet("play", int(answer[:-1]))
        t.reveal(DEALER)
        duel = compare(strength(mine), strength(his))
        t.settle(ante=duel, play=duel)

    return play


def raised_by_hand(
    times: tuple[int, ...], only_aces: int, pays: Mapping[str, Fraction]
) -> tuple[Fraction, dict[int, Fraction]]:
    worth: dict[Hand, dict[int, Fraction]] = {}
    for mine, his in deals():
        a, b = value(mine), value(his)
        duel = (a > b) - (a < b)
        allowed = [n for n in times if n < only_aces or ACE in (mine[0][0], mine[1][0])]
        each = worth.setdefault(mine, dict.fromkeys([0, *allowed], Fraction(0)))
        won = pays["win"] if duel > 0 else Fraction(duel)
        each[0] -= 1
        for n in allowed:
            each[n] += duel + n * won
    hands, total = len(worth), len(CARDS) * (len(CARDS) - 1) * (len(CARDS) - 2) * (len(CARDS) - 3)
    best = [max(each, key=lambda n: (each[n], -n)) for each in worth.values()]
    edge = -sum((max(each.values()) for each in worth.values()), Fraction(0)) / total
    return edge, {n: Fraction(best.count(n), hands) for n in sorted(set(best))}


@pytest.mark.parametrize("seed", range(6))
def test_how_often_each_multiple_is_bet_is_counted_as_by_hand(seed: int) -> None:
    some = random.Random(seed)
    times = tuple(sorted(some.sample(range(1, 7), some.randrange(2, 5))))
    least = times[some.randrange(1, len(times))]
    pays = {"win": Fraction(some.randrange(2, 7), 4), "push": Fraction(0), "lose": Fraction(-1)}
    play = Wager("play", equal_to="ante", times=times, tables=[PayTable("usual", pays)])
    house = small_game(raising(times, least), Wager("ante", required=True), play).at().but(shoe=SHOE)
    edge, often = raised_by_hand(times, least, pays)
    found = Study(house).wager("ante")
    assert found.house_edge == edge
    assert {m.times: m.often.exact for m in found.bets} == often
    assert found.wagered == 1 + sum(n * p for n, p in often.items())
    assert [m["probability_exact"] for m in found.json()["bets"]] == [str(Fraction(p)) for p in often.values()]
    dealt = simulate(house, 1 << 19).wager("ante")
    assert abs(dealt.house_edge - float(edge)) < 4 * dealt.standard_error
    assert [m.times for m in dealt.bets] == list(often)
    for one in dealt.bets:
        assert abs(float(one.often) - float(often[int(one.times)])) <= 4 * one.often.error


def test_the_blind_game_says_how_often_each_raise_is_made() -> None:
    pays = {"aces": Fraction(5), "pair": Fraction(2)}
    found = Study(blind_game(pays)).wager("ante")
    assert {m.times: m.often.value for m in found.bets} == {n: p for n, p in blind_by_hand(pays, 1)[2].items() if p}
    assert {m.wager for m in found.bets} == {"play"}  # the blind is always bet: there is nothing to say


def test_a_raise_is_chosen_shown_and_paid_at_the_live_table() -> None:
    times = (1, 2, 3)
    play = Wager("play", equal_to="ante", times=times)
    house = small_game(raising(times, 2), Wager("ante", required=True), play).at().but(shoe=SHOE)
    assert play.amount_rule() == "1x or 2x or 3x the ante"
    steps = sheet_steps(house)
    assert "The player places the Play bet, three times the Ante." in steps
    assert [s for s in steps if s.startswith("The player chooses fold, 1x, 2x (only if ")]
    offered: set[tuple[str, ...]] = set()
    for seed in range(30):
        t = table(house, seed=seed, purses=35)
        t.bet(1, ante=10)
        t.deal()
        assert t.turn is not None
        offered.add(t.turn.choices)
        assert ("3x" in t.turn.choices) == any(card[0] == "A" for card in t.turn.player)
        if "3x" in t.turn.choices:
            with pytest.raises(BadInput, match=r"3x may take \$30, and seat 1 has \$25 left; it can fold or 1x or 2x"):
                t.choose(1, "3x")
            t.choose(1, "2x")
            assert {e["wager"]: e["stake"] for e in t.result(1).settled} == {"ante": "10", "play": "20"}
        else:
            with pytest.raises(BadInput, match="'2x' is not one of fold"):
                t.choose(1, "2x")
            t.choose(1, "1x")
        assert t.purse(1) == 35 + t.result(1).net
        assert played_again(house, t.log()[0]).net(1) == t.result(1).net
    assert offered == {("fold", "1x"), ("fold", "1x", "2x", "3x")}


def test_how_often_bets_are_made_is_on_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    from pitboss.cli import main

    path = str(ROOT / "examples" / "mississippi_stud.py")
    assert main(["analyze", path]) == 0
    assert "4th-street bet: none 38.745% · 1x 50.329% · 3x 10.926%" in capsys.readouterr().out
    assert main(["simulate", path, "--rounds", "1e5"]) == 0
    assert re.search(r"4th-street bet: none 3\d\.\d+% ± 0\.1\d+% · 1x 5", capsys.readouterr().out)
    assert main(["analyze", path, "--json"]) == 0
    bets = json.loads(capsys.readouterr().out)["wagers"][0]["bets"]
    assert [(b["wager"], b["times"]) for b in bets][:3] == [("3rd-street", 0), ("3rd-street", 1), ("3rd-street", 3)]
    assert sum(b["probability"] for b in bets) == pytest.approx(3)


def test_what_a_counter_works_out_agrees_with_the_count_for_every_kind_of_bet() -> None:
    """One card each, so that the protection's polynomial takes it: a blind, a bonus on a raise, and a free bet."""

    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER, face=DOWN), t.deal(DEALER, face=DOWN)
        answer = t.decide("fold", "1x", "3x", "gift")
        if answer == "fold":
            t.settle(ante=LOSE, blind=LOSE)
            return
        duel = compare(mine.rank, his.rank)
        if answer == "gift":
            t.bet("gift")
            t.settle(gift=duel)
        else:
            t.bet("play", int(answer[0]))
            t.settle(play=duel, high=where(mine.rank == ACE, WIN, LOSE))
        t.settle(ante=duel, blind=where(duel == "win", PUSH, duel))

    house = small_game(
        play, Wager("ante", required=True), Wager("blind", equal_to="ante", required=True),
        Wager("play", equal_to="ante", times=(1, 3)), Bonus("high", on="play"),
        Wager("gift", equal_to="ante", free=True, tables=[PayTable("half", {"win": "1/2"})]),
    ).at()  # fmt: skip
    some = random.Random(5)
    for _ in range(6):
        shoe = tuple(some.randrange(3) for _ in range(52))
        left = house.but(shoe=shoe)
        assert worth_of(house, "ante").expectation(shoe) == -Study(left).wager("ante").house_edge
