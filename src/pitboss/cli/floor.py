"""`pitboss floor`: reads what a table is like, and shows what it earns and how bad a night can get."""

from argparse import Namespace
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isfinite

from rich.console import Console, Group
from rich.text import Text

from pitboss.cli.asked import Rows, amounts, asked_csv, asked_house, console, pairs, print_json
from pitboss.cli.crew import asked_crew
from pitboss.cli.flags import in_flags
from pitboss.cli.layout import Flow, Sheet, table
from pitboss.cli.picture import asked_plot, say
from pitboss.cli.progress import counting
from pitboss.cli.render import heading
from pitboss.cli.screen import marked
from pitboss.earn import Floor, Plan, earn
from pitboss.earn.dealt import RARE
from pitboss.earn.plan import USUAL_SEATS
from pitboss.earn.records import Actual, Figure, Jackpot, Judged
from pitboss.ledger.records import percent
from pitboss.ledger.spelled import chance, dollars, error_in_dollars, ways, within
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.numbers import money, share


def run(args: Namespace) -> int:
    house = asked_house(args)
    file, sheet = asked_plot(args), asked_csv(args)
    plan = Plan(
        seats=min(USUAL_SEATS, house.game.seats) if args.seats is None else args.seats,
        bets=amounts(args.bets, "--bet"),
        rates={w: share(f"--rate {w}", text) for w, text in pairs(args.rates, "--rate", "WAGER=40%").items()},
        hands=args.hands,
        hours=args.hours,
        days=args.days,
        risk=args.risk,
        mistakes=args.mistakes,
        buy_in=args.buy_in,
        stay=args.stay,
        seed=args.seed,
        patient=args.patient,
    )
    with counting(house.game.title):
        found = earn(house, plan, args.strategy, args.wager, _really(args), asked_crew(args))
    if sheet is not None:
        _rows(found).to_csv(sheet)
    if file is not None:
        from pitboss.plot import night

        night(file, found)
    if args.json:
        return print_json(found.json())
    screen = console()
    show(screen, house, found)
    say(screen, file)
    return 0


def _rows(found: Floor) -> Rows:
    """The bets, how far luck can take a shift and a month, and the jackpots, under each other."""
    told = found.json()
    swings = [{"period": told[p]["period"], **q} for p in ("shift", "month") for q in told[p]["quantiles"]]
    jackpots = [{**{k: j[k] for k in ("wager", "jackpot")}, **over} for j in told["jackpots"] for over in j["over"]]
    return Rows.named({"bets": told["wagers"], "swings": swings, "jackpots": jackpots})


def _really(args: Namespace) -> Actual | None:
    if args.actual is None:
        if args.rounds is not None:
            raise BadInput("--rounds says in how many rounds --actual was won; give --actual as well")
        return None
    return Actual(args.actual, args.rounds)


def show(screen: Console, house: House, found: Floor) -> None:
    """The answer first: what goes over the table, what stays, and whether a real win is as it should be."""
    plan = found.plan
    heading(screen, house, found.of, "what a table earns")
    pace = f"{plan.hands} rounds an hour", _many(plan.seats, "seat"), f"a shift of {_many(plan.hours, 'hour')}"
    screen.print(Flow(*pace, f"{_many(plan.days, 'shift')} a month", _players(found), between=", "))
    for note in found.notes:
        screen.print(in_flags(note, "floor"))
    if found.actual is not None:
        screen.print(_actual(found.actual))
    screen.print(_money(found))
    screen.print(*_sentences(found), sep="\n")
    screen.print(_theos(found))
    screen.print(_swings(found))
    for jackpot in found.jackpots:
        screen.print(_meter(jackpot, plan.risk))
    screen.print(_known(found))
    screen.print(_remarks(found))


def _players(found: Floor) -> str:
    if found.plan.mistakes:
        how = f"the {found.of.strategy} strategy but for mistakes that cost {percent(found.plan.mistakes, 2)} of a bet"
    else:
        how = f"the {found.of.strategy} strategy"
    return f"players follow {how}"


def _actual(found: Judged) -> Group:
    """Is this win normal? At 95%, and at 99%."""
    usual, wide = (found.normal(sure) for sure in found.between)
    low, chance_ = found.win < found.expected, min(found.as_low, found.as_high)
    word, tone = ("normal", "green") if usual else ("unusual", "yellow") if wide else ("out of the ordinary", "red")
    lines = [
        marked(
            "\nA win of [bold]{}[/] in {} rounds is {}: the average is {}.",
            dollars(found.win), f"{found.rounds:,}", Text(word, f"bold {tone}"), dollars(found.expected),
        )
    ]  # fmt: skip
    for sure, (a, b) in found.between.items():
        inside = Text("inside", "green") if found.normal(sure) else Text("outside", "bold red")
        lines.append(marked("  {} of the time it is {} to {}: {}", f"{sure:.0%}", dollars(a), dollars(b), inside))
    lines.append(
        Text(f"  a win as {'low' if low else 'high'} as this or {'lower' if low else 'higher'}: {chance(chance_)}")
    )
    return Group(*lines)


