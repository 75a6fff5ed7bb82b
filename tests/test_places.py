"""Places with names: any plain name is a place of the house, dealt once for all seats; every interpreter names it."""

import io
import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitboss as pb
from helpers import ANTE, RAISE, all_bets, run, sheet_steps, small_game, stripped
from pitboss.cards import cards_of, shoe_cards
from pitboss.catalog import named
from pitboss.cli import faces, seats
from pitboss.cli.screen import Screen
from pitboss.compile import Keys, dealt_rounds, simulator
from pitboss.compile.rounds import ShoeRounds
from pitboss.deal import simulate
from pitboss.exact import analyze
from pitboss.games.packs_poker import GAME as PACKS
from pitboss.guard.exposure import exposures
from pitboss.ledger.book import Book
from pitboss.live import BACK, Round, Seat, evidence, log_of, replay, view_of
from pitboss.rules import (
    BOARD,
    DEALER,
    DOWN,
    LOSE,
    NINE,
    PLAYER,
    UP,
    WIN,
    BadInput,
    Game,
    House,
    RuleError,
    Seen,
    Table,
    Wager,
    compare,
    first_match,
    where,
)
from pitboss.rules.graph import Reveal
from pitboss.rules.rewrite import only
from pitboss.rules.trace import trace


def two_hands(t: Table) -> None:
    """The left hand lies open, the right hand is turned after the decision."""
    left, right = t.deal("left hand", 2), t.deal("right hand", face=DOWN)
    raised = t.decide("stay", "raise") == "raise"
    if raised:
        t.bet("raise")
    t.reveal("right hand")
    result = compare(left[0].rank, right.rank)
    t.settle(ante=result, **({"raise_": result} if raised else {}))


def one_banker(t: Table) -> None:
    """A card of one's own, which settles nothing, and a banker against whom everybody has the same result."""
    t.deal(PLAYER)
    bankers = t.deal("banker", 2)
    t.settle(ante=compare(bankers[0].rank, bankers[1].rank))


def same(place: str, *more: str) -> Game:
    """A game with decisions, dealt to places of these names."""
    turn, river = place, more[0] if more else place

    def play(t: Table) -> None:
        mine = t.deal(PLAYER, face=DOWN)
        first, second = t.deal(turn), t.deal(river, face=DOWN)
        if t.decide("fold", "raise") == "fold":
            t.settle(ante=LOSE)
            return
        t.bet("raise")
        t.reveal(second)
        result = compare(mine.rank + first.rank, second.rank + 5)
        t.settle(ante=result, raise_=result)

    return small_game(play)


def sat(play: Callable[[Any], None], cards: str, *choices: str, seats: int = 1) -> Round:
    house = small_game(play).at()
    round_ = Round(house, cards_of(cards), [Seat(all_bets(house)) for _ in range(seats)])
    for choice in choices:
        round_.choose(choice)
    return round_


# ---- what a place may be called


@pytest.mark.parametrize("name", ["banker", "player hand", "first pack", "4th street", "pile-2"])
def test_a_plain_name_is_a_place(name: str) -> None:
    def play(t: Table) -> None:
        t.settle(ante=where(t.deal(name).rank == NINE, WIN, LOSE))

    assert trace(small_game(play, ANTE).at()).places == (name,)


@pytest.mark.parametrize(
    "name",
    [
        "", " ", "Banker", "PLAYER", "banker ", " banker", "two  spaces", "tab\there", "line\nbreak", "esc\x1b[31m",
        "b\u0430nker", "bänker", "banker's", "4", "12 3", "-", "a" * 25, "a\u202eb", 5, None, ["banker"], b"banker",
    ],
)  # fmt: skip
def test_any_other_name_is_refused_with_what_may_be_written(name: Any) -> None:
    def play(t: Table) -> None:
        t.settle(ante=where(t.deal(name).rank == NINE, WIN, LOSE))

    with pytest.raises(RuleError, match="up to 24 small letters, digits, single spaces and hyphens, not") as why:
        trace(small_game(play, ANTE).at())
    assert str(why.value).isprintable() or "\n    t.settle" in str(why.value)


@pytest.mark.parametrize(
    "name",
    ["players", "dealers", "boards", "player 2", "player-2", "the banker", "each player", "seat 3", "you", "hand 2"],
)
def test_a_name_that_would_be_taken_for_a_players_or_the_dealers_is_refused(name: str) -> None:
    def play(t: Table) -> None:
        t.settle(ante=where(t.deal(name).rank == NINE, WIN, LOSE))

    with pytest.raises(RuleError, match="would be taken for another one; write PLAYER, DEALER or BOARD"):
        trace(small_game(play, ANTE).at())


