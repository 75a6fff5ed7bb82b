"""What a decision is made `by` is enough for a strategy, with or without a mark: it is asked by those values where the
cards are too many, at machine-code speed, and told where it looks at a card that is not there."""

import inspect
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from helpers import ROOT, load_game, small_game, stripped
from pitboss.cards import cards_of
from pitboss.compile import Keys
from pitboss.compile.keys import keyed_by_value
from pitboss.deal import simulate
from pitboss.deal.players import played
from pitboss.exact import Study
from pitboss.live import first_choice, follows, table
from pitboss.rules import (
    ACE,
    BOARD,
    DEALER,
    DOWN,
    JACK,
    LOSE,
    PAIR,
    PLAYER,
    TEN,
    THREE_OF_A_KIND,
    TWO_PAIR,
    WIN,
    BadInput,
    Column,
    House,
    RuleError,
    Seen,
    Table,
    Wager,
    compare,
    highest,
    strength,
    where,
)
from pitboss.rules.by_value import ByValue
from pitboss.rules.dealt import Card, Hand
from pitboss.rules.evaluate import evaluate
from pitboss.rules.game import FACES
from pitboss.rules.trace import trace

ANTE, PLAY = Wager("ante", required=True), Wager("play", equal_to="ante", times=(1, 2, 3))


def rung(value: Column) -> Column:
    """No pair, a pair, two pair, more."""
    return where(value < PAIR, 0, where(value < TWO_PAIR, 1, where(value < THREE_OF_A_KIND, 2, 3)))


def holdem(t: Table) -> None:
    """Two cards of your own, three on the board and then five: raise 2x on the flop, once more at the end, or not. The
    dealer has five cards of his own and a rank to spare, so that nobody knows the answer beforehand."""
    own, his = t.deal(PLAYER, 2, face=DOWN), t.deal(DEALER, 5, face=DOWN)
    flop, last = t.deal(BOARD, 3, face=DOWN), t.deal(BOARD, 2, face=DOWN)
    t.reveal(flop)
    high = highest(own[0].rank, own[1].rank)
    first = t.decide("check", "raise", name="flop", by={"hand": rung(strength(own, flop)), "high": high})
    if first == "raise":
        t.bet("play", 2)
    t.reveal(last)
    mine = strength(own, flop, last)
    end = t.decide("stay", "more", name="river", by={"hand": rung(mine)})
    if end == "more":
        t.bet("play", 3 if first == "raise" else 1)
    t.reveal(DEALER)
    duel = compare(mine, strength(his) + 4096)
    t.settle(ante=duel)
    if first == "raise" or end == "more":
        t.settle(play=duel)


def by_values(seen: Seen) -> str:
    if seen.decision == "flop":
        return "raise" if seen.by["hand"] or seen.by["high"] == ACE else "check"
    return "more" if seen.by["hand"] > (2 if seen.bets else 1) else "stay"


def by_cards(seen: Seen) -> str:
    if seen.decision == "flop":
        return "raise" if any(card.rank == ACE for card in seen.player) else "check"
    return "more" if seen.by["hand"] > 1 else "stay"


def house_of(play: Callable[[Table], None], strategies: dict[str, Callable[[Seen], str]], *wagers: Wager) -> House:
    return small_game(play, *wagers or (ANTE, PLAY), strategies=strategies).at()


def test_seven_cards_in_sight_are_asked_by_value_and_dealt_by_machine_code() -> None:
    house = house_of(holdem, {"by-values": by_values})
    found = played(house, "by-values")
    assert found.keys is not None and found.table is not None and len(found.table) < 200
    dealt = simulate(house, 1 << 21, strategy="by-values")
    often = {(m.wager, m.times): float(m.often) for m in dealt.wager("ante").bets}
    edge, chances = _by_hand(1 << 16)
    error = 4 * (1 / 65536) ** 0.5
    for times in (0, 1, 2, 3):
        assert often["play", Fraction(times)] == pytest.approx(chances[times], abs=error)
    assert dealt.wager("ante").house_edge == pytest.approx(edge, abs=4 * error)


