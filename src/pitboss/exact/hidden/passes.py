"""A duel gone through: the passes in threads, the decisions from last to first, and where all rounds end.

What a choice is worth at a decision with a table is known when all boards have gone by, so there are two passes: one
for the worth of choices, and one for where rounds end under the strategy that follows. A decision that sees everything
is taken anew in both, for the pay tables at hand; another pay table is another pass. What a pass of more than half a
second comes to is kept on disk, under a hash of its machine code and of all that it reads.
"""

import ctypes
import hashlib
import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import combinations, product
from typing import Any

import llvmlite.ir as ir
import numpy as np
from numpy.typing import NDArray

from pitboss.compile.count import WORTH_KEEPING
from pitboss.compile.objects import Code, code_key
from pitboss.compile.ranking import addresses
from pitboss.compile.reference import batch
from pitboss.disk import keep, recall
from pitboss.exact.hidden.counters import NUMBERS, POINTERS, Plan
from pitboss.exact.hidden.deals import (
    EVERY,
    NONE,
    Deals,
    Ints,
    Suits,
    board_first,
    chooses,
    deals,
    moved,
    number_of,
    told_alike,
)
from pitboss.exact.hidden.duel import Duel, decisions_in_order, listed
from pitboss.exact.hidden.sights import AT_ONCE, Sight, assignments, sights_of
from pitboss.exact.hidden.streamed import Streamed
from pitboss.exact.plan import TooLarge
from pitboss.ledger.book import SAFE
from pitboss.ledger.cells import Cells
from pitboss.rules.column import Column
from pitboss.rules.graph import Decide, When


@dataclass(frozen=True, eq=False)
class Group:
    """Boards that leave the same suits to be renamed, and the hands that are listed for each."""

    duel: Duel
    suits: Suits
    boards: Deals
    asked: Deals | None = None  # the player's hands, where it is not about all

    @cached_property
    def own(self) -> Deals:
        return self.asked or deals(self.duel.shoe, [len(b) for b in self.duel.own], self.suits)

    @cached_property
    def held(self) -> Deals:
        """Hidden hands, where they are a list of their own."""
        size = len(self.duel.hidden)
        if not size or (self.duel.mirrored and self.asked is None):
            return Deals(np.zeros((0, size), np.uint8), np.zeros(0, np.int64))
        return deals(self.duel.shoe, [size], self.suits if self.duel.folded else NONE)

    @property
    def rows(self) -> int:
        return len(self.boards) * len(self.own)


PIECES = 256  # of a pass: what a thread takes at a time
_KINDS = {"own_seen": np.int32, "ids": np.int32, "moved": np.int32, "renamings": np.uint8, "policy": np.uint8}
_COMES_TO = {"law": "out", "worth": "sums"}  # of passes over all boards
_WORK = ("mine", "mine_too", "his", "his_too", "now", "every", "below", "kept", "sums", "out")  # each thread's own


