"""How a table looks in a terminal: cards, chips, the felt, what was paid, what a hint says. It knows no rule."""

from collections.abc import Iterable, Mapping, Sequence
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

from pitboss.rules.game import House
from pitboss.rules.graph import BLIND, PLAYER, UP
from pitboss.rules.paytables import Meter, money, show_pay

Event = Mapping[str, Any]
Pots = Mapping[str, Sequence[int]]  # wager between the players -> the seats that take it

WIDEST = 100  # a felt wider than this pulls the eye apart
CARD_WIDTH, CARD_HEIGHT = 7, 5

FELT = "#f4f1e6 on #0f4d33"
RAIL = "#c9a227"
QUIET = "#a9c4b4"  # on felt; dim text would sink into the green
PIPS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
PAPER = {True: "bold #c8102e on #fffdf5", False: "bold #16181d on #fffdf5"}  # by: is the suit red
BACK = "#8fa6e0 on #23367a"

CHIPS = (
    (500, "#6a2c91", "#ffffff"),
    (100, "#101010", "#ffffff"),
    (25, "#1f9d4d", "#ffffff"),
    (5, "#c8102e", "#ffffff"),
    (1, "#f5f5f5", "#101010"),
)

ASCII = str.maketrans("╭╮╰╯─│━░♣♦♥♠◖◗·×◀", "++++-|=#cdhs()-x<")
"""For terminals that cannot show the drawing."""


# ---- money and names


def signed(amount: Fraction) -> str:
    """`+$10`, `-$7.50`, `$0`."""
    return f"{'-' if amount < 0 else '+' if amount > 0 else ''}${money(abs(amount))}"


def cents(amount: Fraction) -> str:
    """An expectation in dollars, rounded: `-$0.42`."""
    text = f"{abs(float(amount)):,.2f}"
    return f"{'' if text == '0.00' else '-' if amount < 0 else '+'}${text}"


def coloured(amount: Fraction, text: str) -> Text:
    return Text(text, "bold green" if amount > 0 else "bold red" if amount < 0 else "")


def listed(bets: Mapping[str, Fraction]) -> str:
    """`ante $10, suit-tie $5`."""
    return ", ".join(f"{name} ${money(amount)}" for name, amount in bets.items())


def named(seats: Sequence[int]) -> str:
    """`seat 6, seat 2 and you`."""
    return enumerated([f"seat {seat}" if seat != 1 else "you" for seat in seats])


