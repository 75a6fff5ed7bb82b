"""`play` for one seat as it runs: stopped where it waits for something, and resumed there.

`play` is an ordinary function of a game file and knows nothing of waiting, so it runs on a stack of its own (a
greenlet), which is left and entered again. To run it anew from the first card for every card and choice would come to
the same, and does where the stack is not at hand: for a copy of a round, or in another thread. What it does is kept
(`tape`), and a seat that comes by a known way is not played by the file at all.
"""

import threading
from typing import TYPE_CHECKING

from greenlet import getcurrent, greenlet

from pitboss.live.seat import Need, NeedChoice, SeatTable
from pitboss.live.tape import Taping, followed, tape_of
from pitboss.rules.checks import home
from pitboss.rules.mistakes import in_the_file

if TYPE_CHECKING:
    from pitboss.live.seat import Dealing


class Waiting(SeatTable):
    """The table of a play that is left where it waits."""

    def wait(self, need: Need | NeedChoice) -> None:
        parent = getcurrent().parent
        assert parent is not None
        parent.switch(need)


class Played(Taping, Waiting):
    """The same, played by the file."""


class Running:
    """How far `play` has come for a seat, and what it waits for; nothing, when it has come to its end."""

    def __init__(self, round_: "Dealing", seat: int) -> None:
        self.table: SeatTable = Waiting(round_, seat)
        self.need: Need | NeedChoice | None = None
        self.steps = 0  # how often it was resumed
        self._thread = threading.get_ident()
        self._play = greenlet(self._run)

    def goes_on_for(self, round_: "Dealing") -> bool:
        """Whether it can be resumed: by the round that it belongs to, in the thread that has its stack."""
        return self.table.round is round_ and self._thread == threading.get_ident() and not self._play.dead

    def go_on(self) -> "Running":
        house = self.table.house
        where = home(house)
        self._play.parent = getcurrent()
        self.steps += 1
        with in_the_file(where.file, "play()", where.line):
            self.need = self._play.switch()
        return self

    def _run(self) -> None:
        tape = tape_of(self.table.house)
        if not followed(self.table, tape):
            self.table = played = Played(self.table.dealing, self.table.seat)
            played.record(tape)
