"""Poker hands in machine code: a sum and an or per card, one or two loads at the end (see `pitboss.hands.tables`).

The tables are too large to stand in the code. A function gets their addresses in one array, and the module carries the
hash of their contents, so that the cache of object code depends on them.
"""

import hashlib
from collections.abc import Collection, Sequence
from functools import cache, reduce
from typing import TYPE_CHECKING, Any

import llvmlite.ir as ir
import numpy as np
from numpy.typing import NDArray

from pitboss.cards import JOKERS
from pitboss.compile.kinds import I1, I8, I16, I32, I64, Value, const
from pitboss.hands.jokers import COUNTED, MASKS, MOST, SYMBOLS, JokerTables, joker_tables, places
from pitboss.hands.tables import BUCKETS, FLUSH, SLOTS, START, Tables, hand_tables
from pitboss.rules.column import Column

if TYPE_CHECKING:
    from pitboss.compile.emit import Emitter

_PLAIN = list(Tables.__dataclass_fields__)
_WITH_JOKERS = list(JokerTables.__dataclass_fields__)
_FIELDS = [*_PLAIN, *_WITH_JOKERS]
_KINDS = {"card_keys": I64, "card_masks": I64, "displacements": I32, "royals": I8, "runs": I8, "joker_next": I32}
_ALL = SLOTS + (1 << 13)


def addresses(needed: Collection[str]) -> NDArray[np.uint64]:
    """The array that a function is called with: where the tables lie that it needs. One that ranks no hands, or none
    with jokers, need not wait for theirs."""
    if not needed:
        return np.zeros(1, np.uint64)
    return np.array([_array(name).ctypes.data if name in needed else 0 for name in _FIELDS], np.uint64)


def _array(name: str) -> NDArray[Any]:
    found: NDArray[Any] = getattr(joker_tables() if name in _WITH_JOKERS else hand_tables(), name)
    return found


@cache
def _hash(jokers: bool) -> str:
    fields = _WITH_JOKERS if jokers else _PLAIN
    return hashlib.sha256(b"".join(_array(name).tobytes() for name in fields)).hexdigest()[:16]


def _table(e: "Emitter", name: str) -> Value:
    """The address of a table, fetched once at the start of the function."""
    e.ranks_hands.add(name)
    key = ("table", name)
    if key not in e.scopes[0]:
        mark = f"hands_{_hash(name in _WITH_JOKERS)}"
        if mark not in e.module.globals:
            note = ir.GlobalVariable(e.module, I8, mark)
            note.linkage, note.global_constant, note.initializer = "internal", True, ir.Constant(I8, 0)
        with e.b.goto_entry_block():
            place = e.b.gep(e.argument["tables"], [const(_FIELDS.index(name))])
            kind = _KINDS.get(name, I16)
            e.scopes[0][key] = e.b.inttoptr(e.b.load(place), kind.as_pointer())
    return e.scopes[0][key]


def _load(e: "Emitter", name: str, index: Value, size: int) -> Value:
    e.check(index, size)
    value = e.b.load(e.b.gep(_table(e, name), [index], inbounds=True))
    return value if value.type == I64 else e.b.zext(value, I64)


def gather(e: "Emitter", cards: Sequence[Column]) -> tuple[Value, Value]:
    """Rank keys, suit counters and suit masks of some cards; sums of the cards known first are shared."""
    cards = sorted(cards, key=lambda c: e.bound_at[c.uid])
    if not cards:
        return const(START - (1 << 64) if START >= 1 << 63 else START), const(0)
    key = ("gather", *(c.uid for c in cards))
    found = e.known(key)
    if found is None:
        total, mask = gather(e, cards[:-1])
        card = e.number(cards[-1])
        found = (
            e.b.add(total, _load(e, "card_keys", card, 52 + len(JOKERS))),
            e.b.or_(mask, _load(e, "card_masks", card, 52 + len(JOKERS))),
        )
        e.scopes[-1][key] = found
    return found


