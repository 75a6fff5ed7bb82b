"""A house is a value: frozen, hashable, picklable, with one way to another house and one identity."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from fractions import Fraction
from pathlib import Path

import pytest

import pitboss as pb
from helpers import GAME_FILES, ROOT, case_name, load_game
from pitboss.catalog import load
from pitboss.cli.parser import build_parser
from pitboss.rules.errors import BadInput
from pitboss.rules.files import load_file
from pitboss.rules.game import Game
from pitboss.rules.identity import typed
from pitboss.rules.trace import trace


@pytest.mark.parametrize("path", GAME_FILES, ids=case_name)
def test_a_house_is_the_same_wherever_it_was_made(path: Path) -> None:
    house = load_game(path).at()
    assert house == load_file(path).at() and hash(house) == hash(load_file(path).at())
    again = pickle.loads(pickle.dumps(house))
    assert again == house and hash(again) == hash(house) and again.tables == house.tables
    assert trace(again) is trace(house)
    with pytest.raises(FrozenInstanceError):
        house.placed = frozenset()  # type: ignore[misc]


def test_a_house_with_everything_changed_survives_the_journey_to_another_process(tmp_path: Path) -> None:
    house = load("blackjack").at(decks=2, surrender="late", tables={"lucky-lucky": "100,50,30,15,3,2,2"})
    house = house.but(shoe="A:3 K:2", placed=frozenset({"main", "lucky-lucky"}), stake=Fraction(25))
    file = tmp_path / "house"
    file.write_bytes(pickle.dumps(house))
    code = f"import pickle; h = pickle.load(open({str(file)!r}, 'rb')); print(hash(h) == hash(h), h.key)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.startswith("True") and "surrender" in told
    assert pickle.loads(file.read_bytes()) == house


def test_a_changed_game_file_is_not_taken_for_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text((Path(__file__).parent.parent / "examples" / "red_dog.py").read_text())
    sent = pickle.dumps(load_file(path).at())
    path.write_text(path.read_text() + "\n# another word\n")
    with pytest.raises(BadInput, match="is not the game file that this house was made of"):
        pickle.loads(sent)


def test_but_changes_what_is_named_and_keeps_the_rest() -> None:
    house = load("bluff").at(decks=8, tables={"suit-tie": "1,3,12"}).but(placed=frozenset({"ante"}))
    other = house.but(limit="high")
    assert other.options["decks"] == 8 and other.options["limit"] == "high" and other.placed == {"ante"}
    assert other.tables["suit-tie"] == house.tables["suit-tie"] and house.options["limit"] != "high"
    assert house.but() == house and house.but(decks=8) == house and house.but(decks=6) != house
    assert house.but(dealer_folds="2,3") == house.but({"dealer-folds": "2-3"})


def test_a_shoe_stays_depleted_until_an_option_changes_what_a_full_one_holds() -> None:
    house = load("blackjack").at().but(shoe="A:10")
    assert house.but(soft17="hit").composition == house.composition
    assert sum(house.but(decks=8).composition) == 416 and house.but(decks=8).shoe_left() == ""


def test_a_pay_table_of_ones_own_goes_along_to_other_decks() -> None:
    """With two decks Lucky Lucky has a row less (LL-5): what cannot come up is left out of the chosen table too."""
    house = load("blackjack").at(tables={"lucky-lucky": "200,100,50,30,15,3,2,2"})
    assert next(iter(house.but(decks=2).tables["lucky-lucky"].pays)) == "suited 6-7-8"
    with pytest.raises(BadInput, match="with decks=6 the pay table of lucky-lucky has suited 7-7-7 too"):
        load("blackjack").at(decks=2, tables={"lucky-lucky": "100,50,30,15,3,2,1"}).but(decks=6)


def test_houses_across_an_option() -> None:
    house = load("bluff").at()
    assert [h.decks for h in house.across("decks")] == [6, 2, 4, 8] or {h.decks for h in house.across("decks")} == {
        2, 4, 6, 8,
    }  # fmt: skip
    assert [h.decks for h in house.across("decks", [2, 8])] == [2, 8]
    with pytest.raises(BadInput, match="'meter' is not one of"):
        house.across("meter")


@pytest.mark.parametrize(
    ("options", "tables", "words"),
    [
        ({}, {}, "analyze bluff"),
        ({"decks": 8}, {}, "analyze bluff -o decks=8"),
        ({"limit": "high"}, {"suit-tie": "1,3,12"}, "analyze bluff -o limit=high -p suit-tie=1,3,12"),
    ],
)
def test_the_command_of_a_house_makes_the_same_house(
    options: dict[str, object], tables: dict[str, str], words: str
) -> None:
    from pitboss.cli.asked import asked_house

    house = load("bluff").at(options, tables)
    assert house.provenance().command("analyze") == f"pitboss {words}"
    assert asked_house(build_parser().parse_args(words.split())) == house


def test_one_identity_for_records_logs_and_checkpoints() -> None:
    of = load("bluff").at(decks=8).provenance("casual")
    assert of.json()["options"]["decks"] == 8 and of.header()["options"]["decks"] == "8"
    assert of.fingerprint()["option decks"] == "8" and of.fingerprint()["strategy"] == "casual"
    assert of.json()["game_file_sha256"] == of.header()["game_file_sha256"] == of.fingerprint()["file"]


def test_an_unknown_wager_is_one_sentence() -> None:
    house = load("bluff").at()
    assert house.check_wager("suit_tie") == "suit-tie"
    with pytest.raises(BadInput, match="raise goes with the ante"):
        house.check_wager("raise")
    with pytest.raises(BadInput, match="bluff has no wager 'anti' before the deal; it has ante, suit-tie, progressive"):
        house.check_wager("anti")


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: game.at(5),
        lambda game: game.at(tables=5),
        lambda game: game.at(tables={5: "1,2"}),
        lambda game: game.at(shoe=5),
        lambda game: game.at(shoe=(1, 2, 3)),
        lambda game: game.at().but(tables=5),
        lambda game: game.at().but(5),
        lambda game: game.at().across(5),
        lambda game: game.at().across("decks", 5),
        lambda game: pb.table(game).bet(1, 5),
    ],
)
def test_what_is_no_house_is_one_sentence(ask: Callable[[Game], object]) -> None:
    with pytest.raises(BadInput, match=r"such as|the options with a list of values"):
        ask(pb.game("bluff"))


def test_a_pay_table_is_lent_whichever_way_it_is_chosen() -> None:
    game = load_game(ROOT / "examples" / "let_it_ride.py")
    usual = game.at()
    lender = next(w.table_of for w in usual.wagers if w.table_of)
    text = ",".join("1" for _ in usual.tables[lender].pays)
    assert game.at(tables={lender: text}) == usual.but(tables={lender: text})
    own = {w.name: text for w in usual.wagers if w.table_of}
    kept = usual.but(tables=own).but(tables={lender: usual.tables[lender].name})
    assert all(kept.tables[name].pays != usual.tables[name].pays for name in own), "what has its own keeps it"


@pytest.mark.parametrize(
    "text", ["", " ", ",", ", ,", "A:20 A:19", "A:20 Ah:3", "Ah:3 A:20", "Kh:1,Kh:1", "T:3 10:3", "a:1 A:1"]
)
def test_a_shoe_that_says_nothing_or_says_it_twice_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"says nothing of the cards that are left|was said already"):
        load("bluff").at(shoe=text)


@pytest.mark.parametrize(("text", "left"), [("A:20", 20), ("Ah:3", 21), ("Ah:3 As:0", 15), ("A:20, K:3", 20)])
def test_a_shoe_that_says_it_once_is_taken(text: str, left: int) -> None:
    assert sum(load("bluff").at(shoe=text).composition[48:]) == left


def test_a_command_with_a_name_that_cannot_be_printed_is_one_line_that_a_shell_reads(tmp_path: Path) -> None:
    name = "a\nb'\\c\x1b[31m.py"
    words = ["pitboss", "analyze", name, "--wager", "a b"]
    line = typed(words)
    assert line.isprintable()
    done = subprocess.run(["bash", "-c", f"printf '%s\\0' {line}"], capture_output=True)
    assert done.stdout.decode().split("\0")[:-1] == words
