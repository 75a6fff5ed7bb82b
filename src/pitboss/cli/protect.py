"""`pitboss protect`: reads what is to be looked at, and shows what a counter or a glimpse of a card is worth."""

from argparse import Namespace
from fractions import Fraction
from itertools import groupby

from rich.console import Console
from rich.text import Text

from pitboss.cli.asked import Rows, asked_csv, asked_house, console, pairs, print_json
from pitboss.cli.crew import asked_crew
from pitboss.cli.flags import in_flags
from pitboss.cli.layout import Sheet, table
from pitboss.cli.picture import asked_plot, say
from pitboss.cli.progress import stages
from pitboss.cli.render import heading
from pitboss.cli.screen import marked
from pitboss.guard import Plan, Protected, Protection, protect
from pitboss.guard.counts import MOST_TRIGGER
from pitboss.guard.records import Count, Depth, Exact, Gain, Removal
from pitboss.ledger.records import percent, ratio
from pitboss.ledger.spelled import ways
from pitboss.rules import numbers
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.numbers import CENT, money, whole

MOST_DECKS = 100  # behind a cut card: no shoe has so many
SHORT = 24  # digits of a fraction that anybody would read


def run(args: Namespace) -> int:
    house = asked_house(args)
    file, sheet = asked_plot(args), asked_csv(args)
    decks = _decks(args.decks, house) or _own_decks(args)
    if decks and house.options["decks"] not in decks:
        args.options.append(f"decks={decks[0]}")
        house = asked_house(args)
    plan = Plan(
        decks=decks,
        cuts=_cuts(args.cut),
        seats=args.seats,
        shoes=args.shoes,
        seed=args.seed,
        hands=args.hands,
        limit=args.limit,
        tolerate=args.tolerate,
        states=args.states,
        patient=args.patient,
    )
    crew = asked_crew(args)
    with stages() as watch:
        found = protect(house, args.wager, plan, watch, crew)
    if sheet is not None:
        _rows(found).to_csv(sheet)
    if file is not None:
        from pitboss.plot.depths import depths

        depths(file, found)
    if args.json:
        return print_json(found.json())
    screen = console()
    show(screen, house, found)
    say(screen, file)
    return 0


def _rows(found: Protection) -> Rows:
    """Effects of removal, depths and exposed cards of every wager, under each other."""
    told = [w.json() for w in found.wagers]
    return Rows.named(
        {
            name: [{"wager": w["wager"], **row} for w in told for row in w[name]]
            for name in ("removals", "depths", "exposures")
        }
    )


# ---- what was asked


def _decks(text: str | None, house: House) -> tuple[int, ...]:
    if text is None:
        return ()
    if "decks" not in house.options:
        raise BadInput(f"--decks {text}: {house.game.name} has no option decks; it is dealt from one deck")
    return tuple(whole("--decks", part, 1, MOST_DECKS, "2,6,8") for part in text.split(","))


def _own_decks(args: Namespace) -> tuple[int, ...]:
    """A house that says how many decks it has is looked at with these."""
    own = pairs(args.options, "-o", "NAME=VALUE").get("decks")
    return (whole("-o decks", own),) if own else ()


def _cuts(text: str | None) -> tuple[Fraction, ...]:
    parts = [] if text is None else text.split(",")
    return tuple(numbers.ratio("--cut", part, CENT, MOST_DECKS) for part in parts)


# ---- the answer


def show(screen: Console, house: House, found: Protection) -> None:
    heading(screen, house, found.of, "can it be beaten?")
    for wager in found.wagers:
        _wager(screen, wager)
    for name, why in found.not_judged.items():
        screen.print(marked("\n[bold]{}[/] [yellow]is not judged:[/] {}", name, why))
    screen.print(f"\npitboss {found.of.version} · game file sha256 {found.of.sha256[:16]}", style="dim")


def _wager(screen: Console, found: Protected) -> None:
    bet = "" if found.terms is None or found.terms.bet == found.terms.limit else f", at ${money(found.terms.bet)} a bet"
    of = f"{found.decks} decks" if (found.decks or 1) > 1 else "one deck"
    screen.print(
        marked("\n[bold]{}[/] [dim]· pay table {} · {}[/]\n", found.wager, found.paytable, of)
        + marked("house edge of the full shoe {}{}", _edge(found.edge), bet)
    )
    _advice(screen, found)
    if found.removals:
        _effects(screen, found)
    if found.depths and found.terms is not None:
        _shoes(screen, found)
    if found.exposures:
        _glimpses(screen, found)
    for note in found.notes:
        screen.print(f"· {note}", style="dim")


def _advice(screen: Console, found: Protected) -> None:
    terms = found.terms
    if terms is not None:
        rule = f"a counter may win ${money(terms.tolerate)} an hour, at {terms.hands_per_hour} hands an hour"
        screen.print(marked("[bold]advice[/] [dim]({}, two standard errors allowed for)[/]", rule))
    elif found.also:
        screen.print("advice", style="bold")
    for advice in found.advice:
        tone = "green" if advice.verdict in ("safe", "never favourable") else "yellow"
        screen.print(Text("● ", tone) + Text(advice.sentence))
    for sentence in found.also:
        screen.print(Text("● ", "dim") + Text(sentence))


def _edge(edge: Exact) -> Text:
    if isinstance(edge, Fraction):
        return marked("[bold]{}[/] = {}, exact", percent(edge, 4), ratio(edge))
    return marked("[bold]{}[/], enumerated whole in double precision", percent(edge, 4))


