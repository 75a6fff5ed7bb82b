"""The whole floor: every table, the meters that they share, and what every player has. Commands go in, actions for the
vault come out; nothing here waits, writes or knows a clock."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from pitboss.cards.fair import secret as fresh_secret
from pitboss.pit import accounts
from pitboss.pit.commands import SUPERVISOR, Command, to_cents
from pitboss.pit.table import FOLLOWS, Happened, Meters, Table
from pitboss.rules.errors import BadInput, said
from pitboss.rules.house import House
from pitboss.rules.numbers import written
from pitboss.rules.paytables import money
from pitboss.vault import Action, Entry, Stored

HOUSE = "house"  # what belongs to no table
USUAL_PACE = {"bet": 20, "act": 30}  # seconds
Houses = Callable[[Mapping[str, Any]], House]
"""How the house of a table is found again from what its opening says: the game file is the operator's to name."""


class Floor:
    """All tables of a live house. What it holds in memory is what the log comes to, and no more."""

    def __init__(self, houses: Houses, secret: Callable[[], str] = fresh_secret) -> None:
        self.houses, self.secret = houses, secret
        self.tables: dict[str, Table] = {}
        self.meters = Meters()
        self.purses: dict[str, int] = {}

    # ---- tables

    def open(
        self, command: Command, id: str, house: House, name: str, *, seats: int | None = None, group: str = "",
        pace: Mapping[str, int] | None = None, cut: Fraction | None = None, continuous: bool = False,
    ) -> tuple[Table, Action]:  # fmt: skip
        """A new table."""
        if command.role != SUPERVISOR:
            raise BadInput(f"a table is opened by a supervisor, and you are {command.role}")
        if id in self.tables or not id or not id.isascii() or not id.replace("-", "").isalnum() or len(id) > 40:
            raise BadInput(f"a table's id is a short name that no other has, such as t1, not {said(id)}")
        of = house.provenance()
        opening = {
            "name": name, "seats": house.game.seats if seats is None else seats, "group": group or house.game.name,
            "pace": dict(pace or USUAL_PACE), "cut": None if cut is None else str(cut), "continuous": continuous,
            "game": of.game, "file": of.file, "sha256": of.sha256, "options": house.chosen(),
            "paytables": dict(of.spelled), "place": None if house.under is None else house.under.reference,
        }  # fmt: skip
        known = set(self.meters.shown)
        table = Table(id, house, opening, self.meters)
        fresh = {key: amount for key, amount in self.meters.shown.items() if key not in known}
        moves = {accounts.meter(*key): to_cents(amount, key[1]) for key, amount in fresh.items()}
        if moves:
            moves[accounts.CAGE] = -sum(moves.values())
        first = Happened("open", {**opening, "by": command.by}, moves)
        self.tables[id] = table
        return table, self.action(table, command.id, [first, table.commit(self.secret())], {"table": id})

    def handle(self, table: Table, command: Command) -> Action:
        """What a command to a table comes to, ready to be written; one sentence where it is refused."""
        if command.do == "buy" and command.by and (short := self._short(table, command)):
            raise BadInput(short)
        happened = table.handle(command, self.secret)
        return self.action(table, command.id, happened, {})

    def _short(self, table: Table, command: Command) -> str:
        seat = command.body.get("seat")
        who = table.sitting.get(seat) if isinstance(seat, int) else None
        has, wants = self.purses.get(who.player if who else command.by, 0), command.body.get("cents")
        if isinstance(wants, int) and wants > has:
            return f"you cannot buy in for ${money(Fraction(wants, 100))}: your purse has ${money(Fraction(has, 100))}"
        return ""

    def adjust(self, command: Command, player: str, cents: int, reason: str) -> Action:
        """Chips from the cage into a purse, or back, with a reason."""
        if command.role != SUPERVISOR:
            raise BadInput(f"a purse is adjusted by a supervisor, and you are {command.role}")
        if self.purses.get(player, 0) + cents < 0:
            has = money(Fraction(self.purses.get(player, 0), 100))
            raise BadInput(f"the purse has ${has}, and cannot fall below zero")
        body = {"player": player, "cents": cents, "reason": reason, "by": command.by}
        moves = {accounts.purse(player): cents, accounts.CAGE: -cents} if cents else {}
        self._moved(moves)
        return Action(HOUSE, command.id, (Entry(HOUSE, "adjust", body, moves),), {})

    def action(self, table: Table, id: str, happened: Iterable[Happened], answer: Mapping[str, Any]) -> Action:
        entries = []
        for one in happened:
            self._moved(one.moves)
            entries.append(Entry(table.id, one.kind, one.body, one.moves, one.secrets))
        settled = any(entry.kind in ("settle", "open", "void") for entry in entries)
        return Action(table.id, id, tuple(entries), answer, table.state() if settled and not table.in_play else None)

    def _moved(self, moves: Mapping[str, int]) -> None:
        for name, cents in moves.items():
            if name.startswith("purse:"):
                self.purses[name[6:]] = self.purses.get(name[6:], 0) + cents

    # ---- taken up again

    def restore(
        self, snapshots: Mapping[str, tuple[int, Mapping[str, Any]]], events: Callable[[str, int], Iterable[Stored]],
        secrets: Callable[[str], Mapping[str, str]], balances: Mapping[str, int],
    ) -> None:  # fmt: skip
        """The floor as the log has it: each table from where it was last put down, and what has happened since."""
        for id, (seq, state) in snapshots.items():
            kept = secrets(id)
            table = Table(id, self.houses(state["opening"]), state["opening"], Meters())
            table.restore(state, kept.get(f"shoe {state['number']}", ""))
            for _ in folded(table, events(id, seq), kept):
                pass
            table.meters = self.meters
            self.tables[id] = table
        for account, cents in balances.items():
            kind, _, rest = account.partition(":")
            if kind == "purse":
                self.purses[rest] = cents
            elif kind == "meter":
                group, _, name = rest.rpartition(":")
                self.meters.shown[group, name] = Fraction(cents, 100)


def folded(table: Table, events: Iterable[Stored], secrets: Mapping[str, str]) -> "Iterable[tuple[Stored, Happened]]":
    """Everything that has happened at a table, done again: each event as it stands in the log, and as it came out now.
    What follows from an event comes with it, and is held against what was written."""
    due: list[Happened] = []
    for event in events:
        if event.kind not in FOLLOWS:
            number = table.number + 1
            due = table.again(event.kind, event.body, partial(str, secrets.get(f"shoe {number}", "")))
        if not due:
            raise BadInput(f"event {event.seq}, {event.kind} at table {table.id}, follows from nothing before it")
        yield event, due.pop(0)


def text_of(amount: str) -> Fraction:
    return written(amount)
