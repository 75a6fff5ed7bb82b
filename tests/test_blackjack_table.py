"""Blackjack at the live table and at the terminal: hands that grow and split, insurance, side bets settled early."""

import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import pytest

from pitboss.cards import card_name, cards_of, shoe_cards
from pitboss.cli import hints, main, talk
from pitboss.exact import Study
from pitboss.games.blackjack import GAME
from pitboss.live import Round, Seat, Shoe, log_of, replay
from pitboss.rules import BadInput, Choice, Column, Game, Hand, House, column, highest, lookup
from test_play import ENTER, FLOP, POT_ANTE, Session, drawn, words

HOUSE = GAME.at()
GAME_COUNT = Study(HOUSE)
MAIN = {"main": Fraction(10)}
LUCKY = {**MAIN, "lucky-lucky": Fraction(5)}
BREAK = {**MAIN, "lucky-break": Fraction(5)}
ALL = {**LUCKY, "lucky-break": Fraction(5)}
Bets = dict[str, Fraction]


def at(cards: str, *choices: str, bets: Sequence[Bets] = (MAIN,), house: House = HOUSE) -> Round:
    """A round on these cards: first cards, the up-card, second cards, the hidden card, then what is drawn."""
    table = Round(house, cards_of(cards), [Seat(b) for b in bets])
    for choice in choices:
        table.choose(choice)
    return table


def told(table: Round, kind: str, *what: str) -> list[tuple[Any, ...]]:
    return [tuple(e.get(x) for x in what) for e in table.events if e["event"] == kind]


def nets(table: Round, seat: int = 1) -> dict[str, str]:
    return {e["wager"]: e["net"] for e in table.settled(seat)}


def dealers(table: Round) -> list[str]:
    return [c for e in table.events if e["event"] == "deal" and e["to"] == "dealer" for c in e["cards"]]


def place(table: Round, kind: str, **what: Any) -> int:
    """Where the first such event stands in the log."""
    return next(i for i, e in enumerate(table.events) if e["event"] == kind and what.items() <= e.items())


# ---- the deal


def test_cards_are_dealt_round_the_table_and_the_dealer_gets_his_last() -> None:
    table = at("2c 3c 4c 5d 6h 7h 8h 9s", bets=[MAIN] * 3)
    assert told(table, "deal", "to", "seat", "cards", "face") == [
        ("player", 1, ["2c"], "up"),
        ("player", 2, ["3c"], "up"),
        ("player", 3, ["4c"], "up"),
        ("dealer", None, ["5d"], "up"),
        ("player", 1, ["6h"], "up"),
        ("player", 2, ["7h"], "up"),
        ("player", 3, ["8h"], "up"),
        ("dealer", None, ["9s"], "down"),
    ]
    turn = table.turn
    assert turn is not None and (turn.seat, turn.player, turn.dealer) == (1, ("2c", "6h"), ("5d",))
    assert (turn.hand, turn.hands, turn.by) == (1, (("2c", "6h"),), {"total": 8, "soft": False, "dealer": 5})


def test_seats_play_in_order_and_the_dealer_after_the_last_of_them_once() -> None:
    table = at("Tc Td 9c 6h Th 8d 4c 9s 5c 6s 2d", "stand", "hit", "hit", "stand", bets=[MAIN] * 3)
    assert told(table, "choose", "seat", "choice") == [(1, "stand"), (2, "hit"), (3, "hit"), (3, "stand")]
    assert told(table, "deal", "to", "seat", "cards")[8:] == [
        ("player", 2, ["5c"]),
        ("player", 3, ["6s"]),
        ("dealer", None, ["2d"]),
    ]
    assert dealers(table) == ["6h", "9s", "2d"] and len(told(table, "reveal", "who")) == 1
    assert [table.net(seat) for seat in (1, 2, 3)] == [10, -10, 10]


