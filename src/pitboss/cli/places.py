"""`pitboss jurisdictions`: the places that are known, or one of them with its sources; and what it says of a table."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from pitboss.cli.asked import console, print_json
from pitboss.cli.layout import headline, item, table
from pitboss.cli.screen import marked
from pitboss.jurisdictions import Fact, Jurisdiction, jurisdiction_named, known_jurisdictions
from pitboss.jurisdictions.record import KINDS, YOURS
from pitboss.rules.house import House
from pitboss.rules.paytables import money

OWN = "A place of your own is a file: see docs/jurisdictions.md. --jurisdiction NAME|FILE puts a table there."


def run(args: Namespace) -> int:
    if args.which is None:
        return _list(args.json)
    place = jurisdiction_named(args.which)
    if args.json:
        return print_json(place.json())
    show(console(), place)
    return 0


def _list(as_json: bool) -> int:
    places = [jurisdiction_named(path.stem) for path in known_jurisdictions()]
    if as_json:
        return print_json({"jurisdictions": [{"jurisdiction": p.name, "title": p.title} for p in places]})
    screen = console()
    names = table("", "", "largest wager")
    for place in places:
        most = [
            f"${money(limit.most.amount)}{f' ({limit.rule})' if limit.rule else ''}"
            for limit in place.limits
            if limit.most
        ]
        names.add_row(place.name, place.title, ", ".join(most) or "none known")
    for column in names.columns:
        column.justify = "left"
    screen.print(names)
    screen.print(OWN)
    return 0


def show(screen: Console, place: Jurisdiction) -> None:
    """What holds, what is asked for, what must be posted; what was not looked up stands out."""
    screen.print(marked("[bold]{}[/]", place.title))
    if place.about:
        screen.print(f"\n{place.about}")
    headline(screen, "Limits")
    _facts(screen, place.limits, "No limit is known here.")
    headline(screen, "Aggregate payouts")
    _facts(screen, () if place.aggregate is None else (place.aggregate,), "Nothing is known of them here.")
    filed = table("to be filed", "rule", "answered by", title="\nWhat must be filed")
    for asked in place.checklist:
        rule = asked.rule if asked.known else f"{asked.rule} (not looked up)"
        filed.add_row(asked.says, rule, asked.answered_by or YOURS)
    for column in filed.columns:
        column.justify, column.overflow = "left", "fold"
    screen.print(filed)
    headline(screen, "What must be posted")
    _facts(screen, place.postings, "Nothing is known of that.")
    headline(screen, "Under what conditions it is dealt")
    _facts(screen, place.conditions, "None are known.")
    if place.unknown:
        headline(screen, "Not looked up: no source was at hand")
        for fact in place.unknown:
            item(screen, f"{fact.says.removesuffix('.')} ({fact.rule}).")
    if place.sources:
        headline(screen, "What was read")
    for source in place.sources:
        note = f"; {source.note}" if source.note else ""
        item(screen, f"{source.title}. {KINDS[source.kind].capitalize()}, looked up {source.looked_up}{note}.")
        if source.address:
            screen.print(f"    {source.address}", style="dim", soft_wrap=True)


def _facts(screen: Console, facts: Sequence[Fact], none: str, brief: bool = False) -> None:
    """Each with the number of its rule, and when and where that was read; `brief`, only if it was not."""
    for fact in facts:
        by = fact.standing if not fact.rule else fact.rule if brief and fact.known else f"{fact.rule}; {fact.standing}"
        item(screen, f"{fact.says.removesuffix('.')} ({by}).")
    if not facts:
        screen.print(f"  {none}", style="dim")


# ---- at a table


def show_limits(screen: Console, place: Jurisdiction, house: House) -> None:
    """What a place says of this house: limits with the rules' numbers, and what must be posted."""
    headline(screen, f"Limits here: {place.title}")
    _facts(screen, place.limits, "No limit on wagers is known; the house sets its own.")
    for told in (*place.under.lowered(house), *place.notices(house), *place.aggregates(house)):
        item(screen, f"{told.removesuffix('.')}.")
    headline(screen, "To be posted")
    _facts(screen, place.postings, "Nothing is known of that.", brief=True)


def of_the_house(place: Jurisdiction, house: House) -> dict[str, Any]:
    """The same as data."""
    return {
        "name": place.name,
        "title": place.title,
        "file_sha256": place.sha256,
        "told": list(place.under.told(house)),
        "notices": list(place.notices(house)),
        "aggregates": list(place.aggregates(house)),
        "limits": [fact.json() for fact in place.limits],
        "postings": [fact.json() for fact in place.postings],
    }
