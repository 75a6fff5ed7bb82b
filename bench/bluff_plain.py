"""Bluff in ordinary Python: what someone would write without pitboss. Six decks, every round from a full shoe."""

import random
from collections import Counter

FOUR, SIX, EIGHT, NINE, THREE = 2, 4, 6, 7, 1  # a card is rank * 4 + suit; a deuce has rank 0, an ace 12

Outcome = tuple[str, int, str, str, int]  # how the round ended, units won, Suit & Tie, progressive, streak

STRATEGY = ["raise" if card // 4 <= FOUR else "check" if card // 4 <= EIGHT else "call" for card in range(52)]


def play_rounds(n: int, seed: int) -> Counter[Outcome]:
    """How often each outcome came up in n rounds."""
    below = random.Random(seed).randrange
    shoe = list(range(52)) * 6
    counts: Counter[Outcome] = Counter()
    streak = 0
    for _ in range(n):
        j = below(312)
        mine = shoe[j]
        shoe[j], shoe[0] = shoe[0], mine
        his = shoe[1 + below(311)]

        my_rank, his_rank = mine // 4, his // 4
        high = (my_rank > his_rank) - (my_rank < his_rank)
        dealer_bets = his_rank <= THREE or his_rank >= NINE
        move = STRATEGY[mine]
        if move == "raise":
            end, units = ("dealer folds", 1) if his_rank <= SIX else ("dealer calls", 2 * high)
        elif move == "call":
            end, units = ("dealer raises", 2 * high) if dealer_bets else ("dealer checks the call", high)
        else:
            end, units = ("player folds", -1) if dealer_bets else ("dealer checks", high)

        if mine == his:
            side, progressive, streak = "match", "jackpot" if streak else "match", 1 - streak
        else:
            side = "tie" if my_rank == his_rank else "suit" if mine % 4 == his % 4 else "lose"
            progressive, streak = "lose", 0
        counts[end, units, side, progressive, streak] += 1
    return counts
