"""The graph in words: the dealer's procedure, in order, read off the game itself so that it cannot drift from it."""

from collections.abc import Sequence
from fractions import Fraction

from pitboss.rules.column import Column, walk
from pitboss.rules.graph import (
    PLAYER,
    UP,
    Bet,
    Burn,
    Deal,
    Decide,
    End,
    Event,
    Graph,
    Jump,
    Mark,
    Node,
    Reveal,
    Settle,
    Split,
    When,
)
from pitboss.rules.naming import floors, listed
from pitboss.rules.results import Rows
from pitboss.rules.wording import Unsaid, Wording

Line = tuple[int, str]
"""Depth of indentation, text."""

HALF = Fraction(1, 2)
MOST_ROWS = 8  # of a pay table that are listed in a sentence


def procedure(graph: Graph) -> list[Line]:
    """What the dealer does, step by step; what every way of the round shares at its end is said once."""
    return _Procedure(graph).lines


class _Procedure:
    """The lines, as they are found on a walk through the graph."""

    def __init__(self, graph: Graph) -> None:
        self.names = graph.names
        shared = self._shared(list(graph.ends()))
        self.lines: list[Line] = [(0, "See that every bet lies in its circle and within its limits.")]
        self._walk(graph.root, 0, set(shared))
        if shared:
            self.lines.append((0, "In every case, then:"))
            self.lines += [(1, words) for words in shared.values()]
        self.lines.append((0, "Collect the cards into the discard rack; shuffle once the cut card has shown."))

    def _shared(self, ends: Sequence[End]) -> dict[str, str]:
        """What every way of the round says at its end, by wager: told once. A bet that is settled before the ways part
        is told where that happens."""
        told = [{e.wager: self._settle(end, [e]) for e in end.events if isinstance(e, Settle)} for end in ends]
        first, others = told[0], told[1:]
        return {w: words for w, words in first.items() if others and all(o.get(w) == words for o in others)}

    def _walk(self, point: Node, depth: int, shared: set[str]) -> None:
        shared = shared | _declined(point)
        for event in point.events:
            text = _event_words(event)
            if text:
                self.lines.append((depth, text))
            if isinstance(event, Settle) and event.wager not in shared:
                told = [s for s in point.events if isinstance(s, Settle) and s.wager not in shared]
                alike = [s for s in told if _alike(s, event)]
                if alike[0] is event:  # wagers that come out alike are told in one line
                    self.lines.append((depth, self._settle(point, alike)))
        if isinstance(point, Decide):
            self.lines.append((depth, f"Each player chooses: {listed(point.choices, 'or')}."))
            for choice, kid in zip(point.choices, point.kids, strict=True):
                self._below(f"{choice}:", kid, depth + 1, shared)
        elif isinstance(point, Mark | Jump):
            mark = point.target
            if any(text == f"({mark.name})" for _, text in self.lines):
                self.lines.append((depth, f"Go on at ({mark.name})."))
            else:
                self.lines.append((depth, f"({mark.name})"))
                self._walk(mark.kids[0], depth, shared)
        elif isinstance(point, When):
            words = self._condition(point)
            happens = self._below(f"If {words}:", point.kids[0], depth, shared, idle=False)
            self._below("Otherwise:" if happens else f"Unless {words}:", point.kids[1], depth, shared, idle=False)

    def _below(self, head: str, point: Node, depth: int, shared: set[str], idle: bool = True) -> bool:
        """A heading and what stands under it, not the same long part twice; a heading over nothing only if `idle`. Says
        whether something stands there."""
        before = list(self.lines)
        self.lines.append((depth, head))
        self._walk(point, depth + 1, shared)
        told = [(d - depth, text) for d, text in self.lines[len(before) + 1 :]]
        if not told and not idle:
            self.lines = before
        for at in range(len(before) - len(told) + 1):
            if len(told) > 3 and [(d - before[at][0] + told[0][0], t) for d, t in before[at : at + len(told)]] == told:
                self.lines = [*before, (depth, head), (depth + 1, "As above.")]
                break
        return bool(told)

    def _condition(self, point: When) -> str:
        """The words of the game file, or else what the condition looks at."""
        if point.words:
            return point.words
        try:
            return Wording(point.groups, self.names).condition(point.condition)
        except Unsaid:
            return "the cards say so"

    def _settle(self, point: Node, settled: Sequence[Settle]) -> str:
        because, several = settled[0].because, len(settled) > 1
        why = f"{because[:1].upper()}{because[1:]}: " if because else ""
        rows = settled[0].rows
        if all(s.bonus for s in settled):
            rows = Rows(tuple("nothing" if name == "lose" else name for name in rows.names), rows.index)
        try:
            how = _Outcome(Wording(point.groups, self.names), "" if several else "s").words(rows.index, rows.names)
        except Unsaid:
            few = len(rows.names) < 6
            rest = listed(rows.names, "or") if few else "by the first row of its pay table that fits, or lose"
            how = f"{'are' if several else 'is'} settled: {rest}"
        return f"{why}{listed(s.wager for s in settled)} {how}."


