"""`play` for one seat, on the cards and choices that the round has so far: it stops where it needs more of either, and
goes on from there when they come."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple, Protocol
from weakref import ref

from pitboss.rules.column import Column
from pitboss.rules.dealt import Card, Hand, Stock
from pitboss.rules.errors import BadInput, Site
from pitboss.rules.evaluate import evaluate
from pitboss.rules.graph import PLAYER, Deal, Say, Split
from pitboss.rules.house import House
from pitboss.rules.mistakes import careful
from pitboss.rules.options import Value
from pitboss.rules.vocabulary import Table

By = tuple[tuple[str, Column], ...]

OWN, ACT, DEALT = range(3)
"""What comes first: a player's own cards come at once; the dealer acts for all of whom he waits, then turns and deals,
when nobody has to decide."""
BURN, TURN_UP, ACTS, SAY = "burn", "turn up", "act", "say"  # what is needed besides the cards of a place


@dataclass
class Seat:
    """A player at the table: his bets before the deal, and what he carries over from his last round."""

    bets: Mapping[str, Fraction]
    carried: Mapping[str, int] = field(default_factory=dict)
    tokes: Mapping[str, Fraction] = field(default_factory=dict)  # bets that he makes for the dealer


class Went(NamedTuple):
    """A choice that was made, or a condition that all have seen come out, after so many events."""

    events: int
    answer: str | bool
    words: str = ""  # that say the condition
    condition: Column | None = None


class Need(BaseException):
    """Cards from the shoe, or (count 0) the dealer's leave to act or to turn cards up."""

    def __init__(self, owner: tuple[Any, ...], count: int) -> None:
        self.owner, self.count = owner, count
        what = owner[0]
        says = what.startswith(f"{SAY} ")  # before a card is turned for those who need not hear it
        self.turn = ACT if says or what == ACTS else OWN if what == f"to {PLAYER}" else DEALT


class NeedChoice(BaseException):
    """A decision that nobody has made yet."""

    def __init__(self, name: str, choices: tuple[str, ...], by: By) -> None:
        self.name, self.choices, self.by = name, choices, by


class Dealing(Protocol):
    """What a seat's play asks of the round that it is part of."""

    house: House
    seats: list[Seat]
    shoe: list[int]
    choices: list[tuple[int, str]]
    at_once: frozenset[int]  # what the seat that plays gets without a stop
    allotted: dict[tuple[Any, ...], tuple[int, ...]]  # who needed them -> where in the shoe his cards lay

    def allot(self, need: Need) -> None: ...


