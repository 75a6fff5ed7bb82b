"""How a table looks in a terminal: cards, chips, the felt, what was paid, what a hint says. It knows no rule."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rich import box
from rich.align import Align
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from pitboss.rules.game import House
from pitboss.rules.graph import PLAYER
from pitboss.rules.paytables import Meter, money, show_pay
from pitboss.table import Round

WIDEST = 100  # a felt wider than this pulls the eye apart
CARD_WIDTH = 7

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


# ---- money


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


# ---- cards and chips


def card_lines(name: str | None) -> list[Text]:
    """One card, five lines high; None is a card that lies face down."""
    if name is None:
        rows, style = ["░" * 5] * 3, BACK
    else:
        rank, pip = name[:-1].replace("T", "10"), PIPS[name[-1]]
        rows, style = [f"{rank:<5}", f"  {pip}  ", f"{rank:>5}"], PAPER[name[-1] in "dh"]
    edge = "─" * 5
    return [Text(line, style) for line in (f"╭{edge}╮", *(f"│{row}│" for row in rows), f"╰{edge}╯")]


def hand(cards: Sequence[str | None], width: int) -> Text:
    """Cards side by side, in as many rows as the width asks for."""
    fit = max(1, (width + 1) // (CARD_WIDTH + 1))
    out = []
    for start in range(0, len(cards), fit):
        drawn = [card_lines(card) for card in cards[start : start + fit]]
        out += [Text(" ").join(line) for line in zip(*drawn, strict=True)]
    return Text("\n", justify="center", no_wrap=True).join(out)


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
    rim = QUIET if not net else "#7be495" if net > 0 else "#ff8a8a"
    widest = max(len(wager) + 2, *(line.cell_len for line in body.split("\n")))
    return Panel(body, title=Text(wager, "bold"), box=box.ROUNDED, border_style=rim, width=widest + 4)


def circles(stakes: Mapping[str, Fraction], nets: Mapping[str, Fraction], width: int) -> Group:
    """The circles that have chips on them, in rows."""
    rows: list[list[Panel]] = [[]]
    used = 0
    for wager, stake in stakes.items():
        drawn = circle(wager, stake, nets.get(wager))
        used += (drawn.width or 0) + 1
        if rows[-1] and used > width:
            rows.append([])
            used = (drawn.width or 0) + 1
        rows[-1].append(drawn)
    grids = []
    for row in rows:
        grid = Table.grid(padding=(0, 1, 0, 0))
        grid.add_row(*row)
        grids.append(Align.center(grid))
    return Group(*grids)


def lying(round_: Round, who: str) -> list[str | None]:
    """The cards before `who` as the player at seat 1 sees them, None for a back."""
    cards: list[tuple[str, bool]] = []
    for event in round_.events:
        if event["event"] == "deal" and event["to"] == who:
            cards += [
                (name, event["face"] == "up" or (who == PLAYER and event["face"] != "blind")) for name in event["cards"]
            ]
        elif event["event"] == "reveal" and event["who"] == who:
            cards = [(name, True) for name, _ in cards]
    if who == PLAYER and round_.turn is not None:  # his own cards too may be dealt so that he does not see them
        seen = list(round_.turn.player)
        return [seen.pop(0) if seen[:1] == [name] else None for name, _ in cards]
    return [name if up else None for name, up in cards]


# ---- the felt


@dataclass(frozen=True)
class Layout:
    """What lies on the table at one moment."""

    house: House
    shoe: str
    stakes: Mapping[str, Fraction]
    hands: Mapping[str, Sequence[str | None]] = field(default_factory=dict)  # dealer, board, player -> cards
    nets: Mapping[str, Fraction] = field(default_factory=dict)
    carried: Mapping[str, int] = field(default_factory=dict)


def felt(layout: Layout, width: int) -> Panel:
    """Dealer on top, board in the middle, player and his bets below."""
    width = min(width, WIDEST)
    inner = width - 6
    body: list[RenderableType] = [_header(layout)]
    if jackpots := _jackpots(layout):
        body.append(Text(jackpots, RAIL, justify="center"))
    for who in ("dealer", "board"):
        if cards := layout.hands.get(who):
            body += [Text(who, QUIET, justify="center"), hand(cards, inner)]
    if cards := layout.hands.get("player"):
        body += [Text(""), hand(cards, inner)]
    kept = [f"{name} {value}" for name, value in layout.carried.items() if value]
    body.append(Text(" · ".join(["you", *kept]), QUIET, justify="center"))
    body.append(circles(layout.stakes, layout.nets, inner))
    return Panel(Group(*body), box=box.HEAVY, style=FELT, border_style=RAIL, padding=(0, 2), width=width)


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


def settlement(house: House, settled: Sequence[Mapping[str, Any]], net: Fraction) -> Table:
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
        wager, row, won = event["wager"], event["row"], Fraction(event["net"])
        why = event["because"] or (helps[wager] if won > 0 else "")  # a bet is won when what it bets on came true
        stake = f"${money(Fraction(event['stake']))}"
        table.add_row(wager, stake, row, _pays(house, wager, row), why, coloured(won, signed(won)))
    return table


def _pays(house: House, wager: str, row: str) -> str:
    pay = house.tables[wager].pay(row)
    if isinstance(pay, Meter):
        return f"{pay} ${money(house.amount(pay.meter))}"
    shown = show_pay(pay)
    return "" if shown == row else shown  # "lose" need not be said twice


def sentence(parts: Iterable[str]) -> str:
    """`dealer folds` -> `Dealer folds.`; what several wagers share is said once."""
    text = "; ".join(dict.fromkeys(part for part in parts if part))
    return f"{text[0].upper()}{text[1:]}." if text else ""


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
