"""The packet: the same bytes from the same inputs, figures that are the study's, text that is only text, pages on which
everything lies, and one sentence for what cannot be."""

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pitboss as pb
from helpers import ROOT, run
from pitboss.catalog import load
from pitboss.claims import claims_about
from pitboss.cli.asked import asked_house
from pitboss.cli.papers import asked_output
from pitboss.cli.parser import build_parser
from pitboss.exact import Study
from pitboss.jurisdictions import jurisdiction_named
from pitboss.packets import Brief, Packet, packet_of, write_packet
from pitboss.packets.blocks import Section, exhibits, numbered, plain
from pitboss.rules import BadInput, House
from pitboss.rules.called import wager_called

Captured = pytest.CaptureFixture[str]
ROUNDS = 1 << 18
OWN_GAME = '''"""Coin <script>alert(1)</script> & #read("/etc/passwd") $x$ *bold*: one card, high or low.

Bet, look, and stay or double. `=1+1` is no formula here.
"""

from pitboss.rules import DEALER, DOWN, LOSE, PLAYER, WIN, Game, Table, Wager, compare

def play(t: Table) -> None:
    mine, his = t.deal(PLAYER, 1, face=DOWN), t.deal(DEALER, 1, face=DOWN)
    more = t.decide("stay", "double") == "double"
    if more:
        t.bet("double")
    t.reveal(DEALER)
    result = compare(mine.rank, his.rank)
    t.settle(ante=result)
    if more:
        t.settle(double=result)

GAME = Game(
    name="coin", title="#read(\\"/etc/passwd\\") <b>&amp;</b> $1 _x_", play=play,
    wagers=(Wager("ante", "your card is higher", required=True), Wager("double", "the same again", equal_to="ante")),
    notes=("#panic() is a word like any other.",),
)
'''
BLIND_GAME = '''"""Nine against nine: the most ranks above a ten. There are too many deals to count."""

from pitboss.rules import DEALER, DOWN, PLAYER, Game, Seen, Table, Wager, compare, where

def play(t: Table) -> None:
    mine, his = t.deal(PLAYER, 9, face=DOWN), t.deal(DEALER, 9, face=DOWN)
    more = t.decide("stay", "double") == "double"
    if more:
        t.bet("double")
    t.reveal(DEALER)
    def high(hand):
        total = where(hand[0].rank > 8, hand[0].rank, 0)
        for number, card in enumerate(list(hand)[1:], 2):
            total = total + where(card.rank > 8, number * card.rank, card.suit)
        return total
    result = compare(high(mine), high(his))
    t.settle(ante=result)
    if more:
        t.settle(double=result)

def timid(seen: Seen) -> str:
    """Never double."""
    return "stay"

GAME = Game(
    name="nine", title="Nine against nine", play=play, strategies={"timid": timid},
    wagers=(Wager("ante", "your hand is higher", required=True), Wager("double", "the same again", equal_to="ante")),
)
'''


def made(house: House, **more: Any) -> Packet:
    return packet_of(Brief(house, claims=claims_about(house.game), rounds=ROUNDS, **more))


@pytest.fixture(scope="module")
def bluff() -> Packet:
    return made(load("bluff").at())


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "coin.py"
    path.write_text(OWN_GAME)
    return path


def blocks(packet: Packet, id: str) -> list[dict[str, Any]]:
    return list(next(s for s in packet.sections if s.id == id).blocks)


def words(packet: Packet) -> str:
    """All that is said, as one text."""

    def walk(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for key, found in value.items():
                yield from walk(found) if key != "svg" else ()
        elif isinstance(value, list | tuple):
            for found in value:
                yield from walk(found)

    return "\n".join(walk(packet.data()))


# ---- the same inputs, the same bytes


def test_the_same_inputs_give_the_same_bytes_cold_and_warm(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = pb.game(own).at()
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "one"))
    cold, warm = made(house).pdf(), made(house).pdf()
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path / "two"))
    assert cold == warm == made(pb.game(own).at()).pdf() and cold.startswith(b"%PDF")
    assert made(house, date="2026-11-18").pdf() != cold


def test_what_was_kept_is_of_this_house_alone(own: Path) -> None:
    before = words(made(pb.game(own).at()))
    own.write_text(OWN_GAME.replace("compare(mine.rank, his.rank)", "compare(his.rank, mine.rank)"))
    assert words(made(pb.game(own).at())) != before
    assert words(made(pb.game(own).at(table_max=400))) != words(made(pb.game(own).at()))


# ---- the figures


def figures(block: dict[str, Any]) -> list[list[str]]:
    return [[plain(cell).replace("\u200b", "") for cell in row] for row in block["rows"]]


