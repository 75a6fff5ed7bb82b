"""What documents say in words: that nobody needs skill, that bets are independent, that most of the money is lost here.

Each is a figure all the same, of any game. They stand here because a claim about one has no printed figure, or prints
how sure another figure is.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from pitboss.cards import card_code, rank_of
from pitboss.claims.counted import played, record_of, study_of
from pitboss.claims.file import Claim, Mistake
from pitboss.claims.measured import Measured, bets_of, command, counted, root_of
from pitboss.exact import Study
from pitboss.hands.categories import RANKINGS
from pitboss.ledger.figure import EXACT
from pitboss.rules import DEALER, PLAYER, Game, Table, Wager, compare, hands_from, row, strength, where
from pitboss.rules.errors import BadInput, choice_of
from pitboss.rules.graph import Decide, Graph, Node
from pitboss.rules.house import House
from pitboss.rules.numbers import share
from pitboss.rules.ranks import ranks_of
from pitboss.rules.rewrite import only
from pitboss.rules.trace import trace

ROUNDS, SEED = 1_000_000, 1  # of a simulation, where an exact count is too large
OWN = (3, 4, 5)  # cards of a hand that is completed by two shared ones


# ---- what the rules give the player to do, and to get


def _decisions(claim: Claim, house: House) -> Measured:
    """How many decisions of the player can change how the wager comes out."""
    alone = only(trace(house), [w.name for w in house.parties[claim.wager]])
    count = sum(1 for _ in alone.decisions())
    return Measured(Fraction(count), True, command("rules", claim, house, wager=claim.wager))


def _extra_cards(claim: Claim, house: House) -> Measured:
    """How many cards the dealer gets more than the player, at most."""
    most = max(_cards(end, DEALER) - _cards(end, PLAYER) for end in _whole_rounds(house).ends())
    return Measured(Fraction(most), True, command("rules", claim, house))


def _cards_drawn(claim: Claim, house: House) -> Measured:
    """How many cards are dealt after the player's first decision, at most. Without any, nobody can bust."""
    drawn = [0]
    for end in _whole_rounds(house).ends():
        first = next((step.node for step in end.path if isinstance(step.node, Decide)), None)
        if first is not None:
            drawn.append(sum(len(g.slots) for g in end.groups) - sum(len(g.slots) for g in first.groups))
    return Measured(Fraction(max(drawn)), True, command("rules", claim, house))


def _whole_rounds(house: House) -> Graph:
    graph = trace(house)
    if graph.open_ended:
        raise BadInput(f"hands of {house.game.name} can have any number of cards, so there is no most of them")
    return graph


def _cards(node: Node, who: str) -> int:
    return sum(len(g.slots) for g in node.groups if g.who == who)


def _balance(claim: Claim, house: House) -> Measured:
    """How much more often the wager wins than it loses when the player makes one and the same choice on every hand."""
    solver = played(house).solver
    known = dict.fromkeys(choice for d in solver.graph.decisions() for choice in d.choices)
    if claim.choice not in known:
        raise BadInput(f"choice {choice_of(claim.choice, list(known))}")
    policy = {}
    for point in solver.induction.points:
        choices = point.node.choices
        policy[point.node.id] = np.full(
            len(point.rows), choices.index(claim.choice) if claim.choice in choices else 0, np.int64
        )
    stake, won, dealt = house.stake_on(claim.wager), Fraction(0), Fraction(0)
    for weight, ways in zip(solver.weights, solver.induction.cell_ways(policy), strict=True):
        for leaf in solver.cells.leaves:
            for cell, rows in enumerate(leaf.table, leaf.offset):
                net = house.net(claim.wager, rows[claim.wager], stake) if claim.wager in rows else 0
                won += weight * int(ways[cell]) * ((net > 0) - (net < 0))
                dealt += weight * int(ways[cell])
    return Measured(won / dealt, True, command("rules", claim, house, wager=claim.wager))


