"""The terminal table, by scripted sessions on a shoe laid out beforehand: what is drawn, asked, paid and written."""

import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from helpers import GAME_FILES, all_bets, case_name, load_game, pays, small_game, stripped
from pitboss.cards import cards_of
from pitboss.cli import faces, play, seats
from pitboss.cli.screen import Screen
from pitboss.exact import KERNELS, Solver, Study, TooLarge
from pitboss.games.bluff import GAME as BLUFF
from pitboss.games.flop_poker_bonus import GAME as FLOP_GAME
from pitboss.games.packs_poker import GAME as PACKS_GAME
from pitboss.live import BACK, Round, Seat, Shoe, evidence, least_bets, replay, view_of
from pitboss.rules import (
    BLIND,
    BOARD,
    DEALER,
    DOWN,
    LOSE,
    PLAYER,
    PUSH,
    WIN,
    BadInput,
    Choice,
    House,
    Table,
    Wager,
    compare,
    lookup,
    where,
)
from pitboss.rules.trace import trace as traced

HOUSE = BLUFF.at()
FLOP = FLOP_GAME.at()
POT_ANTE = {"pot": Fraction(5), "ante": Fraction(10)}
TEN = {"ante": Fraction(10)}
SIDE = {"ante": Fraction(10), "suit-tie": Fraction(5)}
METER = {"ante": Fraction(10), "progressive": Fraction(5)}
ENTER = ""


@dataclass
class Session:
    """One evening: what was typed, what the player was asked and what he saw."""

    house: House
    cards: str
    width: int = 80
    prompts: list[str] = field(default_factory=list)
    file: Any = field(default_factory=io.StringIO)

    def __post_init__(self) -> None:
        self.console = Screen(record=True, width=self.width, file=self.file)

    def shuffle(self, cards: Sequence[int]) -> list[int]:
        """The cards laid out in front, the rest of the shoe behind them."""
        rest, first = list(cards), cards_of(self.cards)
        for card in first:
            rest.remove(card)
        return [*first, *rest]

    def play(self, *typed: str | type[BaseException], bets: dict[str, Fraction] = TEN, **more: Any) -> str:
        answers = iter(typed)

        def read(prompt: str) -> str:
            self.prompts.append(prompt)
            answer = next(answers, EOFError)
            if isinstance(answer, str):
                return answer
            raise answer

        self.shoe = Shoe(self.house, shuffle=self.shuffle)
        assert play.run(self.house, bets, read=read, console=self.console, shoe=self.shoe, **more) == 0
        assert next(answers, None) is None, "something typed was never read"
        return self.console.export_text()


def at_bluff(*typed: str | type[BaseException], cards: str = "Kh 5c", **more: Any) -> str:
    return Session(HOUSE, cards).play(*typed, **more)


def drawn(text: str) -> list[str]:
    """Every felt that was drawn, in order: the empty table, then each round at its decisions and at its end."""
    return [part.split("┏")[-1] for part in text.split("┛")[:-1]]


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture
def too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(task: object) -> None:
        raise TooLarge("an exact count would take too long")

    for kernel in KERNELS:
        monkeypatch.setattr(kernel, "offer", refuse)


# ---- a hand


def test_a_raise_and_the_dealer_folds() -> None:
    seen = at_bluff(ENTER, "raise", "q")
    _, at_the_decision, at_the_end = drawn(seen)
    assert "│K    │" in at_the_decision and "│  ♥  │" in at_the_decision
    assert "│░░░░░│" in at_the_decision and "♣" not in at_the_decision, "the dealer's card lies face down"
    assert "│░░░░░│" not in at_the_end and "│  ♣  │" in at_the_end
    after = words(seen.split("Dealer folds.")[1])
    assert "ante $10 win 1 to 1 dealer folds +$10" in after
    assert "raise $10 push dealer folds $0" in after
    assert "this round +$10" in after


def test_the_felt_says_where_the_shoe_is_and_what_is_unusual() -> None:
    house = BLUFF.at({"limit": "high", "decks": "2"}, {"suit-tie": "1,3,12"})
    seen = words(Session(house, "Kh 5c", width=100).play(ENTER, "raise", "q"))
    assert "Bluff · decks 2 · limit high · suit-tie 1,3,12" in seen
    assert "0 dealt, 52 to the cut card" in seen and "2 dealt, 50 to the cut card" in seen


@pytest.mark.parametrize("typed", ["raise", "r", "3", "RAI"])
def test_a_choice_by_name_start_or_number(typed: str) -> None:
    assert "Dealer folds." in at_bluff(ENTER, typed, "q")


def test_what_is_not_a_choice_is_one_sentence_and_is_asked_again() -> None:
    seen = at_bluff(ENTER, "c", "7", ENTER, "raise", "q").splitlines()
    assert "'c' may mean check or call; choose check, call or raise, by number or name." in seen
    assert "'7' is not a choice; choose check, call or raise, by number or name." in seen
    assert "Choose check, call or raise, by number or name." in seen
    assert "Dealer folds." in seen


