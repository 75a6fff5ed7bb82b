"""A chart of hands of any length as grids: rows are what a player holds, columns what he sees of the dealer."""

from collections.abc import Sequence
from dataclasses import dataclass

from pitboss.ledger.records import Chart, held

LETTERS = {"stand": "S", "hit": "H", "double": "D", "split": "P", "surrender": "R"}


@dataclass(frozen=True)
class Cell:
    """What to do; a second letter says what to do where that is not allowed: `Dh`."""

    choice: str
    letters: str

    @property
    def words(self) -> str:
        also = {"s": ", else stand", "h": ", else hit"}
        return f"{self.choice}{also.get(self.letters[1:], '')}"


@dataclass(frozen=True)
class Grid:
    """One part of a chart: hard hands, soft hands, pairs."""

    title: str
    heads: tuple[str, ...]  # over the labels of a row
    across: tuple[str, ...]  # over the cells
    rows: tuple[tuple[tuple[str, ...], tuple[Cell | None, ...]], ...]
    common: bool  # of the letters that every player must know

    @property
    def in_one(self) -> bool:
        """Whether a row has one label for all that is held."""
        return self.heads == ("you hold",)


def grids(chart: Chart, names: Sequence[str]) -> list[Grid]:
    """Hard hands first; `names` are what decisions are made by."""
    first = max((c for c, _ in chart), key=len)  # the decision with everything still open
    two_cards = max((c for c, _ in chart if "split" not in c), key=len)
    out = [_grid("hard" if "soft" in names else "what to do", chart, two_cards, names, 0, True)]
    out += [_grid("soft", chart, two_cards, names, 1, True)] if "soft" in names else []
    out += [_grid("pairs", chart, first, names, None, True)] if "split" in first else []
    for choices in dict.fromkeys(c for c, _ in chart):  # choices of another kind, such as an early surrender
        if not {*choices} & {*first} and all(len(by) == len(names) for c, by in chart if c == choices):
            out.append(_grid(" or ".join(choices), chart, choices, names, None, False))
    return out


def _grid(
    title: str, chart: Chart, choices: tuple[str, ...], names: Sequence[str], soft: int | None, common: bool
) -> Grid:
    where = names.index("soft") if "soft" in names else None
    keys = [k for c, k in chart if c == choices and (soft is None or where is None or k[where] == soft)]
    across = [i for i, name in enumerate(names) if name.startswith("dealer")] or [len(names) - 1]
    down = [i for i in range(len(names)) if i not in across] if len(names) > 1 else [0]
    across = [i for i in across if i not in down]
    dealers = sorted({tuple(k[i] for i in across) for k in keys}, key=lambda d: (d[1:], d[:1] == (1,), d))
    named = [names[i] for i in down]
    in_one = {*named} <= {"total", "soft"}
    pairs = soft is None and "split" in choices
    rows = []
    for row in sorted({tuple(k[i] for i in down) for k in keys}, key=lambda r: r[::-1]):
        labels = [held(dict(zip(named, row, strict=True)), pair=pairs)] if in_one else [str(n) for n in row]
        places = (dict(zip(down, row, strict=True)) | dict(zip(across, d, strict=True)) for d in dealers)
        cells = [_cell(chart, choices, tuple(x for _, x in sorted(place.items()))) for place in places]
        rows.append((tuple(labels), tuple(cells)))
    return Grid(title, ("you hold",) if in_one else tuple(named), tuple(map(_dealer, dealers)), tuple(rows), common)


def _dealer(looks: tuple[int, ...]) -> str:
    """What is seen of the dealer's hand, at the head of a column: his card, or his total and whether it is soft."""
    if not looks:
        return ""
    return ("A" if looks == (1,) else str(looks[0])) + "s" * (looks[1:] == (1,))


def _cell(chart: Chart, choices: tuple[str, ...], key: tuple[int, ...]) -> Cell | None:
    best = chart.get((choices, key))
    if best is None:
        return None
    if best not in ("double", "surrender"):
        return Cell(best, LETTERS.get(best, best[:1].upper()))
    plain = chart.get((("stand", "hit"), key), "hit")
    return Cell(best, LETTERS[best] + ("s" if plain == "stand" else "h"))
