"""A table as it is drawn for one viewer after the other, as a page or for a program.

Whoever draws needs the table and a look, which is plain values: so it can be done in this process, or in another that
has followed the log (`painter`).
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from pitboss.pit.table import Table
from pitboss.web import wire
from pitboss.web.face import layout_of, render
from pitboss.web.lies import Kept, Scene
from pitboss.web.news import News
from pitboss.web.scene import Eyes, Moment, common, events_of, own_part, scene

Told = tuple[int, int]  # the round, and how many of its events somebody knows of
At = tuple[int, int]  # the round, and how many choices were made in it


class Look(NamedTuple):
    """What a table does not know by itself of somebody who looks at it now: plain values alone."""

    page: bool  # a browser's page, or the scene itself
    number: int  # of the scene
    clock: dict[str, Any] | None
    ready: tuple[int, ...]
    head: str  # the hash that the log of the table ends with
    meters: tuple[tuple[str, int], ...]  # as they stand on the disk, in cents
    who: tuple[str, str, str]  # id, name and role
    cents: int  # in his purse
    told: Told
    news: tuple[tuple[str, bool], ...]
    coach: bool
    worth: dict[str, str]  # choice -> what the coach says
    of: At  # at which turn he says that


class Drawn(NamedTuple):
    """A scene as it is sent, and how far its viewer has been told with it."""

    text: str
    told: Told


def at_of(table: Table) -> At:
    round_ = table.session.round
    return table.rounds, 0 if round_ is None else len(round_.choices)


class Canvas:
    """What is the same for everybody who looks at a table is made once, until something happens."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._base: Scene = {}
        self._same: tuple[object, ...] | None = None  # what it was made with, besides the table
        self._kept = Kept()

    def changed(self) -> None:
        """Something has happened at the table."""
        self._same = None

    def draw(self, look: Look) -> Drawn:
        if look.page:
            table = self.table
            return Drawn(page(table, self.scene(look), look.number), (table.rounds, events_of(table)))
        base, eyes, moment = self._looked(look)
        text = wire.text(base, own_part(base, self.table, eyes, moment), self.table.house, moment.clock, look.number)
        return Drawn(text, (self.table.rounds, events_of(self.table)))

    def scene(self, look: Look) -> Scene:
        base, eyes, moment = self._looked(look)
        return scene({**base, "table": {**base["table"], "clock": moment.clock}}, self.table, eyes, moment)

    def _looked(self, look: Look) -> tuple[Scene, Eyes, Moment]:
        table, turn, clock = self.table, self.table.session.turn, look.clock
        if clock is not None and clock["seat"] is not None and (turn is None or turn.seat != clock["seat"]):
            clock = None  # of a turn that is on its way to the disk
        meters = {(table.group, name): cents for name, cents in look.meters}
        moment = Moment(clock, frozenset(look.ready), look.head, meters)
        if self._same != (same := (look.ready, look.head, look.meters)):
            self._base, self._same = common(table, moment, self._kept), same
        news = [News(*one) for one in look.news]
        worth: Mapping[str, str] = look.worth if look.of == at_of(table) else {}
        return self._base, Eyes(*look.who, look.cents, look.told, news, look.coach, worth), moment


def page(table: Table, found: Scene, number: int) -> str:
    """The sections of the page that a browser swaps in."""
    return json.dumps({"html": render("table-live", found, layout_of(table.house)), "scene": number})