def test_a_number_that_starts_the_name_of_another_choice_is_not_guessed() -> None:
    def play_(t: Table) -> None:
        mine, his = t.deal(PLAYER), t.deal(DEALER, face=DOWN)
        t.bet("raise", {"3x": 3, "1x": 1, "2x": 2}[t.decide("3x", "1x", "2x")])
        t.settle(ante=compare(mine.rank, his.rank), raise_=compare(mine.rank, his.rank))

    game = small_game(play_, Wager("ante", required=True), Wager("raise", equal_to="ante", times=(1, 2, 3)))
    seen = Session(game.at(), "Kh 5c").play(ENTER, "3", "2x", "q")
    assert "'3' may mean 3x or 2x;" in seen
    assert re.search(r"raise \$20 win 1 to 1 you have .* \+\$20", words(seen))


def test_a_decision_that_the_game_has_named_is_announced() -> None:
    seen = Session(BLUFF.at({"limit": "high"}), "Kh 2c").play(ENTER, "call", "re", "q")
    assert all(x in seen for x in ("First action:", "Facing the dealer's raise:", "Dealer folds his bluff."))


def test_help_explains_the_game_its_wagers_and_the_keys() -> None:
    seen = words(Session(HOUSE, "Kh 5c", width=120).play("?", ENTER, "?", "raise", "q"))
    assert seen.count("You and the dealer get one card each, face down; aces are high.") == 2
    assert "suit 1 to 1, tie 3 to 1, match 15 to 1" in seen
    assert "Choose by number, by name or by the start of a name." in seen


# ---- bets


def test_a_bad_amount_is_told_and_asked_again() -> None:
    seen = at_bluff("b", "3", "x", "20", "4", "5", "10", "5", ENTER, "raise", "q")
    assert "ante takes $5 to $500; $3 is not allowed." in seen
    assert "ante: 'x' is not an amount of dollars and whole cents from" in seen
    assert "suit-tie takes $5 to $500; $4 is not allowed." in seen
    assert "progressive is exactly $5, no more and no less; $10 is not allowed." in seen
    assert "On the table: ante $20, suit-tie $5, progressive $5." in seen
    assert "ante $20 win 1 to 1 dealer folds +$20" in words(seen)


def test_enter_keeps_a_bet_and_0_removes_it() -> None:
    session = Session(HOUSE, "Kh 5c")
    seen = session.play("b", "0", ENTER, "0", "5", "q", bets=SIDE)
    assert "ante takes $5 to $500; $0 is not allowed." in seen  # a required bet is not removed
    assert "On the table: ante $10, progressive $5." in seen
    assert session.prompts[2:4] == ["  now $10, Enter keeps it > ", "  now $5, Enter keeps it, 0 removes it > "]


def test_bets_that_do_not_go_together_are_asked_again() -> None:
    def play_(t: Table) -> None:
        mine, his = t.deal(PLAYER), t.deal(DEALER)
        t.settle(left=WIN if t.when(mine.rank > his.rank) else LOSE)
        t.settle(right=PUSH)

    game = small_game(play_, pays("left", {"win": 1}), pays("right", {"win": 1}), one_of=[("left", "right")])
    seen = Session(game.at(), "Kh 5c").play("b", "0", ENTER, "0", "5", "q", bets={"left": Fraction(5)})
    assert "a bet on left or right is required." in seen and "On the table: right $5." in seen


def test_an_unknown_key_is_one_sentence() -> None:
    assert "'x' is not a key here: Enter deals, b changes the bets, ? explains, q leaves." in at_bluff("x", "q")


def test_bad_bets_to_begin_with_are_refused() -> None:
    with pytest.raises(BadInput, match="ante takes"):
        at_bluff(bets={"ante": Fraction(3)})


# ---- the hint


def expectations(card: str) -> dict[str, str]:
    found = Solver(HOUSE).advice((), dict(enumerate(cards_of(f"{card} 5c"))), {"streak": 0})
    return {choice: f"{float(value):+.4f} {faces.cents(value * 10)}" for choice, value in found.items()}


def test_a_hint_shows_the_expectation_of_every_choice_and_marks_the_best() -> None:
    seen = words(at_bluff(ENTER, "*", "raise", "q", cards="2h 5c"))
    known = expectations("2h")
    assert known["check"] == "-1.0000 -$10.00"  # a 2 beats nothing, and a tie is folded to the dealer's raise
    for choice, value in known.items():
        assert f"{choice} {value}{' ◀ best' if choice == 'raise' else ''}" in seen
    assert seen.count("◀") == 1 and "a tie" not in seen


def test_a_hint_shows_ties_as_ties() -> None:
    seen = words(at_bluff(ENTER, "*", "raise", "q", cards="7h 5c"))
    known = expectations("7h")
    assert known["check"] == known["call"]
    assert f"check {known['check']} ◀ best, a tie call {known['call']} ◀ best, a tie raise {known['raise']}" in seen
    assert seen.count("◀") == 2


