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
    t.say("Collect the Pot bets and stack them to the right of the Flop rectangle: they are the pot.")  # FP-2
    own = t.deal(PLAYER, 3, face=DOWN)
    flop = t.deal(BOARD, 3, face=DOWN)
    t.say("The flop lies face down inside the Flop rectangle, in the centre of the table.")
    t.say("Players look at their own cards. They may not show them to each other.")
    folds = t.has("ante") and t.decide("fold", "bet", name="flop bet") == "fold"  # FP-3
    if folds:
        t.settle(ante=LOSE)  # taken at once
        t.say(
            f"Tuck the cards under the 3-Card Bonus bet; without one, lay them face down on the {spot(t)} spot.",
            each=True,
        )
        t.say("A folded hand can still win the 3-Card Bonus and the pot.", each=True)
    elif t.has("ante"):
        t.bet("flop")
    else:
        t.say("He has nothing to decide: he tucks his cards under his 3-Card Bonus bet.", each=True)
    t.reveal(BOARD)  # FP-4

    t.say("Turn up the player's three cards.", each=True)
    t.settle(**{"3-card-bonus": by_floor(strength(own), THREE_CARDS)})  # FP-5: also for a hand that folded
    t.say("Push forward the two flop cards that make the best five-card hand with the player's three.", each=True)
    best = t.named("the five-card hand", highest(*(strength(own + two) for two in flop.choose(2))))
    if t.has("ante") and not folds:
        t.settle(ante=where(best >= pair_of(JACK), WIN, LOSE), flop=by_floor(best, FIVE_CARDS))  # FP-6
    t.share("pot", best)  # FP-7, FP-8


def spot(t: Table) -> str:
    """The manual's summary and its step 4 differ on where a folded hand lies."""
    return "Pot" if t.option("folded-hand") == "pot-spot" else "3-Card Bonus"


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
        Choice(
            "folded-hand",
            ("pot-spot", "bonus-spot"),
            "where a folded hand without a 3-Card Bonus bet lies: on the Pot spot (the manual's summary), or on the "
            "3-Card Bonus spot (its step 4)",
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
        "FP-9, note D: the operator sets the limits (table-min, table-max), and they may not exceed those of the "
        "Tribal-State Compact.",
        "The approval is for the manual's Rules of Play as they stand: any modification of the game may affect it, so "
        "ask the Commission before you change an option. The tribal gaming agency approves the game first, and makers "
        "of layouts and equipment are certified and licensed.",
        "The manual is silent on a player who leaves: his bets are forfeited, and his Pot bet stays in the pot.",
    ),
    called={"board": "flop", "3-card-bonus": "3-Card Bonus"},
    irregular={
        "exposed card": "A flop card that shows before every player has decided makes the round a misdeal: all bets go "
        "back, the pot included. A player's card that shows is played as it lies.",
    },
)
