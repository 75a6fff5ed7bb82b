"""What counters win, by decks and cut card: perfect play and the count, with errors."""

from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.plot.style import COLOURS, GRID, page, source
from pitboss.protect.records import Protected, Protection
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
    with page(path, f"{found.of.title}: can it be beaten?", words, source(found.of, how)) as figure:
        width = 0.94 / max(1, len(shown))
        for number, wager in enumerate(shown):
            axes = figure.add_axes((0.07 + number * width, 0.16, width - 0.09, 0.62))
            _panel(axes, wager)
        if not shown:
            figure.text(0.5, 0.5, "dealt from one deck, shuffled for every round: nothing to count", ha="center")


def _panel(axes: "Axes", found: Protected) -> None:
    for number, decks in enumerate(dict.fromkeys(d.decks for d in found.depths)):
        rows = sorted((d for d in found.depths if d.decks == decks), key=lambda d: d.cut)
        colour, cuts = COLOURS[number % len(COLOURS)], [float(d.cut) for d in rows]
        axes.errorbar(
            cuts, [d.perfect.win for d in rows], [2 * d.perfect.win_error for d in rows], color=colour, linewidth=3,
            marker="o", markersize=8, capsize=4, label=f"{decks} decks, perfect play",
        )  # fmt: skip
        hand = [d for d in rows if d.counted is not None]
        axes.errorbar(
            [float(d.cut) for d in hand], [d.counted.win for d in hand if d.counted],
            [2 * d.counted.win_error for d in hand if d.counted], color=colour, linewidth=2, linestyle="--", marker="s",
            markersize=6, capsize=3, label=f"{decks} decks, the count" if hand else None,
        )  # fmt: skip
    limit = f"; limit ${money(found.terms.limit)}" if found.terms is not None else ""
    axes.set_title(f"{found.wager}{limit}", loc="left")
    ticks = sorted({d.cut for d in found.depths})
    axes.set_xticks([float(c) for c in ticks], [f"{float(c):g}" for c in ticks])
    axes.set_xlabel("decks behind the cut card")
    axes.set_ylabel("units per 100 hands")
    axes.axhline(0, color="#888888", linewidth=1)
    axes.grid(axis="y", color=GRID)
    axes.legend(frameon=False, fontsize=12)