def test_what_a_choice_gave_up_is_said_after_the_round() -> None:
    worth = Solver(HOUSE).advice((), dict(enumerate(cards_of("7h 5c"))), {"streak": 0})
    lost = worth["check"] - worth["raise"]
    told = f"On average raise gave up {float(lost):.4f} units (${float(lost * 10):.2f}): check or call is better."
    seen = at_bluff(ENTER, "raise", "q", cards="7h 5c")
    assert told in seen and seen.index(told) > seen.index("Dealer folds.")


def test_a_best_choice_is_passed_over_in_silence() -> None:
    assert not any("gave up" in at_bluff(ENTER, choice, "q", cards="Kh 5c") for choice in ("call", "raise"))


@pytest.mark.usefixtures("too_large")
def test_a_game_too_large_to_count_is_played_without_hints() -> None:
    seen = at_bluff(ENTER, "*", "raise", "q", cards="7h 5c")
    assert words(seen).count("No hints and no expected result: an exact count would take too long") == 1
    assert "There is no hint" in seen and "gave up" not in seen
    assert "1 round net +$10" in words(seen) and "expected -" not in seen


# ---- the running result


def test_the_running_result_adds_up() -> None:
    cards = "Kh 5h 9c Ad 8s 8d"  # won with a suit, lost twice, pushed with a tie
    seen = words(at_bluff(ENTER, "r", ENTER, "r", ENTER, "c", "call", "q", cards=cards, bets=SIDE))
    ante, side = (Solver(HOUSE).wager_result(name) for name in SIDE)
    expected = -3 * (10 * ante.house_edge + 5 * side.house_edge)
    net = (10 + 5) + (-20 - 5) + (0 + 15)
    spread = sqrt(3 * ((10 * ante.std_dev) ** 2 + (5 * side.std_dev) ** 2))
    away = (net - float(expected)) / spread
    assert [f"net {x} " in seen for x in ("+$15", "-$10", "+$5")] == [True] * 3
    assert f"3 rounds net +$5 expected {faces.cents(expected)} about {away:.1f} std dev above" in seen
    assert seen.count("Expected: minus the house edge times the bet") == 1


def test_a_bet_that_is_paid_by_the_suit_says_both_cards() -> None:
    seen = words(at_bluff(ENTER, "r", "q", cards="Kh 5h", bets=SIDE))
    assert "suit-tie $5 suit 1 to 1 you have K♥, the dealer has" in seen


def test_the_streak_is_carried_from_round_to_round() -> None:
    seen = at_bluff(*[ENTER, "r"] * 3, "q", cards="Kh Kh Kh Kh 2c 5d", bets=METER)
    shown = ["you · streak 1" in felt for felt in drawn(seen)]
    assert shown == [False, False, True, True, False, False, False]  # won at the end of one round, spent in the next
    assert "progressive $5 match $100" in words(seen) and "progressive $5 jackpot meter $10,003" in words(seen)


# ---- leaving


def test_leaving_in_mid_hand_forfeits_the_bets() -> None:
    seen = words(at_bluff(ENTER, "raise", ENTER, "q", cards="Kh 5c 2c 3c", bets=SIDE))
    assert "You leave the round: the bets on the table are forfeited, ante $10, suit-tie $5." in seen
    assert "2 rounds net -$10 expected" in seen  # won 10 and lost 5, then left 15 on the table


def test_bets_placed_in_the_round_are_forfeited_too() -> None:
    seen = words(Session(BLUFF.at({"limit": "high"}), "Kh 2c").play(ENTER, "call", "q"))
    assert "forfeited, ante $10, call $10." in seen and "1 round net -$20" in seen


def test_a_wager_that_was_settled_early_is_not_forfeited() -> None:
    war = load_game(next(path for path in GAME_FILES if path.stem == "casino_war")).at()
    seen = words(Session(war, "Kh Kc").play(ENTER, "q", bets={"ante": Fraction(10), "tie": Fraction(5)}))
    assert "forfeited, ante $10." in seen and "1 round net +$40" in seen


@pytest.mark.parametrize("stop", [EOFError, KeyboardInterrupt])
def test_the_end_of_input_leaves_with_the_running_result(stop: type[BaseException]) -> None:
    for typed in ([], ["b"], ["b", "20"]):
        assert "You leave the table." in at_bluff(*typed, stop)
    assert words(at_bluff(ENTER, "raise", stop)).count("1 round net +$10") == 2
    assert "forfeited, ante $10. You leave the table. 1 round net -$10" in words(at_bluff(ENTER, stop))


def test_so_many_rounds_and_no_more() -> None:
    session = Session(HOUSE, "Kh 5c Qh 5d")
    seen = session.play(ENTER, "raise", ENTER, "raise", rounds=2)
    assert "2 rounds net +$20" in words(seen) and len(session.prompts) == 4


def test_the_dealer_shuffles_when_the_cut_card_is_out() -> None:
    session = Session(BLUFF.at({"decks": "2"}), "Kh 5c")
    seen = session.play(*[ENTER, "raise"] * 27, "q")
    assert session.shoe.shuffles == 2 and session.shoe.dealt == 2
    assert seen.count("The shoe is dealt out: the dealer shuffles.") == 1
    assert "52 dealt, the cut card is out" in seen


