"""The tracer: runs `play` on columns, once for every way the round can fork, and returns the graph."""

import keyword
import random
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any

from pitboss.rules.checks import check_hands, check_shares, check_sight, check_whole, home, line_with
from pitboss.rules.column import Column, column, node
from pitboss.rules.effort import spent
from pitboss.rules.errors import Site
from pitboss.rules.graph import (
    Carry,
    Decide,
    End,
    Event,
    Graph,
    Group,
    Jump,
    Mark,
    Node,
    Say,
    Settle,
    Share,
    Standing,
    Step,
    When,
)
from pitboss.rules.house import House
from pitboss.rules.marks import restore, shape, swapped, table_state
from pitboss.rules.mistakes import in_the_file
from pitboss.rules.proved import check_ranges
from pitboss.rules.vocabulary import Table

MOST_NODES = 20_000
MOST_SECONDS = 6  # of work, for all ways of a round together: the largest game on the floor takes a fifth of one
MOST_STEPS = 500  # questions on one way through a round: more is a loop that never ends


IMPURE = "play() did something else when it was run again; it must not draw random numbers or remember anything"


class _Arrived(BaseException):
    """This pass has come to a mark that an earlier way has come to."""


Marks = dict[object, Mark]


class TraceTable(Table):
    """A pass of `play`: it follows the path that it is given, and from there on takes the first answer to everything,
    so that one pass adds all the nodes of one way to its end."""

    def __init__(self, house: House, path: Sequence[Step], marks: Marks, told: Callable[[Node], None] | None) -> None:
        super().__init__(house)
        self.path, self.asked, self.told = list(path), 0, 0
        self.known: dict[int, bool] = {}
        self.marks, self.tell = marks, told
        self.since: Mark | None = None  # the last mark, and the slot of the first card after it
        self.first_slot = 0
        self.fallen: set[str] = set()  # what would be carried over, if its wager were bet
        self.jump: Jump | None = None  # the jump that this pass has come to, and the node that it must come to next
        self.expected: Node | None = None
        self.unbet: set[str] = set()  # wagers that a seat may do without, and does on this way

    def _state(self) -> tuple[int, tuple[Event, ...], tuple[Group, ...], tuple[Step, ...], Standing]:
        standing = Standing(
            tuple(s for s in self.settled.values() if self.house.takes(s.wager)), dict(self.bets), dict(self.carries),
            dict(self.shares), dict(self.staked), frozenset(self.options_read),
        )  # fmt: skip
        return -1, tuple(self.events[self.told :]), tuple(self.groups), tuple(self.path[: self.asked]), standing

    def _new(self, point: "Decide | When | Mark") -> None:
        """A question that no earlier pass has come to: its first answer is taken."""
        if self.expected is not None:
            self._met(point)
        if self.tell is None:
            raise point.site.error(IMPURE)
        self.tell(point)
        self.path.append(Step(point, point.choices[0] if isinstance(point, Decide) else True))

    def _answer(self, same: Callable[[Node], bool], where: Site) -> "str | bool":
        """The answer of the path, if this is the question that it answers and the same things have happened."""
        step = self.path[self.asked]
        now, then = self.events[self.told :], step.node.events
        alike = isinstance(step.node, Mark) or (len(now) == len(then) and all(map(_alike, now, then)))
        if not same(step.node) or not alike:  # to a mark there are several ways
            raise where.error(IMPURE if self.since is None else _FORGOTTEN.format(self.since.name))
        self.asked += 1
        self.told = len(self.events)
        return step.answer

    def _fresh(self, where: Site, *columns: Column) -> None:
        """Refuse a column that looks at something from before the last mark."""
        if self.since is None:
            return
        kept = set(self.since.slots)
        for col in columns:
            if any(slot < self.first_slot and slot not in kept for slot in col.slots):
                raise where.error(
                    f"this looks at a card or a value from before t.mark({self.since.name!r}) in line "
                    f"{self.since.site.line}; name it in that mark and use what the mark gives back"
                )

    def carried(self, name: str, highest: int, on: str) -> Column:
        """Without a bet on the wager that it rests on, nothing is carried over."""
        if on in self._wagers and not self.house.takes(on):
            self.fallen.add(name)
            return column(0)
        return super().carried(name, highest, on)

    def carry(self, name: str, value: "Column | int") -> None:
        if name not in self.fallen:
            super().carry(name, value)

    def _on_when(self, condition: Column, words: str, where: Site) -> bool:
        if condition.uid not in self.known:  # a question that this round has answered is not asked again
            if self.asked == len(self.path):  # what was asked before was fresh then
                self._fresh(where, condition)
                self._new(When(*self._state(), condition, where, words))
            self.known[condition.uid] = bool(
                self._answer(lambda a: isinstance(a, When) and a.condition is condition and a.site == where, where)
            )
        return self.known[condition.uid]

    def _on_decide(self, name: str, choices: Sequence[str], by: tuple[tuple[str, Column], ...], where: Site) -> str:
        if self.asked == len(self.path):
            self._fresh(where, *(col for _, col in by))
        if self.since is not None and not by:
            raise where.error(
                "after a mark a decision needs to know what it is made by, such as "
                "t.decide('stand', 'hit', by={'total': total, 'dealer': up})"
            )
        asked = (where, name, tuple(choices), [(label, col.uid) for label, col in by])
        if self.asked == len(self.path):
            self._new(Decide(*self._state(), name, tuple(choices), where, by))
        return str(self._answer(lambda a: isinstance(a, Decide) and _question(a) == asked, where))

    def _on_mark(self, name: str, state: tuple[Any, ...], where: Site) -> tuple[Any, ...]:
        whole = (state, table_state(self))
        values: list[Column] = []

        def keep(col: Column) -> Column:
            values.append(col)
            return col

        if self.asked == len(self.path):
            swapped(whole, keep, where)
            self._fresh(where, *values)
            key = (name, where, shape(whole))
            if self.expected is not None and key in self.marks:
                self._met(self.marks[key])
            if key in self.marks and self.tell is not None:
                return self._go_on(Jump(*self._state(), self.marks[key], tuple(values)), whole, where)
            registers = tuple(node("register", (len(self.marks), i), v.lo, v.hi) for i, v in enumerate(values))
            self.marks.setdefault(key, Mark(*self._state(), name, registers, tuple(values), where, self.dealt))
            self._new(self.marks[key])
        return self._past_mark(name, whole, where)

    def _go_on(self, jump: Jump, whole: Any, where: Site) -> tuple[Any, ...]:
        """From a mark on, the round must go the same ways whichever way it came: this pass tries one of them."""
        assert self.tell is not None
        self.tell(jump)
        here: Node = jump.target.kids[0]
        self.path.append(Step(jump.target, True))
        while isinstance(here, Decide | When) and here.kids:
            pick = (jump.id + len(self.path)) % len(here.kids)
            answers: Sequence[str | bool] = here.choices if isinstance(here, Decide) else (True, False)
            self.path.append(Step(here, answers[pick]))
            here = here.kids[pick]
        self.jump, self.expected = jump, here
        return self._past_mark(jump.target.name, whole, where)

    def _met(self, found: Node) -> None:
        """The end of that try: the same kind of thing comes next, after the same events."""
        assert self.expected is not None and self.jump is not None
        wanted = self.expected
        to, goal = (n.target if isinstance(n, Jump) else n for n in (found, wanted))
        now, then = self.events[self.told :], wanted.events
        alike = len(now) == len(then) and all(map(_alike, now, then))
        if type(to) is not type(goal) or (isinstance(to, Mark) and to is not goal) or not alike:
            raise self.jump.target.site.error(_FORGOTTEN.format(self.jump.target.name))
        raise _Arrived

    def _past_mark(self, name: str, whole: Any, where: Site) -> tuple[Any, ...]:
        mark = self.path[self.asked].node
        self._answer(lambda a: isinstance(a, Mark) and (a.name, a.site) == (name, where), where)
        assert isinstance(mark, Mark)
        self.since, self.known = mark, {}
        self.dealt = self.first_slot = mark.dealt
        self.used = 0  # how many cards are gone is not known any more
        fresh = iter(mark.registers)
        state, table = swapped(whole, lambda _: next(fresh), where)
        restore(self, table)
        return tuple(state)


