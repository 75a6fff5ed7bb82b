"""A table for as long as people sit at it: bets, turns, purses, spots, computer players, the shoe, and leaving."""

import json
import random
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from helpers import ANTE, all_bets, small_game, stripped
from pitboss.cards import cards_of, shoe_cards
from pitboss.games.blackjack import GAME as BLACKJACK
from pitboss.games.bluff import GAME as BLUFF
from pitboss.games.flop_poker_bonus import GAME as FLOP
from pitboss.live import Round, Seat, Session, Turn, View, first_choice, replay, table
from pitboss.live.cost import Costs
from pitboss.rules import DEALER, DOWN, LOSE, PLAYER, WIN, BadInput, Choice, Game, House, Table, compare
from pitboss.rules.trace import trace

HOUSE = BLUFF.at()


def laid_out(house: House, cards: str, seats: int = 1, **more: Any) -> Session:
    """A table whose shoe begins with these cards after every shuffle."""

    def shuffle(shoe: Sequence[int]) -> list[int]:
        rest = list(shoe)
        first = list(cards_of(cards))
        for card in first:
            rest.remove(card)
        return [*first, *rest]

    return table(house, seats, shuffle=shuffle, **more)


def at_bluff(cards: str = "Kh 5c", seats: int = 1, **more: Any) -> Session:
    return laid_out(HOUSE, cards, seats, **more)


# ---- the front door


def test_a_round_from_the_bets_to_the_result() -> None:
    t = at_bluff("Kh 9d 5c", 3)
    t.bet(1, ante=10)
    t.bet(2, ante=5, suit_tie=5)
    t.deal()
    assert t.turn is not None and (t.turn.seat, t.turn.choices) == (1, ("check", "call", "raise"))
    assert t.view(1).choices == t.turn.choices and t.view(2).choices == ()
    t.choose(1, "raise")
    assert t.turn.seat == 2
    t.choose(2, "check")
    assert t.turn is None and t.rounds == 1
    assert (t.result(1).net, t.purse(1)) == (10, 10)
    assert {e["wager"]: e["net"] for e in t.result(2).settled} == {"ante": "5", "suit-tie": "-5"}


def test_the_next_round_starts_with_new_bets() -> None:
    t = at_bluff("Kh 5c Qd 6s")
    t.bet(1, ante=10)
    t.deal()
    t.choose(1, "raise")
    assert t.view(1).over and t.bets(1) == {}
    with pytest.raises(BadInput, match="nobody has bet"):
        t.deal()
    t.bet(1, ante=20)
    assert not t.view(1).dealt and t.view(1).seats[1].bets == {"ante": 20} and t.result(1).net == 10
    t.deal()
    t.choose(1, "raise")
    assert (t.result(1).net, t.purse(1), t.rounds) == (20, 30, 2)


def test_every_finished_round_is_in_the_log_and_replays() -> None:
    t = table(HOUSE, 3, seed=3)
    for _ in range(4):
        t.bet(1, ante=10)
        t.bet(3, ante=5)
        t.deal()
        while t.turn is not None:
            t.choose(t.turn.seat, t.turn.choices[-1])
    logs = json.loads(json.dumps(t.log()))
    assert len(logs) == t.rounds == 4 and [seat is None for seat in logs[0]["seats"]] == [False, True, False]
    assert [replay(BLUFF, log).events for log in logs] == [log["events"] for log in logs]


def test_a_log_that_is_handed_on_is_not_kept() -> None:
    found: list[dict[str, Any]] = []
    t = at_bluff(log=found.append)
    t.bet(1, ante=10)
    t.deal()
    t.choose(1, "raise")
    assert len(found) == 1 and t.log() == []


def test_seats_without_a_bet_sit_out() -> None:
    t = at_bluff("Kh 5c", 4)
    t.bet(3, ante=10)
    t.deal()
    assert t.turn is not None and t.turn.seat == 3 and list(t.view(1).seats) == [3]
    t.choose(3, "raise")
    assert t.result(3).net == 10
    with pytest.raises(BadInput, match="seat 1 sat out the last round"):
        t.result(1)


