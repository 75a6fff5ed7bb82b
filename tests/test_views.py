"""What a seat may see: no view, turn or event that leaves for a seat names a card that lies hidden from it.

What may be seen is decided here a second time, from the raw events, on shoes in which every card is there once: a code
found anywhere in what is sent is then that card and no other.
"""

import json
import random
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import ANTE, all_bets, random_games, small_game
from pitboss.cards import card_name, cards_of, composition, shoe_cards
from pitboss.live import BACK, Round, Seat, Session, Shoe, View, events_for, table, view_of
from pitboss.rules import (
    BLIND,
    BOARD,
    DEALER,
    DOWN,
    LOSE,
    PLAYER,
    UP,
    WIN,
    BadInput,
    Choice,
    Game,
    House,
    Table,
    Wager,
    compare,
)

CARD = re.compile(r"[2-9TJQKA][cdhs]")
SEEDS = range(6)


def may_see(round_: Round, own: Iterable[int]) -> set[str]:
    """The cards that these seats know: face up, turned over, their own, and in the end every hand that was shown."""
    out: set[str] = set()
    for event in round_.events:
        if event["event"] == "reveal" or event.get("face") == UP:
            out |= set(event["cards"])
        elif event["event"] == "deal" and event["to"] == PLAYER and event["face"] == DOWN:
            shown = round_.over and event["seat"] not in {e["seat"] for e in round_.events if e["event"] == "leave"}
            out |= set(event["cards"]) if event["seat"] in own or shown else set()
    return out


def dealt(round_: Round) -> set[str]:
    return {card for event in round_.events if event["event"] == "deal" for card in event["cards"]}


def named(sent: Any) -> set[str]:
    """Every card code in what is sent, as a value, a key or a word of a sentence."""
    return {word for word in re.findall(r"\w+", json.dumps(sent)) if CARD.fullmatch(word)}


def check(round_: Round, view: View) -> None:
    """What leaves for a player at this moment: all that he may know, and nothing else."""
    told = events_for(round_, view.own)
    assert named(view.json()) == named(told) == may_see(round_, view.own)
    assert [e["event"] for e in told] == [e["event"] for e in round_.events]
    assert [len(e.get("cards", ())) for e in told] == [len(e.get("cards", ())) for e in round_.events]
    assert (view.turn, view.over) == (None if round_.turn is None else round_.turn.seat, round_.over)
    assert bool(view.choices) == bool(view.decision) == view.yours
    if round_.turn is not None and view.yours:
        assert named(asdict(round_.turn)) <= may_see(round_, [round_.turn.seat])


def check_all(t: Session) -> None:
    assert t.round is not None
    for seat in t.seats:
        check(t.round, t.view(seat))


def one_of_each(game: Game, options: Mapping[str, object] | None = None) -> House:
    return game.at(options, shoe=composition(1, game.deck))


def opened(house: House, seats: int, rng: random.Random) -> Session:
    """A table for a random round: some seats may belong to one player, and one may sit out."""
    spots = [(1, 2)] if seats > 1 and rng.random() < 0.3 else []
    t = table(house, seats, seed=rng.randrange(2**32), spots=spots)
    sits_out = rng.randrange(2, 8)
    for seat in t.seats:
        if seat != sits_out:
            t.bet(seat, all_bets(house))
    return t


def play_on(t: Session, rng: random.Random, leaving: float = 0.0) -> None:
    assert t.turn is not None and t.round is not None
    if rng.random() < leaving:
        gone = {e["seat"] for e in t.round.events if e["event"] == "leave"}
        t.leave(rng.choice([seat for seat in t.round.playing if seat not in gone]))
    else:
        t.choose(t.turn.seat, rng.choice(t.turn.choices))


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_no_seat_is_sent_a_card_that_it_may_not_see(any_game: Game, seats: int) -> None:
    house = one_of_each(any_game)
    for seed in SEEDS:
        rng = random.Random(seed)
        t = opened(house, seats, rng)
        t.deal()
        check_all(t)
        while t.turn is not None:
            play_on(t, rng, leaving=0.1 if seed % 2 else 0.0)
            check_all(t)


def test_no_option_of_a_game_shows_a_card_too_early(any_game: Game) -> None:
    for option in any_game.options:
        for value in option.values if isinstance(option, Choice) and option.name != "decks" else ():
            try:
                house = one_of_each(any_game, {option.name: value})
            except BadInput:  # it cannot go with the others
                continue
            rng = random.Random(str(value))
            for _ in range(3):
                round_ = shuffled_round(house, rng)
                while round_.turn is not None:
                    round_.choose(rng.choice(round_.turn.choices))
                    for seat in round_.playing:
                        check(round_, view_of(round_, [seat]))


def shuffled_round(house: House, rng: random.Random) -> Round:
    cards = shoe_cards(house.composition)
    rng.shuffle(cards)
    return Round(house, cards, [Seat(all_bets(house)) for _ in range(3)])


