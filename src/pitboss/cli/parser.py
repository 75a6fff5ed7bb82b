"""Every command and option of the command line; the reference in docs/ is made from this."""

import argparse
from collections.abc import Sequence
from typing import NoReturn

from pitboss.cli import house, papers, questions
from pitboss.cli.arguments import (
    COUNTS,
    any_whole,
    bet_argument,
    cluster_argument,
    csv_argument,
    full_argument,
    game_arguments,
    patient_argument,
    ratio,
    rounds,
    shoe_argument,
    standard_error,
    strategy_argument,
    threads,
    whole,
)
from pitboss.cli.completion import SHELLS
from pitboss.cli.meant import of_arguments
from pitboss.cli.streams import complain, write
from pitboss.version import __version__

READ = (
    "jurisdictions", "rules", "analyze", "strategy", "simulate", "replay", "hands", "verify", "design", "protect",
    "floor", "diff",
)  # fmt: skip
"""Commands whose answer is read, and not played or watched."""
EXIT_CODES = (
    "Exit codes: 0 done; 1 a claim is contradicted, a change needs approval again, a log has something missing, or a "
    "simulation is far from its exact result; 2 a mistake in what was asked, told in one sentence; 70 a fault of "
    "pitboss, whose details are in the file that it names; 74 the output could not be written; 130 interrupted; 143 "
    "terminated."
)


class _Parser(argparse.ArgumentParser):
    """One clear sentence and exit code 2, instead of a page of usage."""

    words: Sequence[str] = ()  # as they were typed

    def error(self, message: str) -> NoReturn:
        complain(f"{of_arguments(message, self, self.words)} (see {self.prog} --help)")
        raise SystemExit(2)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> object:
        """argparse takes `--wager=--` for no value at all."""
        if action.option_strings and "--" in arg_strings:
            self.error(f"argument {'/'.join(action.option_strings)}: '--' is not a value")
        return super()._get_values(action, arg_strings)

    def _print_message(self, message: str, file: object = None) -> None:
        """Help and the version: argparse would not say that they could not be written."""
        write(message, end="")


