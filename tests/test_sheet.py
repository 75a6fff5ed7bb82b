"""The dealer's sheet: the steps of live rounds in their order, examples that were played, every clause."""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import pitboss as pb
from helpers import (
    ANTE,
    GAME_FILES,
    OPEN_ENDED,
    case_name,
    load_game,
    options_of,
    random_round,
    sheet_steps,
    small_game,
)
from pitboss.live import Round
from pitboss.live.seat import Seat
from pitboss.rules import (
    DEALER,
    DOWN,
    LOSE,
    PLAYER,
    WIN,
    BadInput,
    Game,
    House,
    RuleError,
    Table,
    Wager,
    compare,
    where,
)
from pitboss.rules.procedure import procedure
from pitboss.rules.spoken import spoken
from pitboss.rules.steps import Does, Procedure
from pitboss.rules.trace import trace
from pitboss.sheets import Sheet, sheet_of
from pitboss.sheets.examples import LOSE as LOST
from pitboss.sheets.examples import PUSH as PUSHED
from pitboss.sheets.examples import WIN as WON
from pitboss.sheets.examples import possible

CLAUSES = Path(__file__).parent / "clauses.csv"
SILENT = {"carry", "toke", "free"}  # events that are no step of their own
HOUSES = [
    (path, options)
    for path in GAME_FILES
    for options in options_of(load_game(path))
    if not options or path not in OPEN_ENDED  # such a round is slow, and goes the same ways
]


# ---- against live rounds


def tops(told: Procedure) -> list[set[Does]]:
    """What each numbered step does, with all that stands under it."""
    return [{does for _, step in top.walk() for does in step.does} for part in told for top in part.steps]


def happened(house: House, round_: Round) -> Iterator[set[Does]]:
    """The events of a round, each as the steps that it may be."""
    lines: dict[str, set[str]] = {}
    for decision in spoken(house).decisions():
        lines.setdefault(decision.name, set()).add(str(decision.site.line))
    for event in round_.events:
        kind = event["event"]
        if kind == "choose":
            yield {("decide", line) for line in lines[event["decision"]]}
        elif kind == "say":
            yield {("say", event["words"])}
        elif kind in ("burn", "split"):
            yield {(kind,)}
        elif kind in ("deal", "reveal"):
            yield {(kind, event["to"] if kind == "deal" else event["who"])}
        elif kind not in SILENT:
            yield {(kind, event["wager"])}


def later_hand(does: Does) -> bool:
    """A wager on a hand after a split, or the tail of one of several alike, which the sheet tells of the first."""
    return bool(re.fullmatch(r"hand-\d", does[-1]))


def out_of_order(told: list[set[Does]], round_: Round, house: House) -> str:
    """The first event that no step from the last one on has; nothing where all is as the sheet says."""
    at = 0
    for one_of in happened(house, round_):
        if all(later_hand(does) for does in one_of):
            continue
        found = next((i for i in range(at, len(told)) if told[i] & one_of), None)
        if found is None:
            return f"{one_of} after step {at + 1}"
        at = found
    return ""


@pytest.mark.parametrize(("path", "options"), HOUSES, ids=case_name)
def test_live_rounds_take_the_steps_of_the_sheet_in_their_order(path: Path, options: dict[str, str]) -> None:
    house = load_game(path).at(options)
    told = tops(procedure(house))
    for seed in range(4):
        round_ = random_round(house, 3, seed)
        assert len(round_.events) > 3 and not out_of_order(told, round_, house)


@pytest.mark.parametrize("name", ["bluff", "flop-poker-bonus", "packs-poker"])
def test_every_step_of_the_sheet_comes_up(name: str) -> None:
    house = pb.game(name).at()
    seen = {d for seed in range(80) for one_of in happened(house, random_round(house, 2, seed)) for d in one_of}
    steps = {d for top in tops(procedure(house)) for d in top if d[0] != "choice"}
    assert steps - seen == set()


@pytest.mark.parametrize("name", ["bluff", "flop-poker-bonus", "packs-poker", "blackjack"])
def test_a_sheet_in_another_order_would_be_found(name: str) -> None:
    house = pb.game(name).at()
    told = tops(procedure(house))
    doing = [i for i, does in enumerate(told) if does]
    turned = [told[i] for i in doing[::-1]]
    assert out_of_order(turned, random_round(house, 2, 1), house)


