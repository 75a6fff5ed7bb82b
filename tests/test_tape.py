"""What `play` did once is kept: a seat that comes the same way again comes to the same, and the file is not run."""

import random
from pathlib import Path
from typing import Any

import pytest

from helpers import GAME_FILES, all_bets, load_game, pays, small_game
from pitboss.cards import shoe_cards
from pitboss.live import Round, Seat, tape
from pitboss.rules import (
    DEALER,
    DOWN,
    LOSE,
    PLAYER,
    Amount,
    BadInput,
    Game,
    House,
    Meter,
    Table,
    Wager,
    compare,
    row,
    where,
)


def played(house: House, seed: int, seats: int = 3) -> Round:
    rng = random.Random(seed)
    cards = shoe_cards(house.composition)
    rng.shuffle(cards)
    round_ = Round(house, cards, [Seat(all_bets(house)) for _ in range(min(seats, house.game.seats))])
    while round_.turn is not None:
        round_.choose(rng.choice(round_.turn.choices))
    return round_


def came(round_: Round) -> list[Any]:
    """All that there is to know of each seat's table, by what it says: columns of two runs are never the same."""
    return [
        (
            t.cards, t.places, t.made, t.answers, t.bets, t.dealt, t.used, t.options_read, t.hands(),
            [(type(e).__name__, getattr(e, "where", None)) for e in t.events], t.groups,
            {name: t.value(settled.rows.index) for name, settled in t.settled.items()},
            {name: t.value(column) for name, column in t.shares.items()},
            {name: t.value(column) for name, column in t.carries.items()}, t.carried_on, t.carried_states,
            [words for _, words in t.names.values()],
        )
        for t in (round_.table(seat) for seat in round_.playing)
    ]  # fmt: skip


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.stem)
def test_a_known_way_comes_to_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = load_game(path).at()
    for seed in range(12):
        played(house, seed)
    known = [played(house, seed) for seed in range(12)]
    monkeypatch.setattr("pitboss.live.running.tape_of", lambda house: tape.Tape())
    for seed, round_ in enumerate(known):
        by_the_file = played(house, seed)
        assert (round_.events, round_.choices) == (by_the_file.events, by_the_file.choices)
        assert came(round_) == came(by_the_file)


def a_game(ran: list[Any], *, wrong: bool = False) -> Game:
    """A game that tells how often its file was run. Where its meter stands high, the dealer has more to say."""

    def play(t: Table) -> None:
        ran.append(t)
        mine, his = t.deal(PLAYER, face=DOWN), t.deal(DEALER, face=DOWN)
        meter = t.option("meter")
        if t.decide("call", "raise") == "raise" and wrong:
            raise ValueError("there is no such thing")
        if not isinstance(meter, str) and meter >= 5000:
            t.say("Show the sign.")
        t.reveal(DEALER)
        t.settle(ante=compare(mine.rank, his.rank), side=where(mine.rank == 12, row("jackpot"), LOSE))

    side = pays("side", {"jackpot": Meter("meter", "seed", "step")}, needs="ante")
    money = [Amount("meter", 1000, "now"), Amount("seed", 500, "seed"), Amount("step", 1, "added")]
    return small_game(play, Wager("ante", required=True), side, options=money)


def test_the_file_is_not_run_for_a_way_that_is_known() -> None:
    ran: list[Any] = []
    house = a_game(ran).at()
    for seed in range(6):
        played(house, seed)
    assert 2 <= len(ran) < 18  # of six rounds of three seats, two ways
    was = len(ran)
    for seed in range(20):
        played(house, seed)
    assert len(ran) == was


def test_whatever_a_meter_shows_the_ways_are_the_same_but_for_one_that_asks_it() -> None:
    ran: list[Any] = []
    house = a_game(ran).at()
    for seed in range(6):
        played(house, seed)
    was = len(ran)
    high = house.but(meter=6000)
    said = [e for e in played(high, 1).events if e["event"] == "say"]
    assert len(said) == 1 and len(ran) > was, "the meter is asked, and another answer leads another way"
    was = len(ran)
    assert [e for e in played(high.but(meter=6000, step=1), 1).events if e["event"] == "say"] == said
    assert not [e for e in played(house, 1).events if e["event"] == "say"]
    assert len(ran) == was


def test_a_mistake_in_the_file_is_told_every_time() -> None:
    ran: list[Any] = []
    house = a_game(ran, wrong=True).at()
    for _ in range(3):
        with pytest.raises(BadInput, match="there is no such thing"):
            for seed in range(6):
                played(house, seed)


def test_a_tape_that_is_full_is_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tape, "MOST_STEPS", 5)
    house = load_game(next(path for path in GAME_FILES if path.stem == "bluff")).at()
    tape.tape_of(house).clear()
    first = [played(house, seed) for seed in range(10)]
    assert tape.tape_of(house).steps <= 5
    again = [played(house, seed) for seed in range(10)]
    assert [r.events for r in first] == [r.events for r in again]
