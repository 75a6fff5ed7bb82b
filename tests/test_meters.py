"""Progressive meters at a live table: every bet adds to them, a hit is paid once and leaves the seed; logs prove it."""

import io
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from helpers import run
from pitboss.cards import cards_of
from pitboss.catalog import load
from pitboss.live import Journal, Session, Shoe, evidence, least_bets, log_of, replay, usual_bets
from pitboss.rules import LOSE, PLAYER, Amount, Choice, Game, Meter, PayTable, Table, Wager, row, where
from pitboss.sheets import sheet_of

F = Fraction


def play(t: Table) -> None:
    card = t.deal(PLAYER)
    t.settle(ante=where(card.rank < 6, LOSE, row("win")), side=where(card.rank == 12, row("jackpot"), LOSE))


GAME = Game(
    "metered", "Metered", play,
    [Wager("ante", required=True),
     Wager("side", needs="ante", tables=[PayTable("one", {"jackpot": Meter("meter", "seed", "step")})])],
    options=[Choice("decks", (1, 2), "decks"), Amount("meter", 1000, "now"), Amount("seed", 500, "seed"),
             Amount("step", "1.50", "added")],
)  # fmt: skip
HOUSE = GAME.at()


def laid(cards: str) -> Shoe:
    """A shoe with these cards in front."""

    def shuffle(every: Sequence[int]) -> list[int]:
        rest, first = list(every), cards_of(cards.split())
        for card in first:
            rest.remove(card)
        return [*first, *rest]

    return Shoe(HOUSE, shuffle)


def at_the_table(cards: str, seats: int, journal: Journal | None = None) -> Session:
    return Session(HOUSE, seats, shoe=laid(cards), journal=journal)


def dealt(t: Session, *side: bool) -> list[Fraction]:
    """A round; what the side bet of each seat brought."""
    for seat, bets in enumerate(side, 1):
        t.bet(seat, {"ante": 5, "side": 5 if bets else 0})
    t.deal()
    return [sum((F(e["net"]) for e in t.result(s).settled if e["wager"] == "side"), F(0)) for s in t.seats]


def test_every_bet_adds_its_increment_before_the_deal() -> None:
    t = at_the_table("2c 3c 4c 5c 6c 7c", 2)
    dealt(t, True, True)
    assert t.showing.amount("meter") == 1003
    dealt(t, True, False)
    assert t.showing.amount("meter") == F("1004.5")
    dealt(t, False, False)
    assert t.showing.amount("meter") == F("1004.5") and t.house.amount("meter") == 1000


def test_a_hit_pays_what_the_meter_shows_and_leaves_the_seed() -> None:
    t = at_the_table("2c 3c Ac 5c", 2)
    dealt(t, True, True)
    won = dealt(t, True, True)
    assert won == [1006, -5] and t.showing.amount("meter") == 500
    assert dealt(t, False, True)[0] == 0 and t.showing.amount("meter") == F("501.5")


def test_two_hits_in_one_round_are_paid_once_and_then_the_seed() -> None:
    t = at_the_table("Ac Ad 3c", 3)
    assert dealt(t, True, True, True) == [F("1004.5"), 500, -5]
    assert t.showing.amount("meter") == 500
    assert "settled first takes what it shows, and the next one takes the seed" in sheet_of(GAME.at()).odd_amounts
    assert "seed" not in sheet_of(load("blackjack").at()).odd_amounts


def test_a_round_of_a_moving_meter_is_played_again_from_its_log() -> None:
    t = at_the_table("2c Ac", 1)
    dealt(t, True)
    dealt(t, True)
    assert t.round is not None
    again = replay(GAME, log_of(t.round))
    assert again.net(1) == t.round.net(1) == 1003 + 5
    assert [log["options"]["meter"] for log in t.log()] == ["1001.5", "1003"]


def test_a_journal_proves_every_step_of_the_meter(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    journal = Journal(path)
    t = at_the_table("2c 3c Ac Ad 4c Ah", 2, journal)
    for _ in range(3):
        dealt(t, True, True)
    journal.close()
    found = evidence(path, lambda name: GAME)
    nets = [F(e["net"]) for r in found.rounds for e in r.settled if e["wager"] == "side"]
    assert found.whole and nets == [-5, -5, 1006, 500, -5, 503]


def test_bluffs_meter_moves_at_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\ncheck\nfold\n" * 3 + "q\n" * 3))
    words = ["play", "bluff", "--bet", "ante=5", "--bet", "progressive=5", "--rounds", "2"]
    _, out, _ = run(capsys, *words)
    assert "jackpot $10,000" in out and "jackpot $10,001.50" in out and "jackpot $10,003" in out


# ---- the shoe, the other players, the spots


def test_a_cut_card_and_a_continuous_shuffler() -> None:
    house = load("blackjack").at()
    assert Shoe(house).cut < Shoe(house, cut=F(1, 2)).cut == 312 - 26
    assert Shoe(house, continuous=True).every_round and not Shoe(house, cut=F(1)).every_round


@pytest.mark.parametrize(
    ("words", "phrase"),
    [
        ("--cut 9", "the shoe has 312"),
        ("--cut 1 --shuffler", "leave one of the two out"),
        ("--spots 2 --bet 3:main=5", "1 to 2"),
    ],
)
def test_what_cannot_be_is_one_sentence(words: str, phrase: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "play", "blackjack", *words.split())
    assert code == 2 and not out and phrase in err and err.count("\n") == 1, err


def test_computer_players_make_side_bets_of_their_own_liking() -> None:
    for name in ("bluff", "blackjack", "flop-poker-bonus"):
        house = load(name).at()
        every = [usual_bets(house, seat) for seat in (2, 3)]
        for bets in every:
            house.check_seat(bets, {})
        sides = [{*bets} - {*least_bets(house)} for bets in every]
        assert sides[0] != sides[1] and sides[0] | sides[1], name


def test_spots_bet_what_they_like(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n" + "check\nfold\n" * 4 + "q\n" * 2))
    words = [
        "play",
        "bluff",
        "--spots",
        "2",
        "--bet",
        "ante=5",
        "--bet",
        "2:ante=25",
        "--bet",
        "2:suit-tie=10",
        "--json",
    ]
    _, out, _ = run(capsys, *words)
    assert '"bets": {"ante": "5"}' in out and '"bets": {"ante": "25", "suit-tie": "10"}' in out
