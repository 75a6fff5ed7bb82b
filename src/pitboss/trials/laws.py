"""What a perfect shuffle does, in ways: exact whole numbers, to hold a sample against."""

from collections import Counter
from math import comb

Ways = list[int]


def matches(cards: int) -> Ways:
    """Orders in which 0, 1, 2, ... cards lie where they lay before."""
    moved = [1, 0]  # orders of n cards in which none does
    for n in range(2, cards + 1):
        moved.append((n - 1) * (moved[n - 1] + moved[n - 2]))
    return [comb(cards, kept) * moved[cards - kept] for kept in range(cards + 1)]


def rises(cards: int) -> Ways:
    """Orders with 0, 1, 2, ... places at which the next card is a higher one: the Eulerian numbers."""
    ways = [1]
    for n in range(2, cards + 1):
        ways = [(k + 1) * (ways[k] if k < n - 1 else 0) + (n - k) * (ways[k - 1] if k else 0) for k in range(n)]
    return ways


def colour_runs(red: int, black: int) -> Ways:
    """Orders of the colours with 0, 1, 2, ... runs of one colour (Wald and Wolfowitz 1940)."""
    ways = [0, 0]
    for runs in range(2, red + black + 1):
        half, odd = divmod(runs, 2)
        one = comb(red - 1, half - 1) * comb(black - 1, half - 1 + odd)
        other = comb(red - 1, half - 1 + odd) * comb(black - 1, half - 1)
        ways.append(one + other)
    return ways


def gaps(cards: int, marked: int) -> Ways:
    """Ways to place so many marked cards so that one lies 0, 1, 2, ... places after the one before it. The gap before
    the first of them, and the one behind the last, have the same law."""
    return [0, *(comb(cards - gap, marked - 1) for gap in range(1, cards - marked + 2))]


def equal_pairs(kinds: int, each: int, drawn: int) -> Ways:
    """Hands in which 0, 1, 2, ... pairs of cards are of one kind. Of five cards that tells the poker hands apart: 1 is
    a pair, 2 two pairs, 3 three of a kind, 4 a full house, 6 four and 10 five of a kind."""
    ways: Counter[tuple[int, int]] = Counter({(0, 0): 1})  # cards so far, pairs so far
    for _ in range(kinds):
        after: Counter[tuple[int, int]] = Counter()
        for (cards, pairs), n in ways.items():
            for more in range(min(each, drawn - cards) + 1):
                after[cards + more, pairs + comb(more, 2)] += n * comb(each, more)
        ways = after
    return [ways[drawn, pairs] for pairs in range(comb(drawn, 2) + 1)]


def first_two(decks: int) -> Ways:
    """Ways to deal each of the 52 x 52 first two cards."""
    return [decks * (decks - (one == two)) for one in range(52) for two in range(52)]


def waits(one_in: int, longest: int) -> Ways:
    """Waits of 1, 2, 3, ... for what has a chance of one in so many, and of more than the longest."""
    ways = [(one_in - 1) ** (n - 1) * one_in ** (longest - n) for n in range(1, longest + 1)]
    return [*ways, (one_in - 1) ** longest]
