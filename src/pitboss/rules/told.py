"""What is told of a round while its procedure is put together: steps that can be compared, and who stands where.

Seats go different ways. A *front* is one way up to the point where a seat waits for the table; fronts that have the
same steps before them are told together, and what only some have to do is told with who they are.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from pitboss.rules.graph import Node
from pitboss.rules.naming import listed
from pitboss.rules.outcomes import Case
from pitboss.rules.steps import Does

TABLE = "table"
"""Of a question: it is asked once, for the whole table."""
_PAST = {
    "raise": "raised", "call": "called", "check": "checked", "fold": "folded", "bet": "bet", "stand": "stood",
    "hit": "hit", "double": "doubled", "split": "split", "surrender": "surrendered", "play": "played",
    "stare": "stared", "look": "looked", "war": "went to war", "insurance": "took insurance", "take": "took",
    "let": "let", "re-raise": "re-raised",
}  # fmt: skip


@dataclass(frozen=True)
class Told:
    """A step in the making. Of a settlement the wager stands apart: wagers that come out alike are told once."""

    does: Does
    text: str = ""
    kids: tuple["Told", ...] = ()
    wager: str = ""
    cases: tuple[Case, ...] = ()
    each: bool = False  # a word of the dealer at every seat

    def has(self, kind: str) -> bool:
        """Whether this is one of a kind, or has one under it."""
        mine = self.does[:1] in ((kind,), ("block",) if kind == "decide" else (kind,))  # a block is played
        return mine or any(kid.has(kind) for kid in self.kids)

    @property
    def at_seats(self) -> bool:
        """Whether something of this is said at every seat."""
        return self.each or any(kid.at_seats for kid in self.kids)


@dataclass(frozen=True)
class Front:
    """A way through the round, up to where it waits."""

    node: Node
    at: int = 0  # the event that comes next; past the last one, the question
    labels: tuple[str, ...] = ()  # what the seat has done: "who raised"
    placed: frozenset[str] = frozenset()
    settled: frozenset[str] = frozenset()

    def but(self, **changed: object) -> "Front":
        return replace(self, **changed)  # type: ignore[arg-type]

    def without(self, wager: str, during: Iterable[str]) -> bool:
        """Whether there is nothing of a wager to settle: it is settled, or was never placed."""
        return wager in self.settled or (wager in set(during) and wager not in self.placed)


def who_chose(choice: str) -> str:
    """`who raised 2x`."""
    first, _, rest = choice.partition(" ")
    return f"who {_PAST[first]}{f' {rest}' if rest else ''}" if first in _PAST else f"who chose {choice}"


Part = tuple[Front, list[Told]]


def together(parts: Sequence[Part], during: Sequence[str], wait: int = 0) -> list[Told]:
    """The steps of several fronts as one list; `wait` says how many other ways have nothing to do here."""
    longest = max((steps for _, steps in parts), key=len, default=[])
    if not longest:
        return []
    if all(_within(steps, longest, front, during) for front, steps in parts) and not wait:
        return longest
    if not wait:
        head = _alike([steps for _, steps in parts])
        tail = _alike([steps[head:][::-1] for _, steps in parts])
        if head or tail:
            middle = [(front, steps[head : len(steps) - tail]) for front, steps in parts]
            inner = together(middle, during) if all(steps for _, steps in middle) else _by_front(middle)
            return [*longest[:head], *inner, *longest[len(longest) - tail :]]
    return _by_front(parts)


def _by_front(parts: Sequence[Part]) -> list[Told]:
    groups: list[tuple[list[Front], list[Told]]] = []
    for front, steps in parts:
        same = next((fronts for fronts, found in groups if found == steps), None)
        if same is not None:
            same.append(front)
        elif steps:
            groups.append(([front], steps))
    return [Told(("who", label(fronts)), f"{label(fronts)}:", tuple(steps)) for fronts, steps in groups]


def label(fronts: Sequence[Front]) -> str:
    """`A player who raised or called`."""
    last = list(dict.fromkeys(front.labels[-1] for front in fronts if front.labels))
    if not last:
        return "Every other player"
    if all(words.startswith("who ") for words in last):
        return f"A player who {listed((words[4:] for words in last), 'or')}"
    return f"If {listed(last, 'or')}" if not any(words.startswith("who ") for words in last) else "Every other player"


def _within(steps: Sequence[Told], longest: Sequence[Told], front: Front, during: Sequence[str]) -> bool:
    """Whether a list is the longest one but for wagers that this front has not got."""
    rest = iter(steps)
    here = next(rest, None)
    for step in longest:
        if here == step:
            here = next(rest, None)
        elif not step.wager or not front.without(step.wager, during):
            return False
    return here is None


def _alike(lists: Sequence[Sequence[Told]]) -> int:
    """How many steps all lists begin with."""
    count = 0
    for steps in zip(*lists, strict=False):
        if any(step != steps[0] for step in steps):
            break
        count += 1
    return count


def split_tail(ways: Sequence[list[Told]]) -> tuple[list[list[Told]], list[Told]]:
    """What every way ends with, told once."""
    tail = _alike([way[::-1] for way in ways])
    return [way[: len(way) - tail] for way in ways], list(ways[0][len(ways[0]) - tail :])


def grouped(steps: Sequence[Told], draw: Callable[[list[Told]], list[Told]]) -> list[Told]:
    """Neighbouring settlements that come out alike, together."""
    out: list[Told] = []
    at = 0
    while at < len(steps):
        step = steps[at]
        run = [step]
        while step.wager and at + len(run) < len(steps):
            after = steps[at + len(run)]
            if not after.wager or (after.cases, after.text) != (step.cases, step.text):
                break
            run.append(after)
        out += draw(run)
        at += len(run)
    return out
