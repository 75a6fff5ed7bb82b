"""The dealer's procedure in words: no code numbers, no operation by its name, true to the unit, and always alike."""

import random
import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import (
    ANTE,
    GAME_FILES,
    RAISE,
    Spec,
    build,
    case_name,
    conditions,
    load_game,
    numbers,
    options_of,
    pays,
    sheet_steps,
    small_game,
)
from pitboss.rules import (
    BOARD,
    DEALER,
    DOWN,
    LOSE,
    NINE,
    PAIR,
    PLAYER,
    PUSH,
    QUEEN,
    WIN,
    Card,
    Column,
    Hand,
    Rows,
    RuleError,
    Table,
    Wager,
    by_floor,
    compare,
    first_match,
    highest,
    lookup,
    lowest,
    pick,
    row,
    strength,
    where,
    within,
)
from pitboss.rules.evaluate import evaluate
from pitboss.rules.graph import Group
from pitboss.rules.operations import OPERATIONS
from pitboss.rules.procedure import procedure
from pitboss.rules.steps import lines as written
from pitboss.rules.trace import trace
from pitboss.rules.wording import MOST_SAID, Unsaid, Wording
from pitboss.sheets import sheet_of

VALUES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1]
SPOKEN = {"and", "or", "not", "suit", "rank", "strength"}  # operations whose names are words of the trade as well
CODES = re.compile(
    r"(?<![$\d.,-])\d{3,}(?!\d|-| to 1)|not lower than|\b(lookup|register|const)\b|"
    rf"\b({'|'.join(sorted(set(OPERATIONS) - SPOKEN))}) of\b"
)
CODES_OF_HANDS = re.compile(r"not lower than|(?<![$\d.,/:=-])\d{4,}(?! to 1)")
SHEETS = [(path, options) for path in GAME_FILES for options in options_of(load_game(path))]


def lines(play: object, *wagers: Wager, **more: object) -> list[str]:
    game = small_game(play, *(wagers or (ANTE,)), **more)  # type: ignore[arg-type]
    return [text for _, text in written(procedure(game.at())[1:-1])]


def told(result: Rows) -> str:
    """What the sheet says of a wager on the first cards of the player and of the dealer."""

    def play(t: Table) -> None:
        t.deal(PLAYER, 2)
        t.deal(DEALER, 2)
        t.settle(ante=result)

    rows = [name for name in result.names if name not in ("lose", "push")]
    said = lines(play, pays("ante", dict.fromkeys(rows, 1) or {"win": 1}, required=True))
    return " / ".join(said[3:]) if len(said) == 4 else " / ".join(said[4:])


# ---- every sheet


@pytest.mark.parametrize(("path", "options"), SHEETS, ids=case_name)
def test_no_sheet_has_a_code_or_the_name_of_an_operation(path: object, options: dict[str, str]) -> None:
    house = load_game(path).at(options)  # type: ignore[arg-type]
    for _, step in written(procedure(house)):
        assert not CODES.search(step), step
        assert "the cards say so" not in step, "a condition of a shipped game has words"
    for words in sheet_of(house).sentences():
        assert not CODES_OF_HANDS.search(words), words
        for sentence in re.split(r"(?<=[.:;])\s+", words):
            assert len(sentence.split()) <= 40, sentence


@pytest.mark.parametrize(
    "code", ["is not lower than 8192", "lookup of lookup of the card", "max of it", "register of", "counts 10172"]
)
def test_a_code_would_be_found(code: str) -> None:
    assert CODES.search(f"ante wins if the hand {code}.")


def test_baccarat_reads_as_it_is_dealt() -> None:
    house = load_game(next(p for p in GAME_FILES if p.stem == "baccarat")).at()
    assert [f"{'  ' * depth}{text}" for depth, text in written(procedure(house)[1:-1])] == [
        "Deal one card face up to the player hand.",
        "Deal one card face up to the banker hand.",
        "Deal one card face up to the player hand.",
        "Deal one card face up to the banker hand.",
        "Settle each player in turn, from the dealer's left (seat 1 first):",
        "  The Player Pair wins 11 to 1 if the player hand's first card equals the player hand's second card; "
        "otherwise loses.",
        "  The Banker Pair wins 11 to 1 if the banker hand's first card equals the banker hand's second card; "
        "otherwise loses.",
        "Announce both totals; 8 or 9 is a natural, and ends the round.",
        "Unless the player hand's total is 8 or more or the banker hand's total is 8 or more:",
        "  If the player hand's total is 5 or less:",
        "    Deal one card face up to the player hand.",
        "  If the banker hand draws by the banker's table:",
        "    Deal one card face up to the banker hand.",
        "Settle each player in turn, from the dealer's left (seat 1 first):",
        "  The Player bet wins 1 to 1 if the player hand's total is higher than the banker hand's total, pushes if "
        "they are equal, and loses if it is lower.",
        "  The Banker bet wins 19 to 20 if the banker hand's total is higher than the player hand's total, pushes if "
        "they are equal, and loses if it is lower.",
        "  The Tie bet wins 8 to 1 if the player hand's total equals the banker hand's total; otherwise loses.",
    ]


