"""From counts to figures: return tables, edges, strategy charts, the whole bet, jackpots."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import RANKS, card_name
from pitboss.compile import Keys, Leaf
from pitboss.exact.book import Book
from pitboss.exact.chain import stationary
from pitboss.exact.induction import Induction, Numbers, Point, Policy, TooLarge, whole_units
from pitboss.exact.rows import members, ways_to_deal
from pitboss.exact.symmetry import renamed
from pitboss.exact.together import combined
from pitboss.results import (
    MeterResult,
    Outcome,
    Progressive,
    StrategyRow,
    Together,
    WagerResult,
)
from pitboss.rules.errors import BadInput
from pitboss.rules.game import Face, Seen, Strategy
from pitboss.rules.house import House
from pitboss.rules.graph import BOARD, DEALER, PLAYER, Bet, Group
from pitboss.rules.paytables import PayTable

MOST_CHARTED = 5_000  # rows of a chart that anybody would read


class Solver(Book):
    """A house's game, counted. Money, strategy and jackpots are read off the counts."""

    def __init__(self, house: House, strategy: str = "optimal", checked: bool = False) -> None:
        super().__init__(house, strategy)
        self._worth: dict[int, list[list[Fraction]]] = {}
        if self.graph.open_ended:
            raise TooLarge("hands of any number of cards are too many for a count deal by deal")
        self.induction = Induction(self.graph, self.cells, house.composition, checked=checked)
        given = None if strategy == "optimal" else house.strategy(strategy)
        if given is not None and not self._sees_classes(given):
            self.induction = Induction(self.graph, self.cells, house.composition, use_classes=False, checked=checked)
        self.policy = self._best() if given is None else self._follow(given)
        self.state_ways = self.induction.cell_ways(self.policy)
        self.weights = self._stationary()

    # ---- strategy

    def playing(self, strategy: str) -> "Solver":
        """The same game under another strategy, from the same counts."""
        given = self.house.strategy(strategy)
        if not self._sees_classes(given):
            return Solver(self.house, strategy)
        other = copy(self)
        other.name, other._worth = strategy, {}
        other.policy = other._follow(given)
        other.state_ways = other.induction.cell_ways(other.policy)
        other.weights = other._stationary()
        return other

    def paying(self, tables: Mapping[str, PayTable]) -> "Solver":
        """The same game on other pay tables, played optimally for them, from the same counts."""
        other = copy(self)
        other.house = replace(self.house, tables={**self.house.tables, **tables})
        other._worth, other._prices = {}, {}
        other.__dict__.pop("_units", None)
        other.policy = other._best()
        other.state_ways = other.induction.cell_ways(other.policy)
        other.weights = other._stationary()
        return other

    @cached_property
    def _units(self) -> tuple[Callable[[Leaf], Numbers], int]:
        """Worth of every cell to the player who maximises his main wagers, as whole numbers."""
        worth = [sum(nets, Fraction(0)) for nets in zip(*(self.prices(p) for p in self.decided), strict=True)]
        whole, denominator = whole_units(worth)
        return (lambda leaf: whole[leaf.offset : leaf.offset + leaf.size]), denominator

    def _best(self) -> Policy:
        return self.induction.best_policy(self._units[0])

    def _seen(self, point: Point, row: NDArray[np.uint8]) -> Seen:
        names = list(self.graph.carried)
        place = {slot: int(row[len(names) + i]) for i, slot in enumerate(point.rows.slots)}
        faces: dict[str, list[Face]] = {PLAYER: [], DEALER: [], BOARD: []}
        for group in point.node.seen():
            for slot in group.slots:
                faces[group.who].append(Face(place[slot]))
        kept = {name: int(row[i]) for i, name in enumerate(names)}
        so_far = [*(step.node for step in point.node.path), point.node]
        bets = {e.wager: e.times for node in so_far for e in node.events if isinstance(e, Bet)}
        player, dealer, board = (tuple(faces[who]) for who in (PLAYER, DEALER, BOARD))
        return Seen(point.node.name, point.node.choices, player, dealer, board, kept, bets)

    def _ask(self, strategy: Strategy, seen: Seen) -> int:
        answer = strategy(seen)
        if answer not in seen.choices:
            raise BadInput(
                f"the strategy {self.name!r} answers {answer!r} at the decision {seen.decision!r}; "
                f"the choices there are {', '.join(seen.choices)}"
            )
        return seen.choices.index(answer)

    def _follow(self, strategy: Strategy) -> Policy:
        return {
            p.node.id: np.array([self._ask(strategy, self._seen(p, r)) for r in p.rows.cells], np.int64)
            for p in self.induction.points
        }

    def _sees_classes(self, strategy: Strategy) -> bool:
        """Whether the strategy answers alike to all deals that the game cannot tell apart."""
        for p in self.induction.points:
            answers = [self._ask(strategy, self._seen(p, row)) for row in p.rows.cells]
            for cells in members(p.rows, self.induction.blind):
                if any(self._ask(strategy, self._seen(p, row)) != a for row, a in zip(cells, answers, strict=True)):
                    return False
        return True

    def strategy_array(self, keys: Keys) -> NDArray[np.uint8]:
        """The policy as the simulator's look-up array: every deal that a row stands for gets the row's answer."""
        out = np.zeros(max(1, keys.size), np.uint8)
        sizes = [h + 1 for h in self.graph.carried.values()]
        for point in self.induction.points:
            key = keys.of_node[point.node.id]
            answer = self.policy[point.node.id].astype(np.uint8)
            for cells in members(point.rows, self.induction.blind):
                place = np.zeros(len(cells), np.int64)
                for i, size in enumerate(sizes):
                    place = place * size + cells[:, i]
                for slot in key.slots:
                    place = place * 52 + cells[:, len(sizes) + point.rows.slots.index(slot)]
                out[key.offset + place] = answer
        return out

    def choice_worth(self, point: Point) -> list[list[Fraction]]:
        """choices x rows: the expectation of each choice, the policy followed afterwards; 0 where no round comes."""
        if point.node.id not in self._worth:
            units, denominator = self._units
            values = self.induction.choice_values(point, units, self.policy)
            mass = self.mass(point)
            self._worth[point.node.id] = [
                [Fraction(int(v), int(m) * denominator) if m else Fraction(0) for v, m in zip(row, mass, strict=True)]
                for row in values
            ]
        return self._worth[point.node.id]

    def mass(self, point: Point) -> Numbers:
        """Per row, the ways in which a round comes to the decision when the earlier choices lead there."""
        out: Numbers = self.induction.choice_values(point, lambda leaf: np.ones(leaf.size, object), self.policy)[0]
        return out

    def chart(self) -> tuple[StrategyRow, ...]:
        """Every decision, everything the player may see there, the worth of every choice; a decision with very many
        things to see is left to `advice`."""
        small = [p for p in self.induction.points if len(p.rows) <= MOST_CHARTED]
        return tuple(row for point in small for row in self._chart_rows(point))

    def not_charted(self) -> dict[str, int]:
        """Decisions that the chart leaves out, and how many rows they would have."""
        return {p.node.name: len(p.rows) for p in self.induction.points if len(p.rows) > MOST_CHARTED}

    def _chart_rows(self, point: Point) -> list[StrategyRow]:
        worth, mass, policy = self.choice_worth(point), self.mass(point), self.policy[point.node.id]
        merged: dict[tuple[Any, ...], list[int]] = {}
        for r in range(len(point.rows)):
            if mass[r]:
                key = (self._ranks(point, r), tuple(w[r] for w in worth), int(policy[r]))
                merged.setdefault(key, []).append(r)
        same_ranks = Counter(key[0] for key in merged)
        rows = []
        for (ranks, values, chosen), alike in merged.items():
            first = point.rows.cells[alike[0]]
            cards = tuple(card_name(int(c)) for c in first[point.rows.carried :])
            tells = same_ranks[ranks] == 1  # where the ranks alone do not tell, suits are shown
            sees = ranks if tells else self._words(point, cards)
            weight = sum(
                (Fraction(int(mass[r]), self.induction.ways) * self.weights[point.rows.root[r]] for r in alike),
                Fraction(0),
            )
            named = dict(zip(point.node.choices, values, strict=True))
            rows.append(StrategyRow(point.node.name, sees, cards, weight, named, point.node.choices[chosen]))
        return rows

    def _ranks(self, point: Point, row: int) -> str:
        cards = tuple(RANKS[int(c) >> 2] for c in point.rows.cells[row][point.rows.carried :])
        return self._words(point, cards)

    def _words(self, point: Point, cards: tuple[str, ...]) -> str:
        place = dict(zip(point.rows.slots, cards, strict=True))
        seen: tuple[Group, ...] = point.node.seen()
        owners = list(dict.fromkeys(g.who for g in seen))
        parts = []
        for who in owners:
            held = " ".join(place[s].replace("T", "10") for g in seen if g.who == who for s in g.slots)
            parts.append(held if owners == [PLAYER] else f"{who} {held}")
        return ", ".join(parts)

    # ---- carried values

    def _stationary(self) -> list[Fraction]:
        """How often a seat comes to a round with each carried state, in the long run."""
        states = self.induction.states
        if len(states) == 1:
            return [Fraction(1)]
        names = [f"carried {n}" for n in self.graph.carried]
        moves = [[Fraction(0)] * len(states) for _ in states]
        for s in range(len(states)):
            for _, rows, _, p in self._live_cells(s):
                moves[s][states.index(tuple(int(rows[n]) for n in names))] += p
        return stationary(moves)

    def _live_cells(self, state: int) -> Iterator[tuple[Leaf, Mapping[str, str], int, Fraction]]:
        """The cells that rounds end in from a carried state: leaf, rows, cell, probability."""
        ways = self.state_ways[state]
        for leaf in self.cells.leaves:
            for cell, rows in enumerate(leaf.table, leaf.offset):
                if ways[cell]:
                    yield leaf, rows, cell, Fraction(ways[cell], self.induction.ways)

    # ---- records

    def wager_result(self, party: str) -> WagerResult:
        if party in self.shared:
            return self.shared_result(party, self.induction.ways)
        per_state: list[dict[tuple[str, Fraction], int]] = []
        staked: list[Fraction] = []
        prices = self.prices(party)
        for state, ways in enumerate(self.state_ways):
            table: dict[tuple[str, Fraction], int] = {}
            wagered = Fraction(0)
            for leaf, rows, cell, p in self._live_cells(state):
                key = (self.label(leaf, rows, party), prices[cell])
                table[key] = table.get(key, 0) + ways[cell]
                wagered += self.wagered(leaf, rows, party) * p
            per_state.append(table)
            staked.append(wagered)
        ways_all, mixed = self._mix(per_state)
        spare = self._spare(party)
        if all(n % spare == 0 for n in mixed.values()):
            ways_all, mixed = ways_all // spare, {key: n // spare for key, n in mixed.items()}
        outcomes = [Outcome(name, n, Fraction(n, ways_all), pays) for (name, pays), n in mixed.items()]
        outcomes.sort(key=lambda o: (-o.pays, o.outcome))
        average = sum((w * s for w, s in zip(self.weights, staked, strict=True)), Fraction(0))
        return WagerResult(party, self.house.tables[party].name, tuple(outcomes), ways_all, average)

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
                if all(new is old for new, old in zip(renamed(digits, {a: b, b: a}), digits, strict=True)):  # two deals, looked at as one hand
                    deals[-1] = (deals[-1][0] + group.slots, False)
                    continue
            deals.append((group.slots, ordered))
        natural, seen = 1, 0
        for slots, ordered in deals:
            natural *= ways_to_deal(sum(self.house.composition), seen, len(slots), ordered)
            seen += len(slots)
        return self.induction.ways // natural if self.induction.ways % natural == 0 else 1

    def _mix(self, per_state: list[dict[tuple[str, Fraction], int]]) -> tuple[int, dict[tuple[str, Fraction], int]]:
        """Ways over all carried states, each as often as it comes up."""
        if all(table == per_state[0] for table in per_state):
            return self.induction.ways, per_state[0]
        common = lcm(*(w.denominator for w in self.weights))
        mixed: dict[tuple[str, Fraction], int] = {}
        for weight, table in zip(self.weights, per_state, strict=True):
            for key, n in table.items():
                mixed[key] = mixed.get(key, 0) + n * int(weight * common)
        return self.induction.ways * common, {k: n for k, n in mixed.items() if n}

    def together(self, bets: Mapping[str, Fraction]) -> Together:
        """All these bets at once, in dollars."""
        self.house.check_bets(bets)
        prices = {p: self.prices(p, bets[p]) for p in bets}
        wagered = Fraction(0)
        cases = []
        for state, weight in enumerate(self.weights):
            for leaf, rows, cell, chance in self._live_cells(state):
                cases.append((weight * chance, {p: prices[p][cell] * bets[p] for p in bets}))
                wagered += weight * chance * sum(bets[p] * self.wagered(leaf, rows, p) for p in bets)
        return combined(bets, cases, wagered)

    def progressive(self, party: str) -> Progressive:
        """Edge at the meter, break-even, time between hits and long-run edge of a wager that pays from a meter."""
        stake = self.stake(party)
        meters = dict(self.house.meters(party))
        chance = {row: Fraction(0) for row in meters}
        by_state: dict[str, Fraction] = {}
        prices = self.prices(party)
        for number, (state, weight) in enumerate(zip(self.induction.states, self.weights, strict=True)):
            expectation = Fraction(0)
            for _, rows, cell, p in self._live_cells(number):
                expectation += p * prices[cell]
                if rows[party] in meters:
                    chance[rows[party]] += weight * p
            named = ", ".join(f"{n} {v}" for n, v in zip(self.graph.carried, state, strict=True))
            by_state[named or "every hand"] = -expectation
        edge = sum((w * e for w, e in zip(self.weights, by_state.values(), strict=True)), Fraction(0))
        results, long_run = [], edge
        for row, pay in meters.items():
            now, seed, increment = (self.house.amount(n) for n in (pay.meter, pay.seed, pay.increment))
            found = MeterResult(row, now, seed, increment, chance[row], now + edge * stake / chance[row])
            results.append(found)
            long_run += chance[row] * (now - found.average) / stake
        return Progressive(party, stake, edge, long_run, by_state, tuple(results))
