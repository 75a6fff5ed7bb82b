"""Walking the graph of a drawing game, many rounds at a time, and what must be known of the graph to do so."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from pitboss.compile.reference import batch
from pitboss.exact.plan import TooLarge
from pitboss.exact.symmetry import rank_classes
from pitboss.rules.column import Column
from pitboss.rules.house import House
from pitboss.rules.graph import (
    DEALER,
    PLAYER,
    Bet,
    Deal,
    Decide,
    End,
    Graph,
    Jump,
    Mark,
    Node,
    Reveal,
    Settle,
    Split,
    Times,
    When,
)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
DRAW, DECIDE, STOP = 0, 1, 2
OPENING, PLAY, DEALING = range(3)
MOST_PACKED = 1 << 62
UP = 1 << 20  # the up-card's class, kept beside the slots of cards and registers


@dataclass(frozen=True)
class Label:
    """How a round without a split can end for the main wager and those that raise it."""

    name: str
    net: Fraction


@dataclass(frozen=True, eq=False)
class Rounds:
    """Rounds that are at the same place of the graph: before event `at` of the node, or past its last event."""

    node: Node
    at: int
    base: Mapping[int, Ints]  # by slot
    tag: Ints
    bank: Floats  # what wagers that are settled before play have brought
    bets: tuple[tuple[str, Times], ...] = ()
    shown: bool = False  # the dealer has shown his hidden card
    auto: bool = False  # another hand of a split, played anyhow: it does not matter to this one
    split: bool = False

    def take(self, some: Ints | NDArray[np.bool_], tag: Ints | None = None) -> "Rounds":
        base = {slot: v[some] for slot, v in self.base.items()}
        return replace(self, base=base, tag=self.tag[some] if tag is None else tag, bank=self.bank[some])


class Numbers:
    """Numbers for positions: the same place with the same values is the same position."""

    def __init__(self, ranges: dict[int, tuple[int, int]]) -> None:
        self.ranges, self.size = ranges, 0
        self.known: dict[tuple[int, int, tuple[int, ...]], dict[int, int]] = defaultdict(dict)

    def number(self, r: Rounds) -> tuple[Ints, Rounds]:
        """The position of each round, and those never met before, tagged with their numbers."""
        slots = tuple(sorted(r.base))
        code, room = np.zeros(len(r.tag), np.int64), 1
        for slot in slots:
            lo, hi = self.ranges.get(slot, (0, 51))
            code, room = code * (hi - lo + 1) + r.base[slot] - lo, room * (hi - lo + 1)
        if room > MOST_PACKED:
            raise TooLarge("the marks of this game keep too much to number its positions; simulate it instead")
        codes, first, back = np.unique(code, return_index=True, return_inverse=True)
        table = self.known[r.node.id, r.at, slots]
        ids, fresh = np.zeros(len(codes), np.int64), []
        for i, value in enumerate(codes.tolist()):
            if value not in table:
                table[value] = self.size
                self.size += 1
                fresh.append(i)
            ids[i] = table[value]
        return ids[back], r.take(first[fresh], ids[fresh])


class Sight:
    """What the walk must know of a graph beforehand.

    `opening`: the slots of first, up, second and hidden card. `own`: the wagers of one hand, those that a round without
    a split settles after the play. `before`: wagers that are settled before the play. `live`: registers that something
    looks at again. `hidden`: registers that depend on the hidden card. `classes`: ranks that nothing tells apart.
    """

    def __init__(self, house: House, graph: Graph, lead: str) -> None:
        self.graph = graph
        self.party = frozenset(w.name for w in house.parties[lead])
        self.opening = self._first_cards()
        ways = [n for n in graph.nodes if isinstance(n, Mark | Jump) and _before_marks(n)]
        if not ways:
            raise TooLarge("no hand of this game can have any number of cards, so there is nothing to draw")
        settled = [frozenset(e.wager for e in _events(n) if isinstance(e, Settle)) & self.party for n in ways]
        if len(set(settled)) > 1:
            raise TooLarge("which wagers are settled before the play differs from round to round; simulate it instead")
        self.before = settled[0]
        unsplit = [n for n in self._without_split(graph.root, set()) if isinstance(n, End)]
        self.own = frozenset(s.wager for n in unsplit for s in n.settled) & self.party - self.before
        self.live = self._live()
        self.hidden = self._hidden()
        self.classes = self._classes()
        self.ranges = {next(iter(r.slots)): (r.lo, r.hi) for m in graph.marks() for r in m.registers}

    def _first_cards(self) -> tuple[int, int, int, int]:
        deals = [e for e in self.graph.root.events if isinstance(e, Deal)]
        kinds = ((PLAYER, True), (DEALER, True), (DEALER, False))
        groups = self.graph.root.groups
        mine, shown, hidden = ([g.slots for g in groups if (g.who, g.seen) == kind] for kind in kinds)
        if len(deals) != 4 or (len(mine), len(shown), len(hidden)) != (2, 1, 1) or {len(d.slots) for d in deals} != {1}:
            raise TooLarge("the round does not begin with two cards for the player, an up-card and a hidden card")
        return mine[0][0], shown[0][0], mine[1][0], hidden[0][0]

    def _without_split(self, node: Node, seen: set[int]) -> Iterator[Node]:
        """Every node that a round without a split can come to."""
        if node.id in seen or any(isinstance(e, Split) for e in node.events):
            return
        seen.add(node.id)
        yield node
        for kid in [node.target] if isinstance(node, Jump) else getattr(node, "kids", ()):
            yield from self._without_split(kid, seen)

    def _live(self) -> frozenset[int]:
        live: set[int] = set()
        while True:
            used = {slot for n in self.graph.nodes for c in self._looks(n, live) for slot in c.slots if slot < 0}
            if used <= live:
                return frozenset(live)
            live |= used

    def _looks(self, node: Node, live: "set[int] | frozenset[int]") -> Iterator[Column]:
        """The columns that decide how a round goes on and what a hand is paid."""
        if isinstance(node, When):
            yield node.condition
        elif isinstance(node, Decide):
            yield from (c for _, c in node.by)
        elif isinstance(node, Mark | Jump):
            for slot, value in zip(node.target.slots, node.values, strict=True):
                if slot in live:
                    yield value
        elif isinstance(node, End):
            yield from (s.rows.index for s in node.settled if s.wager in self.own)
            yield from (index for name, (_, index) in node.staked.items() if name in self.own)

    def _hidden(self) -> frozenset[int]:
        dark = {self.opening[3]}
        while True:
            more = set(dark)
            for node in self.graph.nodes:
                if isinstance(node, Mark | Jump):
                    more |= {s for s, v in zip(node.target.slots, node.values, strict=True) if v.slots & dark}
            if more == dark:
                return frozenset(dark)
            dark = more

    def _classes(self) -> list[tuple[int, ...]]:
        columns = [c for node in self.graph.nodes for c in self._looks(node, self.live)]
        if any(_looks_at_more(c) for c in columns):
            raise TooLarge("the main wager looks at suits or poker hands; simulate this game instead")
        return rank_classes(columns)


def _looks_at_more(col: Column) -> bool:
    """Whether a column looks at more of a card than its rank."""
    if col.op in ("rank", "register"):
        return False
    if col.op in ("card", "suit", "strength", "royals"):
        return True
    return any(_looks_at_more(arg) for arg in col.args if isinstance(arg, Column))


def _events(node: Node) -> Iterator[object]:
    """What has happened on the way to a node, the node included."""
    for step in node.path:
        yield from step.node.events
    yield from node.events


def _before_marks(node: Node) -> bool:
    return not any(isinstance(step.node, Mark) for step in node.path)


def splits(node: Node) -> bool:
    """Whether going on to this node may split a hand before the next card."""
    for event in node.events:
        if isinstance(event, Split | Deal):
            return isinstance(event, Split)
    return isinstance(node, When) and any(splits(kid) for kid in node.kids)


class Walker:
    """Walks rounds through the graph from place to place."""

    def __init__(self, house: House, graph: Graph, lead: str) -> None:
        self.house, self.graph, self.lead = house, graph, lead
        self.sight = Sight(house, graph, lead)
        self.classes = self.sight.classes
        self.size = len(self.classes)
        self.codes = np.array([4 * ranks[0] for ranks in self.classes])  # a card to stand for each class
        self.labels: list[Label] = []
        self._label_of: dict[Label, int] = {}

    def run(self, start: Rounds, phase: int) -> list[tuple[int, Rounds]]:
        """Walk on until the next card, choice or end. Rounds of the opening halt at the first mark."""
        out: list[tuple[int, Rounds]] = []
        todo = [start]
        while todo:
            r = todo.pop()
            if len(r.tag):
                self._step(r, phase, out, todo)
        return out

    def _step(self, r: Rounds, phase: int, out: list[tuple[int, Rounds]], todo: list[Rounds]) -> None:
        node = r.node
        for at in range(r.at, len(node.events)):
            event = node.events[at]
            if isinstance(event, Deal):
                if phase == OPENING and event.slots[0] in r.base:
                    continue
                if phase == DEALING and event.who == DEALER:
                    return out.append((DRAW, replace(r, at=at)))
                if phase != PLAY or len(event.slots) != 1 or event.who not in (PLAYER, DEALER):
                    raise TooLarge("cards are dealt in an order that an analysis of drawing games does not know")
                if event.who == DEALER:
                    return out.append((STOP, replace(r, at=at)))
                if event.hand == 1 and not r.auto:
                    return out.append((DRAW, replace(r, at=at)))
                card = np.full(len(r.tag), self.codes[0])
                r = replace(r, auto=True, base={**r.base, event.slots[0]: card})
            elif isinstance(event, Reveal) and event.who == DEALER:
                r = replace(r, shown=True)
            elif isinstance(event, Split):
                r = replace(r, split=True)
            elif isinstance(event, Bet):
                r = replace(r, bets=(*r.bets, (event.wager, event.times)))
            elif isinstance(event, Settle) and phase == OPENING and event.wager in self.sight.before:
                r = replace(r, bank=r.bank + self._net_of(event, r))
        r = replace(r, at=len(node.events))
        if isinstance(node, End):
            out.append((STOP, r))
        elif isinstance(node, Decide):
            if r.auto:
                todo.append(replace(r, node=node.kids[0], at=0))
            elif phase == DEALING or r.shown:
                raise TooLarge("the player decides after the dealer has shown his cards; simulate this game instead")
            else:
                out.append((DECIDE, r))
        elif isinstance(node, When):
            if phase == PLAY and node.condition.slots & self.sight.hidden:
                raise TooLarge("the hidden card matters while the player plays; simulate this game instead")
            true = batch(node.condition, r.base, {}, len(r.tag)) != 0
            for kid, some in zip(node.kids, (true, ~true), strict=True):
                todo.append(replace(r.take(some), node=kid, at=0))
        elif isinstance(node, Mark | Jump):
            if phase == OPENING:
                return out.append((STOP, r))
            on = self.past_mark(node, r)
            if phase == PLAY and r.shown:
                return out.append((STOP, on))
            todo.append(on)

    def past_mark(self, node: Mark | Jump, r: Rounds) -> Rounds:
        """Behind a mark: what it has kept, as far as anything ever looks at it again."""
        base: dict[int, Ints] = {UP: r.base[UP]} if UP in r.base else {}
        for slot, value in zip(node.target.slots, node.values, strict=True):
            if slot not in self.sight.live:
                continue
            if UP in r.base and value.slots & self.sight.hidden and value.op != "register":
                raise TooLarge("the hidden card is counted before it is shown; simulate this game instead")
            base[slot] = batch(value, r.base, {}, len(r.tag))
        return replace(r, node=node.target.kids[0], at=0, base=base)

    def _net_of(self, settle: Settle, r: Rounds) -> Floats:
        """What a wager that is settled before the play brings, per unit of the lead wager."""
        times = float(dict(r.bets).get(settle.wager, 0))
        nets = [float(self.house.net(settle.wager, name, Fraction(1))) for name in settle.rows.names]
        return times * np.array(nets)[batch(settle.rows.index, r.base, {}, len(r.tag))]

    def ends(self, r: Rounds) -> Ints:
        """The label of each round that has ended."""
        end = r.node
        assert isinstance(end, End)
        code: Ints = np.zeros(len(r.tag), np.int64)
        parts: list[tuple[Settle, tuple[Times, ...]]] = []
        for settle in end.settled:
            if settle.wager in self.sight.own:
                times: tuple[Times, ...] = (1 if settle.wager == self.lead else end.bets.get(settle.wager, 0),)
                place: Ints = np.zeros(len(r.tag), np.int64)
                if settle.wager in end.staked:
                    times, index = end.staked[settle.wager]
                    place = batch(index, r.base, {}, len(r.tag))
                parts.append((settle, times))
                code = code * len(times) + place
                code = code * len(settle.rows.names) + batch(settle.rows.index, r.base, {}, len(r.tag))
        codes, back = np.unique(code, return_inverse=True)
        return np.array([self._label(int(c), parts) for c in codes], np.int64)[back]

    def _label(self, code: int, parts: list[tuple[Settle, tuple[Times, ...]]]) -> int:
        net, name, raised = Fraction(0), "", False
        for settle, times in reversed(parts):
            code, i = divmod(code, len(settle.rows.names))
            code, j = divmod(code, len(times))
            row = settle.rows.names[i]
            net += times[j] * self.house.net(settle.wager, row, Fraction(1))
            if settle.wager == self.lead:
                name = row if settle.because in ("", row) else f"{settle.because}: {row}"
            else:
                raised = raised or times[j] > 0
        label = Label(f"doubled: {name}" if raised else name, net)
        if label not in self._label_of:
            self._label_of[label] = len(self.labels)
            self.labels.append(label)
        return self._label_of[label]