def test_the_packs_of_packs_poker_are_turned_by_name() -> None:
    house = load_game(next(p for p in GAME_FILES if p.stem == "packs_poker")).at()
    turned = [text for text in sheet_steps(house) if text.startswith("Turn up")]
    assert turned == [f"Turn up the {who}." for who in ("first pack", "dealer's cards", "second pack", "third pack")]


# ---- what is said is true


LEFT, RIGHT = [Card(0), Card(1)], [Card(2), Card(3)]
GROUPS = (Group(PLAYER, (0, 1), True), Group(DEALER, (2, 3), True))


def total() -> Column:
    return lookup(VALUES, LEFT[0].rank) + lookup(VALUES, LEFT[1].rank)


def holds(words: str, value: int) -> bool:
    """Whether such a sentence is true of a number."""
    found = re.fullmatch(r"the total is (not )?(\d+)( or less| or more)?", words)
    assert found is not None, words
    number = int(found[2])
    if found[1]:
        return value != number
    return value <= number if found[3] == " or less" else value >= number if found[3] == " or more" else value == number


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">=", "==", "!="])
def test_a_number_that_is_compared_is_told_to_the_unit(sign: str) -> None:
    signs = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__", "==": "__eq__", "!=": "__ne__"}
    col = total()
    for limit in range(col.lo + 1, col.hi):
        for turned in (False, True):  # ~(a < b) is a way to write it too
            made = getattr(col, signs[sign])(limit)
            made = ~made if turned else made
            words = Wording(GROUPS, {col.uid: (col, "the total")}).condition(made)
            for cards in product(range(0, 52, 4), repeat=2):
                slots = dict(enumerate(cards))
                assert holds(words, evaluate(col, slots, {})) == bool(evaluate(made, slots, {})), (words, sign, limit)


def test_a_condition_on_the_rank_of_one_card_lists_the_ranks() -> None:
    value = lookup(VALUES, Card(0).rank)
    say = Wording((Group("turn", (0,), True),)).condition
    assert say(value == 10) == "the turn's card is 10 to king"
    assert say((value >= 2) & (value <= 5)) == "the turn's card is 2 to 5"
    assert say((value > 10) & (value < 1)) == "the turn's card is no card at all"


def test_conditions_on_the_same_card_are_told_together() -> None:
    third, whole = lookup(VALUES, Card(2).rank), total()
    say = Wording(GROUPS, {whole.uid: (whole, "the total")}).condition
    assert say((whole == 4) & (third >= 2) & (third <= 7)) == "the total is 4 and the dealer's first card is 2 to 7"


