"""Why a wager came out as it did: hands by name, for every settlement; nothing that a seat may not see; in 24 lines."""

import io
import random
import re
from collections.abc import Sequence
from fractions import Fraction

import pytest

from pitboss.cards import cards_of
from pitboss.catalog import load
from pitboss.cli import play
from pitboss.cli.screen import Screen
from pitboss.live import Session, Shoe
from pitboss.live.reasons import reasons
from pitboss.live.words import denied
from pitboss.rules.house import House


def laid(house: House, cards: str) -> Shoe:
    def shuffle(every: Sequence[int]) -> list[int]:
        rest, first = list(every), cards_of(cards.split())
        for card in first:
            rest.remove(card)
        return [*first, *rest]

    return Shoe(house, shuffle)


def told(game: str, cards: str, bets: dict[str, int], *choices: str) -> dict[str, str]:
    """What is said to the player at seat 1 of a round with these cards."""
    house = load(game).at()
    t = Session(house, 1, shoe=laid(house, cards))
    t.bet(1, bets)
    t.deal()
    for choice in choices:
        t.choose(1, choice)
    assert t.round is not None and not t.in_play
    return {wager: why for (_, wager), why in reasons(t.round, [1]).items()}


def test_ranks_and_cards_are_named() -> None:
    why = told("bluff", "Jc Td", {"ante": 5, "suit-tie": 5}, "raise")
    assert why["ante"] == why["raise"] == "you have a jack, the dealer has a 10"
    assert why["suit-tie"] == "you have J♣, the dealer has 10♦"


def test_a_hand_that_was_not_compared_is_not_given_as_a_reason() -> None:
    assert told("bluff", "8d 9c", {"ante": 5}, "check")["ante"] == ""


@pytest.mark.parametrize(
    ("cards", "choices", "said"),
    [
        ("Tc 7d 6d Th 9h", ("hit",), "you have 25"),  # a bust: nobody looks at the dealer's hand
        ("Tc 7d 9d Th", ("stand",), "you have 19, the dealer has 17"),
        ("Tc 9d 7d Th", ("stand",), "you have 17, the dealer has 19"),
    ],
)
def test_totals_are_told_for_a_bust_too(cards: str, choices: tuple[str, ...], said: str) -> None:
    assert told("blackjack", cards, {"main": 5}, *choices)["main"].startswith(said)


def test_poker_hands_are_named_when_they_lose() -> None:
    why = told("flop-poker-bonus", "2c 7d 9h Kc 8s 3d", {"pot": 5, "ante": 5, "3-card-bonus": 5}, "bet")
    assert why["3-card-bonus"] == "you have nine-seven-two"
    assert why["ante"] == why["flop"] == "you have king-nine-eight-seven-two"


def test_nothing_is_told_of_cards_that_lie_face_down() -> None:
    """Another player's cards of Flop Poker are his own until the round is over; those of one who left stay hidden."""
    house = load("flop-poker-bonus").at()
    t = Session(house, 2, shoe=laid(house, "2c 7d 9h Ac Ad Ah Kc 8s 3d"))
    for seat in (1, 2):
        t.bet(seat, {"pot": 5, "ante": 5, "3-card-bonus": 5})
    t.deal()
    t.choose(1, "bet")
    assert t.round is not None and t.in_play
    assert not any(why for (seat, _), why in reasons(t.round, [1]).items() if seat == 2)
    t.leave(2)
    assert not any(why for (seat, _), why in reasons(t.round, [1]).items() if seat == 2)


