"""The dealer's drill: a dealer who knows the events of the round makes no slip; every kind of slip is caught, named and
counted; nothing that is typed breaks anything or moves money."""

import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from select import select
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pitboss as pb
from helpers import ANTE, GAME_FILES, OPEN_ENDED, ROOT, case_name, load_game, pays, random_games, run, small_game
from pitboss.cli.screen import Screen
from pitboss.cli.train import sit_down
from pitboss.live import BACK, Round
from pitboss.rules import DEALER, DOWN, LOSE, PLAYER, PUSH, UP, WIN, BadInput, Game, Table, Wager, row, where
from pitboss.rules.wagers import Bonus
from pitboss.train import Drill, Mark
from test_terminals import CONTROLS, HARMFUL, MARKUP, SEEN, game

# ---- a dealer who knows what happens: from the events of the round alone

BESIDE = ("announce", "collect", "look", "tuck", "turn")  # what the games of this repository tell a dealer to do


@dataclass(frozen=True)
class Right:
    """One thing that is right, in full words, and what it moves."""

    line: str
    kind: str
    event: dict[str, Any]
    seat: int = 0
    chips: Fraction = Fraction(0)  # to the player, of what he has bet for himself


def amount(value: Fraction) -> str:
    return f"${float(value):.2f}"


def perfect(round_: Round, shuffles: bool) -> list[Right]:
    """All that is right in a round, read off its events."""
    out = [Right("shuffle", "shuffle", {})] if shuffles else []
    events, pots, taken = round_.events, round_.pots, set[tuple[int, str]]()
    for number, e in enumerate(events):
        after = events[number + 1] if number + 1 < len(events) else {}
        seat, kind = e.get("seat", 0), e["event"]
        if kind == "deal":
            to = "players" if e["to"] == "player" else e["to"]
            goes_on = kind == after.get("event") and e["to"] == after.get("to") == "player" and seat != after["seat"]
            if not goes_on:
                side = "up" if e["face"] == "up" else "down"
                out.append(Right(f"deal {len(e['cards'])} {side} {to}", kind, e, seat))
        elif kind == "reveal":
            out.append(Right(f"turn seat {seat}" if seat else f"turn {e['who']}", kind, e))
        elif kind == "burn":
            out.append(Right(f"burn {e['count']}", kind, e))
        elif kind == "say":
            for wager, stake in e.get("takes", {}).items():
                taken.add((seat, wager))
                out.append(Right(f"take seat {seat} {wager}", "take", e, seat, -Fraction(stake)))
            if not e.get("takes") and e["words"].split()[0].lower() in BESIDE:
                out.append(Right(e["words"].split()[0], kind, e, seat))
        elif kind == "stand":
            out.append(Right(f"seat {seat} {e['standing'].split()[0]}", kind, e, seat))
        elif kind == "pot":
            for winner in e["winners"]:
                share = next(
                    Fraction(s["pays"]) for s in events[number:] if s.get("seat") == winner and s["event"] == "settle"
                )
                out.append(Right(f"{e['wager']} {winner} {amount(share)}", kind, e, winner, share))
        elif (
            kind in ("settle", "toke")
            and e["wager"] not in pots
            and (kind == "toke" or (seat, e["wager"]) not in taken)
        ):
            out.append(settling(round_, e))
    return [*out, Right("collect", "collect", {})]


def settling(round_: Round, e: dict[str, Any]) -> Right:
    wager = next(w for w in round_.house.wagers if w.name == e["wager"])
    net, stake = Fraction(e["net"]), Fraction(e["stake"])
    toke = "toke " * (e["event"] == "toke")
    where_ = f"seat {e['seat']} {toke}{e['wager']}"
    gone = stake if not wager.stake_returned and e["pays"][0] in "$m" else 0  # an award, and the bet was dropped
    own = Fraction(0) if toke else net
    if net + gone > 0:
        return Right(f"pay {where_} {amount(net + gone)}", "pay", e, e["seat"], own)
    if net < 0:
        return Right(f"take {where_} {amount(-net)}", "take", e, e["seat"], own)
    return Right(f"{'take' if 'free' in e else 'push'} {where_}", "push", e, e["seat"], own)


def rights(drill: Drill) -> list[Right]:
    first = drill.asks
    assert first is not None
    return perfect(drill.round, "huffle" in first.hint)


