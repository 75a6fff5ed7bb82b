"""The operations that a column can be made of: one row each, with what it means to every back end.

`scalar` is for known cards (the live table), `array` for many rounds at once in numpy, `machine` writes LLVM IR. A new
operation is one row here; a test holds the three meanings against each other on random values. What a column starts
from (a constant, a card, a register, a carried value) and `lookup`, which holds a table, are the back ends' own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

MOST_SORTED = 7  # values that can be put in order
LEAVES = frozenset({"const", "card", "carried", "register"})
SUITS = frozenset({"suit", "suit_or_none"})


@dataclass(frozen=True)
class Operation:
    """One operation. Operations whose order of arguments does not matter sort them, so that equal expressions meet."""

    scalar: Callable[..., int]
    array: Callable[..., Any]  # numpy itself, then the arguments
    machine: Callable[..., Any]  # the emitter, then the columns
    flat: bool = False  # an argument of the same operation is dissolved into its own arguments
    swaps: bool = False  # the order of the arguments does not matter
    hand: bool = False  # takes whole cards, in any order, and comes to the same when the suits are renamed


def _hands() -> Any:
    """Ranking hands needs numpy, which a game without poker hands need not wait for."""
    from pitboss.hands import evaluate

    return evaluate


def _all(join: str) -> Callable[..., Any]:
    """One numpy function over all arguments, two at a time."""
    return lambda np, *xs: reduce(getattr(np, join), xs)


def _folded(join: str) -> Callable[..., Any]:
    """One instruction over all arguments, two at a time."""
    return lambda e, *xs: reduce(getattr(e.b, join), map(e.number, xs))


def _compared(sign: str) -> Callable[..., Any]:
    return lambda e, x, y: e.b.icmp_signed(sign, e.number(x), e.number(y))


def _extreme(sign: str) -> Callable[..., Any]:
    """The larger or the smaller of all arguments."""

    def machine(e: Any, *xs: Any) -> Any:
        return reduce(lambda x, y: e.b.select(e.b.icmp_signed(sign, x, y), x, y), map(e.number, xs))

    return machine


def _ordered(k: int) -> Operation:
    """The second highest of all arguments, the third, ..."""
    return Operation(
        lambda *xs: sorted(xs)[-k],
        lambda np, *xs: np.sort(np.stack(xs), 0)[-k],
        lambda e, *xs: e.high_to_low(xs)[k - 1],
        swaps=True,
    )


def _hand(machine: str, one: str, many: str, *best: int) -> Operation:
    """What whole cards come to together, by functions of `pitboss.compile.ranking` and `pitboss.hands.evaluate`."""
    return Operation(
        lambda *cards: int(getattr(_hands(), one)(cards, *best)),
        lambda np, *cards: getattr(_hands(), many)(np.stack(cards, 1), *best),
        lambda e, *cards: e.of_cards(machine, cards),
        swaps=True,
        hand=True,
    )


def wild_rank(rank: int) -> str:
    """What the name of a strength ends in where the cards of a rank are wild."""
    return f"wild_{'23456789TJQKA'[rank]}"


def _with_jokers(meaning: str, best: int = 0, wild: int | None = None) -> Operation:
    """How strong a hand is in which a joker means this, and the cards of a rank that is `wild` are jokers."""

    def hands() -> Any:
        from pitboss.hands import jokers

        return jokers

    return Operation(
        lambda *cards: int(hands().strength_of(cards, meaning, best, wild)),
        lambda np, *cards: hands().strengths(np.stack(cards, 1), meaning, best, wild),
        lambda e, *cards: e.with_jokers(cards, meaning, best, wild),
        swaps=True,
        hand=True,
    )


_BEST = {"strength": 0, "best_three": 3, "best_four": 4}

OPERATIONS: dict[str, Operation] = {
    "rank": Operation(lambda c: c >> 2, lambda np, c: c >> 2, lambda e, c: e.shifted_down(c, 2)),
    "suit": Operation(lambda c: c & 3, lambda np, c: c & 3, lambda e, c: e.low_bits(c, 3)),
    "suit_or_none": Operation(
        lambda c: c & 3 if c < 52 else 4,
        lambda np, c: np.where(c < 52, c & 3, 4),
        lambda e, c: e.suit_or_none(c),
    ),
    "add": Operation(
        lambda *xs: sum(xs), _all("add"), lambda e, *xs: e.counted_steps(xs) or _folded("add")(e, *xs), flat=True
    ),
    "sub": Operation(lambda a, b: a - b, lambda np, a, b: a - b, _folded("sub")),
    "mul": Operation(lambda a, b: a * b, lambda np, a, b: a * b, _folded("mul"), swaps=True),
    "div": Operation(lambda a, k: a // k, lambda np, a, k: a // k, lambda e, a, k: e.divided(a, k)[0]),
    "mod": Operation(lambda a, k: a % k, lambda np, a, k: a % k, lambda e, a, k: e.divided(a, k)[1]),
    "lt": Operation(lambda a, b: int(a < b), lambda np, a, b: a < b, _compared("<")),
    "eq": Operation(lambda a, b: int(a == b), lambda np, a, b: a == b, _compared("=="), swaps=True),
    "ne": Operation(lambda a, b: int(a != b), lambda np, a, b: a != b, _compared("!="), swaps=True),
    "and": Operation(
        lambda *xs: int(all(xs)), _all("minimum"), lambda e, *xs: reduce(e.b.and_, map(e.truth, xs)), flat=True
    ),
    "or": Operation(
        lambda *xs: int(any(xs)), _all("maximum"), lambda e, *xs: reduce(e.b.or_, map(e.truth, xs)), flat=True
    ),
    "not": Operation(lambda a: int(not a), lambda np, a: 1 - a, lambda e, a: e.b.not_(e.truth(a))),
    "where": Operation(
        lambda c, a, b: a if c else b,
        lambda np, c, a, b: np.where(c != 0, a, b),
        lambda e, c, a, b: e.b.select(e.truth(c), e.number(a), e.number(b)),
    ),
    "max": Operation(lambda *xs: max(xs), _all("maximum"), _extreme(">"), flat=True),
    "min": Operation(lambda *xs: min(xs), _all("minimum"), _extreme("<"), flat=True),
    **{f"highest_{k}": _ordered(k) for k in range(2, MOST_SORTED)},
    "compare": Operation(
        lambda a, b: 1 + (a > b) - (a < b), lambda np, a, b: 1 + np.sign(a - b), lambda e, a, b: e.three_ways(a, b)
    ),
    "within": Operation(lambda a: a, lambda np, a: a, lambda e, a: e.number(a)),
    "strength": _hand("strength", "strength_of", "strengths"),
    "best_three": _hand("best_three", "strength_of", "strengths", 3),
    "best_four": _hand("best_four", "strength_of", "strengths", 4),
    **{f"{name}_{joker}": _with_jokers(joker, best) for name, best in _BEST.items() for joker in ("wild", "bug")},
    **{f"{n}_{wild_rank(rank)}": _with_jokers("wild", b, rank) for n, b in _BEST.items() for rank in range(13)},
    "royals": _hand("royal_length", "royal_length_of", "royal_lengths"),
    "longest_suit": _hand("longest_suit", "longest_suit_of", "longest_suits"),
    "flush_strength": _hand("flush_strength", "flush_strength_of", "flush_strengths"),
    "suited_run": _hand("suited_run", "suited_run_of", "suited_runs"),
}

STRENGTHS = frozenset(name for name in OPERATIONS if name.startswith(tuple(_BEST)))


def plain(op: str) -> str:
    """The same operation in a deck without jokers, and without a wild rank."""
    return op.partition("_wild")[0].partition("_bug")[0]


HANDS = frozenset(name for name, operation in OPERATIONS.items() if operation.hand)
