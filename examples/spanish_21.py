"""Spanish 21: blackjack without the tens, and with bonuses for a 21 of five cards or more, of 6-7-8 and of 7-7-7.

A player's 21 always wins, and his blackjack beats the dealer's. He may double any number of cards, once, and take the
doubled part back when he has seen the card (a rescue). The $1000 for 7-7-7 of one suit against a seven is left out.
"""

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.games.blackjack import Count, counts, one, plus, value
from pitboss.rules import (
    DEALER, DOWN, EIGHT, LOSE, PLAYER, PUSH, SIX, SPADES, WIN, Anchor, Card, Choice, Column, Game, PayTable, Rows, Table,
    Wager, cards, column, compare, lowest, pick, row, where, within,
)  # fmt: skip

PRIZES = ("win", "3 to 2", "2 to 1", "3 to 1")


class Bonus(NamedTuple):
    """What the bonuses look at."""

    cards: Column  # in the hand, up to 7
    low: Column  # all are sixes, sevens and eights
    suited: Column  # and of one suit
    suit: Column  # which is this


def longer(so_far: Bonus, card: Card) -> Bonus:
    low = so_far.low & (card.rank >= SIX) & (card.rank <= EIGHT)
    suited = low & so_far.suited & ((so_far.cards == 0) | (card.suit == so_far.suit))
    return Bonus(within(lowest(so_far.cards + 1, 7), 0, 7), low, suited, within(where(suited, card.suit, 0), 0, 3))


def prize(mine: Count, bonus: Bonus) -> Column:
    of_three = where(bonus.suited, where(bonus.suit == SPADES, 3, 2), 1)
    earned = where(bonus.low & (bonus.cards == 3), of_three, where(bonus.cards > 4, bonus.cards - 4, 0))
    return within(where(mine.total == 21, earned, 0), 0, 3)


def play(t: Table) -> None:
    first, up, second = t.deal(PLAYER)[0], t.deal(DEALER)[0], t.deal(PLAYER)[0]
    dealer = value(up)
    his = plus(one(dealer), value(t.deal(DEALER, face=DOWN)[0]))
    if t.when(plus(one(value(first)), value(second)).total == 21, "the player has blackjack"):
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
        hand, hands, first, second, waiting, dealer, his, done = t.mark(
            "two cards", hand, hands, first, second, waiting, dealer, his, done
        )
        mine = plus(one(value(first)), value(second))
        bonus = longer(longer(Bonus(column(0), column(True), column(True), column(0)), first), second)
        splits = hands < 4 and t.when(value(first) == value(second), "both cards count the same")
        move = _move(t, mine, bonus, dealer, ["split"] * splits + ["surrender"] * (hands == 1))
        if move == "split":
            hands += 1
            t.split(hand, hands)
            t.bet(f"hand-{hands}")
            waiting, second = [*waiting, second], t.deal(PLAYER, hand=hand)[0]
            continue
        if move == "surrender":
            t.settle("surrender", main=row("surrender"))
            return
        while move == "hit":
            card = t.deal(PLAYER, hand=hand)[0]
            mine, bonus = plus(mine, value(card)), longer(bonus, card)
            hand, hands, mine, bonus, waiting, dealer, his, done = t.mark(
                "more cards", hand, hands, mine, bonus, waiting, dealer, his, done
            )
            move = _move(t, mine, bonus, dealer, [])
        score, won = mine.total, prize(mine, bonus)
        if hand == 1:
            t.bet("double", int(move == "double"))
        if move == "double":
            if hand > 1:
                t.bet(f"hand-{hand}", 2)
            mine = plus(mine, value(t.deal(PLAYER, hand=hand)[0]))
            score, won = mine.total, within(0, 0, 3)
            if t.when(mine.total < 21, "the hand counts less than 21"):
                by = {"doubled": mine.total, "dealer": dealer}
                score = score if t.decide("keep", "rescue", name="rescue", by=by) == "keep" else column(0)
        done = [*done, (within(score, 0, 31), won)]
        if hand == hands:
            break
        hand, first, waiting = hand + 1, waiting[0], waiting[1:]
        second = t.deal(PLAYER, hand=hand)[0]
    _dealer(t, his, done)


def _move(t: Table, mine: Count, bonus: Bonus, dealer: Column, more: Sequence[str]) -> str:
    if not t.when(mine.total < 21, "the hand counts less than 21"):
        return "stand"
    by = {"total": mine.total, "soft": mine.soft, "cards": bonus.cards, "dealer": dealer}
    return t.decide("stand", "hit", "double", *more, name="play", by=by)


def _dealer(t: Table, his: Count, done: list[tuple[Column, Column]]) -> None:
    t.reveal(DEALER)
    draws = t.when(lowest(*(where((s > 0) & (s < 21), 0, 1) for s, _ in done)) == 0, "a hand of the player is open")
    while draws:
        his, done = t.mark("dealer draws", his, done)
        hits = (his.total == 17) & his.soft & (t.option("soft17") == "hit")
        draws = t.when((his.total < 17) | hits, "the dealer counts less than his limit")
        if draws:
            his = plus(his, value(t.deal(DEALER)[0]))
    for number, (score, won) in enumerate(done, 1):
        duel = where(score > 21, LOSE, compare(score, where(his.total > 21, 1, his.total)))
        result = where(score == 21, pick(PRIZES, won), duel)
        if number == 1:
            t.settle(main=where(score == 0, LOSE, result), double=where(score == 0, PUSH, where(score == 21, WIN, duel)))
        else:
            t.settle(**{f"hand_{number}": where(score == 0, row("rescue"), result)})


PAYS: dict[str, object] = {"win": 1, "3 to 2": "3/2", "2 to 1": 2, "3 to 1": 3}
GAME = Game(
    name="spanish-21",
    title="Spanish 21",
    play=play,
    wagers=[
        Wager("main", "against the dealer", required=True, tables=[PayTable("s", {**PAYS, "surrender": "-1/2"})]),
        Wager("double", "for one more card", equal_to="main", times=(0, 1)),
        *(
            Wager(f"hand-{n}", "a split hand", equal_to="main", times=(1, 2), tables=[PayTable("s", {**PAYS, "rescue": "-1/2"})])
            for n in (2, 3, 4)
        ),
    ],
    options=[Choice("decks", (6, 8), "decks of 48 cards"), Choice("soft17", ("stand", "hit"), "a soft 17 of the dealer's")],
    deck=cards("2-9,J-A"),
    counts=counts,
)
