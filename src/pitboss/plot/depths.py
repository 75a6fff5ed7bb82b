"""What counters win, by decks and cut card: a square for each, in dollars an hour, coloured by what is tolerated."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.guard.advise import many_decks
from pitboss.guard.records import Depth, Gain, Protected, Protection
from pitboss.plot.style import bare, page, source
from pitboss.rules.paytables import money

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 3
SAFE, COMPUTER, PERSON = "#bfe3cf", "#f7dfa5", "#f2b8a0"
WORDS = ((SAFE, "safe"), (COMPUTER, "a computer wins more than is tolerated"), (PERSON, "so does a count kept by hand"))


def depths(path: Path, found: Protection) -> None:
    """A panel for each wager that was dealt from real shoes."""
    shown = [w for w in found.wagers if w.depths][:MOST_PANELS]
    terms = shown[0].terms if shown else None
    words, how = "dollars an hour that a counter wins, betting only when it is favourable", "simulated"
    if terms is not None:
        words += f"; the house tolerates ${money(terms.tolerate)}, two standard errors allowed for"
        how += f", {terms.shoes:,} shoes each, {terms.hands_per_hour} hands an hour, seed {terms.seed}"
    of = replace(found.of, options={n: v for n, v in found.of.options.items() if n != "decks"})  # the rows say it
    with page(path, f"{found.of.title}: can it be beaten?", words, source(of, how)) as figure:
        width = 0.92 / max(1, len(shown))
        for number, wager in enumerate(shown):
            axes = figure.add_axes((0.11 + number * width, 0.18, width - 0.10, 0.58))
            _panel(axes, wager, large=len(shown) == 1)
        if shown:
            _legend(figure)
        else:
            figure.text(0.5, 0.5, "dealt from one deck, shuffled for every round: nothing to count", ha="center")


def _panel(axes: "Axes", found: Protected, large: bool) -> None:
    from matplotlib.patches import Rectangle

    decks = sorted({d.decks for d in found.depths}, reverse=True)
    cuts = sorted({d.cut for d in found.depths})
    tolerated = float(found.terms.tolerate) if found.terms is not None else 0.0
    for d in found.depths:
        x, y = cuts.index(d.cut), decks.index(d.decks)
        axes.add_patch(Rectangle((x - 0.48, y - 0.46), 0.96, 0.92, facecolor=_colour(d, tolerated), linewidth=0))
        axes.text(x, y + 0.12, _dollars(d.perfect), ha="center", va="center", fontsize=20 if large else 14)
        hand = "no count" if d.counted is None else f"by hand {_dollars(d.counted)}"
        axes.text(x, y - 0.24, hand, ha="center", va="center", fontsize=12 if large else 10, color="#444444")
    axes.set_xlim(-0.5, len(cuts) - 0.5)
    axes.set_ylim(-0.5, len(decks) - 0.5)
    axes.set_xticks(range(len(cuts)), [f"{float(c):.3g}" for c in cuts])
    axes.set_yticks(range(len(decks)), [many_decks(n) for n in decks])
    axes.set_xlabel("decks behind the cut card")
    bet = f", at ${money(found.terms.bet)} a bet" if found.terms is not None else ""
    axes.set_title(f"{found.wager}{bet}", loc="left")
    bare(axes)


def _most(gain: Gain | None) -> float:
    return 0.0 if gain is None else gain.hourly + 2 * gain.hourly_error


def _colour(depth: Depth, tolerated: float) -> str:
    if _most(depth.counted) > tolerated:
        return PERSON
    return COMPUTER if _most(depth.perfect) > tolerated else SAFE


def _dollars(gain: Gain) -> str:
    """What is won, and how far that may be off."""
    places = 0 if gain.hourly >= 10 else 2
    won = f"{'-' if gain.hourly < 0 else ''}${abs(gain.hourly):,.{places}f}"
    return f"{won} ±{2 * gain.hourly_error:,.{places}f}" if gain.hourly_error else won


def _legend(figure: "Figure") -> None:
    x = 0.11
    for colour, words in WORDS:
        figure.text(x, 0.83, "■", color=colour, fontsize=20, va="center")
        figure.text(x + 0.018, 0.83, words, fontsize=14, va="center")
        x += 0.04 + 0.0082 * len(words)
