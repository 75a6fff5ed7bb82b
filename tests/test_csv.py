"""CSV of every table that a command prints: the rows are those of its JSON, and no text of a game runs."""

import csv
import json
from pathlib import Path

import pytest

from helpers import run

SMALL = "--shoes 20"
GAME = """
from pitboss.rules import DEALER, PLAYER, Game, PayTable, Table, Wager, compare, first_match


def play(t: Table) -> None:
    mine, his = t.deal(PLAYER, 1), t.deal(DEALER, 1)
    t.settle(ante=compare(mine.rank, his.rank))
    t.settle(side=first_match(("=1+1", mine.rank == his.rank), ("@tie", mine.suit == his.suit)))


GAME = Game("odd", "Odd", play, (
    Wager("ante", required=True),
    Wager("side", "+cmd|x", tables=[
        PayTable("-first", {"=1+1": 11, "@tie": 1}), PayTable("other", {"=1+1": 12, "@tie": 1}),
    ]),
), notes=("=1+1",))
"""


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@pytest.fixture
def written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> "Written":
    return Written(tmp_path / "rows.csv", capsys)


class Written:
    """A command with `--csv`, beside what it says as JSON."""

    def __init__(self, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.file, self.capsys = file, capsys

    def __call__(self, *words: str, code: int = 0) -> tuple[list[dict[str, str]], dict[str, object]]:
        found, out, err = run(self.capsys, *words, "--csv", str(self.file), "--json")
        assert found == code and not err
        return rows(self.file), json.loads(out)


def test_rules(written: Written) -> None:
    found, data = written("rules", "bluff")
    wagers = data["wagers"]
    assert isinstance(wagers, list)
    told = [(w["wager"], row, pays) for w in wagers for row, pays in w["pays"].items()]
    assert [(r["wager"], r["row"], r["pays"]) for r in found] == told and len(told) == 8
    assert {r["amount"] for r in found if r["wager"] == "progressive"} == {"exactly $5"}


def test_hands(written: Written) -> None:
    found, data = written("hands", "5", "--best", "4")
    assert [r["ways"] for r in found] == [h["ways"] for h in data["hands"]]  # type: ignore[attr-defined]
    assert sum(int(r["ways"]) for r in found) == 2_598_960


def test_verify(written: Written) -> None:
    found, data = written("verify", "bluff")
    claims = data["claims"]
    assert isinstance(claims, list) and [r["id"] for r in found] == [c["id"] for c in claims]
    assert [r["verdict"] for r in found] == [c["verdict"] for c in claims]


def test_design(written: Written) -> None:
    found, data = written("design", "bluff", "--wager", "suit-tie", "--edge", "4%..6%", "--top", "4")
    assert [r["paytable"] for r in found] == [t["paytable"] for t in data["tables"]]  # type: ignore[attr-defined]
    assert found[0]["house_edge_exact"] == "15/311"
    found, data = written("design", "bluff", "--policy", "--top", "2")
    assert [r["house_edge_exact"] for r in found] == ["171/4043", "142/4043"]
    found, data = written("design", "bluff", "--policy", "--across", "decks=6,8")
    assert {r["decks"] for r in found} == {"6", "8"} and data["across_option"] == "decks"


def test_protect(written: Written) -> None:
    found, data = written("protect", "bluff", "--wager", "suit-tie", *SMALL.split())
    (wager,) = data["wagers"]  # type: ignore[misc]
    for name in ("removals", "depths", "exposures"):
        mine = [r for r in found if r["table"] == name]
        assert len(mine) == len(wager[name]) and all(r["wager"] == "suit-tie" for r in mine)
    assert any(r["perfect_play_units_per_100_hands"] for r in found)


def test_floor(written: Written) -> None:
    found, data = written("floor", "bluff", "--bet", "ante=5", "--bet", "progressive=5")
    by_table = {name: [r for r in found if r["table"] == name] for name in ("bets", "swings", "jackpots")}
    assert [r["edge_exact"] for r in by_table["bets"]] == [w["edge_exact"] for w in data["wagers"]]  # type: ignore[attr-defined]
    shift = data["shift"]
    assert isinstance(shift, dict)
    told = [str(q["distribution"]) for q in shift["quantiles"]]
    assert [r["distribution"] for r in by_table["swings"] if r["period"] == shift["period"]] == told
    assert [r["period"] for r in by_table["jackpots"]] == ["shift", "month", "year"]


def test_diff(written: Written) -> None:
    found, data = written("diff", "bluff", "bluff -p suit-tie=1,3,12", code=1)
    assert {"kind": "pay tables", "what": "suit-tie: match", "old": "15 to 1", "new": "12 to 1",
            "needs_approval": "yes"} in found  # fmt: skip
    edge = next(r for r in found if r["what"] == "suit-tie: house edge")
    assert (edge["kind"], edge["old"], edge["new"], edge["needs_approval"]) == ("figures", "15/311", "30/311", "yes")
    assert len(found) == len(data["changes"]) + len(data["figures"])  # type: ignore[arg-type]


def test_what_analyze_and_strategy_print_in_other_ways(written: Written) -> None:
    found, data = written("analyze", "bluff", "--across", "decks")
    assert [r["house_edge_exact"] for r in found] == [e["house_edge_exact"] for e in data["edges"]]  # type: ignore[attr-defined]
    found, _ = written("analyze", "bluff", "--plan")
    assert found[0]["wagers"] == "ante, suit-tie, progressive" and found[0]["ways"] == "97032"
    found, data = written("strategy", "bluff", "--rule")
    assert [r["strategy"] for r in found] == [r["strategy"] for r in data["rungs"]]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "command", ["rules GAME", "analyze GAME", "design GAME --wager side --edge 5% --top 3", "floor GAME",
                "diff bluff GAME", "analyze GAME --across side"],
)  # fmt: skip
def test_no_cell_runs(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, file = tmp_path / "odd.py", tmp_path / "rows.csv"
    game.write_text(GAME)
    run(capsys, *command.replace("GAME", str(game)).split(), "--csv", str(file))
    cells = [cell for row in csv.reader(file.open(encoding="utf-8", newline="")) for cell in row]
    assert cells and not [c for c in cells if c[:1] in "=@" and c]
    assert not [
        c
        for c in cells
        if c[:1] in "+-" and c and not c[1:].replace(".", "").replace("/", "").replace("e-", "").isdigit()
    ]
    if command == "rules GAME":
        assert "'=1+1" in cells and "'@tie" in cells and "'+cmd|x" in cells and "'-first" in cells


@pytest.mark.parametrize(
    "command",
    [
        "rules bluff",
        "hands 5",
        "verify bluff",
        "design bluff --policy",
        "protect bluff",
        "floor bluff",
        "diff bluff bluff",
    ],
)
def test_a_file_that_is_none_is_one_sentence_before_anything_is_worked_out(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, *command.split(), "--csv", " ")
    assert code == 2 and not out and "--csv needs the name of a file" in err
