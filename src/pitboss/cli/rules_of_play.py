"""`pitboss rules`: the rules of play of a game, made from its file: prose, wagers, pay tables, options, procedure."""

from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitboss.cli.render import table
from pitboss.cli.screen import marked
from pitboss.plain import clean
from pitboss.rules.decks import dealt_from
from pitboss.rules.describe import procedure
from pitboss.rules.house import House
from pitboss.rules.options import show_value
from pitboss.rules.paying import in_words
from pitboss.rules.paytables import show_pay
from pitboss.rules.trace import trace


def rules_json(house: House, wager: str | None = None) -> dict[str, Any]:
    """The rules as data."""
    game, graph = house.game, trace(house)
    kept = [w for w in house.wagers if wager is None or house.lead(w.name) == wager]
    return {
        "game": game.name,
        "title": game.title,
        "about": game.text,
        "cards": sum(house.composition),
        "deck": dealt_from(house),
        "wagers": [
            {
                "wager": w.name,
                "bet": w.who_bets(),
                "amount": w.amount_rule(),
                "about": w.help,
                "paytable": house.tables[w.name].name,
                "paytables": [t.name for t in w.tables],
                "pays": {row: show_pay(pay) for row, pay in house.tables[w.name].pays.items()},
            }
            for w in kept
        ],
        "odd_amounts": in_words(house),
        "either_or": [list(names) for names in house.one_of],
        "options": [
            {
                "option": o.name,
                "value": show_value(house.options[o.name]),
                "default": show_value(o.start()),
                "allowed": o.allowed(),
                "about": o.help,
            }
            for o in game.all_options.values()
        ],
        "strategies": {"optimal": "what brings most at every decision"}
        | ({"basic": "what brings most by the chart: derived, see pitboss strategy"} if graph.open_ended else {})
        | {name: " ".join(str(fn.__doc__ or "").split()) for name, fn in game.strategies.items()},
        "procedure": [{"depth": depth, "step": text} for depth, text in procedure(graph)],
        "notes": list(game.notes),
    }


def _folded(of: Table) -> None:
    """The names in the first column stay whole; the texts beside them fold."""
    for number, column in enumerate(of.columns):
        column.justify, column.no_wrap = "left", number == 0


def show_rules(console: Console, house: House, wager: str | None = None) -> None:
    data = rules_json(house, wager)
    console.print(marked("[bold]{}[/]\n", data["title"]))
    console.print("\n\n".join(p.replace("\n", " ") for p in data["about"].split("\n\n")))
    console.print(f"\n{data['deck']}", markup=False)

    bets = table("wager", "bet", "amount", "what it bets on", title="\nWagers")
    pays = table("wager", "pay table", "pays", title="\nPay tables")
    _folded(bets)
    _folded(pays)
    for w in data["wagers"]:
        bets.add_row(w["wager"], w["bet"], w["amount"], w["about"])
        others = [t for t in w["paytables"] if t != w["paytable"]]
        name = w["paytable"] + (f" (also {', '.join(others)})" if others else "")
        pays.add_row(w["wager"], name, ", ".join(f"{row}: {pay}" for row, pay in w["pays"].items()))
    console.print(bets)
    for names in data["either_or"]:
        console.print(f"At least one of {' and '.join(names)} must be bet.")
    console.print(pays)
    console.print(data["odd_amounts"], markup=False)

    options = table("option", "value", "default", "allowed", "what it sets", title="\nOptions (-o NAME=VALUE)")
    _folded(options)
    for o in data["options"]:
        value = o["value"] if o["value"] == o["default"] else Text(clean(o["value"]), "bold yellow")
        options.add_row(o["option"], value, o["default"], o["allowed"], o["about"])
    console.print(options)

    strategies = table("strategy", "", title="\nStrategies (--strategy NAME)")
    _folded(strategies)
    for name, about in data["strategies"].items():
        strategies.add_row(name, about)
    console.print(strategies)

    console.print("\nThe dealer's procedure, in order", style="bold")
    for step in data["procedure"]:
        console.print(Padding(step["step"], (0, 0, 0, 2 + 3 * step["depth"])))
    if data["notes"]:
        console.print("\nReadings and remarks", style="bold")
        for note in data["notes"]:
            console.print(Padding(f"- {note}", (0, 0, 0, 2)))