def test_a_seed_deals_the_same_cards_every_time_and_none_deals_others() -> None:
    def first(seed: int | None) -> list[int]:
        return table(HOUSE, seed=seed).shoe.cards

    assert first(7) == first(7) != first(8) and first(None) != first(None)
    with pytest.raises(BadInput, match="give a seed or a shuffle, not both"):
        table(HOUSE, seed=1, shuffle=list)


@pytest.mark.parametrize("amount", [12.5, "12.50", Decimal("12.5"), Fraction(25, 2)])
def test_amounts_may_be_written_in_many_ways(amount: Any) -> None:
    t = at_bluff()
    t.bet(1, ante=amount)
    assert t.bets(1) == {"ante": Fraction(25, 2)}


def test_a_wager_that_python_cannot_spell_comes_in_a_mapping() -> None:
    t = table(FLOP.at(), 2, seed=1)
    t.bet(1, {"3-card-bonus": 5}, pot=5, ante=10)
    assert t.bets(1) == {"pot": 5, "ante": 10, "3-card-bonus": 5}


def test_a_bet_is_added_changed_and_taken_back() -> None:
    t = at_bluff()
    t.bet(1, ante=10)
    t.bet(1, suit_tie=5)
    t.bet(1, ante=20)
    assert t.bets(1) == {"ante": 20, "suit-tie": 5}
    t.bet(1, suit_tie=0)
    assert t.bets(1) == {"ante": 20}
    t.bet(1, ante=0)
    assert t.bets(1) == {} and t.view(1).seats == {}


# ---- mistakes


def before(t: Session) -> Session:
    t.bet(1, ante=10)
    return t


def dealt(t: Session) -> Session:
    before(t).bet(2, ante=10)
    t.deal()
    return t


def finished(t: Session) -> Session:
    dealt(t)
    t.choose(1, "check")
    t.choose(2, "check")
    return t