def test_a_fold_is_taken_at_once_and_the_bonus_is_settled_before_the_flop_bet() -> None:
    house = pb.game("flop-poker-bonus").at()
    bets = {"pot": Fraction(5), "ante": Fraction(10), "3-card-bonus": Fraction(5)}
    cards = random_round(house, 2, 4).shoe
    round_ = Round(house, cards, [Seat(bets), Seat(bets)], [(1, "fold"), (2, "bet")])
    kinds = [(e["event"], e.get("seat"), e.get("wager")) for e in round_.events]
    flop = next(i for i, e in enumerate(round_.events) if e["event"] == "reveal")
    assert kinds.index(("settle", 1, "ante")) < kinds.index(("choose", 2, None)) < flop
    assert flop < kinds.index(("settle", 2, "3-card-bonus")) < kinds.index(("settle", 2, "ante"))
    assert kinds.index(("settle", 2, "flop")) < kinds.index(("settle", 1, "3-card-bonus"))  # from the right
    assert kinds.index(("pot", None, "pot")) > kinds.index(("settle", 1, "3-card-bonus"))


def test_a_bust_is_taken_before_the_next_player_acts_and_the_money_is_the_same() -> None:
    house = pb.game("blackjack").at()
    bets = {"main": Fraction(10), "lucky-break": Fraction(5)}
    found = 0
    for seed in range(12):
        round_ = Round(house, random_round(house, 2, seed).shoe, [Seat(bets), Seat(bets)])
        while round_.turn is not None:
            round_.choose("hit" if "hit" in round_.turn.choices else round_.turn.choices[0])
        for number, event in enumerate(round_.events):
            if "takes" in event:
                found += 1
                wager, stake = next(iter(event["takes"].items()))
                later = [e for e in round_.events[number:] if e.get("seat") == event["seat"]]
                settled = next(e for e in later if e["event"] == "settle" and e["wager"] == wager)
                assert (settled["row"], settled["net"]) == ("lose", f"-{stake}")
                dealer = next(i for i, e in enumerate(round_.events) if e["event"] == "reveal")
                assert number < dealer
                if event["seat"] == 1:
                    choices = [i for i, e in enumerate(round_.events) if e["event"] == "choose" and e["seat"] == 2]
                    assert not choices or number < choices[-1]
    assert found > 3


def test_the_dealer_looks_under_an_ace_and_a_ten_and_under_nothing_else() -> None:
    house = pb.game("blackjack").at()
    looked = Counter[tuple[bool, bool]]()
    for seed in range(40):
        round_ = random_round(house, 1, seed)
        up = next(e for e in round_.events if e["event"] == "deal" and e["to"] == "dealer")["cards"][0][0]
        said = any(e["event"] == "say" and e["words"].startswith("Look at the hole card") for e in round_.events)
        looked[up in "ATJQK", said] += 1
    assert set(looked) == {(True, True), (False, False)}


def test_chips_that_are_paid_back_or_taken_have_left_the_circle() -> None:
    t = pb.table(pb.game("blackjack").at(), seed=5)
    paid = taken = 0
    for _ in range(12):
        t.bet(1, main=10, lucky_lucky=5, lucky_break=5)
        t.deal()
        while t.turn is not None:
            left = t.view(1).seats[1].unsettled
            assert "lucky-lucky" not in left and "lucky-break" in left
            paid += 1
            t.choose(1, "hit" if "hit" in t.turn.choices else t.turn.choices[0])
        seat = t.view(1).seats[1]
        taken += bool(seat.taken)
        assert all(seat.nets[wager] < 0 for wager in seat.taken)
    assert paid > 5 and taken > 3


# ---- the cut card


def test_the_cut_card_lies_where_it_is_put_and_a_continuous_shuffler_has_none() -> None:
    house = pb.game("bluff").at()
    usual, deep = pb.table(house), pb.table(house, cut="0.5")
    assert (usual.shoe.cut, deep.shoe.cut) == (312 - 65, 312 - 26)
    t = pb.table(house, seed=1, continuous=True)
    assert t.shoe.every_round
    for n in range(1, 4):
        t.bet(1, ante=5)
        t.deal()
        t.choose(1, "check")
        assert t.shoe.shuffles >= n
    with pytest.raises(BadInput, match="a continuous shuffler has no cut card"):
        pb.table(house, cut=1, continuous=True)
    with pytest.raises(BadInput, match="a cut card with 468 cards behind it: the shoe has 312"):
        pb.table(house, cut=9)
    with pytest.raises(BadInput, match="shuffled for every round, so there is no cut card"):
        pb.table("flop-poker-bonus", cut=1)


