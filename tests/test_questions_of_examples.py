"""The other questions, asked of the examples: claims about them, other pay tables, what they earn, whether they are
beaten, and the page on which they stand."""

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from helpers import ROOT, run
from pitboss.catalog import load
from pitboss.claims import VERDICTS, judge, read_claims
from pitboss.cli import examples as page_of
from pitboss.deal import players
from pitboss.earn import Floor, Plan, earn
from pitboss.earn import dealt as dealing
from pitboss.exact import Study
from pitboss.guard.counts import effects
from pitboss.guard.polynomial import Polynomial
from pitboss.guard.worth import Counted, worth_of
from pitboss.rules import Game, House
from pitboss.rules.effort import EFFORT
from pitboss.rules.rewrite import only
from pitboss.tune.recounted import Recounted
from pitboss.tune.search import designed
from test_hidden import assert_same, pack

EXAMPLES = ROOT / "examples"
SLOW = ("ultimate_texas_holdem",)  # ten seconds: its figures are held in test_hidden


def example(name: str) -> Game:
    return load(str(EXAMPLES / f"{name}.py"))


# ---- claims

CLAIMS = sorted(path.stem for path in EXAMPLES.glob("*.toml") if path.stem not in SLOW)


@pytest.mark.parametrize("name", CLAIMS)
def test_what_is_published_is_confirmed(name: str) -> None:
    """A figure whose conditions are not printed is true only if they are those that give it; all others hold."""
    found = judge(read_claims(EXAMPLES / f"{name}.toml", [example(name)])).verdicts
    for verdict in found:
        wanted = VERDICTS[3] if verdict.claim.unstated else VERDICTS[0]
        assert verdict.verdict == wanted, (verdict.claim.id, verdict.explanation)
    assert {c.id for c in read_claims(EXAMPLES / "baccarat.toml", [example("baccarat")]).claims} >= {"BA-1", "BA-15"}


def written(folder: Path, game: str, *claims: str) -> Path:
    each = [f'[[claim]]\nid = "{i}"\nsays = "it"\nwhere = "p"\n{text}\n' for i, text in enumerate(claims)]
    path = folder / "mine.toml"
    path.write_text(f'game = "{game}"\n' + "\n".join(each))
    return path


def test_measures_are_read_off_the_law(tmp_path: Path) -> None:
    """The bets of a hidden-hand game, its spread, and rows that come up together, against sums over its outcomes."""
    game = example("crazy_4_poker")
    measures = ("units bet", "hit frequency", "standard deviation", "edge per bet resolved")
    said = [f'printed = "1"\nwager = "ante"\nmeasure = "{m}"' for m in measures]
    said += [f'printed = "1"\nwager = "ante"\nmeasure = "bet made"\nrow = "{row}"' for row in ("play", "play 3x")]
    together = 'printed = "1"\nwager = "ante"\nmeasure = "ways together"\nchoice = "play 3x"\n'
    said.append(together + 'rows = { super-bonus = "straight", ante = "lose" }')
    said.append(together + 'rows = { ante = "lose" }\nstrategy = "any"')
    found = judge(read_claims(written(tmp_path, "crazy_4_poker.py", *said), [game])).verdicts
    values = [v.measured.value for v in found if v.measured is not None]
    rows = Study(game.at()).wager("ante").outcomes
    bets = {row.outcome: 2 + (3 if "play 3x" in row.outcome else 1 if "play 1x" in row.outcome else 0) for row in rows}

    def chance(of: Mapping[str, int] | set[str]) -> Fraction:
        return sum((row.probability for row in rows if row.outcome in of), Fraction(0))

    assert values[0] == sum((row.probability * bets[row.outcome] for row in rows), Fraction(0))
    assert values[1] == chance({row.outcome for row in rows if row.pays > 0})
    mean = sum((row.probability * row.pays for row in rows), Fraction(0))
    variance = sum((row.probability * (row.pays - mean) ** 2 for row in rows), Fraction(0))
    assert abs(float(values[2]) ** 2 - float(variance)) < 1e-9
    assert values[3] == -mean / (1 - chance({row.outcome for row in rows if row.pays == 0}))
    assert values[4] == chance({row.outcome for row in rows if bets[row.outcome] > 2})
    assert values[5] == chance({row.outcome for row in rows if bets[row.outcome] == 5})
    assert values[6] == sum(r.ways or 0 for r in rows if "3x: ante lose, super-bonus straight, play" in r.outcome)
    assert found[7].verdict == "not computable" and "no list of deals" in found[7].explanation


