"""The kernel for a hidden hand that no decision has seen, and for decisions on more deals than can be listed: every
board and every hand of the player's goes by once, and the hidden hand is counted without being dealt."""

import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitboss.compile.reference import batch
from pitboss.exact.asked import MOST_ASKED, answered, by_value
from pitboss.exact.charted import MOST_CHARTED, charted
from pitboss.exact.hidden import ruled
from pitboss.exact.hidden.deals import Ints
from pitboss.exact.hidden.duel import Duel, asked_alike, blocks_of, listed
from pitboss.exact.hidden.passes import MOST_TWICE, Stream
from pitboss.exact.hidden.sights import Sight, about, duel_of, sights_of
from pitboss.exact.induction import whole_units
from pitboss.exact.kernels.task import Advised, Task
from pitboss.exact.plan import Offer, TooLarge
from pitboss.exact.ruled import is_rule, rule_of
from pitboss.ledger.book import SAFE, Book
from pitboss.ledger.law import Law
from pitboss.ledger.records import StrategyRow, WagerResult
from pitboss.rules.errors import BadInput
from pitboss.rules.evaluate import goes
from pitboss.rules.game import Strategy, seen_at
from pitboss.rules.graph import Decide, Node, When
from pitboss.rules.work import BASE_MEMORY, many_words
from pitboss.thumb import Played, Solved

if TYPE_CHECKING:
    from pitboss.compile import Keys

STEP = 0.6e-9  # seconds of a step of the innermost loops
LISTED = 4e-7  # seconds of a board or a hand of several blocks, until it lies there up to suits
MOST_STEPS = 2e13
MOST_KEPT = 1 << 23  # numbers of a pass
CORES = os.cpu_count() or 1


def duel_for(task: Task) -> Duel:
    """The reading of a task's graph, found once."""
    key = ("duel", task.house.composition)
    if key not in task.graph.made:
        task.graph.made[key] = duel_of(task.graph, task.house.composition)
    found = task.graph.made[key]
    if isinstance(found, str):
        raise TooLarge(found)
    assert isinstance(found, Duel)
    return found


def stream_of(duel: Duel, book: Book) -> tuple[Stream, int]:
    """What is gone through for the wagers of a book, and in how many parts of a unit they are counted."""
    nets = [sum(n, Fraction(0)) for n in zip(*(book.prices(p) for p in book.decided), strict=True)]
    units, denominator = whole_units(nets)
    if any(abs(int(u)) >= SAFE for u in units):
        raise TooLarge("what a round can pay does not fit into 64 bits")
    usual = all(book.house.tables[w.name] in w.tables for p in book.decided for w in book.house.parties[p])
    keeps = MOST_KEPT if usual else Stream.keeps  # megabytes, so not for every pay table that a designer tries
    return Stream(duel, book.cells, units.astype(np.int64), keeps=keeps), denominator


