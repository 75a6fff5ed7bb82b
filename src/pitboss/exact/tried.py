"""A count that rests on the player's choices not mattering, tried on dealt rounds of the strategy that is studied."""

from collections import OrderedDict
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from pitboss.compile import Keys, dealt_cells
from pitboss.ledger.law import Law

if TYPE_CHECKING:
    from pitboss.exact.study import Study

CHUNK, CHUNKS, SEED = 1 << 18, 8, 1
TOO_FAR = 5.0  # standard errors
MOST_KNOWN = 256
_KNOWN: "OrderedDict[object, bool]" = OrderedDict()


def agrees(study: "Study", wager: str, law: Law | None) -> bool:
    """Whether rounds that are dealt and played bring what was counted: each row of the wager as often as it should. It
    is tried on the full shoe: what a choice changes, it changes there too."""
    if law is None:
        return True
    full = study.house.but(shoe=study.house.game.full_shoe(study.house.options))
    key = (full.rounds_key, study.strategy, wager)
    if key not in _KNOWN:
        whole = study if full == study.house else type(study)(full, study.strategy)
        _KNOWN[key] = _dealt(study, wager, law) if whole is study else whole.stands(wager)
        while len(_KNOWN) > MOST_KNOWN:
            _KNOWN.popitem(last=False)
    return _KNOWN[key]


def _dealt(study: "Study", wager: str, law: Law) -> bool:
    keys, cells = Keys(study.graph), study.book.cells
    shoe, table = study.house.composition, study.strategy_array(keys)
    counts = dealt_cells(cells, keys, shoe, table, chunk=CHUNK, chunks=CHUNKS, seed=SEED)
    hands, met = CHUNK * CHUNKS, dict[str, int]()
    for cell in np.flatnonzero(counts).tolist():
        row = cells.leaf(cell).decode(cell)[wager]
        met[row] = met.get(row, 0) + int(counts[cell])
    wanted: dict[str, float] = {}
    for chance, joint in law:
        wanted[joint.rows[wager]] = wanted.get(joint.rows[wager], 0.0) + float(chance)
    for row in {*met, *wanted}:
        p = wanted.get(row, 0.0)
        error = sqrt(max(p * (1 - p), 1 / hands) / hands)
        if abs(met.get(row, 0) / hands - p) > TOO_FAR * error:
            return False
    return True
