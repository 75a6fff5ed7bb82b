"""What a claim may be about, and how each is computed: an entry of MEASURES for every kind of figure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from pitboss.claims.asserted import ASSERTED, ASSERTED_NEEDS
from pitboss.claims.counted import OPTIMAL, law_of, played, record_of
from pitboss.claims.file import Claim, Mistake, as_list
from pitboss.claims.measured import AND, ANY, Measured, bets_of, command, counted, root_of
from pitboss.claims.readings import WAGER, but, lacking_wager, tried
from pitboss.exact import Solver
from pitboss.hands.census import SIZES, hands_by_name
from pitboss.ledger.records import Outcome, Progressive, WagerResult
from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.house import House
from pitboss.rules.options import show_value


def check(claim: Claim, house: House) -> None:
    """Whether the claim names what it needs, or it is a Mistake; and nothing that the game lacks."""
    if claim.measure not in MEASURES:
        raise Mistake(f"measure {choice_of(claim.measure, list(MEASURES))}")
    tried(claim, house, claim.unstated)
    lacking = [key for key in NEEDS.get(claim.measure, ("wager",)) if not getattr(claim, key)]
    if lacking and not claim.missing:
        raise Mistake(f"a claim about {claim.measure!r} needs {' and '.join(lacking)}")
    if claim.wager and claim.wager not in house.parties:
        raise BadInput(lacking_wager(house, claim.wager))
    known = [OPTIMAL, "basic", *house.game.strategies, ANY]
    if claim.strategy not in known:
        raise BadInput(f"strategy {choice_of(claim.strategy, known)}")


def take(claim: Claim, house: House) -> Measured:
    """The figure that the claim is about, computed."""
    if claim.wager and claim.wager not in house.parties:
        raise BadInput(lacking_wager(house, claim.wager))
    return MEASURES[claim.measure](claim, house)


# ---- the measures


def _edge(claim: Claim, house: House) -> Measured:
    """House edge, as a share of the wager before the deal."""
    found = record_of(house, claim.wager, claim.strategy)
    shown = command("analyze", claim, house, wager=claim.wager)
    return Measured(found.house_edge, found.exact, shown, found.outcomes if found.exact else ())


def _per_unit(claim: Claim, house: House) -> Measured:
    """House edge as a share of everything that is bet in a round."""
    found = counted(claim, house)
    return Measured(found.element_of_risk, True, command("analyze", claim, house, wager=claim.wager))


def _dollars(claim: Claim, house: House) -> Measured:
    """What a bet loses on average, in dollars, at the stake of the house."""
    loss = counted(claim, house).house_edge * house.stake_on(claim.wager)
    return Measured(loss, True, command("analyze", claim, house, wager=claim.wager))


def _ways(claim: Claim, house: House) -> Measured:
    """In how many deals a row of the wager comes up; of all rows when none is named."""
    found = counted(claim, house)
    shown = command("analyze", claim, house, wager=claim.wager)
    if not claim.row:
        return Measured(Fraction(found.ways or 0), True, shown)
    return Measured(Fraction(sum(o.ways or 0 for o in _named(found, claim.row))), True, shown)


def _probability(claim: Claim, house: House) -> Measured:
    """How likely a row of the wager is."""
    found = counted(claim, house)
    value = sum((o.probability for o in _named(found, claim.row)), Fraction(0))
    return Measured(value, True, command("analyze", claim, house, wager=claim.wager))


def _resolved(claim: Claim, house: House) -> Measured:
    """House edge as a share of the bets that are won or lost: rounds in which nothing changes hands are left out."""
    found = counted(claim, house)
    resolved = sum((o.probability for o in found.outcomes if o.pays), Fraction(0))
    if not resolved:
        raise BadInput(f"no bet on {claim.wager} is ever won or lost")
    return Measured(found.house_edge / resolved, True, command("analyze", claim, house, wager=claim.wager))


def _units(claim: Claim, house: House) -> Measured:
    """What is bet in a round on average, in units of the wager before the deal."""
    return Measured(counted(claim, house).wagered, True, command("analyze", claim, house, wager=claim.wager))


def _deviation(claim: Claim, house: House) -> Measured:
    """The standard deviation of a round, in units of the wager before the deal."""
    shown = command("analyze", claim, house, wager=claim.wager)
    return Measured(root_of(counted(claim, house).variance), False, shown)


def _hit_frequency(claim: Claim, house: House) -> Measured:
    """How often the wager, with all that goes with it, ends in a profit."""
    return Measured(counted(claim, house).hit_frequency, True, command("analyze", claim, house, wager=claim.wager))


def _bet_made(claim: Claim, house: House) -> Measured:
    """How often a bet after the deal is made, `raise`, or made so many times over, `play 4x`."""
    often: dict[str, Fraction] = {}
    for bet in counted(claim, house).bets:
        if bet.times:
            often[bet.wager] = often.get(bet.wager, Fraction(0)) + bet.often.value
            often[f"{bet.wager} {show_value(bet.times)}x"] = bet.often.value
    if claim.row not in often:
        raise BadInput(f"row {choice_of(claim.row, list(often))}" if often else f"no bet on {claim.wager} comes later")
    return Measured(often[claim.row], True, command("analyze", claim, house, wager=claim.wager))


def _hands(claim: Claim, house: House) -> Measured:
    """How many hands of so many cards are of a kind; all of them when no kind is named."""
    return Measured(Fraction(_hand_count(claim)), True, f"pitboss hands {claim.cards}")


def _share_of_hands(claim: Claim, house: House) -> Measured:
    """Which share of all hands of so many cards is of a kind."""
    total = _hand_count(replace(claim, row=""))
    return Measured(Fraction(_hand_count(claim), total), True, f"pitboss hands {claim.cards}")


def _hand_count(claim: Claim) -> int:
    if claim.cards not in SIZES:
        raise Mistake(f"hands are counted of 3 to 7 cards, not {claim.cards}; write cards = 7")
    counted = hands_by_name(claim.cards)
    if claim.row and claim.row not in counted:
        raise BadInput(f"row {choice_of(claim.row, list(counted))}")
    return counted[claim.row] if claim.row else sum(counted.values())


def _pays(claim: Claim, house: House) -> Measured:
    """What a row pays to 1, or how much more than another row."""
    table = house.tables[claim.wager]
    pays = []
    for row in (claim.row, claim.less):
        if row and row not in table.pays:
            raise BadInput(f"row {choice_of(row, list(table.pays))}")
        pay = table.pays[row] if row else Fraction(0)
        if not isinstance(pay, Fraction):
            raise BadInput(f"the row {row} pays {pay}, which is not an amount to 1")
        pays.append(pay)
    return Measured(pays[0] - pays[1], True, command("rules", claim, house, wager=claim.wager))


def _together(claim: Claim, house: House) -> Measured:
    """House edge of several bets at once: each bet's edge in proportion to it."""
    bets, words = bets_of(claim, house)
    edges = {w: counted(claim, house.measured(w, amount), w).house_edge for w, amount in bets.items()}
    loss = sum((amount * edges[w] for w, amount in bets.items()), Fraction(0))
    return Measured(loss / sum(bets.values()), True, command("analyze", claim, house, *words))