@settings(max_examples=60)
@given(random_games(), st.integers(0, 2**32 - 1))
def test_no_game_that_can_be_written_shows_a_card_too_early(game: Game, seed: int) -> None:
    rng = random.Random(seed)
    try:
        round_ = shuffled_round(game.at(), rng)
    except BadInput:  # no dealer can do what this file says, as with one number of cards for one seat and another for
        return  # the next
    while True:
        for seat in round_.playing:
            check(round_, view_of(round_, [seat]))
            same_to(seat, round_, exchanged(round_, seat, rng))
        if round_.turn is None:
            return
        try:
            round_.choose(rng.choice(round_.turn.choices))
        except BadInput:
            return


# ---- what is hidden does not show in anything else either


def public(round_: Round, own: Iterable[int]) -> Any:
    """What these seats are told and no more, made here: the events with backs, and whose turn it is."""
    seen, turn = may_see(round_, own), round_.turn
    told = [{k: v for k, v in event.items() if k not in ("cards", "value")} for event in round_.events]
    cards = [[card if card in seen else BACK for card in e.get("cards", ())] for e in round_.events]
    carried = [e["value"] for e in round_.events if e["event"] == "carry"]
    return told, cards, carried, turn and (turn.seat, turn.decision, turn.choices)


def test_exchanging_hidden_cards_changes_nothing_that_a_seat_is_sent(any_game: Game) -> None:
    """Two rounds that differ only in what a seat cannot see are the same to it: counts, values and choices included."""
    house, tried, compared = one_of_each(any_game), 0, 0
    for seed in range(12):
        rng = random.Random(seed)
        round_ = shuffled_round(house, rng)
        while True:
            for seat in round_.playing:
                other = exchanged(round_, seat, rng)
                tried, compared = tried + (other is not None), compared + same_to(seat, round_, other)
            if round_.turn is None:
                break
            round_.choose(rng.choice(round_.turn.choices))
    assert compared >= tried / 2, "most exchanges are of no consequence yet"


def exchanged(round_: Round, seat: int, rng: random.Random) -> Round | None:
    """The same choices on a shoe in which two cards that the seat does not know have changed places."""
    seen, cards = may_see(round_, [seat]), round_.shoe
    hidden = [i for i, card in enumerate(cards) if card_name(card) not in seen]
    lying = [i for i in hidden if card_name(cards[i]) in dealt(round_)]
    if not lying:
        return None
    one, other = rng.choice(lying), rng.choice(hidden)
    changed = list(cards)
    changed[one], changed[other] = changed[other], changed[one]
    try:
        return Round(round_.house, changed, round_.seats, round_.choices)
    except BadInput:  # with these cards it would have come to other choices
        return None


def same_to(seat: int, round_: Round, other: Round | None) -> bool:
    if other is None or public(round_, [seat]) != public(other, [seat]):
        return False
    assert view_of(round_, [seat]).json() == view_of(other, [seat]).json()
    if round_.turn is not None and round_.turn.seat == seat:
        assert round_.turn == other.turn
    return True


# ---- one case at a time


def sat(
    play: Callable[[Any], None], cards: str, *choices: str, seats: int = 2, wagers: tuple[Wager, ...] = ()
) -> Round:
    house = small_game(play, *(wagers or (ANTE,))).at()
    round_ = Round(house, cards_of(cards), [Seat(all_bets(house)) for _ in range(seats)])
    for choice in choices:
        round_.choose(choice)
    return round_


def hands(view: View, seat: int) -> list[tuple[str, ...]]:
    return [hand.cards for hand in view.seats[seat].hands]


def every_face(t: Table) -> None:
    t.deal(PLAYER, 1, face=DOWN)
    t.deal(PLAYER, 1, face=UP)
    blind = t.deal(PLAYER, 1, face=BLIND)
    t.deal(DEALER, 1, face=DOWN)
    t.deal(DEALER, 1, face=UP)
    t.deal(BOARD, 2, face=DOWN)
    if t.decide("show", "hide") == "show":
        t.reveal(blind)
    t.settle(ante=LOSE)


FACES = "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc"  # down, up and blind at seat 1 and at seat 2; the dealer's two; the board


def test_own_cards_are_seen_and_of_the_others_what_lies_face_up() -> None:
    round_ = sat(every_face, FACES)
    mine, his = view_of(round_, [1]), view_of(round_, [2])
    assert hands(mine, 1) == [("2c", "3c", BACK)] and hands(mine, 2) == [(BACK, "6c", BACK)]
    assert hands(his, 1) == [(BACK, "3c", BACK)] and hands(his, 2) == [("5c", "6c", BACK)]
    assert mine.dealer.cards == his.dealer.cards == (BACK, "9c") and mine.board == (BACK, BACK)
    both = view_of(round_, [1, 2])
    assert hands(both, 1) == hands(mine, 1) and hands(both, 2) == hands(his, 2), "one player at two spots"


def test_a_blind_card_that_is_turned_is_seen_by_all_and_one_that_is_not_by_nobody() -> None:
    round_ = sat(every_face, FACES, "show", "hide")
    for seat in (1, 2):
        view = view_of(round_, [seat])
        assert view.over and hands(view, 1) == [("2c", "3c", "4c")] and hands(view, 2) == [("5c", "6c", BACK)]
        assert view.dealer.cards == (BACK, "9c"), "nobody turned it"


