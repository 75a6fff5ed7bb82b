"""The graph of a game: what `play` does, as data. Every interpreter reads this and nothing else."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from typing import Any

from pitboss.rules.column import Column, walk
from pitboss.rules.errors import Site
from pitboss.rules.operations import OPERATIONS
from pitboss.rules.results import Rows

OPEN_HAND = 6  # cards kept back for each hand of a game whose hands can have any number
PLAYER, DEALER, BOARD = "player", "dealer", "board"
"""Whom cards are dealt to. Any other name is a place of its own, which like these two is there once for all seats."""
UP, DOWN, BLIND = "up", "down", "blind"
"""UP: everyone sees it. DOWN: a player sees his own; nobody sees the house's. BLIND: nobody sees it."""


@dataclass(frozen=True)
class Deal:
    """Cards from the shoe to a place at the table."""

    who: str
    slots: tuple[int, ...]
    face: str
    site: Site
    hand: int = 1  # which of the player's hands, once he has split


@dataclass(frozen=True)
class Split:
    """The second card of a hand begins a new hand."""

    hand: int
    to: int
    site: Site


@dataclass(frozen=True)
class Burn:
    """Cards dealt to the discard rack, unseen."""

    count: int
    site: Site


@dataclass(frozen=True)
class Reveal:
    """Cards that lie before `who` are turned face up."""

    who: str
    slots: tuple[int, ...]
    site: Site


@dataclass(frozen=True)
class Bet:
    """A wager placed during the round, or raised to so many times the wager that it equals."""

    wager: str
    times: "Times"
    site: Site
    free: bool = False  # the house stakes it


@dataclass(frozen=True, eq=False)
class Settle:
    """A wager is paid, pushed or taken."""

    wager: str
    because: str
    rows: Rows
    site: Site
    bonus: bool = False  # there is nothing to take


@dataclass(frozen=True, eq=False)
class Share:
    """A wager between the players: the bets of all seats go to the highest value, equal ones share."""

    wager: str
    value: Column
    site: Site


@dataclass(frozen=True, eq=False)
class Carry:
    """A value kept for this seat's next round."""

    name: str
    value: Column
    site: Site


@dataclass(frozen=True, eq=False)
class Say:
    """What the dealer does or says that no card and no chip of the mathematics knows: for his sheet and the live table.
    A graph that is counted has none of these."""

    words: str
    each: bool  # at every seat by itself; else once, for the whole table
    site: Site
    when: Column | None = None  # only if this holds
    takes: tuple[str, ...] = ()  # wagers that are lost there and taken at once; they are settled later


Times = int | Fraction
Event = Deal | Split | Burn | Reveal | Bet | Settle | Share | Carry | Say


@dataclass(frozen=True)
class Group:
    """Cards dealt together, and whether the player can see them."""

    who: str
    slots: tuple[int, ...]
    seen: bool
    hand: int = 1


@dataclass(frozen=True, eq=False)
class Standing:
    """What the table remembers at some point of a round: how wagers were placed and settled, what is carried over."""

    settled: tuple[Settle, ...] = ()
    bets: Mapping[str, Times] = field(default_factory=dict)  # placed in the round, in multiples of what they equal
    carries: Mapping[str, Column] = field(default_factory=dict)
    shares: Mapping[str, Column] = field(default_factory=dict)  # between the players: what this seat holds
    staked: Mapping[str, tuple[tuple[Times, ...], Column]] = field(
        default_factory=dict
    )  # placed differently on the way
    reads: frozenset[str] = frozenset()  # options that the round has asked for


@dataclass(eq=False)
class Node:
    """What happens (`events`) up to a fork of the round or to its end."""

    id: int
    events: tuple[Event, ...]
    groups: tuple[Group, ...]  # every deal so far, in order
    path: tuple["Step", ...]  # how the round came here
    standing: Standing


@dataclass(eq=False)
class Decide(Node):
    """The player chooses."""

    name: str
    choices: tuple[str, ...]
    site: Site
    by: tuple[tuple[str, Column], ...] = ()  # all that a strategy looks at, by name; otherwise it sees the cards
    kids: list[Node] = field(default_factory=list)
    places: tuple[str, ...] = ()  # of the whole game, also those that get their cards later

    def seen(self) -> tuple[Group, ...]:
        return tuple(g for g in self.groups if g.seen)

    @cached_property
    def sight(self) -> dict[str, tuple[int, ...]]:
        """The slots of the cards that the player sees, by where they lie: at each place of the game."""
        out: dict[str, tuple[int, ...]] = dict.fromkeys((PLAYER, DEALER, BOARD, *self.places), ())
        for group in self.seen():
            out[group.who] = (*out.get(group.who, ()), *group.slots)
        return out

    @cached_property
    def placed(self) -> dict[str, Times]:
        """Wagers placed during the round so far, in multiples."""
        so_far = [*(step.node for step in self.path), self]
        return {e.wager: e.times for node in so_far for e in node.events if isinstance(e, Bet)}


@dataclass(eq=False)
class When(Node):
    """The round goes one way or the other, and everyone at the table sees which."""

    condition: Column
    site: Site
    words: str = ""
    kids: list[Node] = field(default_factory=list)  # true, false


@dataclass(eq=False)
class Mark(Node):
    """A place to which several ways of the round lead: from here on only the registers count."""

    name: str
    registers: tuple[Column, ...]
    values: tuple[Column, ...]  # what the first way to come here brings into the registers
    site: Site
    dealt: int  # slots that have been used before: cards dealt from here on are numbered alike on every way
    kids: list[Node] = field(default_factory=list)  # the one way on

    @property
    def target(self) -> "Mark":
        """Where this way leads, as of a jump."""
        return self

    @property
    def slots(self) -> tuple[int, ...]:
        """What stands for each register among the slots of cards."""
        return tuple(next(iter(r.slots)) for r in self.registers)


