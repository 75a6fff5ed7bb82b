"""Blackjack counted exactly: against a second reading of its rules that plays every card, and published figures."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from pitboss.compile import Keys
from pitboss.exact.dealer import Dealer
from pitboss.exact.drawing import Drawing
from pitboss.exact.plan import TooLarge
from pitboss.games import bluff
from pitboss.games.blackjack import GAME
from pitboss.rules import PayTable
from pitboss.rules.errors import BadInput
from pitboss.rules.trace import trace

SMALL = {1: 3, 5: 3, 6: 4, 8: 4, 10: 8}  # cards by value: a shoe of 22, in which pairs run out
Hand = tuple[int, ...]


def of_values(counts: dict[int, int]) -> tuple[int, ...]:
    """A shoe by card codes; tens are all four kinds of them."""
    out = [0] * 52
    for value, n in counts.items():
        codes = range(32, 48) if value == 10 else range(48, 52) if value == 1 else range(4 * value - 8, 4 * value - 4)
        for i in range(n):
            out[codes[i % len(codes)]] += 1
    return tuple(out)


class Brute:
    """Blackjack by hand, card by card in plain Python: stands on soft 17, double any two cards also after a split,
    split to so many hands, aces once and (as a rule) with one card each, the dealer looks for a blackjack. 3:2."""

    def __init__(self, counts: dict[int, int], hands: int, one_card: bool = True) -> None:
        self.values = sorted(counts)
        self.full = tuple(counts[v] for v in self.values)
        self.most, self.one_card = hands, one_card
        self.dealer = cache(self._dealer)
        self.best = cache(self._best)
        self.fixed = cache(self._fixed)
        self.free = cache(self._free)

    def less(self, shoe: Hand, *values: int) -> Hand:
        out = list(shoe)
        for v in values:
            out[self.values.index(v)] -= 1
        assert min(out) >= 0
        return tuple(out)

    @staticmethod
    def count(cards: Hand) -> tuple[int, bool]:
        total = sum(cards)
        return (total + 10, True) if 1 in cards and total <= 11 else (total, False)

    def each(self, shoe: Hand) -> Iterator[tuple[int, float]]:
        n = sum(shoe)
        assert n > 0, "out of cards"
        return ((v, c / n) for v, c in zip(self.values, shoe, strict=True) if c)

    def holes(self, shoe: Hand, up: int) -> list[tuple[int, float]]:
        """Hidden cards without a blackjack, and how likely each is then."""
        able = [(v, p) for v, p in self.each(shoe) if {v, up} != {1, 10}]
        total = sum(p for _, p in able)
        return [(v, p / total) for v, p in able]

    def next_cards(self, shoe: Hand, up: int) -> dict[int, float]:
        """The player's next card, when he knows only that the dealer has no blackjack."""
        out = dict.fromkeys(self.values, 0.0)
        for hole, p in self.holes(shoe, up):
            for card, q in self.each(self.less(shoe, hole)):
                out[card] += p * q
        return {card: p for card, p in out.items() if p}

    def _dealer(self, shoe: Hand, cards: Hand) -> dict[int, float]:
        total, _ = self.count(cards)
        if total >= 17:
            return {min(total, 22): 1.0}
        out: dict[int, float] = {}
        for card, p in self.each(shoe):
            for end, q in self.dealer(self.less(shoe, card), tuple(sorted((*cards, card)))).items():
                out[end] = out.get(end, 0) + p * q
        return out

    def settle(self, shoe: Hand, up: int, results: tuple[tuple[int, int], ...]) -> float:
        """What finished hands (total, stake) bring together."""
        if all(total > 21 for total, _ in results):
            return -float(sum(stake for _, stake in results))
        worth = 0.0
        for hole, p in self.holes(shoe, up):
            for end, q in self.dealer(self.less(shoe, hole), tuple(sorted((up, hole)))).items():
                for total, stake in results:
                    if total > 21 or (end <= 21 and total < end):
                        worth -= p * q * stake
                    elif end > 21 or total > end:
                        worth += p * q * stake
        return worth

    def _best(self, shoe: Hand, up: int, cards: Hand) -> dict[str, float]:
        """Every choice of an unsplit hand but a split."""
        total, _ = self.count(cards)
        out = {"stand": self.settle(shoe, up, ((total, 1),))}
        if total >= 21:
            return out
        drawn = self.next_cards(shoe, up)
        grown = {c: (self.less(shoe, c), tuple(sorted((*cards, c)))) for c in drawn}
        out["hit"] = sum(p * max(self.best(grown[c][0], up, grown[c][1]).values()) for c, p in drawn.items())
        if len(cards) == 2:
            out["double"] = sum(
                p * self.settle(grown[c][0], up, ((self.count(grown[c][1])[0], 2),)) for c, p in drawn.items()
            )
        return out

    def rule(self, up: int, cards: Hand, may: list[str]) -> str:
        """The fixed strategy for a split hand: as the same cards unsplit."""
        worth = self.best(self.less(self.full, up, *cards), up, cards)
        return max(may, key=lambda c: worth[c])

    def may(self, pair: int, cards: Hand) -> list[str]:
        if (pair == 1 and self.one_card) or self.count(cards)[0] >= 21:
            return ["stand"]
        return ["stand", "hit", "double"] if len(cards) == 2 else ["stand", "hit"]

    def _fixed(
        self, shoe: Hand, up: int, pair: int, cards: Hand, waiting: int, hands: int, done: tuple[tuple[int, int], ...]
    ) -> float:
        """Split hands one after the other from the cards that are really left, by the fixed strategy."""
        return self.hand(self.fixed, shoe, up, pair, cards, waiting, hands, done, free=False)

    def _free(
        self, shoe: Hand, up: int, pair: int, cards: Hand, waiting: int, hands: int, done: tuple[tuple[int, int], ...]
    ) -> float:
        """The same with the best choice, knowing every card seen and every hand that is finished."""
        return self.hand(self.free, shoe, up, pair, cards, waiting, hands, done, free=True)

    def hand(self, again, shoe, up, pair, cards, waiting, hands, done, free):  # type: ignore[no-untyped-def]
        def go(cards: Hand, shoe: Hand, waiting: int, hands: int) -> float:
            """Deal the next card to this hand and go on."""
            return sum(
                p * again(self.less(shoe, c), up, pair, tuple(sorted((*cards, c))), waiting, hands, done)
                for c, p in self.next_cards(shoe, up).items()
            )

        def end(shoe: Hand, cards: Hand, stake: int) -> float:
            results = tuple(sorted((*done, (min(self.count(cards)[0], 22), stake))))
            if not waiting:
                return self.settle(shoe, up, results)
            return sum(
                p * again(self.less(shoe, c), up, pair, tuple(sorted((pair, c))), waiting - 1, hands, results)
                for c, p in self.next_cards(shoe, up).items()
            )

        worth = {}
        may = self.may(pair, cards)
        if cards == (pair, pair) and hands < self.most and pair != 1:
            worth["split"] = go((pair,), shoe, waiting + 1, hands + 1)
            if not free:
                return worth["split"]
        for choice in may if free else [self.rule(up, cards, may) if len(may) > 1 else "stand"]:
            if choice == "stand":
                worth[choice] = end(shoe, cards, 1)
            elif choice == "hit":
                worth[choice] = go(cards, shoe, waiting, hands)
            else:
                worth[choice] = sum(
                    p * end(self.less(shoe, c), tuple(sorted((*cards, c))), 2)
                    for c, p in self.next_cards(shoe, up).items()
                )
        return max(worth.values())

    def split(self, up: int, pair: int, free: bool) -> float:
        shoe = self.less(self.full, up, pair, pair)
        play = self.free if free else self.fixed
        return sum(
            p * play(self.less(shoe, c), up, pair, tuple(sorted((pair, c))), 1, 2, ())
            for c, p in self.next_cards(shoe, up).items()
        )

    def edge(self, splits: dict[tuple[int, int], float]) -> float:
        """The whole game; `splits`: (pair, up) -> what splitting brings."""
        total = 0.0
        for first, p in self.each(self.full):
            for up, q in self.each(self.less(self.full, first)):
                for second, r in self.each(self.less(self.full, first, up)):
                    total += p * q * r * self.deal(first, up, second, splits)
        return -total

    def deal(self, first: int, up: int, second: int, splits: dict[tuple[int, int], float]) -> float:
        shoe = self.less(self.full, first, up, second)
        natural = {first, second} == {1, 10}
        lost = sum(p for v, p in self.each(shoe) if {v, up} == {1, 10})
        insured = max(0.0, (lost * 2 - (1 - lost)) / 2) if up == 1 else 0.0
        if natural:
            return insured + 1.5 * (1 - lost)
        worth = max(self.best(shoe, up, tuple(sorted((first, second)))).values())
        if first == second:
            worth = max(worth, splits[first, up])
        return insured - lost + (1 - lost) * worth


