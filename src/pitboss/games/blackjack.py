"""Blackjack with two bonus wagers: Lucky Lucky on the first three cards, Lucky Break on the dealer's bust.

Come closer to 21 than the dealer without going over. Aces count 1 or 11, court cards 10; an ace with a ten-valued card
is a blackjack and pays extra. You may hit, stand, double for one more card, and split cards of equal value; the dealer
draws to 17. Lucky Lucky bets on your two cards with the dealer's up-card, Lucky Break on how far the dealer goes over.
"""

from collections.abc import Mapping, Sequence  # noqa: I001  (side by side)
from fractions import Fraction
from typing import NamedTuple

from pitboss.rules import (
    DEALER, DOWN, LOSE, PLAYER, PUSH, Amount, Anchor, Card, Choice, Column, Game, Hand, PayTable, Rows, Table,
    Wager, column, compare, first_match, highest, lookup, lowest, pick, row, where, within,
)  # fmt: skip

VALUES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1]  # by rank; an ace as 1
LUCKY = [0, 0, 0, 0, 1, 4, 16, 0, 0, 0, 0, 0, 0]  # three cards that sum to 21 are 6-7-8, to 12 are 7-7-7
HALF = Fraction(1, 2)
SPLIT = {f"hand-{n}": f"bet on the {which} hand" for n, which in ((2, "second"), (3, "third"), (4, "fourth"))}
BREAKS = [
    f"{total} {kind}" for total in range(26, 21, -1) for kind in ("suited 5+", "suited 4", "suited 3", "unsuited")
]
BASE = {"1": (3, 3, 2, 2, 1), "2": (3, 3, 2, 2, 1), "3": (3, 2, 2, 2, 1), "4": (3, 2, 2, 2, 1)}  # LB-3: 26 to 22
SUITED = {"1": (50, 10, 2), "2": (100, 10, 2), "3": (25, 10, 5), "4": (50, 10, 2)}  # 5 or more, 4, 3 cards of one suit


class Count(NamedTuple):
    """What a hand counts, and whether one of its aces counts 11."""

    total: Column
    soft: Column


class Bonus(NamedTuple):
    """What Lucky Break needs to know of the dealer's hand."""

    cards: Column  # five stands for more
    suit: Column
    suited: Column


class Opening(NamedTuple):
    """The first four cards."""

    first: Card
    up: Card
    second: Card
    hole: Card


def value(card: Card) -> Column:
    return lookup(VALUES, card.rank)


def one(v: Column) -> Count:
    return Count(within(where(v == 1, 11, v), 2, 31), v == 1)


def plus(count: Count, v: Column) -> Count:
    """One card more: an ace counts 11 if that does not go over 21, and turns back into 1 when the hand would."""
    total = count.total + v
    up, down = (v == 1) & (total <= 11), (total > 21) & count.soft
    return Count(within(where(up, total + 10, where(down, total - 10, total)), 2, 31), (count.soft | up) & ~down)


def counts(hand: Hand) -> dict[str, Column]:
    """What a hand comes to, as it is shown beside the cards."""
    found = one(value(hand[0]))
    for card in list(hand)[1:]:
        found = plus(found, value(card))
    return {"total": found.total, "soft": found.soft}


def opening(t: Table) -> Opening:
    first, up = t.deal(PLAYER), t.deal(DEALER)
    return Opening(first[0], up[0], t.deal(PLAYER)[0], t.deal(DEALER, face=DOWN)[0])


def play(t: Table) -> None:
    cards = opening(t)
    if t.has("lucky-lucky"):
        t.settle(lucky_lucky=lucky_lucky(cards, int(str(t.option("decks")))))  # LL-3: before any decision
        t.say("Push a winning bet and its pay back to the player; take a losing one. The circle is empty.", each=True)
    blackjack(t, cards, lucky_break=t.has("lucky-break"))


