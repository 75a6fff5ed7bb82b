"""What documents say in words: every figure behind such a verdict a second way, by brute force or by dealing."""

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from helpers import ROOT
from pitboss.claims import Verdict, judge, read_claims
from pitboss.claims.asserted import ASSERTED
from pitboss.claims.figures import Figure
from pitboss.cli import main
from pitboss.exact import Study
from pitboss.hands.categories import PAIR, THREE_OF_A_KIND
from pitboss.hands.evaluate import strengths
from pitboss.rules import LOSE, PLAYER, WIN, BadInput, Game, Table, Wager, where

WANTED = re.compile(r"BL-.*|LL-(1.skill|5|C16.1)|PP-(C[1-3]\b.*|C5.with|C6.with|C12|1[3-6])")


@pytest.fixture(scope="module")
def verdicts() -> Mapping[str, Verdict]:
    """The claims that are looked at here; tests/test_claims.py has them all."""
    documents = [read_claims(ROOT / "claims" / f"{n}.toml") for n in ("bluff", "lucky-lucky", "packs-poker")]
    some = [replace(d, claims=tuple(c for c in d.claims if WANTED.fullmatch(c.id))) for d in documents]
    return {v.claim.id: v for d in some for v in judge(d).verdicts}


def value(verdicts: Mapping[str, Verdict], name: str) -> Fraction:
    found = verdicts[name].measured
    assert found is not None
    return found.value


def one(tmp_path: Path, *claims: str, head: str = 'game = "bluff"') -> list[Verdict]:
    path = tmp_path / "claims.toml"
    path.write_text(head + "\n" + "\n".join(f'[[claim]]\nwhere = "page 1"\nsays = "it"\n{c}\n' for c in claims))
    return list(judge(read_claims(path)).verdicts)


# ---- Bluff, pair of cards by pair of cards

RAISES, FOLDS = {2, 3, 9, 10, 11, 12, 13, 14}, {2, 3, 4, 5, 6}


def settled(move: str, mine: int, his: int, tie: str) -> int:
    """What a hand of Bluff brings, in antes."""
    high = (mine > his) - (mine < his)
    after_a_fold = 0 if tie == "push-first" and mine == his else 1
    if move == "raise":
        return after_a_fold if his in FOLDS else 2 * high
    if his in RAISES:
        return 2 * high if move == "call" else -after_a_fold
    return high


def mean(moves: Mapping[int, str], decks: int, tie: str) -> Fraction:
    """Over all pairs of cards of a shoe."""
    copies, total = 4 * decks, Fraction(0)
    for mine, his in product(range(2, 15), repeat=2):
        total += settled(moves[mine], mine, his, tie) * copies * (copies - (mine == his))
    return total / (52 * decks * (52 * decks - 1))


CASUAL = {r: "call" if 5 <= r <= 8 else "raise" for r in range(2, 15)}


@pytest.mark.parametrize("tie", ["fold-first", "push-first"])
@pytest.mark.parametrize("decks", [2, 6])
def test_what_it_costs_never_to_bluff(decks: int, tie: str, tmp_path: Path) -> None:
    """BL-C5.bluffing: 2 to 4 checked, and called for comparison, against the strategy of the packet."""
    best, checks, calls = (
        mean(CASUAL | dict.fromkeys((2, 3, 4), move), decks, tie) for move in ("raise", "check", "call")
    )
    assert checks >= calls and (best - checks > Fraction(1, 100)) == (tie == "fold-first")
    (found,) = one(tmp_path, 'id = "X"\nword = "essential"\nreads = "1%"\nmeans = "at least"\nwager = "ante"\n'
                   'measure = "cost of a choice"\nchoice = "check"\nholding = "2-4"\n'
                   f'options = {{ decks = {decks}, tie = "{tie}" }}')  # fmt: skip
    assert found.measured is not None and found.measured.value == best - checks
    if (decks, tie) == (6, "fold-first"):
        assert f"{float(-best):.2%} {float(-checks):.2%}" == "4.23% 7.07%"


