"""`pitboss layout`: the felt of a game, or a card or sign for its table, written to a file."""

from argparse import Namespace

from pitboss import library
from pitboss.cli.asked import asked_house, console, print_json
from pitboss.cli.papers import asked_output
from pitboss.cli.progress import counting
from pitboss.cli.render import heading
from pitboss.felt.paper import checked, what_asked
from pitboss.felt.plan import plan_of
from pitboss.plain import one_line
from pitboss.rules.errors import BadInput
from pitboss.rules.naming import listed


def run(args: Namespace) -> int:
    what = what_asked(args.what)
    if args.wager is not None:
        raise BadInput("a layout is of the whole table; leave --wager out")
    file = asked_output(args, f"{what}.svg", ".svg", ".pdf")
    house = asked_house(args)
    checked(file)
    if what == "strategy-card":
        with counting(house.game.title):
            library.layout(house, file, what, patient=args.patient)
    else:
        library.layout(house, file, what)
    plan = plan_of(house) if what == "felt" else None
    if args.json:
        return print_json(
            {**house.provenance().json(), "what": what, "file": str(file), **(plan.json() if plan else {})}
        )
    screen = console()
    heading(screen, house, house.provenance(), what.replace("-", " "))
    screen.print(f"written: {one_line(str(file))}", soft_wrap=True)
    if plan is not None:
        table = plan.table
        screen.print(f"The cloth is {table.width:.0f} x {table.depth:.0f} mm, for {len(plan.seats)} seats, to scale.")
        if plan.on_sign:
            screen.print(f"No room on it for the pay table of {listed(plan.on_sign)}: it stands on the sign.")
    return 0
