"""The hidden hand against the count deal by deal, on packs so small that both can be done: the same law, way by way.

The games are made up: hands of two to five cards on either side, a board in stages or none, an up-card, a qualifier, a
bonus that does not ask how the duel ended, raises of one to four times, no comparison at all.
"""

import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path
from typing import Any

import pytest

import pitboss as pb
from helpers import ROOT, load_game
from pitboss.exact.hidden import passes, ruled
from pitboss.exact.hidden.deals import EVERY, NONE, deals
from pitboss.exact.hidden.duel import Duel, readings
from pitboss.exact.kernels import Advised, Task
from pitboss.exact.kernels.count import COUNT
from pitboss.exact.kernels.hidden import HIDDEN, duel_for
from pitboss.exact.plan import TooLarge
from pitboss.exact.ruled import rulebook
from pitboss.exact.study import Study
from pitboss.ledger.law import Law
from pitboss.rules import (
    BOARD,
    DEALER,
    DOWN,
    FLUSH,
    LOSE,
    PAIR,
    PLAYER,
    PUSH,
    STRAIGHT,
    THREE_OF_A_KIND,
    TWO_PAIR,
    WIN,
    Column,
    Game,
    Hand,
    House,
    PayTable,
    Seen,
    Table,
    Wager,
    by_floor,
    compare,
    flush_strength,
    longest_suit,
    strength,
    where,
)
from pitboss.thumb import Played, ladders

Play = Callable[[Table], None]
ROWS = {"flush": FLUSH, "straight": STRAIGHT, "three of a kind": THREE_OF_A_KIND, "two pair": TWO_PAIR}


def pack(ranks: int, without: tuple[int, ...] = ()) -> tuple[int, ...]:
    return tuple(int(c >> 2 >= 13 - ranks and c not in without) for c in range(52))


def made(play: Play, pays: tuple[int, ...] = (7, 4, 3, 2), **more: Any) -> Game:
    table = PayTable("made up", dict(zip(ROWS, pays, strict=True)) | {"win": 1})
    return Game(
        name="made-up", title="Made up", play=play, **more,
        wagers=(
            Wager("ante", "a", required=True, tables=[table]),
            Wager("raise", "b", equal_to="ante", times=(1, 2, 3, 4), tables=[table]),
            Wager("bonus", "c", tables=[PayTable("made up too", {**dict(zip(ROWS, pays, strict=True)), "pair": 0})]),
        ),
    )  # fmt: skip


def task_of(house: House, strategy: str = "optimal") -> Task:
    study = Study(house, strategy)
    return Task(house, study.graph, study.banked, strategy)


def rows_of(law: Law) -> dict[Any, Fraction]:
    out: dict[Any, Fraction] = {}
    for chance, joint in law:
        key = (tuple(sorted(joint.rows.items())), tuple(sorted(joint.times.items())), joint.chosen)
        out[key] = out.get(key, Fraction(0)) + chance
    return out


def assert_same(house: House, strategy: str = "optimal") -> None:
    task = task_of(house, strategy)
    assert rows_of(HIDDEN.open(task).law()) == rows_of(COUNT.open(task).law())


# ---- made-up games


def bonus_on(*hands: Hand) -> Any:
    return by_floor(strength(*hands), {**ROWS, "pair": PAIR})


def stud(own: int, hidden: int, up: int = 0, folds: bool = True, mine: Callable[..., Column] = strength) -> Play:
    """So many cards each, some of the dealer's turned up; fold, or raise one or two times; a pair qualifies."""

    def play(t: Table) -> None:
        held = t.deal(PLAYER, own, face=DOWN)
        shown = [t.deal(DEALER, up)] if up else []
        his = mine(*shown, t.deal(DEALER, hidden, face=DOWN))
        value = mine(held)
        bonus = bonus_on(held) if own == 5 else LOSE
        choice = t.decide("fold", "once", "twice", name="fold or raise") if folds else "twice"
        if choice == "fold":
            t.settle(ante=LOSE, bonus=bonus)
            return
        t.bet("raise", 2 if choice == "twice" else 1)
        duel = compare(value, his)
        qualifies = his >= (his.lo + his.hi) // 3
        t.settle(ante=where(qualifies, duel, WIN), raise_=where(qualifies, duel, PUSH), bonus=bonus)

    return play