def _cost_of_choice(claim: Claim, house: House) -> Measured:
    """What a player loses, of the bet before the deal, who makes one choice with certain cards instead of the best."""
    try:
        held = ranks_of(claim.holding)
    except ValueError as error:
        raise Mistake(f"holding: {error}; write ranks such as 2-4 or 2,3,9-A") from None
    asked = [d for d in trace(house).decisions() if claim.choice in d.choices]
    if len({d.name for d in asked}) != 1:
        known = dict.fromkeys(c for d in trace(house).decisions() for c in d.choices)
        raise BadInput(f"choice {choice_of(claim.choice, list(known))}, and is offered at one decision")
    if any(g.who != PLAYER for d in asked for g in d.seen()) or house.deck.jokers:
        raise BadInput("what a choice costs is told where the player sees cards of his own only, and no jokers")
    chart = played(house).chart(asked[0].name)
    rows = [r for r in chart if all(rank_of(card_code(c)) in held for c in r.cards)]
    lost = sum((r.probability * (max(r.values.values()) - r.values[claim.choice]) for r in rows), Fraction(0))
    exact = all(r.method == EXACT for r in rows)
    return Measured(lost, exact, command("strategy", claim, house, wager=claim.wager))


def _fewest_decks(claim: Claim, house: House) -> Measured:
    """The fewest decks whose cards can bring up a row of the wager. The rules stay those of the house: if a game file
    leaves a row out with few decks, that proves nothing."""
    decks = house.decks
    if decks is None:
        raise BadInput(f"{house.game.name} is dealt from one deck, whatever the house")
    for count in range(1, decks + 1):
        there = house.but(shoe=tuple(n * count // decks for n in house.composition)) if count < decks else house
        found = Study(there, graph=trace(house)).wager(claim.wager)
        if any(o.outcome == claim.row and o.probability for o in found.outcomes):
            return Measured(
                Fraction(count), True, command("analyze", claim, _dealt_from(house, count), wager=claim.wager)
            )
    raise BadInput(f"row {choice_of(claim.row, list(house.tables[claim.wager].pays))}, and comes up in a full shoe")


def _dealt_from(house: House, decks: int) -> House:
    """The house with so many decks, where it offers that; else as it is."""
    try:
        return house.but({"decks": decks})
    except BadInput:
        return house


def _least_pay(claim: Claim, house: House) -> Measured:
    """The least that the wager pays, to 1, on that row of its pay table or on one above it."""
    rows = list(house.tables[claim.wager].pays)
    if claim.row not in rows:
        raise BadInput(f"row {choice_of(claim.row, rows)}")
    stake = house.stake_on(claim.wager)
    least = min(house.net(claim.wager, name, stake) for name in rows[: rows.index(claim.row) + 1])
    return Measured(least, True, command("rules", claim, house, wager=claim.wager))


# ---- how bets go together


def _share_of_loss(claim: Claim, house: House) -> Measured:
    """Which share of what all these bets lose on average is lost on one of them."""
    bets, words = bets_of(claim, house)
    if claim.wager not in bets:
        raise BadInput(f"wager {choice_of(claim.wager, list(bets))}, the bets that are named")
    lost = {w: amount * counted(claim, house.measured(w, amount), w).house_edge for w, amount in bets.items()}
    total = sum(lost.values(), Fraction(0))
    if total <= 0:
        raise BadInput("these bets lose nothing on average, so there is no share of it")
    return Measured(lost[claim.wager] / total, True, command("analyze", claim, house, *words))


def _out_of_proportion(claim: Claim, house: House) -> Measured:
    """How far the edge of several bets at once is from the average of their edges at the usual stake, in proportion."""
    bets, words = bets_of(claim, house)
    gap = sum(
        amount * (counted(claim, house.measured(w, amount), w).house_edge - counted(claim, house, w).house_edge)
        for w, amount in bets.items()
    )
    return Measured(Fraction(gap) / sum(bets.values()), True, command("analyze", claim, house, *words))


def _correlation(claim: Claim, house: House) -> Measured:
    """How two bets move together, from -1 to 1: 0 where they are independent. Simulated where the two are too much to
    count together."""
    bets, words = bets_of(claim, house)
    if len(bets) != 2:
        raise Mistake("a correlation is of two bets, such as bets = { ante = 5, side = 5 }")
    study = study_of(house, claim.strategy)
    if among := [w for w in bets if w in study.book.shared]:
        raise BadInput(f"{among[0]} is paid among the players, so how it moves depends on who else is there")
    exactly = study.together(bets)
    if exactly is not None:
        (value,) = exactly.correlation.values()
        return Measured(Fraction(value), False, command("analyze", claim, house, *words))
    from pitboss.deal import Run  # only claims that cannot be counted wait for it

    dealt = Run(house, seed=SEED, strategy=claim.strategy, bets=bets).run(ROUNDS, workers=1).together
    assert dealt is not None  # of two bets there is one
    (value,), error = dealt.correlation.values(), Fraction(dealt.standard_error)
    shown = command("simulate", claim, house, "--rounds", str(ROUNDS), "--seed", str(SEED), *words)
    return Measured(Fraction(value), False, shown, error=error)


# ---- a figure and where it comes from


def _edge_less_chance(claim: Claim, house: House) -> Measured:
    """The edge, less the chance that one hand of so many cards beats another with less than that row, where both use
    the same two cards beside their own."""
    if claim.row not in dict(RANKINGS[5]) or claim.row == RANKINGS[5][0][0]:
        raise BadInput(f"row {choice_of(claim.row, [name for name, _ in RANKINGS[5][1:]])}")
    if claim.cards not in OWN:
        raise Mistake(f"cards of each hand are 3 to 5, not {claim.cards}")
    below = record_of(_contest(claim.cards, claim.row).at(), "below")
    chance = sum((o.probability for o in below.outcomes if o.outcome == "win"), Fraction(0))
    edge = counted(claim, house).house_edge
    return Measured(edge - chance, True, command("analyze", claim, house, wager=claim.wager))


@lru_cache(maxsize=16)
def _contest(cards: int, floor: str) -> Game:
    """Two hands over two shared cards: does the first one win with less than this?"""

    def play(t: Table) -> None:
        mine, his, shared = t.deal(PLAYER, cards), t.deal(DEALER, cards), t.deal("board", 2)
        own, other = strength(mine + shared), strength(his + shared)
        won = (compare(own, other) == "win") & (own < hands_from(floor)[floor])
        t.settle(below=where(won, row("win"), row("lose")))

    return Game("contest", "Two hands over two cards", play, [Wager("below", required=True)])


# ---- how sure a figure is


def _standard_error(claim: Claim, house: House) -> Measured:
    """The standard error of a share as large as the edge, estimated from so many independent deals; with a `level`,
    the half-width of that interval."""
    value = counted(claim, house).house_edge
    if not 0 <= value <= 1:
        raise BadInput(f"an edge of {float(value):.4%} is not a share that could be counted")
    return _spread_of_mean(claim, house, value * (1 - value))


def _error_of_edge(claim: Claim, house: House) -> Measured:
    """The standard error of the edge itself, if every result of so many independent deals is averaged; with a `level`,
    the half-width of that interval."""
    return _spread_of_mean(claim, house, counted(claim, house).variance)


def _spread_of_mean(claim: Claim, house: House, variance: Fraction) -> Measured:
    root = root_of(variance / claim.rounds)
    if claim.level:
        root *= Fraction(NormalDist().inv_cdf((1 + float(share("level", claim.level))) / 2))
    return Measured(root, False, command("analyze", claim, house, wager=claim.wager))


ASSERTED_NEEDS = {
    "extra cards": (),
    "cards drawn": (),
    "balance": ("wager", "choice"),
    "cost of a choice": ("wager", "choice", "holding"),
    "fewest decks": ("wager", "row"),
    "least pay": ("wager", "row"),
    "share of the loss": ("wager", "bets"),
    "out of proportion": ("bets",),
    "correlation": ("bets",),
    "edge less chance": ("wager", "row", "cards"),
    "standard error": ("wager", "rounds"),
    "standard error of the edge": ("wager", "rounds"),
}

ASSERTED: Mapping[str, Callable[[Claim, House], Measured]] = {
    "decisions": _decisions,
    "extra cards": _extra_cards,
    "cards drawn": _cards_drawn,
    "balance": _balance,
    "cost of a choice": _cost_of_choice,
    "fewest decks": _fewest_decks,
    "least pay": _least_pay,
    "share of the loss": _share_of_loss,
    "out of proportion": _out_of_proportion,
    "correlation": _correlation,
    "edge less chance": _edge_less_chance,
    "standard error": _standard_error,
    "standard error of the edge": _error_of_edge,
}
