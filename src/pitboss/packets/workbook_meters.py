"""The sheet of the meters: a jackpot's break-even, what it has grown to when it is hit, and the long-run edge."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pitboss.approval import Offered
from pitboss.ledger.records import MeterResult, ratio
from pitboss.packets.workbook_cells import Page, Workbook, cell, on_sheet
from pitboss.packets.workbook_returns import IN_JSON, LONGEST_FRACTION, Paid, Returned

(WAGER, ROW, METER, SEED, INCREMENT, STAKE, HITS, OUT_OF, CHANCE, BETWEEN, EDGE, EVEN, AVERAGE, NUMBER, CHECK,
 EXACTLY) = range(16)  # fmt: skip
HEADS = (
    "wager", "jackpot", "meter now", "seed", "a bet adds", "bet", "hits", "in so many bets", "probability",
    "bets between hits", "edge at the meter", "break-even meter", "average jackpot", "break-even, by pitboss",
    "check", "exactly",
)  # fmt: skip
NOTES = (
    "Break-even: the meter at which the bet is fair, the other meters as they are: meter + edge x bet / probability. "
    "Change the meter, and it stays where it is.",
    "Average jackpot: seed + what a bet adds x bets between hits. Yellow cells are yours to change.",
)
NAME, HEAD, FIRST = "Meters", 5, 6


@dataclass(frozen=True)
class Jackpot:
    """One jackpot of a wager, in its row of the sheet."""

    offer: Offered
    meter: MeterResult
    at: int

    @property
    def alone(self) -> bool:
        """Whether one row of the return table is this jackpot and nothing else: then its pay is a formula of the
        meter."""
        found, house, wager = self.offer.found, self.offer.house, self.offer.wager
        assert found is not None
        rows = [o for o in found.outcomes if o.outcome == self.meter.row]
        return len(rows) == 1 and house.net(wager, self.meter.row, house.stake_on(wager)) == rows[0].pays


class Meters:
    """All jackpots that a house deals."""

    def __init__(self, book: Workbook, offers: Sequence[Offered]) -> None:
        found = [(o, m) for o in offers if o.chosen and o.progressive is not None for m in o.progressive.meters]
        self.jackpots = [Jackpot(o, m, FIRST + n) for n, (o, m) in enumerate(p for p in found if p[1].probability)]
        self.book = book
        self.name = book.reserve(NAME) if self.jackpots else ""

    def paid(self, offer: Offered) -> Paid:
        """What a jackpot pays in the return table, as a formula of its meter."""
        mine = {j.meter.row: j for j in self.jackpots if j.offer.wager == offer.wager and offer.chosen and j.alone}
        returned = next(w for w in offer.house.wagers if w.name == offer.wager).stake_returned

        def formula(row: str, pays: Fraction) -> str | None:
            if row not in mine:
                return None
            meter, stake = (on_sheet(self.name, cell(mine[row].at, column)) for column in (METER, STAKE))
            return f"{meter}/{stake}{'' if returned else '-1'}"

        return formula

    def sheet(self, home: Page, sheets: dict[str, Returned]) -> Page | None:
        """The sheet, where there is a jackpot; `sheets` are the return tables by wager."""
        if not self.jackpots:
            return None
        page = self.book.reserved(self.name)
        page.text(0, 0, f"{self.jackpots[0].offer.house.game.title} · the meters", "title")
        for row, words in enumerate(NOTES, 1):
            page.text(row, 0, words, "note")
        page.link(3, 0, home, "back to the summary")
        for column, words in enumerate(HEADS):
            looks = {WAGER: "head", ROW: "head", CHECK: "head middle", EXACTLY: "head in"}
            page.text(HEAD, column, words, looks.get(column, "head right"))
        for jackpot in self.jackpots:
            _row(page, jackpot, sheets[jackpot.offer.wager])
        last = FIRST + len(self.jackpots) + 2
        for offer in {j.offer.wager: j.offer for j in self.jackpots}.values():
            last = self._long_run(page, last, offer, sheets[offer.wager])
        page.checks_between(FIRST, last, CHECK)
        widths = {
            WAGER: 16,
            ROW: 14,
            HITS: 9,
            OUT_OF: 17,
            CHANCE: 15,
            AVERAGE: 17,
            EXACTLY: 26,
            CHECK: 9,
            INCREMENT: 11,
            STAKE: 9,
        }
        page.printed({**dict.fromkeys(range(16), 14), **widths}, head=HEAD, names=2)
        return page

    def _long_run(self, page: Page, row: int, offer: Offered, sheet: Returned) -> int:
        """Every jackpot paid at what it has grown to, wherever the meters stand now."""
        assert offer.progressive is not None
        mine = [j.at for j in self.jackpots if j.offer.wager == offer.wager]
        parts = "".join(f"+{cell(at, CHANCE)}*({cell(at, METER)}-{cell(at, AVERAGE)})/{cell(at, STAKE)}" for at in mine)
        edge = offer.progressive.long_run_edge
        page.text(row, WAGER, offer.wager, "name")
        page.text(row, ROW, "edge in the long run, every jackpot at what it has grown to")
        page.formula(row, EVEN, f"{sheet.page.at(sheet.edge)}{parts}", edge, "percent")
        page.number(row, NUMBER, edge, "percent")
        page.text(row, EXACTLY, ratio(edge), "exactly")
        page.check(row, CHECK, cell(row, EVEN), cell(row, NUMBER))
        return row + 1


def _row(page: Page, jackpot: Jackpot, sheet: Returned) -> None:
    at, meter, offer = jackpot.at, jackpot.meter, jackpot.offer
    assert offer.progressive is not None
    page.text(at, WAGER, offer.wager, "name")
    page.text(at, ROW, meter.row)
    page.number(at, METER, meter.meter, "dollar input" if jackpot.alone else "money")
    page.number(at, SEED, meter.seed, "dollar input")
    page.number(at, INCREMENT, meter.increment, "dollar input")
    page.number(at, STAKE, offer.progressive.stake, "money")
    page.number(at, HITS, meter.probability.numerator, "ways")
    page.number(at, OUT_OF, meter.probability.denominator, "ways")
    page.formula(at, CHANCE, f"{cell(at, HITS)}/{cell(at, OUT_OF)}", meter.probability, "chance")
    page.formula(at, BETWEEN, f"1/{cell(at, CHANCE)}", meter.bets_between, "rounds")
    page.formula(at, EDGE, sheet.page.at(sheet.edge), offer.progressive.edge_at_meter, "percent")
    even = f"{cell(at, METER)}+{cell(at, EDGE)}*{cell(at, STAKE)}/{cell(at, CHANCE)}"
    page.formula(at, EVEN, even, meter.break_even, "money")
    page.formula(at, AVERAGE, f"{cell(at, SEED)}+{cell(at, INCREMENT)}*{cell(at, BETWEEN)}", meter.average, "money")
    page.number(at, NUMBER, meter.break_even, "money")
    exact = ratio(meter.break_even)
    page.text(at, EXACTLY, exact if len(exact) <= LONGEST_FRACTION else IN_JSON, "exactly")
    page.check(at, CHECK, cell(at, EVEN), cell(at, NUMBER))
