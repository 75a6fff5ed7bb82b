"""From the events of a live round to what is due of the dealer, one thing after the other.

A wager of a seat is one thing: it is taken, paid or pushed. Cards that go round to all players are one thing, so are
the cards of a place. What the dealer does beside cards and chips (collect the pot bets, announce) is due where the game
file says it with a verb of his; what it says of others is only told.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from pitboss.live.events import Event
from pitboss.live.reasons import reasons
from pitboss.rules.called import cards_word, place_called
from pitboss.rules.graph import PLAYER
from pitboss.rules.numbers import written
from pitboss.train import words
from pitboss.train.company import Dealt
from pitboss.train.draws import draws

SHUFFLE, DEAL, STOP, TURN, BURN, SAY = "shuffle", "deal", "stop", "turn", "burn", "say"
WAGER, COMPARE, POT = "wager", "compare", "pot"
SETTLING = (WAGER, COMPARE, POT)
TAKE, PAY, PUSH = "take", "pay", "push"
STANDS = {"high hand": "high", "equal to the high hand": "equal", "beaten": "beaten"}
ACTS = re.compile(
    "announce|ask|call|change|check|clear|close|collect|count|cover|cut|drop|expose|fan|give|insert|lay|lift|lock|look|"
    "mark|move|open|pass|pick|place|point|put|rake|remove|return|say|set|show|slide|spread|stack|tap|tuck|turn|wait|wave"
)
"""Verbs with which a game file tells the dealer to do something beside dealing cards and moving chips."""
COLLECT = "Collect all cards, and put them in the discard rack."


@dataclass(frozen=True)
class Due:
    """One thing that the dealer does next; what it is about, and what is right."""

    kind: str
    at: int  # events of the round that have happened before it
    upto: int  # and after it
    right: str  # as a dealer would say it
    why: str = ""
    told: tuple[str, ...] = ()  # what happened since the last thing that was due
    seat: int = 0
    wager: str = ""
    place: str = ""  # of cards
    cards: int = 0
    face: str = ""
    act: str = ""  # the verb of what is done beside cards and chips
    verdict: str = ""  # of a wager: take, pay or push; of a hand: high, equal or beaten
    amount: Fraction = Fraction(0)  # dollars that are taken or paid
    stake: Fraction = Fraction(0)
    net: Fraction = Fraction(0)  # what it comes to for the player
    toke: bool = False
    marker: bool = False  # the house has staked it
    dropped: bool = False  # the stake does not come back with what is paid
    drawn: bool = False  # a card that the rules of the house's hand ask for

    @property
    def settles(self) -> bool:
        return self.kind in SETTLING


def dues_of(dealt: Dealt, only_settle: bool = False) -> tuple[Due, ...]:
    """All that is due in a round, in order; at a drill of settling alone the rest is done for the dealer."""
    found = [due for due in _Reader(dealt).read() if due.settles or not only_settle]
    events, house = dealt.round.events, dealt.round.house
    out, before, said = [], 0, set[str]()
    for due in found:
        between = [e for e in events[before : due.at] if not _act_of(e)]
        out.append(replace(due, told=(*due.told, *words.players_do(house, between, said))))
        before = max(before, due.upto)
    return tuple(out)


def _act_of(event: Event) -> str:
    """The verb of a saying that tells the dealer to do something."""
    if event["event"] != "say" or event.get("takes"):
        return ""
    first = event["words"].split()[0].strip(",.:;").lower()
    return first if ACTS.fullmatch(first) else ""


class _Reader:
    def __init__(self, dealt: Dealt) -> None:
        self.dealt, self.round = dealt, dealt.round
        self.house = dealt.round.house
        self.events = dealt.round.events
        self.why = reasons(self.round, (), pots=False)
        self.draws = draws(self.round)
        self.taken: set[tuple[int, str]] = set()  # chips that were taken before their wager is settled
        self.pots = self.round.pots

    def read(self) -> Iterator[Due]:
        if self.dealt.shuffle:
            why = "The cut card is out." if self.dealt.cut_out else ""
            told = why or ("The deck is shuffled for every round." if self.dealt.shoe.every_round else "A new shoe.")
            yield Due(SHUFFLE, 0, 0, "Shuffle", why, (told,))
        place = 0
        while place < len(self.events):
            upto = self._last_alike(place)
            yield from self._event(place, upto)
            yield from (self._stop(hand, upto) for hand, after in self.draws.stops.items() if after == upto - 1)
            place = upto
        end = len(self.events)
        yield Due(SAY, end, end, COLLECT, act="collect")

    def _last_alike(self, place: int) -> int:
        """Cards that go round to all players are dealt in one go."""
        first, upto = self.events[place], place + 1
        if first["event"] == "deal" and first["to"] == PLAYER:
            seats = {first["seat"]}
            while upto < len(self.events) and _goes_round(first, self.events[upto], seats):
                seats.add(self.events[upto]["seat"])
                upto += 1
        return upto

    def _event(self, at: int, upto: int) -> Iterator[Due]:
        event = self.events[at]
        kind = event["event"]
        if kind == "deal":
            yield self._deal(event, at, upto)
        elif kind == "reveal":
            who, seat, many = event["who"], event.get("seat", 0), len(event["cards"])
            yield Due(TURN, at, upto, words.turn(self.house, who, many, seat), place=who, seat=seat, cards=many)
        elif kind == "burn":
            many = event["count"]
            yield Due(BURN, at, upto, f"Burn {cards_word(many)}", cards=many)
        elif kind == "say":
            yield from self._say(event, at, upto)
        elif kind in ("settle", "toke"):
            yield from self._settle(event, at, upto, kind == "toke")
        elif kind == "stand":
            yield self._compare(event, at, upto)
        elif kind == "pot":
            yield from self._pot(event, at)

    # ---- cards

    def _deal(self, event: Event, at: int, upto: int) -> Due:
        seats = [e["seat"] for e in self.events[at:upto] if "seat" in e]
        place, many, face = event["to"], len(event["cards"]), event["face"]
        return Due(
            DEAL, at, upto, words.deal(self.house, place, many, face, seats), place=place, cards=many, face=face,
            seat=seats[0] if len(seats) == 1 else 0, drawn=at in self.draws.drawn,
        )  # fmt: skip

    def _stop(self, place: str, at: int) -> Due:
        called = place_called(self.house, place)
        return Due(STOP, at, at, f"The {called} stops: no more cards", place=place)

    def _compare(self, event: Event, at: int, upto: int) -> Due:
        seat, standing = event["seat"], event["standing"]
        best = next((e["seat"] for e in self.events[at - 1 :: -1] if _leads(e, event["wager"])), 0) if at else 0
        held = "; ".join(why for who in (seat, best) if (why := self.why.get((who, event["wager"]), "")))
        return Due(
            COMPARE, at, upto, f"Seat {seat}'s hand is {'the ' * (standing == 'high hand')}{standing}",
            words.sentence(held) if held else "", seat=seat, wager=event["wager"], verdict=STANDS[standing],
        )  # fmt: skip

    # ---- words

    def _say(self, event: Event, at: int, upto: int) -> Iterator[Due]:
        seat = event.get("seat", 0)
        for wager, text in event.get("takes", {}).items():
            stake = written(text)
            self.taken.add((seat, wager))
            right = words.settled(TAKE, seat, words.wager(self.house, wager, False), stake, stake)
            yield Due(
                WAGER, at, upto, right, words.sentence(event["words"]), seat=seat, wager=wager, verdict=TAKE,
                amount=stake, stake=stake, net=-stake,
            )  # fmt: skip
        if act := _act_of(event):
            told = f"Seat {seat}: {event['words'][:1].lower()}{event['words'][1:]}" if seat else event["words"]
            yield Due(SAY, at, upto, told, seat=seat, act=act)

    # ---- chips

    def _settle(self, event: Event, at: int, upto: int, toke: bool) -> Iterator[Due]:
        seat, wager, net = event["seat"], event["wager"], written(event["net"])
        if wager in self.pots or ((seat, wager) in self.taken and not toke):
            return
        marker = "free" in event
        stake = written(event["free"] if marker else event["stake"])
        declared = next(w for w in self.house.wagers if w.name == wager)
        in_odds = isinstance(self.house.tables[wager].pay(event["row"]), Fraction)  # not in dollars, nor a meter
        dropped = not in_odds and not declared.stake_returned
        award = net + stake if dropped else net
        verdict = PAY if award > 0 else TAKE if award < 0 or marker else PUSH
        amount = award if verdict == PAY else stake if marker else -award if verdict == TAKE else Fraction(0)
        yield Due(
            WAGER, at, upto, words.settled(verdict, seat, words.wager(self.house, wager, toke), stake, amount),
            words.because(event, verdict == PAY, self.why.get((seat, wager), ""), self._chose(at, seat, wager)),
            seat=seat, wager=wager, verdict=verdict, amount=amount, stake=stake, net=net, toke=toke, marker=marker,
            dropped=dropped,
        )  # fmt: skip

    def _chose(self, at: int, seat: int, wager: str) -> str:
        """The player's last choice, if it and no card has settled the wager."""
        if self.round.looked_at(seat)[wager].slots:
            return ""
        chosen = (e["choice"] for e in self.events[at::-1] if e["event"] == "choose" and e["seat"] == seat)
        return next(chosen, "")

    def _pot(self, event: Event, at: int) -> Iterator[Due]:
        wager, pot, winners = event["wager"], written(event["amount"]), event["winners"]
        upto = at + 1
        while upto < len(self.events) and (self.events[upto]["event"], self.events[upto].get("wager")) == (
            "settle",
            wager,
        ):
            upto += 1
        paid = {e["seat"]: written(e["pays"]) for e in self.events[at:upto] if e["event"] == "settle"}
        for seat in winners:
            held = self.why.get((seat, wager), "")
            yield Due(
                POT, at, upto, words.award(self.house, wager, pot, seat, paid[seat]),
                words.sentence(held) if held else "", seat=seat, wager=wager, amount=paid[seat], stake=pot,
                verdict=PAY,
            )  # fmt: skip


def _leads(event: Event, wager: str) -> bool:
    return (event["event"], event.get("wager"), event.get("standing")) == ("stand", wager, "high hand")


def _goes_round(first: Event, event: Event, seats: set[int]) -> bool:
    if event["event"] != "deal" or event["to"] != PLAYER or event["seat"] in seats:
        return False
    return (len(event["cards"]), event["face"]) == (len(first["cards"]), first["face"])


def turned_from(dealt: Dealt) -> dict[int, int]:
    """Seat -> the event with which its cards lie open: the first settlement that looks at them."""
    out: dict[int, int] = {}
    for place, event in enumerate(dealt.round.events):
        if event["event"] in ("settle", "toke", "stand") and event["seat"] not in out:
            seat = event["seat"]
            column = dealt.round.looked_at(seat).get(event["wager"])
            own = {slot for group in dealt.round.groups(seat) if group.who == PLAYER for slot in group.slots}
            if column is not None and column.slots & own:
                out[seat] = place
    return out
