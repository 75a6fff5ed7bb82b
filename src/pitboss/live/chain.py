"""The lines of a log: each is sealed with a hash of itself and names the seal of the line before.

So a line that was changed, removed, added or moved is found; lines taken off the end are not, and neither is a log that
was written anew from its first line on. Who wants to be safe from that keeps the last seal elsewhere.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NoReturn

from pitboss.rules.errors import BadInput

Entry = dict[str, Any]

START = "0" * 64
"""What the first line follows."""

LONGEST = 1 << 20  # bytes of a line: far more than a full table ever needs
FIRST = b'{"line":"session",'
_SEAL = re.compile(rb',"sha256":"([0-9a-f]{64})"\}')
_SEALED = len(b',"sha256":""}') + 64


def sealed(entry: Mapping[str, Any], after: str) -> tuple[bytes, str]:
    """An entry as a line, and its seal."""
    body = json.dumps({**entry, "after": after}, separators=(",", ":"), allow_nan=False)[:-1].encode()
    seal = hashlib.sha256(body).hexdigest()
    return body + f',"sha256":"{seal}"}}\n'.encode(), seal


def plain_json(text: bytes) -> Any:
    """JSON as pitboss writes it: UTF-8, whole numbers of a size, no NaN, no depths. Anything else is a ValueError."""
    try:
        return json.loads(text.decode("utf-8"), parse_float=_no_number, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("too deep") from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a whole number")


class Chain:
    """A log, line by line, and afterwards what its end is like."""

    def __init__(self, name: object) -> None:
        self.name = name
        self.last = START
        self.torn = b""  # what stands behind the last whole line: the machine stopped while it was written
        self.ended = True  # whether the last whole line has its line break
        self.number = 0

    def entries(self, file: BinaryIO) -> Iterator[Entry]:
        """Every entry in order; one clear sentence where the chain does not hold."""
        size, bad = (
            0,
            list[bytes](),
        )  # lines that do not fit their seal: torn, if the next session says so or nothing follows
        for raw in lines_of(file, self.name):
            self.number += 1
            line = raw.removesuffix(b"\n")
            seal = _seal_of(line)
            if seal is None:
                bad.append(raw)
                size += len(raw)
                if size > LONGEST:
                    raise self._changed(bad)
                continue
            entry = self._entry(line)
            if bad or "torn" in entry:
                self._check_torn(entry, bad)
            if entry.get("after") != self.last:
                raise self.wrong("does not follow the line before it: lines were removed, added or moved")
            self.last, self.ended, size, bad = seal, line != raw, 0, []
            yield entry
        self.torn = b"".join(bad)
        ours = self.last != START or self.torn.startswith(FIRST) or FIRST.startswith(self.torn)
        if self.torn.endswith(b"\n") or not ours:
            raise self._changed(bad)

    def wrong(self, why: str, line: int = 0) -> BadInput:
        return BadInput(f"{self.name}, line {line or self.number}: {why}")

    def _entry(self, line: bytes) -> Entry:
        try:
            entry = plain_json(line)
        except ValueError:
            raise self.wrong("is not JSON as pitboss writes it") from None
        if not isinstance(entry, dict) or entry.get("line") not in ("session", "open", "close"):
            raise self.wrong("is not a session, an opened round or a closed one")
        return entry

    def _check_torn(self, entry: Entry, bad: list[bytes]) -> None:
        """A session that began behind a torn line says of what text: nobody can hide a change as an accident."""
        text = b"".join(bad).removesuffix(b"\n")
        if not bad:
            raise self.wrong("follows a torn line, it says, and there is none")
        if entry["line"] != "session" or entry.get("torn") != hashlib.sha256(text).hexdigest():
            raise self._changed(bad, self.number - len(bad))

    def _changed(self, bad: list[bytes], line: int = 0) -> BadInput:
        if self.last == START and not bad[0].startswith(FIRST):
            return BadInput(f"{self.name} is not a log of pitboss: its first line opens no session")
        return self.wrong("was changed or is damaged: it does not fit its seal", line or self.number - len(bad) + 1)


def _seal_of(line: bytes) -> str | None:
    """The seal of a line, if it fits."""
    body, tail = line[:-_SEALED], line[-_SEALED:]
    found = _SEAL.fullmatch(tail)
    seal = found[1].decode() if found else ""
    return seal if seal and hashlib.sha256(body).hexdigest() == seal else None


def lines_of(file: BinaryIO, name: object) -> Iterator[bytes]:
    """The lines of a file, one at a time: it may be larger than the memory, but no line is."""
    number = 0
    while raw := file.readline(LONGEST + 1):
        number += 1
        if len(raw) > LONGEST:
            raise BadInput(f"{name}, line {number}: is longer than any line of a log of pitboss")
        yield raw
