"""Rules to remember: the known ones are found, and what each is said to cost is what playing by it costs."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import pitboss as pb
from helpers import ROOT, SOURCE, load_game, pays, random_games, small_game, stripped
from pitboss.cards import cards_of
from pitboss.compile.reference import batch
from pitboss.exact import Study, TooLarge
from pitboss.exact.ruled import rulebook
from pitboss.hands.categories import score_ranks, score_three
from pitboss.hands.evaluate import strength_of
from pitboss.hands.naming import at_least, scores
from pitboss.rules import (
    BOARD,
    DEALER,
    DOWN,
    JACK,
    LOSE,
    PLAYER,
    TEN,
    WIN,
    Game,
    House,
    Seen,
    Table,
    Wager,
    by_floor,
    compare,
    strength,
    where,
)
from pitboss.rules.column import card_in
from pitboss.rules.errors import BadInput
from pitboss.rules.trace import trace
from pitboss.thumb import Played, Rulebook, Solved, ladders
from pitboss.thumb.held import High, Kicker, Made, Paired, Royal, Run, Strength, Suited
from pitboss.thumb.looking import looks_of
from pitboss.thumb.looks import Look
from pitboss.thumb.search import Search
from pitboss.thumb.solved import Laid, View, spots
from pitboss.thumb.table import cases_of
from pitboss.thumb.told import Above, Match, Rank

EXAMPLES = ROOT / "examples"
THREE_CARDS, RIDE = EXAMPLES / "three_card_poker.py", EXAMPLES / "let_it_ride.py"
QUICK = [SOURCE / "games" / "bluff.py", SOURCE / "games" / "flop_poker_bonus.py", THREE_CARDS, RIDE,
         *(EXAMPLES / f"{name}.py" for name in ("red_dog", "stare_down", "casino_war"))]  # fmt: skip


def book_of(house: House) -> Rulebook:
    return Study(house).rule()


def edge_of(house: House, strategy: str) -> Fraction:
    study = Study(house, strategy)
    return sum((study.wager(p).house_edge for p in study.decided), Fraction(0))


def by_hand(game: Game, answer: Callable[[Seen], str]) -> Game:
    """The game with a strategy of its file that answers so: asked row by row, for every deal that a row stands for."""

    def mine(seen: Seen) -> str:
        return answer(seen)

    return replace(game, strategies={"mine": mine})


# ---- the known rules are found


def test_queen_six_four_is_found_and_costs_nothing() -> None:
    best = book_of(load_game(THREE_CARDS).at()).best
    assert [rule.words for rule in best.rules] == ["play with queen-six-four or better; otherwise fold"]
    assert best.cost == 0 and best.most == 1


def test_the_rule_of_the_file_is_found_for_three_cards_and_two_of_a_flop() -> None:
    house = load_game(SOURCE / "games" / "flop_poker_bonus.py").at()
    book = book_of(house)
    (rule,) = book.best.rules
    assert book.best.cost == 0
    assert {line.words for line in rule.lines} == {
        "a jack or higher", "a pair or better", "three of one suit", "three to a straight",
    }  # fmt: skip
    own, cards = house.strategy("rule"), list(combinations(range(52), 3))
    found = book.played(book.best, "found")
    for three in random.Random(1).sample(cards, 400):
        seen = Seen("flop bet", ("fold", "bet"), tuple(map(_face, three)), (), ())
        assert found(seen) == own(seen)


def _face(code: int) -> "pb.rules.game.Face":  # type: ignore[name-defined]
    from pitboss.rules.game import FACES

    return FACES[code]


def published_first(seen: Seen) -> str:
    """The list that guides print for three cards: any paying hand; three to a royal; three in a row of one suit, but
    not ace-two-three or two-three-four; of one suit within four ranks with a ten or higher, within five with two."""
    high = sorted(card.rank for card in seen.player)
    if len({*high}) < 3:
        return "let it ride" if len({*high}) == 1 or high[1] >= TEN else "take back"
    low = sorted(-1 if r == 12 else r for r in high)
    ranks = min(low, high, key=lambda r: r[2] - r[0])
    spread, tens = ranks[2] - ranks[0] + 1, sum(r >= TEN for r in ranks)
    good = (spread == 3 and ranks[0] > 0) or (spread == 4 and tens >= 1) or (spread == 5 and tens >= 2)
    return "let it ride" if len({c.suit for c in seen.player}) == 1 and good else "take back"


def published_second(seen: Seen) -> str:
    """For four cards: any paying hand; four of one suit; four in a row that both ends can complete, with a ten."""
    cards = (*seen.player, *seen.board)
    ranks = sorted(card.rank for card in cards)
    pairs = [r for r in {*ranks} if ranks.count(r) > 1]
    if any(ranks.count(r) > 2 or r >= TEN for r in pairs) or len(pairs) == 2 or len({c.suit for c in cards}) == 1:
        return "let it ride"
    open_ended = len({*ranks}) == 4 and ranks[3] - ranks[0] == 3 and ranks[3] < 12 and ranks[3] >= TEN
    return "let it ride" if open_ended else "take back"


def test_lists_as_good_as_the_published_ones_are_found_for_bets_that_may_be_taken_back() -> None:
    game = load_game(RIDE)
    house, book = game.at(), book_of(game.at())
    best = edge_of(house, "optimal")
    solver = Study(house).solver
    printed = solver.following(lambda s: published_first(s) if s.decision == "the first bet" else published_second(s))
    assert printed.wager_result("base").house_edge == best
    first, second = book.rungs[-1].rules
    assert book.rungs[-1].cost == 0 and (first.conditions, second.conditions) == (6, 3)
    assert [line.words for line in first.lines] == [
        "a pair of tens or better",
        "three to a straight flush, three ways",
        "three to a straight flush and two cards ten or higher",
        "three to a straight flush, two ways, and a ten or higher",
    ]
    assert {line.words for line in second.lines} == {
        "a pair of tens or better", "four of one suit", "four to a straight, two ways",
    }  # fmt: skip
    assert book.best.most == 2 and book.best.cost == Fraction(43, 22100)


@pytest.mark.parametrize("options", [{}, {"decks": "2"}, {"decks": "8"}, {"tie": "push-first"}, {"limit": "high"}])
def test_one_condition_is_enough_for_a_card_against_a_printed_policy(options: dict[str, str]) -> None:
    book = book_of(load_game(SOURCE / "games" / "bluff.py").at(options))
    assert book.best.most <= 2 and book.best.cost * 10 < book.edge
    if not options:
        assert [rule.words for rule in book.best.rules] == ["raise with a 4 or lower; otherwise call"]


def test_the_first_street_of_five_cards_with_two_in_hand_is_played_as_guides_print_it() -> None:
    """Any pair 3x; two points (a jack or higher, or two cards from six up) or six-five suited 1x; fold the rest."""
    study = Study(load_game(EXAMPLES / "mississippi_stud.py").at())
    wagers = [w.name for w in study.house.parties["ante"]]
    (ladder,) = ladders(study.solved.solved_rows()[:1], wagers, 8, lambda _: None)
    three, last = ladder.at(3), ladder.rules[-1]
    assert (
        three.words
        == "3x with any pair; else 1x with a jack or higher, or with both cards six or higher; otherwise fold"
    )
    assert last.cost == 0 and last.conditions == 5

    def published(ranks: Sequence[int], suited: bool) -> str:
        points = sum(2 if r >= JACK else 1 if r >= 4 else 0 for r in ranks)
        if ranks[0] == ranks[1]:
            return "3x"
        return "1x" if points >= 2 or (suited and sorted(ranks) == [3, 4]) else "fold"

    for one, two in combinations(range(52), 2):
        view = View(1, (np.array([one]), np.array([two])))
        said = published((one >> 2, two >> 2), one & 3 == two & 3)
        assert last.choices[last.answers(view, last.choices)[0]] == said


def test_a_spread_of_seven_is_found_as_a_number_of_the_game() -> None:
    best = book_of(load_game(EXAMPLES / "red_dog.py").at()).best
    assert best.cost == 0 and best.most == 1
    assert best.rules[0].lines[0].words == "the board's highest card minus the board's lowest card at 8 or more"


def test_a_decision_that_is_always_the_same_needs_no_condition() -> None:
    best = book_of(load_game(EXAMPLES / "casino_war.py").at()).best
    assert (best.most, best.cost, best.rules[0].words) == (0, 0, "always war")


# ---- what a rule is said to cost is what it costs


@pytest.mark.parametrize("path", QUICK, ids=lambda p: p.stem)
def test_every_rung_costs_what_playing_by_it_costs(path: Path) -> None:
    house = load_game(path).at()
    book, best = book_of(house), edge_of(house, "optimal")
    assert book.edge == best and len({rung.cost for rung in book.rungs}) == len(book.rungs)
    for rung in book.rungs:
        assert edge_of(house, f"rule:{rung.most}") - best == rung.cost
    shortest = edge_of(house, "rule") if "rule" not in house.game.strategies else best + book.best.cost
    assert shortest - best == book.best.cost


def _random_house(seed: int) -> House:
    """Two or three cards of one's own, some of the dealer's or the board's, a random pay table, a fold that costs."""
    rng = random.Random(seed)
    own, others = rng.choice(((1, 2), (2, 1), (3, 1), (1, 1), (3, 2)))
    board = rng.random() < 0.5
    kinds = sorted(rng.sample(range(60), 4)) if own + others < 3 else None
    top = {f"row {i}": rng.randint(-1, 6) for i in range(4)}

    def play(t: Table) -> None:
        mine = t.deal(PLAYER, own, face=DOWN)
        his = t.deal(BOARD if board else DEALER, others, face=DOWN)
        shown = t.deal(DEALER, 1) if rng_shown else None
        if t.decide("fold", "bet") == "fold":
            t.settle(ante=LOSE)
            return
        t.bet("raise")
        t.reveal(BOARD if board else DEALER)
        cards = [*mine, *his, *(() if shown is None else shown)]
        value = sum((card.rank for card in cards), start=0 * mine[0].rank)
        if len(cards) in (2, 3, 5):
            value = strength(mine, his) if shown is None else strength(mine, his, shown)
        floors = dict(zip(top, kinds or marks[len(cards)], strict=True))
        t.settle(ante=where(mine[0].rank > 3, WIN, LOSE), raise_=by_floor(value, floors))

    rng_shown = rng.random() < 0.5 and own < 3  # a strategy that is asked deal by deal takes minutes for four cards
    marks = {n: sorted(rng.sample([*scores(n)], 4)) for n in (2, 3, 5)}
    marks |= {n: sorted(rng.sample(range(4, 12 * n), 4)) for n in (4, 6)}
    return small_game(play, Wager("ante", required=True), pays("raise", top, equal_to="ante")).at()


