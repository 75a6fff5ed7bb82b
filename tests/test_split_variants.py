"""Blackjack with other pays and other rules for the hands of a split: the enumeration against the simulator.

The simulator plays the whole graph and knows nothing of hands or splits, so it is the yardstick: what the exact basic
strategy says it loses must be what rounds played by that chart lose. Where one hand's settlement, stake or choices hang
on another hand, the enumeration must refuse.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from pitboss.deal import simulate
from pitboss.exact.drawing import Drawing
from pitboss.exact.plan import TooLarge
from pitboss.games import blackjack
from pitboss.games.blackjack import GAME, Count, plus, value
from pitboss.rules import (
    DEALER,
    LOSE,
    PLAYER,
    PUSH,
    Column,
    Game,
    PayTable,
    Rows,
    Table,
    Wager,
    column,
    compare,
    lowest,
    pick,
    row,
    where,
    within,
)
from pitboss.rules.house import House

ROUNDS = 4_000_000
ERRORS = 5  # standard errors


def other(house: House, pays: Mapping[str, Mapping[str, object]]) -> House:
    """The house with other pay tables."""
    tables = {name: PayTable("other", table) for name, table in pays.items() if name in house.tables}
    return replace(house, tables={**house.tables, **tables})


def agrees(house: House, rounds: int = ROUNDS, seed: int = 1) -> Drawing:
    """The exact basic edge, and what is wagered, within a few standard errors of a simulation of the same chart."""
    drawing = Drawing(house, "basic")
    found = simulate(house, rounds, strategy="basic", wager="main", seed=seed).wagers[0]
    assert abs(drawing.basic_edge - found.house_edge) < ERRORS * found.standard_error, (
        drawing.basic_edge, found.house_edge, found.standard_error,
    )  # fmt: skip
    assert drawing.optimal_edge <= drawing.basic_edge + 1e-12
    wagered = found.house_edge / found.element_of_risk
    assert drawing.wagered == pytest.approx(wagered, abs=ERRORS * 2 / rounds**0.5)
    return drawing


def drawn_table(rng: random.Random, rows: Mapping[str, Sequence[object]]) -> dict[str, object]:
    return {name: rng.choice(pays) for name, pays in rows.items()}


SETS: list[dict[str, object]] = [  # few sets, because each needs machine code of its own
    {"decks": 1, "soft17": "hit", "resplit-aces": "yes", "surrender": "late"},
    {"decks": 6, "double": "9-11", "split-aces": "play", "split-to": 3},
]


@pytest.mark.parametrize(("seed", "options"), [(1, SETS[0]), (3, SETS[1]), (4, SETS[1])])
def test_random_pay_tables(seed: int, options: dict[str, object]) -> None:
    rng = random.Random(seed)
    hand = {"win": ["1/2", 1, 1, 3], "push": [0, 0, "1/4"], "lose": [-1, -1, "-1/2", 0]}
    main = {"blackjack": ["3/2", 2], "win": [1, "9/10"], "push": [0, "-1/10"], "lose": [-1, "-9/10"]}
    pays = {
        "main": drawn_table(rng, {**main, "surrender": ["-1/2", "-2/5"]}),
        "insurance": drawn_table(rng, {"blackjack": [2, 3], "lose": [-1, "-1/2"]}),
        **{name: drawn_table(rng, hand) for name in ("double", "hand-2", "hand-3", "hand-4")},
    }
    agrees(other(GAME.at(options), pays), seed=seed)


def test_split_hands_that_pay_three_to_one() -> None:
    three = {"win": 3}
    agrees(other(GAME.at(SETS[1]), {f"hand-{n}": three for n in (2, 3)}))


# ---- games of their own


@dataclass(frozen=True)
class Variant:
    """What a game does otherwise with its hands: how one is settled, and what it may do."""

    settle: Callable[[int, int, Column, Column, Column, list[Column]], Rows]
    """hand, hands, its total, the dealer's total, whether it was doubled, all totals -> how it is settled"""
    rows: Mapping[str, object]
    split_to: int = 3
    free: bool = False  # strategies look at whether the hand is played for free
    may_double: Callable[[Table, int, list[Column], bool], bool] = lambda t, hand, done, doubled: True
    remembers: bool = False  # whether a hand has been doubled
    names: tuple[str, ...] = ("main", "hand-2", "hand-3", "hand-4")

    def game(self) -> Game:
        table = [PayTable("standard", self.rows)]
        wagers = [Wager("main", required=True, tables=[PayTable("standard", {**self.rows, "blackjack": "3/2"})])]
        names = self.names[1 : self.split_to]
        wagers += [Wager(n, equal_to="main", tables=table) for n in names]
        wagers += [
            Wager(f"raise-{n}", equal_to="main", times=(0, 1), tables=table) for n in range(1, self.split_to + 1)
        ]
        options = [o for o in GAME.options if o.name in ("decks", "soft17")]
        return Game("variant", "A variant", self.play, wagers, options=options)

    def play(self, t: Table) -> None:
        first, up, second, hole = blackjack.opening(t)
        dealer = value(up)
        his, mine = plus(blackjack.one(dealer), value(hole)), plus(blackjack.one(value(first)), value(second))
        if t.when(his.total == 21, "the dealer has blackjack"):
            t.reveal(DEALER)
            t.settle(main=where(mine.total == 21, PUSH, LOSE))
        elif t.when(mine.total == 21, "the player has blackjack"):
            t.settle(main=row("blackjack"))
        else:
            self.hands(t, value(first), value(second), dealer, his)

    def hands(self, t: Table, pair: Column, second: Column, dealer: Column, his: Count) -> None:
        hand = hands = 1
        done: list[Column] = []
        raised: list[Column] = []
        doubled = False
        mine, paired = plus(blackjack.one(pair), second), pair == second
        while True:
            hand, hands, doubled, pair, paired, mine, dealer, his, done, raised = t.mark(
                "two cards", hand, hands, doubled, pair, paired, mine, dealer, his, done, raised
            )
            move = "stand"
            by = {"total": mine.total, "soft": mine.soft, "dealer": dealer}
            if self.free:
                by["free"] = column(int(hand > 1))
            if not t.when(mine.total == 21, "the hand counts 21"):
                choices = ["stand", "hit"]
                if self.may_double(t, hand, done, doubled):
                    choices.append("double")
                if hands < self.split_to and t.when(paired, "a pair"):
                    choices.append("split")
                move = t.decide(*choices, name="play", by=by)
            if move == "split":
                hands += 1
                t.split(hand, hands)
                t.bet(self.names[hands - 1])
            else:
                t.bet(f"raise-{hand}", 1 if move == "double" else 0)
                if move == "double":
                    doubled = self.remembers
                    mine = plus(mine, value(t.deal(PLAYER, hand=hand)[0]))
                drawing = move == "hit"
                while drawing:
                    mine = plus(mine, value(t.deal(PLAYER, hand=hand)[0]))
                    hand, hands, doubled, pair, mine, dealer, his, done, raised = t.mark(
                        "more cards", hand, hands, doubled, pair, mine, dealer, his, done, raised
                    )
                    by = {"total": mine.total, "soft": mine.soft, "dealer": dealer}
                    if self.free:
                        by["free"] = column(int(hand > 1))
                    drawing = (
                        t.when(mine.total < 21, "less than 21")
                        and t.decide("stand", "hit", name="play", by=by) == "hit"
                    )
                done = [*done, mine.total]
                raised = [*raised, within(column(int(move == "double")), 0, 1)]
                if hand == hands:
                    break
                hand += 1
            second = value(t.deal(PLAYER, hand=hand)[0])
            mine, paired = plus(blackjack.one(pair), second), pair == second
        draws = t.when(lowest(*done) <= 21, "a hand is left")
        t.reveal(DEALER)
        while draws:
            his, done, raised = t.mark("dealer draws", his, done, raised)
            hits = t.option("soft17") == "hit"
            draws = t.when((his.total < 17) | ((his.total == 17) & his.soft & hits), "less than 17")
            if draws:
                his = plus(his, value(t.deal(DEALER)[0]))
        for n, total in enumerate(done, 1):
            result = self.settle(n, len(done), total, his.total, raised[n - 1], done)
            t.settle(**{self.names[n - 1].replace("-", "_"): result, f"raise_{n}": result})


