"""`pitboss diff`: does this change need approval again? The answer first, then what changed, then every figure."""

import argparse
import os
import shlex
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from rich.console import Console
from rich.text import Text

from pitboss.approval import Approval, Change, Comparison, Move, approval_of, compared, read_approval
from pitboss.approval.changes import ASK, FILE, KINDS, NO, PROCEDURE, PROGRAM, RULES, WORDS, YES
from pitboss.approval.offers import EDGE, HITS, RISK, SPREAD
from pitboss.approval.record import FigureAt
from pitboss.cli.asked import asked_csv, asked_house, console, print_json
from pitboss.cli.layout import Flow, Sheet, table
from pitboss.cli.progress import counting
from pitboss.cli.screen import marked
from pitboss.cli.streams import shown
from pitboss.ledger.figure import DOUBLE, SIMULATED
from pitboss.plain import one_line
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House

CELL = 34  # characters of what fits a cell; longer texts stand below each other
SENTENCES = (RULES, PROCEDURE, WORDS)  # which are told in their order
LOOKS = {YES: "bold yellow", ASK: "bold magenta", NO: "bold green"}
COLUMNS = {SPREAD: "SD", HITS: "hands that win"}


@dataclass(frozen=True)
class Side:
    """One of the two that are compared."""

    typed: str
    approval: Approval
    record: bool  # that somebody kept, not made just now

    def told(self, which: str) -> Flow:
        made = f"a record of pitboss {self.approval.pitboss}" if self.record else ""
        file = f"game file {self.approval.file_sha256[:16]}"
        return Flow(f"{which}: {one_line(self.typed)}", made, file, style="dim")


def run(args: Namespace) -> int:
    sheet = asked_csv(args)
    old, new = (_side(text, what, args.patient) for text, what in ((args.old, "OLD"), (args.new, "NEW")))
    found = compared(old.approval, new.approval)
    if sheet is not None:
        found.to_csv(sheet)
    code = 0 if found.verdict == NO else 1
    if args.json:
        return shown(code, lambda: print_json(found.json()))
    return shown(code, lambda: show(console(), old, new, found))


# ---- what was asked


