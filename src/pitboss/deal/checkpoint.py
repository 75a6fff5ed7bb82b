"""A simulation on disk: how many chunks are counted, and their counts, in one atomic file, so nothing counts twice."""

import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pitboss.rules.errors import BadInput


@dataclass
class Tally:
    """Counts of the first `chunks` chunks, and the sums that a standard error over chunks needs."""

    cells: NDArray[np.int64]
    pots: NDArray[np.int64]
    chunks: int = 0
    sums: dict[str, int] = field(default_factory=dict)  # per wager: sum of the chunks' results
    squares: dict[str, int] = field(default_factory=dict)


def save(path: Path, fingerprint: dict[str, str], tally: Tally) -> None:
    data = {"pitboss": "checkpoint 1", "of": fingerprint, "chunks": tally.chunks, "cells": tally.cells.tolist()}
    data |= {"pots": tally.pots.tolist()}
    data |= {"sums": tally.sums, "squares": tally.squares}
    try:
        with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=path.name, delete=False) as f:
            json.dump(data, f)
            f.flush()
            os.fsync(f.fileno())
        os.replace(f.name, path)
    except OSError as error:
        raise BadInput(f"the checkpoint {path} cannot be written: {error.strerror}") from None


def load(path: Path, fingerprint: dict[str, str], cells: int) -> Tally | None:
    """The tally to go on from, or None when there is no file; a file of another simulation is refused."""
    if not path.exists():
        return None
    try:
        data = json.loads(path.read_text())
        found = {str(k): str(v) for k, v in data["of"].items()}
        tally = Tally(
            np.array([int(c) for c in data["cells"]], np.int64),
            np.array(data["pots"], np.int64),
            int(data["chunks"]),
            {k: int(v) for k, v in data["sums"].items()},
            {k: int(v) for k, v in data["squares"].items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise BadInput(
            f"{path} is not a checkpoint of pitboss; name another file, or remove it to start anew"
        ) from None
    other = [f"{k} was {found.get(k)}, now {v}" for k, v in fingerprint.items() if found.get(k) != v]
    if other or len(tally.cells) != cells:
        raise BadInput(f"{path} belongs to another simulation ({'; '.join(other) or 'other cells'}); name another file")
    return tally