def test_hands_are_shown_when_the_round_is_over_but_not_of_one_who_left() -> None:
    round_ = sat(every_face, "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", seats=3)
    round_.leave(2)
    round_.choose("hide", 1)
    assert hands(view_of(round_, [1]), 3) == [(BACK, "9c", BACK)]
    round_.choose("hide", 3)
    view = view_of(round_, [1])
    assert hands(view, 3) == [("8c", "9c", BACK)] and hands(view, 2) == [(BACK, "6c", BACK)] and view.seats[2].left


def test_equal_cards_are_not_the_same_card() -> None:
    """Two kings of hearts: one lies face up before seat 1, the other face down before seat 2."""

    def play(t: Table) -> None:
        t.deal(PLAYER, 1, face=UP)
        t.deal(PLAYER, 1, face=DOWN)
        t.decide("stay", "go")
        t.settle(ante=LOSE)

    view = view_of(sat(play, "Kh Kh 2c Kh"), [1])
    assert hands(view, 1) == [("Kh", "Kh")] and hands(view, 2) == [("2c", BACK)]
    assert [e["cards"] for e in view.events] == [["Kh"], ["Kh"], ["2c"], [BACK]]


def folded_hand_stands(t: Table) -> None:
    mine = t.deal(PLAYER, 1, face=DOWN)
    folds = t.decide("fold", "bet") == "fold"
    t.share("pot", mine.rank)
    t.settle(ante=LOSE if folds else WIN)


def test_the_value_of_a_hand_that_is_not_shown_is_not_told() -> None:
    round_ = sat(folded_hand_stands, "9c Kd", "fold", wagers=(ANTE, Wager("pot")))

    def values(seat: int) -> list[int | None]:
        return [e["value"] for e in events_for(round_, [seat]) if e["event"] == "stand"]

    assert (values(1), values(2)) == ([7], [None])
    round_.choose("bet")
    assert values(1) == values(2) == [7, 11]


def test_what_a_hand_counts_is_known_where_all_its_cards_are() -> None:
    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER, 2, face=DOWN), t.deal(DEALER, 2, face=DOWN)
        t.decide("stay", "go")
        t.reveal(DEALER)
        t.settle(ante=compare(mine[0].rank, his[0].rank))

    house = small_game(play, ANTE, counts=lambda hand: {"points": hand[0].rank + hand[1].rank}).at()
    round_ = Round(house, cards_of("2c 3c 4c 5c 6c 7c"), [Seat(all_bets(house))] * 2)

    def counts() -> list[Mapping[str, int]]:
        view = view_of(round_, [1])
        return [view.seats[1].hands[0].count, view.seats[2].hands[0].count, view.dealer.count]

    assert counts() == [{"points": 1}, {}, {}]
    round_.choose("stay")
    assert counts() == [{"points": 1}, {}, {}]
    round_.choose("stay")
    assert counts() == [{"points": 1}, {"points": 5}, {"points": 9}]


def test_what_is_decided_and_between_what_is_known_to_him_who_decides() -> None:
    round_ = sat(folded_hand_stands, "9c Kd", wagers=(ANTE, Wager("pot")))
    mine, his = view_of(round_, [1]), view_of(round_, [2])
    assert (mine.turn, mine.yours, mine.choices) == (1, True, ("fold", "bet"))
    assert (his.turn, his.yours, his.decision, his.choices) == (1, False, "", ())


def test_a_view_is_plain_json_and_keeps_the_money_exact() -> None:
    house = small_game(folded_hand_stands, ANTE, Wager("pot")).at()
    first = list(cards_of("9c Kd 2c"))
    shoe = Shoe(house, lambda cards: [*first, *(c for c in cards if c not in first)])
    t = Session(house, 2, shoe=shoe, purses={1: 100})
    t.bet(1, ante="12.50", pot=5)
    t.bet(2, ante=5, pot=5)
    before = json.loads(json.dumps(t.view(1).json()))
    assert (before["dealt"], before["pots"], before["purse"]) == (False, {"pot": "10"}, "165/2")
    t.deal()
    view = json.loads(json.dumps(t.view(1).json()))
    assert view["seats"]["1"]["stakes"] == {"ante": "25/2", "pot": "5"} and view["purse"] == "165/2"
    assert view["seats"]["2"]["hands"][0]["cards"] == [BACK] and view["choices"] == ["fold", "bet"]


def test_the_events_of_a_view_cannot_be_used_to_change_the_round() -> None:
    round_ = sat(every_face, FACES)
    before = json.dumps(round_.events)
    for event in view_of(round_, [1]).events:
        event.clear()
    assert json.dumps(round_.events) == before


def test_the_houses_own_eye_sees_the_hidden_cards() -> None:
    round_ = sat(every_face, FACES)
    assert set(round_.house_eye(1).values()) == set(cards_of("2c 3c 4c 8c 9c Tc Jc"))
    assert not hasattr(round_.turn, "slots")
