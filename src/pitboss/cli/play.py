"""A real hand at a terminal table: a face on `pitboss.table`, for any game file.

Nothing here is a rule. What lies where comes from the events of the round, what may be bet from the house, what may be
chosen from the turn, and what a choice is worth from the exact analysis.
"""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from rich.console import Console, RenderableType
from rich.text import Text

from pitboss.cli import faces, seats, talk
from pitboss.cli.seats import Advice, Bets, Worth, sitting
from pitboss.exact import Book, OpenGame, Parts, Solver, TooLarge
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.paytables import money
from pitboss.rules.wagers import Wager
from pitboss.table import Round, Seat, Shoe, Turn, log_of

Read = Callable[[str], str]

DEAL_KEYS = "Enter deals, b changes the bets, ? explains, q leaves"
TURN_KEYS = "? help, q leave"


def run(
    house: House,
    bets: Bets,
    *,
    read: Read,
    console: Console,
    shoe: Shoe | None = None,
    log: Path | None = None,
    json_lines: bool = False,
    rounds: int | None = None,
    seats: int | None = None,
    spots: int = 1,
    coach: bool = False,
    tokes: Bets | None = None,
) -> int:
    """Play until the player leaves, the input ends or so many rounds are over; the exit code is 0.

    The player has the first seats, as many as his spots; at the others sit computer players. A coach says after every
    choice which one was best. With `json_lines` a script plays: nothing is drawn, and input that a person would be
    asked about again is an error.
    """
    house.check_bets(bets)
    house.check_tokes(tokes or {}, bets)
    sit = sitting(house, spots, seats)
    book = Book(house)
    house.check_seats(sit, book.graph.most_cards(sit))
    if log is not None:
        _append(log, "")  # a log that cannot be written is better known before the first bet
    table = _Table(
        house, bets, read, console, shoe or Shoe(house), log, json_lines, book, sit, spots, coach, tokes or {}
    )
    try:
        table.open()
        while rounds is None or table.tally.rounds < rounds:
            table.before_the_deal()
            table.play_round()
    except (EOFError, KeyboardInterrupt):
        table.say()  # the prompt's line was never ended
        table.abandon()
    except _Leaves:
        table.abandon()
    table.close()
    return 0


class _Leaves(Exception):
    """The player asked to go."""


