"""A meter that several tables feed, through rounds that win it and are voided: it is its seed, plus what rounds have
put in, less what hits have taken, and nothing of a round that never was is in it."""

import random
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from pitboss.pit import CLOCK, SUPERVISOR, Floor, Table
from pitboss.rules import BadInput
from test_pit import Driven, same

WON_AT_WILL = """
from pitboss.rules import LOSE, PLAYER, Amount, Game, Meter, PayTable, Table, Wager, row


def play(t: Table) -> None:
    t.deal(PLAYER)
    if t.decide("miss", "hit") == "hit":
        t.settle(ante=LOSE, side=row("jackpot"))
    else:
        t.settle(ante=LOSE, side=LOSE)


GAME = Game(
    "will", "Won at will", play,
    [Wager("ante", required=True),
     Wager("side", needs="ante", tables=[PayTable("one", {"jackpot": Meter("meter", "seed", "step")})])],
    options=[Amount("meter", 1000, "now"), Amount("seed", 500, "seed"), Amount("step", "1.50", "added")], seats=5,
)
"""
SEED, FED = 50_000, 450  # cents; what three bets on the side add
METER = "meter:will:meter"


@dataclass
class Hit:
    took: int
    has: set[int]  # rounds whose money it has taken


@dataclass
class Round:
    fed: int
    hits: list[Hit] = field(default_factory=list)


class Night(Driven):
    """Two tables and one meter, and a plain model of whose money lies where."""

    def __init__(self, path: Path, seed: int) -> None:
        (path / "will.py").write_text(WON_AT_WILL)
        super().__init__(str(path / "will.py"), seed)
        self.start = self.held[METER]
        self.rounds: list[Round] = []
        self.void: set[int] = set()
        self.pool: set[int] = set()  # rounds whose money lies in the meter
        self.at: dict[str, int] = {}  # table -> its round in play

    @property
    def tables(self) -> list[Table]:
        return list(self.floor.tables.values())

    def deal(self, table: Table) -> None:
        for seat in (1, 2, 3):
            player = table.sitting[seat].player
            self.ask(table, "buy", player, seat=seat, cents=2_000)
            assert not self.ask(table, "bet", player, seat=seat, bets={"ante": "10", "side": "5"})
        assert not self.ask(table, "deal", "", CLOCK)
        self.at[table.id] = len(self.rounds)
        self.pool.add(len(self.rounds))
        self.rounds.append(Round(FED))

    def choose(self, table: Table, choice: str) -> None:
        turn = table.session.turn
        assert turn is not None
        before = self.held[METER]
        assert not self.ask(table, "choose", table.sitting[turn.seat].player, seat=turn.seat, choice=choice)
        if choice == "hit":
            self.rounds[self.at[table.id]].hits.append(Hit(before, self.pool))
            self.pool = set()

    def take_back(self, table: Table) -> Mapping[str, Any]:
        assert not self.ask(table, "void", "boss", SUPERVISOR, reason="misdeal")
        number = self.at[table.id]
        for hit in self.rounds[number].hits:
            self.pool |= hit.has
        self.void.add(number)
        self.pool -= self.void  # what a rack has borne for a void round it has back
        return next(event.body for event in reversed(self.log) if event.kind == "void")

    def right(self) -> None:
        stand = [one for number, one in enumerate(self.rounds) if number not in self.void]
        hits = [hit for one in stand for hit in one.hits]
        lost = sum(self.rounds[number].fed for hit in hits for number in hit.has & self.void)
        wanted = self.start + sum(one.fed for one in stand) - sum(hit.took - SEED for hit in hits) + lost
        assert self.held[METER] == self.floor.meters.shown["will", "meter"] * 100 == wanted
        assert sum(self.held.values()) == 0


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("restart", [False, True])
def test_two_rounds_that_won_the_meter_are_voided(tmp_path: Path, first: int, restart: bool) -> None:
    """In either order the meter is what it was, and the racks have borne nothing in the end."""
    night = Night(tmp_path, 1)
    night.deal(night.tables[0])
    night.deal(night.tables[1])
    night.choose(night.tables[0], "hit")
    night.choose(night.tables[1], "hit")
    if restart:
        night.floor = night.taken_up()
    one = night.take_back(night.tables[first])
    assert one["undoes"] == {"meter": [first + 1]}
    assert one.get("rack") == ({"meter": FED} if first else None) and one.get("taken") == (
        {"meter": 1} if first else None
    )
    night.right()
    if restart:
        night.floor = night.taken_up()
    two = night.take_back(night.tables[1 - first])
    assert two.get("back") == ({"meter": FED} if first else None)
    assert night.held[METER] == night.start
    assert sum(cents for account, cents in night.held.items() if account.startswith("rack:")) == 0
    night.right()
    assert not night.audit().fault