def working(drill: Drill) -> Iterator[Right]:
    """What is right, thing by thing, round after round; whoever asks for the next one has done it."""
    while not drill.over:
        yield from rights(drill)


# ---- a perfect dealer


@pytest.mark.parametrize("path", GAME_FILES, ids=case_name)
def test_a_dealer_who_knows_the_events_makes_no_slip_and_pays_what_the_round_pays(path: Path) -> None:
    house = load_game(path).at()
    for seed in (1,) if path in OPEN_ENDED else (1, 2):
        drill = Drill(house, min(3, house.game.seats), seed, limit=2)
        for _ in range(2):
            round_, moved = drill.round, dict.fromkeys(drill.round.playing, Fraction(0))
            for right in rights(drill):
                mark = drill.do(right.line)
                assert mark.right, (right, mark)
                moved[right.seat or 1] += right.chips
            for seat in round_.playing:
                pot = sum((round_.seats[seat - 1].bets.get(name, Fraction(0)) for name in round_.pots), Fraction(0))
                given = sum(round_.seats[seat - 1].tokes.values(), Fraction(0))
                assert moved[seat] - pot - given == round_.net(seat)
        score = drill.score
        assert drill.over and score.perfect and score.percent() == 100 and score.rounds == 2
        assert all(right == of for right, of in score.marks.values()) and score.marks["amounts"][1] > 3


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(random_games(), st.integers(1, 3))
def test_nor_in_a_game_that_nobody_would_play(game: Game, seats: int) -> None:
    drill = Drill(game.at(), seats, 5, limit=1)
    for right in rights(drill):
        assert drill.do(right.line).right, right
    assert drill.over and drill.score.perfect


@pytest.mark.parametrize("path", [p for p in GAME_FILES if p not in OPEN_ENDED], ids=case_name)
def test_one_who_settles_only_is_asked_for_chips_alone(path: Path) -> None:
    house = load_game(path).at()
    drill = Drill(house, min(3, house.game.seats), 4, only="settle", limit=1)
    chips = [r for r in perfect(drill.round, False) if r.kind in ("take", "pay", "push", "stand", "pot")]
    marks = [drill.do(right.line) for right in chips]
    assert drill.over and all(mark.right for mark in marks) and drill.score.moves == len(chips)


def test_players_bet_various_amounts_on_various_wagers_and_for_the_dealer() -> None:
    drill = Drill(pb.game("blackjack").at(), 3, 2, only="settle", limit=6)
    bets, tokes = set[Fraction](), 0
    for _ in range(6):
        for seat in drill.round.seats:
            bets |= set(seat.bets.values())
            tokes += bool(seat.tokes)
            drill.house.check_seat(seat.bets, seat.tokes)
        number = drill.number
        while not drill.over and drill.number == number:
            drill.do("take")
    assert len(bets) > 6 and tokes > 2


def test_a_wager_that_is_asked_for_is_bet_by_everyone() -> None:
    drill = pb.drill("bluff", 4, seed=3, wager="suit_tie")
    assert all("suit-tie" in seat.bets for seat in drill.round.seats)


# ---- what the dealer sees


def test_a_players_cards_lie_face_down_until_his_bets_are_settled() -> None:
    drill = Drill(pb.game("bluff").at(), 3, 4, limit=1)
    for right in rights(drill):
        asked = drill.asks
        assert asked is not None
        seats = asked.view.seats
        if right.kind in ("pay", "take", "push"):
            folded = right.event["because"] == "dealer raises, player folds"  # no card is looked at for that
            assert (BACK in seats[right.seat].hands[0].cards) == folded
            later = [hand for s, seat in seats.items() if s > right.seat for hand in seat.hands]
            assert all(hand.cards == (BACK,) for hand in later), "from the dealer's left"
            assert right.event["wager"] in seats[right.seat].unsettled
        elif right.kind != "collect":
            assert all(hand.cards == (BACK,) for seat in seats.values() for hand in seat.hands)
        drill.do(right.line)


def test_what_a_hand_counts_is_what_its_cards_count_by_then() -> None:
    drill = Drill(pb.game("blackjack").at(), 2, 9, limit=1)
    for right in rights(drill):
        asked = drill.asks
        assert asked is not None
        for seat in asked.view.seats.values():
            for hand in seat.hands:
                if hand.cards:
                    ranks = [10 if c[0] in "TJQK" else 11 if c[0] == "A" else int(c[0]) for c in hand.cards]
                    total, aces = sum(ranks), ranks.count(11)
                    while total > 21 and aces:
                        total, aces = total - 10, aces - 1
                    assert hand.count["total"] == total
        drill.do(right.line)


