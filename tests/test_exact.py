"""Exact analysis against a solver that shares nothing with it but the vocabulary: all deals of a small shoe, in turn.

The brute force runs `play` on explicit cards, groups rounds by what the player knows (visible cards, public answers and
his own choices) and chooses the best for each group, from the last decision back, in fractions.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import ANTE, RAISE, pays, random_games, small_game, stripped
from pitboss.cards import cards_of, composition, shoe_cards
from pitboss.compile import Keys
from pitboss.exact import Solver, Study, TooLarge, analyze, induction
from pitboss.exact import rows as rowsets
from pitboss.exact.chain import stationary
from pitboss.exact.induction import Induction, _exact_dot, whole_units
from pitboss.rules import (
    ACE,
    BLIND,
    BOARD,
    DEALER,
    DOWN,
    HEARTS,
    LOSE,
    NINE,
    PLAYER,
    PUSH,
    TEN,
    WIN,
    BadInput,
    Column,
    Face,
    Game,
    House,
    Rows,
    Seen,
    Table,
    Wager,
    compare,
    first_match,
    highest,
    lookup,
    row,
    where,
)
from pitboss.rules.evaluate import evaluate
from pitboss.rules.graph import Deal
from pitboss.rules.rewrite import touched
from pitboss.rules.trace import trace

# ---- brute force


class NeedCard(BaseException):
    """The round deals a card that the prefix does not have yet."""


@dataclass(frozen=True)
class Known:
    """What the player knows at a decision."""

    name: str
    choices: tuple[str, ...]
    visible: tuple[tuple[str, int, int], ...]  # place, slot, card
    answers: tuple[bool, ...]
    made: tuple[str, ...]


class AtDecision(BaseException):
    def __init__(self, known: Known, cards: Mapping[int, int]) -> None:
        self.known, self.cards = known, cards


class Explicit(Table):
    """`play` on cards in dealing order; burnt cards are real cards."""

    def __init__(self, house: House, deal: Sequence[int], choices: Sequence[str], kept: Mapping[str, int]) -> None:
        super().__init__(house)
        self.deal_order, self.choices, self.kept = deal, choices, kept
        self.next = 0
        self.cards: dict[int, int] = {}
        self.answers: list[bool] = []
        self.made: list[str] = []

    def _draw(self) -> int:
        if self.next == len(self.deal_order):
            raise NeedCard
        self.next += 1
        return self.deal_order[self.next - 1]

    def _on_deal(self, deal: Deal) -> None:
        for slot in deal.slots:
            self.cards[slot] = self._draw()

    def burn(self, count: int = 1) -> None:
        for _ in range(count):
            self._draw()

    def value(self, col: Column) -> int:
        return evaluate(col, self.cards, self.kept)

    def _on_when(self, condition: Column, words: str, where: object) -> bool:
        self.answers.append(bool(self.value(condition)))
        return self.answers[-1]

    def _on_decide(self, name: str, choices: Sequence[str], by: object, where: object) -> str:
        if len(self.made) == len(self.choices):
            visible = tuple((g.who, s, self.cards[s]) for g in self.groups if g.seen for s in g.slots)
            raise AtDecision(Known(name, tuple(choices), visible, tuple(self.answers), tuple(self.made)), self.cards)
        self.made.append(self.choices[len(self.made)])
        return self.made[-1]


Result = tuple[tuple[str, str | int], ...]  # rows of the wagers, then what is carried
Policy = Callable[[Seen], str]


@dataclass
class Brute:
    """The game tree of one carried state, solved."""

    house: House
    carried: Mapping[str, int]
    policy: Policy | None = None
    worth: dict[Known, dict[str, Fraction]] = field(default_factory=dict)
    example: dict[Known, Mapping[int, int]] = field(default_factory=dict)

    def solve(self) -> tuple[Fraction, dict[Result, Fraction]]:
        return self._solve([((), Fraction(1))], ())

    def _solve(
        self, prefixes: list[tuple[tuple[int, ...], Fraction]], choices: tuple[str, ...]
    ) -> tuple[Fraction, dict[Result, Fraction]]:
        value, found = Fraction(0), dict[Result, Fraction]()
        groups: dict[Known, list[tuple[tuple[int, ...], Fraction]]] = {}
        waiting = list(prefixes)
        while waiting:
            deal, chance = waiting.pop()
            table = Explicit(self.house, deal, choices, self.carried)
            try:
                self.house.game.play(table)
            except NeedCard:
                waiting.extend((((*deal, card), chance * p) for card, p in self._next_card(deal)))
                continue
            except AtDecision as at:
                groups.setdefault(at.known, []).append((deal, chance))
                self.example[at.known] = at.cards
                continue
            result, net = self._settled(table)
            found[result] = found.get(result, Fraction(0)) + chance
            value += chance * net
        for known, members in groups.items():
            below = {c: self._solve(members, (*choices, c)) for c in known.choices}
            mass = sum((p for _, p in members), Fraction(0))
            self.worth[known] = {c: v / mass for c, (v, _) in below.items()}
            chosen = self.choose(known)
            value += below[chosen][0]
            for result, chance in below[chosen][1].items():
                found[result] = found.get(result, Fraction(0)) + chance
        return value, found

    def choose(self, known: Known) -> str:
        if self.policy is None:
            worth = self.worth[known]
            return max(known.choices, key=lambda c: worth[c])  # the first of equal ones
        faces = {who: tuple(Face(c) for w, _, c in known.visible if w == who) for who in (PLAYER, DEALER, BOARD)}
        return self.policy(
            Seen(known.name, known.choices, faces[PLAYER], faces[DEALER], faces[BOARD], dict(self.carried))
        )

    def _next_card(self, deal: tuple[int, ...]) -> list[tuple[int, Fraction]]:
        left = {c: n - deal.count(c) for c, n in enumerate(self.house.composition)}
        total = sum(left.values())
        return [(card, Fraction(n, total)) for card, n in left.items() if n]

    def _settled(self, table: Explicit) -> tuple[Result, Fraction]:
        rows = {w: s.rows.names[table.value(s.rows.index)] for w, s in table.settled.items()}
        net = Fraction(0)
        for wager, name in rows.items():
            if self.house.lead(wager) in self.house.main:
                pay = self.house.tables[wager].pay(name)
                assert isinstance(pay, Fraction)
                net += table.bets.get(wager, 1) * pay
        kept = {n: table.value(table.carries[n]) if n in table.carries else 0 for n in table.carried_states}
        return tuple(sorted(rows.items())) + tuple(sorted((f"carried {n}", v) for n, v in kept.items())), net


def distribution(solver: Solver, state: int) -> dict[Result, Fraction]:
    """How often each result comes up from a carried state, by the solver's count of ways."""
    out: dict[Result, Fraction] = {}
    for leaf in solver.cells.leaves:
        for cell in range(leaf.offset, leaf.offset + leaf.size):
            if solver.state_ways[state][cell]:
                rows = leaf.decode(cell)
                kept = {k: int(rows.pop(k)) for k in [k for k in rows if k.startswith("carried ")]}
                result: Result = tuple(sorted(rows.items())) + tuple(sorted(kept.items()))
                p = Fraction(solver.state_ways[state][cell], solver.induction.ways)
                out[result] = out.get(result, Fraction(0)) + p
    return out


