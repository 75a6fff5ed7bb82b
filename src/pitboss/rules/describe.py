"""The graph in words: the dealer's procedure, in order, read off the game itself so that it cannot drift from it."""

from collections.abc import Sequence
from fractions import Fraction

from pitboss.cards import RANK_NAMES
from pitboss.hands.categories import CATEGORIES
from pitboss.rules.column import Column
from pitboss.rules.evaluate import evaluate
from pitboss.rules.graph import (
    PLAYER,
    UP,
    Bet,
    Burn,
    Deal,
    Decide,
    Event,
    Graph,
    Group,
    Jump,
    Mark,
    Node,
    Reveal,
    Settle,
    Split,
    When,
)
from pitboss.rules.results import Rows

Line = tuple[int, str]
"""Depth of indentation, text."""

HALF = Fraction(1, 2)
DEEP = 12  # steps of a running value: more cannot be said in a sentence
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


def procedure(graph: Graph) -> list[Line]:
    """What the dealer does, step by step; what every way of the round shares at its end is said once."""
    shared = _shared_settlements(graph)
    lines: list[Line] = [(0, "See that every bet lies in its circle and within its limits.")]
    _walk(graph.root, 0, shared, lines)
    ends = list(graph.ends())
    if shared and len(ends) > 1:
        lines.append((0, "In every case, then:"))
        for settle in ends[0].settled:
            if settle.wager in shared:
                lines.append((1, _settle_words([settle], ends[0].groups)))
    lines.append((0, "Collect the cards into the discard rack; shuffle once the cut card has shown."))
    return lines


def _shared_settlements(graph: Graph) -> set[str]:
    """Wagers that every end settles alike."""
    ends = list(graph.ends())
    first = {s.wager: (s.rows.index.uid, s.rows.names, s.because) for s in ends[0].settled}
    for end in ends[1:]:
        here = {s.wager: (s.rows.index.uid, s.rows.names, s.because) for s in end.settled}
        first = {w: key for w, key in first.items() if here.get(w) == key}
    return set(first) if len(ends) > 1 else set()


def _declined(point: Node) -> set[str]:
    """Wagers that the player could have placed on this way and did not: nothing is settled for them."""
    nodes = [*(step.node for step in point.path), point]
    return {e.wager for node in nodes for e in node.events if isinstance(e, Bet) and not e.times}


def _walk(point: Node, depth: int, shared: set[str], lines: list[Line]) -> None:
    shared = shared | _declined(point)
    for event in point.events:
        text = _event_words(event, point.groups)
        if text:
            lines.append((depth, text))
        if isinstance(event, Settle) and event.wager not in shared:
            alike = [s for s in point.events if isinstance(s, Settle) and _alike(s, event)]
            if alike[0] is event:  # wagers that come out alike are told in one line
                lines.append((depth, _settle_words([s for s in alike if s.wager not in shared], point.groups)))
    if isinstance(point, Decide):
        lines.append((depth, f"Each player chooses: {_list(point.choices)}."))
        for choice, kid in zip(point.choices, point.kids, strict=True):
            _below(f"{choice}:", kid, depth + 1, shared, lines)
    elif isinstance(point, Mark | Jump):
        mark = point.target
        if any(text == f"({mark.name})" for _, text in lines):
            lines.append((depth, f"Go on at ({mark.name})."))
        else:
            lines.append((depth, f"({mark.name})"))
            _walk(mark.kids[0], depth, shared, lines)
    elif isinstance(point, When):
        _below(
            f"If {point.words or condition_words(point.condition, point.groups)}:", point.kids[0], depth, shared, lines
        )
        _below("Otherwise:", point.kids[1], depth, shared, lines)


def _below(head: str, point: Node, depth: int, shared: set[str], lines: list[Line]) -> None:
    """A heading and what stands under it; nothing where nothing does, and not the same long part twice."""
    mine: list[Line] = [*lines, (depth, head)]
    start = len(mine)
    _walk(point, depth + 1, shared, mine)
    told = [(d - depth, text) for d, text in mine[start:]]
    if not told and head == "Otherwise:":
        return
    before = [(d, text) for d, text in lines]
    for at in range(len(before) - len(told) + 1):
        if len(told) > 3 and [(d - before[at][0] + told[0][0], t) for d, t in before[at : at + len(told)]] == told:
            lines += [(depth, head), (depth + 1, "As above.")]
            return
    lines[:] = mine


def _event_words(event: Event, groups: Sequence[Group]) -> str:
    if isinstance(event, Deal):
        count = len(event.slots)
        to = {"player": "each player", "dealer": "the dealer", "board": "the board"}[event.who]
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


def _settle_words(settled: Sequence[Settle], groups: Sequence[Group]) -> str:
    because = settled[0].because
    why = f"{because[:1].upper()}{because[1:]}: " if because else ""
    names, rows = " and ".join(s.wager for s in settled), settled[0].rows
    if all(s.bonus for s in settled):
        rows = Rows(tuple("nothing" if name == "lose" else name for name in rows.names), rows.index)
    return f"{why}{names} {result_words(rows, groups, several=len(settled) > 1)}."


def result_words(rows: Rows, groups: Sequence[Group], several: bool = False) -> str:
    """How a wager comes out, in words."""
    if rows.index.ops & {"register", "within"} or rows.index.depth > DEEP:
        how = _list(rows.names) if len(rows.names) < 6 else "by the first row of its pay table that fits, or lose"
        return f"{'are' if several else 'is'} settled: {how}"
    return _outcome_words(rows.index, rows.names, groups, "" if several else "s")


