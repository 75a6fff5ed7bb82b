"""Machine code: the twin of the readable stream, the object cache, and the checked build."""

import os
import sys
from collections.abc import Iterator, Sequence
from math import prod
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from helpers import (
    FIXED,
    GAME_FILES,
    Traced,
    by_slot,
    load_game,
    look_up,
    random_carried,
    random_deals,
    random_strategy,
    small_game,
    stripped,
    traced,
)
from pitboss.cards import Stream
from pitboss.cards.streams import batches
from pitboss.compile import Keys, WalkError, machine, pot_counts, reference_cells, simulator, walk_deals
from pitboss.compile import objects as object_files
from pitboss.compile.reference import batch
from pitboss.compile.walk import Walk
from pitboss.disk import NotKept, cache_directory
from pitboss.exact import analyze
from pitboss.ledger.cells import Cells
from pitboss.rules import (
    BOARD,
    DEALER,
    LOSE,
    PLAYER,
    PUSH,
    WIN,
    BadInput,
    Game,
    House,
    Table,
    Wager,
    compare,
    lookup,
    where,
)
from pitboss.rules.evaluate import evaluate
from pitboss.rules.files import load_file
from pitboss.rules.graph import Burn, Deal, Decide, End, Node, When
from pitboss.rules.trace import trace

BLUFF = next(path for path in GAME_FILES if path.stem == "bluff")


# ---- the readable twin of the compiled loops


class Dealer:
    """Cards for one seat's round, in the order in which the compiled loop draws them."""

    def deal(self, point: Node) -> dict[int, int]:
        raise NotImplementedError


class FreshShoe(Dealer):
    """Partial Fisher-Yates over an array that is never put back in order; one word for several cards of a node."""

    def __init__(self, shoe: Sequence[int], stream: Stream) -> None:
        self.shoe, self.stream = list(shoe), stream

    def deal(self, point: Node) -> dict[int, int]:
        slots = [s for e in point.events if isinstance(e, Deal) for s in e.slots]
        lasts = {max((s for g in end.groups for s in g.slots), default=-1) for end in ends_below(point)}
        out: dict[int, int] = {}
        for run in batches([len(self.shoe) - s for s in slots]):
            for pick in self.stream.below(run):
                slot = slots[len(out)]
                there = slot + pick
                out[slot] = self.shoe[there]
                if lasts != {slot}:  # the last card of every way on stays where it lies
                    self.shoe[slot], self.shoe[there] = self.shoe[there], self.shoe[slot]
        return out


class SharedShoe(Dealer):
    """Dealt to the cut card, one word a card; the dealer's, the board's and burnt cards are drawn once a round."""

    def __init__(self, shoe: Sequence[int], stream: Stream, cut: int) -> None:
        self.shoe, self.stream, self.cut, self.position = list(shoe), stream, cut, 0
        self.shared: dict[tuple[str, int], int] = {}
        self.met: dict[str, int] = {}

    def new_round(self) -> None:
        self.shared.clear()
        if self.position >= self.cut:
            self.position = 0

    def new_seat(self) -> None:
        self.met.clear()

    def deal(self, point: Node) -> dict[int, int]:
        out: dict[int, int] = {}
        for event in point.events:
            if isinstance(event, Deal):
                out.update({slot: self._card(event.who) for slot in event.slots})
            elif isinstance(event, Burn):
                for _ in range(event.count):
                    self._card("burnt cards")
        return out

    def _card(self, who: str) -> int:
        if who == PLAYER:
            return self._draw()
        ordinal = self.met[who] = self.met.get(who, -1) + 1
        if (who, ordinal) not in self.shared:
            self.shared[who, ordinal] = self._draw()
        return self.shared[who, ordinal]

    def _draw(self) -> int:
        here = self.position
        there = here + self.stream.below([len(self.shoe) - here])[0]
        self.shoe[here], self.shoe[there] = self.shoe[there], self.shoe[here]
        self.position += 1
        return self.shoe[here]


def ends_below(point: Node) -> Iterator[End]:
    if isinstance(point, End):
        yield point
    elif isinstance(point, When | Decide):
        for kid in point.kids:
            yield from ends_below(kid)


