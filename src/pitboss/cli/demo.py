"""`pitboss demo`: what a laboratory is for, as a story in nine screens. A packet makes a claim; it is proved,
explained, dealt, judged with all the others, designed anew, protected, and put on the floor for a night; then our own
packet is written."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from pitboss.catalog import load
from pitboss.claims import claims_about, verdicts_of
from pitboss.cli import sampled, strips
from pitboss.cli.layout import table
from pitboss.cli.progress import counting, steps
from pitboss.cli.screen import marked
from pitboss.cli.streams import ask, somebody_reads
from pitboss.deal import Run
from pitboss.earn import Plan as Night
from pitboss.earn import earn
from pitboss.exact import analyze
from pitboss.guard import Plan, protect
from pitboss.ledger.records import percent, ratio
from pitboss.packets import Brief, write_packet
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.tune.search import designed

ROUNDS = 50_000_000
PACKET = "bluff.pdf"
REACH = Fraction(2, 100)  # of the edge, to either side of the exact one
NEXT = (
    ("pitboss play bluff", "sit down and play it; * gives a hint, ? the rules"),
    ("pitboss rules bluff", "the sheet that a dealer works from"),
    ("pitboss analyze blackjack", "every wager of another game: edge, spread, return table"),
    ("pitboss verify", "every claim of the four documents, with the command that checks it"),
    ("pitboss design bluff --policy", "the dealer's best policy, of all threshold policies"),
    ("pitboss protect bluff", "what a card counter or a glimpse of a card is worth"),
    ("pitboss floor bluff --bet ante=25", "what a table earns, and how bad a month can get"),
    ("docs/your-own-game.md", "a game of your own, in one file"),
)


class _Leaves(Exception):
    """Somebody has seen enough."""


@dataclass
class _Show:
    """One screen after the other."""

    console: Console
    house: House
    screens: int = 0

    def screen(self, title: str, command: str, show: Callable[[], object]) -> None:
        """A screen; where somebody sits at the terminal, he says when he has read it."""
        if self.screens and somebody_reads() and ask("\nEnter goes on, q leaves > ") == "q":
            raise _Leaves
        self.screens += 1
        self.console.print("", Rule(marked("[bold]{}. {}[/]", self.screens, title)), sep="\n")
        if command:
            self.console.print(f"$ {command}", style="dim")
        show()

    def say(self, *lines: str | Text) -> None:
        for line in lines:
            self.console.print(line)


def run(console: Console) -> int:
    show = _Show(console, load("bluff").at())
    agree = True

    def dealt() -> None:
        nonlocal agree
        agree = _dealt(show)

    story: list[tuple[str, str, Callable[[], object]]] = [
        ("A packet says 4.2%. Is it true?", "pitboss analyze bluff --wager ante --across tie", lambda: _proved(show)),
        ("How is it played?", "pitboss strategy bluff", lambda: _explained(show)),
        (f"{ROUNDS:,} hands", "pitboss simulate bluff --wager ante --rounds 5e7", dealt),
        ("Four documents, claim by claim", "pitboss verify", lambda: _judged(show)),
        ("A better pay table", "pitboss design bluff --wager suit-tie --edge 4%..6%", lambda: _designed(show)),
        ("Can it be beaten?", "pitboss protect bluff --wager suit-tie --decks 6", lambda: _protected(show)),
        ("A night on the floor", "pitboss floor bluff --bet ante=25", lambda: _earned(show)),
        ("What to try next", "", lambda: _next(show)),
        ("The packet for the regulator", f"pitboss packet bluff -o {PACKET}", lambda: _written(show)),
    ]
    try:
        for title, command, what in story:
            show.screen(title, command, what)
    except (_Leaves, EOFError):
        pass
    return 0 if agree else 1


def _proved(show: _Show) -> None:
    out = table("equal cards, and somebody has folded", "house edge", "exactly", "the packet's 4.2%")
    words = {"fold-first": "the fold stands", "push-first": "all bets push"}
    edges = {}
    for value, house in zip(words, show.house.across("tie"), strict=True):
        edges[value] = edge = analyze(house, wager="ante").wager("ante").house_edge
        true = Text("true", "bold green") if f"{float(edge):.1%}" == "4.2%" else Text("not true", "bold red")
        out.add_row(words[value], percent(edge, 4), ratio(edge), true)
    many = analyze(show.house, wager="ante").wager("ante").ways
    show.console.print(out)
    show.say(
        f"\nEvery one of {many:,} deals was counted, with the best play in each. The packet is right, but only if a "
        "fold beats a tie.",
        marked(
            "\nThe same packet promises that no player loses a tie. Where that promise is kept, the edge is "
            "[bold]{}[/]: the packet cannot have both.",
            percent(edges["push-first"], 2),
        ),
    )


def _explained(show: _Show) -> None:
    found = analyze(show.house, wager="ante")
    show.console.print(strips.cards([r for r in found.strategy if r.decision == found.strategy[0].decision]))
    show.say(
        "\nEach card, the best play, and what it is worth in bets. The three lowest cards are raised, because the "
        "dealer folds his low cards to a raise. That is the bluff.",
    )


def _dealt(show: _Show) -> bool:
    exact = analyze(show.house, wager="ante").wager("ante").house_edge
    with counting(f"{ROUNDS:,} hands"):
        found = [Run(show.house, wager="ante").run(max(1000, ROUNDS // part)) for part in (50_000, 5000, 500, 50, 5, 1)]
    show.console.print(strips.funnel(found, exact, float(REACH)))
    last, far = found[-1], found[-1].wagers[0].z or 0.0
    agree = abs(far) <= sampled.AGREE
    speed = last.dealt / last.seconds / 1e6 if last.seconds else 0.0
    verdict = Text("exact and simulated agree", "bold green") if agree else Text("they do not agree", "bold red")
    show.say("", marked("{}: {} standard errors apart.", verdict, f"{abs(far):.1f}"))
    show.say(
        f"● is what was dealt, blue where the edge lies with 95%; the scale is {float(2 * REACH):.0%} wide. "
        f"{speed:,.0f} million hands a second on this machine.",
    )
    return agree


def _judged(show: _Show) -> None:
    found = verdicts_of(steps=steps)
    show.console.print(strips.wall(found))
    slips = [v for v in found.wrong if "slip" in v.explanation] or list(found.wrong)
    show.say(f"\n{len(found.all)} claims judged. One of them, opened:")
    for v in slips[-1:]:
        show.say(
            marked("[bold]{}[/]: {}", v.claim.id, v.claim.says),
            marked("printed {}, computed {}: [bold red]{}[/]", v.claim.printed, v.computed, v.verdict),
            v.explanation,
        )


def _designed(show: _Show) -> None:
    found = designed(show.house, "suit-tie", "4%..6%", [], "1", False, "closest", 5, None, lambda *_: None, False)
    show.say(f"{found.found} of {found.tables} pay tables of Suit & Tie keep 4% to 6% for the house:\n")
    out = table("suit, tie, match pay", "house edge", "hits", "SD")
    for t in found.best:
        now = " (printed now)" if t.printed else ""
        out.add_row(f"{t.paytable}{now}", percent(t.edge, 4), percent(t.hits, 2), f"{t.std_dev:.2f}")
    show.console.print(out)
    show.say("\nEach edge is exact; SD is how far one bet swings.")


def _protected(show: _Show) -> None:
    plan = Plan(decks=(6,), cuts=(Fraction(1, 2), Fraction(1)), shoes=1000)
    with counting("real shoes"):
        found = protect(show.house, "suit-tie", plan).wagers[0]
    show.say(*(Text("● ", "green") + Text(advice.sentence) for advice in found.advice))


def _earned(show: _Show) -> None:
    found = earn(show.house, Night(seats=5, bets={"ante": Fraction(25)}), "optimal", "ante")
    shift = found.shift
    show.console.print(strips.night(shift))
    show.say(
        f"\nFive players, $25 a hand, {shift.rounds} rounds: the house wins ${float(shift.theo):,.0f} on average, and "
        f"loses in {percent(shift.loses.whole, 1)} of nights. It is the whole distribution, and no bell curve.",
    )


def _written(show: _Show) -> None:
    try:
        with counting("the packet"):
            found = write_packet(Brief(show.house, claims=claims_about(show.house.game)), Path(PACKET))
    except BadInput as error:  # a folder that cannot be written to, or no typesetter
        show.say(Text(str(error), "yellow"))
        return
    show.say(
        marked("[bold]{}[/] lies in this folder: {} exhibits, each with its command.", PACKET, found.exhibits),
        "Rules, procedure, felt, mathematics, protection, earnings, verdicts, checklist: all from one file of rules.",
        f"{found.record.name} beside it says what was approved; pitboss diff holds a change against it.",
    )


def _next(show: _Show) -> None:
    out = table("try", "and see")
    out.columns[1].justify = "left"
    for command, why in NEXT:
        out.add_row(Text(command, "bold"), why)
    show.console.print(out)
