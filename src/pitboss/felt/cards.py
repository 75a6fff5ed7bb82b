"""Playing cards, drawn here: four colours, a big index, plain court cards of rank, suit and an ornament, and a back.

A card is 63 by 88 millimetres. Spades are black, hearts red, diamonds blue and clubs green, so that a glance across the
table tells them apart. A court card has no face to copy: a crown of as many points as its rank has honour.
"""

from collections.abc import Iterable

from pitboss.cards import (
    ACE,
    JACK,
    JOKER,
    RANK_NAMES,
    SPADES,
    SUIT_NAMES,
    BadCard,
    card_code,
    card_name,
    rank_of,
    suit_of,
)
from pitboss.felt.ink import BLACK, BLUE, DEEP, GOLD, GREEN, GREY, LINE, PAPER, RED, Drawing, number
from pitboss.felt.shapes import Frame
from pitboss.rules.errors import BadInput

WIDE, HIGH = 63.0, 88.0
COLOURS = (GREEN, BLUE, RED, BLACK, GREY)  # clubs, diamonds, hearts, spades, none
_INDEX = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "Jk")
_SUITS = (
    "M0 -50C14 -50 26 -38 26 -24C26 -17 23 -11 18 -7C22 -9 27 -10 32 -10C46 -10 56 1 56 15C56 29 46 38 33 38C22 38 11 "
    "32 6 22C7 35 12 45 20 50H-20C-12 45 -7 35 -6 22C-11 32 -22 38 -33 38C-46 38 -56 29 -56 15C-56 1 -46 -10 -32 "
    "-10C-27 -10 -22 -9 -18 -7C-23 -11 -26 -17 -26 -24C-26 -38 -14 -50 0 -50Z",
    "M0 -54C10 -36 22 -18 40 0C22 18 10 36 0 54C-10 36 -22 18 -40 0C-22 -18 -10 -36 0 -54Z",
    "M0 52C-12 34 -52 10 -52 -20C-52 -37 -40 -48 -26 -48C-14 -48 -5 -41 0 -31C5 -41 14 -48 26 -48C40 -48 52 -37 52 "
    "-20C52 10 12 34 0 52Z",
    "M0 -54C12 -34 52 -14 52 14C52 29 41 38 28 38C18 38 10 32 6 23C7 36 12 46 20 52H-20C-12 46 -7 36 -6 23C-10 32 -18 "
    "38 -28 38C-41 38 -52 29 -52 14C-52 -14 -12 -34 0 -54Z",
    "M0 -54L13 -17L52 -17L21 6L32 44L0 21L-32 44L-21 6L-52 -17L-13 -17Z",
)
"""Clubs, diamonds, hearts, spades, and a star for a joker; a hundred units high."""


def card(which: int | str) -> str:
    """One card as a picture: a code, a name such as `"Ah"` or `"10c"`, or `"back"`."""
    drawing = Drawing(f"card-{_slug(which)}")
    draw_card(drawing, which, WIDE / 2, HIGH / 2)
    return drawing.svg(card_called(which), "A playing card, 63 by 88 millimetres.", 0, 0, WIDE, HIGH)


def cards(which: "Iterable[int | str]", gap: float = 5.0) -> str:
    """Several cards side by side; a gap below zero lays them over each other."""
    several = which.split() if isinstance(which, str) else list(which)
    if not several:
        raise BadInput("cards: name at least one, such as ['Ah', 'back']")
    drawing = Drawing("cards-" + "-".join(map(_slug, several)))
    for i, one in enumerate(several):
        draw_card(drawing, one, WIDE / 2 + i * (WIDE + gap), HIGH / 2)
    wide = WIDE + (len(several) - 1) * (WIDE + gap)
    return drawing.svg(", ".join(map(card_called, several)), "Playing cards.", 0, 0, wide, HIGH)


def card_called(which: int | str) -> str:
    """`ace of hearts`, as it is read aloud."""
    if which == "back":
        return "a card face down"
    code = _code(which)
    rank = RANK_NAMES[rank_of(code)]
    return rank if rank_of(code) == JOKER else f"{rank} of {SUIT_NAMES[suit_of(code)]}"