def _declined(point: Node) -> set[str]:
    """Wagers that the player could have placed on this way and did not: nothing is settled for them."""
    nodes = [*(step.node for step in point.path), point]
    return {e.wager for node in nodes for e in node.events if isinstance(e, Bet) and not e.times}


def _event_words(event: Event) -> str:
    if isinstance(event, Deal):
        count = len(event.slots)
        to = "each player" if event.who == PLAYER else f"the {event.who}"
        return f"Deal {count} card{'s' * (count > 1)} face {'up' if event.face == UP else 'down'} to {to}."
    if isinstance(event, Burn):
        return f"Burn {event.count} card{'s' * (event.count > 1)}."
    if isinstance(event, Reveal):
        return f"Turn up the {event.who}'s card{'s' * (len(event.slots) > 1)}."
    if isinstance(event, Split):
        return f"Move the second card of hand {event.hand} aside: it begins hand {event.to}."
    if isinstance(event, Bet):
        if not event.times:
            return ""
        times = "equal to" if event.times == 1 else "half" if event.times == HALF else f"at {event.times} times"
        if event.free:
            return f"Place a marker for the {event.wager}, {times} the wager that it goes with: the house stakes it."
        return f"The player places the {event.wager} bet, {times} the wager that it goes with."
    return ""


def _alike(a: Settle, b: Settle) -> bool:
    alike = a.because == b.because and a.rows.names == b.rows.names and a.rows.index is b.rows.index
    return alike and a.bonus == b.bonus


class _Outcome:
    """How a wager comes out, in words; `s` is the ending of its verbs."""

    def __init__(self, wording: Wording, s: str) -> None:
        self.wording, self.s = wording, s
        self.verbs = {"win": f"win{s}", "push": f"push{'es' if s else ''}", "lose": f"lose{s}"}

    def words(self, index: Column, names: Sequence[str]) -> str:
        say = self.wording
        if any(c.op in ("register", "within") for c in walk([index], known=say.names)):
            raise Unsaid  # what a mark has kept is not told by cards
        say.spend()
        if index.op == "const":
            name = names[index.args[0]]
            known = {**self.verbs, "nothing": f"pay{self.s} nothing"}
            return known.get(name, f"settle{self.s} as {name}")
        if index.op == "lookup" and index.uid not in say.names:  # the same results under other numbers
            values, inner = index.args
            return self.words(inner, [*[""] * inner.lo, *(names[v] for v in values)])
        if index.op == "compare" and {*names[:3]} == {*self.verbs}:
            a, b = (say.number(x) for x in index.args)
            lower, equal, higher = (self.verbs[name] for name in names[:3])
            return f"{higher} if {a} is higher than {b}, {equal} if equal, {lower} if lower"
        *rows, rest = _first_match(index)
        if len(rows) > MOST_ROWS:
            raise Unsaid
        if len(rows) > 2:
            fits = ", ".join(names[i] for i in rows)
            return f"settle{self.s} by the first row that fits: {fits}; otherwise {names[rest]}"
        if index.op == "where":
            return self._either(index, names)
        if index.op != "add" or floors(index) is None:
            raise Unsaid
        reached = ", ".join(names[index.hi : 0 : -1])
        return f"settle{self.s} by the best row that is reached: {reached}; otherwise {names[0]}"

    def _either(self, index: Column, names: Sequence[str]) -> str:
        """The shorter way first, so that each `if` stands beside what it is of."""
        test = self.wording.condition(index.args[0])
        yes, no = (self.words(way, names) for way in index.args[1:])
        if ";" not in yes and " if " not in yes:
            return f"{yes} if {test}; otherwise {no}"
        if ";" not in no and " if " not in no:
            return f"{no} unless {test}; if so, {yes}"
        return f"come{self.s} out so: if {test}, {yes}; if not, {no}"


def _first_match(index: Column) -> list[int]:
    """The rows of a first_match(), in order, and the one that is left; [-1] for anything else."""
    rows = []
    while index.op == "where" and index.args[1].op == "const":
        rows.append(index.args[1].args[0])
        index = index.args[2]
    return [*rows, index.args[0]] if index.op == "const" else [-1]
