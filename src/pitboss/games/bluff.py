"""Bluff: one card each, heads up; the dealer's betting is printed on the layout.

You and the dealer get one card each, face down; aces are high. You look at yours and raise, call or check. The dealer
then turns his card and follows the printed policy: he folds his low cards to a raise, and against a call or a check he
bets his high cards and bluffs with a 2 or a 3. The higher card wins unless someone has folded. You play against the
dealer only, never against the other players.
"""

from collections.abc import Mapping, Sequence  # noqa: I001  (side by side)

from pitboss.rules import (
    DEALER, DOWN, EIGHT, FIVE, LOSE, PLAYER, PUSH, WIN, Amount, Anchor, Choice, Game, Meter, PayTable, Ranks, Rows,
    Seen, Table, Wager, among, compare, dollars, first_match, lookup, low_run, where,
)  # fmt: skip


def play(t: Table) -> None:
    mine = t.deal(PLAYER, 1, face=DOWN)  # BL-3
    his = t.deal(DEALER, 1, face=DOWN)
    t.say("Players look at their own cards.")
    move = t.decide("check", "call", "raise", name="first action")  # BL-4
    if move == "check":
        t.say("He signals it with a slight movement of the hand, and bets nothing more.", each=True)
    else:
        t.bet(move)
    t.say("He lays his card face down in the Play Box.", each=True)
    bets = move != "raise" and among(his.rank, t.option("dealer-raises"))
    again = False
    if move == "call" and t.option("limit") == "high" and t.when(bets):  # BL-10: he bets before his card is turned
        t.say("Announce the dealer's raise; his card stays face down.", each=True)
        again = t.decide("stand pat", "re-raise", name="facing the dealer's raise") == "re-raise"
    if again:
        t.bet("re-raise")
    t.reveal(DEALER)

    high = compare(mine.rank, his.rank)

    def after_a_fold(result: Rows) -> Rows:  # BL-6: a fold comes before a tie, or the other way round
        return where(mine.rank == his.rank, PUSH, result) if t.option("tie") == "push-first" else result

    if move == "raise":  # BL-5
        if t.when(among(his.rank, t.option("dealer-folds"))):
            t.settle("dealer folds", ante=after_a_fold(WIN), raise_=PUSH)
        else:
            t.settle("dealer calls", ante=high, raise_=high)
    elif again:  # BL-10
        if t.when(among(his.rank, low_run(t.option("dealer-raises")))):  # his bluffs
            t.settle("dealer folds his bluff", ante=after_a_fold(WIN), call=PUSH, re_raise=PUSH)
        else:
            t.settle("dealer calls the re-raise", ante=high, call=high, re_raise=high)
    elif t.when(bets):
        if move == "call":
            t.settle("dealer raises", ante=high, call=high)
        else:
            t.settle("dealer raises, player folds", ante=after_a_fold(LOSE))
    elif move == "call":
        t.settle("dealer checks", ante=high, call=PUSH)
    else:
        t.settle("dealer checks", ante=high)

    match = t.named("both cards are alike in rank and suit", mine == his)
    tie, suit = mine.rank == his.rank, mine.suit == his.suit
    t.settle(suit_tie=first_match(("match", match), ("tie", tie), ("suit", suit)))  # BL-8

    streak = t.carried(
        "streak", 2 if t.option("progressive") == "three" else 1, on="progressive"
    )  # BL-9: matches in a row so far
    last = t.named("the player has matched on his last hand too", streak == 1)
    rows = [("jackpot", match & last), ("match", match)]
    after = [1, 0]
    if t.option("progressive") == "three":
        before = t.named("the player has matched on his last two hands too", streak == 2)
        rows.insert(0, ("super jackpot", match & before))
        after = [1, 2, 0]
    t.settle(progressive=first_match(*rows))
    t.carry("streak", where(match, lookup(after, streak), 0))


def casual(seen: Seen) -> str:
    """BL-7: raise 2 to 4 and 9 to ace, call 5 to 8; never re-raise."""
    if seen.decision != "first action":
        return "stand pat"
    return "call" if FIVE <= seen.player[0].rank <= EIGHT else "raise"


