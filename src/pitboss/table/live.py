"""One round at a live table, by replay: a round is its cards and its choices.

Every question about the round (whose turn is it, what was paid) is answered by running `play` again, seat by seat, on
the cards dealt so far and the choices made so far. A killed server resumes from the log, and a disputed hand replays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pitboss.cards import card_name
from pitboss.rules.column import Column, Hand
from pitboss.rules.errors import BadInput, Site, choice_of
from pitboss.rules.evaluate import evaluate
from pitboss.rules.game import House
from pitboss.rules.graph import PLAYER, Bet, Burn, Carry, Deal, Reveal, Settle, Share
from pitboss.rules.paytables import show_pay
from pitboss.rules.vocabulary import Table

Event = dict[str, Any]


class _Need(BaseException):
    """Cards from the shoe, or (count 0) the dealer's leave to act or to turn cards up."""

    def __init__(self, owner: tuple[Any, ...], count: int) -> None:
        self.owner, self.count = owner, count

    @property
    def turn(self) -> int:
        """A player's own cards come at once; the dealer acts, then turns and deals, when nobody has to decide."""
        return {PLAYER: 0, "act": 1}.get(self.owner[0], 2)


class _NeedChoice(BaseException):
    def __init__(self, name: str, choices: tuple[str, ...]) -> None:
        self.name, self.choices = name, choices


class _SeatTable(Table):
    """`play` for one seat, on the cards and choices that the round has so far."""

    def __init__(self, round_: "Round", seat: int) -> None:
        super().__init__(round_.house)
        self.round, self.seat = round_, seat
        self.cards: dict[int, int] = {}
        self.made: list[str] = []
        self._known: dict[int, int] = {}
        self._ordinal: dict[str, int] = {}
        self._kept = round_.seats[seat - 1].carried

    def _get(self, what: str, count: int, own: bool = False) -> tuple[int, ...]:
        """The cards allotted to the next such event, or a stop until they are."""
        k = self._ordinal[what] = self._ordinal.get(what, -1) + 1
        owner = (what, self.seat if own else 0, k)
        if owner not in self.round.allotted:
            raise _Need(owner, count)
        return self.round.allotted[owner]

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
        return wager in self.round.seats[self.seat - 1].bets

    def _on_when(self, condition: Column, where: Site) -> bool:
        hidden = {s for g in self.groups if not g.seen and g.who != PLAYER for s in g.slots}
        if condition.slots & hidden and condition.uid not in self._known:
            self._get("act", 0, own=True)  # the dealer acts on a card that nobody sees yet
        return bool(self.value(condition))

    def _on_decide(self, name: str, choices: Sequence[str], where: Site) -> str:
        mine = [c for seat, c in self.round.choices if seat == self.seat]
        if len(self.made) == len(mine):
            raise _NeedChoice(name, tuple(choices))
        self.made.append(mine[len(self.made)])
        return self.made[-1]

    def carried(self, name: str, highest: int, on: str) -> Column:
        kept = self._kept.get(name, 0)
        if not isinstance(kept, int) or not 0 <= kept <= highest:
            raise BadInput(f"seat {self.seat} cannot have carried over {name} {kept}; it runs from 0 to {highest}")
        return super().carried(name, highest, on)

    def value(self, col: Column) -> int:
        kept = {name: self._kept.get(name, 0) for name in self.carried_states}
        return evaluate(col, self.cards, kept, self._known)


@dataclass
class Seat:
    """A player at the table: his bets before the deal, and what he carries over from his last round."""

    bets: Mapping[str, Fraction]
    carried: Mapping[str, int] = field(default_factory=dict)


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


