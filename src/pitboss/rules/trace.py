"""The tracer: runs `play` on columns, once for every way the round can fork, and returns the graph."""

import inspect
import keyword
import random
import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import Any

from pitboss.rules.column import Column, node
from pitboss.rules.errors import RuleError, Site
from pitboss.rules.game import House
from pitboss.rules.graph import Carry, Decide, End, Event, Graph, Group, Jump, Mark, Node, Settle, Share, Step, When
from pitboss.rules.marks import restore, shape, swapped, table_state
from pitboss.rules.vocabulary import Table

MOST_NODES = 20_000
MOST_STEPS = 500  # questions on one way through a round: more is a loop that never ends
PATIENCE = 5  # seconds for one pass of `play`, which takes microseconds


IMPURE = "play() did something else when it was run again; it must not draw random numbers or remember anything"


class _Fork(BaseException):
    """`play` has come to a question that this pass has no answer for, or to a mark."""

    def __init__(self, node: Decide | When | Mark | Jump, site: Site) -> None:
        self.node, self.site = node, site


Marks = dict[object, Mark]


class _TraceTable(Table):
    def __init__(self, house: House, path: Sequence[Step], marks: Marks) -> None:
        super().__init__(house)
        self.path, self.asked, self.told = tuple(path), 0, 0
        self.known: dict[int, bool] = {}
        self.marks = marks
        self.since: Mark | None = None  # the last mark, and the slot of the first card after it
        self.first_slot = 0

    def _state(self) -> tuple[int, tuple[Event, ...], tuple[Group, ...], tuple[Step, ...]]:
        events = tuple(self.events[self.told :])
        return -1, events, tuple(self.groups), self.path

    def _answer(self, node: Decide | When) -> str | bool:
        if self.asked == len(self.path):
            raise _Fork(node, node.site)
        step = self.path[self.asked]
        if not _same_question(step.node, node):
            raise node.site.error(IMPURE if self.since is None else _FORGOTTEN.format(self.since.name))
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

    def _on_when(self, condition: Column, words: str, where: Site) -> bool:
        self._fresh(where, condition)
        if condition.uid not in self.known:  # a question that this round has answered is not asked again
            self.known[condition.uid] = bool(self._answer(When(*self._state(), condition, where, words)))
        return self.known[condition.uid]

    def _on_decide(self, name: str, choices: Sequence[str], by: tuple[tuple[str, Column], ...], where: Site) -> str:
        self._fresh(where, *(col for _, col in by))
        if self.since is not None and not by:
            raise where.error(
                "after a mark a decision needs to know what it is made by, such as "
                "t.decide('stand', 'hit', by={'total': total, 'dealer': up})"
            )
        return str(self._answer(Decide(*self._state(), name, tuple(choices), where, by)))

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
            if key in self.marks:
                raise _Fork(Jump(*self._state(), self.marks[key], tuple(values)), where)
            registers = tuple(node("register", (len(self.marks), i), v.lo, v.hi) for i, v in enumerate(values))
            self.marks[key] = Mark(*self._state(), name, registers, tuple(values), where, self.dealt)
            raise _Fork(self.marks[key], where)
        mark = self.path[self.asked].node
        if not isinstance(mark, Mark) or (mark.name, mark.site) != (name, where):
            raise where.error(IMPURE if self.since is None else _FORGOTTEN.format(self.since.name))
        self.asked += 1
        self.told = len(self.events)
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


def trace(house: House) -> Graph:
    """The graph of the game under these options, made once for a house; a mistake in the game file is a RuleError with
    its line."""
    if "_graph" not in house.__dict__:
        house.__dict__["_graph"] = _trace(house)
    found: Graph = house.__dict__["_graph"]
    return found


def _trace(house: House) -> Graph:
    nodes: list[Node] = []
    marks: Marks = {}
    carried: dict[str, int] = {}
    options_read: set[str] = set()

    def visit(path: tuple[Step, ...]) -> Node:
        table = _TraceTable(house, path, marks)
        try:
            with _watchdog(house):
                house.game.play(table)
            node: Node = _end(house, table)
            _check_again(house, table)
        except _Fork as fork:
            node = fork.node
        except RuleError:
            raise
        except Exception as error:
            raise _explain(house, error) from error
        carried.update(table.carried_states)
        options_read.update(table.options_read)
        node.id = len(nodes)
        nodes.append(node)
        if len(nodes) > MOST_NODES:
            where = node.site if isinstance(node, Decide | When | Mark) else _home(house)
            raise where.error(
                f"the round can go more than {MOST_NODES:,} ways: does a loop ask this question for ever?"
            )
        if isinstance(node, Decide | When) and len(path) >= MOST_STEPS:
            raise node.site.error(
                f"the round asks more than {MOST_STEPS} questions: does a loop ask this question for ever?"
            )
        if isinstance(node, Decide):
            node.kids = [visit((*path, Step(node, c))) for c in node.choices]
        elif isinstance(node, When):
            node.kids = [visit((*path, Step(node, b))) for b in (True, False)]
        elif isinstance(node, Mark):
            node.kids = [visit((*path, Step(node, True)))]
        return node

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 10_000))
    try:
        root = visit(())
    finally:
        sys.setrecursionlimit(limit)
    for jump in [n for n in nodes if isinstance(n, Jump)]:
        _check_jump(house, jump, marks)
    _check_sight([n for n in nodes if isinstance(n, Decide)], nodes)
    _check_whole(house, options_read)
    _check_shares(house, [n for n in nodes if isinstance(n, End)])
    return Graph(root, nodes, carried)


