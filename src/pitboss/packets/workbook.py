"""The workbook: every return table with live formulas, so that a laboratory checks the edge in its own spreadsheet.

The first sheet has the answer and how to check it; then there is a sheet for every wager on every pay table that may be
dealt, one for the meters, and one with the edges under other options. The same game gives the same bytes.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from pitboss.approval import Offered, offers_of
from pitboss.approval.record import rows_of
from pitboss.ledger.records import ratio
from pitboss.packets.workbook_cells import Page, Workbook, column_of, workbook_file, written
from pitboss.packets.workbook_meters import Meters
from pitboss.packets.workbook_options import AtOption, edges_by_options, option_sheet
from pitboss.packets.workbook_returns import Returned, how_known, return_sheet
from pitboss.rules.house import House
from pitboss.rules.paytables import show_pay
from pitboss.sheets import sheet_of
from pitboss.version import __version__

WAGER, TABLE, DEALT, EDGE, BACK, SPREAD, HITS, NUMBER, EXACTLY, CHECK, KNOWN, SHEET = range(12)
HEADS = (
    "wager", "pay table", "dealt", "house edge", "return to player", "standard deviation", "hit frequency",
    "house edge, by pitboss", "exactly", "check", "how it is known", "sheet",
)  # fmt: skip
STEPS = (
    "Each wager has a sheet for every pay table that may be dealt. Its rows are the ways in which the wager comes out.",
    "Probability is ways by all ways, return is probability times pays, and the house edge is the sum of the returns "
    "with its sign turned: all are formulas.",
    "Beside each figure stands the one that pitboss came to, with its exact fraction. OK: they agree to 1E-12.",
    "Yellow cells are yours to change. Then a check says that the figure differs, and so it should.",
    "The ways are pitboss's count: the command above counts them again, and pitboss simulate deals against them.",
)
LONGEST = 40  # characters of a fraction on the first sheet; its own sheet has all of it


def write_workbook(
    file: str | Path, house: House, *, offers: Sequence[Offered] | None = None,
    options: Sequence[AtOption] | None = None, patient: bool = False,
) -> Path:  # fmt: skip
    """Write the workbook of a house. `offers` and `options` are its figures, where they are known already."""
    path = workbook_file(file)
    known = tuple(offers_of(house, patient=patient) if offers is None else offers)
    edges = tuple(edges_by_options(house) if options is None else options)
    of = house.provenance()
    with written(path, f"{of.title}: the return tables", f"pitboss {__version__}, game file {of.sha256}") as book:
        home = book.page("Summary")
        meters = Meters(book, known)
        sheets = _return_sheets(book, home, known, meters)
        dealt = {o.wager: sheets[place] for place, o in enumerate(known) if o.chosen and place in sheets}
        more = [meters.sheet(home, dealt), option_sheet(book, home, house, edges) if edges else None]
        _summary(home, house, known, sheets, [page for page in more if page is not None])
    return path


def _return_sheets(book: Workbook, home: Page, known: Sequence[Offered], meters: Meters) -> dict[int, Returned]:
    """The place of an offer -> its sheet; wagers that come out alike, on pay tables that are alike, share one."""
    alike: dict[object, list[int]] = {}
    for place, offer in enumerate(known):
        if offer.found is not None and not offer.shared:
            key = offer.table.name, rows_of(offer.table), offer.found.outcomes, offer.dealt is None, offer.chosen
            alike.setdefault(key, []).append(place)
    out: dict[int, Returned] = {}
    for places in alike.values():
        some = tuple(known[place] for place in places)
        several = len([o for o in known if o.wager == some[0].wager]) > 1
        name = f"{some[0].wager} {some[0].called}" if several else some[0].wager
        found = return_sheet(book, some, home, name, meters.paid(some[0]))
        out |= dict.fromkeys(places, found)
    return out


# ---- the first sheet


def _summary(
    page: Page, house: House, known: Sequence[Offered], sheets: Mapping[int, Returned], more: Sequence[Page]
) -> None:
    of = house.provenance()
    page.text(0, 0, f"{of.title} · every return table, to be checked", "title")
    page.text(1, 0, f"pitboss {of.version} · game file sha256 {of.sha256}", "note")
    page.text(2, 0, f"{of.command('analyze')} prints the same figures", "note")
    head, first = 4, 5
    for column, words in enumerate(HEADS):
        looks = {EXACTLY: "head in", CHECK: "head middle"} | dict.fromkeys(range(EDGE, NUMBER + 1), "head right")
        page.text(head, column, words, looks.get(column, "head"))
    for place, offer in enumerate(known):
        _line(page, first + place, offer, sheets.get(place))
    last = first + len(known) - 1
    page.checks_between(first, last + 1, CHECK)
    many = len(sheets)
    counted = f'COUNTIF({column_of(first, last, CHECK)},"OK")'
    page.text(last + 1, WAGER, "all checks", "name total")
    for column in range(TABLE, SHEET + 1):
        page.text(last + 1, column, "", "line total")
    page.says(last + 1, CHECK, f'IF({counted}={many},"OK","differs")', "OK", "check total")
    row = _how_to_check(page, last + 3, more)
    row = _pays(page, row + 1, known)
    _rules(page, row + 1, house)
    widths = {WAGER: 18, TABLE: 20, DEALT: 9, EDGE: 13, BACK: 13, SPREAD: 13, HITS: 13, NUMBER: 13, EXACTLY: 34}
    page.printed({**widths, CHECK: 9, KNOWN: 24, SHEET: 26}, head)


def _pays(page: Page, row: int, known: Sequence[Offered]) -> int:
    """The pay tables in words, each once."""
    page.text(row, 0, "The pay tables", "part")
    told: dict[tuple[str, str], str] = {}
    for offer in (o for o in known if not o.shared):
        pays = {row: pay for row, pay in offer.table.pays.items() if row not in ("push", "lose")}  # their names say it
        words = ", ".join(f"{row} {show_pay(pay)}" for row, pay in pays.items())
        told.setdefault((offer.paid_by, offer.table.name), words)
    for place, ((wager, name), words) in enumerate(told.items(), 1):
        for column, text in enumerate((wager, name, words)):
            page.text(row + place, column, text, "name" if column == 0 else "line")
    return row + len(told) + 1


def _line(page: Page, row: int, offer: Offered, sheet: Returned | None) -> None:
    page.text(row, WAGER, offer.wager, "name")
    page.text(row, TABLE, "none" if offer.shared else offer.called)
    page.text(row, DEALT, "yes" if offer.chosen else "may be")
    page.text(row, KNOWN, _method(offer))
    found = offer.found
    if sheet is None or found is None:
        page.text(row, SHEET, how_known(offer), "note")
        return
    edge = Fraction(found.house_edge)
    figures = offer.figures
    at = sheet.page.at
    page.formula(row, EDGE, at(sheet.edge), edge, "percent")
    page.formula(row, BACK, f"1-{at(sheet.edge)}", 1 - edge, "percent")
    page.formula(row, SPREAD, at(sheet.spread), figures["standard deviation"].value, "number")
    page.formula(row, HITS, at(sheet.hits), figures["hits"].value, "percent")
    exact = ratio(edge) if offer.counted is not None and offer.counted.exact else "-"
    page.text(row, EXACTLY, exact if len(exact) <= LONGEST else "on its sheet", "exactly")
    page.number(row, NUMBER, edge, "percent")
    page.says(row, CHECK, at(sheet.check), "OK")
    page.link(row, SHEET, sheet.page, sheet.page.name)


def _method(offer: Offered) -> str:
    if offer.found is None:
        return "not known"
    if offer.shared:
        return "paid among the players"
    return offer.figures["house edge"].method


def _how_to_check(page: Page, row: int, more: Sequence[Page]) -> int:
    page.text(row, 0, "How to check", "part")
    for number, words in enumerate(STEPS, 1):
        page.text(row + number, 0, f"{number}. {words}")
    row += len(STEPS) + 1
    for other in more:
        page.link(row, 0, other, other.name)
        row += 1
    return row


def _rules(page: Page, row: int, house: House) -> None:
    """What it is of: the options, and what the game is."""
    page.text(row, 0, "The rules that a house may set", "part")
    for column, words in enumerate(("option", "value", "usual", "what it sets")):
        page.text(row + 1, column, words, "head")
    for place, line in enumerate(sheet_of(house).options):
        at = row + 2 + place
        look = "line" if line.value == line.default else "name"
        for column, words in enumerate((line.option, line.value, line.default, line.about)):
            page.text(at, column, words, look)