def test_cards_too_few_for_a_round_are_shuffled_first() -> None:
    def play_(t: Table) -> None:
        mine, his = t.deal(PLAYER), t.deal(DEALER)
        t.settle(ante=compare(mine.rank, his.rank))

    decks = Choice("decks", (1, 2), "without this option every round is shuffled")
    game = small_game(play_, Wager("ante", required=True), cut_card="0", options=(decks,))
    session = Session(game.at(shoe=stripped([0, 1, 2, 3, 4], suits=[0])), "6c 2c")
    seen = session.play(*[ENTER] * 3, "q")
    assert "4 dealt, 1 to the cut card" in seen and seen.count("the dealer shuffles") == 1
    assert "3 rounds net +$10" in words(seen) and session.shoe.shuffles == 2


def test_cards_too_few_for_the_longest_round_are_shuffled_first() -> None:
    def play_(t: Table) -> None:
        mine = t.deal(PLAYER)
        if t.decide("stay", "draw") == "draw":
            t.deal(PLAYER, 2)
        t.settle(ante=WIN if t.when(mine.rank >= 2) else LOSE)

    game = small_game(play_, Wager("ante", required=True), cut_card="0", options=(Choice("decks", (1, 2), "decks"),))
    session = Session(game.at(shoe=stripped([0, 1, 2, 3, 4], suits=[0])), "6c 2c")
    seen = session.play(*[ENTER, "stay"] * 3, ENTER, "draw", "q")  # two cards are enough for him who stays, not for all
    assert seen.count("the dealer shuffles") == 1 and session.shoe.dealt == 3


def test_a_shoe_shuffled_for_every_round_says_so_and_no_more() -> None:
    session = Session(FLOP, "Kh Kc Ks")
    seen = session.play(ENTER, "bet", ENTER, "bet", "q", bets=POT_ANTE)
    assert session.shoe.shuffles == 2 and drawn(seen)[1].count("K") == drawn(seen)[3].count("K") == 6
    assert all("shuffled every round" in felt for felt in drawn(seen))
    assert "cut card" not in seen and "the dealer shuffles" not in seen


# ---- other players

FOUR_SHARE = "Ac Qd Js 3h 4s 9c Ad Qs Jc As Qc Jh 3d 5s 8h Ah Qh Jd Kh 7d 2c"  # seats 1 to 6, then the flop
FOLD_WINS = "2s 3d 7s 3h 4s 9c Ad Qs Jc As Qc Jh 3c 5s 8h Ah Qh Jd Kh 2d 2c"


def at_flop(*typed: str, cards: str = FOUR_SHARE, seats: int = 6) -> str:
    return Session(FLOP, cards, width=100).play(*typed, bets=POT_ANTE, seats=seats)


def test_equal_hands_share_the_pot_and_the_odd_chips_go_to_the_first_settled() -> None:
    seen = at_flop(ENTER, "bet", "q")
    assert "Computer players sit at seats 2 to 6; each bets pot $5, ante $5." in seen
    assert "Your choice > " not in seen  # it is in the prompt
    told = [line for line in seen.splitlines() if line.startswith("seat ")]
    assert told == ["seat 2 folds", "seat 3 bets", "seat 4 bets", "seat 5 folds", "seat 6 bets"]
    end = words(drawn(seen)[2].replace("┃", ""))
    assert (
        "seat 6 A♥ Q♥ J♦ high hand, shares the pot -$6 "
        "seat 5 3♦ 5♠ 8♥ beaten -$10 "
        "seat 4 A♠ Q♣ J♥ equal to the high hand, shares the pot -$8 "
        "seat 3 A♦ Q♠ J♣ equal to the high hand, shares the pot -$8 "
        "seat 2 3♥ 4♠ 9♣ beaten -$10"
    ) in end
    assert "you · equal to the high hand, share the pot" in end
    assert "Seat 6, seat 4, seat 3 and you share the pot of $30: $9, $7, $7 and $7." in seen
    assert re.search(r"pot \$5 shared by 4 shares it: \$7 best hand at .* \+\$2 .*this round -\$18", words(seen))


def test_a_folded_hand_takes_the_pot() -> None:
    seen = at_flop(ENTER, "fold", "q", cards=FOLD_WINS)
    assert "You take the pot of $30." in seen and "you · high hand, take the pot" in seen
    assert "seat 6 A♥ Q♥ J♦ high hand so far -$15" in words(seen)
    assert re.search(r"pot \$5 win takes \$30 best hand at .* \+\$25 .*this round \+\$15", words(seen))
    assert "Best hand at the table." not in seen


def test_another_player_takes_the_pot() -> None:
    seen = at_flop(ENTER, "bet", "q", cards="Tc Qd Js 3h 4s 9c 8d 6s Kc Kh 7d 2c", seats=3)
    assert "Seat 3 takes the pot of $15." in seen
    assert re.search(r"pot \$5 lose seat 3 has the best hand; you have .*-\$5", words(seen))