# ---- slips


def at_the(kind: str, drill: Drill, which: int = 0, **event: object) -> Right:
    """Deal rightly up to a thing of this kind, with such an event."""
    for right in working(drill):
        if right.kind == kind and all(right.event.get(name) == value for name, value in event.items()):
            if not which:
                return right
            which -= 1
        assert drill.do(right.line).right
    raise AssertionError(f"no {kind} came up")


def slip(drill: Drill, line: str) -> Any:
    before = drill.score
    mark = drill.do(line)
    assert mark.outcome == "slip" and len(mark.slips) == 1, mark
    after = drill.score
    found = mark.slips[0]
    assert after.slips == (*before.slips, found) and after.moves == before.moves + 1
    right, of = after.marks[found.kind]
    assert (right, of) == (before.marks[found.kind][0], before.marks[found.kind][1] + 1)
    assert mark.said[0].startswith(f"Slip: {found.name}. ") and found.right in mark.said[0]
    return found


def bluff(seed: int = 4) -> Drill:
    return Drill(pb.game("bluff").at(), 3, seed)


@pytest.mark.parametrize(
    ("kind", "line", "name"),
    [
        ("pay", "take", "took a winner"),
        ("pay", "u", "pushed a winner"),
        ("take", "p 10", "paid a loser"),
        ("take", "push", "pushed a loser"),
        ("push", "t", "took a push"),
        ("push", "pay 5", "paid a push"),
    ],
)
def test_what_is_done_with_a_bet_is_marked_and_so_is_the_money(kind: str, line: str, name: str) -> None:
    drill = bluff()
    right = at_the(kind, drill, wager="raise" if kind == "push" else "ante")
    found = slip(drill, line)
    stake, net = Fraction(right.event["stake"]), Fraction(right.event["net"])
    did = {"take": -stake, "t": -stake, "u": 0, "push": 0, "p 10": 10, "pay 5": 5}[line]
    assert (found.kind, found.name, found.to_players) == ("amounts", name, did - net)
    assert drill.score.to_players - drill.score.to_house == did - net


@pytest.mark.parametrize("more", [Fraction(5), Fraction(-5, 2)])
def test_a_wrong_amount_is_money_misplaced_to_either_side(more: Fraction) -> None:
    drill = bluff()
    right = at_the("pay", drill)
    net = Fraction(right.event["net"])
    found = slip(drill, f"pay {amount(net + more)}")
    assert (found.name, found.to_players) == ("wrong amount", more)
    stake = right.event["stake"]
    assert found.right == f"Pay seat {right.seat}: Suit & Tie ${stake} to ${net}" and found.why.startswith(
        "Suit pays 1 to 1; seat "
    )
    assert (drill.score.to_players, drill.score.to_house) == (max(more, 0), max(-more, 0))


def test_seats_wagers_and_bets_that_are_not_due_are_out_of_order() -> None:
    drill = bluff()
    first = at_the("take", drill, wager="ante", seat=1)
    assert slip(drill, "take seat 2 ante").name == "wrong seat"
    assert "suit-tie" in drill.round.seats[0].bets and first.seat == 1  # the raise comes first
    assert slip(drill, "take suit & tie").name == "wrong wager"
    assert slip(drill, "take ante").name == "no Ante to settle there"  # it is settled
    assert slip(drill, "d").name == "cards out of order"
    assert {s.kind for s in drill.score.slips} == {"order"}
    assert drill.score.to_players == drill.score.to_house == 0


def test_cards_to_the_wrong_place_in_the_wrong_number_or_on_the_wrong_side() -> None:
    def named(line: str, which: int) -> str:
        drill = Drill(pb.game("flop-poker-bonus").at(), 3, 2)
        at_the("deal", drill, which)
        found = slip(drill, line)
        return f"{found.kind}: {found.name}"

    assert named("deal dealer", 0) == named("deal flop", 0) == "cards: cards to the wrong place"
    assert named("deal players", 1) == "cards: cards to the wrong place"
    assert named("deal five", 0) == named("d 2", 1) == "cards: wrong number of cards"
    assert named("deal three up", 0) == "cards: wrong side up"
    assert named("turn flop", 1) == "order: cards out of order"
    assert named("take", 1) == "order: chips out of order"