class Rounds:
    """Rounds dealt and walked in Python; their cells come from the numpy reference, all at once."""

    def __init__(self, of: Traced, strategy: NDArray[np.uint8]) -> None:
        self.of, self.strategy = of, strategy
        self.deals: list[list[int]] = []
        self.carried: dict[str, list[int]] = {name: [] for name in of.graph.carried}

    def play(self, dealer: Dealer, carried: dict[str, int]) -> tuple[End, dict[int, int], dict[str, int]]:
        """One round: how it ended, its cards, and what is carried into the next."""
        cards: dict[int, int] = {}
        point = self.of.graph.root
        while True:
            cards.update(dealer.deal(point))
            if isinstance(point, When):
                point = point.kids[0 if evaluate(point.condition, cards, carried) else 1]
            elif isinstance(point, Decide):
                point = point.kids[self.strategy[self._place(point, cards, carried)]]
            else:
                break
        assert isinstance(point, End)
        self.deals.append(self._whole(cards))
        for name, value in carried.items():
            self.carried[name].append(value)
        after = {n: evaluate(point.carries[n], cards, carried) if n in point.carries else 0 for n in carried}
        return point, cards, after

    def _whole(self, cards: dict[int, int]) -> list[int]:
        return [cards.get(slot, 0) for slot in range(self.of.graph.most_cards())]

    def _place(self, point: Decide, cards: dict[int, int], carried: dict[str, int]) -> int:
        kept = {name: np.array([value]) for name, value in carried.items()}
        return int(self.of.keys.index(point, by_slot(np.array([self._whole(cards)])), kept)[0])

    def counts(self) -> NDArray[np.int64]:
        kept = {name: np.array(values) for name, values in self.carried.items()}
        cells = reference_cells(self.of.cells, np.array(self.deals), look_up(self.of, self.strategy), kept)
        return np.bincount(cells, minlength=self.of.cells.size)


def start(of: Traced) -> dict[str, int]:
    return dict.fromkeys(of.graph.carried, 0)


def compare_fresh(house: House, rounds: int, checked: bool) -> None:
    of, seed, chunk = traced(house), 2024, 3
    strategy = random_strategy(of, np.random.default_rng(5))
    dealer, kept, played = FreshShoe(of.shoe, Stream(seed, chunk)), start(of), Rounds(of, strategy)
    for _ in range(rounds):
        _, _, kept = played.play(dealer, kept)
    machine = simulator(of.cells, of.keys, of.shoe, checked=checked).run(rounds, seed, chunk, strategy)
    assert (machine == played.counts()).all()


def compare_shared(house: House, rounds: int, seats: int) -> None:
    of, seed, chunk = traced(house), 77, 0
    cut = len(of.shoe) - 40
    strategy = random_strategy(of, np.random.default_rng(6))
    dealer, kept = SharedShoe(of.shoe, Stream(seed, chunk), cut), [start(of) for _ in range(seats)]
    machine, played = simulator(of.cells, of.keys, of.shoe, "shoe"), Rounds(of, strategy)
    shared, pots, found = of.cells.between_players, pot_counts(machine.cells), pot_counts(machine.cells)
    for _ in range(rounds):
        dealer.new_round()
        held: dict[str, list[int]] = {name: [] for name in shared}
        for seat in range(seats):
            dealer.new_seat()
            end, cards, after = played.play(dealer, kept[seat])
            for name, value in end.shares.items():
                held[name].append(evaluate(value, cards, kept[seat]))
            kept[seat] = after
        for i, name in enumerate(shared):
            pots[i, held[name].count(max(held[name]))] += 1
    assert (machine.run(rounds, seed, chunk, strategy, seats, cut, pots=found) == played.counts()).all()
    assert (found == pots).all()


def test_fresh_rounds_are_those_of_the_readable_stream(house: House) -> None:
    compare_fresh(house, 200, checked=False)


def test_the_checked_build_plays_the_same_rounds(game: Game) -> None:
    compare_fresh(game.at(), 200, checked=True)


