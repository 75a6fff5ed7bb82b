"""What a number means beside a column: a rank, a suit, a hand. So the rules say "a pair of jacks", and never 10172.

A function here answers None where it has nothing better to say than plain arithmetic; the caller has words for that.
`say` gives the words for a column, `hand` for cards that lie together, such as "the player's 3 cards".
"""

from collections.abc import Callable, Iterable, Sequence
from math import comb
from typing import NamedTuple

from pitboss.cards import JOKER, RANK_NAMES, SUIT_NAMES
from pitboss.hands.floors import at_least, exactly, flush_named
from pitboss.rules.column import Column, walk
from pitboss.rules.evaluate import evaluate
from pitboss.rules.operations import HANDS, STRENGTHS, SUITS, plain

Say = Callable[[Column], str]
HandWords = Callable[[Sequence[Column]], str]

MOST_LISTED = 40  # values of a table in one sentence
_SUITS = (*SUIT_NAMES, "no suit")
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven")
_ORDINALS = ("", "", "second", "third", "fourth", "fifth", "sixth")
_TRUTHS = frozenset({"lt", "eq", "ne", "and", "or", "not"})
_HAND_WORDS = {
    "strength": "{}",
    "best_three": "the best three of {}",
    "best_four": "the best four of {}",
    "royals": "the royal run of {}",
    "longest_suit": "the length of the longest suit of {}",
    "flush_strength": "the longest suit of {}",
    "suited_run": "the length of the longest straight flush in {}",
}
_HAND_WORDS |= {op: _HAND_WORDS[plain(op)] for op in STRENGTHS}
assert _HAND_WORDS.keys() == HANDS, "every operation on whole cards has its words"


class Kind(NamedTuple):
    """What the values of a column are: "rank", "suit", "flush", or "strength" of hands that count so many cards."""

    of: str
    cards: int = 0


MOST_KINDS = 200_000
_KINDS: dict[int, Kind | None] = {}  # by uid, which no other column ever has: a live table asks for the same all night


def kind(col: Column) -> Kind | None:
    """What the values of a column are; None for a number like any other. The highest of some ranks is a rank too."""
    global _KINDS
    kinds = _KINDS
    if len(kinds) > MOST_KINDS:
        kinds = _KINDS = {}
    for c in walk([col], kinds):
        parts = c.below[1:] if c.op == "where" else c.below if _chooses(c.op) else ()
        found = {kinds[a.uid] for a in parts if a.op != "const"}
        kinds[c.uid] = found.pop() if len(found) == 1 else _own_kind(c)
    return kinds[col.uid]


def _chooses(op: str) -> bool:
    return op in ("max", "min", "within") or op.startswith("highest_")


def _own_kind(col: Column) -> Kind | None:
    if col.op == "rank" or col.op in SUITS:
        return Kind("rank" if col.op == "rank" else "suit")
    if col.op == "flush_strength":
        return Kind("flush")
    counted = {"strength": min(len(col.args), 5), "best_three": 3, "best_four": 4}.get(plain(col.op))
    return None if counted is None else Kind("strength", counted)


def comparing(col: Column) -> tuple[str, str]:
    """What one says of two such values: a hand is better or worse, a card or a total higher or lower."""
    what = kind(col)
    return ("higher", "lower") if what is None or what.of == "rank" else ("better", "worse")


def named(what: Kind, value: int) -> str:
    """The least rank or hand that reaches a value: `a queen`, `ace-king high`; nothing where none does."""
    if what.of == "strength":
        return at_least(value, what.cards)
    if what.of == "flush":
        return flush_named(value)
    if what.of == "suit":
        return _SUITS[value] if 0 <= value < len(_SUITS) else ""
    name = RANK_NAMES[max(value, 0)] if value < len(RANK_NAMES) else ""
    return f"{'an' if name in ('8', 'ace') else 'a'} {name}" if name else ""


# ---- conditions


def condition(col: Column, say: Say) -> str | None:
    """A comparison of ranks, suits or hands with one that is named; a row of a pay table that is reached or not."""
    if col.op == "not" and col.args[0].op == "not":
        return condition(col.args[0].args[0], say)
    if col.op == "not" and col.args[0].op in ("lt", "eq", "ne"):
        return _compared(col.args[0], say, True)
    if col.op == "lookup":
        return _listed_values(col, say)
    return _compared(col, say, False) if col.op in ("lt", "eq", "ne") else None