def test_the_values_of_a_number_that_will_do_are_listed() -> None:
    col = total()
    table = {n: int(n in (2, 5, 6, 7, 20)) for n in range(col.lo, col.hi + 1)}
    assert Wording(GROUPS, {col.uid: (col, "it")}).condition(lookup(table, col)) == "it is 2, 5 to 7 or 20"


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: total() < lookup(VALUES, RIGHT[0].rank), "{total} is lower than the value of the dealer's first card"),
        (lambda: total() > lookup(VALUES, RIGHT[0].rank),
         "{total} is higher than the value of the dealer's first card"),
        (lambda: LEFT[0].rank <= RIGHT[0].rank, "the player's first card is no higher than the dealer's first card"),
        (lambda: LEFT[0] == RIGHT[0], "the player's first card is the same card as the dealer's first card"),
        (lambda: LEFT[0] != RIGHT[0], "the player's first card is another card than the dealer's first card"),
        (lambda: LEFT[0].rank == RIGHT[0].rank, "the player's first card equals the dealer's first card"),
        (lambda: LEFT[0].suit != RIGHT[0].suit,
         "the suit of the player's first card differs from the suit of the dealer's first card"),
        (lambda: LEFT[0].rank >= RIGHT[0].rank,
         "the player's first card is at least as high as the dealer's first card"),
        (lambda: total() + 3 > 10, "{total} plus 3 is 11 or more"),
        (lambda: total() * 2 == 8, "2 times {total} is 8"),
        (lambda: total() - LEFT[0].rank == 1, "{total} minus the player's first card is 1"),
        (lambda: highest(*(c.rank for c in LEFT)) == lowest(*(c.rank for c in RIGHT)),
         "the highest of the player's 2 cards equals the lowest of the dealer's 2 cards"),
        (lambda: strength(LEFT_FIVE) >= PAIR, "the player's hand is a pair or better"),
        (lambda: strength(LEFT_FIVE, Hand([Card(5), Card(6)])) >= PAIR + 17,
         "the player's best hand with the board is a pair of twos with eight-seven-four or better"),
        (lambda: highest(*(c.rank for c in LEFT)) >= QUEEN, "the highest of the player's 2 cards is a queen or higher"),
        (lambda: (total() == 4) | (total() == 6), "{total} is 4 or {total} is 6"),
        (lambda: (LEFT[0].rank == RIGHT[0].rank) & ((total() == 4) | (total() == 6)),
         "the player's first card equals the dealer's first card and either {total} is 4 or {total} is 6"),
        (lambda: ~((total() == 4) & (RIGHT[0].suit == RIGHT[1].suit)),
         "it is not so that {total} is 4 and the suit of the dealer's first card equals the suit of the dealer's "
         "second card"),
    ],
)  # fmt: skip
def test_every_kind_of_condition_has_words(made: object, words: str) -> None:
    five = (Group(PLAYER, tuple(range(5)), True), Group(BOARD, (5, 6), True))
    groups = five if "hand" in words else GROUPS
    whole = "the total value of the player's 2 cards"
    assert Wording(groups).condition(made()) == words.format(total=whole)  # type: ignore[operator]


LEFT_FIVE = Hand([Card(s) for s in range(5)])


# ---- what cannot be said is not said


@pytest.mark.parametrize(
    "made",
    [
        lambda: where(LEFT[0].rank > RIGHT[0].rank, total(), 3) > 7,
        lambda: where(LEFT[0].rank > RIGHT[0].rank, total(), 3) == total(),
        lambda: compare(LEFT[0].rank, RIGHT[0].rank).index + total() > 3,
    ],
)
def test_a_number_that_only_the_machine_knows_is_no_word(made: object) -> None:
    """A running value, and which of three a comparison is."""
    with pytest.raises(Unsaid):
        Wording((Group(PLAYER, tuple(range(5)), True),)).condition(made())  # type: ignore[operator]


def test_a_condition_without_words_does_not_show_its_code() -> None:
    def play(t: Table) -> None:
        a, b = t.deal(PLAYER, 2)
        t.settle(ante=WIN if t.when(where(a.rank > b.rank, a.rank + b.rank, 3) > 7) else LOSE)

    assert "If the cards say so:" in lines(play)


@settings(max_examples=150)
@given(st.one_of(conditions(3), conditions(2)), st.integers(0, 3))
def test_any_condition_gets_words_without_codes_or_none(spec: Spec, first: int) -> None:
    cards = [Card(first + s) for s in range(4)]
    col = build(spec, cards)
    try:
        words = Wording((Group("turn", tuple(range(first, first + 4)), True),)).condition(col)
    except Unsaid:
        return
    assert words.isprintable() and len(words) < 100 * MOST_SAID
    assert not re.search(rf"\b({'|'.join(sorted(set(OPERATIONS) - SPOKEN))})\b", words), words


@settings(max_examples=100)
@given(numbers(2), numbers(2))
def test_any_result_gets_a_sentence(one: Spec, other: Spec) -> None:
    def play(t: Table) -> None:
        cards = [*t.deal(PLAYER, 2), *t.deal("banker", 2)]
        a, b = build(one, cards), build(other, cards)
        t.settle(ante=where(a < b, compare(a, b), where(a == b, WIN, LOSE)))

    assert any(words.startswith(("The Ante ", "Settle the Ante ")) for words in lines(play))
    assert lines(play)[-1].endswith(".")


# ---- always alike


def test_the_words_do_not_depend_on_what_was_made_first() -> None:
    """Arguments whose order does not matter are kept in the order in which they were made: here, in any."""
    rng = random.Random(1)
    found = set()
    for first in range(10, 90, 4):  # cards that nobody has asked for before
        cards = [Card(first + s) for s in range(3)]
        shuffled = rng.sample(cards, 3)
        one, two = (card.rank == cards[2].rank for card in rng.sample(cards[:2], 2))
        sooner = highest(*(card.rank for card in cards)) if first % 8 else None  # held, so that it is the older one
        whole = sum((card.rank for card in shuffled[1:]), shuffled[0].rank)
        most = highest(*(card.rank for card in shuffled))
        values = [lookup(VALUES, card.rank) for card in shuffled]
        groups = (Group("turn", tuple(range(first, first + 3)), True),)
        for col in ((one & two) | (most == whole), one + two == highest(*values)):
            found.add(Wording(groups).condition(col))
        del sooner
    assert len(found) == 2, found


