"""The approval record: everything about a house that somebody approves, in words and figures, as plain values.

A record stands by itself. It holds no program and names none to run: what was approved can be compared with what is
dealt today, also when the old game file is gone. All of it is text, so that its seal is the same everywhere.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pitboss.approval.offers import ROUNDS, SEED, Offered, offers_of
from pitboss.ledger.records import ratio
from pitboss.ledger.shown import Shown
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.numbers import decimal, dollars, money
from pitboss.rules.options import Choice, show_value
from pitboss.rules.paytables import Dollars, Pay, PayTable
from pitboss.rules.trace import trace
from pitboss.rules.wagers import Wager
from pitboss.sheets import Sheet, sheet_of
from pitboss.version import __version__

RULE, LIMIT, STANDS = "rule", "limit", "stands"
"""What an option is: a rule of the house, a limit of the table, or where a meter stands at the moment."""
LEAST, MOST = "table-min", "table-max"


@dataclass(frozen=True)
class OptionAt:
    """An option, as it was approved."""

    option: str
    value: str
    kind: str
    about: str


@dataclass(frozen=True)
class RowAt:
    row: str
    pays: str  # as one types it


@dataclass(frozen=True)
class TableAt:
    """A pay table that a wager may have."""

    table: str
    rows: tuple[RowAt, ...]

    @property
    def spelled(self) -> str:
        return ", ".join(r.pays for r in self.rows)


@dataclass(frozen=True)
class WagerAt:
    """A betting circle."""

    wager: str
    called: str
    bet: str  # who bets it
    amount: str
    least: str  # dollars; nothing for a wager that goes by another one
    most: str
    terms: tuple[str, ...]  # what else is agreed about it
    about: str
    paytable: str  # that is dealt
    tables: tuple[TableAt, ...]  # that are approved


@dataclass(frozen=True)
class StepAt:
    """A sentence of the dealer's procedure."""

    section: str
    depth: str
    step: str


@dataclass(frozen=True)
class CaseAt:
    """What is done about an irregular case."""

    case: str
    words: str


@dataclass(frozen=True)
class FigureAt:
    """One figure of a wager on a pay table."""

    wager: str
    paid_by: str  # the wager whose pay table it is
    table: str
    figure: str
    value: str  # in decimals
    exact: str  # the fraction; nothing where there is none
    method: str
    error: str  # the standard error; nothing where there is none
    seed: str  # of what is simulated, with its rounds
    rounds: str

    @property
    def of(self) -> tuple[str, str, str]:
        return self.wager, self.paid_by, self.table

    @property
    def number(self) -> float:
        return decimal(self.value)

    @property
    def give(self) -> float:
        """Its standard error; 0 where it has none."""
        return decimal(self.error) if self.error else 0.0


@dataclass(frozen=True)
class Approval(Shown):
    """A house as it was approved, or is put up for approval."""

    game: str
    game_title: str
    about: str
    pitboss: str  # the version that wrote it
    file_sha256: str
    round_sha256: str  # of the round that the file's program comes to: no comment and no name of a variable changes it
    seats: str
    dealt_from: str
    odd_amounts: str
    either_or: tuple[tuple[str, ...], ...]
    options: tuple[OptionAt, ...]
    wagers: tuple[WagerAt, ...]
    procedure: tuple[StepAt, ...]
    irregular: tuple[CaseAt, ...]
    notes: tuple[str, ...]
    figures: tuple[FigureAt, ...]

    TABLE = "figures"

    def json(self) -> dict[str, Any]:
        return _lists(asdict(self))

    def title(self) -> str:
        return f"{self.game_title}: what is approved"

    def wager(self, name: str) -> WagerAt | None:
        return next((w for w in self.wagers if w.wager == name), None)

    def option(self, name: str) -> OptionAt | None:
        return next((o for o in self.options if o.option == name), None)

    def refusals(self, house: House) -> Iterator[str]:
        """A sentence for everything about a house that this approval does not know."""
        if house.game.name != self.game:
            yield f"the approval is of {self.game}, and this is {house.game.name}"
            return
        if house.game.sha256 != self.file_sha256:
            yield (
                f"the game file of {self.game} is not the approved one: its sha256 is {house.game.sha256}, and the "
                f"approval knows {self.file_sha256}"
            )
        limits = {name: dollars(name, o.value) for name in (LEAST, MOST) if (o := self.option(name)) is not None}
        for name, value in house.chosen().items():
            known = self.option(name)
            if known is None:
                yield f"the option {name} is {value}: the approval knows no such option"
            elif known.kind == LIMIT:
                if not limits[LEAST] <= house.amount(name) <= limits[MOST]:
                    least, most = (money(limits[n]) for n in (LEAST, MOST))
                    yield f"{name} is ${money(house.amount(name))}: the approval knows bets of ${least} to ${most}"
            elif known.kind == RULE and value != known.value:
                yield f"the option {name} is {value}: the approval knows {known.value}"
        for wager in house.wagers:
            yield from self._unknown_table(wager.name, house.tables[wager.name])

    def _unknown_table(self, wager: str, table: PayTable) -> Iterator[str]:
        known, rows = self.wager(wager), rows_of(table)
        if known is None:
            names = ", ".join(w.wager for w in self.wagers)
            yield f"the approval knows no wager {wager}; it knows {names}"
        elif not any(t.rows == rows for t in known.tables):
            told = "; ".join(f"{t.table} ({t.spelled})" for t in known.tables)
            yield f"{wager} pays {', '.join(r.pays for r in rows)}: the approval knows {told}"

    def check(self, house: House) -> None:
        """One clear sentence where a house is not as it was approved: another game file, an option or a pay table that
        the approval does not know."""
        if (why := next(self.refusals(house), None)) is not None:
            raise BadInput(why)


