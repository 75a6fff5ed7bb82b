"""The table on a low screen, such as 24 lines: every hand on one line, and every wager's reason said once."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pitboss.cli import faces
from pitboss.cli.faces import FELT, QUIET, RAIL, Held, Layout, Place, signed
from pitboss.cli.layout import Flow
from pitboss.rules.paytables import money

HIGH = 34  # lines of a screen on which cards are drawn large


def felt(layout: Layout, width: int) -> Panel:
    """The same as `faces.felt`, a line for each place."""
    body: list[RenderableType] = [faces.header(layout)]
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", style=QUIET)
    grid.add_column()
    if meters := faces.jackpots(layout):
        grid.add_row("meter", Text(meters, RAIL))
    for place in layout.shared:
        grid.add_row(place.name, _line(_apart(place.cards, place.deals), place.count))
    for other in layout.others:
        _place(grid, other)
    for spot in layout.spots:
        _place(grid, spot)
    for number, held in enumerate(layout.hands, 1):
        several = len(layout.hands) > 1
        name = f"{'▶ ' if held.playing else ''}hand {number}" if several else layout.name
        bet = _bet(held, layout.stakes, layout.nets) if several else ""
        grid.add_row(Text(name, RAIL), _line(faces.small(held.cards), held.count, layout.standing, bet))
    kept = [f"{name} {value}" for name, value in layout.carried.items() if value]
    bets = [_wager(name, stake, layout.nets) for name, stake in {**layout.pots, **layout.stakes}.items()]
    if bets and not layout.spots:
        grid.add_row("bets", Flow(*bets, *kept, between="  "))
    return Panel(
        Group(*body, grid), box=box.HEAVY, style=FELT, border_style=RAIL, padding=(0, 1), width=min(width, 100)
    )


def _place(grid: Table, place: Place) -> None:
    for number, held in enumerate(place.hands):
        net = Text(signed(place.net), faces.rim(place.net)) if place.net is not None and not number else Text()
        name = Text(place.name if not number else "", RAIL if place.own else QUIET)
        grid.add_row(name, _line(faces.small(held.cards), held.count, place.standing if not number else "") + net)


def _line(cards: Text, *words: str) -> Text:
    """The cards of a hand, what they count and how they stand."""
    said = ", ".join(word for word in words if word)
    return cards + Text(f"   {said}  " if said else "  ")


def _apart(cards: Sequence[str], deals: Sequence[int]) -> Text:
    """Cards of one deal together."""
    out, start = [], 0
    for many in deals or [len(cards)]:
        out.append(faces.small(cards[start : start + many]))
        start += many
    return Text("   ").join(out)


def _bet(held: Held, stakes: Mapping[str, Fraction], nets: Mapping[str, Fraction]) -> str:
    stake, net = stakes.get(held.wager), nets.get(held.wager)
    return "" if stake is None else f"{held.wager} ${money(stake)}" if net is None else f"{held.wager} {signed(net)}"


def _wager(name: str, stake: Fraction, nets: Mapping[str, Fraction]) -> Text:
    net = nets.get(name)
    return Text(f"{name} ", QUIET) + Text(f"${money(stake)}") + Text(f" {signed(net)}" if net else "", faces.rim(net))


def because(why: Mapping[str, str]) -> list[Text]:
    """`ante, raise: dealer calls; you have a jack, the dealer has a 10`, each reason once."""
    wagers: dict[str, list[str]] = {}
    for wager, reason in why.items():
        if reason:
            wagers.setdefault(reason, []).append(wager)
    return [Text(f"{', '.join(names)}: ", "bold") + Text(f"{reason}.") for reason, names in wagers.items()]