def compare_with_brute_force(house: House, strategy: str = "optimal") -> Solver:
    """Same results, same chances, same worth of every choice in every situation, same strategy for the simulator."""
    solver = Solver(house, strategy, checked=True)
    keys = Keys(solver.graph)
    array = solver.strategy_array(keys) if keys.size < 1_000_000 else None
    long_run = Fraction(0)
    for state, values in enumerate(solver.induction.states):
        carried = dict(zip(solver.graph.carried, values, strict=True))
        brute = Brute(house, carried, None if strategy == "optimal" else house.strategy(strategy))
        value, found = brute.solve()
        assert distribution(solver, state) == found
        long_run += solver.weights[state] * value
        for known in random.Random(1).sample(list(brute.worth), min(60, len(brute.worth))):
            assert solver.advice(known.made, brute.example[known], carried) == brute.worth[known], known
        for known in brute.worth if array is not None else ():
            place = place_of(solver, keys, known, brute.example[known], carried)
            assert array[place] == known.choices.index(brute.choose(known)), known
    total = sum((solver.wager_result(p).expectation for p in house.main), Fraction(0))
    assert total == long_run
    return solver


def place_of(solver: Solver, keys: Keys, known: Known, cards: Mapping[int, int], carried: Mapping[str, int]) -> int:
    """Where the simulator looks this situation's answer up."""
    made, answers = list(known.made), list(known.answers)
    point: Any = solver.graph.root
    while made or point.__class__.__name__ != "Decide":
        if point.__class__.__name__ == "Decide":
            point = point.kids[point.choices.index(made.pop(0))]
        else:
            point = point.kids[0 if evaluate(point.condition, cards, carried) else 1]
    assert len(answers) >= sum(1 for s in point.path if isinstance(s.answer, bool))
    deal = np.array([[cards.get(s, 0) for s in range(solver.graph.most_cards())]])
    return int(keys.index(point, dict(enumerate(deal.T)), {k: np.array([v]) for k, v in carried.items()})[0])


def house_of(play: Callable[[Table], None], shoe: tuple[int, ...], **more: Any) -> House:
    return small_game(play, ANTE, RAISE, **more).at(shoe=shoe)


def settle_both(t: Table, result: Rows) -> None:
    t.settle(ante=result)
    if "raise" in t.bets:
        t.settle(raise_=result)


def maybe_raise(t: Table, name: str = "") -> bool:
    if t.decide("stand", "raise", name=name) == "raise":
        t.bet("raise")
        return True
    return False


# ---- small games

