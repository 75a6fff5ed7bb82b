"""What happens at a table besides the round itself, as one sentence for all who look."""

from collections.abc import Mapping
from typing import NamedTuple

from pitboss.live.words import enumerated
from pitboss.pit.table import Table
from pitboss.rules.called import wager_called
from pitboss.rules.numbers import written
from pitboss.rules.paytables import money
from pitboss.vault import Entry

AFTER = ("reveal", "void", "close")
"""What comes of a round, and is told after what happened in it."""


class News(NamedTuple):
    text: str
    after: bool = False  # the round that it comes with


def news_of(table: Table, entry: Entry, names: Mapping[int, str]) -> str:
    """`Ann sits down at seat 3.`; nothing where the layout itself shows it."""
    body, kind = entry.body, entry.kind
    seat = body.get("seat", 0)
    who = table.sitting[seat].name if seat in table.sitting else names.get(seat, f"Seat {seat}")
    if kind == "sit":
        return f"{who} sits down at seat {seat}."
    if kind == "depart" or (kind == "stand" and seat not in table.sitting):
        return f"{who} leaves seat {seat}."
    if kind == "bet":
        return _bets(table, who, body)
    if kind == "choose" and body.get("by") == "clock":  # what was chosen for him, the round itself tells
        return f"Time is up for {who}."
    if kind == "limits":
        return f"The limits are now {', '.join(f'{name} ${amount}' for name, amount in body['options'].items())}."
    if kind == "void":
        return f"The round is void: {body['reason'].rstrip('.')}. All bets are back."
    if kind == "pause":
        return "The table is paused." if body["paused"] else "The table goes on."
    if kind == "reveal":
        if table.session.shoe.every_round:  # every round is the last of its shoe, and the page says that it was true
            return ""
        return f"Shoe {body['shoe']} is over, and its secret is shown: the page checks the shuffle."
    return {"deal": "No more bets.", "close": "The table is closed."}.get(kind, "")


def _bets(table: Table, who: str, body: Mapping[str, Mapping[str, str]]) -> str:
    on = {w: wager_called(table.house, w).removesuffix(" bet") for kind in ("bets", "tokes") for w in body[kind]}
    bets = [f"${money(written(amount))} on {on[w]}" for w, amount in body["bets"].items()]
    tokes = [f"${money(written(amount))} for the dealer on {on[w]}" for w, amount in body["tokes"].items()]
    laid = [text for text in (*bets, *tokes) if not text.startswith("$0 ")]
    return f"{who} bets {enumerated(laid)}." if laid else f"{who} takes the bets back."
