"""Bluff, clause by clause: the figures are counted over ranks straight from the rules, by code that shares nothing."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from helpers import GAME_FILES, load_game
from pitboss.cards import cards_of
from pitboss.deal import simulate
from pitboss.exact import analyze
from pitboss.ledger.records import Analysis
from pitboss.live import Round, Seat
from pitboss.rules import BadInput, Game, House

GAME: Game = load_game(next(path for path in GAME_FILES if path.stem == "bluff"))
DECKS = (2, 4, 6, 8)
RANKS = range(2, 15)  # 14 is the ace
MOVES = ("check", "call", "raise")
READINGS = [(d, tie, limit) for d in DECKS for tie in ("fold-first", "push-first") for limit in ("standard", "high")]


@cache
def analysis(decks: int = 6, tie: str = "fold-first", limit: str = "standard", strategy: str = "optimal") -> Analysis:
    return analyze(GAME.at({"decks": decks, "tie": tie, "limit": limit}), strategy)


def code(rank: int, suit: int = 0) -> int:
    return 4 * (rank - 2) + suit


# ---- the rules once more, in plain Python


def dealer_bets(his: int) -> bool:
    return his in (2, 3) or his >= 9


def settled(move: str, mine: int, his: int, again: bool = False, push_first: bool = False) -> dict[str, int]:
    """What each main wager brings, in units."""
    high = (mine > his) - (mine < his)
    folded = 0 if push_first and mine == his else None
    if move == "raise":
        if his <= 6:
            return {"ante": 1 if folded is None else folded, "raise": 0}
        return {"ante": high, "raise": high}
    if move == "call":
        if not dealer_bets(his):
            return {"ante": high, "call": 0}
        if not again:
            return {"ante": high, "call": high}
        if his <= 3:
            return {"ante": 1 if folded is None else folded, "call": 0, "re-raise": 0}
        return {"ante": high, "call": high, "re-raise": high}
    if dealer_bets(his):
        return {"ante": -1 if folded is None else folded}
    return {"ante": high}


def ways(mine: int, his: int, decks: int) -> int:
    return 4 * decks * (4 * decks - (mine == his))


def worth(mine: int, decks: int, tie: str, limit: str) -> dict[str, Fraction]:
    """What each move brings with this card, over all cards of the dealer's."""

    def total(move: str, his_cards: list[int], again: bool = False) -> int:
        push = tie == "push-first"
        return sum(ways(mine, h, decks) * sum(settled(move, mine, h, again, push).values()) for h in his_cards)

    betting, checking = [h for h in RANKS if dealer_bets(h)], [h for h in RANKS if not dealer_bets(h)]
    facing = [total("call", betting)] + ([total("call", betting, again=True)] if limit == "high" else [])
    sums = {
        "check": total("check", list(RANKS)),
        "call": total("call", checking) + max(facing),
        "raise": total("raise", list(RANKS)),
    }
    return {move: Fraction(value, 4 * decks * (52 * decks - 1)) for move, value in sums.items()}


def counted_edge(decks: int, tie: str, limit: str) -> Fraction:
    return -sum((max(worth(mine, decks, tie, limit).values()) for mine in RANKS), Fraction(0)) / 13


# ---- the main game


@pytest.mark.parametrize(("decks", "tie", "limit"), READINGS)
def test_the_exact_edge_equals_a_count_over_ranks(decks: int, tie: str, limit: str) -> None:
    assert analysis(decks, tie, limit).wager("ante").house_edge == counted_edge(decks, tie, limit)


@pytest.mark.parametrize(("decks", "tie", "limit"), READINGS)
def test_every_choice_is_worth_what_a_count_over_ranks_says(decks: int, tie: str, limit: str) -> None:
    chart = [line for line in analysis(decks, tie, limit).strategy if line.decision == "first action"]
    assert len(chart) == 13
    for mine, line in zip(RANKS, chart, strict=True):
        assert dict(line.values) == worth(mine, decks, tie, limit)
        assert line.probability == Fraction(1, 13)


