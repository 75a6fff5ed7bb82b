"""Every hand that a player can draw to, as cards and not only as a position: the same for every shoe.

A choice or a card leads to a hand with a higher number. Hands of the same cards in the same position are one, whatever
their order, and whether they come from a split or not. So a strategy is one loop through the numbers (`drawn_code`).
"""

import numpy as np

from pitboss.exact.drawn_code import BITS
from pitboss.exact.plan import TooLarge
from pitboss.exact.positions import Positions
from pitboss.exact.steps import DECIDE, DRAW, STOP, Bools, Floats, Ints

MOST_HANDS = 3_000_000
MASK = (1 << BITS) - 1
_QUICK = ("kind", "up", "asked", "drawn", "over", "row", "held")
_SHORT = ("position", "to", "cards", "open", "ended", "fewer", "known", "parting", "pair")
Starts = tuple[int, int, Ints]
"""A pair, whether its second card is the same again, and the hand by up-card and second card."""


class Hands:
    """By hand: `kind`, `position`, `key` (its cards), `up`, `row` (its place among hands of its kind).

    `asked`, `drawn`, `over`: the hands of each kind; `to`: where each choice leads (-1: nowhere, or a split), `cards`:
    where each card does. `first`: the deals that begin a play (first, up, second) and `begun` their hands. `split`: a
    hand's number and the hands by then -> the hand by pair, up-card and second card.
    """

    def __init__(self, p: Positions) -> None:
        k = p.size
        if k * BITS > 60:
            raise TooLarge("this game tells too many ranks apart for an analysis of drawing")
        self.p = p
        self.bit: Ints = np.left_shift(1, BITS * np.arange(k))
        self.first = np.argwhere(p.start >= 0)
        parts = {n: np.where((kids >= 0) & (p.parting[kids] < 0), kids, -1) for n, kids in p.hands.items()}
        deals = [p.start[tuple(self.first.T)], *(kids[kids >= 0] for kids in parts.values())]
        cards = [self.first[:, [0, 2]], *(np.argwhere(kids >= 0)[:, [0, 2]] for kids in parts.values())]
        key = self.bit[np.concatenate(cards)].sum(1)
        back = self._grow(np.concatenate(deals), key)
        ends = np.cumsum([len(x) for x in deals])
        self.begun: Ints = back[: ends[0]]
        self.split: dict[tuple[int, int], Ints] = {}
        for (number, kids), start, end in zip(parts.items(), ends[:-1], ends[1:], strict=True):
            at: Ints = np.full(kids.shape, -1, np.int64)
            at[kids >= 0] = back[start:end]
            self.split[number] = at
        self._unsplit()
        self._pairs()
        self._gone()
        self._held()

    def _grow(self, position: Ints, key: Ints) -> Ints:
        """All hands, stage by stage; returns the hands of the first stage."""
        p, size = self.p, 0
        position, key, begun = _merged(position, np.where(p.certain[position] >= 0, 0, key))
        found: list[tuple[Ints, Ints]] = []
        tos, cards = [], []
        while len(position):
            found.append((position, key))
            size += len(position)
            kind = p.kind[position]
            asked, drawn = position[kind == DECIDE], position[kind == DRAW]
            to, card = p.moves[asked], p.draws[drawn]
            grown = key[kind == DRAW, None] + self.bit
            able = to >= 0
            most = (key[kind == DRAW, None] >> (BITS * np.arange(p.size)) & MASK).max(initial=0)
            if size > MOST_HANDS or most > MASK - 2 * int(p.most_hands.max()):
                raise TooLarge("hands of this game can have too many cards")
            next_position = np.concatenate([to[able], card.reshape(-1)])
            next_key = np.concatenate([np.broadcast_to(key[kind == DECIDE, None], to.shape)[able], grown.reshape(-1)])
            next_key = np.where(p.certain[next_position] >= 0, 0, next_key)
            position, key, back = _merged(next_position, next_key)
            place = np.full(to.shape, -1)
            place[able] = size + back[: able.sum()]
            tos.append(place)
            cards.append(size + back[able.sum() :].reshape(card.shape))
        self.position = np.concatenate([x for x, _ in found])
        self.key = np.concatenate([x for _, x in found])
        self.to: Ints = np.ascontiguousarray(np.concatenate(tos), np.int64)
        self.cards: Ints = np.ascontiguousarray(np.concatenate(cards), np.int64)
        self._kinds()
        return begun

    def _kinds(self) -> None:
        self.kind, self.up = self.p.kind[self.position], self.p.up[self.position]
        self.asked, self.drawn, self.over = (np.flatnonzero(self.kind == x) for x in (DECIDE, DRAW, STOP))
        self.row: Ints = np.zeros(len(self.kind), np.int64)
        for some in (self.asked, self.drawn, self.over):
            self.row[some] = np.arange(len(some))

    def _held(self) -> None:
        """`held`: the multisets of `gone`, class by class."""
        self.held: Floats = (self.gone[:, None] >> (BITS * np.arange(self.p.size)) & MASK).astype(np.float64)

    def __getstate__(self) -> dict[str, object]:
        """Numbers of hands in 32 bits, and nothing that is quickly found again."""
        found = {n: v for n, v in self.__dict__.items() if n not in _QUICK}
        return found | {name: getattr(self, name).astype(np.int32) for name in _SHORT}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        for name in _SHORT:
            setattr(self, name, getattr(self, name).astype(np.int64))
        self._kinds()
        self._held()

    def _unsplit(self) -> None:
        """`unsplit`: hands that a round without a split can come to. `alike`: by decision, whether each choice there
        leads where it leads the same cards unsplit."""
        p = self.p
        unsplit: Bools = np.zeros(len(self.kind), bool)
        new = np.unique(self.begun)
        while len(new):
            unsplit[new] = True
            rows = self.row[new]
            kinds = self.kind[new]
            after = np.concatenate(
                [self.to[rows[kinds == DECIDE]].reshape(-1), self.cards[rows[kinds == DRAW]].reshape(-1)]
            )
            after = np.unique(after[after >= 0])
            new = after[~unsplit[after]]
        self.unsplit = unsplit
        self.moves = list(dict.fromkeys(c for choices in p.choices for c in choices))
        places = [[c.index(m) if m in c else -1 for m in self.moves] for c in p.choices]
        self.local: Ints = np.array(places, np.int64).reshape(len(p.choices), len(self.moves))
        code = self.code(self.up[self.asked], self.key[self.asked])
        mine = np.flatnonzero(unsplit[self.asked])
        self.known = mine[np.argsort(code[mine], kind="stable")]  # unsplit decisions in the order of their `codes`
        self.codes = code[self.known]
        local = self.local[p.asks[self.position[self.asked]]]
        after = np.where(self.to >= 0, p.same[self.position[self.to]], -1)
        named = np.where(local >= 0, np.take_along_axis(after, np.maximum(local, 0), 1), -1)
        self.alike: Bools = np.ones(len(self.asked), bool)
        other = np.flatnonzero(~unsplit[self.asked])
        if len(other):
            place = np.searchsorted(self.codes, code[other]).clip(max=len(self.codes) - 1)
            twin = self.known[place]
            same = (local[other] < 0) | ((named[other] == named[twin]) & (local[twin] >= 0))
            self.alike[other] = same.all(1) & (self.codes[place] == code[other])

    def code(self, up: Ints, key: Ints) -> Ints:
        return key * self.p.size + up

    def _pairs(self) -> None:
        """`parting`: by decision, which choice is a split. `pair`: and of which class. `starts`: hands of a split that
        are alike are followed once: (pair, whether its second card is the same, hand by up-card and card), and for
        each hand's number and hands by then, which two of them it is, by pair."""
        p, k = self.p, self.p.size
        self.parting: Ints = np.full(len(self.asked), -1, np.int64)
        self.pair: Ints = np.zeros(len(self.asked), np.int64)
        twos = self.first[:, 0] == self.first[:, 2]
        there = self.begun[twos & (self.kind[self.begun] == DECIDE)]
        self.parting[self.row[there]] = p.parting[self.position[there]]
        self.pair[self.row[there]] = self.first[twos & (self.kind[self.begun] == DECIDE), 0]
        self.starts: list[Starts] = []
        self.which: dict[tuple[int, int], Ints] = {}
        known: dict[tuple[int, bool, bytes], int] = {}
        for number, kids in self.split.items():
            which: Ints = np.zeros((k, 2), np.int64)
            for pair in range(k):
                same = np.arange(k) == pair
                for again in (False, True):
                    mine = np.where((same == again) & (p.most_hands[pair] >= number[1])[:, None], kids[pair], -1)
                    name = (pair, again, mine.tobytes())
                    if name not in known:
                        known[name] = len(self.starts)
                        self.starts.append((pair, int(again), mine))
                    which[pair, int(again)] = known[name]
            self.which[number] = which

    def _gone(self) -> None:
        """`gone`: every multiset of cards that can be gone when the dealer draws. `open`: by end of play, which it is
        (-1: the dealer does not matter). `ended`: by end of play, a row of `fewer`: which it is when 1, 2 ... more of a
        class are gone, by class."""
        p = self.p
        live = p.certain[self.position[self.over]] < 0
        stops, at = np.unique(self.key[self.over[live]], return_inverse=True)
        shoes = max(2 * int(p.most_hands.max()) - 3, 0)
        more = stops[:, None, None] + self.bit[:, None] * (1 + np.arange(shoes))
        held = (stops[:, None] >> (BITS * np.arange(p.size)) & MASK) > 0
        more = np.where(held[:, :, None], more, 0)
        self.gone, back = np.unique(np.concatenate([stops, more.reshape(-1)]), return_inverse=True)
        self.open: Ints = np.full(len(self.over), -1, np.int64)
        self.open[live] = back[: len(stops)][at]
        self.ended: Ints = np.zeros(len(self.over), np.int64)
        self.ended[live] = at
        self.fewer: Ints = back[len(stops) :].reshape(more.shape)


def _merged(position: Ints, key: Ints) -> tuple[Ints, Ints, Ints]:
    """Equal pairs made one, and each pair's number."""
    keys, small = np.unique(key, return_inverse=True)
    _, one, back = np.unique(position * len(keys) + small, return_index=True, return_inverse=True)
    return position[one], key[one], back
