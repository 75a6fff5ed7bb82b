"""Strategy as a map: what the player sees across and down, the best choice as colour, what it is worth as depth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from pitboss.cards import RANKS, card_code, rank_of
from pitboss.ledger.figure import DOUBLE
from pitboss.ledger.records import Analysis, Chart, StrategyRow, held
from pitboss.plot.style import BLUE, COLOURS, GREEN, INK, ORANGE, PURPLE, RED, bare, page, source
from pitboss.rules.errors import BadInput
from pitboss.rules.identity import Provenance

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PANELS = 3
ONE_CARD = "in the squares, units won on average; in colour the best choice, and pale what is just as good"
SEVERAL = (
    "the best choice by the two highest cards, deeper where a mistake is dearer; a share where it is not always best"
)
CARDS = [*(r.replace("T", "10") for r in RANKS), "Jk"]
PAINT = {"stand": ORANGE, "hit": GREEN, "double": BLUE, "split": PURPLE, "surrender": RED}


def strategy_map(path: Path, found: Analysis) -> None:
    """A panel for each decision; hands of several cards go by their two highest, or by theirs and the others'."""
    rows = [r for r in found.strategy if not r.basic]  # hands of any number of cards have a map of their own
    if not rows:
        raise BadInput(f"{found.of.title} has no decision that fits on a chart, so there is no map to draw")
    by_decision: dict[str, list[StrategyRow]] = {}
    for row in rows:
        by_decision.setdefault(row.decision, []).append(row)
    if len(by_decision) == 1 and all(_lies_alone(row) for row in rows):
        by_decision = _by_kind(rows)
    always = {kind: some for kind, some in by_decision.items() if len({r.chosen for r in some}) == 1}
    always = always if len(always) < len(by_decision) and by_decision.keys() != {rows[0].decision} else {}
    by_decision = {kind: some for kind, some in by_decision.items() if kind not in always}
    shown = sorted(by_decision, key=lambda d: -sum(r.probability for r in by_decision[d]))[:MOST_PANELS]
    choices = list(dict.fromkeys(c for d in shown for r in by_decision[d] for c in r.values))
    colours = dict(zip(choices, COLOURS * 3, strict=False))
    left_out = len(by_decision) - len(shown) + len(found.not_charted)
    one_card = all(len(r.cards) == 1 for d in shown for r in by_decision[d])
    words = ONE_CARD if one_card else SEVERAL
    with page(path, f"{found.of.title}: what to do", words, source(found.of, "exact")) as figure:
        width = (0.93 - 0.02 * len(shown)) / max(1, len(shown))
        for number, name in enumerate(shown):
            panel = by_decision[name]
            left = 0.06 + number * (width + 0.02)
            if all(len(r.cards) == 1 for r in panel):
                height = (0.66 - 0.11 * (len(shown) - 1)) / len(shown)
                axes = figure.add_axes((0.12, 0.80 - (number + 1) * height - number * 0.11, 0.85, height))
                _one_card(axes, name, panel, colours)
            else:
                axes = figure.add_axes((left + 0.03, 0.17, width - 0.05, 0.62))
                _by_two(axes, name, panel, colours, large=len(shown) == 1)
        _legend(figure, colours)
        for number, (kind, some) in enumerate(always.items()):
            figure.text(0.13, 0.72 - 0.055 * number, f"{kind}: always {some[0].chosen}", fontsize=20, va="center")
        if left_out:
            more = f"{left_out} more {'decision is' if left_out == 1 else 'decisions are'} not shown"
            figure.text(0.97, 0.845, more, fontsize=14, color="#555555", va="center", ha="right")


def chart_map(path: Path, of: Provenance, chart: Chart, names: Sequence[str]) -> None:
    """The chart of hands with any number of cards: a panel for each kind of hand, the dealer's card across."""
    first = max((c for c, _ in chart), key=len)  # the decision with everything still open
    two_cards = max((c for c, _ in chart if "split" not in c), key=len)
    where = names.index("soft") if "soft" in names else None
    panels: list[tuple[str, tuple[str, ...], int | None]] = [("hard hands", two_cards, 0)]
    panels += [("soft hands", two_cards, 1)] if where is not None else []
    panels += [("pairs", first, None)] if "split" in first else []
    used: dict[str, str] = {}
    words = "down: what you hold · across: the dealer's card · the best choice when all are offered"
    basic = source(replace(of, strategy="basic"), DOUBLE)
    with page(path, f"{of.title}: basic strategy", words, basic) as figure:
        width = 0.93 / len(panels)
        for number, (title, choices, soft) in enumerate(panels):
            keys = [k for c, k in chart if c == choices and (soft is None or where is None or k[where] == soft)]
            axes = figure.add_axes((0.06 + number * width + 0.02, 0.15, width - 0.05, 0.64))
            used |= _against(axes, title, chart, choices, names, keys)
        _legend(figure, used)


def _lies_alone(row: StrategyRow) -> bool:
    """A hand of three cards or more, and nobody else's in sight."""
    return len(row.cards) >= 3 and ", " not in row.sees


def _by_kind(rows: Sequence[StrategyRow]) -> dict[str, list[StrategyRow]]:
    """One decision on hands of several cards: what makes a hand besides its two highest cards is shown apart."""
    out: dict[str, list[StrategyRow]] = {"no pair, several suits": [], "a pair or better": [], "one suit": []}
    for row in rows:
        paired = len({_rank(c) for c in row.cards}) < len(row.cards)
        suited = len({c[-1] for c in row.cards}) == 1
        out["a pair or better" if paired else "one suit" if suited else "no pair, several suits"].append(row)
    return {kind: some for kind, some in out.items() if some}


