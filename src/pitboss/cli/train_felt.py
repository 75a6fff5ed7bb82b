"""The table as its dealer sees it: the house's cards on top, then a line for every seat with its cards and its bets."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pitboss.cli import faces, seats
from pitboss.cli.faces import FELT, QUIET, RAIL, signed
from pitboss.cli.layout import Flow
from pitboss.live import SeatView, View
from pitboss.rules.house import House
from pitboss.rules.paytables import money

Bets = Mapping[str, Fraction]


def felt(house: House, showing: House, view: View, width: int, large: bool, pointed: int = 0) -> Panel:
    """What lies on the table, with the meters as the house is `showing` them; `large` draws the house's cards as cards,
    `pointed` is a seat to look at."""
    staked = {name: stake for seat in view.seats.values() for name, stake in seat.stakes.items()}
    layout = faces.Layout(house, seats.shoe_told(view), staked)
    body: list[RenderableType] = [faces.header(layout)]
    if meters := faces.jackpots(replace(layout, house=showing)):
        body.append(Text(meters, RAIL, justify="center"))
    shared = seats.shared_cards(view)
    if large:
        body += faces.before_the_house(shared, width - 6)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right", style=QUIET, no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column()
    for place in () if large else shared:
        grid.add_row(place.name, _held(place.cards, place.count), Text())
    for name, amount in view.pots.items():
        grid.add_row(name, Text(f"${money(amount)}"), Text())
    for seat in view.seats.values():
        _seat(grid, seat, view.pots, seat.seat == pointed)
    body.append(grid)
    return Panel(Group(*body), box=box.HEAVY, style=FELT, border_style=RAIL, padding=(0, 1), width=min(width, 100))


def _seat(grid: Table, seat: SeatView, pots: Bets, pointed: bool) -> None:
    name = Text(f"{'▶ ' if pointed else ''}seat {seat.seat}", RAIL if pointed else QUIET)
    hands = seat.hands or (None,)
    for number, hand in enumerate(hands):
        cards = Text() if hand is None else _held(hand.cards, faces.counts(hand.count))
        grid.add_row(name if not number else "", cards, Flow(*_bets(seat, pots), between="  ") if not number else "")


def _held(cards: Sequence[str], count: str) -> Text:
    return faces.small(cards) + Text(f"  {count}" if count else "", QUIET)


def _bets(seat: SeatView, pots: Bets) -> list[Text]:
    """The chips that lie before a seat, then what has come of those that were settled."""
    nets = seat.nets
    lie = {**seat.unsettled, **{name: stake for name, stake in seat.markers.items() if name not in nets}}
    out = [_lies(name, stake) for name, stake in lie.items() if name not in pots]
    settled = {e["wager"] for e in seat.for_dealer}
    out += [_lies(f"toke {name}", stake) for name, stake in seat.tokes.items() if name not in settled]
    came = {name: signed(net) if net else "push" for name, net in nets.items() if name not in pots}
    return out + [Text(f"{name} {words}", faces.rim(nets[name])) for name, words in came.items()]


def _lies(name: str, stake: Fraction) -> Text:
    return Text.assemble((f"{name} ", QUIET), f"${money(stake)}")
