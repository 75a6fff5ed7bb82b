"""Games made from a game: one wager of it alone, or two hands of it in a row from one shoe.

Two hands in a row answer how much it matters to a streak that consecutive hands are not independent: a round is played
first for what it carries over and for the cards it takes; then the round that counts is dealt from what is left.

Only the wager in question is kept, and every decision takes its first choice: what the wager looks at must not depend
on it.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pitboss.rules.column import Column, Hand, Rows, column
from pitboss.rules.errors import RuleError
from pitboss.rules.house import House
from pitboss.rules.options import Value
from pitboss.rules.trace import trace
from pitboss.rules.vocabulary import Table


class _Settled(Exception):
    """The one wager that counts has been settled."""


class _Onlooker:
    """A table that passes cards and conditions on to the real one, and keeps one wager of the money."""

    def __init__(self, table: Table, wager: str | None, kept: dict[str, Column] | None) -> None:
        self.table, self.wager, self.kept = table, wager, kept
        self.next: dict[str, Column] = {}
        self.decided = False  # whether the player has made a choice by now

    def option(self, name: str) -> Value:
        return self.table.option(name)

    def deal(self, who: str, count: int = 1, face: str = "up", hand: int = 1) -> Hand:
        return self.table.deal(who, count, "blind", hand)

    def split(self, hand: int, to: int) -> None: ...

    def mark(self, name: str, *state: Any) -> Any:
        return self.table.mark(name, *state)

    def burn(self, count: int = 1) -> None:
        self.table.burn(count)

    def when(self, condition: Any, words: str = "") -> bool:
        return self.table.when(condition, words)

    def decide(self, *choices: str, name: str = "", by: Any = None) -> str:
        self.decided = True
        return choices[0]

    def reveal(self, what: Any) -> None: ...

    def bet(self, wager: str, times: Any = 1) -> None: ...

    def has(self, wager: str) -> bool:
        return True

    def share(self, wager: str, value: Any) -> None: ...

    def settle(self, because: str = "", /, **results: Rows) -> None:
        for key, rows in results.items():
            if key.rstrip("_").replace("_", "-") == self.wager:
                self.table.settle(because, **{key: rows})
                if not self.next:  # nothing is carried on: the rest of the round is none of this wager's business
                    raise _Settled

    def carried(self, name: str, highest: int, on: str) -> Column:
        before = self.table.carried(name, highest, self.table.house.wagers[0].name)
        self.next.setdefault(name, column(0))
        return before if self.kept is None else self.kept[name]

    def carry(self, name: str, value: Any) -> None:
        self.next[name] = column(value)


def one_wager_house(house: House, wager: str) -> House:
    """The same game with one wager of it."""
    real = house.game.play

    def play(table: Table) -> None:
        with suppress(_Settled):
            real(_Onlooker(table, wager, None))  # type: ignore[arg-type]

    return _with_play(house, wager, play)


def settled_first(house: House, wager: str) -> House | None:
    """The same game with one wager of it, if that is settled before the player has anything to decide."""
    decided = False
    real = house.game.play

    def play(table: Table) -> None:
        nonlocal decided
        onlooker = _Onlooker(table, wager, None)
        with suppress(_Settled):
            real(onlooker)  # type: ignore[arg-type]
            decided = True  # the round went on: something is carried over, or the wager was never settled
        decided |= onlooker.decided

    alone = _with_play(house, wager, play)
    try:
        carried = trace(alone).carried
    except RuleError:  # never settled, only shared; or a mistake, which the whole game will show
        return None
    return None if carried or decided else alone


def same_shoe_house(house: House, wager: str) -> House:
    """The game of two hands in a row from one shoe, of which the second is paid."""
    real = house.game.play

    def play(table: Table) -> None:
        first = _Onlooker(table, None, None)
        real(first)  # type: ignore[arg-type]
        with suppress(_Settled):
            real(_Onlooker(table, wager, first.next))  # type: ignore[arg-type]

    return _with_play(house, wager, play)


def _with_play(house: House, wager: str, play: Callable[[Table], None]) -> House:
    alone = [replace(w, needs=None, required=True, table_of=None) for w in house.wagers if w.name == wager]
    game = replace(house.game, play=play, wagers=alone, options=(), strategies={}, one_of=())
    return replace(house, game=game, wagers=tuple(alone), tables={wager: house.tables[wager]}, one_of=())