def test_return_tables_are_those_of_the_study(bluff: Packet) -> None:
    house = load("bluff").at()
    grids = {b["caption"]: figures(b) for b in blocks(bluff, "returns") if b.get("caption")}
    for name in ("ante", "suit-tie", "progressive"):
        exact = Study(house).wager(name)
        called = wager_called(house, name)
        rows = next(rows for caption, rows in grids.items() if caption.startswith(f"{called}, pay table"))
        *each, total = rows
        assert [int(row[1].replace(",", "")) for row in each] == [o.ways for o in exact.outcomes]
        assert int(total[1].replace(",", "")) == exact.ways == sum(int(row[1].replace(",", "")) for row in each)
        edge = -sum(
            Fraction(int(row[1].replace(",", "")), exact.ways or 1) * Fraction(row[4].replace(",", "").replace("+", ""))
            for row in each
        )
        assert edge == exact.house_edge  # from the printed ways and pays alone


def test_the_first_table_says_how_each_figure_is_known(bluff: Packet) -> None:
    assert bluff.headline[0] == "Ante: house edge 4.2295%, exact, 97,032 ways"
    assert "171/4043" in words(bluff)


def test_edges_by_option_are_those_of_each_house(bluff: Packet) -> None:
    grids = {b["caption"]: figures(b) for b in blocks(bluff, "options") if b.get("caption")}
    rows = next(rows for caption, rows in grids.items() if caption.startswith("House edge by decks"))
    for row in rows:
        decks = int(row[0].split()[0])
        edge = Study(load("bluff").at(decks=decks)).wager("ante").house_edge
        assert row[1] == f"{float(edge):.4%}"


# ---- every section, every exhibit


ASKED = {
    "game", "rules", "wagers", "procedure", "equipment", "layout", "examples", "irregular", "mathematics", "returns",
    "options", "strategy", "volatility", "simulation", "protection", "earnings", "verdicts", "questions", "sign",
    "checklist", "approval", "reproduce",
}  # fmt: skip


def test_every_section_is_there_and_every_checklist_line_is_answered_or_yours(bluff: Packet) -> None:
    assert {s.id for s in bluff.sections} == ASKED
    ids = {s.id for s in bluff.sections} | {b["id"] for s in bluff.sections for b in s.blocks if b["kind"] == "part"}
    for name in ("nevada", "washington", "plain"):
        for line in jurisdiction_named(name).checklist:
            assert not line.answered_by or line.answered_by in ids, line.says
    assert bluff.yours and words(bluff).count("yours to supply") > bluff.yours


def test_every_exhibit_has_a_command_that_asks_for_this_house() -> None:
    house = load("bluff").at(decks=8, tables={"suit-tie": "1,3,12"})
    packet = made(house)
    found = list(exhibits(packet.sections))
    assert len(found) > 25 and [b["number"] for _, b in found] == list(range(1, len(found) + 1))
    parser = build_parser()
    for _, block in found:
        typed = shlex.split(block["command"].partition(" && ")[0])
        args = parser.parse_args(typed[1:])
        if args.command in ("verify", "jurisdictions"):
            continue
        if args.command == "layout":
            asked_output(args, "felt.svg", ".svg")
        args.across = getattr(args, "across", [])
        if args.command == "protect":
            args.shoe = None
        assert asked_house(args).tables["suit-tie"].pays == house.tables["suit-tie"].pays
        assert asked_house(args).options["decks"] == 8


def test_numbers_of_exhibits_are_in_order() -> None:
    grid, bare = {"kind": "grid", "caption": "x"}, {"kind": "grid", "caption": ""}
    sections = [Section("a", "A", (grid, {"kind": "para"}, bare))]
    sections.append(Section("b", "B", ({"kind": "picture", "caption": "y"},)))
    assert [b["number"] for _, b in exhibits(numbered(sections))] == [1, 2]


# ---- text is text


def test_a_title_that_looks_like_a_program_is_printed(own: Path, tmp_path: Path) -> None:
    packet = made(pb.game(own).at())
    text = words(packet)
    assert '#read("/etc/passwd") <b>&amp;</b> $1 _x_' in text and "#panic() is a word" in text
    (tmp_path / "own.pdf").write_bytes(packet.pdf())
    printed = pages(tmp_path / "own.pdf")
    assert "#panic() is a word like any other" in " ".join(printed.split()) and "root:x:0:0" not in printed


def test_a_game_that_is_only_simulated_says_so_on_the_page(tmp_path: Path) -> None:
    path = tmp_path / "nine.py"
    path.write_text(BLIND_GAME)
    packet = packet_of(Brief(pb.game(path).at(), rounds=1 << 16))
    text = words(packet)
    assert "Simulated, not counted: Ante." in text and "no figure of it is exact" in text
    assert "simulated" in packet.headline[0] and "±" in packet.headline[0] and "exact" not in packet.headline[0]
    assert any("Ante: simulated" in b.get("caption", "") for b in blocks(packet, "returns"))
    assert packet.pdf()


def test_a_jurisdiction_of_ones_own_and_its_limits(capsys: Captured, own: Path, tmp_path: Path) -> None:
    place = tmp_path / "mine.toml"
    place.write_text((ROOT / "jurisdictions" / "plain.toml").read_text().replace('"plain"', '"mine"', 1))
    there = str(tmp_path / "x.pdf")
    code, out, err = run(capsys, "packet", str(own), "--jurisdiction", str(place), "-o", there, "--rounds", "1e5")
    assert code == 0, err
    assert "x.pdf" in out


# ---- pages


