"""Games made from a game, as graphs from a graph: some wagers alone, a card in sight, a hand after another.

A rewrite never runs `play` again and never changes the graph that it is given. What the wagers that are kept do not
depend on falls away: a condition or a choice whose ways come out alike, what happens after all is settled, and
registers that nothing looks at any more. So what is left says what those wagers really look at.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from pitboss.rules.column import Column, card_in, column, node, substituted
from pitboss.rules.graph import (
    BOARD,
    UP,
    Bet,
    Carry,
    Deal,
    Decide,
    End,
    Event,
    Graph,
    Group,
    Jump,
    Mark,
    Node,
    Reveal,
    Settle,
    Share,
    Standing,
    Step,
    When,
)
from pitboss.rules.results import Rows

State = tuple[int, tuple[Event, ...], tuple[Group, ...], tuple[Step, ...], Standing]


def only(graph: Graph, wagers: Collection[str], first_choice: bool = False) -> Graph:
    """The same game with some of its wagers. With `first_choice` every decision takes its first choice: for a wager
    that is none of the player's business."""
    known = graph.made
    key = (frozenset(wagers), first_choice)
    if key not in known:
        known[key] = _Rewrite(graph, wagers, first_choice=first_choice).graph()
    found: Graph = known[key]
    return found


def touched(graph: Graph, wager: str) -> bool:
    """Whether how a wager comes out depends on what the player chooses."""
    return any(only(graph, [wager]).decisions())


def face_up(graph: Graph, wagers: Collection[str], slots: Collection[int]) -> Graph:
    """Some wagers of the same game, with these cards in sight from the moment that they are dealt."""
    return _Rewrite(graph, wagers, shown=slots).graph()


def after_cards(graph: Graph, wagers: Collection[str], count: int) -> Graph:
    """Some wagers of the same game by a player who has seen so many cards leave the shoe before the deal."""
    out = _Rewrite(graph, wagers, moved=count, before=(Group(BOARD, tuple(range(count)), True),)).graph()
    first = Deal(BOARD, tuple(range(count)), UP, graph.nodes[0].events[0].site)
    out.root.events = (first, *out.root.events)
    return out


def after_another(graph: Graph, wager: str) -> Graph:
    """Two hands in a row from one shoe, of which the second is paid on one wager: what the first hand carries over is
    what the second begins with. Every decision takes its first choice."""
    return _Rewrite(graph, (), first_choice=True, carries=True, then=wager).graph()


