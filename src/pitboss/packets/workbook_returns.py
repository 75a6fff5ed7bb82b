"""The sheet of one return table: every figure is a formula of its rows, beside the figure that pitboss came to."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from pitboss.approval import Offered
from pitboss.approval.offers import HITS, SPREAD
from pitboss.ledger.figure import Figure
from pitboss.ledger.records import Outcome, WagerResult, ratio
from pitboss.ledger.simulated import SURE, SimulatedOutcome
from pitboss.packets.workbook_cells import WHOLE, Page, Workbook, cell, column_of
from pitboss.rules.numbers import money

OUTCOME, WAYS, CHANCE, PAYS, RETURN, ONE_IN, DIGITS, GAP, NAME, HERE, THERE, CHECK, EXACTLY = range(13)
HEAD = 6  # the row of the headings
FIRST = HEAD + 1
WIDE = 46  # characters of an outcome in one line
LONGEST_FRACTION = 70  # characters; a longer one would make the page small
IN_JSON = "in the JSON of pitboss analyze"
Paid = Callable[[str, Fraction], str | None]
"""The formula of a pay that comes from another sheet, by its row and what it is: a jackpot's, from its meter."""


@dataclass(frozen=True)
class Returned:
    """A return table on its sheet: where its figures stand."""

    page: Page
    edge: str
    spread: str
    hits: str
    check: str


def return_sheet(book: Workbook, offers: tuple[Offered, ...], home: Page, name: str, paid: Paid) -> Returned:
    """The sheet of a wager on a pay table; of several wagers, where their return tables are the same."""
    offer = offers[0]
    page = book.page(name)
    rows = _rows(offer)
    last, total = FIRST + len(rows) - 1, FIRST + len(rows)
    _top(page, offers, home)
    _headings(page, offer)
    large = offer.counted is not None and (offer.counted.ways or 0) >= WHOLE
    for place, row in enumerate(rows):
        _row(page, FIRST + place, row, cell(total, WAYS, fixed=True), large, paid)
    _totals(page, offer, total, last, large)
    found = _figures(page, offer, total, last)
    widths = {WAYS: 22 if large else 15, CHANCE: 15, PAYS: 14, RETURN: 16, ONE_IN: 15, DIGITS: 34 if large else 1}
    wide = 22 if large else 16
    page.printed({OUTCOME: 42, **widths, GAP: 2, NAME: 19, HERE: wide, THERE: wide, CHECK: 9, EXACTLY: 30}, head=HEAD)
    return found


def _rows(offer: Offered) -> tuple[Outcome | SimulatedOutcome, ...]:
    assert offer.found is not None
    return tuple(offer.found.outcomes)


def _top(page: Page, offers: tuple[Offered, ...], home: Page) -> None:
    offer = offers[0]
    house = offer.house
    names = ", ".join(o.wager for o in offers)
    page.text(0, 0, f"{house.game.title} · {names} · pay table {offer.called}", "title")
    helped = next((w.help for w in house.wagers if w.name == offer.paid_by), "")
    stake = f"Figures are for ${money(house.stake_on(offer.wager))} a bet. " if house.bet_matters(offer.wager) else ""
    page.text(1, 0, f"{stake}{helped[:1].upper()}{helped[1:]}", "note")
    page.text(2, 0, how_known(offer), "note")
    best = " The play stays as it is best for the pays as they were." if _decided(offer) else ""
    page.text(3, 0, f"Yellow cells are yours to change: every figure follows them.{best}", "note")
    page.link(4, 0, home, "back to the summary")


def _decided(offer: Offered) -> bool:
    return len(offer.house.parties[offer.wager]) > 1


def how_known(offer: Offered) -> str:
    """How the figures of a sheet are known, in a sentence."""
    if (dealt := offer.dealt) is not None:
        return f"Simulated, not counted: {dealt.rounds:,} hands were dealt. {offer.why[:1].upper()}{offer.why[1:]}"
    found = offer.counted
    if found is None:
        return f"Neither counted nor simulated. {offer.why[:1].upper()}{offer.why[1:]}"
    if found.shared:
        return "Paid among the players: the house has no part in it."
    if found.ways is None:
        return "Enumerated whole in double precision: there are no ways to count, and probabilities are values."
    large = " A spreadsheet holds 15 digits: ways are rounded to them, and stand with every digit as text."
    return f"Exact: {found.ways:,} ways, every one counted.{large if found.ways >= WHOLE else ''}"


