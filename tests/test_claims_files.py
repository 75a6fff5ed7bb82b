"""Claims of one's own: readings that are tried, what is held against what, mistakes, and what cannot be computed."""

import json
import os
import shlex
from pathlib import Path

import pytest

from helpers import ROOT
from pitboss.catalog import load
from pitboss.claims import Verdict, judge, read_claims, verdicts_of
from pitboss.cli import main


def written(tmp_path: Path, *claims: str, head: str = 'game = "bluff"') -> Path:
    path = tmp_path / "claims.toml"
    path.write_text(head + "\n" + "\n".join(f'[[claim]]\nwhere = "page 1"\nsays = "it"\n{c}\n' for c in claims))
    return path


def verdict_of(path: Path) -> Verdict:
    (found,) = judge(read_claims(path)).verdicts
    return found


def test_equal_cards_that_lose_by_brute_force(tmp_path: Path) -> None:
    """BL-C7: a player who checks a card that the dealer raises with loses to his equal; of two cards from six decks."""
    dealer_raises = {2, 3, 9, 10, 11, 12, 13, 14}
    cards = [rank for rank in range(2, 15) for _ in range(24)]
    lost = sum(a == b and i != j and b in dealer_raises for i, a in enumerate(cards) for j, b in enumerate(cards))
    path = written(tmp_path, 'id = "X"\nprinted = "0"\nmeans = "exactly"\nwager = "ante"\nstrategy = "any"\n'
                             'measure = "ways together"\nrows = { ante = "lose", suit-tie = ["tie", "match"] }\n'
                             'options = { decks = 6, tie = "fold-first" }')  # fmt: skip
    found = verdict_of(path).measured
    assert found is not None and found.value == lost == 4_416


# ---- a user's own claims


def test_a_users_own_game_goes_through(capsys: pytest.CaptureFixture[str]) -> None:
    claims, game = (str(ROOT / "examples" / f"three_card_poker.{kind}") for kind in ("toml", "py"))
    assert main(["verify", claims, "--game", game, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [c["verdict"] for c in found["claims"]] == ["confirmed"] * 3 + ["true only if"] + ["confirmed"] * 2
    assert found["summary"]["confirmed"] == 5


def test_a_wrong_claim_is_contradicted_with_exit_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, 'id = "X-1"\nprinted = "9.9%"\nwager = "suit-tie"')
    assert main(["verify", str(path)]) == 1
    assert "contradicted" in capsys.readouterr().out


def test_a_reading_that_the_claim_does_not_state_is_found(tmp_path: Path) -> None:
    path = written(tmp_path, 'id = "X-1"\nprinted = "3.61%"\nwager = "suit-tie"')
    found = verdict_of(path)
    assert found.verdict == "true only if"
    assert found.explanation.startswith("decks is 8; with the default, 6, it is 4.82")


def test_a_claim_that_states_its_decks_is_false_with_other_decks(tmp_path: Path) -> None:
    path = written(tmp_path, 'id = "X-1"\nprinted = "3.61%"\nwager = "suit-tie"\noptions = { decks = 6 }')
    found = verdict_of(path)
    assert found.verdict == "contradicted" and "decks=8, where decks=6 is meant" in found.explanation


def test_where_no_unstated_value_holds_the_other_options_are_tried(tmp_path: Path) -> None:
    path = written(tmp_path, 'id = "X"\nprinted = "1.86%"\nwager = "ante"\nunstated = { decks = [6] }')
    assert verdict_of(path).explanation.startswith("limit is high")


def test_claims_true_under_different_readings_are_told_apart(tmp_path: Path) -> None:
    one = 'id = "X-1"\nprinted = "14.56%"\nwager = "suit-tie"\nunstated = { decks = "all" }'
    two = 'id = "X-2"\nprinted = "3.61%"\nwager = "suit-tie"\nunstated = { decks = "all" }'
    first, second = judge(read_claims(written(tmp_path, one, two))).verdicts
    assert first.explanation.endswith("never together with X-2 (decks is 8)")
    assert second.explanation.endswith("never together with X-1 (decks is 2)")


def test_a_bet_without_a_figure_is_not_inconsistent_with_itself(tmp_path: Path) -> None:
    one = 'id = "X-1"\nprinted = "4.82%"\nwager = "suit-tie"'
    two = 'id = "X-2"\nwager = "suit-tie"'
    assert [v.verdict for v in judge(read_claims(written(tmp_path, one, two))).verdicts] == [
        "confirmed",
        "not stated",
    ]


def test_a_figure_of_another_strategy_comes_with_its_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, 'id = "X"\nprinted = "2.11%"\nwager = "ante"\nmeasure = "edge per unit bet"\n'
                             'strategy = "casual"\noptions = { limit = "high" }')  # fmt: skip
    found = verdict_of(path)
    assert found.verdict == "confirmed" and "--strategy casual" in found.command
    main([*shlex.split(found.command)[1:], "--json"])
    shown = json.loads(capsys.readouterr().out)["wagers"][0]
    assert found.json()["computed_exact"] == shown["element_of_risk_exact"]


