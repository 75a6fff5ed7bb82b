"""Which cards are hidden, which are shared, which are the player's, and what is asked of the hidden ones: read off the
graph, the cheapest reading of all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb, prod

from pitboss.cards import Composition, suit_symmetric
from pitboss.exact.symmetry import columns_of, renamed, suits_blind, suits_interchangeable
from pitboss.rules.column import Column, walk
from pitboss.rules.evaluate import evaluate
from pitboss.rules.graph import Decide, End, Graph, Node, When

MOST_CLASSES = 24  # of hidden hands, by what is asked of them besides the comparison
MOST_ATOMS = 7  # deals that are seen at different times
MOST_OWN, MOST_HIDDEN = 7, 7
FOLDED = {0: 24.0, 1: 6.0, 2: 3.0, 3: 1.8}  # cards of the board -> renamings of suits that leave it as it is, about
COMPARES = frozenset({"lt", "eq", "ne", "compare"})
Slots = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Duel:
    """A reading of the graph."""

    graph: Graph
    shoe: Composition
    own: tuple[Slots, ...]  # Q: blocks of cards that nothing tells apart but when they are seen
    board: tuple[Slots, ...]  # B
    hidden: Slots  # H
    feature: Column | None  # of H and B, that is held against ...
    against: Column | None  # ... a column of Q and B
    told: tuple[Column, ...]  # what else is asked of H and B

    @cached_property
    def own_slots(self) -> Slots:
        return tuple(s for block in self.own for s in block)

    @cached_property
    def board_slots(self) -> Slots:
        return tuple(s for block in self.board for s in block)

    @property
    def classes(self) -> int:
        return prod(c.hi - c.lo + 1 for c in self.told)

    @cached_property
    def cards(self) -> int:
        return sum(self.shoe)

    @cached_property
    def blind(self) -> bool:
        """Whether suits are names only."""
        return suit_symmetric(self.shoe) and suits_interchangeable(self.graph)

    @property
    def folds(self) -> bool:
        """Whether the player's hands are listed up to suits as well: those that the board does not tell apart. Where it
        has few cards, that saves most."""
        return self.blind and len(self.board_slots) in FOLDED

    @property
    def boards(self) -> int:
        """Boards that are gone through, about."""
        return max(1, int(listed(self.cards, self.board) / (fold(len(self.board_slots)) if self.blind else 1)))

    @property
    def hands(self) -> int:
        """The player's hands for each, about."""
        left = self.cards - len(self.board_slots)
        return max(1, int(listed(left, self.own) / (self._fold(len(self.own_slots)) if self.folds else 1)))

    def _fold(self, cards: int) -> float:
        """Hands of so many cards per class of those that the board does not tell apart."""
        return fold(cards, FOLDED[len(self.board_slots)])

    @property
    def hidden_hands(self) -> int:
        return comb(self.cards - len(self.board_slots), len(self.hidden))

    @cached_property
    def folded(self) -> bool:
        """Whether hidden hands are listed up to suits as well: far fewer are entered, and counters are looked up."""
        return self.folds and bool(self.hidden) and self._steps(True) < self._steps(False)

    @cached_property
    def steps(self) -> float:
        """Of the innermost loops, for one pass."""
        return self._steps(self.folded)

    def _steps(self, folded: bool) -> float:
        most = min(len(self.own_slots), len(self.hidden))
        subsets = sum(comb(len(self.own_slots), k) for k in range(most + 1))
        entered = sum(comb(len(self.hidden), k) for k in range(most + 1))
        asks = 2 * self.told_apart if self.feature is not None else 0
        asks += 0 if self.classes == 1 else self.classes - (self.rising is not None)
        look_up = 4.0 if folded else 1.0 if most < 5 else 3.5 if most == 5 else 8.0  # in large tables it takes longer
        each = 25 + subsets * asks * look_up
        made = sum(comb(52, k) for k in range(most + 1)) * 8 if folded else 0
        held = self.hidden_hands / (self._fold(len(self.hidden)) if folded else 1)
        return made + self.boards * (self.hands * each + (held * (15 + entered * look_up) if self.hidden else 0))

    @property
    def memory(self) -> int:
        """Bytes of the lists of hands and of the counters, about."""
        own, most = len(self.own_slots), min(len(self.own_slots), len(self.hidden))
        held = (
            0.0
            if self.mirrored or not self.hidden
            else self.hidden_hands / (self._fold(len(self.hidden)) if self.folded else 1)
        )
        sets = sum(comb(52, k) for k in range(most + 1))
        counters = sets * 4 + sets * self.classes if self.folded else sets * 8 * (self.classes + self.told_apart)
        lists = self.hands * (2 * own + 40 + 8 * self.told_apart) + held * (len(self.hidden) + 32)
        return int(lists) + self.boards * (len(self.board_slots) + 24) + counters

    @property
    def listed_in_parts(self) -> int:
        """Boards and hands of several blocks, which are listed a part at a time."""
        return self.boards * (len(self.board) > 1) + self.hands * (len(self.own) > 1)

    @property
    def told_apart(self) -> int:
        """Classes of hidden hands that are kept apart in the comparison."""
        return 1 if self.rising is not None else self.classes

    @cached_property
    def rising(self) -> tuple[int, ...] | None:
        """The classes of hidden hands from the weakest to the strongest, where what is compared tells the class: those
        below a hand are then known class by class from how many there are."""
        x = self.feature
        if x is None or any(c is x or c.op == "card" for c in (*self.told, *walk(self.told, {x.uid}))):
            return None
        at = {x.lo}
        for col in walk(self.told, {x.uid}):
            if any(a is x for a in col.below):
                other = next((a for a in col.below if a is not x), x)
                if col.op not in ("lt", "eq", "ne") or other.op != "const":
                    return None
                at |= {v for v in (other.args[0], other.args[0] + 1) if x.lo <= v <= x.hi}
        order: list[int] = []
        for value in sorted(at):
            number, known = 0, {x.uid: value}
            for col in self.told:
                number = number * (col.hi - col.lo + 1) + evaluate(col, {}, {}, known) - col.lo
            order += [number] if order[-1:] != [number] else []
        return tuple(order) if len({*order}) == len(order) else None

    @cached_property
    def ways(self) -> int:
        left = self.cards - len(self.board_slots)
        rest = comb(left - len(self.own_slots), len(self.hidden))
        return listed(self.cards, self.board) * listed(left, self.own) * rest

    @cached_property
    def plain(self) -> bool:
        """Whether how a round is settled depends on the player's cards by nothing but what is compared."""
        x = self.against
        if x is None:
            return False
        tops = [c for n in self.graph.nodes if last_part(n) for c in columns_of(n)]
        q = set(self.own_slots)
        outside = [c for c in walk(tops, {x.uid, *(f.uid for f in self.told), *self._comparisons}) if c.op == "card"]
        return not any(c.slots & q for c in outside)

    @cached_property
    def _comparisons(self) -> frozenset[int]:
        return frozenset(c.uid for c in self.comparisons)

    @cached_property
    def comparisons(self) -> tuple[Column, ...]:
        """The columns in which the hidden hand meets the player's."""
        if self.feature is None or self.against is None:
            return ()
        sides = {self.feature.uid, self.against.uid}
        every = walk(c for n in self.graph.nodes for c in columns_of(n))
        return tuple(c for c in every if c.op in COMPARES and {a.uid for a in c.below} == sides)

    @cached_property
    def mirrored(self) -> bool:
        """Whether the two hands are alike in all that is asked of them in the comparison."""
        if self.feature is None or self.against is None or len(self.own) != 1 or self.folds != self.folded:
            return False
        own = self.own_slots
        if len(own) != len(self.hidden):
            return False
        return renamed([self.against], dict(zip(own, self.hidden, strict=True)))[0] is self.feature


