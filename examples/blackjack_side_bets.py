"""Perfect Pairs and 21+3: two well-known side bets on the shipped blackjack game.

Perfect Pairs bets that your first two cards are a pair: best of all the very same card twice, then a pair of one
colour, then any other. 21+3 bets that your two cards and the dealer's up-card make a flush, a straight, three of a kind
or a straight flush. The rest of the round is the blackjack game that pitboss ships.
"""

from collections.abc import Mapping, Sequence

from pitboss.games.blackjack import Opening, base_wagers, blackjack, counts, opening
from pitboss.rules import Anchor, Choice, Game, PayTable, Rows, Table, Wager, first_match, highest, lookup, lowest

COLOURS = [0, 1, 1, 0]  # by suit: black, red, red, black
ACE_LOW = [*range(12), -1]  # by rank


def play(t: Table) -> None:
    cards = opening(t)
    t.settle(perfect_pairs=perfect_pairs(cards), twenty_one_plus_three=poker_hand(t, cards))
    blackjack(t, cards)


def perfect_pairs(cards: Opening) -> Rows:
    a, b = cards.first, cards.second
    pair = a.rank == b.rank
    return first_match(
        ("perfect", a == b),
        ("coloured", pair & (lookup(COLOURS, a.suit) == lookup(COLOURS, b.suit))),
        ("mixed", pair),
    )


def poker_hand(t: Table, cards: Opening) -> Rows:
    hand = (cards.first, cards.second, cards.up)
    a, b, c = (card.rank for card in hand)
    flush = (hand[0].suit == hand[1].suit) & (hand[1].suit == hand[2].suit)
    trips, differ = (a == b) & (b == c), (a != b) & (b != c) & (a != c)
    low = [lookup(ACE_LOW, rank) for rank in (a, b, c)]
    straight = differ & ((highest(a, b, c) - lowest(a, b, c) == 2) | (highest(*low) - lowest(*low) == 2))
    words = "the player's two cards and the up-card are of one suit, of one rank or in sequence"
    return first_match(("win", t.named(words, flush | straight | trips)))


def wagers(options: Mapping[str, object]) -> Sequence[Wager]:
    return (
        *base_wagers("3/2", 4),
        Wager(
            "perfect-pairs", "your first two cards are a pair", needs="main", minimum=1,
            tables=[
                PayTable("25-12-6", {"perfect": 25, "coloured": 12, "mixed": 6}),
                PayTable("30-10-5", {"perfect": 30, "coloured": 10, "mixed": 5}),
            ],
        ),
        Wager(
            "twenty-one-plus-three", "your two cards and the up-card make a poker hand", needs="main", minimum=1,
            tables=[PayTable("9 to 1", {"win": 9})],
        ),
    )  # fmt: skip


GAME = Game(
    name="blackjack-side-bets",
    title="Blackjack with Perfect Pairs and 21+3",
    play=play,
    wagers=wagers,
    options=(
        Choice("decks", (1, 2, 4, 6, 8), "decks in the shoe", default=6),
        Choice("soft17", ("stand", "hit"), "what the dealer does with a soft 17"),
        Choice("double", ("any", "9-11", "10-11"), "first two cards that may be doubled"),
        Choice("double-after-split", ("yes", "no"), "whether a split hand may be doubled"),
        Choice("split-to", (4,), "the most hands that a player may split to"),
        Choice("resplit-aces", ("no", "yes"), "whether aces may be split again"),
        Choice("split-aces", ("one-card", "play"), "split aces get one card each, or are played like other hands"),
        Choice("surrender", ("none", "late"), "late: half the bet back"),
    ),
    counts=counts,
    called={
        "main": "blackjack bet",
        "double": "double",
        "insurance": "insurance",
        "twenty-one-plus-three": "21+3",
        "hand-2": "bet on the second hand",
    },
    cut_card="1.5",
    anchors=(
        *(
            Anchor("perfect-pairs", edge, "Wizard of Odds, Perfect Pairs, table 25-12-6", options={"decks": decks})
            for decks, edge in {"2": "22.33%", "4": "10.14%", "6": "6.11%", "8": "4.10%"}.items()
        ),
        *(
            Anchor("twenty-one-plus-three", edge, "Wizard of Odds, 21+3, 9 to 1", options={"decks": decks})
            for decks, edge in {"1": "13.30%", "2": "7.26%", "4": "4.24%", "6": "3.24%", "8": "2.74%"}.items()
        ),
    ),
)