def test_turning_other_cards_and_leaving_out_what_is_done_beside_them() -> None:
    drill = Drill(pb.game("packs-poker").at(), 2, 1)
    assert slip(drill, "d").name == "forgot to shuffle"
    drill = Drill(pb.game("packs-poker").at(), 2, 1)
    at_the("reveal", drill, who="dealer")
    assert slip(drill, "turn second pack").name == "turned the wrong cards"
    drill = Drill(pb.game("flop-poker-bonus").at(), 2, 1)
    drill.do("shuffle")
    found = slip(drill, "deal")
    assert found.name == "forgot to collect" and found.right.startswith("Collect the Pot bets")
    assert drill.do("deal").right


def test_the_dealer_draws_and_stops_by_the_rules_of_the_game() -> None:
    named: set[str] = set()
    drill = Drill(pb.game("blackjack").at(), 1, 3)
    for right in working(drill):
        asked = drill.asks
        assert asked is not None
        total = asked.view.dealer.count.get("total", 0)
        turned = BACK not in asked.view.dealer.cards and len(asked.view.dealer.cards) > 1
        if turned and right.kind == "deal" and right.event["to"] == "dealer":
            named.add(slip(drill, "t" if named else "stop").name)
            assert total < 17
        elif asked.hint.endswith("or stop.") and right.kind != "deal":
            named.add(slip(drill, "draw").name)
            assert total >= 17 and drill.do(right.line).right
        else:
            assert drill.do(right.line).right
        if named >= {"stopped too soon", "drew a card too many"}:
            break
    assert named == {"stopped too soon", "drew a card too many"}
    assert all(s.kind == "cards" for s in drill.score.slips)


def test_stop_may_be_said_and_need_not_be() -> None:
    said = [Drill(pb.game("blackjack").at(), 2, 9, limit=1) for _ in range(2)]
    for drill, says in zip(said, (True, False), strict=True):
        for right in rights(drill):
            if drill.asks is not None and drill.asks.hint.endswith("or stop.") and right.kind != "deal" and says:
                assert drill.do("stand").right
            assert drill.do(right.line).right
    assert said[0].score == said[1].score and said[0].score.perfect


def test_hands_are_compared_and_the_pot_goes_to_the_best() -> None:
    drill = Drill(pb.game("flop-poker-bonus").at(), 3, 2)
    at_the("stand", drill, standing="high hand")
    found = slip(drill, "beaten")
    assert (found.kind, found.name) == ("cards", "misread the hand") and "high hand" in found.right
    drill = Drill(pb.game("flop-poker-bonus").at(), 3, 2)
    right = at_the("pot", drill)
    other = next(s for s in drill.round.playing if s not in right.event["winners"])
    for line in ("pot", "p 15", f"pay {right.event['amount']}"):
        assert repr(drill.do(line)) == "To which seat? Type pot and the seat, such as pot 2."
    found = slip(drill, f"pot {other}")
    assert (found.name, found.between) == ("to the wrong player", Fraction(right.event["amount"]))
    assert drill.score.to_players == drill.score.to_house == 0 < drill.score.between


# ---- odd money


def settles(results: Any, *wagers: Wager, **more: Any) -> Game:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER, face=DOWN)
        t.deal(DEALER, face=UP)
        results(t, mine)

    return small_game(play, *wagers, **more)


def at_chips(game: Game, seats: int = 1, **options: Any) -> Drill:
    return Drill(game.at(options), seats, 3, only="settle")


def test_half_of_a_bet_is_taken_and_all_of_it_is_too_much() -> None:
    game = settles(lambda t, _: t.settle(ante=row("half")), pays("ante", {"half": "-1/2", "win": 1}, required=True))
    stake = at_chips(game).round.seats[0].bets["ante"]
    assert slip(at_chips(game), "take").to_players == -stake / 2
    for line in ("take half", f"take ante {stake / 2}", f"t {amount(stake / 2)}"):
        assert at_chips(game).do(line).right