def test_the_pot_lies_in_the_middle_and_not_among_the_players_own_bets() -> None:
    empty, decision, end = drawn(at_flop(ENTER, "bet", "q"))
    for felt in (empty, decision, end):
        assert felt.count(" pot ─") == 1 and felt.index(" pot ─") < felt.index("$30") < felt.index(" you ")
        assert "$10" in felt.split(" you ")[1] and "$5" not in felt.split(" you ")[1]


def test_a_player_without_an_ante_has_nothing_to_decide() -> None:
    house, bets = FLOP_GAME.at({"required": "pot-either"}), {"pot": Fraction(5), "3-card-bonus": Fraction(5)}
    session = Session(house, FOUR_SHARE, width=100)
    seen = session.play(ENTER, "q", bets=bets, seats=6)
    assert all(prompt.startswith("Enter deals") for prompt in session.prompts)
    assert "each bets pot $5, ante $5." in seen  # the first of either-or is enough
    _, cards, end = drawn(seen)
    assert "│A    │ │Q    │ │J    │" in cards and "♥" not in cards, "he looks at his cards before the others act"
    assert "share the pot" in end and "ante" not in end
    after = words(seen.split("seat 6 bets")[1])
    bonus, pot = r"3-card-bonus \$5 lose you have .*-\$5 ", r"pot \$5 shared by 4 shares it: \$7 best hand at .*\+\$2"
    assert re.search(f"{bonus}.*{pot}", after)


def test_leaving_in_mid_hand_forfeits_the_pot_bet_too() -> None:
    seen = at_flop(ENTER, "q")
    assert "forfeited, pot $5, ante $10." in seen and "1 round net -$15" in words(seen)


def test_the_running_result_expects_nothing_of_a_pot() -> None:
    seen = words(at_flop(ENTER, "bet", ENTER, "bet", "q"))
    ante = Solver(FLOP).wager_result("ante")
    expected, spread = -20 * ante.house_edge, 10 * sqrt(2 * ante.variance)
    away = (-36 - float(expected)) / spread
    assert f"2 rounds net -$36 expected {faces.cents(expected)} about {-away:.1f} std dev below" in seen


# ---- what others hold stays hidden


def before_the_end(seen: str) -> str:
    """All that was on the screen before the last felt was drawn."""
    return seen[: seen.rindex("┏")]


def test_no_other_hand_is_shown_before_the_cards_are_turned() -> None:
    cards = "As Qs 9s 3h 4c 9c Ad Qh Jc Ac Qc Jh 3d 5c 8h Ah 2h Jd Kh 7d 2c"  # only seat 1 holds spades
    seen = at_flop(ENTER, "*", "bet", "q", cards=cards)
    before = before_the_end(seen)
    assert "seat 6" in before and not set("♥♦♣") & set(before) and before.count("♠") == 3
    assert all(card in drawn(seen)[2] for card in ("3♥ 4♣ 9♣", "A♦ Q♥ J♣", "A♣ Q♣ J♥", "3♦ 5♣ 8♥", "A♥ 2♥ J♦"))


def test_a_hand_that_folded_and_was_settled_stays_hidden_from_those_who_still_decide() -> None:
    def play_(t: Table) -> None:
        mine = t.deal(PLAYER, face=DOWN)
        for street in ("first", "second"):
            if t.decide("fold", "bet", name=street) == "fold":
                t.settle(**dict.fromkeys(["ante", *t.bets], LOSE))
                return
            t.bet(street)
            t.deal(BOARD)
        t.settle(**dict.fromkeys(["ante", "first", "second"], WIN if t.when(mine.rank >= 6) else LOSE))

    game = small_game(play_, Wager("ante", required=True), *(Wager(s, equal_to="ante") for s in ("first", "second")))
    seen = Session(game.at(), "Ks 2h 9d 8s 7s").play(ENTER, "bet", "bet", "q", seats=3)
    before = before_the_end(seen)
    told = [line for line in seen.splitlines() if line.startswith("seat ")]
    assert told == ["seat 2 folds", "seat 3 bets", "seat 3 bets"]
    assert "seat 2 2♥ -$5" in words(seen) and "seat 3 9♦ +$15" in words(seen)
    assert before.count("Second:") == 1 and not set("♥♦") & set(before)


def test_cards_dealt_face_up_are_seen_by_all() -> None:
    war = load_game(next(path for path in GAME_FILES if path.stem == "casino_war")).at()
    seen = Session(war, "Kh 9c 4d Kc").play(ENTER, "1", "q", bets={"ante": Fraction(10)}, seats=3)
    decision, end = drawn(seen)[1], drawn(seen)[-1]
    assert "seat 2  9♣" in decision and "seat 3  4♦" in decision and "-$5" not in decision
    assert "seat 2  9♣  -$5" in end and "seat 3  4♦  -$5" in end


