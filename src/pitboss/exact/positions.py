"""The positions of a game in which hands grow card by card, found by walking its graph.

A position is a place in the graph together with what the marks have kept: a hand's total, say, whether it is soft,
and the dealer's up-card. It says what comes next: a choice, a card for the player, or the end of his play, which
the dealer's drawing decides. Which cards made the position, and how many of each the shoe has left, is no part of it;
`pitboss.exact.drawing` counts that. So a few thousand positions hold every rule of the game, whatever the shoe.

The dealer's hidden card must lie untouched until it is shown: a position keeps, for each value that depends on it, the
list of that value by hidden card. Every hand of a split is followed by itself (`pitboss.exact.drawn_hands`): what it
may do and what it is paid may differ from hand to hand, but must not depend on the others.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from pitboss.compile.reference import batch
from pitboss.exact.drawn_dealing import Dealing
from pitboss.exact.drawn_hands import Found, Halts, SplitHands, alike, mixed
from pitboss.exact.plan import TooLarge
from pitboss.exact.steps import DECIDE, OPENING, PLAY, STOP, UP, Bools, Floats, Ints, Label, Rounds, Walker
from pitboss.rules.graph import Decide, End, Graph, Jump, Mark
from pitboss.rules.house import House


@dataclass(frozen=True, eq=False)
class Opening:
    """What becomes of the first four cards, by first, up, second and hidden card, for one choice before the play."""

    label: Ints  # how the round has ended; -1: play goes on
    bank: Floats  # what a wager made by that choice has brought
    staked: Floats  # and how much that is
    stake: float  # at most


@dataclass(frozen=True)
class Asked:
    """A decision before the play, such as insurance."""

    name: str
    choices: tuple[str, ...]


class Positions:
    """Every position of a game, where each choice and each card leads, and how the dealer may end it.

    By position: `kind` (DRAW, DECIDE or STOP), `up` (class of the up-card), `draws` (the next position by class of
    card), `moves` (the next position by choice; -1 where there is no such choice, or where it is a split), `parting`
    (which choice is a split, or -1), `asks` (its list of choices: a place in `choices`), `by` (what a chart looks at),
    `ending` (the dealer's positions by hidden card; -1 where that card would have ended the round), `certain`, `same`
    (equal for positions from which everything goes on and is paid alike).
    By position of the dealer: `label` (how the round has ended; -1: he draws), `dealer_draws`.
    By class of the first card, the up-card and the second card: `start`.
    By class of a pair and of the up-card: `most_hands`. `hands`: a hand's number and how many hands there are when it
    gets its second card -> position by pair, up-card and second card; -1 where that cannot be.
    """

    def __init__(self, house: House, graph: Graph) -> None:
        """The graph is that of the house with its first main wager alone."""
        self.walk = Walker(house, graph, house.main[0])
        self.classes, self.size = self.walk.classes, self.walk.size
        self.class_of: Ints = np.zeros(52, np.int64)
        for i, ranks in enumerate(self.classes):
            self.class_of[[4 * rank + suit for rank in ranks for suit in range(4)]] = i
        self._lists: dict[tuple[int, ...], int] = {}
        self._found = Found(self.walk, dict.fromkeys(self.walk.sight.hidden, (0, 999)))
        self._new: Halts = []
        self._opening()
        self._found.grow(self._new)
        self._split = SplitHands(self._found, self.start)
        self._tables()
        self._dealing()
        self.labels: list[Label] = self.walk.labels

    def __getstate__(self) -> dict[str, object]:
        """Without what was needed to find the positions only."""
        return {
            name: value for name, value in self.__dict__.items() if name not in ("walk", "_found", "_split", "_new")
        }

    # ---- the opening

    def _opening(self) -> None:
        """The first four cards, every class for each: rounds that end at once, and where the others begin to play."""
        root, k = self.walk.graph.root, self.size
        first, up, second, hole = self.walk.sight.opening
        cards = dict(zip((first, up, second, hole), np.indices((k,) * 4).reshape(4, -1), strict=True))
        base = {slot: self.walk.codes[c] for slot, c in cards.items()}
        all_rounds = Rounds(root, 0, base, np.arange(k**4), np.zeros(k**4))
        before: Decide | None = None
        self.openings: list[Opening] = []
        met = self.walk.run(all_rounds, OPENING)
        decisions = [r for kind, r in met if kind == DECIDE]
        others = [r for kind, r in met if kind == STOP]
        if len(decisions) > 1:
            raise TooLarge("there are several decisions before the play")
        self.asked: Bools = np.zeros((k,) * 3, bool)  # where there is a choice before the play
        if decisions:
            assert isinstance(decisions[0].node, Decide)
            before = decisions[0].node
            looks = [batch(col, decisions[0].base, {}, len(decisions[0].tag)) for _, col in before.by]
            self.before_by: Ints = np.zeros((k, k, k, len(looks)), np.int64)
            self.before_by[np.unravel_index(decisions[0].tag // k, (k, k, k))] = np.stack(looks, 1)
            self.asked[np.unravel_index(decisions[0].tag // k, (k, k, k))] = True
        self.before = Asked(before.name, before.choices) if before else None
        starts: list[Ints] = []
        for i in range(len(before.choices) if before else 1):
            halted = list(others)
            if before:
                halted += [r for _, r in self.walk.run(replace(decisions[0], node=before.kids[i], at=0), OPENING)]
            starts.append(self._begin(halted))
        if any((a != b).any() for a, b in pairwise(starts)):
            raise TooLarge("a choice before the play changes the play")
        self.start = starts[0]

    def _begin(self, halted: list[Rounds]) -> Ints:
        """One choice before the play: how rounds end at once, or the position in which the play begins."""
        k = self.size
        early = self.walk.sight.before - self.walk.free
        stake = max(sum((float(t) for w, t in r.bets if w in early), 0.0) for r in halted)
        opening = Opening(np.full(k**4, -1, np.int64), np.zeros(k**4), np.zeros(k**4), stake)
        self.openings.append(opening)
        start: Ints = np.full(k**3, -1, np.int64)
        allowed: Bools = np.zeros((k**3, k), bool)
        for r in halted:
            opening.bank[r.tag] = r.bank
            opening.staked[r.tag] = sum((float(t) for w, t in dict(r.bets).items() if w in early), 0.0)
            if isinstance(r.node, End):
                opening.label[r.tag] = self.walk.ends(r)
                continue
            if isinstance(r.node, Decide):
                raise TooLarge("there are several decisions before the play")
            assert isinstance(r.node, Mark | Jump)
            on = self.walk.past_mark(r.node, r)
            deal, hole = r.tag // k, r.tag % k
            allowed[deal, hole] = True
            deals, one, back = np.unique(deal, return_index=True, return_inverse=True)
            base: dict[int, Ints] = {UP: deals // k % k}
            for slot, values in on.base.items():
                base[slot] = values[one]
                if slot in self.walk.sight.hidden:
                    lists = np.full((len(deals), k), -1, np.int64)
                    lists[back, hole] = values
                    numbered = [self._lists.setdefault(tuple(v), len(self._lists)) for v in lists.tolist()]
                    base[slot] = np.array(numbered)
            played = Rounds(on.node, 0, base, deals, np.zeros(len(deals)))
            known, fresh = self._found.number(self.walk.run(played, PLAY))
            for rows, numbers in known:
                start[rows] = numbers
            self._new += fresh
        # up-card x hidden card: what lets the play begin
        self.allowed: Bools = np.asarray(allowed.reshape(k, k, k, k).any(axis=(0, 2)))
        begun = allowed.any(1)
        if not begun.any() or (allowed[begun] != self.allowed[np.arange(k**3)[begun] // k % k]).any():
            raise TooLarge("which hidden cards end a round at once depends on the player's cards")
        return start.reshape(k, k, k)

    # ---- all positions

    def _tables(self) -> None:
        """What was found, as arrays by position."""
        found, n, k = self._found, self._found.numbers.size, self.size
        to: Ints = np.arange(n + 1)  # where another hand's turn leads at once
        to[-1] = -1
        for before, after in found.same:
            to[before] = after
        self.kind: Ints = np.full(n, STOP, np.int64)
        self.up: Ints = np.zeros(n, np.int64)
        self.asks: Ints = np.full(n, -1, np.int64)
        self.choices: list[tuple[str, ...]] = []
        width = max((len(node.by) for node in self.walk.graph.decisions()), default=0)
        self.by: Ints = np.zeros((n, width), np.int64)
        for kind, r in found.seen:
            self.kind[r.tag], self.up[r.tag] = kind, r.base[UP]
            if kind == DECIDE:
                assert isinstance(r.node, Decide)
                if r.node.choices not in self.choices:
                    self.choices.append(r.node.choices)
                self.asks[r.tag] = self.choices.index(r.node.choices)
                for i, (_, col) in enumerate(r.node.by):
                    self.by[r.tag, i] = batch(col, r.base, {}, len(r.tag))
        self.draws: Ints = np.full((n, k), -1, np.int64)
        for before, card, after in found.drawn:
            self.draws[before, card] = to[after]
        self.moves: Ints = np.full((n, max(map(len, self.choices), default=1)), -1, np.int64)
        for before, i, after in found.moved:
            self.moves[before, i] = to[after]
        self.parting: Ints = np.full(n, -1, np.int64)
        for before, i in found.parted:
            self.parting[before] = i
        self.most_hands = self._split.most
        self.hands = {number: to[kids] for number, kids in self._split.kids.items()}

    # ---- the dealer

    def _dealing(self) -> None:
        """The dealer's positions behind every end of the player's play, for every hidden card."""
        lists = np.array(list(self._lists), np.int64).reshape(-1, self.size)
        dealing = Dealing(self._found, lists, self.allowed)
        self.label, self.dealer_draws = dealing.label, dealing.draws
        self.ending: Ints = np.full((len(self.kind), self.size), -1, np.int64)
        ups: Ints = np.zeros(self._found.stops.size, np.int64)
        for _, r in self._found.halted:
            ups[r.tag] = r.base[UP]
        lengths = {len(end) for end in self._found.ends}
        for ways in lengths:
            ends = np.array([end for end in self._found.ends if len(end) == ways], np.int64)
            at = np.array([at for end, at in self._found.ends.items() if len(end) == ways], np.int64)
            self.ending[at], self.up[at] = dealing.of(ends), ups[ends[:, 0]]
        # `certain`: the label of an end of play that comes to the same whatever the dealer has and draws, else -1
        found = np.where(self.ending >= 0, dealing.sure[self.ending], -3)
        top = found.max(1)
        self.certain = np.where(((found == top[:, None]) | (found == -3)).all(1) & (self.kind == STOP), top, -1)
        self.nets: Floats = np.array([float(x.net) for x in self.walk.labels])
        self.stakes: Floats = np.array([float(x.staked) for x in self.walk.labels])
        self._merge(dealing)

    def _merge(self, dealing: Dealing) -> None:
        """Hands of a split that are played and paid alike become one, also with unsplit ones; the rest goes."""
        stop, sure = self.kind == STOP, self.certain >= 0
        paid = np.where(sure, dealing.paid[self.certain], -1)
        ends = np.where((stop & ~sure)[:, None] & (self.ending >= 0), dealing.one[self.ending], -1)
        own = np.column_stack([self.kind, self.up, self.asks, self.by, self.parting, paid])
        # whose name an end has in print does not matter to a hand of a split, so it may stand for an unsplit one
        one = np.append(alike(mixed(np.column_stack([own, ends])), np.column_stack([self.draws, self.moves])), -1)
        unsplit = self._reached(self.start.reshape(-1))
        self.draws[~unsplit], self.moves[~unsplit] = one[self.draws[~unsplit]], one[self.moves[~unsplit]]
        self.hands = {number: one[kids] for number, kids in self.hands.items()}
        some = np.flatnonzero(
            self._reached(np.concatenate([x.reshape(-1) for x in (self.start, *self.hands.values())]))
        )
        new: Ints = np.full(len(self.kind) + 1, -1, np.int64)
        new[some] = np.arange(len(some))
        for name in ("kind", "up", "asks", "by", "parting", "certain", "ending"):
            setattr(self, name, getattr(self, name)[some])
        self.same: Ints = one[some]
        self.draws, self.moves, self.start = new[self.draws[some]], new[self.moves[some]], new[self.start]
        self.hands = {number: new[kids] for number, kids in self.hands.items()}
        self._fewer_dealt()

    def _reached(self, at: Ints) -> Bools:
        """Every position that these lead to."""
        out: Bools = np.zeros(len(self.kind), bool)
        new = np.unique(at[at >= 0])
        while len(new):
            out[new] = True
            after = np.concatenate([self.draws[new].reshape(-1), self.moves[new].reshape(-1)])
            after = np.unique(after[after >= 0])
            new = after[~out[after]]
        return out

    def _fewer_dealt(self) -> None:
        """Only those of the dealer's positions that some end of play leads to."""
        keep: Bools = np.zeros(len(self.label), bool)
        after = np.unique(self.ending[self.ending >= 0])
        while len(after):
            keep[after] = True
            after = np.unique(self.dealer_draws[after])
            after = after[after >= 0]
            after = after[~keep[after]]
        new: Ints = np.full(len(keep) + 1, -1, np.int64)
        new[np.flatnonzero(keep)] = np.arange(keep.sum())
        self.label, self.dealer_draws, self.ending = self.label[keep], new[self.dealer_draws[keep]], new[self.ending]