class SeatTable(Table):
    """`play` for one seat."""

    def __init__(self, round_: Dealing, seat: int) -> None:
        super().__init__(round_.house)
        self.seat = seat
        self._round = ref(round_)  # the round holds its seats: a ring of them would lie until it is collected
        self.cards: dict[int, int] = {}
        self.places: dict[int, int] = {}  # slot -> where in the shoe the card lay: equal cards are not the same card
        self.made: list[str] = []
        self.went: list[Went] = []
        self.answers: list[str | bool] = []  # every choice, and which way every condition went, as in the graph
        self._counted: dict[int, tuple[list[int], dict[str, int]]] = {}  # hand -> its slots when it was last decided on
        self.facts: dict[tuple[int, frozenset[int]], dict[str, tuple[str, ...]]] = {}  # what decided: see `reasons`
        self.decided: dict[int, list[Column]] = {}
        self._marked = False
        self._known: dict[int, int] = {}
        self._handed: tuple[tuple[int, int], dict[int, list[int]]] = (0, 0), {}  # events and cards -> the hands
        self._ordinal: dict[str, int] = {}
        self._kept = round_.seats[seat - 1].carried

    @property
    def round(self) -> Dealing | None:
        """The round that it is part of, for as long as anybody has that."""
        return self._round()

    @property
    def dealing(self) -> Dealing:
        round_ = self._round()
        assert round_ is not None, "play goes on only for a round that is there"
        return round_

    def wait(self, need: "Need | NeedChoice") -> None:
        """What is needed is not there: the play stops here."""
        raise need

    def _get(self, what: str, count: int, own: bool = False) -> tuple[int, ...]:
        """Where the cards lie that were allotted to the next such event, or a stop until they are."""
        k = self._ordinal[what] = self._ordinal.get(what, -1) + 1
        need = Need((what, self.seat if own else 0, k), count)
        while need.owner not in self.dealing.allotted:
            if need.turn in self.dealing.at_once:
                self.dealing.allot(need)
            else:
                self.wait(need)
        return self.dealing.allotted[need.owner]

    def _on_deal(self, deal: Deal) -> None:
        got = self._get(_to(deal.who), len(deal.slots), own=deal.who == PLAYER)
        if len(got) != len(deal.slots):
            raise deal.site.error(
                f"the {deal.who} gets {len(got)} cards for one seat and {len(deal.slots)} for another; there is one "
                f"{deal.who} for all, so this cannot rest on what one player has"
            )
        self.places.update(zip(deal.slots, got, strict=True))
        self.cards.update((slot, self.dealing.shoe[place]) for slot, place in zip(deal.slots, got, strict=True))

    def burn(self, count: int = 1) -> None:
        self._on_burn(count)
        super().burn(count)

    def _on_burn(self, count: int) -> None:
        self._get(BURN, count)

    def reveal(self, what: "str | Hand") -> None:
        turned = {c.slot for c in what} if isinstance(what, Hand) else set[int]()
        if not (isinstance(what, str) and what == PLAYER) and not any(
            g.who == PLAYER and turned & set(g.slots) for g in self.groups
        ):
            self._on_turn_up()
        super().reveal(what)

    def _on_turn_up(self) -> None:
        self._get(TURN_UP, 0)

    def _on_say(self, say: Say) -> None:
        if not say.each:
            self._get(f"{SAY} {say.words}", 0)
        if say.when is None or self.value(say.when):
            self.events.append(say)

    def _on_has(self, wager: str) -> bool:
        seat, lead = self.dealing.seats[self.seat - 1], self.house.lead(wager)
        return lead in seat.bets or lead in seat.tokes

    def _on_when(self, condition: Column, words: str, where: Site) -> bool:
        hidden = {s for g in self.groups if not g.seen and g.who != PLAYER for s in g.slots}
        if condition.slots & hidden and condition.uid not in self._known:
            self._get(ACTS, 0, own=True)  # the dealer acts on a card that nobody sees yet
        self.answers.append(bool(self.value(condition)))
        self.went.append(Went(len(self.events), bool(self.answers[-1]), words, condition))
        return bool(self.answers[-1])

    def _on_decide(self, name: str, choices: Sequence[str], by: By, where: Site) -> str:
        if self._marked:  # of a hand that grows, what it is played by is what it counts
            own = {s for g in self.groups if g.who == PLAYER for s in g.slots}
            hand = self.playing()
            count = self.looked_at([(label, col) for label, col in by if col.slots and col.slots <= own])
            self._counted[hand] = (self.hands().get(hand, []), count)
        while len(mine := [c for seat, c in self.dealing.choices if seat == self.seat]) == len(self.made):
            self.wait(NeedChoice(name, tuple(choices), by))
        self.made.append(mine[len(self.made)])
        self.answers.append(self.made[-1])
        self.went.append(Went(len(self.events), self.made[-1]))
        return self.made[-1]

    def _on_mark(self, name: str, state: tuple[Any, ...], where: Site) -> tuple[Any, ...]:
        self._marked = True
        return state

    def carried(self, name: str, highest: int, on: str) -> Column:
        self._on_carried(name, highest)
        return super().carried(name, highest, on)

    def _on_carried(self, name: str, highest: int) -> None:
        kept = self._kept.get(name, 0)
        if not isinstance(kept, int) or not 0 <= kept <= highest:
            raise BadInput(f"seat {self.seat} cannot have carried over {name} {kept}; it runs from 0 to {highest}")

    def option(self, name: str) -> Value:
        super().option(name)
        return self._on_option(name)

    def _on_option(self, name: str) -> Value:
        return self.house.options[name]

    def hands(self) -> dict[int, list[int]]:
        """The slots of each of the player's hands: the second card of a hand that is split begins the new one."""
        now = len(self.events), len(self.cards)
        if now != self._handed[0]:
            out: dict[int, list[int]] = {}
            for event in self.events:
                if type(event) is Deal and event.who == PLAYER and event.slots[0] in self.cards:
                    out.setdefault(event.hand, []).extend(event.slots)
                elif type(event) is Split:
                    out[event.to] = [out[event.hand].pop(1)]
            self._handed = now, out
        return {hand: list(slots) for hand, slots in self._handed[1].items()}

    def playing(self) -> int:
        """The hand that is being played: the one that got the last card."""
        return next((e.hand for e in reversed(self.events) if isinstance(e, Deal) and e.who == PLAYER), 1)

    def looked_at(self, by: Iterable[tuple[str, Column]]) -> dict[str, int]:
        """What a decision is made by; a condition is true or false."""
        return {label: _seen_as(col, self.value(col)) for label, col in by}

    def eye(self) -> tuple[dict[int, int], tuple[bool, ...]]:
        """What the player of this seat knows of his round: the cards that he sees, by slot, and which way it went at
        each condition that rests on others. That is public, and what the others are is not."""
        seen = {slot: self.cards[slot] for g in self.groups if g.seen for slot in g.slots if slot in self.cards}
        asked = {w.condition.uid: (w.condition, bool(w.answer)) for w in self.went if w.condition is not None}
        return seen, tuple(answer for condition, answer in asked.values() if not condition.slots <= seen.keys())

    def counts(self) -> dict[int, dict[str, int]]:
        """What each hand counts, as far as that is known: as the game says, or as it was last decided on, if it has got
        no card since."""
        out = {}
        for hand, slots in sorted(self.hands().items()):
            then, count = self._counted.get(hand, ([], {}))
            if found := counted(self.house, [self.cards[s] for s in slots]) or (count if then == slots else {}):
                out[hand] = found
        return out

    def value(self, col: Column) -> int:
        if (found := self._known.get(col.uid)) is not None:
            return found
        kept = {name: self._kept.get(name, 0) for name in self.carried_states}
        return evaluate(col, self.cards, kept, self._known)


def _to(place: str) -> str:
    """The cards of a place, as something that is needed: whatever the place is called, it is nothing else."""
    return f"to {place}"


def counted(house: House, cards: Sequence[int]) -> dict[str, int]:
    """What so many cards count, if the game says that of a hand."""
    says: Callable[[Hand], Mapping[str, Column]] | None = getattr(house.game, "counts", None)
    return {} if says is None or not cards else dict(_counts(says, house.stock, tuple(cards)))


@lru_cache(maxsize=4096)
def _counts(says: Callable[[Hand], Mapping[str, Column]], stock: Stock, cards: tuple[int, ...]) -> dict[str, int]:
    """The same cards count the same at every look; a live table looks at them for every viewer, after every choice."""
    held, known = dict(enumerate(cards)), dict[int, int]()
    count = careful(says, "counts()")(Hand([Card(s, stock) for s in held]))
    return {label: _seen_as(col, evaluate(col, held, {}, known)) for label, col in count.items()}


def _seen_as(col: Column, value: int) -> int:
    return bool(value) if (col.lo, col.hi) == (0, 1) else value
