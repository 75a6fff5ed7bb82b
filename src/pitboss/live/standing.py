"""A table that stands in a live house: its session can be voided, put down and taken up, its limits change between
rounds, and its meters are shared with other tables."""

import threading
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from pitboss.live.cost import Costs
from pitboss.live.live import Round
from pitboss.live.purses import Amount
from pitboss.live.session import Session
from pitboss.live.undo import undo
from pitboss.rules.errors import BadInput
from pitboss.rules.numbers import written

_LEARNING = threading.Lock()


class Standing(Session):
    """A session, with what a supervisor and a server need of it."""

    def place(self, seat: int, bets: Mapping[str, Amount], tokes: Mapping[str, Amount]) -> None:
        """All of a seat's bets at once, for itself and for the dealer: what is not named is taken back."""
        before = self._tokes.get(seat, {})
        wanted, given = self._asked(bets, {}), self._asked(tokes, {})
        if not self.in_play:
            self._tokes[seat] = {name: given[name] for name in self.house.parties if given.get(name)}
        try:
            self._place(seat, self._bets, dict.fromkeys(self._bets.get(seat, {}), Fraction(0)) | wanted)
        except BadInput:
            self._tokes[seat] = before
            raise

    def unlearnt(self) -> set[frozenset[str]]:
        """What seats have bet on, where it is not known yet what their choices may cost. `learn` may take a second, and
        may be done in another thread: whoever runs many tables does it before the deal."""
        wagered = {frozenset({*bets, *self._tokes.get(seat, {})}) for seat, bets in self._bets.items() if bets}
        return {names for names in wagered if not self._costs.knows(names)}

    def learn(self, wagered: frozenset[str]) -> None:
        with _LEARNING:  # tables that are alike learn the same, and the next finds it known
            self._costs.graph(wagered)

    def least_first(self) -> tuple[str, ...]:
        """The choices of the turn in the order in which they are made for a player who is late: what puts the least
        more money at risk, and of equal ones what gives the least away (nobody is folded who could check for nothing),
        then what the game file names first."""
        costs, round_, turn = self.costs(), self.round, self.turn
        assert round_ is not None and turn is not None
        seat, way = round_.seats[turn.seat - 1], round_.way(turn.seat)
        lost = {choice: self._costs.surely_lost(seat, way, choice) for choice in costs}
        return tuple(sorted(costs, key=lambda choice: (costs[choice], lost[choice])))

    def take_back(self, seat: int) -> None:
        """A seat's player has got up: bets for the next round are his again, and whoever comes after him has neither
        his streak, not even if the round is voided, nor his hand that still lies there."""
        for kind in (self._bets, self._tokes, self._carried, self._kept):
            kind.pop(seat, None)
        if self.round is not None:
            self.round.vacated.add(seat)

    def set_limits(self, options: Mapping[str, object]) -> None:
        """Other limits of the table, between rounds and with nothing on the layout."""
        if self.in_play or any(self._bets.values()):
            raise BadInput("limits change between rounds, with no bet on the layout")
        self.house, self._meters.house = self.house.but(options), self._meters.house.but(options)
        self._costs = Costs(self.house)

    def as_it_is(self) -> Callable[[], None]:
        """The way back to what the table is now; a round that has gone on since is played again to where it was."""
        round_ = self.round if self.in_play else None
        fork = None if round_ is None else round_.fork()
        back = undo(self, self.purses, self.shoe, self._meters)

        def all_of_it() -> None:
            same = fork is None or (self.round is round_ and round_ is not None and _far(round_) == _far(fork))
            back()
            if not same and fork is not None:
                try:
                    self.round = fork.again()
                except BadInput as error:  # who refuses is left in the middle, and must not go on
                    raise RuntimeError("the round cannot be played again to where it was") from error

        return all_of_it

    def void(self) -> None:
        """The round in play never was: its bets are back, meters and streaks are as before; its cards are burnt."""
        if not self.in_play or self.round is None:
            raise BadInput("there is no round in play that could be voided")
        self.shoe.advance(self.round.used)
        self._meters.house = self._before
        self.round, self._held = None, {}
        self._carried = {seat: dict(kept) for seat, kept in self._kept.items()}

    def show_meters(self, amounts: Mapping[str, Fraction]) -> None:
        """What meters show that other tables feed too: a hit of this round is paid from there."""
        changed = {name: x for name, x in amounts.items() if self._meters.house.amount(name) != x}
        if changed:
            self._meters.house = self._meters.house.showing(changed)
            if self.in_play and self.round is not None:
                self.round.record.house = self.round.record.house.showing(changed)

    def fed(self, meter: str) -> Fraction:
        """What the bets of the last deal have added to a meter."""
        return self._fed.get(meter, Fraction(0))

    def state(self) -> dict[str, Any]:
        """The table between two rounds, in plain values: `restore` goes on from there."""
        if self.in_play:
            raise BadInput("a table is put down between rounds; one is in play")
        return {
            "purses": self.purses.state(),
            "bets": {str(s): {w: str(x) for w, x in b.items()} for s, b in self._bets.items() if b},
            "tokes": {str(s): {w: str(x) for w, x in b.items()} for s, b in self._tokes.items() if b},
            "carried": {str(s): dict(c) for s, c in self._carried.items() if c},
            "rounds": self.rounds,
            "dealt": self.shoe.dealt,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from where a table was put down; the shoe is the one that was dealt from then."""
        self.purses.restore(state["purses"])
        self._bets = {int(s): {w: written(x) for w, x in b.items()} for s, b in state["bets"].items()}
        self._tokes = {int(s): {w: written(x) for w, x in b.items()} for s, b in state["tokes"].items()}
        self._carried = {int(s): dict(c) for s, c in state["carried"].items()}
        self.rounds = state["rounds"]
        self.shoe.dealt = state["dealt"]


def _far(round_: Round) -> tuple[object, ...]:
    """How far a round has come."""
    return len(round_.choices), len(round_.events), len(round_.record.gone), round_.record.house