def test_lucky_lucky_is_settled_from_the_right_before_anybody_decides() -> None:
    """LL-3: the dealer settles it as soon as all have their cards."""
    table = at("6c 9c Tc 7d 8h 5h 9h 9s", bets=[LUCKY] * 3)
    assert told(table, "settle", "seat", "wager", "row") == [
        (3, "lucky-lucky", "lose"),
        (2, "lucky-lucky", "21"),
        (1, "lucky-lucky", "6-7-8"),
    ]
    assert not told(table, "choose", "seat") and table.turn is not None and table.turn.seat == 1


# ---- splits and doubles

EIGHTS = "8c 6d 8d Th 8h 8s Tc 3c Td 9h 2h 7d 5c"


def test_a_pair_is_split_to_four_hands_and_one_of_them_doubled() -> None:
    table = at(EIGHTS)
    seen = []
    for choice in ("split", "split", "split", "stand", "double", "stand", "hit", "stand"):
        turn = table.turn
        assert turn is not None and choice in turn.choices
        seen.append((turn.hand, turn.by["total"], [" ".join(hand) for hand in turn.hands]))
        table.choose(choice)
    assert seen == [
        (1, 16, ["8c 8d"]),
        (1, 16, ["8c 8h", "8d"]),
        (1, 16, ["8c 8s", "8d", "8h"]),
        (1, 18, ["8c Tc", "8d", "8h", "8s"]),
        (2, 11, ["8c Tc", "8d 3c", "8h", "8s"]),
        (3, 17, ["8c Tc", "8d 3c Td", "8h 9h", "8s"]),
        (4, 10, ["8c Tc", "8d 3c Td", "8h 9h", "8s 2h"]),
        (4, 17, ["8c Tc", "8d 3c Td", "8h 9h", "8s 2h 7d"]),
    ]
    assert table.turn is None and dealers(table) == ["6d", "Th", "5c"]  # 21: all but the doubled hand lose
    assert told(table, "split", "seat", "hand", "to") == [(1, 1, 2), (1, 1, 3), (1, 1, 4)]
    assert told(table, "bet", "wager", "amount") == [
        ("hand-2", "10"),
        ("hand-3", "10"),
        ("hand-4", "10"),
        ("hand-2", "10"),
    ]
    assert told(table, "deal", "cards", "hand")[6:12] == [
        (["Tc"], None),
        (["3c"], 2),
        (["Td"], 2),
        (["9h"], 3),
        (["2h"], 4),
        (["7d"], 4),
    ]
    assert told(table, "settle", "wager", "row", "stake") == [
        ("main", "lose", "10"),
        ("hand-2", "push", "20"),
        ("hand-3", "lose", "10"),
        ("hand-4", "lose", "10"),
    ]
    assert table.net() == -30


def test_the_fourth_hand_is_not_split_again() -> None:
    table = at("8c 6d 8d Th 8h 8s 8c", "split", "split", "split")
    assert table.turn is not None and table.turn.hands[0] == ("8c", "8c") and "split" not in table.turn.choices


def test_a_later_hand_is_split_too() -> None:
    table = at("8c 6d 8d Th Tc 8h 9c", "split", "stand", "split")
    assert told(table, "split", "hand", "to") == [(1, 2), (2, 3)]
    assert table.turn is not None and table.turn.hand == 2
    assert table.turn.hands == (("8c", "Tc"), ("8d", "9c"), ("8h",))


def test_a_double_gets_one_card_and_pays_twice() -> None:
    table = at("6c 6d 5d Th 9h Tc", "double")
    assert told(table, "bet", "wager", "amount") == [("double", "10")]
    assert told(table, "settle", "wager", "stake", "net") == [("main", "10", "10"), ("double", "10", "10")]


def test_split_aces_get_one_card_each() -> None:
    table = at("Ac 6d Ad Th 9c 8h 5s", "split")
    assert table.turn is None and told(table, "deal", "cards", "hand")[4:6] == [(["9c"], None), (["8h"], 2)]
    assert nets(table) == {"main": "-10", "hand-2": "-10"}


# ---- insurance and blackjacks


