"""The house's win in a shift and in a month: the whole distribution beside the normal one, losses shaded."""

from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from pitboss.ledger.records import percent
from pitboss.plot.style import BLUE, INK, RED, page, source
from pitboss.rules.paytables import money

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from pitboss.earn.records import Floor, Period

BINS = 90
SHOWN = 0.001  # of the probability is left out on each side


def night(path: Path, found: "Floor") -> None:
    """Both periods side by side."""
    plan = found.plan
    bets = ", ".join(
        f"{t.wager} ${money(t.bet)}" + (f" on {float(t.rate):.0%} of hands" if t.rate != 1 else "") for t in found.theos
    )
    seats = f"{plan.seats} seat{'s' if plan.seats > 1 else ''}"
    pace = f"{seats}, {plan.hands} rounds an hour, {float(plan.hours):g} hours a shift, {plan.days} shifts"
    with page(
        path,
        f"{found.of.title}: what the house wins",
        f"{pace} a month · {bets}",
        source(found.of, _known(found)),
    ) as figure:
        for left, period in ((0.045, found.shift), (0.53, found.month)):
            axes = figure.add_axes((left, 0.25, 0.43, 0.54))
            _draw(axes, period)
            axes.set_title(f"a {period.name} ({_often(period.loses.whole)} of them lose)", loc="left", pad=34)
        for x, colour, word in (
            (0.045, BLUE, "the house wins"), (0.20, RED, "the house loses"), (0.36, INK, "- - normal approximation"),
        ):  # fmt: skip
            figure.text(x, 0.10, "■ " if colour != INK else "", color=colour, fontsize=18)
            figure.text(x + (0.016 if colour != INK else 0), 0.10, word, fontsize=14)
        figure.text(0.60, 0.10, "marked: 1% of periods at or below, half, 1% above", fontsize=14)


def _known(found: "Floor") -> str:
    dealt = f"{found.method}, {found.rounds_dealt:,} rounds, seed {found.plan.seed}" if found.rounds_dealt else "exact"
    return f"chances of a round: {dealt}"


def _often(p: float) -> str:
    return percent(p, 1) if p >= 0.001 else "under 0.1%"


def _draw(axes: "Axes", period: "Period") -> None:
    spread = period.spread
    low, high = spread.quantile(SHOWN), spread.quantile(1 - SHOWN)
    normal = NormalDist(float(period.theo), period.std_dev or 1.0)
    low, high = min(low, normal.inv_cdf(SHOWN)), max(high, normal.inv_cdf(1 - SHOWN))
    unit = float(spread.unit)
    step = max(1, round((high - low) / unit / BINS)) * unit  # whole units, so that no bar gets more points than others
    first = np.floor(low / step)
    count = int(np.ceil(high / step) - first) + 1
    place = np.floor(spread.dollars / step + 1e-9).astype(np.int64) - int(first)
    inside = (place >= 0) & (place < count)
    share = np.bincount(place[inside], spread.chances[inside], count)
    starts = (first + np.arange(count)) * step
    losing = starts < -1e-9
    axes.bar(starts, share, step, align="edge", color=np.where(losing, RED, BLUE), edgecolor="white", linewidth=0.4)
    at = np.linspace(low, high, 400)
    axes.plot(at, [normal.pdf(x) * step for x in at], color=INK, linewidth=2, linestyle="--")
    top = float(share.max()) * 1.12
    for part, figure in period.quantiles.items():
        if part in (0.01, 0.5, 0.99):
            axes.axvline(figure.whole, color="#555555", linewidth=1.4, linestyle=":")
            side = {0.01: "right", 0.5: "center", 0.99: "left"}[part]
            axes.text(figure.whole, top * 1.01, _dollars(figure.whole), ha=side, va="bottom", fontsize=14)
    axes.set_ylim(0, top)
    axes.set_xlim(low, high)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.axvline(0, color=INK, linewidth=1.5)
    axes.xaxis.set_major_formatter(lambda x, _: _dollars(x))
    axes.locator_params(axis="x", nbins=6)
    axes.set_xlabel("the house's win in dollars; height is probability")


def _dollars(x: float) -> str:
    return f"{'-' if x < 0 else ''}${abs(x):,.0f}"
