"""Flop Poker Bonus: three cards of your own and two of the three on the board make a five-card hand.

Everyone puts a Pot bet in the middle, and bets an Ante, a 3-Card Bonus or both. You get three cards; three more lie
face down in the centre, the flop. With an Ante you look at your cards and either bet the same again on the Flop or
fold. Then the flop is turned. The 3-Card Bonus is paid on your own three cards, Ante and Flop on your best five-card
hand with exactly two of the flop cards: a pair of jacks or better wins. The best hand at the table takes the pot,
folded or not.
"""

from collections.abc import Mapping, Sequence

from pitboss.rules import (
    BOARD,
    DOWN,
    JACK,
    LOSE,
    PLAYER,
    TABLE_MIN,
    WIN,
    Anchor,
    Choice,
    Game,
    PayTable,
    Seen,
    Table,
    Wager,
    by_floor,
    hands_from,
    highest,
    pair_of,
    strength,
    where,
)

FIVE_CARDS = hands_from("two pair") | {"jacks or better": pair_of(JACK)}
THREE_CARDS = hands_from("pair", cards=3)


def play(t: Table) -> None:
    own = t.deal(PLAYER, 3, face=DOWN)  # FP-2
    flop = t.deal(BOARD, 3, face=DOWN)
    folds = t.has("ante") and t.decide("fold", "bet", name="flop bet") == "fold"  # FP-3
    if t.has("ante") and not folds:
        t.bet("flop")
    t.reveal(BOARD)  # FP-4

    t.settle(**{"3-card-bonus": by_floor(strength(own), THREE_CARDS)})  # FP-5: also for a hand that folded
    best = highest(*(strength(own + two) for two in flop.choose(2)))
    made = by_floor(best, FIVE_CARDS)
    if folds:
        t.settle(ante=LOSE)
    elif t.has("ante"):
        t.settle(ante=where(made == "lose", LOSE, WIN), flop=made)  # FP-6
    t.share("pot", best)  # FP-7


def rule(seen: Seen) -> str:
    """Bet any jack or better, any pair, three of one suit, and three cards that fit a straight; fold the rest."""
    ranks = sorted(card.rank for card in seen.player)
    fit = len(set(ranks)) == 3 and (ranks[2] - ranks[0] <= 4)
    suited = len({card.suit for card in seen.player}) == 1
    return "bet" if ranks[2] >= JACK or len(set(ranks)) < 3 or suited or fit else "fold"


def wagers(options: Mapping[str, object]) -> Sequence[Wager]:
    flop, bonus = [*FIVE_CARDS], [*THREE_CARDS]
    return (
        Wager("pot", "the best five-card hand at the table takes it", required=True, exactly=TABLE_MIN),
        Wager("ante", "jacks or better with two of the flop", required=options["required"] == "pot-ante"),
        Wager(
            "flop", "the same hand, by its pay table", equal_to="ante",
            tables=[
                PayTable("A", dict(zip(flop, (1000, 500, 100, 30, 20, 10, 4, 2, 1), strict=True))),
                PayTable("B", dict(zip(flop, (1000, 500, 100, 30, 20, 11, 4, 2, 1), strict=True))),
            ],
        ),
        Wager(
            "3-card-bonus", "a pair or better in your own three cards",
            tables=[
                PayTable("1", dict(zip(bonus, (100, 50, 30, 6, 3, 1), strict=True))),
                PayTable("2", dict(zip(bonus, (100, 50, 25, 6, 3, 1), strict=True))),
                PayTable("3", dict(zip(bonus, (100, 50, 30, 5, 3, 1), strict=True))),
                PayTable("4", dict(zip(bonus, (100, 50, 30, 5, 4, 1), strict=True))),
                PayTable("5", dict(zip(bonus, (100, 50, 25, 5, 4, 1), strict=True))),
            ],
        ),
    )  # fmt: skip


GAME = Game(
    name="flop-poker-bonus",
    title="Flop Poker Bonus",
    play=play,
    wagers=wagers,
    one_of=lambda options: [("ante", "3-card-bonus")] if options["required"] == "pot-either" else [],
    options=(
        Choice(
            "required",
            ("pot-ante", "pot-either"),
            "the bets that everyone must make: Pot and Ante, or Pot and either Ante or 3-Card Bonus (FP-1)",
        ),
    ),
    strategies={"rule": rule},
    seats=6,
    settles_from_right=True,  # FP-5: from seat 6
    anchors=(
        Anchor("3-card-bonus", "4.199%", "FP-C1: game manual, pay table 1"),
        Anchor("3-card-bonus", "5.376%", "FP-C2: game manual, pay table 2", tables={"3-card-bonus": "2"}),
        Anchor("3-card-bonus", "7.457%", "FP-C3: game manual, pay table 3", tables={"3-card-bonus": "3"}),
        Anchor("3-card-bonus", "2.498%", "FP-C4: game manual, pay table 4", tables={"3-card-bonus": "4"}),
        Anchor("3-card-bonus", "3.674%", "FP-C5: game manual, pay table 5", tables={"3-card-bonus": "5"}),
    ),
    notes=(
        "FP-7: the manual is silent on equal hands; they share the pot, and an odd chip goes to the first winner in "
        "settlement order.",
        "FP-C6, FP-C7: the manual's 3.478% and 2.909% are per unit bet, the element of risk here (the first is cut "
        "off, not rounded); the edge per ante is larger because the flop bet doubles the stake.",
        "FP-9: the operator sets the limits (table-min, table-max).",
    ),
)
