"""`pitboss hands`: how often each poker hand comes up, counted."""

from argparse import Namespace

from pitboss.cli.asked import Rows, asked_csv, console, print_json
from pitboss.cli.layout import table
from pitboss.hands.census import SIZES, counted_of, hands_by_name
from pitboss.rules.errors import BadInput


def run(args: Namespace) -> int:
    if args.cards not in SIZES:
        raise BadInput(f"hands are counted of 3 to 7 cards, not {args.cards}")
    counted = counted_of(args.cards)
    if args.best is not None and args.best not in counted:
        raise BadInput(
            f"of {args.cards} cards the best {' or '.join(map(str, counted))} can be counted, not the best {args.best}"
        )
    best = args.best or counted[0]
    found = hands_by_name(args.cards, best)
    total = sum(found.values())
    hands = [{"hand": h, "ways": str(n), "probability": n / total} for h, n in found.items()]
    if (sheet := asked_csv(args)) is not None:
        Rows(hands).to_csv(sheet)
    if args.json:
        return print_json({"cards": args.cards, "best": best, "ways": str(total), "method": "exact", "hands": hands})
    shown = table(
        f"best {best} of {args.cards}" if best < args.cards else f"hand of {best}", "ways", "probability", "one in"
    )
    for hand, n in found.items():
        shown.add_row(hand, f"{n:,}", f"{n / total:.10f}", f"{total / n:,.2f}")
    shown.add_section()
    shown.add_row("all", f"{total:,}", f"{1:.10f}", "")
    console().print(shown)
    return 0
