"""The cells of a workbook: text that stays text, formulas that bring their value along, names that a sheet may have.

A spreadsheet is a program that runs what it takes for a formula. So whatever a game file says is written as a string,
and a formula is made here of cells alone. A formula is written with the value that it comes to, for those who look at
the file without working it out; a spreadsheet does work it out.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

from pitboss.disk import write_whole
from pitboss.plain import clean, one_line
from pitboss.rules.errors import BadInput, said

FORBIDDEN = re.compile(r"[\[\]:*?/\\\x00-\x1f]")
LONGEST_NAME, LONGEST_TEXT = 31, 32_000  # of a sheet, of a cell
WHOLE = 10**15  # a spreadsheet holds whole numbers up to fifteen digits
DATE = datetime(2000, 1, 1)  # the same bytes from the same game: no clock goes in
TOLERANCE = "1E-12"

INK, GREY, INPUT, HEAD, GOOD, BAD = "#222222", "#666666", "#FFF6CC", "#E8EEF4", "#D9F0E1", "#F8D7D0"
_PLAIN = {"font_name": "Calibri", "font_size": 11, "font_color": INK, "valign": "top"}
_HEAD = {"bold": True, "bg_color": HEAD, "bottom": 1, "valign": "bottom"}
LOOKS: dict[str, dict[str, Any]] = {
    "text": {"text_wrap": True},
    "line": {},
    "title": {"bold": True, "font_size": 15},
    "part": {"bold": True, "font_size": 12},
    "note": {"font_color": GREY},
    "head": {**_HEAD, "text_wrap": True},
    "head right": {**_HEAD, "text_wrap": True, "align": "right"},
    "head in": {**_HEAD, "align": "left", "indent": 1},
    "head middle": {**_HEAD, "align": "center"},
    "name": {"bold": True},
    "digits": {"align": "right"},
    "exactly": {"align": "left", "indent": 1},
    "ways": {"num_format": "#,##0"},
    "many ways": {"num_format": "0.00000000000000E+00"},  # the fifteen digits that a spreadsheet holds
    "chance": {"num_format": "0.0000000000"},
    "pays": {"num_format": "0.######"},
    "input": {"num_format": "#,##0.######", "bg_color": INPUT, "font_color": "#1F4E9E"},
    "dollar input": {"num_format": "$#,##0.00", "bg_color": INPUT, "font_color": "#1F4E9E"},
    "percent chosen": {"num_format": "0.000000%", "bold": True},
    "return": {"num_format": "+0.0000000000;-0.0000000000;0.0000000000"},
    "percent": {"num_format": "0.000000%"},
    "number": {"num_format": "0.000000"},
    "rounds": {"num_format": "#,##0.00"},
    "money": {"num_format": "$#,##0.00"},
    "check": {"bold": True, "align": "center"},
    "link": {"font_color": "#1F4E9E", "underline": 1},
}  # fmt: skip
TOTAL = " total"


class Workbook:
    """A workbook that is being written."""

    def __init__(self, title: str, subject: str) -> None:
        import xlsxwriter

        self.bytes = BytesIO()
        self._book = xlsxwriter.Workbook(
            self.bytes,
            {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False},
        )
        self._book.set_properties({"title": one_line(title), "subject": one_line(subject), "created": DATE})
        self._looks: dict[str, Any] = {}
        self._taken: set[str] = {"history"}  # a name that Excel keeps for itself

    def look(self, name: str) -> Any:
        """A look by its name; of a row of totals, such as `ways total`, with a line above."""
        if name not in self._looks:
            line = {"top": 1, "bold": True} if name.endswith(TOTAL) else {}
            self._looks[name] = self._book.add_format({**_PLAIN, **LOOKS[name.removesuffix(TOTAL)], **line})
        return self._looks[name]

    def reserve(self, wanted: str) -> str:
        """A name for a sheet as near to this one as may be, that no other gets: no forbidden character, no apostrophe
        at either end, at most 31 characters, and none twice."""
        clear = FORBIDDEN.sub(" ", clean(wanted).replace("\n", " "))
        clear = " ".join(clear.split()).strip("' ") or "sheet"
        for number in range(1, 10_000):
            ending = f" ({number})" if number > 1 else ""
            name = clear[: LONGEST_NAME - len(ending)].strip("' ") + ending
            if name.lower() not in self._taken:
                self._taken.add(name.lower())
                return name
        raise AssertionError(wanted)

    def page(self, wanted: str) -> "Page":
        """A new sheet behind the others."""
        return self.reserved(self.reserve(wanted))

    def reserved(self, name: str) -> "Page":
        """A new sheet whose name was kept for it."""
        return Page(self, self._book.add_worksheet(name), name)

    def closed(self) -> bytes:
        self._book.close()
        return self.bytes.getvalue()


class Page:
    """One sheet of it."""

    def __init__(self, book: Workbook, sheet: Any, name: str) -> None:
        self.book, self.sheet, self.name = book, sheet, name

    def text(self, row: int, column: int, words: str, look: str = "line") -> None:
        self.sheet.write_string(row, column, clean(words)[:LONGEST_TEXT], self.book.look(look))

    def number(self, row: int, column: int, value: Fraction | float, look: str) -> None:
        self.sheet.write_number(row, column, float(value), self.book.look(look))

    def formula(self, row: int, column: int, formula: str, value: Fraction | float, look: str) -> None:
        """A formula of cells, with the number that it comes to."""
        self.sheet.write_formula(row, column, f"={formula}", self.book.look(look), float(value))

    def says(self, row: int, column: int, formula: str, words: str, look: str = "check") -> None:
        """A formula of cells that comes to a word."""
        self.sheet.write_formula(row, column, f"={formula}", self.book.look(look), words)

    def link(self, row: int, column: int, to: "Page", words: str) -> None:
        self.sheet.write_url(row, column, f"internal:{to.at('A1')}", self.book.look("link"), clean(words)[:255])

    def at(self, cell: str) -> str:
        """A cell of this sheet, as a formula of another one names it."""
        return on_sheet(self.name, cell)

    def check(self, row: int, column: int, here: str, there: str) -> None:
        """Whether two cells agree."""
        near = f"ABS({here}-{there})<={TOLERANCE}*MAX(1,ABS({there}))"
        whole = f'IF(ISNUMBER({here}),IF({near},"OK","differs"),"differs")'
        self.says(row, column, whole, "OK")

    def checks_between(self, first: int, last: int, column: int) -> None:
        """Green where it agrees, red where it does not."""
        for words, colour in (("OK", GOOD), ("differs", BAD)):
            look = self.book._book.add_format({"bg_color": colour})
            rule = {"type": "cell", "criteria": "==", "value": f'"{words}"', "format": look}
            self.sheet.conditional_format(first, column, last, column, rule)

    def tall(self, row: int, lines: int) -> None:
        """A row for so many lines: not every spreadsheet finds out by itself."""
        self.sheet.set_row(row, 15.5 * lines)

    def printed(self, widths: dict[int, float], head: int, names: int = 1) -> None:
        """Columns of these widths; the headings and the first columns stay in sight; on paper as wide as the page."""
        for column, width in widths.items():
            self.sheet.set_column(column, column, width, self.book.look("line"))
        self.sheet.set_row(0, 24)
        self.tall(head, 2)
        self.sheet.freeze_panes(head + 1, names)
        self.sheet.repeat_rows(head)
        self.sheet.set_margins(0.4, 0.4, 0.5, 0.6)
        self.sheet.set_landscape()
        self.sheet.set_paper(9)
        self.sheet.fit_to_pages(1, 0)
        self.sheet.set_footer("&L&A&RPage &P of &N")
        self.sheet.hide_gridlines(2)


def on_sheet(name: str, cell: str) -> str:
    """A cell of another sheet, as a formula names it."""
    return f"'{name.replace(chr(39), chr(39) * 2)}'!{cell}"


def cell(row: int, column: int, fixed: bool = False) -> str:
    """`C7`, or `$C$7`."""
    letters, left = "", column + 1
    while left:
        left, place = divmod(left - 1, 26)
        letters = chr(ord("A") + place) + letters
    return f"${letters}${row + 1}" if fixed else f"{letters}{row + 1}"


def column_of(first: int, last: int, column: int) -> str:
    return f"{cell(first, column)}:{cell(last, column)}"


def workbook_file(file: str | Path) -> Path:
    """Where a workbook goes; one clear sentence, before anything is counted, when it cannot go there."""
    from importlib.util import find_spec

    name = str(file)
    if not name.strip() or "\0" in name or not name.lower().endswith(".xlsx"):
        raise BadInput(f"a workbook is written to a file that ends in .xlsx, such as game.xlsx, not {said(name)}")
    path = Path(name)
    if not path.parent.is_dir():
        raise BadInput(f"a workbook cannot be written to {said(name)}: there is no folder {said(str(path.parent))}")
    if path.is_dir():
        raise BadInput(f"a workbook cannot be written to {said(name)}: it is a folder; name a file")
    if find_spec("xlsxwriter") is None:
        raise BadInput(
            "a workbook needs XlsxWriter: install it, or pitboss with its extra, pip install 'pitboss[packet]'"
        )
    return path


@contextmanager
def written(file: str | Path, title: str, subject: str) -> Iterator[Workbook]:
    """A workbook that is there whole when the block has ended, or not at all."""
    path = workbook_file(file)
    book = Workbook(title, subject)
    yield book
    try:
        write_whole(path, book.closed(), mode=0o666)
    except OSError as error:
        raise BadInput(f"{said(str(file))} cannot be written: {error.strerror}") from None
