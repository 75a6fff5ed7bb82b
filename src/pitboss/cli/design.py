"""`pitboss design`: what was asked for, as a grid of pay tables or a search of policies, and the answer as tables."""

import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from pitboss.cli.asked import Rows, asked_csv, asked_house, console, pairs, print_json
from pitboss.cli.layout import table
from pitboss.cli.render import heading
from pitboss.cli.screen import Screen, marked
from pitboss.ledger.records import percent, ratio
from pitboss.ledger.spelled import ways
from pitboss.rules.errors import BadInput
from pitboss.rules.house import House
from pitboss.rules.identity import typed
from pitboss.rules.paytables import money
from pitboss.tune.houses import at_values, values_of
from pitboss.tune.policy import policy_search
from pitboss.tune.records import Designed, PolicyEdge, PolicySearch
from pitboss.tune.search import designed
from pitboss.tune.taste import TASTES

TOP = 20  # what is listed if nothing else is asked
MOST_SEEN = 20  # hands that are listed by name


def run(args: Namespace) -> int:
    if args.policy == bool(args.edge):
        raise BadInput(
            "say what to design: --edge 4%..6% for pay tables, or --policy for the dealer's policy, not both"
        )
    if args.top is not None and args.top < 1:
        raise BadInput(f"--top {args.top}: show at least 1")
    asked_csv(args)  # refused before anything is worked out
    house = asked_house(Namespace(**{**vars(args), "wager": None}))
    return _policy(args, house) if args.policy else _tables(args, house)


