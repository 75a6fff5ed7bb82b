"""The arguments of what is printed and handed out: the packet, the felt, the comparison with what was approved, and the
trainer of dealers."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.cli.arguments import any_whole, game_arguments, rounds
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
    parser.add_argument("old", help="a record that pitboss packet wrote, a game file, or a game with its options")
    parser.add_argument("new", help="the same, for what is asked about")
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON (see docs/json.md)")


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
