"""The tracer: runs `play` on columns, once for every way the round can fork, and returns the graph."""

import signal
import sys
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pitboss.rules.column import Column
from pitboss.rules.errors import RuleError, Site
from pitboss.rules.game import House
from pitboss.rules.graph import Decide, End, Event, Graph, Group, Node, Step, When
from pitboss.rules.vocabulary import Table

MOST_NODES = 20_000
PATIENCE = 5  # seconds for one pass of `play`, which takes microseconds


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
        if type(step.node) is not type(node) or step.node.site != node.site:
            raise node.site.error(
                "play() did something else when it was run again; it must not draw random numbers or remember anything"
            )
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
    return Graph(root, nodes, carried)


def _end(house: House, table: _TraceTable) -> End:
    for wager in house.wagers:
        if (
            wager.name in table.settled
            or wager.name in table.shares
            or (wager.equal_to and wager.name not in table.bets)
        ):
            continue
        way = ", then ".join(_step_words(s) for s in table.path) or "every round"
        where = table.events[-1].site if table.events else _home(house)
        raise where.error(
            f"the round ends here without settling {wager.name} (on the way: {way}); "
            f"write t.settle({wager.name.replace('-', '_')}=...) before play() returns"
        )
    return End(
        *table._state(), tuple(table.settled.values()), dict(table.bets), dict(table.carries), dict(table.shares)
    )


def _step_words(step: Step) -> str:
    if isinstance(step.answer, bool):
        return f"the condition in line {step.node.site.line} is {'true' if step.answer else 'false'}"
    return f"the player chooses {step.answer!r}"


def _check_whole(house: House, options_read: set[str]) -> None:
    """An option that no line of the file ever asks for changes nothing, which its author cannot have meant."""
    source = house.game.path.read_text() if house.game.path.exists() else ""
    meters = [pay for table in house.tables.values() for _, pay in table.meters()]
    used = options_read | {"decks", "stake"} | {name for m in meters for name in (m.meter, m.seed, m.increment)}
    for option in house.game.options:
        if option.name not in used and source.count(f'"{option.name}"') + source.count(f"'{option.name}'") == 1:
            raise _line_of(house, option.name).error(
                f"the option {option.name!r} is declared but never asked for; read it with t.option({option.name!r})"
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
