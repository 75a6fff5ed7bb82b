"""Charts: the right size, well-formed, the same every time, with the words on them; and the edges against an option."""

import json
import os
import struct
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from helpers import ROOT, load_game, run
from pitboss.catalog import load
from pitboss.cli.across import axis, show
from pitboss.exact import Study, analyze
from pitboss.exact.across import across
from pitboss.ledger.figure import DOUBLE, SIMULATED, Figure
from pitboss.ledger.records import Analysis, Outcome, Played, StrategyRow, WagerResult
from pitboss.plot import chart_map, edges, plot_file, returns, strategy_map
from pitboss.plot.heat import _place
from pitboss.plot.lines import _apart
from pitboss.plot.returns import MIXED, MOST_BARS, _bars
from pitboss.rules import LOSE, PLAYER, WIN, Choice, Game, Table, Wager, where
from pitboss.rules.errors import BadInput

EXAMPLES = ROOT / "examples"


def words_of(path: Path) -> str:
    """All text of a picture, which must be well-formed."""
    root = ElementTree.fromstring(path.read_text())
    assert root.tag.endswith("svg")
    return " | ".join("".join(t.itertext()) for t in root.iter() if t.tag.endswith("}text"))


def size_of(path: Path) -> tuple[int, int]:
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    return width, height


@pytest.fixture(scope="module")
def bluff() -> Analysis:
    return analyze(load("bluff").at())


@pytest.fixture(scope="module")
def blackjack() -> Study:
    return Study(load("blackjack").at())


# ---- every chart of a shipped game


def test_a_return_distribution_names_its_outcomes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "returns.svg"
    code, out, _ = run(capsys, "analyze", "bluff", "--wager", "suit-tie", "--plot", str(file))
    text = words_of(file)
    assert code == 0 and f"chart: {file}" in out
    for word in ("Bluff: what the suit-tie brings", "match", "suit", "house edge 4.823%", "exact", "decks=6", "+15"):
        assert word in text
    assert "mathdefault" not in text and "$\\" not in text


def test_a_strategy_map_has_every_card_and_every_expectation(bluff: Analysis, tmp_path: Path) -> None:
    file = tmp_path / "strategy.svg"
    strategy_map(file, bluff)
    text = words_of(file)
    for row in bluff.strategy:
        for value in row.values.values():
            assert f"{float(value):+.2f}" in text
    for word in ("check", "call", "raise", "first action", "| A |", "| 10 |"):
        assert word in text


def test_a_chart_of_any_number_of_cards_has_a_letter_in_every_square(blackjack: Study, tmp_path: Path) -> None:
    chart_map(tmp_path / "chart.svg", blackjack.of, blackjack.drawing.basic(), blackjack.drawing.looks_at())
    text = words_of(tmp_path / "chart.svg")
    for word in ("hard hands", "soft hands", "pairs", "the dealer's card", "A 7", "10 10", "double precision"):
        assert word in text
    squares = [t for t in text.split(" | ") if t in ("S", "H", "D", "P", "R")]
    assert len(squares) == (17 + 8 + 10) * 10


def test_a_night_is_drawn_with_its_quantiles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "night.svg"
    words = ("floor", "bluff", "--bet", "ante=25", "--hours", "4", "--days", "5", "--plot", str(file), "--json")
    code, out, _ = run(capsys, *words)
    text = words_of(file)
    assert code == 0
    shift = json.loads(out)["shift"]
    for quantile in shift["quantiles"]:
        if quantile["share"] in (0.01, 0.5, 0.99):
            win = quantile["distribution"]
            assert f"{'-' if win < 0 else ''}${abs(win):,.0f}" in text
    assert f"{100 * shift['chance_to_lose']['distribution']:.1f}% of them lose" in text
    assert "normal approximation" in text and "dollars" in text


