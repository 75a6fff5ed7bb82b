"""The positions of a game in which hands grow card by card, found by walking its graph.

A position is a place in the graph together with what the marks have kept: a hand's total, say, whether it is soft,
and the dealer's up-card. It says what comes next: a choice, a card for the player, or the end of his play, which
the dealer's drawing decides. Which cards made the position, and how many of each the shoe has left, is no part of it;
`pitboss.exact.drawing` counts that. So a few thousand positions hold every rule of the game, whatever the shoe.

Once the play has begun, the dealer's hidden cards must lie untouched until they are shown: a position keeps, for each
value that depends on them, the list of that value by hidden cards. Every hand of a split is followed by itself
(`pitboss.exact.drawn_hands`): what it may do and what it is paid may differ from hand to hand, but must not depend on
the others."""

import numpy as np

from pitboss.compile.reference import batch
from pitboss.exact.drawn_alike import alike, interchangeable, mixed
from pitboss.exact.drawn_dealing import Dealing
from pitboss.exact.drawn_hands import AnswersMatter, Found, Halts, SplitHands
from pitboss.exact.drawn_opening import Opening, OrderMatters
from pitboss.exact.drawn_rounds import DECIDE, PLAY, STOP, UP, Bools, Floats, Ints, Label, Rounds, in_order
from pitboss.exact.plan import TooLarge
from pitboss.exact.steps import Walker
from pitboss.rules.graph import Decide, Graph, Jump, Mark
from pitboss.rules.house import House

MOST_DEALS = 2_000_000


