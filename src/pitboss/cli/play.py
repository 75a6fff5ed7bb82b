"""A real hand at a terminal table: a face on `pitboss.table`, for any game file.

Nothing here is a rule. What lies where comes from the events of the round, what may be bet from the house, what may be
chosen from the turn, and what a choice is worth from the exact analysis.
"""

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from pathlib import Path

from rich.console import Console, RenderableType
from rich.text import Text

from pitboss.cli import faces
from pitboss.exact import Solver, TooLarge, advice
from pitboss.rules.errors import BadInput
from pitboss.rules.game import House
from pitboss.rules.graph import BOARD, DEALER, PLAYER
from pitboss.rules.paytables import money
from pitboss.rules.wagers import Wager
from pitboss.table import Round, Seat, Shoe, Turn, log_of

Read = Callable[[str], str]

DEAL_KEYS = "Enter deals with these bets, b changes the bets, ? explains, q leaves"
TURN_KEYS = "h hint, ? help, q leave"


def run(
    house: House,
    bets: Mapping[str, Fraction],
    *,
    read: Read,
    console: Console,
    shoe: Shoe | None = None,
    log: Path | None = None,
    json_lines: bool = False,
    rounds: int | None = None,
) -> int:
    """Play until the player leaves, the input ends or so many rounds are over; the exit code is 0.

    With `json_lines` a script plays: nothing is drawn, and input that a person would be asked about again is an error.
    """
    house.check_bets(bets)
    if log is not None:
        _append(log, "")  # a log that cannot be written is better known before the first bet
    table = _Table(house, dict(bets), read, console, shoe or Shoe(house), log, json_lines)
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
class Tally:
    """The running result: what happened, and what was to be expected of the same bets."""

    rounds: int = 0
    net: Fraction = Fraction(0)
    expected: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)

    @property
    def deviations(self) -> float | None:
        """How far the result lies from its expectation; wagers of one round are taken as independent."""
        return float(self.net - self.expected) / sqrt(self.variance) if self.variance else None