def test_odd_amounts_are_paid_as_the_house_rounds_them() -> None:
    game = settles(lambda t, _: t.settle(ante=WIN), pays("ante", {"win": "3/2"}, required=True))
    drill = at_chips(game)
    stake = drill.round.seats[0].bets["ante"]
    assert drill.do(f"pay {amount(stake * 3 / 2)}").right
    drill = Drill(game.at(rounding="down-to-chip", chip=5), 1, 3, only="settle")
    stake = drill.round.seats[0].bets["ante"]
    assert drill.do(f"pay {stake * 3 // 10 * 5}").right


def test_an_award_is_paid_whole_where_the_bet_was_dropped() -> None:
    drill = Drill(pb.game("bluff").at(), 3, 1, always="progressive", only="settle")
    right = at_the_chips(drill, "progressive")
    assert right.event["pays"] == "$100" and right.event["net"] == "95"
    assert slip(drill, "pay 95").to_players == -5


def at_the_chips(drill: Drill, wager: str) -> Right:
    """The first win of a wager, however long it takes."""
    while True:
        for right in perfect(drill.round, False):
            if right.kind in ("take", "pay", "push"):
                if right.kind == "pay" and right.event["wager"] == wager:
                    return right
                assert drill.do(right.line).right


def test_a_marker_of_the_house_is_taken_off_and_a_bonus_is_paid() -> None:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER)
        t.bet("free")
        high = where(mine.rank > 6, WIN, LOSE)
        t.settle(ante=high, free=high, bonus=where(mine.rank > 6, row("win"), LOSE))

    ante = Wager("ante", required=True)
    game = small_game(play, ante, Wager("free", equal_to="ante", free=True), Bonus("bonus", on="ante"))
    seen = set[str]()
    drill = at_chips(game, 3)
    for _ in range(3):
        for right in perfect(drill.round, False):
            if right.kind in ("take", "pay", "push"):
                seen.add(right.line.split()[0] + " " + right.event["wager"])
                assert drill.do(right.line).right
    assert seen == {"take ante", "take free", "pay ante", "pay free", "pay bonus"}


def test_players_share_a_pot_and_the_odd_dollar_goes_to_the_first() -> None:
    def results(t: Table, mine: Any) -> None:
        t.settle(ante=PUSH)
        t.share("pot", where(mine.suit < 2, 1, 0))

    game = settles(results, ANTE, Wager("pot", required=True, exactly=5))

    def shared(seed: int) -> Drill:
        return Drill(game.at(), 3, seed, only="settle")

    def winners(seed: int) -> list[int]:
        return next(e["winners"] for e in shared(seed).round.events if e["event"] == "pot")

    seed = next(seed for seed in range(99) if len(winners(seed)) == 2)
    first, second = winners(seed)

    def at_the_pot() -> Drill:
        drill = shared(seed)
        for right in perfect(drill.round, False):
            if right.kind in ("push", "stand"):
                assert drill.do(right.line).right, right
        return drill

    for lines in ((f"pot {first} 8", f"{second} pot $7"), (f"pot {second} 7", f"pot {first} 8")):  # in any order
        drill = at_the_pot()
        assert all(drill.do(line).right for line in lines) and drill.number == 2
    assert [slip(at_the_pot(), line).between for line in (f"pot {first}", f"pot {second} 8")] == [7, 1]
    assert slip(at_the_pot(), f"pot {first} 7").name == "wrong share"
    assert slip(at_the_pot(), "pay ante 5").name == "chips out of order"


# ---- words


@pytest.mark.parametrize(
    "line",
    [
        "take", "t", "TAKE", "take seat 1", "take seat 1's ante", "take the ante of seat 1", "1 ante t", "t 1 ante",
        "t 1",         "seat 1 ante take", "take ant", "  take   ante.  ", "sweep seat 1: Ante", "#1 t",
    ],
)  # fmt: skip
def test_many_ways_to_take_a_bet(line: str) -> None:
    drill = bluff()
    at_the("take", drill, wager="ante", seat=1)
    assert drill.do(line).right, drill.do(line)


def test_many_ways_to_pay_one() -> None:
    drill = bluff()
    right = at_the("pay", drill, wager="suit-tie")
    seat, net = right.seat, int(right.event["net"])
    for line in (
        f"p {net}", f"pay ${net}", f"{seat} suit-tie {net}", f"suit & tie {net}", f"pay seat {seat} suit tie {net}",
        f"{net}", f"{seat} {net}", f"pay seat {seat}: Suit & Tie $5 to ${net}", f"pay {seat} {net}.00",
        f"pay seat {seat}'s suit-tie {net} dollars",
    ):  # fmt: skip
        again = bluff()
        at_the("pay", again, wager="suit-tie")
        assert again.do(line).right, line


