"""Every command and option of the command line; the reference in docs/ is made from this."""

import argparse
import sys
from typing import NoReturn

from pitboss import __version__


class _Parser(argparse.ArgumentParser):
    """One clear sentence and exit code 2, instead of a page of usage."""

    def error(self, message: str) -> NoReturn:
        print(f"pitboss: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def _game_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help="a shipped game by name (see pitboss games), or a file that defines GAME")
    parser.add_argument(
        "-o",
        dest="options",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a rule of the house, such as decks=8",
    )
    parser.add_argument(
        "-p", dest="tables", action="append", default=[], metavar="WAGER=TABLE",
        help='a pay table by name, or pays in printed order, such as suit-tie="1,3,15"',
    )  # fmt: skip
    parser.add_argument("--wager", metavar="NAME", help="look at one wager only")
    parser.add_argument("--json", action="store_true", help="print the result as JSON (see docs/json.md)")


def _shoe_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--shoe", metavar="LEFT",
        help='what is left in the shoe, such as "A:20 2:24 Kh:3"; ranks that are not named are complete',
    )  # fmt: skip


def _strategy_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--strategy", default="optimal", metavar="NAME", help="optimal (the default), or one that the game file names"
    )


def _bet_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bet", dest="bets", action="append", default=[], metavar="WAGER=DOLLARS",
        help="a bet before the deal, such as ante=10; the least that the house takes if not given",
    )  # fmt: skip


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = _Parser(prog="pitboss", description="The open laboratory for casino table games.")
    parser.add_argument("--version", action="version", version=f"pitboss {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    games = commands.add_parser("games", help="list the shipped games")
    games.add_argument("--json", action="store_true", help="print the list as JSON")

    rules = commands.add_parser("rules", help="rules of play, wagers, options and the dealer's procedure")
    _game_arguments(rules)

    analyze = commands.add_parser("analyze", help="exact analysis: house edge, return table, jackpots")
    _game_arguments(analyze)
    _strategy_argument(analyze)
    _bet_argument(analyze)
    _shoe_argument(analyze)

    strategy = commands.add_parser("strategy", help="what every choice is worth, and the best one")
    _game_arguments(strategy)
    _strategy_argument(strategy)
    _shoe_argument(strategy)

    simulate = commands.add_parser("simulate", help="play rounds by the million and compare with the exact result")
    _game_arguments(simulate)
    _strategy_argument(simulate)
    _bet_argument(simulate)
    simulate.add_argument("--rounds", metavar="N", help="how many rounds, such as 1e8 (default 1e7)")
    simulate.add_argument("--until-se", type=float, metavar="X", help="stop when the standard error of the edge is X")
    simulate.add_argument("--seed", type=int, default=1, metavar="N", help="which random numbers (default 1)")
    simulate.add_argument(
        "--workers", type=int, metavar="N", help="threads (default: all cores); never changes a result"
    )
    simulate.add_argument(
        "--shoe", nargs="?", const="", metavar="LEFT",
        help="deal through a real shoe to the cut card; with what is left in it, such as A:20, every round from that",
    )  # fmt: skip
    simulate.add_argument("--seats", type=int, default=1, metavar="N", help="players at the table (default 1)")
    simulate.add_argument("--cut", metavar="DECKS", help="decks behind the cut card, with --shoe (default: the game's)")
    simulate.add_argument("--checkpoint", metavar="FILE", help="save as it goes, and go on from there when run again")

    play = commands.add_parser("play", help="sit down at a terminal table")
    _game_arguments(play)
    _bet_argument(play)
    play.add_argument(
        "--seats", type=int, metavar="N",
        help="seats in play; computer players sit at those that are not yours (default: yours alone)",
    )  # fmt: skip
    play.add_argument(
        "--spots", type=int, default=1, metavar="N",
        help="hands that you play at once, at seats 1 to N, each with the same bets (default 1)",
    )  # fmt: skip
    play.add_argument(
        "--toke", dest="tokes", action="append", default=[], metavar="WAGER=DOLLARS",
        help="a bet for the dealer in every round, where the game allows it, such as lucky-lucky=5",
    )  # fmt: skip
    play.add_argument("--coach", action="store_true", help="name the best choice, and what another one costs, at once")
    play.add_argument("--rounds", type=int, metavar="N", help="leave after N rounds")
    play.add_argument("--log", metavar="FILE", help="append the log of every round to a file, one JSON line each")

    replay = commands.add_parser("replay", help="play logged rounds again and check that they settle the same")
    replay.add_argument("log", help="a file written by pitboss play --log")
    replay.add_argument("--game", metavar="FILE", help="the game file, if the log is of a game of your own")
    replay.add_argument("--json", action="store_true", help="print the settlements as JSON")

    commands.add_parser("demo", help="show off: Bluff analysed, charted and simulated")
    return parser