MISTAKES = {
    "no such seat": (before, lambda t: t.bet(4, ante=5), "there is no seat 4 at this table; it has seats 1 to 3"),
    "no such wager": (
        before,
        lambda t: t.bet(1, luck=5),
        "luck is not a bet before the deal; there are ante, suit-tie, progressive",
    ),
    "too little": (before, lambda t: t.bet(1, ante=1), r"ante takes \$5 to \$500; \$1 is not allowed"),
    "a bet that needs another": (before, lambda t: t.bet(2, suit_tie=5), "suit-tie needs a bet on ante"),
    "no amount": (before, lambda t: t.bet(1, ante="five"), "ante: 'five' is not an amount of dollars and whole"),
    "a third of a dollar": (before, lambda t: t.bet(1, ante="31/3"), "ante: '31/3' is not an amount"),
    "a truth": (before, lambda t: t.bet(1, ante=True), "ante: True is not an amount"),
    "no toke there": (before, lambda t: t.toke(1, ante=5), "a bet for the dealer cannot be made on ante"),
    "a choice before the deal": (before, lambda t: t.choose(1, "raise"), "there is nothing to choose; bet and deal"),
    "a result before the deal": (before, lambda t: t.result(1), "there is no result yet; bet and deal first"),
    "nothing to act on": (before, lambda t: t.act(), "there is nothing to choose; bet and deal first"),
    "a bet after the deal": (
        dealt,
        lambda t: t.bet(3, ante=5),
        "the cards are dealt and bets are closed; it is seat 1's turn to choose check, call or raise",
    ),
    "another deal": (
        dealt,
        lambda t: t.deal(),
        "a round is in play; it is seat 1's turn to choose check, call or raise",
    ),
    "not his turn": (dealt, lambda t: t.choose(2, "raise"), "it is seat 1's turn, not seat 2's"),
    "no such choice": (dealt, lambda t: t.choose(1, "dance"), "'dance' is not one of check, call or raise"),
    "a result too early": (dealt, lambda t: t.result(1), "there is no result yet; it is seat 1's turn to choose check"),
    "no computer player": (dealt, lambda t: t.act(), "no computer player has seat 1; it is seat 1's turn"),
    "a view from nowhere": (dealt, lambda t: t.view(0), "there is no seat 0 at this table"),
    "a bad bet for the next round": (finished, lambda t: t.bet(1, ante=1), "ante takes"),
    "a choice when all is over": (finished, lambda t: t.choose(1, "check"), "there is nothing to choose; bet and deal"),
    "a deal without bets": (finished, lambda t: t.deal(), "nobody has bet; a seat needs a bet before the cards are"),
    "a result of one who sat out": (finished, lambda t: t.result(3), "seat 3 sat out the last round"),
    "a purse below nothing": (before, lambda t: t.buy_in(1, -5), "the purse of seat 1: -5 is not an amount"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_sentence_and_changes_nothing(name: str) -> None:
    come_to, mistake, says = MISTAKES[name]
    t = come_to(table(HOUSE, 3, seed=1))
    was = [t.view(seat).json() for seat in t.seats]
    with pytest.raises(BadInput, match=f"^{says}") as caught:
        mistake(t)
    assert "\n" not in str(caught.value) and "--" not in str(caught.value)
    assert [t.view(seat).json() for seat in t.seats] == was


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"seats": 9}, "Bluff seats 1 to 7 players, not 9"),
        ({"seats": 2, "spots": [(1, 3)]}, "there is no seat 3 at this table; it has seats 1 to 2"),
        ({"seats": 2, "spots": [(1, 2), (2,)]}, "a seat belongs to one player; name it in one group of spots only"),
        ({"seats": 2, "bots": {3: first_choice}}, "there is no seat 3 at this table"),
        ({"purses": "lots"}, "the purse of seat 1: 'lots' is not an amount"),
    ],
)
def test_a_table_that_cannot_be_opened_is_one_sentence(more: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=f"^{says}"):
        table(HOUSE, **more)


def test_more_players_than_the_shoe_has_cards_for_are_refused() -> None:
    with pytest.raises(BadInput, match="4 players need 15 cards, and the shoe has 12"):
        table(FLOP.at(shoe=stripped([0, 1, 2])), 4)


# ---- purses


def test_what_lies_on_the_table_is_not_in_the_purse() -> None:
    t = at_bluff(purses={1: 100})
    t.bet(1, ante=10)
    assert t.purse(1) == 90 == t.view(1).purse
    t.deal()
    assert t.purse(1) == 90
    t.choose(1, "raise")  # and the dealer folds
    assert t.purse(1) == 110


def test_nobody_bets_more_than_he_has() -> None:
    t = at_bluff(purses=12)
    with pytest.raises(BadInput, match=r"^seat 1 cannot bet \$15: it has \$12 in chips$"):
        t.bet(1, ante=15)
    assert t.bets(1) == {} and t.purse(1) == 12
    t.bet(1, ante=12)
    t.buy_in(1, 3)
    assert t.purse(1) == 3


def test_a_choice_that_takes_more_than_is_left_is_refused_and_the_round_stays_as_it_was() -> None:
    t = at_bluff("9h Ac", purses=15)
    t.bet(1, ante=10)
    t.deal()
    was = t.view(1).json()
    with pytest.raises(BadInput, match=r"^raise may take \$10, and seat 1 has \$5 left; it can check$"):
        t.choose(1, "raise")
    assert t.view(1).json() == was
    t.choose(1, "check")
    assert t.rounds == 1 and t.purse(1) == 5


