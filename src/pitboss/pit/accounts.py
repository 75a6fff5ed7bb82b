"""Where the money is: the accounts of a table as its session has them, and the moves between two such pictures.

Every cent that a seat has comes from somewhere. What seats, stakes, meters and the dealer's tokes gain or lose between
two pictures, the table's rack loses or gains: the moves sum to zero because the rack closes them, and that the rack's
part is what was settled is checked against the rounds themselves (`pit.audit`).
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from pitboss.live.session import Session
from pitboss.pit.commands import to_cents

CAGE = "cage"
NOTHING = Fraction(0)
Picture = Mapping[str, int]  # account -> cents
Moves = dict[str, int]


def purse(player: str) -> str:
    return f"purse:{player}"


def seat(table: str, number: int) -> str:
    """The chips before a player; of one who has several seats, before the first of them."""
    return f"seat:{table}:{number}"


def stake(table: str, number: int) -> str:
    """What a seat has on the layout."""
    return f"stake:{table}:{number}"


def rack(table: str) -> str:
    return f"rack:{table}"


def tokes(table: str) -> str:
    """What the dealers of a table have been given."""
    return f"tokes:{table}"


def meter(group: str, name: str) -> str:
    return f"meter:{group}:{name}"


def picture(table: str, session: Session, seats: Iterable[int] | None = None) -> dict[str, int]:
    """What lies before each player and on each spot now; of some players only, if all of their seats are named."""
    out: dict[str, int] = {}
    for number in session.seats if seats is None else seats:
        own = session.purses.own(number)
        has = session.purse(number) if own[0] == number else NOTHING  # what was his first seat may be so no more
        out[seat(table, number)] = to_cents(has, f"the chips of seat {number}")
        out[stake(table, number)] = to_cents(session.on_layout(number), f"the bets of seat {number}")
    return out


def moves(table: str, before: Picture, after: Picture, also: Iterable[tuple[str, int]] = ()) -> Moves:
    """What changed, closed by the rack."""
    out = {name: after.get(name, 0) - before.get(name, 0) for name in {**before, **after}}
    for name, cents in also:
        out[name] = out.get(name, 0) + cents
    out = {name: cents for name, cents in sorted(out.items()) if cents}
    if rest := -sum(out.values()):
        out[rack(table)] = out.get(rack(table), 0) + rest
    return {name: cents for name, cents in out.items() if cents}