def _by_hand(rounds: int) -> tuple[float, dict[int, float]]:
    """The same rounds in plain Python: no graph, no table of answers."""
    some, money, bets = random.Random(7), 0.0, dict.fromkeys(range(4), 0)
    for _ in range(rounds):
        cards = some.sample(range(52), 12)
        own, his, flop, board = cards[:2], cards[2:7], cards[7:10], cards[7:]
        ace = max(c // 4 for c in own) == ACE
        times = 2 if _kind(own + flop) or ace else 0
        mine = _best(own + board)
        if mine > (2 if times else 1):
            times = 3 if times else 1
        theirs, ours = strengths(his) + 4096, strengths(own + board)
        duel = (ours > theirs) - (ours < theirs)
        money += duel * (1 + times)
        bets[times] += 1
    return -money / rounds, {t: n / rounds for t, n in bets.items()}


@cache
def _strength(cards: int) -> Column:
    return strength(Hand([Card(i) for i in range(cards)]))


def strengths(cards: list[int]) -> int:
    """The strength of a hand as the vocabulary numbers it; what that is, test_hands.py holds against the census."""
    return evaluate(_strength(len(cards)), dict(enumerate(cards)), {})


def _kind(cards: list[int]) -> int:
    """No pair 0, a pair 1, two pair 2, more 3: of five cards, by hand."""
    ranks = sorted([c // 4 for c in cards])
    different = len({*ranks})
    if different == 5:
        run = ranks[4] - ranks[0] == 4 or ranks == [0, 1, 2, 3, 12]
        return 3 if run or len({c % 4 for c in cards}) == 1 else 0
    return {4: 1, 3: 2 if max(map(ranks.count, ranks)) == 2 else 3}.get(different, 3)


def _best(cards: list[int]) -> int:
    return max(_kind(list(five)) for five in combinations(cards, 5))


def test_a_strategy_that_looks_at_cards_where_they_are_too_many_is_one_sentence_with_its_line() -> None:
    house = house_of(holdem, {"by-cards": by_cards})
    line = inspect.getsourcelines(by_cards)[1] + 2
    words = r"seen.by\['hand'\] and seen.by\['high'\] there, and not at seen.player; name what else it needs in by="
    with pytest.raises(
        RuleError, match=rf"test_by.py, line {line}: the decision 'flop' in line \d+ is asked by .*{words}"
    ):
        simulate(house, 1000, strategy="by-cards")


@pytest.mark.parametrize("field", ["player", "dealer", "board", "carried", "bets"])
def test_nothing_else_can_be_looked_at_where_a_marked_round_is_asked_by_value(field: str) -> None:
    def play(t: Table) -> None:
        mine = t.mark("again", t.deal(PLAYER)[0].rank)
        raised = t.decide("stay", "raise", by={"mine": mine}) == "raise"
        if raised:
            t.bet("play")
        result = compare(mine, t.deal(DEALER)[0].rank)
        t.settle(ante=result, **({"play": result} if raised else {}))

    def looks(seen: Seen) -> str:
        return "raise" if getattr(seen, field) else "stay"

    house = house_of(play, {"looks": looks, "by": lambda seen: "raise" if seen.by["mine"] > TEN else "stay"})
    with pytest.raises(RuleError, match=rf"seen.by\['mine'\] there, and not at seen.{field}"):
        simulate(house, 1000, strategy="looks")
    dealt = simulate(house, 1 << 18, strategy="by").wager("ante")
    ways = sum((1 + (a > TEN)) * 16 * ((a > b) - (a < b)) for a in range(13) for b in range(13))
    assert abs(dealt.house_edge + ways / (52 * 51)) < 4 * dealt.standard_error


def test_four_cards_in_sight_are_asked_by_value_where_the_game_is_too_large_to_count() -> None:
    def play(t: Table) -> None:
        own, board = t.deal(PLAYER, 4, face=DOWN), t.deal(BOARD, 6, face=DOWN)
        high = highest(*(card.rank for card in own))
        if t.decide("fold", "raise", by={"high": high}) == "fold":
            t.settle(ante=LOSE)
            return
        t.bet("play")
        other = strength(t.deal(DEALER, 5, face=DOWN))
        duel = compare(strength(own, board[0], board[1], board[2]), other)
        duel = where(strength(board[1], board[2], board[3], board[4], board[5]) > other, LOSE, duel)
        t.settle(ante=duel, play=duel)

    house = house_of(play, {"high": lambda seen: "raise" if seen.by["high"] >= JACK else "fold"})
    found = played(house, "high")
    assert found.table is not None and len(found.table) == 13
    dealt = simulate(house, 1 << 18, strategy="high").wager("ante")
    low = Fraction(36 * 35 * 34 * 33, 52 * 51 * 50 * 49)
    assert {m.times: float(m.often) for m in dealt.bets}[Fraction(0)] == pytest.approx(float(low), abs=0.003)


def test_bets_that_differ_are_asked_apart() -> None:
    """The river of `holdem` comes after a raise or without one, and a strategy may look at that."""
    graph = trace(house_of(holdem, {"by-values": by_values}))
    keys = Keys(graph)
    rivers = [d for d in graph.decisions() if d.name == "river"]
    assert [dict(d.placed) for d in rivers] == [{}, {"play": 2}]
    assert len({keys.of_node[d.id].offset for d in rivers}) == 2
    assert all(keyed_by_value(graph, d) for d in graph.decisions())


def test_hidden_cards_are_nothing_to_decide_by() -> None:
    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER, face=DOWN), t.deal(DEALER, face=DOWN)
        t.decide("stay", "raise", by={"duel": mine.rank > his.rank})
        t.settle(ante=WIN)

    with pytest.raises(RuleError, match="the player cannot see what 'duel' looks at, so he cannot decide by it"):
        trace(small_game(play, ANTE).at())


def small(named: bool) -> Callable[[Table], None]:
    def play(t: Table) -> None:
        own, his = t.deal(PLAYER, 3, face=DOWN), t.deal(DEALER, 2, face=DOWN)
        high = highest(*(card.rank for card in own))
        if t.decide("fold", "raise", by={"high": high} if named else None) == "fold":
            t.settle(ante=LOSE)
            return
        t.bet("play", 2)
        duel = compare(strength(own), strength(his, own[0]))
        t.settle(ante=duel, play=duel)

    return play


def test_a_count_is_the_same_with_and_without_by_and_so_is_a_strategy() -> None:
    ways: dict[str, Callable[[Seen], str]] = {
        "values": lambda seen: "raise" if seen.by["high"] >= JACK else "fold",
        "cards": lambda seen: "raise" if max(card.rank for card in seen.player) >= JACK else "fold",
    }
    shoe = stripped(range(8, 13))
    named, plain = (house_of(small(by), ways).but(shoe=shoe) for by in (True, False))
    best = Study(named).wager("ante")
    assert best.outcomes == Study(plain).wager("ante").outcomes
    values, cards = (Study(named, name).wager("ante") for name in ("values", "cards"))
    assert values.outcomes == cards.outcomes == Study(plain, "cards").wager("ante").outcomes
    assert values.house_edge > best.house_edge
    dealt = simulate(named, 1 << 18, strategy="values").wager("ante")
    assert abs(dealt.house_edge - float(values.house_edge)) < 4 * dealt.standard_error


def test_ultimate_texas_holdem_is_counted_and_dealt_by_what_its_strategy_looks_at() -> None:
    house = load_game(ROOT / "examples" / "ultimate_texas_holdem.py").at()
    found = played(house, "simple")
    assert found.table is not None and found.keys is not None
    counts = simulate(house, 1 << 20, strategy="simple").wager("ante")
    chance = {m.times: float(m.often) for m in counts.bets}

    def first(a: int, b: int) -> str:
        own = (FACES[a], FACES[b])
        return house.strategy("simple")(Seen("before the flop", ("raise 4x", "raise 3x", "check"), own, (), ()))

    raised = sum(first(a, b) == "raise 4x" for a, b in combinations(range(52), 2))
    assert chance[Fraction(4)] == pytest.approx(raised / 1326, abs=0.002)
    seat = follows(house, "simple")
    for seed in range(25):
        t = table(house, seed=seed, bots={1: seat})
        t.deal()
        assert t.round is not None
        for choice in [e for e in t.round.events if e["event"] == "choose"]:
            assert choice["choice"] in ("raise 4x", "raise 2x", "raise 1x", "check", "fold")
        hand = next(e["cards"] for e in t.round.events if e["event"] == "deal" and e["to"] == "player")
        before = next(e["choice"] for e in t.round.events if e["event"] == "choose")
        assert before == first(*cards_of(hand))


def test_a_computer_player_finds_what_a_decision_is_made_by_at_the_live_table() -> None:
    asked: list[tuple[str, dict[str, int], dict[str, Fraction]]] = []

    def notes(seen: Seen) -> str:
        asked.append((seen.decision, dict(seen.by), {n: Fraction(x) for n, x in seen.bets.items()}))
        assert len(seen.player) == 2 and len(seen.board) == (3 if seen.decision == "flop" else 5)
        return by_values(seen)

    house = house_of(holdem, {"notes": notes})
    for seed in range(12):
        t = table(house, seats=2, seed=seed, bots={1: follows(house, "notes"), 2: first_choice})
        t.deal()
        assert t.result(1).net is not None
    assert {d for d, _, _ in asked} == {"flop", "river"}
    for decision, by, bets in asked:
        assert by.keys() == ({"hand", "high"} if decision == "flop" else {"hand"})
        assert bets in ({}, {"play": 2})
    wrong = follows(house_of(holdem, {"odd": lambda seen: "jump"}), "odd")
    with pytest.raises(BadInput, match="the strategy 'odd' answers 'jump'"):
        table(house, seed=1, bots={1: wrong}).deal()


def test_what_is_seen_by_value_says_itself_and_knows_no_other_name() -> None:
    graph = trace(house_of(holdem, {"by-values": by_values}))
    seen = ByValue(next(graph.decisions()), {"hand": 1, "high": 3}, {})
    assert repr(seen) == "Seen(decision='flop', choices=('check', 'raise'), by={'hand': 1, 'high': 3})"
    assert seen.bets == {} and not hasattr(seen, "hands")