def _money(found: Floor) -> Sheet:
    plan = found.plan
    shift = Fraction(plan.shift, plan.hands)  # in hours, of whole rounds
    out = table("", "an hour", "a shift", "a month", title="\nthe table")
    win = found.round_mean * plan.hands
    for name, amount in (("handle", found.handle), ("drop", plan.drop), ("theoretical win", win)):
        look = "bold" if name == "theoretical win" else ""
        every = dollars(amount, 2), dollars(amount * shift), dollars(amount * shift * plan.days)
        out.add_row(*(Text(cell, look) for cell in (name, *every)))
    out.add_row("theoretical hold", Text(percent(found.hold, 2), "bold"))
    out.add_row("win of the handle", percent(win / found.handle, 3) if found.handle else "-")
    out.caption = (
        "handle: all that is bet, raises too; drop: what is bought in, "
        f"${money(plan.bought)} a player every {_many(plan.stay, 'hour').removeprefix('1 ')} (--buy-in, --stay); "
        "hold: the win as a share of the drop"
    )
    return out


def _many(count: int | Fraction, what: str) -> str:
    return f"{float(count):,g} {what}{'' if count == 1 else 's'}"


def _theos(found: Floor) -> Sheet:
    plan = found.plan
    out = table(
        "bet", "average", "on hands", "edge", "an hour", "a shift", "a month", title="\ntheoretical win, bet by bet"
    )
    shift = Fraction(plan.shift, plan.hands)  # in hours, of whole rounds
    for t in found.theos:
        edge = percent(t.edge, 3) + (f" ±{t.standard_error / float(t.bet):.3%}" if t.standard_error else "")
        out.add_row(
            t.wager, f"${money(t.bet)}", percent(t.rate, 0), edge, dollars(t.per_hour, 2), dollars(t.per_hour * shift),
            dollars(t.per_hour * shift * plan.days),
        )  # fmt: skip
    out.add_section()
    hour = found.round_mean * plan.hands
    out.add_row("the table", "", "", "", dollars(hour, 2), dollars(found.shift.theo), dollars(found.month.theo))
    return out


def _known(found: Floor) -> Text:
    """How each figure is known."""
    lines = []
    for (wagers, how, count), mean in zip(found.counted, _means(found), strict=True):
        names = ", ".join(wagers)
        if how == "exact":
            lines.append(f"{names}: exact, {ways(count)} ways")
        elif mean == how:
            lines.append(f"{names}: edge and spread simulated, {ways(count)} hands")
        else:
            lines.append(f"{names}: edge {mean}; spread simulated, {ways(count)} hands")
    one = f"one round of the table: {dollars(found.round_mean, 2)} on average, standard deviation "
    alone = f"; one seat alone {dollars(found.seat_std_dev, 2)}" if len(found.counted) == 1 < found.plan.seats else ""
    lines.append(f"{one}{dollars(found.round_std_dev, 2)}{alone}")
    if found.plan.seats > 1 or len(found.counted) > 1:
        variance = found.round_std_dev**2 or 1.0
        error = f" ±{found.common_error / variance:.1%}" if found.rounds_dealt else ""
        lines.append(f"shared cards make {found.common / variance:.1%}{error} of a round's variance ({found.method})")
    if found.serial:
        lines.append(f"streaks make {found.serial / found.round_std_dev**2:.1%} of it (exact)")
    if found.rounds_dealt:
        rare = f"the counted chance of every result of a seat that is rarer than 1 in {int(1 / RARE):,}"
        known = f" and to {rare}" if any(how == "exact" for _, how, _ in found.counted) else ""
        dealt = f"the whole table: simulated, {found.rounds_dealt:,} rounds"
        lines.append(f"{dealt}, weighed to the average above{known}")
    return Text("\n" + "\n".join(lines), "dim")


def _means(found: Floor) -> list[str]:
    by_wager = {t.wager: t.method for t in found.theos}
    return [next((by_wager[w] for w in wagers if w in by_wager), "") for wagers, _, _ in found.counted]


def _swings(found: Floor) -> Sheet:
    how = f"simulated, {found.rounds_dealt:,} rounds" if found.rounds_dealt else "exact"
    title = marked("\nhow far luck can take it [not bold dim]· chances of a round: {}[/]", how)
    out = table("the house's win", "a shift", "by normal", "a month", "by normal", title=title)
    periods = (found.shift, found.month)
    out.add_row("rounds", *(c for p in periods for c in (f"{p.rounds:,}", "")))
    out.add_row("average", *(c for p in periods for c in (dollars(p.theo), "")))
    out.add_row("standard deviation", *(c for p in periods for c in (dollars(p.std_dev), "")))
    out.add_row("the house loses", *_pair([p.loses for p in periods], chance))
    if found.rounds_dealt:
        out.add_row("± standard error", *(c for p in periods for c in (within(p.loses.whole, p.loses.error), "")))
    for part in found.shift.quantiles:
        word = f"{part * 100:g}% are at or below" if part <= 0.5 else f"{(1 - part) * 100:g}% are above"
        figures = [p.quantiles[part] for p in periods]
        out.add_row(word, *_pair(figures, dollars))
        if found.rounds_dealt and part == float(found.plan.risk):
            out.add_row("± standard error", *(c for f in figures for c in (error_in_dollars(f.error), "")))
    return out


