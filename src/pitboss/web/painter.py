"""A painter: a process that draws the scenes of some tables, so that whoever judges need not.

It takes its tables up from the log, as the house does when it is opened, and from then on is told what was written; so
it knows what is on the disk and nothing else. It decides nothing and keeps nothing: where there is none, the house
draws by itself. What goes over the line between them is plain values (`marshal` makes no objects of our own).
"""

import gc
import json
import marshal
import select
import socket
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pitboss.pit.floor import folded, taken_up
from pitboss.pit.shared import Meters
from pitboss.pit.table import Table
from pitboss.vault import Vault
from pitboss.web.canvas import Canvas, Look
from pitboss.web.games import Games
from pitboss.web.tidy import MUST, WORTH

SIZE = 4  # bytes that say how long a message is
IDLE = 2.0  # seconds without a message: time to look for garbage
Entry = tuple[str, str, dict[str, str]]  # kind, body as it is written, secrets
Message = tuple[Any, ...]


class Written(NamedTuple):
    """An event that is on the disk."""

    seq: int
    kind: str
    body: Mapping[str, Any]


def packed(*message: Any) -> bytes:
    text = marshal.dumps(message)
    return len(text).to_bytes(SIZE, "big") + text


def share_of(table: str, many: int) -> int:
    """Which of so many painters draws a table."""
    return zlib.crc32(table.encode()) % many


class Painter:
    """Tables as the log has them, and their canvases."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.canvases: dict[str, Canvas] = {}
        self.upto: dict[str, int] = {}  # events that a table has followed
        self.late: set[str] = set()  # tables that were taken up after a round, which the house alone can show

    def take_up(self, vault: Vault, number: int, many: int) -> None:
        for id, (seq, state) in vault.snapshots().items():
            if share_of(id, many) == number:
                try:
                    events = list(vault.events(table=id, after=seq))
                    table = taken_up(id, state, events, vault.secrets(id), self.games.of)
                except Exception:  # the house says what is wrong with it
                    continue
                self._follow(table, events[-1].seq if events else seq)
                if table.rounds and table.session.round is None:
                    self.late.add(id)

    def written(self, id: str, first: int, entries: Sequence[Entry]) -> None:
        """What one command came to at a table; its first event has this number."""
        secrets = {name: told for entry in entries for name, told in entry[2].items()}
        events = [Written(first + i, kind, json.loads(body)) for i, (kind, body, _) in enumerate(entries)]
        last = events[-1].seq
        if events[0].kind == "open":
            if id not in self.upto:
                self._follow(self._opened(id, events[0].body, secrets), last)
        elif id in self.canvases and first > self.upto[id]:
            for _ in folded(self.canvases[id].table, events, secrets):
                pass
            self.canvases[id].changed()
            if events[0].kind == "deal":
                self.late.discard(id)
            self.upto[id] = last

    def lost(self, id: str) -> None:
        """A table that cannot be followed."""
        self.canvases.pop(id, None)

    def _opened(self, id: str, body: Mapping[str, Any], secrets: Mapping[str, str]) -> Table:
        opening = {name: said for name, said in body.items() if name != "by"}
        table = Table(id, self.games.of(opening), opening, Meters())
        table.commit(secrets["shoe 1"])
        return table

    def _follow(self, table: Table, seq: int) -> None:
        self.canvases[table.id], self.upto[table.id] = Canvas(table), seq

    def draw(self, id: str, look: Sequence[Any]) -> tuple[str, tuple[int, int]] | None:
        """None where the house has to."""
        canvas = self.canvases.get(id)
        return None if canvas is None or id in self.late else tuple(canvas.draw(Look(*look)))  # type: ignore[return-value]


def paint(line: socket.socket, db: str, files: tuple[str, ...], number: int, many: int) -> None:
    """The life of a painter: to the end of the line, which is the end of the house."""
    try:
        try:
            painter = Painter(Games(files))
            with Vault.open(db, only_read=True) as vault:
                painter.take_up(vault, number, many)
        except Exception as error:
            return line.sendall(packed("failed", f"{type(error).__name__}: {error}"))
        gc.collect()
        gc.freeze()
        gc.disable()
        line.sendall(packed("ready"))
        for kind, *said in _messages(line):
            if kind == "draw":
                line.sendall(_drawn(painter, *said))
            else:
                line.sendall(_written(painter, *said))
    except OSError:  # the house is gone
        pass


def _drawn(painter: Painter, number: int, id: str, look: Sequence[Any]) -> bytes:
    try:
        return packed("drawn", number, painter.draw(id, look))
    except Exception as error:  # the house draws it by itself
        painter.lost(id)
        return packed("lost_table", id, f"{type(error).__name__}: {error}") + packed("drawn", number, None)


def _written(painter: Painter, id: str, first: int, entries: Sequence[Entry]) -> bytes:
    try:
        painter.written(id, first, entries)
    except Exception as error:
        painter.lost(id)
        return packed("lost_table", id, f"{type(error).__name__}: {error}")
    return b""


def _messages(line: socket.socket) -> Iterator[Message]:
    have, at = b"", 0
    while True:
        start = at + SIZE
        end = start + int.from_bytes(have[at:start], "big")
        if start <= len(have) and end <= len(have):
            yield marshal.loads(have[start:end])
            at = end
            continue
        have, at = have[at:], 0
        if not have and (gc.get_count()[0] > MUST or (gc.get_count()[0] > WORTH and _idle(line))):
            gc.collect()
        came = line.recv(1 << 18)
        if not came:
            return
        have += came


def _idle(line: socket.socket) -> bool:
    return not select.select([line], [], [], IDLE)[0]
