"""How a table looks in a terminal: cards, chips, the felt, what was paid, what a hint says. It knows no rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from typing import Any

from rich import box
from rich.align import Align
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pitboss.live import BACK
from pitboss.rules.graph import BOARD, DEALER
from pitboss.rules.house import House
from pitboss.rules.paytables import money

Event = Mapping[str, Any]
Pots = Mapping[str, Sequence[int]]  # wager between the players -> the seats that take it
Block = tuple[RenderableType, int]  # something drawn, and how wide it is

WIDEST = 100  # a felt wider than this pulls the eye apart
CARD_WIDTH, CARD_HEIGHT = 7, 5

FELT = "#f4f1e6 on #0f4d33"
RAIL = "#c9a227"
QUIET = "#a9c4b4"  # on felt; dim text would sink into the green
PIPS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
PAPER = {True: "bold #c8102e on #fffdf5", False: "bold #16181d on #fffdf5"}  # by: is the suit red
REVERSE = "#8fa6e0 on #23367a"

CHIPS = (
    (500, "#6a2c91", "#ffffff"),
    (100, "#101010", "#ffffff"),
    (25, "#1f9d4d", "#ffffff"),
    (5, "#c8102e", "#ffffff"),
    (1, "#f5f5f5", "#101010"),
)


# ---- money and names


def signed(amount: Fraction) -> str:
    """`+$10`, `-$7.50`, `$0`."""
    return f"{'-' if amount < 0 else '+' if amount > 0 else ''}${money(abs(amount))}"


def cents(amount: Fraction | float) -> str:
    """An expectation in dollars, rounded: `-$0.42`."""
    text = f"{abs(float(amount)):,.2f}"
    return f"{'' if text == '0.00' else '-' if amount < 0 else '+'}${text}"


def coloured(amount: Fraction, text: str) -> Text:
    return Text(text, "bold green" if amount > 0 else "bold red" if amount < 0 else "")


def listed(bets: Mapping[str, Fraction]) -> str:
    """`ante $10, suit-tie $5`."""
    return ", ".join(f"{name} ${money(amount)}" for name, amount in bets.items())


def player(seat: int, spots: int = 1) -> str:
    """`seat 6`, `you`, and of one who plays several spots `your spot 2`."""
    return f"seat {seat}" if seat > spots else "you" if spots == 1 else f"your spot {seat}"


def named(seats: Sequence[int], spots: int = 1) -> str:
    """`seat 6, seat 2 and you`."""
    return enumerated([player(seat, spots) for seat in seats])


def counts(count: Mapping[str, int]) -> str:
    """What a hand counts, in words: `soft 17`, `16`; what merely holds or not is named when it does."""
    numbers = [(label, value) for label, value in count.items() if not isinstance(value, bool)]
    holds = [label for label, value in count.items() if value is True]
    shown = [str(value) if len(numbers) == 1 else f"{label} {value}" for label, value in numbers]
    return " ".join([*holds, ", ".join(shown)]).strip()


def enumerated(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


# ---- cards and chips


def card_lines(name: str) -> list[Text]:
    """One card, five lines high, or its back."""
    if name == BACK:
        rows, style = ["░" * 5] * 3, REVERSE
    elif _joker(name):
        rows, style = ["JOKER", "  ★  ", "JOKER"], PAPER[False]
    else:
        rank, pip = _rank(name), PIPS[name[-1]]
        rows, style = [f"{rank:<5}", f"  {pip}  ", f"{rank:>5}"], PAPER[name[-1] in "dh"]
    edge = "─" * 5
    return [Text(line, style) for line in (f"╭{edge}╮", *(f"│{row}│" for row in rows), f"╰{edge}╯")]


def hand(cards: Sequence[str], width: int, deals: Sequence[int] = ()) -> Text:
    """Cards side by side, in as many rows as the width asks for; deals lie apart where there is room."""
    ends = set(accumulate(deals or [len(cards)]))
    apart = len(cards) * (CARD_WIDTH + 1) - 1 + 2 * (len(ends) - 1) <= width
    fit = max(1, (width + 1) // (CARD_WIDTH + 1))
    out = []
    for start in range(0, len(cards), fit):
        lines = [Text() for _ in range(CARD_HEIGHT)]
        for place, card in enumerate(cards[start : start + fit], start):
            gap = "" if place == start else "   " if apart and place in ends else " "
            lines = [line + Text(gap) + part for line, part in zip(lines, card_lines(card), strict=True)]
        out += lines
    return Text("\n", justify="center", no_wrap=True).join(out)


def fan(cards: Sequence[str]) -> list[Text]:
    """Cards that overlap, so that several hands fit beside each other: of all but the last the left edge is seen."""
    lines = [Text() for _ in range(CARD_HEIGHT)]
    for place, name in enumerate(cards):
        drawn = card_lines(name)
        if place < len(cards) - 1:
            drawn = [line[:3] for line in drawn]
            if name != BACK:
                drawn[2] = Text(f"│{_pip(name)} ", drawn[2].style)
        lines = [line + part for line, part in zip(lines, drawn, strict=True)]
    return lines


def small(cards: Sequence[str]) -> Text:
    """A hand on one line: `K♥ 9♠ 4♦`."""
    return Text(" ").join(
        Text("░░", REVERSE) if name == BACK else Text(_rank(name) + _pip(name), PAPER[name[-1] in "dh"])
        for name in cards
    )


def _joker(name: str) -> bool:
    return name.startswith("Jk")


def _rank(name: str) -> str:
    return "Jk" if _joker(name) else name[:-1].replace("T", "10")


def _pip(name: str) -> str:
    return "★" if _joker(name) else PIPS[name[-1]]


def chips(amount: Fraction) -> Text:
    """The fewest chips that make the amount; what is under a dollar lies beside them as coins."""
    stacks = []
    for value, colour, ink in CHIPS:
        count, amount = divmod(amount, value)
        if count:
            chip = Text.assemble(("◖", colour), (str(value), f"bold {ink} on {colour}"), ("◗", colour))
            stacks.append(chip + Text(f"×{count}") if count > 1 else chip)
    if amount:
        stacks.append(Text(f"{float(amount * 100):g}c"))
    return Text(" ").join(stacks)


def circle(wager: str, stake: Fraction, net: Fraction | None) -> Panel:
    """A betting circle with its chips; its rim tells afterwards how the wager came out."""
    body = Text("\n", justify="center").join([chips(stake), Text(f"${money(stake)}")])
    widest = max(len(wager) + 2, *(line.cell_len for line in body.split("\n")))
    return Panel(body, title=Text(wager, "bold"), box=box.ROUNDED, border_style=rim(net), width=widest + 4)


def rim(net: Fraction | None) -> str:
    """How it came out, in a colour that shows on felt."""
    return QUIET if not net else "#7be495" if net > 0 else "#ff8a8a"


def circles(stakes: Mapping[str, Fraction], nets: Mapping[str, Fraction], width: int) -> Group:
    """The circles that have chips on them."""
    drawn = [circle(wager, stake, nets.get(wager)) for wager, stake in stakes.items()]
    return in_rows([(panel, panel.width or 0) for panel in drawn], 1, width)


def in_rows(blocks: Sequence[Block], gap: int, width: int) -> Group:
    """Blocks side by side, in as few rows as fit, and those about equally long."""
    fewest = len(_rows(blocks, gap, width))
    even = next(limit for limit in range(width + 1) if limit == width or len(_rows(blocks, gap, limit)) == fewest)
    grids = []
    for row in _rows(blocks, gap, even):
        grid = Table.grid(padding=(0, gap, 0, 0))
        for _, wide in row:
            grid.add_column(justify="center", no_wrap=True, width=wide)
        grid.add_row(*(block for block, _ in row))
        grids.append(Align.center(grid))
    return Group(*grids)


def _rows(blocks: Sequence[Block], gap: int, width: int) -> list[list[Block]]:
    rows: list[list[Block]] = [[]]
    used = 0
    for block in blocks:
        used += block[1] + gap
        if rows[-1] and used - gap > width:
            rows.append([])
            used = block[1] + gap
        rows[-1].append(block)
    return rows


# ---- the felt


@dataclass(frozen=True)
class Held:
    """One of a player's hands: its cards, what they count, and, once there are several, what is bet on it."""

    cards: Sequence[str]
    count: str = ""
    wager: str = ""
    playing: bool = False