def test_edges_across_an_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "decks.svg"
    code, out, _ = run(capsys, "analyze", "bluff", "--across", "decks", "--plot", str(file))
    text = words_of(file)
    assert code == 0
    for decks in (2, 4, 6, 8):
        for wager in analyze(load("bluff").at({"decks": decks})).wagers:
            assert f"{float(wager.house_edge):.4%}" in out
    for word in ("house edge across decks", "ante 4.21%", "suit-tie 3.61%", "house edge, percent"):
        assert word in text
    assert "decks=" not in text  # the option that varies is no part of the source line


def test_edges_across_an_option_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "analyze", "bluff", "--wager", "ante", "--across", "tie", "-o", "decks=8", "--json")
    data = json.loads(out)
    assert code == 0 and data["across_option"] == "tie" and data["options"]["decks"] == 8
    for entry in data["edges"]:
        house = load("bluff").at({"decks": 8, "tie": entry["value"]})
        assert Fraction(entry["house_edge_exact"]) == analyze(house, wager="ante").wager("ante").house_edge
    assert [e["value"] for e in data["edges"]] == ["fold-first", "push-first"]


def test_edges_across_two_options_at_once_are_all_combinations(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("analyze", "bluff", "--wager", "ante", "--across", "decks=2,8", "--across", "tie")
    code, out, _ = run(capsys, *words, "--json")
    found = {(e["at"]["decks"], e["at"]["tie"]): Fraction(e["house_edge_exact"]) for e in json.loads(out)["edges"]}
    assert code == 0 and [*found] == [(d, tie) for d in ("2", "8") for tie in ("fold-first", "push-first")]
    for (decks, tie), edge in found.items():
        house = load("bluff").at({"decks": decks, "tie": tie})
        assert edge == analyze(house, wager="ante").wager("ante").house_edge
    assert "8, push-first" in run(capsys, *words)[1]


def test_pay_tables_stand_side_by_side_with_how_often_each_row_comes(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("analyze", "bluff", "--across", "suit-tie=1,3,15;1,4,11")
    code, out, _ = run(capsys, *words)
    lines = [line.split() for line in out.splitlines()]
    assert code == 0 and ["match", "62.20", "+15", "+11"] in lines and ["tie", "17.28", "+3", "+4"] in lines
    for pays in ("1,3,15", "1,4,11"):
        house = load("bluff").at(tables={"suit-tie": pays})
        wager = analyze(house, wager="suit-tie").wager("suit-tie")
        assert [pays, f"{float(wager.house_edge):.4%}"] in [line[:2] for line in lines]
    data = json.loads(run(capsys, "analyze", "packs-poker", "--wager", "ante-bonus", "--across", "ante-bonus=report,H",
                          "--across", "packs", "--json")[1])  # fmt: skip
    assert [e["value"] for e in data["edges"]] == ["report, 3", "report, 2", "H, 3", "H, 2"]


@pytest.mark.parametrize(
    ("across", "phrase"),
    [
        (["flopp"], "'flopp' is not one of decks, tie"),
        (["decks=5"], "'5' is not one of 2, 4, 6 or 8"),
        (["decks", "decks=2"], "name each only once"),
        (["suit-tie=1,3"], "2 pays"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    across: list[str], phrase: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "analyze", "bluff", *(word for one in across for word in ("--across", one)))
    assert code == 2 and not out and phrase in err and err.count("\n") == 1, err


def test_edges_across_some_values(capsys: pytest.CaptureFixture[str]) -> None:
    """A pay table that was typed fits where a row of it cannot come up; a value without the wager is named."""
    words = ("analyze", "blackjack", "--wager", "lucky-lucky", "-p", "lucky-lucky=200,100,50,30,10,3,2,2")
    code, out, _ = run(capsys, *words, "--across", "decks=6,2", "--json")
    found = {e["value"]: Fraction(e["house_edge_exact"]) for e in json.loads(out)["edges"]}
    assert code == 0 and list(found) == ["2", "6"]
    short = load("blackjack").at({"decks": 2}, {"lucky-lucky": "100,50,30,10,3,2,2"})
    assert found["2"] == analyze(short, wager="lucky-lucky").wager("lucky-lucky").house_edge


def test_a_wager_that_only_some_houses_have_is_left_blank(tmp_path: Path) -> None:
    def play(t: Table) -> None:
        card = t.deal(PLAYER)
        t.settle(ante=where(card.rank < 6, LOSE, WIN))
        if t.option("side") == "on":
            t.settle(red=where(card.suit < 2, LOSE, WIN))

    red = [Wager("red", needs="ante")]
    game = Game(
        "small", "A small game", play, lambda o: [Wager("ante", required=True), *(red if o["side"] == "on" else [])],
        options=[Choice("side", ("on", "off"), "whether there is a side bet")],
    )  # fmt: skip
    found = across(game.at(), [axis(game.at(), "side")])
    alone = across(game.at(), [axis(game.at(), "side")], wager="red")
    assert [*alone.found] == [("on",)] and dict(alone.left_out) == {("off",): "there is no red"}
    with pytest.raises(BadInput, match="across: with side=off, there is no red"):
        across(game.at(), [axis(game.at(), "side=off")], wager="red")
    assert {v: [*w] for (v,), w in found.found.items()} == {"on": ["ante", "red"], "off": ["ante"]}
    screen = Console(record=True, width=80, file=StringIO())
    show(screen, found)
    off = next(line for line in screen.export_text().splitlines() if line.split()[:1] == ["off"])
    assert off.split()[-1] == "-"


# ---- a game of one's own


def test_a_game_of_ones_own_has_every_chart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(EXAMPLES / "casino_war.py")
    title = load_game(EXAMPLES / "casino_war.py").title
    asked = [
        ("analyze", path, "--plot", "returns.png"),
        ("strategy", path, "--plot", "strategy.png"),
        ("floor", path, "--hours", "1", "--days", "2", "--plot", "night.png"),
        ("analyze", path, "--across", "decks", "--plot", "decks.png"),
    ]
    for *words, file in asked:
        code, out, err = run(capsys, *words, str(tmp_path / file))
        assert (code, err) == (0, "") and title in out
        assert size_of(tmp_path / file) == (1600, 900)


def test_red_dog_is_drawn_by_the_library(tmp_path: Path) -> None:
    """The same without the command line: a decision after several cards, and outcomes of one wager and its raise."""
    found = Study(load_game(EXAMPLES / "red_dog.py").at()).analysis()
    returns(tmp_path / "returns.svg", found)
    strategy_map(tmp_path / "strategy.svg", found)
    assert found.of.title in words_of(tmp_path / "returns.svg")
    assert {r.decision for r in found.strategy} <= set(words_of(tmp_path / "strategy.svg").split(" | "))


def test_hands_of_three_cards_are_one_map(tmp_path: Path) -> None:
    found = analyze(load_game(EXAMPLES / "three_card_poker.py").at(), wager="ante")
    strategy_map(tmp_path / "x.svg", found)
    text = words_of(tmp_path / "x.svg")
    assert "a pair or better: always play" in text and "one suit: always play" in text
    assert "no pair, several suits" in text and "the second-highest card in sight" in text
    assert "50%" in text  # queen, six: play with a four or a five, fold the rest


def test_what_counters_win_is_a_square_for_every_shoe_and_cut_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("protect", "bluff", "--wager", "suit-tie", "--decks", "2,8", "--cut", "0.5,1.5", "--shoes", "60")
    code, out, _ = run(capsys, *words, "--plot", str(tmp_path / "x.svg"), "--json")
    text = words_of(tmp_path / "x.svg")
    assert code == 0
    for d in json.loads(out)["wagers"][0]["depths"]:
        won = d["perfect_play"]["dollars_per_hour"]
        assert f"${won:,.{0 if won >= 10 else 2}f}" in text
    for word in ("2 decks", "8 decks", "decks behind the cut card", "tolerates $20", "safe", "by hand", "$500 a bet"):
        assert word in text


def test_many_hands_are_placed_by_their_two_highest_cards() -> None:
    def row(sees: str, *cards: str) -> StrategyRow:
        return StrategyRow("play", sees, cards, Fraction(1), {"a": Fraction(1)}, "a")

    assert _place(row("7 Q 3", "7c", "Qd", "3h")) == (10, 5)
    assert _place(row("player 9, dealer 4", "9c", "4d")) == (2, 7)
    assert _place(row("player 9 K, board 4 J", "9c", "Kc", "4d", "Jd")) == (9, 11)


def test_a_long_return_table_is_gathered_and_loses_nothing() -> None:
    many = tuple(Outcome(f"row {i}", 1, Fraction(1, 60), Fraction(i % 40)) for i in range(60))
    bars = _bars(WagerResult("ante", "standard", many, 60, Fraction(1)))
    assert len(bars) <= MOST_BARS
    assert sum(b.probability for b in bars) == pytest.approx(1)
    assert sum(b.probability * b.pays for b in bars) == pytest.approx(float(sum(o.returns for o in many)))


def test_labels_do_not_lie_on_each_other() -> None:
    heights = _apart([1.0, 1.01, 0.99, 5.0], 0.5)
    assert all(b - a >= 0.5 - 1e-9 for a, b in zip(sorted(heights), sorted(heights)[1:], strict=False))
    assert heights[3] == 5.0


def test_pictures_are_the_same_every_time(bluff: Analysis, tmp_path: Path) -> None:
    for draw, kind in ((returns, "svg"), (strategy_map, "svg"), (returns, "png")):
        first, second = tmp_path / f"a.{kind}", tmp_path / f"b.{kind}"
        for file in (first, second):
            draw(file, bluff)
        assert first.read_bytes() == second.read_bytes()
        assert kind == "png" or "dc:date" not in first.read_text()
    assert size_of(tmp_path / "a.png") == (1600, 900)


# ---- what cannot be drawn


@pytest.mark.parametrize(
    ("words", "phrases"),
    [
        (("analyze", "bluff", "--plot", "x.gif"), (".png", ".svg")),
        (("strategy", "bluff", "--plot", "x"), (".png", ".svg")),
        (("analyze", "bluff", "--plot", "/no/such/folder/x.png"), ("/no/such/folder",)),
        (("analyze", "flop-poker-bonus", "--wager", "pot", "--plot", "x.png"), ("among the players",)),
        (("analyze", "bluff", "--across", "weather"), ("weather", "decks")),
        (("analyze", "bluff", "--across", "meter"), ("meter", "decks")),
        (("analyze", "bluff", "--across", "decks=3"), ("'3'", "2, 4, 6 or 8")),
        (("analyze", "bluff", "--across", "decks", "--bet", "ante=5"), ("--bet",)),
        (("analyze", "bluff", "--across", "decks", "--strategy", "lucky"), ("lucky",)),
    ],
    ids=lambda x: " ".join(x)[:40],
)
def test_a_mistake_is_one_sentence(
    words: tuple[str, ...],
    phrases: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, *words)
    assert code == 2 and out == ""
    assert err.startswith("pitboss: ") and err.count("\n") == 1
    for phrase in phrases:
        assert phrase in err
    assert not list(tmp_path.iterdir())


def test_a_game_without_a_decision_has_no_map(bluff: Analysis, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Bluff has no decision that fits on a chart"):
        strategy_map(tmp_path / "x.svg", replace(bluff, strategy=()))
    assert not list(tmp_path.iterdir())


def test_the_library_speaks_of_files_and_not_of_flags(tmp_path: Path) -> None:
    for file in ("x.gif", str(tmp_path / "none" / "x.png")):
        with pytest.raises(BadInput) as refused:
            plot_file(file)
        assert file in str(refused.value) and "--" not in str(refused.value)


def test_a_file_that_cannot_be_written_is_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.png").mkdir()
    with pytest.raises(BadInput, match="cannot be written"):
        plot_file(str(tmp_path / "a.png"))
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(BadInput, match="cannot be written"):
        plot_file(str(tmp_path / "b.png"))


def test_without_matplotlib_a_chart_is_one_sentence_and_the_rest_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    code, out, err = run(capsys, "analyze", "bluff", "--plot", str(tmp_path / "x.png"))
    assert code == 2 and out == "" and "matplotlib" in err and err.count("\n") == 1
    assert run(capsys, "analyze", "bluff")[0] == 0


def test_a_played_hand_has_a_return_distribution(blackjack: Study, tmp_path: Path) -> None:
    found = blackjack.analysis("main")
    assert found.wagers[0].played is not None
    returns(tmp_path / "x.svg", found)
    text = words_of(tmp_path / "x.svg")
    for word in ("doubled: win", "double precision", "+0.1199 on average", "wins and losses, on average", "simulated"):
        assert word in text
    assert text.count("on average") == 2 and "logarithmic" not in text


def drawn(*rows: tuple[str, Fraction, Fraction]) -> WagerResult:
    """The record of a wager that is played, with these rows."""
    half = Figure(Fraction(1, 2), SIMULATED, 0.1)
    played = Played(Fraction(0), Fraction(0), Fraction(0), None, lambda: (half, half))
    outcomes = tuple(Outcome(name, None, probability, pays) for name, probability, pays in rows)
    return WagerResult("main", "standard", outcomes, None, Fraction(1), method=DOUBLE, played=played)


def test_only_a_row_that_is_an_average_is_neither_win_nor_loss() -> None:
    """6:5 in double precision is no fifth, and a pay all the same; the mean of split hands is no pay."""
    third = Fraction(1, 3)
    bars = _bars(
        drawn(("blackjack", third, Fraction(1.2)), ("split", third, Fraction(0.1198)), ("lose", third, -Fraction(1)))
    )
    assert [b.mixed for b in bars] == [False, True, False]
    assert bars[1].colour == MIXED and bars[1].brings == "+0.1198 on average"
    assert len({b.colour for b in bars}) == 3


def test_rare_pays_together_are_an_average() -> None:
    many = tuple(Outcome(f"row {i}", 1, Fraction(1, 60), Fraction(i - 30)) for i in range(60))
    rest = _bars(WagerResult("ante", "standard", many, 60, Fraction(1)))[-1]
    assert rest.average and rest.brings.endswith("on average")


@pytest.mark.parametrize("rare", [3, 1000, 10**6])
def test_lengths_are_in_proportion_however_rare_an_outcome_is(
    rare: int, bluff: Analysis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How often, and what it brings: two scales, both plain."""
    from matplotlib.figure import Figure as Drawing

    slide = Drawing()
    monkeypatch.setattr(sys.modules["pitboss.plot.returns"], "page", lambda *_: nullcontext(slide))
    rows = (
        Outcome("win", 1, Fraction(1, rare + 1), Fraction(3)),
        Outcome("lose", rare, Fraction(rare, rare + 1), -Fraction(1)),
    )
    wager = WagerResult("ante", "standard", rows, rare + 1, Fraction(1))
    returns(tmp_path / "x.svg", replace(bluff, wagers=(wager,)))
    often, brings = ([bar.get_width() for bar in axes.patches] for axes in slide.axes)  # type: ignore[attr-defined]
    assert often == pytest.approx([1 / (rare + 1), rare / (rare + 1)])
    assert brings == pytest.approx([3 / (rare + 1), -rare / (rare + 1)]) and sum(brings) == pytest.approx(
        float(wager.expectation)
    )
    assert all(axes.get_xscale() == "linear" for axes in slide.axes)


def test_charts_do_not_load_matplotlib_before_they_are_asked_for() -> None:
    script = "import sys, pitboss.plot, pitboss.cli.floor; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "False"


def test_words_have_points_and_numbers_have_lines(tmp_path: Path) -> None:
    """Two wagers that do not change draw a line from deck to deck, and none from word to word."""
    lines = {"ante": [0.0423, 0.0427], "suit-tie": [0.0482, 0.0482], "progressive": [0.1292, 0.1292]}
    strokes = {}
    for option, values in (("tie", ("fold-first", "push-first")), ("decks", ("2", "6"))):
        file = tmp_path / f"{option}.svg"
        edges(file, "Bluff", option, values, lines, "exact")
        strokes[option] = file.read_text().count("stroke-width: 3")
    assert strokes["decks"] >= 3 and strokes["tie"] == 0
    assert "4.23%" in words_of(tmp_path / "tie.svg")  # a point that another one is close to has its label too


def test_settings_that_lie_about_are_not_obeyed(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text("text.usetex: True\nbackend: nonsense\n\x1b[31m: 3\n")
    words = [sys.executable, "-m", "pitboss", "analyze", "bluff", "--wager", "suit-tie", "--plot", "chart.svg"]
    done = subprocess.run(
        words, cwd=tmp_path, capture_output=True, text=True, timeout=120, env={**os.environ, "MPLBACKEND": "evil"}
    )
    assert (done.returncode, done.stderr) == (0, "") and (tmp_path / "chart.svg").is_file()


# ---- where a chart goes


def test_a_chart_takes_the_place_of_another_or_leaves_it(bluff: Analysis, tmp_path: Path) -> None:
    """On a disk that is full the old one stays; a link is followed; others may read it as they may any file."""
    file, link = tmp_path / "old.svg", tmp_path / "link.svg"
    file.write_text("the old one")
    link.symlink_to(file)
    script = (
        "import resource, sys; from pathlib import Path; from pitboss.catalog import load; "
        "from pitboss.exact import analyze; from pitboss.plot import returns; found = analyze(load('bluff').at()); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)); returns(Path(sys.argv[1]), found)"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "MPLCONFIGDIR": str(tmp_path)}
    returns(tmp_path / "first.svg", bluff)  # so that matplotlib has its list of fonts
    done = subprocess.run([sys.executable, "-c", script, str(file)], env=env, capture_output=True, text=True)
    assert "a chart cannot be written to" in done.stderr and file.read_text() == "the old one"
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".part")]
    returns(link, bluff)
    assert link.is_symlink() and "Bluff" in words_of(file) and file.stat().st_mode & 0o044 == 0o044


def test_a_map_of_a_strategy_that_is_far_from_the_best_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What its choices are worth less than others is no depth of a colour."""
    file = tmp_path / "x.svg"
    words = ["strategy", str(EXAMPLES / "casino_war.py"), "--strategy", "always-surrender", "--shoe", "A:20"]
    assert run(capsys, *words, "--plot", str(file))[0] == 0 and "surrender" in words_of(file)


def test_a_home_that_cannot_be_looked_into_is_one_sentence(tmp_path: Path) -> None:
    """And folders that matplotlib cannot use are no concern of the reader's."""
    words = [sys.executable, "-m", "pitboss", "analyze", "bluff", "--wager", "suit-tie", "--plot", "x.svg"]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    env.pop("MPLCONFIGDIR", None)
    for around, code in (({"HOME": "/proc/1/root/x"}, (0, 2)), ({"MPLCONFIGDIR": "/proc/x"}, (0,))):
        done = subprocess.run(words, cwd=tmp_path, env={**env, **around}, capture_output=True, text=True)
        assert done.returncode in code and all(line.startswith("pitboss: ") for line in done.stderr.splitlines())