def test_cards_dealt_blind_stay_backs_at_every_seat() -> None:
    def play_(t: Table) -> None:
        mine = t.deal(PLAYER, face=DOWN)
        t.deal(PLAYER, face=BLIND)
        t.settle(ante=WIN if t.when(mine.rank >= 6) else LOSE)

    seen = Session(small_game(play_, Wager("ante", required=True)).at(), "Ks Qs 9h Qh").play(ENTER, "q", seats=2)
    assert "seat 2  9♥ ░░  +$5" in seen and "Q" not in seen


# ---- one pack at a time


def test_a_pack_is_turned_alone() -> None:
    def play_(t: Table) -> None:
        first, second = (t.deal(BOARD, 2, face=DOWN) for _ in range(2))
        mine = t.deal(PLAYER, face=DOWN)
        t.reveal(second)
        stays = t.decide("stay", "go") == "stay"
        t.reveal(first)
        t.settle(ante=compare(mine.rank, first[0].rank) if stays else LOSE)

    game = small_game(play_, Wager("ante", required=True))
    _, decision, end = drawn(Session(game.at(), "Ah 2h 3d 4d 5s").play(ENTER, "stay", "q"))
    assert "│░░░░░│ │░░░░░│   │3    │ │4    │" in decision and "♥" not in decision
    assert "│A    │ │2    │   │3    │ │4    │" in end


@pytest.mark.parametrize(
    ("turned", "seen"),
    [
        ((1,), (BACK, BACK, "Kh", "9d")),
        ((0, 1), ("Kh", "2c", "Kh", "9d")),
        ((0,), ("Kh", "2c", BACK, BACK)),
        ((), (BACK,) * 4),
    ],
)
def test_of_equal_cards_the_right_one_is_turned(turned: tuple[int, ...], seen: tuple[str, ...]) -> None:
    def play_(t: Table) -> None:
        packs = [t.deal(BOARD, 2, face=DOWN) for _ in range(2)]
        for pack in turned:
            t.reveal(packs[pack])
        t.settle(ante=PUSH)

    house = small_game(play_, Wager("ante", required=True)).at()
    assert view_of(Round(house, cards_of("Kh 2c Kh 9d"), [Seat({"ante": Fraction(5)})]), [1]).board == seen


PACKS = PACKS_GAME.at({"packs": "2"})
PACK_BETS = {"pack": Fraction(10), "ante-bonus": Fraction(5), "pack-2": Fraction(10)}
PACK_CARDS = "Ks Kd 7h 4s 2c 3s 3h 8d 9c Jh Qs Qd 5h 6c 9d Kh Tc Qh Ac"  # seats 1 and 2, the dealer, two packs


def test_packs_are_counted_wager_by_wager() -> None:
    seen = Session(PACKS, PACK_CARDS).play(ENTER, "q", bets=PACK_BETS, seats=2)
    empty, end = drawn(seen)
    assert "◀" not in seen and "No hints" not in seen and seen.count("counting...") == 1
    assert "A computer player sits at seat 2 and bets pack $5." in seen
    assert "│K    │ │10   │   │Q    │ │A    │" in end and "seat 2  3♥ 8♦" not in empty
    assert "seat 2  3♠ 3♥ 8♦ 9♣ J♥  -$5" in end
    after = words(seen.split("seat 2  3♠")[1])
    assert "pack $10 win 1 to 1" in after and "ante-bonus $5 three of a kind 2 to 1" in after
    assert re.search(r"pack-2 \$10 lose .*-\$10 .*this round \+\$10", after)
    parts = Study(PACKS)
    expected = -sum(parts.wager(name).house_edge * bet for name, bet in PACK_BETS.items())
    assert f"1 round net +$10 expected {faces.cents(expected)} about" in after


def test_packs_are_turned_before_they_are_settled() -> None:
    session = Session(PACKS, PACK_CARDS)
    session.play(ENTER, bets=PACK_BETS, seats=2, json_lines=True, rounds=1)
    events = json.loads(session.file.getvalue())["events"]
    settled = [i for i, e in enumerate(events) if e["event"] == "settle"]
    second = next(i for i in settled if events[i]["wager"] == "pack-2")
    turned = [
        {e["who"]: e["cards"] for e in events[:i] if e["event"] == "reveal" and e["who"] != DEALER}
        for i in (settled[0], second)
    ]
    assert turned == [{"first pack": ["Kh", "Tc"]}, {"first pack": ["Kh", "Tc"], "second pack": ["Qh", "Ac"]}]


def test_a_wager_too_large_to_be_counted_alone_leaves_no_expected_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(task: object) -> None:
        raise TooLarge("this wager alone is too large")

    for kernel in KERNELS:
        monkeypatch.setattr(kernel, "offer", refuse)
    seen = words(Session(PACKS, PACK_CARDS).play(ENTER, "q", bets=PACK_BETS, seats=2))
    assert "1 round net +$10" in seen and "expected -" not in seen


# ---- who sits there


