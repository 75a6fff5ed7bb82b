"""Exact analysis of a game in which the player's hands and then the dealer's grow card by card.

All rules come from the game's graph (`pitboss.exact.positions`). What is known here is the structure: a player draws
and decides; the hands of a split are separate wagers that add up; then the dealer, who has one hidden card, draws
without decisions. Two strategies:

- optimal: the best choice for the very cards of the hand, the up-card and the shoe. Split hands are all played by one
  fixed strategy: as the same cards would be played unsplit, of what is allowed then; a pair that comes again is split
  again. A player who remembered the cards of his other split hands could gain a little more.
- basic: a chart, one choice for everything that a decision is made `by` (total, soft, up-card) and for the choices
  offered: the one that is best on average over all hands that come there. Between choices that are always offered
  (stand, hit) hands of any length decide together, as on the charts that are printed.

Numbers are floating point (64 bits): sums of positive and negative terms with a relative error of about 1e-13, exact
in method but no fractions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pitboss.cards.codes import RANK_NAMES
from pitboss.exact.drawn_chart import ChartOf
from pitboss.exact.drawn_rules import same_rules
from pitboss.exact.growing import Growing, Play
from pitboss.exact.plan import TooLarge
from pitboss.exact.splits import split_values
from pitboss.exact.steps import DECIDE, Floats, Ints
from pitboss.ledger.records import Chart
from pitboss.rules.errors import BadInput
from pitboss.rules.graph import Graph
from pitboss.rules.house import House

if TYPE_CHECKING:
    from pitboss.compile import Keys

MOST_ROUNDS = 8  # of making a chart better


@dataclass(frozen=True)
class HandValue:
    """A two-card hand against an up-card: the expectation of every choice, in units of the main wager."""

    cards: tuple[str, str]
    up: str
    probability: float  # of being dealt this and coming to the choice
    expectations: dict[str, float]
    best: str


@dataclass(frozen=True)
class Outcome:
    """One way in which rounds end, its probability, and what it brings (all split rounds together: on average)."""

    name: str
    net: float
    probability: float


@dataclass(frozen=True)
class Unsplit:
    """Rounds without a split, whose spread is exact; hands of one split depend on each other, so theirs is not."""

    probability: float
    net: float  # the sum of what they bring, times how likely each is
    squares: float  # and of its squares
    split: float  # the probability of a split


class Drawing(Growing):
    """The main wager of such a game, for one shoe."""

    def __init__(
        self, house: House, strategy: str = "optimal", like: "Drawing | None" = None, plain: bool = True,
        graph: Graph | None = None, given: Chart | None = None,
    ) -> None:  # fmt: skip
        """`like` is an analysis of another shoe under the same rules, whose positions are taken over. `plain=False`
        lets the basic chart tell a hand of two cards from a longer one of the same total, by the choices offered.
        `given` is a chart to play by as the basic one, instead of the best."""
        if strategy not in ("optimal", "basic"):
            raise BadInput(f"the strategy of a drawing game is optimal or basic, not {strategy!r}")
        if like is not None and not same_rules(like.house, house):
            like = None
        super().__init__(house, like, graph=graph)
        self.strategy, self.plain, self.given = strategy, plain, given
        self.names = [RANK_NAMES[ranks[0]] for ranks in self.p.classes]

    # ---- the chart

    @cached_property
    def basic_play(self) -> tuple[Play, Ints]:
        """The chart that is best on average against itself: the play, and the choice by key of the chart."""
        play, keys = self.optimal_play, self.keys
        if self.given is not None:
            chart = np.array([self.moves.index(self.given[key]) for key in self.looked_up], np.int64)
            keys.check(self.p, chart)
            taken = keys.taken(chart)
            return self.back(split_values(self.shoe, taken), taken), chart
        chart = np.zeros(0, np.int64)
        faint = self.reach(None)
        for _ in range(MOST_ROUNDS):
            better = keys.best(self, play, faint, self.plain)
            if np.array_equal(better, chart):
                break
            chart = better
            taken = keys.taken(chart)
            play = self.back(split_values(self.shoe, taken), taken)
        keys.check(self.p, chart)
        return play, chart

    @cached_property
    def keys(self) -> ChartOf:
        return self.rules.chart

    # ---- answers

    def _before(self, strategy: str) -> tuple[float, Ints]:
        """Rounds that end at once and wagers settled before the play, and the choice before the play by deal."""
        stacked = self._opened.sum(4)
        summed = stacked if strategy == "optimal" else np.zeros(stacked.shape) + stacked.sum(axis=(1, 3), keepdims=True)
        choice = np.where(self.p.asked, summed.argmax(0), 0)
        return float(np.take_along_axis(stacked, choice[None], 0).sum()), choice

    @cached_property
    def _opened(self) -> Floats:
        """What rounds that end at once and wagers settled before the play bring, by choice before the play and deal."""
        p, k = self.p, self.p.size
        nets = [np.where(x.label >= 0, p.nets[x.label], 0) + x.bank for x in p.openings]
        return np.stack([self.chance4 * net.reshape(k, k, k, k) for net in nets])

    def _play(self, strategy: str) -> Play:
        return self.optimal_play if strategy == "optimal" else self.basic_play[0]

    def _edge(self, strategy: str) -> float:
        return -(self._before(strategy)[0] + self.played(self._play(strategy)))

    @cached_property
    def optimal_edge(self) -> float:
        return self._edge("optimal")

    @cached_property
    def basic_edge(self) -> float:
        return self._edge("basic")

    @cached_property
    def seen_edge(self) -> float:
        """The house edge against a player who sees the hidden card too: the best choice for his cards and both of the
        dealer's, before the play as well. Split hands are played as the same cards would be unsplit, here too."""
        opened = np.where(self.p.asked[..., None], self._opened.max(0), self._opened[0])
        some = (self.chance4 > 0) & (self.p.start >= 0)[..., None] & self.p.allowed[None, :, None, :]
        known = (Growing(self.house, self, int(hole)) for hole in np.flatnonzero(some.any(axis=(0, 1, 2))))
        return -(float(opened.sum()) + sum(x.played(x.optimal_play) for x in known))

    @property
    def edge(self) -> float:
        """The house edge of a fresh shoe under the strategy, per unit bet before the deal."""
        return self.optimal_edge if self.strategy == "optimal" else self.basic_edge

    @property
    def wagered(self) -> float:
        """What is staked in all under the strategy, per unit bet before the deal: the element of risk is the edge by
        this."""
        return self.staked(self.strategy)

    def staked(self, strategy: str) -> float:
        """The same for either strategy: splits, doubles and what is bet before the play included."""
        p, k = self.p, self.p.size
        stakes = [np.where(x.label >= 0, p.stakes[x.label], 0) + x.staked for x in p.openings]
        every = np.stack([self.chance4 * s.reshape(k, k, k, k) for s in stakes]).sum(4)
        before = float(np.take_along_axis(every, self._before(strategy)[1][None], 0).sum())
        taken = self._play(strategy).taken
        ends = self._worth(p.stakes, self._dealers.staked)
        return before + self.summed(self.back(split_values(self.shoe, taken, staked=True), taken, ends))

    def unsplit(self, strategy: str | None = None) -> Unsplit:
        """The exact moments of rounds without a split, wagers before the play included."""
        p, k, strategy = self.p, self.p.size, strategy or self.strategy
        choice = np.broadcast_to(self._before(strategy)[1][..., None], (k,) * 4)[None]
        over, net, bank = (
            np.take_along_axis(np.stack(x).reshape(-1, k, k, k, k), choice, 0)[0]
            for x in zip(*((o.label >= 0, p.nets[o.label], o.bank) for o in p.openings), strict=True)
        )
        net = np.where(over, net, 0) + bank
        plays = ((p.start >= 0)[..., None] & p.allowed[None, :, None, :]) * self.chance4
        paid = (plays * bank).sum(3) / np.where(self.chance3 > 0, self.chance3, 1)
        if (np.abs(bank - paid[..., None])[plays > 0] > 1e-9).any():
            raise TooLarge("what is settled before the play goes by the hidden card")
        play, hands = self._play(strategy), self.all
        start = paid[tuple(hands.first.T)]
        nothing: Floats = np.zeros((k, k))
        ends = (np.ones(len(hands.over)), self._nets, self._worth(p.nets**2, self._dealers.net**2))
        one, mean, square = (self.back(nothing, play.taken, x).values[hands.begun] for x in ends)
        dealt = self.dealt
        sums = [dealt * one, dealt * (mean + start * one), dealt * (square + 2 * start * mean + start**2 * one)]
        ended = self.chance4 * over
        moments = [float((ended * net**i).sum() + x[dealt > 0].sum()) for i, x in enumerate(sums)]
        return Unsplit(moments[0], moments[1], moments[2], float(self._parted(play).sum()))

    def hands(self, strategy: str | None = None) -> list[HandValue]:
        """Every two-card hand with a choice against every up-card, knowing that the dealer has not ended the round."""
        play, hands, out = self._play(strategy or self.strategy), self.all, []
        for (first, up, second), hand in zip(hands.first, hands.begun, strict=True):
            if first <= second and hands.kind[hand] == DECIDE and self.chance3[first, up, second] > 0:
                worth, take = play.choices[hands.row[hand]], play.taken[hands.row[hand]]
                choices = self.p.choices[self.p.asks[hands.position[hand]]]
                chance = self.chance3[first, up, second] + (self.chance3[second, up, first] if first < second else 0)
                values = {c: float(w) for c, w in zip(choices, worth, strict=False)}
                cards = (self.names[first], self.names[second])
                out.append(HandValue(cards, self.names[up], float(chance), values, choices[take]))
        return out

    def before_play(self) -> dict[str, float]:
        """By up-card: what a wager offered before the play (insurance) brings, per unit bet on it."""
        p, k = self.p, self.p.size
        if p.before is None:
            return {}
        stake = p.openings[-1].stake
        gain = (p.openings[-1].bank - p.openings[0].bank).reshape(k, k, k, k)
        chance, asked = self.chance4 * p.asked[..., None], p.asked.any(axis=(0, 2))
        return {
            self.names[up]: float((chance * gain)[:, up].sum() / chance[:, up].sum() / stake)
            for up in np.flatnonzero(asked)
            if chance[:, up].sum() > 0
        }

    def taken_before(self) -> dict[str, list[str]]:
        """A decision before the play: the choices that the chart ever makes there."""
        before = self.p.before
        if before is None:
            return {}
        return {before.name: [before.choices[i] for i in np.unique(self._before("basic")[1][self.p.asked])]}

    @cached_property
    def chart(self) -> Chart:
        """The basic strategy: (choices offered, what the decision is made by) -> choice."""
        return {key: self.moves[m] for key, m in zip(self.looked_up, self.basic_play[1].tolist(), strict=True)}

    @property
    def looked_up(self) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
        """Everything that a chart has an answer to, in the order of its keys."""
        keys = self.keys.keys
        return [(self.p.choices[i], tuple(by)) for i, by in zip(keys[:, 0], keys[:, 1:].tolist(), strict=True)]

    def strategy_array(self, keys: "Keys") -> NDArray[np.uint8]:
        """The basic strategy for a simulator: the number of the choice for everything that a decision is made by."""
        out: NDArray[np.uint8] = np.zeros(keys.size, np.uint8)
        before = self._before("basic")[1]
        for (name, choices, ranges, _), offset in keys.regions.items():
            answers = [(by, wanted.index(c)) for (wanted, by), c in self.chart.items() if wanted == choices]
            if self.p.before is not None and (self.p.before.name, self.p.before.choices) == (name, choices):
                asked = self.p.asked
                answers = list(zip(map(tuple, self.p.before_by[asked].tolist()), before[asked].tolist(), strict=True))
            for by, answer in answers:
                if all(lo <= v <= hi for v, (lo, hi) in zip(by, ranges, strict=False)):
                    place = 0
                    for v, (lo, hi) in zip(by, ranges, strict=False):
                        place = place * (hi - lo + 1) + v - lo
                    out[offset + place] = answer
        return out

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """How rounds end under the strategy, without wagers that are settled before the play. Hands of one split depend
        on each other, so of rounds with a split only the mean is given."""
        p, play, hands = self.p, self._play(self.strategy), self.all
        by_label: Floats = np.zeros(len(p.labels))
        ended = p.openings[0].label >= 0
        np.add.at(by_label, p.openings[0].label[ended], self.chance4.reshape(-1)[ended])
        reach = self.reach(play)[hands.over]
        position = hands.position[hands.over]
        sure = p.certain[position] >= 0
        np.add.at(by_label, p.certain[position[sure]], reach[sure])
        some = np.flatnonzero(~sure & (reach > 0))
        place = self.shoe.places(hands.up[hands.over[some]], hands.open[some])
        np.add.at(
            by_label,
            self._dealers.label[self._dealers.ending[position[some]]],
            self.shoe.chances[place] * reach[some, None],
        )
        out = [Outcome(x.name, float(x.net), float(c)) for x, c in zip(p.labels, by_label, strict=True) if c > 0]
        chance = self._parted(play)
        if chance.any():
            mean = (chance * np.where(chance > 0, play.values[hands.begun], 0)).sum() / chance.sum()
            out.append(Outcome("split", float(mean), float(chance.sum())))
        return out

    def _parted(self, play: Play) -> Floats:
        """By deal: the chance of it, if it is split."""
        row = self.all.row[self.all.begun]
        asked = self.all.kind[self.all.begun] == DECIDE
        row = np.where(asked, row, 0)
        parts = asked & (self.all.parting[row] >= 0) & (play.taken[row] == self.all.parting[row])
        return np.where(parts, self.dealt, 0)

    def advice_before(self, up: int, decision: str, choices: Sequence[str]) -> dict[str, float] | None:
        """A decision before the play, such as insurance: a choice is worth what its wager brings. None for another."""
        before = self.p.before
        if before is None or (decision, tuple(choices)) != (before.name, before.choices):
            return None
        brings = self.before_play()[self.names[self.p.class_of[up]]]
        return {c: brings * o.stake if o.stake else 0.0 for c, o in zip(choices, self.p.openings, strict=True)}

    def advice(self, cards: Sequence[int], up: int, choices: Sequence[str] | None = None) -> dict[str, float]:
        """The expectation of every choice for a hand of any length (card codes, which the shoe still counts) against an
        up-card, knowing that the dealer has not ended the round.

        After a split, name the choices that are offered then: they are worth what they are to the same cards unsplit,
        by which split hands are played here. The cards of the other hands may be left out of the shoe.
        """
        key = self.shoe.bit[self.p.class_of[list(cards)]].sum()
        code = key * self.p.size + self.p.class_of[up]
        codes, left = self.all.codes, self.shoe.left(np.array([self.p.class_of[up]]), np.array([key]))
        place = int(np.searchsorted(codes, code))
        if place == len(codes) or codes[place] != code or left.min() < 0:
            raise BadInput("there is nothing to decide for these cards, or the shoe does not have them")
        named = dict(zip(self.moves, self._named[place].tolist(), strict=True))
        wanted = choices if choices is not None else [m for m in self.moves if np.isfinite(named[m])]
        return {c: named[c] for c in wanted if np.isfinite(named.get(c, -np.inf))}

    @cached_property
    def _named(self) -> Floats:
        return self.named(self._play(self.strategy).choices)[self.all.known]
