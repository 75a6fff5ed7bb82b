"""Decks other than the usual one: as a game file writes them, and everything that is dealt from them."""

import json
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import pytest

from helpers import ROOT, load_game, pays, small_game
from helpers import run as run_command
from pitboss.cards import BadCard, Deck, card_code, card_name, cards_of, composition, rank_of, shoe_cards, suit_of
from pitboss.deal import simulate
from pitboss.exact import Study
from pitboss.exact.symmetry import suits_interchangeable
from pitboss.hands.evaluate import strength_of
from pitboss.live import Round, Seat, log_of, replay, table
from pitboss.rules import (
    ACE,
    BOARD,
    DEALER,
    DOWN,
    FULL_DECK,
    LOSE,
    PAIR,
    PLAYER,
    THREE_FLUSH,
    THREE_PAIR,
    WIN,
    BadInput,
    Choice,
    Face,
    Game,
    RuleError,
    Table,
    Wager,
    by_floor,
    cards,
    compare,
    first_match,
    highest,
    strength,
    where,
)
from pitboss.rules.decks import dealt_from
from pitboss.rules.files import load_file
from pitboss.rules.trace import trace

ANTE = Wager("ante", required=True)


# ---- as it is written


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("7-A", "7 8 9 T J Q K A"),
        ("2-9, J-A", "2 3 4 5 6 7 8 9 J Q K A"),
        ("a,10", "A T"),
        ("2c-5c", "2c 3c 4c 5c"),
        ("10h-Ah, 2s", "Th Jh Qh Kh Ah 2s"),
        ("AS", "As"),
    ],
)
def test_a_text_names_its_cards(text: str, names: str) -> None:
    wanted = [n if len(n) == 2 else n + suit for n in names.split() for suit in (" " if len(n) == 2 else "cdhs")]
    assert sorted(cards(text)) == sorted(cards_of([n.strip() for n in wanted]))


def test_decks_are_added_and_taken_several_times() -> None:
    wheel = 3 * cards("2c") + cards("3c") * 2 + cards("Ah")
    assert Counter(map(card_name, wheel)) == {"2c": 3, "3c": 2, "Ah": 1}
    assert cards("9-A") + cards("9-A") == 2 * cards("9-A") and len(2 * cards("9-A")) == 48


@pytest.mark.parametrize(
    ("deck", "decks", "words"),
    [
        (cards("2-A"), 1, "one deck of 52 cards"),
        (cards("2-9, J-A"), 6, "six decks of 48 cards, without tens"),
        (cards("7-A"), 2, "two decks of 32 cards, sevens to aces"),
        (cards("2-7, J-A"), 1, "one deck of 40 cards, without eights to tens"),
        (cards("2c-7c"), 1, "one deck of 6 cards, 2 to 7 of clubs"),
        (cards("2c-Ac, 2d-Kd"), 1, "one deck of 25 cards, 2 to ace of clubs and 2 to king of diamonds"),
        (2 * cards("9-A"), 1, "one deck of 48 cards, nines to aces, each twice"),
        (24 * cards("2c") + cards("3c"), 1, "one deck of 25 cards, 2 of clubs 24 times and 3 of clubs"),
    ],
)
def test_a_deck_says_what_it_is(deck: Deck, decks: int, words: str) -> None:
    assert deck.words(decks) == words


WRONG = [
    ("cards('7-X')", "'7-X' is neither a rank, a card nor a run"),
    ("cards('')", "write '7-A', '2-9, J-A' or '2c-7c'"),
    ("cards('A-7')", "runs from high to low"),
    ("cards('2c-7d')", "runs from one suit to another"),
    ("cards('7-A, K')", "Kc is named twice"),
    ("cards(7)", "cards() takes text in quotes"),
    ("cards('joker')", "'joker' is neither"),
    ("0 * cards('K')", "1 to 432 times, not 0"),
    ("-1 * cards('K')", "1 to 432 times, not -1"),
    ("9 * cards('2-A')", "1 to 432 cards, not 468"),
    ("cards('K') + [1]", "TypeError"),
    ("[-1, 0]", "a card code is a whole number from 0 to 51, not -1"),
    ("[52]", "from 0 to 51, not 52"),
    ("'7-A'", "is cards in words, deck=cards('7-A'), and not the words alone"),
    ("None", "is a list, such as cards('7-A')"),
    ("lambda options: 'x'", "deck() returns 1 to 432 cards, such as cards('7-A'), not 'x'"),
    ("lambda options: 9 * cards('2-A')", "deck() returns 1 to 432 cards, such as cards('7-A'), not 468 cards"),
    ("lambda options: cards('x')", "'x' is neither"),
    ("lambda options: options['nosuch']", "deck() fails with KeyError"),
    ("3 * cards('2-A'), options=[Choice('decks', (1, 8), 'x')]", "8 decks of 156 cards are more than the 432"),
]

