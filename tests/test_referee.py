"""The referee: on random complete deals numpy, machine code and the live table give the same, outcome by outcome."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from helpers import (
    Traced,
    all_bets,
    laid_out,
    look_up,
    random_carried,
    random_deals,
    random_games,
    random_round,
    random_strategy,
    traced,
)
from pitboss.cards import cards_of
from pitboss.compile import reference_cells, walk_deals
from pitboss.live import Round, Seat
from pitboss.rules import Game, House
from pitboss.rules.evaluate import evaluate
from pitboss.rules.graph import Deal, Decide, End, When

Ints = NDArray[np.int64]


def referee(of: Traced, deals: int, live: int, seed: int) -> None:
    """Random deals, carried values and choices through all three; the first `live` of them at the table too."""
    rng = np.random.default_rng(seed)
    cards, carried, strategy = random_deals(of, deals, rng), random_carried(of, deals, rng), random_strategy(of, rng)
    reference = reference_cells(of.cells, cards, look_up(of, strategy), carried)
    assert (reference >= 0).all()
    for checked in (True, False):
        assert (walk_deals(of.cells, of.keys, cards, strategy, carried, checked) == reference).all()
    for i in range(live):
        compare_live(of, cards[i].tolist(), {k: int(v[i]) for k, v in carried.items()}, int(reference[i]))


def compare_live(of: Traced, deal: list[int], carried: dict[str, int], cell: int) -> None:
    """The same cards and choices at a table with one seat."""
    leaf, bets = of.cells.leaf(cell), all_bets(of.house)
    shoe, choices = laid_out(leaf, deal, spare=of.shoe)
    table = Round(of.house, shoe, [Seat(bets, carried)], choices)
    assert table.turn is None and table.used == len(shoe)
    rows = leaf.decode(cell)
    kept = {name: int(rows.pop(f"carried {name}")) for name in of.graph.carried}
    settled = {e["wager"]: e for e in table.settled() if e["wager"] not in leaf.end.shares}
    bonuses = {w.name for w in of.house.wagers if w.bonus}
    told = {w: r for w, r in rows.items() if w not in bonuses or of.house.net(w, r, Fraction(1))}  # else nothing moves
    assert {wager: e["row"] for wager, e in settled.items()} == told
    assert dict.fromkeys(of.graph.carried, 0) | table.carried() == kept
    assert [e["wager"] for e in table.events if e["event"] == "bet"] == [w for w in leaf.end.bets if w not in bonuses]
    for wager, event in settled.items():
        stake = bets[of.house.lead(wager)] * leaf.end.bets.get(wager, 1)
        assert Fraction(event["stake"]) == (0 if wager in bonuses else stake)
        assert Fraction(event["net"]) == of.house.net(wager, rows[wager], stake) * stake


def test_all_interpreters_agree(house: House) -> None:
    of = traced(house)
    referee(of, deals=2000, live=200 if of.graph.most_cards() <= 8 else 50, seed=1)


def test_every_end_is_reached_and_agrees(game: Game) -> None:
    """Every way that a round can end, and one round of many different outcomes, not only the frequent ones."""
    of = traced(game.at())
    rng = np.random.default_rng(2)
    deals = random_deals(of, 8000, rng)
    carried = random_carried(of, len(deals), rng)

    def anything(decision: Decide, some: dict[int, Ints], _: object) -> Ints:
        return rng.integers(0, len(decision.choices), len(next(iter(some.values()))))

    reached: set[int] = set()
    for _ in range(3):
        cells, where = np.unique(reference_cells(of.cells, deals, anything, carried), return_index=True)
        reached |= {of.cells.leaf(int(cell)).end.id for cell in cells}
        for cell, i in rng.permutation(np.stack([cells, where], 1))[:60].tolist():
            compare_live(of, deals[i].tolist(), {k: int(v[i]) for k, v in carried.items()}, cell)
    assert reached == {end.id for end in of.graph.ends()}


@pytest.mark.parametrize("seed", range(6))
def test_every_seat_of_a_full_table_is_settled_as_if_it_sat_alone(game: Game, seed: int) -> None:
    """Its own cards, and those of the house's places that all seats share, walked through the graph."""
    house = game.at()
    of, table = traced(house), random_round(house, game.seats, seed)
    dealt = {who: [e for e in table.events if e["event"] == "deal" and e["to"] == who] for who in of.graph.places}
    for seat in range(1, game.seats + 1):
        own = [e for e in table.events if e["event"] == "deal" and e.get("seat") == seat]
        queues = {"player": iter(own), **{who: iter(events) for who, events in dealt.items()}}
        made = iter([choice for number, choice in table.choices if number == seat])
        cards: dict[int, int] = {}
        carried = dict.fromkeys(of.graph.carried, 0)
        point = of.graph.root
        while True:
            for event in point.events:
                if isinstance(event, Deal):
                    cards.update(zip(event.slots, cards_of(next(queues[event.who])["cards"]), strict=True))
            if isinstance(point, When):
                point = point.kids[0 if evaluate(point.condition, cards, carried) else 1]
            elif isinstance(point, Decide):
                point = point.kids[point.choices.index(next(made))]
            else:
                break
        assert isinstance(point, End)
        rows = {s.wager: s.rows.names[evaluate(s.rows.index, cards, carried)] for s in point.settled}
        bonuses = {w.name for w in of.house.wagers if w.bonus}
        rows = {w: r for w, r in rows.items() if w not in bonuses or of.house.net(w, r, Fraction(1))}
        assert {e["wager"]: e["row"] for e in table.settled(seat) if e["wager"] not in point.shares} == rows
        assert next(made, None) is None and next(queues["player"], None) is None


@pytest.mark.parametrize("cut", [0, 17])
def test_a_live_round_does_not_depend_on_cards_that_it_does_not_deal(game: Game, cut: int) -> None:
    of = traced(game.at())
    rng = np.random.default_rng(3)
    deal, spare = random_deals(of, 1, rng)[0].tolist(), of.shoe
    strategy = random_strategy(of, rng)
    carried = dict.fromkeys(of.graph.carried, 0)
    kept = {k: np.array([v]) for k, v in carried.items()}
    leaf = of.cells.leaf(int(reference_cells(of.cells, np.array([deal]), look_up(of, strategy), kept)[0]))
    shoe, choices = laid_out(leaf, deal, spare)
    seat = Seat(all_bets(of.house), carried)
    alone, longer = (Round(of.house, cards, [seat], choices) for cards in (shoe, shoe + spare[cut:]))
    assert alone.events == longer.events and alone.used == longer.used


@settings(max_examples=25)
@given(random_games(), st.integers(0, 2**32 - 1))
def test_all_interpreters_agree_on_games_that_nobody_would_play(game: Game, seed: int) -> None:
    referee(traced(game.at()), deals=150, live=15, seed=seed)
