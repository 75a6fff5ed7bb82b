"""Where the dealer draws to a hand of the house, and where he might have drawn and stops.

That he draws is an event of the round. That he stops is none: it shows in the rules alone. So each question that `play`
asks of the house's own cards is answered the other way once, on a copy of the round; if a card would have been dealt
next, then not to deal it is something that the dealer has to know.
"""

from collections import Counter
from dataclasses import dataclass

from pitboss.live import Round
from pitboss.live.seat import Need, NeedChoice, SeatTable
from pitboss.rules.checks import home
from pitboss.rules.column import Column
from pitboss.rules.errors import BadInput, Site
from pitboss.rules.graph import PLAYER, Burn, Deal, Event, Reveal, Say
from pitboss.rules.mistakes import in_the_file

Key = tuple[str, str]


@dataclass(frozen=True)
class Draws:
    """Places in the list of a round's events: cards that are drawn, and events after which the dealer stops."""

    drawn: frozenset[int]
    stops: dict[str, int]  # place that gets no further card -> the event after which the dealer says so


class _Next(BaseException):
    """The next thing that happens after an answer that was turned round: a card, and to whom."""

    def __init__(self, who: str) -> None:
        self.who = who


class _Asked(SeatTable):
    """`play` for one seat once more, with one question about the house's cards answered the other way. Nothing more is
    dealt in the round that it is played on."""

    def __init__(self, round_: Round, seat: int, turned: int | None = None) -> None:
        self.copy = round_.fork()  # a seat's play does not keep the round that it is part of
        self.copy.at_once = frozenset()
        super().__init__(self.copy, seat)
        self.turned = turned
        self.asked: list[tuple[int, int]] = []  # events and choices before each question about the house's cards
        self.since: int | None = None

    def _on_when(self, condition: Column, words: str, where: Site) -> bool:
        answer = super()._on_when(condition, words, where)
        own = {slot for group in self.groups if group.who == PLAYER for slot in group.slots}
        if not condition.slots or condition.slots & own:
            return answer
        self.asked.append((len(self.events), len(self.made)))
        if self.turned == len(self.asked) - 1:
            self.since = len(self.events)
            return not answer
        return answer

    def _on_deal(self, deal: Deal) -> None:
        if self.since is not None:
            raise _Next(deal.who if len(self.events) == self.since + 1 else "")
        super()._on_deal(deal)


def draws(round_: Round) -> Draws:
    """What is drawn to the house's hands in a round, and where that stops."""
    at = _places(round_)
    drawn: set[int] = set()
    stops: dict[str, int] = {}
    for seat in round_.playing:
        base = _played(_Asked(round_, seat))
        chose = [n for n, e in enumerate(round_.events) if e["event"] == "choose" and e["seat"] == seat]
        for number, (before, made) in enumerate(base.asked):
            after = base.events[before] if before < len(base.events) else None
            done = _shared(base.events[:before])
            if isinstance(after, Deal) and after.who != PLAYER:
                drawn.add(at[_nth(done, after.who)])
            elif done and (place := _would_deal(round_, seat, number)) and _nth(done, place) not in at:
                # nor does it get a card later on
                stops[place] = max(*(at[each] for each in done), *chose[:made][-1:], stops.get(place, 0))
    return Draws(frozenset(drawn), stops)


def _nth(done: list[tuple[Key, int]], place: str) -> tuple[Key, int]:
    """The next card or cards to a place."""
    return ("deal", place), sum(1 for key, _ in done if key == ("deal", place))


def _played(table: _Asked) -> _Asked:
    where = home(table.house)
    with in_the_file(where.file, "play()", where.line, Need, NeedChoice, _Next):
        table.house.game.play(table)
    return table


def _would_deal(round_: Round, seat: int, question: int) -> str:
    """The place of the house that would get the next card, if this question came out the other way."""
    try:
        _played(_Asked(round_, seat, question))
    except _Next as found:
        return "" if found.who == PLAYER else found.who
    except (Need, NeedChoice, BadInput):  # something else comes next, or nothing that can be
        pass
    return ""


def _shared(events: list[Event]) -> list[tuple[Key, int]]:
    """What has happened once for all seats, each with how often the like of it had happened before."""
    out: list[tuple[Key, int]] = []
    many = Counter[Key]()
    for event in events:
        key: Key | None = None
        if isinstance(event, Deal | Reveal) and event.who != PLAYER:
            key = ("deal" if isinstance(event, Deal) else "reveal", event.who)
        elif isinstance(event, Burn):
            key = ("burn", "")
        elif isinstance(event, Say) and not event.each:
            key = ("say", event.words)
        if key is not None:
            out.append((key, many[key]))
            many[key] += 1
    return out


def _places(round_: Round) -> dict[tuple[Key, int], int]:
    """The same of the events of the round: where each stands in the list."""
    out: dict[tuple[Key, int], int] = {}
    many = Counter[Key]()
    for place, event in enumerate(round_.events):
        kind = event["event"]
        if "seat" in event or kind not in ("deal", "reveal", "burn", "say"):
            continue
        what = {"deal": "to", "reveal": "who", "say": "words"}.get(kind)
        key = (kind, str(event[what]) if what else "")
        out[key, many[key]] = place
        many[key] += 1
    return out