def lucky_lucky(cards: Opening, decks: int) -> Rows:
    a, b, c = cards.first, cards.second, cards.up
    total = plus(plus(one(value(a)), value(b)), value(c)).total
    lucky = lookup(LUCKY, a.rank) + lookup(LUCKY, b.rank) + lookup(LUCKY, c.rank)
    suited = (a.suit == b.suit) & (b.suit == c.suit)
    top = [("suited 7-7-7", suited & (lucky == 12))] if decks > 2 else []  # LL-5
    return first_match(  # LL-1, LL-4: the highest win only
        *top,
        ("suited 6-7-8", suited & (lucky == 21)),
        ("7-7-7", lucky == 12),
        ("6-7-8", lucky == 21),
        ("suited 21", suited & (total == 21)),
        ("21", total == 21),
        ("20", total == 20),
        ("19", total == 19),
    )


def blackjack(t: Table, cards: Opening, lucky_break: bool = False) -> None:
    """LL-0: the base game, from the first decision on."""
    first, up, second, hole = cards
    dealer = value(up)
    his, mine = plus(one(dealer), value(hole)), plus(one(value(first)), value(second))
    same = up.suit == hole.suit
    bonus = Bonus(within(2, 2, 5), within(where(same, up.suit, 0), 0, 3), same) if lucky_break else None

    taken = (
        t.when(dealer == 1, "the up-card is an ace")
        and t.decide("no insurance", "insurance", name="insurance", by=_sight(mine, dealer)) == "insurance"
    )
    t.bet("insurance", HALF if taken else 0)
    ten = t.named("the up-card is an ace or counts ten", (dealer == 1) | (dealer == 10))
    t.say("Look at the hole card for a blackjack, without showing it.", when=ten)
    if t.when(his.total == 21, "the dealer has blackjack"):  # the dealer has looked under his ace or ten
        t.reveal(DEALER)
        t.settle(insurance=row("blackjack"))
        both = t.named("the player has blackjack too", mine.total == 21)
        t.settle("dealer has blackjack", main=where(both, PUSH, LOSE))
        if lucky_break:
            t.settle(lucky_break=LOSE)  # LB-2
        return
    t.settle(insurance=LOSE)
    if t.when(mine.total == 21, "the player has blackjack"):
        t.settle("blackjack", main=row("blackjack"))
        if lucky_break:
            t.say("With a Lucky Break bet, tuck the two cards face up under it: it stays in action.", each=True)  # LB-2
        _dealer(t, his, bonus, [])
    else:
        _hands(t, value(first), value(second), dealer, his, bonus)


def _sight(mine: Count, dealer: Column) -> dict[str, Column]:
    """What a chart of basic strategy looks at."""
    return {"total": mine.total, "soft": mine.soft, "dealer": dealer}


def _hands(t: Table, pair: Column, second: Column, dealer: Column, his: Count, bonus: Bonus | None) -> None:
    """The player plays his hand, and after a split one hand after the other."""
    hand = hands = 1
    aces = False  # aces have been split
    done: list[Column] = []
    mine, paired = plus(one(pair), second), pair == second
    while True:
        hand, hands, aces, pair, paired, mine, dealer, his, bonus, done = t.mark(
            "the hand of two cards", hand, hands, aces, pair, paired, mine, dealer, his, bonus, done
        )
        move = _first_move(t, hands, aces, paired, mine, dealer)
        if move == "split":
            hands += 1
            aces = aces or t.when(pair == 1, "they are aces")
            t.split(hand, hands)
            t.say("He plays one hand after the other; each has its own bet, and is settled like the first.", each=True)
            t.bet(f"hand-{hands}")
        elif move == "surrender":
            t.settle("surrender", main=row("surrender"))
            _dealer(t, his, bonus, [])
            return
        else:
            if move == "double":
                t.bet(*(("double", 1) if hand == 1 else (f"hand-{hand}", 2)))
                mine = plus(mine, value(t.deal(PLAYER, hand=hand)[0]))
                _bust(t, hand, mine, bonus)
            elif hand == 1:
                t.bet("double", 0)
            drawing = move == "hit"
            while drawing:
                mine = plus(mine, value(t.deal(PLAYER, hand=hand)[0]))
                hand, hands, aces, pair, mine, dealer, his, bonus, done = t.mark(
                    "the hand of more cards", hand, hands, aces, pair, mine, dealer, his, bonus, done
                )
                drawing = t.when(mine.total < 21, "the hand counts less than 21")
                if drawing:
                    drawing = t.decide("stand", "hit", name="play", by=_sight(mine, dealer)) == "hit"
                else:
                    _bust(t, hand, mine, bonus)
            done = [*done, mine.total]
            if hand == hands:
                break
            hand += 1
        second = value(t.deal(PLAYER, hand=hand)[0])
        mine, paired = plus(one(pair), second), pair == second
    _dealer(t, his, bonus, done)


