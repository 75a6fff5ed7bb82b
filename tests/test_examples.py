"""The example games: every anchor holds, and plain enumerations that share no code with pitboss give the same edges."""

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from pitboss.exact import analyze
from pitboss.rules import Anchor, Game, House

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))
DECKS = (1, 2, 3, 4, 5, 6, 7, 8)


@cache
def load(path: Path) -> Game:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game = module.GAME
    assert isinstance(game, Game)
    return game


def example(name: str) -> Game:
    return load(next(p for p in EXAMPLES if p.stem == name))


def edge(house: House, wager: str, strategy: str = "optimal") -> Fraction:
    return analyze(house, strategy).wager(wager).house_edge


@cache
def anchored(path: Path, number: int) -> tuple[Anchor, Fraction]:
    """An anchor of a file, and the exact edge that it speaks of."""
    anchor = load(path).anchors[number]
    return anchor, edge(load(path).at(anchor.options, anchor.tables), anchor.wager, anchor.strategy)


# ---- every example


def label(path: Path, anchor: Anchor) -> str:
    return "-".join([path.stem, anchor.wager, *anchor.options.values(), *anchor.tables.values(), anchor.strategy])


ANCHORS = [pytest.param(path, i, id=label(path, a)) for path in EXAMPLES for i, a in enumerate(load(path).anchors)]


def test_there_are_examples() -> None:
    assert {"casino_war", "red_dog"} <= {p.stem for p in EXAMPLES}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_an_example_without_an_anchor_fails(path: Path) -> None:
    assert load(path).anchors, f"{path.name} needs a published figure to stand on: give its GAME an Anchor"
    assert all(a.source for a in load(path).anchors)


@pytest.mark.parametrize(("path", "number"), ANCHORS)
def test_the_exact_edge_agrees_with_the_published_figure(path: Path, number: int) -> None:
    anchor, found = anchored(path, number)
    assert anchor.agrees(found), f"{anchor.source}: {anchor.edge} published, {float(found):.6%} found"


@pytest.mark.parametrize(("path", "number"), ANCHORS)
def test_an_anchor_refuses_a_figure_that_differs_in_its_last_digit(path: Path, number: int) -> None:
    anchor, found = anchored(path, number)
    digits = anchor.edge.rstrip("%")
    places = len(digits.partition(".")[2])
    for wrong in (Fraction(digits) - Fraction(1, 10**places), Fraction(digits) + Fraction(1, 10**places)):
        assert not replace(anchor, edge=f"{float(wrong):.{places}f}%").agrees(found)


# ---- enumerations in plain Python


def shoe(decks: int) -> list[int]:
    return [4 * decks] * 13


