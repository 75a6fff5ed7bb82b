"""Three Card Poker, Let It Ride and Mississippi Stud: their anchors, counts that share no code with pitboss, the known
strategies, live rounds and simulations."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from helpers import ROOT, load_game
from pitboss.cards import cards_of
from pitboss.deal import Run
from pitboss.exact import Solver
from pitboss.exact.induction import Point
from pitboss.ledger.records import WagerResult
from pitboss.live import Round, Seat
from pitboss.rules import Anchor, Face, Game, Seen

Ints = NDArray[np.int64]
PATHS = {name: ROOT / "examples" / f"{name}.py" for name in ("three_card_poker", "let_it_ride", "mississippi_stud")}
GAMES = {name: load_game(path) for name, path in PATHS.items()}
MAIN = {"three_card_poker": "ante", "let_it_ride": "base", "mississippi_stud": "ante"}


@cache
def _solved(name: str, strategy: str, table: str) -> Solver:
    return Solver(GAMES[name].at({}, {"pair-plus": table} if table else {}), strategy)


def solved(name: str, strategy: str = "optimal", table: str = "") -> Solver:
    return _solved(name, strategy, table)


def result(name: str) -> WagerResult:
    return solved(name).wager_result(MAIN[name])


ANCHORS = [pytest.param(name, a, id=f"{name}-{a.wager}-{a.edge}") for name, g in GAMES.items() for a in g.anchors]


@pytest.mark.parametrize(("name", "anchor"), ANCHORS)
def test_the_published_edge_comes_out(name: str, anchor: Anchor) -> None:
    found = solved(name, anchor.strategy, anchor.tables.get("pair-plus", "")).wager_result(anchor.wager).house_edge
    assert anchor.agrees(found), f"{anchor.source}: {anchor.edge} published, {float(found):.6%} found"


@pytest.mark.parametrize(
    ("name", "published", "units"),
    [("three_card_poker", "2.01%", "1.67"), ("let_it_ride", "2.86%", "1.22"), ("mississippi_stud", "1.37%", "3.59")],
)
def test_the_published_element_of_risk_comes_out(name: str, published: str, units: str) -> None:
    assert f"{float(result(name).element_of_risk):.2%}" == published
    assert f"{float(result(name).wagered):.2f}" == units


@pytest.mark.parametrize("path", PATHS.values(), ids=lambda p: p.stem)
def test_the_file_is_short(path: Path) -> None:
    assert len(path.read_text().splitlines()) < 80


# ---- Three Card Poker, counted by hand against hand


def three_card_score(cards: Sequence[int]) -> tuple[int, ...]:
    """Straight flush 5, three of a kind 4, straight 3, flush 2, pair 1, and then what breaks a tie."""
    down = sorted((c // 4 for c in cards), reverse=True)
    suited = len({c % 4 for c in cards}) == 1
    if down == [12, 1, 0]:
        return (5 if suited else 3), 1  # ace, deuce and trey: the lowest straight
    if down[0] == down[1] + 1 == down[2] + 2:
        return (5 if suited else 3), down[0]
    if len(set(down)) == 3:
        return (2 if suited else 0), *down
    return (4, down[0]) if len(set(down)) == 1 else (1, down[1], down[0] + down[2] - down[1])


@cache
def three_card_values() -> tuple[Ints, Ints, Ints]:
    """Per hand of three cards: its category, the worth of playing it, summed over the dealer's 18,424 hands, and its
    place in the order of all hands."""
    hands = list(combinations(range(52), 3))
    scores = [three_card_score(h) for h in hands]
    place = {s: i for i, s in enumerate(sorted(set(scores)))}
    order = np.array([place[s] for s in scores])
    qualifies = np.array([s >= (0, 10) for s in scores])
    masks = np.array([sum(1 << c for c in h) for h in hands], np.uint64)
    category = np.array([s[0] for s in scores])
    bonus = np.array([0, 0, 0, 1, 4, 5])[category]
    worth = np.empty(len(hands), np.int64)
    for i in range(len(hands)):
        free = (masks & masks[i]) == 0
        duel = np.sign(order[i] - order)
        worth[i] = np.where(qualifies, 2 * duel, 1)[free].sum() + 18_424 * bonus[i]
    return category, worth, order


def test_three_card_poker_equals_every_hand_against_every_hand() -> None:
    _, worth, _ = three_card_values()
    played = worth > -18_424
    total = int(np.maximum(worth, -18_424).sum())
    found = result("three_card_poker")
    assert found.house_edge == Fraction(-total, 22_100 * 18_424)
    assert found.wagered == 1 + Fraction(int(played.sum()), 22_100)


@pytest.mark.parametrize("table", ["40-30-6-4-1", "40-30-6-3-1"])
def test_pair_plus_equals_a_count_of_the_hands(table: str) -> None:
    category, _, _ = three_card_values()
    pays = np.array([-1, *(int(p) for p in reversed(table.split("-")))])  # pair, flush, straight, and so on
    found = solved("three_card_poker", table=table).wager_result("pair-plus")
    assert found.house_edge == Fraction(-int(pays[category].sum()), 22_100)
    assert found.ways == 22_100


def test_playing_queen_six_four_or_better_loses_nothing() -> None:
    assert solved("three_card_poker", "q64").wager_result("ante").outcomes == result("three_card_poker").outcomes
    for row in solved("three_card_poker").chart():
        seen = Seen(row.decision, ("fold", "play"), tuple(Face(c) for c in cards_of(row.cards)), (), ())
        assert row.best == (GAMES["three_card_poker"].strategies["q64"](seen),), row.sees


def test_queen_six_four_is_the_least_hand_to_play() -> None:
    hands = list(combinations(range(52), 3))
    _, worth, order = three_card_values()
    least = order[worth > -18_424].min()
    assert order[worth <= -18_424].max() == least - 1  # no hand below is played, and none above is folded
    assert {tuple(c // 4 for c in hands[i]) for i in np.flatnonzero(order == least)} == {(2, 4, 10)}


# ---- five cards, counted as sets


@cache
def subsets(size: int) -> Ints:
    """All sets of so many cards, in order, one row each."""
    flat = chain.from_iterable(combinations(range(52), size))
    return np.fromiter(flat, np.int64, size * comb(52, size)).reshape(-1, size)


@cache
def binomials() -> Ints:
    return np.array([[comb(n, k) for k in range(6)] for n in range(53)])


def number_of(cards: Ints) -> Ints:
    """The number of each sorted set among all of its size."""
    k = cards.shape[1]
    out = np.full(len(cards), comb(52, k) - 1)
    for i in range(k):
        out -= binomials()[51 - cards[:, i], k - i]
    return out


def over_subsets(cards: Ints, worth: Ints) -> Ints:
    """Per set with one card less: the sum of the worths of the sets that contain it."""
    k = cards.shape[1]
    out = np.zeros(comb(52, k - 1))
    for left_out in range(k):
        less = np.delete(cards, left_out, axis=1)
        out += np.bincount(number_of(less), worth, len(out))  # sums of whole numbers far below 2^53
    return out.astype(np.int64)


@cache
def five_cards() -> tuple[Ints, Ints]:
    """Every hand of five cards: its row on the pay tables (0 royal flush ... 8 a pair), and the rank of a lone pair."""
    cards = subsets(5)
    rank, suit = cards // 4, cards % 4
    equal, pair = np.zeros(len(cards), int), np.zeros(len(cards), int)
    for i, j in combinations(range(5), 2):
        same = rank[:, i] == rank[:, j]
        equal += same
        pair += same * rank[:, i]
    wheel = (rank == [0, 1, 2, 3, 12]).all(axis=1)
    straight = (equal == 0) & ((rank[:, 4] - rank[:, 0] == 4) | wheel)
    flush = (suit == suit[:, :1]).all(axis=1)
    royal = straight & flush & (rank[:, 0] == 8)
    kinds = np.array([9, 8, 7, 6, 3, 9, 2])[equal]  # pairs of equal cards: one, two (two pair), three, four, six
    kinds = np.select([royal, straight & flush, flush, straight], [0, 1, 4, 5], kinds)
    return kinds, pair


def test_five_card_hands_come_as_often_as_the_books_say() -> None:
    kinds, _ = five_cards()
    assert np.bincount(kinds).tolist() == [4, 36, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540]


def hand_worth(pays: Sequence[int], pair_from: int, push_from: int) -> Ints:
    kinds, pair = five_cards()
    worth = np.array([*pays, -1])[kinds]
    lone = kinds == 8
    worth[lone] = np.where(pair[lone] >= pair_from, pays[8], np.where(pair[lone] >= push_from, 0, -1))
    return worth


@cache
def ride_sums() -> tuple[Ints, Ints, Ints]:
    """What a bet on the hand brings: per five cards, per four (summed over 48 hands) and per three (over 1,176)."""
    five = hand_worth((1000, 200, 50, 11, 8, 5, 3, 2, 1), pair_from=8, push_from=8)
    four = over_subsets(subsets(5), five)
    return five, four, over_subsets(subsets(4), four) // 2  # two cards may come in two orders


def test_let_it_ride_equals_a_count_of_sets() -> None:
    five, four, three = ride_sums()
    expectation = (
        Fraction(int(five.sum()), comb(52, 5))
        + Fraction(int(np.maximum(four, 0).sum()), comb(52, 4) * 48)
        + Fraction(int(np.maximum(three, 0).sum()), comb(52, 3) * comb(49, 2))
    )
    found = result("let_it_ride")
    assert found.house_edge == -expectation
    rides = Fraction(int((four > 0).sum()), comb(52, 4)) + Fraction(int((three > 0).sum()), comb(52, 3))
    assert found.wagered == 1 + rides


def test_a_let_it_ride_player_who_lets_every_fair_bet_ride_bets_more_for_the_same_loss() -> None:
    """Published as well: 1.23 bets and 2.85% of them (Casino City Times, "Let It Ride Redux")."""
    _, four, three = ride_sums()
    bets = 1 + Fraction(int((four >= 0).sum()), comb(52, 4)) + Fraction(int((three >= 0).sum()), comb(52, 3))
    assert f"{float(bets):.2f}" == "1.23"
    assert f"{float(result('let_it_ride').house_edge / bets):.2%}" == "2.85%"


def test_every_let_it_ride_choice_is_the_one_that_a_count_of_sets_makes() -> None:
    _, four, three = ride_sums()
    solver = solved("let_it_ride")
    assert len(solver.induction.points) == 3
    for point in solver.induction.points:
        cards = np.sort(point.rows.cells.astype(np.int64), axis=1)
        sums = (three if cards.shape[1] == 3 else four)[number_of(cards)]
        assert ((solver.policy[point.node.id] == point.node.choices.index("let it ride")) == (sums > 0)).all()


STAKES = range(1, 11)


@cache
def stud_values() -> tuple[Ints, dict[int, Ints], dict[int, Ints]]:
    """Mississippi Stud by sets of cards: what a bet on each four cards brings (summed over 48 last cards); the best
    worth of each four cards with so much staked (times 48), and of each three (times 48 x 49)."""
    five = hand_worth((500, 100, 40, 10, 6, 4, 3, 2, 1), pair_from=9, push_from=4)
    four = over_subsets(subsets(5), five)
    at_five = {p: np.maximum(-48 * p, np.max([(p + k) * four for k in (1, 2, 3)], axis=0)) for p in STAKES if p < 8}
    sums = {p: over_subsets(subsets(4), worth) for p, worth in at_five.items()}
    at_four = {p: np.maximum(-48 * 49 * p, np.max([sums[p + k] for k in (1, 2, 3)], axis=0)) for p in (2, 3, 4)}
    return four, at_five, at_four


def test_mississippi_stud_equals_a_count_of_sets() -> None:
    _, _, at_four = stud_values()
    each = [over_subsets(subsets(3), at_four[1 + k]) for k in (1, 2, 3)]
    total = int(np.maximum(-48 * 49 * 50, np.max(each, axis=0)).sum())
    assert result("mississippi_stud").house_edge == Fraction(-total, comb(52, 2) * 50 * 49 * 48)


def staked(point: Point) -> int:
    return 1 + sum(int(str(step.answer)[0]) for step in point.node.path)


def test_every_last_choice_at_mississippi_stud_is_a_best_one() -> None:
    four, at_five, _ = stud_values()
    solver = solved("mississippi_stud")
    last = [p for p in solver.induction.points if len(p.rows.slots) == 4]
    assert sorted(map(staked, last)) == [3, 4, 4, 5, 5, 5, 6, 6, 7]
    for point in last:
        stake = staked(point)
        number = number_of(np.sort(point.rows.cells.astype(np.int64), axis=1))
        brings = np.stack([*((stake + k) * four[number] for k in (1, 2, 3)), np.full(len(number), -48 * stake)])
        chosen = np.take_along_axis(brings, solver.policy[point.node.id][None], 0)[0]
        assert (chosen == at_five[stake][number]).all()
        assert (chosen == np.delete(brings, 1, axis=0).max(axis=0)).all()  # twice the ante is never needed


# ---- what the guides say


def paired(ranks: Sequence[int], least: int) -> bool:
    """A pair of this rank or higher, two pair, or more of a kind."""
    pairs = [r for r in set(ranks) if ranks.count(r) > 1]
    return len(pairs) > 1 or any(r >= least or ranks.count(r) > 2 for r in pairs)


def looked_at(cards: Sequence[int]) -> tuple[list[int], bool]:
    """Ranks from low to high, and whether all cards have one suit."""
    return sorted(c // 4 for c in cards), len({c % 4 for c in cards}) == 1


def test_let_it_ride_with_three_cards_is_played_as_the_guides_say() -> None:
    """A paying hand, or three suited cards: in a row from 3-4-5 up, one gap and a ten or higher, two gaps and two."""
    rows = [row for row in solved("let_it_ride").chart() if row.decision == "the first bet"]
    for row in rows:
        ranks, suited = looked_at(cards_of(row.cards))
        gaps, high = ranks[2] - ranks[0] - 2, sum(r >= 8 for r in ranks)
        rides = suited and ((gaps == 0 and ranks[0] >= 1) or (gaps == 1 and high >= 1) or (gaps == 2 and high >= 2))
        assert row.best == ("let it ride" if rides or paired(ranks, 8) else "take back",), row.sees
    assert sum(row.probability for row in rows) == 1


def test_let_it_ride_with_four_cards_is_played_as_the_guides_say() -> None:
    """A paying hand, four of a suit, four in a row with a ten or higher; a row without one, and four high cards with a
    gap, are fair bets."""
    _, four, _ = ride_sums()
    point = next(p for p in solved("let_it_ride").induction.points if len(p.rows.slots) == 4)
    cards = np.sort(point.rows.cells.astype(np.int64), axis=1)
    for hand, brings in zip(cards.tolist(), four[number_of(cards)].tolist(), strict=True):
        ranks, suited = looked_at(hand)
        open_ended = len(set(ranks)) == 4 and ranks[3] - ranks[0] == 3 and ranks[3] < 12
        if suited or paired(ranks, 8) or (open_ended and ranks[3] >= 8):
            assert brings > 0, hand
        elif open_ended or ranks[0] >= 8:
            assert brings == 0, hand
        else:
            assert brings < 0, hand


def test_mississippi_stud_with_two_cards_is_played_as_the_guides_say() -> None:
    """Three times on any pair; once on a jack or higher, on two cards of 6 to 10 and on 6-5 suited; fold the rest."""
    rows = [row for row in solved("mississippi_stud").chart() if row.decision.startswith("3rd-street")]
    for row in rows:
        (low, high), suited = looked_at(cards_of(row.cards))
        once = high >= 9 or low >= 4 or (low == 3 and high == 4 and suited)
        assert row.best == ("3x" if low == high else "1x" if once else "fold",), row.sees
    assert sum(row.probability for row in rows) == 1


def test_a_made_hand_at_mississippi_stud_is_worth_three_bets_and_a_low_pair_one() -> None:
    solver = solved("mississippi_stud")
    for point in (p for p in solver.induction.points if len(p.rows.slots) < 4):
        for hand, choice in zip(point.rows.cells.tolist(), solver.policy[point.node.id].tolist(), strict=True):
            ranks, _ = looked_at(hand)
            if paired(ranks, 4):
                assert point.node.choices[choice] == "3x", hand
            elif paired(ranks, 0):
                assert point.node.choices[choice] != "fold", hand


# ---- a round at the table


def played(game: Game, cards: str, choices: Sequence[str], bets: Sequence[str]) -> dict[str, Any]:
    """Wager -> its row and what it brings, with $10 on each bet."""
    dealt = cards_of(cards)
    rest = [c for c in range(52) if c not in dealt]
    seat = Seat(dict.fromkeys(bets, Fraction(10)))
    table = Round(game.at(), [*dealt, *rest], [seat], [(1, c) for c in choices])
    assert table.turn is None
    return {e["wager"]: (e["row"], Fraction(e["net"])) for e in table.settled()}


@pytest.mark.parametrize(
    ("own", "his", "ante", "play", "bonus", "pair_plus"),
    [
        ("As 7d 6c", "Kd Qc 2h", ("win", 10), ("win", 10), None, ("lose", -10)),
        ("As 7d 6c", "Jd 9c 2h", ("win", 10), ("push", 0), None, ("lose", -10)),  # jack high does not qualify
        ("Qs 6d 4c", "Jd 9c 2h", ("win", 10), ("push", 0), None, ("lose", -10)),
        ("Qs 6d 4c", "2d 2c 3h", ("lose", -10), ("lose", -10), None, ("lose", -10)),  # a pair of deuces qualifies
        ("Qs 6d 4c", "Qd 6c 4h", ("push", 0), ("push", 0), None, ("lose", -10)),
        ("2s 3s 4d", "Ah Jh 9h", ("win", 10), ("win", 10), ("straight", 10), ("straight", 60)),  # it beats a flush
        ("2s 3s 4d", "Jd 9c 2h", ("win", 10), ("push", 0), ("straight", 10), ("straight", 60)),
        ("2s 3s 4d", "5d 6c 7h", ("lose", -10), ("lose", -10), ("straight", 10), ("straight", 60)),
        ("2s 3s 4d", "2d 3c 4h", ("push", 0), ("push", 0), ("straight", 10), ("straight", 60)),
        ("2s 2d 2c", "5d 6d 7d", ("lose", -10), ("lose", -10), ("three of a kind", 40), ("three of a kind", 300)),
        ("As 2s 3s", "5d 6d 7d", ("lose", -10), ("lose", -10), ("straight flush", 50), ("straight flush", 400)),
        ("5s 6s 7s", "Ad Ac Ah", ("win", 10), ("win", 10), ("straight flush", 50), ("straight flush", 400)),
        ("9s 6s 2s", "Ad Kc 2h", ("win", 10), ("win", 10), None, ("flush", 40)),
    ],
)
def test_a_round_of_three_card_poker(own: str, his: str, ante: Any, play: Any, bonus: Any, pair_plus: Any) -> None:
    game = GAMES["three_card_poker"]
    settled = played(game, f"{own} {his}", ["play"], ["ante", "pair-plus"])
    paid = {"ante-bonus": bonus} if bonus else {}  # a bonus that is not earned is no event
    assert settled == {"ante": ante, "play": play, "pair-plus": pair_plus} | paid
    folded = played(game, f"{own} {his}", ["fold"], ["ante", "pair-plus"])
    assert folded == {"ante": ("lose", -10), "pair-plus": pair_plus}


@pytest.mark.parametrize(
    ("cards", "row", "pays"),
    [
        ("As Ks Qs Js Ts", "royal flush", 1000),
        ("9s Ks Qs Js Ts", "straight flush", 200),
        ("9s 9d 9c 2s 9h", "four of a kind", 50),
        ("9s 9d 9c 2s 2h", "full house", 11),
        ("9s 2s 4s Ks Qs", "flush", 8),
        ("As 2d 4c 3s 5h", "straight", 5),
        ("9s 9d 9c 2s Kh", "three of a kind", 3),
        ("9s 9d 2c 2s Kh", "two pair", 2),
        ("Ts Td 2c 3s Kh", "tens or better", 1),
        ("9s 9d 2c 3s Kh", "lose", -1),
    ],
)
def test_a_round_of_let_it_ride(cards: str, row: str, pays: int) -> None:
    for order in (cards, " ".join(reversed(cards.split()))):
        for first, second in (("let it ride",) * 2, ("take back", "let it ride"), ("take back",) * 2):
            settled = played(GAMES["let_it_ride"], order, [first, second], ["base"])
            left = ["base", *(n for n, c in (("first", first), ("second", second)) if c == "let it ride")]
            assert settled == dict.fromkeys(left, (row, 10 * pays))


@pytest.mark.parametrize(
    ("cards", "row", "pays"),
    [
        ("As Ks Qs Js Ts", "royal flush", 500),
        ("9s 9d 9c 2s 9h", "four of a kind", 40),
        ("9s 2s 4s Ks Qs", "flush", 6),
        ("Js Jd 2c 3s Kh", "jacks or better", 1),
        ("Ts Td 2c 3s Kh", "push", 0),
        ("6s 2d 6c 3s Kh", "push", 0),
        ("5s 5d 2c 3s Kh", "lose", -1),
        ("As Qd 2c 3s Kh", "lose", -1),
    ],
)
def test_a_round_of_mississippi_stud(cards: str, row: str, pays: int) -> None:
    game = GAMES["mississippi_stud"]
    settled = played(game, cards, ["1x", "2x", "3x"], ["ante"])
    streets = {"3rd-street": 1, "4th-street": 2, "5th-street": 3}
    assert settled == {"ante": (row, 10 * pays)} | {s: (row, 10 * n * pays) for s, n in streets.items()}
    assert played(game, cards, ["fold"], ["ante"]) == {"ante": ("lose", -10)}
    late = played(game, cards, ["3x", "2x", "fold"], ["ante"])
    assert late == {"ante": ("lose", -10), "3rd-street": ("lose", -30), "4th-street": ("lose", -20)}


# ---- simulated


@pytest.mark.parametrize("name", GAMES)
def test_a_million_simulated_rounds_agree(name: str) -> None:
    run = Run(GAMES[name].at(), seed=7)
    assert run.table.nbytes < 100_000_000  # four visible cards are 52^4 bytes a decision
    for wager in run.run(1_000_000).wagers:
        assert wager.z is not None and abs(wager.z) < 4, (wager.wager, wager.z)
        assert wager.p_value is not None and wager.p_value > 1e-4, (wager.wager, wager.p_value)
