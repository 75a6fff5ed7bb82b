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

from pitboss.rules.column import Column
from pitboss.rules.errors import RuleError, Site
from pitboss.rules.game import House
from pitboss.rules.graph import Carry, Decide, End, Event, Graph, Group, Node, Settle, Share, Step, When
from pitboss.rules.vocabulary import Table

MOST_NODES = 20_000
MOST_STEPS = 500  # questions on one way through a round: more is a loop that never ends
PATIENCE = 5  # seconds for one pass of `play`, which takes microseconds


IMPURE = "play() did something else when it was run again; it must not draw random numbers or remember anything"


class _Fork(BaseException):
    """`play` has come to a question that this pass has no answer for."""

    def __init__(self, node: Decide | When) -> None:
        self.node = node


class _TraceTable(Table):
    def __init__(self, house: House, path: Sequence[Step]) -> None:
        super().__init__(house)
        self.path, self.asked, self.mark = tuple(path), 0, 0
        self.known: dict[int, bool] = {}

    def _state(self) -> tuple[int, tuple[Event, ...], tuple[Group, ...], tuple[Step, ...]]:
        events = tuple(self.events[self.mark :])
        return -1, events, tuple(self.groups), self.path

    def _answer(self, node: Decide | When) -> str | bool:
        if self.asked == len(self.path):
            raise _Fork(node)
        step = self.path[self.asked]
        if not _same_question(step.node, node):
            raise node.site.error(IMPURE)
        self.asked += 1
        self.mark = len(self.events)
        return step.answer

    def _on_when(self, condition: Column, where: Site) -> bool:
        if condition.uid not in self.known:  # a question that this round has answered is not asked again
            self.known[condition.uid] = bool(self._answer(When(*self._state(), condition, where)))
        return self.known[condition.uid]

    def _on_decide(self, name: str, choices: Sequence[str], where: Site) -> str:
        return str(self._answer(Decide(*self._state(), name, tuple(choices), where)))


def trace(house: House) -> Graph:
    """The graph of the game under these options; a mistake in the game file is a RuleError with its line."""
    nodes: list[Node] = []
    carried: dict[str, int] = {}
    options_read: set[str] = set()

    def visit(path: tuple[Step, ...]) -> Node:
        table = _TraceTable(house, path)
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
            where = node.site if isinstance(node, Decide | When) else _home(house)
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
        return node

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 10_000))
    try:
        root = visit(())
    finally:
        sys.setrecursionlimit(limit)
    _check_whole(house, options_read)
    _check_shares(house, [n for n in nodes if isinstance(n, End)])
    return Graph(root, nodes, carried)


def _same_question(a: Decide | When, b: Decide | When) -> bool:
    if isinstance(a, When) and isinstance(b, When):
        return a.site == b.site and a.condition is b.condition
    return (
        isinstance(a, Decide) and isinstance(b, Decide) and (a.site, a.name, a.choices) == (b.site, b.name, b.choices)
    )


def _check_again(house: House, table: _TraceTable) -> None:
    """The same answers must give the same round: play it once more and compare what was done."""
    again = _TraceTable(house, table.path)
    chance = random.getstate()
    try:
        with _watchdog(house):
            house.game.play(again)
    except _Fork as fork:  # a question that was not asked the first time
        raise fork.node.site.error(IMPURE) from None
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
    for wager in house.wagers:
        if (
            wager.name in table.settled
            or wager.name in table.shares
            or (wager.equal_to and wager.name not in table.bets)
        ):
            continue
        way = ", then ".join(_step_words(s) for s in table.path) or "every round"
        if len(table.events) > table.mark:  # the last thing that happened: an event, or else the last answer
            where = table.events[-1].site
        else:
            where = table.path[-1].node.site if table.path else _home(house)
        raise where.error(
            f"the round ends here without settling {wager.name} (on the way: {way}); "
            f"write t.settle({_keyword(wager.name)}=...) before play() returns"
        )
    return End(
        *table._state(), tuple(table.settled.values()), dict(table.bets), dict(table.carries), dict(table.shares)
    )


def _keyword(wager: str) -> str:
    name = wager.replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name


def _step_words(step: Step) -> str:
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
