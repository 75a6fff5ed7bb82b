"""Jurisdictions: what is shipped says what it knows, damaged files are one sentence, and limits hold at every table."""

import json
import pickle
import re
import tomllib
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pitboss as pb
from helpers import GAME_FILES, ROOT, load_game
from pitboss.cli import main
from pitboss.earn.exposure import exposure, largest
from pitboss.jurisdictions import SECTIONS, Jurisdiction, jurisdiction_named, known_jurisdictions, read_jurisdiction
from pitboss.jurisdictions.record import NOT_LOOKED_UP
from pitboss.rules.limits import IN_ALL, TABLE, Aggregate, Limit, Limits, payout

PAGE = ROOT / "docs" / "jurisdictions.md"
EXAMPLE = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
KNOWN = [jurisdiction_named(path.stem) for path in known_jurisdictions()]
WASHINGTON = jurisdiction_named("washington")
HOLDEM, STUD = ROOT / "examples" / "ultimate_texas_holdem.py", ROOT / "examples" / "mississippi_stud.py"
OWN_GAME = '''"""High card, with a raise of up to five times, and a lucky bet."""
from pitboss.rules import DEALER, PLAYER, Amount, Game, PayTable, Wager, compare, first_match


def play(t):
    mine, his = t.deal(PLAYER), t.deal(DEALER)
    choice = t.decide("check", "raise")
    t.bet("raise", 5 if choice == "raise" else 0)
    result = compare(mine[0].rank, his[0].rank)
    t.settle(ante=result, raise_=result, lucky=first_match(("ace", mine[0].rank == 14)))


def wagers(options):
    return (
        Wager("ante", required=True),
        Wager("raise", equal_to="ante", times=(0, 5)),
        Wager("lucky", needs="ante", minimum=1, maximum=options["lucky-max"], tables=[PayTable("a", {"ace": 10})]),
    )


GAME = Game("high-card", "High Card", play, wagers, options=(Amount("lucky-max", 1000, "most on the lucky bet"),))
'''


def own_file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def limits(most: int = 0, least: int = 0, **more: object) -> Limits:
    rule = "Rule 1"
    return Limits(
        "here", (Limit(Fraction(most), rule),) if most else (), (Limit(Fraction(least), rule),) if least else (), **more
    )  # type: ignore[arg-type]


def refused(what: Callable[[], object]) -> str:
    with pytest.raises(pb.BadInput) as caught:
        what()
    text = str(caught.value)
    assert "\n" not in text and text
    return text


# ---- what is shipped


@pytest.mark.parametrize("place", KNOWN, ids=lambda p: p.name)
def test_what_is_shipped_names_its_sources_and_its_gaps(place: Jurisdiction) -> None:
    paid = () if place.aggregate is None else (place.aggregate,)
    facts = (*place.limits, *paid, *place.filings, *place.postings, *place.conditions)
    assert {f.source for f in facts if f.source} == set(place.sources)  # nothing is read that nothing rests on
    for fact in facts:
        assert len(fact.says) < 300 and (fact.rule or fact.source is None)
        assert (fact in place.unknown) == (NOT_LOOKED_UP in fact.standing)
        assert fact.source is None or fact.source.looked_up.isoformat() in fact.standing
    assert all(s.looked_up == date(2026, 11, 18) and (s.address or s.kind == "letter") for s in place.sources)
    assert all(asked.answered_by in ("", *SECTIONS) for asked in place.checklist)
    assert any(not asked.answered_by for asked in place.checklist)  # something is always the applicant's
    assert place.name == Path(place.reference).stem and re.fullmatch(r"[0-9a-f]{64}", place.sha256)


def test_a_limit_is_never_said_without_having_been_read() -> None:
    for place in KNOWN:
        assert all(limit.source is not None for limit in place.limits)
    assert [p.name for p in KNOWN if p.unknown] == ["nevada", "washington"] and not jurisdiction_named("nevada").limits


# ---- how a house comes under one