def test_sums_in_double_precision_are_not_called_exact(tmp_path: Path) -> None:
    path = written(tmp_path, 'id = "X"\nprinted = "0.40%"\nwager = "main"\nmeasure = "lowest edge"\n'
                             'across = { decks = [6] }', 'id = "Y"\nprinted = "4"\nwager = "main"\nmeasure = "ways"',
                   head='game = "blackjack"')  # fmt: skip
    found, ways = (v.json() for v in judge(read_claims(path)).verdicts)
    assert found["computed_exact"] is None and found["verdict"] == "confirmed"
    assert ways["verdict"] == "not computable" and "counted in floating point only" in ways["explanation"]


def test_two_edges_for_one_pay_table_are_inconsistent(tmp_path: Path) -> None:
    one = 'id = "X-1"\nprinted = "4.82%"\nwager = "suit-tie"'
    two = 'id = "X-2"\nprinted = "7.77%"\nwager = "suit-tie"'
    first, second = judge(read_claims(written(tmp_path, one, two))).verdicts
    assert (first.verdict, second.verdict) == ("confirmed", "internally inconsistent")
    assert "4.82% (X-1)" in second.explanation


@pytest.mark.parametrize("means, printed, verdict", [("at least", "4%", "confirmed"), ("at most", "4%", "contradicted"),
                                                      ("exactly", "4.82%", "contradicted")])  # fmt: skip
def test_bounds(tmp_path: Path, means: str, printed: str, verdict: str) -> None:
    path = written(tmp_path, f'id = "X"\nprinted = "{printed}"\nmeans = "{means}"\nwager = "suit-tie"\n'
                             'options = { decks = 6 }')  # fmt: skip
    found = verdict_of(path)
    assert found.verdict == verdict


CLAIM = '[[claim]]\nid = "X"\nsays = "it"\nwhere = "p"\n'
MISTAKES = [
    ("", "holds no claims"),
    ("[[claim]]\nid = 3", "id is text in quotes, not 3"),
    ('[[claim]]\nid = "X"\nsays = "it"', "claim X has no where"),
    ('[[claim]]\nid = "X"\nsays = "it"\nwhere = "p"\npages = 3', "pages is not one of id, says, where"),
    ('[[claim]]\nid = "X"\nsays = "it"\nwhere = "p"\nprinted = "some"', "claim X: 'some' is not a figure"),
    ('[[claim]]\nid = "X"\nsays = "it"\nwhere = "p"\nmeans = "nearly"', "means nearly is not one of as printed"),
    ('[[claim]]\nid = "X"\nsays = "it"\nwhere = "p"\nprinted = "4%"\nmeasure = "luck"', "measure luck is not one of"),
    ('[[claim]]\nid = "X"\nsays = "it"\nwhere = "p"\nprinted = "4"\nmeasure = "hands"\ncards = 9', "not 9"),
    ("[[claim]\n", "is not TOML"),
    (CLAIM + 'printed = "4,2%"\nwager = "ante"', "'4,2%' is not a figure"),
    (CLAIM + 'printed = "4%"\nerror = "0.01"\nwager = "ante"', "in the unit of the figure"),
    (CLAIM + 'printed = "4%"', "a claim about 'edge' needs wager"),
    (CLAIM + 'printed = "4%"\nmeasure = "edge together"', "needs bets"),
    (CLAIM + 'printed = "4%"\nmeasure = "edge together"\nbets = { ante = "five" }', "bets ante: 'five' is not an"),
    (CLAIM + 'printed = "4%"\nmeasure = "standard error"\nwager = "ante"\nrounds = -5', "above 0"),
    (CLAIM + 'printed = "4%"\nmeasure = "ways together"\nrows = { ante = [] }', "names no row of ante"),
    (CLAIM + 'printed = "4%"\nwager = "ante"\nfiner = { options = 3 }', "finer has options and tables"),
    (CLAIM + 'printed = "4%"\nwager = "ante"\noptions = { decks = 6 }\nunstated = { decks = "all" }', "both stated"),
    (CLAIM + 'printed = "4%"\nwager = "ante"\nunstated = { decks = [] }', "decks has no value to try"),
    (CLAIM + 'printed = "4%"\nunstated = { "pay table" = "all" }', "pay tables are tried of one wager"),
    (CLAIM + 'printed = "4%"\nmeans = "about"\nwager = "ante"', "how far off is still about"),
    (CLAIM + 'reads = "4%"\nwager = "ante"', "name it, such as word = 'most'"),
    (CLAIM + 'word = "some"\nreads = "few"\nwager = "ante"', "'few' is not a figure"),
    (CLAIM + 'printed = "4%"\nwager = "ante"\nlevel = "90%"', "level 90% is not one of 95% or 99%"),
    (CLAIM + 'printed = "4%"\nwager = "ante"\nerror_from = { Y = 2 }', "error_from Y is not one of nothing"),
    (CLAIM + 'printed = "4%"\nwager = "ante"\nerror = "1%"\nerror_from = { Y = 2 }', "leave one of them out"),
    (CLAIM + 'printed = "4%"\nwager = "ante"\nreadings = { a = 3 }', "is a table of what differs"),
    (CLAIM + 'printed = "4%"\nwager = "ante"\nreadings = { a = { says = "x" } }', "says is not one of measure"),
    (CLAIM + 'printed = "4%"\nwager = "ante"\nreadings = { a = { cards = "x" } }', "cards cannot be 'x'"),
    (CLAIM + 'printed = "4%"\nwager = "ante"\nreadings = { a = { means = "x" } }', "means x is not one of"),
    (CLAIM + 'printed = "4%"\nwager = "ante"\nmeasure = "cost of a choice"\nchoice = "check"\nholding = "4-2"',
     "'4-2' runs from high to low"),
    (CLAIM + 'printed = "4"\nmeasure = "correlation"\nbets = { ante = 5 }', "a correlation is of two bets"),
]  # fmt: skip