def boarded(own: int, hidden: int, stages: tuple[int, ...], seen: tuple[bool, ...], last: bool = True) -> Play:
    """A board in stages, a decision after each that is seen: raise less the later, fold only at the end."""

    def play(t: Table) -> None:
        held, his = t.deal(PLAYER, own, face=DOWN), t.deal(DEALER, hidden, face=DOWN)
        cards = [t.deal(BOARD, n, face=DOWN) for n in stages]
        value, theirs = strength(held, *cards), strength(his, *cards)
        bonus, times = bonus_on(held, *cards), 0
        for i, part in enumerate([None, *cards]):
            if part is not None:
                t.reveal(part)
            final = last and i == len(cards)
            if not times and seen[i]:
                more = len(cards) + 1 - i
                choice = t.decide("raise", "fold" if final else "wait", name=f"stage {i}")
                if choice == "fold":
                    t.settle(ante=LOSE, bonus=bonus)
                    return
                times = more if choice == "raise" else 0
        t.bet("raise", times or 1)
        duel = compare(value, theirs)
        paid = where(duel == "win", by_floor(value, ROWS, otherwise="win"), duel)
        t.settle(ante=where(theirs >= PAIR, paid, PUSH), raise_=duel, bonus=bonus)

    return play


MADE_UP = {
    "two against two": (stud(2, 2), pack(5)),
    "three against three": (stud(3, 3), pack(4)),
    "two against three, one up": (stud(3, 2, up=1), pack(4)),
    "four against three": (stud(4, 4, mine=lambda *h: strength(*h, cards=4)), pack(3)),
    "the best four of five": (stud(5, 4, up=1, mine=lambda *h: strength(*h, cards=4)), pack(3)),
    "the longest suit": (stud(3, 3, mine=flush_strength), pack(4)),
    "five against five": (stud(5, 5), pack(3)),
    "five against four and an up-card": (stud(5, 4, up=1), pack(3)),
    "nobody decides": (stud(3, 3, folds=False), pack(4)),
    "a pack with a card missing": (stud(2, 2), pack(4, without=(50,))),
    "hold'em": (boarded(2, 2, (3, 2), (True, True, True)), pack(4)),
    "hold'em, the turn seen": (boarded(2, 2, (3, 1, 1), (False, True, True, True)), pack(4)),
    "one decision on the flop": (boarded(2, 2, (3, 2), (False, True, False), last=False), pack(4)),
    "before the flop only": (boarded(2, 2, (4,), (True, False), last=False), pack(4)),
    "a board of two": (boarded(3, 3, (1, 1), (True, True, True)), pack(3)),
    "three own cards and a board": (boarded(3, 2, (3,), (True, True)), pack(4)),
}


@pytest.mark.parametrize("name", MADE_UP)
def test_the_hidden_hand_comes_to_what_a_count_deal_by_deal_comes_to(name: str) -> None:
    play, shoe = MADE_UP[name]
    rng = random.Random(name)
    pays = tuple(sorted((rng.randrange(1, 40) for _ in range(4)), reverse=True))
    assert_same(made(play, pays).at(shoe=shoe))


def longest(n: int) -> Play:
    """The longer suit wins, as in High Card Flush: the more cards of one suit, the more may be raised."""

    def play(t: Table) -> None:
        own, his = t.deal(PLAYER, n, face=DOWN), t.deal(DEALER, n, face=DOWN)
        mine, theirs, length = flush_strength(own), flush_strength(his), longest_suit(own)
        choice = t.decide(*("fold", "1", "2", "3")[: 4 if t.when(length >= 4, "four of a suit") else 2], name="raise")
        bonus = where(length >= 4, PUSH, LOSE)
        if choice == "fold":
            t.settle(ante=LOSE, bonus=bonus)
            return
        t.bet("raise", int(choice))
        duel, qualifies = compare(mine, theirs), theirs >= (theirs.lo + theirs.hi) // 2
        t.settle(ante=where(qualifies, duel, WIN), raise_=where(qualifies, duel, PUSH), bonus=bonus)

    return play


