"""`pitboss analyze` on a terminal: the answer first, in one table, then what makes it."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rich.console import Console, Group, RenderableType
from rich.text import Text

from pitboss.cli.flags import in_flags
from pitboss.cli.layout import Flow, Sheet, table
from pitboss.cli.render import heading, how_often, left_out, tone, with_ratio
from pitboss.cli.screen import marked
from pitboss.ledger.records import Analysis, Outcome, Progressive, Together, WagerResult, percent, ratio
from pitboss.ledger.spelled import by_play, number, one_in, paid_by, signed, ways
from pitboss.rules.house import House
from pitboss.rules.paytables import money

SHORT = 20  # characters of a fraction that has a column of its own
MOST_WAYS = 10**15  # in a column; beyond it the digits would push all else aside
MOST_ROWS = 24  # of a return table, before its rows are put together


def show(console: Console, house: House, found: Analysis, full: bool = False) -> None:
    heading(console, house, found.of, "exact analysis")
    whole = _answer(house, found, fractions=True)
    short = all(len(ratio(w.house_edge)) <= SHORT for w in found.wagers if w.exact)
    beside = short and whole.fits(console)
    console.print(whole if beside else _answer(house, found, fractions=False))
    for line in remarks(house, found, fractions=not beside):
        console.print(line)
    for progressive in found.progressives:
        console.print(jackpots(progressive))
    for wager in found.wagers:
        if not wager.shared:
            console.print(return_table(console, house, wager, full))
            for line in details(wager):
                console.print(line)
    console.print(f"\npitboss {found.of.version} · game file sha256 {found.of.sha256[:16]}", style="dim")
    console.print(how_known(found), style="dim")


def how_known(found: Analysis) -> str:
    """How the figures of an analysis are known, true of every one of them."""
    if found.counted:
        return "every figure above is an exact count"
    played = [w.wager for w in found.wagers if not w.exact]
    return (
        f"the {' and '.join(played)} is enumerated whole, in double precision; its standard deviation, hit frequency "
        "and how often each bet is made are simulated; everything else is an exact count"
    )


# ---- the answer


def _answer(house: House, found: Analysis, fractions: bool) -> Sheet:
    """One row for each wager: what the house keeps, what comes back, how it swings, how often it hits, what pays it."""
    exactly = ["exactly"] if fractions else []
    out = table("wager", "house edge", *exactly, "RTP", "SD", "hits", "1 in", "pay table")
    for w in found.wagers:
        if w.shared:
            out.add_row(w.wager, "0.0000%", *(["0"] if fractions else []), "100.0000%", "-", "-", "-", "none")
            continue
        about = "" if w.exact else "≈"
        out.add_row(
            Text(w.wager, "bold"), Text(percent(w.house_edge, 4), "bold"),
            *([ratio(w.house_edge) if w.exact else "-"] if fractions else []), percent(1 - w.house_edge, 4),
            f"{about}{w.std_dev:.4f}", f"{about}{percent(w.hit_frequency, 2 if about else 3)}",
            one_in(w.hit_frequency), paid_by(house, w),
        )  # fmt: skip
    return out


def remarks(house: House, found: Analysis, fractions: bool) -> list[RenderableType]:
    """What goes with the answer: fractions without a column, all bets at once, published figures, what is missing."""
    out: list[RenderableType] = []
    exact = [w for w in found.wagers if w.exact and not w.shared] if fractions else []
    if exact:
        out.append(Flow(*(f"{w.wager} = {ratio(w.house_edge)}" for w in exact), between=", ", style="dim"))
    legend = "RTP: what comes back of a bet; SD: standard deviation of one hand, in bets; hits: hands that win"
    if not found.counted:
        legend += "; ≈ simulated"
    out.append(Text(legend, "dim"))
    for w in found.wagers:
        if w.shared:
            out.append(Text(f"the {w.wager} is paid among the players: the edge is zero whatever one does"))
        elif why := house.bet_matters(w.wager):
            out.append(Text(f"{w.wager}: {why}, so its figures are for ${money(house.stake_on(w.wager))} a bet"))
    if found.together is not None and len(found.together.bets) > 1:
        out.append(whole_bet(found.together))
    out += published(house, found)
    out += [Text(f"{in_flags(why, 'analyze')}.", "yellow") for why in found.refused.values()]
    return out


def whole_bet(found: Together) -> Group:
    bets = ", ".join(f"${money(a)} {w}" for w, a in found.bets.items())
    said = [
        with_ratio("house edge", found.house_edge),
        Text(f"expected loss ${float(-found.expectation):.4f} a round"),
        Text(f"standard deviation ${float(found.variance) ** 0.5:,.2f}"),
        Text(f"some profit in {percent(found.hit_frequency, 2)} of rounds"),
    ]
    lines: list[RenderableType] = [marked("\n[bold]all bets at once[/] [dim]({})[/]", bets), Flow(*said)]
    if found.correlation:
        lines.append(Flow(*(f"{pair} {value:+.4f}" for pair, value in found.correlation.items()), between=", "))
        lines[-1] = Group(Text("how they move together, from -1 to 1:", "dim"), lines[-1])
    return Group(*lines, *left_out(found.left_out))


def published(house: House, found: Analysis) -> list[Text]:
    """Published figures for exactly these options and a full shoe, beside what came out."""
    out = []
    for anchor in house.game.anchors if not found.of.shoe else ():
        same = house.game.at(anchor.options, anchor.tables)
        wager = next((w for w in found.wagers if w.wager == anchor.wager), None)
        if wager is None or same.options != house.options or anchor.strategy != found.of.strategy:
            continue
        if any(same.tables[t].pays != house.tables[t].pays for t in same.tables):
            continue
        agrees = anchor.agrees(wager.house_edge)
        mark = Text("agrees", "green") if agrees else Text("does not agree", "bold red")
        out.append(marked("published: {} {} ({}): {}", anchor.wager, anchor.edge, anchor.source, mark))
    return out


def jackpots(found: Progressive) -> Group:
    out = table("", *(m.row for m in found.meters), title=f"\n{found.wager}: the meter")
    for label, cells in (
        ("now", [f"${money(m.meter)}" for m in found.meters]),
        ("break-even", [f"${float(m.break_even):,.2f}" for m in found.meters]),
        ("seed", [f"${money(m.seed)}" for m in found.meters]),
        ("added by each bet", [f"${float(m.increment):,.2f}" for m in found.meters]),
        ("average when hit", [f"${float(m.average):,.2f}" for m in found.meters]),
        ("bets between hits", [f"{float(m.bets_between):,.1f}" for m in found.meters]),
    ):
        out.add_row(label, *cells)
    lines: list[RenderableType] = [
        with_ratio("edge with the meter where it is", found.edge_at_meter),
        with_ratio("edge in the long run, every jackpot paid at its average", found.long_run_edge),
    ]
    if len(found.edge_by_state) > 1:
        lines += [Text(f"next bet of a seat with {name}: {_side(edge)}") for name, edge in found.edge_by_state.items()]
    for m in found.meters:
        if m.same_shoe is not None:
            more = float(m.same_shoe / m.probability) - 1
            points = float((m.same_shoe - m.probability) * m.meter / found.stake) * -100
            lines.append(
                Text(
                    f"{m.row} where hands follow each other from one shoe: 1 in {float(1 / m.same_shoe):,.1f} bets "
                    f"instead of 1 in {float(m.bets_between):,.1f} with fresh shuffles ({more:+.2%}), "
                    f"{points:+.4f} points of edge"
                )
            )
    return Group(out, *lines)


def _side(edge: Fraction) -> str:
    """An edge of the player is no house edge with a minus."""
    if edge >= 0:
        return f"the house keeps {percent(edge, 2)} of the bet"
    return f"the player gains {float(-edge):,.2f} times the bet"


# ---- what makes it


def return_table(console: Console, house: House, wager: WagerResult, full: bool = False) -> Sheet:
    """Every outcome, as many of its columns as there is room for. Where outcomes are many, those of one way of play are
    put together, unless all are asked for."""
    with_it = [w.name for w in house.parties[wager.wager] if w.name != wager.wager]
    also = f" with {', '.join(with_it)}" if with_it and wager.exact else ""
    what = f"pay table {paid_by(house, wager)}" if wager.exact else "every round enumerated"
    title = marked("\n{}[not bold dim]{} · {}[/]", wager.wager, also, what)
    several = by_play(wager.outcomes)
    if len(wager.outcomes) > MOST_ROWS and 1 < len(several) < len(wager.outcomes) and not full:
        return _together(wager, title, several)
    flat, counted = {"": wager.outcomes}, wager.ways is not None and (full or wager.ways < MOST_WAYS)
    ways_to_say_it = [
        _every_row(wager, title, flat, counted),
        _every_row(wager, title, several, counted),
        _every_row(wager, title, several, counted and full),
    ]
    return next((t for t in ways_to_say_it if t.fits(console)), ways_to_say_it[-1])


def _every_row(wager: WagerResult, title: Text, several: Mapping[str, Sequence[Outcome]], counted: bool) -> Sheet:
    out = table("outcome", *(["ways"] if counted else []), "probability", "1 in", "pays", "return", title=title)
    for play, outcomes in several.items():
        lead = f"{play}: " if play and len(outcomes) > 1 else ""
        if lead:
            out.add_row(Text(lead.strip(), "bold"))
        for o in outcomes:
            name = f"  {o.outcome.removeprefix(lead)}" if lead else o.outcome
            average = o.ways is None and o.outcome == "split"
            pays = f"on average {float(o.pays):+.4f}" if average else signed(o.pays)
            out.add_row(
                name, *([ways(o.ways or 0)] if counted else []), number(o.probability, 8), one_in(o.probability),
                Text(pays, "" if average else tone(o.pays)), Text(f"{float(o.returns):+.6f}", tone(o.returns)),
            )  # fmt: skip
    out.add_section()
    total = [ways(wager.ways or 0)] if counted else []
    out.add_row("all", *total, number(Fraction(1), 8), "", "", f"{float(wager.expectation):+.6f}")
    if wager.ways is not None and not counted:
        out.caption = f"of {ways(wager.ways)} ways in all; --full has those of each row"
    return out


def _together(wager: WagerResult, title: Text, several: Mapping[str, Sequence[Outcome]]) -> Sheet:
    out = table("played", "outcomes", "probability", "1 in", "pays", "return", title=title)
    for play, outcomes in several.items():
        chance = sum((o.probability for o in outcomes), Fraction(0))
        back = sum((o.returns for o in outcomes), Fraction(0))
        least, most = min(o.pays for o in outcomes), max(o.pays for o in outcomes)
        pays = signed(least) if least == most else f"{signed(least)} to {signed(most)}"
        out.add_row(
            play, str(len(outcomes)), number(chance, 8), one_in(chance), pays,
            Text(f"{float(back):+.6f}", tone(back)),
        )  # fmt: skip
    out.add_section()
    out.add_row("all", str(len(wager.outcomes)), number(Fraction(1), 8), "", "", f"{float(wager.expectation):+.6f}")
    out.caption = f"the {len(wager.outcomes)} outcomes put together by what was played; --full lists them one by one"
    return out


def details(wager: WagerResult) -> list[RenderableType]:
    """What the table of the answer has no room for."""
    out: list[RenderableType] = []
    if wager.wagered != 1:
        risk = Text(f"element of risk {percent(wager.element_of_risk, 4)}")
        out.append(Flow(risk, f"{number(wager.wagered, 4)} units bet in all, on average"))
    if (played := wager.played) is not None:
        best, basic = played.optimal_edge, played.basic_edge
        costs = f"basic strategy {percent(basic, 4)} (costs {percent(basic - best, 4)})"
        out.append(Flow(f"optimal play {percent(best, 4)}", costs))
        if played.insurance is not None:
            brings = percent(played.insurance, 4)
            out.append(Text(f"insurance brings {brings} of what is bet on it, off the top of the shoe"))
        deviation = f"standard deviation {wager.std_dev:.4f} ± {played.deviation.error:.4f}"
        hits = f"hit frequency {percent(wager.hit_frequency, 2)} ± {percent(played.hits.error, 2)}"
        out.append(Flow(deviation, f"{hits} (both simulated)"))
    return [*out, *how_often(wager.bets)]
