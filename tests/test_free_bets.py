"""A wager that the house stakes: it wins as if it were bet and loses nothing. Counted by hand where the game is small;
of drawn hands, free doubles and free splits are enumerated, and dealt."""

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations

import pytest

from helpers import sheet_steps, small_game, stripped
from pitboss.deal import simulate
from pitboss.exact import Study
from pitboss.games.blackjack import Count, counts, one, opening, plus, value
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
    Choice,
    Column,
    Game,
    House,
    PayTable,
    RuleError,
    Table,
    Wager,
    column,
    compare,
    lowest,
    row,
    where,
)

RANKS = range(TEN, ACE + 1)
SHOE = stripped(RANKS)

# ---- counted by hand


def lent(t: Table) -> None:
    """Your card against a card of the dealer's that is seen. You may double; against an ace the house doubles for you,
    and gives half your stake back of what it pays if you lose (which a free bet does not feel)."""
    his, mine = t.deal(DEALER), t.deal(PLAYER, face=DOWN)
    extra = "gift" if t.when(his.rank == ACE, "the dealer has an ace") else "double"
    more = t.decide("stay", "double") == "double"
    if more:
        t.bet(extra, 2)
    last = t.deal(PLAYER)
    best = where(mine.rank > last.rank, mine.rank, last.rank)
    duel = compare(best, his.rank)
    t.settle(ante=duel)
    if more:
        soft = where((duel == "lose") & (last.rank == TEN), row("soft"), duel)
        t.settle(**{extra: soft})


def lent_house(pays: Mapping[str, object]) -> House:
    some = [PayTable("usual", pays)]
    return small_game(
        lent, Wager("ante", required=True), Wager("double", equal_to="ante", times=(2,), tables=some),
        Wager("gift", "doubled by the house", equal_to="ante", times=(2,), tables=some, free=True),
    ).at().but(shoe=SHOE)  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_what_the_house_stakes_wins_and_loses_nothing_as_by_hand(seed: int) -> None:
    some = random.Random(seed)
    pays = {"win": Fraction(some.randrange(1, 9), 4), "push": Fraction(0), "soft": -Fraction(some.randrange(5), 4)}
    house = lent_house(pays)
    worth: dict[tuple[int, int], list[Fraction]] = {}
    for (his, _), (mine, _), (last, _) in permutations([(r, s) for r in RANKS for s in range(4)], 3):
        best = max(mine, last)
        duel = (best > his) - (best < his)
        staked = pays["win"] if duel > 0 else pays["soft"] if duel < 0 and last == TEN else Fraction(duel)
        extra = max(staked, Fraction(0)) if his == ACE else staked
        each = worth.setdefault((his, mine), [Fraction(0), Fraction(0), Fraction(0)])
        each[0] += duel
        each[1] += duel + 2 * extra
        each[2] += 1
    total = sum(each[2] for each in worth.values())
    doubled = {seen: each[1] > each[0] for seen, each in worth.items()}
    edge = -sum((max(each[:2]) for each in worth.values()), Fraction(0)) / total
    paid = (
        sum((each[2] for (his, mine), each in worth.items() if doubled[his, mine] and his != ACE), Fraction(0)) / total
    )
    found = Study(house).wager("ante")
    assert found.house_edge == edge
    assert found.wagered == 1 + 2 * paid  # what the house stakes is no risk of the player's
    often = {(m.wager, m.times): m.often.exact for m in found.bets}
    assert often.get(("double", Fraction(2)), 0) == paid
    dealt = simulate(house, 1 << 19).wager("ante")
    assert abs(dealt.house_edge - float(edge)) < 4 * dealt.standard_error


def test_a_free_bet_takes_no_chip_at_the_live_table_and_its_marker_is_seen() -> None:
    house, free = lent_house({"win": 1, "push": 0, "soft": "-1/2"}), 0
    for seed in range(40):
        t = table(house, seed=seed, purses=25)
        t.bet(1, ante=10)
        t.deal()
        assert t.turn is not None
        if t.turn.dealer[0][0] == "A":
            free += 1
            t.choose(1, "double")
            settled = {e["wager"]: e for e in t.result(1).settled}
            assert settled["gift"]["stake"] == "0" and settled["gift"]["free"] == "20"
            assert Fraction(settled["gift"]["net"]) >= 0
            assert t.view(1).seats[1].markers == {"gift": 20} and t.view(1).seats[1].stakes == {"ante": 10}
        else:
            with pytest.raises(Exception, match=r"double may take \$20, and seat 1 has \$15 left; it can stay"):
                t.choose(1, "double")
            t.choose(1, "stay")
        assert t.purse(1) == 25 + t.result(1).net
        assert played_again(house, t.log()[0]).net(1) == t.result(1).net
    assert free > 3


