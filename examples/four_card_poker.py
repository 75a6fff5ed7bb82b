"""Four Card Poker: the best four of your five cards against the best four of the dealer's six, one of which he shows.

You bet an Ante, look at your five cards and at the dealer's one, and fold, or play for one, two or three times the
Ante. The dealer needs nothing to qualify, but has a card more; in return a tie is yours. The better hand wins Ante and
Play at even money. With three of a kind or better the Ante has a bonus, whatever the dealer holds. Aces Up is paid on
your own cards alone.
"""

from pitboss.rules import (
    ACE,
    DEALER,
    DOWN,
    FOUR_PAIR,
    LOSE,
    PLAYER,
    TEN,
    WIN,
    Anchor,
    Bonus,
    Game,
    PayTable,
    Seen,
    Table,
    Wager,
    by_floor,
    hands_from,
    pair_of,
    strength,
    where,
)  # fmt: skip

BONUS = hands_from("three of a kind", cards=4)
ACES_UP = hands_from("two pair", cards=4) | {"aces": pair_of(ACE, cards=4)}
RAISES = {"play 1x": 1, "play 2x": 2, "play 3x": 3}


def play(t: Table) -> None:
    own, up, rest = t.deal(PLAYER, 5, face=DOWN), t.deal(DEALER), t.deal(DEALER, 5, face=DOWN)
    mine = t.named("the player's hand", strength(own, cards=4))
    his = t.named("the dealer's hand", strength(up, rest, cards=4))
    aces_up = by_floor(mine, ACES_UP)
    good = {"pair": mine >= FOUR_PAIR, "tens": mine >= pair_of(TEN, cards=4)}
    choice = t.decide("fold", *RAISES, name="play or fold", by=good)
    if choice == "fold":
        t.settle(ante=LOSE, aces_up=aces_up)
        return
    t.bet("play", RAISES[choice])
    t.reveal(DEALER)
    duel = where(mine >= his, WIN, LOSE)
    t.settle(ante=duel, play=duel, bonus=by_floor(mine, BONUS), aces_up=aces_up)


def simple(seen: Seen) -> str:
    """Three times the Ante with a pair of tens or better, once with a lower pair; never twice."""
    return "play 3x" if seen.by["tens"] else "play 1x" if seen.by["pair"] else "fold"


GAME = Game(
    name="four-card-poker", title="Four Card Poker", play=play, strategies={"simple": simple},
    wagers=(
        Wager("ante", "your hand is at least as good as the dealer's", required=True),
        Wager("play", "the same, by as much as you dare", equal_to="ante", times=(1, 2, 3)),
        Bonus("bonus", "three of a kind or better", on="ante", tables=[
            PayTable("25-20-2", dict(zip(BONUS, (25, 20, 2), strict=True)))]),
        Wager("aces-up", "a pair of aces or better in your five cards", needs="ante", tables=[
            PayTable("50-40-8-5-4-3-1", dict(zip(ACES_UP, (50, 40, 8, 5, 4, 3, 1), strict=True)))]),
    ),
    anchors=(
        Anchor("ante", "2.79%", "Wizard of Odds, Four Card Poker: house edge per ante"),
        Anchor("aces-up", "3.89%", "the same, Aces Up 50-40-8-5-4-3-1"),
    ),
)  # fmt: skip
