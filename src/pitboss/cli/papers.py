"""The arguments of what is printed and handed out: the packet, the felt, the comparison with what was approved, and the
trainer of dealers."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.cli.arguments import COUNTS, any_whole, csv_argument, game_arguments, patient_argument, rounds
from pitboss.rules.errors import BadInput

if TYPE_CHECKING:
    import argparse

    Commands = argparse._SubParsersAction[Any]


def packet(commands: "Commands") -> None:
    parser = commands.add_parser("packet", help="all that is handed to a regulator, a casino and a dealer, as one PDF")
    game_arguments(parser, wager=None)
    output_argument(parser, "FILE.pdf")
    parser.add_argument(
        "--claims", action="append", default=[], metavar="FILE",
        help="a claims file (TOML) that is judged in it (default: those that are shipped for the game, or the one "
        "beside the game file)",
    )  # fmt: skip
    parser.add_argument("--by", default="", metavar="NAME", help="who submits it, for the cover")
    parser.add_argument("--date", default="", metavar="DAY", help="the day on the cover, such as 2026-11-18")
    parser.add_argument("--paper", default="letter", metavar="NAME", help="letter (the default) or a4")
    parser.add_argument("--font", default="", metavar="NAME", help="a font of your own for the text")
    parser.add_argument("--fonts", metavar="FOLDER", help="where that font lies")
    parser.add_argument(
        "--rounds", type=rounds, metavar="N", help="rounds that confirm the count by simulation (default 5e7)"
    )
    parser.add_argument("--seed", type=any_whole, default=1, metavar="N", help="which random numbers (default 1)")
    parser.add_argument(
        "--workbook", metavar="FILE.xlsx", help="also write every return table with live formulas, for a spreadsheet"
    )
    parser.add_argument(
        "--approval", metavar="RECORD",
        help="refuse a house that this approval record does not know: another file, option or pay table",
    )  # fmt: skip
    patient_argument(parser)


def layout(commands: "Commands") -> None:
    parser = commands.add_parser(
        "layout", help="the felt, drawn to scale; also a rack card, a sign and a strategy card"
    )
    game_arguments(parser)
    output_argument(parser, "FILE.svg")
    parser.add_argument("--what", default="felt", help="felt, rack-card, sign or strategy-card (default felt)")
    parser.add_argument("--patient", action="store_true", help="count for a strategy card, however long it takes")


def diff(commands: "Commands") -> None:
    parser = commands.add_parser("diff", help="does this change need approval again? what changed, and what it does")
    parser.add_argument(
        "old",
        help="what was approved: a record that pitboss packet wrote (.json), a game by name or file, or in quotes a "
        'game with its options and pay tables, as one types them after pitboss analyze: "bluff -o decks=8"',
    )
    parser.add_argument("new", help="the same, of what is asked about")
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON (see docs/json.md)")
    csv_argument(parser, "every change and every figure")
    patient_argument(parser, COUNTS)


def train(commands: "Commands") -> None:
    parser = commands.add_parser("train", help="deal the table yourself, and have every take and pay marked")
    game_arguments(parser, "a wager that every player bets")
    parser.add_argument("--seats", type=any_whole, metavar="N", help="computer players at the table (default 3)")
    parser.add_argument("--only", metavar="settle", help="settle: cards are dealt for you; you take, pay and push")
    parser.add_argument("--hints", action="store_true", help="say before every move what is due, as the sheet has it")
    parser.add_argument("--rounds", type=rounds, metavar="N", help="leave after N rounds")
    parser.add_argument("--seed", type=any_whole, metavar="N", help="the same cards, bets and choices every time")


def output_argument(parser: "argparse.ArgumentParser", form: str) -> None:
    parser.add_argument("--output", metavar=form, help=f"the file to write; also -o {form}, as long as it has no =")


def asked_output(args: Namespace, usual: str, *endings: str) -> Path:
    """The file to write, from `--output`, or from a `-o` that is no option; the options are left with the house."""
    files = [text for text in args.options if "=" not in text]
    args.options = [text for text in args.options if "=" in text]
    files += [args.output] if args.output is not None else []
    if len(files) > 1:
        raise BadInput(f"one file is written, not {len(files)}: name one of {', '.join(files)}")
    name = files[0] if files else usual
    if not name.strip() or "\0" in name or not name.lower().endswith(endings):
        raise BadInput(f"the file to write ends in {' or '.join(endings)}, such as {usual}, not {name!r}")
    return Path(name)
