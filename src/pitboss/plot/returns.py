"""The return distribution of one wager: how likely each outcome is, on a scale that shows rare ones where there are."""

from dataclasses import dataclass
from pathlib import Path

from pitboss.drawn import DrawnWager
from pitboss.plot.style import BLUE, GRID, ORANGE, PALE, page, shorten, source
from pitboss.ledger.records import Analysis, WagerResult, percent
from pitboss.rules.errors import BadInput

MOST_BARS = 24
PLAIN = 0.01  # chances that are all as large as this are seen on a plain scale


@dataclass(frozen=True)
class _Bar:
    name: str
    probability: float
    pays: float


def returns(path: Path, found: Analysis) -> None:
    """The first wager of an analysis that the house has a part in; `--wager` names another."""
    banked = [w for w in found.wagers if isinstance(w, DrawnWager) or not w.shared]
    if not banked:
        raise BadInput(f"--plot: the {found.wagers[0].wager} is paid among the players, so there is nothing to draw")
    wager = banked[0]
    bars = _bars(wager)
    edge = f"house edge {percent(wager.house_edge, 3)} of the {wager.wager}"
    if isinstance(wager, WagerResult):
        edge += f" · standard deviation {wager.std_dev:.2f} · some win in {percent(wager.hit_frequency, 1)} of rounds"
    title = f"{found.of.title}: what the {wager.wager} brings"
    with page(path, title, edge, source(found.of, _method(wager))) as figure:
        axes = figure.add_axes((0.30, 0.14, 0.50, 0.71))
        places = range(len(bars), 0, -1)
        colours = [BLUE if b.pays > 0 else ORANGE if b.pays < 0 else "#999999" for b in bars]
        least, most = min(b.probability for b in bars), max(b.probability for b in bars)
        axes.barh(list(places), [b.probability for b in bars], left=0, color=colours, height=0.72)
        plain = least >= PLAIN
        if plain:
            axes.set_xlim(0, most * 1.05)
        else:
            axes.set_xscale("log")
            axes.set_xlim(least / 3, 1.0)
        axes.set_ylim(0.3, len(bars) + 0.7)
        size = 15 if len(bars) <= 16 else 12
        axes.set_yticks(list(places), [shorten(b.name, 44) for b in bars], fontsize=size)
        axes.tick_params(axis="y", length=0)
        axes.set_axisbelow(True)
        axes.grid(axis="x", color=GRID)
        axes.spines["left"].set_color(PALE)
        axes.xaxis.set_major_formatter(lambda p, _: _often(p))
        if plain:
            axes.locator_params(axis="x", nbins=6)
        else:
            axes.locator_params(axis="x", numticks=7)
        axes.xaxis.set_minor_formatter(lambda *_: "")
        axes.set_xlabel("how often the outcome comes" + ("" if plain else " (logarithmic scale)"))
        for place, b in zip(places, bars, strict=True):
            text = f"{_often(b.probability)} · {f'{b.pays:+,.4g}' if b.pays else '0'}"
            axes.text(1.02, place, text, transform=axes.get_yaxis_transform(), va="center", fontsize=size)
        axes.text(1.02, 1.02, "how often · units won", transform=axes.transAxes, fontsize=13, color="#555555")
        for x, colour, word in ((0.30, BLUE, "win"), (0.36, "#999999", "push"), (0.425, ORANGE, "loss")):
            figure.text(x, 0.855, "■ ", color=colour, fontsize=16)
            figure.text(x + 0.014, 0.855, word, fontsize=14)


def _method(wager: WagerResult | DrawnWager) -> str:
    return "exact" if isinstance(wager, WagerResult) else "exact, in double precision"


def _bars(wager: WagerResult | DrawnWager) -> list[_Bar]:
    """One per outcome; where they are too many for a slide, one per pay."""
    every = [_Bar(o.outcome, float(o.probability), float(o.pays)) for o in wager.outcomes if o.probability > 0]
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
    return [*likely, _Bar(f"{len(rest)} rarer pays", chance, sum(b.probability * b.pays for b in rest) / chance)]


def _often(p: float) -> str:
    if not p:
        return "0%"
    return f"{100 * p:.3g}%" if p >= 0.001 else f"1 in {1 / p:,.0f}"
