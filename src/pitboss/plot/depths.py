"""What counters win, by decks and cut card: perfect play and the count, with errors."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.guard.advise import many_decks
from pitboss.guard.records import Protected, Protection
from pitboss.plot.style import COLOURS, GRID, page, source
from pitboss.rules.paytables import money

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_PANELS = 3


def depths(path: Path, found: Protection) -> None:
    """A panel for each wager that was dealt from real shoes."""
    shown = [w for w in found.wagers if w.depths][:MOST_PANELS]
    words = "units won per 100 hands, betting one unit only when it is favourable; bars are two standard errors"
    how = "simulated"
    if shown and shown[0].terms is not None:
        how += f", {shown[0].terms.shoes:,} shoes each, seed {shown[0].terms.seed}"
    of = replace(found.of, options={n: v for n, v in found.of.options.items() if n != "decks"})  # the legend says it
    with page(path, f"{found.of.title}: can it be beaten?", words, source(of, how)) as figure:
        width = 0.94 / max(1, len(shown))
        for number, wager in enumerate(shown):
            axes = figure.add_axes((0.07 + number * width, 0.16, width - 0.09, 0.62))
            _panel(axes, wager)
        if not shown:
            figure.text(0.5, 0.5, "dealt from one deck, shuffled for every round: nothing to count", ha="center")


def _panel(axes: "Axes", found: Protected) -> None:
    several = list(dict.fromkeys(d.decks for d in found.depths))
    ticks = sorted({float(d.cut) for d in found.depths})
    near = min((b - a for a, b in pairwise(ticks)), default=1.0)
    for number, decks in enumerate(several):
        rows = sorted((d for d in found.depths if d.decks == decks), key=lambda d: d.cut)
        aside = (number - (len(several) - 1) / 2) * near / 3 / len(several)  # so that no bar hides another
        name, colour = many_decks(decks), COLOURS[number % len(COLOURS)]
        axes.errorbar(
            [float(d.cut) + aside for d in rows], [d.perfect.win for d in rows],
            [2 * d.perfect.win_error for d in rows], color=colour, linewidth=3, marker="o", markersize=8, capsize=4,
            label=f"{name}, perfect play",
        )  # fmt: skip
        hand = [(float(d.cut) + aside + near / 25, d.counted) for d in rows if d.counted is not None]
        axes.errorbar(
            [at for at, _ in hand], [g.win for _, g in hand], [2 * g.win_error for _, g in hand], color=colour,
            linewidth=2, linestyle="--", marker="s", markersize=6, capsize=3,
            label=f"{name}, the count" if hand else None,
        )  # fmt: skip
    bet = f"; ${money(found.terms.bet)} a bet" if found.terms is not None else ""
    axes.set_title(f"{found.wager}{bet}", loc="left")
    axes.set_xticks(ticks, [f"{c:g}" for c in ticks])
    axes.set_xlabel("decks behind the cut card")
    axes.set_ylabel("units per 100 hands")
    axes.axhline(0, color="#888888", linewidth=1)
    axes.grid(axis="y", color=GRID)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + (high - low) * 0.06 * (len(several) + 1))  # room for the legend
    axes.legend(frameon=False, fontsize=12, loc="upper right", ncols=2)