@dataclass(eq=False)
class Jump(Node):
    """Another way to a mark."""

    target: Mark
    values: tuple[Column, ...]


@dataclass(eq=False)
class End(Node):
    """The round is over: every wager that was bet has been settled."""

    @property
    def settled(self) -> tuple[Settle, ...]:
        return self.standing.settled

    @property
    def bets(self) -> Mapping[str, Times]:
        return self.standing.bets

    @property
    def carries(self) -> Mapping[str, Column]:
        return self.standing.carries

    @property
    def shares(self) -> Mapping[str, Column]:
        return self.standing.shares

    @property
    def staked(self) -> Mapping[str, tuple[tuple[Times, ...], Column]]:
        return self.standing.staked


@dataclass(frozen=True, eq=False)
class Step:
    """One answer on the way: a choice, or which way a condition went."""

    node: Decide | When | Mark
    answer: str | bool


@dataclass(eq=False)
class Graph:
    """The whole game under one set of options."""

    root: Node
    nodes: list[Node]
    carried: dict[str, int]  # name -> highest value; the lowest, and the start, is 0
    names: dict[int, tuple[Column, str]] = field(default_factory=dict)  # by uid: a column, and what the file calls it
    codes: int = 52  # different cards that can be dealt: 54 where there are jokers
    made: "dict[object, Any]" = field(default_factory=dict, repr=False)  # from it, by what was asked for

    @property
    def jokers(self) -> bool:
        return self.codes > 52

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Where the house's cards lie, in the order in which they are first dealt: what all seats share."""
        return tuple(dict.fromkeys(g.who for n in self.nodes for g in n.groups if g.who != PLAYER))

    def ends(self) -> Iterator[End]:
        return (n for n in self.nodes if isinstance(n, End))

    def decisions(self) -> Iterator[Decide]:
        return (n for n in self.nodes if isinstance(n, Decide))

    def conditions(self) -> Iterator[When]:
        return (n for n in self.nodes if isinstance(n, When))

    def marks(self) -> Iterator[Mark]:
        return (n for n in self.nodes if isinstance(n, Mark))

    @cached_property
    def key(self) -> str:
        """A name for all that the graph says, the same in every process: equal graphs have equal keys."""
        return graph_key(self)

    @cached_property
    def open_ended(self) -> bool:
        """Whether hands can have any number of cards."""
        return any(self.marks())

    def most_cards(self, seats: int = 1) -> int:
        """Cards of the longest round for so many players; what lies at the house's places, and burnt cards, are dealt
        once. Of a round that is open-ended, what it hardly ever exceeds: if it does, it goes on from the discards."""
        if self.open_ended:
            return (seats + 1) * OPEN_HAND
        if (asked := ("most cards", seats)) not in self.made:
            self.made[asked] = self._most_cards(seats)
        return int(self.made[asked])

    def _most_cards(self, seats: int) -> int:
        most = Counter[str]()  # seats may go different ways: the most of each place
        burnt = 0
        for node in self.nodes:
            held = Counter[str]()
            for group in node.groups:
                held[group.who] += len(group.slots)
            most |= held
            before = [e for step in node.path for e in step.node.events]
            burnt = max(burnt, sum(e.count for e in (*before, *node.events) if isinstance(e, Burn)))
        return seats * most.pop(PLAYER, 0) + most.total() + burnt


def columns_in(point: Node) -> list[Column]:
    """Every column that a node mentions."""
    out: list[Column] = []
    for event in point.events:
        if isinstance(event, Settle):
            out.append(event.rows.index)
        elif isinstance(event, Share | Carry):
            out.append(event.value)
    if isinstance(point, When):
        out.append(point.condition)
    elif isinstance(point, Decide):
        out += [c for _, c in point.by]
    elif isinstance(point, Mark | Jump):
        out += [*point.values, *point.target.registers]
    if not isinstance(point, End):
        return out
    out += [s.rows.index for s in point.settled]
    return [*out, *point.carries.values(), *point.shares.values(), *(index for _, index in point.staked.values())]


def graph_key(graph: Graph) -> str:
    """A digest of the whole graph. Arguments whose order does not matter are sorted, so history does not show."""
    names: dict[int, str] = {}
    for col in walk(c for point in graph.nodes for c in columns_in(point)):
        args = [names[a.uid] if isinstance(a, Column) else repr(a) for a in col.args]
        rule = OPERATIONS.get(col.op)
        if rule is not None and (rule.flat or rule.swaps):
            args.sort()
        names[col.uid] = sha256(repr((col.op, col.lo, col.hi, args)).encode()).hexdigest()[:32]

    def spelled(value: object) -> object:
        if isinstance(value, Column):
            return names[value.uid]
        if isinstance(value, Rows):
            return value.names, names[value.index.uid]
        if isinstance(value, Node):
            return value.id
        if isinstance(value, Mapping):
            return [(k, spelled(v)) for k, v in value.items()]
        if isinstance(value, tuple | list):
            return [spelled(v) for v in value]
        if isinstance(value, frozenset):
            return sorted(value)
        fields = getattr(value, "__dataclass_fields__", None)
        return [spelled(getattr(value, f)) for f in fields if f != "site"] if fields else repr(value)

    told = []
    for point in graph.nodes:
        told_before = () if isinstance(point, End) else ("standing",)  # the events on the way say it too
        fields = [f for f in point.__dataclass_fields__ if f not in ("site", "path", "words", "places", *told_before)]
        told.append((type(point).__name__, [spelled(getattr(point, f)) for f in fields]))
    return sha256(repr((told, sorted(graph.carried.items()), graph.codes)).encode()).hexdigest()