def _long_run(claim: Claim, house: House) -> Measured:
    """Edge of a progressive wager over many jackpots, from the seed and the increment."""
    found = _progressive(claim, house)
    return Measured(found.long_run_edge, True, command("analyze", claim, house, wager=claim.wager))


def _average_jackpot(claim: Claim, house: House) -> Measured:
    """What a jackpot has grown to when it is hit, on average."""
    meters = {m.row: m.average for m in _progressive(claim, house).meters}
    if claim.row and claim.row not in meters:
        raise BadInput(f"row {choice_of(claim.row, list(meters))}")
    value = meters[claim.row] if claim.row else next(iter(meters.values()))
    return Measured(value, True, command("analyze", claim, house, wager=claim.wager))


def _progressive(claim: Claim, house: House) -> Progressive:
    if not house.meters(claim.wager):
        raise BadInput(f"the wager {claim.wager} pays from no meter, so it has no jackpot")
    return law_of(house, claim.wager, claim.strategy).progressive(claim.wager)


def _strategy_cost(claim: Claim, house: House) -> Measured:
    """How much more the house wins from a named strategy than from the best one."""
    best, named = _edge(replace(claim, strategy=OPTIMAL), house), _edge(claim, house)
    return Measured(named.value - best.value, named.exact and best.exact, named.command + AND + best.command)


def _ways_together(claim: Claim, house: House) -> Measured:
    """Deals in which wagers come out in certain rows at once, after a certain choice of the player; with the strategy
    `any`, the most over players who always choose alike."""
    study, tables = played(house, OPTIMAL if claim.strategy == ANY else claim.strategy), house.tables
    for wager, wanted in claim.rows.items():
        if wager not in tables:
            raise BadInput(f"rows: {choice_of(wager, list(tables))}")
        known = [*dict.fromkeys([*tables[wager].pays, "push", "lose"]), "wins"]
        if wrong := [row for row in as_list(wanted) if row not in known]:
            raise BadInput(f"rows: {choice_of(str(wrong[0]), known)}")
    choices = dict.fromkeys(choice for decision in study.graph.decisions() for choice in decision.choices)
    if claim.choice and claim.choice not in choices:
        raise BadInput(f"choice {choice_of(claim.choice, list(choices))}")
    verb = "strategy" if claim.choice or claim.strategy == ANY else "analyze"
    shown = command(verb, claim, house, wager=claim.wager)

    def meant(path: Sequence[str], rows: Mapping[str, str]) -> bool:
        came = all(_comes_out(house, w, rows.get(w, ""), as_list(want)) for w, want in claim.rows.items())
        return came and (not claim.choice or claim.choice in path)

    if not study.deal_by_deal((study.decided or study.banked)[0]) and claim.strategy != ANY:
        law = study.laws(study.banked)[0]
        if left := [w for w in claim.rows if house.lead(w) not in law.wagers]:
            raise BadInput(f"{left[0]} is not counted together with {law.wagers[0]}")
        ways = (law.share[j.move[0]] * j.ways for j in law.joints if meant(j.chosen.split(", "), j.rows))
        return Measured(sum(ways, Fraction(0)), True, shown)
    solver = study.solver
    cells = [
        cell
        for leaf in solver.cells.leaves
        for cell, rows in enumerate(leaf.table, leaf.offset)
        if meant([str(step.answer) for step in leaf.end.path], rows)
    ]
    chosen = _whatever_is_chosen(solver) if claim.strategy == ANY else [solver.state_ways]
    most = max(  # of all deals from each state that a seat can carry over, as often as it comes up
        sum((w * ways[cell] for w, ways in zip(solver.weights, states, strict=True) for cell in cells), Fraction(0))
        for states in chosen
    )
    return Measured(most, True, shown)