def plainly(total: Column, his: Column) -> Rows:
    return where(total > 21, LOSE, compare(total, where(his > 21, 1, his)))


def named(wins: str, pushes: str, loses: str, total: Column, his: Column) -> Rows:
    """The same comparison with rows of other names."""
    return pick((loses, pushes, wins), where(total > 21, 0, compare(total, where(his > 21, 1, his)).index))


def push_22(hand: int, hands: int, total: Column, his: Column, raised: Column, done: list[Column]) -> Rows:
    """Hands of a split push against a dealer's 22."""
    plain = plainly(total, his)
    return where((total <= 21) & (his == 22), PUSH, plain) if hand > 1 else plain


def better_doubled(hand: int, hands: int, total: Column, his: Column, raised: Column, done: list[Column]) -> Rows:
    """A hand that was doubled is paid by other rows."""
    return where(raised == 1, named("doubled win", "push", "doubled lose", total, his), plainly(total, his))


def free_split(hand: int, hands: int, total: Column, his: Column, raised: Column, done: list[Column]) -> Rows:
    """On the house's money a loss loses nothing."""
    return named("win", "push", "free lose", total, his) if hand > 1 else plainly(total, his)


ROWS: dict[str, object] = {"win": 1, "push": 0, "lose": -1}


@pytest.mark.parametrize(
    ("variant", "decks"),
    [
        (Variant(better_doubled, {**ROWS, "doubled win": "3/2", "doubled lose": "-3/4"}, split_to=2), 2),
        (Variant(free_split, {**ROWS, "free lose": 0}, free=True), 6),
        (Variant(push_22, ROWS, may_double=lambda t, hand, done, doubled: hand != 2), 1),
    ],
    ids=["doubled hands", "free splits", "push on 22, and the second hand may not double"],
)
def test_other_settlements(variant: Variant, decks: int) -> None:
    agrees(variant.game().at({"decks": decks}))