def fold(cards: int, most: float = 24) -> float:
    """Deals per class of interchangeable suits."""
    return min(most, {0: 1.0, 1: 4.0, 2: 7.8, 3: 12.6, 4: 16.0, 5: 19.3, 6: 21.1, 7: 22.5}.get(cards, 23.0))


def listed(cards: int, blocks: Sequence[Slots]) -> int:
    """Ways to deal these blocks."""
    out = 1
    for block in blocks:
        out *= comb(cards, len(block))
        cards -= len(block)
    return out


def last_part(node: Node) -> bool:
    """Whether nobody decides from here on."""
    return isinstance(node, End) or (isinstance(node, When) and all(map(last_part, node.kids)))


def readings(graph: Graph, shoe: Composition) -> list[Duel] | str:
    """All readings, the cheapest first; the reason where there is none."""
    if graph.open_ended:
        return "hands can have any number of cards"
    if graph.carried:
        return "a seat carries something over from round to round"
    if max(shoe) > 1:
        return "that takes one pack of cards, each of them once"
    if len(shoe) > 52:
        return "that takes a pack without jokers"
    if not _conditions_seen(graph):
        return "which way the round goes depends on hidden cards before a decision is made"
    atoms = _atoms(graph)
    if len(atoms) > MOST_ATOMS:
        return "its cards are dealt and seen in too many parts"
    found: list[Duel] = []
    for roles in product("QBH", repeat=len(atoms)):
        if any(role == "H" and seen for role, (_, seen) in zip(roles, atoms, strict=True)):
            continue
        duel = _reading(graph, shoe, *(_taken(atoms, roles, role) for role in "QBH"))
        found += [duel] if duel is not None else []
    if not found:
        return "more than one thing about the hidden cards is held against the player's"
    return sorted(found, key=lambda duel: duel.steps)