LACKING = [
    ('[[claim]]\nid = "X"\nsays = "it"\nwhere = "p"\nprinted = "4%"\nwager = "antes"', "has no wager 'antes'"),
    ('[[claim]]\nid = "X"\nsays = "it"\nwhere = "p"\nprinted = "4%"\nwager = "ante"\noptions = { decks = 3 }',
     "option decks: 3 is not one of 2, 4, 6 or 8"),
    ('[[claim]]\nid = "X"\nsays = "it"\nwhere = "p"\nprinted = "4"\nwager = "ante"\nmeasure = "ways"\nrow = "royal"',
     "row royal is not one of"),
    ('[[claim]]\nid = "X"\nsays = "it"\nwhere = "p"\nprinted = "4%"\nwager = "ante"\nunstated = { moon = "all" }',
     "option moon is not one of"),
    (CLAIM + 'printed = "4%"\nmeasure = "lowest edge"\nacross = { wager = ["moon"] }', "wager moon is not one of"),
    (CLAIM + 'printed = "4%"\nmeasure = "average jackpot"\nwager = "ante"', "pays from no meter"),
    (CLAIM + 'printed = "4%"\nmeasure = "least win"\nwager = "progressive"', "no row that pays a number to 1"),
    (CLAIM + 'printed = "4%"\nmeasure = "ways together"\nrows = { ante = "royal" }', "royal is not one of win, push"),
    (CLAIM + 'printed = "4%"\nmeasure = "ways together"\nrows = { ante = "win" }\nchoice = "fly"', "choice fly is not"),
    (CLAIM + 'printed = "4%"\nwager = "ante"\nreadings = { a = { wager = "x" } }', "has no wager 'x'"),
    (CLAIM + 'printed = "4"\nwager = "ante"\nmeasure = "balance"\nchoice = "fly"', "choice fly is not one of check"),
    (CLAIM + 'printed = "4"\nwager = "ante"\nmeasure = "least pay"\nrow = "fly"', "row fly is not one of win"),
    (CLAIM + 'printed = "4%"\nwager = "ante"\nmeasure = "cost of a choice"\nchoice = "fly"\nholding = "2-4"',
     "choice fly is not one of check"),
    (CLAIM + 'printed = "4"\nwager = "ante"\nmeasure = "fewest decks"\nrow = "fly"', "row fly is not one of win"),
    (CLAIM + 'printed = "4%"\nwager = "progressive"\nmeasure = "share of the loss"\nbets = { ante = 5 }',
     "wager progressive is not one of ante"),
    (CLAIM + 'printed = "4%"\nwager = "raise"', "raise has no figure of its own: it is analysed together with ante"),
    (CLAIM + 'printed = "4%"\nwager = "raise"\nunstated = { "pay table" = "all" }', "analysed together with ante"),
    (CLAIM + 'printed = "4%"\nwager = "ante"\nstrategy = "wild"', "strategy wild is not one of optimal"),
    (CLAIM + 'printed = "4%"\nmeasure = "edge together"\nbets = { moon = 5 }', "moon is not a bet before the deal"),
]  # fmt: skip