# ---- words of the dealer


def talking(words: str = "Wave.", **more: object) -> Game:
    def play(t: Table) -> None:
        mine, his = t.deal(PLAYER, face=DOWN), t.deal(DEALER, face=DOWN)
        t.say(words, **{k: v(mine, his) if callable(v) else v for k, v in more.items()})  # type: ignore[arg-type]
        t.decide("stay", "go")
        t.reveal(DEALER)
        t.settle(ante=compare(mine.rank, his.rank))

    return small_game(play, ANTE)


def test_a_word_of_the_dealer_is_in_the_sheet_and_in_the_round_and_in_no_count() -> None:
    def silent(t: Table) -> None:
        mine, his = t.deal(PLAYER, face=DOWN), t.deal(DEALER, face=DOWN)
        t.decide("stay", "go")
        t.reveal(DEALER)
        t.settle(ante=compare(mine.rank, his.rank))

    house = talking().at()
    assert trace(house).key == trace(small_game(silent, ANTE).at()).key
    assert "Wave." in sheet_steps(house)
    events = random_round(house, 3, 1).events
    assert [e for e in events if e["event"] == "say"] == [{"event": "say", "words": "Wave."}]
    for_each = random_round(talking(each=True).at(), 3, 1).events
    assert [e["seat"] for e in for_each if e["event"] == "say"] == [1, 2, 3]


@pytest.mark.parametrize(
    ("more", "wrong"),
    [
        ({"words": ""}, "what the dealer does"),
        ({"words": 5}, "what the dealer does"),
        ({"takes": ("side",)}, "the wager 'side' was never declared"),
        ({"when": "aces"}, "takes a condition on the cards"),
        ({"when": lambda mine, his: his.rank > 5}, "a card that not everyone can see"),
        ({"when": lambda mine, his: mine.rank > 5, "each": True}, "a card that not everyone can see"),
    ],
)
def test_what_cannot_be_said_is_refused(more: dict[str, object], wrong: str) -> None:
    with pytest.raises(RuleError, match=wrong):
        trace(talking(**more).at())  # type: ignore[arg-type]


def test_a_round_of_hundreds_of_questions_is_told() -> None:
    def play(t: Table) -> None:
        mine = t.deal(PLAYER)
        for n in range(250):
            if t.decide("stop", "go", name=f"question {n}") == "stop":
                t.settle(ante=LOSE)
                return
        t.settle(ante=where(mine.rank > 5, WIN, LOSE))

    assert len(sheet_steps(small_game(play, ANTE).at())) > 500


def test_what_is_required_changes_the_sheet() -> None:
    game = pb.game("flop-poker-bonus")
    usual, either = (sheet_steps(game.at(required=r)) for r in ("pot-ante", "pot-either"))
    assert "Every player places the Pot and Ante." in usual and "If the player has bet the Ante:" in either
    assert [s for s in either if "nothing to decide" in s] and not [s for s in usual if "nothing to decide" in s]
    bonus_spot = sheet_steps(game.at(folded_hand="bonus-spot"))
    assert [s for s in bonus_spot if "face down on the 3-Card Bonus spot" in s]
    assert [s for s in usual if "face down on the Pot spot" in s]


def test_a_deck_that_is_shuffled_every_round_has_no_cut_card() -> None:
    for path in GAME_FILES:
        house = load_game(path).at()
        assert ("cut card" in " ".join(sheet_steps(house))) == ("decks" in house.options), path


# ---- worked examples


@pytest.mark.parametrize("name", ["bluff", "flop-poker-bonus", "packs-poker"])
def test_there_is_an_example_of_every_way_to_come_out(name: str) -> None:
    sheet = sheet_of(pb.game(name).at())
    wanted = {(w, o) for w, outcomes in possible(sheet.house, sheet.graph).items() for o in outcomes}
    assert {(e.wager, e.outcome) for e in sheet.examples} == wanted and not sheet.rare
    assert sheet.examples == sheet_of(pb.game(name).at()).examples  # the same rounds every time
    for e in sheet.examples:
        assert (e.outcome == WON) == (e.net > 0) and (e.outcome == LOST) == (e.net < 0)
        assert (e.outcome == PUSHED) == (e.net == 0)


