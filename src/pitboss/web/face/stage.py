"""A scene on its layout: which card and which chips lie where, for whoever draws them.

What belongs to a seat is in the frame of the seat, so that the same picture is turned into the whole table and stands
upright at a player's own place. Every card and every stack has a key that stays the same from scene to scene: by it the
page knows what is new, what was turned and what has moved.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import cos, pi, sin
from typing import Any

from pitboss.felt.cards import card_called
from pitboss.web.face.layout import Layout, Place, SeatPlace
from pitboss.web.face.money import cents, dollars, signed, stack

Scene = Mapping[str, Any]
CARD, HIGH = 63.0, 88.0
FAN = 25.0  # how much of a card shows under another one at a seat
SIDE = 68.0  # from card to card where they lie side by side, as the felt has it
APART = 10.0  # between the hands of a seat
WIDEST = 236.0  # that the cards of a seat may be before they are drawn smaller
PAID = (24.0, -14.0)  # from a bet to what it is paid with
TOKED = (-26.0, 24.0)  # from a circle to the bet for the dealer
PILL = (12.0, 5.4)  # half of a tag or a count: its ends, and each letter
NEXT = 30.0  # from one tag or count to another that would lie on it
DEEP = 3.4  # how far a chip lifts the next one
HIDDEN = "??"


@dataclass(frozen=True)
class Card:
    key: str
    card: str  # "Ah", or "back"
    x: float
    y: float
    scale: float = 1.0


@dataclass(frozen=True)
class Stack:
    key: str
    wager: str
    x: float
    y: float
    chips: tuple[tuple[int, float], ...]  # which one, and how high it lies
    amount: str  # as it is shown; nothing where how the bet came out is
    kind: str = "bet"  # "bet", "paid", "toke", "free", "pot"


@dataclass(frozen=True)
class Tag:
    """How a bet came out, where it lies."""

    key: str
    x: float
    y: float
    words: str
    kind: str  # "won", "lost", "push"


@dataclass(frozen=True)
class Count:
    key: str
    x: float
    y: float
    words: str
    playing: bool


@dataclass(frozen=True)
class SeatStage:
    """A seat with what lies before it, worked out when it is asked for."""

    place: SeatPlace
    seat: Scene
    pots: Sequence[str] = ()  # wagers that lie in the middle of the table while a round is played

    @cached_property
    def text(self) -> str:
        """The seat in one line: the same text is the same picture."""
        written: str = getattr(self.seat, "text", "")  # where whoever made the scene has written it already
        return written or json.dumps(self.seat)

    @cached_property
    def _held(self) -> list[tuple[list[Card], list[Count]]]:
        return list(_hands(self.place, self.seat))

    @property
    def cards(self) -> list[Card]:
        return [card for cards, _ in self._held for card in cards]

    @property
    def counts(self) -> list[Count]:
        return [count for _, counts in self._held for count in counts]

    @property
    def stacks(self) -> list[Stack]:
        return list(_stacks(self.place, self.seat, self.pots))

    @property
    def tags(self) -> list[Tag]:
        return list(_tags(self.place, self.seat))


@dataclass(frozen=True)
class Stage:
    """A scene with its places: seats in the order of the table, and what lies before the house."""

    layout: Layout
    seats: tuple[SeatStage, ...]
    cards: tuple[Card, ...]  # of the house: dealer, board, packs
    counts: tuple[Count, ...]
    stacks: tuple[Stack, ...]  # pots
    pots: tuple[Scene, ...]  # the same, until they are won
    drawn: Callable[[str, SeatStage], str]  # a part of a seat, as it is written

    def own(self) -> list[SeatStage]:
        return [one for one in self.seats if one.seat["yours"]]


def stage_of(scene: Scene, layout: Layout, drawn: Callable[[str, SeatStage], str]) -> Stage:
    places = {place.seat: place for place in layout.seats}
    middle = pots_of(scene, layout)
    seats = tuple(SeatStage(places[seat["seat"]], seat, middle) for seat in scene["seats"] if seat["seat"] in places)
    house = [("dealer", scene["dealer"]), *((lie["place"], lie) for lie in scene["places"])]
    cards, counts = list[Card](), list[Count]()
    for name, lie in house:
        if (spot := layout.at("place", name)) is not None:
            cards += _row(name, spot, lie["cards"])
            if words := count_words(lie.get("count", {})):
                corner = spot.x + spot.width / 2 - 20, spot.y + spot.height / 2  # beside it pay tables are printed
                counts.append(Count(f"{name}-count", *corner, words, False))
    won = {event["wager"] for seat in scene["seats"] for event in seat["settled"]}
    pots = tuple(pot for pot in scene["table"]["pots"] if pot["wager"] not in won)
    chips = tuple(
        _stack(f"pot-{pot['wager']}", pot["wager"], spot.x, spot.y, pot["amount"], "pot")
        for pot in pots
        if pot["wager"] in middle and (spot := layout.at("pot", pot["wager"])) is not None and cents(pot["amount"])
    )
    return Stage(layout, seats, tuple(cards), tuple(counts), chips, pots, drawn)


def pots_of(scene: Scene, layout: Layout) -> tuple[str, ...]:
    """The bets between the players that lie together in the middle, once bets are closed: until then each lies in its
    circle, and what is won lies before who has won it."""
    if scene["table"]["phase"] == "betting":
        return ()
    return tuple(pot["wager"] for pot in scene["table"]["pots"] if layout.at("pot", pot["wager"]) is not None)


# ---- cards


def _row(name: str, spot: Place, cards: Sequence[str]) -> list[Card]:
    """Cards side by side at a place of the house, from its left; closer where there are more than it is made for."""
    most = (spot.width - 14 - CARD) / max(len(cards) - 1, 1)
    step = most if len(cards) > max(spot.cards, 1) else SIDE
    first, top = spot.x - spot.width / 2 + 7 + CARD / 2, spot.y - spot.height / 2 + 7 + HIGH / 2
    return [Card(f"{name}-{i}", _face(card), round(first + i * step, 1), top) for i, card in enumerate(cards)]


def _hands(place: SeatPlace, seat: Scene) -> Iterator[tuple[list[Card], list[Count]]]:
    """The hands of a seat side by side, each a fan."""
    hands, spot = seat["hands"], place.cards
    wide = [CARD + FAN * max(0, len(hand["cards"]) - 1) for hand in hands]
    whole = sum(wide) + APART * max(0, len(hands) - 1)
    scale = min(1.0, WIDEST / whole) if whole else 1.0
    x, before = spot.x - whole * scale / 2, list[tuple[float, float, str]]()
    for number, (hand, w) in enumerate(zip(hands, wide, strict=True)):
        cards = [
            Card(
                f"s{seat['seat']}-h{number}-{i}", _face(card), round(x + (CARD / 2 + FAN * i) * scale, 1), spot.y, scale
            )
            for i, card in enumerate(hand["cards"])
        ]
        words = count_words(hand.get("count", {}))
        at = x + w * scale + 12, spot.y
        if len(hands) > 1:  # below what tells the cards apart
            at = x + w * scale / 2, _free(x + w * scale / 2, spot.y + HIGH * scale / 2, words, before)
        before.append((*at, words))
        key = f"s{seat['seat']}-h{number}-count"
        yield cards, [Count(key, round(at[0], 1), round(at[1], 1), words, bool(hand.get("playing")))] if words else []
        x += (w + APART) * scale


def _face(card: str) -> str:
    return "back" if card == HIDDEN else card


def count_words(count: Mapping[str, Any]) -> str:
    """`soft 17`, `16`: what merely holds or not is named when it does."""
    numbers = [(name, value) for name, value in count.items() if not isinstance(value, bool)]
    shown = [str(value) if len(numbers) == 1 else f"{name} {value}" for name, value in numbers]
    return " ".join([*(name for name, value in count.items() if value is True), ", ".join(shown)]).strip()


def cards_words(cards: Sequence[str]) -> str:
    """`ace of hearts, two cards face down`: as it is read aloud."""
    known = [card_called(card) for card in cards if card != HIDDEN]
    down = len(cards) - len(known)
    return ", ".join([*known, *([f"{down} card{'s' * (down > 1)} face down"] if down else [])])


# ---- chips


def _stacks(place: SeatPlace, seat: Scene, pots: Sequence[str] = ()) -> Iterator[Stack]:
    """What lies in the circles: bets, those for the dealer, what the house stakes, and what was paid."""
    number, spots = seat["seat"], place.wagers
    nets = {event["wager"]: cents(event["net"]) for event in seat["settled"]}
    shares = {event["wager"]: event["pays"] for event in seat["settled"] if event["wager"] in pots}
    for wager, amount in {**seat["bets"], **seat["stakes"]}.items():
        if wager not in spots or not cents(amount):
            continue
        spot = spots[wager]
        beside = wager, spot.x + PAID[0], spot.y + PAID[1]
        if wager in pots:
            if cents(shares.get(wager, 0)):
                yield replace(_stack(f"s{number}-{wager}-paid", *beside, shares[wager], "paid"), amount="")
        elif nets.get(wager, 0) >= 0:
            laid = _stack(f"s{number}-{wager}", wager, spot.x, spot.y, amount)
            yield replace(laid, amount="") if wager in nets else laid
            if nets.get(wager, 0) > 0:
                paid = _stack(f"s{number}-{wager}-paid", *beside, Fraction(nets[wager], 100), "paid")
                yield replace(paid, amount="")
    for kind, at in (("tokes", TOKED), ("markers", (0.0, 0.0))):
        for wager, amount in seat[kind].items():
            if wager in spots and cents(amount):
                x, y = spots[wager].x + at[0], spots[wager].y + at[1]
                name = "toke" if kind == "tokes" else "free"
                yield _stack(f"s{number}-{wager}-{name}", wager, x, y, amount, name)


def _stack(key: str, wager: str, x: float, y: float, amount: object, kind: str = "bet") -> Stack:
    chips = tuple((chip, round(-i * DEEP, 1)) for i, chip in enumerate(stack(amount)))
    return Stack(key, wager, round(x, 1), round(y, 1), chips, dollars(amount), kind)


def _tags(place: SeatPlace, seat: Scene) -> Iterator[Tag]:
    """Each at its circle; where circles are close, above the one before."""
    before = list[tuple[float, float, str]]()
    for event in seat["settled"]:
        spot, net = place.wagers.get(event["wager"]), cents(event["net"])
        if spot is not None:
            kind = "won" if net > 0 else "lost" if net < 0 else "push"
            key, words = f"s{seat['seat']}-{event['wager']}-tag", signed(event["net"]) if net else "push"
            y = _free(spot.x, spot.y + spot.height / 2 - 7, words, before)
            before.append((spot.x, y, words))
            yield Tag(key, spot.x, y, words, kind)


def _free(x: float, y: float, words: str, before: Sequence[tuple[float, float, str]]) -> float:
    """How high a tag or a count lies that would lie on another: above it."""
    while any(
        abs(x - left) < 2 * PILL[0] + PILL[1] * (len(words) + len(other)) and abs(y - top) < NEXT
        for left, top, other in before
        if words and other
    ):
        y -= NEXT
    return y


def around(seats: int, sitting: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The seats of a small half-round table, as dots: who sits, a computer player, or nobody."""
    kinds = {one["seat"]: "bot" if one["bot"] else "taken" for one in sitting}
    out = []
    for seat in range(1, seats + 1):
        angle = pi * (seat - 0.5) / seats
        x, y = 110 + 82 * cos(angle), 24 + 60 * sin(angle)
        out.append({"x": round(x, 1), "y": round(y, 1), "kind": kinds.get(seat, "free")})
    return out