class Streamed:
    """Wagers counted board by board."""

    def __init__(self, task: Task) -> None:
        self.task, self.duel, self.book = task, duel_for(task), Book(task.house, task.graph)
        self.house, self.graph = task.house, task.graph
        self.stream, self.denominator = stream_of(self.duel, self.book)
        self._solved: dict[int, Ints] = {}
        if any(self.graph.decisions()):
            if task.strategy == "optimal":
                self._solved = self.stream.solve()
            elif is_rule(task.house, task.strategy):
                self._by_rule(rule_of(task.house, task.strategy))
            else:
                self._follow(task.house.strategy(task.strategy))
        self._ways = self.stream.law()

    # ---- a rule, or a strategy of the game file

    def _by_rule(self, rule: Played) -> None:
        self.stream = ruled.Ruled(self.stream).by(rule)

    def _follow(self, strategy: Strategy) -> None:
        for d, sight in self.stream.sights.items():
            if not sight.whole and sight.rows <= MOST_ASKED:
                self.stream.policies[d] = self._asked(strategy, sight)
            elif sight.decision.by:
                table = by_value(strategy, sight.decision, self.task.strategy)
                if sight.whole:
                    self.stream.answers[d] = table
                else:
                    rows = np.arange(sight.rows)
                    cards = sight.cards_of(rows)
                    base = {slot: cards[:, i].astype(np.int64) for i, slot in enumerate(sight.slots)}
                    self.stream.policies[d] = table[_index(sight.decision, base, len(rows))]
            else:
                raise BadInput(_too_many(self.task.strategy, sight.decision))

    def _asked(self, strategy: Strategy, sight: Sight) -> NDArray[np.uint8]:
        """A strategy that looks at cards, asked for every row; alike for all rows that the game cannot tell apart."""
        answers = np.zeros(sight.rows, np.uint8)
        for row in np.flatnonzero(sight.weights).tolist():
            cards = dict(zip(sight.slots, sight.cards_of(np.array([row]))[0].tolist(), strict=True))
            answers[row] = answered(strategy, seen_at(sight.decision, cards, {}), self.task.strategy)
        if (answers[sight.labels] != answers)[sight.weights > 0].any():
            raise BadInput(
                f"the strategy {self.task.strategy!r} tells suits apart at the decision {sight.decision.name!r}, where "
                "the game does not; then it can be simulated, and not counted"
            )
        return answers

    # ---- what it comes to

    @cached_property
    def _law(self) -> Law:
        there = {s.wager for end in self.graph.ends() for s in end.settled}
        wagers = tuple(p for p in self.house.parties if p in there)
        joints = tuple(
            self.book.joint(leaf, cell, int(self._ways[cell]))
            for leaf in self.book.cells.leaves
            for cell in range(leaf.offset, leaf.offset + leaf.size)
            if self._ways[cell]
        )
        return Law(self.house, wagers, joints, self.stream.total, spare=self._spare)

    def _spare(self, party: str) -> int:
        """Ways that differ in cards which a wager does not look at."""
        names = {w.name for w in self.house.parties[party]}
        rows = [s.rows.index for end in self.graph.ends() for s in end.settled if s.wager in names]
        if len({r.uid for r in rows}) != 1:
            return 1  # it comes out differently on different ways through the round
        natural = listed(self.duel.cards, blocks_of(rows[:1], tuple(sorted(rows[0].slots))))
        return self.stream.total // natural if self.stream.total % natural == 0 else 1

    def law(self) -> Law:
        return self._law

    def record(self, party: str) -> WagerResult:
        return self._law.record(party)

    # ---- what choices are worth

    def chart(self) -> tuple[StrategyRow, ...]:
        return tuple(row for s in self._charted for row in self._chart(s))

    def not_charted(self) -> dict[str, int]:
        return {s.decision.name: n for s, n in self._sizes.items() if s not in self._charted}

    @property
    def _charted(self) -> list[Sight]:
        return [s for s, n in self._sizes.items() if n <= MOST_CHARTED and s.decision.id in self._solved]

    @cached_property
    def _sizes(self) -> dict[Sight, int]:
        """What can be seen at each decision, up to suits."""
        every = self.duel.boards * self.duel.hands
        return {
            s: every if s.whole else int((s.labels == np.arange(s.rows))[s.weights > 0].sum())
            for s in self.stream.sights.values()
        }

    def _chart(self, sight: Sight) -> list[StrategyRow]:
        d = sight.decision.id
        first = np.flatnonzero((sight.labels == np.arange(sight.rows)) & (sight.weights > 0))
        alike = np.bincount(sight.labels, weights=sight.weights, minlength=sight.rows).astype(np.int64)[first]
        cards = sight.cards_of(first)
        there = self.stream.reached(sight, cards, sight.slots)
        shares = [Fraction(int(n), int(alike.sum())) * bool(y) for n, y in zip(alike, there, strict=True)]
        worth = [
            [
                Fraction(int(v)) / (self.stream.total * self.denominator * s) if s else Fraction(0)
                for v, s in zip(row, shares, strict=True)
            ]
            for row in self._solved[d][first].T
        ]
        return charted(sight.decision, sight.slots, cards, shares, worth, self.stream.policies[d][first])

    def solved_rows(self) -> list[Solved]:
        return ruled.solved_rows(self.stream, self._solved, self.denominator)

    def rule_costs(self, rules: Sequence[Played]) -> list[Fraction]:
        return ruled.rule_costs(self.stream, self.denominator, rules)

    def rule_notes(self) -> list[str]:
        large = [f"{s.decision.name} {n:,}" for s, n in self._sizes.items() if ruled.too_many(self.stream, s)]
        told = (
            f"looked for in {ruled.MOST_LISTED:,} of the things to see ({', '.join(large)}), its cost counted over all"
        )
        return [told] if large else []

    def advice(self, turn: Advised) -> dict[str, Fraction]:
        """What every choice is worth to somebody who sees these cards."""
        decision = self._decision(turn)
        if decision is None:
            return dict.fromkeys(turn.choices, Fraction(0))
        sight = self.stream.sights[decision.id]
        seen = [[turn.cards[s] for s in block if s in sight.slots] for block in (*self.duel.board, *self.duel.own)]
        cards = np.array([[c for block in seen for c in sorted(block)]], np.uint8)
        if sight.whole:
            values = self.stream.worth_of(cards)[decision.id]
            ways = self.duel.ways // _dealt(self.duel)
        else:
            if decision.id not in self._solved:
                raise TooLarge("what choices are worth is counted for the best play")
            row = sight.labels[sight.rows_of(cards)[0]]
            values = self._solved[decision.id][row]
            alike = int(sight.weights[sight.labels == row].sum())
            ways = self.stream.total * alike // int(sight.weights.sum())
        return {
            c: Fraction(int(v), ways * self.denominator) for c, v in zip(decision.choices, values.tolist(), strict=True)
        }

    def _decision(self, turn: Advised) -> Decide | None:
        """The decision that a player who has made these choices has come to."""
        here: Node = self.graph.root
        made, way = list(turn.made), goes(turn.cards, {}, turn.went)
        while True:
            if isinstance(here, When):
                here = here.kids[0 if way(here.condition) else 1]
            elif isinstance(here, Decide) and made:
                if made[0] not in here.choices:
                    made.pop(0)
                    continue
                here = here.kids[here.choices.index(made.pop(0))]
            else:
                return here if isinstance(here, Decide) else None

    def strategy_array(self, keys: "Keys") -> NDArray[np.uint8]:
        """The strategy as the simulator looks it up, where every decision has a table."""
        out = np.zeros(max(1, keys.size), np.uint8)
        by_site = {s.decision.site: s for s in self.stream.sights.values()}
        for decision in keys.graph.decisions():
            sight, key = by_site.get(decision.site), keys.of_node[decision.id]
            if sight is None:
                continue
            if sight.whole or not key.slots:
                raise BadInput("the best play looks at more cards than a table of answers holds")
            cards = np.array(list(product(range(52), repeat=len(key.slots))), np.uint8)
            place = [key.slots.index(s) for s in sight.slots]
            parts, at = [], 0
            for n in (*sight.board_sizes, *sight.own_sizes):
                parts.append(np.sort(cards[:, place[at : at + n]], axis=1))
                at += n
            told = np.array([len({*row}) == len(row) for row in cards.tolist()])
            rows = sight.rows_of(np.concatenate(parts, 1)[told])
            out[key.offset + np.flatnonzero(told)] = self.stream.policies[sight.decision.id][rows]
        return out