class Charted(Brute):
    """The same, played by a chart."""

    chart: dict[tuple[tuple[str, ...], tuple[int, ...]], str]

    def rule(self, up: int, cards: Hand, may: list[str]) -> str:
        total, soft = self.count(cards)
        return self.chart[tuple(may), (total, int(soft), up)] if total < 21 else "stand"

    def _best(self, shoe: Hand, up: int, cards: Hand) -> dict[str, float]:
        out = super()._best(shoe, up, cards)
        if "hit" in out:
            out["hit"] = 0.0
            for c, p in self.next_cards(shoe, up).items():
                grown = tuple(sorted((*cards, c)))
                out["hit"] += p * self.best(self.less(shoe, c), up, grown)[self.rule(up, grown, ["stand", "hit"])]
        return out

    def deal(self, first: int, up: int, second: int, splits: dict[tuple[int, int], float]) -> float:
        shoe, cards = self.less(self.full, first, up, second), tuple(sorted((first, second)))
        lost = sum(p for v, p in self.each(shoe) if {v, up} == {1, 10})
        insured = (lost * 2 - (1 - lost)) / 2 if up == 1 else 0.0  # so rich in tens that the chart always insures
        if {first, second} == {1, 10}:
            return insured + 1.5 * (1 - lost)
        choice = self.rule(up, cards, ["stand", "hit", "double"] + ["split"] * (first == second))
        worth = splits[first, up] if choice == "split" else self.best(shoe, up, cards)[choice]
        return insured - lost + (1 - lost) * worth