class Positions:
    """Every position of a game, where each choice and each card leads, and how the dealer may end it.

    By position: `kind` (DRAW, DECIDE or STOP), `up` (the view of the dealer's cards), `draws` (the next position by
    class of card), `moves` (the next position by choice; -1 where there is no such choice, or where it is a split),
    `parting` (which choice is a split, or -1), `asks` (its list of choices: a place in `choices`), `by` (what a chart
    looks at), `ending` (the dealer's positions by hidden card; -1 where that card would have ended the round),
    `certain`, `same` (equal for positions from which everything goes on and is paid alike). By position of the dealer:
    `label` (how the round has ended; -1: he draws), `dealer_draws`. By leaf of the opening, by the player's first cards
    and the view of the dealer's: `starts`. `mine`: those cards, class by class; `views`: the dealer's cards in sight,
    counted by class. `allowed`: by view and class, hidden cards that let the play begin; `fits`: the same by all hidden
    cards. `split_at`: by two cards and view, where they may be split. By class of a pair and view: `most_hands`.
    `hands`: a hand's number and how many hands there are when it gets its second card -> position by pair, view and
    second card; -1 where that cannot be. Where suits matter, `reps` has for each position and class of card the first
    class that leads to the same from there on, whatever else is drawn."""

    def __init__(self, house: House, graph: Graph) -> None:
        """The graph is that of the house with its first main wager alone."""
        ordered = apart = False
        while True:
            try:
                return self._find(Walker(house, graph, house.main[0]), ordered, apart)
            except OrderMatters:
                ordered = True
            except AnswersMatter:
                apart = True

    def _find(self, walk: Walker, ordered: bool, apart: bool) -> None:
        self.walk, self.kinds, self.size, self.ranks = walk, walk.kinds, walk.size, len(walk.his)
        self.group = self.kinds.group
        first = walk.sight.first
        deals = self.size ** len(first.mine) * self.ranks ** (len(first.shown) + len(first.dark))
        if deals > MOST_DEALS:
            raise TooLarge(f"{deals:,} different deals come before the play; at most {MOST_DEALS:,} are enumerated")
        shown = in_order(*(self.ranks,) * len(first.shown))
        self.in_view, view_of = np.unique(shown if ordered else np.sort(shown, axis=1), axis=0, return_inverse=True)
        self.view_of: Ints = view_of.reshape(-1)
        self.views: Ints = (self.in_view[:, :, None] == np.arange(self.ranks)).sum(1)
        self.mine = in_order(*(self.size,) * len(first.mine))
        self.holes = len(first.dark)
        self._found = Found(walk)
        self._new: Halts = []
        self._shown = len(shown)
        opening = Opening(walk, self.view_of, self._begin, apart)
        self.root, self.leaves, self.forks = opening.root, opening.leaves, opening.forks
        self.starts, self.lanes = [leaf.start for leaf in self.leaves], opening.lanes
        self.fits = np.tile(self._fitting(), (self.lanes, 1))
        self.allowed: Bools = self.fits if self.holes == 1 else np.ones((len(self.fits), self.ranks), bool)
        self.views = np.tile(self.views, (self.lanes, 1))
        self._found.grow(self._new)
        lanes = [[leaf.start for leaf in self.leaves if leaf.lane == lane] for lane in range(self.lanes)]
        self._split = SplitHands(self._found, lanes)
        self._tables()
        self._dealing()
        self.reps: Ints | None = self._forget_suits() if self.kinds.suits else None
        self.labels: list[Label] = walk.labels
        for leaf, start in zip(self.leaves, self.starts, strict=True):
            leaf.start = start
        for fork in self.forks:  # a wager of its own: all answers lead to the same play
            begun = [np.max([leaf.start for leaf in kid.leaves()], axis=0) for kid in fork.kids]
            plays = [np.where(start >= 0, self.same[start], -1) for start in begun]
            fork.aside = all((plays[0] == x).all() for x in plays)

    def __getstate__(self) -> dict[str, object]:
        """Without what was needed to find the positions only."""
        return {
            name: value for name, value in self.__dict__.items() if name not in ("walk", "_found", "_split", "_new")
        }

    # ---- the opening

    def _begin(self, r: Rounds, lane: int) -> list[tuple[Ints, Ints]]:
        """Where the play of these deals begins: the position by the player's cards and the dealer's in sight."""
        walk, holes = self.walk, self.ranks**self.holes
        deal, hole = r.tag // holes, r.tag % holes
        deals, one, back = np.unique(deal, return_index=True, return_inverse=True)
        on = walk.past_mark(r.node, r) if isinstance(r.node, Mark | Jump) and r.at == len(r.node.events) else r
        base: dict[int, Ints] = {UP: lane * len(self.in_view) + self.view_of[deals % self._shown]}
        for slot, values in on.base.items():
            base[slot] = values[one]
            if slot in walk.sight.hidden:
                lists = np.full((len(deals), holes), -1, np.int64)
                lists[back, hole] = values
                base[slot] = walk.lists.numbers(lists)
        played = Rounds(on.node, on.at, base, deals, np.zeros(len(deals)), shown=r.shown)
        known, fresh = self._found.number(walk.run(played, PLAY))
        self._new += fresh
        return known

    def _fitting(self) -> Bools:
        """View x hidden cards that let the play begin, the same for all of the player's cards."""
        goes: Bools = np.stack([leaf.goes for leaf in self.leaves])
        begun: Bools = np.array(goes.any(axis=3))
        out: Bools = np.array(goes.any(axis=(0, 1)))
        if not begun.any():
            raise TooLarge("no round comes to the play")
        if (goes != (begun[..., None] & out)).any():
            raise TooLarge("which hidden cards end a round at once depends on the player's cards")
        if self.holes > 1 and not out[out.any(1)].all():
            raise TooLarge("the dealer looks at two hidden cards before the play; one is enumerated")
        return out

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
        self.most_hands, self.split_at = self._split.most, to[self._split.at]
        self.hands = {number: to[kids] for number, kids in self._split.kids.items()}

    # ---- the dealer

    def _dealing(self) -> None:
        """The dealer's positions behind every end of the player's play, for every hidden card."""
        dealing = Dealing(self._found, self.fits)
        self.label, self.dealer_draws = dealing.label, dealing.draws
        self.ending: Ints = np.full((len(self.kind), self.ranks**self.holes), -1, np.int64)
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
        unsplit = self._reached(np.concatenate([x.reshape(-1) for x in self.starts]))
        self.draws[~unsplit], self.moves[~unsplit] = one[self.draws[~unsplit]], one[self.moves[~unsplit]]
        self.hands = {number: one[kids] for number, kids in self.hands.items()}
        self.same: Ints = one[:-1]
        self._keep(self._reached(np.concatenate([x.reshape(-1) for x in (*self.starts, *self.hands.values())])))
        self._fewer_dealt()

    def _keep(self, used: Bools) -> None:
        """Only these positions, numbered anew."""
        some = np.flatnonzero(used)
        new: Ints = np.full(len(self.kind) + 1, -1, np.int64)
        new[some] = np.arange(len(some))
        for name in ("kind", "up", "asks", "by", "parting", "certain", "ending", "same"):
            setattr(self, name, getattr(self, name)[some])
        self.draws, self.moves, self.split_at = new[self.draws[some]], new[self.moves[some]], new[self.split_at]
        self.starts = [new[start] for start in self.starts]
        self.hands = {number: new[kids] for number, kids in self.hands.items()}

    def _forget_suits(self) -> Ints:
        """By position and class of card: the first class of the same rank that leads to the same from there on,
        whatever else is drawn. Positions that differ only in suits that nothing looks at again become one."""
        own = np.column_stack([self.kind, self.up, self.asks, self.by, self.parting, self.certain, self.ending])
        one = np.append(alike(mixed(own), np.column_stack([self.draws, self.moves])), -1)
        self.draws, self.moves, self.split_at = one[self.draws], one[self.moves], one[self.split_at]
        self.starts = [one[start] for start in self.starts]
        self.hands = {number: one[kids] for number, kids in self.hands.items()}
        self._keep(self._reached(np.concatenate([x.reshape(-1) for x in (*self.starts, *self.hands.values())])))
        return interchangeable(self.group, self.draws, self.moves)

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