@pytest.mark.parametrize("seats", [1, 3])
@pytest.mark.parametrize("path", FIXED, ids=lambda p: p.stem)
def test_a_shared_shoe_is_dealt_as_the_readable_stream_says(path: Path, seats: int) -> None:
    compare_shared(load_game(path).at(), 150, seats)


def two_streaks(t: Table) -> None:
    """Two carried values: the first is settled differently by each way of the round, the second always alike."""
    wins, suited = t.carried("wins", 3, on="ante"), t.carried("suited", 2, on="ante")
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    again = t.when(mine.rank > his.rank)
    if again:
        t.deal(BOARD, 5)
    t.settle(ante=compare(mine.rank + wins, his.rank + suited))
    t.carry("suited", where(mine.suit == his.suit, lookup([1, 2, 0], suited), 0))
    t.carry("wins", lookup([1, 2, 3, 0], wins) if again else 0)


def test_a_pot_goes_to_the_highest_value_whatever_its_sign() -> None:
    def play(t: Table) -> None:
        t.share("pot", t.deal(PLAYER).rank - 20)

    compare_shared(small_game(play, Wager("pot")).at(), 100, seats=4)


def test_each_carried_value_goes_to_its_own_place() -> None:
    house = small_game(two_streaks).at({"table-min": 5}, shoe=stripped(range(13), 2))
    compare_fresh(house, 400, checked=False)
    compare_shared(house, 100, seats=2)


@pytest.mark.parametrize("source", ["fresh", "shoe"])
@pytest.mark.parametrize("path", FIXED, ids=lambda p: p.stem)
def test_a_warm_up_is_played_and_not_counted(path: Path, source: str) -> None:
    """Streaks and shoes are under way when counting begins: the counted rounds are those after the warm-up."""
    of = traced(load_game(path).at())
    strategy = random_strategy(of, np.random.default_rng(7))
    machine = simulator(of.cells, of.keys, of.shoe, source)
    assert of.graph.most_cards() < 40

    def run(rounds: int, warm_up: int = 0) -> NDArray[np.int64]:
        return machine.run(rounds, 11, 4, strategy, 1, len(of.shoe) - 40, warm_up)

    assert (run(300, warm_up=37) == run(337) - run(37)).all()


def test_a_machine_may_be_run_again_and_again() -> None:
    of = traced(load_game(BLUFF).at())
    strategy = random_strategy(of, np.random.default_rng(8))
    machine = simulator(of.cells, of.keys, of.shoe)
    first = machine.run(1000, 1, 0, strategy)
    machine.run(1000, 1, 1, strategy)
    assert (machine.run(1000, 1, 0, strategy) == first).all()
    assert first.sum() == 1000


# ---- cells and keys


def test_every_cell_has_one_meaning(house: House) -> None:
    cells = traced(house).cells
    seen = set()
    for cell in range(cells.size):
        leaf = cells.leaf(cell)
        rows = leaf.decode(cell)
        assert rows.keys() == {
            ("" if d.kind == "row" else f"{d.kind} ") + name for d in leaf.digits for name in d.names
        }
        seen.add((leaf.end.id, *rows.items()))
    assert cells.size == sum(leaf.size for leaf in cells.leaves)
    assert len(seen) == sum(prod(len(set(d.values)) for d in leaf.digits) for leaf in cells.leaves)


def test_every_thing_seen_has_its_own_key(house: House) -> None:
    of = traced(house)
    rng = np.random.default_rng(9)
    deals, carried = random_deals(of, 500, rng), random_carried(of, 500, rng)
    for decision in of.graph.decisions():
        key = of.keys.of_node[decision.id]
        places = of.keys.index(decision, by_slot(deals), carried)
        assert ((places >= key.offset) & (places < key.offset + key.size)).all()
        looks = [batch(col, by_slot(deals), carried, 500) for _, col in decision.by]
        if not of.keys.by_value(decision):
            looks = [*carried.values(), *(deals[:, s] for s in key.slots)]
        seen = [tuple(column[i] for column in looks) for i in range(500)]
        assert len(set(places.tolist())) == len(set(seen))