SMALL = '''"""A small game."""
from pitboss.rules import *
def play(t: Table) -> None:
    t.settle(ante=where(t.deal(PLAYER).rank > 6, WIN, LOSE))
GAME = Game("small", "Small", play, [Wager("ante", required=True)], deck={})
'''


@pytest.mark.parametrize(("text", "said"), WRONG, ids=[text for text, _ in WRONG])
def test_a_wrong_deck_is_one_sentence_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "small.py"
    path.write_text(SMALL.replace("{}", text))
    with pytest.raises(RuleError) as caught:
        load_file(path).at(decks=8) if "decks" in text else load_file(path)
    assert said in str(caught.value) and "small.py, line 5" in str(caught.value), caught.value


@pytest.mark.parametrize("code", [-1, 99, True, "Ah", None, 2.0])
def test_what_is_no_card_code_is_one_sentence_everywhere(code: Any) -> None:
    for entrance in (card_name, rank_of, suit_of, Face, lambda c: composition(1, [c])):
        with pytest.raises(BadCard, match="is not a card code; a card is a whole number from 0 to"):
            entrance(code)


@pytest.mark.parametrize("name", ["Zz", 5, None, "", "Ah" * 90])
def test_what_is_no_card_name_is_one_sentence(name: Any) -> None:
    with pytest.raises(BadCard, match="is not a card; write a rank of") as caught:
        card_code(name)
    assert len(str(caught.value)) < 150


# ---- as it is dealt


def high_card(t: Table) -> None:
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    t.settle(ante=compare(mine.rank, his.rank), suit=where(mine.suit == his.suit, WIN, LOSE))


def two_bets(deck: object, **more: Any) -> Game:
    return small_game(high_card, ANTE, Wager("suit"), deck=deck, **more)


DECKS = Choice("decks", (1, 2, 6), "decks")


@pytest.mark.parametrize("text", ["7-A", "2-9, J-A", "2c-7c", "2c-Ac, 3d-9d, Ks", "A"])
@pytest.mark.parametrize("decks", [1, 2])
def test_the_analysis_is_a_count_of_all_deals_by_hand(text: str, decks: int) -> None:
    house = two_bets(cards(text), options=(DECKS,)).at(decks=decks)
    shoe = list(cards(text)) * decks
    deals = list(permutations(shoe, 2))
    found = Study(house)
    higher = sum((a >> 2 > b >> 2) - (a >> 2 < b >> 2) for a, b in deals)
    suited = sum(1 if a & 3 == b & 3 else -1 for a, b in deals)
    assert found.wager("ante").house_edge == -Fraction(higher, len(deals))
    assert found.wager("suit").house_edge == -Fraction(suited, len(deals))


def raised(t: Table) -> None:
    """Two cards and a raise against one hidden card of the dealer's, suits and all."""
    mine, his = t.deal(PLAYER, 2, face=DOWN), t.deal(DEALER, face=DOWN)
    if t.decide("fold", "raise") == "fold":
        t.settle(ante=LOSE)
        return
    t.bet("raise")
    t.reveal(DEALER)
    best = highest(*(c.rank for c in mine)) + where(mine[0].suit == mine[1].suit, 4, 0)
    t.settle(ante=compare(best, his.rank + 2), raise_=compare(best, his.rank + 2))


def raise_game(deck: object, **more: Any) -> Game:
    return small_game(raised, deck=deck, **more)


