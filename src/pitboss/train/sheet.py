"""The step of the dealer's sheet that is due: for whoever asks for it, or has asked for hints."""

from functools import cached_property

from pitboss.live.events import Event
from pitboss.rules.house import House
from pitboss.rules.procedure import procedure
from pitboss.rules.steps import Does, Step
from pitboss.train.dues import DEAL, SHUFFLE, STOP, Due


class Steps:
    """The procedure of a house, to be looked up by what happens at the table."""

    def __init__(self, house: House) -> None:
        self.house = house

    @cached_property
    def tops(self) -> list[Step]:
        return [top for part in procedure(self.house) for top in part.steps]

    def of(self, due: Due, events: list[Event], after: int = 0) -> Step | None:
        """The numbered step that a thing belongs to, from a number on; None where the sheet tells of it elsewhere, as
        of the later hands after a split."""
        if due.kind == SHUFFLE:
            return self.tops[0]
        if due.at >= len(events):
            return self.tops[-1]
        wanted = ("deal", due.place) if due.kind in (STOP, DEAL) else _key(events[due.at])
        has = [top for top in self.tops if any(wanted in step.does for _, step in top.walk())]
        return next((top for top in has if top.number >= after), has[0] if has else None)


def _key(event: Event) -> Does:
    """What an event is on the sheet."""
    kind = event["event"]
    if kind == "toke":
        return "settle", event["wager"]
    what = {"deal": "to", "reveal": "who", "say": "words"}.get(kind, "wager")
    return (kind, event[what]) if what in event else (kind,)
