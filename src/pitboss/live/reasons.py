"""Why a wager came out as it did: what was held, and by whom, as far as it decided the row and all of it is known.

It is read off the very column that settled the wager: the conditions that were met, or, where none was, those that were
tried; and whatever was compared with something else.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from pitboss.cards import card_name
from pitboss.hands.naming import spoken
from pitboss.live.live import Round
from pitboss.live.seat import SeatTable, counted
from pitboss.live.view import seen_by
from pitboss.live.words import denied, does, enumerated
from pitboss.rules.column import Column
from pitboss.rules.graph import BOARD, PLAYER, Settle, Share
from pitboss.rules.naming import Kind, kind, named
from pitboss.rules.operations import HANDS

if TYPE_CHECKING:
    Facts = dict[str, tuple[str, ...]]

COMPARED = ("compare", "lt", "eq", "ne")
CARD = "card"
PIPS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
TRUTHS = ("lt", "eq", "ne", "and", "or", "not")
NO_TOTALS = ("sub", "mul", "div", *TRUTHS, *COMPARED)
MOST = 2  # things that are said of one hand
MOST_CARDS = 5  # that are said instead
MOST_KNOWN = 2000
_KNOWN_SIDES: dict[tuple[int, ...], list[Column]] = {}  # by the columns that were looked through
FEW = 100  # a number that is larger than this is a code, and no total


def reasons(
    round_: Round, own: Collection[int], of: Collection[int] | None = None, names: Mapping[int, str] | None = None,
    pots: bool = True, you: Collection[int] | None = None,
) -> dict[tuple[int, str], str]:  # fmt: skip
    """Seat, wager -> `you have a pair of sixes, the dealer has a queen`, for who sees the cards of these seats; `of`
    some seats only. They are his own, or those that are `you`; others are called by their names, where they are known,
    else by their seats.
    With `pots`, of a hand in a pot also the one that beat it, or that it beat."""
    known, you = seen_by(round_, own), own if you is None else you
    out = {}
    for seat in round_.playing if of is None else [seat for seat in round_.playing if seat in of]:
        table, who = round_.table(seat), _who(seat, you, names)
        for at, event in enumerate(table.events):
            if isinstance(event, Share):
                other = _other(round_, known, seat, event.wager) if pots else []
                held = [(one, _kept(round_.table(one), col, known)) for one, col in ((seat, event.value), *other)]
                told = [_words(facts, _has(_who(one, you, names))) for one, facts in held]
                out[seat, event.wager] = ", ".join(words for words in told if words)
            elif isinstance(event, Settle):
                facts = _kept(table, event.rows.index, known)
                went = "" if facts or event.because or event.rows.index.slots else _went(table, at, who)
                out[seat, event.wager] = went or _words(facts, _has(who))
    return out


def _who(seat: int, you: Collection[int], names: Mapping[int, str] | None) -> str:
    return "you" if seat in you else (names or {}).get(seat) or f"seat {seat}"


def _has(who: str) -> str:
    return f"{who} {'have' if who == 'you' else 'has'}"


def _other(round_: Round, known: frozenset[int], seat: int, wager: str) -> list[tuple[int, Column]]:
    """The hand that beat this one in a pot; of the winner's, the best that it has beaten, of those that are known."""
    pot = next((e for e in round_.record.events if e["event"] == "pot" and e["wager"] == wager), None)
    if pot is None:
        return []
    there = {
        one: col
        for one in round_.playing
        if one != seat and one not in round_.record.gone
        and (col := round_.table(one).shares.get(wager)) is not None
        and {round_.table(one).places.get(slot, -1) for slot in col.slots} <= known
    }  # fmt: skip
    found = [one for one in there if (one in pot["winners"]) != (seat in pot["winners"])]
    best = max(found, key=lambda one: round_.table(one).value(there[one]), default=None)
    return [] if best is None else [(best, there[best])]


def _went(table: SeatTable, at: int, who: str) -> str:
    """What a wager rests on that is settled whatever lies there: the last thing that was chosen or seen before."""
    last = next((went for went in reversed(table.went) if went.events <= at), None)
    if last is None:
        return ""
    return does(who, str(last.answer)) if last.condition is None else last.words if last.answer else denied(last.words)


def _kept(table: SeatTable, index: Column, known: frozenset[int]) -> "Facts":
    if (index.uid, known) not in table.facts:  # when all hands are shown, everybody knows the same
        table.facts[index.uid, known] = _facts(table, index, known)
    return table.facts[index.uid, known]


def _facts(table: SeatTable, index: Column, known: frozenset[int]) -> "Facts":
    """Who -> what he holds: cards and hands by their names, or what they count, or their ranks; where there is nothing
    of all this, the cards that were looked at."""
    kinds: tuple[dict[str, list[str]], ...] = {}, {}, {}, {}
    if index.uid not in table.decided:  # whoever looks
        table.decided[index.uid] = _decided(table, index)
    for held in table.decided[index.uid]:
        if held.slots and _are_known(table, held, known):
            what = kind(held)
            if held.op == CARD:
                place, said = 0, _drawn(table.value(held))
            elif what is not None:
                place, said = (3, "") if what.of == "suit" else (1, _name(what, table.value(held)))
                place = 3 if what.of == "rank" else place
            else:
                place, said = 2, "" if held.op in HANDS else _total(table, index, held)
            so_far = kinds[place].setdefault(_owner(table, held), []) if said else []
            if said not in so_far:
                so_far.append(said)
    owners = dict.fromkeys(owner for found in kinds for owner in found)
    best = {owner: next(found[owner] for found in kinds if owner in found) for owner in owners}
    return {owner: tuple(said[:MOST]) for owner, said in best.items()} or _looked_at(table, index, known)


