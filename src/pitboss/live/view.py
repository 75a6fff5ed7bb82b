"""What one seat may see of the table, decided in one place for every seat and every face.

A card is known to a seat when it was dealt face up, when it was turned over for all, when it is the seat's own and not
dealt blind, or when the round is over and the hands are shown. A dealer's or the board's card that was never turned
stays a back for ever, and so does the hand of a player who left, for whoever takes his seat too. Cards are told apart
by where they lay in the shoe: of two equal cards of a six-deck shoe only the one that was turned is seen.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from pitboss.cards import card_name
from pitboss.live.events import Event
from pitboss.live.live import Round
from pitboss.live.seat import counted
from pitboss.rules.graph import BOARD, DEALER, DOWN, PLAYER, UP
from pitboss.rules.numbers import written

BACK = "??"  # a card that lies there and is not known


@dataclass(frozen=True)
class HandView:
    """A hand as it is seen: its cards or their backs, and, where all of them are known, what they count."""

    cards: tuple[str, ...] = ()
    count: Mapping[str, int] = field(default_factory=dict)
    wager: str = ""  # what is bet on it, once there are several
    playing: bool = False


@dataclass(frozen=True)
class SeatView:
    """A seat as it is seen from another, or from itself."""

    seat: int
    own: bool
    hands: tuple[HandView, ...] = ()
    bets: Mapping[str, Fraction] = field(default_factory=dict)  # before the deal
    stakes: Mapping[str, Fraction] = field(default_factory=dict)  # in every circle, with what was added in the round
    tokes: Mapping[str, Fraction] = field(default_factory=dict)  # bets for the dealer
    markers: Mapping[str, Fraction] = field(default_factory=dict)  # what the house stakes for him: free bets
    settled: tuple[Event, ...] = ()
    for_dealer: tuple[Event, ...] = ()  # what came of the tokes
    net: Fraction = Fraction(0)  # so far
    carried: Mapping[str, int] = field(default_factory=dict)
    left: bool = False  # in the middle of the round
    taken: tuple[str, ...] = ()  # lost, and gone from the circle, though not settled yet

    @property
    def nets(self) -> dict[str, Fraction]:
        return {event["wager"]: written(event["net"]) for event in self.settled}

    @property
    def unsettled(self) -> dict[str, Fraction]:
        """What the seat still has at stake."""
        done = {*self.nets, *self.taken}
        return {} if self.left else {name: stake for name, stake in self.stakes.items() if name not in done}


@dataclass(frozen=True)
class ShoeView:
    """How far the shoe has been dealt."""

    dealt: int = 0
    cut: int = 0  # where the cut card lies
    every_round: bool = False  # it is shuffled for every round


@dataclass(frozen=True)
class View:
    """All that a player may see, from the seats that are his own."""

    own: tuple[int, ...]
    seats: Mapping[int, SeatView]
    dealer: HandView = HandView()
    board: tuple[str, ...] = ()
    packs: tuple[int, ...] = ()  # cards of each deal to the board
    places: Mapping[str, HandView] = field(default_factory=dict)  # with names of their own, in the order of the deal
    pots: Mapping[str, Fraction] = field(default_factory=dict)  # wagers between the players
    turn: int | None = None  # whose turn it is
    hand: int = 1  # which of his hands is being played
    decision: str = ""  # what he decides, and between what: known to him alone
    choices: tuple[str, ...] = ()
    dealt: bool = False
    over: bool = False
    shoe: ShoeView = ShoeView()
    purse: Fraction | None = None
    events: tuple[Event, ...] = ()

    @property
    def yours(self) -> bool:
        """Whether the table waits for this player."""
        return self.turn in self.own

    def json(self) -> dict[str, Any]:
        """The same in plain values, amounts as text: what a face in another process is sent."""
        found: dict[str, Any] = _plain(self)
        return found


def view_of(
    round_: Round, own: Sequence[int], pots: Iterable[str] = (), heard: int = 0,
    same: Mapping[int, SeatView] | None = None,
) -> View:  # fmt: skip
    """A round as the player at these seats sees it; `pots` are the wagers between the players. He is told the events
    after those that he has `heard` of. `same` are seats that look as they did."""
    known, turn = seen_by(round_, own), round_.turn
    mine = turn is not None and turn.seat in own
    dealt = [e for e in round_.events if e["event"] == "deal"]
    lies = {place: _at(round_, known, place) for place in (DEALER, BOARD, *(e["to"] for e in dealt)) if place != PLAYER}
    bets = [round_.seats[seat - 1].bets for seat in round_.playing]
    return View(
        tuple(own),
        {seat: (same or {}).get(seat) or _seat(round_, known, seat, seat in own) for seat in round_.playing},
        lies.pop(DEALER),
        lies.pop(BOARD).cards,
        tuple(len(e["cards"]) for e in dealt if e["to"] == BOARD),
        lies,
        {name: _total(bet.get(name) for bet in bets) for name in pots if any(name in bet for bet in bets)},
        None if turn is None else turn.seat,
        1 if turn is None else turn.hand,
        turn.decision if turn is not None and mine else "",
        turn.choices if turn is not None and mine else (),
        True,
        round_.over,
        events=tuple(_told(round_, known, heard)),
    )


def own_hands(round_: Round, own: Sequence[int], seat: int) -> tuple[HandView, ...]:
    """The hands at one of a player's seats, as he sees them: the rest of it he sees as everybody does."""
    return _held(round_, seen_by(round_, own), seat, seat in own)


