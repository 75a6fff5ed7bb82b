"""The arguments of what stays open: the live house, with its log, and the two processes of a cluster."""

from typing import TYPE_CHECKING, Any

from pitboss.cli.arguments import threads, whole

if TYPE_CHECKING:
    import argparse

    Commands = argparse._SubParsersAction[Any]


def serve(commands: "Commands") -> None:
    parser = commands.add_parser("serve", help="open the live house: tables that many people sit at, in the browser")
    _log(parser, "where everything that happens is kept")
    parser.add_argument("--host", default="127.0.0.1", help="which address it listens at (default: this machine only)")
    parser.add_argument("--port", type=whole(0, 65535), default=8021, help="which port (default 8021; 0 for any)")
    parser.add_argument(
        "--painters", type=whole(0, 8), metavar="N",
        help="processes that draw what people see, up to 8 (default: one for every core but one; 0: the house itself)",
    )  # fmt: skip
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument(
        "--table", dest="tables", action="append", default=[], metavar="GAME[:OPTIONS]",
        help="open a table, such as blackjack:decks=6,table-min=10, unless there is one; without any, and at the first "
        "start, there is a table of each shipped game",
    )  # fmt: skip
    parser.add_argument(
        "--open", dest="guests", action="store_true",
        help="whoever sits at this machine may join by name, without an invitation",
    )  # fmt: skip
    parser.add_argument(
        "--password-file", metavar="FILE",
        help="the supervisor's password, in the first line of a file; needed once before others can reach the house",
    )  # fmt: skip
    parser.add_argument(
        "--origin",
        default="",
        metavar="URL",
        help="how the house is called from outside, such as https://house.example",
    )


def audit(commands: "Commands") -> None:
    parser = commands.add_parser(
        "audit", help="check the log of a live house: its chain, its money, its meters, its shuffles and every round"
    )
    _log(parser, "the log")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")


def cluster(commands: "Commands") -> None:
    parser = commands.add_parser("cluster", help="many machines: the scheduler, and the workers that it gives work to")
    parser.add_argument("what", choices=["scheduler", "worker"], help="which of the two this machine is to be")
    parser.add_argument(
        "address", nargs="?", metavar="ADDRESS", help="of a worker: its scheduler, such as tcp://lab:8786"
    )
    parser.add_argument("--host", default="127.0.0.1", help="where a scheduler listens (default: this machine only)")
    parser.add_argument("--port", type=whole(0, 65535), default=8786, help="which port (default 8786; 0 for any)")
    parser.add_argument("--threads", type=threads, metavar="N", help="of a worker (default: all cores)")
    parser.add_argument(
        "--trust-network", action="store_true",
        help="listen without certificates on a network where everybody may run programs on this machine",
    )  # fmt: skip


def _log(parser: "argparse.ArgumentParser", what: str) -> None:
    parser.add_argument(
        "--db", metavar="URL", help=f"{what}: a file, or postgresql://... (default: house.db in your data folder)"
    )
    parser.add_argument(
        "--game", dest="games", action="append", default=[], metavar="FILE",
        help="a game file of your own that tables may be opened for, or were",
    )  # fmt: skip