TWO_RANKS = stripped([5, ACE])
ODD_CARDS = composition(1, cards_of("2c 2d 7h 9s Ah Ac 9h"))
TWO_DECKS = composition(2, cards_of("3c 8h 8s Kd"))
UNEVEN = tuple(3 if c == 0 else 1 if c == 20 else 2 if c == 51 else 0 for c in range(52))
SUITED_DECKS = stripped([6, 10], decks=2)


def one_card_each(t: Table) -> None:
    """A hidden dealer's card, one decision."""
    his = t.deal(DEALER, 1, face=DOWN)
    mine = t.deal(PLAYER)
    maybe_raise(t)
    settle_both(t, compare(mine.rank, his.rank))


def two_decisions(t: Table) -> None:
    """Raise or not on one card; then, with the board known, double on or give the ante up."""
    mine = t.deal(PLAYER)
    raised = maybe_raise(t, "first")
    board = t.deal(BOARD, 1)
    if t.decide("on", "give up", name="second") == "give up":
        t.settle(ante=LOSE)
        if raised:
            t.settle(raise_=PUSH)
        return
    his = t.deal(DEALER, 1)
    settle_both(t, compare(2 * mine.rank + board.rank, his.rank + 12))


def dealer_acts_on_a_hidden_card(t: Table) -> None:
    """The dealer's bet tells something of his card; how much is a posterior."""
    his = t.deal(DEALER, 1, face=DOWN)
    mine = t.deal(PLAYER)
    bets = t.when(his.rank + his.suit > 7)
    if bets and t.decide("fold", "call") == "fold":
        t.settle(ante=LOSE)
        return
    if not bets:
        maybe_raise(t)
    settle_both(t, compare(mine.rank, his.rank))


def own_card_blind(t: Table) -> None:
    mine = t.deal(PLAYER, 1, face=BLIND)
    his = t.deal(DEALER)
    maybe_raise(t)
    t.reveal(PLAYER)
    t.decide("thank you", "alas")
    settle_both(t, compare(mine.rank, his.rank))


def streak(t: Table) -> None:
    """The longer the streak, the better the odds; the choice decides whether it goes on."""
    held = t.carried("streak", 2, on="ante")
    mine = t.deal(PLAYER)
    safe = t.decide("safe", "bold") == "safe"
    his = t.deal(DEALER)
    won = mine.rank + held * 3 > his.rank if safe else mine.suit > his.suit
    t.settle(ante=where(won, WIN, LOSE))
    t.carry("streak", where(won, lookup([1, 2, 2], held), 0))


def order_matters(t: Table) -> None:
    flop = t.deal(BOARD, 2)
    maybe_raise(t)
    turn = t.deal(BOARD, 1)
    settle_both(t, where(flop[0].rank > flop[1].rank, compare(turn.rank, flop[1].rank), LOSE))


def order_does_not_matter(t: Table) -> None:
    """Two cards each as unordered hands, the dealer's hidden; a pair beats, then the sum."""
    mine = t.deal(PLAYER, 2)
    his = t.deal(DEALER, 2, face=DOWN)
    maybe_raise(t)
    strength = [where(h[0].rank == h[1].rank, 100, 0) + h[0].rank + h[1].rank for h in (mine, his)]
    settle_both(t, compare(*strength))


def suits_matter(t: Table) -> None:
    mine = t.deal(PLAYER, 1)
    maybe_raise(t)
    his = t.deal(DEALER, 1)
    bonus = where(mine.suit == HEARTS, 5, 0)
    settle_both(t, compare(mine.rank + bonus, his.rank + where(his.suit > mine.suit, 3, 0)))


def suits_meet(t: Table) -> None:
    """Suits are interchangeable: a flush counts, whichever it is."""
    mine = t.deal(PLAYER, 2)
    maybe_raise(t)
    board = t.deal(BOARD, 1, face=DOWN)
    flush = (mine[0].suit == mine[1].suit) & (mine[1].suit == board.suit) & (mine[0].suit == board.suit)
    pair = (mine[0].rank == board.rank) | (mine[1].rank == board.rank)
    settle_both(t, where(flush | pair, WIN, LOSE))


def another_card(t: Table) -> None:
    """Rounds of different length: the player may buy a card, and the dealer draws to a low one."""
    mine = t.deal(PLAYER)
    total = mine.rank
    while t.dealt < 3 and t.decide("hit", "stand", name=f"with {t.dealt}") == "hit":
        total = total + t.deal(PLAYER).rank
        if t.when(total > 14):
            t.settle(ante=LOSE)
            return
    his = t.deal(DEALER)
    other = his.rank
    if t.when(other < NINE):
        other = other + t.deal(DEALER).rank
    t.settle(ante=where(other > 14, WIN, compare(total, other)))


def burned_cards(t: Table) -> None:
    mine = t.deal(PLAYER)
    t.burn(1)
    maybe_raise(t)
    his = t.deal(DEALER)
    settle_both(t, compare(mine.rank, his.rank))