def _dealt(duel: Duel) -> int:
    """Ways to deal all that can be seen."""
    left = duel.cards - len(duel.board_slots)
    return listed(duel.cards, duel.board) * listed(left, duel.own)


def _index(decision: Decide, base: Mapping[int, Ints], rows: int) -> Ints:
    out: Ints = np.zeros(rows, np.int64)
    for _, col in decision.by:
        out = out * (col.hi - col.lo + 1) + batch(col, base, {}, rows) - col.lo
    return out


def _too_many(strategy: str, decision: Decide) -> str:
    return (
        f"the strategy {strategy!r} would be asked for more cards than can be listed at the decision "
        f"{decision.name!r}; name what it looks at with `by=` there, or simulate it"
    )


class _Hidden:
    name = "the hidden hand, board by board"

    def offer(self, task: Task) -> Offer:
        duel = duel_for(task)
        if duel.steps > MOST_STEPS:
            raise TooLarge(
                f"{many_words(duel.boards * duel.hands)} boards and hands of the player's would go by in "
                f"{many_words(duel.steps)} steps, and {many_words(MOST_STEPS)} are taken"
            )
        sights = sights_of(duel)
        if task.strategy != "optimal" and not is_rule(task.house, task.strategy):
            task.house.strategy(task.strategy)
            for s in sights.values():
                if not asked_alike(duel, s.decision):
                    raise TooLarge(
                        f"what {s.decision.name!r} is decided by tells cards apart that are alike to the game"
                    )
                if not s.decision.by and (s.whole or s.own_count > MOST_ASKED):
                    raise TooLarge(_too_many(task.strategy, s.decision))
        tables = [s for s in sights.values() if not s.whole]
        passes = 2 if tables and task.strategy == "optimal" else 1
        rows = duel.boards * duel.hands
        scattered = sum(len(s.chosen) * len(s.decision.kids) for s in tables)
        steps = passes * duel.steps + rows * scattered * 2.5
        numbers = 8 * sum(about(s) * len(s.decision.kids) for s in tables)
        table = numbers * (1 if numbers > MOST_TWICE else CORES) + 40 * sum(about(s) for s in tables if s.like is None)
        seconds = 0.3 + STEP * steps + LISTED * duel.listed_in_parts
        return Offer(self.name, rows, duel.ways, seconds, BASE_MEMORY + duel.memory + table, steps=int(steps))

    def open(self, task: Task) -> Streamed:
        return Streamed(task)


HIDDEN = _Hidden()
