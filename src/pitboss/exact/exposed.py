"""Games made from a game in which the player sees more than he should: a face-down card, or a neighbour's hand.

One wager and what goes with it is kept, so that no more is counted than it needs.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import comb
from typing import Any

from pitboss.rules.column import Hand, Rows
from pitboss.rules.house import House
from pitboss.rules.graph import BOARD, DOWN, PLAYER, UP, Deal
from pitboss.rules.trace import trace
from pitboss.rules.vocabulary import Table


@dataclass(frozen=True)
class Hidden:
    """Cards that are dealt face down to the dealer or the board, together."""

    who: str
    number: int  # which such deal of the round, counted from 1
    cards: int


class _OneParty:
    """The real table, but that nothing is settled except one wager and those that go with it."""

    def __init__(self, table: Table, wager: str) -> None:
        self.table, self.wager = table, wager

    def __getattr__(self, name: str) -> Any:
        return getattr(self.table, name)

    def settle(self, because: str = "", /, **results: Rows) -> None:
        names = {w.name for w in self.table.house.wagers}
        kept = {k: r for k, r in results.items() if k.rstrip("_").replace("_", "-") in names}
        if kept:
            self.table.settle(because, **kept)

    def share(self, wager: str, value: Any) -> None: ...

    def has(self, wager: str) -> bool:
        return True

    def carried(self, name: str, highest: int, on: str) -> Any:
        return self.table.carried(name, highest, self.wager)


class _Flashed(_OneParty):
    """Some cards of one face-down deal show."""

    def __init__(self, table: Table, wager: str, hidden: Hidden, seen: int) -> None:
        super().__init__(table, wager)
        self.hidden, self.seen, self.number = hidden, seen, 0

    def deal(self, who: str, count: int = 1, face: str = UP, hand: int = 1) -> Hand:
        self.number += who == self.hidden.who and face == DOWN
        if who != self.hidden.who or face != DOWN or self.number != self.hidden.number:
            return self.table.deal(who, count, face, hand)
        shown = self.table.deal(who, self.seen, UP, hand)
        return shown + self.table.deal(who, count - self.seen, DOWN, hand) if count > self.seen else shown


def hidden_deals(house: House) -> list[Hidden]:
    """The face-down deals to the dealer and to the board before the first decision of the round."""
    deals = [e for e in trace(house).root.events if isinstance(e, Deal) and e.who != PLAYER and e.face == DOWN]
    return [Hidden(e.who, 1 + sum(d.who == e.who for d in deals[:i]), len(e.slots)) for i, e in enumerate(deals)]


def own_cards(house: House) -> int:
    """Cards that a player holds at his first decision."""
    return sum(len(e.slots) for e in trace(house).root.events if isinstance(e, Deal) and e.who == PLAYER)


def flashed_house(house: House, wager: str, hidden: Hidden, seen: int) -> House:
    """One wager of the same game with so many cards of a face-down deal in sight."""
    real = house.game.play
    return _with(house, wager, lambda table: real(_Flashed(table, wager, hidden, seen)))  # type: ignore[arg-type]


def neighbour_house(house: House, wager: str, seen: int) -> House:
    """One wager of the same game by a player who has seen so many of his neighbour's cards: whoever they are dealt to,
    they have left the shoe and he knows them."""
    real = house.game.play

    def play(table: Table) -> None:
        table.deal(BOARD, seen)
        real(_OneParty(table, wager))  # type: ignore[arg-type]

    return _with(house, wager, play)


def deals_seen(house: House) -> int:
    """How many different deals a player can see at a decision, at most, suits told apart."""
    single = max(house.composition) == 1
    most = 1
    for decision in trace(house).decisions():
        deals, seen = 1, 0
        for group in decision.seen():
            deals *= comb(52 - seen, len(group.slots)) if single else 52 ** len(group.slots)
            seen += len(group.slots)
        most = max(most, deals)
    return most


def _with(house: House, wager: str, play: Callable[[Table], None]) -> House:
    """The options are set, and play need not ask for them again."""
    kept = tuple(replace(w, needs=None, required=w.name == wager) for w in house.parties[wager])
    game = replace(house.game, play=play, wagers=kept, options=(), strategies={}, one_of=())
    return replace(house, game=game, wagers=kept, tables={w.name: house.tables[w.name] for w in kept}, one_of=())
