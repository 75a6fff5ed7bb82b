"""The sheet of the options: every wager's edge at each value of an option, all else as it is. Values, no formulas."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pitboss.exact import Study
from pitboss.packets.workbook_cells import Page, Workbook
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.options import Choice

SECONDS, QUICK = 11.0, 0.4  # of counting, by the plans, in all and for a wager: it is asked about in passing
OPEN_ENDED = 1.0  # seconds to find out what can happen in a round of hands of any length, before anything is counted
LONGER = "What is empty takes longer to count than this sheet waits for; pitboss analyze counts it across an option."
VALUES = (
    "These are values that pitboss counted, not formulas: every row is a count of its own. All other options and pay "
    "tables are as on the first sheet; bold is what the house deals."
)
OPTION, VALUE, FIRST_WAGER = 0, 1, 2
HEAD = 6


@dataclass(frozen=True)
class AtOption:
    """A house with one option set otherwise, or as it is: the edges of its wagers."""

    option: str
    value: str
    chosen: bool  # whether the house has it so
    edges: dict[str, Fraction]
    exact: bool  # every edge is a count in whole numbers
    why: str = ""  # there are no edges, or not all


def edges_by_options(house: House, seconds: float = SECONDS) -> Iterator[AtOption]:
    """Every value of every option of the game that has a list of them, for as long as their counts are quick."""
    left = seconds
    known: dict[House, tuple[dict[str, Fraction], bool, str]] = {}
    for option in (o for o in house.game.options if isinstance(o, Choice) and len(o.values) > 1):
        for value in option.values:
            chosen = house.options[option.name] == value
            try:
                at = house.but({option.name: value})
            except BadInput as error:  # it does not go with the other options
                yield AtOption(option.name, str(value), chosen, {}, True, str(error))
                continue
            if at not in known:
                left, known[at] = _edges(at, left) if left > 0 else (left, ({}, True, LONGER))
            yield AtOption(option.name, str(value), chosen, *known[at])


def _edges(house: House, left: float) -> tuple[float, tuple[dict[str, Fraction], bool, str]]:
    """The edges of wagers that are counted quickly, whether all are counts, and what is to be said of the others; and
    how many seconds are left after that."""
    study = Study(house)
    banked = [p for p in study.banked if p not in study.book.shared]
    plan = study.plan_for(banked)
    quick = {p for step in plan.steps for p in step.wagers if step.offer.seconds <= QUICK}
    need = sum(step.offer.seconds for step in plan.steps if step.offer.seconds <= QUICK)
    quickly = need <= left
    found = study.records([p for p in banked if p in quick], QUICK) if quickly else {}
    edges = {name: record.house_edge for name, record in found.items()}
    told = edges, all(r.exact for r in found.values()), "" if len(found) == len(banked) else LONGER
    return left - need - (OPEN_ENDED if study.drawn else 0), told


def option_sheet(book: Workbook, home: Page, house: House, edges: Sequence[AtOption]) -> Page:
    page = book.page("Edge by options")
    wagers = list(dict.fromkeys(name for one in edges for name in one.edges))
    page.text(0, 0, f"{house.game.title} · house edge by options", "title")
    page.text(1, 0, VALUES, "note")
    if not all(one.exact for one in edges):
        page.text(2, 0, "Wagers on hands that are drawn card by card are enumerated in double precision.", "note")
    if any(one.why == LONGER for one in edges):
        page.text(3, 0, LONGER, "note")
    page.link(4, 0, home, "back to the summary")
    page.text(HEAD, OPTION, "option", "head")
    page.text(HEAD, VALUE, "value", "head")
    for column, name in enumerate(wagers, FIRST_WAGER):
        page.text(HEAD, column, name, "head right")
    page.text(HEAD, FIRST_WAGER + len(wagers), "", "head")
    for row, one in enumerate(edges, HEAD + 1):
        page.text(row, OPTION, one.option, "name" if one.chosen else "line")
        page.text(row, VALUE, one.value, "name" if one.chosen else "line")
        for column, name in enumerate(wagers, FIRST_WAGER):
            if name in one.edges:
                page.number(row, column, one.edges[name], "percent chosen" if one.chosen else "percent")
        page.text(row, FIRST_WAGER + len(wagers), "" if one.why == LONGER else one.why, "exactly")
    widths = {OPTION: 24, VALUE: 20, **{FIRST_WAGER + n: 16 for n in range(len(wagers))}}
    page.printed({**widths, FIRST_WAGER + len(wagers): 50}, head=HEAD, names=2)
    return page