def _check_jump(house: House, jump: Jump, marks: Marks) -> None:
    """From a mark on, the round must go the same ways whichever way it came: try one of them."""
    path: list[Step] = [*jump.path, Step(jump.target, True)]
    here = jump.target.kids[0]
    while isinstance(here, Decide | When):
        pick = (jump.id + len(path)) % len(here.kids)
        answers: Sequence[str | bool] = here.choices if isinstance(here, Decide) else (True, False)
        path.append(Step(here, answers[pick]))
        here = here.kids[pick]
    table = _TraceTable(house, path, marks)
    try:
        house.game.play(table)
        found: Node = _end(house, table)
    except _Fork as fork:
        found = fork.node
    met = found.target if isinstance(found, Jump) else found
    wanted = here.target if isinstance(here, Jump) else here
    alike = [_comparable(e) for e in found.events] == [_comparable(e) for e in here.events]
    if type(met) is not type(wanted) or (isinstance(met, Mark) and met is not wanted) or not alike:
        raise jump.target.site.error(_FORGOTTEN.format(jump.target.name))


def _comparable(event: Event) -> tuple[object, ...]:
    """What an event does, but for the numbering of its cards."""
    if isinstance(event, Settle):
        return type(event), event.site, event.wager, event.because, event.rows.names
    names = ("who", "hand", "to", "count", "wager", "times", "name", "face")
    return type(event), event.site, *(getattr(event, n, None) for n in names)


def _check_sight(decisions: Sequence[Decide], nodes: Sequence[Node]) -> None:
    """A decision may be made by what the player can see only, also by way of a mark."""
    enters = [n for n in nodes if isinstance(n, Mark | Jump)]
    hidden: set[int] = set()  # registers that hold what nobody can see
    changed = True

    def peeks(col: Column, at: Node) -> bool:
        dark = {s for g in at.groups if not g.seen for s in g.slots}
        return bool(col.slots & (dark | hidden))

    while changed:
        changed = False
        for way in enters:
            for slot, value in zip(way.target.slots, way.values, strict=True):
                if slot not in hidden and peeks(value, way):
                    hidden.add(slot)
                    changed = True
    for decision in decisions:
        for label, col in decision.by:
            if peeks(col, decision):
                raise decision.site.error(f"the player cannot see what {label!r} looks at, so he cannot decide by it")


def _same_question(a: Node, b: Decide | When) -> bool:
    if isinstance(a, When) and isinstance(b, When):
        return a.site == b.site and a.condition is b.condition
    return (
        isinstance(a, Decide)
        and isinstance(b, Decide)
        and (a.site, a.name, a.choices) == (b.site, b.name, b.choices)
        and [(n, c.uid) for n, c in a.by] == [(n, c.uid) for n, c in b.by]
    )


def _check_again(house: House, table: _TraceTable) -> None:
    """The same answers must give the same round: play it once more and compare what was done."""
    again = _TraceTable(house, table.path, table.marks)
    chance = random.getstate()
    try:
        with _watchdog(house):
            house.game.play(again)
    except _Fork as fork:  # a question that was not asked the first time
        raise fork.site.error(IMPURE) from None
    if random.getstate() != chance:
        raise _line_with(house, "random").error(IMPURE)
    for a, b in zip_longest(table.events, again.events):
        if a is None or b is None or _done(a) != _done(b):
            raise (a or b).site.error(IMPURE)


def _done(event: Event) -> tuple[object, ...]:
    """What an event did, comparable."""
    what = (type(event), event.site)
    if isinstance(event, Settle):
        return *what, event.wager, event.because, event.rows.names, event.rows.index.uid
    if isinstance(event, Share):
        return *what, event.wager, event.value.uid
    if isinstance(event, Carry):
        return *what, event.name, event.value.uid
    return *what, event


