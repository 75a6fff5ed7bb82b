"""Why a wager came out as it did: what was held, and by whom, as far as it decided the row and all of it is known.

It is read off the very column that settled the wager: the conditions that were met, or, where none was, those that were
tried; and whatever was compared with something else.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from pitboss.cards import card_name
from pitboss.hands.floors import exactly
from pitboss.live.live import Round
from pitboss.live.seat import SeatTable
from pitboss.live.view import seen_by
from pitboss.rules.column import Column
from pitboss.rules.graph import BOARD, PLAYER, Settle, Share
from pitboss.rules.naming import Kind, kind, named
from pitboss.rules.operations import HANDS

if TYPE_CHECKING:
    Facts = dict[str, dict[str, None]]

COMPARED = ("compare", "lt", "eq", "ne")
CARD = "card"
PIPS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
MOST = 2  # things that are said of one hand
FEW = 100  # a number that is larger than this is a code, and no total


def reasons(
    round_: Round, own: Collection[int], of: Collection[int] | None = None, names: Mapping[int, str] | None = None
) -> dict[tuple[int, str], str]:
    """Seat, wager -> `you have a pair of sixes, the dealer has a queen`, for the player at these seats; `of` some seats
    only. Others are called by their names, where they are known, else by their seats."""
    known = seen_by(round_, own)
    out = {}
    for seat in round_.playing if of is None else [seat for seat in round_.playing if seat in of]:
        table = round_.table(seat)
        for event in table.events:
            if isinstance(event, Settle | Share):
                column = event.rows.index if isinstance(event, Settle) else event.value
                if (column.uid, known) not in table.facts:  # when all hands are shown, everybody knows the same
                    table.facts[column.uid, known] = _facts(table, column, known)
                facts = table.facts[column.uid, known]
                out[seat, event.wager] = _words(
                    facts, "you have" if seat in own else f"{(names or {}).get(seat) or f'seat {seat}'} has"
                )
    return out


def _facts(table: SeatTable, index: Column, known: frozenset[int]) -> "Facts":
    """Who -> what he holds: hands, ranks and cards by their names, and where there are none, what they count."""
    cards: Facts = {}
    out: Facts = {}
    totals: Facts = {}
    for held in _decided(table, index):
        if held.slots and {table.places.get(slot, -1) for slot in held.slots} <= known:
            what, value = kind(held), table.value(held)
            if held.op == CARD:
                cards.setdefault(_owner(table, held), {})[_drawn(value)] = None
            elif what is not None and what.of != "suit":
                out.setdefault(_owner(table, held), {})[_name(what, value)] = None
            elif what is None and held.op not in HANDS and 0 <= (total := _total(table, held)) < FEW:
                totals.setdefault(_owner(table, held), {})[str(total)] = None
    return {owner: cards.get(owner) or out.get(owner) or totals[owner] for owner in cards | out | totals}


def _total(table: SeatTable, held: Column) -> int:
    """What a hand counts; also where a rule puts another number in its place, as 0 for a hand that has gone over."""
    while held.op == "where":
        condition, then, otherwise = held.args
        taken, other = (then, otherwise) if table.value(condition) else (otherwise, then)
        held = other if taken.op == "const" and other.op != "const" else taken
    return table.value(held)


def _drawn(card: int) -> str:
    name = card_name(card)
    return f"{name[:-1].replace('T', '10')}{PIPS[name[-1]]}" if name[-1] in PIPS else name


def _decided(table: SeatTable, index: Column) -> list[Column]:
    """The columns that decided: of the last condition that was met; where none was, hands, ranks and cards of those
    that were tried; or what was compared in the end."""
    met: list[Column] = []
    tried: list[Column] = []
    while index.op == "where":
        condition, then, otherwise = index.args
        if table.value(condition):
            met, index = [condition], then
        else:
            tried.append(condition)
            index = otherwise
    if index.op != "const":
        return [index] if kind(index) is not None else _sides([index])
    return _sides(met) if met else [c for c in _sides(tried) if c.op == CARD or kind(c) is not None]


def _sides(cols: Sequence[Column]) -> list[Column]:
    """What is compared in these, and not what is compared inside of that; of a row of a pay table, or of whether
    something is so, the hands that it rests on."""
    out: list[Column] = []
    for col in _top(cols, lambda c: c.op in COMPARED):
        for side in (side for side in col.args if side.op != "const"):
            hands = [side] if side.op == CARD or kind(side) is not None else _top([side], _is_hand)
            out += hands or ([side] if side.op not in COMPARED else _sides([side]))
    return out or _top(cols, _is_hand)


def _is_hand(col: Column) -> bool:
    what = kind(col)
    return what is not None and what.of == "strength"


def _top(cols: Sequence[Column], wanted: Callable[[Column], bool]) -> list[Column]:
    """The columns of a kind that do not lie inside of another one."""
    out: list[Column] = []
    left, seen = list(cols), set[int]()
    while left:
        col = left.pop(0)
        if col.uid not in seen:
            seen.add(col.uid)
            if wanted(col):
                out.append(col)
            else:
                left += col.below
    return out


def _name(what: Kind, value: int) -> str:
    return exactly(value, what.cards) if what.of == "strength" else named(what, value)


def _owner(table: SeatTable, held: Column) -> str:
    """Whose cards these are; a board is part of every hand."""
    who = {g.who for g in table.groups if held.slots & set(g.slots)}
    return PLAYER if PLAYER in who else next((w for w in sorted(who) if w != BOARD), BOARD)


def _words(facts: "Facts", you: str) -> str:
    parts = []
    for owner in sorted(facts, key=lambda o: o != PLAYER):
        has = you if owner == PLAYER else f"the {owner} has"
        parts.append(f"{has} {' and '.join([*facts[owner]][:MOST])}")
    return ", ".join(parts)