def test_what_was_never_dealt_cannot_be_revealed_and_the_places_are_named() -> None:
    def play(t: Table) -> None:
        t.deal("banker", face=DOWN)
        t.reveal("bankers")

    with pytest.raises(RuleError, match="dealt to 'bankers' that could be revealed; cards lie at banker"):
        trace(small_game(play, ANTE).at())


# ---- figures do not depend on names


def figures(game: Game, **how: Any) -> list[object]:
    found = analyze(game.at(**how)).wager("ante")
    return [found.house_edge, found.ways, found.variance, [(o.outcome, o.ways) for o in found.outcomes]]


def test_whatever_a_place_is_called_the_figures_are_the_same() -> None:
    wanted = figures(same(DEALER, BOARD))
    assert wanted == figures(same("turn", "river")) == figures(same("river", "turn")) == figures(same("burn", "act"))
    assert wanted == figures(same(BOARD)) == figures(same("banker")), "one place or two"


def test_the_simulator_deals_the_same_cards_whatever_a_place_is_called() -> None:
    def dealt(game: Game, mode: str) -> dict[str, int]:
        found = simulate(game.at(), 1 << 14, mode=mode, seats=3, seed=5).wager("ante")
        return {o.outcome: o.count for o in found.outcomes}

    for mode in ("fresh", "shoe"):
        assert (
            dealt(same(DEALER, BOARD), mode) == dealt(same("turn", "river"), mode) == dealt(same("burn", "act"), mode)
        )


def test_the_packs_of_packs_poker_are_counted_as_they_were_on_the_board() -> None:
    """The figures of the documents, and the one count that the three areas share."""
    result = analyze(PACKS.at())
    assert result.wager("pack").house_edge == Fraction(118112683907, 7945607164495)
    for area in ("", "-2", "-3"):
        assert result.wager(f"ante-bonus{area}").house_edge == Fraction(391045, 6689228)


# ---- several seats


def test_all_seats_of_a_live_table_share_what_lies_at_a_place() -> None:
    round_ = sat(two_hands, "Kh 2c 9d", "stay", "raise", "stay", seats=3)
    dealt = [(e["to"], e["cards"], e["face"]) for e in round_.events if e["event"] == "deal"]
    assert dealt == [("left hand", ["Kh", "2c"], UP), ("right hand", ["9d"], DOWN)] and round_.used == 3
    assert [(e["who"], e["cards"]) for e in round_.events if e["event"] == "reveal"] == [("right hand", ["9d"])]
    assert [e["row"] for e in round_.events if e["event"] == "settle"] == ["win"] * 4


@pytest.mark.parametrize("players", [1, 2, 5])
def test_all_seats_of_a_simulated_table_share_what_lies_at_a_place(players: int) -> None:
    book = Book(small_game(one_banker, ANTE).at())
    deal = dealt_rounds(
        book.cells, Keys(book.graph), shoe_cards(book.house.composition), np.zeros(1, np.uint8), players
    )
    cells = deal(500, 3, 0)
    assert cells.shape == (500, players) and (cells == cells[:, :1]).all()
    assert len(np.unique(cells)) == 3, "wins, pushes and losses"