@dataclass(eq=False)
class Stream:
    """A duel, its deals and what its decisions see, ready to be gone through."""

    duel: Duel
    cells: Cells
    units: Ints  # what each cell is worth to the player who chooses
    answers: dict[int, NDArray[np.uint8]] = field(default_factory=dict)  # of a given strategy, by what is looked at
    policies: dict[int, NDArray[np.uint8]] = field(default_factory=dict)  # decision -> choice, row by row of its table
    said: dict[int, Column] = field(default_factory=dict)  # decision that sees everything -> choice, by a rule
    keeps: int = 1 << 16  # numbers that a pass may come to and be kept
    workers: int | None = None  # threads; as many as there are cores

    def __post_init__(self) -> None:
        self.sights = sights_of(self.duel)
        self.tables = [d.id for d in decisions_in_order(self.duel.graph) if not self.sights[d.id].whole]
        self.ways = assignments(self.duel, [self.sights[d] for d in self.tables])
        self.total = self.duel.ways * len(self.ways)
        self._check_sizes()

    def _check_sizes(self) -> None:
        """Every sum fits into 64 bits, or nothing is done."""
        most = max((abs(int(u)) for u in self.units), default=0)
        left = self.duel.cards
        for d in self.tables:
            s = self.sights[d]
            rows = listed(left, [(0,) * n for n in (*s.board_sizes, *s.own_sizes) if n])
            if most * self.total * 24 // rows >= SAFE:
                raise TooLarge("its sums would not fit into 64 bits")
        if self.total >= SAFE or most * self.duel.ways // max(1, listed(left, self.duel.own)) >= SAFE:
            raise TooLarge("its sums would not fit into 64 bits")

    # ---- what is gone through

    @cached_property
    def groups(self) -> "tuple[Group, ...]":
        """All boards, those together for which the same hands are listed."""
        duel, sizes = self.duel, [len(b) for b in self.duel.board]
        boards = deals(duel.shoe, sizes, EVERY if duel.blind else NONE)
        parts = told_alike(boards, sizes) if duel.folds else [(NONE, boards)]
        return tuple(Group(duel, suits, some) for suits, some in parts)

    def _plan(self, kind: str, group: "Group") -> Plan:
        board_at, moved_at, table_at, seen_at = dict[int, int](), dict[int, int](), dict[int, int](), dict[int, int]()
        answers_at, policy_at, boards, renamed, sums, seen = dict[int, int](), dict[int, int](), 0, 0, 0, 0
        rows = answers = 0
        for d in self.tables:
            s = self.sights[d]
            board_at[d], table_at[d], policy_at[d], seen_at[d] = boards, sums, rows, seen
            boards, rows, seen = boards + len(s.ids), rows + s.rows, seen + len(s.own_chosen)
            sums += s.rows * len(s.decision.kids)
            n = sum(s.own_sizes)
            if s.moves and n not in moved_at:
                moved_at[n], renamed = renamed, renamed + moved(n).size
        for d, table in self.answers.items():
            answers_at[d], answers = answers, answers + len(table)
        tables, ways = tuple(self.tables), tuple(self.ways)
        return Plan(
            self.duel, self.cells, self.sights, kind, tables, ways, board_at, moved_at, table_at, policy_at, seen_at,
            answers_at, self.said, self.duel.mirrored and group.asked is None, group.suits,
        )  # fmt: skip

    def _shared(self, group: "Group") -> dict[str, NDArray[Any]]:
        """What all threads read."""
        own, boards = group.own, group.boards
        sights = [self.sights[d] for d in self.tables]
        seen = [number_of(own.cards[:, list(places)]) for s in sights for places in s.own_chosen]
        sizes = dict.fromkeys(sum(s.own_sizes) for s in sights if s.moves)
        return {
            "boards": boards.cards, "board_weight": boards.weight, "own": own.cards, "own_mask": own.masks,
            "own_rising": np.sort(own.cards, axis=1), "own_weight": own.weight, "own_seen": _joined(seen, np.int32),
            "held": group.held.cards, "held_mask": group.held.masks, "held_weight": group.held.weight,
            "choose": chooses(), "units": self.units,
            "ids": _joined([s.ids for s in sights], np.int32),
            "moved": _joined([moved(n).ravel() for n in sizes], np.int32),
            "renamings": _joined([s.renamings for s in sights], np.uint8),
            "answers": _joined(list(self.answers.values()), np.uint8),
        }  # fmt: skip

    # ---- passes

    def worth(self) -> dict[int, Ints]:
        """Decision with a table -> rows x choices: what each choice is worth, units x ways, without what decisions
        after it bring."""
        sums = self._all("worth")
        out, at = {}, 0
        for d in self.tables:
            s = self.sights[d]
            size = s.rows * len(s.decision.kids)
            out[d], at = sums[at : at + size].reshape(s.rows, -1), at + size
        return out

    def law(self) -> Ints:
        """Cell -> ways, out of `total`, under the policies."""
        return self._all("law")

    def _all(self, kind: str) -> Ints:
        """A pass over all boards."""
        name = _COMES_TO[kind]
        return sum((self._run(kind, group)[name] for group in self.groups[1:]), self._run(kind, self.groups[0])[name])

    def rows(self, group: "Group") -> dict[int, Ints]:
        """Decision that sees everything -> boards x hands x choices: what each is worth, units x hidden hands."""
        whole = [d for d, s in self.sights.items() if s.whole]
        kids = [len(self.sights[d].decision.kids) for d in whole]
        found = self._run("rows", group)["out"].reshape(len(group.boards), len(group.own), -1)
        return dict(zip(whole, np.split(found, np.cumsum(kids)[:-1], axis=2), strict=True))

    def worth_of(self, cards: NDArray[np.uint8]) -> dict[int, Ints]:
        """The same for one deal of board and hand."""
        cut, one = len(self.duel.board_slots), np.ones(1, np.int64)
        cards = board_first(cards, cut) if self.duel.folded else cards
        board = Deals(np.ascontiguousarray(cards[:, :cut]), one)
        like = self.groups[0] if not self.duel.folded else self._group_of(board)
        group = replace(like, boards=board, asked=Deals(np.ascontiguousarray(cards[:, cut:]), one))
        first = self._asked.setdefault(like.suits, group)
        group.__dict__["held"] = first.held  # a million hidden hands, the same for every deal that is asked about
        return {d: found[0, 0] for d, found in self.rows(group).items()}

    @cached_property
    def _asked(self) -> "dict[Suits, Group]":
        return {}

    def _group_of(self, board: Deals) -> "Group":
        return next(g for g in self.groups if (g.boards.cards == board.cards).all(1).any())

    def _run(self, kind: str, group: "Group") -> dict[str, Ints]:
        plan = self._plan(kind, group)
        module = ir.Module("hidden")
        written = Streamed(module, "stream", plan)
        text = str(module)
        boards, own, shared = group.boards, group.own, self._shared(group)
        shared["alike"] = np.zeros(1, np.int32) if plan.alike is None else plan.alike.numbers
        shared["policy"] = _joined([self.policies[d] for d in self.tables if d in self.policies], np.uint8)
        shared = {n: np.ascontiguousarray(a) for n, a in shared.items()}
        hands, hidden = len(own), len(group.held)
        rows = sum(self.sights[d].rows * len(self.sights[d].decision.kids) for d in self.tables)
        out = {"law": self.cells.size, "rows": len(boards) * hands * len(written.kept)}.get(kind, 1)
        sizes = {
            "mine": hands, "mine_too": hands, "his": hidden, "his_too": hidden,
            **{name: plan.counters * width for name, width in plan.widths.items()},
            "below": hands * self.duel.told_apart, "kept": hands * max(1, len(written.kept)),
            "sums": rows if kind == "worth" else 1, "out": out,
        }  # fmt: skip
        go = partial(self._gone_through, written, text, shared, sizes, len(boards), whole=kind == "rows")
        main = _COMES_TO.get(kind)
        if main is None or sizes[main] > self.keeps:
            return go()
        read = {n: a for n, a in shared.items() if n != "units" or self.sights}  # pays matter to whoever decides
        name = _pass_name(text, read)
        kept = recall(name, _numbers)
        if kept is not None and len(kept) == sizes[main]:
            return {main: kept}
        started = time.perf_counter()
        found = go()
        if time.perf_counter() - started > WORTH_KEEPING:
            keep(name, found[main].tobytes())
        return found

    def _gone_through(
        self, written: Streamed, text: str, shared: Mapping[str, NDArray[Any]], sizes: Mapping[str, int], boards: int,
        *, whole: bool,
    ) -> dict[str, Ints]:  # fmt: skip
        """All boards in threads, a piece at a time; `whole` where they write to different parts of one array."""
        kinds = (ctypes.c_int64,) * len(NUMBERS) + (ctypes.c_void_p,) * (len(POINTERS) + 1)
        call = Code(text).function("stream", *kinds, result=ctypes.c_int64)
        tables = addresses(written.ranks_hands)
        step = max(1, boards // PIECES)
        pieces = iter([(i, min(i + step, boards)) for i in range(0, boards, step)])
        lock, stop = threading.Lock(), threading.Event()
        together = {"out": np.zeros(sizes["out"], np.int64)} if whole else {}

        def work() -> dict[str, Ints]:
            own_arrays = {n: np.zeros(max(1, sizes[n]), np.int64) for n in _WORK if n not in together}
            arrays = {**shared, **own_arrays, **together}
            pointers = [arrays[n].ctypes.data for n in POINTERS]
            while not stop.is_set():
                with lock:
                    piece = next(pieces, None)
                if piece is None:
                    break
                call(*piece, sizes["mine"], sizes["his"], *pointers, tables.ctypes.data)
            return {n: arrays[n] for n in ("sums", "out")}

        large = sum(sizes[n] for n in _WORK) * 8 > MOST_TWICE
        workers = 1 if large else min(self.workers or os.cpu_count() or 1, boards)
        with ThreadPoolExecutor(workers) as pool:
            try:
                found = [f.result() for f in [pool.submit(work) for _ in range(workers)]]
            finally:
                stop.set()
        added = found[0]
        for other in found[1:]:
            for n in ("sums", "out"):
                if n not in together:
                    added[n] += other[n]
        return added

    # ---- decisions with a table, from last to first

    def solve(self) -> dict[int, Ints]:
        """Take the best choice at every decision with a table; decision -> rows x choices, what each is worth, rows
        that are alike added up at the first of them."""
        if not self.tables:
            return {}
        sums, solved = self.worth(), dict[int, Ints]()
        for d in reversed(self.tables):
            sight = self.sights[d]
            total = solved[d] = sums.pop(d)
            for start in range(0, sight.rows, AT_ONCE):  # a row that is alike to a lower one is added to it
                labels = sight.labels[start : start + AT_ONCE]
                other = np.flatnonzero(labels != np.arange(start, start + len(labels)))
                np.add.at(total, labels[other], total[start + other])
                total[start + other] = 0
            self.policies[d] = total.argmax(1).astype(np.uint8)[sight.labels]
            above = self.above(sight.decision)
            if above is not None:
                parent, k = above
                first = np.flatnonzero((sight.labels == np.arange(sight.rows)) & total.any(1))
                for start in range(0, len(first), AT_ONCE):
                    some = first[start : start + AT_ONCE]
                    self._hand_up(self.sights[parent], k, sums[parent], sight, some, total[some].max(1))
        return solved

    def above(self, decision: Decide) -> tuple[int, int] | None:
        """The decision with a table before this one, and the choice that leads here."""
        before = [s for s in decision.path if isinstance(s.node, Decide) and s.node.id in self.tables]
        if not before:
            return None
        node = before[-1].node
        assert isinstance(node, Decide)
        return node.id, node.choices.index(str(before[-1].answer))

    def _hand_up(self, parent: Sight, k: int, sums: Ints, sight: Sight, rows: Ints, worth: Ints) -> None:
        """What is best later counts at the decision before: shared out alike over all that it may have seen by then."""
        cards = sight.cards_of(rows)
        places = list(narrowed((*sight.board_sizes, *sight.own_sizes), (*parent.board_sizes, *parent.own_sizes)))
        each, rest = np.divmod(worth, len(places))
        assert not rest.any(), "every way to have seen it counts alike"
        for some in places:
            np.add.at(sums[:, k], parent.rows_of(cards[:, list(some)]), each)

    def reached(self, sight: Sight, cards: NDArray[np.uint8], slots: Sequence[int]) -> NDArray[np.bool_]:
        """Which of these deals come to a decision at all: conditions on the way to it hold."""
        base = {slot: cards[:, i].astype(np.int64) for i, slot in enumerate(slots)}
        out = np.ones(len(cards), bool)
        for step in sight.decision.path:
            if isinstance(step.node, When):
                out &= (batch(step.node.condition, base, {}, len(cards)) != 0) == step.answer
        return out


def _pass_name(text: str, read: Mapping[str, NDArray[Any]]) -> str:
    """A name for all that a pass depends on."""
    digest = hashlib.sha256(code_key(text).encode())
    for name, array in read.items():
        digest.update(f" {name} {array.dtype} {array.shape} ".encode())
        digest.update(array.data)
    return f"{digest.hexdigest()[:32]}.pass"


def _numbers(raw: bytes) -> Ints:
    return np.frombuffer(raw, np.int64).copy()


def _joined(parts: Sequence[NDArray[Any]], kind: Any) -> NDArray[Any]:
    return np.concatenate([np.zeros(0, kind), *parts, np.zeros(1, kind)]).astype(kind)


def narrowed(sizes: Sequence[int], fewer: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Which of the cards seen later may have been seen before, block by block."""
    at, blocks = 0, []
    for n, k in zip(sizes, fewer, strict=True):
        blocks.append([tuple(at + i for i in some) for some in combinations(range(n), k)])
        at += n
    return (tuple(i for part in parts for i in part) for parts in product(*blocks))


MOST_TWICE = 600 << 20  # bytes of working arrays that several threads may each have
