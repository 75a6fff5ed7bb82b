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
import pytest
from hypothesis import strategies as st
from numpy.typing import NDArray

from pitboss.cards import composition, shoe_cards
from pitboss.cli import main
from pitboss.compile import Keys
from pitboss.compile.walk import OPEN_WIDTH
from pitboss.ledger.cells import Cells, Leaf
from pitboss.live import Round, Seat
from pitboss.rules import (
    BLIND,
    BOARD,
    DEALER,
    DOWN,
    PLAYER,
    UP,
    Card,
    Choice,
    Column,
    Game,
    Hand,
    House,
    PayTable,
    Table,
    Wager,
    compare,
    count,
    high_to_low,
    highest,
    longest_suit,
    lookup,
    lowest,
    row,
    straight_flush_length,
    strength,
    where,
)
from pitboss.rules.column import column
from pitboss.rules.graph import Burn, Deal, Graph
from pitboss.rules.procedure import procedure
from pitboss.rules.steps import lines
from pitboss.rules.trace import trace

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "pitboss"
GAME_FILES = [
    path
    for folder in (SOURCE / "games", ROOT / "examples")
    for path in sorted(folder.glob("*.py"))
    if path.name != "__init__.py"
]
OPEN_ENDED = [path for path in GAME_FILES if path.stem in ("blackjack", "blackjack_side_bets", "spanish_21")]
FIXED = [path for path in GAME_FILES if path not in OPEN_ENDED]  # games whose hands have a fixed number of cards


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
    """The default house, then every other value of every choice, one at a time; of decks, the fewest and the most."""
    others = [
        {option.name: str(value)}
        for option in game.options
        if isinstance(option, Choice)
        for value in (option.values if option.name != "decks" else (option.values[0], option.values[-1]))
        if value != option.start()
    ]
    return [{}, *others]


CASES = [(path, options) for path in FIXED for options in options_of(load_game(path))]


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


# ---- random expressions, as data: a column itself cannot be a key, so hypothesis cannot hold one

Spec = tuple[Any, ...]
RANGE = 1 << 40  # far below what 64 bits hold


def _pair(name: str, *parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Spec]:
    return st.tuples(st.just(name), *parts)


_cards = st.integers(0, 9)


_WORDS: dict[str, Callable[[Hand, int], Column]] = {  # what has a meaning with several decks too
    "strength": lambda hand, _: strength(hand[:3]) if len(hand) > 1 else hand.rank,
    "longest suit": lambda hand, _: longest_suit(hand),
    "straight flush length": lambda hand, _: straight_flush_length(hand),
    "a rank in order": lambda hand, n: hand.ranks[n % len(hand)],
    "high cards": lambda hand, n: count(card.rank >= n for card in hand),
    "last digit": lambda hand, n: sum(card.rank for card in hand) % (n + 1),
}


@cache
def numbers(depth: int = 3) -> st.SearchStrategy[Spec]:
    """Numbers made of ranks, suits and constants, so many operations deep."""
    leaves = [_pair("rank", _cards), _pair("suit", _cards), _pair("const", st.integers(-20, 20))]
    leaves += [_pair("hand", st.sampled_from(sorted(_WORDS)), st.integers(1, 7), st.integers(0, 9))]
    if depth == 0:
        return st.one_of(leaves)
    less = numbers(depth - 1)
    return st.one_of(
        *leaves,
        *(_pair(name, less, less) for name in ("add", "sub", "mul", "highest", "lowest", "compare")),
        _pair("abs", less),
        _pair("high to low", st.integers(0, 6), st.lists(less, min_size=1, max_size=4)),
        *(_pair(name, less, st.integers(1, 12)) for name in ("div", "mod")),
        _pair("where", conditions(depth - 1), less, less),
        _pair("lookup", less, st.lists(st.integers(-9, 9), min_size=1, max_size=6)),
        conditions(depth - 1),
    )


@cache
def conditions(depth: int = 3) -> st.SearchStrategy[Spec]:
    """Conditions on the cards, so many operations deep."""
    some = numbers(max(depth - 1, 0))
    leaves = [_pair("same card", _cards, _cards)]
    leaves += [_pair(name, some, some) for name in ("lt", "le", "gt", "ge", "eq", "ne")]
    if depth == 0:
        return st.one_of(leaves)
    less = conditions(depth - 1)
    return st.one_of(*leaves, *(_pair(name, less, less) for name in ("and", "or")), _pair("not", less))


_OPERATIONS: dict[str, Callable[..., Column]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "highest": highest,
    "lowest": lowest,
    "compare": lambda a, b: compare(a, b).index,
    "abs": abs,
    "where": where,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "not": lambda a: ~a,
}


def build(spec: Spec, cards: Sequence[Card]) -> Column:
    """The column of a spec over these cards; what would outgrow its range is replaced by its first part."""
    op, *parts = spec
    if op in ("rank", "suit"):
        card = cards[parts[0] % len(cards)]
        return card.rank if op == "rank" else card.suit
    if op == "same card":
        return cards[parts[0] % len(cards)] == cards[parts[1] % len(cards)]
    if op == "const":
        return column(parts[0])
    if op == "lookup":
        index, values = build(parts[0], cards), parts[1]
        if index.hi - index.lo > 200:
            return index
        return lookup({i: values[i % len(values)] for i in range(index.lo, index.hi + 1)}, index)
    if op == "hand":
        word, size, n = parts
        return _WORDS[word](Hand(cards[: max(1, min(size, len(cards)))]), n)
    if op == "high to low":
        values = high_to_low(*(build(part, cards) for part in parts[1]))
        return values[parts[0] % len(values)]
    if op in ("div", "mod"):
        value = build(parts[0], cards)
        return value // parts[1] if op == "div" else value % parts[1]
    args = [build(part, cards) for part in parts]
    if op == "mul" and max(abs(args[0].lo), abs(args[0].hi)) * max(abs(args[1].lo), abs(args[1].hi)) > RANGE:
        return args[0]
    return _OPERATIONS[op](*args)


