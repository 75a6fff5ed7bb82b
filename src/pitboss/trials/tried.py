"""The trials: what is counted, held against what a perfect shuffle does."""

from collections.abc import Iterator

from pitboss.trials import laws
from pitboss.trials.counted import LONGEST, Tally
from pitboss.trials.held import Held, by_coins, by_even, by_line, by_neighbours, by_ring, by_same, by_square, by_ways
from pitboss.trials.records import CARDS, WORDS, Trial

_APART = {1: ("neighbours", "after"), 2: ("next but one", "two after")}


def tried(tally: Tally) -> tuple[Trial, ...]:
    """Every trial, in the order of the report."""
    return (*_of_words(tally), *_of_cards(tally))


def _of_words(tally: Tally) -> Iterator[Trial]:
    """The stream as it is, before it is scaled to cards."""
    packs, width = tally.packs, 16 * tally.words
    bits, changes, repeats = packs * width, packs * (width - 1), (packs - 1) * width
    yield _word("ones", "bits that are 1", bits, by_even(int(tally.bits.sum()), bits))
    yield _word("bit runs", "bits unlike the one before", changes, by_even(tally.changes, changes))
    yield _word("bit repeats", "bits as in the pack before", repeats, by_even(tally.repeats, repeats))
    yield _word("bit places", f"ones at each of {width:,} places", bits, by_coins(tally.bits.tolist(), packs))
    yield _word("bytes", "each of 256 values", 2 * packs * tally.words, by_same(tally.bytes.tolist()))
    yield _word("words", "each of 65,536 values", packs * tally.words, by_same(tally.values.tolist()))


def _of_cards(tally: Tally) -> Iterator[Trial]:
    """The packs as they are dealt."""
    n, packs, decks = tally.cards, tally.packs, tally.decks
    places, ranks = range(n), [card % 52 // 4 for card in range(n)]
    dealt = packs * n
    yield _card("place and card", "each card in each place", dealt, by_square(tally.place_card, packs))
    yield _card("new-deck order", "high cards in late places", dealt, by_line(tally.place_card, packs, places, places))
    after = packs - 1
    yield _card("pack and next", "each card after each, same place", after * n, by_square(tally.card_card, after))
    moved = by_square(tally.place_place, after)
    yield _card("moves", "each place after each, same card", after * n, moved)
    serial = by_line(tally.card_card, after, ranks, ranks)
    yield _card("serial, next pack", "high after high, same place", after * n, serial)
    yield _card("first card", "each of 52", packs, by_same(tally.first.tolist()))
    yield _card("last card", "each of 52", packs, by_same(tally.last.tolist()))
    yield _card("first two", "each of 52 with each", packs, by_ways(tally.first_two.tolist(), laws.first_two(decks)))
    for distance, counts in tally.followed.items():
        name, where = _APART[distance]
        either, first = by_ring(counts, packs)
        yield _card(name, "each card with each", dealt, either)
        yield _card(f"{name}, order", f"which of two lies {where}", dealt, first)
        yield _card(f"{name}, serial", f"high {where} high", dealt, by_neighbours(counts, packs, ranks))
    yield _card("runs", "cards higher than the one before", packs, by_ways(tally.rises.tolist(), laws.rises(n)))
    runs = laws.colour_runs(n // 2, n // 2)
    yield _card("runs of colour", "runs of red and black", packs, by_ways(tally.colour_runs.tolist(), runs))
    gaps = laws.gaps(n, 4 * decks)
    yield _card("gaps", "from one of a rank to the next", packs, by_ways(tally.gaps.tolist(), gaps))
    waits = tally.waits.tolist()
    yield _card("gaps of packs", "from an ace on top to the next", sum(waits), by_ways(waits, laws.waits(13, LONGEST)))
    pairs = laws.equal_pairs(13, 4 * decks, 5)
    yield _card("poker", "ranks of five cards", packs, by_ways(tally.rank_pairs.tolist(), pairs))
    suits = laws.equal_pairs(4, 13 * decks, 5)
    yield _card("poker, suits", "suits of five cards", packs, by_ways(tally.suit_pairs.tolist(), suits))
    orders = tally.orders.tolist()
    yield _card("permutations", "120 orders of five in a row", sum(orders), by_same(orders))
    yield _card("matches", "cards where they were when new", packs, by_ways(tally.matches.tolist(), laws.matches(n)))
    yield _card("rings", "moves that bring a card back", packs, by_same(tally.rings.tolist()))


def _word(name: str, about: str, counted: int, held: Held) -> Trial:
    return Trial(WORDS, name, about, counted, held.statistic, held.degrees, held.p)


def _card(name: str, about: str, counted: int, held: Held) -> Trial:
    return Trial(CARDS, name, about, counted, held.statistic, held.degrees, held.p)
