"""What must be known of the graph of a drawing game before it is walked: whose cards flow where.

Which hand of a split a wager belongs to is read from the cards that settle it, never from its name. What a hand may do
and what it is paid must not look at the cards of another hand; where it does, the game is refused with a sentence. A
condition may look at all hands once nothing more is dealt to the player and nothing is left to decide, such as whether
the dealer still has to draw: what follows from that is tried out by `pitboss.exact.drawn_hands`.
"""

from collections.abc import Iterator

from pitboss.exact.drawn_cards import First, Kinds, at_line, first_cards
from pitboss.exact.plan import TooLarge
from pitboss.rules.column import Column
from pitboss.rules.graph import (
    DEALER,
    PLAYER,
    Bet,
    Deal,
    Decide,
    End,
    Graph,
    Jump,
    Mark,
    Node,
    Reveal,
    Settle,
    Split,
    When,
)
from pitboss.rules.house import House

Hands = frozenset[int]
NOBODY = 0  # instead of the number of a hand: the dealer's turn


class Sight:
    """What the walk must know of a graph beforehand.

    `first`: the cards that are dealt before anything happens. `opens`: nodes of the opening, behind which somebody may
    still look at a hidden card before it is shown. `forks`: choices before the play that a split must know of. `own`:
    by hand, its wagers. `before`: wagers that are settled when the play begins. `live`: registers that something looks
    at again. `matters`: by hand, those that matter to it. `alone`: by hand, those of them that no other hand's cards
    have gone into. `hidden`: registers that depend on a hidden card. `needs`: by node, slots of cards and registers
    that something looks at from there on. `kinds`: cards that nothing tells apart."""

    def __init__(self, house: House, graph: Graph, lead: str) -> None:
        self.graph, self.lead = graph, lead
        self.party = frozenset(w.name for w in house.parties[lead])
        self.first: First = first_cards(graph)
        self.opening = self.first.slots
        if not any(graph.marks()):
            raise TooLarge("no hand of this game can have any number of cards, so there is nothing to draw")
        self.hidden = self._hidden()
        self.opens = self._opens()
        self.forks = self._forks()
        self.opens |= self.forks
        self.before = self._settled_before()
        self.turn = self._turns()
        self.taint = self._taints()
        self.own = self._owners()
        self._check_play()
        every = frozenset().union(*self.own.values())
        self.live = self._live(every, None)
        self.matters = {hand: self._live(own, hand) for hand, own in self.own.items()}
        self.alone = {
            h: frozenset(s for s in m if self.taint.get(s, Hands()) <= {h, -h}) for h, m in self.matters.items()
        }
        self.needs = self._needs(every)
        self.kinds = self._kinds(every)
        self.ranges = {next(iter(r.slots)): (r.lo, r.hi) for m in graph.marks() for r in m.registers}

    def _opens(self) -> frozenset[int]:
        """Nodes of the opening: a condition on a hidden card, and all that may come before one."""
        looks = {n.id for n in self.graph.nodes if isinstance(n, When) and n.condition.slots & self.hidden}
        found: set[int] = set()
        size = -1
        while len(found) != size:
            size = len(found)
            for node in self.graph.nodes:
                if not any(isinstance(e, Reveal) and e.who == DEALER for e in node.events) and (
                    node.id in looks
                    or (not isinstance(node, Mark | Jump) and any(k.id in found for k in kids_of(node)))
                ):
                    found.add(node.id)
        return frozenset(found)

    def _forks(self) -> frozenset[int]:
        """Choices before the play, several answers to which lead to hands that may be split: insurance that lies until
        the dealer has drawn."""
        found: set[int] = set()
        todo = [self.graph.root]
        while todo:
            node = todo.pop()
            if node is self.graph.root or not any(isinstance(e, Deal | Split) for e in node.events):
                if isinstance(node, Decide) and sum(self._leads(kid, Split) for kid in node.kids) > 1:
                    found.add(node.id)
                if not isinstance(node, Mark | Jump):
                    todo += kids_of(node)
        size = -1
        while len(found) != size:  # and what comes before such a choice
            size = len(found)
            found |= {
                n.id
                for n in self.graph.nodes
                if not isinstance(n, Mark | Jump) and any(k.id in found for k in kids_of(n))
            }
        return frozenset(found)

    def _leads(self, node: Node, what: type) -> bool:
        """Whether there may be such an event at this node or behind it."""
        seen: set[int] = set()
        todo = [node]
        while todo:
            kid = todo.pop()
            if kid.id not in seen:
                seen.add(kid.id)
                if any(isinstance(e, what) for e in kid.events):
                    return True
                todo += kids_of(kid)
        return False

    def _settled_before(self) -> frozenset[str]:
        """Wagers that are settled whenever the play begins, such as insurance."""
        out: frozenset[str] | None = None
        todo: list[tuple[Node, frozenset[str]]] = [(self.graph.root, frozenset())]
        while todo:
            node, settled = todo.pop()
            root = node is self.graph.root
            for event in node.events:
                if isinstance(event, Settle):
                    settled |= {event.wager}
                elif isinstance(event, Deal | Split) and not root:
                    break
            if node.id in self.opens:
                todo += [(kid, settled) for kid in kids_of(node)]
            elif not isinstance(node, End):
                out = settled if out is None else out & settled
        return (out or frozenset()) & self.party - {self.lead}

    # ---- hands

    def _turns(self) -> dict[int, Hands]:
        """Whose turn it is at the end of each node: the hands that may have got the last card; nobody's when the dealer
        has shown his."""
        turn: dict[int, set[int]] = {n.id: set() for n in self.graph.nodes}
        todo: list[tuple[Node, int]] = [(self.graph.root, 1)]
        while todo:
            node, hand = todo.pop()
            for event in node.events if node is not self.graph.root else ():
                if isinstance(event, Deal):
                    hand = event.hand if event.who == PLAYER else NOBODY
                elif isinstance(event, Reveal) and event.who == DEALER:
                    hand = NOBODY
            if hand not in turn[node.id]:
                turn[node.id].add(hand)
                if not isinstance(node, Decide) and not self._goes_on(node):
                    turn[node.id].add(NOBODY)  # a dealer without a hidden card shows nothing
                todo += [(kid, hand) for kid in kids_of(node)]
        return {n: Hands(hands) for n, hands in turn.items()}

    def _taints(self) -> dict[int, Hands]:
        """By register: the hands whose cards have gone into it, but for the first two cards of the round. A second card
        of a hand of a split has the hand's number with a minus: it may be split off, and is then the new hand's."""
        taint: dict[int, Hands] = {}
        self.taint = taint
        moved = {n.id: self._moved(n) for n in self.graph.nodes if isinstance(n, Mark | Jump)}
        changed = True
        while changed:
            changed = False
            for node in self.graph.nodes:
                if isinstance(node, Mark | Jump):
                    dealt, to = moved[node.id]
                    for slot, value in zip(node.target.slots, node.values, strict=True):
                        found = Hands(dealt[s] for s in value.slots if s in dealt)
                        found |= {to.get(h, h) for s in value.slots if s < 0 for h in taint.get(s, Hands())}
                        found |= taint.get(slot, Hands())
                        changed = changed or found != taint.get(slot, Hands())
                        taint[slot] = found
        return taint

    def _moved(self, node: Node) -> tuple[dict[int, int], dict[int, int]]:
        """Since the last mark: whose each card of the player's is that was dealt, and to whom the second cards of hands
        have gone that were split again."""
        last = max((i for i, step in enumerate(node.path) if isinstance(step.node, Mark)), default=-1)
        steps = [step.node for step in node.path[last + 1 :]]
        turn = self.turn[node.path[last].node.id] if last >= 0 else Hands({1})
        dealt: dict[int, int] = {}
        to: dict[int, int] = {}
        for event in (e for n in (*steps, node) for e in n.events):
            if isinstance(event, Split):
                to[-event.hand] = event.to
                dealt = {s: event.to if h == -event.hand else h for s, h in dealt.items()}
                turn -= {event.hand}
            elif isinstance(event, Deal) and event.who == PLAYER:
                mine = event.hand if event.hand in turn else -event.hand
                dealt |= {s: mine for s in event.slots if s not in self.opening}
                turn = Hands({event.hand})
        return dealt, to

    def hands_in(self, col: Column, node: Node) -> Hands:
        """The hands whose cards a column at this node looks at, but for the first two of the round."""
        if not col.slots:
            return Hands()
        dealt, to = self._moved(node)
        kept = {to.get(h, h) for s in col.slots if s < 0 for h in self.taint.get(s, Hands())}
        return Hands(abs(h) for h in (*kept, *(dealt[s] for s in col.slots if s in dealt)))

    def _owners(self) -> dict[int, frozenset[str]]:
        """Hand -> its wagers: those that its cards settle, or else those that are bet while it is played."""
        owner: dict[str, set[int]] = {w: set() for w in self.party - self.before}
        for end in self.graph.ends():
            for settle in end.settled:
                if settle.wager in owner:
                    owner[settle.wager] |= self.hands_in(settle.rows.index, end)
        for wager, hands in owner.items():
            if not hands:
                hands |= {1} if wager == self.lead else set(self._bettors(wager))
            if len(hands) > 1:
                raise TooLarge(
                    f"{wager} goes by the cards of hands {' and '.join(map(str, sorted(hands)))} of a split together"
                )
        most = max([1, *(e.to for n in self.graph.nodes for e in n.events if isinstance(e, Split))])
        return {h: frozenset(w for w, hands in owner.items() if hands == {h}) for h in range(1, most + 1)}

    def _bettors(self, wager: str) -> Iterator[int]:
        for node in self.graph.nodes:
            made = 0
            for event in node.events:
                if isinstance(event, Split):
                    made = event.to
                elif isinstance(event, Bet) and event.wager == wager:
                    yield from [made] if made else self.turn[node.id] - {NOBODY} or {1}

    def _check_play(self) -> None:
        """While hands are played, what happens goes by the cards of the hand whose turn it is, and the first two."""
        for node in self.graph.nodes:
            looks: list[Column] = []
            if isinstance(node, Decide):
                looks = [col for _, col in node.by]
            elif isinstance(node, When) and self._goes_on(node):
                looks = [node.condition]
            for hand in self.turn[node.id]:
                if any(not self.hands_in(col, node) <= {hand} for col in looks):
                    raise TooLarge(at_line(node, "what one hand of a split may do depends on the cards of another"))

    def _goes_on(self, node: Node) -> bool:
        """Whether there may be another card or choice for the player behind this node."""
        seen: set[int] = set()
        todo = list(kids_of(node))
        while todo:
            kid = todo.pop()
            if kid.id not in seen:
                seen.add(kid.id)
                if isinstance(kid, Decide) or any(isinstance(e, Deal) and e.who == PLAYER for e in kid.events):
                    return True
                todo += kids_of(kid)
        return False

    # ---- registers

    def _live(self, own: frozenset[str], hand: int | None) -> frozenset[int]:
        """Registers that decide something, or go into one that does."""
        into: dict[int, set[int]] = {}
        live: set[int] = set()
        todo: list[int] = []
        for node in self.graph.nodes:
            if isinstance(node, Mark | Jump):
                if hand is None or not splits(node):
                    for slot, value in zip(node.target.slots, node.values, strict=True):
                        into.setdefault(slot, set()).update(s for s in value.slots if s < 0)
            else:
                todo += [s for c in self._looks(node, live, own, hand) for s in c.slots if s < 0]
        while todo:
            slot = todo.pop()
            if slot not in live:
                live.add(slot)
                todo += into.get(slot, ())
        return frozenset(live)

    def _looks(
        self, node: Node, live: "set[int] | frozenset[int]", own: frozenset[str], hand: int | None
    ) -> Iterator[Column]:
        """The columns that decide how a round goes on and what a hand is paid: any hand, or this one, up to where it is
        split again."""
        there = hand is None or bool(self.turn[node.id] & {hand, NOBODY})
        if hand is not None and splits(node):
            return
        if isinstance(node, When):
            yield from [node.condition] if there else ()
        elif isinstance(node, Decide):
            yield from (c for _, c in node.by if there)
        elif isinstance(node, Mark | Jump):
            for slot, value in zip(node.target.slots, node.values, strict=True):
                if slot in live:
                    yield value
        elif isinstance(node, End):
            yield from (s.rows.index for s in node.settled if s.wager in own)
            yield from (index for name, (_, index) in node.staked.items() if name in own)

    def _hidden(self) -> frozenset[int]:
        dark = set(self.first.dark)
        while dark:
            more = set(dark)
            for node in self.graph.nodes:
                if isinstance(node, Mark | Jump):
                    more |= {s for s, v in zip(node.target.slots, node.values, strict=True) if v.slots & dark}
            if more == dark:
                break
            dark = more
        return frozenset(dark)

    def _needs(self, own: frozenset[str]) -> dict[int, frozenset[int]]:
        needs: dict[int, frozenset[int]] = {n.id: frozenset() for n in self.graph.nodes}
        changed = True
        while changed:
            changed = False
            for node in reversed(self.graph.nodes):
                if isinstance(node, Mark | Jump):
                    after = needs[node.target.kids[0].id]
                    kept = zip(node.target.slots, node.values, strict=True)
                    found = frozenset(s for slot, value in kept if slot in after for s in value.slots)
                    if isinstance(node, Mark):
                        found |= after  # of a way that goes on from the mark itself
                else:
                    looks = (c.slots for c in self._looks(node, self.live, own, None))
                    found = frozenset().union(*looks, *(needs[kid.id] for kid in kids_of(node)))
                if not found <= needs[node.id]:
                    needs[node.id], changed = needs[node.id] | found, True
        return needs

    def _kinds(self, own: frozenset[str]) -> Kinds:
        columns = [(node, c) for node in self.graph.nodes for c in self._looks(node, self.live, own, None)]
        if self.graph.carried or any(self.party & end.shares.keys() for end in self.graph.ends()):
            raise TooLarge("something is carried over to the next round, or shared")
        return Kinds(self.graph, columns)


def kids_of(node: Node) -> list[Node]:
    """Where a round may go from here. What came before a mark on the first way to it is no part of other ways."""
    kids: list[Node] = node.target.kids if isinstance(node, Jump) else getattr(node, "kids", [])
    return kids


def splits(node: Node) -> bool:
    """Whether going on to this node may split a hand before the next card."""
    for event in node.events:
        if isinstance(event, Split | Deal):
            return isinstance(event, Split)
    return isinstance(node, When) and any(splits(kid) for kid in node.kids)
