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

from pitboss.cards.codes import RANK_NAMES, SUIT_NAMES
from pitboss.exact.drawn_chart import ChartOf
from pitboss.exact.drawn_opening import Opened
from pitboss.exact.drawn_rounds import DECIDE, DRAW, Floats, Ints
from pitboss.exact.drawn_rules import same_rules
from pitboss.exact.growing import Growing, Play
from pitboss.exact.plan import TooLarge
from pitboss.exact.splits import split_values
from pitboss.ledger.records import Chart
from pitboss.rules.errors import BadInput
from pitboss.rules.graph import Graph
from pitboss.rules.house import House

if TYPE_CHECKING:
    from pitboss.compile import Keys

MOST_ROUNDS = 8  # of making a chart better


@dataclass(frozen=True)
class HandValue:
    """The first cards against those of the dealer: the expectation of every choice, in units of the main wager."""

    cards: tuple[str, ...]
    up: str
    probability: float  # of being dealt this and coming to the choice
    expectations: dict[str, float]
    best: str
    offered: tuple[str, ...] = ()


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
        kinds = self.p.kinds
        self.names = [RANK_NAMES[ranks[0]] for ranks in kinds.ranks]  # by class of the dealer's cards
        self.cards = [  # and of the player's
            self.names[kinds.group[i]] + f" of {SUIT_NAMES[code % 4]}" * kinds.suits
            for i, code in enumerate(kinds.codes)
        ]

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
        faint = self.reach(None, self.anyhow)
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

    @cached_property
    def _openings(self) -> dict[str, tuple[float, Opened]]:
        return {}

    def _opened(self, strategy: str) -> tuple[float, Opened]:
        """What a round brings under a strategy, and the choices that it makes before the play."""
        if strategy not in self._openings:
            self._openings[strategy] = self.opening(self._play(strategy), strategy == "basic")
        return self._openings[strategy]

    def _play(self, strategy: str) -> Play:
        return self.optimal_play if strategy == "optimal" else self.basic_play[0]

    def _edge(self, strategy: str) -> float:
        return -self.played(self._play(strategy), strategy == "basic")

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
        if self.p.holes != 1:
            raise TooLarge("there is no one hidden card to see")
        some = np.flatnonzero((self.chance > 0).any(axis=(0, 1)))
        known = (Growing(self.house, self, int(hole)) for hole in some)
        return -sum(x.played(x.optimal_play, False) for x in known)

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
        p, (_, found) = self.p, self._opened(strategy)
        before = float((self.chance * (np.where(found.label >= 0, p.stakes[found.label], 0) + found.staked)).sum())
        taken = self._play(strategy).taken
        ends = self._worth(p.stakes, self._dealers.staked)
        return before + self.summed(self.back(split_values(self.shoe, taken, staked=True), taken, ends), found)

    def unsplit(self, strategy: str | None = None) -> Unsplit:
        """The exact moments of rounds without a split, wagers before the play included."""
        p, strategy = self.p, strategy or self.strategy
        _, found = self._opened(strategy)
        over = found.label >= 0
        net = np.where(over, p.nets[found.label], 0) + found.bank
        plays = self.chance * np.any(found.plays, axis=0)
        played = plays.sum(2)
        paid = (plays * found.bank).sum(2) / np.where(played > 0, played, 1)
        if (np.abs(found.bank - paid[..., None])[plays > 0] > 1e-9).any():
            raise TooLarge("what is settled before the play goes by the hidden card")
        play, hands = self._play(strategy), self.all
        start = paid[hands.first[:, 1], hands.first[:, 2]]
        nothing: Floats = np.zeros((p.ranks, len(p.views)))
        ends = (np.ones(len(hands.over)), self._nets, self._worth(p.nets**2, self._dealers.net**2))
        one, mean, square = (self.back(nothing, play.taken, x).values[hands.begun] for x in ends)
        dealt = self.dealt(found)
        sums = [dealt * one, dealt * (mean + start * one), dealt * (square + 2 * start * mean + start**2 * one)]
        ended = self.chance * over
        moments = [float((ended * net**i).sum() + x[dealt > 0].sum()) for i, x in enumerate(sums)]
        return Unsplit(moments[0], moments[1], moments[2], float(self._parted(strategy)[0]))

    def hands(self, strategy: str | None = None) -> list[HandValue]:
        """Every choice with the first cards against every view of the dealer's, knowing that he has not ended the
        round."""
        strategy = strategy or self.strategy
        play, hands, p = self._play(strategy), self.all, self.p
        known: dict[tuple[tuple[int, ...], int, int], float] = {}
        chances = self.anyhow
        for (_, mine, view), hand, chance in zip(hands.first.tolist(), hands.begun.tolist(), chances, strict=True):
            cards = tuple(sorted(p.mine[mine].tolist()))
            for asked in self._asked_at_once(hand) if chance > 0 else ():
                known[cards, view, asked] = known.get((cards, view, asked), 0.0) + chance
        out = []
        for (cards, view, hand), chance in known.items():
            worth, take = play.choices[hands.row[hand]], play.taken[hands.row[hand]]
            choices = p.choices[p.asks[hands.position[hand]]]
            values = {c: float(w) for c, w in zip(choices, worth, strict=False) if np.isfinite(w)}
            names = tuple(self.cards[c] for c in cards)
            out.append(HandValue(names, self._view(view), float(chance), values, choices[take], choices))
        return [*self._before_hands(strategy), *out]

    def _before_hands(self, strategy: str) -> list[HandValue]:
        """The same of choices before the play, but for those about a wager of their own."""
        out = []
        picks = self._opened(strategy)[1].picks
        for fork in self.p.forks:
            (choice, worth), chance = picks[fork.number], (self.chance * fork.there).sum(2)
            for mine, view in np.argwhere(chance > 0).tolist() if not fork.aside else ():
                cards = self.p.mine[mine].tolist()
                if cards == sorted(cards):
                    names = tuple(self.cards[c] for c in cards)
                    brings = worth[:, mine, view] / chance[mine, view]
                    values = {c: float(w) for c, w in zip(fork.choices, brings, strict=True)}
                    best = fork.choices[choice[mine, view]]
                    often = sum(chance[m, view] for m in np.flatnonzero((np.sort(self.p.mine, 1) == cards).all(1)))
                    out.append(HandValue(names, self._view(view), float(often), values, best, fork.choices))
        return out

    def _asked_at_once(self, hand: int) -> list[int]:
        """The decisions that come before another card."""
        hands = self.all
        if hands.kind[hand] != DECIDE:
            return []
        after = hands.to[hands.row[hand]].tolist()
        return [hand, *(x for to in dict.fromkeys(after) if to >= 0 for x in self._asked_at_once(to))]

    def _view(self, view: int) -> str:
        return " ".join(self.names[c] for c in self.p.in_view[view])

    def before_play(self) -> dict[str, float]:
        """By view of the dealer's cards: what a wager offered before the play (insurance) brings, per unit bet on
        it."""
        fork = next((f for f in self.p.forks if f.aside), None)
        if fork is None or not fork.kids[-1].stake:
            return {}
        bare, taken = (sum(leaf.bank for leaf in kid.leaves()) for kid in (fork.kids[0], fork.kids[-1]))
        chance = self.chance * fork.asked[..., None]
        asked = [v for v in range(len(self.p.in_view)) if chance[:, v].sum() > 0]
        gain = chance * (taken - bare)
        return {self._view(v): float(gain[:, v].sum() / chance[:, v].sum() / fork.kids[-1].stake) for v in asked}

    def taken_before(self) -> dict[str, list[str]]:
        """A decision before the play: the choices that the chart ever makes there."""
        picks = self._opened("basic")[1].picks
        return {f.name: [f.choices[i] for i in np.unique(picks[f.number][0][f.asked])] for f in self.p.forks}

    @cached_property
    def chart(self) -> Chart:
        """The basic strategy: (choices offered, what the decision is made by) -> choice. Of choices before the play,
        those that are not about a wager of their own."""
        out = {key: self.moves[m] for key, m in zip(self.looked_up, self.basic_play[1].tolist(), strict=True)}
        picks = self._opened("basic")[1].picks
        for f in self.p.forks:
            looks, picked = f.by[f.asked].tolist(), picks[f.number][0][f.asked].tolist()
            out |= {(f.choices, tuple(by)): f.choices[i] for by, i in zip(looks, picked, strict=True) if not f.aside}
        return out

    @property
    def looked_up(self) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
        """Everything that a chart has an answer to, in the order of its keys."""
        keys = self.keys.keys
        return [(self.p.choices[i], tuple(by)) for i, by in zip(keys[:, 0], keys[:, 1:].tolist(), strict=True)]

    def strategy_array(self, keys: "Keys") -> NDArray[np.uint8]:
        """The basic strategy for a simulator: the number of the choice for everything that a decision is made by."""
        out: NDArray[np.uint8] = np.zeros(keys.size, np.uint8)
        picks = self._opened("basic")[1].picks
        for (name, choices, ranges, _), offset in keys.regions.items():
            answers = [(by, wanted.index(c)) for (wanted, by), c in self.chart.items() if wanted == choices]
            for f in self.p.forks:
                if (f.name, f.choices) == (name, choices):
                    by, picked = f.by[f.asked].tolist(), picks[f.number][0][f.asked].tolist()
                    answers += zip(map(tuple, by), picked, strict=True)
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
        _, found = self._opened(self.strategy)
        by_label: Floats = np.zeros(len(p.labels))
        ended = found.label >= 0
        np.add.at(by_label, found.label[ended], self.chance[ended])
        reach = self.reach(play, self.dealt(found))[hands.over]
        position = hands.position[hands.over]
        sure = p.certain[position] >= 0
        np.add.at(by_label, p.certain[position[sure]], reach[sure])
        some = np.flatnonzero(~sure & (reach > 0))
        ending = self._dealers.ending[position[some]]
        place = self.shoe.places(ending, hands.open[some])
        np.add.at(by_label, self._dealers.label[ending], self.shoe.chances[place] * reach[some, None])
        out = [Outcome(x.name, float(x.net), float(c)) for x, c in zip(p.labels, by_label, strict=True) if c > 0]
        chance, net = self._parted(self.strategy)
        if chance > 0:
            out.append(Outcome("split", net / chance, chance))
        return out

    def _parted(self, strategy: str) -> tuple[float, float]:
        """The chance of a split, and what such rounds bring, times that."""
        hands, play = self.all, self._play(strategy)
        reach = self.reach(play, self.dealt(self._opened(strategy)[1]))[hands.asked]
        parts = (hands.parting >= 0) & (play.taken == hands.parting) & (reach > 0)
        worth = np.take_along_axis(play.choices, play.taken[:, None], 1)[:, 0]
        return float(reach[parts].sum()), float((reach[parts] * worth[parts]).sum())

    def advice_before(self, up: int | Sequence[int], decision: str, choices: Sequence[str]) -> dict[str, float] | None:
        """A decision before the play, such as insurance: a choice is worth what its wager brings. None for another."""
        fork = next((f for f in self.p.forks if (decision, tuple(choices)) == (f.name, f.choices) and f.aside), None)
        if fork is None:
            return None
        brings = self.before_play()[self._view(self._view_of(up))]
        return {c: brings * kid.stake if kid.stake else 0.0 for c, kid in zip(choices, fork.kids, strict=True)}

    def _view_of(self, up: int | Sequence[int]) -> int:
        up = [up] if isinstance(up, int) else up
        p, place = self.p, 0
        if len(up) < p.in_view.shape[1]:
            raise BadInput("the dealer's cards are not all in sight")
        for card in list(up)[: p.in_view.shape[1]]:
            place = place * p.ranks + int(p.kinds.his_of[card])
        return int(p.view_of[place])

    def advice(
        self, cards: Sequence[int], up: int | Sequence[int], choices: Sequence[str] | None = None
    ) -> dict[str, float]:
        """The expectation of every choice for a hand of any length (card codes, which the shoe still counts) against
        the dealer's cards in sight, knowing that he has not ended the round.

        After a split, name the choices that are offered then: they are worth what they are to the same cards unsplit,
        by which split hands are played here. The cards of the other hands may be left out of the shoe.
        """
        p, hands, view = self.p, self.all, self._view_of(up)
        kinds = [int(p.kinds.of_card[c]) for c in cards]
        held = np.bincount(kinds, minlength=p.size)[None].astype(np.uint8)
        left = self.shoe.left(np.array([view]), held)
        first = 0
        for kind in kinds[: p.mine.shape[1]]:
            first = first * p.size + kind
        starts = [
            h
            for (_, m, v), h in zip(hands.first.tolist(), hands.begun.tolist(), strict=True)
            if (m, v) == (first, view)
        ]
        rest = kinds[p.mine.shape[1] :]
        found = list(dict.fromkeys(x for s in starts for x in self._follow(s, rest))) if left.min() >= 0 else []
        if not found or len(kinds) < p.mine.shape[1]:
            raise BadInput("there is nothing to decide for these cards, or the shoe does not have them")
        rows = [dict(zip(self.moves, self._named[hands.row[h]].tolist(), strict=True)) for h in found]
        if choices is None:
            return {c: w for c, w in rows[-1].items() if np.isfinite(w)}
        best = max(rows, key=lambda row: sum(np.isfinite(row.get(c, -np.inf)) for c in choices))
        return {c: best[c] for c in choices if np.isfinite(best.get(c, -np.inf))}

    def _follow(self, hand: int, cards: Sequence[int]) -> list[int]:
        """The decisions of a hand that has drawn these cards after its first ones."""
        hands, row = self.all, self.all.row[hand]
        if hands.kind[hand] == DECIDE:
            on = [x for to in dict.fromkeys(hands.to[row].tolist()) if to >= 0 for x in self._follow(to, cards)]
            return on if cards else [hand, *on]
        return self._follow(int(hands.cards[row, cards[0]]), cards[1:]) if hands.kind[hand] == DRAW and cards else []

    @cached_property
    def _named(self) -> Floats:
        return self.named(self._play(self.strategy).choices)
