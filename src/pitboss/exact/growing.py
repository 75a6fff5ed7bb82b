"""Every hand that a player can draw to, as cards and not only as a position, and what each is worth from one shoe.

Hands are kept in layers: a choice or a card leads to the next layer. Hands of the same cards in the same position are
one, whatever their order. So expectations are a few vectorised sums, from the last layer back.
"""

from copy import copy
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pitboss.exact.dealer import Dealer, Shoe, merged
from pitboss.exact.positions import Positions, positions_of
from pitboss.exact.splits import split_values
from pitboss.exact.steps import DECIDE, DRAW, STOP, Floats, Ints
from pitboss.rules.graph import Graph
from pitboss.rules.house import House
from pitboss.rules.rewrite import only
from pitboss.rules.trace import trace


@dataclass(frozen=True, eq=False)
class Layer:
    """Hands of one stage: a choice or a card leads from here to the next stage, whose places `to` and `cards` give."""

    position: Ints
    key: Ints
    asked: Ints
    to: Ints  # asked x choices
    drawn: Ints
    cards: Ints  # drawn x classes
    chance: Floats
    over: Ints


@dataclass(frozen=True, eq=False)
class Play:
    """One strategy: what every choice is worth and which is taken, by layer; what splitting is worth."""

    values: list[Floats]  # by layer: the worth of each hand
    choices: list[Floats]  # by layer: asked x choices
    taken: list[Ints]
    split: Floats


