"""Small pictures in a terminal, for the demonstration: a strategy as coloured cards, a simulation that closes on its
exact line, verdicts as a wall, a night as bars."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from rich.console import Group
from rich.text import Text

from pitboss.claims import Verdicts
from pitboss.cli.layout import Flow
from pitboss.earn.records import Period
from pitboss.ledger.records import StrategyRow, percent
from pitboss.ledger.simulated import Simulation

PAINT = ("black on #9bd08a", "black on #f2d35b", "white on #2f6db5", "white on #8c4fa8", "white on #c0392b")
LEVEL = "#7f7f7f"
WIDE = 41  # characters of a scale, with the exact line in the middle
TALL = 18  # bars of a night
WALL = {
    "confirmed": ("+", "white on #2e9e5b"),
    "within": ("~", "white on #2e9e5b"),
    "true only": ("?", "black on #f2d35b"),
    "contradicted": ("X", "white on #c0392b"),
    "internally": ("#", "white on #8c4fa8"),
}
OTHER = (".", "white on #777777")


def cards(rows: Sequence[StrategyRow]) -> Group:
    """A cell for every card: what to do with it, and what that is worth."""
    plays = list(dict.fromkeys(" or ".join(row.best) for row in rows))
    top, middle, bottom = Text(), Text(), Text()
    for row in rows:
        look = PAINT[plays.index(" or ".join(row.best)) % len(PAINT)]
        for line, word in ((top, row.sees), (middle, ""), (bottom, f"{float(max(row.values.values())):+.2f}")):
            line.append(f"{word:^5}", f"bold {look}" if line is top else look)
            line.append(" ")
    legend = [Text("   ", PAINT[i % len(PAINT)]) + Text(f" {play}") for i, play in enumerate(plays)]
    return Group(top, middle, bottom, Text(""), Flow(*legend, between="   "))


def funnel(found: Sequence[Simulation], exact: Fraction, reach: float) -> Group:
    """A line for each number of hands: where the edge lies with 95%, on a scale that goes `reach` to either side."""
    lines = [Text(f"{'hands':>12}  {'simulated':>9}  {'within':>8}  {percent(exact, 4):^{WIDE}}", LEVEL)]
    for one in found:
        wager = one.wagers[0]
        low, high = wager.intervals[95]
        places = [_place(edge - float(exact), reach) for edge in (low, wager.house_edge, high)]
        scale = Text("·" * WIDE, LEVEL)
        scale.stylize("on #2f6db5", places[0], places[2] + 1)
        bar = scale[: places[1]] + Text("●", "bold white on #2f6db5") + scale[places[1] + 1 :]
        middle = WIDE // 2
        if places[1] != middle:
            bar = bar[:middle] + Text("│", "bold green on #2f6db5") + bar[middle + 1 :]
        within = percent(wager.intervals[95][1] - wager.house_edge, 4)
        lines.append(Text(f"{one.rounds:>12,}  {percent(wager.house_edge, 4):>9}  ±{within:>7}  ") + bar)
    return Group(*lines)


def _place(off: float, reach: float) -> int:
    return min(max(round((off / reach + 1) * (WIDE // 2)), 0), WIDE - 1)


def wall(found: Verdicts) -> Group:
    """A brick for every claim, a row of bricks for every document."""
    lines = []
    for judged in found.judged:
        lines.append(Text(judged.document.name, "bold"))
        bricks = Text("  ")
        for place, verdict in enumerate(judged.verdicts):
            if place and place % 36 == 0:
                bricks.append("\n  ")
            bricks.append(*_brick(verdict.verdict))
            bricks.append(" ")
        lines.append(bricks)
    legend = [Text(*_brick(name)) + Text(f" {many} {name}") for name, many in found.counts().items() if many]
    return Group(*lines, Text(""), Flow(*legend, between="   "))


def _brick(verdict: str) -> tuple[str, str]:
    return next((look for word, look in WALL.items() if verdict.startswith(word)), OTHER)


def night(period: Period) -> Group:
    """The house's win in a shift, bar by bar; what it loses is red."""
    spread = period.spread
    low, high = spread.quantile(0.002), spread.quantile(0.998)
    step = _round_step((high - low) / TALL)
    place = np.floor(spread.dollars / step + 1e-9).astype(int)
    first, last = int(np.floor(low / step)), int(np.floor(high / step))
    share = [float(spread.chances[place == n].sum()) for n in range(first, last + 1)]
    lines = []
    for n, chance in zip(range(first, last + 1), share, strict=True):
        ends = f"{_dollars(n * step)} to {_dollars((n + 1) * step)}"
        bar = "█" * max(1, round(44 * chance / max(share)))
        lines.append(Text(f"{ends:>20} ") + Text(bar, "#c0392b" if n < 0 else "#2f6db5") + Text(f" {chance:.1%}"))
    return Group(*lines)


def _round_step(least: float) -> float:
    size = 10.0 ** np.floor(np.log10(least))
    return float(next(size * n for n in (1, 2, 2.5, 5, 10) if size * n >= least))


def _dollars(amount: float) -> str:
    return f"{'-' if amount < 0 else ''}${abs(amount):,.0f}"