def _compared(col: Column, say: Say, negated: bool) -> str | None:
    a, b = col.args
    if (a.op == "const") == (b.op == "const"):
        return None
    value, held = (a.args[0], b) if a.op == "const" else (b.args[0], a)
    if col.op != "lt":
        return _equal(held, value, say, (col.op == "eq") != negated)
    floor, above = (value + 1, not negated) if a.op == "const" else (value, negated)
    return _at_least(held, floor, say) if above else _below(held, floor, say)


def _at_least(col: Column, value: int, say: Say) -> str | None:
    what = kind(col)
    if what is None:
        return None
    name = named(what, value) if value <= col.hi else ""
    if what.of == "suit":
        return f"{say(col)} is {listed(_SUITS[max(value, 0) : col.hi + 1], 'or') or 'none of the four'}"
    if not name:
        return f"{say(col)} is better than there is"
    more = " or higher" if what.of == "rank" else ", or better" if "," in name else " or better"
    return f"{say(col)} is {name}{more * (value < col.hi)}"


def _below(col: Column, value: int, say: Say) -> str | None:
    what = kind(col)
    if what is None:
        return None
    name = named(what, value) if value <= col.hi else ""
    if what.of == "suit":
        return f"{say(col)} is {listed(_SUITS[: min(max(value, 0), col.hi + 1)], 'or') or 'none of the four'}"
    if not name:
        return f"{say(col)} is whatever it may be"
    return f"{say(col)} is {'lower' if what.of == 'rank' else 'less'} than {name}"


def _equal(col: Column, value: int, say: Say, equal: bool) -> str | None:
    steps = floors(col)
    if steps is not None:
        return _reached(*steps, value, say, equal)
    what = kind(col)
    if what is None:
        return None
    name = exactly(value, what.cards) if what.of == "strength" else named(what, value)
    return f"{say(col)} is {'' if equal else 'not '}{name or 'what cannot be'}"


def _listed_values(col: Column, say: Say) -> str | None:
    """A table of yes and no: the values with yes."""
    values, index = col.args
    if not {*values} <= {0, 1} or len(values) > MOST_LISTED:
        return None
    held = [index.lo + i for i, value in enumerate(values) if value]
    what = kind(index)
    if what is not None and what.of != "rank":
        return None
    return f"{say(index)} is {rank_ranges(held) if what else ranges(held, str)}"


def floors(col: Column) -> tuple[Column, list[int]] | None:
    """The value and the rising floors of a sum that counts the floors that a value reaches, as `by_floor` makes it."""
    terms = [a for a in (col.args if col.op == "add" else (col,)) if not (a.op == "const" and a.args[0] == 0)]
    found: list[int] = []
    value: Column | None = None
    for term in terms:
        if term.op != "not" or term.args[0].op != "lt" or term.args[0].args[1].op != "const":
            return None
        compared, floor = term.args[0].args
        if value is not None and compared is not value:
            return None
        value = compared
        found.append(floor.args[0])
    return None if value is None else (value, sorted(found))


def _reached(col: Column, rising: Sequence[int], row: int, say: Say, equal: bool) -> str | None:
    """How far a value has come on a pay table: below its lowest floor, on the highest, or in between."""
    if not 0 <= row <= len(rising) or kind(col) is None:
        return None
    if row == 0:
        return _below(col, rising[0], say) if equal else _at_least(col, rising[0], say)
    if row == len(rising):
        return _at_least(col, rising[-1], say) if equal else _below(col, rising[-1], say)
    under = str(_below(col, rising[row], say)).removeprefix(f"{say(col)} is ")
    return f"{'' if equal else 'it is not so that '}{_at_least(col, rising[row - 1], say)}, but {under}"


# ---- numbers


def number(col: Column, say: Say, hand: HandWords) -> str | None:
    """A hand, ranks in order, a count of cards, a total, a last digit."""
    op, args = col.op, col.args
    if op in _HAND_WORDS:
        return hand(args) if op == "best_four" and len(args) == 4 else _HAND_WORDS[op].format(hand(args))
    if op == "mod":
        by = args[1].args[0]
        return f"the last digit of {say(args[0])}" if by == 10 else f"what {say(args[0])} leaves when divided by {by}"
    if op == "div":
        return f"{say(args[0])} divided by {args[1].args[0]} and rounded down"
    if op == "max" and all(a.op in HANDS for a in args):
        return _best(args, say, hand)
    if op in ("max", "min") or op.startswith("highest_"):
        which = {"max": "highest", "min": "lowest"}.get(op) or f"{_ORDINALS[int(op[-1])]} highest"
        cards = _cards(args)
        return f"the {which} of {hand(cards) if cards else listed(_told(args, say))}"
    if op == "lookup":
        return f"the value of {say(args[1])}"
    return _total(args, say, hand) if op == "add" else None