def carried_first(t: Table) -> None:
    """What was carried decides the shape of the deal, before any card is out: two slots, one hand or two."""
    kept = t.carried("kept", 1, on="ante")
    if t.when(kept == 0):
        mine = t.deal(PLAYER, 2, face=BLIND)
        t.settle(ante=compare(mine[0].rank + mine[1].rank, 14))
        t.carry("kept", mine[0].rank + mine[1].rank > 14)
    else:
        first, second = t.deal(PLAYER, 1, face=BLIND), t.deal(DEALER, 1, face=DOWN)
        t.settle(ante=compare(first.rank, second.rank))


def unordered_then_ordered(t: Table) -> None:
    """A hand whose order matters in one branch only."""
    mine = t.deal(PLAYER, 2)
    top = t.deal(DEALER, 1, face=DOWN)
    if t.when(top.rank > 5):
        maybe_raise(t)
        settle_both(t, compare(mine[0].rank + mine[1].rank, 2 * top.rank))
    else:
        t.settle(ante=compare(mine[0].rank, mine[1].rank))


def reveal_between(t: Table) -> None:
    board = t.deal(BOARD, 2, face=DOWN)
    mine = t.deal(PLAYER)
    maybe_raise(t, "blind")
    t.reveal(BOARD)
    if t.decide("fold", "stay", name="seeing") == "fold":
        t.settle(ante=LOSE)
        if "raise" in t.bets:
            t.settle(raise_=PUSH)
        return
    settle_both(t, compare(mine.rank, highest(board[0].rank, board[1].rank)))


def keeps_a_suit(t: Table) -> None:
    """The suit itself is carried: a heart last time is a win this time."""
    last = t.carried("last suit", 3, on="ante")
    mine = t.deal(PLAYER)
    t.settle(ante=where(last == HEARTS, WIN, LOSE))
    t.carry("last suit", mine.suit)


def asked_both_ways(t: Table) -> None:
    """A condition and its opposite: some paths of the graph are never taken."""
    his = t.deal(DEALER, 1, face=DOWN)
    high = t.when(his.rank > 7)
    low = t.when(his.rank < 8)
    assert high != low or not isinstance(t, Explicit)
    mine = t.deal(PLAYER)
    if high:
        maybe_raise(t)
    settle_both(t, compare(mine.rank, his.rank))


GAMES = [
    one_card_each, two_decisions, dealer_acts_on_a_hidden_card, own_card_blind, streak, order_matters,
    order_does_not_matter, suits_matter, suits_meet, another_card, burned_cards, carried_first, unordered_then_ordered,
    reveal_between, keeps_a_suit, asked_both_ways,
]  # fmt: skip
SHOES = {
    "two ranks": TWO_RANKS,
    "odd cards": ODD_CARDS,
    "two decks": TWO_DECKS,
    "uneven": UNEVEN,
    "two ranks, two decks": SUITED_DECKS,
}


LONG = (order_does_not_matter, reveal_between, unordered_then_ordered, another_card)


@pytest.mark.parametrize(
    ("play", "shoe"),
    [
        pytest.param(play, shoe, id=f"{play.__name__}-{name}")
        for play in GAMES
        for name, shoe in SHOES.items()
        if play not in LONG or shoe is not SUITED_DECKS  # thousands of deals more, for nothing new
    ],
)
def test_exact_equals_brute_force(play: Callable[[Table], None], shoe: tuple[int, ...]) -> None:
    compare_with_brute_force(house_of(play, shoe))


SMALL_SHOES = [
    composition(1, cards_of("2c 7d 7h Ks As")),
    stripped([7], 2),
    UNEVEN,
    composition(2, cards_of("3c 3d Kh")),
]


@settings(max_examples=30)
@given(random_games(), st.sampled_from(SMALL_SHOES))
def test_exact_equals_brute_force_on_games_that_nobody_would_play(game: Game, shoe: tuple[int, ...]) -> None:
    compare_with_brute_force(game.at(shoe=shoe))


# ---- suit classes and orders are only a saving


@pytest.mark.parametrize("play", [suits_meet, order_does_not_matter, streak, dealer_acts_on_a_hidden_card])
def test_suit_classes_change_nothing(play: Callable[[Table], None]) -> None:
    house = house_of(play, SUITED_DECKS)
    solver = Solver(house)
    plain = Induction(solver.graph, solver.cells, house.composition, use_classes=False)
    policy = plain.best_policy(solver.units[0])
    classes = [[Fraction(n, solver.induction.ways) for n in state] for state in solver.state_ways]
    assert [[Fraction(n, plain.ways) for n in state] for state in plain.cell_ways(policy)] == classes


@pytest.mark.parametrize(
    "shoe", [composition(1), composition(2), TWO_RANKS], ids=["one deck", "two decks", "two ranks"]
)
@pytest.mark.parametrize(("cards", "ordered"), [(1, False), (2, False), (2, True), (3, False)])
def test_the_first_cards_in_sight_are_the_same_for_every_game(shoe: tuple[int, ...], cards: int, ordered: bool) -> None:
    """They are gone through once, and each game has them at slots of its own."""
    for first in (0, 4):
        slots = tuple(range(first, first + cards))
        found = rowsets.expand(rowsets.start([()]), slots, ordered, shoe, blind=True)
        anew = rowsets._expanded(rowsets.start([()]), slots, ordered, shoe, blind=True)
        assert found.groups == anew.groups == (slots,) and (found.ordered, found.total) == (anew.ordered, anew.total)
        for part in ("cells", "weight", "parent", "root"):
            assert (getattr(found, part) == getattr(anew, part)).all()