@pytest.mark.parametrize(("hole", "won"), [("Kd", {"insurance": "10", "main": "-10"}), ("7d", {"insurance": "-5"})])
def test_insurance_is_won_or_lost_before_the_hand_is_played(hole: str, won: dict[str, str]) -> None:
    table = at(f"Tc Ac 9d {hole}", "insurance")
    assert told(table, "bet", "wager", "amount") == [("insurance", "5")]
    assert nets(table) == won
    assert (table.turn is None) == (hole == "Kd")


def test_insurance_is_asked_of_all_before_the_dealer_looks_and_settled_from_the_right() -> None:
    table = at("Tc 9c 8c Ad 9d 9h 9s 7d", bets=[MAIN] * 3)
    for seat in (1, 2, 3):
        assert table.turn is not None and (table.turn.seat, table.turn.decision) == (seat, "insurance")
        assert not told(table, "settle", "seat")
        table.choose("no insurance" if seat == 2 else "insurance")
    assert told(table, "settle", "seat", "wager", "net") == [(3, "insurance", "-5"), (1, "insurance", "-5")]
    assert table.turn is not None and (table.turn.seat, table.turn.decision) == (1, "play")


def test_what_is_declined_leaves_no_trace() -> None:
    table = at("Tc Ac 9d 7d", "no insurance", "stand")
    assert not told(table, "bet", "wager")
    assert told(table, "settle", "wager") == [("main",)]


def test_a_dealers_blackjack_ends_the_round() -> None:
    table = at("Tc Ac Kc Td Qd Ah", bets=[BREAK, MAIN])
    assert table.turn is None and table.used == 6
    assert nets(table) == {"main": "-10", "lucky-break": "-5"} and nets(table, 2) == {"main": "0"}
    assert told(table, "reveal", "cards") == [(["Kc", "Ah"],)]


def test_a_blackjack_is_paid_at_once_and_the_dealer_does_not_draw_for_it() -> None:
    table = at("Ac 6d Kc Th")
    assert table.turn is None and nets(table) == {"main": "15"} and dealers(table) == ["6d", "Th"]


def test_the_dealer_completes_his_hand_for_a_lucky_break() -> None:
    """LB-2: a blackjack or a bust does not end it."""
    natural = at("Ac 6d Kc Th 9c", bets=[BREAK])
    assert dealers(natural) == ["6d", "Th", "9c"] and nets(natural) == {"main": "15", "lucky-break": "15"}
    bust = at("Tc 6d 6c Th Td 6c", "hit", bets=[BREAK])
    assert dealers(bust) == ["6d", "Th", "6c"] and nets(bust)["main"] == "-10"
    assert Fraction(nets(bust)["lucky-break"]) > 0


def test_the_dealer_does_not_draw_when_all_are_bust_and_nothing_else_is_bet() -> None:
    table = at("Tc Td 6d 6c 6h Th Kc Kd", "hit", "hit", bets=[MAIN, MAIN])
    assert table.turn is None and dealers(table) == ["6d", "Th"] and table.used == 8
    assert told(table, "reveal", "who") == [("dealer",)]


def test_one_seat_needs_the_dealers_cards_and_another_does_not() -> None:
    table = at("Tc Td 6d 6c 9h Th Kc 5c", "hit", "stand", bets=[MAIN, MAIN])
    assert dealers(table) == ["6d", "Th", "5c"]
    assert (nets(table), nets(table, 2)) == ({"main": "-10"}, {"main": "-10"})


# ---- the log, the chips and the shoe


def random_round(seed: int) -> Round:
    """Any options, one to five seats with any bets, and choices at random."""
    rng = random.Random(seed)
    while True:
        options = {o.name: rng.choice(o.values) for o in GAME.options if isinstance(o, Choice) and rng.random() < 0.5}
        try:
            house = GAME.at(options)
        except BadInput:  # options that cannot go together
            continue
        break
    cards = shoe_cards(house.composition)
    rng.shuffle(cards)
    sides = [name for name in house.parties if name != "main"]
    bets = [["main", *(side for side in sides if rng.random() < 0.6)] for _ in range(rng.randint(1, 5))]
    table = Round(house, cards, [Seat({name: Fraction(rng.randrange(5, 99)) for name in names}) for names in bets])
    while table.turn is not None:
        eager = [c for c in table.turn.choices if c in ("split", "double")]
        table.choose(rng.choice(eager if eager and rng.random() < 0.4 else table.turn.choices))
    return table


