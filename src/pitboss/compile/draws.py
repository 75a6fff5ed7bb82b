"""Random cards in machine code: the twin of `pitboss.cards.streams`, and partial Fisher-Yates over the shoe."""

from collections.abc import Sequence
from math import prod

import llvmlite.ir as ir

from pitboss.compile.emit import Emitter
from pitboss.compile.kinds import I64, I128, Value, const
from pitboss.rules.column import card_in

RUN_OUT = 2  # what the function returns when there is no card left


class Draws(Emitter):
    """Draws from the array `shoe`; `random` is the stream, `position` the next card of the shoe."""

    cards: int
    random: list[Value]
    ready: Value  # the next word
    position: Value
    discards: Value

    def _word(self) -> Value:
        """xoshiro256**, the twin of pitboss.cards.Stream.word. The next word is worked out when this one is taken:
        nothing waits for it then, least of all after a jump that the processor has guessed wrong."""
        b = self.b
        out = b.load(self.ready)
        s0, s1, s2, s3 = (b.load(p) for p in self.random)
        t = b.shl(s1, const(17))
        s2, s3 = b.xor(s2, s0), b.xor(s3, s1)
        new = (b.xor(s0, s3), b.xor(s1, s2), b.xor(s2, t), self._rotl(s3, 45))
        for place, value in zip(self.random, new, strict=True):
            b.store(value, place)
        b.store(self._scrambled(new[1]), self.ready)
        return out

    def _scrambled(self, s1: Value) -> Value:
        return self.b.mul(self._rotl(self.b.mul(s1, const(5)), 7), const(9))

    def _rotl(self, x: Value, k: int) -> Value:
        return self.b.or_(self.b.shl(x, const(k)), self.b.lshr(x, const(64 - k)))

    def _below(self, rest: Value, bound: Value) -> tuple[Value, Value]:
        """(rest * bound) as high and low words: a number below the bound, and what is left for the next."""
        full = self.b.mul(self.b.zext(rest, I128), self.b.zext(bound, I128))
        return self.b.trunc(self.b.lshr(full, ir.Constant(I128, 64)), I64), self.b.trunc(full, I64)

    def _draw_static(self, slots: Sequence[int], last: int) -> None:
        """Cards for known slots, all from one random word."""
        for slot, pick in zip(slots, self._picks(slots), strict=True):
            self._take(self.b.add(pick, const(slot)), const(slot), slot, swap=slot != last)

    def _picks(self, slots: Sequence[int]) -> list[Value]:
        """Which of the cards left each slot gets: one random word, redrawn until uniform."""
        b = self.b
        bounds = [self.cards - s for s in slots]
        reject = ((1 << 64) - prod(bounds)) % prod(bounds)
        again, on = self.block("draw"), self.block("drawn")
        b.branch(again)
        b.position_at_end(again)
        rest, picks = self._word(), []
        for bound in bounds:
            pick, rest = self._below(rest, const(bound))
            picks.append(pick)
        b.cbranch(b.icmp_unsigned("<", rest, const(reject)), again, on)
        b.position_at_end(on)
        return picks

    def _take(self, j: Value, position: Value, slot: int, swap: bool = True) -> Value:
        b = self.b
        there, here = (b.gep(self.argument["shoe"], [i], inbounds=True) for i in (j, position))
        card = b.load(there)
        if swap:  # nothing is drawn after the last card of the longest round, so it may stay where it is
            b.store(b.load(here), there)
            b.store(card, here)
        wide = b.zext(card, I64)
        if slot >= 0:
            self.bind(card_in(slot), wide)
        return wide

    def _in_all(self) -> Value:
        """Cards of the full shoe."""
        return const(self.cards)

    def _draw_dynamic(self) -> Value:
        """The next card of the shoe: one random word a card. When the shoe has run out, the discards of earlier rounds
        are shuffled and dealt from, as a dealer would."""
        b = self.b
        position = b.load(self.position)
        bound = b.sub(self._in_all(), position)
        out, empty, on = self.block("card"), self.block("empty"), self.block("left")
        b.cbranch(b.icmp_unsigned("==", bound, const(0)), empty, on)
        b.position_at_end(empty)
        left = b.load(self.discards)
        none, some = self.block("none"), self.block("some")
        b.cbranch(b.icmp_unsigned("==", left, const(0)), none, some)
        b.position_at_end(none)
        b.ret(const(RUN_OUT))
        b.position_at_end(some)
        last = b.sub(left, const(1))
        old = self._take(self._one_below(left), last, slot=-1)
        b.store(last, self.discards)
        came_from = b.block
        b.branch(out)
        b.position_at_end(on)
        pick = self._one_below(bound)
        b.store(b.add(position, const(1)), self.position)
        new = self._take(b.add(position, pick), position, slot=-1)
        drawn = b.block
        b.branch(out)
        b.position_at_end(out)
        card = b.phi(I64)
        card.add_incoming(old, came_from)
        card.add_incoming(new, drawn)
        return card

    def _one_below(self, bound: Value) -> Value:
        b = self.b
        again, rare, on = self.block("draw"), self.block("rare"), self.block("drawn")
        b.branch(again)
        b.position_at_end(again)
        pick, rest = self._below(self._word(), bound)
        b.cbranch(b.icmp_unsigned("<", rest, bound), rare, on)
        b.position_at_end(rare)
        b.cbranch(b.icmp_unsigned("<", rest, b.urem(b.sub(const(0), bound), bound)), again, on)
        b.position_at_end(on)
        return pick
