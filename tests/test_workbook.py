"""The workbook: LibreOffice works every formula out anew, and each figure must be the exact one, to 1e-12."""

import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import pitboss as pb
from helpers import ROOT, run, small_game
from pitboss.approval import Offered, offers_of
from pitboss.catalog import load
from pitboss.deal import Run
from pitboss.packets import workbook_options
from pitboss.packets.workbook import write_workbook
from pitboss.packets.workbook_cells import Workbook, cell, workbook_file
from pitboss.packets.workbook_options import AtOption, edges_by_options
from pitboss.rules import DEALER, PLAYER, BadInput, House, PayTable, Table, Wager, compare, first_match

SOFFICE = shutil.which("soffice") or shutil.which("libreoffice")
NEAR = 1e-12
SUMMARY = ("wager", "pay table", "dealt", "house edge")


def evil(t: Table) -> None:
    mine, his = t.deal(PLAYER, 1), t.deal(DEALER, 1)
    t.settle(ante=compare(mine.rank, his.rank))
    t.settle(side=first_match(("=1+1", mine.rank == his.rank), ("@SUM(A1)", mine.suit == his.suit)))


AWKWARD = "[a]: b*c?/d\\e 'and a name that is far longer than a sheet may have"


def hostile() -> House:
    """A game whose texts a spreadsheet would run, and whose names no sheet can have."""
    pays = {"=1+1": 20, "@SUM(A1)": 1}
    tables = [PayTable(name, pays | {"=1+1": n}) for n, name in enumerate((AWKWARD, f"{AWKWARD}2", "'"), 15)]
    side = Wager("side", '=HYPERLINK("http://x")', tables=tables)
    return replace(small_game(evil, Wager("ante", required=True), side), title="=cmd|' /C calc'!A0").at()


def dealt(house: House) -> tuple[Offered, ...]:
    """As if the first wager could not be counted."""
    first, *others = offers_of(house)
    found = Run(house, seed=7).run(20_000).wager(first.wager)
    return (replace(first, found=found, why="a count would take a year"), *others)


@dataclass(frozen=True)
class Case:
    house: House
    offers: tuple[Offered, ...]
    options: tuple[AtOption, ...]


@pytest.fixture(scope="session")
def cases() -> dict[str, Case]:
    houses = {
        "bluff": pb.game("bluff").at(decks=8, tables={"suit-tie": "1,3,12"}),
        "three": pb.game("bluff").at({"progressive-bet": "returned"}, progressive="three"),
        "flop": pb.game("flop-poker-bonus").at(),
        "packs": pb.game("packs-poker").at().but(placed=frozenset({"ante-bonus"})),
        "blackjack": pb.game("blackjack").at(),
        "baccarat": load(str(ROOT / "examples" / "baccarat.py")).at(),
        "hostile": hostile(),
    }
    found = {name: Case(house, offers_of(house), ()) for name, house in houses.items()}
    found["bluff"] = replace(found["bluff"], options=tuple(edges_by_options(houses["bluff"])))
    found["dealt"] = Case(houses["baccarat"], dealt(houses["baccarat"]), ())
    return found


Change = Callable[[str, str], str]