def _taken(atoms: "list[tuple[Slots, bool]]", roles: tuple[str, ...], role: str) -> Slots:
    return tuple(s for (slots, _), r in zip(atoms, roles, strict=True) for s in slots if r == role)


def _atoms(graph: Graph) -> list[tuple[Slots, bool]]:
    """Cards that are dealt to one place and seen at the same decisions, and whether any decision sees them."""
    used = {s for n in graph.nodes for c in columns_of(n) for s in c.slots}
    sight = {d.id: {s for g in d.seen() for s in g.slots} for d in graph.decisions()}
    place = {s: g.who for n in graph.nodes for g in n.groups for s in g.slots}
    found: dict[tuple[str, frozenset[int]], list[int]] = {}
    for slot in sorted(used.union(*sight.values())):
        by = frozenset(d for d, seen in sight.items() if slot in seen)
        found.setdefault((place[slot], by), []).append(slot)
    return [(tuple(slots), bool(by)) for (_, by), slots in found.items()]


def _conditions_seen(graph: Graph) -> bool:
    """Whether the player who decides has seen which way the round went before."""
    for decision in graph.decisions():
        seen = {s for g in decision.seen() for s in g.slots}
        if any(isinstance(s.node, When) and not s.node.condition.slots <= seen for s in decision.path):
            return False
    return True


def _reading(graph: Graph, shoe: Composition, own: Slots, board: Slots, hidden: Slots) -> Duel | None:
    if len(own) > MOST_OWN or len(hidden) > MOST_HIDDEN or len(own) + len(board) + len(hidden) > sum(shoe):
        return None
    q, h = set(own), set(hidden)
    tops = [c for n in graph.nodes for c in columns_of(n)]
    met: dict[tuple[int, int], tuple[Column, Column]] = {}
    told: dict[int, Column] = {}
    done: set[int] = set()
    waiting = list(tops)
    while waiting:
        col = waiting.pop()
        if col.uid in done or not col.slots & h:
            continue
        done.add(col.uid)
        if not col.slots & q:
            told[col.uid] = col
        elif col.op in COMPARES and len(sides := _sides(col, q, h)) == 2:
            met[sides[0].uid, sides[1].uid] = (sides[0], sides[1])
        else:
            waiting.extend(col.below)
    if len(met) > 1 or prod(c.hi - c.lo + 1 for c in told.values()) > MOST_CLASSES:
        return None
    feature, against = next(iter(met.values()), (None, None))
    blocks = blocks_of(tops, own), blocks_of(tops, board)
    if len(blocks_of(tops, hidden)) > 1:
        return None
    return Duel(graph, shoe, *blocks, hidden, feature, against, tuple(told.values()))


def _sides(col: Column, q: set[int], h: set[int]) -> tuple[Column, ...]:
    """The hidden side of a comparison and the other one; nothing if they are mixed."""
    first, second = col.below if len(col.below) == 2 else (col, col)
    for hidden, other in ((first, second), (second, first)):
        if hidden.slots & h and not hidden.slots & q and not other.slots & h:
            return hidden, other
    return ()


def blocks_of(columns: Sequence[Column], slots: Slots) -> tuple[Slots, ...]:
    """Cards that can change places without anybody noticing, together."""
    out: list[list[int]] = []
    for slot in slots:
        for block in out:
            swap = {block[-1]: slot, slot: block[-1]}
            if all(new is old for new, old in zip(renamed(columns, swap), columns, strict=True)):
                block.append(slot)
                break
        else:
            out.append([slot])
    return tuple(tuple(block) for block in out)


def asked_alike(duel: Duel, decision: Decide) -> bool:
    """Whether what a decision is made by tells no cards apart that the game does not."""
    seen = {s for g in decision.seen() for s in g.slots}
    columns = [c for _, c in decision.by]
    parts = (tuple(s for s in block if s in seen) for block in (*duel.board, *duel.own))
    return suits_blind(columns) >= duel.blind and all(len(blocks_of(columns, part)) < 2 for part in parts)


def decisions_in_order(graph: Graph) -> Iterator[Decide]:
    """Every decision before those that come after it."""
    return iter(sorted(graph.decisions(), key=lambda d: len(d.path)))
