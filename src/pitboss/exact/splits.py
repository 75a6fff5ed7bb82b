"""What splitting a pair is worth, when every hand of the split is played by one fixed strategy.

The hands then share one distribution, because any card still to come is as likely as any other to be any hand's. It is
enough to follow one hand that begins with the pair's card p, in shoes from which j more of p are gone. How many hands
there are is decided by which second cards are p again. That another hand's second card is not p is everything less
that it is p, so every case becomes a sum over shoes with some more of p gone (inclusion and exclusion).
"""

from collections.abc import Callable
from math import comb

import numpy as np

from pitboss.exact.dealer import Shoe, merged
from pitboss.exact.steps import DECIDE, DRAW, STOP, Floats, Ints

Choose = Callable[[Ints, Ints], Ints]
"""Positions and the cards of the hand -> the number of the choice."""


def split_values(shoe: Shoe, choose: Choose) -> Floats:
    """Pair x up-card: the expectation of splitting, all hands together; nan where that cannot be."""
    k, p = shoe.p.size, shoe.p
    most = int(p.most_hands.max())
    out: Floats = np.full((k, k), np.nan)
    if most < 2:
        return out
    hands = _one_hand(shoe, choose, 2 * most - 3)
    for pair in range(k):
        for up in range(k):
            if p.split_start[pair, up] >= 0 and shoe.counts[pair] >= 2 + (pair == up) and shoe.counts[up] > 0:
                more = _more_of(shoe, pair, up, hands.shape[3])
                out[pair, up] = _all_hands(int(p.most_hands[pair, up]), more, *hands[pair, up])
    return out


def _more_of(shoe: Shoe, pair: int, up: int, most: int) -> Floats:
    """The chance that the next 0, 1, 2 ... cards all are of the pair's class, the dealer not having ended it."""
    left = shoe.counts.astype(np.float64)
    left[pair] -= 2
    left[up] -= 1
    total, chance, out = left.sum(), 1.0, []
    for _ in range(most):
        fit = max((left * shoe.p.allowed[up]).sum(), 0.0) / max(total, 1.0)
        out.append(chance * fit)
        chance *= max(left[pair], 0.0) / max(total, 1.0)
        left[pair] = max(left[pair] - 1, 0.0)
        total -= 1
    return np.array(out) / out[0] if out[0] else np.zeros(most)


def _all_hands(most: int, more: Floats, other: Floats, same: Floats) -> float:
    """The sum over all ways in which second cards can be the pair's card again.

    `more[j]`: the chance that j cards are p. `other[j]`, `same[j]`: what one hand brings when j more of p are gone,
    if its second card is not p, and if it is p and cannot be split again.
    """

    def hand(worth: Floats, gone: int, others: int) -> float:
        """One hand's part where `gone` cards are p and the second cards of `others` are not."""
        return float(sum((-1) ** i * comb(others, i) * more[gone + i] * worth[gone + i] for i in range(others + 1)))

    total = 0.0
    ways = {(2, 0): 1}  # (hands, hands that have their second card) -> orders of p and other cards that lead there
    while ways:
        (hands, full), n = min(ways.items())
        del ways[hands, full]
        if hands == most:  # from here on second cards may be anything
            total += n * (most - full) * hand(other + same, hands - 2, full)
            total += n * full * hand(other, hands - 2, full - 1) if full else 0
        elif full == hands:
            total += n * hands * hand(other, hands - 2, hands - 1)
        else:
            for to in ((hands, full + 1), (hands + 1, full)):
                ways[to] = ways.get(to, 0) + n
    return total


def _one_hand(shoe: Shoe, choose: Choose, shoes: int) -> Floats:
    """Pair x up-card x (second card another, second card the same) x how many more of the pair's class are gone: what
    one hand brings, times the chance of that second card."""
    p, k = shoe.p, shoe.p.size
    pair, up, card = (x.reshape(-1) for x in np.indices((k, k, k)))
    begun = p.split_start[pair, up]
    position = np.where(pair == card, p.last_pair[pair, up], p.draws[begun, card])
    real = (begun >= 0) & (shoe.counts[pair] > 0) & (shoe.counts[up] > 0)
    pair, up, card, position = pair[real], up[real], card[real], position[real]
    group = (pair * k + up) * 2 + (pair == card)
    key = shoe.bit[pair] + shoe.bit[card]
    reach = np.stack(
        [shoe.draw_chances(up, (j + 2) * shoe.bit[pair])[np.arange(len(up)), card] for j in range(shoes)], 1
    )
    ends: list[tuple[Ints, Ints, Ints, Floats]] = []
    while len(position):
        one, back = merged(position * (2 * k * k) + group, key)
        reach = np.stack([np.bincount(back, r, len(one)) for r in reach.T], 1)
        position, group, key = position[one], group[one], key[one]
        kind, up, pair = p.kind[position], p.up[position], group // (2 * k)
        over = np.flatnonzero(kind == STOP)
        ends.append((position[over], key[over], group[over], reach[over]))
        asked, drawn = np.flatnonzero(kind == DECIDE), np.flatnonzero(kind == DRAW)
        to = p.moves[position[asked], choose(position[asked], key[asked])]
        gone = key[drawn, None] + (np.arange(shoes) + 1) * shoe.bit[pair[drawn], None]
        chance = np.stack([shoe.draw_chances(up[drawn], gone[:, j]) for j in range(shoes)], 2)
        carried = (reach[drawn, None, :] * chance).reshape(-1, shoes)
        position = np.concatenate([to, p.draws[position[drawn]].reshape(-1)])
        group = np.concatenate([group[asked], np.repeat(group[drawn], k)])
        key = np.concatenate([key[asked], (key[drawn, None] + shoe.bit).reshape(-1)])
        reach = np.concatenate([reach[asked], carried])
        live = (reach > 0).any(1)
        position, group, key, reach = position[live], group[live], key[live], reach[live]
    return _summed(shoe, ends).reshape(k, k, 2, shoes)


def _summed(shoe: Shoe, ends: list[tuple[Ints, Ints, Ints, Floats]]) -> Floats:
    """What the ends of all hands bring, by group and shoe; valued in one go, which is much faster."""
    k = shoe.p.size
    position, key, group = (np.concatenate([end[i] for end in ends]) for i in range(3))
    reach = np.concatenate([end[3] for end in ends])
    shoes = reach.shape[1]
    row, gone = np.nonzero(reach)
    worth = shoe.worth(position[row], key[row] + (gone + 1) * shoe.bit[group[row] // (2 * k)])
    place = group[row] * shoes + gone
    return np.bincount(place, reach[row, gone] * worth, 2 * k * k * shoes).astype(np.float64)