@pytest.mark.parametrize("block", range(4))
def test_random_rounds_replay_conserve_chips_and_deal_in_order(block: int) -> None:
    for seed in range(50 * block, 50 * block + 50):
        table = random_round(seed)
        again = replay(GAME, json.loads(json.dumps(log_of(table))))
        assert again.events == table.events and again.turn is None
        seats = range(1, len(table.seats) + 1)
        assert [again.net(s) for s in seats] == [table.net(s) for s in seats]
        gone = [card_name(c) for c in table.shoe[: table.used]]
        assert [c for (cards,) in told(table, "deal", "cards") for c in cards] == gone
        for seat in seats:
            check_chips(table, seat)


def check_chips(table: Round, seat: int) -> None:
    """Every chip that was put down is settled once, at its stake, by its pay table."""
    placed = dict(table.seats[seat - 1].bets)
    for event in table.events:
        if event["event"] == "bet" and event["seat"] == seat:
            assert Fraction(event["amount"]) > 0
            placed[event["wager"]] = placed.get(event["wager"], Fraction(0)) + Fraction(event["amount"])
    settled = table.settled(seat)
    assert {e["wager"]: Fraction(e["stake"]) for e in settled} == placed and len(settled) == len(placed)
    for event in settled:
        pay = table.house.tables[event["wager"]].pay(event["row"])
        assert isinstance(pay, Fraction) and Fraction(event["net"]) == Fraction(event["stake"]) * pay


def test_a_round_under_way_is_taken_up_where_it_was() -> None:
    table = at(EIGHTS, "split", "split", "split", "stand", bets=[ALL])
    again = replay(GAME, json.loads(json.dumps(log_of(table))))
    assert again.turn == table.turn and again.counts() == table.counts() == {1: {"total": 18, "soft": False}} | {
        2: {"total": 11, "soft": False},
        3: {"total": 8, "soft": False},
        4: {"total": 8, "soft": False},
    }


def test_a_shoe_that_runs_out_in_a_round_is_filled_up_from_the_discards() -> None:
    house = GAME.at({"decks": 1})
    shoe = Shoe(house, shuffle=lambda cards: sorted(cards, reverse=True))
    shoe.advance(47)
    assert [card_name(c) for c in shoe.rest()] == ["3c", "2s", "2h", "2d", "2c"]
    table = Round(house, shoe.rest(), [Seat(MAIN)], more=shoe.discards)
    table.choose("hit")
    table.choose("hit")
    assert table.turn is not None and table.turn.player == ("3c", "2h", "2c", "As"), "the first of the discards"
    while table.turn is not None:
        table.choose("stand")
    assert replay(GAME, log_of(table)).events == table.events
    shoe.advance(table.used)
    assert shoe.out and shoe.rest() == []


def test_when_even_the_discards_are_too_few_it_is_one_sentence() -> None:
    with pytest.raises(BadInput, match="the shoe has 5 cards left, too few to finish the round; shuffle first"):
        Round(HOUSE, cards_of("2c 3c 4c"), [Seat(MAIN)], [(1, "hit"), (1, "hit")], more=lambda: cards_of("5c 6c"))


# ---- what a hand counts


def counts(cards: Hand) -> dict[str, Column]:
    tens = highest(*(lookup([0] * 8 + [1] * 4 + [0], card.rank) for card in cards))
    return {"total": column(len(cards)), "tens": tens}


@dataclass(frozen=True)
class Counting(Game):
    counts: Callable[[Hand], dict[str, Column]] = counts


