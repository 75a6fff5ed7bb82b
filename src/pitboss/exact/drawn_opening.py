"""What happens before the play: rounds that end when the dealer looks at his hidden card, and choices before that.

A *stage* is what becomes of all deals up to the next choices; a *fork* is one such choice, with a stage behind every
answer. Insurance is a fork that changes nothing in the play; an early surrender is one that ends some rounds. Deals are
the player's cards x the view of the dealer's x his hidden cards.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from pitboss.compile.reference import batch
from pitboss.exact.drawn_rounds import DECIDE, OPENING, Bools, Floats, Ints, Rounds, in_order
from pitboss.exact.steps import Walker
from pitboss.rules.graph import Decide, End

Picks = dict[int, tuple[Ints, Floats]]
"""By number of the fork: the choice for every deal, and what every choice brings, times the chance of the deal."""


@dataclass(eq=False)
class Fork:
    """A choice before the play."""

    number: int
    name: str
    choices: tuple[str, ...]
    by: Ints  # mine x view x what the decision is made by
    there: Bools  # mine x view x hidden: deals that come to it
    kids: "list[Stage]"
    asked: Bools = field(init=False)  # mine x view
    aside: bool = False  # it is about a wager of its own: all answers lead to the same play

    def __post_init__(self) -> None:
        self.asked = np.array(self.there.any(axis=2))


@dataclass(eq=False)
class Stage:
    """Rounds without another choice before the play."""

    label: Ints  # mine x view x hidden: how the round has ended; -1: it has not, or not here
    bank: Floats  # what wagers that are settled before the play have brought
    staked: Floats  # and how much they are
    goes: Bools  # rounds whose play begins
    start: Ints  # mine x view: and where; -1: nowhere
    lane: int = 0  # of the play: one for every answer, where a split later on would have to know it
    stake: float = 0.0  # the most that is staked
    forks: list[Fork] = field(default_factory=list)
    number: int = 0

    def leaves(self) -> "list[Stage]":
        """This and every one behind it, in the order of their numbers."""
        return [self, *(leaf for fork in self.forks for kid in fork.kids for leaf in kid.leaves())]


@dataclass(frozen=True, eq=False)
class Opened:
    """What becomes of every deal when the choices before the play are made."""

    label: Ints
    bank: Floats
    staked: Floats
    plays: list[Bools]  # by leaf: deals whose play begins there
    picks: Picks


class OrderMatters(Exception):
    """Two cards of the dealer's in sight, and something goes by which of them was dealt first."""