def _effects(screen: Console, found: Protected) -> None:
    how = "exact" if isinstance(found.edge, Fraction) else "enumerated in double precision"
    if all(r.effect == 0 for r in found.removals):
        screen.print(
            f"\neffects of removal ({how}): none; no card alone helps or hurts, so no tags can follow this bet"
        )
    else:
        screen.print(
            marked(
                "\n[bold]effects of removal[/] "
                "[dim]· of one card, on the player's expectation: the best linear count; {}[/]",
                how,
            )
        )
        screen.print(_removals(found.removals))
    if found.count is None:
        screen.print("no count that can be kept by hand ever finds the bet favourable")
    else:
        screen.print(_count(found.count))


def _removals(removals: tuple[Removal, ...]) -> Sheet:
    """Neighbours that do the same are one line."""
    together = [list(group) for _, group in groupby(removals, key=lambda r: (r.effect, r.tag))]
    exact = [ratio(r.effect) if isinstance(r.effect, Fraction) else "" for r, *_ in together]
    short = all(0 < len(text) <= SHORT for text in exact)
    tagged = all(r.tag is not None for r in removals)
    out = table("card gone", "effect", *(["exactly"] if short else []), *(["tag"] if tagged else []))
    for group, text in zip(together, exact, strict=True):
        first, last = group[0].cards.partition(" to ")[0], group[-1].cards.split(" to ")[-1]
        tag = [f"{group[0].tag:+d}" if group[0].tag else "0"] if tagged else []
        effect = f"{float(group[0].effect) * 100:+.4f}%"
        out.add_row(first if first == last else f"{first} to {last}", effect, *([text] if short else []), *tag)
    return out


def _count(count: Count) -> str:
    if count.kind == "suits":
        return "count that can be kept: cards left of the longest suit less those of the shortest, per deck left"
    return (
        f"count that can be kept: the tags above, per deck left · betting correlation {count.correlation:.3f}"
        f" · the line of effects crosses zero at a true count of {count.break_even:+.1f}"
    )


def _shoes(screen: Console, found: Protected) -> None:
    terms = found.terms
    assert terms is not None
    seats = f"{terms.seats} seat{'s' if terms.seats > 1 else ''}"
    by = f"simulated, {terms.shoes:,} shoes each, {seats}, seed {terms.seed}"
    if found.states is not None:
        by += f"; {found.states} of the rounds counted, the others estimated"
    screen.print(marked("\n[bold]real shoes[/] [dim]· {}[/]", by))
    perfect = table("decks", "cut", "favourable", "edge then", "wins /100", "an hour", title="\nperfect play")
    count = table(
        "decks", "cut", "from", "bets", "edge then", "wins /100", "an hour", "of perfect", title="\nthe count"
    )
    for d, after in zip(found.depths, (*found.depths[1:], None), strict=True):
        last = after is None or after.decks != d.decks
        place = [str(d.decks), f"{float(d.cut):.3g}"]
        often = f"{d.perfect.share:.2%} ±{d.perfect.share_error:.2%}"[:-1]
        perfect.add_row(*place, often, *_wins(d.perfect), end_section=last)
        if d.counted is not None:
            cells = _from(d.trigger), f"{d.counted.share:.2%}", *_wins(d.counted), _part(d, found.states is not None)
            count.add_row(*place, *cells, end_section=last)
    screen.print(perfect)
    if count.row_count:
        screen.print(count)
    screen.print(
        "cut: decks behind the cut card. One unit is bet only when it is favourable, by perfect play or from a "
        "true count on, and wins so many units per 100 hands, ± one standard error; an hour is "
        f"{terms.hands_per_hour} hands at ${money(terms.bet)} a bet.",
        style="dim",
    )


def _wins(gain: Gain) -> tuple[str, str, str]:
    then = "-" if gain.edge is None else f"{gain.edge:+.2%}"
    return then, f"{round(gain.win, 3) + 0.0:.3f} ±{gain.win_error:.3f}", f"${gain.hourly:,.2f}".replace("$-", "-$")


def _from(trigger: int | None) -> str:
    return "-" if trigger is None else "always" if trigger == -MOST_TRIGGER else f"{trigger:+d}"


def _part(depth: Depth, sampled: bool) -> str:
    """How much of what perfect play wins the count wins; no figure where a sample cannot tell it from all."""
    perfect, counted = depth.perfect, depth.counted
    if counted is None or perfect.win <= 0:
        return "-"
    missing = perfect.win - counted.win
    if missing < 0.005 * perfect.win or (sampled and missing < max(perfect.win_error, counted.win_error)):
        return "about all"
    return f"{max(0.0, counted.win) / perfect.win:.0%}"


def _glimpses(screen: Console, found: Protected) -> None:
    how = "exact" if isinstance(found.edge, Fraction) else "enumerated whole in double precision"
    counted = any(e.ways is not None for e in found.exposures)
    out = table("in sight", "house edge", *(["ways"] if counted else []))
    out.add_row("nothing", percent(found.edge, 4))
    for e in found.exposures:
        if e.edge is not None:
            many = [ways(e.ways)] if e.ways is not None else []
            out.add_row(e.what, Text(percent(e.edge, 4), "bold red" if e.edge < 0 else ""), *many)
    if any(e.edge is not None for e in found.exposures):
        screen.print(marked("\n[bold]exposed cards[/] [dim]· {}, played as well as can be[/]", how))
        screen.print(out)
    for e in found.exposures:
        if e.edge is None:
            screen.print(marked("[yellow]{} in sight, not counted:[/] {}", e.what, in_flags(e.why_not, "protect")))
