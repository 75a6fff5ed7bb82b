"""How many hidden hands avoid some cards: a counter for each of their subsets, and signed sums of them.

A hidden hand that is entered adds one to the counter of each of its subsets. The hands entered so far that avoid some
cards are the sum, over the subsets of these cards, of the counters with a sign for each card. Where suits are names
only, hidden hands are entered once for all that differ in nothing else, and so are the counters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

from pitboss.compile.emit import Emitter
from pitboss.compile.kinds import I8, I32, I64, Value, const
from pitboss.exact.hidden.deals import STAYS, Alike, Suits, alike
from pitboss.exact.hidden.duel import Duel
from pitboss.exact.hidden.sights import Sight
from pitboss.ledger.cells import Cells
from pitboss.rules.column import Column, card_in

BELOW, LEVEL, ABOVE = 0, 1, 2  # the hidden hand against the player's
KEY, CLASS = 40, 32  # bits of a sorted number: what is compared, the class of a hidden hand, which hand it is
NUMBERS = ("first", "last", "hands", "hidden_hands")
POINTERS = {
    "boards": I8, "board_weight": I64, "own": I8, "own_rising": I8, "own_mask": I64, "own_weight": I64,
    "own_seen": I32, "held": I8, "held_mask": I64, "held_weight": I64, "alike": I32, "choose": I64,
    "units": I64, "mine": I64, "mine_too": I64,
    "his": I64, "his_too": I64, "now": I64, "every": I64, "below": I64, "kept": I64, "ids": I32, "renamings": I8,
    "moved": I32, "sums": I64, "policy": I8, "answers": I8, "out": I64,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Plan:
    """What the function is to do, and where the parts of its arrays begin."""

    duel: Duel
    cells: Cells
    sights: dict[int, Sight]
    kind: str  # "worth": what choices are worth; "law": where rounds end; "rows": worth at decisions that see all
    tables: tuple[int, ...]  # decisions with a table, by node id
    ways: tuple[tuple[int, ...], ...]  # assignments
    board_at: dict[int, int]  # decision -> where its classes of boards begin in `ids` and `renamings`
    moved_at: dict[int, int]  # own cards seen -> where their numbers begin in `moved`
    table_at: dict[int, int]  # decision -> where it begins in `sums`
    policy_at: dict[int, int]  # and in `policy`
    seen_at: dict[int, int]  # decision -> where the numbers of what it sees of each hand begin in `own_seen`
    answers_at: dict[int, int]  # decision -> where a given strategy's answers begin; empty: the best is played
    said: dict[int, Column]  # decision -> the number of the choice that a rule makes
    mirrored: bool  # the hidden hands are those of the player's list
    suits: Suits  # that hands are listed up to

    @property
    def most(self) -> int:
        """Cards of the largest subset that has a counter. A hidden hand that is the player's very hand is put right by
        itself, where the two are equally long."""
        q, h = len(self.duel.own_slots), len(self.duel.hidden)
        return h - 1 if q == h else min(q, h)

    @property
    def alike(self) -> Alike | None:
        """Sets of cards up to suits, where hidden hands are listed so."""
        return alike(self.most, self.suits) if self.duel.folded else None

    @property
    def counters(self) -> int:
        """Of sets of cards, for each class."""
        return sum(comb(52, k) for k in range(self.most + 1)) if self.alike is None else self.alike.classes

    @property
    def widths(self) -> dict[str, int]:
        """Classes in each array of counters. Where classes rise with what is compared, one need not be told apart while
        hands are entered, and the strongest is what is left of all."""
        rising = self.duel.rising
        return {"now": self.duel.told_apart, "every": self.duel.classes if rising is None else len(rising) - 1}


class Counters(Emitter):
    """The function being written: hidden hands entered, and asked for."""

    def __init__(self, module: Any, name: str, plan: Plan) -> None:
        arguments = [(n, I64) for n in NUMBERS] + [(n, t.as_pointer()) for n, t in POINTERS.items()]
        super().__init__(module, name, arguments)
        self.plan, self.duel = plan, plan.duel
        self.classes, self.widths, self.alike = range(self.duel.classes), plan.widths, plan.alike
        self.sides = (BELOW, LEVEL, ABOVE) if self.duel.feature is not None else (LEVEL,)
        self.low = min((c.lo for c in (self.duel.feature, self.duel.against) if c is not None), default=0)

    def _clear(self, array: str) -> None:
        with self.loop(const(0), const(self.plan.counters * self.widths[array])) as (i, _):
            self.b.store(const(0), self.b.gep(self.argument[array], [i]))

    def _subsets(self, cards: Sequence[Value]) -> Iterator[tuple[int, Value]]:
        """Every subset of a hand that has a counter: how many cards, and its number among all."""
        b, start = self.b, 0
        adds = {
            (i, k): self.load("choose", b.add(const(64 * k), card))
            for i, card in enumerate(cards)
            for k in range(1, min(i + 1, self.plan.most) + 1)
        }
        for size in range(self.plan.most + 1):
            for some in combinations(range(len(cards)), size):
                number = const(start)
                for k, i in enumerate(some):
                    number = b.add(number, adds[i, k + 1])
                yield size, number
            start += comb(52, size)

    def _enter(self, packed: Value, array: str) -> None:
        """A hidden hand adds one to the counter of each of its subsets. Listed up to suits, it adds as many as it
        stands for, times the renamings that leave the subset as it is: the same multiple of what each counts."""
        b, width = self.b, self.widths[array]
        hand = b.and_(packed, const((1 << CLASS) - 1))
        cards = "own" if self.plan.mirrored else "held"
        held = [self.load(cards, b.add(b.mul(hand, const(len(self.duel.hidden))), const(i)))
                for i in range(len(self.duel.hidden))]  # fmt: skip
        amount = const(1) if self.alike is None else self.load(f"{cards}_weight", hand)
        for _, number in self._subsets(held):
            times, place = amount, number
            if self.alike is not None:
                found = self.load("alike", number)
                place, stays = b.udiv(found, const(STAYS)), b.urem(found, const(STAYS))
                times = b.mul(amount, stays)
            if width > 1:
                place = b.add(b.mul(place, const(width)), self._kind(packed))
            self.add_to(array, place, times)

    def _answer(self, array: str, cards: Sequence[Value]) -> list[Value]:
        """Per class: how many of the hidden hands that have been entered avoid these cards, less the very hand."""
        b, width = self.b, self.widths[array]
        out: list[Value] = [const(0) for _ in range(width)]
        for size, number in self._subsets(cards):
            place = number if self.alike is None else b.udiv(self.load("alike", number), const(STAYS))
            start = b.mul(place, const(width))
            for c in range(width):
                n = self.load(array, b.add(start, const(c)))
                out[c] = b.sub(out[c], n) if size % 2 else b.add(out[c], n)
        return out if self.alike is None else [b.sdiv(n, const(self.alike.renamings)) for n in out]

    def _class(self) -> Value:
        """The class of the hidden hand that is bound now; its place among them, where they rise."""
        out = const(0)
        for col in self.duel.told:
            out = self.b.add(self.b.mul(out, const(col.hi - col.lo + 1)), self.b.sub(self.number(col), const(col.lo)))
        if self.duel.rising is None:
            return out
        places = [self.duel.rising.index(c) if c in self.duel.rising else 0 for c in self.classes]
        return self.b.load(self.b.gep(self._table(tuple(places)), [const(0), out]))

    def _row(self, i: Value) -> Value:
        return self.b.and_(self.load("mine", i), const((1 << CLASS) - 1))

    def _own_cards(self, i: Value, array: str = "own") -> list[Value]:
        b, hand, n = self.b, self._row(i), len(self.duel.own_slots)
        return [self.load(array, b.add(b.mul(hand, const(n)), const(k))) for k in range(n)]

    def _cases(self, i: Value, cards: Sequence[Value], key: Value) -> dict[tuple[int, int], Value]:
        """(side, class) -> hidden hands that avoid the player's cards."""
        b, duel = self.b, self.duel
        if not duel.hidden:
            return {(LEVEL, 0): const(1)}
        total = const(comb(duel.cards - len(duel.board_slots) - len(cards), len(duel.hidden)))
        every = self._answer("every", cards) if duel.classes > 1 else []
        below, level = [], []
        if duel.feature is not None:
            level = self._answer("now", cards)
            start = b.mul(i, const(duel.told_apart))
            below = [self.load("below", b.add(start, const(c))) for c in range(duel.told_apart)]
        if len(cards) == len(duel.hidden):
            self._very_hand(i, cards, key, below, level, every)
        every = every if duel.classes > 1 and duel.rising is None else [*every, total]
        if duel.feature is None:
            return {(LEVEL, c): every[c] for c in self.classes}
        if duel.rising is not None:
            below, level, every = self._by_class(below[0], level[0], every)
        out: dict[tuple[int, int], Value] = {}
        for c in self.classes:
            out[BELOW, c] = below[c]
            out[LEVEL, c] = b.sub(level[c], below[c])
            out[ABOVE, c] = b.sub(every[c], level[c])
        return out

    def _by_class(self, below: Value, level: Value, every: list[Value]) -> tuple[list[Value], list[Value], list[Value]]:
        """Where classes rise: of the hands below, as many lie in the weakest classes as these have at all."""
        b, rising = self.b, self.duel.rising
        assert rising is not None
        out = [const(0)] * len(self.classes), [const(0)] * len(self.classes), [const(0)] * len(self.classes)
        up_to, before = const(0), [const(0), const(0), const(0)]
        for place, kind in enumerate(rising):
            last = place == len(rising) - 1
            up_to = every[place] if last else b.add(up_to, every[place])
            lowest = [n if last else b.select(b.icmp_signed("<", n, up_to), n, up_to) for n in (below, level)]
            for part, n, m in zip(out, [*lowest, up_to], before, strict=True):
                part[kind] = b.sub(n, m)
            before = [*lowest, up_to]
        return out

    def _very_hand(
        self, i: Value, cards: Sequence[Value], key: Value, below: list[Value], level: list[Value], every: list[Value]
    ) -> None:
        """The hidden hand that is the player's very hand has no counter: the last term of the sum, put in by itself."""
        b, duel = self.b, self.duel
        put = b.sub if len(cards) % 2 else b.add
        with self.scope():
            for slot, card in zip(duel.hidden, cards, strict=True):
                self.bind(card_in(slot), card)
            kind = self._kind(self.load("mine", i)) if self.plan.mirrored else self._class()
            value = key
            if duel.feature is not None and not self.plan.mirrored:
                value = b.sub(self.number(duel.feature), const(self.low))
            of_class = [b.zext(b.icmp_unsigned("==", kind, const(c)), I64) for c in self.classes]
            for c in range(len(every)):
                every[c] = put(every[c], of_class[c])
            for c in range(len(below)):
                there = of_class[c] if len(below) > 1 else const(1)
                below[c] = put(below[c], b.and_(there, b.zext(b.icmp_unsigned("<", value, key), I64)))
                level[c] = put(level[c], b.and_(there, b.zext(b.icmp_unsigned("<=", value, key), I64)))

    def _kind(self, packed: Value) -> Value:
        return self.b.and_(self.b.lshr(packed, const(CLASS)), const((1 << (KEY - CLASS)) - 1))