def test_the_rules_say_that_the_house_stakes_it() -> None:
    house = lent_house({"win": 1, "push": 0, "soft": "-1/2"})
    gift = house.wagers[2]
    assert (gift.who_bets(), gift.amount_rule()) == ("free, during the round", "2x the ante, staked by the house")
    steps = sheet_steps(house)
    assert "Place a marker on the Gift, twice the Ante: the house stakes it." in steps
    assert "The player places the Double bet, twice the Ante." in steps


def test_a_free_wager_takes_no_tokes_and_feeds_no_meter() -> None:
    with pytest.raises(RuleError, match="gift is free, so it takes no tokes"):
        Wager("gift", equal_to="ante", free=True, tokes=True)
    with pytest.raises(RuleError, match="gift is free, so it takes no tokes, and no stake goes into a meter"):
        Wager("gift", equal_to="ante", free=True, stake_returned=False)


# ---- blackjack with free doubles and splits, enumerated


def free_bet(t: Table) -> None:
    """Doubles on hard 9 to 11 and splits of all but tens are on the house; the dealer's 22 pushes."""
    first, up, second, hole = opening(t)
    dealer, pair = value(up), value(first)
    his, mine = plus(one(dealer), value(hole)), plus(one(pair), value(second))
    if t.when(his.total == 21, "the dealer has blackjack"):
        t.reveal(DEALER)
        t.settle("dealer has blackjack", main=where(mine.total == 21, PUSH, LOSE))
        return
    if t.when(mine.total == 21, "the player has blackjack"):
        t.settle("blackjack", main=row("blackjack"))
        return
    _hands(t, pair, value(second), dealer, his)


def _hands(t: Table, pair: Column, second: Column, dealer: Column, his: Count) -> None:
    hand = hands = 1
    aces = False
    done: list[Column] = []
    mine, paired = plus(one(pair), second), pair == second
    while True:
        hand, hands, aces, pair, paired, mine, dealer, his, done = t.mark(
            "two cards", hand, hands, aces, pair, paired, mine, dealer, his, done
        )
        by = {"total": mine.total, "soft": mine.soft, "dealer": dealer, "free": column(hand > 1)}
        hard = t.when(~mine.soft & (mine.total >= 9) & (mine.total <= 11), "the hand is a hard 9 to 11")
        move = _first_move(t, hands, aces, paired & (pair != 10), mine, by)
        if move == "split":
            hands += 1
            aces = aces or t.when(pair == 1, "they are aces")
            t.split(hand, hands)
            t.bet(f"hand-{hands}")
        else:
            mine = _play_on(t, hand, move, mine, hard)
            while move == "hit":
                hand, hands, aces, pair, mine, dealer, his, done = t.mark(
                    "more cards", hand, hands, aces, pair, mine, dealer, his, done
                )
                by = {"total": mine.total, "soft": mine.soft, "dealer": dealer, "free": column(hand > 1)}
                if (
                    not t.when(mine.total < 21, "less than 21")
                    or t.decide("stand", "hit", name="play", by=by) == "stand"
                ):
                    break
                mine = plus(mine, value(t.deal(PLAYER, hand=hand)[0]))
            done = [*done, mine.total]
            if hand == hands:
                break
            hand += 1
        second = value(t.deal(PLAYER, hand=hand)[0])
        mine, paired = plus(one(pair), second), pair == second
    _dealer(t, his, done)


def _first_move(t: Table, hands: int, aces: bool, paired: Column, mine: Count, by: Mapping[str, Column]) -> str:
    if t.when(mine.total == 21, "the hand counts 21"):
        return "stand"
    choices = ["stand"] if aces else ["stand", "hit", "double"]
    if hands < int(str(t.option("split-to"))) and not aces and t.when(paired, "both cards count the same"):
        choices.append("split")
    return t.decide(*choices, name="play", by=by) if len(choices) > 1 else "stand"