def test_what_is_as_usual_is_brought_down_and_told() -> None:
    house = WASHINGTON.house(pb.game("bluff").at(decks=8))
    assert house.largest_bet("ante") == house.amount("table-max") == 400 and house.options["decks"] == 8
    assert house.under is not None
    assert house.under.told(house) == ("table-max is $400, not the usual $500 (WAC 230-15-140)",)
    assert WASHINGTON.notices(house)[0] == "The largest bet on any wager is $400 (WAC 230-15-140)."
    low = WASHINGTON.house(pb.game("bluff").at(table_max=300))
    assert low.largest_bet("ante") == 300  # a house may take less than it is allowed to
    assert low.under is not None and low.under.told(low) == ("this house is within its limits",)


@pytest.mark.parametrize("option, game", [("table-max", "bluff"), ("bonus-max", "blackjack")])
def test_what_was_chosen_beyond_is_refused_with_what_to_write(option: str, game: str) -> None:
    house = pb.game(game).at({option: 450})
    assert refused(lambda: WASHINGTON.house(house)) == (
        f"washington: {option} $450 is above the $400 that WAC 230-15-140 allows for a single wager; set {option}=400"
    )
    assert WASHINGTON.house(house.but({option: 400})).amount(option) == 400


def test_a_choice_that_is_as_usual_is_one_if_its_user_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    house = pb.game("bluff").at(table_max=500)  # the usual one
    assert WASHINGTON.house(house).amount("table-max") == 400
    assert "table-max $500 is above the $400" in refused(lambda: WASHINGTON.house(house, chosen=["table-max"]))
    assert main(["rules", "bluff", "--jurisdiction", "washington", "-o", "table_max=500"]) == 2
    assert "set table-max=400" in capsys.readouterr().err
    assert "chosen: table_min is not one of" in refused(lambda: WASHINGTON.house(house, chosen=["table_min"]))


def test_limits_stay_whatever_else_is_changed() -> None:
    house = WASHINGTON.house(pb.game(HOLDEM).at())
    other = house.but(tables={"trips": "50-40-30-9-7-4-3"}).but(table_min=10)
    assert other.under == house.under and other.largest_bet("ante") == 100 and other.least_bet("ante") == 10
    assert "table-max $450" in refused(lambda: house.but(table_max=450))
    assert "table-min $200" not in refused(lambda: house.but(table_min=200))
    assert refused(lambda: house.but(table_min=200)).endswith("set table-min=100 or less")
    assert pickle.loads(pickle.dumps(other)) == other and hash(pickle.loads(pickle.dumps(other))) == hash(other)
    assert house != pb.game(HOLDEM).at(table_max=400) and "under washington" in repr(house)


@pytest.mark.parametrize("path", GAME_FILES, ids=lambda p: p.stem)
def test_no_bet_that_every_game_takes_there_is_beyond(path: Path) -> None:
    """At the largest bets no single wager of any game, also none that a choice makes several times as large, is above
    the limit; and a house without a jurisdiction says nothing of one."""
    usual = load_game(path).at()
    house = WASHINGTON.house(usual)
    for wager in house.wagers:
        if not wager.free and not wager.name.startswith("hand-"):  # a doubled split hand is two wagers
            assert house.largest_bet(house.lead(wager.name)) * max(house.multiples[wager.name]) <= 400, wager.name
    assert usual.under is None and "jurisdiction" not in {**usual.provenance().json(), **usual.provenance().header()}
    assert house.provenance().command("analyze").endswith("--jurisdiction washington")


# ---- what is one wager


def test_a_raise_of_several_times_is_one_wager_and_keeps_the_ante_small() -> None:
    assert WASHINGTON.house(pb.game(HOLDEM).at()).largest_bet("ante") == 100  # four times
    assert WASHINGTON.house(pb.game(STUD).at()).largest_bet("ante") == 133  # three times, in whole dollars
    house = WASHINGTON.house(pb.game(HOLDEM).at())
    assert refused(lambda: house.check_bets({"ante": Fraction(150)})) == (
        "washington: ante $150 would make play $600, above the $400 that WAC 230-15-140 allows for a single wager; "
        "bet $100 or less"
    )
    assert WASHINGTON.notices(house)[0] == (
        "The largest bet on the Ante is $100, so that the Play is no more than $400 (WAC 230-15-140)."
    )