def test_too_many_visible_cards_for_a_strategy_array_is_one_sentence() -> None:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER, 5)
        t.decide("a", "b")
        t.settle(ante=compare(mine[0].rank, 5))

    graph = traced(small_game(lambda t: t.settle(ante=PUSH)).at()).graph
    assert Keys(graph).size == 0
    with pytest.raises(BadInput, match="too many cards are visible at a decision"):
        traced(small_game(play).at())


# ---- the checked build


def some_rounds(of: Traced) -> tuple[NDArray[np.int64], NDArray[np.uint8], dict[str, NDArray[np.int64]]]:
    rng = np.random.default_rng(10)
    return random_deals(of, 200, rng), random_strategy(of, rng), random_carried(of, 200, rng)


def test_the_checked_build_catches_a_strategy_out_of_bounds() -> None:
    of = traced(load_game(BLUFF).at())
    deals, strategy, carried = some_rounds(of)
    walk_deals(of.cells, of.keys, deals, strategy, carried, checked=True)
    wild = np.full_like(strategy, 200)
    with pytest.raises(WalkError, match="out of bounds"):
        walk_deals(of.cells, of.keys, deals, wild, carried, checked=True)
    with pytest.raises(WalkError, match="out of bounds"):
        simulator(of.cells, of.keys, of.shoe, checked=True).run(10, 1, 0, wild)


def test_the_checked_build_catches_one_bad_answer_among_many() -> None:
    of = traced(load_game(BLUFF).at())
    deals, strategy, carried = some_rounds(of)
    place = of.keys.index(next(of.graph.decisions()), by_slot(deals), carried)[150]
    strategy[place] = 3  # check, call and raise are 0 to 2
    with pytest.raises(WalkError):
        walk_deals(of.cells, of.keys, deals, strategy, carried, checked=True)


def test_the_checked_build_catches_a_carried_value_out_of_bounds() -> None:
    of = traced(load_game(BLUFF).at())
    deals, strategy, carried = some_rounds(of)
    with pytest.raises(WalkError):
        walk_deals(of.cells, of.keys, deals, strategy, {"streak": carried["streak"] + 2}, checked=True)


# ---- the object cache


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("PITBOSS_CACHE", str(folder))
    return folder


def count_cells(house: House) -> list[int]:
    of = traced(house)
    of.graph.made.clear()  # as in another process, which has the files alone
    strategy = random_strategy(of, np.random.default_rng(1))
    return list(simulator(of.cells, of.keys, of.shoe).run(5000, 1, 0, strategy))


def files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if p.name != "secret")