def _bust(t: Table, hand: int, mine: Count, bonus: Bonus | None) -> None:
    """LB-2: the bet goes at once, and the cards lie under the Lucky Break wager."""
    tuck = " With a Lucky Break bet, tuck the cards face up under it: it stays in action." * (bonus is not None)
    bets = ("main", "double") if hand == 1 else (f"hand-{hand}",)
    over = t.named("the hand is over 21", mine.total > 21)
    t.say(f"Take the bet and the cards at once.{tuck}", each=True, when=over, takes=bets)


def _first_move(t: Table, hands: int, aces: bool, paired: Column, mine: Count, dealer: Column) -> str:
    """What may be done with two cards; 21 stands."""
    if t.when(mine.total == 21, "the hand counts 21"):
        return "stand"
    choices = ["stand"]
    if not aces or t.option("split-aces") == "play":
        choices.append("hit")
        least = {"any": 0, "9-11": 9, "10-11": 10}[str(t.option("double"))]
        if (hands == 1 or t.option("double-after-split") == "yes") and (
            not least or t.when((mine.total >= least) & (mine.total <= 11), f"the hand counts {least} to 11")
        ):
            choices.append("double")
    if (
        hands < int(str(t.option("split-to")))
        and (not aces or t.option("resplit-aces") == "yes")
        and t.when(paired, "both cards count the same")
    ):
        choices.append("split")
    if hands == 1 and t.option("surrender") == "late":
        choices.append("surrender")
    return t.decide(*choices, name="play", by=_sight(mine, dealer)) if len(choices) > 1 else "stand"


def _dealer(t: Table, his: Count, bonus: Bonus | None, done: list[Column]) -> None:
    """The dealer draws while a hand, or a Lucky Break wager (LB-2), is in action; then all is settled."""
    if bonus is None and not done:
        return
    wait = ", or a Lucky Break bet," if bonus is not None else ""
    t.say(f"The dealer plays his hand if a hand of 21 or less{wait} is in action; else he draws none.")
    draws = bonus is not None or t.when(lowest(*done) <= 21, "a hand of the player is not over 21")
    t.reveal(DEALER)
    while draws:
        his, bonus, done = t.mark("the dealer's hand", his, bonus, done)
        hits = t.option("soft17") == "hit"
        draws = t.when(
            (his.total < 17) | ((his.total == 17) & his.soft & hits),
            f"the dealer counts less than 17{' or soft 17' * hits}",
        )
        if draws:
            card = t.deal(DEALER)[0]
            his = plus(his, value(card))
            if bonus is not None:
                same = bonus.suited & (card.suit == bonus.suit)
                bonus = Bonus(within(lowest(bonus.cards + 1, 5), 2, 5), within(where(same, bonus.suit, 0), 0, 3), same)
    story = f"split into {len(done)} hands" if len(done) > 1 else ""
    dealers = t.named("the dealer's (over 21 counts as nothing)", where(his.total > 21, 1, his.total))
    for number, total in enumerate(done, 1):
        over = t.named("the hand is over 21", total > 21)
        result = where(over, LOSE, compare(t.named("the player's total", total), dealers))
        t.settle(story, **({"main": result, "double": result} if number == 1 else {f"hand_{number}": result}))
    if bonus is not None:
        t.settle(lucky_break=lucky_break(t, his.total, bonus, own=done[0] if done else column(21)))


def lucky_break(t: Table, total: Column, bonus: Bonus, own: Column) -> Rows:
    """LB-3: by how far the dealer goes over, and by his number of cards if all are of one suit."""
    over = lowest(highest(26 - total, 0), 4)
    kind = where(bonus.suited, 5 - bonus.cards, 3)
    wins = t.named("the dealer is over 21 and the player's own total is 26 or less", (total > 21) & (own <= 26))
    return pick((*BREAKS, "lose"), where(wins, within(over * 4 + kind, 0, 19), 20))