def _best(hands: Sequence[Column], say: Say, hand: HandWords) -> str:
    """The best of several hands; of all that can be made with some cards in common, in one phrase."""
    common = frozenset.intersection(*(a.slots for a in hands))
    free = frozenset.union(*(a.slots for a in hands)) - common
    some = {len(a.slots - common) for a in hands}
    cards = {c.args[0]: c for a in hands for c in a.args if c.op == "card"}
    every = len({a.op for a in hands}) == len(some) == 1 and len(hands) == comb(len(free), min(some))
    if not every or not cards.keys() >= free | common:
        return f"the best of {listed(_told(hands, say))}"
    any_of = f"any {_NUMBERS[min(some)]} of {hand([cards[s] for s in sorted(free)])}"
    return (
        f"the best of {hand([cards[s] for s in sorted(common)])} with {any_of}" if common else f"the best of {any_of}"
    )


def _told(cols: Iterable[Column], say: Say) -> list[str]:
    """In the order of the cards: columns whose order does not matter come in that in which they were made."""
    return [words for _, words in sorted((sorted(col.slots), say(col)) for col in cols)]


def _cards(cols: Iterable[Column]) -> list[Column]:
    """The cards, where the columns are the ranks of several; else none."""
    found = [c.args[0] for c in cols if c.op == "rank" and c.args[0].op == "card"]
    return found if len(found) > 1 and len(found) == len(list(cols)) else []


def _total(args: Sequence[Column], say: Say, hand: HandWords) -> str | None:
    """A sum over cards: a count of those that fit, or what their values come to."""
    if len(args) > 1 and all(a.op in _TRUTHS or (a.op == "lookup" and {*a.args[0]} <= {0, 1}) for a in args):
        return _count(args, say, hand)
    tables = {a.args[0] for a in args if a.op == "lookup"}
    cards = _cards([a.args[1] for a in args if a.op == "lookup"])
    return f"the total value of {hand(cards)}" if len(tables) == 1 and len(cards) == len(args) else None


def _count(args: Sequence[Column], say: Say, hand: HandWords) -> str:
    slots = [a.slots for a in args]
    fits = {_fitting(a) for a in args if len(a.slots) == 1 and min(a.slots) >= 0 and "carried" not in a.ops}
    if len(fits) == 1 and "" not in fits and len(set(slots)) == len(args) and all(len(s) == 1 for s in slots):
        cards = [c for a in args for c in walk([a]) if c.op == "card"]
        return f"the number of cards among {hand(cards)} that are {fits.pop()}"
    return f"how many of these hold: {'; '.join(_told(args, say))}"


def _fitting(col: Column) -> str:
    """The ranks, or the suits, with which a condition on one card holds; nothing where it looks at both."""
    (slot,) = col.slots
    if not col.ops & SUITS:
        return rank_ranges(ranks_with(col, slot))
    held = {c for c in range(52) if evaluate(col, {slot: c}, {})}
    ranks, suits = sorted({c >> 2 for c in held}), sorted({c & 3 for c in held})
    if len(held) != len(ranks) * len(suits) or not held or (len(ranks) < 13 and len(suits) < 4):
        return ""
    return rank_ranges(ranks) if len(suits) == 4 else listed((SUIT_NAMES[s] for s in suits), "or")


def ranks_with(col: Column, slot: int) -> list[int]:
    """The ranks of the card in a slot with which a condition holds; that of a joker too, where it knows of one."""
    highest = max((c.hi for c in walk((col,)) if c.op == "rank"), default=12)
    return [rank for rank in range(highest + 1) if evaluate(col, {slot: 4 * rank}, {})]


def rank_ranges(ranks: Sequence[int]) -> str:
    """[0, 1, 7, 8, 9] -> '2, 3 or 9 to jack'."""
    return ranges(ranks, lambda rank: "a joker" if rank == JOKER else RANK_NAMES[rank])


def ranges(numbers: Sequence[int], name: Callable[[int], str]) -> str:
    """Numbers by their names, neighbours together."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and runs[-1][-1] == n - 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    parts: list[str] = []
    for run in runs:
        names = [name(n) for n in run]
        parts.extend(names if len(run) < 3 else [f"{names[0]} to {names[-1]}"])
    return listed(parts, "or")


def listed(words: Iterable[str], join: str = "and") -> str:
    """`a, b and c`."""
    told = list(words)
    return f" {join} ".join([", ".join(told[:-1]), told[-1]]) if len(told) > 1 else "".join(told)
