"""Arguments that several commands share."""

import argparse
from collections.abc import Callable
from typing import TypeVar

from pitboss.rules import numbers
from pitboss.rules.errors import BadInput

T = TypeVar("T")


def _type(read: Callable[[str], T]) -> Callable[[str], T]:
    """A number as an argument: what argparse says before the sentence is the flag."""

    def parse(text: str) -> T:
        try:
            return read(text)
        except BadInput as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parse


def whole(least: int, most: int, example: str = "") -> Callable[[str], int]:
    return _type(lambda text: numbers.whole("", text, least, most, example))


any_whole = whole(-numbers.FAR, numbers.FAR)
rounds = whole(1, 10**15, "1e8")
threads = whole(1, 1024)
dollars = _type(lambda text: numbers.dollars("", text, numbers.CENT))
any_dollars = _type(lambda text: numbers.dollars("", text, -numbers.MOST))
ratio = _type(lambda text: numbers.ratio("", text))
share = _type(lambda text: numbers.share("", text))


def standard_error(text: str) -> float:
    return float(_type(lambda one: numbers.share("", one, numbers.LEAST, 1, "0.05%"))(text))


def game_arguments(parser: argparse.ArgumentParser, wager: str | None = "look at one wager only") -> None:
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
    parser.add_argument(
        "--jurisdiction", metavar="NAME|FILE",
        help="where the table stands: its limits hold, such as washington, or mine.toml (see pitboss jurisdictions)",
    )  # fmt: skip
    if wager is None:  # of the whole game, always
        parser.set_defaults(wager=None)
    else:
        parser.add_argument("--wager", metavar="NAME", help=wager)
    parser.add_argument("--json", action="store_true", help="print the result as JSON (see docs/json.md)")


def shoe_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--shoe", metavar="LEFT",
        help='what is left in the shoe, such as "A:20 2:24 Kh:3"; ranks that are not named are complete',
    )  # fmt: skip


def strategy_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--strategy", default="optimal", metavar="NAME",
        help="optimal (the default), one that the game file names, or a rule to remember: rule, or rule:3 for the best "
        "of three conditions at every decision (see --rule of pitboss strategy)",
    )  # fmt: skip


def bet_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bet", dest="bets", action="append", default=[], metavar="WAGER=DOLLARS",
        help="a bet before the deal, such as ante=10; the least that the house takes if not given",
    )  # fmt: skip


COUNTS = "count however long it takes (see --plan of pitboss analyze)"
ALL_THE_SAME = "go ahead where it takes more than ten minutes or 2 GB of memory"


def patient_argument(parser: argparse.ArgumentParser, what: str = ALL_THE_SAME) -> None:
    parser.add_argument("--patient", action="store_true", help=what)


def cluster_argument(parser: argparse.ArgumentParser, what: str = "do it on a cluster") -> None:
    parser.add_argument(
        "--cluster", metavar="ADDRESS",
        help=f"{what}, by the address of its scheduler, such as tcp://lab:8786; never changes a result",
    )  # fmt: skip


def full_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--full", action="store_true", help="every row of a long return table, with every digit")


def csv_argument(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--csv", metavar="FILE", help=f"also write {what} to a file for a spreadsheet")
