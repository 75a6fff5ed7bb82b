"""A command as the event that it will be: what is asked for, checked as far as that goes without doing it."""

from typing import TYPE_CHECKING, Any

from pitboss.pit.commands import CLOCK, OF_THE_HOUSE, SUPERVISOR, Command
from pitboss.pit.whose import check_free, check_open, check_whose, robot, seated
from pitboss.rules.errors import BadInput
from pitboss.rules.numbers import dollars
from pitboss.rules.options import show_value
from pitboss.vault import LONGEST_NAME

if TYPE_CHECKING:
    from pitboss.pit.table import Table

MOST_SEED, MOST_SECONDS = 64, 3600


def event_of(table: "Table", command: Command) -> dict[str, Any]:
    """The body of the event; one sentence where the command cannot be meant."""
    command.allowed()
    check_open(table)
    if command.do in OF_THE_HOUSE:
        return _of_the_house(table, command)
    seat = command.seat(table.session.seats)
    if command.do == "sit":
        return _sits(table, command, seat)
    here = seated(table, seat)
    check_whose(here, seat, command.do, command.role, command.by)
    if command.do in ("buy", "cash"):
        return {"seat": seat, "player": here.player, "cents": command.cents()}
    if command.do == "bet":
        return {"seat": seat, "bets": command.amounts("bets"), "tokes": command.amounts("tokes")}
    if command.do == "seed":
        return {"seat": seat, "seed": command.text("seed", MOST_SEED)}
    if command.do == "choose":
        late = {"by": command.text("why", LONGEST_NAME)} if command.role == CLOCK else {}
        return {"seat": seat, "choice": command.text("choice"), **late, **table.pool.told()}
    return {"seat": seat, "player": here.player, **table.pool.told()}


def _sits(table: "Table", command: Command, seat: int) -> dict[str, Any]:
    check_free(table, seat)
    bot = command.role == SUPERVISOR and command.body.get("bot") is True
    player = robot(table.id, seat) if bot else command.by
    return {"seat": seat, "player": player, "name": command.text("name", LONGEST_NAME), "bot": bot}


def _of_the_house(table: "Table", command: Command) -> dict[str, Any]:
    by = {"by": command.by} if command.by else {}
    if command.do == "deal":
        return {**by, **table.pool.told()}
    if command.do == "void":
        told = {**table.cards(), **table.pool.told(), **table.pool.voided()}
        return {**by, "reason": command.text("reason"), **told}
    if command.do == "pause":
        return {**by, "paused": command.body.get("paused") is not False}
    if command.do == "limits":
        given = {name: command.text(name) for name in ("table-min", "table-max") if name in command.body}
        if not given:
            raise BadInput("limits: name table-min, table-max or both, in dollars")
        return {**by, "options": {name: show_value(dollars(name, text)) for name, text in given.items()}}
    if command.do == "pace":
        seconds = {name: command.cents(name, 0) for name in ("bet", "act")}
        if slow := [name for name, many in seconds.items() if many > MOST_SECONDS]:
            raise BadInput(f"pace: {slow[0]} is at most {MOST_SECONDS:,} seconds")
        return {**by, **seconds}
    return by