def test_doubling_is_a_wager_of_its_own_unless_all_in_a_circle_counts() -> None:
    """A split hand is bet, and doubled later: two wagers. Where all that lies in the circle counts, it is one."""
    game = pb.game("blackjack")
    assert WASHINGTON.house(game.at()).largest_bet("main") == 400
    in_all = Limits("here", (Limit(Fraction(400), "Rule 1", counts=IN_ALL),))
    assert game.at().but(under=in_all).largest_bet("main") == 200


def test_limits_by_kind_of_wager() -> None:
    kinds = [Limit(Fraction(n), "Rule 1", on) for n, on in ((100, "main"), (50, "side"), (4, "jackpot"))]
    bluff = pb.game("bluff").at()
    assert "progressive $5 is above the $4 that Rule 1 allows for a jackpot bet" in refused(
        lambda: bluff.but(under=Limits("here", tuple(kinds)))
    )
    house = bluff.but(under=Limits("here", tuple(kinds[:2])))
    assert [house.largest_bet(w) for w in ("ante", "suit-tie")] == [100, 50]
    assert house.amount("table-max") == 500  # no limit on every wager


def test_the_smallest_wager() -> None:
    house = pb.game("blackjack").at(bonus_min=1).but(under=limits(least=10))
    assert [house.least_bet(w) for w in ("main", "lucky-lucky")] == [10, 10]
    assert "below the $10 that Rule 1 asks for" in refused(lambda: house.check_bets({"main": Fraction(5)}))
    set_low = pb.game("blackjack").at(table_min=6)
    assert refused(lambda: set_low.but(under=limits(least=10))).endswith("set table-min=10")
    assert "so the game cannot be offered here" in refused(lambda: pb.game("bluff").at().but(under=limits(least=10)))


# ---- at the table


def test_a_live_table_refuses_a_bet_beyond_with_the_rule() -> None:
    table = pb.table(WASHINGTON.house(pb.game("blackjack").at()), seed=1)
    for bet in (lambda: table.bet(1, main=401), lambda: table.bet(1, main=10, lucky_lucky=401)):
        assert "WAC 230-15-140" in refused(bet)
    assert table.bets(1) == {}
    table.bet(1, main=400, lucky_lucky=100)
    assert "WAC 230-15-140" in refused(lambda: table.toke(1, lucky_lucky=500))
    table.deal()


def test_what_a_choice_puts_down_is_never_above_the_limit() -> None:
    """Played out: the largest bet that is taken, raised as far as the game goes."""
    for path, ante, choices in ((HOLDEM, 100, ("raise 4x",)), (STUD, 133, ("3x", "3x", "3x"))):
        table = pb.table(WASHINGTON.house(pb.game(path).at()), seed=3)
        assert "for a single wager" in refused(lambda ante=ante, table=table: table.bet(1, ante=ante + 1))
        table.bet(1, ante=ante)
        table.deal()
        for choice in choices:
            table.choose(1, next(c for c in table.turn.choices if choice in c))  # type: ignore[union-attr]
        bets = [Fraction(e["amount"]) for e in table.round.events if e["event"] == "bet"]  # type: ignore[union-attr]
        assert 400 - ante < max(bets) <= 400


def test_a_table_with_a_meter_goes_on_under_its_limits() -> None:
    table = pb.table(WASHINGTON.house(pb.game("bluff").at()), seed=4)
    for _ in range(3):
        table.bet(1, ante=400, progressive=5)
        table.deal()
        while table.turn is not None:
            table.choose(1, table.turn.choices[0])
    assert table.showing.amount("meter") > 10_000 and table.showing.under == WASHINGTON.under