def enumerated(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


# ---- cards and chips


def card_lines(name: str | None) -> list[Text]:
    """One card, five lines high; None is a card that lies face down."""
    if name is None:
        rows, style = ["░" * 5] * 3, BACK
    else:
        rank, pip = _rank(name), PIPS[name[-1]]
        rows, style = [f"{rank:<5}", f"  {pip}  ", f"{rank:>5}"], PAPER[name[-1] in "dh"]
    edge = "─" * 5
    return [Text(line, style) for line in (f"╭{edge}╮", *(f"│{row}│" for row in rows), f"╰{edge}╯")]


def hand(cards: Sequence[str | None], width: int, deals: Sequence[int] = ()) -> Text:
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


def small(cards: Sequence[str | None]) -> Text:
    """A hand on one line: `K♥ 9♠ 4♦`."""
    return Text(" ").join(
        Text("░░", BACK) if name is None else Text(_rank(name) + PIPS[name[-1]], PAPER[name[-1] in "dh"])
        for name in cards
    )


def _rank(name: str) -> str:
    return name[:-1].replace("T", "10")


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
    return Panel(body, title=Text(wager, "bold"), box=box.ROUNDED, border_style=_rim(net), width=widest + 4)


def _rim(net: Fraction | None) -> str:
    """How it came out, in a colour that shows on felt."""
    return QUIET if not net else "#7be495" if net > 0 else "#ff8a8a"


def circles(stakes: Mapping[str, Fraction], nets: Mapping[str, Fraction], width: int) -> Group:
    """The circles that have chips on them, in as few rows as fit, and those about equally long."""
    drawn = [circle(wager, stake, nets.get(wager)) for wager, stake in stakes.items()]
    fewest = len(_rows(drawn, width))
    even = next(limit for limit in range(width + 1) if limit == width or len(_rows(drawn, limit)) == fewest)
    grids = []
    for row in _rows(drawn, even):
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_row(*row)
        grids.append(Align.center(grid))
    return Group(*grids)


def _rows(panels: Sequence[Panel], width: int) -> list[list[Panel]]:
    rows: list[list[Panel]] = [[]]
    used = 0
    for panel in panels:
        used += (panel.width or 0) + 1
        if rows[-1] and used > width:
            rows.append([])
            used = (panel.width or 0) + 1
        rows[-1].append(panel)
    return rows


def lying(events: Iterable[Event], who: str, seat: int = 1, over: bool = False) -> list[str | None]:
    """The cards before `who` as the player at seat 1 sees them, None for a back.

    Another player's cards are seen when they lie face up, or when the round is over and every hand has been shown.
    """
    cards: list[str] = []
    up: list[bool] = []
    for event in events:
        if (event.get("to") or event.get("who")) != who or event.get("seat", seat) != seat:
            continue
        if event["event"] == "deal":
            known = who == PLAYER and (seat == 1 or over) and event["face"] != BLIND
            cards += event["cards"]
            up += [known or event["face"] == UP] * len(event["cards"])
        elif event["event"] == "reveal":
            for place in _places(cards, up, event["cards"]):
                up[place] = True
    return [name if seen else None for name, seen in zip(cards, up, strict=True)]


def _places(cards: Sequence[str], up: Sequence[bool], turned: Sequence[str]) -> list[int]:
    """Where the cards lie that are turned: side by side as a rule; of equal cards a back is turned first."""
    count = len(turned)
    runs = (range(at, at + count) for at in range(len(cards) - count + 1) if list(cards[at : at + count]) == [*turned])
    if (run := next((run for run in runs if not all(up[place] for place in run)), None)) is not None:
        return list(run)
    left = sorted(range(len(cards)), key=lambda place: up[place])
    out = []
    for name in turned:
        place = next(place for place in left if cards[place] == name)
        left.remove(place)
        out.append(place)
    return out


def deals_to(events: Iterable[Event], who: str) -> list[int]:
    """How many cards each deal to a place brought."""
    return [len(event["cards"]) for event in events if event["event"] == "deal" and event["to"] == who]


# ---- the felt


@dataclass(frozen=True)
class Other:
    """Another player's place: his cards, how he stands with those who were compared before, what the round brought."""

    seat: int
    cards: Sequence[str | None]
    standing: str = ""
    net: Fraction | None = None


@dataclass(frozen=True)
class Layout:
    """What lies on the table at one moment."""

    house: House
    shoe: str
    stakes: Mapping[str, Fraction]
    hands: Mapping[str, Sequence[str | None]] = field(default_factory=dict)  # dealer, board, player -> cards
    nets: Mapping[str, Fraction] = field(default_factory=dict)
    carried: Mapping[str, int] = field(default_factory=dict)
    packs: Sequence[int] = ()  # cards of each deal to the board
    pots: Mapping[str, Fraction] = field(default_factory=dict)  # wagers between the players lie in the middle
    others: Sequence[Other] = ()  # those of whom there is something to see, in settlement order
    standing: str = ""  # the player's own


def felt(layout: Layout, width: int) -> Panel:
    """Dealer on top, board and pots in the middle, the other players, then the player and his bets below."""
    width = min(width, WIDEST)
    inner = width - 6
    body: list[RenderableType] = [_header(layout)]
    if jackpots := _jackpots(layout):
        body.append(Text(jackpots, RAIL, justify="center"))
    for who in ("dealer", "board"):
        if cards := layout.hands.get(who):
            packs = layout.packs if who == "board" else ()
            body += [Text(who, QUIET, justify="center"), hand(cards, inner, packs)]
    if layout.pots:
        body.append(circles(layout.pots, layout.nets, inner))
    if layout.others:
        body.append(_others(layout.others))
    if cards := layout.hands.get("player"):
        body += [Text(""), hand(cards, inner)]
    kept = [f"{name} {value}" for name, value in layout.carried.items() if value]
    standing = [layout.standing] if layout.standing else []
    body.append(Text(" · ".join(["you", *standing, *kept]), QUIET, justify="center"))
    own = {name: stake for name, stake in layout.stakes.items() if name not in layout.pots}
    body.append(circles(own, layout.nets, inner))
    return Panel(Group(*body), box=box.HEAVY, style=FELT, border_style=RAIL, padding=(0, 2), width=width)


def _others(others: Sequence[Other]) -> Align:
    """`seat 3  K♥ 9♠ 4♦  beaten  -$10`, a line for every other player."""
    compared = any(other.standing for other in others)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    if compared:
        grid.add_column()
    grid.add_column(justify="right", no_wrap=True)
    for other in others:
        net = Text() if other.net is None else Text(signed(other.net), f"bold {_rim(other.net)}")
        standing = [Text(other.standing, QUIET)] if compared else []
        grid.add_row(Text(f"seat {other.seat}", QUIET), small(other.cards), *standing, net)
    return Align.center(grid)


def _header(layout: Layout) -> Table:
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


def _jackpots(layout: Layout) -> str:
    found = [pair for wager in layout.stakes for pair in layout.house.meters(wager)]
    return " · ".join(f"{row} ${money(layout.house.amount(pay.meter))}" for row, pay in found)


# ---- after the round, and on request


def settlement(house: House, settled: Sequence[Event], net: Fraction, pots: Pots) -> Table:
    """Every wager: stake, result, what it pays and why, net."""
    table = Table(box=box.SIMPLE_HEAD, show_footer=True, pad_edge=False, padding=(0, 1))
    table.add_column("wager", "this round", no_wrap=True, footer_style="bold")
    table.add_column("stake", justify="right", no_wrap=True)
    table.add_column("result")
    table.add_column("pays", no_wrap=True)
    table.add_column("why")
    table.add_column("net", coloured(net, signed(net)), justify="right", no_wrap=True)
    helps = {wager.name: wager.help for wager in house.wagers}
    for event in settled:
        wager, won = event["wager"], Fraction(event["net"])
        why = event["because"] or (helps[wager] if won > 0 else "")  # a bet is won when what it bets on came true
        if 1 not in (best := pots.get(wager, [1])):
            why = f"{named(best)} {'have' if len(best) > 1 else 'has'} the best hand"
        stake = f"${money(Fraction(event['stake']))}"
        table.add_row(wager, stake, event["row"], _pays(house, event, pots), why, coloured(won, signed(won)))
    return table


def _pays(house: House, event: Event, pots: Pots) -> str:
    wager, row = event["wager"], event["row"]
    if wager in pots:  # no pay table says what lies in a pot
        got = f"${money(Fraction(event['pays']))}"
        return "" if 1 not in pots[wager] else f"takes {got}" if len(pots[wager]) == 1 else f"shares it: {got}"
    pay = house.tables[wager].pay(row)
    if isinstance(pay, Meter):
        return f"{pay} ${money(house.amount(pay.meter))}"
    shown = show_pay(pay)
    return "" if shown == row else shown  # "lose" need not be said twice


def sentence(parts: Iterable[str]) -> str:
    """`dealer folds` -> `Dealer folds.`; what several wagers share is said once."""
    text = "; ".join(dict.fromkeys(part for part in parts if part))
    return f"{text[0].upper()}{text[1:]}." if text else ""


def running(rounds: int, net: Fraction, expected: Fraction | None, away: float | None) -> Text:
    """`3 rounds   net +$5   expected -$0.42   about 0.3 std dev above`."""
    line = Text(f"{rounds} round{'s' if rounds != 1 else ''}   net ") + coloured(net, signed(net))
    if expected is not None:
        line += Text(f"   expected {cents(expected)}")
        if away is not None:
            line += Text(f"   about {abs(away):.1f} std dev {'above' if away >= 0 else 'below'}")
    return line


def hint(worth: Mapping[str, Fraction], unit: str, stake: Fraction | None) -> Table:
    """The expectation of every choice, the best one marked, ties as ties."""
    top = max(worth.values())
    tied = sum(value == top for value in worth.values()) > 1
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    table.add_column("choice", no_wrap=True)
    table.add_column(f"expectation, {unit}", justify="right", no_wrap=True)
    table.add_column("dollars", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for choice, value in worth.items():
        mark = "" if value < top else "◀ best, a tie" if tied else "◀ best"
        money_worth = "" if stake is None else cents(value * stake)
        table.add_row(choice, f"{float(value):+.4f}", money_worth, mark, style="bold" if mark else "")
    return table


def rules(house: House) -> Group:
    """What the game is, and every wager with its limits and its pays."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for heading in ("wager", "when", "how much", "pays"):
        table.add_column(heading, no_wrap=heading == "wager")
    for wager in house.wagers:
        pays = house.tables[wager.name].pays
        paid = ", ".join(f"{row} {show_pay(pay)}" for row, pay in pays.items() if show_pay(pay) != row)
        table.add_row(wager.name, wager.who_bets(), wager.amount_rule(), paid)
    prose = "\n\n".join(paragraph.replace("\n", " ") for paragraph in house.game.text.split("\n\n"))
    return Group(Text(prose), table)