def test_a_dealer_who_folds_to_the_strategy_of_the_packet(verdicts: Mapping[str, Verdict]) -> None:
    """BL-C7.qualifying: raises of 2 to 4 and 9 to ace, against 2 to 6."""
    ways = sum(24 * (24 - (a == b)) for a in CASUAL for b in FOLDS if CASUAL[a] == "raise")
    assert value(verdicts, "BL-C7.qualifying") == Fraction(ways, 312 * 311)


def test_the_cards_favour_nobody_and_the_dealers_answer_does(verdicts: Mapping[str, Verdict]) -> None:
    """BL-C7.symmetry: compared every time, the higher card is as often his as mine; the call is not so fair."""
    assert value(verdicts, "BL-C7.symmetry") == 0
    wins = sum((a > b) - (a < b) for a, b in product(range(2, 15), repeat=2))
    assert wins == 0 and mean(dict.fromkeys(CASUAL, "call"), 6, "fold-first") < 0


def progressive(decks: int, seed: Fraction, increment: Fraction, returned: bool) -> tuple[Fraction, Fraction]:
    """Average jackpot and long-run edge of the Progressive: two matches in a row, from the chain of two states."""
    p = Fraction(decks - 1, 52 * decks - 1)
    after_one = p / (1 + p)
    match, jackpot = (1 - after_one) * p, after_one * p
    lost = 5 - 100 * match - seed * jackpot - increment - (5 * (match + jackpot) if returned else 0)
    return seed + increment / jackpot, lost / 5


def test_amounts_of_ones_own_choice_give_any_figure(verdicts: Mapping[str, Verdict]) -> None:
    """BL-C3: of 112 guesses two hit 6% and one hits 28%, under opposite rules for the stake. BL-C6: at least."""
    tried = {
        (decks, seed, cents, returned): progressive(decks, Fraction(seed), Fraction(cents, 100), returned)[1]
        for decks in (2, 4, 6, 8) for seed in (5000, 10000) for cents in range(50, 201, 25) for returned in (0, 1)
    }  # fmt: skip
    hits = {f: [k for k, edge in tried.items() if Figure.read(f).rounds_to(edge)] for f in ("6%", "28%")}
    assert len(tried) == 112 and [len(h) for h in hits.values()] == [2, 1]
    assert {k[3] for k in hits["6%"]} == {1} and {k[3] for k in hits["28%"]} == {0}
    assert value(verdicts, "BL-C3.low") == value(verdicts, "BL-C3.high") == tried[6, 5000, 150, 0]
    assert value(verdicts, "BL-C6") == progressive(6, Fraction(5000), Fraction(3, 2), False)[0]
    assert verdicts["BL-C6"].claim.stands == "at least $10,000"


def test_an_amount_that_is_usual_is_no_guess(tmp_path: Path) -> None:
    usual, guess = (
        f'id = "{name}"\nprinted = "{printed}"\nwager = "progressive"\nmeasure = "long-run edge"\n'
        'unstated = { increment = ["1.50", "1.75"] }'
        for name, printed in (("usual", "12.92%"), ("guess", "7.92%"))
    )
    first, second = one(tmp_path, usual, guess)
    assert (first.verdict, second.verdict) == ("true only if", "not computable")
    assert "of 2 combinations that were tried 1 comes to 7.92%" in second.explanation


# ---- Lucky Lucky, three cards of a shoe at a time


