"""The front door: its page is true, its names are there, every record can be taken along, a mistake is one sentence."""

import csv
import doctest
import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pitboss as pb
from helpers import ROOT
from pitboss.ledger.shown import Shown, ShownList

PAGE = ROOT / "docs" / "library.md"
NAUGHTY = '''"""Bluff, under a name that no page should run."""
from dataclasses import replace

from pitboss.games import bluff
from pitboss.rules import PayTable


def wagers(options):
    def named(w):
        return replace(w, tables=[PayTable("<script>", t.pays) for t in w.tables]) if w.name == "suit-tie" else w

    return [named(w) for w in bluff.GAME.wagers(options)]


GAME = replace(bluff.GAME, title="<script>alert('Bluff & Co')</script>", wagers=wagers)
'''
CLAIMS = """
game = "naughty.py"
document = "<script>"

[[claim]]
id = "X-1"
says = "<script>alert(1)</script>"
where = "page 1"
printed = "4.2295%"
wager = "ante"

[[claim]]
id = "X-2"
says = "house edge of the side bet"
where = "page 2"
printed = "77.77%"
wager = "suit-tie"
"""


# ---- the page


def test_the_page_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every block of docs/library.md, from top to bottom, in a folder where it may write."""
    shutil.copytree(ROOT / "claims", tmp_path / "claims")
    monkeypatch.chdir(tmp_path)
    text = re.sub(r"^```.*$", "", PAGE.read_text(encoding="utf-8"), flags=re.M)  # the end of a block ends its output
    page = doctest.DocTestParser().get_doctest(text, {}, "library.md", str(PAGE), 0)
    assert len(page.examples) > 80
    said = io.StringIO()
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False).run(page, out=said.write)
    assert not failed, said.getvalue()


def test_every_block_of_the_page_is_run() -> None:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), flags=re.M | re.S)
    assert blocks and all(kind == "python" and body.startswith(">>> ") for kind, body in blocks)


# ---- names


def test_every_name_is_there_documented_and_sorted() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert pb.__all__ == sorted(set(pb.__all__)) and dir(pb) == pb.__all__
    for name in pb.__all__:
        found = getattr(pb, name)
        assert f"pb.{name}" in page, name
        assert name == "__version__" or (found.__doc__ or "").strip(), name


def test_an_unknown_name_is_answered_with_what_there_is() -> None:
    with pytest.raises(AttributeError, match=r"no 'analyse'.*BadInput.*verify"):
        _ = pb.analyse  # type: ignore[attr-defined]
    with pytest.raises(ImportError):
        exec("from pitboss import nothing")


def test_the_import_loads_nothing_heavy() -> None:
    """Nor does a house, or a live table: a face in a browser should not wait for a compiler."""
    script = "import sys; {}; print(*({{m.partition('.')[0] for m in sys.modules}} & {}))"
    heavy = {"numpy", "rich", "llvmlite", "matplotlib", "pandas"}
    for statement, not_wanted in (
        ("import pitboss, pitboss as pb; dir(pb); pb.__version__", heavy | {"fractions", "typing", "dataclasses"}),
        ("import pitboss as pb; pb.table(pb.game('bluff').at(decks=2), seats=2)", heavy),
    ):
        words = [sys.executable, "-c", script.format(statement, not_wanted)]
        assert not subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT).stdout.split()


def test_a_study_is_the_one_that_shows_itself() -> None:
    assert type(pb.study("bluff")) is pb.Study and issubclass(pb.Study, Shown)
    assert pb.Study(pb.game("bluff").at(decks=8)).wager("ante").edge.exact == Fraction(227, 5395)


def test_the_lines_of_the_design(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library as it was drawn up, line by line, with fewer rounds and shoes."""
    monkeypatch.chdir(tmp_path)
    house = pb.game("bluff").at(decks=8, limit="high", tables={"suit-tie": "1,3,12"})
    study = pb.study(house)
    assert "172,640 ways" in str(study.plan)
    assert str(study.wager("ante").edge) == "1.8350%, exact 99/5395"
    assert len(study.chart("first action")) == 13
    assert str(study.playing("casual").wager("ante").edge) == "4.2076%, exact 227/5395"
    assert [pb.study(h).wager("suit-tie").edge.exact for h in house.across("decks")][-1] == Fraction(36, 415)
    assert pb.simulate(house, rounds=1e4, seats=5).rounds == 50_000
    assert not pb.verify(str(ROOT / "claims" / "bluff.toml")).wrong
    assert pb.design(house, "suit-tie", edge=("4%", "6%")).found == 2
    assert pb.protect(house, "suit-tie", shoes=20).wagers[0].edge == Fraction(36, 415)
    assert pb.floor(house, seats=5).plan.seats == 5
    table = pb.table(house, seats=3, seed=1)
    table.bet(1, ante=10)
    table.deal()
    assert table.view(1).dealer.cards == ("??",)
    table.choose(1, "raise")
    assert study.plot("returns.svg").is_file() and "suit-tie" in study.to_csv("returns.csv")
    assert Path("returns.csv").read_text(encoding="utf-8") == study.to_csv()


