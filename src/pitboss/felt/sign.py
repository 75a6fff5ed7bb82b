"""The sign at the table: limits, bets, every pay table, the dealer's policy and what must be posted.

It is read from two metres. So nothing stands in type of less than 5.5 millimetres, whose capitals are as high as six
minutes of arc at that distance; a game that does not fit in it gets a larger sheet.
"""

from collections.abc import Sequence

from pitboss.felt.ink import Drawing
from pitboss.felt.page import Block, banner, draw_blocks, footer, in_columns, sheet_of_paper, sizes, total
from pitboss.felt.told import bets, dealer, limits, meters, pays
from pitboss.rules.errors import BadInput, said
from pitboss.rules.house import House
from pitboss.sheets import sheet_of

PAPERS = ((210.0, 297.0), (297.0, 420.0), (420.0, 594.0), (594.0, 841.0))  # A4 to A1
LARGEST, SMALLEST = 9.0, 5.5
NARROW = 12.0  # type sizes that a column is wide, at least, before its rows break
TINY = 2.0  # on the largest sheet, before anything is left off


def sign(house: House, notices: Sequence[str] = ()) -> str:
    """The sign of a house; `notices` are sentences that must be posted, such as a rule of the jurisdiction."""
    if isinstance(notices, str) or not all(isinstance(n, str) for n in notices):
        raise BadInput(f"notices: a list of sentences, such as ['Limit $300 (WAC 230-15-140)'], not {said(notices)}")
    sheet = sheet_of(house)
    blocks = [bets(house), *pays(sheet), *meters(house), *dealer(house)]
    foot = [Block("text", f"• {notice}") for notice in notices] + [Block("note", sheet.odd_amounts)]
    drawing = Drawing(f"sign-{house.game.name}")
    for wide, high in PAPERS:
        smallest = SMALLEST if (wide, high) != PAPERS[-1] else TINY
        margin = wide * 0.06
        trial = Drawing("")
        top = banner(trial, house.game.title, limits(house), 0, wide, margin, wide * 0.085) + margin * 0.6
        for size in sizes(LARGEST * (wide / 210) ** 0.5, smallest):
            below = total(foot, wide - 2 * margin, size * 0.9) + margin
            for columns in (1, 2, 3):
                gap = margin
                across = (wide - 2 * margin - gap * (columns - 1)) / columns
                room = high - top - below - margin * 0.6
                placed = in_columns(blocks, columns, across, room, size)
                if placed is None and size == TINY and columns == 3:
                    placed = [blocks[:1]]  # nothing helps: the bets alone
                if placed is None or (columns > 1 and across < NARROW * size and size > smallest):
                    continue
                sheet_of_paper(drawing, 0, wide, high)
                banner(drawing, house.game.title, limits(house), 0, wide, margin, wide * 0.085)
                for i, column in enumerate(placed):
                    draw_blocks(drawing, column, margin + i * (across + gap), top, across, size)
                draw_blocks(drawing, foot, margin, high - below, wide - 2 * margin, size * 0.9)
                footer(drawing, _source(house), 0, wide, high, margin, max(2.6, size * 0.45))
                about = f"The sign of a table: limits, bets and pay tables, {wide:.0f} by {high:.0f} millimetres."
                return drawing.svg(f"{house.game.title}: the sign", about, 0, 0, wide, high)
    raise AssertionError("the largest sheet takes something")


def _source(house: House) -> str:
    of = house.provenance()
    return f"{of.game} · file {of.sha256[:12]} · pitboss {of.version}"