@dataclass(frozen=True)
class Place:
    """A place at the table: its hands, how it stands with those that were compared before, what the round brought."""

    name: str
    hands: Sequence[Held]
    standing: str = ""
    net: Fraction | None = None
    stakes: Mapping[str, Fraction] = field(default_factory=dict)
    nets: Mapping[str, Fraction] = field(default_factory=dict)
    carried: Mapping[str, int] = field(default_factory=dict)
    own: bool = False  # one of several spots of the player


@dataclass(frozen=True)
class Shared:
    """Cards that lie before the house, for all seats: the dealer's, the board, a place with a name."""

    name: str
    cards: Sequence[str]
    count: str = ""
    deals: Sequence[int] = ()  # cards of each deal, where they lie apart


@dataclass(frozen=True)
class Layout:
    """What lies on the table at one moment."""

    house: House
    shoe: str
    stakes: Mapping[str, Fraction]
    shared: Sequence[Shared] = ()
    hands: Sequence[Held] = ()  # the player's own
    nets: Mapping[str, Fraction] = field(default_factory=dict)
    carried: Mapping[str, int] = field(default_factory=dict)
    pots: Mapping[str, Fraction] = field(default_factory=dict)  # wagers between the players lie in the middle
    others: Sequence[Place] = ()  # those of whom there is something to see, in settlement order
    standing: str = ""  # the player's own
    name: str = "you"
    spots: Sequence[Place] = ()  # all of the player's, when he has several and none of them is being played


