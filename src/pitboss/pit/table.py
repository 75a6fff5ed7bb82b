"""A live table: a session and the events that led to it. A command becomes events, or is refused in one sentence.

What is in the events is enough to do it all again: what was asked for, and the shuffle that was committed to. What
follows from that (a round is settled, a secret is shown, a new shoe is prepared) is written down too, so that a replay
can be held against it.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from pitboss.cards.fair import commitment, shuffle_key
from pitboss.live.log import log_of, nowhere
from pitboss.live.meters import hit
from pitboss.live.shoe import Shoe
from pitboss.live.standing import Standing
from pitboss.live.undo import undo
from pitboss.pit import accounts
from pitboss.pit.commands import to_cents
from pitboss.pit.happened import Extra, Happened, Sitting
from pitboss.pit.recall import in_short, proved, shoe_of
from pitboss.pit.shared import HEARD, Meters, Pool
from pitboss.pit.takings import Takings
from pitboss.pit.whose import check_fits
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.numbers import written


class Table:
    """One table. `happen` does what an event says; `again` does what has happened before."""

    def __init__(self, id: str, house: House, opening: Mapping[str, Any], meters: Meters) -> None:
        self.id, self.opening = id, dict(opening)
        self.group: str = opening["group"]
        self.secret, self.number, self.begun = "", 0, False  # of the shoe; whether its cards are in order
        self.seeds: dict[int, str] = {}
        self.sitting: dict[int, Sitting] = {}
        self.leaving: set[int] = set()  # seats of players who left the round in play
        self.paused = self.closed = False
        self.pace: dict[str, int] = dict(opening["pace"])
        self.rounds = 0  # dealt
        self.given = 0  # cents that the dealers were given
        self.takings = Takings()
        self._due, self._from = False, 0  # whether a round is dealt and not settled; where in the shoe it began
        self.dealt_from = 0  # the number of that shoe; with the last card of a shoe the next one has a number
        self._told = self._given_now = 0  # of the round: events looked at, cents for the dealers
        self._seen_at: list[tuple[int, dict[str, Fraction]]] = []  # after how many choices the meters showed what
        pays = [pay for wager in house.parties for _, pay in house.meters(wager)]
        self.meter_names = tuple(dict.fromkeys(pay.meter for pay in pays))
        self.pool = Pool(meters, self.group, self.meter_names)
        for option in {o for pay in pays for o in (pay.meter, pay.seed, pay.increment)}:
            to_cents(house.amount(option), f"the option {option}")
        for name in self.meter_names:
            meters.shown.setdefault((self.group, name), house.amount(name))
        self.session = Standing(house, opening["seats"], shoe=self._shoe(house), log=nowhere)
        self.session.show_meters(self.pool.shown())
        self._lain = accounts.picture(id, self.session)  # chips and bets as the last event left them

    # ---- what it is

    @property
    def house(self) -> House:
        return self.session.house

    @property
    def in_play(self) -> bool:
        return self.session.in_play

    @property
    def name(self) -> str:
        return str(self.opening["name"])

    def seats_of(self, player: str) -> tuple[int, ...]:
        return tuple(number for number, who in sorted(self.sitting.items()) if who.player == player)

    def chips(self, seat: int) -> int:
        """The cents before a player, at the first of his seats."""
        return self._lain[accounts.seat(self.id, seat)]

    @property
    def commitment(self) -> str:
        """What the players are shown of the secret before they bet."""
        return commitment(self.secret)

    @property
    def meters(self) -> Meters:
        return self.pool.meters

    # ---- commands and their replay

    def as_it_is(self) -> Callable[[], None]:
        """The way back to what the table is now."""
        itself, session = undo(self, self.takings, self.pool, self.meters), self.session.as_it_is()

        def back() -> None:
            itself()
            session()

        return back

    def again(self, kind: str, body: Mapping[str, Any], secret: Callable[[], str]) -> list[Happened]:
        """The same once more, with the meters as they were then."""
        self.pool.hear(body)
        return self.happen(kind, body, secret)

    def happen(self, kind: str, body: Mapping[str, Any], secret: Callable[[], str]) -> list[Happened]:
        """An event, and what follows from it; one sentence (BadInput) where it cannot be, and then only the way back
        leads to what was."""
        check_fits(self, kind, body)
        before = self._lain | self._aside()
        extra: Extra = getattr(self, f"_do_{kind}")(body) or []
        out = [Happened(kind, body)]
        if self._due and not self.in_play:
            self._due = False
            out.append(Happened("settle", self._settled()))
            for seat in sorted(self.leaving):
                extra += self._depart(seat)
                out.append(Happened("depart", {"seat": seat}))
        if "meters" in body:
            self.pool.heard = self.meters.told(self.group, self.meter_names)
        paid = next((i for i, h in enumerate(out) if h.kind == "settle"), 0)
        touched = self.session.purses.own(body["seat"]) if kind == "bet" else self.session.seats
        self._lain = self._lain | accounts.picture(self.id, self.session, touched)
        moves = accounts.moves(self.id, before, self._lain | self._aside(), extra)
        out[paid] = Happened(out[paid].kind, out[paid].body, moves)
        return out + self._next_shoe(secret)

    def picture(self) -> dict[str, int]:
        """The cents of every account of this table."""
        return accounts.picture(self.id, self.session) | self._aside()

    def _aside(self) -> dict[str, int]:
        """Meters, which other tables change too, and what the dealers were given."""
        return {
            **{accounts.meter(self.group, n): to_cents(x, f"the meter {n}") for n, x in self.pool.shown().items()},
            accounts.tokes(self.id): self.given,
        }

    # ---- who sits, and what he has

    def _do_sit(self, body: Mapping[str, Any]) -> None:
        seat, player = body["seat"], body["player"]
        if own := self.seats_of(player):
            self.session.purses.join(seat, own[0])
        else:
            self.session.buy_in(seat, 0)
        self.sitting[seat] = Sitting(player, body["name"], body["bot"])

    def _do_stand(self, body: Mapping[str, Any]) -> Extra:
        """A player gets up from an idle seat, and it is free; out of a round from all of his, and they are free when it
        is over."""
        seat, round_ = body["seat"], self.session.round
        if self.in_play and round_ is not None and seat in round_.playing:
            if seat in self.leaving:
                raise BadInput(f"seat {seat} has left the round already")
            self._show_meters()
            self.session.leave(seat)
            self.leaving |= {*self.session.purses.own(seat)}
            self._after_step()
            return []
        return self._depart(seat)

    def _depart(self, seat: int) -> Extra:
        """The seat is free; the chips of a player who has no other go back to his purse."""
        self.leaving.discard(seat)
        self.session.take_back(seat)
        chips = to_cents(self.session.purses.vacate(seat), "the chips")
        player = self.sitting.pop(seat).player
        if not self.begun:
            self.seeds.pop(seat, None)
        return [(accounts.purse(player), chips)] if chips else []

    def _do_buy(self, body: Mapping[str, Any]) -> Extra:
        self.session.buy_in(body["seat"], Fraction(body["cents"], 100))
        return [(accounts.purse(body["player"]), -body["cents"])]

    def _do_cash(self, body: Mapping[str, Any]) -> Extra:
        seat, amount = body["seat"], Fraction(body["cents"], 100)
        if self.in_play:
            raise BadInput("chips are changed back between rounds")
        if self.session.purse(seat) < amount:
            raise BadInput(f"seat {seat} has less than that before it")
        self.session.purses.pay(seat, -amount)
        return [(accounts.purse(body["player"]), body["cents"])]

    # ---- a round

    def _do_bet(self, body: Mapping[str, Any]) -> None:
        if self.paused:
            raise BadInput(f"table {self.name} is paused; bets are taken when it goes on")
        bets, tokes = ({name: written(x) for name, x in body[kind].items()} for kind in ("bets", "tokes"))
        self.session.place(body["seat"], bets, tokes)

    def _do_seed(self, body: Mapping[str, Any]) -> None:
        if self.begun:
            raise BadInput("the cards of this shoe are in order already; a seed is for the next one")
        self.seeds[body["seat"]] = body["seed"]

    def _do_deal(self, body: Mapping[str, Any]) -> None:
        if self.paused:
            raise BadInput(f"table {self.name} is paused")
        if not self.in_play and any(self.session.bets(seat) for seat in self.session.seats) and not self.begun:
            self.begun = True  # the seeds are in: the cards are put in order
            self.session.shoe = self._shoe(self.house)
        self.session.show_meters(self.pool.shown())
        self._from, self.dealt_from = self.session.shoe.dealt, self.number
        self.session.deal()
        self.rounds += 1
        self._due, self._told, self._given_now = True, 0, 0
        self.pool.begin({name: self.session.fed(name) for name in self.meter_names})
        self._seen_at = [(0, self.pool.shown())]
        self._after_step()

    def _do_choose(self, body: Mapping[str, Any]) -> None:
        self._show_meters()
        self.session.choose(body["seat"], body["choice"])
        self._after_step()

    def _do_void(self, body: Mapping[str, Any]) -> None:
        """Meters give back what the round fed them, and have again what it has won. What another round has won of it
        since is the rack's loss: a meter never pays twice, and the players get back all that they have bet."""
        comes = {**self.cards(), **self.pool.voided()}
        if odd := [name for name, at in comes.items() if body.get(name, at) != at]:
            raise BadInput(f"{odd[0]} is not {body[odd[0]]!r} in the round that is void")
        if odd := [name for name in ("rack", "taken", "undoes", "back") if name in body and name not in comes]:
            raise BadInput(f"{odd[0]} is nothing in the round that is void")
        self.session.void()
        self.pool.void(body)
        self.given -= self._given_now
        self._due, self._given_now = False, 0
        self.leaving.clear()

    def _show_meters(self) -> None:
        """What other tables have done to the shared meters since the deal; a hit of this round is paid from there."""
        shown, round_ = self.pool.shown(), self.session.round
        if round_ is not None and shown != self._seen_at[-1][1]:
            self._seen_at.append((len(round_.choices), shown))
        self.session.show_meters(shown)

    def _after_step(self) -> None:
        """What the last step did to the shared meters and to the dealers' tokes."""
        round_ = self.session.round
        assert round_ is not None
        for event in round_.events[self._told :]:
            if event["event"] in ("settle", "toke") and (pay := hit(self.house, event["wager"], event["row"])):
                self.pool.hit(pay.meter, self.house.amount(pay.seed))
            if event["event"] == "toke":
                got = to_cents(written(event["stake"]) + written(event["net"]), "a bet for the dealer")
                self.given, self._given_now = self.given + got, self._given_now + got
        self._told = len(round_.events)

    def cards(self) -> dict[str, int]:
        """The number of the round in play, where in the shoe it began, and how many cards it has used."""
        round_, at = self.session.round, {"round": self.rounds, "from": self._from}
        return {} if round_ is None or not self.in_play else {**at, "used": round_.used}

    def _settled(self) -> dict[str, Any]:
        """The round in short: what it takes to hold a replay against it."""
        round_ = self.session.round
        assert round_ is not None
        self.takings.count(round_)
        log = log_of(round_)
        return {
            "round": self.rounds,
            "nets": {str(seat): to_cents(round_.net(seat), "a result") for seat in round_.playing},
            "players": {str(seat): self.sitting[seat].player for seat in round_.playing},
            **in_short(round_, log, self._seen_at[1:]),
            **proved(log, self.secret, self.id, self.number, self.rounds),
            "shoe": self.number,
            "from": self._from,
        }

    # ---- the house's own

    def _do_limits(self, body: Mapping[str, Any]) -> None:
        self.session.set_limits(body["options"])
        self.opening["options"] = {**self.opening["options"], **body["options"]}

    def _do_pace(self, body: Mapping[str, Any]) -> None:
        self.pace = {"bet": body["bet"], "act": body["act"]}

    def _do_pause(self, body: Mapping[str, Any]) -> None:
        self.paused = body["paused"]

    def _do_close(self, body: Mapping[str, Any]) -> Extra:
        if self.in_play:
            raise BadInput("a round is in play; finish it or void it first")
        out = [one for seat in sorted(self.sitting) for one in self._depart(seat)]
        self.closed = True
        return out

    # ---- the shoe

    def _shoe(self, house: House) -> Shoe:
        """Cards in the order that secret and seeds give; as they come while nothing is dealt."""
        seeds = [self.seeds[seat] for seat in sorted(self.seeds)]
        key = shuffle_key(self.secret, self.id, self.number, seeds) if self.begun else None
        return shoe_of(house, self.opening, key)

    def _next_shoe(self, secret: Callable[[], str]) -> list[Happened]:
        """When the cut card is out the secret is shown, and the next shoe is committed to before anybody bets."""
        if self.in_play or not self.begun:
            return []
        need = self.session.graph.most_cards(len(self.session.seats))
        if not self.closed and not self.session.shoe.out and len(self.session.shoe.rest()) >= need:
            return []
        seeds = {str(seat): seed for seat, seed in sorted(self.seeds.items())}
        shown = Happened("reveal", {"shoe": self.number, "secret": self.secret, "seeds": seeds})
        if self.closed:
            self.begun = False
            return [shown]
        return [shown, self.commit(secret())]

    def commit(self, secret: str) -> Happened:
        """The next shoe: its secret is kept beside the log, what it is bound by goes into it."""
        self.secret, self.number, self.seeds, self.begun = secret, self.number + 1, {}, False
        body = {"shoe": self.number, "commitment": self.commitment}
        return Happened("shoe", body, secrets={f"shoe {self.number}": secret})

    # ---- put down and taken up

    def state(self) -> dict[str, Any]:
        """The table between two rounds, in plain values without the secret of its shoe."""
        return {
            "opening": self.opening, "sitting": {str(s): asdict(who) for s, who in self.sitting.items()},
            "number": self.number, "begun": self.begun, "seeds": {str(s): seed for s, seed in self.seeds.items()},
            "paused": self.paused, "closed": self.closed, "pace": self.pace, "rounds": self.rounds,
            "given": self.given, "takings": self.takings.state(), "session": self.session.state(),
            **self.pool.heard,
        }  # fmt: skip

    def restore(self, state: Mapping[str, Any], secret: str) -> None:
        self.sitting = {int(seat): Sitting(**who) for seat, who in state["sitting"].items()}
        self.secret, self.number, self.begun = secret, state["number"], state["begun"]
        self.seeds = {int(seat): seed for seat, seed in state["seeds"].items()}
        self.paused, self.closed, self.pace = state["paused"], state["closed"], dict(state["pace"])
        self.rounds, self.given = state["rounds"], state["given"]
        self.takings = Takings.of(state["takings"])
        self.pool.heard = {what: state[what] for what in HEARD if what in state}
        self.session.shoe = self._shoe(self.house)
        self.session.restore(state["session"])
        self._lain = accounts.picture(self.id, self.session)