def wagers(options: Mapping[str, object]) -> Sequence[Wager]:
    awards: dict[str, object] = {"match": dollars(100), "jackpot": Meter()}
    if options["progressive"] == "three":
        awards["super jackpot"] = Meter("super-meter", "super-seed", "super-increment")
    high_limit = [Wager("re-raise", "after a call and the dealer's raise", equal_to="ante")]
    return (
        Wager("ante", "against the dealer's card", required=True),
        Wager("raise", f"bets that your card is higher; the dealer folds {options['dealer-folds']}", equal_to="ante"),
        Wager("call", "stands up to the dealer's raise, should he make one", equal_to="ante"),
        *(high_limit if options["limit"] == "high" else []),
        Wager(
            "suit-tie", "your card matches the dealer's in suit, in rank or in both", needs="ante", minimum=5,
            tables=[PayTable("standard", {"suit": 1, "tie": 3, "match": 15})],
        ),
        Wager(
            "progressive", "your card matches the dealer's in rank and suit, and again on the next hand", needs="ante",
            exactly=5, tables=[PayTable("standard", awards)], stake_returned=options["progressive-bet"] == "returned",
        ),
    )  # fmt: skip


GAME = Game(
    name="bluff",
    title="Bluff",
    play=play,
    wagers=wagers,
    options=(
        Choice("decks", (2, 4, 6, 8), "decks in the shoe (BL-1)", default=6),
        Choice(
            "tie",
            ("fold-first", "push-first"),
            "equal cards when someone has folded: the fold stands, or all bets push (BL-6)",
        ),
        Ranks("dealer-folds", "2-6", "cards with which the dealer folds to a raise (BL-5)"),
        Ranks("dealer-raises", "2-3,9-A", "cards with which the dealer raises a call or a check (BL-5)"),
        Choice("limit", ("standard", "high"), "high: a caller who faces a raise may re-raise once (BL-10)"),
        Choice("progressive", ("two", "three"), "matches in a row for the top jackpot (BL-9)"),
        Choice(
            "progressive-bet",
            ("dropped", "returned"),
            "whether the $5 comes back with an award; the document does not say",
        ),
        Amount("meter", 10_000, "the jackpot now"),
        Amount("jackpot-seed", 5_000, "where the jackpot starts after a hit"),
        Amount("increment", "1.50", "what each bet adds to the jackpot"),
        Amount("super-meter", 100_000, "the three-in-a-row jackpot now"),
        Amount("super-seed", 50_000, "where the three-in-a-row jackpot starts"),
        Amount("super-increment", "0.25", "what each bet adds to the three-in-a-row jackpot"),
    ),
    strategies={"casual": casual},
    cut_card="1.25",  # BL-1: 1 to 1.5 decks from the back
    anchors=(
        Anchor("ante", "4.2%", "BL-C1: field-trial packet, Benefits"),
        Anchor("ante", "4.2%", "BL-C5: the casual strategy is called optimal", strategy="casual"),
    ),
    called={
        "suit-tie": "Suit & Tie",
        "re-raise": "Re-raise",
        "card box": "Play Box",
        "cut card": "about 1 to 1 1/2 decks from the back",
    },
    notes=(
        "BL-5: the dealer plays his card against each player by himself: he may fold to one and raise another. His "
        "policy is printed on the layout.",
        "BL-6: the higher card wins unless someone has folded, so a fold comes before a tie (option tie).",
        "BL-7: the published strategy for casual players: raise with a 2, 3 or 4 (a bluff), call with 5 to 8, raise "
        "with 9 to ace.",
        "BL-9: the streak belongs to the seat, needs the progressive bet on each hand, survives a shuffle and starts "
        "again after the top jackpot; a hand wins its highest award only.",
        "BL-9: the document names no seed and no increment; the defaults bring the average jackpot of six and eight "
        "decks above its $10,000.",
        "BL-10: the document gives no procedure for the re-raise. The dealer announces his raise with his card face "
        "down; against a re-raise he folds his bluffs, the raises with a card lower than every card that he checks (2 "
        "and 3; ante paid, call and re-raise push), and calls with the others.",
    ),
)