def test_a_game_may_say_what_every_hand_counts() -> None:
    """Otherwise a hand is known by what it was last decided on, until it gets a card."""
    game = Counting(**{f.name: getattr(GAME, f.name) for f in fields(Game) if f.name != "counts"})
    cards, choices = "8c 6d 8d Th Tc 3c Td 9h", ("split", "stand", "double")
    assert at(cards, *choices, house=game.at()).counts() == {
        1: {"total": 2, "tens": True},
        2: {"total": 3, "tens": True},
    }
    if not hasattr(GAME, "counts"):
        assert at(cards, *choices).counts() == {1: {"total": 18, "soft": False}}


# ---- at the terminal


@pytest.fixture(autouse=True)
def counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The count of the house where all sit is the same for every session."""
    monkeypatch.setattr(hints, "Study", lambda house: GAME_COUNT if house == HOUSE else Study(house))


def counted_hints() -> hints.Hints:
    found = hints.Hints(HOUSE)
    assert found.count(lambda: None, priced=False) == ""
    return found


def sat(cards: str, *typed: str, bets: Bets = MAIN, width: int = 80, **more: Any) -> str:
    return Session(HOUSE, cards, width).play(ENTER, *typed, "q", bets=bets, **more)


def test_the_hidden_card_is_a_back_until_the_dealer_plays() -> None:
    _, decision, end = drawn(sat("Tc 6d 9d Th 5c", "stand"))
    assert "│6    │ │░░░░░│" in decision and "│6    │ │10   │ │5    │" in end and "░" not in end


@pytest.mark.parametrize("width", [60, 80, 110])
def test_split_hands_lie_side_by_side_as_far_as_they_fit(width: int) -> None:
    typed = ("split", "split", "split", "stand", "double", "stand", "h", "stand")
    seen = sat(EIGHTS, *typed, width=width)
    assert all(len(line) <= width for line in seen.splitlines())
    at_the_double = drawn(seen)[5]
    assert "▶ hand 2" in at_the_double and at_the_double.count("▶") == 1
    assert [at_the_double.count(f"hand {n} ") for n in (1, 2, 3, 4)] == [1] * 4
    assert "main $10" in at_the_double and "hand-4 $10" in at_the_double
    assert "hand-2 $20" in drawn(seen)[6], "doubled"
    after = words(seen.split("Split into 4 hands.")[1])
    assert "hand-2 $20 push" in after and "this round -$30" in after


def test_a_letter_is_the_start_of_a_choice_and_never_a_hint() -> None:
    seen = sat("Tc 6d 2d Th 5c 7c 5h", "h", "st")
    assert "(* hint, ? help, q leave)" in seen and "│10   │ │2    │ │5    │" in seen
    assert "Play (12):" in seen and "Play (17):" in seen


def test_a_side_bet_that_is_settled_early_is_told_at_once() -> None:
    seen = sat("6c 7d 8h Th 5c", "stand", bets=ALL)
    assert "lucky-lucky: 6-7-8 pays 30 to 1, +$150" in seen
    assert seen.index("+$150") < seen.index("1 stand")
    seen = sat("6c 2d 8h Th 5c", "stand", bets=ALL)
    assert "lucky-lucky: lose, -$5" in seen


def test_insurance_is_offered_by_name() -> None:
    seen = words(sat("Tc Ac 9d Kd", "ins"))
    assert "Insurance (19): 1 no insurance 2 insurance" in seen
    assert "insurance $5 blackjack 2 to 1" in seen and "this round $0" in seen


def test_other_players_play_and_show_what_they_drew() -> None:
    """They play the best choices; a split hand has a line of its own."""
    seen = sat("Tc 5c 9c 6d 9d 6h 9h Th 9s 2s 9d 3h Tc 4s", "stand", seats=3)
    told_of = [line for line in seen.splitlines() if line.startswith("seat ")]
    assert told_of == ["seat 2 doubles: 9♠", "seat 3 splits: 2♠", "seat 3 doubles: 9♦", "seat 3 stands"]
    assert [words(line.strip("┃")) for line in drawn(seen)[-1].splitlines() if "9♥" in line or "seat 3" in line] == [
        "seat 3 9♣ 2♠ 9♦ 20 +$15",
        "9♥ 3♥ 12",
    ]


def test_a_coach_says_at_once_what_was_best_and_what_the_choice_costs() -> None:
    seen = sat("6c 6d 5d Th 9h 4d", "h", "stand", coach=True)
    worth = GAME_COUNT.drawing.drawing.advice(cards_of("6c 5d"), cards_of("6d")[0])
    lost = worth["double"] - worth["hit"]
    assert f"Coach: double is best; hit costs {lost:.4f} units (${lost * 10:.2f}) on average." in seen
    assert seen.index("hit costs") < seen.index("Play (20):") and "Coach: stand is best." in seen
    assert "gave up" not in seen and "Coach" not in sat("6c 6d 5d Th 9h 4d", "h", "stand")
    assert "On average hit gave up" in sat("6c 6d 5d Th 9h 4d", "h", "stand")


def test_a_hint_is_known_at_every_decision_of_a_round() -> None:
    advice, rng = counted_hints().worth, random.Random(5)
    for _ in range(40):
        cards = shoe_cards(HOUSE.composition)
        rng.shuffle(cards)
        table = Round(HOUSE, cards, [Seat(MAIN)] * 3)
        while table.turn is not None:
            assert set(advice(table, table.turn)) == set(table.turn.choices)
            table.choose("split" if "split" in table.turn.choices else rng.choice(table.turn.choices))


def test_insurance_is_worth_what_the_bet_itself_brings() -> None:
    table = at("Tc Ac 9d 7d")
    assert table.turn is not None
    worth = counted_hints().worth(table, table.turn)
    assert worth is not None
    assert worth["no insurance"] == 0 and -0.04 < worth["insurance"] < -0.03 and hints.best(worth) == ["no insurance"]


def test_a_scripted_round_replays() -> None:
    session = Session(HOUSE, EIGHTS)
    session.play(
        ENTER, "split", "split", "split", "stand", "double", *["stand"] * 2, bets=MAIN, json_lines=True, rounds=1
    )
    log = json.loads(session.file.getvalue())
    assert replay(GAME, log).events == log["events"]


# ---- bets for the dealer


def test_LL_2_a_toke_is_paid_on_the_same_schedule_and_goes_to_the_dealer() -> None:
    """6-7-8 of mixed suits pays 30 to 1 on the player's $5 and on the $2 for the dealer, whose it all is."""
    seat = Seat({"main": Fraction(10), "lucky-lucky": Fraction(5)}, tokes={"lucky-lucky": Fraction(2)})
    table = Round(HOUSE, cards_of("6c 8d 7h Ts Td 9c 5c"), [seat], [(1, "stand")])
    (toke,) = table.tokes()
    assert (toke["row"], toke["stake"], toke["net"]) == ("6-7-8", "2", "60")
    settled = {e["wager"]: Fraction(e["net"]) for e in table.settled()}
    assert settled["lucky-lucky"] == 150
    assert table.net() == sum(settled.values()) - 2
    assert replay(GAME, json.loads(json.dumps(log_of(table)))).events == table.events


