"""The arguments of the four questions that a game is judged by: verify, design, protect and floor."""

from typing import TYPE_CHECKING, Any

from pitboss.cli.arguments import bet_argument, game_arguments, strategy_argument

if TYPE_CHECKING:
    import argparse

    Commands = argparse._SubParsersAction[Any]


def verify(commands: "Commands") -> None:
    parser = commands.add_parser("verify", help="does the document tell the truth? a verdict for every claim")
    parser.add_argument("claims", nargs="*", help="claims files (TOML); all that are shipped if none is named")
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON (see docs/json.md)")
    parser.add_argument("--markdown", action="store_true", help="print the verdicts as a page of Markdown")
    parser.add_argument("--brief", action="store_true", help="leave out what is confirmed")


def design(commands: "Commands") -> None:
    parser = commands.add_parser(
        "design", help="the pay table you want: all that meet an edge; the dealer's best policy"
    )
    game_arguments(parser)


def protect(commands: "Commands") -> None:
    parser = commands.add_parser("protect", help="can it be beaten? card counting and exposed cards")
    game_arguments(parser)
    strategy_argument(parser)


def floor(commands: "Commands") -> None:
    parser = commands.add_parser("floor", help="what will it earn, and how bad can a night get?")
    game_arguments(parser)
    strategy_argument(parser)
    bet_argument(parser)