def best(cards: int) -> Callable[..., Column]:
    return lambda *hands: strength(*hands, cards=cards)


def pulled(t: Table) -> None:
    """No comparison, and a last card that no decision has seen: what it makes of the rest is told by kind."""
    own, flop, last = t.deal(PLAYER, 3, face=DOWN), t.deal(BOARD, 1, face=DOWN), t.deal(BOARD, 1, face=DOWN)
    first = t.decide("ride", "pull", name="own cards")
    t.reveal(flop)
    second = t.decide("ride", "pull", name="flop")
    paid = by_floor(strength(own, flop, last), ROWS)
    if (times := (first == "ride") + (second == "ride")) > 0:
        t.bet("raise", times)
        t.settle(ante=paid, raise_=paid, bonus=paid)
    else:
        t.settle(ante=paid, bonus=paid)


READ = {
    "a last card that no decision has seen": (pulled, pack(4), 4),
    "seven against seven": (longest(7), pack(4), 0),
    "six against six, the best four": (stud(6, 6, mine=best(4)), pack(4), 0),
    "seven against five, the best three": (stud(7, 5, mine=best(3)), pack(4), 0),
    "five against seven": (stud(5, 7), pack(4), 0),
    "six against four and an up-card": (stud(6, 4, up=1), pack(4), 1),
    "four against two and two up-cards": (stud(4, 2, up=2, mine=best(4)), pack(4), 2),
}


def in_turn(t: Table) -> None:
    """Two decisions with the same five cards: before and after the dealer's card is turned up."""
    own, up, his = t.deal(PLAYER, 5, face=DOWN), t.deal(DEALER, 1, face=DOWN), t.deal(DEALER, 2, face=DOWN)
    if t.decide("stay", "fold", name="blind") == "fold":
        t.settle(ante=LOSE, bonus=LOSE)
        return
    t.reveal(up)
    t.bet("raise", 3 if t.decide("little", "much", name="seen") == "much" else 1)
    duel = compare(strength(own, cards=3), strength(up, his))
    t.settle(ante=duel, raise_=duel, bonus=by_floor(strength(own), ROWS))


def test_two_decisions_in_turn_with_the_same_five_cards() -> None:
    game = made(in_turn)
    assert_same(game.at(shoe=pack(4)))
    assert Study(game.at()).plan.step("ante") is not None


@pytest.mark.parametrize(("own", "up", "hidden"), [(7, 0, 7), (6, 0, 6), (6, 0, 5), (5, 0, 7), (6, 1, 6), (5, 2, 3)])
def test_the_full_pack_is_counted_unasked(own: int, up: int, hidden: int) -> None:
    """A minute and 2 GB are what is spent unasked; suits that are names only keep these hands below."""
    step = Study(made(stud(own, hidden, up)).at()).plan.step("ante")
    assert step is not None and step.offer.kernel == HIDDEN.name


def test_what_takes_more_says_how_much_and_the_way_on() -> None:
    why = Study(made(stud(7, 6, up=1)).at()).plan.refused["ante"]
    assert "more than the 60 s that are waited for unasked; `patient=True` waits for it" in why
    assert "nor can" not in why
    assert Study(made(stud(7, 6, up=1)).at(), patient=True).plan.step("ante") is not None


@pytest.mark.parametrize("name", READ)
def test_hidden_hands_may_be_entered_up_to_suits(name: str) -> None:
    """On a pack so small another reading would be cheaper; this is the one of the full pack."""
    play, shoe, board = READ[name]
    task = task_of(made(play).at(shoe=shoe))
    duel = next(
        d for d in readings(task.graph, shoe) if isinstance(d, Duel) and len(d.board_slots) == board and d.hidden
    )
    duel.__dict__["folded"] = duel.folds
    task.graph.made["duel", shoe] = duel
    counted = COUNT.open(task)
    opened = HIDDEN.open(task)
    assert rows_of(opened.law()) == rows_of(counted.law())
    cards = dict(enumerate(random.Random(name).sample([c for c in range(52) if shoe[c]], 14)))
    turn = Advised("", (), (), cards, (), (), {})
    assert opened.advice(turn) == counted.advice(turn)