@pytest.mark.parametrize(
    ("decks", "tie", "limit", "edge"),
    [
        (2, "fold-first", "standard", Fraction(59, 1339)),
        (4, "fold-first", "standard", Fraction(5, 117)),
        (6, "fold-first", "standard", Fraction(171, 4043)),
        (8, "fold-first", "standard", Fraction(227, 5395)),
        (6, "fold-first", "high", Fraction(75, 4043)),
        (6, "push-first", "standard", Fraction(240, 4043)),
    ],
)
def test_known_edges(decks: int, tie: str, limit: str, edge: Fraction) -> None:
    assert analysis(decks, tie, limit).wager("ante").house_edge == edge


def test_BL_C1_the_document_is_right_to_its_digits_for_six_and_eight_decks() -> None:
    edges = {d: float(analysis(d).wager("ante").house_edge) for d in DECKS}
    assert {d: f"{e:.1%}" for d, e in edges.items()} == {2: "4.4%", 4: "4.3%", 6: "4.2%", 8: "4.2%"}


def test_BL_C4_the_high_limit_edge_comes_down_to_1_8_percent() -> None:
    edges = [analysis(d, limit="high").wager("ante").house_edge for d in DECKS]
    assert f"{float(min(edges)):.1%}" == "1.8%" and max(edges) < Fraction(5, 100)


def live(
    mine: str, his: str, *choices: str, options: Mapping[str, str] | None = None, bets: str = "ante", streak: int = 0
) -> Round:
    """One player against these two cards."""
    house = GAME.at(options)
    stakes = {name: Fraction(10 if name == "ante" else 5) for name in bets.split()}
    return Round(house, cards_of(f"{mine} {his}"), [Seat(stakes, {"streak": streak})], [(1, c) for c in choices])


def nets(round_: Round) -> dict[str, Fraction]:
    return {e["wager"]: Fraction(e["net"]) for e in round_.settled()}


# ---- BL-1 to BL-4: the deal and the choices


def test_BL_1_shoes_of_two_four_six_and_eight_decks() -> None:
    for decks in DECKS:
        assert GAME.at({"decks": decks}).composition == (decks,) * 52
    for decks in (1, 3, 5, 7, 10):
        with pytest.raises(BadInput, match=f"option decks: {decks} is not one of 2, 4, 6 or 8"):
            GAME.at({"decks": decks})
    assert 1 <= Fraction(GAME.cut_card) <= Fraction(3, 2)


def test_BL_1_ace_is_high_and_the_deuce_low() -> None:
    assert nets(live("Ac", "Kd", "raise")) == {"ante": 10, "raise": 10}
    assert nets(live("2c", "7d", "raise")) == {"ante": -10, "raise": -10}


@pytest.mark.parametrize(
    ("bets", "message"),
    [
        ({"suit-tie": 5}, "suit-tie needs a bet on ante"),
        ({}, "a bet on ante is required"),
        ({"ante": 4}, "ante takes $5 to $500; $4 is not allowed"),
        ({"ante": 501}, "ante takes $5 to $500; $501 is not allowed"),
        ({"ante": 10, "suit-tie": 4}, "suit-tie takes $5 to $500; $4 is not allowed"),
        ({"ante": 10, "progressive": 6}, "progressive is exactly $5, no more and no less; $6 is not allowed"),
        ({"ante": 10, "progressive": 1}, "progressive is exactly $5, no more and no less; $1 is not allowed"),
        ({"progressive": 5}, "progressive needs a bet on ante"),
        ({"ante": 10, "raise": 10}, "raise is not a bet before the deal; there are ante, suit-tie, progressive"),
    ],
)
def test_BL_2_bets_before_the_deal(bets: dict[str, int], message: str) -> None:
    with pytest.raises(BadInput) as caught:
        Round(GAME.at(), cards_of("2c 3d"), [Seat({k: Fraction(v) for k, v in bets.items()})])
    assert str(caught.value) == message