def _pair(figures: Sequence[Figure], spelled: object) -> list[str]:
    assert callable(spelled)
    return [spelled(x) for figure in figures for x in (figure.whole, figure.normal)]


def _sentences(found: Floor) -> list[Text]:
    plan = found.plan
    lines = []
    if found.bankroll is None or found.edge_shows is None:
        lines.append(
            Text("\nThe house does not win on average: no bankroll is enough, and it is never sure to be ahead.")
        )
    else:
        lines.append(
            marked(
                "\n[bold]bankroll[/]: with [bold]{}[/]{} the table is ever broken with a probability of {}% at most "
                "[dim](the normal formula says {})[/]",
                dollars(found.bankroll.whole),
                _give(found, found.bankroll, error_in_dollars),
                f"{float(plan.risk) * 100:g}",
                dollars(found.bankroll.normal),
            )
        )
        rounds = found.edge_shows
        lines.append(
            marked(
                "[bold]ahead[/]: from [bold]{} rounds[/]{} on ({} hours), the house is ahead with a probability of 95% "
                "[dim](the normal formula says {} rounds)[/]",
                f"{rounds.whole:,.0f}",
                _give(found, rounds, lambda x: f"{max(x, 1):,.0f}"),
                f"{rounds.whole / plan.hands:,.0f}",
                f"{rounds.normal:,.0f}",
            )
        )
    worst = found.exposure
    limits = ", ".join(f"{w} ${money(b)}" for w, b in worst.limits.items())
    most = "no more than " if worst.bound else ""
    one_seat = f"{dollars(worst.per_seat)} to one seat, " if plan.seats > 1 else ""
    lines.append(
        marked(
            "[bold]exposure[/]: one round can cost {}[bold]{}[/], {}with all bets at their limits [dim]({})[/]",
            most,
            dollars(worst.table),
            one_seat,
            limits,
        )
    )
    return lines


def _give(found: Floor, figure: Figure, spelled: Callable[[float], str]) -> str:
    """The standard error, where there is one."""
    return f" ±{spelled(figure.error)}" if found.rounds_dealt and isfinite(figure.error) else ""


def _meter(found: Jackpot, risk: Fraction) -> Group:
    now = f"now ${money(found.meter)}, seed ${money(found.seed)}"
    title = marked("\n{}: the {} [not bold dim]· {}[/]", found.wager, found.row, now)
    out = table("", *(f"a {h.period}" for h in found.over), title=title)
    out.add_row("bets", *(f"{h.bets:,}" for h in found.over))
    out.add_row("the meter grows by", *(dollars(h.growth) for h in found.over))
    out.add_row("chance of a hit", *(chance(h.chance) for h in found.over))
    out.add_row("hits expected", *(f"{h.expected:,.2f}" for h in found.over))
    out.add_row("jackpots paid, expected", *(dollars(h.paid) for h in found.over))
    out.add_row(f"seeds in reserve, {float(risk) * 100:g}% risk", *(dollars(h.reserve) for h in found.over))
    lines = [
        f"{name}: {', '.join(f'{part:.0%} at or below {dollars(d)}' for part, d in shares.items())}"
        for name, shares in (("the next hit", found.next_hit), ("later hits", found.when_hit))
    ]
    lines[1] += f", {dollars(found.average)} on average"
    return Group(out, *lines, Text("from the exact chance of a hit per bet; hits are taken as independent", "dim"))


def _remarks(found: Floor) -> Text:
    """What was assumed."""
    lines = ["every round from a fresh shuffle; bets do not change with luck; tokes are left out"]
    if found.plan.mistakes:
        many = percent(found.plan.mistakes, 2)
        lines.append(f"a mistake gives a whole bet away, on {many} of the hands, whatever the cards are")
    if any(t.rate != 1 for t in found.theos):
        streak = "; who bets on a progressive does so on every hand" if found.jackpots else ""
        lines.append(f"on which hands a side bet is made is chance{streak}")
    if found.not_banked:
        lines.append(f"{', '.join(found.not_banked)}: settled among the players, no part of the house's win")
    if found.jackpots:
        lines.append("what bets add to a meter is set aside at once; a hit costs the house the new seed")
    if found.streaks_left_out:
        lines.append("rounds are taken as independent, although seats carry something over")
    if found.bankroll is not None:
        up_to = ", but for the error of the simulation" if found.rounds_dealt else ""
        up_to += " and for streaks" if found.streaks_left_out else ""
        lines.append(f"a bankroll by Lundberg's bound: the true risk is at most the one asked for{up_to}")
    return Text("\n" + "\n".join(f"· {line}" for line in lines), "dim")
