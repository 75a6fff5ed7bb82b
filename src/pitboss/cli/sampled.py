"""`pitboss simulate` on a terminal: every figure with its error, and beside it what was counted."""

from rich.console import Console, Group
from rich.text import Text

from pitboss.cli.flags import in_flags
from pitboss.cli.layout import Flow, Sheet, table
from pitboss.cli.render import heading, how_often, left_out, tone
from pitboss.cli.screen import marked
from pitboss.ledger.records import percent
from pitboss.ledger.simulated import SimulatedOutcome, SimulatedTogether, SimulatedWager, Simulation
from pitboss.ledger.spelled import number, one_in, signed
from pitboss.plain import one_line
from pitboss.rules.house import House
from pitboss.rules.paytables import money

AGREE = 4.0  # standard errors within which a simulation agrees with an exact figure
MOST_ROWS = 24  # of one table, before outcomes of one name are put together


def disagreement(w: SimulatedWager) -> str:
    """The first thing that a reader must know: the exact result and the simulation cannot both be right."""
    assert w.exact is not None and w.z is not None
    return (
        f"DISAGREES: {w.wager} simulated {percent(w.house_edge, 4)}, exact {percent(w.exact, 4)},\n"
        f"{abs(w.z):,.1f} standard errors apart: one of the two is wrong."
    )


def show(console: Console, house: House, found: Simulation, full: bool = False) -> None:
    for w in found.off:
        console.print(disagreement(w), style="bold red")
    seats = f", {found.seats} seats" if found.seats > 1 else ""
    heading(console, house, found.of, f"simulated, {found.mode}{seats}, {found.rounds:,} hands, seed {found.seed}")
    console.print(answer(found))
    for w in found.wagers:
        if w.standard_error:
            console.print(between(w))
    for note in found.notes:
        console.print(f"{in_flags(one_line(note), 'simulate')}.", style="yellow")
    if found.together is not None:
        console.print(_together(found.together))
    for w in found.wagers:
        console.print(outcomes(w, full))
        for line in how_often(w.bets):
            console.print(line)
    speed = found.dealt / found.seconds if found.seconds else 0
    before = [f"{found.rounds - found.dealt:,} were there before"] if found.dealt < found.rounds else []
    told = f"\n{found.seconds:.2f} s", f"{speed / 1e6:.1f} million hands a second", *before
    console.print(Flow(*told, "every figure above is sampled", style="dim"))


def answer(found: Simulation) -> Sheet:
    out = table("wager", "house edge", "± error", "exact", "apart", "chi²/df", "p", "")
    for w in found.wagers:
        cells = percent(w.house_edge, 4), percent(w.standard_error, 4), *_against_exact(w)
        out.add_row(Text(w.wager, "bold"), *cells)
    out.caption = "± one standard error; apart: from the exact edge, in standard errors; p: of all outcomes together"
    return out


def between(w: SimulatedWager) -> Flow:
    """`ante: the edge is 5.24% to 7.57% with 95%, 4.88% to 7.93% with 99%`."""
    parts = [f"{percent(low, 4)} to {percent(high, 4)} with {sure}%" for sure, (low, high) in w.intervals.items()]
    return Flow(f"{w.wager}: the edge is {parts[0]}", *parts[1:], between=", ")


def _together(found: SimulatedTogether) -> Group:
    bets = ", ".join(f"${money(a)} {w}" for w, a in found.bets.items())
    said = f"house edge {percent(found.house_edge, 4)} of the bets", f"standard deviation ${found.std_dev:,.2f}"
    return Group(
        marked("\n[bold]all bets at once[/] [dim]({})[/], sampled", bets),
        Flow(*said, f"${found.independent_std_dev:,.2f} if they did not move together"),
        Text(f"how they move together, from -1 to 1, each within about {2 * found.standard_error:.4f}:", "dim"),
        Flow(*(f"{pair} {value:+.4f}" for pair, value in found.correlation.items()), between=", "),
        *left_out(found.left_out),
    )


def _against_exact(w: SimulatedWager) -> list[str | Text]:
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


def outcomes(w: SimulatedWager, full: bool = False) -> Sheet:
    """Every outcome; where they are many, those of one way of play together, unless all are asked for."""
    title = marked("\n{} [not bold dim]· pay table {}[/]", w.wager, w.paytable)
    several: dict[str, list[SimulatedOutcome]] = {}
    for o in w.outcomes:
        several.setdefault(o.outcome.partition(": ")[0], []).append(o)
    if full or len(w.outcomes) <= MOST_ROWS or len(several) == 1:
        return _every_row(w, title)
    out = table("played", "outcomes", "hands", "probability", "1 in", "pays", title=title)
    for play, some in several.items():
        hands = sum(o.count for o in some)
        least, most = min(o.pays for o in some), max(o.pays for o in some)
        pays = signed(least) if least == most else f"{signed(least)} to {signed(most)}"
        share = hands / w.rounds
        out.add_row(play, str(len(some)), f"{hands:,}", f"{share:.8f}", one_in(share), pays)
    out.caption = f"the {len(w.outcomes)} outcomes put together by what was played; --full lists them one by one"
    return out


def _every_row(w: SimulatedWager, title: Text) -> Sheet:
    known = any(o.exact is not None for o in w.outcomes)
    exact = ["exact"] if known else []
    out = table("outcome", "hands", "probability", "± error", *exact, "pays", title=title)
    for o in w.outcomes:
        beside = [("-" if o.exact is None else number(o.exact, 8))] if known else []
        pays = Text(signed(o.pays), tone(o.pays))
        out.add_row(o.outcome, f"{o.count:,}", f"{o.probability:.8f}", f"{o.standard_error:.8f}", *beside, pays)
    return out
