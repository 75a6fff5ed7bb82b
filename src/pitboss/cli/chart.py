"""A strategy chart as players know it: rows are what they hold, columns the dealer's card, colours what to do."""

from collections.abc import Mapping, Sequence

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from pitboss.cli.layout import Flow, Sheet, table
from pitboss.cli.screen import marked
from pitboss.ledger.records import Chart, StrategyRow, WagerResult, held, percent

BETWEEN = 2  # columns between two charts that lie side by side
PAINT = {
    "stand": ("S", "black on #f2d35b"),
    "hit": ("H", "black on #9bd08a"),
    "double": ("D", "white on #2f6db5"),
    "split": ("P", "white on #8c4fa8"),
    "surrender": ("R", "white on #c0392b"),
}


def show(console: Console, chart: Chart, names: Sequence[str]) -> None:
    """Hard hands, soft hands and pairs, side by side where there is room; `names` are what decisions are made by."""
    first = max((c for c, _ in chart), key=len)  # the decision with everything still open
    two_cards = max((c for c, _ in chart if "split" not in c), key=len)
    left = _section("hard" if "soft" in names else "what to do", chart, two_cards, names, soft=0)
    others = [_section("soft", chart, two_cards, names, soft=1)] if "soft" in names else []
    others += [_section("pairs", chart, first, names)] if "split" in first else []
    for choices in dict.fromkeys(c for c, _ in chart):  # choices of another kind, such as an early surrender
        if not {*choices} & {*first} and all(len(by) == len(names) for c, by in chart if c == choices):
            others += [_section(" or ".join(choices), chart, choices, names)]
    beside = max((console.measure(other).maximum for other in others), default=0)
    if others and console.measure(left).maximum + BETWEEN + beside <= console.width:
        grid = Table.grid(padding=(0, BETWEEN, 0, 0))
        grid.add_row(left, Group(*others))
        console.print(grid)
    else:
        console.print(left, *others, sep="\n")
    used = dict.fromkeys(_letter(chart, c, k) for c, k in chart if c in (first, two_cards))
    console.print(_legend(used))


def _section(
    title: str, chart: Chart, choices: tuple[str, ...], names: Sequence[str], soft: int | None = None
) -> Sheet:
    where = names.index("soft") if "soft" in names else None
    keys = [k for c, k in chart if c == choices and (soft is None or where is None or k[where] == soft)]
    across = [i for i, name in enumerate(names) if name.startswith("dealer")] or [len(names) - 1]
    down = [i for i in range(len(names)) if i not in across] if len(names) > 1 else [0]
    across = [i for i in across if i not in down]
    dealers = sorted({tuple(k[i] for i in across) for k in keys}, key=lambda d: (d[1:], d[:1] == (1,), d))
    rows = sorted({tuple(k[i] for i in down) for k in keys}, key=lambda r: r[::-1])
    out = Sheet(box=box.SIMPLE_HEAD, title=Text(f"\n{title}", "bold"), padding=0, show_edge=False)
    named = [names[i] for i in down]
    in_one = {*named} <= {"total", "soft"}
    for name in ("you hold",) if in_one else named:
        out.add_column(f"{name} ", justify="right", min_width=9 if in_one else None)
    for d in dealers:
        out.add_column(_dealer(d), justify="center", min_width=3)
    pairs = soft is None and "split" in choices
    for row in rows:
        labels = [held(dict(zip(named, row, strict=True)), pair=pairs)] if in_one else map(str, row)
        places = (dict(zip(down, row, strict=True)) | dict(zip(across, d, strict=True)) for d in dealers)
        cells = [_cell(chart, choices, tuple(x for _, x in sorted(place.items()))) for place in places]
        out.add_row(*(f"{label} " for label in labels), *cells)
    return out


def _dealer(looks: tuple[int, ...]) -> str:
    """What is seen of the dealer's hand, at the head of a column: his card, or his total and whether it is soft."""
    if not looks:
        return ""
    return ("A" if looks == (1,) else str(looks[0])) + "s" * (looks[1:] == (1,))


def _letter(chart: Chart, choices: tuple[str, ...], key: tuple[int, ...]) -> str:
    """What to do; a second letter says what to do where the first is not allowed."""
    best = chart.get((choices, key), "")
    if best not in ("double", "surrender"):
        return PAINT.get(best, (best[:1].upper(), ""))[0]
    plain = chart.get((("stand", "hit"), key), "hit")
    return PAINT[best][0] + ("s" if plain == "stand" else "h")


def _cell(chart: Chart, choices: tuple[str, ...], key: tuple[int, ...]) -> Text:
    if (choices, key) not in chart:
        return Text("")
    style = PAINT.get(chart[choices, key], ("", "bold"))[1]
    return Text(f"{_letter(chart, choices, key):^3}", style)


def _legend(used: Mapping[str, None]) -> Flow:
    names = {PAINT[name][0]: name for name in PAINT}
    also = {"s": ", else stand", "h": ", else hit", "": ""}
    parts = []
    for letters in sorted(used):
        name = names.get(letters[0], letters)
        paint = Text(f" {letters} ", PAINT.get(name, ("", "bold"))[1])
        parts.append(paint + Text(f" {name}{also.get(letters[1:], '')}"))
    return Flow(*parts, between="   ")


def exceptions(rows: Sequence[StrategyRow], most: int = 12) -> Sheet | None:
    """Two-card hands that the cards themselves play otherwise than the chart, dearest first."""
    other = [r for r in rows if r.chosen != r.basic]
    if not other:
        return None
    other.sort(key=lambda r: -r.probability * (r.values[r.chosen] - r.values[r.basic]))
    out = table(
        "hand", "chart", "best", "gains", "how often", title="\nhands that are better played otherwise than the chart"
    )
    for r in other[:most]:
        gain = r.values[r.chosen] - r.values[r.basic]
        out.add_row(r.sees, r.basic, r.chosen, f"{float(gain):.5f}", percent(r.probability, 4))
    if len(other) > most:
        out.caption = f"... and {len(other) - most} more; --csv FILE has every hand"
    return out


def closing(console: Console, wager: WagerResult) -> None:
    assert wager.played is not None
    played = wager.played
    basic, best, cost = (
        percent(x, 4) for x in (played.basic_edge, played.optimal_edge, played.basic_edge - played.optimal_edge)
    )
    console.print(
        marked(
            "Played by the chart, the house edge is [bold]{}[/] of the {}. Played by the exact cards of every hand it "
            "is {}: the chart costs {}.",
            basic,
            wager.wager,
            best,
            cost,
        )
    )
    if played.insurance is not None:
        take = "worth taking" if played.insurance > 0 else "never worth taking by a chart"
        console.print(f"Insurance is {take}: it brings {percent(played.insurance, 3)} of what is bet on it.")
