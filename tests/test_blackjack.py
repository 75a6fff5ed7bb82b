"""Blackjack, Lucky Lucky and Lucky Break: the clauses, the referee on open-ended hands, and the published figures."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import perm
from pathlib import Path

import numpy as np
import pytest

from helpers import OPEN_ENDED, Traced, all_bets, look_up, random_deals, random_strategy, traced
from pitboss.cards import cards_of, composition
from pitboss.catalog import load
from pitboss.cli import main
from pitboss.compile import reference_cells, simulator, walk_deals
from pitboss.deal import Run
from pitboss.exact import Study
from pitboss.live import Round, Seat
from pitboss.rules import BadInput, Game, House
from pitboss.rules.graph import Decide, Mark
from pitboss.rules.shoes import depleted

GAME: Game = load("blackjack")
SIDE: Game = load(str(next(path for path in OPEN_ENDED if path.stem == "blackjack_side_bets")))
HOUSES = {
    "default": GAME.at(),
    "one deck, hits soft 17": GAME.at({"decks": "1", "soft17": "hit", "lucky-break": "multiply"}),
    "generous": GAME.at({"resplit-aces": "yes", "split-aces": "play", "surrender": "late", "double": "9-11"}),
    "stingy": GAME.at({"split-to": "2", "double-after-split": "no", "double": "10-11", "blackjack": "6:5"}),
    "no splits": GAME.at({"split-to": "1"}),
    "a user's side bets": SIDE.at(),
}


def only(house: House, *wagers: str) -> House:
    return replace(house, placed=frozenset(wagers))


# ---- the referee: numpy, machine code and the live table on the same rounds


def recorded(of: Traced, deal: list[int], strategy: np.ndarray) -> tuple[int, list[tuple[int, str]]]:
    """The cell of one round, and the choices that led there."""
    made: list[tuple[int, str]] = []
    policy = look_up(of, strategy)

    def watched(decision: Decide, *known: object) -> np.ndarray:
        chosen: np.ndarray = policy(decision, *known)
        made.append((1, decision.choices[int(chosen[0])]))
        return chosen

    return int(reference_cells(of.cells, np.array([deal]), watched, {})[0]), made


@pytest.mark.parametrize("name", HOUSES)
def test_all_interpreters_agree_cent_by_cent(name: str) -> None:
    """Complete rounds with any choices, splits to four hands included."""
    house = HOUSES[name]
    of, rng = traced(house), np.random.default_rng(4)
    deals, strategy = random_deals(of, 1500, rng), random_strategy(of, rng)
    reference = reference_cells(of.cells, deals, look_up(of, strategy), {})
    assert (reference >= 0).all()
    assert (walk_deals(of.cells, of.keys, deals, strategy, {}, checked=True) == reference).all()
    bets = all_bets(house)
    hands = set()
    ends = np.array([of.cells.leaf(int(cell)).end.id for cell in reference])
    some = [i for end in np.unique(ends) for i in np.flatnonzero(ends == end)[:8]]  # every way that a round can end
    for deal in deals[some].tolist():
        cell, choices = recorded(of, deal, strategy)
        leaf = of.cells.leaf(cell)
        rows = leaf.decode(cell)
        table = Round(house, deal, [Seat(bets)], choices)
        assert table.turn is None
        settled = {e["wager"]: e for e in table.settled()}
        for wager in house.wagers:
            if wager.name not in rows:
                continue
            times = Fraction(rows.get(f"times {wager.name}", leaf.end.bets.get(wager.name, 1)))
            stake = bets[house.lead(wager.name)] * times
            if not times:
                assert wager.name not in settled
                continue
            event = settled[wager.name]
            assert (event["row"], Fraction(event["stake"])) == (rows[wager.name], stake)
            assert Fraction(event["net"]) == house.net(wager.name, rows[wager.name], stake) * stake
        hands.add(sum(w.startswith("hand-") for w in settled))
    assert hands >= ({0, 1} if house.options.get("split-to") != 1 else {0})


def test_the_loops_of_play_become_few_blocks() -> None:
    of = traced(GAME.at())
    names = [n.name for n in of.graph.nodes if isinstance(n, Mark)]
    assert set(names) == {"the hand of two cards", "the hand of more cards", "the dealer's hand"}
    assert len(of.graph.nodes) < 300


# ---- Lucky Lucky

CLAIMED = {
    1: ("5.05", "10.03", "12.47"),
    2: ("5.39", "10.15", "12.72"),
    4: ("5.35", "10.00", "12.63"),
    6: ("5.31", "9.92", "12.57"),
    8: ("5.28", "9.88", "12.54"),
}


@pytest.mark.parametrize("decks", CLAIMED)
def test_LL_C1_to_C15_the_documents_table(decks: int) -> None:
    for table, claimed in zip("123", CLAIMED[decks], strict=True):
        found = Study(GAME.at({"decks": decks}, {"lucky-lucky": table})).wager("lucky-lucky")
        assert f"{float(found.house_edge) * 100:.2f}" == claimed


@pytest.mark.parametrize("decks", [1, 2, 6])
def test_lucky_lucky_by_counting_ranks_and_suits(decks: int) -> None:
    """An independent count: every three cards of the shoe as plain numbers, aces tried both ways."""
    pays = {"777s": 200 if decks > 2 else 50, "678s": 100, "777": 50, "678": 30, "21s": 10, 21: 3, 20: 2, 19: 2}
    total = ways = 0
    kinds = list(product(range(1, 14), range(4)))
    for i, a in enumerate(kinds):
        for j, b in enumerate(kinds[i:], i):
            for c in kinds[j:]:
                hand = [a, b, c]
                n, left = 1, dict.fromkeys(hand, decks)
                for card in hand:
                    n *= left[card]
                    left[card] -= 1
                n *= {3: 6, 2: 3, 1: 1}[len(set(hand))]  # orders of the three
                ranks, suited = sorted(r for r, _ in hand), len({s for _, s in hand}) == 1
                low = sum(min(r, 10) for r in ranks)
                count = max((x for x in (low, low + 10 * (1 in ranks)) if x <= 21), default=0)
                if ranks == [7, 7, 7]:
                    won = pays["777s"] if suited else pays["777"]
                elif ranks == [6, 7, 8]:
                    won = pays["678s"] if suited else pays["678"]
                else:
                    won = pays["21s"] if count == 21 and suited else pays.get(count, -1)
                total += n * won
                ways += n
    found = Study(GAME.at({"decks": decks})).wager("lucky-lucky")
    assert found.house_edge == Fraction(-total, ways)


def test_LL_5_no_suited_sevens_with_one_or_two_decks() -> None:
    for decks in range(1, 9):
        pays = GAME.at({"decks": decks}).tables["lucky-lucky"].pays
        assert ("suited 7-7-7" in pays) == (decks > 2)


def test_lucky_lucky_of_a_depleted_shoe() -> None:
    """Three cards of which every one is a 9 or a ten count too much; of 6, 7 and 8 alone few hands lose."""
    house = GAME.at()
    for left, rows in (
        ("A:0 2:0 3:0 4:0 5:0 6:0 7:0 8:0", {"lose"}),
        (
            "A:0 2:0 3:0 4:0 5:0 9:0 T:0 J:0 Q:0 K:0",
            {"suited 7-7-7", "suited 6-7-8", "7-7-7", "6-7-8", "20", "19", "lose"},
        ),
    ):
        shoe = replace(house, composition=depleted(left, house.composition))
        assert {o.outcome for o in Study(shoe).wager("lucky-lucky").outcomes} == rows


# ---- Lucky Break


def brute_break(house: House, counts: dict[tuple[int, int], int]) -> dict[str, Fraction]:
    """Every order of the dealer's cards, one by one, by an independent reading of LB-2 and LB-3."""
    out: dict[str, Fraction] = {}
    orders, shoe = Counter[tuple[str, int]](), sum(counts.values())  # by row and number of cards

    def go(cards: list[tuple[int, int]], ways: int) -> None:
        low = sum(v for v, _ in cards)
        soft = any(v == 1 for v, _ in cards) and low + 10 <= 21
        total = low + 10 * soft
        if len(cards) >= 2 and (total > 17 or (total == 17 and not (soft and house.options["soft17"] == "hit"))):
            suited = len({s for _, s in cards}) == 1
            kind = f"suited {'5+' if len(cards) >= 5 else len(cards)}" if suited else "unsuited"
            row = f"{total} {kind}" if total > 21 else "lose"
            orders[row, len(cards)] += ways
            return
        for card in [c for c, n in counts.items() if n]:
            here = counts[card]
            counts[card] -= 1
            go([*cards, card], ways * here)
            counts[card] += 1

    go([], 1)
    for (row, many), ways in orders.items():
        out[row] = out.get(row, Fraction(0)) + Fraction(ways, perm(shoe, many))
    return out