def test_suit_classes_and_orders_are_used_where_they_are_proven() -> None:
    rows = Solver(house_of(suits_meet, TWO_RANKS)).induction.points[0].rows
    assert len(rows) == 4  # of 28 pairs of cards: paired, same rank by suits, offsuit, suited
    assert rows.weight.sum() == rows.total == 28
    assert len(Solver(house_of(suits_matter, TWO_RANKS)).induction.points[0].rows) == 8
    assert len(Solver(house_of(order_matters, TWO_RANKS)).induction.points[0].rows) > 4


# ---- what the player does not see


def edge(play: Callable[[Table], None], shoe: tuple[int, ...] = TWO_RANKS, strategy: str = "optimal") -> Fraction:
    return analyze(house_of(play, shoe), strategy).wager("ante").house_edge


def dealt(face: str, late: bool) -> Callable[[Table], None]:
    def play(t: Table) -> None:
        his = None if late else t.deal(DEALER, 1, face=face)
        mine = t.deal(PLAYER)
        maybe_raise(t)
        if his is None:
            his = t.deal(DEALER, 1, face=face)
        settle_both(t, compare(mine.rank, his.rank))

    return play


def own(face: str, late: bool) -> Callable[[Table], None]:
    def play(t: Table) -> None:
        mine = None if late else t.deal(PLAYER, 1, face=face)
        maybe_raise(t)
        if mine is None:
            mine = t.deal(PLAYER, 1, face=face)
        settle_both(t, compare(mine.rank, TEN))

    return play


@pytest.mark.parametrize("shoe", SHOES.values(), ids=SHOES)
def test_a_card_face_down_is_worth_a_card_not_yet_dealt(shoe: tuple[int, ...]) -> None:
    hidden = edge(dealt(DOWN, late=False), shoe)
    assert hidden == edge(dealt(DOWN, late=True), shoe) == edge(dealt("up", late=True), shoe)
    shown = edge(dealt("up", late=False), shoe)
    assert shown < hidden if shoe in (ODD_CARDS, TWO_DECKS, UNEVEN) else shown == hidden  # two ranks tell nothing new


@pytest.mark.parametrize("shoe", SHOES.values(), ids=SHOES)
def test_a_player_sees_his_own_card_unless_it_is_blind(shoe: tuple[int, ...]) -> None:
    assert edge(own("up", late=False), shoe) == edge(own(DOWN, late=False), shoe)
    assert edge(own(BLIND, late=False), shoe) == edge(own("up", late=True), shoe)
    assert edge(own("up", late=False), shoe) < edge(own(BLIND, late=False), shoe)


def test_a_decision_that_changes_nothing_is_worth_nothing() -> None:
    def idle(t: Table) -> None:
        mine = t.deal(PLAYER)
        t.decide("hum", "whistle")
        t.settle(ante=compare(mine.rank, 7))

    (first, *_) = analyze(house_of(idle, TWO_RANKS)).strategy
    assert first.best == ("hum", "whistle") and first.chosen == "hum"


# ---- strategies by name


def by_order(seen: Seen) -> str:
    return "raise" if seen.board[0].rank > seen.board[1].rank else "stand"


def by_suit(seen: Seen) -> str:
    return "raise" if seen.player[0].suit == HEARTS else "stand"


def by_streak(seen: Seen) -> str:
    return "bold" if seen.carried["streak"] else "safe"


def two_on_the_board(t: Table) -> None:
    board = t.deal(BOARD, 2)
    mine = t.deal(PLAYER, 1, face=BLIND)
    maybe_raise(t)
    settle_both(t, compare(2 * mine.rank, board[0].rank + board[1].rank))


def suits_are_alike(t: Table) -> None:
    mine = t.deal(PLAYER)
    maybe_raise(t)
    settle_both(t, compare(mine.rank, t.deal(DEALER).rank))


@pytest.mark.parametrize("shoe", [TWO_RANKS, TWO_DECKS, SUITED_DECKS], ids=["one deck", "two decks", "suits"])
@pytest.mark.parametrize(
    ("play", "strategy"),
    [(suits_are_alike, by_suit), (streak, by_streak), (two_on_the_board, by_order), (order_matters, by_order)],
    ids=lambda f: f.__name__,
)
def test_a_named_strategy_is_followed_to_the_letter(
    play: Callable[[Table], None], strategy: Policy, shoe: tuple[int, ...]
) -> None:
    """Also where it looks at what the rules do not: the suit or the order of cards that count alike."""
    house = house_of(play, shoe, strategies={"own": strategy})
    compare_with_brute_force(house, "own")


