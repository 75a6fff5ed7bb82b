"""The approval record and the comparison: what is believed, what is refused, and which change needs approval again."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pitboss as pb
from helpers import ROOT, SOURCE, run
from pitboss.approval import Approval, Comparison, approval_of, compared, offers_of, read_approval, write_approval
from pitboss.approval.file import FORMAT, VERSION, seal_of, text_of
from pitboss.approval.offers import EDGE, HITS, LONG_RUN, RISK
from pitboss.approval.record import FigureAt
from pitboss.catalog import load
from pitboss.exact import study as studying
from pitboss.ledger.figure import DOUBLE
from pitboss.rules import BadInput

BLUFF = (SOURCE / "games" / "bluff.py").read_text()


@pytest.fixture(scope="session")
def bluff() -> Approval:
    return pb.approved("bluff")


@pytest.fixture
def edited(tmp_path: Path) -> Callable[[str, str], Approval]:
    """The record of Bluff with one thing in its file changed."""

    def record(old: str, new: str) -> Approval:
        assert BLUFF.count(old) == 1, old
        file = tmp_path / "bluff.py"
        file.write_text(BLUFF.replace(old, new))
        return approval_of(load(str(file)).at())

    return record


def figure(of: Approval, wager: str, name: str = EDGE, table: str = "") -> FigureAt:
    return next(
        f for f in of.figures if (f.wager, f.figure) == (wager, name) and table in ("", f"{f.paid_by}: {f.table}")
    )


# ---- what stands in a record


@pytest.mark.parametrize("name", ["bluff", "flop-poker-bonus"])
def test_a_record_holds_the_sheet_and_every_figure(name: str) -> None:
    house = pb.game(name).at()
    found, sheet = pb.approved(house), pb.sheet(house)
    assert [s.step for s in found.procedure] == [step["step"] for step in sheet.json()["procedure"]]
    assert found.file_sha256 == house.game.sha256 and found.pitboss == pb.__version__
    assert {o.option: o.value for o in found.options} == house.chosen()
    for party in pb.study(house).banked:
        exact = pb.study(house).wager(party)
        assert figure(found, party).exact == f"{exact.house_edge.numerator}/{exact.house_edge.denominator}"
        assert Fraction(figure(found, party, HITS).exact) == exact.hit_frequency
        assert Fraction(figure(found, party, RISK).exact) == exact.element_of_risk
        for member in house.parties[party]:
            for table in member.tables[1:]:
                other = pb.study(house.but(tables={member.name: table})).wager(party)
                assert Fraction(figure(found, party, EDGE, f"{member.name}: {table.name}").exact) == other.house_edge


def test_a_jackpot_has_its_edge_in_the_long_run(bluff: Approval) -> None:
    found = pb.study("bluff").progressive("progressive")
    assert Fraction(figure(bluff, "progressive", LONG_RUN).exact) == found.long_run_edge
    assert Fraction(figure(bluff, "progressive").exact) == found.edge_at_meter


def test_what_is_not_an_exact_count_says_so() -> None:
    house = pb.game("bluff").at()
    ante, *others = offers_of(house)
    assert ante.counted is not None
    double = replace(ante, found=replace(ante.counted, method=DOUBLE))
    found = approval_of(house, offers=(double, *others))
    assert (figure(found, "ante").method, figure(found, "ante").exact) == ("exact in double precision", "")
    assert float(figure(found, "ante").value) == float(ante.counted.house_edge)
    assert compared(approval_of(house), found).verdict == "no"  # the same figure, known in another way


def test_what_cannot_be_counted_is_dealt_with_its_seed_and_error(monkeypatch: pytest.MonkeyPatch) -> None:
    house = pb.game("bluff").at()
    exact = pb.study(house, "casual").wager("ante").house_edge
    real = studying.offered

    def offered(task: Any, decided: Any, patient: bool = False) -> object:
        return "a count would take a year" if "ante" in task.wagers else real(task, decided, patient)

    monkeypatch.setattr(studying, "offered", offered)
    found = approval_of(house, seed=5, rounds=200_000)
    edge = figure(found, "ante")
    assert (edge.method, edge.exact, edge.seed, edge.rounds) == ("simulated", "", "5", "200000")
    assert abs(float(edge.value) - float(exact)) < 5 * float(edge.error) and float(edge.error) > 0
    assert figure(found, "suit-tie").exact == "15/311"
    offer = offers_of(house, rounds=1000)[0]
    assert "a count would take a year" in offer.why and "'casual' of the game file" in offer.why
    again = approval_of(house, seed=6, rounds=200_000)
    assert again != found and compared(found, again).verdict == "no"  # two simulations of one game
    far = replace(edge, value=repr(float(edge.value) + 0.1))
    assert compared(found, replace(again, figures=(far, *again.figures[1:]))).verdict == "yes"


def test_a_record_is_of_a_whole_house() -> None:
    house = pb.game("bluff").at(shoe="A:20")
    with pytest.raises(BadInput, match="a full shoe"):
        pb.approved(house)
    with pytest.raises(BadInput, match="a full shoe"):
        pb.approved(pb.game("bluff").at().but(placed=frozenset({"ante"})))


# ---- the file


def test_the_same_house_gives_the_same_bytes_and_they_are_read_back(bluff: Approval, tmp_path: Path) -> None:
    file = write_approval(tmp_path / "a.json", bluff)
    assert read_approval(file) == bluff and pb.approved(file) == bluff and pb.approved(str(file)) == bluff
    assert file.read_text() == text_of(approval_of(pb.game("bluff").at())) and file.read_bytes().isascii()
    laid_out = tmp_path / "b.json"  # the seal is over what it says, not over how it is laid out
    laid_out.write_text(json.dumps(json.loads(file.read_text()), sort_keys=True))
    assert read_approval(laid_out) == bluff


def test_no_change_of_a_record_is_believed(bluff: Approval, tmp_path: Path) -> None:
    text, file = text_of(bluff), tmp_path / "a.json"
    for old, new in (
        ("171/4043", "171/4044"),
        ('"15"', '"16"'),
        ("face down", "face up"),
        (f'"pitboss": "{pb.__version__}"', '"pitboss": "0.0.1"'),
        ('"6"', '"8"'),
    ):
        assert old in text
        file.write_text(text.replace(old, new, 1))
        with pytest.raises(BadInput, match="does not fit its seal, and is not believed"):
            read_approval(file)
    data = json.loads(text)
    data["record"]["figures"].pop()
    file.write_text(json.dumps(data))
    with pytest.raises(BadInput, match="does not fit its seal"):
        read_approval(file)


def sealed(change: Callable[[dict[str, Any]], object], of: Approval) -> str:
    """A record that somebody has changed and sealed anew, as anybody can."""
    data = json.loads(json.dumps(of.json()))
    change(data)
    return json.dumps({"format": FORMAT, "version": VERSION, "sha256": seal_of(data), "record": data})


BAD: dict[str, Callable[[dict[str, Any]], object]] = {
    "a field is gone": lambda r: r.pop("title" if "title" in r else "game"),
    "a field too many": lambda r: r.update(more="x"),
    "a list for a text": lambda r: r.update(game=["x"]),
    "a text for a list": lambda r: r.update(wagers="x"),
    "a wager without tables": lambda r: r["wagers"][0].update(tables=[]),
    "a wager twice": lambda r: r["wagers"].append(r["wagers"][0]),
    "no edge": lambda r: r["figures"][0].update(value="infinity"),
    "an edge of 999 powers": lambda r: r["figures"][0].update(value="1e999"),
    "an error": lambda r: r["figures"][0].update(error="nan"),
    "no fraction": lambda r: r["figures"][0].update(exact="1/0x"),
    "no method": lambda r: r["figures"][0].update(method="guessed"),
    "no seed": lambda r: r["figures"][0].update(seed="one"),
    "no hash": lambda r: r.update(file_sha256="../evil.py"),
    "no kind": lambda r: r["options"][0].update(kind="law"),
    "no table-max": lambda r: r.update(options=[o for o in r["options"] if o["option"] != "table-max"]),
    "a limit of one's own": lambda r: r["options"][0].update(kind="limit"),
    "no limit": lambda r: next(o for o in r["options"] if o["option"] == "table-max").update(value="lots"),
    "no amount": lambda r: r["wagers"][0].update(most="-5"),
    "no depth": lambda r: r["procedure"][0].update(depth="deep"),
    "a null": lambda r: r.update(about=None),
    "a long text": lambda r: r.update(about="x" * 30_000),
    "too many notes": lambda r: r.update(notes=["x"] * 20_000),
}


@pytest.mark.parametrize("name", BAD)
def test_a_record_that_cannot_be_is_one_sentence(
    name: str, bluff: Approval, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.json"
    file.write_text(sealed(BAD[name], bluff))
    with pytest.raises(BadInput, match="is not an approval record"):
        read_approval(file)
    code, out, err = run(capsys, "diff", str(file), "bluff")
    assert code == 2 and not out and err.count("\n") == 1 and len(err) < 900


def test_the_sealed_record_itself_is_believed(bluff: Approval, tmp_path: Path) -> None:
    """So that the test above cannot pass for another reason."""
    file = tmp_path / "a.json"
    file.write_text(sealed(lambda r: None, bluff))
    assert read_approval(file) == bluff


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "[]", "{}", "5", '"pitboss"', '{"format": 1}', "[" * 100_000, '{"format": "pitboss approval record"}',
        '{"format": "pitboss approval record", "version": 2, "sha256": "", "record": {}}',
        '{"format": "pitboss approval record", "version": 1, "sha256": "", "record": {}, "more": 1}',
        '{"format": "pitboss approval record", "format": "x"}', '{"format": NaN}', '{"format": 1.5}',
        '{"format": ' + "9" * 5000 + "}", "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    ],
)  # fmt: skip
def test_what_is_no_record_is_one_sentence(text: str, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(text, encoding="latin-1")
    with pytest.raises(BadInput, match="approval record") as told:
        read_approval(file)
    assert "\n" not in str(told.value) and len(str(told.value)) < 500


def test_files_that_are_none_are_one_sentence_each(bluff: Approval, tmp_path: Path) -> None:
    big = tmp_path / "big.json"
    big.write_bytes(b" " * ((4 << 20) + 1))
    (tmp_path / "d.json").mkdir()
    for file in (big, tmp_path / "d.json", tmp_path / "none.json"):
        with pytest.raises(BadInput, match="cannot be read"):
            read_approval(file)
    for bad in ("", "a.txt", "a\0.json"):
        with pytest.raises(BadInput, match=r"ends in \.json"):
            read_approval(bad)
        with pytest.raises(BadInput, match=r"ends in \.json"):
            write_approval(bad, bluff)
    with pytest.raises(BadInput, match="cannot be written"):
        write_approval(tmp_path / "no" / "a.json", bluff)


def test_a_record_runs_no_file(bluff: Approval, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evil = tmp_path / "evil.py"
    evil.write_text("from pathlib import Path\nPath(__file__).with_name('it_ran').touch()\n")
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "a.json"
    file.write_text(sealed(lambda r: r.update(game="evil.py", game_title=str(evil)), bluff))
    assert pb.diff(file, "bluff").verdict == "yes" and not (tmp_path / "it_ran").exists()


# ---- what the approval knows


@pytest.mark.parametrize(
    ("at", "why"),
    [
        ({"decks": 8}, "the option decks is 8: the approval knows 6"),
        ({"tables": {"suit-tie": "1,3,20"}}, "suit-tie pays 1, 3, 20: the approval knows standard (1, 3, 15)"),
        ({"table_max": 1000}, "table-max is $1,000: the approval knows bets of $5 to $500"),
        ({"table_min": 1}, "table-min is $1: the approval knows bets of $5 to $500"),
        ({"jackpot_seed": 1}, "the option jackpot-seed is 1: the approval knows 5000"),
    ],
)
def test_a_house_that_was_not_approved_is_refused(at: dict[str, Any], why: str, bluff: Approval) -> None:
    with pytest.raises(BadInput) as told:
        bluff.check(pb.game("bluff").at(**at))
    assert str(told.value) == why


def test_what_lies_within_the_approval_is_taken(bluff: Approval) -> None:
    for at in ({}, {"table_max": 100}, {"table_min": 25}, {"meter": 99_999}, {"super_meter": 5}):
        bluff.check(pb.game("bluff").at(**at))
    flop = pb.approved("flop-poker-bonus")
    flop.check(pb.game("flop-poker-bonus").at(tables={"3-card-bonus": "4", "flop": "B"}))  # they were approved too
    with pytest.raises(BadInput, match=r"3-card-bonus pays .* the approval knows 1 "):
        flop.check(pb.game("flop-poker-bonus").at(tables={"3-card-bonus": "50,40,30,6,4,2"}))


def test_another_file_and_another_game_are_refused(bluff: Approval, tmp_path: Path) -> None:
    file = tmp_path / "bluff.py"
    file.write_text(BLUFF + "\n")
    with pytest.raises(BadInput, match="the game file of bluff is not the approved one: its sha256 is"):
        bluff.check(load(str(file)).at())
    with pytest.raises(BadInput, match="the approval is of bluff, and this is packs-poker"):
        bluff.check(pb.game("packs-poker").at())


def test_every_refusal_is_told_where_all_are_wanted(bluff: Approval) -> None:
    house = pb.game("bluff").at(decks=2, limit="high", tables={"suit-tie": "1,3,20"})
    told = list(bluff.refusals(house))
    assert len(told) == 4 and any("no wager re-raise" in why for why in told)


# ---- does it need approval again?


def kinds(of: Comparison) -> set[str]:
    return {c.kind for c in of.changes}


@pytest.mark.parametrize(
    ("old", "new", "verdict", "changed", "says"),
    [
        ("# BL-3", "# BL-3, in other words", "no", {"game file"}, "the game file changed, and the game did not"),
        ('"""BL-7: raise 2', '"""BL-7: always raise 2', "no", {"game file"}, "the game did not"),
        ("BL-7: the published", "BL-7: a published", "no", {"game file", "words"}, "words changed that nobody"),
        ('"match": 15', '"match": 12', "yes", {"game file", "pay tables"}, "from 4.8232% to 9.6463%"),
        ("raise_=PUSH)\n        else", "raise_=WIN)\n        else", "yes", {"game file", "rules of play"}, "-29.4336%"),
        ("Players look at", "Players may look at", "yes", {"game file", "procedure"}, "though no house edge did"),
        ('"dealer calls", ante', '"dealer stays", ante', "yes", {"game file", "rules of play"}, "no house edge did"),
        ('"ante", minimum=5', '"ante", minimum=10', "no", {"game file", "limits"}, "within the approved ones"),
        ('"ante", minimum=5', '"ante", minimum=1', "yes", {"game file", "limits"}, "the limits changed"),
        ('seats=7', 'seats=7', "no", set(), "nothing changed"),
        ('    mine = t.deal', '    t.option("chip")\n    mine = t.deal', "ask", {"game file", "rules of play"},
         "neither a sentence nor a figure shows what that does"),
        ('required=True)', 'required=True, tokes=True)', "yes", {"game file", "wagers", "procedure"}, "the wagers"),
        ('cut_card="1.25"', 'cut_card="1.5"', "yes", {"game file", "procedure"}, "procedure changed"),
    ],
)  # fmt: skip
def test_a_change_of_the_file(
    old: str, new: str, verdict: str, changed: set[str], says: str, bluff: Approval,
    edited: Callable[[str, str], Approval],
) -> None:  # fmt: skip
    found = compared(bluff, bluff if old == new else edited(old, new))
    assert (found.verdict, kinds(found)) == (verdict, changed), found.answer
    assert says in found.answer and found.answer.startswith({"yes": "Yes", "no": "No", "ask": "Ask"}[verdict])


def test_a_renamed_variable_changes_nothing(bluff: Approval, tmp_path: Path) -> None:
    file = tmp_path / "bluff.py"
    file.write_text(BLUFF.replace("his.rank", "dealers.rank").replace("his = t.deal", "dealers = t.deal")
                    .replace("== his", "== dealers").replace("his.suit", "dealers.suit"))  # fmt: skip
    found = pb.diff(bluff, file)
    assert found.verdict == "no" and kinds(found) == {"game file"} and not any(m.moved for m in found.figures)


def test_a_sentence_that_changed_is_named(bluff: Approval, edited: Callable[[str, str], Approval]) -> None:
    found = compared(bluff, edited("raise_=PUSH)\n        else", "raise_=WIN)\n        else"))
    (told,) = found.of("rules of play")
    assert (told.what, told.old) == ("Settlement", "Dealer folds: the Ante wins 1 to 1; the Raise pushes.")
    assert told.new == "Dealer folds: the Ante and Raise win 1 to 1."


@pytest.mark.parametrize(
    ("at", "verdict", "changed"),
    [
        ({}, "no", set()),
        ({"decks": 8}, "yes", {"options", "rules of play"}),
        ({"table_max": 100}, "no", {"limits"}),
        ({"table_max": 1000}, "yes", {"limits"}),
        ({"meter": 5000}, "no", {"meters"}),
        ({"increment": 2}, "yes", {"options"}),
        ({"tables": {"suit-tie": "1,3,20"}}, "yes", {"pay tables"}),
        ({"limit": "high"}, "yes", {"options", "rules of play", "wagers"}),
        ({"rounding": "down-to-chip"}, "yes", {"options", "rules of play"}),
    ],
)
def test_a_change_of_the_house(at: dict[str, Any], verdict: str, changed: set[str], bluff: Approval) -> None:
    found = pb.diff(bluff, pb.game("bluff").at(**at))
    assert (found.verdict, kinds(found)) == (verdict, changed), found.answer


def test_figures_are_told_side_by_side(bluff: Approval) -> None:
    found = pb.diff(bluff, pb.game("bluff").at(tables={"suit-tie": "1,3,12"}))
    (edge,) = [m for m in found.figures if m.moved and m.figure == EDGE]
    assert edge.old is not None and edge.new is not None
    assert (edge.wager, edge.old.exact, edge.new.exact) == ("suit-tie", "15/311", "30/311")
    assert edge.by == pytest.approx(15 / 311)


def test_a_meter_explains_its_own_wager_and_nothing_else(bluff: Approval) -> None:
    found = pb.diff(bluff, pb.game("bluff").at(meter=5000))
    moved = {(m.wager, m.figure): m.counts for m in found.figures if m.moved}
    assert moved and not any(moved.values()) and {wager for wager, _ in moved} == {"progressive"}
    assert not any(m.moved for m in found.figures if m.figure == LONG_RUN)
    other = tuple(replace(f, value="0.2", exact="1/5") if f.figure == LONG_RUN else f for f in found.new.figures)
    assert compared(bluff, replace(found.new, figures=other)).verdict == "yes"  # which no meter can do


def test_a_pay_table_that_was_approved_too_needs_nothing_unless_its_figure_is_another() -> None:
    old = pb.approved("flop-poker-bonus")
    new = pb.approved(pb.game("flop-poker-bonus").at(tables={"3-card-bonus": "2"}))
    found = compared(old, new)
    assert found.verdict == "no" and kinds(found) == {"pay tables"} and found.notify == ("pay tables",)
    assert any(m.moved for m in found.figures) and not any(m.counts for m in found.figures)
    wrong = tuple(replace(f, exact="1/2", value="0.5") if f.of == ("3-card-bonus", "3-card-bonus", "2") else f
                  for f in new.figures)  # fmt: skip
    assert compared(old, replace(new, figures=wrong)).verdict == "yes"
    back = compared(new, old)
    assert back.verdict == "no"


def test_a_pay_table_that_is_new_needs_approval_and_one_that_is_gone_does_not(
    bluff: Approval, edited: Callable[[str, str], Approval]
) -> None:
    more = edited('"match": 15})]', '"match": 15}), PayTable("wild", {"suit": 1, "tie": 2, "match": 30})]')
    found = compared(bluff, more)
    assert found.verdict == "yes" and any("wild (1, 2, 30)" in c.new for c in found.of("pay tables"))
    less = compared(more, bluff)
    assert less.verdict == "no" and less.notify == ("pay tables",)


def test_the_same_house_by_another_pitboss(bluff: Approval) -> None:
    """Sentences may be worded otherwise; other figures are for somebody to look at."""
    step = replace(bluff.procedure[0], step="After a shuffle the cut card goes in.")
    worded = replace(bluff, pitboss="0.0.1", procedure=(step, *bluff.procedure[1:]))
    found = compared(worded, bluff)
    assert found.verdict == "no" and "pitboss words some of it otherwise" in found.answer
    counted = replace(worded, figures=(replace(bluff.figures[0], exact="1/2", value="0.5"), *bluff.figures[1:]))
    found = compared(counted, bluff)
    assert found.verdict == "ask" and "pitboss 0.0.1 and" in found.answer


def test_a_figure_that_moves_for_no_reason_is_found(bluff: Approval) -> None:
    other = replace(
        bluff, file_sha256="0" * 64, figures=(replace(bluff.figures[0], exact="1/2", value="0.5"), *bluff.figures[1:])
    )
    found = compared(bluff, other)
    assert found.verdict == "yes" and "nothing that is written down changed, and yet" in found.answer


# ---- the command


def test_the_command_answers_first_and_its_code_says_the_same(
    tmp_path: Path, bluff: Approval, capsys: pytest.CaptureFixture[str]
) -> None:
    record = write_approval(tmp_path / "bluff.json", bluff)
    code, out, err = run(capsys, "diff", str(record), "bluff -o decks=8 -p suit-tie='1,3,12'")
    said = " ".join(out.split())
    assert code == 1 and not err and "Yes, this needs approval again" in said.split("rules of play ·")[0]
    assert "a record of pitboss" in said and "suit-tie: match 15 to 1 12 to 1" in said
    assert "- It is dealt from six decks" in said and "+ It is dealt from eight decks" in said
    code, out, _ = run(capsys, "diff", "bluff", "bluff")
    assert code == 0 and "No, this needs no new approval: nothing changed." in out
    assert "the regulator's to say" in " ".join(out.split())


def test_its_json_has_the_verdict_every_change_and_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "diff", "bluff", "bluff -p suit-tie=1,3,12", "--json")
    data = json.loads(out)
    assert code == 1 and data["needs_approval"] == "yes" and data["old"]["game"] == "bluff"
    assert {c["kind"] for c in data["changes"]} == {"pay tables"}
    moved = [f for f in data["figures"] if f["changed"] and f["figure"] == "house edge"]
    assert [(f["wager"], f["old_exact"], f["new_exact"]) for f in moved] == [("suit-tie", "15/311", "30/311")]
    page = (ROOT / "docs" / "json.md").read_text()
    for field in {*data, *data["old"], *data["changes"][0], *data["figures"][0], *pb.approved("bluff").json()}:
        assert f"`{field}`" in page, field


@pytest.mark.parametrize(
    ("side", "says"),
    [
        ("", "a record (.json)"), ("   ", "a record (.json)"), ("bluff -x 3", "a record (.json)"),
        ("bluff 'open", "a record (.json)"), ("bluff --wager ante", "a record (.json)"), ("-o decks=8", "(.json)"),
        ("blufff", "did you mean bluff?"), ("no.json", "cannot be read"), ("no.py", "there is no file"),
        ("bluff -o decks=7", "2, 4, 6 or 8"), ("bluff -o decks", "write -o NAME=VALUE"),
        ("bluff -p suit-tie=1", "pay table"), ("bluff\0", "there is no game"),
    ],
)  # fmt: skip
def test_a_side_that_is_none_is_one_sentence(side: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    for words in ((side, "bluff"), ("bluff", side)):
        code, out, err = run(capsys, "diff", "--", *words)
        assert code == 2 and not out and err.count("\n") == 1 and says in err, err


def test_a_game_file_whose_name_has_a_space_is_a_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "my bluff.py"
    file.write_text(BLUFF)
    assert run(capsys, "diff", "bluff", str(file))[0] == 0
    assert run(capsys, "diff", "bluff", f"'{file}' -o decks=8")[0] == 1


def test_the_library_takes_what_it_can_and_says_what_it_cannot() -> None:
    assert pb.diff("bluff", pb.game("bluff").at(decks=8)).to_dict()["needs_approval"] == "yes"
    for bad in (5, None, ["bluff"], {}):
        with pytest.raises(BadInput):
            pb.diff("bluff", bad)  # type: ignore[arg-type]
    assert "needs_approval" in pb.diff("bluff", "bluff").to_csv().splitlines()[0]