class _Table:
    """One player's session."""

    def __init__(
        self,
        house: House,
        bets: dict[str, Fraction],
        read: Read,
        console: Console,
        shoe: Shoe,
        log: Path | None,
        json_lines: bool,
    ) -> None:
        self.house, self.bets, self.shoe = house, bets, shoe
        self._read, self.console, self.log, self.quiet = read, console, log, json_lines
        self.carried: dict[str, int] = {}
        self.tally = Tally()
        self.round: Round | None = None
        self.regrets: list[str] = []
        self.explained = False

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
        answer = self._read("" if self.quiet else prompt).strip()
        if not sys.stdin.isatty():
            self.say(answer)  # no terminal has echoed it and ended the prompt's line
        return answer

    def refuse(self, why: str) -> None:
        """A person is told and asked again. A script would go on in a round that it does not know it is in."""
        if self.quiet:
            raise BadInput(why)
        self.say(why, "yellow")

    # ---- the exact side

    @cached_property
    def solver(self) -> Solver | None:
        try:
            return Solver(self.house)
        except TooLarge as error:
            self.say(f"No hints and no expected result: {error}.", "yellow")
            return None

    @cached_property
    def _figures(self) -> dict[str, tuple[Fraction, Fraction]]:
        """Per wager before the deal: expectation and variance, in units of it."""
        if self.solver is None:
            return {}
        found = {party: self.solver.wager_result(party) for party in self.house.parties}
        return {party: (-result.house_edge, result.variance) for party, result in found.items()}

    def worth(self, turn: Turn) -> dict[str, Fraction] | None:
        """What each choice is worth, or None where the game is too large to say."""
        if self.solver is None:
            return None
        kept = {name: self.carried.get(name, 0) for name in self.solver.graph.carried}
        return advice(self.solver, turn.made, turn.slots, kept)

    @property
    def unit(self) -> Fraction | None:
        """The dollars of one unit of advice; None where the main wagers differ, for then no one factor is right."""
        stakes = {self.bets[name] for name in self.house.main if name in self.bets}
        return stakes.pop() if len(stakes) == 1 else None

    # ---- between rounds

    def open(self) -> None:
        if self.quiet:
            return
        self.say(faces.felt(self._layout(), self.console.width))
        assert self.solver is None or self._figures  # counted now, so that no decision has to wait for it

    def before_the_deal(self) -> None:
        while answer := self.ask(f"{DEAL_KEYS} > ").lower():
            if answer in ("q", "quit"):
                raise _Leaves
            if answer in ("b", "bets"):
                self.change_bets()
                self.say(f"On the table: {faces.listed(self.bets)}.")
            elif answer == "?":
                self.say(faces.rules(self.house))
            else:
                self.refuse(f"{answer!r} is not one of the keys here: {DEAL_KEYS}.")

    def change_bets(self) -> None:
        """Ask every wager before the deal; whether the bets go together is known when all are asked."""
        wanted = dict(self.bets)
        while True:
            for name, members in self.house.parties.items():
                self._ask_amount(members[0], wanted)
            try:
                self.house.check_bets(wanted)
            except BadInput as error:
                self.refuse(f"{error}.")
            else:
                self.bets = {name: wanted[name] for name in self.house.parties if name in wanted}
                return

    def _ask_amount(self, wager: Wager, wanted: dict[str, Fraction]) -> None:
        now = f"now ${money(wanted[wager.name])}, Enter keeps it" if wager.name in wanted else "Enter for none"
        also = ", 0 removes it" if wager.name in wanted and not wager.required else ""
        while answer := self.ask(f"{wager.name}, {wager.who_bets()}, {wager.amount_rule()} ({now}{also}) > "):
            try:
                amount = _dollars(answer)
                if amount or wager.required:
                    wager.check_amount(amount, self.house.amount("table-min"), self.house.amount("table-max"))
            except BadInput as error:
                self.refuse(f"{error}.")
                continue
            wanted[wager.name] = amount
            if not amount:
                del wanted[wager.name]
            return

    # ---- a round

    def play_round(self) -> None:
        self.round = self._deal()
        self.regrets = []
        while self.round.turn is not None:
            self.say(faces.felt(self._layout(self.round), self.console.width))
            self.decide(self.round, self.round.turn)
        self._finish(self.round)

    def _deal(self) -> Round:
        if self.shoe.out:
            self._shuffle()
        seat = Seat(dict(self.bets), dict(self.carried))
        try:
            return Round(self.house, self.shoe.rest(), [seat])
        except BadInput:
            if not self.shoe.dealt:
                raise
        self._shuffle()  # a cut card so deep that the last cards do not make a round
        return Round(self.house, self.shoe.rest(), [seat])

    def _shuffle(self) -> None:
        self.shoe.shuffle()
        self.say("The cut card is out: the dealer shuffles.", "italic")

    def decide(self, round_: Round, turn: Turn) -> None:
        if turn.decision != " or ".join(turn.choices):  # a decision that the game has named
            self.say(f"{turn.decision[0].upper()}{turn.decision[1:]}:", "bold")
        numbered = "   ".join(f"{number} {choice}" for number, choice in enumerate(turn.choices, 1))
        while True:
            self.say(f"{numbered}      ({TURN_KEYS})")
            answer = self.ask("Your choice > ").lower()
            if answer in ("q", "quit") and answer not in turn.choices:
                raise _Leaves
            if answer in ("h", "hint", "?", "help") and answer not in turn.choices:
                self._explain(turn, answer)
                continue
            try:
                choice = _chosen(answer, turn.choices)
            except BadInput as error:
                self.refuse(f"{error}.")
                continue
            self._note(turn, choice)
            round_.choose(choice)
            return

    def _explain(self, turn: Turn, key: str) -> None:
        if self.quiet:
            return
        if key in ("?", "help"):
            self.say(faces.rules(self.house))
            self.say("Choose by number, by name or by the start of a name.")
        elif (worth := self.worth(turn)) is None:
            self.say("There is no hint: this game is too large to be counted.")
        else:
            unit = f"units of the {' and '.join(self.house.main)}"
            self.say(faces.hint(worth, unit, self.unit))
            self.say("Counted over a full shoe without the cards that you see, with best play afterwards.", "dim")

    def _note(self, turn: Turn, choice: str) -> None:
        """Keep what a choice gave away, to be said when the round is over."""
        if self.quiet or (worth := self.worth(turn)) is None:
            return
        top = max(worth.values())
        if (lost := top - worth[choice]) > 0:
            best = " or ".join(name for name, value in worth.items() if value == top)
            dollars = "" if self.unit is None else f" (${float(lost * self.unit):,.2f})"
            self.regrets.append(f"On average {choice} gave up {float(lost):.4f} units{dollars}: {best} is better.")

    def _finish(self, round_: Round) -> None:
        self.shoe.advance(round_.used)
        self.carried |= round_.carried()
        self._count(round_.net())
        line = json.dumps(log_of(round_))
        if self.log is not None:
            _append(self.log, line + "\n")
        if self.quiet:
            self.console.file.write(line + "\n")
            self.console.file.flush()
            return
        self.say(faces.felt(self._layout(round_), self.console.width))
        self.say(faces.sentence(e["because"] for e in round_.settled()), "bold")
        self.say(faces.settlement(self.house, round_.settled(), round_.net()))
        for regret in self.regrets:
            self.say(regret, "italic")
        self.say_tally()

    def abandon(self) -> None:
        """The player leaves; bets that a round in play has not settled are lost."""
        if self.round is None or self.round.turn is None:
            return
        settled = {event["wager"] for event in self.round.settled()}
        lost = {name: stake for name, stake in self._stakes(self.round).items() if name not in settled}
        self._count(self.round.net() - sum(lost.values()))
        self.say(f"You leave the round: the bets on the table are forfeited ({faces.listed(lost)}).", "yellow")

    def close(self) -> None:
        self.say("You leave the table.")
        if self.tally.rounds:
            self.say_tally()

    # ---- what the player sees

    def _layout(self, round_: Round | None = None) -> faces.Layout:
        dealt = self.shoe.dealt
        if round_ is None:
            return faces.Layout(self.house, self._shoe_line(dealt), self.bets, carried=self.carried)
        if round_.turn is not None:
            dealt += round_.used
        nets = {event["wager"]: Fraction(event["net"]) for event in round_.settled()}
        hands = {who: _lying(round_, who) for who in (DEALER, BOARD, PLAYER)}
        return faces.Layout(self.house, self._shoe_line(dealt), self._stakes(round_), hands, nets, self.carried)

    def _shoe_line(self, dealt: int) -> str:
        left = self.shoe.cut - dealt
        return f"{dealt} dealt, {left} to the cut card" if left > 0 else f"{dealt} dealt, the cut card is out"

    def _stakes(self, round_: Round) -> dict[str, Fraction]:
        placed = {e["wager"]: Fraction(e["amount"]) for e in round_.events if e["event"] == "bet"}
        return dict(round_.seats[0].bets) | placed

    def _count(self, net: Fraction) -> None:
        self.tally.rounds += 1
        self.tally.net += net
        for name, bet in self.bets.items() if not self.quiet else ():
            if name in self._figures:
                mean, variance = self._figures[name]
                self.tally.expected += mean * bet
                self.tally.variance += variance * bet**2

    def say_tally(self) -> None:
        tally = self.tally
        line = Text.assemble(f"{tally.rounds} round{'s' if tally.rounds != 1 else ''}   net ")
        line += faces.coloured(tally.net, faces.signed(tally.net))
        if not self.quiet and self._figures:
            line += Text(f"   expected {faces.cents(tally.expected)}")
            if (away := tally.deviations) is not None:
                line += Text(f"   about {abs(away):.1f} standard deviations {'above' if away >= 0 else 'below'} it")
        self.say(line)
        if self._figures and not self.explained:
            self.say("Expected: minus the house edge times the bet, for every bet before the deal.", "dim")
            self.explained = True


