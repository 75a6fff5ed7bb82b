"""A table for as long as people sit at it: shoe, seats, bets, purses, what each seat carries, who plays for whom.

Nothing is printed and nobody is asked. Bets and choices are sent in; turns, views and the log come out. A terminal, a
browser and a script are faces on this, and what a face cannot get from `view` it must not show.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from operator import is_
from typing import Any

from pitboss.live.bots import Player, least_bets
from pitboss.live.cost import Costs, short_of
from pitboss.live.events import Bets
from pitboss.live.journal import Journal
from pitboss.live.live import Round, Turn
from pitboss.live.log import log_of, nowhere
from pitboss.live.meters import Meters
from pitboss.live.purses import Amount, Purses
from pitboss.live.result import Result
from pitboss.live.seat import Seat
from pitboss.live.shoe import Shoe
from pitboss.live.view import SeatView, ShoeView, View, view_of
from pitboss.rules.errors import BadInput, mapped
from pitboss.rules.house import House
from pitboss.rules.numbers import dollars, written
from pitboss.rules.paytables import money
from pitboss.rules.trace import trace

Log = dict[str, Any]
NO_BETS: Bets = {}
NOTHING = Fraction(0)


class Session:
    """A live table; `table` opens one. Bets come first, then `deal`, then a choice for every `turn` until it is None;
    the next bets clear the layout. What cannot be done is refused in one sentence and changes nothing."""

    def __init__(
        self,
        house: House,
        seats: int = 1,
        *,
        shoe: Shoe | None = None,
        purses: Mapping[int, Amount] | Amount | None = None,
        spots: Collection[Sequence[int]] = (),
        bots: Mapping[int, Player] | None = None,
        bot_bets: Callable[[House, int], Bets] | None = None,
        log: Callable[[Log], object] | None = None,
        journal: Journal | None = None,
        paused: bool = False,
    ) -> None:
        self.house, self.graph = house, trace(house)
        house.check_seats(seats, self.graph.most_cards(seats))
        self.seats = range(1, seats + 1)
        self.shared = {name for end in self.graph.ends() for name in end.shares}
        self.purses = Purses(seats, spots)
        self.purses.fill(purses)
        self.bots = dict(bots or {})
        self._bot_bets = bot_bets or (lambda house, seat: least_bets(house))
        for seat in self.bots:
            self.purses.check(seat)
        self.shoe = shoe or Shoe(house)
        self.shuffled = False  # whether the dealer shuffled for the round, where that is not done for every round
        self.paused = paused
        self.round: Round | None = None  # the one in play, or the last one
        self.rounds = 0  # played to their end
        self._logs: list[Log] = []
        self._log = log or self._logs.append
        self.journal = journal
        self._meters = Meters(house)
        if journal is not None:
            journal.begin(house, self.shoe)
        self._carried: dict[int, dict[str, int]] = {}
        self._bets: dict[int, Bets] = {}
        self._tokes: dict[int, Bets] = {}
        self._lies: dict[int, tuple[Bets, Bets, Fraction]] = {}  # seat -> its bets, and what they come to
        self._before_him: dict[int, tuple[list[Fraction], Fraction]] = {}  # a player's chips, and what they come to
        self._costs = Costs(house)
        self._before, self._kept, self._fed = house, dict[int, dict[str, int]](), dict[str, Fraction]()  # as it began
        self._held: dict[int, Fraction] = {}  # seat -> what its stakes may come to after its last choice
        self._booked: Round | None = None  # the last one whose money is in the purses
        self._swept = False
        self._sweep()

    def close(self) -> None:
        """Nobody plays here any more: a round in play is forfeited, and the file of the log is free for others."""
        while self.in_play and self.round is not None:
            self.leave(next(seat for seat in self.round.playing if seat not in self.round.record.gone))
        if self.journal is not None:
            self.journal.close()

    @property
    def showing(self) -> House:
        """The house with its meters where they are now."""
        return self._meters.house

    # ---- money

    def buy_in(self, seat: int, amount: Amount) -> None:
        """Chips for the player's purse, between rounds or in one. Who has bought in cannot bet more than he has."""
        self.purses.buy_in(seat, amount)

    def purse(self, seat: int) -> Fraction:
        """The dollars before the player, without what lies on the table; without a buy-in, what he has won or lost."""
        own, round_ = self.purses.own(seat), self.round if self.in_play else None
        parts = [self.purses.chips(seat)]
        for one in own:
            parts += (round_.net(one) if round_ is not None and one in round_.playing else NOTHING, self.on_layout(one))
        known = self._before_him.get(own[0])  # asked of every seat after every step, and most are as they were
        if known is None or len(known[0]) != len(parts) or not all(map(is_, known[0], parts)):
            known = self._before_him[own[0]] = parts, parts[0] + sum(parts[1::2]) - sum(parts[2::2])
        return known[1]

    def on_layout(self, seat: int) -> Fraction:
        """The dollars that a seat has on the table now: its bets, those for the dealer included."""
        if self.in_play and self.round is not None:
            return self.round.record.at_risk(seat) if seat in self.round.playing else NOTHING
        bets, tokes = self._bets.get(seat, NO_BETS), self._tokes.get(seat, NO_BETS)
        if (known := self._lies.get(seat)) is None or known[0] is not bets or known[1] is not tokes:
            total = sum((*self.house.laid(bets).values(), *tokes.values()), Fraction(0))
            known = self._lies[seat] = bets, tokes, total
        return known[2]

    # ---- between rounds

    def bet(self, seat: int, bets: Mapping[str, Amount] | None = None, /, **more: Amount) -> None:
        """The seat's bets for the next round: `bet(1, ante=10, suit_tie=5)`, or a mapping for names that Python cannot
        spell. What was bet before stays unless it is named again; 0 takes it back. A seat without bets sits out."""
        self._place(seat, self._bets, self._asked(bets, more))

    def toke(self, seat: int, bets: Mapping[str, Amount] | None = None, /, **more: Amount) -> None:
        """The same for bets that the player makes for the dealer."""
        self._place(seat, self._tokes, self._asked(bets, more))

    def bets(self, seat: int) -> Bets:
        """What the seat has bet for the next round."""
        self.purses.check(seat)
        return dict(self._bets.get(seat, {}))

    def tokes(self, seat: int) -> Bets:
        """What the seat has bet for the dealer for the next round."""
        self.purses.check(seat)
        return dict(self._tokes.get(seat, {}))

    def _asked(self, bets: Mapping[str, Amount] | None, more: Mapping[str, Amount]) -> Bets:
        named = mapped("bets", bets, "bet(1, ante=10)")
        named |= {name.rstrip("_").replace("_", "-"): amount for name, amount in more.items()}
        if odd := [name for name in named if name not in self.house.parties]:
            self.house.check_bets(dict.fromkeys(odd, Fraction(0)))
        return {name: dollars(name, amount) for name, amount in named.items()}

    def _place(self, seat: int, kind: dict[int, Bets], wanted: Bets) -> None:
        self.purses.check(seat)
        if self.in_play:
            raise BadInput(f"the cards are dealt and bets are closed; {self._waiting()}")
        before = kind.get(seat, {})
        after = {name: amount for name, amount in {**before, **wanted}.items() if amount}
        kind[seat] = {name: after[name] for name in self.house.parties if name in after}
        try:
            self._check_bets(seat)
        except BadInput:
            kind[seat] = before
            raise
        self._sweep()

    def _check_bets(self, seat: int) -> None:
        bets, tokes = self._bets.get(seat, {}), self._tokes.get(seat, {})
        if bets or tokes:
            self.house.check_seat(bets, tokes)
            self.house.check_table(self._bets.values())
        if self.purses.limited(seat) and (left := self.purse(seat)) < 0:
            placed = sum((*self.house.laid(bets).values(), *tokes.values()), Fraction(0))
            raise BadInput(f"seat {seat} cannot bet ${money(placed)}: it has ${money(placed + left)} in chips")

    def _sweep(self) -> None:
        """The layout is cleared for new bets; computer players make theirs, if they can pay for them."""
        if self._swept:
            return
        self._swept = True
        for seat in self.bots:
            try:
                self._place(seat, self._bets, self._bot_bets(self.house, seat))
            except BadInput:
                self._bets.pop(seat, None)

    # ---- a round

    @property
    def in_play(self) -> bool:
        return self.round is not None and self.round.turn is not None

    @property
    def turn(self) -> Turn | None:
        """The decision that the table waits for, as the seat that has it sees it."""
        return None if self.round is None else self.round.turn

    def deal(self) -> None:
        """The bets are closed and the round begins; the dealer shuffles first when the cut card is out."""
        if self.in_play:
            raise BadInput(f"a round is in play; {self._waiting()}")
        if self.bots:
            self._sweep()  # they may be the only ones who bet
        if not (playing := [seat for seat in self.seats if self._bets.get(seat)]):
            raise BadInput("nobody has bet; a seat needs a bet before the cards are dealt")
        self.shuffled = False
        if self.shoe.out or len(self.shoe.rest()) < self.graph.most_cards(len(playing)):
            self.shoe.shuffle()
            self.shuffled = not self.shoe.every_round
        seats = [
            Seat(self._bets[s], dict(self._carried.get(s, {})), self._tokes.get(s, {})) if s in playing else None
            for s in self.seats
        ]
        if self.journal is not None:
            self.journal.opened(seats, self.shoe)
        before = self._before = self._meters.house
        self._kept = {seat: dict(kept) for seat, kept in self._carried.items()}
        try:
            at = self._meters.bet(seat.bets for seat in seats if seat is not None)
            self._fed = {n: at.amount(n) - before.amount(n) for n in self._meters.names}
            self.round = Round(at, self.shoe.rest(), seats, more=self.shoe.discards)
        except BaseException:  # the bets are not down
            self._meters.house = before
            raise
        for seat in self.seats:
            if seat not in playing:
                self._carried.pop(seat, None)  # without the bet there is no streak
        self._swept, self._bets, self._tokes, self._held = False, {}, {}, {}
        self._went_on()

    def choose(self, seat: int, choice: str) -> None:
        """The player whose turn it is chooses."""
        turn = self._awaited()
        self.purses.check(seat)
        if seat == turn.seat and seat in self.bots:
            raise BadInput(f"a computer player has seat {seat}; it chooses for itself")
        self._make(seat, choice)
        self._went_on()

    def act(self) -> tuple[Turn, str]:
        """The computer player whose turn it is chooses, at a table that is `paused` for it: what it can pay for."""
        turn = self._awaited()
        if turn.seat not in self.bots:
            raise BadInput(f"no computer player has seat {turn.seat}; {self._waiting()}")
        choice = self.bots[turn.seat](turn, self.view(turn.seat))
        if choice in turn.choices and self.purses.limited(turn.seat) and self._cost(choice) > self._free(turn.seat):
            choice = next((c for c in turn.choices if self._cost(c) <= self._free(turn.seat)), choice)
        self._make(turn.seat, choice)
        self._settle_up()
        return turn, choice

    def leave(self, seat: int) -> dict[int, Bets]:
        """The player of this seat goes, with all his spots; between rounds with his bets. In a round what is settled
        stands and the rest is forfeited (seat -> wager -> dollars). The round goes on for the others; when only
        computer players are left it ends there, and they take their bets back."""
        own = self.purses.own(seat)
        lost: dict[int, Bets] = {}
        if not self.in_play or self.round is None:
            for one in own:
                self._bets.pop(one, None)
                self._tokes.pop(one, None)
        else:
            there = [one for one in self.round.playing if one not in self.round.record.gone]
            lost = {one: bets for one in own if one in there and (bets := self.round.unsettled(one))}
            others = [one for one in there if one not in own and one not in self.bots]
            self.round.leave(*(one for one in there if one in own), ends=not others)
            self._went_on()
        for one in own:
            self._carried.pop(one, None)
            self.bots.pop(one, None)
        return lost

    def result(self, seat: int) -> Result:
        """What the last round brought to a seat."""
        self.purses.check(seat)
        if self.round is None or self.in_play:
            raise BadInput(f"there is no result yet; {self._waiting()}")
        if seat not in self.round.playing:
            raise BadInput(f"seat {seat} sat out the last round")
        gone = {e["seat"]: e["forfeits"] for e in self.round.events if e["event"] == "leave"}
        return Result(
            seat,
            self.round.net(seat),
            tuple(dict(e) for e in self.round.settled(seat)),
            tuple(dict(e) for e in self.round.tokes(seat)),
            {name: written(x) for name, x in gone[seat].items()} if seat in gone else None,
        )

    def log(self) -> list[Log]:
        """Every round that is over, each with all that it takes to play it again; one that its players left is
        `abandoned`. Empty at a table that hands its log to somebody else."""
        return list(self._logs)

    def carried(self, seat: int) -> dict[str, int]:
        """What the seat carries into its next round."""
        self.purses.check(seat)
        return dict(self._carried.get(seat, {}))

    def view(self, seat: int | None, heard: int = 0, same: Mapping[int, SeatView] | None = None) -> View:
        """What the player of this seat may see now: the bets, or the round; without a seat, what everybody sees. He is
        told the events that he has not `heard`; `same` are seats of the round that look as they did."""
        own, purse = ((), None) if seat is None else (self.purses.own(seat), self.purse(seat))
        pots = [name for name in self.house.parties if name in self.shared]
        dealt = self.shoe.dealt + (self.round.used if self.in_play and self.round is not None else 0)
        shoe = ShoeView(dealt, self.shoe.cut, self.shoe.every_round)
        if self.round is not None and not self._swept:
            return replace(view_of(self.round, own, pots, heard, same), shoe=shoe, purse=purse)
        placed = {one: bets for one in self.seats if (bets := self._bets.get(one))}
        laid, given = self.house.laid, self._tokes.get
        seats = {one: SeatView(one, one in own, (), bets, laid(bets), dict(given(one, {})), carried=self.carried(one))
                 for one, bets in placed.items()}  # fmt: skip
        lie = {name: sum((b.get(name, Fraction(0)) for b in placed.values()), Fraction(0)) for name in pots}
        return View(own, seats, pots={name: pot for name, pot in lie.items() if pot}, shoe=shoe, purse=purse)

    def costs(self) -> dict[str, Fraction]:
        """What each choice of the turn may put on the table, whatever lies hidden."""
        return {choice: self._cost(choice) for choice in self._awaited().choices}

    def short(self, choice: str) -> str:
        """Why the seat whose turn it is cannot pay for a choice; nothing where it can."""
        seat = self._awaited().seat
        pays = not self.purses.limited(seat) or self._cost(choice) <= self._free(seat)
        return "" if pays else short_of(choice, self.costs(), seat, self._free(seat))

    @property
    def cleared(self) -> bool:
        """Whether the last round is off the layout: there was none, or bets for the next one lie there."""
        return self.round is None or self._swept

    # ---- how a round goes on

    def _waiting(self) -> str:
        """What is to be done next, for messages."""
        if (turn := self.turn) is None:
            return "bet and deal first"
        *first, last = turn.choices
        return f"it is seat {turn.seat}'s turn to choose {', '.join(first)} or {last}"

    def _awaited(self) -> Turn:
        if (turn := self.turn) is None:
            raise BadInput(f"there is nothing to choose; {self._waiting()}")
        return turn

    def _make(self, seat: int, choice: str) -> None:
        """A choice that cannot be made, or paid, leaves the table as it was."""
        assert self.round is not None
        self.round.awaited(choice, seat)
        held = dict(self._held)
        if self.purses.limited(seat):
            if why := self.short(choice):
                raise BadInput(why)
            held[seat] = self._cost(choice) + sum(self.round.stakes(seat).values(), Fraction(0))
        before = self.round.fork()
        try:
            self.round.choose(choice, seat)
        except BaseException:
            self.round = before.again()
            raise
        self._held = held

    def _cost(self, choice: str) -> Fraction:
        """What a choice of the seat whose turn it is may put on the table, whatever lies hidden."""
        assert self.round is not None
        seat = self._awaited().seat
        return self._costs.most(self.round.seats[seat - 1], self.round.way(seat), choice)

    def _free(self, seat: int) -> Fraction:
        """The player's chips, less what choices at his other spots may still come to."""
        assert self.round is not None
        due = (
            max(self._held[one] - sum(self.round.stakes(one).values(), Fraction(0)), Fraction(0))
            for one in self.purses.own(seat)
            if one != seat and one in self._held
        )
        return self.purse(seat) - sum(due, Fraction(0))

    def _went_on(self) -> None:
        while not self.paused and (turn := self.turn) is not None and turn.seat in self.bots:
            self.act()
        self._settle_up()

    def _settle_up(self) -> None:
        """After the last decision: the round into the log, the cards go to the rack and the money to the purses."""
        if self.round is None or self.in_play or self._booked is self.round:
            return
        log = {} if self._log is nowhere else log_of(self.round)
        if self.journal is not None:
            self.journal.closed(log)
        self._booked = self.round
        self._meters.settled(self.round.events)
        self.shoe.advance(self.round.used)
        for seat in self.round.playing:
            self.purses.pay(seat, self.round.net(seat))
        if not self.round.abandoned:
            for seat in self.round.playing:
                if seat not in self.round.record.gone:
                    self._carried[seat] = self._carried.get(seat, {}) | self.round.carried(seat)
            self.rounds += 1
        self._log(log)