def test_played_and_replayed_at_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = str(tmp_path / "night.log")
    answers = iter(["b", "450", "400", "", "", "", "1", "1", "q"])
    monkeypatch.setattr("pitboss.cli.commands.ask", lambda prompt: next(answers))
    assert main(["play", "bluff", "--jurisdiction", "washington", "--log", log, "--rounds", "1"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "washington: table-max is $400, not the usual $500" in out
    assert "washington: ante $450 is above the $400 that WAC 230-15-140 allows for a single wager" in out
    assert main(["replay", log, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["missing"] == [] and found["rounds"][0]["settled"][0]["stake"] == "400"
    first = json.loads(Path(log).read_text().splitlines()[0])
    assert first["jurisdiction"] == {"name": "washington", "file_sha256": WASHINGTON.sha256}
    assert main(["play", "bluff", "--jurisdiction", "washington", "--bet", "ante=500"]) == 2
    assert "WAC 230-15-140" in capsys.readouterr().err


# ---- what a round may pay


def test_no_bet_is_taken_that_could_win_more_than_a_round_may_pay() -> None:
    house = pb.game("blackjack").at().but(under=limits(aggregate=Aggregate(Fraction(10_000), "Rule 9")))
    assert house.largest_bet("lucky-lucky") == 50  # 200 to 1
    assert payout(house, {"lucky-lucky": Fraction(50)}) == 10_000 < payout(house, {"lucky-lucky": Fraction(51)})
    assert payout(house, {"main": Fraction(10)}) == 10 * (Fraction(3, 2) + 1 + 3 * 2 + 1)  # doubled, split, insured
    both = {"main": Fraction(5), "lucky-lucky": Fraction(50), "lucky-break": Fraction(65)}
    assert "these bets could win $19,992.50 in one round, above the $10,000 that Rule 9 lets" in refused(
        lambda: house.check_bets(both)
    )
    table = pb.table(house, seed=1)
    table.bet(1, main=5, lucky_lucky=40)
    assert "Rule 9" in refused(lambda: table.bet(1, lucky_break=20))
    assert table.bets(1) == {"main": 5, "lucky-lucky": 40}


def test_the_bound_is_never_below_what_the_cards_can_give() -> None:
    """Against the exact count of what a seat can win, which knows the cards; a bet by itself comes to all of it."""
    for game in ("bluff", STUD):
        study = pb.study(game)
        for wager in study.banked:
            bet = {wager: study.house.least_bet(wager)}
            assert largest(study, bet)[0] <= payout(study.house, bet)
    side = {"suit-tie": Fraction(5)}
    assert largest(pb.study("bluff"), side)[0] == payout(pb.game("bluff").at(), side) == 75


def test_what_a_table_may_pay_looks_at_all_seats() -> None:
    house = pb.game("blackjack").at().but(under=limits(aggregate=Aggregate(Fraction(10_000), "Rule 9", TABLE)))
    table = pb.table(house, 3, seed=1)
    for seat in (1, 2):
        table.bet(seat, main=5, lucky_lucky=20)
    assert "the bets of all seats could win $12,142.50" in refused(lambda: table.bet(3, main=5, lucky_lucky=20))
    table.bet(3, main=5, lucky_lucky=5)
    table.deal()


def test_what_players_win_of_each_other_is_not_the_houses_to_pay() -> None:
    flop = pb.game("flop-poker-bonus").at()
    assert payout(flop, {"pot": Fraction(5)}) == 0 and payout(flop, {"ante": Fraction(5)}) == 5 + 5000


def test_awards_in_dollars_count_and_a_game_that_pays_too_much_is_refused() -> None:
    packs = pb.game("packs-poker").at()
    assert payout(packs, {"ante-bonus": Fraction(5)}) == 25_000
    small = limits(aggregate=Aggregate(Fraction(10_000), "Rule 9"))
    assert "the smallest bets on all wagers could win $75,015" in refused(lambda: packs.but(under=small))
    house = packs.but({"fixed-awards": "off"}, under=small)
    assert house.largest_bet("ante-bonus") == 20  # 500 to 1
    assert house.but(tables={"ante-bonus": "NH1"}).largest_bet("ante-bonus") == 40  # 250 to 1: looked at again


def test_the_exposure_of_a_floor_is_that_of_bets_that_are_taken() -> None:
    usual = pb.study(pb.game("bluff").at())
    there = pb.study(usual.house.but(under=limits(most=100)))
    before, after = exposure(usual, 2), exposure(there, 2)
    assert after.limits["ante"] == 100 < before.limits["ante"] == 500 and after.table < before.table
    capped = exposure(pb.study(usual.house.but(under=limits(aggregate=Aggregate(Fraction(20_000), "Rule 9")))), 2)
    assert capped.per_seat <= 20_000 and capped.table <= 40_000


# ---- a file, and a game, of one's own


def test_the_example_of_the_page_is_a_whole_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_file(tmp_path, EXAMPLE)
    place = pb.jurisdiction(path)
    house = place.house(pb.game("blackjack").at())
    assert [house.largest_bet(w) for w in ("main", "lucky-lucky")] == [200, 25] and house.amount("bonus-max") == 25
    assert place.notices(house)[-1] == "Limits are set by My County (Ordinance 12, section 7)."
    assert [fact.says for fact in place.unknown] == ["Whether the state has a limit of its own"]
    for section in SECTIONS:
        assert f"`{section}`" in PAGE.read_text(encoding="utf-8")
    assert main(["jurisdictions", str(path)]) == 0
    out = capsys.readouterr().out
    assert "yours to supply" in out and NOT_LOOKED_UP in " ".join(out.split())
    assert main(["analyze", "bluff", "--wager", "suit-tie", "--jurisdiction", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["jurisdiction"]["name"] == "my-county"


def test_a_game_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "high_card.py"
    path.write_text(OWN_GAME)
    house = WASHINGTON.house(pb.game(path).at())
    assert house.largest_bet("ante") == 80 and house.amount("lucky-max") == house.largest_bet("lucky") == 400
    table = pb.table(house, seed=1)
    assert "ante $100 would make raise $500" in refused(lambda: table.bet(1, ante=100))
    table.bet(1, ante=80, lucky=400)
    fixed = re.sub(r", options=.*", ")", OWN_GAME).replace('options["lucky-max"]', "900")  # no option holds it
    path = tmp_path / "fixed.py"
    path.write_text(fixed)
    assert WASHINGTON.house(pb.game(path).at()).largest_bet("lucky") == 400


# ---- damaged files

GOOD = """
name = "my-county"
title = "My County"
[sources.code]
title = "The code"
kind = "rule"
looked_up = 2026-11-18
"""
DAMAGED = {
    'name = "x"\ntitle = "X"\nlimits = 3': "'limits' is not one of name, title",
    'title = "X"': "has no name; write name = '...'",
    'name = "X Y"\ntitle = "X"': "name is small letters, digits and hyphens, such as my-county, not 'X Y'",
    "name = 3": "name is text in quotes, not 3",
    'name = "x"\ntitle = "a\\u001bb"': "title has '\\x1b' in it, which cannot be printed",
    "name = [": "is not TOML: ",
    GOOD + "[[limit]]\nsays = 'a'\nmost = 'lots'": "limit 1: most: 'lots' is not an amount of dollars and whole cents",
    GOOD + "[[limit]]\nsays = 'a'\nmost = -5": "limit 1: most: -5 is not an amount",
    GOOD + "[[limit]]\nsays = 'a'\nmost = true": "limit 1: most: True is not an amount",
    GOOD + "[[limit]]\nsays = 'a'\nmost = inf": "limit 1: most: inf is not an amount",
    GOOD + "[[limit]]\nsays = 'a'": "limit 1: says how much: write most = 300 or least = 5",
    GOOD + "[[limit]]\nmost = 5": "limit 1: has no says",
    GOOD + "[[limit]]\nsays = 'a'\nmost = 5\non = 'bets'": "limit 1: on 'bets' is not one of all, main, side or",
    GOOD + "[[limit]]\nsays = 'a'\nmost = 5\ncounts = 'x'": "counts 'x' is not one of at once or in all",
    GOOD + "[[limit]]\nsays = 'a'\nmost = 5\n[[limit]]\nsays = 'b'\nleast = 6\non = 'side'": "the smallest wager that",
    GOOD + "[limit]\nsays = 'a'\nmost = 5": "limit is a list; write each as [[limit]]",
    GOOD + "[[filing]]\nsays = 'a'\nanswered_by = 'sums'": "filing 1: answered_by 'sums' is not one of game, rules",
    GOOD + "[[filing]]\nsays = 'a'\nrule = 'R 1'": "filing 1: R 1 has no source; name one of [sources], or write",
    GOOD + "[[filing]]\nsays = 'a'\nrule = 'R'\nsource = 'book'": "filing 1: source 'book' is not one of code or none",
    GOOD + "[[posting]]\nsays = 'a'\nsigns = 'b'": "posting 1: 'signs' is not one of says, rule, source or sign",
    GOOD + "[[condition]]\nsays = ['a']": "condition 1: says is text in quotes, not ['a']",
    GOOD + f"[[condition]]\nsays = '{'a' * 3000}'": "condition 1: says has 3,000 characters; 2,000 are enough",
    GOOD + "condition = [3]": "not one of title, address, kind, looked_up",  # TOML puts it into the last table
    "condition = [3]\n" + GOOD: "condition 1: is a table, such as [condition], not 3",
    GOOD + "[aggregate]\nsays = 'a'\nper = 'seat'": "aggregate: per goes with most",
    GOOD + "[aggregate]\nsays = 'a'\nmost = 5\nper = 'day'": "aggregate: per 'day' is not one of seat or table",
    GOOD + "[aggregate]\nsays = 'a'\nodds = 'x'": "aggregate: odds: 'x' is not a number from 1",
    "aggregate = 4\n" + GOOD: "aggregate: is a table, such as [aggregate], not 4",
    "sources = 4\nname = 'x'\ntitle = 'y'": "sources is a table, such as [sources.my-source], not 4",
    GOOD.replace("2026-11-18", "'2026-11-18'"): "sources.code: looked_up cannot be '2026-11-18'; write the day",
    GOOD.replace("2026-11-18", "2026-11-18T10:00:00"): "sources.code: looked_up cannot be",
    GOOD.replace("looked_up = 2026-11-18", ""): "sources.code: looked_up is missing",
    GOOD.replace('"rule"', '"gossip"'): "sources.code: kind 'gossip' is not one of rule, proposal, letter or report",
    GOOD + "address = 'file:///etc/passwd'": "sources.code: address begins with https://",
    GOOD.replace("sources.code", "sources.none"): "sources.none: a source has a name",
    "a" * 2 + "=" + "[" * 5000: "is not",
}  # fmt: skip


@pytest.mark.parametrize("text", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_file_is_one_sentence_with_its_place(text: str, tmp_path: Path) -> None:
    path = own_file(tmp_path, text)
    assert DAMAGED[text] in (said := refused(lambda: read_jurisdiction(path))) and said.startswith(f"{path}")


def test_what_is_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (2 << 20))
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    for which, why in (
        (str(large), "no more than"), (str(binary), "is not TOML"), (str(tmp_path), "it is a folder"),
        (str(tmp_path / "none.toml"), "No such file"), ("a\0b", "null"), ("washingtn", "did you mean washington?"),
        ("", "there is no jurisdiction ''"),
    ):  # fmt: skip
        for words in (["jurisdictions", which], ["rules", "bluff", "--jurisdiction", which]):
            assert main(words) == 2
            err = capsys.readouterr().err
            assert why in err and err.count("\n") == 1, err
    assert "a jurisdiction has a name" in refused(lambda: pb.jurisdiction(3))  # type: ignore[arg-type]
    assert "is about a house" in refused(lambda: WASHINGTON.house("bluff"))  # type: ignore[arg-type]


_FACTS = ("says", "rule", "source", "most", "least", "on", "counts", "per", "odds", "answered_by", "sign")
_PARTS = ("about", "sources", "limit", "filing", "posting", "condition", "aggregate")
_KEYS = st.sampled_from((*_PARTS, *_FACTS, "name", "title", "kind", "looked_up", "address", "note", "x", "code"))
VALUES = st.recursive(
    st.one_of(
        st.text(max_size=8), st.integers(), st.floats(), st.booleans(), st.dates(), st.datetimes(), st.just("none"),
        st.sampled_from(["all", "seat", "rules", "rule", "at once", "code"]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(_KEYS, inner, max_size=4)),
    max_leaves=8,
)  # fmt: skip


def toml(value: object) -> str:
    """As TOML spells it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, date) else str(value)


@given(st.dictionaries(_KEYS, VALUES, max_size=5))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_hostile_toml_is_a_jurisdiction_or_one_sentence(tmp_path: Path, data: dict[str, object]) -> None:
    whole = {"name": "x", "title": "X", **data}
    path = own_file(tmp_path, "".join(f"{key} = {toml(value)}\n" for key, value in whole.items()))
    try:
        place = read_jurisdiction(path)
        json.dumps(place.json())
        place.notices(pb.game("bluff").at())
    except pb.BadInput as error:
        assert "\n" not in str(error).removeprefix(f"{path} is not TOML: ")


def places_in(value: object) -> list[tuple[object, ...]]:
    """The way to every value within a file."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *((key, *way) for key, each in inner for way in places_in(each))]


@given(st.data())
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_good_file_with_one_thing_spoilt_is_a_jurisdiction_or_one_sentence(
    tmp_path: Path, data: st.DataObject
) -> None:
    good = tomllib.loads(EXAMPLE)
    *way, last = data.draw(st.sampled_from([way for way in places_in(good) if way]))
    inside: Any = good
    for step in way:
        inside = inside[step]
    if data.draw(st.booleans()):
        inside[last] = data.draw(VALUES)
    else:
        del inside[last]
    path = own_file(tmp_path, "".join(f"{key} = {toml(value)}\n" for key, value in good.items()))
    try:
        json.dumps(read_jurisdiction(path).json())
    except pb.BadInput as error:
        assert str(error).startswith(str(path)) and "\n" not in str(error).removeprefix(f"{path} is not TOML: ")


@given(st.binary(max_size=200))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_hostile_bytes_are_one_sentence(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bytes.toml"
    path.write_bytes(data)
    assert refused(lambda: read_jurisdiction(path)).startswith(str(path))


# ---- what is printed


def test_the_pages_of_the_command_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["jurisdictions"]) == 0
    assert "$400 (WAC 230-15-140)" in capsys.readouterr().out
    for place in KNOWN:
        assert main(["jurisdictions", place.name]) == 0
        out = capsys.readouterr().out
        told = " ".join(out.split())
        addresses = [s.address for s in place.sources if s.address]
        assert all(address in out for address in addresses)  # not broken, so that one can follow them
        assert all(len(line.rstrip()) <= 80 for line in out.splitlines() if "://" not in line)
        assert (NOT_LOOKED_UP[0].upper() + NOT_LOOKED_UP[1:] in told) == bool(place.unknown)
        assert main(["jurisdictions", place.name, "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == place.json()
    assert main(["jurisdictions", "--json"]) == 0
    assert [p["jurisdiction"] for p in json.loads(capsys.readouterr().out)["jurisdictions"]] == [p.name for p in KNOWN]
    assert pb.places() == {p.name: p.title for p in KNOWN}


def test_the_sheet_says_what_holds_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", str(HOLDEM), "--jurisdiction", "washington"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "so that the Play is no more than $400 (WAC 230-15-140)" in told and "looked up 2026-11-18" in told
    assert "all fees to play (WAC 230-15-060)" in told and "could not be below $20,000 (WAC 230-15-490)" in told
    assert main(["rules", "bluff", "--jurisdiction", "washington", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["jurisdiction"]
    assert found["notices"] == list(WASHINGTON.notices(pb.game("bluff").at()))


def test_the_lowest_aggregate_payout_is_that_of_the_rules_own_example() -> None:
    """WAC 230-15-490: $300 at 50 to 1 is $15,000, however high the odds; none where they are below 50 to 1."""
    house = pb.game("flop-poker-bonus").at(table_max=300)  # the flop bet pays 1000 to 1
    assert WASHINGTON.aggregate is not None and WASHINGTON.aggregate.lowest(house)["ante"] == 15_000
    assert "pot" not in WASHINGTON.aggregate.lowest(house)
    assert not WASHINGTON.aggregate.lowest(pb.game("bluff").at())  # its best odds are 15 to 1
