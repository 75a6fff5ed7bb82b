"""Spanish 21: blackjack without the tens, and with bonuses for a 21 of five cards or more, of 6-7-8 and of 7-7-7.

A player's 21 always wins, and his blackjack beats the dealer's. He may double any number of cards, once, and take the
doubled part back when he has seen the card (a rescue). The $1000 for 7-7-7 of one suit against a seven is left out.
"""

from typing import NamedTuple

from pitboss.games.blackjack import Count, counts, one, plus, value
from pitboss.rules import (
    DEALER,
    DOWN,
    EIGHT,
    LOSE,
    PLAYER,
    PUSH,
    SIX,
    SPADES,
    WIN,
    Anchor,
    Card,
    Choice,
    Column,
    Game,
    PayTable,
    Table,
    Wager,
    cards,
    column,
    compare,
    lowest,
    pick,
    row,
    where,
    within,
)  # fmt: skip

PRIZES = ("win", "3 to 2", "2 to 1", "3 to 1")
PAYS: dict[str, object] = {"win": 1, "3 to 2": "3/2", "2 to 1": 2, "3 to 1": 3}


class Drawn(NamedTuple):
    """A hand, and what the bonuses look at."""

    so_far: Count
    cards: Column  # up to 7
    low: Column  # all are sixes, sevens and eights
    suited: Column  # and of one suit
    suit: Column  # which is this


def begun(card: Card) -> Drawn:
    low = (card.rank >= SIX) & (card.rank <= EIGHT)
    return Drawn(one(value(card)), within(1, 1, 7), low, low, within(where(low, card.suit, 0), 0, 3))


def longer(hand: Drawn, card: Card) -> Drawn:
    low = hand.low & (card.rank >= SIX) & (card.rank <= EIGHT)
    suited = low & hand.suited & (card.suit == hand.suit)
    cards = within(lowest(hand.cards + 1, 7), 1, 7)
    return Drawn(plus(hand.so_far, value(card)), cards, low, suited, within(where(suited, card.suit, 0), 0, 3))


def prize(hand: Drawn) -> Column:
    of_three = where(hand.suited, where(hand.suit == SPADES, 3, 2), 1)
    earned = where(hand.low & (hand.cards == 3), of_three, where(hand.cards > 4, hand.cards - 4, 0))
    return within(where(hand.so_far.total == 21, earned, 0), 0, 3)


def play(t: Table) -> None:
    first, up, second = t.deal(PLAYER)[0], t.deal(DEALER)[0], t.deal(PLAYER)[0]
    dealer, mine = value(up), longer(begun(first), second)
    his = plus(one(dealer), value(t.deal(DEALER, face=DOWN)[0]))
    if t.when(mine.so_far.total == 21, "the player has blackjack"):
        t.settle("blackjack", main=row("3 to 2"))
        return
    if t.when(his.total == 21, "the dealer has blackjack"):
        t.reveal(DEALER)
        t.settle("dealer has blackjack", main=LOSE)
        return
    hand = hands = 1
    waiting: list[Card] = []  # the first cards of hands still to be played
    done: list[tuple[Column, Column]] = []  # total, 0 for a rescue, and prize
    while True:
        hand, hands, mine, first, second, waiting, dealer, his, done = t.mark(
            "the hand of two cards", hand, hands, mine, first, second, waiting, dealer, his, done
        )
        move = _move(t, mine, dealer, hands, value(first) == value(second))
        if move == "surrender":
            t.settle("surrender", main=row("surrender"))
            return
        if move == "split":
            hands += 1
            t.split(hand, hands)
            t.bet(f"hand-{hands}")
            waiting = [*waiting, second]
        else:
            while move == "hit":
                mine = longer(mine, t.deal(PLAYER, hand=hand)[0])
                hand, hands, mine, waiting, dealer, his, done = t.mark(
                    "the hand of more cards", hand, hands, mine, waiting, dealer, his, done
                )
                move = _move(t, mine, dealer)
            if hand == 1:
                t.bet("double", int(move == "double"))
            elif move == "double":
                t.bet(f"hand-{hand}", 2)
            score = _doubled(t, hand, mine, dealer) if move == "double" else (mine.so_far.total, prize(mine))
            done = [*done, (within(score[0], 0, 31), score[1])]
            if hand == hands:
                break
            hand, first, waiting = hand + 1, waiting[0], waiting[1:]
        second = t.deal(PLAYER, hand=hand)[0]
        mine = longer(begun(first), second)
    _dealer(t, his, done)