def test_BL_3_one_card_face_down_to_each_player_then_one_to_the_dealer() -> None:
    seats = [Seat({"ante": Fraction(5)})] * 3
    table = Round(GAME.at(), cards_of("2c 9d Ah 5s"), seats)
    assert table.events == [
        {"event": "deal", "to": "player", "cards": ["2c"], "face": "down", "seat": 1},
        {"event": "deal", "to": "player", "cards": ["9d"], "face": "down", "seat": 2},
        {"event": "deal", "to": "player", "cards": ["Ah"], "face": "down", "seat": 3},
        {"event": "deal", "to": "dealer", "cards": ["5s"], "face": "down"},
        {"event": "say", "words": "Players look at their own cards."},
    ]
    for seat, card in ((1, "2c"), (2, "9d"), (3, "Ah")):
        turn = table.turn
        assert turn is not None and (turn.seat, turn.player, turn.dealer, turn.board) == (seat, (card,), (), ())
        table.choose("check")
    assert table.turn is None and table.used == 4


@pytest.mark.parametrize(("move", "second"), [("check", None), ("call", "call"), ("raise", "raise")])
def test_BL_4_raise_and_call_are_a_second_wager_equal_to_the_ante(move: str, second: str | None) -> None:
    table = live("9c", "8d")
    assert table.turn is not None and table.turn.choices == MOVES
    table.choose(move)
    placed = [(e["wager"], e["amount"]) for e in table.events if e["event"] == "bet"]
    assert placed == ([] if second is None else [(second, "10")])


# ---- BL-5, BL-6: the printed policy, card by card


@pytest.mark.parametrize("tie", ["fold-first", "push-first"])
@pytest.mark.parametrize("move", MOVES)
def test_BL_5_the_printed_policy_card_by_card(move: str, tie: str) -> None:
    house = GAME.at({"tie": tie})
    for mine, his in product(RANKS, RANKS):
        table = Round(house, [code(mine), code(his, 1)], [Seat({"ante": Fraction(10)})], [(1, move)])
        wanted = settled(move, mine, his, push_first=tie == "push-first")
        assert table.turn is None and nets(table) == {w: 10 * n for w, n in wanted.items()}, (mine, his)


def test_BL_5_the_dealer_is_turned_after_every_player_has_acted() -> None:
    table = Round(GAME.at(), cards_of("2c 9d Ah 5s"), [Seat({"ante": Fraction(5)})] * 3)
    for move in MOVES:
        assert all(e["event"] not in ("reveal", "settle") for e in table.events)
        table.choose(move)
    kinds = [e["event"] for e in table.events]
    assert kinds.count("reveal") == 1 and kinds.index("reveal") > max(i for i, k in enumerate(kinds) if k == "choose")


def test_BL_5_the_policy_applies_to_each_player_alone() -> None:
    table = Round(GAME.at(), cards_of("5c 5d 5h 6s"), [Seat({"ante": Fraction(10)})] * 3)
    for move in MOVES:
        table.choose(move)
    assert [table.net(seat) for seat in (1, 2, 3)] == [-10, -10, 10]  # he checks, he checks, he folds


def test_BL_6_fold_comes_before_tie() -> None:
    assert nets(live("6c", "6d", "raise")) == {"ante": 10, "raise": 0}  # the dealer has folded
    assert nets(live("9c", "9d", "check")) == {"ante": -10}  # the player has folded
    assert nets(live("9c", "9d", "call")) == {"ante": 0, "call": 0}  # compared: a push
    assert nets(live("7c", "7d", "raise")) == {"ante": 0, "raise": 0}
    assert nets(live("4c", "4d", "check")) == {"ante": 0}


def test_BL_6_the_other_reading_pushes_a_tie_first() -> None:
    other = {"tie": "push-first"}
    assert nets(live("6c", "6d", "raise", options=other)) == {"ante": 0, "raise": 0}
    assert nets(live("9c", "9d", "check", options=other)) == {"ante": 0}
    assert nets(live("6c", "5d", "raise", options=other)) == {"ante": 10, "raise": 0}


# ---- BL-7: strategy


