"""Why a wager came out as it did: hands by name, for every settlement; nothing that a seat may not see; in 24 lines."""

import io
from collections.abc import Sequence
from fractions import Fraction

import pytest

from pitboss.cards import cards_of
from pitboss.catalog import load
from pitboss.cli import play
from pitboss.cli.screen import Screen
from pitboss.live import Session, Shoe
from pitboss.live.reasons import reasons
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