class Opening:
    """All deals, walked up to the play."""

    def __init__(
        self, walk: Walker, view_of: Ints, begin: Callable[[Rounds, int], list[tuple[Ints, Ints]]], apart: bool
    ) -> None:
        """`view_of`: by the dealer's cards in sight, in order. `begin` gives each round's number when the play begins:
        (which rounds, their position). `apart`: every answer has its own lane."""
        self.walk, self.view_of, self.begin, self.apart = walk, view_of, begin, apart
        first, k, his = walk.sight.first, walk.size, len(walk.his)
        self.mine, self.shown = k ** len(first.mine), his ** len(first.shown)
        self.views, self.holes = int(view_of.max()) + 1, his ** len(first.dark)
        self.forks: list[Fork] = []
        self.leaves: list[Stage] = []
        self.lanes = 1
        cards = in_order(*(k,) * len(first.mine), *(his,) * (len(first.shown) + len(first.dark))).T
        codes = [walk.codes] * len(first.mine) + [walk.his] * (len(first.shown) + len(first.dark))
        base = {slot: code[c] for slot, code, c in zip(first.slots, codes, cards, strict=True)}
        n = self.mine * self.shown * self.holes
        self.root = self._stage(Rounds(walk.graph.root, 0, base, np.arange(n), np.zeros(n)), 0)

    def _place(self, tag: Ints) -> tuple[Ints, Ints, Ints]:
        return tag // self.holes // self.shown, self.view_of[tag // self.holes % self.shown], tag % self.holes

    def _stage(self, rounds: Rounds, lane: int) -> Stage:
        shape = (self.mine, self.views, self.holes)
        stage = Stage(
            np.full(shape, -1, np.int64), np.zeros(shape), np.zeros(shape), np.zeros(shape, bool),
            np.full(shape[:2], -1, np.int64), lane, number=len(self.leaves),
        )  # fmt: skip
        self.leaves.append(stage)
        early = self.walk.sight.before - self.walk.free
        for kind, r in self.walk.run(rounds, OPENING):
            if not len(r.tag):
                continue
            if kind == DECIDE:
                stage.forks.append(self._fork(r, lane))
                continue
            at = self._place(r.tag)
            bets = dict(r.bets)
            staked = sum((float(t) for w, t in bets.items() if w in early), 0.0)
            stage.stake = max(stage.stake, staked)
            self._put(stage.bank, at, r.bank)
            self._put(stage.staked, at, np.full(len(r.tag), staked))
            if isinstance(r.node, End):
                self._put(stage.label, at, self.walk.ends(r))
                continue
            stage.goes[at] = True
            for rows, numbers in self.begin(r, lane):
                self._put(stage.start, (rows // self.shown, self.view_of[rows % self.shown]), numbers)
        return stage

    def _put(self, array: "Ints | Floats", at: "tuple[Ints, ...]", values: "Ints | Floats") -> None:
        array[at] = values
        if (array[at] != values).any():
            raise OrderMatters

    def _fork(self, r: Rounds, lane: int) -> Fork:
        node = r.node
        assert isinstance(node, Decide)
        mine, view, hole = self._place(r.tag)
        by: Ints = np.zeros((self.mine, self.views, len(node.by)), np.int64)
        for i, (_, col) in enumerate(node.by):
            self._put(by[..., i], (mine, view), batch(col, r.base, {}, len(r.tag)))
        there: Bools = np.zeros((self.mine, self.views, self.holes), bool)
        there[mine, view, hole] = True
        fork = Fork(len(self.forks), node.name, node.choices, by, there, [])
        self.forks.append(fork)
        for i, kid in enumerate(node.kids):
            if i and self.apart:
                lane, self.lanes = self.lanes, self.lanes + 1
            fork.kids.append(self._stage(replace(r, node=kid, at=0), lane))
        return fork


def solved(stage: Stage, chance: Floats, nets: Floats, values: list[Floats], charted: bool, picks: Picks) -> Floats:
    """What every deal brings, times its chance, with the best choice before the play: for the very cards, or with
    `charted` for all that looks the same. `values`: by leaf, what the play brings. The choices go into `picks`."""
    ended = np.where(stage.label >= 0, nets[stage.label], 0) + stage.bank
    played = (chance * stage.goes).sum(2)
    out: Floats = (chance * ended).sum(2) + played * np.where(played > 0, values[stage.number], 0)
    for fork in stage.forks:
        worth = np.stack([solved(kid, chance, nets, values, charted, picks) for kid in fork.kids])
        best = worth
        if charted:
            best = _together(fork, worth)
        choice = np.where(fork.asked, best.argmax(0), 0)
        picks[fork.number] = choice, worth
        out = out + np.where(fork.asked, np.take_along_axis(worth, choice[None], 0)[0], 0)
    return out


def _together(fork: Fork, worth: Floats) -> Floats:
    """The sums over all deals that look the same to a chart; a wager of its own goes by the dealer's cards alone."""
    if fork.aside:
        return np.asarray(np.zeros(worth.shape) + np.where(fork.asked, worth, 0).sum(1, keepdims=True))
    looks = fork.by.reshape(-1, fork.by.shape[2])
    _, back = np.unique(looks, axis=0, return_inverse=True)
    flat = np.where(fork.asked, worth, 0).reshape(len(worth), -1)
    sums = np.stack([np.bincount(back.reshape(-1), w) for w in flat])
    return np.asarray(sums[:, back.reshape(-1)].reshape(worth.shape))


def opened(stages: Stage, picks: Picks) -> Opened:
    """The deals as these choices leave them."""
    shape, leaves = stages.label.shape, stages.leaves()
    label, bank, staked = np.full(shape, -1, np.int64), np.zeros(shape), np.zeros(shape)
    plays: list[Bools] = [np.zeros(shape, bool) for _ in leaves]

    def add(stage: Stage, some: Bools) -> None:
        here = some[..., None]
        np.copyto(label, stage.label, where=here & (stage.label >= 0))
        bank[:] += np.where(here, stage.bank, 0)
        staked[:] += np.where(here, stage.staked, 0)
        plays[stage.number] = stage.goes & here
        for fork in stage.forks:
            for i, kid in enumerate(fork.kids):
                add(kid, some & fork.asked & (picks[fork.number][0] == i))

    add(stages, np.ones(shape[:2], bool))
    return Opened(label, bank, staked, plays, picks)