@dataclass
class _Cell:
    """All hands that fall into one square."""

    best: dict[str, float] = field(default_factory=dict)  # choice -> how often it is best
    gain: float = 0.0  # what being right is worth, times how often

    def add(self, row: StrategyRow) -> None:
        weight = float(row.probability)
        self.best[row.chosen] = self.best.get(row.chosen, 0.0) + weight
        self.gain += weight * _gain(row)

    @property
    def often(self) -> float:
        return sum(self.best.values())

    @property
    def choice(self) -> str:
        return max(self.best, key=lambda c: self.best[c])


def _gain(row: StrategyRow) -> float:
    """How much better the choice is than the next best; nothing where it is not the best, but a strategy's."""
    others = [v for c, v in row.values.items() if c != row.chosen]
    return max(0.0, float(row.values[row.chosen] - max(others))) if others else 0.0


def _one_card(axes: "Axes", name: str, rows: Sequence[StrategyRow], colours: Mapping[str, str]) -> None:
    """Choices down, cards across, every expectation written; the best one in colour."""
    choices = list(rows[0].values)
    ranks = sorted({_rank(r.cards[0]) for r in rows})
    for row in rows:
        x = ranks.index(_rank(row.cards[0]))
        for y, choice in enumerate(choices):
            best = choice == row.chosen
            tied = choice in row.best
            _square(axes, x, y, colours[choice] if tied or best else "#f2f2f2", 0.35 if tied and not best else 1.0)
            text = f"{float(row.values[choice]):+.2f}"
            axes.text(x, y, text, ha="center", va="center", fontsize=15, fontweight="bold" if best else "normal",
                      color="white" if best and colours[choice] in (BLUE, GREEN, RED) else INK)  # fmt: skip
    _frame(axes, [CARDS[r] for r in ranks], choices)
    axes.set_xlabel(f"{name}: the card that you hold")


def _by_two(axes: "Axes", name: str, rows: Sequence[StrategyRow], colours: Mapping[str, str], large: bool) -> None:
    cells: dict[tuple[int, int], _Cell] = {}
    owners = {len(r.sees.split(", ")) for r in rows}
    for row in rows:
        cells.setdefault(_place(row), _Cell()).add(row)
    dearest = max((c.gain / c.often for c in cells.values() if c.often), default=0.0) or 1.0
    for (x, y), cell in cells.items():
        if not cell.often:
            continue
        depth = 0.25 + 0.75 * sqrt(max(0.0, cell.gain / cell.often / dearest))
        _square(axes, x, y, colours[cell.choice], depth)
        share = cell.best[cell.choice] / cell.often
        if share < 0.995:
            axes.text(x, y, f"{share:.0%}", ha="center", va="center", fontsize=13 if large else 12)
    shown = CARDS[: 1 + max((12, *(place for cell in cells for place in cell)))]  # a joker where there is one
    _frame(axes, shown, shown)
    axes.set_title(name, loc="left")
    alone = owners == {1}
    axes.set_xlabel("the highest card in sight" if alone else "highest card on the table")
    axes.set_ylabel("the second-highest card in sight" if alone else "your highest card")


def _place(row: StrategyRow) -> tuple[int, int]:
    """Where a hand stands: by its two highest cards, or by its highest and the highest of the others'."""
    owners = [len(part.split()) - (1 if ", " in row.sees else 0) for part in row.sees.split(", ")]
    own = sorted((_rank(c) for c in row.cards[: owners[0]]), reverse=True)
    others = sorted((_rank(c) for c in row.cards[owners[0] :]), reverse=True)
    return (others[0], own[0]) if others else (own[0], own[1])


def _rank(name: str) -> int:
    return rank_of(card_code(name))


def _against(
    axes: "Axes",
    title: str,
    chart: Chart,
    choices: tuple[str, ...],
    names: Sequence[str],
    keys: Sequence[tuple[int, ...]],
) -> dict[str, str]:
    dealers = sorted({k[-1] for k in keys}, key=lambda d: (d == 1, d))
    rows = sorted({k[:-1] for k in keys}, key=lambda r: r[::-1], reverse=True)
    used: dict[str, str] = {}
    for y, row in enumerate(rows):
        for x, dealer in enumerate(dealers):
            best = chart.get((choices, (*row, dealer)))
            if best is None:
                continue
            colour = PAINT.get(best) or COLOURS[choices.index(best) % len(COLOURS)]
            used[best] = colour
            _square(axes, x, y, colour, 0.85)
            axes.text(
                x,
                y,
                best[:1].upper() if best != "split" else "P",
                ha="center",
                va="center_baseline",
                fontsize=12,
                color="white" if colour == BLUE else INK,
            )
    labels = [held(dict(zip(names, row, strict=False)), pair=title == "pairs") for row in rows]
    _frame(axes, ["A" if d == 1 else str(d) for d in dealers], labels)
    axes.set_title(title, loc="left")
    axes.set_xlabel("the dealer's card")
    return used


def _square(axes: "Axes", x: float, y: float, colour: str, depth: float) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((x - 0.47, y - 0.47), 0.94, 0.94, facecolor=colour, alpha=depth, linewidth=0))


def _frame(axes: "Axes", across: Sequence[str], down: Sequence[str]) -> None:
    axes.set_xlim(-0.5, len(across) - 0.5)
    axes.set_ylim(-0.5, len(down) - 0.5)
    axes.set_xticks(range(len(across)), across)
    axes.set_yticks(range(len(down)), down)
    axes.set_facecolor("white")
    bare(axes)


def _legend(figure: "Figure", colours: Mapping[str, str]) -> None:
    x = 0.06
    for choice, colour in colours.items():
        figure.text(x, 0.845, "■", color=colour, fontsize=20, va="center")
        figure.text(x + 0.016, 0.845, choice, fontsize=15, va="center")
        x += 0.035 + 0.0095 * len(choice)
