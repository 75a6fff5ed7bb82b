"""The sentences of a dealer's sheet: each event of the graph, each question, each decision, as one would say it."""

from collections.abc import Mapping, Sequence

from pitboss.rules.called import cards_word, groups_called, number_word, place_called, times_of, wager_called
from pitboss.rules.graph import (
    PLAYER,
    UP,
    Bet,
    Burn,
    Deal,
    Decide,
    Event,
    Graph,
    Node,
    Reveal,
    Say,
    Settle,
    Share,
    Split,
    When,
)
from pitboss.rules.house import House
from pitboss.rules.layout import laid_out
from pitboss.rules.naming import listed
from pitboss.rules.outcomes import outcome
from pitboss.rules.spoken import has_bet
from pitboss.rules.steps import Does, Procedure
from pitboss.rules.told import Told
from pitboss.rules.wording import Unsaid, Wording


class Sayings:
    """The words for one house."""

    def __init__(self, house: House, graph: Graph) -> None:
        self.house, self.graph = house, graph
        self.forks = {has_bet(w.name): w.name for w in house.wagers}

    def wording(self, point: Node) -> Wording:
        return Wording(groups_called(self.house, point.groups), self.graph.names)

    def wager(self, name: str) -> str:
        return wager_called(self.house, name)

    # ---- questions

    def condition(self, point: When) -> str:
        """The words of the game file, or else what the condition looks at."""
        if (wager := self.wager_of(point)) is not None:
            return f"the player has bet the {self.wager(wager)}"
        if point.words:
            return point.words
        try:
            return self.wording(point).condition(point.condition)
        except Unsaid:
            return "the cards say so"

    def wager_of(self, point: When) -> str | None:
        """The wager of a fork that asks whether it was bet."""
        return self.forks.get(point.words)

    def with_or_without(self, wager: str) -> tuple[str, str]:
        return f"who has bet the {self.wager(wager)}", f"without a bet on the {self.wager(wager)}"

    def going_with(self, wager: str) -> set[str]:
        """Wagers that are not there without this one."""
        return {w.name for w in self.house.wagers if self.house.lead(w.name) == wager}

    def decision(self, point: Decide, only: Mapping[str, str], choices: Sequence[Told]) -> Told:
        words = [f"{c} (only if {only[c]})" if only.get(c) else c for c in point.choices]
        kids = tuple(kid for kid in choices if kid.kids)
        return Told(("decide", str(point.site.line)), f"The player chooses {listed(words, 'or')}.", kids)

    def choice(self, choice: str, steps: Sequence[Told]) -> Told:
        return Told(("choice", choice), f"{choice[:1].upper()}{choice[1:]}:", tuple(steps))

    # ---- events

    def key(self, event: Event) -> Does:
        """What an event is at a live table."""
        kind = type(event).__name__.lower()
        if isinstance(event, Deal | Reveal):
            return kind, event.who
        if isinstance(event, Bet | Settle | Share):
            return "stand" if isinstance(event, Share) else kind, event.wager
        return (kind, event.words) if isinstance(event, Say) else (kind,)

    def event(self, event: Event, point: Node, whose: str = "each player") -> Told:
        does = self.key(event)
        if isinstance(event, Settle):
            cases = outcome(event, self.wording(point), self.house.tables[event.wager], self._lender(event.wager))
            return Told(does, event.because, (), event.wager, cases)
        if isinstance(event, Deal):
            return Told(does, self._deal(event, whose))
        if isinstance(event, Reveal):
            return Told(does, self._reveal(event, point))
        if isinstance(event, Burn):
            return Told(does, f"Burn {cards_word(event.count)}: they go face down to the discard rack.")
        if isinstance(event, Split):
            return Told(does, "Put the two cards side by side: each begins a hand of its own.")
        if isinstance(event, Bet):
            return Told(does, self._bet(event))
        if isinstance(event, Say):
            return Told(does, self._say(event, point), each=event.each)
        if isinstance(event, Share):
            return Told(does, self._stand(event, point))
        return Told(does)

    def _lender(self, wager: str) -> str:
        """The wager whose pay table this one pays by, as it is called."""
        found = next(w for w in self.house.wagers if w.name == wager)
        return self.wager(found.table_of or wager)

    def _deal(self, event: Deal, whose: str) -> str:
        cards, face = cards_word(len(event.slots)), "up" if event.face == UP else "down"
        if event.who != PLAYER:
            return f"Deal {cards} face {face} to the {place_called(self.house, event.who)}."
        order = ", from the dealer's left and clockwise" if whose.startswith("each") else ""
        return f"Deal {cards} face {face} to {whose}{order}."

    def _reveal(self, event: Reveal, point: Node) -> str:
        lie = [s for g in point.groups if g.who == event.who for s in g.slots]
        place = place_called(self.house, event.who)
        own = place not in (PLAYER, "dealer")
        if len(event.slots) == len(lie):
            return f"Turn up the {place}{'' if own else chr(39) + 's card' + 's' * (len(lie) > 1)}."
        dealt = [g.slots for g in point.groups if g.who == event.who]
        first, last = lie.index(event.slots[0]) + 1, lie.index(event.slots[-1]) + 1
        which = number_word(len(event.slots)) if len(event.slots) > 1 else ""
        order = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
        if last == len(lie) and len(event.slots) < len(lie):
            which = f"last {which}".strip()
        else:
            which = f"first {which}".strip() if first == 1 else f"{order[first - 1]} {which}".strip()
        return f"Turn up the {which} card{'s' * (len(event.slots) > 1)} of the {place}." if dealt else ""

    def _bet(self, event: Bet) -> str:
        wager = next(w for w in self.house.wagers if w.name == event.wager)
        amount = times_of(event.times, self.wager(self.house.lead(event.wager)))
        if event.free:
            return f"Place a marker on the {self.wager(wager.name)}, {amount}: the house stakes it."
        name = self.wager(wager.name)
        return f"The player places the {name}{'' if ' bet' in f' {name}' else ' bet'}, {amount}."

    def _say(self, event: Say, point: Node) -> str:
        if event.when is None:
            return event.words
        try:
            words = self.wording(point).condition(event.when)
        except Unsaid:
            words = "the cards say so"
        return f"If {words}: {event.words[:1].lower()}{event.words[1:]}"

    def _stand(self, event: Share, point: Node) -> str:
        try:
            hand = self.wording(point).number(event.value)
        except Unsaid:
            hand = "the hand"
        spot = self.wager(event.wager)
        return (
            f"Compare {hand} with the best so far. The high hand lies face up on its {spot} spot; a beaten hand goes "
            "face down to the discard rack."
        )

    # ---- the whole

    def sections(self, told: Sequence[Told], blocks: Mapping[str, Sequence[Told]]) -> Procedure:
        return laid_out(self.house, self.graph, told, blocks)
