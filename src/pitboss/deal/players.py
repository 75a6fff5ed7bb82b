"""How a simulated player finds his answers: in a table that machine code looks up, or by asking the strategy itself.

A simulation needs no exact solver. The best play is taken from the study where it can be counted; a strategy of the
game file is asked for everything that can be seen, once; and where that is too much to list, round by round.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import shoe_cards, stream_state
from pitboss.compile import Keys, reference_cells
from pitboss.compile.keys import keyed_by_value
from pitboss.compile.reference import batch
from pitboss.exact import Study
from pitboss.exact.asked import MOST_ASKED, answered, asked_table
from pitboss.exact.ruled import is_rule, strategy_of
from pitboss.ledger.book import Book
from pitboss.rules.by_value import ByValue
from pitboss.rules.errors import BadInput
from pitboss.rules.game import Seen, seen_at
from pitboss.rules.graph import Decide
from pitboss.rules.house import DERIVED, House
from pitboss.thumb import Played as Rule
from pitboss.thumb.solved import view_at

Ints = NDArray[np.int64]
MOST_KEPT = 4_000_000  # answers that are kept
WIDE = "looks at more cards than a table of answers holds"
LANES = 1 << 13  # rounds at a time


@dataclass(frozen=True, eq=False)
class Played:
    """The study of the strategy that is really played, its table if it has one, and what the reader should know."""

    study: Study
    table: NDArray[np.uint8] | None
    keys: Keys | None
    notes: tuple[str, ...] = ()


def played(house: House, strategy: str) -> Played:
    """The strategy that a simulation of this name plays."""
    study = Study(house, strategy)
    if not any(study.graph.decisions()):
        return Played(study, np.zeros(1, np.uint8), Keys(study.graph))
    if strategy == "optimal" and study.drawn:
        study = Study(house, "basic")  # a chart cannot hold every card
    notes: tuple[str, ...] = ()
    beyond = unsolved(study)
    wide = not study.drawn and (Keys.size_of(study.graph) > Keys.MOST or _by_value(study))
    if (beyond or wide) and study.strategy in ("optimal", "basic"):
        why = f"is not known: {beyond}" if beyond else WIDE
        own = next(iter(house.game.strategies), None)
        if own is None:
            counted = "" if beyond else _counted_instead(house)
            raise BadInput(
                f"the best play of {house.game.title} {why}{counted}. Give the game file a strategy, such as "
                'strategies={"mine": mine}, and it is simulated'
            )
        notes = (f"played by {own!r} of the game file: the best play {why}",)
        study = Study(house, own)
    keys = keys_of(study)
    table = None if keys is None else table_of(study, keys)
    return Played(study, table, None if table is None else keys, notes)


def _counted_instead(house: House) -> str:
    """The commands that go on where the best play is known and cannot be dealt by."""
    told = f"; `{house.provenance().command('analyze')}` counts it"
    if house.stock.jokers or house.stock.wild is not None:
        return told
    return f"{told}, and `{house.provenance('rule').command('simulate')}` plays what a person can remember of it"


def unsolved(study: Study) -> str:
    """Why the best play is not known; nothing where it is."""
    beyond = [p for p in study.decided if study.plan.step(p) is None]
    return study.plan.refused[beyond[0]] if beyond else ""


def keys_of(study: Study) -> Keys | None:
    """How the answers of a strategy are laid out; None where there are too many for a table. A strategy of the game
    file that is asked one answer at a time is asked by what a decision is made `by` where the cards are too many."""
    if is_rule(study.house, study.strategy) and not study.drawn and _by_value(study):
        return None  # it looks at the cards
    most = Keys.MOST if _counted(study) or study.strategy in DERIVED else MOST_ASKED
    return Keys(study.graph, most) if Keys.size_of(study.graph, most) <= Keys.MOST else None


def _counted(study: Study) -> bool:
    """Whether the answers are known from a count."""
    return all(study.plan.step(p) is not None for p in study.decided) and (study.drawn or not _by_value(study))


def tabled(study: Study) -> bool:
    """Whether the answers of a strategy are a table that can be looked up; nothing is counted to say so."""
    if not any(study.graph.decisions()):
        return True
    keys = keys_of(study)
    return keys is not None and (_counted(study) or (study.strategy != "optimal" and keys.size <= MOST_ASKED))


def table_of(study: Study, keys: Keys) -> NDArray[np.uint8] | None:
    """The answers of a strategy as a table: from the count, or asked for one by one; None where there are too many."""
    if not any(study.graph.decisions()):
        return np.zeros(1, np.uint8)
    if _counted(study):
        return study.strategy_array(keys)
    if study.strategy == "optimal":
        return None  # the best play looks at more than a table holds
    return asked_table(study.house, study.graph, study.strategy, keys) if keys.size <= MOST_ASKED else None


def _by_value(study: Study) -> bool:
    return any(keyed_by_value(study.graph, d) for d in study.graph.decisions())


class Asker:
    """Rounds from fresh shuffles in which the strategy itself is asked, each thing that is seen once: for strategies
    that no table holds. Slower than machine code, and it takes any game."""

    def __init__(self, book: Book, strategy: str) -> None:
        self.book, self.name = book, strategy
        self.ask = strategy_of(book.house, strategy)
        self.shoe = np.array(shoe_cards(book.house.composition), np.int64)
        self.carried = dict(book.graph.carried)
        self._known: dict[tuple[int, int], int] = {}
        if book.graph.open_ended:
            raise BadInput("decisions on hands of any length are asked by what they are made `by`, which is a table")
        self.width = book.graph.most_cards()
        if self.carried:
            self._after = {n: np.zeros(book.cells.size, np.int64) for n in self.carried}
            for leaf in book.cells.leaves:
                for cell, rows in enumerate(leaf.table, leaf.offset):
                    for n in self.carried:
                        self._after[n][cell] = int(rows[f"carried {n}"])

    def run(self, rounds: int, seed: int, chunk: int, warm_up: int) -> Ints:
        """Hands per cell of so many rounds; the result depends on seed and chunk only."""
        lots = self._lots(rounds, seed, chunk, warm_up)
        return sum((np.bincount(cells, minlength=self.book.cells.size) for cells in lots), start=self._none)

    def listed(self, rounds: int, seed: int, chunk: int, warm_up: int) -> Ints:
        """The cell of every round."""
        return np.concatenate([*self._lots(rounds, seed, chunk, warm_up)])

    @property
    def _none(self) -> Ints:
        return np.zeros(self.book.cells.size, np.int64)

    def _lots(self, rounds: int, seed: int, chunk: int, warm_up: int) -> Iterator[Ints]:
        rng = np.random.Generator(np.random.PCG64(list(stream_state(seed, chunk))))
        lanes = min(LANES, rounds)
        carried = {n: np.zeros(lanes, np.int64) for n in self.carried}
        for _ in range(warm_up if self.carried else 0):
            self._after_round(carried, self._cells(rng, carried, lanes))
        left = rounds
        while left:
            now = min(lanes, left)
            cells = self._cells(rng, {n: v[:now] for n, v in carried.items()}, now)
            yield cells
            if self.carried and now == lanes:
                self._after_round(carried, cells)
            left -= now

    def _after_round(self, carried: dict[str, Ints], cells: Ints) -> None:
        for n in carried:
            carried[n] = self._after[n][cells]

    def _cells(self, rng: np.random.Generator, carried: Mapping[str, Ints], rounds: int) -> Ints:
        shoe = np.tile(self.shoe, (rounds, 1))
        every = np.arange(rounds)
        for i in range(self.width):  # the first cards of a shuffle
            j = rng.integers(i, shoe.shape[1], rounds)
            here = shoe[:, i].copy()
            shoe[:, i] = shoe[every, j]
            shoe[every, j] = here
        return reference_cells(self.book.cells, shoe[:, : self.width], self._policy, carried)

    def _policy(self, decision: Decide, base: Mapping[int, Ints], carried: Mapping[str, Ints]) -> Ints:
        slots = [s for g in decision.seen() for s in g.slots]
        rounds = len(next(iter(base.values())))
        by_value = not isinstance(self.ask, Rule) and keyed_by_value(self.book.graph, decision, MOST_ASKED)
        if by_value:
            columns = [batch(col, base, carried, rounds) - col.lo for _, col in decision.by]
            sizes = [col.hi - col.lo + 1 for _, col in decision.by]
        else:
            columns = [base[s] for s in slots] + [carried[n] for n in self.carried]
            sizes = [self.book.graph.codes] * len(slots) + [highest + 1 for highest in self.carried.values()]
        seen = np.stack(columns, 1) if columns else np.zeros((rounds, 0), np.int64)
        code: Ints = np.zeros(rounds, np.int64)
        for column, size in zip(seen.T, sizes, strict=True):
            code = code * size + column
        if prod(sizes) >= 1 << 62:
            raise decision.site.error(
                "too much is seen at this decision to tell it apart; name less that it is made `by`, such as "
                "by={'hand': by_floor(...)}"
            )
        kinds, first, kind = np.unique(code, return_index=True, return_inverse=True)
        answers: Ints = np.zeros(len(kinds), np.int64)
        if len(self._known) > MOST_KEPT:
            self._known.clear()
        if isinstance(self.ask, Rule):
            cards = {s: seen[first, k] for k, s in enumerate(slots)}
            kept = {n: seen[first, len(slots) + k] for k, n in enumerate(self.carried)}
            return self.ask.answers(decision, view_at(decision, len(first), cards, kept))[kind]
        for i, (number, row) in enumerate(zip(kinds.tolist(), first.tolist(), strict=True)):
            found = self._known.get((decision.id, number))
            if found is None:
                found = answered(self.ask, self._seen(decision, seen[row].tolist(), slots, by_value), self.name)
                self._known[decision.id, number] = found
            answers[i] = found
        return answers[kind]

    def _seen(self, decision: Decide, values: list[int], slots: list[int], by_value: bool) -> Seen:
        if by_value:
            named = {name: col.lo + v for (name, col), v in zip(decision.by, values, strict=True)}
            return ByValue(decision, named, decision.placed)
        kept = dict(zip(self.carried, values[len(slots) :], strict=True))
        return seen_at(decision, dict(zip(slots, values, strict=False)), kept)
