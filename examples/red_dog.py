"""Red Dog: does the third card fall between the first two?

Two cards are dealt face up; aces are high and suits do not count. Neighbours push. A pair gets a third card: three of a
kind pays 11 to 1, anything else pushes. Otherwise the spread is the number of ranks between the two cards; the player
stands or raises by the amount of his ante, and wins if the third card falls between: a narrow spread pays more.
"""

from pitboss.rules import (
    BOARD,
    PUSH,
    Anchor,
    Choice,
    Game,
    PayTable,
    Seen,
    Table,
    Wager,
    first_match,
    highest,
    lowest,
    row,
    where,
)

SPREADS = {"spread of 1": 5, "spread of 2": 4, "spread of 3": 2, "spread of 4 to 11": 1}
WIZARD = "Wizard of Odds, Red Dog: house edge by number of decks"
PUBLISHED = {1: "3.155%", 2: "3.077%", 4: "2.884%", 6: "2.798%", 8: "2.751%"}


def play(t: Table) -> None:
    first, second = t.deal(BOARD, 2)
    low = lowest(first.rank, second.rank)
    high = highest(first.rank, second.rank)
    spread = high - low - 1
    if t.when(spread == 0, "the two cards are neighbours"):
        t.settle("neighbours", ante=PUSH)
        return
    if t.when(low == high, "the two cards are a pair"):
        third = t.deal(BOARD)
        three = t.named("the third card is of the same rank", third.rank == low)
        t.settle("a pair", ante=where(three, row("three of a kind"), PUSH))
        return
    raised = t.decide("stand", "raise") == "raise"
    if raised:
        t.bet("raise")
    third = t.deal(BOARD)
    between = (low < third.rank) & (third.rank < high)
    result = first_match(
        ("spread of 1", between & (spread == 1)),
        ("spread of 2", between & (spread == 2)),
        ("spread of 3", between & (spread == 3)),
        ("spread of 4 to 11", between),
    )
    t.settle(ante=result)
    if raised:
        t.settle(raise_=result)


def raise_seven(seen: Seen) -> str:
    """The rule of thumb that every guide prints: raise when seven or more ranks lie between."""
    return "raise" if abs(seen.board[0].rank - seen.board[1].rank) - 1 >= 7 else "stand"


GAME = Game(
    name="red-dog",
    title="Red Dog",
    play=play,
    wagers=(
        Wager("ante", "the third card falls between the first two", required=True,
              tables=[PayTable("standard", {"three of a kind": 11, **SPREADS})]),
        Wager("raise", "the same, doubled on a wide spread", equal_to="ante",
              tables=[PayTable("standard", SPREADS)]),
    ),
    options=(Choice("decks", (1, 2, 4, 6, 8), "decks in the shoe", default=6),),
    strategies={"raise-7": raise_seven},
    anchors=(
        *(Anchor("ante", edge, WIZARD, options={"decks": str(n)}) for n, edge in PUBLISHED.items()),
        Anchor("ante", "2.798%", WIZARD, strategy="raise-7"),
    ),
)  # fmt: skip