# ---- records


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One record of every kind, of a game whose title and pay table are HTML."""
    folder = tmp_path_factory.mktemp("naughty")
    (folder / "naughty.py").write_text(NAUGHTY, encoding="utf-8")
    (folder / "naughty.toml").write_text(CLAIMS, encoding="utf-8")
    house = pb.game(folder / "naughty.py").at()
    study = pb.study(house)
    simulated = pb.simulate(house, 2000, seed=3)
    guarded = pb.protect(house, "suit-tie", decks=6, cuts=1, shoes=10)
    found = {
        "Study": study,
        "Chart": study.chart("first action"),
        "WagerResult": study.wager("suit-tie"),
        "Analysis": study.analysis(),
        "Together": study.together({"ante": 10, "suit_tie": "7.50"}),
        "Progressive": study.progressive("progressive"),
        "Simulation": simulated,
        "SimulatedWager": simulated.wager("suit_tie"),
        "Verdicts": pb.verify(folder / "naughty.toml", games=folder / "naughty.py"),
        "Designed": pb.design(house, "suit-tie", edge=(0.04, 0.06), top=3),
        "PolicySearch": pb.policy(house, top=2),
        "Protection": guarded,
        "Protected": guarded.wagers[0],
        "Floor": pb.floor(house, seats=2, bets={"ante": 25, "suit_tie": 5}, rates={"suit-tie": "40%"}),
    }
    assert all(kind in ("Study", "Chart") or type(record).__name__ == kind for kind, record in found.items())
    return found


KINDS = (
    "Study", "Chart", "WagerResult", "Analysis", "Together", "Progressive", "Simulation", "SimulatedWager", "Verdicts",
    "Designed", "PolicySearch", "Protection", "Protected", "Floor",
)  # fmt: skip
DRAWN = ("Study", "Analysis", "Protection", "Floor")


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_has_a_table_and_goes_to_csv_and_back(kind: str, records: dict[str, Any], tmp_path: Path) -> None:
    record = records[kind]
    rows = record.table()
    assert rows and all(row and not any(isinstance(v, list | dict) for v in row.values()) for row in rows)
    text = record.to_csv(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text(encoding="utf-8") == text
    back = list(csv.DictReader(io.StringIO(text)))
    names = list(dict.fromkeys(name for row in rows for name in row))
    assert list(back[0]) == names
    assert back == [{n: "" if row.get(n) is None else str(row[n]) for n in names} for row in rows]


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_goes_to_json_and_back(kind: str, records: dict[str, Any], tmp_path: Path) -> None:
    def never(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    record = records[kind]
    text = record.to_json(tmp_path / "a.json")
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == text
    data = json.loads(text, parse_constant=never)
    assert data == json.loads(json.dumps(record.to_dict()))


@pytest.mark.parametrize("kind", KINDS)
def test_the_table_of_a_notebook_is_escaped(kind: str, records: dict[str, Any]) -> None:
    page = records[kind]._repr_html_()
    rows = records[kind].table()
    assert page.startswith("<table><caption>") and page.endswith("</table>")
    assert page.count("<tr>") == page.count("</tr>") == len(rows) + 1
    tags = set(re.findall(r"</?\w+", page))
    assert tags == {f"{end}{tag}" for end in ("<", "</") for tag in ("table", "caption", "tr", "th", "td")}
    if kind not in ("Chart", "Together", "Progressive", "SimulatedWager", "Protected"):  # which have no such word
        assert "&lt;script&gt;" in page


def test_figures_that_belong_together_are_columns_that_are_named_together(records: dict[str, Any]) -> None:
    assert {"pays_suit", "pays_tie", "pays_match"} <= set(records["Designed"].table()[0])
    assert records["PolicySearch"].table()[0]["policy_dealer-folds"] == "2-6"
    assert "perfect_play_dollars_per_hour" in records["Protected"].table()[0]
    first = records["Chart"].table()[0]
    assert first["expectation_exact_raise"] == "-265/311" and first["best"] == "raise"


def test_verdicts_of_a_document_by_kind(records: dict[str, Any]) -> None:
    assert [v.claim.id for v in records["Verdicts"].wrong] == ["X-2"]
    assert records["Verdicts"].title() == "1 confirmed, 1 contradicted"


def test_what_is_not_a_number_is_null_in_json(records: dict[str, Any]) -> None:
    odd = replace(records["SimulatedWager"], std_dev=float("nan"), z=float("inf"))
    data = json.loads(odd.to_json())
    assert data["std_dev"] is None and data["z"] is None and data["rounds"] == "2000"


def test_a_chart_of_a_strategy_is_a_tuple_that_shows_itself(records: dict[str, Any]) -> None:
    chart = records["Chart"]
    assert isinstance(chart, tuple) and isinstance(chart, ShownList) and len(chart) == 13
    assert repr(chart) == chart.title() == "13 rows" and repr(ShownList(chart[:1])) == "1 row"


def test_a_record_without_rows_is_an_empty_table() -> None:
    spared = ShownList()
    assert spared.table() == [] and spared.to_csv() == "\n" and "<td" not in spared._repr_html_()


# ---- data frames


def test_a_frame_says_what_is_missing(records: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(pb.BadInput, match="needs pandas or polars, and neither is installed"):
        records["Analysis"].to_frame()


@pytest.mark.parametrize("name", ["pandas", "polars"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_is_made_by_what_is_installed(
    name: str, kind: str, records: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def frame(columns: dict[str, list[Any]], **settings: Any) -> str:
        asked.append((columns, settings))
        return f"a frame of {name}"

    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, name, SimpleNamespace(DataFrame=frame))
    assert records[kind].to_frame() == f"a frame of {name}"
    ((columns, settings),) = asked
    rows = records[kind].table()
    assert [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)] == [
        {n: row.get(n) for n in columns} for row in rows
    ]
    assert settings == ({} if name == "pandas" else {"strict": False})


# ---- charts


@pytest.mark.parametrize("kind", KINDS)
def test_charts_are_drawn_or_refused(kind: str, records: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "chart.svg"
    if kind not in DRAWN:
        with pytest.raises(pb.BadInput, match="no chart of this kind of record") as refused:
            records[kind].plot(file)
        assert "\n" not in str(refused.value) and not file.exists()
        return
    assert records[kind].plot(file) == file
    text = file.read_text(encoding="utf-8")
    assert "<svg" in text and "<script>" not in text
    for wrong in ("chart.pdf", "chart", "", tmp_path / "nowhere" / "chart.svg", None):
        with pytest.raises(pb.BadInput, match=r"^a chart ") as refused:
            records[kind].plot(wrong)
        assert "\n" not in str(refused.value)


def test_charts_need_no_study_before_them(tmp_path: Path) -> None:
    """In a fresh Python: a record knows its chart whoever made it."""
    script = """