def test_the_dealers_hand_may_be_paid_for_and_told_by_kind() -> None:
    def play(t: Table) -> None:
        own, his = t.deal(PLAYER, 2, face=DOWN), t.deal(DEALER, 3, face=DOWN)
        t.bet("raise", 1 if t.decide("raise", "more") == "raise" else 3)
        duel = compare(strength(own), longest_suit(his) * 100)
        t.settle(ante=duel, raise_=duel, bonus=where(longest_suit(his) == 3, LOSE, PUSH))

    house = made(play).at(shoe=pack(5))
    assert duel_for(task_of(house)).classes == 2
    assert_same(house)


def test_no_comparison_at_all_and_no_hidden_hand() -> None:
    def play(t: Table) -> None:
        own = t.deal(PLAYER, 2, face=DOWN)
        flop, last = t.deal(BOARD, 2, face=DOWN), t.deal(BOARD, 1, face=DOWN)
        t.reveal(flop)
        times = 2 if t.decide("little", "much") == "much" else 1
        t.bet("raise", times)
        paid = by_floor(strength(own, flop, last), ROWS)
        t.settle(ante=paid, raise_=paid, bonus=LOSE)

    house = made(play).at(shoe=pack(4))
    assert duel_for(task_of(house)).feature is None
    assert_same(house)


def test_the_player_may_be_told_what_he_may_do_by_his_own_cards() -> None:
    def play(t: Table) -> None:
        own, his = t.deal(PLAYER, 3, face=DOWN), t.deal(DEALER, 3, face=DOWN)
        strong = t.when(strength(own) >= strength(own).lo + 4096, "a pair or better")
        choice = t.decide(*(("fold", "once", "three times") if strong else ("fold", "once")), name="play")
        if choice == "fold":
            t.settle(ante=LOSE, bonus=LOSE)
            return
        t.bet("raise", 3 if choice == "three times" else 1)
        duel = compare(strength(own), strength(his))
        t.settle(ante=duel, raise_=duel, bonus=LOSE)

    assert_same(made(play).at(shoe=pack(4)))


@pytest.mark.parametrize("seed", range(12))
def test_random_games_of_the_class(seed: int) -> None:
    rng = random.Random(seed)
    pays = tuple(sorted((rng.randrange(1, 60) for _ in range(4)), reverse=True))
    if rng.random() < 0.5:
        own, hidden, up = rng.choice([(2, 2, 0), (2, 1, 1), (3, 3, 0), (3, 2, 1), (2, 2, 0), (3, 1, 2)])
        game = made(stud(own, hidden, up), pays)
    else:
        own, hidden, stages = rng.choice([(2, 2, (3, 1)), (2, 2, (1, 2)), (1, 1, (3, 1)), (2, 2, (3,)), (1, 2, (4,))])
        game = made(boarded(own, hidden, stages, tuple(rng.random() < 0.6 for _ in range(len(stages) + 1))), pays)
    without = tuple(rng.sample(range(36, 52), rng.choice([0, 0, 1, 2])))
    house = game.at(shoe=pack(4, without))
    try:
        duel_for(task_of(house))
    except TooLarge:
        pytest.skip("strengths of four cards and of five or more are not one comparison")
    assert_same(house)


# ---- a strategy of the game file, advice, and what choices are worth


def by_pair(seen: Seen) -> str:
    return seen.choices[0] if seen.by["pair"] else seen.choices[-1]


def asked(t: Table) -> None:
    own, his = t.deal(PLAYER, 2, face=DOWN), t.deal(DEALER, 2, face=DOWN)
    flop, last = t.deal(BOARD, 3, face=DOWN), t.deal(BOARD, 1, face=DOWN)
    t.reveal(flop)
    times = 2 if t.decide("raise", "wait", name="flop", by={"pair": strength(own, flop) >= PAIR}) == "raise" else 0
    t.reveal(last)
    if not times:
        if t.decide("call", "fold", name="end", by={"pair": strength(own, flop, last) >= TWO_PAIR}) == "fold":
            t.settle(ante=LOSE, bonus=LOSE)
            return
        times = 1
    t.bet("raise", times)
    duel = compare(strength(own, flop, last), strength(his, flop, last))
    t.settle(ante=duel, raise_=duel, bonus=LOSE)


