"""What the pages show of the log and of the accounts, as plain values."""

import csv
import io
import json
import re
from typing import Any

from pitboss.pit.accounts import purse
from pitboss.plain import spreadsheet
from pitboss.vault import HOUSE, Person, Stored
from pitboss.web.opened import Opened
from pitboss.web.shown import you
from pitboss.web.strict import number_in

A_PAGE = 50
ID = re.compile(r"\b[0-9a-f]{12}\b")  # of a person, in what an event says


def log(opened: Opened, person: Person, asked: dict[str, str], checked: dict[str, Any]) -> dict[str, Any]:
    """A page of the events that are asked for; the last page, where no event is named to begin with."""
    seq, head = opened.vault.head()
    wanted: dict[str, Any] = {name: asked[name] for name in ("table", "kind") if asked.get(name)}
    start = number_in(asked.get("from", ""))
    if start is None:
        rows = [*opened.vault.latest(**wanted, most=A_PAGE)][::-1]
    else:
        rows = [*opened.vault.events(**wanted, after=start - 1, most=A_PAGE)]
    first, last = (rows[0].seq, rows[-1].seq) if rows else (start or 1, seq)
    before = [event.seq for event in opened.vault.latest(**wanted, before=first, most=A_PAGE)]
    after = [event.seq for event in opened.vault.events(**wanted, after=last, most=1)]
    names = {found.id: found.name for found in opened.vault.people()}
    return {
        "you": you(opened, person), "asked": asked, "chain": {"head": head, "events": seq, **checked},
        "tables": _tables(opened, asked.get("table", "")),
        "events": [_event(event, names) for event in rows],
        "exports": [
            {"href": "/audit/events.jsonl", "called": "Every event, as JSON lines"},
            {"href": "/audit/balances.csv", "called": "Every account, as CSV"},
        ],
        "earlier": _from(before[-1], wanted) if before else "",
        "later": _from(after[0], wanted) if after else "",
    }  # fmt: skip


def _from(seq: int, wanted: dict[str, str]) -> dict[str, str]:
    """Where a page begins, and what it was asked for."""
    return {"from": str(seq), **wanted}


def _tables(opened: Opened, asked: str) -> dict[str, str]:
    """Every table that has events, by its id, with its name."""
    found = {live.id: f"{live.table.name}, {live.id}" for live in opened.house.tables.values()}
    found |= {id: f"{id}, not opened" for id in opened.house.asleep}
    return {HOUSE: "no table: the house", **found, **({asked: asked} if asked and asked not in found else {})}


def _event(event: Stored, names: dict[str, str]) -> dict[str, Any]:
    body = json.dumps(event.body, sort_keys=True)
    ids = dict.fromkeys(ID.findall(f"{body} {' '.join(event.moves)}"))
    return {
        "seq": event.seq, "when": event.at, "table": event.table, "kind": event.kind, "body": body,
        "moves": event.moves, "hash": event.hash, "who": [(id, names[id]) for id in ids if id in names],
    }  # fmt: skip


def balances(opened: Opened) -> str:
    """Every account, for a spreadsheet: whoever calls himself a formula is text."""
    names = {purse(person.id): person.name for person in opened.vault.people()}
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    write.writerow(("account", "cents", "name"))
    for account, cents in opened.vault.balances().items():
        write.writerow((spreadsheet(account), cents, spreadsheet(names.get(account, ""))))
    return out.getvalue()