def _whatever_is_chosen(solver: Solver) -> Iterator[Any]:
    """The ways to every cell when the player makes one and the same choice at each decision."""
    points = solver.induction.points
    for answers in product(*(range(len(p.node.choices)) for p in points)):
        policy = {p.node.id: np.full(len(p.rows), a, np.int64) for p, a in zip(points, answers, strict=True)}
        yield solver.induction.cell_ways(policy)


def _comes_out(house: House, wager: str, row: str, wanted: Any) -> bool:
    if not row:
        return False
    return row in wanted or ("wins" in wanted and house.net(wager, row, house.least_bet(house.lead(wager))) > 0)


def _lowest(claim: Claim, house: House) -> Measured:
    """The lowest edge over everything that is offered."""
    return min(_edges(claim, house), key=lambda m: m.value)


def _highest(claim: Claim, house: House) -> Measured:
    """The highest edge over everything that is offered."""
    return max(_edges(claim, house), key=lambda m: m.value)


def _spread(claim: Claim, house: House) -> Measured:
    """How far the edges of everything that is offered lie apart."""
    edges = _edges(claim, house)
    top = max(edges, key=lambda m: m.value)
    low = min(edges, key=lambda m: m.value)
    shown = top.command if top.command == low.command else top.command + AND + low.command
    return Measured(top.value - low.value, top.exact and low.exact, shown)


def _edges(claim: Claim, house: House) -> list[Measured]:
    wagers = as_list(claim.across.get(WAGER, claim.wager))
    if wrong := [w for w in wagers if w not in house.parties]:
        raise BadInput(f"across: wager {choice_of(str(wrong[0]), list(house.parties))}")
    out = []
    for settings in tried(claim, house, claim.across):
        wager = settings.pop(WAGER, claim.wager)
        there = but(house, wager, settings)
        if wager in there.parties:  # with other options there may be fewer wagers
            out.append(_edge(replace(claim, wager=wager), there))
    return out


def _least_win(claim: Claim, house: House) -> Measured:
    """The least that a winning bet is paid, to 1, on the wager and all that goes with it."""
    pays = [p for w in house.parties[claim.wager] for p in house.tables[w.name].pays.values()]
    wins = [p for p in pays if isinstance(p, Fraction) and p > 0]
    if not wins:
        raise BadInput(f"the wager {claim.wager} has no row that pays a number to 1")
    return Measured(min(wins), True, command("rules", claim, house, wager=claim.wager))


def _required(claim: Claim, house: House) -> Measured:
    """How many bets a player must make before the deal."""
    count = sum(w.required for w in house.wagers if not w.equal_to) + len(house.one_of)
    return Measured(Fraction(count), True, command("rules", claim, house))


def _named(found: WagerResult, row: str) -> list[Outcome]:
    rows = [o for o in found.outcomes if o.outcome == row]
    if not rows:
        raise BadInput(f"row {choice_of(row, [o.outcome for o in found.outcomes])}")
    return rows


NEEDS = {
    "edge together": ("bets",),
    "lowest edge": ("across",),
    "highest edge": ("across",),
    "spread of edges": ("across",),
    "ways together": ("rows",),
    "probability": ("wager", "row"),
    "bet made": ("wager", "row"),
    "hands": ("cards",),
    "share of hands": ("cards", "row"),
    "pays": ("wager", "row"),
    "required bets": (),
    **ASSERTED_NEEDS,
}
"""What a claim must name, where that is not just its wager."""

MEASURES: Mapping[str, Callable[[Claim, House], Measured]] = {
    "edge": _edge,
    "edge per unit bet": _per_unit,
    "edge per bet resolved": _resolved,
    "dollars per bet": _dollars,
    "edge together": _together,
    "lowest edge": _lowest,
    "highest edge": _highest,
    "spread of edges": _spread,
    "long-run edge": _long_run,
    "average jackpot": _average_jackpot,
    "strategy cost": _strategy_cost,
    "ways": _ways,
    "ways together": _ways_together,
    "probability": _probability,
    "hit frequency": _hit_frequency,
    "bet made": _bet_made,
    "units bet": _units,
    "standard deviation": _deviation,
    "hands": _hands,
    "share of hands": _share_of_hands,
    "pays": _pays,
    "least win": _least_win,
    "required bets": _required,
    **ASSERTED,
}