def test_several_moves_go_on_one_line_and_all_bets_of_a_seat_at_once() -> None:
    drill = bluff()
    assert drill.do("shuffle, deal; d then f").right and drill.score.moves == 4
    mine = [r for r in perfect(drill.round, False) if r.seat == 1 and r.kind in ("take", "pay", "push")]
    mark = drill.do("take all")
    assert len(mark.said) == len(mine)
    assert [s.name for s in mark.slips] == [
        {"pay": "took a winner", "push": "took a push"}[r.kind] for r in mine if r.kind != "take"
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "Type a move, such as take, pay 15, push, deal or turn."),
        ("tkae", "'tkae' is no word of this table; there are take, pay, push,"),
        ("pay", "Pay how much? Type pay and the dollars"),
        ("pay all", "Every bet is paid an amount of its own"),
        ("ante", "'ante' says what, but not what is done with it"),
        ("take seat 9", "A seat: '9' is not a whole number from 1 to 3"),
        ("pay 1.005", "An amount: '1.005' is not an amount of dollars and whole cents"),
        ("pay 15%", "'15%' is no word of this table"),
        ("pay 3/2", "'3/2' is no word of this table"),
        ("n", "Cards or chips are to be moved here"),
        ("x" * 300, "A line of 300 characters is too long"),
        ("t," * 60, "60 moves on one line are too many"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_and_costs_nothing(line: str, why: str) -> None:
    drill = bluff()
    drill.do("shuffle")
    before = drill.score
    mark = drill.do(line)
    assert mark.outcome == "unclear" and mark.said[0].startswith(why) and len(mark.said) == 1
    assert drill.score == before
    with pytest.raises(BadInput, match="a move is a text"):
        drill.do(15)  # type: ignore[arg-type]


WORDS = st.sampled_from(
    [
        *"tpudfsnhebc123*,;'", "15", "$5", "-1", "0", "all", "half", "toke", "ante", "raise", "pot", "seat",
        "3-card-bonus", "flop", "dealer",
    ]
)  # fmt: skip
LINES = st.one_of(st.text(max_size=40), st.lists(WORDS, max_size=6).map(" ".join))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(LINES, min_size=1, max_size=12), st.sampled_from(["bluff", "flop-poker-bonus"]))
def test_nothing_that_is_typed_raises_or_moves_money(lines: list[str], name: str) -> None:
    drill = Drill(pb.game(name).at(), 2, 8, limit=1)
    round_, nets = drill.round, {seat: drill.round.net(seat) for seat in drill.round.playing}
    for line in lines:
        before = drill.score
        mark = drill.do(line)
        assert isinstance(mark, Mark) and mark.said
        assert (drill.score == before) == (mark.outcome == "unclear")
        assert drill.score.moves >= before.moves and len(drill.score.slips) <= drill.score.moves
    view = None
    while (asked := drill.asks) is not None:
        view = asked.view
        drill.do("collect")
    assert {seat: round_.net(seat) for seat in round_.playing} == nets
    if view is not None:
        assert {number: seat.net for number, seat in view.seats.items()} == nets


# ---- the same drill again


def story(drill: Drill) -> list[object]:
    out: list[object] = []
    for right in working(drill):
        asked = drill.asks
        assert asked is not None
        out.append((asked.round, asked.told, asked.hint, asked.view.json()))
        drill.do(right.line)
    return out


def test_the_same_seed_is_the_same_drill() -> None:
    first, again, other = (story(pb.drill("flop-poker-bonus", seed=seed, rounds=2)) for seed in (7, 7, 8))
    assert first == again != other