def test_too_many_players_are_refused_before_the_first_bet() -> None:
    session = Session(FLOP, FOUR_SHARE)
    for number in (0, 7):
        with pytest.raises(BadInput, match=rf"^Flop Poker Bonus seats 1 to 6 players, not {number}$"):
            session.play(bets=POT_ANTE, seats=number)
    few = FLOP_GAME.at(shoe=stripped([0, 1, 2]))
    with pytest.raises(BadInput, match=r"^4 players need 15 cards, and the shoe has 12$"):
        Session(few, "2c").play(bets=POT_ANTE, seats=4)
    assert session.prompts == [] and session.console.export_text() == ""


@pytest.mark.usefixtures("too_large")
def test_in_a_game_too_large_to_count_the_others_play_by_the_strategy_of_the_game_file() -> None:
    assert "seat 2 raises" in at_bluff(ENTER, "raise", "q", cards="Kh 2c 5c", seats=2)
    assert "seat 2 calls" in at_bluff(ENTER, "raise", "q", cards="Kh 5d 5c", seats=2)


def test_others_play_the_strategy_that_was_solved() -> None:
    seen = at_bluff(ENTER, "raise", "q", cards="Kh 2c 7c Ac 5c", seats=4)
    told = [line for line in seen.splitlines() if line.startswith("seat ")]
    assert told == ["seat 2 raises", "seat 3 checks", "seat 4 calls"]  # of equally good choices the first


def test_every_seat_carries_its_own() -> None:
    def play_(t: Table) -> None:
        won = t.carried("won", 3, on="ante")
        mine = t.deal(PLAYER)
        t.settle(ante=WIN if t.when(mine.rank >= 6) else LOSE)
        t.carry("won", where(mine.rank >= 6, lookup([1, 2, 3, 3], won), 0))

    session = Session(small_game(play_, Wager("ante", required=True)).at(), "Ks 2h 9d")
    session.play(*[ENTER] * 3, seats=3, json_lines=True, rounds=3)
    kept = [
        [seat["carried"].get("won", 0) for seat in json.loads(line)["seats"]]
        for line in session.file.getvalue().splitlines()
    ]
    assert kept == [[0, 0, 0], [1, 0, 1], [2, 0, 2]]


@pytest.mark.parametrize(
    ("choice", "line"),
    [
        ("bet", "seat 3 bets"),
        ("go to war", "seat 3 goes to war"),
        ("pass", "seat 3 passes"),
        ("re-raise", "seat 3 re-raises"),
        ("let it ride", "seat 3 lets it ride"),
        ("2x", "seat 3: 2x"),
        ("high", "seat 3: high"),
    ],
)
def test_a_choice_is_told_in_words(choice: str, line: str) -> None:
    assert seats.told(3, choice) == line


def test_others_bet_the_least_that_will_do() -> None:
    def play_(t: Table) -> None:
        t.settle(**{w.name: PUSH for w in t.house.wagers})

    bonus = Wager("bonus", needs="ante", minimum=1)
    wagers = (Wager("ante"), bonus, Wager("pair", exactly=25), Wager("side", required=True, minimum=2))
    groups = [("bonus", "ante"), ("pair", "side"), ("bonus", "pair")]
    house = small_game(play_, *wagers, one_of=groups).at({"table-min": "10"})
    assert least_bets(house) == {"ante": 10, "bonus": 1, "side": 2}
    assert least_bets(small_game(play_, Wager("ante"), bonus).at()) == {"ante": 5, "bonus": 1}
    assert least_bets(PACKS) == {"pack": 5}


def test_json_lines_of_a_full_table_replay_to_the_identical_events() -> None:
    session = Session(FLOP, FOUR_SHARE)
    session.play(ENTER, "fold", ENTER, "2", ENTER, bets=POT_ANTE, seats=6, json_lines=True)
    assert set(session.prompts) == {""} and session.console.export_text() == ""
    *logs, left = [json.loads(line) for line in session.file.getvalue().splitlines()]
    assert [len(log["seats"]) for log in logs] == [6, 6] and "abandoned" not in logs[0] and left["abandoned"]
    assert replay(FLOP_GAME, left).net(1) == -15
    others = [[2, "fold"], [3, "bet"], [4, "bet"], [5, "fold"], [6, "bet"]]
    assert [log["choices"] for log in logs] == [[[1, "fold"], *others], [[1, "bet"], *others]]
    again = [replay(FLOP_GAME, log) for log in logs]
    assert [round_.events for round_ in again] == [log["events"] for log in logs]
    assert [[round_.net(seat) for seat in range(1, 7)] for round_ in again] == [
        [-8, -10, -8, -8, -10, -6],
        [-18, -10, -8, -8, -10, -6],
    ]


# ---- scripts and logs


