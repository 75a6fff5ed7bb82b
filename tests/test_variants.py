"""Neighbours of every game: random pay tables, options and settlements, exact against simulated.

A kernel that is right for the shipped game may be wrong for the one beside it. So each game is changed in ways that
nobody has tuned anything for, and the exact edge must lie within five standard errors of the simulated one.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from helpers import FIXED, GAME_FILES, case_name, load_game
from pitboss.deal import CHUNK, simulate
from pitboss.exact import Study
from pitboss.rules import LOSE, PUSH, WIN, BadInput, Card, Choice, Game, House, PayTable, Rows, Table, where

ROUNDS = 21 * CHUNK["fresh"]  # enough chunks for an error where rounds depend on each other
PAYS = [Fraction(n, 4) for n in (-3, -2, -1, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 40)]


def agree(house: House, what: object, may_refuse: bool = False) -> None:
    """Every wager's exact edge within five standard errors of the simulated one."""
    strategy = "basic" if Study(house).drawn else "optimal"
    found = simulate(house, ROUNDS, strategy=strategy, seed=11)
    for wager in found.wagers:
        if wager.paytable.startswith("shared"):
            continue
        if wager.exact is None or wager.z is None:
            assert may_refuse and Study(house).plan.refused[wager.wager], (what, wager.wager)
            continue
        assert abs(wager.z) < 5, (what, wager.wager, wager.house_edge, float(wager.exact), wager.z)


def random_options(game: Game, rng: random.Random) -> House:
    """A house with about half its options set at random, as far as they go together."""
    while True:
        picked = [o for o in game.options if isinstance(o, Choice) and rng.random() < 0.5]
        try:
            return game.at({o.name: rng.choice(o.values) for o in picked})
        except BadInput:
            continue


def random_tables(house: House, rng: random.Random) -> House:
    """Every row of every wager pays something else, lost and pushed bets included."""
    tables = {}
    for wager in house.wagers:
        rows = [*house.tables[wager.name].pays, *(r for r in ("push", "lose") if rng.random() < 0.5)]
        pays: dict[str, object] = {row: rng.choice(PAYS) for row in rows}
        if rng.random() < 0.7:
            pays["lose"] = Fraction(-1)
        elif "lose" in pays:  # nothing is won by losing, but some of it may be given back
            pays["lose"] = rng.choice((Fraction(-1), Fraction(-1, 2), Fraction(0)))
        tables[wager.name] = PayTable("random", pays)
    for wager in house.wagers:
        if wager.table_of:
            tables[wager.name] = tables[wager.table_of]
    return house.but(tables=tables)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("path", GAME_FILES, ids=case_name)
def test_random_pays_and_options(path: Path, seed: int) -> None:
    rng = random.Random(f"{path.stem} {seed}")
    house = random_tables(random_options(load_game(path), rng), rng)
    agree(house, (house.chosen(), {n: t.pays for n, t in house.tables.items()}))


def settled_otherwise(play: Callable[[Table], None], rng: random.Random) -> Callable[[Table], None]:
    """The same round with some results turned: what was won is pushed with a low first card, or what was lost is."""
    turned, limit = rng.choice((WIN, LOSE)), rng.randint(3, 9)

    def changed(t: Table) -> None:
        settle = t.settle
        for name in t.house.options:  # this file does not mention the options of the game that it changes
            t.option(name)

        def otherwise(because: str = "", /, **results: Rows) -> None:
            first = Card(t.groups[0].slots[0]).rank
            for name, rows in results.items():
                if {"win", "lose"} <= {*rows.names} and rng_choice[name.rstrip("_")]:
                    results[name] = where((first < limit) & (rows == turned), PUSH, rows)
            settle(because, **results)

        t.settle = otherwise  # type: ignore[method-assign]
        play(t)

    rng_choice: dict[str, Any] = _Coin(rng)
    return changed


class _Coin(dict[str, bool]):
    """The same toss for the same wager, however often it is asked."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self.rng = rng

    def __missing__(self, name: str) -> bool:
        self[name] = self.rng.random() < 0.7
        return self[name]


@pytest.mark.parametrize("path", FIXED, ids=case_name)
def test_random_settlements(path: Path) -> None:
    rng = random.Random(f"{path.stem} settled")
    game = load_game(path)
    house = random_options(replace(game, play=settled_otherwise(game.play, rng), anchors=()), rng)
    agree(house, house.chosen(), may_refuse=True)  # a wager may look at more than any kernel takes; never wrongly


def test_a_wrong_figure_does_not_pass() -> None:
    """The yardstick itself: an exact result of another pay table is found out."""
    house = load_game(FIXED[0]).at()
    found = simulate(house.but(tables={"suit-tie": "1,3,12"}), ROUNDS, wager="suit-tie").wager("suit-tie")
    wrong = Study(house).wager("suit-tie").house_edge
    assert abs(found.house_edge - float(wrong)) / found.standard_error > 5