class Round:
    """One round from a shoe and a list of choices; give it choices until `turn` is None."""

    def __init__(
        self, house: House, cards: Sequence[int], seats: Sequence[Seat], choices: Sequence[tuple[int, str]] = ()
    ) -> None:
        for number, seat in enumerate(seats, 1):
            try:
                house.check_bets(seat.bets)
            except BadInput as error:
                raise BadInput(f"seat {number}: {error}" if len(seats) > 1 else str(error)) from None
        house.check_seats(len(seats), 0)
        self.house, self.seats = house, list(seats)
        self._hands: dict[str, dict[int, int]] = {}  # wager between the players -> seat -> what it holds
        self.shoe = list(cards)
        self.used = 0
        self.allotted: dict[tuple[Any, ...], tuple[int, ...]] = {}
        self.choices: list[tuple[int, str]] = []
        self.events: list[Event] = []
        self.turn: Turn | None = None
        self._told: dict[int, int] = {}
        self._shared: set[tuple[Any, ...]] = set()
        self._advance()
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
        self._advance()

    def _advance(self) -> None:
        """Deal as far as the rules go, up to the next decision or the end of the round."""
        while True:
            waiting: list[tuple[_SeatTable, _NeedChoice]] = []
            needs: list[_Need] = []
            tables: list[_SeatTable] = []
            for number in range(1, len(self.seats) + 1):
                table = _SeatTable(self, number)
                try:
                    self.house.game.play(table)
                except _Need as need:
                    needs.append(need)
                except _NeedChoice as need_choice:
                    waiting.append((table, need_choice))
                tables.append(table)
            for table in reversed(tables) if self.house.game.settles_from_right else tables:
                self._tell(table, table.seat)
            first = min(needs, key=lambda need: need.turn, default=None)
            if waiting and (first is None or first.turn > 0):
                self.turn = self._turn(*waiting[0])
                return
            if first is None:
                self.turn = None
                self._share_pots()
                return
            self._allot(first)

    def _allot(self, need: _Need) -> None:
        if self.used + need.count > len(self.shoe):
            raise BadInput(f"the shoe has {len(self.shoe)} cards left, too few to finish the round; shuffle first")
        self.allotted[need.owner] = tuple(self.shoe[self.used : self.used + need.count])
        self.used += need.count

    def _turn(self, table: _SeatTable, need: _NeedChoice) -> Turn:
        def seen(who: str) -> tuple[str, ...]:
            return tuple(card_name(table.cards[s]) for g in table.groups if g.who == who and g.seen for s in g.slots)

        return Turn(
            table.seat,
            need.name,
            need.choices,
            seen(PLAYER),
            seen("dealer"),
            seen("board"),
            tuple(table.made),
            dict(table.cards),
        )

    # ---- the log

    def _tell(self, table: _SeatTable, seat: int) -> None:
        """Write what is new at this seat into the log, in order; shared events once."""
        ordinal: dict[str, int] = {}
        for number, event in enumerate(table.events):
            shared = not isinstance(event, Bet | Settle | Share | Carry) and getattr(event, "who", "table") != PLAYER
            name = f"{type(event).__name__} {getattr(event, 'who', '')}"
            ordinal[name] = ordinal.get(name, -1) + 1
            key = (name, ordinal[name])
            done = number < self._told.get(seat, 0) or (shared and key in self._shared)
            if isinstance(event, Deal) and not all(s in table.cards for s in event.slots):
                return
            if not done:
                self._write(table, seat, event)
            self._shared.add(key) if shared else None
            self._told[seat] = max(self._told.get(seat, 0), number + 1)

    def _write(self, table: _SeatTable, seat: int, event: object) -> None:
        if isinstance(event, Deal):
            cards = [card_name(table.cards[s]) for s in event.slots]
            out: Event = {
                "event": "deal",
                "to": event.who,
                "cards": cards,
                "face": event.face,
            }
            self.events.append(out | ({"seat": seat} if event.who == PLAYER else {}))
        elif isinstance(event, Burn):
            self.events.append({"event": "burn", "count": event.count})
        elif isinstance(event, Reveal):
            cards = [card_name(table.cards[s]) for s in event.slots]
            out = {"event": "reveal", "who": event.who, "cards": cards}
            self.events.append(out | ({"seat": seat} if event.who == PLAYER else {}))
        elif isinstance(event, Bet):
            if (stake := self._stake(table, event.wager)) is not None:
                self.events.append({"event": "bet", "seat": seat, "wager": event.wager, "amount": str(stake)})
        elif isinstance(event, Settle):
            if (stake := self._stake(table, event.wager)) is not None:
                row = event.rows.names[table.value(event.rows.index)]
                net = self.house.net(event.wager, row, stake) * stake
                pays = show_pay(self.house.tables[event.wager].pay(row))
                out = {"event": "settle", "seat": seat, "wager": event.wager, "row": row, "because": event.because}
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
        """The dollars on a wager, or None when this seat has not bet it."""
        lead = self.seats[table.seat - 1].bets.get(self.house.lead(wager))
        return None if lead is None else lead * table.bets.get(wager, 1)

    # ---- afterwards

    def settled(self, seat: int = 1) -> list[Event]:
        return [e for e in self.events if e["event"] == "settle" and e["seat"] == seat]

    def net(self, seat: int = 1) -> Fraction:
        """What the seat has won or lost in dollars, so far."""
        return sum((Fraction(e["net"]) for e in self.settled(seat)), Fraction(0))

    def carried(self, seat: int = 1) -> dict[str, int]:
        """What the seat carries into its next round."""
        return {e["name"]: int(e["value"]) for e in self.events if e["event"] == "carry" and e["seat"] == seat}
