"""The dealer's drill at a terminal: a face on `pitboss.train`. It draws the table, reads a line and says the mark. What
is right is none of its business."""

import random
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass, field

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from pitboss.cli import low
from pitboss.cli.asked import asked_house, console, print_json
from pitboss.cli.meant import with_guess
from pitboss.cli.streams import ask as read_line
from pitboss.cli.train_felt import felt
from pitboss.live import View
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.naming import listed
from pitboss.rules.paytables import money
from pitboss.rules.steps import Step
from pitboss.rules.trace import trace
from pitboss.sheets import sheet_of
from pitboss.train import Drill, Mark, Question, Score
from pitboss.train.company import Decides
from pitboss.train.drill import USUAL_SEATS

PATIENCE = 5  # seconds that the players may take to learn the game
LONGEST = 200  # characters of an answer
KEYS = (
    ("t", "take", "take, take ante, 3 ante t, take all, take half"),
    ("p 15", "pay", "pay 15, pay ante 15, 3 ante 15; of a pot: pot 2"),
    ("u", "push", "push, push raise, 2 raise u"),
    ("d", "deal or draw", "deal, deal dealer, deal players 3 down, draw"),
    ("s", "stop", "the house's hand draws no more"),
    ("f", "turn up", "turn, turn dealer"),
    ("h e b", "compare", "high, equal, beaten: a hand beside the best so far"),
    ("sh", "shuffle", "and as the sheet has it: burn, collect, announce, look"),
    ("n", "next", "what is only said or laid aside is done"),
)
"""Key, what it does, other ways to say it."""
ASIDE = "? keys, pays   * what is due   rules the sheet   v the table   score   q leave"
_USUAL = "t take   p 15 pay   u push   d deal   f turn up   n next   ? all keys   q leave"


def run(args: Namespace) -> int:
    house = asked_house(args)
    if args.rounds is not None and args.rounds > 10**6:
        raise BadInput(f"--rounds {args.rounds}: deal a million rounds at most")
    if args.only is not None and args.only != "settle":
        raise BadInput(f"--only {args.only}: there is settle; without it you deal whole rounds")
    seats = min(USUAL_SEATS, house.game.seats) if args.seats is None else args.seats
    seed = random.SystemRandom().randrange(10**6) if args.seed is None else args.seed
    drill = Drill(
        house, seats, seed, only=args.only, limit=args.rounds, always=args.wager, decides=_players(house)
    )  # fmt: skip
    return sit_down(drill, read_line, console(), hints=args.hints, quiet=args.json)


def sit_down(
    drill: Drill, read: Callable[[str], str], screen: Console, *, hints: bool = False, quiet: bool = False
) -> int:
    """Deal until the user leaves, the input ends or the rounds are over. When `quiet`, a script deals: nothing is
    drawn, and input that a person would be asked about again is an error."""
    table = _Table(drill, read, screen, hints, quiet)
    table.work()
    if quiet:
        return print_json(_told(drill))
    table.close()
    return 0


def _players(house: House) -> Decides | None:
    """Who decides for players of a game whose file has no strategy: the exact analysis, where it is quick."""
    if house.game.strategies or not any(trace(house).decisions()):
        return None
    from pitboss.cli.hints import Hints
    from pitboss.exact import Study

    plan = Study(house).plan
    if plan.seconds > PATIENCE or plan.refused:
        return None
    hints = Hints(house)
    hints.count(lambda: None, priced=False)
    return hints.choice


def _told(drill: Drill) -> dict[str, object]:
    at = drill.house.provenance().header()
    return {**at, "seed": drill.seed, "seats": drill.seats, "only": drill.only, **drill.score.json()}


