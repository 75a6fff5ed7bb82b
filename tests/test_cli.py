"""The command line as a user meets it: output, JSON, and one sentence with exit code 2 for every mistake."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from helpers import run
from pitboss.cli import main
from pitboss.cli.parser import build_parser
from pitboss.exact import Study
from pitboss.ledger.records import WagerResult

ROOT = Path(__file__).parents[1]
WAR = str(ROOT / "examples" / "casino_war.py")


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    code, out, err = run(capsys, *words, "--json")
    assert code == 0, err
    return json.loads(out)


def test_games_lists_every_shipped_game(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "games")
    assert code == 0 and "bluff" in out
    assert [g["game"] for g in run_json(capsys, "games")["games"]] == [
        p.stem.replace("_", "-") for p in sorted((ROOT / "src/pitboss/games").glob("[a-z]*.py"))
    ]


def test_analyze_prints_the_edge_and_its_fraction(capsys: pytest.CaptureFixture[str]) -> None:
    """In the first lines, where a reader looks; beside the edge if there is room, else under the table."""
    code, out, _ = run(capsys, "analyze", "bluff")
    assert code == 0
    assert out.index("4.2295%") < out.index("ante = 171/4043") < out.index("agrees") < out.index("97,032")
    assert len(out[: out.index("ante = 171/4043")].splitlines()) < 8
    for column in ("house edge", "RTP", "SD", "hits", "1 in", "pay table"):
        assert column in out.splitlines()[1]


def test_analyze_on_a_wide_screen_has_the_fraction_beside_the_edge(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    row = run(capsys, "analyze", "bluff")[1].splitlines()[3].split()
    assert row == ["ante", "4.2295%", "171/4043", "95.7705%", "1.4549", "48.603%", "2.06", "even", "money"]


def test_a_simulation_says_where_the_edge_lies_with_95_and_99_percent(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "simulate", "bluff", "--rounds", "1e6", "--wager", "ante")
    wager = run_json(capsys, "simulate", "bluff", "--rounds", "1e6", "--wager", "ante")["wagers"][0]
    edge, error = wager["house_edge"], wager["standard_error"]
    for sure, errors in (("95", 1.959964), ("99", 2.575829)):
        low, high = edge - errors * error, edge + errors * error
        assert f"{low:.4%} to {high:.4%} with {sure}%" in out
        assert wager[f"interval_{sure}"] == pytest.approx({"low": low, "high": high}, abs=1e-7)
    assert code == 0


def test_json_of_analyze_is_as_documented(capsys: pytest.CaptureFixture[str]) -> None:
    data = run_json(capsys, "analyze", "bluff", "-o", "decks=8", "-o", "tie=push-first", "-o", "limit=high")
    assert (data["game"], data["method"], data["options"]["decks"]) == ("bluff", "exact", 8)
    ante = data["wagers"][0]
    assert ante["wager"] == "ante" and ante["house_edge_exact"] == "192/5395"
    assert ante["house_edge"] == pytest.approx(192 / 5395, abs=1e-15)
    assert all(isinstance(o["ways"], str) for o in ante["outcomes"])
    assert sum(int(o["ways"]) for o in ante["outcomes"]) == int(ante["ways"])
    assert sum(o["return"] for o in ante["outcomes"]) == pytest.approx(-ante["house_edge"], abs=1e-12)
    assert {r["decision"] for r in data["strategy"]} == {"first action", "facing the dealer's raise"}


def test_custom_pay_table_and_single_wager(capsys: pytest.CaptureFixture[str]) -> None:
    data = run_json(capsys, "analyze", "bluff", "-p", "suit-tie=1,3,12", "--wager", "suit-tie")
    assert [w["wager"] for w in data["wagers"]] == ["suit-tie"]
    assert data["wagers"][0]["paytable"] == "1,3,12"
    assert data["wagers"][0]["house_edge_exact"] == "30/311"  # three pays less on the match: 15/311 + 3 * 5/311


def test_casual_strategy_is_evaluated(capsys: pytest.CaptureFixture[str]) -> None:
    data = run_json(capsys, "analyze", "bluff", "--strategy", "casual")
    assert data["strategy_name"] == "casual"
    assert data["wagers"][0]["house_edge_exact"] == "171/4043"
    assert {r["sees"]: r["chosen"] for r in data["strategy"]}["5"] == "call"


def test_bets_together_in_dollars(capsys: pytest.CaptureFixture[str]) -> None:
    data = run_json(capsys, "analyze", "bluff", "--bet", "ante=100", "--bet", "suit-tie=25")
    together = data["together"]
    assert together["bets"] == {"ante": 100, "suit-tie": 25}
    assert together["expected_loss"] == pytest.approx(100 * 171 / 4043 + 25 * 15 / 311)
    assert sum(o["probability"] for o in together["net"]) == pytest.approx(1)


def test_strategy_shows_ties_as_ties(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "strategy", "bluff")
    assert code == 0 and "check = call" in out and "call = raise" in out
    rows = run_json(capsys, "strategy", "bluff")["strategy"]
    assert [r["best"] for r in rows if r["sees"] == "9"] == [["call", "raise"]]


def test_rules_have_wagers_options_and_procedure_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "rules", "bluff")
    assert code == 0
    steps = ["Deal one card face down to each player", "to the dealer", "chooses check, call or raise", "is 2 to 6"]
    places = [out.index(s) for s in steps]
    assert places == sorted(places)
    for word in ("exactly $5", "required", "push-first", "15 to 1", "casual", "table minimum"):
        assert word in out
    assert out.index("The Suit & Tie pays") < out.index("Settle the Progressive")  # BL-11


@pytest.mark.parametrize("width", ["80", "100"])
def test_rules_are_cut_nowhere_on_a_narrow_screen(
    width: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    data = run_json(capsys, "rules", "flop-poker-bonus")
    code, out, _ = run(capsys, "rules", "flop-poker-bonus")
    lines = out[out.index("Strategies") : out.index("Options (")].splitlines()
    assert code == 0 and max(map(len, out.splitlines())) <= int(width)
    for name, about in data["strategies"].items():
        assert any(line.split()[:1] == [name] for line in lines)
        assert set(about.split()) <= set(" ".join(lines).split())


def test_simulation_agrees_and_depends_on_the_seed_only(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("simulate", "bluff", "--rounds", "1e6", "--seed", "7")
    one = run_json(capsys, *words, "--workers", "1")
    assert one == run_json(capsys, *words, "--workers", "2")
    assert one["wagers"] != run_json(capsys, "simulate", "bluff", "--rounds", "1e6", "--seed", "8")["wagers"]
    assert all(abs(w["z"]) < 4 for w in one["wagers"])
    code, out, _ = run(capsys, "simulate", "bluff", "--rounds", "1e6", "--shoe", "--seats", "3")
    assert code == 0 and "3 seats" in out and "sampled" in out


def test_a_game_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "analyze", WAR)
    assert code == 0 and "2.8" in out and "Casino War" in out


def test_demo_ends_in_agreement(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.cli.demo.ROUNDS", 1_000_000)
    code, out, _ = run(capsys, "demo")
    assert code == 0 and "exact and simulated agree" in out


EMPTY = " ".join(f"{r}:0" for r in "23456789TJQK")
MISTAKES: list[tuple[tuple[str, ...], tuple[str, ...]]] = [
    (("analyze", "blufff"), ("blufff", "bluff")),
    (("analyze", "no/such.py"), ("no/such.py",)),
    (("analyze", "bluff", "-o", "decks=5"), ("decks", "2, 4, 6 or 8")),
    (("analyze", "bluff", "-o", "deck=6"), ("'deck'", "decks")),
    (("analyze", "bluff", "-o", "decks"), ("NAME=VALUE",)),
    (("analyze", "bluff", "-o", "meter=lots"), ("meter", "lots")),
    (("analyze", "bluff", "-o", "meter=-1"), ("meter", "-1")),
    (("analyze", "bluff", "-o", "table-min=10", "-o", "table-max=5"), ("table-min", "table-max")),
    (("analyze", "bluff", "-p", "suit-tie=1,3"), ("2 pays", "suit, tie, match")),
    (("analyze", "bluff", "-p", "suit-tie=1,x,15"), ("'x'", "3/2")),
    (("analyze", "bluff", "-p", "suit-tie=1,3,-4"), ("'-4'",)),
    (("analyze", "bluff", "-p", "suit-tie=generous"), ("generous", "standard")),
    (("analyze", "bluff", "-p", "suite=1,3,15"), ("suite", "suit-tie")),
    (("analyze", "bluff", "--wager", "raise"), ("raise", "ante")),
    (("analyze", "bluff", "--wager", "insurance"), ("insurance", "suit-tie")),
    (("analyze", "bluff", "--strategy", "lucky"), ("lucky", "casual")),
    (("analyze", "bluff", "--bet", "ante=1"), ("ante", "$5", "$500")),
    (("analyze", "bluff", "--bet", "suit-tie=5"), ("suit-tie", "ante")),
    (("analyze", "bluff", "--bet", "ante=5", "--bet", "progressive=10"), ("exactly $5",)),
    (("analyze", "bluff", "--bet", "ante=five"), ("five",)),
    (("simulate", "bluff", "--rounds", "0"), ("--rounds: '0' is not a whole number from 1",)),
    (("simulate", "bluff", "--rounds", "many"), ("many", "1e8")),
    (("simulate", "bluff", "--seats", "8", "--shoe"), ("1 to 7",)),
    (("simulate", "bluff", "--cut", "1"), ("--shoe",)),
    (("play", "bluff", "--seats", "8"), ("1 to 7",)),
    (("simulate", "packs-poker", "--seats", "9"), ("1 to 8",)),
    (("play", "flop-poker-bonus", "--seats", "7"), ("1 to 6",)),
    (("analyze", "flop-poker-bonus", "--bet", "pot=10", "--bet", "ante=10"), ("pot is exactly $5",)),
    (("analyze", "flop-poker-bonus", "--bet", "ante=10"), ("pot", "required")),
    (("analyze", "blackjack", "-o", "decks=9"), ("decks", "7 or 8")),
    (("analyze", "blackjack", "-o", "resplit-aces=yes", "-o", "split-to=2"), ("resplit-aces=yes", "split-to=3 or 4")),
    (("analyze", "blackjack", "--bet", "lucky-lucky=5"), ("lucky-lucky", "main")),
    (("analyze", "blackjack", "--shoe", "A:30"), ("30 of A", "24")),
    (("analyze", "blackjack", "--shoe", "A"), ("'A'", "A:20")),
    (("analyze", "blackjack", "--shoe", "1:20"), ("'1:20'", "A:20")),
    (("analyze", "blackjack", "--shoe", " ".join(f"{r}:0" for r in "23456789TJQKA")), ("empty",)),
    (("analyze", "blackjack", "--wager", "main", "--shoe", f"A:3 {EMPTY}"), ("3 cards are left", "12")),
    (("analyze", "blackjack", "--wager", "main", "--shoe", f"A:12 {EMPTY}"), ("too few cards",)),
    (("analyze", "blackjack", "--strategy", "lucky"), ("lucky", "optimal, basic, rule")),
    (("analyze", "blackjack", "-p", "lucky-lucky=4"), ("'4'", "1, 2 or 3")),
    (("analyze", "blackjack", "-p", "lucky-break=1,2,3"), ("3 pays", "26 suited 5+")),
    (("analyze", "blackjack", "--wager", "hand-2"), ("hand-2", "main")),
    (("simulate", "blackjack", "--shoe", "--cut", "0.1"), ("cut card", "12")),
    (("play", "blackjack", "--seats", "8"), ("1 to 7",)),
    (("play", "blackjack", "--bet", "main=1000"), ("main", "$500")),
    (("analyze", "flop-poker-bonus", "-o", "required=pot-either", "--bet", "pot=5"), ("ante or 3-card-bonus",)),
    (("analyze", "flop-poker-bonus", "--bet", "pot=5", "--bet", "ante=5", "--bet", "flop=10"), ("flop",)),
    (("analyze", "flop-poker-bonus", "-p", "3-card-bonus=100,50,30,6,3"), ("5 pays", "pair")),
    (("analyze", "packs-poker", "--bet", "ante-bonus=5"), ("pack",)),
    (("analyze", "packs-poker", "-o", "packs=4"), ("3 or 2",)),
    (("simulate", "bluff", "--shoe", "--cut", "0"), ("cut card",)),
    (("simulate", "bluff", "--shoe", "--cut", "deep"), ("deep",)),
    (("simulate", "bluff", "--until-se", "-1"), ("--until-se",)),
    (("simulate", "bluff", "--workers", "0"), ("--workers",)),
    (("simulate", "bluff", "--rounds", "10", "--checkpoint", "/no/such/folder/x"), ("/no/such/folder",)),
    (("simulate", "bluff", "--seed", "x"), ("--seed",)),
    (("play", "bluff", "--rounds", "0"), ("--rounds: '0' is not a whole number from 1",)),
    (("replay", "/no/such/log"), ("/no/such/log",)),
    (("count", "bluff"), ("count",)),
    (("analyze",), ("game",)),
]  # fmt: skip


@pytest.mark.parametrize(("words", "phrases"), MISTAKES, ids=lambda x: " ".join(x)[:40])
def test_a_mistake_is_one_sentence(
    words: tuple[str, ...], phrases: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *words)
    assert code == 2
    assert out == ""
    assert err.startswith("pitboss: ") and err.count("\n") == 1
    for phrase in phrases:
        assert phrase in err


def test_a_broken_game_file_names_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text, phrase in (
        ("def play(t)\n", "line 1: this is not Python"),
        ("x = 1\n", "defines no GAME"),
        ("import no_such_module\n", "line 1: the file fails with ModuleNotFoundError"),
    ):
        path = tmp_path / "mine.py"
        path.write_text(text)
        code, _, err = run(capsys, "analyze", str(path))
        assert code == 2 and phrase in err and "Traceback" not in err


def test_replay_checks_a_log(tmp_path: Path) -> None:
    log = tmp_path / "night.jsonl"
    words = [sys.executable, "-m", "pitboss", "play", "bluff", "--json", "--rounds", "3", "--log", str(log)]
    subprocess.run(words, input="\nraise\n" * 3, text=True, check=True, capture_output=True, cwd=ROOT)
    lines = log.read_text().splitlines()
    assert [json.loads(line)["line"] for line in lines] == ["session", *["open", "close"] * 3]
    assert main(["replay", str(log)]) == 0
    log.write_text(log.read_text().replace('"net":"', '"net":"1', 1))
    assert main(["replay", str(log)]) == 2


@pytest.fixture
def long_run(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    words = [
        sys.executable,
        "-m",
        "pitboss",
        "simulate",
        "bluff",
        "--rounds",
        "1e12",
        "--patient",
        "--checkpoint",
        str(tmp_path / "c"),
    ]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    yield process
    process.kill()
    process.wait()


def test_interrupted_simulation_saves_and_says_so(long_run: subprocess.Popen[str], tmp_path: Path) -> None:
    deadline = time.monotonic() + 60
    while not (tmp_path / "c").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    os.kill(long_run.pid, signal.SIGINT)
    out, err = long_run.communicate(timeout=60)
    assert long_run.returncode == 130
    assert "goes on from" in err and "Traceback" not in err
    assert "house edge" in out
    assert json.loads((tmp_path / "c").read_text())["chunks"] > 0


def test_every_command_answers_help() -> None:
    parser = build_parser()
    for name in (
        "games",
        "rules",
        "analyze",
        "strategy",
        "simulate",
        "play",
        "replay",
        "hands",
        "verify",
        "design",
        "protect",
        "floor",
        "demo",
    ):
        with pytest.raises(SystemExit) as stop:
            parser.parse_args([name, "--help"])
        assert stop.value.code == 0


def test_a_simulation_far_from_its_exact_result_says_so_first_and_exits_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An exact result that is wrong, as a kernel with a mistake would give it: the first line, whole at 80 columns."""
    records = Study.records

    def wrong(self: Study, names: Sequence[str], seconds: float) -> dict[str, WagerResult]:
        found = records(self, names, seconds)
        other = Study(self.house.but(tables={"suit-tie": "1,3,12"}), self.strategy)
        return {**found, "suit-tie": other.wager("suit-tie")}

    monkeypatch.setattr(Study, "records", wrong)
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run(capsys, "simulate", "bluff", "--rounds", "3e6")
    first, second, *_ = out.splitlines()
    assert code == 1 and first.startswith("DISAGREES: suit-tie simulated ") and "exact 9.6" in first
    assert second.endswith("standard errors apart: one of the two is wrong.") and max(len(first), len(second)) < 80
    code, out, _ = run(capsys, "simulate", "bluff", "--rounds", "3e6", "--json")
    assert code == 1
    monkeypatch.undo()
    assert run(capsys, "simulate", "bluff", "--rounds", "3e6")[0] == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("design bluff --wager suit-tie --edge 5% --taste wild", "--taste wild puts the tables of a range in order"),
        ("protect bluff --wager suit-tie --shoes 1", "--shoes takes 2 to 50,000, not 1"),
        ("simulate bluff --cut 1", "--cut is for a real shoe, --shoe: with fresh shuffles there is no cut card"),
        ("floor bluff --risk 200%", "--risk: '200%' is not a share from 0% to 100%"),
        ("analyze bluff --across meter", "--across 'meter' is not one of"),
    ],
)
def test_arguments_of_the_library_are_flags_here(words: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, *words.split())
    assert code == 2 and sentence in err, err