class _Rewrite:
    def __init__(
        self, graph: Graph, wagers: Collection[str], *, first_choice: bool = False, shown: Collection[int] = (),
        moved: int = 0, before: tuple[Group, ...] = (), carries: bool | None = None, then: str | None = None,
        leaves: Mapping[int, Column] | None = None,
    ) -> None:  # fmt: skip
        self.old, self.wagers, self.first_choice = graph, frozenset(wagers), first_choice
        self.shown, self.moved, self.before, self.then = frozenset(shown), moved, before, then
        self.leaves = dict(leaves or {})
        self.marks: dict[int, Mark] = {}
        self.carries = self._needs_carried() if carries is None else carries
        self.goes_on = self._goes_on()
        if moved:
            slots = {s for n in graph.nodes for g in n.groups for s in g.slots}
            self.leaves |= {card_in(s).uid: card_in(s + moved) for s in slots}
            self.held = [card_in(s) for s in slots]  # so that their numbers stay theirs

    def graph(self) -> Graph:
        root = self.build(self.old.root, (), ())
        nodes = _below(root)
        if self.old.carried and not self.carries and any(isinstance(n, Decide) for n in nodes):
            self.carries, self.marks = True, {}  # a strategy may look at what is carried over
            self.goes_on = self._goes_on()
            return self.graph()
        for number, point in enumerate(nodes):
            point.id = number
        out = Graph(root, nodes, dict(self.old.carried) if self.carries else {}, codes=self.old.codes)
        _drop_dead_registers(out)
        return out

    # ---- what is kept

    def _keeps(self, event: Event) -> bool:
        if isinstance(event, Settle | Bet | Share):
            return event.wager in self.wagers
        return self.carries if isinstance(event, Carry) else True

    def _counts(self, event: Event) -> bool:
        return isinstance(event, Settle | Bet | Share | Carry) and self._keeps(event)

    def _needs_carried(self) -> bool:
        """Whether what a seat has carried over matters to the wagers that are kept."""
        if not self.old.carried:
            return False
        settled = (s.rows.index for n in self.old.nodes for s in n.standing.settled if s.wager in self.wagers)
        conditions = (w.condition for w in self.old.conditions())
        return any("carried" in c.ops for c in (*settled, *conditions))

    def _goes_on(self) -> set[int]:
        """Nodes below which something still happens to the wagers that are kept."""
        live = {n.id for n in self.old.nodes if any(self._counts(e) for e in n.events)}
        out: set[int] = set()
        changed = True
        while changed:
            changed = False
            for n in self.old.nodes:
                if n.id not in out and any(k.id in out or k.id in live for k in _onward(n)):
                    out.add(n.id)
                    changed = True
        return out

    def _columns(self, columns: Iterable[Column]) -> list[Column]:
        found = list(columns)
        return substituted(found, self.leaves) if self.leaves else found

    def _rows(self, rows: Rows) -> Rows:
        (index,) = self._columns([rows.index])
        return rows if index is rows.index else Rows(rows.names, index)

    def _event(self, event: Event) -> Event:
        if isinstance(event, Settle):
            return replace(event, rows=self._rows(event.rows))
        if isinstance(event, Share | Carry):
            return replace(event, value=self._columns([event.value])[0])
        if isinstance(event, Deal | Reveal) and self.moved:
            return replace(event, slots=tuple(s + self.moved for s in event.slots))
        return event

    def _groups(self, groups: Sequence[Group]) -> tuple[Group, ...]:
        out = list(self.before)
        for g in groups:
            seen = tuple(s for s in g.slots if s in self.shown)
            parts = [(seen, True), (tuple(s for s in g.slots if s not in self.shown), g.seen)] if seen else []
            for slots, visible in parts or [(g.slots, g.seen)]:
                if slots:
                    out.append(Group(g.who, tuple(s + self.moved for s in slots), visible, g.hand))
        return tuple(out)

    def _standing(self, old: Standing) -> Standing:
        kept = self.wagers
        return Standing(
            tuple(replace(s, rows=self._rows(s.rows)) for s in old.settled if s.wager in kept),
            {n: t for n, t in old.bets.items() if n in kept},
            dict(zip(old.carries, self._columns(old.carries.values()), strict=True)) if self.carries else {},
            {n: self._columns([c])[0] for n, c in old.shares.items() if n in kept},
            {n: (t, self._columns([c])[0]) for n, (t, c) in old.staked.items() if n in kept},
            old.reads,
        )

    # ---- building

    def build(self, old: Node, path: tuple[Step, ...], events: tuple[Event, ...]) -> Node:
        """The new graph from a node of the old one on; `events` have happened since the last fork that is left."""
        events += tuple(self._event(e) for e in old.events if self._keeps(e))
        if isinstance(old, End) or old.id not in self.goes_on:
            return self._end(old, path, events)
        if isinstance(old, Decide) and self.first_choice:
            return self.build(old.kids[0], path, events)
        state = (-1, events, self._groups(old.groups), path, self._standing(old.standing))
        if isinstance(old, Mark | Jump):
            return self._mark(old, state)
        assert isinstance(old, Decide | When)
        new: Decide | When
        if isinstance(old, Decide):
            by = zip((n for n, _ in old.by), self._columns(c for _, c in old.by), strict=True)
            new = Decide(*state, old.name, old.choices, old.site, tuple(by), places=old.places)
            answers: Sequence[str | bool] = old.choices
        else:
            new = When(*state, self._columns([old.condition])[0], old.site, old.words)
            answers = (True, False)
        kids = [self.build(k, (*path, Step(new, a)), ()) for k, a in zip(old.kids, answers, strict=True)]
        first = _summary(kids[0])
        if all(_summary(kid) == first for kid in kids[1:]) and not any(map(_decides, kids)):
            return _without(new, kids[0])  # nothing depends on it, and nobody learns anything from it
        new.kids = kids
        return new

    def _mark(self, old: Mark | Jump, state: State) -> Node:
        target = old.target
        values = tuple(self._columns(old.values))
        known = self.marks.get(target.id)
        if known is not None:
            return Jump(*state, known, values)
        new = Mark(*state, target.name, target.registers, values, target.site, target.dealt + self.moved)
        self.marks[target.id] = new
        new.kids = [self.build(target.kids[0], (*state[3], Step(new, True)), ())]
        return new

    def _end(self, old: Node, path: tuple[Step, ...], events: tuple[Event, ...]) -> Node:
        standing = self._standing(old.standing)
        if self.then is None:
            return End(-1, events, self._groups(old.groups), path, standing)
        groups = self._groups(old.groups)
        gone = 1 + max((s for g in groups for s in g.slots), default=-1)
        begin = {
            node("carried", (name,), 0, highest).uid: standing.carries.get(name, column(0))
            for name, highest in self.old.carried.items()
        }
        names = [node("carried", (name,), 0, highest) for name, highest in self.old.carried.items()]
        dealt = tuple(replace(g, seen=False) for g in groups)
        second = _Rewrite(
            self.old, [self.then], first_choice=True, moved=gone, before=dealt, carries=False,
            leaves={n.uid: begin[n.uid] for n in names},
        )  # fmt: skip
        return second.build(self.old.root, path, tuple(e for e in events if not isinstance(e, Carry)))