def name(value: int) -> str:
    return "ace" if value == 1 else str(value)


@pytest.fixture(scope="module")
def brute() -> Brute:
    return Brute(SMALL, 4)


@pytest.fixture(scope="module")
def small() -> Drawing:
    return Drawing(GAME.at(shoe=of_values(SMALL)))


@pytest.fixture(scope="module")
def six() -> Drawing:
    return Drawing(GAME.at())


def pairs() -> list[tuple[int, int]]:
    return [(p, u) for p in SMALL for u in SMALL if SMALL[p] >= 2 + (p == u)]


def test_every_choice_without_a_split_is_the_brute_force(small: Drawing, brute: Brute) -> None:
    for hand in small.hands():
        cards = tuple(sorted(1 if c == "ace" else int(c) for c in hand.cards))
        up = 1 if hand.up == "ace" else int(hand.up)
        worth = brute.best(brute.less(brute.full, up, *cards), up, cards)
        for choice, value in worth.items():
            assert hand.expectations[choice] == pytest.approx(value, abs=1e-12)


def test_a_fixed_strategy_for_split_hands_is_the_brute_force(small: Drawing, brute: Brute) -> None:
    found = {(h.cards[0], h.up): h.expectations["split"] for h in small.hands() if "split" in h.expectations}
    splits = {(p, u): brute.split(u, p, free=False) for p, u in pairs()}
    assert len(found) == len(splits)
    for (pair, up), value in splits.items():
        assert found[name(pair), name(up)] == pytest.approx(value, abs=1e-11), (pair, up)
    assert small.optimal_edge == pytest.approx(brute.edge(splits), abs=1e-11)


@pytest.mark.parametrize("plain", [True, False])
def test_the_chart_is_worth_what_playing_by_it_brings(small: Drawing, plain: bool) -> None:
    drawing = Drawing(GAME.at(shoe=of_values(SMALL)), "basic", like=small, plain=plain)
    brute = Charted(SMALL, 4)
    brute.chart = drawing.chart
    assert drawing.before_play()["ace"] > 0
    splits = {(p, u): brute.split(u, p, free=False) for p, u in pairs()}
    assert drawing.edge == pytest.approx(brute.edge(splits), abs=1e-11)