class _Words(argparse.ArgumentParser):
    """The words of one side; what they are not is one sentence."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(message)


def _side(text: str, what: str, patient: bool) -> Side:
    if text.strip().lower().endswith(".json"):
        return Side(text, read_approval(text.strip()), record=True)
    house = _house(text, what)
    with counting(house.game.title):
        return Side(text, approval_of(house, patient=patient), record=False)


def _house(text: str, what: str) -> House:
    """A game, or a game with its options and pay tables in one text."""
    if os.path.isfile(text):  # also one whose name has a space
        return asked_house(Namespace(game=text, options=[], tables=[], jurisdiction=None, wager=None))
    allowed = 'a record (.json), a game by name or file, or a game with -o and -p in quotes, such as "bluff -o decks=8"'
    parser = _Words(add_help=False, allow_abbrev=False)
    parser.add_argument("game")
    parser.add_argument("-o", dest="options", action="append", default=[])
    parser.add_argument("-p", dest="tables", action="append", default=[])
    try:
        words = parser.parse_args(shlex.split(text))
    except (BadInput, ValueError) as error:
        raise BadInput(f"{what} is {allowed}, not {one_line(text)[:80]!r}: {str(error).lower()}") from None
    return asked_house(Namespace(**vars(words), jurisdiction=None, wager=None))


# ---- the answer


def show(screen: Console, old: Side, new: Side, found: Comparison) -> None:
    screen.print(marked("[bold]{}[/] · does this change need approval again?", new.approval.game_title))
    screen.print(old.told("old"), new.told("new"))
    screen.print(Text(f"\n{found.answer}", LOOKS[found.verdict]))
    for kind in (k for k in KINDS if k not in (FILE, PROGRAM)):
        if changes := found.of(kind):
            _changes(screen, kind, changes)
    _figures(screen, found)
    _closing(screen, found)


def _changes(screen: Console, kind: str, changes: Sequence[Change]) -> None:
    """What fits a cell in a table; sentences below each other, the old one before the new one."""
    screen.print(marked("\n[bold]{}[/] [dim]· {}[/]", kind, _needs(changes)))
    short = [c for c in changes if kind not in SENTENCES and max(len(c.what), len(c.old), len(c.new)) <= CELL]
    if short:
        out = table("", "old", "new")
        for c in short:
            out.add_row(c.what, Text(c.old or "-", "red"), Text(c.new or "-", "green"))
        screen.print(out)
    above = ""
    for c in (c for c in changes if c not in short):
        if c.what != above:
            screen.print(Text(f"  {c.what}", "italic"))
        above = c.what
        for sign, text, look in (("-", c.old, "red"), ("+", c.new, "green")):
            if text:
                _set_in(screen, sign, text, look)


def _set_in(screen: Console, sign: str, words: str, look: str) -> None:
    for number, line in enumerate(Text(one_line(words)).wrap(screen, screen.width - 6)):
        line.rstrip()
        screen.print(Text(f"  {sign if not number else ' '} {line.plain}", look), soft_wrap=True)


def _needs(changes: Sequence[Change]) -> str:
    needs = {c.needs for c in changes}
    if needs == {NO}:
        return "no approval needed"
    return "needs approval again" if YES in needs else "ask the regulator"


# ---- the figures


def _figures(screen: Console, found: Comparison) -> None:
    """Figures that moved, side by side; what is as it was is named with its edge."""
    by_offer: dict[tuple[str, str], list[Move]] = {}
    for m in found.figures:
        if m.both:
            by_offer.setdefault((m.wager, "" if m.dealt else _paytable(m)), []).append(m)
    moved = {key: some for key, some in by_offer.items() if any(m.moved for m in some)}
    if moved:
        screen.print(_side_by_side(moved))
    same = [some for key, some in by_offer.items() if key not in moved]
    if edges := [f"{m.wager} {_value(m, m.new)}" for some in same for m in some if m.dealt and m.figure == EDGE]:
        edges[0] = f"{'As they were' if moved else 'Every figure is as it was'}: {edges[0]}"
        screen.print("")
        screen.print(Flow(*edges))
    for line in _how_known(found, sum(not some[0].dealt for some in same)):
        screen.print(Text(line, "dim"))


def _side_by_side(moved: Mapping[tuple[str, str], Sequence[Move]]) -> Sheet:
    out = table("wager", "pay table", "figure", "old", "new", "change", title="\nwhat that does to the figures")
    for column in out.columns[1:3]:
        column.justify = "left"
    for (wager, other), some in moved.items():
        names = wager, other or _paytable(some[0])
        edges = next(((m.old, m.new) for m in some if m.figure == EDGE), ())
        same = [f.value for f in edges if f is not None]
        kept = [m for m in some if m.moved and (m.figure != RISK or [f.value for f in (m.old, m.new) if f] != same)]
        for number, m in enumerate(kept):
            change = Text(_change(m), LOOKS[YES] if m.counts else "")
            name = COLUMNS.get(m.figure, m.figure)
            out.add_row(*(names if not number else ("", "")), name, _value(m, m.old), _value(m, m.new), change)
        out.add_section()
    return out


def _paytable(m: Move) -> str:
    names = [f.table if f.paid_by == f.wager else f"{f.paid_by}: {f.table}" for f in (m.old, m.new) if f is not None]
    return " → ".join(dict.fromkeys(names))


def _value(m: Move, figure: FigureAt | None) -> str:
    if figure is None:
        return "-"
    about = "≈" if figure.method == SIMULATED else ""
    return f"{about}{figure.number * 100:.4f}%" if m.in_percent else f"{about}{figure.number:.4f}"


def _change(m: Move) -> str:
    by = m.by or 0.0
    return f"{by * 100:+.4f} points" if m.in_percent else f"{by:+.4f}"


def _how_known(found: Comparison, others: int) -> list[str]:
    every = [f for m in found.figures for f in (m.old, m.new) if f is not None]
    dealt = sorted({f.wager for f in every if f.method == SIMULATED and f.figure == EDGE})
    double = sorted({f.wager for f in every if f.method == DOUBLE})
    lines = []
    if others:
        lines.append(f"the figures of {others} pay table{'s' if others > 1 else ''} that may be dealt are as they were")
    if dealt:
        lines.append(f"≈ simulated; {', '.join(dealt)}: what is closer than five standard errors counts as the same")
    if double:
        lines.append(f"{', '.join(double)}: the edge is exact in double precision; ≈ simulated")
    if not dealt and not double:
        lines.append("every figure is exact; --json has the fractions")
    return lines


def _closing(screen: Console, found: Comparison) -> None:
    if found.old.pitboss != found.new.pitboss:
        screen.print(
            f"\nThe old one is by pitboss {found.old.pitboss}, the new one by {found.new.pitboss}: a sentence may be "
            "worded otherwise for that alone. Compare the two game files to be sure."
        )
    screen.print(
        "\nThe old one is taken as approved. pitboss says what changed, by the rules of docs/approval.md; what needs "
        "approval is the regulator's to say.",
        style="dim",
    )
