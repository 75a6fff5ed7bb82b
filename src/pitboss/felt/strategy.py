"""The strategy card: the rule to remember in words, or the chart of hands of any length, and what playing by it costs.

A rule goes on a card of the size of a credit card where it fits, else on one of the size of a rack card, as a chart
does. A game without a decision has a card too: it says that there is nothing to decide.
"""

from collections.abc import Sequence
from fractions import Fraction

from pitboss.felt.ink import CLOTH, GREY, INK, LINE, Drawing
from pitboss.felt.page import LEAD, Block, banner, draw_blocks, footer, sheet_of_paper, sizes, total
from pitboss.felt.rack import HIGH as RACK_HIGH
from pitboss.felt.rack import WIDE as RACK_WIDE
from pitboss.ledger.charts import Cell, Grid, grids
from pitboss.ledger.figure import EXACT
from pitboss.ledger.records import Chart, WagerResult, percent, ratio
from pitboss.rules.house import House
from pitboss.thumb import WAYS, Rulebook, Rung

POCKET = (85.6, 54.0)  # a credit card
SMALLEST = 2.1
NOTHING = "There is nothing to decide after the bets: every way to play this game is the best one."
PAINT = {
    "stand": ("#f2d35b", INK), "hit": ("#9bd08a", INK), "double": ("#2f6db5", "#ffffff"),
    "split": ("#8c4fa8", "#ffffff"), "surrender": ("#c0392b", "#ffffff"),
}  # fmt: skip
LONGEST_RATIO = 24  # characters of a fraction that anybody reads


def strategy_card(
    house: House, book: Rulebook | None = None, *, chart: Chart | None = None, looks: Sequence[str] = (),
    wager: WagerResult | None = None, rung: Rung | None = None,
) -> str:  # fmt: skip
    """The card of a house: of a rulebook (at one of its rungs), of a chart with what its decisions look at and the
    record of the wager that is played, or, without either, that there is nothing to decide."""
    if chart is not None:
        return _chart_card(house, grids(chart, looks), wager)
    blocks = [Block("text", NOTHING)] if book is None else _rule(book, rung or book.best)
    drawing = Drawing(f"strategy-card-{house.game.name}")
    for wide, high in (POCKET, (RACK_WIDE, RACK_HIGH)):
        margin = 5.0 if wide == POCKET[0] else 7.0
        top = banner(Drawing(""), house.game.title, _under(book), 0, wide, margin * 0.7, wide * 0.085) + 2
        room, across = high - top - margin, wide - 2 * margin
        fits = [s for s in sizes(4.4, SMALLEST + 0.2) if total(blocks, across, s) <= room]
        if fits or high == RACK_HIGH:
            break
    size = fits[0] if fits else SMALLEST
    while not fits and len(blocks) > 1 and total(blocks, across, size) > room:
        blocks = [*blocks[: -2 if blocks[-1].text == "..." else -1], Block("note", "...")]
    sheet_of_paper(drawing, 0, wide, high)
    banner(drawing, house.game.title, _under(book), 0, wide, margin * 0.7, wide * 0.085)
    draw_blocks(drawing, blocks, margin, top, across, size)
    footer(drawing, _source(house, book.method if book else ""), 0, wide, high, margin, 1.7)
    return drawing.svg(f"{house.game.title}: a strategy card", "What to do, and what it costs.", 0, 0, wide, high)


def _under(book: Rulebook | None) -> str:
    return "A rule to remember" if book is not None else "How to play it best"


def _source(house: House, method: str) -> str:
    of = house.provenance()
    words = [f"pitboss {of.version}", method, *(f"{n}={v}" for n, v in of.changed.items()), f"file {of.sha256[:12]}"]
    return " · ".join(word for word in words if word)


# ---- rules


def _rule(book: Rulebook, rung: Rung) -> list[Block]:
    out: list[Block] = []
    for rule in rung.rules:
        out += [Block("head", rule.decision[:1].upper() + rule.decision[1:])] if len(rung.rules) > 1 else []
        for choice, conditions in rule.parts:
            out.append(Block("text", f"{choice.upper()} with {', or with '.join(conditions)}."))
        out.append(Block("text", f"{rule.otherwise.upper()} {'otherwise' if rule.lines else 'always'}."))
    out += [Block("note", note) for note in (*([WAYS] if rung.ways else ()), *book.notes)]
    return [*out, Block("note", _price(book, rung))]


