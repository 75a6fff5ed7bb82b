"""One round at a live table, by replay: a round is its cards and its choices.

Every question about the round (whose turn is it, what was paid) is answered by running `play` again, seat by seat, on
the cards dealt so far and the choices made so far. A killed server resumes from the log, and a disputed hand replays.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitboss.cards import card_name
from pitboss.rules.column import Card, Column, Hand
from pitboss.rules.errors import BadInput, Site, choice_of
from pitboss.rules.evaluate import evaluate
from pitboss.rules.house import House
from pitboss.rules.graph import BOARD, DEALER, PLAYER, Bet, Burn, Carry, Deal, Reveal, Settle, Share, Split
from pitboss.rules.paytables import show_pay
from pitboss.rules.vocabulary import Table

Event = dict[str, Any]
By = tuple[tuple[str, Column], ...]


OWN, ACT, DEALT = range(3)
"""What comes first: a player's own cards come at once; the dealer acts for all of whom he waits, then turns and deals,
when nobody has to decide."""


class _Need(BaseException):
    """Cards from the shoe, or (count 0) the dealer's leave to act or to turn cards up."""

    def __init__(self, owner: tuple[Any, ...], count: int) -> None:
        self.owner, self.count = owner, count

    @property
    def turn(self) -> int:
        return {PLAYER: OWN, "act": ACT}.get(self.owner[0], DEALT)


class _NeedChoice(BaseException):
    def __init__(self, name: str, choices: tuple[str, ...], by: By) -> None:
        self.name, self.choices, self.by = name, choices, by


class _SeatTable(Table):
    """`play` for one seat, on the cards and choices that the round has so far."""

    def __init__(self, round_: "Round", seat: int) -> None:
        super().__init__(round_.house)
        self.round, self.seat = round_, seat
        self.cards: dict[int, int] = {}
        self.made: list[str] = []
        self._counted: dict[int, tuple[list[int], dict[str, int]]] = {}  # hand -> its slots when it was last decided on
        self._known: dict[int, int] = {}
        self._ordinal: dict[str, int] = {}
        self._kept = round_.seats[seat - 1].carried

    def _get(self, what: str, count: int, own: bool = False) -> tuple[int, ...]:
        """The cards allotted to the next such event, or a stop until they are."""
        k = self._ordinal[what] = self._ordinal.get(what, -1) + 1
        need = _Need((what, self.seat if own else 0, k), count)
        if need.owner not in self.round.allotted:
            if need.turn not in self.round.at_once:
                raise need
            self.round.allot(need)
        return self.round.allotted[need.owner]

    def _on_deal(self, deal: Deal) -> None:
        got = self._get(deal.who, len(deal.slots), own=deal.who == PLAYER)
        if len(got) != len(deal.slots):
            raise deal.site.error(
                f"the {deal.who} gets {len(got)} cards for one seat and {len(deal.slots)} for another; there is one "
                f"{deal.who} for all, so this cannot rest on what one player has"
            )
        self.cards.update(zip(deal.slots, got, strict=True))

    def burn(self, count: int = 1) -> None:
        self._get("burn", count)
        super().burn(count)

    def reveal(self, what: "str | Hand") -> None:
        turned = {c.slot for c in what} if isinstance(what, Hand) else set[int]()
        if not (isinstance(what, str) and what == PLAYER) and not any(
            g.who == PLAYER and turned & set(g.slots) for g in self.groups
        ):
            self._get("reveal", 0)
        super().reveal(what)

    def _on_has(self, wager: str) -> bool:
        seat = self.round.seats[self.seat - 1]
        return wager in seat.bets or wager in seat.tokes

    def _on_when(self, condition: Column, words: str, where: Site) -> bool:
        hidden = {s for g in self.groups if not g.seen and g.who != PLAYER for s in g.slots}
        if condition.slots & hidden and condition.uid not in self._known:
            self._get("act", 0, own=True)  # the dealer acts on a card that nobody sees yet
        return bool(self.value(condition))

    def _on_decide(self, name: str, choices: Sequence[str], by: By, where: Site) -> str:
        own = {s for g in self.groups if g.who == PLAYER for s in g.slots}
        hand = self.playing()
        count = self.looked_at([(label, col) for label, col in by if col.slots and col.slots <= own])
        self._counted[hand] = (self.hands().get(hand, []), count)
        mine = [c for seat, c in self.round.choices if seat == self.seat]
        if len(self.made) == len(mine):
            raise _NeedChoice(name, tuple(choices), by)
        self.made.append(mine[len(self.made)])
        return self.made[-1]

    def carried(self, name: str, highest: int, on: str) -> Column:
        kept = self._kept.get(name, 0)
        if not isinstance(kept, int) or not 0 <= kept <= highest:
            raise BadInput(f"seat {self.seat} cannot have carried over {name} {kept}; it runs from 0 to {highest}")
        return super().carried(name, highest, on)

    def hands(self) -> dict[int, list[int]]:
        """The slots of each of the player's hands: the second card of a hand that is split begins the new one."""
        out: dict[int, list[int]] = {}
        for event in self.events:
            if isinstance(event, Deal) and event.who == PLAYER and event.slots[0] in self.cards:
                out.setdefault(event.hand, []).extend(event.slots)
            elif isinstance(event, Split):
                out[event.to] = [out[event.hand].pop(1)]
        return out

    def playing(self) -> int:
        """The hand that is being played: the one that got the last card."""
        return next((e.hand for e in reversed(self.events) if isinstance(e, Deal) and e.who == PLAYER), 1)

    def looked_at(self, by: Iterable[tuple[str, Column]]) -> dict[str, int]:
        """What a decision is made by; a condition is true or false."""
        return {label: _seen_as(col, self.value(col)) for label, col in by}

    def count(self, hand: int) -> dict[str, int]:
        """What a hand counts: as the game says, or as it was last decided on, if it has got no card since."""
        slots = self.hands().get(hand, [])
        then, count = self._counted.get(hand, ([], {}))
        return counted(self.round.house, [self.cards[s] for s in slots]) or (count if then == slots else {})

    def value(self, col: Column) -> int:
        kept = {name: self._kept.get(name, 0) for name in self.carried_states}
        return evaluate(col, self.cards, kept, self._known)