# ---- a record of a house


def approval_of(
    house: House, *, patient: bool = False, seed: int = SEED, rounds: int = ROUNDS, offers: tuple[Offered, ...] = ()
) -> Approval:
    """The record of a house. `offers` are its figures, where they are known already."""
    if house.shoe_left() or house.placed is not None:
        raise BadInput("an approval is of a house with a full shoe and all its wagers; leave the shoe and the bets out")
    sheet = sheet_of(house)
    return Approval(
        game=house.game.name, game_title=sheet.title, about=_one_line(sheet.about), pitboss=__version__,
        file_sha256=house.game.sha256, round_sha256=trace(house).key, seats=str(house.game.seats),
        dealt_from=sheet.dealt_from, odd_amounts=sheet.odd_amounts, either_or=house.one_of,
        options=_options(house), wagers=tuple(_wager(house, sheet, w) for w in house.wagers),
        procedure=tuple(
            StepAt(part.title, str(depth), step.text)
            for part in sheet.procedure for top in part.steps for depth, step in top.walk()
        ),
        irregular=tuple(CaseAt(case, words) for case, words in sheet.irregular.items()), notes=sheet.readings,
        figures=tuple(f for offer in offers or offers_of(house, patient=patient, seed=seed, rounds=rounds)
                      for f in _figures(offer, seed)),
    )  # fmt: skip


def _options(house: House) -> tuple[OptionAt, ...]:
    kinds = dict.fromkeys(_meters(house), STANDS) | dict.fromkeys((LEAST, MOST), LIMIT)
    return tuple(
        OptionAt(o.name, show_value(house.options[o.name]), kinds.get(o.name, RULE), o.help)
        for o in house.game.all_options.values()
    )


def _meters(house: House) -> set[str]:
    """The options that hold a meter, also one of a wager that other options bring to the table."""
    found: set[str] = set()
    lists = [o for o in house.game.all_options.values() if isinstance(o, Choice)]
    for name, value in [(o.name, v) for o in lists for v in o.values]:
        try:
            wagers = house.game.at({**house.chosen(), name: value}).wagers
        except BadInput:  # values that do not go with the others
            continue
        found |= {meter.meter for w in wagers for table in w.tables for _, meter in table.meters()}
    return found


def _wager(house: House, sheet: Sheet, wager: Wager) -> WagerAt:
    line = next(w for w in sheet.wagers if w.wager == wager.name)
    own = wager.equal_to is None
    dealt = house.tables[wager.name]
    tables: dict[tuple[RowAt, ...], TableAt] = {}
    for table in (dealt, *wager.tables):  # two names of the same pays are one table
        tables.setdefault(rows_of(table), TableAt(table.name, rows_of(table)))
    return WagerAt(
        wager.name, line.called, line.bet, line.amount,
        money(house.least_bet(wager.name)) if own else "", money(house.largest_bet(wager.name)) if own else "",
        _terms(wager), line.about, dealt.name, tuple(tables.values()),
    )  # fmt: skip


def _terms(wager: Wager) -> tuple[str, ...]:
    """What `bet` and `amount` do not say."""
    said = {
        "a player may bet on it for the dealer too": wager.tokes,
        "the bet is dropped, and an award is all that comes back": not wager.stake_returned,
        f"it pays by the table of the {wager.table_of}": wager.table_of is not None,
    }
    return tuple(words for words, true in said.items() if true)


def rows_of(table: PayTable) -> tuple[RowAt, ...]:
    """The rows of a pay table, as one types them."""
    return tuple(RowAt(row, _spelled(pay)) for row, pay in table.pays.items())


def _spelled(pay: Pay) -> str:
    return pay.spelled() if isinstance(pay, Dollars) else str(pay)


def _figures(offer: Offered, seed: int) -> Iterator[FigureAt]:
    for name, figure in offer.figures.items():
        root = not figure.percent  # a standard deviation is the root of a fraction, and none itself
        exact = "" if figure.exact is None or root else ratio(figure.exact)
        dealt = ("", "") if offer.dealt is None else (str(seed), str(offer.dealt.rounds))
        yield FigureAt(
            offer.wager, offer.paid_by, offer.table.name, name, repr(float(figure)), exact, figure.method,
            repr(figure.error) if figure.error else "", *dealt,
        )  # fmt: skip


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _lists(data: Mapping[str, Any]) -> dict[str, Any]:
    """Tuples as JSON has them."""

    def plain(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: plain(one) for key, one in value.items()}
        return [plain(one) for one in value] if isinstance(value, tuple | list) else value

    return {key: plain(value) for key, value in data.items()}
