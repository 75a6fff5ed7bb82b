"""Stare Down: one card each, face down; whoever blinks first pays.

Player and dealer get one card each, face down; aces are high and suits do not count. The player looks at his card and
looks away, which costs his ante, or stares: he bets as much again. Then the dealer looks at his own card, and by a
printed policy he blinks with some ranks: the ante wins, and the second bet comes back. If he does not blink, the higher
card wins both bets at even money, and equal cards push.

Which ranks the dealer blinks with is the whole game. The policy is an option that is a set of ranks, so a house can try
another one, `-o dealer-blinks=2-5`, or ask for the best: `pitboss design examples/stare_down.py --policy`.
"""

from pitboss.rules import (
    DEALER,
    DOWN,
    LOSE,
    PLAYER,
    PUSH,
    SIX,
    WIN,
    Anchor,
    Choice,
    Game,
    Ranks,
    Seen,
    Table,
    Wager,
    among,
    compare,
)

# Six decks, by hand: 311 cards are left for the dealer. Staring with a rank above k blinking ones brings 24k where he
# blinks, and 48 for every rank that loses to it less 48 for every rank that beats it. That is worth less than the ante
# for 2 to 5 and more for 6 to ace, so the player looks away with four ranks of thirteen.
BY_HAND = "by hand, six decks: nine ranks stare and bring {}/311 in all, four look away: {}/4043"


def play(t: Table) -> None:
    mine = t.deal(PLAYER, face=DOWN)
    his = t.deal(DEALER, face=DOWN)
    if t.decide("look away", "stare") == "look away":
        t.settle(ante=LOSE)
        return
    t.bet("stare")
    t.reveal(DEALER)
    if t.when(among(his.rank, t.option("dealer-blinks"))):
        t.settle("the dealer blinks", ante=WIN, stare=PUSH)
        return
    result = compare(mine.rank, his.rank)
    t.settle("the dealer stares back", ante=result, stare=result)


def from_six(seen: Seen) -> str:
    """Stare with a six or better."""
    return "stare" if seen.player[0].rank >= SIX else "look away"


GAME = Game(
    name="stare-down",
    title="Stare Down",
    play=play,
    wagers=(
        Wager("ante", "the dealer blinks, or your card is higher", required=True),
        Wager("stare", "your card is higher", equal_to="ante"),
    ),
    options=(
        Choice("decks", (1, 2, 6), "decks in the shoe", default=6),
        Ranks("dealer-blinks", "2-4", "cards with which the dealer gives up when the player stares"),
    ),
    strategies={"from-six": from_six},
    anchors=(
        Anchor("ante", "4.056%", BY_HAND.format(1080, 164)),
        Anchor("ante", "4.056%", BY_HAND.format(1080, 164), strategy="from-six"),
        Anchor("ante", "9.399%", BY_HAND.format(864, 380), options={"dealer-blinks": "2-5"}),
    ),
)
