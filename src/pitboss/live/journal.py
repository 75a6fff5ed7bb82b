"""Writing a log: a line when a session begins, when a round is opened, before its first card, and when it is closed.

Every line is on the disk before the table goes on. A round that is not closed any more, because the machine stopped or
the process was killed, is there all the same, with its bets.
"""

import hashlib
import os
import stat
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, NamedTuple

from pitboss.cards import card_name
from pitboss.disk import InUse, locked
from pitboss.live.chain import START, Chain, sealed
from pitboss.live.log import seat_log
from pitboss.live.meters import Meters
from pitboss.live.seat import Seat
from pitboss.live.shoe import Shoe
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House

FORMAT = 1
MOVING = 2  # with meters, which go on from round to round


class _State(NamedTuple):
    """How far the log has come; replaced whole, so that an interrupt never leaves half of a step."""

    size: int = 0  # bytes of the file that are whole lines
    unsaved: bytes = b""  # lines behind them that are not all on the disk yet
    last: str = START  # the seal of the last line
    rounds: int = 0  # opened so far, in all sessions
    open: bool = False  # whether one is opened and not closed


class Journal:
    """The log of a table in a file: new, empty, or the log of earlier sessions, which it goes on with. It is this
    process's alone until it is closed. What is no log is refused, and not touched."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble = ""  # why the last lines are not in the file, while they are not
        self._state = _State()
        self._held = ExitStack()
        self._torn: str | None = None
        try:
            self._take()
        except InUse:
            raise BadInput(f"the log {path} is in use: another table is writing it") from None
        except (OSError, ValueError) as error:
            self._held.close()
            if isinstance(error, BadInput):
                raise
            raise self._cannot(error) from None

    def _take(self) -> None:
        if self.path.exists() and not self.path.is_file():
            raise BadInput(f"the log {self.path} is not a file")
        where = Path(os.path.realpath(self.path))
        self._held.enter_context(locked(where))
        self._handle = os.open(where, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)
        self._held.callback(os.close, self._handle)
        if not stat.S_ISREG(os.fstat(self._handle).st_mode):
            raise BadInput(f"the log {self.path} is not a file")
        chain, rounds = Chain(self.path), 0
        with open(where, "rb") as file:
            for entry in chain.entries(file):
                rounds += entry["line"] == "open"
        self._torn = hashlib.sha256(chain.torn).hexdigest() if chain.torn else None
        self._fresh = b"\n" if chain.torn or not chain.ended else b""  # nothing is ever written into another line
        self._state = _State(os.fstat(self._handle).st_size, b"", chain.last, rounds)

    def _cannot(self, error: Exception) -> BadInput:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return BadInput(f"the log {self.path} cannot be written: {why}")

    # ---- what is written

    def begin(self, house: House, shoe: Shoe) -> None:
        """A session begins: the rules, and what has left the shoe before, if it is not a new one."""
        of = house.provenance()
        entry = {
            "line": "session",
            "format": MOVING if Meters(house) else FORMAT,
            **of.header(),
            "shuffle": shoe.shuffles,
        }
        entry |= {"shoe": of.left} if of.left else {}
        entry |= {"gone": [card_name(c) for c in shoe.cards[: shoe.dealt]]} if shoe.dealt else {}
        entry |= {"torn": self._torn} if self._torn else {}
        before = self._state
        self._state = before._replace(unsaved=self._fresh)
        self._add(entry)
        self._torn, self._fresh = None, b""
        if self.trouble:
            self._back_to(before)
            raise BadInput(f"the log {self.path} cannot be written: {self.trouble}")

    def opened(self, seats: Sequence[Seat | None], shoe: Shoe) -> None:
        """A round is about to be dealt. It is not, if that cannot be written."""
        if self._handle < 0:
            raise BadInput(f"the log {self.path} is closed, and so is its table; open another one")
        if self._state.unsaved:
            self._save()
        if not self.trouble:
            at = {"shuffle": shoe.shuffles, "dealt": shoe.dealt}
            before = self._state
            entry = {
                "line": "open",
                "round": before.rounds + 1,
                "shoe": at,
                "seats": [s and seat_log(s) for s in seats],
            }
            self._add(entry, rounds=before.rounds + 1, open=True)
            if self.trouble:
                self._back_to(before)
        if self.trouble:
            raise BadInput(f"the log {self.path} cannot be written: {self.trouble}; no round is dealt without it")

    def closed(self, log: Mapping[str, Any]) -> None:
        """A round is over. If that cannot be written now it is kept, and tried again before the next one."""
        if self._state.open:
            kept = {
                key: log[key] for key in ("cards", "choices", "events", "left", "together", "abandoned") if key in log
            }
            self._add({"line": "close", "round": self._state.rounds, **kept}, open=False)

    @property
    def seal(self) -> str:
        """The hash of the last line, which stands for all that is before it."""
        return self._state.last

    @property
    def rounds(self) -> int:
        return self._state.rounds

    def close(self) -> None:
        """The file is free again; what could not be written is tried once more."""
        try:
            if self._state.unsaved:
                self._save()
        finally:
            self._held.close()
            self._handle = -1  # its number may be another file's from now on
        if self.trouble and self._state.unsaved:
            raise BadInput(
                f"the log {self.path} cannot be written: {self.trouble}; how round {self.rounds} ended is not in it"
            )

    # ---- onto the disk

    def _add(self, entry: Mapping[str, Any], **more: Any) -> None:
        line, seal = sealed(entry, self._state.last)
        self._state = self._state._replace(unsaved=self._state.unsaved + line, last=seal, **more)
        self._save()

    def _back_to(self, before: _State) -> None:
        """A line that nobody has acted on is taken back, as far as part of it was written."""
        ours = self._state.unsaved
        self._state = before
        with suppress(OSError):  # what somebody else has done to the file is not ours to mend
            tail = os.pread(self._handle, len(ours) + 1, before.size)
            if ours.startswith(tail) and os.fstat(self._handle).st_size > before.size:
                os.ftruncate(self._handle, before.size)

    def _save(self) -> None:
        """Write what is not there yet; after an interrupt, or on a disk that was full, part of it may be."""
        size, unsaved = self._state.size, self._state.unsaved
        try:
            there = os.fstat(self._handle).st_size - size
            if not 0 <= there <= len(unsaved):
                raise OSError(0, "another program has changed it")
            while there < len(unsaved):
                there += os.write(self._handle, unsaved[there:])
            os.fsync(self._handle)
        except OSError as error:
            self.trouble = error.strerror or str(error)
            return
        self.trouble = ""
        self._state = self._state._replace(size=size + len(unsaved), unsaved=b"")
