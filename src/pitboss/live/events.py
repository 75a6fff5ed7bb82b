"""The events of one round, in the order in which they happen at the table, and what they say of every seat's money."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from pitboss.cards import card_name
from pitboss.live.meters import seeded
from pitboss.live.seat import Seat, SeatTable
from pitboss.rules.graph import PLAYER, Bet, Burn, Carry, Deal, Reveal, Say, Settle, Share, Split
from pitboss.rules.house import House
from pitboss.rules.numbers import written
from pitboss.rules.paytables import show_pay

Event = dict[str, Any]
Bets = dict[str, Fraction]
Found = TypeVar("Found")
TURNED = (Deal, Reveal)  # what tells of cards
Lain = tuple[Event, tuple[int, ...]]
"""An event, and where in the shoe the cards lay that it tells of."""


@dataclass
class Index:
    """The events of a record by what is asked for; it can be thrown away, and is made anew when something is asked."""

    upto: int = 0
    of: dict[tuple[str, int], list[Event]] = field(default_factory=dict)  # by kind and seat
    many: dict[int, int] = field(default_factory=dict)  # events of each seat
    dealt: dict[tuple[str, int], list[Lain]] = field(default_factory=dict)  # by whom or where, and seat
    money: dict[tuple[str, int], tuple[int, Any]] = field(default_factory=dict)  # and after how many events of the seat
    once: dict[object, tuple[int, Any]] = field(default_factory=dict)  # and after how many events

    def add(self, events: Sequence[Event], places: Sequence[tuple[int, ...]]) -> None:
        for at in range(self.upto, len(events)):
            event = events[at]
            kind, seat = event["event"], event.get("seat")
            if seat is not None:
                self.of.setdefault((kind, seat), []).append(event)
                self.many[seat] = self.many.get(seat, 0) + 1
            if kind in ("deal", "split"):
                to = PLAYER if kind == "split" else event["to"]  # a split names the hand that is `to` begin
                self.dealt.setdefault((to, seat or 0), []).append((event, places[at]))
        self.upto = len(events)


@dataclass
class _Upto:
    """How far the play of a seat was told, and how many shared events of each kind came by."""

    table: SeatTable
    number: int = 0
    ordinal: dict[str, int] = field(default_factory=dict)


class Record:
    """What has happened, card by card. It hides nothing: what a seat may see of it is `pitboss.live.view`."""

    def __init__(self, house: House, seats: Sequence[Seat]) -> None:
        self.house, self.seats = house, seats
        self.events: list[Event] = []
        self.places: list[tuple[int, ...]] = []  # of each event: where in the shoe the cards lay that it tells of
        self.gone: dict[int, int] = {}  # who left the round -> how many choices had been made
        self.parties: list[tuple[int, ...]] = []  # who of them left together
        self._hands: dict[str, dict[int, int]] = {}  # wager between the players -> seat -> what it holds
        self._free = {w.name for w in house.wagers if w.free}
        self._bonuses = {w.name for w in house.wagers if w.bonus}
        self._told: dict[int, int] = {}
        self._upto: dict[int, _Upto] = {}
        self._index = Index()
        self._shared: set[tuple[Any, ...]] = set()
        self.turned = 0  # how often cards were turned up

    def fork(self) -> "Record":
        """The same so far; what is added to one is not added to the other."""
        other = Record.__new__(Record)
        other.__dict__ |= self.__dict__
        other.events, other.places, other.parties = list(self.events), list(self.places), list(self.parties)
        other.gone, other._told, other._shared = dict(self.gone), dict(self._told), set(self._shared)
        other._upto, other._index = {}, Index()
        other._hands = {wager: dict(held) for wager, held in self._hands.items()}
        return other

    def first(self, many: int) -> "Record":
        """As it was when so many events were told."""
        other = self.fork()
        other.events, other.places, other.turned = [], [], 0
        for event, places in list(zip(self.events, self.places, strict=True))[: max(many, 0)]:
            other.add(event, places)
        return other

    # ---- writing

    def add(self, event: Event, places: Sequence[int] = ()) -> None:
        self.events.append(event)
        self.places.append(tuple(places))
        self.turned += event["event"] == "reveal"

    def tell(self, table: SeatTable) -> None:
        """Write what is new at this seat, in order; shared events once. A play that was begun again is told again from
        its first event, and nothing of it twice."""
        seat = table.seat
        upto = self._upto.get(seat)
        if upto is None or upto.table is not table:
            upto = self._upto[seat] = _Upto(table)
        if upto.number == len(table.events):
            return
        for event in table.events[upto.number :]:
            if isinstance(event, Deal) and not all(s in table.cards for s in event.slots):
                break
            shared = event.who != PLAYER if isinstance(event, TURNED) else isinstance(event, Burn)
            shared = shared or (isinstance(event, Say) and not event.each)
            done = upto.number < self._told.get(seat, 0)
            if shared:
                name = f"{type(event).__name__} {getattr(event, 'who', getattr(event, 'words', ''))}"
                key = name, upto.ordinal.get(name, 0)
                upto.ordinal[name] = key[1] + 1
                done = done or key in self._shared
                self._shared.add(key)
            if not done:
                self._write(table, upto.number, event)
            upto.number += 1
            self._told[seat] = max(self._told.get(seat, 0), upto.number)

    def leave(self, seat: int, choices: int) -> None:
        """A player goes before his round is over: what he still has at stake is forfeited."""
        lost = {name: str(stake) for name, stake in self.unsettled(seat).items()}
        given = {name: str(stake) for name, stake in self._unsettled_tokes(seat).items()}
        self.gone[seat] = choices
        self.add({"event": "leave", "seat": seat, "forfeits": lost} | ({"tokes": given} if given else {}))

    def _write(self, table: SeatTable, number: int, event: object) -> None:
        seat = table.seat
        if isinstance(event, TURNED):
            cards = [card_name(table.cards[s]) for s in event.slots]
            out: Event = {"event": "reveal", "who": event.who, "cards": cards}
            if isinstance(event, Deal):
                out = {"event": "deal", "to": event.who, "cards": cards, "face": event.face}
            out |= {"seat": seat} if event.who == PLAYER else {}
            out |= {"hand": event.hand} if isinstance(event, Deal) and event.hand > 1 else {}
            self.add(out, [table.places[s] for s in event.slots])
        elif isinstance(event, Split):
            self.add({"event": "split", "seat": seat, "hand": event.hand, "to": event.to})
        elif isinstance(event, Burn):
            self.add({"event": "burn", "count": event.count})
        elif isinstance(event, Bet):
            earlier = (e.times for e in table.events[:number] if isinstance(e, Bet) and e.wager == event.wager)
            unit, more = self._lead(seat, event.wager), event.times - max(earlier, default=0)
            if unit is not None and more:
                kind = "free" if event.wager in self._free else "bet"
                self.add({"event": kind, "seat": seat, "wager": event.wager, "amount": str(unit * more)})
        elif isinstance(event, Settle):
            self._settle(table, event)
        elif isinstance(event, Share):
            if self._stake(table, event.wager) is not None:
                self._stand(table, event)
        elif isinstance(event, Say):
            self._say(table, event)
        elif isinstance(event, Carry):
            bet = table.carried_on[event.name] in self.seats[seat - 1].bets
            value = table.value(event.value) if bet else 0  # without the bet there is no streak
            self.add({"event": "carry", "seat": seat, "name": event.name, "value": value})

    def _say(self, table: SeatTable, event: Say) -> None:
        """A word of the dealer; chips that are lost by then leave the table with it."""
        out: Event = {"event": "say", "words": event.words} | ({"seat": table.seat} if event.each else {})
        stakes = {wager: stake for wager in event.takes if (stake := self._stake(table, wager)) is not None}
        self.add(out | ({"takes": {wager: str(stake) for wager, stake in stakes.items()}} if stakes else {}))

    def _settle(self, table: SeatTable, event: Settle) -> None:
        """The player's own bet, and on the same row the one that he made for the dealer."""
        toke = self.seats[table.seat - 1].tokes.get(event.wager)
        for kind, stake in (("settle", self._stake(table, event.wager)), ("toke", toke)):
            if stake is not None:
                row = event.rows.names[table.value(event.rows.index)]
                net = self.house.net(event.wager, row, stake) * stake
                pays = show_pay(self.house.tables[event.wager].pay(row))
                out = {"event": kind, "seat": table.seat, "wager": event.wager, "row": row, "because": event.because}
                if event.wager in self._free:  # the house has staked it
                    out |= {"free": str(stake)}
                    stake = Fraction(0)
                if net or event.wager not in self._bonuses:
                    self.add(out | {"stake": str(stake), "pays": pays, "net": str(net)})
                self.house = seeded(self.house, event.wager, row)

    def _stand(self, table: SeatTable, event: Share) -> None:
        """Compare a hand with the best one so far: the high hand stays face up, a beaten one goes to the rack."""
        seat, value = table.seat, table.value(event.value)
        held = self._hands.setdefault(event.wager, {})
        best = max((held[other] for other in held if other not in self.gone), default=None)
        held[seat] = value
        if best is None or value > best:
            standing = "high hand"
        else:
            standing = "equal to the high hand" if value == best else "beaten"
        out = {"event": "stand", "seat": seat, "wager": event.wager, "value": value, "standing": standing}
        self.add(out, [table.places[s] for s in sorted(event.value.slots) if s in table.places])

    def share_pots(self, playing: Collection[int]) -> None:
        """The pots are paid last: to the highest hand, equal hands share, an odd dollar goes to the first settled. Who
        has left has no hand, but his bet stays in the pot."""
        for wager, hands in self._hands.items():
            held = {seat: value for seat, value in hands.items() if seat not in self.gone}
            if not held:
                continue
            stakes = {seat: self.seats[seat - 1].bets[wager] for seat in held}
            left = [self.seats[seat - 1].bets.get(wager, Fraction(0)) for seat in playing if seat in self.gone]
            pot = sum([*stakes.values(), *left], Fraction(0))
            best = max(held.values())
            winners = [seat for seat in held if held[seat] == best]  # in settlement order
            each = Fraction(pot // len(winners))
            shares = dict.fromkeys(winners, each)
            shares[winners[0]] += pot - each * len(winners)
            self.add({"event": "pot", "wager": wager, "amount": str(pot), "winners": winners})
            for seat, stake in stakes.items():
                won = shares.get(seat, Fraction(0))
                row = "lose" if seat not in shares else "win" if len(winners) == 1 else f"shared by {len(winners)}"
                why = "" if seat not in shares else "best hand at the table"
                out = {"event": "settle", "seat": seat, "wager": wager, "row": row, "because": why}
                self.add(out | {"stake": str(stake), "pays": f"{won}", "net": str(won - stake)})

    def _stake(self, table: SeatTable, wager: str) -> Fraction | None:
        """The dollars on a wager, or None when this seat has not bet it, or has declined it."""
        lead = self._lead(table.seat, wager)
        return None if lead is None else lead * table.bets.get(wager, 1) or None

    def _lead(self, seat: int, wager: str) -> Fraction | None:
        """The dollars on the wager before the deal that this one goes with."""
        return self.seats[seat - 1].bets.get(self.house.lead(wager))

    # ---- reading

    def _looked(self) -> "Index":
        """The index, as far as events were told."""
        if self._index.upto < len(self.events):
            self._index.add(self.events, self.places)
        return self._index

    def many(self, seat: int) -> int:
        """How many events there have been at a seat."""
        return self._looked().many.get(seat, 0)

    def of(self, kind: str, seat: int) -> list[Event]:
        return list(self._looked().of.get((kind, seat), ()))

    def dealt(self, who: str, seat: int = 0) -> Sequence[Lain]:
        """The deals to a player or a place, and a player's splits, with where in the shoe the cards lay."""
        return self._looked().dealt.get((who, seat), ())

    def once(self, what: object, look: Callable[[], Found]) -> Found:
        """What is asked for all that is drawn, and is the same until something happens: looked up once."""
        found = self._index.once.get(what)
        if found is None or found[0] != len(self.events):
            found = self._index.once[what] = len(self.events), look()
        known: Found = found[1]
        return known

    def stakes(self, seat: int) -> Bets:
        """What the player has put into every circle that has chips, in the order of the layout."""
        return dict(self._asked("stakes", seat, self._stakes))

    def _asked(self, what: str, seat: int, count: Callable[[int], Any]) -> Any:
        """Asked again and again while a round goes on, for every seat: worked out once for each event of the seat."""
        many, money = self.many(seat), self._index.money
        known = money.get((what, seat))
        if known is None or known[0] != many:
            known = money[what, seat] = many, count(seat)
        return known[1]

    def _stakes(self, seat: int) -> Bets:
        found = dict(self.seats[seat - 1].bets)
        for event in self.of("bet", seat):
            found[event["wager"]] = found.get(event["wager"], Fraction(0)) + written(event["amount"])
        return {wager.name: found[wager.name] for wager in self.house.wagers if wager.name in found}

    def markers(self, seat: int) -> Bets:
        """What the house has staked for the player, in the order of the layout."""
        found: Bets = {}
        for event in self.of("free", seat):
            found[event["wager"]] = found.get(event["wager"], Fraction(0)) + written(event["amount"])
        return {wager.name: found[wager.name] for wager in self.house.wagers if wager.name in found}

    def unsettled(self, seat: int) -> Bets:
        """What the seat still has at stake; nothing, once it has left."""
        done = {e["wager"] for e in self.of("settle", seat)}
        return {} if seat in self.gone else {n: stake for n, stake in self.stakes(seat).items() if n not in done}

    def _unsettled_tokes(self, seat: int) -> Bets:
        done = {e["wager"] for e in self.of("toke", seat)}
        tokes = {} if seat in self.gone else self.seats[seat - 1].tokes
        return {name: stake for name, stake in tokes.items() if name not in done}

    def at_risk(self, seat: int) -> Fraction:
        """The dollars of the seat that lie on the table, those for the dealer included."""
        found: Fraction = self._asked("at risk", seat, self._at_risk)
        return found

    def _at_risk(self, seat: int) -> Fraction:
        return sum([*self.unsettled(seat).values(), *self._unsettled_tokes(seat).values()], Fraction(0))

    def net(self, seat: int) -> Fraction:
        """What the seat has won or lost in dollars, so far; what it bet for the dealer or forfeited is gone."""
        found: Fraction = self._asked("net", seat, self._net)
        return found

    def _net(self, seat: int) -> Fraction:
        won = sum((written(e["net"]) for e in self.of("settle", seat)), Fraction(0))
        given = [written(e["stake"]) for e in self.of("toke", seat)]
        for event in self.of("leave", seat):
            given += [written(x) for x in (*event["forfeits"].values(), *event.get("tokes", {}).values())]
        return won - sum(given, Fraction(0))
