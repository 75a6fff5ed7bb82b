"""Mississippi Stud: two cards of your own and three on the board; bet once to three times the ante per card, or fold.

You bet an Ante and get two cards; three more lie face down in the centre. Before each of them is turned you bet one,
two or three times the Ante or fold and lose what you have bet so far. After the last card every bet is paid on the five
cards: a pair of jacks or better wins, a pair of sixes to tens pushes. There is no dealer to beat.
"""

from pitboss.rules import (
    BOARD,
    DOWN,
    JACK,
    LOSE,
    PLAYER,
    SIX,
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

HANDS = hands_from("two pair") | {"jacks or better": pair_of(JACK), "push": pair_of(SIX)}
PAYS = PayTable("standard", dict(zip(HANDS, (500, 100, 40, 10, 6, 4, 3, 2, 1, 0), strict=True)))
STREETS = ("3rd-street", "4th-street", "5th-street")


def play(t: Table) -> None:
    own = t.deal(PLAYER, 2, face=DOWN)
    centre = [t.deal(BOARD, face=DOWN) for _ in STREETS]
    made = by_floor(t.named("the five-card hand", strength(own, *centre)), HANDS)
    bets, staked = ["ante"], 1
    for street, card in zip(STREETS, centre, strict=True):
        move = t.decide("1x", "2x", "3x", "fold", name=f"{street} with {staked}x bet so far")
        if move == "fold":
            t.settle(**dict.fromkeys(bets, LOSE))
            return
        t.bet(street, times=int(move[0]))
        t.reveal(card)
        bets, staked = [*bets, street], staked + int(move[0])
    t.settle(**dict.fromkeys(bets, made))


GAME = Game(
    name="mississippi-stud",
    title="Mississippi Stud",
    play=play,
    wagers=(
        Wager("ante", "your five cards, by the pay table", required=True, tables=[PAYS]),
        *(Wager(s, "on the same cards", equal_to="ante", times=(1, 2, 3), table_of="ante") for s in STREETS),
    ),
    anchors=(Anchor("ante", "4.91%", "Wizard of Odds, Mississippi Stud: house edge per ante"),),
)