def build_parser(words: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The whole command line; `words` are what was typed, for a guess at what was meant."""
    parser = _Parser(prog="pitboss", description="The open laboratory for casino table games.", epilog=EXIT_CODES)
    parser.words = words
    parser.add_argument("--version", action="version", version=f"pitboss {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)

    games = commands.add_parser("games", help="list the shipped games")
    games.add_argument("--json", action="store_true", help="print the list as JSON")

    places = commands.add_parser("jurisdictions", help="what places ask of a game: limits, filings, postings, sources")
    places.add_argument("which", nargs="?", metavar="NAME|FILE", help="one of them, or a file of your own; else a list")
    places.add_argument("--json", action="store_true", help="print it as JSON (see docs/json.md)")

    rules = commands.add_parser("rules", help="rules of play, wagers, options and the dealer's procedure")
    game_arguments(rules)
    csv_argument(rules, "every wager with every row of its pay table")

    analyze = commands.add_parser("analyze", help="exact analysis: house edge, return table, jackpots")
    game_arguments(analyze)
    strategy_argument(analyze)
    bet_argument(analyze)
    shoe_argument(analyze)
    patient_argument(analyze, COUNTS)
    analyze.add_argument(
        "--plan", action="store_true",
        help="say what would be counted, by which kernel, with how many ways and how long, and count nothing",
    )  # fmt: skip
    full_argument(analyze)
    csv_argument(analyze, "every row of every return table")
    analyze.add_argument(
        "--workbook", metavar="FILE.xlsx",
        help="also write every return table, of every pay table that may be dealt, with live formulas, to be checked "
        "in a spreadsheet",
    )  # fmt: skip
    analyze.add_argument(
        "--across", action="append", default=[], metavar="NAME[=VALUES]",
        help="every wager's edge at each value of an option, such as decks or decks=4,6,8, or with each pay table of a "
        'wager, such as ante-bonus, ante-bonus=A,H or suit-tie="1,3,15;1,4,11"; given twice, at all combinations',
    )  # fmt: skip
    analyze.add_argument(
        "--plot", metavar="FILE",
        help="draw the return distribution of a wager (the first, or --wager), or the edges --across an option; "
        "the file ends in .png or .svg",
    )  # fmt: skip

    cluster_argument(analyze, "count --across on a cluster, one house at a time on every core")

    strategy = commands.add_parser("strategy", help="what every choice is worth, and the best one")
    game_arguments(strategy)
    strategy_argument(strategy)
    shoe_argument(strategy)
    patient_argument(strategy, COUNTS)
    strategy.add_argument(
        "--rule", nargs="?", type=whole(0, 20), const=-1, metavar="N",
        help="the shortest rule that a person can remember, and what rules of every length cost; with N, the best of "
        "at most N conditions at a decision",
    )  # fmt: skip
    csv_argument(strategy, "every row of the chart, however long it is,")
    strategy.add_argument(
        "--plot", metavar="FILE",
        help="draw the strategy as a map, or with --rule as a card, to a file ending in .png or .svg",
    )  # fmt: skip

    simulate = commands.add_parser("simulate", help="play rounds by the million and compare with the exact result")
    game_arguments(simulate)
    strategy_argument(simulate)
    bet_argument(simulate)
    simulate.add_argument("--rounds", type=rounds, metavar="N", help="how many rounds, such as 1e8 (default 1e7)")
    simulate.add_argument(
        "--until-se",
        type=standard_error,
        metavar="X",
        help="stop when the standard error of the edge is X, such as 0.05%%",
    )
    simulate.add_argument("--seed", type=any_whole, default=1, metavar="N", help="which random numbers (default 1)")
    simulate.add_argument(
        "--workers", type=threads, metavar="N", help="threads (default: all cores); never changes a result"
    )
    simulate.add_argument(
        "--shoe", nargs="?", const="", metavar="LEFT",
        help="deal through a real shoe to the cut card; with what is left in it, such as A:20, every round from that",
    )  # fmt: skip
    simulate.add_argument("--seats", type=any_whole, default=1, metavar="N", help="players at the table (default 1)")
    simulate.add_argument(
        "--cut", type=ratio, metavar="DECKS", help="decks behind the cut card, with --shoe (default: the game's)"
    )
    simulate.add_argument("--checkpoint", metavar="FILE", help="save as it goes, and go on from there when run again")
    cluster_argument(simulate, "deal on a cluster")
    simulate.add_argument(
        "--plan", action="store_true", help="say how --rounds would be cut and how long they should take, and deal none"
    )
    full_argument(simulate)
    csv_argument(simulate, "every row of every table")
    patient_argument(simulate)

    play = commands.add_parser("play", help="sit down at a terminal table")
    game_arguments(play)
    bet_argument(play)
    play.add_argument(
        "--seats", type=any_whole, metavar="N",
        help="seats in play; computer players sit at those that are not yours (default: yours alone)",
    )  # fmt: skip
    play.add_argument(
        "--spots", type=any_whole, default=1, metavar="N",
        help="hands that you play at once, at seats 1 to N (default 1); a spot of its own bets with --bet 2:ante=25",
    )  # fmt: skip
    play.add_argument(
        "--toke", dest="tokes", action="append", default=[], metavar="WAGER=DOLLARS",
        help="a bet for the dealer in every round, where the game allows it, such as lucky-lucky=5",
    )  # fmt: skip
    play.add_argument("--cut", type=ratio, metavar="DECKS", help="decks behind the cut card (default: the game's)")
    play.add_argument("--shuffler", action="store_true", help="a continuous shuffler: every round from all cards")
    play.add_argument("--coach", action="store_true", help="name the best choice, and what another one costs, at once")
    play.add_argument("--rounds", type=rounds, metavar="N", help="leave after N rounds")
    play.add_argument(
        "--log", metavar="FILE", help="append a log of every round to a file; a new one, or one begun by --log"
    )

    replay = commands.add_parser("replay", help="play logged rounds again and check that they settle the same")
    replay.add_argument("log", help="a file written by pitboss play --log")
    replay.add_argument(
        "--game", dest="games", action="append", default=[], metavar="FILE",
        help="the game file, if the log is of a game of your own; it must be the one that was played",
    )  # fmt: skip
    replay.add_argument("--json", action="store_true", help="print the settlements as JSON")

    hands = commands.add_parser("hands", help="how often each poker hand comes up, counted")
    hands.add_argument("cards", type=any_whole, help="cards from which the best hand is made: 3 to 7")
    hands.add_argument(
        "--best", type=any_whole, metavar="N", help="cards that a hand counts, such as 4 of 5 (default: all, or five)"
    )
    hands.add_argument("--json", action="store_true", help="print the count as JSON (see docs/json.md)")
    csv_argument(hands, "every hand")

    questions.verify(commands)
    questions.design(commands)
    questions.protect(commands)
    questions.floor(commands)
    papers.packet(commands)
    papers.layout(commands)
    papers.diff(commands)
    papers.train(commands)
    house.serve(commands)
    house.audit(commands)
    house.cluster(commands)

    commands.add_parser(
        "demo", help="a story in nine screens: a claim proved, explained, dealt, judged, and a packet written"
    )
    completion = commands.add_parser("completion", help="what a shell needs to complete commands, flags and games")
    completion.add_argument(
        "shell", choices=SHELLS, help='bash, zsh or fish; in bash: eval "$(pitboss completion bash)"'
    )
    for name in READ:
        commands.choices[name].add_argument(
            "--no-pager", action="store_true", help="print a long answer at once, also on a terminal"
        )
    return parser