@pytest.mark.parametrize("soft17", ["stand", "hit"])
@pytest.mark.parametrize(
    "left", ["A:3 2:3 3:0 4:0 5:0 6:3 7:0 8:0 9:0 T:0 J:0 Q:0", "A:0 3:0 4:0 6:0 8:0 9:0 J:0 Q:0 K:0"]
)
def test_LB_3_against_every_order_of_a_small_shoe(soft17: str, left: str) -> None:
    house = GAME.at({"decks": "1", "soft17": soft17})
    house = replace(house, composition=depleted(left, house.composition))
    counts: dict[tuple[int, int], int] = {}
    for code, n in enumerate(house.composition):
        value = 1 if code >> 2 == 12 else min((code >> 2) + 2, 10)
        counts[value, code & 3] = counts.get((value, code & 3), 0) + n
    found = Study(house).wager("lucky-break")
    assert {o.outcome: o.probability for o in found.outcomes} == brute_break(house, counts)


def test_LB_4_the_worked_example_and_the_other_reading() -> None:
    assert GAME.at().tables["lucky-break"].pay("26 suited 5+") == 153
    assert GAME.at({"lucky-break": "multiply"}).tables["lucky-break"].pay("26 suited 5+") == 150
    assert GAME.at({}, {"lucky-break": "3"}).tables["lucky-break"].pay("25 suited 3") == 12
    assert GAME.at({}, {"lucky-break": "4"}).tables["lucky-break"].pay("22 unsuited") == 1


