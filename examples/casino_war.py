"""Casino War: one card each, the higher card wins; on a tie the player surrenders or goes to war.

Player and dealer get one card each, face up; aces are high and suits do not count. The higher card wins even money. On
a tie the player gives up half his bet, or doubles it and goes to war: three cards are burned and each side gets one
more card. If the player's is at least as high, only the second bet is paid and the first one comes back; if it is
lower, both are lost. Winning one unit where two can be lost is the whole edge of the house.
"""

from collections.abc import Mapping, Sequence

from pitboss.rules import (
    DEALER,
    LOSE,
    PLAYER,
    PUSH,
    WIN,
    Anchor,
    Choice,
    Game,
    PayTable,
    Table,
    Wager,
    compare,
    row,
    where,
)

WIZARD = "Wizard of Odds, Casino War, six decks: "


def play(t: Table) -> None:
    mine = t.deal(PLAYER)
    his = t.deal(DEALER)
    tied = mine.rank == his.rank
    t.settle(tie=where(tied, row("tie"), LOSE))  # paid at once: it does not wait for the war
    if not t.when(tied):
        t.settle(ante=compare(mine.rank, his.rank))
        return
    if t.decide("war", "surrender") == "surrender":
        t.settle(ante=row("surrender"))
        return
    t.bet("war")
    t.burn(3)
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    won = mine.rank >= his.rank  # a second tie is a win
    war = where(won, WIN, LOSE)
    if t.option("bonus") == "pays":
        war = where(mine.rank == his.rank, row("tie in the war"), war)
    t.settle(ante=where(won, PUSH, LOSE), war=war)


def wagers(options: Mapping[str, object]) -> Sequence[Wager]:
    war = {"win": 1, "tie in the war": 2} if options["bonus"] == "pays" else {"win": 1}
    return (
        Wager("ante", "your card is higher than the dealer's", required=True,
              tables=[PayTable("standard", {"win": 1, "surrender": "-1/2"})]),
        Wager("war", "the second bet, after a tie", equal_to="ante", tables=[PayTable("standard", war)], lies="beside"),
        Wager("tie", "the first two cards tie", needs="ante", tables=[PayTable("standard", {"tie": 10})]),
    )  # fmt: skip


GAME = Game(
    name="casino-war",
    title="Casino War",
    play=play,
    wagers=wagers,
    options=(
        Choice("decks", (1, 2, 3, 4, 5, 6, 7, 8), "decks in the shoe", default=6),
        Choice("bonus", ("none", "pays"), "pays: a tie in the war wins one unit more"),
    ),
    strategies={"always-war": lambda seen: "war", "always-surrender": lambda seen: "surrender"},
    anchors=(
        Anchor("ante", "2.88%", WIZARD + "no bonus"),
        Anchor("ante", "2.88%", WIZARD + "no bonus", strategy="always-war"),
        Anchor("ante", "2.33%", WIZARD + "with the bonus", options={"bonus": "pays"}),
        Anchor("ante", "3.70%", WIZARD + "always surrendering", strategy="always-surrender"),
        Anchor("tie", "18.65%", WIZARD + "the tie bet"),
    ),
)