@pytest.mark.parametrize("players", [1, 4])
def test_a_shoe_gives_a_place_its_cards_once_a_round(players: int) -> None:
    book = Book(small_game(one_banker, ANTE).at())
    keys, cards = Keys(book.graph), shoe_cards(book.house.composition)
    gone, left = ShoeRounds(book.cells, keys, cards).deal(2, [0, 1], np.zeros(1, np.uint8), players, 40)
    assert set(np.diff(gone[: len(gone) // 2])) == {players + 2}
    assert (left.sum(1) == 52 - gone).all()
    _, starts = simulator(book.cells, keys, cards, "shoe").one_shoe(2, 0, np.zeros(1, np.uint8), players, 40)
    assert starts == gone[: len(starts)].tolist()


def test_the_longest_round_has_the_most_of_every_place() -> None:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER, 2)
        if t.when(mine[0].rank > NINE):
            t.deal("left", 3)
        else:
            t.deal("right", 4)
            t.deal("left", 1)
        t.settle(ante=LOSE)

    graph = trace(small_game(play, ANTE).at())
    assert graph.places == ("left", "right")
    assert (graph.most_cards(1), graph.most_cards(3)) == (2 + 3 + 4, 3 * 2 + 3 + 4), "seats may go different ways"


def test_a_place_for_which_seats_need_different_cards_is_one_sentence() -> None:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER)
        t.deal("banker", 2 if t.when(mine.rank > NINE) else 1)
        t.settle(ante=LOSE)

    with pytest.raises(BadInput, match="the banker gets 2 cards for one seat and 1 for another; there is one banker"):
        sat(play, "Kh 2c 5d 6d", seats=2)


def every_kind(t: Table) -> None:
    """Places whose names mean something else to the machinery, beside that something."""
    first = t.deal("burn")
    t.burn(1)
    second, third = t.deal("turn up", face=DOWN), t.deal("act", face=DOWN)
    t.deal("to player")
    if t.when(third.rank > second.rank):
        t.reveal("act")
    t.reveal("turn up")
    t.settle(ante=compare(first.rank, second.rank))


def test_no_name_is_taken_for_what_the_table_does() -> None:
    round_ = sat(every_kind, "Kh 2c 3c 4c 5c", seats=2)
    told = [(e["event"], e.get("to", e.get("who")), e.get("cards")) for e in round_.events if e["event"] != "settle"]
    assert told == [
        ("deal", "burn", ["Kh"]),
        ("burn", None, None),
        ("deal", "turn up", ["3c"]),
        ("deal", "act", ["4c"]),
        ("deal", "to player", ["5c"]),
        ("reveal", "act", ["4c"]),
        ("reveal", "turn up", ["3c"]),
    ]
    assert round_.used == 5 and [e["row"] for e in round_.events if e["event"] == "settle"] == ["win", "win"]


def test_a_hand_that_lies_at_two_places_is_turned_at_both() -> None:
    def play(t: Table) -> None:
        both = t.deal("left", face=DOWN) + t.deal("right", face=DOWN)
        t.reveal(both)
        t.settle(ante=compare(both[0].rank, both[1].rank))

    house = small_game(play, ANTE).at()
    graph = trace(house)
    assert [(e.who, e.slots) for e in graph.root.events if isinstance(e, Reveal)] == [("left", (0,)), ("right", (1,))]
    assert [text for text in sheet_steps(house) if text.startswith("Turn up")] == [
        "Turn up the left.",
        "Turn up the right.",
    ]
    assert view_of(sat(play, "Kh 2c"), [1]).places["right"].cards == ("2c",)


# ---- what is seen


def test_a_place_is_hidden_until_it_is_turned() -> None:
    round_ = sat(two_hands, "Kh 2c 9d", seats=2)
    for seat in (1, 2):
        view = view_of(round_, [seat])
        assert {name: hand.cards for name, hand in view.places.items()} == {
            "left hand": ("Kh", "2c"),
            "right hand": (BACK,),
        }
        assert "9d" not in json.dumps(view.json()) and (view.dealer.cards, view.board) == ((), ())
    assert round_.turn is not None and round_.turn.places == {"left hand": ("Kh", "2c"), "right hand": ()}
    for choice in ("stay", "stay"):
        round_.choose(choice)
    sent = json.loads(json.dumps(view_of(round_, [2]).json()))
    assert sent["places"]["right hand"] == {"cards": ["9d"], "count": {}, "wager": "", "playing": False}


def test_a_place_that_nobody_turns_stays_hidden_for_ever() -> None:
    def play(t: Table) -> None:
        t.deal("spare", 2, face=DOWN)
        t.settle(ante=LOSE)

    round_ = sat(play, "Kh 2c")
    assert round_.over and view_of(round_, [1]).places["spare"].cards == (BACK, BACK)


def test_what_a_place_counts_is_known_where_all_its_cards_are() -> None:
    house = small_game(two_hands, counts=lambda hand: {"points": sum(c.rank for c in hand)}).at()
    round_ = Round(house, cards_of("Kh 2c 9d"), [Seat(all_bets(house))])

    def counts() -> list[Mapping[str, int]]:
        return [hand.count for hand in view_of(round_, [1]).places.values()]

    assert counts() == [{"points": 11}, {}]
    round_.choose("stay")
    assert counts() == [{"points": 11}, {"points": 7}]


def felt(house: House, round_: Round, width: int) -> str:
    screen = Screen(record=True, width=width, file=io.StringIO())
    screen.print(faces.felt(seats.layout(house, view_of(round_, [1])), width))
    return str(screen.export_text())


@pytest.mark.parametrize("width", [30, 60, 100])
def test_the_table_draws_every_place_with_its_name(width: int) -> None:
    round_ = sat(two_hands, "Kh 2c 9d")
    drawn = felt(round_.house, round_, width)
    assert "left hand" in drawn and "right hand" in drawn and "│░░░░░│" in drawn and "♦" not in drawn
    assert all(len(line) <= width for line in drawn.splitlines())
    side_by_side = any("left hand" in line and "right hand" in line for line in drawn.splitlines())
    assert side_by_side == (width > 30)
    round_.choose("stay")
    assert "│9    │" in felt(round_.house, round_, width) and "♦" in felt(round_.house, round_, width)


# ---- what a strategy looks at


def by_the_turn(seen: Seen) -> str:
    high = seen.at("turn")[0].rank >= NINE and seen.at(PLAYER) == seen.player and seen.at("river") == ()
    return "raise" if high and seen.places["turn"] == seen.at("turn") else "fold"


def with_strategy(strategy: Callable[[Seen], str]) -> Game:
    game = same("turn", "river")
    return small_game(game.play, strategies={"own": strategy})


def by_hand(shoe: tuple[int, ...]) -> Fraction:
    """The edge of raising when the turn is nine or higher, card by card."""
    cards, lost, deals = shoe_cards(shoe), 0, 0
    for i, mine in enumerate(cards):
        for j, turn in enumerate(cards):
            for k, river in enumerate(cards):
                if len({i, j, k}) == 3:
                    deals += 1
                    a, b = (mine >> 2) + (turn >> 2), (river >> 2) + 5
                    lost += 1 if turn >> 2 < NINE else -2 * ((a > b) - (a < b))
    return Fraction(lost, deals)


def test_a_strategy_looks_at_a_place_by_its_name() -> None:
    game = with_strategy(by_the_turn)
    shoe = stripped([2, 6, 7, 8, 12])
    assert analyze(game.at(shoe=shoe), "own").wager("ante").house_edge == by_hand(shoe)
    z = simulate(game.at(), 1 << 18, strategy="own").wager("ante").z
    assert z is not None and abs(z) < 4


def test_a_place_that_no_card_is_ever_dealt_to_is_one_sentence() -> None:
    game = with_strategy(lambda seen: "raise" if seen.at("trun") else "fold")
    with pytest.raises(BadInput, match="no card is ever dealt to 'trun'; there are player, dealer, board, turn, river"):
        analyze(game.at(), "own")


def test_a_place_is_known_to_a_strategy_also_where_a_wager_is_counted_without_it() -> None:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER)
        folds = t.decide("fold", "raise") == "fold"
        extra = t.deal("extra")
        t.settle(side=first_match(("win", extra.rank == NINE)))
        if not folds:
            t.bet("raise")
            t.settle(raise_=where(mine.rank > NINE, WIN, LOSE))
        t.settle(ante=LOSE if folds else WIN)

    graph = trace(small_game(play, ANTE, RAISE, Wager("side")).at())
    (decision,) = only(graph, ["ante", "raise"]).decisions()
    assert decision.places == ("extra",) and decision.sight["extra"] == ()


