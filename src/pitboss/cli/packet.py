"""`pitboss packet`: writes the packet and says what was written, what it comes to, and what is still missing."""

from argparse import Namespace
from pathlib import Path

from rich.console import Console

from pitboss.claims import claims_about
from pitboss.cli.asked import asked_house, asked_jurisdiction, console, print_json
from pitboss.cli.layout import Flow
from pitboss.cli.papers import asked_output
from pitboss.cli.progress import stages
from pitboss.cli.screen import marked
from pitboss.packets import Brief, Written, write_packet
from pitboss.packets.desk import ROUNDS
from pitboss.packets.typeset import PAPERS
from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.house import House


def run(args: Namespace) -> int:
    file = asked_output(args, f"{Path(args.game).stem}.pdf", ".pdf")
    house = asked_house(args)
    if args.paper not in PAPERS:
        raise BadInput(f"--paper {choice_of(repr(args.paper), list(PAPERS))}")
    if args.workbook is not None and not args.workbook.lower().endswith(".xlsx"):
        raise BadInput(f"--workbook ends in .xlsx, such as {file.stem}.xlsx, not {args.workbook!r}")
    if args.approval is not None:
        from pitboss.approval import read_approval

        read_approval(Path(args.approval)).check(house)
    brief = Brief(
        house, asked_jurisdiction(args), tuple(Path(f) for f in args.claims) or claims_about(house.game),
        rounds=ROUNDS if args.rounds is None else args.rounds, seed=args.seed, by=args.by, date=args.date,
        paper=PAPERS[args.paper], font=args.font, patient=args.patient,
    )  # fmt: skip
    book = None if args.workbook is None else Path(args.workbook)
    with stages() as told:
        watch = (lambda what: told(f"{house.game.title}: {what}", 0, 0)) if told else (lambda _: None)
        found = write_packet(brief, file, fonts=Path(args.fonts) if args.fonts else None, workbook=book, watch=watch)
    if args.json:
        return print_json(found.json())
    show(console(), house, found)
    return 0


def show(screen: Console, house: House, found: Written) -> None:
    """Where it lies comes first."""
    sections = len(found.packet.sections)
    screen.print(
        marked(
            "[bold]{}[/]: the packet of {}, {} sections and {} exhibits",
            found.file,
            house.game.title,
            sections,
            found.exhibits,
        )
    )
    for line in found.packet.headline:
        screen.print(Flow(f"  {line}"))
    screen.print(marked("[bold]{}[/]: the approval record; pitboss diff holds a change against it", found.record))
    if found.workbook is not None:
        screen.print(marked("[bold]{}[/]: every return table with live formulas", found.workbook))
    if found.packet.yours:
        many = f"{found.packet.yours} lines" if found.packet.yours > 1 else "1 line"
        screen.print(f"Yours to supply: {many} of the checklist, marked so in the section before the last two.")