@pytest.mark.parametrize("decks", DECKS)
def test_BL_7_best_choices_and_their_ties(decks: int) -> None:
    chart = analysis(decks).strategy
    best = {rank: line.best for rank, line in zip(RANKS, chart, strict=True)}
    assert all(best[r] == ("raise",) for r in (2, 3, 4))
    assert all(best[r] == ("check", "call") for r in (5, 6, 7, 8))
    assert all(best[r] == ("call", "raise") for r in range(9, 15))


@pytest.mark.parametrize("decks", DECKS)
def test_BL_C5_the_casual_strategy_is_as_good_as_the_best(decks: int) -> None:
    casual = analysis(decks, strategy="casual").wager("ante")
    assert casual.house_edge == analysis(decks).wager("ante").house_edge


def test_BL_7_the_casual_strategy_is_the_published_one() -> None:
    chart = analysis(6, strategy="casual").strategy
    assert [line.chosen for line in chart] == ["raise"] * 3 + ["call"] * 4 + ["raise"] * 6


# ---- BL-8: Suit & Tie


@pytest.mark.parametrize("decks", DECKS)
@pytest.mark.parametrize(("table", "top"), [("standard", 15), ("1,3,12", 12)])
def test_BL_8_suit_and_tie_equals_its_closed_form(decks: int, table: str, top: int) -> None:
    result = analyze(GAME.at({"decks": decks}, {"suit-tie": table})).wager("suit-tie")
    cards = 52 * decks - 1
    suit, tie, match = Fraction(12 * decks, cards), Fraction(3 * decks, cards), Fraction(decks - 1, cards)
    assert {o.outcome: (o.probability, o.pays) for o in result.outcomes} == {
        "suit": (suit, 1),
        "tie": (tie, 3),
        "match": (match, top),
        "lose": (1 - suit - tie - match, -1),
    }
    assert result.house_edge == 1 - 2 * suit - 4 * tie - (top + 1) * match
    if table == "standard":
        assert result.house_edge == Fraction(15, cards)


def test_BL_8_six_decks() -> None:
    assert analysis().wager("suit-tie").house_edge == Fraction(15, 311)


def test_BL_C2_suit_and_tie_stays_within_the_claimed_edges() -> None:
    edges = [analysis(d).wager("suit-tie").house_edge for d in DECKS]
    assert Fraction(2, 100) < min(edges) and max(edges) < Fraction(15, 100)


@pytest.mark.parametrize(
    ("his", "row", "net"), [("9c", "match", 75), ("9h", "tie", 15), ("Kc", "suit", 5), ("Kh", "lose", -5)]
)
def test_BL_8_the_best_row_pays_and_no_other(his: str, row: str, net: int) -> None:
    table = live("9c", his, "call", bets="ante suit-tie")
    event = next(e for e in table.settled() if e["wager"] == "suit-tie")
    assert (event["row"], Fraction(event["net"])) == (row, net)


# ---- BL-9: Progressive


def match_chance(decks: int) -> Fraction:
    return Fraction(decks - 1, 52 * decks - 1)


def rates(decks: int, version: str) -> dict[str, Fraction]:
    """How often each award is won, per bet, when hands are independent."""
    p = match_chance(decks)
    steps = [p, p**2] if version == "two" else [p, p**2, p**3]
    states = 1 + sum(steps[:-1])  # one round in so many starts without a streak
    names = ["match", "jackpot", "super jackpot"]
    return {name: step / states for name, step in zip(names, steps, strict=False)}


AMOUNTS = {"match": Fraction(100), "jackpot": Fraction(10_000), "super jackpot": Fraction(100_000)}
SEEDS = {"jackpot": Fraction(5_000), "super jackpot": Fraction(50_000)}
INCREMENTS = {"jackpot": Fraction(3, 2), "super jackpot": Fraction(1, 4)}


def test_BL_9_the_rates_are_the_closed_forms() -> None:
    for decks in DECKS:
        p = match_chance(decks)
        assert rates(decks, "two")["jackpot"] == p**2 / (1 + p)
        assert rates(decks, "three")["super jackpot"] == p**3 / (1 + p + p**2)