def step_of(round_: Round, own: Sequence[int], step: int, pots: Iterable[str] = ()) -> View:
    """A round that is over as it stood after so many of its events. What its hands counted then is not known any more,
    and hands that are shown at the end are shown with the last event."""
    if step >= len(round_.events):
        return view_of(round_, own, pots)
    then = round_.fork()
    then.record = round_.record.first(step)
    then.record.gone = {seat: made for seat, made in then.record.gone.items() if then.record.of("leave", seat)}
    then.abandoned = True  # what lies hidden stays so
    found = view_of(then, own, pots)
    seats = {
        number: replace(seat, hands=tuple(replace(hand, count={}) for hand in seat.hands))
        for number, seat in found.seats.items()
    }
    return replace(found, seats=seats)


def seen_by(round_: Round, own: Collection[int]) -> frozenset[int]:
    """Where in the shoe the cards lay that the player at these seats knows."""
    seats = round_.held(own)

    def look() -> frozenset[int]:
        known: set[int] = set()
        for event, places in zip(round_.events, round_.record.places, strict=True):
            if event["event"] == "reveal" or (event["event"] == "deal" and _shown(round_, event, seats)):
                known.update(places)
        return frozenset(known)

    return round_.record.once(("known", seats, round_.over), look)


def _shown(round_: Round, deal: Event, own: Collection[int]) -> bool:
    """Whether the cards of a deal are known without being turned: as they were dealt, and a player's hand at the end to
    all."""
    hand = deal["face"] == DOWN and deal["to"] == PLAYER
    return dealt_open(deal, own) or bool(hand and round_.over and deal["seat"] not in round_.record.gone)


def dealt_open(deal: Event, own: Collection[int]) -> bool:
    """Whether somebody saw the cards when they were dealt: of cards face down only a player his own."""
    return bool(deal["face"] == UP or (deal["face"] == DOWN and deal["to"] == PLAYER and deal["seat"] in own))


def events_for(round_: Round, own: Collection[int], heard: int = 0) -> list[Event]:
    """The events of a round after so many, with a back for every card that the player at these seats does not know, and
    without the value of a hand that rests on one."""
    return _told(round_, seen_by(round_, own), heard)


