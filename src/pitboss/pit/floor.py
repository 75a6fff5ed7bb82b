"""The whole floor: every table, the meters that they share, and what every player has. Commands go in, actions for the
vault come out; nothing here waits, writes or knows a clock."""

from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, Protocol

from pitboss.cards.fair import secret as fresh_secret
from pitboss.live.undo import undo
from pitboss.pit import accounts
from pitboss.pit.accounts import Moves
from pitboss.pit.asked import event_of
from pitboss.pit.commands import SUPERVISOR, Command, to_cents
from pitboss.pit.happened import FOLLOWS, Happened
from pitboss.pit.shared import Meters
from pitboss.pit.table import Table
from pitboss.rules.errors import BadInput, said
from pitboss.rules.house import House
from pitboss.rules.paytables import money
from pitboss.vault import Action, Entry, Stored

HOUSE = "house"  # what belongs to no table
PUT_DOWN = ("open", "settle", "void")  # after these a table that is between two rounds is put down
USUAL_PACE = {"bet": 20, "act": 30}  # seconds
Houses = Callable[[Mapping[str, Any]], House]
"""How the house of a table is found again from what its opening says: the game file is the operator's to name."""


class Kept(Protocol):
    """What there is to know of an event that is on the disk."""

    @property
    def seq(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def body(self) -> Mapping[str, Any]: ...


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
        known, back = set(self.meters.shown), undo(self.meters)
        try:
            table = Table(id, house, opening, self.meters)
            first = Happened("open", {**opening, "by": command.by}, seeded(self.meters, known))
            action = self.action(table, command.id, [first, table.commit(self.secret())], {"table": id})
        except BaseException:  # a meter that shows what nobody has paid in is no meter
            back()
            raise
        self.tables[id] = table
        return table, action

    def handle(self, table: Table, command: Command) -> Action:
        """What a command to a table comes to, ready to be written; one sentence (BadInput) where it is refused, and
        then nothing has changed, wherever it was refused."""
        body = event_of(table, command)
        if command.do == "buy" and body["cents"] > (has := self.purses.get(body["player"], 0)):
            wants = money(Fraction(body["cents"], 100))
            raise BadInput(f"you cannot buy in for ${wants}: your purse has ${money(Fraction(has, 100))}")
        back = table.as_it_is()
        try:
            return self.action(table, command.id, table.happen(command.do, body, self.secret), {})
        except BaseException:
            back()
            raise

    def adjust(self, command: Command, player: str, cents: int, reason: str) -> Action:
        """Chips from the cage into a purse, or back, with a reason."""
        if command.role != SUPERVISOR:
            raise BadInput(f"a purse is adjusted by a supervisor, and you are {command.role}")
        if self.purses.get(player, 0) + cents < 0:
            has = money(Fraction(self.purses.get(player, 0), 100))
            raise BadInput(f"the purse has ${has}, and cannot fall below zero")
        body = {"player": player, "cents": cents, "reason": reason, "by": command.by}
        moves = adjusted(player, cents)
        action = Action(
            HOUSE, command.id, (Entry(HOUSE, "adjust", body, moves),), {}
        )  # which may refuse what it is given
        self._moved(moves)
        return action

    def action(self, table: Table, id: str, happened: Iterable[Happened], answer: Mapping[str, Any]) -> Action:
        entries = [Entry(table.id, one.kind, one.body, one.moves, one.secrets) for one in happened]
        put_down = not table.in_play and any(entry.kind in PUT_DOWN for entry in entries)
        action = Action(table.id, id, tuple(entries), answer, table.state() if put_down else None)
        for entry in entries:
            self._moved(entry.moves)
        return action

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
            since = [*events(id, seq)]
            for told in (state, *(event.body for event in since)):  # also of a table that cannot be taken up
                self.meters.learn(state["opening"]["group"], told)
            table = taken_up(id, state, since, secrets(id), self.houses)
            table.pool.meters = self.meters
            self.meters.learn(table.group, table.pool.heard)
            self.tables[id] = table
        for account, cents in balances.items():
            kind, _, rest = account.partition(":")
            if kind == "purse":
                self.purses[rest] = cents
            elif kind == "meter":
                group, _, name = rest.rpartition(":")
                self.meters.shown[group, name] = Fraction(cents, 100)


def taken_up(
    id: str, state: Mapping[str, Any], events: Iterable[Kept], secrets: Mapping[str, str], houses: Houses
) -> Table:
    """A table from where it was put down, with what has happened since; its meters are its own."""
    table = Table(id, houses(state["opening"]), state["opening"], Meters())
    table.restore(state, secrets.get(f"shoe {state['number']}", ""))
    for _ in folded(table, events, secrets):
        pass
    return table


def folded(table: Table, events: Iterable[Kept], secrets: Mapping[str, str]) -> Iterable[tuple[Kept, Happened]]:
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


def adjusted(player: str, cents: int) -> Moves:
    """What goes from the cage into a purse, or back."""
    return {accounts.purse(player): cents, accounts.CAGE: -cents} if cents else {}


def seeded(meters: Meters, known: Collection[tuple[str, str]]) -> Moves:
    """What the cage pays into meters that were not known before a table was opened."""
    moves = {accounts.meter(*key): to_cents(amount, key[1]) for key, amount in meters.shown.items() if key not in known}
    return {**moves, accounts.CAGE: -sum(moves.values())} if moves else {}