_FORGOTTEN = (
    "the round goes on in another way than before from t.mark({0!r}), although the mark names the same state; "
    "name everything that the rest of the round depends on"
)


MOST_TRACED = 64
_TRACED: OrderedDict[object, Graph] = OrderedDict()
_LOCK = threading.Lock()


def trace(house: House) -> Graph:
    """The graph of the game under these options; a mistake in the game file is a RuleError with its line. Made once for
    all houses whose rounds are alike: what rows pay, and what is left in the shoe, does not matter to it. Several
    threads may trace at once, and the graphs that were asked for last are kept."""
    key = house.rounds_key
    with _LOCK:
        if key in _TRACED:
            _TRACED.move_to_end(key)
            return _TRACED[key]
    graph = _traced(house)
    with _LOCK:
        graph = _TRACED.setdefault(key, graph)
        while len(_TRACED) > MOST_TRACED:
            _TRACED.popitem(last=False)
    return graph


def _traced(house: House) -> Graph:
    spent("traces")
    chance = random.getstate()
    graph = Tracer(house).graph()
    if random.getstate() != chance and (where := line_with(house, "random")) is not None:
        raise where.error(IMPURE)
    return graph


class Tracer:
    """All passes of `play` that it takes to see every way of the round."""

    table = TraceTable

    def __init__(self, house: House) -> None:
        self.house, self.home, self.until = house, home(house), time.thread_time() + MOST_SECONDS
        self.nodes: list[Node] = []
        self.marks: Marks = {}
        self.carried: dict[str, int] = {}
        self.options_read: set[str] = set()
        self.names: dict[int, tuple[Column, str]] = {}
        self.waiting: list[tuple[Step, ...]] = []  # ways that are still to be taken, the next one last

    def graph(self) -> Graph:
        self.waiting.append(())
        while self.waiting:
            if time.thread_time() > self.until:
                raise self.waiting[-1][-1].node.site.error(
                    f"the round can go more ways than can be followed in {MOST_SECONDS} seconds: {len(self.nodes):,} "
                    "questions so far; ask fewer, and choose with `where` instead of `if t.when`"
                )
            self._pass(self.waiting.pop())
        check_sight([n for n in self.nodes if isinstance(n, Decide)], self.nodes)
        check_whole(self.house, self.options_read)
        check_hands(self.house, self.nodes)
        check_shares(self.house, [n for n in self.nodes if isinstance(n, End)])
        check_ranges(self.house, self.nodes)
        graph = Graph(self.nodes[0], self.nodes, self.carried, self.names, len(self.house.composition))
        for decision in graph.decisions():
            decision.places = graph.places
        return graph

    def _add(self, node: Node) -> None:
        """A new node: below the last one of its path, and with its other answers still to come."""
        node.id = len(self.nodes)
        self.nodes.append(node)
        if len(self.nodes) > MOST_NODES:
            where = node.site if isinstance(node, Decide | When | Mark) else home(self.house)
            raise where.error(
                f"the round can go more than {MOST_NODES:,} ways: does a loop ask this question for ever?"
            )
        if isinstance(node, Decide | When) and len(node.path) >= MOST_STEPS:
            raise node.site.error(
                f"the round asks more than {MOST_STEPS} questions: does a loop ask this question for ever?"
            )
        if node.path:
            node.path[-1].node.kids.append(node)
        if isinstance(node, Decide | When):
            rest: Sequence[str | bool] = node.choices[1:] if isinstance(node, Decide) else (False,)
            self.waiting += [(*node.path, Step(node, answer)) for answer in reversed(rest)]

    def _play(self, table: TraceTable) -> bool:
        """Run `play` once; False when it came to a mark that is known."""
        try:
            with in_the_file(self.home.file, "play()", self.home.line, _Arrived):
                self.house.game.play(table)
                if table.expected is not None:
                    table._met(_end(self.house, table))
        except _Arrived:
            return False
        return True

    def _pass(self, path: tuple[Step, ...]) -> None:
        table = self.table(self.house, path, self.marks, self._add)
        if self._play(table):
            self._add(_end(self.house, table))
            self._check_again(table)
        self.carried.update(table.carried_states)
        self.options_read.update(table.options_read)
        self.names = table.names | self.names

    def _check_again(self, table: TraceTable) -> None:
        """The same answers must give the same round: play it once more and compare what was done since the last
        question. (What came before is compared whenever another way takes it.)"""
        again = self.table(self.house, table.path, self.marks, None)
        self._play(again)
        for a, b in zip_longest(table.events, again.events):
            if a is None or b is None or _done(a) != _done(b):
                raise (a or b).site.error(IMPURE)