def without_values(file: Path, to: Path, change: Change = lambda name, text: text) -> None:
    """The same workbook with no value beside its formulas: whoever opens it has to work them out."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(to, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name.startswith("xl/worksheets/"):
                text = re.sub(r"(</f>)<v>[^<]*</v>", r"\1", data.decode())
                assert "<f>" in text or "sheet" in name
                data = change(name, text).encode()
            new.writestr(name, data)


SLIPS = {  # sheet -> a slip in one of its formulas or counts
    "ante": (r"<f>C8\*D8</f>", "<f>C8+D8</f>"),
    "suit-tie 1,3,12": (r"<f>SUM\(E8:", "<f>SUM(E9:"),
    "suit-tie standard": (r"(<c r=\"B8\"[^>]*>)<v>(\d+)</v>", r"\1<v>1\2</v>"),
    "progressive": (r"<f>SUMPRODUCT\(", "<f>1+SUMPRODUCT("),
    "Meters": (r"<f>C7\+K7\*F7/I7</f>", "<f>C7+K7*F7*I7</f>"),
}


def with_slips(name: str, text: str) -> str:
    sheet = int(name.removeprefix("xl/worksheets/sheet").removesuffix(".xml")) - 2  # behind the summary
    if not 0 <= sheet < len(SLIPS):
        return text
    changed, times = re.subn(*list(SLIPS.values())[sheet], text, count=1)
    assert times == 1, name
    return changed


@pytest.fixture(scope="session")
def books(cases: dict[str, Case], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Every workbook as LibreOffice has worked it out, all in one call; and some with a slip in a formula."""
    if SOFFICE is None:
        pytest.skip("LibreOffice is not here to work the formulas out: apt-get install libreoffice-calc")
    folder = tmp_path_factory.mktemp("workbooks")
    bare, out = folder / "bare", folder / "out"
    bare.mkdir()
    for name, case in cases.items():
        file = write_workbook(folder / f"{name}.xlsx", case.house, offers=case.offers, options=case.options)
        without_values(file, bare / file.name)
    without_values(folder / "bluff.xlsx", bare / "slips.xlsx", with_slips)
    profile = f"-env:UserInstallation=file://{folder / 'profile'}"
    command = [SOFFICE, profile, "--headless", "--convert-to", "xlsx", "--outdir", str(out), *map(str, bare.iterdir())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return {path.stem: openpyxl.load_workbook(path, data_only=True) for path in out.iterdir()}


def summary(book: Any) -> list[dict[str, Any]]:
    """The lines of the first sheet, by their headings."""
    rows = list(book["Summary"].iter_rows(values_only=True))
    heads = rows[4]
    assert heads[:4] == SUMMARY
    last = next(n for n, row in enumerate(rows) if row[0] == "all checks")
    return [dict(zip(heads, row, strict=True)) for row in rows[5 : last + 1]]


def figures(sheet: Any) -> dict[str, tuple[float, str]]:
    """The block beside a return table: figure -> its value as worked out, and its check."""
    return {row[8]: (row[9], row[11]) for row in sheet.iter_rows(min_row=8, values_only=True) if row[8]}


@pytest.mark.parametrize("name", ["bluff", "three", "flop", "packs", "blackjack", "baccarat", "hostile"])
def test_every_edge_that_a_spreadsheet_works_out_is_the_exact_one(
    name: str, cases: dict[str, Case], books: dict[str, Any]
) -> None:
    lines, offers = summary(books[name]), cases[name].offers
    assert len(lines) == len(offers) + 1 and lines[-1]["check"] == "OK"
    for line, offer in zip(lines, offers, strict=False):
        found = offer.counted
        assert found is not None and line["wager"] == offer.wager
        if found.shared:
            assert line["house edge"] is None and line["how it is known"] == "paid among the players"
            continue
        block = figures(books[name][line["sheet"]])
        edge, spread = found.house_edge, found.std_dev
        assert abs(line["house edge"] - float(edge)) < NEAR and abs(block["house edge"][0] - float(edge)) < NEAR
        assert abs(line["return to player"] - float(1 - edge)) < NEAR
        assert abs(line["standard deviation"] - spread) < NEAR * max(1, spread)
        assert abs(line["hit frequency"] - float(found.hit_frequency)) < NEAR
        assert abs(block["element of risk"][0] - float(found.element_of_risk)) < NEAR
        if found.exact:
            assert abs(block["variance"][0] - float(found.variance)) < NEAR * max(1.0, float(found.variance))
            assert line["exactly"] in (f"{edge.numerator}/{edge.denominator}", "on its sheet")
        assert line["check"] == "OK" and all(check in ("OK", None) for _, check in block.values())


def test_every_row_of_a_return_table_is_worked_out(cases: dict[str, Case], books: dict[str, Any]) -> None:
    for name in ("bluff", "blackjack"):
        for line, offer in zip(summary(books[name]), cases[name].offers, strict=False):
            assert offer.counted is not None
            rows = list(books[name][line["sheet"]].iter_rows(min_row=8, values_only=True))
            for row, outcome in zip(rows, offer.counted.outcomes, strict=False):
                assert row[0] == outcome.outcome and row[3] == pytest.approx(float(outcome.pays), abs=NEAR)
                assert row[2] == pytest.approx(float(outcome.probability), abs=NEAR)
                assert row[4] == pytest.approx(float(outcome.returns), abs=NEAR)
                assert row[1] == (None if outcome.ways is None else pytest.approx(outcome.ways, rel=1e-14))


@pytest.mark.parametrize("sheet", SLIPS)
def test_a_slip_in_a_formula_shows(sheet: str, books: dict[str, Any]) -> None:
    """The formulas are really worked out, and the checks of the workbook really look."""
    wrong, right = ([c.value for row in books[of][sheet].iter_rows() for c in row] for of in ("slips", "bluff"))
    assert "differs" in wrong and "differs" not in right and "OK" in right
    lines = {line["sheet"]: line["check"] for line in summary(books["slips"])}
    assert lines.get(sheet, "differs") == "differs" and lines[None] == "differs"


def test_what_no_spreadsheet_holds_stands_there_with_every_digit(cases: dict[str, Case], books: dict[str, Any]) -> None:
    """Ways of thirty digits: as text, and the number beside it is worked out from that."""
    sheet, offer = (
        books["blackjack"]["lucky-break 1"],
        next(o for o in cases["blackjack"].offers if o.wager == "lucky-break"),
    )
    assert offer.counted is not None and (offer.counted.ways or 0) > 10**20
    rows = list(sheet.iter_rows(min_row=8, values_only=True))
    for row, outcome in zip(rows, offer.counted.outcomes, strict=False):
        assert row[6] == str(outcome.ways) and row[1] == pytest.approx(outcome.ways, rel=1e-14)
    assert "15 digits" in sheet["A3"].value
    small = books["bluff"]["ante"]
    assert small["G7"].value is None and "15 digits" not in small["A3"].value


def test_what_was_enumerated_in_double_precision_claims_no_ways(books: dict[str, Any]) -> None:
    sheet = books["blackjack"]["main"]
    rows = list(sheet.iter_rows(min_row=8, values_only=True))
    assert "double precision" in sheet["A3"].value and not sheet["B7"].value
    assert all(row[1] is None for row in rows if row[0]) and rows[0][2] > 0
    assert "simulated, ±" in next(row[12] for row in rows if row[8] == "hit frequency")
    assert summary(books["blackjack"])[0]["how it is known"] == "exact in double precision"


def test_what_can_only_be_dealt_says_so(cases: dict[str, Case], books: dict[str, Any]) -> None:
    offer, line = cases["dealt"].offers[0], summary(books["dealt"])[0]
    assert offer.dealt is not None and line["how it is known"] == "simulated" and line["exactly"] == "-"
    sheet = books["dealt"][line["sheet"]]
    assert "Simulated, not counted: 20,000 hands were dealt. A count would take a year" in sheet["A3"].value
    assert sheet["B7"].value == "hands dealt"
    block = figures(sheet)
    assert abs(line["house edge"] - offer.dealt.house_edge) < NEAR and line["check"] == "OK"
    low, high = offer.dealt.intervals[95]
    assert abs(block["95% from"][0] - low) < 1e-9 and abs(block["95% to"][0] - high) < 1e-9


def test_a_jackpot_pays_what_its_meter_says_and_breaks_even_where_it_should(
    cases: dict[str, Case], books: dict[str, Any]
) -> None:
    for name in ("bluff", "three"):
        offer = next(o for o in cases[name].offers if o.progressive is not None)
        assert offer.progressive is not None
        rows = list(books[name]["Meters"].iter_rows(min_row=7, values_only=True))
        for row, meter in zip(rows, offer.progressive.meters, strict=False):
            assert row[1] == meter.row and row[14] == "OK"
            assert row[11] == pytest.approx(float(meter.break_even), rel=NEAR)
            assert row[12] == pytest.approx(float(meter.average), rel=NEAR)
        long = next(row for row in rows if row[1] and row[1].startswith("edge in the long run"))
        assert long[11] == pytest.approx(float(offer.progressive.long_run_edge), abs=NEAR) and long[14] == "OK"


def test_the_meter_is_an_input_of_the_edge(tmp_path: Path) -> None:
    file = write_workbook(tmp_path / "b.xlsx", pb.game("bluff").at(), options=())
    book = openpyxl.load_workbook(file)
    assert book["progressive"]["D8"].value == "='Meters'!C7/'Meters'!F7-1"  # the bet is dropped
    assert book["Meters"]["K7"].value == "='progressive'!J8"


# ---- what a game file says is text


def test_no_text_of_a_game_becomes_a_formula(cases: dict[str, Case], books: dict[str, Any], tmp_path: Path) -> None:
    file = write_workbook(tmp_path / "h.xlsx", cases["hostile"].house, offers=cases["hostile"].offers, options=())
    with zipfile.ZipFile(file) as book:
        sheets = "".join(book.read(n).decode() for n in book.namelist() if n.startswith("xl/worksheets/sheet"))
        links = "".join(book.read(n).decode() for n in book.namelist() if n.endswith(".rels"))
    formulas = re.findall(r"<f>(.*?)</f>", sheets)
    assert formulas and not [f for f in formulas for word in ("1+1", "HYPERLINK", "cmd", "@") if word in f]
    assert "http://x" not in links
    names = {row[0].value for sheet in books["hostile"] for row in sheet.iter_rows(min_row=8) if row[0].value}
    assert {"=1+1", "@SUM(A1)"} <= names
    assert books["hostile"]["Summary"]["A1"].value.startswith("=cmd|")


def test_sheets_have_names_that_a_sheet_may_have(books: dict[str, Any]) -> None:
    for book in books.values():
        names = [sheet.title for sheet in book.worksheets]
        assert len({name.lower() for name in names}) == len(names)
        for name in names:
            assert 0 < len(name) <= 31 and not re.search(r"[\[\]:*?/\\]", name) and name.strip("'") == name
    book = Workbook("t", "s")
    assert [book.reserve(name) for name in ("a/b", "A:B", "", "History", "'x'")] == [
        "a b", "A B (2)", "sheet", "History (2)", "x",
    ]  # fmt: skip
    assert [len(book.reserve("n" * 40)) for _ in range(12)] == [31] * 12


def test_cells_are_named_as_in_a_spreadsheet() -> None:
    assert [cell(0, 0), cell(6, 25), cell(9, 26), cell(9, 701), cell(9, 702)] == ["A1", "Z7", "AA10", "ZZ10", "AAA10"]
    assert cell(4, 1, fixed=True) == "$B$5"


# ---- the file


def test_the_same_game_gives_the_same_bytes_and_no_clock_or_machine(tmp_path: Path) -> None:
    house = pb.game("bluff").at()
    first = write_workbook(tmp_path / "a.xlsx", house).read_bytes()
    assert pb.workbook(house, tmp_path / "b.xlsx").read_bytes() == first
    with zipfile.ZipFile(tmp_path / "a.xlsx") as book:
        core = book.read("docProps/core.xml").decode()
        assert {info.date_time for info in book.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert re.findall(r"\d{4}-\d\d-\d\dT[\d:]+Z", core) == ["2000-01-01T00:00:00Z"] * 2


def test_formulas_bring_their_values_along(tmp_path: Path) -> None:
    """For who looks at the file and works nothing out."""
    file = pb.workbook("bluff", tmp_path / "b.xlsx")
    shown = openpyxl.load_workbook(file, data_only=True)
    assert [line["check"] for line in summary(shown)] == ["OK"] * 4
    assert summary(shown)[0]["house edge"] == pytest.approx(171 / 4043, abs=1e-15)
    assert figures(shown["ante"])["variance"][0] == pytest.approx(float(pb.study("bluff").wager("ante").variance))


def test_edges_under_other_options_are_values_and_those_of_an_analysis(books: dict[str, Any]) -> None:
    sheet = books["bluff"]["Edge by options"]
    heads = [c.value for c in sheet[7]]
    assert heads[:4] == ["option", "value", "ante", "suit-tie"] and "not formulas" in sheet["A2"].value
    rows = {(row[0], row[1]): row for row in sheet.iter_rows(min_row=8, values_only=True)}
    two = pb.study(pb.game("bluff").at(decks=2, tables={"suit-tie": "1,3,12"})).wager("suit-tie").house_edge
    assert rows["decks", "2"][3] == pytest.approx(float(two), abs=NEAR)
    assert rows["decks", "8"][2] == pytest.approx(227 / 5395, abs=NEAR)
    assert rows["limit", "high"][2] < rows["limit", "standard"][2]


def test_options_are_counted_in_passing_only(monkeypatch: pytest.MonkeyPatch) -> None:
    house = pb.game("bluff").at()
    assert all(one.edges and not one.why for one in edges_by_options(house))
    none = list(edges_by_options(house, seconds=0))
    assert none and all(not one.edges and "takes longer" in one.why for one in none)
    monkeypatch.setattr(workbook_options, "QUICK", 0.0)
    assert all(not one.edges for one in edges_by_options(house))


@pytest.mark.parametrize("file", ["", "b.xls", "b", "no/such/b.xlsx", "b\0.xlsx", "  "])
def test_where_it_cannot_go_is_one_sentence(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput):
        pb.workbook("bluff", file)
    code, out, err = run(capsys, "analyze", "bluff", "--workbook", file)
    assert code == 2 and not out and err.count("\n") == 1 and not list(tmp_path.iterdir())


def test_a_folder_and_a_missing_library_are_one_sentence_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "d.xlsx").mkdir()
    with pytest.raises(BadInput, match="it is a folder"):
        workbook_file(tmp_path / "d.xlsx")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"XlsxWriter.*pip install 'pitboss\[packet\]'"):
        workbook_file(tmp_path / "b.xlsx")


@pytest.mark.parametrize("more", ["--wager ante", "--shoe A:20", "--strategy casual", "--bet ante=5", "--plan"])
def test_a_workbook_is_of_a_whole_house(more: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "analyze", "bluff", "--workbook", str(tmp_path / "b.xlsx"), *more.split())
    assert code == 2 and not out and f"leave out {more.split()[0]}" in err and not list(tmp_path.iterdir())


def test_the_command_writes_it_and_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "b.xlsx"
    code, out, _ = run(capsys, "analyze", "bluff", "-o", "decks=8", "--workbook", str(file))
    assert code == 0 and out.rstrip().splitlines()[-1] == f"workbook: {file}"
    edge = summary(openpyxl.load_workbook(file, data_only=True))[0]["house edge"]
    assert edge == pytest.approx(float(Fraction(227, 5395)), abs=1e-15)
