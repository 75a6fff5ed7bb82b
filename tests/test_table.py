"""The live table: a round is its cards and its choices, its log replays, and nobody sees what he must not."""

import json
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import ANTE, FIXED, all_bets, load_game, random_round, small_game
from pitboss.cards import card_name, cards_of, shoe_cards
from pitboss.live import Round, Seat, Shoe, log_of, replay
from pitboss.rules import (
    BLIND,
    BOARD,
    DEALER,
    DOWN,
    PLAYER,
    BadInput,
    Bonus,
    Game,
    House,
    Table,
    Wager,
    compare,
    highest,
)
from pitboss.rules.paytables import Dollars

GAMES = [load_game(path) for path in FIXED]
BLUFF = next(g for g in GAMES if g.name == "bluff")
seeds = st.integers(0, 2**32 - 1)


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A finished round of any game: any options, any number of seats, any bets, shoe and choices."""
    game = draw(st.sampled_from(GAMES))
    options = {o.name: draw(st.sampled_from(o.values)) for o in game.options if hasattr(o, "values")}
    house = game.at(options | {"table-min": "1", "table-max": "400"})
    rng = random.Random(draw(seeds))
    cards = shoe_cards(house.composition)
    rng.shuffle(cards)
    seats = [Seat(some_bets(house, rng), {"streak": rng.randrange(2)}) for _ in range(draw(st.integers(1, game.seats)))]
    table = Round(house, cards, seats)
    while table.turn is not None:
        table.choose(rng.choice(table.turn.choices))
    return table


def some_bets(house: House, rng: random.Random) -> dict[str, Fraction]:
    """Any bets that the house takes, odd cents included."""
    while True:
        bets: dict[str, Fraction] = {}
        for name in house.parties:
            exact = next(w for w in house.wagers if w.name == name).exactly is not None
            if rng.random() < 0.7:
                bets[name] = house.least_bet(name) + (0 if exact else Fraction(rng.randrange(20_000), 100))
        try:
            house.check_seat(bets, {})
        except BadInput:
            continue
        return bets


# ---- the log


@settings(max_examples=60)
@given(rounds())
def test_a_log_replays_to_the_identical_round(played: Round) -> None:
    log = json.loads(json.dumps(log_of(played)))
    again = replay(played.house.game, log)
    assert again.events == played.events and again.turn is None
    assert json.loads(json.dumps(log_of(again))) == log
    for seat in range(1, len(played.seats) + 1):
        assert again.net(seat) == played.net(seat) and again.carried(seat) == played.carried(seat)


@settings(max_examples=40)
@given(st.sampled_from(GAMES), st.integers(1, 6), seeds, st.data())
def test_a_killed_table_resumes_in_the_middle_of_a_hand(game: Game, seats: int, seed: int, data: st.DataObject) -> None:
    """The log of a round under way, taken before it goes on, leads back to the same decision."""
    rng = random.Random(seed)
    house = game.at()
    cards = shoe_cards(house.composition)
    rng.shuffle(cards)
    table = Round(house, cards, [Seat(all_bets(house)) for _ in range(seats)])
    for _ in range(data.draw(st.integers(0, seats))):
        if table.turn is not None:
            table.choose(rng.choice(table.turn.choices))
    turn, log = table.turn, log_of(table)
    events = json.loads(json.dumps(table.events))
    while table.turn is not None:
        table.choose(rng.choice(table.turn.choices))
    resumed = replay(game, log)
    assert resumed.turn == turn and resumed.events == events


@pytest.mark.parametrize("meter", ["12345.67", "1000000.25", "0.01"])
def test_a_log_keeps_amounts_to_the_cent(meter: str) -> None:
    house = BLUFF.at({"meter": meter})
    seat = Seat({"ante": Fraction(5), "progressive": Fraction(5)}, {"streak": 1})
    table = Round(house, cards_of("9c 9c"), [seat], [(1, "check")])
    assert replay(BLUFF, json.loads(json.dumps(log_of(table)))).net() == table.net()


def test_a_log_keeps_a_pay_table_of_the_house_own() -> None:
    house = BLUFF.at(tables={"suit-tie": "3/2, push, lose", "progressive": "$50,meter"})
    seat = Seat({"ante": Fraction(5), "suit-tie": Fraction(5), "progressive": Fraction(5)})
    for his in ("Kc", "9d", "9c"):
        table = Round(house, cards_of(f"9c {his}"), [seat], [(1, "check")])
        assert replay(BLUFF, json.loads(json.dumps(log_of(table)))).events == table.events


LOG = json.loads(
    json.dumps(
        log_of(
            Round(
                BLUFF.at(),
                cards_of("9c Kd 9c 4s"),
                [Seat(all_bets(BLUFF.at()), {"streak": 1})] * 2,
                [(1, "call"), (2, "raise")],
            )
        )
    )
)

Change = Callable[[dict[str, Any]], object]
TAMPERED: dict[str, Change] = {
    "a card": lambda log: log["cards"].__setitem__(2, "2c"),
    "the order of cards": lambda log: log["cards"].insert(0, log["cards"].pop(1)),
    "a choice": lambda log: log["choices"].__setitem__(0, [1, "check"]),
    "a choice that does not exist": lambda log: log["choices"].__setitem__(0, [1, "dance"]),
    "whose choice it was": lambda log: log["choices"].__setitem__(0, [2, "call"]),
    "a choice left out": lambda log: log["choices"].pop(),
    "a choice too many": lambda log: log["choices"].append([1, "call"]),
    "a bet": lambda log: log["seats"][0]["bets"].__setitem__("ante", "50"),
    "a bet that is not allowed": lambda log: log["seats"][0]["bets"].__setitem__("ante", "0"),
    "a bet that is no number": lambda log: log["seats"][0]["bets"].__setitem__("ante", "five"),
    "a bet that divides by zero": lambda log: log["seats"][0]["bets"].__setitem__("ante", "1/0"),
    "a streak": lambda log: log["seats"][0]["carried"].__setitem__("streak", 0),
    "a streak that cannot be": lambda log: log["seats"][0]["carried"].__setitem__("streak", 7),
    "a negative streak": lambda log: log["seats"][0]["carried"].__setitem__("streak", -1),
    "a streak that is no number": lambda log: log["seats"][0]["carried"].__setitem__("streak", "1"),
    "a seat less": lambda log: log["seats"].pop(),
    "a net result": lambda log: log["events"][-2].__setitem__("net", "1000000"),
    "an event left out": lambda log: log["events"].pop(3),
    "an event too many": lambda log: log["events"].append({"event": "bonus"}),
    "no events": lambda log: log.pop("events"),
    "events that are none": lambda log: log.__setitem__("events", None),
    "too few cards": lambda log: log["cards"].pop(),
    "a card that is none": lambda log: log["cards"].__setitem__(0, "1x"),
    "an option": lambda log: log["options"].__setitem__("meter", "10001"),
    "an option that does not exist": lambda log: log["options"].__setitem__("jokers", "2"),
    "a pay table": lambda log: log["paytables"].__setitem__("suit-tie", "1,3,100"),
    "a pay table that is none": lambda log: log["paytables"].__setitem__("suit-tie", "1,3"),
    "no seats": lambda log: log.pop("seats"),
    "seats that are none": lambda log: log.__setitem__("seats", 5),
}


def test_the_log_that_is_tampered_with_is_good_before() -> None:
    again = replay(BLUFF, LOG)
    assert (again.net(1), again.carried(1)) != (0, {}) and again.turn is None


@pytest.mark.parametrize("change", TAMPERED.values(), ids=TAMPERED)
def test_a_tampered_log_is_refused(change: Change) -> None:
    log = json.loads(json.dumps(LOG))
    change(log)
    with pytest.raises(BadInput) as caught:
        replay(BLUFF, log)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("log", [[], {}, None, "log", 5])
def test_what_is_no_log_is_refused(log: Any) -> None:
    with pytest.raises(BadInput, match="this is not the log of a round"):
        replay(BLUFF, log)


# ---- money


@settings(max_examples=60)
@given(rounds())
def test_chips_are_conserved(played: Round) -> None:
    """What the players win the house or the other players lose: every chip on the table comes from somewhere."""
    pots = {e["wager"]: Fraction(0) for e in played.events if e["event"] == "pot"}
    for seat, player in enumerate(played.seats, 1):
        events = played.settled(seat)
        placed = {e["wager"]: Fraction(e["amount"]) for e in played.events if e["event"] == "bet" and e["seat"] == seat}
        stakes = {**player.bets, **placed}
        bonuses = {w.name: w.on for w in played.house.wagers if isinstance(w, Bonus)}
        own = [e for e in events if e["wager"] not in bonuses]
        assert {e["wager"]: Fraction(e["stake"]) for e in own} == stakes, "every bet is settled, once, at its stake"
        assert len(own) == len(stakes)
        assert played.net(seat) == sum(Fraction(e["net"]) for e in events)
        for event in events:
            if event["wager"] in bonuses:  # it costs nothing, and is paid on another bet
                pay = played.house.tables[event["wager"]].pay(event["row"])
                won = max(Fraction(0), stakes[bonuses[event["wager"]]] * pay)
                assert (Fraction(event["stake"]), Fraction(event["net"])) == (0, won)
            elif event["wager"] in pots:
                pots[event["wager"]] += Fraction(event["net"])
            else:
                check_net(played.house, event)
    assert all(total == 0 for total in pots.values()), "a wager between the players stays among them"


def check_net(house: House, event: dict[str, Any]) -> None:
    stake, net = Fraction(event["stake"]), Fraction(event["net"])
    assert net >= -stake, "nobody loses more than he has bet"
    pay = house.tables[event["wager"]].pay(event["row"])
    if isinstance(pay, Fraction):
        assert net == stake * pay
    else:
        amount = pay.amount if isinstance(pay, Dollars) else house.amount(pay.meter)
        returned = next(w for w in house.wagers if w.name == event["wager"]).stake_returned
        assert net == amount - (0 if returned else stake)


@settings(max_examples=60)
@given(rounds())
def test_cards_are_dealt_in_order_from_the_shoe(played: Round) -> None:
    """Every card that leaves the shoe is in the log once, or burnt; none is dealt twice."""
    told = [c for e in played.events if e["event"] == "deal" for c in e["cards"]]
    burnt = sum(e["count"] for e in played.events if e["event"] == "burn")
    gone = [card_name(c) for c in played.shoe[: played.used]]
    assert len(told) + burnt == played.used
    assert not Counter(told) - Counter(gone)
    if not burnt:
        assert told == gone


# ---- whose turn it is, and what he may see


@settings(max_examples=40)
@given(st.sampled_from(GAMES), st.integers(1, 6), seeds)
def test_decisions_come_in_seat_order_and_before_the_dealer_is_turned(game: Game, seats: int, seed: int) -> None:
    played = random_round(game.at(), seats, seed)
    by_decision: dict[str, list[int]] = {}
    revealed = False
    for event in played.events:
        if event["event"] == "choose":
            by_decision.setdefault(event["decision"], []).append(event["seat"])
            assert not revealed, "a decision after the dealer's cards were turned"
        revealed |= event["event"] == "reveal" and event["who"] == "dealer"
    assert all(order == sorted(order) for order in by_decision.values())


def test_a_dealer_who_acts_waits_for_everybody() -> None:
    """The high limit: all first actions, then the dealer bets, then the re-raises of all callers, then his card."""
    table = Round(BLUFF.at({"limit": "high"}), cards_of("9c 5d Ah 2s Kd"), [Seat({"ante": Fraction(5)})] * 4)
    for choice in ("call", "raise", "call", "check"):
        table.choose(choice)
    order = []
    while table.turn is not None:
        assert table.turn.decision == "facing the dealer's raise" and table.turn.dealer == ()
        assert all(e["event"] not in ("reveal", "settle") for e in table.events)
        order.append(table.turn.seat)
        table.choose("stand pat")
    assert order == [1, 3]
    assert [e["event"] for e in table.events].count("reveal") == 1


def hidden_things(t: Table) -> None:
    mine = t.deal(PLAYER, 1, face=BLIND)
    his = t.deal(DEALER, 1, face=DOWN)
    up = t.deal(DEALER, 1)
    t.deal(BOARD, 1, face=DOWN)
    t.decide("a", "b", name="first")
    t.reveal(BOARD)
    t.decide("c", "d", name="second")
    t.reveal(DEALER)
    more = t.deal(DEALER, 2)
    t.settle(ante=compare(mine.rank, highest(his.rank, up.rank, more[0].rank, more[1].rank)))


def test_a_turn_shows_what_lies_face_up_and_nothing_else() -> None:
    table = Round(small_game(hidden_things, ANTE).at(), cards_of("2c 3c 4c 5c 6c 7c"), [Seat({"ante": Fraction(5)})])
    turn = table.turn
    assert turn is not None and (turn.player, turn.dealer, turn.board) == ((), ("4c",), ())
    table.choose("a")
    turn = table.turn
    assert turn is not None and (turn.player, turn.dealer, turn.board) == ((), ("4c",), ("5c",))


def test_a_reveal_turns_what_lies_there_and_not_what_is_dealt_later() -> None:
    """The dealer turns two cards, and only then draws two more."""
    table = Round(small_game(hidden_things, ANTE).at(), cards_of("2c 3c 4c 5c 6c 7c"), [Seat({"ante": Fraction(5)})])
    table.choose("a")
    table.choose("c")
    tail = [e for e in table.events if e.get("who") == "dealer" or e.get("to") == "dealer"][2:]
    assert tail == [
        {"event": "reveal", "who": "dealer", "cards": ["3c", "4c"]},
        {"event": "deal", "to": "dealer", "cards": ["6c", "7c"], "face": "up"},
    ]
    assert table.net() == -5


def test_a_dealer_who_would_draw_differently_for_two_seats_is_one_sentence() -> None:
    """He has one hand for all of them: how many cards he draws cannot rest on one player's card."""

    def play(t: Table) -> None:
        mine = t.deal(PLAYER)
        drawn = t.deal(DEALER, 2 if t.when(mine.rank > 6) else 1)
        t.settle(ante=compare(mine.rank, drawn[0].rank))

    house = small_game(play, ANTE).at()
    assert Round(house, cards_of("Ah 3c 4c"), [Seat({"ante": Fraction(5)})]).net() == 5
    with pytest.raises(BadInput, match="dealer"):
        Round(house, cards_of("2c Ah 3c 4c 5c"), [Seat({"ante": Fraction(5)})] * 2)


