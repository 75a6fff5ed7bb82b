"""The arguments of the four questions that a game is judged by: verify, design, protect and floor."""

from typing import TYPE_CHECKING, Any

from pitboss.cli.arguments import (
    any_dollars,
    any_whole,
    bet_argument,
    cluster_argument,
    csv_argument,
    dollars,
    game_arguments,
    patient_argument,
    ratio,
    rounds,
    share,
    strategy_argument,
)

if TYPE_CHECKING:
    import argparse

    Commands = argparse._SubParsersAction[Any]


def verify(commands: "Commands") -> None:
    parser = commands.add_parser("verify", help="does the document tell the truth? a verdict for every claim")
    parser.add_argument(
        "claims", nargs="*", metavar="GAME|FILE",
        help="a shipped document by its game, such as bluff, or a claims file (TOML); all that are shipped if none is "
        "named",
    )  # fmt: skip
    parser.add_argument(
        "--game", dest="games", action="append", default=[], metavar="FILE",
        help="a game file that the claims are about; a game file is a program, and runs only if you name it",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the verdicts as JSON (see docs/json.md)")
    parser.add_argument("--markdown", action="store_true", help="print the verdicts as a page of Markdown")
    parser.add_argument("--brief", action="store_true", help="leave out what is confirmed")
    csv_argument(parser, "every claim and its verdict")
    patient_argument(parser)


def design(commands: "Commands") -> None:
    parser = commands.add_parser(
        "design", help="the pay table you want: all that meet an edge; the dealer's best policy"
    )
    game_arguments(parser, wager="the wager whose pay table may move, such as suit-tie")
    parser.add_argument(
        "--edge", metavar="EDGE",
        help="the house edge wanted: 4%%..6%% for all within, 5%% for those that come closest; one that begins with a "
        "minus is written --edge=-5%%..0",
    )  # fmt: skip
    parser.add_argument(
        "--row", dest="rows", action="append", default=[], metavar="ROW=PAYS",
        help="a row that may move, such as flush=3..8, royal=50..200..50 (in steps of 50), pair=lose..1, flush=3,4,6 "
        "or match=$50..$150; rows that are not named stay (default: every winning row, from half its pay to double it, "
        "in round figures)",
    )  # fmt: skip
    parser.add_argument("--step", metavar="STEP", help="steps of a range of pays, such as 1/2 (default 1)")
    parser.add_argument(
        "--any-order", action="store_true", help="let a row pay more than one that is printed on its better side"
    )
    parser.add_argument(
        "--taste", metavar="NAME", help="what comes first: closest (the default), hits, calm, wild or pretty"
    )
    parser.add_argument(
        "--across", metavar="OPTION[=VALUES]",
        help="an option, such as decks, or some of its values, such as decks=4,6,8: the edge must hold for each",
    )  # fmt: skip
    parser.add_argument("--top", type=any_whole, metavar="N", help="how many to show (default 20)")
    parser.add_argument(
        "--policy", action="store_true",
        help="the dealer's policy instead: of all threshold policies the best, and what a change of one card costs",
    )  # fmt: skip
    csv_argument(parser, "every pay table, or policy, that is shown,")
    patient_argument(parser)


def protect(commands: "Commands") -> None:
    parser = commands.add_parser("protect", help="can it be beaten? card counting and exposed cards")
    game_arguments(parser)
    parser.add_argument(
        "--decks", metavar="LIST",
        help="numbers of decks to compare, such as 2,6,8 (default: those of 2, 4, 6 and 8 that the game offers; with"
        " -o decks=N, or where a wager takes long to work out, the house's own)",
    )  # fmt: skip
    parser.add_argument(
        "--cut", metavar="LIST",
        help="decks behind the cut card, such as 0.5,1,1.5 (default: these and the game's own)",
    )  # fmt: skip
    parser.add_argument("--seats", type=any_whole, default=1, metavar="N", help="players at the table (default 1)")
    parser.add_argument(
        "--shoes",
        type=any_whole,
        default=2000,
        metavar="N",
        help="real shoes that are dealt per number of decks (default 2000)",
    )
    parser.add_argument(
        "--states", type=any_whole, metavar="N",
        help="shoes to count one by one, for wagers of which every round would take too long (default 200; 100 where"
        " hands are played card by card)",
    )  # fmt: skip
    parser.add_argument("--seed", type=any_whole, default=1, metavar="N", help="which random numbers (default 1)")
    parser.add_argument(
        "--hands", type=any_whole, default=60, metavar="N", help="rounds that are dealt an hour (default 60)"
    )
    parser.add_argument(
        "--limit",
        type=dollars,
        metavar="DOLLARS",
        help="the largest bet taken (default: the wager's maximum, or the table's)",
    )
    parser.add_argument(
        "--tolerate", type=dollars, default="20", metavar="DOLLARS",
        help="what a counter may win an hour for the bet to be called safe (default 20)",
    )  # fmt: skip
    parser.add_argument("--plot", metavar="FILE", help="draw what counters win, to a file that ends in .png or .svg")
    cluster_argument(parser)
    csv_argument(parser, "every table")
    patient_argument(parser)


def floor(commands: "Commands") -> None:
    parser = commands.add_parser("floor", help="what will it earn, and how bad can a night get?")
    game_arguments(parser)
    strategy_argument(parser)
    bet_argument(parser)
    parser.add_argument(
        "--hands", type=any_whole, default=60, metavar="N", help="rounds that are dealt an hour (default 60)"
    )
    parser.add_argument(
        "--seats", type=any_whole, metavar="N", help="players at the table (default 5, or all seats if fewer)"
    )
    parser.add_argument(
        "--rate", dest="rates", action="append", default=[], metavar="WAGER=SHARE",
        help="on which share of the hands a bet is made, such as suit-tie=40%% (default 100%%)",
    )  # fmt: skip
    parser.add_argument("--hours", type=ratio, default="8", metavar="N", help="hours in a shift (default 8)")
    parser.add_argument("--days", type=any_whole, default=30, metavar="N", help="shifts in a month (default 30)")
    parser.add_argument(
        "--risk",
        type=share,
        default="1%",
        metavar="SHARE",
        help="the risk of ruin, and the bad night to look at (default 1%%)",
    )
    parser.add_argument(
        "--seed",
        type=any_whole,
        default=1,
        metavar="N",
        help="which random numbers, where something is simulated (default 1)",
    )
    parser.add_argument(
        "--mistakes", type=share, default="0%", metavar="SHARE",
        help="how well people play: what their mistakes give away of the bet that they play, such as 1%% (default 0%%)",
    )  # fmt: skip
    parser.add_argument(
        "--buy-in", type=dollars, metavar="DOLLARS",
        help="what a player buys in for, for the drop and the hold (default: 20 rounds' bets)",
    )  # fmt: skip
    parser.add_argument(
        "--stay", type=ratio, default="1", metavar="HOURS", help="how long he stays for that (default 1)"
    )
    parser.add_argument(
        "--actual", type=any_dollars, metavar="DOLLARS",
        help="what the house has really won in a month (or in --rounds): is it normal? a loss is written --actual=-500",
    )  # fmt: skip
    parser.add_argument(
        "--rounds", type=rounds, metavar="N", help="in how many rounds --actual was won (default: those of a month)"
    )
    parser.add_argument("--plot", metavar="FILE", help="draw the house's win, to a file that ends in .png or .svg")
    cluster_argument(parser)
    csv_argument(parser, "every bet, the swings and the jackpots")
    patient_argument(parser)