@pytest.mark.parametrize("seed", range(12))
def test_a_made_up_game_on_a_random_pay_table_costs_what_is_said_by_three_ways(seed: int) -> None:
    """By the count of mistakes, by an analysis of the strategy, and by a plain function that is asked deal by deal."""
    house = _random_house(seed)
    book, best = book_of(house), edge_of(house, "optimal")
    for rung in book.rungs:
        assert edge_of(house, f"rule:{rung.most}") - best == rung.cost
    last = book.rungs[-1]
    mine = by_hand(house.game, book.played(last, "found")).at()
    assert edge_of(mine, "mine") - best == last.cost


@settings(max_examples=25, deadline=None)
@given(random_games())
def test_rules_of_games_that_nobody_would_play_cost_what_is_said(game: Game) -> None:
    study = Study(game.at())
    if not any(study.graph.decisions()):
        return
    try:
        book = study.rule()
    except TooLarge:
        return
    best = edge_of(study.house, "optimal")
    assert edge_of(study.house, f"rule:{book.rungs[-1].most}") - best == book.rungs[-1].cost
    mine = by_hand(game, book.played(book.best, "found")).at()
    assert edge_of(mine, "mine") - best == book.best.cost


def test_what_a_seat_has_carried_over_is_looked_at() -> None:
    """A card wins with a five or higher, after a win with a ten or higher; a raise is worth it on the winning cards."""

    def play(t: Table) -> None:
        won = t.carried("won", 1, on="ante")
        mine = t.deal(PLAYER)
        wins = mine.rank >= where(won == 1, TEN, 3)
        raised = t.decide("stay", "raise") == "raise"
        if raised:
            t.bet("raise")
        result = where(wins, WIN, LOSE)
        t.settle(ante=result)
        if raised:
            t.settle(raise_=result)
        t.carry("won", where(wins, 1, 0))

    house = small_game(play).at()
    book, best = book_of(house), edge_of(house, "optimal")
    assert book.best.cost == 0 and "won" in book.rungs[-1].rules[0].words
    for rung in book.rungs:
        assert edge_of(house, f"rule:{rung.most}") - best == rung.cost