def test_the_front_door() -> None:
    drill = pb.drill("bluff", seats=2, seed=7, rounds=1)
    assert (drill.seats, drill.seed) == (2, 7) and repr(drill.score) == "nothing dealt yet"
    assert repr(drill.asks) == "Round 1. A new shoe. Shuffle."
    assert repr(drill.do("sh")) == "Right."
    assert repr(drill.score) == "1 of 1 moves right, 100%"
    slip(drill, "deal five")
    found = drill.score.json()
    assert found["marks"]["cards"] == {"right": 0, "of": 1, "percent": 0} and found["slips"][0]["did"] == "deal five"
    assert drill.score.table()[0]["slip"] == "wrong number of cards"
    assert pb.drill("bluff").seats == 3
    for wrong, why in (
        ({"only": "deal"}, "only='deal': a drill is of whole rounds, or of 'settle' only"),
        ({"seats": 9}, "Bluff seats 1 to 7 players, not 9"),
        ({"rounds": 0}, "rounds: 0 is not a whole number from 1"),
        ({"wager": "pot"}, "bluff has no wager 'pot'"),
    ):
        with pytest.raises(BadInput, match=why):
            pb.drill("bluff", **wrong)  # type: ignore[arg-type]


def test_a_drill_that_is_over_says_so() -> None:
    drill = pb.drill("bluff", seed=1, rounds=1)
    for right in rights(drill):
        drill.do(right.line)
    assert drill.asks is None and drill.step is None
    assert repr(drill.do("deal")) == "The drill is over; look at its score."


# ---- the sheet


@pytest.mark.parametrize("path", [p for p in GAME_FILES if p not in OPEN_ENDED], ids=case_name)
def test_the_step_of_the_sheet_is_at_hand_and_they_come_in_order(path: Path) -> None:
    drill = Drill(load_game(path).at(), 2, 3, limit=1)
    numbers = []
    for right in rights(drill):
        step = drill.step
        assert step is not None
        wanted = {("settle" if k == "toke" else k, v) for k, v in _keys(right)}
        assert not wanted or wanted & {does for _, each in step.walk() for does in each.does}, right
        numbers.append(step.number)
        drill.do(right.line)
    assert numbers == sorted(numbers) and len(set(numbers)) > 3


def _keys(right: Right) -> set[tuple[str, str]]:
    e = right.event
    return {(e["event"], e[n]) for n in ("wager", "words", "to", "who") if n in e} if e else set()


# ---- at a terminal


def at_a_table(typed: list[str], game: str = "bluff", width: int = 80, hints: bool = False, **more: Any) -> str:
    answers = iter(typed)

    def read(prompt: str) -> str:
        if (answer := next(answers, None)) is None:
            raise EOFError
        return answer

    screen = Screen(record=True, width=width, file=io.StringIO())
    assert sit_down(pb.drill(game, seed=4, **more), read, screen, hints=hints) == 0
    return screen.export_text()


def test_a_round_at_a_terminal() -> None:
    lines = [right.line for right in rights(pb.drill("bluff", seed=4))]
    seen = at_a_table([*lines[:3], "?", "rules", "*", "v", "score", "tkae", "p 1", *lines[4:]], rounds=1)
    assert "You deal Bluff to 3 players." in seen and "Round 1" in seen
    assert "8. When every player has acted: turn up the dealer's card." in seen
    assert "Suit & Tie            suit 1 to 1, tie 3 to 1, match 15 to 1" in seen
    assert "did you mean take?" in seen and "3 of 3 moves right, 100%." in seen
    assert "Slip: chips out of order. Turn up the dealer's card." in seen
    assert "No money misplaced." in seen and "--seed 4" in seen and "1 round to the end" in seen
    assert seen.count("Seat 1: ") == seen.count("Seat 1: raise ($50 on the Raise)."), "what players do is told once"
    assert max(map(len, seen.splitlines())) <= 80


def test_hints_say_what_is_due_and_point_at_the_seat() -> None:
    seen = at_a_table(["sh", "d", "d", "f", "q"], hints=True)
    assert "Deal one card face down to each player." in seen and "Settle seat 1: Ante $50." in seen
    assert "▶ seat 1" in seen and "▶" not in at_a_table(["sh", "d", "d", "f", "q"])


@pytest.mark.parametrize("path", [p for p in GAME_FILES if p not in OPEN_ENDED], ids=case_name)
@pytest.mark.parametrize("width", [80, 40])
def test_every_table_fits_its_screen(path: Path, width: int) -> None:
    house = load_game(path).at()
    lines = [right.line for right in rights(pb.drill(house, seed=4))]
    seen = at_a_table([*lines[:-1], "q"], game=house, width=width)  # type: ignore[arg-type]
    felts = [part.split("┏")[-1].count("\n") for part in seen.split("┛")[:-1]]
    assert max(map(len, seen.splitlines())) <= width
    assert width < 80 or max(felts) < 20


