"""Cards and chips as symbols, defined once on a page and used by name: `#card-Ah`, `#jumbo-Ah`, `#chip-2500`.

The faces are those of the packet. On the picture of the whole table a card is small, so it has a jumbo card's index.
"""

from functools import lru_cache

from pitboss.cards import JOKER, card_name, rank_of, suit_of
from pitboss.felt import draw_card
from pitboss.felt.cards import COLOURS, HIGH, WIDE, draw_suit
from pitboss.felt.ink import LINE, PAPER, Drawing, attributes
from pitboss.web.face.money import CHIPS, chip_words

CARDS = 53  # kinds of card, the joker included
CHIP = 20.0  # half across
BACK = "back"


@lru_cache(maxsize=1)
def sprites() -> str:
    """All symbols; every one lies around its own middle."""
    faces = [_symbol(f"card-{name}", _face(code)) for code, name in _known()]
    jumbo = [_symbol(f"jumbo-{name}", _jumbo(code)) for code, name in _known()]
    backs = [_symbol(f"{kind}-{BACK}", _face(BACK)) for kind in ("card", "jumbo")]
    return "".join([*faces, *jumbo, *backs, *(_chip(chip) for chip in CHIPS)])


def _known() -> list[tuple[int, str]]:
    return [(code, card_name(code)) for code in range(CARDS)]


def _symbol(name: str, inside: str) -> str:
    return f"<g{attributes(id=name)}>{inside}</g>"


def _face(which: int | str) -> str:
    drawing = Drawing("card")
    _shadow(drawing)
    draw_card(drawing, which, 0, 0)
    return "".join(drawing.body)


def _shadow(drawing: Drawing) -> None:
    """Drawn, and not a filter of the style sheet: filters were 40% of what a new scene cost a browser."""
    drawing.rect(-WIDE / 2 - 0.6, -HIGH / 2 + 1.4, WIDE + 1.2, HIGH + 0.6, fill="#00000055", rx=7.0)


def _jumbo(code: int) -> str:
    drawing, suit = Drawing("jumbo"), suit_of(code)
    _shadow(drawing)
    drawing.rect(-WIDE / 2 + 0.4, -HIGH / 2 + 0.4, WIDE - 0.8, HIGH - 0.8, fill=PAPER, rx=6.0, stroke=LINE,
                 stroke_width=0.8)  # fmt: skip
    index = "★" if rank_of(code) == JOKER else card_name(code)[:-1].replace("T", "10")
    wide = len(index) > 1  # a ten under another card shows both of its digits
    drawing.body.append(
        '<g transform="translate(-18 1) scale(0.48 1)">' if wide else '<g transform="translate(-15 1)">'
    )
    drawing.text(0, 0, index, 50.0, COLOURS[suit], bold=True)
    drawing.body.append("</g>")
    draw_suit(drawing, suit, -16, 24, 30)
    draw_suit(drawing, suit, 15, 18, 36)
    return "".join(drawing.body)


def _chip(chip: int) -> str:
    """A chip from above: its colour by its worth comes from the style sheet, its spots and its words are here."""
    inside = (
        f'<circle cy="2.4" r="{CHIP + 0.4}" class="under"/><circle r="{CHIP}" class="rim"/>'
        f'<circle r="{CHIP - 2.6}" class="edge" pathLength="12"/>'
        f'<circle r="{CHIP - 5.6}" class="inlay"/><circle r="{CHIP - 7.4}" class="ring"/>'
        f'<text y="4.6" class="worth">{chip_words(chip)}</text>'
    )
    return f'<g id="chip-{chip}" class="chip chip-{chip}">{inside}</g>'