def random_deck(rng: random.Random) -> Deck:
    """Some ranks or some cards, some of them several times."""
    if rng.random() < 0.5:
        ranks = rng.sample(range(13), rng.randint(4, 12))
        return Deck(tuple(sorted(4 * r + s for r in ranks for s in range(4))))
    codes = rng.sample(range(52), rng.randint(8, 40))
    return Deck(tuple(sorted(codes + rng.sample(codes, rng.randint(0, 5)))))


@pytest.mark.parametrize("seed", range(6))
def test_exact_and_simulated_agree_on_random_decks(seed: int) -> None:
    rng = random.Random(seed)
    decks = rng.choice((1, 2, 6))
    house = raise_game(random_deck(rng), options=(DECKS,)).at(decks=decks)
    exact = Study(house).wager("ante").house_edge
    modes: tuple[dict[str, Any], ...] = ({}, {"mode": "shoe", "seats": 2}) if decks > 1 else ({},)
    for mode in modes:
        found = simulate(house, 1 << 20, seed=seed, **mode).wager("ante")
        assert abs(found.house_edge - float(exact)) < 5 * found.standard_error, (house.deck, mode)


@pytest.mark.parametrize("path", ["red_dog", "casino_war", "three_card_poker", "stare_down"])
def test_games_of_others_go_on_with_a_spanish_deck(path: str) -> None:
    game = replace(load_game(ROOT / "examples" / f"{path}.py"), deck=cards("2-9, J-A"), anchors=())
    house = game.at()
    assert sum(house.composition) % 48 == 0
    for wager in simulate(house, 1 << 20).wagers:
        assert wager.exact is not None and wager.z is not None and abs(wager.z) < 5


def test_a_strategy_is_as_good_as_the_best_of_all_by_brute_force() -> None:
    """Every pair of cards of a small deck, played each way against every card that is left."""
    deck = cards("2-4, As, Ac")
    total = 0
    for mine in combinations(deck, 2):
        rest = [c for c in deck if c not in mine]
        best = max(c >> 2 for c in mine) + (4 if mine[0] & 3 == mine[1] & 3 else 0)
        worth = sum(2 * ((best > (c >> 2) + 2) - (best < (c >> 2) + 2)) for c in rest)
        total += max(-len(rest), worth)
    assert Study(raise_game(deck).at()).wager("ante").house_edge == -Fraction(total, 91 * 12)


def test_suits_are_still_counted_as_classes_where_the_deck_allows_it() -> None:
    assert suits_interchangeable(trace(raise_game(cards("7-A")).at()))
    whole, one_less = (Study(raise_game(deck).at()) for deck in (cards("7-A"), cards("7-K, Ac, Ad, Ah")))
    assert len(whole.solver.induction.points[0].rows) * 5 < len(one_less.solver.induction.points[0].rows)


def test_a_deck_may_go_by_the_options() -> None:
    def deck(options: Any) -> Deck:
        return cards("2-9, J-A") if options["tens"] == "no" else cards("2-A")

    game = small_game(high_card, ANTE, Wager("suit"), deck=deck, options=(Choice("tens", ("no", "yes"), "tens"),))
    game = replace(game, play=lambda t: (t.option("tens"), high_card(t))[1])
    assert [sum(game.at(tens=t).composition) for t in ("no", "yes")] == [48, 52]
    assert Study(game.at()).wager("ante").outcomes != Study(game.at(tens="yes")).wager("ante").outcomes
    assert sum(game.at(shoe="A:0").but(tens="yes").composition) == 52  # another full shoe


# ---- what is left of it


def test_what_is_left_of_a_rank_is_spread_over_the_suits_that_are_there() -> None:
    house = two_bets(cards("2h-Kh, As, Ad")).at(shoe="2:1 3:0 A:1")
    held = dict(zip((card_name(c) for c in FULL_DECK), house.composition, strict=True))
    assert (held["2h"], held["3h"], held["2c"], held["3c"]) == (1, 0, 0, 0)
    assert held["As"] + held["Ad"] == 1 and held["Ac"] == held["Ah"] == 0
    assert house.game.at(shoe=house.provenance().left) == house