def lucky_lucky(decks: int, pays: Mapping[str, int]) -> tuple[Fraction, dict[str, int]]:
    """Edge, and ways to every row, over all ordered triples of card codes."""
    cards = np.arange(52)
    a, b, c = (x.ravel() for x in np.meshgrid(cards, cards, cards, indexing="ij"))
    ways = decks * (decks - (b == a)) * (decks - (c == a).astype(int) - (c == b))
    points = np.minimum(np.arange(13) + 2, 10)  # two to ten, then the faces
    points[12] = 11
    total = points[a // 4] + points[b // 4] + points[c // 4]
    aces = (a // 4 == 12).astype(int) + (b // 4 == 12) + (c // 4 == 12)
    while (over := (total > 21) & (aces > 0)).any():
        total, aces = total - 10 * over, aces - over
    ranks = np.sort(np.stack([a // 4, b // 4, c // 4]), 0) + 2
    suited = (a % 4 == b % 4) & (b % 4 == c % 4)
    sevens, run = (ranks == 7).all(0), (ranks == np.array([[6], [7], [8]])).all(0)
    rows = {"suited 7-7-7": suited & sevens, "suited 6-7-8": suited & run, "7-7-7": sevens, "6-7-8": run,
            "suited 21": suited & (total == 21), "21": total == 21, "20": total == 20, "19": total == 19}  # fmt: skip
    left, counts = ways > 0, {}
    for name, hit in rows.items():
        counts[name] = int(ways[left & hit].sum())
        left &= ~hit
    every = int(ways.sum())
    paid = sum(n * (pays[name] + 1) for name, n in counts.items())
    return 1 - Fraction(paid, every), counts


PAYS = dict(zip(("suited 7-7-7", "suited 6-7-8", "7-7-7", "6-7-8", "suited 21", "21", "20", "19"),
                (200, 100, 50, 30, 10, 3, 2, 2), strict=True))  # fmt: skip


def test_six_decks_are_close_to_eight_and_suited_sevens_need_three(verdicts: Mapping[str, Verdict]) -> None:
    """LL-C16.1, LL-5."""
    six, eight = lucky_lucky(6, PAYS)[0], lucky_lucky(8, PAYS)[0]
    assert value(verdicts, "LL-C16.1") == six and Fraction(2, 10_000) < six - eight < Fraction(1, 1000)
    assert [lucky_lucky(decks, PAYS)[1]["suited 7-7-7"] for decks in (1, 2, 3)] == [0, 0, 4 * 3 * 2 * 1]
    assert value(verdicts, "LL-5") == 3


def test_closely_is_a_tolerance_that_can_be_missed(tmp_path: Path) -> None:
    claim = ('id = "{}"\nprinted = "4.9%"\nmeans = "about"\nword = "closely"\nreads = "{}"\nwager = "suit-tie"\n'
             'options = {{ decks = 6 }}')  # fmt: skip
    near, far = one(tmp_path, claim.format("near", "0.1%"), claim.format("far", "0.05%"))
    assert (near.verdict, far.verdict) == ("confirmed", "contradicted")
    assert "0.077 percentage points away; “closely” is read as within 0.10 percentage points" in near.explanation
    assert "“closely” is read as within 0.050 percentage points" in far.explanation


def test_skill_is_a_decision_that_changes_the_bet(tmp_path: Path, verdicts: Mapping[str, Verdict]) -> None:
    asked = 'id = "{0}"\nword = "no skill"\nreads = "0"\nmeans = "exactly"\nmeasure = "decisions"\nwager = "{0}"'
    ante, side = one(tmp_path, asked.format("ante"), asked.format("suit-tie"))
    assert (ante.verdict, side.verdict) == ("contradicted", "confirmed")
    assert verdicts["LL-1.skill"].verdict == verdicts["PP-14"].verdict == "confirmed"


def test_cards_drawn_and_extra_cards_are_seen_where_there_are_some(tmp_path: Path) -> None:
    claims = [f'id = "{m}"\nword = "no"\nreads = "0"\nmeans = "exactly"\nmeasure = "{m}"'
              for m in ("cards drawn", "extra cards")]  # fmt: skip
    assert [v.verdict for v in one(tmp_path, *claims)] == ["confirmed", "confirmed"]
    assert [v.verdict for v in one(tmp_path, *claims, head='game = "blackjack"')] == ["not computable"] * 2

    def play(t: Table) -> None:
        t.deal(PLAYER, 1)
        t.deal("dealer", 3)
        if t.decide("stay", "draw", name="draw") == "draw":
            t.deal(PLAYER, 1)
        t.settle(ante=where(t.deal("dealer", 1).rank > 3, WIN, LOSE))

    house = Game("draws", "Draws", play, [Wager("ante", required=True)]).at()
    claim = read_claims(ROOT / "claims" / "bluff.toml").claims[0]
    assert ASSERTED["cards drawn"](claim, house).value == 2
    assert ASSERTED["extra cards"](claim, house).value == 3


# ---- Pack's Poker

COMBINATIONS = (4_140, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620)
HANDS = 133_784_560


def ante_bonus(pays: tuple[int, ...], bet: int) -> Fraction:
    """Edge with fixed awards, from the combinations that the report prints."""
    paid = sum(n * (p + 1) for n, p in zip(COMBINATIONS, pays, strict=True))
    paid += Fraction(4 * (25_000 + bet) + 180 * (5_000 + bet), bet)  # type: ignore[assignment]
    return 1 - Fraction(paid) / HANDS


REPORT, EXHIBIT = (500, 150, 50, 10, 5, 3, 2), (500, 100, 50, 10, 5, 4, 2)


def test_the_table_of_exhibit_a_has_an_edge_of_its_own(verdicts: Mapping[str, Verdict]) -> None:
    assert value(verdicts, "PP-C12") == ante_bonus(EXHIBIT, 5) and value(verdicts, "PP-C3.edge") == ante_bonus(
        REPORT, 5
    )


def test_most_of_the_loss_and_what_is_in_proportion(verdicts: Mapping[str, Verdict], tmp_path: Path) -> None:
    pack = Fraction(118112683907, 7945607164495)
    assert value(verdicts, "PP-16") == ante_bonus(REPORT, 5) / (ante_bonus(REPORT, 5) + pack)
    (found,) = one(tmp_path, 'id = "X"\nword = "proportional"\nreads = "0%"\nmeans = "exactly"\n'
                   'measure = "out of proportion"\nbets = { pack = 5, ante-bonus = 10 }\n'
                   'options = { fixed-awards = "on" }', head='game = "packs-poker"')  # fmt: skip
    gap = Fraction(10, 15) * (ante_bonus(REPORT, 10) - ante_bonus(REPORT, 5))
    assert found.verdict == "contradicted" and found.measured is not None and found.measured.value == gap > 0


def test_errors_are_inherited(verdicts: Mapping[str, Verdict]) -> None:
    """PP-C2 has the simulated share in it twice, PP-C6 the half of that, and both lie within two errors."""
    for name, times, exact in (("PP-C2", 2, "2.9951%"), ("PP-C5.with", Fraction(1, 2), "3.6662%"),
                               ("PP-C6.with", 1, "4.4205%")):  # fmt: skip
        v, error = verdicts[name], times * Fraction(4, 100_000)
        off = abs(value(verdicts, name) - Figure.read(v.claim.printed).value)
        assert Figure.read(v.claim.error).value == error and v.computed == exact
        assert Fraction(5, 100_000) < off <= 2 * error + Fraction(5, 100_000), "beyond the rounding, within the error"


def test_which_error_the_report_prints(verdicts: Mapping[str, Verdict]) -> None:
    share, wins, losses = 0.0148652, 1662911689068876, 1713936368516700
    deals = 3432502295061840
    spread = sqrt((wins + losses) / deals - ((wins - losses) / deals) ** 2)
    of_share, of_edge = sqrt(share * (1 - share) / 52e6), spread / sqrt(52e6)
    words = verdicts["PP-C1.error"].explanation
    assert f"{of_share:.5%}" == "0.00168%" in words and f"{of_edge:.5%}" == "0.01375%" in words
    assert f"{2.5758 * of_share:.5%}" == "0.00432%" == verdicts["PP-C1.error"].computed


@pytest.fixture(scope="module")
def dealt() -> tuple[np.ndarray, np.ndarray]:
    """Deals of Pack's Poker by numpy: how two Pack bets come out, and whether the first is won without a pair."""
    random = np.random.default_rng(7)
    cards = np.argsort(random.random((120_000, 52)), axis=1)[:, :14]
    own, his = cards[:, :5], cards[:, 5:10]
    results, below = [], np.zeros(len(cards), bool)
    for pack in (cards[:, 10:12], cards[:, 12:14]):
        mine, other = strengths(np.hstack([own, pack])), strengths(np.hstack([his, pack]))
        plain = (mine > other) & (mine < PAIR)
        below = plain if not results else below
        results.append(np.where(plain, 0, np.sign(mine - other)))
    return np.array(results), below


def test_pack_bets_move_together(dealt: tuple[np.ndarray, np.ndarray], verdicts: Mapping[str, Verdict]) -> None:
    """PP-13: both use the player's cards and the dealer's."""
    seen = float(np.corrcoef(dealt[0])[0, 1])
    said = re.search(r"it would be ([\d.]+) ± ([\d.]+)", verdicts["PP-13"].explanation)
    assert said is not None and abs(seen - float(said[1])) < 5 * (len(dealt[1]) ** -0.5 + float(said[2]))
    assert "simulate packs-poker" in verdicts["PP-13"].command


def test_the_edge_is_the_chance_to_win_without_a_pair(
    dealt: tuple[np.ndarray, np.ndarray], verdicts: Mapping[str, Verdict], tmp_path: Path
) -> None:
    """PP-C1.chance; by the alternative rule it is not."""
    chance, edge = float(dealt[1].mean()), float(value(verdicts, "PP-C1"))
    assert abs(chance - edge) < 5 * sqrt(edge / len(dealt[1])) and value(verdicts, "PP-C1.chance") == 0
    (found,) = one(tmp_path, 'id = "X"\nword = "equal"\nreads = "0%"\nmeans = "exactly"\nwager = "pack"\n'
                   'measure = "edge less chance"\nrow = "pair"\ncards = 5\noptions = { rule = "alternative" }',
                   head='game = "packs-poker"')  # fmt: skip
    assert found.verdict == "contradicted"
    assert float(found.measured.value) == pytest.approx(0.029951 - 0.014865, abs=2e-6)  # type: ignore[union-attr]


def test_two_cards_more_never_make_a_hand_worse(verdicts: Mapping[str, Verdict], tmp_path: Path) -> None:
    """PP-15, on a deck of four ranks; and the pay tables for a straight or better pay no three of a kind."""
    deck = [4 * r + s for r in (8, 9, 10, 12) for s in range(4)]
    own = np.array(list(combinations(deck, 5)))
    made = own[strengths(own) >= THREE_OF_A_KIND]
    for pack in combinations(deck, 2):
        free = made[~np.isin(made, pack).any(1)]
        both = np.hstack([free, np.tile(pack, (len(free), 1))])
        assert (strengths(both) >= strengths(free)).all()
    (found,) = one(tmp_path, 'id = "X"\nword = "always"\nreads = "1"\nmeans = "at least"\nwager = "ante-bonus"\n'
                   'measure = "least pay"\nrow = "three of a kind"\ntables = { ante-bonus = "J" }',
                   head='game = "packs-poker"')  # fmt: skip
    assert (verdicts["PP-15"].verdict, found.verdict, found.computed) == ("confirmed", "contradicted", "-1")


# ---- how it is judged


def test_a_correlation_is_counted_where_it_can_be_and_dealt_where_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = ('id = "X"\nword = "independent"\nreads = "0.00"\nmeans = "exactly"\nmeasure = "correlation"\n'
             'bets = { ante = 5, suit-tie = 5 }')  # fmt: skip
    (counted,) = one(tmp_path, claim)
    monkeypatch.setattr(Study, "together", lambda *_: None)
    (found,) = one(tmp_path, claim)
    assert counted.measured is not None and found.measured is not None
    assert not counted.measured.error and found.measured.error > 0
    assert abs(counted.measured.value - found.measured.value) < 5 * found.measured.error


@pytest.mark.parametrize("measure", ASSERTED)
def test_a_measure_that_does_not_fit_says_so(measure: str, tmp_path: Path) -> None:
    """Every measure of every wager, whether it fits or not: a figure, a verdict of not computable, or one sentence."""
    for game, wager, more in (
        ("bluff", "progressive", 'row = "jackpot"\nchoice = "call"\nbets = { ante = 5, progressive = 5 }'),
        ("flop-poker-bonus", "pot", 'row = "pair"\nchoice = "bet"\nbets = { pot = 5, ante = 5 }'),
        ("packs-poker", "ante-bonus", 'row = "flush"\nchoice = "fold"\nbets = { pack = 5, ante-bonus = 5 }'),
    ):
        claim = (f'id = "X"\nword = "x"\nreads = "0"\nmeasure = "{measure}"\nwager = "{wager}"\nrounds = 9\n'
                 f'cards = 5\nholding = "2-4"\n{more}')  # fmt: skip
        try:
            (found,) = one(tmp_path, claim, head=f'game = "{game}"')
        except BadInput as error:
            assert "claim X: " in str(error)
        else:
            assert found.measured is not None or found.verdict == "not computable"


def test_a_reading_that_holds_is_named_and_so_are_the_others(tmp_path: Path) -> None:
    head = 'id = "{}"\nprinted = "{}"\nwager = "suit-tie"\n'
    two = '[claim.readings."six decks"]\noptions = { decks = 6 }\n[claim.readings."eight"]\noptions = { decks = 8 }\n'
    some, none, both = one(tmp_path, head.format("some", "3.61%") + two, head.format("none", "9.99%") + two,
                           head.format("both", "4%") + 'means = "at most"\n' + two.replace("6 }", "8 }"))  # fmt: skip
    assert (some.verdict, none.verdict, both.verdict) == ("true only if", "contradicted", "confirmed")
    assert some.explanation == "it is read as eight; it would be 4.8232% as six decks"
    assert none.explanation.startswith("as six decks: off by 5.2 percentage points; it would be 3.6145% as eight")
    assert both.explanation == "at most 4%, however it is read"


def test_no_figure_is_written_in_powers_of_ten() -> None:
    for text in ("4%", "$5", "0.0000003", "4,140"):
        for gap in (Fraction(1, 3 * 10**12), Fraction(10**25, 3), Fraction(10**25), Fraction(0)):
            assert "e" not in Figure.read(text).distance(gap).replace("percentage points", "")
            assert "e" not in Figure.read(text).show(gap)


# ---- the command


def test_a_document_goes_by_its_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(ROOT / "claims" / "bluff.toml")]) == 0
    by_file = capsys.readouterr().out
    assert main(["verify", "bluff"]) == 0 and capsys.readouterr().out == by_file
    assert by_file.startswith("20 claims: 8 confirmed, 6 true only if, 6 not computable\n")
    assert main(["verify", "bluff", "flop-poker-bonus", "--brief"]) == 0
    assert capsys.readouterr().out.startswith("30 claims: 17 confirmed, 1 confirmed, truncated, 6 true only if, 6 not")
    for wrong, words in (("bluf", "did you mean bluff?"), ("lucky", "did you mean lucky-lucky?"), ("xyz", "there are")):
        assert main(["verify", wrong]) == 2
        assert f"no claims about '{wrong}'; {words}" in capsys.readouterr().err


@pytest.mark.parametrize("width", [80, 100, 160])
def test_no_word_is_cut_at_any_width(
    width: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All lines fit, and joined again they are what stands in a very wide screen."""
    pages = []
    for columns in (1000, width):
        monkeypatch.setenv("COLUMNS", str(columns))
        main(["verify", "bluff"])
        pages.append(capsys.readouterr().out)
    assert max(map(len, pages[1].splitlines())) <= width
    wide, narrow = (page.replace(" \\\n", "\n").split() for page in pages)
    assert wide == narrow