def felt(layout: Layout, width: int) -> Panel:
    """Dealer on top, the board and the places with names, pots, the other players, then the player and his bets."""
    width = min(width, WIDEST)
    inner = width - 6
    body: list[RenderableType] = [header(layout)]
    if meters := jackpots(layout):
        body.append(Text(meters, RAIL, justify="center"))
    body += before_the_house(layout.shared, inner)
    if layout.pots:
        body.append(circles(layout.pots, layout.nets, inner))
    if layout.others:
        body.append(_others(layout.others))
    if layout.hands or layout.spots:
        body.append(Text(""))
    several = len(layout.hands) > 1
    if layout.spots:
        body.append(in_rows([block for spot in layout.spots for block in _spot(spot)], 3, inner))
    elif several:
        body.append(in_rows(_side_by_side(layout.hands, layout.stakes, layout.nets), 3, inner))
    elif layout.hands:
        body.append(hand(layout.hands[0].cards, inner))
    count = "" if several or not layout.hands else layout.hands[0].count
    body.append(_quiet(layout.name, count, layout.standing, *_kept(layout.carried)))
    apart = {*layout.pots, *(held.wager for held in layout.hands if several)}
    own = {name: stake for name, stake in layout.stakes.items() if name not in apart}
    if own and not layout.spots:
        body.append(circles(own, layout.nets, inner))
    return Panel(Group(*body), box=box.HEAVY, style=FELT, border_style=RAIL, padding=(0, 2), width=width)


def before_the_house(shared: Sequence[Shared], width: int) -> list[RenderableType]:
    """Each place with its name above its cards; places with names of their own lie side by side where there is room."""
    out: list[RenderableType] = []
    named = [place for place in shared if place.name not in (DEALER, BOARD)]
    for place in shared:
        if place not in named:
            out += [_quiet(place.name, place.count), hand(place.cards, width, place.deals)]
    if named:
        blocks = [_block([_quiet(p.name, p.count), *hand(p.cards, width).split("\n")]) for p in named]
        out.append(in_rows(blocks, 3, width))
    return out


