"""Baccarat: bet on the player hand, on the banker hand or on a tie; there is nothing to decide after that.

Two hands are dealt for the whole table, the player hand and the banker hand, two cards each, face up. Aces count 1,
tens and court cards nothing, and of a sum only the last digit counts. With 8 or 9, a natural, neither hand draws.
Otherwise the player hand draws to 5 or less, and then the banker hand by a table that looks at the card drawn. The hand
closer to 9 wins, and a tie pushes both. Of what a bet on the banker hand wins, the house keeps a commission of 5%.

Cards are dealt one at a time, as at the table. So every order in which six cards leave the shoe is a way of its own:
416 x 415 x 414 x 413 x 412 x 411 = 4,998,398,275,503,360 with eight decks.
"""

from collections.abc import Iterable

from pitboss.rules import (
    LOSE,
    WIN,
    Anchor,
    Card,
    Choice,
    Column,
    Game,
    PayTable,
    Table,
    Wager,
    column,
    compare,
    lookup,
    where,
)

PLAYER_HAND, BANKER_HAND = "player hand", "banker hand"
VALUES = [2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1]  # by rank, from two to ace
DRAWS_TO = {3: {0, 1, 2, 3, 4, 5, 6, 7, 9}, 4: {2, 3, 4, 5, 6, 7}, 5: {4, 5, 6, 7}, 6: {6, 7}}
ELEVEN = [PayTable("11 to 1", {"win": 11})]
WIZARD, COUNTED = "Wizard of Odds, Baccarat, eight decks", "casinoexploit.com, Baccarat, six decks"


def play(t: Table) -> None:
    player, banker = list[Card](), list[Card]()
    for _ in range(2):
        player += t.deal(PLAYER_HAND)
        banker += t.deal(BANKER_HAND)
    pairs = [where(first.rank == second.rank, WIN, LOSE) for first, second in (player, banker)]
    t.settle(player_pair=pairs[0], banker_pair=pairs[1])
    players, bankers = totals(t, player, banker)
    t.say("Announce both totals; 8 or 9 is a natural, and ends the round.")
    if not t.when((players >= 8) | (bankers >= 8)):
        draws = bankers <= 5
        if t.when(players <= 5):
            player += t.deal(PLAYER_HAND)
            draws = banker_draws(bankers, lookup(VALUES, player[2].rank))
        if t.when(draws, "the banker hand draws by the banker's table"):
            banker += t.deal(BANKER_HAND)
    players, bankers = totals(t, player, banker)
    tie = where(players == bankers, WIN, LOSE)
    t.settle(player=compare(players, bankers), banker=compare(bankers, players), tie=tie)


def totals(t: Table, player: list[Card], banker: list[Card]) -> list[Column]:
    both = {PLAYER_HAND: player, BANKER_HAND: banker}
    return [t.named(f"the {place}'s total", points(cards)) for place, cards in both.items()]


def points(cards: Iterable[Card]) -> Column:
    """What a hand counts: the last digit of its sum."""
    return sum((lookup(VALUES, card.rank) for card in cards), column(0)) % 10


def banker_draws(total: Column, third: Column) -> Column:
    """To 2 or less always; to 3, 4, 5 and 6 only if the player hand has drawn one of these values."""
    draws = total <= 2
    for at, values in DRAWS_TO.items():
        draws = draws | ((total == at) & lookup([int(n in values) for n in range(10)], third))
    return draws


GAME = Game(
    name="baccarat", title="Baccarat", play=play, counts=lambda hand: {"total": points(hand)}, seats=9,
    wagers=(
        Wager("player", "the player hand is closer to 9", lies="box"),
        Wager("banker", "the banker hand is closer to 9", tables=[PayTable("5% commission", {"win": "19/20"})],
              lies="box"),
        Wager("tie", "both hands count alike", tables=[PayTable(f"{n} to 1", {"win": n}) for n in (8, 9)], lies="box"),
        Wager("player-pair", "the player hand begins with a pair", tables=ELEVEN),
        Wager("banker-pair", "the banker hand begins with a pair", tables=ELEVEN),
    ),
    one_of=[["player", "banker", "tie"]],
    called={"player": "Player bet", "banker": "Banker bet", "tie": "Tie bet"},
    notes=["The banker's table: if the player hand has stood, the banker hand draws to 5 or less. If it has drawn, "
           "the banker hand draws to 2 or less always; to 3 unless the card drawn is an 8; to 4 if it is 2 to 7; to 5 "
           "if it is 4 to 7; to 6 if it is 6 or 7."],
    options=[Choice("decks", (8, 6, 4, 1), "decks in the shoe")],
    anchors=(
        *(Anchor(wager, edge, WIZARD) for wager, edge in
          {"banker": "1.0579%", "player": "1.2351%", "tie": "14.3596%", "player-pair": "10.3614%"}.items()),
        *(Anchor(wager, edge, COUNTED, options={"decks": "6"}) for wager, edge in
          {"banker": "1.06%", "player": "1.24%", "tie": "14.44%"}.items()),
    ),
)  # fmt: skip
