"""Rounds that are over: found in the log by their number, and played again from the event that settled them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pitboss.cards.fair import shuffle_key
from pitboss.cards.revealed import shoe_record
from pitboss.live.live import Round
from pitboss.pit import PLAYER, Table
from pitboss.pit.floor import Houses
from pitboss.pit.recall import recalled, shoe_of
from pitboss.rules.errors import BadInput
from pitboss.rules.numbers import written
from pitboss.vault import Person, Stored, Vault


def rounds_of(vault: Vault, table: str, person: Person, before: int | None = None) -> Iterator[Stored]:
    """The settled rounds of a table, the last one first, `before` an event; of a player those that he played."""
    about = person.id if person.role == PLAYER else None
    for event in vault.latest(table=table, kind="settle", about=about, before=before):
        if about is None or about in event.body["players"].values():
            yield event


def rounds_since(vault: Vault, table: str, person: Person, after: int) -> Iterator[Stored]:
    """The settled rounds of a table that somebody played, after an event, in their order."""
    for event in vault.events(table=table, kind="settle", about=person.id, after=after):
        if seats_of(event, person):
            yield event


def seats_of(event: Stored, person: Person) -> list[str]:
    """The seats that somebody had in a round."""
    return [seat for seat, player in event.body["players"].items() if player == person.id]


def bets_of(event: Stored, seats: Iterable[str]) -> dict[str, int]:
    """What these seats had bet before the deal: wager -> cents."""
    bets: dict[str, int] = {}
    for seat in seats:
        for wager, amount in event.body["seats"][int(seat) - 1]["bets"].items():
            bets[wager] = bets.get(wager, 0) + int(written(amount) * 100)
    return bets


def find_round(vault: Vault, table: str, number: int) -> Stored:
    """The event that settled a round."""
    found = _numbered(vault, table, "settle", "round", number)
    if found is None:
        raise BadInput(f"there is no round {number:,} at this table that was played to its end")
    return found


def _numbered(vault: Vault, table: str, kind: str, what: str, number: int) -> Stored | None:
    """The event of a kind that has a number: numbers rise along the log, so that it need not be read from its
    beginning."""
    low, high = 0, vault.head()[0]
    while low < high:
        middle = (low + high) // 2
        found = _first(vault, table, kind, middle)
        if found is None or found.body[what] >= number:
            high = middle
        else:
            low = found.seq
    found = _first(vault, table, kind, low)
    return found if found is not None and found.body[what] == number else None


def _first(vault: Vault, table: str, kind: str, after: int) -> Stored | None:
    return next(vault.events(table=table, kind=kind, after=after, most=1), None)


def seeds_of(vault: Vault, table: Table, shoe: int, after: int) -> list[str]:
    """The players' seeds of a shoe, in the order of their seats: as the table has them, or as they were shown."""
    if shoe == table.number:
        return [table.seeds[seat] for seat in sorted(table.seeds)]
    found = _first(vault, table.id, "reveal", after)
    if found is None or found.body["shoe"] != shoe:
        raise BadInput(f"shoe {shoe} has not been shown")
    return _in_order(found.body["seeds"])


def _in_order(seeds: Mapping[str, str]) -> list[str]:
    return [seeds[seat] for seat in sorted(seeds, key=int)]


def recall(vault: Vault, houses: Houses, table: Table, number: int) -> tuple[Round, Stored]:
    """A round of a table, played again."""
    event = find_round(vault, table.id, number)
    house = houses({**table.opening, "options": event.body["options"]})
    secret = vault.secrets(table.id).get(f"shoe {event.body['shoe']}", "")
    seeds = seeds_of(vault, table, event.body["shoe"], event.seq)
    return recalled(house, table.opening, table.id, event.body, secret, seeds), event


def record_of(vault: Vault, table: Table, shoe: int) -> dict[str, Any]:
    """A shoe that is over, with all that it takes to check it; one sentence where it is not."""
    if shoe >= table.number and not table.closed:
        raise BadInput(f"shoe {shoe} is not over; its secret is shown when it is")
    first = _find_shoe(vault, table.id, shoe)
    deals, shown, at = list[tuple[int | str, int, int]](), None, 0
    voided = set[int | str]()
    for event in vault.events(table=table.id, after=first.seq):
        body = event.body
        if event.kind in ("settle", "void"):
            number = body.get("round", "void")  # in earlier logs a void does not say which round it was,
            if event.kind == "void":
                voided.add(number)
            if "used" not in body:  # nor, in still earlier ones, what it has used: all that is gone after it
                deals.append((number, at, at))
                continue
            if body["from"] > at:
                deals.append(("void", at, body["from"]))
            at = body["from"] + body["used"]
            deals.append((number, body["from"], at))
        elif event.kind == "reveal":
            shown = event.body
            break
    if shown is None or shown["shoe"] != shoe:
        raise BadInput(f"shoe {shoe} is not over; its secret is shown when it is")
    seeds = _in_order(shown["seeds"])
    dealt = shoe_of(table.house, table.opening, shuffle_key(shown["secret"], table.id, shoe, seeds))
    cards = [*dealt.cards]
    if at > len(cards):
        dealt.dealt = deals[-1][1]
        cards += dealt.discards()
    ordered = sorted(dealt.cards)
    dealt_so = [(n, cards[a:b]) for n, a, b in deals]
    return shoe_record(shown["secret"], table.id, shoe, seeds, ordered, dealt_so, voided)


def _find_shoe(vault: Vault, table: str, shoe: int) -> Stored:
    found = _numbered(vault, table, "shoe", "shoe", shoe)
    if found is None:
        raise BadInput(f"there was no shoe {shoe} at this table")
    return found