def pages(file: Path) -> str:
    if shutil.which("pdftotext") is None:
        pytest.skip("needs pdftotext: apt-get install poppler-utils")
    return subprocess.run(["pdftotext", "-layout", str(file), "-"], capture_output=True, text=True, check=True).stdout


def test_every_word_lies_inside_its_page(bluff: Packet, tmp_path: Path) -> None:
    """No overfull line: the boxes of all words are within the margins of their page."""
    file = tmp_path / "bluff.pdf"
    file.write_bytes(bluff.pdf())
    if shutil.which("pdftotext") is None:
        pytest.skip("needs pdftotext: apt-get install poppler-utils")
    shown = subprocess.run(["pdftotext", "-bbox", str(file), "-"], capture_output=True, text=True, check=True).stdout
    wide = 0.0
    seen = 0
    for line in shown.splitlines():
        if found := re.search(r'<page width="([\d.]+)"', line):
            wide = float(found[1])
        elif found := re.search(r'<word xMin="([\d.]+)".* xMax="([\d.]+)"', line):
            seen += 1
            assert float(found[1]) >= 20 and float(found[2]) <= wide - 20, line
    assert seen > 3000


def test_the_file_is_tagged_and_archivable(bluff: Packet, tmp_path: Path) -> None:
    dated = replace(bluff, brief=replace(bluff.brief, date="2026-11-18"))
    file = tmp_path / "bluff.pdf"
    file.write_bytes(dated.pdf())
    assert b"pdfaid" in file.read_bytes() and b"pdfuaid" in file.read_bytes()


# ---- what is written, and what cannot be


def test_the_command_writes_packet_record_and_workbook(capsys: Captured, own: Path, tmp_path: Path) -> None:
    book = tmp_path / "coin.xlsx"
    words_ = ["packet", str(own), "-o", str(tmp_path / "coin.pdf"), "-o", "table-max=400", "--rounds", "1e5"]
    code, out, err = run(capsys, *words_, "--workbook", str(book), "--by", "A & B <x>", "--date", "2026-11-18")
    assert code == 0, err
    assert (tmp_path / "coin.pdf").read_bytes().startswith(b"%PDF") and book.exists()
    record = json.loads((tmp_path / "coin.approval.json").read_text())
    said = out.replace("\n", "")  # a long path is folded
    assert "coin" in json.dumps(record) and "coin.pdf" in said and "coin.approval.json" in said
    code, out, _ = run(capsys, *words_, "--json")
    assert code == 0 and json.loads(out)["exhibits"] > 10


@pytest.mark.parametrize(
    ("words_", "said"),
    [
        (["-o", "x.svg"], "ends in .pdf"),
        (["-o", "a.pdf", "-o", "b.pdf"], "one file is written, not 2"),
        (["-o", "no/such/folder/x.pdf"], "there is no folder 'no/such/folder'"),
        (["--font", "No Such Font"], "the font 'no such font' is not there"),
        (["--fonts", "nowhere"], "there is no folder 'nowhere'"),
        (["--date", "yesterday"], "write a day such as 2026-11-18, not 'yesterday'"),
        (["--paper", "a0"], "'a0' is not one of letter or a4"),
        (["--workbook", "x.ods"], "--workbook ends in .xlsx"),
        (["--claims", "nothing.toml"], "nothing.toml"),
        (["--jurisdiction", "atlantis"], "atlantis"),
        (["--jurisdiction", "washington", "-o", "table-max=5000"], "WAC 230-15-140"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_one_sentence(
    capsys: Captured, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words_: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, "packet", str(own), *words_, "--rounds", "1e5")
    assert code == 2 and not out and said.lower() in err.lower() and len(err.strip().splitlines()) == 1, err
    assert not list(tmp_path.glob("*.pdf")) and not list(tmp_path.glob("*.json"))


def test_a_folder_that_cannot_be_written_to(capsys: Captured, own: Path, tmp_path: Path) -> None:
    (tmp_path / "there.pdf").mkdir()
    code, _, err = run(capsys, "packet", str(own), "-o", str(tmp_path / "there.pdf"))
    assert code == 2 and "it is a folder, a pipe or a device" in err


def test_an_approval_refuses_what_it_does_not_know(capsys: Captured, tmp_path: Path) -> None:
    house = load("bluff").at()
    written = write_packet(Brief(house, rounds=ROUNDS), tmp_path / "bluff.pdf")
    record = str(written.record)
    code, _, err = run(
        capsys, "packet", "bluff", "-p", "suit-tie=1,3,20", "--approval", record, "-o", str(tmp_path / "n.pdf")
    )
    assert code == 2 and "suit-tie" in err and "1, 3, 15" in err.replace(",1", ", 1")
    assert not (tmp_path / "n.pdf").exists()


def test_the_front_door(own: Path, tmp_path: Path) -> None:
    found = pb.packet(pb.game(own), tmp_path / "own.pdf", rounds=1e5)
    assert found.file.exists() and found.record.exists() and found.exhibits > 10
    with pytest.raises(BadInput, match=r"ends in \.pdf"):
        pb.packet(pb.game(own), tmp_path / "own.doc")