@pytest.mark.parametrize("returned", [False, True], ids=["dropped", "returned"])
@pytest.mark.parametrize("version", ["two", "three"])
@pytest.mark.parametrize("decks", DECKS)
def test_BL_9_progressive_equals_its_closed_forms(decks: int, version: str, returned: bool) -> None:
    options = {"decks": decks, "progressive": version, "progressive-bet": "returned" if returned else "dropped"}
    (found,) = analyze(GAME.at(options)).progressives
    chance = rates(decks, version)

    def edge(amounts: Mapping[str, Fraction]) -> Fraction:
        won = sum((chance[row] * (amounts[row] + 5 * returned) for row in chance), Fraction(0))
        return 1 - won / 5

    assert found.stake == 5
    assert found.edge_at_meter == edge(AMOUNTS)
    assert {m.row for m in found.meters} == set(chance) - {"match"}
    grown = dict(AMOUNTS)
    for meter in found.meters:
        assert meter.probability == chance[meter.row]
        assert edge({**AMOUNTS, meter.row: meter.break_even}) == 0
        assert meter.average == SEEDS[meter.row] + INCREMENTS[meter.row] / chance[meter.row]
        grown[meter.row] = meter.average
    assert found.long_run_edge == edge(grown)


@pytest.mark.parametrize("decks", DECKS)
@pytest.mark.parametrize("version", ["two", "three"])
def test_BL_9_two_hands_from_one_shoe_are_counted_by_hand(decks: int, version: str) -> None:
    """Two matches in a row from one shoe: the same card twice, or two different ones."""
    n, d = 52 * decks, decks
    same = 52 * d * (d - 1) * (d - 2) * (d - 3)
    different = 52 * 51 * (d * (d - 1)) ** 2
    both = Fraction(same + different, n * (n - 1) * (n - 2) * (n - 3))
    p = match_chance(decks)
    states = 1 + p if version == "two" else 1 + p + p**2
    (found,) = analyze(GAME.at({"decks": decks, "progressive": version})).progressives
    again = {m.row: m.same_shoe for m in found.meters}
    assert again["jackpot"] == both / states  # the hand before the two was no match
    if version == "three":
        assert again["super jackpot"] == p / states * both


def progressive(mine: str, his: str, streak: int, version: str = "two", bets: str = "ante progressive") -> Round:
    return live(mine, his, "check", options={"progressive": version}, bets=bets, streak=streak)


@pytest.mark.parametrize(
    ("version", "streak", "row", "net", "after"),
    [
        ("two", 0, "match", 95, 1),
        ("two", 1, "jackpot", 9_995, 0),
        ("three", 0, "match", 95, 1),
        ("three", 1, "jackpot", 9_995, 2),
        ("three", 2, "super jackpot", 99_995, 0),
    ],
)
def test_BL_9_matches_in_a_row(version: str, streak: int, row: str, net: int, after: int) -> None:
    table = progressive("9c", "9c", streak, version)
    event = next(e for e in table.settled() if e["wager"] == "progressive")
    assert (event["row"], Fraction(event["net"]), table.carried()) == (row, net, {"streak": after})


@pytest.mark.parametrize("version", ["two", "three"])
@pytest.mark.parametrize("his", ["9d", "Kc", "2h"])
def test_BL_9_a_hand_without_a_match_breaks_the_streak(version: str, his: str) -> None:
    table = progressive("9c", his, 1, version)
    event = next(e for e in table.settled() if e["wager"] == "progressive")
    assert (event["row"], Fraction(event["net"]), table.carried()) == ("lose", -5, {"streak": 0})


def test_BL_9_a_hand_without_the_bet_breaks_the_streak() -> None:
    assert progressive("9c", "9c", 0).carried() == {"streak": 1}
    for version, streak in (("two", 0), ("three", 0), ("three", 1)):
        table = progressive("9c", "9c", streak, version, bets="ante")
        assert table.carried() == {"streak": 0} and "progressive" not in nets(table)


def test_BL_9_the_bet_comes_back_with_an_award_where_the_house_says_so() -> None:
    table = live("9c", "9c", "check", options={"progressive-bet": "returned"}, bets="ante progressive", streak=1)
    assert nets(table)["progressive"] == 10_000


