"""Columns in words: what a condition, a number or a hand is called when the rules are read aloud.

A column that the game file has named is called by its name. What would take more than a sentence, or is a number that
means something to the machine alone, is not said at all: `Unsaid` tells the caller to find other words. Arguments whose
order does not matter are told in the order of the cards, whichever of them was made first.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pitboss.cards import RANK_NAMES
from pitboss.hands.categories import CATEGORIES
from pitboss.rules.column import Column, node, walk
from pitboss.rules.evaluate import evaluate
from pitboss.rules.graph import Group

MOST_SAID = 32  # columns in one sentence
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
_CONDITIONS = frozenset({"lt", "eq", "ne", "and", "or", "not"})
_RANKS, _STRENGTHS = frozenset({"rank"}), frozenset({"strength"})


class Unsaid(Exception):
    """This cannot be said in a few plain words."""


@dataclass
class Wording:
    """The words for one point of a round."""

    groups: Sequence[Group]  # what lies where
    names: Mapping[int, tuple[Column, str]] = field(default_factory=dict)  # by uid: a column, what the file calls it
    said: int = 0

    # ---- conditions

    def condition(self, col: Column) -> str:
        """A condition; one that looks at the rank of a single card lists the ranks."""
        if col.uid in self.names:
            return self.names[col.uid][1]
        self.spend()
        if _on_one_rank(col):
            (slot,) = col.slots
            return f"{self.card(slot)} is {_of_ranks([r for r in range(13) if evaluate(col, {slot: 4 * r}, {})])}"
        say: Callable[[Column], str] | None = getattr(self, f"_{col.op}", None) if col.op in _CONDITIONS else None
        if say is not None:
            return say(col)
        if col.op == "lookup":
            values, inner = col.args
            return f"{self.number(inner)} is {_runs([str(inner.lo + i) if v else '' for i, v in enumerate(values)])}"
        if col.op == "carried":
            return f"{self.number(col)} is 1"
        raise Unsaid

    def _lt(self, col: Column) -> str:
        a, b = col.args
        if a.op == "const":
            return self._at_least(b, a.args[0] + 1)
        if b.op == "const":
            return self._below(a, b.args[0])
        return self._two_sides(a, b, "is lower than", "is higher than")

    def _not(self, col: Column) -> str:
        (inner,) = col.args
        if inner.uid in self.names:
            return f"it is not so that {self.names[inner.uid][1]}"
        if inner.op == "eq":
            return self._differ(inner)
        if inner.op == "ne":
            return self._equal(inner)
        if inner.op == "not":
            return self.condition(inner.args[0])
        if inner.op != "lt":
            return f"it is not so that {self.condition(inner)}"
        a, b = inner.args
        if a.op == "const":
            return self._below(b, a.args[0] + 1)
        if b.op == "const":
            return self._at_least(a, b.args[0])
        return self._two_sides(a, b, "is at least as high as", "is no higher than")

    def _below(self, col: Column, floor: int) -> str:
        if _kind(col) == _STRENGTHS:
            return f"{self.number(col)} is less than {self.floor(col, floor)}"
        if _kind(col) == _RANKS:
            return f"{self.number(col)} is lower than {self.floor(col, floor)}"
        return f"{self.number(col)} is {floor - 1}{' or less' * (floor - 1 > col.lo)}"

    def _at_least(self, col: Column, floor: int) -> str:
        if _kind(col) == _STRENGTHS:
            return f"{self.number(col)} is {self.floor(col, floor)} or better"
        if _kind(col) == _RANKS:
            return f"{self.number(col)} is {self.floor(col, floor)} or higher"
        return f"{self.number(col)} is {floor}{' or more' * (floor < col.hi)}"

    def floor(self, col: Column, value: int) -> str:
        """What a strength or a rank is compared with."""
        named = {floor: name for name, floor in CATEGORIES}.get(value)
        if named is None or col.op != "strength" or len(col.args) < 5:
            raise Unsaid
        return f"a {named}"

    def _eq(self, col: Column) -> str:
        return self._equal(col)

    def _ne(self, col: Column) -> str:
        return self._differ(col)

    def _equal(self, col: Column) -> str:
        a, b = sorted(col.args, key=lambda side: side.op == "const")
        if a.op == "compare" and b.op == "const":
            mine, theirs = (self.number(x) for x in a.args)
            return f"{mine} {('is lower than', 'equals', 'is higher than')[b.args[0]]} {theirs}"
        if b.op == "const":
            return f"{self.number(a)} is {self._constant(b, a)}"
        same = "is the same card as" if a.op == b.op == "card" else "equals"
        return self._two_sides(a, b, same, same)

    def _differ(self, col: Column) -> str:
        a, b = sorted(col.args, key=lambda side: side.op == "const")
        if b.op == "const":
            return f"{self.number(a)} is not {self._constant(b, a)}"
        other = "is another card than" if a.op == b.op == "card" else "differs from"
        return self._two_sides(a, b, other, other)

    def _constant(self, col: Column, beside: Column) -> str:
        return self.floor(beside, col.args[0]) if _kind(beside) else str(col.args[0])

    def _two_sides(self, a: Column, b: Column, between: str, turned: str) -> str:
        """The side whose cards are dealt first comes first."""
        told = [(min(side.slots, default=99), self.number(side)) for side in (a, b)]
        (_, first), (_, second) = sorted(told)
        return f"{first} {between if told[0] <= told[1] else turned} {second}"

    def _and(self, col: Column) -> str:
        one_card: dict[int, list[Column]] = {}
        parts: list[Column] = []
        for a in self._parts(col):
            if _on_one_rank(a) and a.uid not in self.names:
                one_card.setdefault(next(iter(a.slots)), []).append(a)
            else:
                parts.append(a)
        parts += [same[0] if len(same) == 1 else node("and", tuple(same), 0, 1) for same in one_card.values()]
        told = _in_order([(a, self.condition(a)) for a in parts])
        choices = {a.uid for a in parts if a.op == "or" and a.uid not in self.names}
        plain = [t for a, t in told if a.uid not in choices]  # first, so that nobody takes them for part of a choice
        return " and ".join([*plain, *(f"either {t}" for a, t in told if a.uid in choices)])

    def _or(self, col: Column) -> str:
        told = [t for _, t in _in_order([(a, self.condition(a)) for a in self._parts(col)])]
        return (", or " if any(" and " in t for t in told) else " or ").join(told)

    # ---- numbers

    def number(self, col: Column) -> str:
        """A number, a card or a hand."""
        if col.uid in self.names:
            return self.names[col.uid][1]
        self.spend()
        op, args = col.op, col.args
        if op == "const":
            return str(args[0])
        if op == "card":
            return self.card(args[0])
        if op in ("rank", "within"):
            return self.number(args[0])
        if op == "suit":
            return f"the suit of {self.number(args[0])}"
        if op == "carried":
            return f"the carried {args[0]}"
        if op == "strength":
            return self.hand(col)
        if op == "royals":
            return f"the royal run of {self.hand(col)}"
        if op == "lookup":
            return f"the value of {self.number(args[1])}"
        if op == "add":
            return self._sum(col)
        if op == "sub":
            return f"{self.number(args[0])} minus {self.number(args[1])}"
        if op == "mul":
            return " times ".join(self.number(a) for a in sorted(args, key=lambda a: a.op != "const"))
        if op in ("max", "min"):
            return f"the {'highest' if op == 'max' else 'lowest'} of {both(self._numbers(self._parts(col)))}"
        raise Unsaid

    def _sum(self, col: Column) -> str:
        terms = self._parts(col)
        more = sum(a.args[0] for a in terms if a.op == "const")
        parts = self._numbers(a for a in terms if a.op != "const")
        if not parts:
            return str(more)
        total = f"the total of {both(parts)}" if len(parts) > 1 else parts[0]
        return f"{total} {'plus' if more > 0 else 'minus'} {abs(more)}" if more else total

    def _parts(self, col: Column) -> list[Column]:
        """The arguments of an operation that dissolves its own kind; what has a name is put together again."""
        left = list(col.args)
        found = []
        for named, _ in self.names.values():
            if named.op == col.op and named is not col and len(named.args) <= len(left):
                rest = Counter(a.uid for a in left)
                rest.subtract(a.uid for a in named.args)
                if min(rest.values()) >= 0:
                    found.append(named)
                    by_uid = {a.uid: a for a in left}
                    left = [by_uid[uid] for uid in rest.elements()]
        return found + left

    def _numbers(self, cols: Iterable[Column]) -> list[str]:
        return [t for _, t in sorted((min(c.slots, default=99), self.number(c)) for c in cols)]

    def card(self, slot: int) -> str:
        """`the dealer's second card`."""
        mine = next((g for g in self.groups if slot in g.slots), None)
        if mine is None:
            raise Unsaid
        all_of = [s for g in self.groups if g.who == mine.who for s in g.slots]
        place = all_of.index(slot)
        which = "" if len(all_of) == 1 else f"{_ORDINALS[place] if place < 7 else f'{place + 1}th'} "
        return f"the {mine.who}'s {which}card"

    def hand(self, col: Column) -> str:
        """`the player's 5 and the board's 2 cards`."""
        slots = {c.args[0] for c in col.args if c.op == "card"}
        if len(slots) < len(col.args):  # cards that a mark has kept
            raise Unsaid
        counts = {g.who: 0 for g in self.groups if slots & set(g.slots)}
        for g in self.groups:
            if g.who in counts:
                counts[g.who] += len(slots & set(g.slots))
        return f"{' and '.join(f'the {who}{chr(39)}s {n}' for who, n in counts.items())} cards"

    def spend(self) -> None:
        """One more thing is said."""
        self.said += 1
        if self.said > MOST_SAID:
            raise Unsaid


def _on_one_rank(col: Column) -> bool:
    """Whether a condition is on the rank of one card, and nothing else."""
    return len(col.slots) == 1 and min(col.slots) >= 0 and not col.ops & {"suit", "carried"}


def _kind(col: Column) -> frozenset[str]:
    """Whether a column holds ranks or strengths; neither, if it is a number like any other."""
    kinds: dict[int, frozenset[str]] = {}
    for c in walk([col]):
        parts = c.below if c.op in ("max", "min", "within") else ()
        own = frozenset({c.op}) if c.op in ("rank", "strength") else frozenset[str]()
        kinds[c.uid] = own.union(*(kinds[a.uid] for a in parts))
    return kinds[col.uid]


def _in_order(told: list[tuple[Column, str]]) -> list[tuple[Column, str]]:
    """In the order of the cards that they look at: what was dealt last is asked last."""
    return sorted(told, key=lambda pair: (max(pair[0].slots, default=99), min(pair[0].slots, default=99), pair[1]))


def _of_ranks(ranks: list[int]) -> str:
    """[0, 1, 7, 8, 9] -> '2, 3 or 9 to jack'."""
    return _runs([name if r in ranks else "" for r, name in enumerate(RANK_NAMES)]) or "no card at all"


def _runs(names: Sequence[str]) -> str:
    """['', 'a', 'b', '', 'd', 'e', 'f'] -> 'a, b or d to f': neighbours together."""
    runs: list[list[str]] = [[]]
    for name in names:
        if name:
            runs[-1].append(name)
        elif runs[-1]:
            runs.append([])
    parts: list[str] = []
    for run in runs:
        parts.extend(run if len(run) < 3 else [f"{run[0]} to {run[-1]}"])
    return either(parts)


def either(words: Sequence[str]) -> str:
    """`a, b or c`."""
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def both(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)
