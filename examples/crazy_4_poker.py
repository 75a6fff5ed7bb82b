"""Crazy 4 Poker: the best four of your five cards against the best four of the dealer's five.

You bet an Ante and as much again on Super Bonus, and look at your five cards. You fold, or play for as much as the
Ante; with a pair of aces or better you may play for three times as much. The dealer qualifies with king high. If he
does not, the Ante comes back; the better hand wins the rest at even money. Super Bonus is paid by your hand if it is a
straight or better, whatever the dealer holds; with less it comes back unless you lose. Queens Up is paid on your own
cards alone.
"""

from pitboss.rules import (
    ACE,
    DEALER,
    DOWN,
    EIGHT,
    FOUR,
    FOUR_QUADS,
    KING,
    LOSE,
    PLAYER,
    PUSH,
    QUEEN,
    Anchor,
    Game,
    PayTable,
    Seen,
    Table,
    Wager,
    by_floor,
    compare,
    hands_from,
    high_cards,
    pair_of,
    strength,
    where,
)  # fmt: skip

HANDS = hands_from("straight", cards=4)
BONUS = {"four aces": FOUR_QUADS + ACE} | HANDS
QUEENS = hands_from("two pair", cards=4) | {"queens or better": pair_of(QUEEN, cards=4)}


def play(t: Table) -> None:
    own, dealt = t.deal(PLAYER, 5, face=DOWN), t.deal(DEALER, 5, face=DOWN)
    mine = t.named("the player's hand", strength(own, cards=4))
    his = t.named("the dealer's hand", strength(dealt, cards=4))
    queens_up = by_floor(mine, QUEENS)
    aces = t.when(mine >= pair_of(ACE, cards=4), "the player's hand is a pair of aces or better")
    choices = ("fold", "play 1x", "play 3x") if aces else ("fold", "play 1x")
    choice = t.decide(
        *choices,
        name="play or fold",
        by={"king-queen-eight-four or better": mine >= high_cards(KING, QUEEN, EIGHT, FOUR, cards=4)},
    )
    if choice == "fold":
        t.settle(ante=LOSE, super_bonus=LOSE, queens_up=queens_up)
        return
    t.bet("play", 3 if choice == "play 3x" else 1)
    t.reveal(DEALER)
    duel = compare(mine, his)
    bonus = where(mine >= HANDS["straight"], by_floor(mine, BONUS), where(duel == "lose", LOSE, PUSH))
    ante = where(his >= high_cards(KING, cards=4), duel, PUSH)
    t.settle(ante=ante, play=duel, super_bonus=bonus, queens_up=queens_up)


def simple(seen: Seen) -> str:
    """King-queen-eight-four or better; three times as much whenever that is allowed."""
    return seen.choices[-1] if seen.by["king-queen-eight-four or better"] else "fold"


GAME = Game(
    name="crazy-4-poker", title="Crazy 4 Poker", play=play, strategies={"simple": simple},
    wagers=(
        Wager("ante", "your hand is better than the dealer's", required=True),
        Wager("super-bonus", "a straight or better, or not to lose", required=True, equal_to="ante", tables=[
            PayTable("200-30-15-2", dict(zip(BONUS, (200, 30, 15, 2, "3/2", 1), strict=True)))]),
        Wager("play", "your hand is better, with or without a pair of aces", equal_to="ante", times=(1, 3)),
        Wager("queens-up", "a pair of queens or better in your five cards", needs="ante", tables=[
            PayTable("50-40-7-4-3-2-1", dict(zip(QUEENS, (50, 40, 7, 4, 3, 2, 1), strict=True)))]),
    ),
    anchors=(Anchor("ante", "3.42%", "Wizard of Odds, Crazy 4 Poker: house edge per ante"),),
)  # fmt: skip