def _outcome_words(index: Column, names: Sequence[str], groups: Sequence[Group], s: str) -> str:
    verbs = {"win": f"win{s}", "push": f"push{'es' if s else ''}", "lose": f"lose{s}"}
    known = {**verbs, "nothing": f"pay{s} nothing"}
    if index.op == "const":
        name = names[index.args[0]]
        return known.get(name, f"settle{s} as {name}")
    if index.op == "lookup":  # the same results under other numbers
        values, inner = index.args
        return _outcome_words(inner, [names[v] for v in values], groups, s)
    if index.op == "compare" and set(names) == set(verbs):
        a, b = (_words(x, groups) for x in index.args)
        lower, equal, higher = (verbs[name] for name in names)
        return f"{higher} if {a} is higher than {b}, {equal} if equal, {lower} if lower"
    chain = _first_match(index)
    if len(chain) > 2:
        return f"settle{s} by the first row that fits: {', '.join(names[i] for i in chain)}; otherwise {names[-1]}"
    if index.op == "where":
        test = condition_words(index.args[0], groups)
        yes, no = (_outcome_words(x, names, groups, s) for x in index.args[1:])
        return f"{yes} if {test}; otherwise {no}"
    best_first = ", ".join(names[:0:-1])
    return f"settle{s} by the best row that is reached: {best_first}; otherwise {names[0]}"


def _first_match(index: Column) -> list[int]:
    """The rows of a first_match(), in order; empty for anything else."""
    rows = []
    while index.op == "where" and index.args[1].op == "const":
        rows.append(index.args[1].args[0])
        index = index.args[2]
    return rows if index.op == "const" else []


def condition_words(condition: Column, groups: Sequence[Group]) -> str:
    """A condition in words; one that looks at the rank of a single card lists the ranks."""
    if len(condition.slots) == 1 and min(condition.slots) >= 0 and not condition.ops & {"suit", "carried"}:
        slot = next(iter(condition.slots))
        ranks = [r for r in range(13) if evaluate(condition, {slot: 4 * r}, {})]
        return f"{_card_words(slot, groups)} is {_ranges(ranks)}"
    return "the cards say so" if condition.depth > DEEP else _words(condition, groups)


def _ranges(ranks: list[int]) -> str:
    """[0, 1, 7, 8, 9] -> '2, 3 or 9 to jack'."""
    runs: list[list[int]] = []
    for r in ranks:
        if runs and runs[-1][-1] == r - 1:
            runs[-1].append(r)
        else:
            runs.append([r])
    parts: list[str] = []
    for run in runs:
        named = [RANK_NAMES[r] for r in run]
        parts.extend(named if len(run) < 3 else [f"{named[0]} to {named[-1]}"])
    return _list(parts) or "no card at all"


def _list(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _card_words(slot: int, groups: Sequence[Group]) -> str:
    mine = next(g for g in groups if slot in g.slots)
    all_of = [s for g in groups if g.who == mine.who for s in g.slots]
    owner = "the player's" if mine.who == PLAYER else f"the {mine.who}'s"
    place = all_of.index(slot)
    which = "" if len(all_of) == 1 else f"{_ORDINALS[place] if place < 7 else f'{place + 1}th'} "
    return f"{owner} {which}card"


def _hand_words(col: Column, groups: Sequence[Group]) -> str:
    """`the player's 5 and the board's 2 cards`."""
    slots = {c.args[0] for c in col.args}
    counts = {g.who: 0 for g in groups if slots & set(g.slots)}
    for g in groups:
        if g.who in counts:
            counts[g.who] += len(slots & set(g.slots))
    named = " and ".join(f"the {who}'s {n}" for who, n in counts.items())
    return f"{named} cards"


_BETWEEN = {"lt": "is lower than", "eq": "equals", "ne": "differs from", "add": "plus", "sub": "minus", "mul": "times"}
_BETWEEN |= {"and": "and", "or": "or"}
_NOT = {"lt": "is not lower than", "eq": "differs from", "ne": "equals"}


def _words(col: Column, groups: Sequence[Group]) -> str:
    op, args = col.op, col.args
    if op == "const":
        return str(args[0])
    if op == "card":
        return _card_words(args[0], groups)
    if op == "rank":
        return _words(args[0], groups)
    if op == "suit":
        return f"the suit of {_words(args[0], groups)}"
    if op == "within":
        return _words(args[0], groups)
    if op == "carried":
        return f"the carried {args[0]}"
    if op == "strength":
        return _hand_words(col, groups)
    if op == "royals":
        return f"the royal run of {_hand_words(col, groups)}"
    if op == "lt" and args[0].op == "strength" and args[1].op == "const" and len(args[0].args) >= 5:
        named = {floor: name for name, floor in CATEGORIES}.get(args[1].args[0])
        if named:
            return f"{_words(args[0], groups)} is less than a {named}"
    if op in ("eq", "ne"):
        args = tuple(sorted(args, key=lambda a: a.op == "const"))
        if args[0].op == "compare" and op == "eq":
            a, b = (_words(x, groups) for x in args[0].args)
            return f"{a} {('is lower than', 'equals', 'is higher than')[args[1].args[0]]} {b}"
    if op == "not" and args[0].op in _NOT:
        return f" {_NOT[args[0].op]} ".join(_words(a, groups) for a in args[0].args)
    if op == "not":
        return f"not ({_words(args[0], groups)})"
    if op in _BETWEEN:
        return f" {_BETWEEN[op]} ".join(_words(a, groups) for a in args)
    if op in ("max", "min"):
        return f"the {'highest' if op == 'max' else 'lowest'} of {_list([_words(a, groups) for a in args])}"
    return f"{op} of {_list([_words(a, groups) for a in args if isinstance(a, Column)])}"