def test_split_aces_that_are_played_on() -> None:
    brute = Brute(SMALL, 3, one_card=False)
    drawing = Drawing(GAME.at({"split-aces": "play", "split-to": 3}, shoe=of_values(SMALL)))
    splits = {(p, u): brute.split(u, p, free=False) for p, u in pairs()}
    assert drawing.optimal_edge == pytest.approx(brute.edge(splits), abs=1e-11)


def test_memory_of_the_other_split_hands_gains_little() -> None:
    """What the fixed strategy leaves on the table, in a shoe so small that it is at its largest. Two hands at most:
    with four the gain is 1.07e-3 of the bet, which takes this solver five minutes."""
    brute = Brute(SMALL, 2)
    fixed = {(p, u): brute.split(u, p, free=False) for p, u in pairs()}
    free = {(p, u): brute.split(u, p, free=True) for p, u in pairs()}
    assert all(free[k] >= fixed[k] - 1e-12 for k in fixed)
    assert 0 <= brute.edge(fixed) - brute.edge(free) < 1e-3
    two = Drawing(GAME.at({"split-to": 2}, shoe=of_values(SMALL)))
    assert two.optimal_edge == pytest.approx(brute.edge(fixed), abs=1e-11)


def test_shoes_with_few_cards_of_a_pair() -> None:
    """Two or three of a pair's cards left: no third or fourth hand, and the same analysis serves another shoe."""
    few = {1: 2, 2: 2, 6: 3, 9: 3, 10: 9}
    brute = Brute(few, 4)
    drawing = Drawing(GAME.at(shoe=of_values(few)), like=Drawing(GAME.at()))
    splits = {(p, u): brute.split(u, p, free=False) for p in few for u in few if few[p] >= 2 + (p == u)}
    assert drawing.optimal_edge == pytest.approx(brute.edge(splits), abs=1e-11)


@pytest.mark.parametrize("up", range(10))
def test_the_dealer_of_six_decks(six: Drawing, up: int) -> None:
    values = [*range(2, 11), 1]
    brute = Brute({v: 96 if v == 10 else 24 for v in values}, 4)
    shoe = brute.less(brute.full, values[up])
    dealer: Dealer = six.dealers[up]
    left = np.array([[shoe[brute.values.index(v)] for v in values]], float)
    chances = dealer.chances(left)[0]
    fit = left[0, six.p.allowed[up]].sum() / left.sum()
    assert chances.sum() == pytest.approx(fit, abs=1e-13)
    ends: dict[int, float] = {}
    for hole, p in brute.holes(shoe, values[up]):
        for end, q in brute.dealer(brute.less(shoe, hole), tuple(sorted((values[up], hole)))).items():
            ends[end] = ends.get(end, 0) + p * q
    assert sorted(chances / fit) == pytest.approx(sorted(ends.values()), abs=1e-13)


# Wizard of Odds, Blackjack Appendix 9 (five decks, one deck), the dealer stands on soft 17 and has an ace: expectations
# of standing, hitting and doubling.
@pytest.mark.parametrize(
    ("decks", "cards", "published"),
    [
        (5, ("2", "ace"), (-0.666073, -0.059817, -0.618525)),
        (5, ("5", "6"), (-0.660850, 0.148532, 0.133896)),
        (1, ("5", "6"), (-0.634013, 0.172946, 0.240259)),
        (1, ("7", "ace"), (-0.101015, -0.108386, -0.357778)),
    ],
)
def test_published_hands(decks: int, cards: tuple[str, str], published: tuple[float, ...]) -> None:
    drawing = shared(decks=str(decks))
    hand = next(h for h in drawing.hands() if h.cards == cards and h.up == "ace")
    assert [hand.expectations[c] for c in ("stand", "hit", "double")] == pytest.approx(published, abs=5.1e-7)


@cache
def shared(**options: str) -> Drawing:
    return Drawing(GAME.at({k.replace("_", "-"): v for k, v in options.items()}))