# ---- the search


def _naive(cases: "object", search: Search) -> Fraction:
    """The best list of one condition, all of them tried."""
    found = []
    for look, scale in enumerate(search.scales):
        for i in range(len(scale.ranges)):
            for choice, otherwise in product(range(len(search.loss)), repeat=2):
                taken = search.taken(((choice, ((look, i),)),), otherwise)
                found.append(search.cases.cost(taken))
    return min(found)


@pytest.mark.parametrize("seed", range(6))
def test_no_list_of_one_condition_is_better_than_the_one_found(seed: int) -> None:
    study = Study(_random_house(seed))
    spot = spots(study.solved.solved_rows())[0]
    search = Search(cases_of(spot, looks_of(spot, ["ante", "raise"])))
    one = [d for d in search.ladder(8) if d.conditions <= 1][-1]
    assert search.exact(one) == _naive(spot, search)


def test_rows_of_any_kernel_are_enough() -> None:
    """The protocol: arrays in, a rule out. Here the worth is made up, so that the best rule is known."""

    def play(t: Table) -> None:
        own = t.deal(PLAYER, 2, face=DOWN)
        his, board = t.deal(DEALER, 2, face=DOWN), t.deal(BOARD, 5, face=DOWN)
        t.bet("raise", 1 if t.decide("check", "raise", name="before the flop") == "check" else 4)
        t.settle(ante=(result := compare(strength(own, board), strength(his, board))), raise_=result)

    game = small_game(play, Wager("ante", required=True), Wager("raise", equal_to="ante", times=(1, 4)))
    node = next(trace(game.at()).decisions())
    cells = np.array(list(combinations(range(52), 2)), np.uint8)
    high, low = (cells >> 2).max(1), (cells >> 2).min(1)
    wanted = (high == 12) | (high == low) | ((high >= JACK) & (cells[:, 0] & 3 == cells[:, 1] & 3))
    worth = np.stack([np.zeros(len(cells), np.int64), np.where(wanted, 3, -2)])
    every = np.ones(len(cells), np.int64)
    solved = Solved(node, (0, 1), cells, every, len(cells), worth, 100 * len(cells), every > 0)
    (ladder,) = ladders([solved], ["ante", "raise"], 8, lambda _: None)
    assert ladder.rules[-1].cost == 0
    assert {line.words for line in ladder.rules[-1].lines} == {
        "an ace", "any pair", "suited cards and a jack or higher",
    }  # fmt: skip