def test_an_example_is_a_round_as_the_rules_settle_it() -> None:
    """The cards of an example, settled by hand."""
    ranks = "23456789TJQKA"
    for e in sheet_of(pb.game("bluff").at()).examples:
        mine, his = (e.cards[who][0] for who in ("player", "dealer"))
        if e.wager == "suit-tie":
            pays = 15 if mine == his else 3 if mine[0] == his[0] else 1 if mine[1] == his[1] else -1
            assert e.net == pays * e.stake
        elif e.wager == "raise":
            higher = (ranks.index(mine[0]) > ranks.index(his[0])) - (ranks.index(mine[0]) < ranks.index(his[0]))
            assert e.net == (0 if his[0] in "23456" else higher * e.stake)


def test_cards_are_drawn_and_hands_are_named() -> None:
    lines = [e.line("Ante") for e in sheet_of(pb.game("flop-poker-bonus").at()).examples]
    assert all(re.search("[♣♦♥♠]", line) for line in lines)
    assert any("Five-card hand: a pair of" in line for line in lines)


# ---- irregular cases


def test_every_sheet_says_what_is_done_when_something_goes_wrong() -> None:
    for path in GAME_FILES:
        sheet = sheet_of(load_game(path).at())
        assert {"exposed card", "too few cards", "misdeal", "late bet", "dealer's error"} <= set(sheet.irregular)
        assert ("shoe runs out" in sheet.irregular) == ("decks" in sheet.house.options)


def test_a_game_file_has_its_own_word_on_a_case() -> None:
    game = small_game(lambda t: t.settle(ante=where(t.deal(PLAYER).rank > 5, WIN, LOSE)), ANTE,
                      irregular={"late bet": "It is doubled.", "fire": "Leave."})  # fmt: skip
    found = sheet_of(game.at()).irregular
    assert found["late bet"] == "It is doubled." and found["fire"] == "Leave." and "misdeal" in found
    with pytest.raises(RuleError, match="irregular of a game"):
        small_game(lambda t: None, ANTE, irregular=["late bet"])


def test_places_and_wagers_are_called_as_the_layout_has_them() -> None:
    game = small_game(lambda t: t.settle(ante=compare(t.deal(PLAYER).rank, t.deal("pile").rank)), ANTE,
                      called={"ante": "First Bet", "pile": "heap"})  # fmt: skip
    steps = sheet_steps(game.at())
    assert "Deal one card face up to the heap." in steps and "Every player places the First Bet." in steps
    assert any(s.startswith("The First Bet wins 1 to 1 if the player's card is higher than the heap's") for s in steps)
    with pytest.raises(RuleError, match="called of ante is text"):
        small_game(lambda t: None, Wager("ante", required=True), called={"ante": 5})


# ---- every clause of the documents


def clauses() -> list[dict[str, str]]:
    with CLAUSES.open(newline="") as file:
        return list(csv.DictReader(file, delimiter="|"))


def _words(row: dict[str, str]) -> str:
    game, _, options = row["sheet"].partition(" ")
    sheet: Sheet = pb.sheet(pb.game(game).at(dict(o.split("=") for o in options.split())))
    return " ".join(" ".join(sheet.sentences()).split())


SPEC = {
    **{f"BL-{n}": "bluff" for n in range(1, 12)}, **{f"FP-{n}": "flop-poker-bonus" for n in range(1, 10)},
    **{f"PP-{n}": "packs-poker" for n in range(1, 7)}, **{f"LL-{n}": "blackjack" for n in range(6)},
    **{f"LB-{n}": "blackjack" for n in range(1, 6)}, "LL-A1": "blackjack",
}  # fmt: skip
"""The clauses of the four documents."""


def test_every_clause_is_named() -> None:
    told = {row["clause"] for row in clauses()}
    assert set(SPEC) - told == set() and {c.split(".")[0] for c in told} - set(SPEC) == set()


def test_every_clause_is_a_sentence_of_a_sheet_or_an_event_of_a_round() -> None:
    sheets: dict[str, str] = {}
    missing = []
    for row in clauses():
        if row["sheet"] and row["sheet"] != "-":
            if row["sheet"] not in sheets:
                sheets[row["sheet"]] = _words(row)
            if row["text"] not in sheets[row["sheet"]]:
                missing.append((row["clause"], row["text"]))
        else:
            assert row["sheet"] == "-" and row["text"], f"{row['clause']}: say why it is in no sheet"
    assert not missing


def test_few_clauses_are_in_no_sheet() -> None:
    unnamed = [row for row in clauses() if row["sheet"] == "-"]
    assert 0 < len(unnamed) <= 12 < len(clauses()) / 8