def test_a_script_deals_and_gets_the_score_as_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [right.line for right in rights(pb.drill("bluff", seed=4))]
    lines[3] = "turn board"
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines)))
    code, out, err = run(capsys, "train", "bluff", "--seed", "4", "--rounds", "1", "--json")
    found = json.loads(out)
    assert code == 0 and not err and found["right"] == len(lines) - 1 and found["game"] == "bluff"
    assert [s["slip"] for s in found["slips"]] == ["turned the wrong cards"] and found["seed"] == 4
    monkeypatch.setattr(sys, "stdin", io.StringIO("sh\ntkae\n"))
    code, out, err = run(capsys, "train", "bluff", "--seed", "4", "--json")
    assert code == 2 and not out and err.startswith("pitboss: 'tkae' is no word of this table; there are take")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--seats", "9"], "Bluff seats 1 to 7 players, not 9"),
        (["--only", "deal"], "--only deal: there is settle; without it you deal whole rounds"),
        (["--rounds", "0"], "argument --rounds: '0' is not a whole number from 1"),
        (["--rounds", "1e9"], "--rounds 1000000000: deal a million rounds at most"),
        (["--seed", "x"], "argument --seed: 'x' is not a whole number"),
        (["--wager", "raise"], "raise goes with the ante; look at --wager ante"),
    ],
)
def test_a_mistake_in_what_is_asked_is_one_sentence(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "train", "bluff", *words)
    assert code == 2 and not out and err.startswith(f"pitboss: {why}") and err.count("\n") == 1


@pytest.mark.parametrize("typed", [b"sh\rd\rd\rf\rt all\rt all\rt all\rc\rq\r", b""])
def test_a_real_terminal_shows_the_pace_and_is_left_by_an_interrupt(typed: bytes) -> None:
    ours, theirs = pty.openpty()
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TERM": "xterm", "COLUMNS": "80"}
    words = [sys.executable, "-m", "pitboss", "train", "bluff", "--seed", "4"]
    process = subprocess.Popen(words, stdin=theirs, stdout=theirs, stderr=theirs, env=env, start_new_session=True)
    os.close(theirs)
    said, asked = b"", False
    while process.poll() is None or select([ours], [], [], 0)[0]:
        if select([ours], [], [], 1)[0]:
            try:
                said += os.read(ours, 4096)
            except OSError:  # the other side is closed
                break
        elif asked and not typed:  # the signal came just before it waited for a line
            process.send_signal(signal.SIGINT)
        if not asked and b"Your move > " in said:
            asked = True
            os.write(ours, typed) if typed else process.send_signal(signal.SIGINT)
    os.close(ours)
    assert process.wait(60) == 0 and b"Traceback" not in said
    assert (b"rounds an hour" in said) == bool(typed) and b"--seed 4" in said


def test_a_table_survives_whatever_is_typed_and_whatever_the_game_is_called(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = game(tmp_path, MARKUP)
    for typed in (
        "?\nrules\n" + "n\nsh\nd\nd\nf\nt all\nt all\nt all\n*\nc\nscore\n",
        f"{CONTROLS}\n" * 3 + "x" * 99_999,
    ):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code, out, err = run(capsys, "train", file, "--seed", "3")
        assert code == 0 and not err and not HARMFUL.search(SEEN.sub("", out)) and len(out) < 30_000
        assert f"You deal Hostile{MARKUP} to 3 players." in " ".join(out.split())


# ---- the pages


def test_the_transcript_is_what_the_drill_prints(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "training.md").read_text()
    block = re.search(r"\$ printf '(.*?)' \| pitboss (.*?)\n(.*?)```", page, re.S)
    assert block is not None
    monkeypatch.setattr(sys, "stdin", io.StringIO(block[1].replace("\\n", "\n")))
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run(capsys, *block[2].split())
    assert code == 0 and [line.rstrip() for line in out.splitlines()] == block[3].splitlines()


def test_every_field_of_the_score_is_documented() -> None:
    page = (ROOT / "docs" / "json.md").read_text().split("- `train`:")[1].split("\n- ")[0]
    drill = bluff()
    drill.do("take")
    found = drill.score.json()
    fields = {*found, *found["marks"], *found["marks"]["order"], *found["misplaced"], *found["slips"][0]}
    assert not [name for name in fields if f"`{name}`" not in page]