def wagers(options: Mapping[str, object]) -> Sequence[Wager]:
    low, high = Fraction(str(options["bonus-min"])), Fraction(str(options["bonus-max"]))  # LL-2, LB-1
    split_to, decks = int(str(options["split-to"])), int(str(options["decks"]))
    blackjack_pays = {"3:2": "3/2", "6:5": "6/5", "1:1": 1}[str(options["blackjack"])]
    return (
        *base_wagers(blackjack_pays, split_to),
        Wager(
            "lucky-lucky", "your two cards and the dealer's up-card make 6-7-8, 7-7-7, 19, 20 or 21", needs="main",
            minimum=low, maximum=high, tokes=True, tables=[_lucky_table(name, decks) for name in ("1", "2", "3")],
        ),
        Wager(
            "lucky-break", "the dealer goes over 21", needs="main", minimum=low, maximum=high, tokes=True,
            tables=[_break_table(name, str(options["lucky-break"])) for name in ("1", "2", "3", "4")],
        ),
    )  # fmt: skip


def base_wagers(blackjack_pays: object, split_to: int) -> Sequence[Wager]:
    main = {"blackjack": blackjack_pays, "win": 1, "surrender": "-1/2"}
    return (
        Wager("main", "against the dealer's hand", required=True, tables=[PayTable("standard", main)]),
        Wager("double", "for one more card", equal_to="main", times=(0, 1), lies="beside"),
        *(
            Wager(f"hand-{n}", "a split hand; doubled for one more card", equal_to="main", times=(1, 2), lies="beside")
            for n in range(2, split_to + 1)
        ),
        Wager(
            "insurance", "the dealer has blackjack under his ace", equal_to="main", times=(0, HALF), lies="line",
            tables=[PayTable("standard", {"blackjack": 2})],
        ),
    )  # fmt: skip


def _lucky_table(name: str, decks: int) -> PayTable:
    """LL-4; LL-5: with one or two decks there is no suited 7-7-7."""
    top = {"suited 7-7-7": 200} if decks > 2 else {}
    last = {"1": (10, 3, 2, 2), "2": (15, 3, 2, 1), "3": (10, 3, 2, 1)}[name]
    rest = dict(zip(("suited 21", "21", "20", "19"), last, strict=True))
    return PayTable(name, {**top, "suited 6-7-8": 100, "7-7-7": 50, "6-7-8": 30, **rest})


def _break_table(name: str, reading: str) -> PayTable:
    """LB-4: the example adds the multiplied base to the base; the other reading multiplies it only."""
    pays = {}
    for place, pay in zip(BREAKS, (base for base in BASE[name] for _ in range(4)), strict=True):
        kind = BREAKS.index(place) % 4
        pays[place] = pay if kind == 3 else pay * (SUITED[name][kind] + (reading == "example"))
    return PayTable(name, pays)


def contradiction(options: Mapping[str, object]) -> str | None:
    """Options that cannot go together."""
    if Fraction(str(options["bonus-min"])) > Fraction(str(options["bonus-max"])):
        return f"bonus-min {options['bonus-min']} is above bonus-max {options['bonus-max']}"
    if options["resplit-aces"] == "yes" and int(str(options["split-to"])) < 3:
        return f"resplit-aces=yes needs split-to=3 or 4: with {options['split-to']} nothing is split again"
    if options["split-aces"] == "play" and options["split-to"] == 1:
        return "split-aces=play needs split-to=2 to 4: with 1 nothing is split"
    return None


CHART = "H. Hoppe, Blackjack Notebook (github.com/hhoppe/blackjack): total-dependent, fresh shoe, "
CARDS = (
    "k_c, bjstrat.net, and the Wizard of Odds calculator, as compared by Hoppe: composition-dependent, late surrender"
)
OTHER = "200,100,50,30,15,3,2,2"  # a pay table of other makers
DOCUMENT = "submission 3062, rules of play, table 2"