def _without(fork: "Decide | When", kid: Node) -> Node:
    """One way on from a fork that does not matter, as if the fork had never been."""
    for point in _below(kid):
        point.path = tuple(step for step in point.path if step.node is not fork)
    kid.events = (*fork.events, *kid.events)
    return kid


def _below(root: Node) -> list[Node]:
    """All nodes from here on, each before what comes after it; jumps are not followed."""
    nodes: list[Node] = []
    waiting = [root]
    while waiting:
        here = waiting.pop()
        nodes.append(here)
        if not isinstance(here, Jump):
            waiting.extend(reversed(getattr(here, "kids", [])))
    return nodes


def _onward(point: Node) -> Sequence[Node]:
    """What can come next; what had happened on the first way to a mark is no part of a jump to it."""
    kids: Sequence[Node] = getattr(point.target if isinstance(point, Jump) else point, "kids", [])
    return kids


def _decides(point: Node) -> bool:
    """Whether the player has something to decide before the next mark, by all that he has seen on the way. (Behind a
    mark a decision names what it is made by.)"""
    waiting = [point]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Decide):
            return True
        if not isinstance(here, Mark | Jump):
            waiting.extend(_onward(here))
    return False


def _summary(point: Node) -> object:
    """What becomes of the kept wagers from here on, comparable: equal summaries are equal ways."""
    told = tuple(_told(e) for e in point.events if isinstance(e, Settle | Bet | Share | Carry))
    if isinstance(point, End):
        here = point.standing
        settled = tuple((s.wager, s.because, s.rows.names, s.rows.index.uid) for s in here.settled)
        cols = [(n, c.uid) for d in (here.carries, here.shares) for n, c in d.items()]
        staked = [(n, t, c.uid) for n, (t, c) in here.staked.items()]
        return "end", told, settled, tuple(here.bets.items()), tuple(cols), tuple(staked)
    if isinstance(point, Mark | Jump):
        return "mark", told, id(point.target), tuple(v.uid for v in point.values)
    kids = tuple(_summary(k) for k in _onward(point))
    if isinstance(point, When):
        return "when", told, point.condition.uid, kids
    assert isinstance(point, Decide)
    sees = tuple(g.slots for g in point.groups if g.seen)
    by = tuple((label, col.uid) for label, col in point.by)
    return "decide", told, point.name, point.choices, sees, by, kids


def _told(event: Event) -> object:
    if isinstance(event, Settle):
        return event.wager, event.because, event.rows.names, event.rows.index.uid
    if isinstance(event, Share):
        return event.wager, event.value.uid
    if isinstance(event, Carry):
        return event.name, event.value.uid
    return event


def _drop_dead_registers(graph: Graph) -> None:
    """Marks keep only what something looks at again."""
    live: set[int] = set()

    def looked_at(point: Node) -> list[Column]:
        if isinstance(point, When):
            return [point.condition]
        if isinstance(point, Decide):
            return [c for _, c in point.by]
        if isinstance(point, Mark | Jump):
            both = zip(point.target.registers, point.values, strict=True)
            return [value for register, value in both if register.uid in live]
        here = point.standing
        staked = (c for _, c in here.staked.values())
        return [*(s.rows.index for s in here.settled), *staked, *here.carries.values(), *here.shares.values()]

    names = {next(iter(r.slots)): r.uid for m in graph.marks() for r in m.registers}
    while True:
        used = {names[s] for n in graph.nodes for c in looked_at(n) for s in c.slots if s in names}
        if used <= live:
            break
        live |= used
    ways = [n for n in graph.nodes if isinstance(n, Mark | Jump)]
    kept = {id(m): [i for i, r in enumerate(m.registers) if r.uid in live] for m in graph.marks()}
    for way in ways:
        way.values = tuple(way.values[i] for i in kept[id(way.target)])
    for mark in graph.marks():
        mark.registers = tuple(mark.registers[i] for i in kept[id(mark)])