def test_a_second_compilation_reads_the_file(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = load_game(BLUFF).at()
    first = count_cells(house)
    assert cache_directory() == own_cache
    (file,) = files(own_cache)
    before = file.stat().st_mtime_ns, file.read_bytes()
    monkeypatch.setattr(object_files, "_compile", lambda *_: pytest.fail("compiled again"))
    assert count_cells(house) == first
    assert (file.stat().st_mtime_ns, file.read_bytes()) == before


def test_a_loop_is_written_once_for_a_graph_and_again_for_another_way_to_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    of, written = traced(load_game(BLUFF).at()), list[object]()
    of.graph.made.clear()
    monkeypatch.setattr(machine, "Walk", lambda *how: written.append(how) or Walk(*how))
    strategy = random_strategy(of, np.random.default_rng(1))
    one, two = (simulator(of.cells, of.keys, shoe).run(5000, 1, 0, strategy) for shoe in (of.shoe, of.shoe[::-1]))
    assert len(written) == 1 and list(one) != list(two), "another order of the shoe, by the same code"
    again = traced(of.house)
    assert list(simulator(again.cells, again.keys, of.shoe).run(5000, 1, 0, strategy)) == list(one)
    assert len(written) == 1 and again.graph is of.graph
    for how in ({"source": "shoe"}, {"checked": True}, {"whole_cards": True}):
        simulator(of.cells, of.keys, of.shoe, **how)
    simulator(of.cells, of.keys, of.shoe[:-1])
    assert len(written) == 5 == len({*map(str, written)}) and len(of.graph.made["loops"]) <= machine.MOST_LOOPS


def test_another_compiler_does_not_share_the_files(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = count_cells(load_game(BLUFF).at())
    monkeypatch.setattr(object_files.llvmlite, "__version__", "0.0.0")
    assert count_cells(load_game(BLUFF).at()) == first
    assert len(files(own_cache)) == 2


@pytest.mark.parametrize("damage", ["empty", "truncated", "head", "middle", "last", "longer"])
def test_a_damaged_file_is_compiled_again(own_cache: Path, damage: str) -> None:
    house = load_game(BLUFF).at()
    first = count_cells(house)
    (file,) = files(own_cache)
    good = file.read_bytes()
    flip = {"head": 3, "middle": len(good) // 2, "last": len(good) - 1}
    if damage in flip:
        at = flip[damage]
        bad = good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :]
    else:
        bad = {"empty": b"", "truncated": good[: len(good) // 2], "longer": good + b"x"}[damage]
    file.write_bytes(bad)
    assert count_cells(house) == first
    assert file.read_bytes() == good
    assert files(own_cache) == [file], "no temporary file is left behind"


def test_a_cache_that_cannot_be_written_is_no_reason_to_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "file"))
    with pytest.warns(NotKept, match="Not a directory"):
        assert sum(count_cells(load_game(BLUFF).at())) == 5000


GAME_FILE = '''"""One card each; a high card of the dealer's is a push."""

from pitboss.rules import DEALER, NINE, PLAYER, PUSH, Game, Table, Wager, compare


def play(t: Table) -> None:
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    if t.when(his.rank >= 9):
        t.settle(ante=PUSH)
    else:
        t.settle(ante=compare(mine.rank, his.rank))


GAME = Game("mine", "Mine", play, [Wager("ante", required=True)])
'''


def test_a_changed_game_file_gives_the_new_result_at_once(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when the change keeps the size of the file and comes within the same second, as Python's own cache of
    compiled files does not notice."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "mine.py"
    edges, counts, hashes = [], [], []
    for text in (GAME_FILE, GAME_FILE.replace(">= 9", ">= 5"), GAME_FILE):
        path.write_text(text)
        os.utime(path, (1_700_000_000, 1_700_000_000))
        house = load_file(path).at()
        edges.append(analyze(house).wager("ante").house_edge)
        counts.append(count_cells(house))
        hashes.append(house.game.sha256)
    assert edges[0] != edges[1] and counts[0] != counts[1] and hashes[0] != hashes[1]
    assert edges[0] == edges[2] and counts[0] == counts[2] and hashes[0] == hashes[2]


def test_wagers_that_are_settled_alike_are_one_digit() -> None:
    def play(t: Table) -> None:
        result = compare(t.deal(PLAYER).rank, t.deal(DEALER).rank)
        t.settle(ante=result, play=result, side=where(result == "win", WIN, LOSE))

    of = traced(small_game(play, Wager("ante"), Wager("play"), Wager("side")).at())
    assert of.cells.size == 3 * 2
    for cell in range(of.cells.size):
        rows = of.cells.leaf(cell).decode(cell)
        assert rows["ante"] == rows["play"] and rows.keys() == {"ante", "play", "side"}


def test_two_games_that_differ_in_a_table_only_do_not_share_code(own_cache: Path) -> None:
    """A look-up table is data inside the code: its numbers are part of the hash."""

    def game(values: list[int]) -> House:
        def play(t: Table) -> None:
            t.settle(ante=compare(lookup(values, t.deal(BOARD)[0].suit), lookup(values, t.deal(DEALER)[0].suit)))

        return small_game(play).at(shoe=stripped([0, 1]))

    assert count_cells(game([1, 2, 3, 4])) != count_cells(game([4, 3, 2, 4]))
    assert len(files(own_cache)) == 2


def test_too_many_joint_outcomes_are_one_sentence() -> None:
    names = [f"side{i}" for i in range(13)]

    def play(t: Table) -> None:
        for i, name in enumerate(names):
            t.settle(**{name: compare(t.deal(BOARD).rank, i)})

    house = small_game(play, *map(Wager, names)).at()
    with pytest.raises(BadInput, match="can come out together in more than 1,048,576 ways"):
        Cells(trace(house))
