"""Claims and verdicts: the documents, the rounding, the search for readings and slips, and a user's own claims file."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import ROOT
from pitboss.catalog import load
from pitboss.claims import MEASURES, VERDICTS, Judged, Verdict, Verdicts, judge, read_claims, shipped_claims
from pitboss.claims.counted import law_of, record_of
from pitboss.claims.figures import Figure
from pitboss.claims.slips import in_the_number, in_the_rows
from pitboss.cli import main
from pitboss.cli.parser import build_parser
from pitboss.cli.verify import markdown
from pitboss.ledger.records import Outcome
from pitboss.rules.house import House

SPEC = ROOT.parent / "shared" / "spec"


@pytest.fixture(scope="module")
def judged() -> Sequence[Judged]:
    """Every shipped document, judged once for all tests."""
    return [judge(read_claims(path)) for path in shipped_claims()]


@pytest.fixture(scope="module")
def verdicts(judged: Sequence[Judged]) -> Mapping[str, Verdict]:
    return {v.claim.id: v for j in judged for v in j.verdicts}


# ---- a printed figure


@given(st.integers(-(10**6), 10**6), st.integers(0, 6), st.booleans())
def test_a_figure_rounds_to_what_it_was_rounded_from(digits: int, places: int, percent: bool) -> None:
    text = f"{digits / 10**places:.{places}f}" + ("%" if percent else "")
    figure = Figure.read(text)
    scale = Fraction(1, 10**places * (100 if percent else 1))
    assert figure.value == digits * scale and figure.unit == scale
    assert figure.rounds_to(figure.value + figure.unit / 2) and figure.rounds_to(figure.value - figure.unit / 2)
    assert not figure.rounds_to(figure.value + figure.unit * Fraction(51, 100))


@given(st.fractions(0, 1), st.integers(1, 5))
def test_a_value_cut_off_is_told_from_one_rounded(value: Fraction, places: int) -> None:
    whole = int(value * 10 ** (places + 2))
    cut = f"{whole // 100 / 10**places:.{places}f}"
    figure = Figure.read(cut)
    assert figure.cut_from(value) and figure.agrees(value)
    rest = value - figure.value
    assert figure.rounds_to(value) == (rest <= figure.unit / 2)


@pytest.mark.parametrize("text", ["", "about 4%", "4.2%%", "$5%", "4,2x", "1e-3"])
def test_what_is_not_a_figure_is_refused(text: str) -> None:
    with pytest.raises(Exception, match="is not a figure"):
        Figure.read(text)


def test_two_figures_that_one_value_could_give() -> None:
    assert Figure.read("8.57%").can_hold_with(Figure.read("8.6%"))
    assert not Figure.read("8.57%").can_hold_with(Figure.read("10.88%"))


# ---- the documents


def test_every_claim_of_the_digest_has_a_verdict(verdicts: Mapping[str, Verdict]) -> None:
    """Ids are those of the specs; a claim with several figures has one row each."""
    families = {re.match(r"[A-Z]+-(?:[CV]?\d+|C)", name)[0] for name in verdicts}  # type: ignore[index]
    wanted = {f"BL-C{n}" for n in range(1, 8)} | {f"FP-C{n}" for n in range(1, 9)} | {f"PP-C{n}" for n in range(1, 13)}
    assert wanted | {"LL-C", "LL-C16", "LL-C17", "LB-4", "LB-5"} <= families
    assert {f"LL-C.{d}.{t}" for d in (1, 2, 4, 6, 8) for t in (1, 2, 3)} <= set(verdicts)
    assert {f"PP-C{n}.{t}" for n in (7, 8) for t in "HIJ"} | {f"PP-C9.NH{n}" for n in range(1, 12)} <= set(verdicts)


@pytest.mark.skipif(not SPEC.is_dir(), reason="the digests of the documents are not beside this work tree")
def test_every_figure_of_the_digest_is_a_claim() -> None:
    """Each percentage in the tables of the digests stands in a claims file."""
    printed = {c.printed for path in shipped_claims() for c in read_claims(path).claims}
    for spec in SPEC.glob("*.md"):
        tables = [line for line in spec.read_text().splitlines() if line.startswith("|")]
        figures = {f for line in tables for f in re.findall(r"\d+(?:\.\d+)?%", line)}
        assert figures <= printed, spec.name


def test_all_verdicts_are_from_the_list_and_say_why(verdicts: Mapping[str, Verdict]) -> None:
    assert all(v.verdict in VERDICTS and v.explanation and v.command for v in verdicts.values())
    assert {v.verdict for v in verdicts.values()} == set(VERDICTS)


EXPECTED = {
    "BL-C1": ("true only if", "171/4043", "decks is 6 or 8 and tie is fold-first"),
    "BL-C3.low": ("not computable", "31733/245690", "of 112 combinations that were tried 2 come to 6%"),
    "BL-C3.high": ("not computable", "31733/245690", "of 112 combinations that were tried 1 comes to 28%"),
    "BL-C4": ("true only if", "99/5395", "tie is fold-first"),
    "BL-C5": ("confirmed", "0/1", "“optimal” is read as exactly 0%"),
    "BL-C5.bluffing": ("true only if", "115/4043", "tie is fold-first; otherwise 0.00%"),
    "BL-C7.ties": ("true only if", "0/1", "tie is push-first; with the defaults of the game file it is 4,416; never"),
    "BL-C7.ties-casual": ("confirmed", "0/1", "exactly 0"),
    "BL-C7.symmetry": ("confirmed", "0/1", "whatever decks and tie are"),
    "BL-C7.qualifying": ("not computable", "1077/4043", "missing: what counts as a qualifying hand"),
    "LL-C.6.2": ("confirmed", "62182/626665", ""),
    "LL-C16.1": ("confirmed", "33247/626665", "“closely correspond” is read as within 0.10 percentage points"),
    "LL-5": ("confirmed", "3/1", "exactly 3"),
    "LB-3": ("internally inconsistent", "2/1", "computed from the pay table below that sentence"),
    "LB-4.total": ("true only if", "153/1", "lucky-break is example"),
    "LB-5.1": ("not stated", None, "prints no figure"),
    "FP-C1": ("confirmed", "232/5525", ""),
    "FP-C6": ("confirmed, truncated", None, "3.479%"),
    "FP-C8.A": ("confirmed", "0/1", ""),
    "PP-C1": ("within the stated error", "118112683907/7945607164495", "two standard errors of 0.004%"),
    "PP-C1.error": ("true only if", None, "it is read as the half-width of a 99% interval"),
    "PP-C1.chance": ("confirmed", "0/1", "“equal to the probability” is read as exactly 0%"),
    "PP-C2": ("within the stated error", "2141803971686/71510464480455", "errors of 0.008% (twice that of PP-C1)"),
    "PP-C3.edge": ("confirmed", "391045/6689228", ""),
    "PP-C4": ("contradicted", "1205/20332", "“6-card royal” and “7-card royal” with the sign reversed"),
    "PP-C5.without": ("contradicted", None, "the average of PP-C1 (1.48%, within the stated error) and PP-C4"),
    "PP-C6.with": ("within the stated error", None, "errors of 0.004% (that of PP-C1)"),
    "PP-C6.without": ("contradicted", None, "do not reach that far"),
    "PP-C8.H": ("contradicted", "716556/8361535", "the right figure stands at PP-C9.NH11 (8.57%)"),
    "PP-C9.NH9": ("internally inconsistent", "909644/8361535", "a pay table printed twice: it is that of PP-C9.NH7"),
    "PP-C9.NH10": ("internally inconsistent", "12396/128639", "that of PP-C9.NH8 (9.64%), and here it has no figure"),
    "PP-C9.NH11": ("true only if", "716556/8361535", "the figure of column 11, the last; it would be 10.8789% as"),
    "PP-C10.7-card-royal.p": ("contradicted", "1/33446140", "a decimal point one place too far to the right"),
    "PP-C12": ("not stated", "87597/3344614", "prints no figure"),
    "PP-13": ("true only if", "0/1", "it would be 0.2200 ± 0.0010 (simulated) as a statement about luck"),
    "PP-15": ("confirmed", "2/1", "“always happen” is read as at least 1"),
    "PP-16": ("confirmed", None, "“most” is read as at least 50%"),
    "PP-17": ("true only if", "0/1", "the Ante Bonus stays at $5; it would be 0.05% as"),
    "BL-11": ("not computable", None, "missing: a record of hands dealt"),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_known_of_the_documents_is_found(name: str, verdicts: Mapping[str, Verdict]) -> None:
    """Fractions from counts made elsewhere in these tests: brute force, the C programs of bench/, published figures."""
    verdict, exact, words = EXPECTED[name]
    found = verdicts[name].json()
    assert found["verdict"] == verdict and words in found["explanation"]
    assert exact is None or found["computed_exact"] == exact


def test_the_sign_slip_by_hand() -> None:
    """PP-C4, PP-C8: 184 long royals charged instead of paid, on 133,784,560 hands, gives all four printed figures."""
    for exact, printed in (("1205/20332", "6.06%"), ("716556/8361535", "8.71%"), ("1090179/16723070", "6.66%"),
                           ("166921/4778020", "3.63%")):  # fmt: skip
        slipped = Fraction(exact) + Fraction(2 * 184 * 500, 133_784_560)
        assert Figure.read(printed).rounds_to(slipped) and not Figure.read(printed).rounds_to(Fraction(exact))


def test_the_nine_figures_for_new_hampshire_fit_columns_1_to_8_and_11() -> None:
    """PP-C9, by the combinations of the report itself: no other nine of the eleven columns, in order, fit."""
    ways = {"royal": 4_324, "straight flush": 37_260, "four": 224_848, "full": 3_473_184, "flush": 4_047_644,
            "straight": 6_180_020, "three": 6_461_620}  # fmt: skip
    columns = [
        (250, 100, 50, 10, 4, 3, 2), (250, 100, 50, 15, 3, 3, 2), (500, 100, 50, 10, 4, 3, 2),
        (200, 100, 50, 10, 5, 3, 2), (250, 100, 50, 10, 5, 3, 2), (250, 150, 50, 10, 5, 3, 2),
        (500, 150, 75, 15, 4, 2, -1), (250, 100, 50, 15, 5, 3, -1), (500, 150, 75, 15, 4, 2, -1),
        (250, 100, 50, 15, 5, 3, -1), (500, 150, 75, 10, 6, 4, -1),
    ]  # fmt: skip
    total = 133_784_560
    edges = [
        Fraction(total - sum(ways.values()) - sum(n * p for n, p in zip(ways.values(), c, strict=True)), total)
        for c in columns
    ]
    printed = ["11.15%", "1.20%", "10.34%", "8.29%", "8.13%", "6.73%", "10.88%", "9.64%", "8.57%"]
    fits = [
        some for some in combinations(range(11), 9)
        if all(Figure.read(f).rounds_to(edges[i]) for f, i in zip(printed, some, strict=True))
    ]  # fmt: skip
    assert (0, 1, 2, 3, 4, 5, 6, 7, 10) in fits and all(some[-1] == 10 for some in fits)


def test_the_error_of_the_alternative_rule_is_twice_that_of_the_base_rule(verdicts: Mapping[str, Verdict]) -> None:
    """PP-C2: a hand without a pair that beats the dealer costs the player his win and his bet; ties without a pair
    are the rest, and they are few."""
    base, other = (v.measured.value for v in (verdicts["PP-C1"], verdicts["PP-C2"]) if v.measured)
    assert 0 < other - 2 * base < Fraction(1, 2000)


def test_no_verdict_is_written_in_a_claims_file() -> None:
    for path in shipped_claims():
        text = path.read_text()
        assert not [v for v in VERDICTS if v != "true only if" and f'"{v}"' in text]


def _numbers(data: object) -> set[str]:
    if isinstance(data, dict):
        return set().union(*map(_numbers, data.values())) if data else set()
    if isinstance(data, list):
        return set().union(*map(_numbers, data)) if data else set()
    return {str(data)}


SHOWN = ("edge", "lowest edge", "highest edge", "edge together", "edge per unit bet", "ways", "hands", "long-run edge")
"""Measures whose figure stands in the JSON of `analyze` or `hands`."""


def _asked(command: str) -> tuple[House, str, str, dict[str, Fraction]]:
    """The house that a command is about, read as the command line reads it, with wager, strategy and bets."""
    args = vars(build_parser().parse_args(shlex.split(command)[1:]))
    options, tables, bets = (
        dict(text.split("=", 1) for text in args.get(name, ())) for name in ("options", "tables", "bets")
    )
    house = load(args["game"]).at(options, tables)
    return house, args["wager"] or "", args.get("strategy", ""), {w: Fraction(x) for w, x in bets.items()}


def _figures(command: str) -> Iterator[str]:
    """Everything that the house of a command comes to."""
    house, wager, strategy, bets = _asked(command)
    for name in [wager] if wager else bets:
        yield from _numbers(record_of(house, name, strategy).json())
        if house.meters(name):
            yield from _numbers(law_of(house, name, strategy).progressive(name).json())
    if bets:
        lost = sum((amount * record_of(house, w, strategy).house_edge for w, amount in bets.items()), Fraction(0))
        edge = lost / sum(bets.values())
        yield f"{edge.numerator}/{edge.denominator}"


def test_the_printed_command_is_about_the_computed_figure(verdicts: Mapping[str, Verdict]) -> None:
    """The very house that the command names comes to the figure."""
    checked = 0
    for v in verdicts.values():
        parts = v.command.split(" && ")
        if v.claim.measure not in SHOWN or v.measured is None or not parts[0].startswith("pitboss analyze"):
            continue
        exact = v.json()["computed_exact"]
        shown = {figure for part in parts for figure in _figures(part)}
        assert {exact, exact.removesuffix("/1")} & shown, (v.claim.id, v.command)
        checked += 1
    assert checked > 70


def test_what_the_printed_command_prints_has_the_computed_figure(
    verdicts: Mapping[str, Verdict], capsys: pytest.CaptureFixture[str]
) -> None:
    """The first command of every measure and game, run."""
    first: dict[tuple[str, str], Verdict] = {}
    for v in verdicts.values():
        if v.claim.measure in SHOWN and v.measured is not None:
            first.setdefault((v.claim.measure, v.claim.game), v)
    for v in first.values():
        shown = set()
        for part in v.command.split(" && "):
            assert main([*shlex.split(part)[1:], "--json"]) == 0
            shown |= _numbers(json.loads(capsys.readouterr().out))
        exact = v.json()["computed_exact"]
        assert {exact, exact.removesuffix("/1")} & shown, (v.claim.id, v.command)
    assert len(first) >= 10


def test_commands_that_show_no_figure_run_too(
    verdicts: Mapping[str, Verdict], capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them name a house; the first of every verb and game is run, but for a chart of very many rows."""
    first: dict[str, str] = {}
    for v in verdicts.values():
        if v.command.startswith(("pitboss rules", "pitboss strategy")):
            house, wager, *_ = _asked(v.command)
            assert not wager or wager in house.parties
            first.setdefault(" ".join(v.command.split()[:3]), v.command)
    assert first.pop("pitboss strategy flop-poker-bonus")
    for command in first.values():
        assert main(shlex.split(command)[1:]) == 0
        assert capsys.readouterr().out
    assert len(first) >= 3


