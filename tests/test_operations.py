"""Every operation means the same to the live table, to numpy and to machine code."""

import random
from itertools import product

import numpy as np
import pytest

from helpers import small_game
from pitboss.compile import Keys, walk_deals
from pitboss.compile.reference import batch
from pitboss.ledger.cells import Cells
from pitboss.rules import PLAYER, PayTable, Table, Wager, high_to_low, pick, where, within
from pitboss.rules.column import Column, card_in, column, node, substituted, walk
from pitboss.rules.evaluate import evaluate
from pitboss.rules.operations import HANDS, OPERATIONS, STRENGTHS, SUITS
from pitboss.rules.trace import trace

CARDS = 7
WITH_JOKERS = {"suit_or_none", *(name for name in STRENGTHS if name.endswith(("_wild", "_bug")))}
NUMBERS = {"lt", "eq", "ne", "sub", "mul", "compare", "add", "max", "min"}


def made(name: str, rng: random.Random) -> Column:
    """A column with one such operation on top, over cards of a round."""
    ranks = [node("rank", (card_in(i),), 0, 12) for i in range(CARDS)]
    truths = [r < 6 for r in ranks]
    if name in ("rank", *SUITS):
        return node(name, (card_in(0),), 0, {"rank": 12, "suit": 3, "suit_or_none": 4}[name])
    if name in ("and", "or"):
        return node(name, tuple(truths[: rng.randint(2, 4)]), 0, 1)
    if name == "not":
        return ~truths[0]
    if name == "where":
        return where(truths[0], ranks[1] + 3, ranks[2])
    if name == "within":
        return within(ranks[0] + ranks[1], 0, 30)
    if name.startswith("highest_"):
        return high_to_low(*(r * r - 20 for r in ranks))[int(name[-1]) - 1]
    if name in ("div", "mod"):
        spread = ranks[0] * 3 - ranks[1] * rng.choice((0, 4))
        return spread // rng.choice((2, 5, 7)) if name == "div" else spread % rng.choice((2, 5, 7))
    if name in HANDS:
        few = (2, 3) if name.startswith("strength") else (4,) if name in STRENGTHS else ()
        return node(name, tuple(card_in(i) for i in range(rng.choice((*few, 5, 6, 7)))), 0, 1 << 16)
    low, high = (-200, 200)
    if name in ("lt", "eq", "ne"):
        low, high = 0, 1
    if name == "compare":
        low, high = 0, 2
    several = name in ("add", "max", "min")
    return node(name, tuple(ranks[: rng.randint(2, 4)] if several else ranks[:2]), low, high)


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_means_the_same_to_all_back_ends(name: str) -> None:
    rng = random.Random(name)
    codes = 54 if name in WITH_JOKERS else 52
    for _ in range(8 if name in STRENGTHS else 3):
        col = made(name, rng)
        deals = np.array([rng.sample(range(codes), CARDS) for _ in range(200)], np.int64)
        scalar = [evaluate(col, dict(enumerate(deal)), {}) for deal in deals.tolist()]
        array = batch(col, {i: deals[:, i] for i in range(CARDS)}, {}, len(deals))
        assert array.tolist() == scalar
        assert by_machine(col, deals) == scalar


def by_machine(col: Column, deals: "np.ndarray[tuple[int, int], np.dtype[np.int64]]") -> list[int]:
    """The value of a column in compiled code: as the row of a wager, sixteen bits in four rows."""
    base = col.lo if col.lo < 0 else 0

    def play(t: Table) -> None:
        t.deal(PLAYER, CARDS)
        shifted = col - base
        for part in range(5):
            digit = column(0)
            for bit in range(4):
                place = 1 << (4 * part + bit)
                # a bit of the value, by comparisons alone
                rest = shifted
                for above in range(19, 4 * part + bit, -1):
                    rest = where(rest >= (1 << above), rest - (1 << above), rest)
                digit = digit + where(rest >= place, 1 << bit, 0)
            t.settle(**{f"part_{part}": pick([str(i) for i in range(16)], within(digit, 0, 15))})

    tables = [PayTable("x", {str(i): 0 for i in range(16)})]
    game = small_game(play, *(Wager(f"part-{i}", "", required=True, tables=tables) for i in range(5)))
    graph = trace(game.at())
    cells = Cells(graph)
    found = walk_deals(cells, Keys(graph), deals, np.zeros(1, np.uint8), {})
    out = []
    for cell in found.tolist():
        rows = cells.leaf(cell).decode(cell)
        out.append(sum(int(rows[f"part-{i}"]) << (4 * i) for i in range(5)) + base)
    return out


def test_forty_nested_steps_are_walked_once() -> None:
    value: Column = column(0)
    for i, _ in product(range(40), range(1)):
        value = where(node("rank", (card_in(i % 3),), 0, 12) > i % 13, value + 1, value - 1)
    met = [c.uid for c in walk((value,))]
    assert len(met) == len(set(met)) < 400 and met[-1] == value.uid
    assert "where" in value.ops and value.slots == {0, 1, 2} and value.depth >= 40


def test_an_expression_with_other_cards_is_the_one_that_would_have_been_written() -> None:
    def total(a: int, b: int) -> Column:
        return node("rank", (card_in(a),), 0, 12) * 3 + node("rank", (card_in(b),), 0, 12)

    (moved,) = substituted([total(0, 1)], {card_in(0).uid: card_in(5), card_in(1).uid: card_in(6)})
    assert moved is total(5, 6) and substituted([total(0, 1)], {})[0] is total(0, 1)
