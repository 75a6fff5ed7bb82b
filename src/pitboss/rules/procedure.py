"""The dealer's procedure, made from the graph: what happens at a table with every seat taken, in the true order.

The graph tells of one seat. At a table whatever is dealt to the house, burnt, turned or said to all happens once, when
every seat that has something to decide has done so. So the walk goes on at all fronts at once: first what the seats do
by themselves, then what all of them wait for, as `live` does it; a test holds the two against each other.
"""

import sys

from pitboss.rules.graph import (
    PLAYER,
    Bet,
    Burn,
    Deal,
    Decide,
    End,
    Event,
    Jump,
    Mark,
    Node,
    Reveal,
    Say,
    Settle,
    When,
)
from pitboss.rules.house import House
from pitboss.rules.sayings import Sayings
from pitboss.rules.spoken import spoken
from pitboss.rules.steps import Procedure
from pitboss.rules.told import TABLE, Front, Told, label, split_tail, together, who_chose
from pitboss.rules.whose import of_a_player, players_registers

Fronts = list[Front]
DEEP = 20_000  # calls inside each other: a round may ask hundreds of questions, one after the other


def procedure(house: House) -> Procedure:
    """What the dealer does, step by step, in sections."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEEP))
    try:
        walk = _Walk(house)
        return walk.say.sections(walk.table([Front(walk.graph.root)]), walk.blocks)
    finally:
        sys.setrecursionlimit(before)


def _once(event: Event) -> bool:
    """Whether something happens once for all seats, which wait for it."""
    if isinstance(event, Say):
        return not event.each
    return isinstance(event, Burn) or (isinstance(event, Deal | Reveal) and event.who != PLAYER)


class _Walk:
    """A walk through the graph with all seats at once."""

    def __init__(self, house: House) -> None:
        self.graph = spoken(house)
        self.say = Sayings(house, self.graph)
        self.during = [w.name for w in house.wagers if w.during]
        self.blocks: dict[str, list[Told]] = {}
        self.open: list[object] = []  # questions of the dealer that he may come to again
        self.theirs = players_registers(self.graph)
        self._asks: dict[int, bool] = {}

    # ---- what is whose

    def _for_all(self, point: Node) -> bool:
        """Whether a question is the same for every seat, and more than settling comes after it."""
        if not isinstance(point, When) or of_a_player(point.condition, point, self.theirs):
            return False
        return any(self._more(kid) for kid in point.kids)

    def _more(self, point: Node) -> bool:
        """Whether something is dealt, turned or decided from here on."""
        return self._below(point, lambda n: isinstance(n, Decide) or any(map(_once, n.events)), set())

    def _decides(self, point: Node) -> bool:
        if point.id not in self._asks:
            self._asks[point.id] = self._below(point, lambda n: isinstance(n, Decide), set())
        return self._asks[point.id]

    def _below(self, point: Node, found: object, seen: set[int]) -> bool:
        point = point.target if isinstance(point, Jump) else point
        if point.id in seen:
            return False
        seen.add(point.id)
        if found(point):  # type: ignore[operator]
            return True
        return any(self._below(kid, found, seen) for kid in getattr(point, "kids", ()))

    # ---- the whole table

    def table(self, fronts: Fronts) -> list[Told]:
        """All that happens from here on."""
        out: list[Told] = []
        while fronts:
            after: Fronts = []
            out += self._seats(fronts, after)
            fronts = _different(after)
            if not fronts:
                break
            asks = [f for f in fronts if self._waits_for(f) is not None]
            if asks:
                site = asks[0].node.site if isinstance(asks[0].node, When) else None
                mine = [f for f in asks if isinstance(f.node, When) and f.node.site == site]
                more, fronts = self._question(mine, [f for f in fronts if f not in mine])
                out += more
                continue
            told = [f for f in fronts if isinstance(f.node.events[f.at], Say)]  # as at a live table
            first = (told or fronts)[0]
            event = first.node.events[first.at]
            same = [f for f in fronts if self.say.key(f.node.events[f.at]) == self.say.key(event)]
            out.append(self.say.event(event, first.node))
            fronts = [f.but(at=f.at + 1) if f in same else f for f in fronts]
        return out

    def _seats(self, fronts: Fronts, after: Fronts) -> list[Told]:
        """What the seats do until they wait."""
        parts = []
        for front in fronts:
            steps, waiting = self._seat(front)
            parts.append((front, steps))
            after += waiting
        busy = [part for part in parts if part[1]]
        return together(busy if len(busy) < len(parts) else parts, self.during, len(parts) - len(busy))

    def _waits_for(self, front: Front) -> When | None:
        point = front.node
        return point if isinstance(point, When) and front.at >= len(point.events) else None

    def _question(self, mine: Fronts, others: Fronts) -> tuple[list[Told], Fronts]:
        """A question of the dealer to his own cards: if one way has nothing to decide it is told to its end."""
        point = self._waits_for(mine[0])
        assert point is not None
        if point.site in self.open:
            return [Told(("again",), "Look again.")], others
        words = self.say.condition(point)
        yes, no = ([Front(_way(f).kids[w], 0, f.labels, f.placed, f.settled) for f in mine] for w in (0, 1))
        short = [not any(self._decides(f.node) for f in ways) for ways in (yes, no)]
        if others or not any(short):
            return self._side_by_side(words, yes, no, others)
        self.open.append(point.site)
        if all(short):
            first, second = self.table(yes), self.table(no)
            self.open.pop()
            if first and first[-1].does == ("again",):
                return [Told(("if", TABLE), f"If {words}:", tuple(first)), *second], others
            (first, second), tail = split_tail([first, second])
            return [*_either(words, first, second, TABLE), *tail], others
        told = self.table(yes if short[0] else no)
        self.open.pop()
        head = f"If {words}:" if short[0] else f"Unless {words}:"
        over = Told(("over",), "The round is over.")
        return [Told(("if", TABLE), head, (*told, over))], [*others, *(no if short[0] else yes)]

    def _side_by_side(self, words: str, yes: Fronts, no: Fronts, others: Fronts) -> tuple[list[Told], Fronts]:
        after: Fronts = []
        whose = label(yes) if others else ""
        (first, second), tail = split_tail([self._seats(yes, after), self._seats(no, after)])
        told = [*_either(words, first, second, "" if others else TABLE), *tail]
        if whose and told:
            told = [Told(("who", whose), f"{whose}:", tuple(told))]
        return told, [*others, *after]

    # ---- one seat

    def _seat(self, front: Front, turn: bool = False) -> tuple[list[Told], Fronts]:
        """What one seat does until it waits, and where it waits; `turn`: while the dealer stands before it."""
        whose = "the player" if turn else "each player who is still in" if front.labels else "each player"
        out: list[Told] = []
        point = front.node
        for number, event in enumerate(point.events):
            if number < front.at:
                continue
            if _once(event):
                return out, [front.but(at=number)]
            front = self._after(front, event)
            if not (isinstance(event, Bet) and (not event.times or event.wager not in self.during)):
                told = self.say.event(event, point, whose)
                out += [told] if told.text or told.cases else []
        front = front.but(at=len(point.events))
        if isinstance(point, End):
            return out, []
        if isinstance(point, Mark | Jump):
            steps, waiting = self._block(point.target, front)
            return out + steps, waiting
        if self._for_all(point):
            return out, [front]
        steps, waiting = self._choice(point, front) if isinstance(point, Decide) else self._condition(point, front)
        return out + steps, waiting

    def _after(self, front: Front, event: Event) -> Front:
        if isinstance(event, Bet) and event.times:
            return front.but(placed=front.placed | {event.wager})
        if isinstance(event, Settle):
            return front.but(settled=front.settled | {event.wager})
        return front

    def _block(self, mark: Mark, front: Front) -> tuple[list[Told], Fronts]:
        """What a round may come to again is told once, under its name."""
        inner = front.but(node=mark.kids[0], at=0)
        if _waits(mark.kids[0]) or self._for_all(mark.kids[0]):
            return [], [inner]
        told = Told(("block", mark.name))
        if mark.name in self.blocks:
            return [told], []
        self.blocks[mark.name] = []
        steps, waiting = self._seat(inner, True)
        self.blocks[mark.name] = steps
        return [told], waiting

    def _choice(self, point: Decide, front: Front, only: dict[str, str] | None = None) -> tuple[list[Told], Fronts]:
        ways, waiting = [], list[Front]()
        for choice, kid in zip(point.choices, point.kids, strict=True):
            steps, after = self._seat(front.but(node=kid, at=0, labels=(*front.labels, who_chose(choice))), True)
            ways.append(steps)
            waiting += after
        ways, tail = split_tail(ways)
        kids = [self.say.choice(c, steps) for c, steps in zip(point.choices, ways, strict=True)]
        return [self.say.decision(point, only or {}, kids), *tail], waiting

    def _condition(self, point: Node, front: Front) -> tuple[list[Told], Fronts]:
        assert isinstance(point, When)
        if (offered := _offered(point, self.say.condition)) is not None:
            return self._choice(*offered[:1], front.but(node=offered[0]), offered[1])
        words = self.say.condition(point)
        yes, no = (front.but(node=kid, at=0) for kid in point.kids)
        if (wager := self.say.wager_of(point)) is not None:
            yes, no = (
                f.but(labels=(*f.labels, who))
                for f, who in zip((yes, no), self.say.with_or_without(wager), strict=True)
            )
            no = no.but(settled=no.settled | self.say.going_with(wager))
        else:
            yes = yes.but(labels=(*yes.labels, words))
        (first, after), (second, rest) = self._seat(yes, True), self._seat(no, True)
        (first, second), tail = split_tail([first, second])
        return [*_either(words, first, second), *tail], [*after, *rest]


def _way(front: Front) -> When:
    assert isinstance(front.node, When)
    return front.node


def _waits(point: Node) -> bool:
    return bool(point.events) and _once(point.events[0])


def _different(fronts: Fronts) -> Fronts:
    """One front for each point and each state of its wagers."""
    return list({(f.node.id, f.at, f.placed, f.settled): f for f in reversed(fronts)}.values())[::-1]


def _either(words: str, yes: list[Told], no: list[Told], whose: str = "") -> list[Told]:
    if not yes and not no:
        return []
    if not yes:
        return [Told(("if", whose), f"Unless {words}:", tuple(no))]
    told = [Told(("if", whose), f"If {words}:", tuple(yes))]
    return [*told, Told(("otherwise", whose), "Otherwise:", tuple(no))] if no else told


def _offered(point: When, words: object) -> tuple[Decide, dict[str, str]] | None:
    """Where conditions do nothing but say what may be chosen: the decision with every choice, and when each is open."""
    leaves: list[tuple[tuple[str, ...], Decide]] = []

    def collect(here: Node, on: tuple[str, ...]) -> bool:
        if here is not point and here.events:
            return False
        if isinstance(here, Decide):
            leaves.append((on, here))
            return True
        if not isinstance(here, When):
            return False
        said = words(here)  # type: ignore[operator]
        return collect(here.kids[0], (*on, said)) and collect(here.kids[1], on)

    if not collect(point, ()) or len({leaf.site for _, leaf in leaves}) > 1:
        return None
    full = max((leaf for _, leaf in leaves), key=lambda leaf: len(leaf.choices))
    if any(not {*leaf.choices} <= {*full.choices} for _, leaf in leaves):
        return None
    only: dict[str, str] = {}
    for choice in full.choices:
        open_at = [set(on) for on, leaf in leaves if choice in leaf.choices]
        if len(open_at) < len(leaves):
            only[choice] = " and ".join(sorted(set.intersection(*open_at)))
    return full, only