def _headings(page: Page, offer: Offered) -> None:
    counted = "hands dealt" if offer.dealt is not None else "ways"
    ways = "" if offer.counted is not None and offer.counted.ways is None else counted
    page.text(HEAD, OUTCOME, "outcome", "head")
    large = offer.counted is not None and (offer.counted.ways or 0) >= WHOLE
    for column, words in (
        (WAYS, ways), (CHANCE, "probability"), (PAYS, "pays, in bets"), (RETURN, "return"), (ONE_IN, "one in"),
        *(((DIGITS, "ways, every digit"),) if large else ()), (HERE, "in this sheet"), (THERE, "by pitboss"),
    ):  # fmt: skip
        page.text(HEAD, column, words, "head right")
    for column, words, look in (
        (NAME, "figure", "head"),
        (CHECK, "check", "head middle"),
        (EXACTLY, "exactly", "head in"),
    ):
        page.text(HEAD, column, words, look)


def _row(page: Page, at: int, row: Outcome | SimulatedOutcome, total: str, large: bool, paid: Paid) -> None:
    chance = float(row.probability)
    ways = row.ways if isinstance(row, Outcome) else row.count
    page.text(at, OUTCOME, row.outcome, "text")
    if len(row.outcome) > WIDE:
        page.tall(at, -(-len(row.outcome) // WIDE))
    if ways is None:
        page.number(at, CHANCE, chance, "chance")
    else:
        if large:
            page.text(at, DIGITS, str(ways), "digits")
            page.formula(at, WAYS, f"VALUE({cell(at, DIGITS)})", ways, "many ways")
        else:
            page.number(at, WAYS, ways, "ways")
        page.formula(at, CHANCE, f"{cell(at, WAYS)}/{total}", chance, "chance")
    if (formula := paid(row.outcome, row.pays)) is not None:
        page.formula(at, PAYS, formula, row.pays, "pays")
    else:
        page.number(at, PAYS, row.pays, "input")
    page.formula(at, RETURN, f"{cell(at, CHANCE)}*{cell(at, PAYS)}", chance * float(row.pays), "return")
    one_in = f'IF({cell(at, CHANCE)}>0,1/{cell(at, CHANCE)},"never")'
    if chance:
        page.formula(at, ONE_IN, one_in, 1 / chance, "rounds")
    else:
        page.says(at, ONE_IN, one_in, "never", "rounds")


def _totals(page: Page, offer: Offered, total: int, last: int, large: bool) -> None:
    page.text(total, OUTCOME, "all", "name total")
    found, dealt = offer.counted, offer.dealt
    ways = dealt.rounds if dealt is not None else found.ways if found is not None else None
    page.text(total, WAYS, "", "ways total")
    if ways is not None:
        look = "many ways total" if large else "ways total"
        page.formula(total, WAYS, f"SUM({column_of(FIRST, last, WAYS)})", ways, look)
    page.formula(total, CHANCE, f"SUM({column_of(FIRST, last, CHANCE)})", 1, "chance total")
    page.text(total, PAYS, "", "line total")
    back = -_edge(offer)
    page.formula(total, RETURN, f"SUM({column_of(FIRST, last, RETURN)})", back, "return total")
    page.text(total, ONE_IN, "", "line total")
    if large:
        page.text(total, DIGITS, str(ways), "digits total")


def _edge(offer: Offered) -> Fraction:
    assert offer.found is not None
    return Fraction(offer.found.house_edge)


# ---- the figures


class _Figures:
    """The block beside the table: each figure as a formula, and as pitboss has it."""

    def __init__(self, page: Page) -> None:
        self.page, self.row, self.checks = page, FIRST, 0

    def add(
        self, name: str, formula: str, value: Fraction | float, look: str, exact: str = "", checked: bool = True
    ) -> str:
        page, row = self.page, self.row
        page.text(row, NAME, name, "name")
        page.formula(row, HERE, formula, value, look)
        if checked:
            page.number(row, THERE, value, look)
            page.text(row, EXACTLY, exact, "exactly")
            page.check(row, CHECK, cell(row, HERE), cell(row, THERE))
            self.checks += 1
        self.row += 1
        return cell(row, HERE)

    def value(self, name: str, value: Fraction | float, look: str, words: str) -> str:
        """A figure that no cell of the sheet gives."""
        self.page.text(self.row, NAME, name, "name")
        self.page.number(self.row, THERE, value, look)
        self.page.text(self.row, EXACTLY, words, "exactly")
        self.row += 1
        return cell(self.row - 1, THERE)


def _figures(page: Page, offer: Offered, total: int, last: int) -> Returned:
    block = _Figures(page)
    chances, pays = column_of(FIRST, last, CHANCE), column_of(FIRST, last, PAYS)
    back, found = cell(total, RETURN), offer.counted
    edge = _edge(offer)
    at = block.add("house edge", f"-{back}", edge, "percent", _fraction(found, edge))
    block.add("return to player", f"1+{back}", 1 - edge, "percent", _fraction(found, 1 - edge))
    if found is not None and found.played is not None:
        spread, hits = _dealt_figures(block, offer)
    else:
        spread, hits = _spread(block, offer, chances, pays, back)
    if found is not None:
        staked = block.value("average total bet", found.wagered, "number", "in units of the bet before the deal")
        risk = found.element_of_risk
        block.add("element of risk", f"{at}/{staked}", risk, "percent", _fraction(found, risk))
        if found.ways is not None:
            look = "many ways" if found.ways >= WHOLE else "ways"
            block.add("all ways", cell(total, WAYS), found.ways, look, f"{found.ways:,}")
    if offer.dealt is not None:
        error = block.value("standard error", offer.dealt.standard_error, "percent", "of the house edge, simulated")
        for sure, errors in SURE.items():
            for side, word in (("-", "from"), ("+", "to")):
                end = float(edge) + (-1 if side == "-" else 1) * errors * offer.dealt.standard_error
                block.add(f"{sure}% {word}", f"{at}{side}{errors!r}*{error}", end, "percent", checked=False)
    block.add("all probabilities", cell(total, CHANCE), 1, "chance", "1")
    page.text(block.row, NAME, "this sheet", "name")
    passed = f'COUNTIF({column_of(FIRST, block.row - 1, CHECK)},"OK")={block.checks}'
    page.says(block.row, CHECK, f'IF({passed},"OK","differs")', "OK")
    page.checks_between(FIRST, block.row, CHECK)
    return Returned(page, at, spread, hits, cell(block.row, CHECK))


def _spread(block: _Figures, offer: Offered, chances: str, pays: str, back: str) -> tuple[str, str]:
    """Variance, standard deviation, and how often the bet wins, from the rows."""
    if (found := offer.counted) is not None:
        variance, share, exact = found.variance, found.hit_frequency, True
    else:
        rows = [(float(o.probability), float(o.pays)) for o in _rows(offer)]
        mean = sum(p * x for p, x in rows)
        variance = Fraction(sum(p * x * x for p, x in rows) - mean * mean)
        share, exact = Fraction(sum(p for p, x in rows if x > 0)), False
    told = _fraction(found, variance) if exact else ""
    at = block.add("variance", f"SUMPRODUCT({chances},{pays},{pays})-{back}^2", variance, "number", told)
    spread = block.add("standard deviation", f"SQRT({at})", sqrt(variance), "number", "the root of the variance")
    hits = block.add("hit frequency", f'SUMIF({pays},">0",{chances})', share, "percent", _fraction(found, share))
    one_in = f'IF({hits}>0,1/{hits},"never")'
    block.add("one win in", one_in, 1 / float(share) if share else 0, "rounds", checked=False)
    return spread, hits


def _dealt_figures(block: _Figures, offer: Offered) -> tuple[str, str]:
    """Hands of one split depend on each other: how they vary is dealt, and no sum of these rows gives it."""
    figures = offer.figures
    out = []
    for name, key, look in (("standard deviation", SPREAD, "number"), ("hit frequency", HITS, "percent")):
        out.append(block.value(name, figures[key].value, look, _simulated(figures[key])))
    return out[0], out[1]


def _simulated(figure: Figure) -> str:
    error = f"{figure.error:.6%}" if figure.percent else f"{figure.error:.6f}"
    return f"simulated, ± {error}: hands of a split go together"


def _fraction(found: WagerResult | None, value: Fraction) -> str:
    if found is None:
        return "simulated"
    if not found.exact:
        return "in double precision"
    text = ratio(value)
    return text if len(text) <= LONGEST_FRACTION else IN_JSON