def _anchors() -> list[Anchor]:
    """Published figures: decks, dealer on soft 17, edge in per cent; all with DAS, four hands, aces split once."""
    late = {"surrender": "late"}
    charts = {"stand": "-0.161 0.144 0.287 0.333 0.357", "hit": "0.013 0.328 0.480 0.530 0.555"}
    bare = {"stand": "0.193 0.353 0.406", "hit": "0.392 0.562 0.618"}
    cards = {"stand": "0.281 0.330 0.355", "hit": "0.475 0.527 0.553"}
    lucky = {"1": "5.05 5.39 5.35 5.31 5.28", "2": "10.03 10.15 10.00 9.92 9.88", "3": "12.47 12.72 12.63 12.57 12.54"}

    def some(table: dict[str, str], decks: str, source: str, strategy: str, more: dict[str, str]) -> list[Anchor]:
        return [
            Anchor("main", f"{edge}%", source, {"decks": n, "soft17": soft, **more}, strategy=strategy)
            for soft, edges in table.items()
            for n, edge in zip(decks, edges.split(), strict=True)
        ]

    return [
        *some(charts, "12468", CHART + "late surrender", "basic", late),
        *some(bare, "246", CHART + "no surrender", "basic", {}),
        *some(cards, "468", CARDS, "optimal", late),
        *(
            Anchor("lucky-lucky", f"{edge}%", DOCUMENT, {"decks": n}, {"lucky-lucky": table})
            for table, edges in lucky.items()
            for n, edge in zip("12468", edges.split(), strict=True)
        ),
        Anchor("lucky-lucky", "2.66%", "Wizard of Odds, Lucky Lucky, six decks", tables={"lucky-lucky": OTHER}),
    ]


GAME = Game(
    name="blackjack",
    title="Blackjack, Lucky Lucky, Lucky Break",
    play=play,
    wagers=wagers,
    options=(
        Choice("decks", (1, 2, 3, 4, 5, 6, 7, 8), "decks in the shoe (LL-0)", default=6),
        Choice("soft17", ("stand", "hit"), "what the dealer does with a soft 17"),
        Choice("blackjack", ("3:2", "6:5", "1:1"), "what a player's blackjack pays"),
        Choice("double", ("any", "9-11", "10-11"), "first two cards that may be doubled: any, or these hard totals"),
        Choice("double-after-split", ("yes", "no"), "whether a split hand may be doubled"),
        Choice("split-to", (4, 3, 2, 1), "the most hands that a player may split to"),
        Choice("resplit-aces", ("no", "yes"), "whether aces may be split again"),
        Choice("split-aces", ("one-card", "play"), "split aces get one card each, or are played like other hands"),
        Choice("surrender", ("none", "late"), "late: half the bet back, after the dealer has looked for blackjack"),
        Choice("lucky-break", ("example", "multiply"), "a suited bust pays base + base x multiplier, or only x (LB-4)"),
        Amount("bonus-min", 1, "smallest Lucky Lucky or Lucky Break bet (LL-2)", least="0.01"),
        Amount("bonus-max", 100, "largest one, as posted (LL-2, LB-1); the document names none", least="0.01"),
    ),
    contradiction=contradiction,
    counts=counts,
    cut_card="1.5",
    settles_from_right=True,
    anchors=_anchors(),
    called={"main": "blackjack bet", "double": "double", "insurance": "insurance", **SPLIT},
    notes=(
        "LL-1: there is no skill in Lucky Lucky; only the highest win is paid. LL-2, LB-1: only he who controls a spot "
        "may bet on it, in the circles beside the blackjack bet; who plays several may bet on each.",
        "LL-2: the operator sets and posts the limits of both bets (bonus-min, bonus-max). They may not exceed WAC "
        "230-15-040 and WAC 230-15-140, under which the wagering limit has been $300.",
        "LL-A1: the approval is for the rules of play as filed; any modification may affect it. Card rooms file their "
        "internal controls first, tribal operations need their agency's approval, makers of layouts and equipment are "
        "licensed, and a shuffle machine is an approved model.",
        "LL-0: the filing allows a continuous shuffler, and a community card as up-card, which is not dealt here.",
        "LB-3: a dealer's total of 21 or less loses every Lucky Break bet. The filing's text pays by the number of the "
        "dealer's cards, its tables by his total, and by their number when all are of one suit: the tables hold.",
        "LL-0: a player's 21 stands by itself, and any two ten-valued cards may be split.",
        "LL-5: with one or two decks suited 7-7-7 is left off the pay table, because it cannot be dealt.",
        "LB-2: after a surrender, on which the document is silent, Lucky Break stays in action as after a bust. LB-3: "
        "the player's own total is that of the hand on which the wager was placed, the first one after a split.",
    ),
)