def _price(book: Rulebook, rung: Rung) -> str:
    best = "the chart of basic strategy" if book.against == "basic" else "the best play"
    edge = f"{percent(book.edge)}{_exactly(book, book.edge)} of the {book.wager}"
    if not rung.cost:
        return f"It costs nothing: the house edge is that of {best}, {edge}."
    played = percent(book.edge + rung.cost)
    return f"It costs {percent(rung.cost, 4)}{_exactly(book, rung.cost)}: {played} instead of {edge} with {best}."


def _exactly(book: Rulebook, value: Fraction) -> str:
    text = ratio(value)
    return f" = {text}" if book.method == EXACT and len(text) <= LONGEST_RATIO else ""


# ---- charts


def _chart_card(house: House, found: Sequence[Grid], wager: WagerResult | None) -> str:
    wide, high, margin = RACK_WIDE, RACK_HIGH, 7.0
    ink = Drawing(f"strategy-card-{house.game.name}")
    sheet_of_paper(ink, 0, wide, high)
    top = banner(ink, house.game.title, "Basic strategy: you hold, the dealer shows", 0, wide, margin, 9.0) + 3
    foot = [Block("note", text) for text in _costs(wager)]
    below = total(foot, wide - 2 * margin, 3.0) + margin
    used = {cell.letters: cell for grid in found for _, row in grid.rows for cell in row if cell is not None}
    rows = sum(len(grid.rows) + 2.3 for grid in found) + 2.2
    pitch = min(5.4, (high - top - below) / rows)
    y = top
    for grid in found:
        y = _grid(ink, grid, margin, y, wide - 2 * margin, pitch)
    _legend(ink, [used[letters] for letters in sorted(used)], margin, y, wide - 2 * margin, pitch)
    draw_blocks(ink, foot, margin, high - below, wide - 2 * margin, 3.0)
    footer(ink, _source(house, wager.method if wager is not None else ""), 0, wide, high, margin, 1.8)
    return ink.svg(f"{house.game.title}: a strategy card", "A chart of basic strategy.", 0, 0, wide, high)


def _costs(wager: WagerResult | None) -> list[str]:
    if wager is None or wager.played is None:
        return []
    played = wager.played
    return [
        f"Played by the chart, the house edge is {percent(played.basic_edge)} of the {wager.wager}; played by the "
        f"exact cards of every hand it is {percent(played.optimal_edge)}. The chart costs "
        f"{percent(played.basic_edge - played.optimal_edge, 4)}."
    ]


def _grid(ink: Drawing, grid: Grid, x: float, y: float, wide: float, pitch: float) -> float:
    size = pitch * 0.66
    label = 15.0 if grid.in_one else 9.0 * len(grid.heads)
    cell = (wide - label) / max(1, len(grid.across))
    ink.text(x, y + pitch * 0.8, grid.title.capitalize(), pitch * 0.8, CLOTH, bold=True, anchor="start")
    for i, dealer in enumerate(grid.across):
        ink.text(x + label + (i + 0.5) * cell, y + pitch * 0.8, dealer, size, GREY, bold=True)
    y += pitch * 1.15
    for labels, cells in grid.rows:
        for j, text in enumerate(labels):
            right = x + (j + 1) * label / len(labels) - 2
            ink.text(right, y + pitch * 0.74, text, size, INK, bold=True, anchor="end")
        for i, one in enumerate(cells):
            if one is not None:
                fill, colour = PAINT.get(one.choice, (LINE, INK))
                ink.rect(x + label + i * cell + 0.2, y + 0.2, cell - 0.4, pitch - 0.4, rx=0.6, fill=fill)
                ink.text(x + label + (i + 0.5) * cell, y + pitch * 0.74, one.letters, size, colour, bold=True)
        y += pitch
    return y + pitch * 1.15


def _legend(ink: Drawing, cells: Sequence[Cell], x: float, y: float, wide: float, pitch: float) -> None:
    size, across = min(3.0, pitch * 0.62), wide / 3
    for i, one in enumerate(cells[:6]):
        fill, colour = PAINT.get(one.choice, (LINE, INK))
        left, top = x + (i % 3) * across, y + (i // 3) * pitch * LEAD * 0.9
        ink.rect(left, top - pitch * 0.6, 6, pitch * 0.85, rx=0.6, fill=fill)
        ink.text(left + 3, top, one.letters, size, colour, bold=True)
        ink.text(left + 7.5, top, one.words, size, INK, anchor="start")