def test_json_lines_replay_to_the_same_settlement() -> None:
    session = Session(HOUSE, "Kh Kh Kh Kh 2c 5d")
    session.play(ENTER, "raise", "b", "20", *[ENTER] * 3, "*", "?", "2", ENTER, bets=METER, json_lines=True)
    assert set(session.prompts) == {""}
    *logs, left = [json.loads(line) for line in session.file.getvalue().splitlines()]
    assert len(logs) == 2 and left["abandoned"] and replay(BLUFF, left).net() == -25
    again = [replay(BLUFF, log) for log in logs]
    assert [round_.net() for round_ in again] == [95, 9998]  # two bets have added $3
    assert [round_.events for round_ in again] == [log["events"] for log in logs]
    assert logs[1]["seats"] == [{"bets": {"ante": "20", "progressive": "5"}, "carried": {"streak": 1}}]


@pytest.mark.parametrize("typed", [["x"], [ENTER, "c"], ["b", "3"]])
def test_a_script_that_types_nonsense_is_stopped(typed: list[str]) -> None:
    with pytest.raises(BadInput):
        at_bluff(*typed, json_lines=True)


def test_every_round_is_appended_to_the_log(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    at_bluff(ENTER, "raise", ENTER, "q", log=path)
    seen = at_bluff(ENTER, "raise", "q", log=path)
    found = evidence(path, lambda _: BLUFF)
    assert [[e["net"] for e in r.settled] for r in found.rounds] == [["10", "0"], [], ["10", "0"]]
    assert found.rounds[1].left[0]["forfeits"] == {"ante": "10"} and found.whole and found.sessions == 2
    assert found.seal in words(seen).replace(" ", "") and "holds 3 rounds" in words(seen)


def test_a_log_that_cannot_be_written_is_told_before_the_first_bet(tmp_path: Path) -> None:
    session = Session(HOUSE, "Kh 5c")
    with pytest.raises(BadInput, match="cannot be written: No such file or directory"):
        session.play(log=tmp_path / "none" / "log")
    assert session.prompts == []


# ---- any game, any terminal


@pytest.mark.parametrize(("width", "full"), [(80, True), (100, False)])
@pytest.mark.parametrize("path", GAME_FILES, ids=case_name)
def test_every_game_is_drawn_within_the_width(path: Path, width: int, full: bool) -> None:
    session = Session(load_game(path).at(), "7h 7c 2s Kd", width)
    house, most = session.house, traced(session.house).most_cards
    sits = next(n for n in range(house.game.seats if full else 1, 0, -1) if most(n) <= sum(house.composition))
    lines = session.play(*[ENTER, "*", "1"] * 4, bets=all_bets(house), seats=sits).splitlines()
    assert all(len(prompt) < width and "[" not in prompt for prompt in session.prompts), "one line and no markup"
    assert all(len(line) <= width for line in lines)
    assert all(line.endswith("┃") for line in lines if line.startswith("┃")), "the felt is not torn"


def many_cards(t: Table) -> None:
    t.deal(BOARD, 3)
    t.deal(BOARD, 1, face=DOWN)
    t.deal(PLAYER, 2)
    t.deal(PLAYER, 1, face=BLIND)
    t.deal(DEALER, 12, face=DOWN)
    t.settle(ante=PUSH if t.decide("stay", "go") == "stay" else LOSE)


@pytest.mark.usefixtures("too_large")
def test_many_cards_lie_in_rows_and_blind_cards_stay_backs() -> None:
    cards = "Ah 2h 3h 9d 4s 5s Qc"
    seen = Session(small_game(many_cards, Wager("ante", required=True)).at(), cards).play(ENTER, "stay", "q")
    decision = seen.split("1 stay")[0]
    assert "board" in decision and all(f"│{rank}    │" in decision for rank in "A2345")
    assert decision.count("░░░░░") == 3 * (12 + 1 + 1) and "♦" not in decision and "♣" not in decision


def test_circles_that_do_not_fit_stand_in_a_second_row() -> None:
    names = [f"side-bet-{n}" for n in range(8)]
    console = Screen(record=True, width=72, file=io.StringIO())
    console.print(faces.circles(dict.fromkeys(names, Fraction(499)), {}, 72))
    assert all(console.export_text(clear=False).count(name) == 1 for name in names)
    assert "…" not in console.export_text()


def test_rows_of_circles_are_about_equally_long() -> None:
    console = Screen(record=True, width=72, file=io.StringIO())
    console.print(faces.circles({f"side-bet-{n}": Fraction(5) for n in range(6)}, {}, 72))
    assert [line.count("side-bet") for line in console.export_text().splitlines() if "side-bet" in line] == [3, 3]


def test_chips_make_the_amount() -> None:
    stacks = {"136": "◖100◗ ◖25◗ ◖5◗×2 ◖1◗", "1000": "◖500◗×2", "12.50": "◖5◗×2 ◖1◗×2 50c"}
    assert {amount: faces.chips(Fraction(amount)).plain for amount in stacks} == stacks


def test_a_terminal_without_suits_gets_letters() -> None:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding="ascii", write_through=True)
    Session(HOUSE, "Kh 5c", file=file).play(ENTER, "raise", "q")
    seen = raw.getvalue().decode("ascii")
    assert "|  h  |" in seen and "(5)x2" in seen and "?" not in seen.replace("? help", "")