@dataclass
class _Table:
    """One drill at a terminal."""

    drill: Drill
    read: Callable[[str], str]
    screen: Console
    hints: bool
    quiet: bool
    drawn: object = None  # the cards that lay there when the table was drawn last
    round: int = 0
    told: int = -1  # moves that had been marked when it was told what the players do
    began: float = field(default_factory=time.monotonic)

    def say(self, what: RenderableType = "", style: str = "") -> None:
        if not self.quiet:
            self.screen.print(Text(what, style) if isinstance(what, str) else what)

    # ---- round after round

    def work(self) -> None:
        self.say(_opening(self.drill))
        try:
            while (asked := self.drill.asks) is not None:
                self.show(asked)
                if not self.answer(asked):
                    return
        except (EOFError, KeyboardInterrupt):
            self.say()  # the prompt's line was never ended

    def show(self, asked: Question) -> None:
        """What is new: the round, what the players did, and the table if other cards lie there."""
        if self.quiet:
            return
        if asked.round != self.round:
            if self.round:
                self.say(_round_over(self.round, self.drill.score))
            self.round, self.drawn = asked.round, None
            self.say(f"Round {asked.round}", "bold")
        if self.told != self.drill.score.moves:
            self.told = self.drill.score.moves
            for line in asked.told:
                self.say(line, "italic")
        if (cards := _cards(asked.view)) != self.drawn:
            self.drawn = cards
            self.say(self.table(asked))
        if self.hints:
            self.say(asked.hint, "dim")

    def table(self, asked: Question) -> RenderableType:
        tall = self.screen.is_terminal and self.screen.height >= low.HIGH
        return felt(
            self.drill.house, self.drill.table, asked.view, self.screen.width, tall, asked.seat if self.hints else 0
        )

    def answer(self, asked: Question) -> bool:
        """One line of the dealer's; False when he leaves."""
        typed = self.read("" if self.quiet else "Your move > ").strip()
        if len(typed) > LONGEST:
            typed = f"{typed[:LONGEST]}..."  # no move, and short enough to be repeated
        if not sys.stdin.isatty():
            self.say(typed)  # no terminal has echoed it and ended the prompt's line
        key = typed.lower()
        if key in ("q", "quit", "exit"):
            return False
        if key in ("?", "help", "keys"):
            self.say(_help(self.drill))
        elif key in ("*", "hint"):
            self.say(asked.hint)
        elif key in ("rules", "rule", "sheet"):
            self.say_step(self.drill.step)
        elif key in ("v", "view", "table"):
            self.say(self.table(asked))
        elif key == "score":
            self.say(repr(self.drill.score).capitalize() + ".")
        else:
            self.mark(self.drill.do(typed))
        return True

    def mark(self, mark: Mark) -> None:
        if mark.outcome == "unclear" and self.quiet:  # a script would go on with what it does not know it has done
            raise BadInput(mark.said[0].rstrip("."))
        for line in mark.said:
            if mark.outcome == "unclear":
                guessed = with_guess(line.removesuffix("."))
                self.say(guessed if guessed.endswith("?") else f"{guessed}.", "yellow")
            else:
                first, dot, rest = line.partition(". ")
                self.say(Text.assemble((first + dot, "bold red" if first.startswith("Slip") else "green"), rest))

    def say_step(self, step: Step | None) -> None:
        if step is None:
            self.say("The sheet tells of it with the first hand.")
            return
        for depth, each in step.walk():
            mark = f"{step.number}. " if not depth else f"{'   ' * depth}- "
            grid = Table.grid(padding=0)
            grid.add_column(no_wrap=True)
            grid.add_column()
            grid.add_row(mark, Text(each.text))
            self.say(grid)

    def close(self) -> None:
        score = self.drill.score
        self.say(_score(score))
        seconds = time.monotonic() - self.began
        if sys.stdin.isatty() and score.rounds and seconds > 0:
            each = seconds / score.rounds
            self.say(f"Pace: {each:,.0f} seconds a round, {3600 / each:,.0f} rounds an hour.")
        self.say(f"The same drill again: --seed {self.drill.seed}", "dim")


# ---- what is said


def _opening(drill: Drill) -> Text:
    many = "1 player" if drill.seats == 1 else f"{drill.seats} players"
    title = drill.house.game.title
    what = (
        f"You settle {title} for {many}; the cards are dealt for you." if drill.only else f"You deal {title} to {many}."
    )
    return Text(f"{what}\n{_USUAL}")


def _round_over(number: int, score: Score) -> str:
    many = sum(1 for slip in score.slips if slip.round == number)
    return f"Round {number} is over, {f'with {many} slip' + 's' * (many > 1) if many else 'without a slip'}."


def _cards(view: View) -> object:
    """All cards that lie on the table, and those that show."""
    hands = [(seat.seat, [hand.cards for hand in seat.hands], seat.stakes) for seat in view.seats.values()]
    return [view.dealer.cards, view.board, [(n, hand.cards) for n, hand in view.places.items()], hands]


def _help(drill: Drill) -> Group:
    """All keys, and what every wager pays."""
    keys = Table.grid(padding=(0, 2, 0, 0))
    for key, does, more in KEYS:
        keys.add_row(Text(key, "bold"), does, Text(more, "dim"))
    pays = Table.grid(padding=(0, 2, 0, 0))
    pays.add_column()
    pays.add_column()
    for line in sheet_of(drill.table).paytables:
        pays.add_row(Text(listed(line.wagers)), Text(", ".join(f"{row} {pay}" for row, pay in line.pays.items())))
    said = "What you say is marked; what you leave out is taken as meant."
    return Group(keys, Text(said), Text(ASIDE, "dim"), Text("Pays", "bold"), pays)


def _score(score: Score) -> Group:
    """The score: of all moves, by kind, in dollars; and every slip with what was right."""
    if not score.moves:
        return Group(Text("You leave the table before your first move."))
    rounds = "1 round" if score.rounds == 1 else f"{score.rounds or 'no'} rounds"
    parts: list[RenderableType] = [
        Text(f"{score.right} of {score.moves} moves right, {score.percent()}%; {rounds} to the end", "bold")
    ]
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column()
    grid.add_column(justify="right")
    grid.add_column(justify="right")
    for kind, (right, of) in score.marks.items():
        if of:
            grid.add_row(f"  {kind}", f"{right} of {of}", f"{score.percent(kind)}%")
    parts.append(grid)
    astray = [
        f"${money(amount)} {words}"
        for amount, words in (
            (score.to_players, "too much to players"),
            (score.to_house, "too little to players"),
            (score.between, "to the wrong player"),
        )
        if amount
    ]
    parts.append(Text(f"Money misplaced: {', '.join(astray)}." if astray else "No money misplaced."))
    if score.slips:
        parts += [Text("Slips", "bold"), _slips(score)]
    return Group(*parts)


def _slips(score: Score) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for slip in score.slips:
        why = f" {slip.why}" if slip.why else ""
        right = slip.right if slip.right.endswith(".") else f"{slip.right}."
        name = f"{slip.name[:1].upper()}{slip.name[1:]}"
        grid.add_row(f"  round {slip.round}", Text.assemble((name, "bold"), f" ({slip.did}). Right: {right}{why}"))
    return grid