def test_the_chart_and_the_exposures_name_the_place() -> None:
    result = analyze(same("turn", "river").at(shoe=stripped([2, 7, 12])))
    assert {row.sees for row in result.strategy} >= {"player 4, turn 9", "player A, turn 4"}
    assert "the river's hidden card" in [e.what for e in exposures(same("turn", "river").at(), "ante")]
    assert "the board's hidden card" in [e.what for e in exposures(same(DEALER, BOARD).at(), "ante")]


# ---- logs

FILE = '''"""Two hands: the left one is higher."""

from pitboss.rules import DOWN, Anchor, Game, Table, Wager, compare


def play(t: Table) -> None:
    left, right = t.deal("left hand", 2), t.deal("right hand", face=DOWN)
    if t.decide("stay", "leave") == "stay":
        t.reveal("right hand")
    t.settle(ante=compare(left[0].rank, right.rank))


GAME = Game("two-hands", "Two Hands", play, [Wager("ante", required=True)])
'''


def test_rounds_with_places_are_in_the_log_and_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, log = tmp_path / "two_hands.py", tmp_path / "evening.log"
    path.write_text(FILE)
    game = pb.game(str(path))
    t = pb.table(game.at(), 3, seed=4, log=log)
    for number in range(4):
        for seat in t.seats:
            t.bet(seat, ante=5)
        t.deal()
        while t.turn is not None:
            t.choose(t.turn.seat, ("stay", "leave")[number % 2])
    t.close()
    found = evidence(log, lambda name: named(name, [game], "the log"))
    assert len(found.rounds) == 4
    code, out, _ = run(capsys, "replay", str(log), "--game", str(path), "--json")
    assert code == 0 and len(json.loads(out)["rounds"]) == 4
    assert log.read_text().count("right hand") >= 4


def test_a_round_with_another_place_is_not_the_round_of_the_game() -> None:
    round_ = sat(two_hands, "Kh 2c 9d", "stay")
    log = json.loads(json.dumps(log_of(round_)))
    assert replay(round_.house.game, log).events == round_.events
    log["events"][0]["to"] = "banker"
    with pytest.raises(BadInput, match="event 1 came out otherwise"):
        replay(round_.house.game, log)
