"""The page of the examples: every published figure beside the exact one, and the same games dealt."""

from fractions import Fraction
from pathlib import Path

from pitboss.catalog import load
from pitboss.exact import Study
from pitboss.ledger.figure import EXACT
from pitboss.ledger.records import percent, ratio
from pitboss.library import simulate
from pitboss.plain import markdown
from pitboss.rules.game import Anchor, Game
from pitboss.rules.house import House
from pitboss.rules.work import size_words, time_words

FOLDER = Path(__file__).parents[3] / "examples"
ROUNDS, SEED = 10_000_000, 1
QUICK = 0.3  # seconds of a count by its plan; what takes longer is not counted to look whether the page is in step

INTRO = f"""\
# The examples, and how their figures are known

Every game of [examples/](../examples) is one file, as a user writes it. Here is what comes out of it beside what is
published, and beside the same file dealt {ROUNDS:,} times. Where a file of claims lies beside a game, every figure
in it is judged by `pitboss verify examples/GAME.toml --game examples/GAME.py`.

Hidden hands are counted without being dealt ([how](design.md)). The same `play` on a deck of few cards, every deal gone
through one by one, comes to the very fraction: `tests/test_hidden.py`, `tests/test_small_hands.py`,
`tests/test_poker_examples.py` and `tests/test_baccarat.py` hold them against each other.
"""
PLANNED = """\
Seconds and memory are those of the plan (`pitboss analyze FILE --plan`), on an ordinary machine. What Ultimate Texas
Hold'em and Caribbean Stud really take is measured against C: [bench/results.md](../bench/results.md).
"""
DEALT = f"""\
{ROUNDS:,} rounds each, seed {SEED}, played as well as can be. Where the best play looks at more cards than a table of
answers holds, the first strategy of the file is played, and the exact figure beside it is that strategy's.
"""


def examples() -> list[Path]:
    return sorted(FOLDER.glob("*.py"))


def examples_page(made: str) -> str:
    """All of it; some of it takes a minute."""
    games = {path: load(str(path)) for path in examples()}
    parts = [made, INTRO, "## Exact, and published\n", _head("game", "of the", "exact", "", "ways", "published", "by")]
    parts += [line for path, game in games.items() for line in published_rows(path, game)]
    parts += ["\n## The file, and what a count takes\n", PLANNED]
    parts += [_head("game", "lines", "wagers", "counted by", "rows", "seconds", "memory")]
    parts += [line for path, game in games.items() for line in planned_rows(path, game)]
    parts += ["\n## Dealt\n", DEALT, _head("game", "wager", "strategy", "dealt", "exact", "apart, in standard errors")]
    parts += [line for path, game in games.items() for line in dealt_rows(path, game)]
    return "\n".join(parts) + "\n"


def quick(game: Game) -> bool:
    """Whether its wagers are counted in no time."""
    return Study(game.at()).plan.seconds < QUICK


def published_rows(path: Path, game: Game) -> list[str]:
    return [_published(path, game, anchor) for anchor in game.anchors]


def _published(path: Path, game: Game, anchor: Anchor) -> str:
    house = game.at(anchor.options, anchor.tables)
    found = Study(house, anchor.strategy).wager(anchor.wager)
    said = [f"{name}={value}" for name, value in anchor.options.items()]
    said += [f"{name} {table}" for name, table in anchor.tables.items()]
    said += [f"strategy {anchor.strategy}"] if anchor.strategy != "optimal" else []
    of = anchor.wager + (f" ({', '.join(said)})" if said else "")
    verdict = anchor.edge if anchor.agrees(found.house_edge) else f"**{anchor.edge}**, which it is not"
    ways = "" if found.ways is None else f"{found.ways:,}"
    whole = ratio(found.house_edge) if found.method == EXACT else found.method
    return _row(_link(path, game), of, percent(found.house_edge, 6), whole, ways, verdict, anchor.source)


def planned_rows(path: Path, game: Game) -> list[str]:
    lines = len(path.read_text().splitlines())
    return [
        _row(
            _link(path, game), str(lines), ", ".join(step.wagers), step.offer.kernel, f"{step.offer.rows:,}",
            time_words(step.offer.seconds), size_words(step.offer.memory),
        )
        for step in Study(game.at()).plan.steps
    ]  # fmt: skip


def dealt_rows(path: Path, game: Game) -> list[str]:
    house: House = game.at()
    found = simulate(house, ROUNDS, seed=SEED)
    out = []
    for one in found.wagers:
        error, exact = one.standard_error, one.exact
        beside = "" if exact is None else percent(exact, 4)
        apart = "" if exact is None or not error else f"{(one.house_edge - float(exact)) / error:+.1f}"
        dealt = f"{percent(Fraction(one.house_edge), 4)} ± {percent(Fraction(error), 4)}"
        out.append(_row(_link(path, game), one.wager, found.of.strategy, dealt, beside, apart))
    return out


def _link(path: Path, game: Game) -> str:
    return f"[{markdown(game.title)}](../examples/{path.name})"


def _head(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n|{'---|' * len(cells)}"


def _row(first: str, *cells: str) -> str:
    return f"| {' | '.join([first, *map(markdown, cells)])} |"
