"""A game counted deal by deal: the best strategy or a named one, its chart, and the law of all wagers under it."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property, partial
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from pitboss.compile import Keys
from pitboss.compile.reference import batch
from pitboss.exact.asked import answered
from pitboss.exact.chain import stationary
from pitboss.exact.charted import MOST_CHARTED, charted
from pitboss.exact.induction import Induction, Numbers, Point, Policy, counts_of
from pitboss.exact.rows import canonical, members, ways_to_deal
from pitboss.exact.ruled import strategy_of
from pitboss.exact.symmetry import renamed
from pitboss.ledger.book import Book
from pitboss.ledger.cells import Leaf
from pitboss.ledger.law import Law
from pitboss.ledger.records import Progressive, StrategyRow, Together, WagerResult
from pitboss.rules.evaluate import goes
from pitboss.rules.game import Strategy, seen_at
from pitboss.rules.graph import Decide, End, Graph, Node, When
from pitboss.rules.house import House
from pitboss.rules.paytables import PayTable
from pitboss.thumb.rule import Played
from pitboss.thumb.solved import view_at


class Solver(Book):
    """A house's game, counted. Money, strategy and jackpots are read off the counts."""

    def __init__(
        self, house: House, strategy: str = "optimal", graph: Graph | None = None, checked: bool = False
    ) -> None:
        super().__init__(house, graph)
        self.name = strategy
        self._worth: dict[int, list[list[Fraction]]] = {}
        self._values: dict[int, Numbers] = {}
        self._masses: dict[int, Numbers] = {}
        self._numbered: dict[int, NDArray[np.int64]] = {}
        count = partial(Induction, checked=True) if checked else counts_of
        self.induction = count(self.graph, self.cells, house.composition)
        choices = any(self.graph.decisions())
        given = strategy_of(house, strategy) if choices and strategy != "optimal" else None
        policy = self._best() if given is None else self._alike(given, strategy)
        if given is not None and policy is None:
            self.induction = count(self.graph, self.cells, house.composition, use_classes=False)
            policy = self._follow(given, strategy)
        assert policy is not None
        self._play(policy)

    def _play(self, policy: Policy) -> None:
        self.policy = policy
        self.state_ways = self.induction.cell_ways(policy)
        self.weights = self._stationary()
        self.__dict__.pop("law", None)

    # ---- strategy

    def playing(self, strategy: str) -> "Solver":
        """The same game under another strategy, from the same counts."""
        policy = self._alike(strategy_of(self.house, strategy), strategy)
        return Solver(self.house, strategy, self.graph) if policy is None else self._by(policy, strategy)

    def following(self, given: Strategy, name: str = "") -> "Solver":
        """The same under a strategy that tells apart no deals that the game does not."""
        return self._by(self._follow(given, name), name)

    def _by(self, policy: Policy, name: str) -> "Solver":
        other = copy(self)
        other.name, other._worth, other._values, other._masses = name, {}, {}, {}
        other._play(policy)
        return other

    def paying(self, tables: Mapping[str, PayTable]) -> "Solver":
        """The same game on other pay tables, played optimally for them, from the same counts."""
        other = copy(self)
        other.house = self.house.but(tables=tables)
        other._worth, other._values, other._masses, other._prices = {}, {}, {}, {}
        other.__dict__.pop("units", None)
        other._play(other._best())
        return other

    @cached_property
    def units(self) -> tuple[Callable[[Leaf], Numbers], int]:
        """Worth of every cell to the player who maximises his main wagers, as whole numbers."""
        whole, denominator = self.worth_together(self.decided)
        return (lambda leaf: whole[leaf.offset : leaf.offset + leaf.size]), denominator

    def _best(self) -> Policy:
        return self.induction.best_policy(self.units[0])

    def _asker(self, strategy: Strategy, point: Point, name: str) -> Callable[[NDArray[np.uint8]], list[int]]:
        """What the strategy answers to deals at a decision, row by row; every deal is asked for once."""
        node, carried, slots = point.node, tuple(self.graph.carried), point.rows.slots
        asked: dict[tuple[int, ...], int] = {}

        def ask(cells: NDArray[np.uint8]) -> list[int]:
            deals = [*map(tuple, cells.tolist())]
            values = cells.T.astype(np.int64)
            kept = dict(zip(carried, values, strict=False))
            cards = dict(zip(slots, values[len(carried) :], strict=True))
            by = zip(*(batch(col, cards, kept, len(cells)).tolist() for _, col in node.by), strict=True)
            for deal, named in zip(deals, by if node.by else repeat(()), strict=False):
                if deal not in asked:
                    here = dict(zip(slots, deal[len(carried) :], strict=True))
                    seen = seen_at(node, here, dict(zip(carried, deal, strict=False)), named)
                    asked[deal] = answered(strategy, seen, name)
            return [asked[deal] for deal in deals]

        return ask

    def _follow(self, strategy: Strategy, name: str) -> Policy:
        """What the strategy answers to every row."""
        if isinstance(strategy, Played):
            return self.answers([strategy])[0]
        points = self.induction.points
        return {p.node.id: np.array(self._asker(strategy, p, name)(p.rows.cells), np.int64) for p in points}

    def answers(self, rules: Sequence[Played]) -> list[Policy]:
        """What rules to remember say to every row at once."""
        names = list(self.graph.carried)
        policies: list[Policy] = [{} for _ in rules]
        for p in self.induction.points:
            cells = p.rows.cells.T
            cards = dict(zip(p.rows.slots, cells[len(names) :], strict=True))
            view = view_at(p.node, len(p.rows), cards, dict(zip(names, cells, strict=False)))
            for rule, policy in zip(rules, policies, strict=True):
                policy[p.node.id] = rule.answers(p.node, view)
        return policies

    def _alike(self, strategy: Strategy, name: str) -> Policy | None:
        """The same; None where it does not answer alike to all deals that the game cannot tell apart."""
        if isinstance(strategy, Played):  # it is made of looks, none of which does
            return self._follow(strategy, name)
        out: Policy = {}
        for p in self.induction.points:
            ask = self._asker(strategy, p, name)
            answers = ask(p.rows.cells)
            if any(ask(cells) != answers for cells in members(p.rows, self.induction.blind)):
                return None
            out[p.node.id] = np.array(answers, np.int64)
        return out

    def strategy_array(self, keys: Keys) -> NDArray[np.uint8]:
        """The policy as the simulator's look-up array: every deal that a row stands for gets the row's answer. The keys
        may be those of the whole game, where this is the count of some of its wagers."""
        out = np.zeros(max(1, keys.size), np.uint8)
        sizes = [h + 1 for h in self.graph.carried.values()]
        points = {p.node.id: p for p in self.induction.points}
        for decision in keys.graph.decisions():
            same, key = self._same(decision), keys.of_node[decision.id]
            if same is None:  # it does not matter to these wagers: the first choice, as of equal ones
                continue
            point = points[same.id]
            answer = self.policy[point.node.id].astype(np.uint8)
            for cells in members(point.rows, self.induction.blind):
                place = np.zeros(len(cells), np.int64)
                for i, size in enumerate(sizes):
                    place = place * size + cells[:, i]
                for slot in key.slots:
                    place = place * keys.graph.codes + cells[:, len(sizes) + point.rows.slots.index(slot)]
                out[key.offset + place] = answer
        return out

    def _same(self, decision: Decide) -> Decide | None:
        """The decision of this graph that a decision of the whole game comes to: forks that do not matter here are
        passed over. None where it does not matter."""
        here: Node = self.graph.root
        for step in decision.path:
            if isinstance(here, When | Decide) and type(here) is type(step.node) and here.site == step.node.site:
                answers: Sequence[object] = here.choices if isinstance(here, Decide) else (True, False)
                here = here.kids[answers.index(step.answer)]
        return here if isinstance(here, Decide) and here.site == decision.site else None

    def choice_worth(self, point: Point) -> list[list[Fraction]]:
        """choices x rows: the expectation of each choice, the policy followed afterwards; 0 where no round comes."""
        if point.node.id not in self._worth:
            values, mass, denominator = self.values(point), self.mass(point), self.units[1]
            self._worth[point.node.id] = [
                [Fraction(int(v), int(m) * denominator) if m else Fraction(0) for v, m in zip(row, mass, strict=True)]
                for row in values
            ]
        return self._worth[point.node.id]

    def values(self, point: Point) -> Numbers:
        """choices x rows: the same over all ways of a row, in whole units."""
        if point.node.id not in self._values:
            self._values[point.node.id] = self.induction.choice_values(point, self.units[0], self.policy)
        return self._values[point.node.id]

    def mass(self, point: Point) -> Numbers:
        """Per row, the ways in which a round comes to the decision when the earlier choices lead there."""
        if point.node.id not in self._masses:
            found = self.induction.choice_values(point, lambda leaf: np.ones(leaf.size, object), self.policy)
            self._masses[point.node.id] = found[0]
        return self._masses[point.node.id]

    def chart(self) -> tuple[StrategyRow, ...]:
        """Every decision, everything the player may see there, the worth of every choice; a decision with very many
        things to see is left to `advice`."""
        small = [p for p in self.induction.points if len(p.rows) <= MOST_CHARTED]
        return tuple(row for point in small for row in self._chart_rows(point))

    def not_charted(self) -> dict[str, int]:
        """Decisions that the chart leaves out, and how many rows they would have."""
        return {p.node.name: len(p.rows) for p in self.induction.points if len(p.rows) > MOST_CHARTED}

    def _chart_rows(self, point: Point) -> list[StrategyRow]:
        rows, worth = point.rows, self.choice_worth(point)
        shares = [
            Fraction(int(m), self.induction.ways) * self.weights[r]
            for m, r in zip(self.mass(point), rows.root, strict=True)
        ]
        return charted(point.node, rows.slots, rows.cells[:, rows.carried :], shares, worth, self.policy[point.node.id])

    # ---- carried values

    def _stationary(self) -> list[Fraction]:
        """How often a seat comes to a round with each carried state, in the long run."""
        states = self.induction.states
        if len(states) == 1:
            return [Fraction(1)]
        names = [f"carried {n}" for n in self.graph.carried]
        moves = [[Fraction(0)] * len(states) for _ in states]
        for s, ways in enumerate(self.state_ways):
            for leaf, cell in self._live(ways):
                rows = leaf.decode(cell)
                moves[s][states.index(tuple(int(rows[n]) for n in names))] += Fraction(ways[cell], self.induction.ways)
        return stationary(moves)

    def _live(self, ways: list[int]) -> list[tuple[Leaf, int]]:
        """The cells that rounds end in."""
        return [(x, c) for x in self.cells.leaves for c in range(x.offset, x.offset + x.size) if ways[c]]

    @cached_property
    def law(self) -> Law:
        """How all wagers come out together under the strategy."""
        names, places = list(self.graph.carried), {state: i for i, state in enumerate(self.induction.states)}
        joints = []
        for before, ways in enumerate(self.state_ways):
            for leaf, cell in self._live(ways):
                rows = leaf.decode(cell) if names else {}
                after = places[tuple(int(rows[f"carried {n}"]) for n in names)]
                joints.append(self.joint(leaf, cell, ways[cell], (before, after)))
        told = tuple(", ".join(f"{n} {v}" for n, v in zip(names, s, strict=True)) for s in self.induction.states)
        states = told if names else ("every hand",)
        there = {s.wager for end in self.graph.ends() for s in end.settled}
        wagers = tuple(p for p in self.house.parties if p in there)
        return Law(self.house, wagers, tuple(joints), self.induction.ways, states, tuple(self.weights), self._spare)

    # ---- records

    def wager_result(self, party: str) -> WagerResult:
        return self.shared_result(party, self.induction.ways) if party in self.shared else self.law.record(party)

    def _spare(self, party: str) -> int:
        """Ways to deal the cards that this wager does not look at, or to tell apart cards that it does not: it is
        counted over what it looks at."""
        members = {w.name for w in self.house.parties[party]}
        digits = [d.index for d in self.cells.shared if members & set(d.names)]
        if not members <= {name for d in self.cells.shared for name in d.names}:
            return 1  # it comes out differently on different ways through the round
        used = frozenset[int]().union(*(d.slots for d in digits))
        deals: list[tuple[tuple[int, ...], bool]] = []  # slots, whether their order counts
        for group in self.cells.leaves[0].end.groups:
            if not used & set(group.slots):
                continue
            ordered = not self.induction.single or self.induction.ordered(group)
            if deals and not ordered and not deals[-1][1]:
                a, b = deals[-1][0][0], group.slots[0]
                if all(
                    new is old for new, old in zip(renamed(digits, {a: b, b: a}), digits, strict=True)
                ):  # two deals, looked at as one hand
                    deals[-1] = (deals[-1][0] + group.slots, False)
                    continue
            deals.append((group.slots, ordered))
        natural, seen = 1, 0
        for slots, ordered in deals:
            natural *= ways_to_deal(sum(self.house.composition), seen, len(slots), ordered)
            seen += len(slots)
        return self.induction.ways // natural if self.induction.ways % natural == 0 else 1

    def together(self, bets: Mapping[str, Fraction]) -> Together:
        """All these bets at once, in dollars."""
        self.house.check_bets(bets)
        return self.law.together(bets)

    def progressive(self, party: str) -> Progressive:
        return self.law.progressive(party)

    # ---- at the table

    def advice(
        self, choices: "list[str] | tuple[str, ...]", cards: Mapping[int, int], carried: Mapping[str, int],
        went: Sequence[bool] = (),
    ) -> dict[str, Fraction]:  # fmt: skip
        """The expectation of every choice open to a player who has made these choices and been dealt these cards.

        Hidden cards, or else which way it `went` where they were looked at, say which public branches the round took;
        the values use what the player can see.
        """
        here: Node = self.graph.root
        made, way = list(choices), goes(cards, carried, went)
        while not isinstance(here, Decide) or made:
            assert not isinstance(here, End), "the round is over"
            if isinstance(here, When):
                here = here.kids[0 if way(here.condition) else 1]
            elif isinstance(here, Decide):
                here = here.kids[here.choices.index(made.pop(0))]
        point = next(p for p in self.induction.points if p.node is here)
        row = self._row(point, [*(carried[n] for n in self.graph.carried), *(cards[s] for s in point.rows.slots)])
        ways = int(self.mass(point)[row]) * self.units[1]
        values = self.values(point)[:, row].tolist()
        return {c: Fraction(v, ways) if ways else Fraction(0) for c, v in zip(point.node.choices, values, strict=True)}

    def _row(self, point: Point, deal: Sequence[int]) -> int:
        """The row that stands for a deal; at a table, decisions of one kind are asked about again and again."""
        rows, blind = point.rows, self.induction.blind
        number = partial(canonical, carried=rows.carried, groups=rows.groups, ordered=rows.ordered, blind=blind)
        if point.node.id not in self._numbered:
            self._numbered[point.node.id] = number(rows.cells)
        return int(np.flatnonzero(self._numbered[point.node.id] == number(np.array([deal], np.uint8)))[0])
