"""Caribbean Stud: five cards against the dealer's five, of which one is turned up.

You bet an Ante, look at your five cards and at the dealer's one, and fold or raise by twice the Ante. The dealer
qualifies with ace-king or better. If he does not, the Ante wins and the raise comes back; if he does, the better hand
wins both: the Ante at even money, the raise by the hand that you hold.
"""

from pitboss.rules import (
    ACE,
    DEALER,
    DOWN,
    JACK,
    KING,
    LOSE,
    PAIR,
    PLAYER,
    PUSH,
    QUEEN,
    WIN,
    Anchor,
    Game,
    PayTable,
    Seen,
    Table,
    Wager,
    by_floor,
    compare,
    count,
    hands_from,
    high_cards,
    strength,
    where,
)  # fmt: skip

HANDS = hands_from("two pair")


def play(t: Table) -> None:
    own, up, rest = t.deal(PLAYER, 5, face=DOWN), t.deal(DEALER), t.deal(DEALER, 4, face=DOWN)
    mine, his = strength(own), strength(up, rest)
    choice = t.decide(
        "fold",
        "raise",
        by={
            "a pair or better": mine >= PAIR,
            "ace-king or better": mine >= high_cards(ACE, KING),
            "a queen or a jack": count((card.rank == QUEEN) | (card.rank == JACK) for card in own) > 0,
            "a card like the up-card": count(card.rank == up.rank for card in own) > 0,
        },
    )
    if choice == "fold":
        t.settle(ante=LOSE)
        return
    t.bet("raise", 2)
    t.reveal(DEALER)
    qualifies, duel = his >= high_cards(ACE, KING), compare(mine, his)
    paid = where(duel == "win", by_floor(mine, HANDS, otherwise="win"), where(duel == "push", PUSH, LOSE))
    t.settle(ante=where(qualifies, duel, WIN), raise_=where(qualifies, paid, PUSH))


def simple(seen: Seen) -> str:
    """Raise any pair; of ace-king, raise if the dealer's card is one of yours, or with a queen or a jack besides."""
    good = seen.by["a queen or a jack"] or seen.by["a card like the up-card"]
    return "raise" if seen.by["a pair or better"] or (seen.by["ace-king or better"] and good) else "fold"


GAME = Game(
    name="caribbean-stud", title="Caribbean Stud", play=play, strategies={"simple": simple},
    wagers=(
        Wager("ante", "your hand is better than the dealer's", required=True),
        Wager("raise", "twice the Ante, after you have seen your cards", equal_to="ante", times=(2,), tables=[
            PayTable("100-50-20-7", dict(zip(HANDS, (100, 50, 20, 7, 5, 4, 3, 2), strict=True)) | {"win": 1})],
            lies="box"),
    ),
    anchors=(Anchor("ante", "5.22%", "Wizard of Odds, Caribbean Stud: house edge per ante"),),
)  # fmt: skip
