"""A real hand at a terminal table: a face on `pitboss.live`, for any game file.

Nothing here is a rule, and no money is counted. What lies where comes from the session's view, what may be bet from the
house, what may be chosen from the turn, and what a choice is worth from `pitboss.cli.hints`.
"""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType
from rich.text import Text

from pitboss.cli import faces, low, render, seats, talk, wagering
from pitboss.cli.hints import Hints, Worth
from pitboss.cli.seats import Bets, sitting
from pitboss.live import Journal, Session, Shoe, Turn, View, least_bets, usual_bets
from pitboss.live.reasons import reasons
from pitboss.plain import one_line
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.trace import trace

Read = Callable[[str], str]

DEAL_KEYS = "Enter deals, b changes the bets, ? explains, q leaves"
TURN_KEYS = "* hint, ? help, q leave"
HINT, HELP = ("*", "hint"), ("?", "help")  # no letter: h is hit in one game, and would be a hint in another
LONGEST = 80  # characters of an answer


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
    spot_bets: Mapping[int, Bets] | None = None,
    side_bets: bool = False,
) -> int:
    """Play until the player leaves, the input ends or so many rounds are over; the exit code is 0.

    The player has the first seats, as many as his spots; at the others sit computer players. A coach says after every
    choice which one was best. With `json_lines` a script plays: nothing is drawn, and input that a person would be
    asked about again is an error. `spot_bets` are those of spots that bet otherwise than the others; computer players
    make `side_bets` if they may.
    """
    at = {spot: dict((spot_bets or {}).get(spot, bets)) for spot in range(1, spots + 1)}
    for one in (bets, *at.values()):
        house.check_bets(one)
    house.check_tokes(tokes or {}, bets)
    sit = sitting(house, spots, seats)
    house.check_seats(sit, trace(house).most_cards(sit))
    journal = None if log is None else Journal(log)  # one that cannot be written is better known before the first bet
    table = _Table(
        house, at, read, console, journal, json_lines, spots, coach, tokes or {}, Hints(house, bets), side_bets
    )
    try:
        table.sit_down(sit, shoe)
        table.evening(rounds)
    finally:
        if journal is not None:
            journal.close()
    return 0


class _Leaves(Exception):
    """The player asked to go."""


