"""What the clock chooses for who is late: he did not ask to put more at risk, and is not folded for nothing."""

import itertools
import random
from fractions import Fraction
from pathlib import Path

import pytest

from helpers import ANTE, GAME_FILES, load_game, small_game
from pitboss.live.bots import usual_bets
from pitboss.pit import CLOCK, PLAYER, SUPERVISOR, Command, Floor, Table
from pitboss.rules import DEALER, LOSE, PUSH, Game, compare
from pitboss.rules import PLAYER as HIM
from pitboss.rules import Table as Play
from pitboss.rules.trace import trace
from pitboss.web.seats import choices_of

FRESH = itertools.count()


def opened(game: Game, seed: int = 1) -> tuple[Floor, Table]:
    rng = random.Random(seed)
    floor = Floor(lambda opening: game.at(), lambda: f"{rng.getrandbits(256):064x}")
    table, _ = floor.open(Command("open", "open", "boss", SUPERVISOR), "t1", game.at(), "T1")
    floor.adjust(Command("adjust", "adjust", "boss", SUPERVISOR), "ann", 10**9, "chips")
    for seat in (1, 2):
        ask(floor, table, "sit", seat=seat, name="ann")
    ask(floor, table, "buy", seat=1, cents=10**9)
    return floor, table


def ask(floor: Floor, table: Table, do: str, by: str = "ann", role: str = PLAYER, **body: object) -> None:
    floor.handle(table, Command(f"c{next(FRESH)}", do, by, role, body))


def dealt(floor: Floor, table: Table) -> None:
    for seat in (1, 2):
        bets = {name: str(amount) for name, amount in usual_bets(table.house, seat).items()}
        ask(floor, table, "bet", seat=seat, bets=bets)
    ask(floor, table, "deal", "", CLOCK)


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda path: path.stem)
def test_the_clock_never_puts_more_at_risk_than_it_must(path: Path) -> None:
    game = load_game(path)
    floor, table = opened(game)
    rng, asked = random.Random(7), 0
    for _ in range(12):
        dealt(floor, table)
        while (turn := table.session.turn) is not None:
            costs = table.session.costs()
            first, *others = choices_of(table)
            assert first.role == CLOCK and first.body["why"] == "clock"
            assert sorted(o.body["choice"] for o in (first, *others)) == sorted(turn.choices)
            assert costs[first.body["choice"]] == min(costs.values())
            asked += 1
            if rng.random() < 0.3:
                before = table.session.on_layout(turn.seat)
                floor.handle(table, first)
                still = table.session.on_layout(turn.seat) if table.in_play else Fraction(0)
                assert still <= before + costs[first.body["choice"]]
            else:
                ask(floor, table, "choose", seat=turn.seat, choice=rng.choice(turn.choices))
    assert asked or not any(trace(game.at()).decisions())


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("ultimate_texas_holdem", ["check", "check", "fold"]),
        ("mississippi_stud", ["fold"]),
        ("casino_war", ["surrender"]),
        ("let_it_ride", ["take back", "take back"]),
        ("blackjack", ["stand"]),
        ("bluff", ["check"]),
        ("flop_poker_bonus", ["fold"]),
    ],
)
def test_what_the_clock_chooses(name: str, wanted: list[str]) -> None:
    floor, table = opened(load_game(next(path for path in GAME_FILES if path.stem == name)))
    made: set[tuple[str, ...]] = set()
    for _ in range(30):
        dealt(floor, table)
        mine: list[str] = []
        while (turn := table.session.turn) is not None:
            command = choices_of(table)[0]
            if turn.seat == 1 and turn.decision != "insurance":
                mine.append(command.body["choice"])
            floor.handle(table, command)
        made.add(tuple(mine))
    assert tuple(wanted) in made and made <= {tuple(wanted), ()}


def folds_first(t: Play) -> None:
    mine, his = t.deal(HIM), t.deal(DEALER)
    choice = t.decide("fold", "call it off", "look", "check")
    if choice == "fold":
        t.settle(ante=LOSE)
    elif choice == "call it off":
        t.settle(ante=PUSH)
    elif choice == "look" and t.when(his.rank > 5):
        t.settle(ante=LOSE)
    else:
        t.settle(ante=compare(mine.rank, his.rank))


def test_nobody_is_folded_who_could_check_for_nothing() -> None:
    """A file may name the fold first. What gives nothing away for certain comes before it, in the file's order."""
    _, table = (found := opened(small_game(folds_first, ANTE)))
    dealt(*found)
    assert [command.body["choice"] for command in choices_of(table)] == ["call it off", "look", "check", "fold"]
