"""Records as tables on a terminal. Nothing is computed here that a record does not hold."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from pitboss.cli.flags import in_flags
from pitboss.cli.screen import marked
from pitboss.exact.plan import Plan
from pitboss.ledger.figure import SIMULATED, Figure
from pitboss.ledger.multiples import Multiple, by_wager
from pitboss.ledger.records import Analysis, Progressive, StrategyRow, Together, WagerResult, percent, ratio
from pitboss.ledger.simulated import SimulatedTogether, SimulatedWager, Simulation
from pitboss.plain import one_line
from pitboss.rules.house import House
from pitboss.rules.identity import Provenance
from pitboss.rules.paytables import money
from pitboss.rules.wagers import times_word
from pitboss.rules.work import size_words, time_words

AGREE = 4.0  # standard errors within which a simulation agrees with an exact figure
MOST_ROWS = 60
UNUSUAL = "bold yellow"  # what is not as a house usually has it


def table(*columns: str, title: str | Text = "") -> Table:
    """The house style: names to the left, numbers to the right."""
    bold = marked("{}", title)
    bold.style = "bold"
    out = Table(box=box.SIMPLE_HEAD, title=bold if title else None, title_justify="left", padding=(0, 1, 0, 0))
    for i, name in enumerate(columns):
        out.add_column(name, justify="left" if i == 0 else "right", no_wrap=i > 0, overflow="fold")
    return out


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


def ways(count: int) -> str:
    """Whole, as far as anyone would read it; JSON has every digit."""
    return f"{count:,}" if count < 10**18 else f"{count:.6e}"


def number(value: Fraction, places: int = 6) -> str:
    return f"{float(value):.{places}f}"


def signed(value: Fraction) -> str:
    text = money(abs(value)) if value.denominator == 1 else f"{abs(float(value)):,.4g}"
    return f"+{text}" if value > 0 else f"-{text}" if value < 0 else "0"


def _tone(value: Fraction | float) -> str:
    return "green" if value > 0 else "red" if value < 0 else "dim"


# ---- exact analysis


def plan(console: Console, house: House, of: Provenance, found: Plan) -> None:
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


def analysis(console: Console, house: House, found: Analysis) -> None:
    heading(console, house, found.of, "exact analysis")
    for wager in found.wagers:
        console.print(return_table(house, wager, found.of.strategy))
        console.print(figures(wager))
        for line in how_often(wager.bets):
            console.print(line)
        if (why := house.bet_matters(wager.wager)) and not wager.shared:
            console.print(f"{why}: the figures are for ${money(house.stake_on(wager.wager))} a bet", style="dim")
    for progressive in found.progressives:
        console.print(jackpots(progressive))
    if found.together is not None and len(found.together.bets) > 1:
        console.print(whole_bet(found.together))
    for why in found.refused.values():
        console.print(f"\n{in_flags(why, 'analyze')}.", style="yellow")
    published(console, house, found)
    console.print(
        f"\npitboss {found.of.version} · game file sha256 {found.of.sha256[:16]} · {how_known(found)}", style="dim"
    )


def how_known(found: Analysis) -> str:
    """How the figures of an analysis are known, true of every one of them."""
    if found.counted:
        return "every figure above is an exact count"
    played = [w.wager for w in found.wagers if not w.exact]
    return (
        f"the {' and '.join(played)} is enumerated whole, in double precision; its standard deviation, hit frequency "
        "and how often each bet is made are simulated; everything else is an exact count"
    )


def return_table(house: House, wager: WagerResult, strategy: str = "optimal") -> Table:
    with_it = [w.name for w in house.parties[wager.wager] if w.name != wager.wager]
    also = f" with {', '.join(with_it)}" if with_it and wager.exact else ""
    what = f"pay table {wager.paytable}" if wager.exact else f"every round enumerated, {strategy} strategy"
    counted = ["ways"] if wager.exact else []
    out = table(
        "outcome", *counted, "probability", "pays", "return",
        title=marked("\n{}[not bold dim]{} · {}[/]", wager.wager, also, what),
    )  # fmt: skip
    for o in wager.outcomes:
        mean = f"on average {float(o.pays):+.4f}" if o.ways is None and o.outcome == "split" else signed(o.pays)
        out.add_row(
            o.outcome, *([ways(o.ways)] if o.ways is not None else []), number(o.probability, 8),
            Text(mean, _tone(o.pays)), Text(f"{float(o.returns):+.6f}", _tone(o.returns)),
        )  # fmt: skip
    out.add_section()
    total = [ways(wager.ways)] if wager.ways is not None else []
    out.add_row("all", *total, number(Fraction(1), 8), "", f"{float(wager.expectation):+.6f}")
    return out


def figures(wager: WagerResult) -> Text:
    if wager.shared:
        return Text(f"the {wager.wager} is paid among the players: the edge is zero whatever one does", "bold")
    text = Text.assemble("house edge ", (percent(wager.house_edge, 4), "bold"))
    text.append(f" = {ratio(wager.house_edge)} of the {wager.wager}" if wager.exact else f" of the {wager.wager}")
    if wager.wagered != 1:
        text.append(
            f" · element of risk {percent(wager.element_of_risk, 4)} of {number(wager.wagered, 4)} units bet in all"
        )
    if wager.played is not None:
        best, basic = wager.played.optimal_edge, wager.played.basic_edge
        text.append(f"\noptimal play {percent(best, 4)} · basic strategy {percent(basic, 4)}")
        text.append(f" (costs {percent(basic - best, 4)})")
        if wager.played.insurance is not None:
            brings = percent(wager.played.insurance, 4)
            text.append(f"\ninsurance brings {brings} of what is bet on it, off the top of the shoe")
        text.append(f"\nstandard deviation {wager.std_dev:.4f} ± {wager.played.deviation.error:.4f} (simulated)")
        text.append(f" · hit frequency {percent(wager.hit_frequency, 2)}")
        text.append(f" ± {percent(wager.played.hits.error, 2)} (simulated)")
        return text
    text.append(f"\nstandard deviation {wager.std_dev:.4f} · hit frequency {percent(wager.hit_frequency, 3)}")
    text.append(f" · {ways(wager.ways or 0)} ways")
    return text


def how_often(bets: Sequence[Multiple]) -> list[Text]:
    """`play bet: none 32.579% · 1x 67.421%`: how often each bet after the deal is made."""
    out = []
    for wager, several in by_wager(bets).items():
        parts = [f"{times_word(m.times)} {percent(m.often.value, 3)}{_error(m.often)}" for m in several]
        said = " (simulated)" if any(m.often.method == SIMULATED for m in several) else ""
        out.append(Text(f"{wager} bet: {' · '.join(parts)}{said}"))
    return out


def _error(figure: Figure) -> str:
    return f" ± {percent(figure.error, 3)}" if figure.method == SIMULATED else ""


def jackpots(found: Progressive) -> Group:
    out = table("", *(m.row for m in found.meters), title=f"\n{found.wager}: the meter")
    out.columns[0].no_wrap = True
    for label, cells in (
        ("now", [f"${money(m.meter)}" for m in found.meters]),
        ("break-even", [f"${float(m.break_even):,.2f}" for m in found.meters]),
        ("seed", [f"${money(m.seed)}" for m in found.meters]),
        ("added by each bet", [f"${float(m.increment):,.2f}" for m in found.meters]),
        ("average when hit", [f"${float(m.average):,.2f}" for m in found.meters]),
        ("bets between hits", [f"{float(m.bets_between):,.1f}" for m in found.meters]),
    ):
        out.add_row(label, *cells)
    lines = [
        _with_ratio("edge at this meter", found.edge_at_meter),
        _with_ratio("long-run edge, every jackpot paid at its average,", found.long_run_edge),
    ]
    if len(found.edge_by_state) > 1:
        states = ", ".join(f"{name}: {percent(edge, 2)}" for name, edge in found.edge_by_state.items())
        lines.append(Text(f"edge by what the seat has carried over: {states}"))
    for m in found.meters:
        if m.same_shoe is not None:
            more = float(m.same_shoe / m.probability) - 1
            points = float((m.same_shoe - m.probability) * m.meter / found.stake) * -100
            told = f"{float(m.same_shoe):.4e} instead of {float(m.probability):.4e} with fresh shuffles ({more:+.2%})"
            where = f"{m.row} on a hand that follows another from the same shoe"
            lines.append(Text(f"{where}: {told}, {points:+.4f} points of edge"))
    return Group(out, *lines)


def whole_bet(found: Together) -> Group:
    bets = ", ".join(f"${money(a)} {w}" for w, a in found.bets.items())
    lines = [
        marked("\n[bold]all bets at once[/] [dim]({})[/]", bets),
        _with_ratio("house edge", found.house_edge)
        + Text(f" of the bets before the deal · expected loss ${float(-found.expectation):.4f} a round"),
        Text(
            f"standard deviation ${float(found.variance) ** 0.5:,.2f}"
            f" · some profit in {percent(found.hit_frequency, 2)} of rounds"
        ),
    ]
    if found.correlation:
        pairs = ", ".join(f"{pair} {value:+.4f}" for pair, value in found.correlation.items())
        lines.append(Text(f"correlation: {pairs}"))
    return Group(*lines, *_left_out(found.left_out))


def _with_ratio(what: str, edge: Fraction) -> Text:
    return marked("{} [bold]{}[/] = {}", what, percent(edge, 4), ratio(edge))


def _left_out(wagers: Mapping[str, str]) -> list[Text]:
    """What is no part of all bets at once, and why."""
    return [Text(f"without the {name}, which is {why}", "dim") for name, why in wagers.items()]


def published(console: Console, house: House, found: Analysis) -> None:
    """Published figures for exactly these options and a full shoe, beside what came out."""
    for anchor in house.game.anchors if not found.of.shoe else ():
        same = house.game.at(anchor.options, anchor.tables)
        wager = next((w for w in found.wagers if w.wager == anchor.wager), None)
        if wager is None or same.options != house.options or anchor.strategy != found.of.strategy:
            continue
        if any(same.tables[t].pays != house.tables[t].pays for t in same.tables):
            continue
        agrees = anchor.agrees(wager.house_edge)
        mark = Text("agrees", "green") if agrees else Text("does not agree", "bold red")
        console.print(marked("published: {} {} ({}): {}", anchor.wager, anchor.edge, anchor.source, mark))


# ---- strategy


def strategy(console: Console, house: House, found: Analysis) -> None:
    heading(console, house, found.of, "strategy")
    if not found.strategy and not found.not_charted:
        console.print("There is nothing to decide once the bets are down.")
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
    console.print(_with_ratio("Played so, the house edge is", main.house_edge) + Text(f" of the {main.wager}."))


def rules_to_remember(console: Console, house: House, cost: Mapping[str, Fraction]) -> None:
    """The strategies that the game file names, in words, and what each gives up against the best play."""
    for name, lost in cost.items():
        about = " ".join((house.game.strategies[name].__doc__ or "").split())
        price = "It loses nothing." if lost == 0 else f"It costs {percent(lost, 4)} = {ratio(lost)}."
        console.print(marked("[bold]{}[/]: {} {}", name, about, Text(price, "green" if lost == 0 else "yellow")))


def strategy_table(decision: str, rows: Sequence[StrategyRow]) -> Table:
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
        out.caption = f"... and {len(rows) - MOST_ROWS:,} more rows of this chart; --json has them"
    return out


def _worth(row: StrategyRow, choice: str) -> Text:
    text = f"{float(row.values[choice]):+.5f}"
    if choice not in row.best:
        return Text(f"{text}  ", "dim")
    return Text(f"{text} =", "yellow") if len(row.best) > 1 else Text(f"{text} ●", "bold green")


# ---- simulation


def disagreement(w: SimulatedWager) -> str:
    """The first thing that a reader must know: the exact result and the simulation cannot both be right."""
    assert w.exact is not None and w.z is not None
    return (
        f"DISAGREES: {w.wager} simulated {percent(w.house_edge, 4)}, exact {percent(w.exact, 4)},\n"
        f"{abs(w.z):,.1f} standard errors apart: one of the two is wrong."
    )


def simulation(console: Console, house: House, found: Simulation) -> None:
    for w in found.off:
        console.print(disagreement(w), style="bold red")
    seats = f", {found.seats} seats" if found.seats > 1 else ""
    heading(console, house, found.of, f"simulated, {found.mode}{seats}, {found.rounds:,} hands, seed {found.seed}")
    out = table("wager", "house edge", "± error", "exact", "z", "chi²/df", "p", "")
    out.columns[0].no_wrap = True
    shoe = found.mode.startswith("shoe")
    for w in found.wagers:
        out.add_row(w.wager, percent(w.house_edge, 4), percent(w.standard_error, 4), *_against_exact(w, shoe))
    console.print(out)
    for note in found.notes:
        console.print(f"{one_line(note)}.", style="yellow")
    for w in found.wagers:
        console.print(_sampled_table(w))
        for line in how_often(w.bets):
            console.print(line)
    if found.together is not None:
        console.print(_sampled_together(found.together))
    speed = found.dealt / found.seconds if found.seconds else 0
    before = f" and {found.rounds - found.dealt:,} were there before" if found.dealt < found.rounds else ""
    console.print(
        f"{found.seconds:.2f} s, {speed / 1e6:.1f} million hands a second{before} · every figure above is sampled",
        style="dim",
    )


def _sampled_together(found: SimulatedTogether) -> Group:
    bets = ", ".join(f"${money(a)} {w}" for w, a in found.bets.items())
    pairs = ", ".join(f"{pair} {value:+.4f}" for pair, value in found.correlation.items())
    return Group(
        marked("\n[bold]all bets at once[/] [dim]({})[/], sampled", bets),
        f"house edge {percent(found.house_edge, 4)} of the bets · standard deviation ${found.std_dev:,.2f}"
        f" (${found.independent_std_dev:,.2f} if they did not move together)",
        f"correlation, each within about {2 * found.standard_error:.4f}: {pairs}",
        *_left_out(found.left_out),
    )


def _against_exact(w: SimulatedWager, shoe: bool) -> list[str | Text]:
    if w.exact is None or w.z is None:
        return ["-", "-", "-", "-", Text("no exact result", "dim")]
    chi = "-" if w.chi_square is None else f"{w.chi_square:.1f}/{w.degrees}"
    tail = "-" if w.p_value is None else f"{w.p_value:.3f}"
    good = abs(w.z) <= AGREE
    if w.biased and not good:  # the cut card decides which rounds a shoe gives
        more = f"{percent(w.house_edge - float(w.exact), 4)} more than fresh"
        return [percent(w.exact, 4), f"{w.z:+.2f}", chi, tail, more]
    verdict = Text("agrees", "green") if good else Text(f"off by {abs(w.z):.1f} errors", "bold red")
    return [percent(w.exact, 4), f"{w.z:+.2f}", chi, tail, verdict]


def _sampled_table(w: SimulatedWager) -> Table:
    out = table(
        "outcome",
        "hands",
        "probability",
        "std. error",
        "exact",
        "pays",
        title=marked("\n{} [not bold dim]· pay table {}[/]", w.wager, w.paytable),
    )
    for o in w.outcomes:
        exact = "-" if o.exact is None else number(o.exact, 8)
        pays = Text(signed(o.pays), _tone(o.pays))
        out.add_row(o.outcome, f"{o.count:,}", f"{o.probability:.8f}", f"{o.standard_error:.1e}", exact, pays)
    return out