# ---- words


def test_a_floor_is_named_by_no_more_cards_than_tell_it_apart() -> None:
    three = strength_of(cards_of("Qh 6d 4c"))
    assert at_least(three, strength_of(cards_of("Qh 6d 3c")), 3) == ("queen-six-four or better", 3)
    assert at_least(strength_of(cards_of("Qh 6d 2c")), strength_of(cards_of("Qh 5d 4c")), 3)[0] == "queen-six or better"
    assert (
        at_least(strength_of(cards_of("Qh 3d 2c")), strength_of(cards_of("Jh Td 8c")), 3)[0] == "queen high or better"
    )
    assert at_least(strength_of(cards_of("2h 2d 3c")), strength_of(cards_of("Ah Kd Jc")), 3)[0] == "a pair or better"
    five = strength_of(cards_of("Ah Kd Jc 8s 3c"))
    assert at_least(five, five - 1, 5)[0] == "ace-king-jack-eight-three or better"
    assert at_least(strength_of(cards_of("6h 6d 2c 3s 4c")), strength_of(cards_of("5h 5d Ac Ks Qc")), 5)[0] == (
        "a pair of sixes or better"
    )


def test_every_strength_is_what_its_score_says() -> None:
    rng = random.Random(4)
    for _ in range(300):
        five = rng.sample(range(52), 5)
        if len({c & 3 for c in five}) > 1:
            assert scores(5)[strength_of(five)] == score_ranks([c >> 2 for c in five])
        three = rng.sample(range(52), 3)
        suited = len({c & 3 for c in three}) == 1
        assert scores(3)[strength_of(three)] == score_three([c >> 2 for c in three], suited)


