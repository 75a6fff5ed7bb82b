"""Let It Ride: three cards of your own and two on the board; as the cards show, you may take two of three bets back.

You make three equal bets and get three cards; two more lie face down in the centre. After your own cards you let the
first bet ride or take it back, after the first centre card the second; the third bet stays. Then the last card is
turned, and every bet that is left is paid on the five cards: a pair of tens or better wins. There is no dealer to beat.

A bet that may be taken back is written here as one that may be made: letting it ride is t.bet(), taking it back is not
betting. The money is the same, and so is the figure that is published: the loss per bet that stays.
"""

from pitboss.rules import (
    BOARD,
    DOWN,
    PLAYER,
    TEN,
    Anchor,
    Game,
    PayTable,
    Table,
    Wager,
    by_floor,
    hands_from,
    pair_of,
    strength,
)

HANDS = hands_from("two pair") | {"tens or better": pair_of(TEN)}
PAYS = PayTable("standard", dict(zip(HANDS, (1000, 200, 50, 11, 8, 5, 3, 2, 1), strict=True)))


def play(t: Table) -> None:
    own = t.deal(PLAYER, 3, face=DOWN)
    centre = [t.deal(BOARD, face=DOWN), t.deal(BOARD, face=DOWN)]
    made = by_floor(t.named("the five-card hand", strength(own, *centre)), HANDS)
    bets = ["base"]
    for bet, card in zip(("first", "second"), centre, strict=True):
        if t.decide("take back", "let it ride", name=f"the {bet} bet") == "let it ride":
            t.bet(bet)
            bets.append(bet)
        t.reveal(card)
    t.settle(**dict.fromkeys(bets, made))


GAME = Game(
    name="let-it-ride",
    title="Let It Ride",
    play=play,
    wagers=(
        Wager("base", "the bet that stays", required=True, tables=[PAYS]),
        Wager("first", "may be taken back after your three cards", equal_to="base", table_of="base"),
        Wager("second", "may be taken back after the first centre card", equal_to="base", table_of="base"),
    ),
    anchors=(Anchor("base", "3.51%", "Wizard of Odds, Let It Ride: house edge per base bet"),),
)