def test_a_pot_goes_to_the_highest_value_whatever_its_sign() -> None:
    def play(t: Table) -> None:
        t.share("pot", t.deal(PLAYER).rank - 20)

    table = Round(small_game(play, Wager("pot")).at(), cards_of("2c Ah 3c As"), [Seat({"pot": Fraction(5)})] * 4)
    standing = [e["standing"] for e in table.events if e["event"] == "stand"]
    assert standing == ["high hand", "high hand", "beaten", "equal to the high hand"]
    assert [table.net(seat) for seat in (1, 2, 3, 4)] == [-5, 5, -5, 5]


def test_choices_are_checked() -> None:
    table = Round(BLUFF.at(), cards_of("9c 5d Ah"), [Seat({"ante": Fraction(5)})] * 2)
    with pytest.raises(BadInput, match="it is seat 1's turn, not seat 2's"):
        table.choose("check", 2)
    with pytest.raises(BadInput, match="'dance' is not one of check, call or raise"):
        table.choose("dance")
    table.choose("check", 1)
    table.choose("check")
    with pytest.raises(BadInput, match="the round is over; there is nothing to choose"):
        table.choose("check")


def test_bets_are_checked_seat_by_seat() -> None:
    good, bad = Seat({"ante": Fraction(5)}), Seat({"ante": Fraction(1)})
    with pytest.raises(BadInput, match=r"^seat 2: ante takes \$5 to \$500; \$1 is not allowed$"):
        Round(BLUFF.at(), cards_of("2c 3c 4c"), [good, bad])
    with pytest.raises(BadInput, match=r"^Bluff seats 1 to 7 players, not 8$"):
        Round(BLUFF.at(), shoe_cards(BLUFF.at().composition), [good] * 8)