@pytest.mark.parametrize(
    ("shoe", "said"),
    [
        ("T:1", "cannot hold 1 of T: full, it has 0"),
        ("Th:1", "cannot hold 1 of Th: full, it has 0"),
        ("A:5", "cannot hold 5 of A: full, it has 4"),
        ("joker:1", "'joker:1' is about a joker, and the deck of this game has none"),
        ((1,) * 52, "Tc is no card of the deck that this game is dealt from"),
        ((1,) * 54, "how many of each of the 52 cards are left"),
        ((-1,) * 52, "how many of each of the 52 cards are left"),
    ],
)
def test_a_shoe_that_the_deck_cannot_give_is_one_sentence(shoe: Any, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        two_bets(cards("2-9, J-A")).at(shoe=shoe)
    assert said in str(caught.value)


def test_a_cut_card_is_measured_in_decks_of_the_game() -> None:
    house = two_bets(cards("7-A"), options=(DECKS,), cut_card="1").at(decks=6)
    found = simulate(house, 1 << 16, mode="shoe")
    assert found.mode == f"shoe, shuffled after {5 * 32} cards"
    assert simulate(house, 1 << 16, mode="shoe", cut="1/2").mode == f"shoe, shuffled after {5 * 32 + 16} cards"


# ---- hands from several decks


def by_hand(deal: tuple[int, ...]) -> tuple[int, ...]:
    """A three-card hand as a dealer reads it: what it is, and the ranks that break a tie."""
    ranks, suited = sorted((c >> 2 for c in deal), reverse=True), len({c & 3 for c in deal}) == 1
    if ranks == [ACE, 1, 0]:
        ranks = [1, 0, -1]
    if ranks == [*range(ranks[0], ranks[0] - 3, -1)]:
        return (5 if suited else 3), *ranks
    if len({*ranks}) == 1:
        return 4, *ranks
    if suited:
        return 2, *ranks
    if len({*ranks}) == 2:
        return 1, ranks[1], next(r for r in ranks if r != ranks[1])
    return 0, *ranks


def test_three_cards_of_several_decks_are_ranked_as_they_are() -> None:
    """Every hand of three cards of a few codes, twins included: stronger as the rules say, equal where they tie."""
    codes = cards_of("2c 2d 3c 4c Kc Ac Ad Ah")
    hands = list(product(codes, repeat=3))
    by_rules = {hand: by_hand(hand) for hand in hands}
    for a, b in combinations(hands, 2):
        mine, other = strength_of(a), strength_of(b)
        assert (mine > other) - (mine < other) == (by_rules[a] > by_rules[b]) - (by_rules[a] < by_rules[b]), (a, b)


def three_cards(t: Table) -> None:
    t.settle(ante=by_floor(strength(t.deal(PLAYER, 3)), {"pair": THREE_PAIR, "flush": THREE_FLUSH}))


def test_three_cards_of_several_decks_are_counted_right() -> None:
    wager = pays("ante", {"pair": 1, "flush": 3}, required=True)
    house = small_game(three_cards, wager, deck=cards("Q-A"), options=(DECKS,)).at(decks=2)
    rows = Counter[str]()
    for deal in permutations(shoe_cards(house.composition), 3):
        score = by_hand(deal)
        rows["flush" if score[0] >= 2 else "pair" if score[0] == 1 else "lose"] += 1
    found = Study(house).wager("ante")
    assert {o.outcome: o.probability for o in found.outcomes} == {r: Fraction(n, 24 * 23 * 22) for r, n in rows.items()}


def test_more_cards_of_several_decks_are_refused_with_the_line() -> None:
    def play(t: Table) -> None:
        t.settle(ante=by_floor(strength(t.deal(PLAYER, 5)), {"pair": PAIR}))

    wager = pays("ante", {"pair": 1}, required=True)
    game = small_game(play, wager, options=(DECKS,))
    trace(game.at())
    for house in (game.at(decks=2), replace(game, deck=2 * cards("7-A")).at(), game.at(shoe=(2,) * 52)):
        with pytest.raises(RuleError, match=r"line \d+: strength\(\) of 5 cards ranks hands of one deck"):
            trace(house)


# ---- the live table, and every command


def spanish() -> Game:
    return two_bets(cards("2-9, J-A"), options=(DECKS,))


def test_a_live_table_deals_the_deck_and_its_log_replays() -> None:
    session = table(spanish().at(decks=2), seed=3)
    dealt = Counter[str]()
    for _ in range(40):
        session.bet(1, ante=10)
        session.deal()
        log = json.loads(json.dumps(log_of(session.round)))  # type: ignore[arg-type]
        assert replay(spanish(), log).events == log["events"]
        dealt.update(log["cards"])
    assert len(dealt) > 30 and not [name for name in dealt if name[0] == "T"]


@pytest.mark.parametrize(
    ("deal", "said"),
    [
        ([32, 1], "Tc is no card of this game, which is dealt from one deck of 48 cards, without tens"),
        ([-1, 1], "-1 is not a card code"),
        ([52, 1], "Jk is no card of this game, which is dealt from one deck of 48 cards, without tens"),
        ([54, 1], "54 is not a card code"),
    ],
)
def test_a_card_that_the_deck_lacks_never_gets_to_the_table(deal: list[int], said: str) -> None:
    with pytest.raises(BadInput) as caught:
        Round(spanish().at(), deal, [Seat({"ante": Fraction(5)})])
    assert said in str(caught.value)


SPANISH = '''"""High card with a Spanish deck."""
from pitboss.rules import DEALER, LOSE, PLAYER, WIN, Choice, Game, Table, Wager, cards, where
def play(t: Table) -> None:
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    t.settle(ante=where(mine.rank > his.rank, WIN, LOSE))
GAME = Game("spanish", "Spanish", play, [Wager("ante", required=True)], deck=cards("2-9, J-A"),
    options=[Choice("decks", (6, 1), "decks")])
'''


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "spanish.py"
    path.write_text(SPANISH)
    return str(path)


def test_the_rules_name_the_deck(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run_command(capsys, "rules", file)
    assert code == 0 and "It is dealt from six decks of 48 cards, without tens." in out
    data = json.loads(run_command(capsys, "rules", file, "--json", "-o", "decks=1")[1])
    assert (data["deck"], data["cards"]) == ("It is dealt from one deck of 48 cards, without tens.", 48)
    house = load_file(Path(file)).at(shoe="A:3")
    assert dealt_from(house).endswith("without tens. 267 cards are left in the shoe.")


@pytest.mark.parametrize(
    "words",
    [
        ("analyze",), ("simulate", "--rounds", "100000"), ("simulate", "--rounds", "100000", "--shoe"),
        ("protect", "--shoes", "20"), ("floor",), ("strategy",), ("analyze", "--shoe", "A:20"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_every_command_takes_such_a_deck(file: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run_command(capsys, words[0], file, *words[1:])
    assert (code, err) == (0, "") and out


def test_a_wheel_is_a_deck_of_which_one_card_is_drawn() -> None:
    """38 pockets: a straight-up bet and red, to the published 1/19."""

    def play(t: Table) -> None:
        pocket = t.deal(BOARD)
        number = pocket.rank + 13 * pocket.suit  # 0 and 37 are the zeros
        t.settle(straight=first_match(("number", number == 17)))
        t.settle(odd=where((number >= 1) & (number <= 18), WIN, LOSE))

    wagers = pays("straight", {"number": 35}), Wager("odd")
    house = small_game(play, *wagers, deck=cards("2c-Ac, 2d-Ad, 2h-Kh")).at()
    found = Study(house)
    assert [found.wager(w).house_edge for w in ("straight", "odd")] == [Fraction(1, 19)] * 2


def test_two_dice_are_a_deck_of_36() -> None:
    """Field: 2 pays double, 12 triple; 1/36."""

    def play(t: Table) -> None:
        roll = t.deal(BOARD)
        place = roll.rank * 4 + roll.suit
        total = sum((place >= 6 * k for k in range(1, 6)), start=0 * place)  # the first die, less one
        total = total + (place - 6 * total) + 2
        field = first_match(
            ("two", total == 2), ("twelve", total == 12),
            ("field", (total == 3) | (total == 4) | ((total >= 9) & (total <= 11))),
        )  # fmt: skip
        t.settle(field=field)

    house = small_game(play, pays("field", {"two": 2, "twelve": 3, "field": 1}), deck=cards("2-10")).at()
    assert Study(house).wager("field").house_edge == Fraction(1, 36)
