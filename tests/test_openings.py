"""Hands drawn card by card from other openings than blackjack's: against all orders of a small shoe, and against rounds
that are dealt. No hole card, both cards up, one card each, none at all, two hidden ones, suits, choices before a
look."""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest

from pitboss.compile.reference import batch
from pitboss.deal import simulate
from pitboss.exact import Study
from pitboss.exact.drawing import Drawing
from pitboss.exact.plan import TooLarge
from pitboss.games.blackjack import Count, one, plus, value
from pitboss.rules import (
    DEALER,
    DOWN,
    EIGHT,
    LOSE,
    PLAYER,
    SIX,
    SPADES,
    WIN,
    Card,
    Choice,
    Column,
    Game,
    Hand,
    House,
    PayTable,
    Table,
    Wager,
    column,
    compare,
    lowest,
    row,
    where,
    within,
)
from pitboss.rules.graph import Deal, Decide, End, Jump, Mark, Node, When
from pitboss.rules.trace import trace

HALF = Fraction(1, 2)
Ints = np.ndarray


class Brute:
    """Every card of a small shoe one by one, with the best choice for everything that the player has seen: he weighs
    all hidden cards that it leaves open. Knows graphs, and nothing of hands."""

    def __init__(self, house: House) -> None:
        self.house, self.graph = house, trace(house)
        self.codes = np.flatnonzero(house.composition)
        self.known: dict[object, float] = {}

    def value(self) -> float:
        left = np.array(house_counts(self.house, self.codes), float)[None]
        return self.go(self.graph.root, 0, {}, left, np.ones(1))

    def go(self, node: Node, at: int, base: Mapping[int, Ints], left: Ints, weight: Ints) -> float:
        """Worlds that look the same to the player: what is known by slot, the shoe and the weight of each."""
        name = (node.id, at, tuple((s, v.tobytes()) for s, v in sorted(base.items())), left.tobytes(), weight.tobytes())
        if name not in self.known:
            self.known[name] = self._go(node, at, base, left, weight)
        return self.known[name]

    def _go(self, node: Node, at: int, base: Mapping[int, Ints], left: Ints, weight: Ints) -> float:
        for i in range(at, len(node.events)):
            event = node.events[i]
            slots = [s for s in event.slots if s not in base] if isinstance(event, Deal) else []
            if slots:
                assert isinstance(event, Deal)
                # of the dealer's cards a player knows the rank: a suit that nothing asks for is no part of a strategy
                sight = "card" if event.who == PLAYER else "nothing" if event.face == DOWN else "rank"
                return self._dealt(node, i, slots[0], base, left, weight, sight)
        n = len(weight)
        if isinstance(node, End):
            return float(weight @ sum(self._net(node, s, base, n) for s in node.settled))
        if isinstance(node, Decide):
            return max(self.go(kid, 0, base, left, weight) for kid in node.kids)
        if isinstance(node, When):
            true = batch(node.condition, base, {}, n) != 0
            return sum(
                self.go(kid, 0, {s: v[some] for s, v in base.items()}, left[some], weight[some])
                for kid, some in zip(node.kids, (true, ~true), strict=True)
                if some.any()
            )
        assert isinstance(node, Mark | Jump)
        on = {s: batch(v, base, {}, n) for s, v in zip(node.target.slots, node.values, strict=True)}
        return self.go(node.target.kids[0], 0, on, left, weight)

    def _dealt(
        self, node: Node, at: int, slot: int, base: Mapping[int, Ints], left: Ints, weight: Ints, sight: str
    ) -> float:
        assert (left.sum(1) > 0).all(), "out of cards"
        worlds: dict[int, list[tuple[dict[int, Ints], Ints, Ints]]] = {}
        for i, code in enumerate(self.codes):
            some = left[:, i] > 0
            if some.any():
                on = {s: v[some] for s, v in base.items()} | {slot: np.full(some.sum(), code)}
                less = left[some] - (np.arange(len(self.codes)) == i)
                seen = {"card": int(code), "rank": int(code) // 4, "nothing": 0}[sight]
                worlds.setdefault(seen, []).append((on, less, weight[some] * left[some, i] / left[some].sum(1)))
        return sum(
            self.go(
                node, at, {s: np.concatenate([w[0][s] for w in alike]) for s in alike[0][0]},
                np.concatenate([w[1] for w in alike]), np.concatenate([w[2] for w in alike]),
            )
            for alike in worlds.values()
        )  # fmt: skip

    def _net(self, end: End, settle, base: Mapping[int, Ints], n: int):  # type: ignore[no-untyped-def]
        lead = self.house.main[0]
        times = [Fraction(end.bets.get(settle.wager, 1 if settle.wager == lead else 0))]
        place = np.zeros(n, np.int64)
        if settle.wager in end.staked:
            several, index = end.staked[settle.wager]
            times, place = [Fraction(x) for x in several], batch(index, base, {}, n)
        nets = [
            [float(x * self.house.net(settle.wager, name, x)) if x else 0.0 for name in settle.rows.names]
            for x in times
        ]
        return np.array(nets)[place, batch(settle.rows.index, base, {}, n)]


def house_counts(house: House, codes: Ints) -> list[int]:
    return [house.composition[c] for c in codes]


OPENINGS = (
    "no hole card",
    "both up",
    "one card each",
    "none",
    "two hidden",
    "early",
    "until he wins",
    "suits",
    "no mark",
)


def play(t: Table) -> None:
    """A short blackjack without a split, in many openings."""
    kind = t.option("opening")
    own = t.deal(PLAYER) if kind in ("one card each", "none") else t.deal(PLAYER, 2)
    mine = counted(own)
    his = Count(within(0, 0, 31), within(0, 0, 1) == 1)
    look = his.total  # what the player knows of it
    if kind in ("two hidden",):
        his = counted(t.deal(DEALER, 2, face=DOWN))
    elif kind == "both up":
        his = counted(t.deal(DEALER, 2))
        look = his.total
    elif kind != "none":
        up = value(t.deal(DEALER)[0])
        his, look = wide(one(up)), up
    insured = False
    if kind in ("early", "suits", "no mark"):
        his = plus(his, value(t.deal(DEALER, face=DOWN)[0]))
        by = {"total": mine.total, "dealer": look}
        if kind == "early":
            if t.decide("go on", "give up", name="early", by=by) == "give up":
                t.settle("given up", ante=row("half"))
                return
            insured = t.when(look == 1) and t.decide("no", "yes", name="insurance", by=by) == "yes"
            t.bet("insurance", HALF if insured else 0)
        if t.when(his.total == 21, "the dealer has blackjack"):
            t.reveal(DEALER)
            t.settle("dealer has blackjack", ante=LOSE)
            if kind == "early":
                t.settle(insurance=row("blackjack"))
            return
        if kind == "early":
            t.settle(insurance=LOSE)
    suited = within(0, 0, 1) == 1
    if kind == "suits":
        a, b = own
        suited = (a.suit == SPADES) & (b.suit == SPADES) & low(a) & low(b)
    if kind == "no mark" and t.decide("stand", "draw", by={"total": mine.total, "dealer": look}) == "stand":
        _dealer(t, kind, mine, his, suited)
        return
    if kind == "no mark":
        mine = wide(plus(mine, value(t.deal(PLAYER)[0])))
    while True:
        mine, look, his, suited = t.mark("draw", mine, within(look, 0, 31), his, suited)
        by = {"total": mine.total, "soft": mine.soft, "dealer": look}
        if not t.when(mine.total < 21) or t.decide("stand", "hit", name="play", by=by) == "stand":
            break
        card = t.deal(PLAYER)[0]
        mine = wide(plus(mine, value(card)))
        suited = suited & (card.suit == SPADES) & low(card) if kind == "suits" else suited
    if t.when(mine.total > 21):
        t.settle("over", ante=LOSE)
        return
    _dealer(t, kind, mine, his, suited)


def wide(count: Count) -> Count:
    return Count(within(count.total, 0, 31), count.soft)


def counted(hand: Hand) -> Count:
    found = one(value(hand[0]))
    for card in list(hand)[1:]:
        found = plus(found, value(card))
    return wide(found)


def low(card: Card) -> Column:
    return (card.rank >= SIX) & (card.rank <= EIGHT)


def _dealer(t: Table, kind: object, mine: Count, his: Count, suited: Column) -> None:
    if kind in ("early", "suits", "no mark", "two hidden"):
        t.reveal(DEALER)
    if kind in ("none", "one card each", "no hole card"):
        card = value(t.deal(DEALER)[0])
        his = wide(plus(his, card)) if kind != "none" else wide(one(card))
    while True:
        mine, his, suited = t.mark("dealer", mine, wide(his), suited)
        limit = lowest(mine.total, 21) if kind == "until he wins" else column(17)
        if not t.when(his.total < limit):
            break
        his = wide(plus(Count(lowest(his.total, 21), his.soft), value(t.deal(DEALER)[0])))
    win = where(suited, row("spades"), WIN)
    t.settle(ante=where(his.total > 21, win, compare(mine.total, his.total)))


PAYS = PayTable("standard", {"win": 1, "half": "-1/2", "spades": 3})
GAME = Game(
    "openings", "Openings", play,
    lambda o: [
        Wager("ante", required=True, tables=[PAYS]),
        *(
            [Wager("insurance", equal_to="ante", times=(0, HALF), tables=[PayTable("i", {"blackjack": 2})])]
            if o["opening"] == "early" else []
        ),
    ],
    options=[Choice("opening", OPENINGS, "what is dealt first"), Choice("decks", (1, 2), "decks")],
)  # fmt: skip


def shoe(suits: bool) -> tuple[int, ...]:
    """Aces, sixes, sevens and tens; where suits matter, low cards of two."""
    out = [0] * 52
    for rank, n in ((4, 3), (5, 3), (8, 5), (12, 1)):
        out[4 * rank] = n
        if suits and rank < 8:
            out[4 * rank], out[4 * rank + 3] = 1, 2
    return tuple(out)


@pytest.mark.parametrize("kind", OPENINGS)
def test_every_opening_is_all_orders_of_a_small_shoe(kind: str) -> None:
    house = GAME.at({"opening": kind}).but(shoe=shoe(kind == "suits"))
    assert Drawing(house).optimal_edge == pytest.approx(-Brute(house).value(), abs=1e-11)


@pytest.mark.parametrize("kind", OPENINGS)
def test_every_opening_is_what_is_dealt(kind: str) -> None:
    house = GAME.at({"opening": kind})
    drawing = Drawing(house, "basic")
    found = simulate(house, 1 << 19, strategy="basic", seed=3).wager("ante")
    assert abs(drawing.basic_edge - found.house_edge) < 4.5 * found.standard_error
    assert drawing.optimal_edge <= drawing.basic_edge + 1e-12
    assert sum(x.probability for x in drawing.outcomes) == pytest.approx(1, abs=1e-12)
    if kind != "early":  # whose insurance is no part of how a round ends
        assert -sum(x.probability * x.net for x in drawing.outcomes) == pytest.approx(drawing.edge, abs=1e-12)


def european(t: Table) -> None:
    """No hole card, insurance that lies until the dealer has drawn, and splits to three hands."""
    first, second, up = t.deal(PLAYER)[0], t.deal(PLAYER)[0], value(t.deal(DEALER)[0])
    pair, mine, his = value(first), counted(Hand([first, second])), wide(one(up))
    paired = pair == value(second)
    by = {"total": mine.total, "soft": mine.soft, "dealer": up}
    insured = t.when(up == 1) and t.decide("no", "yes", name="insurance", by=by) == "yes"
    t.bet("insurance", HALF if insured else 0)
    hand = hands = 1
    done: list[Column] = []
    while True:
        hand, hands, pair, paired, mine, up, his, done = t.mark("hand", hand, hands, pair, paired, mine, up, his, done)
        by = {"total": mine.total, "soft": mine.soft, "dealer": up}
        splits = ["split"] if hands < 3 and t.when(paired) else []
        choice = t.decide("stand", "hit", *splits, name="play", by=by) if t.when(mine.total < 21) else "stand"
        if choice == "split":
            hands += 1
            t.split(hand, hands)
            t.bet(f"hand-{hands}")
        elif choice == "hit":
            mine, paired = wide(plus(mine, value(t.deal(PLAYER, hand=hand)[0]))), column(False)
            continue
        else:
            done = [*done, mine.total]
            if hand == hands:
                break
            hand += 1
        card = value(t.deal(PLAYER, hand=hand)[0])
        mine, paired = wide(plus(one(pair), card)), pair == card
    his = wide(plus(his, value(t.deal(DEALER)[0])))
    natural = his.total == 21
    while True:
        his, natural, done = t.mark("dealer", his, natural, done)
        if not t.when(his.total < 17):
            break
        his = wide(plus(his, value(t.deal(DEALER)[0])))
    t.settle(insurance=where(natural, row("blackjack"), LOSE))
    for number, total in enumerate(done, 1):
        result = where((total > 21) | natural, LOSE, where(his.total > 21, WIN, compare(total, his.total)))
        t.settle(**{"ante" if number == 1 else f"hand_{number}": result})


def test_insurance_that_lies_while_hands_are_split() -> None:
    wagers = [
        Wager("ante", required=True, tables=[PAYS]),
        Wager("insurance", equal_to="ante", times=(0, HALF), tables=[PayTable("i", {"blackjack": 2})]),
        *(Wager(f"hand-{n}", equal_to="ante") for n in (2, 3)),
    ]
    house = Game("european", "European", european, wagers, options=[Choice("decks", (2,), "decks")]).at()
    house = house.but(shoe="2:0 3:0 4:0 7:2 8:2 9:2")  # so rich that insurance is taken
    drawing = Drawing(house, "basic")
    found = simulate(house, 1 << 20, strategy="basic", seed=3).wager("ante")
    assert abs(drawing.basic_edge - found.house_edge) < 4.5 * found.standard_error
    assert drawing.wagered == pytest.approx(found.house_edge / found.element_of_risk, abs=0.005)
    assert drawing.p.lanes == 2 and drawing.wagered > 1.05


def test_what_is_not_enumerated_is_said_with_its_line() -> None:
    def two_hands(t: Table) -> None:
        mine = counted(t.deal(PLAYER, 2))
        other = counted(t.deal(PLAYER, 2, hand=2))
        his = counted(t.deal(DEALER, 2, face=DOWN))
        while True:
            mine, other, his = t.mark("draw", mine, other, his)
            by = {"total": mine.total, "other": other.total}
            if not t.when(mine.total < 21) or t.decide("stand", "hit", by=by) == "stand":
                break
            mine = wide(plus(mine, value(t.deal(PLAYER)[0])))
        t.settle(ante=compare(mine.total + other.total, his.total))

    def his_suit(t: Table) -> None:
        mine, up = counted(t.deal(PLAYER)), t.deal(DEALER)[0]
        while True:
            mine, up = t.mark("draw", mine, up)
            if not t.when(mine.total < 21) or t.decide("stand", "hit", by={"total": mine.total}) == "stand":
                break
            mine = wide(plus(mine, value(t.deal(PLAYER)[0])))
        t.settle(ante=where((mine.total <= 21) & (up.suit == SPADES), WIN, LOSE))

    for rules, why in (
        (two_hands, r"test_openings.py, line \d+: the player has two hands from the start"),
        (his_suit, "looks at the suit of a card of the dealer's"),
    ):
        house = Game("odd", "Odd", rules, [Wager("ante", required=True)]).at()
        with pytest.raises(TooLarge, match=why):
            Drawing(house)
        assert "ante" in Study(house).plan.refused