def test_the_page_is_in_step(judged: Sequence[Judged], verdicts: Mapping[str, Verdict]) -> None:
    page = (ROOT / "docs" / "verification.md").read_text()
    assert page.endswith(markdown(Verdicts(tuple(judged)))), "run make docs"
    assert page.count("\n| ") == len(verdicts) + len(shipped_claims())


# ---- slips


def table(*rows: tuple[str, int, int]) -> list[Outcome]:
    total = sum(ways for _, ways, _ in rows)
    return [Outcome(name, ways, Fraction(ways, total), Fraction(pays)) for name, ways, pays in rows]


ROWS = table(("top", 7, 40), ("good", 90, 6), ("fair", 700, 1), ("lose", 1603, -1))


def edge(rows: list[Outcome]) -> Fraction:
    return -sum((o.returns for o in rows), Fraction(0))


def printed(value: Fraction) -> Figure:
    return Figure.read(f"{float(value * 100):.4f}%")


@pytest.mark.parametrize(
    "wrong, words",
    [
        (table(("top", 7, -40), ("good", 90, 6), ("fair", 700, 1), ("lose", 1603, -1)), "“top” with the sign reversed"),
        (table(("top", 7, 0), ("good", 90, 6), ("fair", 700, 1), ("lose", 1603, -1)), "“top” left out"),
        (table(("top", 7, 40), ("good", 90, -1), ("fair", 700, 1), ("lose", 1603, -1)), "“good” counted as lost"),
        (table(("top", 7, 6), ("good", 90, 6), ("fair", 700, 1), ("lose", 1603, -1)), "“top” paid as “good”"),
        (table(("top", 7, 39), ("good", 90, 5), ("fair", 700, 0), ("lose", 1603, -1)), "pays read as for 1, not to 1"),
        (table(("top", 7, -40), ("good", 90, -6), ("fair", 700, 1), ("lose", 1603, -1)),
         "“top” and “good” with the sign reversed"),
    ],
)  # fmt: skip
def test_a_planted_slip_is_found(wrong: list[Outcome], words: str) -> None:
    assert words in [s.words for s in in_the_rows(printed(edge(wrong)), ROWS)]


