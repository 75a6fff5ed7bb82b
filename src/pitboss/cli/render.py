"""Records as tables on a terminal. Nothing is computed here that a record does not hold."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from pitboss.cli.flags import in_flags
from pitboss.cli.layout import Flow, Sheet
from pitboss.cli.layout import table as table
from pitboss.cli.screen import marked
from pitboss.ledger.figure import SIMULATED, Figure
from pitboss.ledger.multiples import Multiple, by_wager
from pitboss.ledger.records import Analysis, StrategyRow, percent, ratio
from pitboss.ledger.spelled import number
from pitboss.rules.house import House
from pitboss.rules.identity import Provenance
from pitboss.rules.wagers import times_word
from pitboss.rules.work import size_words, time_words

if TYPE_CHECKING:  # who asks for a sheet of rules does not wait for what counts
    from pitboss.exact.plan import Plan

MOST_ROWS = 60
UNDECIDED = "There is nothing to decide once the bets are down."
UNUSUAL = "bold yellow"  # what is not as a house usually has it


def heading(console: Console, house: House, of: Provenance, what: str, but: str = "") -> None:
    """What this is of: options that differ from their default stand out; not the one that is varied."""
    defaults = {name: o.start() for name, o in house.game.all_options.items()}
    shown: list[Text] = []
    for name, value in house.chosen().items():
        changed = house.options[name] != defaults[name]
        if name != but and (changed or name in ("decks",)):
            shown.append(Text(f"{name}={value}", UNUSUAL if changed else ""))
    for wager, name in of.paytables.items():
        first = next(w for w in house.wagers if w.name == wager).tables[0].name
        if name != first:
            shown.append(Text(f"{wager}: {name}", UNUSUAL))
    if of.strategy != "optimal":
        shown.append(Text(f"strategy {of.strategy}", UNUSUAL))
    if of.shoe:
        shown.append(Text(f"shoe {of.shoe}", UNUSUAL))
    console.print(marked("[bold]{}[/] · {}{}{}", of.title, what, " · " if shown else "", Text(", ").join(shown)))
    for told in where(house):
        console.print(told, style="dim")


def where(house: House) -> list[str]:
    """What the place where a table stands does to it; nothing where none was named."""
    return [] if house.under is None else [f"{house.under.place}: {told}" for told in house.under.told(house)]


def tone(value: Fraction | float) -> str:
    return "green" if value > 0 else "red" if value < 0 else "dim"


def with_ratio(what: str, edge: Fraction) -> Text:
    return marked("{} [bold]{}[/] = {}", what, percent(edge, 4), ratio(edge))


def left_out(wagers: Mapping[str, str]) -> list[Text]:
    """What is no part of all bets at once, and why."""
    return [Text(f"without the {name}, which is {why}", "dim") for name, why in wagers.items()]


# ---- what would be counted, and how often bets are made


def plan(console: Console, house: House, of: Provenance, found: "Plan") -> None:
    """What would be counted, by which kernel, and what that takes; and what would not, and why."""
    heading(console, house, of, "plan")
    for step in found.steps:
        offer = step.offer
        console.print(f"\n{', '.join(step.wagers)}", style="bold")
        ways = f"{offer.ways:,} ways" if offer.ways is not None else "all hands that can be drawn"
        steps = f", {offer.steps:,} steps of the innermost loop" if offer.steps is not None else ""
        console.print(f"  kernel     {offer.kernel}, in {offer.arithmetic}")
        console.print(f"  rows       {offer.rows:,} of what can be seen{steps}")
        console.print(f"  counts     {ways}")
        console.print(f"  expected   about {time_words(offer.seconds)}, {size_words(offer.memory)}")
    for name in found.shared:
        console.print(marked("\n[bold]{}[/]\n  paid among the players: nothing to count", name))
    for name, why in found.refused.items():
        console.print(f"\n{name}", style="bold")
        console.print(f"  not counted: {in_flags(why, 'analyze')}", style="yellow")
    console.print(f"\nin all about {time_words(found.seconds)}; nothing was counted", style="dim")


def how_often(bets: Sequence[Multiple]) -> list[Flow]:
    """`play bet: none 32.579% · 1x 67.421%`: how often each bet after the deal is made."""
    out = []
    for wager, several in by_wager(bets).items():
        parts = [f"{times_word(m.times)} {percent(m.often.value, 3)}{_error(m.often)}" for m in several]
        said = " (simulated)" if any(m.often.method == SIMULATED for m in several) else ""
        parts[0] = f"{wager} bet: {parts[0]}"
        parts[-1] += said
        out.append(Flow(*parts))
    return out


def _error(figure: Figure) -> str:
    return f" ± {percent(figure.error, 3)}" if figure.method == SIMULATED else ""


# ---- strategy


def strategy(console: Console, house: House, found: Analysis) -> None:
    heading(console, house, found.of, "strategy")
    if not found.strategy and not found.not_charted:
        console.print(UNDECIDED)
        return
    charted = found.strategy
    for decision in dict.fromkeys(r.decision for r in charted):
        rows = [r for r in charted if r.decision == decision]
        console.print(strategy_table(decision, rows))
    for decision, many in found.not_charted.items():
        console.print(f"{decision}: {many:,} things to see, too many to list; pitboss play has hints", style="yellow")
    main = found.wager(next(w.wager for w in found.wagers if w.wager in house.main))
    console.print(
        marked(
            "[dim]Expectation in units of the bet before the deal, exact; "
            "[green]●[/] best, [yellow]=[/] equally good.[/]"
        )
    )
    console.print(with_ratio("Played so, the house edge is", main.house_edge) + Text(f" of the {main.wager}."))


def rules_to_remember(console: Console, house: House, cost: Mapping[str, Fraction]) -> None:
    """The strategies that the game file names, in words, and what each gives up against the best play."""
    for name, lost in cost.items():
        about = " ".join((house.game.strategies[name].__doc__ or "").split())
        price = "It loses nothing." if lost == 0 else f"It costs {percent(lost, 4)} = {ratio(lost)}."
        console.print(marked("[bold]{}[/]: {} {}", name, about, Text(price, "green" if lost == 0 else "yellow")))


def strategy_table(decision: str, rows: Sequence[StrategyRow]) -> Sheet:
    choices = list(rows[0].values)
    out = table("you see", "probability", *choices, "play", title=f"\n{decision}")
    for row in rows[:MOST_ROWS]:
        cells = [_worth(row, c) for c in choices]
        tie = len(row.best) > 1
        play = Text(" = ".join(row.best), "yellow" if tie else "bold green")
        if row.chosen not in row.best:
            play = Text(f"{row.chosen} (best: {' = '.join(row.best)})", "red")
        elif row.chosen != row.best[0]:
            play = Text(f"{row.chosen} ({' = '.join(row.best)})", "yellow")
        out.add_row(row.sees, number(row.probability, 5), *cells, play)
    if len(rows) > MOST_ROWS:
        out.caption = f"... and {len(rows) - MOST_ROWS:,} more rows of this chart; --csv FILE has them all"
    return out


def _worth(row: StrategyRow, choice: str) -> Text:
    text = f"{float(row.values[choice]):+.5f}"
    if choice not in row.best:
        return Text(f"{text}  ", "dim")
    return Text(f"{text} =", "yellow") if len(row.best) > 1 else Text(f"{text} ●", "bold green")