def test_a_strategy_that_names_what_it_looks_at_is_counted() -> None:
    game = made(asked, strategies={"by-pair": by_pair})
    assert_same(game.at(shoe=pack(3)), "by-pair")
    assert_same(game.at(shoe=pack(4)))


def test_a_strategy_that_looks_at_too_many_cards_is_told_what_to_write() -> None:
    def play(t: Table) -> None:
        stud(5, 5)(t)

    house = made(play, strategies={"cards": lambda seen: "fold"}).at()
    with pytest.raises(TooLarge, match="name what it looks at with `by=`"):
        HIDDEN.offer(task_of(house, "cards"))


@pytest.mark.parametrize("choices", [(), ("wait",)], ids=["on the flop", "at the end"])
def test_advice_is_what_the_count_deal_by_deal_advises(choices: tuple[str, ...]) -> None:
    task = task_of(made(asked).at(shoe=pack(4)))
    cards = dict(enumerate(random.Random(5).sample(range(36, 52), 8)))
    turn = Advised("", ("raise", "wait"), choices, cards, (), (), {})
    assert HIDDEN.open(task).advice(turn) == COUNT.open(task).advice(turn)


def test_the_chart_says_what_the_count_deal_by_deal_says() -> None:
    task = task_of(made(boarded(2, 2, (3, 2), (True, True, True))).at(shoe=pack(4)))
    first = [r for r in HIDDEN.open(task).chart() if r.decision == "stage 0"]
    counted = [r for r in COUNT.open(task).chart() if r.decision == "stage 0"]

    def told(rows: Any) -> dict[Any, Any]:
        return {r.sees: (r.probability, r.values, r.chosen) for r in rows}

    assert told(first) == told(counted)
    assert sum(r.probability for r in first) == 1


RULED = {
    "stud": stud(3, 3),
    "an up-card": stud(3, 2, up=1),
    "board": boarded(2, 2, (3,), (True, True)),
    "hold'em": boarded(2, 2, (3, 2), (True, True, True)),
}