def _suited(e: "Emitter", cards: Sequence[Column]) -> Value:
    """The ranks of the suit that has five cards or more, or 0: behind one jump, which the processor guesses well."""
    key = ("suited", *(c.uid for c in cards))
    found = e.known(key)
    if found is not None:
        return found
    b = e.b
    total, mask = gather(e, cards)
    flush = b.and_(total, const(FLUSH - (1 << 64)))
    ranks = e.variable(const(0))
    with b.if_then(b.icmp_unsigned("!=", flush, const(0)), likely=False):
        low = b.cttz(flush, ir.Constant(I1, 1))  # bit 51 + 4 * suit
        shift = b.shl(b.lshr(b.sub(low, const(51)), const(2)), const(4))
        b.store(b.and_(b.lshr(mask, shift), const(0x1FFF)), ranks)
    e.scopes[-1][key] = b.load(ranks)
    return e.scopes[-1][key]


def strength(e: "Emitter", cards: Sequence[Column]) -> Value:
    """The strength of two or three cards, or of the best five of five to seven."""
    b = e.b
    if len(cards) < 4:
        return _few(e, cards)
    plain, suited = _place(e, cards), _suited(e, cards)
    some = b.icmp_unsigned("!=", suited, const(0))  # with five of a suit there is no full house
    return _load(e, "strengths", b.select(some, b.add(const(SLOTS), suited), plain), _ALL)


def best_four(e: "Emitter", cards: Sequence[Column]) -> Value:
    """The strength of the best four of four to seven cards."""
    return _best(e, "best_four", cards)


def best_three(e: "Emitter", cards: Sequence[Column]) -> Value:
    """The strength of the best three of four to seven cards."""
    return _best(e, "best_three", cards)


def _best(e: "Emitter", table: str, cards: Sequence[Column]) -> Value:
    """By the ranks of all cards, or by those of one suit: whichever is stronger."""
    found = _load(e, table, _place(e, cards), _ALL)
    for suit in range(4):
        found = _larger(e, found, _load(e, table, e.b.add(const(SLOTS), _ranks_in(e, cards, suit)), _ALL))
    return found


def _place(e: "Emitter", cards: Sequence[Column]) -> Value:
    """Where the ranks of these cards stand in a table of strengths."""
    b = e.b
    total, _ = gather(e, cards)
    low = b.and_(total, const(0xFFFFFFFF))
    shift = _load(e, "displacements", b.and_(low, const(BUCKETS - 1)), BUCKETS)
    return b.and_(b.add(b.lshr(low, const(15)), shift), const(SLOTS - 1))


def _ranks_in(e: "Emitter", cards: Sequence[Column], suit: int) -> Value:
    """The ranks of one suit, as bits."""
    _, mask = gather(e, cards)
    return e.b.and_(e.b.lshr(mask, const(16 * suit)), const(0x1FFF))


def _larger(e: "Emitter", x: Value, y: Value) -> Value:
    return e.b.select(e.b.icmp_unsigned(">", x, y), x, y)


def _few(e: "Emitter", cards: Sequence[Column]) -> Value:
    b = e.b
    codes = [e.number(c) for c in cards]
    index = const(0)
    for code in codes:
        index = b.add(b.mul(index, const(13)), b.lshr(code, const(2)))
    if len(cards) == 2:
        return _load(e, "two", index, 169)
    differ = b.or_(b.xor(codes[0], codes[1]), b.xor(codes[0], codes[2]))
    suited = b.icmp_unsigned("==", b.and_(differ, const(3)), const(0))
    return _load(e, "three", b.select(suited, b.add(index, const(2197)), index), 2 * 2197)


def royal_length(e: "Emitter", cards: Sequence[Column]) -> Value:
    """The length of a suited run down from the ace, or 0."""
    return _load(e, "royals", _suited(e, cards), 1 << 13)


def flush_strength(e: "Emitter", cards: Sequence[Column]) -> Value:
    """The length of the longest suit, then its ranks as bits."""
    key = ("flush", *(c.uid for c in cards))
    found = e.known(key)
    if found is None:
        b = e.b
        total, _ = gather(e, cards)
        held = [b.and_(b.lshr(total, const(48 + 4 * suit)), const(15)) for suit in range(4)]  # they start at three
        found, *rest = (b.or_(b.shl(n, const(13)), _ranks_in(e, cards, suit)) for suit, n in enumerate(held))
        for other in rest:
            found = _larger(e, found, other)
        found = e.scopes[-1][key] = b.sub(found, const(3 << 13))
    return found


