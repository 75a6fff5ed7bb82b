"""Two hands from one shoe: how much does it matter to a streak that consecutive hands are not independent?

A round is played first for what it carries over and for the cards it takes; then the round that counts is dealt from
what is left. Only the wager in question is kept, and every decision takes its first choice: the cards that a streak
looks at must not depend on it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pitboss.rules.column import Column, Hand, Rows, column
from pitboss.rules.errors import BadInput
from pitboss.rules.game import House
from pitboss.rules.options import Value
from pitboss.rules.vocabulary import Table


class _Onlooker:
    """A table that passes cards and conditions on to the real one, and keeps one wager of the money."""

    def __init__(self, table: Table, wager: str | None, kept: dict[str, Column] | None) -> None:
        self.table, self.wager, self.kept = table, wager, kept
        self.next: dict[str, Column] = {}

    def option(self, name: str) -> Value:
        return self.table.option(name)

    def deal(self, who: str, count: int = 1, face: str = "up") -> Hand:
        return self.table.deal(who, count, "blind")

    def burn(self, count: int = 1) -> None:
        self.table.burn(count)

    def when(self, condition: Any) -> bool:
        return self.table.when(condition)

    def decide(self, *choices: str, name: str = "") -> str:
        return choices[0]

    def reveal(self, what: Any) -> None: ...

    def bet(self, wager: str, times: int = 1) -> None: ...

    def settle(self, because: str = "", /, **results: Rows) -> None:
        for key, rows in results.items():
            if key.rstrip("_").replace("_", "-") == self.wager:
                self.table.settle(because, **{key: rows})

    def carried(self, name: str, highest: int, on: str) -> Column:
        before = self.table.carried(name, highest, self.table.house.wagers[0].name)
        self.next.setdefault(name, column(0))
        return before if self.kept is None else self.kept[name]

    def carry(self, name: str, value: Any) -> None:
        self.next[name] = column(value)


def same_shoe_house(house: House, wager: str) -> House:
    """The game of two hands in a row from one shoe, of which the second is paid."""
    found = [w for w in house.wagers if w.name == wager]
    if not found:
        raise BadInput(f"{house.game.name} has no wager {wager!r}")
    real = house.game.play

    def play(table: Table) -> None:
        first = _Onlooker(table, None, None)
        real(first)  # type: ignore[arg-type]
        second = _Onlooker(table, wager, first.next)
        real(second)  # type: ignore[arg-type]

    alone: Sequence[Any] = [replace(found[0], needs=None, required=True)]
    game = replace(house.game, play=play, wagers=alone, options=(), strategies={}, one_of=())
    return replace(house, game=game, wagers=tuple(alone), tables={wager: house.tables[wager]}, one_of=())