def test_a_shoe_with_too_few_cards_says_so() -> None:
    with pytest.raises(BadInput, match="the shoe has 2 cards left, too few to finish the round; shuffle first"):
        Round(BLUFF.at(), cards_of("2c 3c"), [Seat({"ante": Fraction(5)})] * 2)


# ---- what a seat carries over


def test_a_streak_belongs_to_a_seat_and_is_broken_without_the_bet() -> None:
    with_bet, without = {"ante": Fraction(5), "progressive": Fraction(5)}, {"ante": Fraction(5)}
    seats = [Seat(with_bet, {"streak": 1}), Seat(without, {"streak": 0}), Seat(with_bet, {"streak": 0})]
    table = Round(BLUFF.at(), cards_of("9c 9c 9c 9c"), seats, [(1, "check"), (2, "check"), (3, "check")])
    assert [table.carried(seat) for seat in (1, 2, 3)] == [{"streak": 0}, {"streak": 0}, {"streak": 1}]
    rows = {e["seat"]: e["row"] for e in table.events if e["event"] == "settle" and e["wager"] == "progressive"}
    assert rows == {1: "jackpot", 3: "match"}


def test_a_seat_without_a_history_starts_at_nothing() -> None:
    fresh, zero = (Seat({"ante": Fraction(5), "progressive": Fraction(5)}, kept) for kept in ({}, {"streak": 0}))
    both = [Round(BLUFF.at(), cards_of("9c 9c"), [seat], [(1, "check")]).events for seat in (fresh, zero)]
    assert both[0] == both[1]