def _line_with(house: House, word: str) -> Site:
    lines, first = inspect.getsourcelines(house.game.play)
    found = next((i for i, line in enumerate(lines) if word in line), 0)
    return Site(_home(house).file, first + found)


def _end(house: House, table: _TraceTable) -> End:
    settled = tuple(s for s in table.settled.values() if house.takes(s.wager))
    for settle in settled:
        table._fresh(settle.site, settle.rows.index)
    for wager in house.wagers:
        if (
            not house.takes(wager.name)
            or wager.name in table.settled
            or wager.name in table.shares
            or (wager.equal_to and wager.name not in table.bets and wager.name not in table.staked)
        ):
            continue
        way = ", then ".join(_step_words(s) for s in table.path) or "every round"
        if len(table.events) > table.told:  # the last thing that happened: an event, or else the last answer
            where = table.events[-1].site
        else:
            where = table.path[-1].node.site if table.path else _home(house)
        raise where.error(
            f"the round ends here without settling {wager.name} (on the way: {way}); "
            f"write t.settle({_keyword(wager.name)}=...) before play() returns"
        )
    return End(
        *table._state(), settled, dict(table.bets), dict(table.carries), dict(table.shares),
        dict(table.staked),
    )  # fmt: skip


def _keyword(wager: str) -> str:
    name = wager.replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name


def _step_words(step: Step) -> str:
    if isinstance(step.node, Mark):
        return f"the round comes to the mark {step.node.name!r}"
    if isinstance(step.answer, bool):
        return f"the condition in line {step.node.site.line} is {'true' if step.answer else 'false'}"
    return f"the player chooses {step.answer!r}"


def _check_whole(house: House, options_read: set[str]) -> None:
    """An option that no line of the file ever asks for changes nothing, which its author cannot have meant."""
    source = house.game.path.read_text() if house.game.path.exists() else ""
    meters = [pay for table in house.tables.values() for _, pay in table.meters()]
    used = options_read | {"decks", "stake"} | {name for m in meters for name in (m.meter, m.seed, m.increment)}
    unread = [option for option in house.game.options if option.name not in used]
    asked = _asked_for(source) if unread else set()
    for option in unread:
        if option.name not in asked:
            raise _line_of(house, option.name).error(
                f"the option {option.name!r} is declared but never asked for; read it with t.option({option.name!r})"
            )


def _asked_for(source: str) -> set[str]:
    """Options that the file asks for somewhere, though perhaps not under these options: t.option("x"), options["x"]."""
    import ast

    found: set[str] = set()
    for point in ast.walk(ast.parse(source)):
        if isinstance(point, ast.Subscript):
            parts = [point.slice]
        elif isinstance(point, ast.Call) and ast.unparse(point.func).rpartition(".")[2] in ("option", "get", "Meter"):
            parts = [*point.args, *(k.value for k in point.keywords)]
        else:
            continue
        found.update(p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str))
    return found


def _check_shares(house: House, ends: Sequence[End]) -> None:
    """A wager between the players is one on every way through the round: seats may go different ways."""
    for name in {name for end in ends for name in end.shares}:
        other = next((end for end in ends if name not in end.shares), None)
        if other is not None:
            where = other.events[-1].site if other.events else _home(house)
            raise where.error(
                f"{name} is shared between the players on another way through the round, and not on this one"
            )


def _home(house: House) -> Site:
    code = house.game.play.__code__
    return Site(code.co_filename, code.co_firstlineno)


def _line_of(house: House, word: str) -> Site:
    for number, line in enumerate(house.game.path.read_text().splitlines(), 1):
        if f'"{word}"' in line or f"'{word}'" in line:
            return Site(str(house.game.path), number)
    return _home(house)


def _explain(house: House, error: Exception) -> RuleError:
    """An ordinary Python error inside `play`, with the line of the game file where it came up."""
    home = _home(house)
    lines = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == home.file]
    where = Site(home.file, lines[-1].lineno or home.line) if lines else home
    return where.error(f"play() fails with {type(error).__name__}: {error}; correct this line")


@contextmanager
def _watchdog(house: House) -> Iterator[None]:
    """A loop that never asks the table anything cannot be seen from inside; a timer can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def bark(_: int, frame: Any) -> None:
        file = _home(house).file
        while frame is not None and frame.f_code.co_filename != file:
            frame = frame.f_back
        where = Site(file, frame.f_lineno) if frame is not None else _home(house)
        raise where.error(
            f"play() has not come to an end in {PATIENCE} seconds: this loop never ends; give it a way out"
        )

    old = signal.signal(signal.SIGALRM, bark)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