def test_LB_3_a_player_with_27_does_not_win() -> None:
    """He hits a hard 17 and holds 27; the dealer busts, and the wager is lost all the same."""
    shoe = cards_of("Tc 6d 7c Td Th 9s 5c")
    bets = all_bets(GAME.at())
    table = Round(GAME.at(), shoe, [Seat(bets)], [(1, "hit")])
    assert {e["wager"]: e["row"] for e in table.settled()}["lucky-break"] == "lose"
    stands = Round(GAME.at(), cards_of("Tc 6d 7c Td 9s 5c"), [Seat(bets)], [(1, "stand")])
    assert {e["wager"]: e["row"] for e in stands.settled()}["lucky-break"] == "25 unsuited"


def test_LB_5_the_simulation_of_the_whole_game_agrees() -> None:
    """Basic strategy, splits and several seats: the player's own play does not move Lucky Break or Lucky Lucky."""
    for seats, mode in ((1, "fresh"), (3, "shoe")):
        found = Run(GAME.at(), seats=seats, mode=mode, seed=5).run(3_000_000 if seats == 1 else 1_500_000)
        for wager in ("lucky-lucky", "lucky-break", "main"):
            z = found.wager(wager).z
            assert z is not None and abs(z) < 4 + (wager == "main" and mode == "shoe"), (wager, seats, z)


# ---- the base game

ANCHORS = [*GAME.anchors, *SIDE.anchors]


@pytest.mark.parametrize("anchor", ANCHORS, ids=lambda a: f"{a.wager} {a.edge} {dict(a.options)} {a.strategy}")
def test_published_figures(anchor: object) -> None:
    game = GAME if anchor in GAME.anchors else SIDE
    found = Study(game.at(anchor.options, anchor.tables), anchor.strategy).wager(anchor.wager)  # type: ignore[attr-defined]
    assert anchor.agrees(Fraction(found.house_edge))  # type: ignore[attr-defined]


def test_options_that_contradict_each_other_are_one_sentence() -> None:
    with pytest.raises(BadInput, match="resplit-aces=yes needs split-to=3 or 4"):
        GAME.at({"resplit-aces": "yes", "split-to": "2"})
    with pytest.raises(BadInput, match="split-aces=play needs split-to"):
        GAME.at({"split-to": "1", "split-aces": "play"})


def test_a_shoe_that_runs_out_is_one_sentence() -> None:
    house = only(GAME.at({"decks": "1"}), "main")
    tiny = replace(house, composition=depleted(" ".join(f"{r}:0" for r in "3456789TJQK"), composition(1)))
    of = traced(tiny)
    strategy = np.ones(of.keys.size, np.uint8)  # always hit
    with pytest.raises(BadInput, match="too small"):
        simulator(of.cells, of.keys, [c for c, n in enumerate(tiny.composition) for _ in range(n)]).run(
            5000, 1, 0, strategy
        )


def test_another_shoe_is_another_simulation(tmp_path: Path) -> None:
    """A checkpoint of a full shoe is not gone on with from a depleted one, nor from one that differs in suits only."""
    full, file = only(GAME.at({"decks": "1"}), "main"), tmp_path / "night.json"
    Run(full).run(1 << 18, checkpoint=file)
    for left in ("A:2", "Ah:0"):
        with pytest.raises(BadInput, match=r"belongs to another simulation.*shoe was full"):
            Run(replace(full, composition=depleted(left, full.composition))).run(1 << 18, checkpoint=file)
    hearts, spades = (replace(full, composition=depleted(left, full.composition)) for left in ("Ah:0", "As:0"))
    assert Run(hearts).fingerprint() != Run(spades).fingerprint()


def test_a_published_figure_speaks_of_a_full_shoe(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["analyze", "blackjack", "--wager", "lucky-lucky"]
    assert main(words) == 0 and "published" in capsys.readouterr().out
    assert main([*words, "--shoe", "A:20"]) == 0 and "published" not in capsys.readouterr().out
