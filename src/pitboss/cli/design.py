"""`pitboss design`: what was asked for, as a grid of pay tables or a search of policies, and the answer as tables."""

import shlex
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from pitboss.cli.asked import asked_house, console, pairs, print_json
from pitboss.cli.render import heading, table, ways
from pitboss.design.asked import Grid, grid, read_edge, read_row, read_step, usual_grid
from pitboss.design.houses import across
from pitboss.design.policy import policy_search
from pitboss.design.records import Designed, PolicyEdge, PolicySearch
from pitboss.design.search import design
from pitboss.design.taste import TASTES
from pitboss.results import percent, ratio
from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.game import House
from pitboss.rules.paytables import money

MOST_SEEN = 40  # things that are listed by name


def run(args: Namespace) -> int:
    if args.policy == bool(args.edge):
        raise BadInput(
            "say what to design: --edge 4%..6% for pay tables, or --policy for the dealer's policy, not both"
        )
    if args.top < 1:
        raise BadInput(f"--top {args.top}: show at least 1")
    house = asked_house(Namespace(**{**vars(args), "wager": None}))
    return _policy(args, house) if args.policy else _tables(args, house)


@contextmanager
def _working(what: str) -> Iterator[Callable[[str], None]]:
    """A sign of life on standard error, where somebody is looking."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    with Console(stderr=True).status(what) as status:
        yield lambda text: status.update(f"{what} · {text}")


# ---- pay tables


def _tables(args: Namespace, house: House) -> int:
    target = read_edge(args.edge)
    if args.taste not in TASTES:
        raise BadInput(f"--taste {choice_of(args.taste, list(TASTES))}")
    wager = _wager(house, args.wager)
    grid_ = _grid(args, house, wager)
    houses = across(house, args.across, wager) if args.across else {}
    with _working(f"counting {house.game.title}") as say:
        start = time.perf_counter()

        def tick(solved: int) -> None:
            say(f"{solved:,} pay tables solved, {solved / (time.perf_counter() - start):,.0f} a second")

        found = design(
            house, wager, target, grid_, asked=bool(args.rows), taste=args.taste, top=args.top,
            across=args.across or "", houses=houses, tick=tick,
        )  # fmt: skip
    command = _command(args, found)
    if args.json:
        return print_json({**found.json(), "analyze": command})
    _show_tables(console(), house, found, command)
    return 0


def _wager(house: House, name: str | None) -> str:
    own = [w.name for w in house.wagers if not w.table_of]
    if name is None:
        raise BadInput(f"name the wager whose pay table may move: --wager {' or '.join(own)}")
    wager = next((w for w in house.wagers if w.name == name), None)
    if wager is None:
        raise BadInput(f"{house.game.name} has no wager {name!r} with a pay table; it has {', '.join(own)}")
    if wager.table_of and house.tables[name] is house.tables[wager.table_of]:
        raise BadInput(f"{name} pays by the table of {wager.table_of}; design --wager {wager.table_of}")
    return name


def _grid(args: Namespace, house: House, wager: str) -> Grid:
    now, step = house.tables[wager], read_step(args.step)
    if not args.rows:
        return usual_grid(now, step, args.any_order)
    return grid(now, [read_row(text, now, step) for text in args.rows], args.any_order)


def _command(args: Namespace, found: Designed) -> str:
    """What to type to see the best table whole."""
    words = ["pitboss", "analyze", args.game, "--wager", found.party]
    for text in args.options:
        words += ["-o", text]
    for name, text in pairs(args.tables, "-p", "WAGER=TABLE").items():
        words += ["-p", f"{name}={text}"] if name != found.wager else []
    return shlex.join([*words, "-p", f"{found.wager}={found.best[0].paytable}"])


def _show_tables(screen: Console, house: House, found: Designed, command: str) -> None:
    heading(screen, house, found.of, f"pay tables of the {found.wager}")
    screen.print(_asked(found))
    screen.print(_answer(found))
    screen.print(_found_table(found))
    lines = [
        f"printed now: {found.today.paytable}, house edge {percent(found.today.edge, 4)} = {ratio(found.today.edge)}"
    ]
    lines.append(f"the first of these, whole:\n  {command}")
    screen.print("\n".join(lines), markup=False, soft_wrap=True)
    _closing(screen, found.ways)


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
    if found.played:
        notes.append("The pays change how the wager is best played: the player answers every table optimally.")
    return Group(out, *notes)


def _answer(found: Designed) -> str:
    where = f" of the {found.party}" + (f" for every value of {found.across}" if found.across else "")
    if found.low == found.high:
        many = f"{found.tables:,} pay table{'s' * (found.tables > 1)}"
        return f"\nOf {many}, the {len(found.best):,} closest to {_edge(found.low)}{where}:"
    wanted = f"an edge of {_edge(found.low)} to {_edge(found.high)}{where}"
    if not found.found:
        return f"\n[bold yellow]None of {found.tables:,} pay tables has {wanted}.[/] The closest to its middle:"
    have = "pay tables has" if found.found == 1 else "pay tables have"
    shown = "all" if found.found == len(found.best) else f"the best {len(found.best):,}"
    return f"\n[bold]{found.found:,}[/] of {found.tables:,} {have} {wanted}; {shown}, {TASTES[found.taste]}:"


def _edge(value: Fraction) -> str:
    """A round percentage as it was typed."""
    return f"{float(value * 100):.6g}%"


def _found_table(found: Designed) -> Table:
    values = list(found.best[0].across)
    places = 6 if found.low == found.high and not values else 4 if len(values) <= 4 else 2
    title = f"\nhouse edge by {found.across}" if values else ""
    more = ["hits", "std. dev."] if len(values) <= 5 else []  # a screen is so wide; JSON has them
    out = table("", "pays, in printed order", *(values or ["house edge"]), *more, title=title)
    out.columns[1].justify, out.columns[1].no_wrap = "left", False
    for number, one in enumerate(found.best, 1):
        shown = [one.across[v] for v in values] if values else [one.edge]
        spelled = Text(one.paytable + ("  (printed)" if one.printed else ""), "bold green" if one.printed else "")
        cells = [*(percent(e, places) for e in shown), percent(one.hits, 3), f"{one.std_dev:.4f}"]
        out.add_row(str(number), spelled, *cells[: len(out.columns) - 2])
    return out


def _closing(screen: Console, counted: int) -> None:
    screen.print(f"\n[dim]every figure above is exact, of {ways(counted)} ways[/]")


# ---- the dealer's policy


def _policy(args: Namespace, house: House) -> int:
    for flag, given in (("--wager", args.wager), ("--row", args.rows)):
        if given:
            raise BadInput(f"{flag} is about pay tables; --policy goes without it")
    houses = across(house, args.across) if args.across else {"": house}
    found = {}
    with _working(f"dealing out {house.game.title}") as say:
        for value, one in houses.items():
            found[value] = policy_search(one, args.top, lambda done, of: say(f"{done:,} of {of:,} policies"))
    if args.json:
        only = found.get("")
        return print_json(
            only.json() if only else {"across_option": args.across, "across": {k: f.json() for k, f in found.items()}}
        )
    screen = console()
    if "" in found:
        _show_policy(screen, house, found[""])
    else:
        _show_policies(screen, house, args.across, found)
    return 0


def _show_policy(screen: Console, house: House, found: PolicySearch) -> None:
    heading(screen, house, found.of, "the dealer's policy")
    name = "printed policy" if found.usual else "policy asked for"
    screen.print(f"\nThe {name}: [bold]{_spelled(found.printed)}[/]")
    screen.print(
        f"house edge [bold]{percent(found.printed.edge, 4)}[/] = {ratio(found.printed.edge)} of the {found.wager}, the "
        "player answering optimally"
    )
    screen.print(_verdict(found, name))
    screen.print(_best_policies(found))
    screen.print(_changes(found))
    screen.print(_answers(found))
    _closing(screen, found.ways)


def _spelled(one: PolicyEdge) -> str:
    return ", ".join(f"{option} {ranks}" for option, ranks in one.policy.items())


def _verdict(found: PolicySearch, name: str) -> str:
    searched = f"{found.policies:,} threshold policies (some lowest and some highest ranks in each)"
    if found.given_away > 0:
        better = f"{found.better:,} of {searched} leave{'s' if found.better == 1 else ''} the player less."
        lost = f"{_points(found.given_away)} points = {ratio(found.given_away)}"
        return f"[bold yellow]{better}[/] The house gives away {lost} against the best."
    if found.given_away < 0:
        return f"[bold green]It leaves the player less than all {searched}[/], of which it is not one."
    alike = "no other is as good" if found.ties == 1 else f"{found.ties:,} are equally good"
    return f"[bold green]The {name} is the best of {searched}[/]; {alike}."


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
        out.add_row(decision, play, " ".join(seen) if len(seen) <= MOST_SEEN else f"{len(seen):,} things seen")
    return out


def _show_policies(screen: Console, house: House, option: str, found: Mapping[str, PolicySearch]) -> None:
    """The verdict for every value of an option."""
    one = next(iter(found.values()))
    heading(screen, house, one.of, f"the dealer's policy for every value of {option}")
    screen.print(f"\nThe policy {_spelled(one.printed)}, and the best of {one.policies:,} threshold policies:")
    out = table(option, "house edge", "", "best", "", "given away", "best policy")
    out.columns[-1].justify, out.columns[-1].no_wrap = "left", False
    for value, each in found.items():
        best = each.best[0]
        cells = [percent(each.printed.edge, 4), ratio(each.printed.edge), percent(best.edge, 4), ratio(best.edge)]
        policy = Text("this one", "bold green") if each.given_away <= 0 else Text(_spelled(best))
        out.add_row(value, *cells, _points(each.given_away), policy)
    screen.print(out)
    screen.print("[dim]every figure above is exact, the player answering each policy optimally[/]")
