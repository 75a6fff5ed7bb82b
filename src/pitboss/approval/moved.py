"""What a change does to every figure: side by side, and whether the two can be told apart."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot, isclose
from typing import Any

from pitboss.approval.offers import EDGE, LONG_RUN, SPREAD
from pitboss.approval.record import STANDS, Approval, FigureAt, RowAt
from pitboss.ledger.figure import EXACT, SIMULATED

TOO_FAR = 5.0  # standard errors: closer than this, two simulations show no difference
ROUNDING = 1e-9  # of sums in double precision
Key = tuple[str, str, str]  # the wager, the pay table if it is not the one that is dealt, the figure


@dataclass(frozen=True)
class Move:
    """One figure before and after."""

    wager: str
    figure: str
    old: FigureAt | None
    new: FigureAt | None
    dealt: bool  # by the pay table that the house has chosen
    explained: bool  # a meter stands elsewhere, or another pay table is dealt that was approved with this figure

    @property
    def both(self) -> bool:
        return self.old is not None and self.new is not None

    @property
    def moved(self) -> bool:
        """Whether it is another figure now. Of what only one side has, the wager or its pay table says so."""
        return self.old is not None and self.new is not None and not _same(self.old, self.new)

    @property
    def counts(self) -> bool:
        """Whether it needs approval again."""
        return self.moved and not self.explained

    @property
    def by(self) -> float | None:
        """By how much: of a share, in parts of 1."""
        if self.old is None or self.new is None:
            return None
        return self.new.number - self.old.number

    @property
    def in_percent(self) -> bool:
        return self.figure != SPREAD

    def json(self) -> dict[str, Any]:
        return {
            "wager": self.wager, "figure": self.figure, "dealt": self.dealt, "changed": self.moved,
            "explained": self.explained and self.moved, "change": self.by,
            **{f"{side}_{name}": value for side, one in (("old", self.old), ("new", self.new))
               for name, value in _told(one).items()},
        }  # fmt: skip


def _told(figure: FigureAt | None) -> Mapping[str, Any]:
    if figure is None:
        return dict.fromkeys(("paytable", "value", "exact", "method", "standard_error"))
    table = figure.table if figure.paid_by == figure.wager else f"{figure.paid_by}: {figure.table}"
    return {
        "paytable": table, "value": figure.number, "exact": figure.exact or None, "method": figure.method,
        "standard_error": figure.give if figure.error else None,
    }  # fmt: skip


def moves_of(old: Approval, new: Approval) -> tuple[Move, ...]:
    """Every figure of either side; the wager as the house deals it is held against the wager as it deals it now."""
    before, after = _by_key(old), _by_key(new)
    metered, approved = _metered(old, new), _approved(old, new)
    out = []
    for key in dict.fromkeys([*before, *after]):
        wager, other, figure = key
        now, known = after.get(key), approved.get((wager, figure))
        explained = wager in metered and figure != LONG_RUN
        explained |= not other and now is not None and known is not None and _same(known, now)
        out.append(Move(wager, figure, before.get(key), now, not other, explained))
    return tuple(out)


def _approved(old: Approval, new: Approval) -> dict[tuple[str, str], FigureAt]:
    """The figures that the old record has for a pay table that it knew beside its own, and that is dealt now."""
    before, now = _dealt(old), _dealt(new)
    rows = {(w.wager, t.table): t.rows for w in old.wagers for t in w.tables}
    taken = [f for f in old.figures if before.get(f.paid_by) != now.get(f.paid_by) == rows.get((f.paid_by, f.table))]
    return {(f.wager, f.figure): f for f in taken}


def _dealt(side: Approval) -> dict[str, tuple[RowAt, ...]]:
    return {w.wager: w.tables[0].rows for w in side.wagers}


def _by_key(side: Approval) -> dict[Key, FigureAt]:
    dealt = {w.wager: w.paytable for w in side.wagers}
    out: dict[Key, FigureAt] = {}
    for f in side.figures:
        usual = f.paid_by == f.wager and f.table == dealt.get(f.wager)
        out[f.wager, "" if usual else f"{f.paid_by}: {f.table}", f.figure] = f
    return out


def _metered(old: Approval, new: Approval) -> set[str]:
    """Wagers that pay from a meter which stands elsewhere now."""
    before = {o.option: o.value for o in old.options if o.kind == STANDS}
    elsewhere = {o.option for o in new.options if o.kind == STANDS and before.get(o.option, o.value) != o.value}
    return {w.wager for w in new.wagers for t in w.tables for r in t.rows if r.pays in elsewhere}


def _same(a: FigureAt, b: FigureAt) -> bool:
    if a.exact and b.exact:
        return a.exact == b.exact
    x, y = a.number, b.number
    if SIMULATED in (a.method, b.method):
        if not a.error and not b.error:  # of a simulated spread there is no error, so that it shows nothing by itself
            return True
        return abs(x - y) <= TOO_FAR * hypot(a.give, b.give)
    if a.method == b.method == EXACT:  # the root of a fraction
        return isclose(x, y, rel_tol=1e-12)
    return isclose(x, y, rel_tol=ROUNDING, abs_tol=ROUNDING)


def edge_moves(moves: tuple[Move, ...]) -> list[Move]:
    """Edges that have moved, of the pay tables that are dealt, the largest change first."""
    found = [m for m in moves if m.figure == EDGE and m.dealt and m.moved]
    return sorted(found, key=lambda m: -abs(m.by or 0.0))