def _quiet(*words: str) -> Text:
    return Text(" · ".join(word for word in words if word), QUIET, justify="center")


def _kept(carried: Mapping[str, int]) -> list[str]:
    return [f"{name} {value}" for name, value in carried.items() if value]


def _block(lines: Sequence[Text]) -> Block:
    return Text("\n", justify="center", no_wrap=True).join(lines), max(line.cell_len for line in lines)


def _side_by_side(
    hands: Sequence[Held], stakes: Mapping[str, Fraction], nets: Mapping[str, Fraction], *more: Text, spot: str = ""
) -> list[Block]:
    """The player's hands after a split, each with its bet and what it counts; under the first what is said of all."""
    blocks = []
    for number, held in enumerate(hands, 1):
        name = f"{spot}, hand {number}" if spot else f"hand {number}"
        mark = Text(f"▶ {name}", f"bold {RAIL}") if held.playing else Text(name, QUIET)
        stake, net = stakes.get(held.wager), nets.get(held.wager)
        bet = "" if stake is None else f"{held.wager} ${money(stake)}" if net is None else f"{held.wager} {signed(net)}"
        under = [Text(held.count), Text(bet, rim(net)), *(more if number == 1 else ())]
        blocks.append(_block([mark, *fan(held.cards), *under]))
    return blocks


def _spot(spot: Place) -> list[Block]:
    """One of several spots, beside the others: its cards, what they count and what the round brought."""
    split = len(spot.hands) > 1
    under = [Text(word) for word in (*spot.standing.split(", "), *_kept(spot.carried)) if word]
    if spot.net is not None:
        under.append(Text(f"{f'{spot.name} ' if split else ''}{signed(spot.net)}", f"bold {rim(spot.net)}"))
    if split:
        return _side_by_side(spot.hands, spot.stakes, spot.nets, *under, spot=spot.name)
    cards = [line for held in spot.hands for line in fan(held.cards)]
    count = [Text(held.count) for held in spot.hands if held.count]
    return [_block([Text(spot.name, QUIET), *cards, *count, *under])]


def _others(others: Sequence[Place]) -> Align:
    """`seat 3  K♥ 9♠ 4♦  beaten  -$10`, a line for every hand of every other place."""
    counted = any(held.count for other in others for held in other.hands)
    compared = any(other.standing for other in others)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    if counted:
        grid.add_column(no_wrap=True)
    if compared:
        grid.add_column()
    grid.add_column(justify="right", no_wrap=True)
    for other in others:
        net = Text() if other.net is None else Text(signed(other.net), f"bold {rim(other.net)}")
        for number, held in enumerate(other.hands, 1):
            count = [Text(held.count, QUIET)] if counted else []
            standing = [Text(other.standing if number == 1 else "", QUIET)] if compared else []
            name = Text(other.name if number == 1 else "", RAIL if other.own else QUIET)
            grid.add_row(name, small(held.cards), *count, *standing, net if number == 1 else Text())
    return Align.center(grid)


def header(layout: Layout) -> Table:
    """The game and how this house differs from the usual, and where the shoe stands."""
    grid = Table.grid(expand=True, padding=(0, 2, 0, 0))
    grid.add_column(ratio=1)
    grid.add_column(justify="right", no_wrap=True)
    title = Text.assemble((layout.house.game.title, f"bold {RAIL}"), *(f" · {word}" for word in _unusual(layout.house)))
    grid.add_row(title, Text(layout.shoe, QUIET))
    return grid


def _unusual(house: House) -> list[str]:
    usual = {name: option.start() for name, option in house.game.all_options.items()}
    options = [f"{name} {value}" for name, value in house.chosen().items() if house.options[name] != usual[name]]
    tables = [f"{w.name} {house.tables[w.name].name}" for w in house.wagers if house.tables[w.name] is not w.tables[0]]
    return options + tables


def jackpots(layout: Layout) -> str:
    found = [pair for wager in layout.stakes for pair in layout.house.meters(wager)]
    return " · ".join(f"{row} ${money(layout.house.amount(pay.meter))}" for row, pay in found)