def calls_a_raise(t: Table) -> None:
    """The dealer bets with a high card, which nobody has seen, and who said "call" pays for it."""
    mine, his = t.deal(PLAYER, face=DOWN), t.deal(DEALER, face=DOWN)
    if t.decide("fold", "call") == "fold":
        t.settle(ante=LOSE)
        return
    raised = t.when(his.rank >= 6)
    if raised:
        t.bet("raise")
    t.reveal(DEALER)
    t.settle(ante=compare(mine.rank, his.rank))
    if raised:
        t.settle(raise_=compare(mine.rank, his.rank))


@pytest.mark.parametrize("hidden", ["Kc", "2c"])
def test_a_purse_that_is_too_small_does_not_tell_what_the_dealer_holds(hidden: str) -> None:
    t = laid_out(small_game(calls_a_raise).at(), f"9h {hidden}", purses=15)
    t.bet(1, ante=10)
    t.deal()
    with pytest.raises(BadInput, match=r"^call may take \$10, and seat 1 has \$5 left; it can fold$"):
        t.choose(1, "call")


def test_what_one_spot_may_have_to_pay_is_not_spent_at_another() -> None:
    t = laid_out(small_game(calls_a_raise).at(), "9h 8h Kc", 2, spots=[(1, 2)], purses={1: 35})
    for seat in t.seats:
        t.bet(seat, ante=10)
    t.deal()
    t.choose(1, "call")
    assert t.purse(1) == 15, "the dealer has not raised yet"
    with pytest.raises(BadInput, match=r"^call may take \$10, and seat 2 has \$5 left; it can fold$"):
        t.choose(2, "call")
    t.choose(2, "fold")
    assert t.purse(1) == 35 - 20 - 10


def test_a_choice_never_costs_more_than_was_said(any_game: Game) -> None:
    """On every way through every game the graph is found where the round is, and its bound holds."""
    house, rng = any_game.at(), random.Random(1)
    costs, choices = Costs(house), 0
    for seed in range(30):
        bets = {name: bet for name, bet in all_bets(house).items() if name in house.main or seed % 3}
        cards = shoe_cards(house.composition)
        rng.shuffle(cards)
        round_ = Round(house, cards, [Seat(bets)] * 2)
        while (turn := round_.turn) is not None:
            choice = rng.choice(turn.choices)
            most = costs.most(round_.seats[0], round_.way(turn.seat), choice)
            before = sum(round_.stakes(turn.seat).values())
            round_.choose(choice)
            assert sum(round_.stakes(turn.seat).values()) - before <= most
            choices += 1
    assert choices or not any(trace(house).decisions())


def test_several_spots_of_one_player_have_one_purse_and_one_view() -> None:
    t = at_bluff("Kh 9d 5c", 2, spots=[(1, 2)], purses={1: 25})
    t.bet(1, ante=10)
    t.bet(2, ante=10)
    assert t.purse(1) == t.purse(2) == 5
    with pytest.raises(BadInput, match=r"seat 2 cannot bet \$20: it has \$15 in chips"):
        t.bet(2, ante=20)
    t.deal()
    for seat in (1, 2):
        view = t.view(seat)
        assert view.own == (1, 2) and [view.seats[s].hands[0].cards for s in (1, 2)] == [("Kh",), ("9d",)]
    t.choose(1, "check")
    t.choose(2, "check")
    assert t.purse(1) == t.purse(2) == 25 + t.result(1).net + t.result(2).net