def test_a_strategy_that_answers_nonsense_is_one_sentence() -> None:
    house = house_of(suits_are_alike, TWO_RANKS, strategies={"odd": lambda seen: "jump"})
    with pytest.raises(BadInput, match="the strategy 'odd' answers 'jump' at the decision 'stand or raise'"):
        Solver(house, "odd")
    with pytest.raises(BadInput, match="strategy even is not one of optimal or odd"):
        Solver(house, "even")


# ---- the long run


F = Fraction


@pytest.mark.parametrize(
    ("moves", "found"),
    [
        ([[F(1)]], [F(1)]),
        ([[F(9, 10), F(1, 10)], [F(1), F(0)]], [F(10, 11), F(1, 11)]),
        ([[F(0), F(1)], [F(1), F(0)]], [F(1, 2), F(1, 2)]),  # periodic
        ([[F(1, 2), F(1, 2), 0], [F(1, 2), 0, F(1, 2)], [1, 0, 0]], [F(4, 7), F(2, 7), F(1, 7)]),
        ([[0, 1, 0], [0, F(1, 3), F(2, 3)], [0, 1, 0]], [0, F(3, 5), F(2, 5)]),  # state 0 is left for good
        ([[1, 0], [F(1, 2), F(1, 2)]], [1, 0]),  # state 1 is never reached
        ([[F(1, 2), 0, F(1, 2)], [0, 1, 0], [1, 0, 0]], [F(2, 3), 0, F(1, 3)]),  # nor is state 1 here
    ],
)
def test_stationary_equals_hand_computed_chains(moves: list[list[Fraction]], found: list[Fraction]) -> None:
    assert stationary([[Fraction(x) for x in line] for line in moves]) == found


@given(st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), min_size=4, max_size=4))
def test_stationary_stays_where_it_is(weights: list[list[int]]) -> None:
    moves = [[Fraction(w + 1, sum(line) + 4) for w in line] for line in weights]
    share = stationary(moves)
    assert sum(share) == 1 and min(share) > 0
    assert [sum(share[i] * moves[i][j] for i in range(4)) for j in range(4)] == share


def test_two_parts_that_never_meet_are_one_sentence() -> None:
    """What is carried first is kept for ever: there is no one long run."""

    def play(t: Table) -> None:
        kept = t.carried("kept", 2, on="ante")
        mine = t.deal(PLAYER)
        t.settle(ante=compare(mine.rank, 8))
        t.carry("kept", where(kept == 0, where(mine.rank > 8, 1, 2), kept))

    with pytest.raises(BadInput, match="parts that never meet"):
        analyze(house_of(play, TWO_RANKS))


# ---- numbers


@given(
    st.lists(st.lists(st.integers(0, 2**62), min_size=3, max_size=3), min_size=1, max_size=4),
    st.lists(st.integers(-(2**80), 2**80), min_size=3, max_size=3),
)
def test_a_product_never_overflows(matrix: list[list[int]], vector: list[int]) -> None:
    found = _exact_dot(np.array(matrix, np.int64), np.array(vector, object))
    assert [int(x) for x in found] == [sum(a * b for a, b in zip(line, vector, strict=True)) for line in matrix]


@given(
    st.lists(st.lists(st.integers(0, 2**31), min_size=2, max_size=2), min_size=1, max_size=3),
    st.lists(st.integers(-(2**31), 2**31), min_size=2, max_size=2),
)
def test_a_product_at_the_edge_of_64_bits_is_right(matrix: list[list[int]], vector: list[int]) -> None:
    found = _exact_dot(np.array(matrix, np.int64), np.array(vector, object))
    assert [int(x) for x in found] == [sum(a * b for a, b in zip(line, vector, strict=True)) for line in matrix]


@given(st.lists(st.fractions(max_denominator=1000), max_size=6))
def test_whole_units_are_the_same_fractions(values: list[Fraction]) -> None:
    whole, denominator = whole_units(values)
    assert [Fraction(int(w), denominator) for w in whole] == values


# ---- too large