def _play_on(t: Table, hand: int, move: str, mine: Count, hard: bool) -> Count:
    """The stakes of the hand, paid or free, and its third card."""
    free = move == "double" and hard
    t.bet("double" if hand == 1 else f"double-{hand}", int(move == "double" and not free))
    if hand == 1:
        t.bet("free-double", int(free))
    elif free:
        t.bet(f"hand-{hand}", 2)
    return mine if move == "stand" else plus(mine, value(t.deal(PLAYER, hand=hand)[0]))


def _dealer(t: Table, his: Count, done: list[Column]) -> None:
    draws = t.when(lowest(*done) <= 21, "a hand is not over 21")
    t.reveal(DEALER)
    while draws:
        his, done = t.mark("dealer draws", his, done)
        draws = t.when((his.total < 17) | ((his.total == 17) & his.soft), "less than 17 or soft 17")
        if draws:
            his = plus(his, value(t.deal(DEALER)[0]))
    for number, total in enumerate(done, 1):
        duel = compare(total, where(his.total > 22, 1, his.total))
        result = where(total > 21, LOSE, where(his.total == 22, PUSH, duel))
        names = ("main", "double", "free_double") if number == 1 else (f"hand_{number}", f"double_{number}")
        t.settle(**dict.fromkeys(names, result))


def wagers(options: Mapping[str, object]) -> list[Wager]:
    more = range(2, int(str(options["split-to"])) + 1)
    return [
        Wager("main", "against the dealer", required=True, tables=[PayTable("3:2", {"blackjack": "3/2", "win": 1})]),
        Wager("double", "for one more card", equal_to="main", times=(0, 1)),
        Wager("free-double", "hard 9 to 11", equal_to="main", times=(0, 1), free=options["free"] == "yes"),
        *(Wager(f"hand-{n}", equal_to="main", times=(1, 2), free=options["free"] == "yes") for n in more),
        *(Wager(f"double-{n}", equal_to="main", times=(0, 1)) for n in more),
    ]


FREE_BET = Game(
    "free-bet", "Free Bet Blackjack", free_bet, wagers, counts=counts,
    options=[
        Choice("decks", (6, 2, 1), "decks"), Choice("split-to", (4, 2, 1), "hands"),
        Choice("free", ("yes", "no"), "whether the house stakes them"),
    ],
)  # fmt: skip


@pytest.mark.parametrize(
    "options", [{}, {"split-to": 2, "decks": 1}, {"split-to": 1}, {"free": "no", "decks": 2}], ids=str
)
def test_free_doubles_and_splits_are_enumerated_as_they_are_dealt(options: Mapping[str, object]) -> None:
    house = FREE_BET.at(options)
    basic = Study(house, "basic").wager("main")
    dealt = simulate(house, 1 << 22, strategy="basic").wager("main")
    assert abs(dealt.house_edge - float(basic.house_edge)) < 4 * dealt.standard_error
    assert dealt.element_of_risk == pytest.approx(float(basic.element_of_risk), abs=4 * dealt.standard_error)
    assert ("doubled free: win" in {o.outcome for o in basic.outcomes}) == (options.get("free") != "no")
    staked = sum(float(m.times) * float(m.often) for m in dealt.bets if m.wager.startswith("double"))
    if options.get("free") != "no":
        assert float(basic.wagered) == pytest.approx(1 + staked, abs=0.002)
        assert (
            basic.played is not None
            and basic.house_edge < Study(house.but(free="no"), "basic").wager("main").house_edge
        )
    assert Study(house).wager("main").house_edge <= basic.house_edge


def test_free_hands_take_no_chips_at_the_live_table() -> None:
    house, met = FREE_BET.at(), set[str]()
    for seed in range(120):
        t = table(house, seed=seed, purses=100)
        t.bet(1, main=100)  # his last chip: what is free can be had all the same
        t.deal()
        while (turn := t.turn) is not None:
            wanted = [c for c in ("split", "double") if c in turn.choices]
            for choice in (*wanted, "stand"):
                try:
                    t.choose(1, choice)
                except Exception as error:
                    assert "may take $100, and seat 1 has $0 left" in str(error)
                else:
                    break
        assert t.purse(1) == 100 + t.result(1).net >= 0
        markers = t.view(1).seats[1].markers
        met |= {*markers}
        for hand in t.view(1).seats[1].hands[1:]:
            assert hand.wager in markers
        assert played_again(house, t.log()[0]).net(1) == t.result(1).net
    assert {"free-double", "hand-2"} <= met