def _are_known(table: SeatTable, held: Column, known: frozenset[int]) -> bool:
    return {table.places.get(slot, -1) for slot in held.slots} <= known


def _looked_at(table: SeatTable, index: Column, known: frozenset[int]) -> "Facts":
    """Every card that a wager rests on, where they are few and all of them are known."""
    out: dict[str, list[str]] = {}
    if _are_known(table, index, known):
        for group in table.groups:
            if looked_at := [_drawn(table.cards[slot]) for slot in group.slots if slot in index.slots]:
                out.setdefault(group.who, []).extend(looked_at)
    few = all(len(cards) <= MOST_CARDS for cards in out.values())
    return {who: tuple(cards) for who, cards in out.items()} if few else {}


def _total(table: SeatTable, index: Column, held: Column) -> str:
    """What a hand counts, and that it is over what it may count, where that was asked; also where a rule puts another
    number in its place, as 0 for a hand that has gone over. Nothing for a number that is no hand's: what some of its
    cards count, or those of two hands together."""
    asked = [condition for condition, _ in _chain(table, index)]
    while held.op == "where":
        condition, then, otherwise = held.args
        taken, other = (then, otherwise) if table.value(condition) else (otherwise, then)
        asked.append(condition)
        held = other if taken.op == "const" and other.op != "const" else taken
    total = table.value(held)
    if not 0 <= total < FEW or held.op in NO_TOTALS or any(part.op in TRUTHS for part in held.below):
        return ""
    hands = _hands(table, _owner(table, held))
    own = held.slots - _of(table, BOARD) or held.slots
    if not own <= frozenset().union(*hands):
        return ""
    if counts := [counted(table.house, [table.cards[slot] for slot in hand]) for hand in hands]:
        if any(counts):
            right = any(total == value and value is not bool(value) for count in counts for value in count.values())
        else:
            right = own in [frozenset(hand) for hand in hands]
        if right:
            over = next((limit for one in asked if (limit := _limit(table, one, held)) is not None), None)
            return str(total) if over is None else f"{total}, over {over}"
    return ""


def _hands(table: SeatTable, who: str) -> list[list[int]]:
    """The cards of the hands that lie there, by slot."""
    return [*table.hands().values()] if who == PLAYER else [sorted(_of(table, who))]


def _of(table: SeatTable, who: str) -> frozenset[int]:
    return frozenset(slot for group in table.groups if group.who == who for slot in group.slots)


def _limit(table: SeatTable, asked: Column, held: Column) -> int | None:
    """The number that a hand has gone over, where that is what was asked."""
    for part in asked.args if asked.op == "and" else (asked,):
        if part.op == "lt" and part.args[0].op == "const" and part.args[1] is held and table.value(part):
            return int(part.args[0].args[0])
    return None


def _chain(table: SeatTable, index: Column) -> Iterator[tuple[Column, Column]]:
    """One condition after the other that was tried, and what it led to."""
    while index.op == "where":
        condition, then, otherwise = index.args
        index = then if table.value(condition) else otherwise
        yield condition, index


def _drawn(card: int) -> str:
    name = card_name(card)
    return f"{name[:-1].replace('T', '10')}{PIPS[name[-1]]}" if name[-1] in PIPS else name


def _decided(table: SeatTable, index: Column) -> list[Column]:
    """The columns that decided: of the last condition that was met; where none was, hands, ranks and cards of those
    that were tried; or what was compared in the end."""
    met: list[Column] = []
    tried: list[Column] = []
    for condition, then in _chain(table, index):
        if table.value(condition):
            met = [condition]
        else:
            tried.append(condition)
        index = then
    if index.op == "const":
        return _sides(met or tried)
    if kind(index) is not None:
        return [index]
    sides = _sides([index])  # of a row that is worked out, what was asked before says more than its numbers
    return sides if index.op in COMPARED or not met else [c for c in sides if _is_named(c)] or _sides(met)


def _is_named(col: Column) -> bool:
    what = kind(col)
    return col.op == CARD or (what is not None and what.of != "suit")


def _sides(cols: Sequence[Column]) -> list[Column]:
    """What is compared in these, and not what is compared inside of that; of a row of a pay table, or of whether
    something is so, the hands that it rests on. The columns of one round are mostly those of the last."""
    key = tuple(col.uid for col in cols)
    if key not in _KNOWN_SIDES:
        if len(_KNOWN_SIDES) >= MOST_KNOWN:
            _KNOWN_SIDES.clear()
        _KNOWN_SIDES[key] = _looked_for(cols)
    return _KNOWN_SIDES[key]


def _looked_for(cols: Sequence[Column]) -> list[Column]:
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
    left, seen = deque(cols), set[int]()
    while left:
        col = left.popleft()
        if col.uid not in seen:
            seen.add(col.uid)
            if wanted(col):
                out.append(col)
            else:
                left += col.below
    return out


def _name(what: Kind, value: int) -> str:
    return spoken(value, what.cards) if what.of == "strength" else named(what, value)


def _owner(table: SeatTable, held: Column) -> str:
    """Whose cards these are; a board is part of every hand."""
    who = {g.who for g in table.groups if held.slots & set(g.slots)}
    return PLAYER if PLAYER in who else next((w for w in sorted(who) if w != BOARD), BOARD)


def _words(facts: "Facts", you: str) -> str:
    parts = []
    for owner in sorted(facts, key=lambda o: o != PLAYER):
        has = you if owner == PLAYER else f"the {owner} has"
        parts.append(f"{has} {enumerated(facts[owner])}")
    return ", ".join(parts)