import pitboss as pb
pb.floor("bluff", seats=1).plot("floor.svg")
pb.protect("bluff", "suit-tie", decks=6, cuts=1, shoes=5).plot("protect.svg")
"""
    subprocess.run([sys.executable, "-c", script], check=True, cwd=tmp_path)
    assert (tmp_path / "floor.svg").is_file() and (tmp_path / "protect.svg").is_file()


def test_a_file_that_cannot_be_written_is_one_sentence(records: dict[str, Any], tmp_path: Path) -> None:
    for where in (tmp_path, tmp_path / "nowhere" / "a.csv", "\0", 5.5):
        for way in (records["Analysis"].to_csv, records["Analysis"].to_json):
            with pytest.raises(pb.BadInput, match="cannot be written") as refused:
                way(where)
            assert "\n" not in str(refused.value)


# ---- hostile arguments

NAN, INF, HUGE = float("nan"), float("inf"), 10**5000
WEIRD: tuple[Any, ...] = (
    None,
    True,
    0,
    0.5,
    NAN,
    INF,
    HUGE,
    "",
    "x",
    "1/0",
    "1e999999999",
    b"x",
    "\0",
    object(),
    [],
    {1: 2},
    1j,
)
NAMES: tuple[Any, ...] = (5, True, NAN, "", "nothing", "\0", b"ante", [], {}, object(), ["ante"], HUGE)
NUMBERS: tuple[Any, ...] = (True, NAN, INF, -INF, HUGE, -1, "", "x", "1/0", "1e999999999", b"5", [], {}, object(), 1j)
WHOLE: tuple[Any, ...] = (
    0.5,
    NAN,
    INF,
    HUGE,
    -HUGE,
    1e300,
    True,
    "",
    "x",
    "5.5",
    b"5",
    [],
    {},
    object(),
    1j,
    Fraction(1, 2),
)
BETS: tuple[Any, ...] = (
    5, "ante", ["ante"], object(), {"x": 5}, {5: 5}, {"raise": 5}, *({"ante": bad} for bad in (None, *NUMBERS)),
)  # fmt: skip
LISTS: tuple[Any, ...] = (object(), b"x", {"x": 1}, [None], [NAN], ["x"], [[1]], NAN)

ASKED: dict[str, tuple[Callable[..., object], tuple[Any, ...]]] = {
    "game": (pb.game, (*NAMES, 0.5, None)),
    "study": (pb.study, (None, 5, NAN, b"bluff", [], {}, object(), "", "nothing", "nothing.py", "\0")),
    "strategy": (lambda bad: pb.study("bluff", bad), (*NAMES, None)),
    "patient": (lambda bad: pb.study("bluff", patient=bad), (0, "yes", None, [])),
    "Study": (pb.Study, ("bluff", None, 5)),
    "wager": (lambda bad: pb.study("bluff").wager(bad), (*NAMES, None, "raise")),
    "analysis": (lambda bad: pb.study("bluff").analysis(bad), NAMES),
    "analysis bets": (lambda bad: pb.study("bluff").analysis(bets=bad), BETS),
    "chart": (lambda bad: pb.study("bluff").chart(bad), NAMES),
    "playing": (lambda bad: pb.study("bluff").playing(bad), (*NAMES, None)),
    "paying": (lambda bad: pb.study("bluff").paying(bad), (None, 5, "1,3,12", ["1,3,12"], {"ante": None}, {"x": "1"})),
    "together": (lambda bad: pb.study("bluff").together(bad), BETS),
    "progressive": (lambda bad: pb.study("bluff").progressive(bad), (*NAMES, None, "ante")),
    "law": (lambda bad: pb.study("bluff").law(bad), (*NAMES, None)),
    "laws": (lambda bad: pb.study("bluff").laws(bad), (None, 5, "ante", ["x"], [None], object())),
    "rounds": (lambda bad: pb.simulate("bluff", bad), (*WHOLE, 0, -5, 1e16)),
    "seats": (lambda bad: pb.simulate("bluff", 10, seats=bad), (*WHOLE, None, 0, -1, 99)),
    "seed": (lambda bad: pb.simulate("bluff", 10, seed=bad), (*WHOLE, None)),
    "shoe": (lambda bad: pb.simulate("bluff", 10, shoe=bad), ("A:20", 1, None)),
    "cut": (lambda bad: pb.simulate("bluff", 10, shoe=True, cut=bad), (*NUMBERS, 0, 99)),
    "cut without a shoe": (lambda bad: pb.simulate("bluff", 10, cut=bad), (1,)),
    "simulate strategy": (lambda bad: pb.simulate("bluff", 10, strategy=bad), (*NAMES, None)),
    "simulate wager": (lambda bad: pb.simulate("bluff", 10, wager=bad), NAMES),
    "simulate bets": (lambda bad: pb.simulate("bluff", 10, bets=bad), (*BETS, {"suit-tie": 5}, {"ante": 501})),
    "until_se": (lambda bad: pb.simulate("bluff", until_se=bad), (*NUMBERS, 0)),
    "workers": (lambda bad: pb.simulate("bluff", 10, workers=bad), (*WHOLE, 0, -1)),
    "checkpoint": (lambda bad: pb.simulate("bluff", 10, checkpoint=bad), (5, "", "\0", "nowhere/x", "a" * 5000, ".")),
    "progress": (lambda bad: pb.simulate("bluff", 10, progress=bad), (5, "x")),
    "verify": (pb.verify, (None, 5, "", "\0", "nothing.toml", ".", b"x", [], "a" * 5000)),
    "verify games": (lambda bad: pb.verify(games=bad), (None, 5, "", "\0", "nothing.py", b"x", [None], "bluff\0.py")),
    "design wager": (lambda bad: pb.design("bluff", bad, edge="5%"), (*NAMES, None)),
    "edge": (
        lambda bad: pb.design("bluff", "suit-tie", edge=bad),
        (None, *NUMBERS[:4], HUGE, 5, "", "x", "6%..4%", "900%", ("4%",) * 3, (), ("4%", None), (NAN, 1), b"5%", {}),
    ),
    "rows": (lambda bad: pb.design("bluff", "suit-tie", edge="5%", rows=bad), (None, 5, "x", "match=x", *LISTS)),
    "step": (lambda bad: pb.design("bluff", "suit-tie", edge="5%", step=bad), (*NUMBERS, None, 0)),
    "any_order": (lambda bad: pb.design("bluff", "suit-tie", edge="5%", any_order=bad), ("no", 1)),
    "taste": (lambda bad: pb.design("bluff", "suit-tie", edge="5%", taste=bad), (*NAMES, None)),
    "top": (lambda bad: pb.design("bluff", "suit-tie", edge="5%", top=bad), (*WHOLE, None, 0, -1)),
    "across": (lambda bad: pb.design("bluff", "suit-tie", edge="5%", across=bad), NAMES),
    "policy": (lambda bad: pb.policy("bluff", bad), (*WHOLE, None, 0, -1)),
    "a policy that there is not": (pb.policy, ("flop-poker-bonus", None, 5)),
    "protect wager": (lambda bad: pb.protect("bluff", bad), NAMES),
    "decks": (lambda bad: pb.protect("bluff", "suit-tie", decks=bad, shoes=5), (*LISTS, 7, 0, "x", [2, 7], [HUGE])),
    "cuts": (lambda bad: pb.protect("bluff", "suit-tie", cuts=bad, shoes=5), (*LISTS, 99, -1, "x", [1, "x"])),
    "shoes": (lambda bad: pb.protect("bluff", "suit-tie", shoes=bad), (*WHOLE, None, 0, -1)),
    "protect seats": (lambda bad: pb.protect("bluff", "suit-tie", shoes=5, seats=bad), (*WHOLE, None, 0, 99)),
    "limit": (lambda bad: pb.protect("bluff", "suit-tie", shoes=5, limit=bad), (*NUMBERS, 0, 1)),
    "tolerate": (lambda bad: pb.protect("bluff", "suit-tie", shoes=5, tolerate=bad), (*NUMBERS, None, 0)),
    "states": (lambda bad: pb.protect("bluff", "suit-tie", shoes=5, states=bad), (*WHOLE, 0)),
    "floor bets": (lambda bad: pb.floor("bluff", bets=bad), BETS),
    "rates": (lambda bad: pb.floor("bluff", rates=bad), (*BETS, {"suit-tie": "140%"}, {"ante": "50%"})),
    "hands": (lambda bad: pb.floor("bluff", hands=bad), (*WHOLE, None, 0, -1, 10**9)),
    "hours": (lambda bad: pb.floor("bluff", hours=bad), (*NUMBERS, None, 0, 10**9)),
    "days": (lambda bad: pb.floor("bluff", days=bad), (*WHOLE, None, 0)),
    "risk": (lambda bad: pb.floor("bluff", risk=bad), (*NUMBERS, None, 0, 1, "100%")),
    "floor seats": (lambda bad: pb.floor("bluff", seats=bad), (*WHOLE, 0, 99)),
    "floor wager": (lambda bad: pb.floor("bluff", wager=bad), NAMES),
    "floor strategy": (lambda bad: pb.floor("bluff", strategy=bad), (*NAMES, None)),
    "table": (pb.table, WEIRD),
    "table seats": (lambda bad: pb.table("bluff", bad), (*WHOLE, None, 0, -1, 99)),
    "table seed": (lambda bad: pb.table("bluff", seed=bad), WHOLE),
    "shuffle": (lambda bad: pb.table("bluff", shuffle=bad), (5, "x", [])),
    "shuffle and seed": (lambda bad: pb.table("bluff", shuffle=bad, seed=1), (list,)),
    "purses": (lambda bad: pb.table("bluff", purses=bad), ("x", NAN, INF, -1, {9: 100}, {1: "x"}, [], object())),
    "spots": (
        lambda bad: pb.table("bluff", 3, spots=bad), (None, 5, "12", [1, 2], [(1, 9)], [(1, 2), (2, 3)], object()),
    ),
    "bots": (lambda bad: pb.table("bluff", bots=bad), (5, "x", [], {1: None}, {1: "basic"}, {9: print})),
    "log": (lambda bad: pb.table("bluff", log=bad), (5, [], "", "\0", ".", "nowhere/x", "a" * 5000)),
    "replay": (pb.replay, (None, 5, "", "\0", "nothing.jsonl", ".", b"x", [], "a" * 5000)),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_a_hostile_argument_is_one_sentence(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never another exception, never a wait, never a page of text."""
    monkeypatch.chdir(tmp_path)
    ask, hostile = ASKED[name]
    for bad in hostile:
        with pytest.raises(pb.BadInput) as refused:
            ask(bad)
            pytest.fail(f"{name}: {bad!r:.60} was taken")
        text = str(refused.value)
        assert text and "\n" not in text and (len(text) < 600 or isinstance(bad, str)), (bad, text)
    assert not list(tmp_path.iterdir()), "something was written"