@dataclass
class _Table:
    """One player's evening."""

    house: House
    bets: dict[int, dict[str, Fraction]]  # of each of his spots
    read: Read
    console: Console
    journal: Journal | None
    quiet: bool  # a script plays
    spots: int  # the first of the seats are his
    coached: bool
    tokes: Bets  # for the dealer, in every round
    hints: Hints
    side_bets: bool  # whether computer players make some
    tally: talk.Tally = field(default_factory=talk.Tally)
    told: int = 0  # events of the round that have been said
    regrets: list[str] = field(default_factory=list)
    explained: bool = False

    def sit_down(self, seats: int, shoe: Shoe | None) -> None:
        """The player has the first seats, computer players the others; they wait until it is told what they do."""
        bots = dict.fromkeys(range(self.spots + 1, seats + 1), self._computer)
        self.session = Session(
            self.house, seats, shoe=shoe, spots=[self.own], bots=bots, bot_bets=self._others_bet, log=self._write,
            journal=self.journal, paused=True,
        )  # fmt: skip
        self._bet()

    def evening(self, rounds: int | None) -> None:
        """Round after round. However it ends, a round in play is forfeited, and that stands in the log."""
        try:
            self.open()
            while rounds is None or self.session.rounds < rounds:
                self.before_the_deal()
                self.play_round()
        except (EOFError, KeyboardInterrupt):
            self.say()  # the prompt's line was never ended
            self.abandon()
        except _Leaves:
            self.abandon()
        except (BadInput, OSError):  # a script that types nonsense, a screen that is gone: nobody is there to be told
            if self.session.in_play:
                self.session.leave(1)
            raise
        self.close()

    def _computer(self, turn: Turn, view: View) -> str:
        assert self.session.round is not None
        return self.hints.choice(self.session.round, turn)

    def _others_bet(self, house: House, seat: int) -> dict[str, Fraction]:
        return usual_bets(house, seat) if self.side_bets else least_bets(house)

    def _bet(self) -> None:
        for seat in self.own:
            self.session.bet(seat, {name: self.bets[seat].get(name, 0) for name in self.house.parties})
            self.session.toke(seat, self.tokes)

    @property
    def view(self) -> View:
        return self.session.view(1)

    # ---- speaking and listening

    def say(self, what: RenderableType = "", style: str = "") -> None:
        if self.quiet:
            return
        self.console.print(Text(what, style) if isinstance(what, str) else what)

    def ask(self, prompt: str) -> str:
        answer = self.read("" if self.quiet else prompt).strip()
        if len(answer) > LONGEST:
            answer = f"{answer[:LONGEST]}..."  # no answer to anything, and short enough to be repeated
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
        assert self.session.round is not None
        return self.hints.worth(self.session.round, turn)

    def unit(self, seat: int) -> Fraction | None:
        """The dollars of one unit of advice; None where the wagers at stake differ, for then no one factor is right."""
        found = {self.bets[seat][name] for name in self.hints.decided if name in self.bets[seat]}
        return found.pop() if len(found) == 1 else None

    # ---- between rounds

    def open(self) -> None:
        """Show the table, then count the game, so that no decision has to wait for it."""
        self.show()
        for told in render.where(self.house) if not self.quiet else ():
            self.say(told, "dim")
        seats_taken = len(self.session.seats)
        if seats_taken > self.spots:
            others = range(self.spots + 1, seats_taken + 1)
            self.say(seats.company({seat: self._others_bet(self.house, seat) for seat in others}))
        elif self.quiet:
            return  # nobody asks what a choice is worth
        if why := self.hints.count(lambda: self.say("counting...", "dim"), priced=not self.quiet):
            self.say(f"No hints and no expected result: {why}.", "yellow")
        self.tally.figures = {party: talk.figures(result) for party, result in self.hints.results.items()}

    def before_the_deal(self) -> None:
        while answer := self.ask(f"{DEAL_KEYS} > ").lower():
            if answer in ("q", "quit"):
                raise _Leaves
            if answer in ("b", "bets"):
                self.change_bets()
                self.say(wagering.together(self.bets, self.spots))
            elif answer == "?":
                self.say(talk.rules(self.house))
            else:
                self.refuse(f"{answer!r} is not a key here: {DEAL_KEYS}")

    def change_bets(self) -> None:
        spots = wagering.asked_spot(self.spots, self.ask, self.refuse)
        bets = wagering.changed(self.house, self.bets[spots[0]], self.ask, self.say, self.refuse)
        self.bets |= {spot: dict(bets) for spot in spots}

    # ---- a round

    def play_round(self) -> None:
        self._bet()
        self.session.deal()
        if self.session.shuffled:
            self.say("The shoe is dealt out: the dealer shuffles.", "italic")
        self.regrets, self.told = [], 0
        self._tell_settled()
        if (turn := self.session.turn) is not None and turn.seat > self.spots:  # he looks at his cards all the same
            self.show()
        while (turn := self.session.turn) is not None:
            if turn.seat <= self.spots:
                self.show()
                self.decide(turn)
            else:
                before = len(self.view.events)
                turn, choice = self.session.act()
                self.say(Text(seats.told(turn.seat, choice)) + seats.got(self.view.events[before:], turn))
            self._tell_settled()
        self._finish()

    def _tell_settled(self) -> None:
        """What is paid or taken while the round goes on is said at once; the rest is settled at its end."""
        if self.session.in_play:
            events = self.view.events
            for event in events[self.told :]:
                if event["event"] == "settle" and event["seat"] <= self.spots:
                    self.say(talk.settled_early(event, self.spots))
            self.told = len(events)

    def decide(self, turn: Turn) -> None:
        count = next((hand.count for hand in self.view.seats[turn.seat].hands if hand.playing), {})
        if heading := talk.heading(turn, count, self.spots):
            self.say(heading, "bold")
        numbered = "   ".join(f"{number} {choice}" for number, choice in enumerate(turn.choices, 1))
        while True:
            self.say(f"{numbered}      ({TURN_KEYS})")
            answer = self.ask("Your choice > ").lower()
            if answer in ("q", "quit") and answer not in turn.choices:
                raise _Leaves
            if answer in (*HINT, *HELP) and answer not in turn.choices:
                self._explain(turn, answer)
                continue
            try:
                choice = talk.chosen(answer, turn.choices)
            except BadInput as error:
                self.refuse(str(error))
                continue
            self._note(turn, choice)
            self.session.choose(turn.seat, choice)
            return

    def _explain(self, turn: Turn, key: str) -> None:
        if self.quiet:
            return
        if key in HELP:
            self.say(talk.rules(self.house))
            self.say("Choose by number, by name or by the start of a name.")
        elif (worth := self.worth(turn)) is None:
            self.say("There is no hint: this game is too large to be counted.")
        else:
            unit = f"units of the {' and '.join(self.hints.decided)}"
            self.say(talk.hint(worth, unit, self.unit(turn.seat)))
            seen = "that you see" if self.spots == 1 else f"that spot {turn.seat} alone would see"
            self.say(f"Counted over a full shoe less the cards {seen}; best play afterwards.", "dim")

    def _note(self, turn: Turn, choice: str) -> None:
        """Keep what a choice gave away, to be said when the round is over; a coach says it at once."""
        if self.quiet or (worth := self.worth(turn)) is None:
            return
        if self.coached:
            self.say(talk.verdict(worth, choice, self.unit(turn.seat)), "italic")
        elif lost := talk.regret(worth, choice, self.unit(turn.seat)):
            self.regrets.append(talk.at_spot(turn.seat, self.spots, lost))

    def _write(self, log: dict[str, Any]) -> None:
        line = json.dumps(log)
        if self.quiet:
            self.console.print(line, soft_wrap=True)
            self.console.file.flush()
        elif self.journal is not None and self.journal.trouble:
            why = f"The log cannot be written: {self.journal.trouble}."
            self.say(f"{why} How this round ends is not in it, and no other is dealt until it is.", "yellow")

    def _count(self) -> Fraction:
        """What the round brought to all of the player's spots."""
        net = sum((self.session.result(seat).net for seat in self.own), Fraction(0))
        self.tally.count(net, *self.bets.values())
        return net

    def _finish(self) -> None:
        net = self._count()
        if self.quiet:
            return
        self.show()
        view = self.view
        own = [view.seats[seat] for seat in self.own]
        pots = seats.pots_in(view)
        wagers = [event for spot in own for event in spot.settled]
        assert self.session.round is not None
        why = talk.reasons(self.house, wagers, reasons(self.session.round, self.own), pots, self.spots)
        if self.low:
            each = {self._of(event): why[place] for place, event in enumerate(wagers)}
            stories = [*low.because(each), *map(Text, seats.stories(view))]
        else:
            said = {spot.seat: [e["because"] for e in spot.settled if e["wager"] not in pots] for spot in own}
            stories = [Text(story, "bold") for story in (*talk.sentences(said), *seats.stories(view))]
        for story in stories:
            self.say(story)
        told = None if self.low else why
        self.say(talk.settlement(self.session.round.house, wagers, net, pots, self.console.width, self.spots, told))
        for toke in (toke for spot in own for toke in spot.for_dealer):
            self.say(talk.for_the_dealer(toke, self.spots))
        for regret in self.regrets:
            self.say(regret, "italic")
        self.say_tally()

    def abandon(self) -> None:
        """The player leaves; bets that a round in play has not settled are lost."""
        if not self.session.in_play:
            return
        lost = self.session.leave(1)
        self._count()
        if lost:
            told = [f"at spot {s} {faces.listed(b)}" if self.spots > 1 else faces.listed(b) for s, b in lost.items()]
            self.say(f"You leave the round: the bets on the table are forfeited, {'; '.join(told)}.", "yellow")

    def close(self) -> None:
        self.say("You leave the table.")
        if self.tally.rounds:
            self.say_tally()
        if self.journal is not None and self.journal.rounds and not self.journal.trouble:
            many = "1 round" if self.journal.rounds == 1 else f"{self.journal.rounds} rounds"
            self.say(f"The log {one_line(str(self.journal.path))} holds {many} and ends with {self.journal.seal}.")
            self.say("Keep that number elsewhere: with it, anybody can tell whether the log was changed.", "dim")

    # ---- what the player sees

    def show(self) -> None:
        if not self.quiet:
            lies = seats.layout(self.session.showing, self.view)
            self.say((low.felt if self.low else faces.felt)(lies, self.console.width))

    @property
    def low(self) -> bool:
        """Whether the screen is too low for large cards."""
        return self.console.is_terminal and self.console.height < low.HIGH

    def _of(self, event: Mapping[str, Any]) -> str:
        return str(event["wager"]) if self.spots == 1 else f"spot {event['seat']}, {event['wager']}"

    def say_tally(self) -> None:
        self.say(self.tally.line())
        if self.tally.figures and not self.explained:
            self.say("Expected: minus the house edge times the bet, for every bet before the deal;", "dim")
            apart = "wagers" if self.spots == 1 else "wagers and spots"
            self.say(f"std dev: standard deviations, the {apart} of a round taken as independent.", "dim")
            self.explained = True
