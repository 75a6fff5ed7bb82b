"""Ultimate Texas Hold'em: two cards against the dealer's two, five shared cards, and the earlier you raise, the more.

You bet an Ante and as much again on the Blind, and look at your two cards. You may raise four (or three) times the Ante
at once, twice after the flop, or once when all five shared cards lie; by then it is raise or fold. The dealer qualifies
with a pair. If he does not, the Ante comes back; Play and Blind are settled all the same. The better hand wins Ante and
Play at even money; the Blind is paid by your hand if it is a straight or better, and comes back if you win with less.
Trips is paid on your hand, whatever the dealer holds.
"""

from pitboss.rules import (  # noqa: I001  (side by side)
    ACE, BOARD, DEALER, DOWN, EIGHT, FIVE, JACK, KING, LOSE, PAIR, PLAYER, PUSH, QUEEN, SIX, TEN, THREE, TWO,
    TWO_PAIR, Anchor, Column, Game, Hand, PayTable, Seen, Table, Wager, by_floor, compare, count, hands_from,
    strength, where,
)  # fmt: skip

STRAIGHTS, TRIPS = hands_from("straight"), hands_from("three of a kind")
LEFT = (1, 2, 5, 3)  # ranks above yours that may be out at the end: the board has nothing, a pair, two pair, trips
RAISES = {"raise 4x": 4, "raise 3x": 3, "raise 2x": 2, "raise 1x": 1}


def paired(own: Hand, board: Hand, least: int = TWO) -> Column:
    """Whether a card of your own makes a pair, with the board or with the other one."""
    with_board, (high, low) = count(mine.rank == card.rank for mine in own for card in board), own.ranks
    return (with_board > 0) | ((high == low) & (low >= least))


def higher(own: Hand, board: Hand) -> Column:
    """How many ranks above your highest card are not on the board."""
    return count((own.ranks[0] < rank) & (count(card.rank == rank for card in board) == 0) for rank in range(ACE + 1))


def play(t: Table) -> None:
    own, his = t.deal(PLAYER, 2, face=DOWN), t.deal(DEALER, 2, face=DOWN)
    flop, last = t.deal(BOARD, 3, face=DOWN), t.deal(BOARD, 2, face=DOWN)
    mine = t.named("the player's hand", strength(own, flop, last))
    theirs = t.named("the dealer's hand", strength(his, flop, last))
    choice = t.decide("raise 4x", "raise 3x", "check", name="before the flop")
    if choice != "check":
        t.bet("play", RAISES[choice])
    t.reveal(flop)
    if choice == "check":
        good = (strength(own, flop) >= TWO_PAIR) | paired(own, flop, THREE)
        draws = [(card.rank >= TEN) & (count(c.suit == card.suit for c in own + flop) > 3) for card in own]
        by = {"your own pair, or two pair": good, "four to a flush, your ten or higher": draws[0] | draws[1]}
        choice = t.decide("raise 2x", "check", name="on the flop", by=by)
        if choice != "check":
            t.bet("play", RAISES[choice])
    t.reveal(last)
    trips = by_floor(mine, TRIPS)
    if choice == "check":
        better = paired(own, flop + last) | (mine >= STRAIGHTS["straight"])
        shared = count(strength(flop, last) >= least for least in (PAIR, TWO_PAIR, TRIPS["three of a kind"]))
        by = {"your own pair, or a straight": better, "ranks above": higher(own, flop + last), "on the board": shared}
        choice = t.decide("raise 1x", "fold", name="on the river", by=by)
        if choice == "fold":
            t.settle(ante=LOSE, blind=LOSE, trips=trips)
            return
        t.bet("play", RAISES[choice])
    t.reveal(DEALER)
    duel = compare(mine, theirs)
    blind = where(duel == "win", by_floor(mine, STRAIGHTS, otherwise="push"), where(duel == "push", PUSH, LOSE))
    t.settle(play=duel, ante=where(theirs >= PAIR, duel, PUSH), blind=blind, trips=trips)


def simple(seen: Seen) -> str:
    """High cards and pairs at once; a pair of your own or a flush draw on the flop; at the end a pair, or a high card
    that few others can beat."""
    if seen.decision == "on the river":
        few = seen.by["ranks above"] <= LEFT[seen.by["on the board"]]
        return "raise 1x" if seen.by["your own pair, or a straight"] or few else "fold"
    if seen.decision == "on the flop":
        return "raise 2x" if any(seen.by.values()) else "check"
    low, high = sorted(card.rank for card in seen.player)
    suited = seen.player[0].suit == seen.player[1].suit
    least = {ACE: TWO, KING: TWO if suited else FIVE, QUEEN: SIX if suited else EIGHT, JACK: EIGHT if suited else TEN}
    good = low >= THREE if low == high else high in least and low >= least[high]
    return "raise 4x" if good else "check"


GAME = Game(
    name="ultimate-texas-holdem", title="Ultimate Texas Hold'em", play=play, strategies={"simple": simple},
    wagers=(
        Wager("ante", "your hand is better than the dealer's", required=True),
        Wager("blind", "your hand is better, and a straight or more", required=True, equal_to="ante", tables=[
            PayTable("500-50-10-3", dict(zip(STRAIGHTS, (500, 50, 10, 3, "3/2", 1), strict=True)))]),
        Wager("play", "your hand is better, by as much as you dare", equal_to="ante", times=(1, 2, 3, 4)),
        Wager("trips", "three of a kind or better in your seven cards", needs="ante", tables=[
            PayTable("50-40-30-8-7-4-3", dict(zip(TRIPS, (50, 40, 30, 8, 7, 4, 3), strict=True))),
            PayTable("50-40-30-9-7-4-3", dict(zip(TRIPS, (50, 40, 30, 9, 7, 4, 3), strict=True)))]),
    ),
    anchors=(
        Anchor("ante", "2.185%", "Wizard of Odds, Ultimate Texas Hold'em: house edge per ante"),
        Anchor("trips", "3.50%", "the same, Trips 50-40-30-8-7-4-3"),
        Anchor("trips", "0.90%", "the same, Trips 50-40-30-9-7-4-3", tables={"trips": "50-40-30-9-7-4-3"}),
    ),
)  # fmt: skip