def counted(house: House, cards: Sequence[int]) -> dict[str, int]:
    """What so many cards count, if the game says that of a hand."""
    says: Callable[[Hand], Mapping[str, Column]] | None = getattr(house.game, "counts", None)
    if says is None or not cards:
        return {}
    held, known = dict(enumerate(cards)), dict[int, int]()
    count = says(Hand([Card(s) for s in held]))
    return {label: _seen_as(col, evaluate(col, held, {}, known)) for label, col in count.items()}


def _seen_as(col: Column, value: int) -> int:
    return bool(value) if (col.lo, col.hi) == (0, 1) else value


@dataclass
class Seat:
    """A player at the table: his bets before the deal, and what he carries over from his last round."""

    bets: Mapping[str, Fraction]
    carried: Mapping[str, int] = field(default_factory=dict)
    tokes: Mapping[str, Fraction] = field(default_factory=dict)  # bets that he makes for the dealer


@dataclass(frozen=True)
class Turn:
    """A decision that the table waits for."""

    seat: int
    decision: str
    choices: tuple[str, ...]
    player: tuple[str, ...]  # the player's own cards
    dealer: tuple[str, ...]  # what lies face up before the dealer
    board: tuple[str, ...]
    made: tuple[str, ...]  # what this seat has chosen so far
    slots: Mapping[int, int]  # slot -> card, hidden ones included: for the table's own use, never for show
    hand: int = 1  # which of his hands is being played
    hands: tuple[tuple[str, ...], ...] = ()  # the player's own cards, hand by hand
    by: Mapping[str, int] = field(default_factory=dict)  # what the decision is made by, such as a hand's total