@contextmanager
def _working(what: str) -> Iterator[Callable[[str], None]]:
    """A sign of life on standard error, where somebody is looking."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    with Screen(stderr=True).status(Text(what)) as status:
        yield lambda text: status.update(Text(f"{what} · {text}"))


# ---- pay tables


def _tables(args: Namespace, house: House) -> int:
    if args.wager is None:
        own = [w.name for w in house.wagers if not w.table_of]
        raise BadInput(f"name the wager whose pay table may move: `wager={' or '.join(own)}`")
    with _working(f"counting {house.game.title}") as say:
        start = dict[str, float]()

        def tick(what: str, tables: int) -> None:
            seconds = time.perf_counter() - start.setdefault(what, time.perf_counter())
            say(f"{tables:,} pay tables {what}" + (f", {tables / seconds:,.0f} a second" if seconds > 1 else ""))

        found = designed(
            house, args.wager, args.edge, args.rows, args.step or "1", args.any_order,
            args.taste or next(iter(TASTES)), args.top or TOP, args.across, tick, args.patient,
        )  # fmt: skip
    option = found.across
    house = house.but({option: found.value}) if option else house
    command = _command(args, house, found.party, option, {found.wager: found.best[0].paytable})
    if args.csv is not None:
        found.to_csv(args.csv)
    if args.json:
        return print_json({**found.json(), "analyze": command})
    _show_tables(console(), house, found, command)
    return 0


def _command(
    args: Namespace, house: House, wager: str, across: str, tables: Mapping[str, str], policy: Mapping[str, str] = {}
) -> str:
    """What to type to see a house whole: as it was asked for, but for these pay tables or this policy."""
    options = pairs(args.options, "-o", "NAME=VALUE")
    if across and (across in options or house.options[across] != house.game.all_options[across].start()):
        options[across] = house.chosen()[across]
    words = ["pitboss", "analyze", args.game, "--wager", wager]
    for name, text in {**options, **policy}.items():
        words += ["-o", f"{name}={text}"]
    for name, text in {**pairs(args.tables, "-p", "WAGER=TABLE"), **tables}.items():
        words += ["-p", f"{name}={text}"]
    return typed(words)


def _show_tables(screen: Console, house: House, found: Designed, command: str) -> None:
    heading(screen, house, found.of, f"pay tables of the {found.wager}", but=found.across)
    screen.print(_asked(found))
    screen.print(_answer(found))
    screen.print(_found_table(found))
    at = f" with {found.across}={found.value}" if found.across else ""
    now = f"house edge {percent(found.today.edge, 4)} = {ratio(found.today.edge)}{at}"
    lines = [f"printed now: {found.today.paytable}, {now}", f"the first of these, whole:\n  {command}"]
    screen.print("\n".join(lines), soft_wrap=True)
    _closing(screen, found.ways, at)


def _asked(found: Designed) -> Group:
    out = table("row", "may pay")
    out.columns[1].justify, out.columns[1].no_wrap = "left", False
    for row, pay in found.today.pays.items():
        now = {"-1": "lose", "0": "push"}.get(pay, pay)
        out.add_row(row, found.bounds.get(row) or Text(f"{now}, as it is", "dim"))
    notes = (
        []
        if found.asked
        else ["No row was named, so every winning row may move about its printed pay, in round figures."]
    )
    if found.order:
        better = "before" if found.order == "falling" else "after"
        notes.append(f"A row pays no more than those printed {better} it, as now; --any-order lifts this.")
    else:
        notes.append("The pays need not be in order.")
    if any(pay.startswith("$") for table_ in found.best for pay in table_.pays.values()):
        notes.append(f"Awards in dollars are measured against a bet of ${money(found.stake)}.")
    if any(" or " in found.today.pays[row] for row in found.bounds):
        notes.append("A row that moves is paid what stands there alone, without the least to 1 that is printed now.")
    if found.played:
        notes.append("The pays change how the wager is best played: the player answers every table optimally.")
        notes.append("Hits and spread are those of the choice that is listed first, where several are equally good.")
    return Group(out, *notes)


def _answer(found: Designed) -> Text:
    where = f" of the {found.party}" + (f" for every value of {found.across} below" if found.across else "")
    many = f"{found.tables:,} pay tables" if found.tables > 1 else "the one pay table"
    if found.low == found.high:
        if found.tables == 1:
            return Text(f"\nThe one pay table, where {_edge(found.low)}{where} is wanted:")
        closest = f"the {len(found.best):,} closest" if len(found.best) > 1 else "the closest"
        return Text(f"\nOf {many}, {closest} to {_edge(found.low)}{where}:")
    wanted = f"an edge of {_edge(found.low)} to {_edge(found.high)}{where}"
    if not found.found:
        none = f"None of {many} has" if found.tables > 1 else "The one pay table does not have"
        closest = "The closest to its middle:" if found.tables > 1 else "It has:"
        return marked("\n[bold yellow]{} {}.[/] {}", none, wanted, closest)
    if found.tables == 1:
        return Text(f"\nThe one pay table has {wanted}:")
    have = "has" if found.found == 1 else "have"
    rest = f"the best {len(found.best):,}, {TASTES[found.taste]}"
    if found.found == len(found.best):
        rest = f"all, {TASTES[found.taste]}" if found.found > 1 else "this one"
    return marked("\n[bold]{}[/] of {} {} {}; {}:", f"{found.found:,}", many, have, wanted, rest)


def _edge(value: Fraction) -> str:
    """A round percentage as it was typed."""
    return f"{float(value * 100):.6g}%"


def _found_table(found: Designed) -> Table:
    values = list(found.best[0].across)
    places = 6 if found.low == found.high and not values else 4 if len(values) <= 4 else 2
    title = f"\nhouse edge by {found.across}" if found.across else ""
    more = ["hits", "std. dev."] if len(values) <= 5 else []  # a screen is so wide; JSON has them
    heads = [f"{head} ({found.value})" if found.across else head for head in more]
    out = table("", "pays, in printed order", *(values or [found.value or "house edge"]), *heads, title=title)
    out.columns[1].justify, out.columns[1].no_wrap = "left", False
    rows = {str(number): one for number, one in enumerate(found.best, 1)}
    if values and not any(one.printed for one in found.best):
        rows["now"] = found.today  # where it misses is why it is not among them
    for number, one in rows.items():
        shown = [one.across[v] for v in values] if values else [one.edge]
        typed = one.paytable if more else one.paytable.replace(",", ", ")  # folded between pays where there is no room
        spelled = Text(typed + ("  (printed)" if one.printed else ""), "bold green" if one.printed else "")
        cells = [*(percent(e, places) for e in shown), percent(one.hits, 3), f"{one.std_dev:.4f}"]
        out.add_row(number, spelled, *cells[: len(out.columns) - 2], end_section=number == str(len(found.best)))
    return out


def _closing(screen: Console, counted: int, at: str = "") -> None:
    screen.print(f"\nevery figure above is exact, of {ways(counted)} ways{at}", style="dim")


# ---- the dealer's policy


def _policy(args: Namespace, house: House) -> int:
    tables_only = {
        "--wager": args.wager, "--row": args.rows, "--taste": args.taste, "--step": args.step,
        "--any-order": args.any_order,
    }  # fmt: skip
    for flag, given in tables_only.items():
        if given:
            raise BadInput(f"{flag} is about pay tables; --policy goes without it")
    if args.top is not None and args.across is not None:
        raise BadInput("--top lists policies of one house; --policy --across shows the best one for every value")
    option, houses = "", {"": house}
    if args.across is not None:
        option, values = values_of(house, args.across)
        _, houses = at_values(house, option, values)
    found, commands = dict[str, PolicySearch](), dict[str, str]()
    with _working(f"dealing out {house.game.title}") as say:
        for value, one in houses.items():
            tick = _ticks(say, f"{option}={value}: " if option else "")
            found[value] = policy_search(one, args.top or TOP, tick, args.patient)
            commands[value] = _command(args, one, found[value].wager, option, {}, found[value].best[0].policy)
    if args.csv is not None:
        at = {value: {option: value} if option else {} for value in found}
        Rows([{**at[value], **row} for value, one in found.items() for row in one.table()]).to_csv(args.csv)
    if args.json:
        every = {value: {**one.json(), "analyze": commands[value]} for value, one in found.items()}
        return print_json({"across_option": option, "across": every} if option else every[""])
    screen = console()
    if option:
        _show_policies(screen, house, option, found, commands)
    else:
        _show_policy(screen, house, found[""], commands[""])
    return 0


def _ticks(say: Callable[[str], None], where: str) -> Callable[[int, int], None]:
    return lambda done, of: say(f"{where}{done:,} of {of:,} policies")


def _show_policy(screen: Console, house: House, found: PolicySearch, command: str) -> None:
    heading(screen, house, found.of, "the dealer's policy")
    name = "printed policy" if found.usual else "policy asked for"
    screen.print(marked("\nThe {}: [bold]{}[/]", name, _spelled(found.printed)))
    screen.print(
        marked(
            "house edge [bold]{}[/] = {} of the {}, the player answering optimally",
            percent(found.printed.edge, 4),
            ratio(found.printed.edge),
            found.wager,
        )
    )
    screen.print(_verdict(found, name))
    screen.print(_best_policies(found))
    screen.print(_changes(found))
    screen.print(_answers(found))
    screen.print(f"the best policy, whole:\n  {command}", soft_wrap=True)
    _closing(screen, found.ways)


def _spelled(one: PolicyEdge) -> str:
    return ", ".join(f"{option} {ranks}" for option, ranks in one.policy.items())


def _verdict(found: PolicySearch, name: str) -> Text:
    searched = f"{found.policies:,} threshold policies (some lowest and some highest ranks in each)"
    if found.given_away > 0:
        better = f"{found.better:,} of {searched} leave{'s' if found.better == 1 else ''} the player less."
        lost = f"{_points(found.given_away)} points = {ratio(found.given_away)}"
        return marked("[bold yellow]{}[/] The house gives away {} against the best.", better, lost)
    if found.given_away < 0:
        return marked("[bold green]It leaves the player less than all {}[/], of which it is not one.", searched)
    alike = "no other of these is as good" if found.ties == 1 else f"{found.ties:,} are equally good"
    return marked("[bold green]The {} is the best of {}[/]; {}.", name, searched, alike)


def _points(value: Fraction) -> str:
    return f"{float(value * 100):.4f}"


def _best_policies(found: PolicySearch) -> Table:
    out = table("", *found.printed.policy, "house edge", "", "points less", title="\nBest for the house")
    for column in out.columns[1 : 1 + len(found.printed.policy)]:
        column.justify = "left"
    for number, one in enumerate(found.best, 1):
        here = one.policy == found.printed.policy
        cells = [percent(one.edge, 4), ratio(one.edge), _points(found.best[0].edge - one.edge)]
        out.add_row(str(number), *one.policy.values(), *cells, style="bold green" if here else "")
    return out


def _changes(found: PolicySearch) -> Table:
    """One card more or less in one of the sets, the others as they are."""
    options = list(found.printed.policy)
    heads = [head for option in options for head in (option, "edge", "costs")]
    out = table("rank", *heads, title="\nOne rank put in or taken out: what it costs the house, in points")
    for column in out.columns[1::3]:
        column.justify = "left"
    for i, rank in enumerate(dict.fromkeys(c.rank for c in found.changes)):
        cells: list[str | Text] = []
        for option in options:
            change = [c for c in found.changes if c.option == option][i]
            cells += [change.ranks, percent(change.edge, 3)]
            cells.append(Text(_points(change.cost), "green" if change.cost < 0 else ""))
        out.add_row(rank.replace("T", "10"), *cells)
    return out


def _answers(found: PolicySearch) -> Table:
    """What the player does against the best policy: things seen that are answered alike together."""
    out = table("decision", "play", "with", title="\nThe player's best answer to the best policy")
    for column in out.columns[1:]:
        column.justify, column.no_wrap = "left", False
    alike: dict[tuple[str, str], list[str]] = {}
    for row in found.answer:
        alike.setdefault((row.decision, " = ".join(row.best)), []).append(row.sees)
    for (decision, play), seen in alike.items():
        out.add_row(decision, play, _hands(seen))
    return out


def _hands(seen: Sequence[str]) -> str:
    """Cards one after the other; hands of several cards with commas between, and cut short where there are many."""
    if not any(" " in hand for hand in seen):
        return " ".join(seen)
    if len(seen) <= MOST_SEEN:
        return ", ".join(seen)
    return f"{', '.join(seen[:MOST_SEEN])}, ... ({len(seen):,} hands)"


def _show_policies(
    screen: Console, house: House, option: str, found: Mapping[str, PolicySearch], commands: Mapping[str, str]
) -> None:
    """The verdict for every value of an option."""
    one = next(iter(found.values()))
    heading(screen, house, one.of, f"the dealer's policy for every value of {option}", but=option)
    screen.print(f"\nThe policy {_spelled(one.printed)}, and the best of {one.policies:,} threshold policies:")
    out = table(option, "house edge", "", "best", "", "given away", "best policy")
    out.columns[-1].justify, out.columns[-1].no_wrap = "left", False
    for value, each in found.items():
        best = each.best[0]
        cells = [percent(each.printed.edge, 4), ratio(each.printed.edge), percent(best.edge, 4), ratio(best.edge)]
        policy = Text("this one", "bold green") if each.given_away <= 0 else Text(_spelled(best))
        out.add_row(value, *cells, _points(each.given_away), policy)
    screen.print(out)
    worst = max(found, key=lambda value: found[value].given_away)
    said = f"the best policy with {option}={worst}, whole:\n  {commands[worst]}"
    screen.print(said, soft_wrap=True)
    screen.print("\nevery figure above is exact, the player answering each policy optimally", style="dim")
