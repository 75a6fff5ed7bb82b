"""A simulation on disk: how many chunks are counted, and their counts, in one atomic file, so nothing counts twice.

A file is believed when its checksum is right, when it is of this very simulation, and when its numbers can have been
counted: each is a question of its own, and the answer to each a sentence. While a run uses it, no other can.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.disk import InUse, can_write, locked, read_whole, write_whole
from pitboss.rules.errors import BadInput, said

FORMAT = "checkpoint 2"
ELSE = "name another file, or remove it to start anew"
_HIDDEN = {"file": "the game file", "rules": "the rules of the game", "answers": "what the strategy answers"}
_MOST_NAMED = 4  # differences, of what may be dozens of options


@dataclass
class Tally:
    """Counts of the first `chunks` chunks, and the sums that a standard error over chunks needs."""

    cells: NDArray[np.int64]
    pots: NDArray[np.int64]
    chunks: int = 0
    sums: dict[str, int] = field(default_factory=dict)  # per wager: sum of the chunks' results
    squares: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Part:
    """What some chunks add to a tally; of the cells only those that came up."""

    chunks: int
    there: NDArray[np.int64]
    counts: NDArray[np.int64]
    pots: NDArray[np.int64]
    sums: dict[str, int]
    squares: dict[str, int]


def check_place(path: Path) -> Path:
    """Where the file really is; a sentence where there can be none."""
    try:
        real = Path(os.path.realpath(path))
        if not real.parent.is_dir():
            raise BadInput(f"checkpoint: there is no folder {path.parent}")
        if real.exists() and not stat.S_ISREG(real.stat().st_mode):
            raise BadInput(f"checkpoint: {path} is a folder, a pipe or a device, and no file to save to")
    except OSError as error:
        raise BadInput(f"checkpoint: {said(str(path))} cannot be used: {_why(error)}") from None
    return real


@contextmanager
def opened(path: Path, identity: Mapping[str, str]) -> "Iterator[Checkpoint]":
    """The file for one run: nobody else has it until the end of the block."""
    real = check_place(path)
    entered = False
    try:
        with locked(real):
            can_write(real, b"\n" * 4096)
            entered = True
            yield Checkpoint(path, real, identity)
    except InUse:
        raise BadInput(f"{path} is in use by another run; wait until it has ended, or name another file") from None
    except OSError as error:
        if entered:
            raise
        raise BadInput(f"the checkpoint {path} cannot be written: {_why(error)}") from None


class Checkpoint:
    """A file that a run goes on from, and saves to."""

    def __init__(self, path: Path, real: Path, identity: Mapping[str, str]) -> None:
        self.path, self.real, self.identity = path, real, dict(identity)
        self.trouble = ""  # why what was counted last is not saved

    def save(self, tally: Tally) -> bool:
        """Whether it is on disk now. What is counted is worth more than its copy: a full disk stops no run."""
        data = {"pitboss": FORMAT, "of": self.identity, "chunks": tally.chunks, "sums": tally.sums}
        data |= {"squares": tally.squares, "pots": tally.pots.tolist(), "cells": tally.cells.tolist()}
        try:
            write_whole(self.real, _signed(data))
            self.trouble = ""
        except OSError as error:
            self.trouble = f"the checkpoint {self.path} could not be saved: {_why(error)}"
        return not self.trouble

    def load(self, like: Tally) -> Tally | None:
        """The tally to go on from, of the same shape as this one, or None when there is no file."""
        data = self._parsed(most=(1 << 20) + 24 * (like.cells.size + like.pots.size))
        if data is None:
            return None
        try:
            tally = _tally(data)
            found = {str(k): str(v) for k, v in data["of"].items()}
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
            raise self._refused("is not a checkpoint of pitboss") from None
        self._check_identity(found)
        if tally.cells.shape != like.cells.shape or tally.pots.shape != like.pots.shape:
            raise self._refused("cannot be right: it counts other outcomes than this game has")
        return tally

    def refuse(self, why: str) -> None:
        """Numbers that no simulation counts."""
        raise self._refused(f"cannot be right: {why}")

    def _parsed(self, most: int) -> dict[str, Any] | None:
        try:
            data = json.loads(read_whole(self.real, most).decode("utf-8"), parse_constant=_no_number)
            name = data["pitboss"]
            if name == FORMAT and data.pop("sha256", None) != _checksum(_canonical(data)):
                raise self._refused("is damaged: it does not hold what was saved")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadInput(f"the checkpoint {self.path} cannot be read: {_why(error)}") from None
        except BadInput:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise self._refused("is not a checkpoint of pitboss") from None
        if name != FORMAT:
            older = name == "checkpoint 1"
            other = "an older version of pitboss, which did not protect it" if older else "another version of pitboss"
            raise self._refused(f"was written by {other}")
        assert isinstance(data, dict)
        return data

    def _check_identity(self, found: Mapping[str, str]) -> None:
        differ = [k for k in {**self.identity, **found} if self.identity.get(k) != found.get(k)]
        told = [
            f"{_shown(k)} was {_shown(found.get(k, ''))}, now {_shown(self.identity.get(k, ''))}"
            for k in differ
            if k not in _HIDDEN
        ]
        if len(told) > _MOST_NAMED:
            told[_MOST_NAMED:] = [f"and {len(told) - _MOST_NAMED} more"]
        told = told or [f"{_HIDDEN[k]} changed" for k in differ]
        if told:
            raise BadInput(f"{self.path} belongs to another simulation ({'; '.join(told)}); name another file")

    def _refused(self, what: str) -> BadInput:
        return BadInput(f"{self.path} {what}; {ELSE}")


def _tally(data: Mapping[str, Any]) -> Tally:
    if not all(type(n) is int for part in ("sums", "squares") for n in data[part].values()):
        raise ValueError("a sum is a whole number")
    cells = np.array([_count(n) for n in data["cells"]], np.int64)
    pots = np.array([[_count(n) for n in row] for row in data["pots"]], np.int64)
    return Tally(cells, pots, _count(data["chunks"]), dict(data["sums"]), dict(data["squares"]))


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise ValueError("a count is a whole number from 0")
    return value


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _canonical(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode()


def _checksum(canonical: bytes) -> str:
    return hashlib.sha256(canonical).hexdigest()


def _signed(data: Mapping[str, Any]) -> bytes:
    body = _canonical(data)
    return body[:-1] + f',"sha256":"{_checksum(body)}"}}\n'.encode()


def _shown(text: str) -> str:
    return (text or "nothing") if text.isprintable() and len(text) <= 60 else said(text)


def _why(error: OSError) -> str:
    return error.strerror or "the system does not say why"
