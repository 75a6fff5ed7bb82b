"""Pack's Poker: your five cards against the dealer's five, each with the same two community cards, pack by pack.

Two or three packs of two community cards lie face down, each with a betting area of its own: a Pack bet against the
dealer, and an Ante Bonus on your hand alone. You get five cards, the dealer five. The packs are turned one at a time;
with each, the best five of seven cards count for you and for the dealer. There is nothing to decide after the bets.
"""

from collections.abc import Mapping, Sequence

from pitboss.rules import (
    DEALER,
    DOWN,
    LOSE,
    PAIR,
    PLAYER,
    PUSH,
    Amount,
    Anchor,
    Choice,
    Game,
    PayTable,
    Table,
    Wager,
    by_floor,
    compare,
    dollars,
    hands_from,
    row,
    royal_length,
    strength,
    where,
)

HANDS = hands_from("three of a kind")


PACKS = {"": "first pack", "-2": "second pack", "-3": "third pack"}  # by the betting area: the first needs no number


def areas(packs: object) -> list[str]:
    return list(PACKS)[: int(str(packs))]


def play(t: Table) -> None:
    own = t.deal(PLAYER, 5, face=DOWN)  # PP-2
    his = t.deal(DEALER, 5, face=DOWN)
    packs = {area: t.deal(PACKS[area], 2, face=DOWN) for area in areas(t.option("packs"))}
    t.say("Players look at their own cards. There is nothing to decide after the bets.")
    for area, pack in packs.items():
        t.reveal(pack)  # PP-3: one at a time
        if not area:
            t.reveal(DEALER)
        t.say(f"The best five of seven cards count: five in the hand and the two of the {PACKS[area]}.")
        mine = t.named("the player's hand", strength(own + pack))
        dealers = t.named("the dealer's hand", strength(his + pack))
        result = compare(mine, dealers)
        if t.option("rule") == "base":  # PP-4
            result = where((result == "win") & (mine < PAIR), PUSH, result)
        else:
            result = where(mine < PAIR, LOSE, result)
        made = by_floor(mine, HANDS)  # PP-5
        if t.option("fixed-awards") == "on":  # PP-6
            run = royal_length(own + pack)
            seven = t.named("seven cards are A-K-Q-J-10-9-8 of one suit", run == 7)
            six = t.named("six cards are A-K-Q-J-10-9 of one suit", run == 6)
            made = where(seven, row("7-card royal"), where(six, row("6-card royal"), made))
        t.settle(**{f"pack{area}": result, f"ante-bonus{area}": made})


TABLES = {
    "report": (500, 150, 50, 10, 5, 3, 2),
    "exhibit": (500, 100, 50, 10, 5, 4, 2),
    "H": (500, 150, 75, 10, 6, 4, -1),  # three of a kind loses
    "I": (500, 100, 50, 10, 7, 5, -1),
    "J": (500, 100, 50, 10, 8, 5, -1),
    "NH1": (250, 100, 50, 10, 4, 3, 2),
    "NH2": (250, 100, 50, 15, 3, 3, 2),
    "NH3": (500, 100, 50, 10, 4, 3, 2),
    "NH4": (200, 100, 50, 10, 5, 3, 2),
    "NH5": (250, 100, 50, 10, 5, 3, 2),
    "NH6": (250, 150, 50, 10, 5, 3, 2),
    "NH7": (500, 150, 75, 15, 4, 2, -1),
    "NH8": (250, 100, 50, 15, 5, 3, -1),
    "NH9": (500, 150, 75, 15, 4, 2, -1),
    "NH10": (250, 100, 50, 15, 5, 3, -1),
    "NH11": (500, 150, 75, 10, 6, 4, -1),
}


def tables(awards: object) -> list[PayTable]:
    """The pay tables of the Ante Bonus; those for New Hampshire have no fixed awards."""
    out = []
    for name, pays in TABLES.items():
        least = pays[0] if awards == "highest" else 0  # PP-5: a long royal is a royal flush too
        royals: list[object] = [dollars(25_000, least), dollars(5_000, least)]
        if name.startswith("NH"):
            royals = [pays[0], pays[0]]
        out.append(PayTable(name, dict(zip(["7-card royal", "6-card royal", *HANDS], [*royals, *pays], strict=True))))
    return out


def wagers(options: Mapping[str, object]) -> Sequence[Wager]:
    out = []
    for area in areas(options["packs"]):
        needs = f"pack{area}" if options["bonus-alone"] == "no" else None  # PP-1
        out += [
            Wager(f"pack{area}", "your hand beats the dealer's with this pack"),
            Wager(
                f"ante-bonus{area}", "your hand with this pack, whatever the dealer holds", needs=needs,
                tables=tables(options["long-royals"]),
                table_of="ante-bonus" if area else None,
            ),
        ]  # fmt: skip
    return out


GAME = Game(
    name="packs-poker",
    title="Pack's Poker",
    play=play,
    wagers=wagers,
    one_of=lambda options: [tuple(f"{w}{a}" for a in areas(options["packs"]) for w in ("pack", "ante-bonus"))],
    options=(
        Choice("packs", (3, 2), "packs of two community cards (PP-1)"),
        Choice("rule", ("base", "alternative"), "a hand without a pair that beats the dealer pushes, or loses (PP-4)"),
        Choice("fixed-awards", ("on", "off"), "$25,000 and $5,000 for 7- and 6-card royals (PP-6)"),
        Choice(
            "long-royals",
            ("highest", "dollars"),
            "a long royal is paid its dollars, or as a royal flush where that is more; or its dollars only (PP-5)",
        ),
        Choice(
            "bonus-alone", ("no", "yes"), "an Ante Bonus without a Pack bet: exhibit A says no, the report yes (PP-1)"
        ),
        Amount("stake", 5, "the bet that fixed awards are measured against", least="0.01"),
    ),
    seats=8,  # PP-2: one deck holds the dealer's hand, eight players' and three packs
    settles_from_right=True,
    called={
        "pack": "first Pack bet",
        "pack-2": "second Pack bet",
        "pack-3": "third Pack bet",
        "ante-bonus": "first Ante Bonus",
        "ante-bonus-2": "second Ante Bonus",
        "ante-bonus-3": "third Ante Bonus",
    },
    notes=(
        "PP-1: the exhibit allows a bet on 'any one of the Ante Bonus circles in which a Pack's bet has been made'. It "
        "is read as: in each area with a Pack bet a player may, and need not, bet that area's Ante Bonus too.",
        "PP-1: the report speaks of an Ante Bonus 'of unit size'. Here it is any amount within the limits: no clause "
        "asks for more, and only the fixed awards depend on it.",
        "PP-2: the exhibit deals three packs, the report two or three (option packs).",
        "PP-5: the exhibit's pay table and the report's differ in two rows; the report's is the usual one here, "
        "because the figures are the report's (-p ante-bonus=exhibit for the other).",
        "PP-6: the fixed awards may be left off every pay table (option fixed-awards); long royals then pay as a royal "
        "flush.",
    ),
    anchors=(Anchor("ante-bonus", "5.85%", "PP-C3: mathematician's report"),),
)