@pytest.mark.parametrize("game", [BLUFF, FLOP, BLACKJACK], ids=lambda game: game.name)
def test_every_dollar_is_accounted_for_and_no_purse_falls_below_nothing(game: Game) -> None:
    """Random evenings: whatever is bet, chosen, refused or walked away from, a purse is what was bought in and won."""
    house = game.at()
    for seed in range(4 if game is not BLACKJACK else 2):
        rng = random.Random(seed)
        t = table(house, 3, seed=seed, purses=60, bots={3: first_choice}, spots=[(1, 2)] if seed % 2 else [])
        won = dict.fromkeys(t.seats, Fraction(0))
        for _ in range(25):
            for seat in (1, 2):
                try:
                    t.bet(seat, {name: rng.choice([0, 5, 10]) for name in house.parties} | {house.main[0]: 5})
                except BadInput:
                    continue
            try:
                t.deal()
            except BadInput:
                break
            while t.turn is not None:
                assert all(t.purse(seat) >= 0 for seat in t.seats)
                try:
                    t.choose(t.turn.seat, rng.choice(t.turn.choices))
                except BadInput:
                    t.leave(t.turn.seat) if rng.random() < 0.2 else t.choose(t.turn.seat, cheapest(t))
            assert t.round is not None
            for seat in t.round.playing:
                won[seat] += t.round.net(seat)
            for seat in t.seats:
                own = t.purses.own(seat)
                assert t.purse(seat) == 60 + sum(won[one] for one in own) >= 0
        assert all(replay(game, log).turn is None for log in t.log())


def cheapest(t: Session) -> str:
    """Of the choices one that costs nothing: these games have one."""
    assert t.turn is not None
    free = ("check", "fold", "stand", "no insurance", "stand pat", "call")
    return next(choice for choice in free if choice in t.turn.choices)


# ---- bets for the dealer


def test_a_toke_is_the_dealers_whatever_comes_of_it() -> None:
    t = laid_out(BLACKJACK.at(), "6c 8d 7h Ts Td 9c 5c", purses=100)
    t.bet(1, main=10, lucky_lucky=5)
    t.toke(1, lucky_lucky=2)
    assert t.purse(1) == 83
    t.deal()
    assert t.purse(1) == 83 + 155 and [e["net"] for e in t.view(1).seats[1].for_dealer] == ["60"]
    t.choose(1, "stand")
    assert t.purse(1) == 100 + t.result(1).net and len(t.result(1).tokes) == 1


# ---- computer players


def raises(turn: Turn, view: View) -> str:
    """A computer player sees what his seat may see."""
    assert turn.seat in view.own and view.choices == turn.choices
    return turn.choices[-1]


def test_computer_players_bet_the_least_and_choose_for_themselves() -> None:
    t = at_bluff("Kh 9d 8d 5c", 3, bots={1: raises, 3: raises})
    t.bet(2, ante=10)
    assert {seat: dict(found.bets) for seat, found in t.view(2).seats.items()} == {
        1: {"ante": 5},
        2: {"ante": 10},
        3: {"ante": 5},
    }
    t.deal()
    assert t.turn is not None and t.turn.seat == 2
    with pytest.raises(BadInput, match="it is seat 2's turn, not seat 3's"):
        t.choose(3, "raise")
    t.choose(2, "check")
    assert t.turn is None and t.log()[0]["choices"] == [[1, "raise"], [2, "check"], [3, "raise"]]


def test_a_table_that_is_paused_waits_for_every_computer_player() -> None:
    t = Session(HOUSE, 2, bots={2: raises}, paused=True)
    t.bet(1, ante=5)
    t.deal()
    t.choose(1, "check")
    assert t.turn is not None and t.turn.seat == 2
    with pytest.raises(BadInput, match="a computer player has seat 2; it chooses for itself"):
        t.choose(2, "check")
    turn, choice = t.act()
    assert (turn.seat, choice, t.rounds) == (2, "raise", 1)


def test_a_computer_player_does_what_it_can_pay_for() -> None:
    t = at_bluff("Kh 9d Ac 9c 9d", 2, bots={2: raises}, purses={2: 9})
    for choices in ([[1, "check"], [2, "check"]], [[1, "check"]]):
        t.bet(1, ante=5)
        t.deal()
        t.choose(1, "check")
        assert t.log()[-1]["choices"] == choices, "with $4 left it cannot raise, and then it cannot bet"


