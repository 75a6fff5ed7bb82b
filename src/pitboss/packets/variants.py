"""How figures move, with decks and options and with luck; and what a simulation says of them."""

from fractions import Fraction
from math import sqrt

from pitboss.earn.lattice import Round, plain
from pitboss.exact.across import MOST, Across, Axis, across
from pitboss.ledger.records import WagerResult, percent
from pitboss.ledger.simulated import SURE
from pitboss.ledger.spelled import chance
from pitboss.packets import charts
from pitboss.packets.blocks import Block, Runs, Section, bold, fine, grid, note, para, picture
from pitboss.packets.desk import Desk
from pitboss.packets.mathematics import simulate
from pitboss.packets.rules import warnings
from pitboss.rules.called import wager_called
from pitboss.rules.errors import BadInput
from pitboss.rules.options import Choice

MOST_CHART = 60  # rows of a strategy that are printed
DEAREST = 12  # mistakes
STRETCHES = (60, 480, 10_000)  # an hour, a shift, and long enough for the edge to show
GRID = 64  # houses of a table of decks by pay tables


# ---- decks and options


def options(desk: Desk) -> Section:
    """One option at a time, all else as it is; then decks by pay tables."""
    blocks: list[Block] = [*warnings(desk)]
    still: list[str] = []
    for option in desk.house.game.options:
        if not isinstance(option, Choice) or len(option.values) < 2:
            continue
        desk.watch(f"edge by {option.name}")
        axis = Axis(option.name, tuple(map(str, option.values)), of_pays=False)
        try:
            found = across(desk.house, [axis])
        except BadInput as error:
            blocks.append(para(bold(f"{option.name}: "), str(error)))
            continue
        if all(_same(found, w) for w in found.wagers):
            still.append(option.name)
        else:
            blocks += _by_option(desk, option, found)
    if still:
        blocks.append(para("These options change no edge: ", ", ".join(still), "."))
    blocks += _decks_by_tables(desk)
    if not blocks:
        blocks = [
            para("The game file has no option with a list of values: there is one house, and these are its figures.")
        ]
    return Section("options", "Mathematics: edge by decks and options", tuple(blocks))


def _same(found: Across, wager: str) -> bool:
    """Whether a wager is there at every value, with one edge."""
    there = [some[wager].house_edge for some in found.found.values() if wager in some]
    return len(there) == len(found.found) and len(set(there)) == 1


def _by_option(desk: Desk, option: Choice, found: Across) -> list[Block]:
    moving = [w for w in found.wagers if not _same(found, w)]
    here = str(desk.house.options[option.name])
    rows: list[list[Runs]] = []
    for (value,), some in found.found.items():
        edges: list[Runs] = [percent(some[w].house_edge, 4) if w in some else "-" for w in moving]
        rows.append([[bold(f"{value} (here)")] if value == here else value, *edges])
    names = [wager_called(desk.house, w) for w in moving]
    command = desk.command("analyze", "--across", option.name)
    out = [grid([option.name, *names], rows, caption=f"House edge by {option.name}: {option.help}", command=command)]
    for (value,), why in found.left_out.items():
        out.append(fine(f"{value} is left out: {why}."))
    if option.name == "decks" and len(found.found) > 2:
        lines = {
            name: [float(some[w].house_edge) if w in some else None for some in found.found.values()]
            for name, w in zip(names, moving, strict=True)
        }
        out.append(picture(charts.edges([v for (v,) in found.found], lines), "The house edge by number of decks"))
    return out


def _decks_by_tables(desk: Desk) -> list[Block]:
    """As the documents print it: rows are decks, columns pay tables."""
    decks, out = desk.house.game.all_options.get("decks"), []
    if not isinstance(decks, Choice):
        return []
    for w in desk.house.wagers:
        lead = desk.house.lead(w.name)
        if len(w.tables) < 2 or w.table_of is not None or lead in desk.refused:
            continue
        names = tuple(t.name for t in w.tables)
        if len(names) * len(decks.values) > min(GRID, MOST):
            continue
        desk.watch(f"decks by pay tables of {w.name}")
        axes = [Axis("decks", tuple(map(str, decks.values)), False), Axis(w.name, names, True)]
        try:
            found = across(desk.house, axes, wager=lead)
        except BadInput:
            continue
        rows: list[list[Runs]] = []
        for d in map(str, decks.values):
            rows.append(
                [d, *(percent(found.found[d, t][lead].house_edge, 4) if (d, t) in found.found else "-" for t in names)]
            )
        out.append(
            grid(
                ["decks", *(f"pay table {n}" for n in names)],
                rows,
                caption=f"{wager_called(desk.house, w.name)}: house edge by decks and pay table",
                command=desk.command("analyze", "--across", "decks", "--across", w.name, wager=lead),
            )
        )
    return out