def _lying(round_: Round, who: str) -> list[str | None]:
    """The cards before `who` as the player sees them, None for a back."""
    cards: list[tuple[str, bool]] = []
    for event in round_.events:
        if event["event"] == "deal" and event["to"] == who:
            up = event["face"] == "up" or (who == PLAYER and event["face"] == "down")
            cards += [(name, up) for name in event["cards"]]
        elif event["event"] == "reveal" and event["who"] == who:
            cards = [(name, True) for name, _ in cards]
    if who == PLAYER and round_.turn is not None:  # his own cards too may be dealt so that he does not see them
        seen = list(round_.turn.player)
        return [seen.pop(0) if seen[:1] == [name] else None for name, _ in cards]
    return [name if up else None for name, up in cards]


def _chosen(answer: str, choices: tuple[str, ...]) -> str:
    """The choice that was meant: by name, number or the start of a name."""
    allowed = f"choose {', '.join(choices[:-1])} or {choices[-1]}, by number, name or the start of a name"
    if answer in choices:
        return answer
    if answer.isdecimal() and 1 <= int(answer) <= len(choices):
        return choices[int(answer) - 1]
    meant = [choice for choice in choices if answer and choice.lower().startswith(answer)]
    if len(meant) > 1:
        raise BadInput(f"{answer!r} may mean {' or '.join(meant)}; {allowed}")
    if not meant:
        raise BadInput(f"{answer!r} is not a choice; {allowed}")
    return meant[0]


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