# ---- names of the game file


def test_a_column_is_called_by_the_words_of_the_game_file() -> None:
    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER, 2), t.deal("banker", 2)
        players = t.named("the player's total", mine[0].rank + mine[1].rank)
        bankers = t.named("the banker's total", his[0].rank + his[1].rank)
        close = t.named("they are close", abs(players - bankers) < 3)
        t.settle(ante=where(close, PUSH, where(bankers <= 5, WIN, compare(players, bankers))))

    assert lines(play)[-3:] == [
        "If they are close: pushes.",
        "If the banker's total is 5 or less: wins 1 to 1.",
        "Otherwise: wins 1 to 1 if the player's total is higher than the banker's total, pushes if they are equal, and "
        "loses if it is lower.",
    ]


def test_a_name_changes_nothing_but_words() -> None:
    def play(t: Table, named: bool) -> None:
        mine = t.deal(PLAYER, 2)
        both = mine[0].rank + mine[1].rank
        t.settle(ante=where((t.named("the total", both) if named else both) > 9, WIN, LOSE))

    houses = [small_game(lambda t, n=n: play(t, n), ANTE).at() for n in (True, False)]  # type: ignore[misc]
    assert trace(houses[0]).key == trace(houses[1]).key and procedure(houses[0]) != procedure(houses[1])


def test_a_name_is_for_the_value_however_often_it_is_written_out() -> None:
    def play(t: Table) -> None:
        a, b = t.deal(PLAYER, 2)
        t.named("the total", a.rank + b.rank)
        t.settle(ante=where(b.rank + a.rank > 9, WIN, LOSE))

    assert lines(play)[-1] == "The Ante wins 1 to 1 if the total is 10 or more; otherwise loses."


def test_a_name_is_found_again_in_a_sum_and_in_a_list_of_conditions() -> None:
    def play(t: Table) -> None:
        a, b = t.deal(PLAYER, 2)
        c = t.deal(DEALER)[0]
        both = t.named("the total", a.rank + b.rank)
        alike = t.named("they are a pair of nines", (a.rank == b.rank) & (a.rank == NINE))
        t.settle(ante=where(both + c.rank + 1 > 9, WIN, LOSE), side=where(alike & (c.rank == NINE), WIN, LOSE))

    assert lines(play, ANTE, Wager("side"))[-2:] == [
        "The Ante wins 1 to 1 if the total of the total and the dealer's card plus 1 is 10 or more; otherwise loses.",
        "The Side wins 1 to 1 if they are a pair of nines and the dealer's card is 9; otherwise loses.",
    ]


def test_the_first_name_of_a_column_stays() -> None:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER, 2)
        both = t.named("the total", mine[0].rank + mine[1].rank)
        t.settle(ante=where(t.named("the sum", both) > 9, WIN, LOSE))

    assert lines(play)[-1] == "The Ante wins 1 to 1 if the total is 10 or more; otherwise loses."


def test_what_a_mark_keeps_can_be_named_too() -> None:
    def play(t: Table) -> None:
        total = within(t.deal("pile")[0].rank, 0, 99)
        while True:
            total = t.mark("again", total)
            if not t.when(t.named("the pile's total", total) < 20):
                break
            total = within(total + t.deal("pile")[0].rank, 0, 99)
        t.settle(ante=where(t.named("the pile's total", total) > 25, WIN, LOSE))

    said = lines(play)
    assert "If the pile's total is 19 or less:" in said
    assert said[-1] == "The Ante wins 1 to 1 if the pile's total is 26 or more; otherwise loses."


@pytest.mark.parametrize("wrong", [("", None), (5, None), ("a\x1b[31m", None), ("a\nb", None), ("x", 5), ("x", "hand")])
def test_words_that_cannot_be_read_are_refused(wrong: tuple[object, object]) -> None:
    def play(t: Table) -> None:
        hand = t.deal(PLAYER)
        t.named(wrong[0], {None: hand.rank, "hand": hand}.get(wrong[1], wrong[1]))  # type: ignore[arg-type, call-overload]
        t.settle(ante=LOSE)

    with pytest.raises(RuleError, match=r"what a column is in words|takes words and a column"):
        trace(small_game(play, ANTE).at())