class Growing:
    """The hands of a game dealt from one shoe."""

    def __init__(self, house: House, like: "Growing | None" = None, hole: int | None = None, graph: Graph | None = None) -> None:
        """`like` is another shoe under the same rules. With `hole`, a class of cards, only rounds in which the hidden
        card is one of these are looked at: the player knows it."""
        self.house = house
        self.p: Positions = like.p if like else positions_of(house, graph or only(trace(house), [w.name for w in house.parties[house.main[0]]]))
        self.dealers: list[Dealer] = like.dealers if like else [Dealer(self.p, up) for up in range(self.p.size)]
        if hole is not None:
            self.p = copy(self.p)
            self.p.allowed = self.p.allowed & (np.arange(self.p.size) == hole)
            some = [self.p.allowed[up].any() for up in range(self.p.size)]
            self.dealers = [Dealer(self.p, up) if some[up] else dealer for up, dealer in enumerate(self.dealers)]
        p = self.p
        counts = np.bincount(p.class_of, np.array(house.composition), p.size).astype(np.int64)
        self.shoe = Shoe(p, counts, self.dealers)
        self.moves = list(dict.fromkeys(c for choices in p.choices for c in choices))
        self.local: Ints = np.array([[c.index(m) if m in c else -1 for m in self.moves] for c in p.choices])
        self._first_four()
        self._grow()

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

    def _grow(self) -> None:
        """Every hand that the player can draw to, however he chooses; hands of the same cards are one."""
        p = self.p
        self.first = np.argwhere(self.chance3 > 0)
        position = p.start[tuple(self.first.T)]
        key = self.shoe.bit[self.first[:, 0]] + self.shoe.bit[self.first[:, 2]]
        self.layers: list[Layer] = []
        while len(position):
            kind = p.kind[position]
            asked, drawn, over = (np.flatnonzero(kind == x) for x in (DECIDE, DRAW, STOP))
            to, cards = p.moves[position[asked]], p.draws[position[drawn]]
            chance = self.shoe.draw_chances(p.up[position[drawn]], key[drawn])
            grown = key[drawn, None] + self.shoe.bit
            able, dealt = to >= 0, chance > 0
            next_position = np.concatenate([to[able], cards[dealt]])
            next_key = np.concatenate([np.broadcast_to(key[asked, None], to.shape)[able], grown[dealt]])
            next_key = np.where(p.certain[next_position] >= 0, 0, next_key)
            one, back = merged(next_position, next_key)
            to_place, card_place = np.full(to.shape, -1), np.zeros(cards.shape, np.int64)
            to_place[able], card_place[dealt] = back[: able.sum()], back[able.sum() :]
            self.layers.append(Layer(position, key, asked, to_place, drawn, card_place, chance, over))
            position, key = next_position[one], next_key[one]
        self.over = (
            np.concatenate([x.position[x.over] for x in self.layers]),
            np.concatenate([x.key[x.over] for x in self.layers]),
        )
        parts = np.cumsum([len(x.over) for x in self.layers])[:-1]
        self._worth = np.split(self.shoe.worth(*self.over), parts)  # in one go, which is much faster
        codes = [self.code(p.up[x.position[x.asked]], x.key[x.asked]) for x in self.layers]
        self.order = np.argsort(np.concatenate(codes), kind="stable")
        self.codes = np.concatenate(codes)[self.order]

    def code(self, up: Ints, key: Ints) -> Ints:
        return key * self.p.size + up

    def back(self, split: Floats | None, chart: Ints | None) -> Play:
        """Expectations from the last card back: by a chart (position -> choice), or the best choice for every hand."""
        p = self.p
        later: Floats = np.zeros(1)
        values, choices, taken = [], [], []
        for number, x in reversed(list(enumerate(self.layers))):
            value: Floats = np.zeros(len(x.position))
            value[x.over] = self._worth[number]
            value[x.drawn] = (x.chance * later[x.cards]).sum(1)
            worth = np.where(x.to >= 0, later[x.to], -np.inf)
            at = x.position[x.asked]
            if number == 0 and split is not None:
                pair, up = self.first[x.asked, 0], self.first[x.asked, 1]
                may = np.flatnonzero(p.parting[at] >= 0)
                worth[may, p.parting[at[may]]] = split[pair[may], up[may]]
            take = worth.argmax(1) if chart is None else chart[at]
            value[x.asked] = worth[np.arange(len(at)), take]
            later = value
            values.append(value)
            choices.append(worth)
            taken.append(take)
        nothing: Floats = np.zeros((p.size, p.size))
        return Play(values[::-1], choices[::-1], taken[::-1], nothing if split is None else split)

    def reach(self, play: Play | None) -> list[Floats]:
        """How likely each hand is under a strategy, or if every choice were made at random."""
        reach: Floats = self.chance3[tuple(self.first.T)]
        out = []
        for number, x in enumerate(self.layers):
            out.append(reach)
            size = len(self.layers[number + 1].position) if number + 1 < len(self.layers) else 0
            flow: Floats = np.zeros(size)
            flow += np.bincount(x.cards.reshape(-1), (reach[x.drawn, None] * x.chance).reshape(-1), size)
            if play is None:
                some = x.to >= 0
                share = np.where(some, (reach[x.asked] / np.maximum(some.sum(1), 1))[:, None], 0)
                flow += np.bincount(x.to[some], share[some], size)
            else:
                to = x.to[np.arange(len(x.asked)), play.taken[number]]
                flow += np.bincount(to[to >= 0], reach[x.asked][to >= 0], size)
            reach = flow
        return out

    def played(self, play: Play) -> float:
        """What rounds that are played bring on average; those that end at once count as nothing."""
        reach = np.concatenate([r[x.over] for x, r in zip(self.layers, self.reach(play), strict=True)])
        self.shoe.check_length(*self.over, reach)
        return float((self.chance3[tuple(self.first.T)] * play.values[0]).sum())

    @cached_property
    def optimal_play(self) -> Play:
        plain = self.back(None, None)
        worth = self.by_name(plain)

        def choose(position: Ints, key: Ints) -> Ints:
            """As the same cards are played unsplit, of what is allowed."""
            found = np.searchsorted(self.codes, self.code(self.p.up[position], key)).clip(max=len(self.codes) - 1)
            local = self.local[self.p.asks[position]]
            best = np.where(local >= 0, worth[found], -np.inf).argmax(1)
            chosen: Ints = local[np.arange(len(local)), best]
            return chosen

        return self.back(split_values(self.shoe, choose), None)

    def named(self, layer: Layer, worth: Floats) -> Floats:
        """The worth of every choice that the game knows, in the order of `moves`; not offered: minus infinity."""
        local = self.local[self.p.asks[layer.position[layer.asked]]]
        out: Floats = np.where(local >= 0, np.take_along_axis(worth, np.maximum(local, 0), 1), -np.inf)
        return out

    def by_name(self, play: Play) -> Floats:
        """Every decision x every choice that the game knows, in the order of `codes`."""
        every = [self.named(x, worth) for x, worth in zip(self.layers, play.choices, strict=True)]
        out: Floats = np.concatenate(every)[self.order]
        return out
