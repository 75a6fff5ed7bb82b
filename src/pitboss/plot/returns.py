"""The return distribution of one wager: how often each outcome comes, and what it brings, both in proportion."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.ledger.figure import SIMULATED
from pitboss.ledger.records import Analysis, WagerResult, percent
from pitboss.plot.style import BLUE, GREY, GRID, ORANGE, PALE, page, shorten, source
from pitboss.rules.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS = 24
MIXED = "#bdbdbd"


@dataclass(frozen=True)
class _Bar:
    name: str
    probability: float
    pays: float
    average: bool = False  # of several pays
    mixed: bool = False  # of wins and losses

    @property
    def colour(self) -> str:
        return MIXED if self.mixed else BLUE if self.pays > 0 else ORANGE if self.pays < 0 else GREY

    @property
    def brings(self) -> str:
        return (f"{self.pays:+,.4g}" if self.pays else "0") + (" on average" if self.average else "")


def returns(path: Path, found: Analysis) -> None:
    """The first wager of an analysis that the house has a part in; analyse one wager to draw another."""
    banked = [w for w in found.wagers if not w.shared]
    if not banked:
        raise BadInput(f"the {found.wagers[0].wager} is paid among the players, so there is nothing to draw")
    wager = banked[0]
    bars = _bars(wager)
    with page(
        path, f"{found.of.title}: what the {wager.wager} brings", _words(wager), source(found.of, wager.method)
    ) as figure:
        places = list(range(len(bars), 0, -1))
        size = 15 if len(bars) <= 16 else 12
        often = figure.add_axes((0.29, 0.14, 0.25, 0.70))
        brings = figure.add_axes((0.66, 0.14, 0.29, 0.70))
        most = max(b.probability for b in bars)
        for place, b in zip(places, bars, strict=True):
            for axes, length in ((often, b.probability), (brings, b.probability * b.pays)):
                axes.barh(
                    place, length, left=0, height=0.72, color=b.colour, hatch="//" if b.mixed else None,
                    edgecolor="white" if b.mixed else b.colour, linewidth=0,
                )  # fmt: skip
            text = f"{_often(b.probability)} · {b.brings}"
            often.text(b.probability + most * 0.03, place, text, va="center", fontsize=size)
            part = b.probability * b.pays
            brings.annotate(
                f"{part:+.4f}" if part else "0", (part, place), (6 if part >= 0 else -6, 0), va="center",
                textcoords="offset points", ha="left" if part >= 0 else "right", fontsize=size - 2,
            )  # fmt: skip
        _panel(often, places, "how often it comes · units won", (0, most * 1.05))
        often.set_yticks(places, [shorten(b.name, 44) for b in bars], fontsize=size)
        often.xaxis.set_major_formatter(lambda p, _: _often(p))
        parts = [b.probability * b.pays for b in bars]
        room = 0.32 * (max(*parts, 0.0) - min(*parts, 0.0))
        _panel(
            brings,
            places,
            "what it brings, in bets: all of them add up to the edge",
            (min(*parts, 0.0) - room, max(*parts, 0.0) + room),
        )
        brings.set_yticks([])
        brings.axvline(0, color="#888888", linewidth=1)
        _legend(figure, bars)


def _panel(axes: "Axes", places: Sequence[int], title: str, across: tuple[float, float]) -> None:
    """Lengths are in proportion, always: what is rare is short, and its number stands beside it."""
    axes.set_xlim(*across)
    axes.set_ylim(0.3, len(places) + 0.7)
    axes.locator_params(axis="x", nbins=5)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=12)
    axes.set_axisbelow(True)
    axes.grid(axis="x", color=GRID)
    axes.spines["left"].set_color(PALE)
    axes.set_xlabel(title, fontsize=14)


def _words(wager: WagerResult) -> str:
    dealt = ", simulated" if wager.deviation.method == SIMULATED else ""
    spread = f"standard deviation {wager.std_dev:.2f}{dealt}"
    hits = f"some win in {percent(wager.hit_frequency, 1)} of rounds{dealt}"
    return f"house edge {percent(wager.house_edge, 3)} of the {wager.wager} · {spread} · {hits}"


def _legend(figure: "Figure", bars: Sequence[_Bar]) -> None:
    marks = [
        (BLUE, "■", "win"),
        (GREY, "■", "push"),
        (ORANGE, "■", "loss"),
        (MIXED, "▨", "wins and losses, on average"),
    ]
    x = 0.29
    for colour, mark, word in marks:
        if any(b.colour == colour for b in bars):
            figure.text(x, 0.855, mark, color=GREY if mark == "▨" else colour, fontsize=16)
            figure.text(x + 0.014, 0.855, word, fontsize=14)
            x += 0.03 + 0.0075 * len(word)


def _bars(wager: WagerResult) -> list[_Bar]:
    """One per outcome; where they are too many for a slide, one per pay."""
    every = [_bar(wager, o.outcome, o.probability, o.pays) for o in wager.outcomes if o.probability > 0]
    if len(every) <= MOST_BARS:
        return every
    by_pay: dict[float, list[_Bar]] = {}
    for b in every:
        by_pay.setdefault(b.pays, []).append(b)
    merged = [
        _Bar(some[0].name if len(some) == 1 else f"{len(some)} outcomes", sum(b.probability for b in some), pays)
        for pays, some in sorted(by_pay.items(), reverse=True)
    ]
    if len(merged) <= MOST_BARS:
        return merged
    likely = sorted(sorted(merged, key=lambda b: -b.probability)[: MOST_BARS - 1], key=lambda b: -b.pays)
    rest = [b for b in merged if b not in likely]
    chance = sum(b.probability for b in rest)
    mean = sum(b.probability * b.pays for b in rest) / chance
    mixed = len({(b.pays > 0) - (b.pays < 0) for b in rest}) > 1
    return [*likely, _Bar(f"{len(rest)} rarer pays", chance, mean, average=True, mixed=mixed)]


def _bar(wager: WagerResult, name: str, probability: Fraction, pays: Fraction) -> _Bar:
    """A row of hands that were drawn card by card may stand for rounds that come out differently, such as those with a
    split: what it pays is then an average, and no number that a pay table could make."""
    average = wager.played is not None and abs(pays.limit_denominator(100) - pays) > Fraction(1, 10**9)
    return _Bar(name, float(probability), float(pays), average, mixed=average)


def _often(p: float) -> str:
    if not p:
        return "0%"
    return f"{100 * p:.3g}%" if p >= 0.001 else f"1 in {1 / p:,.0f}"