# ---- results


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (lambda: compare(LEFT[0].rank, RIGHT[0].rank), "The Ante wins 1 to 1 if the player's first card is higher than "
         "the dealer's first card, pushes if they are equal, and loses if it is lower"),
        (lambda: where(LEFT[0] == RIGHT[0], row("match"), LOSE),
         "The Ante pays 1 to 1 if the player's first card is the same card as the dealer's first card; otherwise "
         "loses"),
        (lambda: where(LEFT[0] == RIGHT[0], compare(LEFT[1].rank, RIGHT[1].rank), PUSH),
         "Unless the player's first card is the same card as the dealer's first card: pushes. / Otherwise: wins 1 to 1 "
         "if the player's second card is higher than the dealer's second card, pushes if they are equal, and loses if "
         "it is lower"),
        (lambda: where(LEFT[0] == RIGHT[0], WIN, where(LEFT[0].rank > NINE, row("high"), LOSE)),
         "If the player's first card is the same card as the dealer's first card: wins 1 to 1. / If the player's first "
         "card is 10 to ace: pays 1 to 1. / Otherwise: loses"),
        (lambda: first_match(("a", LEFT[0] == RIGHT[0]), ("b", LEFT[1] == RIGHT[1]), ("c", LEFT[0] == RIGHT[1]),
                             otherwise="push"),
         "The Ante pays by the first row of the Ante pay table that fits; if none does, pushes"),
        (lambda: by_floor(total(), {"high": 12, "low": 5}),
         "The Ante pays by the best row of the Ante pay table that is reached, and loses with less"),
        (lambda: pick(("a", "b", "lose"), lookup([0, 1, 2, 0], LEFT[0].suit)), "The Ante pays 1 to 1 or loses"),
    ],
)  # fmt: skip
def test_every_kind_of_result_has_words(result: object, words: str) -> None:
    assert told(result()) == f"{words}."  # type: ignore[operator]


def test_a_result_picked_by_a_number_is_not_told_as_a_pay_table_that_is_climbed() -> None:
    assert "best row" not in told(pick(("lose", "push", "win"), lookup([0, 1, 2, 0], LEFT[0].suit)))


# ---- what every way shares


def test_a_bet_that_is_settled_on_the_way_is_told_there() -> None:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER)
        t.settle(side=where(mine.rank == NINE, WIN, LOSE))
        if t.when(mine.rank > NINE):
            t.deal(BOARD)
        t.settle(ante=where(mine.rank > NINE, WIN, LOSE))

    settled = "The Ante wins 1 to 1 if the player's card is 10 to ace; otherwise loses."
    assert lines(play, ANTE, Wager("side")) == [
        "Deal one card face up to each player, from the dealer's left and clockwise.",
        "Settle each player in turn, from the dealer's left (seat 1 first):",
        "The Side wins 1 to 1 if the player's card is 9; otherwise loses.",
        "Unless the player's card is 10 to ace:",
        settled,
        "Deal one card face up to the board.",
        "Settle each player in turn, from the dealer's left (seat 1 first):",
        settled,
    ]


def test_a_wager_that_comes_out_like_one_of_every_case_is_told_where_it_is_settled() -> None:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER)
        raised = t.decide("stay", "raise") == "raise"
        if raised:
            t.bet("raise")
        result = where(mine.rank == NINE, WIN, LOSE)
        t.settle(ante=result, **({"raise_": result} if raised else {}))

    said = lines(play, ANTE, RAISE)
    assert said[2:] == [
        "The player chooses stay or raise.",
        "Stay:",
        "The Ante wins 1 to 1 if the player's card is 9; otherwise loses.",
        "Raise:",
        "The player places the Raise bet, equal to the Ante.",
        "The Ante and Raise win 1 to 1 if the player's card is 9; otherwise lose.",
    ]


def test_a_condition_after_which_nothing_happens_is_told_by_what_happens_otherwise() -> None:
    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER), t.deal(DEALER, face=DOWN)
        if not t.when(mine.rank == NINE):
            t.reveal(DEALER)
        t.settle(ante=compare(mine.rank, his.rank))

    said = lines(play)
    assert said[3] == "If the player's card is 9:" and said[5] == "Turn up the dealer's card."


def test_a_graph_of_forty_nested_steps_is_told_at_once() -> None:
    def play(t: Table) -> None:
        a, b = t.deal(PLAYER, 2)
        value = a.rank
        for i in range(40):
            value = where(value > b.rank, lowest(value + 1, 60 + i), highest(value - 1, -60))
        t.settle(ante=where(value > 3, WIN, LOSE))

    assert lines(play)[-1] == "The Ante wins 1 to 1 or loses."
