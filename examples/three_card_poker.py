"""Three Card Poker: three cards against the dealer's three, who needs a queen to play.

You bet an Ante, look at your cards, and fold or bet the same again on Play. The dealer qualifies with queen high. If he
does not, the Ante wins and Play comes back; if he does, the better hand wins both, at even money. A straight or better
earns a bonus on the Ante as well, whatever the dealer holds. Pair Plus is paid on your own cards alone.
"""

from pitboss.rules import (
    DEALER,
    DOWN,
    FOUR,
    LOSE,
    PLAYER,
    PUSH,
    QUEEN,
    SIX,
    WIN,
    Anchor,
    Bonus,
    Game,
    PayTable,
    Seen,
    Table,
    Wager,
    by_floor,
    compare,
    hands_from,
    high_cards,
    strength,
    where,
)

HANDS = hands_from("pair", up_to="straight flush", cards=3)
STRAIGHTS = {hand: floor for hand, floor in HANDS.items() if hand not in ("flush", "pair")}


def play(t: Table) -> None:
    own, his = t.deal(PLAYER, 3, face=DOWN), t.deal(DEALER, 3, face=DOWN)
    made = by_floor(strength(own), HANDS)
    if t.decide("fold", "play") == "fold":
        t.settle(ante=LOSE, pair_plus=made)
        return
    t.bet("play")
    t.reveal(DEALER)
    qualifies = strength(his) >= high_cards(QUEEN, cards=3)
    duel = compare(strength(own), strength(his))
    bonus = by_floor(strength(own), STRAIGHTS)  # it does not ask how the Ante came out
    t.settle(ante=where(qualifies, duel, WIN), play=where(qualifies, duel, PUSH), ante_bonus=bonus, pair_plus=made)


def q64(seen: Seen) -> str:
    """Play queen-six-four or better: every guide's rule."""
    ranks = sorted((card.rank for card in seen.player), reverse=True)
    flush, straight = len({card.suit for card in seen.player}) == 1, ranks[0] - ranks[2] == 2
    return "play" if flush or straight or len(set(ranks)) < 3 or ranks >= [QUEEN, SIX, FOUR] else "fold"


GAME = Game(
    name="three-card-poker", title="Three Card Poker", play=play, strategies={"q64": q64},
    wagers=(
        Wager("ante", "your hand is better than the dealer's", required=True),
        Wager("play", "the same again, after you have seen your cards", equal_to="ante"),
        Bonus("ante-bonus", "a straight or better in a hand that you play", on="ante", tables=[
            PayTable("1-4-5", {"straight flush": 5, "three of a kind": 4, "straight": 1})]),
        Wager("pair-plus", "a pair or better in your three cards", needs="ante", tables=[
            PayTable(p, dict(zip(HANDS, p.split("-"), strict=True))) for p in ("40-30-6-4-1", "40-30-6-3-1")]),
    ),
    anchors=(
        Anchor("ante", "3.37%", "Wizard of Odds, Three Card Poker: ante and play, bonus 1-4-5"),
        Anchor("pair-plus", "2.32%", "Wizard of Odds, Three Card Poker: pair plus 40-30-6-4-1"),
        Anchor("pair-plus", "7.28%", "the same, 40-30-6-3-1", tables={"pair-plus": "40-30-6-3-1"}),
    ),
)  # fmt: skip