def test_a_computer_player_that_makes_no_sense_is_one_sentence() -> None:
    t = at_bluff("Kh 9d 5c", 2, bots={2: lambda turn, view: "dance"})
    t.bet(1, ante=5)
    t.deal()
    with pytest.raises(BadInput, match="'dance' is not one of check, call or raise"):
        t.choose(1, "check")
    assert t.turn is not None and t.turn.seat == 2


# ---- leaving


def test_who_leaves_in_mid_hand_forfeits_his_bets_and_the_round_goes_on() -> None:
    t = at_bluff("Kh 9d 8c 5c", 3, purses=100)
    for seat in t.seats:
        t.bet(seat, ante=10, suit_tie=5)
    t.deal()
    t.choose(1, "raise")
    assert t.leave(2) == {2: {"ante": 10, "suit-tie": 5}}
    assert t.purse(2) == 85 and t.turn is not None and t.turn.seat == 3
    t.choose(3, "check")
    assert t.result(2).net == -15 and t.result(2).forfeited == {"ante": 10, "suit-tie": 5}
    assert t.result(1).net == 5 and t.result(1).forfeited is None
    (log,) = json.loads(json.dumps(t.log()))
    assert log["left"] == [[2, 1]] and replay(BLUFF, log).events == log["events"]


@pytest.mark.parametrize("left", [[[2, 0]], [[3, 1]], [[2, 1], [2, 1]], [[2, 9]], [], [[2]], [["x", 1]], 5])
def test_a_log_in_which_somebody_else_left_or_at_another_time_is_refused(left: Any) -> None:
    t = at_bluff("Kh 9d 8c 5c", 3)
    for seat in t.seats:
        t.bet(seat, ante=10)
    t.deal()
    t.choose(1, "raise")
    t.leave(2)
    t.choose(3, "check")
    (log,) = t.log()
    with pytest.raises(BadInput):
        replay(BLUFF, {**log, "left": left})


def test_who_was_not_asked_yet_may_leave_too() -> None:
    t = at_bluff("Kh 9d 8c 5c", 3)
    for seat in t.seats:
        t.bet(seat, ante=10)
    t.deal()
    t.leave(3)
    t.choose(1, "raise")
    t.choose(2, "check")
    assert t.turn is None and t.result(3).net == -10
    (log,) = t.log()
    assert replay(BLUFF, log).net(3) == -10


def test_what_was_settled_before_stands() -> None:
    t = laid_out(BLACKJACK.at(), "6c 9c 8d 7h Ts Td Th 9s", 2)
    for seat in t.seats:
        t.bet(seat, main=10, lucky_lucky=5)
    t.deal()
    won = {e["wager"]: Fraction(e["net"]) for e in t.view(1).seats[1].settled}
    assert won["lucky-lucky"] == 150 and t.leave(1) == {1: {"main": 10}}
    t.choose(2, "stand")
    assert t.result(1).net == 140


def test_a_hand_that_left_does_not_take_the_pot_but_its_bet_stays_in_it() -> None:
    t = laid_out(FLOP.at(), "Ac Ad As 3h 4s 9c 8d 6s Kc Kh 7d 2c", 3)
    for seat in t.seats:
        t.bet(seat, pot=5, ante=10)
    t.deal()
    assert t.leave(1) == {1: {"pot": 5, "ante": 10}}
    t.choose(2, "bet")
    t.choose(3, "bet")
    pot = next(e for e in t.view(2).events if e["event"] == "pot")
    assert (pot["amount"], pot["winners"]) == ("15", [3])
    assert t.result(1).net == -15 and [e["net"] for e in t.result(3).settled if e["wager"] == "pot"] == ["10"]
    (log,) = t.log()
    assert replay(FLOP, log).events == log["events"]


