"""A seat's play is left where it waits and resumed there: the same as if it were played anew from the first card."""

import random
import threading
from pathlib import Path
from typing import Any

import pytest

from helpers import GAME_FILES, all_bets, load_game, small_game
from pitboss.cards import shoe_cards
from pitboss.catalog import load
from pitboss.live import Round, Seat, table
from pitboss.rules import DEALER, DOWN, PLAYER, BadInput, Game, Table, compare


def begun(game: Game, seed: int, seats: int = 3) -> Round:
    house, rng = game.at(), random.Random(seed)
    cards = shoe_cards(house.composition)
    rng.shuffle(cards)
    many = min(seats, game.seats)
    return Round(house, cards, [Seat(all_bets(house)) for _ in range(many)])


def came(round_: Round) -> list[Any]:
    """How far each seat has come, to the last card, answer and bet."""
    found = [round_.table(seat) for seat in round_.playing]
    return [
        (t.cards, t.places, t.made, t.answers, t.bets, len(t.events), [g.slots for g in t.groups], sorted(t.settled))
        for t in found
    ]


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.stem)
def test_resumed_is_the_same_as_played_anew(path: Path) -> None:
    game = load_game(path)
    for seed in range(4):
        round_, rng = begun(game, seed), random.Random(seed)
        while round_.turn is not None:
            assert came(round_) == came(round_.fork().again())
            other = round_.fork().again()
            choice = rng.choice(round_.turn.choices)
            round_.choose(choice)
            other.choose(choice)
            assert (other.events, other.turn, came(other)) == (round_.events, round_.turn, came(round_))
        assert round_.events == Round(round_.house, round_.shoe, round_.seats, round_.choices).events


def test_a_mistake_in_the_file_leaves_the_table_as_it_was() -> None:
    def late(t: Table) -> None:
        mine, his = t.deal(PLAYER, face=DOWN), t.deal(DEALER, face=DOWN)
        if t.decide("call", "raise") == "raise" and mistaken:
            raise ValueError("there is no such thing")
        t.reveal(DEALER)
        t.settle(ante=compare(mine.rank, his.rank))

    mistaken: list[int] = []
    t = table(small_game(late).at(), 2)
    for seat in t.seats:
        t.bet(seat, ante=10)
    t.deal()
    mistaken.append(1)
    was = [t.view(seat).json() for seat in t.seats]
    with pytest.raises(BadInput, match="there is no such thing"):
        t.choose(1, "raise")
    assert [t.view(seat).json() for seat in t.seats] == was
    t.choose(1, "call")
    t.choose(2, "call")
    assert t.rounds == 1 and len(t.log()) == 1


def test_a_round_goes_on_in_another_thread() -> None:
    round_ = begun(load("blackjack"), 3)
    same = Round(round_.house, round_.shoe, round_.seats)

    def play() -> None:
        while round_.turn is not None:
            round_.choose(round_.turn.choices[0])

    thread = threading.Thread(target=play)
    thread.start()
    thread.join()
    while same.turn is not None:
        same.choose(same.turn.choices[0])
    assert round_.turn is None and round_.events == same.events