_TOLD = ("who", "hand", "to", "count", "wager", "times", "name", "face", "words")


def _alike(a: Event, b: Event) -> bool:
    """Whether two events do the same, but for the numbering of their cards."""
    if a is b or type(a) is not type(b) or a.site != b.site:
        return a is b
    if isinstance(a, Settle) and isinstance(b, Settle):
        return (a.wager, a.because, a.rows.names) == (b.wager, b.because, b.rows.names)
    return all(getattr(a, n, None) == getattr(b, n, None) for n in _TOLD)


def _question(a: Decide) -> tuple[object, ...]:
    return a.site, a.name, a.choices, [(label, col.uid) for label, col in a.by]


def _done(event: Event) -> tuple[object, ...]:
    """What an event did, comparable."""
    what = (type(event), event.site)
    if isinstance(event, Settle):
        return *what, event.wager, event.because, event.rows.names, event.rows.index.uid
    if isinstance(event, Share):
        return *what, event.wager, event.value.uid
    if isinstance(event, Carry):
        return *what, event.name, event.value.uid
    if isinstance(event, Say):
        return *what, event.words, event.each, event.takes, None if event.when is None else event.when.uid
    return *what, event


def _end(house: House, table: TraceTable) -> End:
    settled = tuple(s for s in table.settled.values() if house.takes(s.wager))
    for settle in settled:
        table._fresh(settle.site, settle.rows.index)
    for wager in house.wagers:
        if (
            not house.takes(wager.name)
            or wager.name in table.unbet
            or wager.name in table.settled
            or wager.name in table.shares
            or (wager.equal_to and wager.name not in table.bets and wager.name not in table.staked)
        ):
            continue
        way = ", then ".join(_step_words(s) for s in table.path) or "every round"
        if len(table.events) > table.told:  # the last thing that happened: an event, or else the last answer
            where = table.events[-1].site
        else:
            where = table.path[-1].node.site if table.path else home(house)
        raise where.error(
            f"the round ends here without settling {wager.name} (on the way: {way}); "
            f"write t.settle({_keyword(wager.name)}=...) before play() returns"
        )
    return End(*table._state())


def _keyword(wager: str) -> str:
    name = wager.replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name


def _step_words(step: Step) -> str:
    if isinstance(step.node, Mark):
        return f"the round comes to the mark {step.node.name!r}"
    if isinstance(step.answer, bool):
        return f"the condition in line {step.node.site.line} is {'true' if step.answer else 'false'}"
    return f"the player chooses {step.answer!r}"
