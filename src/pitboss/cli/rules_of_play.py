"""`pitboss rules`: the sheet of a house on a screen: what the game is, what it pays, how it is dealt."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pitboss.cli.layout import headline, item, table
from pitboss.cli.places import of_the_house, show_limits
from pitboss.cli.screen import marked
from pitboss.plain import clean
from pitboss.rules.called import wager_called
from pitboss.rules.house import House
from pitboss.sheets import PaysLine, Sheet, sheet_of

if TYPE_CHECKING:
    from pitboss.jurisdictions import Jurisdiction


def rules_json(house: House, wager: str | None = None, place: "Jurisdiction | None" = None) -> dict[str, Any]:
    """The rules as data; of a table that stands somewhere, with what holds there."""
    found = sheet_of(house, wager).json()
    return found if place is None else {**found, "jurisdiction": of_the_house(place, house)}


def pays_rows(house: House, wager: str | None = None) -> list[dict[str, str]]:
    """Every wager with every row of its pay table, for a spreadsheet."""
    out = []
    for line in sheet_of(house, wager).wagers:
        of = {"wager": line.wager, "called": line.called, "bet": line.bet, "amount": line.amount, "about": line.about}
        rows = line.pays or {"": ""}
        out += [{**of, "paytable": line.paytable, "row": row, "pays": pays} for row, pays in rows.items()]
    return out


def _folded(of: Table) -> Table:
    """The names in the first column stay whole; the texts beside them fold."""
    for number, column in enumerate(of.columns):
        column.justify, column.no_wrap = "left", number == 0
    return of


def show_rules(console: Console, house: House, wager: str | None = None, place: "Jurisdiction | None" = None) -> None:
    sheet = sheet_of(house, wager)
    console.print(marked("[bold]{}[/]\n", sheet.title))
    console.print("\n\n".join(p.replace("\n", " ") for p in sheet.about.split("\n\n")))
    console.print(f"\n{sheet.dealt_from}", markup=False)
    _wagers(console, sheet)
    if place is not None:
        show_limits(console, place, house)
    _pay_tables(console, sheet.paytables)
    console.print(f"\n{sheet.odd_amounts}", markup=False)
    _procedure(console, sheet)
    _examples(console, sheet)
    headline(console, "When something goes wrong")
    for case, words in sheet.irregular.items():
        item(console, f"{case[:1].upper()}{case[1:]}. {words}")
    if sheet.readings:
        headline(console, "Readings and remarks")
        for note in sheet.readings:
            item(console, note)
    _options(console, sheet)


def _wagers(console: Console, sheet: Sheet) -> None:
    bets = _folded(table("wager", "bet", "amount", "what it bets on", title="\nWagers"))
    for w in sheet.wagers:
        bets.add_row(w.wager, w.bet, w.amount, w.about)
    console.print(bets)
    for names in sheet.either_or:
        console.print(f"At least one of {' and '.join(names)} must be bet.", markup=False)


def _pay_tables(console: Console, tables: Sequence[PaysLine]) -> None:
    """Even money in one line; every other pay table with a row for each hand."""
    headline(console, "Pay tables (to 1)")
    plain = [t for t in tables if dict(t.pays) == {"win": "1 to 1"} and not t.others]
    if plain:
        console.print(f"Even money: {', '.join(name for t in plain for name in t.wagers)}.", markup=False)
    for pots in (t for t in tables if "best hand" in t.pays):
        console.print(f"{', '.join(pots.wagers)}: goes to the best hand at the table.", markup=False)
    for pays in (t for t in tables if t not in plain and "best hand" not in t.pays):
        known = "" if pays.table in ("standard", "even money") else f", pay table {pays.table}"
        others = f" (others: {', '.join(pays.others)})" if pays.others else ""
        console.print(f"\n{', '.join(pays.wagers)}{known}{others}", markup=False)
        drawn = table("hand", "pays")
        drawn.columns[0].no_wrap = True
        for row, pay in pays.pays.items():
            drawn.add_row(row, pay)
        console.print(drawn)


def _procedure(console: Console, sheet: Sheet) -> None:
    console.print("\nThe dealer's procedure, in order", style="bold")
    for part in sheet.procedure:
        console.print(f"\n  {part.title}", style="bold")
        for top in part.steps:
            for depth, step in top.walk():
                item(console, step.text, depth, f"{step.number}." if step.number else "-")


def _examples(console: Console, sheet: Sheet) -> None:
    if not sheet.examples:
        return
    headline(console, "Worked examples, from rounds that were played")
    for example in sheet.examples:
        item(console, example.line(wager_called(sheet.house, example.wager)))
    for line in sheet.rare:
        item(console, line)


def _options(console: Console, sheet: Sheet) -> None:
    strategies = _folded(table("strategy", "", title="\nStrategies (--strategy NAME)"))
    for name, about in sheet.strategies.items():
        strategies.add_row(name, about)
    console.print(strategies)
    options = _folded(table("option", "value", "default", "allowed", "what it sets", title="\nOptions (-o NAME=VALUE)"))
    for o in sheet.options:
        value = o.value if o.value == o.default else Text(clean(o.value), "bold yellow")
        options.add_row(o.option, value, o.default, o.allowed, o.about)
    console.print(options)