@pytest.mark.parametrize(
    "shoe", [(), (0,) * 52, (-1,) * 52, (0.5,) * 52, (1,), (1, *(0,) * 51), ("x",) * 52], ids=str
)  # fmt: skip
def test_a_shoe_that_cannot_be_dealt_is_one_sentence(shoe: Any) -> None:
    asks: tuple[Callable[[pb.House], object], ...] = (
        pb.study, pb.simulate, pb.policy, pb.protect, pb.floor, pb.table, lambda h: pb.design(h, "suit-tie", edge="5%"),
    )  # fmt: skip
    for ask in asks:
        with pytest.raises(pb.BadInput, match="shoe") as refused:
            ask(pb.game("bluff").at(shoe=shoe))
        assert "\n" not in str(refused.value)


def test_a_shoe_with_just_enough_cards_is_dealt() -> None:
    house = pb.game("bluff").at(shoe=(1, 1, *(0,) * 50))
    assert pb.study(house).wager("suit-tie").hit_frequency == 1  # two deuces: always a tie


# ---- what may be written in several ways


def test_amounts_and_shares_may_be_written_as_one_likes() -> None:
    study = pb.study("bluff")
    wanted = study.together({"ante": 25, "suit-tie": 5})
    for ante, side in ((25.0, "5"), ("$25", "5.00"), (Fraction(25), 5.0)):
        assert study.together({"ante": ante, "suit_tie": side}) == wanted
    rates = ({"suit_tie": r} for r in ("40%", 0.4, "2/5", Fraction(2, 5)))
    assert {float(pb.floor("bluff", seats=1, rates=r).plan.rate("suit-tie")) for r in rates} == {0.4}
    edges = (("4%", "6%"), "4%..6%", (0.04, 0.06), [Fraction(1, 25), "6%"])
    assert {pb.design("bluff", "suit-tie", edge=e).found for e in edges} == {3}


