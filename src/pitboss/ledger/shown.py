"""How a record leaves the laboratory: as a dict, JSON, CSV, a data frame, a table in a notebook, or a chart.

Everything is derived from what the record's `json()` says; a record names the list in it that is its table.
"""

import csv
import html
import io
import json as text
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

from pitboss.rules.errors import BadInput

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
        """The same as text; written to a file if one is named."""
        return _written(text.dumps(self.json(), indent=2), file)

    def table(self) -> list[Row]:
        """The rows of the table that a notebook shows: one flat dict each."""
        found = self.json()[self.TABLE] if self.TABLE else [self.json()]
        return [{k: v for k, v in row.items() if not isinstance(v, list | dict)} for row in found]

    def to_csv(self, file: "str | Path | None" = None) -> str:
        """The table as CSV; written to a file if one is named."""
        rows = self.table()
        out = io.StringIO()
        writer = csv.DictWriter(out, _columns(rows), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return _written(out.getvalue(), file)

    def to_frame(self) -> Any:
        """The table as a data frame of pandas or polars, whichever is installed."""
        for name in ("pandas", "polars"):
            try:
                return __import__(name).DataFrame(self.table())
            except ImportError:
                continue
        raise BadInput("a data frame needs pandas or polars, and neither is installed")

    def plot(self, file: "str | Path") -> Path:
        """Draw it, to a file that ends in .png or .svg."""
        draw = PLOTS.get(type(self).__name__)
        if draw is None:
            raise BadInput(f"there is no chart of a {type(self).__name__}; there are charts of {', '.join(PLOTS)}")
        draw(str(file), self)
        return Path(file)

    def title(self) -> str:
        """What stands above the table."""
        return type(self).__name__

    def _repr_html_(self) -> str:
        rows = self.table()
        names = _columns(rows)
        head = "".join(f"<th>{html.escape(n.replace('_', ' '))}</th>" for n in names)
        body = "".join(
            "<tr>" + "".join(f"<td style='text-align:right'>{_cell(row.get(n))}</td>" for n in names) + "</tr>"
            for row in rows
        )
        return f"<table><caption>{html.escape(self.title())}</caption><tr>{head}</tr>{body}</table>"


class ShownList(Shown, Sequence[Any]):
    """Several records of one kind, as one table."""

    def __init__(self, records: Sequence[Any]) -> None:
        self._records = tuple(records)

    def __getitem__(self, place: Any) -> Any:
        return self._records[place]

    def __len__(self) -> int:
        return len(self._records)

    def json(self) -> Row:
        return {"rows": [r.json() for r in self._records]}

    TABLE = "rows"

    def __repr__(self) -> str:
        return f"{len(self)} rows"


def _columns(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(k for row in rows for k in row))


def _cell(value: object) -> str:
    if value is None:
        return ""
    return html.escape(f"{value:.6g}" if isinstance(value, float) else str(value))


def _written(what: str, file: "str | Path | None") -> str:
    if file is not None:
        try:
            Path(file).write_text(what, encoding="utf-8")
        except OSError as error:
            raise BadInput(f"{file} cannot be written: {error.strerror}") from None
    return what