def test_published_splits() -> None:
    """One deck, the dealer hits soft 17: k_c's analyser and Hoppe's, github.com/hhoppe/blackjack."""
    hands = shared(decks="1", soft17="hit").hands()
    found = {(h.cards[0], h.up): h.expectations["split"] for h in hands if "split" in h.expectations}
    assert found["9", "ace"] == pytest.approx(-0.183940, abs=5.1e-7)
    assert found["10", "9"] == pytest.approx(-0.255830, abs=5.1e-7)
    assert found["8", "10"] == pytest.approx(-0.4469, abs=5.1e-5)


# House edge in per cent of a fresh shoe: double any two, also after a split, split to four, aces once with one card,
# 3:2. One chart by total: H. Hoppe, github.com/hhoppe/blackjack, "prob"; by cards: bjstrat.net as quoted there.
@pytest.mark.parametrize(
    ("options", "basic", "optimal"),
    [
        ({"decks": "6"}, 0.406, None),
        ({"decks": "8"}, 0.432, None),
        ({"decks": "2"}, 0.193, None),
        ({"decks": "6", "soft17": "hit"}, 0.618, None),
        ({"decks": "6", "surrender": "late"}, 0.333, None),
        ({"decks": "6", "soft17": "hit", "surrender": "late"}, 0.530, 0.527),
        ({"decks": "8", "soft17": "hit", "surrender": "late"}, 0.555, 0.553),
        ({"decks": "8", "soft17": "hit", "surrender": "late", "resplit_aces": "yes"}, 0.485, None),
        ({"decks": "8", "soft17": "hit", "surrender": "late", "double_after_split": "no"}, 0.699, None),
        ({"decks": "8", "soft17": "hit", "surrender": "late", "double": "10-11"}, 0.751, None),
        ({"decks": "8", "soft17": "hit", "surrender": "late", "split_to": "2"}, 0.609, None),
        ({"decks": "6", "split_to": "2"}, 0.460, None),
    ],
)
def test_published_edges(options: dict[str, str], basic: float | None, optimal: float | None) -> None:
    drawing = shared(**options)
    assert drawing.optimal_edge <= drawing.basic_edge
    if basic is not None:
        assert drawing.basic_edge * 100 == pytest.approx(basic, abs=1.01e-3)
    if optimal is not None:
        assert drawing.optimal_edge * 100 == pytest.approx(optimal, abs=5.1e-4)


def test_outcomes_add_up(six: Drawing) -> None:
    assert sum(x.probability for x in six.outcomes) == pytest.approx(1, abs=1e-12)
    assert -sum(x.probability * x.net for x in six.outcomes) == pytest.approx(six.optimal_edge, abs=1e-12)
    natural = next(x.probability for x in six.outcomes if x.name == "blackjack")
    assert natural == pytest.approx(0.0453230, abs=5e-8)
    assert six.before_play() == {"ace": pytest.approx(-23 / 311, abs=1e-12)}


def test_insurance_is_taken_when_it_pays() -> None:
    rich = {1: 4, 5: 4, 6: 4, 10: 20}
    drawing = Drawing(GAME.at(shoe=of_values(rich)), "basic", like=shared(decks="6"))
    assert drawing.before_play()["ace"] > 0
    keys = Keys(trace(GAME.at()))
    offset = next(at for region, at in keys.regions.items() if region[0] == "insurance")
    assert drawing.strategy_array(keys)[offset : offset + 600].any()


def test_the_chart_for_the_simulator(six: Drawing) -> None:
    keys = Keys(trace(GAME.at()))
    array = six.strategy_array(keys)
    for (choices, by), choice in six.chart.items():
        found = 0
        for (decision, offered, ranges, *_), offset in keys.regions.items():
            if decision == "play" and offered == choices:
                place = np.ravel_multi_index(
                    [v - lo for v, (lo, _) in zip(by, ranges, strict=True)], [hi - lo + 1 for lo, hi in ranges]
                )
                assert choices[array[offset + place]] == choice
                found += 1
        assert found
    two = ("stand", "hit", "double")
    assert six.chart[two, (16, 0, 10)] == "hit" and six.chart[two, (11, 0, 10)] == "double"
    assert six.chart[(*two, "split"), (16, 0, 10)] == "split" and six.chart[(*two, "split"), (20, 0, 6)] == "stand"