def test_a_mistake_is_found_before_anything_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = 'printed = "4.2%"\nwager = "ante"'
    path = written(tmp_path, "bluff", good, 'printed = "4%"\nmeasure = "luck"')
    before = EFFORT.copy()
    code, _, said = run(capsys, "verify", str(path))
    assert code == 2 and "claim 1: measure luck is not one of" in said
    assert not EFFORT - before


# ---- other pay tables


@pytest.mark.parametrize(("edge", "taste"), [("3%..3.6%", "closest"), ("3.4%", "closest"), ("2%..4%", "calm")])
def test_tables_counted_anew_are_those_solved_from_one_count(
    edge: str, taste: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three Card Poker's bonus, which is played for; some tables are ruled out without a count."""
    house, rows = example("three_card_poker").at(), ("straight=1..2", "three of a kind=2..5")
    solved = designed(house, "ante-bonus", edge, rows, taste=taste)
    monkeypatch.setattr(Study, "deal_by_deal", lambda self, wager: False)
    monkeypatch.setattr(Recounted, "_study", lambda self, house: _kept(house))
    told: list[int] = []
    recounted = designed(house, "ante-bonus", edge, rows, taste=taste, tick=lambda what, n: told.append(n))
    assert recounted == solved and solved.found > 1
    assert max(told) <= solved.tables


_studies: dict[House, Study] = {}


def _kept(house: House) -> Study:
    return _studies.setdefault(house, Study(house))


def test_more_tables_than_can_be_counted_are_refused_with_a_way_on(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, said = run(
        capsys, "design", str(EXAMPLES / "ultimate_texas_holdem.py"), "--wager", "blind", "--edge", "2%"
    )
    assert code == 2 and "named with --row" in said and "counted anew for every pay table" in said
    assert said.count("\n") == 1


# ---- what a table earns


@pytest.fixture
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealing, "HANDS", 1 << 21)


@pytest.mark.usefixtures("few_rounds")
def test_a_table_that_cannot_be_dealt_by_the_best_play_is_dealt_by_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Caribbean Stud, three seats: the mean is the strategy's own edge, the spread that of the same seats dealt."""
    house, laws = example("caribbean_stud").at(), list[int]()
    law = Study.laws
    monkeypatch.setattr(Study, "laws", lambda self, wagers: laws.append(id(self)) or law(self, wagers))
    plan = Plan(seats=3, bets={}, hours=Fraction(1), days=1)
    found = earn(house, plan)
    assert found.of.strategy == "simple" and "the best play looks at more cards" in found.notes[0]
    assert "`seats=1`" in found.notes[0] and found.json()["notes"] == list(found.notes)
    assert len({*laws}) == 1  # one study counts both the bets and the exposure
    edge = Study(house, "simple").wager("ante")
    assert found.round_mean == edge.house_edge * 3 * 5
    assert abs(found.seat_std_dev - 5 * edge.std_dev) < 1e-9
    assert found.round_std_dev > 3**0.5 * found.seat_std_dev  # seats that face one dealer win and lose together
    assert found.shift.theo == found.round_mean * 60
    alone = earn(house, Plan(seats=1, bets={}, hours=Fraction(1), days=1))
    assert alone.of.strategy == "optimal" and not alone.notes and alone.method == "exact"
    assert alone.round_mean == 5 * Fraction(142031221, 2718662100) and f"{alone.round_std_dev / 5:.2f}" == "2.24"


@pytest.mark.usefixtures("few_rounds")
@pytest.mark.parametrize("name", ["casino_war", "three_card_poker"])
def test_bets_of_the_layout_that_nobody_makes_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One count of all bets, or one of those that are made and one for the exposure: the same figures."""
    house, plan = example(name).at(), Plan(seats=2, bets={}, hours=Fraction(1), days=1)
    once = earn(house, plan)
    monkeypatch.setattr("pitboss.earn.earnings._counted_once", lambda layout, study, plan: study)
    twice = earn(house, plan)
    for part in ("theos", "round_mean", "round_std_dev", "shift", "bankroll", "exposure"):
        assert getattr(once, part) == getattr(twice, part), part
    assert isinstance(once, Floor)


def test_what_can_be_looked_up_is_known_before_it_is_counted() -> None:
    before = EFFORT.copy()
    wide = [Study(example(name).at()) for name in ("caribbean_stud", "ultimate_texas_holdem")]
    assert [players.tabled(study) for study in wide] == [False, False]
    assert all(players.tabled(Study(study.house, "simple")) for study in wide)
    assert players.tabled(Study(example("baccarat").at()))
    assert (EFFORT - before)["inductions"] == 0


# ---- can it be beaten


def test_a_shoe_counted_whole_is_worth_what_its_polynomial_says() -> None:
    house = example("casino_war").at()
    graph = only(Study(house).graph, ["tie"], first_choice=True)
    counted, quick = Counted(house, "tie", graph, 0.1), Polynomial(house, "tie", graph)
    thin = tuple(n - (c % 3 == 0) for c, n in enumerate(house.composition))
    assert counted.each([house.composition, thin]) == [quick.expectation(s) for s in (house.composition, thin)]
    assert not counted.decides and len(set(counted.kind_of)) == 13


BY_REMOVAL = {"banker": (19, 44, 52, 65, 116, -83, -113, -83), "tie": (513, 129, -239, -214, -292, -264, -1160, -1091)}
"""Millionths of the bet, eight decks, without one ten, ace, ... seven (Wizard of Odds, card counting in baccarat)."""


@pytest.mark.parametrize("wager", BY_REMOVAL)
def test_effects_on_baccarat_are_the_published_ones(wager: str) -> None:
    house = example("baccarat").at()
    worth = worth_of(house, wager)
    assert isinstance(worth, Counted)
    full, moved = effects(house.composition, worth.each, worth.kind_of)
    by_rank = {effect.cards[0] >> 2: float(effect.effect) for effect in moved}
    ranks = (8, 12, 0, 1, 2, 3, 4, 5)  # ten, ace, two to seven
    found = [round(by_rank[rank] * 1e6) for rank in ranks]
    assert found == list(BY_REMOVAL[wager])
    assert -full == Study(house).wager(wager).house_edge


# ---- on few cards

THREE_RANKS = pack(3)  # a full house at the least
TWO_SUITS = tuple(int(c >> 2 >= 8 and c & 3 < 2) for c in range(52))  # tens to aces: straights and royal flushes


@pytest.mark.parametrize("shoe", [THREE_RANKS, TWO_SUITS], ids=["three ranks", "two suits"])
def test_ultimate_texas_holdem_on_few_cards_is_every_deal_of_them(shoe: tuple[int, ...]) -> None:
    assert sum(shoe) in (10, 12)
    assert_same(example("ultimate_texas_holdem").at(shoe=shoe))


# ---- the page

PAGE = (ROOT / "docs" / "examples.md").read_text()


@pytest.mark.parametrize("path", page_of.examples(), ids=lambda path: path.stem)
def test_the_page_is_in_step(path: Path) -> None:
    game = load(str(path))
    mine = [line for line in PAGE.splitlines() if f"(../examples/{path.name})" in line]
    lines = len(path.read_text().splitlines())
    assert any(f"| {lines} |" in line for line in mine), "run make docs"
    for anchor in game.anchors:
        assert any(f"| {anchor.wager}" in line and f"| {anchor.edge} |" in line for line in mine), "run make docs"
    if page_of.quick(game):
        wanted = page_of.published_rows(path, game) + page_of.planned_rows(path, game)
        assert [line for line in wanted if line not in mine] == [], "run make docs"


def test_every_dealt_figure_of_the_page_is_within_four_standard_errors() -> None:
    dealt = re.findall(r"\| (-?[\d.]+)% ± ([\d.]+)% \| (-?[\d.]+)% \| ([+-][\d.]+) \|", PAGE)
    assert len(dealt) >= 2 * len(page_of.examples()) - 6
    for value, error, exact, apart in dealt:
        assert abs(float(value) - float(exact)) <= 4 * float(error)
        assert abs((float(value) - float(exact)) / float(error) - float(apart)) < 0.1


def test_no_published_figure_of_the_page_is_missed() -> None:
    assert "which it is not" not in PAGE
