"""The arguments of what is printed and handed out: the packet, the felt, the comparison with what was approved, and the
trainer of dealers."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.cli.arguments import COUNTS, any_whole, csv_argument, game_arguments, patient_argument
from pitboss.rules.errors import BadInput

if TYPE_CHECKING:
    import argparse

    Commands = argparse._SubParsersAction[Any]


def packet(commands: "Commands") -> None:
    parser = commands.add_parser("packet", help="all that is handed to a regulator, a casino and a dealer, as one PDF")
    game_arguments(parser)
    output_argument(parser, "FILE.pdf")


def layout(commands: "Commands") -> None:
    parser = commands.add_parser(
        "layout", help="the felt, drawn to scale; also a rack card, a sign and a strategy card"
    )
    game_arguments(parser)
    output_argument(parser, "FILE.svg")


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
    game_arguments(parser)
    parser.add_argument("--seats", type=any_whole, metavar="N", help="computer players at the table (default 3)")


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