# ---- random games, as data: deals, public branches, choices and reveals in any order, then a settlement

NAMED = ("banker", "burn", "second pack")  # burn: a name that means something else to the machinery
_PLACES = ((PLAYER, UP), (PLAYER, DOWN), (PLAYER, BLIND), (DEALER, UP), (DEALER, DOWN), (BOARD, UP), (BOARD, DOWN))
_PLACES += (*((name, UP) for name in NAMED), *((name, DOWN) for name in NAMED))


@cache
def _rounds(depth: int, dealt: int) -> st.SearchStrategy[Spec]:
    """What is left of a round: so many steps at most, with so many cards on the table."""
    result = st.one_of(
        st.tuples(st.just("compare"), numbers(1), numbers(1)),
        st.tuples(st.just("where"), conditions(1), st.sampled_from(("win", "push", "lose")), st.just("lose")),
    )
    end = st.tuples(st.just("end"), result, st.one_of(st.none(), conditions(1)))
    deals = [
        st.tuples(st.just("deal"), st.sampled_from(_PLACES), st.just(n), _rounds(max(depth - 1, 0), dealt + n))
        for n in (1, 2)
        if dealt + n <= 4
    ]
    if dealt == 0:
        return st.one_of(deals)
    if depth == 0:
        return end
    less = _rounds(depth - 1, dealt)
    return st.one_of(
        end,
        *deals,
        st.tuples(st.just("when"), conditions(1), less, less),
        st.tuples(st.just("decide"), st.booleans(), less, less),
        st.tuples(st.just("reveal"), st.sampled_from((PLAYER, DEALER, BOARD, *NAMED)), less),
    )


def _act(t: Table, spec: Spec, cards: list[Card]) -> None:
    op, *parts = spec
    if op == "deal":
        (who, face), n, after = parts
        _act(t, after, [*cards, *t.deal(who, n, face=face)])
    elif op == "when":
        _act(t, parts[1] if t.when(build(parts[0], cards)) else parts[2], cards)
    elif op == "decide":
        more = t.decide("stay", "more") == "more"
        if more and parts[0] and "raise" not in t.bets:
            t.bet("raise")
        _act(t, parts[2] if more else parts[1], cards)
    elif op == "reveal":
        if any(g.who == parts[0] for g in t.groups):
            t.reveal(parts[0])
        _act(t, parts[1], cards)
    else:
        _settle(t, parts[0], parts[1], cards)


def _settle(t: Table, result: Spec, keeps: Spec | None, cards: list[Card]) -> None:
    if result[0] == "compare":
        rows = compare(build(result[1], cards), build(result[2], cards) + t.carried("kept", 1, on="ante"))
    else:
        rows = where(build(result[1], cards), row(result[2]), row(result[3]))
    t.settle(ante=rows)
    if "raise" in t.bets:
        t.settle(raise_=rows)
    if keeps is not None:
        t.carry("kept", where(build(keeps, cards), lookup([1, 0], t.carried("kept", 1, on="ante")), 0))


def random_games() -> st.SearchStrategy[Game]:
    """Games that nobody would play, but that every interpreter must play alike."""

    def game(spec: Spec) -> Game:
        def play(t: Table) -> None:
            t.carried("kept", 1, on="ante")
            _act(t, spec, [])

        return small_game(play)

    return _rounds(4, 0).map(game)


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
    width = OPEN_WIDTH if of.graph.open_ended else of.graph.most_cards()
    return np.stack([rng.permutation(shoe)[:width] for _ in range(count)]).astype(np.int64)


def random_carried(of: Traced, count: int, rng: np.random.Generator) -> dict[str, NDArray[np.int64]]:
    return {name: rng.integers(0, highest + 1, count) for name, highest in of.graph.carried.items()}


def random_strategy(of: Traced, rng: np.random.Generator) -> NDArray[np.uint8]:
    out = np.zeros(max(1, of.keys.size), np.uint8)
    for decision in of.graph.decisions():
        key = of.keys.of_node[decision.id]
        out[key.offset : key.offset + key.size] = rng.integers(0, len(decision.choices), key.size, np.uint8)
    return out


def by_slot(deals: NDArray[np.int64]) -> dict[int, NDArray[np.int64]]:
    """Complete deals as the numpy reference and the keys read them."""
    return dict(enumerate(deals.T))


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


def sheet_steps(house: House) -> list[str]:
    """Every sentence of the dealer's procedure."""
    return [text for _, text in lines(procedure(house))]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """A command in this process: its exit code, what it printed, and what it said on standard error."""
    try:
        code = main(list(words))
    except SystemExit as stop:
        code = int(stop.code or 0)
    out = capsys.readouterr()
    return code, out.out, out.err