def test_a_round_that_only_computer_players_are_left_in_ends_and_is_logged_as_abandoned() -> None:
    t = at_bluff("Kh 9d 5c", 2, bots={2: raises}, purses=100)
    t.bet(1, ante=10)
    t.deal()
    used = t.view(1).shoe.dealt
    assert t.leave(1) == {1: {"ante": 10}}
    (log,) = json.loads(json.dumps(t.log()))
    assert t.turn is None and t.rounds == 0 and log["abandoned"] and log["left"] == [[1, 0]]
    assert replay(BLUFF, log).events == log["events"]
    assert (t.purse(1), t.purse(2)) == (90, 100 - 5 * bool(t.bets(2))), "the computer player has its bet back"
    assert t.round is not None and not t.round.over and t.view(1).seats[2].hands[0].cards == ("??",)
    t.bet(1, ante=10)
    t.deal()
    assert t.view(1).shoe.dealt == 2 * used, "the cards that were dealt are gone"


def test_who_leaves_between_rounds_takes_his_bets_and_his_streak() -> None:
    t = at_bluff("Kh Kh Kh Kh", purses=100)
    t.bet(1, ante=10, progressive=5)
    t.deal()
    t.choose(1, "raise")
    assert t.carried(1) == {"streak": 1}
    purse = t.purse(1)
    t.bet(1, ante=10)
    assert t.leave(1) == {} and t.purse(1) == purse and t.carried(1) == {} and t.bets(1) == {}


def test_all_spots_of_a_player_leave_together() -> None:
    t = at_bluff("Kh 9d 8c 5c", 3, spots=[(1, 3)])
    for seat in t.seats:
        t.bet(seat, ante=10)
    t.deal()
    assert t.leave(3) == {1: {"ante": 10}, 3: {"ante": 10}}
    assert t.turn is not None and t.turn.seat == 2


def test_the_last_who_leaves_ends_the_round() -> None:
    t = at_bluff("Kh 9d 5c", 2)
    for seat in t.seats:
        t.bet(seat, ante=10)
    t.deal()
    t.leave(1)
    t.leave(2)
    assert t.turn is None and t.rounds == 0 and [t.result(seat).net for seat in (1, 2)] == [-10, -10]


# ---- what a seat carries, and the shoe


def test_a_streak_is_carried_seat_by_seat_and_broken_by_sitting_out() -> None:
    t = at_bluff("Kh 2c Kh Kh Kh", 2)
    t.bet(1, ante=10, progressive=5)
    t.bet(2, ante=10, progressive=5)
    t.deal()
    t.choose(1, "check")
    t.choose(2, "check")
    assert (t.carried(1), t.carried(2)) == ({"streak": 1}, {"streak": 0})
    assert t.view(2).seats[1].carried == {"streak": 1}, "everyone can see it"
    t.bet(2, ante=10)
    t.deal()
    t.choose(2, "check")
    assert t.carried(1) == {}


def test_the_dealer_shuffles_when_the_cut_card_is_out_or_the_cards_would_not_last() -> None:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER)
        if t.decide("stay", "draw") == "draw":
            t.deal(PLAYER, 2)
        t.settle(ante=WIN if t.when(mine.rank >= 2) else LOSE)

    game = small_game(play, ANTE, cut_card="0", options=(Choice("decks", (1, 2), "decks"),))
    t = table(game.at(shoe=stripped([0, 1, 2, 3, 4], suits=[0])), seed=1)
    shuffles = []
    for _ in range(4):
        t.bet(1, ante=10)
        t.deal()
        shuffles.append(t.shuffled)
        t.choose(1, "stay")
    assert shuffles == [False, False, False, True] and t.view(1).shoe.dealt == 1


def test_a_game_of_one_deck_is_shuffled_for_every_round_and_makes_no_word_of_it() -> None:
    t = table(FLOP.at(), seed=1)
    for _ in range(3):
        t.bet(1, pot=5, ante=10)
        t.deal()
        t.choose(1, "fold")
        assert not t.shuffled and t.view(1).shoe.every_round
    assert t.shoe.shuffles == 3
