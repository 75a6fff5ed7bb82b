"""What every hand that a player can draw to is worth from one shoe, under one strategy."""

from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pitboss.exact.dealer import Dealers, Shoe
from pitboss.exact.drawn_code import call
from pitboss.exact.drawn_opening import Opened, Picks, opened, solved
from pitboss.exact.drawn_rounds import Floats, Ints, in_order
from pitboss.exact.drawn_rules import Rules, rules_of
from pitboss.exact.splits import split_values
from pitboss.rules.graph import Graph
from pitboss.rules.house import House


@dataclass(frozen=True, eq=False)
class Play:
    """One strategy: what every hand and every choice is worth, and which is taken; what splitting is worth."""

    values: Floats  # by hand
    choices: Floats  # by decision and choice
    taken: Ints  # by decision
    split: Floats  # by rank of a pair and view of the dealer's cards


class Growing:
    """The hands of a game dealt from one shoe."""

    def __init__(
        self, house: House, like: "Growing | None" = None, hole: int | None = None, graph: Graph | None = None
    ) -> None:
        """`like` is another shoe under the same rules. With `hole`, a class of cards, only rounds in which the hidden
        card is one of these are looked at: the player knows it."""
        self.house = house
        self.rules: Rules = like.rules if like else rules_of(house, graph)
        self.p, self.all, self._dealers = self.rules.positions, self.rules.hands, self.rules.dealers
        if hole is not None:
            self.p = copy(self.p)
            self.p.fits = self.p.allowed = self.p.allowed & (np.arange(self.p.ranks) == hole)
            self._dealers = Dealers(self.p)
        p, hands = self.p, self.all
        self.shoe = Shoe(hands, house.composition, self._dealers, p.allowed)
        self.dealers, self.moves, self.local = self._dealers.of, hands.moves, hands.local
        self.chance = self._first_cards()
        if hole is not None:
            self.chance = self.chance * (np.arange(p.ranks) == hole)
        drawn = hands.drawn
        reps = None if p.reps is None else p.reps[hands.position[drawn]]
        self._chance = self.shoe.draw_chances(hands.up[drawn], self.shoe.left(hands.up[drawn], hands.held[drawn], reps))
        self._nets = self._worth(p.nets, self._dealers.net)

    def _first_cards(self) -> Floats:
        """The chance of every deal: the player's cards x the view of the dealer's x his hidden ones."""
        p, shoe = self.p, self.shoe
        total = int(shoe.counts.sum())
        mine: Floats = np.ones(len(p.mine))
        for i, card in enumerate(p.mine.T):
            gone = (p.mine[:, :i] == card[:, None]).sum(1)
            mine *= np.maximum(shoe.cards[card] - gone, 0) / max(total - i, 1)
        dealt = p.mine.shape[1]
        shown, dark = p.in_view.shape[1], p.holes
        held = (p.group[p.mine][:, :, None] == np.arange(p.ranks)).sum(1)
        out: Floats = np.zeros((len(p.mine), len(p.in_view), p.ranks**dark))
        cards = in_order(*(p.ranks,) * (shown + dark)).T
        chance: Floats = np.repeat(mine[:, None], cards.shape[1], axis=1)
        for i, card in enumerate(cards):
            gone = held[:, card] + (cards[:i] == card).sum(0)
            chance *= np.maximum(shoe.counts[card] - gone, 0) / max(total - dealt - i, 1)
        for view, some in zip(
            p.view_of.tolist(), chance.reshape(len(p.mine), -1, p.ranks**dark).swapaxes(0, 1), strict=True
        ):
            out[:, view] += some
        return out

    def dealt(self, opened: Opened) -> Floats:
        """By deal that begins a play: how likely it is that it does."""
        leaf, mine, view = self.all.first.T
        chances = np.stack([(self.chance * plays).sum(2) for plays in opened.plays])
        out: Floats = chances[leaf, mine, view]
        return out

    @cached_property
    def anyhow(self) -> Floats:
        """The same when every choice before the play is made at once."""
        leaf, mine, view = self.all.first.T
        out: Floats = np.stack([(self.chance * x.goes).sum(2) for x in self.p.leaves])[leaf, mine, view]
        return out

    def opening(self, play: Play, charted: bool) -> tuple[float, Opened]:
        """What a round brings when play goes on like this, and the best choices before it."""
        p, hands, picks = self.p, self.all, Picks()
        values = [np.zeros(self.chance.shape[:2]) for _ in p.leaves]
        for (leaf, mine, view), value in zip(hands.first.tolist(), play.values[hands.begun].tolist(), strict=True):
            values[leaf][mine, view] = value
        worth = solved(p.root, self.chance, p.nets, values, charted, picks)
        return float(worth.sum()), opened(p.root, picks)

    def _worth(self, sure: Floats, by_group: Floats) -> Floats:
        """What the ends of a player's hand come to, in nets or in stakes."""
        hands = self.all
        position = hands.position[hands.over]
        out: Floats = sure[np.maximum(self.p.certain[position], 0)]
        live = np.flatnonzero((hands.open >= 0) & (self._dealers.ending[position] >= 0))
        ending = self._dealers.ending[position[live]]
        place = self.shoe.places(ending, hands.open[live])
        out[live] = np.einsum("ij,ij->i", self.shoe.chances[place], by_group[ending])
        return out

    def back(self, split: Floats | None, taken: Ints | None, ends: Floats | None = None) -> Play:
        """Expectations from the last card back: by a strategy (decision -> choice), or the best choice for every hand.
        `ends`: what ends of play come to, if not what they bring."""
        hands, p = self.all, self.p
        values: Floats = np.zeros(len(hands.kind))
        values[hands.over] = self._nets if ends is None else ends
        parts: Floats = np.full(len(hands.asked), -np.inf)
        if split is not None:
            some = hands.parting >= 0
            parts[some] = split[hands.pair[some], hands.up[hands.asked[some]]]
            parts[np.isnan(parts)] = -np.inf
        wide = hands.to.shape[1]
        worth: Floats = np.zeros((len(hands.asked), wide))
        out: Ints = np.zeros(len(hands.asked), np.int64)
        told = np.full(len(hands.asked), -1, np.int64) if taken is None else taken
        tables = (hands.kind, hands.row, hands.to, hands.cards, self._chance, parts, hands.parting, told)
        call("back", len(hands.kind), p.size, wide, *tables, values, worth, out)
        nothing: Floats = np.zeros((p.ranks, len(p.views)))
        return Play(values, worth, out, nothing if split is None else split)

    def reach(self, play: Play | None, begun: Floats) -> Floats:
        """How likely each hand is under a strategy, or if every choice were made at random. `begun`: by deal."""
        hands = self.all
        out: Floats = np.bincount(hands.begun, begun, len(hands.kind)).astype(np.float64)
        return self.onward(play, out)

    def onward(self, play: Play | None, out: Floats) -> Floats:
        """From hands that are so likely to all that they lead to."""
        hands = self.all
        taken = np.full(len(hands.asked), -1, np.int64) if play is None else play.taken
        tables = (hands.kind, hands.row, hands.to, hands.cards, self._chance, taken)
        call("reach", len(hands.kind), self.p.size, hands.to.shape[1], *tables, out)
        return out

    def played(self, play: Play, charted: bool) -> float:
        """What a round brings on average."""
        worth, found = self.opening(play, charted)
        self.shoe.check_length(self.reach(play, self.dealt(found)))
        return worth

    def summed(self, play: Play, found: Opened) -> float:
        """The average over all deals that are played."""
        dealt = self.dealt(found)
        some = dealt > 0
        return float((dealt[some] * play.values[self.all.begun[some]]).sum())

    @cached_property
    def optimal_play(self) -> Play:
        """A hand of a split is played as is best for its own pay, judged from a shoe without its own cards only: as the
        same cards are played unsplit, of what is allowed, if it is paid alike."""
        plain = self.back(None, None)
        split = split_values(self.shoe, plain.taken)
        best = self.back(split, None)
        if self.p.reps is None or not (self.all.parting >= 0).any():
            return best
        # what a split is worth is known on average over suits, so whether a pair is split goes by its rank alone
        hands = self.all
        some = np.flatnonzero(hands.parting >= 0)
        weight = self.reach(None, self.anyhow)[hands.asked[some]]
        gain = split[hands.pair[some], hands.up[hands.asked[some]]] - plain.choices.max(1)[some]
        group = hands.pair[some] * len(self.p.views) + hands.up[hands.asked[some]]
        gains = np.bincount(group, weight * np.where(np.isfinite(gain), gain, 0))[group]
        taken = best.taken
        taken[some] = np.where(gains > 0, hands.parting[some], plain.taken[some])
        return self.back(split, taken)

    def named(self, worth: Floats) -> Floats:
        """The worth of every choice that the game knows, in the order of `moves`; not offered: minus infinity."""
        local = self.local[self.p.asks[self.all.position[self.all.asked]]]
        out: Floats = np.where(local >= 0, np.take_along_axis(worth, np.maximum(local, 0), 1), -np.inf)
        return out
