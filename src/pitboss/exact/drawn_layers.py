"""Every hand that a player can draw to, as cards and not only as a position: the same for every shoe.

A choice or a card leads to a hand with a higher number. Hands of the same cards in the same position are one, whatever
their order, and whether they come from a split or not. So a strategy is one loop through the numbers (`drawn_code`).
"""

import numpy as np
from numpy.typing import NDArray

from pitboss.exact.drawn_rounds import DECIDE, DRAW, STOP, Bools, Ints
from pitboss.exact.plan import TooLarge
from pitboss.exact.positions import Positions

MOST_HANDS = 3_000_000
MOST_CARDS = 60  # of one hand
_QUICK = ("kind", "up", "asked", "drawn", "over", "row")
_SHORT = ("position", "to", "cards", "open", "ended", "fewer", "known", "parting", "pair")
Counts = NDArray[np.uint8]
"""Cards by class, a row for each hand."""
Starts = tuple[int, bool, Ints]
"""A pair's rank, whether its second card is of that rank again, and the hand by suit of its own card, view and card."""


class Hands:
    """By hand: `kind`, `position`, `held` (its cards by class), `key` (a number for them), `up` (the view of the
    dealer's cards), `row` (its place among hands of its kind).

    `asked`, `drawn`, `over`: the hands of each kind; `to`: where each choice leads (-1: nowhere, or a split), `cards`:
    where each card does. `first`: the deals that begin a play (leaf, mine, view) and `begun` their hands. `split`: a
    hand's number and the hands by then -> the hand by pair, view and second card.
    """

    def __init__(self, p: Positions) -> None:
        k = p.size
        self.p = p
        # a number for a multiset of cards: sums of random numbers of 64 bits, equal for equal multisets only
        random = np.random.default_rng(52)
        self.bit: Ints = random.integers(-(1 << 62), 1 << 62, k) * 2 + 1
        self.his_bit: Ints = random.integers(-(1 << 62), 1 << 62, p.ranks) * 2 + 1
        self.first = np.argwhere(np.stack(p.starts) >= 0)
        parts = {n: np.where((kids >= 0) & (p.parting[kids] < 0), kids, -1) for n, kids in p.hands.items()}
        leaf, mine, view = self.first.T
        deals = [np.stack(p.starts)[leaf, mine, view], *(kids[kids >= 0] for kids in parts.values())]
        cards = [p.mine[mine], *(np.argwhere(kids >= 0)[:, [0, 2]] for kids in parts.values())]
        held = np.concatenate([self._counted(x) for x in cards])
        back = self._grow(np.concatenate(deals), held)
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

    def _counted(self, cards: Ints) -> Counts:
        out: Counts = np.zeros((len(cards), self.p.size), np.uint8)
        for card in cards.T:
            out[np.arange(len(cards)), card] += 1
        return out

    def _seen(self, position: Ints, held: Counts) -> Counts:
        """The cards of a hand, as far as they matter in its position: none where its end is certain, and of suits that
        nothing tells apart from there on, the first stands for all."""
        out = held
        if self.p.reps is not None:
            out = np.zeros_like(held)
            rows: Ints = np.arange(len(held))
            for card, rep in enumerate(self.p.reps[position].T):
                out[rows, rep] += held[:, card]
        return np.where(self.p.certain[position, None] >= 0, np.uint8(0), out)

    def _grow(self, position: Ints, held: Counts) -> Ints:
        """All hands, stage by stage; returns the hands of the first stage."""
        p, size, k = self.p, 0, self.p.size
        position, held, begun = self._merged(position, held)
        found: list[tuple[Ints, Counts]] = []
        tos, cards = [], []
        while len(position):
            found.append((position, held))
            size += len(position)
            if size > MOST_HANDS or len(found) > 2 * MOST_CARDS or held.max(initial=0) > MOST_CARDS:
                raise TooLarge("hands of this game can have too many cards, or come in too many ways")
            kind = p.kind[position]
            asked, drawn = kind == DECIDE, kind == DRAW
            to, card = p.moves[position[asked]], p.draws[position[drawn]]
            able = to >= 0
            real = np.ones(card.shape, bool) if p.reps is None else p.reps[position[drawn]] == np.arange(k)
            row, new = np.nonzero(real)
            grown = held[drawn][row]
            grown[np.arange(len(row)), new] += 1
            stay, choice = np.nonzero(able)
            next_position = np.concatenate([to[stay, choice], card[row, new]])
            position, held, back = self._merged(next_position, np.concatenate([held[asked][stay], grown]))
            place = np.full(to.shape, -1)
            place[able] = size + back[: len(stay)]
            tos.append(place)
            after = np.full(card.shape, -1)
            after[real] = size + back[len(stay) :]
            if p.reps is not None:
                after = np.take_along_axis(after, p.reps[found[-1][0][drawn]], 1)
            cards.append(after)
        self.position = np.concatenate([x for x, _ in found])
        self.held = np.concatenate([x for _, x in found])
        self.key = self.held @ self.bit
        self.to: Ints = np.ascontiguousarray(np.concatenate(tos), np.int64)
        self.cards: Ints = np.ascontiguousarray(np.concatenate(cards), np.int64)
        self._kinds()
        return begun

    def _merged(self, position: Ints, held: Counts) -> tuple[Ints, Counts, Ints]:
        """Equal hands made one, and each hand's number."""
        held = self._seen(position, held)
        keys, small = np.unique(held @ self.bit, return_inverse=True)
        _, one, back = np.unique(position * len(keys) + small, return_index=True, return_inverse=True)
        return position[one], held[one], back

    def _kinds(self) -> None:
        self.kind, self.up = self.p.kind[self.position], self.p.up[self.position]
        self.asked, self.drawn, self.over = (np.flatnonzero(self.kind == x) for x in (DECIDE, DRAW, STOP))
        self.row: Ints = np.zeros(len(self.kind), np.int64)
        for some in (self.asked, self.drawn, self.over):
            self.row[some] = np.arange(len(some))

    def __getstate__(self) -> dict[str, object]:
        """Numbers of hands in 32 bits, and nothing that is quickly found again."""
        found = {n: v for n, v in self.__dict__.items() if n not in _QUICK}
        return found | {name: getattr(self, name).astype(np.int32) for name in _SHORT}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        for name in _SHORT:
            setattr(self, name, getattr(self, name).astype(np.int64))
        self._kinds()

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
        return key * len(self.p.views) + up

    def _pairs(self) -> None:
        """`parting`: by decision, which choice is a split. `pair`: and of which class. `starts`: hands of a split that
        are alike are followed once: (pair, whether its second card is the same, hand by up-card and card), and for
        each hand's number and hands by then, which two of them it is, by pair."""
        p = self.p
        self.parting: Ints = np.full(len(self.asked), -1, np.int64)
        self.pair: Ints = np.zeros(len(self.asked), np.int64)
        self.starts: list[Starts] = []
        self.which: dict[tuple[int, int], Ints] = {}
        if not p.hands:
            return
        ranks = p.group[p.mine[self.first[:, 1]]]
        twos = (ranks[:, 0] == ranks[:, 1]) & (self.kind[self.begun] == DECIDE)
        there, pair = self.begun[twos], ranks[twos, 0]
        while len(there):  # at once, or after other choices
            rows = self.row[there]
            self.parting[rows], self.pair[rows] = p.parting[self.position[there]], pair
            after = self.to[rows]
            on = (after >= 0) & (self.kind[after] == DECIDE)
            there, pair = after[on], np.broadcast_to(pair[:, None], after.shape)[on]
        known: dict[tuple[int, bool, bytes], int] = {}
        for number, kids in self.split.items():
            which: Ints = np.zeros((p.ranks, 2), np.int64)
            for pair in range(p.ranks):
                suits = np.flatnonzero(p.group == pair)
                same = p.group == pair
                for again in (False, True):
                    able = (p.most_hands[suits] >= number[1])[..., None] & (same == again)
                    mine = np.where(able, kids[suits], -1)
                    name = (pair, again, mine.tobytes())
                    if name not in known:
                        known[name] = len(self.starts)
                        self.starts.append((pair, again, mine))
                    which[pair, int(again)] = known[name]
            self.which[number] = which

    def _gone(self) -> None:
        """`gone`: every multiset of ranks that can be gone when the dealer draws, counted by class. `open`: by end of
        play, which it is (-1: the dealer does not matter). `ended`: by end of play, a row of `fewer`: which it is when
        1, 2 ... more of a class are gone, by class."""
        p = self.p
        live = p.certain[self.position[self.over]] < 0
        held = self.ranked(self.held[self.over[live]])
        _, one, at = np.unique(held @ self.his_bit, return_index=True, return_inverse=True)
        stops = held[one]
        shoes = max(2 * int(p.most_hands.max()) - 3, 0)
        some, pair = np.nonzero(stops) if shoes else (np.zeros(0, np.int64),) * 2
        more = np.repeat(stops[some], shoes, axis=0)
        more[np.arange(len(more)), np.repeat(pair, shoes)] += np.tile(1 + np.arange(shoes), len(some))
        every = np.concatenate([stops, more])
        _, one, back = np.unique(every @ self.his_bit, return_index=True, return_inverse=True)
        self.gone: Ints = every[one]
        self.open: Ints = np.full(len(self.over), -1, np.int64)
        self.open[live] = back[: len(stops)][at]
        self.ended: Ints = np.zeros(len(self.over), np.int64)
        self.ended[live] = at
        self.fewer: Ints = np.zeros((len(stops), p.ranks, shoes), np.int64)
        self.fewer[some, pair] = back[len(stops) :].reshape(len(some), shoes)

    def ranked(self, held: Counts) -> Ints:
        """Cards counted by class of the dealer's."""
        ends = np.searchsorted(self.p.group, np.arange(self.p.ranks))
        return np.add.reduceat(held.astype(np.int64), ends, axis=1)