@pytest.mark.parametrize("some", [False, True], ids=["all rows", "some rows"])
@pytest.mark.parametrize("name", RULED)
def test_a_rule_costs_what_a_count_deal_by_deal_says(name: str, some: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it was found from all that can be seen or from a part, and played by rows or by a column."""
    if some:
        monkeypatch.setattr(ruled, "MOST_LISTED", 20)
    task = task_of(made(RULED[name]).at(shoe=pack(4)))
    hidden, counted = HIDDEN.open(task), COUNT.open(task)
    rows = hidden.solved_rows()
    found = tuple(ladders(rows, ["ante", "raise"], 3, lambda _: None))
    assert any(r.sampled for r in rows) is some
    rules = [Played(found, most, f"rule:{most}") for most in range(4)]
    costs = hidden.rule_costs(rules)
    assert costs == counted.rule_costs(rules) and costs[0] > costs[-1] >= 0
    if len(found) == 1 and not some:
        assert costs == [ladder.at(most).cost for ladder in found for most in range(4)]
    assert bool(hidden.rule_notes()) is some


def test_a_published_rule_of_one_condition_is_found_from_some_of_the_rows() -> None:
    """Raising with ace-king-jack-eight-three or better is printed with 5.316%; a hand or two beside it cost little."""
    house = load_game(ROOT / "examples" / "caribbean_stud.py").at()
    book, best = rulebook(Study(house)), Study(house).wager("ante").house_edge
    (rule,) = book.at(1).rules
    assert rule.words.startswith("raise with ace-king-jack") and rule.words.endswith("; otherwise fold")
    assert Fraction("0.00088") < book.at(1).cost < Fraction("0.00098") and book.rungs[-1].cost < Fraction("0.0004")
    assert Study(house, "rule:1").wager("ante").house_edge - best == book.at(1).cost
    ante = pb.simulate(house, 2e5, strategy="rule:1", seed=5).wager("ante")
    assert ante.edge.error is not None
    assert abs(ante.edge.value - float(best + book.at(1).cost)) < 4 * ante.edge.error


# ---- what is refused


def refusal(play: Play, **more: Any) -> str:
    with pytest.raises(TooLarge) as refused:
        duel_for(task_of(made(play).at(**more)))
    return str(refused.value)


def test_two_comparisons_are_counted_hand_by_hand() -> None:
    def play(t: Table) -> None:
        own, his = t.deal(PLAYER, 4, face=DOWN), t.deal(DEALER, 4, face=DOWN)
        t.bet("raise", 2 if t.decide("once", "twice") == "twice" else 1)
        high = compare(strength(own[:2]), strength(his[:2]))
        low = compare(strength(own[2:]), strength(his[2:]))
        t.settle(ante=high, raise_=high, bonus=where(low == "win", PUSH, LOSE))

    assert_same(made(play).at(shoe=pack(3)))


def test_a_round_that_tells_of_hidden_cards_is_refused_by_its_reason() -> None:
    def play(t: Table) -> None:
        own, his = t.deal(PLAYER, 2, face=DOWN), t.deal(DEALER, 2, face=DOWN)
        if t.when(strength(his) >= strength(his).lo + 10):
            t.decide("a", "b")
        t.settle(ante=compare(strength(own), strength(his)), bonus=LOSE)

    assert "depends on hidden cards before a decision" in refusal(play)


def test_several_packs_are_refused_by_their_reason() -> None:
    assert "one pack of cards" in refusal(stud(2, 2), shoe=tuple(2 * n for n in pack(13)))


# ---- lists of deals


@pytest.mark.parametrize("sizes", [(1,), (3,), (5,), (6,), (1, 2), (2, 2), (3, 1), (1, 4), (1, 2, 2)])
@pytest.mark.parametrize("suits", [EVERY, NONE, ((0,), (1, 2, 3))], ids=["all", "none", "three"])
def test_deals_up_to_suits_stand_for_all_deals(sizes: tuple[int, ...], suits: Any) -> None:
    ranks = 6
    found = deals(pack(ranks), sizes, suits)
    left, ways = 4 * ranks, 1
    for n in sizes:
        ways, left = ways * comb(left, n), left - n
    assert int(found.weight.sum()) == ways
    if suits is NONE:
        assert len(found) == ways and len({tuple(row) for row in found.cards.tolist()}) == ways


def test_boards_that_would_fill_the_memory_are_refused_before_they_are_listed() -> None:
    """Five cards against five that all lie open: few steps for each, and 700 million of them to be kept."""

    def play(t: Table) -> None:
        own, his = t.deal(PLAYER, 5), t.deal(DEALER, 5)
        result = compare(strength(own), strength(his))
        if t.decide("fold", "raise") == "fold":
            t.settle(ante=LOSE, bonus=LOSE)
            return
        t.bet("raise")
        t.settle(ante=result, raise_=result, bonus=LOSE)

    offer = HIDDEN.offer(task_of(made(play).at().but(shoe=pack(8))))
    assert offer.memory > 10 << 30


# ---- the examples, with all cards


PUBLISHED = {
    "caribbean_stud": ("ante", Fraction(142031221, 2718662100), "5.22%"),
    "crazy_4_poker": ("ante", Fraction(264142729, 7726058340), "3.42%"),
    "four_card_poker": ("ante", Fraction(8840827253, 317119576410), "2.79%"),
    "ultimate_texas_holdem": ("ante", Fraction(50643648973, 2317817502000), "2.18%"),
}


@cache
def study_of(name: str) -> Study:
    return Study(load_game(ROOT / "examples" / f"{name}.py").at())


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_published_edge_comes_out(name: str) -> None:
    wager, edge, printed = PUBLISHED[name]
    found = study_of(name).wager(wager)
    assert found.house_edge == edge and f"{float(edge):.2%}" == printed
    game = study_of(name).house.game
    assert all(a.agrees(edge) for a in game.anchors if a.wager == wager)
    assert len((ROOT / "examples" / f"{name}.py").read_text().splitlines()) < 100


def test_ultimate_texas_holdem_in_full() -> None:
    study = study_of("ultimate_texas_holdem")
    found = study.wager("ante")
    assert f"{float(found.house_edge):.6%}" == "2.184971%"
    assert f"{float(found.element_of_risk):.3%}" == "0.526%" and f"{float(found.std_dev):.2f}" == "4.94"
    first = study.chart("before the flop")
    assert len(first) == 169 and sum(r.probability for r in first) == 1
    assert f"{float(sum(r.probability for r in first if r.chosen == 'raise 4x')):.2%}" == "37.71%"
    assert not any(r.chosen == "raise 3x" for r in first)


@pytest.mark.parametrize("name", ["caribbean_stud", "crazy_4_poker", "four_card_poker"])
def test_the_examples_on_a_small_pack(name: str) -> None:
    assert_same(load_game(ROOT / "examples" / f"{name}.py").at(shoe=pack(4)))


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_simulation_of_the_files_own_strategy_agrees_with_its_exact_count(name: str) -> None:
    house = load_game(ROOT / "examples" / f"{name}.py").at()
    ante = pb.simulate(house, 2e6, strategy="simple", seed=3).wager("ante")
    exact = Study(house, "simple").wager("ante").house_edge
    assert ante.edge.error is not None and abs(ante.edge.value - float(exact)) < 4 * ante.edge.error


# ---- a pass is kept


def gone_through(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Notes every pass that is made from now on, and lets every one be worth keeping."""
    monkeypatch.setattr(passes, "WORTH_KEEPING", -1.0)
    made_now: list[int] = []
    go = passes.Stream._gone_through

    def noted(self: passes.Stream, *parts: Any, **more: Any) -> Any:
        made_now.append(1)
        return go(self, *parts, **more)

    monkeypatch.setattr(passes.Stream, "_gone_through", noted)
    return made_now


def test_a_pass_is_kept_for_the_same_game_and_for_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "kept"))
    found = gone_through(monkeypatch)
    game = made(asked, strategies={"by-pair": by_pair})
    task = task_of(game.at(shoe=pack(3)))
    one = HIDDEN.open(task)
    first = len(found)
    assert first == len(list((tmp_path / "kept").glob("*.pass"))) > 1, "what choices are worth, and where rounds end"
    two = HIDDEN.open(task_of(made(asked).at(shoe=pack(3))))
    assert len(found) == first and rows_of(one.law()) == rows_of(two.law()) == rows_of(COUNT.open(task).law())
    assert all((one._solved[d] == two._solved[d]).all() for d in one._solved) and one._solved
    HIDDEN.open(task_of(game.at(shoe=pack(3)), "by-pair"))
    assert len(found) > first
    for other in (
        task_of(game.at(shoe=pack(3, (51,)))),
        task_of(game.at(shoe=pack(3), tables={"raise": "9,9,9,9,3"})),
    ):
        before = len(found)
        assert rows_of(HIDDEN.open(other).law()) == rows_of(COUNT.open(other).law()) and len(found) > before


def test_where_nobody_decides_a_pass_serves_every_pay_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "kept"))
    found = gone_through(monkeypatch)
    game = made(stud(3, 3, folds=False))
    one, two = (game.at(shoe=pack(4), tables={"raise": table}) for table in ("2,2,2,2,1", "9,9,9,9,3"))
    edges = [HIDDEN.open(task_of(house)).record("ante").house_edge for house in (one, two)]
    assert len(found) == 1 and edges == [COUNT.open(task_of(h)).record("ante").house_edge for h in (one, two)]


def test_a_large_pass_is_not_kept_for_every_pay_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(passes.Stream, "keeps", 1 << 6)
    found = gone_through(monkeypatch)
    usual, other = made(asked).at(shoe=pack(3)), made(asked).at(shoe=pack(3), tables={"raise": "9,9,9,9,3"})
    for house, again in ((usual, 0), (other, 1)):
        HIDDEN.open(task_of(house))
        before = len(found)
        HIDDEN.open(task_of(house))
        assert (len(found) > before) == bool(again)
