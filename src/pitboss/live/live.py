"""One round at a live table, by replay: a round is its cards and its choices.

Every question about the round (whose turn is it, what was paid) is answered by running `play`, seat by seat, on the
cards dealt so far and the choices made so far. A killed server resumes from the log, and a disputed hand replays.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from pitboss.cards import BadCard, Composition, card_name
from pitboss.live.events import Bets, Event, Record
from pitboss.live.running import Running
from pitboss.live.seat import ACT, DEALT, OWN, Need, NeedChoice, Seat, SeatTable
from pitboss.rules.column import Column
from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.graph import BOARD, DEALER, PLAYER, Group
from pitboss.rules.house import House


@dataclass(frozen=True)
class Turn:
    """A decision that the table waits for, as the seat that has it sees it: nothing here is hidden from that seat, and
    some of it is from the others."""

    seat: int
    decision: str
    choices: tuple[str, ...]
    player: tuple[str, ...]  # the player's own cards
    dealer: tuple[str, ...]  # what lies face up before the dealer
    board: tuple[str, ...]
    made: tuple[str, ...]  # what this seat has chosen so far
    hand: int = 1  # which of his hands is being played
    hands: tuple[tuple[str, ...], ...] = ()  # the player's own cards, hand by hand
    by: Mapping[str, int] = field(default_factory=dict)  # what the decision is made by, such as a hand's total
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # what lies face up at each place with a name


_OWN_CARDS, _ALL = frozenset({OWN}), frozenset({OWN, ACT, DEALT})


class Round:
    """One round from a shoe and a list of choices; give it choices until `turn` is None."""

    def __init__(
        self,
        house: House,
        cards: Sequence[int],
        seats: Sequence[Seat | None],  # None: nobody plays there in this round
        choices: Sequence[tuple[int, str]] = (),
        more: Callable[[], Sequence[int]] | None = None,  # where cards come from when these run out: the discards
    ) -> None:
        for number, seat in enumerate(seats, 1):
            if seat is None:
                continue
            try:
                house.check_seat(seat.bets, seat.tokes)
            except BadInput as error:
                raise BadInput(f"seat {number}: {error}" if len(seats) > 1 else str(error)) from None
        house.check_table(seat.bets for seat in seats if seat is not None)
        house.check_seats(len(seats), 0)
        self.house = house
        self.seats = [Seat({}) if seat is None else seat for seat in seats]
        self.playing = tuple(number for number, seat in enumerate(seats, 1) if seat is not None)
        if not self.playing:
            raise BadInput("nobody plays in this round; at least one seat needs its bets")
        self.shoe = _of_the_deck(house, cards)
        self.used = 0
        self._more = more
        self.at_once: frozenset[int] = frozenset()
        self.allotted: dict[tuple[Any, ...], tuple[int, ...]] = {}
        self.choices: list[tuple[int, str]] = []
        self.record = Record(house, self.seats)
        self.turn: Turn | None = None
        self.abandoned = False  # everybody left before it was over
        self.vacated: set[int] = set()  # seats whose players have got up since: what lay there is nobody's any more
        self._at: dict[int, Running] = {}  # seat -> how far it has come
        self._advance(self.playing)
        for seat_number, choice in choices:
            self.choose(choice, seat_number)

    def fork(self) -> "Round":
        """The same round so far, to look at or to come back to: what is told of one of the two from here on is not told
        of the other. How far each seat has come they share; to play on with both, `again` comes first."""
        other = Round.__new__(Round)
        other.__dict__ |= self.__dict__
        other.shoe, other.choices, other.record = list(self.shoe), list(self.choices), self.record.fork()
        other.allotted, other._at = dict(self.allotted), dict(self._at)
        return other

    def again(self) -> "Round":
        """Every seat plays again to where it was, on the cards and choices that there are."""
        self.at_once = frozenset()
        self._at = {seat: Running(self, seat).go_on() for seat in self._at}
        return self

    # ---- playing on

    def choose(self, choice: str, seat: int | None = None) -> None:
        """The seat whose turn it is chooses."""
        turn = self.awaited(choice, seat)
        self.choices.append((turn.seat, choice))
        self.record.add({"event": "choose", "seat": turn.seat, "decision": turn.decision, "choice": choice})
        self._advance([turn.seat])

    def awaited(self, choice: str, seat: int | None = None) -> Turn:
        """The turn at which this can be chosen."""
        if self.turn is None:
            raise BadInput("the round is over; there is nothing to choose")
        if seat is not None and seat != self.turn.seat:
            raise BadInput(f"it is seat {self.turn.seat}'s turn, not seat {seat}'s")
        if choice not in self.turn.choices:
            raise BadInput(choice_of(repr(choice), self.turn.choices))
        return self.turn

    def leave(self, *seats: int, ends: bool = False) -> None:
        """A player goes in the middle of the round. What is settled stands, the rest of his bets is forfeited, and
        the round goes on without him: his hand is dead, and nothing is dealt or decided for it any more. It `ends`
        there if nobody is left who wants to see it through: then no hand is shown, and no bet is settled."""
        if self.turn is None:
            raise BadInput("the round is over; nobody can leave it")
        for seat in seats:
            there = [number for number in self.playing if number not in self.record.gone]
            if seat not in there:
                raise BadInput(f"seat {choice_of(seat, there)}")
            self.record.leave(seat, len(self.choices))
        self.record.parties.append(seats)
        self.abandoned = ends or len(self.record.gone) == len(self.playing)
        if self.abandoned:
            self.turn = None
        else:
            self._advance([])

    @property
    def over(self) -> bool:
        """Whether the round has been played to its end."""
        return self.turn is None and not self.abandoned

    def _advance(self, moved: Iterable[int]) -> None:
        """Deal as far as the rules go, up to the next decision or the end of the round. Only the seats for which there
        is something new play again."""
        while True:
            moved = sorted(moved, reverse=self.house.game.settles_from_right)
            self.at_once = self._free(moved)
            for seat in moved:
                self._at[seat] = self._go_on(seat)
            for seat in moved:
                self.record.tell(self._at[seat].table)
            stops = {seat: self._at[seat].need for seat in sorted(self._at) if seat not in self.record.gone}
            needs = {seat: need for seat, need in stops.items() if isinstance(need, Need)}
            first = min(needs.values(), key=lambda need: need.turn, default=None)
            waits = next((seat for seat, need in stops.items() if isinstance(need, NeedChoice)), None)
            if waits is not None and (first is None or first.turn > OWN):
                self.turn = self._turn(self._at[waits])
                return
            if first is None:
                self.turn = None
                self.record.share_pots(self.playing)
                return
            moved = [
                seat for seat, need in needs.items() if need.owner == first.owner or need.turn == first.turn == ACT
            ]
            self.allot(first)
            self.allotted |= {needs[seat].owner: () for seat in moved if needs[seat].turn == ACT}

    def _free(self, moved: Sequence[int]) -> frozenset[int]:
        """What needs no stop because nobody else could want it first: a stop is another run of `play`."""
        if len(moved) > 1:
            return frozenset()
        out = {*moved, *self.record.gone}
        others = any(run.need is not None for seat, run in self._at.items() if seat not in out)
        return _OWN_CARDS if others else _ALL  # of those who want cards of their own, the first gets all of his first

    def _go_on(self, seat: int) -> Running:
        found = self._at.get(seat)
        return (found if found is not None and found.goes_on_for(self) else Running(self, seat)).go_on()

    def allot(self, need: Need) -> None:
        """The next cards of the shoe go to whoever needs them."""
        if self.used + need.count > len(self.shoe) and self._more is not None:
            self.shoe += self._more()
            self._more = None
        if self.used + need.count > len(self.shoe):
            raise BadInput(f"the shoe has {len(self.shoe)} cards left, too few to finish the round; shuffle first")
        self.allotted[need.owner] = tuple(range(self.used, self.used + need.count))
        self.used += need.count

    def _turn(self, running: Running) -> Turn:
        table, need = running.table, running.need
        assert isinstance(need, NeedChoice)
        seen = {s for g in table.groups if g.seen for s in g.slots}

        def shown(slots: Iterable[int]) -> tuple[str, ...]:
            return tuple(card_name(table.cards[s]) for s in slots if s in seen)

        places = dict.fromkeys((PLAYER, DEALER, BOARD, *(g.who for g in table.groups)))
        lies = {who: shown(s for g in table.groups if g.who == who for s in g.slots) for who in places}
        return Turn(
            table.seat,
            need.name,
            need.choices,
            lies.pop(PLAYER),
            lies.pop(DEALER),
            lies.pop(BOARD),
            tuple(table.made),
            table.playing(),
            tuple(shown(slots) for _, slots in sorted(table.hands().items())),
            table.looked_at(need.by),
            lies,
        )

    # ---- what lies there

    @property
    def events(self) -> list[Event]:
        """All that has happened, hidden cards included: for the log. What a seat may see of it is `view.events_for`."""
        return self.record.events

    def held(self, own: Iterable[int]) -> tuple[int, ...]:
        """Of a player's seats those at which the hand is his: who takes a seat afterwards has not held its cards."""
        return tuple(seat for seat in own if seat not in self.vacated)

    def stage(self, seat: int) -> tuple[object, ...]:
        """Where the round is for those who look at a seat: as long as this is the same, what lies there is too."""
        if seat not in self._at:
            return ()
        playing = self.turn.hand if self.turn is not None and self.turn.seat == seat else 0
        vacated = seat in self.vacated
        return self.record.many(seat), self._at[seat].steps, self.record.turned, self.over, playing, vacated

    def counts(self, seat: int = 1) -> dict[int, dict[str, int]]:
        """What each of a seat's hands counts, as far as that is known: `{1: {"total": 17, "soft": True}}`."""
        return self._at[seat].table.counts()

    def table(self, seat: int) -> SeatTable:
        """How far `play` has come for this seat. It hides nothing."""
        return self._at[seat].table

    def way(self, seat: int) -> tuple[str | bool, ...]:
        """Which way the round has gone at this seat: its choices, and the conditions that all have seen come out."""
        return tuple(self._at[seat].table.answers)

    @property
    def pots(self) -> frozenset[str]:
        """Wagers between the players."""
        return frozenset(e["wager"] for e in self.events if e["event"] == "pot")

    def looked_at(self, seat: int = 1) -> dict[str, Column]:
        """What settled each wager of a seat: the row that it came out in, or the hand that it holds for a pot."""
        table = self._at[seat].table
        return {name: s.rows.index for name, s in table.settled.items()} | table.shares

    def names(self, seat: int = 1) -> dict[int, tuple[Column, str]]:
        """What the game file calls the columns of a seat's round, by uid."""
        return dict(self._at[seat].table.names)

    def groups(self, seat: int = 1) -> list[Group]:
        """Where the cards of a seat's round lie, as its play numbers them."""
        return list(self._at[seat].table.groups)

    def eye(self, seat: int) -> tuple[dict[int, int], tuple[bool, ...]]:
        """What the player of a seat knows of his round: see `SeatTable.eye`."""
        return self._at[seat].table.eye()

    def house_eye(self, seat: int) -> dict[int, int]:
        """The house's own eye: slot -> card as this seat's play numbers them, hidden cards included.

        For what the house computes itself, such as which way the round has gone at a branch that all have seen. It is
        no player's to see and leaves the process in no view, turn or event.
        """
        return dict(self._at[seat].table.cards)

    # ---- afterwards

    def stakes(self, seat: int = 1) -> Bets:
        """What the seat has put into every circle."""
        return self.record.stakes(seat)

    def unsettled(self, seat: int = 1) -> Bets:
        """What the seat still has at stake."""
        return self.record.unsettled(seat)

    def settled(self, seat: int = 1) -> list[Event]:
        return self.record.of("settle", seat)

    def net(self, seat: int = 1) -> Fraction:
        """What the seat has won or lost in dollars, so far; what it bet for the dealer is gone."""
        return self.record.net(seat)

    def tokes(self, seat: int = 1) -> list[Event]:
        """What came of the seat's bets for the dealer: their stake, and what they won, are his."""
        return self.record.of("toke", seat)

    def carried(self, seat: int = 1) -> dict[str, int]:
        """What the seat carries into its next round."""
        return {e["name"]: int(e["value"]) for e in self.record.of("carry", seat)}


def _of_the_deck(house: House, cards: Sequence[int]) -> list[int]:
    """These cards, if the game is dealt from such cards."""
    full = house.game.full_shoe(house.options)
    if not {*cards} <= _held(full):
        for card in {*cards}:
            try:
                name = card_name(card)
            except BadCard as error:
                raise BadInput(str(error)) from None
            if card >= len(full) or not full[card]:
                dealt = house.deck.words(house.decks or 1)
                raise BadInput(f"{name} is no card of this game, which is dealt from {dealt}")
    return list(cards)


@lru_cache(maxsize=256)
def _held(full: Composition) -> frozenset[int]:
    return frozenset(card for card, many in enumerate(full) if many)
