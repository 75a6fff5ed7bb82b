"""Columns in words: what a condition, a number or a hand is called when the rules are read aloud.

A column that the game file has named is called by its name. What would take more than a sentence, or is a number that
means something to the machine alone, is not said at all: `Unsaid` tells the caller to find other words. `naming` knows
what a number is beside a rank, a suit or a hand. Arguments whose order does not matter are told in the order of the
cards, whichever of them was made first.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pitboss.rules import naming
from pitboss.rules.column import Column, node
from pitboss.rules.graph import Group
from pitboss.rules.operations import SUITS, plain

MOST_SAID = 32  # columns in one sentence
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
_CONDITIONS = frozenset({"lt", "eq", "ne", "and", "or", "not"})


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
            return f"{self.card(slot)} is {naming.rank_ranges(naming.ranks_with(col, slot)) or 'no card at all'}"
        known = naming.condition(col, self.say)
        if known is not None:
            return known
        tell: Callable[[Column], str] | None = getattr(self, f"_{col.op}", None) if col.op in _CONDITIONS else None
        if tell is not None:
            return tell(col)
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
        return f"{self.number(col)} is {floor - 1}{' or less' * (floor - 1 > col.lo)}"

    def _at_least(self, col: Column, floor: int) -> str:
        return f"{self.number(col)} is {floor}{' or more' * (floor < col.hi)}"

    def _eq(self, col: Column) -> str:
        return self._equal(col)

    def _ne(self, col: Column) -> str:
        return self._differ(col)

    def _equal(self, col: Column) -> str:
        a, b = sorted(col.args, key=lambda side: side.op == "const")
        if a.op == "compare" and b.op == "const":
            mine, theirs = (self.number(x) for x in a.args)
            more, less = naming.comparing(a.args[0])
            return f"{mine} {(f'is {less} than', 'equals', f'is {more} than')[b.args[0]]} {theirs}"
        if b.op == "const":
            return f"{self.number(a)} is {b.args[0]}"
        same = "is the same card as" if a.op == b.op == "card" else "equals"
        return self._two_sides(a, b, same, same)

    def _differ(self, col: Column) -> str:
        a, b = sorted(col.args, key=lambda side: side.op == "const")
        if b.op == "const":
            return f"{self.number(a)} is not {b.args[0]}"
        other = "is another card than" if a.op == b.op == "card" else "differs from"
        return self._two_sides(a, b, other, other)

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
        parts = self._parts(col) if op in ("add", "max", "min") else list(args)
        if op in ("add", "max", "min") and len(parts) < len(args):  # some of it has a name
            return self._sum(parts) if op == "add" else self._extreme(op, parts)
        if plain(op) == "strength":
            return self._ranked(args)
        known = naming.number(col, self.say, self.hand)
        if known is not None:
            return known
        if op == "const":
            return str(args[0])
        if op == "card":
            return self.card(args[0])
        if op in ("rank", "within"):
            return self.number(args[0])
        if op in SUITS:
            return f"the suit of {self.number(args[0])}"
        if op == "carried":
            return f"the carried {args[0]}"
        if op == "add":
            return self._sum(parts)
        if op == "sub":
            return f"{self.number(args[0])} minus {self.number(args[1])}"
        if op == "mul":
            return " times ".join(self.number(a) for a in sorted(args, key=lambda a: a.op != "const"))
        raise Unsaid

    def say(self, col: Column) -> str:
        """A column of either kind."""
        return self.condition(col) if col.op in _CONDITIONS else self.number(col)

    def _ranked(self, cards: Sequence[Column]) -> str:
        """A poker hand: all that lies before one of them, or cards from here and there."""
        slots = [c.args[0] for c in cards if c.op == "card"]
        owners = {g.who for g in self.groups if {*slots} & {*g.slots}}
        lie = [s for g in self.groups if g.who in owners for s in g.slots]
        if len(owners) == 1 and sorted(lie) == sorted(slots):
            return f"the {owners.pop()}'s hand"
        return f"the {'best ' * (len(cards) > 5)}hand of {self.hand(cards)}" if slots else "the hand"

    def _extreme(self, op: str, parts: Sequence[Column]) -> str:
        return f"the {'highest' if op == 'max' else 'lowest'} of {naming.listed(self._numbers(parts))}"

    def _sum(self, terms: Sequence[Column]) -> str:
        more = sum(a.args[0] for a in terms if a.op == "const")
        parts = [a for a in terms if a.op != "const"]
        if not parts:
            return str(more)
        if len(parts) < len(terms):
            whole = parts[0] if len(parts) == 1 else sum(parts[1:], parts[0])
            sign = "plus" if more > 0 else "minus"
            return f"{self.number(whole)} {sign} {abs(more)}" if more else self.number(whole)
        return f"the total of {naming.listed(self._numbers(parts))}"

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
        return [t for _, t in sorted((sorted(c.slots), self.number(c)) for c in cols)]

    def card(self, slot: int) -> str:
        """`the dealer's second card`."""
        mine = next((g for g in self.groups if slot in g.slots), None)
        if mine is None:
            raise Unsaid
        all_of = [s for g in self.groups if g.who == mine.who for s in g.slots]
        place = all_of.index(slot)
        which = "" if len(all_of) == 1 else f"{_ORDINALS[place] if place < 7 else f'{place + 1}th'} "
        return f"the {mine.who}'s {which}card"

    def hand(self, cards: Sequence[Column]) -> str:
        """`the player's 5 and the board's 2 cards`."""
        slots = {c.args[0] for c in cards if c.op == "card"}
        if len(slots) < len(cards):  # some are kept by a mark
            return "the hand"
        counts = {g.who: 0 for g in self.groups if slots & set(g.slots)}
        for g in self.groups:
            if g.who in counts:
                counts[g.who] += len(slots & set(g.slots))
        if not counts:
            raise Unsaid
        return f"{' and '.join(f'the {who}{chr(39)}s {n}' for who, n in counts.items())} card{'s' * (len(slots) > 1)}"

    def spend(self) -> None:
        """One more thing is said."""
        self.said += 1
        if self.said > MOST_SAID:
            raise Unsaid


def _on_one_rank(col: Column) -> bool:
    """Whether a condition is on the rank of one card, and nothing else."""
    return len(col.slots) == 1 and min(col.slots) >= 0 and not col.ops & {*SUITS, "carried"}


def _in_order(told: list[tuple[Column, str]]) -> list[tuple[Column, str]]:
    """In the order of the cards that they look at: what was dealt last is asked last."""
    return sorted(told, key=lambda pair: (max(pair[0].slots, default=99), min(pair[0].slots, default=99), pair[1]))
