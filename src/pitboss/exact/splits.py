"""What splitting a pair is worth, when every hand of the split is played by one fixed strategy.

Any card still to come is as likely as any other to be any hand's. So it is enough to follow each hand by itself, from
the pair's card p on, in shoes from which j more of p are gone; hands that are played and paid alike are followed once.
How many hands there are is decided by which second cards are p again. That another hand's second card is not p is
everything less that it is p, so every case becomes a sum over shoes with some more of p gone (inclusion and exclusion).
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
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
    known: dict[bytes, Floats] = {}
    hands: dict[tuple[int, int], Floats] = {}
    for number, kids in p.hands.items():
        name = np.where((p.most_hands >= number[1])[..., None], kids, -1).tobytes()
        if name not in known:
            known[name] = _one_hand(shoe, kids, choose, 2 * most - 3)
        hands[number] = known[name]
    for pair in range(k):
        for up in range(k):
            if p.most_hands[pair, up] > 1 and shoe.counts[pair] >= 2 + (pair == up) and shoe.counts[up] > 0:
                more = _more_of(shoe, pair, up, 2 * most - 3)
                one = {number: worth[pair, up] for number, worth in hands.items()}
                out[pair, up] = _all_hands(int(p.most_hands[pair, up]), more, one)
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


def _all_hands(most: int, more: Floats, one: dict[tuple[int, int], Floats]) -> float:
    """The sum over all ways in which second cards can be the pair's card again.

    `more[j]`: the chance that j cards are p. `one`: by number of the hand and of hands by then, what the hand brings
    when j more of p are gone: if its second card is not p, and if it is p and cannot be split again.
    """
    total = 0.0
    for (number, any_card, gone, others), n in _parts(most).items():
        worth = one[number].sum(0) if any_card else one[number][0]
        for i in range(others + 1):  # the second cards of so many other hands are not p
            total += n * (-1) ** i * comb(others, i) * more[gone + i] * worth[gone + i]
    return float(total)


@cache
def _parts(most: int) -> Counter[tuple[tuple[int, int], bool, int, int]]:
    """(a hand's number and the hands by then, whether its second card may be anything, how many cards are p, how many
    other hands' second cards are not) -> in how many orders of p and other cards."""
    out: Counter[tuple[tuple[int, int], bool, int, int]] = Counter()
    for hands, had in _orders(most, 2, ()):
        for hand in range(1, hands + 1):
            free = hand > len(had)
            others = len(had) - (not free)
            out[(hand, hands if free else had[hand - 1]), free, hands - 2, others] += 1
    return out


def _orders(most: int, hands: int, had: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every order of p and other cards: how many hands that makes, and how many there were when each of them got a
    second card that is not p. When no more can be made, second cards may be anything, and hands are left out."""
    if hands == most or len(had) == hands:
        yield hands, had
        return
    yield from _orders(most, hands, (*had, hands))
    yield from _orders(most, hands + 1, had)


def _one_hand(shoe: Shoe, kids: Ints, choose: Choose, shoes: int) -> Floats:
    """Pair x up-card x (second card another, second card the same) x how many more of the pair's class are gone: what
    one hand brings, times the chance of that second card."""
    p, k = shoe.p, shoe.p.size
    pair, up, card = (x.reshape(-1) for x in np.indices((k, k, k)))
    position = kids[pair, up, card]
    real = (position >= 0) & (p.parting[position] < 0) & (shoe.counts[pair] > 0) & (shoe.counts[up] > 0)
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