# ---- the shoe at the table


def test_a_shoe_is_dealt_to_the_cut_card() -> None:
    house = BLUFF.at({"decks": 2})
    shoe = Shoe(house, shuffle=lambda cards: sorted(cards, reverse=True))
    assert shoe.cut == 104 - 52  # no more than half of the shoe lies behind the cut card
    assert Shoe(BLUFF.at()).cut == 312 - 65
    shoe.advance(51)
    assert not shoe.out and len(shoe.rest()) == 53
    shoe.advance(1)
    assert shoe.out
    shoe.shuffle()
    assert not shoe.out and shoe.shuffles == 2 and shoe.rest() == sorted(shoe_cards(house.composition), reverse=True)


def test_a_shoe_holds_its_cards_and_shuffles_them() -> None:
    house = BLUFF.at()
    first, second = Shoe(house), Shoe(house)
    assert Counter(first.cards) == Counter(second.cards) == dict.fromkeys(range(52), 6)
    assert first.cards != second.cards != shoe_cards(house.composition)
    with pytest.raises(BadInput, match="the shoe has fewer cards than that"):
        first.advance(313)


def test_rounds_follow_each_other_through_a_shoe() -> None:
    house = BLUFF.at({"decks": 2})
    shoe, dealt = Shoe(house), []
    while not shoe.out:
        table = Round(house, shoe.rest(), [Seat({"ante": Fraction(5)})] * 3, [(s, "check") for s in (1, 2, 3)])
        dealt += [c for e in table.events if e["event"] == "deal" for c in e["cards"]]
        shoe.advance(table.used)
    assert dealt == [card_name(c) for c in shoe.cards[: len(dealt)]]
    assert 52 <= len(dealt) < 52 + 4
