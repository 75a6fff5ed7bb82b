"""What `play` does between one question to the round and the next, kept for whoever comes that way again.

A game file sees no card: where its `play` goes next rests on what it is answered and on nothing else (the tracer holds
every file to that). So a seat whose answers are those of an earlier one, in whatever round, need not run the file
again: what it would do is laid on its table, and the same questions are asked of its own cards. Where an answer is new
the file is run from the first card, and what it does from there on is kept too.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import is_
from typing import Any

from pitboss.live.seat import By, SeatTable
from pitboss.rules.column import Column
from pitboss.rules.errors import Site
from pitboss.rules.graph import Deal, Event, Say
from pitboss.rules.house import House
from pitboss.rules.options import Value

LIES = (
    "groups", "bets", "settled", "shares", "carries", "carried_states", "carried_on", "options_read", "names",
    "dealt", "used",
)  # fmt: skip
"""What a table holds besides its events, whoever sits there."""
MOST_STEPS = 5_000  # of one game, some 10 MB; then it is learnt anew
Ask = Callable[..., Any]


@dataclass(slots=True)
class Step:
    """What happens up to a question, or to the end of the round; then the question, and where each answer leads."""

    events: Sequence[Event]  # since the question before
    lies: Mapping[str, object]  # what is other than at the question before
    ask: Ask | None = None
    args: tuple[Any, ...] = ()
    after: dict[object, "Step"] = field(default_factory=dict)


class Tape:
    """All ways through the rounds of a game that anybody has come."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.before: dict[object, Step] = {}  # the first question; nothing was answered yet
        self.steps = 0

    def add(self, after: dict[object, Step], answer: object, step: Step) -> Step:
        if self.steps >= MOST_STEPS:
            self.clear()
        self.steps += 1
        return after.setdefault(answer, step)


def tape_of(house: House) -> Tape:
    found: Tape = house.course.setdefault("tape", Tape())
    return found


def followed(table: SeatTable, tape: Tape) -> bool:
    """Whether the round of this seat came to its end on ways that are known. It stops where the seat has to wait."""
    step = tape.before.get(None)
    while step is not None:
        table.events += step.events
        vars(table).update(step.lies)
        if step.ask is None:
            return True
        step = step.after.get(step.ask(table, *step.args))
    return False


class Taping(SeatTable):
    """A seat for which the file is run; what it does is put on the tape."""

    def record(self, tape: Tape) -> None:
        """Run the file to its end."""
        self._tape, self._after, self._answer = tape, tape.before, None
        self._upto, self._lay = len(self.events), self._lies()
        self.house.game.play(self)
        self._step(None)

    def _lies(self) -> dict[str, Any]:
        return {name: _copied(getattr(self, name)) for name in LIES}

    def _step(self, ask: Ask | None, *args: object) -> None:
        step = self._after.get(self._answer)
        if step is None:
            now = self._lies()
            other = {name: lies for name, lies in now.items() if not _same(lies, self._lay[name])}
            step = Step(tuple(self.events[self._upto :]), other, ask, args)
            step = self._tape.add(self._after, self._answer, step)
        self._lay |= step.lies
        self._after = step.after

    def _asked(self, ask: Ask, *args: object) -> Any:
        self._step(ask, *args)
        self._answer = ask(self, *args)
        self._upto = len(self.events)
        return self._answer

    # ---- the questions

    def _on_deal(self, deal: Deal) -> None:
        self._asked(SeatTable._on_deal, deal)

    def _on_burn(self, count: int) -> None:
        self._asked(SeatTable._on_burn, count)

    def _on_turn_up(self) -> None:
        self._asked(SeatTable._on_turn_up)

    def _on_say(self, say: Say) -> None:
        self._asked(SeatTable._on_say, say)

    def _on_has(self, wager: str) -> bool:
        return bool(self._asked(SeatTable._on_has, wager))

    def _on_when(self, condition: Column, words: str, where: Site) -> bool:
        return bool(self._asked(SeatTable._on_when, condition, words, where))

    def _on_decide(self, name: str, choices: Sequence[str], by: By, where: Site) -> str:
        return str(self._asked(SeatTable._on_decide, name, choices, by, where))

    def _on_mark(self, name: str, state: tuple[Any, ...], where: Site) -> tuple[Any, ...]:
        self._asked(_marked, name, state, where)
        return state

    def _on_carried(self, name: str, highest: int) -> None:
        self._asked(SeatTable._on_carried, name, highest)

    def _on_option(self, name: str) -> Value:
        found: Value = self._asked(SeatTable._on_option, name)
        return found


def _marked(table: SeatTable, name: str, state: tuple[Any, ...], where: Site) -> None:
    """What a mark gives back is what it was given, and no answer that leads anywhere."""
    SeatTable._on_mark(table, name, state, where)


def _copied(lies: Any) -> Any:
    return lies if isinstance(lies, int) else lies.copy()


def _same(one: Any, other: Any) -> bool:
    """Whether they hold the very same things: columns are not compared, they are one or another."""
    if isinstance(one, int):
        return bool(one == other)
    return len(one) == len(other) and all(map(is_, _all_of(one), _all_of(other)))


def _all_of(lies: Any) -> Iterable[object]:
    return [*lies.keys(), *lies.values()] if isinstance(lies, dict) else sorted(lies) if isinstance(lies, set) else lies
