"""What a user asked for: the arguments of a command as a house, as bets, as numbers; and the ways to answer."""

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.catalog import load
from pitboss.cli.screen import Screen
from pitboss.cli.streams import write
from pitboss.ledger.shown import Shown
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.numbers import dollars
from pitboss.rules.shoes import depleted

if TYPE_CHECKING:
    from pitboss.jurisdictions import Jurisdiction


def pairs(texts: Sequence[str], flag: str, example: str) -> dict[str, str]:
    out: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise BadInput(f"{flag} {text}: write {flag} {example}")
        out[name.strip()] = value.strip()
    return out


def asked_house(args: Namespace) -> House:
    game = load(args.game)
    options = pairs(args.options, "-o", "NAME=VALUE")
    house = game.at(options, pairs(args.tables, "-p", "WAGER=TABLE"))
    if (place := asked_jurisdiction(args)) is not None:
        house = place.house(house, [name if name in house.options else name.replace("_", "-") for name in options])
    if left := getattr(args, "shoe", None):
        house = _with_shoe(house, left)
    if args.wager is not None and args.wager not in house.parties:
        goes_with = [w for w in house.wagers if w.name == args.wager]
        if goes_with:
            raise BadInput(
                f"{args.wager} goes with the {house.lead(args.wager)}; look at --wager {house.lead(args.wager)}"
            )
        raise BadInput(f"{game.name} has no wager {args.wager!r}; it has {', '.join(house.parties)}")
    return house


def asked_jurisdiction(args: Namespace) -> "Jurisdiction | None":
    """Where the table stands, if the user has said so."""
    if args.jurisdiction is None:
        return None
    from pitboss.jurisdictions import jurisdiction_named

    return jurisdiction_named(args.jurisdiction)


def _with_shoe(house: House, left: str) -> House:
    from pitboss.rules.trace import trace

    rest = depleted(left, house.composition)
    need = trace(house).most_cards()
    if sum(rest) < need:
        raise BadInput(f"--shoe: {sum(rest)} cards are left, too few to finish a round; leave {need} or more")
    return house.but(shoe=rest)


def asked_bets(args: Namespace, house: House) -> dict[str, Fraction] | None:
    if not args.bets:
        return None
    bets = amounts(args.bets, "--bet")
    house.check_bets(bets)
    return bets


def amounts(texts: Sequence[str], flag: str) -> dict[str, Fraction]:
    return {w: dollars(f"{flag} {w}", text) for w, text in pairs(texts, flag, "WAGER=DOLLARS").items()}


def print_json(data: Any) -> int:
    write(json.dumps(data, indent=2))
    return 0


class Rows(Shown):
    """Some rows as one table, for a spreadsheet."""

    TABLE = "rows"

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self.rows = list(rows)

    @classmethod
    def named(cls, tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> "Rows":
        """Several tables under each other; the first column says of which one a row is."""
        return cls([{"table": name, **row} for name, rows in tables.items() for row in rows])

    def json(self) -> dict[str, Any]:
        return {"rows": self.rows}


def asked_csv(args: Namespace) -> str | None:
    """The file of `--csv`, which must be a name; whether it can be written is seen when it is."""
    if args.csv is not None and not args.csv.strip():
        raise BadInput("--csv needs the name of a file, such as returns.csv")
    return None if args.csv is None else str(args.csv)


def asked_workbook(args: Namespace) -> Path | None:
    """The file of `--workbook`, checked before anything is counted. A workbook is of a house as it stands."""
    if args.workbook is None:
        return None
    from pitboss.packets.workbook_cells import workbook_file

    asked = {
        "--strategy": args.strategy != "optimal", "--shoe": args.shoe, "--bet": args.bets, "--wager": args.wager,
        "--across": args.across, "--plan": args.plan,
    }  # fmt: skip
    if others := [flag for flag, given in asked.items() if given]:
        raise BadInput(f"--workbook has every wager of a full shoe, played as well as can be; leave out {others[0]}")
    return workbook_file(args.workbook)


_screens: list[Screen] = []


def console() -> Screen:
    """Where answers are drawn: standard output, unless somebody has given another screen."""
    return _screens[-1] if _screens else Screen()


@contextmanager
def drawn_on(screen: Screen) -> Iterator[None]:
    """While a command answers on a screen of somebody's own, such as one that keeps what is drawn."""
    _screens.append(screen)
    try:
        yield
    finally:
        _screens.pop()