def test_a_void_takes_back_the_hit_too(tmp_path: Path) -> None:
    """A round that was dealt before a hit that never was has its money in the meter, and takes it back out of there."""
    night = Night(tmp_path, 1)
    night.deal(night.tables[0])
    night.deal(night.tables[1])
    night.choose(night.tables[0], "hit")
    night.take_back(night.tables[0])
    assert "rack" not in night.take_back(night.tables[1])
    assert night.held[METER] == night.start
    assert not night.audit().fault


def test_a_table_that_sleeps_has_won_what_it_has_won(tmp_path: Path) -> None:
    """Its file is not named when the house is opened again; what another round had put in is not in the meter all the
    same."""
    night = Night(tmp_path, 1)
    night.deal(night.tables[1])
    night.deal(night.tables[0])
    night.choose(night.tables[0], "hit")
    night.choose(night.tables[0], "miss")

    def houses(opening: Mapping[str, Any]) -> Any:
        if opening["name"] == "T1":
            raise BadInput("the file is gone")
        return night.houses(opening)

    floor = Floor(houses)
    for id, at in night.snapshots.items():
        with suppress(BadInput):
            floor.restore({id: at}, night.since, lambda id: night.secrets.get(id, {}), {})
    floor.restore({}, night.since, lambda id: {}, night.held)
    assert list(floor.tables) == ["t2"]
    night.floor = floor
    told = night.take_back(night.tables[0])
    assert told["rack"] == {"meter": FED} and told["taken"] == {"meter": 1}
    night.right()


@pytest.mark.parametrize("seed", range(8))
def test_the_meter_is_right_whatever_is_won_and_voided(tmp_path: Path, seed: int) -> None:
    night, rng = Night(tmp_path, seed), random.Random(seed)
    seen = {"rack": 0, "back": 0, "undoes": 0}
    for step in range(160):
        table = rng.choice(night.tables)
        if not table.in_play:
            night.deal(table)
        elif rng.random() < 0.3:
            told = night.take_back(table)
            seen = {what: many + (what in told) for what, many in seen.items()}
        else:
            night.choose(table, rng.choice(("hit", "miss", "miss")))
        night.right()
        if step % 8 == 7:
            again = night.taken_up()
            same(night.floor, again)
            assert again.meters.told("will", ["meter"]) == night.floor.meters.told("will", ["meter"])
            if rng.random() < 0.5:
                night.floor = again
    assert min(seen["rack"], seen["undoes"]) > 0
    assert not night.audit().fault


def test_what_a_void_says_of_meters_is_held_against_them(tmp_path: Path) -> None:
    night = Night(tmp_path, 1)
    night.deal(night.tables[0])
    night.deal(night.tables[1])
    night.choose(night.tables[0], "hit")
    night.choose(night.tables[1], "hit")
    night.take_back(night.tables[1])
    night.take_back(night.tables[0])
    for kind, changes in (
        (0, {"rack": {"meter": 1}}), (0, {"taken": {"meter": 2}}), (0, {"undoes": {"meter": [1]}}),
        (0, {"back": {"meter": 450}}), (1, {"back": {"meter": 1}}), (1, {"rack": {"meter": 450}}),
    ):  # fmt: skip
        event = [event for event in night.log if event.kind == "void"][kind]
        log = [replace(e, body={**e.body, **changes}) if e is event else e for e in night.log]
        said = night.audit(log).fault
        assert said.startswith(f"event {event.seq}, void at {event.table}: {next(iter(changes))} is "), said