def _move(t: Table, mine: Drawn, dealer: Column, hands: int = 4, pair: Column | None = None) -> str:
    if not t.when(mine.so_far.total < 21, "the hand counts less than 21"):
        return "stand"
    splits = pair is not None and hands < 4 and t.when(pair, "both cards count the same")
    more = ["split"] * splits + ["surrender"] * (hands == 1 and pair is not None)
    by = {"total": mine.so_far.total, "soft": mine.so_far.soft, "cards": mine.cards, "dealer": dealer}
    return t.decide("stand", "hit", "double", *more, name="play", by=by)


def _doubled(t: Table, hand: int, mine: Drawn, dealer: Column) -> tuple[Column, Column]:
    total = plus(mine.so_far, value(t.deal(PLAYER, hand=hand)[0])).total
    if t.when(total < 21, "the hand counts less than 21"):
        by = {"doubled": total, "dealer": dealer}
        if t.decide("keep", "rescue", name="rescue", by=by) == "rescue":
            total = column(0)
    return total, within(0, 0, 3)


def _dealer(t: Table, his: Count, done: list[tuple[Column, Column]]) -> None:
    t.say("The dealer plays his hand if a hand of less than 21 is in action; else he draws none.")
    draws = t.when(lowest(*(where((s > 0) & (s < 21), 0, 1) for s, _ in done)) == 0, "a hand of the player is open")
    t.reveal(DEALER)
    while draws:
        his, done = t.mark("the dealer's hand", his, done)
        hits = t.option("soft17") == "hit"
        words = f"the dealer counts less than 17{' or soft 17' * hits}"
        draws = t.when((his.total < 17) | ((his.total == 17) & his.soft & hits), words)
        if draws:
            his = plus(his, value(t.deal(DEALER)[0]))
    for number, (score, won) in enumerate(done, 1):
        duel = where(score > 21, LOSE, compare(score, where(his.total > 21, 1, his.total)))
        result = where(score == 21, pick(PRIZES, won), duel)
        if number == 1:
            t.settle(
                main=where(score == 0, LOSE, result), double=where(score == 0, PUSH, where(score == 21, WIN, duel))
            )
        else:
            t.settle(**{f"hand_{number}": where(score == 0, row("rescue"), result)})


def _wager(n: int) -> Wager:
    pays = PayTable("standard", {**PAYS, "rescue": "-1/2"})
    about = "a split hand; doubled for one more card"
    return Wager(f"hand-{n}", about, equal_to="main", times=(1, 2), tables=[pays], lies="beside")


SOURCE = (
    "Wikipedia, Spanish 21, without the super bonus; six decks and a stand on soft 17 are 0.37% there and 0.365% here"
)
GAME = Game(
    name="spanish-21",
    title="Spanish 21",
    play=play,
    wagers=[
        Wager(
            "main", "against the dealer", required=True, tables=[PayTable("standard", {**PAYS, "surrender": "-1/2"})]
        ),
        Wager("double", "for one more card", equal_to="main", times=(0, 1), lies="beside"),
        *map(_wager, (2, 3, 4)),
    ],
    options=[
        Choice("decks", (6, 8), "decks of 48 cards"),
        Choice("soft17", ("stand", "hit"), "what the dealer does with a soft 17"),
    ],
    deck=cards("2-9,J-A"),
    counts=counts,
    anchors=[
        Anchor("main", "0.38%", SOURCE, {"decks": "8"}),
        Anchor("main", "0.78%", SOURCE, {"soft17": "hit"}),
        Anchor("main", "0.80%", SOURCE, {"soft17": "hit", "decks": "8"}),
    ],
)