def test_the_ways_of_another_row() -> None:
    wrong = edge(ROWS) + 7 * Fraction(40, 2400) - 90 * Fraction(40, 2400)
    assert "the ways of “good” taken for “top”" in [s.words for s in in_the_rows(printed(wrong), ROWS)]


def test_a_right_figure_has_no_slip() -> None:
    assert not list(in_the_rows(printed(edge(ROWS)), ROWS))
    assert not list(in_the_number(printed(edge(ROWS)), edge(ROWS)))


@given(st.integers(101, 9899).filter(lambda n: n % 10 and n % 100 // 10 != n % 10))
def test_digits_that_have_changed_places(n: int) -> None:
    right = f"{n / 100:.2f}%"
    swapped = right[:-3] + right[-2] + right[-3] + "%"
    assert any(right in s.words for s in in_the_number(Figure.read(swapped), Figure.read(right).value))


@given(st.lists(st.tuples(st.integers(1, 999), st.integers(0, 60)), min_size=2, max_size=5), st.data())
def test_whatever_two_rows_lose_their_sign_it_is_found(rows: list[tuple[int, int]], data: st.DataObject) -> None:
    right = table(*((f"row {i}", ways, pays) for i, (ways, pays) in enumerate(rows)), ("lose", 5000, -1))
    some = data.draw(st.sampled_from(list(combinations(range(len(rows)), 2))))
    flipped = [Outcome(o.outcome, o.ways, o.probability, -o.pays if i in some else o.pays) for i, o in enumerate(right)]
    if edge(flipped) != edge(right):
        names = " and ".join(f"“row {i}”" for i in some)
        assert f"{names} with the sign reversed" in [s.words for s in in_the_rows(printed(edge(flipped)), right)]


def test_a_slip_of_two_rows_counts_only_where_it_explains_several_figures(verdicts: Mapping[str, Verdict]) -> None:
    for v in verdicts.values():
        if "” and “" in v.explanation:
            assert " too: “" in v.explanation


def test_every_json_field_is_documented(verdicts: Mapping[str, Verdict]) -> None:
    page = (ROOT / "docs" / "json.md").read_text()
    assert [key for key in verdicts["PP-C4"].json() if f"`{key}`" not in page] == []


def test_every_measure_and_every_key_of_a_claim_is_documented() -> None:
    from dataclasses import fields

    from pitboss.claims import Claim
    from pitboss.claims.file import FOUND

    page = (ROOT / "docs" / "verify.md").read_text()
    assert [m for m in MEASURES if f"`{m}`" not in page] == []
    keys = [f.name for f in fields(Claim) if f.name not in FOUND]
    assert [key for key in keys if f"`{key}`" not in page] == []