def _told(round_: Round, known: frozenset[int], heard: int) -> list[Event]:
    out = []
    for event, places in zip(round_.events[heard:], round_.record.places[heard:], strict=True):
        told = dict(event)
        if "cards" in event:
            told["cards"] = [name if p in known else BACK for name, p in zip(event["cards"], places, strict=True)]
        elif event["event"] == "stand" and not known.issuperset(places):
            told["value"] = None
        out.append(told)
    return out


def _seat(round_: Round, known: Collection[int], number: int, own: bool) -> SeatView:
    seat, record = round_.seats[number - 1], round_.record
    return SeatView(
        number,
        own,
        _held(round_, known, number, own),
        dict(seat.bets),
        round_.stakes(number),
        dict(seat.tokes),
        record.markers(number),
        tuple(dict(e) for e in round_.settled(number)),
        tuple(dict(e) for e in round_.tokes(number)),
        round_.net(number),
        dict(seat.carried) | (round_.carried(number) if round_.over else {}),
        number in record.gone,
        tuple(wager for e in record.of("say", number) for wager in e.get("takes", ())),
    )


def _held(round_: Round, known: Collection[int], number: int, own: bool) -> tuple[HandView, ...]:
    """The hands of a seat."""
    hands, turn = _hands(round_, known, PLAYER, number), round_.turn
    all_seen = not any(BACK in cards for cards in hands.values())
    counts, bets = round_.counts(number), _bets_on_hands(round_, number)
    return tuple(
        HandView(
            cards,
            # a hand may have been counted by what lies in the others
            counts.get(hand, {}) if all_seen or (own and BACK not in cards) else {},
            bets.get(hand, ""),
            turn is not None and (turn.seat, turn.hand) == (number, hand),
        )
        for hand, cards in hands.items()
    )


def _hands(round_: Round, known: Collection[int], who: str, seat: int = 0) -> dict[int, tuple[str, ...]]:
    """The cards before `who`, hand by hand."""
    return {
        hand: tuple(card_name(round_.shoe[p]) if p in known else BACK for p in places)
        for hand, places in lying(round_, who, seat).items()
    }


def lying(round_: Round, who: str, seat: int = 0) -> dict[int, list[int]]:
    """Where in the shoe the cards lay that are before `who`, hand by hand: the second card of a hand that is split
    begins the new one."""
    lie: dict[int, list[int]] = {}
    for event, places in round_.record.dealt(who, seat):
        if event["event"] == "split":
            lie[event["to"]] = [lie[event["hand"]].pop(1)]
        else:
            lie.setdefault(event.get("hand", 1), []).extend(places)
    return dict(sorted(lie.items()))


def _at(round_: Round, known: Collection[int], place: str) -> HandView:
    """What lies at one of the house's places, and what it counts; a board is part of every hand, and none itself."""
    cards = tuple(card for hand in _hands(round_, known, place).values() for card in hand)
    if place == BOARD or BACK in cards:
        return HandView(cards)
    lie = [p for _, found in round_.record.dealt(place) for p in found]
    return HandView(cards, counted(round_.house, [round_.shoe[p] for p in lie]))


def _bets_on_hands(round_: Round, seat: int) -> dict[int, str]:
    """The wager on each hand after a split: the one placed with it, and on the first hand the one it goes with."""
    out: dict[int, str] = {}
    to = None
    for event in round_.events if round_.record.of("split", seat) else ():
        if event.get("seat") == seat and event["event"] == "split":
            to = event["to"]
        elif event.get("seat") == seat and event["event"] in ("bet", "free") and to is not None:
            out.setdefault(to, event["wager"])
            out.setdefault(1, round_.house.lead(event["wager"]))
            to = None
    return out


def _total(amounts: Iterable[Fraction | None]) -> Fraction:
    return sum((amount for amount in amounts if amount is not None), Fraction(0))


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(found) for key, found in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(found) for found in value]
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    return value
