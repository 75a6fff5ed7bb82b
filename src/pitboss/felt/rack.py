"""The rack card: what a player finds in the rack, both sides of a card of four by nine inches.

The front says what the game is and how it is played; the back has the bets and the pays. All words are the sheet's; no
figure stands here but limits and pays.
"""

from collections.abc import Sequence

from pitboss.felt.ink import Drawing
from pitboss.felt.page import Block, banner, draw_blocks, footer, sheet_of_paper, sizes, total
from pitboss.felt.printed import capital
from pitboss.felt.told import amount, bonuses, limits, own_bets, pays, steps
from pitboss.rules.called import wager_called
from pitboss.rules.house import House
from pitboss.sheets import sheet_of

WIDE, HIGH = 101.6, 228.6
GAP, MARGIN = 8.0, 7.0
LARGEST, SMALLEST = 5.2, 2.3
MORE = "More on the sign at the table."


def rack_card(house: House) -> str:
    """Both sides of the card, side by side."""
    sheet = sheet_of(house)
    _, *prose = sheet.about.split("\n\n")
    about = [Block("text", " ".join(text.split())) for text in (prose or [sheet.about])[:1]]
    front = [*about, Block("head", "How to play"), *steps(sheet)]
    lines = [
        Block("rows", "", ((f"{capital(wager_called(house, w.name))}: {w.help or w.who_bets()}", amount(house, w)),))
        for w in own_bets(house)
    ]
    toke = [Block("note", bonuses(house))] if bonuses(house) else []
    back = [Block("head", "The bets"), *lines, Block("head", "The pays"), *pays(sheet), *toke]
    drawing = Drawing(f"rack-card-{house.game.name}")
    headline = sheet.about.partition("\n\n")[0].removeprefix(f"{sheet.title}: ")
    _side(drawing, house, capital(" ".join(headline.split())), front, 0.0)
    _side(drawing, house, limits(house), back, WIDE + GAP)
    return drawing.svg(
        f"{house.game.title}: a rack card", "Front and back of a card of 4 by 9 inches: the game, its bets and pays.",
        0, 0, 2 * WIDE + GAP, HIGH,
    )  # fmt: skip


def _side(ink: Drawing, house: House, under: str, blocks: Sequence[Block], x: float) -> None:
    sheet_of_paper(ink, x, WIDE, HIGH)
    top = banner(ink, house.game.title, under, x, WIDE, MARGIN, 11.0) + 3
    room, across = HIGH - top - MARGIN - 2, WIDE - 2 * MARGIN
    size = next((s for s in sizes(LARGEST, SMALLEST) if total(blocks, across, s) <= room), SMALLEST)
    kept = list(blocks)
    while len(kept) > 1 and total(kept, across, size) > room:
        kept = [*kept[:-1], Block("note", MORE)] if kept[-1].text != MORE else [*kept[:-2], Block("note", MORE)]
    draw_blocks(ink, kept, x + MARGIN, top, across, size)
    footer(ink, f"pitboss {house.provenance().version} · file {house.game.sha256[:12]}", x, WIDE, HIGH, MARGIN, 2.0)