# ---- luck


def volatility(desk: Desk) -> Section:
    rows: list[list[Runs]] = []
    breaks: list[int] = []
    for w in desk.results:
        if w.shared:
            continue
        breaks.append(len(rows))
        for place, bets in enumerate(STRETCHES):
            low, high, ahead, how = _stretch(w, bets)
            called = wager_called(desk.house, w.wager) if place == 0 else ""
            deviation = f"{w.std_dev:.4f}" if place == 0 else ""
            rows.append(
                [
                    [bold(called)],
                    deviation,
                    f"{bets:,}",
                    f"{float(-w.house_edge) * bets:+,.1f}",
                    f"{low:+,.0f} to {high:+,.0f}",
                    ahead,
                    how,
                ]
            )
    blocks: list[Block] = [
        *warnings(desk),
        para("What a player wins or loses over many bets of one unit, and how often he is ahead at the end."),
        grid(
            ["wager", "SD of one", "bets", "average", "95 of 100 players", "ahead", "how"],
            rows,
            breaks=breaks[1:],
            caption="Results over an hour, a shift and ten thousand bets, in units of the opening bet",
            command=desk.command("analyze"),
        ),
        fine(
            "Whole: the distribution of the sum, from the return table. Normal: by mean and standard deviation, where "
            "hands of one split depend on each other."
        ),
    ]
    return Section("volatility", "Mathematics: volatility", tuple(blocks))


def _stretch(w: WagerResult, bets: int) -> tuple[float, float, str, str]:
    """Between which sums the middle 95% lie, and how often the player is ahead."""
    if w.exact and w.played is None:
        chances: dict[Fraction, Fraction] = {}
        for o in w.outcomes:
            chances[o.pays] = chances.get(o.pays, Fraction(0)) + o.probability
        spread = Round(plain(chances)).after(bets)
        up = 1 - spread.below_zero - spread.at_zero
        return spread.quantile(0.025), spread.quantile(0.975), chance(max(0.0, up)), "whole"
    mean, side = float(-w.house_edge) * bets, w.std_dev * sqrt(bets)
    from statistics import NormalDist

    up = 1 - NormalDist(mean, side).cdf(0) if side else 0.0
    return mean - SURE[95] * side, mean + SURE[95] * side, chance(up), "normal"


# ---- the second way


def simulation(desk: Desk) -> Section:
    found = desk.simulation
    if found is None:
        return Section("simulation", "Mathematics: simulation", (note(bold("Not simulated. "), desk.not_dealt),))
    rows: list[list[Runs]] = []
    for w in found.wagers:
        exact = "-" if w.exact is None else percent(w.exact, 4)
        apart = "-" if w.z is None else f"{w.z:+.2f}"
        fit = "-" if w.p_value is None else f"{w.chi_square:.1f} / {w.degrees}, p {w.p_value:.3f}"
        (a, b), (c, d) = w.intervals[95], w.intervals[99]
        rows.append(
            [
                [bold(wager_called(desk.house, w.wager))],
                [bold(percent(w.house_edge, 4)), f" ± {percent(w.standard_error, 4)}"],
                exact,
                apart,
                f"{percent(a, 3)} to {percent(b, 3)}",
                f"{percent(c, 3)} to {percent(d, 3)}",
                fit,
            ]
        )
    off = [wager_called(desk.house, w.wager) for w in found.off]
    verdict = (
        note(bold("They disagree: "), f"{', '.join(off)}. One of the two is wrong; ask before you file this packet.")
        if off
        else para(bold("They agree. "), "Every simulated edge is within five standard errors of the count beside it.")
        if any(w.exact is not None for w in found.wagers)
        else para("There is no count to hold it against.")
    )
    blocks: list[Block] = [
        verdict,
        para(
            f"{found.rounds:,} rounds from fresh shuffles, one seat, seed {found.seed}, strategy {found.of.strategy}."
        ),
        grid(
            ["wager", "simulated edge", "counted", "apart", "95% interval", "99% interval", "outcomes"],
            rows,
            small=True,
            caption=f"Simulation, seed {found.seed}",
            command=simulate(desk),
        ),
        fine(
            "± one standard error. Apart: from the counted edge, in standard errors. Outcomes: chi-square over degrees "
            "of freedom of all outcomes together, and its p. A seed gives the same rounds on any number of cores."
        ),
        *(fine(n) for n in found.notes),
    ]
    return Section("simulation", "Mathematics: simulation", tuple(blocks))