def draw_card(drawing: Drawing, which: int | str, x: float, y: float, turn: float = 0.0) -> None:
    """A card around a point of a drawing."""
    drawing.open(Frame(x, y, turn))
    edge = {"rx": 5.0, "stroke": LINE, "stroke_width": 0.6}
    if which == "back":
        drawing.rect(-WIDE / 2 + 0.3, -HIGH / 2 + 0.3, WIDE - 0.6, HIGH - 0.6, fill=PAPER, **edge)
        drawing.rect(-WIDE / 2 + 4, -HIGH / 2 + 4, WIDE - 8, HIGH - 8, rx=3.0, fill=DEEP)
        drawing.path(_lattice(), fill="none", stroke=GOLD, stroke_width=0.7)
        drawing.circle(0, 0, 9, fill=DEEP, stroke=GOLD, stroke_width=1.0)
        draw_suit(drawing, SPADES, 0, 0, 11, GOLD)
    else:
        code = _code(which)
        drawing.rect(-WIDE / 2 + 0.3, -HIGH / 2 + 0.3, WIDE - 0.6, HIGH - 0.6, fill=PAPER, **edge)
        _face(drawing, rank_of(code), suit_of(code))
    drawing.close()


def _face(drawing: Drawing, rank: int, suit: int) -> None:
    colour, index = COLOURS[suit], _INDEX[rank]
    size = {1: 22.0, 2: 17.0}[len(index)] if rank != JOKER else 14.0
    for turn in (0.0, 180.0):
        drawing.open(Frame(0, 0, turn))
        drawing.text(-21, -25, index, size, colour, bold=True)
        draw_suit(drawing, suit, -21, -16.5, 11)
        drawing.close()
    if JACK <= rank < ACE:
        _court(drawing, rank - JACK, suit, colour)
    else:
        draw_suit(drawing, suit, 0, 0, 34 if rank >= ACE else 26)


def _court(drawing: Drawing, honour: int, suit: int, colour: str) -> None:
    """A framed suit under a crown: three points for a jack, four for a queen, five for a king."""
    points = 3 + honour
    drawing.rect(-10.5, -33, 21, 66, rx=3.0, fill=colour, fill_opacity=0.08, stroke=colour, stroke_width=0.9)
    step = 15 / (points - 1)
    tops = [(-7.5 + i * step, -24.0) for i in range(points)]
    spikes = "".join(f"L{x:.1f} {y:.1f}" + f"L{x + step / 2:.1f} -15" * (x < 7) for x, y in tops)
    drawing.path(f"M-7.5 -9{spikes}L7.5 -9Z", fill=GOLD, stroke=colour, stroke_width=0.7, stroke_linejoin="round")
    drawing.path("M-7.5 -6.5H7.5M-7.5 27H7.5", fill="none", stroke=colour, stroke_width=1.2)
    for x, y in tops:
        drawing.circle(x, y - 1.5, 1.2, fill=colour)
    draw_suit(drawing, suit, 0, 10, 18)


def _lattice() -> str:
    """Crossing lines inside the frame of a back."""
    left, right, top, bottom = -24.0, 24.0, -37.0, 37.0
    out = []
    for k in range(-12, 13):
        c = k * 8.0
        for sign in (1, -1):
            ends = []
            for x in (left, right):
                if top <= sign * x + c <= bottom:
                    ends.append((x, sign * x + c))
            for y in (top, bottom):
                if left < (y - c) * sign < right:
                    ends.append(((y - c) * sign, y))
            if len(ends) >= 2:
                (a, b), (d, e) = ends[0], ends[-1]
                out.append(f"M{a:g} {b:g}L{d:g} {e:g}")
    return "".join(out)


def draw_suit(drawing: Drawing, suit: int, x: float, y: float, high: float, colour: str | None = None) -> None:
    """A suit so high around a point: 0 is clubs, 1 diamonds, 2 hearts, 3 spades, 4 a joker's star."""
    scale = f"translate({number(x)} {number(y)}) scale({high / 108:.3f})"
    drawing.path(_SUITS[suit], transform=scale, fill=colour or COLOURS[suit])


def _code(which: int | str) -> int:
    try:
        return card_code(which) if isinstance(which, str) else card_code(card_name(which))
    except BadCard as error:
        raise BadInput(f"{error}; or back for a card face down") from None


def _slug(which: int | str) -> str:
    return "back" if which == "back" else card_name(_code(which)).lower()