def test_keys_of_free_hands_are_judged_by_free_hands() -> None:
    """With nothing to lose and one hand's money to win, a free hand doubles what no hand at risk would."""
    chart = Drawing(Variant(free_split, {**ROWS, "free lose": 0}, free=True).game().at()).chart
    two = ("stand", "hit", "double")
    assert chart[two, (12, 0, 10, 0)] == "hit" and chart[two, (12, 0, 10, 1)] == "double"
    assert chart[(*two, "split"), (20, 0, 6, 0)] == "split"


def by_first(hand: int, hands: int, total: Column, his: Column, raised: Column, done: list[Column]) -> Rows:
    return plainly(done[0], his) if hand > 1 else plainly(total, his)


def by_all(hand: int, hands: int, total: Column, his: Column, raised: Column, done: list[Column]) -> Rows:
    return where(lowest(*done) > 21, LOSE, plainly(total, his)) if hands > 1 else plainly(total, his)


def by_number(hand: int, hands: int, total: Column, his: Column, raised: Column, done: list[Column]) -> Rows:
    return where((total <= 21) & (his == 22), PUSH, plainly(total, his)) if hands == 3 else plainly(total, his)


def plain(hand: int, hands: int, total: Column, his: Column, raised: Column, done: list[Column]) -> Rows:
    return plainly(total, his)


@pytest.mark.parametrize(
    ("variant", "why"),
    [
        (Variant(by_first, ROWS), "what one hand of a split brings depends on how the others end"),
        (Variant(by_all, ROWS), "of a split together"),
        (Variant(by_number, ROWS), "what one hand of a split brings depends on how the others end"),
        (
            Variant(plain, ROWS, may_double=lambda t, hand, done, doubled: hand == 1 or t.when(done[0] < 21, "first")),
            "what one hand of a split may do depends on the cards of another",
        ),
        (
            Variant(plain, ROWS, remembers=True, may_double=lambda t, hand, done, doubled: not doubled),
            "what one hand of a split may do depends on the others",
        ),
    ],
    ids=["by the first hand", "by all hands", "by the number of hands", "by another's cards", "by another's double"],
)
def test_hands_that_hang_on_each_other_are_refused(variant: Variant, why: str) -> None:
    with pytest.raises(TooLarge, match=why):
        Drawing(variant.game().at())


def test_the_same_game_written_otherwise_has_the_same_edge() -> None:
    """Doubles as wagers of their own: the shipped game without insurance, aces played on and split again."""
    drawing = Drawing(Variant(plain, ROWS, split_to=3).game().at())
    shipped = Drawing(GAME.at({"split-aces": "play", "resplit-aces": "yes", "split-to": 3}))
    assert drawing.optimal_edge == pytest.approx(shipped.optimal_edge, abs=1e-12)
    assert drawing.basic_edge == pytest.approx(shipped.basic_edge, abs=1e-12)
    assert drawing.wagered == pytest.approx(shipped.wagered, abs=1e-12)


def test_stakes_and_moments_of_rounds_without_a_split() -> None:
    drawing = Drawing(GAME.at({"split-to": 1, "decks": 1}))
    whole = drawing.unsplit()
    assert whole.probability == pytest.approx(1, abs=1e-12) and whole.split == 0
    assert whole.net == pytest.approx(-drawing.optimal_edge, abs=1e-12)
    found = simulate(drawing.house, ROUNDS // 2, strategy="basic", wager="main").wagers[0]
    basic = drawing.unsplit("basic")
    spread = (basic.squares - basic.net**2) ** 0.5
    assert spread == pytest.approx(found.std_dev, abs=0.003)
    assert drawing.staked("basic") == pytest.approx(found.house_edge / found.element_of_risk, abs=0.003)
    parted = Drawing(GAME.at({"decks": 1})).unsplit()
    assert parted.probability + parted.split == pytest.approx(1, abs=1e-12) and 0.02 < parted.split < 0.03