@dataclass
class _Table:
    """One player's session."""

    house: House
    bets: Bets
    read: Read
    console: Console
    shoe: Shoe
    log: Path | None
    quiet: bool  # a script plays
    book: Book
    seats: int
    spots: int  # the first of the seats are his
    coached: bool
    tokes: Bets  # for the dealer, in every round
    carried: dict[int, dict[str, int]] = field(default_factory=dict)  # by seat
    tally: talk.Tally = field(default_factory=talk.Tally)
    round: Round | None = None
    told: int = 0  # events of the round that have been said
    regrets: list[str] = field(default_factory=list)
    explained: bool = False
    advice: Advice | None = None

    # ---- speaking and listening

    def say(self, what: RenderableType = "", style: str = "") -> None:
        if self.quiet:
            return
        shown = Text(what, style) if isinstance(what, str) else what
        if not self.console.options.ascii_only:
            self.console.print(shown, highlight=False)
            return
        with self.console.capture() as drawn:
            self.console.print(shown, highlight=False)
        self.console.file.write(drawn.get().translate(faces.ASCII).encode("ascii", "replace").decode())

    def ask(self, prompt: str) -> str:
        answer = self.read("" if self.quiet else prompt).strip()
        if not sys.stdin.isatty():
            self.say(answer)  # no terminal has echoed it and ended the prompt's line
        return answer

    def refuse(self, why: str) -> None:
        """A person is told and asked again. A script would go on in a round that it does not know it is in."""
        if self.quiet:
            raise BadInput(why)
        self.say(f"{why}.", "yellow")

    @property
    def own(self) -> range:
        return range(1, self.spots + 1)

    # ---- what it is worth

    def worth(self, turn: Turn) -> Worth | None:
        """The expectation of each choice, or None where the game is too large to say."""
        return None if self.advice is None else self.advice(turn, self.carried.get(turn.seat, {}))

    @property
    def unit(self) -> Fraction | None:
        """The dollars of one unit of advice; None where the wagers at stake differ, for then no one factor is right."""
        found = {self.bets[name] for name in self.book.decided if name in self.bets}
        return found.pop() if len(found) == 1 else None

    # ---- between rounds

    def open(self) -> None:
        """Show the table, then count the game, so that no decision has to wait for it."""
        self.show()
        if self.seats > self.spots:
            self.say(seats.company(self.house, self.seats, self.spots))
        elif self.quiet:
            return  # nobody asks what a choice is worth
        try:
            if self.book.graph.open_ended:
                self.say("counting...", "dim")
                game = OpenGame(self.house)
                self.advice = seats.by_drawing(game)
                self._price(game)
            else:
                solver = Solver(self.house)
                self.advice = seats.by_count(solver)
                self._price(solver)
        except TooLarge as error:
            if not self.quiet and not self._counted_apart():
                self.say(f"No hints and no expected result: {error}.", "yellow")

    def _counted_apart(self) -> bool:
        """A game too large to be counted at once may be counted wager by wager, when there is nothing to decide."""
        try:
            parts = Parts(self.house)
            self.say("counting...", "dim")
            self._price(parts)
        except TooLarge:
            return False
        return True

    def _price(self, counted: Solver | Parts | OpenGame) -> None:
        """Wagers between the players are left out: nothing is expected of them, and how they vary is not counted."""
        if not self.quiet:
            parties = [party for party in self.house.parties if party not in self.book.shared]
            self.tally.figures = {party: talk.figures(counted.wager_result(party)) for party in parties}

    def before_the_deal(self) -> None:
        while answer := self.ask(f"{DEAL_KEYS} > ").lower():
            if answer in ("q", "quit"):
                raise _Leaves
            if answer in ("b", "bets"):
                self.change_bets()
                where = "On the table" if self.spots == 1 else "At each spot"
                self.say(f"{where}: {faces.listed(self.bets)}.")
            elif answer == "?":
                self.say(talk.rules(self.house))
            else:
                self.refuse(f"{answer!r} is not a key here: {DEAL_KEYS}")

    def change_bets(self) -> None:
        """Ask every wager before the deal; whether the bets go together is known when all are asked."""
        wanted = dict(self.bets)
        low, high = (money(self.house.amount(limit)) for limit in ("table-min", "table-max"))
        self.say(f"The table minimum is ${low}, the table maximum ${high}.")
        while True:
            for wager in self.house.wagers:
                if not wager.equal_to:
                    self._ask_amount(wager, wanted)
            try:
                self.house.check_bets(wanted)
            except BadInput as error:
                self.refuse(str(error))
            else:
                self.bets = {name: wanted[name] for name in self.house.parties if name in wanted}
                return

    def _ask_amount(self, wager: Wager, wanted: dict[str, Fraction]) -> None:
        now = f"${money(wanted[wager.name])}, Enter keeps it" if wager.name in wanted else "none, Enter bets none"
        also = ", 0 removes it" if wager.name in wanted and not wager.required else ""
        self.say(f"{wager.name}: {wager.who_bets()}; {wager.amount_rule()}")
        while answer := self.ask(f"  now {now}{also} > "):
            try:
                amount = _dollars(answer)
                if amount or wager.required:
                    wager.check_amount(amount, self.house.amount("table-min"), self.house.amount("table-max"))
            except BadInput as error:
                self.refuse(str(error))
                continue
            wanted.pop(wager.name, None)
            if amount:
                wanted[wager.name] = amount
            return

    # ---- a round

    def play_round(self) -> None:
        self.round = self._deal()
        self.regrets, self.told = [], 0
        self._tell_settled(self.round)
        if self.round.turn is not None and self.round.turn.seat > self.spots:  # he looks at his cards all the same
            self.show(self.round)
        while (turn := self.round.turn) is not None:
            if turn.seat <= self.spots:
                self.show(self.round)
                self.decide(self.round, turn)
            else:
                choice, before = seats.best_choice(self.worth(turn), turn), len(self.round.events)
                self.round.choose(choice)
                self.say(Text(seats.told(turn.seat, choice)) + seats.got(self.round, turn, before))
            self._tell_settled(self.round)
        self._finish(self.round)

    def _tell_settled(self, round_: Round) -> None:
        """What is paid or taken while the round goes on is said at once; the rest is settled at its end."""
        if round_.turn is not None:
            for event in round_.events[self.told :]:
                if event["event"] == "settle" and event["seat"] <= self.spots:
                    self.say(talk.settled_early(event, self.spots))
            self.told = len(round_.events)

    def _deal(self) -> Round:
        if self.shoe.out or len(self.shoe.rest()) < self.book.graph.most_cards(self.seats):
            self.shoe.shuffle()
            if not self.every_round:
                self.say("The shoe is dealt out: the dealer shuffles.", "italic")
        players = [
            Seat(dict(b), dict(self.carried.get(n, {})), self.tokes if n <= self.spots else {})
            for n, b in enumerate(self._all_bets(), 1)
        ]
        return Round(self.house, self.shoe.rest(), players, more=self.shoe.discards)

    @property
    def every_round(self) -> bool:
        """Whether the first card dealt brings the cut card: a shoe that is shuffled for every round."""
        return self.shoe.cut <= 1

    def decide(self, round_: Round, turn: Turn) -> None:
        if heading := talk.heading(turn, round_.counts(turn.seat).get(turn.hand, {}), self.spots):
            self.say(heading, "bold")
        numbered = "   ".join(f"{number} {choice}" for number, choice in enumerate(turn.choices, 1))
        taken = any(choice.lower().startswith("h") for choice in turn.choices)  # then h alone is short for that
        keys = ["?", "help", "hint", *([] if taken else ["h"])]
        while True:
            self.say(f"{numbered}      ({'hint' if taken else 'h hint'}, {TURN_KEYS})")
            answer = self.ask("Your choice > ").lower()
            if answer in ("q", "quit") and answer not in turn.choices:
                raise _Leaves
            if answer in keys and answer not in turn.choices:
                self._explain(turn, answer)
                continue
            try:
                choice = _chosen(answer, turn.choices)
            except BadInput as error:
                self.refuse(str(error))
                continue
            self._note(turn, choice)
            round_.choose(choice)
            return

    def _explain(self, turn: Turn, key: str) -> None:
        if self.quiet:
            return
        if key in ("?", "help"):
            self.say(talk.rules(self.house))
            self.say("Choose by number, by name or by the start of a name.")
        elif (worth := self.worth(turn)) is None:
            self.say("There is no hint: this game is too large to be counted.")
        else:
            unit = f"units of the {' and '.join(self.book.decided)}"
            self.say(talk.hint(worth, unit, self.unit))
            seen = "that you see" if self.spots == 1 else f"that spot {turn.seat} alone would see"
            self.say(f"Counted over a full shoe less the cards {seen}; best play afterwards.", "dim")

    def _note(self, turn: Turn, choice: str) -> None:
        """Keep what a choice gave away, to be said when the round is over; a coach says it at once."""
        if self.quiet or (worth := self.worth(turn)) is None:
            return
        if self.coached:
            self.say(talk.verdict(worth, choice, self.unit), "italic")
        elif lost := talk.regret(worth, choice, self.unit):
            self.regrets.append(talk.at_spot(turn.seat, self.spots, lost))

    def _finish(self, round_: Round) -> None:
        self.shoe.advance(round_.used)
        for seat in range(1, self.seats + 1):
            self.carried.setdefault(seat, {}).update(round_.carried(seat))
        net = sum((round_.net(seat) for seat in self.own), Fraction(0))
        self.tally.count(net, self.bets, self.spots)
        line = json.dumps(log_of(round_))
        if self.log is not None:
            _append(self.log, line + "\n")
        if self.quiet:
            self.console.file.write(line + "\n")
            self.console.file.flush()
            return
        self.show(round_)
        pots = seats.pots_in(round_)
        settled = {seat: round_.settled(seat) for seat in self.own}
        why = {seat: [e["because"] for e in events if e["wager"] not in pots] for seat, events in settled.items()}
        for story in [*talk.sentences(why), *seats.stories(round_, self.spots)]:
            self.say(story, "bold")
        wagers = [event for seat in self.own for event in settled[seat]]
        self.say(talk.settlement(self.house, wagers, net, pots, self.console.width, self.spots))
        for toke in (toke for seat in self.own for toke in round_.tokes(seat)):
            self.say(talk.for_the_dealer(toke, self.spots))
        for regret in self.regrets:
            self.say(regret, "italic")
        self.say_tally()

    def abandon(self) -> None:
        """The player leaves; bets that a round in play has not settled are lost."""
        if self.round is None or self.round.turn is None:
            return
        lost = {seat: bets for seat in self.own if (bets := seats.unsettled(self.round, seat))}
        gone = sum((stake for bets in lost.values() for stake in bets.values()), Fraction(0))
        net = sum((self.round.net(seat) for seat in self.own), Fraction(0))
        self.tally.count(net - gone, self.bets, self.spots)
        if lost:
            told = [f"at spot {s} {faces.listed(b)}" if self.spots > 1 else faces.listed(b) for s, b in lost.items()]
            self.say(f"You leave the round: the bets on the table are forfeited, {'; '.join(told)}.", "yellow")

    def close(self) -> None:
        self.say("You leave the table.")
        if self.tally.rounds:
            self.say_tally()

    # ---- what the player sees

    def show(self, round_: Round | None = None) -> None:
        dealt = self.shoe.dealt + (round_.used if round_ is not None and round_.turn is not None else 0)
        left = self.shoe.cut - dealt
        where = f"{dealt} dealt, {left} to the cut card" if left > 0 else f"{dealt} dealt, the cut card is out"
        shoe = "shuffled every round" if self.every_round else where
        bets = self._all_bets() if round_ is None else [seat.bets for seat in round_.seats]
        seen = seats.layout(self.book, shoe, bets, self.carried, round_, self.spots)
        self.say(faces.felt(seen, self.console.width))

    def _all_bets(self) -> list[Bets]:
        others = self.seats - self.spots
        return [*[self.bets] * self.spots, *([seats.least_bets(self.house)] * others if others else [])]

    def say_tally(self) -> None:
        self.say(self.tally.line())
        if self.tally.figures and not self.explained:
            self.say("Expected: minus the house edge times the bet, for every bet before the deal;", "dim")
            apart = "wagers" if self.spots == 1 else "wagers and spots"
            self.say(f"std dev: standard deviations, the {apart} of a round taken as independent.", "dim")
            self.explained = True


def _chosen(answer: str, choices: tuple[str, ...]) -> str:
    """The choice that was meant: by name, number or the start of a name. What may mean two things is not taken."""
    allowed = f"choose {', '.join(choices[:-1])} or {choices[-1]}, by number or name"
    for choice in choices:
        if choice.lower() == answer:
            return choice
    meant = [
        choice
        for number, choice in enumerate(choices, 1)
        if answer and (answer == str(number) or choice.lower().startswith(answer))
    ]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise BadInput(f"{answer!r} may mean {' or '.join(meant)}; {allowed}")
    raise BadInput(f"{answer!r} is not a choice; {allowed}" if answer else f"C{allowed[1:]}")


def _dollars(text: str) -> Fraction:
    plain = text.removeprefix("$").replace(",", "")
    if not re.fullmatch(r"\d+(\.\d{1,2})?", plain, re.ASCII):
        raise BadInput(f"{text!r} is not an amount; write dollars such as 10 or 12.50")
    return Fraction(plain)


def _append(path: Path, text: str) -> None:
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise BadInput(f"the log {path} cannot be written: {error.strerror}") from None