def test_one_thing_alone_is_a_list_of_one() -> None:
    one = pb.protect("bluff", "suit_tie", decks=6, cuts=1, shoes=5)
    assert one == pb.protect("bluff", "suit-tie", decks=[6], cuts=["1"], shoes=5.0)  # type: ignore[arg-type]
    assert [(d.decks, d.cut) for d in one.wagers[0].depths] == [(6, 1)]
    alone, listed = (pb.design("bluff", "suit-tie", edge="5%", rows=r) for r in ("match=10..20", ["match=10..20"]))
    assert alone == listed and alone.tables == 11


def test_a_house_may_be_a_game_or_its_name_or_its_file() -> None:
    house = pb.game("bluff").at()
    file = ROOT / "src" / "pitboss" / "games" / "bluff.py"
    for same in (house, house.game, "bluff", file, str(file)):
        assert pb.study(same).house == house  # type: ignore[arg-type]


def test_a_simulation_goes_on_until_the_error_is_small_enough() -> None:
    found = pb.simulate("bluff", until_se=0.001, wager="ante")
    assert found.wagers[0].standard_error <= 0.001 and found.rounds != 10_000_000
    assert pb.simulate("bluff", 1000, until_se=1e-6).rounds == 1000
    one, two = (pb.simulate("bluff", 300_000, workers=n, seed=5) for n in (1, 2))
    assert one == two