@pytest.mark.parametrize("text, sentence", MISTAKES, ids=[s for _, s in MISTAKES])
def test_a_mistake_in_a_claims_file_is_one_sentence(
    text: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('game = "bluff"\n' + text)
    assert main(["verify", str(path)]) == 2
    said = capsys.readouterr().err
    assert sentence in said and said.count("\n") == 1 and "Traceback" not in said


@pytest.mark.parametrize("text, sentence", LACKING, ids=[s for _, s in LACKING])
def test_what_the_game_lacks_is_told_of_the_claim_and_the_next_one_is_judged(
    text: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'game = "bluff"\n{text}\n' + CLAIM.replace("X", "Y") + 'printed = "4.82%"\nwager = "suit-tie"')
    assert main(["verify", str(path), "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["claims"]
    assert (first["verdict"], second["verdict"]) == ("not computable", "confirmed")
    assert sentence in first["explanation"] and first["computed"] is None
    assert first["command"].startswith("pitboss analyze bluff") and "--wager raise" not in first["command"]


def test_the_same_id_twice_and_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    same = 'id = "X"\nprinted = "4.2%"\nwager = "ante"'
    assert main(["verify", str(written(tmp_path, same, same))]) == 2
    assert "stands there twice" in capsys.readouterr().err
    assert main(["verify", str(tmp_path / "none.toml")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_marks_in_an_id_are_printed_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["verify", str(written(tmp_path, 'id = "A[red]B[/x]"\nprinted = "4.2%"\nwager = "ante"'))])
    assert "A[red]B[/x]" in capsys.readouterr().out


# ---- what cannot be computed

SLOW = '''"""A game with a wager that is too much to count."""
from pitboss.rules import LOSE, PLAYER, WIN, Choice, Game, Table, Wager, where


def play(t: Table) -> None:
    cards = t.deal(PLAYER, 10)
    t.settle(ante=where(cards[0].suit < 2, WIN, LOSE))
    if t.decide("stay", "go", name="which way") == "stay":
        t.settle(many=where(sum(c.rank * (i + 1) * (c.suit + 1) for i, c in enumerate(cards)) > 900, WIN, LOSE))
    else:
        t.settle(many=LOSE)


GAME = Game(
    "slow", "A slow game", play, [Wager("ante", required=True), Wager("many", needs="ante")],
    strategies={"wild": lambda seen: "fly"}, options=[Choice("decks", (8, 6), "decks")],
)
'''


def test_a_claim_that_cannot_be_computed_does_not_end_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    path = written(
        tmp_path, 'id = "X-1"\nprinted = "4%"\nwager = "many"', 'id = "X-2"\nprinted = "0%"\nwager = "ante"',
        'id = "X-3"\nprinted = "0%"\nwager = "many"\nstrategy = "wild"', head='game = "slow.py"',
    )  # fmt: skip
    first, second, third = judge(read_claims(path, [load(str(tmp_path / "slow.py"))])).verdicts
    assert (first.verdict, second.verdict, third.verdict) == ("not computable", "confirmed", "not computable")
    assert "cannot be counted" in first.explanation and first.computed == "" and "--wager many" in first.command
    assert main(["verify", str(path), "--game", str(tmp_path / "slow.py"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["not computable"] == 2


def test_documents_beside_each_other_are_judged_as_one_by_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = []
    for name, edge in (("one", "4.82%"), ("two", "7.77%")):
        (tmp_path / name).mkdir()
        paths.append(written(tmp_path / name, f'id = "{name}"\nprinted = "{edge}"\nwager = "suit-tie"'))
    assert [j.verdicts for j in verdicts_of(paths).judged] == [judge(read_claims(path)).verdicts for path in paths]
    paths[1].write_text('game = "bluff"\n' + CLAIM + 'printed = "4%"\nmeasure = "luck"')
    assert main(["verify", *map(str, paths)]) == 2
    assert "claim X: measure luck is not one of" in capsys.readouterr().err


def test_what_is_no_file_of_claims_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, text in (("digits", f"a = {'9' * 100_000}"), ("deep", f"a = {'[' * 100_000}"), ("long", "x" * (5 << 20))):
        (tmp_path / name).write_text(text)
    for name in ("pipe", "digits", "deep", "long"):
        assert main(["verify", str(tmp_path / name)]) == 2
        assert capsys.readouterr().err.startswith("pitboss: ")
    assert main(["verify", "/dev/zero"]) == 2


def test_a_claim_with_readings_is_checked_under_each_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a claim needs may stand in its readings only; a mistake there is found before anything is counted."""
    right = 'word = "fair"\nreadings = { a = { wager = "suit-tie", reads = "4.82%" } }'
    assert main(["verify", str(written(tmp_path, f'id = "X"\n{right}'))]) == 0
    assert "1 claim: 1 confirmed" in capsys.readouterr().out
    assert main(["verify", str(written(tmp_path, 'id = "X"\nreadings = { a = { measure = "luck" } }'))]) == 2
    assert "claim X: measure luck is not one of" in capsys.readouterr().err
