"""What lies before one player: his circles, row by row from the rail towards the dealer, and his cards.

Nearest to him is what he bets during the round, around the box for his cards if they are dealt face down; then come the
bets that everybody makes, then those that he may make as well. Cards that are dealt face up lie on the dealer's side of
the bets.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt

from pitboss.felt.letters import DOWN, UP, balanced, cut, shortened, width
from pitboss.rules.called import wager_called
from pitboss.rules.graph import DOWN as FACE_DOWN
from pitboss.rules.graph import PLAYER, Deal, Graph
from pitboss.rules.house import House
from pitboss.rules.paytables import show_pay
from pitboss.rules.wagers import Wager

CARD = (63.0, 88.0)  # a card of poker size
CHIP = 40.0
MAIN, OTHER = 92.0, 80.0  # across a circle: of a bet that opens the round, and of any other
BOXED = (112.0, 66.0)
GAP, RAIL_GAP = 12.0, 22.0
FAN = 16.0  # how much of a card shows that lies under another one
LARGEST, SMALLEST, SPACING = 18.0, 8.0, 1.04  # type in a circle, and from line to line
PAID = 12.0  # type of what a bet pays, under its name
OPEN_HAND = 6  # cards of a hand that has no fixed number: there is room for so many
MOST_IN_ROW = 3
CARD_BOX = "card box"
"""What the game file calls the box for a player's cards, in `called`."""


@dataclass(frozen=True)
class Label:
    """Words in a circle: lines, each with its type size and whether it is a pay."""

    lines: tuple[tuple[str, float, bool], ...] = ()

    @property
    def height(self) -> float:
        return sum(size for _, size, _ in self.lines) * SPACING


NO_LABEL = Label()


@dataclass(frozen=True)
class Laid:
    """Something before a player; x to his right, y from the rail."""

    kind: str  # "wager" or "cards"
    name: str
    called: str
    x: float
    y: float
    width: float
    height: float
    shape: str  # "circle", "box", or "open": nothing is printed
    label: Label = NO_LABEL
    equals: bool = False  # an equals sign stands between it and its neighbour to the left
    room: float = 0.0  # that it takes in its row, where that is more than its width


@dataclass(frozen=True)
class Block:
    """All of it, and the room that it takes."""

    laid: tuple[Laid, ...]
    width: float
    depth: float


def block_of(house: House, graph: Graph) -> Block:
    """What lies before each player of a house."""
    shown = [w for w in house.wagers if not w.bonus and w.lies in ("circle", "box")]
    during = [w for w in shown if w.during]
    opening = [w for w in shown if not w.during and _opens(house, w)]
    others = [w for w in shown if w not in during and w not in opening]
    beside = [w for w in house.wagers if w.lies == "beside"]
    cards, boxed = cards_of(graph)
    laid: list[Laid] = []
    y = RAIL_GAP
    if beside:
        for i, w in enumerate(beside):
            x = (i - (len(beside) - 1) / 2) * (CHIP + 4)
            laid.append(Laid("wager", w.name, wager_called(house, w.name), x, y + CHIP / 2, CHIP, CHIP, "open"))
        y += CHIP + 4
    box = _card_box(house, cards) if boxed else None
    rows: list[list[Laid]]
    if not during and box is None and len(opening) + len(others) <= MOST_IN_ROW:
        half = ceil(len(others) / 2)
        rows = [[_spot(house, w, w in opening) for w in (*others[:half], *opening, *others[half:])]]
    else:
        rows = _around(house, during, box) + _rows(house, opening, True) + _rows(house, others, False)
    for row in _aligned(rows):
        y += _set(laid, row, y) + GAP
    if cards and not boxed:
        wide = CARD[0] + (cards - 1) * FAN
        laid.append(Laid("cards", PLAYER, "", 0, y + CARD[1] / 2, wide, CARD[1], "open"))
        y += CARD[1] + GAP
    wide = max((2 * (abs(item.x) + item.width / 2) for item in laid), default=CHIP)
    return Block(tuple(laid), wide, y)


def cards_of(graph: Graph) -> tuple[int, bool]:
    """How many cards a player may hold, and whether they lie in a box: a fixed number, dealt face down."""
    if graph.open_ended:
        return OPEN_HAND, False
    most = max((sum(len(g.slots) for g in n.groups if g.who == PLAYER) for n in graph.nodes), default=0)
    faces = {e.face for n in graph.nodes for e in n.events if isinstance(e, Deal) and e.who == PLAYER}
    return most, bool(faces) and faces <= {FACE_DOWN}


def _opens(house: House, wager: Wager) -> bool:
    """Whether a wager is one of those that the game is about: everybody makes it, or one of several like it."""
    if wager.required:
        return True
    either = {name for names in house.one_of for name in names}
    if wager.needs or (either and wager.name not in either):
        return False
    return bool(either) and len(_pays(house, wager)) <= 1


def _pays(house: House, wager: Wager) -> list[str]:
    return [row for row in house.tables[wager.name].pays if row not in ("push", "lose", "surrender")]