def draws(counts: list[int], n: int) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every sequence of n ranks from the shoe, with its probability."""
    for ranks in product(range(len(counts)), repeat=n):
        left, total, chance = list(counts), sum(counts), Fraction(1)
        for r in ranks:
            chance *= Fraction(left[r], total)
            left[r] -= 1
            total -= 1
            if not chance:
                break
        if chance:
            yield ranks, chance


def best_edge(counts: list[int], seen: int, cards: int, nets: Callable[..., tuple[Fraction, ...]]) -> Fraction:
    """The edge when the player, who sees the first `seen` ranks, takes the best of the choices that `nets` lists."""
    worth: dict[tuple[int, ...], list[Fraction]] = {}
    for ranks, chance in draws(counts, cards):
        values = nets(*ranks)
        sums = worth.setdefault(ranks[:seen], [Fraction(0)] * len(values))
        for i, value in enumerate(values):
            sums[i] += chance * value
    return -sum((max(values) for values in worth.values()), Fraction(0))


def war_nets(
    mine: int,
    his: int,
    my_second: int,
    his_second: int,
    *,
    bonus: bool = False,
    war: bool = True,
    surrender: bool = True,
) -> tuple[Fraction, ...]:
    if mine != his:
        return (Fraction(1 if mine > his else -1),)
    fight = 1 if my_second >= his_second else -2
    if bonus and my_second == his_second:
        fight = 2
    return tuple([Fraction(fight)] * war + [Fraction(-1, 2)] * surrender)


def red_dog_nets(first: int, second: int, third: int) -> tuple[Fraction, ...]:
    low, high = min(first, second), max(first, second)
    if low == high:
        return (Fraction(11 if third == low else 0),)
    spread = high - low - 1
    if spread == 0:
        return (Fraction(0),)
    pays = {1: 5, 2: 4, 3: 2}.get(spread, 1)
    net = Fraction(pays if low < third < high else -1)
    return net, 2 * net


# ---- Casino War


@pytest.mark.parametrize("decks", [1, 6])
@pytest.mark.parametrize("bonus", ["none", "pays"])
def test_casino_war_equals_a_count_over_ranks(decks: int, bonus: str) -> None:
    house = example("casino_war").at({"decks": decks, "bonus": bonus})

    def nets(*ranks: int) -> tuple[Fraction, ...]:
        return war_nets(*ranks, bonus=bonus == "pays")

    assert edge(house, "ante") == best_edge(shoe(decks), 2, 4, nets)


def test_casino_war_strategies_equal_a_count_over_ranks() -> None:
    house = example("casino_war").at()
    war = best_edge(shoe(6), 2, 4, lambda *ranks: war_nets(*ranks, surrender=False))
    surrender = best_edge(shoe(6), 2, 4, lambda *ranks: war_nets(*ranks, war=False))
    assert edge(house, "ante", "always-war") == war == Fraction(142853, 4965115)
    assert edge(house, "ante", "always-surrender") == surrender == Fraction(23, 622)


@pytest.mark.parametrize("decks", DECKS)
def test_casino_war_tie_bet_equals_its_formula(decks: int) -> None:
    tie = Fraction(4 * decks - 1, 52 * decks - 1)
    assert edge(example("casino_war").at({"decks": decks}), "tie") == 1 - 11 * tie


def test_casino_war_burned_cards_change_nothing() -> None:
    """Four ranks only, so that the three burned cards can be enumerated like all the others."""
    ranks = 4
    composition = tuple([2] * (4 * ranks) + [0] * (52 - 4 * ranks))
    house = example("casino_war").at(shoe=composition)
    found = best_edge([8] * ranks, 2, 7, lambda a, b, _1, _2, _3, c, d: war_nets(a, b, c, d))
    assert edge(house, "ante") == found == best_edge([8] * ranks, 2, 4, war_nets)


@pytest.mark.parametrize(
    ("decks", "bonus", "plain", "surrender", "tie"),
    [
        (1, "2.06%", "2.42%", "2.94%", "35.29%"),
        (2, "2.24%", "2.70%", "3.40%", "25.24%"),
        (3, "2.29%", "2.79%", "3.55%", "21.94%"),
        (4, "2.31%", "2.84%", "3.62%", "20.29%"),
        (5, "2.32%", "2.86%", "3.67%", "19.31%"),
        (6, "2.33%", "2.88%", "3.70%", "18.65%"),
        (7, "2.34%", "2.89%", "3.72%", "18.18%"),
        (8, "2.34%", "2.90%", "3.73%", "17.83%"),
    ],
)
def test_casino_war_equals_the_published_table_by_decks(
    decks: int, bonus: str, plain: str, surrender: str, tie: str
) -> None:
    """i-online-casinos.com, Casino War Odds: house edge by number of decks."""
    game = example("casino_war")
    without, with_bonus = game.at({"decks": decks}), game.at({"decks": decks, "bonus": "pays"})
    assert Anchor("ante", bonus, "").agrees(edge(with_bonus, "ante"))
    assert Anchor("ante", plain, "").agrees(edge(without, "ante"))
    assert Anchor("ante", surrender, "").agrees(edge(without, "ante", "always-surrender"))
    assert Anchor("tie", tie, "").agrees(edge(without, "tie"))


def test_casino_war_element_of_risk_and_deviation_are_the_published_ones() -> None:
    """Wizard of Odds, Casino War: element of risk 2.68%, standard deviation 1.05."""
    ante = analyze(example("casino_war").at()).wager("ante")
    assert Anchor("ante", "2.68%", "").agrees(ante.element_of_risk)
    assert round(ante.std_dev, 2) == 1.05


def test_casino_war_element_of_risk_with_the_bonus() -> None:
    """2.33% over 1 + 23/311 units is 2.17%. (Copies of the Wizard's page print 2.19%, which its own 2.33% excludes.)"""
    ante = analyze(example("casino_war").at({"bonus": "pays"})).wager("ante")
    tie = Fraction(23, 311)
    assert ante.wagered == 1 + tie
    assert ante.element_of_risk == ante.house_edge / (1 + tie)
    assert Anchor("ante", "2.17%", "").agrees(ante.element_of_risk)


@pytest.mark.parametrize("decks", DECKS)
@pytest.mark.parametrize("bonus", ["none", "pays"])
def test_casino_war_always_goes_to_war(decks: int, bonus: str) -> None:
    chart = analyze(example("casino_war").at({"decks": decks, "bonus": bonus})).strategy
    assert len(chart) == 13
    assert all(row.best == ("war",) for row in chart)


# ---- Red Dog


@pytest.mark.parametrize("decks", [1, 2, 4, 6, 8])
def test_red_dog_equals_a_count_over_ranks(decks: int) -> None:
    game = example("red_dog")
    found = best_edge(shoe(decks), 2, 3, red_dog_nets)
    assert edge(game.at({"decks": decks}), "ante") == found
    assert edge(game.at({"decks": decks}), "ante", "raise-7") == found


def spread_of(sees: str) -> int:
    order = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    low, high = (order.index(word) for word in sees.removeprefix("board ").split())
    return abs(high - low) - 1


@pytest.mark.parametrize("decks", [1, 2, 4, 6, 8])
def test_red_dog_raises_at_a_spread_of_seven_or_more(decks: int) -> None:
    chart = analyze(example("red_dog").at({"decks": decks})).strategy
    assert {spread_of(row.sees) for row in chart} == set(range(1, 12))
    for row in chart:
        assert row.best == (("raise",) if spread_of(row.sees) >= 7 else ("stand",)), row.sees


def test_red_dog_spreads_are_worth_what_is_published() -> None:
    """Wizard of Odds, Red Dog, six decks: expected gain by raising."""
    published = ["-0.535484", "-0.225806", "-0.303226", "-0.380645", "-0.225806", "-0.070968"]
    published += ["0.083871", "0.238710", "0.393548", "0.548387", "0.703226"]
    result = analyze(example("red_dog").at({"decks": 6}))
    for row in result.strategy:
        assert f"{float(row.values['stand']):.6f}" == published[spread_of(row.sees) - 1]
        assert row.values["raise"] == 2 * row.values["stand"]
