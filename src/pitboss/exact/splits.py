"""What splitting a pair is worth, when every hand of the split is played by one fixed strategy.

Any card still to come is as likely as any other to be any hand's. So it is enough to follow each hand by itself, from
the pair's card p on, in shoes from which j more of p are gone; hands that are played and paid alike are followed once.
How many hands there are is decided by which second cards are p again. That another hand's second card is not p is
everything less that it is p, so every case becomes a sum over shoes with some more of p gone (inclusion and exclusion).
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import comb

import numpy as np

from pitboss.exact.dealer import Shoe
from pitboss.exact.drawn_code import LANES, call
from pitboss.exact.drawn_rounds import Floats, Ints


def split_values(shoe: Shoe, taken: Ints, staked: bool = False) -> Floats:
    """Rank of the pair x view: the expectation of splitting, all hands together, when `taken` are the choices by
    decision; nan where that cannot be. With `staked`, what is staked instead of what it brings. Where suits matter it
    is the average over the suits of a pair."""
    k, p, views = shoe.p.ranks, shoe.p, len(shoe.p.views)
    most = int(p.most_hands.max())
    out: Floats = np.full((k, views), np.nan)
    if most < 2:
        return out
    one, every = _single(shoe, taken, 2 * most - 3, staked), _more_of(shoe, 2 * most - 3)
    first = np.searchsorted(p.group, np.arange(k))
    for pair in range(k):
        if shoe.counts[pair] < 2:
            continue
        more = every[pair]
        worth = {number: one[which[pair]] for number, which in shoe.hands.which.items()}
        able = p.most_hands[first[pair]]
        for hands in sorted({*able.tolist()} - {1}):
            real = (able == hands) & (shoe.counts - p.views - 2 * (np.arange(k) == pair) >= 0).all(1)
            out[pair, real] = _all_hands(hands, more, worth)[real]
    return out


def _more_of(shoe: Shoe, most: int) -> Floats:
    """Rank x view: the chance that the next 0, 1, 2 ... cards all are of the pair's rank, the dealer not having ended
    it."""
    k, views = shoe.p.ranks, len(shoe.p.views)
    pair = np.eye(k)[:, None, :]
    left = shoe.counts - 2 * pair - shoe.p.views[None, :, :]  # pair x view x class
    total, chance = left.sum(2), np.ones((k, views))
    out: Floats = np.zeros((k, views, most))
    for i in range(most):
        out[..., i] = chance * np.maximum((left * shoe.allowed).sum(2), 0) / np.maximum(total, 1)
        chance = chance * np.maximum((left * pair).sum(2), 0) / np.maximum(total, 1)
        left = np.where(pair > 0, np.maximum(left - 1, 0), left)
        total = total - 1
    return out / np.where(out[..., :1] > 0, out[..., :1], np.inf)


def _all_hands(most: int, more: Floats, one: dict[tuple[int, int], Floats]) -> Floats:
    """By view: the sum over all ways in which second cards can be the pair's card again.

    `more[:, j]`: the chance that j cards are p. `one`: by number of the hand and of hands by then, what the hand brings
    when j more of p are gone: if its second card is not p, and if it is p and cannot be split again.
    """
    total: Floats = np.zeros(len(more))
    for (number, any_card, gone, others), n in _parts(most).items():
        worth = one[number].sum(0) if any_card else one[number][0]
        for i in range(others + 1):  # the second cards of so many other hands are not p
            total += n * (-1) ** i * comb(others, i) * more[:, gone + i] * worth[:, gone + i]
    return total


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


def _single(shoe: Shoe, taken: Ints, shoes: int, staked: bool) -> Floats:
    """Starts (a pair, its second card another or the same) x view x how many more of the pair's rank are gone: what one
    hand brings, times the chance of that second card."""
    hands, p, k, views = shoe.hands, shoe.p, shoe.p.size, len(shoe.p.views)
    size = len(hands.kind)
    reach: Floats = np.zeros((size, LANES))
    found, ends = np.zeros(len(hands.over), np.int64), np.zeros((len(hands.over), LANES))
    drawn = hands.drawn
    reps = None if p.reps is None else p.reps[hands.position[drawn]]
    left = np.ascontiguousarray(np.maximum(shoe.left(hands.up[drawn], hands.held[drawn], reps), 0))
    allowed = np.ascontiguousarray(shoe.allowed[:, p.group].astype(np.float64))
    fewer: Floats = np.zeros(LANES)
    fewer[:shoes] = 1 + np.arange(shoes)
    every: list[tuple[Ints, Floats, Ints]] = []
    chance = second_cards(shoe, shoes)
    for number, (pair, _, kids) in enumerate(hands.starts):
        suits = np.flatnonzero(p.group == pair)
        suit, up, card = np.nonzero(kids >= 0)
        real = (shoe.cards[suits][suit] > 0) & (shoe.counts[pair] > 1)
        suit, up, card = suit[real], up[real], card[real]
        if not len(up):
            continue
        share = shoe.cards[suits] / shoe.counts[pair]
        np.add.at(reach[:, :shoes], kids[suit, up, card], share[suit, None] * chance[suits[suit], up, :, card])
        tables = (hands.kind, hands.row, hands.to, hands.cards, hands.up, p.group)
        n = call(
            "part", size, k, hands.to.shape[1], pair, *tables, left, allowed, fewer, taken, reach, found, ends
        )  # fmt: skip
        every.append((found[:n].copy(), ends[:n].copy(), np.full(n, number)))
    out: Floats = np.zeros((len(hands.starts) * views, LANES))
    if every:
        at, reached, start = (np.concatenate([x[i] for x in every]) for i in range(3))
        row = hands.row[at]
        pairs = np.array([pair for pair, _, _ in hands.starts])[start]
        ending = shoe.dealers.ending[hands.position[at]]
        place: Ints = np.zeros((len(at), shoes), np.int64)
        live = np.flatnonzero(ending >= 0)
        gone = hands.fewer[hands.ended[row[live]], pairs[live]]
        place[live] = shoe.places(np.repeat(ending[live], shoes), gone.reshape(-1)).reshape(-1, shoes)
        sure = p.certain[hands.position[at]]
        certain = (p.stakes if staked else p.nets)[np.maximum(sure, 0)]
        net = shoe.dealers.staked if staked else shoe.dealers.net
        group = start * views + hands.up[at]
        drawn_to = (net, shoe.dealers.groups, shoe.chances, certain)
        call("settle", len(at), shoes, group, place, reached, ending, *drawn_to, out)
    return out[:, :shoes].reshape(len(hands.starts), views, shoes)


def second_cards(shoe: Shoe, shoes: int) -> Floats:
    """Own card x view x how many more of its rank are gone x second card: the chance of it."""
    p, k, views = shoe.p, shoe.p.size, len(shoe.p.views)
    own, up, more = (x.reshape(-1) for x in np.indices((k, views, shoes)))
    held = np.zeros((len(own), k), np.uint8)
    held[np.arange(len(own)), own] = 1
    left = np.maximum(shoe.left(up, held), 0)
    left = np.maximum(shoe.fewer(left, (np.arange(p.ranks) == p.group[own][:, None]) * (1.0 + more)[:, None]), 0)
    return shoe.draw_chances(up, left).reshape(k, views, shoes, k)