def longest_suit(e: "Emitter", cards: Sequence[Column]) -> Value:
    """How many cards there are of the longest suit."""
    return e.b.lshr(flush_strength(e, cards), const(13))


def suited_run(e: "Emitter", cards: Sequence[Column]) -> Value:
    """How many cards of one suit follow one another."""
    found = const(0)
    for suit in range(4):
        found = _larger(e, found, _load(e, "runs", _ranks_in(e, cards, suit), 1 << 13))
    return found


def with_jokers(e: "Emitter", cards: Sequence[Column], meaning: str, best: int, wild: int | None) -> Value:
    """The strength of cards of which some may be jokers: as without them, but for one jump. A card of a rank that is
    wild is a joker."""
    b = e.b
    codes = [e.number(c) for c in cards]
    if len(cards) > 3:
        gather(e, cards)  # here, where other hands share it
    if wild is not None:
        is_wild = [b.icmp_unsigned("==", b.lshr(code, const(2)), const(wild)) for code in codes]
        codes = [b.select(yes, const(JOKERS[0]), code) for yes, code in zip(is_wild, codes, strict=True)]
    jokers = [b.icmp_unsigned(">=", code, const(JOKERS[0])) for code in codes]
    out = e.variable(const(0))
    with b.if_else(reduce(b.or_, jokers), likely=False) as (some, none):
        with some, e.scope():
            few = len(cards) < 4
            found = _few_jokers(e, codes, jokers, meaning) if few else _jokers(e, codes, jokers, meaning, best)
            b.store(found, out)
        with none, e.scope():
            b.store({3: best_three, 4: best_four}.get(best, strength)(e, cards), out)
    return b.load(out)


def _few_jokers(e: "Emitter", codes: Sequence[Value], jokers: Sequence[Value], meaning: str) -> Value:
    """Two or three cards, by their ranks and whether those beside the jokers are of one suit."""
    b = e.b
    index = const(0)
    for code in codes:
        index = b.add(b.mul(index, const(SYMBOLS)), b.lshr(code, const(2)))
    if len(codes) == 2:
        return _load(e, f"{meaning}_two", index, SYMBOLS**2)
    suits = [b.shl(const(1), b.and_(code, const(3))) for code in codes]
    any_suit = [b.select(joker, const(15), suit) for joker, suit in zip(jokers, suits, strict=True)]
    suited = b.icmp_unsigned("!=", reduce(b.and_, any_suit), const(0))
    return _load(e, f"{meaning}_three", b.select(suited, b.add(index, const(SYMBOLS**3)), index), 2 * SYMBOLS**3)


def _jokers(e: "Emitter", codes: Sequence[Value], jokers: Sequence[Value], meaning: str, best: int) -> Value:
    """Four to seven cards: the ranks beside the jokers through the tree, and every suit."""
    b, counted = e.b, COUNTED[best or min(len(codes), 5)]
    place, more, mask = const(0), const(-1), const(0)  # `more` are the jokers, less one
    for code, joker in zip(codes, jokers, strict=True):
        step = b.add(b.mul(place, const(SYMBOLS)), b.lshr(code, const(2)))
        place = _load(e, "joker_next", step, places() * SYMBOLS)
        more = b.add(more, b.zext(joker, I64))
        mask = b.or_(mask, _load(e, "card_masks", code, 52 + len(JOKERS)))  # nothing for a joker
    found = _load(e, f"{meaning}_best_{counted}", b.add(b.mul(more, const(places())), place), MOST * places())
    for suit in range(4):
        ranks = b.and_(b.lshr(mask, const(16 * suit)), const(MASKS - 1))
        found = _larger(e, found, _load(e, f"suited_{counted}", b.add(b.mul(more, const(MASKS)), ranks), MOST * MASKS))
    return found