@pytest.fixture
def _short_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail, rather than run out of memory, when more deals are listed than anybody can hold."""

    def guarded(make: Callable[..., Any], size: Callable[..., int]) -> Callable[..., Any]:
        def guard(cards: Sequence[int], *n: int, **more: int) -> Any:
            if size(len(cards), *n, *more.values()) > 10_000_000:
                pytest.fail("a list of all deals was made before its length was looked at")
            return make(cards, *n, **more)

        return guard

    monkeypatch.setattr(rowsets, "product", guarded(product, pow))
    monkeypatch.setattr(rowsets, "combinations", guarded(combinations, comb))


@pytest.mark.usefixtures("_short_lists")
@pytest.mark.parametrize("decks", [1, 6])
@pytest.mark.parametrize("factor", [1, 2], ids=["in any order", "in order"])
def test_a_game_that_is_too_large_says_so_before_it_counts(decks: int, factor: int) -> None:
    with pytest.raises(TooLarge, match=r"ante cannot be counted: a count would look at .* `patient=True` waits for it"):
        analyze(house_of(_added(9 if decks == 1 else 12, factor), composition(decks)))
    patient = Study(house_of(_added(9 if decks == 1 else 12, factor), composition(decks)), patient=True)
    assert patient.plan.step("ante") is not None


def _added(count: int, factor: int = 1) -> Callable[[Table], None]:
    """So many cards, and what their ranks add up to, the first one so many times."""

    def play(t: Table) -> None:
        first, *rest = t.deal(BOARD, count)
        t.settle(ante=compare(first.rank * factor + sum(card.rank for card in rest), 70))

    return play


def test_several_wagers_together_are_worth_the_sum_of_their_prices() -> None:
    solver = Solver(house_of(_added(2), composition(1)))
    doubled = [p + q for p, q in zip(solver.prices("ante"), solver.prices("ante"), strict=True)]
    whole, denominator = solver.worth_together(["ante", "ante"])
    assert [Fraction(int(n), denominator) for n in whole] == doubled and denominator == 1


def test_a_count_of_years_is_not_begun_by_the_most_patient() -> None:
    """Of thirty cards it is said in words that somebody could read out, and patience is not offered."""
    refused = Study(house_of(_added(30), composition(1)), patient=True).plan.refused["ante"]
    assert re.match(
        r"a count would look at [\d.]+ x 10\^\d\d deals one by one and take more than a million years;", refused
    )
    assert "patient" not in refused


@pytest.mark.usefixtures("_short_lists")
def test_more_visible_deals_than_can_be_listed_are_one_sentence() -> None:
    """Five visible cards of six decks are 380 million deals."""

    def play(t: Table) -> None:
        mine = t.deal(PLAYER, 5)
        maybe_raise(t)
        settle_both(t, compare(sum((c.rank for c in mine), start=t.deal(DEALER).rank), 40))

    with pytest.raises(TooLarge, match="the player can see about 380,204,032 different deals at the decision"):
        analyze(house_of(play, composition(6)))


# ---- results


def side_bets(t: Table) -> None:
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    t.settle(ante=compare(mine.rank, his.rank))
    t.settle(raise_=WIN) if "raise" in t.bets else None
    t.settle(pair=first_match(("pair", mine.rank == his.rank)), suit=first_match(("suit", mine.suit == his.suit)))


def test_all_bets_together_add_up() -> None:
    wagers = ANTE, pays("pair", {"pair": 10}), pays("suit", {"suit": 3})
    house = small_game(side_bets, *wagers).at({"table-min": 1}, shoe=ODD_CARDS)
    bets = {"ante": Fraction(10), "pair": Fraction(5), "suit": Fraction(2)}
    result = analyze(house, bets=bets)
    assert result.together is not None
    nets: dict[Fraction, Fraction] = {}
    for mine in range(52):
        for his in range(52):
            ways = house.composition[mine] * (house.composition[his] - (mine == his))
            if ways:
                a, b = mine >> 2, his >> 2
                net = 10 * ((a > b) - (a < b)) + (50 if a == b else -5) + (6 if mine & 3 == his & 3 else -2)
                nets[Fraction(net)] = nets.get(Fraction(net), Fraction(0)) + Fraction(ways, 42)
    mean = sum(n * p for n, p in nets.items())
    assert {o.pays: o.probability for o in result.together.joint} == nets
    assert result.together.expectation == mean
    assert result.together.variance == sum(n * n * p for n, p in nets.items()) - mean**2
    assert result.together.wagered == 17
    assert result.together.expectation == -sum(bets[w.wager] * w.house_edge for w in result.wagers)


def test_the_records_of_every_game_are_consistent(game: Game) -> None:
    house = game.at()
    if trace(house).most_cards() > 8:
        pytest.skip("a count of its own, tested where it is made")
    result = analyze(house)
    for wager in result.wagers:
        assert sum(o.probability for o in wager.outcomes) == 1
        assert sum(o.ways for o in wager.outcomes) == wager.ways
        assert all(o.probability == Fraction(o.ways, wager.ways) for o in wager.outcomes)
        assert wager.wagered >= 1 and wager.house_edge == -sum(o.pays * o.probability for o in wager.outcomes)
        assert wager.variance >= 0 and 0 <= wager.hit_frequency <= 1
    assert result.together is not None and sum(o.probability for o in result.together.joint) == 1
    by_decision: dict[str, Fraction] = {}
    for line in result.strategy:
        assert line.chosen in line.best
        by_decision[line.decision] = by_decision.get(line.decision, Fraction(0)) + line.probability
    assert all(0 < p <= 1 for p in by_decision.values())


def many_cards(t: Table) -> None:
    """Small wagers on few cards each, which together look at too many to count."""
    for name in ("first", "second", "third"):
        hand = t.deal(BOARD, 3)
        t.settle(**{name: compare(hand[0].rank + hand[1].rank + hand[2].rank, 18)})


def many_cards_and_a_branch(t: Table) -> None:
    many_cards(t)
    if t.when(t.deal(BOARD).rank > 7):
        t.settle(even=WIN, half=WIN)
    else:
        t.settle(even=LOSE, half=PUSH)


THREE = pays("first", {"win": 1}), pays("second", {"win": 2}, required=True), pays("third", {"win": 1})


def test_wagers_that_are_counted_alone_keep_their_own_pay_tables() -> None:
    """The same cards, the same rows, pay tables of the same name: only the pays differ."""
    result = analyze(small_game(many_cards, *THREE).at())
    wins = next(o.probability for o in result.wager("first").outcomes if o.outcome == "win")
    assert result.wager("first").house_edge == 0 and result.wager("second").house_edge == -wins
    assert next(o.pays for o in result.wager("second").outcomes if o.outcome == "win") == 2


def test_wagers_that_are_counted_alone_keep_their_own_results() -> None:
    """Two wagers that come out alike on one way through the round, and differently on another."""
    result = analyze(small_game(many_cards_and_a_branch, *THREE, Wager("even"), Wager("half")).at())
    assert result.wager("even").house_edge == Fraction(3, 13)  # five ranks of thirteen win
    assert result.wager("half").house_edge == Fraction(-5, 13)


def test_row_names_of_a_fixed_result() -> None:
    def play(t: Table) -> None:
        t.deal(PLAYER)
        t.settle(ante=row("win"))

    assert edge(play) == -1
    assert len(list(trace(house_of(play, TWO_RANKS)).ends())) == 1


def test_a_side_bet_settled_before_any_decision_needs_no_more_of_the_round(any_game: Game) -> None:
    """Analysed alone, it comes out as it does with the whole round; a wager that comes later is not taken for one."""
    house = any_game.at()
    whole = analyze(house)
    for wager in house.parties:
        if wager not in house.main and not touched(trace(house), wager):
            assert analyze(house, wager=wager).wagers[0] == whole.wager(wager)
    if any_game.name == "blackjack":
        assert not touched(trace(house), "lucky-lucky") and touched(trace(house), "lucky-break")


# ---- counts are made once, and a strategy is asked once


def test_the_counts_of_a_graph_serve_all_who_ask_about_one_shoe(monkeypatch: pytest.MonkeyPatch) -> None:
    game = small_game(suits_meet)
    one, graph = game.at(shoe=TWO_RANKS), trace(game.at(shoe=TWO_RANKS))
    first, other = Solver(one, graph=graph), game.at(shoe=stripped((3, 7, 9)))
    assert Solver(one, graph=graph).induction is first.induction
    assert Solver(one, graph=graph, checked=True).induction is not first.induction
    alone = Solver(other, graph=graph)
    assert alone.induction is not first.induction, "one shoe is kept: the last"
    again = Solver(one, graph=graph)
    assert again.induction is not first.induction
    assert again.wager_result("ante") == first.wager_result("ante") != alone.wager_result("ante")
    monkeypatch.setattr(induction, "MOST_KEPT", 1)
    large = Solver(other, graph=graph)
    assert Solver(other, graph=graph).induction is not large.induction, "too large to be kept"


def by_pair_and_suit(t: Table) -> None:
    mine, up = t.deal(PLAYER, 2), t.deal(DEALER)
    pair, high = mine[0].rank == mine[1].rank, highest(mine[0].rank, mine[1].rank)
    if t.decide("stay", "raise", by={"pair": pair, "high": high}) == "raise":
        t.bet("raise")
        t.settle(raise_=where(high > up.rank, WIN, LOSE))
    t.settle(ante=where(pair, WIN, LOSE))


@pytest.mark.parametrize("looks_at_suits", [False, True])
def test_a_strategy_is_asked_once_for_every_deal_and_told_what_it_is_made_by(looks_at_suits: bool) -> None:
    asked: list[Seen] = []

    def strategy(seen: Seen) -> str:
        asked.append(seen)
        odd = looks_at_suits and seen.player[0].suit == 0
        return "raise" if seen.by["high"] > 4 and not odd else "stay"

    house = small_game(by_pair_and_suit, strategies={"mine": strategy}).at(shoe=stripped((2, 4, 6)))
    found = Study(house, "mine").wager("ante").house_edge
    deals = [tuple(card.code for card in (*seen.player, *seen.dealer)) for seen in asked]
    for seen, (a, b, _) in zip(asked, deals, strict=True):
        assert seen.by == {"pair": a >> 2 == b >> 2, "high": max(a, b) >> 2}
    every = list(permutations(shoe_cards(house.composition), 3))
    if not looks_at_suits:
        assert sorted(deals) == sorted(every)
    net = 0
    for a, b, up in every:
        raised = max(a, b) >> 2 > 4 and not (looks_at_suits and a & 3 == 0)
        net += (1 if a >> 2 == b >> 2 else -1) + raised * (1 if max(a, b) >> 2 > up >> 2 else -1)
    assert found == -Fraction(net, len(every))