RUNS = {"Ah 2h 3h": 1, "2h 3h 4h": 2, "3h 4h 5h": 3, "Jh Qh Kh": 2, "Qh Kh Ah": 1, "5h 6h 9h": 1, "5h 6h 8h": 2,
        "5h 5d 6h": 0}  # fmt: skip


@pytest.mark.parametrize(("cards", "ways"), RUNS.items())
def test_cards_fit_as_many_runs_as_can_be_listed(cards: str, ways: int) -> None:
    codes = cards_of(cards)
    ranks = {c >> 2 for c in codes}
    runs = [{r % 13 for r in range(start, start + 5)} for start in range(-1, 9)]
    assert len(ranks) < 3 or sum(ranks <= run for run in runs) == ways
    view = View(1, tuple(np.array([c]) for c in codes))
    assert Run((0, 1, 2), 3, 5, suited=True).of(view)[0] == ways


@pytest.mark.parametrize(("cards", "words"), [("Th Td 3c", "a pair of tens"), ("3h 3d 3c", "three of a kind")])
def test_what_is_made_already_is_seen(cards: str, words: str) -> None:
    view = View(1, tuple(np.array([c]) for c in cards_of(cards)))
    value = int(Made((0, 1, 2)).of(view)[0])
    assert words in Made((0, 1, 2)).words(value, 99, [0, 13, value - 1, value] if "tens" in words else [0, value])[0]


PLACES, OWN, REST = tuple(range(7)), (0, 1), (2, 3, 4, 5, 6)
LOOKS = [
    *(Made(PLACES[:n]) for n in (2, 3, 5, 7)),
    *(High(PLACES[:n], k) for n in (2, 5, 7) for k in (1, 2)),
    *(Suited(PLACES[:n]) for n in (2, 5, 7)),
    *(Run(PLACES[:n], k, 5, suited) for n in (3, 6) for k in (2, 3) for suited in (False, True)),
    *(Royal(PLACES[:n], 5) for n in (3, 7)),
    Paired(OWN, PLACES),
    Kicker(OWN, REST, " on the board"),
    Strength(PLACES, 5),
    Strength(PLACES[:5], 4, "best_four"),
    Strength(PLACES[:3], 3),
    Rank(3),
    Match(OWN, 4, ""),
    Above(OWN, 4, ""),
]


@pytest.mark.parametrize("look", LOOKS, ids=repr)
def test_a_look_is_the_same_as_a_column(look: Look) -> None:
    rng = np.random.default_rng(2)
    deals = np.array([rng.permutation(52)[:7] for _ in range(3000)])
    values = look.of(View(len(deals), tuple(deals.T)))
    column = look.column(Laid(tuple(map(card_in, PLACES)), Fraction(0)))
    assert np.array_equal(values, batch(column, dict(enumerate(deals.T)), {}, len(deals)))
    assert column.lo <= values.min() and values.max() <= column.hi and len({*values.tolist()}) > 1