@pytest.mark.parametrize(
    ("game", "bets", "typed"),
    [
        ("bluff", {"ante": 5, "suit-tie": 5, "progressive": 5}, "raise"),
        ("blackjack", {"main": 5, "lucky-lucky": 5, "lucky-break": 5}, "stand"),
        ("flop-poker-bonus", {"pot": 5, "ante": 5, "3-card-bonus": 5}, "bet"),
        ("packs-poker", {"pack": 5, "ante-bonus": 5}, ""),
    ],
)
def test_a_round_fits_24_lines(game: str, bets: dict[str, int], typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From one prompt to the next, on a terminal of 80 by 24, with the felt, the reasons and what was paid."""
    monkeypatch.setattr("pitboss.cli.hints.Hints.count", lambda *_, **__: "")
    screen = Screen(file=io.StringIO(), force_terminal=True, width=80, height=24, color_system=None)
    shown: list[str] = []

    def read(prompt: str) -> str:
        assert isinstance(screen.file, io.StringIO)
        shown.append(screen.file.getvalue())
        screen.file.seek(0)
        screen.file.truncate()
        return typed if "choice" in prompt.lower() else "" if len(shown) < 6 else "q"

    cards = "Tc 7d 9d Th 2c 3d 4h 5s 6c" if game == "blackjack" else "2c 7d 9h Kc 8s 3d 4d 5h 6s Qc"
    house = load(game).at()
    wanted = {wager: Fraction(amount) for wager, amount in bets.items()}
    assert play.run(house, wanted, read=read, console=screen, shoe=laid(house, cards), rounds=2) == 0
    shown.append(screen.file.getvalue())  # type: ignore[attr-defined]
    assert all(part.count("\n") < 24 for part in shown), [part.count("\n") for part in shown]
    assert any("you have" in part for part in shown)


# ---- what is said of a hand is a value of that hand


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("Tc Td 9d 6c Th", "you have 19, the dealer has 26, over 21"),  # the 10 of one card is no total
        ("Tc Td 9d 7c", "you have 19, the dealer has 17"),
    ],
)
def test_numbers_that_a_hand_does_not_count_are_not_told(cards: str, said: str) -> None:
    assert told("blackjack", cards, {"main": 5, "lucky-break": 5}, "stand")["lucky-break"] == said


def test_what_two_hands_count_together_is_told_by_their_cards() -> None:
    why = told("blackjack", "Tc 9s 4d 7c 3h 5d", {"main": 5, "lucky-lucky": 5}, "stand")
    assert why["lucky-lucky"] == "you have 10♣ and 4♦, the dealer has 9♠"
    twins = told("blackjack", "5d Ad 5d 7c", {"main": 5, "lucky-lucky": 5}, "no insurance", "stand")
    assert twins["lucky-lucky"] == "you have 5♦ and 5♦, the dealer has A♦"


def test_every_total_that_is_told_is_what_the_hand_counts() -> None:
    house, rng = load("blackjack").at(), random.Random(8)
    bets = {"main": 5, "lucky-lucky": 5, "lucky-break": 5}
    for _ in range(300):
        t = Session(house, 1, shoe=Shoe(house, lambda cards: rng.sample(list(cards), len(cards))))
        t.bet(1, bets)
        t.deal()
        while (turn := t.turn) is not None:
            t.choose(1, rng.choice(turn.choices))
        assert t.round is not None
        mine = {str(count["total"]) for count in t.round.counts(1).values()}
        his = {str(t.view(1).dealer.count["total"])} if "??" not in t.view(1).dealer.cards else set()
        for why in reasons(t.round, [1]).values():
            for who, totals in (("you have", mine), ("the dealer has", his)):
                assert set(re.findall(rf"{who} (\d+)\b(?![♣♦♥♠])", why)) <= totals, why


# ---- every settlement says what was held, or what happened


def test_a_win_by_suit_says_both_cards() -> None:
    assert told("bluff", "Jc Tc", {"ante": 5, "suit-tie": 5}, "raise")["suit-tie"] == "you have J♣, the dealer has 10♣"


def test_a_wager_that_rests_on_no_card_says_what_happened() -> None:
    asked = told("blackjack", "Tc As 9d 7c", {"main": 5}, "insurance", "stand")
    assert asked["insurance"] == "the dealer has no blackjack"
    had = told("blackjack", "Tc As 9d Kc", {"main": 5}, "insurance")
    assert had["insurance"] == "the dealer has blackjack"
    folded = told("flop-poker-bonus", "2c 7d 9h Kc 8s 3d", {"pot": 5, "ante": 5}, "fold")
    assert folded["ante"] == "you fold"


def test_a_pot_says_whose_hand_beat_whose_to_both() -> None:
    """Seat 1 holds a pair of sevens, seat 2 two pair, seat 3 has left and has no hand."""
    house = load("flop-poker-bonus").at()
    t = Session(house, 3, shoe=laid(house, "7c 7d Kh 9c 9d 5h 2c 3h 4s 5s Jd Ah"))
    for seat in (1, 2, 3):
        t.bet(seat, {"pot": 5, "ante": 5})
    t.deal()
    t.leave(3)
    for seat in (1, 2):
        t.choose(seat, "bet")
    assert t.round is not None and not t.in_play
    names = {1: "Ann", 2: "Bob", 3: "Cid"}
    lost, won = reasons(t.round, [1], names=names)[1, "pot"], reasons(t.round, [2], names=names)[2, "pot"]
    assert lost == "you have a pair of sevens with ace-king-jack, Bob has two pair, nines and fives with ace"
    assert won == "you have two pair, nines and fives with ace, Ann has a pair of sevens with ace-king-jack"
    assert "Cid" not in reasons(t.round, [1], names=names)[1, "pot"]


def test_what_is_not_so_is_said_as_one_says_it() -> None:
    assert denied("the dealer has blackjack") == "the dealer has no blackjack"
    assert denied("the dealer has a pair") == "the dealer has no pair"
    assert denied("the hand is not over 21") == "the hand is over 21"
    assert denied("both match") == ""