def test_BL_9_the_meter_is_paid_to_the_cent() -> None:
    table = live("9c", "9c", "check", options={"meter": "12345.67"}, bets="ante progressive", streak=1)
    assert nets(table)["progressive"] == Fraction("12345.67") - 5


def test_BL_C6_the_jackpot_averages_ten_thousand_or_more_with_six_and_eight_decks() -> None:
    for decks in (6, 8):
        (found,) = analysis(decks).progressives
        assert found.meters[0].average >= 10_000


# ---- BL-10: the high limit


@pytest.mark.parametrize("tie", ["fold-first", "push-first"])
@pytest.mark.parametrize("again", [False, True], ids=["stand pat", "re-raise"])
def test_BL_10_a_caller_who_faces_a_raise_may_re_raise(again: bool, tie: str) -> None:
    house = GAME.at({"limit": "high", "tie": tie})
    for mine, his in product(RANKS, RANKS):
        table = Round(house, [code(mine), code(his, 1)], [Seat({"ante": Fraction(10)})], [(1, "call")])
        if dealer_bets(his):
            turn = table.turn
            assert turn is not None and turn.choices == ("stand pat", "re-raise") and turn.dealer == ()
            table.choose("re-raise" if again else "stand pat")
        wanted = settled("call", mine, his, again and dealer_bets(his), tie == "push-first")
        assert table.turn is None and nets(table) == {w: 10 * n for w, n in wanted.items()}, (mine, his)


@pytest.mark.parametrize("move", ["check", "raise"])
def test_BL_10_nobody_else_may_re_raise(move: str) -> None:
    for his in RANKS:
        assert live("5c", f"{'  23456789TJQKA'[his]}d", move, options={"limit": "high"}).turn is None


def test_BL_10_the_limit_changes_nothing_but_the_call() -> None:
    standard, high = analysis(), analysis(limit="high")
    for before, after in zip(standard.strategy, high.strategy, strict=False):
        assert before.values["check"] == after.values["check"] and before.values["raise"] == after.values["raise"]
        assert after.values["call"] >= before.values["call"]
    assert standard.wager("suit-tie").house_edge == high.wager("suit-tie").house_edge


# ---- BL-11: the order of settling


@pytest.mark.parametrize(
    ("choices", "main"),
    [
        (["check"], ["ante"]),
        (["call", "stand pat"], ["ante", "call"]),
        (["call", "re-raise"], ["ante", "call", "re-raise"]),
        (["raise"], ["ante", "raise"]),
    ],
)
def test_BL_11_main_bets_settle_first_then_suit_and_tie_then_progressive(choices: list[str], main: list[str]) -> None:
    table = live("9c", "Kc", *choices, options={"limit": "high"}, bets="ante suit-tie progressive")
    assert table.turn is None
    assert [e["wager"] for e in table.settled()] == [*main, "suit-tie", "progressive"]


# ---- simulation


def within(house: House, rounds: int, seed: int) -> None:
    for wager in simulate(house, rounds, seed=seed).wagers:
        assert wager.z is not None and abs(wager.z) < 4, (wager.wager, wager.z)
        assert wager.p_value is None or wager.p_value > 1e-4, (wager.wager, wager.p_value)
        assert wager.standard_error > 0


@pytest.mark.parametrize(("decks", "tie", "limit"), READINGS)
def test_simulation_is_within_four_standard_errors(decks: int, tie: str, limit: str) -> None:
    within(GAME.at({"decks": decks, "tie": tie, "limit": limit}), 2_000_000, seed=decks)


@pytest.mark.parametrize("version", ["two", "three"])
@pytest.mark.parametrize("decks", [2, 8])
@pytest.mark.parametrize("bet", ["dropped", "returned"])
def test_simulated_progressives_are_within_four_standard_errors(decks: int, version: str, bet: str) -> None:
    within(GAME.at({"decks": decks, "progressive": version, "progressive-bet": bet}), 8_000_000, seed=11)