class Round:
    """One round from a shoe and a list of choices; give it choices until `turn` is None."""

    def __init__(
        self,
        house: House,
        cards: Sequence[int],
        seats: Sequence[Seat],
        choices: Sequence[tuple[int, str]] = (),
        more: Callable[[], Sequence[int]] | None = None,  # where cards come from when these run out: the discards
    ) -> None:
        for number, seat in enumerate(seats, 1):
            try:
                house.check_bets(seat.bets)
                house.check_tokes(seat.tokes, seat.bets)
            except BadInput as error:
                raise BadInput(f"seat {number}: {error}" if len(seats) > 1 else str(error)) from None
        house.check_seats(len(seats), 0)
        self.house, self.seats = house, list(seats)
        self._hands: dict[str, dict[int, int]] = {}  # wager between the players -> seat -> what it holds
        self.shoe = list(cards)
        self.used = 0
        self._more = more
        self.at_once: frozenset[int] = frozenset()  # what the seat that plays gets without a stop
        self.allotted: dict[tuple[Any, ...], tuple[int, ...]] = {}
        self.choices: list[tuple[int, str]] = []
        self.events: list[Event] = []
        self.turn: Turn | None = None
        self._told: dict[int, int] = {}
        self._shared: set[tuple[Any, ...]] = set()
        self._at: dict[int, tuple[_SeatTable, _Need | _NeedChoice | None]] = {}  # seat -> how far it has come
        self._advance(range(1, len(self.seats) + 1))
        for seat_number, choice in choices:
            self.choose(choice, seat_number)

    # ---- playing on

    def choose(self, choice: str, seat: int | None = None) -> None:
        """The seat whose turn it is chooses."""
        if self.turn is None:
            raise BadInput("the round is over; there is nothing to choose")
        if seat is not None and seat != self.turn.seat:
            raise BadInput(f"it is seat {self.turn.seat}'s turn, not seat {seat}'s")
        if choice not in self.turn.choices:
            raise BadInput(choice_of(repr(choice), self.turn.choices))
        seat = self.turn.seat
        self.choices.append((seat, choice))
        self.events.append({"event": "choose", "seat": seat, "decision": self.turn.decision, "choice": choice})
        self._advance([seat])

    def _advance(self, moved: Iterable[int]) -> None:
        """Deal as far as the rules go, up to the next decision or the end of the round. Only the seats for which there
        is something new play again."""
        while True:
            moved = sorted(moved, reverse=self.house.game.settles_from_right)
            self.at_once = self._free(moved)
            self._at |= {seat: self._run(seat) for seat in moved}
            for seat in moved:
                self._tell(self._at[seat][0], seat)
            needs = {seat: need for seat in sorted(self._at) if isinstance(need := self._at[seat][1], _Need)}
            first = min(needs.values(), key=lambda need: need.turn, default=None)
            waits = next((seat for seat in sorted(self._at) if isinstance(self._at[seat][1], _NeedChoice)), None)
            if waits is not None and (first is None or first.turn > OWN):
                self.turn = self._turn(*self._at[waits])
                return
            if first is None:
                self.turn = None
                self._share_pots()
                return
            moved = [
                seat for seat, need in needs.items() if need.owner == first.owner or need.turn == first.turn == ACT
            ]
            self.allot(first)
            self.allotted |= {needs[seat].owner: () for seat in moved if needs[seat].turn == ACT}

    def _free(self, moved: Sequence[int]) -> frozenset[int]:
        """What needs no stop because nobody else could want it first: a stop is another run of `play`."""
        others = [need for seat, (_, need) in self._at.items() if seat not in moved and need is not None]
        if len(moved) > 1 or any(isinstance(need, _Need) and need.turn == OWN for need in others):
            return frozenset()
        return frozenset({OWN} if others else {OWN, ACT, DEALT})

    def _run(self, seat: int) -> tuple[_SeatTable, _Need | _NeedChoice | None]:
        table = _SeatTable(self, seat)
        try:
            self.house.game.play(table)
        except (_Need, _NeedChoice) as need:
            return table, need
        return table, None

    def allot(self, need: _Need) -> None:
        if self.used + need.count > len(self.shoe) and self._more is not None:
            self.shoe += self._more()
            self._more = None
        if self.used + need.count > len(self.shoe):
            raise BadInput(f"the shoe has {len(self.shoe)} cards left, too few to finish the round; shuffle first")
        self.allotted[need.owner] = tuple(self.shoe[self.used : self.used + need.count])
        self.used += need.count

    def _turn(self, table: _SeatTable, need: _Need | _NeedChoice | None) -> Turn:
        assert isinstance(need, _NeedChoice)
        seen = {s for g in table.groups if g.seen for s in g.slots}

        def shown(slots: Iterable[int]) -> tuple[str, ...]:
            return tuple(card_name(table.cards[s]) for s in slots if s in seen)

        lies = {who: shown(s for g in table.groups if g.who == who for s in g.slots) for who in (PLAYER, DEALER, BOARD)}
        return Turn(
            table.seat,
            need.name,
            need.choices,
            lies[PLAYER],
            lies[DEALER],
            lies[BOARD],
            tuple(table.made),
            dict(table.cards),
            table.playing(),
            tuple(shown(slots) for _, slots in sorted(table.hands().items())),
            table.looked_at(need.by),
        )

    # ---- the log

    def _tell(self, table: _SeatTable, seat: int) -> None:
        """Write what is new at this seat into the log, in order; shared events once."""
        ordinal: dict[str, int] = {}
        for number, event in enumerate(table.events):
            shared = isinstance(event, Deal | Burn | Reveal) and getattr(event, "who", "table") != PLAYER
            name = f"{type(event).__name__} {getattr(event, 'who', '')}"
            ordinal[name] = ordinal.get(name, -1) + 1
            key = (name, ordinal[name])
            done = number < self._told.get(seat, 0) or (shared and key in self._shared)
            if isinstance(event, Deal) and not all(s in table.cards for s in event.slots):
                return
            if not done:
                self._write(table, seat, number, event)
            self._shared.add(key) if shared else None
            self._told[seat] = max(self._told.get(seat, 0), number + 1)

    def _write(self, table: _SeatTable, seat: int, number: int, event: object) -> None:
        if isinstance(event, Deal):
            cards = [card_name(table.cards[s]) for s in event.slots]
            out: Event = {
                "event": "deal",
                "to": event.who,
                "cards": cards,
                "face": event.face,
            }
            out |= {"seat": seat} if event.who == PLAYER else {}
            self.events.append(out | ({"hand": event.hand} if event.hand > 1 else {}))
        elif isinstance(event, Split):
            self.events.append({"event": "split", "seat": seat, "hand": event.hand, "to": event.to})
        elif isinstance(event, Burn):
            self.events.append({"event": "burn", "count": event.count})
        elif isinstance(event, Reveal):
            cards = [card_name(table.cards[s]) for s in event.slots]
            out = {"event": "reveal", "who": event.who, "cards": cards}
            self.events.append(out | ({"seat": seat} if event.who == PLAYER else {}))
        elif isinstance(event, Bet):
            earlier = (e.times for e in table.events[:number] if isinstance(e, Bet) and e.wager == event.wager)
            unit, more = self._lead(seat, event.wager), event.times - max(earlier, default=0)
            if unit is not None and more:
                self.events.append({"event": "bet", "seat": seat, "wager": event.wager, "amount": str(unit * more)})
        elif isinstance(event, Settle):
            toke = self.seats[seat - 1].tokes.get(event.wager)
            for kind, stake in (("settle", self._stake(table, event.wager)), ("toke", toke)):
                if stake is not None:
                    row = event.rows.names[table.value(event.rows.index)]
                    net = self.house.net(event.wager, row, stake) * stake
                    pays = show_pay(self.house.tables[event.wager].pay(row))
                    out = {"event": kind, "seat": seat, "wager": event.wager, "row": row, "because": event.because}
                    self.events.append(out | {"stake": str(stake), "pays": pays, "net": str(net)})
        elif isinstance(event, Share):
            if self._stake(table, event.wager) is not None:
                self._stand(event.wager, seat, table.value(event.value))
        elif isinstance(event, Carry):
            bet = table.carried_on[event.name] in self.seats[seat - 1].bets
            value = table.value(event.value) if bet else 0  # without the bet there is no streak
            self.events.append({"event": "carry", "seat": seat, "name": event.name, "value": value})

    def _stand(self, wager: str, seat: int, value: int) -> None:
        """Compare a hand with the best one so far: the high hand stays face up, a beaten one goes to the rack."""
        held = self._hands.setdefault(wager, {})
        best = max(held.values(), default=None)
        held[seat] = value
        if best is None or value > best:
            standing = "high hand"
        else:
            standing = "equal to the high hand" if value == best else "beaten"
        self.events.append({"event": "stand", "seat": seat, "wager": wager, "value": value, "standing": standing})

    def _share_pots(self) -> None:
        """The pots are paid last: to the highest hand, equal hands share, an odd dollar goes to the first settled."""
        for wager, held in self._hands.items():
            stakes = {seat: self.seats[seat - 1].bets[wager] for seat in held}
            pot = sum(stakes.values(), Fraction(0))
            best = max(held.values())
            winners = [seat for seat in held if held[seat] == best]  # in settlement order
            each = Fraction(pot // len(winners))
            shares = dict.fromkeys(winners, each)
            shares[winners[0]] += pot - each * len(winners)
            self.events.append({"event": "pot", "wager": wager, "amount": str(pot), "winners": winners})
            for seat, stake in stakes.items():
                won = shares.get(seat, Fraction(0))
                row = "lose" if seat not in shares else "win" if len(winners) == 1 else f"shared by {len(winners)}"
                why = "" if seat not in shares else "best hand at the table"
                out = {"event": "settle", "seat": seat, "wager": wager, "row": row, "because": why}
                out |= {"stake": str(stake), "pays": f"{won}", "net": str(won - stake)}
                self.events.append(out)

    def _stake(self, table: _SeatTable, wager: str) -> Fraction | None:
        """The dollars on a wager, or None when this seat has not bet it, or has declined it."""
        lead = self._lead(table.seat, wager)
        return None if lead is None else lead * table.bets.get(wager, 1) or None

    def _lead(self, seat: int, wager: str) -> Fraction | None:
        """The dollars on the wager before the deal that this one goes with."""
        return self.seats[seat - 1].bets.get(self.house.lead(wager))

    # ---- what lies there

    def counts(self, seat: int = 1) -> dict[int, dict[str, int]]:
        """What each of a seat's hands counts, as far as that is known: `{1: {"total": 17, "soft": True}}`."""
        table = self._at[seat][0]
        return {hand: count for hand in sorted(table.hands()) if (count := table.count(hand))}

    # ---- afterwards

    def settled(self, seat: int = 1) -> list[Event]:
        return [e for e in self.events if e["event"] == "settle" and e["seat"] == seat]

    def net(self, seat: int = 1) -> Fraction:
        """What the seat has won or lost in dollars, so far; what it bet for the dealer is gone."""
        given = (Fraction(e["stake"]) for e in self.tokes(seat))
        return sum((Fraction(e["net"]) for e in self.settled(seat)), Fraction(0)) - sum(given, Fraction(0))

    def tokes(self, seat: int = 1) -> list[Event]:
        """What came of the seat's bets for the dealer: their stake, and what they won, are his."""
        return [e for e in self.events if e["event"] == "toke" and e["seat"] == seat]

    def carried(self, seat: int = 1) -> dict[str, int]:
        """What the seat carries into its next round."""
        return {e["name"]: int(e["value"]) for e in self.events if e["event"] == "carry" and e["seat"] == seat}
