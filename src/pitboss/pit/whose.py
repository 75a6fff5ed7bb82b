"""Whose seat it is, and who may do what there. A command that comes in is held against it, and so is an event that
stands in a log: somebody who writes events past the house does not know better than it does."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from pitboss.pit.commands import CLOCK, OF_THE_HOUSE, PLAYER, SUPERVISOR, Command
from pitboss.pit.happened import Sitting
from pitboss.rules.errors import BadInput, said

if TYPE_CHECKING:
    from pitboss.pit.table import Table

THE_HOUSE = "house"  # asks for what no person does: chips for computer players, and those of an invitation


def robot(table: str, seat: int) -> str:
    """The computer player of a seat."""
    return f"bot:{table}:{seat}"


def check_open(table: "Table") -> None:
    if table.closed:
        raise BadInput(f"table {table.name} is closed")


def check_free(table: "Table", seat: int) -> None:
    if seat in table.sitting:
        raise BadInput(f"seat {seat} is taken")


def seated(table: "Table", seat: int) -> Sitting:
    here = table.sitting.get(seat)
    if here is None:
        raise BadInput(f"nobody has seat {seat}")
    return here


def check_whose(here: Sitting, seat: int, do: str, role: str, by: str) -> None:
    """Whether somebody may do this for a seat that somebody has."""
    if role == PLAYER and here.player != by:
        raise BadInput(f"seat {seat} is not yours")
    if role == SUPERVISOR and do == "buy" and not here.bot:
        raise BadInput(f"seat {seat} is a player's, who buys his own chips; a supervisor buys a computer player's")
    if role == CLOCK and do == "bet" and not here.bot:
        raise BadInput(f"seat {seat} is a player's, who makes his own bets; the clock makes a computer player's")


def check_fits(table: "Table", kind: str, body: Mapping[str, Any]) -> None:
    """An event of a table, against the table: no command that was taken has led to one that does not fit."""
    check_open(table)
    if kind in OF_THE_HOUSE:
        return
    seat = body["seat"]
    if type(seat) is not int or seat not in table.session.seats:
        raise BadInput(f"there is no seat {said(seat)}")
    if kind == "sit":
        check_free(table, seat)
        if body["bot"] is not (body["player"] == robot(table.id, seat)):
            raise BadInput(f"{said(body['player'])} cannot be the computer player of seat {seat}, and nobody else can")
        return
    here = seated(table, seat)
    if body.get("player", here.player) != here.player:
        raise BadInput(f"{said(body['player'])} does not have seat {seat}")
    if "cents" in body and (type(body["cents"]) is not int or body["cents"] < 1):
        raise BadInput(f"chips are a whole number of cents, not {said(body['cents'])}")


# ---- what stands in a log


class Logged(Protocol):
    """An event as it is kept."""

    @property
    def of(self) -> str: ...
    @property
    def action(self) -> str: ...
    @property
    def table(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def body(self) -> Mapping[str, Any]: ...


class Askers:
    """Who has asked for what stands in a log. An action's id begins with the person, or says what of the house it was;
    what a person is stands in the log before he asks for anything."""

    def __init__(self) -> None:
        self.roles: dict[str, str] = {}
        self.promised: dict[str, tuple[str, int]] = {}  # beginning of an invitation's hash -> whose, and how many cents

    def note(self, body: Mapping[str, Any]) -> None:
        """Something that has happened to a person."""
        if body["change"] == "added":
            self.roles[body["person"]] = body["role"]
        elif body["change"] == "invited":
            self.promised[body["token"][:32]] = body["person"], body.get("cents", 0)

    def check(self, event: Logged, table: "Table | None" = None) -> None:
        """Whether who asked for it was allowed to; the table is as it was before."""
        by, role = self._asker(event)
        try:
            self._check(event, table, by, role)
        except BadInput as error:
            raise BadInput(f"{by or 'the clock'} ({role}) would have been refused: {error}") from None

    def _asker(self, event: Logged) -> tuple[str, str]:
        kind, _, rest = event.action.partition("-")
        if kind == "clock" and rest:
            return "", CLOCK
        if (kind == "house" and event.kind in ("adjust", "buy")) or (kind == "welcome" and event.kind == "adjust"):
            return THE_HOUSE, SUPERVISOR
        own = str(event.body.get("by", "")) if kind == "opening" and event.kind == "open" else ""
        by = own or event.action.partition(":")[0]
        if by not in self.roles:
            raise BadInput(f"it was asked for by {said(by)}, who was never let in")
        return by, self.roles[by]

    def _check(self, event: Logged, table: "Table | None", by: str, role: str) -> None:
        body, kind = event.body, event.kind
        if event.of != event.table:
            raise BadInput(f"it was asked for at {said(event.of)}")
        if kind in ("open", "adjust"):
            if role != SUPERVISOR:
                raise BadInput(f"{kind} is for {SUPERVISOR}")
        else:
            Command(event.action, kind, by, role, body).allowed()
        if kind in ("open", "adjust", *OF_THE_HOUSE) and body.get("by", "") != by:
            raise BadInput(f"it says that it was {said(body.get('by', ''))}")
        if kind == "adjust" and by == THE_HOUSE:
            self._check_given(event.action, body)
        if table is None or kind in OF_THE_HOUSE:
            return
        if kind == "sit":
            if body["player"] != (robot(table.id, body["seat"]) if role == SUPERVISOR and body["bot"] else by):
                raise BadInput(f"{said(body['player'])} is somebody else")
            return
        here = seated(table, body["seat"])
        check_whose(here, body["seat"], kind, role, by)
        if kind == "choose" and ("by" in body) is not (role == CLOCK):
            raise BadInput("who is late is named by the clock, and by nobody else")

    def _check_given(self, action: str, body: Mapping[str, Any]) -> None:
        """What the house gives by itself: to computer players what they ask for, to a guest what he was promised. In
        earlier logs the guest himself is named, and not his invitation."""
        kind, _, rest = action.partition("-")
        player, cents = body["player"], body["cents"]
        if kind == "house" and not player.startswith("bot:"):
            raise BadInput("it gives chips to computer players alone")
        if kind == "welcome" and self.promised.get(rest, (rest, cents)) != (player, cents):
            raise BadInput(f"it gives {said(player)} what no invitation has promised him")
