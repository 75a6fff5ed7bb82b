"""What several test files share: every game by path, small games, random deals, and shoes laid out along a path."""

import importlib.util
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import composition, shoe_cards
from pitboss.compile import Cells, Keys, Leaf
from pitboss.rules import Choice, Game, House, PayTable, Wager, trace
from pitboss.rules.graph import Burn, Deal, Graph
from pitboss.table import Round, Seat

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "pitboss"
GAME_FILES = [
    path
    for folder in (SOURCE / "games", ROOT / "examples")
    for path in sorted(folder.glob("*.py"))
    if path.name != "__init__.py"
]


def load_module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"tested_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def load_game(path: Path) -> Game:
    game = load_module(path).GAME
    assert isinstance(game, Game)
    return game


def options_of(game: Game) -> list[dict[str, str]]:
    """The default house, then every other value of every choice, one at a time."""
    others = [
        {option.name: str(value)}
        for option in game.options
        if isinstance(option, Choice)
        for value in option.values
        if value != option.start()
    ]
    return [{}, *others]


CASES = [(path, options) for path in GAME_FILES for options in options_of(load_game(path))]


def case_name(value: object) -> str:
    if isinstance(value, Path):
        return value.stem
    if isinstance(value, dict):
        return ",".join(f"{k}={v}" for k, v in value.items()) or "default"
    return str(value)


# ---- small games

ANTE = Wager("ante", required=True)
RAISE = Wager("raise", equal_to="ante")


def small_game(play: Callable[[Any], None], *wagers: Wager, **more: Any) -> Game:
    """A game of a few lines; an ante and a raise that equals it, unless other wagers are given."""
    return Game("small", "A small game", play, wagers or (ANTE, RAISE), **more)


def pays(name: str, table: Mapping[str, object], **more: Any) -> Wager:
    return Wager(name, tables=[PayTable("standard", table)], **more)


def stripped(ranks: Sequence[int], decks: int = 1, suits: Sequence[int] = (0, 1, 2, 3)) -> tuple[int, ...]:
    """A shoe of a few ranks."""
    return composition(decks, [4 * r + s for r in ranks for s in suits])


# ---- random rounds


@dataclass(frozen=True)
class Traced:
    """A house's graph, with the layouts of its cells and its strategy array."""

    house: House
    graph: Graph
    cells: Cells
    keys: Keys

    @property
    def shoe(self) -> list[int]:
        return shoe_cards(self.house.composition)


def traced(house: House) -> Traced:
    graph = trace(house)
    return Traced(house, graph, Cells(graph), Keys(graph))


def random_deals(of: Traced, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Complete deals: enough cards for the longest round each, without replacement."""
    shoe = np.array(of.shoe)
    return np.stack([rng.permutation(shoe)[: of.graph.most_cards()] for _ in range(count)]).astype(np.int64)


def random_carried(of: Traced, count: int, rng: np.random.Generator) -> dict[str, NDArray[np.int64]]:
    return {name: rng.integers(0, highest + 1, count) for name, highest in of.graph.carried.items()}


def random_strategy(of: Traced, rng: np.random.Generator) -> NDArray[np.uint8]:
    out = np.zeros(max(1, of.keys.size), np.uint8)
    for decision in of.graph.decisions():
        key = of.keys.of_node[decision.id]
        out[key.offset : key.offset + key.size] = rng.integers(0, len(decision.choices), key.size)
    return out


def look_up(of: Traced, strategy: NDArray[np.uint8]) -> Callable[..., NDArray[np.int64]]:
    """The strategy array as the policy that the numpy reference asks."""
    return lambda decision, deals, carried: strategy[of.keys.index(decision, deals, carried)].astype(np.int64)


# ---- a live round along a known path


def laid_out(leaf: Leaf, deal: Sequence[int], spare: Sequence[int]) -> tuple[list[int], list[tuple[int, str]]]:
    """The shoe and the choices of a one-seat round that ends in this leaf: slots in order, burnt cards between."""
    shoe: list[int] = []
    burnt = iter(spare)
    for point in [*(step.node for step in leaf.end.path), leaf.end]:
        for event in point.events:
            if isinstance(event, Deal):
                shoe.extend(int(deal[slot]) for slot in event.slots)
            elif isinstance(event, Burn):
                shoe.extend(next(burnt) for _ in range(event.count))
    return shoe, [(1, str(s.answer)) for s in leaf.end.path if not isinstance(s.answer, bool)]


def all_bets(house: House) -> dict[str, Fraction]:
    """The least bet on everything that can be bet before the deal."""
    return {name: house.least_bet(name) for name in house.parties}


def random_round(house: House, seats: int, seed: int) -> Round:
    """A live round to its end: shuffled, every bet made, choices at random."""
    rng = random.Random(seed)
    cards = shoe_cards(house.composition)
    rng.shuffle(cards)
    play = Round(house, cards, [Seat(all_bets(house)) for _ in range(seats)])
    while play.turn is not None:
        play.choose(rng.choice(play.turn.choices))
    return play