def test_cards_at_a_place_with_a_name_are_looked_at() -> None:
    def play(t: Table) -> None:
        mine, turn = t.deal(PLAYER, 2, face=DOWN), t.deal("turn")
        his = t.deal("river", face=DOWN)
        if t.decide("fold", "bet") == "fold":
            t.settle(ante=LOSE)
            return
        t.bet("raise")
        t.reveal("river")
        value = sum((card.rank for card in mine), start=0 * turn.rank)
        t.settle(ante=where(value > turn.rank + his.rank, WIN, LOSE), raise_=where(turn.rank > 8, LOSE, WIN))

    shoe = stripped(range(4, 13))  # six to ace: the same list as with all ranks, from a third of the deals
    house = small_game(play).at(shoe=shoe)
    book, best = book_of(house), edge_of(house, "optimal")
    assert "the turn showing" in book.rungs[-1].rules[0].words
    for rung in book.rungs:
        assert edge_of(house, f"rule:{rung.most}") - best == rung.cost
    mine = by_hand(house.game, book.played(book.rungs[-1], "found")).at(shoe=shoe)
    assert edge_of(mine, "mine") - best == book.rungs[-1].cost


# ---- as a strategy


def test_a_simulation_by_a_rule_agrees_with_what_it_costs_and_can_be_repeated() -> None:
    house = pb.game(str(RIDE)).at()
    one, two = (pb.simulate(house, 2e5, strategy="rule:1", seed=3) for _ in range(2))
    found = one.wager("base")
    assert found.edge.value == two.wager("base").edge.value
    assert found.exact == edge_of(house, "rule:1") and abs(found.z) < 5
    assert one.of.strategy == "rule:1"


def test_rules_on_hands_of_any_length_are_enumerated_and_simulated_alike() -> None:
    house = pb.game("blackjack").at()
    book = pb.study(house).rule()
    assert [rung.most for rung in book.rungs] == [*range(9)] and book.against == "basic"
    assert book.at(1).rules[0].words == "hit with total 16 or less; otherwise stand"
    assert book.at(8).cost < Fraction(1, 150) and book.notes
    for most in (1, 4):
        exact = pb.study(house, f"rule:{most}").wager("main")
        assert exact.house_edge == pytest.approx(float(book.edge + book.at(most).cost), abs=1e-12)
        assert not exact.exact
        dealt = pb.simulate(house, 1e6, strategy=f"rule:{most}", wager="main").wager("main")
        assert abs(float(exact.house_edge) - float(dealt.edge)) < 5 * dealt.edge.error


def test_the_name_of_a_rule_always_means_the_same_rule() -> None:
    house = load_game(RIDE).at()
    before = book_of(house).at(2)
    assert rulebook(Study(house), 10).at(2).cost <= before.cost  # a longer search may find better
    assert edge_of(house, "rule:2") - edge_of(house, "optimal") == before.cost


def test_a_strategy_that_a_game_file_calls_rule_is_the_files() -> None:
    house = load_game(SOURCE / "games" / "flop_poker_bonus.py").at()
    assert not isinstance(Study(house, "rule").house.strategy("rule"), Played)
    assert edge_of(house, "rule") == edge_of(house, "rule:4")


@pytest.mark.parametrize(
    ("game", "strategy", "says"),
    [
        ("bluff", "rule:21", "0 to 20 conditions"),
        ("bluff", "rule:", "not one of optimal"),
        ("bluff", "rules", "rule:N"),
        ("packs-poker", "rule:2", "nothing to decide"),
    ],
)
def test_a_rule_that_there_is_not_is_one_sentence(game: str, strategy: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        Study(pb.game(game).at(), strategy)


def test_a_rule_is_asked_only_what_it_was_found_for() -> None:
    found = book_of(load_game(THREE_CARDS).at()).played(book_of(load_game(THREE_CARDS).at()).best, "rule:1")
    with pytest.raises(BadInput, match="other decisions"):
        found(Seen("something else", ("fold", "play"), (), (), ()))