def test_advice_for_a_hand_of_any_length(six: Drawing) -> None:
    ten, six_, five, four, ace = 32, 16, 12, 8, 48
    two = six.advice([ten, six_], ten)
    assert max(two, key=lambda c: two[c]) == "hit" and set(two) == {"stand", "hit", "double"}
    many = six.advice([five, four, four, 5], ten)  # 5 4 4 3 is better left alone
    assert many["stand"] > many["hit"]
    assert set(six.advice([ace, ace], ten, ["stand", "hit"])) == {"stand", "hit"}


def test_a_game_of_another_shape_is_refused() -> None:
    with pytest.raises(TooLarge):
        Drawing(bluff.GAME.at())


def test_a_shoe_that_runs_out_is_refused() -> None:
    with pytest.raises(BadInput, match="too few cards"):
        _ = Drawing(GAME.at(shoe=of_values({2: 4, 3: 2})), like=shared(decks="6")).edge


# Edges as they were when only the first hand of a split was followed, for the shipped pay tables: optimal and basic.
PINNED: list[tuple[dict[str, str], dict[int, int] | None, float, float]] = [
    ({"decks": "1"}, None, -0.0018193430614841972, -0.0014326322334257888),
    ({"decks": "6"}, None, 0.004028702361154084, 0.004059224176988136),
    ({"soft17": "hit"}, None, 0.00615389122924833, 0.006181488083894987),
    ({"surrender": "late"}, None, 0.003302680373374979, 0.0033321555950715474),
    ({"resplit-aces": "yes"}, None, 0.0033400354995515406, 0.0033705573153855854),
    ({"split-aces": "play"}, None, 0.0021546217592290536, 0.0021856441024159616),
    ({"split-aces": "play", "resplit-aces": "yes"}, None, 0.0015664034349938648, 0.001597473843129523),
    ({"double": "9-11"}, None, 0.00498954572521966, 0.005020067541053698),
    ({"double": "10-11", "soft17": "hit"}, None, 0.008158868650694318, 0.008186465505340957),
    ({"split-to": "1"}, None, 0.009714135751596624, 0.00974455997086978),
    ({"split-to": "2"}, None, 0.00456886297293372, 0.004599355936215899),
    ({"split-to": "3"}, None, 0.004104865365109164, 0.004135385217227821),
    ({"double-after-split": "no"}, None, 0.0054456516087380835, 0.005476290296600066),
    ({"blackjack": "6:5"}, None, 0.01762559867597335, 0.0176561204918074),
    ({"resplit-aces": "yes", "split-to": "3", "surrender": "late"}, None, 0.0027869390885210815, 0.0028164123465022582),
    ({}, {1: 3, 5: 3, 6: 4, 8: 4, 10: 8}, -0.10261207879277114, -0.10209409687074433),
    ({}, {1: 2, 2: 2, 6: 3, 9: 3, 10: 9}, -0.20312421453675322, -0.20267951389855413),
    ({}, {1: 4, 5: 4, 6: 4, 10: 20}, -0.3110581650128248, -0.3110581650128248),
    (
        {},
        {1: 20, 2: 10, 3: 24, 4: 7, 5: 12, 6: 24, 7: 3, 8: 15, 9: 22, 10: 90},
        -0.08213381148584645,
        -0.08212533243209867,
    ),
    ({}, {1: 3, 2: 1, 3: 2, 4: 0, 5: 6, 6: 2, 7: 3, 8: 9, 9: 4, 10: 25}, -0.0938572122573332, -0.09384432699369283),
]


@pytest.mark.parametrize(("options", "shoe", "optimal", "basic"), PINNED)
def test_figures_of_the_shipped_game_stay(
    options: dict[str, str], shoe: dict[int, int] | None, optimal: float, basic: float
) -> None:
    drawing = Drawing(GAME.at(options) if shoe is None else GAME.at(options, shoe=of_values(shoe)))
    assert drawing.optimal_edge == pytest.approx(optimal, abs=1e-12)
    assert drawing.basic_edge == pytest.approx(basic, abs=1e-12)