def test_a_toke_on_lucky_break_keeps_the_dealer_drawing() -> None:
    seat = Seat({"main": Fraction(10)}, tokes={"lucky-break": Fraction(1)})
    table = Round(HOUSE, cards_of("Tc 6d 6h Ts Td 9c 5c"), [seat], [(1, "hit")])
    assert table.tokes()[0]["row"] == "25 unsuited" and Fraction(table.net()) == -11


@pytest.mark.parametrize(
    ("tokes", "says"),
    [({"main": 5}, "lucky-lucky or lucky-break"), ({"lucky-lucky": 1000}, "lucky-lucky takes"), ({"luck": 1}, "luck")],
)
def test_a_toke_that_cannot_be_made_is_one_sentence(tokes: dict[str, int], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        Round(HOUSE, [], [Seat({"main": Fraction(10)}, tokes={k: Fraction(v) for k, v in tokes.items()})])


# ---- one player at several spots

TWO_SPOTS = "Tc 8d 5c 6d 6h 8h 6s Th Td 3c 9c 5d 9s 2c"  # spots 1 and 2, seat 3, the dealer, then what is drawn
TWO_CHOICES = ("hit", "split", "double", "stand")  # spot 1 is bust; of spot 2 one hand wins double, the other loses


def asked_of(seen: str) -> list[str]:
    return [line for line in seen.splitlines() if line.startswith("Spot ") and line.endswith(":")]


@pytest.mark.parametrize("width", [60, 80, 110])
def test_every_spot_is_asked_in_turn_and_the_one_that_plays_lies_before_the_player(width: int) -> None:
    seen = sat(TWO_SPOTS, *TWO_CHOICES, spots=2, seats=3, width=width)
    assert all(len(line) <= width for line in seen.splitlines())
    assert asked_of(seen) == [
        "Spot 1, play (16):",
        "Spot 2, play (16):",
        "Spot 2, play hand 1 (11):",
        "Spot 2, play hand 2 (13):",
    ]
    empty, first, second, _, _, end = (words(felt.replace("┃", "")) for felt in drawn(seen))
    assert "your 2 spots, on each:" in empty
    assert "seat 3 5♣ 6♠ 11 your spot 2 8♦ 8♥ 16" in first and "your spot 1 · 16" in first
    assert "your spot 1 10♣ 6♥ 10♦ 26" in second and "your spot 2 · 16" in second
    assert "spot 1 spot 2, hand 1 spot 2, hand 2" in end and "your 2 spots · $0" in end
    assert "-$10 main +$10 hand-2 -$10 spot 2 +$10" in end
    assert "A computer player sits at seat 3 and bets main $5." in seen and "seat 3 doubles: 9♠" in seen


def test_what_every_spot_won_and_gave_up_is_listed_and_counted() -> None:
    seen = words(sat(TWO_SPOTS, *TWO_CHOICES, bets=LUCKY, tokes={"lucky-lucky": Fraction(1)}, spots=2, seats=3))
    assert "spot 2, lucky-lucky: lose, -$5 spot 1, lucky-lucky: lose, -$5" in seen
    first, second = (
        r"1 lucky-lucky \$5 lose .*-\$5 .*main \$10 lose .*-\$10",
        r"2 lucky-lucky \$5 lose .*-\$5 .*main \$10 win",
    )
    assert re.search(f"{first} .*{second}", seen)
    assert "this round -$12" in seen and "Spot 2: split into 2 hands." in seen
    assert "For the dealer, spot 1: lucky-lucky $1, lose. For the dealer, spot 2: lucky-lucky $1, lose." in seen
    assert "Spot 1: on average hit gave up" in seen and "Spot 2: on average" not in seen
    assert "the wagers and spots of a round taken as independent" in seen


def test_the_running_result_expects_as_much_of_every_spot() -> None:
    tally = talk.Tally(figures={"main": talk.figures(GAME_COUNT.wager("main"))})
    expectation, variance = tally.figures["main"]
    tally.count(Fraction(-15), MAIN, MAIN, MAIN)
    assert tally.rounds == 1 and tally.net == -15
    assert tally.expected == pytest.approx(30 * float(expectation))
    assert tally.variance == pytest.approx(300 * float(variance))


def test_a_coach_and_a_hint_look_at_the_spot_that_plays() -> None:
    seen = sat(TWO_SPOTS, "hit", "hint", *TWO_CHOICES[1:], spots=2, seats=3, coach=True)
    worth = GAME_COUNT.drawing.drawing.advice(cards_of("8d 8h"), cards_of("6d")[0])
    assert f"split {worth['split']:+.4f}" in words(seen) and "the cards that spot 2 alone would see" in words(seen)
    assert "Coach: stand is best; hit costs" in seen and "Coach: split is best." in seen and "gave up" not in seen


def test_spots_that_have_nothing_to_decide_lie_side_by_side_while_others_play() -> None:
    seen = sat("Ac As Tc 6d Kc Kd 6s Th 5c", spots=2, seats=3)
    assert not asked_of(seen) and "seat 3 stands" in seen
    before, end = (words(felt.replace("┃", "")) for felt in drawn(seen)[1:])
    assert "spot 1 spot 2" in before and "+$15 +$15" in before and "your 2 spots · +$30" in end
    assert "Blackjack." in seen.splitlines(), "what was the same at all spots is said once"


def test_leaving_forfeits_what_lies_at_every_spot() -> None:
    seen = words(sat(TWO_SPOTS, "hit", "split", bets=LUCKY, spots=2, seats=3))
    assert "forfeited, at spot 1 main $10; at spot 2 main $10, hand-2 $10." in seen
    assert "1 round net -$40 expected" in seen  # and both lucky-luckies had been lost


def test_bets_are_changed_at_all_spots() -> None:
    session = Session(HOUSE, "Tc 9d 6d Th 9h Ts 5c")
    seen = session.play("b", ENTER, "20", ENTER, ENTER, ENTER, "stand", "stand", "q", bets=MAIN, spots=2)
    assert "At each spot: main $20." in seen and "Spot 2, play (18):" in seen and "sits at" not in seen
    assert "this round -$40" in words(seen)


def test_a_script_answers_in_the_order_of_turns_and_every_spot_has_the_same_bets() -> None:
    session = Session(HOUSE, TWO_SPOTS)
    tokes = {"lucky-lucky": Fraction(1)}
    session.play(ENTER, *TWO_CHOICES, bets=LUCKY, tokes=tokes, spots=2, seats=3, json_lines=True, rounds=1)
    log = json.loads(session.file.getvalue())
    assert log["choices"] == [[1, "hit"], [2, "split"], [2, "double"], [2, "stand"], [3, "double"]]
    assert [seat["bets"] for seat in log["seats"]] == [{"main": "10", "lucky-lucky": "5"}] * 2 + [{"main": "5"}]
    again = replay(GAME, log)
    assert again.events == log["events"] and [len(again.tokes(seat)) for seat in (1, 2, 3)] == [1, 1, 0]


def test_own_cards_are_seen_at_every_spot_and_own_spots_take_the_pot() -> None:
    """Flop Poker: cards lie face down for all but their owner, and the pot lies between the players."""
    session = Session(FLOP, "3h 4s 9c Ac Qd Js 8d 6s 5c Kh 7d 2c", width=100)
    seen = session.play(ENTER, "fold", "bet", "q", bets=POT_ANTE, spots=2, seats=3)
    first, second = (words(felt.replace("┃", "")) for felt in drawn(seen)[1:3])
    assert "your spot 2 A♣ Q♦ J♠" in first and "your spot 1 3♥ 4♠ 9♣" in second
    assert "seat 3" not in first + second
    assert "Your spot 2 takes the pot of $15." in seen and "high hand so far" in seen
    assert "pot $5 lose your spot 2 has the best hand" in words(seen)


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--spots", "3", "--seats", "2"], "--spots 3: play 1 to 2 spots, for --seats is 2"),
        (["--spots", "2", "--seats", "1"], "--spots 2: play 1 spot, for --seats is 1"),
        (["--spots", "0"], f"--spots 0: play 1 to 7 spots, for {GAME.title} has 7 seats"),
        (["--spots", "8"], f"--spots 8: play 1 to 7 spots, for {GAME.title} has 7 seats"),
        (["--spots", "2", "--seats", "8"], f"{GAME.title} seats 1 to 7 players, not 8"),
    ],
)
def test_spots_that_do_not_fit_are_one_sentence(
    flags: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "blackjack", *flags]) == 2
    assert capsys.readouterr() == ("", f"pitboss: {says}\n")
