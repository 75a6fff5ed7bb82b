"""How a record leaves the laboratory: as a dict, JSON, CSV, a data frame, a table in a notebook, or a chart.

Everything is derived from what the record's `json()` says; a record names the list in it that is its table.
"""

import csv
import html
import io
import json as text
import re
from collections.abc import Callable, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar

from pitboss.plain import clean, spreadsheet
from pitboss.rules.errors import BadInput, said

Row = dict[str, Any]
PLOTS: dict[str, Callable[[str, Any], Any]] = {}
"""Kind of record -> how it is drawn: filled by the front door, so that no record waits for a plotting library."""


class Shown:
    """A record that can be looked at and taken elsewhere."""

    TABLE: ClassVar[str] = ""  # the list of its JSON that is shown as a table

    def json(self) -> Row:
        raise NotImplementedError

    def to_dict(self) -> Row:
        """Everything, as the JSON of the command line has it."""
        return self.json()

    def to_json(self, file: "str | Path | None" = None) -> str:
        """The same as text; written to a file if one is named. JSON knows no infinity: what is not a number is null."""
        return _written(text.dumps(_finite(self.json()), indent=2), file)

    def table(self) -> list[Row]:
        """The rows of the table that a notebook shows: one flat dict each. What belongs together is named together
        (`pays_suit`, `pays_tie`); tables within the table are left out."""
        found = self.json()[self.TABLE] if self.TABLE else [self.json()]
        return [_flat(row) for row in found]

    def to_csv(self, file: "str | Path | None" = None) -> str:
        """The table as CSV; written to a file if one is named. Text that a spreadsheet would run begins with an
        apostrophe."""
        rows = self.table()
        out = io.StringIO()
        names = _columns(rows)
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(map(spreadsheet, names))
        writer.writerows([spreadsheet(row.get(name)) for name in names] for row in rows)
        return _written(out.getvalue(), file)

    def to_frame(self) -> Any:
        """The table as a data frame of pandas or polars, whichever is installed."""
        rows = self.table()
        columns = {name: [row.get(name) for row in rows] for name in _columns(rows)}
        for name in ("pandas", "polars"):
            try:
                frame = __import__(name).DataFrame
            except ImportError:
                continue
            return frame(columns) if name == "pandas" else frame(columns, strict=False)  # 1 and 0.5 in one column
        raise BadInput("a data frame needs pandas or polars, and neither is installed")

    def plot(self, file: "str | Path") -> Path:
        """Draw it, to a file that ends in .png or .svg."""
        draw = PLOTS.get(type(self).__name__)
        if draw is None:
            others = f"; there are charts of {', '.join(PLOTS)}" if PLOTS else ""
            raise BadInput(f"there is no chart of this kind of record, {type(self).__name__}{others}")
        draw(str(file), self)
        return Path(file)

    def title(self) -> str:
        """What stands above the table."""
        kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(self).__name__).lower()
        game = getattr(getattr(self, "of", None), "title", None)
        return f"{game}: {kind}" if game else kind

    def _repr_html_(self) -> str:
        rows = self.table()
        names = _columns(rows)
        head = "".join(f"<th>{_cell(n.replace('_', ' '))}</th>" for n in names)
        body = "".join(
            "<tr>" + "".join(f"<td style='text-align:right'>{_cell(row.get(n))}</td>" for n in names) + "</tr>"
            for row in rows
        )
        return f"<table><caption>{_cell(self.title())}</caption><tr>{head}</tr>{body}</table>"


class ShownList(tuple[Any, ...], Shown):
    """Several records of one kind, as one table: a tuple that shows itself."""

    TABLE = "rows"

    def json(self) -> Row:
        return {"rows": [r.json() for r in self]}

    def title(self) -> str:
        return repr(self)

    def __repr__(self) -> str:
        return "1 row" if len(self) == 1 else f"{len(self):,} rows"


def _flat(row: Row, under: str = "") -> Row:
    out: Row = {}
    for key, value in row.items():
        if isinstance(value, dict):
            out |= _flat(value, f"{under}{key}_")
        elif not isinstance(value, list):
            out[f"{under}{key}"] = value
        elif value and not any(isinstance(one, list | dict) for one in value):
            out[f"{under}{key}"] = ", ".join(map(str, value))
    return out


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_finite(one) for one in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def _columns(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(k for row in rows for k in row))


def _cell(value: object) -> str:
    if value is None:
        return ""
    return html.escape(clean(f"{value:.6g}" if isinstance(value, float) else str(value)))


def _written(what: str, file: "str | Path | None") -> str:
    if file is not None:
        try:
            Path(file).write_text(what, encoding="utf-8")
        except (OSError, ValueError, TypeError) as error:
            why = getattr(error, "strerror", None) or "give the name of a file"
            raise BadInput(f"{said(file)} cannot be written: {why}") from None
    return what