class Uneven(Brute):
    """Hands of a split that win and lose so much each; the best choice goes by the hand's own pay."""

    pays: tuple[tuple[float, float], ...] = ((1, -1), (3, -1), (1, -0.5), (2, 0))

    def settle(self, shoe: Hand, up: int, results: tuple[tuple[int, int], ...]) -> float:
        """The number of the hand is kept in its total, in hundreds."""
        worth, ends = 0.0, self.ends(shoe, up)
        for total, stake in results:
            win, lose = self.pays[total // 100]
            for end, p in ends.items():
                mine = total % 100
                if mine > 21 or (end <= 21 and mine < end):
                    worth += p * stake * lose
                elif end > 21 or mine > end:
                    worth += p * stake * win
        return worth

    def ends(self, shoe: Hand, up: int) -> dict[int, float]:
        out: dict[int, float] = {}
        for hole, p in self.holes(shoe, up):
            for end, q in self.dealer(self.less(shoe, hole), tuple(sorted((up, hole)))).items():
                out[end] = out.get(end, 0) + p * q
        return out

    def worth(self, shoe: Hand, up: int, cards: Hand, hand: int) -> dict[str, float]:
        """Every choice of a hand with this number, as if it were alone."""
        total = self.count(cards)[0] + 100 * hand
        out = {"stand": self.settle(shoe, up, ((total, 1),))}
        if total % 100 >= 21:
            return out
        out["hit"] = out["double"] = 0.0
        for c, p in self.next_cards(shoe, up).items():
            left, grown = self.less(shoe, c), tuple(sorted((*cards, c)))
            later = self.worth(left, up, grown, hand)
            out["hit"] += p * max(v for k, v in later.items() if k != "double")
            out["double"] += p * self.settle(left, up, ((self.count(grown)[0] + 100 * hand, 2),))
        return out

    def hand(self, again, shoe, up, pair, cards, waiting, hands, done, free):  # type: ignore[no-untyped-def]
        mine = len(done)

        def end(shoe: Hand, cards: Hand, stake: int) -> float:
            results = (*done, (min(self.count(cards)[0], 22) + 100 * mine, stake))
            if not waiting:
                return self.settle(shoe, up, results)
            return sum(
                p * again(self.less(shoe, c), up, pair, tuple(sorted((pair, c))), waiting - 1, hands, results)
                for c, p in self.next_cards(shoe, up).items()
            )

        def go(cards: Hand, waiting: int, hands: int) -> float:
            return sum(
                p * again(self.less(shoe, c), up, pair, tuple(sorted((*cards, c))), waiting, hands, done)
                for c, p in self.next_cards(shoe, up).items()
            )

        if cards == (pair, pair) and hands < self.most and pair != 1:
            return go((pair,), waiting + 1, hands + 1)
        may = self.may(pair, cards)
        worth = self.worth(self.less(self.full, up, *cards), up, cards, mine) if len(may) > 1 else {"stand": 0.0}
        choice = max(may, key=lambda c: worth[c])
        if choice == "stand":
            return end(shoe, cards, 1)
        if choice == "hit":
            return go(cards, waiting, hands)
        return sum(
            p * end(self.less(shoe, c), tuple(sorted((*cards, c))), 2) for c, p in self.next_cards(shoe, up).items()
        )


def test_split_hands_with_pays_of_their_own_are_the_brute_force() -> None:
    few = {5: 4, 6: 5, 10: 8}
    brute = Uneven(few, 3)
    house = GAME.at({"split-to": 3}, shoe=of_values(few))
    pays: dict[str, dict[str, object]] = {"hand-2": {"win": 3}, "hand-3": {"win": 1, "lose": "-1/2"}}
    house = replace(house, tables={**house.tables, **{n: PayTable("other", x) for n, x in pays.items()}})
    found = {(h.cards[0], h.up): h.expectations["split"] for h in Drawing(house).hands() if "split" in h.expectations}
    for pair, up in ((5, 6), (6, 5), (6, 10), (10, 6)):
        assert found[str(pair), str(up)] == pytest.approx(brute.split(up, pair, free=False), abs=1e-11), (pair, up)