def _spot(house: House, wager: Wager, main: bool) -> Laid:
    called = wager_called(house, wager.name)
    across = MAIN if main else OTHER
    wide, high = BOXED if wager.lies == "box" else (across, across)
    return Laid("wager", wager.name, called, 0, 0, wide, high, wager.lies, _label(house, wager, called, wide, high))


def _card_box(house: House, cards: int) -> Laid:
    called = house.game.called.get(CARD_BOX, "")
    wide, high = CARD[0] + (cards - 1) * FAN + 8, CARD[1] + 8
    label = fitted(called, wide, high, round_=False) if called else Label()
    return Laid("cards", PLAYER, called, 0, 0, wide, high, "box", label)


def _around(house: House, during: Sequence[Wager], box: Laid | None) -> list[list[Laid]]:
    """The bets of the round on both sides of the box for the cards, where they are few."""
    spots = [_spot(house, w, False) for w in during]
    if box is None or len(spots) > 2:
        return ([[box]] if box is not None else []) + _chunks(spots)
    half = len(spots) // 2
    return [[*spots[:half], box, *spots[half:]]]


def _rows(house: House, wagers: Sequence[Wager], main: bool) -> list[list[Laid]]:
    return _chunks([_spot(house, w, main) for w in wagers], {w.name for w in wagers if w.along and w.times == (1,)})


def _chunks(spots: list[Laid], along: "set[str] | frozenset[str]" = frozenset()) -> list[list[Laid]]:
    """In rows of about the same length; what is placed along with its neighbour shows it by a sign."""
    count = ceil(len(spots) / MOST_IN_ROW)
    out: list[list[Laid]] = []
    for i in range(count):
        row = spots[len(spots) * i // count : len(spots) * (i + 1) // count]
        out.append([replace(s, equals=s.name in along and place > 0) for place, s in enumerate(row)])
    return out


def _aligned(rows: list[list[Laid]]) -> list[list[Laid]]:
    """Rows of as many circles one above the other: what belongs together stands in one column."""
    counts = [len(row) for row in rows]
    return [
        [replace(s, room=max(r[i].width for r in rows if len(r) == len(row))) for i, s in enumerate(row)]
        if counts.count(len(row)) > 1 and all(s.kind == "wager" for s in row)
        else row
        for row in rows
    ]


def _set(laid: list[Laid], row: Sequence[Laid], y: float) -> float:
    """A row in its place, centred; how deep it is."""
    gaps = [0.0, *(GAP + 8 * s.equals for s in row[1:])]
    rooms = [max(s.width, s.room) for s in row]
    x, deep = -(sum(rooms) + sum(gaps)) / 2, max(s.height for s in row)
    for spot, room, gap in zip(row, rooms, gaps, strict=True):
        x += gap
        laid.append(replace(spot, x=x + room / 2, y=y + deep / 2))
        x += room
    return deep


# ---- words in a circle


def _label(house: House, wager: Wager, called: str, wide: float, high: float) -> Label:
    rows = _pays(house, wager)
    pays = house.tables[wager.name].pays
    told = show_pay(pays[rows[0]]) if len(rows) == 1 and len(pays) - len(rows) <= 2 else ""
    pay = told if told not in ("", "1 to 1", "push", "lose", "meter") else ""
    return fitted(called, wide, high, round_=wager.lies == "circle", pay=pay)


def fitted(text: str, wide: float, high: float, *, round_: bool, pay: str = "") -> Label:
    """A name in the largest type in which it fits its circle or its box."""
    text = " ".join((text[:1].upper() + text[1:]).split())
    paid = ((pay, PAID, True),) if pay else ()
    size = LARGEST
    while size >= SMALLEST:
        for share in (0.86, 0.72, 0.58):
            lines = balanced(text, size, wide * share, bold=True)
            label = Label((*((line, size, False) for line in lines), *paid))
            whole = " ".join(lines) == text  # a smaller type before a broken word
            if _inside(label, wide, high, round_) and (whole or size <= SMALLEST + 1):
                return label
        size -= 0.5
    for most in (4, 3, 2, 1):
        room = wide * (0.86 if most < 3 else 0.72)
        lines = cut(balanced(text, SMALLEST, room, True), most, SMALLEST, room, True)
        label = Label((*((line, SMALLEST, False) for line in lines), *paid))
        if _inside(label, wide, high, round_):
            return label
    return Label(((shortened(text, SMALLEST, wide * 0.7, True), SMALLEST, False),))


def _inside(label: Label, wide: float, high: float, round_: bool) -> bool:
    y, radius = -label.height / 2, wide / 2 - 7
    for line, size, _ in label.lines:
        far = max(abs(y), abs(y + size * (UP + DOWN)))
        room = 2 * sqrt(max(0.0, radius * radius - far * far)) if round_ else wide - 10
        if width(line, size, bold=True) > room:
            return False
        y += size * SPACING
    return label.height <= high - 8
