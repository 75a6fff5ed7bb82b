"""What every hand that a player can draw to is worth from one shoe, under one strategy."""

from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pitboss.exact.dealer import Dealers, Shoe
from pitboss.exact.drawn_code import call
from pitboss.exact.drawn_rules import Rules, rules_of
from pitboss.exact.splits import split_values
from pitboss.exact.steps import Floats, Ints
from pitboss.rules.graph import Graph
from pitboss.rules.house import House


@dataclass(frozen=True, eq=False)
class Play:
    """One strategy: what every hand and every choice is worth, and which is taken; what splitting is worth."""

    values: Floats  # by hand
    choices: Floats  # by decision and choice
    taken: Ints  # by decision
    split: Floats  # by pair and up-card


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
            self.p.allowed = self.p.allowed & (np.arange(self.p.size) == hole)
            self._dealers = Dealers(self.p, self._dealers)
        p = self.p
        counts = np.bincount(p.class_of, np.array(house.composition), p.size).astype(np.int64)
        self.shoe = Shoe(self.all, counts, self._dealers, p.allowed)
        self.dealers, self.moves, self.local = self._dealers.of, self.all.moves, self.all.local
        self._first_four()
        hands = self.all
        self._chance = self.shoe.draw_chances(hands.up[hands.drawn], hands.key[hands.drawn])
        self._nets = self._worth(p.nets, self._dealers.net)

    def _first_four(self) -> None:
        """The chance of every first card, up-card, second card and hidden card."""
        k = self.p.size
        cards = np.indices((k,) * 4).reshape(4, -1)
        chance: Floats = np.ones(k**4)
        for i in range(4):
            gone = sum(cards[j] == cards[i] for j in range(i)) if i else 0
            chance *= np.maximum(self.shoe.counts[cards[i]] - gone, 0) / max(int(self.shoe.counts.sum()) - i, 1)
        self.chance4 = chance.reshape(k, k, k, k)
        plays = (self.p.start >= 0)[..., None] & self.p.allowed[None, :, None, :]
        self.chance3: Floats = (self.chance4 * plays).sum(3)  # and the play begins
        self.dealt: Floats = self.chance3[tuple(self.all.first.T)]
        self.begun: Floats = np.bincount(self.all.begun, self.dealt, len(self.all.kind)).astype(np.float64)

    def _worth(self, sure: Floats, by_group: Floats) -> Floats:
        """What the ends of a player's hand come to, in nets or in stakes."""
        hands = self.all
        position = hands.position[hands.over]
        out: Floats = sure[np.maximum(self.p.certain[position], 0)]
        live = np.flatnonzero(hands.open >= 0)
        place = self.shoe.places(hands.up[hands.over[live]], hands.open[live])
        net = by_group[self._dealers.ending[position[live]]]
        out[live] = np.einsum("ij,ij->i", self.shoe.chances[place], net)
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
        nothing: Floats = np.zeros((p.size, p.size))
        return Play(values, worth, out, nothing if split is None else split)

    def reach(self, play: Play | None, begun: Floats | None = None) -> Floats:
        """How likely each hand is under a strategy, or if every choice were made at random."""
        hands = self.all
        out = (self.begun if begun is None else begun).copy()
        taken = np.full(len(hands.asked), -1, np.int64) if play is None else play.taken
        tables = (hands.kind, hands.row, hands.to, hands.cards, self._chance, taken)
        call("reach", len(hands.kind), self.p.size, hands.to.shape[1], *tables, out)
        return out

    def played(self, play: Play) -> float:
        """What rounds that are played bring on average; those that end at once count as nothing."""
        self.shoe.check_length(self.reach(play))
        return self.summed(play)

    def summed(self, play: Play) -> float:
        """The average over all deals that are played."""
        dealt = self.dealt > 0
        return float((self.dealt[dealt] * play.values[self.all.begun[dealt]]).sum())

    @cached_property
    def optimal_play(self) -> Play:
        """A hand of a split is played as is best for its own pay, judged from a shoe without its own cards only: as the
        same cards are played unsplit, of what is allowed, if it is paid alike."""
        plain = self.back(None, None)
        return self.back(split_values(self.shoe, plain.taken), None)

    def named(self, worth: Floats) -> Floats:
        """The worth of every choice that the game knows, in the order of `moves`; not offered: minus infinity."""
        local = self.local[self.p.asks[self.all.position[self.all.asked]]]
        out: Floats = np.where(local >= 0, np.take_along_axis(worth, np.maximum(local, 0), 1), -np.inf)
        return out
