"""What a table of the live house waits for, and what is done when nobody comes: bets close, the cheapest choice is
made, computer players bet and choose. It decides nothing that is not a command which the pit may refuse."""

import secrets
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pitboss.live.bots import first_choice, follows, usual_bets
from pitboss.pit import CLOCK, Command, Table
from pitboss.pit.commands import SUPERVISOR, to_cents
from pitboss.rules.errors import BadInput

Wait = tuple[Any, ...]
THINK = 1.2  # seconds that a computer player takes
MANY = 40  # of its usual bets, that it buys in for


def by_the_clock(do: str, **body: object) -> Command:
    return Command(f"clock-{secrets.token_hex(8)}", do, "", CLOCK, body)


def by_the_house(do: str, **body: object) -> Command:
    return Command(f"house-{secrets.token_hex(8)}", do, "house", SUPERVISOR, body)


def waits(table: Table, ready: frozenset[int], here: frozenset[int], tried: frozenset[Wait]) -> dict[Wait, float]:
    """What the table waits for -> seconds until it goes on without it. `ready` are seats that want no more bets, `here`
    those whose players are looking, `tried` what was done already and came to nothing."""
    if table.closed or table.paused:
        return {}
    if table.in_play:
        return {wait: seconds for wait, seconds in _turn(table).items() if wait not in tried}
    bettors = [seat for seat in table.sitting if table.session.bets(seat)]
    people = [seat for seat in table.sitting if not table.sitting[seat].bot]
    if not any(seat in people for seat in bettors):
        return {}  # computer players wait for somebody to play with
    out: dict[Wait, float] = {}
    robots = [seat for seat, who in sorted(table.sitting.items()) if who.bot and seat not in bettors]
    for place, seat in enumerate((seat for seat in robots if ("robot", table.rounds, seat) not in tried), 1):
        out["robot", table.rounds, seat] = THINK * place / len(robots)
    if table.pace["bet"]:
        out["bets", table.rounds] = table.pace["bet"]
    if not out.keys() - {("bets", table.rounds)} and all(
        seat in ready for seat in people if seat in bettors or seat in here
    ):
        out["deal", table.rounds] = 0.0
    return {wait: seconds for wait, seconds in out.items() if wait not in tried}


def _turn(table: Table) -> dict[Wait, float]:
    turn, round_ = table.session.turn, table.session.round
    assert turn is not None and round_ is not None
    wait = ("turn", table.rounds, len(round_.choices), turn.seat)
    if table.sitting[turn.seat].bot:
        return {wait: THINK}
    return {wait: float(table.pace["act"])} if table.pace["act"] else {}


def clock_of(table: Table, due: Mapping[Wait, float], now: float) -> dict[str, Any] | None:
    """The clock as everybody sees it: whole seconds that are left, of how many, and for which seat."""
    for wait, at in due.items():
        left = max(0, round(at - now))
        who = table.sitting.get(wait[3]) if wait[0] == "turn" else None  # he may have got up, and it is being written
        if who is not None and not who.bot:
            return {"left": left, "of": table.pace["act"], "seat": wait[3]}
        if wait[0] == "bets":
            return {"left": left, "of": table.pace["bet"], "seat": None}
    return None


def instead_of(wait: Wait, table: Table) -> list[Command]:
    """What is done when something does not come: commands in the order in which they are tried."""
    if wait[0] == "turn":
        return choices_of(table)
    return [robot_bets(table, wait[2])] if wait[0] == "robot" else [by_the_clock("deal")]


def choices_of(table: Table) -> list[Command]:
    """What is done for who does not choose: commands in the order in which they are tried. A player who is late makes
    the cheapest choice; a computer player does what the game's first strategy says."""
    turn = table.session.turn
    assert turn is not None
    choices, why = list(turn.choices), "clock"
    if table.sitting[turn.seat].bot:
        why, own = "computer player", next(iter(table.house.game.strategies), None)
        play = first_choice if own is None else follows(table.house, own)
        best = play(turn, table.session.view(turn.seat))
        choices = [best, *(choice for choice in choices if choice != best)]
    else:
        choices = list(table.session.least_first())
    return [by_the_clock("choose", seat=turn.seat, choice=choice, why=why) for choice in choices]


def robot_bets(table: Table, seat: int) -> Command:
    bets = {name: str(amount) for name, amount in usual_bets(table.house, seat).items()}
    return by_the_clock("bet", seat=seat, bets=bets)


def robot_chips(table: Table, seat: int) -> int:
    """The cents that a computer player lacks: enough for many rounds, so that it seldom asks."""
    usual = sum(usual_bets(table.house, seat).values(), Fraction(0))
    enough = to_cents(usual, "the bets of a computer player") * MANY
    has = to_cents(table.session.purse(seat), "its chips")
    if has * 4 > enough:
        raise BadInput("it has chips enough")
    return enough - has
